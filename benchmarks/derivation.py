"""Deriving the equation of motion of the planar N-link arm, every parameter a symbol:  derive  against SymPy's mechanics.

Each link has m, l, I and a center of mass (cx, cy).  The peers are written as a user would write them: LagrangesMethod
from an explicit T - V, KanesMethod from frames and rigid bodies.  Each run starts with empty SymPy caches in a process
of its own, and agrees with the others at a random state before its time counts.

Run:  python benchmarks/derivation.py [--quick]      prints the table and writes benchmarks/results/derivation.md
"""

import argparse
import json
import multiprocessing
import platform
import statistics
import time
from pathlib import Path

RESULT = Path(__file__).parent / "results" / "derivation.md"
LIMIT = 60  # s, for one derivation
LETTERS = ("m", "l", "I", "cx", "cy")


def parameters(N):
    """Return the symbols m, l, I, cx, cy, N each, and g."""
    import sympy

    return [[sympy.Symbol(f"{letter}_{i}", real=True) for i in range(1, N + 1)] for letter in LETTERS], sympy.Symbol(
        "g"
    )


def by_derive(N):
    """Return M, {name: what else} and the names of q and qd, by this library."""
    import robotdyn as rd

    (m, l, I, cx, cy), g = parameters(N)
    eqs = rd.derive(rd.robots.planar(l, m, list(zip(cx, cy)), I, gravity=g))
    return eqs.M, {"h": eqs.h, "g": eqs.g, "C": eqs.C}, list(eqs.q), list(eqs.qd)


def by_lagranges_method(N):
    """The same by sympy.physics.mechanics.LagrangesMethod."""
    import sympy
    from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

    (m, l, I, cx, cy), g = parameters(N)
    q = dynamicsymbols(f"q_1:{N + 1}")
    t = dynamicsymbols._t
    T = V = x = y = angle = 0
    for i in range(N):
        angle = angle + q[i]
        c = sympy.cos(angle)
        s = sympy.sin(angle)
        x_c = x + cx[i] * c - cy[i] * s
        y_c = y + cx[i] * s + cy[i] * c
        T += m[i] * (x_c.diff(t) ** 2 + y_c.diff(t) ** 2) / 2 + I[i] * angle.diff(t) ** 2 / 2
        V += m[i] * g * y_c
        x = x + l[i] * c
        y = y + l[i] * s
    method = LagrangesMethod(T - V, q)
    method.form_lagranges_equations()
    return method.mass_matrix, {"forcing": method.forcing}, q, [angle.diff(t) for angle in q]


def by_kanes_method(N):
    """The same by sympy.physics.mechanics.KanesMethod."""
    from sympy.physics.mechanics import (
        KanesMethod,
        Point,
        ReferenceFrame,
        RigidBody,
        dynamicsymbols,
        inertia,
    )

    (m, l, I, cx, cy), g = parameters(N)
    q = dynamicsymbols(f"q_1:{N + 1}")
    u = dynamicsymbols(f"u_1:{N + 1}")
    world = ReferenceFrame("N")
    joint = Point("O")
    joint.set_vel(world, 0)
    frame = world
    bodies = []
    loads = []
    rate = 0
    for i in range(N):
        turned = frame.orientnew(f"A{i}", "Axis", [q[i], world.z])
        rate = rate + u[i]
        turned.set_ang_vel(world, rate * world.z)
        com = joint.locatenew(f"C{i}", cx[i] * turned.x + cy[i] * turned.y)
        com.v2pt_theory(joint, world, turned)
        bodies.append(RigidBody(f"B{i}", com, turned, m[i], (inertia(turned, 0, 0, I[i]), com)))
        loads.append((com, -m[i] * g * world.y))
        end = joint.locatenew(f"P{i}", l[i] * turned.x)
        end.v2pt_theory(joint, world, turned)
        frame = turned
        joint = end
    method = KanesMethod(world, q_ind=q, u_ind=u, kd_eqs=[u_i - q_i.diff() for u_i, q_i in zip(u, q)])
    method.kanes_equations(bodies, loads)
    return method.mass_matrix, {"forcing": method.forcing}, q, u


METHODS = {"derive": by_derive, "LagrangesMethod": by_lagranges_method, "KanesMethod": by_kanes_method}


