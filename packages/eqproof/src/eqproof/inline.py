r"""Relations in running text: which of them state a result that holds, and which give data, a condition, or stay open.

A sentence may say $T = \frac{1}{2} m v^2$, and nothing proves it; or that $q_1 = 0$, which is a condition and no claim.
Each inline relation is tried with the letters of the displayed equations nearest to it, before it and behind it:

- holds: it is true with these letters, at random points, as a displayed equation would be, and its units agree;
- data: a letter that is free, or not bound, and a number that the code of the page holds, or 0 as a bound: the page sets it.
  What is bound to more than a letter is a result: it holds, or it is a condition;
- condition: all letters are bound, and it is not true for all of their values: it says of which ones the sentence speaks.
  A result with a slip looks the same. So is each \ne of letters: at random points nearly all differs;
- open: a letter is not bound, or its rate is zero because nothing says that it varies; or it is not read;
- untried: the page has no proofs, and so no letters.

Where anything but a refusal ends the try, such as a TypeError, that is told, and no reason excuses it.

What does not hold is kept, with its reason, in relations.toml beside the proofs, and every run compares: a relation that is
changed, or new, is told until it holds or has its reason there, in the author's words or, by `python -m eqproof --inline`,
in the program's; for one PAGE this lists them all. So are data, for another number may stand in the code as well: their
reason is the word data, which excuses nothing else. Where two sides hold numbers alone,
$9600 / 25 = 384$, no letter is needed: these are computed in every run, and one that is not right to its last printed
digit is told; one that cannot be computed is open.
"""

import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import sympy

from eqproof import tree
from eqproof.bindings import Bindings
from eqproof.calculus import RELATIONS, SPELLINGS
from eqproof.chapter import Chapter, Entry
from eqproof.code import code_of, numbers_with_signs
from eqproof.decide import decide
from eqproof.errors import NotDecided, ProofError
from eqproof.evaluate import Evaluation
from eqproof.notes import RELATION_NOTES, note, noted
from eqproof.pages import INLINE_CODE, displays_in, without_code
from eqproof.parser import parse
from eqproof.project import expand, project
from eqproof.rates import refuse_still_rates
from eqproof.statement import index_values

KINDS = ("holds", "data", "condition", "open", "untried")
INLINE = re.compile(r"(?<![\\$])\$(?!\$)((?:[^$\n]|\\\$)+?)(?<!\\)\$(?!\$)")
DATA = "data"  # the reason of these in relations.toml
NEAREST = 12  # so many displayed equations are asked for their letters


@dataclass(frozen=True)
class Relation:
    """A relation in running text: its LaTeX, its kind, the label of the equation with whose letters it holds, or why none."""

    text: str
    kind: str
    label: str = ""
    why: str = ""


def running_text(page: str | Path) -> str:
    """Return the running text of a page with its displays, without code."""
    raw = Path(page).read_text(encoding="utf8")
    if Path(page).suffix == ".ipynb":
        raw = "\n\n".join("".join(c["source"]) for c in json.loads(raw)["cells"] if c["cell_type"] == "markdown")
    return INLINE_CODE.sub(" ", without_code(raw))


def formulas(raw: str) -> list[tuple[int, str]]:
    """Return [(its place, its LaTeX)] of each formula in a running text, without the displays."""
    without = re.sub(r"\$\$.*?\$\$", lambda display: " " * len(display[0]), raw, flags=re.DOTALL)
    return [(match.start(), match[1]) for match in INLINE.finditer(without)]


def relations(page: str | Path, chapter: Chapter | None) -> list[Relation]:
    """Return the relations in the running text of a page, in their order; chapter: its proofs."""
    macros = project(Path(page).parent).macros
    raw = running_text(page)
    spots = [(raw.find(f"({x.label})"), x.label) for x in displays_in(raw, "") if x.label]
    entries = chapter.entries if chapter else {}
    held = set().union(*map(numbers_with_signs, code_of(Path(page))))
    found = []
    for place, text in formulas(raw):
        text = expand(text, macros)
        if claims(text):
            near = sorted((abs(spot - place), label) for spot, label in spots if label in entries)
            found.append(judge_relation(text, [entries[label] for _, label in near[:NEAREST]], held))
    if chapter:
        return found
    return [replace(x, kind="untried", why="the page has no proofs") if x.kind == "open" else x for x in found]


def claims(text: str) -> bool:
    """Tell whether a text is a relation; one that cannot be read is, where a sign of one stands in it."""
    try:
        return any(chain.relations and r"\in" not in chain.relations for chain in parse(text).chains)
    except ProofError:
        return bool(re.search(r"[=<>]|\\(le|ge|ne|approx)(?![a-z])", text))


