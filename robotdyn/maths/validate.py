"""Checks of input:  what is no number, has the wrong shape or is not finite raises an error of one sentence."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Array: TypeAlias = NDArray[Any]  # of floats, or of objects where symbols or other scalars take part
# What an algorithm takes (in an array, a list, a tuple or a Matrix; inside always an array), and what it gives (Floats,
# a SymPy Matrix, an array of expressions): SymPy has no types to name here, and one algorithm serves many scalar types.
Entries: TypeAlias = Any
Result: TypeAlias = Any
STATE_ARGUMENTS = ("q", "qd", "qdd", "tau")  # arguments of shape (..., n)


def as_numbers(x: Any, name: str, shape: tuple[Any, ...]) -> Floats:
    """Return x as an array of floats of this shape; a leading `...` stands for any number of batch axes.

    Raises TypeError for symbols and for what is no number, ValueError for a wrong shape, NaN or infinity.
    """
    array = as_array(x, name, shape)
    if array.dtype == object:
        raise TypeError(f"{name} must hold numbers, got symbols: put values in with subs")
    return array


def as_positive(x: Any, name: str, unit: str) -> float:
    """Return one number above zero; unit: the words that the error says after it."""
    number = float(as_numbers(x, name, ()))
    if not number > 0:
        raise ValueError(f"{name} must be > 0 {unit}, got {x}")
    return number


def as_times(t: Any) -> Floats:
    """Return the times of samples as an increasing array (T,) in s, or say what is wrong with them."""
    if t is None:
        raise TypeError("t must be given: an array of times in s, such as np.arange(0, 5, 0.01)")
    t = as_numbers(t, "t", (...,))
    if t.ndim != 1 or len(t) < 2:
        raise ValueError(f"t must be an increasing array of at least two finite times in s, got shape {t.shape}")
    if not (np.diff(t) > 0).all():
        index = int(np.argmin(np.diff(t) > 0))
        raise ValueError(
            "t must be an increasing array of at least two finite times in s, "
            f"got {t[index + 1]:g} after {t[index]:g}: equal or falling times have no step between them"
        )
    return t


def check_numeric(arm: Any, caller: str) -> None:
    """Refuse what is no arm, and an arm of symbols; caller: the name of the function that asks."""
    joint_count(arm)
    if arm.dtype != object:
        return
    if arm.free_symbols:
        raise TypeError(f"{caller} needs numbers, got an arm with symbols: put values in with arm.subs")
    raise TypeError(
        f"{caller} computes with numbers alone and cannot be traced: trace an algorithm such as rd.forward_dynamics"
    )


def is_symbolic(x: Any) -> bool:
    """Tell whether x is a SymPy object, or holds one; SymPy is not imported for the question."""
    sympy = sys.modules.get("sympy")
    if sympy is None:
        return False
    if isinstance(x, (sympy.Basic, sympy.MatrixBase)):
        return True
    if isinstance(x, np.ndarray):
        return x.dtype == object and any(isinstance(entry, sympy.Basic) for entry in x.flat)
    return isinstance(x, (list, tuple)) and any(is_symbolic(entry) for entry in x)


def as_array(x: Any, name: str, shape: tuple[Any, ...]) -> Array:
    """Return x as an array of floats, or of objects where it holds symbols, and check its shape and values.

    shape: the sizes that x must have; a leading `...` stands for any number of batch axes.
    Raises TypeError for what is no number, ValueError for a wrong shape, NaN or infinity.
    """
    try:
        if is_symbolic(x):
            array = _from_symbols(x, shape)
        elif isinstance(x, np.ndarray) and x.dtype == object and any(hasattr(entry, "sin") for entry in x.flat):
            array = x
        else:
            array = np.asarray(x)
            if array.dtype.kind not in "iuf" and array.size:
                array = _floats_from(array)
            array = array.astype(float)
        if array.dtype == object and not all(_is_entry(entry) for entry in array.flat):
            raise TypeError
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} must hold real numbers or SymPy expressions, got {in_short(x)}") from None
    _check_shape(array, name, shape)
    _check_finite(array, name)
    return array


def _from_symbols(x: Any, shape: tuple[Any, ...]) -> Array:
    """Return SymPy expressions as an array of objects; a column Matrix is a vector where one is wanted."""
    array = np.array(x.tolist() if hasattr(x, "tolist") else x, dtype=object)
    if getattr(x, "cols", 0) == 1 and len([size for size in shape if size is not ...]) == 1:
        return array[:, 0]
    return array


def _floats_from(array: Array) -> Floats:
    if array.dtype.kind == "O" and all(isinstance(entry, (int, float, np.number)) for entry in array.flat):
        return array.astype(float)
    raise TypeError


def _is_entry(x: Any) -> bool:
    """Tell whether x is a real number or expression (or not finite: that is found later), or a scalar of another type."""
    if is_symbolic(x):
        return hasattr(x, "as_numer_denom") and (x.is_extended_real is not False or x.is_finite is False)
    return isinstance(x, Real) or hasattr(x, "sin")


def joint_count(arm: Any) -> int:
    """Return the number of joints of an arm; TypeError for anything else."""
    if not hasattr(arm, "links"):
        raise TypeError(f"the first argument must be an Arm, got {in_short(arm)}; build one with rd.Arm or rd.robots")
    return arm.n


def as_motors(motors: Sequence[int] | None, n: int, name: str = "motors") -> list[int]:
    """Return the indices of the joints that have a motor, each once, of an arm of n joints: all where None is given.

    name: what a sentence calls them.
    """
    joints = list(range(n)) if motors is None else list(motors)
    whole = all(isinstance(k, (int, np.integer)) and not isinstance(k, bool) and 0 <= k < n for k in joints)
    if not whole or len(set(joints)) < len(joints):
        raise ValueError(f"{name} must be indices of joints from 0 to {n - 1}, each once, got {in_short(motors)}")
    return [int(k) for k in joints]


def check_is_body(body: Any) -> None:
    """Refuse what is no body."""
    if not hasattr(body, "second_moment"):
        raise TypeError(f"the first argument must be a Body, got {in_short(body)}; build one with rd.Body or rd.bodies")


def _check_shape(array: Array, name: str, shape: tuple[Any, ...]) -> None:
    batched = shape[:1] == (...,)
    sizes = shape[1:] if batched else shape
    if array.shape[array.ndim - len(sizes) :] != sizes or (not batched and array.ndim != len(sizes)):
        joints = f" for an arm of {sizes[0]} joint{'s' * (sizes[0] != 1)}" if name in STATE_ARGUMENTS else ""
        raise ValueError(f"{name} must have shape {sizes}{joints}, got {array.shape}")


def _check_finite(array: Array, name: str) -> None:
    if array.dtype == object:
        bad = [x for x in array.flat if not _is_finite(x)]
    else:
        bad = list(array[~np.isfinite(array)])
    if len(bad):
        raise ValueError(f"{name} must be finite, got {bad[0]}: look for a division by zero before this call")


def _is_finite(x: Any) -> bool:
    """A scalar says it itself: SymPy's expressions do, unless they are NaN, and so do values that are yet to come."""
    declared = getattr(x, "is_finite", None)
    return declared if declared is not None else type(x).__name__ != "NaN" and x == x


def in_short(x: Any) -> str:
    """Return how x looks to Python, on one line of at most 60 signs: what a sentence about bad input quotes."""
    text = repr(x).replace("\n", " ")
    return text if len(text) < 60 else text[:57] + "..."
