"""One change of a cell: each mistake of a kind is put right by a change that says so, and what is no such change is not made."""

import ast
import itertools
import math
import sys
import types

import numpy as np
import pytest
import sympy as sp

from coursework.check import repair, rewrites
from coursework.check.repair import Cell


def changes(cell, answer="x", **names):
    """{changed cell: {(words, line)}} of all changes of a cell."""
    tree, found = ast.parse(cell), {}
    for words, line in rewrites.changed(tree, names, answer):
        found.setdefault(ast.unparse(ast.fix_missing_locations(tree)), set()).add((words.text(), line))
    assert ast.unparse(tree) == ast.unparse(ast.parse(cell))  # each is put back
    return found


P = types.SimpleNamespace(mass=2.0, length=0.5, count=3, name="ada", _later=1.0)
LINALG = "__import__('numpy').linalg"
COPY = "__import__('copy').deepcopy"
OF_ARRAYS = [  # of powers, orders, indices and copies of arrays, and of loops
    ("x = np.array([1, 2])", "x = np.array([1, 2], dtype=float)", "the array holds whole numbers alone, and cuts off what stands behind the point"),
    ("x = np.array([-1, 2])", "x = np.array([-1, 2], dtype=float)", "the array holds whole numbers alone, and cuts off what stands behind the point"),
    ("x = np.zeros((n, n), dtype=int)", "x = np.zeros((n, n), dtype=float)", "the array holds whole numbers alone, and cuts off what stands behind the point"),
    ("x = a ** k", f"x = {LINALG}.matrix_power(a, k)", "** takes the power of each entry, not that of the matrix"),
    ("x = 1 / a @ b", f"x = {LINALG}.inv(a) @ b", "one over a matrix is taken of each entry: that is not its inverse"),
    ("x = a @ (b + c) @ d", f"x = a @ {LINALG}.inv(b + c) @ d", "the inverse of a matrix is meant"), ("x = a @ b", f"x = a @ {LINALG}.inv(b)", "the inverse of a matrix is meant"),
    ("x = a @ b @ a.T", "x = a.T @ b @ a", "the transpose stands at the wrong end of a product"), ("x = a.T @ a", "x = a @ a.T", "the transpose stands at the wrong end of a product"),
    ("x = np.sum(a) ** 2", "x = np.sum(a ** 2)", "the sum is squared, and not what is summed"), ("x = sum(a) ** k", "x = sum(a ** k)", "the sum is squared, and not what is summed"),
    ("x = a[::-1]", "x = a", "[::-1] should not be there"), ("x = f(a)", "x = f(a)[::-1]", "something should run from the other end"), ("x = a * b", "x = a[::-1] * b", "something should run from the other end"),
    ("x = a / sum(p.mass)", "x = a / p.mass[0]", "one entry is meant, not the sum"), ("x = np.sum(a)", "x = a[-1]", "one entry is meant, not the sum"),
    ("x = a[0, 1] + a[i, j]", "x = a[1, 0] + a[j, i]", "the two indices of an array are in the other order"),
    ("b = a\nb[:] = c\nx = b", f"b = {COPY}(a)\nb[:] = c\nx = b", "a copy is missing: both names stand for one array, and what changes one changes the other"), ("b = a[0]\nx = b", f"b = {COPY}(a[0])\nx = b", "a copy is missing: both names stand for one array, and what changes one changes the other"),
    ("def x(a):\n    for k in a:\n        b = k\n        return b", "def x(a):\n    for k in a:\n        b = k\n    return b", "the return stands inside of the loop, and ends it too soon"),
    ("for k in a:\n    b = k\n    x += b", "for k in a:\n    b = k\nx += b", "the line stands inside of the loop, and belongs behind it"),
    ("for k in a:\n    b = k\nx += b", "for k in a:\n    b = k\n    x += b", "the line stands behind the loop, and belongs inside of it"),
    ("for k in a:\n    x[i] = b * k", "for k in a:\n    x[i] += b * k", "= begins anew in each pass of the loop, where += adds"), ("for k in a:\n    x = b * k", "for k in a:\n    x += b * k", "= begins anew in each pass of the loop, where += adds"),
    ("x = a @ b", "x = a @ b @ a", "a factor is missing"), ("x = a.T @ a", "x = a.T @ a @ a", "a factor is missing"), ("x = b @ a + c", "x = b @ c @ a + c", "a factor is missing"),
]  # fmt: skip
MISTAKES = [  # a cell, the same put right, and what is said of it
    ("x = a + b", "x = a - b", "a sign is wrong"), ("x = a - b", "x = a + b", "a sign is wrong"), ("x = -a", "x = a", "a sign is wrong"), ("x = a", "x = -a", "a sign is wrong"),
    ("x = 3.0", "x = -3.0", "a sign is wrong"), ("x = 3", "x = -3", "a sign is wrong"), ("x = f(a)", "x = f(-a)", "a sign is wrong"), ("x = a * b", "x = a * -b", "a sign is wrong"), ("x = a[i]", "x = -a[i]", "a sign is wrong"),
    ("x = np.sin(a)", "x = np.cos(a)", "sin should be another function"), ("x = np.cos(a)", "x = np.sin(a)", "cos should be another function"), ("x = sin(a)", "x = cos(a)", "sin should be another function"),
    ("x = np.sinh(a)", "x = np.cosh(a)", "sinh should be another function"), ("x = cosh(a)", "x = sinh(a)", "cosh should be another function"), ("x = min(a)", "x = max(a)", "min should be another function"),
    ("x = max(a)", "x = min(a)", "max should be another function"), ("x = np.argmin(a)", "x = np.argmax(a)", "argmin should be another function"), ("x = np.argmax(a)", "x = np.argmin(a)", "argmax should be another function"),
    ("x = np.triu(a)", "x = np.tril(a)", "triu should be another function"), ("x = np.tril(a)", "x = np.triu(a)", "tril should be another function"),
    ("x = f(a)", "x = a", "f should not be there"), ("x = np.sqrt(a)", "x = a", "sqrt should not be there"), ("x = f(a, b)", "x = f(b, a)", "two arguments of f are exchanged"), ("x = f(a, b, c)", "x = f(b, a, c)", "two arguments of f are exchanged"),
    ("x = f(a, b, k=1)", "x = f(b, a, k=1)", "two arguments of f are exchanged"), ("x = a.T @ b", "x = a @ b", "something is transposed that should not be"), ("x = a", "x = a.T", "something should be transposed"), ("x = a[i] @ b", "x = a[i].T @ b", "something should be transposed"),
    ("x = p.mass", "x = p.mass.T", "something should be transposed"),
    *(("x = 20.0 + a", f"x = {new} + a", "a number is wrong: 20.0") for new in ("21.0", "19.0", "1", "2", "3", "4", "6", "12", "0.5", "40.0", "10.0", "9.81")),
    ("x = 5.0 + a", "x = 0 + a", "a number is wrong, or what stands with it is too many: 5.0"), ("x = 7 + a", "x = 8 + a", "a number is wrong: 7"), ("x = a[3]", "x = a[2]", "an index is wrong: 3"), ("x = a[3]", "x = a[4]", "an index is wrong: 3"), ("x = a[3]", "x = a[0]", "an index is wrong: 3"),
    ("x = a[1:4]", "x = a[1:5]", "an index is wrong: 4"), ("x = a ** 3", "x = a ** 2", "a power is wrong: 3"), ("x = a ** 2", "x = a ** 0.5", "a power is wrong: 2"), ("x = range(5)", "x = range(6)", "a number, as an end of a range, is wrong: 5"),
    ("x = a[i]", "x = a[i + 1]", "an index, or an end of a range, is off by one"), ("x = a[i]", "x = a[i - 1]", "an index, or an end of a range, is off by one"), ("x = a[i + k]", "x = a[i + k + 1]", "an index, or an end of a range, is off by one"),
    ("x = a[i:]", "x = a[i + 1:]", "an index, or an end of a range, is off by one"), ("x = range(n)", "x = range(n + 1)", "an index, or an end of a range, is off by one"), ("x = range(n)", "x = range(n - 1)", "an index, or an end of a range, is off by one"),
    ("x = a", "x = 2.0 * a", "a factor 2 is missing or too many"), ("x = a", "x = 0.5 * a", "a factor 2 is missing or too many"), ("x = a + b", "x = 2.0 * (a + b)", "a factor 2 is missing or too many"), ("x = f(a)", "x = f(2.0 * a)", "a factor 2 is missing or too many"),
    ("x = a", "x = a ** 2", "something should be squared"), ("x = p.mass", "x = p.mass ** 2", "something should be squared"), ("x = a[i]", "x = a[i] ** 2", "something should be squared"), ("x = f(a)", "x = f(a) ** 2", "something should be squared"),
    ("x = a * b", "x = a", "a factor is too many"), ("x = a * b", "x = b", "a factor is too many"), ("x = a / b", "x = a", "a factor is too many"), ("x = a @ b", "x = b", "a factor is too many"),
    ("x = a * b", "x = a / b", "a product, or a quotient, is of the wrong kind"), ("x = a * b", "x = a @ b", "a product, or a quotient, is of the wrong kind"), ("x = a / b", "x = a * b", "a product, or a quotient, is of the wrong kind"), ("x = a @ b", "x = a * b", "a product, or a quotient, is of the wrong kind"),
    ("x = a / b", "x = b / a", "the order of a product, or of a quotient, is wrong"), ("x = a @ b", "x = b @ a", "the order of a product, or of a quotient, is wrong"),
    ("x = a + b", "x = a", "a term is too many"), ("x = a + b", "x = b", "a term is too many"), ("x = a - b", "x = a", "a term is too many"), ("x = a + b", "x = a * b", "a sum should be a product"), ("x = a - b", "x = a * b", "a sum should be a product"), ("x = a ** 3", "x = a", "a power should not be there"),
    ("x = [a, b]", "x = [b, a]", "two entries are exchanged"), ("x = (a, b, c)", "x = (a, c, b)", "two entries are exchanged"), ("x = [a, b, c, d]", "x = [d, b, c, a]", "two entries are exchanged"),
    ("x = a if b < c else d", "x = a if b <= c else d", "a comparison is another"), ("x = a if b <= c else d", "x = a if b < c else d", "a comparison is another"), ("x = a if b > c else d", "x = a if b >= c else d", "a comparison is another"), ("x = a if b >= c else d", "x = a if b > c else d", "a comparison is another"),
    ("x = 0.0\nx += a", "x = 0.0\nx -= a", "a sign is wrong"), ("x = 0.0\nx -= a", "x = 0.0\nx += a", "a sign is wrong"), ("x = a\nb = a\nx *= 2", "x = a\npass\nx *= 2", "the line is too many"), ("x = a\nx *= 2", "x = a\npass", "the line is too many"),
    ("b = a\na = c\nx = a + b", "a = c\nb = a\nx = a + b", "the order of this line and the next is wrong"), ("b = 1\nf(b)\nx = b", "f(b)\nb = 1\nx = b", "the order of this line and the next is wrong"), ("b = 1\nb += a\nx = b", "b += a\nb = 1\nx = b", "the order of this line and the next is wrong"),
    ("for k in c:\n    b += k\n    b *= k\nx = b", "for k in c:\n    b *= k\n    b += k\nx = b", "the order of this line and the next is wrong"),
    ("def x(a):\n    x = a\n    return b", "def x(a):\n    pass\n    return b", "the line is too many"), ("for k in range(n):\n    x = k\n    b = x", "for k in range(n):\n    pass\n    b = x", "the line is too many"),
    ("x = a + b", "x = b + b", "a should be something else"), ("x = a + b", "x = a + a", "b should be something else"), ("x = a[0] + b", "x = a[1] + b", "a[0] should be something else"), ("x = a[1] + b", "x = a[0] + b", "a[1] should be something else"), ("x = np.sin(a) * np.cos(b)", "x = np.cos(b) * np.cos(b)", "np.sin(a) should be something else"),
    ("x = p.mass * a", "x = p.length * a", "p.mass should be something else"), ("x = p.mass * a", "x = p.count * a", "p.mass should be something else"), ("x = f(a, b)", "x = f(b, b)", "a should be something else"), ("x = a[i] * b[j]", "x = b[j] * b[j]", "a[i] should be something else"),
    ("x = a + b", "x = a * b + b", "a factor is missing"), ("x = a + b", "x = a + b / a", "a divisor is missing"), ("x = a * b", "x = a * b + a", "a term is missing"), ("x = a * b", "x = a * b - b", "a term is missing"), ("x = p.mass", "x = p.mass * p.length", "a factor is missing"), ("x = f(a)", "x = f(a + a)", "a term is missing"),
    ("x = np.sin(a) + b", "x = np.sin(a) + b * np.sin(a)", "a factor is missing"), ("x = [a * a, a * a]", "x = [a, a]", "a factor is too many, 2 times"),
    ("x = round(a, 3)", "x = a", "round should not be there, for it loses digits"), ("x = np.around(a + b, 3)", "x = a + b", "around should not be there, for it loses digits"), ("x = f(a).round(3)", "x = f(a)", "round should not be there, for it loses digits"), ("x = np.round(a, decimals=3)", "x = a", "round should not be there, for it loses digits"),
    ("x = np.zeros(7)", "x = np.zeros(8)", "a number is wrong: 7"), ("x = zeros(n)", "x = zeros(n + 1)", "a size is off by one"), ("x = np.arange(7)", "x = np.arange(8)", "a number, as an end of a range, is wrong: 7"),
    ("x = a if b < c or d else c", "x = a if b < c else c", "a condition is too many"), ("x = a if b and c and d else c", "x = a if b and d else c", "a condition is too many"),
    ("x = f(a, b, c)", "x = f(a, c, b)", "two arguments of f are exchanged"), ("x = a[2 * i]", "x = a[3 * i]", "an index is wrong: 2"),
    ("x = [f(a), f(a)]", "x = [a, a]", "f should not be there, 2 times"), ("x = a * b + f(a)", "x = b * b + f(b)", "a should be something else, 2 times"), ("x = [a, b[a], c]", "x = [c, b[c], c]", "a should be something else, 2 times"),
]  # fmt: skip


