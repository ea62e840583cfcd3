"""Proofs of "Robots that cannot exist": averages over errors, sums over mass elements, Newton-Euler for a loaded arm."""

from dataclasses import replace

import sympy as sp

import robotdyn as rd
from eqproof import Chapter

chapter = Chapter(__file__)
OF_TWO = ["kg m^2", "kg m"]

# ---- noise in the motion -----------------------------------------------------------------------------------------------

W = sp.Matrix(sp.symbols("w_1:7", real=True)).reshape(3, 2)
tau, beta = (sp.Matrix(sp.symbols(f"{x}_1:{k + 1}", real=True)) for x, k in (("t", 3), ("b", 2)))
chapter.units(
    {
        r"\boldsymbol W": lambda _, j: f"N m/{OF_TWO[j - 1]}",
        r"\boldsymbol Z": lambda _, j: f"N m/{OF_TWO[j - 1]}",
        r"\boldsymbol\tau": "N m",
        r"\hat{\boldsymbol\beta}": lambda i, _: OF_TWO[i - 1],
        r"\sigma_a": "rad/s^2",
    }
)
I, s, spread = sp.symbols("I s sigma_a", positive=True)
cases = [(a, a + error) for a in (s, -s) for error in (spread, -spread)]  # acceleration and what is measured of it
chapter.units({"I": "kg m^2", r"\hat I": "kg m^2", "s": "rad/s^2"})
chapter.prove(
    "eq-weigh-attenuation",
    {"I": I, "s": s, r"\sigma_a": spread, r"\hat I": sum(I * a * x for a, x in cases) / sum(x**2 for _, x in cases)},
    by="least squares over four cases, equally frequent: either acceleration with either error",
)
Z = W.applyfunc(lambda x: sp.Symbol(f"z{x}", real=True))
system = Z.T * (tau - W * beta)
solved = sp.solve(list(system), list(beta), dict=True)[0]
chapter.prove(
    "eq-weigh-instruments",
    {
        r"\boldsymbol W": W,
        r"\boldsymbol Z": Z,
        r"\boldsymbol\tau": tau,
        r"\hat{\boldsymbol\beta}": sp.Matrix([solved[b] for b in beta]),
    },
    by="the residuals that no instrument correlates with, solved for",
)

# ---- bodies that can exist ---------------------------------------------------------------------------------------------

places = [sp.Matrix(sp.symbols(f"x_{k} y_{k} z_{k}", real=True)) for k in (1, 2)]
masses = sp.symbols("m_1:3", positive=True)
elements = list(zip(masses, places))
moments = sum((m * r * r.T for m, r in elements), sp.zeros(3))
inertia = sum((m * (r.dot(r) * sp.eye(3) - r * r.T) for m, r in elements), sp.zeros(3))
ones = [sp.Matrix([*r, 1]) for r in places]
total = sum(masses)
chapter.symmetric(r"\boldsymbol S", r"\boldsymbol P", r"\boldsymbol I_O")
chapter.units(
    {
        r"\boldsymbol S": "kg m^2",
        r"\boldsymbol I_O": "kg m^2",
        r"\boldsymbol c": "m",
        r"\boldsymbol P": lambda i, j: "kg" + ("", " m", " m^2")[(i < 4) + (j < 4)],
    }
)
chapter.prove(
    "eq-weigh-second",
    {r"\boldsymbol S": moments, r"\boldsymbol I_O": inertia},
    by="sums over two mass elements anywhere",
)
chapter.prove(
    "eq-weigh-pseudo",
    {
        r"\boldsymbol P": sum((m * r * r.T for m, r in zip(masses, ones)), sp.zeros(4)),
        r"\boldsymbol S": moments,
        "m": total,
        r"\boldsymbol c": sum((m * r for m, r in elements), sp.zeros(3, 1)) / total,
    },
    by="the sum of [r, 1] [r, 1]^T over two mass elements anywhere",
)

# ---- the load ----------------------------------------------------------------------------------------------------------

two = rd.robots.two_link(symbolic=True)
state = [sp.symbols(f"{x}_1:3", real=True) for x in ("q", "v", "a")]
base = rd.base_parameters(two, nonzero=True)
mu, *lever = sp.symbols("mu x_L y_L z_L", positive=True)
load = rd.Link(mu, lever, sp.diag(*sp.symbols("J_1:4", positive=True)))
last = two.links[1]
whole = rd.Body(last.mass, last.com, last.inertia) + rd.Body(load.mass, load.com, load.inertia)
links = [two.links[0], replace(last, mass=whole.mass, com=whole.com, inertia=whole.inertia)]
Y = rd.regressor(two, *state)
TEN = ["kg", *["kg m"] * 3, *["kg m^2"] * 6]
chapter.units(
    {
        r"\boldsymbol Y_b": lambda _, j: f"N m/{TEN[base.columns[j - 1] % 10]}",
        r"\boldsymbol Y_n": lambda _, j: f"N m/{TEN[j - 1]}",
        r"\boldsymbol\beta": lambda i, _: TEN[base.columns[i - 1] % 10],
        r"\boldsymbol\phi_L": lambda i, _: TEN[i - 1],
    }
)
chapter.prove(
    "eq-weigh-payload",
    {
        r"\boldsymbol\tau": rd.inverse_dynamics(replace(two, links=links), *state),
        r"\boldsymbol Y_b": Y[:, list(base.columns)],
        r"\boldsymbol\beta": sp.Matrix(base.values()),
        r"\boldsymbol Y_n": Y[:, 10:],
        r"\boldsymbol\phi_L": rd.parameters(rd.Arm([load])),
    },
    by="Newton-Euler for an arm whose last link and load are one body",
)
