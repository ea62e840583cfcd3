"""Wrong answers to the questions of "two-link", and words that the check should find for each: material for tests."""

K = "k = m2 * l1 * lc2 * sp.sin(q2)\n"
ACCELERATION = """
def acceleration(q, qd, tau):
    (a, _), (m_1, m_2), (c_1, c_2), (i_1, i_2) = p.lengths, p.masses, p.coms, p.inertias
    k, s = m_2 * a * c_2 * np.cos(q[1]), m_2 * a * c_2 * np.sin(q[1])
    end = i_2 + m_2 * c_2**2
    mass = np.array([[i_1 + m_1 * c_1**2 + m_2 * a**2 + end + 2 * k, end + k], [end + k, end]])
    velocity = np.array([-s * (2 * qd[0] * qd[1] + qd[1] ** 2), s * qd[0] ** 2])
    second = m_2 * c_2 * 9.81 * np.cos(q[0] + q[1])
    gravity = np.array([(m_1 * c_1 + m_2 * a) * 9.81 * np.cos(q[0]) + second, second])
    return np.linalg.solve(mass, tau - velocity - gravity)
"""
M = "m22 = I2 + m2 * lc2**2\nc = m2 * l1 * lc2 * sp.cos(q2)\nm11 = I1 + m1 * lc1**2 + m22 + m2 * l1**2 + 2 * c\n"

SQUARE = "l1**2*qd1**2 + lc2**2*(qd1 + qd2)**2"

