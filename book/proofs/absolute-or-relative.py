"""Proofs of "Absolute or relative?": steps of the library in relative angles against the same steps in absolute ones.

The change between both is read off the library's Jacobians, and off the power of the torques.
"""

from functools import cache

import mpmath
import numpy as np
import sympy as sp

import robotdyn as rd
from eqproof import Chapter
from robotdyn.simulation import euler_step, semi_implicit_step

h = sp.Rational(1, 7)
SIZES = [1, 2, 3]  # L^-1 is 2 1 - L up to two links
ratio = sp.Rational

chapter = Chapter(__file__)
chapter.symmetric(
    *(
        rf"{x}_*"
        for x in (
            r"\boldsymbol Q",
            r"\boldsymbol R",
            r"\tilde{\boldsymbol Q}",
            r"\tilde{\boldsymbol R}",
            r"\boldsymbol N",
        )
    )
)


def column(name, n):
    """Return real symbols."""
    return sp.Matrix(sp.symbols(f"{name}_1:{n + 1}", real=True))


@cache
def arm(n):
    """Return an arm of the plane with centers of mass beside the lines of its links; exact numbers."""
    coms = [(ratio(1, 3), ratio(1, 8)), (ratio(2, 5), ratio(-1, 6)), (ratio(1, 4), ratio(1, 9))]
    parts = (
        [ratio(3, 4), ratio(2, 3), ratio(1, 2)],
        [ratio(3, 2), 1, ratio(4, 5)],
        [ratio(1, 9), ratio(1, 7), ratio(1, 6)],
    )
    lengths, masses, inertias = (list(part[:n]) for part in parts)
    return rd.robots.planar(lengths, masses, coms[:n], inertias, ratio(49, 5))


@cache
def summing(n):
    """Return L: the rows of the library's Jacobians that give the angular velocity of each link about z."""
    q = column("Q", n)
    return sp.Matrix.vstack(*(rd.com_jacobian(rd.robots.planar(n, symbolic=True), q, k)[5, :] for k in range(n)))


def forces(tau):
    """Return the factors of the absolute rates in the power of the torques."""
    rates = column("W", len(tau))
    joint = sp.Matrix([rates[k] - (rates[k - 1] if k else 0) for k in range(len(tau))])
    return sp.Matrix([(joint.T * sp.Matrix(tau))[0].diff(rate) for rate in rates])


def both(n, x):
    """Return a pair of columns one below the other, each translated to absolute angles."""
    return sp.Matrix([*(summing(n) * sp.Matrix(x[:n])), *(summing(n) * sp.Matrix(x[n:]))])


def step(n, x, tau, integrator=semi_implicit_step):
    """Return the state after a step of the library in relative angles, accelerations by articulated bodies."""

    def rates(t, now):
        qdd = rd.forward_dynamics(arm(n), *(sp.Matrix(part) for part in now.tolist()), sp.Matrix(tau))
        return np.array([now[1], np.array(qdd).ravel()], dtype=object)

    return sp.Matrix(integrator(rates, 0, np.array(x, dtype=object).reshape(2, n), h).ravel())


def step_absolute(n, x, u, integrator=semi_implicit_step):
    """Return the state after a step in absolute angles; accelerations from the terms of `rd.planar`."""

    def rates(t, now):
        angles, turns = (sp.Matrix(part) for part in now.tolist())
        M, C, g = (sp.Matrix(part) for part in rd.planar.absolute(arm(n), angles))
        qdd = M.LUsolve(sp.Matrix(u) - g - C * turns.applyfunc(lambda rate: rate**2))
        return np.array([now[1], np.array(qdd).ravel()], dtype=object)

    return sp.Matrix(integrator(rates, 0, np.array(x, dtype=object).reshape(2, n), h).ravel())


@cache
def languages(n):
    """Return the state and the torques in both languages: relative ones are symbols."""
    x, tau = column("x", 2 * n), column("tau", n)
    return x, tau, both(n, x), forces(tau)


def at(value, symbols, place):
    """Return a value where the symbols have these values."""
    return value.subs(dict(zip(symbols, place)), simultaneous=True)


