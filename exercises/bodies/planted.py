"""Wrong answers to the questions of "bodies", and words that the check should find for each: material for tests."""

import re

AXIS = """
R, shift = p.pose
twice = [R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]]
size = sum(x**2 for x in twice) ** 0.5
turn = math.atan2(size, R[0][0] + R[1][1] + R[2][2] - 1)
slide = sum(x * s for x, s in zip(twice, shift)) / size
"""
RATES = "w = [qd3 - qd1*sp.sin(q2), qd2*sp.cos(q3) + qd1*sp.cos(q2)*sp.sin(q3), -qd2*sp.sin(q3) + qd1*sp.cos(q2)*sp.cos(q3)]"
FROM_R = "rate = sum((R.diff(q) * qd for q, qd in zip((q1, q2, q3), (qd1, qd2, qd3))), sp.zeros(3))\nS = R.T * rate\nw = [S[2, 1], S[0, 2], S[1, 0]]"
JACOBIAN = """
def jacobian(q):
    axes, points, tip = np.array(p.axes, dtype=float), np.array(p.points), np.array(p.tip)
    for k in (2, 1, 0):
        R, slide = np.eye(3), 0.0
        if p.kinds[k] == "slide":
            slide = q[k] * axes[k]
        else:
            K = skew(axes[k])
            R = np.eye(3) + np.sin(q[k]) * K + (1 - np.cos(q[k])) * K @ K
        axes[k + 1 :] = axes[k + 1 :] @ R.T
        points[k + 1 :] = points[k] + (points[k + 1 :] - points[k]) @ R.T + slide
        tip = points[k] + R @ (tip - points[k]) + slide
    columns = [(*a, 0, 0, 0) if kind == "slide" else (*np.cross(a, tip - s), *a) for kind, a, s in zip(p.kinds, axes, points)]
    return np.array(columns).T
"""
BLOCK = """
(a, b, c), (radius, x, y) = p.block, p.hole
whole, hole = p.density * a * b * c, -p.density * math.pi * radius**2 * c
left = whole + hole
cx, cy = hole * x / left, hole * y / left
xx = whole * (b**2 + c**2) / 12 + hole * ((3 * radius**2 + c**2) / 12 + y**2) - left * cy**2
yy = whole * (a**2 + c**2) / 12 + hole * ((3 * radius**2 + c**2) / 12 + x**2) - left * cx**2
zz = whole * (a**2 + b**2) / 12 + hole * (radius**2 / 2 + x**2 + y**2) - left * (cx**2 + cy**2)
xy = -hole * x * y + left * cx * cy
inertia = [[xx, xy, 0], [xy, yy, 0], [0, 0, zz]]
"""
PROGRAM = """
def rates(R, w, n):
    I = np.array(p.moments)
    return {"R": R @ skew(w), "w": (R.T @ n - np.cross(w, I * w)) / I}
"""
FLIP = """
a, b, c = p.brick
first, middle, last = b**2 + c**2, a**2 + c**2, a**2 + b**2
rate = math.sqrt((middle - first) * (last - middle) / (first * last))
revolutions = math.log(100) / rate / (2 * math.pi)
"""


def test(line: str) -> str:
    """A test for matrices, of one line."""
    return f"def exists(I):\n    return bool({line})"


def moments(line: str) -> str:
    """A test for matrices, of one line on their principal moments e."""
    return f"def exists(I):\n    e = np.linalg.eigvalsh((I + I.T) / 2)\n    return bool(np.allclose(I, I.T) and {line})"


