"""What a superscript or a subscript makes of the thing on which it stands: a power, a mark, a bound, a part of a name."""

from collections.abc import Callable
from dataclasses import replace

from eqproof import tree
from eqproof.intermediate import BigHead, Braces, DerivativeHead, Head, refuse

INVERSES = {x: f"arc{x}" for x in ("sin", "cos", "tan")} | {x: f"ar{x}" for x in ("sinh", "cosh", "tanh")}
MINUS_ONE = tree.Add((tree.Sign("-"),), (tree.Number("1"),))
Span = tuple[int, int]


def with_superscript(body: tree.Node, sup: tree.Node, span: Span) -> tree.Node:
    """Return a body with a superscript; raise Unreadable where that can be read in two ways."""
    if isinstance(sup, tree.Sign):
        return signed_name(body, sup, span)
    return RAISED.get(type(body), raised_value)(body, sup, span)


def signed_name(body: tree.Node, sign: tree.Sign, span: Span) -> tree.Symbol:
    """Return a symbol whose name holds a plus or a minus, as p^-, what is predicted."""
    if not isinstance(body, tree.Symbol) or body.sup:
        refuse("a sign up here belongs to the name of one symbol", sign)
    return replace(body, sup=sign.text, span=span)


def upper_bound(body: tree.Node, sup: tree.Node, span: Span) -> tree.Node:
    """Return the head of a sum, product or integral with its upper bound; a limit has none."""
    assert isinstance(body, BigHead)
    if body.kind == "lim":
        refuse("a limit takes no superscript", body)
    return replace(body, high=sup, span=span)


def power_of_function(body: tree.Node, sup: tree.Node, span: Span) -> tree.Node:
    r"""Return the head of \sin^2 x; only a positive number is a power there."""
    if isinstance(body, Head) and isinstance(sup, tree.Number) and body.power is None:
        return replace(body, power=sup, span=span)
    if isinstance(body, Head) and sup == MINUS_ONE and body.name in INVERSES and body.power is None:
        return replace(body, name=INVERSES[body.name], span=span)
    return refuse("a function takes only a positive number as its power: write a fraction or brackets", body)


def power_of_open_end(body: tree.Node, sup: tree.Node, span: Span) -> tree.Node:
    """Raise Unreadable: of a product in braces or a quotient, the superscript may stand on all or on its end."""
    return refuse("this stands on the last sign only, or on all of it: set brackets", sup)


def second_superscript(body: tree.Node, sup: tree.Node, span: Span) -> tree.Node:
    """Raise Unreadable: one superscript stands there already."""
    return refuse("two superscripts stand on one thing: set brackets", sup)


def raised_value(body: tree.Node, sup: tree.Node, span: Span) -> tree.Node:
    """Return a power, or the transpose or inverse of what has a value."""
    kind = transpose_of(sup)
    if kind and (has_bold(body) or tree.Symbol("T", "sans") in tree.walk(sup)):
        return tree.Mark(kind, body, span=span)
    if kind:
        refuse(r"^T can be read as a transpose and as a power: write ^\top, or another letter", sup)
    if isinstance(sup, tree.Group):
        refuse("a bracket up here can be read as a power and as a name: write a power without it", sup)
    if isinstance(sup, tree.Mark):
        return tree.Mark(sup.kind, body, span=span)
    return tree.Mark("inv", body, span=span) if sup == MINUS_ONE else tree.Power(body, sup, span=span)


RAISED: dict[type[tree.Node], Callable[[tree.Node, tree.Node, Span], tree.Node]] = {
    BigHead: upper_bound,
    Head: power_of_function,
    DerivativeHead: power_of_function,
    Braces: power_of_open_end,
    tree.Fraction: power_of_open_end,
    tree.Derivative: power_of_open_end,
    tree.Power: second_superscript,
    tree.Mark: second_superscript,
}  # what a superscript is on each kind of node; on all others, raised_value


def transpose_of(sup: tree.Node) -> str | None:
    """Return the mark that a superscript T or -T is, where it stands for a transpose; None of all else."""
    letter = sup.terms[0] if isinstance(sup, tree.Add) and len(sup.terms) == 1 else sup
    if letter not in (tree.Symbol("T"), tree.Symbol("T", "sans")):
        return None
    if not isinstance(sup, tree.Add):
        return "T"
    return "-T" if sup.signs[0].text == "-" else None


def has_bold(node: tree.Node) -> bool:
    """Tell whether a bold letter, or a matrix, stands in a node: a power of it to a letter T is none."""
    return any(
        isinstance(x, tree.Matrix) or (isinstance(x, tree.Symbol) and x.style == "bold") for x in tree.walk(node)
    )


def with_base(head: Head, index: tuple[str, ...], span: Span) -> Head:
    r"""Return the head of a logarithm with its base, a number or one letter, \log_2; raise Unreadable at other functions."""
    name = "".join(index)
    if head.name != "log" or head.base is not None or not (name.isdigit() or len(index) == 1):
        refuse("this function takes no subscript", head)
    return replace(
        head, base=tree.Number(name, span=span) if name.isdigit() else tree.Symbol(name, span=span), span=span
    )


def with_subscript(body: tree.Node, index: tuple[str, ...], span: Span) -> tree.Node:
    """Return a body with a subscript: a part of a name, or an entry; raise Unreadable where that can be read in two ways."""
    if isinstance(body, Head):
        return with_base(body, index, span)
    if isinstance(body, DerivativeHead):
        refuse("this function takes no subscript", body)
    if isinstance(body, Braces) or (isinstance(body, tree.Symbol) and body.sub):
        refuse("an index behind braces, which are not printed: set brackets", body)
    if isinstance(body, tree.Symbol):
        return replace(body, sub=index, span=span)
    if isinstance(body, tree.Bars) and body.kind == "norm" and index == ("2",):  # that of Euclid, of vectors alone
        return replace(body, span=span)
    if isinstance(body, tree.Mark):
        refuse("an index behind a superscript can be read in two ways: write (..^..)_.. or .._..^..", body)
    if isinstance(body, tree.Power) and isinstance(body.base, tree.Symbol) and not body.base.sub:
        return replace(body, base=replace(body.base, sub=index), span=span)
    return tree.Indexed(body, index, span=span)
