"""Proofs of "iLQR": one link against the library's step, backward pass and least squares against plain minimization.

The witnesses of both ways know nothing of them: a motion of three numbers in a state and two in an input, with steps that
change, is rolled out, its cost is summed up term by term, and minimized over all inputs that are left, in exact numbers.
"""

from functools import cache, partial

import numpy as np
import sympy as sp

import robotdyn as rd
from eqproof import Chapter, field
from robotdyn.simulation import euler_step

chapter = Chapter(__file__)
chapter.symmetric(
    r"\boldsymbol W_*", r"\boldsymbol R", r"\boldsymbol V_*", r"\boldsymbol Q_{xx*}", r"\boldsymbol Q_{uu*}"
)
chapter.symmetric(
    *(rf"{letter}_{{{by}*}}" for letter in (r"\boldsymbol\ell", r"\bar{\boldsymbol\ell}") for by in ("xx", "uu"))
)
chapter.units(
    {
        "b": "N m s/rad",
        r"\boldsymbol x_*": lambda t, row, _: ("rad", "rad/s")[row - 1],
        r"\boldsymbol u_*": "N m",
        r"\boldsymbol f": ["rad", "rad/s"],
        r"\boldsymbol A_*": [[["1", "s"], ["1/s", "1"]]] * 4,
        r"\boldsymbol B_*": [["1/N m", "1/N m s"]] * 4,
    }
)
moments = {"n": (1, 2, 3), "each": lambda t: [{"t": t}]}  # a step from one of these times to the next


def at(last, value):
    """Return a family that has no member outside of the times 1 to last."""
    return cache(lambda t: value(t) if 1 <= t <= last else None)


# ---- one link -------------------------------------------------------------------------------------------------------

arm = rd.robots.planar(1, symbolic=True)
q, v, tau = sp.symbols("q v tau", real=True)
h, friction = sp.symbols("h b", positive=True)
state = sp.Matrix([q, v])
driven = tau - friction * v
faster = rd.forward_dynamics(arm, sp.Matrix([q]), sp.Matrix([v]), sp.Matrix([driven]))[0]
later = sp.Matrix(euler_step(lambda t, x: np.array([v, faster]), 0, np.array([q, v], dtype=object), h).tolist())
step = lambda x, u: later.subs({q: x[0, 0], v: x[1, 0], tau: u[0, 0]}, simultaneous=True)
link = {
    "m": arm.links[0].mass,
    "l": arm.tip[0],
    "g": -arm.gravity[1],
    "b": friction,
    r"\Delta t": h,
    r"\boldsymbol f": step,
}
now = link | {"q": q, r"\dot q": v, r"\ddot q": faster, r"\tau": tau}  # in an equation that names no time


def link_at(t):
    """Return the bindings of a step of the link that begins at the time t."""
    return link | {
        "q_*": {t: q}.get,
        r"\dot q_*": {t: v}.get,
        r"\ddot q_*": {t: faster}.get,
        r"\boldsymbol x_*": {t: state, t + 1: later}.get,
        r"\boldsymbol u_*": {t: sp.Matrix([tau])}.get,
        r"\boldsymbol A_*": {t: later.jacobian(state)}.get,
        r"\boldsymbol B_*": {t: later.jacobian([tau])}.get,
    }


euler = "the library's explicit Euler step, by articulated bodies"
chapter.prove("eq-ilqr-pendulum", now, by="the articulated-body algorithm with viscous friction")
chapter.prove("eq-ilqr-step", link_at, **moments, by=euler)
chapter.prove("eq-ilqr-euler", link_at, **moments, by=euler)
chapter.prove("eq-ilqr-A", link_at, **moments, by=f"differentiation of {euler}")
chapter.prove("eq-ilqr-B", link_at, **moments, by=f"differentiation of {euler}")

