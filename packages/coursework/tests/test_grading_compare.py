"""A grade is made of laws and a solution: who decides where they say different things, each margin at its edge."""

import inspect

import pytest

from coursework.check.agreement import agree, random_points
from coursework.check.diagnosis import Diagnosis, Kind
from coursework.check.parameters import Parameters
from coursework.check.question import Question, diagnose
from coursework.grading.compare import Verdict, judge

INSIDE, OUTSIDE = 0.997, 1.003  # of a margin
HOLDS, FAILS = (lambda p, at, value: None), (lambda p, at, value: "No.")
CHOSEN = 1e-4


def question(*laws, **more):
    """A question for one number, judged by these laws."""
    return Question("", laws=laws, tolerance=CHOSEN, **more)


def number(x):
    """DATA of a number."""
    return {"shape": [], "numbers": [x]}


@pytest.mark.parametrize("way", [1, -1])
def test_a_right_number_is_never_refused(way):
    """Within the tolerance of the solution it earns its points whatever the laws say; outside, the laws' sentence costs them."""
    for law in (HOLDS, FAILS):
        inside = judge(question(law), 4.0, Parameters(), number(5.0), number(5.0 * (1 + way * INSIDE * CHOSEN)))
        assert inside == Verdict(4.0, 4.0)
    outside = judge(question(FAILS), 4.0, Parameters(), number(5.0), number(5.0 * (1 + way * OUTSIDE * CHOSEN)))
    assert (outside.points, outside.most, outside.sentences[0]) == (0.0, 4.0, "No.")


@pytest.mark.parametrize("way", [1, -1])
def test_what_the_laws_accept_is_the_grade_near_the_solution_alone(way):
    """Within a hundred tolerances; farther off a person decides."""
    near = judge(question(HOLDS), 4.0, Parameters(), number(5.0), number(5.0 * (1 + way * INSIDE * 100 * CHOSEN)))
    assert near == Verdict(4.0, 4.0)
    far = judge(question(HOLDS), 4.0, Parameters(), number(5.0), number(5.0 * (1 + way * OUTSIDE * 100 * CHOSEN)))
    words = "A person looks at this answer: the checks hold, and it differs from the solution."
    assert far == Verdict(None, 4.0, (Diagnosis(Kind.PERSON, words),))
    listed = lambda *x: {"shape": [2], "numbers": list(x)}
    far = judge(question(HOLDS, shape=(2,)), 4.0, Parameters(), listed(1.0, 2.0), listed(1.0, 7.0))
    assert far.points is None and far.sentences[0].endswith("it differs from the solution at entry (2).")


@pytest.mark.parametrize("way", [1, -1])
def test_a_function_has_a_margin_of_ten_tolerances(way):
    """It is called at other states than in the notebook; a number is not."""
    inputs = [(1.0,), (2.0,)]
    called = lambda change: {"calls": [number(5.0), number(5.0 * (1 + way * change * CHOSEN))]}
    spec = question(FAILS, inputs=lambda p, draw: inputs, arguments="x")
    assert judge(spec, 4.0, Parameters(), called(0), called(10 * INSIDE), inputs) == Verdict(4.0, 4.0)
    assert judge(spec, 4.0, Parameters(), called(0), called(10 * OUTSIDE), inputs).points == 0.0
    assert judge(question(FAILS), 4.0, Parameters(), number(5.0), number(5.0 * (1 + 2 * way * CHOSEN))).points == 0.0
    accepted = judge(
        question(HOLDS, inputs=lambda p, draw: inputs, arguments="x"), 4.0, Parameters(), called(0), called(50), inputs
    )
    assert accepted.points is None and "it differs from the solution at call 2" in accepted.sentences[0]


def test_what_is_no_answer_and_what_cannot_be_read():
    """None earns nothing; what no machine reads goes to a person, never silently to nothing."""
    assert judge(question(HOLDS), 4.0, Parameters(), number(5.0), None) == Verdict(
        0.0, 4.0, (Diagnosis(Kind.MISSING, "There is no answer."),)
    )
    for answer in ({}, [], "5", 5):
        verdict = judge(question(HOLDS), 4.0, Parameters(), number(5.0), answer)
        words = "The answer cannot be read by machine; a person looks at it."
        assert verdict == Verdict(None, 4.0, (Diagnosis(Kind.PERSON, words),))
    for law in (HOLDS, FAILS):
        verdict = judge(question(law), 4.0, Parameters(), number(5.0), {"unreadable": "complex"})
        assert verdict == Verdict(None, 4.0, (Diagnosis(Kind.PERSON, "A person looks at this answer: it is complex."),))


