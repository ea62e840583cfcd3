"""Proofs of "Control with the model": energies along the library's forward dynamics of two links, and its laws at random states."""

import numpy as np
import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter, field

chapter = Chapter(__file__)
chapter.symmetric(r"\boldsymbol K_p", r"\boldsymbol K_d", r"\hat{\boldsymbol M}")
chapter.units(
    {
        "k_p": "N m/rad",
        "k_d": "N m s/rad",
        "l_c": "m",
        "q_r": "rad",
        r"\boldsymbol q_r": "rad",
        r"\dot{\boldsymbol q}_r": "rad/s",
        r"\ddot{\boldsymbol q}_r": "rad/s^2",
        r"\boldsymbol e": "rad",
        r"\boldsymbol K_p": "N m/rad",
        r"\boldsymbol K_d": "N m s/rad",
        "H": "J",
        "V": "J",
        "e": "1",
        "e_i": "rad",
        "M_{ii}": "kg m^2",
        r"\omega_n": "rad/s",
        r"\omega_\mu": "rad/s",
        r"\zeta": "1",
        r"\zeta_\mu": "1",
        r"\mu": "1",
        r"\boldsymbol a": "rad/s^2",
        r"\boldsymbol\nu": "rad/s",
        r"\boldsymbol s": "rad/s",
        r"\lambda": "1/s",
        r"\Delta\boldsymbol\tau": "N m",
        r"\hat{\boldsymbol M}": "kg m^2",
        r"\hat{\boldsymbol C}": "kg m^2/s",
        r"\hat{\boldsymbol g}": "N m",
    }
)

arm = rd.robots.two_link(symbolic=True)
q, qd, r, rd_, rdd = (sp.Matrix(sp.symbols(f"{x}_1:3", real=True)) for x in ("q", "v", "r", "u", "w"))
omega, lam = sp.symbols("omega lambda", positive=True)
K_1, K_2, D_1, D_2 = sp.symbols("K_1:3 D_1:3", positive=True)
K_3, D_3 = sp.symbols("K_3 D_3", real=True)
roots = sp.Matrix([[K_1, 0], [K_3, K_2]]), sp.Matrix([[D_1, 0], [D_3, D_2]])
stiff, damp = (root * root.T for root in roots)  # any two that are positive definite
M, C, g = rd.mass_matrix(arm, q), rd.coriolis_matrix(arm, q, qd), rd.gravity_torque(arm, q)
e, ed = q - r, qd - rd_
state = {
    r"\boldsymbol q": q,
    r"\dot{\boldsymbol q}": qd,
    r"\boldsymbol M": M,
    r"\boldsymbol C": C,
    r"\boldsymbol e": e,
    r"\boldsymbol K_p": stiff,
    r"\boldsymbol K_d": damp,
    r"\omega": omega,
    r"\lambda": lam,
    "T": rd.kinetic_energy(arm, q, qd),
}


def under(tau, moving=True):
    """Return the bindings of an arm that moves under a law; moving: whether what it is to follow moves."""
    rates, accelerations = (rd_, rdd) if moving else (sp.zeros(2, 1), sp.zeros(2, 1))
    table = state | ({} if moving else {r"\boldsymbol e": q - r})
    forward = rd.forward_dynamics(arm, q, qd, tau)
    return Bindings(table).motion([*q, *r], [*qd, *rates], [*forward, *accelerations])


# ---- springs made of software -------------------------------------------------------------------------------------------

m, l_c, weight, k_p = sp.symbols("m l_c g k_p", positive=True)
angle = sp.Symbol("q", real=True)
rod = rd.robots.planar([2 * l_c], [m], coms=[l_c], gravity=weight)
held = rd.gravity_torque(rod, [angle])[0]
sags = {"m": m, "l_c": l_c, "g": weight, "k_p": k_p, "q": angle, "q_r": angle + held / k_p}
chapter.prove("eq-control-sag", sags, by="the library's weight of a rod, carried by a spring")

link = rd.robots.planar([0.5], [2.0], coms=[0.25])


def one_joint(n):
    """Return the bindings of the library's law of one joint, with random gains at a random state on either side of the goal."""
    side = 1 if n < 3 else -1
    stiffness, damping, goal, angle, rate = np.random.default_rng(n).uniform(0.5, 2.5, 5) * [
        1,
        1,
        side,
        -side,
        (-1) ** n,
    ]
    law = rd.control.pd(link, stiffness, damping, [goal], gravity=False)
    pull = float(law(0.0, np.array([angle]), np.array([rate]))[0])
    return {"k_p": stiffness, "k_d": damping, "q_r": goal, "q": angle, r"\dot q": rate, r"\tau": pull}


by = "the library's law of one joint at random states"
chapter.prove("eq-control-spring", one_joint, n=[1, 2, 3, 4], tolerance=1e-12, by=by)

