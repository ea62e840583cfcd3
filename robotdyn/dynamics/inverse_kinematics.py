"""Joint coordinates that reach a pose:  T(q) = T_goal, in closed form where the geometry allows it, else by iteration.

`all_solutions` returns every solution of an arm whose geometry it knows; `solve` iterates from a start, for any arm:

    dq = (J^T J + mu^2 1)^-1 J^T e,    e = ((p_goal - p) / l, log(R_goal R^T)),    mu in proportion to |e|.

Both look at what they return by forward kinematics.  Pieper (1968), Paden (1986); Sugihara (2011) for mu.
Chapter "which-joints-reach-this-pose".
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.codegen.specialize import specialize
from robotdyn.codegen.specialized import Specialized
from robotdyn.dynamics.closed_form_kinematics import candidates
from robotdyn.dynamics.forces import as_extended_reals
from robotdyn.dynamics.kinematics import link_poses, tip_jacobian, tip_pose
from robotdyn.maths import rotations
from robotdyn.maths.completion import offer_public_names
from robotdyn.maths.motions import check_motion, homogeneous
from robotdyn.maths.validate import Entries, Floats, as_numbers, as_positive, check_numeric, in_short
from robotdyn.model.arm import Arm
from robotdyn.model.joints import JOINTS
from robotdyn.model.urdf_text import listed

__all__ = ["Solution", "Solutions", "all_solutions", "pose_error", "solve"]
offer_public_names(__name__)

EXACT = 1e-9  # of lines that meet or are parallel, and of what forward kinematics leaves of a closed form
ROUNDOFF = 1e-12  # of a cosine beyond 1, and of a ratio of singular values
STATIONARY = 1e-9  # of the slope |J^T e| beside |e|: no step of the joints makes the error smaller
SAME = 1e-6  # rad, between two branches that are one, and from a limit to an angle that is at it
NEAR = 1e-5  # of what a closed form misses a goal by that rounding alone may have moved it from
STUCK = 1e12  # of the factor of the damping: no step, however short, makes the error smaller
POOR = 0.25  # of what the slopes promise, a step that brings less is too long
ROTATIONS = ": rd.rotations.from_quaternion makes R of a quaternion"
GAIN = 4.0  # of that factor after a step in vain; after a good one it is divided by its square

Limits = Mapping[Any, tuple[float, float]]  # by index or by name


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


def all_solutions(arm: Arm, pose: ArrayLike | tuple[ArrayLike, ArrayLike], limits: Limits | None = None) -> Solutions:
    """Return the Solutions of an arm whose geometry has a closed form, within the limits; each is seen to reach the pose.

    arm: serial, of free hinges alone: two parallel ones (2R), or a third before them, for a place; three parallel ones (planar 3R),
    or six with joints 2 and 3 parallel and a spherical wrist, such as the PUMA 560, for a pose;
    pose: T (4, 4) of the tip in the base, or (R, p) as `rd.tip_pose` returns it, or a place (3,) m;
    limits: {joint: (low, high)} rad, a joint by index or by name, infinite at an end that has none, default none, as `arm.limits`.
    Raises ValueError for any other arm, for which there is `solve`.
    """
    check_numeric(arm, "all_solutions")
    low, high = _bounds(arm, limits)
    goal = _goal(pose)
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
    pose: ArrayLike | tuple[ArrayLike, ArrayLike],
    q0: ArrayLike,
    limits: Limits | None = None,
    tolerance: float = 1e-8,
    iterations: int = 200,
    restarts: int = 20,
    damping: float = 1.0,
    rng: np.random.Generator | None = None,
) -> Solution:
    """Return the Solution that damped least squares find (Levenberg and Marquardt), from q0 and then from other starts.

    pose: T (4, 4) of the tip in the base, or (R, p) as `rd.tip_pose` returns it, or a place (3,) m of the tip alone;
    q0: (n,) rad (m), the start, within the limits;
    limits: {joint: (low, high)}, a joint by index or by name, infinite at an end that has none, default none, as `arm.limits`;
    tolerance: m and rad, of what counts as reached;
    iterations: at most so many from each start;
    restarts: so many random starts where q0 leads nowhere, of which the solution nearest to q0 is returned;
    damping: mu over |e| at the start; 0: plain Gauss-Newton steps by the pseudo-inverse, each taken whatever it brings;
    rng: of the random starts, default always the same.
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
    low, high = _bounds(arm, limits)
    outside = np.flatnonzero((q0 < low) | (q0 > high))
    if outside.size:
        i = outside[0]
        raise ValueError(
            f"q0 must lie within the limits, got q_{i + 1} = {q0[i]:g} outside ({low[i]:g}, {high[i]:g}): "
            "start within them, or widen them"
        )
    search = _Search(arm, _goal(pose), low, high, tolerance, iterations, damping)
    first = search.best_of(q0[None], q0)
    if first.solved or restarts == 0:
        return first
    rng = np.random.default_rng(0) if rng is None else rng
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng must be a generator of random numbers, np.random.default_rng(1), got {in_short(rng)}")
    starts = rng.uniform(*_ranges(arm, low, high), (restarts, arm.n))
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

    @functools.cached_property
    def length(self) -> float:
        """The length l in m of all links together, by which places are divided so that they compare with angles."""
        return _chain_length(self.arm) or 1.0

    def size(self, found: Solution) -> float:
        """Return |e| of a solution."""
        return float(np.hypot(found.distance / self.length, found.angle))

    def errors(self, q: Floats) -> tuple[Floats, Floats]:
        """Return e (k, m) and its slopes J (k, m, n), with de = -J dq, for k poses (k, n); m is 6, or 3 for a place."""
        R, p, J = _tip_program(self.arm)(q)
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
        unit = np.array([self.length if joint.unit == "m" else 1.0 for joint in joints])
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
        path = self.arm.path(-1)
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
def _tip_program(arm: Arm) -> Specialized:
    """Return the compiled (R, p, J) of the tip of one arm."""
    return specialize(_tip, arm, target="numpy", inputs="q")


