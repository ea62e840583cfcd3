"""The fastest motion along 100 random paths of random arms:  times of `rd.trajectories.fastest_along` and of toppra.

Arms of three and six hinges in turn; each path is a natural cubic spline of SciPy through five random poses, on a grid of
201 points; each motor has 1.3 times the largest weight that it carries on the path, and 1 N m.  toppra has the same
spline, the same inverse dynamics (ours: it brings none), the same grid, its `JointTorqueConstraint` with
interpolation, and its solver seidel.  toppra's time has two parts: setting up the problem, which calls inverse dynamics one
point at a time and so is mostly our own, and the passes, which are compiled.  Ours is that of one call, inverse dynamics
for all points at once, the passes in NumPy, and the torques.  Both leave out the spline.  Methods take turns, path by path.
A path is the same where both times agree within 0.5 %; torques are looked at between grid points, 4001 times a motion.

Run:  python benchmarks/path_timing.py [--quick]      prints the table and writes benchmarks/results/path_timing.md
toppra takes part where it is installed (pip install toppra); without it ours runs alone, and no table is written.
"""

import peers  # before NumPy, whose linear algebra reads the number of threads once, when it is loaded

# isort: split

import logging
import statistics
import sys
import time
from importlib.util import find_spec

import numpy as np
from peers.clock import machine, report

import robotdyn as rd

plan = rd.trajectories
GRID = np.linspace(0, 1, 201)
KNOTS = np.linspace(0, 1, 5)
CLOSE = 0.005


def cases(count):
    """Return (arm, via points, limits) of this many random paths."""
    rng = np.random.default_rng(37)
    found = []
    for k in range(count):
        arm = rd.robots.random_arm(rng, (3, 6)[k % 2])
        points = rng.uniform(-1.5, 1.5, (len(KNOTS), arm.n))
        path = plan.through(KNOTS, points, ends="natural")
        weight = abs(plan.coefficients(arm, path, GRID)[2]).max(axis=0)
        found.append((arm, points, path, 1.3 * weight + 1))
    return found


def by_toppra():
    """Return the function that times a path by toppra: (arm, points, limits) -> (s, seconds to set up, seconds of the passes)."""
    import toppra
    from toppra import algorithm, constraint

    toppra.setup_logging("ERROR")
    logging.disable(logging.WARNING)

    def method(arm, points, limits):
        path = toppra.SplineInterpolator(KNOTS, points, bc_type="natural")
        began = time.perf_counter()
        torque = constraint.JointTorqueConstraint(
            lambda q, qd, qdd: rd.inverse_dynamics(arm, q, qd, qdd),
            np.stack([-limits, limits], axis=1),
            np.zeros(arm.n),
            discretization_scheme=constraint.DiscretizationType.Interpolation,
        )
        problem = algorithm.TOPPRA([torque], path, gridpoints=GRID, solver_wrapper="seidel")
        ready = time.perf_counter()
        _, rate, _ = problem.compute_parameterization(0, 0)
        done = time.perf_counter()
        return float(np.sum(2 * np.diff(GRID) / (rate[1:] + rate[:-1]))), ready - began, done - ready

    return method


def main():
    assert peers
    quick = "--quick" in sys.argv[1:]
    peer = by_toppra() if find_spec("toppra") else None
    rows = {}
    for arm, points, path, limits in cases(10 if quick else 100):
        row = rows.setdefault(arm.n, {"apart": [], "ours": [], "set up": [], "passes": [], "over": []})
        began = time.perf_counter()
        fast = plan.fastest_along(arm, path, limits, GRID)
        row["ours"].append(time.perf_counter() - began)
        tau = rd.inverse_dynamics(arm, *fast(np.linspace(0, fast.duration, 4001)))
        row["over"].append((abs(tau) / limits).max() - 1)
        if peer:
            duration, set_up, passes = peer(arm, points, limits)
            row["set up"].append(set_up)
            row["passes"].append(passes)
            row["apart"].append(abs(fast.duration / duration - 1))
    lines = [
        "| joints | paths | times within 0.5 % | largest difference of the times | torques above their limits, at most | ours, ms | toppra, set up, ms | toppra, passes, ms |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for n, row in rows.items():
        middle = {
            name: f"{1e3 * statistics.median(row[name]):.1f}" if row[name] else ""
            for name in ("ours", "set up", "passes")
        }
        same = sum(x < CLOSE for x in row["apart"])
        worst = f"{max(row['apart']):.1e}" if row["apart"] else ""
        cells = (n, len(row["ours"]), same, worst, f"{100 * max(row['over']):.2f} %", *middle.values())
        lines.append(f"| {' | '.join(map(str, cells))} |")
    print(*lines, sep="\n")
    report("path_timing", __doc__, [*lines, "", machine()], bool(peer) and not quick)


if __name__ == "__main__":
    main()
