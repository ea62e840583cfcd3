"""Wrong answers to the questions of "joints", and words that the check should find for each: material for tests."""

FREE = "a, b, c, d = p.chain - 2, sum(p.hands) - 3, p.handle - 4, 6 - p.legs\n"
TIMES = """
fall, omega = p.stiction - p.sliding, math.sqrt(p.spring / p.inertia)
wait, lag = 2 * fall / (p.spring * p.speed), omega * fall / (p.spring * p.speed)
slip = 2 * (math.pi - math.atan(lag)) / omega
"""
ROOT = """
def halved(low, high, rising):
    for _ in range(60):
        x = (low + high) / 2
        low, high = (x, high) if rising(x) < 0 else (low, x)
    return low
def slope(x, size=2):
    return p.viscous - size * (p.stiction - p.sliding) * x / p.width**2 * math.exp(-((x / p.width) ** 2))
"""
SPRING = "low, high = math.tau * p.dip, math.tau * p.peak\n"
HELD = """
def held(M, J, force, drift):
    system = np.block([[M, -J.T], [J, np.zeros((len(J), len(J)))]])
    return np.linalg.solve(system, np.concatenate([force, -drift]))
"""
TABLE = """
(l1, l2), (m_1, m_2), first, second = p.lengths, p.masses, p.q[0], sum(p.q)
m22, m12 = m_2 * l2**2 / 3, m_2 * l2**2 / 3 + m_2 * l1 * l2 / 2 * math.cos(p.q[1])
m11 = m_1 * l1**2 / 3 + m_2 * l1**2 + 2 * m12 - m22
g2 = m_2 * 9.81 * l2 / 2 * math.cos(second)
g1 = (m_1 / 2 + m_2) * 9.81 * l1 * math.cos(first) + g2
size = m11 * m22 - m12**2
through = lambda a, b, c, d: (m22 * a * c - m12 * (a * d + b * c) + m11 * b * d) / size
y2, x2 = l2 * math.cos(second), -l2 * math.sin(second)
y1, x1 = l1 * math.cos(first) + y2, x2 - l1 * math.sin(first)
carried = through(y1, y2, g1, g2) / through(y1, y2, y1, y2)
"""

