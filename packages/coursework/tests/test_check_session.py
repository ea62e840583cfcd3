"""What a student sees: which law or mistake and where, hints in three levels, progress; never the expected value."""

import json
import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import robotdyn as rd
from coursework import check
from coursework.check import session

SYMBOLS = rd.derive(rd.robots.two_link(symbolic=True))


def two_link(p):
    """Ada's arm."""
    return rd.robots.two_link(p.lengths, p.masses, p.coms, p.inertias)


@pytest.fixture
def p(capsys):
    """Ada begins the 2R assignment."""
    numbers = check.begin("two-link", student="ada")
    capsys.readouterr()
    return numbers


def test_a_right_answer_holds(p, capsys):
    """Every check holds, in any form."""
    check.answer("mass-matrix", SYMBOLS.M)
    check.answer("gravity", list(SYMBOLS.g.expand()))
    assert capsys.readouterr().out == "mass-matrix: every check holds.\ngravity: every check holds.\n"


def test_a_wrong_answer_is_told_which_law_and_where(p, capsys):
    """The law, the place, the way to a hint."""
    M = SYMBOLS.M.as_mutable()
    M[0, 1] = 2 * M[0, 1]
    check.answer("mass-matrix", M)
    said = capsys.readouterr().out
    assert said.startswith("mass-matrix: M is not symmetric: entries (1, 2) and (2, 1) differ. (at q1 = ")
    assert said.endswith('For a hint: check.hint("mass-matrix")\n')


def test_no_check_prints_the_expected_value(p, capsys):
    """Nothing of the solution's numbers stands in what is said of a wrong number."""
    largest = 9.81 * (p.masses[0] * p.coms[0] + p.masses[1] * (p.lengths[0] + p.coms[1]))
    check.answer("holding-torque", 1.0)
    check.answer("forward-dynamics", lambda q, qd, tau: rd.forward_dynamics(two_link(p), q, qd, tau) + 1)
    said = capsys.readouterr().out
    assert "another torque" in said and "not the torque that was applied" in said
    numbers = [float(word) for word in re.findall(r"\d+\.\d+", said)]
    assert all(abs(number - largest) > 1e-2 for number in numbers)


def test_what_is_not_answered_yet_is_told_without_a_traceback(p, capsys):
    """A placeholder hands in nothing; a function that is not written says so."""

    def acceleration(q, qd, tau):
        raise NotImplementedError

    check.answer("gravity", ...)
    check.answer("forward-dynamics", acceleration)
    said = capsys.readouterr().out
    assert said.startswith("gravity: not answered yet") and "forward-dynamics: Your function is not written yet" in said
    check.progress()
    assert "gravity: not answered yet" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("question", "value", "words"),
    [
        ("gravity", {"line": 3}, "it should be a list of 2 formulas."),
        ("gravity", [1, 2, 3], "a list of 2 formulas; it has the shape (3,)."),
        ("gravity", [0, 0], "At rest the torque should equal dU/dq."),
        ("mass-matrix", sp.eye(3), "2 by 2 formulas; it has the shape (3, 3)."),
        ("holding-torque", [1.0, 2.0], "one number; it has the shape (2,)."),
        ("forward-dynamics", 3.0, "of type float, where a function is asked for"),
        ("forward-dynamics", lambda q, qd, tau: None, "is a `return` missing?"),
    ],
)
def test_an_answer_of_another_form_is_told_which_form(p, capsys, question, value, words):
    """Numbers where formulas are asked for are formulas, too."""
    check.answer(question, value)
    assert words in capsys.readouterr().out


@pytest.mark.parametrize("question", ["space filter", "control swing-up", "control cannot-rise"])
def test_an_array_of_one_number_is_a_number(capsys, question):
    """Also from a function that is called again and again; what is none is told."""
    assignment, question = question.split()
    check.begin(assignment, student="ada")
    said = {}
    for name, value in {
        "number": lambda first, *more: 0.1,
        "array": lambda first, *more: np.array([0.1]),
        "two": lambda first, *more: [0.1, 0.2],
        "none": lambda first, *more: None,
    }.items():
        capsys.readouterr()
        check.answer(question, value)
        said[name] = capsys.readouterr().out.replace("\n ", "")
    assert said["array"] == said["number"] and "stopped" not in said["number"]
    assert "stopped" not in said["two"]  # the function ran to its end
    assert "2 numbers, where one is asked for" in said["two"] and "`return` missing" in said["none"]


