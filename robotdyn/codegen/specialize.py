"""From an algorithm to a fast function:  trace it once for one arm, and print the program for what will run it.

An algorithm is written once, for readers; `specialize` makes the function that is called in a loop.
"""

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from robotdyn.codegen.program import Program
from robotdyn.codegen.specialized import Specialized, made_for
from robotdyn.codegen.targets import QUICKEST, TARGETS
from robotdyn.codegen.trace import Free, Inputs, check_algorithm, names_of, trace
from robotdyn.maths.namespace import other_way
from robotdyn.model.arm import Arm

JOINTS_OF_BOTH_WAYS = 16  # up to so many joints the other way that an algorithm names is traced, too


def specialize(
    algorithm: Callable[..., Any], arm: Arm | None = None, target: str = "auto", free: Free = (), inputs: Inputs = None
) -> Specialized:
    """Return a fast function for one arm: fast(q, ..), for one state (n,), or (B, n) for B of them.

    algorithm: f(arm, q, ..) of this library or written like it, f(x, ..) without an arm, or a Program.
    target: "python" (plain floats), "numpy" (columns of states), "numba" (compiled; pip install robotdyn[fast]), "auto"
    (the best that is installed), or "javascript": then the result is the text of a function.  Others may be added:
    see `robotdyn.codegen.targets`.
    free: parameters that stay free and are passed by name, fast(q, .., mass=..): mass, com, inertia, position, pitch,
    gravity, tip, with the arm's own values as defaults, or symbols of the arm.  inputs: as in `trace`.
    A state with NaN gives NaN, a division by zero infinity or NaN, in that state alone.
    Raises ValueError, TypeError or ImportError in words for what cannot be.  Chapter "computer".
    """
    if target != "auto" and target not in TARGETS:
        raise ValueError(f"target must be one of {', '.join(['auto', *TARGETS])}, got {target!r}")
    if target != "auto" and (why := TARGETS[target].missing()):
        raise ImportError(f'target "{target}" {why}')
    if not isinstance(algorithm, Program):
        check_algorithm(algorithm, arm)
    return _specialized(algorithm, arm, target, names_of(free), _hashable(inputs))


def _hashable(inputs: Inputs) -> tuple[Any, ...] | None:
    """Return inputs, names or {name: shape}, as names or pairs in a tuple."""
    if isinstance(inputs, Mapping):
        return tuple((name, tuple(s) if isinstance(s, Iterable) else s) for name, s in inputs.items())
    return (inputs,) if isinstance(inputs, str) else None if inputs is None else tuple(inputs)


@functools.lru_cache(maxsize=256)
def _specialized(algorithm: Any, arm: Any, target: str, free: tuple[str, ...], inputs: tuple[Any, ...] | None) -> Any:
    choices = [TARGETS[target]] if target != "auto" else [one for one in QUICKEST if not one.missing()]
    program = algorithm
    if not isinstance(program, Program):
        program = _shortest(algorithm, arm, free, inputs, choices[0].allowance)
    return made_for(next(one for one in choices if one is choices[-1] or program.operations < one.limit).name, program)


def _shortest(algorithm: Any, arm: Any, free: Any, inputs: Any, allowance: float) -> Program:
    """Return the program of an algorithm, or of the other way to the same result, whichever takes less."""
    if inputs is not None and any(isinstance(entry, tuple) for entry in inputs):
        inputs = dict(inputs)
    program = trace(algorithm, arm, free, inputs)
    another = other_way(algorithm)
    if another and arm.n <= JOINTS_OF_BOTH_WAYS:
        other = trace(another, arm, free, inputs)
        if other.operations < allowance * program.operations:
            return replace(other, name=program.name)
    return program
