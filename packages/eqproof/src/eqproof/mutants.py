r"""Wrong versions of an equation, one token changed in each, and whether the checker refuses them.

A version that says the same is no wrong one: \cos(q_1 - q_2) and \cos(q_2 - q_1). It is recognized by evaluation, with
every letter free (meaning.py), so that neither a law of mechanics nor a zero in a binding helps.
What the book's bindings make true beyond that is a survivor, and is told.
"""

import random
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from eqproof import tree
from eqproof.binding_layers import Let
from eqproof.bindings import same
from eqproof.chapter import Chapter, Entry
from eqproof.dead_tokens import is_declared_symmetric, letters_of
from eqproof.errors import ProofError
from eqproof.evaluate import Evaluation
from eqproof.ledger_files import proofs_of
from eqproof.meaning import same_meaning
from eqproof.parser import parse
from eqproof.statement import index_values

Slip = tuple[str, tuple[int, int], str]  # its kind, the span of what is replaced, what stands there then

SWAP = str.maketrans("csCS", "scSC")
# A kind of slip, where it may happen, and what then stands there.
SLIPS: list[tuple[str, str, Callable[[re.Match[str]], str]]] = [
    ("sign", r"(?<![\^_]\{)(?<![\^_]\{ )[+-]", lambda m: "-" if m.group() == "+" else "+"),
    ("function", r"\\(sin|cos)(?![a-zA-Z])", lambda m: r"\cos" if m.group(1) == "sin" else r"\sin"),
    ("function", r"\\(max|min)(?![a-zA-Z])", lambda m: r"\min" if m.group(1) == "max" else r"\max"),
    ("function", r"(?<![\\a-zA-Z{])[csCS](?=_(\{?\d|\{?[a-z]\b|\{[a-z]-))", lambda m: m.group().translate(SWAP)),
    ("dot", r"\\(d?)dot(?![a-zA-Z])", lambda m: r"\dot" if m.group(1) else ""),
    ("accent", r"\\(tilde|bar|hat)(?![a-zA-Z])", lambda m: ""),
    ("power", r"\^\s*\{?([2-9])\}?", lambda m: f"^{int(m.group(1)) + 1}"),
    ("power", r"\^\s*\{?([2-9])\}?", lambda m: ""),
    ("transpose", r"\^(\\top|\{\s*-?\s*\\top\s*\})", lambda m: "^{-1}" if "-" in m.group() else ""),
    ("inverse", r"\^\{\s*-\s*(1|\\top)\s*\}", lambda m: r"^\top" if "top" in m.group() else ""),
    ("number", r"(?<![\d_^.a-zA-Z])(?<![\^_]\{)(?<![\^_]\{-)\d+(?![\d.])", lambda m: str(int(m.group()) + 1)),
    ("product", r"\\cdot(?![a-zA-Z])", lambda m: r"\times"),
    ("product", r"\\times(?![a-zA-Z])", lambda m: r"\cdot"),
    (
        "order",
        r"<|>|\\leq?(?![a-zA-Z])|\\geq?(?![a-zA-Z])",
        lambda m: r"\ge" if m.group()[0:2] in ("<", r"\l") else "<",
    ),
]
SUBSCRIPT = re.compile(r"_(\{((?:[^{}]|\{[^{}]*\})*)\}|[0-9a-zA-Z])")


@dataclass(frozen=True)
class Mutant:
    """A wrong version: the kind of slip, the whole text, where it differs, what stood there and what stands there now."""

    kind: str
    text: str
    place: int
    before: str
    after: str

    def __str__(self) -> str:
        near = self.text[max(0, self.place - 30) : self.place + 30].replace("\n", " ")
        return f"{self.kind}, {self.before!r} -> {self.after!r} in {near!r}"


def mutants(text: str, letters: Iterable[str] = (), more: Iterable[Slip] = ()) -> list[Mutant]:
    """Return all versions of an equation with one token changed; letters: the free indices; more: further slips."""
    found: dict[str, Mutant] = {}
    for kind, (start, end), after in [*by_text(text, letters), *by_tree(text), *more]:
        mutant = Mutant(kind, text[:start] + after + text[end:], start, text[start:end], after)
        found.setdefault(mutant.text, mutant)
    return list(found.values())


def by_text(text: str, letters: Iterable[str]) -> Iterator[Slip]:
    """Yield the slips that a regular expression finds."""
    for kind, pattern, after in SLIPS:
        for match in re.finditer(pattern, text):
            yield kind, match.span(), after(match)
    indices = sorted({*letters, *re.findall(r"\\(?:sum|prod)_\{\s*([a-z])\s*=", text)})
    for match in SUBSCRIPT.finditer(text):
        if re.search(r"\\(sum|prod|int)\s*$", text[: match.start()]):
            continue
        for piece in re.finditer(r"(?<![\\a-zA-Z])[a-zA-Z]|\d", match.group(1)):
            for other in others(piece.group(), indices, match.group(1)):
                start = match.start(1) + piece.start()
                yield "index", (start, start + 1), other


