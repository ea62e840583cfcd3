"""The assignment "ilqr": costs, responses, gains and the backward pass, up to the gradient that a 2R arm needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from coursework.check import laws
from coursework.check.diagnosis import Said
from coursework.check.question import Question
from coursework.check.session import assignment_module
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array, At, Value
    from coursework.check.parameters import Parameters

CALLED = assignment_module("ilqr", "given").CALLED


def _cost_law(p: Parameters, at: At, value: Value) -> str | None:
    x, u = at
    sentence = "Each part of the cost is right by itself, their sum is not."
    if (x[-1] == [p.goal, 0.0]).all():
        sentence = "A motion that ends at the goal, at rest, costs effort times the sum of the squared inputs."
    if not u.any():
        sentence = "A motion without input costs weight times the squared miss of its last state: position and rate."
    missed = x[-1] - [p.goal, 0.0]
    return laws.differs(sentence, at, value, p.effort * (u**2).sum() + p.weight * missed @ missed)


def _blocks(A: Array, B: Array, steps: int, power: Callable[..., Any]) -> Array:
    """The matrix of blocks A^power(i, j) B; power(i, j) < 0: a block of zeros."""
    rows = []
    for i in range(steps):
        powers = [power(i, j) for j in range(steps - 1)]
        rows.append(np.hstack([np.linalg.matrix_power(A, k) @ B if k >= 0 else 0 * B for k in powers]))
    return np.vstack(rows)


def _responds(p: Parameters, at: At, value: Value) -> str | None:
    """Column by column: the motion that one input alone, of size 1, gives."""
    A, B, steps = at
    expected = []
    for u in np.eye(len(B[0]) * (steps - 1)):
        x = [np.zeros(len(A))]
        for now in u.reshape(steps - 1, -1):
            x.append(A @ x[-1] + B @ now)
        expected.append(np.ravel(x))
    sentence = "S u is not the motion from rest that x_(t+1) = A x_t + B u_t gives."
    return laws.differs(sentence, at, value, np.transpose(expected))


def _wrong_pass(change: Any) -> Callable[..., Any]:
    """A backward pass with a planted mistake: change = {part: factor} of a result's last term, or {"without": one of the l or "V"; "in": Q}."""

    def of(p: Parameters) -> Callable[..., Any]:
        def backward(
            lx: Array, lu: Array, lxx: Array, lux: Array, luu: Array, A: Array, B: Array, Vx: Array, Vxx: Array
        ) -> dict[str, Array]:
            now = {"Qx": lx, "Qu": lu, "Qxx": lxx, "Qux": lux, "Quu": luu}
            later = {"Qx": A.T @ Vx, "Qu": B.T @ Vx, "Qxx": A.T @ Vxx @ A, "Qux": B.T @ Vxx @ A, "Quu": B.T @ Vxx @ B}
            without = change.get("without")
            factor = {"k": 1.0, "K": 1.0, "Vx": 1.0, "Vxx": 1.0} | change
            less = {name: {"l": later, "V": now}[without][name] for name in [change.get("in")] if name}
            Qx, Qu, Qxx, Qux, Quu = ({name: now[name] + later[name] for name in now} | less).values()
            k = -np.linalg.solve(Quu, Qu)
            K = -np.linalg.solve(Quu, Qux)
            Vx = Qx + factor["Vx"] * Qux.T @ k
            Vxx = Qxx + factor["Vxx"] * Qux.T @ K
            return {"k": factor["k"] * k, "K": factor["K"] * K, "Vx": Vx, "Vxx": Vxx}

        return backward

    return of


