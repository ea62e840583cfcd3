"""Wrong answers to the questions of "space", and words that the check should find for each: material for tests."""

SWING = """
mass, length = p.rod
inertia, first = mass * length**2 / 3 + p.bob * length**2, mass * length / 2 + p.bob * length
acceleration = -first * 9.81 * math.sin(p.held) / inertia
reported = math.atan2(9.81 * math.sin(p.held) + p.sensor * acceleration, 9.81 * math.cos(p.held))
"""
PLOT = """
mass, length = p.rod
inertia, first = mass * length**2 / 3 + p.bob * length**2, mass * length / 2 + p.bob * length
tilt = np.linspace(-p.held, p.held, 201)
square = 2 * first * 9.81 * (np.cos(tilt) - np.cos(p.held)) / inertia
acceleration = -first * 9.81 * np.sin(tilt) / inertia
fig, ax = plt.subplots()
ax.plot(tilt, np.arctan2(9.81 * np.sin(tilt) + p.sensor * acceleration, 9.81 * np.cos(tilt) + p.sensor * square))
ax.set_xlabel("true tilt (rad)")
ax.set_ylabel("reported tilt (rad)")
plt.close(fig)
"""
READING = """
def reading(q, qd, qdd):
    d, l = p.head
    s, c = np.sin(q[1]), np.cos(q[1])
    up, tilt, arm = np.array([s, 0, c]), np.array([0, -1, 0]), np.array([l, d, 0])
    w = qd[0] * up + qd[1] * tilt
    wd = qdd[0] * up + qdd[1] * tilt + qd[0] * qd[1] * np.array([c, 0, -s])
    return 9.81 * up + np.cross(wd, arm) + np.cross(w, np.cross(w, arm))
"""
FILTER = """
def step(before, rate, tilt, dt):
    T = math.sqrt(p.deceived / (p.frequency * p.bias))
    return before + rate * dt + (tilt - before) * dt / T
"""
LOOP = """
(mass, radius), ((m1, l1), (m2, l2)) = p.body, p.links
body, arm, shares = mass * radius**2 / 2, m1 + m2, []
for second in (l1 + l2 / 2, l1 - l2 / 2):
    center = (m1 * l1 / 2 + m2 * second) / arm
    own = (m1 * l1**2 + m2 * l2**2) / 12 + m1 * (l1 / 2 - center) ** 2 + m2 * (second - center) ** 2
    J = own + arm * mass / (arm + mass) * center**2
    shares.append(J / (body + J))
turn = (shares[1] - shares[0]) * p.swing
"""
GRAVITY = """
def gravity(axes, points, masses, coms):
    n = len(masses)
    lifts = [[np.cross(axes[k], coms[i] - points[k])[2] if i >= k else 0.0 for i in range(n)] for k in range(n)]
    return 9.81 * np.array(lifts) @ masses
"""
MASS = """
def mass(masses, inertias, rotations, Jv, Jw):
    parts = zip(masses, inertias, rotations, Jv, Jw)
    return sum(m * v.T @ v + w.T @ R @ I @ R.T @ w for m, I, R, v, w in parts)
"""
TERMS = """
h = [2*m*q3*sp.cos(q2)**2*qd1*qd3 - 2*m*q3**2*sp.sin(q2)*sp.cos(q2)*qd1*qd2,
     m*q3**2*sp.sin(q2)*sp.cos(q2)*qd1**2 + 2*m*q3*qd2*qd3,
     -m*q3*sp.cos(q2)**2*qd1**2 - m*q3*qd2**2]
"""

