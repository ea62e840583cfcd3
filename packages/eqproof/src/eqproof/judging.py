r"""What becomes of one step: proven, false with small numbers, or undecided with what must be declared.

A step that holds for numbers is proven where no usual reading speaks against it (`eqproof.operators`); one that is no identity is
false where no usual reading and nothing that is said of its letters speaks for it (`eqproof.rescues`, `eqproof.conditions`).
"""

import itertools
import re
from dataclasses import replace
from functools import partial
from typing import Any

import sympy

from eqproof import commuting, conditions, conventions, drawn_sizes, ellipses, notations, operators, rescues, tree
from eqproof.bindings import Bindings
from eqproof.comparison import (
    compare_sides,
    counterexample,
    differ_by_constant,
    free_letters,
    is_real_where,
    name_of,
    parting_term,
    unbound_letters,
)
from eqproof.declared_letters import Declared
from eqproof.errors import ProofError, Unreadable
from eqproof.in_digits import in_digits
from eqproof.in_fractions import in_fractions
from eqproof.in_matrices import as_matrices, holds_as_matrices
from eqproof.laws_of_motion import rates_are_bound
from eqproof.means import means_in
from eqproof.outcome import TOO_DEEP, Context, Outcome
from eqproof.ranges import with_own_indices
from eqproof.said_and_declared import holds_as_declared
from eqproof.statement import Statement, indices_in_words
from eqproof.unexplained_letters import ask_for_meaning, ask_for_numbers, unexplained_letters
from eqproof.verdict import Verdict
from eqproof.ways_on import way_on
from eqproof.wordings import may_be_symbol

WIDE = 30  # the most that letters are where branches of roots and logarithms matter
ASSIGNED = re.compile(r":\s*(?:\{\s*)?=|\\coloneqq|\\leftarrow")
ZERO = tree.Symbol("0", "bold")  # of any size


def judge_step(left: tree.Node, right: tree.Node, relation: str, context: Context) -> Outcome:
    """Return what becomes of one step; whatever fails inside leaves it undecided."""
    if relation != "=":
        return Outcome("undecided", f"only = is compared, here stands {relation}")
    try:
        left, right = (ellipses.without_dots(side, partial(are_same, text=context.text)) for side in (left, right))
        notations.refuse_what_is_no_number(left, right)
        if not context.declared.speaks_of(left, right):
            left, right = with_own_indices(left, right)
        if counted := drawn_sizes.letters_of_sizes(left, right, context.declared.counts_or_is_known):
            return drawn_sizes.judge_at_sizes(
                left,
                right,
                counted,
                context,
                partial(judge_written_out, context=replace(context, unwritten=(left, right))),
            )
        nested = drawn_sizes.shifts_indices(left, right) or drawn_sizes.counts_within(left, right)
        if nested and not context.declared.speaks_of(left, right):
            left, right = (drawn_sizes.written_out(side, {}) for side in (left, right))
        if context.declared.speaks_of(left, right):
            return as_declared(left, right, context)
        known = conventions.function_heads(left, right)
        left, right = (conventions.with_atoms(side, known) for side in (left, right))
        notations.refuse_indices_in_limits(left, right)
        left, right = (notations.with_brackets_as_letters(side) for side in (left, right))
        notations.refuse_what_varies_unseen(left, right)
        if conventions.speaks_of_matrices(left, right):
            return as_matrices(left, right, context)
        return as_numbers(left, right, context)
    except ProofError as error:
        return Outcome(
            "undecided", error.at(context.text).sentence + way_on(error, (left, right), context.declared, context.text)
        )
    except RecursionError:
        return Outcome("undecided", f"this {TOO_DEEP}")
    except Exception as error:  # whatever it is: neither true nor false
        return Outcome("undecided", f"{type(error).__name__}: {error}")


def are_same(left: tree.Node, right: tree.Node, text: str) -> bool:
    """Tell whether two terms are equal whatever their letters are."""
    try:
        return left == right or bool(compare_sides(left, right, free_letters(left, right), text))
    except conventions.FAILURES:
        return False


