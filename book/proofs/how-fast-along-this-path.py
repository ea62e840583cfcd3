"""Proofs of "How fast along this path?": against conditions solved anew, SciPy's splines, inverse dynamics of Newton and Euler."""

from functools import cache

import numpy as np
import sympy as sp
from scipy.interpolate import CubicSpline
from scipy.linalg import expm
from scipy.spatial.transform import Rotation, Slerp

import robotdyn as rd
from eqproof import Bindings, Chapter, family
from eqproof.tree import Symbol

chapter = Chapter(__file__)
chapter.units("joints")
chapter.units(
    {
        **dict.fromkeys(("q", "q_*", r"\delta"), "rad"),
        **dict.fromkeys(("v_*", r"\Delta v", "v"), "rad/s"),
        **dict.fromkeys((r"\sigma", "s", r"\boldsymbol R", r"\boldsymbol R_0", r"\boldsymbol\varphi"), "1"),
        **dict.fromkeys(("T", "t_b", r"\Delta t_*"), "s"),
        **dict.fromkeys(("x_*", "x", "u", "u_*", r"\ddot s"), "1/s^2"),
        r"\dot s": "1/s",
        "f": "N",
    }
)

# ---- from point to point ----------------------------------------------------------------------------------------------

sigma = sp.Symbol("sigma", positive=True)
q_0, q_1 = sp.symbols("q_0 q_1", real=True)


def at_rest(order):
    """Return the polynomial from q_0 to q_1 whose first derivatives vanish at both ends, by solving the conditions."""
    k = sp.symbols(f"k_0:{2 * order}")
    y = sum(k_i * sigma**i for i, k_i in enumerate(k))
    wanted = [y.subs(sigma, 0) - q_0, y.subs(sigma, 1) - q_1]
    wanted += [y.diff(sigma, d).subs(sigma, end) for d in range(1, order) for end in (0, 1)]
    return y.subs(sp.solve(wanted, k))


for name, order in (("cubic", 2), ("quintic", 3)):
    letters = {"q": at_rest(order), "q_*": family(2, lambda i: (q_0, q_1)[i], first=0), r"\sigma": sigma}
    chapter.prove(
        f"eq-fast-{name}",
        letters,
        by=f"the polynomial of degree {2 * order - 1} that obeys the conditions at both ends",
    )

v, a, d = sp.symbols("v a d", positive=True)
total = sp.Symbol("total", positive=True)
ramp = v / a
duration = sp.solve(2 * (v * ramp / 2) + v * (total - 2 * ramp) - d, total)[0]
letters = {"T": duration, "d": d, "v": v, "a": a}
units = {"d": "rad", "a": "rad/s^2"}
chapter.units(units)
chapter.prove(
    "eq-fast-ramp", letters, by="the area below the trapezoid, two ramps and what is between them, is the way"
)

t = sp.Symbol("t", real=True)
t_b = sp.Symbol("t_b", positive=True)
before, change = sp.symbols("before change", real=True)
turn = (
    before * t + change / t_b * sp.integrate(t + t_b / 2, (t, -t_b / 2, t)) - before * t
)  # beside the line before the corner
missed = sp.Abs(turn.subs(t, 0))
chapter.prove(
    "eq-fast-blend",
    {r"\delta": missed, r"\Delta v": change, "t_b": t_b},
    by="the integral of an even change of the rate, at the time of the corner",
)


@cache
def splined(n):
    """Return the bindings of a spline of SciPy through n points, not all of them at rest: numbers."""
    rng = np.random.default_rng(n)
    points, h = rng.normal(size=n), rng.uniform(0.3, 2)
    rates = CubicSpline(h * np.arange(n), points, bc_type=((1, 0.7), (2, -0.4)))(h * np.arange(n), 1)
    return {
        "h": sp.Float(h),
        "q_*": [sp.Float(x) for x in points],
        "v_*": [sp.Float(x) for x in rates],
    }


