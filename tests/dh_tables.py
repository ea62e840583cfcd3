"""Products of homogeneous matrices, by hand: what the frames of a Denavit-Hartenberg table are."""

import numpy as np

from robotdyn.maths.spatial import rotation

X, Y, Z = np.eye(3)


def matrix(R, p):
    """The homogeneous matrix (4, 4) of a rotation and a position."""
    return np.block([[np.asarray(R), np.reshape(p, (3, 1))], [np.zeros((1, 3)), np.ones((1, 1))]])


def turn(axis, angle):
    """A turn about a coordinate axis, as a homogeneous matrix."""
    return matrix(rotation(axis, angle), (0, 0, 0))


def shift(axis, length):
    """A shift along a coordinate axis, as a homogeneous matrix."""
    return matrix(np.eye(3), length * axis)


def of_table(rows, joints, q, convention):
    """The product of the matrices of a Denavit-Hartenberg table."""
    T = np.eye(4)
    for (a, alpha, d, theta), joint, q_i in zip(rows, joints, q):
        theta, d = (theta + q_i, d) if joint == "revolute" else (theta, d + q_i)
        around = turn(Z, theta) @ shift(Z, d)
        link = shift(X, a) @ turn(X, alpha)
        T = T @ (around @ link if convention == "standard" else link @ around)
    return T
