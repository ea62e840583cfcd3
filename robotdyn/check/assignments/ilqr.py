"""The assignment "ilqr": costs, responses, gains and the backward pass, up to the gradient that a 2R arm needs."""

import robotdyn as rd
from robotdyn.check import laws
from robotdyn.check.question import Question
from robotdyn.later import np


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
    return [
        (draw.vector(2 * p.steps, -2, 2).reshape(p.steps, 2), draw.vector(p.steps - 1, -2, 2).reshape(-1, 1))
        for _ in range(4)
    ]


def _cost(p, at, effort=1.0, end=-1, half=1.0):
    x, u = at
    return half * (effort * p.effort * (u**2).sum() + p.weight * ((x[end] - [p.goal, 0.0]) ** 2).sum())


def _pairs(p, draw):
    found = []
    for n, m, steps in ((1, 1, 3), (2, 1, 4), (3, 2, 4)):
        A = np.eye(n) + 0.3 * draw.vector(n * n, -1, 1).reshape(n, n)
        found.append((A, draw.vector(n * m, -1, 1).reshape(n, m), steps))
    return found


def _response(A, B, steps, shift=0, first=0):
    """Return S_u: block (i, j) is A^(i - j - 1) B for i > j."""
    (n, m), rows = B.shape, []
    for i in range(steps):
        power = [
            np.linalg.matrix_power(A, i - j - 1 + shift) @ B if i > j - first else np.zeros((n, m))
            for j in range(steps - 1)
        ]
        rows.append(np.hstack(power))
    return np.vstack(rows)


def _problems(p, draw):
    found = []
    for n, m in ((1, 1), (2, 1), (3, 2)):
        A, B, Q, R = (draw.vector(a * b, -1, 1).reshape(a, b) for a, b in ((n, n), (n, m), (n, n), (m, m)))
        S = draw.vector(n * n, -1, 1).reshape(n, n)
        found.append((A, B, Q @ Q.T, R @ R.T + np.eye(m), S @ S.T))
    return found


def _gain(A, B, Q, R, V, *, sign=1.0, with_R=True, with_A=True):
    left = (R if with_R else 0 * R + 1e-12 * np.eye(len(R))) + B.T @ V @ B
    return sign * np.linalg.solve(left, B.T @ V @ (A if with_A else np.eye(len(A))))


def _riccati(A, B, Q, R, V, *, sign=1.0, with_Q=1.0):
    return with_Q * Q + A.T @ V @ A - sign * A.T @ V @ B @ _gain(A, B, Q, R, V)


def _best(p, effort=1.0, weight=1.0):
    A, B = system(p)
    S = _response(A, B, p.steps)[-2:]
    return np.linalg.solve(
        weight * p.weight * S.T @ S + effort * p.effort * np.eye(p.steps - 1), weight * p.weight * S.T @ [p.goal, 0.0]
    )


