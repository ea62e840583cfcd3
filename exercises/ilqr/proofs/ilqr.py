"""Proof of the assignment "ilqr": the cost that is printed is the one by which answers are judged."""

from pathlib import Path
from runpy import run_path
from types import SimpleNamespace

import numpy as np
import sympy as sp

from eqproof import Chapter

judged = run_path(str(Path(__file__).parents[1] / "questions.py"))["_cost"]
w_u, w, d = sp.symbols("w_u w d", positive=True)


def cart(steps):
    """Return the bindings of a motion of so many states."""
    p = SimpleNamespace(effort=w_u, weight=w, goal=d)
    x = np.array([sp.symbols(f"x_{t} v_{t}", real=True) for t in range(1, steps + 1)])
    u = np.array(sp.symbols(f"u_1:{steps}", real=True))
    return {
        "T": steps,
        "c": judged(p, (x, u)),
        "w_u": w_u,
        "w": w,
        "d": d,
        "u_*": list(u),
        r"\boldsymbol x_*": lambda t: list(x[t - 1]),
    }


chapter = Chapter(__file__)
chapter.prove("eq-exercise-ilqr-cost", cart, n=[3, 5], by="the cost by which answers are judged")
