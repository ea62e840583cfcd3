"""Proofs of "Soft hands, weak motors, slow clocks": springs at a hand, a pumped pendulum and a damper that sleeps."""

import numpy as np
import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter, field

chapter = Chapter(__file__)
chapter.symmetric(r"\boldsymbol K", r"\boldsymbol D")
chapter.units(
    {
        r"\boldsymbol J": "m/rad",
        r"\boldsymbol K": "N/m",
        r"\boldsymbol D": "N s/m",
        r"\boldsymbol x": "m",
        r"\boldsymbol x_r": "m",
        "k": "N m s/J",
        "k_d": "N m s/rad",
        "I": "kg m^2",
    }
)

# ---- a hand like a spring -----------------------------------------------------------------------------------------------

column = lambda x: sp.Matrix(np.asarray(x, dtype=float).tolist())
body = rd.robots.two_link((0.5, 0.75), (2.0, 1.5))
at, speed, goal = np.array([0.3, -0.8]), np.array([1.25, -0.5]), np.array([0.9, 0.4, 0])
K, D = np.diag([50.0, 20, 0]), np.diag([4.0, 6, 0])
K[0, 1] = K[1, 0] = 5.0
J = rd.tip_jacobian(body, at)[:2]
chapter.prove(
    "eq-hands-impedance",
    {
        r"\boldsymbol J": column(J),
        r"\boldsymbol K": column(K[:2, :2]),
        r"\boldsymbol D": column(D[:2, :2]),
        r"\boldsymbol x": column(rd.point_position(body, at)[:2]),
        r"\boldsymbol x_r": column(goal[:2]),
        r"\dot{\boldsymbol x}": column(J @ speed),
        r"\boldsymbol g": column(rd.gravity_torque(body, at)),
        r"\boldsymbol\tau": column(rd.control.impedance(body, goal, K, D)(0.0, at, speed)),
    },
    tolerance=1e-12,
    by="the library's law at a state",
)

arm = rd.robots.two_link(symbolic=True)
q, qd, r, f = (sp.Matrix(sp.symbols(f"{x}_1:3", real=True)) for x in ("q", "v", "r", "f"))
K_1, K_2, D_1, D_2 = sp.symbols("K_1:3 D_1:3", positive=True)
K_3, D_3 = sp.symbols("K_3 D_3", real=True)
roots = sp.Matrix([[K_1, 0], [K_3, K_2]]), sp.Matrix([[D_1, 0], [D_3, D_2]])
stiff, damp = (root * root.T for root in roots)  # any two that are positive definite
x = rd.point_position(arm, q)[:2, :]
jacobian = rd.tip_jacobian(arm, q)[:2, :]
tau = jacobian.T * (stiff * (r - x) - damp * jacobian * qd) + rd.gravity_torque(arm, q)
hand = {r"\boldsymbol K": stiff, r"\boldsymbol D": damp, r"\boldsymbol x": x, r"\boldsymbol x_r": r}
chapter.prove(
    "eq-hands-hand-loss",
    Bindings(hand | {"T": rd.kinetic_energy(arm, q, qd)}).motion(q, qd, rd.forward_dynamics(arm, q, qd, tau)),
    by="the rate of the energies along the library's forward dynamics under the law",
)
wrench = sp.Matrix([*f, 0, 0, 0, 0])
holding = rd.inverse_dynamics(arm, q, 0 * q, 0 * q, tip_wrench=wrench) - rd.gravity_torque(arm, q)
inverse = lambda A: A.adjugate() / (A[0, 0] * A[1, 1] - A[0, 1] * A[1, 0])
placed = x + inverse(stiff) * inverse(jacobian.T) * holding  # where the spring pulls as the motors do
chapter.prove(
    "eq-hands-deflection",
    hand | {r"\boldsymbol x_r": placed, r"\boldsymbol f": f},
    by="the library's torques that hold the arm against the force, made by the spring",
)

# ---- up on a weak motor -------------------------------------------------------------------------------------------------

m, l, g, k, wanted = sp.symbols("m l g k E_r", positive=True)
angle, rate, torque = sp.symbols("q v tau", real=True)
rod = rd.robots.planar([l], [m], gravity=g)
energy = rd.kinetic_energy(rod, [angle], [rate]) + rd.potential_energy(rod, [angle])
swing = {"E": energy, r"\dot q": rate, "E_r": wanted, "k": k, r"\tau": torque}
moved = lambda tau: rd.forward_dynamics(rod, [angle], [rate], [tau])
chapter.prove(
    "eq-hands-power",
    Bindings(swing).motion([angle], [rate], moved(torque)),
    by="the rate of the library's energies along its forward dynamics",
)
pole = rd.robots.planar([0.5], [2.0])


def pumped(case):
    """Return what the library's law gives at a state, and the energies there."""
    k, goal, q, qd = {1: (0.125, 0.75, -0.5, 1.5), 2: (0.5, -0.25, 2.0, -0.75), 3: (0.3, 1.5, 0.4, -0.6)}[case]
    tau = rd.control.energy_shaping(pole, [goal], k)(0.0, np.array([q]), np.array([qd]))[0]
    energy = rd.kinetic_energy(pole, [q], [qd]) + rd.potential_energy(pole, [q])
    wanted = rd.potential_energy(pole, [goal])
    return {"k": k, "E_r": float(wanted), r"\dot q": qd, r"\tau": float(tau), "E": float(energy)}


chapter.prove("eq-hands-pump", pumped, n=[1, 2, 3], tolerance=1e-12, by="the library's law at three states")
chapter.prove(
    "eq-hands-pumped",
    Bindings(swing).motion([angle], [rate], moved(-k * (energy - wanted) * rate)),
    by="the rate of the library's energies along its forward dynamics under the law",
)

# ---- the computer in the loop -------------------------------------------------------------------------------------------

I, k_d, period, t = sp.symbols("I k_d h t", positive=True)
joint = rd.Arm([rd.Link(0, inertia=sp.eye(3) * I)], (0, 0, 0))
slows = rd.forward_dynamics(joint, [angle], [rate], [-k_d * rate])[0]
later = rd.forward_dynamics(joint, [angle], [rate], [-k_d * (rate + slows * period)])[0]
speed = rate + slows * t
speed = sp.Piecewise((speed, t <= period), (speed.subs(t, period) + later * (t - period), True))
chapter.prove(
    "eq-hands-sampled",
    {"I": I, "k_d": k_d, r"\Delta t": period, r"\dot q": field(speed, t)},
    by="the library's acceleration under the first torque, which is held for a period, and under the second",
)
