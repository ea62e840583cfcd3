"""What becomes of a step of vectors and matrices of which nothing is said: proven where a usual reading fits, never false."""

from typing import Any

from eqproof import conventions, matrix_readings, operators, tree
from eqproof.bindings import Bindings
from eqproof.comparison import name_of, refuse_what_is_no_letter
from eqproof.conventions import FAILURES
from eqproof.errors import Unreadable
from eqproof.in_fractions import in_fractions
from eqproof.outcome import Context, Outcome
from eqproof.statement import Statement
from eqproof.wordings import WordHints


def as_matrices(left: tree.Node, right: tree.Node, context: Context) -> Outcome:
    """Return what becomes of a step of vectors and matrices: proven under the first usual reading of which the sizes fit."""
    letters = conventions.symbols(left, right)
    text = context.text
    refuse_what_is_no_letter(left, right)
    matrix_readings.refuse_what_no_entries_tell(left, right)
    refuse_operators(left, right, context.words)
    if operator := operators.operator_letters(left, right):
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
    raise Unreadable("needs a declaration of its size, 3x3 or 3-vector", of=(marked or letters)[0])


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


def refuse_operators(left: tree.Node, right: tree.Node, words: WordHints) -> None:
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
