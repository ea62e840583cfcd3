"""Programs as C for firmware:  C99 without allocation, a header, and a test program with numbers; double or float.

Every array is flat, rows first, and a scalar is passed by its value.  Parameters that stayed free are arguments; the header has the arm's own values.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from robotdyn.codegen.expressions import Dialect, SourceBuilder
from robotdyn.codegen.program import Input, Program
from robotdyn.codegen.targets.target import Target
from robotdyn.codegen.tracer import FUNCTIONS
from robotdyn.maths.validate import Floats

KEYWORDS = """auto break case char const continue default do double else enum extern float for goto if inline int long
register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while asm typeof
_Bool _Complex _Imaginary alignas alignof bool constexpr false nullptr static_assert thread_local true main"""
# what <math.h> declares: nothing of a program may have one of these names
MATH = """acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma
fmax fmin fmod frexp gamma hypot ilogb isfinite isinf isnan isnormal j0 j1 jn ldexp lgamma llrint llround log log10 log1p
log2 logb lrint lround modf nan nearbyint nextafter nexttoward pow remainder remquo rint round scalbln scalbn signbit sin
sinh sqrt tan tanh tgamma trunc y0 y1 yn"""
STATES = 3  # in the test program
MAX_LINE = 76  # characters of a table of numbers


class _Scalar:
    """How one kind of number is written."""

    def __init__(self, name: str, suffix: str, tolerance: float) -> None:
        self.name = name
        self.suffix = suffix
        self.tolerance = tolerance  # of the test program, beside the largest result
        functions = {function: function + suffix for function in FUNCTIONS}
        self.dialect: Dialect = Dialect(f"const {name} {{}} = {{}};", functions, lambda x: f"{x!r}{suffix}")

    def array(self, name: str, size: int, written: bool = False) -> str:
        """Return the declaration of an argument."""
        return f"{'' if written else 'const '}{self.name} {name}[{size}]"

    def table(self, name: str, values: Floats) -> str:
        """Return the definition of a constant array."""
        words = [f"{x!r}{self.suffix}" for x in np.ravel(values).tolist()]
        lines = [""]
        for word in words:
            if len(lines[-1]) + len(word) > MAX_LINE:
                lines.append("")
            lines[-1] += f"{word}, "
        body = "\n".join(f"    {line.rstrip(' ')}" for line in lines).rstrip(",")
        return f"static const {self.name} {name}[{len(words)}] = {{\n{body}}};"


DOUBLE = _Scalar("double", "", 1e-12)
FLOAT = _Scalar("float", "f", 1e-3)


def _results(program: Program) -> list[str]:
    names = [f"out{k + 1}" for k in range(len(program.results))]
    return names if program.several else ["out"]


def _prototype(program: Program, scalar: _Scalar) -> str:
    given = [scalar.array(i.name, i.size) if i.shape else f"const {scalar.name} {i.name}" for i in program.inputs]
    given += [scalar.array(name, a.size, written=True) for name, a in zip(_results(program), program.results)]
    return f"void {program.name}({', '.join(given)})"


def _shapes(inputs: Iterable[Input]) -> str:
    return ", ".join(f"{i.name} {i.shape}" for i in inputs)


def source(program: Program, scalar: _Scalar = DOUBLE) -> str:
    """Return the text of the function."""
    body = SourceBuilder(program, scalar.dialect)
    read = {node[1:] for node in program.nodes if node[0] == "input"}
    entries = [
        f"const {scalar.name} {label} = {i.name}[{k}];"
        for i in program.inputs
        for k, label in enumerate(i.labels)
        if (i.name, k) in read and label != i.name
    ]
    unread = [f"(void) {i.name};" for i in program.inputs if not any(name == i.name for name, _ in read)]
    stores = [
        f"{name}[{k}] = {value};" for name, row in zip(_results(program), body.results) for k, value in enumerate(row)
    ]
    lines = [*unread, *entries, *body.lines, *stores]
    return "\n".join(
        [
            f"/* {program.name}: {program.operations} operations; written by robotdyn. */",
            "",
            f'#include "{program.name}.h"',
            "",
            "#include <math.h>",
            "",
            _prototype(program, scalar),
            "{",
            *(f"    {line}" for line in lines),
            "}",
            "",
        ]
    )


def header(program: Program, scalar: _Scalar = DOUBLE) -> str:
    """Return the header: what the function takes and gives, and the values of what stayed free."""
    guard = f"{program.name.upper()}_H"
    shapes = ", ".join(f"{name} {a.shape}" for name, a in zip(_results(program), program.results))
    tables = [scalar.table(f"{program.name}_{i.name}", i.value) for i in program.free if i.value is not None]
    free = [f" * Free parameters, with the values of the arm below: {_shapes(program.free)}."] if program.free else []
    return "\n".join(
        [
            f"/* {program.name}, written by robotdyn: SI units, angles in rad, arrays flat, rows first.",
            f" * In: {_shapes(program.state)}.  Out: {shapes}.  No argument may overlap a result.",
            *free,
            " */",
            f"#ifndef {guard}",
            f"#define {guard}",
            "",
            "#ifdef __cplusplus",
            'extern "C" {',
            "#endif",
            "",
            f"{_prototype(program, scalar)};",
            *(["", *tables] if tables else []),
            "",
            "#ifdef __cplusplus",
            "}",
            "#endif",
            "",
            "#endif",
            "",
        ]
    )


def test_program(program: Program, scalar: _Scalar = DOUBLE) -> str:
    """Return a program that compares the function with numbers that were computed here; it returns 0 if all agree."""
    rng = np.random.default_rng(0)
    cases = []
    largest = 0.0
    for case in range(STATES):
        given = {
            i.name: rng.uniform(0.1, 1.0, i.shape) if i.value is None else i.value.astype(float) for i in program.inputs
        }
        found = program(*(given[i.name] for i in program.state), **{i.name: given[i.name] for i in program.free})
        expected = [np.asarray(x, dtype=float) for x in (found if program.several else (found,))]
        largest = max(largest, *(float(abs(x).max()) for x in expected))
        named = [*given.items(), *zip(_results(program), expected)]
        cases += [scalar.table(f"{name}_{case}", x) for name, x in named]
    results = list(zip(_results(program), program.results))
    lines = [f"    {scalar.name} {name}[{a.size}];" for name, a in results]
    for case in range(STATES):
        numbers = (f"{i.name}_{case}{'' if i.shape else '[0]'}" for i in program.inputs)
        passed = ", ".join([*numbers, *(name for name, _ in results)])
        lines.append(f"    {program.name}({passed});")
        lines += [f"    worst = farther(worst, {name}, {name}_{case}, {a.size});" for name, a in results]
    return "\n".join(
        [
            f"/* Compares {program.name} with numbers that robotdyn computed; returns 0 if all agree. */",
            "",
            f'#include "{program.name}.h"',
            "",
            "#include <math.h>",
            "#include <stdio.h>",
            "",
            *cases,
            "",
            f"static double farther(double worst, const {scalar.name} *found, const {scalar.name} *expected, int size)",
            "{",
            "    for (int k = 0; k < size; ++k) {",
            "        const double gap = fabs((double) found[k] - (double) expected[k]);",
            "        worst = gap <= worst ? worst : gap; /* NaN, too, is farther */",
            "    }",
            "    return worst;",
            "}",
            "",
            "int main(void)",
            "{",
            "    double worst = 0.0;",
            *lines,
            f'    printf("{program.name}: largest difference %.1e, beside results up to {largest:.3g}\\n", worst);',
            f"    return worst <= {scalar.tolerance * max(largest, 1e-3)!r} ? 0 : 1;",
            "}",
            "",
        ]
    )


def _target(name: str, scalar: _Scalar) -> Target:
    def files(program: Program) -> dict[str, str]:
        return {
            f"{program.name}.c": source(program, scalar),
            f"{program.name}.h": header(program, scalar),
            f"{program.name}_test.c": test_program(program, scalar),
        }

    words = {*KEYWORDS.split(), *(word + suffix for word in MATH.split() for suffix in ("", "f")), "M_PI", "NAN"}
    words |= {"INFINITY", "HUGE_VAL", r"out\d*"}
    return Target(name, lambda program: source(program, scalar), reserved=frozenset(words), files=files)


TARGETS = (_target("c", DOUBLE), _target("c-float", FLOAT))
