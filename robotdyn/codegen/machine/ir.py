"""A program as text in the language of LLVM:  each line one instruction on W states at a time, in registers of W numbers.

    %t7 = fmul contract <4 x double> %t3, %t5

A division by zero gives infinity, and NaN stays in its own state and is passed on: of the relaxations of floating point
only one is named, that a product and a sum may be rounded once.
"""

from __future__ import annotations

import functools
import struct
from collections.abc import Callable, Sequence
from typing import Any

from robotdyn.codegen.program import Program
from robotdyn.codegen.tracer import operands

MAX_ANGLE = 1e5  # rad, the largest angle for which `Writer.sincos` takes its polynomials
FLAGS = "contract"  # never reassoc, nnan or ninf: x - (x - y) of a NaN is a NaN
OPERATIONS = {"+": "fadd", "-": "fsub", "*": "fmul"}

# Sine and cosine together, without a branch:  x = n pi/2 + r,  |r| <= pi/4,  two polynomials in r, and n says which.
# For |x| <= MAX_ANGLE each value is within 2.5 units in the last place; beyond, n pi/2 is no longer exact in the three parts.
# Cody and Waite (1980); the coefficients are those of FreeBSD's msun (k_sin.c, k_cos.c, e_rem_pio2.c).
QUARTERS_PER_RADIAN = 0.6366197723675814  # 2 / pi
QUARTER = (1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21)  # pi / 2, 33 bits a part
SINE = (
    -0.16666666666666632,
    0.00833333333332249,
    -0.0001984126982985795,
    2.7557313707070068e-06,
    -2.5050760253406863e-08,
    1.58969099521155e-10,
)
COSINE = (
    0.0416666666666666,
    -0.001388888888887411,
    2.480158728947673e-05,
    -2.7557314351390663e-07,
    2.087572321298175e-09,
    -1.1359647557788195e-11,
)