PASS = {
    "as printed: the best input lowers the curvature, too": {"Vxx": -1.0},
    "the best input has no part in V_xx": {"Vxx": 0.0},
    "the term of the best input counts half in V_xx": {"Vxx": 0.5},
    "the term of the best input counts twice in V_xx": {"Vxx": 2.0},
    "the best input lowers the value: the sign of its term in V_x": {"Vx": -1.0},
    "the best input has no part in V_x": {"Vx": 0.0},
    "the term of the best input counts half in V_x": {"Vx": 0.5},
    "the sign of the open-loop term k": {"k": -1.0},
    "the sign of the gain K": {"K": -1.0},
    "the sign of k and of K": {"k": -1.0, "K": -1.0},
    "l_x is missing in Q_x": {"without": "l", "in": "Qx"},
    "l_u is missing in Q_u": {"without": "l", "in": "Qu"},
    "l_xx is missing in Q_xx": {"without": "l", "in": "Qxx"},
    "l_ux is missing in Q_ux": {"without": "l", "in": "Qux"},
    "l_uu is missing in Q_uu": {"without": "l", "in": "Quu"},
    "the value of the next state is missing in Q_x": {"without": "V", "in": "Qx"},
    "the value of the next state is missing in Q_u": {"without": "V", "in": "Qu"},
    "the value of the next state is missing in Q_xx": {"without": "V", "in": "Qxx"},
    "the value of the next state is missing in Q_ux": {"without": "V", "in": "Qux"},
    "the value of the next state is missing in Q_uu": {"without": "V", "in": "Quu"},
}  # what is changed in a pass


def _symmetric(p: Parameters, at: At, value: Value) -> str | None:
    return laws.symmetric(p, at, value, "V")


def _expanded(at: At, dx: Array, du: Array) -> float:
    """What the cost changes by, to second order: this step and the value of the next state."""
    lx, lu, lxx, lux, luu, A, B, Vx, Vxx = at
    d = A @ dx + B @ du
    return lx @ dx + lu @ du + dx @ lxx @ dx / 2 + du @ lux @ dx + du @ luu @ du / 2 + Vx @ d + d @ Vxx @ d / 2


def _backward(p: Parameters, at: At, value: Value) -> str | None:
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
            rounded = all((part == np.round(part, 6)).all() for part in (k, K))
            close = "It is close: round later." if rounded and np.abs(slopes).max() <= 1e-2 else ""
            part = "where dx is zero: look at k" if not dx.any() else "although k is right: look at K"
            words = f"du = k + K dx is not the step that minimizes the expansion of the cost, {part}."
            return Said(words, close=close)
        more, less = (least(at, s * dx, k + s * K @ dx) - least(at, np.zeros(n), k) for s in (1, -1))
        if not abs((more - less) / 2 - Vx @ dx) <= 1e-6:
            return "du = k + K dx is right, but the least cost has not the slope V_x."
        if not abs(more + less - dx @ Vxx @ dx) <= 1e-6:
            return "du = k + K dx is right, and so is V_x, but the least cost has not the curvature V_xx."
    return _symmetric(p, at, Vxx)


def _minimizes(p: Parameters, at: At, value: Value) -> str | None:
    A, B, Q, R, V = at
    expected = np.linalg.solve(R + B.T @ V @ B, B.T @ V @ A)
    return laws.differs("u = -K x does not minimize u.R u + x'.V x' with x' = A x + B u.", at, value, expected)


def _is_least_cost(p: Parameters, at: At, value: Value) -> str | None:
    """With the best input, which is put into the cost."""
    A, B, Q, R, V = at
    K = np.linalg.solve(R + B.T @ V @ B, B.T @ V @ A)
    after = A - B @ K
    return laws.differs("x.V x is not the least cost from x on.", at, value, Q + K.T @ R @ K + after.T @ V @ after)


def _ends(p: Parameters) -> Array:
    """How the last state of the cart depends on each input, (2, steps - 1)."""
    left = np.arange(p.steps - 2, -1, -1)  # steps that are left after an input
    return np.array([p.dt**2 * left, p.dt * np.ones(p.steps - 1)])


def _wrong_inputs(weigh: Callable[..., Any]) -> Callable[..., Any]:
    """The best inputs for other weights: weigh(p) -> effort, weight."""

    def of(p: Parameters) -> Array:
        (effort, weight), S = weigh(p), _ends(p)
        return np.linalg.solve(weight * S.T @ S + effort * np.eye(p.steps - 1), weight * S.T @ [p.goal, 0.0])

    return of


