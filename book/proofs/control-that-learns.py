"""Proofs of "Control that learns the model": V along the library's forward dynamics of two links, and the library's adaptive law."""

from dataclasses import replace

import numpy as np
import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter, field
from robotdyn.control.adaptive_control import reference_regressor

chapter = Chapter(__file__)
chapter.symmetric(r"\boldsymbol K_d", r"\boldsymbol\Gamma", r"\boldsymbol W")
chapter.units(
    {
        r"\boldsymbol q_r": "rad",
        r"\boldsymbol s": "rad/s",
        "V": "J",
        r"\lambda": "1/s",
        r"\boldsymbol K_d": "N m s/rad",
        r"\sigma": "1/s",
        "I": "kg m^2",
        "h": "kg m",
        r"\tilde I": "kg m^2",
        r"\tilde h": "kg m",
        r"\Delta\tau": "N m",
        "A": "rad",
        r"\boldsymbol x": "m",
        r"\boldsymbol x_r": "m",
        r"\boldsymbol J": "m/rad",
        r"\boldsymbol\nu": "rad/s",
        r"\gamma": "kg m^2 s^2",
        r"\varepsilon": "rad/s",
        r"\dot\nu": "rad/s^2",
        "P": "s",
    }
)
TEN = ["kg", *["kg m"] * 3, *["kg m^2"] * 6]  # the units of a link's parameters


def unknown(units):
    """Declare the units of parameters, of a regressor's columns and of gains."""
    chapter.units(
        {
            **dict.fromkeys(
                (r"\boldsymbol\phi", r"\hat{\boldsymbol\phi}", r"\tilde{\boldsymbol\phi}", r"\boldsymbol\phi_0"), units
            ),
            r"\boldsymbol Y": lambda _, j: f"N m/{units[j - 1]}",
            r"\boldsymbol\Gamma": lambda i, j: f"{units[i - 1]} {units[j - 1]}/J",
            r"\boldsymbol W": lambda i, j: f"J^2 s/{units[i - 1]} {units[j - 1]}",
        }
    )


# ---- two rods, and the five of their parameters that occur ------------------------------------------------------------------

arm = rd.robots.two_link(symbolic=True)
felt = [1, 9, 10, 11, 19]  # m_1 c_1x, I_1zz, m_2, m_2 c_2x, I_2zz
q, qd, r, rd_, rdd = (sp.Matrix(sp.symbols(f"{x}_1:3", real=True)) for x in ("q", "v", "r", "u", "w"))
lam, leak = sp.symbols("lambda sigma", positive=True)
(D_1, D_2), D_3 = sp.symbols("D_1:3", positive=True), sp.Symbol("D_3", real=True)
root = sp.Matrix([[D_1, 0], [D_3, D_2]])
damp = root * root.T  # any one that is positive definite, and so are the gains
of_felt = [(TEN * 2)[k] for k in felt]
M, C, g = rd.mass_matrix(arm, q), rd.coriolis_matrix(arm, q, qd), rd.gravity_torque(arm, q)
e, ed = q - r, qd - rd_
nu, nu_dot, s = rd_ - lam * e, rdd - lam * ed, ed + lam * e
Y = reference_regressor(arm, q, qd, nu, nu_dot)[:, felt]
phi = sp.Matrix([rd.parameters(arm)[k] for k in felt])
z, z_0 = (sp.Matrix(sp.symbols(f"{x}_1:6", real=True)) for x in ("z", "b"))
root = sp.diag(*sp.symbols("Gamma_1:6", positive=True))
root[3, 0] = sp.Symbol("Gamma_6", real=True)
gains = root * root.T
state = {
    r"\boldsymbol q": q,
    r"\dot{\boldsymbol q}": qd,
    r"\boldsymbol M": M,
    r"\boldsymbol C": C,
    r"\boldsymbol g": g,
    r"\boldsymbol\nu": nu,
    r"\boldsymbol s": s,
    r"\boldsymbol Y": Y,
    r"\boldsymbol\phi": phi,
    r"\hat{\boldsymbol\phi}": phi + z,
    r"\tilde{\boldsymbol\phi}": z,
    r"\boldsymbol\phi_0": z_0,
    r"\boldsymbol\Gamma": gains,
    r"\boldsymbol K_d": damp,
    r"\lambda": lam,
    r"\sigma": leak,
}
V = (s.T * M * s / 2 + z.T * gains.inv() * z / 2)[0]


def under(update):
    """Return the bindings of an arm that moves under the law, whose estimates change at these rates."""
    forward = rd.forward_dynamics(arm, q, qd, Y * (phi + z) - damp * s)
    moved = Bindings(state | {"V": V}).motion([*q, *r], [*qd, *rd_], [*forward, *rdd])
    return moved.motion(z, update)


