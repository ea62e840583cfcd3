"""The assignment "simulation": steps through time, linearization, identification and control, each student's own arm."""

import math

import robotdyn as rd
from coursework.check import laws
from coursework.check.question import Later, Question
from coursework.lazy_numpy import np

STEPS, DT = 300, 0.01  # the controlled motion: 3 s


def parameters(draw):
    """Return a pendulum, measurements of another one with noise, and a 2R arm with a goal."""
    mass, length = draw.until(lambda: (draw.rounded(0.5, 2.0), draw.rounded(0.4, 1.2)), lambda m, l: abs(m - 1) > 0.03)
    secret = draw.uniform(0.2, 0.8), draw.uniform(0.1, 0.5), draw.uniform(3.0, 9.0)
    states = [draw.numbers(60, -size, size) for size in (3, 3, 6)]
    noise = [draw.gauss(0.0, 0.05) for _ in range(60)]
    lengths, masses = (draw.rounded(0.4, 0.7), draw.rounded(0.3, 0.6)), (draw.rounded(1, 3), draw.rounded(0.5, 1.5))
    goal = draw.rounded(0.5, 1.2), draw.rounded(-1.0, 1.0)
    return {
        "mass": mass, "length": length, "goal": Later(lambda: np.array(goal)), "limit": 60.0,
        "measured": Later(lambda: _measured(secret, states, noise)), "arm": Later(lambda: rd.robots.two_link(lengths, masses)),
    }  # fmt: skip


def _measured(secret, states, noise):
    """The states of a pendulum and its torques with noise, as arrays."""
    q, qd, qdd = np.array(states)
    return q, qd, qdd, np.array([qdd, qd, np.cos(q)]).T @ np.array(secret) + np.array(noise)


def _rate(p, q, tau, sign=1.0):
    return (tau - sign * p.mass * 9.81 * p.length * np.cos(q)) / (p.mass * p.length**2)


def _steps(p, draw):
    return [(draw.uniform(-3, 3), draw.uniform(-3, 3), draw.uniform(-5, 5), draw.uniform(0.01, 0.1)) for _ in range(6)]


def _rk4(weights, last):
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

    sizes = [(draw.uniform(1, 9), draw.uniform(0, 1), draw.vector(2, -2, 2), draw.uniform(0.05, 0.3)) for _ in range(5)]
    return [(system(a, b), x, dt) for a, b, x, dt in sizes]


def _slopes(p, at):
    q, qd, dt = at
    return np.array([[1.0, dt], [dt * 9.81 / p.length * np.sin(q), 1.0]])


def _places(p, draw):
    return [(draw.uniform(-3, 3), draw.uniform(-3, 3), draw.uniform(0.01, 0.1)) for _ in range(6)]


def _changed(change):
    return lambda p: lambda q, qd, dt: change(_slopes(p, (q, qd, dt)))


def _fit(columns):
    def of(p):
        q, qd, qdd, tau = p.measured
        return np.linalg.lstsq(np.array(columns(q, qd, qdd)).T, tau, rcond=None)[0]

    return of


def _fits(p, at, value):
    """No other parameters fit much better: what is left over goes along with no column."""
    value = np.ravel(value)
    if value.size != 3:
        return "Three numbers are asked for: J, b, w."
    q, qd, qdd, tau = p.measured
    left = tau - np.array([qdd, qd, np.cos(q)]).T @ value
    if np.sqrt(np.mean(left**2)) > 0.1:
        return "The residual is far larger than the noise of 0.05 N m."
    for name, column in {"qdd": qdd, "qd": qd, "cos q": np.cos(q)}.items():
        if abs(column @ left) > 2e-3 * (column @ column):
            return f"The residual still goes along with {name}: use all 60 measurements, and round to four decimals or more."
    return None


def _angle(p, times, sign=1.0):
    t, x, path, rk4 = np.linspace(0.0, 2.0, 201), np.zeros(2), [0.0], _rk4((1, 2, 2, 1), 1.0)
    for _ in t[1:]:
        x = rk4(lambda s: np.array([s[1], _rate(p, s[0], 0.0, sign)]), x, t[1])
        path.append(x[0])
    return np.interp(times, t, path)


def _closed_loop(p, control):
    """Return the function start -> torques (STEPS, 2) that the controller gives along its own motion."""

    def run(start):
        q, qd, torques = np.array(start), np.zeros(2), []
        for k in range(STEPS):
            tau = np.array(control(k * DT, q.copy(), qd.copy()), dtype=float)
            if tau.size != 2:
                raise ValueError(f"a controller returns two torques, this one returned {tau.size}")
            torques.append(tau.reshape(2))
            if not (abs(tau) <= p.limit * (1 + 1e-9)).all() or abs(qd).max() > 1e3:  # what follows is of no interest
                return np.array(torques + [tau.reshape(2)] * (STEPS - 1 - k))
            q, qd = _move(p, q, qd, tau.reshape(2))
        return np.array(torques)

    return run