body = rd.robots.two_link((0.5, 0.75), (2.0, 1.5))
motion = rd.control.sine([0.4, -0.3], [0.5, 0.7], [1.5, 2.5], [0.2, 0.6])
column = lambda x: sp.Matrix(np.asarray(x, dtype=float).tolist())


def symmetric(entries):
    """Return the matrix of two joints with these three entries, a column."""
    return np.array([[entries[0], entries[2]], [entries[2], entries[1]]])


def by_law(law):
    """Return a function of n: the bindings of a law, (state, gains) -> (torque, further letters), at the n-th random state."""

    def at_state(n):
        rng = np.random.default_rng(n)
        q, qd, goal = rng.uniform(-1.5, 1.5, (3, 2))
        time, rate, slide = rng.uniform(0.5, 3.5, 3)
        K_p, K_d = (symmetric([*rng.uniform(2.0, 5.0, 2), rng.uniform(-1.0, 1.0)]) for _ in range(2))
        q_ref, qd_ref, qdd_ref = motion(time)
        tau, more = law(q, qd, goal, time, rate, slide, K_p, K_d)
        table = {
            r"\boldsymbol q": q,
            r"\dot{\boldsymbol q}": qd,
            r"\boldsymbol M": rd.mass_matrix(body, q),
            r"\boldsymbol C": rd.coriolis_matrix(body, q, qd),
            r"\boldsymbol g": rd.gravity_torque(body, q),
            r"\boldsymbol K_p": K_p,
            r"\boldsymbol K_d": K_d,
            r"\boldsymbol e": q - q_ref,
            r"\dot{\boldsymbol e}": qd - qd_ref,
            r"\ddot{\boldsymbol q}_r": qdd_ref,
            r"\boldsymbol\tau": tau,
        }
        return {letter: column(value) for letter, value in (table | more).items()} | {r"\omega": rate}

    return at_state


def springs(q, qd, goal, time, rate, slide, K_p, K_d):
    """The springs made of software that draw to a goal."""
    return rd.control.pd(body, K_p, K_d, goal)(time, q, qd), {r"\boldsymbol q_r": goal}


states, by = [1, 2, 3, 4], "the library's law at random states"
chapter.prove("eq-control-pd", by_law(springs), n=states, tolerance=1e-12, by=by)

share = sp.Symbol("share", positive=True)  # of the way from rest at the goal to the state
work = (qd.T * M * (share * qd) + (q - r).T * stiff * (share * (q - r)))[0]
stored = {"H": sp.integrate(sp.expand(work), (share, 0, 1))}
chapter.prove(
    "eq-control-pd-energy",
    under(g, moving=False).bind(stored),
    by="the work that brings the arm from rest at the goal to its speed, and draws the springs",
)
chapter.prove(
    "eq-control-pd-loss",
    under(g - stiff * e - damp * qd, moving=False).bind(stored),
    by="the rate of that energy along the library's forward dynamics under the law",
)

# ---- the gains ----------------------------------------------------------------------------------------------------------

near, way, pace = sp.Symbol("near", real=True), *(sp.Matrix(sp.symbols(f"{x}_1:3", real=True)) for x in ("x", "y"))
held_up = rd.gravity_torque(arm, r + near * way) - near * (stiff * way + damp * pace)
answer = rd.forward_dynamics(arm, r + near * way, near * pace, held_up)
small = {r"\ddot{\boldsymbol e}": answer.diff(near).subs(near, 0), r"\dot{\boldsymbol e}": pace, r"\boldsymbol e": way}
chapter.prove(
    "eq-control-small",
    state | small | {r"\boldsymbol M": rd.mass_matrix(arm, r)},
    by="the slope, at the goal, of the library's accelerations under the law",
)
k_d = sp.Symbol("k_d", positive=True)
slack, speed = sp.symbols("slack speed", real=True)
alone = rd.forward_dynamics(rod, [angle], [speed], [held - k_p * slack - k_d * speed])[0]
pull, brake = -sp.diff(alone, slack), -sp.diff(alone, speed)
tuned = {"M_{ii}": rd.mass_matrix(rod, [angle])[0, 0], "k_p": k_p, "k_d": k_d}
chapter.prove(
    "eq-control-gains",
    tuned | {r"\omega_n": sp.sqrt(pull), r"\zeta": brake / (2 * sp.sqrt(pull))},
    by="the slopes of the library's acceleration of a rod on a spring and a damper",
)


def mode(n):
    """Return the bindings of one mode: the slopes of the library's accelerations along its shape, at a random goal."""
    rng = np.random.default_rng(n)
    goal, rate, ratio = rng.uniform(-1.5, 1.5, 2), *rng.uniform(0.5, 2.5, 2)
    inertia = rd.mass_matrix(body, goal)
    largest = np.diag(rd.mass_matrix(body, [0, 0]).diagonal())
    sizes, shapes = np.linalg.eig(np.linalg.solve(largest, inertia))
    shape = shapes[:, n % 2]
    free = rd.gravity_torque(body, goal)
    law = rd.control.pd(body, rate**2 * largest, 2 * ratio * rate * largest, goal, gravity=False)

    def along(off, qd):
        pull = law(0.0, goal + off, qd) + free
        return shape @ rd.forward_dynamics(body, goal, qd, pull)

    pulled = -along(shape, 0 * shape)
    braked = -(along(0 * shape, shape) - along(0 * shape, -shape)) / 2  # without the velocity terms, which are even
    found = {r"\omega_\mu": np.sqrt(pulled), r"\zeta_\mu": braked / (2 * np.sqrt(pulled))}
    return found | {r"\mu": sizes[n % 2], r"\omega_n": rate, r"\zeta": ratio}