def _wrong_ends(ends: Callable[..., Any], wanted: Callable[..., Any] = lambda p: [p.goal, 0.0]) -> Callable[..., Any]:
    """The best inputs for a cart of which something else is taken: ends(p, S), the last states of unit inputs."""

    def of(p: Parameters) -> Array:
        S = ends(p, _ends(p))
        return np.linalg.solve(p.weight * S.T @ S + p.effort * np.eye(len(S[0])), p.weight * S.T @ wanted(p)[: len(S)])

    return of


def _everywhere(p: Parameters) -> Array:
    """The inputs that are best where the miss of each state counts, not that of the last alone."""
    steps = np.arange(p.steps)[:, None] - np.arange(p.steps - 1) - 1  # from an input to a state
    S = np.vstack([p.dt**2 * np.maximum(steps, 0), p.dt * (steps >= 0)])
    wanted = np.repeat([p.goal, 0.0], p.steps)
    return np.linalg.solve(p.weight * S.T @ S + p.effort * np.eye(p.steps - 1), p.weight * S.T @ wanted)


def _wrong_gain(left: Callable[..., Any], right: Callable[..., Any]) -> Callable[..., Any]:
    """A gain with a planted mistake: left, what multiplies u, and right, what multiplies x."""
    return lambda p: lambda A, B, Q, R, V: np.linalg.solve(left(A, B, Q, R, V), right(A, B, Q, R, V))


def _wrong_value(earlier: Callable[..., Any]) -> Callable[..., Any]:
    """A value with a planted mistake: earlier(A, B, Q, R, V, K)."""
    return lambda p: lambda A, B, Q, R, V: earlier(A, B, Q, R, V, np.linalg.solve(R + B.T @ V @ B, B.T @ V @ A))


def _better(p: Parameters, at: At, value: Value) -> str | None:
    """No input may be changed to lower the cost: the gradient is zero."""
    u = np.array(value)
    S = _ends(p)
    gradient = 2 * p.effort * u + 2 * p.weight * S.T @ (S @ u - [p.goal, 0.0])
    if abs(gradient).max() < 1e-5 * p.weight:
        return None
    worst = int(abs(gradient).argmax())
    rounded = abs(gradient).max() < 0.02 * p.weight and (u == np.round(u, 4)).all()
    close = "It is close: give five decimals or more." if rounded else ""
    way = "lowered" if gradient[worst] > 0 else "raised"
    return Said(f"The cost still falls when input {worst + 1} is {way}.", close=close)


def _tip(p: Parameters, q: Any) -> Array:
    (a, b), (one, two) = p.lengths, (q[0], q[0] + q[1])
    return np.array([a * np.cos(one) + b * np.cos(two), a * np.sin(one) + b * np.sin(two)])


def _jacobian(p: Parameters, q: Any) -> Array:
    tip = _tip(p, q)
    elbow = p.lengths[0] * np.array([np.cos(q[0]), np.sin(q[0])])
    return np.array([[0.0, -1.0], [1.0, 0.0]]) @ np.transpose([tip, tip - elbow])  # each joint turns what it carries


def _descends(p: Parameters, at: At, value: Value) -> str | None:
    """Along each angle: the slope of the cost, which the tip and its Jacobian give."""
    (q,) = at
    expected = 2 * p.weight * _jacobian(p, q).T @ (_tip(p, q) - p.target)
    return laws.differs("It is not the derivative of weight times the squared miss.", at, value, expected, 1e-4)


