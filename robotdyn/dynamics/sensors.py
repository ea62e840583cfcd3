"""What inertial sensors on an arm read, and what can be inferred from it:  f = R^T (p'' - g),  omega = R^T J_omega qd.

An accelerometer does not feel gravity: it reads the specific force f, the force that carries it per kilogram of what it
carries.  At rest that is the acceleration of free fall upside down, g upward; in free fall it is 0.
Chapter "accelerometer".
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.dynamics.kinematics import cross, frame_pose, point_acceleration, point_jacobian
from robotdyn.maths import rotations
from robotdyn.maths.completion import offer_public_names
from robotdyn.maths.namespace import as_type_of, generic, namespace
from robotdyn.maths.validate import Entries, Floats, Result, as_array, as_numbers, as_times, in_short
from robotdyn.model.arm import Arm
from robotdyn.model.link import LinkFrame

__all__ = [
    "accelerometer",
    "complementary_filter",
    "gyroscope",
    "lever_arm",
    "roll_and_pitch",
    "tilt",
    "with_errors",
]
offer_public_names(__name__)


@generic
def accelerometer(
    arm: Arm, q: Entries, qd: Entries, qdd: Entries, link: int | str | LinkFrame = -1, point: Entries | None = None
) -> Result:
    """Return what an accelerometer at a point of a link reads, the specific force R^T (p'' - g) (3,) m/s^2, link axes.

    q, qd, qdd: (n,) rad, rad/s, rad/s^2 (m, m/s, m/s^2 at a prismatic joint), or (..., n) for a batch.
    link: index, -1 for the last, or a frame on a link, `arm.frame(i)`, whose axes then take the place of the link's;
    point: (3,) m in link axes, default the tip for the last link, else the origin; for a frame always its own origin.
    """
    xp = namespace(arm, q, qd, qdd)
    a = point_acceleration(arm, q, qd, qdd, link, point)[:3]
    return frame_pose(arm, q, link)[0].T @ (a - xp.array(arm.gravity))


@generic
def gyroscope(arm: Arm, q: Entries, qd: Entries, link: int | str | LinkFrame = -1) -> Result:
    """Return what a gyroscope on a link reads, wherever it is: the angular velocity (3,) rad/s, link axes.

    q, qd: (n,) rad and rad/s (m and m/s), or (..., n) for a batch;
    link: index, -1 for the last, or a frame on a link, `arm.frame(i)`, whose axes then take the place of the link's.
    """
    omega = point_jacobian(arm, q, link)[3:] @ qd
    return frame_pose(arm, q, link)[0].T @ omega


def lever_arm(omega: Entries, alpha: Entries, offset: Entries) -> Result:
    """Return by how much more a place at an offset is accelerated:  alpha x r + omega x (omega x r), (..., 3) m/s^2.

    omega: rad/s; alpha: rad/s^2; offset r: m, from one place of a body to another; each (3,) or (..., 3), in the axes
    of the body, as is the result; symbols (3,).
    """
    vectors = (as_array(x, name, (..., 3)) for name, x in {"omega": omega, "alpha": alpha, "offset": offset}.items())
    w, wd, r = (np.moveaxis(vector, -1, 0) for vector in np.broadcast_arrays(*vectors))
    return as_type_of(omega, np.moveaxis(cross(wd, r) + cross(w, cross(w, r)), 0, -1))


def with_errors(
    reading: ArrayLike,
    t: ArrayLike,
    rng: np.random.Generator | int,
    bias: ArrayLike = 0.0,
    white: float = 0.0,
    walk: float = 0.0,
) -> Floats:
    """Return a reading (T, 3) as a real sensor gives it:  exact + bias + random walk + white noise.

    t: (T,) s, increasing;
    rng: a generator of random numbers, or its seed.  With the unit u of the reading:
    bias: u, a constant, a number or (3,);
    white: u s^(1/2), a mean over s seconds is off by white / sqrt(s);
    walk: u s^(-1/2), the bias wanders off by walk * sqrt(s) in s seconds (standard deviations).
    Where a data sheet counts positive frequencies alone, its noise density in u / sqrt(Hz) is white times sqrt(2).
    """
    exact, t = _samples(reading, "reading", t)
    for name, size in {"white": white, "walk": walk}.items():
        if as_numbers(size, name, ()) < 0:
            raise ValueError(f"{name} must be >= 0, got {size}: it is the size of random numbers of either sign")
    bias = as_numbers(bias, "bias", (...,))
    if bias.shape not in ((), (3,)):
        raise ValueError(f"bias must be a number or have shape (3,), got {bias.shape}")
    try:
        rng = np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise TypeError(
            f"rng must be a generator of random numbers or a seed, a whole number >= 0, got {in_short(rng)}"
        ) from None
    dt = np.diff(t, prepend=2 * t[0] - t[1])[:, None]
    noise, steps = rng.normal(size=(2, *exact.shape))
    steps[0] = 0
    wandering = np.cumsum(walk * np.sqrt(dt) * steps, axis=0)
    return exact + bias + wandering + white / np.sqrt(dt) * noise


def tilt(reading: ArrayLike) -> Floats:
    """Return the direction that an accelerometer at rest takes for up, (..., 3), of length 1, in its axes.

    reading: (..., 3) m/s^2.  That is two of three angles: a turn about the vertical changes nothing.
    Raises ValueError for a reading of 0.
    """
    return _direction(reading, "reading")


def roll_and_pitch(up: ArrayLike) -> Floats:
    """Return roll and pitch (..., 2) rad of a sensor that sees up (..., 3) there, of any length but 0, in its axes.

    Its axes are turned by R_z(yaw) R_y(pitch) R_x(roll) out of base axes whose z points up; the yaw stays unknown.
    """
    x, y, z = np.moveaxis(_direction(up, "up"), -1, 0)
    return np.stack([np.arctan2(y, z), np.arctan2(0 - x, np.hypot(y, z))], axis=-1)


def complementary_filter(
    t: ArrayLike, accelerometer: ArrayLike, gyroscope: ArrayLike, time_constant: ArrayLike, up: ArrayLike | None = None
) -> Floats:
    """Return the direction up (T, 3), in the axes of the sensors, from both of them:  u' = -omega x u + (tilt - u) / T.

    t: (T,) s, increasing;
    accelerometer: (T, 3) m/s^2;
    gyroscope: (T, 3) rad/s;
    time_constant: s, > 0, a number or (T,):
    what is faster is left to the gyroscope, what is slower to the accelerometer; np.inf: to the gyroscope alone.
    up: (3,), where it starts; default the tilt of the first reading.
    From one sample to the next u turns by the mean of omega, then moves toward the tilt by the share 1 - exp(-dt / T).
    """
    f, t = _samples(accelerometer, "accelerometer", t)
    omega, _ = _samples(gyroscope, "gyroscope", t)
    tilts = tilt(f)
    u = tilts[0] if up is None else _direction(as_numbers(up, "up", (3,)), "up")
    dt = np.diff(t)
    turns = rotations.exp(-(omega[1:] + omega[:-1]) / 2 * dt[:, None])
    try:
        T = np.asarray(time_constant, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"time_constant must hold real numbers, got {in_short(time_constant)}") from None
    if T.shape not in ((), t.shape) or not (T > 0).all():
        raise ValueError(
            f"time_constant must be > 0 s, a number or of shape {t.shape}, np.inf for the gyroscope alone, got {T}"
        )
    shares = 1 - np.exp(-dt / np.broadcast_to(T, t.shape)[1:])
    ups = [u]
    for turn, share, target in zip(turns, shares, tilts[1:]):
        u = turn @ u
        u = u + share * (target - u)
        u = u / math.sqrt(u @ u)
        ups.append(u)
    return np.stack(ups)


def _direction(x: ArrayLike, name: str) -> Floats:
    """Return vectors (..., 3), divided by their lengths."""
    x = as_numbers(x, name, (..., 3))
    size = np.linalg.norm(x, axis=-1, keepdims=True)
    if not size.all():
        raise ValueError(f"{name} must not be 0: in free fall an accelerometer knows no up; leave such samples out")
    return x / size


def _samples(reading: ArrayLike, name: str, t: ArrayLike) -> tuple[Floats, Floats]:
    """Return a reading (T, 3) and its times (T,)."""
    t = as_times(t)
    return as_numbers(reading, name, (len(t), 3)), t
