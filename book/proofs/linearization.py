"""Proofs of "Linearization": Jacobians of the library's steps and of its articulated-body algorithm, in symbols.

What stands on the other side comes from elsewhere: mass matrix, Coriolis matrix, energies, Newton and Euler.
"""

from functools import cache

import numpy as np
import sympy as sp

import robotdyn as rd
from eqproof import Chapter
from robotdyn.simulation import euler_step, rk4_step, semi_implicit_step

h, g = sp.symbols("h g", positive=True)
SIZES = [1, 2]

chapter = Chapter(__file__)
chapter.symmetric(r"\boldsymbol D", r"\boldsymbol H")
chapter.units("joints")
chapter.bind({r"\Delta t": h})


def column(name, n):
    """Return real symbols."""
    return sp.Matrix(sp.symbols(f"{name}_1:{n + 1}", real=True))


@cache
def arm(n):
    """Return an arm that leaves the plane, the second joint of which slides; exact numbers, all of them different."""
    turned = sp.Matrix(
        [[1, 0, 0], [0, sp.Rational(3, 5), -sp.Rational(4, 5)], [0, sp.Rational(4, 5), sp.Rational(3, 5)]]
    )
    inertia = sp.Matrix([[4, 1, 0], [1, 5, -1], [0, -1, 6]]) / 7
    links = [
        rd.Link(sp.Rational(3, 2), (sp.Rational(1, 3), -sp.Rational(1, 4), sp.Rational(1, 5)), inertia),
        rd.Link(sp.Rational(5, 4), (sp.Rational(1, 2), sp.Rational(1, 6), -sp.Rational(1, 3)), inertia / 2,
                joint="prismatic", axis=(1, 0, 0), position=(sp.Rational(1, 2), sp.Rational(1, 7), 0), rotation=turned),
    ]  # fmt: skip
    return rd.Arm(links[:n], gravity=(sp.Rational(1, 2), -9, 1))


@cache
def bodies(n):
    """Return an arm of the plane with centers of mass beside the lines of its links."""
    masses, lengths, moments = (sp.symbols(f"{x}_1:{n + 1}", positive=True) for x in "mlI")
    coms = [sp.symbols(f"c_{i}x c_{i}y", real=True) for i in range(1, n + 1)]
    return rd.robots.planar(lengths, masses, coms, moments, g)


@cache
def state(n):
    """Return coordinates, rates, torques and accelerations, and coefficients of friction."""
    return (*(column(name, n) for name in ("Q", "V", "tau", "A")), sp.diag(*sp.symbols(f"b_1:{n + 1}", positive=True)))


@cache
def accelerations(n, friction=False):
    """Return the accelerations of an arm, by articulated bodies."""
    q, qd, tau, _, D = state(n)
    return rd.forward_dynamics(arm(n), q, qd, tau - D * qd if friction else tau)


def flat(step, rates, x):
    """Return a step of the library for a state as a column."""
    half = len(x) // 2
    array = np.array(x, dtype=object).reshape(2, half)
    f = lambda t, now: np.array([now[1], rates(now)], dtype=object)
    return sp.Matrix(step(f, 0, array, h).ravel())


@cache
def stepped(n, step):
    """Return the state after a step from q, qd."""
    q, qd, tau, *_ = state(n)
    rates = lambda now: np.array(rd.forward_dynamics(arm(n), *(sp.Matrix(x) for x in now), tau)).ravel()
    return flat(step, rates, [*q, *qd])


def terms(n):
    """Return the derivatives of the accelerations, and what the library says of the arm."""
    q, qd, tau, _, D = state(n)
    qdd = accelerations(n)
    return {
        r"\boldsymbol 0": sp.zeros(n),
        r"\boldsymbol q": q,
        r"\dot{\boldsymbol q}": qd,
        r"\ddot{\boldsymbol q}": qdd,
        r"\boldsymbol\tau": tau,
        r"\boldsymbol F": qdd.jacobian(q),
        r"\boldsymbol G": qdd.jacobian(qd),
        r"\boldsymbol H": qdd.jacobian(tau),
        r"\boldsymbol G_b": accelerations(n, friction=True).jacobian(qd),
        r"\boldsymbol M": rd.mass_matrix(arm(n), q),
        r"\boldsymbol C": rd.coriolis_matrix(arm(n), q, qd),
        r"\boldsymbol D": D,
    }