class Writer:
    """The lines of one function, on W numbers at a time: a method writes an instruction and returns its value's name."""

    width: int
    lines: list[str]
    type: str
    truth: str
    suffix: str

    def __init__(self, width: int = 1) -> None:
        self.width = width
        self.lines = []
        self.type = f"<{width} x double>" if width > 1 else "double"
        self.truth = f"<{width} x i1>" if width > 1 else "i1"
        self.suffix = f"v{width}f64" if width > 1 else "f64"

    def put(self, instruction: str) -> str:
        """Write "%t7 = instruction"; return %t7."""
        name = f"%t{len(self.lines) + 1}"
        self.lines.append(f"  {name} = {instruction}")
        return name

    def do(self, instruction: str) -> None:
        """Write an instruction without a value."""
        self.lines.append(f"  {instruction}")

    def label(self, name: str) -> None:
        """Begin a block."""
        self.lines.append(f"{name}:")

    def number(self, x: float) -> str:
        """Return a constant, W times."""
        bits = f"0x{struct.unpack('>Q', struct.pack('>d', float(x)))[0]:016X}"
        return bits if self.width == 1 else "<" + ", ".join(self.width * [f"double {bits}"]) + ">"

    def op(self, name: str, a: str, b: str) -> str:
        """Write a sum, difference, product or quotient."""
        return self.put(f"{name} {FLAGS} {self.type} {a}, {b}")

    def negative(self, a: str) -> str:
        """Write -a."""
        return self.put(f"fneg {self.type} {a}")

    def intrinsic(self, name: str, a: str) -> str:
        """Write what the processor has an instruction for: floor, sqrt, fabs."""
        return self.put(f"call {self.type} @llvm.{name}.{self.suffix}({self.type} {a})")

    def library(self, name: str, a: str) -> str:
        """Write a function of the mathematical library, one number at a time."""
        if self.width == 1:
            return self.put(f"call double @{name}(double {a})")
        value = "undef"
        for lane in range(self.width):
            x = self.put(f"extractelement {self.type} {a}, i32 {lane}")
            x = self.put(f"call double @{name}(double {x})")
            value = self.put(f"insertelement {self.type} {value}, double {x}, i32 {lane}")
        return value

    def compare(self, how: str, a: str, b: str) -> str:
        """Write a comparison: oeq, oge, ogt, ..: false for NaN."""
        return self.put(f"fcmp {how} {self.type} {a}, {b}")

    def choose(self, test: str, a: str, b: str) -> str:
        """Write "a if test else b", number by number."""
        return self.put(f"select {self.truth} {test}, {self.type} {a}, {self.type} {b}")

    def either(self, a: str, b: str) -> str:
        """Write "a or b" of comparisons."""
        return self.put(f"or {self.truth} {a}, {b}")

    def any(self, test: str) -> str:
        """Write whether a comparison holds for one of W."""
        if self.width == 1:
            return test
        bits = self.put(f"bitcast {self.truth} {test} to i{self.width}")
        return self.put(f"icmp ne i{self.width} {bits}, 0")

    def place(self, array: str, index: int | str) -> str:
        """Write the address of an entry of an array of doubles."""
        return self.put(f"getelementptr double, ptr {array}, i64 {index}")

    def load_one(self, array: str, index: int | str) -> str:
        """Write the reading of one double."""
        return self.put(f"load double, ptr {self.place(array, index)}")

    def store_one(self, value: str, array: str, index: int | str) -> None:
        """Write one double into an array."""
        self.do(f"store double {value}, ptr {self.place(array, index)}")

    def load(self, array: str, size: int, k: int) -> str:
        """Write the reading of entry k of W rows of a size."""
        if self.width == 1:
            return self.load_one(array, k)
        value = "undef"
        for lane in range(self.width):
            x = self.load_one(array, k + lane * size)
            value = self.put(f"insertelement {self.type} {value}, double {x}, i32 {lane}")
        return value

    def load_same(self, array: str, k: int) -> str:
        """Write the reading of one entry, the same for all W."""
        return self.spread(self.load_one(array, k))

    def spread(self, x: str) -> str:
        """Write one number into all W places."""
        if self.width == 1:
            return x
        first = self.put(f"insertelement {self.type} undef, double {x}, i32 0")
        return self.put(f"shufflevector {self.type} {first}, {self.type} undef, <{self.width} x i32> zeroinitializer")

    def store(self, value: str, array: str, size: int, k: int) -> None:
        """Write entry k of W rows of a size."""
        for lane in range(self.width):
            x = value if self.width == 1 else self.put(f"extractelement {self.type} {value}, i32 {lane}")
            self.store_one(x, array, k + lane * size)

    def sincos(self, x: str) -> tuple[str, str]:
        """Write sin(x), cos(x) of |x| <= MAX_ANGLE."""
        c = self.number
        mul, add, sub = (functools.partial(self.op, name) for name in ("fmul", "fadd", "fsub"))
        n = self.intrinsic("floor", add(mul(x, c(QUARTERS_PER_RADIAN)), c(0.5)))
        r = x
        for part in QUARTER:
            r = sub(r, mul(n, c(part)))
        z = mul(r, r)
        s = c(SINE[-1])
        for coefficient in SINE[-2::-1]:
            s = add(c(coefficient), mul(z, s))
        s = add(r, mul(mul(r, z), s))
        p = c(COSINE[-1])
        for coefficient in COSINE[-2::-1]:
            p = add(c(coefficient), mul(z, p))
        p = sub(c(1.0), sub(mul(c(0.5), z), mul(mul(z, z), p)))
        quarter = mul(c(0.25), n)
        turn = sub(quarter, self.intrinsic("floor", quarter))  # 0, 1/4, 1/2 or 3/4
        first = self.compare("oeq", turn, c(0.25))
        odd = self.either(first, self.compare("oeq", turn, c(0.75)))
        s, p = self.choose(odd, p, s), self.choose(odd, s, p)
        sine = self.choose(self.compare("oge", turn, c(0.5)), self.negative(s), s)
        turned = self.either(first, self.compare("oeq", turn, c(0.5)))
        return sine, self.choose(turned, self.negative(p), p)