def _move(p, q, qd, tau):
    qd = qd + DT * rd.forward_dynamics(p.arm, q, qd, tau)
    return q + DT * qd, qd


def _arrives(p, at, value):
    """The judge moves the arm itself, with the torques that the controller gave."""
    if value.shape != (STEPS, 2):
        return "A torque is missing."
    beyond = abs(value).max(axis=1) > p.limit * (1 + 1e-9)
    if beyond.any():
        return f"The torques go beyond the limit, first {beyond.argmax() * DT:.2f} s after the start."
    q, qd, places, rates = np.array(at[0]), np.zeros(2), [], []
    for tau in value:
        q, qd = _move(p, q, qd, tau)
        places.append(q - p.goal)
        rates.append(qd)
        if not abs(qd).max() < 1e3:
            return f"The arm turns faster and faster: over 1000 rad/s after {len(rates) * DT:.2f} s."
    far, fast, jumps = (
        abs(np.array(places)).max(axis=1)[-50:],
        abs(np.array(rates[-50:])).max(),
        np.diff(value[-50:], axis=0),
    )
    if fast > 0.1 and ((jumps[1:] * jumps[:-1] < 0).mean(axis=0) > 0.8).any():
        return "The torques jump back and forth from call to call: the gains are too high for 10 ms between two calls."
    if fast > 0.1 and abs(np.mean(places[-150:], axis=0)).max() > 0.5:
        return "The arm still moves in the last half second, far from the goal: what drives it there, what holds its weight?"
    if fast > 0.1:
        return f"The arm still moves in the last half second, up to {fast:.2g} rad/s: it swings and lacks damping, or it comes late."
    if far.max() > 0.02 and far[-1] < 0.98 * far[0]:
        return f"The arm is still on its way in the last half second, {far.max():.2g} rad away: it comes too slowly."
    if far.max() > 0.02:
        return f"The arm rests {far.max():.2g} rad beside the goal: at the goal itself your torques do not balance gravity."
    return None


