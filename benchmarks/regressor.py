"""Regressors and derivatives:  Y of tau = Y phi, and the derivatives of the acceleration, in one call and over 10,000 states.

Ours are what `specialize` makes for LLVM of `rd.regressor` and of `rd.forward_dynamics_derivatives`; *given* is the
kernel with arrays for its results.  Pinocchio's are `computeJointTorqueRegressor` and `computeABADerivatives`, called
from Python state by state; it orders the ten parameters of a link otherwise, so its columns are sorted before they are
compared.  All results agree to 1e-10 before a clock starts.

Run:  python benchmarks/regressor.py [--quick]      prints the tables and writes benchmarks/results/regressor.md
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

ALGORITHMS = {"regressor": rd.regressor, "derivatives of forward dynamics": rd.forward_dynamics_derivatives}
SOME = 500  # states of Pinocchio's loop in Python


def methods(title, arm, B):
    """Return {name: (call, states a call)} for one call and for B states, all agreed with Pinocchio."""
    fast = rd.specialize(ALGORITHMS[title], arm, "llvm")
    peer = models.pinocchio(arm)[title]
    many = states(arm, B)
    one = [np.ascontiguousarray(x[0]) for x in many]
    given = [np.empty(places.shape) for places in fast.program.results]
    out = [np.empty((B, *places.shape)) for places in fast.program.results]
    into = out if fast.program.several else out[0]
    some = [np.ascontiguousarray(x[:SOME]) for x in many]
    kernel = fast.kernel
    kernel(*one, *given)
    fast(*many, out=into)
    expected = [peer(*(x[k] for x in some)) for k in range(3)]
    for k, results in enumerate(expected):
        for found, right in zip(out, results):
            agreed(found[k], right, title, 1e-10)
    for found, mine in zip(given, out):
        agreed(found, mine[0], title, 1e-12)
    calls = {"LLVM": lambda: fast(*one), "LLVM, given": lambda: kernel(*one, *given)}
    bare = models.pinocchio(arm)[f"{title}, as it comes"]
    calls["Pinocchio"] = lambda: bare(*one)
    loops = {"LLVM": (lambda: fast(*many, out=into), B)}
    loops["Pinocchio"] = (lambda: [bare(*state) for state in zip(*some)], SOME)
    return calls, loops


def main():
    quick = "--quick" in sys.argv[1:]
    lines = []
    for title in ALGORITHMS:
        one = []
        all_ = []
        for name, build in ARMS.items():
            if quick and name != "Panda 7":
                continue
            calls, loops = methods(title, build(), 10_000)
            times = turns(calls, 7 if quick else 25, 0.02)
            middle = {key: statistics.median(values) for key, values in times.items()}
            ratios = [middle["Pinocchio"] / middle[key] for key in ("LLVM", "LLVM, given")]
            cells = [told(values, 1e-6) for values in times.values()]
            one.append(f"| {name} | {' | '.join(cells)} | {ratios[0]:.2f} | {ratios[1]:.2f} |")
            times = turns({key: call for key, (call, _) in loops.items()}, 5 if quick else 15, 0.05)
            each = {key: [t / loops[key][1] for t in times[key]] for key in loops}
            ratio = statistics.median(each["Pinocchio"]) / statistics.median(each["LLVM"])
            all_.append(f"| {name} | {told(each['LLVM'], 1e-6, 3)} | {told(each['Pinocchio'], 1e-6)} | {ratio:.1f} |")
            print(one[-1], all_[-1], sep="\n", flush=True)
        lines += ["", f"## {title.capitalize()}: one call", ""]
        lines += ["| us | LLVM | LLVM, given | Pinocchio | times faster | given |", "|---|---|---|---|---|---|", *one]
        lines += ["", f"## {title.capitalize()}: 10,000 states", ""]
        lines += ["| us a state | LLVM | Pinocchio, Python | times faster |", "|---|---|---|---|", *all_]
    report("regressor", __doc__, [*lines[1:], "", machine()], not quick)


if __name__ == "__main__":
    assert peers
    main()
