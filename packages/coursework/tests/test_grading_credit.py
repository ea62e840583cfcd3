"""What part of an answer earns what: by marks of its entries and a rule that a teacher changes without a run."""

import pytest

from coursework.check.data import as_data, calls_as_data
from coursework.check.question import ALL_OR_NOTHING, Credit
from coursework.check.session import assignment_files, assignment_module, parameters_of
from coursework.grading.compare import judge
from coursework.grading.credit import describe_parts, marks, points_of, rules, share

M = [["a+b*cos(q)", "b*cos(q)"], ["b*cos(q)", "b"]]


def text(*entries, shape=None):
    return {"shape": list(shape or (len(entries),)), "text": list(entries)}


@pytest.mark.parametrize(
    ("reference", "answer", "expected"),
    [
        (text("a*q", "b*sin(q)"), text("a*q", "b*cos(q)"), "1-"),  # one of two functions
        (text("a*q", "b*sin(q)"), text("q*a", "-b*sin(q)"), "1s"),  # a sign
        (text("a*q", "b*sin(q)"), text("a*q/2", "b*sin(q)"), "f1"),
        (text("a*q", "b*sin(q)"), text("57.29577951308232*a*q", "b*sin(q)"), "f1"),  # degrees
        (text("a*q", "b*sin(q)"), text("3*a*q", "b*sin(q)"), "-1"),  # 3 is no factor that one forgets
        (text("a*q", "0"), text("a*q", "b"), "1x"),
        (text("a*q", "0", "0"), text("0", "0", "0"), None),  # zeros alone are no part
        (text("a*q", "b*sin(q)"), text("b", "c"), None),
        (text("a*q", "b*sin(q)"), text("a*q"), None),
        (text("a*q"), text("-a*q"), "s"),
        (as_data([100.25, 200.5, 0.0]), as_data([100.25, -200.5, 0.0]), "1s0"),
        (as_data(0.35), as_data(0.35e-3), "f"),
        (as_data([3, 1, 2]), as_data([3, -1, 4]), "1--"),  # whole numbers are counted: nobody forgets their sign
        (as_data({"x": [1.5], "y": 2.5}), as_data({"x": [1.5], "y": 3}), "1-"),
        (as_data(0.35), {"unreadable": "a plot"}, None),
        (as_data(0.35), {"error": "NameError"}, None),
    ],
)
def test_each_entry_of_an_answer_has_a_mark(reference, answer, expected):
    """Right, right but for its sign or a known factor, wrong; where zero is right, whether it is."""
    found = marks(reference, answer, 1e-6, "seed")
    assert (found and found["marks"]) == expected


def test_an_entry_of_a_function_is_right_where_it_is_so_in_each_call():
    """And right but for a factor where it is the same one in each."""
    inputs = [(0.3,), (0.7,), (1.1,)]
    reference = calls_as_data(lambda q: [q + 0.5, 2.5 * q, q**2 + 0.1], inputs)
    answer = calls_as_data(lambda q: [q + 0.5, -2.5 * q, 0.19 if q == 0.3 else 9.0], inputs)
    assert marks(reference, answer, 1e-5, "seed")["marks"] == "1s-"
    assert marks(reference, calls_as_data(lambda q: 1 / 0, inputs), 1e-5, "seed") is None


@pytest.mark.parametrize(
    ("shape", "signs", "credit", "expected"),
    [
        ([2], "1-", Credit(), 0.5), ([2], "1s", Credit(), 0.75), ([2], "1s", Credit(sign=0.0), 0.5), ([2], "sf", Credit(sign=0.2, factor=0.4), 0.3),
        ([2, 2], "11-1", Credit(), 0.75), ([2, 2], "11-1", Credit("rows"), 0.5), ([2, 3], "1011-1", Credit("columns"), 2 / 3), ([2, 2], "1s11", Credit("rows"), 0.75), ([2, 2], "11-1", Credit("whole"), 0.0),
        ([2], "ss", Credit("whole"), 0.5), ([2], "ss", ALL_OR_NOTHING, 0.0), ([3], "100", Credit(), 1.0), ([3], "-00", Credit(), 0.0),
        ([3], "10x", Credit(), 0.0), ([4], "111x", Credit(), 2 / 3), ([2, 2], "1x11", Credit("rows"), 0.5), ([], "s", Credit(), 0.5),
    ],
)  # fmt: skip
def test_a_rule_turns_marks_into_a_share(shape, signs, credit, expected):
    """By entries, by rows or as a whole; zeros earn nothing where they are right, and cost where they are not."""
    assert share({"shape": shape, "marks": signs}, credit) == pytest.approx(expected)


