"""Proof of the assignment "ilqr": the cost that is printed is that of the solution, by which answers are judged."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import sympy as sp

from eqproof import Chapter

CELLS = json.loads(Path(__file__).parents[1].joinpath("ilqr.ipynb").read_text(encoding="utf8"))["cells"]
(SOLUTION,) = ["".join(cell["source"]) for cell in CELLS if cell["id"] == "total-cost-work"]
w_u, w, d = sp.symbols("w_u w d", positive=True)


def cart(steps):
    """Return the bindings of a motion of so many states."""
    space = {"p": SimpleNamespace(effort=w_u, weight=w, goal=d)}
    exec(SOLUTION, space)
    x = np.array([sp.symbols(f"x_{t} v_{t}", real=True) for t in range(1, steps + 1)])
    u = np.array(sp.symbols(f"u_1:{steps}", real=True))
    return {
        "T": steps,
        "c": space["cost"](x, u),
        "w_u": w_u,
        "w": w,
        "d": d,
        "u_*": list(u),
        r"\boldsymbol x_*": lambda t: list(x[t - 1]),
    }


chapter = Chapter(__file__)
chapter.prove("eq-exercise-ilqr-cost", cart, n=[3, 5], by="the cost of the solution")
