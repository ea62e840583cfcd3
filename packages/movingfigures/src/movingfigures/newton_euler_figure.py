"""The recursive Newton-Euler algorithm to step through:  outward  F = m a,  N = I alpha + omega x I omega,  inward

    f_i = F_i + f_(i+1),    n_i = N_i + c_i x F_i + n_(i+1) + r_(i+1) x f_(i+1),    tau_i = S_i . (n_i, f_i),

with c_i and r_(i+1) from joint i to the center of its link and to the next joint; a motor adds its rotor to tau_i.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from movingfigures.figure import Figure
from movingfigures.spatial_arm import spatial_arm_figure
from robotdyn.dynamics import rigid_body
from robotdyn.dynamics.kinematics import cross, link_poses
from robotdyn.dynamics.recursive import chain
from robotdyn.maths.namespace import namespace
from robotdyn.maths.spatial import cross_motion
from robotdyn.maths.validate import Entries, Result, as_numbers, joint_count
from robotdyn.model.arm import Arm
from robotdyn.model.body import Body


def newton_euler_stages(arm: Arm, q: Entries, qd: Entries, qdd: Entries) -> tuple[Result, ...]:
    """Return what the algorithm finds on its way, base axes: of each link omega rad/s, its rate rad/s^2, the acceleration
    of its center less gravity m/s^2, the force F N and the moment N N m about its center that it needs; of each joint
    the force f N and the moment n N m about its origin that it carries, (n, 3) each; and tau (n,) N m (N).
    """
    xp = namespace(arm, q, qd, qdd)
    n = arm.n
    R, p = link_poses(arm, q)
    X, S, _ = chain(arm, q)
    v = xp.zeros(6)
    a = xp.concatenate([xp.zeros(3), -xp.array(arm.gravity)])
    rows: list[list[Any]] = []
    for i, link in enumerate(arm.links):
        v = X[i] @ v + S[i] * qd[i]
        a = X[i] @ a + S[i] * qdd[i] + cross_motion(v) @ S[i] * qd[i]
        omega = v[:3]
        alpha = a[:3]
        c = xp.array(link.com)
        a_c = a[3:] + cross(omega, v[3:]) + cross(alpha, c) + cross(omega, cross(omega, c))
        w = rigid_body.wrench(Body(link.mass, link.com, link.inertia), omega, alpha, a_c, link.com)
        rows.append([R[i] @ x for x in (omega, alpha, a_c, w[:3], w[3:])])
    f: list[Any] = [None] * n
    m: list[Any] = [None] * n
    tau: list[Any] = [None] * n
    for i in reversed(range(n)):
        *_, F, N = rows[i]
        f[i] = F
        m[i] = N + cross(R[i] @ xp.array(arm.links[i].com), F)
        if i + 1 < n:
            f[i], m[i] = f[i] + f[i + 1], m[i] + m[i + 1] + cross(p[i + 1] - p[i], f[i + 1])
        rotor = xp.array(arm.links[i].motor_inertia) * qdd[i]
        tau[i] = S[i][:3] @ (R[i].T @ m[i]) + S[i][3:] @ (R[i].T @ f[i]) + rotor
    return (*(xp.stack(column) for column in zip(*rows)), xp.stack(f), xp.stack(m), xp.stack(tau))


def sweeps(
    arm: Arm, q: ArrayLike, qd: ArrayLike | None = None, qdd: ArrayLike | None = None, title: str | None = None
) -> Figure:
    """Return a Figure that walks through the recursive Newton-Euler algorithm, link by link, with its forces and moments.

    arm: numbers; q: (n,) rad (m), the pose, which can be changed by sliders and by hand; qd, qdd: (n,) rad/s and
    rad/s^2 (m/s, m/s^2), default 1 each; two sliders scale them.  title: its name.
    Raises ValueError or TypeError in words for what cannot be.
    """
    n = joint_count(arm)
    q = as_numbers(q, "q", (n,))
    rates = {name: as_numbers(np.ones(n) if x is None else x, name, (n,)) for name, x in (("qd", qd), ("qdd", qdd))}
    scales = (("speed", "s", "share of the rates"), ("push", "a", "share of the accelerations"))
    sliders = [
        {
            "name": name,
            "low": -2.0,
            "high": 2.0,
            "value": 1.0,
            "words": words,
            "unit": "",
            "symbol": False,
            "letter": letter,
            "index": "",
            "step": 0.02,
        }
        for name, letter, words in scales
    ]
    return spatial_arm_figure(
        arm,
        q,
        "newton_euler",
        title or f"Newton and Euler's sweeps over {n} joints",
        ["inward_torques"],
        {"newton_euler": (newton_euler_stages, {"q": "n", "qd": "n", "qdd": "n"})},
        {"sliders": sliders, "rates": {name: x.tolist() for name, x in rates.items()}},
    )
