r"""What a display, or the text beside it, says of its letters: (x < 0), \text{for } x > 0, z \in \mathbb C.

A step is false only at numbers at which all that is said of them holds; it is proven for all complex numbers where a letter is
said to be one. What is said of a letter and not read here leaves the step undecided.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import mpmath
import sympy

from eqproof import algebra, conventions, tree
from eqproof.bindings import Bindings
from eqproof.calculus import RELATIONS, SPELLINGS
from eqproof.conventions import FAILURES
from eqproof.errors import ProofError
from eqproof.evaluate import Evaluation, Numbers
from eqproof.parser import parse
from eqproof.points import Point

ORDERS = r"<|>|\\(?:leq?|geq?|neq?|leqslant|geqslant|lt|gt|in)(?![a-zA-Z])"
IN_BRACKETS = re.compile(
    rf"(?<![a-zA-Z\\}}])[(\[]([^()\[\]&]*?(?:{ORDERS})[^()\[\]&]*)[)\]](?=\s*[.,;]?\s*(?:\\\\|\\end\b|\Z))"
)
IN_WORDS = re.compile(
    r"[,;]?\s*\\(?:text|textrm|textit|mbox|mathrm)\s*\{[\s,;~]*"
    r"(?:for|if|when|where|with|as|since|provided|whenever|given|at|valid|holds|only|assuming|unless)\b[^{}$\\]*\}"
    r"|[,;]?\s*\\forall(?![a-zA-Z])"
)
INLINE = re.compile(rf"(?<![$\\])\$(?!\$)([^$\n]{{1,80}}?(?:=|{ORDERS})[^$\n]{{1,80}}?)\$(?!\$)")
DISPLAYED = re.compile(r"\$\$|\\\[|\\\]|\\(?:begin|end)\{")
BEFORE, BEHIND = 400, 160  # characters of the text around a display in which a condition on its letters is looked for
REAL_SETS = ("N", "Z", "Q", "R")  # in blackboard bold
DIGITS, COMPLEX_POINTS = 40, 24


@dataclass(frozen=True)
class StatedConditions:
    """What is said of letters: chains that are conditions, equations in the text, complex letters, those in sets of other kinds."""

    chains: tuple[tree.Chain, ...] = ()
    text_equations: tuple[tree.Chain, ...] = ()
    complex: frozenset[tree.Symbol] = field(default_factory=frozenset)
    elsewhere: frozenset[tree.Symbol] = field(default_factory=frozenset)

    def of(self, *sides: tree.Node) -> tuple[tree.Chain, ...]:
        """Return the conditions in which a letter of sides stands."""
        letters = {*conventions.symbols(*sides)}
        return tuple(x for x in self.chains if letters & {*conventions.symbols(x)})

    def equations(self, left: tree.Node, right: tree.Node) -> tuple[tree.Chain, ...]:
        """Return the equations in the text close by that have no letters but those of a step, and are not the step itself."""
        letters = {*conventions.symbols(left, right)}
        found = [(x, {*conventions.symbols(x)}) for x in self.text_equations]
        return tuple(x for x, own in found if own and own <= letters and not {left, right} <= {*x.sides})


def is_zero(chain: tree.Chain) -> bool:
    """Tell whether a chain says that a letter is zero, x = 0."""
    return chain.relations == ("=",) and isinstance(chain.sides[0], tree.Symbol) and chain.sides[1] == tree.Number("0")


def set_apart(text: str) -> str:
    r"""Return a formula in which (x < 0) at the end of a row, and words such as \text{for}, part a condition from the equation.

    Each character keeps its place. What stands in cases is left as it is.
    """
    if r"\begin{cases}" in text:
        return text
    text = IN_BRACKETS.sub(without_brackets, text)
    return IN_WORDS.sub(lambda match: r"\quad".ljust(len(match.group())), text)


def says_when(text: str) -> bool:
    r"""Tell whether words in a display, such as \text{only for a circle}, but not \text{for all}, say when it holds."""
    return any(not re.search(r"\b(?:all|any|every|each)\b|forall", x.group()) for x in IN_WORDS.finditer(text))


def without_brackets(match: re.Match[str]) -> str:
    r"""Return a condition in brackets without them, parted from what stands in front of it, if no \quad does so already."""
    parted = re.search(r"(\\q?quad|\\enspace|(?<!\\)[,;])(\s|~|\\[,;: ])*\Z", match.string[: match.start()])
    return f"{' ' if parted else ';'}{match[1]} "


def stated_conditions(
    claims: tree.Claims, text: str, printed: str, around: Sequence[tree.Chain] = ()
) -> StatedConditions:
    """Return what the chains of a display say of its letters; text: as it is read, printed: before it was set apart."""
    words = [match.end() for match in IN_WORDS.finditer(printed)] if text != printed else []
    found: list[tree.Chain] = []
    lone: list[tree.Chain] = []
    for chain in claims.chains:
        start = chain.span[0]
        follows = any(end <= start and r"\\" not in printed[end:start] for end in words)
        if chain.relations and ("=" not in chain.relations or follows):
            found += [*lone, chain]
        lone = [*lone, chain] if not chain.relations else []
    equations = [x for x in around if "=" in x.relations]
    listed = with_lists(found)
    return replace(
        read_memberships([*listed, *(x for x in around if x not in equations)]), text_equations=tuple(equations)
    )


def with_lists(chains: list[tree.Chain]) -> list[tree.Chain]:
    r"""Return chains in which each of x, y \in S has the set behind the last one: a lone letter gets the relation behind it."""
    made: list[tree.Chain] = []
    for chain in reversed(chains):
        if chain.relations:
            last = chain
            made.append(chain)
        else:
            made.append(tree.Chain((chain.sides[0], *last.sides[1:]), last.relations, span=chain.span))
    return made[::-1]


def read_memberships(chains: list[tree.Chain]) -> StatedConditions:
    r"""Return what chains say, their \in read: real sets, complex numbers, all others."""
    wide: set[tree.Symbol] = set()
    others: set[tree.Symbol] = set()
    for chain in chains:
        for left, relation, right in zip(chain.sides, chain.relations, chain.sides[1:]):
            if relation == r"\in" and not is_real_set(right):
                letters = {*conventions.symbols(left)}
                (wide if right == tree.Symbol("C", "mathbb") else others).update(letters)
    return StatedConditions(tuple(chains), (), frozenset(wide), frozenset(others))


def is_real_set(node: tree.Node) -> bool:
    """Tell whether a set has only real numbers: one of the usual names, an interval, a list."""
    if isinstance(node, tree.Symbol):
        return node.style == "mathbb" and node.base in REAL_SETS and set(node.sub) <= {"+", "-", "0", "*", ">"}
    return isinstance(node, tree.Group) and len(node.items) > 1


def text_beside(text: str, start: int, end: int) -> tuple[str, str]:
    """Return the text in front of a display and behind it that is looked at: up to the next display, and not far."""
    before = DISPLAYED.split(text[max(0, start - BEFORE) : start])[-1]
    return before, DISPLAYED.split(text[end : end + BEHIND])[0]


def conditions_around(text: str, start: int, end: int) -> list[tree.Chain]:
    """Return the conditions that the running text close to a display states in inline formulas."""
    before, behind = text_beside(text, start, end)
    found: list[tree.Chain] = []
    for match in [*INLINE.finditer(before), *INLINE.finditer(behind)]:
        try:
            chains = parse(match[1]).chains
        except (ProofError, RecursionError):
            continue
        found += [x for x in chains if x.relations and {*x.relations} == {"="}]
        lone = [x for x in chains if not x.relations or "=" not in x.relations]
        found += with_lists(lone) if lone and lone[-1].relations else []
    return found


def holds(chain: tree.Chain, letters: dict[tree.Symbol, Any], given: dict[tree.Symbol, Any]) -> bool | None:
    """Tell whether a condition holds where letters have given values; None where that is not computed."""
    point = Point(given={letters[x]: mpmath.mpf(value.p) / value.q for x, value in given.items()})
    for left, relation, right in zip(chain.sides, chain.relations, chain.sides[1:]):
        if relation == r"\in":
            if isinstance(right, tree.Symbol) and (is_real_set(right) or right.base == "C"):
                continue
            return None
        try:
            a, b = (mpmath.mpf(Evaluation(Bindings(letters), Numbers(point))(x)) for x in (left, right))
        except FAILURES:
            return None
        compare = RELATIONS.get(SPELLINGS.get(relation, relation))
        if compare is None or not compare(a, b):
            return None if compare is None else False
    return True


def all_hold(chains: Sequence[tree.Chain], letters: dict[tree.Symbol, Any], given: dict[tree.Symbol, Any]) -> bool:
    """Tell whether all conditions are known to hold where letters have given values."""
    return all(holds(chain, letters, given) for chain in chains)


def with_signs(chains: Sequence[tree.Chain], letters: dict[tree.Symbol, Any]) -> dict[tree.Symbol, Any]:
    """Return the letters whose sign conditions tell, each with a letter of SymPy that has this sign."""
    signs: dict[tree.Symbol, str] = {}
    for chain in chains:
        for letter, sign in signs_in(chain):
            signs[letter] = sign
    return {x: sympy.Symbol(letters[x].name, **{sign: True}) for x, sign in signs.items() if x in letters}


def signs_in(chain: tree.Chain) -> Iterator[tuple[tree.Symbol, str]]:
    """Yield (letter, the assumption of SymPy) of what a condition compares with zero or a number beyond it."""
    names = {"<": "negative", ">": "positive", r"\le": "nonpositive", r"\ge": "nonnegative"}
    turned = {"<": ">", ">": "<", r"\le": r"\ge", r"\ge": r"\le"}
    for left, relation, right in zip(chain.sides, chain.relations, chain.sides[1:]):
        relation = SPELLINGS.get(relation, relation)
        if relation not in turned:
            continue
        for letter, other, way in ((left, right, relation), (right, left, turned[relation])):
            if isinstance(letter, tree.Symbol) and other == tree.Number("0"):
                yield letter, names[way]


def agree_as_complex(
    left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], wide: frozenset[tree.Symbol], text: str
) -> bool:
    """Tell whether two sides agree in 20 digits at random points where some letters are complex."""
    table = {x: sympy.Symbol(value.name) if x in wide else value for x, value in letters.items()}
    rng = random.Random(text)
    at = Evaluation(Bindings(table))
    try:
        a, b = (sympy.sympify(algebra.scalar(at(conventions.with_bars(side)))) for side in (left, right))
        for _ in range(COMPLEX_POINTS):
            point = {x: value_for(x, rng) for x in sorted(a.free_symbols | b.free_symbols, key=str)}
            one, other = (sympy.N(x.subs(point), DIGITS) for x in (a, b))
            if not abs(one - other) < sympy.Float("1e-20") * max(1, abs(one)):
                return False
    except FAILURES:
        return False
    return True


def value_for(letter: sympy.Symbol, rng: random.Random) -> sympy.Expr:
    """Return a random number that a letter may be, a complex one where it is not said to be real."""
    real, other = (sympy.Rational(rng.randint(-(10**6), 10**6), 10**5 + 3) for _ in range(2))
    return real if letter.is_real else real + sympy.I * other
