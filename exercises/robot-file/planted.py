"""Wrong answers to the questions of "robot-file", and words that the check should find for each: material for tests."""

BOLT = """
import numpy as np
C, c = rd.frame_pose(arm, p.pose, "camera")
T, t = rd.frame_pose(arm, p.pose, "tool")
bolt = T.T @ (c + C @ np.array(p.seen) - t)
"""
LOAD = """
import numpy as np
most, own = arm.joint_values("effort"), rd.gravity_torque(arm, p.posture)
one = rd.point_jacobian(arm, p.posture, "tool", p.grip)[:3].T @ np.array([0, 0, 9.81])
kg, joint = min(((m - np.sign(a) * b) / abs(a), k) for k, (m, a, b) in enumerate(zip(most, one, own), 1) if abs(a) > 1e-9)
heaviest = [joint, kg]
"""
HELD = """
import math
import numpy as np
r, s = p.tilt
about_x = np.array([[1, 0, 0], [0, math.cos(r), -math.sin(r)], [0, math.sin(r), math.cos(r)]])
about_y = np.array([[math.cos(s), 0, math.sin(s)], [0, 1, 0], [-math.sin(s), 0, math.cos(s)]])
R = about_y @ about_x
gravity = R.T @ [0, 0, -9.81]
tilted = rd.Arm.from_urdf(p.file, tip="tool", gravity=gravity)
held = rd.gravity_torque(tilted, p.pose) - rd.point_jacobian(arm, p.pose, "tool", p.grip)[:3].T @ (p.load * gravity)
"""
TIMES = """
import math
import numpy as np
most, speeds = arm.joint_values("effort"), arm.joint_values("velocity")
way = np.subtract(p.end, p.start)
by_speed = 15 / 8 * max(abs(way) / speeds)
s, slope, bend = profile(np.linspace(0, 1, 1001)[:, None])
q = np.array(p.start) + s * way
weight = rd.gravity_torque(arm, q)
swung = rd.inverse_dynamics(arm, q, slope * way, bend * way) - weight
durations = [by_speed, math.sqrt((abs(swung) / (most - np.sign(swung) * weight)).max())]
"""
ZEROS = """
names = [name.split("_")[0] for name in tree.joint_names]
a, b, c = (names.count(limb) for limb in ("left", "tail", "trunk"))
zeros = [2 * (a * a + 2 * a * b), 2 * a * b]
"""
MASS = """
import numpy as np
def reduced(q):
    names = list(tree.joint_names)
    own = [name for name in names if not name.startswith("right")]
    G, c = np.zeros((len(names), len(own))), np.zeros(len(names))
    for row, name in enumerate(names):
        leader = name.replace("right", "left")
        G[row, own.index(leader)] = 1 if leader == name else p.gear
        c[row] = 0 if leader == name else p.shift
    return G.T @ rd.mass_matrix(tree, G @ q + c) @ G
"""

