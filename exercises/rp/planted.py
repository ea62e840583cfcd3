"""Wrong answers to the questions of "rp", and words that the check should find for each: material for tests."""

TORQUE = """
def torque(q, qd, qdd):
    (m_1, m_2), (i_1, i_2) = p.masses, p.inertias
    turn = (i_1 + i_2 + m_1 * p.com**2 + m_2 * q[1] ** 2) * qdd[0] + 2 * m_2 * q[1] * qd[0] * qd[1]
    slide = m_2 * qdd[1] - m_2 * q[1] * qd[0] ** 2
    weight = (m_1 * p.com + m_2 * q[1]) * 9.81 * np.cos(q[0]), m_2 * 9.81 * np.sin(q[0])
    return np.array([turn + weight[0], slide + weight[1]])
"""
M = "M = sp.Matrix([[I1 + I2 + m1*lc1**2 + m2*q2**2, 0], [0, m2]])"
PLOT = """
angle = np.linspace(-np.pi, np.pi, 181)
fig, ax = plt.subplots()
ax.plot(angle, (p.masses[0] * p.com + p.masses[1] * p.reach) * 9.81 * np.cos(angle))
ax.set_xlabel("angle (rad)")
ax.set_ylabel("holding torque (N m)")
plt.close(fig)
"""

TURNS = "before, after = (sum(p.inertias) + p.masses[0]*p.com**2 + p.masses[1]*r**2 for r in (p.reach, p.near))\n"

WRONG = {
    "mass-matrix": [
        (M.replace(" + m2*q2**2", ""), "grows with its distance"),
        (M.replace("I1 + I2", "I1"), "I2 is missing"),
        (M.replace("0, m2]", "0, m2 + I2]"), "entry (2, 2) is a mass"),
        (M.replace("q2**2", "q2"), "squared"),
        (M.replace("[0, m2]", "[m2, m2]"), "not symmetric"),
        (M.replace("q2**2", "(lc1 + q2)**2"), "counted from joint 1"),
        (M.replace("0, m2]", "0, m1 + m2]"), "where joint 2 moves alone"),
        (M.replace(", 0], [0, m2", ", m2*q2], [m2*q2, m2"), "where the joints move together"),
    ],
    "pull-in": [
        ("guess = 0", "numbers from 1 to 3"),
        ("guess = 4", "numbers from 1 to 3"),
        ("guess = 1.5", "numbers from 1 to 3"),
        ("guess = [1, 3]", "should be one number"),
    ],
    "pull-in-work-done": [
        (TURNS + "work = (after - before) * p.spin**2 / 2", "the angular momentum does"),
        (TURNS + "work = after * (p.spin * after / before)**2 / 2 - before * p.spin**2 / 2", "and the rate larger"),
        (TURNS + "work = (before * p.spin)**2 / after / 2", "what the pull adds"),
        (TURNS + "work = before * p.spin**2 / 2 - (before * p.spin)**2 / after / 2", "opposite sign"),
        ("work = p.masses[1] * (p.reach * p.spin)**2 / 2 * ((p.reach / p.near)**2 - 1)", "all that turns"),
        (TURNS + "work = (before * p.spin)**2 * (1 / after - 1 / before)", "twice as large"),
        ("work = 33.3", "kinetic energy of your arm gains"),
    ],
    "coriolis-matrix": [
        ("C = sp.Matrix([[m2*q2*qd2, m2*q2*qd1], [m2*q2*qd1, 0]])", "outward"),
        ("C = sp.Matrix([[2*m2*q2*qd2, 0], [-m2*q2*qd1, 0]])", "the choice is not"),
        ("C = 2*sp.Matrix([[m2*q2*qd2, m2*q2*qd1], [-m2*q2*qd1, 0]])", "factor 1/2"),
        ("C = sp.Matrix([[0, m2*q2*qd1], [-m2*q2*qd1, 0]])", "velocity part of the torque"),
    ],
    "find-the-error": [
        ("right = m2*q2*qd1**2", "as it is printed"),
        ("right = m2*g*sp.sin(q1)", "as it is printed"),
        ("right = -2*m2*q2*qd1*qd2", "do not give the slider's equation"),
        ("right = 3", "do not give the slider's equation"),
    ],
    "inverse-dynamics": [
        (TORQUE.replace("+ weight", "- weight"), "opposite sign"),
        (TORQUE.replace("+ 2 * m_2 * q[1] * qd[0] * qd[1]", "").replace("- m_2 * q[1] * qd[0] ** 2", ""), "velocity terms are missing"),
        (TORQUE.replace("cos(q[0])", "cos(np.radians(q[0]))").replace("sin(q[0])", "sin(np.radians(q[0]))"), "degrees"),
        (TORQUE.replace("p.com", "0.35"), "M qdd + C qd + g"),
        (TORQUE.replace("2 * m_2 * q[1]", "m_2 * q[1]"), "M qdd + C qd + g"),
    ],
    "floating-slider": [
        ("import math\nrate = math.sqrt(9.81 * math.cos(p.angle) / p.reach)", "cosine for sine"),
        ("import math\nrate = 9.81 * math.sin(p.angle) / p.reach", "square of the rate"),
        ("import math\nrate = math.sqrt(9.81 * math.sin(math.radians(p.angle)) / p.reach)", "degrees"),
        ("import math\nrate = -math.sqrt(9.81 * math.sin(p.angle) / p.reach)", "A positive one is asked for"),
        ("import math\nrate = math.sqrt(9.81 / p.reach)", "acceleration of the slider along the link"),
    ],
    "plot-holding": [
        (PLOT.replace("ax.plot(angle, ", "ax.plot(angle, -"), "opposite sign"),
        (PLOT.replace("cos", "sin"), "sine for cosine"),
        (PLOT.replace('ax.set_xlabel("angle (rad)")', ""), "Words are missing"),
        (PLOT.replace("-np.pi, np.pi", "0, np.pi"), "from -3.14 to 3.14"),
        (PLOT.replace("p.masses[0] * p.com +", ""), "weight of link 1"),
        (PLOT.replace("-np.pi, np.pi", "-180, 180").replace("cos(angle)", "cos(np.radians(angle))"), "unit of the x axis"),
        (PLOT.replace("ax.plot(", "ax.axhline(0.0); ("), "from -3.14 to 3.14"),

    ],
}  # fmt: skip