def judge_written_out(left: tree.Node, right: tree.Node, context: Context) -> Outcome:
    """Return what becomes of a step whose sums are written out."""
    return judge_step(left, right, "=", context)


def as_declared(left: tree.Node, right: tree.Node, context: Context) -> Outcome:
    """Return what becomes of a step with letters of which the author says what they are; the others are real numbers."""
    declared = context.declared.copy()
    declared.refuse_marked_numbers(left, right)
    left, right = declared.as_read(left, right)
    free = declared.let_be_numbers(left, right)
    cases = declared.cases(*conventions.symbols(left, right))
    left, right = with_zeros(left, right, declared, cases[0])
    claims = tree.Claims((tree.Chain((left, right), ("=",)),))
    declared.refuse_rates_of_constants(claims, cases)
    statement = Statement(context.text, claims, declared.bindings, cases)
    verdict = in_fractions(statement)
    verdict = verdict if verdict else in_digits(statement)
    if not verdict:
        return deny_as_declared(left, right, declared, verdict, context, cases[0])
    how = f"{replace(verdict, tried=verdict.tried + indices_in_words(cases)).how}; as declared"
    if (root := declared.may_be_complex(left, right)) and not are_polynomials(left, right):
        return Outcome("undecided", f"{name_of(root, context.text)} may be the root of -1: declare what it is")
    if free:  # of these nobody has said that they are numbers
        outcome = proven_for_numbers(left, right, free, how, context)
        return on_condition(outcome, left, right, declared.bindings, [*free], context)
    return Outcome("proven", how)


def with_zeros(
    left: tree.Node, right: tree.Node, declared: Declared, indices: dict[str, int]
) -> tuple[tree.Node, tree.Node]:
    """Return sides with the zero of the size that the other side has; raise Unreadable where sizes differ."""
    sizes = [declared.size(side, indices) for side in (left, right)]
    zeros = [isinstance(side, tree.Number) and side.text == "0" for side in (left, right)]
    if sizes[0] != sizes[1] and not any(zeros):
        raise Unreadable("has another size than the side before it: declare what is a vector or a matrix", of=right)
    sides = [
        replace(ZERO, span=side.span) if zero and sizes[0] != sizes[1] else side
        for side, zero in zip((left, right), zeros)
    ]
    return sides[0], sides[1]


def deny_as_declared(
    left: tree.Node, right: tree.Node, declared: Declared, verdict: Verdict, context: Context, case: dict[str, int]
) -> Outcome:
    """Return that a step is false as declared, or what else may be meant."""
    letters = [x for x in conventions.symbols(left, right) if x.base != r"\pi"]
    plain = {x: y for x in letters if isinstance(y := declared.look(x), sympy.Symbol)}
    numbers = counterexample_as_declared(left, right, plain, declared, context.text) or verdict.how
    if missing := declared.unexplained_letters(left, right, case, context.first):
        names = ", ".join(sorted({name_of(x, context.text) for x in missing}))
        return Outcome("undecided", f"no identity as declared, {numbers}; it may be a law, or tell what {names} is")
    if root := declared.may_be_complex(left, right):
        return Outcome("undecided", f"{name_of(root, context.text)} may be the root of -1; else {numbers}")
    if context.first and declared.has_matrices(left, right) and may_be_property(left, right):
        return Outcome("undecided", f"it may be said of its matrices; as declared {numbers}")
    said = (*context.said.of(left, right), *context.said.equations(left, right))
    if not all(holds_as_declared(x, context.declared, context.text) for x in said):
        return Outcome("undecided", f"{numbers}; what the text says of its letters is not declared")
    if reason := another_equality(left, right, plain, context):
        return Outcome("undecided", f"{reason}; as declared {numbers}")
    return Outcome("false", f"as declared; {numbers}")


