"""Wrong answers to the questions of "n-link", and words that the check should find for each: material for tests."""

ENTRIES = """
def {name}(lengths, masses, q):
    n = len(q)
    return np.array([[lengths[z] * lengths[k] * sum(masses[{bound}:]) * np.{wave}(q[z] - q[k]) for k in range(n)] for z in range(n)])
"""
TORQUE = """
def torque(q, qd, qdd):
    lengths, masses = np.array(p.lengths), np.array(p.masses)
    load = np.array([[sum(masses[max(z, k):]) for k in range(3)] for z in range(3)]) * np.outer(lengths, lengths)
    turn = q[:, None] - q[None, :]
    weight = 9.81 * lengths * np.cumsum(masses[::-1])[::-1] * np.cos(q)
    u = load * np.cos(turn) @ qdd + load * np.sin(turn) @ qd**2 + weight
    return np.tril(np.ones((3, 3))).T @ u
"""


STIFF = """import math
out = [sum(p.lengths[: k + 1]) for k in range(3)]
first, second = (sum(m * r**power for m, r in zip(p.masses, out)) for power in (1, 2))
qdd = 3 * [-9.81 * math.cos(p.tilt) * first / second]
"""


def _entries(name: str, bound: str = "max(z, k)", wave: str = "cos") -> str:
    return ENTRIES.format(name=name, bound=bound, wave=wave)


def _fall(loads: str) -> str:
    """Return a cell, without NumPy, that lets the chain go with other masses in g: M qdd = -g, solved from the lowest row up."""
    return f"""import math
loads = {loads}
fall = [-9.81 * math.cos(p.tilt) * (loads[k] - loads[k + 1]) / p.masses[k] for k in range(3)]
qdd = [(fall[k] - (fall[k - 1] if k else 0.0)) / p.lengths[k] for k in range(3)]"""


WRONG = {
    "summing-matrix": [
        ("summing = lambda n: np.triu(np.ones((n, n)))", "transposed"),
        ("summing = lambda n: np.tril(np.ones((n, n)), -1)", "diagonal is missing"),
        ("summing = lambda n: np.eye(n) - np.eye(n, k=-1)", "that is the inverse"),
        ("summing = lambda n: np.tril(np.ones((3, 3)))", "should be 1 by 1 numbers; it has the shape (3, 3)"),
    ],
    "mass-matrix": [
        (_entries("mass", "min(z, k)"), "begins too early"),
        (_entries("mass", "max(z, k) + 1"), "begins too late"),
        (_entries("mass", "z"), "over j >= z alone"),
        (_entries("mass", wave="sin"), "sine for cosine"),
        (_entries("mass", "max(z, k)").replace("sum(masses[max(z, k):])", "masses[max(z, k)]"), "kinetic energy"),
        ("mass = lambda l, m, q: np.eye(3)", "should be 2 by 2 numbers; it has the shape (3, 3)"),
        (_entries("whole") + "\ndef mass(lengths, masses, q):\n    M = np.tril(whole(lengths, masses, q))\n    return M + M.T", "the diagonal counts twice"),
    ],
    "gravity": [
        ("gravity = lambda l, m, q: -9.81 * l * np.cumsum(m[::-1])[::-1] * np.cos(q)", "opposite sign"),
        ("gravity = lambda l, m, q: 9.81 * l * np.cumsum(m[::-1])[::-1] * np.sin(q)", "sine for cosine"),
        ("gravity = lambda l, m, q: 9.81 * l * m * np.cos(q)", "not its own alone"),
        ("gravity = lambda l, m, q: 9.81 * l * np.cumsum(m[::-1])[::-1] * np.cos(np.cumsum(q))", "relative angles"),
        ("gravity = lambda l, m, q: np.cumsum((9.81 * l * np.cumsum(m[::-1])[::-1] * np.cos(q))[::-1])[::-1]", "those are joint torques"),
        ("gravity = lambda l, m, q: 9.81 * l * np.cumsum(m) * np.cos(q)", "dU/dq in absolute"),
    ],
    "let-go": [
        ("guess = 0", "numbers from 1 to 3"),
        ("guess = 4", "numbers from 1 to 3"),
        ("guess = 1.5", "numbers from 1 to 3"),
        ("guess = [1, 3]", "should be one number"),
    ],
    "let-go-rates": [
        ("import math\nqdd = [-9.81 * math.cos(p.tilt) / l for l in p.lengths]", "its joint moves"),
        ("import math\nqdd = [-9.81 * math.sin(p.tilt) / p.lengths[0], 0, 0]", "sine for cosine"),
        ("import math\nqdd = [9.81 * math.cos(p.tilt) / p.lengths[0], 0, 0]", "opposite sign"),
        ("import math\nqdd = [-9.81 * math.cos(p.tilt) / p.lengths[0], 9.81 * math.cos(p.tilt) / p.lengths[0], 0]", "relative angles"),
        (STIFF, "no motor keeps the joints stiff"),
        ("qdd = [-9.81 / p.lengths[0], 0, 0]", "M qdd + g is not zero"),
        ("import math\nqdd = [-9.81 * math.cos(p.tilt) / sum(p.lengths), 0.0, 0.0]", "not of that of the whole chain"),
        (_fall("[*p.masses, 0.0]"), "not its own alone"),
        (_fall("[sum(p.masses[: k + 1]) for k in range(3)] + [0.0]"), "not those before"),
    ],
    "joint-torques": [
        ("joint_torques = lambda u: np.cumsum(u)", "in place of its transpose"),
        ("joint_torques = lambda u: u - np.append(u[1:], 0.0)", "the way back"),
        ("joint_torques = lambda u: u - np.append(0.0, u[:-1])", "differences from the base"),
        ("joint_torques = lambda u: u", "power"),
        ("joint_torques = lambda u: sum(u)", "should be a list of 2 numbers; it is a single one"),
    ],
    "find-the-error": [
        ("counted = sum(p.bodies)", "all bodies"),
        ("counted = sum(p.bodies[p.entry[0] - 1 : p.entry[1]])", "count of the misprint"),
        ("counted = sum(p.bodies[p.entry[1]:])", "body at the end of a link"),
        ("counted = 2", "what that entry"),
    ],
    "inverse-dynamics": [
        (TORQUE.replace("qd**2", "qd"), "squares of the rates"),
        (TORQUE.replace("np.tril(np.ones((3, 3))).T @ u", "u"), "generalized forces"),
        (TORQUE.replace(" + weight", ""), "gravity is missing"),
        (TORQUE.replace("@ qd**2", "@ (0 * qd)"), "velocity terms are missing"),
        (TORQUE.replace("np.array(p.masses)", "np.array([1.0, 1.0, 1.0])"), "motion of your arm needs"),
        (TORQUE.replace("+ load * np.sin", "- load * np.sin"), "the velocity terms have the opposite sign"),
        ("def torque(q, qd, qdd):\n    l, m = np.array(p.lengths), np.array(p.masses)\n    c, s = np.cos(q), np.sin(q)\n    x = m * np.cumsum(l * (-s * qdd - c * qd**2))\n    y = m * (np.cumsum(l * (c * qdd - s * qd**2)) + 9.81)\n    u = l * (c * y - s * x)\n    return np.cumsum(u[::-1])[::-1]", "not its own alone"),
    ],
}  # fmt: skip