TURNING = """
def times(a, b):
    return np.array([a[0] * b[0] - a[1:] @ b[1:], *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])


def back(a):
    return np.array([a[0], *-a[1:]])


def turning(now, goal, time):
    t = times(goal, back(now))
    t = -t if t[0] < 0 else t
    sine = np.linalg.norm(t[1:])
    return 2 * np.arctan2(sine, t[0]) / sine * t[1:] / time
"""
WRONG = {
    "first-reading": [
        ("reported = p.held", "it is accelerated"),
        (SWING.replace("= -first", "= first"), "takes away from gravity"),
        (SWING.replace(" + p.bob * length**2", "").replace(" + p.bob * length", ""), "the bob falls"),
        (SWING.replace("mass * length**2 / 3 + p.bob * length**2", "(first := mass * length / 2 + p.bob * length)**2 / (mass + p.bob)"), "about the hinge"),
        (SWING + "reported = math.degrees(reported)", "in rad"),
        (SWING + "reported *= -1", "opposite sign"),
        (SWING + "reported *= 1.005", "round later"),
    ],
    "plot-reported": [
        (PLOT.replace("+ p.sensor * square", ""), "centripetal term was missing"),
        (PLOT.replace("+ p.sensor * square", "- p.sensor * square"), "centripetal term has the opposite sign"),
        (PLOT.replace("+ p.sensor * acceleration", ""), "tangential term was missing"),
        (PLOT.replace("+ p.sensor * acceleration", "- p.sensor * acceleration"), "tangential term has the opposite sign"),
        (PLOT.replace("acceleration = -first", "ax.set_xlabel('')\nacceleration = -first").replace("fig, ax = plt.subplots()", "").replace("tilt = np", "fig, ax = plt.subplots()\ntilt = np").replace('ax.set_xlabel("true tilt (rad)")', ""), "Words are missing"),
        (PLOT.replace("np.arctan2(", "np.degrees(np.arctan2(").replace("square))", "square)))"), "in degrees"),
        (PLOT.replace("np.linspace(-p.held", "np.linspace(0"), "should run from"),
    ],
    "reading": [
        (READING.replace("9.81 * up +", "-9.81 * up +"), "gravity has the opposite sign"),
        (READING.replace("9.81 * up +", ""), "does not read zero"),
        (READING.replace(" + np.cross(w, np.cross(w, arm))", ""), "centripetal term is missing"),
        (READING.replace("+ np.cross(w, np", "- np.cross(w, np"), "it points to the axis"),
        (READING.replace("np.cross(wd, arm) + ", ""), "term of the angular acceleration is missing"),
        (READING.replace(" + qd[0] * qd[1] * np.array([c, 0, -s])", ""), "turns the pan axis"),
        (READING.replace("[l, d, 0]", "[l, 0, 0]"), "beside the mast"),
        (READING.replace("[0, -1, 0]", "[0, 1, 0]"), "less free fall, in axes of the link. Look at entry"),
        (READING.replace("return", "return sum(") + ")", "a list of 3 numbers; it is a single one"),
    ],
    "filter": [
        (FILTER.replace("before + rate * dt + (tilt - before) * dt / T", "tilt"), "the tilt alone"),
        (FILTER.replace(" + (tilt - before) * dt / T", ""), "the gyroscope alone"),
        (FILTER.replace("/ T", "/ (T / 5)"), "too much of the deceived tilt gets in"),
        (FILTER.replace("/ T", "/ (T * 5)"), "adds up for too long"),
        (FILTER.replace("rate * dt", "rate"), "a step is short"),
        (FILTER.replace("+ rate", "- rate"), "moves against the arm"),
        (FILTER.replace("(tilt - before) * dt / T", "(tilt / 2 - before) * dt / T"), "weights that add up to less than 1"),
        (FILTER.replace("return before", "before"), "is a `return` missing"),
    ],
    "floating-turn": [
        ("turn = 0.0", "a law for rates"),
        (LOOP + "turn = -shares[0] * p.swing", "way out alone"),
        (LOOP.replace("arm * mass / (arm + mass)", "arm"), "reduced mass"),
        (LOOP.replace(" + arm * mass / (arm + mass) * center**2", ""), "about the shoulder, too"),
        (LOOP.replace("J / (body + J)", "J / body"), "share the angular momentum"),
        (LOOP + "turn = -turn", "opposite sign"),
        (LOOP + "turn = math.degrees(turn)", "in rad"),
    ],
    "gravity": [
        (GRAVITY.replace("return 9.81", "return -9.81"), "the opposite sign"),
        (GRAVITY.replace("i >= k", "i == k"), "not only its own"),
        (GRAVITY.replace("i >= k", "i <= k"), "not those before it"),
        (GRAVITY.replace("i >= k", "i > k"), "its own link, too"),
        (GRAVITY.replace("coms[i] - points[k]", "coms[i]"), "not at the origin"),
        (GRAVITY.replace("[2]", "[1]"), "does not take the work"),
        (GRAVITY.replace("@ masses", "* masses"), "shape (2, 2)"),
    ],
    "mass-matrix": [
        (MASS + "whole = mass\ndef mass(masses, inertias, *arm):\n    return whole(masses, inertias * np.eye(3), *arm)", "what stands off its diagonal"),
        (MASS.replace("R @ I @ R.T", "I"), "axes are mixed"),
        (MASS.replace("R @ I @ R.T", "R.T @ I @ R"), "turns the other way"),
        (MASS.replace("R @ I @ R.T", "R @ I"), "from both sides"),
        (MASS.replace(" + w.T @ R @ I @ R.T @ w", ""), "inertias are missing"),
        (MASS.replace("return", "return 0.5 *"), "the mass matrix has none"),
        (MASS.replace("m * v.T", "v.T"), "kinetic energy where joint 1 moves alone"),
        (MASS.replace("m * v.T @ v + ", ""), "kinetic energy where"),
    ],
    "velocity-terms": [
        ("h = list(p.printed)", "with this list"),
        (TERMS.replace("2*m*q3*sp.cos(q2)**2*qd1*qd3 -", "-"), "with this list, running the mass out costs the turret"),
        (TERMS.replace("2*m*q3*qd2*qd3", "m*q3*qd2*qd3"), "keeps the three rates constant. Look at entry (2)"),
        (TERMS.replace("- m*q3*qd2**2", "+ m*q3*qd2**2"), "Look at entry (3)"),
        (TERMS + "h = [-x for x in h]", "opposite sign"),
        (TERMS + "h = h[:2]", "a list of 3 formulas"),
    ],
    "turning": [
        (TURNING.replace("    t = -t if t[0] < 0 else t\n", ""), "the long way round"),
        (TURNING.replace("times(goal, back(now))", "times(back(now), goal)"), "in axes of the camera"),
        (TURNING.replace("2 * np.arctan2(sine, t[0])", "np.arctan2(sine, t[0])"), "the angle is twice as large"),
        (TURNING.replace("2 * np.arctan2(sine, t[0]) / sine * t[1:]", "2 * t[1:]"), "not half the angle"),
        (TURNING.replace("back(now))", "now)"), "the conjugate of now is missing"),
        (TURNING.replace("times(goal, back(now))", "times(now, back(goal))"), "from the goal to now"),
        (TURNING.replace(" / time", ""), "the time is missing"),
        (TURNING.replace("times(goal, back(now))", "times(np.roll(goal, 1), back(np.roll(now, 1)))"), "comes first in these quaternions"),
    ],
}  # fmt: skip
