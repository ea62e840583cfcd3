"""From a text to a fast function:  trace it once for one arm, and print the program for what will run it.

An algorithm is written once, for readers; `specialize` makes the function that is called in a loop.
"""

import functools
import importlib.util
from dataclasses import replace

from robotdyn.codegen.parameters import names_of
from robotdyn.codegen.program import Program
from robotdyn.codegen.specialized import Specialized
from robotdyn.codegen.trace import check_text, trace
from robotdyn.dynamics.recursive import forward_dynamics, solved_forward_dynamics

TARGETS = ("auto", "python", "numpy", "numba", "javascript")
SHORTER = {forward_dynamics: solved_forward_dynamics}  # another way to the same result, tried for arms of few joints
FEW = 16  # joints up to which the other way is tried
SAVED = 1.3  # a compiler keeps more of the other way in registers: it may have so many times the operations
LONG = 20_000  # operations from which on "auto" spares the compiler


def specialize(algorithm, arm=None, target="auto", free=(), inputs=None):
    """Return a fast function for one arm: fast(q, ..), for one state (n,), or (B, n) for B of them.

    algorithm: f(arm, q, ..) of this library or written like it, f(x, ..) without an arm, or a Program.
    target: "python" (plain floats), "numpy" (columns of states), "numba" (compiled; pip install robotdyn[fast]), "auto"
    (the best that is installed), or "javascript": then the result is the text of a function.
    free: parameters that stay free and are passed by name, fast(q, .., mass=..): mass, com, inertia, position, pitch, gravity,
    tip, with the arm's own values as defaults, or symbols of the arm.  inputs: as in `trace`.
    A state with NaN gives NaN, a division by zero infinity or NaN, in that state alone.
    Raises ValueError, TypeError or ImportError in words for what cannot be.  Chapter "computer".
    """
    if target not in TARGETS:
        raise ValueError(f"target must be one of {', '.join(TARGETS)}, got {target!r}")
    if target == "numba" and (why := _no_numba()):
        raise ImportError(f'target "numba" needs Numba, which {why}: pip install robotdyn[fast]')
    if not isinstance(algorithm, Program):
        check_text(algorithm, arm)
    return _specialized(algorithm, arm, target, names_of(free), _hashable(inputs))


def _no_numba():
    """Return why Numba cannot be used, or None; one that does not fit its NumPy is installed, and cannot be imported."""
    try:
        if importlib.util.find_spec("numba") is None:
            return "is not installed"
        importlib.import_module("numba")
    except ImportError as error:
        return f"cannot be imported ({error})"


def _hashable(inputs):
    """Return inputs, names or {name: shape}, as names or pairs in a tuple."""
    if hasattr(inputs, "items"):
        return tuple((name, tuple(shape) if hasattr(shape, "__iter__") else shape) for name, shape in inputs.items())
    return (inputs,) if isinstance(inputs, str) else None if inputs is None else tuple(inputs)


@functools.lru_cache(maxsize=256)
def _specialized(algorithm, arm, target, free, inputs):
    compiles = target == "numba" or (target == "auto" and not _no_numba())
    if isinstance(algorithm, Program):
        program = algorithm
    else:
        program = _shortest(algorithm, arm, free, inputs, SAVED if compiles else 1)
    if target == "javascript":
        return Script(program)
    if target == "auto":
        target = "numba" if compiles and program.operations < LONG else "numpy"
    return Specialized(program, target)


def _shortest(algorithm, arm, free, inputs, saved):
    """Return the program of an algorithm, or of the other way to the same result, whichever takes less."""
    if inputs is not None and any(isinstance(entry, tuple) for entry in inputs):
        inputs = dict(inputs)
    program = trace(algorithm, arm, free, inputs)
    if algorithm in SHORTER and arm.n <= FEW:
        other = trace(SHORTER[algorithm], arm, free, inputs)
        if other.operations < saved * program.operations:
            return replace(other, name=program.name)
    return program


class Script(str):
    """The source of a JavaScript function; `program` and `operations` tell what it computes."""

    def __new__(cls, program):
        from robotdyn.codegen.targets.javascript import javascript

        script = super().__new__(cls, javascript(program))
        script.program, script.target = program, "javascript"
        return script

    def __getnewargs__(self):  # for pickle and copy
        return (self.program,)

    @property
    def source(self):
        """The text itself."""
        return str(self)

    @property
    def operations(self):
        """The number of operations for one state."""
        return self.program.operations
