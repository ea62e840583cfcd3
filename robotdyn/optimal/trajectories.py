"""Where to go, and how fast:  tau = a(s) s'' + b(s) s'^2 + c(s) along a path q(s), s' and s'' the rates of s by time.

`trapezoid` and `through` make motions from limits or times; `fastest_along` finds the time in which motors with limited
torques can follow a path, by reachability analysis on a grid of s: with x = s'^2 and u = s'' all limits are linear,

    a u + b x + c <= limit,    x at the next point = x + 2 h u,

so the rates from which the end can be reached are an interval at each point, found from the end to the start; the motion
then goes from the start with the largest u that stays inside.
Bobrow, Dubowsky and Gibson (1985), Shin and McKay (1985); Pham and Pham (2018).  Chapter "how-fast-along-this-path".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.dynamics.recursive import gravity_torque, inverse_dynamics
from robotdyn.maths.completion import offer_public_names
from robotdyn.maths.validate import Floats, as_numbers, check_numeric, in_short
from robotdyn.model.arm import Arm
from robotdyn.optimal.reachability import ROUNDOFF, controllable, greedy, half_planes, interval

__all__ = ["TimedPath", "Trapezoid", "coefficients", "fastest_along", "through", "trapezoid"]
offer_public_names(__name__)

Path = Callable[[Floats, int], Floats]  # s (N,), order of the derivative -> (N, n); splines of SciPy are such functions
UNBOUNDED = 1e9  # N m or N, in place of an infinite limit, which no row of a linear program can have
CORNER = 0.05  # of a change of q' that q'' does not explain, beside the largest q' of the path


@dataclass(frozen=True)
class Trapezoid:
    """A motion along a straight line between two points, at rest before and after; its rate is a trapezoid over time.

    start, end: (n,); ramp: s, from rest to the full rate and back; duration: s.
    A call with a time t, or with times (T,), returns q, qd, qdd (n,) or (T, n).
    """

    start: Floats
    end: Floats
    ramp: float
    duration: float

    def __call__(self, t: ArrayLike) -> tuple[Floats, Floats, Floats]:
        """Return q, qd, qdd at t s."""
        time = as_numbers(t, "t", (...,))[..., None]
        top = 1 / (self.duration - self.ramp)  # the full rate of the share: the trapezoid has the area 1
        left = self.duration - time
        edge = np.maximum(np.minimum(time, left), 0)  # s, to the nearer end
        near = np.where(edge < self.ramp, top * edge**2 / (2 * self.ramp), top * (edge - self.ramp / 2))
        share = np.where(time <= left, near, 1 - near)
        rate = top * np.minimum(edge / self.ramp, 1)
        on_ramp = (edge < self.ramp) & (time >= 0) & (left >= 0)
        push = np.where(on_ramp, np.sign(left - time), 0) * top / self.ramp
        way = self.end - self.start
        return self.start + share * way, rate * way, push * way


def trapezoid(start: ArrayLike, end: ArrayLike, speed: ArrayLike, acceleration: ArrayLike) -> Trapezoid:
    """Return the fastest motion from start to end, all joints in step on a straight line, at rest before and after.

    start, end: (n,) rad (m); speed, acceleration: a number or (n,), limits of each joint, rad/s and rad/s^2.
    With the share sigma of the way, and v and a the limits of its rates: T = 1/v + v/a, or 2 / sqrt(a) where v is not
    reached.  Raises ValueError for limits that are not above zero, and where start is end.
    """
    first = np.atleast_1d(as_numbers(start, "start", (...,)))
    last = np.atleast_1d(as_numbers(end, "end", (...,)))
    if first.ndim != 1 or first.shape != last.shape:
        raise ValueError(f"start and end must have one shape (n,), got {first.shape} and {last.shape}")
    limits = [_positive_limits(x, name, len(first)) for x, name in ((speed, "speed"), (acceleration, "acceleration"))]
    way = abs(last - first)
    if not way.any():
        raise ValueError("end must differ from start: between equal points there is nothing to time")
    v, a = (float((limit[way > 0] / way[way > 0]).min()) for limit in limits)
    ramp = min(v / a, a**-0.5)
    return Trapezoid(first, last, ramp, ramp + 1 / (a * ramp))


def through(knots: ArrayLike, points: ArrayLike, ends: str = "clamped") -> Any:
    """Return the cubic spline through via points, SciPy's: a function (s, order of the derivative) -> (n,).

    knots: (k,) increasing, the times s of the points, or any other parameter; points: (k, n) rad (m).
    ends: "clamped", at rest at both ends, for a motion in time; "natural" or "not-a-knot" for a path to be timed, which
    must not stand still.  Raises ValueError for knots that do not increase: then points are in the wrong order.
    """
    from scipy.interpolate import CubicSpline

    s = as_numbers(knots, "knots", (...,))
    q = as_numbers(points, "points", (...,))
    if s.ndim != 1 or len(s) < 2 or q.ndim != 2 or len(q) != len(s):
        raise ValueError(
            f"knots must have shape (k,), two at least, and points (k, n), one row a knot, got {s.shape} and {q.shape}"
        )
    if not (np.diff(s) > 0).all():
        k = int(np.argmin(np.diff(s) > 0))
        raise ValueError(
            f"knots must increase, got {s[k + 1]:g} after {s[k]:g}: "
            "sort the via points by time, and give a point at which the arm waits as a motion of its own"
        )
    if ends not in ("clamped", "natural", "not-a-knot"):
        raise ValueError(f"ends must be clamped, natural or not-a-knot, got {in_short(ends)}")
    return CubicSpline(s, q, bc_type=ends)


# ---- along a path ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TimedPath:
    """A path and when the arm is where: in each interval between grid points s'' is constant.

    path: as `fastest_along` takes it; s: (N,) its grid; t: (N,) s; rate: (N,) s' in 1/s; acceleration: (N - 1,) s'' in
    1/s^2, of each interval; tau: (N, n) N m (N), at the grid points, with the s'' of the interval that begins there;
    largest_rate: (N,) 1/s, the maximum velocity curve; slowest, fastest: (N,) 1/s, the controllable rates, from which the
    end can be reached.  A call with a time t, or with times (T,), returns q, qd, qdd (n,) or (T, n), at rest before and after.
    """

    path: Path
    s: Floats
    t: Floats
    rate: Floats
    acceleration: Floats
    tau: Floats
    largest_rate: Floats
    slowest: Floats
    fastest: Floats

    @property
    def duration(self) -> float:
        """How long the motion takes, s."""
        return float(self.t[-1])

    def at(self, t: ArrayLike) -> tuple[Floats, Floats, Floats]:
        """Return s, s', s'' at the times t s."""
        time = as_numbers(t, "t", (...,))
        k = np.clip(np.searchsorted(self.t, time, side="right") - 1, 0, len(self.acceleration) - 1)
        since = np.clip(time, 0, self.duration) - self.t[k]
        moving = (time >= 0) & (time <= self.duration)
        u = self.acceleration[k]
        s = np.clip(self.s[k] + self.rate[k] * since + u * since**2 / 2, self.s[k], self.s[k + 1])
        return s, np.where(moving, self.rate[k] + u * since, 0.0), np.where(moving, u, 0.0)

    def __call__(self, t: ArrayLike) -> tuple[Floats, Floats, Floats]:
        """Return q, qd, qdd at the times t s."""
        s, rate, u = self.at(t)
        slope = self.path(s, 1)
        u = u[..., None]
        rate = rate[..., None]
        return self.path(s, 0), slope * rate, slope * u + self.path(s, 2) * rate**2


