"""Spatial vectors:  v = (omega, v_O),  f = (n_O, f),  v_i = X v_parent,  power = f . v.

A motion vector stacks the angular velocity and the velocity of the point at the frame's origin; a force vector stacks
the moment about that origin and the force.  Angular part first, as in Featherstone (2008), chapter 2.
"""

from robotdyn.backend import namespace


def skew(a):
    """Return the 3 x 3 matrix with skew(a) @ b = a x b; a: (3,)."""
    xp = namespace(a)
    return xp.stack([xp.stack([0, -a[2], a[1]]), xp.stack([a[2], 0, -a[0]]), xp.stack([-a[1], a[0], 0])])


def rotation(axis, angle):
    """Return the rotation matrix about a unit axis (3,) by an angle in rad:  R = a a^T + cos (1 - a a^T) + sin [a].

    Rodrigues' formula.  R takes coordinates in the turned frame to coordinates in the frame before the turn.
    """
    xp = namespace(axis, angle)
    along = axis[:, None] * axis[None, :]
    return along + xp.cos(angle) * (xp.eye(3) - along) + xp.sin(angle) * skew(axis)


def compose(first, second):
    """Return the frame (R, p) that is `first` followed by `second`: R (3, 3), p (3,) each."""
    (R, p), (S, s) = first, second
    return R @ S, p + R @ s


def transform(R, p):
    """Return X (6 x 6) that takes motion vectors from a parent frame to a child frame.

    R (3, 3), p (3,): orientation and origin of the child in the parent.  Force vectors go back by X.T.
    Featherstone (2008), equation 2.24.
    """
    xp = namespace(R, p)
    top = xp.concatenate([R.T, xp.zeros((3, 3))], axis=1)
    bottom = xp.concatenate([-R.T @ skew(p), R.T], axis=1)
    return xp.concatenate([top, bottom])


def cross_motion(v):
    """Return the 6 x 6 matrix of v x m, the rate of a motion vector m that is fixed in a body moving with v."""
    xp = namespace(v)
    w, u = skew(v[:3]), skew(v[3:])
    return xp.concatenate([xp.concatenate([w, xp.zeros((3, 3))], axis=1), xp.concatenate([u, w], axis=1)])


def cross_force(v):
    """Return the 6 x 6 matrix of v x* f, the rate of a force vector f that is fixed in a body moving with v."""
    return -cross_motion(v).T


def inertia(mass, com, about_com):
    """Return the spatial inertia (6 x 6) about the frame origin, from mass (kg), com (3,) m and inertia (3, 3) kg m^2.

    I = [[I_c + m [c][c]^T, m [c]], [m [c]^T, m 1]].  Featherstone (2008), equation 2.63.
    """
    xp = namespace(com, about_com)
    c = skew(com)
    top = xp.concatenate([about_com + mass * (c @ c.T), mass * c], axis=1)
    bottom = xp.concatenate([mass * c.T, mass * xp.eye(3)], axis=1)
    return xp.concatenate([top, bottom])
