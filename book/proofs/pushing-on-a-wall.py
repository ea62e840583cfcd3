"""Proofs of "Pushing on a wall": the library's contact and its laws of force, a mass under held forces, wrenches on a twist."""

import numpy as np
import sympy as sp

import robotdyn as rd
from eqproof import Chapter, field
from movingfigures.contact_figure import clamp, contact_and_joint_rates

chapter = Chapter(__file__)
chapter.symmetric(r"\boldsymbol\Lambda")
chapter.symmetric(r"\boldsymbol M_d", r"\boldsymbol D_d", r"\boldsymbol K_d")
chapter.units(
    {
        "f": "N",
        "f_*": "N",
        r"\mu": "1",
        "k": "N/m",
        "k_n": "N/m",
        "k_t": "N/m",
        "k_s": "N/m",
        "k_i": "1/s",
        "b": "N s/m",
        "b_*": "N s/m",
        "D": "N s/m",
        "d": "m",
        "s": "m",
        "x": "m",
        "x_*": "m",
        "v": "m/s",
        "v_*": "m/s",
        "z": "N s",
        r"\lambda": "1/s",
        "p": "kg/s^3",
        r"\ell": "m",
        r"\omega": "rad/s",
        r"\dot\theta": "rad/s",
        r"\boldsymbol m": "N m",
        r"\boldsymbol f": "N",
        r"\boldsymbol f_c": "N",
        r"\boldsymbol r": "m",
        r"\boldsymbol e": "m",
        r"\boldsymbol x": "m",
        r"\boldsymbol a": "m/s^2",
        r"\boldsymbol J": "m/rad",
        r"\boldsymbol\Lambda": "kg",
        r"\boldsymbol\mu": "N",
        r"\boldsymbol\gamma": "N",
        r"\boldsymbol\tau": "N m",
        r"\boldsymbol A": lambda i, j: (("1", "s"), ("1/s", "1"))[i - 1][j - 1],
        r"\boldsymbol M_d": "kg",
        r"\boldsymbol D_d": "N s/m",
        r"\boldsymbol K_d": "N/m",
    }
)

column = lambda x: sp.Matrix(np.asarray(x, dtype=float).tolist())
columns = lambda table: {letter: column(value) for letter, value in table.items()}
states, exact = [1, 2, 3, 4], 1e-9
plane = np.eye(2, 3)
arm = rd.robots.two_link((0.5, 0.75), (2.0, 1.5))

# ---- a force in its cone ------------------------------------------------------------------------------------------------

friction, pressing, spring = sp.symbols("mu f_n k_t", positive=True)
along = -spring * clamp(sp.Symbol("s", real=True), friction * pressing / spring)
chapter.prove(
    "eq-push-cone",
    {"f_t": along, "f_n": pressing, r"\mu": friction},
    by="the spring of the moving figure, whose stretch along the table ends where the pen slides",
)
chain = rd.robots.planar([0.4, 0.3, 0.15])


def slides(n):
    """Return the depth and the distance of a finger that the tip follows, by the program of the moving figure."""
    rng = np.random.default_rng(n)
    depth, k_n, k_t, friction = (float(rng.uniform(*ends)) for ends in ((0.02, 0.1), (100, 900), (100, 900), (0.1, 1)))
    q, tip = np.array([0.75, -1.25, -1.07]), np.array([0.4, 0.0])
    found, _, _ = contact_and_joint_rates(chain, q, np.array([0.9, -depth]), tip, 0.0, k_n, k_t, friction)
    return {"s": 0.9 - float(found[0]), "d": depth, "k_n": k_n, "k_t": k_t, r"\mu": friction}


chapter.prove("eq-push-slip", slides, n=states, tolerance=exact, by="the pen of the moving figure, once it follows")

# ---- right angles and powers --------------------------------------------------------------------------------------------

omega, v, rate = sp.symbols("omega v w", real=True)
one, r = sp.symbols("ell r", positive=True)
apart = one**2 * (omega - rate) ** 2 + (v - r * rate) ** 2
chapter.prove(
    "eq-push-projected",
    {r"\dot\theta": sp.solve(sp.diff(apart, rate), rate)[0], r"\ell": one, "r": r, r"\omega": omega, "v": v},
    by="the rate at which the distance to the wanted motion is least, from its slope",
)
vectors = {
    letter: sp.Matrix(sp.symbols(f"{name}_1:4", real=True))
    for letter, name in (
        (r"\boldsymbol m", "m"),
        (r"\boldsymbol f", "f"),
        (r"\boldsymbol r", "r"),
        (r"\boldsymbol\omega", "w"),
        (r"\boldsymbol v", "v"),
    )
}
chapter.prove("eq-push-reciprocal", vectors, by="the entries of five free vectors")