def test_what_is_not_finite_or_far_too_large_is_told_so(capsys):
    """A list of three numbers is one, and a plot with a line has one."""
    import matplotlib.pyplot as plt

    check.begin("hands", student="ada")
    check.answer("gentle-pose", [1e308, -1e308, 1e308])
    assert "The checks cannot compute with such numbers" in capsys.readouterr().out
    figure, ax = plt.subplots()
    ax.plot([0.0, 1.0], [math.nan, math.nan])
    check.answer("plot-mass", ax)
    plt.close(figure)
    assert "The points of the plot's line are not finite numbers." in capsys.readouterr().out


def test_where_it_is_graded_a_call_of_the_students_begins_nothing_anew(monkeypatch, capsys):
    """The questions are not there, and the seed and the numbers stay those of who is graded."""
    monkeypatch.setattr(session, "_now", session.Session())
    p = check.begin("hands", student="ada", seed="s")
    monkeypatch.delitem(sys.modules, "coursework.questions.hands", raising=False)
    files = session.assignment_files
    monkeypatch.setattr(session, "assignment_files", lambda part: files(part) if part == "given" else {})
    again = check.begin("hands", student="eve")
    assert again.lengths == p.lengths and session._now.seed == "s"


def test_a_sympy_matrix_of_numbers_is_numbers(p, capsys):
    """From a function, too."""
    check.answer("forward-dynamics", lambda q, qd, tau: sp.Matrix(rd.forward_dynamics(two_link(p), q, qd, tau)))
    assert capsys.readouterr().out == "forward-dynamics: every check holds.\n"


def test_any_line_of_a_plot_may_be_the_one_asked_for(capsys):
    """A grid line, a mark or a second curve before it does no harm; a scatter plot counts, too."""
    import matplotlib.pyplot as plt
    import numpy as np

    numbers = check.begin("rp", student="ada")
    angle = np.linspace(-np.pi, np.pi, 90)
    arm = rd.robots.rp(numbers.masses, (numbers.com, 0.0), (0.0, 0.0), numbers.inertias)
    torque = [rd.gravity_torque(arm, np.array([a, numbers.reach]))[0] for a in angle]
    for draw in ("plot", "scatter"):
        figure, ax = plt.subplots()
        ax.axhline(0.0)
        getattr(ax, draw)(angle, torque)
        ax.set(xlabel="angle (rad)", ylabel="torque (N m)")
        check.answer("plot-holding", ax)
        plt.close(figure)
    assert capsys.readouterr().out == "plot-holding: every check holds.\n" * 2


def test_progress_counts_parts(p, capsys):
    """Parts that hold, parts that do not yet; what a person reads is no part."""
    check.answer("gravity", SYMBOLS.g)
    check.answer("mass-matrix", sp.eye(2))
    capsys.readouterr()
    check.progress()
    said = capsys.readouterr().out
    assert said.startswith("1 of 7 parts hold.")
    assert (
        "mass-matrix: does not hold yet" in said and "tip-velocity: not answered yet" in said and "explain" not in said
    )


@pytest.mark.parametrize(("assignment", "student"), [("two-link", "bob"), ("two-link", "ada"), ("rp", "ada")])
def test_who_begins_again_has_answered_nothing(p, capsys, assignment, student):
    """What held with other numbers, or in another assignment, is not counted; nor are its hints."""
    check.answer("gravity", SYMBOLS.g)
    check.answer("mass-matrix", sp.eye(2))
    check.begin(assignment, student=student)
    capsys.readouterr()
    check.progress()
    first, *lines = capsys.readouterr().out.splitlines()
    assert first.startswith("0 of ") and lines and all("not answered yet" in line for line in lines)


def test_a_prediction_is_locked_and_only_then_is_the_run_shown(capsys):
    """Any of the choices; a form that is wrong locks nothing; another one later is told, and the first is handed in."""
    handed = []
    check.begin("rp", student="ada")
    session.catch(lambda question, data: handed.append(data["numbers"]))
    try:
        for given in (None, 7, 2, 2, 3):
            if given:
                check.answer("pull-in", given)
            check.show("pull-in")
    finally:
        session.catch(None)
    first, wrong, locked, again, other = capsys.readouterr().out.split("kinetic energy is")[0], *handed
    assert first.count("predict first") == 2 and "Choose one of the numbers from 1 to 3" in first
    assert "locked" in first and [wrong, locked, again, other] == [[7.0], [2.0], [2.0], [2.0]]
    check.answer("pull-in", 3)
    assert "your first prediction, 2, stays" in capsys.readouterr().out
    check.begin("rp", student="eve")
    check.show("pull-in")
    assert "predict first" in capsys.readouterr().out