def _tip(arm: Arm, q: Entries) -> tuple[Any, Any, Any]:
    return (*tip_pose(arm, q), tip_jacobian(arm, q))


def _chain_length(arm: Arm) -> float:
    """Return the sum of the distances from joint to joint, on the way to the tip, m: no revolute arm reaches farther."""
    steps = [arm.links[i].position for i in arm.path(-1)[1:]] + [arm.tip]
    return float(sum(np.linalg.norm(step) for step in steps))


def _goal(pose: Any) -> tuple[Floats | None, Floats]:
    """Return R (3, 3), or None for a place alone, and p (3,)."""
    if isinstance(pose, (tuple, list)) and len(pose) == 2:
        sizes = [np.shape(part) for part in pose]
        if sizes != [(3, 3), (3,)]:
            raise ValueError(f"pose must be (R, p) of shapes (3, 3) and (3,), got {sizes[0]} and {sizes[1]}{ROTATIONS}")
        pose = homogeneous(*pose)
    T = as_numbers(pose, "pose", (...,))
    if T.shape == (3,):
        return None, T
    if T.shape != (4, 4):
        raise ValueError(
            f"pose must have shape (4, 4), or (3,) for the place of the tip alone, or be (R, p), got {T.shape}{ROTATIONS}"
        )
    check_motion(T, "pose")
    return T[:3, :3], T[:3, 3]


def _ranges(arm: Arm, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return between which angles (n,) random starts are drawn: in the range of the kind of joint, as far as its limits let it.

    Where the limits leave nothing of that range, as those of a slide from 2 to 3 m, a range as wide begins at the nearer one.
    """
    first, last = np.array([JOINTS[arm.links[i].joint].range for i in arm.independent]).T
    wide = last - first
    begin = np.maximum(low, np.where(first < high, first, high - wide))
    return begin, np.minimum(high, np.where(last > low, last, low + wide))


def _bounds(arm: Arm, limits: Limits | None) -> tuple[Floats, Floats]:
    """Return the lowest and highest (n,) of every joint, infinite where there is no limit."""
    low = np.full(arm.n, -np.inf)
    high = np.full(arm.n, np.inf)
    if not isinstance(limits, (Mapping, type(None))):
        raise TypeError(
            f"limits must be a mapping from joints to (low, high), such as {{0: (-1, 1)}}, got {in_short(limits)}"
        )
    names = arm.joint_names
    for joint, pair in (limits or {}).items():
        i: Any = names.index(joint) if isinstance(joint, str) and names.count(joint) == 1 else joint
        if not isinstance(i, (int, np.integer)) or isinstance(i, bool) or not 0 <= i < arm.n:
            known = f", or of a name in arm.joint_names: {listed([str(name) for name in names])}" * any(names)
            raise ValueError(f"limits must be of joints from 0 to {arm.n - 1}{known}, got {in_short(joint)}")
        ends = as_extended_reals(pair, f"limits[{joint!r}]")
        if ends.shape != (2,):
            raise ValueError(f"limits[{joint!r}] must have shape (2,), infinite where there is none, got {ends.shape}")
        low[i], high[i] = ends
        if not low[i] < high[i]:
            held = ": arm.locked holds a joint" * bool(low[i] == high[i])
            raise ValueError(f"limits[{joint!r}] must rise, got ({low[i]:g}, {high[i]:g}){held}")
    return low, high