class ProgramWriter:
    """Writes a program into a function in three parts: its angles, their sines and cosines, and all that follows.

    read: (name of an input, entry) -> the name of the value, whose lines it writes.
    Angles are those that depend on no other sine; the sine of a sine is left to the library.
    """

    def __init__(self, writer: Writer, program: Program, read: Callable[[str, int], str]) -> None:
        self.writer = writer
        self.program = program
        self.read = read
        self.values: dict[int, str] = {}
        self.waves: dict[int, tuple[str, str]] = {}  # angle: sine, cosine
        self.angles: list[int] = angles(program.nodes)

    def write_angles(self) -> str | None:
        """Write the angles; return whether one is beyond MAX_ANGLE, or None where there are no angles."""
        self._write_nodes(needed(self.program.nodes, self.angles))
        writer = self.writer
        far = None
        for index in self.angles:  # one by one, so that a NaN hides no other
            size = writer.intrinsic("fabs", self.values[index])
            beyond = writer.compare("ogt", size, writer.number(MAX_ANGLE))
            far = beyond if far is None else writer.either(far, beyond)
        return None if far is None else writer.any(far)

    def write_rest(self) -> list[list[str]]:
        """Write what is left; return the values of each result."""
        self._write_nodes(range(len(self.program.nodes)))
        return [[self.values[int(k)] for k in result.flat] for result in self.program.results]

    def _write_nodes(self, indices: Sequence[int]) -> None:
        for index in indices:
            if index not in self.values:
                self.values[index] = self._write_node(*self.program.nodes[index])

    def _write_node(self, kind: str, *parts: Any) -> str:
        writer = self.writer
        if kind == "number":
            return writer.number(parts[0])
        if kind == "input":
            return self.read(*parts)
        if kind in ("sin", "cos") and parts[0] in self.waves:
            return self.waves[parts[0]][kind == "cos"]
        given = [self.values[k] for k in parts]
        if kind in OPERATIONS:
            return writer.op(OPERATIONS[kind], *given)
        if kind == "neg":
            return writer.negative(*given)
        if kind == "inverse":
            return writer.op("fdiv", writer.number(1.0), *given)
        return writer.intrinsic(kind, *given) if kind == "sqrt" else writer.library(kind, *given)


def angles(nodes: Sequence[tuple[Any, ...]]) -> list[int]:
    """Return the nodes whose sine or cosine is taken, and that depend on no other sine or cosine."""
    found: dict[int, None] = {}
    depends: set[int] = set()
    for index, node in enumerate(nodes):
        if node[0] in ("sin", "cos") and node[1] not in depends:
            found[node[1]] = None
        if node[0] in ("sin", "cos") or any(k in depends for k in operands(node)):
            depends.add(index)
    return list(found)


def needed(nodes: Sequence[tuple[Any, ...]], ends: Sequence[int]) -> list[int]:
    """Return the nodes that some nodes are made of, themselves among them, in order."""
    live: set[int] = set()
    pending = list(ends)
    while pending:
        k = pending.pop()
        if k not in live:
            live.add(k)
            pending += operands(nodes[k])
    return sorted(live)


# ---- functions ------------------------------------------------------------------------------------------------------


def arguments(program: Program) -> list[str]:
    """Return the arrays of the functions: the inputs, all free parameters in one array, and the results."""
    names = [f"%in{k}" for k in range(len(program.state))]
    names += ["%free"] if program.free else []
    return names + [f"%out{k}" for k in range(len(program.results))]


def function_of_one(program: Program, name: str = "one") -> str:
    """Return the function of one state: void one(double *in0, .., double *out0)."""
    writer = Writer()
    writer.label("entry")
    _write_state(writer, program, {})
    writer.do("ret void")
    head = f"define void @{name}({', '.join(f'ptr {x}' for x in arguments(program))}) {{"
    return "\n".join([head, *writer.lines, "}"])