two = rd.robots.planar(2, symbolic=True)
both, pushed = sp.Matrix(sp.symbols("q_1:3 v_1:3", real=True)), sp.Matrix(sp.symbols("tau_1:3", real=True))
moved = rd.forward_dynamics(two, both[:2, :], both[2:, :], pushed)
moved = both + h * sp.Matrix([*both[2:], *moved])
dx, du = sp.Matrix(sp.symbols("dx_1:5", real=True)), sp.Matrix(sp.symbols("du_1:3", real=True))
s = sp.Symbol("s", real=True)
near = dict(zip([*both, *pushed], [*(both + s * dx), *(pushed + s * du)]))
chapter.units(
    {
        r"\boldsymbol x_*": lambda t, row, _: ("rad", "rad", "rad/s", "rad/s")[row - 1],
        r"\boldsymbol A_*": lambda t, i, j: ("1/s", "1", "s")[1 + (j > 2) - (i > 2)],
        r"\boldsymbol B_*": lambda t, i, j: ("1/N m", "1/N m s")[int(i > 2)],
    }
)
chapter.prove(
    "eq-ilqr-linear",
    lambda t: {
        r"\delta\boldsymbol x_*": {t: dx, t + 1: moved.subs(near, simultaneous=True).diff(s).subs(s, 0)}.get,
        r"\delta\boldsymbol u_*": {t: du}.get,
        r"\boldsymbol A_*": {t: moved.jacobian(both)}.get,
        r"\boldsymbol B_*": {t: moved.jacobian(pushed)}.get,
    },
    **moments,
    by="the change of an Euler step of two links, to first order in a small change of state and torque",
)

# ---- the cost -------------------------------------------------------------------------------------------------------

T, D, d = 4, 3, 2
numbers = np.random.default_rng(2)


def some(rows, columns=1):
    """Return a matrix of fractions."""
    return sp.Matrix(rows, columns, lambda i, j: sp.Rational(int(numbers.integers(-9, 10)), 5))


def positive(size):
    """Return a symmetric, positive definite matrix of fractions."""
    root = some(size, size)
    return root * root.T + sp.eye(size)


x_of, u_of = (
    (lambda i: f"x_{(i - 1) % D + 1}"),
    (lambda i: f"u_{(i - 1) % d + 1}"),
)  # entries of all times in one column
second = {"x": "x_j", "u": "u_j", "xx": "x_j x_k", "ux": "u_j x_k", "uu": "u_j u_k"}  # by what a cost is differentiated
chapter.units({rf"\boldsymbol\ell_{{{name}*}}": f"J/{by}" for name, by in second.items()})
chapter.units({rf"\boldsymbol Q_{{{name}*}}": f"J/{by}" for name, by in second.items()})
chapter.units(
    {
        r"\boldsymbol x_*": "x_j",
        r"\boldsymbol u_*": "u_j",
        r"\boldsymbol x": "x_i",
        r"\boldsymbol u": lambda i, _: u_of(i),
        r"\boldsymbol A_*": "x_j/x_k",
        r"\boldsymbol B_*": "x_j/u_k",
        "c": "J",
        "c_*": "J",
        "s_*": "J",
        r"\alpha": "1",
        r"\boldsymbol R": "J/u_i u_j",
        r"\boldsymbol\rho": "r_i",
        r"\boldsymbol W_*": "J/r_j r_k",
        r"\boldsymbol J_*": "r_j/x_k",
        r"\boldsymbol k_*": "u_j",
        r"\boldsymbol K_*": "u_j/x_k",
        r"\boldsymbol v_*": "J/x_j",
        r"\boldsymbol V_*": "J/x_j x_k",
        r"\boldsymbol S_u": lambda i, j: f"{x_of(i)}/{u_of(j)}",
        r"\bar{\boldsymbol\ell}_x": lambda i, _: f"J/{x_of(i)}",
        r"\bar{\boldsymbol\ell}_u": lambda i, _: f"J/{u_of(i)}",
        r"\bar{\boldsymbol\ell}_{xx}": lambda i, j: f"J/{x_of(i)} {x_of(j)}",
        r"\bar{\boldsymbol\ell}_{ux}": lambda i, j: f"J/{u_of(i)} {x_of(j)}",
        r"\bar{\boldsymbol\ell}_{uu}": lambda i, j: f"J/{u_of(i)} {u_of(j)}",
    }
)
X, Y = (sp.Matrix(sp.symbols(f"{x}_1:{D + 1}", real=True)) for x in "XY")
wish = sp.Matrix([sp.sin(X[0]) * X[1] - X[2], X[0] ** 2 + sp.sin(X[2])])
R = positive(d)
slope = wish.jacobian(X)
tangent = wish + slope * Y  # the residual as if it were linear, a way Y from X
weights = {t: positive(2) for t in range(1, T + 1)}
seen = {t: sp.Matrix(sp.symbols(f"X_{t}_1:{D + 1}", real=True)) if t > 1 else X for t in range(1, T + 1)}
given = {t: sp.Matrix(sp.symbols(f"U_{t}_1:{d + 1}", real=True)) for t in range(1, T)}
wished = lambda x: wish.subs(dict(zip(X, np.ravel(x))), simultaneous=True)
when = lambda t, value: value.subs(dict(zip(X, seen[t])), simultaneous=True)