def others(piece: str, indices: Sequence[str], whole: str) -> list[str]:
    """Return what one piece of a subscript may be mistaken for."""
    if piece.isdigit():
        return ["2" if piece == "1" else "1"]
    if piece in indices:
        rest = [x for x in indices if x != piece]
        return rest or ["1"]
    return {"x": ["y"], "y": ["x"], "z": ["y"]}.get(piece, []) if len(whole.strip("{}")) > 1 else []


def by_tree(text: str) -> Iterator[Slip]:
    """Yield the slips that need the tree: factors, terms, signs of first terms, bounds, transposes of vectors and matrices."""
    for node in tree.walk(parse(text)):
        slips = SLIPS_OF_NODES.get(type(node))
        if slips is not None:
            yield from slips(node, text)


def lost_factors(node: tree.Product, text: str) -> Iterator[Slip]:
    """Yield a product without each of its factors."""
    for factor in node.factors:
        yield "factor", factor.span, " "


def lost_terms(node: tree.Add, text: str) -> Iterator[Slip]:
    """Yield a sum without each of its terms, and with a minus in front of the first one where no sign is printed."""
    for sign, term in zip(node.signs, node.terms):
        yield "term", (min(sign.span[0], term.span[0]), term.span[1]), "+ 0 "
    if node.signs[0].span == node.terms[0].span:
        yield minus_before(node)


def negative_sides(node: tree.Chain, text: str) -> Iterator[Slip]:
    """Yield a chain of relations with a minus in front of each side; a set has none."""
    if node.relations and "in" not in node.relations[0]:
        yield from (minus_before(side) for side in node.sides if not isinstance(side, tree.Add))


def negative_entries(node: tree.Matrix, text: str) -> Iterator[Slip]:
    """Yield a matrix with a minus in front of each entry."""
    entries = [entry for row in node.rows for entry in row]
    yield from (minus_before(entry) for entry in entries if not isinstance(entry, tree.Add))


def minus_before(node: tree.Node) -> Slip:
    """Return the slip of a minus in front of a node."""
    return "sign", (node.span[0], node.span[0]), "-"


def moved_bounds(node: tree.Big | tree.Integral, text: str) -> Iterator[Slip]:
    """Yield a sum, product or integral that begins one later, and one that ends one earlier."""
    for bound, change in ((node.low, "+ 1"), (node.high, "- 1")):
        if bound is not None:
            yield "bound", (bound.span[1], bound.span[1]), change


def transposed_letters(node: tree.Symbol, text: str) -> Iterator[Slip]:
    """Yield the transpose of a bold letter without a superscript."""
    if node.style == "bold" and text[node.span[1] :].lstrip()[:1] not in "^}":
        yield "transpose", (node.span[1], node.span[1]), r"^\top "


SLIPS_OF_NODES: dict[type[tree.Node], Callable[[Any, str], Iterator[Slip]]] = {
    tree.Product: lost_factors,
    tree.Add: lost_terms,
    tree.Chain: negative_sides,
    tree.Matrix: negative_entries,
    tree.Big: moved_bounds,
    tree.Integral: moved_bounds,
    tree.Symbol: transposed_letters,
}


def by_letter(entry: Entry, text: str, alphabet: Collection[tree.Symbol], most: int = 3) -> Iterator[Slip]:
    """Yield the slips by which a letter becomes one of the next letters of its chapter that are bound to something else."""
    parsed = parse(text)
    evaluation = at_first_place(entry, parsed)
    for symbol in (x for x in tree.walk(parsed) if isinstance(x, tree.Symbol)):
        place = base_of(symbol, text)
        if place is None:
            continue
        bases = islice(letters_bound_otherwise(symbol, evaluation, alphabet), most)
        yield from (("letter", place, base + " " * base.startswith("\\")) for base in bases)


def at_first_place(entry: Entry, parsed: tree.Claims) -> Evaluation:
    """Return the evaluation of the largest size at its first free indices; the indices of sums are 1."""
    size = entry.sizes[-1]
    indices = dict(*index_values(entry.each, size)[:1]) | {
        x.index: 1 for x in tree.walk(parsed) if isinstance(x, tree.Big)
    }
    return Evaluation(entry.layers.table(size), indices=indices)


def letters_bound_otherwise(
    symbol: tree.Symbol, evaluation: Evaluation, alphabet: Collection[tree.Symbol]
) -> Iterator[str]:
    """Yield the letters that may stand in a symbol for its own and then have another value: those behind it come first."""
    value = attempt(evaluation.look, symbol)
    if value is None:
        return
    bases = {x.base for x in alphabet if replace(x, base=symbol.base) == symbol} - {symbol.base}
    for base in sorted(bases, key=lambda base: (base < symbol.base, base)):
        other = attempt(evaluation.look, replace(symbol, base=base))
        if other is not None and not same(other, value):
            yield base


