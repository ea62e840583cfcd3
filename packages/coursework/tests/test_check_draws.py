"""No student draws numbers with which a generic mistake is accepted: `accepted_mistakes.py` tries them all."""

import numpy as np
import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")

from accepted_mistakes import accepted, changes
from right_answers import ASSIGNMENTS

import robotdyn as rd
from coursework.check.parameters import Draw, differ
from coursework.check.question import tells
from coursework.check.session import parameters_of


@pytest.mark.parametrize(("assignment", "question"), [("hands", "blow"), ("joints", "table"), ("bodies", "one-turn")])
def test_no_mistake_is_accepted_where_the_answer_hardly_depends_on_it(assignment, question):
    """With the numbers of six students; there are more than fifty mistakes of each."""
    wrong, tried = accepted(assignment, [f"t{number:04d}" for number in range(6)], ("number",), (question,))
    assert tried > 50
    assert [one for one in wrong if min(one[2].values()) <= 1] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_no_mistake_is_accepted_of_any_number(name):
    """With the numbers of thirty students."""
    wrong, _ = accepted(name, [f"s{number:04d}" for number in range(30)], ("number",))
    assert [one for one in wrong if min(one[2].values()) <= 1] == []


def test_a_cell_is_changed_by_each_generic_mistake():
    """In each of its parts; nothing is changed where a solution begins to look for a root."""
    made = {words for words, _ in changes("x = p.m * sin(q[1]) ** 2 + 9.81")}
    for words in ("a sign is wrong in p.m", "half in p.m", "sin should be another function", "a power should not be there",
                  "a factor is too many", "a term is too many", "index in 1", "relative or absolute in q[1]", "g in 9.81"):  # fmt: skip
        assert any(words in one for one in made), words
    assert changes("low, high = 0.0, 60.0\nlow = high") == []


def test_numbers_are_drawn_again_until_each_mistake_tells():
    """A part that is lost, turned, doubled or halved, or taken for another; what cannot be computed is no mistake."""
    whole = lambda a, b: a + b
    assert tells(whole, {"a": 1.0, "b": 1.0}) and not tells(whole, {"a": 1.0, "b": 1e-4})
    assert not tells(whole, {"a": 1.0, "b": 1.0}, {"a": (1.0005,)}) and tells(
        whole, {"a": 1.0, "b": 1.0}, {"a": (1.0,)}
    )
    assert tells(lambda a: 1 / a, {"a": 2.0}) and tells(lambda a: [a, 2 * a], {"a": 1.0})
    draw = Draw(3)
    a, b = draw.until(lambda: draw.numbers(2, 0.0, 1e-2), lambda a, b: tells(whole, {"a": a, "b": b}))
    assert min(a, b) > 0.4e-3 * (a + b)


BODIES = ("lengths", "three", "masses", "motors", "middle", "coms", "bodies", "arm", "target", "gains", "end")
LEAST = 0.01  # of the larger of two numbers: of what is rounded or made of others a little may be lost


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_no_student_has_two_links_alike(name):
    """Whoever takes one link for another, its length, mass or motor, has another answer: for two hundred students."""
    for number in range(200):
        drawn = vars(parameters_of(name, f"s{number:04d}"))
        for field, value in drawn.items():
            if field in BODIES and isinstance(value, tuple) and all(isinstance(one, (int, float)) for one in value):
                assert differ(*value, least=LEAST), (number, field, value)


def test_numbers_that_are_drawn_apart_differ():
    """Each pair by more than a part of the larger, of either sign, and nothing else is asked of them."""
    assert differ(1.0, 1.06) and not differ(1.0, 1.04) and not differ(2.0, 1.0, 2.0) and differ(-1.0, 1.0)
    assert differ(1.0) and differ() and not differ(0.0, 0.0)
    draw = Draw(3)
    for _ in range(200):
        a, b = draw.apart((0.5, 0.6), (0.5, 0.6))
        assert abs(a - b) > 0.05 * max(a, b) and {a, b} <= {round(0.5 + k / 100, 2) for k in range(11)}
    assert all(number == int(number) for number in draw.apart((3, 9), (3, 9), digits=0))


def test_the_first_motor_alone_does_not_set_the_push():
    """Who divides the limit of motor 1 by its torque, and looks at no other, has too large a push."""
    for number in range(60):
        p = parameters_of("reaching", f"n{number}")
        links = [length * np.exp(1j * turn) for length, turn in zip(p.three, np.cumsum(p.pose))]
        push = np.exp(1j * np.radians(p.along))
        single = [(np.conj(1j * sum(links[i:])) * push).real for i in range(3)]
        forces = [limit / abs(one) for limit, one in zip(p.motors, single)]
        assert forces[0] > 1.1 * min(forces)


def test_the_joint_that_takes_longest_turns_back():
    """Who leaves out the size of a way finds another joint, and a shorter time."""
    for number in range(4):
        p = parameters_of("robot-file", f"n{number}")
        means = np.subtract(p.end, p.start) / rd.Arm.from_urdf(p.file, "tool").joint_values("velocity")
        assert max(means) < 0.95 * max(abs(means))