chapter.units({"h": "s"})
chapter.prove(
    "eq-fast-spline",
    splined,
    n=[5, 6, 8],
    each=lambda n: [{"k": k} for k in range(2, n)],
    tolerance=1e-11,
    by="the rates of SciPy's spline through random points",
)


def numbers(A):
    """Return an array of numbers as a SymPy matrix."""
    return sp.Matrix(np.atleast_2d(np.asarray(A, dtype=float)).tolist())


@cache
def turned(n):
    """Return the bindings of two random orientations and of SciPy's slerp between them."""
    rng = np.random.default_rng(n)
    first = Rotation.from_rotvec(rng.uniform(-2, 2, 3))
    phi, share = rng.uniform(-1.5, 1.5, 3), rng.uniform(0.2, 0.8)
    between = Slerp([0, 1], Rotation.concatenate([first, first * Rotation.from_rotvec(phi)]))(share)
    return {
        r"\boldsymbol R": numbers(between.as_matrix()),
        r"\boldsymbol R_0": numbers(first.as_matrix()),
        r"\boldsymbol\varphi": numbers(phi).T,
        r"\sigma": sp.Float(share),
        Symbol("exp"): lambda A: numbers(expm(np.array(sp.Matrix(A), dtype=float))),
    }


chapter.prove("eq-fast-slerp", turned, n=[1, 2, 3], tolerance=1e-12, by="SciPy's spherical linear interpolation")

# ---- a path and its pace ----------------------------------------------------------------------------------------------

s, rate, push = sp.symbols("s rate push", real=True)
p = sp.symbols("p_1:5", real=True)
curve = sp.Matrix([p[0] + s**2 + p[1] * s**3, p[2] * s + s**4 + p[3] * s**2])  # a path of two joints
arm = rd.robots.planar(
    sp.symbols("l_1:3", positive=True),
    sp.symbols("m_1:3", positive=True),
    sp.symbols("c_1:3", positive=True),
    sp.symbols("I_1:3", positive=True),
)
slope, bend = curve.diff(s), curve.diff(s, 2)
along = Bindings().motion([s], [rate], [push])
velocity = curve.diff(s) * rate
acceleration = velocity.diff(s) * rate + velocity.diff(rate) * push
zero = sp.zeros(2, 1)
torque = lambda qd, qdd: sp.Matrix(rd.inverse_dynamics(arm, curve, qd, qdd))
path = {
    "s": s,
    r"\dot s": rate,
    r"\ddot s": push,
    r"\boldsymbol q'": slope,
    r"\boldsymbol q''": bend,
}
c = torque(zero, zero)
three = {r"\boldsymbol a": torque(zero, slope) - c, r"\boldsymbol b": torque(slope, bend) - c, r"\boldsymbol c": c}
chapter.units({r"\boldsymbol a": "J s^2/u_i", r"\boldsymbol b": "J s^2/u_i", r"\boldsymbol c": "J/u_i"})
chapter.units({r"\boldsymbol C": "J s^2/u_i u_j"})  # of rates by s
chapter.units({r"\boldsymbol q'": "u_i", r"\boldsymbol q''": "u_i", r"\ddot{\boldsymbol q}": "u_i/s^2"})
chapter.prove(
    "eq-fast-chain",
    path | {r"\ddot{\boldsymbol q}": acceleration},
    by="the derivative of q' s' by time, along a path in symbols",
)
chapter.prove(
    "eq-fast-torque",
    path | three | {r"\boldsymbol\tau": torque(velocity, acceleration)},
    by="the torques of the motion, by Newton and Euler; a, b and c from three other calls",
)
terms = {
    r"\boldsymbol M": sp.Matrix(rd.mass_matrix(arm, curve)),
    r"\boldsymbol q": curve,
    r"\boldsymbol C": lambda q, qd: sp.Matrix(rd.coriolis_matrix(arm, sp.Matrix(q), sp.Matrix(qd))),
}
for name in "ab":
    chapter.prove(
        f"eq-fast-{name}", path | three | terms, by="the torques of one call less those at rest, by Newton and Euler"
    )

