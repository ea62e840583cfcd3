"""Inertias that bodies have, near matrices that no body has:  Sigma = (trace I) / 2 - I = integral of r r^T dm  >= 0.

Sigma (3, 3) holds the second moments, the upper left block of the pseudo-inertia (Wensing, Kim and Slotine 2018), and
I = (trace Sigma) - Sigma.  "Nearest" is nearest in Sigma, by the root of the sum of its squared entries.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from robotdyn.maths.validate import Floats
from robotdyn.model.checks import check_body
from robotdyn.model.urdf_file import Inertial

MAX_PROJECTIONS = 1000  # of a matrix onto the bodies and onto the printed digits, in turn
OVERSHOOT = 1.9  # of the step onto the bodies: from 1, onto their boundary, to 2, as far behind it
ROUNDOFF = 1e-14  # of a product of two matrices, beside the squared largest entry
MARGIN = 1e-3  # of half a unit, by which projections aim inside of it: then they arrive

NEGLIGIBLE = 1e-15  # kg m^2, of a microgram at a micron: a program's rounding of zeros
MAX_ROUNDING = 0.02  # of the largest moment: an inertia that is printed more coarsely is a guess


def possible_inertia(link: str, body: Inertial, path: Any, take_nearest: bool, changes: list[str]) -> Floats:
    """Return the inertia of a link, or of a body that prints the same digits, or where that is asked for the nearest of a body.

    Link by link: beside a heavy one nobody would see what is wrong.  changes: gets a phrase for each that is replaced.
    """
    if body.inertia is None:
        try:
            check_body(body.mass, np.zeros((3, 3)))
        except ValueError as error:
            raise ValueError(f"link {link} of {path}: {error}") from None
        if not take_nearest:
            raise ValueError(
                f"link {link} of {path} must have a <inertia> in its <inertial>, got none: "
                'inertias="nearest" takes its mass for a point'
            )
        changes.append(f"{link} (none is given -> a point mass)")
        return np.zeros((3, 3))
    try:
        check_body(body.mass, body.inertia)
        return body.inertia
    except ValueError as error:
        nearest = nearest_inertia(body.inertia)
        size = abs(body.inertia).max()
        share = abs(nearest - body.inertia).max() / (size or 1.0)
        R = body.rotation
        reach = np.maximum(np.minimum(body.rounding, MAX_ROUNDING * size), NEGLIGIBLE)
        rounded = inertia_within(R.T @ body.inertia @ R, reach)
        if body.mass < 0 or (rounded is None and not take_nearest):
            hint = (
                ""
                if body.mass < 0
                else f" (no body prints these digits; the nearest that a body can have, in its second moments, is {100 * share:.2g} % away: "
                'inertias="nearest" takes it)'
            )
            raise ValueError(f"link {link} of {path}: {error}{hint}") from None
        possible = nearest if rounded is None else R @ rounded @ R.T
        moments = [", ".join(f"{x:.4g}" for x in np.linalg.eigvalsh(I)) for I in (body.inertia, possible)]
        reason = "moments" if rounded is None else "rounding of its digits"
        changes.append(f"{link} ({reason} {moments[0]} -> {moments[1]})")
        return possible


def nearest_inertia(inertia: Floats) -> Floats:
    """Return the inertia (3, 3) of a body that is nearest, in its second moments, to a symmetric matrix.

    The second moments of a body have no negative eigenvalue: the negative ones become zero.
    """
    return _inertia(_nonnegative(_second_moments(inertia)))


def inertia_within(inertia: Floats, reach: Floats) -> Floats | None:
    """Return the inertia (3, 3) of a body whose entries are no further than `reach` (3, 3) from a matrix, None if none was found.

    Projections in turn onto the bodies and onto what is in reach, nearest each in second moments: both are convex, so
    that they meet where there is such a body.  Where there is none, a projection tells: N = body - Sigma has no negative
    eigenvalue, so that the sum of N * Sigma is >= 0 for each body, and the largest in reach may be below 0.
    """
    Sigma = _second_moments(inertia)
    for _ in range(MAX_PROJECTIONS):
        body = _nonnegative(Sigma)
        found = _inertia(body)
        if (abs(found - inertia) <= reach).all():
            return found
        normal = _second_moments(body - Sigma)  # its product with an inertia is that of N with its second moments
        if (normal * inertia).sum() + (abs(normal) * reach).sum() < -ROUNDOFF * abs(inertia).max() ** 2:
            return None
        Sigma = _within_reach(Sigma + OVERSHOOT * (body - Sigma), inertia, (1 - MARGIN) * reach)
    return None


def _within_reach(Sigma: Floats, inertia: Floats, reach: Floats) -> Floats:
    """Return second moments moved to where products of inertia are within reach, and then one moment after the other."""
    low = inertia - reach
    high = inertia + reach
    moved = np.where(np.eye(3, dtype=bool), Sigma, -np.clip(-Sigma, low, high))
    for k in range(3):  # I_xx = Sigma_yy + Sigma_zz: both move by half of what is missing
        others = [(k + 1) % 3, (k + 2) % 3]
        moment = moved[others, others].sum()
        moved[others, others] += (np.clip(moment, low[k, k], high[k, k]) - moment) / 2
    return moved


def _nonnegative(Sigma: Floats) -> Floats:
    """Return the matrix without negative eigenvalues that is nearest to a symmetric one."""
    sizes, axes = np.linalg.eigh(Sigma)
    return np.asarray(axes * np.maximum(sizes, 0) @ axes.T, dtype=np.float64)


def _second_moments(inertia: Floats) -> Floats:
    return np.trace(inertia) / 2 * np.eye(3) - inertia


def _inertia(Sigma: Floats) -> Floats:
    return np.trace(Sigma) * np.eye(3) - Sigma
