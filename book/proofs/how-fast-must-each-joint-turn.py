"""Proofs of "How fast must each joint turn?": against derivatives of places, the conditions of a minimum, least squares."""

from functools import cache

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp
from scipy.linalg import null_space

import robotdyn as rd
from eqproof import Bindings, Chapter, abbreviations

chapter = Chapter(__file__)
chapter.symmetric(r"\boldsymbol W", r"\boldsymbol N_1")


def symbols(names):
    """Return a column of real symbols."""
    return sp.Matrix(sp.symbols(names, real=True))


def solved(A, b):
    """Return the solution of A x = b by Cramer's rule."""
    swapped = lambda k: sp.Matrix.hstack(*(b if i == k else A[:, i] for i in range(A.cols)))
    return sp.Matrix([swapped(k).det("berkowitz") for k in range(A.cols)]) / A.det("berkowitz")


def numbers(A):
    """Return an array of numbers as a SymPy matrix; a vector as a column."""
    A = np.asarray(A, dtype=float)
    return sp.Matrix(A.reshape(len(A), -1).tolist())


# ---- rates and feedback -----------------------------------------------------------------------------------------------

l_1, l_2, k, t = sp.symbols("l_1 l_2 k t", positive=True)
q, qd = symbols("q_1:4"), symbols("v_1:4")
two = rd.robots.planar([l_1, l_2], [1, 1])
place = sp.Matrix(rd.point_position(two, q[:2, :]))[:2, :]
J_2 = place.jacobian(q[:2, :])
chapter.units(
    {"l_*": "m", r"\boldsymbol J": "m/rad", r"\dot{\boldsymbol q}": "rad/s", r"\boldsymbol v": "m/s", "k": "1/s"}
)
moving = {r"\boldsymbol J": J_2, r"\dot{\boldsymbol q}": qd[:2, :], r"\boldsymbol v": J_2 * qd[:2, :]}
chapter.prove("eq-rates-inverse", moving, by="the derivative of the place of the hand along a motion")
flat = {**abbreviations(q[:2]), "l_*": [l_1, l_2], r"\boldsymbol J": J_2}
chapter.prove("eq-rates-2r", flat, by="the derivatives of the place of the hand, by the library")

chapter.units({r"\boldsymbol e": "m", r"\boldsymbol e_0": "m", r"\boldsymbol p_g": "m", "t": "s"})
goal, goal_rate = symbols("g_1:3"), symbols("u_1:3")
straying = Bindings({r"\boldsymbol e": goal - place, r"\boldsymbol p_g": goal, r"\boldsymbol J": J_2})
straying.bind({r"\dot{\boldsymbol q}": qd[:2, :]}).motion([*q[:2], *goal], [*qd[:2], *goal_rate])
chapter.prove("eq-rates-error", straying, by="the rate of the place of the goal less that of the hand")


@cache
def stepped(n):
    """Return the bindings of a step of n hundredths of a second of two links with constant rates, beside a goal on a circle."""
    rng = np.random.default_rng(n)
    arm, h = rd.robots.planar([0.5, 0.4]), n / 100
    pose, rates = np.array([0.3, 1.2]), rng.uniform(0.5, 1, 2)
    jacobian = lambda x: rd.tip_jacobian(arm, x)[:2]
    velocity = jacobian(pose) @ rates
    bend = np.array([-velocity[1], velocity[0]])  # of the goal, on a circle
    turned = np.sin(h) * velocity + (1 - np.cos(h)) * bend  # along it for the time h, at the angular velocity 1
    moved = rd.point_position(arm, pose + h * rates)[:2] - rd.point_position(arm, pose)[:2]
    slope = (jacobian(pose + 1e-6 * rates) - jacobian(pose - 1e-6 * rates)) / 2e-6
    return {
        r"\Delta\boldsymbol e": numbers(turned - moved),
        "h": sp.Float(h),
        r"\ddot{\boldsymbol p}_g": numbers(bend),
        r"\dot{\boldsymbol J}": numbers(slope),
        r"\dot{\boldsymbol q}": numbers(rates),
    }


