"""A motion in samples, and its balance of energy:  what it has, what the torques feed in, what is missing between them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.dynamics.energy import kinetic_energy, potential_energy
from robotdyn.maths.validate import Floats
from robotdyn.model.arm import Arm


@dataclass(frozen=True, eq=False)
class Trajectory:
    """A motion in samples: t (T,) s; q, qd, tau (T, n) in rad, rad/s, N m (m, m/s, N at a prismatic joint).

    events: for each named event the times (k,) s at which it came; error: None, or (T, 2, n), how far q and qd may be
    from the true motion, if `simulate` was asked for it.
    """

    t: Floats
    q: Floats
    qd: Floats
    tau: Floats
    events: dict[str, Floats] = field(default_factory=dict)
    error: Floats | None = None

    def __len__(self) -> int:
        return len(self.t)

    def energy(self, arm: Arm) -> tuple[Floats, Floats]:
        """Return the kinetic energy T and the potential energy U, (T,) J each."""
        return kinetic_energy(arm, self.q, self.qd), potential_energy(arm, self.q)

    def power(self) -> Floats:
        """Return the power of the torques, (T,) W: tau . qd, friction and springs among them."""
        return (self.tau * self.qd).sum(axis=1)

    def work(self) -> Floats:
        """Return the work of the torques since the first sample, (T,) J, by the trapezoidal rule."""
        power = self.power()
        return np.concatenate([[0.0], np.cumsum((power[1:] + power[:-1]) / 2 * np.diff(self.t))])

    def energy_error(self, arm: Arm) -> Floats:
        """Return T + U less its first value and the work, (T,) J: zero for the true motion, finely sampled."""
        kinetic, potential = self.energy(arm)
        total = kinetic + potential
        return total - total[0] - self.work()

    def at(self, t: ArrayLike) -> tuple[Floats, Floats]:
        """Return q and qd, (..., n), at any times t between the first and the last, from cubics through the samples."""
        t = np.asarray(t, dtype=float)
        if not ((self.t[0] <= t) & (t <= self.t[-1])).all():
            raise ValueError(f"t must lie between {self.t[0]:g} and {self.t[-1]:g} s, got {t}")
        i = np.clip(np.searchsorted(self.t, t, side="right") - 1, 0, len(self.t) - 2)
        h = (self.t[i + 1] - self.t[i])[..., None]
        s = (t - self.t[i])[..., None] / h
        rise = (self.q[i + 1] - self.q[i]) / h
        square = 3 * rise - 2 * self.qd[i] - self.qd[i + 1]
        cube = self.qd[i] + self.qd[i + 1] - 2 * rise
        q = self.q[i] + h * s * (self.qd[i] + s * (square + s * cube))
        return q, self.qd[i] + s * (2 * square + 3 * s * cube)

    def joined(self, other: Trajectory) -> Trajectory:
        """Return this motion and then the other, whose first sample is the last one here."""
        after = lambda one, more: np.concatenate([one, more])
        parts = {name: after(getattr(self, name), getattr(other, name)[1:]) for name in ("t", "q", "qd", "tau")}
        moments = {name: after(self.events.get(name, []), ts) for name, ts in other.events.items()}
        return replace(self, events=self.events | moments, error=None, **parts)
