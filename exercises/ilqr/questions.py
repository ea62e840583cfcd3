"""The assignment "ilqr": costs, responses, gains and the backward pass, up to the gradient that a 2R arm needs."""

import robotdyn as rd
from coursework.check import laws
from coursework.check.question import Question
from coursework.lazy_numpy import np


def parameters(draw):
    """Return a cart on a line (a double integrator) with its goal, and a 2R arm with a target."""
    return {
        "dt": draw.rounded(0.05, 0.2), "steps": draw.randint(6, 9), "goal": draw.rounded(0.5, 2.0),
        "effort": draw.rounded(0.01, 0.1, 3), "weight": draw.rounded(5.0, 20.0),
        "lengths": (draw.rounded(0.5, 1.2), draw.rounded(0.4, 1.0)), "target": (draw.rounded(0.2, 1.0), draw.rounded(0.2, 1.0)),
    }  # fmt: skip


def system(p):
    """Return A, B of one explicit Euler step of the cart: position and rate, driven by an acceleration."""
    return np.array([[1.0, p.dt], [0.0, 1.0]]), np.array([[0.0], [p.dt]])


def _motions(p, draw):
    """Any motions, but the first one ends at the goal, and the second one has no input."""
    sizes = (p.steps, 2), (p.steps - 1, 1)
    found = [tuple(draw.vector(a * b, -2, 2).reshape(a, b) for a, b in sizes) for _ in range(5)]
    found[0][0][-1] = p.goal, 0.0
    found[1][1][:] = 0.0
    return found


def _cost_law(p, at, value):
    x, u = at
    sentence = "Each part of the cost is right by itself, their sum is not."
    if (x[-1] == [p.goal, 0.0]).all():
        sentence = "A motion that ends at the goal, at rest, costs effort times the sum of the squared inputs."
    if not u.any():
        sentence = "A motion without input costs weight times the squared miss of its last state: position and rate."
    return laws.same_as(sentence, _cost)(p, at, value)


def _cost(p, at, effort=1.0, end=-1, half=1.0):
    x, u = at
    return half * (effort * p.effort * (u**2).sum() + p.weight * ((x[end] - [p.goal, 0.0]) ** 2).sum())


def _pairs(p, draw):
    found = []
    for n, m, steps in ((1, 1, 3), (2, 1, 4), (3, 2, 4)):
        A, B = (draw.vector(n * k, -1, 1).reshape(n, k) for k in (n, m))
        found.append((np.eye(n) + 0.3 * A, B, steps))
    return found


def _response(A, B, steps, shift=0, first=0):
    """Return S_u: block (i, j) is A^(i - j - 1) B for i > j."""
    (n, m), rows = B.shape, []
    for i in range(steps):
        places = [(i - j - 1 + shift, i > j - first) for j in range(steps - 1)]
        rows.append(np.hstack([np.linalg.matrix_power(A, k) @ B if below else np.zeros((n, m)) for k, below in places]))
    return np.vstack(rows)


def _problems(p, draw, found=()):
    for n, m in ((1, 1), (2, 1), (3, 2)):
        A, B, Q, R = (draw.vector(a * b, -1, 1).reshape(a, b) for a, b in ((n, n), (n, m), (n, n), (m, m)))
        S = draw.vector(n * n, -1, 1).reshape(n, n)
        found = (*found, (A, B, Q @ Q.T, R @ R.T + np.eye(m), S @ S.T))
    return found


def _expansions(p, draw):
    """The pieces of one backward step: l_x, l_u, l_xx, l_ux, l_uu, A, B, V_x, V_xx."""
    found = []
    for A, B, Q, R, V in _problems(p, draw):
        n, m = B.shape
        lx, lu, Vx, lux = (draw.vector(size, -1, 1) for size in (n, m, n, n * m))
        found.append((lx, lu, Q, lux.reshape(m, n) / 9, R, A, B, Vx, V))
    return found


def _symmetric(p, at, value):
    return (laws.symmetric(p, at, value) or "").replace("M is", "V is") or None


def _expanded(at, dx, du):
    """What the cost changes by, to second order: this step and the value of the next state."""
    lx, lu, lxx, lux, luu, A, B, Vx, Vxx = at
    d = A @ dx + B @ du
    return lx @ dx + lu @ du + dx @ lxx @ dx / 2 + du @ lux @ dx + du @ luu @ du / 2 + Vx @ d + d @ Vxx @ d / 2