def jacobians(step):
    """Return the bindings of A and B, which are the step's own derivatives."""

    def table(n):
        q, qd, tau, *_ = state(n)
        later = stepped(n, step)
        return {**terms(n), r"\boldsymbol A": later.jacobian([*q, *qd]), r"\boldsymbol B": later.jacobian(tau)}

    return table


def unit_of_state(k, n):
    """Return the unit of a coordinate or a rate of an arm of n joints."""
    return f"u_{k}" if k <= n else f"u_{k - n} s^-1"


chapter.units(
    {
        r"\boldsymbol F": "u_i/u_j s^2",
        r"\boldsymbol G": "u_i/u_j s",
        r"\boldsymbol H": "u_i u_j/J s^2",
        r"\boldsymbol G_b": "u_i/u_j s",
        r"\boldsymbol r": "J/u_i",
        r"\boldsymbol A": lambda i, j: f"{unit_of_state(i, 2)}/{unit_of_state(j, 2)}",
        r"\boldsymbol B": lambda i, j: f"{unit_of_state(i, 2)} u_{j}/J",
        r"\boldsymbol A_*": lambda _, i, j: f"{unit_of_state(i, 1)}/{unit_of_state(j, 1)}",
        r"\boldsymbol B_*": lambda _, i, j: f"{unit_of_state(i, 1)} u_{j}/J",
        r"\boldsymbol x_*": lambda _, i, j: unit_of_state(i, 1),
        r"\boldsymbol\tau_*": "J/u_j",
        r"\tilde{\boldsymbol G}": "1/s",
        r"\tilde{\boldsymbol G}_b": "1/s",
    }
)


# ---- one step -------------------------------------------------------------------------------------------------------


def neighbors(i):
    """Return the bindings of two neighboring motions: how their distance grows while both take step i."""
    q, qd, tau, *_ = state(2)
    later, now = stepped(2, semi_implicit_step), [*q, *qd]
    s, dx, du = sp.Symbol("s"), column("dx", 4), column("du", 2)
    moved = later.subs({a: a + s * b for a, b in zip([*now, *tau], [*dx, *du])}, simultaneous=True)
    return {
        r"\Delta\boldsymbol x_*": {i: dx, i + 1: moved.diff(s).subs(s, 0)}.get,
        r"\Delta\boldsymbol\tau_*": {i: du}.get,
        r"\boldsymbol A_*": {i: later.jacobian(now)}.get,
        r"\boldsymbol B_*": {i: later.jacobian(tau)}.get,
    }


by = "two neighboring motions of two joints, each through the library's semi-implicit step"
chapter.prove("eq-linearization-step", neighbors, each=lambda i: [{"i": i}], n=[1, 3], by=by)
by = "the slopes of the acceleration that the articulated-body algorithm gives"
chapter.prove("eq-linearization-jacobians", terms, n=SIZES, by=by)
by = "the library's explicit Euler step of an arm in space, differentiated"
chapter.prove("eq-linearization-euler", jacobians(euler_step), n=SIZES, by=by)

# ---- any arm --------------------------------------------------------------------------------------------------------

by = "the articulated-body algorithm, differentiated, and the library's mass matrix"
chapter.prove("eq-linearization-H-mass", terms, n=SIZES, by=by)


def held(n):
    """Return the bindings of Newton's and Euler's torque, and of the slope of the acceleration under that torque."""
    q, qd, tau, qdd, _ = state(n)
    r = rd.inverse_dynamics(arm(n), q, qd, qdd)
    F = accelerations(n).jacobian(q).subs(dict(zip(tau, r)), simultaneous=True)
    return {r"\boldsymbol q": q, r"\boldsymbol M": rd.mass_matrix(arm(n), q), r"\boldsymbol r": r, r"\boldsymbol F": F}


by = "the articulated-body algorithm, differentiated, against the torques of Newton and Euler"
chapter.prove("eq-linearization-F-inverse", held, n=SIZES, by=by)
by = "the articulated-body algorithm, differentiated, and the library's Coriolis matrix"
chapter.prove("eq-linearization-G-christoffel", terms, n=SIZES, by=by)
chapter.prove("eq-linearization-friction", terms, n=SIZES, by="the articulated-body algorithm, differentiated")