def _better(p, at, value):
    """No input may be changed to lower the cost: the gradient is zero."""
    u = np.ravel(value)
    if u.size != p.steps - 1:
        return "There is one input fewer than states."
    A, B = system(p)
    S = _response(A, B, p.steps)[-2:]
    gradient = 2 * p.effort * u + 2 * p.weight * S.T @ (S @ u - [p.goal, 0.0])
    if abs(gradient).max() < 1e-5 * p.weight:
        return None
    worst = int(abs(gradient).argmax())
    return f"The cost still falls when input {worst + 1} is {'lowered' if gradient[worst] > 0 else 'raised'}."


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
        laws=(laws.same_as("It is not effort times the squared inputs plus weight times the squared miss at the end.", _cost),),
        mistakes={
            "the cost has no factor 1/2 here": lambda p: lambda x, u: _cost(p, (x, u), half=0.5),
            "the miss counts at the last state, not at the first": lambda p: lambda x, u: _cost(p, (x, u), end=0),
            "the effort is missing": lambda p: lambda x, u: _cost(p, (x, u), effort=0.0),
            "the rate at the end should be zero, too": lambda p: lambda x, u: p.effort * (u**2).sum() + p.weight * (x[-1, 0] - p.goal) ** 2,
        },
        hints=("Two sums: over all inputs, and over the two entries of the last state.", "The wanted last state is (goal, 0).", "p.effort * (u**2).sum() + p.weight * ((x[-1] - wanted)**2).sum()."),
    ),
    "stacked-response": Question(
        "how all inputs move all states",
        inputs=_pairs,
        shape=None,
        laws=(
            lambda p, at, value: None if value.shape == _response(*at).shape else "It has one block row a state and one block column an input, which is one fewer.",
            laws.same_as("S u is not the motion from rest that x_(t+1) = A x_t + B u_t gives.", lambda p, at: _response(*at)),
        ),
        mistakes={
            "input j already moves state j + 1 by B alone: one power of A too many": lambda p: lambda A, B, steps: _response(A, B, steps, shift=1),
            "the first state is given: no input moves it": lambda p: lambda A, B, steps: _response(A, B, steps, shift=1, first=1),
            "the free motion is missing: block (i, j) carries a power of A": lambda p: lambda A, B, steps: _response(np.eye(len(A)), B, steps),
        },
        hints=("Write x_2, x_3, x_4 in terms of u_1, u_2, u_3.", "x_3 = A B u_1 + B u_2.", "Block (i, j) is A^(i-j-1) B for i > j, zero otherwise."),
    ),
    "gain": Question(
        "the gain of one backward step",
        inputs=_problems,
        shape=None,
        laws=(laws.same_as("u = -K x does not minimize u.R u + x'.V x' with x' = A x + B u.", lambda p, at: _gain(*at)),),
        mistakes={
            "the sign: u = -K x with this K": lambda p: lambda *a: _gain(*a, sign=-1.0),
            "R is missing: inputs cost, too": lambda p: lambda *a: _gain(*a, with_R=False),
            "A is missing: the next state is A x + B u": lambda p: lambda *a: _gain(*a, with_A=False),
        },
        hints=("Put x' into the cost and differentiate by u.", "(R + B'VB) u + B'VA x = 0.", "np.linalg.solve(R + B.T @ V @ B, B.T @ V @ A)."),
    ),
    "riccati": Question(
        "the value one step earlier",
        inputs=_problems,
        shape=None,
        laws=(laws.symmetric, laws.same_as("x.V x is not the least cost from x on.", lambda p, at: _riccati(*at))),
        mistakes={
            "a choice lowers the cost: the last term is subtracted": lambda p: lambda *a: _riccati(*a, sign=-1.0),
            "Q is missing: the state costs now, too": lambda p: lambda *a: _riccati(*a, with_Q=0.0),
            "that is the cost without any input: the last term is missing": lambda p: lambda *a: _riccati(*a, sign=0.0),
        },
        hints=("Put the best u into the cost.", "V_now = Q + A'VA - A'VB K.", "K is that of the part before."),
    ),
    "best-inputs": Question(
        "all inputs at once",
        shape=None,
        tolerance=1e-5,
        laws=(_better,),
        mistakes={
            "effort and weight are exchanged": lambda p: _best(p, p.weight / p.effort, p.effort / p.weight),
            "without effort the inputs are free": lambda p: _best(p, 1e-9),
            "the weight of the goal is missing": lambda p: _best(p, 1.0, 1 / p.weight),
        },
        hints=("The last state is S u, with the last two rows of the stacked response.", "The cost is a square: its gradient by u is zero.", "(weight S'S + effort I) u = weight S' wanted."),
    ),
    "tip-gradient": Question(
        "gradient of the miss of a tip",
        inputs=_poses,
        shape=(2,),
        laws=(laws.same_as("It is not the derivative of weight times the squared miss.", _gradient),),
        mistakes={
            "the factor 2 of the square is missing": lambda p: lambda q: _gradient(p, (q,), 1.0),
            "the opposite sign: it points away from the target": lambda p: lambda q: _gradient(p, (q,), -2.0),
            "the Jacobian is not transposed": lambda p: lambda q: 2 * p.weight * _jacobian(p, q) @ (_tip(p, q) - p.target),
        },
        hints=("The chain rule: first by the tip, then the tip by q.", "d tip / dq is the Jacobian.", "2 weight J' (tip - target)."),
    ),
    "find-the-error": Question(
        "the misprint in a printed backward pass",
        shape=(),
        laws=(laws.same_as("Each printed line was compared with the expansion of the cost: that line is right.", lambda p, at: 4),),
        mistakes={
            "line 1 is right: the chain rule": lambda p: 1,
            "line 2 is right: second derivatives, with the curvature of the dynamics left out": lambda p: 2,
            "line 3 is right: the step that minimizes the quadratic": lambda p: 3,
        },
        hints=("A best input never makes the value larger.", "Compare with your Riccati step.", "Which sign has the last term there?"),
    ),
    "explain": Question(
        "why the recursion is cheaper",
        judged="person",
        hints=("How large is the matrix of the batch solution?", "How large is each matrix of the recursion?", "Solving a system of size n costs about n^3."),
    ),
}  # fmt: skip
