"""The scalar types on which one algorithm runs: floats, SymPy expressions, batches of states, any type with sin and cos.

Every algorithm of this library is written once, on arrays.  An array of floats is a plain NumPy array.  For every
other scalar type it is a NumPy array of objects, and the objects do the arithmetic: SymPy expressions give formulas,
`Batch` gives many states at a time, `TrigPoly` the normal form that `derive` uses, `Tracer` a program.  A scalar
answers for itself; besides arithmetic, sin() and cos() it may have

    is_negligible(among)   whether it counts as zero beside the entries of an array (else: whether it is 0),
    is_finite              True for a value that is yet to come, which no check of input should look at,
    size, without_noise(size)   its largest coefficient, and the scalar without coefficients that are rounding noise.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np

from robotdyn.maths.batch import Batch, is_number
from robotdyn.maths.validate import STATE_ARGUMENTS, Array, as_array, check_is_body, joint_count

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])


def namespace(*values: Any) -> Any:
    """Return the functions that an algorithm may use for the scalar type of `values` (arrays, or arms).

    sin, cos, tanh: of a scalar; array(a): a constant of the arm, as this scalar type; stack(list): a new array from
    scalars or from arrays of one shape; concatenate(list); eye(n), zeros(n).  Besides these an algorithm uses `@` and `.T`.
    """
    for value in values:  # no `all(..)`: this runs at each step of each algorithm
        if not _is_float(value):
            return _OBJECTS
    return _FLOATS


def is_negligible(x: Any, among: Array) -> bool:
    """Tell whether the scalar x is zero, up to rounding beside the largest entry of the array `among`."""
    if hasattr(x, "is_negligible"):
        return x.is_negligible(among)
    if isinstance(x, (int, float)) and among.dtype != object:
        return bool(abs(x) <= 1e-14 * abs(among).max())
    return bool(x == 0)


def generic(algorithm: Callable[P, R]) -> Callable[P, R]:
    """Let an algorithm f(arm, q, qd, ..., more) take floats, symbols or batches, and check its arguments first.

    q, qd, qdd, tau must have shape (n,), or (..., n) for a batch of states (numbers only); tip_wrench (6,) or (..., 6).
    Symbols given as a Matrix, list or tuple come back as a SymPy Matrix (a scalar as an expression);
    an array comes back as an array.
    """
    arguments = _argument_binder(algorithm)

    @functools.wraps(algorithm)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        given = arguments(args, kwargs, joint_count)
        arm = given.arguments["arm"]
        values = given.arguments
        n = joint_count(arm)
        names = []
        wants_matrix = False
        for name, value in values.items():
            if name in STATE_ARGUMENTS or (name == "tip_wrench" and value is not None):
                wants_matrix |= not isinstance(value, np.ndarray)
                values[name] = as_array(value, name, (..., 6 if name == "tip_wrench" else n))
                names.append(name)
        return _dispatch(algorithm, given, names, arm.dtype, wants_matrix)

    return cast(Callable[P, R], wrapped)


def generic_for_body(algorithm: Callable[P, R]) -> Callable[P, R]:
    """Let a function f(body, omega, ...) of one body take floats, symbols or batches, and check its arguments first.

    All but the body are vectors, (3,), or (..., 3) for a batch (numbers only); what comes back is as for an arm.
    """
    arguments = _argument_binder(algorithm)

    @functools.wraps(algorithm)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        given = arguments(args, kwargs, check_is_body)
        (_, body), *vectors = given.arguments.items()
        check_is_body(body)
        given_vectors = [value for name, value in vectors if value is not given.signature.parameters[name].default]
        for name, value in vectors:
            given.arguments[name] = as_array(value, name, (..., 3))
        wants_matrix = any(not isinstance(value, np.ndarray) for value in given_vectors)
        return _dispatch(algorithm, given, [name for name, _ in vectors], body.dtype, wants_matrix)

    return cast(Callable[P, R], wrapped)


def _argument_binder(algorithm: Callable[..., Any]) -> Callable[..., inspect.BoundArguments]:
    """Return the function that binds the arguments of a call; check_first: raises where the first one is of the wrong kind."""
    signature = inspect.signature(algorithm)
    unannotated = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]

    def bind(
        args: tuple[Any, ...], kwargs: dict[str, Any], check_first: Callable[[Any], Any]
    ) -> inspect.BoundArguments:
        try:
            given = signature.bind(*args, **kwargs)
        except TypeError as error:
            if args:
                check_first(args[0])
            raise TypeError(f"{algorithm.__name__}({', '.join(map(str, unannotated))}): {error}") from None
        given.apply_defaults()
        return given

    return bind


def _dispatch(
    algorithm: Callable[..., Any],
    given: inspect.BoundArguments,
    names: list[str],
    dtype: np.dtype[Any],
    wants_matrix: bool,
) -> Any:
    """Run an algorithm for the scalar type of the arguments of these names and of the entries of the arm or body (dtype)."""
    values = given.arguments
    if dtype.hasobject or any(values[name].dtype == object for name in names):
        for name in names:
            values[name] = _check_single_state(values[name], name)
        result = algorithm(*given.args, **given.kwargs)
        return _as_matrix(result) if wants_matrix else result
    batch = _batch_shape(values, names)
    if batch == ():
        return algorithm(*given.args, **given.kwargs)
    for name in names:
        entries = np.moveaxis(np.broadcast_to(values[name], batch + values[name].shape[-1:]), -1, 0)
        values[name] = object_array([Batch(entry) for entry in entries], (len(entries),))
    return _unbatched(algorithm(*given.args, **given.kwargs), batch)


# where: add an alternative implementation of an algorithm
# a function with the same arguments, declared by this at the algorithm: `rd.specialize` counts the operations of all
# of them
def with_alternatives(*others: Callable[..., Any]) -> Callable[[F], F]:
    """Declare algorithms with the same result as the decorated one: `rd.specialize` traces all and takes the shortest."""

    def declare(algorithm: F) -> F:
        _ALTERNATIVES[algorithm] = others
        return algorithm

    return declare


def alternatives_of(algorithm: Callable[..., Any]) -> tuple[Callable[..., Any], ...]:
    """Return the algorithms that `with_alternatives` has declared."""
    return _ALTERNATIVES.get(algorithm, ())


_ALTERNATIVES: dict[Callable[..., Any], tuple[Callable[..., Any], ...]] = {}


def as_type_of(given: Any, result: Any) -> Any:
    """Return an array of expressions as the type of `given`: an array where that is one, else a SymPy Matrix."""
    return result if isinstance(given, np.ndarray) else _as_matrix(result)


# ---- the two kinds of array -----------------------------------------------------------------------------------------


def scalar_function(name: str) -> Callable[[Any], Any]:
    """Return the function of that name (sin, cos, ..) of a scalar of any type, or of an array of them."""

    def apply(x: Any) -> Any:
        if isinstance(x, np.ndarray):
            return map_entries(x, apply)
        if hasattr(x, name):
            return getattr(x, name)()
        if isinstance(x, float):
            return getattr(math, name)(x)
        import sympy

        return getattr(sympy, name)(x)

    return apply


def _stack_objects(items: Sequence[Any]) -> Array:
    return np.stack([item if isinstance(item, np.ndarray) else _scalar_array(item) for item in items])


def _concatenate_objects(items: Sequence[Any], axis: int = 0) -> Array:
    return np.concatenate([np.asarray(item, dtype=object) for item in items], axis)


def _scalar_array(item: Any) -> Array:
    array = np.empty((), dtype=object)
    array[()] = item
    return array


def snap_roundoff(constants: Any) -> Any:
    """Return constants without rounding noise beside the largest: what is whole up to it becomes an integer.

    The 6e-17 of a cosine of 90 degrees is 0, so that a robot's zeros and ones fold away exactly.
    """
    array = np.asarray(constants, dtype=object)
    largest_number = max((abs(x) for x in array.flat if isinstance(x, (int, float))), default=0)
    largest_coefficient = max((x.size for x in array.flat if hasattr(x, "without_noise")), default=0)

    def snap(x: Any) -> Any:
        if isinstance(x, float):
            return round(x) if abs(x - round(x)) <= 1e-15 * largest_number else x
        return x.without_noise(largest_coefficient) if hasattr(x, "without_noise") else x

    return map_entries(array, snap)[()]


def object_array(items: Sequence[Any], shape: tuple[int, ...]) -> Array:
    """Return scalars of any kind in an array of objects of this shape."""
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array.reshape(shape)


def map_entries(array: Array, function: Callable[[Any], Any]) -> Array:
    """Return the array (of objects) of a function of each entry."""
    return object_array([function(entry) for entry in array.flat], array.shape)


_FLOATS = SimpleNamespace(
    sin=np.sin,
    cos=np.cos,
    tanh=np.tanh,
    array=np.asarray,
    stack=np.array,
    concatenate=np.concatenate,
    eye=np.eye,
    zeros=np.zeros,
)
_OBJECTS = SimpleNamespace(
    sin=scalar_function("sin"),
    cos=scalar_function("cos"),
    tanh=scalar_function("tanh"),
    array=snap_roundoff,
    stack=_stack_objects,
    concatenate=_concatenate_objects,
    eye=lambda n: np.eye(n, dtype=int).astype(object),
    zeros=lambda n: np.zeros(n, dtype=int).astype(object),
)


# ---- in and out -----------------------------------------------------------------------------------------------------


def _is_float(value: Any) -> bool:
    return value.dtype != object if hasattr(value, "dtype") else isinstance(value, (int, float))


def _batch_shape(values: dict[str, Any], names: Sequence[str]) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(*(values[name].shape[:-1] for name in names))
    except ValueError:
        shapes = ", ".join(str(values[name].shape) for name in names)
        raise ValueError(
            f"batches of {', '.join(names)} must fit each other (NumPy broadcasting), got {shapes}"
        ) from None


def _check_single_state(array: Array, name: str) -> Array:
    if array.ndim != 1:
        raise ValueError(
            f"{name} must have shape ({array.shape[-1]},) when symbols take part, got {array.shape}: "
            "batches of states are for numbers"
        )
    return map_entries(array, lambda x: 0 if is_number(x, 0) else x)


def _as_matrix(result: Any) -> Any:
    if isinstance(result, tuple):
        return tuple(_as_matrix(part) for part in result)
    if not isinstance(result, np.ndarray) or result.dtype != object:
        return result
    import sympy

    return sympy.Matrix(result) if result.ndim < 3 else sympy.Array(result.tolist())


def _unbatched(result: Any, batch: tuple[int, ...]) -> Any:
    if isinstance(result, tuple):
        return tuple(_unbatched(part, batch) for part in result)
    entries = result if isinstance(result, np.ndarray) else _scalar_array(result)
    rows = [np.broadcast_to(entry.values if isinstance(entry, Batch) else entry, batch) for entry in entries.flat]
    return np.stack(rows, axis=-1).astype(float).reshape(batch + entries.shape)
