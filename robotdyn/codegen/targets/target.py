"""What a target is:  a printer of programs, the words that its language keeps for itself, and how its code runs here."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from robotdyn.codegen.program import Program


class Kernels(NamedTuple):
    """The source of a program, and two functions of arrays that run it.

    Both take the inputs, the free parameters in one vector if there are any, and arrays for the results, which they
    fill; a scalar is an array (1,).  `many` has one more axis in front of all but the parameters.  They return False
    where shapes do not fit, and may raise TypeError or AttributeError for what is no array of floats.
    `call`, if the target has one: careful -> f(q, ..), which returns new arrays, and hands all it does not take itself
    to the function `careful`.
    """

    source: str
    one: Callable[..., Any]
    many: Callable[..., Any]
    call: Callable[[Callable[..., Any]], Callable[..., Any]] | None = None


@dataclass(frozen=True)
class Target:
    """What prints a program, and runs it: pass it to `register`, and `rd.specialize` takes its name.

    name: what `rd.specialize` calls it; printer: Program -> source, or Kernels if the code runs in this Python.
    reserved: words, or regular expressions of words, that no input may have as its name.
    missing: () -> why it cannot be used here, or None.
    files: Program -> {name: text} of the files that it is written into, or None for the source alone.
    threaded: whether the printer takes a second argument, a limit of the threads for many states.
    allowance: so many times the operations an alternative may have (a compiler keeps more of it in registers).
    """

    name: str
    printer: Callable[..., str | Kernels]
    reserved: frozenset[str] = frozenset()
    missing: Callable[[], str | None] = lambda: None
    allowance: float = 1.0
    threaded: bool = False
    files: Callable[[Program], dict[str, str]] | None = None

    def named(self, program: Program) -> Program:
        """Return the program under a name that is free; ValueError where an input has the name of a reserved word."""
        for i in program.inputs:
            if conflicting := [name for name in (i.name, *i.labels) if self.reserves(name)]:
                raise ValueError(
                    f"an input must have a name that is free in target {self.name!r}, got {conflicting[0]!r}: rename it"
                )
        return replace(program, name=f"{program.name}_") if self.reserves(program.name) else program

    def reserves(self, name: str) -> bool:
        """Tell whether a name means something else in this language."""
        return any(re.fullmatch(word, name) for word in self.reserved)
