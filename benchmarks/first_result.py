"""How long a reader waits:  the first result of each public function, in a process of its own.

CPU milliseconds from `import robotdyn as rd` and an arm in hand to the result, all that is imported, traced or compiled on
the way included.  *With*: llvmlite is installed; *without*: it is not.  Where both are alike, nothing was compiled.

Run:  python benchmarks/first_result.py [--quick]      prints the table and writes benchmarks/results/first_result.md
"""

import peers  # before NumPy, whose linear algebra reads the number of threads once, when it is loaded

# isort: split

import os
import subprocess
import sys

from peers.clock import machine, report, told

START = """
import sys
if {without}: sys.modules["llvmlite"] = None
import time
import peers
import numpy as np
import robotdyn as rd
from peers.arms import ARMS
arm = ARMS[{arm!r}]()
n, q = arm.n, np.full(arm.n, 0.3)
qd, tau, target = 0.1 * q, 0 * q, rd.point_position(arm, q + 0.2)
time_of, task = (lambda steps: np.linspace(0, 1e-3 * steps, steps + 1)), (arm, q, 0 * q, target, 50, 0.02)
start = time.process_time()
{call}
print(time.process_time() - start)
"""
CALLS = {
    "import robotdyn": "rd",  # measured apart
    "point_position": "rd.point_position(arm, q)",
    "link_poses": "rd.link_poses(arm, q)",
    "tip_jacobian": "rd.tip_jacobian(arm, q)",
    "mass_matrix": "rd.mass_matrix(arm, q)",
    "coriolis_matrix": "rd.coriolis_matrix(arm, q, qd)",
    "inverse_dynamics": "rd.inverse_dynamics(arm, q, qd, tau)",
    "forward_dynamics": "rd.forward_dynamics(arm, q, qd, tau)",
    "kinetic_energy": "rd.kinetic_energy(arm, q, qd)",
    "derive, planar arm of 2 symbolic links": "rd.derive(rd.robots.planar(2, symbolic=True))",
    "trace(forward_dynamics)": "rd.trace(rd.forward_dynamics, arm)",
    'specialize(.., "python")': 'rd.specialize(rd.forward_dynamics, arm, "python")(q, qd, tau)',
    'specialize(.., "numpy")': 'rd.specialize(rd.forward_dynamics, arm, "numpy")(q, qd, tau)',
    'specialize(.., "llvm")': 'rd.specialize(rd.forward_dynamics, arm, "llvm")(q, qd, tau)',
    'specialize(.., "llvm"), 100 states': 'rd.specialize(rd.forward_dynamics, arm, "llvm")(np.tile(q, (100, 1)), qd, tau)',
    "simulate, 100 steps": "rd.simulate(arm, q, qd, t=time_of(100))",
    "simulate, 999 steps": "rd.simulate(arm, q, qd, t=time_of(999))",
    "simulate, 1,001 steps": "rd.simulate(arm, q, qd, t=time_of(1001))",
    "simulate, 10,000 steps": "rd.simulate(arm, q, qd, t=time_of(10_000))",
    "simulate, 10,000 steps, compile=True": "rd.simulate(arm, q, qd, t=time_of(10_000), compile=True)",
    'simulate, "solve_ivp"': 'rd.simulate(arm, q, qd, t=time_of(100), method="solve_ivp")',
    "stream, 1,001 steps": "list(rd.stream(arm, q, qd, t=time_of(1001)))",
    "linearize": "rd.linearize(arm, q, qd, tau, 0.01)",
    'linearize, "rk4"': 'rd.linearize(arm, q, qd, tau, 0.01, method="rk4")',
    "rollout_matrix": "rd.rollout_matrix(*rd.linearize(arm, np.tile(q, (50, 1)), qd, tau, 0.01))",
    "arm_dynamics, one step": "rd.arm_dynamics(arm, 0.02).step(np.concatenate([q, qd]), tau)",
    "ilqr, 49 inputs": "rd.ilqr(rd.arm_dynamics(arm, 0.02), rd.costs.effort(1e-2) + rd.costs.joint_position(q + 0.2, 1e3),"
    " np.concatenate([q, qd]), np.zeros((49, n)), max_iterations=10)",
    "reach, 50 states": "rd.reach(*task, max_iterations=10)",
    "reach, 50 states, second order": "rd.reach(*task, max_iterations=10, second_order=True)",
    "reach, 50 states, compile=True": "rd.reach(*task, max_iterations=10, compile=True)",
    "control.tracking": "rd.control.tracking(rd.Solution(np.zeros((2, 2 * n)), np.zeros((1, n)), 0.0, np.zeros(1),"
    ' np.zeros((1, n, 2 * n)), "converged"), 0.02)(0.0, q, qd)',
    "show.explore": "rd.show.explore(rd.robots.planar(n)).html()",
}
IMPORT = """
import sys
if {without}: sys.modules["llvmlite"] = None
import time
start = time.process_time()
import robotdyn
print(time.process_time() - start)
"""


def waited(name, arm, without):
    """Return the CPU seconds of a call in a new process, or None where it needs what is not there."""
    source = (IMPORT if name == "import robotdyn" else START).format(arm=arm, call=CALLS[name], without=without)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, env=environment, check=False)
    if done.returncode and "needs llvmlite" not in done.stderr:
        raise SystemExit(f"{name} stopped: {done.stderr.strip().splitlines()[-1]}")
    return None if done.returncode else float(done.stdout)


def main():
    """Print and write the table."""
    quick = "--quick" in sys.argv
    arms = ("planar 2",) if quick else ("planar 2", "Panda 7")
    head = [f"{arm}, {kind}" for arm in arms for kind in ("with", "without")]
    lines = [f"| first result, CPU ms, median (least to most) | {' | '.join(head)} |", "|---" * (len(head) + 1) + "|"]
    for name in CALLS:
        cells = []
        for arm in arms:
            times = {"with": [], "without": []}
            for _ in range(1 if quick else 3):
                for kind, found in times.items():
                    found.append(waited(name, arm, kind == "without"))
            cells += ["needs llvmlite" if None in found else told(found, 1e-3, 0) for found in times.values()]
        lines.append(f"| {name} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    report("first_result", __doc__, [*lines, "", machine()], write=not quick)


if __name__ == "__main__":
    assert peers
    main()
