"""Optimal reaching with planar arms, T = 100 states at 10 ms:  `rd.ilqr` beside Crocoddyl's DDP and a plain NumPy batch.

Arms of 2, 3 and 7 links of 1 m with 1 kg at each end; the tip goes to a point, to rest there.  All start from the same
torques.  Each stops by its own rule; a solver that says it has converged is within 1e-9 of the least cost that is known,
and the table tells how near.  The accelerations of the models agree to 1e-9.  Dynamics and cost are built, and the
problem is solved once, before the clock starts.  Times are CPU times of one thread: on a core that others use, too, the
time on the wall counts waiting, and the longer a solver runs the more of it.

Run:  python benchmarks/ilqr.py [--quick]      prints the tables and writes benchmarks/results/ilqr.md
"""

import peers  # before NumPy, whose linear algebra reads the number of threads once, when it is loaded

# isort: split
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from peers import student
from peers.clock import agreed, machine, report, told

import robotdyn as rd

HERE = Path(__file__).parent
CROCODDYL = os.environ.get("ROBOTDYN_CROCODDYL", str(HERE.parent / ".venv" / "crocoddyl" / "bin" / "python"))
PROBLEMS = {  # gravity, way to go for each link in m, effort
    "near, level": (0.0, 0.05, 0.1),
    "far, level": (0.0, 0.15, 0.1),
    "near, upright": (9.81, 0.05, 1e-3),
}


def problem(name, n, rounds):
    """Return a problem in words that every solver understands."""
    gravity, way, effort = PROBLEMS[name]
    arm = rd.robots.planar([1.0] * n, gravity=gravity)
    q0 = np.full(n, 0.9 / n)
    q0[0] = -0.8
    target = rd.point_position(arm, q0)[:2] + np.array([-0.3, 1.0]) * way * n
    given = {
        "lengths": [1.0] * n,
        "masses": [1.0] * n,
        "gravity": gravity,
        "q0": q0.tolist(),
        "target": target.tolist(),
    }
    given |= {"T": 100, "dt": 0.01, "effort": effort, "position_weight": 1e3, "velocity_weight": 1e2}
    given |= {"tau0": rd.gravity_torque(arm, q0).tolist(), "tolerance": 1e-9, "rounds": rounds, "max_iterations": 500}
    return given | {"check": np.random.default_rng(n).normal(size=(3, n)).tolist()}


def ours(given, integrator="semi-implicit", second_order=False, compile=True):
    """Return times, iterations, cost and torques of `rd.ilqr`."""
    n = len(given["lengths"])
    arm = rd.robots.planar(given["lengths"], given["masses"], gravity=given["gravity"])
    cost = rd.costs.effort(given["effort"]) + rd.costs.tip_position(arm, given["target"], given["position_weight"])
    cost += rd.costs.joint_velocity(given["velocity_weight"])
    dynamics = rd.arm_dynamics(arm, given["dt"], method=integrator, compile=compile)
    x0 = np.array(given["q0"] + [0.0] * n)
    u0 = np.tile(given["tau0"], (given["T"] - 1, 1))
    # what a step promises, beside the cost; Crocoddyl's rule is on the square of the slope
    options = {"tolerance": given["tolerance"] / 10, "max_iterations": given["max_iterations"]}
    times = []
    for _ in range(given["rounds"] + 1):  # the first one compiles
        start = time.process_time()
        solution = rd.ilqr(dynamics, cost, x0, u0, second_order=second_order, **options)
        times.append(time.process_time() - start)
    check = rd.forward_dynamics(arm, *np.array(given["check"])).tolist()
    return {
        "times": times[1:],
        "done": solution.result == "converged",
        "iterations": solution.iterations,
        "cost": solution.cost,
        "tau": solution.tau.tolist(),
        "acceleration": check,
    }


def elsewhere(command, given):
    """Return the answer of a solver in a process of its own."""
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} stopped: {done.stderr.strip().splitlines()[-1]}")
    return json.loads(done.stdout)


