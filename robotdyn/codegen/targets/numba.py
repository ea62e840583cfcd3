"""Programs for the machine, through Numba:  one state at a time, and many states side by side in SIMD registers.

For many states the inputs of 64 of them stand in columns of one scratch array, at constant distances, so that the
compiler can prove that no two columns overlap and runs the loop over states in vectors.  They are read from views of 64
rows, since a row whose number may be negative, counted from the last one, takes a choice in each access.  A division by zero gives
infinity, and NaN stays in its own state: of the relaxations of floating point only those are named that keep this.
"""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from numpy import floor

from robotdyn.codegen.cache import load
from robotdyn.codegen.expressions import SourceBuilder, input_names_by_node, split_trigonometry
from robotdyn.codegen.program import Input, Program, entry_label
from robotdyn.codegen.targets.target import Kernels, Target
from robotdyn.codegen.tracer import FUNCTIONS

# The arrays of a kernel: name and shape, None for P.
KernelArguments: TypeAlias = Sequence[tuple[str, "tuple[int, ...] | None"]]
BLOCK = 64  # states in the scratch array: a multiple of every vector length
# From column to column, in numbers: no power of two, or all columns would share a few lines of the cache.
COLUMN_STRIDE = BLOCK + 8
SERIAL_STATES = 8  # for so few states, one at a time is quicker
MAX_ANGLE = 1e5  # rad, the largest angle for which `sincos` takes its polynomials
FASTMATH = '{"contract", "reassoc", "arcp", "nsz"}'  # never nnan or ninf, of which fastmath=True is full


def kernels(program: Program) -> Kernels:
    """Return the program compiled, or read from the cache of compiled programs."""
    import llvmlite
    import numba
    import numpy

    source = kernel_source(program)
    module = load(source, program.name, [numba.__version__, llvmlite.__version__, numpy.__version__])
    return Kernels(source, module.one, module.many)


def kernel_source(program: Program) -> str:
    """Return the source of the functions for one and for many states."""
    layout = _layout_of(program)
    return f'''"""{program.name}: {program.operations} operations for one state; written and compiled by robotdyn."""

import numpy as np
from numba import njit
from numpy import cos, exp, floor, log, sin, sqrt, tan, tanh


@njit(fastmath={{"contract"}}, error_model="numpy", forceinline=True)
{inspect.getsource(sincos)}

@njit(error_model="numpy")
def sincos_of_any(x):
    """Return sin(x), cos(x); beyond {MAX_ANGLE:g} rad those of the library."""
    if abs(x) <= {MAX_ANGLE}:
        return sincos(x)
    return sin(x), cos(x)


{_state_function(layout)}


{_one_function(layout)}


{_many_function(layout)}
'''


@dataclass(frozen=True, eq=False)
class _Layout:
    """Where the kernels of a program find each scalar, by its name.

    angles, body: the angles inside sines and cosines, and the rest; pairs: "s1, c1" of each angle; arguments: the arrays
    of the kernels; entries: {scalar: (array, index)} of what is read; results: entries of result arrays, with {} for the
    index of a state; columns: in the scratch array, for each scalar of the state, the largest angle, and each result.
    """

    angles: SourceBuilder
    body: SourceBuilder
    pairs: list[str]
    arguments: KernelArguments
    entries: dict[str, tuple[str, Any]]
    results: list[str]
    columns: list[str]

    @property
    def scalars(self) -> str:
        """The arguments of the function `state`."""
        return ", ".join([*self.entries, *self.pairs])

    @property
    def state(self) -> dict[str, tuple[str, Any]]:
        """The entries that differ from state to state: all but the free parameters."""
        return {label: entry for label, entry in self.entries.items() if entry[0] != "P"}

    @property
    def shaped(self) -> list[tuple[str, tuple[int, ...]]]:
        """The arrays whose shape is known."""
        return [(name, shape) for name, shape in self.arguments if shape is not None]

    def row(self, state: str) -> str:
        """Return the arguments of a call of `one` for a state of many, by its number."""
        return ", ".join(name if shape is None else f"{name}[{state}]" for name, shape in self.arguments)

    def decorator(self, more_axes: int) -> str:
        """Return the line before a kernel whose arrays have so many axes more than one state has."""
        options = f'fastmath={FASTMATH}, error_model="numpy", nogil=True, cache=True'
        return f'@njit("{_signature(self.arguments, more_axes)}", {options})'


