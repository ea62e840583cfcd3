"""Proofs of "From least squares to Riccati": the link against the library's steps, the rest against plain minimization.

The witnesses of the recursion know nothing of it: they roll the rest of a motion out, input by input, and minimize its cost
over all remaining inputs at once, in exact numbers, for a motion of three numbers in a state and two in an input.
"""

from functools import cache

import numpy as np
import sympy as sp

import robotdyn as rd
from eqproof import Chapter, field
from robotdyn.simulation import euler_step

chapter = Chapter(__file__)
chapter.symmetric(r"\boldsymbol Q_*", r"\boldsymbol R", r"\bar{\boldsymbol R}", r"\boldsymbol P_*")
chapter.units({r"\boldsymbol x_*": lambda t, row, _: ("rad", "rad/s")[row - 1], r"\boldsymbol u_*": "N m"})
chapter.units({r"\boldsymbol A": [["1", "s"], ["1/s", "1"]], r"\boldsymbol B": ["1/N m", "1/N m s"]})


def at(last, value):
    """Return a family that has no member outside of the times 1 to last."""
    return cache(lambda t: value(t) if 1 <= t <= last else None)


# ---- one link on a table --------------------------------------------------------------------------------------------

arm = rd.robots.planar(1, None, sp.symbols("c_1:2", positive=True), sp.symbols("I_1:2", positive=True), gravity=0)
h, q, v, tau = sp.Symbol("h", positive=True), *sp.symbols("q v tau", real=True)
inertia = 2 * rd.kinetic_energy(arm, sp.Matrix([q]), sp.Matrix([1]))
faster = rd.forward_dynamics(arm, sp.Matrix([q]), sp.Matrix([v]), sp.Matrix([tau]))[0]
rates = lambda t, x: np.array([v, faster])
state, later = sp.Matrix([q, v]), sp.Matrix(euler_step(rates, 0, np.array([q, v], dtype=object), h).tolist())
link = {
    "T": 4,
    r"\Delta t": h,
    "I_O": inertia,
    r"\boldsymbol A": later.jacobian(state),
    r"\boldsymbol B": later.jacobian([tau]),
}


def link_at(t):
    """Return the bindings of a step of the link that begins at the time t."""
    rows = {"q_*": {t: q}.get, r"\dot q_*": {t: v}.get, r"\tau_*": {t: tau}.get}
    ends = {r"\boldsymbol x_*": {t: state, t + 1: later}.get, r"\boldsymbol u_*": {t: sp.Matrix([tau])}.get}
    return link | rows | ends


moments = {"n": (1, 2, 3), "each": lambda t: [{"t": t}]}  # a step from one of these times to the next
step = "the library's explicit Euler step of a link without weight"
one = {r"\boldsymbol u_t": "this column has one entry, the torque of the one motor"}
chapter.prove("eq-lqr-state", link_at, **moments, dead=one, by="the state and the input that the library's step takes")
chapter.prove("eq-lqr-A", link, by=step)
chapter.prove("eq-lqr-B", link, by=step)

inclined = (sp.Rational(3, 5), sp.Rational(4, 5), 0)  # the second slide pushes the first one back
slides = [
    rd.Link(mass, joint="prismatic", axis=axis)
    for mass, axis in zip(sp.symbols("m_1:3", positive=True), [(1, 0, 0), inclined])
]
carts, places, speeds, pushes = (
    rd.Arm(slides, (0, 0, 0)),
    *(sp.Matrix(sp.symbols(f"{x}_1:3", real=True)) for x in "zwf"),
)


def carts_at(t):
    """Return the bindings of a step of two carts, one on the other, that begins at the time t."""
    rates = lambda _, x: np.array([x[1], np.ravel(rd.forward_dynamics(carts, places, speeds, pushes))])
    start = np.array([places, speeds], dtype=object).reshape(2, 2)
    now, then = (sp.Matrix(np.ravel(x)) for x in (start, euler_step(rates, 0, start, h)))
    steps = {r"\boldsymbol A": then.jacobian(now), r"\boldsymbol B": then.jacobian(pushes)}
    return steps | {r"\boldsymbol x_*": {t: now, t + 1: then}.get, r"\boldsymbol u_*": {t: pushes}.get}