# ---- one step -------------------------------------------------------------------------------------------------------


@cache
def slopes(n):
    """Return A, B of the relative step and of the absolute one, each differentiated in its own language."""
    x, tau, absolute, u = languages(n)
    y, w = column("y", 2 * n), column("w", n)
    here, there = step(n, x, tau), step_absolute(n, y, w)
    place = [*absolute, *u]
    other = at(there.jacobian([*y, *w]), [*y, *w], place)
    return here.jacobian(list(x)), here.jacobian(list(tau)), other[:, : 2 * n], other[:, 2 * n :]


def slope(function, place):
    """Return the Jacobian of a function at a place of numbers, one direction after the other."""
    s, place = sp.Symbol("s"), sp.Matrix(place)
    ways = [place + s * sp.eye(len(place))[:, k] for k in range(len(place))]
    return sp.Matrix.hstack(*(function(list(way)).diff(s).subs(s, 0) for way in ways))


@cache
def slopes_of_three():
    """Return A, B of both steps of three links, at a state of numbers."""
    x, tau = [sp.pi / 2, sp.pi, -sp.pi / 2, ratio(2, 3), ratio(-5, 4), ratio(7, 5)], [2, -3, ratio(5, 2)]
    y, w = list(both(3, x)), list(forces(tau))
    here = slope(lambda x: step(3, x, tau), x), slope(lambda tau: step(3, x, tau), tau)
    return *here, slope(lambda y: step_absolute(3, y, w), y), slope(lambda w: step_absolute(3, y, w), w)


def change(n):
    """Return the bindings of the change of languages."""
    x, tau, absolute, u = languages(n)
    return {
        r"\boldsymbol L": summing(n),
        r"\boldsymbol x": x,
        r"\tilde{\boldsymbol x}": absolute,
        r"\boldsymbol\tau": tau,
        r"\boldsymbol u": u,
        r"\boldsymbol P": absolute.jacobian(list(x)),
    }


chapter.units(
    {
        **dict.fromkeys((r"\boldsymbol P", r"\boldsymbol L_x", r"\boldsymbol L_u", r"\kappa", r"\varphi"), "1"),
        r"\boldsymbol x": lambda i, _: "rad" if i <= 3 else "rad/s",
    }
)
chapter.bind(lambda n: {} if n is None else change(n))
by = "the angular rows of the library's Jacobians, for angles and for rates"
chapter.prove("eq-absolute-forces", n=[1, 2, 3], by="what multiplies the absolute rates in the power of the torques")
chapter.prove("eq-absolute-state", n=[1, 2, 3], by=by)


def steps(n):
    """Return the bindings of both linearizations."""
    A, B, A_abs, B_abs = slopes_of_three() if n == 3 else slopes(n)
    return {
        r"\boldsymbol A": A,
        r"\boldsymbol B": B,
        r"\tilde{\boldsymbol A}": A_abs,
        r"\tilde{\boldsymbol B}": B_abs,
    }


N = SIZES[-1]
rate = lambda i: int((i - 1) % (2 * N) >= N)  # whether an entry of one state, or of all, is a rate
chapter.units(
    {
        r"\boldsymbol x": lambda i, _: ("rad", "rad/s")[rate(i)],
        r"\boldsymbol A": lambda i, j: ("s", "1", "1/s")[1 + rate(i) - rate(j)],
        r"\boldsymbol B": lambda i, _: ("rad/N m", "rad/N m s")[rate(i)],
        r"\boldsymbol S_\tau": lambda i, _: ("rad/N m", "rad/N m s")[rate(i)],
        r"\boldsymbol S_u": lambda i, _: ("rad/N m", "rad/N m s")[rate(i)],
        r"\boldsymbol S_{**}": lambda block, by, i, _: ("rad/N m", "rad/N m s")[rate(i)],
        r"\boldsymbol Q": lambda i, j: ("J", "J s", "J s^2")[rate(i) + rate(j)],
        r"\boldsymbol R": "J/N^2 m^2",
        r"\boldsymbol K": lambda _, i: ("N m", "N m s")[rate(i)],
        **dict.fromkeys((r"\boldsymbol s_\tau", r"\boldsymbol s_u"), "J/N m"),
        **dict.fromkeys((r"\boldsymbol N_\tau", r"\boldsymbol N_u"), "J/N^2 m^2"),
        "r_*": "J/N^2 m^2",
    }
)
by = "the library's steps in both languages, each differentiated in its own; articulated bodies here, `rd.planar` there"
chapter.prove("eq-absolute-step", steps, n=SIZES, by=by)

