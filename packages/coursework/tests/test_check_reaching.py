"""Both elbows: what stands for None, shapes of poses, and places beside the ends of the reach, as the checks call and read them."""

import math
import warnings
from functools import partial

import numpy as np
import pytest
import sympy as sp

from coursework.check.data import calls_as_data
from coursework.check.question import diagnose
from coursework.check.session import assignment_module, parameters_of

QUESTIONS = assignment_module("reaching").QUESTIONS
IDS = [f"e{number:03d}" for number in range(40)]


def poses_of(p, x, y):
    """Both poses by two circles, or None: the elbow lies beside the line from shoulder to hand."""
    (a, b), far = p.lengths, math.hypot(x, y)
    along = (far**2 + a**2 - b**2) / (2 * far)
    if abs(along) > a:
        return None
    beside = math.sqrt(a**2 - along**2)
    found = []
    for side in (-1, 1):
        elbow = complex(along, side * beside) * complex(x, y) / far
        first = math.atan2(elbow.imag, elbow.real)
        turn = math.atan2(y - elbow.imag, x - elbow.real) - first
        found.append([first, math.remainder(turn, math.tau)])
    return found


def said_of(student, form, none=None):
    """What the check says of right poses in some form, and of something for None."""
    p = parameters_of("reaching", student)
    spec = QUESTIONS["elbows"]
    inputs = spec.states(p, f"visible|{student}")

    def elbows(x, y):
        found = poses_of(p, x, y)
        return none if found is None else form(found)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = calls_as_data(spec.wrap(p, elbows), inputs)
    return " ".join(diagnose(spec, p, data, inputs))


RIGHT = {
    "lists": lambda x: x,
    "tuples": lambda x: tuple(map(tuple, x)),
    "array": np.array,
    "columns": lambda x: [np.array(one).reshape(2, 1) for one in x],
    "deep": lambda x: np.array(x)[:, :, None],
    "real complex": lambda x: np.array(x, dtype=complex),
    "complex list": lambda x: [[complex(a) for a in one] for one in x],
    "sympy": lambda x: sp.Matrix(x),
    "turns": lambda x: [[a + math.tau for a in one] for one in x],
    "single": lambda x: [[np.array([a]), b] for a, b in x],
}


@pytest.mark.parametrize("form", RIGHT)
def test_right_poses_of_any_form_hold(form):
    """Also columns, and complex numbers that are real; no warning is shown."""
    assert said_of("ada", RIGHT[form]) == ""


@pytest.mark.parametrize("student", IDS)
def test_poses_by_two_circles_hold_for_many_students(student):
    """Places beside both ends of the reach are among those that are asked, inside and outside."""
    assert said_of(student, lambda x: x) == ""
    p = parameters_of("reaching", student)
    (a, b), places = p.lengths, QUESTIONS["elbows"].states(p, f"visible|{student}")
    far = np.array([math.hypot(*place) for place in places])
    for end in (b - a, a + b):
        share = far / end - 1
        assert any((share > -0.0101) & (share < 0)) and any((share > 0) & (share < 0.0101))


@pytest.mark.parametrize("none", [[None, None], [[None, None]] * 2, [[math.nan] * 2] * 2, np.full((2, 2), np.nan), [], math.nan, np.array([None, None])])  # fmt: skip
def test_none_itself_is_asked_for(none):
    """No list of None, none that is empty, no NaN."""
    assert "None itself is asked for, no list of None, no empty one and no NaN." in said_of("ada", lambda x: x, none)


@pytest.mark.parametrize(
    ("form", "words"),
    [
        (lambda x: x[0], "it returned the shape (2,)"),
        (lambda x: [x[0], None], "a list that holds something else"),
        (lambda x: {"left": x[0]}, "a dict that holds something else"),
        (lambda x: (one for one in x), "a generator that holds something else"),
        (lambda x: [[math.nan, 0.0], x[1]], "an angle that is no finite number"),
        (lambda x: np.array(x) + 0.1j, "complex numbers"),
        (lambda x: None, "It returns no pose for a place that the hand can reach."),
        (lambda x: [None, None], "It returns no pose for a place that the hand can reach."),
    ],
)
def test_another_form_is_told_and_no_error_of_the_function(form, words):
    """The function ran to its end: nothing says that it stopped."""
    said = said_of("ada", form)
    assert words in said and "stopped" not in said


def poses_but(inside, p, x, y):
    """Both poses of the arm, and None where a place is inside of what is forgotten."""
    return None if inside(math.hypot(x, y), p) else poses_of(p, x, y)


@pytest.mark.parametrize(
    ("inside", "words"),
    [(lambda far, p: far > 0.995 * sum(p.lengths), "nearly stretched"), (lambda far, p: far < 1.005 * (p.lengths[1] - p.lengths[0]), "nearly folded")],
)  # fmt: skip
def test_no_pose_just_inside_of_an_end_is_refused(inside, words):
    """Half a per cent of it is lost: most students' places meet that, and each of them a per cent."""
    refused = 0
    for student in IDS:
        p = parameters_of("reaching", student)
        spec = QUESTIONS["elbows"]
        inputs = spec.states(p, f"visible|{student}")
        data = calls_as_data(spec.wrap(p, partial(poses_but, inside, p)), inputs)
        said = " ".join(diagnose(spec, p, data, inputs))
        refused += words in said
    assert refused > 0.6 * len(IDS)


def test_an_arm_of_the_first_motor_at_its_limit_is_turned_clockwise():
    """Else the least of limit over torque among the positive ones alone would be right."""
    for student in IDS:
        p = parameters_of("reaching", student)
        turns, push = np.cumsum(p.pose), math.radians(p.along)
        moments = np.cumsum([l * math.sin(push - turn) for l, turn in zip(p.three, turns)][::-1])[::-1]
        forces = np.array(p.motors) / abs(moments)
        assert moments[forces.argmin()] < 0 < max(moments)
