"""Values between two places, [F]_a^b: F at b less F at a, by the variable of an integral or by the only letter that stands there."""

from contextlib import suppress
from dataclasses import replace

from eqproof import conventions, notations, tree
from eqproof.errors import ProofError
from eqproof.parser import parse_expression


def with_evaluations(chain: tree.Chain, text: str) -> tree.Chain:
    r"""Return a chain in which [F]_a^b is F at b less F at a.

    By which variable, an integral of the chain tells; in a chain without one, the only letter that stands in F.
    """
    variables = {x.variable for x in tree.walk(chain) if isinstance(x, tree.Integral)}
    if len(variables) > 1:
        return chain

    def change(node: tree.Node) -> tree.Node:
        if isinstance(node, tree.Power) and isinstance(node.base, tree.Indexed):
            body = node.base.body
            if isinstance(body, tree.Group) and body.bracket == "[" and len(body.items) == 1:
                with suppress(ProofError):
                    low = parse_expression(" ".join(node.base.sub))
                    variable = next(iter(variables), None) or only_letter(body.items[0], low, node.exponent)
                    if variable is not None:
                        return difference(body, variable, low, node)
        return conventions.map_children(node, change)

    return conventions.map_children(chain, change)


def difference(body: tree.Group, variable: tree.Node, low: tree.Node, node: tree.Power) -> tree.Node:
    """Return the value of a body at the upper place less that at the lower one."""
    body = notations.with_round_brackets(body)
    ends = [tree.Evaluated(body, ((variable, x),), span=node.span) for x in (node.exponent, low)]
    return tree.Group("(", (tree.Add((tree.Sign("+"), tree.Sign("-")), tuple(ends), span=node.span),), span=node.span)


def only_letter(body: tree.Node, low: tree.Node, high: tree.Node) -> tree.Symbol | None:
    """Return the letter that stands alone in an expression and not at its places; None of a lone letter, which may be a matrix."""
    letters = [x for x in conventions.symbols(body) if x.base not in (r"\pi", "e")]
    plain = len(letters) == 1 and not isinstance(body, tree.Symbol) and not letters[0].style
    if not plain or letters[0].base[:1].isupper() or letters[0] in conventions.symbols(low, high):
        return None
    return replace(letters[0], span=(0, 0))