# ---- absolute angles ------------------------------------------------------------------------------------------------


def relative(x):
    """Return what belongs to the joints: the difference of two neighboring links."""
    return sp.Matrix([x[k] - (x[k - 1] if k else 0) for k in range(len(x))])


def forces(tau):
    """Return the factors of the absolute rates in the power of joint torques."""
    rates = state(len(tau))[1]
    return relative(rates).jacobian(rates).T * sp.Matrix(tau)


def absolute(n):
    """Return the bindings of an arm of the plane; its terms as energies and Newton-Euler forces tell them."""
    q, qd, u, *_ = state(n)
    back = relative(q).jacobian(q)
    answer = lambda tau: back.inv() * rd.forward_dynamics(bodies(n), relative(q), relative(qd), tau)
    weightless = rd.Arm(bodies(n).links, (0, 0, 0), bodies(n).tip)
    alone = lambda k: relative(sp.eye(n)[:, k])  # the joint rates while link k alone turns, at unit rate
    turning = [forces(rd.inverse_dynamics(weightless, relative(q), alone(k), sp.zeros(n, 1))) for k in range(n)]
    energy = rd.kinetic_energy(bodies(n), relative(q), relative(qd))
    return {
        r"\tilde{\boldsymbol q}": q,
        r"\dot{\tilde{\boldsymbol q}}": qd,
        r"\tilde{\boldsymbol M}": sp.hessian(energy, list(qd)),
        r"\tilde{\boldsymbol C}": sp.Matrix.hstack(*turning),
        r"\tilde{\boldsymbol G}": answer(back.inv().T * u).jacobian(qd),
    }


by = "the articulated-body algorithm in relative angles, differentiated; energies and Newton-Euler forces"
chapter.prove("eq-linearization-G-absolute", absolute, n=SIZES, by=by)

# ---- the Taylor test ------------------------------------------------------------------------------------------------

x, d, epsilon = column("x", 2), column("d", 2), sp.Symbol("epsilon", positive=True)
bent = lambda p: sp.Matrix([3 * p[0] ** 2 - p[0] * p[1] + 2 * p[1] - 1, p[0] * p[1] + p[1] ** 2 / 2 - 4 * p[0]])
bend = sp.Matrix([(d.T * sp.hessian(row, list(x)) * d)[0] / 2 for row in bent(x)])
chapter.units(
    {
        "R": "1",
        r"\boldsymbol s": "1",
        r"\epsilon": "1",
        r"\boldsymbol d": "x_i",
        r"\boldsymbol x": "x_i",
        r"\boldsymbol A": "1/x_j",
    }
)
taylor = {
    "R": lambda distance: distance**2 * sp.sqrt((bend.T * bend)[0]),
    r"\boldsymbol s": lambda place: bent(sp.Matrix(np.array(place, dtype=object).ravel())),
    r"\boldsymbol x": x,
    r"\boldsymbol d": d,
    r"\epsilon": epsilon,
    r"\boldsymbol A": bent(x).jacobian(x),
}
chapter.prove("eq-linearization-remainder", taylor, by="a quadratic step, whose second derivative is all that is left")

# ---- better steps ---------------------------------------------------------------------------------------------------

chapter.units({r"\boldsymbol A": lambda i, j: f"{unit_of_state(i, 2)}/{unit_of_state(j, 2)}"})
by = "the library's semi-implicit step of an arm in space, differentiated"
chapter.prove("eq-linearization-semi-implicit-A", jacobians(semi_implicit_step), n=SIZES, by=by)
chapter.prove("eq-linearization-semi-implicit-B", jacobians(semi_implicit_step), n=SIZES, by=by)