WRONG = {
    "one-turn": [
        ("angle = sum(p.turns)", "do not add up"),
        ("angle = math.hypot(*p.turns)", "are no vectors"),
        ("angle = math.degrees(2 * math.acos(math.cos(p.turns[0] / 2) * math.cos(p.turns[1] / 2)))", "in rad"),
        ("angle = math.acos(math.cos(p.turns[0]) * math.cos(p.turns[1]))", "half the angles"),
        ("angle = math.acos(math.cos(p.turns[0] / 2) * math.cos(p.turns[1] / 2))", "half as large"),
        ("angle = p.turns", "one number; it has the shape (2,)"),
    ],
    "pitch": [
        (AXIS + "pitch = sum(s**2 for s in shift) ** 0.5 / turn", "only the part of the shift"),
        (AXIS + "pitch = slide", "whole slide"),
        (AXIS + "pitch = shift[2] / turn", "the axis is not z"),
        (AXIS + "pitch = -slide / turn", "opposite sign"),
        (AXIS + "pitch = slide / turn * 2 * math.pi", "for each revolution"),
        (AXIS + "pitch = slide / math.degrees(turn)", "in degrees"),
    ],
    "body-rates": [
        ("w = [qd3*sp.cos(q1)*sp.cos(q2) - qd2*sp.sin(q1), qd3*sp.sin(q1)*sp.cos(q2) + qd2*sp.cos(q1), qd1 - qd3*sp.sin(q2)]", "in axes of the base"),
        ("w = [qd3, qd2, qd1]", "not the components of one vector"),
        (RATES.replace("w = [", "w = [-").replace("qd3 -", "qd3 +"), "do not move with that angular velocity"),
        (RATES.replace("sp.sin(q3)", "-sp.sin(q3)").replace("--", "").replace("qd3 - qd1", "qd3 + qd1"), "turns the wrong way"),
        (RATES.replace("- qd1", "+ qd1"), "Look at entry (1)"),
        ("w = [qd3 - qd1*sp.sin(q2), qd2, qd1*sp.cos(q2)]", "under the pitch and the yaw"),
        ("w = [qd3, qd2*sp.cos(q3) + qd1*sp.sin(q3), qd1*sp.cos(q3) - qd2*sp.sin(q3)]", "tilts the axes under the yaw"),
        (RATES + "[::-1]", "in the other order"),
        ("R = sp.rot_axis1(-q3) * sp.rot_axis2(-q2) * sp.rot_axis3(-q1)\n" + FROM_R, "in the other order: the yaw is the first"),
        ("R = sp.rot_axis3(q1) * sp.rot_axis2(q2) * sp.rot_axis1(q3)\n" + FROM_R, "all three turns go the wrong way"),
        ("w = [qd3 - qd1*sp.sin(q2), qd2*sp.sin(q3) + qd1*sp.cos(q2)*sp.cos(q3), qd2*sp.cos(q3) - qd1*sp.cos(q2)*sp.sin(q3)]", "sine and cosine of the roll are exchanged"),
    ],
    "jacobian": [
        (JACOBIAN.replace("axes[k + 1 :] = axes[k + 1 :] @ R.T", "pass").replace("points[k + 1 :] = points[k] + (points[k + 1 :] - points[k]) @ R.T + slide", "pass"), "where they are at q = 0"),
        (JACOBIAN.replace("np.cross(a, tip - s)", "np.cross(tip - s, a)"), "in the other order"),
        (JACOBIAN.replace("tip - s", "tip"), "begins at the joint"),
        (JACOBIAN.replace("np.cross(a, tip - s)", "np.cross(s, a)"), "those are the twists"),
        (JACOBIAN.replace(".T\n\"\"\"", ".T").rstrip() + "[[3, 4, 5, 0, 1, 2]]", "linear rows come first"),
        (JACOBIAN.replace('if kind == "slide" else', 'if kind == "none" else'), "slides turns nothing"),
        (JACOBIAN.replace("*a) for", "*-a) for"), "alone: the lower rows are not the angular velocity"),
        (JACOBIAN.rstrip() + "[:3]", "should be 6 by 3 numbers"),
        (JACOBIAN.replace("(*a, 0, 0, 0)", "(*b, 0, 0, 0)").replace("for kind, a, s in zip(p.kinds,", "for kind, b, a, s in zip(p.kinds, p.axes,"), "A joint that slides moves the tip along its axis"),
    ],
    "drilled-block": [
        (BLOCK.replace("-p.density", "p.density"), "missing mass"),
        (re.sub(r" [-+] left \* \(?c.*", "", BLOCK), "about the middle of the block"),
        (BLOCK.replace(" + y**2) - left", ") - left").replace(" + x**2) - left", ") - left").replace(" + x**2 + y**2", "").replace("-hole * x * y + ", ""), "holds for it, too"),
        (BLOCK + "inertia[0][1] = inertia[1][0] = -xy", "opposite sign"),
        (BLOCK + "inertia[0][1] = 0", "not symmetric"),
        (BLOCK + "inertia[0][1] = inertia[1][0] = 0", "there is a product"),
        (BLOCK.replace("radius**2", "(radius / 2)**2"), "not the diameter"),
        (BLOCK + "inertia = [xx, yy, zz]", "should be 3 by 3 numbers"),
    ],
    "real-body": [
        (test("np.allclose(I, I.T) and np.linalg.eigvalsh(I).min() > 0"), "positive moments are not enough"),
        (test("np.allclose(I, I.T) and 2 * max(np.diag(I)) <= np.trace(I)"), "depends on the axes"),
        (test("2 * np.linalg.eigvalsh(I).max() <= np.trace(I)"), "need not be symmetric"),
        (test("np.allclose(I, I.T) and 2 * np.linalg.eigvalsh(I).max() <= np.trace(I) - 1e-3"), "It refuses the inertia of a real body"),
        (moments("e[2] <= min(2.4 * e[0], e[0] + e[1])"), "It refuses the inertia of a real body"),
        (moments("e[2] <= 1.02 * (e[0] + e[1])"), "half a percent"),
        (moments("e[2] < 0.99 * (e[0] + e[1])"), "It refuses the inertia of a real body"),
        (moments("e[2] <= min(2 * e[1] - 0.3 * e[0], e[0] + e[1])"), "It refuses the inertia of a real body"),
        (moments("e[2] ** 2 <= e[0] ** 2 + e[1] ** 2 + 1.92 * e[0] * e[1]"), "almost flat"),
        (moments("e[0] > 0.3 * e[2] and e[2] <= e[0] + e[1]"), "It refuses the inertia of a real body"),
        (moments("e[2] <= e[0] + e[1] + 1e-3"), "grows with the matrix"),
        (test("np.allclose(I, I.T, rtol=0.05, atol=0.04) and 2 * np.linalg.eigvalsh((I + I.T) / 2)[2] <= np.trace(I)"), "not symmetric"),
        (test("True"), "said True to every matrix"),
        (test("False"), "said False to every matrix"),
        ("def exists(I):\n    return np.linalg.eigvalsh(I)", "it has the shape (3,)"),
        ("def exists(I):\n    return np.trace(I) - 2 * np.linalg.eigvalsh(I).max()", "True or False"),
    ],
    "find-the-error": [
        (PROGRAM.replace("R @ skew(w)", "skew(w) @ R"), "w is in body axes"),
        (PROGRAM.replace("- np.cross", "+ np.cross"), "the gyroscopic torque"),
        (PROGRAM.replace("R.T @ n", "n"), "n is in base axes"),
        (PROGRAM.replace("R.T @ n", "R @ n"), "R takes body axes to base axes"),
        (PROGRAM.replace("I * w)", "w)"), "does not change at the rate n"),
        (PROGRAM.replace('"R": R', '"R": R @ R'), "do not move with its angular velocity"),
        (PROGRAM.replace('"w": ', '"wd": '), "no dict with the entries"),
    ],
    "revolutions": [
        (FLIP.replace(" / (2 * math.pi)", ""), "radians are counted"),
        (FLIP.replace("math.log(100)", "math.log10(100)"), "natural one"),
        (FLIP.replace("math.sqrt", ""), "stands squared"),
        (FLIP.replace("/ rate", "* rate"), "are exchanged"),
        (FLIP.replace("b**2 + c**2, a**2 + c**2, a**2 + b**2", "a, b, c"), "moments, not sides"),
        (FLIP.replace("(first * last)", "middle**2"), "about the other two axes"),
        ("revolutions = 3", "has not grown 100 times"),
    ],
}  # fmt: skip
