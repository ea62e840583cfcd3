"""Wrong answers to the questions of "unknown", and words that the check should find for each: material for tests."""

ROW = """
def row(q, qd, qdd):
    slope = {"horizontal": 0.0, "upward": math.pi / 2, "downward": -math.pi / 2}[p.zero.split()[-1]]
    (theta, r), (w, v), (a, b), d = q, qd, qdd, p.offset
    c, s, g = math.cos(theta + slope), math.sin(theta + slope), 9.81
    turning = (r**2 + d**2) * a - d * b + 2 * r * v * w + g * (r * c - d * s)
    sliding = b - d * a - r * w**2 + g * s
    return np.array([[g * c, a, turning, 2 * r * a + 2 * v * w + g * c], [0, 0, sliding, -(w**2)]])
"""
TWIN = """
(m_1, m_2), (c_1, c_2), (i_1, i_2), (n_1, n_2), l = p.masses, p.coms, p.inertias, p.others, p.lengths[0]
outer = m_2 * c_2 / n_2
inner = (m_1 * c_1 + (m_2 - n_2) * l) / n_1
twin = [inner, i_1 + m_1 * c_1**2 + (m_2 - n_2) * l**2 - n_1 * inner**2, outer, i_2 + m_2 * c_2**2 - n_2 * outer**2]
"""
SPACING = """
step, rate = math.tau / 2**p.bits, math.tau * p.frequency
spacing = (12 * step / (p.swing * rate**4)) ** (1 / 4)
"""
FIT = """
beta = ...
slow, fast = (np.loadtxt(text.splitlines(), delimiter=",", skiprows=1) for text in (p.slow, p.fast))
clean = rd.identification.Recording(fast[:, 0], np.radians(fast[:, 1:3]), fast[:, 3:]).filtered(10)
(a, b), (u, v), (x, y), none, l, g = clean.q.T, clean.qd.T, clean.qdd.T, 0 * clean.t, p.arm[0], 9.81
first = l * (np.cos(b) * (2 * x + y) - np.sin(b) * (2 * u * v + v**2)) + g * np.cos(a + b)
second = l * (np.cos(b) * x + np.sin(b) * u**2) + g * np.cos(a + b)
shoulder = np.array([g * np.cos(a), x, first, x + y, u, none, np.sign(u), none]).T
elbow = np.array([none, none, second, x + y, none, v, none, np.sign(v)]).T
beta = np.linalg.lstsq(np.vstack([shoulder, elbow]), clean.tau.T.ravel(), rcond=None)[0]
"""
RAW = FIT.replace(
    "(a, b), (u, v)",
    "from types import SimpleNamespace\n"
    "q, h = np.radians(fast[:, 1:3]), 0.005\n"
    "qd = np.gradient(q, h, axis=0)\n"
    "clean = SimpleNamespace(t=fast[:, 0], q=q, qd=qd, qdd=np.gradient(qd, h, axis=0), tau=fast[:, 3:])\n"
    "(a, b), (u, v)",
)
SUMS = "length, (first, second, third, fourth) = p.sums\n"
EXISTS = """
def exists(ten):
    m, first, (xx, yy, zz, xy, xz, yz) = ten[0], ten[1:4], ten[4:]
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    second = np.trace(inertia) / 2 * np.eye(3) - inertia
    pseudo = np.block([[second, first[:, None]], [first, np.array([m])]])
    return bool(np.linalg.eigvalsh(pseudo)[0] > 0)
"""