chapter.units({r"\boldsymbol x_*": lambda t, row, _: ("m", "m/s")[row > 2], r"\boldsymbol u_*": "N"})
chapter.units({r"\boldsymbol A": lambda i, j: ("1/s", "1", "s")[1 + (j > 2) - (i > 2)]})
chapter.units({r"\boldsymbol B": lambda i, j: ("m/N", "m/N s")[i > 2]})
by = "the library's explicit Euler step of two carts, one on the other, each with its motor"
chapter.prove("eq-lqr-step", carts_at, **moments, by=by)

# ---- a motion of three numbers, with two inputs ---------------------------------------------------------------------

T, D, d = 4, 3, 2
numbers = np.random.default_rng(1)


def some(rows, columns):
    """Return a matrix of fractions."""
    return sp.Matrix(rows, columns, lambda i, j: sp.Rational(int(numbers.integers(-9, 10)), 5))


def positive(size):
    """Return a symmetric, positive definite matrix of fractions."""
    root = some(size, size)
    return root * root.T + sp.eye(size)


A, B, R = some(D, D), some(D, d), positive(d)
Q = {t: positive(D) for t in range(1, T + 1)}
changing = {t: (some(D, D), some(D, d)) for t in range(1, T)}
X = sp.Matrix(sp.symbols(f"X_1:{D + 1}", real=True))
U = {t: sp.Matrix(sp.symbols(f"U_{t}_1:{d + 1}", real=True)) for t in range(1, T)}


def rolled(first, start, inputs, steps=None):
    """Return {t: state} from a state at the time `first` on."""
    x = {first: start}
    for t in range(first, T):
        A_t, B_t = (steps or {}).get(t, (A, B))
        x[t + 1] = A_t * x[t] + B_t * inputs[t]
    return x


def spent(x, inputs):
    """Return the cost of the states x and of the inputs that act on them."""
    states = sum(((x[t].T * Q[t] * x[t])[0] for t in x), sp.S.Zero)
    return sp.expand(states + sum(((inputs[t].T * R * inputs[t])[0] for t in range(min(x), max(x))), sp.S.Zero))


def stacked(parts):
    """Return columns, one below the other."""
    return sp.Matrix.vstack(*parts)


@cache
def best(first):
    """Return the least cost from the time `first` on, as a function of X, and the inputs, {t: column}."""
    inputs = stacked([U[t] for t in range(first, T)]) if first < T else sp.zeros(0, 1)
    cost = spent(rolled(first, X, U), U)
    if first == T:
        return cost, {}
    gradient = sp.Matrix([cost.diff(u) for u in inputs])
    least = sp.Matrix(sp.linsolve(list(gradient), *inputs).args[0])
    table = dict(zip(inputs, least))
    return sp.expand(cost.subs(table)), {t: U[t].subs(table) for t in range(first, T)}


def choice(t):
    """Return the cost of any input now, and of the best ones after it."""
    here = (X.T * Q[t] * X)[0] + (U[t].T * R * U[t])[0]
    return sp.expand(here + best(t + 1)[0].subs(dict(zip(X, A * X + B * U[t])), simultaneous=True))


