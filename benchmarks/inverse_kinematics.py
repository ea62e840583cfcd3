"""Inverse kinematics of the PUMA 560:  random poses that it can reach, by closed form, by damped least squares, by peers.

Ours: `rd.inverse_kinematics.all_solutions`, and `solve` from a random start, with its restarts.  ikpy minimizes by
SciPy's least squares, mink iterates quadratic programs in velocities (one FrameTask, daqp, 200 steps of 1 s); both have
no restarts of their own, so each is called again from a new random start, as often as ours starts at most.  A pose is
solved where the forward kinematics of Pinocchio, from the angles returned, come within 1e-6 m and 1e-6 rad of it, and
wrong where a method says that it has solved it and that is not so; ikpy says nothing, and mink's user looks at the error
of its task.  Methods take turns, pose by pose; the peers are timed on the first poses, ours on all of them.
The number of solutions is counted once more by iterating from 300 random starts and looking at where they end.

Run:  python benchmarks/inverse_kinematics.py [--quick]      prints the tables and writes benchmarks/results/inverse_kinematics.md
Needs Pinocchio; ikpy and mink take part where they are installed (pip install ikpy mink daqp).
"""

import peers  # before NumPy, whose linear algebra reads the number of threads once, when it is loaded

# isort: split

import statistics
import sys
import time
from collections import Counter
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
from peers import models
from peers.clock import machine, report

import robotdyn as rd

ik = rd.inverse_kinematics
ARM = rd.robots.puma560()
CLOSE = 1e-6  # m and rad
STARTS = 21  # of each pose at most: ours has one and twenty restarts


def off(found, T):
    """Return the larger of the distance in m and of the angle in rad between two poses."""
    error = ik.pose_error((found[:3, :3], found[:3, 3]), (T[:3, :3], T[:3, 3]))
    return max(np.linalg.norm(error[:3]), np.linalg.norm(error[3:]))


def by_ikpy(pose):
    """Return the method of ikpy: (T, starts) -> (q, whether it says that it solved it, starts taken)."""
    from ikpy.chain import Chain
    from ikpy.link import OriginLink, URDFLink
    from scipy.spatial.transform import Rotation

    links = [OriginLink()]
    for k, link in enumerate(ARM.links):
        angles = Rotation.from_matrix(link.rotation).as_euler("xyz")
        links.append(URDFLink(f"joint{k}", link.position, angles, link.axis))
    chain = Chain(links, active_links_mask=[False] + [True] * ARM.n)
    assert np.allclose(chain.forward_kinematics([0, *np.ones(ARM.n)]), pose(np.ones(ARM.n)), atol=1e-9)

    def method(T, starts):
        for count, start in enumerate(starts, 1):
            guess = np.clip([0, *start], -np.pi, np.pi)
            q = chain.inverse_kinematics_frame(T, initial_position=guess, orientation_mode="all")[1:]
            if off(pose(q), T) <= CLOSE:
                break
        return q, False, count

    return method


def by_mink(pose):
    """Return the method of mink: (T, starts) -> (q, whether it says that it solved it, starts taken)."""
    import mink
    import mujoco

    links = [
        replace(link, mass=1, com=(0, 0, 0), inertia=np.eye(3)) for link in ARM.links
    ]  # it knows no link without mass
    model = mujoco.MjModel.from_xml_string(models.mujoco_text(rd.Arm(links, ARM.gravity, ARM.tip)))
    configuration = mink.Configuration(model)
    task = mink.FrameTask("tip", "site", position_cost=1.0, orientation_cost=1.0, lm_damping=1e-2)

    def method(T, starts):
        task.set_target(mink.SE3.from_matrix(T))
        for count, start in enumerate(starts, 1):
            configuration.update(start)
            for _ in range(200):
                error = np.linalg.norm(task.compute_error(configuration))
                if error <= 1e-8:
                    return configuration.q.copy(), True, count
                rates = mink.solve_ik(configuration, [task], 1.0, "daqp", damping=1e-12)
                configuration.integrate_inplace(rates, 1.0)
        return configuration.q.copy(), False, count

    return method


