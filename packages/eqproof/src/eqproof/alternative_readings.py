r"""What is printed and has two usual readings: \tan^{-1} x, a \ast b, \{a + b\} c, a sign above =, 2\,\mathrm{km}, a line through a term.

The usual reading is tried. What holds only under the other one, or fails where another one may be meant, stays undecided.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import sympy

from eqproof import conventions, notations, tree
from eqproof.bindings import Bindings
from eqproof.boxes import replaced, with_inside
from eqproof.comparison import compare_sides
from eqproof.evaluate import Evaluation
from eqproof.judging import judge_step
from eqproof.outcome import Context, Outcome
from eqproof.sources import Display
from eqproof.unit_values import value_of_unit

RAISED = re.compile(r"\\(sin|cos|tan)h?(?![a-zA-Z])")  # of \tan^{-1}, which is \arctan
MARKED = r"{(0)}"  # above an equals sign: what `eqproof.words_in_formulas` gives no meaning
CANCEL = re.compile(r"(?<!\\)\\[bx]?cancel(?![a-zA-Z])\s*(?=\{)")
SYSTEM = re.compile(r"\\begin\s*\{[dr]?cases\}|(?:\\left|\\[bB]igg?l?)\s*(?:\\\{|\\lbrace)\s*\\begin")
ROUNDED = sympy.Rational(1, 20)  # what a printed number may be off by where it is rounded


def judge_as_printed(left: tree.Node, right: tree.Node, relation: str, context: Context) -> Outcome:
    """Return what becomes of one step, with the doubt that a sign with two readings leaves."""
    if relation == r"\equiv":  # an identity, or a congruence, which an identity is too
        outcome = judge_step(left, right, "=", context)
        return outcome if outcome.verdict == "proven" else judge_step(left, right, relation, context)
    if relation != "=":
        return judge_step(left, right, relation, context)
    plain = without_asterisks(left), without_asterisks(right)
    outcome = judge_step(*plain, relation, context)
    if plain != (left, right) and conventions.symbols(left, right):
        outcome = in_doubt(
            outcome, r"\ast is a product of numbers", r"\ast can be a convolution: write \cdot, or say it"
        )
    outcome = with_inverses(*plain, outcome, context)
    outcome = with_round_braces(*plain, outcome, context)
    outcome = with_units(*plain, outcome, context)
    outcome = with_powers_in_brackets(*plain, outcome, context)
    outcome = with_binomials(*plain, outcome, context)
    outcome = by_linearity(*plain, outcome, context)
    if context.system and outcome.verdict == "false":
        outcome = Outcome("undecided", f"a system behind a brace may be one to be solved; else {outcome.why}")
    if MARKED in context.text[left.span[0] : right.span[0]] and outcome.verdict == "false":
        outcome = Outcome("undecided", f"what stands above the sign may say another equality; else {outcome.why}")
    return outcome


def without_asterisks(node: tree.N) -> tree.N:
    r"""Return a node with \cdot for a star between two factors."""
    if isinstance(node, tree.Binary) and node.operator == "asterisk":
        node = replace(node, operator="cdot")
    return tree.map_children(node, without_asterisks)


def in_doubt(outcome: Outcome, condition: str, otherwise: str) -> Outcome:
    """Return an outcome of one reading: proven on the condition that it is meant, and never false."""
    if outcome.verdict == "false":
        return Outcome("undecided", f"{otherwise}; else {outcome.why}")
    if outcome.verdict == "proven":
        return replace(outcome, condition=" and ".join(filter(None, [outcome.condition, condition])))
    return outcome


def with_inverses(left: tree.Node, right: tree.Node, outcome: Outcome, context: Context) -> Outcome:
    r"""Return an outcome that says that \tan^{-1} was read as \arctan; undecided where it holds as a reciprocal alone."""

    def as_reciprocal(node: tree.Node) -> tree.Node:
        found = RAISED.match(context.text, node.span[0]) if isinstance(node, tree.Call) else None
        if found and isinstance(node, tree.Call) and node.name.startswith("ar"):
            below = replace(node, name=found.group().lstrip("\\"))
            return tree.Fraction(
                tree.Number("1", span=node.span), tree.map_children(below, as_reciprocal), span=node.span
            )
        return tree.map_children(node, as_reciprocal)

    other = as_reciprocal(left), as_reciprocal(right)
    if other == (left, right):
        return outcome
    if outcome.verdict == "proven":
        return replace(outcome, why=f"{outcome.why}; ^{{-1}} of a function is read as its inverse")
    if judge_step(*other, "=", context).verdict == "proven":
        return Outcome(
            "undecided", r"^{-1} is read as the inverse function; it holds as the reciprocal: write a fraction"
        )
    return outcome


def with_round_braces(left: tree.Node, right: tree.Node, outcome: Outcome, context: Context) -> Outcome:
    r"""Return that a step holds on the condition that \bigl\{a + b\bigr\} is a bracket, where it is undecided else."""

    def change(node: tree.Node) -> tree.Node:
        if isinstance(node, tree.Group) and is_sized_brace(node, context.text):
            node = notations.with_round_brackets(node)
        return tree.map_children(node, change)

    other = change(left), change(right)
    if outcome.verdict != "undecided" or other == (left, right) or stands_in_front_of_brace(left, right):
        return outcome
    held = judge_step(*other, "=", context)
    return in_doubt(held, "braces are brackets", "") if held.verdict == "proven" else outcome


def is_sized_brace(group: tree.Group, text: str) -> bool:
    r"""Tell whether a group is an expression in braces of a size, \bigl\{ or \left\{: plain ones may be a set."""
    sized = re.compile(r"\\(?:left|[bB]ig)").match(text, group.span[0])
    expression = len(group.items) == 1 and isinstance(group.items[0], tree.Add | tree.Product | tree.Binary)
    return group.bracket == "{" and expression and sized is not None


def stands_in_front_of_brace(*sides: tree.Node) -> bool:
    """Tell whether a letter stands in front of a brace, which may be its argument."""
    products = [x for side in sides for x in tree.walk(side) if isinstance(x, tree.Product)]
    pairs = [pair for x in products for pair in pairwise(x.factors)]
    return any(isinstance(x, tree.Symbol) and isinstance(y, tree.Group) and y.bracket == "{" for x, y in pairs)


def with_powers_in_brackets(left: tree.Node, right: tree.Node, outcome: Outcome, context: Context) -> Outcome:
    r"""Return an outcome in which x^{(2)} is a letter of its own; undecided where the step holds if it is a power."""
    if outcome.verdict == "proven":
        return outcome

    def change(node: tree.Node) -> tree.Node:
        if isinstance(node, tree.Symbol) and "/" in node.sub[-4:-3] and node.sub[-2].isdigit():
            return tree.Power(replace(node, sub=node.sub[:-4]), tree.Number(node.sub[-2]), span=node.span)
        return tree.map_children(node, change)

    other = change(left), change(right)
    if other == (left, right) or judge_step(*other, "=", context).verdict != "proven":
        return outcome
    return Outcome(
        "undecided", "a number in brackets up here is read as an index; it holds as a power: write it without them"
    )


def with_binomials(left: tree.Node, right: tree.Node, outcome: Outcome, context: Context) -> Outcome:
    """Return that a step holds on the condition that a column of two is a binomial coefficient, where it is not proven else."""

    def change(node: tree.Node) -> tree.Node:
        if isinstance(node, tree.Group) and node.bracket == "(" and len(node.items) == 1:
            node = node.items[0] if isinstance(node.items[0], tree.Matrix) else node
        if isinstance(node, tree.Matrix) and [len(row) for row in node.rows] == [1, 1]:
            return tree.Call("binomial", (node.rows[0][0], node.rows[1][0]), span=node.span)
        return tree.map_children(node, change)

    other = change(left), change(right)
    if outcome.verdict == "proven" or other == (left, right):
        return outcome
    held = judge_step(*other, "=", context)
    return (
        in_doubt(held, "a column of two numbers is a binomial coefficient", "") if held.verdict == "proven" else outcome
    )


def by_linearity(left: tree.Node, right: tree.Node, outcome: Outcome, context: Context) -> Outcome:
    """Return that a step holds where integrals and derivatives of sums are sums of these, of functions of which nothing is known."""
    nodes = [x for side in (left, right) for x in tree.walk(side)]
    linear = [x for x in nodes if isinstance(x, tree.Integral | tree.Derivative)]
    held = any(isinstance(x, tree.Big | tree.Over | tree.Limit | tree.Evaluated | tree.Dots | tree.Mark) for x in nodes)
    if (
        outcome.verdict != "undecided"
        or not linear
        or held
        or any(map(conventions.is_vector, conventions.symbols(left, right)))
    ):
        return outcome
    split = with_parts(left), with_parts(right)
    if judge_step(*split, "=", context).verdict != "proven":
        return outcome
    return Outcome("proven", "integrals and derivatives of sums are sums of these, whatever their functions are")


def with_parts(node: tree.Node) -> tree.Node:
    """Return a node in which the integral or the derivative of each term of a sum is a letter of its own."""
    if not isinstance(node, tree.Integral | tree.Derivative):
        return tree.map_children(node, with_parts)
    body = node.body
    while isinstance(body, tree.Group) and len(body.items) == 1:
        body = body.items[0]
    signs = body.signs if isinstance(body, tree.Add) else (tree.Sign("+"),)
    parts = [of_factors(replace(node, body=x)) for x in (body.terms if isinstance(body, tree.Add) else (body,))]
    return tree.Group("(", (tree.Add(tuple(signs), tuple(parts), span=node.span),), span=node.span)


def of_factors(node: tree.Integral | tree.Derivative) -> tree.Node:
    """Return an integral or a derivative as a letter of its own, with the numbers in front of it."""
    factors = node.body.factors if isinstance(node.body, tree.Product) else (node.body,)
    numbers = tuple(x for x in factors if isinstance(x, tree.Number))
    rest = tuple(x for x in factors if not isinstance(x, tree.Number)) or (tree.Number("1"),)
    body = rest[0] if len(rest) == 1 else tree.Product(rest)
    while isinstance(body, tree.Group) and len(body.items) == 1:
        body = body.items[0]
    letter = tree.Symbol(f"{replace(node, body=body)!r}", notations.BRACKET, span=node.span)
    return tree.Product((*numbers, letter), span=node.span) if numbers else letter


def with_units(left: tree.Node, right: tree.Node, outcome: Outcome, context: Context) -> Outcome:
    r"""Return what becomes of a step with numbers and units alone, 3.6\,\mathrm{km/h} = 1\,\mathrm{m/s}: these are converted."""
    letters = conventions.symbols(left, right)
    bare = not all(conventions.symbols(side) for side in (left, right))  # of a number alone the unit may be understood
    if outcome.verdict == "proven" or bare or not notations.has_units(context.text):
        return outcome
    table = units_of(letters, context.text)
    if table is None:
        return outcome
    names = {letter.base for letter in letters}
    if "rad" in names and any(name.endswith("Hz") for name in names):
        return Outcome("undecided", "a cycle of 1 Hz is a turn of 2 pi rad, and 1 Hz is 1/s: write which is meant")
    if compare_sides(left, right, table, context.text):
        return Outcome("proven", "equal with its units converted")
    ratio = rounded_ratio(left, right, table, context.text)
    if ratio is None:
        return outcome
    if ratio.free_symbols:
        return Outcome("false", f"the units differ, by {sympy.sstr(ratio)}")
    if abs(ratio - 1) < ROUNDED and "." in context.text[left.span[0] : right.span[1]]:
        return Outcome("undecided", r"a number may be rounded: write \approx")
    return Outcome(
        "false", f"with its units converted, the left side is {sympy.sstr(sympy.N(ratio, 6))} times the right one"
    )


def units_of(letters: Sequence[tree.Symbol], text: str) -> dict[tree.Symbol, Any] | None:
    """Return what letters are worth that are all upright units; None where one is not."""
    table: dict[tree.Symbol, Any] = {}
    for letter in letters:
        value = value_of_unit(letter.base) if re.match(r"\s*\\(?:mathrm|text|rm)", text[slice(*letter.span)]) else None
        if value is None or letter.sub or letter.dots or letter.primes:
            return None
        table[letter] = value
    return table


def rounded_ratio(left: tree.Node, right: tree.Node, table: dict[tree.Symbol, Any], text: str) -> sympy.Expr | None:
    """Return how many times the right side the left one is; None where that cannot be told."""
    try:
        one, other = (sympy.nsimplify(Evaluation(Bindings(table))(side), rational=True) for side in (left, right))
        return sympy.powsimp(sympy.simplify(one / other))
    except (*conventions.FAILURES, ZeroDivisionError):
        return None


def is_system(display: Display) -> bool:
    """Tell whether the lines of a display are equations behind a brace, and no cases of one value."""
    return SYSTEM.search(display.found) is not None and r"\begin{cases}" not in display.text


def is_struck(text: str) -> bool:
    """Tell whether terms of a formula are struck out."""
    return CANCEL.search(text) is not None


def struck_texts(text: str) -> list[str]:
    r"""Return a formula as its struck terms stand, and as they are gone: \cancel{x} is 1 as a factor, 0 as a term.

    What cancels is equal both ways; each character keeps its place.
    """
    if not is_struck(text):
        return [text]
    kept = replaced(
        CANCEL,
        text,
        lambda latex, match, end: with_inside(latex, match.start(), end, latex[match.end() : end], match.end()),
    )

    def gone(latex: str, match: re.Match[str], end: int) -> str:
        alone = re.search(r"(?:\A|[-+=&(\[]|\\\\|\\left\s*[(\[])\s*\Z", latex[: match.start()])
        last = re.compile(r"\s*(?:\Z|[-+=&)\].,]|\\\\|\\right|\\end|\\q?quad)").match(latex, end)
        whole = re.search(r"\{\s*\Z", latex[: match.start()]) and re.compile(r"\s*\}").match(latex, end)
        raised = re.compile(r"\s*\^").match(latex, end)
        neutral = "1" if whole or raised else "0" if alone and last else ""  # a factor beside others is not there
        return with_inside(latex, match.start(), end, neutral, match.end())

    return [kept, replaced(CANCEL, text, gone)]
