"""Proofs of "How a computer sees the equations": each displayed equation against the library's texts and symbols.

The chain rule of a program is proven on programs that the library records, whose lines SymPy differentiates directly.
"""

from functools import cache

import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter, abbreviations, letters

chapter = Chapter(__file__)

# ---- one and two links ----------------------------------------------------------------------------------------------

one = rd.robots.planar(1, None, sp.symbols("l_c1:2", positive=True), sp.symbols("I_1:2", positive=True), symbolic=True)
q, qd, qdd = (sp.Matrix(sp.symbols(f"{x}1:2", real=True)) for x in ("q", "qdot", "qddot"))
torque = rd.inverse_dynamics(one, q, qd, qdd)
hinge = letters(one, q) | {r"\boldsymbol q": q, r"\boldsymbol\tau": torque, r"\ddot q_1": qdd[0]}
chapter.prove("eq-computer-one", hinge, by="the recursive Newton-Euler algorithm for a symbolic arm of one link")
chapter.prove("eq-computer-slope", hinge, by="the derivative of the recursive Newton-Euler algorithm")

two = rd.robots.two_link(symbolic=True)
angles = sp.Matrix(sp.symbols("q1:3", real=True))
elbow = letters(two, angles) | abbreviations(angles) | {r"\boldsymbol M": rd.mass_matrix(two, angles)}
chapter.prove("eq-computer-coupling", elbow, by="the library's mass matrix of a symbolic arm of two links")

# ---- programs -------------------------------------------------------------------------------------------------------

a, b, nudge = sp.symbols("y_i y_j nudge", real=True)


def slope(f):
    """Return the derivative of a function of y_i and y_j by y_i, as the limit of a quotient."""
    return sp.limit((f(a + nudge, b) - f(a, b)) / nudge, nudge, 0)


chapter.units({"y_i": "y_1", "y_j": "y_2", "y_k": "y_3", "y_K": "y_4", r"\varphi_k": "y_3"})
chapter.units({r"\sigma_{ki}": "y_3/y_1", r"\bar y_i": "y_4/y_1"})
(operation, *_) = rd.trace(lambda x: x[0] - x[1], inputs={"x": 2}).nodes[-1]
quotient, result = (lambda y, z: y / (1 + z**2)), (lambda y, z: y**2 * z + y)
line = {"y_i": a, "y_j": b, "y_k": {"-": a - b}[operation], r"\varphi_k": lambda y, z: y - z}
chapter.prove("eq-computer-line", line, by="a line that the library records")
edge = {"y_i": a, r"\varphi_k": quotient(a, b), r"\sigma_{ki}": slope(quotient)}
chapter.prove("eq-computer-edge", edge, by="the limit of a quotient of differences")
adjoint = {"y_i": a, "y_K": result(a, b), r"\bar y_i": slope(result)}
chapter.prove("eq-computer-adjoint", adjoint, by="the limit of a quotient of differences")


@cache
def recorded(n):
    """Return values, their slopes by the input x, slopes of operations, and slopes of the result, of one program.

    The text of the program holds every kind of operation; the slope of the result by a line is that of the program
    in which a new symbol is added to this line.
    """
    x = sp.Symbol("x", real=True)
    texts = {
        1: lambda x: (x[0] * x[0]).sin() + 2 * x[0],
        2: lambda x: (x[0].cos() - x[0] / (3 + x[0].sin())) * x[0],
        3: lambda x: -(x[0].exp() + (x[0] * x[0].tanh()).cos()) * (x[0].sin() - x[0]),
    }
    program = rd.trace(texts[n], inputs={"x": 1})
    total = len(program.nodes)
    given = sp.symbols(f"y_1:{total + 1}", real=True)
    values, slopes = list(given), sp.zeros(total, total)
    for k, (kind, *parts) in enumerate(program.nodes):
        if kind in ("input", "number"):
            values[k] = x if kind == "input" else sp.nsimplify(parts[0])
        else:
            operation = OPERATIONS[kind]
            values[k] = operation(*(values[p] for p in parts))
            line = operation(*(given[p] for p in parts))
            slopes[k, :] = sp.Matrix([[line.diff(y) for y in given]]).subs(dict(zip(given, values)))
    moved = []
    for i in range(total):
        push, again = sp.Symbol("push", real=True), []
        for k, (kind, *parts) in enumerate(program.nodes):
            leaf = kind in ("input", "number")
            value = values[k] if leaf else OPERATIONS[kind](*(again[p] for p in parts))
            again.append(value + push if k == i else value)
        moved.append(sp.diff(again[int(program.results[0])], push).subs(push, 0))
    lines = [k + 1 for k, node in enumerate(program.nodes) if node[0] not in ("input", "number")]
    return x, values, slopes, moved, lines


OPERATIONS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "neg": lambda a: -a}
OPERATIONS |= {"inverse": lambda a: 1 / a, "sin": sp.sin, "cos": sp.cos, "exp": sp.exp, "tanh": sp.tanh}


def lines_of(n):
    x, values, slopes, moved, _ = recorded(n)
    return Bindings().bind({"x": x, "y_*": values, r"\boldsymbol\sigma": slopes, r"\bar y_*": moved, "K": len(values)})


chapter.fresh()
chapter.units({"x": "x_1", "y_*": "y_i", r"\boldsymbol\sigma": "y_i/y_j", r"\bar y_*": "r_1/y_i"})
chapter.prove(
    "eq-computer-forward",
    lines_of,
    each=lambda n: [{"k": k} for k in recorded(n)[-1]],
    n=[1, 2, 3],
    by="direct differentiation of each line of three recorded programs",
    dead={"k-1": "no line uses itself"},
)
chapter.prove(
    "eq-computer-backward",
    lines_of,
    each=lambda n: [{"i": i} for i in range(1, len(recorded(n)[1]))],
    n=[1, 2, 3],
    by="three recorded programs in which one line is moved",
    dead={"i+1": "no line uses itself"},
)
