"""A program as a function of arrays:  fast(q, ..)  for one state (n,) or (B, n) for B of them, shapes and results checked."""

import numpy as np

from robotdyn.codegen.recording import Recorded


class Specialized:
    """A fast function for one arm: call it with arrays (n,) or (B, n), free parameters and `out` by name.

    program: what it computes; target: what runs it; source: its text; operations: for one state.
    out: arrays for the results, float64, in place of new ones; a tuple of them where there are several.
    kernel: the bare function for one state, for the inside of a loop: float arrays in, then free parameters in one
    vector, then arrays for the results; it tells by False that shapes do not fit.
    """

    def __init__(self, program, target):
        self.program, self.target = program, target
        self.source, self.kernel, self._many = _kernels(program, target)
        self._state = [i for i in program.inputs if not i.free]
        self._free = [i for i in program.inputs if i.free]
        self._shapes = [places.shape for places in program.results]
        self.__name__, self.__doc__ = program.name, f"{program.name}, specialized: see `robotdyn.specialize`."
        self.__class__ = type("Specialized", (Specialized,), {"__call__": self._call(), "__module__": __name__})

    @property
    def operations(self):
        """The number of operations for one state."""
        return self.program.operations

    def __repr__(self):
        names = ", ".join([*(i.name for i in self._state), *(f"{i.name}=" for i in self._free)])
        return f"<{self.program.name}({names}), {self.target}, {self.operations} operations>"

    def __reduce__(self):
        return Specialized, (self.program, self.target)

    def _call(self):
        """Return the function that a call runs: written for these arguments, it is the quickest that Python has."""
        names, free = [i.name for i in self._state], [i.name for i in self._free]
        lines = [
            f"def {self.program.name}(self, {', '.join([*names, '*', *(f'{name}=None' for name in ('out', *free))])}, **others):",
            f"    parameters = {{{', '.join(f'{name!r}: {name}' for name in free)}}}",
            f"    return self._with_care(({''.join(f'{name}, ' for name in names)}), out, parameters, others)",
        ]
        scope = {"empty": np.empty, "kernel": self.kernel}
        if not self.program.several and self._shapes[0] and all(i.value is not None for i in self._free):
            scope["PARAMETERS"] = self._packed({}) if free else None
            given = ", ".join([*names, *(["PARAMETERS"] if free else []), "RESULT"])
            lines[1:1] = [
                f"    if {' and '.join(f'{name} is None' for name in ('out', *free))} and not others:",
                f"        RESULT = empty({self._shapes[0]})",
                "        try:  # the short way, for one state in float arrays",
                f"            if kernel({given}):",
                "                return RESULT",
                "        except (TypeError, AttributeError):",
                "            pass",
            ]
        exec("\n".join(lines), scope)
        return scope[self.program.name]

    def _with_care(self, arrays, out, parameters, others):
        """Compute what the short way does not: batches, lists, given results, free parameters; say what does not fit."""
        for name in others:
            told = f"only {', '.join(parameters)}" if parameters else "none"
            raise TypeError(f"{name} must be one of the parameters that stayed free ({told}): specialize with free=")
        parameters = {name: value for name, value in parameters.items() if value is not None}
        if any(_recorded(array) for array in arrays):  # a specialized function within a text that is traced
            return self.program(*arrays, **parameters)
        arrays = [_floats(array, i) for array, i in zip(arrays, self._state)]
        batch = self._batch(arrays)
        extra = (self._packed(parameters),)[: len(self._free)]
        results = self._results(out, batch)
        given = [_plain(array, batch + i.shape, results) for array, i in zip(arrays, self._state)]
        rows = (-1,) * bool(batch)
        given = [array.reshape(rows + (i.shape or (1,))) for array, i in zip(given, self._state)]
        views = [array.reshape(rows + (shape or (1,))) for array, shape in zip(results, self._shapes)]
        (self._many if batch else self.kernel)(*given, *extra, *views)
        return out if out is not None else self.program.shaped(results)

    def _batch(self, arrays):
        shapes = [array.shape[: array.ndim - len(i.shape)] for array, i in zip(arrays, self._state)]
        try:
            return np.broadcast_shapes(*shapes)
        except ValueError:
            told = ", ".join(f"{i.name} {array.shape}" for array, i in zip(arrays, self._state))
            raise ValueError(f"all arrays must hold one state, or the same number of states, got {told}") from None

    def _packed(self, parameters):
        """Return the values of all free parameters in one vector."""
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
        from robotdyn.codegen.targets.numba import kernels

        return kernels(program)
    from robotdyn.codegen.targets.python import python_kernels

    if target == "python":
        return python_kernels(program)
    from robotdyn.codegen.targets.numpy import numpy_kernels

    return numpy_kernels(program)


def _recorded(array):
    if isinstance(array, np.ndarray) and array.dtype != object:
        return False
    return any(isinstance(x, Recorded) for x in np.asarray(array, dtype=object).flat)


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


def _plain(array, shape, results):
    """Return an array of a shape as kernels want it: contiguous, writable, and in no place where results are written."""
    array = array if array.shape == shape else np.broadcast_to(array, shape)
    fits = array.flags.c_contiguous and array.flags.writeable
    fits = fits and not any(np.may_share_memory(array, result) for result in results)
    return array if fits else np.array(array, order="C")
