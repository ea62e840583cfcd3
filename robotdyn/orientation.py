"""The turn between two orientations:  phi = log(target^T R), and how it changes,  dphi = J(phi)^-1 target^T omega dt."""

import numpy as np

from robotdyn.kinematics import link_poses


def tip_rotation(arm, q):
    """Return R (..., 3, 3), the axes of the last link in base axes; q: (n,), or (..., n)."""
    R, _ = link_poses(arm, q)
    return R[..., -1, :, :]


def rotation_error(R, target):
    """Return phi (..., 3) rad = log(target^T R), and the matrix (..., 3, 3) that takes omega (base axes) to dphi/dt.

    phi lies in the axes of the target, |phi| <= pi; at |phi| = pi the direction jumps.
    dphi/dt = (1 - 1/2 [phi] + (1 - t/2 cot t/2) / t^2 [phi]^2) target^T omega,  t = |phi|: the inverse of the left
    Jacobian; Sola, Deray and Atchuthan (2018), "A micro Lie theory for state estimation", equation 146.
    """
    from scipy.spatial.transform import Rotation

    E = np.swapaxes(target, -1, -2) @ R
    phi = Rotation.from_matrix(E.reshape(-1, 3, 3)).as_rotvec().reshape(E.shape[:-1])
    x, y, z = np.moveaxis(phi, -1, 0)
    cross = np.moveaxis(np.array([[0 * x, -z, y], [z, 0 * x, -x], [-y, x, 0 * x]]), (0, 1), (-2, -1))
    t = np.linalg.norm(phi, axis=-1)
    safe = np.where(t < 1e-3, 1.0, t)
    bend = np.where(t < 1e-3, 1 / 12 + t**2 / 720, (1 - safe / 2 / np.tan(safe / 2)) / safe**2)
    return phi, (np.eye(3) - cross / 2 + bend[..., None, None] * (cross @ cross)) @ np.swapaxes(target, -1, -2)