@pytest.mark.parametrize(("cell", "right", "words"), [*MISTAKES, *OF_ARRAYS])
def test_a_mistake_of_each_kind_is_put_right(cell, right, words):
    """By a change that has the words of its kind, in its line."""
    found = changes(cell, p=P, np=np)
    assert ast.unparse(ast.parse(right)) in found
    said = found[ast.unparse(ast.parse(right))]
    assert words in {one for one, _ in said}, said
    lines = cell.split("\n")
    assert all(1 <= line <= len(lines) and lines[line - 1] != "x = 0.0" for _, line in said)


NO_CHANGES = [  # a cell, and what no slip of its kind makes of it
    ("x = 's'", "x = -'s'"), ("x = [a, b]", "x = -[a, b]"), ("x = (a, b)", "x = -(a, b)"), ("x = lambda a: b", "x = -(lambda a: b)"), ("x = [a for a in b]", "x = -[a for a in b]"), ("x = a[i]", "x = a[-i]"), ("x = a ** 2", "x = a ** (-2)"), ("x = a if b < c else d", "x = a if -b < c else d"), ("x = f(k=a)", "x = f(k=-a)"),
    ("for k in a:\n    x = k", "for k in -a:\n    x = k"), ("x = a[i]", "x = a[i.T]"), ("x = a[i]", "x = (-a)[i]"), ("x = p.mass", "x = (-p).mass"), ("x = f(a)", "x = (-f)(a)"), ("x = range(n)", "x = range(-n)"), ("x = np.zeros(n)", "x = np.zeros(2.0 * n)"), ("x = range(n)", "x = range(n * n)"),
    *((f"x = {name}(a)", "x = a") for name in ("array", "Matrix", "range", "len", "list", "tuple", "float", "enumerate")), ("x = f(*a)", "x = a"), ("x = f(b for b in a)", "x = (b for b in a)"), ("x = True", "x = 2"), ("x = a[1]", "x = a[0.5]"), ("x = a[1]", "x = a[9.81]"),
    ("x = a", "x = a + 1"), ("x = [a, b]", "x = 2.0 * [a, b]"), ("x = a * b", "x = b * a"), ("x = a + b", "x = (a + b) ** 2"), ("x = [a, b, c, d, e]", "x = [b, a, c, d, e]"), ("x = a if b == c else d", "x = a if b <= c else d"), ("x = a if b < c < d else e", "x = a if b <= c < d else e"),
    ("x = a", "pass"), ("x = 0\nfor k in b:\n    x = k", "pass\nfor k in b:\n    x = k"), ("x[0] = a\nb = a", "pass\nb = a"), ("f(a)\nx = a", "pass\nx = a"), ("b = a\nfor k in b:\n    x = k", "for k in b:\n    x = k\nb = a"), ("x = p.mass * a", "x = p.name * a"), ("x = p.mass * a", "x = p._later * a"), ("x = a[2] + b", "x = a[-1] + b"),
    ("x = np.pi * a", "x = np * a"), ("x = np.pi * a", "x = a * a"), ("x = f(a)", "x = f * a"), ("x = f(a)", "x = a(a)"), ("x = 2.0 * a", "x = 2.0 * a * a * a"), ("x = 2.0", "x = 2.0 * x"), ("x = a[i:] + b", "x = b + b"), ("x = a[i, j] + b", "x = b + b"), ("x = f'{a}'", "x = f'{-a}'"), ("def x(a=b):\n    return a", "def x(a=-b):\n    return a"),
    ("x = round(a, 3)", "x = round(a, 6)"), ("x = np.round(a, decimals=3)", "x = np.round(a, decimals=6)"), ("x = a.round(3)", "x = a.round(6)"), ("x = round(a, 3)", "x = round(3, a)"), ("x = a if b else c", "x = a if c else c if b else c"),
    ("x = a.copy()", "x = a.b()"), ("@f\ndef x(a):\n    return a", "@(-f)\ndef x(a):\n    return a"), ("x: f = a", "x: -f = a"), ("def x(a) -> f:\n    return a", "def x(a) -> -f:\n    return a"), ("x = range(a)", "x = range(b)"), ("x = linspace(a, b)", "x = linspace(b, b)"),
    ("x = range(n - 2)", "x = range(n)"), ("x = a[n - 1:]", "x = a[n * 1:]"), ("x = zeros(n + 2)", "x = zeros(n * 2)"), ("x = a[2 * i]", "x = a[0 * i]"), ("x = a[2 * i]", "x = a[0.5 * i]"), ("x = a[2 * i]", "x = a[-2 * i]"),
    *((f"x = {whole}", f"x = {change}") for whole in ("np.zeros(n)", "np.array([1, 2])", "np.ones(n, dtype=int)") for change in (f"2.0 * {whole}", f"0.5 * {whole}", f"{whole} ** 2", f"{whole} * n", f"{whole} / n")),
    *((f"x = f({part}, b)", f"x = f({part} {operator} b, b)") for part in ("5.0", "7") for operator in "*/+-"), *(("x = a[i] - b", f"x = a[i {operator} b] - b") for operator in "*/+-"),
    *((f"x = {name}(a) + b", f"x = {name}(b) + b") for name in ("range", "zip", "enumerate", "len", "linspace", "arange", "symbols", "reshape", "plot", "round", "zeros", "eye")),
]  # fmt: skip