def _layout_of(program: Program) -> _Layout:
    first, rest, names = split_trigonometry(program)
    entries = _entries(program)
    outputs = [f"out{k}" if program.several else "out" for k in range(len(program.results))]
    results = [
        f"{name}{{block}}[{{state}}{_index(a.shape, k)}]"
        for name, a in zip(outputs, program.results)
        for k in range(a.size)
    ]
    arguments: list[tuple[str, tuple[int, ...] | None]]
    arguments = [(_array_name(i), i.shape or (1,)) for i in program.state]
    arguments += [("P", None)] if program.free else []
    arguments += [(name, a.shape or (1,)) for name, a in zip(outputs, program.results)]
    count = sum(name != "P" for name, _ in entries.values()) + 1 + len(results)
    columns = [f"COLUMNS[{k * COLUMN_STRIDE} + LANE]" for k in range(count)]
    pairs = [f"{s}, {c}" for s, c in names]
    return _Layout(SourceBuilder(first), SourceBuilder(rest), pairs, arguments, entries, results, columns)


def _state_function(layout: _Layout) -> str:
    return f'''@njit(fastmath={FASTMATH}, error_model="numpy", forceinline=True)
def state({layout.scalars}):
    """Return the results for one state from its numbers, and the sines and cosines of its angles."""
{_indent(1, layout.body.lines)}
    return ({"".join(f"{value}, " for row in layout.body.results for value in row)})'''


def _one_function(layout: _Layout) -> str:
    reads = [f"{label} = {name}[{index}]" for label, (name, index) in layout.entries.items()]
    return f'''{layout.decorator(0)}
def one({", ".join(name for name, _ in layout.arguments)}):
    """Write the results for one state; False where the shapes do not fit."""
    if not ({" and ".join(f"{name}.shape == {shape}" for name, shape in layout.shaped)}):
        return False
{_indent(1, reads)}
{_indent(1, _sincos_lines(layout, "sincos_of_any"))}
    {", ".join(result.format(block="", state="") for result in layout.results)}, = state({layout.scalars})
    return True'''


def _many_function(layout: _Layout) -> str:
    state = layout.state
    reads = layout.columns[: len(state)]
    far, *wide = layout.columns[len(state) :]
    fits = [f"{name}.shape == (STATES, {', '.join(map(str, shape))})" for name, shape in layout.shaped]
    blocks = [result.format(block="_BLOCK", state="LANE, ") for result in layout.results]
    return f'''{layout.decorator(1)}
def many({", ".join(name for name, _ in layout.arguments)}):
    """Write the results for many states; False where the shapes do not fit."""
    STATES = {layout.arguments[0][0]}.shape[0]
    if not ({" and ".join(fits)}):
        return False
{_indent(1, [f"{label} = P[{k}]" for label, (name, k) in layout.entries.items() if name == "P"])}
    COLUMNS = np.zeros({len(layout.columns) * COLUMN_STRIDE})
    DONE = 0
    for FIRST in range(0, STATES - {SERIAL_STATES}, {BLOCK}):
        WIDTH = min({BLOCK}, STATES - FIRST)
{_indent(2, [f"{name}_BLOCK = {name}[FIRST : FIRST + WIDTH]" for name, _ in layout.shaped])}
        for LANE in range(WIDTH):
{_indent(3, [f"{x} = {name}_BLOCK[LANE, {k}]" for x, (name, k) in zip(reads, state.values())] or ["pass"])}
        for LANE in range({BLOCK}):
{_indent(3, [f"{label} = {x}" for label, x in zip(state, reads)])}
{_indent(3, [*_sincos_lines(layout, "sincos"), f"{far} = {_largest(layout.angles.results[0])}"])}
            {", ".join(wide)}, = state({layout.scalars})
        for LANE in range(WIDTH):
{_indent(3, [f"{target} = {x}" for target, x in zip(blocks, wide)])}
        FAR = 0
        for LANE in range({BLOCK}):
            FAR += {far} > {MAX_ANGLE}
        if FAR:
            for LANE in range(WIDTH):
                if {far} > {MAX_ANGLE}:
                    one({layout.row("FIRST + LANE")})
        DONE = FIRST + WIDTH
    for LANE in range(DONE, STATES):
        one({layout.row("LANE")})
    return True'''


def _largest(angles: Sequence[str]) -> str:
    """Return the expression of the largest absolute value."""
    largest = "0.0"
    for angle in angles:
        largest = f"max({largest}, abs({angle}))" if largest != "0.0" else f"abs({angle})"
    return largest


