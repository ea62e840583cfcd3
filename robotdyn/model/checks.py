"""What no rigid body, no joint frame and no table can be, refused with the reason; symbols are tried at one point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from robotdyn.maths.validate import Array, Floats, as_numbers, in_short, is_symbolic


def check_body(mass: Any, inertia: Array) -> None:
    """Refuse what no rigid body can have."""
    if not is_symbolic(mass) and mass < 0:
        raise ValueError(f"mass must be >= 0 kg, got {mass}")
    if is_symbolic(mass) and mass.is_negative:
        raise ValueError(f"mass must be >= 0 kg, got {mass}: declare its symbol with positive=True")
    numbers = _at_test_point(inertia)
    size = abs(numbers).max()
    if abs(numbers - numbers.T).max() > 1e-9 * size:
        raise ValueError(f"inertia must be symmetric, got {inertia.tolist()}")
    if is_symbolic(inertia):
        return  # symbols stand for values that are still to come
    smallest, middle, largest = np.linalg.eigvalsh(numbers)
    if smallest < -1e-9 * size:
        raise ValueError(
            f"inertia must have principal moments >= 0, got {smallest:.6g}: is it about the center of mass?"
        )
    if largest > smallest + middle + 1e-9 * size:
        raise ValueError(
            "inertia must obey the triangle inequality (no principal moment above the sum of the other two), "
            f"got {smallest:.6g}, {middle:.6g}, {largest:.6g}: "
            "a flat body has moments a, b and a + b; a planar arm may give each link (I/2, I/2, I)"
        )


def check_motor(motor_inertia: Any) -> None:
    """Refuse a rotor that no motor can have."""
    if (is_symbolic(motor_inertia) and motor_inertia.is_negative) or (
        not is_symbolic(motor_inertia) and motor_inertia < 0
    ):
        raise ValueError(f"motor_inertia must be >= 0 kg m^2 (kg at a prismatic joint), got {motor_inertia}")


def check_frame(axis: Array, rotation: Array) -> None:
    """Refuse an axis that is no unit vector and a rotation that is no rotation; symbols are tried at one point."""
    length = np.linalg.norm(_at_test_point(axis))
    if abs(length - 1) > 1e-9:
        hint = "a joint needs a direction" if length == 0 else "divide it by its length"
        raise ValueError(f"axis must be a unit vector, got length {length:.6g}: {hint}")
    check_rotation(rotation, "rotation")


def check_rotation(rotation: Array, name: str) -> None:
    """Refuse a matrix that is no rotation."""
    R = _at_test_point(rotation)
    if abs(R.T @ R - np.eye(3)).max() > 1e-9 or np.linalg.det(R) < 0:
        raise ValueError(
            f"{name} must be a rotation matrix (R^T R = 1, det R = +1), got one with "
            f"|R^T R - 1| = {abs(R.T @ R - np.eye(3)).max():.2g} and det R = {np.linalg.det(R):.6g}"
        )


def as_coupling(coupling: Any, m: int) -> Floats | None:
    """Return the coupling (m, n + 1) of the joints of m links, None where all are free."""
    if coupling is None:
        return None
    array = as_numbers(coupling, "coupling", (...,))
    if array.ndim != 2 or len(array) != m or not 2 <= array.shape[1] <= m + 1:
        raise ValueError(
            f"coupling must have a row for each of the {m} joints, with n <= {m} factors and an offset, got shape {array.shape}"
        )
    n = array.shape[1] - 1
    for k in range(n):
        if not _has_position(array, k).any():
            raise ValueError(
                f"coupling must make each coordinate the position of a joint, got none with factor 1 of coordinate {k} alone "
                "and without an offset: choose joints as coordinates"
            )
    if n == m and (array == np.eye(m, m + 1)).all():
        return None
    array = array.copy()
    array.flags.writeable = False
    return array


def own_joints(coupling: Floats | None, m: int, wanted: Any) -> tuple[int, ...]:
    """Return for each coordinate the first joint whose position it is and nothing else, or the wanted one where that is such."""
    if coupling is None:
        return tuple(range(m))
    if not isinstance(wanted, (Sequence, np.ndarray, type(None))):
        raise TypeError(f"independent must hold the index of a link for each coordinate, got {in_short(wanted)}")
    choice = [*([] if wanted is None else wanted), *[None] * m]
    own = (np.flatnonzero(_has_position(coupling, k)).tolist() for k in range(coupling.shape[1] - 1))
    return tuple(first if joint not in (first, *more) else int(joint) for (first, *more), joint in zip(own, choice))


def _has_position(coupling: Floats, k: int) -> Any:
    """Return (m,), which joints have coordinate k as their position."""
    return (coupling == np.eye(1, coupling.shape[1], k)).all(axis=1)


class SerialParents(tuple[int, ...]):
    """The parents of a serial chain, which follow the number of its links where others take their place."""


def as_parents(parents: Any, n: int) -> tuple[int, ...]:
    """Return the parents of n links as a tuple, each smaller than the link's own index; None: a serial chain."""
    if parents is None or isinstance(parents, SerialParents):
        return SerialParents(range(-1, n - 1))
    given = list(parents) if isinstance(parents, (Sequence, np.ndarray)) and not isinstance(parents, str) else None
    if given is None or not all(isinstance(k, (int, np.integer)) and not isinstance(k, bool) for k in given):
        raise TypeError(
            f"parents must hold whole numbers, the index of each link's parent or -1 for the base, got {in_short(parents)}"
        )
    if len(given) != n:
        raise ValueError(f"parents must hold one index for each of the {n} links, got {len(given)}")
    for i, parent in enumerate(given):
        if not -1 <= parent < i:
            raise ValueError(
                f"parents[{i}] must be -1, the base, or the index of a link before, got {parent}: "
                "list each link after the one that carries it"
            )
    return SerialParents(given) if given == list(range(-1, n - 1)) else tuple(int(k) for k in given)


def as_link_index(link: Any, n: int | None = None) -> int:
    """Return a link's index as an int, of an arm of n joints from 0 to n - 1; or say that it is none."""
    is_index = isinstance(link, (int, np.integer)) and not isinstance(link, bool)
    if n is None:
        if not is_index:
            raise ValueError(f"link must be an index, 0 for the first link or -1 for the last, got {in_short(link)}")
        return int(link)
    if not is_index or not -n <= link < n:
        raise ValueError(f"link must be an index from 0 to {n - 1} (or -1 for the last), got {in_short(link)}")
    return int(link) % n


def per_joint_values(columns: Mapping[str, Any], defaults: Mapping[str, Any], n: int, rows: str) -> list[Any]:
    """Return a list of n values for each name of `usual`: what `columns` gives, or where that is None the usual one."""
    given = [[defaults[name]] * n if columns[name] is None else columns[name] for name in defaults]
    for name, values in zip(defaults, given):
        if not hasattr(values, "__len__") or len(values) != n:
            count = len(values) if hasattr(values, "__len__") else repr(values)
            raise ValueError(f"{name} must have one entry for each of the {n} {rows}, got {count}")
    return given


def _at_test_point(array: Array) -> Floats:
    if not is_symbolic(array):
        return array.astype(float)
    symbols = sorted(set().union(*(getattr(x, "free_symbols", set()) for x in array.flat)), key=str)
    point = {symbol: 0.37 + 0.11 * k for k, symbol in enumerate(symbols)}
    return np.array([float(x.subs(point)) if hasattr(x, "subs") else float(x) for x in array.flat]).reshape(array.shape)
