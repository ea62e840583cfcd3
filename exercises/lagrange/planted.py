"""Wrong answers to the questions of "lagrange", and words that the check should find for each: material for tests."""

ENERGY = """
def energy(q, qd):
    vx, vy = qd[0] + p.length * qd[1] * np.cos(q[1]), p.length * qd[1] * np.sin(q[1])
    return p.cart * qd[0] ** 2 / 2 + p.bob * (vx**2 + vy**2) / 2 - p.bob * 9.81 * p.length * np.cos(q[1])
"""
T = "T = (m1 + m2)*qd1**2/2 + m2*l*qd1*qd2*sp.cos(q2) + m2*l**2*qd2**2/2"
FIRST = "(m1 + m2)*qdd1 + m2*l*sp.cos(q2)*qdd2 - m2*l*sp.sin(q2)*qd2**2"
SECOND = "m2*l*sp.cos(q2)*qdd1 + m2*l**2*qdd2 + m2*g*l*sp.sin(q2)"
ORDER = """
from coursework.check.session import assignment_module
laws = assignment_module("lagrange")
left = lambda k: p.lines[k - 1].partition("=")[0].strip()
order = [k for k in range(1, 11) if laws._holds(p, p.lines[k - 1])]
order.sort(key=lambda k: list(laws.USES).index(left(k)))
twin = next(k for k in range(1, 11) if k not in order)
"""

WRONG = {
    "kinetic-energy": [
        (T.replace(" + m2*l*qd1*qd2*sp.cos(q2)", ""), "product of the two rates is missing"),
        (T.replace("cos", "sin"), "sine or cosine?"),
        (T.replace("m2*l*qd1", "m2*l*qd1/2"), "counts half"),
        (T.replace("(m1 + m2)", "m1"), "its mass is missing"),
        (T.replace("m2*l**2", "m1*l**2"), "sum of m v^2 / 2"),
        (T.replace("+ m2*l*qd1", "- m2*l*qd1"), "sign of the coupling"),
        ("T = m1*qd1**2/2 + m2*l**2*qd2**2/2", "velocity of the cart is missing"),
        (T.replace("T = ", "T = 2*(") + ")", "twice as large"),
        ("T = 3.0", "sum of m v^2 / 2"),
        ("T = [m1*qd1**2/2, m2*qd2**2/2]", "one formula; it has the shape (2,)"),
        ("T = (p.cart + p.bob)*qd1**2/2 + p.bob*p.length*qd1*qd2*sp.cos(q2) + p.bob*p.length**2*qd2**2/2", "your numbers stand there"),
    ],
    "potential-energy": [
        ("U = m2*g*l*sp.cos(q2)", "opposite sign"),
        ("U = -m2*g*l*sp.sin(q2)", "sine for cosine"),
        ("U = m2*g*l*(1 - sp.cos(q2))", "zero is at the rail"),
        ("U = -(m1 + m2)*g*l*sp.cos(q2)", "height of the bob"),
        ("U = -p.bob*9.81*p.length*sp.cos(q2)", "your numbers stand there"),
    ],
    "equations": [
        (f"tau = [{FIRST.replace('- m2*l*sp.sin', '+ m2*l*sp.sin')}, {SECOND}]", "sign of the centrifugal term"),
        (f"tau = [{FIRST}, {SECOND.replace('+ m2*g', '- m2*g')}]", "gravity has the opposite sign"),
        (f"tau = [{FIRST.replace(' - m2*l*sp.sin(q2)*qd2**2', '')}, {SECOND}]", "centrifugal term is missing"),
        (f"tau = [{FIRST}, {SECOND} - m2*l*qd1*qd2*sp.sin(q2)]", "cancels it"),
        (f"tau = [{SECOND}, {FIRST}]", "in the other order"),
        (f"tau = [{FIRST}, ({SECOND})/(m2*l)]", "divided by m2 l"),
        (f"tau = [{FIRST}, 0]", "mass times acceleration"),
    ],
    "conserved": [
        ("kept = (m1 + m2)*qd1", "its own part is missing"),
        ("kept = 0", "stands in neither T nor U"),
        (T.replace("T =", "kept =") + " - m2*g*l*sp.cos(q2)", "a cyclic coordinate gives a momentum"),
        ("kept = (m1 + m2)*qd1 + m2*l*qd2*sp.sin(q2)", "sine for cosine"),
        ("kept = m2*l*qd1*sp.cos(q2) + m2*l**2*qd2", "stands in neither T nor U"),
        ("kept = (p.cart + p.bob)*qd1 + p.bob*p.length*qd2*sp.cos(q2)", "your numbers stand there"),
    ],
    "find-the-error": [
        ("right = m2*l*qd1*sp.cos(q2) + m2*l**2*qd2", "as it is printed"),
        ("right = m2*l*qdd1*sp.cos(q2) - m2*l*qd1*sp.sin(q2)", "as it is printed"),
        ("right = m2*l*(qdd1*sp.cos(q2) + qd1*qd2*sp.sin(q2))", "left side of the misprinted line"),
        ("right = -m2*l*qd1*qd2*sp.sin(q2)", "left side of the misprinted line"),
    ],
    "order": [
        ("order = [1, 2, 3]", "a list of 8 numbers"),
        ("order = [1, 1, 2, 3, 4, 5, 6, 7]", "eight different lines"),
        ("order = [0, 1, 2, 3, 4, 5, 6, 7]", "eight different lines"),
        ("order = [1.5, 1, 2, 3, 4, 5, 6, 7]", "eight different lines"),
        (f"{ORDER}\norder = order[::-1]", "uses what is not found above it"),
        (f"{ORDER}\norder[4], order[5] = order[5], order[4]", "the derivative by the rate"),
        (f"{ORDER}\norder[1:3] = order[2], order[1]", "how fast it moves"),
        (f"{ORDER}\norder = [twin if left(k) == left(twin) else k for k in order]", "is not true"),
    ],
    "frequency": [
        ("import math\nomega = math.sqrt(9.81 / p.length)", "fixed cart"),
        ("import math\nomega = math.sqrt(9.81 * (p.cart + p.bob) / (p.cart * p.length)) / (2 * math.pi)", "in Hz"),
        ("omega = 9.81 * (p.cart + p.bob) / (p.cart * p.length)", "It is its square"),
        ("omega = 5.0", "linear equations with your numbers"),
        ("import math\nomega = -math.sqrt(9.81 * (p.cart + p.bob) / (p.cart * p.length))", "positive"),
    ],
    "energy": [
        (ENERGY.replace("- p.bob * 9.81", "+ p.bob * 9.81"), "that is T - U, the Lagrangian, or U has the opposite sign"),
        (ENERGY.replace("np.cos(q[1])", "np.cos(np.radians(q[1]))").replace("np.sin(q[1])", "np.sin(np.radians(q[1]))"), "degrees"),
        (ENERGY.replace("p.cart * qd[0] ** 2 / 2 +", ""), "mass of the cart is missing"),
        (ENERGY.replace("p.length", "0.7"), "T + U with U = 0"),
        (ENERGY.replace("- p.bob * 9.81 * p.length * np.cos(q[1])", ""), "potential energy is missing"),
        (ENERGY.replace("np.cos(q[1])\n", "(np.cos(q[1]) - 1)\n"), "zero of U is at the rail"),
    ],
}  # fmt: skip