WRONG = {
    "freedoms": [
        (FREE + "freedoms = [a - 1, b, c, d]", "The pinned chain has another number of freedoms. A pin leaves the hand its angle"),
        (FREE + "freedoms = [a + 2, b, c, d]", "with a free hand"),
        (FREE + "freedoms = [a, b + 1, c, d]", "it is no pin that closes the loop"),
        (FREE + "freedoms = [a, b - 3, c, d]", "fewer numbers than in space"),
        (FREE + "freedoms = [a, b, c - 2, d]", "The handle is no wall"),
        (FREE + "freedoms = [a, b, c - 1, d]", "more than one freedom of its own"),
        (FREE + "freedoms = [a, b, c, 6]", "before any leg is there"),
        (FREE + "freedoms = [a, b, c, d + 0.5]", "whole numbers"),
        (FREE + "freedoms = [a, b, c]", "a list of 4 numbers"),
    ],
    "stick-slip": [
        (TIMES + "times = [p.stiction / (p.spring * p.speed), slip]", "That is the first wait"),
        (TIMES + "times = [wait / 2, slip]", "as far below it as it began above"),
        (TIMES + "times = [2 * fall / p.spring, slip]", "rate of the motor is missing"),
        (TIMES + "times = [wait, math.pi / omega]", "That is half a period"),
        (TIMES + "times = [wait, -2 * math.atan(lag) / omega]", "other branch of the arc tangent"),
        (TIMES + "times = [wait, slip / 2]", "the time is twice as long"),
        (TIMES + "times = [slip, wait]", "After that wait the shaft"),
        (TIMES + "times = [1.004 * wait, slip]", "an error of 0.01 % is allowed"),
    ],
    "slowest": [
        ("slowest = p.width", "width of the curve"),
        ("slowest = p.width / math.sqrt(2)", "friction falls most steeply"),
        (ROOT + "slowest = halved(0.0, p.width / math.sqrt(2), lambda x: -slope(x))", "There friction begins to fall"),
        (ROOT + "slowest = halved(p.width / math.sqrt(2), 1.0, lambda x: slope(x, 1))", "has a factor 2"),
        ("slowest = 0.5", "At that rate friction is not least"),
        (ROOT + "slowest = 1.005 * halved(p.width / math.sqrt(2), 1.0, slope)", "round later"),
        ("slowest = p.width * math.log((p.stiction - p.sliding) / (p.width * p.viscous))", "In the exponential and in its derivative the rate is squared"),
    ],
    "gear": [
        ("N = math.sqrt(p.link / p.rotor)", "best without a load"),
        ("N = p.load / p.motor", "just holds the load"),
        ("N = math.sqrt((p.load / p.motor) ** 2 + p.link / p.rotor) - p.load / p.motor", "counts against the motor"),
        ("N = math.sqrt((p.load / p.motor) ** 2 + p.link / p.rotor)", "root of the quadratic equation is missing"),
        ("N = p.link / p.rotor", "a square root is missing"),
        ("N = math.sqrt(p.link / p.rotor) + p.load / p.motor", "do not simply add up"),
        ("N = 100", "Another ratio accelerates the link faster"),
        ("N = p.load / p.motor + math.sqrt((p.load / p.motor) ** 2 + p.link / p.rotor)\nN = (N * p.motor - p.load) / (p.link + N**2 * p.rotor)", "That is the acceleration of the link"),
    ],
    "soft-joint": [
        ("inertias = [p.stiff / p.dip**2, p.stiff / (p.peak**2 - p.dip**2)]", "turned into rad/s first"),
        (SPRING + "inertias = [p.stiff / low**2, p.stiff / high**2]", "not of the motor alone"),
        (SPRING + "inertias = [p.stiff / (high**2 - low**2), p.stiff / low**2]", "are exchanged"),
        (SPRING + "inertias = [p.stiff / low, p.stiff / (high - low)]", "root of stiffness by inertia"),
        (SPRING + "inertias = [p.stiff / low**2, p.stiff / (high - low) ** 2]", "Squares of frequencies are subtracted"),
        (SPRING + "inertias = [p.stiff * low**2, p.stiff * (high**2 - low**2)]", "has its dip and its peak elsewhere"),
    ],
    "held": [
        (HELD.replace("-J.T", "J.T"), "The multipliers have the opposite sign"),
        (HELD.replace("-drift", "drift"), "the sign of the drift"),
        (HELD.replace("-drift", "0 * drift"), "the drift is missing"),
        (HELD.replace("[[M,", "[[np.eye(len(M)),"), "the mass matrix is missing"),
        (HELD.replace("[force,", "[-force,"), "the forces have the opposite sign"),
        ("def held(M, J, force, drift):\n    return np.linalg.solve(M, force)", "it has the shape (2,)"),
        ("def held(M, J, force, drift):\n    return np.append(np.linalg.solve(M, force), 0 * drift)", "do not keep the constraint"),
        (HELD.replace("np.linalg.solve(", "1.01 * np.linalg.solve("), "do not keep the constraint"),
        ("def held(M, J, force, drift):\n    free = np.linalg.solve(M, force)\n    qdd = free - np.linalg.pinv(J) @ (J @ free + drift)\n    return np.append(qdd, np.linalg.pinv(J.T) @ (M @ qdd - force))", "by the mass matrix, not by a sum of squares"),
    ],
    "table": [
        (TABLE + "carried = g1 / y1", "here the elbow comes down"),
        (TABLE + "carried = 9.81 * (m_1 + m_2)", "all of the weight"),
        (TABLE + "carried = 9.81 * (m_1 + m_2) / 2", "off the table, or into it"),
        (TABLE + "carried = through(y1, y2, g1, g2)", "off the table, or into it"),
        (TABLE + "carried = through(x1, x2, g1, g2) / through(x1, x2, x1, x2)", "force along the table"),
        (TABLE + "carried = -carried", "opposite sign"),
        (TABLE + "carried = carried * 9.8 / 9.81", "g = 9.8 gives it"),
        (TABLE.replace("m_2 * l2**2 / 3", "m_2 * l2**2 * 7 / 12").replace("m_1 * l1**2 / 3", "m_1 * l1**2 * 7 / 12"), "not to a third"),
        (TABLE.replace("9.81 * l2 / 2 * math.cos(second)", "9.81 * l2 / 2 * math.cos(p.q[1])"), "its weight has the lever arm of that angle"),
    ],
    "fade": [
        ("alpha = math.log(p.less) / p.seconds", "alone: they have a double root"),
        ("alpha = math.log(p.less) / (2 * p.seconds)", "twice the rate"),
        ("alpha = math.log10(p.less) / p.seconds", "common logarithm"),
        ("alpha = -3.0", "positive rate"),
        ("alpha = 3.0", "does not fade as asked"),
    ],
}  # fmt: skip
