"""What one change of a student's own cell would put right: it is found, told without the answer, and nothing else happens."""

import csv
import io
import math
import tempfile
import types
from functools import partial

import matplotlib
import numpy as np
import pytest
import sympy as sp

from coursework.check import repair
from coursework.check.data import as_data, calls_as_data
from coursework.check.question import diagnose
from coursework.check.repair import Cell
from coursework.check.session import assignment_module, parameters_of

matplotlib.use("Agg")

WRONG = [  # assignment, question, name of the answer, a cell with a mistake, what is said of it
    ("rp", "floating-slider", "rate", "total = p.reach + p.com\nrate = math.sqrt(9.81 * math.sin(p.angle) / total)", "in `total = p.reach + p.com` a term is too many"),
    ("ilqr", "riccati", "value", "def value(A, B, Q, R, V):\n    K = np.linalg.solve(R + B.T @ V @ B, B.T @ V @ A)\n    return Q + A.T @ V @ A - A @ V @ B @ K", "in `return Q + A.T @ V @ A - A @ V @ B @ K` something should be transposed"),
    ("ilqr", "gain", "gain", "def gain(A, B, Q, R, V):\n    curved = R + B.T @ (Q + V) @ B\n    return np.linalg.solve(curved, B.T @ V @ A)", "in `curved = R + B.T @ (Q + V) @ B` a term is too many"),
    ("rp", "plot-holding", "ax", "fig, ax = plt.subplots()\nx = np.linspace(-np.pi, np.pi, 99)\nax.plot(x, (p.masses[0] * p.com + p.masses[1] * p.near) * 9.81 * np.cos(x))\nax.set_xlabel('angle (rad)')\nax.set_ylabel('torque (N m)')\nplt.show()", "p.near should be something else"),
    ("lagrange", "kinetic-energy", "T", "vx, vy = qd1 + l * qd2 * sp.cos(q2), l * qd2 * sp.sin(q2)\nT = m1 * qd1 / 2 + m2 * (vx**2 + vy**2) / 2", "in `T = m1 * qd1 / 2 + m2 * (vx**2 + vy**2) / 2` something should be squared"),
    ("ilqr", "stacked-response", "stacked", "def stacked(A, B, steps):\n    n, m = B.shape\n    S = np.zeros((n * steps, m * (steps - 1)))\n    for j in range(steps - 1):\n        block = B\n        for i in range(j + 2, steps):\n            S[i * n : (i + 1) * n, j * m : (j + 1) * m] = block\n            block = A @ block\n    return S", "in `for i in range(j + 2, steps):` an index, or an end of a range, is off by one"),
    ("n-link", "inverse-dynamics", "torque", "def torque(q, qd, qdd):\n    lengths, masses = np.array(p.lengths), np.array(p.masses)\n    load = np.array([[sum(masses[max(z, k) :]) for k in range(3)] for z in range(3)]) * np.outer(lengths, lengths)\n    turn = q[:, None] - q[None, :]\n    weight = 9.81 * lengths * np.cumsum(masses[::-1])[::-1] * np.cos(q)\n    u = load * np.cos(turn) @ qdd + load * np.cos(turn) @ qd**2 + weight\n    return np.tril(np.ones((3, 3))).T @ u", "in `u = load * np.cos(turn) @ qdd + load * np.cos(turn) @ qd**2 + weight` cos should be another function"),
]  # fmt: skip


def names_for(assignment):
    """What the names of a notebook stand for, without an answer."""
    p = parameters_of(assignment, "ada")
    letters = {name: sp.Symbol(name) for name in ("q1", "q2", "qd1", "qd2", "m1", "m2", "l", "g")}
    pyplot = __import__("matplotlib.pyplot", fromlist=["x"])
    return {"p": p, "np": np, "math": math, "sp": sp, "plt": pyplot, **letters}


def said_of(assignment, question, name, source):
    """What a check says of the answer that a cell makes."""
    spec, names = assignment_module(assignment).QUESTIONS[question], names_for(assignment)
    others = tuple(parameters_of(assignment, one) for one in ("bo", "cy"))
    exec(source, names)
    inputs = spec.states(names["p"], "visible")
    data = as_data(names[name]) if inputs is None else calls_as_data(names[name], inputs)
    return diagnose(spec, names["p"], data, inputs, cell=Cell(source, name, names, ("p",), others))