chapter.units({r"\Delta\boldsymbol e": "m", "h": "s"})
by = "steps of some hundredths of a second of two links with constant rates, and of a goal on a circle"
chapter.prove("eq-rates-step", stepped, n=[1, 2, 3], tolerance=3e-2, by=by)
falling = {r"\boldsymbol J": J_2, r"\dot{\boldsymbol q}": qd[:2, :], r"\dot{\boldsymbol p}_g": goal_rate, "k": k}
falling |= {r"\boldsymbol e": (J_2 * qd[:2, :] - goal_rate) / k}  # the error that falls at the rate k e
chapter.prove("eq-rates-feedback", falling, by="the error whose rate is -k e, by the motions of goal and hand")
shrinking = sp.Function("x")
x_0 = symbols("x_1:3")
decays = [
    sp.dsolve(shrinking(t).diff(t) + k * shrinking(t), ics={shrinking(0): start}).rhs for start in x_0
]  # each component by itself
decay = {r"\boldsymbol e": sp.Matrix(decays), r"\boldsymbol e_0": x_0, "k": k, "t": t, "e": sp.E}
chapter.prove("eq-rates-decay", decay, by="the solution of de/dt = -k e, by SymPy")

# ---- least squares ----------------------------------------------------------------------------------------------------

J, v, z = sp.Matrix(2, 3, symbols("j_1:7")), symbols("w_1:3"), symbols("z_1:4")
mu = sp.Symbol("mu", positive=True)
L = sp.Matrix(3, 3, lambda i, j: sp.Symbol(f"L_{i}{j}", positive=True) if j <= i else 0)
W = L * L.T


def nearest(wish, weights, right=v):
    """Return the rates nearest to a wish, by weights, with J qd = right, and the multipliers: the conditions of a minimum."""
    conditions = sp.Matrix.vstack(sp.Matrix.hstack(weights, -J.T), sp.Matrix.hstack(J, sp.zeros(2, 2)))
    x = solved(conditions, sp.Matrix([*(weights * wish), *right]))
    return x[:3, :], x[3:, :]


chapter.units({r"\boldsymbol J^+": "rad/m", r"\boldsymbol W": "1", r"\boldsymbol z": "rad/s", r"\mu": "m/rad"})
chapter.units({r"\boldsymbol\lambda": "rad^2/m s", "f": "m^2/s^2"})
rates, multipliers = nearest(sp.zeros(3, 1), W)
priced = {r"\boldsymbol J": J, r"\boldsymbol W": W, r"\boldsymbol v": v, r"\dot{\boldsymbol q}": rates}
by = "the conditions of a minimum under constraints, solved by Cramer's rule"
chapter.prove("eq-rates-multiplier", priced | {r"\boldsymbol\lambda": multipliers}, by=by)
chapter.prove("eq-rates-weighted", priced, by=by)
pinv = sp.Matrix.hstack(*(nearest(sp.zeros(3, 1), sp.eye(3), e)[0] for e in (sp.Matrix([1, 0]), sp.Matrix([0, 1]))))
wishing = {r"\boldsymbol J": J, r"\boldsymbol J^+": pinv, r"\boldsymbol z": z, r"\boldsymbol v": v}
chapter.prove("eq-rates-pinv", wishing, by="the least rates for each direction alone, by Cramer's rule")
near = wishing | {r"\dot{\boldsymbol q}": nearest(z, sp.eye(3))[0]}
chapter.prove("eq-rates-null", near, by="the rates nearest to the wish, by Cramer's rule")
chapter.prove("eq-rates-self", wishing, by="the least rates for each direction alone, by Cramer's rule")

