r"""Usual readings under which a step that is no identity holds all the same: another base of \log, degrees, whole numbers, rounding.

Each function returns the sentence on what must be declared, "" where its reading does not help.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import mpmath
import sympy

from eqproof import algebra, conventions, notations, operators, tree
from eqproof.bindings import Bindings
from eqproof.comparison import compare_sides, unbound_letters, value_at
from eqproof.conventions import FAILURES, map_children
from eqproof.evaluate import Evaluation
from eqproof.parser import parse_expression
from eqproof.points import DIGITS

WHOLE_POINTS, POINTS = 6, 3
ANGLES = ("sin", "cos", "tan", "cot", "sec", "csc")
SPELLED = ("sin", "cos", "tan", "exp", "log", "ln", "max", "min", "det", "lim")
BASES = ("10", "2")
USUAL = (  # what letters usually stand for where several of them are met: (letter, what it is)
    ("q", "1 - p"),
    (r"\gamma", r"\frac{1}{\sqrt{1 - \beta^2}}"),
    (r"\gamma", r"\frac{1}{\sqrt{1 - v^2 / c^2}}"),
    (r"\beta", r"\frac{v}{c}"),
    ("r", r"\sqrt{x^2 + y^2}"),
    ("r", r"\sqrt{x^2 + y^2 + z^2}"),
    (r"\omega", r"2 \pi f"),
    (r"\omega", r"\sqrt{\frac{k}{m}}"),
    (r"\omega", r"\sqrt{\frac{g}{l}}"),
    ("k", r"\frac{2 \pi}{\lambda}"),
    ("c", r"\frac{1}{\sqrt{\mu_0 \epsilon_0}}"),
    ("c", r"\frac{1}{\sqrt{\mu_0 \varepsilon_0}}"),
    ("c", r"\lambda \nu"),
    ("c", r"\lambda f"),
    (r"\hbar", r"\frac{h}{2 \pi}"),
)
PROJECTIONS = ("P", "Q", "H", "M", "E", r"\Pi")


def other_reading_reason(left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], text: str) -> str:
    """Return why a step that is false as an identity may be true as it is meant, "" where no usual reading helps."""
    printed = (text[slice(*side.span)] for side in (left, right))
    if any(notations.has_units(x) for x in printed):
        return "units stand in it: declare how they are converted"
    if name := spelled_function(left, right):
        return rf"the letters {name} may be the function: write \{name}"
    for x in conventions.symbols(left, right):
        if x.style == notations.BRACKET:
            return "a bracket of one letter may be its whole part, a set or a concentration: declare what it is"
        if notations.is_of_indices(x):
            return f"{x.base} with indices stands for numbers of its own: declare what it is"
    for way in (
        other_base_reason,
        degrees_reason,
        rounding_reason,
        whole_numbers_reason,
        usual_meaning_reason,
        projections_reason,
        fitted_letters_reason,
        inserted_number_reason,
    ):
        if reason := way(left, right, letters, text):
            return reason
    return ""


def spelled_function(*sides: tree.Node) -> str:
    """Return the name of a function that letters side by side spell, t a n; "" where none do."""
    for node in (x for side in sides for x in tree.walk(side) if isinstance(x, tree.Product)):
        bases = [conventions.undecorated(x) for x in node.factors]
        word = "".join(x.base if isinstance(x, tree.Symbol) and len(x.base) == 1 else " " for x in bases)
        if name := next((x for x in SPELLED if x in word), ""):
            return name
    return ""


def replace_nodes(node: tree.Node, change: Callable[[tree.Node], tree.Node | None]) -> tree.Node:
    """Return a node in which each node is what change makes of it, where that is not None."""
    other = change(node)
    return other if other is not None else map_children(node, lambda child: replace_nodes(child, change))


def other_base_reason(left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], text: str) -> str:
    r"""Return that a step holds with \log to the base 10 or 2."""
    for base in BASES:
        if holds_changed(left, right, partial(to_base, base), letters, text):
            return rf"holds with \log to the base {base}: declare it, or write \ln"
    return ""


def to_base(base: str, node: tree.Node) -> tree.Node | None:
    r"""Return what a node is where \log is to a base: of a call of it a quotient of \ln, else None."""
    if not isinstance(node, tree.Call) or node.name != "log":
        return None
    inner = tuple(replace_nodes(x, partial(to_base, base)) for x in node.arguments)
    quotient = tree.Fraction(tree.Call("ln", inner), tree.Call("ln", (tree.Number(base),)))
    return tree.Group("(", (quotient,), span=node.span)


def degrees_reason(left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], text: str) -> str:
    """Return that a step holds with the printed angles in degrees."""
    held = holds_changed(left, right, to_degrees, letters, text)
    return r"holds with angles in degrees: write \frac{\pi}{180}" if held else ""


def to_degrees(node: tree.Node) -> tree.Node | None:
    r"""Return what a node is where printed angles are in degrees: of \sin 30 the sine of 30 \pi / 180, else None."""
    if not isinstance(node, tree.Call) or node.name not in ANGLES or conventions.symbols(node):
        return None
    turn = tree.Fraction(tree.Symbol(r"\pi"), tree.Number("180"))
    return replace(node, arguments=(tree.Product((tree.Group("(", node.arguments), turn)),))


def holds_changed(
    left: tree.Node,
    right: tree.Node,
    change: Callable[[tree.Node], tree.Node | None],
    letters: dict[tree.Symbol, Any],
    text: str,
) -> bool:
    """Tell whether a step holds where its nodes are changed, and one of them is."""
    one, other = (replace_nodes(side, change) for side in (left, right))
    if (one, other) == (left, right):
        return False
    try:
        return bool(compare_sides(one, other, letters, text))
    except FAILURES:
        return False


def rounding_reason(left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], text: str) -> str:
    """Return that the sides agree as far as their decimals are printed."""
    blurred = [rounded_numbers(left, right), rounded_numbers(right, left)]
    if not any(blurred):
        return ""
    rng = random.Random(text)
    names = [x for x, value in letters.items() if isinstance(value, sympy.Symbol)]
    try:
        with mpmath.workdps(DIGITS):
            for _ in range(POINTS if names else 1):
                given = {x: sympy.Rational(rng.randint(1, 1000), 100) for x in names}
                a, b = (value_at(side, letters, given) for side in (left, right))
                slack = max(rounding_slack(side, x, letters, given) for side, x in zip((left, right), blurred))
                if not abs(a - b) < slack:
                    return ""
    except FAILURES:
        return ""
    return "equal to the printed digits, no more is known: write \\approx"


def rounds_to(left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any]) -> str:
    """Return the printed decimal that a side is, where the other one has no letter and rounds to it; "" in all other cases."""
    number = tree.printed_number(right)
    if number is None or not is_decimal(number) or conventions.symbols(left):
        return ""
    last = sympy.Rational(1, 10 ** len(number.text.partition(".")[2]))
    try:
        with mpmath.workdps(DIGITS):
            gap = abs(value_at(left, letters, {}) - value_at(right, letters, {}))
            return number.text if gap <= mpmath.mpf(last.p) / last.q / 2 else ""
    except FAILURES:
        return ""


def rounded_numbers(side: tree.Node, other: tree.Node) -> list[tree.Node]:
    r"""Return the numbers of a side that may be rounded: its decimals, or all of it where the other side has decimals.

    Where both sides have some, those alone that have more digits than any of the other side: 10 \cdot 0.0164 for 0.8^4.
    """
    decimals = [x for x in tree.walk(side) if is_decimal(x)]
    others = any(is_decimal(x) for x in tree.walk(other))
    number = tree.printed_number(side)
    if number is None:
        longest = max((digits_of(x) for x in tree.walk(other)), default=0)
        return [x for x in decimals if not others or digits_of(x) > longest]
    return decimals or ([number] if others else [])


def is_decimal(node: tree.Node) -> bool:
    """Tell whether a node is a number with a decimal point."""
    return isinstance(node, tree.Number) and "." in node.text


def digits_of(node: tree.Node) -> int:
    """Return the number of digits behind the decimal point, 0 of what is no such number."""
    return len(node.text.partition(".")[2]) if isinstance(node, tree.Number) else 0


def rounding_slack(
    side: tree.Node, numbers: list[tree.Node], letters: dict[tree.Symbol, Any], given: dict[tree.Symbol, Any]
) -> mpmath.mpf:
    """Return by how much a side changes where its printed numbers change by one of their last digits, half of a whole one."""
    total = mpmath.mpf(0)
    exact = value_at(side, letters, given)
    for number in numbers:
        assert isinstance(number, tree.Number)
        whole, _, behind = number.text.partition(".")
        text = str(
            sympy.Rational(number.text) + (sympy.Rational(1, 10 ** len(behind)) if behind else sympy.Rational(1, 2))
        )

        total += abs(value_at(replace_nodes(side, partial(other_number, number, text)), letters, given) - exact)
    return total


def other_number(number: tree.Node, text: str, node: tree.Node) -> tree.Node | None:
    """Return another printed number in the place of one, None at all other nodes."""
    return tree.Number(text) if node == number else None


def whole_numbers_reason(left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], text: str) -> str:
    """Return that a step holds where letters that often count, such as n, are whole numbers."""
    counting = [x for x in letters if x.base in conventions.COUNTING and not x.style]
    for imaginary in (None, tree.Symbol("i"), tree.Symbol("j")):
        if imaginary is not None and imaginary not in letters:
            continue
        whole = [x for x in counting if x != imaginary]
        table = letters if imaginary is None else letters | {imaginary: sympy.I}
        if whole and agree_at_whole(left, right, table, whole, text):
            return f"holds where {', '.join(x.base for x in whole)} is a whole number: declare it"
    return ""


def agree_at_whole(
    left: tree.Node, right: tree.Node, table: dict[tree.Symbol, Any], whole: list[tree.Symbol], text: str
) -> bool:
    """Tell whether two sides agree at points where some letters are whole and the others random."""
    rng = random.Random(text)
    at = Evaluation(Bindings(table))
    try:
        a, b = (sympy.sympify(algebra.scalar(at(side))) for side in (left, right))
        for _ in range(WHOLE_POINTS):
            point = {
                value: sympy.Integer(rng.randint(1, 9)) if x in whole else sympy.Rational(rng.randint(1, 10**6), 10**5)
                for x, value in table.items()
                if isinstance(value, sympy.Symbol)
            }
            one, other = (sympy.N(x.subs(point), 30) for x in (a, b))
            if not abs(one - other) < sympy.Float("1e-20") * max(1, abs(one)):
                return False
    except FAILURES:
        return False
    return True


def usual_meaning_reason(left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], text: str) -> str:
    """Return that a step holds where a letter is what it usually is beside others, such as q = 1 - p."""
    for name, meaning in USUAL:
        node = parse_expression(meaning)
        if tree.Symbol(name) not in letters or not {*conventions.symbols(node)} - {tree.Symbol(r"\pi")} <= {*letters}:
            continue
        group = tree.Group("(", (node,))
        if holds_changed(left, right, partial(substitute_letter, {tree.Symbol(name): group}), letters, text):
            return f"holds where {name} = {meaning}: declare it"
    return ""


def substitute_letter(table: dict[tree.Symbol, tree.Node], node: tree.Node) -> tree.Node | None:
    """Return what a table tells to stand for a letter, None at all other nodes."""
    return table.get(node) if isinstance(node, tree.Symbol) else None


def projections_reason(left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], text: str) -> str:
    """Return that a step holds where capitals such as P are projections, P^2 = P, and I the identity: for 0 and for 1."""
    found = [x for x in letters if x.base in PROJECTIONS and x.style in ("", "bold")]
    others: dict[tree.Symbol, tree.Node] = {x: tree.Number("1") for x in letters if x.base == "I"}
    tables = [others | {x: tree.Number(k) for x in found} for k in ("0", "1")]
    if len(found) != 1 or not all(
        holds_changed(left, right, partial(substitute_letter, table), letters, text) for table in tables
    ):
        return ""
    return f"holds where {found[0].base} is a projection: declare it"


def numbers_put_in(left: tree.Node, right: tree.Node) -> dict[tree.Symbol, tree.Number]:
    """Return the number for each letter that makes the right side of the left one, none where it is not made so."""
    found: dict[tree.Symbol, tree.Number] = {}

    def fits(one: object, other: object) -> bool:
        if isinstance(one, tree.Symbol) and isinstance(other, tree.Number):
            return found.setdefault(one, other) == other
        if isinstance(one, tuple) and isinstance(other, tuple):
            return len(one) == len(other) and all(map(fits, one, other))
        if not isinstance(one, tree.Node) or type(one) is not type(other):
            return one == other
        names = [x for x in one.__dataclass_fields__ if x != "span"]
        return all(fits(getattr(one, x), getattr(other, x)) for x in names)

    return found if fits(left, right) else {}


def fitted_letters_reason(left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], text: str) -> str:
    """Return that numbers may have been put in for several letters, or that a form with several new letters is fitted."""
    before, behind = (unbound_letters(side, frozenset()) for side in (left, right))
    gone, come = (sorted(x.base for x in found if x in letters) for found in (before - behind, behind - before))
    new = [x for x in tree.walk(right) if isinstance(x, tree.Number) and x not in tree.walk(left)]
    if len(gone) > 1 and len(new) >= len(gone):
        return f"numbers may have been put in for {', '.join(gone)}: declare them"
    if not gone and len(come) > 1:
        return f"{', '.join(come)} may be chosen so that it holds: declare them"
    return ""


def inserted_number_reason(left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], text: str) -> str:
    """Return that a number may have been put in for a letter that the right side has no more: R I = 5 I, or a rounded factor."""
    gone = [
        x
        for x in unbound_letters(left, frozenset()) - unbound_letters(right, frozenset())
        if x in letters and x.base not in "ij"
    ]
    before, behind = ([x for x in tree.walk(side) if isinstance(x, tree.Number)] for side in (left, right))
    new = [x for x in behind if x not in before]
    if len(gone) != 1 or not new:
        return ""
    (letter,) = gone
    held = any(holds_changed(left, right, partial(substitute_letter, {letter: x}), letters, text) for x in new)
    if held or (any(map(is_decimal, new)) and is_proportional(left, right, letters, letter, text)):
        return f"a number may have been put in for {letter.base}: declare it"
    return ""


def is_proportional(
    left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], fixed: tree.Symbol, text: str
) -> bool:
    """Tell whether the quotient of two sides is the same at random points at which one letter keeps its value."""
    rng = random.Random(text)
    quotients = []
    names = [x for x, value in letters.items() if isinstance(value, sympy.Symbol)]
    kept = sympy.Rational(rng.randint(1, 1000), 100)
    try:
        with mpmath.workdps(DIGITS):
            for _ in range(POINTS):
                given = {x: kept if x == fixed else sympy.Rational(rng.randint(1, 1000), 100) for x in names}
                quotients.append(value_at(left, letters, given) / value_at(right, letters, given))
    except FAILURES:
        return False
    return bool(max(quotients) - min(quotients) < mpmath.mpf(10) ** -20)


def order_matters(left: tree.Node, right: tree.Node, order: operators.Order) -> str:
    """Return that letters of a step may be operators of which the order matters, "" where none are."""
    found = operators.without_order(left, right, order)
    if operators.has_indices_above(left, right) or len(found) > 1:
        return "the order of operators or matrices may matter: declare what they are"
    return ""
