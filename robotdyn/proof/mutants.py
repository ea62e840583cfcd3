r"""Wrong versions of an equation, one token changed in each, and whether the checker refuses them.

A version that says the same is no wrong one: \cos(q_1 - q_2) and \cos(q_2 - q_1). It is recognised by evaluation, with
every letter free: each composite value becomes an unknown function of the state, so that no law of mechanics helps.
What the book's bindings make true beyond that is a survivor, and is told.
"""

import re
from dataclasses import dataclass
from itertools import pairwise

import mpmath
import numpy as np
import sympy
from sympy.core.function import AppliedUndef

from robotdyn.proof import algebra, tree
from robotdyn.proof.bindings import Abbreviation, Bindings, Field
from robotdyn.proof.chapter import layered
from robotdyn.proof.check import AGREE, is_space, places
from robotdyn.proof.errors import ProofError
from robotdyn.proof.evaluate import Evaluation, Numbers
from robotdyn.proof.parser import parse
from robotdyn.proof.points import DIGITS, Point

# A kind of slip, where it may happen, and what then stands there.
SLIPS = [
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
SWAP = str.maketrans("csCS", "scSC")
SUBSCRIPT = re.compile(r"_(\{((?:[^{}]|\{[^{}]*\})*)\}|[0-9a-zA-Z])")


@dataclass(frozen=True)
class Mutant:
    """A wrong version: the kind of slip, the whole text, where it differs, what stood there and what stands there now."""

    kind: str
    text: str
    place: int
    before: str
    after: str


def mutants(text, letters=()):
    """Return all versions of an equation with one token changed; letters: the free indices."""
    found = {}
    for kind, (start, end), after in [*by_text(text, letters), *by_tree(text)]:
        mutant = Mutant(kind, text[:start] + after + text[end:], start, text[start:end], after)
        found.setdefault(mutant.text, mutant)
    return list(found.values())


def by_text(text, letters):
    """Yield the slips that a regular expression finds: (kind, span, what stands there then)."""
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


def others(piece, indices, whole):
    """Return what one piece of a subscript may be mistaken for."""
    if piece.isdigit():
        return ["2" if piece == "1" else "1"]
    if piece in indices:
        rest = [x for x in indices if x != piece]
        return rest or ["1"]
    return {"x": ["y"], "y": ["x"], "z": ["y"]}.get(piece, []) if len(whole.strip("{}")) > 1 else []


def by_tree(text):
    """Yield the slips that need the tree: factors, terms, signs of first terms, bounds, transposes of vectors and matrices."""
    for node in tree.walk(parse(text)):
        if isinstance(node, tree.Product):
            for factor in node.factors:
                yield "factor", factor.span, " "
        elif isinstance(node, tree.Add):
            for sign, term in zip(node.signs, node.terms):
                yield "term", (min(sign.span[0], term.span[0]), term.span[1]), "+ 0 "
            if node.signs[0].span == node.terms[0].span:
                yield "sign", (node.span[0], node.span[0]), "-"
        elif isinstance(node, tree.Chain) and node.relations and "in" not in node.relations[0]:
            for side in node.sides:
                if not isinstance(side, tree.Add):
                    yield "sign", (side.span[0], side.span[0]), "-"
        elif isinstance(node, tree.Matrix):
            for entry in [entry for row in node.rows for entry in row]:
                if not isinstance(entry, tree.Add):
                    yield "sign", (entry.span[0], entry.span[0]), "-"
        elif isinstance(node, tree.Big | tree.Integral):
            for bound, change in ((node.low, "+ 1"), (node.high, "- 1")):
                if bound is not None:
                    yield "bound", (bound.span[1], bound.span[1]), change
        elif isinstance(node, tree.Symbol) and node.style == "bold" and text[node.span[1] :].lstrip()[:1] not in "^}":
            yield "transpose", (node.span[1], node.span[1]), r"^\top "


class Free(Bindings):
    """A table in which every composite value is an unknown function of the state, as large and as symmetric as it was."""

    @classmethod
    def of(cls, bindings):
        """Return the free version of a table."""
        free = cls()
        free.merge(bindings)
        free.made = {}
        free.state = sorted({*free.rates, *free.rates.values(), *filter(None, [free.time])}, key=str)
        return free

    def find(self, symbol, at):
        """Return what a symbol is bound to, made free."""
        value = super().find(symbol, at)
        if value is None or any(isinstance(self.families.get(key), Abbreviation) for key in (symbol, bare(symbol))):
            return value
        if isinstance(value, Field):
            return Field(self.freed(value.value, symbol), value.arguments)
        return self.freed(value, symbol)

    def freed(self, value, symbol):
        """Return a value with unknown functions in the place of its composite entries."""
        if isinstance(value, np.ndarray):
            symmetric = value.shape[0] == value.shape[1] and (value == value.T).all()
            entry = lambda i, j: self.unknown(value[i, j], symbol, (*sorted((i, j)),) if symmetric else (i, j))
            return np.array([[entry(i, j) for j in range(value.shape[1])] for i in range(value.shape[0])], dtype=object)
        return self.unknown(value, symbol, ())

    def unknown(self, value, symbol, place):
        """Return the unknown function for a value; letters and numbers remain what they are."""
        plain = not isinstance(value, sympy.Basic) or value.is_number or isinstance(value, sympy.Symbol | AppliedUndef)
        if plain or value.has(AppliedUndef):
            return value
        key = (value, symbol.base, symbol.style, symbol.accents, place)
        if key not in self.made:
            self.made[key] = sympy.Function(f"unknown{len(self.made)}", real=True)(*self.state)
        return self.made[key]


def bare(symbol):
    """Return a symbol without its subscript."""
    return tree.Symbol(symbol.base)


def same_meaning(entry, text, other):
    """Tell whether two texts say the same whatever their letters stand for."""
    pairs = list(zip(parse(text).chains, parse(other).chains))
    if len(parse(text).chains) != len(parse(other).chains) or any(a.relations != b.relations for a, b in pairs):
        return False
    try:
        return all(agree(entry, n, at, *pair) for pair in pairs for n in entry.sizes for at in places(entry.each, n))
    except (ProofError, ArithmeticError, TypeError):
        return False


def agree(entry, n, at, one, other):
    """Tell whether two chains have the same differences of sides, up to a common sign, where every letter is free."""
    with mpmath.workdps(DIGITS):
        evaluation = Evaluation(Free.of(layered(entry.layers, n)), Numbers(Point(7)), at)
        for pair, changed in zip(pairwise(one.sides), pairwise(other.sides)):
            if any(is_space(side) for side in (*pair, *changed)):
                return False
            a, b = (np.array(difference(*map(evaluation, sides))).reshape(-1) for sides in (pair, changed))
            small = mpmath.mpf(10) ** -AGREE * max(1, *(abs(x) for x in a))
            if a.shape != b.shape or not any(all(abs(x - s * y) < small for x, y in zip(a, b)) for s in (1, -1)):
                return False
    return True


def difference(a, b):
    """Return a - b."""
    a, b = algebra.same_size(a, b)
    return a - b


@dataclass(frozen=True)
class Count:
    """How the mutants of an equation fared: refused as false, or as no equation at all; the same in meaning; survivors."""

    label: str
    false: int
    senseless: int
    same: int
    survivors: tuple


def survey(entry, text, limit=None, rng=None):
    """Return the Count of an equation's mutants; limit: how many are drawn by rng from all."""
    letters = {letter for n in entry.sizes for at in places(entry.each, n)[:1] for letter in at}
    drawn = mutants(text, letters)
    if limit is not None and len(drawn) > limit:
        drawn = rng.sample(drawn, limit)
    false = senseless = same = 0
    survivors = []
    for mutant in drawn:
        try:
            holds, _ = entry.proven(mutant.text)
        except ProofError:
            senseless += 1
            continue
        if not holds:
            false += 1
        elif same_meaning(entry, text, mutant.text):
            same += 1
        else:
            survivors.append(mutant)
    return Count(entry.label, false, senseless, same, tuple(survivors))