def _backward(p, at, value):
    """k + K dx minimizes the expansion, and its least value has the slope V_x and the curvature V_xx."""
    (m, n), least = at[3].shape, _expanded
    sizes = {"k": (m,), "K": (m, n), "Vx": (n,), "Vxx": (n, n)}
    if not isinstance(value, dict) or set(value) != set(sizes):
        return f"The answer is no dict with the entries {', '.join(sizes)}."
    for name, size in sizes.items():
        if np.squeeze(value[name]).shape != np.squeeze(np.zeros(size)).shape:
            return f"The entry {name} should have the shape {size}, it has {np.shape(value[name])}."
    k, K, Vx, Vxx = (np.reshape(value[name], size) for name, size in sizes.items())
    for dx in (np.zeros(n), *np.eye(n), *-np.eye(n), np.ones(n)):
        best = k + K @ dx
        slopes = [least(at, dx, best + e) - least(at, dx, best - e) for e in np.eye(m)]
        if not np.abs(slopes).max() <= 1e-6:
            close = " It is close: round later." if np.abs(slopes).max() <= 1e-2 else ""
            return f"du = k + K dx is not the step that minimizes the expansion of the cost.{close}"
        gain = least(at, dx, best) - least(at, np.zeros(n), k)
        if not abs(gain - Vx @ dx - dx @ Vxx @ dx / 2) <= 1e-6:
            return "du = k + K dx is right, but the least cost has not the slope V_x and the curvature V_xx."
    return _symmetric(p, at, Vxx)


def _gain(A, B, Q, R, V, *, sign=1.0, with_R=True, with_A=True):
    left = (R if with_R else 0 * R + 1e-12 * np.eye(len(R))) + B.T @ V @ B
    return sign * np.linalg.solve(left, B.T @ V @ (A if with_A else np.eye(len(A))))


def _riccati(A, B, Q, R, V, *, sign=1.0, with_Q=1.0):
    return with_Q * Q + A.T @ V @ A - sign * A.T @ V @ B @ _gain(A, B, Q, R, V)


def _best(p, effort, weight):
    S = _response(*system(p), p.steps)[-2:]
    left = weight * p.weight * S.T @ S + effort * p.effort * np.eye(p.steps - 1)
    return np.linalg.solve(left, weight * p.weight * S.T @ [p.goal, 0.0])


def _better(p, at, value):
    """No input may be changed to lower the cost: the gradient is zero."""
    u = np.array(value)
    S = _response(*system(p), p.steps)[-2:]
    gradient = 2 * p.effort * u + 2 * p.weight * S.T @ (S @ u - [p.goal, 0.0])
    if abs(gradient).max() < 1e-5 * p.weight:
        return None
    worst = int(abs(gradient).argmax())
    close = " It is close: give five decimals or more." if abs(gradient).max() < 0.02 * p.weight else ""
    return f"The cost still falls when input {worst + 1} is {'lowered' if gradient[worst] > 0 else 'raised'}.{close}"


def _tip(p, q):
    (a, b), (one, two) = p.lengths, (q[0], q[0] + q[1])
    return np.array([a * np.cos(one) + b * np.cos(two), a * np.sin(one) + b * np.sin(two)])


def _jacobian(p, q):
    return rd.tip_jacobian(rd.robots.planar(p.lengths, (1.0, 1.0)), np.asarray(q))[:2]


def _gradient(p, at, factor=2.0):
    (q,) = at
    return factor * p.weight * _jacobian(p, q).T @ (_tip(p, q) - p.target)


def _poses(p, draw):
    return [(draw.vector(2, -3, 3),) for _ in range(6)]


