"""Proofs of "The linear-quadratic regulator": the algebraic equation against SciPy, for three numbers and two inputs."""

import numpy as np
from scipy.linalg import solve_discrete_are

from eqproof import Chapter

chapter = Chapter(__file__)
chapter.symmetric(r"\boldsymbol Q_*", r"\boldsymbol R", r"\boldsymbol P")
chapter.units({r"\boldsymbol A": "x_i/x_j", r"\boldsymbol B": "x_i/u_j", r"\boldsymbol R": "J/u_i u_j"})
chapter.units({r"\boldsymbol Q_*": "J/x_j x_k", r"\boldsymbol P": "J/x_i x_j"})
numbers = np.random.default_rng(1)
some = lambda rows, columns: numbers.integers(-9, 10, (rows, columns)) / 5
A, B, Q, R = some(3, 3), some(3, 2), *(root @ root.T + np.eye(len(root)) for root in (some(3, 3), some(2, 2)))
letters = {r"\boldsymbol A": A, r"\boldsymbol B": B, r"\boldsymbol Q_*": lambda t: Q, r"\boldsymbol R": R}
chapter.prove(
    "eq-lqr-steady",
    {**letters, r"\boldsymbol P": solve_discrete_are(A, B, Q, R)},
    each={"t": 1},
    tolerance=1e-12,
    by="SciPy's solution of the algebraic equation",
    dead={r"\boldsymbol Q_t": "the weight is the same at all times"},
)