# ---- a whole motion -------------------------------------------------------------------------------------------------


def stacks(n):
    """Return the bindings of three states and two torques in both languages; x and tau are symbols."""
    states, pushes = [column(f"x{i}", 2 * n) for i in (1, 2, 3)], [column(f"tau{i}", n) for i in (1, 2)]
    flat, absolute = [v for x in states for v in x], [v for x in states for v in both(n, x)]
    torques, translated = [v for tau in pushes for v in tau], [v for tau in pushes for v in forces(tau)]
    return {
        r"\boldsymbol L_x": sp.Matrix(absolute).jacobian(flat),
        r"\boldsymbol L_u": sp.Matrix(translated).jacobian(torques),
    }


@cache
def motions_of_three():
    """Return the same as `motions` for three links, from rest under torques of numbers."""

    def moved(stepped, start, pushes):
        """Return the states of two steps, one below the other."""
        one = stepped(3, start, pushes[:3], euler_step)
        return sp.Matrix([*start, *one, *stepped(3, one, pushes[3:], euler_step)])

    start, taus = [sp.pi / 2, sp.pi, -sp.pi / 2, 0, 0, 0], [2, -3, ratio(5, 2), -1, ratio(3, 2), 4]
    forced = [*forces(taus[:3]), *forces(taus[3:])]
    absolute = lambda u: moved(step_absolute, both(3, start), u)
    return slope(lambda taus: moved(step, start, taus), taus), slope(absolute, forced)


@cache
def motions(n):
    """Return three states under two torques, in relative angles and in absolute ones, differentiated by the torques."""
    start, taus = [ratio(k + 1, 5) * (-1) ** k for k in range(2 * n)], [column(f"tau{i}", n) for i in (1, 2)]
    flat, forced = [v for tau in taus for v in tau], [column(f"w{i}", n) for i in (1, 2)]
    one, other = [sp.Matrix(start)], [both(n, start)]
    for tau, u in zip(taus, forced):
        one.append(step(n, one[-1], tau, euler_step))
        other.append(step_absolute(n, other[-1], u, euler_step))
    column_of = lambda states: sp.Matrix([v for x in states for v in x])
    S = column_of(one).jacobian(flat)
    names, place = [v for u in forced for v in u], [v for tau in taus for v in forces(tau)]
    return S, at(column_of(other).jacobian(names), names, place)


def whole(n):
    """Return the bindings of both stacked matrices and of their blocks."""
    S, S_abs = motions_of_three() if n == 3 else motions(n)
    block = lambda matrix: lambda i, j: matrix[2 * n * (i - 1) : 2 * n * i, n * (j - 1) : n * j]
    return {
        **stacks(n),
        r"\boldsymbol S_\tau": S,
        r"\tilde{\boldsymbol S}_u": S_abs,
        r"\boldsymbol S_{**}": block(S),
        r"\tilde{\boldsymbol S}_{**}": block(S_abs),
    }


by = "two steps of the library in both languages, each motion differentiated by its own inputs"
chapter.prove("eq-absolute-S", whole, n=SIZES, by=by)
chapter.prove("eq-absolute-block", whole, each={"i": range(2, 4), "j": range(1, 3)}, n=SIZES, by=by)

# ---- condition ------------------------------------------------------------------------------------------------------


def spread(matrix):
    """Return the ratio of the largest to the smallest singular value of a matrix, with 60 digits."""
    with mpmath.workdps(60):
        values = mpmath.svd_r(mpmath.matrix(np.array(matrix).tolist()), compute_uv=False)
        return sp.Float(str(values[0] / values[len(values) - 1]), 55)


