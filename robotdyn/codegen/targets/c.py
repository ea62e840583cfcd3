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

# what C, C++ (which may include the header) and their usual extensions keep for themselves
KEYWORDS = """auto break case char const continue default do double else enum extern float for goto if inline int long
register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while asm typeof
_Bool _Complex _Imaginary alignas alignof and and_eq bitand bitor bool catch char8_t char16_t char32_t class compl concept
const_cast consteval constexpr constinit co_await co_return co_yield decltype delete dynamic_cast explicit export false
friend mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public reinterpret_cast
requires static_assert static_cast template this thread_local throw true try typeid typename using virtual wchar_t xor
xor_eq main linux unix i386 NULL EOF FILE errno"""
# what <math.h> and <stdio.h> declare, GNU's and POSIX's among it, and what compilers build in: nothing may have such a name
LIBRARY = """abs abort acos acosh asin asinh atan atan2 atanh bcmp bcopy bzero calloc cbrt ceil clearerr copysign cos cosh
ctermid dprintf drem double_t erf erfc exit exp exp10 exp2 expm1 fabs fclose fdim fdopen feof ferror ffs fflush fgetc
fgetpos fgets fileno finite float_t floor fma fmax fmemopen fmin fmod fopen fpclassify fprintf fputc fputs fread free
freopen frexp fscanf fseek fsetpos ftell fwrite gamma getc getchar getdelim getline gets getw hypot ilogb index isalnum
isalpha isdigit isfinite isinf isless isnan isnormal isspace j0 j1 jn labs ldexp lgamma lgamma_r llabs llrint llround log
log10 log1p log2 logb lrint lround malloc math memchr memcmp memcpy memmove memset modf nan nearbyint nextafter nexttoward
off_t pclose perror popen pow pow10 printf putc putchar puts putw realloc remainder remove remquo rename rewind rindex rint
round scalb scalbln scalbn scanf setbuf setlinebuf setvbuf significand signbit signgam sin sincos sinh size_t snprintf
sprintf sqrt sscanf ssize_t stderr stdin stdio stdout strcat strchr strcmp strcpy strlen strncmp strncpy tan tanh tempnam
tgamma tmpfile tmpnam tolower toupper trunc ungetc va_list vfprintf vprintf vscanf vsnprintf vsprintf vsscanf y0 y1 yn
farther worst found expected"""
MACROS = (
    r"M_(E|LOG2E|LOG10E|LN2|LN10|PI|PI_2|PI_4|1_PI|2_PI|2_SQRTPI|SQRT2|SQRT1_2)|(FP|MATH|SEEK|STDC|FOPEN|TMP)_[A-Z0-9_]+|"
    r"BUFSIZ|FILENAME_MAX|L_tmpnam|P_tmpdir|NAN|INFINITY|MAXFLOAT|HUGE_VAL\w*"
)
STATES = 3  # in the test program
MAX_DRAWS = 200  # of states for it
MAX_LINE = 76  # characters of a table of numbers


