"""Adaptive control, laws with a state:  tau and dz/dt from (t, q, qd, z), where z is the state of the law.

M a + C v + g of `passivity_based` is linear in the parameters, Y(q, qd, v, a) phi.  Who does not know phi takes an estimate z:

    tau = Y z - damping s,   dz/dt = -gain Y^T s,   and   s^T M s + (z - phi)^T gain^-1 (z - phi)   never rises.

Slotine and Li (1987), "On the adaptive control of robot manipulators"; chapter "control-that-learns".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import ArrayLike

from robotdyn.codegen.specialize import specialize
from robotdyn.control.checks import Motion, gain_matrix
from robotdyn.control.passivity_based import sliding_variables
from robotdyn.identification.parameters import parameters
from robotdyn.identification.regressor import joint_terms, regressor
from robotdyn.maths.validate import Entries, Floats, Result, as_numbers, check_numeric
from robotdyn.model.arm import Arm

LINEAR_JOINT_TERMS = ("motor_inertia", "viscous")  # terms of a joint that are linear in a and v


@dataclass(frozen=True, eq=False)
class Learning:
    """A law with a state: step(t, q, qd, z) -> tau (n,), dz/dt (k,), and start (k,), the z that it begins with.

    Whoever runs it holds z: `rd.control.run` and `rd.control.continuous` return its history.
    """

    step: Callable[[float, Any, Any, Floats], tuple[Floats, Floats]]
    start: Floats

    def __call__(self, t: float, q: Any, qd: Any) -> Floats:
        """Raise TypeError: whoever calls it as a law has no place for its state."""
        raise TypeError(
            "a law with a state must be run by rd.control.run or rd.control.continuous, which keep its state"
        )


def adaptive(
    arm: Arm,
    motion: Motion,
    rate: ArrayLike,
    damping: ArrayLike,
    gain: ArrayLike,
    joints: Iterable[str] = (),
    start: ArrayLike | None = None,
) -> Learning:
    """Return the law tau = Y z - damping s, dz/dt = -gain Y^T s, whose state z (m,) estimates `rd.parameters(arm, joints)`.

    Of the arm it takes frames and gravity; its masses serve as the first estimate unless start (m,) tells another.
    motion, rate, damping: as in `passivity`;
    gain: a number, (m,) or (m, m), in the units of z^2/J: 0 for what is known.
    joints: further parameters to learn, of "motor_inertia" and "viscous"; the latter begins with 0.
    The error of the motion dies out; the estimates need not become right.
    """
    check_numeric(arm, "adaptive")
    terms = joint_terms(joints, LINEAR_JOINT_TERMS)
    z = parameters(arm, {term: 0 if term == "viscous" else None for term in terms})
    start = z if start is None else as_numbers(start, "start", z.shape)
    sliding = sliding_variables(motion, rate, arm.n)
    damping = gain_matrix(damping, "damping", arm.n)
    gain = gain_matrix(gain, "gain", len(z))

    def split(arm: Arm, q: Entries, qd: Entries, v: Entries, a: Entries) -> Result:
        return reference_regressor(arm, q, qd, v, a, terms)

    regress = specialize(split, arm, target="python", inputs={"q": arm.n, "qd": arm.n, "v": arm.n, "a": arm.n})

    def step(t: float, q: Any, qd: Any, z: Floats) -> tuple[Floats, Floats]:
        v, a, s = sliding(t, q, qd)
        Y = regress(q, qd, v, a)
        return Y @ z - damping @ s, -gain @ (s @ Y)

    return Learning(step, start)


def reference_regressor(
    arm: Arm, q: Entries, qd: Entries, v: Entries, a: Entries, joints: Iterable[str] = ()
) -> Result:
    """Return Y (n, m) with Y phi = M(q) a + C(q, qd) v + g(q) and the Christoffel C, as `reference_torque` splits it."""
    weightless = replace(arm, gravity=(0, 0, 0))
    return regressor(arm, q, (qd + v) / 2, a, joints) - regressor(weightless, q, (qd - v) / 2, 0 * a, joints)
