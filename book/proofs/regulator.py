"""Proofs of "The linear-quadratic regulator": the algebraic equation against SciPy, for three numbers and two inputs."""

import numpy as np
from scipy.linalg import solve_discrete_are

from eqproof import Chapter

chapter = Chapter(__file__)
numbers = np.random.default_rng(1)
some = lambda rows, columns: numbers.integers(-9, 10, (rows, columns)) / 5
A, B, Q, R = some(3, 3), some(3, 2), *(root @ root.T + np.eye(len(root)) for root in (some(3, 3), some(2, 2)))
letters = {r"\boldsymbol A": A, r"\boldsymbol B": B, r"\boldsymbol Q_*": lambda t: Q, r"\boldsymbol R": R}
chapter.prove(
    "eq-lqr-steady",
    {**letters, r"\boldsymbol P": solve_discrete_are(A, B, Q, R)},
    each={"t": 1},
    tolerance=1e-9,
    by="SciPy's solution of the algebraic equation",
    dead={r"\boldsymbol Q_t": "the weight is the same at all times"},
)
