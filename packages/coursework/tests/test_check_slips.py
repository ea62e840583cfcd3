"""Mistakes that nobody typed in: a wrong answer is made, and what the checks say of it is true, and tells nothing else."""

import copy
import dataclasses
import functools
import random
import re

import numpy as np
import pytest
from test_check_truths import NUMBERS

from coursework.check import argument_slips, laws, slips
from coursework.check.data import as_data, calls_as_data
from coursework.check.parameters import Draw, Parameters
from coursework.check.question import Question, diagnose
from coursework.check.session import assignment_module, parameters_of

FORMULAS = [  # assignment, question, wrong answer, what is said of it
    ("lagrange", "kinetic-energy", "m2*qd1**2/2 + m1*((qd1 + l*qd2*cos(q2))**2 + (l*qd2*sin(q2))**2)/2", "with m1 and m2 exchanged"),
    ("lagrange", "kinetic-energy", "m1*qd1**2/2 + m2*((qd1 + l*qd2*cos(q1))**2 + (l*qd2*sin(q2))**2)/2", "one q1 should be something else"),
    ("lagrange", "potential-energy", "-m2*l*cos(q2)", "without the factor g"),
    ("lagrange", "potential-energy", "-(m1+m2)*g*l*cos(q2)", "m1 + m2 in place of m2"),
    ("lagrange", "conserved", "m1*qd1", "without m2"),
    ("two-link", "gravity", ["(m1*lc1+m2*l1)*9.81*cos(q1)+m2*lc2*9.81*cos(q1+q2)", "m2*lc2*9.81*cos(q1+q2)"], "the number 9.81 in place of the symbol g"),
    ("lagrange", "conserved", "(m1+m2)*qd1 - m2*l*qd2*cos(q2)", "with the opposite sign of qd2 or l"),
    ("two-link", "gravity", ["(m1*lc1+m2*l1)*g*cos(q1)+m2*lc2*g*cos(q1+q2)", "-m2*lc2*g*cos(q1+q2)"], "Entry (2) has the opposite sign"),
    ("rp", "coriolis-matrix", [["m2*q2*qd2", "-m2*q2*qd1"], ["m2*q2*qd1", "0"]], "It is transposed"),
    ("rp", "mass-matrix", [["I1+I2+m1*lc1**2+m2*q2**2", "m2*q2"], ["m2*q2", "m2"]], "entry (1, 2) and entry (2, 1) is wrong, the rest is right: a term with m2 is too many"),
    ("two-link", "gravity", ["(m1*lc1+m2*l1)*g*cos(q1)", "m2*lc2*g*cos(q1+q2)"], "Each entry would be right with those after it added"),
    ("two-link", "velocity-terms", ["-m2*l1*lc2*cos(q2)*(2*qd1*qd2+qd2**2)", "m2*l1*lc2*cos(q2)*qd1**2"], "q2 off by a quarter of a turn"),
    ("two-link", "velocity-terms", ["-m2*l1*lc2*sin(q2)*(2*qd1*qd2+qd2**2)", "0"], "right where qd1 is zero"),
    ("two-link", "mass-matrix", [["I1+I2+m1*lc1**2+m2*(l1**2+lc2**2+2*l1*lc2*cos(q2))", "m2*(lc2**2+l1*lc2*cos(q2))"], ["m2*(lc2**2+l1*lc2*cos(q2))", "I2+m2*lc2**2"]], "One part of entry (1, 2) and entry (2, 1) is wrong, the rest is right: something is missing in a sum"),
    ("lagrange", "equations", ["(m1+m2)*qdd1+m2*l*qdd2-m2*l*qd2**2*sin(q2)", "m2*l*cos(q2)*qdd1+m2*l**2*qdd2+m2*g*l*sin(q2)"], "a cosine is missing at a term"),
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
        part = "counts twice" if factor == 2.0 else "counts half"  # of what a law adds up
        assert label in found or twice or half or part in found, found
        assert not (twice or half) or abs(wrong / right(p) - (2.0 if twice else 0.5)) < 1e-9


def torque(p, centrifugal=-1.0, second=np.sin, coriolis=2.0, g=9.81):
    """The program of the assignment "rp", with factors that may be wrong."""

    def of(q, qd, qdd):
        (m, n), (i, j) = p.masses, p.inertias
        turn = (i + j + m * p.com**2 + n * q[1] ** 2) * qdd[0] + coriolis * n * q[1] * qd[0] * qd[1]
        slide = n * qdd[1] + centrifugal * n * q[1] * qd[0] ** 2
        return np.array([turn + (m * p.com + n * q[1]) * g * np.cos(q[0]), slide + n * g * second(q[0])])

    return of


@pytest.mark.parametrize(
    ("slip", "words"),
    [
        (
            {"centrifugal": 1.0},
            "It is right but for what goes with qd[0], as far as it was tried: entry (2) has the opposite sign",
        ),
        ({"coriolis": 0.0}, "It is what comes out without qd[1]"),
        ({"coriolis": 3.0}, "It is right where qd[0] or qd[1] is zero, as far as it was tried"),
        ({"coriolis": 1.0}, "a factor 2 or 1/2, or a root of it, too many or too few at qd[1]"),
        ({"g": 10.0}, "It is wrong already where qd and qdd are zero. There: it is that of g = 10"),
        ({"second": np.cos}, "It is wrong already where qd and qdd are zero"),
    ],
)
def test_a_slip_in_a_program_is_found_where_it_acts(slip, words):
    """States in which some of the arguments are zero tell the terms apart."""
    p, spec = parameters_of("rp", "ada"), assignment_module("rp").QUESTIONS["inverse-dynamics"]
    spec = dataclasses.replace(spec, mistakes={})  # of which one fits most of these
    inputs = spec.states(p, "states of the tests")
    assert diagnose(spec, p, calls_as_data(torque(p), inputs), inputs) == []
    found = diagnose(spec, p, calls_as_data(torque(p, **slip), inputs), inputs)
    assert words in found[1], found


def test_a_term_with_two_rates_that_is_not_there_is_told():
    """From states in which one of the two is zero; what stands there instead goes with other arguments."""
    p, spec = parameters_of("rp", "ada"), assignment_module("rp").QUESTIONS["inverse-dynamics"]
    inputs, without = spec.states(p, "states of the tests"), torque(p, coriolis=0.0)
    calls = calls_as_data(lambda q, qd, qdd: without(q, qd, qdd) + [qdd[0] * qd[1], 0.0], inputs)
    assert "Nothing in it goes with both qd[0] and qd[1]: a term is missing." in diagnose(spec, p, calls, inputs)


@functools.cache
def said_of_nonsense():
    """What is said of numbers that nobody comes to by a slip."""
    draw, said = random.Random(5), []
    for (assignment, question), right in NUMBERS.items():
        spec, p = assignment_module(assignment).QUESTIONS[question], parameters_of(assignment, "ada")
        for _ in range(6):
            wrong = copy.deepcopy(right(p)) * draw.uniform(0.3, 3.0)
            said += [slips.find_mistake(spec, p, [((), wrong if np.ndim(wrong) == 0 else wrong.tolist())])]
    return said


def test_nonsense_is_seldom_told_a_slip():
    """A number comes near the right one of other numbers by chance, but not often: what is allowed is no window for it."""
    said = said_of_nonsense()
    assert len(said) > 100
    assert sum(one is not None for one in said) <= 0.03 * len(said), said


def said(assignment, question, wrong, student="ada"):
    """What is said of a wrong answer, in one line; a function is called where the question calls it."""
    spec, p = assignment_module(assignment).QUESTIONS[question], parameters_of(assignment, student)
    inputs = spec.states(p, "states of the tests")
    return " ".join(diagnose(spec, p, as_data(wrong) if inputs is None else calls_as_data(wrong, inputs), inputs))


def law_of(right, **more):
    """A law that a number, or numbers, should be these."""
    return lambda p, at, value: laws.differs("Another one is right.", at, value, right, **more)


def test_mistakes_that_give_the_same_are_all_said_or_none():
    """One of them alone would be false of who made the other; of four a student learns nothing."""
    other = {f"slip {k}": (lambda p: 3.0) if k < 2 else (lambda p: 4.0) for k in range(6)}
    spec = Question("", laws=(law_of(1.7),), mistakes=other)
    first = diagnose(spec, Parameters(), as_data(3.0))[0]
    assert first == "This looks like a typical mistake: slip 0, or like this one: slip 1."
    assert "slip" not in " ".join(diagnose(spec, Parameters(), as_data(4.0)))
    both = law_of(1.7, wrong={"One.": 3.0, "Two.": 3.0, "Three.": 5.0})
    assert both(None, (), 3.0) == "Another one is right. One. Or: Two."


def test_a_small_number_that_is_wrong_is_not_close():
    """Each number is near its own right one, or rounded to the digits that it has; a function's are near or rounded."""
    assert "g = 10 gives it" in law_of(2.0, power_of_g=0.5)(None, (), 2.0 * (10 / 9.81) ** 0.5)
    law = law_of([10.0, 0.0543])
    assert "It is close" in law(None, (), [10.003, 0.0544])
    assert "It is close" in law(None, (), [10.0, 0.05])
    assert "It is close" not in law(None, (), [10.0, 0.1234567])
    assert "It is close" not in law(None, (), [10.0, 0.0])
    assert "It is close" in law(None, (0.3,), [10.0, 0.054])
    assert "It is close" not in law(None, (0.3,), [10.003, 0.05431])


def test_what_a_law_cannot_compute_with_is_no_slip():
    """The inverse of an argument that is zero has no value, and a law may say nothing of it."""
    found = lambda p, at, value: None if not abs(value - at[0] * (1 + 0 * at[1])).max() > 1e-6 else "It is no product."
    spec = Question("", inputs=lambda p, draw: [(np.array([1.0, 2.0]), np.zeros(2))], shape=(2,), laws=(found,), arguments="a b")  # fmt: skip
    inputs = spec.states(None, "")
    assert "power of b" not in " ".join(
        diagnose(spec, Parameters(), calls_as_data(lambda a, b: a**2 + 0.3, inputs), inputs)
    )


def slopes(rates, x, dt, last=1.0):
    k = [rates(x)]
    for share in (0.5, 0.5, last):
        k.append(rates(x + share * dt * k[-1]))
    return np.array(k)


CALLED = [  # assignment, question, wrong function, what is said, and what is not
    ("simulation", "rk4-step", lambda rates, x, dt: x + np.array([1, 2, 2, 1]) @ slopes(rates, x, dt) / 6, "What it adds to x lacks a factor dt", "close"),
    ("simulation", "rk4-step", lambda rates, x, dt: x + dt * np.array([1, 3, 3, 1]) @ slopes(rates, x, dt) / 8, "weights of another rule", "close"),
    ("simulation", "rk4-step", lambda rates, x, dt: x + dt * np.array([2, 1, 1, 2]) @ slopes(rates, x, dt) / 6, "ends count twice", "close"),
    ("n-link", "mass-matrix", lambda l, m, q: np.array([[l[z] * l[k] * sum(m[max(z, k) + 1 :]) * np.cos(q[z] - q[k]) for k in range(len(q))] for z in range(len(q))]), "begins too late", "sine for cosine"),
    ("n-link", "mass-matrix", lambda l, m, q: np.array([[l[z] * l[k] * sum(m[max(z, k) :]) * np.cos(q[z] - q[k]) / (1 + (z != k)) for k in range(len(q))] for z in range(len(q))]), "what goes with masses[1], as far as it was tried: what stands off the diagonal is half as large", "sine"),
    ("n-link", "joint-torques", lambda u: u, "Each entry would be right with those after it added", "differences"),
    ("ilqr", "gain", lambda A, B, Q, R, V: np.linalg.solve(R, B.T @ V @ A), "more than R", "close"),
    ("ilqr", "riccati", lambda A, B, Q, R, V: Q + (A - B @ np.linalg.solve(R + B.T @ V @ B, B.T @ V @ A)).T @ V @ (A - B @ np.linalg.solve(R + B.T @ V @ B, B.T @ V @ A)), "the input costs, too", "close"),
]  # fmt: skip


@pytest.mark.parametrize(("assignment", "question", "wrong", "words", "never"), CALLED)
def test_a_slip_in_a_function_has_its_words(assignment, question, wrong, words, never):
    """And nothing that is false is said beside them."""
    found = said(assignment, question, wrong)
    assert words in found, found
    assert never not in found, found


def test_a_number_is_told_what_it_is_and_nothing_else():
    """An angle in degrees is not told to be the longer way; a cart whose inputs act too late is told so."""
    p = parameters_of("bodies", "ada")
    degrees = np.degrees(NUMBERS["bodies", "one-turn"](p))
    assert "other way around" not in said("bodies", "one-turn", degrees)
    assert "degrees" in said("bodies", "one-turn", degrees)
    assert "other way around" in said("bodies", "one-turn", 2 * np.pi - np.radians(degrees))
    p = parameters_of("ilqr", "ada")
    S = np.array([(p.dt**2 * (p.steps - 1 - k), p.dt) for k in range(p.steps - 1)]).T
    late = np.linalg.solve(p.weight * S.T @ S + p.effort * np.eye(p.steps - 1), p.weight * S.T @ [p.goal, 0.0])
    assert "a step later" in said("ilqr", "best-inputs", late)
    p = parameters_of("unknown", "ada")
    third = (12 * 2 * np.pi / 2**p.bits / p.swing / (2 * np.pi * p.frequency) ** 3) ** 0.25
    assert "not the third" in said("unknown", "spacing", third)


def test_a_number_near_one_is_no_power_of_another():
    """Its square and its root are within what rounding allows."""
    spec = Question("", tolerance=1e-3, laws=(law_of(1.02188, tolerance=1e-3),))
    assert not re.search("square|root|inverse", " ".join(diagnose(spec, Parameters(), as_data(1.04585))))


def test_what_adds_nothing_is_not_told_to_lack_a_factor():
    """At rest a step adds nothing to the angle, whatever factor is forgotten at the rate."""
    p = parameters_of("simulation", "ada")
    forgets = lambda q, qd, tau, dt: [q + qd * dt, qd + (tau / p.mass / p.length - 9.81 * np.cos(q)) / p.length]
    found = said("simulation", "euler-step", forgets)
    assert "lacks a factor dt" in found
    assert "q and qd" not in found


def test_no_student_draws_a_one():
    """Who forgets a factor of 1, or its power, would not be told."""
    assert {Draw(f"{k}").rounded(0.98, 1.02) for k in range(60)} == {0.98, 0.99, 1.01, 1.02}


@pytest.mark.parametrize(("size", "missing"), [(1e-3, True), (10.0, False)])
def test_what_adds_rounding_alone_adds_nothing(size, missing, monkeypatch):
    """Beside entries of 1e9 a thousandth is below the ninth digit, whatever the other entries are; 10 are not."""
    parts = {"q1": [((1.0,), np.array([1e9, 0.0]), np.array([size, 0.0]))]}
    monkeypatch.setattr(argument_slips, "_parts", lambda question, p, samples: parts)
    monkeypatch.setattr(argument_slips, "_changes_of_part", lambda part: ())
    said = argument_slips.wrong_with_argument(None, None, [])
    assert (said == "Nothing in it goes with q1: a term is missing.") == missing


def test_what_comes_out_by_chance_is_not_told():
    """A rounded sum, a root that a search did not find, and a term that is too many are no lost factors and no lost terms."""
    counts = parameters_of("n-link", "ada")
    found = said("n-link", "find-the-error", round(sum(counts.bodies[max(counts.entry) - 1 :])))
    assert "rounded" in found and "as if it was 1" not in found, found
    assert "p.less" not in said("joints", "fade", 1 / parameters_of("joints", "ada").seconds)
    k = "m2*l1*lc2*sin(q2)"
    found = said("two-link", "velocity-terms", [f"-{k}*(2*qd1*qd2+qd2**2+qd1**2)", f"{k}*qd1**2"])
    assert "lacks" not in found and "subtracted" in found, found


def test_no_sentence_says_what_is_so_for_others_alone():
    """An angle in rad is not said to be in degrees, a list that was not printed not to be, a coarse law not to fit a quarter."""
    p = parameters_of("rp", "ada")
    found = said("rp", "floating-slider", np.sqrt(9.81 * abs(np.sin(np.degrees(p.angle))) / p.reach))
    assert "it is in degrees" not in found, found
    p = parameters_of("hands", "ada")
    a = p.masses[0] * p.coms[0] + p.masses[1] * p.lengths[0]
    lean = np.arccos(p.masses[1] * p.coms[1] / a)
    assert "quarter" not in said("hands", "shoulder-at-rest", [lean, -lean])
    for listing in assignment_module("space", "given").PRINTED:
        assert "as printed" not in said("space", "velocity-terms", list(listing))


def test_a_number_that_is_near_that_of_a_mistake_is_not_named_for_it():
    """Within the tolerance of a right answer many numbers meet; one that is given in full is that of a mistake or is not."""
    spec, p = assignment_module("space").QUESTIONS["floating-turn"], parameters_of("space", "ada")
    wrong = next(mistake(p) for words, mistake in spec.mistakes.items() if "below the line" in words)
    assert "below the line" in said("space", "floating-turn", wrong)
    assert "below the line" not in said("space", "floating-turn", wrong * (1 + 0.6 * spec.tolerance))
    assert "below the line" in said("space", "floating-turn", round(wrong, 4))


def test_a_dict_that_a_function_returns_is_searched_for_slips():
    """Moments in another order, a moment of forces left out."""
    p = parameters_of("bodies", "ada")

    def rates(factor, I):
        def skew(a):
            return np.array([(0, -a[2], a[1]), (a[2], 0, -a[0]), (-a[1], a[0], 0)])

        return lambda R, w, n: {"R": R @ skew(w), "w": (factor * R.T @ n - np.cross(w, I * w)) / I}

    moments = np.array(p.moments)
    assert said("bodies", "find-the-error", rates(1.0, moments)) == ""
    assert "without n" in said("bodies", "find-the-error", rates(0.0, moments))
    assert "p.moments[0] and p.moments[2] exchanged" in said("bodies", "find-the-error", rates(1.0, moments[::-1]))


def test_places_for_numbers_of_lines_are_told():
    """Who hands in where each true line stands, or counts from 0, or begins at the end, is told so."""
    p, module = parameters_of("lagrange", "ada"), assignment_module("lagrange")
    true = [k for k, line in enumerate(p.lines, start=1) if module._holds(p, line)]
    left = {p.lines[k - 1].partition("=")[0].strip(): k for k in true}
    order = [left[name] for name in module.USES]
    assert said("lagrange", "order", order) == ""
    assert "Those are places" in said("lagrange", "order", [order.index(k) + 1 for k in true])
    assert "has the number 1" in said("lagrange", "order", [k - 1 for k in order])
    assert "in the other order" in said("lagrange", "order", order[::-1])