@pytest.mark.parametrize(("assignment", "question", "name", "source", "words"), WRONG)
def test_the_line_and_the_kind_of_a_mistake_are_told(assignment, question, name, source, words, monkeypatch):
    """The sentence quotes the student's line, says of which kind the mistake is, and not what is right.

    How many calls a search may take is not what is tried: a plot takes many, and has more of them here.
    """
    monkeypatch.setattr(repair, "MOST_CALLS", 20_000_000)
    found = said_of(assignment, question, name, source)
    assert (
        found[1].startswith("One change would put your cell right, or make up for a mistake elsewhere: ")
        and words in found[1]
    ), found


def test_a_missing_term_is_told():
    """What a cell knows by name may be missing in a sum."""
    said = repaired("x = a * b + b", lambda x: abs(x - (3.7 * 0.9 + 3.7 + 0.9)) < 1e-12, a=3.7, b=0.9)
    assert (
        said
        == "One change would put your cell right, or make up for a mistake elsewhere: in `x = a * b + b` a term is missing."
    )


def test_another_function_of_an_angle_is_told():
    """A tangent for a sine, an arccosine for an arctangent."""
    for wrong, right in (("tan", "sin"), ("cos", "tan"), ("arccos", "arctan"), ("arctan", "arcsin")):
        meant = 3.7 * float(getattr(np, right)(0.6))
        said = repaired(f"x = a * float(np.{wrong}(b))", partial(math.isclose, meant), a=3.7, b=0.6, np=np)
        assert said.endswith(f"in `x = a * float(np.{wrong}(b))` {wrong} should be another function."), said


def test_a_coupling_that_should_be_zero_is_no_missing_term():
    """What takes it back is one more term in the sum: the formula itself says what is too much."""
    source = "M = [[I1 + I2 + m1*lc1**2 + m2*q2**2, m2*q2], [m2*q2, m2]]"
    names = names_for("rp") | {name: sp.Symbol(name) for name in ("I1", "I2", "lc1")}
    exec(source, names)
    spec = assignment_module("rp").QUESTIONS["mass-matrix"]
    found = diagnose(spec, names["p"], as_data(names["M"]), None, cell=Cell(source, "M", names, ("p",), ()))
    assert "entry (1, 2) and entry (2, 1) is wrong, the rest is right: a term with m2 is too many" in found[1], found


def repaired(source, holds, name="x", **names):
    """What is told of a cell, where holds(value) says whether an answer is right."""
    return repair.find_wrong_part(Cell(source, name, names), lambda value, p: isinstance(value, float) and holds(value))


@pytest.mark.parametrize(
    "source",
    [
        "x = float(np.nansum([a, np.sqrt(b)]))",
        "def f(b):\n    return float(np.nansum([a, np.sqrt(b)]))\nx = f",
    ],
)
def test_a_change_that_only_makes_something_no_number_is_not_told(source, monkeypatch):
    """The root of a negative number is left out of a sum, and what is left happens to be right."""

    def found(a):
        def judge(value, p):
            try:
                return (value(4.0) if isinstance(value, types.FunctionType) else value) == a
            except Exception:
                return False

        return repair.find_wrong_part(Cell(source, "x", {"np": np, "a": a, "b": 4.0}), judge)

    assert "a sign" not in (found(7.0) or "")
    monkeypatch.setattr(repair, "no_invalid", lambda: np.errstate(all="ignore"))
    assert "a sign" in found(7.0)


def test_nothing_of_the_notebook_changes_and_nothing_is_shown(capsys):
    """A cell that changes in place what another one made changes a copy; what it prints is seen by nobody."""
    kept, pile = [1.0, 2.0], np.array([1.0, 2.0])
    source = "print('seen')\nkept.append(3.0)\npile += 1\nx = sum(kept) - pile[0]"
    assert "`x = sum(kept) - pile[0]` a sign is wrong" in repaired(source, lambda x: x == 8.0, kept=kept, pile=pile)
    assert kept == [1.0, 2.0] and pile.tolist() == [1.0, 2.0] and capsys.readouterr().out == ""
    pyplot = __import__("matplotlib.pyplot", fromlist=["x"])
    before = pyplot.get_fignums()
    drawn = repaired(
        "fig, ax = plt.subplots()\nax.plot([0, 1], [0, 1])\nplt.show()\nx = 3.0", lambda x: x == -3.0, plt=pyplot
    )
    assert "a sign is wrong" in drawn and pyplot.get_fignums() == before