def ours(T, starts):
    """Return what `solve` finds: (q, whether it says that it solved it, starts taken)."""
    found = ik.solve(ARM, T, starts[0])
    return found.q, found.solved, found.starts


def closed(T, starts):
    """Return the first of all solutions."""
    found = ik.all_solutions(ARM, T)
    return found.q[0], True, 1


def main():
    assert peers
    quick = "--quick" in sys.argv[1:]
    count, peer_count, counted = (40, 10, 2) if quick else (10_000, 300, 10)
    pose = models.pinocchio_tip(ARM)
    rng = np.random.default_rng(37)
    goals = [pose(q) for q in rng.uniform(-np.pi, np.pi, (count, ARM.n))]
    methods = {"closed form": closed, "solve": ours}
    for name, make in (("ikpy", by_ikpy), ("mink", by_mink)):
        if find_spec(name):
            methods[name] = make(pose)
    tally = {name: {"times": [], "solved": 0, "wrong": 0, "first": 0} for name in methods}
    for k, T in enumerate(goals):
        starts = rng.uniform(-np.pi, np.pi, (STARTS, ARM.n))
        for name, method in methods.items():
            if name in ("ikpy", "mink") and k >= peer_count:
                continue
            began = time.perf_counter()
            q, says, taken = method(T, starts)
            row = tally[name]
            row["times"].append(time.perf_counter() - began)
            there = off(pose(q), T) <= CLOSE
            row["solved"] += there
            row["wrong"] += says and not there
            row["first"] += there and taken == 1
    base = statistics.median(tally["solve"]["times"][:peer_count])
    lines = ["## Random poses of the PUMA 560", ""]
    lines += [
        "| | poses | solved | wrong | from the first start | ms a pose, median | times that of solve, same poses |"
    ]
    lines += ["|---|---|---|---|---|---|---|"]
    for name, row in tally.items():
        n = len(row["times"])
        middle = statistics.median(row["times"])
        same = statistics.median(row["times"][:peer_count])
        first = f"{100 * row['first'] / n:.1f} %"
        cells = (n, row["solved"], row["wrong"], first, f"{1e3 * middle:.1f}", f"{same / base:.2f}")
        lines.append(f"| {name} | {' | '.join(map(str, cells))} |")
    numbers = Counter()
    away = 0.0
    for T in goals:
        found = ik.all_solutions(ARM, T).q
        numbers[len(found)] += 1
        away = max(away, *(off(pose(q), T) for q in found))
    lines += ["", "## All solutions", ""]
    told = ", ".join(f"{number} at {times} poses" for number, times in sorted(numbers.items()))
    lines += [f"Closed form: {told}; the farthest from its pose by Pinocchio is off by {away:.1e} (m or rad)."]
    lines += [f"Iteration from 300 starts, {counted} poses: {recount(goals[:counted], rng)}."]
    print(*lines, sep="\n")
    report("inverse_kinematics", __doc__, [*lines, "", machine()], not quick)


def recount(goals, rng):
    """Return in words how the ends of many iterations compare with the closed form."""
    same = 0
    for T in goals:
        known = ik.all_solutions(ARM, T).q
        met = set()
        new = 0
        for start in rng.uniform(-np.pi, np.pi, (300, ARM.n)):
            found = ik.solve(ARM, T, start, restarts=0)
            if found.solved:
                gaps = abs(np.angle(np.exp(1j * (known - found.q)))).max(axis=1)
                met.add(int(np.argmin(gaps)))
                new += gaps.min() > 1e-5
        same += met == set(range(len(known))) and new == 0
    return f"at {same} of them the ends are the solutions of the closed form, all of them and no other"


if __name__ == "__main__":
    main()