def judge_relation(text: str, entries: Sequence[Entry], held: set[float]) -> Relation:
    """Return the Relation that a text is, with the letters of these entries, the nearest first; held: numbers in code."""
    try:
        chains = parse(text).chains
    except ProofError as error:
        return Relation(text, "open", why=f"is not read: {in_short(error)}")
    if all(gives_value(x, entries, held) for x in chains):
        return Relation(text, "data")
    if not any(letters_in(side) for chain in chains for side in chain.sides):
        return of_numbers(text, chains)
    if any(r"\ne" in map(SPELLINGS.get, x.relations, x.relations) for x in chains):
        return Relation(text, "condition", why="differs at random points, as nearly all does")
    return of_letters(text, entries)


def of_numbers(text: str, chains: Sequence[tree.Chain]) -> Relation:
    """Return the Relation that a sum of numbers is; where it can be computed, `slips` tells what is wrong."""
    try:
        for pair in pairs_of_numbers(chains):
            compare_numbers(*pair)
    except ProofError as error:
        return Relation(text, "open", why=f"is not computed: {in_short(error)}")
    return Relation(text, "holds")


def of_letters(text: str, entries: Sequence[Entry]) -> Relation:
    """Return the Relation that a text is with the letters of these entries of the chapter, the nearest first."""
    refusal = condition = None
    for entry in entries:
        try:
            refuse_still_rates(parse(text), entry.grounds())
            if all(decide(text, entry.layers.table(n), index_values(entry.each, n), trivial=None) for n in entry.sizes):
                entry.check_units(text)  # and its units agree
                return Relation(text, "holds", entry.label)
            condition = f"is not true for all values of the letters of {entry.label}"
        except NotDecided as error:
            return Relation(text, "stops", entry.label, error.sentence.removeprefix("is not decided: "))
        except ProofError as error:  # a letter that is not bound there, say: the next may know it
            refusal = refusal or in_short(error)
        except Exception as error:  # no refusal, but a slip in the proofs or in this program
            return Relation(text, "stops", entry.label, f"{type(error).__name__}: {error}")
    if condition:
        return Relation(text, "condition", why=condition)
    return Relation(text, "open", why=refusal or "no equation with letters stands near")


def names_number(chain: tree.Chain) -> bool:
    """Tell whether a chain is a letter, a relation and a number."""
    return letter_of(chain) is not None


def letter_of(chain: tree.Chain) -> tree.Symbol | None:
    """Return the letter of a chain that is a letter, a relation and a number; None of any other."""
    letter = chain.sides[0] if len(chain.sides) == 2 and not letters_in(chain.sides[1]) else None
    return letter if isinstance(letter, tree.Symbol) else None


def gives_value(chain: tree.Chain, entries: Sequence[Entry], held: set[float]) -> bool:
    """Tell whether a chain gives a number of the page's code, or 0 as a bound, to a letter that is free, or bound nowhere near."""
    relation = SPELLINGS.get(chain.relations[0], chain.relations[0]) if chain.relations else ""
    letter = letter_of(chain)
    if letter is None or relation in (r"\ne", r"\approx"):
        return False
    try:
        number = float(Evaluation(Bindings()).scalar(chain.sides[1], "a number"))
    except (ProofError, TypeError):
        return False
    if number and (relation != "=" or not any(math.isclose(number, x) for x in held)):
        return False
    for entry in entries:
        try:
            bound = [
                Evaluation(entry.layers.table(n), indices=indices).look(letter)
                for n in entry.sizes
                for indices in index_values(entry.each, n)
            ]
        except Exception:  # an index outside of a family, say: this one does not know the letter
            continue
        if any(x is not None for x in bound):
            return all(isinstance(x, sympy.Symbol) for x in bound)
    return True


def in_short(error: ProofError) -> str:
    """Return in a few words why a relation cannot be tried."""
    return str(error.sentence).partition(";")[0]


def unchecked_relations(page: Path, found: list[Relation]) -> list[str]:
    """Return sentences on relations in running text that stop, that are not checked and have no reason, and on reasons for none."""
    kept = noted(page, RELATION_NOTES)
    left = {x.text: x for x in found if x.kind in ("data", "condition", "open")}
    stops = [
        f"${x.text}$ in running text stops with the letters of {x.label}: {x.why}" for x in found if x.kind == "stops"
    ]
    if kept is None:
        return stops
    rest = (
        "neither holds nor has a reason in relations.toml: bind its letters, correct it, or python -m eqproof --inline"
    )
    new = [f"${x.text}$ in running text {rest} ({x.why or DATA})" for x in left.values() if not reason(x, kept)]
    return (
        stops
        + new
        + [
            f"relations.toml has a reason for ${x}$, which {page.name} has not, or which holds"
            for x in kept
            if x not in left
        ]
    )


