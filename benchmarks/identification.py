"""Identification of a 7-joint arm from 20,000 samples:  seconds and memory of each way to estimate, on one core.

The Panda with viscous and Coulomb friction, 57 base parameters, on a planned motion with noise in the torques.  *first*
is the first call of a process, in which the base parameters and the program of the regressor are made, too; *again* has
both.  Memory is the largest of the process, imports among it.  From exact torques every method gives the true values to
1e-9 first.  Times are CPU times of one thread: waiting for a core that others use, too, is no work.

Run:  python benchmarks/identification.py [--quick]      prints the table and writes benchmarks/results/identification.md
"""

import peers  # before NumPy, whose linear algebra reads the number of threads once, when it is loaded

# isort: split
import json
import resource
import subprocess
import sys
import time

import numpy as np
from peers.clock import machine, report, told

import robotdyn as rd

FRICTION = {"viscous": 1.0, "coulomb": 0.5}
WIDTH = 0.1
SAMPLES = 20_000


def recordings(arm, samples):
    """Return a recording without and one with noise, and the motion."""
    rng = np.random.default_rng(0)
    motion = rd.identification.Fourier(np.zeros(7), *(0.15 * rng.normal(size=(2, 7, 5))), 10.0)
    t = np.linspace(0, 10, samples)
    q, qd, qdd = motion(t)
    tau = rd.inverse_dynamics(arm, q, qd, qdd) + qd + 0.5 * np.tanh(qd / WIDTH)
    Recording = rd.identification.Recording
    noisy = tau + rng.normal(size=tau.shape)
    return Recording(t, q, tau, qd, qdd), Recording(t, q, noisy, qd, qdd), motion


def measured(method):
    """Return what this process takes for one method, in a line of JSON."""
    arm = rd.robots.panda()
    exact, noisy, motion = recordings(arm, SAMPLES)
    given = {"instruments": motion} if method == "instrumental" else {}
    call = lambda record, **more: rd.identification.identify(
        arm, record, FRICTION, method, width=WIDTH, **given, **more
    )
    times = []
    known = {}
    for _ in range(3):
        start = time.process_time()
        found = call(noisy, **known)
        times.append(time.process_time() - start)
        known = {"base": found.base}
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    truth = found.base.values(rd.parameters(arm, FRICTION))
    assert abs(call(exact, base=found.base).values - truth).max() < 1e-9
    assert (abs(found.values - truth) < 5 * found.errors).all()
    print(json.dumps([times[0], min(times[1:]), memory]))


def main():
    """Print the table, each round of each method in a process of its own."""
    quick = "--quick" in sys.argv[1:]
    lines = []
    for method in ("ordinary", "weighted", "robust", "instrumental"):
        rounds = []
        for _ in range(1 if quick else 5):
            run = subprocess.run([sys.executable, __file__, method], capture_output=True, text=True, check=True)
            rounds.append(json.loads(run.stdout))
        first, again, memory = zip(*rounds)
        lines.append(f"| {method} | {told(first, 1)} | {told(again, 1)} | {max(memory):.0f} |")
        print(lines[-1], flush=True)
    head = ["| method | first, s | again, s | memory, MB |", "|---|---|---|---|"]
    report("identification", __doc__, [*head, *lines, "", machine()], not quick)


if __name__ == "__main__":
    assert peers
    if sys.argv[1:] and sys.argv[1] != "--quick":
        measured(sys.argv[1])
    else:
        main()
