"""Joint coordinates that reach a pose:  T(q) = T_goal, in closed form where the geometry allows it, else by iteration.

`all_solutions` returns every solution of an arm whose geometry it knows; `solve` iterates from a start, for any arm:

    dq = (J^T J + mu^2 1)^-1 J^T e,    e = ((p_goal - p) / l, log(R_goal R^T)),    mu in proportion to |e|.

Both look at what they return by forward kinematics.  Pieper (1968), Paden (1986); Sugihara (2011) for mu.
Chapter "which-joints-reach-this-pose".
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.codegen.specialize import specialize
from robotdyn.codegen.specialized import Specialized
from robotdyn.dynamics.closed_form_kinematics import candidates
from robotdyn.dynamics.kinematics import as_frame, frame_pose, link_poses, point_jacobian
from robotdyn.dynamics.pose_goals import Limits, Pose, bounds_of, goal_of, ranges_of_starts
from robotdyn.maths import rotations
from robotdyn.maths.completion import offer_public_names
from robotdyn.maths.validate import Entries, Floats, as_numbers, as_positive, check_numeric, in_short
from robotdyn.model.arm import Arm
from robotdyn.model.joints import JOINTS
from robotdyn.model.link import LinkFrame

__all__ = ["Solution", "Solutions", "all_solutions", "pose_error", "solve"]
offer_public_names(__name__)

EXACT = 1e-9  # of lines that meet or are parallel, and of what forward kinematics leaves of a closed form
ROUNDOFF = 1e-12  # of a cosine beyond 1, and of a ratio of singular values
STATIONARY = 1e-9  # of the slope |J^T e| beside |e|: no step of the joints makes the error smaller
SAME = 1e-6  # rad, between two branches that are one, and from a limit to an angle that is at it
NEAR = 1e-5  # of what a closed form misses a goal by that rounding alone may have moved it from
STUCK = 1e12  # of the factor of the damping: no step, however short, makes the error smaller
POOR = 0.25  # of what the slopes promise, a step that brings less is too long
GAIN = 4.0  # of that factor after a step in vain; after a good one it is divided by its square


@dataclass(frozen=True)
class Solution:
    """What an iteration found.

    q: (n,) rad (m); solved: whether the tip is there, within the tolerance and the limits;
    stopped: "solved"; "unreachable", by the closed form, or farther away than all links together are long; "limit", joints at their limits
    hold it; "singular", no motion of the joints makes the error smaller; "iterations", there were not enough of them;
    distance: m, angle: rad, from the tip to the goal; iterations: of the start that ended here; starts: how many there were;
    at_limit: the indices of the joints that press on their limits.
    """

    q: Floats
    solved: bool
    stopped: str
    distance: float
    angle: float
    iterations: int
    starts: int
    at_limit: tuple[int, ...] = ()

    @property
    def message(self) -> str:
        """One sentence: how it ended, and what to do about it."""
        away = f"{self.distance:.4g} m and {self.angle:.4g} rad from the goal"
        joints = ", ".join(f"q_{i + 1}" for i in self.at_limit)
        return {
            "solved": f"solved in {self.iterations} iterations",
            "unreachable": f"the goal is out of the arm's reach: the nearest pose found is {away}",
            "limit": f"the limits of {joints} hold the arm {away}: widen them, or take another goal",
            "singular": f"no motion of the joints makes the error smaller, {away}: start elsewhere, or take this as the nearest pose",
            "iterations": f"after {self.iterations} iterations the tip is {away}: allow more, or start nearer",
        }[self.stopped]


@dataclass(frozen=True)
class Solutions:
    """All solutions of a pose.

    q: (k, n) rad, each from -pi to pi, or where the limits want it;
    branches: (k, b) of +1 and -1, for shoulder, elbow and wrist as far as the arm has them;
    free: whether joints in one line leave infinitely many, of which these are some;
    nearest: where none of them is within the limits, the nearest pose found; it is solved if another of infinitely many is.
    Near a singular pose, where two solutions are closer than 1e-6 rad, they may count as one.
    """

    q: Floats
    branches: tuple[tuple[int, ...], ...]
    free: bool = False
    nearest: Solution | None = None


def pose_error(pose: tuple[Entries, Entries], goal: tuple[Entries, Entries]) -> Floats:
    """Return (p_goal - p, phi) (..., 6), m and rad, base axes: the way there, and the rotation vector of R_goal R^T.

    pose, goal: R (..., 3, 3) and p (..., 3), as `rd.tip_pose` returns them.  |phi| <= pi is the angle between the two.
    """
    R, p = _parts(pose, "pose")
    R_goal, p_goal = _parts(goal, "goal")
    return np.concatenate([p_goal - p, rotations.log(R_goal @ np.swapaxes(R, -1, -2))], axis=-1)


def _parts(pose: Any, name: str) -> tuple[Floats, Floats]:
    """Return R (..., 3, 3) and p (..., 3) of a pair."""
    if not isinstance(pose, (tuple, list)) or len(pose) != 2:
        raise TypeError(f"{name} must be a pair (R, p), as rd.tip_pose returns one, got {in_short(pose)}")
    return as_numbers(pose[0], f"R of {name}", (..., 3, 3)), as_numbers(pose[1], f"p of {name}", (..., 3))


# ---- in closed form -------------------------------------------------------------------------------------------------


def all_solutions(arm: Arm, pose: Pose, limits: Limits | None = None) -> Solutions:
    """Return the Solutions of an arm whose geometry has a closed form, within the limits; each is seen to reach the pose.

    arm: serial, of free hinges alone: two parallel ones (2R), or a third before them, for a place; three parallel ones (planar 3R),
    or six with joints 2 and 3 parallel and a spherical wrist, such as the PUMA 560, for a pose;
    pose: T (4, 4) of the tip in the base, or (R, p) as `rd.tip_pose` returns it, or a place (3,) m;
    limits: {joint: (low, high)} rad, a joint by index or by name, infinite at an end that has none, default none, as `arm.limits`.
    Raises ValueError for any other arm, for which there is `solve`.
    """
    check_numeric(arm, "all_solutions")
    low, high = bounds_of(arm, limits)
    goal = goal_of(pose)
    found = candidates(arm, *goal)
    search = _Search(arm, goal, low, high, EXACT, 200, 1.0)
    free = np.full(arm.n, np.inf)
    q = replace(search, low=-free, high=free).polished(np.array([candidate.q for candidate in found]))
    reachable = search.reached(search.errors(q)[0])
    q = np.array([_within(x, low, high) for x in q])
    q = search.polished(np.where(abs(q - np.clip(q, low, high)) <= SAME, np.clip(q, low, high), q))
    reached = search.reached(search.errors(q)[0])
    inside = ((q >= low) & (q <= high)).all(axis=1)
    kept: list[int] = []
    for k in np.flatnonzero(reached & inside):
        if all(abs(np.angle(np.exp(1j * (q[k] - q[other])))).max() > SAME for other in kept):
            kept.append(int(k))
    if kept:
        branches = tuple(found[k].branch for k in kept)
        return Solutions(q[kept], branches, any(found[k].free for k in kept))
    nearest = search.best_of(np.clip(q, low, high), q[0])
    if not reachable.any() and not nearest.solved:
        nearest = replace(nearest, stopped="unreachable")
    return Solutions(np.empty((0, arm.n)), (), nearest=nearest)


def _within(q: Floats, low: Floats, high: Floats) -> Floats:
    """Return angles (n,) from -pi to pi, or by whole turns moved into the limits, where there is room for that."""
    q = q - 2 * np.pi * np.round(q / (2 * np.pi))
    below = np.maximum(low, -1e9) - q - SAME  # an angle at a limit, but for its rounding, stays there
    above = q - np.minimum(high, 1e9) - SAME
    up = np.where(below > 0, np.ceil(below / (2 * np.pi)), 0)
    down = np.where(above > 0, np.ceil(above / (2 * np.pi)), 0)
    return q + 2 * np.pi * (up - down)


# ---- by iteration ---------------------------------------------------------------------------------------------------


def solve(
    arm: Arm,
    pose: Pose,
    q0: ArrayLike,
    limits: Limits | None = None,
    tolerance: float = 1e-8,
    iterations: int = 200,
    restarts: int = 20,
    damping: float = 1.0,
    rng: np.random.Generator | None = None,
    link: int | str | LinkFrame = -1,
) -> Solution:
    """Return the Solution that damped least squares find (Levenberg and Marquardt), from q0 and then from other starts.

    pose: T (4, 4) of the tip in the base, or (R, p) as `rd.tip_pose` returns it, or a place (3,) m of the tip alone;
    q0: (n,) rad (m), the start, within the limits;
    limits: {joint: (low, high)}, a joint by index or by name, infinite at an end that has none, default none, as `arm.limits`;
    tolerance: m and rad, of what counts as reached;
    iterations: at most so many from each start;
    restarts: so many random starts where q0 leads nowhere, of which the solution nearest to q0 is returned;
    damping: mu over |e| at the start; 0: plain Gauss-Newton steps by the pseudo-inverse, each taken whatever it brings;
    rng: of the random starts, default always the same;
    link: whose frame is to reach the pose, default the tip, or a frame by its name, as in `rd.point_position`; what does not
    carry it stays at q0.
    An angle of 1 rad counts as much as the length l of all links together.
    """
    check_numeric(arm, "solve")
    q0 = as_numbers(q0, "q0", (arm.n,))
    tolerance = as_positive(tolerance, "tolerance", "m and rad")
    damping = float(as_numbers(damping, "damping", ()))
    if damping < 0:
        raise ValueError(f"damping must be >= 0, got {damping:g}")
    for word, count, least in (("iterations", iterations, 1), ("restarts", restarts, 0)):
        if not isinstance(count, (int, np.integer)) or isinstance(count, bool) or count < least:
            raise ValueError(f"{word} must be a whole number >= {least}, got {in_short(count)}")
    low, high = bounds_of(arm, limits)
    outside = np.flatnonzero((q0 < low) | (q0 > high))
    if outside.size:
        i = outside[0]
        raise ValueError(
            f"q0 must lie within the limits, got q_{i + 1} = {q0[i]:g} outside ({low[i]:g}, {high[i]:g}): "
            "start within them, or widen them"
        )
    search = _Search(arm, goal_of(pose), low, high, tolerance, iterations, damping, link)
    first = search.best_of(q0[None], q0)
    if first.solved or restarts == 0:
        return first
    rng = np.random.default_rng(0) if rng is None else rng
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng must be a generator of random numbers, np.random.default_rng(1), got {in_short(rng)}")
    starts = rng.uniform(*ranges_of_starts(arm, low, high), (restarts, arm.n))
    starts = np.where(search.carries, starts, q0)
    other = search.best_of(starts, q0)
    best = other if other.solved or search.size(other) < search.size(first) else first
    return replace(best, starts=1 + restarts)


@dataclass(frozen=True)
class _Search:
    """A goal, and how it is searched; `best_of` runs a batch of starts side by side."""

    arm: Arm
    goal: tuple[Floats | None, Floats]
    low: Floats
    high: Floats
    tolerance: float
    iterations: int
    damping: float
    link: int | str | LinkFrame = -1

    @functools.cached_property
    def frame(self) -> LinkFrame:
        """The frame that is to reach the goal, the tip frame for the last link."""
        last = len(self.arm.links) - 1
        is_tip = not isinstance(self.link, (str, LinkFrame)) and self.link in (-1, last)
        return LinkFrame(last, self.arm.tip, self.arm.tip_rotation) if is_tip else as_frame(self.arm, self.link)

    @functools.cached_property
    def carries(self) -> Any:
        """Return which coordinates (n,) move the frame."""
        path = list(self.arm.path(self.frame.link))
        rows = np.eye(self.arm.n) if self.arm.coupling is None else self.arm.coupling[:, :-1]
        return rows[path].any(axis=0)

    @functools.cached_property
    def length(self) -> float:
        """The length l in m from joint to joint on the way to the frame, by which places are divided so that they compare with angles."""
        steps = [self.arm.links[i].position for i in self.arm.path(self.frame.link)[1:]] + [self.frame.position]
        return float(sum(np.linalg.norm(step) for step in steps)) or 1.0

    def size(self, found: Solution) -> float:
        """Return |e| of a solution."""
        return float(np.hypot(found.distance / self.length, found.angle))

    def errors(self, q: Floats) -> tuple[Floats, Floats]:
        """Return e (k, m) and its slopes J (k, m, n), with de = -J dq, for k poses (k, n); m is 6, or 3 for a place."""
        R, p, J = _program(self.arm, self.frame)(q)
        R_goal, p_goal = self.goal
        if R_goal is None:
            return (p_goal - p) / self.length, J[:, :3] / self.length
        e = pose_error((R, p), (R_goal, p_goal))
        e[:, :3] /= self.length
        turning = rotations.right_jacobian_inverse(e[:, 3:]) @ J[:, 3:]
        return e, np.concatenate([J[:, :3] / self.length, turning], axis=1)

    def reached(self, e: Floats) -> Any:
        """Return whether errors e (k, m) are within the tolerance."""
        near = np.linalg.norm(e[:, :3], axis=1) * self.length <= self.tolerance
        return near & (np.linalg.norm(e[:, 3:], axis=1) <= self.tolerance)

    def best_of(self, q: Floats, near: Floats) -> Solution:
        """Return the Solution nearest to `near` (n,) of those that the starts q (k, n) lead to, or the best attempt."""
        # A slide counts by the length of the arm, too, so that steps have one unit.
        joints = [JOINTS[self.arm.links[i].joint] for i in self.arm.independent]
        unit = np.array([self.length if joint.unit == "m" else 1.0 for joint in joints]) * self.carries
        factor = np.full(len(q), float(self.damping) ** 2)
        e, J = self.errors(q)
        stationary = np.zeros(len(q), dtype=bool)
        count = np.zeros(len(q), dtype=int)
        for _ in range(self.iterations):
            active = ~(self.reached(e) | stationary)
            if not active.any() or (self.reached(e).any() and len(q) > 1):
                break
            A, _ = self._free_columns(q, e, J * unit)
            dq, slope, singular = _damped_step(A, e, factor)
            size = np.linalg.norm(e, axis=1)
            stationary |= active & ((slope <= STATIONARY * size) | (factor > STUCK) | (singular & (self.damping == 0)))
            active &= ~stationary
            trial = np.clip(q + dq * unit, self.low, self.high)
            e_new, J_new = self.errors(trial)
            better = (np.linalg.norm(e_new, axis=1) < size) | (self.damping == 0)
            # where the error is curved, as far from a goal out of reach, a step brings less than the slopes say
            left = e - np.squeeze(A @ dq[..., None], -1)
            poor = size**2 - (e_new**2).sum(axis=1) < POOR * (size**2 - (left**2).sum(axis=1))
            taken = (active & better)[:, None]
            q = np.where(taken, trial, q)
            e = np.where(taken, e_new, e)
            J = np.where(taken[..., None], J_new, J)
            count += active
            factor = np.where(better & ~poor, factor / GAIN**2, factor * GAIN)
            factor = np.maximum(factor, self.damping**2 * 1e-6)
        solved = self.reached(e)
        order = np.linalg.norm(q - near, axis=1) if solved.any() else np.linalg.norm(e, axis=1)
        k = int(np.argmin(np.where(solved | ~solved.any(), order, np.inf)))
        _, pressing = self._free_columns(q, e, J)
        return self._solution(q[k], e[k], bool(solved[k]), bool(stationary[k]), int(count[k]), pressing[k])

    def polished(self, q: Floats) -> Floats:
        """Return angles (k, n) of which those that miss the goal by little, as closed forms do near singular poses, are iterated."""
        e, _ = self.errors(q)
        near = ~self.reached(e) & (np.linalg.norm(e, axis=1) < NEAR)
        return np.array([self.best_of(x[None], x).q if close else x for x, close in zip(q, near)])

    def _free_columns(self, q: Floats, e: Floats, J: Floats) -> tuple[Floats, Any]:
        """Return J without the columns of joints that press on a limit, and which those are (k, n)."""
        downhill = np.squeeze(np.swapaxes(J, 1, 2) @ e[..., None], -1)
        pressing = ((q <= self.low) & (downhill < 0)) | ((q >= self.high) & (downhill > 0))
        return np.where(pressing[:, None, :], 0.0, J), pressing

    def _solution(self, q: Floats, e: Floats, solved: bool, stationary: bool, count: int, pressing: Any) -> Solution:
        """Return the record of one attempt; only an arm of hinges alone is known to reach no farther than its length."""
        at_limit = () if solved else tuple(np.flatnonzero(pressing).tolist())
        distance = float(np.linalg.norm(e[:3]) * self.length)
        angle = float(np.linalg.norm(e[3:]))
        path = self.arm.path(self.frame.link)
        beyond = np.linalg.norm(self.goal[1] - link_poses(self.arm, q)[1][path[0]]) > self.length + self.tolerance
        stopped = "limit" if stationary and at_limit else "singular" if stationary else "iterations"
        if beyond and all(self.arm.links[i].joint == "revolute" for i in path):
            stopped = "unreachable"
        return Solution(q, solved, "solved" if solved else stopped, distance, angle, count, 1, at_limit)


def _damped_step(A: Floats, e: Floats, factor: Floats) -> tuple[Floats, Floats, Any]:
    """Return dq = (A^T A + mu^2 1)^-1 A^T e, |A^T e|, and whether A has lost rank, for k errors; mu^2 = factor |e|^2."""
    U, s, Vt = np.linalg.svd(A, full_matrices=False)
    along = np.squeeze(np.swapaxes(U, 1, 2) @ e[..., None], -1)
    mu_squared = factor[:, None] * (e**2).sum(axis=1)[:, None]
    small = s <= ROUNDOFF * s[:, :1]
    inverse = np.where(small & (mu_squared == 0), 0.0, s / np.maximum(s**2 + mu_squared, np.finfo(float).tiny))
    step = np.squeeze(np.swapaxes(Vt, 1, 2) @ (inverse * along)[..., None], -1)
    return step, np.linalg.norm(s * along, axis=1), small.any(axis=1)


@functools.lru_cache(maxsize=32)
def _program(arm: Arm, frame: LinkFrame) -> Specialized:
    """Return the compiled (R, p, J) of a frame of one arm."""
    return specialize(functools.partial(_pose_and_jacobian, frame=frame), arm, target="numpy", inputs="q")


def _pose_and_jacobian(arm: Arm, q: Entries, frame: LinkFrame) -> tuple[Any, Any, Any]:
    return (*frame_pose(arm, q, frame), point_jacobian(arm, q, frame))