unknown(of_felt)
chapter.prove(
    "eq-learns-linear",
    state | {r"\dot{\boldsymbol\nu}": nu_dot},
    by="the library's regressor against its mass matrix, Coriolis matrix and weight",
)

body = rd.robots.two_link((0.5, 0.75), (2.0, 1.5))
motion = rd.control.sine([0.4, -0.3], [0.5, 0.7], [1.5, 2.5], [0.2, 0.6])
at, speed, time = np.array([0.3, -0.8]), np.array([1.25, -0.5]), 0.7
Kd, G = np.array([[2.0, 0.5], [0.5, 1.0]]), np.diag(np.linspace(0.5, 1.5, 20))
G[1, 11] = G[11, 1] = 0.25
believed = rd.parameters(body) * np.linspace(0.5, 1.4, 20)
law = rd.control.adaptive(body, motion, 1.75, Kd, G, start=believed)
tau, rate = law.step(time, at, speed, believed)
q_ref, qd_ref, qdd_ref = motion(time)
v = qd_ref - 1.75 * (at - q_ref)
a = qdd_ref - 1.75 * (speed - qd_ref)
weightless = replace(body, gravity=(0, 0, 0))
slow, fast = (speed - v) / 2, (speed + v) / 2
regressor = rd.regressor(body, at, fast, a) - rd.regressor(weightless, at, slow, 0 * a)
column = lambda x: sp.Matrix(np.asarray(x, dtype=float).tolist())
measured = {
    r"\boldsymbol\tau": column(tau),
    r"\boldsymbol Y": column(regressor),
    r"\hat{\boldsymbol\phi}": column(believed),
    r"\dot{\hat{\boldsymbol\phi}}": column(rate),
    r"\boldsymbol K_d": column(Kd),
    r"\boldsymbol\Gamma": column(G),
    r"\boldsymbol s": column(speed - v),
}
unknown(TEN * 2)
chapter.prove("eq-learns-law", measured, tolerance=1e-12, by="the library's law at a state")

free = sp.Matrix(sp.symbols("y_1:6", real=True))  # any rates of the estimates
unknown(of_felt)
chapter.prove("eq-learns-loop", under(free), by="the library's forward dynamics under the law")
share = sp.Symbol("share", positive=True)
work = (s.T * M * (share * s))[0] + (z.T * gains.inv() * (share * z))[0]
stored = {"V": sp.integrate(sp.expand(work), (share, 0, 1))}
chapter.prove(
    "eq-learns-storage",
    Bindings(state | stored),
    by="the work that brings the arm to s and draws the springs of beliefs",
)
M_1, M_2, M_3, *rates = sp.symbols("M_1:4 n_1:4", real=True)
any_M, any_C, any_Y = (
    sp.Matrix([[M_1, M_2], [M_2, M_3]]),
    *(sp.Matrix(2, 2, sp.symbols(f"{x}_1:5", real=True)) for x in "cy"),
)
any_s, any_off = (sp.Matrix(sp.symbols(f"{x}_1:3", real=True)) for x in "so")
slides = any_M.adjugate() / any_M.det() * (any_Y * any_off - damp * any_s - any_C * any_s)
unknown(TEN[:2])
chapter.prove(
    "eq-learns-power",
    Bindings(
        {
            r"\boldsymbol M": any_M,
            r"\boldsymbol C": any_C,
            r"\boldsymbol Y": any_Y,
            r"\boldsymbol s": any_s,
            r"\tilde{\boldsymbol\phi}": any_off,
            r"\boldsymbol K_d": damp,
        }
    ).motion([M_1, M_2, M_3, *any_s], [*rates, *slides]),
    by="the rate of s in its equation, for any matrices: the last term is there before it vanishes",
)
unknown(of_felt)
chapter.prove("eq-learns-before", under(free), by="the rate of V along it, for any rates of the estimates")
unknown(TEN * 2)
chapter.prove("eq-learns-update", measured, tolerance=1e-12, by="the rates of the library's law at a state")
update = -gains * Y.T * s
unknown(of_felt)
chapter.prove("eq-learns-loss", under(update), by="the rate of V along it, under the update")

# ---- one rod ---------------------------------------------------------------------------------------------------------------