stacked = sp.Matrix.vstack(J, mu * L.T)  # rows of two wishes: J qd = v, and mu L^T qd = mu L^T z
wanted = sp.Matrix([*v, *(mu * L.T * z)])
damped = solved(stacked.T * stacked, stacked.T * wanted)
bargain = {r"\boldsymbol J": J, r"\boldsymbol W": W, r"\boldsymbol v": v, r"\boldsymbol z": z, r"\mu": mu}
rest = stacked * qd - wanted
free = {r"\dot{\boldsymbol q}": qd, "f": (rest.T * rest)[0]}
chapter.prove("eq-rates-cost", bargain | free, by="the squares of the rows of two wishes")
chapter.prove(
    "eq-rates-damped",
    bargain | {r"\dot{\boldsymbol q}": damped},
    by="the least squares of two wishes, by Cramer's rule",
)
reach = symbols("L_1:4")
weighted = sp.diag(*(1 / (1 - x**2 / y**2) for x, y in zip(q, reach)))
conditions = J.T * J + mu**2 * weighted
limited = solved(conditions, J.T * v + mu**2 * weighted * z)
joint = {
    r"\dot q_*": list(limited),
    "z_*": list(z),
    "q_*": list(q),
    "L_*": list(reach),
    r"\boldsymbol j_*": lambda i: J[:, i - 1],
}
joint |= {r"\boldsymbol\lambda": (v - J * limited) / mu**2}
chapter.units({r"\boldsymbol j_*": "m/rad", "q_*": "rad", "L_*": "rad", "z_*": "rad/s", r"\dot q_*": "rad/s"})
by = "the least squares of both wishes with the weights of the limits, by Cramer's rule"
chapter.prove("eq-rates-limit", joint, each={"i": 3}, by=by)

# ---- closed paths -----------------------------------------------------------------------------------------------------

three = rd.robots.planar([sp.Rational(1, 2), sp.Rational(2, 5), sp.Rational(3, 10)], [1, 1, 1])
hand = sp.Matrix(rd.point_position(three, q))[:2, :]
J_3 = hand.jacobian(q)
least = J_3.T * sp.Matrix([[0, 1], [-1, 0]]).T * (J_3 * J_3.T) * sp.Matrix([[0, 1], [-1, 0]]) / (J_3 * J_3.T).det()
columns = {r"\boldsymbol g_*": lambda i: least[:, i - 1], r"\boldsymbol q": q, r"\boldsymbol J": J_3}
chapter.units({r"\boldsymbol g_*": "rad/m", r"\boldsymbol q": "rad", r"\boldsymbol b": "rad/m^2", "a": "m"})
chapter.units({r"\Delta\boldsymbol q": "rad"})
chapter.define("eq-rates-bracket", "names the Lie bracket of the two columns", columns, let=True)
chapter.prove(
    "eq-rates-bracket-self", columns, by="the pseudo-inverse of the arm of three links as a formula, differentiated"
)


@cache
def driven(n):
    """Return the drift of a small square at a random pose, by integration with the numbers of NumPy's pseudo-inverse."""
    arm = rd.robots.planar([0.5, 0.4, 0.3])
    start = np.array([1.2, -0.8, 1.5]) + 0.2 * np.random.default_rng(n).normal(size=3)
    at, side = start, 1e-4 * (n + 1)  # m
    rate = lambda _, x, way: np.linalg.pinv(rd.tip_jacobian(arm, x)[:2]) @ way
    for way in ((-1, 0), (0, -1), (1, 0), (0, 1)):
        at = solve_ivp(rate, (0, side), at, args=(way,), rtol=1e-12, atol=1e-15).y[:, -1]
    pose = dict(zip(q, start))
    fixed = sp.Matrix([sp.N(x) for x in (slopes[1] * least[:, 0] - slopes[0] * least[:, 1]).subs(pose)])
    return {r"\Delta\boldsymbol q": numbers(at - start), "a": sp.Float(side), r"\boldsymbol b": fixed}


slopes = [least[:, i].jacobian(q) for i in range(2)]
by = "squares of some tenths of a millimeter at random poses, integrated with NumPy's pseudo-inverse"
chapter.prove("eq-rates-area", driven, n=[1, 2, 3], tolerance=1e-2, by=by)