QUESTIONS = {
    "euler-step": Question(
        "one explicit Euler step",
        inputs=_steps,
        shape=(2,),
        laws=(laws.same_as("It is not the state plus dt times its rates, at the old state.", lambda p, at: [at[0] + at[1] * at[3], at[1] + _rate(p, at[0], at[2]) * at[3]]),),
        mistakes={
            "the position moves with the new rate: that is the semi-implicit step": lambda p: lambda q, qd, tau, dt: [q + (qd + _rate(p, q, tau) * dt) * dt, qd + _rate(p, q, tau) * dt],
            "gravity has the opposite sign": lambda p: lambda q, qd, tau, dt: [q + qd * dt, qd + _rate(p, q, tau, -1.0) * dt],
            "gravity is missing": lambda p: lambda q, qd, tau, dt: [q + qd * dt, qd + _rate(p, q, tau, 0.0) * dt],
            "the two entries are in the other order": lambda p: lambda q, qd, tau, dt: [qd + _rate(p, q, tau) * dt, q + qd * dt],
            "those are the rates: the new state is the old one plus dt times them": lambda p: lambda q, qd, tau, dt: [qd, _rate(p, q, tau)],
            "the step dt is missing": lambda p: lambda q, qd, tau, dt: [q + qd, qd + _rate(p, q, tau)],
        },
        hints=("Solve the equation of motion for qdd.", "Compute qdd at the old state first.", "Both entries change by dt times their rate, and both rates are those of the old state."),
    ),
    "rk4-step": Question(
        "one classical Runge-Kutta step",
        inputs=_systems,
        shape=(2,),
        laws=(laws.same_as("It is not the classical fourth-order step.", lambda p, at: _rk4((1, 2, 2, 1), 1.0)(*at)),),
        mistakes={
            "that is the Euler step": lambda p: _rk4((1, 0, 0, 0), 1.0),
            "the slopes in the middle count twice: the weights are 1, 2, 2, 1": lambda p: _rk4((1, 1, 1, 1), 1.0),
            "the last slope is that of the full step": lambda p: _rk4((1, 2, 2, 1), 0.5),
        },
        hints=("Four slopes: at the start, twice in the middle, at the end.", "Each uses the slope before it.", "The mean of the four slopes has the weights 1, 2, 2, 1; the last slope is taken a whole step on."),
    ),
    "linearize": Question(
        "Jacobian of the Euler step",
        inputs=_places,
        shape=(2, 2),
        laws=(laws.same_as("It is not the derivative of the step by the state.", _slopes),),
        mistakes={
            "the sign of the derivative of the cosine": _changed(lambda A: A * [[1, 1], [-1, 1]]),
            "the identity is missing: the new state is the old one plus a change": _changed(lambda A: A - np.eye(2)),
            "that is the Jacobian of the rates: a step of dt is asked for": lambda p: lambda q, qd, dt: (_slopes(p, (q, qd, dt)) - np.eye(2)) / dt,
            "dt is missing in the second row": _changed(lambda A: A + (A[1, 0] / A[0, 1] - A[1, 0]) * np.array([[0, 0], [1, 0]])),
            "the mass cancels: it has no part in the fall": lambda p: lambda q, qd, dt: _slopes(p, (q, qd, dt)) * [[1, 1], [1 / p.mass, 1]],
            "transposed: rows are outputs, columns are inputs": _changed(lambda A: A.T),
        },
        hints=("The step is x + dt f(x).", "Its derivative is the identity plus dt df/dx.", "Test it with a difference quotient of your Euler step."),
    ),
    "unstable-pole": Question(
        "how fast the upright pendulum falls",
        tolerance=1e-4,
        laws=(laws.same_as("A small deviation of your pendulum does not grow at that rate.", lambda p, at: math.sqrt(9.81 / p.length), 1e-4, of_g=0.5),),
        mistakes={
            "that is its square": lambda p: 9.81 / p.length,
            "that is the time constant, its inverse": lambda p: math.sqrt(p.length / 9.81),
            "the mass has no part in it": lambda p: math.sqrt(9.81 / (p.mass * p.length)),
            "in turns a second: 1/s are asked for, and nothing turns": lambda p: math.sqrt(9.81 / p.length) / (2 * math.pi),
        },
        hints=("Linearize around q = pi / 2.", "With q = pi/2 + e the cosine is about -e: the deviation obeys e'' = (a number) e.", "Put exp(s t) in: s stands squared, and the growing solution has the positive one."),
    ),
    "identify": Question(
        "parameters from measurements",
        shape=(3,),
        judged="laws",
        laws=(_fits,),
        mistakes={
            "sine for cosine: the angle is measured from the x axis": _fit(lambda q, qd, qdd: [qdd, qd, np.sin(q)]),
            "the order is inertia, friction, weight: J, b, w": lambda p: _fit(lambda q, qd, qdd: [np.cos(q), qd, qdd])(p),
            "the order is inertia, friction, weight: the first two are exchanged": _fit(lambda q, qd, qdd: [qd, qdd, np.cos(q)]),
            "friction is left out": lambda p: np.insert(_fit(lambda q, qd, qdd: [qdd, np.cos(q)])(p), 1, 0.0),
            "degrees: the angle is in rad": _fit(lambda q, qd, qdd: [qdd, qd, np.cos(np.radians(q))]),
        },
        hints=("The torque is linear in the three parameters.", "One row a measurement: qdd, qd, cos q.", "NumPy has np.linalg.lstsq; test: the residual should look like noise of 0.05 N m."),
    ),
    "plot-fall": Question(
        "a plot of a fall",
        shape=None,
        judged="laws",
        laws=(
            laws.plot_of(
                "The line is not the motion of your pendulum, released at rest from the horizontal.", 0.0, 2.0, _angle, lambda p: 0.05,
                {"It falls upward: gravity has the opposite sign.": lambda p, x: _angle(p, x, -1.0), "The angle is in degrees: rad are asked for.": lambda p, x: np.degrees(_angle(p, x))},
                ("s", "rad"),
            ),
        ),
        hints=("The pendulum starts at q = 0, qd = 0, without torque.", "Use your Runge-Kutta step with dt = 0.01 s.", "ax.plot(t, q), with words and units at both axes."),
    ),
    "controller": Question(
        "a controller that reaches a goal",
        inputs=lambda p, draw: [(np.zeros(2) + draw.vector(2, -0.4, 0.4),) for _ in range(2)],
        shape=None,
        judged="laws",
        wrap=_closed_loop,
        laws=(_arrives,),
        hints=("Start with a spring to the goal and damping.", "Add rd.gravity_torque(p.arm, q), so that the goal is a rest position.", "Limit with np.clip. Gains that suit the heavy joint make the light one tremble between two calls: let M(q) scale them."),
    ),
}  # fmt: skip
