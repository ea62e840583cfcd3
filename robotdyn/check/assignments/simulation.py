"""The assignment "simulation": steps through time, linearization, identification and control, each student's own arm."""

import math

import robotdyn as rd
from robotdyn.check import laws
from robotdyn.check.question import Later, Question
from robotdyn.later import np

STEPS, DT = 300, 0.01  # the controlled motion: 3 s


def parameters(draw):
    """Return a pendulum, measurements of another one with noise, and a 2R arm with a goal."""
    mass, length = draw.rounded(0.5, 2.0), draw.rounded(0.4, 1.2)
    secret = draw.uniform(0.2, 0.8), draw.uniform(0.1, 0.5), draw.uniform(3.0, 9.0)
    q, qd, qdd = draw.numbers(60, -3, 3), draw.numbers(60, -3, 3), draw.numbers(60, -6, 6)
    noise = [draw.gauss(0.0, 0.05) for _ in range(60)]
    lengths, masses = (draw.rounded(0.4, 0.7), draw.rounded(0.3, 0.6)), (draw.rounded(1, 3), draw.rounded(0.5, 1.5))
    return {
        "mass": mass,
        "length": length,
        "measured": Later(lambda: _measured(secret, q, qd, qdd, noise)),
        "arm": Later(lambda: rd.robots.two_link(lengths, masses)),
        "goal": (draw.rounded(0.5, 1.2), draw.rounded(-1.0, 1.0)),
        "limit": 60.0,
    }


def _measured(secret, q, qd, qdd, noise):
    """The states of a pendulum and its torques with noise, as arrays."""
    q, qd, qdd = map(np.array, (q, qd, qdd))
    return q, qd, qdd, np.array([qdd, qd, np.cos(q)]).T @ np.array(secret) + np.array(noise)


def _step(p, at):
    q, qd, tau, dt = at
    return [q + qd * dt, qd + _rate(p, q, tau) * dt]


def _rate(p, q, tau, sign=1.0):
    return (tau - sign * p.mass * 9.81 * p.length * np.cos(q)) / (p.mass * p.length**2)


def _steps(p, draw):
    return [(draw.uniform(-3, 3), draw.uniform(-3, 3), draw.uniform(-5, 5), draw.uniform(0.01, 0.1)) for _ in range(6)]


def _rk4(weights=(1, 2, 2, 1), last=1.0):
    def step(rates, x, dt):
        k1 = rates(x)
        k2 = rates(x + k1 * dt / 2)
        k3 = rates(x + k2 * dt / 2)
        k4 = rates(x + k3 * dt * last)
        return x + dt * sum(w * k for w, k in zip(weights, (k1, k2, k3, k4))) / sum(weights)

    return step


def _systems(p, draw):
    def system(a, b):
        return lambda x: np.array([x[1], -a * np.sin(x[0]) - b * x[1]])

    return [
        (system(draw.uniform(1, 9), draw.uniform(0, 1)), draw.vector(2, -2, 2), draw.uniform(0.05, 0.3))
        for _ in range(5)
    ]


def _slopes(p, at):
    q, qd, dt = at
    return np.array([[1.0, dt], [dt * 9.81 / p.length * np.sin(q), 1.0]])


def _places(p, draw):
    return [(draw.uniform(-3, 3), draw.uniform(-3, 3), draw.uniform(0.01, 0.1)) for _ in range(6)]


def _changed(change):
    return lambda p: lambda q, qd, dt: change(_slopes(p, (q, qd, dt)))


def _fit(columns=lambda q, qd, qdd: [qdd, qd, np.cos(q)]):
    def of(p):
        q, qd, qdd, tau = p.measured
        return np.linalg.lstsq(np.array(columns(q, qd, qdd)).T, tau, rcond=None)[0]

    return of


def _residual(p, at, value):
    q, qd, qdd, tau = p.measured
    left = np.sqrt(np.mean((np.array([qdd, qd, np.cos(q)]).T @ value - tau) ** 2))
    return None if left < 0.1 else "The residual is far larger than the noise of 0.05 N m."


