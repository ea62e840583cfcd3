"""Loops over time around a program:  a motion step by step, and the pass back through it.

The step is the function `one` of its program, written by `ir`; the loop hands it the rows of its arrays.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from robotdyn.codegen.machine import ir
from robotdyn.codegen.machine.engine import Compiled, width
from robotdyn.codegen.machine.ir import Writer
from robotdyn.codegen.machine.matrices import Matrix, MatrixWriter, solve
from robotdyn.codegen.program import Program
from robotdyn.maths.validate import Floats


def rollout(program: Program) -> Callable[..., None]:
    """Return the function (x, u, b, dt, k, K, x_old, lower, upper) that fills x (T, D) and u (T - 1, d), step by step.

    program: (x, u, b, dt) -> the next x; dt (T - 1,).  Where k is not empty, u becomes u + k + K (x - x_old), inside lower
    and upper (d,).  All are contiguous arrays of floats.
    """
    D = program.input("x").size
    d = program.input("u").size
    w = Writer()
    rows = {"x": D, "u": d, "dt": 1, "k": d, "K": d * D, "x_old": D}  # numbers from one time to the next
    w.label("entry")
    w.do("br label %next")
    w.label("next")
    w.do("%t = phi i64 [0, %entry], [%t.next, %step]")
    w.do("%more = icmp slt i64 %t, %steps")
    w.do("br i1 %more, label %torque, label %done")
    w.label("torque")
    w.do("%t.next = add i64 %t, 1")
    at = {name: w.place(f"%{name}", w.put(f"mul i64 %t, {size}")) for name, size in rows.items()}
    w.do("br i1 %feedback, label %answer, label %step")
    w.label("answer")
    _write_feedback(w, D, d, at)
    w.do("br label %step")
    w.label("step")
    later = w.place(at["x"], D)
    w.do(f"call void @one(ptr {at['x']}, ptr {at['u']}, ptr %b, ptr {at['dt']}, ptr {later})")
    w.do("br label %next")
    w.label("done")
    w.do("ret void")
    names = ("x", "u", "b", "dt", "k", "K", "x_old", "lower", "upper")
    head = f"define void @rollout(i64 %steps, i1 %feedback, {', '.join(f'ptr %{name}' for name in names)}) {{"
    code = Compiled(ir.module(ir.function_of_one(program), "\n".join([head, *w.lines, "}"])))
    run = code.function("rollout", [ctypes.c_int64, ctypes.c_bool, *[ctypes.c_void_p] * len(names)])

    def fill(*arrays: Floats) -> None:
        x, u, b, dt, k, K, x_old, lower, upper = arrays
        steps = len(u)
        check_arrays(
            arrays[: 4 if not len(k) else None],
            [(steps + 1, D), (steps, d), (d,), (steps,), (steps, d), (steps, d, D), (steps + 1, D), (d,), (d,)],
            (0, 1),
        )
        run(steps, len(k) > 0, *(array.ctypes.data for array in arrays))

    return fill


def _write_feedback(w: Writer, D: int, d: int, at: dict[str, str]) -> None:
    """Write u + k + K (x - x_old), inside its limits, in place of u."""
    gone = [w.op("fsub", w.load_one(at["x"], j), w.load_one(at["x_old"], j)) for j in range(D)]
    for i in range(d):
        u = w.op("fadd", w.load_one(at["u"], i), w.load_one(at["k"], i))
        for j in range(D):
            u = w.op("fadd", u, w.op("fmul", w.load_one(at["K"], i * D + j), gone[j]))
        lower = w.load_one("%lower", i)
        upper = w.load_one("%upper", i)
        u = w.choose(w.compare("ogt", lower, u), lower, u)  # NaN stays
        w.store_one(w.choose(w.compare("ogt", u, upper), upper, u), at["u"], i)


def backward(step: Callable[..., tuple[Any, ...]], D: int, d: int) -> Callable[..., tuple[bool, float, float]]:
    """Return the function (A, B, l_x, l_u, l_xx, l_ux, l_uu, mu, k, K) -> whether there is a minimum, slope, curvature.

    step: ([A, B, l_x, l_u, l_xx, l_ux, l_uu], v, V, mu, minimize) -> k, K, v, V, slope, curvature of one step back, in matrix
    algebra.  It fills k (T - 1, d) and K (T - 1, d, D), last time first, and stops where a step has no minimum.
    """
    code = Compiled(ir.module(_backward_text(step, D, d)), passes=False)
    types = [ctypes.c_int64, *[ctypes.c_void_p] * 11]
    run = code.function("backward", types, ctypes.c_bool)

    def fill(*arrays: Any) -> tuple[bool, float, float]:
        *costs, mu, k, K = arrays
        steps = len(k)
        mu = np.array([mu], dtype=float)
        sums = np.empty(2)
        shapes: list[tuple[int, ...]] = [(steps, D, D), (steps, D, d), (steps + 1, D), (steps, d), (steps + 1, D, D)]
        shapes += [(steps, d, D), (steps, d, d), (1,), (steps, d), (steps, d, D), (2,)]
        given = [*costs, mu, k, K, sums]
        check_arrays(given, shapes, (8, 9))
        found = run(steps, *(array.ctypes.data for array in given))
        return bool(found), float(sums[0]), float(sums[1])

    return fill


def _backward_text(step: Callable[..., tuple[Any, ...]], D: int, d: int) -> str:
    """Return the function i1 backward(long steps, double *A, .., *l_uu, *mu, *k, *K, *sums) of `backward`."""
    w = MatrixWriter(width())
    model = {"A": (D, D), "B": (D, d), "l_x": (1, D), "l_u": (1, d), "l_xx": (D, D), "l_ux": (d, D), "l_uu": (d, d)}
    v = w.new(1, D, 1)
    V = w.new(D, D)
    for place, name in ((v, "l_x"), (V, "l_xx")):  # of the last state
        last = w.place(f"%{name}", w.put(f"mul i64 %steps, {place.rows * place.columns}"))
        Matrix(w, last, place.rows, place.columns).copy_to(place)
    totals = [Matrix(w, w.place("%sums", k), 1, 1, 0) for k in range(2)]
    for total in totals:
        total.store(w.number(0.0), 0, 0, w)
    first = w.block
    w.do("br label %next")
    w.begin("next")
    w.do(f"%later = phi i64 [%steps, %{first}], [%t, %good]")
    w.do("%more = icmp sgt i64 %later, 0")
    w.do("br i1 %more, label %step, label %done")
    w.begin("step")
    w.do("%t = sub i64 %later, 1")
    given = {}
    for name, (rows, columns) in {**model, "k": (1, d), "K": (d, D)}.items():
        now = w.place(f"%{name}", w.put(f"mul i64 %t, {rows * columns}"))
        given[name] = Matrix(w, now, rows, columns, 1 if rows == 1 and name in ("l_x", "l_u", "k") else 2)
    tests: list[str] = []

    def minimize(Q: Matrix, p: Matrix, Q_ux: Matrix) -> list[Matrix]:
        positive, solutions = solve(Q, p, Q_ux)
        tests.append(positive)
        return solutions

    results = step([given[name] for name in model], v, V, Matrix(w, "%mu", 1, 1, 0), minimize)
    for result, place in zip(results, (given["k"], given["K"], v, V)):
        result.copy_to(place)
    for total, result in zip(totals, results[4:]):
        (total + result).copy_to(total)
    w.do(f"br i1 {tests[0]}, label %good, label %bad")
    w.label("good")
    w.do("br label %next")
    w.label("done")
    w.do("ret i1 true")
    w.label("bad")
    w.do("ret i1 false")
    names = [*model, "mu", "k", "K", "sums"]
    head = f"define i1 @backward(i64 %steps, {', '.join(f'ptr %{name}' for name in names)}) {{"
    return "\n".join([head, "entry:", *w.storage, *w.lines, "}"])


def check_arrays(arrays: Any, shapes: list[tuple[int, ...]], written: tuple[int, ...] = ()) -> None:
    """Refuse what machine code would read or write beyond its end; written: the numbers of those that it writes."""
    for k, (array, shape) in enumerate(zip(arrays, shapes)):
        fits = isinstance(array, np.ndarray) and array.shape == shape and array.dtype == float
        fits = fits and array.flags.c_contiguous and array.flags.aligned
        if not fits or (k in written and not array.flags.writeable):
            found = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
            raise ValueError(
                f"a loop needs contiguous, aligned arrays of float64, writable where it writes, here of shape {shape}, got {found}"
            )