# ---- a loop around the force ---------------------------------------------------------------------------------------------

m, b, k, k_i, period = sp.symbols("m b k k_i h", positive=True)
root = sp.Symbol("lambda", real=True)
across = [[1, 0, 0]]


def loop(n):
    """Return what a hand on a wall does under the library's law, by its forward dynamics."""
    rng = np.random.default_rng(n)
    mass, damper, stiffness, gain, wanted, depth = (float(x) for x in rng.uniform(1, 4, 6))
    speed, memory = (float(x) for x in rng.uniform(-2, 2, 2))
    cart = rd.Arm([rd.Link(mass, joint="prismatic", axis=(1, 0, 0))], gravity=(0, 0, 0))
    wall = rd.forces.plane_contact(cart, (0, 0, 0), (-1, 0, 0), stiffness)
    rest = lambda t: (np.zeros(1),) * 3
    law = rd.control.hybrid_force_motion(
        cart, rest, [wanted], wall.force, [True], 0, damper / mass, gain, directions=across
    )
    q, qd = np.array([depth]), np.array([speed])
    tau, zd = law.step(0.0, q, qd, np.array([memory]))
    qdd = rd.forward_dynamics(cart, q, qd, tau + wall(0.0, q, qd))
    return {
        "m": mass,
        "b": damper,
        "k": stiffness,
        "k_i": gain,
        "f_r": wanted,
        "x": depth,
        r"\dot x": speed,
        r"\ddot x": float(qdd[0]),
        "z": memory,
        r"\dot z": float(zd[0]),
    }


chapter.prove("eq-push-loop", loop, n=states, tolerance=exact, by="the library's law, contact and forward dynamics")
slopes = sp.Matrix([[0, 1, 0], [-k / m, -b / m, k_i / m], [-k, 0, 0]])  # of x, its rate and z
polynomial = sp.expand(m * (root * sp.eye(3) - slopes).det())
letters = {"m": m, "b": b, "k": k, "k_i": k_i, r"\lambda": root}
by = "the determinant of the matrix of the loop"
chapter.prove("eq-push-characteristic", letters | {"p": field(polynomial, root)}, by=by)
at_the_limit = polynomial.subs(k_i, b / m)
chapter.prove("eq-push-boundary", letters | {"p": field(at_the_limit, root)}, by=f"{by}, for a gain of b / m")

# ---- one bound for two laws -------------------------------------------------------------------------------------------------


def yields(n):
    """Return the state of the library's admittance and the force that it measures."""
    rng = np.random.default_rng(n)
    M_d, D_d, K_d = (A @ A.T + np.eye(2) for A in rng.uniform(-1, 1, (3, 2, 2)))
    q, goal, force = rng.uniform(0.4, 1.2, 2), rng.uniform(-1, 1, 2), rng.uniform(-5, 5, 3)
    sensor = lambda t, q, qd: force
    law = rd.control.admittance(arm, goal, sensor, M_d, D_d, K_d, 1, 1, q, directions=plane)
    z = rng.uniform(-1, 1, 4)
    _, zd = law.step(0.0, q, 0 * q, z)
    return columns(
        {
            r"\boldsymbol M_d": M_d,
            r"\boldsymbol D_d": D_d,
            r"\boldsymbol K_d": K_d,
            r"\boldsymbol e": z[:2] - goal,
            r"\dot{\boldsymbol e}": zd[:2],
            r"\ddot{\boldsymbol e}": zd[2:],
            r"\boldsymbol f": force[:2],
        }
    )


chapter.prove("eq-push-family", yields, n=states, tolerance=exact, by="the state of the library's law at random states")

x, speed, t = sp.symbols("x v t", real=True)
held = -k * x - b * speed  # what acts until the next look
later = sp.integrate(held / m, (t, 0, period)) + speed
place = x + sp.integrate(speed + held / m * t, (t, 0, period))
A = sp.Matrix([place, later]).jacobian([x, speed])
step = {"m": m, "b": b, "k": k, r"\Delta t": period, r"\boldsymbol A": A}
chapter.prove(
    "eq-push-step",
    step | {"x_j": x, "v_j": speed, "x_{j+1}": place, "v_{j+1}": later},
    by="the motion of a mass under a force that is held for a period",
)
chapter.prove("eq-push-jury", step, by="the determinants of the matrix of that motion")


