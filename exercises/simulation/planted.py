"""Wrong answers to the questions of "simulation", and words that the check should find for each: material for tests."""

STEP = """
def step(q, qd, tau, dt):
    qdd = (tau - p.mass * 9.81 * p.length * np.cos(q)) / (p.mass * p.length**2)
    return [q + qd * dt, qd + qdd * dt]
"""
RK4 = """
def runge_kutta(rates, x, dt):
    k1 = rates(x)
    k2 = rates(x + k1 * dt / 2)
    k3 = rates(x + k2 * dt / 2)
    k4 = rates(x + k3 * dt)
    return x + dt * (k1 + 2 * k2 + 2 * k3 + k4) / 6
"""
JACOBIAN = """
def jacobian(q, qd, dt):
    return np.array([[1.0, dt], [dt * 9.81 / p.length * np.sin(q), 1.0]])
"""
FIT = "q, qd, qdd, tau = p.measured\nparameters = np.linalg.lstsq(np.column_stack([qdd, qd, np.cos(q)]), tau, rcond=None)[0]"
PLOT = """
pendulum = rd.robots.planar((p.length,), (p.mass,))
motion = rd.simulate(pendulum, [0.0], [0.0], t=np.linspace(0, 2, 201))
fig, ax = plt.subplots()
ax.plot(motion.t, motion.q[:, 0])
ax.set_xlabel("time (s)")
ax.set_ylabel("angle (rad)")
plt.close(fig)
"""
CONTROL = """
def control(t, q, qd):
    tau = rd.mass_matrix(p.arm, q) @ (25 * (p.goal - q) - 10 * qd) + rd.bias_torque(p.arm, q, qd)
    return np.clip(tau, -p.limit, p.limit)
"""

