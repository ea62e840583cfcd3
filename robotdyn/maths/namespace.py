"""The worlds in which one text computes: floats, SymPy expressions, columns of states, any scalar that knows sin and cos.

Every algorithm of this library is written once, on arrays.  An array of floats is a plain NumPy array.  In every
other world it is a NumPy array of objects, and the objects do the arithmetic: SymPy expressions give formulas,
`Column` gives a whole batch of states at a time, `TrigPoly` gives the normal form that `derive` uses.
This is the only file that knows that there are several worlds.
"""

import functools
import inspect
import math
from types import SimpleNamespace

import numpy as np

from robotdyn.maths.batch import Column, is_number
from robotdyn.maths.validate import STATE, as_array, joints_of


def namespace(*things):
    """Return the functions that an algorithm may use in the world of `things` (arrays, or arms).

    sin, cos: of a scalar; array(a): a constant of the arm, brought into this world; stack(list): a new array from
    scalars or from arrays of one shape; concatenate(list); eye(n), zeros(n).  Besides these a text uses `@` and `.T`.
    """
    return _FLOATS if all(_is_float(thing) for thing in things) else _OBJECTS


def vanishes(x, among):
    """Tell whether the number x is zero, up to rounding beside the largest entry of the array `among`."""
    if getattr(x, "is_recorded", False):
        return False  # a value that is yet to come: the program will give infinity or NaN where it is zero
    if isinstance(x, Column):
        size = functools.reduce(np.maximum, (abs(getattr(entry, "values", entry)) for entry in among.flat))
        return bool(np.any(abs(x.values) <= 1e-14 * size))
    if isinstance(x, (int, float)):
        return bool(abs(x) <= 1e-14 * abs(among).max()) if among.dtype != object else x == 0
    return x == 0


def in_every_world(algorithm):
    """Let an algorithm f(arm, q, qd, ..., more) take floats, symbols or batches, and check its arguments first.

    q, qd, qdd, tau must have shape (n,), or (..., n) for a batch of states (numbers only); tip_wrench (6,) or (..., 6).
    Symbols given as a Matrix, list or tuple come back as a SymPy Matrix (a scalar as an expression);
    an array comes back as an array.
    """
    signature = inspect.signature(algorithm)

    @functools.wraps(algorithm)
    def wrapped(arm, *args, **kwargs):
        n = joints_of(arm)
        try:
            given = signature.bind(arm, *args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{algorithm.__name__}{signature}: {error}") from None
        given.apply_defaults()
        values, names, wants_matrix = given.arguments, [], False
        for name, value in values.items():
            if name in STATE or (name == "tip_wrench" and value is not None):
                wants_matrix |= not isinstance(value, np.ndarray)
                values[name] = as_array(value, name, (..., 6 if name == "tip_wrench" else n))
                names.append(name)
        if arm.dtype == object or any(values[name].dtype == object for name in names):
            for name in names:
                values[name] = _one_state(values[name], name)
            result = algorithm(*given.args, **given.kwargs)
            return _as_matrix(result) if wants_matrix else result
        batch = _batch_shape(values, names)
        if batch == ():
            return algorithm(*given.args, **given.kwargs)
        for name in names:
            entries = np.moveaxis(np.broadcast_to(values[name], batch + values[name].shape[-1:]), -1, 0)
            values[name] = _objects([Column(entry) for entry in entries])
        return _uncolumn(algorithm(*given.args, **given.kwargs), batch)

    return wrapped


def in_kind_of(given, result):
    """Return an array of expressions as a SymPy Matrix, unless `given` is an array."""
    return result if isinstance(given, np.ndarray) else _as_matrix(result)


# ---- the two kinds of array -----------------------------------------------------------------------------------------


def scalar_function(name):
    """Return the function of that name (sin, cos, ..) of a scalar of any world, or of an array of them."""

    def apply(x):
        if isinstance(x, np.ndarray):
            return each(x, apply)
        if hasattr(x, name):
            return getattr(x, name)()
        if isinstance(x, float):
            return getattr(math, name)(x)
        import sympy

        return getattr(sympy, name)(x)

    return apply


def _objects(items):
    return np.stack([item if isinstance(item, np.ndarray) else _scalar(item) for item in items])


def _scalar(item):
    array = np.empty((), dtype=object)
    array[()] = item
    return array


def _constant(a):
    """Whole numbers become integers, so that a robot's zeros and ones fold away exactly."""
    return each(np.asarray(a, dtype=object), lambda x: int(x) if isinstance(x, float) and x.is_integer() else x)[()]


def each(array, function):
    """Return the array (of objects) of a function of each entry."""
    result = np.empty(array.shape, dtype=object)
    for index, entry in np.ndenumerate(array):
        result[index] = function(entry)
    return result


_FLOATS = SimpleNamespace(
    sin=np.sin, cos=np.cos, array=np.asarray, stack=np.array, concatenate=np.concatenate, eye=np.eye, zeros=np.zeros
)
_OBJECTS = SimpleNamespace(
    sin=scalar_function("sin"),
    cos=scalar_function("cos"),
    array=_constant,
    stack=_objects,
    concatenate=lambda items, axis=0: np.concatenate([np.asarray(item, dtype=object) for item in items], axis),
    eye=lambda n: np.eye(n, dtype=int).astype(object),
    zeros=lambda n: np.zeros(n, dtype=int).astype(object),
)


# ---- in and out -----------------------------------------------------------------------------------------------------


def _is_float(thing):
    return thing.dtype != object if hasattr(thing, "dtype") else isinstance(thing, (int, float))


def _batch_shape(values, names):
    try:
        return np.broadcast_shapes(*(values[name].shape[:-1] for name in names))
    except ValueError:
        shapes = ", ".join(str(values[name].shape) for name in names)
        raise ValueError(
            f"batches of {', '.join(names)} must fit each other (NumPy broadcasting), got {shapes}"
        ) from None


def _one_state(array, name):
    if array.ndim != 1:
        raise ValueError(
            f"{name} must have shape ({array.shape[-1]},) when symbols take part, got {array.shape}: "
            "batches of states are for numbers"
        )
    return each(array, lambda x: 0 if is_number(x, 0) else x)


def _as_matrix(result):
    if isinstance(result, tuple):
        return tuple(_as_matrix(part) for part in result)
    if not isinstance(result, np.ndarray) or result.dtype != object:
        return result
    import sympy

    return sympy.Matrix(result) if result.ndim < 3 else sympy.Array(result.tolist())


def _uncolumn(result, batch):
    if isinstance(result, tuple):
        return tuple(_uncolumn(part, batch) for part in result)
    entries = result if isinstance(result, np.ndarray) else _scalar(result)
    columns = [np.broadcast_to(entry.values if isinstance(entry, Column) else entry, batch) for entry in entries.flat]
    return np.stack(columns, axis=-1).astype(float).reshape(batch + entries.shape)