class _Scalar:
    """How one kind of number is written."""

    def __init__(self, name: str, suffix: str, tolerance: float) -> None:
        self.name = name
        self.suffix = suffix
        self.tolerance = tolerance  # of the test program, beside the largest result
        functions = {function: function + suffix for function in FUNCTIONS}
        self.dialect: Dialect = Dialect(f"const {name} {{}} = {{}};", functions, self.number)

    def number(self, x: float) -> str:
        """Return a constant; ValueError where this kind of number cannot hold it."""
        if self.suffix and x and not 1.2e-38 < abs(x) < 3.4e38:
            raise ValueError(f'a float holds 1.2e-38 to 3.4e38, got {x!r}: take target "c", or other units')
        return f"{x!r}{self.suffix}"

    def array(self, name: str, size: int, written: bool = False) -> str:
        """Return the declaration of an argument."""
        return f"{'' if written else 'const '}{self.name} {name}[{size}]"

    def table(self, name: str, values: Floats) -> str:
        """Return the definition of a constant array."""
        words = [self.number(x) for x in np.ravel(values).tolist()]
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
    if not all(a.size for a in program.results):
        raise ValueError(
            f"a result in C must have an entry, got {[a.shape for a in program.results]} from {program.name}"
        )
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
    guard = f"ROBOTDYN_{program.name}_H"
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
    cases = []
    sizes: dict[str, float] = dict.fromkeys(_results(program), 0.0)  # of the largest entry of each result
    for case, (given, expected) in enumerate(_sample_states(program)):
        for name, result in expected.items():
            sizes[name] = max(sizes[name], float(abs(result).max()))
        cases += [scalar.table(f"{name}_{case}", x) for name, x in (given | expected).items()]
    results = list(zip(_results(program), program.results))
    lines = [f"    {scalar.name} {name}[{a.size}];" for name, a in results]
    for case in range(STATES):
        numbers = (f"{i.name}_{case}{'' if i.shape else '[0]'}" for i in program.inputs)
        passed = ", ".join([*numbers, *(name for name, _ in results)])
        lines.append(f"    {program.name}({passed});")
        lines += [
            f"    worst = farther(worst, {name}, {name}_{case}, {a.size}, {max(sizes[name], 1e-9)!r});"
            for name, a in results
        ]
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
            f"static double farther(double worst, const {scalar.name} *found, const {scalar.name} *expected, "
            "int size, double largest)",
            "{",
            "    for (int k = 0; k < size; ++k) {",
            "        const double gap = fabs((double) found[k] - (double) expected[k]) / largest;",
            "        worst = gap <= worst ? worst : gap; /* NaN, too, is farther */",
            "    }",
            "    return worst;",
            "}",
            "",
            "int main(void)",
            "{",
            "    double worst = 0.0;",
            *lines,
            f'    printf("{program.name}: largest difference %.1e, beside the largest entry of each result\\n", worst);',
            f"    return worst <= {scalar.tolerance!r} ? 0 : 1;",
            "}",
            "",
        ]
    )


def _sample_states(program: Program) -> list[tuple[dict[str, Floats], dict[str, Floats]]]:
    """Return inputs, and results by name, of a few states at which every operation has a value."""
    rng = np.random.default_rng(0)
    found: list[tuple[dict[str, Floats], dict[str, Floats]]] = []
    for attempt in range(MAX_DRAWS):
        low, high = (0.1, 1.0) if attempt % 2 == 0 else (-10.0, 10.0)
        given = {i.name: rng.uniform(low, high, i.shape) if i.value is None else i.value for i in program.inputs}
        given = {name: np.asarray(x, dtype=float) for name, x in given.items()}
        try:
            results = program(*(given[i.name] for i in program.state), **{i.name: given[i.name] for i in program.free})
        except (ArithmeticError, ValueError):  # the root of a negative number, a division by zero
            continue
        arrays = [np.asarray(x, dtype=float) for x in (results if program.several else (results,))]
        if all(np.isfinite(x).all() for x in arrays):
            found.append((given, dict(zip(_results(program), arrays))))
        if len(found) == STATES:
            return found
    raise ValueError(
        f"no state was found at which {program.name} has a value, of {MAX_DRAWS} between -10 and 10: write `source` into a file"
    )


def _target(name: str, scalar: _Scalar) -> Target:
    def files(program: Program) -> dict[str, str]:
        return {
            f"{program.name}.c": source(program, scalar),
            f"{program.name}.h": header(program, scalar),
            f"{program.name}_test.c": test_program(program, scalar),
        }

    words = {*KEYWORDS.split(), *(word + suffix for word in LIBRARY.split() for suffix in ("", "f", "l")), MACROS}
    words |= {r"out\d*", r"_[A-Z_]\w*", r"\w*__\w*"}
    return Target(name, lambda program: source(program, scalar), reserved=frozenset(words), files=files)


TARGETS = (_target("c", DOUBLE), _target("c-float", FLOAT))