def measure(name, N, pipe):
    """In a process of its own: derive, warm, once for N = 2; then N; send time, operations and values at one state."""
    import numpy as np
    import sympy
    from sympy.core.cache import clear_cache

    METHODS[name](2)
    clear_cache()
    start = time.perf_counter()
    M, others, q, qd = METHODS[name](N)
    seconds = time.perf_counter() - start
    # Functions of time and their derivatives become symbols, or each would count as an operation.
    rates = {x: sympy.Symbol(f"u{i}") for i, x in enumerate(qd)}
    names = {x: sympy.Symbol(f"x{i}") for i, x in enumerate(q)}
    plain = [A.xreplace(rates).xreplace(names) for A in (M, *others.values())]
    operations = dict(zip(["M", *others], (int(sympy.count_ops(A)) for A in plain)))
    (m, l, I, cx, cy), g = parameters(N)
    arguments = [*names.values(), *rates.values(), *m, *l, *I, *cx, *cy, g]
    values = sympy.lambdify(arguments, plain[:3] if name == "derive" else plain)(
        *np.random.default_rng(N).uniform(0.5, 1.5, size=len(arguments))
    )
    bias = values[1] + values[2] if name == "derive" else -values[1]
    pipe.send((seconds, operations, np.asarray(values[0]).tolist(), np.asarray(bias).ravel().tolist()))


def run(name, N, limit):
    """Return (seconds, operations, M, bias), or None after the time limit."""
    context = multiprocessing.get_context("spawn")
    mine, theirs = context.Pipe()
    process = context.Process(target=measure, args=(name, N, theirs))
    process.start()
    theirs.close()
    result = mine.recv() if mine.poll(limit + 10) else None
    process.terminate()
    process.join()
    return result


def compare(N, repeats, limit, left_out):
    """Return {name: (times, operations)}: the runs of all methods take turns."""
    import numpy as np

    rows = {}
    for _ in range(repeats):
        for name in METHODS:
            if name in left_out:
                continue
            result = run(name, N, limit)
            if result is None:
                left_out.add(name)
                continue
            seconds, operations, M, bias = result
            first = rows.setdefault("agreed", (M, bias))
            for ours, theirs in zip(first, (M, bias)):
                np.testing.assert_allclose(theirs, ours, rtol=1e-9, atol=1e-9)
            rows.setdefault(name, ([], operations))[0].append(seconds)
    rows.pop("agreed")
    return rows


def table(results):
    """Return the lines of the table."""
    lines = [
        "| N | method | time s, median (least to most) | times slower | M | C qd and g | M, C qd, g | M, C, g |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for N, rows in results.items():
        ours = statistics.median(rows["derive"][0])
        for name, (times, operations) in rows.items():
            median = statistics.median(times)
            bias = operations.get("forcing") or operations["h"] + operations["g"]
            matrix = f"{operations['M'] + operations['C'] + operations['g']:,}" if "C" in operations else ""
            lines.append(
                f"| {N} | {name} | {median:.4f} ({min(times):.4f} to {max(times):.4f}) | {median / ours:.1f} "
                f"| {operations['M']:,} | {bias:,} | {operations['M'] + bias:,} | {matrix} |"
            )
    return lines


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--quick", action="store_true", help="N = 2, 3, 5, one run each, nothing written")
    quick = options.parse_args().quick
    results = {}
    left_out = set()
    for N in (2, 3, 5) if quick else (2, 3, 4, 5, 6, 8):
        results[N] = compare(N, 1 if quick else 5 if N < 6 else 3, LIMIT, left_out)
        print(f"N = {N}:", json.dumps({name: round(statistics.median(row[0]), 4) for name, row in results[N].items()}))
    import sympy

    head = (__doc__.split("\n\nRun:")[0] + "\n\n").splitlines()
    note = [f"SymPy {sympy.__version__}, Python {platform.python_version()}, {platform.machine()}, one thread."]
    note += [f"Left out after {LIMIT} s: {', '.join(sorted(left_out))}." if left_out else "No run met the time limit."]
    text = "\n".join(
        [f"# {head[0]}", *head[1:], *table(results), "", *note, "How to read it: `benchmarks/README.md`.", ""]
    )
    print(text)
    if not quick:
        RESULT.parent.mkdir(exist_ok=True)
        RESULT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