QUESTIONS = {
    "total-cost": Question(
        "cost of a motion",
        inputs=_motions,
        laws=(_cost_law,),
        mistakes={
            "the cost has no factor 1/2 here": lambda p: lambda x, u: _cost(p, (x, u), half=0.5),
            "the miss counts at the last state, not at the first": lambda p: lambda x, u: _cost(p, (x, u), end=0),
            "the effort is missing": lambda p: lambda x, u: _cost(p, (x, u), effort=0.0),
            "the rate at the end should be zero, too": lambda p: lambda x, u: p.effort * (u**2).sum() + p.weight * (x[-1, 0] - p.goal) ** 2,
        },
        hints=("Two sums: over all inputs, and over the two entries of the last state.", "The wanted last state is (goal, 0).", "Test: at the goal, without input, the cost is zero; each input adds its square times the effort."),
    ),
    "stacked-response": Question(
        "how all inputs move all states",
        inputs=_pairs,
        shape=lambda p, at: (len(at[1]) * at[2], len(at[1][0]) * (at[2] - 1)),
        laws=(laws.same_as("S u is not the motion from rest that x_(t+1) = A x_t + B u_t gives.", lambda p, at: _response(*at)),),
        mistakes={
            "input j already moves state j + 1 by B alone: one power of A too many": lambda p: lambda A, B, steps: _response(A, B, steps, shift=1),
            "the first state is given: no input moves it": lambda p: lambda A, B, steps: _response(A, B, steps, shift=1, first=1),
            "the free motion is missing: block (i, j) carries a power of A": lambda p: lambda A, B, steps: _response(np.eye(len(A)), B, steps),
        },
        hints=("Write x_2 and x_3 in terms of u_1 and u_2.", "x_3 = A B u_1 + B u_2: the later the input, the fewer steps carry it on.", "Write x_4 too: which power of A stands before B u_1, which before B u_3? Above the blocks there are zeros."),
    ),
    "gain": Question(
        "the gain of one backward step",
        inputs=_problems,
        shape=lambda p, at: at[1].T.shape,
        laws=(laws.same_as("u = -K x does not minimize u.R u + x'.V x' with x' = A x + B u.", lambda p, at: _gain(*at)),),
        mistakes={
            "the sign: u = -K x with this K": lambda p: lambda *a: _gain(*a, sign=-1.0),
            "R is missing: inputs cost, too": lambda p: lambda *a: _gain(*a, with_R=False),
            "A is missing: the next state is A x + B u": lambda p: lambda *a: _gain(*a, with_A=False),
        },
        hints=("Put x' into the cost and differentiate by u.", "The derivative is linear in u and x: bring the part with x to the other side.", "What multiplies u holds R and V; test: with B = 0 the gain is zero."),
    ),
    "riccati": Question(
        "the value one step earlier",
        inputs=_problems,
        shape=lambda p, at: at[0].shape,
        laws=(_symmetric, laws.same_as("x.V x is not the least cost from x on.", lambda p, at: _riccati(*at))),
        mistakes={
            "a choice lowers the cost: the last term is subtracted": lambda p: lambda *a: _riccati(*a, sign=-1.0),
            "Q is missing: the state costs now, too": lambda p: lambda *a: _riccati(*a, with_Q=0.0),
            "that is the cost without any input: the last term is missing": lambda p: lambda *a: _riccati(*a, sign=0.0),
        },
        hints=("Put the best u into the cost.", "The best u is -K x with the gain of part 3: then all terms are quadratic in x.", "Two forms are common: one holds (A - B K), the other subtracts a term; both are right."),
    ),
    "best-inputs": Question(
        "all inputs at once",
        shape=lambda p, at: (p.steps - 1,),
        tolerance=1e-5,
        laws=(_better,),
        mistakes={
            "effort and weight are exchanged": lambda p: _best(p, p.weight / p.effort, p.effort / p.weight),
            "without effort the inputs are free": lambda p: _best(p, 1e-9, 1.0),
            "the weight of the goal is missing": lambda p: _best(p, 1.0, 1 / p.weight),
        },
        hints=("The last state is S u, with the last two rows of the stacked response.", "The cost is a square: its gradient by u is zero.", "The gradient is linear in u: a system of p.steps - 1 equations, in which effort stands on the diagonal."),
    ),
    "tip-gradient": Question(
        "gradient of the miss of a tip",
        inputs=_poses,
        shape=(2,),
        tolerance=1e-4,
        laws=(laws.same_as("It is not the derivative of weight times the squared miss.", _gradient, 1e-4),),
        mistakes={
            "the factor 2 of the square is missing": lambda p: lambda q: _gradient(p, (q,), 1.0),
            "the opposite sign: it points away from the target": lambda p: lambda q: _gradient(p, (q,), -2.0),
            "the Jacobian is not transposed": lambda p: lambda q: 2 * p.weight * _jacobian(p, q) @ (_tip(p, q) - p.target),
        },
        hints=("The chain rule: first by the tip, then the tip by q.", "d tip / dq is the Jacobian.", "Test it with a difference quotient of weight times the squared distance."),
    ),
    "find-the-error": Question(
        "a printed backward pass, put right",
        inputs=_expansions,
        shape=None,
        laws=(_backward,),
        hints=("Write the pass as it is printed: the check says which part of it fails.", "A best input never makes the value larger.", "Test it against part 4: with l_x = l_u = l_ux = 0 it is the Riccati step, up to a factor 2 in Q and R."),
    ),
    "explain": Question(
        "why the recursion is cheaper",
        judged="person",
        hints=("How large is the matrix of the batch solution?", "How large is each matrix of the recursion?", "Solving a system of size n costs about n^3."),
    ),
}  # fmt: skip
