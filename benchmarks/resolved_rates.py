"""Resolved rates:  the hands of the Panda and of a planar 3R arm follow a square, by least squares and by mink.

Ours: `rd.resolved_rates`, and the same through `rd.specialize`.  mink writes the same least squares as a quadratic program
(one FrameTask of gain 1/2, daqp, steps of 20 ms) and takes no velocity of the goal, so ours gets none either: the twist is
25/s times the error, which halves the error in a step, too.  Rates are compared at random states before anything is timed,
with errors of 1 micrometer and 1 microradian: where they are larger the two measure an orientation error in other axes.  The Panda's hand
keeps its orientation; the 3R arm's is free.  A limit of 2 rad on all joints of the 3R arm is an inequality for mink, and
for ours weights, 1 / (1 - q^2 / L^2), and a step that ends at the limit.  Pinocchio, of whose kinematics neither is made, looks at every hand.

Run:  python benchmarks/resolved_rates.py [--quick]      prints the tables and writes benchmarks/results/resolved_rates.md
Needs Pinocchio and MuJoCo; mink takes part where it is installed (pip install mink daqp).
"""

import peers  # before NumPy, whose linear algebra reads the number of threads once, when it is loaded

# isort: split

import statistics
import sys
import time
from importlib.util import find_spec

import numpy as np
from peers import models
from peers.clock import machine, report

import robotdyn as rd

DT = 0.02  # s
GAIN = 0.5  # of the error, in a step
DAMPING = 0.02  # mu
SIDE = 0.2  # m
ARMS = {
    "Panda": (rd.robots.panda(), [0, -0.5, 0.1, -2, 0, 1.6, 0.7], np.eye(6), None),
    "planar 3R": (rd.robots.planar([0.5, 0.4, 0.3]), [1.2, -0.8, 1.5], np.eye(2, 6), None),
    "planar 3R, limits": (rd.robots.planar([0.5, 0.4, 0.3]), [1.2, -0.8, 1.5], np.eye(2, 6), 2.0),
}


def square(T, count):
    """Yield the goals (4, 4) of rounds of a square that begins and ends at T, in the plane of its x and y."""
    steps = round(1 / DT)
    for way in [(-1, 0, 0), (0, -1, 0), (1, 0, 0), (0, 1, 0)] * count:
        for _ in range(steps):
            T = T.copy()
            T[:3, 3] += np.array(way) * SIDE / steps
            yield T


def ours(arm, directions, limit, compiled):
    """Return (q, T_goal) -> rates by damped least squares, of an error in base axes."""

    def rates(arm, q, twist, weights):
        return rd.resolved_rates(arm, q, twist, DAMPING, weights, directions=directions)

    inputs = {"q": arm.n, "twist": len(directions), "weights": arm.n}
    solve = rd.specialize(rates, arm, inputs=inputs) if compiled else lambda *given: rates(arm, *given)
    pose = rd.specialize(rd.tip_pose, arm, inputs="q") if compiled else lambda q: rd.tip_pose(arm, q)

    def method(q, T):
        e = rd.inverse_kinematics.pose_error(pose(q), (T[:3, :3], T[:3, 3]))
        weights = np.ones(arm.n) if limit is None else 1 / np.maximum(1 - (q / limit) ** 2, 1e-3)
        found = solve(q, directions @ (GAIN / DT * e), weights)
        return found if limit is None else (np.clip(q + DT * found, -limit, limit) - q) / DT

    return method


def by_mink(arm, directions, limit):
    """Return (q, T_goal) -> rates by mink."""
    from dataclasses import replace

    import mink
    import mujoco

    links = [replace(link, mass=1, com=(0, 0, 0), inertia=np.eye(3)) for link in arm.links]  # rates need no masses
    model = mujoco.MjModel.from_xml_string(models.mujoco_text(rd.Arm(links, arm.gravity, arm.tip, arm.tip_rotation)))
    if limit is not None:
        model.jnt_limited[:], model.jnt_range[:] = 1, (-limit, limit)
    configuration = mink.Configuration(model)
    turned = 1.0 if len(directions) == 6 else 0.0
    task = mink.FrameTask("tip", "site", position_cost=1.0, orientation_cost=turned, gain=GAIN)
    bounds = [mink.ConfigurationLimit(model)] if limit is not None else []

    def method(q, T):
        configuration.update(q)
        if not turned:
            T = T.copy()
            T[:3, :3] = configuration.get_transform_frame_to_world("tip", "site").as_matrix()[:3, :3]
        task.set_target(mink.SE3.from_matrix(T))
        return mink.solve_ik(configuration, [task], DT, "daqp", damping=DAMPING**2, limits=bounds)

    return method


def agreement(arm, directions, limit, methods, count):
    """Return how far the rates of all methods are apart at most, beside their size, at states a small error away from the goal."""
    rng = np.random.default_rng(4)
    pose, apart = models.pinocchio_tip(arm), 0.0
    for q in rng.uniform(-1, 1, (count, arm.n)):
        T = pose(q)
        T[:3, :3] = rd.rotations.exp(1e-6 * rng.normal(size=3) * (len(directions) == 6)) @ T[:3, :3]
        T[:3, 3] += 1e-6 * (directions[:, :3].T @ rng.normal(size=len(directions)))
        found = [method(q, T) for method in methods.values()]
        apart = max(apart, *(np.linalg.norm(x - found[0]) / np.linalg.norm(found[0]) for x in found[1:]), 0.0)
    return apart


def followed(method, arm, start, rounds):
    """Return the largest error (m) after the first side, the largest drift (rad) of each round, the largest |q|, times (s)."""
    pose = models.pinocchio_tip(arm)
    q = np.array(start, dtype=float)
    ends, times, errors, largest = [q], [], [], 0.0
    for step, T in enumerate(square(pose(q), rounds), 1):
        began = time.perf_counter()
        rates = method(q, T)
        times.append(time.perf_counter() - began)
        q = q + DT * rates
        largest = max(largest, abs(q).max())
        errors.append(np.linalg.norm(pose(q)[:3, 3] - T[:3, 3]))
        ends += [q] if step % round(4 / DT) == 0 else []
    return max(errors[round(1 / DT) :]), abs(np.diff(ends, axis=0)).max(axis=1), largest, times


def main():
    assert peers
    quick = "--quick" in sys.argv[1:]
    rounds, states = (2, 10) if quick else (10, 300)
    lines = [
        "| | method | rates apart, at most | largest error, mm | drift of round 1, 10, rad | largest angle, rad | ms a step, median |"
    ]
    lines += ["|---|---|---|---|---|---|---|"]
    for name, (arm, start, directions, limit) in ARMS.items():
        methods = {"ours": ours(arm, directions, limit, False), "ours, specialized": ours(arm, directions, limit, True)}
        if find_spec("mink"):
            methods["mink"] = by_mink(arm, directions, limit)
        apart = agreement(arm, directions, limit, methods, states) if limit is None else None
        for label, method in methods.items():
            error, drift, largest, times = followed(method, arm, start, rounds)
            told = "other law" if apart is None else f"{apart:.0e}"
            cells = (told, f"{1000 * error:.2f}", f"{drift[0]:.4f}, {drift[-1]:.4f}", f"{largest:.3f}")
            lines.append(f"| {name} | {label} | {' | '.join(cells)} | {1e3 * statistics.median(times):.3f} |")
    print(*lines, sep="\n")
    report("resolved_rates", __doc__, [*lines, "", machine()], not quick)


if __name__ == "__main__":
    main()