WRONG = {
    "row": [
        (ROW.replace("math.pi / 2", "0.0").replace('"horizontal": 0.0', '"horizontal": math.pi / 2'), "that counts from"),
        (ROW.replace("d = q, qd, qdd, p.offset", "d = q, qd, qdd, 0.0"), "at the distance of the offset"),
        (ROW.replace("qdd, p.offset", "qdd, -p.offset"), "on the other side"),
        (ROW.replace("+ 2 * r * v * w", "+ r * v * w").replace("+ 2 * v * w", "+ v * w"), "has the factor 2"),
        (ROW.replace("- r * w**2", "+ r * w**2").replace("-(w**2)", "w**2"), "presses outward"),
        (ROW.replace("9.81", "0.0"), "Gravity is missing"),
        (ROW.replace("9.81", "-9.81"), "Gravity has the opposite sign"),
        (ROW.replace("+ 2 * v * w", ""), "column of m2 c2, at what it adds to the torque of the guide at steady rates"),
        (ROW.replace("b - d * a", "b"), "column of m2, at what it adds to the force on the slider when it accelerates"),
        (ROW.replace("+ d**2", ""), "column of m2, at what it adds to the torque of the guide when it accelerates"),
        (ROW.replace("return np.array(", "return np.transpose("), "Is it transposed"),
    ],
    "alike": [
        (TWIN + "twin = [c_1, i_1, c_2, i_2]", "old centers"),
        (TWIN.replace("(m_2 - n_2) * l) / n_1", "0) / n_1").replace("(m_2 - n_2) * l**2", "0"), "carries the forearm's mass, too"),
        (TWIN.replace("m_2 - n_2", "n_2 - m_2"), "sign of the difference of masses"),
        (TWIN.replace(" - n_1 * inner**2", "").replace(" - n_2 * outer**2", ""), "about the centers of mass are asked for"),
        (TWIN.replace("i_1 + m_1 * c_1**2", "i_1").replace("i_2 + m_2 * c_2**2", "i_2"), "bring them to the joints first"),
        (TWIN.replace("* l**2", "* l"), "square of its distance"),
        (TWIN + "twin[3] *= 2", "inertia of the forearm about the elbow"),
        (TWIN + "twin = twin[:2]", "a list of 4 numbers"),
    ],
    "seen": [
        ("counts = [4, 4, 4, 4]", "Fewer combinations show there"),
        ("counts = [0, 0, 0, 0]", "(a) More combinations show there"),
        ("counts = [9, 9, 9, 9]", "No experiment shows more than four"),
        ("counts = [1.5, 2, 2, 2]", "whole numbers"),
    ],
    "spacing": [
        (SPACING.replace("math.tau * p.frequency", "p.frequency"), "turned into rad/s first"),
        (SPACING + "spacing = 1000 * spacing", "seconds are asked for"),
        (SPACING.replace("12 * step", "12 * 12**0.5 * step"), "over 12"),
        (SPACING.replace("p.swing * ", ""), "size of the swing"),
        (SPACING.replace("rate**4", "rate**2"), "fourth power"),
        (SPACING.replace("** (1 / 4)", "** (1 / 2)"), "that is its square"),
        (SPACING + "spacing = 1.005 * spacing", "round later"),
        ("spacing = 0.0001", "the noise weighs more"),
    ],
    "excite": [
        ("plan = [[0, 1, 1, 0], [0, 3, 1, 0]]", "its limits are"),
        ("plan = [[0, 1, 9, 0], [0, 1, 1, 0]]", "amplitude times rate"),
        ("plan = [[-1.2, 0.4, 1, 0], [0, 0.1, 1, 0]]", "hits the table"),
        ("plan = [[0.5, 0.3, 1, 0], [0.5, 0.3, 1, 0]]", "The condition number is"),
        ("plan = [[0, 57, 1, 0], [0, 57, 1, 0]]", "are these degrees"),
        ("plan = [[0, 0, 1, 0], [0, 0, 1, 0]]", "does not show at all"),
        ("plan = [[0, 1, 1, 0]]", "2 by 4 numbers"),
    ],
    "identify": [
        (FIT + "beta = np.append(np.linalg.lstsq(np.vstack([shoulder, elbow])[:, :4], clean.tau.T.ravel(), rcond=None)[0], [0, 0, 0, 0])", "It has no friction"),
        (FIT.replace("g = clean", "g = clean").replace(", 9.81\n", ", -9.81\n"), "the sign of gravity"),
        (FIT.replace(", 9.81\n", ", 1.0\n"), "too large by g"),
        (FIT + "beta = -beta", "opposite sign"),
        (FIT + "beta = beta[[1, 0, 3, 2, 4, 5, 6, 7]]", "The order is that"),
        (FIT + "beta[4:] = -beta[4:]", "drives the arm"),
        (FIT + "beta[3] = -0.01", "no two bodies"),
        (FIT + "beta[:] = 0.8 * beta", "Worst"),
        (RAW, "as noise in the accelerations makes them"),
        (FIT.replace("np.radians(fast[:, 1:3])", "fast[:, 1:3]"), "On a motion that it has not seen"),
    ],
    "range": [
        (SUMS + "masses = [0, second / length**2]", "not that about the elbow"),
        (SUMS + "masses = [third**2 / fourth, first / length]", "only its inertia is bound"),
        (SUMS + "masses = [third / fourth, second / length**2]", "The first moment is squared"),
        (SUMS + "masses = [fourth / third**2, second / length**2]", "upside down"),
        (SUMS + "masses = [third**2 / fourth, (second - fourth) / length**2]", "no part of that"),
        (SUMS + "masses = [second / length**2, third**2 / fourth]", "least comes first"),
    ],
    "is-a-body": [
        ("def exists(ten):\n    return True", "refuses nothing of what was tried"),
        ("def exists(ten):\n    return False", "accepts nothing of what was tried"),
        ("def exists(ten):\n    return bool(ten[0] > 0 and min(ten[4:7]) > 0)", "Your test accepts"),
        (EXISTS.replace("return bool(np.linalg.eigvalsh(pseudo)[0] > 0)", "return bool(m > 0 and np.linalg.eigvalsh(second)[0] > 0)"), "although none is about the origin"),
        (EXISTS.replace("return bool(", "return 2 * bool("), "True or False"),
        (EXISTS.replace("/ 2 * np.eye", "* np.eye"), "Your test accepts"),
    ],
}  # fmt: skip
