"""From a text to a fast function:  trace it once for one arm, and print the program for what will run it.

An algorithm is written once, for readers; `specialize` makes the function that is called in a loop.
"""

import functools
import importlib.util

import numpy as np

from robotdyn.factorization import solved_forward_dynamics
from robotdyn.recording import Recorded
from robotdyn.recursive import forward_dynamics
from robotdyn.tracing import Program, trace

TARGETS = ("auto", "python", "numpy", "numba", "javascript")
SHORTER = {forward_dynamics: solved_forward_dynamics}  # another way to the same result, tried for arms of few joints
FEW = 16  # joints up to which the other way is tried
LONG = 20_000  # operations from which on "auto" spares the compiler


def specialize(algorithm, arm=None, target="auto", free=(), inputs=None):
    """Return a fast function for one arm: fast(q, ..), for one state (n,), or (B, n) for B of them.

    algorithm: f(arm, q, ..) of this library or written like it, f(x, ..) without an arm, or a Program.
    target: "python" (plain floats), "numpy" (columns of states), "numba" (compiled; pip install robotdyn[fast]), "auto"
    (the best that is installed), or "javascript": then the result is the text of a function.
    free: parameters that stay free and are passed by name, fast(q, .., mass=..): mass, com, inertia, position, gravity,
    tip, with the arm's own values as defaults, or symbols of the arm.  inputs: as in `trace`.
    A state with NaN gives NaN, a division by zero infinity or NaN, in that state alone.
    Raises ValueError, TypeError or ImportError in words for what cannot be.  Chapter "fast-code".
    """
    if target not in TARGETS:
        raise ValueError(f"target must be one of {', '.join(TARGETS)}, got {target!r}")
    if target == "numba" and importlib.util.find_spec("numba") is None:
        raise ImportError('target "numba" needs Numba, which is not installed: pip install robotdyn[fast]')
    inputs = tuple(inputs.items()) if hasattr(inputs, "items") else tuple(inputs) if inputs is not None else None
    return _specialized(algorithm, arm, target, (free,) if isinstance(free, str) else tuple(free), inputs)


@functools.lru_cache(maxsize=256)
def _specialized(algorithm, arm, target, free, inputs):
    program = algorithm if isinstance(algorithm, Program) else _shortest(algorithm, arm, free, inputs)
    if target == "javascript":
        return Script(program)
    if target == "auto":
        compiles = importlib.util.find_spec("numba") is not None and program.operations < LONG
        target = "numba" if compiles else "numpy"
    return Specialized(program, target)


def _shortest(algorithm, arm, free, inputs):
    """Return the program of an algorithm, or of the other way to the same result, whichever has fewer operations."""
    if inputs is not None and any(isinstance(entry, tuple) for entry in inputs):
        inputs = dict(inputs)
    program = trace(algorithm, arm, free, inputs)
    if algorithm in SHORTER and arm.n <= FEW:
        other = trace(SHORTER[algorithm], arm, free, inputs)
        if other.operations < program.operations:
            return Program(program.name, other.inputs, other.nodes, other.results, other.several)
    return program


class Script(str):
    """The source of a JavaScript function; `program` and `operations` tell what it computes."""

    def __new__(cls, program):
        from robotdyn.languages import javascript

        script = super().__new__(cls, javascript(program))
        script.program, script.target = program, "javascript"
        return script

    @property
    def source(self):
        """The text itself."""
        return str(self)

    @property
    def operations(self):
        """The number of operations for one state."""
        return self.program.operations


