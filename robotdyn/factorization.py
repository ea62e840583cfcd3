"""Forward dynamics as a linear equation:  M qdd = tau - C qd - g,  solved by the factors M = L^T D L.

Below about ten joints this takes fewer operations than the articulated-body algorithm, and `specialize` counts both.
"""

from robotdyn.backend import in_every_world, namespace, vanishes
from robotdyn.recursive import inverse_dynamics, mass_matrix, no_moved_mass


@in_every_world
def solved_forward_dynamics(arm, q, qd, tau, tip_wrench=None):
    """Return the joint accelerations qdd (n,): what `forward_dynamics` returns, from the mass matrix and the bias.

    Arguments, units and errors as in `forward_dynamics`.  Featherstone (2008), section 6.2.
    """
    return solve(mass_matrix(arm, q), tau - inverse_dynamics(arm, q, qd, 0 * qd, tip_wrench))


def solve(M, b):
    """Return x (n,) with M x = b, for a symmetric positive definite M (n, n), by M = L^T D L.  Featherstone, table 6.3.

    From the last row up: the tip of an arm comes first, and a zero far from the diagonal stays a zero.
    """
    xp, n = namespace(M, b), len(b)
    A = [list(row[: i + 1]) for i, row in enumerate(M)]  # the lower triangle, which becomes L and D
    b = list(b)
    for k in reversed(range(n)):
        if vanishes(A[k][k], M):
            raise no_moved_mass(k)
        for i in reversed(range(k)):
            factor = A[k][i] / A[k][k]
            for j in range(i + 1):
                A[i][j] = A[i][j] - factor * A[k][j]
            b[i] = b[i] - factor * b[k]
            A[k][i] = factor
    x = []
    for k in range(n):
        x.append(b[k] / A[k][k] - sum(A[k][i] * x[i] for i in range(k)))
    return xp.stack(x)
