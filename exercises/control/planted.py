"""Wrong answers to the questions of "control", and words that the check should find for each: material for tests."""

REST = """
def settled(pull, goal=p.goal):
    low, high = -4.0, 4.0
    for _ in range(60):
        q = (low + high) / 2
        low, high = (q, high) if p.stiffness * (goal - q) > pull * math.cos(q) else (low, q)
    return q
pull = p.load * 9.81 * p.reach
rest = settled(pull)
"""
LAW = """
def law(q, qd, z, q_r, qd_r, qdd_r):
    w = p.rate
    wanted = qdd_r - 3 * w * (qd - qd_r) - 3 * w**2 * (q - q_r) - w**3 * z
    return rd.inverse_dynamics(p.arm, q, qd, wanted)
"""
ENERGY = """
def H(q, qd):
    def stored(q):
        x = rd.point_position(p.arm, q)[:2]
        goal = rd.point_position(p.arm, p.place)[:2]
        stretched = x - goal if "hand" in p.springs else q - p.place
        energy = stretched @ (p.K * stretched) / 2
        if "pose" not in p.weight:
            energy += rd.potential_energy(p.arm, q)
        if "goal" in p.weight:
            energy -= rd.gravity_torque(p.arm, p.place) @ q
        return energy
    return rd.kinetic_energy(p.arm, q, qd) + stored(q) - stored(p.place)
"""
PASSIVE = """
def torque(q, qd, q_r, qd_r, qdd_r):
    e, ed = q - q_r, qd - qd_r
    v = qd_r - p.rate * e
    a = qdd_r - p.rate * ed
    s = qd - v
    M, C = rd.mass_matrix(p.arm, q), rd.coriolis_matrix(p.arm, q, qd)
    return M @ a + C @ v + rd.gravity_torque(p.arm, q) - p.damping * s
"""
LEARN = """
def learn(q, qd, q_r, qd_r, qdd_r, a):
    s = qd - qd_r + p.rate * (q - q_r)
    rub = qd if p.friction == "viscous" else qd * abs(qd)
    lever = math.cos(q) if p.zero == "horizontal" else math.sin(q)
    row = np.array([qdd_r - p.rate * (qd - qd_r), rub, lever])
    return np.array([row @ a - p.damping * s, *(-np.array(p.gains) * row * s)])
"""
ENDS = """
row = np.array([math.cos(p.held), math.sin(p.held), 1.0])
way = np.array(p.speeds) * row
ends = np.array(p.first) + way * (p.reading - row @ np.array(p.first)) / (row @ way)
"""
SOFT = """
(l1, l2), first, both, angle = p.lengths, p.pose[0], sum(p.pose), math.radians(p.along)
outer = np.array([-l2 * math.sin(both), l2 * math.cos(both)])
J = np.column_stack([outer + [-l1 * math.sin(first), l1 * math.cos(first)], outer])
turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
K = J.T @ turn @ np.diag([p.soft, p.stiff]) @ turn.T @ J
"""
PUMP = """
def control(q, qd):
    weight, inertia = p.mass * 9.81 * p.length / 2, p.mass * p.length**2 / 3
    off = math.remainder(q - math.pi / 2, math.tau)
    if abs(2 * off + qd * math.sqrt(inertia / weight)) < 0.4 and abs(off) < 0.35:
        tau = -4 * weight * off - 3 * math.sqrt(weight * inertia) * qd
    else:
        missing = weight - inertia * qd**2 / 2 - weight * math.sin(q)
        tau = 20 * missing * qd
    return max(-p.limit, min(p.limit, tau))
"""
PLOT = """
x, w, share = np.linspace(0, 3 * p.bandwidth, 301), p.bandwidth, p.wrong
error = abs((share - 1) * x**2 * p.swing / (share * w**2 - x**2 + 2j * share * w * x))
fig, ax = plt.subplots()
ax.plot(x, error)
ax.set_xlabel("rate (rad/s)")
ax.set_ylabel("error (rad)")
plt.close(fig)
"""

