"""From where the end can be reached:  a u + b x <= d,  x at the next point = x + 2 h u,  with x = s'^2 and u = s''.

On a grid of s the limits of a motion along a path are half planes of x and u at each point, so the x from which the end
can be reached are an interval: found from the end to the start; then the motion goes from the start to the end.
Pham and Pham (2018).  Chapter "how-fast-along-this-path".
"""

import numpy as np

from robotdyn.maths.validate import Floats

ROUNDOFF = 1e-12  # of sums of products, beside their largest term
Rows = tuple[Floats, Floats, Floats]  # A, B, d of the half planes A u + B x <= d


def half_planes(a: Floats, b: Floats, c: Floats, limits: Floats, square: float) -> Rows:
    """Return the limits of one point of the grid, each torque in units of its range, and x >= 0."""
    scale = limits[:, 1] - limits[:, 0]
    A = a / scale
    B = b / scale
    highest = (limits[:, 1] - c) / scale
    lowest = (limits[:, 0] - c) / scale
    return (
        np.concatenate([A, -A, [0.0, 0.0]]),
        np.concatenate([B, -B, [-1.0, square]]),
        np.concatenate([highest, -lowest, [0.0, 1.0]]),
    )


def step_planes(here: Rows, there: Rows, h: float, next_low: float, next_high: float) -> Rows:
    """Return the limits of a step of width h: those here, those there with x + 2 h u, and x + 2 h u from next_low to next_high."""
    A, B, d = there
    next_x = np.array([2 * h, -2 * h]), np.array([1.0, -1.0]), np.array([next_high, -next_low])
    moved = A + 2 * h * B, B, d
    first, second, third = (np.concatenate(parts) for parts in zip(here, moved, next_x))
    return first, second, third


def interval(rows: Rows) -> tuple[float, float]:
    """Return the lowest and the highest x for which a u exists:  each upper bound of u is above each lower bound.

    (d_i - B_i x) / A_i >= (d_j - B_j x) / A_j  with A_i > 0 > A_j  is  (A_i B_j - A_j B_i) x <= A_i d_j - A_j d_i.
    An empty set has low > high.
    """
    A, B, d = rows
    # zero: what holds no u is a bound of x by itself
    up = A > 0
    down = A < 0
    free = A == 0
    A_i = A[up][:, None]
    B_i = B[up][:, None]
    d_i = d[up][:, None]
    A_j = A[down]
    B_j = B[down]
    d_j = d[down]
    p = np.concatenate([(A_i * B_j - A_j * B_i).ravel(), B[free]])
    r = np.concatenate([(A_i * d_j - A_j * d_i).ravel(), d[free]])
    size_p = np.concatenate([(abs(A_i * B_j) + abs(A_j * B_i)).ravel(), abs(B[free])])
    size_r = np.concatenate([(abs(A_i * d_j) + abs(A_j * d_i)).ravel(), abs(d[free])])
    above = p > ROUNDOFF * size_p
    below = p < -ROUNDOFF * size_p
    if (r[~above & ~below] < -ROUNDOFF * size_r[~above & ~below]).any():
        return np.inf, -np.inf
    return float(max(0.0, (r[below] / p[below]).max(initial=0.0))), float((r[above] / p[above]).min(initial=np.inf))


def controllable(grid: Floats, rows: list[Rows], x_end: float) -> tuple[Floats, Floats]:
    """Return the lowest and highest x (N,) from which the end can be reached; low > high where, and before where, none is."""
    low = np.full(len(grid), x_end)
    high = np.full(len(grid), x_end)
    for k in range(len(grid) - 2, -1, -1):
        step = step_planes(rows[k], rows[k + 1], grid[k + 1] - grid[k], low[k + 1], high[k + 1])
        low[k], high[k] = interval(step)
        if low[k] > high[k] + ROUNDOFF * (1 + high[k]):
            low[: k + 1], high[: k + 1] = np.inf, -np.inf
            break
        high[k] = max(low[k], high[k])
    return low, high


def greedy(grid: Floats, rows: list[Rows], x_start: float, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return x (N,) and u (N - 1,), from the start to the end, each u the largest from which the end can be reached."""
    x = np.full(len(grid), x_start)
    u = np.zeros(len(grid) - 1)
    for k, h in enumerate(np.diff(grid)):
        A, B, d = step_planes(rows[k], rows[k + 1], h, low[k + 1], high[k + 1])
        up = A > 0
        largest = ((d[up] - B[up] * x[k]) / A[up]).min()
        x[k + 1] = np.clip(x[k] + 2 * h * largest, low[k + 1], high[k + 1])
        u[k] = (x[k + 1] - x[k]) / (2 * h)
    return x, u