def counterexample_as_declared(
    left: tree.Node, right: tree.Node, plain: dict[tree.Symbol, Any], declared: Declared, text: str
) -> str:
    """Return numbers that deny a step, "" where a letter is no plain one, or a rate follows from others."""
    letters = {x for x in conventions.symbols(left, right) if x.base != r"\pi"}
    if letters != {*plain} or rates_are_bound(declared, left, right):
        return ""
    return counterexample(left, right, plain, text)


def may_be_property(left: tree.Node, right: tree.Node) -> bool:
    """Tell whether a step says that letters commute, or that one is its own square: what is true of some matrices."""
    factors = [x.factors if isinstance(x, tree.Product) else (x,) for x in (left, right)]
    if all(isinstance(x, tree.Symbol | tree.Mark) for side in factors for x in side):
        return len(factors[0]) > 1 and sorted(map(repr, factors[0])) == sorted(map(repr, factors[1]))
    return any(isinstance(x, tree.Power) and x.base == y for x, y in ((left, right), (right, left)))


def as_numbers(left: tree.Node, right: tree.Node, context: Context) -> Outcome:
    """Return what becomes of a step whose letters are numbers."""
    letters = free_letters(left, right)
    usual, *others = conventions.constants(left, right)
    verdict = compare_sides(left, right, letters | usual, context.text)
    if verdict:
        table = letters | usual
        outcome = proven_for_numbers(left, right, table, verdict.how, context)
        return on_condition(outcome, left, right, Bindings(table), [*letters], context)
    if imaginary := [x for x in others if conventions.complex_agree(left, right, letters | x, context.text)]:
        unit = next(x.base for x, value in imaginary[0].items() if value == sympy.I)
        how = f"30 digits agree at {conventions.COMPLEX_POINTS} random points, {unit} the root of -1"
        return proven_for_numbers(left, right, letters | imaginary[0], how, context)
    if means := with_means(left, right, letters | usual, context):
        return means
    one = frozenset(unbound_letters(left, frozenset(usual)))
    other = frozenset(unbound_letters(right, frozenset(usual)))
    if missing := unexplained_letters(one, other, context.first or not one or not other):
        asked = ask_for_numbers(left, right, context.text) or ask_for_meaning(
            missing & {left, right} or missing, context.text
        )
        return Outcome("undecided", asked)
    if operator := conventions.first_operator(left, right) or next(iter(operators.operator_letters(left, right)), None):
        raise Unreadable("may act on what stands behind it: declare what it is", of=operator)
    if reason := rescues.order_matters(left, right, context.order):
        return Outcome("undecided", f"holds for no numbers; but {reason}")
    return deny_identity(left, right, letters | usual, verdict, context)


def with_means(left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], context: Context) -> Outcome | None:
    """Return that a step holds on the condition that bars are means, None where it does not hold then."""
    bars = means_in(letters, context.unwritten, context.text)
    if not bars:
        return None
    put_in = partial(rescues.substitute_letter, {bar: mean.value for bar, mean in bars.items()})
    left, right = (rescues.replace_nodes(side, put_in) for side in (left, right))
    held = compare_sides(left, right, letters, context.text)
    if not held:
        return None
    outcome = proven_for_numbers(left, right, letters, held.how, context)
    outcome = on_condition(outcome, left, right, Bindings(letters), [*free_letters(left, right)], context)
    if outcome.verdict != "proven":
        return outcome
    means = [f"{name_of(bar, context.text)} is the mean of {mean.members}" for bar, mean in bars.items()]
    return replace(outcome, condition=" and ".join(filter(None, [*means, outcome.condition])))


