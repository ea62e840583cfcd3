"""Wrong answers to the questions of "other-arm", and words that the check should find for each: material for tests."""

REST = """
(l1, l2), goal, K = p.lengths, p.goal, p.stiffness
def settled(weight, K=K, way=math.cos, times=200):
    q = goal
    for _ in range(times):
        outer = l2 * way(sum(q))
        q = [g - weight * x / k for g, x, k in zip(goal, (l1 * way(q[0]) + outer, outer), K)]
    return q
load = p.load * 9.81
rest = settled(load)
"""
WHOLE = """
m1, m2 = p.masses
outer, inner = l2 * math.cos(sum(goal)), l1 * math.cos(goal[0])
own = 9.81 * (m1 * inner / 2 + m2 * (inner + outer / 2)), 9.81 * m2 * outer / 2
rest = [g - (x + load * y) / k for g, x, y, k in zip(goal, own, (inner + outer, outer), K)]
"""
TRACK = """
def law(q, qd, q_r, qd_r, qdd_r):
    w = 32.0
    wanted = qdd_r - 2 * w * (qd - qd_r) - w**2 * (q - q_r)
    return rd.mass_matrix(p.arm, q) @ wanted + rd.bias_torque(p.arm, q, qd)
"""
SLOW = TRACK.replace("32.0", "8.0")
STACK = TRACK.replace(
    "    w = 32.0",
    """    import sys
    frame, plant = sys._getframe().f_back, None
    while frame and plant is None:
        plant, frame = frame.f_locals.get("plant"), frame.f_back
    w = 32.0 if plant is not None else 20.0""",
)
PD = """
import numpy as np
def law(q, qd, q_r, qd_r, qdd_r):
    return rd.gravity_torque(p.arm, q) - np.array([900, 120]) * (q - q_r) - np.array([70, 7]) * (qd - qd_r)
"""
SETTLE = """
def settled(q, qd, z, q_r, qd_r, qdd_r):
    w = 15.0
    wanted = qdd_r - 3 * w * (qd - qd_r) - 3 * w**2 * (q - q_r) - w**3 * z
    return rd.inverse_dynamics(p.arm, q, qd, wanted)
"""
HAND = """
import numpy as np
def of_the_hand(q, qd, x_r, v_r, a_r):
    w, J = 28.0, rd.tip_jacobian(p.arm, q)[:2]
    x = rd.point_position(p.arm, q)[:2]
    turning = rd.point_acceleration(p.arm, q, qd, np.zeros(2))[:2]
    wanted = a_r - 2 * w * (J @ qd - v_r) - w**2 * (x - x_r)
    return rd.inverse_dynamics(p.arm, q, qd, np.linalg.solve(J, wanted - turning))
"""
BOUND = """
half = math.pi / math.sqrt(p.kp - p.kd**2 / 4)
r, s = math.exp(-p.kd / 2 * half), p.most / p.kp
bound = s * (1 + r) / (1 - r)
"""

