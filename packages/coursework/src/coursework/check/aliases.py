"""Names of types that annotations of the checks share; nothing here is computed with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy.typing as npt

    from coursework.check.diagnosis import Phrase
    from coursework.check.parameters import Parameters
    from coursework.check.plain import Values

Data: TypeAlias = dict[str, Any]  # an answer as `data` makes it, or None in its place
Shape: TypeAlias = tuple[int, ...]
Array: TypeAlias = "npt.NDArray[Any]"
At: TypeAlias = Any  # where: arguments of a call, a tuple; {symbol: number} of a formula; what is unseen
Value: TypeAlias = (
    Any  # of an answer there: a number, nested lists, an array, a dict; a student's, so it may be anything
)
Entries: TypeAlias = list[float]  # of a value, row by row
Program: TypeAlias = list[tuple[str, Any]]  # a formula, as `reading` reads it
Points: TypeAlias = "dict[str, Values]"  # random points of a formula
Law: TypeAlias = "Callable[[Parameters, At, Value], str | None]"
Tried: TypeAlias = "tuple[Parameters, At, Value]"  # what the laws are asked of: numbers, place, value
Change: TypeAlias = "Callable[[Parameters, At, Value], Tried]"  # what takes a slip back
Slip: TypeAlias = "tuple[Phrase, str, Change]"  # which mistake, a name to put into its words, the change