@pytest.mark.parametrize(
    "cell", ["x = round(a, 3)", "x = a.round(3)", "x = np.round(a, decimals=3)", "x = np.zeros(3)"]
)
def test_no_end_of_a_range_is_said_to_be_wrong_where_there_is_none(cell):
    """The digits of a rounded number, or the size of an array, are no range."""
    words = {one for said in changes(cell, np=np).values() for one, _ in said}
    assert words and not any("range" in one for one in words)


@pytest.mark.parametrize(("cell", "never"), NO_CHANGES)
def test_what_nobody_meant_is_not_tried(cell, never):
    """No sign of an index, no other number of a list, no change of what a cell only names."""
    assert ast.unparse(ast.parse(never)) not in changes(cell, p=P, np=np, f=math.sqrt)


def test_the_numbers_of_a_student_stand_for_each_other():
    """Those alone that are numbers, of what has any; and no more than some of them."""
    found = changes("x = p.mass", p=P)
    assert "x = p.length" in found and "x = p.count" in found and "x = p.name" not in found
    assert "x = p.real" not in changes("x = p.imag", p=1j)
    many = "x = " + " + ".join(f"a{k}" for k in range(30))
    every = (words.text() for words, _ in rewrites.changed(ast.parse(many), {}, "x"))
    said = [*itertools.takewhile(lambda words: words != "a factor is missing", every)]
    assert said.count("a29 should be something else") == 23  # of two dozen parts each is tried for each