def test_formulas_that_obey_the_laws_and_differ_go_to_a_person():
    """There is no being near; those that break them earn nothing, those that agree all."""
    formula = lambda text: {"shape": [], "text": [text]}
    for law, points in ((HOLDS, None), (FAILS, 0.0)):
        spec = question(law, names="m q")
        assert judge(spec, 4.0, Parameters(), formula("m*q"), formula("m*q*1.000001")).points == points
        assert judge(spec, 4.0, Parameters(), formula("m*q"), formula("q*m")) == Verdict(4.0, 4.0)


def test_a_design_is_judged_by_its_laws_alone():
    """Whatever obeys them is right, and has its score; what cannot be read goes to a person, but not a function that was called."""
    design = lambda law, **more: question(law, judged="laws", **more)
    assert judge(design(HOLDS), 4.0, Parameters(), number(5.0), number(99.0)) == Verdict(4.0, 4.0)
    wrong = judge(design(FAILS), 4.0, Parameters(), number(5.0), number(5.0))
    assert (wrong.points, wrong.sentences[0], wrong.score) == (0.0, "No.", None)
    unread = judge(design(HOLDS), 4.0, Parameters(), number(5.0), {"shape": [], "text": ["§"]})
    assert (unread.points, unread.most) == (None, 4.0) and unread.sentences[0].startswith("The answer cannot be read: ")
    inputs = [(1.0,), (2.0,)]
    scoring = design(HOLDS, inputs=lambda p, draw: inputs, score=("N m", lambda p, at, value: at[0] * value))
    right = judge(scoring, 4.0, Parameters(), None, {"calls": [number(3.0), number(2.0)]}, inputs)
    assert right == Verdict(4.0, 4.0, (Diagnosis(Kind.SCORE, "Your score: 4 N m; less is better."),), 4.0)
    for calls, points in (
        ([{"shape": [2], "numbers": [1.0]}] * 2, 0.0),
        ([{"shape": [], "text": ["§"]}] * 2, 0.0),
        ([number(3.0)], 0.0),
        (7, None),
    ):
        assert judge(scoring, 4.0, Parameters(), None, {"calls": calls}, inputs).points == points
    broken = judge(design(FAILS, score=("N m", lambda p, at, value: value)), 4.0, Parameters(), None, number(3.0))
    assert (broken.points, broken.score) == (0.0, None)
    assert judge(design(HOLDS), 4.0, Parameters(), number(5.0), {"calls": [{"shape": "x"}]}).points is None


def test_a_verdict_is_not_changed():
    """Once it is made."""
    with pytest.raises(AttributeError):
        Verdict(0.0, 4.0).points = 4.0


def test_the_points_of_formulas_are_those_of_the_seed():
    """Of the grade's seed in laws and solution alike; where none is given, of those that everybody knows."""
    seen = []
    law = lambda p, at, value: seen.append(at["q"])
    reference = {"shape": [], "text": ["q"]}
    for seed in (7, "secret"):
        known = [z.real for z in random_points(["q"], seed)["q"]]
        fitted = "q+" + "*".join(f"(q-({x!r}))" for x in known)
        seen.clear()
        assert (
            judge(
                question(law, names="q"), 4.0, Parameters(), reference, {"shape": [], "text": [fitted]}, None, seed
            ).points
            == 4.0
        )
        assert set(seen) <= set(known) and seen
    names = (judge, diagnose, agree, random_points)
    assert {inspect.signature(function).parameters["seed"].default for function in names} == {7}


def test_what_quotes_a_student_is_short_and_moves_no_cursor():
    """At most six hundred characters of a sentence; each sign that is none of a text is a space; the rest stands."""
    quoted = "a\x1b[2J\r\n\tb\x00\x7f\x85\u2028\u00a0cäß°"
    found = (Diagnosis(Kind.STOPPED, quoted), Diagnosis(Kind.LAW, "w" * 601), Diagnosis(Kind.LAW, "v" * 600))
    written = Verdict(None, 2.0, found).as_dict()
    short = ["a [2J   b     cäß°", "w" * 600, "v" * 600]
    assert [one.pop("text") for one in written["found"]] == short
    assert [(one["kind"], one["quotes_student"]) for one in written.pop("found")] == [("stopped", True), *[("law", False)] * 2]  # fmt: skip
    assert written == {"points": None, "most": 2.0, "score": None, "sentences": short}
