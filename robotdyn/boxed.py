"""The best step inside a box:  minimize 1/2 du.Q du + p.du  with  lower <= du <= upper.

Projected Newton: inputs that push against a wall rest, the others take a Newton step.
Tassa, Mansard and Todorov (2014), "Control-limited differential dynamic programming", section III.
"""

import numpy as np


def boxed_step(Q, p, Q_ux, lower, upper, max_iterations=100):
    """Return du (d,) and the gains K (d, D) of the inputs that are free; a resting input has a row of zeros.

    Q: (d, d) positive definite, else numpy.linalg.LinAlgError; p: (d,); Q_ux: (d, D); lower <= 0 <= upper: (d,).
    """
    np.linalg.cholesky(Q)
    du = np.clip(-np.linalg.solve(Q, p), lower, upper)
    for _ in range(max_iterations):
        gradient = Q @ du + p
        resting = ((du <= lower) & (gradient > 0)) | ((du >= upper) & (gradient < 0))
        free = np.flatnonzero(~resting)
        if not len(free) or abs(gradient[free]).max() <= 1e-12 * (abs(p).max() + 1e-300):
            break
        newton = np.zeros(len(p))
        newton[free] = -np.linalg.solve(Q[np.ix_(free, free)], gradient[free])
        value, step = du @ Q @ du / 2 + p @ du, 1.0
        while step > 1e-10:
            trial = np.clip(du + step * newton, lower, upper)
            if trial @ Q @ trial / 2 + p @ trial <= value + 0.1 * gradient @ (trial - du):
                break
            step /= 2
        else:
            break
        du = trial
    K = np.zeros_like(Q_ux)
    gradient = Q @ du + p
    free = np.flatnonzero(~(((du <= lower) & (gradient > 0)) | ((du >= upper) & (gradient < 0))))
    if len(free):
        K[free] = -np.linalg.solve(Q[np.ix_(free, free)], Q_ux[free])
    return du, K