WRONG = {
    "seen": [
        (BOLT + "bolt = c + C @ np.array(p.seen)", "the tool has axes of its own"),
        (BOLT.replace("T.T", "T"), "R^T is asked for"),
        (BOLT.replace(" - t)", ")"), "only the axes are changed"),
        (BOLT.replace("C @ np.array(p.seen)", "np.array(p.seen)"), "to its place in those of the base"),
        (BOLT.replace("p.pose", "0 * np.array(p.pose)"), "all angles zero"),
        (BOLT.replace('"tool"', "arm.n - 1"), "that of the last link"),
        (BOLT.replace("c + C", "C"), "The camera's place is missing"),
        (BOLT.replace('"camera"', "'x'").replace('"tool"', '"camera"').replace("'x'", '"tool"'), "Camera and tool are exchanged"),
        (BOLT + "bolt = 1000 * bolt", "1000 times"),
        (BOLT + "bolt = t", "where the tool itself stands"),
        (BOLT + "bolt = T.T @ C @ np.array(p.seen)", "both origins are missing"),
        (BOLT + "bolt = -bolt", "opposite sign"),
    ],
    "heaviest": [
        (LOAD + "heaviest = [joint - 1, kg] if joint > 1 else [joint + 1, kg]", "The load is right"),
        (LOAD.replace("m - np.sign(a) * b", "m"), "The arm has to hold itself, too"),
        (LOAD.replace("m - np.sign(a) * b", "m + np.sign(a) * b"), "only where it has the sign"),
        (LOAD.replace(', "tool", p.grip)', ', "tool")'), "not at its origin"),
        (LOAD.replace(', "tool", p.grip)', ", -1, np.array(p.grip))"), "not in those of the last link"),
        (LOAD.replace("p.posture", "0 * np.array(p.posture)"), "all angles zero"),
        (LOAD.replace("p.posture", "p.pose"), "p.posture is asked for"),
        (LOAD + "heaviest = [joint, 9.81 * kg]", "a mass, in kg"),
        (LOAD + "heaviest = [joint % arm.n + 1, kg]", "it is another motor"),
        (LOAD + "heaviest = [0, kg]", "that of a joint, from 1 to"),
        (LOAD + "heaviest = [joint + 0.001, kg]", "without decimals"),
        (LOAD.replace("min(", "sorted(").replace("> 1e-9)", "> 1e-9)[1]"), "another motor is at its own before"),
        (LOAD.replace("(m - np.sign(a) * b) / abs(a)", "(m - b) / a").replace("if abs(a) > 1e-9", "if a > 1e-9"), "A limit holds in either direction"),
        (LOAD.replace("9.81", "9.8"), "g = 9.8"),
    ],
    "mounting": [
        (HELD.replace("(p.load * gravity", "(p.load * np.array([0, 0, -9.81])"), "The load hangs in the turned base, too"),
        (HELD.replace("gravity=gravity)", "gravity=[0, 0, -9.81])"), "The arm itself stands in the turned base, too"),
        (HELD.replace("R.T @", "R @"), "by R^T, not by R"),
        (HELD.replace("about_y @ about_x", "about_x @ about_y"), "in the other order"),
        (HELD.replace("R.T @ ", "1.0 * np.array(").replace("-9.81]", "-9.81])"), "stands upright"),
        (HELD.replace("p.load * gravity", "0 * gravity"), "The load is missing"),
        (HELD + "held = rd.gravity_torque(arm, p.pose)", "upright, and without the load"),
        (HELD.replace(" - rd.point_jacobian", " + rd.point_jacobian"), "The weight of the load has the opposite sign"),
        (HELD.replace("r, s = p.tilt", "s, r = p.tilt"), "The two angles are exchanged"),
        (HELD.replace('"tool", p.grip', '"tool"'), "not at its origin"),
        (HELD.replace("-9.81", "9.81"), "Gravity points up"),
        (HELD.replace("about_y @ about_x", "about_y"), "The turn about x is missing"),
        (HELD.replace("about_y @ about_x", "about_x"), "The turn about y is missing"),
        (HELD.replace("p.load * gravity", "gravity"), "a load of 1 kg"),
    ],
    "durations": [
        (TIMES.replace("max(abs(way) / speeds)", "max(way / speeds)"), "A joint that turns back counts, too"),
        (TIMES.replace("max(abs(way) / speeds)", "np.mean(abs(way) / speeds)"), "a mean of the joints' times"),
        (TIMES.replace("max(abs(way) / speeds)", "max(abs(way)) / min(speeds)"), "each joint has its own of both"),
        (TIMES.replace("15 / 8 * max", "max"), "with the mean speed"),
        (TIMES.replace("15 / 8", "3 / 2"), "which a cubic has"),
        (TIMES.replace("max(abs(way) / speeds)", "(abs(way) / speeds)[abs(way).argmax()]"), "the joint that turns farthest"),
        (TIMES + "durations = durations[::-1]", "in the other order"),
        (TIMES.replace("most - np.sign(swung) * weight", "most"), "The weight is missing"),
        (TIMES.replace("most - np.sign", "most + np.sign"), "The weight has the opposite sign"),
        (TIMES.replace("math.sqrt((", "float((").replace(".max())", ".max())"), "a root is missing"),
        (TIMES.replace("slope * way, bend", "0 * slope * way, bend"), "The velocity torques are missing"),
        (TIMES.replace("abs(swung) / (most - np.sign(swung) * weight)", "abs(swung + weight) / most"), "does not fall with the time"),
        (TIMES + "durations = [max(durations), max(durations)]", "That is the"),
    ],
    "zeros": [
        (ZEROS + "zeros = zeros[::-1]", "in the other order: that before"),
        (ZEROS + "zeros = [zeros[0] // 2, zeros[1] // 2]", "each of them is there twice"),
        (ZEROS + "zeros = [zeros[0] + 0.5, 0]", "Two whole numbers"),
        (ZEROS + "zeros = [zeros[0], 0]", "so is their sum"),
        (ZEROS + "zeros = [zeros[0], zeros[0]]", "what stood between them is now on the diagonal"),
        (ZEROS + "zeros = [zeros[0], zeros[1] // 2]", "symmetric, too"),
        (ZEROS + "zeros = [tree.n**2 - zeros[0], zeros[1]]", "do not vanish"),
        (ZEROS + "zeros = [2 * a * a, 2 * a * b]", "The tail is a limb, too"),
        (ZEROS + "zeros = [2 * a * (a + b), 2 * a * b]", "Each limb meets two others"),
        (ZEROS + "zeros = [4 * a * b, 2 * a * b]", "not the tail alone"),
    ],
    "reduced": [
        (MASS.replace("G @ q + c", "G @ q"), "p.shift is missing there"),
        (MASS.replace("else p.gear", "else 1"), "the factor p.gear is missing"),
        (MASS.replace("else p.gear", "else 1 / p.gear"), "the left one leads"),
        (MASS.replace("else p.gear", "else 0"), "1/2 qd . M qd is not the kinetic energy"),
        (MASS.replace("else p.gear", "else -p.gear"), "p.gear has the opposite sign"),
        (MASS.replace("G @ q + c", "G @ q - c"), "p.shift has the opposite sign"),
        (MASS.replace("G.T @ rd.mass_matrix(tree, G @ q + c) @ G", "rd.mass_matrix(tree, G @ q + c)[: len(own), : len(own)]"), "1/2 qd . M qd is not"),
        (MASS.replace("    return G.T", "    keep = [names.index(name) for name in own]\n    return rd.mass_matrix(tree, G @ q + c)[np.ix_(keep, keep)]\n    return G.T"), "its rows and columns are struck out"),
        (MASS.replace("else p.gear", "else 0").replace("else p.shift", "else 0"), "stands still at zero"),
        (MASS.replace(") @ G", ")"), "it has the shape"),
    ],
}  # fmt: skip
