"""Wrong answers to the questions of "hands", and words that the check should find for each: material for tests."""

ELBOW = """
import cmath
upper, fore = cmath.exp(1j * p.q[0]), cmath.exp(1j * sum(p.q))
joint = 9.81j + p.lengths[0] * upper * (1j * p.qdd[0] - p.qd[0] ** 2)
force = p.masses[1] * (joint + p.coms[1] * fore * (1j * sum(p.qdd) - sum(p.qd) ** 2))
moment = p.inertias[1] * sum(p.qdd) + p.coms[1] * (fore.conjugate() * force).imag
elbow = [force.real, force.imag, moment]
"""
WRENCHES = """
def wrenches(q, qd, qdd):
    angle = omega = alpha = 0.0
    a = np.array([0.0, 9.81])
    links = []
    for i in range(2):
        angle, omega, alpha = angle + q[i], omega + qd[i], alpha + qdd[i]
        along = np.array([np.cos(angle), np.sin(angle)])
        across = np.array([-along[1], along[0]])
        F = p.masses[i] * (a + p.coms[i] * (alpha * across - omega**2 * along))
        links.append((along, F, p.inertias[i] * alpha))
        a = a + p.lengths[i] * (alpha * across - omega**2 * along)
    cross = lambda a, b: a[0] * b[1] - a[1] * b[0]
    found, f, n = [], np.zeros(2), 0.0
    for i in (1, 0):
        along, F, N = links[i]
        n = N + p.coms[i] * cross(along, F) + n + p.lengths[i] * cross(along, f)
        f = F + f
        found.insert(0, [f[0], f[1], n])
    return np.array(found)
"""
SOUND = """
def sound(tau):
    zero, unit, step = np.zeros(2), np.eye(2), 1e-5
    mass = lambda q: np.array([tau(q, zero, e) - tau(q, zero, zero) for e in unit]).T
    q, qd = np.array([0.3, 0.8]), np.array([1.1, -0.6])
    M, weight = mass(q), tau(q, zero, zero)
    slopes = np.array([tau(q + step * e, zero, zero) - tau(q - step * e, zero, zero) for e in unit]) / (2 * step)
    gained = (mass(q + step * qd) - mass(q - step * qd)) / (2 * step)
    power = qd @ (tau(q, qd, zero) - weight) - qd @ gained @ qd / 2
    even = abs(M - M.T).max() < 1e-6
    potential = abs(slopes - slopes.T).max() < 1e-4
    return even and potential and np.linalg.eigvalsh(M)[0] > 0 and abs(power) < 1e-4
"""
PIN = "e, n = sp.Matrix([sp.cos(q1), sp.sin(q1)]), sp.Matrix([-sp.sin(q1), sp.cos(q1)])\n"
PLOT = """
angle = np.linspace(0, 180, 181)
way = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
mobility = rd.task_space.mobility(p.arm, np.array(p.q), directions=[(1, 0, 0), (0, 1, 0)])
fig, ax = plt.subplots()
ax.plot(angle, 1 / (way * (mobility @ way)).sum(axis=0))
ax.set_xlabel("direction of the push (°)")
ax.set_ylabel("effective mass (kg)")
plt.close(fig)
"""
TORQUE = """
def torque(q, qd, a):
    J, M = rd.tip_jacobian(p.long, q)[:2], rd.mass_matrix(p.long, q)
    drift = rd.point_acceleration(p.long, q, qd, np.zeros(3))[:2]
    needed = a - drift + J @ np.linalg.solve(M, rd.bias_torque(p.long, q, qd))
    return J.T @ np.linalg.solve(J @ np.linalg.solve(M, J.T), needed)
"""
BLOW = """
import math
(a, b), (m_1, m_2), (c_1, c_2), (i_1, i_2) = p.lengths, p.masses, p.coms, p.inertias
m22 = i_2 + m_2 * c_2**2
m12 = m22 + m_2 * a * c_2 * math.cos(p.q[1])
m11 = i_1 + m_1 * c_1**2 + m_2 * a**2 + 2 * m12 - m22
size = m11 * m22 - m12**2
x2, y2 = -b * math.sin(sum(p.q)), b * math.cos(sum(p.q))
x1, y1 = x2 - a * math.sin(p.q[0]), y2 + a * math.cos(p.q[0])
xx = (m22 * x1**2 - 2 * m12 * x1 * x2 + m11 * x2**2) / size
yy = (m22 * y1**2 - 2 * m12 * y1 * y2 + m11 * y2**2) / size
xy = (m22 * x1 * y1 - m12 * (x1 * y2 + x2 * y1) + m11 * x2 * y2) / size
"""
POSE = """
_, joints = rd.link_poses(p.long, np.zeros(3))
l1, l2 = np.linalg.norm(np.diff(joints, axis=0), axis=1)
l3 = np.linalg.norm(rd.point_position(p.long, np.zeros(3)) - joints[-1])
shapes = []
for last in np.linspace(-np.pi, np.pi, 721):
    wrist = complex(*p.place) - l3 * np.exp(1j * last)
    cosine = (abs(wrist) ** 2 - l1**2 - l2**2) / (2 * l1 * l2)
    if abs(cosine) < 1:
        for elbow in (np.arccos(cosine), -np.arccos(cosine)):
            first = np.angle(wrist / (l1 + l2 * np.exp(1j * elbow)))
            shapes.append([first, elbow, last - first - elbow])
masses = rd.effective_mass(p.long, np.array(shapes), (1, 0, 0))
"""

