"""Moments of a motion:  when does a function of (t, q, qd) go through zero?"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from robotdyn.maths.validate import Floats, in_short

Event = Callable[[float, Floats, Floats], float]


class EventDetector:
    """Finds the events of a motion: zero crossings of functions of (t, q, qd).

    events: {name: function (t, q, qd) -> number} or None; stop: the name of the event that ends the motion, or None.
    """

    def __init__(self, events: Mapping[str, Event] | None = None, stop: str | None = None) -> None:
        self.events: dict[str, Event] = dict(events or {})
        if stop is not None and stop not in self.events:
            raise ValueError(
                f"stop must be the name of an event, one of {', '.join(self.events) or '(none)'}, got {in_short(stop)}"
            )
        self.stop = stop

    def detect(self, run: Callable, times: Floats, states: Floats) -> tuple[Floats, Floats, dict[str, Floats]]:
        """Return times (T,), states (T, 2, n) and {name: moments (k,) s}, cut off at the event that stops the motion.

        run: (times, state) -> states, the integrator; the moment is found with steps of its own, by halving.
        A function that is zero at a sample counts there, if it was not zero at the sample before.
        """
        found: dict[str, list[float]] = {name: [] for name in self.events}
        end = None
        for name, function in self.events.items():
            values = np.array([function(t, *state) for t, state in zip(times, states)])
            for i in np.flatnonzero((values[:-1] != 0) & (np.sign(values[:-1]) != np.sign(values[1:]))):
                moment, state = _locate_root(run, function, times[i : i + 2], states[i : i + 2], values[i : i + 2])
                found[name].append(moment)
                if name == self.stop:
                    end = (i, moment, state)
                    break
        if end is not None:
            i, moment, state = end
            times = np.append(times[: i + 1], moment)
            states = np.concatenate([states[: i + 1], state[None]])
        return times, states, {name: np.array([t for t in ts if t <= times[-1]]) for name, ts in found.items()}


def _locate_root(run: Callable, function: Event, times: Floats, states: Floats, values: Floats) -> tuple[float, Floats]:
    """Return the time and the state at which the function is zero, between two samples at which it has different signs."""
    if values[1] == 0:
        return times[1], states[1]
    low = times[0]
    high = times[1]
    state = states[1]
    while high - low > 1e-12 * max(1.0, abs(high)):
        middle = (low + high) / 2
        trial = run(np.array([times[0], middle]), states[0])[-1]
        if np.sign(function(middle, *trial)) == np.sign(values[0]):
            low = middle
        else:
            high = middle
            state = trial
    return high, state
