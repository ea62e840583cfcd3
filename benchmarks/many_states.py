"""Forward dynamics over 10,000 states:  specialize  against compiled loops, simulators and JAX.

Accelerations from random q, qd, tau, microseconds a state, one core.  *Pinocchio, C++* is a loop over `aba` compiled for this
machine, *limit* the same program as ours, printed in C and compiled with every freedom (-Ofast, AVX-512 where there is
some, sines and cosines of whole vectors by libmvec).  All results agree with Pinocchio to 1e-9 (MuJoCo to 1e-6: its
rollout gives velocities only) before a clock starts.

Run:  python benchmarks/many_states.py [--quick]      prints the table and writes benchmarks/results/many_states.md
"""

import peers  # before NumPy, whose linear algebra reads the number of threads once, when it is loaded

# isort: split

import statistics
import sys
from functools import partial

import numpy as np
from peers import models
from peers.arms import ARMS, states
from peers.clock import agreed, machine, report, told, turns
from peers.compiled import limit, pinocchio_loop

import robotdyn as rd

COLUMNS = ["LLVM", "NumPy", "limit", "Pinocchio, C++", "Pinocchio, Python", "MuJoCo rollout", "Drake", "JAX"]
SOME = 500  # states for those that take a call each


def methods(arm, B):
    """Return {name: (call, states a call)}, all agreed with the first."""
    q, qd, tau = states(arm, B)
    found = {}
    for name, target in (("LLVM", "llvm"), ("NumPy", "numpy")):
        fast = rd.specialize(rd.forward_dynamics, arm, target)
        out = np.empty((B, arm.n))
        found[name] = (partial(fast, q, qd, tau, out=out), B)
    if call := limit(rd.specialize(rd.forward_dynamics, arm, "python").program, q, qd, tau):
        found["limit"] = (call, B)
    if call := pinocchio_loop(arm, q, qd, tau):
        found["Pinocchio, C++"] = (call, B)
    some = [np.ascontiguousarray(x[:SOME]) for x in (q, qd, tau)]
    aba = models.pinocchio(arm)["forward dynamics"]
    found["Pinocchio, Python"] = (lambda: np.array([aba(*state) for state in zip(*some)]), SOME)
    found["MuJoCo rollout"] = (models.mujoco_rollout(arm, q, qd, tau), B)
    if not models.missing("pydrake"):
        forward = models.drake(arm)
        found["Drake"] = (lambda: np.array([forward(*state) for state in zip(*some)]), SOME)
    if not models.missing("jax"):
        forward_all = models.jax(arm)
        found["JAX"] = (lambda: forward_all(q, qd, tau), B)
    expected = found["Pinocchio, Python"][0]()
    for name, (call, _) in found.items():
        agreed(call()[:SOME], expected, f"{name}, {arm.n} joints", 1e-6 if "MuJoCo" in name else 1e-9)
    return found


def main():
    quick = "--quick" in sys.argv[1:]
    rows = []
    ratios = []
    for title, build in ARMS.items():
        if quick and title not in ("planar 2", "Panda 7"):
            continue
        arm = build()
        found = methods(arm, 10_000)
        times = turns({name: call for name, (call, _) in found.items()}, 5 if quick else 15, 0.05)
        each = {name: [t / found[name][1] for t in times[name]] for name in found}
        rows.append(f"| {title} | " + " | ".join(told(each[c], 1e-6, 4) if c in each else "" for c in COLUMNS) + " |")
        middle = {name: statistics.median(t) for name, t in each.items()}
        if "Pinocchio, C++" in middle:
            loop = middle["Pinocchio, C++"]
            ours = [f"{loop / middle[name]:.1f}" for name in ("LLVM", "NumPy")]
            ratios.append(f"| {title} | {ours[0]} | {ours[1]} | {middle['LLVM'] / middle['limit']:.2f} |")
        print(rows[-1], flush=True)
    lines = [f"| us a state | {' | '.join(COLUMNS)} |", "|---" * (len(COLUMNS) + 1) + "|", *rows, ""]
    lines += ["How many times faster than the C++ loop, and how far from the limit:", ""]
    lines += [
        "| | LLVM: times faster | NumPy: times faster | LLVM beside the limit |",
        "|---|---|---|---|",
        *ratios,
        "",
    ]
    report("many_states", __doc__, [*lines, machine()], not quick)


if __name__ == "__main__":
    assert peers
    main()