def total(last):
    """Return the cost of a motion up to a time."""
    states = sum((wished(seen[t]).T * weights[t] * wished(seen[t]))[0] for t in range(1, last + 1))
    return states + sum((given[t].T * R * given[t])[0] for t in range(1, last))


residual = {
    "T": T,
    "c": total(T),
    r"\boldsymbol\rho": lambda x: wished(x),
    r"\boldsymbol x_*": at(T, lambda t: seen[t]),
    r"\boldsymbol u_*": at(T - 1, lambda t: given[t]),
    r"\boldsymbol W_*": at(T, lambda t: weights[t]),
    r"\boldsymbol R": R,
    r"\boldsymbol J_*": at(T, lambda t: when(t, slope)),
    r"\boldsymbol\ell_{x*}": at(T, lambda t: when(t, sp.Matrix([(wish.T * weights[t] * wish)[0].diff(x) for x in X]))),
    r"\boldsymbol\ell_{xx*}": at(T, lambda t: when(t, sp.hessian((tangent.T * weights[t] * tangent)[0], Y))),
}
by = "the cost of any motion, whose weights change, summed state by state"
chapter.prove("eq-ilqr-cost", lambda last: residual | {"T": last, "c": total(last)}, n=[3, T], by=by)
chapter.prove("eq-ilqr-lx", residual, each={"t": 3}, by="differentiation of the cost of a state")
chapter.prove(
    "eq-ilqr-lxx", residual, each={"t": 3}, by="two derivatives of the cost of a state, its residual made linear"
)

steps = {t: (some(D, D), some(D, d)) for t in range(1, T)}
squares = {t: positive(D + d) for t in range(1, T + 1)}
slopes = {t: some(D + d) for t in range(1, T + 1)}
U = {t: sp.Matrix(sp.symbols(f"U_{t}_1:{d + 1}", real=True)) for t in range(1, T)}


def price(t, x, u):
    """Return what a state and an input cost at a time: a quadratic function, the last one without an input."""
    z = sp.Matrix([*x, *([0] * d if u is None else u)])
    return (slopes[t].T * z + z.T * squares[t] * z / 2)[0]


def part(t, rows, columns=None):
    """Return derivatives of the price at zero, by the variables in rows, then by those in columns."""
    z = {"x": X, "u": U.get(t, sp.zeros(0, 1))}
    flat = dict.fromkeys([*X, *U.get(t, [])], 0)
    first = sp.Matrix([price(t, X, U.get(t)).diff(a) for a in z[rows]])
    return (first if columns is None else first.jacobian(z[columns])).subs(flat)


def rolled(first, start, inputs):
    """Return {t: change of the state} from a time on."""
    x = {first: start}
    for t in range(first, T):
        x[t + 1] = steps[t][0] * x[t] + steps[t][1] * inputs[t]
    return x


def paid(x, inputs):
    """Return the change of the cost."""
    return sp.expand(sum((price(t, x[t], inputs.get(t)) for t in x), sp.S.Zero))


@cache
def best(first):
    """Return the least change of the cost from a time on, as a function of X, and the inputs, {t: column}."""
    inputs = [u for t in range(first, T) for u in U[t]]
    change = paid(rolled(first, X, U), U)
    if not inputs:
        return change, {}
    table = dict(zip(inputs, sp.linsolve([change.diff(u) for u in inputs], *inputs).args[0]))
    return sp.expand(change.subs(table)), {t: U[t].subs(table) for t in range(first, T)}


def choice(t):
    """Return what any input costs now, with the best ones after it."""
    after = steps[t][0] * X + steps[t][1] * U[t]
    return sp.expand(price(t, X, U[t]) + best(t + 1)[0].subs(dict(zip(X, after)), simultaneous=True))