def _swing(p, sign=1.0, count=201):
    t = np.linspace(0.0, 2.0, count)
    x, path, rk4 = np.zeros(2), [0.0], _rk4()
    for _ in range(count - 1):
        x = rk4(lambda s: np.array([s[1], _rate(p, s[0], 0.0, sign)]), x, t[1])
        path.append(x[0])
    return t, np.array(path)


def _plot_law(p, at, value):
    if not value["curves"]:
        return "The plot has no line."
    x, y = (np.array(value["curves"][0][axis]["numbers"], dtype=float) for axis in "xy")
    if len(x) < 20 or x.min() > 0.02 or abs(x.max() - 2.0) > 0.05 or (np.diff(x) <= 0).any():
        return "The line should run from 0 to 2 s, with at least 20 points."
    t, q = _swing(p)
    if abs(np.interp(x, *_swing(p, -1.0)) - y).max() < 0.05:
        return "The pendulum falls upward: gravity has the opposite sign."
    if abs(np.degrees(np.interp(x, t, q)) - y).max() < 3:
        return "The angle is in degrees: rad are asked for."
    if abs(np.interp(x, t, q) - y).max() > 0.05:
        return "The line is not the motion of your pendulum, released at rest from the horizontal."
    if not (str(value["xlabel"]).strip() and str(value["ylabel"]).strip()):
        return "Words are missing at an axis: say the quantity and its unit."
    return None


def _closed_loop(p, control):
    """Return the function start -> torques (STEPS, 2) that the controller gives along its own motion."""

    def run(start):
        q, qd, torques = np.array(start), np.zeros(2), []
        for k in range(STEPS):
            tau = np.array(control(k * DT, q.copy(), qd.copy()), dtype=float).reshape(2)
            if not np.isfinite(tau).all() or abs(qd).max() > 1e3:
                raise ValueError(f"the motion is not finite after {k * DT:.2f} s")
            torques.append(tau)
            q, qd = _move(p, q, qd, tau)
        return np.array(torques)

    return run


def _move(p, q, qd, tau):
    qd = qd + DT * rd.forward_dynamics(p.arm, q, qd, tau)
    return q + DT * qd, qd


def _arrives(p, at, value):
    """The judge moves the arm itself, with the torques that the controller gave."""
    if value.shape != (STEPS, 2):
        return "A torque is missing."
    if abs(value).max() > p.limit * (1 + 1e-9):
        return "The torques go beyond the limit."
    q, qd, path = np.array(at[0]), np.zeros(2), []
    for tau in value:
        q, qd = _move(p, q, qd, tau)
        path.append(np.append(abs(q - p.goal).max(), abs(qd).max()))
    end = np.array(path[-50:])
    if end[:, 1].max() > 0.1:
        return "The arm still moves in the last half second: it lacks damping."
    if end[:, 0].max() > 0.02:
        return "The arm comes to rest beside the goal: gravity pulls it away."
    return None