# ---- one freedom ------------------------------------------------------------------------------------------------------

m, f = sp.symbols("m f", positive=True)
half = sp.sqrt(2 * (d / 2) / (f / m))  # the time from rest through half of the way
chapter.units({"m": "kg", "d": "m"})
chapter.prove(
    "eq-fast-bang", {"T": 2 * half, "m": m, "d": d, "f": f}, by="twice the time of half of the way at f/m from rest"
)

# ---- squares of rates -------------------------------------------------------------------------------------------------

chapter.units({"a_*": "N m s^2", "b_*": "N m s^2", "d_*": "N m"})
left = sp.Symbol("left", positive=True)
limited = {
    "a_*": list(three[r"\boldsymbol a"]),
    "b_*": list(three[r"\boldsymbol b"]),
    "d_*": [tau_i + left - c_i for tau_i, c_i in zip(torque(velocity, acceleration), c)],
    "u": push,
    "x": rate**2,
}
by = "the torques of the motion, by Newton and Euler, where they leave something of their limits"
chapter.prove("eq-fast-limit", limited, each=[{"i": 1}, {"i": 2}], by=by)

u, x = sp.symbols("u x", real=True)
a_, b_, d_ = (sp.symbols(f"{letter}_1:4", real=True) for letter in ("a", "b", "d"))


def pair_of(n):
    """Return the numbers of two of three lines."""
    return ((1, 2), (3, 1), (2, 3))[n]


def meeting(n):
    """Return the bindings of two lines and of the place where they meet."""
    both = [a_[k - 1] * u + b_[k - 1] * x - d_[k - 1] for k in pair_of(n)]
    return {"a_*": a_, "b_*": b_, "d_*": d_, "x": sp.solve(both, [u, x])[x]}


lines = {"n": (0, 1, 2), "each": lambda n: [dict(zip("ij", pair_of(n)))]}
chapter.prove("eq-fast-corner", meeting, **lines, by="the place where two lines in the plane of x and u meet")

h, *r = sp.symbols("h r_1:5", positive=True)  # the width of the steps and the rates at their ends
spent = [
    (r[k + 1] - r[k]) / ((r[k + 1] ** 2 - r[k] ** 2) / (2 * h)) for k in range(3)
]  # the integral of ds over the rate
step = {
    "h": h,
    "x_*": [r_k**2 for r_k in r],
    "u_*": [(r[k + 1] - r[k]) / spent[k] for k in range(3)],
    r"\Delta t_*": spent,
}
chapter.units({"h": "1", "x_*": "1/s^2", "u_*": "1/s^2"})
steps = [{"k": k} for k in (1, 2, 3)]
chapter.prove("eq-fast-step", step, each=steps, by="the change of the rate in a step, by its time")
chapter.prove("eq-fast-time", step, each=steps, by="the integral of ds over a rate whose square is linear in s")

k = sp.symbols("k_1:9", real=True)
A, B, C = k[0] * s + k[1] * s**2, k[2] + k[3] * s + k[4] * s**2, k[5] + k[6] * s
X = sp.Function("X")(s)  # the square of the rate, whose slope is 2 s''
U = X.diff(s) / 2
kept = (A * U + B * X + C).diff(s).subs(s, 0).doit()
value, slope_of = sp.symbols("value slope", real=True)
kept = kept.subs(sp.Subs(X.diff(s), s, 0), slope_of).subs(X.subs(s, 0), value)
arc = {
    "x": value,
    r"\ddot s": sp.solve(kept, slope_of)[0] / 2,
    "a'": A.diff(s).subs(s, 0),
    "b'": B.diff(s).subs(s, 0),
    "c'": C.diff(s).subs(s, 0),
    "b": B.subs(s, 0),
}
chapter.units({"x": "1/s^2", "a'": "N m s^2", "b'": "N m s^2", "b": "N m s^2", "c'": "N m"})
chapter.prove("eq-fast-arc", arc, by="the torque of a motor without inertia at s = 0 does not change along s")
