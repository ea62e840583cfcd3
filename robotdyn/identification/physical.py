"""Parameters that a robot can have:  every link's pseudo-inertia  P = [[Sigma, m c], [(m c)^T, m]]  positive definite.

A fit of base parameters asks for no such thing, and noise then makes masses that no body has.  Here P = L U U^T L^T with
L L^T that of the prior and U upper triangular with positive diagonal: whatever the numbers in U, the link is a rigid
body, and U = 1 is the prior.  Wensing, Kim and Slotine (2018), "Linear matrix inequalities for physically consistent
inertial parameter identification"; Rucker and Wensing (2022), "Smooth parameterization of rigid-body inertia".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from robotdyn.identification.estimate import Estimate
from robotdyn.identification.parameters import INERTIA_ENTRIES, parameters, symmetric_matrix
from robotdyn.maths.validate import Floats, as_positive, check_numeric
from robotdyn.model.arm import Arm

UPPER_TRIANGLE = np.triu_indices(4)  # of U
ON_DIAGONAL = UPPER_TRIANGLE[0] == UPPER_TRIANGLE[1]


def pseudo_inertia(ten: Floats) -> Floats:
    """Return P (4, 4) of (m, m c, inertia about the origin), with Sigma = (trace I) / 2 - I, integral of r r^T dm."""
    about = symmetric_matrix(ten[4:])
    P = np.empty((4, 4))
    P[:3, :3] = np.trace(about) / 2 * np.eye(3) - about
    P[:3, 3] = P[3, :3] = ten[1:4]
    P[3, 3] = ten[0]
    return P


def inertial_parameters_of(P: Floats) -> Floats:
    """Return (m, m c, inertia) of pseudo-inertias (..., 4, 4)."""
    Sigma = P[..., :3, :3]
    about = np.trace(Sigma, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) - Sigma
    six = np.stack([about[(..., *place)] for place in INERTIA_ENTRIES], axis=-1)
    return np.concatenate([P[..., 3, 3:], P[..., 3, :3], six], axis=-1)


def physical_parameters(
    estimate: Estimate, prior: Arm | None = None, spread: float = 1.0, thickness: float = 0.01
) -> Floats:
    """Return all parameters phi (m,), of rigid bodies, that agree best with an estimate and with a prior.

    prior: an arm with guesses of the masses, default that of the estimate;
    spread: how far the guesses may be off, as a part of them: 0.1 trusts a drawing, 1 hardly;
    thickness: m, what is thinner in the prior is taken as so thick.
    Viscous and Coulomb friction and rotors come out positive; offsets may have either sign.
    What the torques cannot tell stays as close to the prior as the rest allows; `rd.with_parameters` makes an arm of
    it.
    Raises ValueError where a link of the prior has no mass.
    """
    from scipy.optimize import least_squares

    base = estimate.base
    prior = base.arm if prior is None else prior
    check_numeric(prior, "physical_parameters")
    spread = as_positive(spread, "spread", "as a part of the guess")
    n = len(base.arm.links)
    if len(prior.links) != n:
        raise ValueError(f"prior must have {n} links, as the arm of the estimate has, got {len(prior.links)}")
    roots = np.array(
        [_cholesky_of_prior(ten, i, thickness) for i, ten in enumerate(parameters(prior).reshape(n, 10), start=1)]
    )
    alone = base.completed(estimate.values, np.concatenate([parameters(prior), np.zeros(len(base.names) - 10 * n)]))
    of_joints, free = _joint_start(estimate, alone)
    whiten = _whitening_matrix(estimate)

    def phi_of(x: Floats) -> Floats:
        root = roots @ _upper_factors(x[: 10 * n].reshape(n, 10))
        joint_values = np.where(
            free, of_joints + abs(of_joints) * x[10 * n :], of_joints * np.exp(np.where(free, 0, x[10 * n :]))
        )
        return np.concatenate([inertial_parameters_of(root @ root.transpose(0, 2, 1)).ravel(), joint_values])

    def residuals(x: Floats) -> Floats:
        return np.concatenate([whiten @ (base.grouping @ phi_of(x) - estimate.values), x / spread])

    def slopes(x: Floats) -> Floats:
        J = np.zeros((len(base.names), len(x)))
        ten = x[: 10 * n].reshape(n, 10)
        U = _upper_factors(ten)
        for k, (row, column) in enumerate(zip(*UPPER_TRIANGLE)):
            turn = np.zeros((n, 4, 4))
            turn[:, row, column] = np.exp(ten[:, k]) if ON_DIAGONAL[k] else 1
            half = roots @ turn @ (roots @ U).transpose(0, 2, 1)
            change = inertial_parameters_of(half + half.transpose(0, 2, 1))
            for i in range(n):
                J[10 * i : 10 * i + 10, 10 * i + k] = change[i]
        joint_indices = np.arange(10 * n, len(x))
        J[joint_indices, joint_indices] = np.where(
            free, abs(of_joints), of_joints * np.exp(np.where(free, 0, x[10 * n :]))
        )
        return np.concatenate([whiten @ base.grouping @ J, np.eye(len(x)) / spread])

    found = least_squares(residuals, np.zeros(len(base.names)), slopes, method="lm", xtol=1e-12, ftol=1e-12, gtol=1e-12)
    return phi_of(found.x)


def _whitening_matrix(estimate: Estimate) -> Floats:
    """Return W (r, r) with which W times the errors of the estimate are independent and of size 1."""
    noise = estimate.covariance + np.diag((1e-9 * abs(estimate.values).max() + 1e-9 * abs(estimate.values)) ** 2)
    scale = 1 / np.sqrt(np.diag(noise))
    return np.linalg.inv(np.linalg.cholesky(noise * np.outer(scale, scale))) * scale


def _upper_factors(ten: Floats) -> Floats:
    """Return U (n, 4, 4), upper triangular, from ten numbers a link (n, 10): those on the diagonal are logarithms."""
    U = np.zeros((len(ten), 4, 4))
    U[:, *UPPER_TRIANGLE] = np.where(ON_DIAGONAL, np.exp(ten), ten)
    return U


def _cholesky_of_prior(ten: Floats, link: int, thickness: float) -> Floats:
    """Return L (4, 4) with L L^T the pseudo-inertia of a link of the prior, made as thick as `thickness` where it is not."""
    if not ten[0] > 0:
        raise ValueError(f"prior must give each link a mass, link {link} has none: a rough guess will do")
    P = pseudo_inertia(ten)
    c = ten[1:4] / ten[0]
    about_com = P[:3, :3] - ten[0] * np.outer(c, c)  # about the center of mass
    sizes, axes = np.linalg.eigh(about_com)
    about_com = axes * np.maximum(sizes, ten[0] * thickness**2 / 12) @ axes.T
    # P = [[own + m c c^T, m c], [.., m]] = L L^T with the upper triangular L below
    L = np.zeros((4, 4))
    L[:3, :3] = np.linalg.cholesky(about_com[::-1, ::-1])[::-1, ::-1]
    L[:, 3] = np.sqrt(ten[0]) * np.array([*c, 1])
    return L


def _joint_start(estimate: Estimate, phi: Floats) -> tuple[Floats, Any]:
    """Return where the fit of rotors and friction begins, and which of them may be negative."""
    n = len(estimate.base.arm.links)
    terms = estimate.base.joints
    begin = phi[10 * n :].copy()
    size = max(1e-6, 1e-3 * abs(estimate.values).max())
    free = np.array([term == "offset" for term in terms for _ in range(n)], dtype=bool)
    begin = np.where(free, np.where(begin == 0, size, begin), np.maximum(begin, size))
    return begin, free