slopes = "the slopes of the library's accelerations along the shape of a mode, at random goals"
chapter.prove("eq-control-modes", mode, n=[1, 2, 3, 4], tolerance=1e-12, by=slopes)

# ---- computed torque ----------------------------------------------------------------------------------------------------


def computed(q, qd, goal, time, rate, slide, K_p, K_d):
    """The law that linearizes the arm."""
    return rd.control.computed_torque(body, motion, rate**2, 2 * rate)(time, q, qd), {}


chapter.prove("eq-control-computed", by_law(computed), n=states, tolerance=1e-12, by=by)

a = rdd - 2 * omega * ed - omega**2 * e
chapter.prove(
    "eq-control-linear",
    under(rd.inverse_dynamics(arm, q, qd, a)),
    by="the library's forward dynamics under its inverse dynamics of the acceleration asked for",
)
t, off, drift = sp.symbols("t e_0 v_0", real=True)
error = sp.Function("e")
decay = sp.dsolve(
    error(t).diff(t, 2) + 2 * omega * error(t).diff(t) + omega**2 * error(t),
    error(t),
    ics={error(0): off, error(t).diff(t).subs(t, 0): drift},
).rhs
chapter.prove(
    "eq-control-decay",
    {"t": t, r"\omega": omega, "e": sp.E, "e_i": field(decay, t), r"\dot e_i": field(decay.diff(t), t)},
    by="the solution of the equation of one joint, by SymPy",
)

model = rd.robots.two_link(symbolic=True).subs(dict(zip(sp.symbols("m_1 m_2", positive=True), (3, sp.Rational(7, 2)))))
believed = {
    r"\hat{\boldsymbol M}": rd.mass_matrix(model, q),
    r"\hat{\boldsymbol C}": rd.coriolis_matrix(model, q, qd),
    r"\hat{\boldsymbol g}": rd.gravity_torque(model, q),
    r"\boldsymbol g": g,
}
missed = rd.inverse_dynamics(model, q, qd, a) - rd.inverse_dynamics(arm, q, qd, a)
chapter.prove(
    "eq-control-missed",
    state | believed | {r"\boldsymbol a": a, r"\Delta\boldsymbol\tau": missed},
    by="inverse dynamics of the model less that of the arm",
)
chapter.prove(
    "eq-control-wrong",
    under(rd.inverse_dynamics(model, q, qd, a)).bind({r"\Delta\boldsymbol\tau": missed}),
    by="the library's forward dynamics of the arm under inverse dynamics of the model",
)
still = sp.zeros(2, 1)
rest = -rd.forward_dynamics(model, q, still, g) / omega**2  # the model's answer to the true weight
chapter.prove(
    "eq-control-rest",
    state | believed | {r"\boldsymbol e": rest},
    by="forward dynamics of the model at rest under the true weight, which is the acceleration that the law asks for",
)

# ---- passivity ----------------------------------------------------------------------------------------------------------

nu, nu_dot, s = rd_ - lam * e, rdd - lam * ed, ed + lam * e
chapter.define(
    "eq-control-reference", "names the reference velocity", state | {r"\dot{\boldsymbol q}_r": rd_}, let=True
)
chapter.prove(
    "eq-control-s",
    Bindings(state | {r"\boldsymbol s": s}).motion([*q, *r], [*qd, *rd_]),
    by="the rates of the errors",
)


def passive(q, qd, goal, time, rate, slide, K_p, K_d):
    """The law with the reference velocity."""
    q_ref, qd_ref, qdd_ref = motion(time)
    v = qd_ref - slide * (q - q_ref)
    told = {r"\boldsymbol\nu": v, r"\dot{\boldsymbol\nu}": qdd_ref - slide * (qd - qd_ref), r"\boldsymbol s": qd - v}
    return rd.control.passivity(body, motion, slide, K_d)(time, q, qd), told


chapter.prove("eq-control-passive", by_law(passive), n=states, tolerance=1e-12, by="the library's law at random states")
tau = M * nu_dot + C * nu + g - damp * s
sliding = under(tau).bind({r"\boldsymbol s": s, "V": (s.T * M * s)[0] / 2})
chapter.prove("eq-control-sliding", sliding, by="the library's forward dynamics under the law")
chapter.prove("eq-control-storage-rate", sliding, by="the rate of V along the library's forward dynamics under the law")
