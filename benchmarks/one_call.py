"""One call from Python:  forward dynamics, inverse dynamics and the mass matrix of one state, microseconds.

*given* writes into an array that is given (`out=`, or the compiled kernel itself); *Python* is plain floats without a
compiler.  Pinocchio's `crba` fills the upper triangle, ours the whole matrix.  *operations* are those of the shortest way, which
`specialize` takes, of those of the algorithm as it is written.  All results agree with Pinocchio to 1e-9.

Run:  python benchmarks/one_call.py [--quick]      prints the tables and writes benchmarks/results/one_call.md
"""

import peers  # before NumPy, whose linear algebra reads the number of threads once, when it is loaded

# isort: split

import statistics
import sys

import numpy as np
from peers import models
from peers.arms import ARMS, states
from peers.clock import agreed, machine, report, told, turns

import robotdyn as rd

ALGORITHMS = {
    "forward dynamics": rd.forward_dynamics,
    "inverse dynamics": rd.inverse_dynamics,
    "mass matrix": rd.mass_matrix,
}
COLUMNS = ["LLVM", "LLVM, given", "Python", "Pinocchio", "MuJoCo", "Drake"]


def calling(function, *given):
    """Return call(), which passes the arguments as a loop would that has them by name, for every peer alike."""
    names = ", ".join(f"x{k}" for k in range(len(given)))
    return eval(f"(lambda f, {names}: lambda: f({names}))")(function, *given)


def methods(title, algorithm, arm):
    """Return {name: call()}, all agreed with Pinocchio."""
    given = [np.ascontiguousarray(x[0]) for x in states(arm, 1)][: 1 if algorithm is rd.mass_matrix else 3]
    fast = rd.specialize(algorithm, arm, "llvm")
    plain = rd.specialize(algorithm, arm, "python")
    peer = models.pinocchio(arm)
    expected = peer["whole mass matrix" if algorithm is rd.mass_matrix else title](*given)
    out = np.empty(expected.shape)
    kernel = fast.kernel
    calls = {
        "LLVM": calling(fast, *given),
        "LLVM, given": calling(kernel, *given, out),
        "Python": calling(plain, *given),
        "Pinocchio": calling(peer[title], *given),
    }
    others = {}
    if algorithm is rd.forward_dynamics:
        others["MuJoCo"] = models.mujoco(arm)
        if not models.missing("pydrake"):
            others["Drake"] = models.drake(arm)
    kernel(*given, out)
    for name, found in {"LLVM": fast(*given), "LLVM, given": out, "Python": plain(*given)}.items():
        agreed(found, expected, f"{title}, {name}")
    for name, call in others.items():
        agreed(call(*given), expected, f"{title}, {name}", 1e-8)
        calls[name] = calling(call, *given)
    return calls


def main():
    quick = "--quick" in sys.argv[1:]
    lines = []
    for title, algorithm in ALGORITHMS.items():
        lines += [
            "",
            f"## {title.capitalize()}",
            "",
            f"| us | {' | '.join(COLUMNS)} | times faster than Pinocchio | operations |",
        ]
        lines += ["|---" * (len(COLUMNS) + 3) + "|"]
        for name, build in ARMS.items():
            if quick and name not in ("planar 2", "Panda 7"):
                continue
            arm = build()
            count = f"{rd.specialize(algorithm, arm, 'python').operations:,} of {rd.trace(algorithm, arm).operations:,}"
            times = turns(methods(title, algorithm, arm), 7 if quick else 25, 0.02)
            ratio = statistics.median(times["Pinocchio"]) / statistics.median(times["LLVM"])
            cells = [told(times[c], 1e-6) if c in times else "" for c in COLUMNS]
            lines.append(f"| {name} | {' | '.join(cells)} | {ratio:.2f} | {count} |")
            print(lines[-1], flush=True)
    report("one_call", __doc__, [*lines[1:], "", machine()], not quick)


if __name__ == "__main__":
    assert peers
    main()
