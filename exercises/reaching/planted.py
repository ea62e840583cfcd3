"""Wrong answers to the questions of "reaching", and words that the check should find for each: material for tests."""

ELBOWS = """
import math
def elbows(x, y):
    l1, l2 = p.lengths
    c2 = (x**2 + y**2 - l1**2 - l2**2) / (2 * l1 * l2)
    if abs(c2) > 1:
        return None
    poses = []
    for q2 in (math.acos(c2), -math.acos(c2)):
        q1 = math.atan2(y, x) - math.atan2(l2 * math.sin(q2), l1 + l2 * math.cos(q2))
        poses.append([q1, q2])
    return poses
"""
BENT = """
import math
import numpy as np
(l1, l2), q1, both = p.lengths, p.first, p.first + p.bend
x, y = l1 * math.cos(q1) + l2 * math.cos(both), l1 * math.sin(q1) + l2 * math.sin(both)
J = np.array([[-y, -l2 * math.sin(both)], [x, l2 * math.cos(both)]])
e = -p.back * np.array([x, y]) / math.hypot(x, y)
dq = np.linalg.solve(J.T @ J + p.mu**2 * np.eye(2), J.T @ e)
"""
STEP = """
import math
import numpy as np
def step(q, goal):
    x, y, _ = rd.point_position(p.long, q)
    e = np.array([goal[0] - x, goal[1] - y, math.remainder(goal[2] - sum(q), math.tau)])
    J = np.vstack([rd.tip_jacobian(p.long, q)[:2], np.ones(3)])
    mu = p.damping * np.linalg.norm(e)
    return np.linalg.solve(J.T @ J + mu**2 * np.eye(3), J.T @ e)
"""
RATES = """
import numpy as np
def rates(q, v):
    z = -p.pull * (q - np.array(p.middle))
    J = rd.tip_jacobian(p.long, q)[:2]
    P = np.linalg.pinv(J)
    return P @ v + (np.eye(3) - P @ J) @ z
"""
ORDERED = """
import numpy as np
def ordered(q, v, u):
    hand = rd.tip_jacobian(p.long, q)[:2]
    joint = hand - hand[:, 2:]
    first, second = (hand, v), (joint, u)
    if "third joint first" in p.order:
        first, second = second, first
    (J1, v1), (J2, v2) = first, second
    P = np.linalg.pinv(J1)
    N = np.eye(3) - P @ J1
    least = P @ v1
    return least + np.linalg.pinv(J2 @ N, rcond=1e-9) @ (v2 - J2 @ least)
"""
DRIFT = """
import math
missing, rate = 1 - p.share, p.share * p.gain
e_end = 1000 * missing * p.speed / rate
without = p.off + 1000 * missing * p.speed * p.time
kept = e_end + (p.off - e_end) * math.exp(-rate * p.time)
errors = [without, kept]
"""
PUSH = """
import math
fx, fy = math.cos(math.radians(p.along)), math.sin(math.radians(p.along))
turns = [p.pose[0], p.pose[0] + p.pose[1], sum(p.pose)]
x = [length * math.cos(turn) for length, turn in zip(p.three, turns)]
y = [length * math.sin(turn) for length, turn in zip(p.three, turns)]
one = [sum(x[i:]) * fy - sum(y[i:]) * fx for i in range(3)]
most = min(limit / abs(moment) for limit, moment in zip(p.motors, one))
tau = [most * moment for moment in one]
"""
PACE = """
import numpy as np
def accelerations(s, rate):
    start, way, still = np.array(p.start), np.subtract(p.end, p.start), np.zeros(2)
    q = start + s * way
    c = rd.inverse_dynamics(p.arm, q, still, still)
    a = rd.inverse_dynamics(p.arm, q, still, way) - c
    b = rd.inverse_dynamics(p.arm, q, way, still) - c
    taken, limits = b * rate**2 + c, np.array(p.limits)
    ends = np.sort([(-limits - taken) / a, (limits - taken) / a], axis=0)
    return [ends[0].max(), ends[1].min()]
"""