def test_zeros_in_all_entries_earn_nothing():
    """Whatever the reference is, an answer of one number everywhere has no more than the entries that are that number."""
    for signs in ("0-0-", "00x-", "x000"):
        assert share({"shape": [4], "marks": signs}, Credit()) == 0.0


def test_one_wrong_function_of_two_equations_costs_half():
    """Of the pendulum on a cart: 2 of 4 points, not 0; of what is printed in the notebook no part earns anything."""
    questions = assignment_module("lagrange").QUESTIONS
    p = parameters_of("lagrange", "ada")
    right = ["(m1+m2)*qdd1+m2*l*(qdd2*cos(q2)-qd2**2*sin(q2))", "m2*l*(qdd1*cos(q2)+l*qdd2+g*sin(q2))"]
    reference = {"shape": [2], "text": right}
    wrong = {"shape": [2], "text": [right[0].replace("-qd2", "+qd2"), right[1]]}
    verdict = judge(questions["equations"], 4.0, p, reference, wrong).as_dict()
    assert verdict["points"] == 0.0 and points_of(verdict, questions["equations"].earns(Credit())) == 2.0
    assert describe_parts(verdict) == "Of 2 parts 1 right."
    assert points_of(verdict, ALL_OR_NOTHING) == 0.0
    assert judge(questions["equations"], 4.0, p, reference, reference).as_dict() == {
        "points": 4.0,
        "most": 4.0,
        "sentences": [],
        "found": [],
        "score": None,
    }


def test_nothing_that_is_printed_earns_a_part():
    """Of questions that print a program, a derivation or a run, of designs, and of those that say so."""
    for name in assignment_files("questions"):
        for question, spec in assignment_module(name).QUESTIONS.items():
            if spec.printed or spec.lines or spec.prediction or spec.judged != "reference" or "misprint" in spec.title:
                assert spec.earns(Credit()) == ALL_OR_NOTHING, (name, question)


def test_a_teacher_sets_it_for_one_question_or_for_all(tmp_path):
    """The table of one question goes before its record, the record before the table for all; what is unknown is refused."""
    file = tmp_path / "course.toml"
    assert rules(tmp_path, "two-link")["mass-matrix"] == Credit() and rules(tmp_path, "two-link")["gravity"] == Credit(
        sign=0.0
    )
    file.write_text(
        '[partial]\nby = "rows"\nsign = 0.25\n[partial.two-link]\ngravity = { sign = 1 }\nfind-the-error = { by = "entries", factor = 0.1 }\n',
        encoding="utf-8",
    )
    found = rules(tmp_path, "two-link")
    assert found["mass-matrix"] == Credit("rows", 0.25) and found["gravity"] == Credit(sign=1)
    assert found["find-the-error"] == Credit("entries", 0.0, 0.1)
    for wrong, words in (
        ('[partial]\nby = "halves"', "must have by = 'entries' or 'rows' or 'columns' or 'whole'"), ("[partial]\nsign = 2", "sign = 2"),
        ("[partial]\nsings = 1", "sings"), ("[partial.two-link]\nnothing = {}", "must name questions of two-link"),
        ("[partial.two-link]\ngravity = 1", "must be a table"), ("partial = 1", "must be a table"),
        ("[partial.two-lnk]\ngravity = { sign = 1 }", r"tables of assignments \(bodies, .*two-link.*got two-lnk$"), ("[partial]\nby = { a = 1 }", "got by$"),
        ("[parts]\nx = 1", "may hold zone, site, partial, late, got parts"),
    ):  # fmt: skip
        file.write_text(wrong, encoding="utf-8")
        with pytest.raises(ValueError, match=words):
            rules(tmp_path, "two-link")
