"""Wrong answers to the questions of "ilqr", and words that the check should find for each: material for tests."""

COST = "cost = lambda x, u: p.effort * (u**2).sum() + p.weight * ((x[-1] - [p.goal, 0.0]) ** 2).sum()"
RESPONSE = """
def response(A, B, steps):
    n, m = B.shape
    blocks = [[np.zeros((n, m)) for _ in range(steps - 1)] for _ in range(steps)]
    for j in range(steps - 1):
        block = B
        for i in range(j + 1, steps):
            blocks[i][j] = block
            block = A @ block
    return np.block(blocks)
"""
GAIN = "gain = lambda A, B, Q, R, V: np.linalg.solve(R + B.T @ V @ B, B.T @ V @ A)"
RICCATI = """
def earlier(A, B, Q, R, V):
    K = np.linalg.solve(R + B.T @ V @ B, B.T @ V @ A)
    return Q + A.T @ V @ A - A.T @ V @ B @ K
"""
BATCH = """
A, B = np.array([[1.0, p.dt], [0.0, 1.0]]), np.array([[0.0], [p.dt]])
S = np.hstack([np.linalg.matrix_power(A, p.steps - 2 - j) @ B for j in range(p.steps - 1)])
u = np.linalg.solve(p.weight * S.T @ S + p.effort * np.eye(p.steps - 1), p.weight * S.T @ [p.goal, 0.0])
"""
GRADIENT = """
def gradient(q):
    (a, b), one, two = p.lengths, q[0], q[0] + q[1]
    tip = np.array([a * np.cos(one) + b * np.cos(two), a * np.sin(one) + b * np.sin(two)])
    J = np.array([[-tip[1], -b * np.sin(two)], [tip[0], b * np.cos(two)]])
    return 2 * p.weight * J.T @ (tip - p.target)
"""

BACKWARD = """
def backward(lx, lu, lxx, lux, luu, A, B, Vx, Vxx):
    Qx, Qu = lx + A.T @ Vx, lu + B.T @ Vx
    Qxx, Qux, Quu = lxx + A.T @ Vxx @ A, lux + B.T @ Vxx @ A, luu + B.T @ Vxx @ B
    k, K = -np.linalg.solve(Quu, Qu), -np.linalg.solve(Quu, Qux)
    return {"k": k, "K": K, "Vx": Qx + Qux.T @ k, "Vxx": Qxx + Qux.T @ K}
"""

WRONG = {
    "total-cost": [
        (COST.replace("p.effort *", "0.5 * p.effort *").replace("p.weight *", "0.5 * p.weight *"), "no factor 1/2"),
        (COST.replace("x[-1]", "x[0]"), "not at the first"),
        (COST.replace("p.effort * (u**2).sum() +", ""), "effort is missing"),
        (COST.replace("((x[-1] - [p.goal, 0.0]) ** 2).sum()", "(x[-1, 0] - p.goal) ** 2"), "rate at the end"),
        (COST.replace("p.goal", "1.0"), "ends at the goal"),
        (COST.replace("p.effort *", ""), "ends at the goal"),
        (COST.replace("p.weight *", ""), "A motion without input"),
    ],
    "stacked-response": [
        (RESPONSE.replace("block = B\n", "block = A @ B\n"), "one power of A too many"),
        (RESPONSE.replace("range(j + 1, steps)", "range(j, steps)"), "motion from rest"),
        (RESPONSE.replace("block = A @ block", "pass"), "free motion is missing"),
        (RESPONSE.replace("np.block(blocks)", "np.block(blocks)[B.shape[0]:]"), "should be 3 by 2 numbers; it has the shape (2, 2)"),
    ],
    "gain": [
        (GAIN.replace("np.linalg.solve", "-np.linalg.solve"), "the sign"),
        (GAIN.replace("R + ", "1e-12 * np.eye(len(R)) + "), "R is missing"),
        (GAIN.replace("@ A)", ")"), "A is missing"),
        (GAIN.replace("B.T @ V @ A", "B.T @ Q @ A"), "does not minimize"),
    ],
    "riccati": [
        (RICCATI.replace("V @ A - A.T", "V @ A + A.T"), "subtracted"),
        (RICCATI.replace("return Q +", "return"), "Q is missing"),
        (RICCATI.replace(" - A.T @ V @ B @ K", ""), "without any input"),
        (RICCATI.replace("R + B.T", "B.T"), "least cost"),
        (RICCATI.replace("A.T @ V @ A", "A @ V @ A"), "V is not symmetric"),
    ],
    "best-inputs": [
        (BATCH.replace("p.weight *", "w *").replace("p.effort *", "p.weight *").replace("w *", "p.effort *"), "exchanged"),
        (BATCH.replace("p.effort *", "1e-9 * p.effort *"), "free"),
        (BATCH.replace("p.weight *", ""), "weight of the goal"),
        (BATCH.replace("p.goal", "1.0"), "cost still falls"),
        (BATCH + "u = u[:-1]", "The answer should be a list of"),
        (BATCH.replace("S = np.hstack(", "S = np.vstack([np.hstack(").replace("p.steps - 2 - j) @ B for j in range(p.steps - 1)])", "max(i - 1 - j, 0)) @ B * (j < i) for j in range(p.steps - 1)]) for i in range(p.steps)])").replace("S.T @ [p.goal, 0.0]", "S.T @ np.tile([p.goal, 0.0], p.steps)"), "at the last state alone"),
    ],
    "tip-gradient": [
        (GRADIENT.replace("return 2 *", "return"), "factor 2"),
        (GRADIENT.replace("return 2", "return -2"), "opposite sign"),
        (GRADIENT.replace("J.T", "J"), "not transposed"),
        (GRADIENT.replace("q[0] + q[1]", "q[1]"), "squared miss"),
        (GRADIENT.replace("[-tip[1], -b * np.sin(two)]", "[tip[1], b * np.sin(two)]"), "both columns of the Jacobian"),
        (GRADIENT.replace("q[0] + q[1]", "q[1]").replace("[-tip[1],", "[-a * np.sin(one),").replace("[tip[0],", "[a * np.cos(one),"), "those of absolute ones"),
        (GRADIENT.replace("J.T @ ", ""), "the chain rule goes on to the angles"),
    ],
    "find-the-error": [
        (BACKWARD.replace("Qxx + Qux.T @ K", "Qxx - Qux.T @ K"), "has not the curvature V_xx"),
        (BACKWARD.replace("-np.linalg.solve(Quu, Qu)", "np.linalg.solve(Quu, Qu)"), "not the step that minimizes"),
        (BACKWARD.replace("lx + A.T @ Vx", "lx"), "has not the slope V_x"),
        (BACKWARD.replace('"Vx": Qx', '"vx": Qx'), "The answer is no dict with the entries k, K, Vx, Vxx"),
    ],
}  # fmt: skip
