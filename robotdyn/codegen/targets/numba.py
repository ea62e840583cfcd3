"""Programs for the machine, through Numba:  one state at a time, and many states side by side in SIMD registers.

For many states the inputs of 64 of them stand in columns of one scratch array, at constant distances, so that the
compiler can prove that no two columns overlap and runs the loop over states in vectors.  They are read from views of 64
rows, since a row whose number may be negative, counted from the last one, takes a choice in each access.  A division by zero gives
infinity, and NaN stays in its own state: of the relaxations of floating point only those are named that keep this.
"""

import importlib.util
import inspect
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from numpy import floor

from robotdyn.codegen.cache import load
from robotdyn.codegen.expressions import SourceBuilder, input_names_by_node, split_trigonometry
from robotdyn.codegen.program import Input, Program, entry_label
from robotdyn.codegen.targets.target import Kernels, Target
from robotdyn.codegen.tracer import FUNCTIONS

KernelArguments: TypeAlias = Sequence[
    tuple[str, "tuple[int, ...] | None"]
]  # arrays of a kernel: name and shape, None for P
BLOCK = 64  # states in the scratch array: a multiple of every vector length
COLUMN_STRIDE = (
    BLOCK + 8
)  # of columns, in numbers: no power of two, or all columns would share a few lines of the cache
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
    first, rest, names = split_trigonometry(program)
    angles, body = SourceBuilder(first), SourceBuilder(rest)
    entries = _entries(program)
    state = {label: entry for label, entry in entries.items() if entry[0] != "P"}
    results = [f"out{k}" if program.several else "out" for k in range(len(program.results))]
    targets, blocks = (
        [f"{name}{part}[{{}}{_index(a.shape, k)}]" for name, a in zip(results, program.results) for k in range(a.size)]
        for part in ("", "_BLOCK")
    )
    # in the scratch array: a column for each input, one for the largest angle, one for each result
    columns = [f"COLUMNS[{k * COLUMN_STRIDE} + LANE]" for k in range(len(state) + 1 + len(targets))]
    reads, (far, *wide) = columns[: len(state)], columns[len(state) :]
    waves = [f"{s}, {c}" for s, c in names]
    scalars = ", ".join([*entries, *waves])
    distance = "0.0"
    for angle in angles.results[0]:
        distance = f"max({distance}, abs({angle}))" if distance != "0.0" else f"abs({angle})"
    given: list[tuple[str, tuple[int, ...] | None]]
    given = [(_array_name(i), i.shape or (1,)) for i in program.state]
    given += [("P", None)] if program.free else []
    given += [(name, a.shape or (1,)) for name, a in zip(results, program.results)]
    arrays = ", ".join(name for name, _ in given)
    shaped = [(name, ", ".join(map(str, shape)), shape) for name, shape in given if shape is not None]
    row = lambda at: ", ".join(name if shape is None else f"{name}[{at}]" for name, shape in given)
    compiled = f'fastmath={FASTMATH}, error_model="numpy", nogil=True, cache=True'
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


@njit(fastmath={FASTMATH}, error_model="numpy", forceinline=True)
def state({scalars}):
    """Return the results for one state from its numbers, and the sines and cosines of its angles."""
{_indent(1, body.lines)}
    return ({"".join(f"{value}, " for row in body.results for value in row)})


@njit("{_signature(given, 0)}", {compiled})
def one({arrays}):
    """Write the results for one state; False where the shapes do not fit."""
    if not ({" and ".join(f"{name}.shape == {shape}" for name, _, shape in shaped)}):
        return False
{_indent(1, [f"{label} = {name}[{index}]" for label, (name, index) in entries.items()])}
{_indent(1, _sincos_lines(angles, waves, "sincos_of_any"))}
    {", ".join(target.format("") for target in targets)}, = state({scalars})
    return True


@njit("{_signature(given, 1)}", {compiled})
def many({arrays}):
    """Write the results for many states; False where the shapes do not fit."""
    STATES = {given[0][0]}.shape[0]
    if not ({" and ".join(f"{name}.shape == (STATES, {sizes})" for name, sizes, _ in shaped)}):
        return False
{_indent(1, [f"{label} = P[{k}]" for label, (name, k) in entries.items() if name == "P"])}
    COLUMNS = np.zeros({len(columns) * COLUMN_STRIDE})
    DONE = 0
    for FIRST in range(0, STATES - {SERIAL_STATES}, {BLOCK}):
        WIDTH = min({BLOCK}, STATES - FIRST)
{_indent(2, [f"{name}_BLOCK = {name}[FIRST : FIRST + WIDTH]" for name, _, _ in shaped])}
        for LANE in range(WIDTH):
{_indent(3, [f"{x} = {name}_BLOCK[LANE, {k}]" for x, (name, k) in zip(reads, state.values())] or ["pass"])}
        for LANE in range({BLOCK}):
{_indent(3, [f"{label} = {x}" for label, x in zip(state, reads)])}
{_indent(3, [*_sincos_lines(angles, waves, "sincos"), f"{far} = {distance}"])}
            {", ".join(wide)}, = state({scalars})
        for LANE in range(WIDTH):
{_indent(3, [f"{target.format('LANE, ')} = {x}" for target, x in zip(blocks, wide)])}
        FAR = 0
        for LANE in range({BLOCK}):
            FAR += {far} > {MAX_ANGLE}
        if FAR:
            for LANE in range(WIDTH):
                if {far} > {MAX_ANGLE}:
                    one({row("FIRST + LANE")})
        DONE = FIRST + WIDTH
    for LANE in range(DONE, STATES):
        one({row("LANE")})
    return True
'''


# Sine and cosine together, without a branch:  x = n pi/2 + r,  |r| <= pi/4,  two polynomials in r, and n says which.
# A compiler turns this text into SIMD code, which it cannot do with a call of the library's sin.  For |x| <= LIMIT each
# value is within 2.5 units in the last place; beyond, n pi/2 is no longer exact in the three parts: take sin and cos.
# Cody and Waite (1980); the coefficients are those of FreeBSD's msun (k_sin.c, k_cos.c, e_rem_pio2.c).
def sincos(x: float) -> tuple[float, float]:
    """Return sin(x), cos(x) of a float |x| <= LIMIT; NaN in, NaN out."""
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
    start, offset = {}, 0
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
    """Return the index of entry k of an array, as text."""
    return ", ".join(str(int(part) - 1) for part in entry_label(shape, k).split("_")) if shape else "0"


def _sincos_lines(angles: SourceBuilder, waves: list[str], function: str) -> list[str]:
    return angles.lines + [f"{wave} = {function}({angle})" for wave, angle in zip(waves, angles.results[0])]


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
