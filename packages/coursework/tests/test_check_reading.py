"""Formulas are read by a grammar that can say nothing else, and compared at random points, whatever their form."""

import mpmath
import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

import robotdyn as rd
from coursework.check import plain
from coursework.check.agreement import agree
from coursework.check.data import as_data, calls_as_data
from coursework.check.reading import Unreadable, evaluate, read

POINT = {"q1": plain.Values([0.3 + 0j, 1.2 + 0j]), "x": plain.Values([2.0 + 0j, 3.0 + 0j])}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1+2*3", 7), ("-2**2", -4), ("2**-1", 0.5), ("2**3**2", 512), ("1-2-3", -4), ("8/4/2", 1), ("-(-x)", 2),
        ("2*-x", -4), ("x^2", 4), ("1e-3*x", 0.002), ("sin(q_1)**2+cos(q1)**2", 1), ("atan2(sin(q1), cos(q1))", 0.3),
        ("exp(I*pi)", -1), ("sec(q1)*cos(q1)", 1), ("x**(1/2)", 2**0.5), ("Abs(-x)", 2),
    ],
)  # fmt: skip
def test_a_formula_has_its_value(text, value):
    """The order of operations is that of Python."""
    assert abs(evaluate(read(text), POINT, plain)[0] - value) < 1e-12


@pytest.mark.parametrize(
    "text",
    [
        "", "1+", "(1", "1)", "a.b", "x[0]", "__import__('os')", "f(x)", "sin(1, 2)", "(1, 2)", "lambda: 1", "1 2", "x=1",
        "'a'", "x if x else 1", "sin()", "().__class__", "{1: 2}", "x;x", "\\frac", "é", "@", "1_000", 7, None, ["x"],
    ],
)  # fmt: skip
def test_anything_else_cannot_be_said(text):
    """No attribute, no index, no string, no unknown function: refused in words, nothing is run."""
    with pytest.raises(Unreadable):
        read(text)


@given(st.text(max_size=60) | st.text(alphabet="0123456789.+-*/^(),eEqx_sin ", max_size=60))
def test_any_text_is_read_or_refused(text):
    """No text raises anything but Unreadable, in reading and in evaluation."""
    try:
        program = read(text)
    except Unreadable:
        return
    names = {value: plain.Values([1.5 + 0j, -0.5 + 0j]) for operation, value in program if operation == "symbol"}
    evaluate(program, names, plain)


@pytest.mark.parametrize(
    "text", ["(" * 100_000 + "x" + ")" * 100_000, "-" * 100_000 + "x", "x" + "+x" * 100_000, "9**9**9**9**9"]
)
def test_size_and_depth_do_no_harm(text):
    """No recursion limit, no endless integer."""
    evaluate(read(text), POINT, plain)


def test_reading_agrees_with_sympy():
    """Random expressions, printed by SymPy, have the value that SymPy gives them."""
    q1, x = sp.symbols("q_1 x", positive=True)
    rng = np.random.default_rng(5)
    pool = [q1, x, sp.Integer(2), sp.Rational(1, 3), sp.pi]
    for _ in range(200):
        a, b = (pool[i] for i in rng.integers(len(pool), size=2))
        new = [a + b, a * b, a / (b + 3), sp.sin(a) - b, sp.cos(a * b), a**2 - b, sp.sqrt(a + 2), -a][rng.integers(8)]
        pool.append(new if sp.count_ops(new) < 60 else q1)
        found = evaluate(read(str(new)), {"q1": plain.Values([0.7 + 0j]), "x": plain.Values([1.3 + 0j])}, plain)
        expected = complex(new.subs({q1: 0.7, x: 1.3}))
        assert abs(found[0] - expected) < 1e-9 * (1 + abs(expected))


@pytest.mark.parametrize("text", ["sin(%s)", "cos(%s)", "tan(%s)", "asin(%s)", "acos(%s)", "atan(%s)", "sinh(%s)", "cosh(%s)",
                                  "tanh(%s)", "asinh(%s)", "acosh(%s)", "atanh(%s)", "exp(%s)", "log(%s)", "sqrt(%s)", "Abs(%s)",
                                  "sign(%s)", "sec(%s)", "csc(%s)", "cot(%s)", "atan2(%s, 2)", "atan2(1, %s)", "(%s)**(2/3)",
                                  "2**(%s)", "(%s)**-3", "(%s)**x"])  # fmt: skip
@pytest.mark.parametrize("argument", ["x", "-x", "x*I", "1/x-I/5", "3*x+I/5", "x-x/2+I/3", "-3"])
def test_plain_numbers_agree_with_many_digits(text, argument):
    """Every function of a formula has in plain Python the value that it has in 50 digits, on the same branch."""
    program = read(text % argument)
    (found,) = evaluate(program, {"x": plain.Values([0.6 + 0j])}, plain)
    with mpmath.workdps(50):
        expected = complex(evaluate(program, {"x": mpmath.mpc(0.6)}, mpmath))
    assert abs(found - expected) < 1e-12 * (1 + abs(expected))


def test_what_has_no_value_is_no_number():
    """1/0, log 0, a power that overflows: no exception, and the points beside it keep their value."""
    at = {"x": plain.Values([0j, 1 + 0j])}
    for text in ("1/x", "log(x)", "x**-2", "1/(x*x)", "exp(1000-1000*x)", "9**9**9**(1-x)", "atanh(1-x)"):
        first, second = evaluate(read(text), at, plain)
        assert not np.isfinite(first) and np.isfinite(second), text
    assert list(evaluate(read("1/exp(1000)+x"), at, plain)) == [0, 1]