# Sine and cosine together, without a branch:  x = n pi/2 + r,  |r| <= pi/4,  two polynomials in r, and n says which.
# A compiler turns this function into SIMD code, which it cannot do with a call of the library's sin.  For |x| <= MAX_ANGLE each
# value is within 2.5 units in the last place; beyond, n pi/2 is no longer exact in the three parts: take sin and cos.
# Cody and Waite (1980); the coefficients are those of FreeBSD's msun (k_sin.c, k_cos.c, e_rem_pio2.c).
def sincos(x: float) -> tuple[float, float]:
    """Return sin(x), cos(x) of a float |x| <= MAX_ANGLE; NaN in, NaN out."""
    n = floor(x * 0.6366197723675814 + 0.5)
    r = x - n * 1.5707963267341256 - n * 6.077100506303966e-11 - n * 2.0222662487959506e-21  # pi/2, 33 bits a part
    z = r * r
    s = 2.7557313707070068e-06 + z * (-2.5050760253406863e-08 + z * 1.58969099521155e-10)
    s = r + r * z * (-0.16666666666666632 + z * (0.00833333333332249 + z * (-0.0001984126982985795 + z * s)))
    c = -2.7557314351390663e-07 + z * (2.087572321298175e-09 - z * 1.1359647557788195e-11)
    c = 0.0416666666666666 + z * (-0.001388888888887411 + z * (2.480158728947673e-05 + z * c))
    c = 1.0 - (0.5 * z - z * z * c)
    turn = 0.25 * n - floor(0.25 * n)  # which quarter of a turn: 0, 1/4, 1/2 or 3/4
    odd = turn == 0.25 or turn == 0.75
    s, c = c if odd else s, s if odd else c
    return -s if turn >= 0.5 else s, -c if turn == 0.25 or turn == 0.5 else c


def missing() -> str | None:
    """Return why Numba cannot be used, or None; one that does not fit its NumPy is installed, and cannot be imported."""
    try:
        if importlib.util.find_spec("numba") is None:
            return "needs Numba, which is not installed: pip install robotdyn[fast]"
        importlib.import_module("numba")
    except ImportError as error:
        return f"needs Numba, which cannot be imported ({error}): pip install robotdyn[fast]"
    return None


def _indent(levels: int, lines: Iterable[str]) -> str:
    return "\n".join("    " * levels + line for line in lines)


def _entries(program: Program) -> dict[str, tuple[str, Any]]:
    """Return {name of a scalar: (array, index)} of the inputs that a program reads; free parameters stand in P."""
    inputs = {i.name: i for i in program.inputs}
    start = {}
    offset = 0
    for i in program.inputs:
        if i.free:
            start[i.name] = offset
            offset += i.size
    read = [node[1:] for node in program.nodes if node[0] == "input"]
    return {
        label: ("P", start[name] + k) if name in start else (_array_name(inputs[name]), _index(inputs[name].shape, k))
        for label, (name, k) in zip(input_names_by_node(program).values(), read)
    }


def _array_name(given: Input) -> str:
    """Return the name of an array of the kernels; the name of a scalar is that of its one entry."""
    return given.name if given.shape else f"{given.name}_ARRAY"


def _index(shape: tuple[int, ...], k: int) -> str:
    """Return the index of entry k of an array, as source."""
    return ", ".join(str(int(part) - 1) for part in entry_label(shape, k).split("_")) if shape else "0"


def _sincos_lines(layout: _Layout, function: str) -> list[str]:
    """Return the lines that compute the angles, and the sine and cosine of each by a function."""
    angles = layout.angles
    return angles.lines + [f"{pair} = {function}({angle})" for pair, angle in zip(layout.pairs, angles.results[0])]


def _signature(given: KernelArguments, more: int) -> str:
    """Return the types of contiguous arrays with `more` axes than one state has; P is a vector always."""
    axes = [1 if shape is None else len(shape) + more for _, shape in given]
    types = [f"float64[{', '.join([':'] * (n - 1) + ['::1'])}]" for n in axes]
    return f"boolean({', '.join(types)})"


RESERVED_WORDS = {
    "abs",
    "floor",
    "max",
    "min",
    "njit",
    "np",
    "one",
    "many",
    "range",
    "sincos",
    "sincos_of_any",
    "state",
}
RESERVED_WORDS |= {
    "P",
    "STATES",
    "FIRST",
    "LANE",
    "WIDTH",
    "DONE",
    "COLUMNS",
    "FAR",
    r"out[\d_]*",
    r".*_ARRAY",
    r".*_BLOCK",
}
TARGET = Target("numba", kernels, reserved=frozenset({*FUNCTIONS, *RESERVED_WORDS}), missing=missing, allowance=1.3)