BEARS = "p.masses[1] * p.coms[1] / (p.masses[0] * p.coms[0] + p.masses[1] * p.lengths[0])"
LEAN = f"import math\nlean = math.acos(-{BEARS})\n"

WRONG = {
    "elbow": [
        (ELBOW.replace("9.81j + ", ""), "The weight is missing"),
        (ELBOW.replace("9.81j", "-9.81j"), "Gravity has the opposite sign"),
        (ELBOW.replace("1j * sum(p.qdd) - sum(p.qd) ** 2", "1j * p.qdd[1] - p.qd[1] ** 2"), "sum of both rates"),
        (ELBOW.replace("+ p.lengths[0] * upper", "+ 0 * upper"), "The elbow accelerates, too"),
        (ELBOW.replace("- p.qd[0]", "+ p.qd[0]").replace("- sum", "+ sum"), "sign of the square of the rate"),
        (ELBOW.replace("cmath.exp(1j * sum(p.q))", "cmath.exp(1j * p.q[1])"), "sum of both"),
        (ELBOW.replace("p.coms[1] * fore * (", "p.lengths[1] * fore * ("), "not of the far end"),
        (ELBOW.replace("p.masses[1] * (", "("), "the mass is missing"),
        (ELBOW.replace("+ p.coms[1] * (fore.conjugate() * force).imag", ""), "has a moment about the elbow, too"),
        (ELBOW.replace("p.inertias[1] * sum(p.qdd) + ", ""), "the forearm also turns faster"),
        (ELBOW.replace("p.inertias[1] * sum(p.qdd)", "p.inertias[1] * p.qdd[1]"), "is the sum of both joints"),
        (ELBOW + "elbow = [-x for x in elbow]", "opposite sign"),
        (ELBOW + "elbow = elbow[:2]", "a list of 3 numbers"),
    ],
    "shoulder-at-rest": [
        ("import math\npose = [math.pi / 2, 0.0]", "smallest torque of joint 2"),
        ("pose = [0.0, 0.0]", "the one that shall hold nothing"),
        (LEAN + "pose = [math.pi - lean, lean - math.pi]", "balance the other"),
        (LEAN + "pose = [lean, 0.0]", "measured from link 1"),
        (LEAN + "pose = [math.degrees(lean), -math.degrees(lean)]", "were they in degrees"),
        (f"import math\nhalf = math.acos(-0.5 * {BEARS})\npose = [half, math.pi / 3 - half]", "in some of them joint 2 holds more"),
        ("pose = [1.0, 1.0]", "How must link 2 lie"),
        (LEAN.replace("+ p.masses[1] * p.lengths[0]", "") + "pose = [lean, -lean]", "The elbow carries the forearm"),
        ("pose = [0.3]", "should be a list of 2 numbers"),
    ],
    "find-the-bug": [
        ("space = {'np': np, 'p': p}\nexec(p.program, space)\nwrenches = space['wrenches']", "as it is printed"),
        (WRENCHES.replace("9.81", "0.0"), "The force of joint 2 is not the right one at rest"),
        (WRENCHES.replace("N + p.coms", "p.coms"), "The moment of joint 2 is not the right one when it moves"),
        (WRENCHES.replace("a = a + p.lengths[i] * (alpha * across - omega**2 * along)", "pass"), "The force of joint 2 is not the right one at steady rates"),
        (WRENCHES.replace("+ n +", "+"), "The moment of joint 1 is not the right one at rest"),
        (WRENCHES.replace("found.insert(0, [f[0], f[1], n])", "found.append([f[0], f[1], n])"), "The force of joint 2"),
        (WRENCHES.replace("[f[0], f[1], n]", "n"), "2 by 3 numbers"),
    ],
    "write-the-test": [
        ("def sound(tau):\n    return True", "accepts a program in which"),
        ("def sound(tau):\n    return False", "refuses the torques of an arm"),
        (SOUND.replace("abs(M - M.T).max() < 1e-6", "True"), "the mass matrix is not symmetric"),
        (SOUND.replace("np.linalg.eigvalsh(M)[0] > 0 and", ""), "negative kinetic energy"),
        (SOUND.replace("np.linalg.eigvalsh(M)[0] > 0", "M.diagonal().min() > 0"), "negative kinetic energy"),
        (SOUND.replace(" and abs(power) < 1e-4", ""), "another power than half of dM/dt"),
        (SOUND.replace("abs(slopes - slopes.T).max() < 1e-4", "True"), "slope of no potential energy"),
        (SOUND.replace("power) < 1e-4", "power) < 1e-16"), "is it too strict"),
        (SOUND.replace(" @ qd / 2", " @ qd"), "refuses the torques of an arm"),
        ("def sound(tau):\n    return not any(isinstance(cell.cell_contents, str) for cell in tau.__closure__)", "accepts a program in which"),
    ],
    "at-the-pin": [
        ("A = m1 * sp.eye(2)", "across itself it feels lighter"),
        (PIN + "A = m1 * n * n.T + e * e.T / (1 / m1 + lc1**2 / I1)", "along and across are exchanged"),
        (PIN + "A = e * e.T / m1 + n * n.T * (1 / m1 + lc1**2 / I1)", "the inverse"),
        (PIN + "A = m1 * e * e.T + n * n.T * (m1 + I1 / lc1**2)", "turns about the pin"),
        (PIN + "A = m1 * e * e.T + n * n.T * (m1 - m1**2 * lc1**2 / I1)", "the pin sees I + m lc^2"),
        ("A = sp.diag(m1, 1 / (1 / m1 + lc1**2 / I1))", "axes of the rod, not of the base"),
        (PIN + "A = m1 * e * e.T - n * n.T / (1 / m1 + lc1**2 / I1)", "For a push across the rod"),
        (PIN + "A = m1 * e * e.T + n * n.T * I1 / lc1**2", "that is the turning alone"),
        (PIN + "A = n * n.T / (1 / m1 + lc1**2 / I1)", "Along the rod nothing turns"),
        ("A = m1 / (1 + m1 * lc1**2 / I1)", "2 by 2 formulas"),
        (PIN + "A = m1 * e * e.T + n * n.T * (m1 + m1**2 * lc1**2 / (I1 + m1 * lc1**2))", "takes a part of the mass away"),
        (PIN + "A = m1 * e * e.T + n * n.T * (m1 - m1**2 * lc1 / (I1 + m1 * lc1**2))", "the lever arm is squared in what the turning takes away"),
        (PIN + "A = m1 * e * e.T + n * n.T * (m1 - m1 * lc1**2 / (I1 + m1 * lc1**2))", "the mass is squared in what the turning takes away"),
    ],
    "plot-mass": [
        (PLOT.replace("1 / (way * (mobility @ way))", "(way * (np.linalg.inv(mobility) @ way))"), "the mass in a slot"),
        (PLOT.replace("1 / (way", "(way"), "the mass is its reciprocal"),
        (PLOT.replace("ax.plot(angle,", "ax.plot(np.radians(angle),"), "The line should run from 0 to 180"),
        (PLOT.replace("np.radians(angle)), ", "np.radians(angle) + sum(p.q)), ").replace("np.radians(angle))]", "np.radians(angle) + sum(p.q))]"), "counted from the forearm"),
        (PLOT.replace("(kg)", ""), "do not name its unit, kg"),
    ],
    "hand-torque": [
        (TORQUE.replace("rd.bias_torque(p.long, q, qd)", "rd.coriolis_matrix(p.long, q, qd) @ qd"), "the weight is missing"),
        (TORQUE.replace("rd.bias_torque(p.long, q, qd)", "rd.gravity_torque(p.long, q)"), "velocity terms of the joints are missing"),
        (TORQUE.replace("a - drift", "a"), "the part Jdot qd is missing"),
        (TORQUE.replace("a - drift", "a + drift"), "the sign of Jdot qd"),
        (TORQUE.replace("return J.T @ np.linalg.solve(J @ np.linalg.solve(M, J.T), needed)", "return M @ np.linalg.pinv(J) @ (a - drift) + rd.bias_torque(p.long, q, qd)"), "mass has no part in that choice"),
        (TORQUE.replace("return J.T", "return np.array([1.0, -0.5, 0.2]) - J.T @ np.linalg.solve(J @ np.linalg.solve(M, J.T), J @ np.linalg.solve(M, np.array([1.0, -0.5, 0.2]))) + J.T"), "they push at something else, too"),
        (TORQUE.replace("return J.T @", "return 2 * J.T @"), "does not accelerate as wanted"),
        (TORQUE.replace("return J.T @", "return"), "a list of 3 numbers"),
    ],
    "blow": [
        (BLOW + "P = (1 + p.bounce) * p.speed / ((xx * yy - xy**2) / yy + 1 / p.head)", "its mass in a slot"),
        (BLOW + "P = (1 + p.bounce) * p.speed / xx", "against a wall"),
        (BLOW + "P = p.speed / (xx + 1 / p.head)", "more than the speed at which they met"),
        (BLOW + "P = (1 - p.bounce) * p.speed / (xx + 1 / p.head)", "coefficient of restitution taken away"),
        (BLOW + "P = (1 + p.bounce) * p.speed / (1 / (m_1 + m_2) + 1 / p.head)", "their whole mass"),
        (BLOW + "P = (1 + p.bounce) * p.speed * (1 / xx + p.head)", "by their reciprocals"),
        (BLOW + "P = -(1 + p.bounce) * p.speed / (xx + 1 / p.head)", "opposite sign"),
        (BLOW + "P = 1.005 * (1 + p.bounce) * p.speed / (xx + 1 / p.head)", "round later"),
        (BLOW.replace("2 * m12 - m22", "m12") + "P = (1 + p.bounce) * p.speed / (xx + 1 / p.head)", "In entry (1, 1) of M the coupling counts half"),
    ],
    "gentle-pose": [
        ("pose = [0.1, 0.2, 0.3]", "m from its place: 1 mm is allowed"),
        (POSE + "pose = shapes[int(np.argmax(masses))]", "bend the arm in another way"),
        (POSE + "pose = shapes[int(np.argmin(masses))][::-1]", "in the other order"),
        (POSE + "pose = -np.array(shapes[int(np.argmin(masses))])", "the opposite sign, or the place is mirrored"),
        (POSE.replace("(*p.place)", "(*p.place[::-1])") + "pose = shapes[0]", "x and y of the place are exchanged"),
        (POSE + "pose = np.degrees(shapes[int(np.argmin(masses))])", "rad are asked for"),
        (POSE + "pose = np.cumsum(shapes[int(np.argmin(masses))])", "they should be relative"),
        ("pose = [0.1, 0.2]", "a list of 3 numbers"),
    ],
}  # fmt: skip