def test_a_change_is_of_one_place_in_its_line():
    """Lines are counted as in the cell; a change of several places is told in the first."""
    found = changes("a = 1.0\nb = 2.0\nx = a - b")
    assert ("a sign is wrong", 3) in found["a = 1.0\nb = 2.0\nx = a + b"]
    assert ("a should be something else", 3) in found["a = 1.0\nb = 2.0\nx = b - b"]
    found = changes("c = f(a)\nx = c + f(a)")
    assert ("f should not be there, 2 times", 1) not in found.get(
        "c = a\nx = c + a", set()
    )  # not of the same expression
    assert ("a should be something else, 2 times", 1) in found["c = f(c)\nx = c + f(c)"]
    found = changes("c = f(a)\nx = c + a * c")  # a name in two expressions of other kinds
    assert found["c = f(c)\nx = c + c * c"] == {("a should be something else, 2 times", 1)}


# ---- the search -------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def still(monkeypatch):
    """The clock of the processor stands still, if no test moves it: how busy a machine is has no part in what is told."""
    monkeypatch.setattr(repair, "time", types.SimpleNamespace(process_time=lambda: 0.0))


@pytest.fixture
def instruments(monkeypatch):
    """A cell is given what counts and measures its runs, which no student's may be: see test_check_rerun.py."""
    monkeypatch.setattr(repair, "hold_still", lambda values: True)