def test_a_changed_cell_that_does_not_end_is_stopped(monkeypatch):
    """A loop is bounded by the steps that it takes unchanged: by thirty times as many."""
    monkeypatch.setattr(repair, "hold_still", lambda values: True)  # what counts the turns remembers
    calls = []
    source = "x = 0.0\nfor k in range(n ** 1):\n    x = x + 1.0\n    note(k)"
    assert repaired(source, lambda x: x == 2.5, n=3000, note=calls.append) is None
    assert 3000 < len(calls) < 1_000_000  # of 9 million


@pytest.mark.parametrize(
    "source",
    [
        "import os\nx = 1.0",
        "x = float(open('f').read())",
        "while True:\n    x = 1.0",
        "%matplotlib inline\nx = 1.0",
        "x = 1.0 +",
    ],
)
def test_what_should_not_be_run_again_is_not(source):
    """What reads or writes files, asks, may not end, or is no plain Python."""
    assert repaired(source, lambda x: x == -1.0) is None


def store(x):
    """What a student may have written in an earlier cell."""
    (lambda: np.save("f", x))()


@pytest.mark.parametrize(
    "writes",
    [
        "np.savetxt('f', [x])",
        "np.save('f', x)",
        "from numpy import save as keep\nkeep('f', x)",
        "kept('f', x)",
        "np.savez('f', x)",
        "np.savez_compressed('f', x)",
        "np.array([x]).tofile('f')",
        "np.array([x]).dump('f')",
        "np.memmap('f', mode='w+', shape=1)",
        "plt.savefig('f')",
        "plt.imsave('f', [[x]])",
        "scipy.io.savemat('f', {'x': x})",
        "scipy.io.wavfile.write('f', 9, np.array([x]))",
        "place.write_text('x')",
        "place.touch()",
        "os.mkdir('f')",
        "shutil.copy(here, 'f')",
        "store(x)",
    ],
)
def test_a_file_of_the_students_is_not_written_again(writes, tmp_path, monkeypatch):
    """A cell with a wrong sign that writes what it found: no change of it is tried, and its file stays as it is."""
    import os
    import shutil

    import scipy.io.wavfile

    monkeypatch.chdir(tmp_path)
    pyplot = __import__("matplotlib.pyplot", fromlist=["x"])
    names = {"np": np, "plt": pyplot, "os": os, "shutil": shutil, "scipy": scipy}
    names |= {"place": tmp_path / "f", "here": __file__, "kept": np.save, "store": store}
    monkeypatch.setattr(store, "__module__", None)  # as of a function that exec has made
    assert "a sign is wrong" in repaired("x = 1.0\ny = [x]", lambda x: x == -1.0, **names)
    assert repaired(f"x = 1.0\n{writes}", lambda x: x == -1.0, **names) is None
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", ["text", "file", "path", "temporary", "rows", "records"])
def test_what_an_earlier_cell_opened_is_not_read_again(kind, tmp_path):
    """A cell that reads on where it stopped would read other numbers: no change of it is tried, and nothing is read."""
    place = tmp_path / "f"
    place.write_text("a\n1.0\n2.0\n", encoding="utf-8")
    with place.open(encoding="utf8") as file, tempfile.SpooledTemporaryFile(mode="w+") as temporary:
        temporary.write("1.0\n2.0\n")
        temporary.seek(0)
        lines = io.StringIO("a\n1.0\n2.0\n")
        opened = {
            "text": lines,
            "file": file,
            "path": place,
            "temporary": temporary,
            "rows": csv.reader(lines),
            "records": csv.DictReader(lines),
        }[kind]
        assert repaired("x = first(f)", lambda x: x == -1.0, f=opened, first=one) is None
        assert "a sign is wrong" in repaired(
            "x = first(f)", lambda x: x == -1.0, f=opened.__class__.__name__, first=one
        )


def one(anything):
    """Return 1."""
    return 1.0


