"""Exciting motions:  q(t) = center + sum over k of a_k sin(k w t) + b_k cos(k w t), chosen for a well conditioned fit.

A motion with a small condition number of the stacked regressor moves all base parameters about equally: the number says by
how much noise in the torques may grow on its way to the worst combination.  It depends on the units of the parameters, and
another motion may make one of them more certain: the standard errors of the estimate tell.  Swevers et al. (1997), "Optimal robot
excitation and identification"; Gautier and Khalil (1992).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.codegen.specialize import specialize
from robotdyn.dynamics.recursive import inverse_dynamics
from robotdyn.identification.base_parameters import BaseParameters, base_parameters
from robotdyn.maths.validate import Floats, as_numbers, as_positive, check_numeric, in_short
from robotdyn.model.arm import Arm
from robotdyn.simulation.progress import progress_bar

LIMIT_MARGIN = 0.99  # of each limit: what a peak between two samples may add


@dataclass(frozen=True, eq=False)
class Fourier:
    """A periodic motion, called as motion(t) -> (q, qd, qdd), exact derivatives; (n,) each, (T, n) for times (T,).

    center: (n,) rad (m); sines, cosines: (n, H) rad (m), of the harmonics 1 .. H; period: s.
    """

    center: Floats
    sines: Floats
    cosines: Floats
    period: float

    def __call__(self, t: ArrayLike) -> tuple[Floats, Floats, Floats]:
        w = 2 * np.pi / self.period * np.arange(1, self.sines.shape[1] + 1)
        angle = np.asarray(t, dtype=float)[..., None] * w
        s = np.sin(angle)
        c = np.cos(angle)
        a = self.sines.T
        b = self.cosines.T
        return (
            self.center + s @ a + c @ b,
            (c * w) @ a - (s * w) @ b,
            -(s * w**2) @ a - (c * w**2) @ b,
        )


def condition(base: BaseParameters, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, width: float = 1e-3) -> float:
    """Return the condition number of Y_base stacked over the states q, qd, qdd (T, n): 1 is ideal, infinity: some combination is not excited."""
    W = base.regressor(base.arm, q, qd, qdd, width)
    return _condition_number(W)


def excite(
    arm: Arm,
    q_limits: tuple[ArrayLike, ArrayLike],
    qd_limits: ArrayLike,
    tau_limits: ArrayLike = np.inf,
    period: float = 10.0,
    harmonics: int = 5,
    joints: Iterable[str] = (),
    base: BaseParameters | None = None,
    rounds: int = 300,
    seed: int = 0,
    width: float = 1e-3,
    progress: bool | None = None,
) -> Fourier:
    """Return a Fourier motion that keeps the limits, with a small condition number; at rest in its center at t = 0.

    arm: its frames and gravity count; its masses, a guess, only for the torques.
    q_limits: (lower, upper) rad (m);
    qd_limits, tau_limits: bounds of either sign, rad/s (m/s), N m (N); each a number or (n,).
    period: s, in which each harmonic k turns k times;
    harmonics: at least 3.
    joints: as in `rd.regressor`;
    base: if it is known already.
    rounds: candidates of the search, each the best one so far with random changes;
    seed: of these;
    progress: True or False shows or hides a bar, None shows it after a second.
    Raises ValueError where the limits leave no motion.
    """
    check_numeric(arm, "excite")
    n = arm.n
    period = as_positive(period, "period", "s")
    _check_whole(harmonics, "harmonics", 3)
    _check_whole(rounds, "rounds", 1)
    lower, upper = _limit_pair(q_limits, n)
    rate = _positive(qd_limits, "qd_limits", n)
    torque = _positive(tau_limits, "tau_limits", n)
    base = base_parameters(arm, joints) if base is None else base
    center = (lower + upper) / 2
    reach = LIMIT_MARGIN * (upper - lower) / 2
    t = np.linspace(0, period, 20 * harmonics, endpoint=False)
    rows = _regressor_of(base, arm, width)
    torques = specialize(inverse_dynamics, arm)

    def scaled_to_limits(x: Floats) -> Fourier:
        sines, cosines = _project_to_rest(x)
        return _scaled_to_limits(Fourier(center, sines, cosines, period), t, reach, LIMIT_MARGIN * rate)

    def cost(motion: Fourier) -> float:
        states = motion(t)
        if (abs(torques(*states)) > LIMIT_MARGIN * torque).any():
            return np.inf
        return float(np.log(_condition_number(rows(*states))))

    rng = np.random.default_rng(seed)
    k = np.arange(1, harmonics + 1)
    size = np.minimum(reach[:, None], rate[:, None] * period / (2 * np.pi * k)) / np.sqrt(harmonics)
    draw = lambda: size * rng.normal(size=(2, n, harmonics))
    start = _feasible_start(scaled_to_limits, cost, draw(), center)
    with progress_bar(rounds, progress) as advance:
        return _random_search(*start, scaled_to_limits, cost, draw, rounds, advance)


def _scaled_to_limits(motion: Fourier, t: Floats, reach: Floats, rate: Floats) -> Fourier:
    """Return a motion whose joints move as much less as their limits ask.

    t: (T,) s, the samples that are looked at; reach: (n,) rad (m), from the center; rate: (n,) rad/s (m/s).
    """
    q, qd, _ = motion(t)
    excess = np.maximum(abs(q - motion.center).max(0) / reach, abs(qd).max(0) / rate)
    scale = 1 / np.maximum(excess, 1)[:, None]
    return Fourier(motion.center, motion.sines * scale, motion.cosines * scale, motion.period)


def _random_search(
    best: Fourier,
    lowest: float,
    scaled_to_limits: Callable[[Floats], Fourier],
    cost: Callable[[Fourier], float],
    draw: Callable[[], Floats],
    rounds: int,
    advance: Callable[[int, str], None],
) -> Fourier:
    """Return the best of random changes, each of the best motion so far, in steps that adapt to success.

    best, lowest: the first motion and its cost, the logarithm of the condition number;
    scaled_to_limits: coefficients (2, n, H) -> motion; draw: () -> random coefficients; advance: moves the progress bar.
    """
    step = 0.5
    for _ in range(rounds):
        motion = scaled_to_limits(np.array([best.sines, best.cosines]) + step * draw())
        found = cost(motion)
        better = found < lowest
        if better:
            best = motion
            lowest = found
        step *= 1.5 if better else 0.92  # keeps about one candidate of six better
        advance(1, f"condition {np.exp(lowest):.3g}")
    return best


def _feasible_start(scaled_to_limits: Any, cost: Any, x: Floats, center: Floats) -> tuple[Fourier, float]:
    """Return a motion that keeps the limits of the torques: a random one, ever smaller."""
    for smaller in 0.7 ** np.arange(12):
        motion = scaled_to_limits(smaller * x)
        if np.isfinite(found := cost(motion)):
            return motion, found
    raise ValueError(
        f"tau_limits must leave torque for a motion beside the weight, but about q = {center.round(3).tolist()} "
        "none was found: move q_limits, raise tau_limits or take a longer period"
    )


def _project_to_rest(x: Floats) -> Floats:
    """Return the coefficients (2, n, H) nearest to x with  sum k a_k = 0,  sum b_k = 0,  sum k^2 b_k = 0."""
    k = np.arange(1.0, x.shape[-1] + 1)
    conditions = [np.array([k]), np.array([k**0, k**2])]
    return np.array([part - part @ np.linalg.pinv(rule) @ rule for part, rule in zip(x, conditions)])


def _condition_number(W: Floats) -> float:
    values = np.linalg.svd(W.reshape(-1, W.shape[-1]), compute_uv=False)
    return float(values[0] / values[-1]) if values[-1] > 1e-14 * values[0] else np.inf


def _regressor_of(base: BaseParameters, arm: Arm, width: float) -> Any:
    """Return Y_base as a program of q, qd, qdd."""

    def rows(arm: Arm, q: Any, qd: Any, qdd: Any) -> Any:
        return base.regressor(arm, q, qd, qdd, width)

    return specialize(rows, arm)


def _check_whole(number: Any, name: str, minimum: int) -> None:
    if not isinstance(number, int) or number < minimum:
        raise ValueError(f"{name} must be a whole number >= {minimum}, got {in_short(number)}")


def _limit_pair(limits: Any, n: int) -> tuple[Floats, Floats]:
    """Return the lower and the upper limits of the angles, (n,) each."""
    if not isinstance(limits, (tuple, list, np.ndarray)) or len(limits) != 2:
        raise ValueError(f"q_limits must be (lower, upper), got {in_short(limits)}")
    lower, upper = (_per_joint(x, "q_limits", n) for x in limits)
    if not (lower < upper).all():
        raise ValueError(f"q_limits must be (lower, upper) with lower < upper, got {lower.tolist()}, {upper.tolist()}")
    return lower, upper


def _per_joint(x: Any, name: str, n: int) -> Floats:
    return np.broadcast_to(as_numbers(x, name, (n,) if np.ndim(x) else ()), n)


def _positive(x: Any, name: str, n: int) -> Floats:
    if np.ndim(x) == 0 and x == np.inf:
        return np.full(n, np.inf)
    bound = _per_joint(x, name, n)
    if not (bound > 0).all():
        raise ValueError(f"{name} must be > 0, got {bound.tolist()}")
    return bound