def deny_identity(
    left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], verdict: Verdict, context: Context
) -> Outcome:
    """Return that a step is false as an identity, or that it may hold as it is meant: where what is said of its letters holds."""
    said = (*context.said.of(left, right), *context.said.equations(left, right))
    signs = conditions.with_signs(said, letters)
    if signs and compare_sides(left, right, letters | signs, context.text):
        return Outcome("proven", "where what is said of the signs of its letters holds")
    numbers = counterexample(left, right, letters, context.text, said)
    if said and not numbers:
        where = " ".join(context.text[slice(*said[0].span)].split())
        return Outcome(
            "undecided", f"no identity, and no small whole numbers that fit what is said of its letters {where}"
        )
    numbers = numbers or verdict.how
    free = {x: value for x, value in letters.items() if isinstance(value, sympy.Symbol) and not x.dots}
    positive = {x: sympy.Symbol(value.name, positive=True) for x, value in free.items()}
    if compare_sides(left, right, letters | positive | signs, context.text):
        return Outcome("undecided", f"holds where all letters are positive; but {numbers}: declare their signs")
    if (digits := rescues.rounds_to(left, right, letters)) and not notations.has_units(context.text):
        return Outcome("proven", "equal to the last printed digit", condition=f"{digits} is rounded")
    if reason := rescues.other_reading_reason(left, right, letters, context.text):
        return Outcome("undecided", f"{reason}; else {numbers}")
    if reason := another_equality(left, right, letters, context):
        return Outcome("undecided", f"{reason}; as an identity of numbers {numbers}")
    return Outcome("false", f"as an identity; {numbers}", parting_term(left, right, letters))


def another_equality(left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], context: Context) -> str:
    """Return why a step that is no identity may hold: another equality is meant, "" where nothing tells of one."""
    if context.words.another:
        return f"next to it stands {context.words.another!r}, perhaps of another equality than that of numbers"
    if ASSIGNED.search(context.text[left.span[1] : right.span[0]]):
        return "a colon makes the sign a definition or an assignment"
    if context.variable is not None and differ_by_constant(left, right, letters, context.variable, context.text):
        return "an integral without bounds leaves a constant open, and the sides differ by one"
    return ""


def proven_for_numbers(
    left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], how: str, context: Context
) -> Outcome:
    """Return that a step holds for numbers, or why nobody knows whether its letters are numbers."""
    ways = (operators_part, order_part, root_part, symbol_part, zero_part)
    reason = next((x for x in (way(left, right, context) for way in ways) if x), "") or said_of_sets(
        left, right, letters, context
    )
    if reason:
        return Outcome("undecided", f"holds for real numbers; but {reason}")
    said = context.said.of(left, right)
    if (
        said
        and conventions.multivalued_bodies(left, right)
        and not is_real_where(left, right, letters, context.text, said)
    ):
        where = " ".join(context.text[slice(*said[0].span)].split())
        return Outcome("undecided", f"holds where both sides are real; but no such numbers were found that fit {where}")
    if conventions.inverts_capitals(left, right):
        fits = [holds_as_matrices(left, right, x, context.text) for _, x in conventions.tables_of_matrices(left, right)]
        if False in fits and True not in fits:
            return Outcome("undecided", "holds for numbers, and not for matrices: declare what its capitals are")
    return Outcome("proven", how)


def on_condition(
    outcome: Outcome, left: tree.Node, right: tree.Node, bindings: Bindings, free: list[tree.Symbol], context: Context
) -> Outcome:
    """Return an outcome with the condition that letters are numbers, where it is proven and needs that they commute."""
    if outcome.verdict != "proven":
        return outcome
    return replace(outcome, condition=commuting.condition(left, right, bindings, free, context.text))


def operators_part(left: tree.Node, right: tree.Node, context: Context) -> str:
    """Return why a step need not hold where operators act on what stands behind them, "" where it does."""
    heads = operators.operator_letters(left, right)
    norms = operators.norms(left, right)
    if not heads and not norms:
        return ""
    readings = [operators.as_letters(tree.Chain((left, right), ("=",)), heads, far).sides for far in (False, True)]
    if all(
        compare_sides(one, other, free_letters(one, other) | conventions.constants(one, other)[0], context.text)
        for one, other in readings
    ):
        return ""
    if heads:
        names = ", ".join(sorted(name_of(x, context.text) for x in heads))
        return f"{names} may act on what stands behind it: declare what it is"
    return "bars of a norm stand in it: declare its vectors or matrices"