def told(source, holds, name="x", others=(), **names):
    """What is told of a cell, where holds(value) says whether an answer is right."""
    return repair.find_wrong_part(
        Cell(source, name, names, ("p",) * bool(others), others),
        lambda value, p: isinstance(value, float) and holds(value),
    )


def turned(value):
    """The cell's 3.0 has the wrong sign."""
    return value == -3.0


SIGN = "One change would put your cell right, or make up for a mistake elsewhere: in `x = 3.0` a sign is wrong."
NEVER_AGAIN = ["open", "input", "exec", "eval", "compile", "__import__", "globals", "setattr", "savefig", "savetxt", "begin", "rcParams", "random", "rng", "default_rng"]  # fmt: skip


def test_a_cell_is_run_again_and_its_mistake_told():
    """Where nothing is against it."""
    assert told("x = 3.0", turned) == SIGN
    assert told("x = 3.0", lambda value: value == 77.0) is None
    assert told("y = 3.0", turned) is None and told("x = 3.0\ny = 1 / 0", turned) is None


@pytest.mark.parametrize("name", NEVER_AGAIN)
def test_what_reaches_out_of_a_cell_is_never_run_again(name, tmp_path):
    """By its name or as a part of something, called or only named: nothing is opened, asked, drawn at random or begun."""
    ran = []
    for use in (name, f"a.{name}"):
        for source in (f"y = {use}('w')\nx = 3.0", f"x = 3.0\n{use}('w').close()", f"y = lambda: {use}\nx = 3.0"):
            names = {"a": types.SimpleNamespace(**{name: ran.append}), name: ran.append}
            assert told(source, turned, **names) is None
    assert ran == []