def block(rows, columns):
    """Return the second derivatives of all times in the blocks of one matrix."""
    size = {"x": D, "u": d}
    count = {"x": T, "u": T - 1}
    whole = sp.zeros(count[rows] * size[rows], count[columns] * size[columns])
    for t in range(1, 1 + min(count[rows], count[columns])):
        whole[(t - 1) * size[rows], (t - 1) * size[columns]] = part(t, rows, columns)
    return whole


zero = dict.fromkeys(X, 0)
inputs = sp.Matrix.vstack(*U.values())
held = rolled(1, sp.zeros(D, 1), U)  # the first state is given
free = {t: X if t == 1 else sp.Matrix(sp.symbols(f"X_{t}_1:{D + 1}", real=True)) for t in range(1, T + 1)}
model = {
    "T": T,
    r"\boldsymbol A_*": at(T - 1, lambda t: steps[t][0]),
    r"\boldsymbol B_*": at(T - 1, lambda t: steps[t][1]),
    r"\boldsymbol\ell_{x*}": at(T, lambda t: part(t, "x")),
    r"\boldsymbol\ell_{u*}": at(T - 1, lambda t: part(t, "u")),
    r"\boldsymbol\ell_{xx*}": at(T, lambda t: part(t, "x", "x")),
    r"\boldsymbol\ell_{ux*}": at(T - 1, lambda t: part(t, "u", "x")),
    r"\boldsymbol\ell_{uu*}": at(T - 1, lambda t: part(t, "u", "u")),
    r"\bar{\boldsymbol\ell}_x": sp.Matrix.vstack(*(part(t, "x") for t in range(1, T + 1))),
    r"\bar{\boldsymbol\ell}_u": sp.Matrix.vstack(*(part(t, "u") for t in range(1, T))),
    r"\bar{\boldsymbol\ell}_{xx}": block("x", "x"),
    r"\bar{\boldsymbol\ell}_{ux}": block("u", "x"),
    r"\bar{\boldsymbol\ell}_{uu}": block("u", "u"),
    r"\boldsymbol S_u": sp.Matrix.vstack(*held.values()).jacobian(inputs),
}
chapter.bind(model)
chapter.prove(
    "eq-ilqr-model",
    lambda last: {
        "T": last,
        r"\delta c": paid({t: free[t] for t in range(1, last + 1)}, {t: U[t] for t in range(1, last)}),
        r"\delta\boldsymbol x_*": at(last, lambda t: free[t]),
        r"\delta\boldsymbol u_*": at(last - 1, lambda t: U[t]),
    },
    n=[3, T],
    by="a quadratic cost, summed state by state; its derivatives by differentiation",
)

# ---- least squares --------------------------------------------------------------------------------------------------

stack = {r"\delta\boldsymbol u": sp.Matrix.vstack(*best(1)[1].values()).subs(zero)}
chapter.prove("eq-ilqr-batch", stack, by="minimization of the cost of the rolled-out motion over all inputs at once")

alpha = sp.Symbol("alpha", real=True)
direction = sp.Matrix(sp.symbols(f"E_1:{d * (T - 1) + 1}", real=True))
along = paid(held, U).subs(dict(zip(inputs, alpha * direction)), simultaneous=True)
forecast = {
    r"\delta c": field(along, alpha),
    r"\alpha": alpha,
    "s_1": along.diff(alpha).subs(alpha, 0),
    "s_2": along.diff(alpha, 2) / 2,
}
chapter.prove("eq-ilqr-forecast", forecast, by="the cost of the motion rolled out along any direction")

# ---- the backward pass ----------------------------------------------------------------------------------------------


def derivatives(by, t):
    """Return derivatives of the cost of a choice at zero, by the variables that are named."""
    rows, columns = (*by, None)[:2]
    z, flat = {"x": X, "u": U[t]}, dict.fromkeys([*X, *U[t]], 0)
    first = sp.Matrix([choice(t).diff(a) for a in z[rows]])
    return (first if columns is None else first.jacobian(z[columns])).subs(flat)


