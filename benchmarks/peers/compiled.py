"""Peers that a compiler makes here:  a C++ loop over Pinocchio's aba, and our own program in C with SIMD, the limit."""

import ctypes
import hashlib
import shutil
import subprocess
import sysconfig
from pathlib import Path

import numpy as np

from robotdyn.codegen.expressions import Dialect, SourceBuilder, all_input_names
from robotdyn.codegen.program import Input, pruned
from robotdyn.codegen.tracer import operands

C = Dialect("const double {} = {};")
HERE = Path(__file__).parent
LOOP_FLAGS = ["-O3", "-std=c++17", "-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS"]


def pinocchio_loop(arm, q, qd, tau):
    """Return call(), which fills and returns the accelerations of all states, or None where it cannot be built."""
    headers = [Path(sysconfig.get_path("purelib")) / "cmeel.prefix" / "include", Path("/usr/include/eigen3")]
    if not shutil.which("g++") or not all(path.exists() for path in headers):
        return None
    flags = [*LOOP_FLAGS, "-DNDEBUG", *(f"-I{path}" for path in headers)]
    library = _built((HERE / "pinocchio_loop.cpp").read_text(encoding="utf-8"), "g++", ".cpp", flags)
    library.make.restype = ctypes.c_void_p
    parts = [
        np.concatenate([[x.mass], x.com, np.ravel(x.inertia), x.axis, x.position, np.ravel(x.rotation)])
        for x in arm.links
    ]
    kinds = {"revolute": 0, "prismatic": 1}
    parts = np.array(parts)
    prismatic = np.array([kinds[x.joint] for x in arm.links], dtype=np.int32)
    model = ctypes.c_void_p(library.make(arm.n, _at(parts), _at(prismatic), _at(np.array(arm.gravity))))
    return _loop(library, [model], q, qd, tau)


def limit(program, q, qd, tau):
    """Return call() of a program in C: vectors of states, sin and cos of whole vectors, every freedom for the compiler."""
    if not shutil.which("gcc"):
        return None
    flags = ["-Ofast", "-fopenmp-simd", "-mprefer-vector-width=512", "-fno-math-errno", "-lmvec", "-lm"]
    return _loop(_built(in_c(program), "gcc", ".c", flags), [], q, qd, tau)


def in_c(program):
    """Return the C source of a loop over states, in blocks of columns, for a program of q, qd, tau."""
    angles, rest, waves = split_trigonometry(program)
    angles = SourceBuilder(angles, C)
    body = SourceBuilder(rest, C)
    labels = [label for i in program.inputs for label in i.labels]
    n = program.inputs[0].size
    rows = {label: row for row, label in enumerate(labels)}
    lines = [
        "#include <math.h>",
        "#define BLOCK 64",
        f"void loop(int states, const double *q, const double *qd, const double *tau, double *out) {{",  # noqa: F541
        f"  static double x[{len(rows) + 2 * len(waves) + n}][BLOCK + 8] __attribute__((aligned(64)));",
        "  for (int lo = 0; lo < states; lo += BLOCK) {",
        "    const int m = states - lo < BLOCK ? states - lo : BLOCK;",
        "    for (int k = 0; k < m; ++k) {",
        *(
            f"      x[{rows[i.labels[j]]}][k] = {i.name}[(lo + k) * {n} + {j}];"
            for i in program.inputs
            for j in range(n)
        ),
        "    }",
    ]
    read = [f"      const double {label} = x[{row}][k];" for label, row in rows.items()]
    lines += ["#pragma omp simd", "    for (int k = 0; k < BLOCK; ++k) {", *read]
    lines += [f"      {line}" for line in angles.lines]
    lines += [f"      x[{len(rows) + 2 * k}][k] = {angle};" for k, angle in enumerate(angles.results[0])]
    lines += ["    }"]
    for row in range(len(rows), len(rows) + 2 * len(waves), 2):
        for to, function in ((row + 1, "cos"), (row, "sin")):
            lines += ["#pragma omp simd", f"    for (int k = 0; k < BLOCK; ++k) x[{to}][k] = {function}(x[{row}][k]);"]
    lines += ["#pragma omp simd", "    for (int k = 0; k < BLOCK; ++k) {", *read]
    for number, (s, c) in enumerate(waves):
        row = len(rows) + 2 * number
        lines += [f"      const double {s} = x[{row}][k], {c} = x[{row + 1}][k];"]
    out = len(rows) + 2 * len(waves)
    lines += [f"      {line}" for line in body.lines]
    lines += [f"      x[{out + k}][k] = {x};" for k, x in enumerate(body.results[0])]
    lines += ["    }", "    for (int k = 0; k < m; ++k) {"]
    lines += [f"      out[(lo + k) * {n} + {j}] = x[{out + j}][k];" for j in range(n)]
    return "\n".join([*lines, "    }", "  }", "}", ""])


