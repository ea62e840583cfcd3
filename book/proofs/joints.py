"""Proofs of "Joints that rub and bend": one joint by hand-made oscillators and energies, and the library's flexible arm."""

from dataclasses import replace

import numpy as np
import sympy as sp

import robotdyn as rd
from eqproof import Chapter, field

chapter = Chapter(__file__)
chapter.symmetric(r"\boldsymbol K", r"\boldsymbol J_m")
m, l, g, I, J, k = sp.symbols("m l g I J k", positive=True)
t, q, qd, qdd, theta, theta_d, theta_dd, tau = sp.symbols("t q v a theta u w tau", real=True)
sliding, stiction, Omega, omega = sp.symbols("d tau_s Omega omega", positive=True)
chapter.units(
    {
        "e": "1",
        r"\omega_a": "rad/s",
        r"\omega_r": "rad/s",
        "p": "kg^2 m^4/s^4",
        "J": "kg m^2",
        "I": "kg m^2",
        "k": "N m/rad",
        "d": "N m",
        r"\tau_s": "N m",
        r"\tau_f": "N m",
    }
)
chapter.units({r"\varepsilon": "rad", "t_s": "s", "t_w": "s", r"\omega_s": "rad/s", "J_m": "kg m^2", "N": "1"})
chapter.units({r"\tau_m": "N m", r"\hat\tau": "N m", r"\hat\theta": "rad", r"\hat q": "rad", "T_m": "J"})
chapter.units({r"\boldsymbol\theta": "rad", r"\boldsymbol K": "N m/rad", r"\boldsymbol J_m": "kg m^2"})
chapter.units({r"\lambda": "1/s", "k_p": "N m/rad", "k_d": "N m s/rad", "N_*": "1", "J_{m*}": "kg m^2"})
chapter.units({"k_t": "N m/A", "R_m": "V/A", "u": "V", "i": "A"})

# ---- friction, stick and slip -----------------------------------------------------------------------------------------


def curve(n):
    """Return the bindings of a random curve of friction, at a random rate of one sign or of the other."""
    d, more, omega_s, b, rate = np.random.default_rng(n).uniform(0.5, 2.5, 5) * [1, 1, 1, 1, (-1) ** n]
    rubbing = rd.forces.total(rd.forces.viscous(b), rd.forces.stribeck(d, d + more, rate=omega_s))
    table = {"e": sp.E, "d": d, r"\tau_s": d + more, r"\omega_s": omega_s, "b": b, r"\dot q": rate}
    return table | {r"\tau_f": float(rubbing(0, [0.0], [rate])[0])}


by = "the library's friction at random rates where its tanh is 1 or -1"
chapter.prove("eq-joints-stribeck", curve, n=[1, 2, 3, 4, 5, 6], tolerance=1e-12, by=by)

shaft = sp.Function("epsilon")
slip = sp.dsolve(  # I q'' = k (Omega t - q) - d with epsilon = Omega t - q; at first the shaft pulls with the stiction
    shaft(t).diff(t, 2) - (sliding / I - omega**2 * shaft(t)),
    shaft(t),
    ics={shaft(0): stiction / (I * omega**2), shaft(t).diff(t).subs(t, 0): Omega},
).rhs
chapter.prove(
    "eq-joints-slide",
    {
        "t": t,
        r"\varepsilon": field(slip, t),
        "d": sliding,
        r"\tau_s": stiction,
        "k": I * omega**2,
        r"\Omega": Omega,
        r"\omega": omega,
    },
    by="the solution of the equation of motion of the link, by SymPy",
)
lasts = sp.symbols("t_s", positive=True)
turned = sp.solve((slip.diff(t) - Omega).subs(t, lasts), Omega)[0]  # the speed at which the slip lasts so long
speeds = {"d": sliding, r"\tau_s": stiction, "k": I * omega**2, r"\omega": omega, "t_s": lasts}
chapter.prove("eq-joints-slip", speeds | {r"\Omega": turned}, by="the rate of the link, zero again")
wound = sp.simplify((slip.subs(t, 0) - slip.subs({Omega: turned, t: lasts})) / Omega)
chapter.prove(
    "eq-joints-wait",
    {"d": sliding, r"\tau_s": stiction, "k": I * omega**2, r"\Omega": Omega, "t_w": wound},
    by="by how much the shaft has unwound in the slip",
)

# ---- a motor behind a gear --------------------------------------------------------------------------------------------

ratio, rotor, motor = *sp.symbols("N J_m", positive=True), sp.Symbol("tau_m", real=True)
hub = rd.Link(0, inertia=sp.eye(3) * I, motor_inertia=ratio**2 * rotor)
bare = rd.Link(0, inertia=sp.eye(3) * I)
spun = rd.kinetic_energy(rd.Arm([hub]), [q], [qd]) - rd.kinetic_energy(rd.Arm([bare]), [q], [qd])
gear = {"N": ratio, "J_m": rotor, r"\tau_m": motor, "I": I, r"\dot q": qd, "T_m": spun}
chapter.prove("eq-joints-rotor", gear, by="the library's kinetic energy with a motor, less that without")
acceleration = rd.forward_dynamics(rd.Arm([hub], (0, 0, 0)), [q], [qd], [ratio * motor])[0]
chapter.prove(
    "eq-joints-geared", gear | {r"\ddot q": acceleration}, by="the library's forward dynamics of a geared link"
)
constant, winding, volts = sp.symbols("k_t R_m u", positive=True)
current = sp.Symbol("i", positive=True)  # electric power less heat is mechanical power
current = sp.solve(volts * current - winding * current**2 - constant * current * ratio * qd, current)[0]
fed = {"N": ratio, "k_t": constant, "R_m": winding, "u": volts, r"\dot q": qd, r"\tau_m": constant * current}
chapter.prove("eq-joints-voltage", fed, by="the balance of electric and mechanical power and heat")
best = sp.solve(sp.together(acceleration.diff(ratio)), ratio)
by = "where the derivative of the acceleration by the ratio is zero"
chapter.prove("eq-joints-best-gear", {"I": I, "J_m": rotor, "N": next(x for x in best if x.is_positive)}, by=by)

