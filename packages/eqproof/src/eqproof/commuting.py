r"""Whether a step that holds for numbers needs that plain capitals commute: AB = BA does, A(B + C) = AB + AC does not.

Each side is expanded as a polynomial in letters whose order is kept, {word of letters: its coefficient}, at random numbers for
all other letters. An author's capitals may be matrices, of which nothing tells: such a step is proven on the condition that
they are numbers. What one divides by, and what stands under a root or in a function, is a number.
"""

from typing import Any

import mpmath

from eqproof import conventions, tree
from eqproof.bindings import Bindings
from eqproof.conventions import FAILURES
from eqproof.errors import Unreadable
from eqproof.evaluate import Evaluation, Numbers
from eqproof.operators import ESTIMATES, denominators
from eqproof.points import DIGITS, Point

Word = tuple[Any, ...]
Polynomial = dict[Word, Any]
EULER = tree.Symbol("e")
MOST_WORDS = 2000
LARGEST_POWER = 12
NEAR = mpmath.mpf(10) ** -20  # in which coefficients differ by rounding alone
OPEN = (tree.Add, tree.Sign, tree.Product, tree.Binary, tree.Fraction, tree.Group, tree.Symbol, tree.Number)


def condition(left: tree.Node, right: tree.Node, bindings: Bindings, free: list[tree.Symbol], text: str) -> str:
    """Return "A, B are numbers" where a step that holds needs it, "" where it does not; free: letters of which nothing is said."""
    needed = must_commute(left, right, bindings, may_be_matrices(left, right, free))
    return (
        f"{', '.join(' '.join(text[slice(*x.span)].split()) or x.base for x in needed)} are numbers" if needed else ""
    )


def may_be_matrices(left: tree.Node, right: tree.Node, free: list[tree.Symbol]) -> list[tree.Symbol]:
    """Return the letters of a step that may be matrices or operators as far as they are printed: plain capitals, and hats."""
    hats = {x for x in free if {"hat", "check"} & {*x.accents}}
    if all(x.base in ESTIMATES for x in hats):
        hats = set()
    capitals = {x for x in free if conventions.is_capital(x) and not x.style and " " not in x.base}
    divided = {x for side in (left, right) for below in denominators(side) for x in conventions.symbols(below)}
    numbers = divided | {x for side in (left, right) for x in in_functions(side)}
    return [x for x in free if x in (hats | capitals) - numbers]


def in_functions(node: tree.Node) -> list[tree.Symbol]:
    """Return the letters that stand where a number must: under a root, in a function, in an exponent that is not one of e."""
    if isinstance(node, tree.Power):
        inner = exponent_of_e(node)
        if inner is not None:
            return in_functions(inner)
        whole = isinstance(node.exponent, tree.Number) and node.exponent.text.isdigit()
        return in_functions(node.base) if whole else conventions.symbols(node)
    if isinstance(node, tree.Call) and node.name == "exp":
        return in_functions(node.arguments[0])
    if isinstance(node, OPEN):
        return [x for child in tree.children(node) for x in in_functions(child)]
    return conventions.symbols(node)


def exponent_of_e(node: tree.Node) -> tree.Node | None:
    r"""Return x of e^x and \exp x, None of other nodes."""
    if isinstance(node, tree.Power) and node.base == EULER:
        return node.exponent
    return node.arguments[0] if isinstance(node, tree.Call) and node.name == "exp" else None


def must_commute(
    left: tree.Node, right: tree.Node, bindings: Bindings, ordered: list[tree.Symbol]
) -> list[tree.Symbol]:
    """Return those of some letters in whose order the sides of a step differ; none where it cannot be computed."""
    if len(ordered) < 2:
        return []
    evaluate = Evaluation(bindings, Numbers(Point(salt="order")))
    try:
        with mpmath.workdps(DIGITS):
            one, other = (Expansion(evaluate, frozenset(ordered)).of(side) for side in (left, right))
            words = [x for x in {*one, *other} if not near(one.get(x, 0), other.get(x, 0))]
    except FAILURES:
        return []
    found = {letter for word in words for letter in letters_of(word)}
    return [x for x in ordered if x in found]


def letters_of(word: Word) -> set[tree.Symbol]:
    """Return the letters in a word, also those in its exponentials."""
    found: set[tree.Symbol] = set()
    for x in word:
        found |= {x} if isinstance(x, tree.Symbol) else {y for inner, _ in x for y in letters_of(inner)}
    return found


def near(a: Any, b: Any) -> bool:
    """Tell whether two numbers differ by rounding alone."""
    return bool(abs(a - b) <= NEAR * max(1, abs(a), abs(b)))


class Expansion:
    """Expands nodes as polynomials in letters that keep their order; evaluate: what gives the numbers of all else."""

    def __init__(self, evaluate: Evaluation, ordered: frozenset[tree.Symbol]) -> None:
        self.evaluate = evaluate
        self.ordered = ordered

    def of(self, node: tree.Node) -> Polynomial:
        """Return a node as {word: coefficient}; raise Unreadable at what is no polynomial."""
        if node in self.ordered:
            return {(node,): mpmath.mpf(1)}
        if not self.ordered & {*conventions.symbols(node)}:
            return {(): mpmath.mpf(self.evaluate(node))}
        if (inner := exponent_of_e(node)) is not None:
            rows = sorted(((w, mpmath.nstr(c, 15)) for w, c in self.of(inner).items()), key=repr)
            return {(tuple(rows),): mpmath.mpf(1)}  # equal exponents, equal exponentials
        match node:
            case tree.Group(items=(item,)):
                return self.of(item)
            case tree.Add(signs=signs, terms=terms):
                return self.sum(signs, terms)
            case tree.Product(factors=factors):
                return self.product([self.of(x) for x in factors])
            case tree.Binary(operator="cdot", left=left, right=right):
                return self.product([self.of(left), self.of(right)])
            case tree.Binary(operator="slash", left=above, right=below) | tree.Fraction(above=above, below=below):
                return self.product([self.of(above), {(): 1 / mpmath.mpf(self.evaluate(below))}])
            case tree.Power(base=base, exponent=tree.Number(text=text)) if (
                text.isdigit() and int(text) <= LARGEST_POWER
            ):
                return self.product([self.of(base)] * int(text))
        raise Unreadable("is no polynomial", of=node)

    def sum(self, signs: tuple[tree.Sign, ...], terms: tuple[tree.Node, ...]) -> Polynomial:
        """Return a sum of terms with signs; the first may have none."""
        found: Polynomial = {}
        plain = (tree.Sign("+"),) * (len(terms) - len(signs))
        for sign, term in zip((*plain, *signs), terms):
            for word, value in self.of(term).items():
                found[word] = found.get(word, 0) + (-value if sign.text == "-" else value)
        return found

    def product(self, factors: list[Polynomial]) -> Polynomial:
        """Return the product of polynomials, letters in their order; raise Unreadable where it has too many words."""
        found: Polynomial = {(): mpmath.mpf(1)}
        for factor in factors:
            made: Polynomial = {}
            if len(found) * len(factor) > MOST_WORDS:
                raise Unreadable("has too many words")
            for one, a in found.items():
                for other, b in factor.items():
                    made[one + other] = made.get(one + other, 0) + a * b
            found = made
        return found
