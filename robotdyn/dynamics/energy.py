"""Energy of an arm:  T = 1/2 sum (m v_c . v_c + omega . I omega + J qd^2),  U = - sum m g . p_c,  J of the motor.

Written from the motion of each link in base axes, with no spatial vectors: an independent check of `recursive`.
"""

from __future__ import annotations

from robotdyn.dynamics.kinematics import jacobian_at, link_poses
from robotdyn.maths.coupling import for_coupled_joints
from robotdyn.maths.namespace import generic, namespace
from robotdyn.maths.validate import Entries, Result
from robotdyn.model.arm import Arm


@generic
@for_coupled_joints()
def kinetic_energy(arm: Arm, q: Entries, qd: Entries) -> Result:
    """Return the kinetic energy T in J; q, qd: (n,) rad and rad/s (m and m/s at a prismatic joint).

    König's theorem, link by link; chapter "equation-of-motion".
    """
    xp = namespace(arm, q, qd)
    R, p = link_poses(arm, q)
    T = 0
    for i, link in enumerate(arm.links):
        velocity = jacobian_at(arm, (R, p), i, link.com) @ qd
        v_c = velocity[:3]
        omega = velocity[3:]
        about_com = R[i] @ xp.array(link.inertia) @ R[i].T
        rotor = xp.array(link.motor_inertia) * (qd[i] * qd[i])
        T = T + (xp.array(link.mass) * (v_c @ v_c) + omega @ about_com @ omega + rotor) / 2
    return T


# where: see where gravity enters
# as an energy, of which `derive` takes the gradient
@generic
@for_coupled_joints()
def potential_energy(arm: Arm, q: Entries) -> Result:
    """Return the potential energy of gravity U in J, zero where a center of mass is at the base origin.

    q: (n,) rad (m at a prismatic joint).  U = - sum_i m_i g . p_ci, g the acceleration of free fall.
    """
    xp = namespace(arm, q)
    R, p = link_poses(arm, q)
    g = xp.array(arm.gravity)
    return -sum(xp.array(link.mass) * (g @ (p[i] + R[i] @ xp.array(link.com))) for i, link in enumerate(arm.links))