def reason(relation: Relation, kept: dict[str, str]) -> str:
    """Return why a relation is not checked, as the author keeps it: data are data, and the word excuses nothing else."""
    why = kept.get(relation.text, "").strip()
    return why if (why == DATA) == (relation.kind == "data") else ""


def write(found: dict[Path, list[Relation]]) -> None:
    """Keep the reasons of these pages; a reason that stands there remains."""
    head = "Relations in running text that are not checked, and why, in the author's words or, new ones, in those of `python -m eqproof --inline`; see eqproof.inline."
    kept = {}
    for page, relations_of in found.items():
        before = noted(page, RELATION_NOTES) or {}
        left = {x.text: x for x in relations_of if x.kind in ("data", "condition", "open")}
        kept[page] = {text: DATA if x.kind == "data" else reason(x, before) or x.why for text, x in left.items()}
    note(RELATION_NOTES, head, kept)


def slips(page: str | Path) -> list[str]:
    """Return sentences on sums in the running text of a page that are not right to the last digit that is printed.

    And on inequalities of numbers that do not hold.
    """
    macros = project(Path(page).parent).macros
    found = []
    for _, text in formulas(running_text(page)):
        text = expand(text, macros)
        try:
            pairs = pairs_of_numbers(parse(text).chains)
        except ProofError:
            continue
        for left, right, sign in pairs:
            try:
                a, b, holds = compare_numbers(left, right, sign)
            except (
                ProofError
            ):  # (1, 0) + (0, 1) = (1, 1) is no sum; where numbers stand alone, `judge_relation` refuses it
                continue
            if not holds:
                words = "is not" + f" {sign}" * (sign not in ("=", r"\approx"))
                found.append(f"${text}$ in running text: {float(a):.6g} {words} {float(b):.6g}")
    return found


def pairs_of_numbers(chains: Iterable[tree.Chain]) -> list[tuple[tree.Node, tree.Node, str]]:
    """Return (left side, right side, relation between them) of all neighboring sides in which no letter stands."""
    pairs = [(*pair, sign) for chain in chains for pair, sign in zip(pairwise(chain.sides), chain.relations)]
    return [(a, b, SPELLINGS.get(sign, sign)) for a, b, sign in pairs if not letters_in(a) and not letters_in(b)]


def compare_numbers(left: tree.Node, right: tree.Node, sign: str) -> tuple[sympy.Expr, sympy.Expr, bool]:
    r"""Return (value, value, whether the relation holds) of two sides of numbers; raise ProofError where one is not read.

    Computed in fractions. The last number with decimals is a result, rounded to these, a half away from zero; a whole
    number is exact, unless \approx says that it is rounded.
    """
    if sign not in (*RELATIONS, r"\approx"):
        raise ProofError(f"the relation {sign} is not computed")
    a, b = (Evaluation(Bindings()).scalar(side, "a side") for side in (left, right))
    for value in (a, b):
        if not (value.is_real and value.is_finite):
            raise ProofError(f"{value} is no real number")
    if sign not in ("=", r"\approx"):
        return a, b, bool(RELATIONS[sign](sympy.simplify(a - b), 0))
    for result, other, digits in ((b, a, decimals(right)), (a, b, decimals(left))):
        if digits or (digits == 0 and sign == r"\approx"):
            rounded = sympy.sign(other) * sympy.floor(abs(other) * 10**digits + sympy.Rational(1, 2)) / 10**digits
            return a, b, bool(result == rounded)
    return a, b, bool(sympy.simplify(a - b) == 0)


def letters_in(node: tree.Node) -> bool:
    """Tell whether anything but numbers stands in a node."""
    kinds = (tree.Symbol, tree.Text, tree.Dots, tree.Call, tree.Matrix, tree.Cases, tree.Chain)
    return any(isinstance(x, kinds) and x != tree.Symbol(r"\pi") for x in tree.walk(node))


def decimals(node: tree.Node) -> int | None:
    """Return how many digits a printed number has behind its point, None for what is no printed number."""
    number = tree.printed_number(node)
    return len(number.text.partition(".")[2]) if number else None
