"""Proofs of "What can never be known": what passes through joints against columns of regressors, counts against QR."""

from dataclasses import replace

import sympy as sp

import robotdyn as rd
from eqproof import Chapter, family

chapter = Chapter(__file__)
TEN = ["kg", *["kg m"] * 3, *["kg m^2"] * 6]

# ---- a ball on the axis, and all that is like it -------------------------------------------------------------------------

two = rd.robots.two_link(symbolic=True)
q, qd, qdd = (sp.symbols(f"{x}_1:3", real=True) for x in ("q", "v", "a"))
mu = sp.Symbol("mu", positive=True)
(m_1, m_2), l_1 = [link.mass for link in two.links], two.links[1].position[0]
l_c1 = two.links[0].com[0]
chapter.units({r"\mu": "kg"})
chapter.prove(
    "eq-hidden-ball",
    {"m_*": [m_1, m_2], "l_1": l_1, "l_{c1}": l_c1, r"\mu": mu},
    by="both sides multiplied out",
)

base = rd.base_parameters(two)
chapter.units(
    {
        r"\boldsymbol\phi": lambda i, _: TEN[(i - 1) % 10],
        r"\boldsymbol z": lambda i, _: TEN[base.lost[i - 1] % 10],
        r"\boldsymbol Y": lambda i, j: f"N m/{TEN[(j - 1) % 10]}",
        r"\boldsymbol N": lambda i, j: f"{TEN[(i - 1) % 10]}/{TEN[base.lost[j - 1] % 10]}",
    }
)
free = sp.Matrix(sp.symbols(f"z_1:{len(base.lost) + 1}", real=True))
chapter.prove(
    "eq-hidden-null",
    {
        r"\boldsymbol Y": rd.regressor(two, q, qd, qdd),
        r"\boldsymbol\phi": rd.parameters(two),
        r"\boldsymbol N": sp.Matrix(base.null_space),
        r"\boldsymbol z": free,
    },
    by="what passes through the joints, against the columns of the regressor",
    dead=dict.fromkeys(
        (r"\boldsymbol N \boldsymbol z", r"\boldsymbol z"),
        "a change that shows in no torque shows in none with the other sign or of another size",
    ),
)

# ---- counts and errors -------------------------------------------------------------------------------------------------

stanford = rd.robots.stanford()
sliding = [replace(link, joint="prismatic") if k in (2, 3) else link for k, link in enumerate(stanford.links)]
COUNTED = {1: rd.robots.puma560(), 2: stanford, 3: rd.robots.panda(), 4: replace(stanford, links=sliding)}


def counted(k):
    """Return the joints of an arm, and how many combinations QR finds in its random motions."""
    arm = COUNTED[k]
    slides = sum(link.joint == "prismatic" for link in arm.links)
    return {"n_r": arm.n - slides, "n_p": slides, "r": len(rd.base_parameters(arm))}


chapter.units({"n_r": "1", "n_p": "1", "r": "1"})
chapter.prove(
    "eq-hidden-count",
    counted,
    n=list(COUNTED),
    by="QR of random motions of the PUMA, the Stanford arm, with a slide for its fourth joint as well, and the Panda",
)

sigma = sp.Symbol("sigma", positive=True)


def measured(N):
    """Return N rows of two numbers, and what their pseudoinverse, which takes readings to estimates, makes of errors."""
    rows = sp.Matrix(sp.symbols(f"y_1:{2 * N + 1}", real=True)).reshape(N, 2)
    spread = sigma**2 * (rows.T * rows).inv() * rows.T
    return {
        "N": N,
        r"\sigma": sigma,
        r"\boldsymbol y_*": family(N, lambda k: rows[k - 1, :].T),
        r"\boldsymbol\Sigma": spread * spread.T / sigma**2,
    }


chapter.units(
    {
        r"\sigma": "N m",
        r"\boldsymbol y_*": lambda i, row, _: ("1/s^2", "m/s^2")[row - 1],
        r"\boldsymbol\Sigma": [["kg^2 m^4", "kg^2 m^3"], ["kg^2 m^3", "kg^2 m^2"]],
    }
)
chapter.symmetric(r"\boldsymbol\Sigma")
chapter.prove(
    "eq-hidden-covariance",
    measured,
    n=[3, 4],
    by="the pseudoinverse, by which least squares hands errors of readings on",
)