def test_where_it_is_graded_nothing_is_shown(p, monkeypatch, capsys):
    """And what has nothing to show says so."""
    with pytest.raises(ValueError, match="gravity has nothing to show"):
        check.show("gravity")
    monkeypatch.setattr(session, "_now", session.Session())
    check.begin("rp", student="ada", seed="s")
    check.answer("pull-in", 1)
    assert check.show("pull-in") is None and "energy" not in capsys.readouterr().out


def test_the_shown_arm_is_the_students_and_its_pose_can_be_copied(capsys):
    """The figure of a question whose answer is a pose."""
    p = check.begin("hands", student="ada")
    figure = check.show("shoulder-at-rest")
    assert figure.arm.links[0].mass == p.masses[0] and figure.spec["pose"] == "pose"


def test_hints_come_in_three_levels(p, capsys):
    """One more at each call, or the one asked for."""
    for _ in range(4):
        check.hint("gravity")
    check.hint("gravity", 2)
    said = capsys.readouterr().out.splitlines()
    assert all(line.startswith(f"gravity, hint {k} of 3: ") for k, line in enumerate(said[:3], start=1))
    assert "you have seen them all" in said[3] and said[4] == said[1]


def test_what_is_wrong_with_a_call_is_said(p):
    """An unknown question or assignment, a notebook not begun."""
    with pytest.raises(ValueError, match="question must be one of tip-velocity, mass-matrix"):
        check.answer("masses", 1)
    with pytest.raises(ValueError, match="no assignment 'three-link'"):
        check.begin("three-link")
    with pytest.raises(ValueError, match="must be a name like two-link"):
        check.begin("../x")
    code = "from robotdyn import check; check.answer('gravity', 1)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=Path(rd.__file__).parent.parent
    )
    assert "run the cell that calls check.begin first" in done.stderr


def test_numbers_of_ones_own_are_read_when_printed():
    """An arm is made when it is first used, and says so until then."""
    p = check.begin("simulation", student="ada")
    assert "arm=<made when it is first used>" in str(p) and f"mass={p.mass}" in str(p)
    assert len(p.arm.links) == 2 and "arm=<Arm of 2 joints" in str(p)


def test_without_an_id_the_numbers_are_an_example(capsys):
    """And the student is told so."""
    check.begin("two-link", student=" ")
    assert "Write your student id" in capsys.readouterr().out


def test_a_notebook_hands_in_data():
    """In a kernel an answer is a MIME output that JSON can hold; the same outside is data, too."""
    from IPython.core.interactiveshell import InteractiveShell

    shell, published = InteractiveShell.instance(), []
    old = shell.display_pub.publish
    shell.display_pub.publish = lambda data, **more: published.append(data)
    try:
        check.begin("two-link", student="ada")
        check.export("gravity", SYMBOLS.g)
        check.export_calls("forward-dynamics", lambda x: [x, x], [(1.0,), (2.0,)])
    finally:
        shell.display_pub.publish = old
        InteractiveShell.clear_instance()
    first, second = (json.loads(json.dumps(data[session.MIME])) for data in published)
    assert first["question"] == "gravity" and first["data"]["shape"] == [2, 1]
    assert second["data"]["calls"][1]["numbers"] == [2.0, 2.0]


def test_checks_need_nothing_but_the_library():
    """No nbgrader, Dask or Jupyter is imported: the checks run in a browser, too."""
    code = (
        "import sys; from robotdyn import check; check.begin('two-link', 'ada'); check.answer('holding-torque', 1.0); check.hint('gravity')\n"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'nbgrader', 'distributed', 'IPython', 'scipy', 'matplotlib', 'psutil', 'resource', 'fcntl'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(rd.__file__).parent.parent
    )
    found = set(re.findall(r"'(\w+)'", done.stdout.splitlines()[-1])) - {"IPython"}
    assert found == set()
