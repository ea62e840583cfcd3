"""The vector that the regressors multiply:  phi = (m, m c, inertia about the origin of the frame), link after link."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from robotdyn.identification.regressor import joint_terms
from robotdyn.maths.namespace import as_type_of
from robotdyn.maths.spatial import Inertia, skew
from robotdyn.maths.validate import Array, Entries, Result, as_array, is_symbolic, joint_count
from robotdyn.model.arm import Arm

INERTIA_ENTRIES = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))  # the entries of an inertia, in the order of phi


def parameters(arm: Arm, joints: Iterable[str] | Mapping[str, Any] = ()) -> Result:
    """Return phi (10 n,): per link m in kg, m c (3) in kg m, inertia about the origin of the link's frame in kg m^2.

    The inertia is (xx, xy, xz, yy, yz, zz) in link axes, with xy the entry of the matrix, -(integral of x y dm); Pinocchio has
    yy before xz.
    joints: as in `rd.regressor`, each word appends n entries: "motor_inertia" those of the arm; of friction an arm knows
    nothing, so values stand beside the word, {"viscous": b, "coulomb": d, "offset": o}, numbers or (n,), N m s/rad, N m,
    N m (N s/m, N, N at a prismatic joint).
    An arm with symbols gives a SymPy Matrix.  Raises ValueError for another word or a missing value.
    """
    joint_count(arm)
    n = len(arm.links)
    parts: list[Any] = []
    for link in arm.links:
        body = Inertia.of_body(link.mass, link.com, link.inertia)
        parts.append([body.mass, *body.moment, *(body.about_origin[place] for place in INERTIA_ENTRIES)])
    given = joints if isinstance(joints, Mapping) else {}
    for term in joint_terms(joints):
        if term == "motor_inertia" and given.get(term) is None:
            parts.append([link.motor_inertia for link in arm.links])
        elif given.get(term) is None:
            raise ValueError(f'joints must give values for {term}, an arm has none of its own: {{"{term}": (n,)}}')
        else:
            parts.append(np.broadcast_to(as_array(given[term], term, (n,) if np.ndim(given[term]) else ()), n))
    phi = np.concatenate([np.asarray(part) for part in parts])
    return as_type_of(None, phi) if is_symbolic(phi) else phi


def with_parameters(arm: Arm, phi: Entries, joints: Iterable[str] = ()) -> Arm:
    """Return the arm with the masses, centers of mass and inertias of phi, as `rd.parameters` gives them; frames stay.

    joints: the words whose values follow the 10 n entries; of these an arm keeps "motor_inertia".
    Raises ValueError where some ten entries are no rigid body's, or phi has the wrong shape.
    """
    joint_count(arm)
    n = len(arm.links)
    terms = joint_terms(joints)
    phi = as_array(phi, "phi", (10 * n + n * len(terms),))
    links = []
    for i, link in enumerate(arm.links):
        mass = phi[10 * i]
        moment = phi[10 * i + 1 : 10 * i + 4]
        about = symmetric_matrix(phi[10 * i + 4 : 10 * i + 10])
        changes: dict[str, Any] = {"mass": mass}
        if "motor_inertia" in terms:
            changes["motor_inertia"] = phi[n * (10 + terms.index("motor_inertia")) + i]
        if mass == 0 and any(moment != 0):
            raise ValueError(
                f"the parameters of link {i + 1} are no rigid body's: without mass it has no first moment, "
                f"got m c = {moment.tolist()}"
            )
        center = moment / mass if mass != 0 else moment
        try:
            links.append(replace(link, com=center, inertia=about - mass * (skew(center) @ skew(center).T), **changes))
        except ValueError as error:
            raise ValueError(f"the parameters of link {i + 1} are no rigid body's: {error}") from None
    return replace(arm, links=links)


def symmetric_matrix(six: Array) -> Array:
    """Return the inertia (3, 3) with the entries (xx, xy, xz, yy, yz, zz)."""
    xx, xy, xz, yy, yz, zz = six
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