QUESTIONS = {
    "total-cost": Question(
        "cost of a motion",
        **CALLED["total-cost"],
        laws=(_cost_law,),
        mistakes={
            "the cost has no factor 1/2 here": lambda p: lambda x, u: (p.effort * (u**2).sum() + p.weight * ((x[-1] - [p.goal, 0.0]) ** 2).sum()) / 2,
            "the miss counts at the last state, not at the first": lambda p: lambda x, u: p.effort * (u**2).sum() + p.weight * ((x[0] - [p.goal, 0.0]) ** 2).sum(),
            "at the goal it should be at rest: the rate that is wanted is zero": lambda p: lambda x, u: p.effort * (u**2).sum() + p.weight * ((x[-1] - p.goal) ** 2).sum(),
            "the miss counts at the last state alone": lambda p: lambda x, u: p.effort * (u**2).sum() + p.weight * ((x - [p.goal, 0.0]) ** 2).sum(),
            "the miss counts at the last state, not at the one before it": lambda p: lambda x, u: p.effort * (u**2).sum() + p.weight * ((x[-2] - [p.goal, 0.0]) ** 2).sum(),
            "the norm of the miss is squared": lambda p: lambda x, u: p.effort * (u**2).sum() + p.weight * np.linalg.norm(x[-1] - [p.goal, 0.0]),
            "the sum of squares has no dt": lambda p: lambda x, u: p.dt * p.effort * (u**2).sum() + p.weight * ((x[-1] - [p.goal, 0.0]) ** 2).sum(),
            "the inputs are squared": lambda p: lambda x, u: p.effort * u.sum() + p.weight * ((x[-1] - [p.goal, 0.0]) ** 2).sum(),
            "the square is that of each input, not of their sum": lambda p: lambda x, u: p.effort * u.sum() ** 2 + p.weight * ((x[-1] - [p.goal, 0.0]) ** 2).sum(),
            "all inputs count, the last one, too": lambda p: lambda x, u: p.effort * (u[:-1] ** 2).sum() + p.weight * ((x[-1] - [p.goal, 0.0]) ** 2).sum(),
            "all inputs count, the first one, too": lambda p: lambda x, u: p.effort * (u[1:] ** 2).sum() + p.weight * ((x[-1] - [p.goal, 0.0]) ** 2).sum(),
            "the effort is missing": lambda p: lambda x, u: p.weight * ((x[-1] - [p.goal, 0.0]) ** 2).sum(),
            "the rate at the end should be zero, too": lambda p: lambda x, u: p.effort * (u**2).sum() + p.weight * (x[-1, 0] - p.goal) ** 2,
        },
        hints=("Two sums: over all inputs, and over the two entries of the last state.", "The wanted last state is (goal, 0).", "Test: at the goal, without input, the cost is zero; each input adds its square times the effort."),
    ),
    "stacked-response": Question(
        "how all inputs move all states",
        **CALLED["stacked-response"],
        shape=lambda p, at: (len(at[1]) * at[2], len(at[1][0]) * (at[2] - 1)),
        laws=(_responds,),
        mistakes={
            "input j already moves state j + 1 by B alone: one power of A too many": lambda p: lambda A, B, steps: _blocks(A, B, steps, lambda i, j: i - j if i > j else -1),
            "the first state is given: no input moves it": lambda p: lambda A, B, steps: _blocks(A, B, steps, lambda i, j: i - j),
            "a step multiplies by A once": lambda p: lambda A, B, steps: _blocks(A, B, steps, lambda i, j: 2 * (i - j - 1) if i > j else -1),
            "the free motion is missing: block (i, j) carries a power of A": lambda p: lambda A, B, steps: _blocks(A, B, steps, lambda i, j: 0 if i > j else -1),
        },
        hints=("Write x_2 and x_3 in terms of u_1 and u_2.", "x_3 = A B u_1 + B u_2: the later the input, the fewer steps carry it on.", "Write x_4 too: which power of A stands before B u_1, which before B u_3? Above the blocks there are zeros."),
    ),
    "gain": Question(
        "the gain of one backward step",
        **CALLED["gain"],
        shape=lambda p, at: at[1].T.shape,
        laws=(_minimizes,),
        mistakes={
            "that is the gain in continuous time: here the input acts for a step": lambda p: lambda A, B, Q, R, V: np.linalg.solve(R, B.T @ V),
            "the sign: u = -K x with this K": lambda p: lambda A, B, Q, R, V: np.linalg.solve(R + B.T @ V @ B, -B.T @ V @ A),
            "R is missing: inputs cost, too": lambda p: lambda A, B, Q, R, V: np.linalg.solve(1e-12 * np.eye(len(R)) + B.T @ V @ B, B.T @ V @ A),
            "A is missing: the next state is A x + B u": lambda p: lambda A, B, Q, R, V: np.linalg.solve(R + B.T @ V @ B, B.T @ V),
            "the cost of the state that there is now does not depend on u: Q has no part in K": _wrong_gain(lambda A, B, Q, R, V: R + B.T @ V @ B, lambda A, B, Q, R, V: B.T @ (Q + V) @ A),
            "A moves the state first, then V weighs it: the order of both": _wrong_gain(lambda A, B, Q, R, V: R + B.T @ V @ B, lambda A, B, Q, R, V: B.T @ A @ V),
            "V is missing in what multiplies u": _wrong_gain(lambda A, B, Q, R, V: R + B.T @ B, lambda A, B, Q, R, V: B.T @ V @ A),
            "V is missing in what multiplies x": _wrong_gain(lambda A, B, Q, R, V: R + B.T @ V @ B, lambda A, B, Q, R, V: B.T @ A),
            "Q is the cost of the state that there is now, V that of the next one, which the input changes": _wrong_gain(lambda A, B, Q, R, V: R + B.T @ V @ B, lambda A, B, Q, R, V: B.T @ Q @ A),
            "Q is the cost of the state that there is now, and V alone that of the next one": _wrong_gain(lambda A, B, Q, R, V: R + B.T @ Q @ B, lambda A, B, Q, R, V: B.T @ Q @ A),
            "the cost of the next state is V: Q is no part of it": _wrong_gain(lambda A, B, Q, R, V: R + B.T @ (Q + V) @ B, lambda A, B, Q, R, V: B.T @ (Q + V) @ A),
            "the input moves the next state, too: what multiplies u is more than R": _wrong_gain(lambda A, B, Q, R, V: R, lambda A, B, Q, R, V: B.T @ V @ A),
            "both parts of what multiplies u are costs: a sign is wrong": _wrong_gain(lambda A, B, Q, R, V: R - B.T @ V @ B, lambda A, B, Q, R, V: B.T @ V @ A),
            "the system is not solved: what multiplies u stands on the other side": _wrong_gain(lambda A, B, Q, R, V: np.eye(len(R)), lambda A, B, Q, R, V: (R + B.T @ V @ B) @ B.T @ V @ A),
            "that is the right side alone: what multiplies u is to be solved for": _wrong_gain(lambda A, B, Q, R, V: np.eye(len(R)), lambda A, B, Q, R, V: B.T @ V @ A),
            "A has no part in what multiplies u: an input acts on the next state by B": _wrong_gain(lambda A, B, Q, R, V: R + B.T @ A.T @ V @ A @ B, lambda A, B, Q, R, V: B.T @ V @ A),
        },
        hints=("Put x' into the cost and differentiate by u.", "The derivative is linear in u and x: bring the part with x to the other side.", "What multiplies u holds R and V; test: with B = 0 the gain is zero."),
    ),
    "riccati": Question(
        "the value one step earlier",
        **CALLED["riccati"],
        shape=lambda p, at: at[0].shape,
        laws=(_symmetric, _is_least_cost),
        mistakes={
            "that is how fast the value changes in continuous time: the value one step earlier is asked for": lambda p: lambda A, B, Q, R, V: Q + A.T @ V + V @ A - V @ B @ np.linalg.solve(R, B.T @ V),
            "the cost of the next state is missing": _wrong_value(lambda A, B, Q, R, V, K: Q + K.T @ R @ K),
            "a choice lowers the cost: the last term is subtracted": lambda p: lambda A, B, Q, R, V: Q + A.T @ V @ A + A.T @ V @ B @ np.linalg.solve(R + B.T @ V @ B, B.T @ V @ A),
            "Q is missing: the state costs now, too": lambda p: lambda A, B, Q, R, V: A.T @ V @ A - A.T @ V @ B @ np.linalg.solve(R + B.T @ V @ B, B.T @ V @ A),
            "that is the cost without any input: the last term is missing": lambda p: lambda A, B, Q, R, V: Q + A.T @ V @ A,
            "the input costs, too: R stands in the gain, and is missing in the cost": _wrong_value(lambda A, B, Q, R, V, K: Q + (A - B @ K).T @ V @ (A - B @ K)),
            "what the input costs is added: a sign is wrong": _wrong_value(lambda A, B, Q, R, V, K: Q - K.T @ R @ K + (A - B @ K).T @ V @ (A - B @ K)),
            "with u = -K x something else than A + B K moves the state": _wrong_value(lambda A, B, Q, R, V, K: Q + K.T @ R @ K + (A + B @ K).T @ V @ (A + B @ K)),
            "two forms are mixed: only that with A - B K on both sides has a cost of the input": _wrong_value(lambda A, B, Q, R, V, K: Q + A.T @ V @ (A - B @ K) + K.T @ R @ K),
            "the last term has another factor: put u = -K x into the cost once more, its square, too": _wrong_value(lambda A, B, Q, R, V, K: Q + A.T @ V @ A - A.T @ V @ B @ K / 2),
            "the last term counts twice: the square of the best input takes half of that back": _wrong_value(lambda A, B, Q, R, V, K: Q + A.T @ V @ A - 2 * A.T @ V @ B @ K),
            "the gain is another: the input also moves the next state, so R alone does not multiply it": _wrong_value(lambda A, B, Q, R, V, K: Q + A.T @ V @ A - A.T @ V @ B @ np.linalg.solve(R, B.T @ V @ A)),
            "the gain is another: both parts of what multiplies u are costs, and a sign is wrong": _wrong_value(lambda A, B, Q, R, V, K: Q + A.T @ V @ A - A.T @ V @ B @ np.linalg.solve(R - B.T @ V @ B, B.T @ V @ A)),
            "the next state is A x + B u: A is missing where V first stands": _wrong_value(lambda A, B, Q, R, V, K: Q + V - A.T @ V @ B @ K),
            "V is missing where A first stands": _wrong_value(lambda A, B, Q, R, V, K: Q + A.T @ A - A.T @ V @ B @ K),
            "where A stands on both sides of V, the transposed one is on the left": _wrong_value(lambda A, B, Q, R, V, K: Q + A @ V @ A.T - A.T @ V @ B @ K),
        },
        hints=("Put the best u into the cost.", "The best u is -K x with the gain of part 3: then all terms are quadratic in x.", "Two forms are common: one holds (A - B K), the other subtracts a term; both are right."),
    ),
    "best-inputs": Question(
        "all inputs at once",
        shape=lambda p, at: (p.steps - 1,),
        tolerance=1e-5,
        laws=(_better,),
        mistakes={
            "the miss counts at the last state alone": _everywhere,
            "effort and weight are exchanged": _wrong_inputs(lambda p: (p.weight, p.effort)),
            "without effort the inputs are free": _wrong_inputs(lambda p: (1e-9 * p.effort, p.weight)),
            "the weight of the goal is missing": _wrong_inputs(lambda p: (p.effort, 1.0)),
            "the sum of squares has no dt": _wrong_inputs(lambda p: (p.dt * p.effort, p.weight)),
            "the effort is no square": _wrong_inputs(lambda p: (p.effort**2, p.weight)),
            "at the goal it should be at rest: the rate that is wanted is zero": _wrong_ends(lambda p, S: S, lambda p: [p.goal, p.goal]),
            "each input acts a step later: count how many steps are left": _wrong_ends(lambda p, S: S + [[p.dt**2], [0.0]]),
            "this cart moves by its old rate: an input acts on the rate alone": _wrong_ends(lambda p, S: S + [[p.dt**2 / 2], [0.0]]),
            "dt is missing in A: how far does the cart move in a step?": _wrong_ends(lambda p, S: S / [[p.dt], [1.0]]),
            "dt is missing in B: how much faster is the cart after a step?": _wrong_ends(lambda p, S: S / p.dt),
            "an input changes the rate by dt times itself, not by the square of dt": _wrong_ends(lambda p, S: S * p.dt),
            "the rate at the end should be zero, too": _wrong_ends(lambda p, S: S[:1]),
            "the last state has a place and a rate, in that order": _wrong_ends(lambda p, S: S, lambda p: [0.0, p.goal]),
            "the rate at the end should be zero": _wrong_ends(lambda p, S: S, lambda p: [p.goal, 1.0]),
        },
        hints=("The last state is S u, with the last two rows of the stacked response.", "The cost is a square: its gradient by u is zero.", "The gradient is linear in u: a system of p.steps - 1 equations, in which effort stands on the diagonal."),
    ),
    "tip-gradient": Question(
        "gradient of the miss of a tip",
        **CALLED["tip-gradient"],
        shape=(2,),
        tolerance=1e-4,
        laws=(_descends,),
        mistakes={
            "the factor 2 of the square is missing": lambda p: lambda q: p.weight * _jacobian(p, q).T @ (_tip(p, q) - p.target),
            "the opposite sign: a gradient points to where the cost grows": lambda p: lambda q: -2 * p.weight * _jacobian(p, q).T @ (_tip(p, q) - p.target),
            "that is the derivative of the miss, not of its square": lambda p: lambda q: p.weight * _jacobian(p, q).T @ (_tip(p, q) - p.target) / np.linalg.norm(_tip(p, q) - p.target),
            "the weight is missing": lambda p: lambda q: 2 * _jacobian(p, q).T @ (_tip(p, q) - p.target),
            "the first angle moves both links": lambda p: lambda q: 2 * p.weight * (_jacobian(p, q) - _jacobian(p, q)[:, 1:] * [[1.0, 0.0]]).T @ (_tip(p, q) - p.target),
            "x has the sine in its derivative, with a minus: the second column of the Jacobian": lambda p: lambda q: 2 * p.weight * (_jacobian(p, q) * [[1.0, -1.0], [1.0, 1.0]]).T @ (_tip(p, q) - p.target),
            "x has the sine in its derivative, with a minus: both columns of the Jacobian": lambda p: lambda q: 2 * p.weight * (_jacobian(p, q) * [[-1.0], [1.0]]).T @ (_tip(p, q) - p.target),
            "that is the gradient by the place of the tip: the chain rule goes on to the angles": lambda p: lambda q: 2 * p.weight * (_tip(p, q) - p.target),
            "the angles are relative: tip and Jacobian are those of absolute ones": lambda p: lambda q: 2 * p.weight * (_jacobian(p, [q[0], q[1] - q[0]]) - _jacobian(p, [q[0], q[1] - q[0]])[:, 1:] * [[1.0, 0.0]]).T @ (_tip(p, [q[0], q[1] - q[0]]) - p.target),
            "the tip has the cosines in x, the sines in y": lambda p: lambda q: 2 * p.weight * _jacobian(p, q)[:, :].T @ (_tip(p, q)[::-1] - p.target),
            "sine and cosine are exchanged in the Jacobian": lambda p: lambda q: 2 * p.weight * _jacobian(p, q)[::-1].T @ (_tip(p, q) - p.target),
            "the angles are relative: the second link points along their sum, in the Jacobian, too": lambda p: lambda q: 2 * p.weight * np.column_stack([_jacobian(p, q)[:, 0], _jacobian(p, [0.0, q[1]])[:, 1]]).T @ (_tip(p, q) - p.target),
            "the second angle moves the second link alone": lambda p: lambda q: 2 * p.weight * (_jacobian(p, q)[:, :1] * [[1.0, 1.0]]).T @ (_tip(p, q) - p.target),
            "the Jacobian is not transposed": lambda p: lambda q: 2 * p.weight * _jacobian(p, q) @ (_tip(p, q) - p.target),
        },
        hints=("The chain rule: first by the tip, then the tip by q.", "d tip / dq is the Jacobian.", "Test it with a difference quotient of weight times the squared distance."),
    ),
    "find-the-error": Question(
        "a printed backward pass, put right",
        **CALLED["find-the-error"],
        shape=None,
        printed=True,
        laws=(_backward,),
        mistakes={words: _wrong_pass(change) for words, change in PASS.items()},
        hints=("Write the pass as it is printed: the check says which part of it fails.", "A best input never makes the value larger.", "Test it against part 4: with l_x = l_u = l_ux = 0 it is the Riccati step, up to a factor 2 in Q and R."),
    ),
    "explain": Question(
        "why the recursion is cheaper",
        judged="person",
        hints=("How large is the matrix of the batch solution?", "How large is each matrix of the recursion?", "Solving a system of size n costs about n^3."),
    ),
}  # fmt: skip
