"""Programs as machine code of this processor:  one state at a time, and many, W of them side by side in SIMD registers.

Compiling takes a few hundredths of a second for two links and some tenths for seven; what is for many states waits for
the first call with many.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from robotdyn.codegen.machine import call, engine, ir, threads
from robotdyn.codegen.program import Program
from robotdyn.codegen.targets.target import Kernels, Target
from robotdyn.maths.validate import Floats

SEARCHED_OPERATIONS = 3000  # up to which it costs little to let the compiler search for the best order


class _Functions:
    """The machine code of a program, as functions of arrays."""

    def __init__(self, program: Program, limit: int | None) -> None:
        self.program = program
        self.limit = limit
        self.operations = program.operations
        self.width = engine.width()
        self.rows = ir.row_sizes(program)
        self.shapes = [*(i.shape or (1,) for i in program.state), *(a.shape or (1,) for a in program.results)]
        self.free = [(sum(i.size for i in program.free),)] * bool(program.free)

    @property
    def source(self) -> str:
        """The text of both functions."""
        return ir.module(ir.function_of_one(self.program), ir.function_of_many(self.program, self.width))

    @functools.cached_property
    def compiled(self) -> engine.Compiled:
        """The machine code for one state."""
        return engine.Compiled(ir.module(ir.function_of_one(self.program)))

    @functools.cached_property
    def compiled_many(self) -> engine.Compiled:
        """The machine code for many states, whose text is what LLVM's passes would make of it."""
        level = 2 if self.operations < SEARCHED_OPERATIONS else 1
        return engine.Compiled(ir.module(ir.function_of_many(self.program, self.width)), passes=False, level=level)

    @functools.cached_property
    def _one(self) -> Callable[..., None]:
        return _c_function(self.compiled.address("one"), [ctypes.c_void_p] * len(self.rows))

    @functools.cached_property
    def _many(self) -> Callable[..., None]:
        types = [ctypes.c_int64, *[ctypes.c_void_p] * len(self.rows)]
        return _c_function(self.compiled_many.address("many"), types)

    def one(self, *given: Floats) -> bool:
        """Write the results for one state; False where the shapes do not fit."""
        places = self._places(given, ())
        if places is None:
            return False
        self._one(*places)
        return True

    def many(self, *given: Floats) -> bool:
        """Write the results for many states; False where the shapes do not fit."""
        count = len(given[-1])
        places = self._places(given, (count,))
        if places is None:
            return False
        if count < self.width:
            for k in range(count):
                self._one(*(place + 8 * k * size for place, size in zip(places, self.rows)))
            return True
        run = self._many

        def part(first: int, last: int) -> None:
            run(last - first, *(place + 8 * first * size for place, size in zip(places, self.rows)))

        threads.run(part, count, count * self.operations / self.width, self.width, self.limit)
        return True

    def call(self, careful: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function of CPython that makes its results; what it does not take goes to `careful`."""
        free = self.program.free
        packed = (
            np.concatenate([np.empty(0), *(np.ravel(i.value) for i in free if i.value is not None)]) if free else None
        )
        return call.of_new_results(self.program, self.compiled, packed, careful)

    def _places(self, given: Sequence[Floats], batch: tuple[int, ...]) -> list[int] | None:
        """Return where the numbers of arrays lie, or None where one is no array of floats of its shape."""
        inputs = len(self.program.state)
        shapes = [(*batch, *shape) for shape in self.shapes]
        shapes[inputs:inputs] = self.free
        written = inputs + len(self.free)
        if len(given) != len(shapes):
            return None
        for k, (array, shape) in enumerate(zip(given, shapes)):
            flags = array.flags
            ordered = flags.c_contiguous and flags.aligned and (k < written or flags.writeable)
            if array.shape != shape or array.dtype != float or not ordered:
                return None
        return [array.ctypes.data for array in given]


def kernels(program: Program, limit: int | None = None) -> Kernels:
    """Return the program compiled; limit: of the threads for many states."""
    functions = _Functions(program, limit)
    if not call.available():
        return Kernels(functions.source, functions.one, functions.many)
    one = call.of_given_results(program, functions.compiled)
    fixed = all(i.value is not None for i in program.free) and all(a.size for a in program.results)
    at_once = fixed and program.state and all(a.shape for a in program.results)
    return Kernels(functions.source, one, functions.many, functions.call if at_once else None)


def object_file(program: Program, triple: str, cpu: str = "") -> bytes:
    """Return the machine code for one state on another processor, as a file to link with."""
    return engine.object_code(ir.module(ir.function_of_one(program, program.name)), triple, cpu)


def _c_function(address: int, types: Sequence[Any]) -> Callable[..., None]:
    function: Callable[..., None] = ctypes.CFUNCTYPE(None, *types)(address)
    return function


TARGET = Target("llvm", kernels, missing=engine.missing, allowance=1.3, threaded=True)
