"""From a text to a straight-line program:  run the text once on scalars that record, keep what its result needs."""

import inspect

import numpy as np

from robotdyn.codegen.parameters import Input, parametric
from robotdyn.codegen.program import array_of, program
from robotdyn.codegen.recording import NO_NUMBER, Graph
from robotdyn.maths.validate import STATE, joints_of


def trace(algorithm, arm=None, free=(), inputs=None):
    """Return the Program of an algorithm f(arm, q, ...) for one arm, or of a function f(x, ...) without an arm.

    free: names of parameters that stay free: mass, com, inertia, position, pitch, gravity, tip, or symbols of the arm.
    inputs: names of the arguments that vary, or {name: shape}; default: those that the algorithm has no default for.
    Known shapes: q, qd, qdd, tau (n,), tip_wrench (6,), t ().
    Raises TypeError where the algorithm branches on a value, or the arm holds symbols that are not free.
    """
    check_text(algorithm, arm)
    graph, arguments = Graph(), _arguments(algorithm, arm, inputs)

    def record(given):
        array = array_of([graph.input(given.name, k) for k in range(given.size)], given.shape)
        if given.name == "inertia":  # a symmetric matrix has six entries
            array = np.stack([np.array([[I[min(i, j), max(i, j)] for j in range(3)] for i in range(3)]) for I in array])
        return array

    parameters = []
    if arm is not None:
        arm, parameters = parametric(arm, free, record)
    elif free:
        raise ValueError(f"free names parameters of an arm, got {free!r} and no arm")
    values = {given.name: record(given)[()] for given in arguments}
    try:
        result = algorithm(**values) if arm is None else algorithm(arm, **values)
    except TypeError as error:
        if "dtype('O')" in str(error):  # numpy.linalg, or an array of floats, asked for numbers
            raise TypeError(NO_NUMBER) from None
        raise
    several = isinstance(result, (tuple, list))
    name = name_of(algorithm)
    return program(name, [*arguments, *parameters], graph, result if several else (result,), several)


def check_text(algorithm, arm):
    """Refuse what is no algorithm, and what is no arm."""
    if not callable(algorithm):
        raise TypeError(f"the algorithm must be a function f(arm, q, ...) or f(x, ...), got {algorithm!r}")
    if arm is not None:
        joints_of(arm)


def name_of(algorithm):
    """Return the name of an algorithm, also within functools.partial."""
    return getattr(getattr(algorithm, "func", algorithm), "__name__", "program")


def _arguments(algorithm, arm, inputs):
    """Return an Input for each argument that varies."""
    given = inspect.signature(algorithm).parameters
    if arm is None and "arm" in given:
        raise TypeError(f"{name_of(algorithm)} needs an arm: give it after the algorithm")
    names = [name for name in given if given[name].default is inspect.Parameter.empty][0 if arm is None else 1 :]
    inputs = names if inputs is None else [inputs] if isinstance(inputs, str) else inputs
    shapes = dict(inputs) if hasattr(inputs, "items") else dict.fromkeys(inputs)
    for name in names:
        if name not in shapes:
            raise TypeError(f"inputs must name every argument without a default, got none for {name!r}")
    return [Input(name, _shape(name, shape, arm)) for name, shape in shapes.items()]


def _shape(name, shape, arm):
    known = {"tip_wrench": (6,), "t": ()}
    if arm is not None:
        known |= dict.fromkeys(STATE, (arm.n,))
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
