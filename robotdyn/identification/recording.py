"""What was measured on a robot:  times, angles and torques, checked; filtered, and differentiated where rates are missing.

A filter F smooths torques, so it must smooth what they are compared with:  F tau = (F Y) beta,  for  tau = Y beta  at each time.
Where Y is no linear function of the states, F Y is not Y of filtered states; dry friction, whose torque jumps, shows it first.
Parallel filtering: Gautier (1997); Swevers, Verdonck and De Schutter (2007).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from robotdyn.maths.validate import Floats, as_array, as_numbers, as_positive, in_short

STATE_BANDWIDTH = 2.0  # cutoffs up to which the states pass that the rows of a model are made from
SETTLING = 10.0  # periods of the cutoff after which the filter has forgotten its start, to 1e-10
GAP_RATIO = 1.5  # a step that is longer than so many usual ones lacks samples
MAX_JITTER = 0.1  # root mean square by which steps may differ, in usual ones
MAX_STRAY = 0.5  # steps by which a sample may be early or late beside an even clock
FILTERED_PERIODS = 20.0  # of the cutoff, whose rows are made and filtered at once, beside those that it settles in
MODEL_SAMPLES = 4000  # samples whose rows a model makes at once before they are filtered
MAX_EXCESS = 0.05  # by which samples that are kept may be more than two a period, where their steps are even then
MIN_SPACING = 2.0  # samples from one that is kept to the next, at least: close neighbors share their noise
ROUNDOFF = 1e-9  # of a number of samples
UNIT_MISTAKES = {
    "rad/s while the angles are in degrees": np.pi / 180,
    "degrees/s while the angles are in rad": 180 / np.pi,
    "rpm while the angles are in rad": 30 / np.pi,
}


@dataclass(frozen=True, eq=False)
class LowPass:
    """The filter that torques have passed, for the rows of a model that they are compared with.

    sections: of the filter, for SciPy; step: s between samples; states: q, qd, qdd (S, n) of all samples, slower than twice the
    cutoff; kept (T,): which of them the recording has.
    """

    sections: Floats
    step: float
    cutoff: float
    states: tuple[Floats, Floats, Floats]
    kept: Any

    def rows(self, model: Callable[..., Floats], part: Any) -> Floats:
        """Return model(q, qd, qdd), (S, ..) for states (S, n), filtered, at some of the samples of the recording, in their order."""
        wanted = self.kept[part]
        pieces = np.split(wanted, np.flatnonzero(np.diff((wanted - wanted[0]) // self._piece)) + 1)
        return np.concatenate([self._filtered_rows(model, piece) for piece in pieces])

    @property
    def block(self) -> int:
        """The number of kept samples whose rows are best asked for at once: those of one piece."""
        spacing = (self.kept[-1] - self.kept[0]) / max(1, len(self.kept) - 1)
        return max(1, int(self._piece / max(spacing, 1)))

    @property
    def _piece(self) -> int:
        """The number of all samples, kept or not, whose rows are filtered at once: memory does not grow with the recording."""
        return int(np.ceil(FILTERED_PERIODS / (self.cutoff * self.step)))

    def _filtered_rows(self, model: Callable[..., Floats], wanted: Any) -> Floats:
        """Return the rows at some samples, which are no further apart than a piece."""
        from scipy.signal import sosfiltfilt

        margin = int(np.ceil(SETTLING / (self.cutoff * self.step)))
        begin = max(0, int(wanted[0]) - margin)
        end = min(int(wanted[-1]) + margin + 1, len(self.states[0]))
        places = wanted - begin
        blocks = [
            model(*(x[k : min(k + MODEL_SAMPLES, end)] for x in self.states)) for k in range(begin, end, MODEL_SAMPLES)
        ]
        joints = (np.concatenate([block[:, j] for block in blocks]) for j in range(blocks[0].shape[1]))
        return np.stack([sosfiltfilt(self.sections, rows, axis=0)[places] for rows in joints], axis=1)


@dataclass(frozen=True, eq=False)
class Recording:
    """A measured motion: t (T,) s; q, tau (T, n) rad (m), N m (N) of the motors; qd, qdd (T, n) or None, not measured.

    lowpass: the filter that the torques have passed, by `filtered`; None if none.

    Raises ValueError in words for times that run back, for samples that are no numbers, and for rates that are those of
    other units than the angles'.
    """

    t: Floats
    q: Floats
    tau: Floats
    qd: Floats | None = None
    qdd: Floats | None = None
    lowpass: LowPass | None = None

    def __post_init__(self) -> None:
        t = _as_increasing(_as_finite(self.t, "t", None))
        q = _as_finite(self.q, "q", t)
        if q.ndim != 2 or len(q) != len(t):
            raise ValueError(f"q must have shape (T, n) with a row for each of the {len(t)} times, got {q.shape}")
        object.__setattr__(self, "t", t)
        object.__setattr__(self, "q", q)
        for name in ("tau", "qd", "qdd"):
            if (given := getattr(self, name)) is not None:
                values = _as_finite(given, name, t)
                if values.shape != q.shape:
                    raise ValueError(f"{name} must have shape {q.shape}, as q has, got {values.shape}")
                object.__setattr__(self, name, values)
            elif name == "tau":
                raise ValueError("tau must be given: without torques no mass can be known")
        _check_units(self)

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        rates = " and ".join(name for name in ("qd", "qdd") if getattr(self, name) is not None) or "no rates"
        return f"<Recording of {self.n} joints, {len(self)} samples from {self.t[0]:g} to {self.t[-1]:g} s, {rates}>"

    @property
    def n(self) -> int:
        """The number of joints."""
        return self.q.shape[1]

    def between(self, begin: float, end: float) -> Recording:
        """Return the samples with begin <= t <= end, s; either may be infinite.  Raises ValueError where fewer than two are there."""
        begin, end = (_as_time(x, name) for x, name in ((begin, "begin"), (end, "end")))
        inside = (begin <= self.t) & (self.t <= end)
        if inside.sum() < 2:
            raise ValueError(
                f"between({begin:g}, {end:g}) must hold at least two samples, got {inside.sum()}: "
                f"t runs from {self.t[0]:g} to {self.t[-1]:g} s"
            )
        return self._select(inside)

    def thinned(self, every: int) -> Recording:
        """Return every so many samples, from the first one on; every: a whole number >= 1 that leaves two samples at least."""
        if not isinstance(every, (int, np.integer)) or isinstance(every, bool) or not 1 <= every < len(self):
            raise ValueError(
                f"every must be a whole number from 1 to {len(self) - 1}, so that two samples stay, got {in_short(every)}"
            )
        return self._select(np.arange(0, len(self), every))

    def filtered(self, cutoff: float, thin: bool = True) -> Recording:
        """Return what is slower than the cutoff in Hz, without delay, with qd and qdd from differences of the angles.

        Angles and torques pass the same Butterworth filter of order 4, forward and backward; the first and the last
        3 / cutoff seconds go, where it has not settled.  thin=True keeps two samples a period of the cutoff, at most every
        second one: more of them say nothing new, and standard errors that count them would be too small.  Where half a
        period is far from a whole number of samples, the steps between those that are kept differ by one.
        `identify` lets the rows of its model pass the filter, too, made from states of twice the bandwidth at all samples.
        Measured rates are not used.  Raises ValueError for gaps, for an uneven clock, for a recording that was filtered
        before, and for a cutoff that the samples are too rare for.
        """
        from scipy.signal import butter, sosfiltfilt

        if self.lowpass is not None:
            raise ValueError(
                f"the recording must be one that no filter has passed, got one that is filtered at {self.lowpass.cutoff:g} Hz: "
                "filter the measured one with the other cutoff"
            )
        step = self._sampling_interval()
        cutoff = as_positive(cutoff, "cutoff", "Hz")
        if not cutoff < 0.4 / step:
            raise ValueError(
                f"cutoff must be < {0.4 / step:g} Hz, 0.8 of half the {1 / step:g} samples a second, got {cutoff:g}"
            )
        edge = int(np.ceil(3 / (cutoff * step)))
        if len(self) < 3 * edge:
            raise ValueError(f"a cutoff of {cutoff:g} Hz needs at least {3 * edge} samples here, got {len(self)}")
        low = butter(4, cutoff, fs=1 / step, output="sos")
        wide = butter(4, min(STATE_BANDWIDTH * cutoff, 0.4 / step), fs=1 / step, output="sos")
        q = sosfiltfilt(low, self.q, axis=0)
        qd, qdd = _central_differences(q, step)
        states = _states(sosfiltfilt(wide, self.q, axis=0), step)
        lowpass = LowPass(low, step, cutoff, states, np.arange(len(self)))
        whole = replace(self, q=q, tau=sosfiltfilt(low, self.tau, axis=0), qd=qd, qdd=qdd, lowpass=lowpass)
        spacing = _spacing(0.5 / (cutoff * step)) if thin else 1.0
        count = int(np.ceil((len(self) - 2 * edge) / spacing - ROUNDOFF))
        return whole._select(edge + np.floor(spacing * np.arange(count) + ROUNDOFF).astype(int))

    def resampled(self) -> Recording:
        """Return as many samples at even steps between the same ends, by cubic splines: what a clock that jitters measured.

        Raises ValueError for gaps, which no spline fills, and for a recording that was filtered.
        """
        from scipy.interpolate import CubicSpline

        if self.lowpass is not None:
            raise ValueError("the recording must be resampled before it is filtered, got one that a filter has passed")
        self._check_gaps()
        t = np.linspace(self.t[0], self.t[-1], len(self))
        even: Callable[[Floats], Floats] = lambda x: CubicSpline(self.t, x)(t)
        qd, qdd = (None if x is None else even(x) for x in (self.qd, self.qdd))
        return Recording(t, even(self.q), even(self.tau), qd, qdd)

    def rows(self, model: Callable[..., Floats], part: Any = slice(None)) -> Floats:
        """Return model(q, qd, qdd) at some samples, as the torques are: filtered where these are."""
        if self.lowpass is not None:
            return self.lowpass.rows(model, part)
        assert self.qd is not None and self.qdd is not None  # Samples has looked
        return model(self.q[part], self.qd[part], self.qdd[part])

    def _select(self, indices: Any) -> Recording:
        qd, qdd = (None if part is None else part[indices] for part in (self.qd, self.qdd))
        lowpass = None if self.lowpass is None else replace(self.lowpass, kept=self.lowpass.kept[indices])
        return Recording(self.t[indices], self.q[indices], self.tau[indices], qd, qdd, lowpass)

    def _sampling_interval(self) -> float:
        """Return the time between two samples, or say where some are missing, or that the clock is uneven."""
        self._check_gaps()
        step = float(self.t[-1] - self.t[0]) / (len(self) - 1)
        jitter = float(np.std(np.diff(self.t))) / step
        late = (self.t - self.t[0]) / step - np.arange(len(self))
        stray = float(np.ptp(late - late.mean())) / 2
        if jitter > MAX_JITTER or stray > MAX_STRAY:
            raise ValueError(
                f"t must have even steps for a filter, got steps that differ by {100 * jitter:.2g} % (root mean square) and samples up to "
                f"{stray:.2g} steps off an even clock: filter recording.resampled(), or see whether the clock was changed"
            )
        return step

    def _check_gaps(self) -> None:
        """Say where samples are missing."""
        steps = np.diff(self.t)
        interval = float(np.median(steps))
        if (gaps := np.flatnonzero(steps > GAP_RATIO * interval)).size:
            k = int(gaps[0])
            raise ValueError(
                f"t has {'a gap' if gaps.size == 1 else f'{gaps.size} gaps'}, the first of {steps[k]:.4g} s after "
                f"{self.t[k]:g} s, where samples are {interval:.4g} s apart: a filter needs even steps; "
                "filter the pieces recording.between(begin, end), and give identify a list of them"
            )


class Samples:
    """The samples of one recording or of several, one after another; tau (T, n): their torques; block: how many samples'
    rows are best asked for at once, where they pass a filter.

    Raises ValueError or TypeError for what is no recording of n joints, or has no rates.
    """

    def __init__(self, recording: Any, n: int) -> None:
        one = isinstance(recording, Recording)
        self.recordings: list[Recording] = [recording] if one else list(recording) if np.iterable(recording) else []
        if not self.recordings or not all(isinstance(part, Recording) for part in self.recordings):
            raise TypeError(f"recording must be a Recording, or a list of them, got {type(recording).__name__}")
        for part in self.recordings:
            if part.n != n:
                raise ValueError(f"the recording must have {n} joints, as the arm has, got {part.n}")
            if part.qd is None or part.qdd is None:
                raise ValueError(
                    "the recording must have rates and accelerations: recording.filtered(cutoff) makes them"
                )
        self.tau: Floats = np.concatenate([part.tau for part in self.recordings])
        self.block: int = max((part.lowpass.block for part in self.recordings if part.lowpass is not None), default=1)

    def rows(self, model: Callable[..., Floats], part: Any = slice(None)) -> Floats:
        """Return model(q, qd, qdd) at some samples, in the order of time: filtered where the torques are."""
        wanted = np.arange(len(self.tau))[part]
        found = []
        begin = 0
        for recording in self.recordings:
            here = wanted[(begin <= wanted) & (wanted < begin + len(recording))] - begin
            found += [recording.rows(model, here)] if here.size else []
            begin += len(recording)
        return np.concatenate(found)


def _spacing(half_period: float) -> float:
    """Return by how many samples those that are kept lie apart on average, where half a period of the cutoff has so many."""
    spacing = max(half_period + ROUNDOFF, MIN_SPACING)
    whole = np.floor(spacing)
    return float(whole) if spacing <= (1 + MAX_EXCESS) * whole else spacing - ROUNDOFF


def _central_differences(q: Floats, step: float) -> tuple[Floats, Floats]:
    """Return the first and second central differences of q (T, n) in time."""
    qd = np.gradient(q, step, axis=0)
    qdd = np.zeros_like(q)
    qdd[1:-1] = (q[2:] - 2 * q[1:-1] + q[:-2]) / step**2
    return qd, qdd


def _states(q: Floats, step: float) -> tuple[Floats, Floats, Floats]:
    """Return q (T, n) with its first and second differences in time of order 4, where a model is not to see the step."""
    qd, qdd = _central_differences(q, step)
    far = q[4:] + q[:-4]
    qd[2:-2] = (8 * (q[3:-1] - q[1:-3]) - (q[4:] - q[:-4])) / (12 * step)
    qdd[2:-2] = (16 * (q[3:-1] + q[1:-3]) - far - 30 * q[2:-2]) / (12 * step**2)
    return q, qd, qdd


def _as_finite(x: Any, name: str, t: Floats | None) -> Floats:
    """Return floats, or say where which joint has none."""
    try:
        values = np.asarray(x, dtype=float)
    except (TypeError, ValueError):
        values = as_numbers(as_array(x, name, (...,)), name, (...,))
    bad = ~np.isfinite(values)
    if bad.any():
        first = np.argwhere(bad)[0]
        joint = f" of joint {first[1] + 1}" if values.ndim == 2 else ""
        place = f"t = {t[first[0]]:g} s" if t is not None and first[0] < len(t) else f"sample {first[0]}"
        raise ValueError(
            f"{name}{joint} must be finite, got {values[tuple(first)]:g} at {place} ({bad.sum()} of {values.size} "
            "values are not): leave these samples out, and filter the pieces between them"
        )
    return values


def _as_time(x: Any, name: str) -> float:
    """Return a time in s, which may be infinite."""
    if isinstance(x, (float, np.floating)) and np.isinf(x):
        return float(x)
    return float(as_numbers(x, name, ()))


def _as_increasing(t: Floats) -> Floats:
    if t.ndim != 1 or len(t) < 2:
        raise ValueError(f"t must be an array of at least two times in s, got shape {t.shape}")
    if (back := np.flatnonzero(np.diff(t) <= 0)).size:
        k = int(back[0])
        word = "stands still" if t[k + 1] == t[k] else "runs back"
        raise ValueError(
            f"t must increase, but it {word} after sample {k}, from {t[k]:g} to {t[k + 1]:g} s: "
            "is this a second recording, or a clock that was set? Split it there"
        )
    return t


def _check_units(recording: Recording) -> None:
    """Refuse rates that are 57.3 times what the angles do, or a 57.3th of it, or 9.55 times."""
    if recording.qd is None or len(recording) < 20:
        return
    slope = np.gradient(recording.q, recording.t, axis=0)
    ratio = (slope * recording.qd).sum(0) / np.maximum((slope**2).sum(0), 1e-300)
    correlations = (slope * recording.qd).sum(0) ** 2 / np.maximum((slope**2).sum(0) * (recording.qd**2).sum(0), 1e-300)
    for joint, (r, correlation) in enumerate(zip(ratio, correlations), start=1):
        for mistake, factor in UNIT_MISTAKES.items():
            if correlation > 0.9 and abs(r / factor - 1) < 0.1:
                raise ValueError(
                    f"qd of joint {joint} is {r:.3g} times the slope of q, which looks like {mistake}: "
                    "convert to rad and rad/s, or name the units in the header of a CSV file"
                )