def test_a_number_is_put_right_with_the_numbers_of_others_too():
    """One that meets the answer by chance, with one student's numbers, is not told."""
    p, others = types.SimpleNamespace(a=2.0, b=4.0), (types.SimpleNamespace(a=3.0, b=7.0),)
    judge = lambda value, other: value == (other or p).a + (other or p).b
    assert repair.find_wrong_part(Cell("x = p.a * 6.0", "x", {"p": p}, ("p",), others), judge) is None
    assert "a product" not in repair.find_wrong_part(Cell("x = p.a - p.b", "x", {"p": p}, ("p",), others), judge)


def test_where_the_place_is_asked_for_it_is_not_told():
    """A program that is printed with a mistake, handed in as it is."""
    p, spec = parameters_of("hands", "ada"), assignment_module("hands").QUESTIONS["find-the-bug"]
    names = {"p": p, "np": np}
    exec(p.program, names)
    inputs = spec.states(p, "visible")
    found = diagnose(
        spec, p, calls_as_data(names["wrenches"], inputs), inputs, cell=Cell(p.program, "wrenches", names, ("p",))
    )
    assert found and "One change" not in " ".join(found)


def test_a_notebook_knows_the_cell_of_an_answer(capsys):
    """The last cell that defines the name, also where others stand between it and the check."""
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    try:
        for source in (
            "import math\nfrom robotdyn import check\np = check.begin('rp', 'ada', count=False)",
            "rate = math.sqrt(9.81 * math.sin(p.angle) / (p.reach + p.com))",
            "other = rate + 1",
            "check.answer('floating-slider', rate)",
        ):
            assert shell.run_cell(source, store_history=True).success
    finally:
        InteractiveShell.clear_instance()
    said = " ".join(capsys.readouterr().out.split())
    assert (
        "One change would put your cell right, or make up for a mistake elsewhere: in `rate = math.sqrt(" in said
        and "a term is too many" in said
    )


@pytest.mark.parametrize(("length", "searched"), [(4000, True), (4001, False)])
def test_a_cell_of_four_thousand_characters_is_searched(length, searched, capsys):
    """A longer one is not."""
    from IPython.core.interactiveshell import InteractiveShell

    source = "rate = math.sqrt(9.81 * math.sin(p.angle) / (p.reach + p.com))"
    shell = InteractiveShell.instance()
    try:
        for cell in (
            "import math\nfrom robotdyn import check\np = check.begin('rp', 'ada', count=False)",
            source + " " * (length - len(source) - 1) + "#",
            "check.answer('floating-slider', rate)",
        ):
            assert shell.run_cell(cell, store_history=True).success
    finally:
        InteractiveShell.clear_instance()
    assert ("One change would put your cell right" in " ".join(capsys.readouterr().out.split())) == searched


def test_what_a_name_stood_for_before_has_no_part_in_it():
    """A cell that sets a name is not put right by what was left of it in the notebook."""
    assert repaired("x = 2.0", lambda x: x == 14.0) is None
    assert repaired("y = 2.0 * 1\nx = y", lambda x: x == 14.0, y=7.0) is None
    assert "a factor is missing" in repaired("x = 2.0 * k\nx = x + k - k", lambda x: x == 98.0, k=7.0)


def test_a_letter_that_another_cell_gave_a_number_is_told():
    """The formula is right, and 2.5 stands in it for m: which name that is, and what to do; not so where more is wrong."""
    source = "h = [2*m*q3*c**2*qd1*qd3 - 2*m*q3**2*s*c*qd1*qd2, m*q3**2*s*c*qd1**2 + 2*m*q3*qd2*qd3, -m*q3*(c**2*qd1**2 + qd2**2)]"
    letters = {name: sp.Symbol(name) for name in ("q1", "q2", "q3", "qd1", "qd2", "qd3")}
    p = parameters_of("space", "ada")
    spec = assignment_module("space").QUESTIONS["velocity-terms"]
    for factor, told in ((2, True), (3, False)):
        names = {"p": p, "sp": sp, **letters, "m": 2.5, "c": sp.cos(letters["q2"]), "s": sp.sin(letters["q2"])}
        cell = source.replace("2*m*q3*qd2*qd3", f"{factor}*m*q3*qd2*qd3")
        exec(cell, names)
        found = diagnose(spec, p, as_data(names["h"]), None, cell=Cell(cell, "h", names, ("p",), ()))
        assert ("It is right but for m, where numbers stand" in found[-1]) == told, found
