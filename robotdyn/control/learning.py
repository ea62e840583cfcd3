"""Laws with a memory:  tau and dz/dt from (t, q, qd, z), where z is all that the law remembers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from robotdyn.maths.validate import Floats


@dataclass(frozen=True, eq=False)
class Learning:
    """A law with a state: step(t, q, qd, z) -> tau (n,), dz/dt (k,), and start (k,), the z that it begins with.

    Whoever runs it holds z: `rd.control.run` and `rd.control.continuous` return its history.
    """

    step: Callable[[float, Any, Any, Floats], tuple[Floats, Floats]]
    start: Floats