turning = sp.Matrix([qd[0], qd[1], -qd[0] - qd[1]])  # the last link keeps its direction
kept = {r"\boldsymbol J": J_3, r"\boldsymbol n": sp.ones(3, 1)}
direction = Bindings(kept | {r"\boldsymbol v": J_3 * turning, r"\dot{\boldsymbol q}": turning})
chapter.units({r"\boldsymbol J_e": ["m/rad", "m/rad", "1"], r"\boldsymbol n": "1"})
chapter.define("eq-rates-extended", "names the Jacobian with one more row", kept, let=True)
by = "the motions of the arm of three links in which the last link keeps its direction"
chapter.prove("eq-rates-extended-rates", direction, by=by)

# ---- an order of tasks ------------------------------------------------------------------------------------------------


@cache
def ordered(n):
    """Return two random tasks of an arm of n + 1 joints and the rates that are best for the second among the best for the first."""
    rng = np.random.default_rng(n)
    first, second = rng.normal(size=(2, n + 1)), rng.normal(size=(n, n + 1))  # n + 2 demands: in conflict
    v_1, v_2 = rng.normal(size=2), rng.normal(size=n)
    Z = null_space(first)
    own = np.linalg.lstsq(first, v_1, rcond=None)[0]
    along = Z @ np.linalg.lstsq(second @ Z, v_2 - second @ own, rcond=None)[0]
    left = second @ Z @ Z.T
    return {
        r"\boldsymbol J_*": lambda k: numbers((first, second)[k - 1]),
        r"\boldsymbol v_*": lambda k: numbers((v_1, v_2)[k - 1]),
        r"\boldsymbol J_1^+": numbers(np.linalg.pinv(first)),
        r"\boldsymbol N_1": numbers(Z @ Z.T),
        r"\bar{\boldsymbol J}_2": numbers(left),
        r"\bar{\boldsymbol J}_2^+": numbers(Z @ np.linalg.pinv(second @ Z)),
        r"\dot{\boldsymbol q}": numbers(own + along),
    }


SIZES = [3, 4, 5]
by = "an orthonormal basis of the null space of random tasks, by SciPy"
chapter.prove("eq-rates-left", ordered, n=SIZES, tolerance=1e-12, by=by)
by = "the second task's least squares in a basis of the null space of the first, by SciPy and NumPy"
chapter.prove("eq-rates-priority", ordered, n=SIZES, tolerance=1e-11, by=by)
chapter.prove("eq-rates-untouched", ordered, n=SIZES, tolerance=1e-12, by=by)

# ---- accelerations and forces -----------------------------------------------------------------------------------------

bend = (J_3 * qd).jacobian(q) * qd  # the acceleration of the hand at steady rates
a, f = symbols("a_1:3"), symbols("f_1:3")
conditions = sp.Matrix.vstack(sp.Matrix.hstack(sp.eye(3), -J_3.T), sp.Matrix.hstack(J_3, sp.zeros(2, 2)))
qdd = solved(conditions, sp.Matrix([*z, *(a - bend)]))[:3, :]
resolved = Bindings({r"\boldsymbol J": J_3, r"\boldsymbol J^+": least, r"\boldsymbol a": a, r"\boldsymbol z": z})
resolved.bind({r"\dot{\boldsymbol q}": qd, r"\ddot{\boldsymbol q}": qdd}).motion(q, qd)
chapter.units({r"\boldsymbol z": "rad/s^2", r"\boldsymbol a": "m/s^2", r"\ddot{\boldsymbol q}": "rad/s^2"})
by = "the accelerations nearest to the wish that give the hand its own, by Cramer's rule"
chapter.prove("eq-rates-acceleration", resolved, by=by)
chapter.units({r"\boldsymbol\tau": "N m", r"\boldsymbol f": "N"})
pushing = {
    r"\boldsymbol J": J,
    r"\boldsymbol J^+": pinv,
    r"\boldsymbol f": f,
    r"\dot{\boldsymbol q}": qd,
    r"\boldsymbol v": J * qd,
}
chapter.prove("eq-rates-dual", pushing, by="the least rates for each direction alone, by Cramer's rule")