PRESS = """
m, b, k, share = p.press
ringing = [b * (1 + share) / m, (k * (1 + share) / m) ** 0.5]"""
WRONG = {
    "euler-step": [
        (STEP.replace("q + qd * dt,", "q + (qd + qdd * dt) * dt,"), "semi-implicit"),
        (STEP.replace("tau -", "tau +"), "gravity has the opposite sign"),
        (STEP.replace(" * dt", ""), "dt is missing"),
        (STEP.replace("p.length", "0.81"), "at the old state"),
        (STEP.replace("[q + qd * dt, qd + qdd * dt]", "[qd + qdd * dt, q + qd * dt]"), "in the other order"),
        (STEP.replace("[q + qd * dt, qd + qdd * dt]", "[qd, qdd]"), "those are the rates"),
    ],
    "rk4-step": [
        (RK4.replace("(k1 + 2 * k2 + 2 * k3 + k4) / 6", "k1"), "Euler step"),
        (RK4.replace("(k1 + 2 * k2 + 2 * k3 + k4) / 6", "(k1 + k4) / 2"), "have no part in it"),
        (RK4.replace("k1 * dt / 2", "k1 * dt / 3").replace("k2 * dt / 2", "(k2 - k1 / 3) * dt").replace("k3 * dt", "(k1 - k2 + k3) * dt").replace("(k1 + 2 * k2 + 2 * k3 + k4) / 6", "(k1 + 3 * k2 + 3 * k3 + k4) / 8"), "another step of order four"),
        (RK4.replace("(k1 + 2 * k2 + 2 * k3 + k4) / 6", "(k1 + k2 + k3 + k4) / 4"), "1, 2, 2, 1"),
        (RK4.replace("k3 * dt", "k3 * dt / 2"), "full step"),
        (RK4.replace("(k1 + 2 * k2 + 2 * k3 + k4) / 6", "k2"), "classical fourth-order"),
    ],
    "halved": [
        ("guess = 0", "numbers from 1 to 3"),
        ("guess = 4", "numbers from 1 to 3"),
        ("guess = 1.5", "numbers from 1 to 3"),
        ("guess = [1, 3]", "should be one number"),
    ],
    "growth-of-swing": [
        ("percent = 100 * ((1 + p.step * (9.81 / p.length) ** 0.5) ** 500 - 1)", "their squares add up, not they"),
        ("percent = 100 * ((1 + p.step**2 * 9.81 / p.length) ** 1000 - 1)", "square of the size"),
        ("percent = 100 * 500 * p.step**2 * 9.81 / p.length", "a power, not a product"),
        ("percent = 100 * ((1 + p.step**2 * 9.81 / p.length) ** 0.5 - 1)", "that is one step"),
        ("percent = 100 * (1 + p.step**2 * 9.81 / p.length) ** 500", "how much it grows"),
        ("percent = (1 + p.step**2 * 9.81 / p.length) ** 500 - 1", "percent are asked for"),
        ("percent = 0.0", "by another part"),
    ],
    "linearize": [
        ("def jacobian(q, qd, dt):\n    from scipy.linalg import expm\n    return expm(dt * np.array([[0, 1], [9.81 / p.length * np.sin(q), 0]]))", "exact motion of the linearized rates"),
        (JACOBIAN.replace("[dt * 9.81", "[-dt * 9.81"), "derivative of the cosine"),
        (JACOBIAN.replace("1.0", "0.0"), "identity is missing"),
        (JACOBIAN.replace("]])", "]]).T"), "transposed"),
        (JACOBIAN.replace("np.sin", "np.cos"), "derivative of the step"),
        ("def jacobian(q, qd, dt):\n    return np.array([[0.0, 1.0], [9.81 / p.length * np.sin(q), 0.0]])", "Jacobian of the rates"),
        (JACOBIAN.replace("[dt * 9.81", "[9.81"), "dt is missing"),
        (JACOBIAN.replace("9.81 / p.length", "9.81 / (p.mass * p.length)"), "mass cancels"),
    ],
    "unstable-pole": [
        ("growth = 1 + p.step * (9.81 / p.length) ** 0.5", "by what a step multiplies"),
        ("growth = 9.81 / p.length", "its square"),
        ("import math\ngrowth = math.sqrt(p.length / 9.81)", "time constant"),
        ("import math\ngrowth = math.sqrt(9.81 / (p.mass * p.length))", "mass has no part"),
        ("growth = 3.0", "does not grow at that rate"),
        ("import math\ngrowth = math.sqrt(9.81 / p.length) / (2 * math.pi)", "in turns a second"),
        ("import math\ngrowth = [math.sqrt(9.81 / p.length), -math.sqrt(9.81 / p.length)]", "one number; it has the shape (2,)"),
    ],
    "identify": [
        (FIT.replace("np.cos", "np.sin"), "sine for cosine"),
        (FIT + "[::-1]", "order is inertia"),
        (FIT.replace("np.linalg.lstsq(", "np.linalg.solve(").replace("), tau, rcond=None)[0]", ")[:3], tau[:3])"), "met exactly"),
        ("q, qd, qdd, tau = p.measured\nparameters = np.array([qdd, qd, np.cos(q)]) @ tau", "which it is divided by, is missing"),
        (FIT.replace("np.cos(q)", "np.cos(np.radians(q))"), "degrees"),
        ("parameters = [0.5, 0.3, 6.0]", "residual"),
        (FIT.replace("[qdd, qd,", "[qd, qdd,"), "first two are exchanged"),
        (FIT.replace("p.measured", "(x[:3] for x in p.measured)"), "use all 60 measurements"),
        (FIT + "[:2]", "a list of 3 numbers"),
    ],
    "plot-fall": [
        (PLOT.replace("(p.mass,))", "(p.mass,), gravity=-9.81)"), "falls upward"),
        (PLOT.replace("motion.q[:, 0])", "np.degrees(motion.q[:, 0]))"), "degrees"),
        (PLOT.replace("201))", '21), method="euler")'), "explicit Euler steps of 100 ms"),
        (PLOT.replace('ax.set_ylabel("angle (rad)")', ""), "Words are missing"),
        (PLOT.replace("linspace(0, 2, 201)", "linspace(0, 1, 101)"), "from 0 to 2,"),
    ],
    "controller": [
        ("def control(t, q, qd):\n    return [np.nan, np.nan]", "what is no number"),
        (CONTROL.replace("rd.bias_torque(p.arm, q, qd)", "0.0"), "beside the goal"),
        (CONTROL.replace("- 10 * qd", "- 0.3 * qd"), "lacks damping"),
        (CONTROL.replace("25 *", "4 *").replace("10 *", "4 *"), "comes too slowly"),
        (CONTROL.replace("25 * (p.goal - q)", "25 * (0.5 * p.goal - q)"), "do your torques balance gravity"),
        ("def control(t, q, qd):\n    return np.zeros(2)", "what holds its weight"),
        ("def control(t, q, qd):\n    return 5.0", "two torques"),
        ("def control(t, q, qd):\n    return [p.limit, -p.limit]", "faster and faster"),
        ("def control(t, q, qd):\n    return np.clip(rd.gravity_torque(p.arm, q) + 40 * (p.goal - q) - 20 * qd, -60, 60)", "back and forth"),
        (CONTROL.replace("25 *", "900 *").replace("10 *", "60 *").replace("np.clip(tau, -p.limit, p.limit)", "tau"), "beyond the limit"),
        ("def control(t, q, qd):\n    return 900 * (q - p.goal)", "beyond the limit, first 0.00 s"),
    ],
    "press": [
        (PRESS.replace("b * (1 + share) / m", "b / m"), "lets the integral go further"),
        (PRESS.replace("b * (1 + share) / m", "b * k * (1 + share) / m"), "stiffness stands on both sides"),
        (PRESS.replace("(1 + share)", "share"), "1 + k_p times its force"),
        (PRESS.replace("(k * (1 + share) / m)", "(k / m)"), "The gain is right; it rings at another rate. The proportional part is one more spring"),
        (PRESS.replace("** 0.5", "** 0.5 / 6.283185307179586"), "In Hz"),
        (PRESS + "[::-1]", "in the other order: the gain first"),
        (PRESS + "[:1]", "a list of 2 numbers"),
    ],
}  # fmt: skip
