"""Proofs of "Steer the joints, or the hand?": energies along the library's forward dynamics, its laws at random states, arms at rest."""

import numpy as np
import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter

chapter = Chapter(__file__)
chapter.symmetric(r"\boldsymbol K", r"\boldsymbol D", r"\boldsymbol K_p", r"\boldsymbol K_d", r"\hat{\boldsymbol M}")
chapter.units(
    {
        r"\boldsymbol x": "m",
        r"\boldsymbol x_r": "m",
        r"\boldsymbol f": "N",
        r"\boldsymbol e": "m",
        r"\boldsymbol a": "m/s^2",
        r"\boldsymbol K": "N/m",
        r"\boldsymbol D": "N s/m",
        r"\boldsymbol K_p": "N m/rad",
        r"\boldsymbol K_d": "N m s/rad",
        r"\boldsymbol J": "m/rad",
        r"\boldsymbol\Lambda": "kg",
        r"\boldsymbol\mu": "N",
        r"\boldsymbol\gamma": "N",
        r"\bar{\boldsymbol J}": "rad/m",
        r"\boldsymbol\tau_0": "N m",
        r"\hat{\boldsymbol M}": "kg m^2",
        r"\hat{\boldsymbol g}": "N m",
        r"\hat{\boldsymbol h}": "N m",
        r"\epsilon": "1",
        r"\boldsymbol H": "N m",
        "d": "m",
        "k": "N/m",
    }
)

column = lambda x: sp.Matrix(np.asarray(x, dtype=float).tolist())
columns = lambda table: {letter: column(value) for letter, value in table.items()}
plane = np.eye(2, 3)
states, exact = [1, 2, 3, 4], 1e-9

# ---- springs at joints and hand, at random states ---------------------------------------------------------------------

lengths = np.array([0.5, 0.4, 0.3])
body = rd.robots.planar(lengths, [2.0, 1.5, 1.0], coms=lengths / 2, inertias=[0.05, 0.03, 0.01])
motion = rd.control.sine([0.3, -0.2], [0.2, 0.3], [1.5, 2.5], [0.2, 0.6])


def symmetric(rng, size):
    """Return a matrix (size, size), symmetric and positive definite."""
    root = rng.uniform(-1, 1, (size, size))
    return root @ root.T + 2 * np.eye(size)


def state(n, joints=3):
    """Return rng, an arm of so many joints, and a state of it away from singular poses."""
    rng = np.random.default_rng(n)
    arm = body if joints == 3 else rd.robots.two_link((0.5, 0.75), (2.0, 1.5))
    return rng, arm, rng.uniform(0.4, 1.2, joints) * [1, -1, 1][:joints], rng.uniform(-1.5, 1.5, joints)


def give_way(n):
    """Return where springs at the joints let the hand rest under a small push, from the equations of rest, by Newton's method."""
    rng, arm, q, _ = state(n)
    K_p, push = 50 * symmetric(rng, 3), rng.uniform(-1, 1, 2)
    size = 1e-6

    def rest(scale):
        at = q
        for _ in range(20):  # J(at)^T f = K_p (at - q): converges at once, since the push is small
            at = q + np.linalg.solve(K_p, rd.tip_jacobian(arm, at)[:2].T @ (scale * push))
        return rd.point_position(arm, at)[:2]

    moved = (rest(size) - rest(-size)) / (2 * size)
    given = {r"\boldsymbol J": rd.tip_jacobian(arm, q)[:2], r"\boldsymbol K_p": K_p, r"\boldsymbol f": push}
    return columns(given | {r"\Delta\boldsymbol x": moved})


chapter.prove(
    "eq-steer-compliance", give_way, n=states, tolerance=1e-6, by="the places of rest under small pushes to both sides"
)