WRONG = {
    "elbows": [
        (ELBOWS.replace("math.atan2(y, x)", "(math.atan(y / x) if x else math.pi / 2)"), "as an arctangent of a quotient does"),
        (ELBOWS.replace("math.atan2(l2 * math.sin(q2), l1 + l2 * math.cos(q2))", "math.asin(l2 * math.sin(q2) / math.hypot(x, y))"), "An arcsine is never more than a quarter of a turn"),
        (ELBOWS.replace(" - math.atan2(l2", " + math.atan2(l2"), "that of the other elbow"),
        (ELBOWS.replace(" - math.atan2(l2 * math.sin(q2), l1 + l2 * math.cos(q2))", ""), "link 1 points beside it"),
        (ELBOWS.replace("math.atan2(y, x)", "math.acos(x / math.hypot(x, y))"), "loses an arccosine the sign of y"),
        (ELBOWS.replace("[q1, q2]", "[q1, q1 + q2]"), "q2 is measured from link 1"),
        (ELBOWS.replace("[q1, q2]", "[math.degrees(q1), math.degrees(q2)]"), "right in degrees"),
        (ELBOWS.replace("(math.acos(c2), -math.acos(c2))", "(-math.acos(c2), math.acos(c2))"), "in the other order"),
        (ELBOWS.replace("(math.acos(c2), -math.acos(c2))", "(math.acos(c2), math.acos(c2))"), "where is the other elbow"),
        (ELBOWS.replace("        return None", "        c2 = math.copysign(1.0, c2)"), "None is asked for"),
        (ELBOWS.replace("    if abs(c2) > 1:", "    if abs(c2) > 0.9:"), "a place that the hand can reach"),
        (ELBOWS.replace("    if abs(c2) > 1:", "    if c2 > 1:"), "stopped with ValueError"),
        (ELBOWS.replace("- l1**2 - l2**2)", "+ l1**2 + l2**2)").replace("abs(c2) > 1", "False").replace("math.acos(c2)", "math.acos(max(-1, min(1, c2)))"), "In neither pose is the hand at the place"),
        (ELBOWS.replace("/ (2 * l1 * l2)", "/ (-2 * l1 * l2)"), "q2 is what is missing from half a turn"),
        (ELBOWS.replace("return poses", "return poses[0]"), "it returned the shape (2,)"),
        (ELBOWS.replace("abs(c2) > 1:", "math.hypot(x, y) > 0.95 * (l1 + l2) or abs(c2) > 1:"), "there the arm is nearly stretched"),
        (ELBOWS.replace("abs(c2) > 1:", "math.hypot(x, y) < 1.05 * abs(l1 - l2) or abs(c2) > 1:"), "there the arm is nearly folded"),
        (ELBOWS.replace("abs(c2) > 1:", "math.hypot(x, y) > 1.02 * (l1 + l2) or math.hypot(x, y) < 0.98 * abs(l1 - l2):\n        return None\n    c2 = max(-1, min(1, c2))\n    if False:"), "and None is asked for"),
        (ELBOWS.replace("return None", "return [None, None]"), "None itself is asked for, no list of None"),
        (ELBOWS.replace("return None", "return [[math.nan, math.nan], [math.nan, math.nan]]"), "None itself is asked for"),
        ("import numpy as np\n" + ELBOWS.replace("abs(c2) > 1", "False").replace("math.acos", "np.arccos"), "None itself is asked for"),
        ("import cmath\n" + ELBOWS.replace("abs(c2) > 1", "False").replace("math.acos", "cmath.acos").replace("math.sin(q2), l1 + l2 * math.cos(q2)", "cmath.sin(q2).real, l1 + l2 * cmath.cos(q2).real"), "complex numbers: is a cosine beyond 1"),
        (ELBOWS.replace("l1, l2 = p.lengths", "l2, l1 = p.lengths"), "the two lengths exchanged"),
        (ELBOWS.replace("math.acos(c2), -math.acos(c2)", "math.asin((1 - c2**2) ** 0.5), -math.asin((1 - c2**2) ** 0.5)"), "an arcsine, which is never more than a quarter"),
    ],
    "nearly-stretched": [
        ("guess = 0", "Choose one of the numbers from 1 to 3"),
        ("guess = 2.5", "Choose one of the numbers from 1 to 3"),
        ("guess = [1, 2]", "one number"),
    ],
    "first-step": [
        (BENT + "dq = np.linalg.solve(J, e)", "That is Newton's step"),
        (BENT.replace("p.mu**2", "p.mu"), "mu stands in it squared"),
        (BENT.replace("e = -", "e = "), "opposite sign"),
        (BENT.replace("np.array([x, y])", "np.array([-y, x])"), "one across the arm"),
        (BENT.replace("both = p.lengths, p.first, p.first + p.bend", "both = p.lengths, p.first, p.bend"), "along the sum of both angles"),
        (BENT.replace("[-y, -l2", "[l2 * math.sin(both) - y, -l2").replace("[x, l2", "[x - l2 * math.cos(both), l2"), "missing in the first column of J"),
        (BENT.replace("J.T @ e)", "e)"), "The transpose is missing"),
        (BENT.replace(" / math.hypot(x, y)", ""), "times the way to the shoulder"),
        (BENT.replace("J.T @ J", "J @ J.T"), "J^T times what is solved for"),
        (BENT.replace("-l2 * math.sin(both)]", "-math.sin(both)]").replace("l2 * math.cos(both)]", "math.cos(both)]"), "The length of the forearm is missing in the column of joint 2."),
        (BENT.replace(" + l2 * math.cos(both), l1", ", l1").replace(" + l2 * math.sin(both)", ""), "The forearm is missing in the column of joint 1 and in the place of the hand."),
    ],
    "damped-step": [
        (STEP.replace("np.linalg.solve(J.T @ J + mu**2 * np.eye(3), J.T @ e)", "np.linalg.solve(J.T @ J + 1e-14 * np.eye(3), J.T @ e)"), "the damping is missing"),
        (STEP.replace("math.remainder(goal[2] - sum(q), math.tau)", "goal[2] - sum(q)"), "the short way"),
        (STEP.replace("p.damping * np.linalg.norm(e)", "p.damping"), "times the size of the error, which is missing"),
        (STEP.replace("mu**2", "mu"), "mu stands there squared"),
        (STEP.replace("np.linalg.norm(e)", "np.linalg.norm(e[:2])"), "counts the direction, too"),
        (STEP.replace("np.linalg.solve(J.T @ J + mu**2 * np.eye(3), J.T @ e)", "np.linalg.pinv(J) @ e"), "Newton's step"),
        (STEP.replace("J.T @ e)", "e)"), "the transpose is missing"),
        (STEP.replace("goal[0] - x, goal[1] - y, math.remainder(goal[2] - sum(q)", "x - goal[0], y - goal[1], math.remainder(sum(q) - goal[2]"), "the opposite sign"),
        (STEP.replace("np.ones(3)", "[0, 0, 1]"), "all joints turn the hand alike"),
        (STEP.replace("math.remainder(goal[2] - sum(q), math.tau)", "math.asin(math.sin(goal[2] - sum(q)))"), "as an arcsine gives it"),
        (STEP.replace("math.remainder(goal[2] - sum(q), math.tau)", "math.atan(math.tan(goal[2] - sum(q)))"), "as an arctangent of a quotient takes"),
        (STEP.replace("math.remainder(goal[2] - sum(q), math.tau)", "math.acos(math.cos(goal[2] - sum(q)))"), "as an arccosine gives it"),
    ],
    "own-wish": [
        (RATES.replace("return P @ v + (np.eye(3) - P @ J) @ z", "return P @ v"), "no self-motion"),
        (RATES.replace("(np.eye(3) - P @ J) @ z", "z"), "The hand feels the wish"),
        (RATES.replace("-p.pull", "p.pull"), "away from the middle"),
        (RATES.replace("-p.pull * (q - np.array(p.middle))", "-p.pull * q"), "not at zero"),
        (RATES.replace("-p.pull * ", "-"), "the gain p.pull as a factor"),
        (RATES.replace("(np.eye(3) - P @ J)", "P @ J"), "projected onto what moves the hand"),
        (RATES.replace("np.linalg.pinv(J)", "J.T"), "The hand does not move as wanted"),
        (RATES.replace("[:2]", "[:2]\n    J = np.vstack([J, np.ones(3)])").replace("P @ v", "P @ np.append(v, 0)"), "the direction of the last link is held, too"),
    ],
    "first-things": [
        (ORDERED.replace("    if", "    if not"), "is the order turned around"),
        (ORDERED.replace("return least +", "return least + 0 *"), "nothing of the second is in them"),
        (ORDERED.replace("(v2 - J2 @ least)", "v2"), "less that which the first task already gives it"),
        (ORDERED.replace("np.linalg.pinv(J2 @ N, rcond=1e-9)", "N @ np.linalg.pinv(J2)"), "not the best of what is left"),
        (ORDERED.replace("    return", "    return np.linalg.lstsq(np.vstack([J1, J2]), np.append(v1, v2), rcond=None)[0]\n    return"), "each task yields to the other"),
        (ORDERED.replace("return least +", "return least -"), "opposite sign"),
        (ORDERED.replace("np.linalg.pinv(J2 @ N, rcond=1e-9)", "np.linalg.pinv(J2)"), "at the cost of the first: what is added for it is not projected"),
        (ORDERED.replace("np.linalg.pinv(J2 @ N, rcond=1e-9) @ (v2 - J2 @ least)", "np.linalg.pinv(J2) @ v2"), "the least rates of both tasks are added"),
        (ORDERED.replace("np.linalg.pinv(J2 @ N, rcond=1e-9) @ (v2 - J2 @ least)", "N @ np.linalg.pinv(J1) @ v2"), "nothing of the second is in them"),
        (ORDERED.replace("np.linalg.pinv(J2 @ N, rcond=1e-9)", "(J2 @ N).T"), "is not its transpose"),
        (ORDERED.replace("hand - hand[:, 2:]", "hand * [1, 1, 0]"), "the third joint does not move with link 3"),
        (ORDERED.replace("hand - hand[:, 2:]", "hand - hand[:, 2:] * [1, 1, 0]"), "the third column of its J is zero"),
        (ORDERED.replace("hand - hand[:, 2:]", "(hand - hand[:, 1:2]) * [1, 0, 0]"), "that is the second joint"),
    ],
    "drift": [
        (DRIFT.replace("p.share * p.gain", "p.gain"), "The feedback goes through the slow motors, too"),
        (DRIFT.replace("kept = e_end + (p.off - e_end)", "kept = p.off"), "what the motors lack makes a new error all the time"),
        (DRIFT + "errors = [without, e_end]", "it is not there yet"),
        (DRIFT + "errors = [kept, without]", "in the other order"),
        (DRIFT.replace("without = p.off + ", "without = "), "still there at the end"),
        (DRIFT.replace("1000 * missing * p.speed * p.time", "1000 * p.share * p.speed * p.time"), "the part of the speed that the motors lack"),
        (DRIFT + "errors = [without, without * math.exp(-rate * p.time)]", "not the error without feedback, times what decays"),
        (DRIFT + "errors = [x / 1000 for x in errors]", "in m: mm are asked for"),
        (DRIFT + "errors = [without, kept + p.off * math.exp(-rate * p.time)]", "with it it is not"),
    ],
    "push": [
        (PUSH.replace("min(limit / abs(moment) for limit, moment in zip(p.motors, one))", "min(p.motors) / max(map(abs, one))"), "need not be that of the motor with the largest torque"),
        (PUSH.replace("min(limit / abs(moment) for limit, moment in zip(p.motors, one))", "p.motors[0] / abs(one[0])"), "With that force motor 1 is at its limit"),
        (PUSH + "tau = [max(-b, min(b, 1.3 * a)) for a, b in zip(tau, p.motors)]", "No push in this direction has these torques"),
        (PUSH + "tau = [0.83 * a for a in tau]", "which motor is the first at its limit"),
        (PUSH + "tau = one", "a push of 1 N"),
        (PUSH + "tau = [math.copysign(limit, moment) for limit, moment in zip(p.motors, one)]", "fixed shares"),
        (PUSH.replace("sum(x[i:]) * fy - sum(y[i:]) * fx", "sum(x[i:]) * fx + sum(y[i:]) * fy"), "a moment has their cross product"),
        (PUSH.replace("math.radians(p.along)", "p.along"), "p.along is in degrees"),
        (PUSH.replace("turns = [p.pose[0], p.pose[0] + p.pose[1], sum(p.pose)]", "turns = p.pose"), "sums of angles"),
        (PUSH.replace("sum(x[i:]) * fy - sum(y[i:]) * fx", "x[i] * fy - y[i] * fx"), "levers of all links from it on"),
        (PUSH.replace("most = min(", "most = max("), "beyond"),
        (PUSH + "tau = [-one for one in tau]", "opposite sign"),
        (PUSH.replace("abs(moment)", "moment"), "A limit holds in either direction"),
        (PUSH.replace("min(limit / abs(moment) for limit, moment in zip(p.motors, one))", "min(limit / moment for limit, moment in zip(p.motors, one) if moment > 0)"), "A limit holds in either direction, for all motors"),
        (PUSH.replace("p.pose[0] + p.pose[1], sum", "p.pose[1], sum"), "The direction of link 2 is q1 + q2, not q2 alone."),
        (PUSH.replace("\nmost", "\none[1] = x[1] * fy - y[1] * fx\nmost"), "The lever of joint 2 lacks link 3."),
    ],
    "accelerations": [
        (PACE.replace("b * rate**2 + c", "c"), "the velocity torque is missing"),
        (PACE.replace("rate**2", "rate"), "the rate along the path enters squared"),
        (PACE.replace("b * rate**2 + c", "b * rate**2"), "the weight is missing"),
        (PACE.replace("np.sort([(-limits - taken) / a, (limits - taken) / a], axis=0)", "[(-limits - taken) / a, (limits - taken) / a]"), "bounds the acceleration from below"),
        (PACE.replace("ends[0].max(), ends[1].min()", "ends[0][0], ends[1][0]"), "motor 2 has limits, too"),
        (PACE.replace("ends[0].max(), ends[1].min()", "ends[0].min(), ends[1].max()"), "the tightest bound counts"),
        (PACE.replace("[ends[0].max(), ends[1].min()]", "[ends[1].min(), ends[0].max()]"), "in the other order"),
        (PACE.replace("limits - taken", "limits + taken"), "the sign of that"),
        (PACE.replace("return [", "return [0.99 * "), "is possible"),
        (PACE.replace("a = rd.inverse_dynamics(p.arm, q, still, way) - c", "a = np.diag(rd.mass_matrix(p.arm, q)) * way"), "the coupling in M is lost"),
        (PACE.replace("np.subtract(p.end, p.start)", "np.subtract(p.start, p.end)"), "or the direction of the path"),
        (PACE.replace("start + s * way", "start - s * way").replace("np.subtract(p.end, p.start)", "np.subtract(p.start, p.end)"), "or the direction of the path"),
        (PACE.replace("still, way) - c", "still, way)"), "the weight is still in a"),
        (PACE.replace(") - c\n", ")\n"), "the weight is still in a, and in what the velocity takes"),
        (PACE.replace("np.subtract(p.end, p.start)", "np.subtract(p.end, p.start) / np.linalg.norm(np.subtract(p.end, p.start))"), "not one of the length 1"),
        (PACE.replace("np.array(p.limits)", "np.array(p.limits[::-1])"), "the limits of the two motors are exchanged"),
    ],
}  # fmt: skip