def test_no_file_is_opened_or_made(tmp_path):
    """A file that a cell would write does not appear, and one that it would empty is as it was."""
    new, kept = tmp_path / "new", tmp_path / "kept"
    kept.write_text("kept", "utf8")
    for path in (new, kept):
        for source in (
            "f = open(path, 'w')\nf.close()\nx = 3.0",
            "x = 3.0\nopen(path, 'w').close()",
            "x = 3.0 if open(path, 'w') else 1.0",
        ):
            assert told(source, turned, path=path) is None
    assert not new.exists() and kept.read_text("utf8") == "kept"


@pytest.mark.parametrize(
    ("source", "again"),
    [
        *((f"import {name}\nx = 3.0", True) for name in ("math", "cmath", "numpy", "sympy", "scipy", "matplotlib", "robotdyn", "coursework", "itertools", "functools")),
        *((f"import {name}\nx = 3.0", False) for name in ("os", "sys", "subprocess", "shutil", "pathlib", "socket", "ctypes", "importlib", "time", "os.path", "mathematics")),
        ("import math, os\nx = 3.0", False), ("from os import getcwd\nx = 3.0", False), ("from math import pi\nx = 3.0", True), ("from numpy.linalg import norm\nx = 3.0", True), ("from . import y\nx = 3.0", False), ("import scipy.linalg as os\nx = 3.0", True),
        ("while False:\n    pass\nx = 3.0", False), ("with y:\n    pass\nx = 3.0", False), ("global y\nx = 3.0", False), ("def f():\n    y = 1\n    def g():\n        nonlocal y\nx = 3.0", False), ("class A:\n    pass\nx = 3.0", False), ("y = 1\ndel y\nx = 3.0", False),
        ("y.z = 1\nx = 3.0", False), ("y = a.z\nx = 3.0", True), ("for k in [1, 2]:\n    y = k\nx = 3.0", True), ("if True:\n    x = 3.0", True), ("def f(y):\n    return y\nx = 3.0", True),
        ("%matplotlib inline\nx = 3.0", False), ("!ls\nx = 3.0", False), ("x = 3.0 +", False), ("x = 3.0\0", False),
    ],
)  # fmt: skip
def test_what_a_cell_may_hold_to_be_run_again(source, again):
    """Imports of what only computes; nothing without an end, no names of others, no part of an object that is no copy."""
    words = told(source, turned, a=types.SimpleNamespace(z=1.0), y=types.SimpleNamespace())
    assert (words is not None) == again
    assert not again or words.endswith("a sign is wrong.")


@pytest.mark.usefixtures("instruments")
@pytest.mark.parametrize("name", ["print", "display", "show", "pprint", "answer", "hint", "progress", "set_printoptions", "init_printing", "simplefilter", "filterwarnings", "seterr", "rc", "use"])  # fmt: skip
def test_what_only_shows_or_hands_in_is_left_out(name):
    """Wherever it stands; what a cell does beside that is done."""
    shown, done = [], []
    names = {name: shown.append, "a": types.SimpleNamespace(**{name: shown.append}), "note": done.append}
    for source in (
        f"{name}(1)\nx = 3.0",
        f"a.{name}(1)\nx = 3.0",
        f"x = 3.0\nif x:\n    {name}(1)",
        f"for k in [1]:\n    pass\nelse:\n    a.{name}(1)\nx = 3.0",
        "note\nx = 3.0\nx",
    ):
        assert told(source, turned, **names).endswith("in `x = 3.0` a sign is wrong.")
    assert shown == [] and done == []
    told("note(1)\nx = 3.0", turned, **names)
    assert done