class Specialized:
    """A fast function for one arm: call it with arrays (n,) or (B, n), free parameters and `out` by name.

    program: what it computes; target: what runs it; source: its text; operations: for one state.
    out: arrays for the results, float64, in place of new ones; a tuple of them where there are several.
    """

    def __init__(self, program, target):
        self.program, self.target = program, target
        self.source, self._one, self._many = _kernels(program, target)
        self._state = [i for i in program.inputs if not i.free]
        self._free = [i for i in program.inputs if i.free]
        self._shapes = [places.shape for places in program.results]
        self._shape = None if program.several else self._shapes[0]
        complete = all(i.value is not None for i in self._free)
        self._defaults = (self._packed({}),) * bool(self._free) if complete else None
        self.__name__, self.__doc__ = program.name, f"{program.name}, specialized: see `robotdyn.specialize`."

    @property
    def operations(self):
        """The number of operations for one state."""
        return self.program.operations

    def __call__(self, *arrays, out=None, **parameters):
        if self._shape and out is None and not parameters and self._defaults is not None:
            result = np.empty(self._shape)
            try:  # the short way, for one state in float arrays
                if self._one(*arrays, *self._defaults, result):
                    return result
            except (TypeError, AttributeError):
                pass
        return self._with_care(arrays, out, parameters)

    def __repr__(self):
        names = ", ".join([*(i.name for i in self._state), *(f"{i.name}=" for i in self._free)])
        return f"<{self.program.name}({names}), {self.target}, {self.operations} operations>"

    def __reduce__(self):
        return Specialized, (self.program, self.target)

    def _with_care(self, arrays, out, parameters):
        """Compute what the short way does not: batches, lists, given results, free parameters; say what does not fit."""
        arrays = self._bound(arrays, parameters)
        if any(isinstance(x, Recorded) for array in arrays for x in np.asarray(array, dtype=object).flat):
            return self.program(*arrays, **parameters)
        arrays = [_floats(array, i) for array, i in zip(arrays, self._state)]
        batch = self._batch(arrays)
        extra = (self._packed(parameters),)[: len(self._free)]
        results = self._results(out, batch)
        given = [_plain(array, batch + i.shape) for array, i in zip(arrays, self._state)]
        rows = (-1,) * bool(batch)
        given = [array.reshape(rows + (i.shape or (1,))) for array, i in zip(given, self._state)]
        views = [array.reshape(rows + (shape or (1,))) for array, shape in zip(results, self._shapes)]
        (self._many if batch else self._one)(*given, *extra, *views)
        return out if out is not None else self.program.shaped(results)

    def _bound(self, arrays, parameters):
        """Return the arrays of the state, some of which may be given by name."""
        names = [i.name for i in self._state]
        arrays = [*arrays, *(parameters.pop(name) for name in names[len(arrays) :] if name in parameters)]
        if len(arrays) != len(names):
            raise TypeError(f"{self.program.name} takes {', '.join(names)}, got {len(arrays)} arrays")
        return arrays

    def _batch(self, arrays):
        shapes = [array.shape[: array.ndim - len(i.shape)] for array, i in zip(arrays, self._state)]
        try:
            return np.broadcast_shapes(*shapes)
        except ValueError:
            told = ", ".join(f"{i.name} {array.shape}" for array, i in zip(arrays, self._state))
            raise ValueError(f"all arrays must hold one state, or the same number of states, got {told}") from None

    def _packed(self, parameters):
        """Return the values of all free parameters in one vector."""
        names = [i.name for i in self._free]
        for name in parameters:
            if name not in names:
                told = f"only {', '.join(names)}" if names else "none"
                raise TypeError(
                    f"{name} must be one of the parameters that stayed free ({told}): specialize with free="
                )
        parts = [np.empty(0)]
        for i in self._free:
            value = parameters.get(i.name, i.value)
            if value is None:
                raise TypeError(f"{i.name} must be given, {i.name}=..., for it is a symbol of the arm, without a value")
            value = _floats(value, i)
            if value.shape != i.shape:
                raise ValueError(f"{i.name} must have shape {i.shape}, got {value.shape}")
            parts.append(value.ravel())
        return np.concatenate(parts)

    def _results(self, out, batch):
        shapes = [batch + shape for shape in self._shapes]
        if out is None:
            return [np.empty(shape) for shape in shapes]
        given = list(out) if self.program.several else [out]
        if len(given) != len(shapes):
            raise ValueError(f"out must hold {len(shapes)} arrays, got {len(given)}")
        for array, shape in zip(given, shapes):
            fits = isinstance(array, np.ndarray) and array.shape == shape and array.dtype == float
            if not fits or not array.flags.c_contiguous or not array.flags.writeable:
                told = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
                raise ValueError(f"out must be a writable, contiguous array of float64 of shape {shape}, got {told}")
        return given


def _kernels(program, target):
    """Return source, one, many of a target: functions of the inputs, the free parameters in one vector, the results."""
    if target == "numba":
        from robotdyn.compiled import kernels

        return kernels(program)
    from robotdyn.languages import python_kernels

    if target == "python":
        return python_kernels(program)
    from robotdyn.columnwise import numpy_kernels

    return numpy_kernels(program)


def _floats(array, given):
    """Return an array of floats whose last axes have the shape of an input."""
    try:
        floats = np.asarray(array)
        if floats.dtype.kind not in "iuf" and floats.size:
            raise TypeError
        floats = floats.astype(float, copy=False)
    except (TypeError, ValueError):
        text = repr(array).replace("\n", " ")
        raise TypeError(
            f"{given.name} must hold real numbers, got {text[:60]}: symbols are for the text itself"
        ) from None
    shape = given.shape
    if floats.shape[floats.ndim - len(shape) :] != shape or floats.ndim < len(shape):
        many = f"({', '.join(['B', *map(str, shape)])}{',' * (not shape)})"
        raise ValueError(f"{given.name} must have shape {shape}, or {many} for B states, got {floats.shape}")
    return floats


def _plain(array, shape):
    """Return an array of a shape as kernels want it: contiguous and writable."""
    array = array if array.shape == shape else np.broadcast_to(array, shape)
    return array if array.flags.c_contiguous and array.flags.writeable else np.array(array, order="C")
