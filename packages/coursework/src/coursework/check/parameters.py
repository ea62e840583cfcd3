"""The numbers of one student, by name, and what they are drawn with: the same in every Python, also in a browser."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array

Drawn = TypeVar("Drawn", bound=tuple[Any, ...])


class Parameters:
    """The numbers of one student by name; what is `Later` is made when it is first asked for."""

    def __init__(self, **numbers: Any) -> None:
        self._later = {name: value for name, value in numbers.items() if isinstance(value, Later)}
        vars(self).update({name: value for name, value in numbers.items() if name not in self._later})

    def __getattr__(self, name: str) -> Any:  # only what is not there, or not yet, is asked of this
        later = vars(self).get("_later", {})
        if name not in later:
            raise AttributeError(f"there is no {name!r} among your numbers; they are {self}")
        value = later[name].make()  # where that fails, for want of NumPy, it is asked for again
        del later[name]
        setattr(self, name, value)
        return value

    def __repr__(self) -> str:
        shown = {name: value for name, value in vars(self).items() if name != "_later"}
        shown |= vars(self).get("_later", {})  # a copy in the making has none yet
        return f"Parameters({', '.join(f'{name}={value!r}' for name, value in shown.items())})"


@dataclass(frozen=True, repr=False)
class Later:
    """A parameter that needs NumPy, as an arm: `make` makes it, of numbers that are already drawn."""

    make: Callable[[], Any]

    def __repr__(self) -> str:
        return "<made when it is first used>"


class Draw(random.Random):
    """Random numbers that are the same in every Python, also in a browser; strings are good seeds."""

    def numbers(self, n: int, low: float, high: float) -> list[float]:
        """Return a list of n numbers between low and high."""
        return [self.uniform(low, high) for _ in range(n)]

    def vector(self, n: int, low: float, high: float) -> Array:
        """Return an array of n numbers between low and high, (n,)."""
        return np.array(self.numbers(n, low, high))

    def until(self, make: Callable[[], Drawn], fit: Callable[..., bool]) -> Drawn:
        """Return make(), drawn again until it fits: so that no typical mistake comes within 1 % of the answer."""
        while not fit(*(found := make())):
            pass
        return found

    def rounded(self, low: float, high: float, digits: int = 2) -> float:
        """Return a number between low and high with few digits, but never 1: nobody would be told that it is forgotten."""
        return self.until(lambda: (round(self.uniform(low, high), digits),), lambda number: number != 1.0)[0]

    def apart(self, *ranges: tuple[float, float], digits: int = 2) -> tuple[float, ...]:
        """Return a rounded number of each range (low, high), each two of them clearly different, as lengths of two links."""
        return self.until(lambda: tuple(self.rounded(low, high, digits) for low, high in ranges), differ)


def differ(*numbers: float, least: float = 0.05) -> bool:
    """Return whether each two numbers differ by more than `least` of the larger: else nobody sees that they are exchanged."""
    pairs = ((a, b) for k, a in enumerate(numbers) for b in numbers[:k])
    return all(abs(a - b) > least * max(abs(a), abs(b)) for a, b in pairs)


class Watched(Parameters):
    """Numbers of a student, and which of them a law has asked for."""

    def __init__(self, p: Parameters, used: set[str]) -> None:
        self._p = p
        self._used = used

    def __getattr__(self, name: str) -> Any:
        self._used.add(name)
        return getattr(self._p, name)


def with_number(p: Parameters, name: str, value: Any) -> Parameters:
    """Return the numbers of a student, one of them changed."""
    copy = Watched(p, set())
    vars(copy)[name] = value
    return copy