def springs(n):
    """Return the bindings of the library's law with springs at the hand."""
    rng, arm, q, qd = state(n)
    K, D, K_d = symmetric(rng, 2), symmetric(rng, 2), symmetric(rng, 3)
    goal = rng.uniform(-1, 1, 3)
    spatial = lambda A: np.pad(A, (0, 1))
    J = rd.tip_jacobian(arm, q)[:2]
    law = rd.control.impedance(arm, goal, spatial(K), spatial(D), joint_damping=K_d)
    return columns(
        {
            r"\boldsymbol J": J,
            r"\boldsymbol K": K,
            r"\boldsymbol D": D,
            r"\boldsymbol K_d": K_d,
            r"\boldsymbol x": rd.point_position(arm, q)[:2],
            r"\boldsymbol x_r": goal[:2],
            r"\dot{\boldsymbol x}": J @ qd,
            r"\dot{\boldsymbol q}": qd,
            r"\boldsymbol g": rd.gravity_torque(arm, q),
            r"\boldsymbol\tau": law(0.0, q, qd),
        }
    )


chapter.prove("eq-steer-transpose", springs, n=states, tolerance=exact, by="the library's law at random states")

# ---- the energy of springs at the hand ---------------------------------------------------------------------------------

arm = rd.robots.two_link(symbolic=True)
q, qd, r, f = (sp.Matrix(sp.symbols(f"{x}_1:3", real=True)) for x in ("q", "v", "r", "f"))
K_1, K_2, D_1, D_2, B_1, B_2 = sp.symbols("K_1:3 D_1:3 B_1:3", positive=True)
K_3, D_3, B_3 = sp.symbols("K_3 D_3 B_3", real=True)
triangles = sp.Matrix([[K_1, 0], [K_3, K_2]]), sp.Matrix([[D_1, 0], [D_3, D_2]]), sp.Matrix([[B_1, 0], [B_3, B_2]])
stiff, damp, brake = (root * root.T for root in triangles)  # any three that are positive definite
x = rd.point_position(arm, q)[:2, :]
J = rd.tip_jacobian(arm, q)[:2, :]
tau = J.T * (stiff * (r - x) - damp * J * qd) - brake * qd + rd.gravity_torque(arm, q)
pushed = rd.forward_dynamics(arm, q, qd, tau, tip_wrench=sp.Matrix([*f, 0, 0, 0, 0]))
hand = {
    r"\boldsymbol K": stiff,
    r"\boldsymbol D": damp,
    r"\boldsymbol K_d": brake,
    r"\boldsymbol q": q,
    r"\boldsymbol x": x,
    r"\boldsymbol x_r": r,
    r"\boldsymbol f": f,
    "T": rd.kinetic_energy(arm, q, qd),
}
chapter.prove(
    "eq-steer-passive",
    Bindings(hand).motion(q, qd, pushed),
    by="the rate of the energies along the library's forward dynamics under the law and a push",
)

# ---- singular poses ----------------------------------------------------------------------------------------------------

l_1, l_2, d, k = sp.symbols("l_1 l_2 d k", positive=True)
turn = sp.Symbol("q_1", real=True)
rods = rd.robots.planar([l_1, l_2], [1, 1])
stretched = sp.Matrix([turn, 0])
chapter.prove(
    "eq-steer-balance",
    {
        r"\boldsymbol J": rd.tip_jacobian(rods, stretched)[:2, :],
        r"\boldsymbol K": stiff,
        r"\boldsymbol x": rd.point_position(rods, stretched)[:2, :],
        r"\boldsymbol x_r": rd.point_position(rods, stretched)[:2, :]
        + stiff.adjugate() / stiff.det() * d * sp.Matrix([sp.cos(turn), sp.sin(turn)]),
    },
    by="the case that the page goes on with: a stretched arm of two links, and a spring that pulls along it",
)
angles = sp.Matrix(sp.symbols("q_1 q_2", real=True))
gap = rd.point_position(rods, angles)[:2, :] - sp.Matrix([d, 0])
bowl = sp.hessian(k * (gap.T * gap)[0] / 2, list(angles)).subs(dict.fromkeys(angles, 0))
chapter.prove(
    "eq-steer-saddle",
    {r"\boldsymbol H": bowl, "k": k, "l_1": l_1, "l_2": l_2, "d": d},
    by="the second derivatives of the energy of the spring, from the library's place of the hand",
)