def other_forms(n):
    """The mass matrix of the planar arm from Jacobians; expanded; in half angles; in exponentials for small n."""
    q = list(rd.derive(rd.robots.planar(n, symbolic=True)).q)
    m, l = sp.symbols(f"m_1:{n + 1}", positive=True), sp.symbols(f"l_1:{n + 1}", positive=True)
    M = sp.zeros(n, n)
    for j in range(n):
        x = sum(l[k] * sp.cos(sum(q[: k + 1])) for k in range(j + 1))
        y = sum(l[k] * sp.sin(sum(q[: k + 1])) for k in range(j + 1))
        J = sp.Matrix([x, y]).jacobian(q)
        M += m[j] * J.T * J
    yield "Jacobians", M
    expanded = M.expand()
    yield "expanded", expanded
    yield "half angles", expanded.replace(sp.cos, lambda a: 1 - 2 * sp.sin(a / 2) ** 2)
    if n <= 3:
        yield "exponentials", expanded.applyfunc(lambda entry: entry.rewrite(sp.exp))
        yield "tangents", expanded.replace(sp.cos, lambda a: (1 - sp.tan(a / 2) ** 2) / (1 + sp.tan(a / 2) ** 2))


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_another_form_is_the_same_answer(n):
    """And a change of one entry by a millionth is seen."""
    reference = as_data(rd.derive(rd.robots.planar(n, symbolic=True)).M)
    for name, M in other_forms(n):
        assert agree(reference, as_data(M)).holds is True, name
        changed = M.as_mutable()
        changed[0, n - 1] = changed[0, n - 1] * (1 + sp.Rational(1, 10**6))
        assert agree(reference, as_data(changed)).holds is False, name


def test_a_sign_of_an_angle_is_seen():
    """Angles take both signs: sqrt(sin^2) is not sin, and is for a positive parameter."""
    q, m = sp.symbols("q_1 m_1", real=True)
    assert agree(as_data(sp.sin(q)), as_data(sp.sqrt(1 - sp.cos(q) ** 2))).holds is False
    assert agree({"shape": [], "text": ["m_1"]}, {"shape": [], "text": ["sqrt(m_1**2)"]}).holds is True


def test_cancellation_is_settled_with_fifty_digits():
    """Two forms whose difference is lost in rounding are equal; a true difference of the same size is not."""
    long = "(1000000*x+1)**3-1000000000000000000*x**3-3000000000000*x**2-3000000*x"
    assert agree({"shape": [], "text": ["1"]}, {"shape": [], "text": [long]}).holds is True
    assert agree({"shape": [], "text": ["1"]}, {"shape": [], "text": [long + "+1/1000"]}).holds is False


@pytest.mark.parametrize(
    ("reference", "answer", "holds"),
    [
        ([1.0, 2.0], [[1.0], [2.0]], True), ([1.0, 2.0], np.array([1.0, 2.0]), True), ([1.0, 2.0], sp.Matrix([1, 2]), True),
        ([1.0, 2.0], [1.0, 2.0, 3.0], False), (2.0, [[2.0]], True), (1.0, float("nan"), False), (1.0, None, None),
        ([1.0, 2.0], [1.0, 2.001], False), (sp.sqrt(2), 2**0.5, True), (3, 3.0, True), ({"line": 3}, {"line": 3, "more": 1}, True),
        ({"line": 3}, {"line": 2}, False), ({"line": 3}, 3, None), ("a", "b", False), (1.0, object(), None),
        (1.0, True, True), (2.0, "2", True), (2.0, 2 + 0j, True), (2.0, 2 + 1j, None), ([0.0, 0.0], [1e-12, 0.0], True),
    ],
)  # fmt: skip
def test_numbers_and_words(reference, answer, holds):
    """Lists, columns and matrices of one size are one answer; what has no form goes to a person (None)."""
    assert agree(as_data(reference), as_data(answer)).holds is holds


@pytest.mark.parametrize(
    "forged",
    [
        {}, {"points": 4}, [], "4", None, 4, {"shape": [2], "numbers": [1]}, {"shape": "ab", "numbers": [1, 2]},
        {"shape": [10**12], "numbers": []}, {"shape": [-1], "numbers": [1]}, {"shape": [], "text": [{}]}, {"calls": 7},
        {"shape": [2], "numbers": ["x", "y"]}, {"items": []}, {"shape": [2], "numbers": [10**400, 1]}, {"shape": [2], "text": ["("] * 2},
    ],
)  # fmt: skip
def test_forged_data_earns_nothing(forged):
    """Whatever JSON comes in place of an answer: no error, and never a yes."""
    for reference in ([1.0, 2.0], {"line": 3}, sp.Symbol("x")):
        assert agree(as_data(reference), forged).holds is not True
    assert agree(calls_as_data(lambda x: x, [(1.0,)]), forged).holds is not True


def test_a_function_that_stops_is_told():
    """The other calls count, and the error is data."""
    data = calls_as_data(lambda x: 1 / x, [(1.0,), (0.0,)])
    assert data["calls"][0]["numbers"] == [1.0] and "ZeroDivisionError" in data["calls"][1]["error"]
    assert agree(calls_as_data(lambda x: 1.0, [(1.0,), (0.0,)]), data).sentence.startswith(
        "stopped with ZeroDivisionError"
    )


def test_a_part_of_a_plot_is_told_from_its_axes():
    """What plt.plot and set_xlabel return is no plot: it is said what is handed in."""
    pyplot = pytest.importorskip("matplotlib.pyplot")
    ax = pyplot.figure().subplots()
    for part, kind in ((ax.plot([0, 1], [0, 1]), "Line2D"), (ax.set_xlabel("t (s)"), "Text")):
        words = f"parts of a plot, of type {kind}: a plot is handed in as its axes, ax"
        assert as_data(part)["unreadable"] == words