def order_part(left: tree.Node, right: tree.Node, context: Context) -> str:
    """Return why a step need not hold where the order of its letters matters, "" where it does."""
    if power := operators.has_indices_above(left, right):
        return f"{' '.join(context.text[slice(*power.span)].split())} may have an index above: declare what it is"
    ordered = operators.without_order(left, right, context.order)
    ordered += [x for x in conventions.symbols(left, right) if x in context.said.elsewhere and x not in ordered]
    if len(ordered) < 2:
        return ""
    letters = conventions.symbols(left, right)
    tables = [operators.table_of_order(letters, ordered, size) for size in (3, 2)]
    if holds_as_matrices(left, right, tables, context.text):
        return ""
    names = ", ".join(name_of(x, context.text) for x in ordered)
    return f"{names} may be operators or matrices, whose order matters: declare what they are"


def root_part(left: tree.Node, right: tree.Node, context: Context) -> str:
    """Return why a step with bars, roots or logarithms need not hold where i or j is the root of -1, "" where it does."""
    letters = free_letters(left, right)
    branches = {x for body in conventions.multivalued_bodies(left, right) for x in conventions.symbols(body)}
    for table in conventions.constants(left, right)[1:]:
        unit = next(x for x, value in table.items() if value == sympy.I)
        if not has_bars(left, right) and unit not in branches:
            continue
        if not conventions.complex_agree(left, right, letters | table, context.text, WIDE):
            return f"{unit.base} may be the root of -1, and then it does not hold everywhere: declare it"
    return ""


def symbol_part(left: tree.Node, right: tree.Node, context: Context) -> str:
    """Return why a step need not hold where fractions in brackets are symbols of Legendre, "" where none are."""
    legendre = context.words.symbols and may_be_symbol(left, right)
    return "a fraction in brackets is said to be a symbol of another meaning: declare it" if legendre else ""


def zero_part(left: tree.Node, right: tree.Node, context: Context) -> str:
    """Return why a step need not hold where the text says of a letter what makes a denominator zero, "" where none is."""
    for below in [*operators.denominators(left), *operators.denominators(right)]:
        for chain in context.said.text_equations:
            for letter, value in (*itertools.pairwise(chain.sides), *itertools.pairwise(chain.sides[::-1])):
                if letter not in conventions.symbols(below) or not isinstance(letter, tree.Symbol):
                    continue
                table: dict[tree.Symbol, tree.Node] = {letter: tree.Group("(", (value,))}
                zero = rescues.replace_nodes(below, partial(rescues.substitute_letter, table))
                if is_zero(zero, context.text):
                    return f"it divides by zero where {name_of(letter, context.text)} is what the text says"
    return ""


def is_zero(node: tree.Node, text: str) -> bool:
    """Tell whether a node is zero whatever its letters are."""
    try:
        return bool(compare_sides(node, tree.Number("0"), free_letters(node), text))
    except conventions.FAILURES:
        return False


def said_of_sets(left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], context: Context) -> str:
    """Return why a step need not hold where its letters are complex or in sets of other kinds, as is said of them."""
    found = conventions.symbols(left, right)
    wide = context.said.complex & {*found}
    if wide and not conditions.agree_as_complex(left, right, letters, wide, context.text):
        return f"{', '.join(sorted(name_of(x, context.text) for x in wide))} is said to be complex: declare it"
    vectors = [x for x in found if x in context.said.elsewhere]
    if vectors and (has_bars(left, right) or not are_polynomials(left, right)):
        return f"{name_of(vectors[0], context.text)} is said to be no number: declare what it is"
    return ""


def has_bars(*sides: tree.Node) -> bool:
    """Tell whether bars stand in sides."""
    return any(isinstance(x, tree.Bars) for side in sides for x in tree.walk(side))


def are_polynomials(*sides: tree.Node) -> bool:
    """Tell whether sides are made of sums, products and whole powers alone."""
    kinds = (tree.Add, tree.Sign, tree.Product, tree.Power, tree.Symbol, tree.Number, tree.Group)
    return all(isinstance(x, kinds) for side in sides for x in tree.walk(side))
