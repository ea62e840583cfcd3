"""Proofs of "Weighing a robot by moving it": gradients of sums of squares, averages over errors, turning arrows."""

from functools import partial

import sympy as sp

import robotdyn as rd
from eqproof import Chapter, family

chapter = Chapter(__file__)
OF_TWO = ["kg m^2", "kg m"]

# ---- least squares -----------------------------------------------------------------------------------------------------

W = sp.Matrix(sp.symbols("w_1:7", real=True)).reshape(3, 2)
tau, beta = (sp.Matrix(sp.symbols(f"{x}_1:{k + 1}", real=True)) for x, k in (("t", 3), ("b", 2)))
sigma = sp.Symbol("sigma", positive=True)


def least(squares):
    """Return the beta at which a sum of squares is least: where its gradient, which is linear in beta, vanishes."""
    slopes, zero = sp.Matrix([squares]).jacobian(beta).T, dict.fromkeys(beta, 0)
    return -slopes.jacobian(beta).adjugate() * slopes.subs(zero) / slopes.jacobian(beta).det()


chapter.units(
    {
        r"\boldsymbol W": lambda _, j: f"N m/{OF_TWO[j - 1]}",
        r"\boldsymbol\tau": "N m",
        r"\boldsymbol\varepsilon": "N m",
        r"\boldsymbol\beta": lambda i, _: OF_TWO[i - 1],
        r"\hat{\boldsymbol\beta}": lambda i, _: OF_TWO[i - 1],
        r"\boldsymbol\Sigma": lambda i, j: f"{OF_TWO[i - 1]} {OF_TWO[j - 1]}",
        r"\hat\sigma": "N m",
        r"\sigma": "N m",
        "r": "1",
    }
)
one = rd.robots.planar(1, symbolic=True)
link, g = one.links[0], -one.gravity[1]
poses, pushes, errors = (sp.symbols(f"{x}_1:4", real=True) for x in ("q", "a", "e"))
exact = [rd.inverse_dynamics(one, [q], [0], [a])[0] for q, a in zip(poses, pushes)]
chapter.prove(
    "eq-weigh-stack",
    {
        r"\boldsymbol W": sp.Matrix([[a, g * sp.cos(q)] for q, a in zip(poses, pushes)]),
        r"\boldsymbol\beta": sp.Matrix([link.inertia[2, 2] + link.mass * link.com[0] ** 2, link.mass * link.com[0]]),
        r"\boldsymbol\tau": sp.Matrix(exact) + sp.Matrix(errors),
        r"\boldsymbol\varepsilon": sp.Matrix(errors),
    },
    by="the library's torques of one link at three states, and an error for each",
)
hat = least((tau - W * beta).dot(tau - W * beta))
stack = {r"\boldsymbol W": W, r"\boldsymbol\tau": tau, r"\hat{\boldsymbol\beta}": hat}
chapter.prove("eq-weigh-normal", stack, by="the gradient of the sum of squares")


def explained(case):
    """Return readings that r numbers explain, and the mean square in the directions that none of them does."""
    N, r = {1: (3, 2), 2: (4, 2), 3: (4, 1)}[case]
    W = sp.Matrix(N, r, sp.symbols(f"w_1:{N * r + 1}", real=True))
    tau = sp.Matrix(sp.symbols(f"tau_1:{N + 1}", real=True))
    solved = (W.T * W).inv() * W.T
    silent = sp.eye(N) - W * solved  # the projection onto what no motion explains
    mean = (tau.T * silent * tau)[0] / sp.cancel(silent.trace())  # divided by the number of directions there
    found = {r"\boldsymbol W": W, r"\boldsymbol\tau": tau, r"\hat{\boldsymbol\beta}": solved * tau}
    return {**found, "N": N, "r": r, r"\hat\sigma": sp.sqrt(mean)}


chapter.prove(
    "eq-weigh-variance",
    explained,
    n=[1, 2, 3],
    by="the mean square in the directions that no motion explains, counted by the trace of their projection",
)
passed = hat.jacobian(tau)  # how errors of readings show in the estimate
chapter.symmetric(r"\boldsymbol\Sigma")
chapter.prove(
    "eq-weigh-covariance",
    {r"\boldsymbol W": W, r"\sigma": sigma, r"\boldsymbol\Sigma": sigma**2 * passed * passed.T},
    by="the slopes of the estimate by the readings, which pass independent errors on",
)

# ---- joints that are noisy in different ways ---------------------------------------------------------------------------

sigmas = sp.symbols("sigma_1:4", positive=True)
letter = lambda k, x: sp.Symbol(f"{x}_{k}", real=True)
rows, taus = [[X.applyfunc(partial(letter, k)) for k in (1, 2, 3)] for X in (W, tau)]


def joints(n):
    """Return the rows of n joints, and the least of their squares, each divided by its variance."""
    parts = [(t - w * beta) / s for w, t, s in zip(rows[:n], taus, sigmas)]
    return {
        "n": n,
        r"\boldsymbol W_*": family(n, lambda j: rows[j - 1]),
        r"\boldsymbol\tau_*": family(n, lambda j: taus[j - 1]),
        r"\sigma_*": sigmas[:n],
        r"\hat{\boldsymbol\beta}": least(sum(part.dot(part) for part in parts)),
    }


chapter.units(
    {
        r"\boldsymbol W_*": lambda _, row, column: f"N m/{OF_TWO[column - 1]}",
        r"\boldsymbol\tau_*": "N m",
        r"\sigma_*": "N m",
    }
)
chapter.prove(
    "eq-weigh-weights",
    joints,
    n=[2, 3],
    by="the gradient of the sum of squares, each divided by its variance",
)

# ---- the motion, and how it is measured --------------------------------------------------------------------------------

chapter.units({"q": "rad", "q_0": "rad", "a_*": "rad", "b_*": "rad", "w": "rad/s", "H": "1"})
t, w, center = sp.symbols("t w q_0", real=True)
sines, cosines = (sp.symbols(f"{x}_1:4", real=True) for x in "ab")
turning = [(b - sp.I * a) * sp.exp(sp.I * k * w * t) for k, (a, b) in enumerate(zip(sines, cosines), start=1)]
chapter.prove(
    "eq-weigh-fourier",
    lambda H: {
        "t": t,
        "w": w,
        "q_0": center,
        "a_*": sines,
        "b_*": cosines,
        "H": H,
        "q": center + sum(sp.re(x.expand(complex=True)) for x in turning[:H]),
    },
    n=(1, 2, 3),
    by="the real parts of turning arrows",
)
delta, step, e = sp.symbols("delta Delta e", positive=True)
mean_square = sp.integrate(e**2, (e, -delta / 2, delta / 2)) / delta
second = sp.Matrix([1, -2, 1]) / step**2
chapter.units({r"\delta": "rad", r"\sigma_a": "rad/s^2"})
chapter.prove(
    "eq-weigh-difference",
    {r"\delta": delta, r"\Delta t": step, r"\sigma_a": sp.sqrt(second.dot(second) * mean_square)},
    by="the mean square of a rounding error, by an integral, three of them in a second difference",
)