def solvers():
    """Return {name: function of a problem}; those of robotdyn first."""
    found = {
        "robotdyn, iLQR": ours,
        "robotdyn, second order": lambda given: ours(given, second_order=True),
        "robotdyn, iLQR, NumPy alone": lambda given: ours(given | {"rounds": 7 // len(given["masses"])}, compile=False),
    }
    if Path(CROCODDYL).exists():
        there = [CROCODDYL, str(HERE / "peers" / "crocoddyl_reach.py")]
        found["Crocoddyl, DDP"] = lambda given: elsewhere(there, given)
    return found


def against_crocoddyl(quick):
    """Return the lines of the first table."""
    lines = [
        "| problem | links | solver | iterations | ms, median (least to most) | ms an iteration | Crocoddyl takes |"
    ]
    lines[0] += " cost | above the least |"
    lines += ["|---|---|---|---|---|---|---|---|---|"]
    methods = solvers()
    versions = ""
    for name in PROBLEMS:
        for n in (2, 3, 7):
            given = problem(name, n, 3 if quick or n == 7 else 15)
            answers = {}
            for _ in range(1 if quick else 3):  # turns
                for solver, solve in methods.items():
                    answer = solve(given)
                    answer["times"] += answers.get(solver, {"times": []})["times"]
                    answers[solver] = answer
            first = answers["robotdyn, iLQR"]
            least = min(answer["cost"] for answer in answers.values())
            peer = answers.get("Crocoddyl, DDP")
            for solver, answer in answers.items():
                agreed(np.array(answer["acceleration"]), np.array(first["acceleration"]), solver)
                above = answer["cost"] / least - 1
                if answer["done"]:
                    assert above < 1e-9, f"{solver} stopped {above:.1e} above the least cost, {answer['cost']}"
                versions = answer.get("versions", versions)
                ratio = (
                    "" if peer is None else f"{np.median(peer['times']) / np.median(answer['times']):.1f} times as long"
                )
                count = answer["iterations"] if answer["done"] else f"{answer['iterations']}, not done"
                each = np.median(answer["times"]) / answer["iterations"] * 1e3
                lines.append(
                    f"| {name} | {n} | {solver} | {count} | {told(answer['times'], 1e-3)} | {each:.3f} | {ratio} "
                    f"| {answer['cost']:.8g} | {above:.0e} |"
                )
            print(lines[-len(answers)], flush=True)
    note = versions or f"Crocoddyl is missing: `make bench` installs it, in an environment of its own ({CROCODDYL})"
    return [*lines, "", f"{note}."]


def against_student(quick):
    """Return the lines of the second table."""
    lines = ["| links | iterations | plain NumPy, s, and `rd.ilqr`, ms: median (least to most) | | plain takes |"]
    lines += ["|---|---|---|---|---|"]
    for n in (2, 3) if quick else (2, 3, 7):
        given = problem("near, level", n, 21)
        fast = ours(given, "euler")
        words = ("T", "dt", "effort", "position_weight", "velocity_weight")
        arrays = (np.array(given[word]) for word in ("lengths", "masses"))
        tau0 = np.tile(given["tau0"], (given["T"] - 1, 1))
        arguments = [*arrays, given["gravity"], np.array(given["q0"]), np.array(given["target"])]
        arguments += [*(given[word] for word in words), tau0, given["tolerance"] / 10]
        slow = []
        for _ in range(2 if n == 7 else 7):
            start = time.process_time()
            _, cost, count = student.reach(*arguments)
            slow.append(time.process_time() - start)
        assert abs(cost - fast["cost"]) < 1e-6 * cost, f"plain NumPy found another optimum, {cost}"
        ratio = np.median(slow) / np.median(fast["times"])
        lines.append(
            f"| {n} | {count}, {fast['iterations']} | {told(slow, 1, 3)} | {told(fast['times'], 1e-3)} | {ratio:,.0f} times as long |"
        )
        print(lines[-1], flush=True)
    return lines


def main():
    """Print and write both tables."""
    quick = "--quick" in sys.argv
    lines = ["## Semi-implicit steps, beside Crocoddyl", "", *against_crocoddyl(quick)]
    lines += ["", "## Explicit Euler, beside batch iLQR written from the formulas", "", *against_student(quick)]
    lines += ["", f"NumPy {np.__version__}, llvmlite where it is installed. {machine()}"]
    report("ilqr", __doc__, lines, write=not quick)


if __name__ == "__main__":
    assert peers
    main()