ratios, rotors, pose = sp.symbols("N_1:3"), sp.symbols("J_1:3", positive=True), sp.symbols("q_1:3", real=True)
arm = rd.robots.two_link(symbolic=True)
links = [replace(x, motor_inertia=N**2 * J_m) for x, N, J_m in zip(arm.links, ratios, rotors)]
rates = sp.symbols("v_1:3", real=True)
energy = rd.kinetic_energy(arm, pose, rates) + sum(J_m * (N * v) ** 2 / 2 for J_m, N, v in zip(rotors, ratios, rates))
chapter.prove(
    "eq-joints-reflected",
    {
        r"\boldsymbol M": rd.mass_matrix(arm, pose),
        r"\boldsymbol M_{\text{geared}}": sp.hessian(energy, rates),
        "N_*": ratios,
        "J_{m*}": rotors,
    },
    by="the second derivatives of the energy of links and rotors",
)

# ---- a joint that bends -----------------------------------------------------------------------------------------------

pendulum = rd.robots.planar([l], [m], inertias=[I - m * l**2], gravity=g)
soft = replace(pendulum, links=[replace(pendulum.links[0], motor_inertia=J)])
link_acc, motor_acc = (x[0] for x in rd.flexible.accelerations(soft, k, [q], [qd], [theta], [theta_d], [tau]))
bent = {"m": m, "l": l, "g": g, "I": I, "J": J, "k": k, "q": q, r"\theta": theta, r"\tau": tau}
bent |= {r"\ddot q": link_acc, r"\ddot\theta": motor_acc}
chapter.prove("eq-joints-link", bent, by="the library's accelerations of a flexible joint")
chapter.prove("eq-joints-motor", bent, by="the library's accelerations of a flexible joint")

free = {g: 0}
stiffness = -sp.Matrix([link_acc, motor_acc]).subs(free).jacobian([q, theta])
locked = stiffness[0, 0]
vibration = next(x for x in stiffness.eigenvals() if x != 0)
by = "the eigenvalues of the library's accelerations, with the motor locked and free"
tones = {"I": I, "J": J, "k": k, r"\omega_a": sp.sqrt(locked), r"\omega_r": sp.sqrt(vibration)}
chapter.prove("eq-joints-frequencies", tones, by=by)
swing = (stiffness - omega**2 * sp.eye(2)).solve(sp.Matrix([0, tau / J]))
by = "the steady response of the library's accelerations to an oscillating torque"
chapter.prove(
    "eq-joints-response",
    tones | {r"\omega": omega, r"\hat\tau": tau, r"\hat q": swing[0], r"\hat\theta": swing[1]},
    by=by,
)

stiff, reflected = sp.symbols("k_1:3", positive=True), sp.symbols("J_1:3", positive=True)
two = replace(arm, links=[replace(x, motor_inertia=J_m) for x, J_m in zip(arm.links, reflected)])
angles, efforts = sp.symbols("theta_1:3", real=True), sp.symbols("tau_1:3", real=True)
eqs = rd.derive(arm)
state = (list(eqs.q), list(eqs.qd))
ends, motors = rd.flexible.accelerations(two, list(stiff), *state, list(angles), list(rates), list(efforts))
column = lambda x: sp.Matrix(list(x))
spring = {
    r"\boldsymbol M": eqs.M,
    r"\boldsymbol C": eqs.C,
    r"\boldsymbol g": eqs.g,
    r"\boldsymbol K": sp.diag(*stiff),
    r"\boldsymbol J_m": sp.diag(*reflected),
    r"\boldsymbol\tau": column(efforts),
    r"\boldsymbol\theta": column(angles),
    r"\boldsymbol q": column(eqs.q),
    r"\dot{\boldsymbol q}": column(eqs.qd),
    r"\ddot{\boldsymbol q}": column(ends),
    r"\ddot{\boldsymbol\theta}": column(motors),
}
chapter.prove("eq-joints-flexible-links", spring, by="the library's accelerations of an arm with flexible joints")
chapter.prove("eq-joints-flexible-motors", spring, by="the library's accelerations of an arm with flexible joints")

# ---- which side to watch ----------------------------------------------------------------------------------------------

k_p, k_d, root = *sp.symbols("k_p k_d", positive=True), sp.Symbol("root", real=True)
watched = sp.Matrix([qd, theta_d, link_acc, motor_acc]).subs(free).subs(tau, -k_p * q - k_d * qd)
slopes = watched.jacobian([q, theta, qd, theta_d])
grown = {"I": I, "J": J, "k": k, "k_p": k_p, "k_d": k_d, r"\lambda": root}
grown["p"] = field(I * J * (root * sp.eye(4) - slopes).det(), root)
by = "the characteristic polynomial of the library's accelerations under the controller, times I J"
chapter.prove("eq-joints-noncollocated", grown, by=by)
