"""Pumping a swing:  tau = -gain (E - E_goal) qd at the joints that have motors, E = T + U.

Such torques change the energy at the rate -gain (E - E_goal) |qd|^2: toward E_goal from both sides, and never beyond.
Astrom and Furuta (2000), "Swinging up a pendulum by energy control"; chapter "soft-hands".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.codegen.specialize import specialize
from robotdyn.dynamics.energy import kinetic_energy, potential_energy
from robotdyn.dynamics.forces import Law
from robotdyn.maths.namespace import namespace
from robotdyn.maths.validate import Entries, Floats, Result, as_motors, as_numbers, as_positive, check_numeric
from robotdyn.model.arm import Arm


def energy_shaping(arm: Arm, goal: ArrayLike, gain: float, motors: Sequence[int] | None = None) -> Law:
    """Return the law that brings an arm to the energy of rest at the pose goal (n,), such as the upright one.

    gain: N m s/(rad J), > 0;
    motors: indices of the joints that have one, default all; the others get no torque.
    An arm that hangs at rest needs a nudge: where qd = 0, so is tau.
    """
    check_numeric(arm, "energy_shaping")
    goal = as_numbers(goal, "goal", (arm.n,))
    gain = as_positive(gain, "gain", "N m s/(rad J)")
    driven = np.zeros(arm.n)
    driven[as_motors(motors, arm.n)] = 1.0
    energy = specialize(_energy, arm, target="python")
    goal_energy = float(potential_energy(arm, goal))

    def law(t: float, q: Any, qd: Any) -> Floats:
        return -gain * (energy(q, qd)[0] - goal_energy) * driven * qd

    return law


def _energy(arm: Arm, q: Entries, qd: Entries) -> Result:
    """Return (E,), kinetic and potential energy together, J."""
    xp = namespace(arm, q, qd)
    return xp.stack([kinetic_energy(arm, q, qd) + potential_energy(arm, q)])
