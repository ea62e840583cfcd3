"""Energy of an arm:  T = 1/2 sum (m v_c . v_c + omega . I omega),  U = - sum m g . p_c.

Written from the motion of each link in base axes, with no spatial vectors: an independent check of `recursive`.
"""

from robotdyn.dynamics.kinematics import com_jacobian, link_poses
from robotdyn.maths.namespace import in_every_world, namespace


@in_every_world
def kinetic_energy(arm, q, qd):
    """Return the kinetic energy T in J; q, qd: (n,) rad and rad/s (m and m/s at a prismatic joint).

    König's theorem, link by link; chapter "equation-of-motion".
    """
    xp = namespace(arm, q, qd)
    R, _ = link_poses(arm, q)
    T = 0
    for i, link in enumerate(arm.links):
        v_c, omega = _split(com_jacobian(arm, q, i) @ qd)
        about_com = R[i] @ xp.array(link.inertia) @ R[i].T
        T = T + (xp.array(link.mass) * (v_c @ v_c) + omega @ about_com @ omega) / 2
    return T


@in_every_world
def potential_energy(arm, q):
    """Return the potential energy of gravity U in J, zero where a center of mass is at the base origin.

    q: (n,) rad (m at a prismatic joint).  U = - sum_i m_i g . p_ci, g the acceleration of free fall.
    """
    xp = namespace(arm, q)
    R, p = link_poses(arm, q)
    g = xp.array(arm.gravity)
    return -sum(xp.array(link.mass) * (g @ (p[i] + R[i] @ xp.array(link.com))) for i, link in enumerate(arm.links))


def _split(velocity):
    return velocity[:3], velocity[3:]
