"""Proofs of "Tasks, limits and loopholes": a box against the distance to it, the gains against plain minimization."""

import sympy as sp

from eqproof import Chapter

chapter = Chapter(__file__)
chapter.units({r"\rho": "m", r"\bar\rho": "m", "h": "m"})
chapter.units({r"\boldsymbol x": "x_i", r"\hat{\boldsymbol x}_*": "x_j", r"\boldsymbol u": "u_i"})
chapter.units({r"\hat{\boldsymbol u}_*": "u_j", r"\boldsymbol K_*": "u_j/x_k"})

offset, half = sp.Symbol("offset", real=True), sp.Symbol("half", positive=True)
chapter.prove(
    "eq-ilqr-box",
    {r"\rho": offset, "h": half, r"\bar\rho": sp.sign(offset) * sp.Max(sp.Abs(offset) - half, 0)},
    points=12,
    by="the distance to the box, with the sign of the offset",
)

# a plan that nothing improves, its last two steps, three numbers in a state and two in an input

some = lambda rows, columns, k: sp.Matrix(rows, columns, lambda i, j: sp.Rational((7 * i + 5 * j + k) % 11 - 4, 5))
positive = lambda size, k: some(size, size, k) * some(size, size, k).T + sp.eye(size)
X, now, next_ = (sp.Matrix(sp.symbols(f"{x}_1:{n + 1}", real=True)) for x, n in (("X", 3), ("U", 2), ("N", 2)))
after = some(3, 3, 1) * X + some(3, 2, 2) * now
end = some(3, 3, 3) * after + some(3, 2, 4) * next_
costs = ((X, 1), (after, 2), (end, 3), (now, 4), (next_, 5))
rest = sum((x.T * positive(x.rows, k) * x)[0] for x, k in costs)
both = sp.Matrix([*now, *next_])
best = sp.Matrix(sp.linsolve([rest.diff(u) for u in both], *both).args[0])[:2, :]
plan = {
    r"\hat{\boldsymbol x}_*": some(3, 1, 6),
    r"\hat{\boldsymbol u}_*": some(2, 1, 7),
    r"\boldsymbol K_*": best.jacobian(X),
}
chapter.prove(
    "eq-ilqr-tracking",
    lambda t: {
        **{name: {t: value}.get for name, value in plan.items()},
        r"\boldsymbol x": some(3, 1, 6) + X,
        r"\boldsymbol u": some(2, 1, 7) + best,
    },
    n=(1, 2, 3),
    each=lambda t: [{"t": t}],
    by="minimization of what the rest of the motion costs, from a state beside the plan",
)