# ---- laws that ask for an acceleration ---------------------------------------------------------------------------------


def terms(arm, q, qd):
    """Return the letters of an arm of this many joints at a state."""
    J = rd.tip_jacobian(arm, q)[:2]
    inertia = rd.effective_inertia(arm, q, directions=plane)
    bias, still = rd.task_space.bias_force, np.zeros(arm.n)
    return {
        r"\boldsymbol M": rd.mass_matrix(arm, q),
        r"\boldsymbol C": rd.coriolis_matrix(arm, q, qd),
        r"\boldsymbol g": rd.gravity_torque(arm, q),
        r"\boldsymbol J": J,
        r"\dot{\boldsymbol J}": jacobian_rate(arm, q, qd),
        r"\dot{\boldsymbol q}": qd,
        r"\boldsymbol\Lambda": inertia,
        r"\boldsymbol\mu": bias(arm, q, qd, directions=plane) - bias(arm, q, still, directions=plane),
        r"\boldsymbol\gamma": bias(arm, q, still, directions=plane),
        r"\bar{\boldsymbol J}": np.linalg.solve(rd.mass_matrix(arm, q), J.T) @ inertia,
    }


def jacobian_rate(arm, q, qd, rows=(0, 1)):
    """Return the rate of the Jacobian of a planar arm, from its hinges: a column is e_z x (hand - hinge)."""
    J = rd.tip_jacobian(arm, q)[list(rows)]
    speeds = [rd.point_jacobian(arm, q, link=i, point=(0, 0, 0))[:2] @ qd for i in range(arm.n)]
    away = np.array([J[:2] @ qd - v for v in speeds])
    turned = np.zeros_like(J)
    turned[:2] = np.array([-away[:, 1], away[:, 0]])
    return turned


def least(arm, q, qd, a):
    """Return the joint accelerations of least length that give the hand the acceleration a, from Lagrange's conditions."""
    J, drift = rd.tip_jacobian(arm, q)[:2], rd.point_acceleration(arm, q, qd, 0 * q)[:2]
    conditions = np.block([[np.eye(arm.n), J.T], [J, np.zeros((2, 2))]])
    return np.linalg.solve(conditions, [*np.zeros(arm.n), *(a - drift)])[: arm.n]


def resolved(n):
    """Return the bindings of inverse dynamics of the least accelerations."""
    rng, arm, q, qd = state(n)
    a = rng.uniform(-3, 3, 2)
    tau = rd.inverse_dynamics(arm, q, qd, least(arm, q, qd, a))
    return columns(terms(arm, q, qd) | {r"\boldsymbol a": a, r"\boldsymbol\tau": tau})


chapter.prove(
    "eq-steer-resolved",
    resolved,
    n=states,
    tolerance=exact,
    by="inverse dynamics of the least accelerations that give the hand its own, by Lagrange's conditions",
)


def operational(n):
    """Return the bindings of the library's law in operational space."""
    rng, arm, q, qd = state(n)
    tau_0, goal, omega = rng.uniform(-3, 3, 3), motion(float(n)), rng.uniform(1, 4)
    law = rd.control.operational_space(
        arm, motion, omega**2, 2 * omega, posture=lambda t, q, qd: tau_0, directions=plane
    )
    J = rd.tip_jacobian(arm, q)[:2]
    a = goal[2] - 2 * omega * (J @ qd - goal[1]) - omega**2 * (rd.point_position(arm, q)[:2] - goal[0])
    more = {r"\boldsymbol a": a, r"\boldsymbol\tau_0": tau_0, r"\boldsymbol\tau": law(float(n), q, qd)}
    return columns(terms(arm, q, qd) | more)