QUESTIONS = {
    "euler-step": Question(
        "one explicit Euler step",
        inputs=_steps,
        shape=(2,),
        laws=(laws.same_as("It is not the state plus dt times its rates, at the old state.", _step),),
        mistakes={
            "the position moves with the new rate: that is the semi-implicit step": lambda p: lambda q, qd, tau, dt: [q + (qd + _rate(p, q, tau) * dt) * dt, qd + _rate(p, q, tau) * dt],
            "gravity has the opposite sign": lambda p: lambda q, qd, tau, dt: [q + qd * dt, qd + _rate(p, q, tau, -1.0) * dt],
            "gravity is missing": lambda p: lambda q, qd, tau, dt: [q + qd * dt, qd + _rate(p, q, tau, 0.0) * dt],
            "the step dt is missing": lambda p: lambda q, qd, tau, dt: [q + qd, qd + _rate(p, q, tau)],
        },
        hints=("m l^2 qdd + m g l cos q = tau.", "Compute qdd at the old state first.", "[q + qd dt, qd + qdd dt]."),
    ),
    "rk4-step": Question(
        "one classical Runge-Kutta step",
        inputs=_systems,
        shape=(2,),
        laws=(laws.same_as("It is not the classical fourth-order step.", lambda p, at: _rk4()(*at)),),
        mistakes={
            "that is the Euler step": lambda p: _rk4((1, 0, 0, 0)),
            "the slopes in the middle count twice: the weights are 1, 2, 2, 1": lambda p: _rk4((1, 1, 1, 1)),
            "the last slope is that of the full step": lambda p: _rk4(last=0.5),
        },
        hints=("Four slopes: at the start, twice in the middle, at the end.", "Each uses the slope before it.", "x + dt (k1 + 2 k2 + 2 k3 + k4) / 6."),
    ),
    "linearize": Question(
        "Jacobian of the Euler step",
        inputs=_places,
        shape=(2, 2),
        laws=(laws.same_as("It is not the derivative of the step by the state.", _slopes),),
        mistakes={
            "the sign of the derivative of the cosine": _changed(lambda A: A * [[1, 1], [-1, 1]]),
            "the identity is missing: the new state is the old one plus a change": _changed(lambda A: A - np.eye(2)),
            "transposed: rows are outputs, columns are inputs": _changed(lambda A: A.T),
        },
        hints=("The step is x + dt f(x).", "Its derivative is the identity plus dt df/dx.", "d/dq of -(g / l) cos q is (g / l) sin q."),
    ),
    "unstable-pole": Question(
        "how fast the upright pendulum falls",
        tolerance=1e-4,
        laws=(laws.same_as("A small deviation of your pendulum does not grow at that rate.", lambda p, at: math.sqrt(9.81 / p.length), 1e-4),),
        mistakes={
            "that is its square": lambda p: 9.81 / p.length,
            "that is the time constant, its inverse": lambda p: math.sqrt(p.length / 9.81),
            "the mass has no part in it": lambda p: math.sqrt(9.81 / (p.mass * p.length)),
        },
        hints=("Linearize around q = pi / 2.", "The deviation e obeys e'' = (g / l) e.", "Its growing solution is exp(s t) with s^2 = g / l."),
    ),
    "identify": Question(
        "parameters from measurements",
        shape=(3,),
        tolerance=5e-3,
        laws=(_residual,),
        mistakes={
            "sine for cosine: the angle is measured from the x axis": _fit(lambda q, qd, qdd: [qdd, qd, np.sin(q)]),
            "the order is inertia, friction, weight": lambda p: _fit()(p)[::-1],
            "degrees: the angle is in rad": _fit(lambda q, qd, qdd: [qdd, qd, np.cos(np.radians(q))]),
        },
        hints=("The torque is linear in the three parameters.", "One row a measurement: qdd, qd, cos q.", "np.linalg.lstsq(Y, tau, rcond=None)[0]."),
    ),
    "plot-fall": Question(
        "plot of a fall",
        judged="laws",
        laws=(_plot_law,),
        hints=("The pendulum starts at q = 0, qd = 0, without torque.", "Use your Runge-Kutta step with dt = 0.01 s.", "ax.plot(t, q), with words and units at both axes."),
    ),
    "controller": Question(
        "a controller that reaches a goal",
        inputs=lambda p, draw: [(np.zeros(2) + draw.vector(2, -0.4, 0.4),) for _ in range(2)],
        shape=None,
        judged="laws",
        wrap=_closed_loop,
        laws=(_arrives,),
        hints=("Start with a spring to the goal and damping.", "Add rd.gravity_torque(p.arm, q), so that the goal is a rest position.", "Limit with np.clip; stiffness 60, damping 12 is a start."),
    ),
}  # fmt: skip
