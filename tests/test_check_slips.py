"""Mistakes that nobody typed in: a wrong answer is made, and what the checks say of it is true, and tells nothing else."""

import copy
import functools
import random

import numpy as np
import pytest
from test_check_truths import NUMBERS

from coursework.check import slips
from coursework.check.data import as_data, calls_as_data
from coursework.check.question import Parameters, diagnose
from coursework.check.session import assignment_module, parameters_of

FORMULAS = [  # assignment, question, wrong answer, what is said of it
    ("lagrange", "kinetic-energy", "m2*qd1**2/2 + m1*((qd1 + l*qd2*cos(q2))**2 + (l*qd2*sin(q2))**2)/2", "with m1 and m2 exchanged"),
    ("lagrange", "kinetic-energy", "m1*qd1**2/2 + m2*((qd1 + l*qd2*cos(q1))**2 + (l*qd2*sin(q2))**2)/2", "one q1 should be something else"),
    ("lagrange", "potential-energy", "-m2*l*cos(q2)", "without the factor g"),
    ("lagrange", "potential-energy", "-(m1+m2)*g*l*cos(q2)", "m1 + m2 in place of m2"),
    ("lagrange", "conserved", "m1*qd1", "without m2"),
    ("lagrange", "conserved", "(m1+m2)*qd1 - m2*l*qd2*cos(q2)", "with the opposite sign of qd2 or l"),
    ("rp", "gravity", ["(m1*lc1+m2*q2)*g*cos(q1)", "-m2*g*sin(q1)"], "Entry (2) has the opposite sign"),
    ("rp", "coriolis-matrix", [["m2*q2*qd2", "-m2*q2*qd1"], ["m2*q2*qd1", "0"]], "It is transposed"),
    ("rp", "mass-matrix", [["I1+I2+m1*lc1**2+m2*q2**2", "m2*q2"], ["m2*q2", "m2"]], "right where q2 or m2 is zero"),
    ("two-link", "gravity", ["(m1*lc1+m2*l1)*g*cos(q1)", "m2*lc2*g*cos(q1+q2)"], "Each entry lacks those after it"),
    ("two-link", "velocity-terms", ["-m2*l1*lc2*cos(q2)*(2*qd1*qd2+qd2**2)", "m2*l1*lc2*cos(q2)*qd1**2"], "q2 off by a quarter of a turn"),
    ("two-link", "velocity-terms", ["-m2*l1*lc2*sin(q2)*(2*qd1*qd2+qd2**2)", "0"], "right where qd1 is zero"),
    ("two-link", "find-the-error", "l1**2*qd1**2+lc2**2*(qd1+qd2)**2+l1*lc2*qd1*(qd1+qd2)*cos(q2)", "a factor 2 is missing at a term"),
    ("two-link", "mass-matrix", [["I1+I2+m1*l1**2+m2*(l1**2+lc2**2+2*l1*lc2*cos(q2))", "I2+m2*(lc2**2+l1*lc2*cos(q2))"], ["I2+m2*(lc2**2+l1*lc2*cos(q2))", "I2+m2*lc2**2"]], "with l1 in place of lc1"),
]  # fmt: skip


@pytest.mark.parametrize(("assignment", "question", "wrong", "words"), FORMULAS)
def test_a_slip_in_a_formula_has_its_words(assignment, question, wrong, words):
    """Where no mistake of the question fits, one that is generated does."""
    p, spec = parameters_of(assignment, "ada"), assignment_module(assignment).QUESTIONS[question]
    found = diagnose(spec, p, as_data(wrong))
    assert words in found[1], found


def changed(p, name, k, factor):
    """The numbers of a student, entry k of one of them times a factor."""
    value = getattr(p, name)
    other = tuple(factor * one if i == k else one for i, one in enumerate(value)) if k is not None else factor * value
    return Parameters(**{key: one for key, one in vars(p).items() if key[0] != "_"} | {name: other})


SLIPPED = [  # a number of the student's that a wrong answer has another factor at
    ("two-link", "holding-torque", "coms", 1),
    ("lagrange", "frequency", "cart", None),
    ("joints", "gear", "motor", None),
    ("joints", "table", "masses", 0),
    ("space", "first-reading", "rod", 0),
    ("hands", "blow", "inertias", 1),
]


@pytest.mark.parametrize(("assignment", "question", "name", "k"), SLIPPED)
def test_a_slip_in_a_number_names_the_place(assignment, question, name, k):
    """The right answer to the numbers of another is made by formulas of these tests, apart from the laws."""
    spec, p = assignment_module(assignment).QUESTIONS[question], parameters_of(assignment, "bob")
    right, label = NUMBERS[assignment, question], f"p.{name}" + ("" if k is None else f"[{k}]")
    for factor in (2.0, 0.5):
        wrong = right(changed(p, name, k, factor))
        found = " ".join(diagnose(spec, p, as_data(wrong)))
        twice, half = ("as large" in found and word in found for word in ("twice", "half"))
        assert label in found or twice or half, found
        assert not (twice or half) or abs(wrong / right(p) - (2.0 if twice else 0.5)) < 1e-9


def torque(p, centrifugal=-1.0, second=np.sin, coriolis=2.0):
    """The program of the assignment "rp", with factors that may be wrong."""

    def of(q, qd, qdd):
        (m, n), (i, j) = p.masses, p.inertias
        turn = (i + j + m * p.com**2 + n * q[1] ** 2) * qdd[0] + coriolis * n * q[1] * qd[0] * qd[1]
        slide = n * qdd[1] + centrifugal * n * q[1] * qd[0] ** 2
        return np.array([turn + (m * p.com + n * q[1]) * 9.81 * np.cos(q[0]), slide + n * 9.81 * second(q[0])])

    return of


@pytest.mark.parametrize(
    ("slip", "words"),
    [
        ({"centrifugal": 1.0}, "It is right where qd[0] is zero"),
        ({"coriolis": 0.0}, "It is what comes out without qd[1]"),
        ({"coriolis": 3.0}, "It is right where qd[0] or qd[1] is zero, as far as it was tried"),
        ({"coriolis": 1.0}, "a factor 2 or 1/2 too many or too few at qd[1]"),
        ({"second": np.cos}, "It is wrong already where qd and qdd are zero"),
    ],
)
def test_a_slip_in_a_program_is_found_where_it_acts(slip, words):
    """States in which some of the arguments are zero tell the terms apart."""
    p, spec = parameters_of("rp", "ada"), assignment_module("rp").QUESTIONS["inverse-dynamics"]
    inputs = spec.states(p, "states of the tests")
    assert diagnose(spec, p, calls_as_data(torque(p), inputs), inputs) == []
    found = diagnose(spec, p, calls_as_data(torque(p, **slip), inputs), inputs)
    assert words in found[1], found


@functools.cache
def said_of_nonsense():
    """What is said of numbers that nobody comes to by a slip."""
    draw, said = random.Random(5), []
    for (assignment, question), right in NUMBERS.items():
        spec, p = assignment_module(assignment).QUESTIONS[question], parameters_of(assignment, "ada")
        for _ in range(6):
            wrong = copy.deepcopy(right(p)) * draw.uniform(0.3, 3.0)
            said += [slips.told(spec, p, [((), wrong if np.ndim(wrong) == 0 else wrong.tolist())])]
    return said


def test_nonsense_is_seldom_told_a_slip():
    """A number comes near the right one of other numbers by chance, but not often: what is allowed is no window for it."""
    said = said_of_nonsense()
    assert len(said) > 100
    assert sum(one is not None for one in said) <= 0.03 * len(said), said