chapter.prove("eq-steer-operational", operational, n=states, tolerance=exact, by="the library's law at random states")


def hand_acceleration(n):
    """Return the bindings of the acceleration that the hand has under that law."""
    rng, arm, q, qd = state(n)
    x_ref, v_ref, a_ref = motion(float(n))
    omega = rng.uniform(1, 4)
    law = rd.control.operational_space(arm, motion, omega**2, 2 * omega, directions=plane)
    qdd = rd.forward_dynamics(arm, q, qd, law(float(n), q, qd))
    return columns(
        {
            r"\boldsymbol a": rd.point_acceleration(arm, q, qd, qdd)[:2],
            r"\boldsymbol e": rd.point_position(arm, q)[:2] - x_ref,
            r"\dot{\boldsymbol e}": rd.tip_jacobian(arm, q)[:2] @ qd - v_ref,
            r"\ddot{\boldsymbol x}_r": a_ref,
        }
    ) | {r"\omega": omega}


chapter.prove(
    "eq-steer-asked",
    hand_acceleration,
    n=states,
    tolerance=exact,
    by="what the hand does, by forward dynamics, under the library's law",
)


def same(n):
    """Return the letters of an arm of two joints, and an acceleration of its hand."""
    rng, arm, q, qd = state(n, joints=2)
    return columns(terms(arm, q, qd) | {r"\boldsymbol a": rng.uniform(-3, 3, 2)})


chapter.prove(
    "eq-steer-same", same, n=states, tolerance=exact, by="forces of the hand, and torques of the joints, of one arm"
)


def reference(n):
    """Return the bindings of joints that follow a hand, from a motion of the joints and what the hand does under it."""
    _, arm, q, qd = state(n)
    rows = [0, 1, 5]
    qdd = np.random.default_rng(n + 100).uniform(-3, 3, 3)
    done = rd.point_acceleration(arm, q, qd, qdd)
    return columns(
        {
            r"\boldsymbol J_\varphi": rd.tip_jacobian(arm, q)[rows],
            r"\dot{\boldsymbol J}_\varphi": jacobian_rate(arm, q, qd, rows),
            r"\dot{\boldsymbol q}_r": qd,
            r"\ddot{\boldsymbol q}_r": qdd,
            r"\ddot{\boldsymbol x}_r": done[:2],
        }
    ) | {r"\ddot\varphi_r": float(qdd.sum())}


chapter.prove(
    "eq-steer-reference",
    reference,
    n=states,
    tolerance=exact,
    by="a motion of the joints, and what the hand does under it",
)

# ---- the self-motion of three links ------------------------------------------------------------------------------------

flat = rd.robots.planar([1, 1, 1], [1, 2, 1])
p = sp.Matrix(sp.symbols("q_1:4", real=True))
speed = sp.Symbol("s", real=True)
J_3 = rd.tip_jacobian(flat, p)[:2, :]
free = J_3[0, :].cross(J_3[1, :]).T  # the hand stays where it is
rates = speed * free
size = (free.T * free)[0]
turn_rate = free.jacobian(p) * rates


pace = -(free.T * (speed * turn_rate))[0] / size  # resolved acceleration: qdd has no part along the free direction
chapter.prove(
    "eq-steer-speed",
    Bindings({r"\dot{\boldsymbol q}": rates}).motion([*p, speed], [*rates, pace]),
    by="accelerations without a part along the free direction, the only ones of least length",
)
brakes = sp.diag(*sp.symbols("B_1:4", positive=True))
M_3 = rd.mass_matrix(flat, p)
h_3 = rd.inverse_dynamics(flat, p, rates, sp.zeros(3, 1)) - rd.gravity_torque(flat, p)
# the equation of motion along the free direction, which a force at the hand has no part in
pace = (free.T * (-brakes * rates - h_3 - M_3 * (speed * turn_rate)))[0] / (free.T * M_3 * free)[0]
chapter.prove(
    "eq-steer-null-loss",
    Bindings(
        {r"\dot{\boldsymbol q}": rates, r"\boldsymbol K_d": brakes, "T": rd.kinetic_energy(flat, p, rates)}
    ).motion([*p, speed], [*rates, pace]),
    by="the equation of motion along the free direction, of an arm with gravity compensation, dampers and a force at the hand",
)