def function_of_many(program: Program, width: int, name: str = "many") -> str:
    """Return the function of N >= W states: void many(long N, double *in0, .., double *out0), rows of arrays in C order.

    W states at a time; where N is no multiple of W, the last W are computed last, some of them for the second time.
    """
    writer = Writer(width)
    names = arguments(program)
    writer.label("entry")
    writer.do(f"%last = sub i64 %N, {width}")
    writer.do("br label %block")
    writer.label("block")
    writer.do("%i = phi i64 [0, %entry], [%i.next, %rest]")
    rows = {array: _row(writer, array, size) for array, size in zip(names, row_sizes(program))}
    _write_state(writer, program, rows)
    writer.do(f"%after = add i64 %i, {width}")
    writer.do("%over = icmp sgt i64 %after, %last")
    writer.do("%i.next = select i1 %over, i64 %last, i64 %after")
    writer.do("%end = icmp sge i64 %after, %N")
    writer.do("br i1 %end, label %done, label %block")
    writer.label("done")
    writer.do("ret void")
    head = f"define void @{name}(i64 %N, {', '.join(f'ptr {x}' for x in names)}) {{"
    return "\n".join([head, *writer.lines, "}"])


def _write_state(writer: Writer, program: Program, rows: dict[str, str]) -> None:
    """Write all of a program for W states, up to a block `rest`; rows: {array: its first row of these}."""
    body = ProgramWriter(writer, program, reader(writer, program, rows))
    far = body.write_angles()
    if far is None:
        writer.do("br label %rest")
        writer.label("rest")
    else:  # by polynomials, or where an angle is very large by the library
        writer.do(f"br i1 {far}, label %far, label %near")
        writer.label("near")
        near = {k: writer.sincos(body.values[k]) for k in body.angles}
        writer.do("br label %rest")
        writer.label("far")
        exact = {k: [writer.library(name, body.values[k]) for name in ("sin", "cos")] for k in body.angles}
        writer.do("br label %rest")
        writer.label("rest")
        for k in body.angles:
            sine, cosine = (
                writer.put(f"phi {writer.type} [{a}, %near], [{b}, %far]")
                for a, b in zip(near[k], exact[k], strict=True)
            )
            body.waves[k] = sine, cosine
    _store_results(writer, program, body.write_rest(), rows)


def declaration_of_one(program: Program) -> str:
    """Return the line that says that `one` stands elsewhere."""
    return f"declare void @one({', '.join(['ptr'] * len(arguments(program)))})"


def reader(writer: Writer, program: Program, rows: dict[str, str]) -> Callable[[str, int], str]:
    """Return the `read` of a ProgramWriter that takes entries from arrays; rows: {array: its first row of this block}."""
    arrays: dict[str, tuple[str, int, int]] = {}
    for k, i in enumerate(program.state):
        arrays[i.name] = f"%in{k}", i.size, 0
    first = 0
    for i in program.free:
        arrays[i.name] = "%free", 0, first
        first += i.size

    def read(name: str, k: int) -> str:
        array, size, first = arrays[name]
        if not size:
            return writer.load_same(array, first + k)
        return writer.load(rows.get(array, array), size, k)

    return read


def row_sizes(program: Program) -> list[int]:
    """Return the numbers from row to row of each argument: 0 for the free parameters, which all states share."""
    return [i.size for i in program.state] + [0] * bool(program.free) + [a.size for a in program.results]


def _row(writer: Writer, array: str, size: int) -> str:
    return writer.place(array, writer.put(f"mul i64 %i, {size}")) if size else array


def _store_results(writer: Writer, program: Program, values: Sequence[Sequence[str]], rows: dict[str, str]) -> None:
    for number, row in enumerate(values):
        array = f"%out{number}"
        for k, value in enumerate(row):
            writer.store(value, rows.get(array, array), len(row), k)


def declarations(text: str) -> str:
    """Return the declarations of all that a text calls of LLVM and of the mathematical library."""
    lines = []
    for suffix, type_ in (("f64", "double"), *((f"v{w}f64", f"<{w} x double>") for w in (2, 4, 8, 16))):
        for name in ("floor", "sqrt", "fabs", "minnum", "maxnum"):
            if f"@llvm.{name}.{suffix}(" in text:
                given = ", ".join([type_] * (1 + name.endswith("num")))
                lines.append(f"declare {type_} @llvm.{name}.{suffix}({given})")
    for name in ("sin", "cos", "tan", "exp", "log", "tanh"):
        if f"call double @{name}(" in text:
            lines.append(f"declare double @{name}(double)")
    return "\n".join(lines)


def module(*functions: str) -> str:
    """Return a whole text: functions, and what they call."""
    text = "\n\n".join(functions)
    return "\n".join([declarations(text), text, ""])