def coefficients(arm: Arm, path: Path, s: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Return a, b, c (N, n) of tau = a s'' + b s'^2 + c at s (N,), from inverse dynamics evaluated three times.

    a = M q' (N m s^2 for an s without unit), b = M q'' + C(q, q') q', c = g(q) N m; primes at q are derivatives by s.
    path: (s, order of the derivative) -> (N, n) rad (m), for the orders 0, 1 and 2, such as `through` or a spline of SciPy.
    """
    check_numeric(arm, "coefficients")
    s = np.atleast_1d(as_numbers(s, "s", (...,)))
    if not callable(path):
        raise TypeError(
            f"path must be a function (s, order of the derivative) -> (N, n), got {in_short(path)}: see through"
        )
    try:
        values = [path(s, k) for k in range(3)]
    except TypeError as error:  # of a function of s alone
        raise TypeError(f"path must take (s, order of the derivative), as through makes one, got: {error}") from error
    q, slope, bend = (as_numbers(x, f"path(s, {k})", (len(s), arm.n)) for k, x in enumerate(values))
    c = gravity_torque(arm, q)
    rest = np.zeros_like(q)
    return inverse_dynamics(arm, q, rest, slope) - c, inverse_dynamics(arm, q, slope, bend) - c, c


def fastest_along(
    arm: Arm,
    path: Path,
    torque_limits: ArrayLike,
    s: ArrayLike | None = None,
    rate_limits: ArrayLike | None = None,
    start_rate: float = 0.0,
    end_rate: float = 0.0,
) -> TimedPath:
    """Return the fastest motion along a path whose torques stay within their limits, a TimedPath.

    path: (s, order of the derivative) -> (N, n) rad (m), smooth, and nowhere standing still: q' is not zero.
    torque_limits: (n,) N m (N), the largest magnitudes, or (n, 2), lowest and highest, infinite where there is none; s: (N,) increasing, the grid,
    default 201 points from 0 to 1; rate_limits: (n,) rad/s (m/s) of the joints; start_rate, end_rate: 1/s, s' at the ends.
    The limits hold at both ends of each interval of the grid; between, torques may exceed them by what falls with the
    square of its width h, if the knots of a spline are on the grid and no coefficient a of `coefficients` is near zero; near
    a zero of one they may exceed them by more, so look at them on a finer grid.  Where 2 h |b| <= |a| for each joint at each
    point, and no a changes its sign, no other motion with a constant s'' in each interval is faster.  No friction.
    Raises ValueError where no motion is found, for a corner and for a path that stands still; near a zero of a coefficient
    a another grid may find one.
    """
    grid = np.linspace(0, 1, 201) if s is None else as_numbers(s, "s", (...,))
    if grid.ndim != 1 or len(grid) < 2 or not (np.diff(grid) > 0).all():
        raise ValueError(f"s must be an increasing grid (N,) of two points at least, got shape {grid.shape}")
    a, b, c = coefficients(arm, path, grid)
    _check_path(grid, *(path(grid, k) for k in range(3)))
    limits = _torque_limits(torque_limits, arm.n)
    if rate_limits is None and (abs(limits) >= UNBOUNDED).all():
        raise ValueError(
            "torque_limits must be finite for a joint, or rate_limits given, got neither: no motion is the fastest"
        )
    most = np.inf if rate_limits is None else _positive_limits(rate_limits, "rate_limits", arm.n)
    squares = ((path(grid, 1) / most) ** 2).max(axis=1)  # x times this is at most 1
    x_start, x_end = _end_rates(start_rate, end_rate, squares if rate_limits is not None else None) ** 2
    rows = [half_planes(a[k], b[k], c[k], limits, squares[k]) for k in range(len(grid))]
    largest = np.array([interval(row)[1] for row in rows])
    low, high = controllable(grid, rows, x_end)
    if low[0] > high[0]:
        k = int(np.flatnonzero(low > high)[-1])
        raise _too_weak(f"leave a rate at s = {grid[k]:.4g} from which the end can be reached", k, c, limits)
    if not low[0] - ROUNDOFF <= x_start <= high[0] + ROUNDOFF * (1 + x_start):
        words = f"let s' be {start_rate:g} 1/s at the start, from where the end is reached with {low[0] ** 0.5:.4g} to "
        raise _too_weak(f"{words}{high[0] ** 0.5:.4g} 1/s", int(np.argmax(low)), c, limits)
    x, u = greedy(grid, rows, x_start, low, high)
    rate = np.sqrt(x)
    if not (rate[1:] + rate[:-1] > 0).all():
        k = int(np.argmin(rate[1:] + rate[:-1]))
        raise _too_weak(f"let the arm move on from s = {grid[k]:.4g}, where it stands", k, c, limits)
    t = np.concatenate([[0.0], np.cumsum(2 * np.diff(grid) / (rate[1:] + rate[:-1]))])
    tau = a * np.append(u, u[-1])[:, None] + b * x[:, None] + c
    return TimedPath(path, grid, t, rate, u, tau, np.sqrt(largest), np.sqrt(low), np.sqrt(high))


# ---- what is given ----------------------------------------------------------------------------------------------------


def _end_rates(start_rate: float, end_rate: float, squares: Floats | None) -> Floats:
    """Return s' at both ends (2,), which keep to rate_limits where these are given: s'^2 times squares (N,) is at most 1."""
    ends = as_numbers([start_rate, end_rate], "start_rate and end_rate", (2,))
    if (ends < 0).any():
        raise ValueError(
            f"start_rate and end_rate must be >= 0 1/s, got {start_rate} and {end_rate}: turn the path around"
        )
    top = np.array([np.inf, np.inf]) if squares is None else squares[[0, -1]] ** -0.5
    if (ends > top * (1 + ROUNDOFF)).any():
        raise ValueError(
            f"start_rate and end_rate must keep to rate_limits, {top[0]:.4g} and {top[1]:.4g} 1/s at most, "
            f"got {start_rate:g} and {end_rate:g}: begin and end slower, or allow faster joints"
        )
    return ends


def _positive_limits(x: ArrayLike, name: str, n: int) -> Floats:
    """Return limits (n,) above zero, from a number or (n,)."""
    values = as_numbers(x, name, (...,))
    if values.shape not in ((), (n,)) or not (values > 0).all():
        raise ValueError(f"{name} must be above zero, a number or shape ({n},), got {np.asarray(x).tolist()}")
    return np.broadcast_to(values, n)


def _torque_limits(x: ArrayLike, n: int) -> Floats:
    """Return the lowest and highest torques (n, 2)."""
    values = np.asarray(x)
    if values.dtype.kind == "f":
        values = np.where(np.isinf(values), np.copysign(UNBOUNDED, values), values)
    values = as_numbers(values if values.dtype.kind == "f" else x, "torque_limits", (...,))
    if values.shape in ((), (n,)):
        values = np.stack([-np.broadcast_to(values, n), np.broadcast_to(values, n)], axis=1)
    if values.shape != (n, 2) or not (values[:, 0] < values[:, 1]).all():
        raise ValueError(
            f"torque_limits must be magnitudes above zero ({n},), or lowest and highest ({n}, 2), a row a joint, "
            f"got {np.asarray(x).tolist()}"
        )
    return values


def _check_path(s: Floats, q: Floats, slope: Floats, bend: Floats) -> None:
    """Refuse a path that stands still or has a corner, and derivatives that are none of its own."""
    size = np.linalg.norm(slope, axis=1)
    if not (size > 1e-6 * size.max()).all():
        k = int(np.argmin(size))
        raise ValueError(
            f"path must move at each s, got q' = 0 at s = {s[k]:.4g}: "
            "take a parameter that goes on, for a spline another knot or ends that are not clamped"
        )
    for values, rates, what in ((slope, bend, "q'"), (q, slope, "q")):
        h = np.diff(s)[:, None]
        off = abs(np.diff(values, axis=0) - h * (rates[1:] + rates[:-1]) / 2).max(axis=1)
        bound = CORNER * size.max() * (np.diff(s) if what == "q" else 1.0)
        if (off > bound).any():
            k = int(np.argmax(off - bound))
            raise ValueError(
                f"path must be smooth, got a jump of {what} between s = {s[k]:.4g} and {s[k + 1]:.4g} that its derivative "
                "does not explain: round the corner, time the pieces one by one, or take a finer grid s"
            )


def _too_weak(words: str, k: int, c: Floats, limits: Floats) -> ValueError:
    """Return the error for motors that are too weak at grid point k; it names a joint that cannot hold its weight."""
    beyond = np.maximum(c - limits[:, 1], limits[:, 0] - c)
    k = k if beyond[k].max() > 0 else int(np.argmax(beyond.max(axis=1)))
    i = int(np.argmax(beyond[k]))
    weight = f" (joint {i + 1} cannot hold its weight of {c[k, i]:.4g} N m or N)" if beyond[k, i] > 0 else ""
    return ValueError(
        f"torque_limits must {words}{weight}: take stronger motors, a lighter arm or another path, or a finer grid s"
    )