m, l_c, I_c, weight = sp.symbols("m l_c I_c g", positive=True)
angle, vel, acc, t = sp.symbols("q v a t", real=True)
rod = rd.robots.planar([2 * l_c], [m], coms=[l_c], inertias=[I_c], gravity=weight)
row = reference_regressor(rod, *(sp.Matrix([x]) for x in (angle, vel, vel, acc)))
numbers = rd.parameters(rod)
one = {
    r"\boldsymbol Y": row,
    r"\boldsymbol\phi": numbers,
    "I": numbers[9],
    "h": numbers[1],
    "g": weight,
    "q": angle,
    r"\dot\nu": acc,
}
unknown(TEN)
chapter.prove("eq-learns-rod", one, by="the library's regressor of a rod and its parameters")
off_h, off_I, A = sp.symbols("h_0 I_0 A", real=True)
omega = sp.Symbol("omega", positive=True)
swing = -sp.pi / 2 + A * sp.sin(omega * t)
wrong = sp.zeros(10, 1)
wrong[1], wrong[9] = off_h, off_I
missed = (row * wrong)[0].subs({acc: swing.diff(t, 2), angle: swing, vel: swing.diff(t)})
chapter.prove(
    "eq-learns-sine",
    {
        r"\Delta\tau": A * missed.diff(A).subs(A, 0),
        r"\tilde h": off_h,
        r"\tilde I": off_I,
        "g": weight,
        r"\omega": omega,
        "A": A,
        "t": t,
    },
    by="the first order in A of the library's regressor times what is wrong",
)

t_0, length = sp.Symbol("t_0", real=True), sp.Symbol("P", positive=True)
columns = sp.Matrix([[-(omega**2), weight]]) * A  # of I and h, on a small sine
squares = sp.integrate(sp.sin(omega * t) ** 2, (t, t_0, t_0 + length))
unknown(["kg m^2", "kg m"])
chapter.prove(
    "eq-learns-excitation",
    {
        r"\boldsymbol W": columns.T * columns * squares,
        r"\boldsymbol Y": field(columns * sp.sin(omega * t), t),
        "t": t,
        "t_0": t_0,
        "P": length,
    },
    by="what a stretch of one small sine tells: a matrix without an inverse, times an integral",
)

# ---- what leaks -------------------------------------------------------------------------------------------------------------

spread, gain = sp.Symbol("epsilon", positive=True), sp.Symbol("gamma", real=True)
noise = sp.Symbol("n", real=True)
hanging = reference_regressor(rod, *(sp.Matrix([x]) for x in (-sp.pi / 2, noise, 0, -lam * noise)))
density = sp.exp(-(noise**2) / (2 * spread**2)) / (spread * sp.sqrt(2 * sp.pi))
climb = sp.integrate(-gain * hanging[9] * noise * density, (noise, -sp.oo, sp.oo))
chapter.prove(
    "eq-learns-drift",
    {r"\dot{\hat I}": climb, r"\gamma": gain, r"\lambda": lam, r"\varepsilon": spread},
    by="the mean of the update over a normal error of the rate, with the library's regressor",
)
leaking = update - leak * (phi + z - z_0)
first = rd.parameters(body)
LEAKS = {1: 0.75, 2: 0.2}
unknown(TEN * 2)
chapter.prove(
    "eq-learns-leak",
    lambda case: (
        measured
        | {
            r"\sigma": LEAKS[case],
            r"\boldsymbol\phi_0": column(first),
            r"\dot{\hat{\boldsymbol\phi}}": column(rate - LEAKS[case] * (believed - first)),
        }
    ),
    n=list(LEAKS),
    tolerance=1e-12,
    by="the rates of the library's law at a state, and a leak as the page's code has it",
)
unknown(of_felt)
chapter.prove(
    "eq-learns-leak-rate", under(leaking), by="the rate of V along forward dynamics, under the update with a leak"
)

# ---- a hand -----------------------------------------------------------------------------------------------------------------

x_r, x_rd = (sp.Matrix(sp.symbols(f"{x}_1:3", real=True)) for x in ("p", "k"))
x, J = rd.point_position(arm, q)[:2, :], rd.tip_jacobian(arm, q)[:2, :]
hand = {
    r"\boldsymbol x": x,
    r"\boldsymbol x_r": x_r,
    r"\dot{\boldsymbol x}_r": x_rd,
    r"\boldsymbol J": J,
    r"\lambda": lam,
}
lead = J.adjugate() / (J[0, 0] * J[1, 1] - J[0, 1] * J[1, 0]) * (x_rd - lam * (x - x_r))
chapter.prove(
    "eq-learns-hand-s",
    Bindings(hand | {r"\boldsymbol s": qd - lead}).motion([*q, *x_r], [*qd, *x_rd]),
    by="the rate of the library's place of the tip",
)