x_of, u_of = (
    (lambda i: f"x_{(i - 1) % D + 1}"),
    (lambda i: f"u_{(i - 1) % d + 1}"),
)  # entries of all times in one column
chapter.units(
    {
        r"\boldsymbol x_*": "x_j",
        r"\boldsymbol u_*": "u_j",
        r"\boldsymbol x": lambda i, _: x_of(i),
        r"\boldsymbol z": lambda i, _: x_of(i),
        r"\boldsymbol u": lambda i, _: u_of(i),
        "c": "J",
        "c_*": "J",
        "H_*": "J",
        r"\boldsymbol A": "x_i/x_j",
        r"\boldsymbol B": "x_i/u_j",
        r"\boldsymbol A_*": "x_j/x_k",
        r"\boldsymbol B_*": "x_j/u_k",
        r"\boldsymbol R": "J/u_i u_j",
        r"\bar{\boldsymbol R}": lambda i, j: f"J/{u_of(i)} {u_of(j)}",
        r"\boldsymbol Q": lambda i, j: f"J/{x_of(i)} {x_of(j)}",
        r"\boldsymbol Q_*": "J/x_j x_k",
        r"\boldsymbol P": "J/x_i x_j",
        r"\boldsymbol P_*": "J/x_j x_k",
        r"\boldsymbol K_*": "u_j/x_k",
        r"\boldsymbol S_x": lambda i, j: f"{x_of(i)}/x_{j}",
        r"\boldsymbol S_u": lambda i, j: f"{x_of(i)}/{u_of(j)}",
        r"\boldsymbol S_{**}": "x_k/u_l",
        r"\varphi": "rad",
        "w_v": "J s^2",
        "r": "1/J",
        r"\boldsymbol K_{T-1}": [["N m", "N m s"]],
    }
)
motion, all_inputs = rolled(1, X, U), stacked(U.values())
states = stacked(motion.values())
whole = {
    "T": T,
    "c": spent(motion, U),
    r"\boldsymbol A": A,
    r"\boldsymbol B": B,
    r"\boldsymbol R": R,
    r"\bar{\boldsymbol R}": sp.diag(*[R] * (T - 1)),
    r"\boldsymbol Q": sp.diag(*Q.values()),
    r"\boldsymbol Q_*": at(T, lambda t: Q[t]),
    r"\boldsymbol x": states,
    r"\boldsymbol u": all_inputs,
    r"\hat{\boldsymbol u}": stacked(best(1)[1].values()),
    r"\boldsymbol S_x": states.jacobian(X),
    r"\boldsymbol S_u": states.jacobian(all_inputs),
}
along = {r"\boldsymbol x_*": at(T, lambda t: motion[t]), r"\boldsymbol u_*": at(T - 1, lambda t: U[t])}
chapter.bind(whole)
chapter.prove("eq-lqr-unrolled", along, by="the motion, rolled out step by step")
chapter.prove("eq-lqr-stacked", along, by="the motion, rolled out step by step")
chapter.prove("eq-lqr-Sx", by="the derivative of the rolled-out motion by its first state")
size = {r"\boldsymbol 0": sp.zeros(D, d)}  # nothing else tells how high the first row is
chapter.prove("eq-lqr-Su", size, by="the derivative of the rolled-out motion by its inputs")

moving = rolled(1, X, U, changing)
blocks = {
    r"\boldsymbol A_*": at(T - 1, lambda t: changing[t][0]),
    r"\boldsymbol B_*": at(T - 1, lambda t: changing[t][1]),
    r"\boldsymbol S_{**}": lambda t, s: moving[t].jacobian(U[s]) if t in moving and s in U else None,
}
chapter.prove(
    "eq-lqr-blocks",
    blocks,
    each={"t": T - 1, "s": T - 1},
    by="derivatives of a rolled-out motion whose steps change with time",
    dead={r"\boldsymbol B_t": "in this case s is t"},
)


def ended(last):
    """Return the bindings of the cost of the motion up to a time."""
    return along | {"T": last, "c": spent({t: motion[t] for t in range(1, last + 1)}, U)}


by = "the cost of a rolled-out motion, summed state by state"
chapter.prove("eq-lqr-cost", ended, n=[3, T], by=by)
chapter.prove("eq-lqr-cost-stacked", by=by)
chapter.prove("eq-lqr-gradient", {r"\boldsymbol x_1": X}, by="differentiation of the cost of the rolled-out motion")
least = "minimization of the cost of the rolled-out motion over all inputs at once"
chapter.prove("eq-lqr-solution", {r"\boldsymbol x_1": X}, by=least)

t_f, phi, time = sp.Symbol("t_f", positive=True), *sp.symbols("varphi t", real=True)
a = sp.symbols("a_0:4")
angle = sum(a[k] * time**k for k in range(4))  # q'''' = 0: the equation of Euler and Lagrange for q''^2
ends = [
    angle.subs(time, 0) + phi,
    angle.diff(time).subs(time, 0),
    angle.subs(time, t_f),
    angle.diff(time).subs(time, t_f),
]
torque = inertia * angle.subs(sp.solve(ends, a, dict=True)[0]).diff(time, 2)
chapter.prove(
    "eq-lqr-cubic",
    {r"\tau": field(torque, time), "t": time, "I_O": inertia, r"\varphi": phi, "t_f": t_f},
    by="the angle with the least integral of the squared torque, from the calculus of variations",
)

# ---- one step at a time ---------------------------------------------------------------------------------------------

