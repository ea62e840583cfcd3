"""Batch iLQR for the planar arm in plain NumPy, as one writes it from the formulas: loops over joints and over time.

Absolute angles, explicit Euler, point masses at the link ends: RCFS 8.1, with its misprint in M~' put right.
"""

import numpy as np


def matrices(q, l, m, g):
    """Return M~, C~, g~ by the sums of RCFS 109."""
    n = len(q)
    M = np.zeros((n, n))
    C = np.zeros((n, n))
    G = np.zeros(n)
    for z in range(n):
        for k in range(n):
            mass = sum(m[j] for j in range(z, n) if j >= k)
            M[z, k] = l[z] * l[k] * np.cos(q[z] - q[k]) * mass
            C[z, k] = l[z] * l[k] * np.sin(q[z] - q[k]) * mass
        G[z] = sum(m[z:]) * l[z] * g * np.cos(q[z])
    return M, C, G


def slopes(q, l, m, g):
    """Return dM~, dC~ (n, n, n) and dg~ (n, n)."""
    n = len(q)
    dM = np.zeros((n, n, n))
    dC = np.zeros((n, n, n))
    dG = np.zeros((n, n))
    for h in range(n):
        for k in range(n):
            mass = sum(m[j] for j in range(h, n) if j >= k)
            for p in range(n):
                sign = (p == h) - (p == k)
                dM[h, k, p] = -sign * l[h] * l[k] * np.sin(q[h] - q[k]) * mass
                dC[h, k, p] = sign * l[h] * l[k] * np.cos(q[h] - q[k]) * mass
        dG[h, h] = -sum(m[h:]) * l[h] * g * np.sin(q[h])
    return dM, dC, dG


def reach(l, m, g, q0, target, T, dt, effort, position_weight, velocity_weight, tau0, tolerance, max_iterations=500):
    """Return the torques (T - 1, n), the cost and the number of iterations."""
    n = len(l)
    L = np.tril(np.ones((n, n)))
    to_u = np.linalg.inv(L).T

    def rollout(tau):
        x = [np.concatenate([L @ q0, np.zeros(n)])]
        for t in range(T - 1):
            q = x[-1][:n]
            qd = x[-1][n:]
            M, C, G = matrices(q, l, m, g)
            qdd = np.linalg.solve(M, to_u @ tau[t] - G - C @ qd**2)
            x.append(np.concatenate([q + dt * qd, qd + dt * qdd]))
        return np.array(x)

    def residual(x):
        q = x[-1][:n]
        qd = np.linalg.inv(L) @ x[-1][n:]
        off = np.array([l @ np.cos(q), l @ np.sin(q)]) - target
        J = np.zeros((2 + n, 2 * n))
        J[0, :n] = -l * np.sin(q)
        J[1, :n] = l * np.cos(q)
        J[2:, n:] = np.linalg.inv(L)
        return np.concatenate([off, qd]), J

    weights = np.diag([position_weight] * 2 + [velocity_weight] * n)

    def cost(x, tau):
        r = residual(x)[0]
        return effort * (tau**2).sum() + r @ weights @ r

    tau = np.array(tau0)
    x = rollout(tau)
    c = cost(x, tau)
    for iteration in range(max_iterations):
        S = np.zeros((2 * n * T, n * (T - 1)))
        for t in range(T - 1):
            q = x[t][:n]
            qd = x[t][n:]
            M, C, G = matrices(q, l, m, g)
            dM, dC, dG = slopes(q, l, m, g)
            inverse = np.linalg.inv(M)
            qdd = inverse @ (to_u @ tau[t] - G - C @ qd**2)
            A21 = np.zeros((n, n))
            for p in range(n):
                A21[:, p] = -inverse @ (dM[:, :, p] @ qdd + dG[:, p] + dC[:, :, p] @ qd**2)
            A = np.block([[np.eye(n), dt * np.eye(n)], [dt * A21, np.eye(n) - 2 * dt * inverse @ C @ np.diag(qd)]])
            B = np.vstack([np.zeros((n, n)), dt * inverse @ to_u])
            now = slice(2 * n * t, 2 * n * (t + 1))
            then = slice(2 * n * (t + 1), 2 * n * (t + 2))
            S[then] = A @ S[now]
            S[then, n * t : n * (t + 1)] = B
        r, J = residual(x)
        J_u = J @ S[-2 * n :]
        H = J_u.T @ weights @ J_u + effort * np.eye(n * (T - 1))
        gradient = J_u.T @ weights @ r + effort * tau.ravel()
        step = -np.linalg.solve(H, gradient).reshape(T - 1, n)
        if -(gradient @ step.ravel()) <= tolerance * c:
            break
        a = 1.0
        while a > 1e-4:
            new = tau + a * step
            x_new = rollout(new)
            c_new = cost(x_new, new)
            if c_new < c:
                break
            a /= 2
        else:
            break
        tau = new
        x = x_new
        c = c_new
    return tau, c, iteration
