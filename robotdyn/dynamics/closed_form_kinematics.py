"""Joint angles that reach a pose in closed form:  b . R(a, q) x = h  has two solutions, and arms are chains of it.

The lines of the joints at zero say whether an arm fits: two parallel joints (2R), a third parallel to them that turns
the hand (3R), a first joint before them (an arm in space), and a spherical wrist behind (6R), which only turns about its
center and so leaves the place of that center to the first three (Pieper 1968; Paden 1986).
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np

from robotdyn.dynamics.kinematics import cross, link_poses, tip_pose
from robotdyn.maths.spatial import rotation
from robotdyn.maths.validate import Floats
from robotdyn.model.arm import Arm

EXACT = 1e-9  # of unit vectors that are parallel, and of lines that meet, beside the size of the arm
ROUNDOFF = 1e-15  # of a cosine beside 1
ALIGNED = 1e-7  # of the sine between two axes below which they are one line


class Candidate(NamedTuple):
    """Angles q (n,) of one branch, and whether joints in one line leave some of them free; they may miss the goal."""

    q: Floats
    branch: tuple[int, ...]
    free: bool


class Lines(NamedTuple):
    """Directions (n, 3) and points (n, 3) m of the joints at zero, and the tip there, R (3, 3) and p (3,) m."""

    a: Floats
    o: Floats
    R: Floats
    p: Floats


def candidates(arm: Arm, R_goal: Floats | None, p_goal: Floats) -> list[Candidate]:
    """Return the branches of a goal, out of reach or not; ValueError where the geometry of the arm is another one."""
    if not arm.is_serial or arm.coupling is not None:
        raise ValueError(
            f"all_solutions needs a serial arm of free joints, got {'coupled ones' if arm.is_serial else 'a tree'}: "
            "ask solve, which takes any arm"
        )
    R, o = link_poses(arm, np.zeros(arm.n))
    axes = np.stack([turned @ link.axis for turned, link in zip(R, arm.links)])
    lines = Lines(axes, o, *tip_pose(arm, np.zeros(arm.n)))
    parallel = [bool(np.linalg.norm(cross(a, b)) < EXACT) for a, b in itertools.pairwise(axes)]
    hinges = all(link.joint == "revolute" for link in arm.links)
    shape = (arm.n, R_goal is not None, *parallel[:2]) if hinges else ()
    if shape == (2, False, True):
        return _elbows(lines, 0, lines.p, p_goal)
    if shape == (3, False, False, True):
        return _arm_in_space(lines, lines.p, p_goal)
    if shape == (3, True, True, True):
        return _planar_3r(lines, R_goal, p_goal)
    if shape == (6, True, False, True) and (center := _wrist_center(lines)) is not None:
        return _wrists(lines, center, R_goal, p_goal)
    raise ValueError(
        "all_solutions needs two parallel joints, or a joint before two parallel ones, and a place (3,); or three "
        "parallel joints, or six with joints 2 and 3 parallel and the last three through one point, and a pose (4, 4); "
        f"got {arm.n} joints and a {'place' if R_goal is None else 'pose'}: ask solve, which takes any arm"
    )


def angles_at_height(a: Floats, b: Floats, x: Floats, height: float) -> tuple[float, float, bool]:
    """Return the two q with b . R(a, q) x = height, in [-pi, pi] about their mean, and whether every q is one.

    Where height is too large or too small for any q, both are the q that comes nearest.
    """
    cosine = b @ x - (a @ b) * (a @ x)
    sine = b @ cross(a, x)
    amplitude = float(np.hypot(cosine, sine))
    mean = float(np.arctan2(sine, cosine))
    if amplitude <= EXACT**2:
        return 0.0, 0.0, True
    share = np.clip((height - (a @ b) * (a @ x)) / amplitude, -1, 1)
    half = float(np.arccos(np.sign(share) if abs(share) > 1 - ROUNDOFF else share))  # a double root is one
    return mean + half, mean - half, False


def angle_between(a: Floats, x: Floats, y: Floats) -> float:
    """Return the angle about a that takes x, seen along a, to the direction of y; 0 where one of them is along a."""
    x = x - a * (a @ x)
    y = y - a * (a @ y)
    return float(np.arctan2(a @ cross(x, y), x @ y)) if min(x @ x, y @ y) > EXACT**2 else 0.0


def _elbows(lines: Lines, k: int, point: Floats, place: Floats) -> list[Candidate]:
    """Return both (q_k, q_k+1) of two parallel joints that take a point, drawn at zero, to a place; free where that is on the first."""
    a = lines.a[k]
    second = np.sign(a @ lines.a[k + 1])
    inner = lines.o[k + 1] - lines.o[k]
    outer = point - lines.o[k + 1]
    way = place - lines.o[k]
    across = [x - a * (a @ x) for x in (inner, outer, way)]
    free = bool(np.linalg.norm(across[2]) <= EXACT * np.linalg.norm(across[:2]))
    height = (across[2] @ across[2] - across[0] @ across[0] - across[1] @ across[1]) / 2
    found = []
    for sign, bend in zip((1, -1), angles_at_height(a, across[0], across[1], height)[:2]):
        first = angle_between(a, inner + rotation(a, bend) @ outer, way)
        found.append(Candidate(np.array([first, second * bend]), (sign,), free))
    return found


def _arm_in_space(lines: Lines, point: Floats, place: Floats) -> list[Candidate]:
    """Return the branches (shoulder, elbow) of three joints, the last two parallel, that take a point to a place."""
    a, b = lines.a[:2]
    found = []
    way = place - lines.o[0]
    *shoulders, free = angles_at_height(a, b, way, b @ (point - lines.o[0]))
    for sign, angle in zip((1, -1), shoulders):
        back = lines.o[0] + rotation(a, angle) @ way
        for elbow in _elbows(lines, 1, point, back):
            found.append(Candidate(np.array([-angle, *elbow.q]), (sign, *elbow.branch), free or elbow.free))
    return found


def _planar_3r(lines: Lines, R_goal: Any, p_goal: Floats) -> list[Candidate]:
    """Return the branches (elbow,) of three parallel joints: two of them place the third, which turns the hand."""
    turn = R_goal @ lines.R.T
    joint = p_goal - turn @ (lines.p - lines.o[2])
    across = np.linalg.svd(lines.a[:1])[2][1]
    found = []
    for q, branch, free in _elbows(lines, 0, lines.o[2], joint):
        a = lines.a[0]
        signs = [np.sign(a @ other) for other in lines.a]
        third = angle_between(a, across, turn @ across) - signs @ np.array([*q, 0])
        found.append(Candidate(np.array([*q, signs[2] * third]), branch, free))
    return found


def _wrist_center(lines: Lines) -> Floats | None:
    """Return the point (3,) m in which the last three lines meet at zero, or None: then no wrist is spherical."""
    across = [np.eye(3) - np.outer(a, a) for a in lines.a[3:]]
    center = np.linalg.lstsq(np.concatenate(across), np.concatenate([A @ o for A, o in zip(across, lines.o[3:])]))[0]
    size = abs(np.array([*lines.o, lines.p])).max()
    gaps = [np.linalg.norm(A @ (center - o)) for A, o in zip(across, lines.o[3:])]
    bent = [np.linalg.norm(cross(a, b)) for a, b in itertools.pairwise(lines.a[3:])]
    return center if max(gaps) < EXACT * size and min(bent) > ALIGNED else None


def _wrists(lines: Lines, center: Floats, R_goal: Any, p_goal: Floats) -> list[Candidate]:
    """Return the branches (shoulder, elbow, wrist) of an arm with a spherical wrist."""
    turn = R_goal @ lines.R.T
    a4, a5, a6 = lines.a[3:]
    across = np.linalg.svd(a6[None])[2][1]
    found = []
    for arm in _arm_in_space(lines, center, p_goal + turn @ (center - lines.p)):
        carried = _product(lines.a, arm.q)
        W = carried.T @ turn
        for sign, middle in zip((1, -1), angles_at_height(a5, a4, a6, a4 @ W @ a6)[:2]):
            bent = rotation(a5, middle)
            aligned = bool(np.linalg.norm(cross(a4, bent @ a6)) < ALIGNED)
            first = 0.0 if aligned else angle_between(a4, bent @ a6, W @ a6)
            last = angle_between(a6, across, bent.T @ rotation(a4, first).T @ W @ across)
            q = np.array([*arm.q, first, middle, last])
            found.append(Candidate(q, (*arm.branch, sign), arm.free or aligned))
    return found


def _product(axes: Floats, q: Any) -> Floats:
    """Return the rotation by which joints carry what is behind them."""
    turned = np.eye(3)
    for a, angle in zip(axes, q):
        turned = turned @ rotation(a, angle)
    return turned