# ---- a wrong model -----------------------------------------------------------------------------------------------------


def at_rest(n):
    """Return the bindings of an arm at rest under operational space with a wrong model, of which the true weight is the torque."""
    rng, arm, q, _ = state(n)
    true = rd.robots.planar(lengths, rng.uniform(1, 3, 3), coms=lengths / 2, inertias=[0.05, 0.03, 0.01])
    omega, weight = rng.uniform(2, 9), rd.gravity_torque(true, q)
    begins = rd.forward_dynamics(arm, q, 0 * q, weight)  # what the model takes the true weight for
    asked = rd.point_acceleration(arm, q, 0 * q, begins)[:2]
    place = rd.point_position(arm, q)[:2]
    goal = place + asked / omega**2
    hold = lambda t: (goal, 0 * goal, 0 * goal)
    law = rd.control.operational_space(
        arm, hold, omega**2, 2 * omega, posture=lambda t, q, qd: weight, directions=plane
    )
    if abs(law(0.0, q, 0 * q) - weight).max() > exact:
        raise AssertionError("the arm must be at rest under the law")
    return columns(
        {
            r"\boldsymbol J": rd.tip_jacobian(arm, q)[:2],
            r"\hat{\boldsymbol M}": rd.mass_matrix(arm, q),
            r"\hat{\boldsymbol g}": rd.gravity_torque(arm, q),
            r"\boldsymbol g": weight,
            r"\boldsymbol x": place,
            r"\boldsymbol x_r": goal,
        }
    ) | {r"\omega": omega}


chapter.prove(
    "eq-steer-rest", at_rest, n=states, tolerance=exact, by="an arm at rest under the library's law with a wrong model"
)


def scaled(n):
    """Return the bindings of an arm that is heavier by the same share everywhere, under resolved acceleration."""
    rng, arm, q, qd = state(n)
    share, a = rng.uniform(0.1, 0.6), rng.uniform(-3, 3, 2)
    factor = 1 + share
    true = rd.robots.planar(
        lengths, factor * np.array([2.0, 1.5, 1.0]), coms=lengths / 2, inertias=factor * np.array([0.05, 0.03, 0.01])
    )
    tau = rd.inverse_dynamics(arm, q, qd, least(arm, q, qd, a))
    qdd = rd.forward_dynamics(true, q, qd, tau)
    return columns(
        {
            r"\boldsymbol J": rd.tip_jacobian(arm, q)[:2],
            r"\dot{\boldsymbol J}": jacobian_rate(arm, q, qd),
            r"\hat{\boldsymbol M}": rd.mass_matrix(arm, q),
            r"\hat{\boldsymbol h}": rd.inverse_dynamics(arm, q, qd, 0 * q),
            r"\boldsymbol a": a,
            r"\dot{\boldsymbol q}": qd,
            r"\boldsymbol\tau": tau,
            r"\ddot{\boldsymbol q}": qdd,
            r"\ddot{\boldsymbol x}": rd.point_acceleration(true, q, qd, qdd)[:2],
        }
    ) | {r"\epsilon": share}


by = "the library's forward dynamics of the heavier arm"
chapter.prove("eq-steer-scaled", scaled, n=states, tolerance=exact, by=by)
chapter.prove("eq-steer-scaled-hand", scaled, n=states, tolerance=exact, by=by)