def split_trigonometry(program):
    """Return two programs, the angles inside sines and cosines, and the rest, and the names of the sines and cosines.

    The rest has the sines and cosines as inputs; names: (name of the sine, of the cosine) of each angle.
    Angles that depend on other sines and cosines stay where they are.
    """
    trig_nodes = {}  # {node of an angle: {"sin": node, "cos": node}}
    depends_on_trig = set()
    for index, node in enumerate(program.nodes):
        if node[0] in ("sin", "cos") and node[1] not in depends_on_trig:
            trig_nodes.setdefault(node[1], {})[node[0]] = index
        if node[0] in ("sin", "cos") or any(k in depends_on_trig for k in operands(node)):
            depends_on_trig.add(index)
    numbers = _number_angles(program, trig_nodes)
    size = max(numbers.values(), default=-1) + 1
    nodes = list(program.nodes)
    used = {name.rstrip("0123456789") for name in all_input_names(program)}
    letters = ("s", "c")
    while used & set(letters):
        letters = ("sine", "cosine") if letters == ("s", "c") else tuple(f"{letter}_" for letter in letters)
    for angle, pair in trig_nodes.items():
        for kind, index in pair.items():
            nodes[index] = ("input", letters[kind == "cos"], numbers[angle])
    inputs = (*program.inputs, *(Input(letter, (size,)) for letter in letters))
    angle_indices = sorted(trig_nodes, key=lambda index: numbers[index])
    angles = pruned("angles", program.inputs, program.nodes, [np.array(angle_indices, dtype=int)])
    rest = pruned(program.name, inputs, nodes, program.results, program.several)
    return angles, rest, [tuple(f"{letter}{numbers[k] + 1}" for letter in letters) for k in angle_indices]


def _number_angles(program, angles):
    """Number the angles: entry k of q is angle k, so that s3 is the sine of q3; others follow."""
    numbers = {}
    size = max((i.size for i in program.inputs if i.name == "q"), default=0)
    for index in angles:
        kind, *label = program.nodes[index]
        is_coordinate = kind == "input" and label[0] == "q"
        numbers[index] = label[1] if is_coordinate else size
        size += not is_coordinate
    return numbers


def _loop(library, first, q, qd, tau):
    arrays = [np.ascontiguousarray(x) for x in (q, qd, tau)]
    out = np.empty_like(arrays[0])
    given = [*first, ctypes.c_int(len(out)), *map(_at, arrays), _at(out)]

    def call():
        library.loop(*given)
        return out

    call.keeps = arrays  # the library holds their addresses
    return call


def _built(source, compiler, ending, flags):
    """Return the library of a source text, compiled for this machine; a text is compiled once."""
    flags = ["-w", "-march=native", "-shared", "-fPIC", *flags]
    name = hashlib.sha256("\n".join([source, *flags]).encode()).hexdigest()[:24]
    place = HERE.parents[1] / "_build" / "benchmarks"
    place.mkdir(parents=True, exist_ok=True)
    path = place / f"{name}.so"
    text = place / f"{name}{ending}"
    if not path.exists():
        text.write_text(source, encoding="utf-8")
        print(f"compiling {text.name} ...", flush=True)
        subprocess.run([compiler, str(text), "-o", str(path), *flags], check=True)
    return ctypes.CDLL(str(path))


def _at(array):
    return array.ctypes.data_as(ctypes.c_void_p)