def test_two_changes_that_would_do_are_told_and_no_third():
    """In one line or in two, each kind once."""
    words = told("x = 3.0", lambda value: value not in (3.0, 0.0))
    assert (
        words
        == "One change would put your cell right, or make up for a mistake elsewhere: in `x = 3.0` a sign is wrong, or a number is wrong: 3.0."
    )
    words = told("a = 3.0\nx = a", lambda value: value == -3.0)
    assert (
        words
        == "One change would put your cell right, or make up for a mistake elsewhere: in `a = 3.0` a sign is wrong; or in `x = a` a sign is wrong."
    )


def test_one_mistake_that_stands_twice_is_told_where_it_stands_first():
    """The same part of the same expression, in two lines."""
    right = math.cos(0.7) ** 2 + math.cos(0.7) + 1
    source = "a = math.sin(k)\nb = math.sin(k)\nx = a * b + a + 1"
    words = told(source, lambda value: abs(value - right) < 1e-12, k=0.7, math=math)
    assert (
        words
        == "One change would put your cell right, or make up for a mistake elsewhere: in `a = math.sin(k)` sin should be another function, 2 times."
    )


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("x  =   3.0", "x = 3.0"), ("x = 3.0  # three", "x = 3.0"), ("x = 3.0 #  three", "x = 3.0 # three"), ("if True:\n    x = 3.0", "x = 3.0"),
        ("x = 3.0 if '" + "w" * 75 + "' else 1.0", "x = 3.0 if '" + "w" * 75 + "' e" + " ..."), ("x = 3.0 if '" + "w" * 68 + "' else 1.0", "x = 3.0 if '" + "w" * 68 + "' else 1.0"),
        ("x = 3.0 if '" + "w" * 69 + "' else 1.0", "x = 3.0 if '" + "w" * 69 + "' else 1." + " ..."),
    ],
)  # fmt: skip
def test_a_line_is_shown_as_a_sentence_can_hold_it(line, shown):
    """Without what is said of it beside, and ninety characters of it at most."""
    assert f" in `{shown}` a sign is wrong" in told(line, turned)


@pytest.mark.parametrize(
    ("make", "change"),
    [(lambda: [1.0, 2.0], "kept.append(3.0)"), (lambda: {"a": 1.0}, "kept.update(b=2)"), (lambda: {1.0}, "kept.add(2.0)"), (lambda: np.ones(3), "kept += 1"), (lambda: [[1.0], [2.0]], "kept[0].append(3.0)"),
     (lambda: sp.Matrix([1, 2]), "kept[0, 0] = 7"), (lambda: [1.0] * 2000, "kept.append(3.0)"), (lambda: np.ones(2000), "kept[0] = 3")],
)  # fmt: skip
def test_what_a_cell_changes_in_place_is_a_copy(make, change):
    """Of each kind, and of any length."""
    kept = make()
    assert told(f"{change}\nx = 3.0", turned, kept=kept).endswith("a sign is wrong.")
    assert str(kept) == str(make()) and len(kept) == len(make())


def of_calls(count, ran):
    """A function that takes so many calls, with its own, and notes that it ran."""

    def work():
        ran.append(count)
        for _ in range(count - 2):
            abs(1)

    return work


@pytest.mark.usefixtures("instruments")
@pytest.mark.parametrize(("calls", "searched"), [(399_000, True), (401_000, False)])
def test_a_cell_that_takes_long_is_not_run_again(calls, searched):
    """Four hundred thousand calls of functions are long, however fast a machine is."""
    ran = []
    assert (told("work()\nx = 3.0", turned, work=of_calls(calls, ran)) is not None) == searched
    assert (len(ran) > 1) == searched


@pytest.mark.usefixtures("instruments")
@pytest.mark.parametrize("calls", [99_000, 198_000])
def test_a_search_ends_after_two_million_calls(calls):
    """However many changes are left: a cell of a hundred thousand is run twenty times, one of two hundred thousand ten times."""
    ran = []
    source = "work()\nx = 3.0 + 1.0 * 7.0 - 2.0 / 5.0"
    assert told(source, lambda value: value == 1e9, work=of_calls(calls, ran)) is None
    assert len(ran) == 1 + 1_980_000 // calls


