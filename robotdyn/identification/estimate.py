"""Base parameters from a recording, with standard errors:  tau = Y_base beta + noise  at many samples, solved for beta.

ordinary: least squares.  weighted: each joint's equations divided by the noise that its own residuals show, until it
stays (Gautier 1997).  robust: samples far from the rest lose their weight, Huber's first, then Tukey's (Huber and
Ronchetti 2009).  instrumental: where noise of the rates is in Y, least squares shrinks; rows Z of a motion without that
noise, planned or simulated, do not (Janot, Vandanjon and Gautier 2014).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.codegen.specialize import specialize
from robotdyn.identification.base_parameters import BaseParameters, base_parameters
from robotdyn.identification.normal_equations import NormalEquations, SampledModel
from robotdyn.identification.recording import Recording, Samples
from robotdyn.identification.report import as_html, as_text
from robotdyn.maths.validate import Array, Floats, as_positive, check_numeric, in_short
from robotdyn.model.arm import Arm

# where: add a way to estimate
# a word and its solution, from the `NormalEquations` of `normal_equations.py`; its honesty in
# `tests/test_identification.py`
METHODS = ("ordinary", "weighted", "robust", "instrumental")
ROBUST_SAMPLES = 3  # samples for each unknown from which on robust weights tell outliers from noise
SPECIALIZED_SAMPLES = 1000  # samples from which on a program is worth its making
# Where Huber's and Tukey's weights fall, in standard deviations: 95 % efficient where the noise is normal.
HUBER = 1.345
TUKEY = 4.685


@dataclass(frozen=True, eq=False)
class Estimate:
    """Base parameters estimated from a recording, by `rd.identification.identify`; print shows them as a table.

    base: which they are; values (r,); covariance (r, r); noise (n,): standard deviation of what is left of each joint's
    torques, N m (N); samples: how many; method: in a word; width: of Coulomb friction, rad/s (m/s).
    Standard errors hold where the noise of one sample says nothing of the next one's.
    """

    base: BaseParameters
    values: Floats
    covariance: Floats
    noise: Floats
    samples: int
    method: str
    width: float = 1e-3

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, name: str) -> float:
        """Return the base parameter that a name leads, as "m_2 c_2x", or its whole sum in words."""
        leads = [self.base.names[place] for place in self.base.columns]
        for names in (leads, list(self.base.groups)):
            if name in names:
                return float(self.values[names.index(name)])
        raise KeyError(f"{name!r} leads no base parameter, these do: {', '.join(leads)}")

    def __str__(self) -> str:
        return as_text(self)

    def __repr__(self) -> str:
        return f"<Estimate of {len(self)} base parameters, {self.method}, from {self.samples} samples>"

    def _repr_html_(self) -> str:
        return as_html(self)

    @property
    def errors(self) -> Floats:
        """The standard errors (r,)."""
        return np.sqrt(np.diag(self.covariance))

    def torques(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike) -> Floats:
        """Return the torques (..., n) that the estimate predicts for states (..., n)."""
        Y: Array = self.base.regressor(self.base.arm, q, qd, qdd, self.width)
        return Y @ self.values

    def unexplained(self, recording: Recording) -> Floats:
        """Return for each joint (n,) what the prediction misses of the torques, root mean square beside root mean square.

        On a motion that the estimate has not seen this is cross-validation: on the first one it only gets smaller with
        each parameter that is added.
        """
        samples = Samples(recording, self.base.arm.n)
        tau = samples.tau
        missed = tau - samples.rows(self.torques)
        return np.sqrt((missed**2).mean(0) / np.maximum((tau**2).mean(0), 1e-300))


def identify(
    arm: Arm,
    recording: Recording | Sequence[Recording],
    joints: Iterable[str] = (),
    method: str = "weighted",
    base: BaseParameters | None = None,
    instruments: Any = None,
    width: float = 1e-3,
) -> Estimate:
    """Return the Estimate of the base parameters of an arm from a recording, or from several.

    arm: its frames and gravity; its masses are not asked for.
    joints: as in `rd.regressor`;
    base: if it is known.
    method: "ordinary", "weighted", "robust" or "instrumental"; then instruments: the motion without its noise, a
    function t -> (q, qd, qdd) that takes times (T,), or what has q, qd, qdd (T, n) at the same samples.
    width: rad/s (m/s), of Coulomb friction.  Raises ValueError where rates are missing, the motion excites too little, or
    there are no more samples than unknowns (three times as many for a robust estimate): they would leave no noise to see.
    """
    check_numeric(arm, "identify")
    width = as_positive(width, "width", "rad/s (or m/s)")
    if not isinstance(method, str) or method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {in_short(method)}")
    if (method == "instrumental") != (instruments is not None):
        raise ValueError('instruments must be given with method="instrumental", and with no other')
    base = base_parameters(arm, joints) if base is None else base
    samples = Samples(recording, arm.n)
    tau = samples.tau
    _check_count(len(tau), len(base), method)
    model = SampledModel(base, base_regressor(base, arm, width, len(tau)), samples)
    free = len(tau) - len(base) / arm.n
    if method == "robust":
        x, covariance, noise = _robust(model, free)
    else:
        if instruments is not None:
            instruments = _states_of(instruments, samples)
        x, covariance, noise = _least_squares(model.normal_equations(None, instruments), free, method != "ordinary")
    T = model.whitener
    return Estimate(base, T @ x, T @ covariance @ T.T, noise, len(tau), method, width)


def _check_count(samples: int, unknowns: int, method: str) -> None:
    """Refuse so few samples that they fit as well as exactly, and standard errors say nothing."""
    needed = ROBUST_SAMPLES * unknowns if method == "robust" else unknowns + 1
    if samples < needed:
        raise ValueError(
            f"the recording must have at least {needed} samples for an estimate of {unknowns} base parameters by the {method} method, "
            f"got {samples}: fewer leave no noise to see; record longer, thin less or filter with a higher cutoff"
        )


def _least_squares(equations: NormalEquations, free: float, weighted: bool) -> tuple[Floats, Floats, Floats]:
    """Return x, its covariance and the noise, with each joint weighted by the noise that it shows, or all equally."""
    uniform = weights = np.ones(len(equations.c))
    x = equations.solve(weights)
    for _ in range(30):
        weights = 1 / equations.squared_residuals(x)
        weights = weights / weights.max()
        previous = x
        x = equations.solve(weights)
        if abs(x - previous).max() <= 1e-10 * abs(x).max():
            break
    variance = equations.squared_residuals(x) / free  # what the best fit leaves
    if not weighted:
        x = equations.solve(uniform)
        weights = uniform
    return x, equations.covariance(weights, variance), np.sqrt(variance)


def _robust(model: SampledModel, free: float) -> tuple[Floats, Floats, Floats]:
    """Return the same with weights of the samples that fall with their residuals; noise: of the samples that count."""
    unweighted = model.normal_equations()
    x, _, _ = _least_squares(unweighted, free, True)
    huber: Callable[[Floats], Floats] = lambda u: HUBER / np.maximum(u, HUBER)
    tukey: Callable[[Floats], Floats] = lambda u: np.maximum(0, 1 - (u / TUKEY) ** 2) ** 2
    min_scale = 1e-10 * (abs(model.tau).max() or 1.0)  # what rounding leaves of exact data
    for weight_of, rounds in ((huber, 10), (tukey, 30)):
        for _ in range(rounds):
            residuals = model.residuals(x)
            scale = np.maximum(1.4826 * np.median(abs(residuals), axis=0), min_scale)
            previous = x
            x = model.normal_equations(weight_of(abs(residuals) / scale) / scale**2).solve(np.ones(len(scale)))
            if abs(x - previous).max() <= 1e-9 * abs(x).max():
                break
    u = model.residuals(x) / scale
    psi = u * tukey(abs(u))
    slope = tukey(abs(u)) - 4 * (u / TUKEY) ** 2 * np.sqrt(tukey(abs(u)))
    spread = scale**2 * np.maximum((psi**2).sum(0) / free, 1e-16) / slope.mean(0) ** 2  # which exact data leave at 0
    return x, unweighted.covariance(1 / spread, spread), scale


def base_regressor(base: BaseParameters, arm: Arm, width: float, samples: int) -> Callable[..., Floats]:
    """Return Y_base as a function of q, qd, qdd, for so many samples."""

    def rows(arm: Arm, q: Any, qd: Any, qdd: Any) -> Any:
        return base.regressor(arm, q, qd, qdd, width)

    if samples >= SPECIALIZED_SAMPLES:
        return specialize(rows, arm)
    return lambda q, qd, qdd: rows(arm, q, qd, qdd)


def _states_of(motion: Any, samples: Samples) -> tuple[Floats, Floats, Floats]:
    shape = samples.tau.shape
    if callable(motion):
        found = motion(np.concatenate([part.t for part in samples.recordings]))
    else:
        found = tuple(getattr(motion, name, None) for name in ("q", "qd", "qdd"))
    if not isinstance(found, tuple) or len(found) != 3 or any(np.shape(x) != shape for x in found):
        raise ValueError(
            f"instruments must be a function of times (T,) that returns (q, qd, qdd), or have these, of shape {shape}"
        )
    return found