seen = {t: sp.Matrix(sp.symbols(f"X_{t}_1:{D + 1}", real=True)) for t in range(1, T + 1)}
when = lambda t, value: value.subs(dict(zip(X, seen[t])), simultaneous=True)
recursion = {
    "c_*": at(T, lambda t: field(when(t, best(t)[0]), seen[t])),
    "H_*": at(T - 1, lambda t: when(t, choice(t))),
    r"\boldsymbol P_*": at(T, lambda t: sp.hessian(best(t)[0], X) / 2),
    r"\boldsymbol K_*": at(T - 1, lambda t: best(t)[1][t].jacobian(X)),
    r"\boldsymbol x_*": at(T, lambda t: seen[t]),
    r"\boldsymbol u_*": at(T - 1, lambda t: U[t]),
}
rest = "minimization of what the rest of the motion costs, over all remaining inputs at once"
each = {"t": T - 1}
shorter = lambda last: recursion | {"T": last, "c_*": {last: field(when(last, spent({last: X}, {})), seen[last])}.get}
chapter.prove("eq-lqr-end", shorter, n=[3, T], by="the cost of the last state alone, in motions that end at two times")
chapter.prove("eq-lqr-togo", recursion, each={"t": T}, by=rest)
chapter.prove("eq-lqr-choice", recursion, each=each, by=rest)
chapter.prove("eq-lqr-choice-gradient", recursion, each=each, by=f"differentiation; {rest}")
chapter.prove(
    "eq-lqr-law", {**recursion, r"\boldsymbol u_*": at(T - 1, lambda t: when(t, best(t)[1][t]))}, each=each, by=rest
)
chapter.prove("eq-lqr-gain", recursion, each=each, by=rest)
chapter.prove("eq-lqr-riccati", recursion, each=each, by=rest)

w_q, w_v, r = sp.symbols("w_q w_v r", positive=True)
last = w_q * later[0] ** 2 + w_v * later[1] ** 2 + r * tau**2
last_gain = sp.Matrix([sp.solve(last.diff(tau), tau)[0]]).jacobian(state)
chapter.prove(
    "eq-lqr-last-gain",
    lambda end: {**link, "w_v": w_v, "r": r, "T": end, r"\boldsymbol K_*": {end - 1: last_gain}.get},
    n=[3, T],
    by="minimization over the last torque, with the library's Euler step",
)

# ---- exercises ------------------------------------------------------------------------------------------------------

chapter.units({"x_1": "x_1", "u_1": "x_1", "u_2": "x_1", "r": "1", "K_*": "1", "P_*": "1"})
x_1, u_1, u_2 = sp.symbols("x_1 u_1 u_2", real=True)
whole_way = (x_1 + u_1 + u_2) ** 2 + r * (u_1**2 + u_2**2)
both = sp.solve([whole_way.diff(u) for u in (u_1, u_2)], [u_1, u_2])
second = sp.solve(((x_1 + u_2) ** 2 + r * u_2**2).diff(u_2), u_2)[0]
scalar = {
    "r": r,
    "x_1": x_1,
    "u_1": both[u_1],
    "u_2": second.subs(x_1, x_1 + both[u_1]),
    "K_*": at(2, lambda t: (both[u_1], second)[t - 1] / x_1),
    "P_*": at(2, lambda t: (whole_way.subs(both), ((x_1 + second) ** 2 + r * second**2))[t - 1] / x_1**2),
}
chapter.prove(
    "eq-lqr-scalar-inputs",
    scalar,
    by="minimization over both inputs, and over the second where the first one leads",
    dead={"u_1": "the two are equal", "u_2": "the two are equal"},
)
chapter.prove("eq-lqr-scalar-sweep", scalar, by="minimization over both inputs, and over the second alone")

any_gain = {t: some(d, D) for t in range(1, T)}


@cache
def of_law(first):
    """Return what a law with any gains costs from a time on."""
    x, inputs = {first: X}, {}
    for t in range(first, T):
        inputs[t] = any_gain[t] * x[t]
        x[t + 1] = A * x[t] + B * inputs[t]
    return spent(x, inputs)


joseph = {
    r"\boldsymbol K_*": at(T - 1, lambda t: any_gain[t]),
    r"\boldsymbol P_*": at(T, lambda t: sp.hessian(of_law(t), X) / 2),
}
chapter.prove("eq-lqr-joseph", joseph, each=each, by="the cost of a law with any gains, rolled out")

target = sp.Matrix(sp.symbols(f"Z_1:{T * D + 1}", real=True))
off = states - target
missed = sp.expand((off.T * sp.diag(*Q.values()) * off)[0] + (all_inputs.T * sp.diag(*[R] * (T - 1)) * all_inputs)[0])
found = sp.Matrix(sp.linsolve([missed.diff(u) for u in all_inputs], *all_inputs).args[0])
chapter.prove("eq-lqr-via", {r"\hat{\boldsymbol u}": found, r"\boldsymbol z": target, r"\boldsymbol x_1": X}, by=least)
