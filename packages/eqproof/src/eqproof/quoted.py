"""Numbers in running text: each is the value that a cell computes, rounded to the digits that are printed."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from eqproof.errors import ProofError

ROUNDING = Decimal("1e-9")  # of a value: by so much a computation may differ from one processor to the next


def quoted(table: Mapping[str, Any]) -> None:
    """Compare numbers as a text quotes them with what is computed: {"3.1": value, "-14.715": value, "1.0e-7": value}.

    table: the number as printed, and its value; the last printed digit may be half a unit off, as rounding leaves it.
    A value in the middle between two numbers may be printed as either: its last bits are another processor's.
    Raises ProofError (a ValueError) that says which number should be printed instead.
    """
    for text, value in table.items():
        unit = Decimal(1).scaleb(int(Decimal(text).as_tuple().exponent))
        computed = Decimal(float(value))
        slack = min(ROUNDING * abs(computed), unit / 1000) if computed.is_finite() else 0
        if not (computed.is_finite() and abs(Decimal(text) - computed) <= unit / 2 + slack):
            shown = computed.quantize(unit) if computed.is_finite() else computed
            raise ProofError(f"the text says {text}, computed is {shown}")