def folded():
    """Return the bindings of the rates of two links of the plane, differentiated as a whole and block by block."""
    links, (q, qd, tau, *_) = rd.robots.two_link((sp.S.Half, sp.Rational(3, 4)), (2, sp.Rational(3, 2))), state(2)
    M, C, g = (sp.Matrix(term) for term in rd.planar.absolute(links, q))
    qdd = M.LUsolve(tau - g - C * qd.applyfunc(lambda rate: rate**2))
    at = lambda matrix: lambda j: matrix.subs({x: sp.Symbol(f"{x}_{j}", real=True) for x in [*q, *qd]})
    return {
        r"\boldsymbol J_*": at(sp.Matrix([*qd, *qdd]).jacobian([*q, *qd])),
        r"\boldsymbol F_*": at(qdd.jacobian(q)),
        r"\boldsymbol G_*": at(qdd.jacobian(qd)),
    }


chapter.units({r"\boldsymbol F_*": "1/s^2", r"\boldsymbol G_*": "1/s"})
chapter.units({r"\boldsymbol J_*": lambda j, row, column: ("1", "1/s", "1/s^2")[1 + (row > 2) - (column > 2)]})
by = "the rates of two links, differentiated as a whole and block by block"
chapter.prove("eq-linearization-J", folded(), each={"j": 4}, by=by)

pendulum, (q,), (qd,), (tau,), *_ = rd.robots.planar(1, symbolic=True), *state(1)
swing = lambda now: np.array(rd.forward_dynamics(pendulum, sp.Matrix(now[0]), sp.Matrix(now[1]), [tau])).ravel()
slope = swing([[q], [qd]])[0].diff(q)


def area(step):
    """Return the bindings of a step of a pendulum."""
    return {r"\boldsymbol A": flat(step, swing, [q, qd]).jacobian([q, qd]), "F": slope}


chapter.units({r"\boldsymbol A": [["1", "s"], ["1/s", "1"]], "F": "1/s^2", "a_*": "1"})
chapter.units(
    {r"\boldsymbol x": ["rad", "rad/s"], r"\boldsymbol k_*": lambda _, row, column: ("rad/s", "rad/s^2")[row - 1]}
)
chapter.units(
    {r"\boldsymbol J_*": [[["1/s", "1"], ["1/s^2", "1/s"]]] * 4, r"\boldsymbol F_*": "1/s^2", r"\boldsymbol G_*": "1/s"}
)
by = "the library's step of a pendulum, differentiated"
chapter.prove("eq-linearization-area-euler", area(euler_step), by=by)
chapter.prove("eq-linearization-area-semi-implicit", area(semi_implicit_step), by=by)
upright = {r"\boldsymbol A": area(euler_step)[r"\boldsymbol A"].subs(q, sp.pi / 2), "g": g, "l": pendulum.tip[0]}
chapter.prove(
    "eq-linearization-upright", upright, by="the library's step of a pendulum that stands upright, differentiated"
)


def runge_kutta():
    """Return the bindings of a Runge-Kutta step against air: its slopes, where they were taken, and what they are there."""
    places, slopes = [], []
    falling = lambda now: swing(now) - now[1] ** 2

    def spy(time, now):
        places.append(dict(zip((q, qd), now.ravel())))
        slopes.append(sp.Matrix([now[1, 0], falling(now)[0]]))
        return np.array(slopes[-1].tolist(), dtype=object)

    later = sp.Matrix(rk4_step(spy, 0, np.array([[q], [qd]], dtype=object), h).ravel())
    drag = falling(np.array([[q], [qd]]))[0]
    at = lambda value: lambda j: sp.Matrix([[value]]).subs(places[j - 1], simultaneous=True)
    return {
        r"\boldsymbol x": [q, qd],
        r"\boldsymbol k_*": lambda j: slopes[j - 1],
        r"\boldsymbol J_*": lambda j: sp.Matrix([qd, drag]).jacobian([q, qd]).subs(places[j - 1], simultaneous=True),
        r"\boldsymbol F_*": at(drag.diff(q)),
        r"\boldsymbol G_*": at(drag.diff(qd)),
        r"a_*": lambda j: {2: sp.S.Half, 3: sp.S.Half, 4: sp.S.One}.get(j),
        r"\boldsymbol A": later.jacobian([q, qd]),
    }


table = runge_kutta()
by = "the slopes for which the library's step asks, differentiated by the state at the beginning"
chapter.prove("eq-linearization-slopes", table, each={"j": range(2, 5)}, by=by)
chapter.prove(
    "eq-linearization-rk4", table, by="the library's step of a pendulum in air and its slopes, differentiated"
)