def base_of(symbol: tree.Symbol, text: str) -> tuple[int, int] | None:
    r"""Return where the letter of a symbol stands, such as \theta in \dot\theta_1, None for a name of several letters."""
    if not (symbol.base.startswith("\\") or len(symbol.base) == 1):
        return None
    match = re.compile(rf"(?<![a-zA-Z\\]){re.escape(symbol.base)}(?![a-zA-Z])").search(text, *symbol.span)
    return match.span() if match else None


def attempt(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return what a function returns, None where it raises a ProofError."""
    try:
        return function(*arguments)
    except ProofError:
        return None


@dataclass(frozen=True)
class Count:
    """How the mutants of an equation fared: refused as false, or as no equation at all; the same in meaning; survivors.

    survivors: pairs of a mutant and the reason why it is true as well, "" where none is known.
    """

    label: str
    false: int
    senseless: int
    same: int
    survivors: tuple[tuple[Mutant, str], ...]


def survey(
    entry: Entry,
    text: str,
    alphabet: Collection[tree.Symbol] = (),
    limit: int | None = None,
    verdict: Callable[[str], Any] | None = None,
) -> Count:
    """Return the Count of an equation's mutants; limit: how many are drawn from all, by a chance that the label fixes.

    verdict: what tells whether a text passes, instead of the entry's own proof.
    """
    letters = {letter for n in entry.sizes for at in index_values(entry.each, n)[:1] for letter in at}
    drawn = mutants(text, letters, [*by_letter(entry, text, alphabet)])
    if limit is not None and len(drawn) > limit:
        drawn = random.Random(entry.label).sample(drawn, limit)
    false = senseless = same = 0
    survivors = []
    for mutant in drawn:
        try:
            holds = (verdict or entry.verdict)(mutant.text)
        except Exception:  # whatever stops a proof, the text is not proven
            senseless += 1
            continue
        if not holds:
            false += 1
        elif same_meaning(entry, text, mutant.text):
            same += 1
        elif not (why := reason(entry, text, mutant)) and not is_accepted(entry, mutant.text):
            false += 1
        else:
            survivors.append((mutant, why))
    return Count(entry.label, false, senseless, same, tuple(survivors))


def is_accepted(entry: Entry, text: str) -> bool:
    """Tell whether a text that is true passes as well for tokens that may change, and for units; a definition has none."""
    try:
        return entry.verb == "define" or entry.refuse_dead_tokens(text, "") is not None
    except ProofError:
        return False


def reason(entry: Entry, text: str, mutant: Mutant) -> str:
    """Return why a mutant that passes is true as well: a matrix is declared symmetric, or the author has told of the token."""
    for node in tree.walk(parse(text)):
        if node.span[0] <= mutant.place <= node.span[1]:
            excuse = dict(entry.dead).get(text[slice(*node.span)].strip())
            if excuse:
                return excuse
            if mutant.kind == "transpose" and is_declared_symmetric(node, letters_of(entry.symmetric)):
                return f"{text[slice(*node.span)].strip()} is symmetric"
    return ""


def survey_definition(
    chapter: Chapter, entry: Entry, alphabet: Collection[tree.Symbol] = (), limit: int | None = None
) -> Count:
    """Return the Count of a definition's mutants: each must break a proof that uses the name, or be no definition."""
    text = chapter.texts[entry.label]
    letters = tuple(index_values(entry.each, entry.sizes[-1])[0])
    users = chapter.users(entry)

    def with_text(user: Entry, changed: str) -> Entry:
        return replace(user, layers=user.layers.with_text(entry.label, changed))

    def holds(changed: str) -> bool:
        entry.judge_definition(changed)
        return all(with_text(user, changed).verdict(chapter.texts[user.label]) for user in users)

    named = replace(entry, layers=entry.layers.add(Let(entry.label, text, letters)))  # same_meaning knows the name
    return survey(named, text, alphabet, limit, holds)


def survey_page(page: Path, only: Collection[str] | None = None, limit: int | None = None) -> list[Count]:
    """Return the Count of each equation that is proven, postulated or defined on a page, or of those in only."""
    chapter = proofs_of(page)
    if chapter is None:
        return []
    known = [
        e for e in chapter.entries.values() if e.label in chapter.texts and e.verb in ("prove", "postulate", "define")
    ]
    chosen = [e for e in known if not only or e.label in only]
    alphabet = {x for e in known for x in tree.walk(parse(chapter.texts[e.label])) if isinstance(x, tree.Symbol)}
    return [
        survey_definition(chapter, e, alphabet, limit)
        if e.verb == "define"
        else survey(e, chapter.texts[e.label], alphabet, limit)
        for e in chosen
    ]
