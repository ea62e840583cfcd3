"""Proofs of "Chains that fall and swing": small swings against articulated bodies, Bernoulli against fine chains.

The witnesses are asked in relative angles; only their arguments are written in absolute ones.
(Bernoulli's frequencies alone, which no formula of the page gives, are held against the numbers of `rd.planar`.)
"""

import mpmath
import numpy as np
import sympy as sp
from scipy.linalg import eigh

import robotdyn as rd
from eqproof import Bindings, Chapter, letters

g, s = sp.symbols("g s", positive=True)

chapter = Chapter(__file__)
chapter.units({r"\delta_{**}": "1", r"\xi_*": "1", r"\ell": "m", r"\boldsymbol\varepsilon": "rad"})


def relative(x):
    """Return what belongs to the joints: the difference of two neighboring links."""
    return sp.Matrix([x[k] - (x[k - 1] if k else 0) for k in range(len(x))])


def chain(n):
    """Return the bindings of a chain of point masses at rest: the forces that hold it, and the mass beyond each link."""
    arm, Q = rd.robots.planar(n, symbolic=True), sp.Matrix(sp.symbols(f"Q_1:{n + 1}", real=True))
    holding = relative(Q).jacobian(Q).T * rd.gravity_torque(arm, relative(Q))  # the factors of the absolute rates
    level = holding.subs(dict.fromkeys(Q, 0))
    lengths = sp.symbols(f"l_1:{n + 1}", positive=True)
    names = {
        r"\tilde{\boldsymbol q}": Q,
        r"\tilde{\boldsymbol g}": holding,
        r"\mu_*": lambda i: sp.cancel(level[i - 1] / (g * lengths[i - 1])),
        r"\delta_{**}": lambda i, k: int(i == k),
    }
    return Bindings().motion(Q).bind(letters(arm)).bind(names)


def hanging(n):
    """Return the bindings of a small push from rest: all terms to first order in it."""
    bodies = (sp.symbols(f"{x}_1:{n + 1}", positive=True) for x in "cI")
    arm = rd.robots.planar(n, None, *bodies, symbolic=True)
    Q, V, push = (sp.Matrix(sp.symbols(f"{x}_1:{n + 1}", real=True)) for x in ("Q", "V", "epsilon"))
    down = dict.fromkeys(Q, -sp.pi / 2)
    forces = relative(Q).jacobian(Q).T * rd.gravity_torque(arm, relative(Q))
    moved = rd.forward_dynamics(arm, relative(s * push + Q.subs(down)), s * relative(V), sp.zeros(n, 1))
    energy = rd.kinetic_energy(arm, relative(Q), relative(V))
    return {
        **letters(arm),
        r"\tilde{\boldsymbol q}": Q,
        r"\tilde{\boldsymbol M}": sp.hessian(energy, V).subs(down),
        r"\tilde{\boldsymbol g}": forces.jacobian(Q).subs(down) * (Q - Q.subs(down)),
        r"\boldsymbol\varepsilon": push,
        r"\ddot{\boldsymbol\varepsilon}": (relative(Q).jacobian(Q).inv() * moved).diff(s).subs(s, 0),
    }


chapter.prove(
    "eq-n-link-hanging", hanging, n=[1, 2], by="the articulated-body algorithm, to first order in a small push"
)
chapter.prove(
    "eq-n-link-g-slope",
    chain,
    each="z p",
    n=[1, 2, 3],
    by="differentiation of the Newton-Euler forces at rest",
    dead=dict.fromkeys((r"\mu_z", "l_z", r"\tilde q_z"), "the sign in front is zero unless z = p"),
)


def frequencies(count):
    """Return 1 / square of the three lowest frequencies of a hanging chain, with half a rod below the last point mass, for g = 1."""
    arm = rd.robots.planar(np.full(count, 1 / (count + 0.5)), np.ones(count), gravity=1)
    down = np.full(count, -np.pi / 2)
    inertia, slope = rd.planar.absolute(arm, down)[0], rd.planar.derivatives(arm, down)[2]
    return eigh(inertia, slope, eigvals_only=True)[:-4:-1]


counts = np.arange(10, 70, 10)  # the error is a series of even powers of 1 / (count + 1/2), thanks to the half rod
series = np.linalg.solve(np.vander((counts + 0.5) ** -2), [frequencies(count) for count in counts])
limit = 1 / np.sqrt(series[-1])
ell = sp.Symbol("ell", positive=True)
chapter.prove(
    "eq-n-link-bernoulli",
    {
        r"\omega_*": lambda i: sp.Float(limit[i - 1]) * sp.sqrt(g / ell),
        r"\xi_*": lambda i: sp.Float(mpmath.besseljzero(0, i)),
        r"\ell": ell,
        "g": g,
    },
    each={"i": 3},
    tolerance=1e-12,
    by="chains of 10 to 60 point masses, extrapolated to endlessly many",
)
