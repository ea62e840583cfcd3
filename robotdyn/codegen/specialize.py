"""From an algorithm to a fast function:  trace it once for one arm, and print the program for what will run it.

An algorithm is written once, for readers; `specialize` makes the function that is called in a loop.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from robotdyn.codegen.program import Program
from robotdyn.codegen.specialized import Specialized, build_for_target
from robotdyn.codegen.targets import TARGETS
from robotdyn.codegen.trace import Free, Inputs, check_algorithm, free_names, trace
from robotdyn.maths.namespace import alternatives_of
from robotdyn.model.arm import Arm

MAX_JOINTS_OF_ALTERNATIVES = 16  # up to so many joints on a branch the alternatives of an algorithm are traced, too


def specialize(
    algorithm: Callable[..., Any],
    arm: Arm | None = None,
    target: str = "numpy",
    free: Free = (),
    inputs: Inputs = None,
    threads: int | None = None,
) -> Specialized:
    """Return a fast function for one arm: fast(q, ..), for one state (n,), or (B, n) for B of them.

    algorithm: f(arm, q, ..) of this library or written like it, f(x, ..) without an arm, or a Program.
    target: "numpy" (plain floats for a few states, columns for many); "llvm" (pip install robotdyn[fast]), machine code
    of this processor, compiled in hundredths of a second for two joints and tenths for seven: it takes about a tenth of
    the time, and many states run on every core; "python" (plain floats alone); or "javascript", "c" and "c-float":
    then the result is the source of a function, `write(folder)` its files.  Others may be added: see `robotdyn.codegen.targets`.
    free: parameters that stay free and are passed by name, fast(q, .., mass=..): mass, com, inertia, position, pitch,
    motor_inertia, gravity, tip, with the arm's own values as defaults, or symbols of the arm.
    inputs: as in `trace`.
    threads: for many states at most so many, of target "llvm"; None: as many as OMP_NUM_THREADS says, or as there are
    cores, where the states are worth it.
    A state with NaN gives NaN, a division by zero infinity or NaN, in that state alone.
    Raises ValueError, TypeError or ImportError for what cannot be.  Chapter "computer".
    """
    if target == "numba":
        warnings.warn('target "numba" is called "llvm" now, and needs no Numba', DeprecationWarning, stacklevel=2)
        target = "llvm"
    if not isinstance(target, str) or target not in TARGETS:
        raise ValueError(f"target must be one of {', '.join(TARGETS)}, got {target!r}")
    if why := TARGETS[target].missing():
        raise ImportError(f'target "{target}" {why}')
    if threads is not None:
        if not TARGETS[target].threaded:
            raise ValueError(f'threads must be None for target "{target}", which takes none, got {threads!r}')
        if not isinstance(threads, (int, np.integer)) or isinstance(threads, bool) or threads < 1:
            raise ValueError(f"threads must be a whole number >= 1, or None, got {threads!r}")
    if not isinstance(algorithm, Program):
        check_algorithm(algorithm, arm)
    labels = None if arm is None else arm.labels
    return _specialized(algorithm, arm, target, free_names(free), _hashable(inputs), threads, labels)


def _hashable(inputs: Inputs) -> tuple[Any, ...] | None:
    """Return inputs, names or {name: shape}, as names or pairs in a tuple."""
    if isinstance(inputs, Mapping):
        return tuple((name, tuple(s) if isinstance(s, Iterable) else s) for name, s in inputs.items())
    return (inputs,) if isinstance(inputs, str) else None if inputs is None else tuple(inputs)


@functools.lru_cache(maxsize=256)
def _specialized(
    algorithm: Any,
    arm: Any,
    target: str,
    free: tuple[str, ...],
    inputs: tuple[Any, ...] | None,
    threads: int | None,
    labels: Any,
) -> Any:
    """Return the function; labels: the names of the arm, which tell equal arms apart for an algorithm that asks them."""
    if isinstance(algorithm, Program):
        return build_for_target(target, algorithm, threads)
    return build_for_target(target, _shortest(algorithm, arm, free, inputs, TARGETS[target].allowance), threads)


def _shortest(algorithm: Any, arm: Any, free: Any, inputs: Any, allowance: float) -> Program:
    """Return the program of an algorithm, or of an alternative with the same result, whichever takes fewest operations."""
    if inputs is not None and any(isinstance(entry, tuple) for entry in inputs):
        inputs = dict(inputs)
    program = trace(algorithm, arm, free, inputs)
    alternatives = alternatives_of(algorithm)
    if alternatives and max(len(arm.path(end)) for end in arm.leaves) <= MAX_JOINTS_OF_ALTERNATIVES:
        shortest = min(
            (trace(alternative, arm, free, inputs) for alternative in alternatives),
            key=lambda alternative: alternative.operations,
        )
        if shortest.operations < allowance * program.operations:
            return replace(shortest, name=program.name)
    return program
