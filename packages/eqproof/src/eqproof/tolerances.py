r"""What a tolerance hides: digits that may be others, and numbers that may be left out, where a value is known to few digits.

An equation that is compared within 3 % holds with h^2 / 2.02 as it does with h^2 / 2, and one within 10^-9 with 1 + 10^-14
in the place of 1. So no such equation prints a digit that may be another one, nor adds a number that may be left out.
"""

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

from eqproof.errors import ProofError
from eqproof.parser import parse
from eqproof.tree import Add, Integral, Node, Number, Symbol, walk

LEAST = 10  # a whole number below it changes by more than a tenth with its last digit


def refuse_hidden_changes(text: str, tolerance: float | None, holds: Callable[[str], Any]) -> None:
    """Raise ProofError at a number of an equation that holds within a tolerance with another one in its place as well."""
    for token, start, other in changes(parse(text)) if tolerance is not None else ():
        try:
            hidden = bool(holds(text[:start] + other + text[token.span[1] :]))
        except ProofError:
            continue
        if hidden:
            rest = f"may be {other.strip()} as well within the tolerance {tolerance:g}: print fewer digits, or compare more exactly"
            raise ProofError(rest, of=token)


def changes(claims: Node) -> Iterator[tuple[Node, int, str]]:
    """Yield (number or term, where it begins, what may stand there) for each last digit, and each number that is added."""
    for node in walk(claims):
        if isinstance(node, Number) and ("." in node.text or int(node.text) >= LEAST):
            value = Decimal(node.text)
            unit = Decimal(1).scaleb(int(value.as_tuple().exponent))
            yield from ((node, node.span[0], f"{value + step}") for step in (unit, -unit))
        if isinstance(node, Add) and len(node.terms) > 1:
            for sign, term in zip(node.signs, node.terms):
                if not any(isinstance(x, Symbol | Integral) for x in walk(term)):
                    yield term, min(sign.span[0], term.span[0]), "+ 0 "
