"""Programs as machine code of this processor:  one state at a time, and many, W of them side by side in SIMD registers.

Compiling takes a few hundredths of a second for two links and some tenths for seven; what is for many states waits for
the first call with many.
"""

from __future__ import annotations

import ctypes
import re
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from robotdyn.codegen.machine import call, engine, ir, threads
from robotdyn.codegen.program import Program
from robotdyn.codegen.targets.target import Kernels, Target
from robotdyn.codegen.tracer import FUNCTIONS
from robotdyn.maths.validate import Floats

SEARCHED_OPERATIONS = 3000  # up to which it costs little to let the compiler search for the best order
LARGE_OPERATIONS = 30_000  # beyond which it takes what comes first: its time grows faster than the program
SYMBOL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")  # what a linker knows as a name


class _Functions:
    """The machine code of a program, as functions of arrays."""

    def __init__(self, program: Program, limit: int | None) -> None:
        self.program = program
        self.limit = limit
        self.operations = program.operations
        self.width = engine.width()
        self.rows = ir.row_sizes(program)
        self.shapes = [*(i.shape or (1,) for i in program.state), *(a.shape or (1,) for a in program.results)]
        self._lock = threading.Lock()
        self._compiled: dict[bool, engine.Compiled] = {}
        self.free = [(sum(i.size for i in program.free),)] * bool(program.free)

    @property
    def source(self) -> str:
        """The text of both functions."""
        return ir.module(ir.function_of_one(self.program), ir.function_of_many(self.program, self.width))

    def function(self, many: bool) -> Callable[..., None]:
        """Return the machine code for one state, or for many, as a function of addresses; compiled when first asked for."""
        with self._lock:
            if many not in self._compiled:
                large = self.operations > LARGE_OPERATIONS
                if many:  # whose text is what LLVM's passes would make of it
                    text = ir.function_of_many(self.program, self.width)
                    level = 0 if large else 2 if self.operations < SEARCHED_OPERATIONS else 1
                    self._compiled[many] = engine.Compiled(ir.module(text), passes=False, level=level)
                else:
                    text = ir.function_of_one(self.program)
                    self._compiled[many] = engine.Compiled(ir.module(text), passes=not large, level=0 if large else 1)
        types = [ctypes.c_int64] * many + [ctypes.c_void_p] * len(self.rows)
        return self._compiled[many].function("many" if many else "one", types)

    @property
    def compiled(self) -> engine.Compiled:
        """The machine code for one state."""
        self.function(many=False)
        return self._compiled[False]

    def one(self, *given: Floats) -> bool:
        """Write the results for one state; False where the shapes do not fit."""
        places = self._places(given, ())
        if places is None:
            return False
        self.function(many=False)(*places)
        return True

    def many(self, *given: Floats) -> bool:
        """Write the results for many states; False where the shapes do not fit."""
        count = len(given[-1]) if given and isinstance(given[-1], np.ndarray) and given[-1].ndim else 0
        places = self._places(given, (count,))
        if places is None:
            return False
        run = self.function(many=count >= self.width)
        if count < self.width:
            for k in range(count):
                run(*(place + 8 * k * size for place, size in zip(places, self.rows)))
            return True

        def part(first: int, last: int, arrays: Any = given) -> None:  # which thus live until the last part has ended
            run(last - first, *(place + 8 * first * size for place, size in zip(places, self.rows)))

        threads.run(part, count, count * self.operations / self.width, self.width, self.limit)
        return True

    def call(self, careful: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function of CPython that makes its results; what it does not take goes to `careful`."""
        free = self.program.free
        packed = (
            np.concatenate([np.empty(0), *(np.ravel(i.value) for i in free if i.value is not None)]) if free else None
        )
        return call.function_of_new_results(self.program, self.compiled, packed, careful)

    def _places(self, given: Sequence[Any], batch: tuple[int, ...]) -> list[int] | None:
        """Return where the numbers of arrays lie, or None where one is no array of floats of its shape."""
        inputs = len(self.program.state)
        shapes = [(*batch, *shape) for shape in self.shapes]
        shapes[inputs:inputs] = self.free
        written = inputs + len(self.free)
        if len(given) != len(shapes):
            return None
        for k, (array, shape) in enumerate(zip(given, shapes)):
            if not isinstance(array, np.ndarray):
                return None
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
    one = call.function_of_given_results(program, functions.compiled)
    fixed = all(i.value is not None for i in program.free) and all(a.size for a in program.results)
    at_once = fixed and program.state and all(a.shape for a in program.results)
    return Kernels(functions.source, one, functions.many, functions.call if at_once else None)


def object_file(program: Program, triple: str, cpu: str = "") -> bytes:
    """Return the machine code for one state on another processor, as a file to link with."""
    if not SYMBOL.fullmatch(program.name) or program.name in FUNCTIONS:
        raise ValueError(f"an object file needs a name that is free in C, got {program.name!r}: rename the algorithm")
    return engine.object_code(ir.module(ir.function_of_one(program, program.name)), triple, cpu)


TARGET = Target("llvm", kernels, missing=engine.missing, allowance=1.3, threaded=True)