WRONG = {
    "tip-velocity": [
        ("v = [-l1*qd1*sp.sin(q1) - l2*qd2*sp.sin(q2), l1*qd1*sp.cos(q1) + l2*qd2*sp.cos(q2)]", "from the x axis"),
        (
            "v = [-l1*qd1*sp.sin(q1) - l2*qd2*sp.sin(q1 + q2), l1*qd1*sp.cos(q1) + l2*qd2*sp.cos(q1 + q2)]",
            "rate qd1 + qd2",
        ),
        ("v = [-l1*qd1*sp.sin(q1), l1*qd1*sp.cos(q1)]", "time derivative"),
        (
            "v = [-l1*qd1*sp.sin(q1) - lc2*(qd1 + qd2)*sp.sin(q1 + q2), l1*qd1*sp.cos(q1) + lc2*(qd1 + qd2)*sp.cos(q1 + q2)]",
            "not at its center of mass",
        ),
        (
            "v = [l1*qd1*sp.cos(q1) + l2*(qd1 + qd2)*sp.cos(q1 + q2), -l1*qd1*sp.sin(q1) - l2*(qd1 + qd2)*sp.sin(q1 + q2)]",
            "in the other order",
        ),
        (
            "v = [l1*qd1*sp.sin(q1) + l2*(qd1 + qd2)*sp.sin(q1 + q2), l1*qd1*sp.cos(q1) + l2*(qd1 + qd2)*sp.cos(q1 + q2)]",
            "sign of the derivative",
        ),
    ],
    "mass-matrix": [
        (M + "M = sp.Matrix([[m11 - m2*l1**2, m22 + c], [m22 + c, m22]])", "m2 l1^2 is missing"),
        (M.replace("cos", "sin") + "M = sp.Matrix([[m11, m22 + c], [m22 + c, m22]])", "sine in place of cosine"),
        (M + "M = sp.Matrix([[m11, m22 - c], [m22 + c, m22]])", "not symmetric: entries (1, 2) and (2, 1)"),
        (M + "M = sp.Matrix([[m11 - c, m22 + c], [m22 + c, m22]])", "half of the coupling"),
        (M + "M = sp.Matrix([[m11, m22 + c], [m22 + c, m22 + I1]])", "kinetic energy"),
        (M + "M = sp.Matrix([[m11 - I2, m22 + c], [m22 + c, m22]])", "I2 is missing in entry (1, 1)"),
        (M + "M = sp.Matrix([[m11 + m1*l1**2, m22 + c], [m22 + c, m22]])", "where joint 1 moves alone"),
        (M + "M = sp.Matrix([[m11, m22], [m22, m22]])", "where the joints move together"),
        (M + "M = sp.Matrix([[m11, m22 + c]])", "2 by 2 formulas; it has the shape (1, 2)"),
        (M + "M = sp.Matrix([[m11, m22 + c], [m22 + c, m22]]).subs({l1: 0.69, m2: 0.92, lc2: 0.314})", "kinetic energy"),
    ],
    "gravity": [
        ("G = [-(m1*lc1 + m2*l1)*g*sp.cos(q1) - m2*lc2*g*sp.cos(q1 + q2), -m2*lc2*g*sp.cos(q1 + q2)]", "opposite sign"),
        ("G = [(m1*lc1 + m2*l1)*g*sp.cos(q1) + m2*lc2*g*sp.cos(q2), m2*lc2*g*sp.cos(q2)]", "relative angles"),
        ("G = [m1*lc1*g*sp.cos(q1) + m2*lc2*g*sp.cos(q1 + q2), m2*lc2*g*sp.cos(q1 + q2)]", "m2 l1 is missing"),
        ("G = [(m1*lc1 + m2*l1)*g*sp.sin(q1) + m2*lc2*g*sp.sin(q1 + q2), m2*lc2*g*sp.sin(q1 + q2)]", "sine for cosine"),
        ("G = [m2*lc2*g*sp.cos(q1 + q2), (m1*lc1 + m2*l1)*g*sp.cos(q1) + m2*lc2*g*sp.cos(q1 + q2)]", "in the other order"),
        ("G = [(m1*lc1 + m2*l1)*g*sp.cos(q1) + m2*l2*g*sp.cos(q1 + q2), m2*l2*g*sp.cos(q1 + q2)]", "not at the tip"),
        ("G = [m1*lc1*g*sp.cos(q1), m2*lc2*g*sp.cos(q1 + q2)]", "dU/dq"),
    ],
    "velocity-terms": [
        (K + "h = [k*(2*qd1*qd2 + qd2**2), -k*qd1**2]", "opposite sign"),
        (K + "h = [-k*(qd1*qd2 + qd2**2), k*qd1**2]", "factor 2"),
        (K + "h = [-2*k*qd1*qd2, k*qd1**2]", "qd2^2 in the first row"),
        (K + "h = [-k*(2*qd1*qd2 + qd2**2), k*qd2**2]", "Christoffel"),
        (K + "h = [-k*(2*qd1*qd2 + qd2**2), -k*qd1*qd2]", "power check fails"),
        (K + "h = sp.Matrix([[-k*qd2, -k*(qd1 + qd2)], [k*qd1, 0]])", "a list of 2 formulas"),
    ],
    "find-the-error": [
        ("right = qd1 + qd2", "as it is printed"),
        (f"right = {SQUARE} + 2*l1*lc2*qd1*(qd1 + qd2)*sp.cos(q1 + q2)", "as it is printed"),
        (f"right = {SQUARE} + 2*l1*lc2*qd1*qd2*sp.cos(q2)", "left side of the misprinted line"),
        (f"right = {SQUARE} + 2*l1*lc2*qd1*(qd1 + qd2)*sp.sin(q2)", "left side of the misprinted line"),
    ],
    "forward-dynamics": [
        (ACCELERATION.replace("- gravity", "+ gravity"), "sign of g"),
        (ACCELERATION.replace("end = i_2 + m_2 * c_2**2", "end = i_2").replace("i_1 + m_1 * c_1**2 + m_2 * a**2 + end + 2 * k, end + k], [end + k", "i_1 + end, end], [end"), "inertia about a joint is not its own"),
        (ACCELERATION.replace("[end + k, end]]", "[0, end]]"), "entry (2, 1) is not zero"),
        (ACCELERATION.replace("- velocity", ""), "velocity terms are missing"),
        (ACCELERATION.replace("def acceleration(q, qd, tau):", "def acceleration(q, qd, tau):\n    q = np.radians(q)"), "degrees"),
        (ACCELERATION.replace("- gravity", ""), "gravity is missing"),
        (ACCELERATION.replace("np.linalg.solve(mass, tau - velocity - gravity)", "(tau - velocity - gravity) / np.diag(mass)"), "whole matrix"),
        (ACCELERATION.replace("p.lengths, p.masses", "(0.69, 0.63), (3.42, 0.92)"), "not the torque that was applied"),
        ("def acceleration(q, qd, tau):\n    return np.zeros(3)", "a list of 2 numbers; it has the shape (3,)"),
    ],
    "holding-torque": [
        ("largest = 9.81 * (p.masses[0]*p.coms[0] + p.masses[1]*p.coms[1])", "l1 + lc2 from joint 1"),
        ("largest = 9.81 * (p.masses[0]*p.lengths[0] + p.masses[1]*sum(p.lengths))", "not with the centers of mass"),
        ("largest = p.masses[0]*p.coms[0] + p.masses[1]*(p.lengths[0] + p.coms[1])", "without g"),
        ("largest = 33.3", "another torque"),
        ("largest = -9.81 * (p.masses[0]*p.coms[0] + p.masses[1]*(p.lengths[0] + p.coms[1]))", "opposite sign"),
    ],
}  # fmt: skip
