"""From an algorithm to a straight-line program:  run it once on tracers, keep the nodes that its result needs.

Parameters of the arm that stay free are tracers, too; all others are numbers, which fold.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from robotdyn.codegen.program import Input, Program, program
from robotdyn.codegen.tracer import FUNCTIONS, NOT_A_NUMBER, Graph, apply_function
from robotdyn.maths.namespace import object_array
from robotdyn.maths.validate import STATE_ARGUMENTS, is_symbolic, joint_count
from robotdyn.model.arm import ARM_FIELDS, Arm
from robotdyn.model.link import LINK_FIELDS

Shape: TypeAlias = int | Sequence[int]
Inputs: TypeAlias = str | Iterable[str] | Mapping[str, Shape | None] | None
Free: TypeAlias = Any  # a name or a SymPy symbol, or several of them
# their entries are not independent, or none of the dynamics: they never stay free
DEPENDENT_FIELDS = ("axis", "rotation", "tip_rotation", "frame_position", "frame_rotation")
FREE_FIELDS = {name: shape for name, shape in (LINK_FIELDS | ARM_FIELDS).items() if name not in DEPENDENT_FIELDS}


def trace(algorithm: Callable[..., Any], arm: Arm | None = None, free: Free = (), inputs: Inputs = None) -> Program:
    """Return the Program of an algorithm f(arm, q, ...) for one arm, or of a function f(x, ...) without an arm.

    free: names of parameters that stay free: mass, com, inertia, position, pitch, motor_inertia, gravity, tip, or
    symbols of the arm.
    inputs: names of the arguments that vary, or {name: shape}; default: those that the algorithm has no default for.
    Known shapes: q, qd, qdd, tau (n,), tip_wrench (6,), t ().
    Raises TypeError where the algorithm branches on a value, or the arm holds symbols that are not free.
    """
    check_algorithm(algorithm, arm)
    graph = Graph()
    arguments = _arguments(algorithm, arm, inputs)

    def trace_input(given: Input) -> Any:
        array = object_array([graph.input(given.name, k) for k in range(given.size)], given.shape)
        if given.name == "inertia":  # a symmetric matrix has six entries
            array = np.stack([np.array([[I[min(i, j), max(i, j)] for j in range(3)] for i in range(3)]) for I in array])
        return array[()]

    parameters: list[Input] = []
    if arm is not None:
        parameters = _parameters(arm, free_names(free))
        arm = _traced_arm(arm, {given.name: trace_input(given) for given in parameters})
    elif free:
        raise ValueError(f"free names parameters of an arm, got {free!r} and no arm")
    values = {given.name: trace_input(given) for given in arguments}
    try:
        result = algorithm(**values) if arm is None else algorithm(arm, **values)
    except TypeError as error:
        if "dtype('O')" in str(error):  # numpy.linalg, or an array of floats, asked for numbers
            raise TypeError(NOT_A_NUMBER) from None
        raise
    several = isinstance(result, (tuple, list))
    results = result if several else (result,)
    return program(algorithm_name(algorithm), [*arguments, *parameters], graph, results, several)


def check_algorithm(algorithm: Any, arm: Any) -> None:
    """Refuse what is no algorithm, and what is no arm."""
    if not callable(algorithm):
        raise TypeError(f"the algorithm must be a function f(arm, q, ...) or f(x, ...), got {algorithm!r}")
    if arm is not None:
        joint_count(arm)


def algorithm_name(algorithm: Callable[..., Any]) -> str:
    """Return the name of an algorithm, also within functools.partial."""
    return getattr(getattr(algorithm, "func", algorithm), "__name__", "program")


# ---- what varies ----------------------------------------------------------------------------------------------------


def _arguments(algorithm: Callable[..., Any], arm: Arm | None, inputs: Inputs) -> list[Input]:
    """Return an Input for each argument that varies."""
    given = inspect.signature(algorithm).parameters
    if arm is None and "arm" in given:
        raise TypeError(f"{algorithm_name(algorithm)} needs an arm: give it after the algorithm")
    names = [name for name in given if given[name].default is inspect.Parameter.empty][0 if arm is None else 1 :]
    inputs = names if inputs is None else [inputs] if isinstance(inputs, str) else inputs
    shapes = dict(inputs) if isinstance(inputs, Mapping) else dict.fromkeys(inputs)
    for name in names:
        if name not in shapes:
            raise TypeError(f"inputs must name every argument without a default, got none for {name!r}")
    return [Input(name, _shape(name, shape, arm)) for name, shape in shapes.items()]


def _shape(name: str, shape: Shape | None, arm: Arm | None) -> tuple[int, ...]:
    known: dict[str, tuple[int, ...]] = {"tip_wrench": (6,), "t": ()}
    if arm is not None:
        known |= dict.fromkeys(STATE_ARGUMENTS, (arm.n,))
    if shape is None and name not in known:
        raise TypeError(
            f"inputs must tell the shape of {name!r}, which is none of {', '.join(known)}: {{{name!r}: (n,)}}"
        )
    if shape is None:
        return known[name]
    sizes = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    if not all(isinstance(size, (int, np.integer)) and size > 0 for size in sizes):
        raise ValueError(f"the shape of an input must hold whole numbers >= 1, got {shape!r} for {name!r}")
    return sizes


# ---- what stays free of an arm --------------------------------------------------------------------------------------


def free_names(free: Free) -> tuple[str, ...]:
    """Return the names that stay free in a tuple: from a name, a symbol, several of them, or None."""
    one = isinstance(free, str) or (is_symbolic(free) and not hasattr(free, "__iter__"))
    return tuple(str(name) for name in ([free] if one else free or ()))


def _parameters(arm: Arm, free: tuple[str, ...]) -> list[Input]:
    """Return an Input for each name that stays free: a field of the arm or of all its links, or a symbol."""
    symbols = sorted(map(str, arm.free_symbols))
    allowed = (*FREE_FIELDS, *symbols)
    for name in free:
        if name not in allowed:
            raise ValueError(f"free must name parameters of the arm ({', '.join(allowed)}), got {name!r}")
    if len(set(free)) < len(free):
        raise ValueError(f"free must name each parameter once, got {', '.join(free)}")
    bound = [name for name in symbols if name not in free]
    if bound:
        raise TypeError(
            f"a program needs numbers, got the symbols {', '.join(bound)} in the arm: "
            f"build the arm with values, or let them stay free with free=({', '.join(map(repr, bound))},)"
        )
    return [_parameter(arm, name) for name in free]


def _parameter(arm: Arm, name: str) -> Input:
    if name not in FREE_FIELDS:
        return Input(name, (), free=True)
    value = (
        np.stack([getattr(link, name) for link in arm.links]) if name in LINK_FIELDS else np.asarray(getattr(arm, name))
    )
    return Input(name, value.shape, free=True, value=None if is_symbolic(value) else value.astype(float))


def _traced_arm(arm: Arm, values: dict[str, Any]) -> Arm:
    """Return the arm with tracers in the place of what stays free; values: {name: tracers}."""
    symbols = {str(symbol): symbol for symbol in arm.free_symbols}  # of two with one name, the other is refused below
    known = {symbol: values[name] for name, symbol in symbols.items()}
    return arm.map(lambda x: trace_expression(x, known), {name: x for name, x in values.items() if name in FREE_FIELDS})


def trace_expression(x: Any, known: dict[Any, Any]) -> Any:
    """Return a SymPy expression (or a number) as tracers; known: {symbol: scalar}, which grows."""
    if not is_symbolic(x):
        return float(x)
    if x in known:
        return known[x]
    if x.is_number:
        value = float(x)
    elif x.is_Add:
        value = sum(trace_expression(part, known) for part in x.args)
    elif x.is_Mul:
        value = 1
        for part in x.args:
            value = value * trace_expression(part, known)
    elif x.is_Pow and (2 * x.exp).is_Integer:
        value = trace_expression(x.base, known) ** (int(x.exp) if x.exp.is_Integer else float(x.exp))
    elif x.is_Symbol:
        raise ValueError(f"symbols of one arm must have different names, got two called {x}: rename one")
    elif type(x).__name__ in FUNCTIONS:
        value = apply_function(type(x).__name__, trace_expression(x.args[0], known))
    else:
        supported = f"+, -, *, /, whole and half powers, {', '.join(FUNCTIONS)}"
        raise TypeError(f"an arm that is traced takes {supported}, got {x}: give it a symbol of its own")
    known[x] = value
    return value
