r"""What two careful readers could read in two ways, in a row of factors: each is refused with the way out."""

from collections.abc import Callable, Sequence

from eqproof import tree
from eqproof.intermediate import Head, Operator, is_undecorated_symbol, refuse

ONE_FACTOR = ("det", "tr", "diag", "rank", "sign", "exp")  # these never swallow a second letter
TIME = tree.Symbol("t")


def may_end_argument(item: tree.Node) -> bool:
    r"""Tell whether an item behind a function and a letter can be a part of its argument: \cos\omega t^2, \sin x \frac{1}{2}."""
    return isinstance(item, tree.Fraction | tree.Root) or (
        isinstance(item, tree.Power) and is_undecorated_symbol(item.base)
    )


def ends_raised_or_lowered(item: tree.Node) -> bool:
    r"""Tell whether an item ends in a number or an index above or below the line, as x^1 in x^12 does."""
    return (isinstance(item, tree.Power) and isinstance(item.exponent, tree.Number)) or (
        isinstance(item, tree.Symbol | tree.Indexed) and bool(item.sub)
    )


def is_numeric_fraction(item: tree.Node) -> bool:
    """Tell whether an item is a fraction of two numbers."""
    return isinstance(item, tree.Fraction) and all(isinstance(x, tree.Number) for x in (item.above, item.below))


def is_number(item: tree.Node) -> bool:
    """Tell whether an item is a printed number."""
    return isinstance(item, tree.Number)


def is_derivative(item: tree.Node) -> bool:
    """Tell whether an item is a derivative."""
    return isinstance(item, tree.Derivative)


def is_group(item: tree.Node) -> bool:
    """Tell whether an item stands in brackets."""
    return isinstance(item, tree.Group)


def is_symbol_without_index(item: tree.Node) -> bool:
    """Tell whether an item is a letter with no subscript."""
    return isinstance(item, tree.Symbol) and not item.sub


AMBIGUOUS_NEIGHBORS: tuple[tuple[Callable[[tree.Node], bool], Callable[[tree.Node], bool], str], ...] = (
    # what stands in front, what stands behind it, and the two ways in which a reader can take them
    (
        is_derivative,
        is_group,
        "brackets behind a derivative can be its place or a factor: write the factor in front",
    ),
    (is_number, is_number, "two numbers stand side by side: write \\cdot between them"),
    (
        is_symbol_without_index,
        is_number,
        "a number behind a letter can be its index and a factor: write it in front, or _{..}",
    ),
    (
        ends_raised_or_lowered,
        is_number,
        "a number behind an index or a power can belong to it: write ^{..} or _{..}, or it in front",
    ),
    (
        is_number,
        is_numeric_fraction,
        "a number and a fraction can be their sum and their product: write one fraction, or \\cdot",
    ),
)


def refuse_ambiguous_neighbors(before: tree.Node, item: tree.Node) -> None:
    """Raise Unreadable at a factor that can belong to the one before it."""
    for is_before, is_item, sentence in AMBIGUOUS_NEIGHBORS:
        if is_before(before) and is_item(item):
            refuse(sentence, item)


def refuse_ambiguous_operators(signs: list[Operator]) -> None:
    r"""Raise Unreadable at both \cdot and \times in one row, and at a sign behind a slash."""
    if len({sign.text for sign in signs if sign.text != "slash"}) > 1:
        refuse("a row with both \\cdot and \\times can be read in two ways: add brackets", signs[0])
    if len(signs) > 1 and any(sign.text == "slash" for sign in signs[:-1]):
        refuse("what the slash divides by can be read in two ways: write \\frac or brackets", signs[-1])


def function_without_argument(row: Sequence[tree.Node]) -> bool:
    """Tell whether a row ends in a function whose argument has no bracket."""
    heads = [i for i, item in enumerate(row) if isinstance(item, Head)]
    return bool(heads) and not isinstance(row[heads[-1] + 1], tree.Group)


def refuse_ambiguous_slash(before: list[tree.Node], row: list[tree.Node], sign: Operator) -> None:
    """Raise Unreadable at a slash of which a reader cannot tell what it divides, or by what."""
    if function_without_argument(before):
        refuse("a function of a quotient, or its quotient: write \\frac or brackets", sign)
    last = before[-1]
    if isinstance(last, tree.Power) and last.exponent == tree.Number("1"):
        refuse("x^1/2 can be a root and a half: write x^{1/2} or x / 2", last)
    if len(row) > 1 and not isinstance(row[0], Head):
        refuse("what the slash divides by can be read in two ways: write \\frac or brackets", row[1])


def refuse_ambiguous_argument(head: Head, taken: Sequence[tree.Node], behind: tree.Node | None) -> None:
    """Raise Unreadable where the argument of a function could be more, or less, than the items that were taken."""
    name = head.name
    first = taken[0]
    last = taken[-1]
    in_two_ways = f"what {name} acts on can be read in two ways: set brackets around it"
    if behind is not None and may_be_a_factor_of_argument(first, last, behind):
        refuse(in_two_ways, behind)
    two_letters = len(taken) > 1 and is_undecorated_symbol(taken[-2]) and last != TIME
    if two_letters or (behind is not None and name in ONE_FACTOR):
        refuse(in_two_ways, last)
    if isinstance(first, tree.Power) and name != "det":
        refuse(f"{name} x^.. can be the power of x and of {name} x: write {name}^2 x, or {name}(x^2)", first)
    if behind is not None and is_undecorated_symbol(last) and may_end_argument(behind):
        refuse(in_two_ways, behind)
    if behind is not None and is_number(last):
        refuse(f"{name} of a number, or of a product with it: set brackets around what it acts on", behind)


def may_be_a_factor_of_argument(first: tree.Node, last: tree.Node, behind: tree.Node) -> bool:
    """Tell whether an item behind an argument can belong to it: any behind a quotient or a bracket, a bracket behind letters."""
    if isinstance(first, tree.Fraction | tree.Group) and not isinstance(behind, Head):
        return True
    return is_group(behind) and not is_number(last)
