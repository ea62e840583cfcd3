r"""What becomes of one step: proven, false with small numbers, or undecided with what must be declared.

A step that holds for numbers is proven where no usual reading speaks against it (`eqproof.operators`); one that is no identity is
false where no usual reading and nothing that is said of its letters speaks for it (`eqproof.rescues`, `eqproof.conditions`).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import sympy

from eqproof import conditions, conventions, matrix_readings, notations, operators, rescues, tree
from eqproof.bindings import Bindings
from eqproof.comparison import (
    compared,
    counterexample,
    differ_by_constant,
    free_letters,
    is_real_where,
    name_of,
    parting,
    refuse_what_is_no_letter,
    unbound,
)
from eqproof.conditions import Said
from eqproof.conventions import FAILURES
from eqproof.declarations import Declarations
from eqproof.errors import ProofError, Unreadable
from eqproof.in_digits import in_digits
from eqproof.in_fractions import in_fractions
from eqproof.operators import Order
from eqproof.statement import Statement, tried
from eqproof.verdict import Verdict
from eqproof.wordings import Words, may_be_symbol

WIDE = 30  # the most that letters are where branches of roots and logarithms matter
ASSIGNED = re.compile(r":\s*(?:\{\s*)?=|\\coloneqq|\\leftarrow")
TOO_DEEP = "is nested too deeply: name a part of it by a letter of its own"


@dataclass(frozen=True)
class Outcome:
    """What became of a step: the verdict, why, and the node where its sides part, None where it is not known."""

    verdict: str
    why: str
    parts: tree.Node | None = None


@dataclass(frozen=True)
class Context:
    """What is known of a step besides its sides: the text of its display, what is said of letters, and the order of letters.

    first: it is the first step of its chain; words: what the words next to the display tell; variable: that of an integral
    without bounds in the chain, None without one; declared: what the author says of letters.
    """

    text: str
    first: bool = True
    said: Said = field(default_factory=Said)
    order: Order = field(default_factory=Order)
    words: Words = field(default_factory=Words)
    variable: tree.Symbol | None = None
    declared: Declarations = field(default_factory=Declarations)


def judged(left: tree.Node, right: tree.Node, relation: str, at: Context) -> Outcome:
    """Return what becomes of one step; whatever fails inside leaves it undecided."""
    if relation != "=":
        return Outcome("undecided", f"only = is compared without declarations, here stands {relation}")
    try:
        notations.refuse_what_is_no_number(left, right)
        left, right = (at.declared.without_times(side) for side in (left, right))
        known = frozenset(x for x in conventions.heads(left, right) if not at.declared.speaks_of(x))
        left, right = (conventions.with_atoms(side, known) for side in (left, right))
        notations.refuse_what_varies_unseen(left, right)
        notations.refuse_indices_in_limits(left, right)
        left, right = (notations.with_brackets_as_letters(side) for side in (left, right))
        if at.declared.speaks_of(left, right):
            return as_declared(left, right, at)
        if conventions.speaks_of_matrices(left, right):
            return as_matrices(left, right, at)
        return as_numbers(left, right, at)
    except ProofError as error:
        return Outcome("undecided", error.at(at.text).sentence)
    except RecursionError:
        return Outcome("undecided", f"this {TOO_DEEP}")
    except Exception as error:  # whatever it is: neither true nor false
        return Outcome("undecided", f"{type(error).__name__}: {error}")


def as_declared(left: tree.Node, right: tree.Node, at: Context) -> Outcome:
    """Return what becomes of a step with letters of which the author says what they are; the others are real numbers."""
    declared = at.declared.copy()
    free = declared.let_be_numbers(left, right)
    claims = tree.Claims((tree.Chain((left, right), ("=",)),))
    cases = declared.cases(*conventions.symbols(left, right))
    declared.refuse_rates_of_constants(claims, cases)
    statement = Statement(at.text, claims, declared.bindings, cases)
    if len({declared.size(side, cases[0]) for side in (left, right)}) > 1:
        raise Unreadable("has another size than the side before it: declare what is a vector or a matrix", of=right)
    verdict = in_fractions(statement)
    verdict = verdict if verdict else in_digits(statement)
    how = f"{replace(verdict, tried=verdict.tried + tried(cases)).how}; as declared"
    if verdict and free:  # of these nobody has said that they are numbers
        return proven_for_numbers(left, right, free, how, at)
    if verdict:
        return Outcome("proven", how)
    if missing := declared.unexplained(left, right, cases[0], at.first):
        return Outcome("undecided", no_identity(missing, at.text))
    return contradicted(left, right, declared, verdict, at)


def contradicted(left: tree.Node, right: tree.Node, declared: Declarations, verdict: Verdict, at: Context) -> Outcome:
    """Return that a step is false as declared, or what else may be meant."""
    letters = [x for x in conventions.symbols(left, right) if x.base != r"\pi"]
    plain = {x: y for x in letters if isinstance(y := declared.look(x), sympy.Symbol)}
    numbers = counterexample(left, right, plain, at.text) if len(plain) == len(letters) else ""
    numbers = numbers or verdict.how
    if at.said.of(left, right) or at.said.equations(left, right):
        return Outcome("undecided", f"{numbers}; what the text says of its letters is not declared")
    if reason := another_equality(left, right, plain, at):
        return Outcome("undecided", f"{reason}; as declared {numbers}")
    return Outcome("false", f"as declared; {numbers}")


def as_matrices(left: tree.Node, right: tree.Node, at: Context) -> Outcome:
    """Return what becomes of a step of vectors and matrices: proven under the first usual reading of which the sizes fit."""
    letters, text = conventions.symbols(left, right), at.text
    refuse_what_is_no_letter(left, right)
    matrix_readings.refuse_what_no_entries_tell(left, right)
    refuse_operators(left, right, at.words)
    if operator := operators.acting(left, right):
        raise Unreadable("may act on what stands behind it: declare what it is", of=min(operator, key=lambda x: x.span))
    failed: set[bool] = set()
    for words, tables in conventions.tables_of_matrices(left, right):
        identity = words.endswith(conventions.IDENTITY)
        held = None if identity in failed else holds_as_matrices(left, right, tables, text)
        if held and (reason := only_as_read(left, right, text)):
            return Outcome("undecided", reason)
        if held:
            sizes = "sizes 2 and 3" if len(tables) > 1 else "size 3"
            return Outcome("proven", f"equal as fractions in {sizes}, where {words}")
        if held is False:
            failed.add(identity)
    marked = [x for x in letters if conventions.is_vector(x)] or [x for x in letters if conventions.is_capital(x)]
    raise Unreadable("needs a declaration of its size", of=(marked or letters)[0])


def only_as_read(left: tree.Node, right: tree.Node, text: str) -> str:
    """Return why a step of square matrices need not hold as it is meant: for tall ones, for plain capitals that are matrices."""
    letters = conventions.symbols(left, right)
    if matrix_readings.has_thin_capitals(left, right):
        sizes = matrix_readings.sizes_of(left, right)
        tables = [matrix_readings.table_with_plain_matrices(letters, size, len(sizes) == 1) for size in sizes]
        one, other = (matrix_readings.in_brackets(side) for side in (left, right))
        if holds_as_matrices(one, other, tables, text) is False:
            return (
                "holds where the capitals that are not bold are numbers, and not where they are matrices: declare them"
            )
    if shapes := matrix_readings.narrow(left, right):
        shaped = matrix_readings.tables_with_shapes(shapes, letters)
        if not any(holds_as_matrices(left, right, [table], text) for table in shaped):
            name = name_of(min(shapes, key=lambda x: x.base), text)
            return f"holds for square matrices, and not if {name} has more rows than columns: declare its size"
    return ""


def refuse_operators(left: tree.Node, right: tree.Node, words: Words) -> None:
    """Raise Unreadable at small letters that the words next to a display say to be operators or the like."""
    letters = conventions.symbols(left, right)
    for x in letters:
        if words.all or (x in words.named and not conventions.is_capital(x)):
            raise Unreadable("is said to be an operator or the like: declare what it is", of=x)


def holds_as_matrices(
    left: tree.Node, right: tree.Node, tables: list[dict[tree.Symbol, Any]], text: str
) -> bool | None:
    """Tell whether a step holds under tables of letters, in each size; None where sizes do not fit."""
    try:
        for table in tables:
            sides = tuple(conventions.with_identities(side, table) for side in (left, right))
            claims = tree.Claims((tree.Chain(sides, ("=",)),))
            bound = {x: value for x, value in table.items() if value is not conventions.ONE}
            verdict = in_fractions(Statement(text, claims, Bindings(bound)))
            if verdict is None:
                return None
            if not verdict:
                return False
    except FAILURES:
        return None
    return True


def as_numbers(left: tree.Node, right: tree.Node, at: Context) -> Outcome:
    """Return what becomes of a step whose letters are numbers."""
    letters = free_letters(left, right)
    usual, *others = conventions.constants(left, right)
    verdict = compared(left, right, letters | usual, at.text)
    if verdict:
        return proven_for_numbers(left, right, letters | usual, verdict.how, at)
    if imaginary := [x for x in others if conventions.complex_agree(left, right, letters | x, at.text)]:
        unit = next(x.base for x, value in imaginary[0].items() if value == sympy.I)
        how = f"30 digits agree at {conventions.COMPLEX_POINTS} random points, {unit} the root of -1"
        return proven_for_numbers(left, right, letters | imaginary[0], how, at)
    one, other = (frozenset(unbound(side, frozenset(usual))) for side in (left, right))
    if missing := unexplained(one, other, at.first or not one or not other):
        return Outcome("undecided", no_identity(missing & {left, right} or missing, at.text))
    if operator := conventions.acts(left, right) or next(iter(operators.acting(left, right)), None):
        raise Unreadable("may act on what stands behind it: declare what it is", of=operator)
    if reason := rescues.order_matters(left, right, at.order):
        return Outcome("undecided", f"holds for no numbers; but {reason}")
    return not_everywhere(left, right, letters | usual, verdict, at)


def no_identity(letters: Iterable[tree.Node], text: str) -> str:
    """Return the sentence that asks for what letters stand for."""
    names = ", ".join(sorted({name_of(x, text) for x in letters if isinstance(x, tree.Symbol)}))
    return f"this is no identity of free letters: declare what {names} stands for"


def not_everywhere(
    left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], verdict: Verdict, at: Context
) -> Outcome:
    """Return that a step is false as an identity, or that it may hold as it is meant: where what is said of its letters holds."""
    said = (*at.said.of(left, right), *at.said.equations(left, right))
    signs = conditions.with_signs(said, letters)
    if signs and compared(left, right, letters | signs, at.text):
        return Outcome("proven", "where what is said of the signs of its letters holds")
    numbers = counterexample(left, right, letters, at.text, said)
    if said and not numbers:
        where = " ".join(at.text[slice(*said[0].span)].split())
        return Outcome(
            "undecided", f"no identity, and no small whole numbers that fit what is said of its letters {where}"
        )
    numbers = numbers or verdict.how
    free = {x: value for x, value in letters.items() if isinstance(value, sympy.Symbol) and not x.dots}
    positive = {x: sympy.Symbol(value.name, positive=True) for x, value in free.items()}
    if not said and compared(left, right, letters | positive, at.text):
        return Outcome("undecided", f"holds where all letters are positive; but {numbers}: declare their signs")
    if reason := rescues.rescue(left, right, letters, at.text):
        return Outcome("undecided", f"{reason}; else {numbers}")
    if reason := another_equality(left, right, letters, at):
        return Outcome("undecided", f"{reason}; as an identity of numbers {numbers}")
    return Outcome("false", f"as an identity; {numbers}", parting(left, right, letters))


def another_equality(left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], at: Context) -> str:
    """Return why a step that is no identity may hold: another equality is meant, "" where nothing tells of one."""
    if at.words.another:
        return f"next to it stands {at.words.another!r}, perhaps of another equality than that of numbers"
    if ASSIGNED.search(at.text[left.span[1] : right.span[0]]):
        return "a colon makes the sign a definition or an assignment"
    if at.variable is not None and differ_by_constant(left, right, letters, at.variable, at.text):
        return "an integral without bounds leaves a constant open, and the sides differ by one"
    return ""


def proven_for_numbers(
    left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], how: str, at: Context
) -> Outcome:
    """Return that a step holds for numbers, or why nobody knows whether its letters are numbers."""
    ways = (operators_part, order_part, root_part, symbol_part)
    reason = next((x for x in (way(left, right, at) for way in ways) if x), "") or said_of_sets(
        left, right, letters, at
    )
    if reason:
        return Outcome("undecided", f"holds for real numbers; but {reason}")
    said = at.said.of(left, right)
    if said and conventions.with_branches(left, right) and not is_real_where(left, right, letters, at.text, said):
        where = " ".join(at.text[slice(*said[0].span)].split())
        return Outcome("undecided", f"holds where both sides are real; but no such numbers were found that fit {where}")
    if conventions.inverts_capitals(left, right):
        fits = [holds_as_matrices(left, right, x, at.text) for _, x in conventions.tables_of_matrices(left, right)]
        if False in fits and True not in fits:
            return Outcome("undecided", "holds for numbers, and not for matrices: declare what its capitals are")
    return Outcome("proven", how)


def operators_part(left: tree.Node, right: tree.Node, at: Context) -> str:
    """Return why a step need not hold where operators act on what stands behind them, "" where it does."""
    heads = operators.acting(left, right)
    norms = operators.norms(left, right)
    if not heads and not norms:
        return ""
    readings = [operators.as_letters(tree.Chain((left, right), ("=",)), heads, far).sides for far in (False, True)]
    if all(
        compared(one, other, free_letters(one, other) | conventions.constants(one, other)[0], at.text)
        for one, other in readings
    ):
        return ""
    if heads:
        names = ", ".join(sorted(name_of(x, at.text) for x in heads))
        return f"{names} may act on what stands behind it: declare what it is"
    return "bars of a norm stand in it: declare its vectors or matrices"


def order_part(left: tree.Node, right: tree.Node, at: Context) -> str:
    """Return why a step need not hold where the order of its letters matters, "" where it does."""
    if power := operators.has_indices_above(left, right):
        return f"{' '.join(at.text[slice(*power.span)].split())} may have an index above: declare what it is"
    ordered = operators.without_order(left, right, at.order)
    ordered += [x for x in conventions.symbols(left, right) if x in at.said.elsewhere and x not in ordered]
    if len(ordered) < 2:
        return ""
    letters = conventions.symbols(left, right)
    tables = [operators.table_of_order(letters, ordered, size) for size in (3, 2)]
    if holds_as_matrices(left, right, tables, at.text):
        return ""
    names = ", ".join(name_of(x, at.text) for x in ordered)
    return f"{names} may be operators or matrices, whose order matters: declare what they are"


def root_part(left: tree.Node, right: tree.Node, at: Context) -> str:
    """Return why a step with bars, roots or logarithms need not hold where i or j is the root of -1, "" where it does."""
    letters = free_letters(left, right)
    branches = {x for body in conventions.with_branches(left, right) for x in conventions.symbols(body)}
    for table in conventions.constants(left, right)[1:]:
        unit = next(x for x, value in table.items() if value == sympy.I)
        if not norms_or_bars(left, right) and unit not in branches:
            continue
        if not conventions.complex_agree(left, right, letters | table, at.text, WIDE):
            return f"{unit.base} may be the root of -1, and then it does not hold everywhere: declare it"
    return ""


def symbol_part(left: tree.Node, right: tree.Node, at: Context) -> str:
    """Return why a step need not hold where fractions in brackets are symbols of Legendre, "" where none are."""
    told = at.words.symbols and may_be_symbol(left, right)
    return "a fraction in brackets is said to be a symbol of another meaning: declare it" if told else ""


def said_of_sets(left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], at: Context) -> str:
    """Return why a step need not hold where its letters are complex or in sets of other kinds, as is said of them."""
    found = conventions.symbols(left, right)
    wide = at.said.complex & {*found}
    if wide and not conditions.agree_as_complex(left, right, letters, wide, at.text):
        return f"{', '.join(sorted(name_of(x, at.text) for x in wide))} is said to be complex: declare it"
    vectors = [x for x in found if x in at.said.elsewhere]
    if vectors and (norms_or_bars(left, right) or not polynomial(left, right)):
        return f"{name_of(vectors[0], at.text)} is said to be no number: declare what it is"
    return ""


def norms_or_bars(*sides: tree.Node) -> bool:
    """Tell whether bars stand in sides."""
    return any(isinstance(x, tree.Bars) for side in sides for x in tree.walk(side))


def polynomial(*sides: tree.Node) -> bool:
    """Tell whether sides are made of sums, products and whole powers alone."""
    kinds = (tree.Add, tree.Sign, tree.Product, tree.Power, tree.Symbol, tree.Number, tree.Group)
    return all(isinstance(x, kinds) for side in sides for x in tree.walk(side))


def unexplained(one: frozenset[tree.Node], other: frozenset[tree.Node], alone: bool) -> frozenset[tree.Node]:
    """Return the letters that must mean something else if a step that is no identity is true.

    alone: it is the first one, or one side has no letter: a law or a definition, unless both sides have the same letters.
    A rate that one side alone has is what an equation of motion tells.
    """
    if one == other:
        return frozenset()
    rates = any(isinstance(x, tree.Symbol) and (x.dots or x.style == notations.BRACKET) for x in one ^ other)
    if not alone and not rates and (one <= other or other <= one):
        return frozenset()
    return one ^ other


def both(upper: Outcome, lower: Outcome) -> Outcome:
    r"""Return what becomes of a step with \pm: it must hold for the upper signs and for the lower ones."""
    verdicts = {upper.verdict, lower.verdict}
    if len(verdicts) == 1:
        return replace(upper, why=f"for both signs: {upper.why}") if upper.verdict == "proven" else upper
    wrong = upper if upper.verdict == "false" else lower
    if verdicts == {"false", "proven"}:
        return replace(wrong, why=f"for the {'upper' if wrong is upper else 'lower'} signs; {wrong.why}")
    return upper if upper.verdict == "undecided" else lower