def edges(n):
    """Return the least and the largest damper with which no eigenvalue is outside of the unit circle, by bisection."""
    rng = np.random.default_rng(n)
    mass, clock = float(rng.uniform(1, 4)), float(rng.uniform(0.1, 0.5))
    stiffness = float(rng.uniform(0.2, 0.8) * 4 * mass / clock**2)
    step_of = sp.lambdify((m, b, k, period), A)
    calm = lambda damper: max(abs(np.linalg.eigvals(step_of(mass, damper, stiffness, clock)))) < 1

    def edge(inside, outside):
        for _ in range(60):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if calm(middle) else (inside, middle)
        return inside

    good = next(damper for damper in np.linspace(0, 3 * mass / clock, 2000) if calm(damper))
    return {
        "m": mass,
        "k": stiffness,
        r"\Delta t": clock,
        r"b_{\min}": edge(good, 0.0),
        r"b_{\max}": edge(good, 5 * mass / clock),
    }


chapter.prove("eq-push-clock", edges, n=states, tolerance=1e-6, by="the eigenvalues of the step, by bisection")
wanted, D, k_s, d, inside = sp.symbols("f_r D k_s d y", positive=True)
moved = x + period * (wanted - k * x) / D
chapter.prove(
    "eq-push-yield",
    {"x_j": x, "x_{j+1}": moved, "x_r": sp.solve(moved - x, x)[0], "k": k, "D": D, r"\Delta t": period},
    by="a place that moves at a velocity which is held for a period, and the place where it rests",
)
into_wall = sp.solve(k_s * (d - inside) - k * inside, inside)[0]
chapter.prove(
    "eq-push-series",
    {"f": k * into_wall, "k_s": k_s, "k": k, "d": d},
    by="the depth in the wall at which both springs push alike",
)

# ---- along the table and across it ---------------------------------------------------------------------------------------------


def both(n):
    """Return the terms of the library's hybrid law on a rough table, and what the hand does, by forward dynamics."""
    rng = np.random.default_rng(n)
    q, qd, wanted = rng.uniform(0.4, 1.2, 2), rng.uniform(-1.5, 1.5, 2), float(rng.uniform(2, 9))
    omega, damper, gain = (float(x) for x in rng.uniform(1, 4, 3))
    x_ref, v_ref, a_ref, z = rng.uniform(-1, 1, (4, 2))
    surface = rd.point_position(arm, q) + [0, 1e-3, 0]
    table = rd.forces.plane_contact(arm, surface, (0, 1, 0), 1e4, friction=0.5)
    gains = [omega**2, 0], [2 * omega, damper], [0, gain]
    force = [0, -wanted]
    law = rd.control.hybrid_force_motion(
        arm, lambda t: (x_ref, v_ref, a_ref), force, table.force, [False, True], *gains, directions=plane
    )
    tau, _ = law.step(0.0, q, qd, z)
    J, S = rd.tip_jacobian(arm, q)[:2], np.diag([0.0, 1.0])
    v, off = J @ qd, rd.point_position(arm, q)[:2] - x_ref
    bias, still = rd.task_space.bias_force, np.zeros(2)
    qdd = rd.forward_dynamics(arm, q, qd, tau + table(0.0, q, qd))
    return columns(
        {
            r"\boldsymbol J": J,
            r"\boldsymbol\Lambda": rd.effective_inertia(arm, q, directions=plane),
            r"\boldsymbol\mu": bias(arm, q, qd, directions=plane) - bias(arm, q, still, directions=plane),
            r"\boldsymbol\gamma": bias(arm, q, still, directions=plane),
            r"\boldsymbol a": (np.eye(2) - S) @ (a_ref - 2 * omega * (v - v_ref) - omega**2 * off) - damper * S @ v,
            r"\boldsymbol f_c": S @ (force + gain * z),
            r"\boldsymbol f": -table.force(0.0, q, qd)[:2],
            r"\boldsymbol\tau": tau,
            r"\ddot{\boldsymbol x}": rd.point_acceleration(arm, q, qd, qdd)[:2],
        }
    )


chapter.prove("eq-push-hybrid", both, n=states, tolerance=exact, by="the library's law at random states on a table")
chapter.prove("eq-push-hybrid-loop", both, n=states, tolerance=1e-8, by="the library's forward dynamics under the law")