def condition(n):
    """Return the bindings of the condition of L."""
    return {"N": n, r"\kappa": spread, r"\boldsymbol L": summing(n), r"\varphi": sp.pi / (4 * n + 2)}


chapter.prove("eq-absolute-condition", condition, n=[1, 2, 3, 5], tolerance=1e-40, by="the singular values of L")

# ---- costs, gains, gradients ----------------------------------------------------------------------------------------


def costs(n):
    """Return the bindings of a quadratic cost: its weights in absolute angles are its second derivatives there."""
    x, tau, _, _ = languages(n)
    y, w = column("y", 2 * n), column("w", n)
    weights = lambda name, k: sp.Matrix(k, k, lambda i, j: sp.Symbol(f"{name}_{min(i, j)}{max(i, j)}"))
    Q, R = weights("Q", 2 * n), weights("R", n)
    K = sp.Matrix(n, 2 * n, lambda i, j: sp.Symbol(f"K_{i}{j}"))
    x_of = x.subs(sp.solve(list(both(n, x) - y), list(x), dict=True)[0])
    tau_of = tau.subs(sp.solve(list(forces(tau) - w), list(tau), dict=True)[0])
    cost = (x_of.T * Q * x_of + tau_of.T * R * tau_of)[0]
    closed = tau_of.subs(dict(zip(w, K * both(n, x))), simultaneous=True)
    return {
        r"\boldsymbol Q": Q,
        r"\boldsymbol R": R,
        r"\tilde{\boldsymbol Q}": sp.hessian(cost, list(y)) / 2,
        r"\tilde{\boldsymbol R}": sp.hessian(cost, list(w)) / 2,
        r"\tilde{\boldsymbol K}": K,
        r"\boldsymbol K": closed.jacobian(list(x)),
    }


chapter.prove("eq-absolute-effort", n=[1, 2, 3], by="the generalized forces that have the power of the torques")
by = "a quadratic cost, written in absolute quantities and differentiated there"
chapter.prove("eq-absolute-weights", costs, n=SIZES, by=by)
chapter.prove("eq-absolute-gains", costs, n=SIZES, by="a linear law of absolute angles, its torques differentiated")


def hills(n):
    """Return the bindings of a cost that is not quadratic, as a function of u and of tau, with its derivatives."""
    _, tau, _, u = languages(n)
    w = column("w", n)
    c = lambda w: (
        sum((k + 2) * value**2 + value**4 / 3 for k, value in enumerate(w)) + sp.sin(w[0] - 2 * w[-1]) + 3 * w[0]
    )
    here, there = c(u), c(w)
    return {
        r"\boldsymbol s_\tau": sp.Matrix([here.diff(value) for value in tau]),
        r"\boldsymbol s_u": at(sp.Matrix([there.diff(value) for value in w]), w, u),
        r"\boldsymbol N_\tau": sp.hessian(here, list(tau)),
        r"\boldsymbol N_u": at(sp.hessian(there, list(w)), w, u),
    }


by = "a cost in symbols, differentiated by torques and by forces"
chapter.prove("eq-absolute-gradient", hills, n=SIZES, by=by)
chapter.prove("eq-absolute-newton", hills, n=SIZES, by=by)


def two(n):
    """Return the cost of two motors, by its names in the exercise."""
    _, tau, _, u = languages(n)
    r = sp.symbols("r_1:3", positive=True)
    w = column("w", n)
    (solved,) = sp.solve(list(forces(tau) - w), list(tau), dict=True)
    cost = sum(weight * value**2 for weight, value in zip(r, tau)).subs(solved)
    return {"r_*": list(r), r"\tilde{\boldsymbol R}": sp.hessian(cost, list(w)) / 2}


chapter.prove("eq-absolute-R-two", two, n=[2], by="the cost of two motors in generalized forces, differentiated")
chapter.prove("eq-absolute-hidden", n=[2], by="the generalized forces that have the power of the torques")