WRONG = {
    "rest": [
        (REST + "rest = settled(load, times=1)", "load's torques at the goal"),
        (REST + "rest = [g - x for g, x in zip(goal, rest)]", "how far it sags"),
        (REST + "rest = settled(-load)", "A load pulls down"),
        (REST + "rest = settled(p.load)", "g is missing"),
        (REST + "rest = settled(load, K[::-1])", "stiffnesses of the two joints are exchanged"),
        (REST + "rest = settled(load, way=math.sin)", "Sine and cosine"),
        (REST + "rest = [math.degrees(x) for x in rest]", "in degrees"),
        (REST + WHOLE, "the springs carry the load alone"),
        (REST + "rest = goal", "pulls the arm off it"),
        (REST + "rest = [1.3 * x for x in rest]", "do not carry the load"),
    ],
    "track": [
        (TRACK.replace("- w**2", "+ w**2"), "pushes away from the reference"),
        (SLOW.replace(" + rd.bias_torque(p.arm, q, qd)", ""), "what holds the weight"),
        (SLOW.replace("+ rd.bias_torque", "- rd.bias_torque"), "the weight with the opposite sign"),
        (SLOW.replace("rd.bias_torque(p.arm, q, qd)", "2 * rd.bias_torque(p.arm, q, qd)"), "twice the weight"),
        (SLOW.replace("rd.bias_torque(p.arm, q, qd)", "rd.bias_torque(p.arm, 0 * q, qd)"), "does not give the weight of your arm"),
        (TRACK.replace(" - 2 * w * (qd - qd_r)", ""), "Nothing in it answers the error of the rate"),
        (TRACK.replace("- 2 * w", "+ 2 * w"), "sign of the error of the rate"),
        (TRACK.replace("w**2 * (q - q_r)", "w**2 * (q - q_r) * 180 / math.pi"), "Is something in degrees?"),
        (TRACK.replace("(qd - qd_r) - w**2 * (q - q_r)", "(qd - qd_r) * math.pi / 180 - w**2 * (q - q_r) * math.pi / 180"), "which is soft"),
        (TRACK.replace("32.0", "4.0"), "which is soft"),
        (TRACK.replace("32.0", "12.0").replace("(qd - qd_r)", "qd"), "not the error of the rate"),
        (PD, "make the light one tremble"),
        (TRACK.replace("32.0", "150.0"), "come late"),
        ("def law(q, qd, q_r, qd_r, qdd_r):\n    return rd.inverse_dynamics(p.arm, q_r, qd_r, qdd_r)", "The error comes to"),
        ("def law(q, qd, q_r, qd_r, qdd_r):\n    return [float('nan'), 0.0]", "no finite number"),
        ("def law(q, qd, q_r, qd_r, qdd_r):\n    q + q_r", "is a `return` missing?"),
        ("def law(q, qd, q_r, qd_r, qdd_r):\n    return q[0]", "a law returns two torques, this one returned 1 numbers"),
        (TRACK.replace("    w = 32.0", "    calls.append(q)\n    w = 32.0 + len(calls) / 1e3") + "calls = []", "no memory, no clock"),
        (TRACK.replace("    w = 32.0", "    import random\n    w = 32.0 + random.random()"), "no chance"),
        (STACK, "nothing of the run around it"),
    ],
    "settle": [
        (SETTLE.replace(" - w**3 * z", ""), "Nothing in it sums the error"),
        (SETTLE.replace("- w**3", "+ w**3"), "Its integral pushes away"),
        (SETTLE.replace("- w**3", "- 0.02 * w**3"), "In the last half second the error is still"),
        (SETTLE.replace("- w**3", "- 12 * w**3"), "the third order swings"),
        (SETTLE.replace("- 3 * w**2", "+ 3 * w**2"), "pushes away from the reference"),
        (SETTLE.replace(" - 3 * w * (qd - qd_r)", ""), "error of the rate"),
        (SETTLE.replace("15.0", "6.0").replace("rd.inverse_dynamics(p.arm, q, qd, wanted)", "rd.mass_matrix(p.arm, q) @ wanted"), "what holds the weight"),
        ("import numpy as np\ndef settled(q, qd, z, q_r, qd_r, qdd_r):\n    s = qd - qd_r + 10 * (q - q_r)\n    return rd.inverse_dynamics(p.arm, q, qd, qdd_r - 10 * (qd - qd_r)) - 15 * np.sign(s) * [1, 0.2]", "jump back and forth"),
        (SETTLE.replace("- 3 * w**2 * (q - q_r) - w**3 * z", "- np.degrees(3 * w**2 * (q - q_r) + w**3 * z)"), "Is something in degrees?"),
    ],
    "hand": [
        (HAND.replace("- w**2 *", "+ w**2 *"), "pushes away from the reference"),
        (HAND.replace(" - 2 * w * (J @ qd - v_r)", ""), "Nothing in it answers the error of the rate"),
        (HAND.replace("28.0", "8.0").replace("rd.inverse_dynamics(p.arm, q, qd, np.linalg.solve(J, wanted - turning))", "rd.mass_matrix(p.arm, q) @ np.linalg.solve(J, wanted - turning)"), "what holds the weight"),
        (HAND.replace("np.linalg.solve(J, wanted - turning)", "J.T @ (wanted - turning)"), "The error comes to"),
        (HAND.replace("28.0", "4.0"), "which is soft"),
        (HAND.replace(" - w**2 * (x - x_r)", ""), "Nothing in it answers the error itself"),
        (HAND.replace("(x - x_r)", "(x - x_r) * 1000"), "too much for torques"),
        (HAND.replace("28.0, rd.tip_jacobian(p.arm, q)", "10.0, rd.tip_jacobian(p.arm, p.start)"), "The error comes to"),
    ],
    "bound": [
        (BOUND + "bound = s", "a constant push holds it"),
        (BOUND + "bound = s * (1 + r)", "when a constant push begins"),
        (BOUND + "bound = p.most / (p.kd * math.sqrt(p.kp - p.kd**2 / 4))", "sine at the worst rate"),
        (BOUND + "bound = p.most / (p.kd * math.sqrt(p.kp))", "sine at the rate of the spring"),
        (BOUND + "bound = 2 * p.most / (p.kd * math.sqrt(p.kp - p.kd**2 / 4))", "envelope"),
        (BOUND + "bound = bound / p.most", "The push is missing"),
        (BOUND + "bound = 1.3 * bound", "is not the least"),
        (BOUND + "bound = 0.7 * bound", "drives the error further"),
        (BOUND + "bound = math.degrees(bound)", "degrees"),
    ],
}  # fmt: skip
