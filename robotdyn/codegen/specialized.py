"""A program as a function of arrays:  fast(q, ..)  for one state (n,) or (B, n) for B of them, shapes and results checked.

Where a target runs nowhere near, as a page's JavaScript, what is made is its source.
"""

from __future__ import annotations

import functools
import inspect
import math
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from robotdyn.codegen.machine.call import inherit_vectorcall
from robotdyn.codegen.program import Input, Program
from robotdyn.codegen.targets import TARGETS, Kernels
from robotdyn.codegen.targets.llvm import object_file
from robotdyn.codegen.tracer import Tracer
from robotdyn.maths.validate import Floats, Result


def build_for_target(target: str, program: Program, threads: int | None = None) -> Any:
    """Return what a target makes of a program: Specialized, or Script where the target gives a source alone."""
    chosen = TARGETS[target]
    program = chosen.named(program)
    printed = chosen.printer(program, threads) if chosen.threaded else chosen.printer(program)
    if isinstance(printed, str):
        return Script(target, program, printed)
    return Specialized(target, program, printed, threads)


class Script(str):
    """The source of a function in another language; `program` and `operations` say what it computes."""

    program: Program
    target: str

    def __new__(cls, target: str, program: Program, source: str) -> Script:
        script = super().__new__(cls, source)
        script.program = program
        script.target = target
        return script

    def __reduce__(self) -> Any:
        return build_for_target, (self.target, self.program)

    @property
    def source(self) -> str:
        """The source itself."""
        return str(self)

    def write(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write the files of the target into a folder, which is made if it is not there; return their paths.

        Of "c" and "c-float": the function, its header, and a test program that returns 0 where the function computes
        here what it computes there.
        """
        files = TARGETS[self.target].files
        texts = files(self.program) if files else {f"{self.program.name}.{self.target}": str(self)}
        paths = [Path(folder) / name for name in texts]
        Path(folder).mkdir(parents=True, exist_ok=True)
        for path, text in zip(paths, texts.values()):
            path.write_text(text, encoding="utf-8")
        return paths

    @property
    def operations(self) -> int:
        """The number of operations for one state."""
        return self.program.operations


class Specialized(functools.partial[Result]):
    """A fast function for one arm, which `rd.specialize` makes: call it with arrays (n,) or (B, n), free parameters and
    `out` by name.

    program: what it computes; target: what runs it; source: its code; operations: for one state.
    out: arrays for the results, float64, in place of new ones; a tuple of them where there are several.
    kernel: the bare function for one state, for the inside of a loop: float arrays in, then free parameters in one
    vector, then arrays for the results; it returns False where shapes do not fit.
    It is a partial function of `_make_fast_call` without arguments, which Python calls sooner than a method `__call__`.
    """

    target: str
    program: Program
    threads: int | None
    source: str
    __name__: str
    kernel: Callable[..., Any]
    __signature__: inspect.Signature

    def __new__(cls, target: str, program: Program, kernels: Kernels, threads: int | None = None) -> Specialized:
        """Return the function; kernels: of the program on the target."""
        if kernels.call is not None:
            call = kernels.call(lambda *given, **named: specialized._general_call(given, named))
        else:
            call = _make_fast_call(program, kernels.one, lambda *given: specialized._general_call(*given))
            call.__name__ = program.name
        specialized: Specialized = super().__new__(cls, call)
        return specialized

    def __init__(self, target: str, program: Program, kernels: Kernels, threads: int | None = None) -> None:
        self.target = target
        self.program = program
        self.threads = threads
        self.source = kernels.source
        self.kernel = kernels.one
        self._many = kernels.many
        self.__name__ = program.name
        self.__doc__ = f"{program.name}, specialized: see `robotdyn.specialize`."
        self._state = program.state
        self._free = program.free
        self._shapes = [places.shape for places in program.results]
        Parameter = inspect.Parameter
        parameters = [Parameter(i.name, Parameter.POSITIONAL_OR_KEYWORD) for i in self._state]
        parameters += [
            Parameter(name, Parameter.KEYWORD_ONLY, default=None) for name in ("out", *(i.name for i in self._free))
        ]
        self.__signature__ = inspect.Signature(parameters)

    @property
    def operations(self) -> int:
        """The number of operations for one state."""
        return self.program.operations

    def __repr__(self) -> str:
        return f"<{self.program.call}, {self.target}, {self.operations} operations>"

    def __reduce__(self) -> Any:
        return build_for_target, (self.target, self.program, self.threads)

    def write(self, path: str | os.PathLike[str], triple: str | None = None, cpu: str = "") -> Path:
        """Write the source into a file, or for a processor, of target "llvm", an object file to link with; return its path.

        triple: such as "aarch64-linux-gnu", "thumbv7em-none-eabihf" or "wasm32"; cpu: a name that LLVM knows, "cortex-m7".
        The object has one function of the program's name: pointers to doubles, the inputs, all free parameters in one
        array if there are any, then the results.
        """
        path = Path(path)
        if triple is None:
            path.write_text(self.source, encoding="utf-8")
        elif self.target != "llvm":
            raise ValueError(
                f'triple is for target "llvm", got target {self.target!r}: specialize for "llvm", or for "c"'
            )
        else:
            path.write_bytes(object_file(self.program, triple, cpu))
        return path

    def _general_call(self, given: Sequence[Any], named: dict[str, Any]) -> Result:
        """Compute what the fast call does not: batches, lists, given results, free parameters; say what does not fit."""
        out = named.pop("out", None)
        parameters = {i.name: named.pop(i.name) for i in self._free if i.name in named}
        parameters = {name: value for name, value in parameters.items() if value is not None}
        arrays = list(given) if not named and len(given) == len(self._state) else self._bind_state(given, named)
        if any(_is_traced(array) for array in arrays):  # a specialized function within an algorithm that is traced
            return self.program(*arrays, **parameters)
        return self._call_kernel([_as_floats(array, i) for array, i in zip(arrays, self._state)], parameters, out)

    def _call_kernel(self, arrays: Sequence[Floats], parameters: dict[str, Any], out: Any) -> Result:
        """Return the results for arrays of floats, of one state or many, written into `out` where it is given."""
        batch = self._batch_shape(arrays)
        extra = (self._pack_parameters(parameters),)[: len(self._free)]
        results = self._result_arrays(out, batch)
        arrays = [_as_kernel_argument(array, batch + i.shape, results) for array, i in zip(arrays, self._state)]
        rows = (math.prod(batch),) * bool(batch)
        arrays = [array.reshape(rows + (i.shape or (1,))) for array, i in zip(arrays, self._state)]
        views = [array.reshape(rows + (shape or (1,))) for array, shape in zip(results, self._shapes)]
        if not (self._many if batch else self.kernel)(*arrays, *extra, *views):
            raise RuntimeError(
                f"{self.__name__} refuses arrays that should fit, which is a fault of target {self.target!r}"
            )
        return out if out is not None else self.program.shaped(results)

    def _bind_state(self, given: Sequence[Any], named: dict[str, Any]) -> list[Any]:
        """Return the arrays of the state, of which some were given by name."""
        for name in named:
            if all(name != i.name for i in self._state):
                allowed = f"only {', '.join(i.name for i in self._free)}" if self._free else "none"
                raise TypeError(
                    f"{name} must be one of the parameters that stayed free ({allowed}): specialize with free="
                )
        try:
            bound = self.__signature__.bind(*given, **named).arguments
        except TypeError as error:
            raise TypeError(f"{self.program.call}: {error}") from None
        return [bound[i.name] for i in self._state]

    def _batch_shape(self, arrays: Sequence[Floats]) -> tuple[int, ...]:
        shapes = [array.shape[: array.ndim - len(i.shape)] for array, i in zip(arrays, self._state)]
        try:
            return np.broadcast_shapes(*shapes)
        except ValueError:
            shown = ", ".join(f"{i.name} {array.shape}" for array, i in zip(arrays, self._state))
            raise ValueError(f"all arrays must hold one state, or the same number of states, got {shown}") from None

    def _pack_parameters(self, parameters: dict[str, Any]) -> Floats:
        """Return the values of all free parameters in one vector."""
        parts = [np.empty(0)]
        for i in self._free:
            value = parameters.get(i.name, i.value)
            if value is None:
                raise TypeError(f"{i.name} must be given, {i.name}=..., for it is a symbol of the arm, without a value")
            value = _as_floats(value, i)
            if value.shape != i.shape:
                raise ValueError(f"{i.name} must have shape {i.shape}, got {value.shape}")
            parts.append(value.ravel())
        return np.concatenate(parts)

    def _result_arrays(self, out: Any, batch: tuple[int, ...]) -> list[Floats]:
        shapes = [batch + shape for shape in self._shapes]
        if out is None:
            return [np.empty(shape) for shape in shapes]
        given = list(out) if self.program.several else [out]
        if len(given) != len(shapes):
            raise ValueError(f"out must hold {len(shapes)} arrays, got {len(given)}")
        for array, shape in zip(given, shapes):
            is_float_array = isinstance(array, np.ndarray) and array.shape == shape and array.dtype == float
            if not is_float_array or not (array.flags.c_contiguous and array.flags.aligned and array.flags.writeable):
                raise ValueError(
                    f"out must be a writable, contiguous array of float64 of shape {shape}, got {_described(array)}"
                )
        return [np.asarray(array).view(np.ndarray) for array in given]


inherit_vectorcall(Specialized)


def _described(array: Any) -> str:
    """Return what an array is, and what it lacks as a result, in words."""
    if not isinstance(array, np.ndarray):
        return type(array).__name__
    flags = {
        "read-only": array.flags.writeable,
        "not contiguous": array.flags.c_contiguous,
        "not aligned": array.flags.aligned,
    }
    lacks = [word for word, fulfilled in flags.items() if not fulfilled]
    return ", ".join([f"{array.dtype} {array.shape}", *lacks])


MISSING = object()  # an argument that was not given by position


def _make_fast_call(
    program: Program, kernel: Callable[..., Any], general_call: Callable[..., Any]
) -> Callable[..., Result]:
    """Return the function that is called: one state in arrays of floats goes straight to the kernel, all else to `general_call`.

    Positional arguments are written out, since Python calls such a function sooner than one of any number of arguments.
    """
    arguments = [f"x{k}" for k in range(len(program.state))]
    results = [f"y{k}" for k in range(len(program.results))]
    shapes = [places.shape for places in program.results]
    defaults = [np.ravel(i.value) for i in program.free if i.value is not None]
    if not arguments or not all(shapes) or len(defaults) < len(program.free):
        return lambda *arrays, **named: general_call(arrays, named)
    packed = np.concatenate([np.empty(0), *defaults])
    scope: dict[str, Any] = {
        "kernel": kernel,
        "packed": packed,
        "general_call": general_call,
        "empty": np.empty,
        "MISSING": MISSING,
    }
    sizes = [shape[0] if len(shape) == 1 else shape for shape in shapes]
    lines = [f"{y} = empty({size})" for y, size in zip(results, sizes)]
    free = ["packed"] * bool(program.free)
    returned = f"({', '.join(results)},)" if program.several else results[0]
    exec(
        f"""def call({"".join(f"{x}=MISSING, " for x in arguments)}/, *more, **named):
    if not (more or named):
        try:
            {"; ".join(lines)}
            if kernel({", ".join([*arguments, *free, *results])}):
                return {returned}
        except (TypeError, AttributeError):
            pass
    return general_call((*(x for x in ({"".join(f"{x}, " for x in arguments)}) if x is not MISSING), *more), named)
""",
        scope,
    )
    return scope["call"]


def _is_traced(array: Any) -> bool:
    if isinstance(array, np.ndarray) and array.dtype != object:
        return False
    return any(isinstance(x, Tracer) for x in np.asarray(array, dtype=object).flat)


def _as_floats(array: Any, given: Input) -> Floats:
    """Return an array of floats whose last axes have the shape of an input."""
    try:
        floats = np.asarray(array)
        if floats.dtype.kind not in "iuf" and floats.size:
            raise TypeError
        floats = floats.astype(float, copy=False)
    except (TypeError, ValueError):
        text = repr(array).replace("\n", " ")
        raise TypeError(
            f"{given.name} must hold real numbers, got {text[:60]}: symbols are for the algorithm itself"
        ) from None
    shape = given.shape
    if floats.shape[floats.ndim - len(shape) :] != shape or floats.ndim < len(shape):
        many = f"({', '.join(['B', *map(str, shape)])}{',' * (not shape)})"
        raise ValueError(f"{given.name} must have shape {shape}, or {many} for B states, got {floats.shape}")
    return floats


def _as_kernel_argument(array: Any, shape: tuple[int, ...], results: Sequence[Floats]) -> Floats:
    """Return an array of a shape as kernels want it: contiguous, writable, and sharing no memory with the results."""
    array = array if array.shape == shape else np.broadcast_to(array, shape)
    usable = type(array) is np.ndarray and array.flags.c_contiguous and array.flags.aligned and array.flags.writeable
    usable = usable and not any(np.may_share_memory(array, result) for result in results)
    return array if usable else np.array(array, order="C")