names = {"x": ("x",), "u": ("u",), "xx": ("x", "x"), "ux": ("u", "x"), "uu": ("u", "u")}
chapter.bind(
    {
        **{rf"\boldsymbol Q_{{{name}*}}": at(T - 1, partial(derivatives, by)) for name, by in names.items()},
        "c_*": at(T, lambda t: field(when(t, best(t)[0] - best(t)[0].subs(zero)), seen[t])),
        r"\delta\boldsymbol x_*": at(T, lambda t: seen[t]),
        r"\delta\boldsymbol u_*": at(T - 1, lambda t: when(t, best(t)[1][t])),
        r"\boldsymbol k_*": at(T - 1, lambda t: best(t)[1][t].subs(zero)),
        r"\boldsymbol K_*": at(T - 1, lambda t: best(t)[1][t].jacobian(X)),
        r"\boldsymbol v_*": at(T, lambda t: sp.Matrix([best(t)[0].diff(x) for x in X]).subs(zero)),
        r"\boldsymbol V_*": at(T, lambda t: sp.hessian(best(t)[0], X)),
    }
)
rest = "minimization of what the rest of the motion costs, over all remaining inputs at once"
each = {"t": T - 1}
chapter.prove("eq-ilqr-togo", each={"t": T}, by=rest)
chapter.prove("eq-ilqr-Q", each=each, by=f"differentiation; {rest}")
for name in ("rule", "constant", "gain", "togo-slope", "togo-bend"):
    chapter.prove(f"eq-ilqr-{name}", each=each, by=rest)

hat_x, hat_u = ({t: some(size) for t in range(1, T + 1)} for size in (D, d))
known = {
    r"\hat{\boldsymbol x}_*": at(T, lambda t: hat_x[t]),
    r"\hat{\boldsymbol u}_*": at(T, lambda t: hat_u[t]),
    r"\boldsymbol x_*": at(T, lambda t: hat_x[t] + X),
    r"\alpha": alpha,
}
part_way = lambda t: best(t)[1][t] - (1 - alpha) * best(t)[1][t].subs(zero)  # the constant part times alpha
rollout = known | {r"\boldsymbol u_*": at(T - 1, lambda t: hat_u[t] + part_way(t))}
chapter.prove(
    "eq-ilqr-rollout", rollout, each=each, by="the best inputs beside the plan, their constant part shortened"
)

# ---- regularization -------------------------------------------------------------------------------------------------

rules = {t: (some(d), some(d, D)) for t in range(1, T)}


def followed(t):
    """Return what a rule with any k and K costs, with the best inputs after it."""
    k, K = rules[t]
    return sp.expand(choice(t).subs(dict(zip(U[t], k + K * X)), simultaneous=True))


any_rule = {
    r"\boldsymbol k_*": at(T - 1, lambda t: rules[t][0]),
    r"\boldsymbol K_*": at(T - 1, lambda t: rules[t][1]),
    r"\boldsymbol v_*": at(T - 1, lambda t: sp.Matrix([followed(t).diff(x) for x in X]).subs(zero)),
    r"\boldsymbol V_*": at(T - 1, lambda t: sp.hessian(followed(t), X)),
}
chapter.prove(
    "eq-ilqr-slope-any", any_rule, each=each, by="the cost of a rule with any k and K, with the best inputs after it"
)
chapter.prove(
    "eq-ilqr-bend-any", any_rule, each=each, by="the cost of a rule with any k and K, with the best inputs after it"
)

# ---- exercises ------------------------------------------------------------------------------------------------------

chapter.units({"u": "1", r"\rho": "1", "B": "1", "r": "1"})
guess, weight, change = sp.Symbol("guess", real=True), sp.Symbol("r", positive=True), sp.Symbol("change", real=True)
arrival = lambda u: u + u**2 / 2  # from x_1 = 0
missing, steep = arrival(guess) - 1, arrival(guess).diff(guess)
tried = (missing + steep * change) ** 2 + weight * (guess + change) ** 2
chapter.prove(
    "eq-ilqr-scalar-change",
    {
        r"\delta u": sp.solve(tried.diff(change), change)[0],
        r"\hat u": guess,
        r"\rho": missing,
        "B": steep,
        "r": weight,
    },
    by="minimization of the cost with a linear step",
)
chapter.units({r"\ell_{xx}": "J/m^2", "w": "J", r"\rho'": "1/m", r"\rho''": "1/m^2"})
x, w = sp.Symbol("x", real=True), sp.Symbol("w", positive=True)
curved = sp.sin(x) + x**2 - 2
chapter.prove(
    "eq-ilqr-full-bend",
    {
        r"\ell_{xx}": (w * curved**2).diff(x, 2),
        "w": w,
        r"\rho": curved,
        r"\rho'": curved.diff(x),
        r"\rho''": curved.diff(x, 2),
    },
    by="two derivatives of the cost",
)