WRONG = {
    "rest": [
        (REST + "rest = p.goal - pull * math.cos(p.goal) / p.stiffness", "load's torque at the goal"),
        (REST + "rest = p.goal - rest", "how far it sags"),
        (REST + "rest = settled(-pull)", "A load pulls down"),
        (REST + "rest = settled(pull / 9.81)", "g is missing"),
        (REST + "rest = settled(pull / p.reach)", "distance of the load is missing"),
        (REST + "rest = math.degrees(rest)", "That is in degrees"),
        (REST + "rest = 1.005 * rest", "round later"),
        ("rest = 3.0", "There the spring does not carry the load"),
    ],
    "longest": [
        ("longest = p.inertia / p.kd", "may overdo it a little"),
        ("longest = max(2 * p.inertia / p.kd, 2 * p.kd / p.kp)", "limit"),
        ("longest = p.kd / p.kp", "runs on a parabola"),
        ("longest = 1000 * min(2 * p.inertia / p.kd, 2 * p.kd / p.kp)", "Milliseconds"),
        ("longest = math.tau * math.sqrt(p.inertia / p.kp)", "the spring's rate is no clock"),
        ("longest = 0.001", "still comes to rest"),
        ("longest = (p.kd - math.sqrt(max(p.kd**2 - 4 * p.kp * p.inertia, 0.0))) / p.kp", "Euler step"),
    ],
    "error-equation": [
        (LAW.replace(" - w**3 * z", ""), "the integral is missing"),
        (LAW.replace("- 3 * w * ", "- 2 * w * ").replace("- 3 * w**2", "- w**2"), "the factors are those of a cube"),
        (LAW.replace("(q - q_r)", "(q_r - q)"), "the sign of the angle's gain"),
        (LAW.replace("wanted = qdd_r", "wanted = 0"), "The acceleration of the reference is missing"),
        (LAW.replace("return rd.inverse_dynamics(p.arm, q, qd, wanted)", "return rd.mass_matrix(p.arm, q) @ wanted"), "when it rests at the goal. The weight is missing"),
        (LAW.replace("return rd.inverse_dynamics(p.arm, q, qd, wanted)", "return wanted + rd.bias_torque(p.arm, q, qd)"), "The mass matrix is missing"),
        (LAW.replace("return rd.inverse_dynamics(p.arm, q, qd, wanted)", "return rd.mass_matrix(p.arm, q_r) @ wanted + rd.bias_torque(p.arm, q_r, qd_r)"), "taken at the reference"),
        (LAW.replace("return rd", "return -rd"), "opposite sign"),
    ],
    "cannot-rise": [
        (ENERGY.replace("rd.kinetic_energy(p.arm, q, qd)", "0"), "The kinetic energy is missing"),
        (ENERGY.replace("rd.kinetic_energy", "2 * rd.kinetic_energy"), "kinetic energy has the factor 1/2"),
        (ENERGY.replace("(p.K * stretched) / 2", "(p.K * stretched)"), "energy of a spring has the factor 1/2"),
        (ENERGY.replace("stretched @ (p.K * stretched) / 2", "0"), "energy of the springs is missing"),
        (ENERGY.replace("energy = ", "energy = rd.potential_energy(p.arm, q) + "), "of the weight too many"),
        (ENERGY.replace(" - stored(p.place)", " - stored(p.place) + 5"), "subtract what it is there"),
        (ENERGY.replace("return rd.kinetic_energy(p.arm, q, qd) + stored(q) - stored(p.place)", "return 2 * (rd.kinetic_energy(p.arm, q, qd) + stored(q) - stored(p.place))"), "not the energy in J"),
        (ENERGY.replace("rd.kinetic_energy(p.arm, q, qd)", "qd @ qd"), "is not the kinetic energy"),
    ],
    "find-the-bug": [
        ("space = {'np': np, 'p': p, 'rd': rd}\nexec(p.program, space)\ntorque = space['torque']", "as it is printed"),
        (PASSIVE.replace("+ rd.gravity", "- rd.gravity"), "when it rests at the goal"),
        (PASSIVE.replace("- p.damping", "+ p.damping"), "is not zero, with an error of the angles alone. The damping drives"),
        (PASSIVE.replace("p.damping * s", "p.damping * ed"), "not the error of the rate alone"),
        (PASSIVE.replace("C @ v", "C @ qd"), "with an error of the rates alone. C multiplies v, not the rate of the arm"),
        (PASSIVE.replace("qdd_r - p.rate * ed", "qdd_r"), "lacks its correction"),
        (PASSIVE.replace(" + rd.gravity_torque(p.arm, q)", ""), "when it rests at the goal. The weight is missing"),
        (PASSIVE.replace(" - p.damping * s", ""), "What the damping should do is missing"),
        (PASSIVE.replace(" - p.damping * s", " - 2 * p.damping * s"), "is not zero, with an error"),
        (PASSIVE.replace("rd.coriolis_matrix(p.arm, q, qd)", "rd.coriolis_matrix(p.arm, q, v)"), "not at v"),
        ("def torque(q, qd, q_r, qd_r, qdd_r):\n    return rd.inverse_dynamics(p.arm, q, qd, qdd_r - 2 * p.rate * (qd - qd_r) - p.rate**2 * (q - q_r))", "That is computed torque"),
    ],
    "learn": [
        (LEARN.replace("*(-np", "*(np"), "They run away"),
        (LEARN.replace("-np.array(p.gains) *", "-"), "The gains are missing"),
        (LEARN.replace("np.array(p.gains) * row", "row / np.array(p.gains)"), "they do not divide"),
        (LEARN.replace(" - p.damping * s", " + p.damping * s"), "The damping drives"),
        (LEARN.replace(" - p.damping * s", ""), "k s is missing"),
        (LEARN.replace("qdd_r - p.rate * (qd - qd_r)", "qdd_r"), "corrected by the rate's error"),
        (LEARN.replace("math.cos(q) if p.zero == \"horizontal\" else math.sin(q)", "math.sin(q) if p.zero == \"horizontal\" else math.cos(q)"), "sine or cosine"),
        (LEARN.replace("qd if p.friction == \"viscous\" else qd * abs(qd)", "qd * abs(qd) if p.friction == \"viscous\" else qd"), "power of the rate"),
        (LEARN.replace("* row * s)", "* row * (qd - qd_r))"), "s, not the error of the rate"),
        (LEARN.replace("* row * s)", "* row * s + a)"), "not the new estimates"),
        (LEARN.replace("qd - qd_r + p.rate * (q - q_r)", "p.rate * (qd - qd_r) + q - q_r", 1), "not the other way round"),
        (LEARN.replace("    return np", "    a = a - np.array(p.gains) * row * s\n    return np"), "not those that a step makes of them"),
    ],
    "what-stays": [
        (ENDS.replace("np.array(p.speeds) * row", "row"), "speeds have a part"),
        (ENDS.replace("np.array(p.speeds) * row", "row / np.array(p.speeds)"), "not less"),
        (ENDS + "ends = row * p.reading / (row @ row)", "shortest solution"),
        (ENDS + "ends = list(p.first)", "first estimates"),
        (ENDS.replace("math.cos(p.held), math.sin(p.held)", "math.sin(p.held), math.cos(p.held)"), "exchanged"),
        (ENDS + "ends = 2 * np.array(p.first) - ends", "the sign"),
        (ENDS + "ends = ends - np.array(p.first)", "not what changed"),
        (ENDS + "ends = ends + [1, 0, -row[0]]", "and so do many others"),
        (ENDS + "ends = 2 + ends", "do not explain the reading"),
    ],
    "hand-springs": [
        (SOFT.replace("[p.soft, p.stiff]", "[p.stiff, p.soft]"), "Soft and stiff are exchanged"),
        (SOFT.replace("K = J.T @", "K = J @").replace("turn.T @ J", "turn.T @ J.T"), "J is transposed"),
        (SOFT.replace("K = J.T @", "K =").replace("turn.T @ J", "turn.T"), "stiffness of the hand"),
        (SOFT.replace("both, angle = p.lengths, p.pose[0], sum(p.pose)", "both, angle = p.lengths, p.pose[0], p.pose[1]"), "sum of both"),
        (SOFT.replace("turn @ np.diag([p.soft, p.stiff]) @ turn.T", "turn.T @ np.diag([p.soft, p.stiff]) @ turn"), "the other way"),
        (SOFT.replace("math.radians(p.along)", "p.along"), "cosines want rad"),
        (SOFT + "K = np.diag(np.diag(K))", "off the diagonal count"),
        (SOFT + "K = np.linalg.inv(K)", "a compliance"),
        (SOFT + "K = K + [[0, 50], [0, 0]]", "this one is not"),
        (SOFT.replace("sum(p.pose)", "p.pose[1]").replace("outer + [", "[", 1), "that is the Jacobian of absolute ones"),
    ],
    "swing-up": [
        (PUMP.replace("max(-p.limit, min(p.limit, tau))", "tau"), "beyond the limit"),
        ("def control(q, qd):\n    return 0.0", "its energy does not grow"),
        (PUMP.replace("20 * missing", "-20 * missing"), "its energy does not grow"),
        (PUMP.replace("abs(off) < 0.35", "False"), "nothing catches it"),
        (PUMP.replace("missing = weight -", "missing = 0.3 * weight -"), "though its energy grows"),
        ("def control(q, qd):\n    return p.limit if qd > 0 else -p.limit", "over and over"),
    ],
    "plot-wrong": [
        (PLOT.replace("(share - 1) * x**2", "share * x**2"), "difference of the inertias"),
        (PLOT.replace("* p.swing ", ""), "as a part of the swing"),
        (PLOT.replace("2j", "1j"), "gain of the rate is 2 w"),
        (PLOT.replace("abs(", "np.angle("), "the size is asked for"),
        (PLOT.replace("+ 2j * share * w * x", ""), "without damping"),
        (PLOT.replace("share * w**2 - x**2 + 2j * share", "w**2 - x**2 + 2j"), "scales the gains as well"),
        (PLOT.replace("ax.plot(x, error)", "ax.plot(x, np.degrees(error))"), "in degrees"),
        (PLOT.replace("(rad)", ""), "do not name its unit, rad"),
        (PLOT.replace("p.wrong\n", "1 / p.wrong\n"), "not the other way"),
    ],
}  # fmt: skip