@pytest.mark.usefixtures("instruments")
def test_what_is_told_does_not_depend_on_how_fast_the_machine_is(monkeypatch):
    """A clock that runs a hundred times as fast changes nothing; one that runs away ends the search."""
    now = [0.0]

    def told_at(step):
        def work():
            now[0] += step

        return told("work()\nx = 3.0 - 1.0 * 7.0", lambda value: value == 10.0, work=work)

    monkeypatch.setattr(repair, "time", types.SimpleNamespace(process_time=lambda: now[0]))
    assert told_at(0.0) == told_at(0.1) is not None and told_at(21.0) is None


def test_a_cell_is_searched_where_nothing_can_be_drawn(monkeypatch):
    """A kernel may have no Matplotlib."""
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    assert told("x = 3.0", turned).endswith("in `x = 3.0` a sign is wrong.")


@pytest.mark.parametrize(
    "source",
    [
        "begun()\nfor k in range(n ** 9):\n    count()\nx = 3.0",
        "begun()\ndef f():\n    for k in range(n ** 9):\n        count()\nf()\nx = 3.0",
    ],
)
@pytest.mark.usefixtures("instruments")
def test_a_loop_has_thirty_times_its_steps(source):
    """Of two lines a turn, and those of a hundred lines more; then it is stopped, and the search goes on."""
    runs = []

    def count():
        runs[-1] += 1

    names = {"n": 2, "begun": lambda: runs.append(0), "count": count}
    assert told(source, turned, **names) is not None
    assert told(source, lambda value: value == 1e9, **names) is None
    assert 30 * (512 + 50) < max(runs) < 31 * (512 + 50)


@pytest.mark.usefixtures("instruments")
def test_a_comprehension_is_a_loop():
    """It is stopped, too."""
    runs = []

    def count():
        runs[-1] += 1

    names = {"n": 2, "begun": lambda: runs.append(0), "count": count}
    told("begun()\ny = [count() for k in range(n ** 9)]\nx = 3.0", lambda value: value == 1e9, **names)
    assert 511 < max(runs) < 100_000


@pytest.mark.usefixtures("instruments")
def test_what_is_stopped_leaves_no_trace():
    """Tracing is as it was, whether a cell has loops or not."""
    before, seen = sys.gettrace(), []
    assert told("y = [k for k in range(3)]\nx = 3.0", turned) is not None
    assert sys.gettrace() is before
    told("note()\nx = 3.0", turned, note=lambda: seen.append(sys.gettrace()))
    assert set(map(id, seen)) == {id(before)}


def test_other_numbers_are_tried_as_well():
    """A change that is right with one student's numbers alone is not told."""
    p, other = types.SimpleNamespace(a=2.0, b=3.0), types.SimpleNamespace(a=2.5, b=7.0)
    judge = lambda value, q: isinstance(value, float) and abs(value - (q or p).a * (q or p).b) < 1e-9
    assert repair.find_wrong_part(Cell("x = p.a + p.b + 1.0", "x", {"p": p}, ("p",), (other,)), judge) is None
    assert "a product" in repair.find_wrong_part(Cell("x = p.a / p.b", "x", {"p": p}, ("p",), (other,)), judge)


@pytest.mark.parametrize(
    ("source", "names", "right"),
    [("y = 2.0\nx = y", {"y": 7.0}, 14.0), ("y = 2.0\nfor k in [1]:\n    y = y + k\nx = y", {"y": 7.0}, 21.0)],
)
def test_what_a_cell_sets_itself_is_not_taken_from_before(source, names, right):
    """A name that is set before it is needed stands for nothing else."""
    assert told(source, lambda value: value == right, **names) is None


def test_what_a_cell_adds_to_was_there_before():
    """A sum that goes on needs what it was."""
    words = told("y += 2.0\nx = y", lambda value: value == 5.0, y=7.0)
    assert words.startswith(
        "One change would put your cell right, or make up for a mistake elsewhere: in `y += 2.0` a sign is wrong"
    )


def test_a_picture_that_a_changed_cell_draws_is_closed():
    """Those that were open before stay open."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.close("all")
    plt.figure()
    before = plt.get_fignums()
    assert told("plt.figure()\nx = 3.0", turned, plt=plt) is not None
    assert plt.get_fignums() == before
    plt.close("all")


@pytest.mark.usefixtures("instruments")
def test_a_module_stays_what_it_is():
    """What is no container is not copied; what cannot be copied is used as it is."""

    class Stubborn(list):
        def __deepcopy__(self, memo):
            raise TypeError

    kept, seen = Stubborn([1.0]), []
    assert told("note(kept)\nx = 3.0", turned, kept=kept, note=lambda one: seen.append(one is kept)) is not None
    assert seen[0]
