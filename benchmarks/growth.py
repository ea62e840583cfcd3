"""How operations and time grow with the number of joints, planar arms of 2 to 100 rods.

*by bodies* is the articulated-body algorithm, *by factors* M qdd = tau - bias with M = L^T D L; `specialize` takes the shortest
of these and of the same factors in other frames, up to 16 joints.  Times, the least of nine rounds, are those of one state out of 2,048, compiled, and one call of
Pinocchio's `aba` and `rnea` from Python.  All agree with Pinocchio to 1e-9, beside the largest entry of a state and the condition of its mass matrix.

Run:  python benchmarks/growth.py [--quick]      prints the tables and writes benchmarks/results/growth.md and growth.svg
"""

import peers  # before NumPy, whose linear algebra reads the number of threads once, when it is loaded

# isort: split

import sys
from functools import partial

import numpy as np
from peers import models
from peers.arms import planar, states
from peers.clock import RESULTS, agreed, machine, report, turns

import robotdyn as rd
from robotdyn.dynamics.recursive import solved_forward_dynamics

SIZES = (2, 3, 4, 6, 8, 10, 14, 20, 30, 40, 60, 80, 100)
MOST_FACTORS = 20  # joints from which on programs of quadratic and cubic length are left out
WAYS = {
    "inverse dynamics": rd.inverse_dynamics,
    "mass matrix": rd.mass_matrix,
    "forward, by bodies": rd.forward_dynamics,
    "forward, by factors": solved_forward_dynamics,
}


def measured(n):
    """Return {way: (operations, us a state)} and {Pinocchio's: us a call} for n joints."""
    arm = planar(n)
    q, qd, third = states(arm, 2048)
    peer = models.pinocchio(arm)
    one = [np.ascontiguousarray(x[0]) for x in (q, qd, third)]
    calls = {}
    operations = {}
    condition = np.linalg.cond(peer["whole mass matrix"](one[0]))
    for way, algorithm in WAYS.items():
        if (algorithm is solved_forward_dynamics and n > MOST_FACTORS) or (way == "mass matrix" and n > MOST_FACTORS):
            continue
        given = (q,) if way == "mass matrix" else (q, qd, third)
        program = rd.trace(algorithm, arm)
        fast = rd.specialize(program, target="llvm")
        out = np.empty((2048, n, n) if way == "mass matrix" else (2048, n))
        title = "forward dynamics" if way.startswith("forward") else way
        expected = peer["whole mass matrix" if way == "mass matrix" else title](*one[: len(given)])
        found = fast(*given, out=out)[0]
        agreed(found.ravel(), expected.ravel(), f"{way}, {n}", 1e-9 * max(1, condition * 1e-6))
        calls[way] = partial(fast, *given, out=out)
        operations[way] = program.operations
    for title in ("inverse dynamics", "forward dynamics"):
        calls[f"Pinocchio, {title}"] = partial(peer[title], *one)
    times = {way: min(t) * 1e6 for way, t in turns(calls, 9).items()}
    return {way: (count, times[way] / 2048) for way, count in operations.items()}, {
        name: t for name, t in times.items() if name.startswith("Pinocchio")
    }


def draw(rows):
    """Write the plot: operations, and time, against the number of joints, both linear where they are straight."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for way in WAYS:
        points = [(n, *ours[way]) for n, (ours, _) in rows.items() if way in ours]
        sizes, operations, times = zip(*points)
        left.plot(sizes, operations, "o-", label=way, markersize=3)
        right.plot(sizes, times, "o-", label=way, markersize=3)
    for ax, label in ((left, "operations"), (right, "time of one state of a batch, us")):
        ax.set(xlabel="joints", ylabel=label, xlim=(0, None), ylim=(0, None))
        ax.legend()
    RESULTS.mkdir(exist_ok=True)
    matplotlib.rcParams["svg.hashsalt"] = "robotdyn"
    path = RESULTS / "growth.svg"
    figure.savefig(path, metadata={"Date": None})
    first, rest = path.read_text(encoding="utf8").split("\n", 1)
    told = "<!-- Operations and time against the number of joints; drawn by benchmarks/growth.py. -->"
    path.write_text("\n".join([first, told, *(line.rstrip() for line in rest.split("\n"))]), encoding="utf8")


def main():
    quick = "--quick" in sys.argv[1:]
    rows = {}
    for n in SIZES[:4] if quick else SIZES:
        rows[n] = measured(n)
        print(n, rows[n], flush=True)
    names = [*WAYS, *next(iter(rows.values()))[1]]
    lines = ["Operations:", "", f"| joints | {' | '.join(WAYS)} |", "|---" * (len(WAYS) + 1) + "|"]
    lines += [
        f"| {n} | " + " | ".join(f"{ours[way][0]:,}" if way in ours else "" for way in WAYS) + " |"
        for n, (ours, _) in rows.items()
    ]
    lines += ["", "Microseconds:", "", f"| joints | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for n, (ours, peer) in rows.items():
        cells = [f"{ours[way][1]:.4f}" if way in ours else "" for way in WAYS] + [f"{t:.2f}" for t in peer.values()]
        lines.append(f"| {n} | {' | '.join(cells)} |")
    if not quick:
        draw(rows)
        lines += [
            "",
            "![Operations and time against the number of joints: straight lines for the recursions](growth.svg)",
        ]
    report("growth", __doc__, [*lines, "", machine()], not quick)


if __name__ == "__main__":
    assert peers
    main()
