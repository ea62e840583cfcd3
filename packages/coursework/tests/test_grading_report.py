"""The report on a class says which mistakes were made, how often and where, and shows nothing that a student wrote."""

import csv
import json
import re
import tomllib
from collections import defaultdict

import numpy as np
import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")

from grading_kit import ROOT

from coursework.__main__ import main
from coursework.check.data import as_data
from coursework.check.diagnosis import QUOTING, Diagnosis, Kind
from coursework.check.question import Question
from coursework.check.record import Record
from coursework.check.session import MIME, assignment_files, assignment_module, parameters_of
from coursework.grading import board, judge, report
from coursework.grading.compare import Verdict
from coursework.grading.compare import judge as judge_answer
from coursework.grading.course import Course
from coursework.grading.key import Key

LOST = "the mass of link 2 also moves with joint 1: a term with m2 l1^2 is missing"
QUOTE = Diagnosis(
    Kind.STOPPED, "Your function stopped with ValueError: =Eve <script>alert(1)</script> was here", where="(at [1.0])"
)
NUMBER = [*assignment_module("two-link").QUESTIONS["mass-matrix"].mistakes].index(LOST)


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Twelve students: the weaker half loses a term of the mass matrix, the weakest two fail everywhere; the best are late."""
    made = Course(tmp_path / "course", new=True)
    points = {"mass-matrix": 4.0, "gravity": 3.0, "forward-dynamics": 3.0}
    key = Key("two-link", (), points, {"explain": 2.0}, "{}", "seed")
    (made.folder / "keys/two-link.json").write_text(key.to_json(), encoding="utf-8")
    table = []
    for i in range(12):
        typical = Diagnosis(Kind.MISTAKE, f"This looks like a typical mistake: {LOST}.", (str(NUMBER),))
        found = {"mass-matrix": () if i < 6 else (typical, Diagnosis(Kind.LAW, "A law.")),
                 "gravity": () if i < 10 else (Diagnosis(Kind.LAW, "The torques are wrong.", where="(at q1 = 0.7)"),),
                 "forward-dynamics": () if i < 10 else (QUOTE,)}  # fmt: skip
        verdicts = {
            name: Verdict(0.0 if found[name] else most, most, found[name]).as_dict() for name, most in points.items()
        }
        line = {
            "upload": f"{i:06d}",
            "assignment": "two-link",
            "student": f"student-{i}",
            "sha": made.keep(b"{}"),
            "time": "",
            "readable": True,
        }
        made.enter(line)
        made.enter_result(line, {"student": line["student"], "state": "graded", "verdicts": verdicts})
        scores = {name: verdict["points"] for name, verdict in verdicts.items()}
        table.append(
            {
                "student": line["student"],
                "score": sum(scores.values()) - (late := 5.0 if i < 4 else 0.0),  # less than the others have
                "penalty": late,
                "waits_for_person": "explain",
                "explain": 0.0,
            }
            | scores
        )
    monkeypatch.setattr(report, "rows", lambda *given: table)
    monkeypatch.setattr(
        report, "_tried", lambda course, key, line: {"gravity": (3, 1)} if line["upload"] < "000004" else {}
    )
    return made


def test_the_report_counts_what_was_planted(course):
    """How many, which mistake, which section; who has a question has the others; what a person has to read is not judged."""
    found = report.facts(course, "two-link")
    by = {one["name"]: one for one in found["questions"]}
    assert (found["students"], by["mass-matrix"]["right"], by["mass-matrix"]["mistakes"]) == (12, 6, [(LOST, True, 6)])
    assert by["mass-matrix"]["separates"] == pytest.approx(
        0.3
    )  # of the 10 who are equal in the rest 6 have it, of the others none
    assert by["explain"]["judged"] == 0 and by["explain"]["share"] is None
    expected = np.corrcoef([1] * 10 + [0] * 2, [7] * 6 + [3] * 4 + [0] * 2)[0, 1]
    assert by["gravity"]["biserial"] == pytest.approx(expected) and by["gravity"]["separates"] == 0.5
    assert (by["gravity"]["tries"], by["gravity"]["hints"], found["recorded"]) == (3, 1, 4)
    assert [(one["words"], one["question"]["section"]) for one in found["say"]] == [
        (LOST, "The 2R arm › Kinetic energy")
    ]


def test_the_page_names_nobody_and_the_table_holds_no_formula(course, tmp_path):
    """It is projected in class: no id, nothing that a student wrote, nothing from elsewhere; a picture has words."""
    page, table = report.to_page(course, "two-link", tmp_path / "report.html")
    text = page.read_text(encoding="utf-8")
    assert LOST in text and not re.search(r"student-\d|Eve|script|https?:|src=", text)
    assert len(re.findall("<svg", text)) == len(re.findall('<svg[^>]* aria-label="[^"]+"', text)) >= 6
    assert not re.search(r"Eve|student-\d", table.read_text(encoding="utf-8"))
    with open(table, newline="", encoding="utf8") as file:
        lines = list(csv.DictReader(file))
    assert ("mass-matrix", "yes", "6", LOST) in [(x["question"], x["named"], x["count"], x["mistake"]) for x in lines]
    with pytest.raises(ValueError, match="must have a page to write"):
        report.to_page(course, "two-link", tmp_path / "report.pdf")


def test_the_table_counts_generic_mistakes_by_id(course, tmp_path):
    """Each once an answer, whatever it is called in words; a right answer has none, and those of a question have names."""
    assert [one["ids"] for one in report.facts(course, "two-link")["questions"]] == [[]] * 4
    verdict = lambda points, *found: Verdict(points, 3.0, found).as_dict()
    sign = Diagnosis(Kind.LAW, "A law.", ("sign",))
    slip = Diagnosis(Kind.SLIP, "Turned, and twice.", ("sign", "twice"))
    given = [verdict(0.0, sign, slip), verdict(0.0, slip), verdict(3.0, slip), None]
    given += [verdict(0.0, Diagnosis(Kind.MISTAKE, "Lost.", ("0",)), Diagnosis(Kind.LAW, "A law."))]
    assert report._wrong(given, ["lost"])["ids"] == [("sign", 2), ("twice", 2)]
    fields = {"most": 3.0, "judged": 4, "right": 1, "none": 0, "by": "", "section": ""}
    fields |= dict.fromkeys(("share", "whole", "separates", "biserial", "tries", "hints"))
    one = {"name": "gravity", "mistakes": [("A law.", False, 2)], "ids": [("sign", 2)], **fields}
    rows = [*report._lines({"assignment": "two-link", "students": 4, "questions": [one]})]
    assert [(x["mistake"], x["named"], x["count"]) for x in rows] == [("A law.", "no", 2), ("sign", "generic", 2)]


def test_the_commands_write_the_same_pages(course, tmp_path, capsys, monkeypatch):
    """As the guide calls them; where there is no open task, the board says so and is not written."""
    folder = ["--course", str(course.folder)]
    assert main(["report", "two-link", str(tmp_path / "report.html"), *folder]) == 0
    report.to_page(course, "two-link", tmp_path / "same.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == (tmp_path / "same.html").read_text(
        encoding="utf-8"
    )
    monkeypatch.setattr(board, "rows", lambda *given: [])
    capsys.readouterr()
    assert main(["board", "two-link", str(tmp_path / "board.html"), *folder]) == 1
    assert "no open task with a score" in capsys.readouterr().err and not (tmp_path / "board.html").exists()


def test_each_kind_of_words_that_quote_has_others_for_all():
    """And only those: what quotes nobody is shown as it is."""
    assert set(report.INSTEAD) == QUOTING
    for kind in Kind:
        found = Diagnosis(kind, "Eve was here.").as_dict()
        shown = [*report._mistakes({"points": 0.0, "most": 1.0, "found": [found]}, {})]
        assert shown == ([] if kind is Kind.MISSING else [(report.INSTEAD.get(kind, "Eve was here."), False)]), kind


def test_each_question_has_a_section_that_the_book_has():
    """The teacher is sent to a heading that is there."""
    heads = defaultdict(set)
    for path in (ROOT / "book").glob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf8"))["cells"]
        texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
        first, *more = re.findall(r"^#{1,4} (.+)$", "\n".join(texts), re.M) or [""]
        heads[first] |= set(more)
    told = tomllib.loads((ROOT / "packages/coursework/src/coursework/grading/sections.toml").read_text(encoding="utf8"))
    assert told.keys() == assignment_files("questions").keys()
    for assignment, sections in told.items():
        assert sections.keys() == assignment_module(assignment).QUESTIONS.keys()
        for page, _, section in (place.partition(" › ") for place in sections.values()):
            assert section in heads[page], (assignment, page, section)


def test_a_notebook_counts_tries_until_an_answer_holds(tmp_path, monkeypatch):
    """In a new kernel, too; the same answer again is no try; a broken file counts from nothing; each student has her own."""
    monkeypatch.chdir(tmp_path)
    first = Record("two-link", "ada")
    assert (
        first.tried("gravity", {"text": ["1"]}) == first.tried("gravity", {"text": ["1"]}) == {"tries": 1, "hints": 0}
    )
    assert first.tried("gravity", {"calls": [{"error": "NotImplementedError"}]})["tries"] == 1  # as it was handed out
    first.hinted("gravity", 2)
    again = Record("two-link", "ada")
    assert again.tried("gravity", {"text": ["2"]}) == {"tries": 2, "hints": 2}
    again.held("gravity")
    again.hinted("gravity", 3)
    assert Record("two-link", "ada").tried("gravity", {"text": ["3"]}) == {"tries": 2, "hints": 2}
    assert Record("two-link", "bob").tried("gravity", {"text": ["1"]}) == {"tries": 1, "hints": 0}
    assert "text" not in (tmp_path / "two-link-tries.json").read_text(encoding="utf-8")
    again.predicted("gravity", {"numbers": [3.0]})
    assert Record("two-link", "ada").predictions() == {"gravity": {"numbers": [3.0]}}
    for broken in (
        '{"ada": {"gravity": 3}}',
        "[",
        '{"ada": {"gravity": {"tries": "=1", "hints": 0, "last": "", "holds": 0}}}',
    ):
        (tmp_path / "two-link-tries.json").write_text(broken, encoding="utf-8")
        assert Record("two-link", "ada").tried("gravity", {}) == {"tries": 1, "hints": 0}


@pytest.mark.parametrize(
    "record", [{"tries": "<b>", "hints": 0}, {"tries": -1, "hints": 0}, {"tries": 1e9, "hints": 0}, 7, None]
)
def test_a_forged_record_is_none(record):
    """Whole numbers of sense for questions of the assignment, or nothing."""
    key = Key("two-link", (), {"gravity": 3.0}, {}, "{}", "").to_json()

    def raw(question, record):
        answer = {MIME: {"question": question, "record": record}}
        return json.dumps({"cells": [{"cell_type": "code", "outputs": [{"data": answer}, 3, {"data": 4}]}]}).encode()

    assert judge.tried(key, raw("gravity", record)) == judge.tried(key, raw("other", {"tries": 1, "hints": 0})) == {}
    assert judge.tried(key, raw("gravity", {"tries": 4, "hints": 1})) == {"gravity": [4, 1]}


def test_the_board_shows_scores_best_first_and_nobody(tmp_path, monkeypatch):
    """Only of answers that hold; equal scores share a place; the page and the table hold numbers alone."""
    made = Course(tmp_path / "course", new=True)
    (made.folder / "keys/control.json").write_text(
        Key("control", (), {"swing-up": 4.0}, {}, "{}", "seed").to_json(), encoding="utf-8"
    )
    table = []
    for i, score in enumerate([3.25, 2.5, None, 2.5, 4.0]):
        line = {"upload": f"{i:06d}", "assignment": "control", "student": f"student-{i}", "sha": made.keep(b"{}"),
                "time": "", "readable": True}  # fmt: skip
        made.enter(line)
        verdict = {"points": 4.0 if score else 0.0, "most": 4.0, "sentences": [], "score": score}
        made.enter_result(line, {"student": line["student"], "state": "graded", "verdicts": {"swing-up": verdict}})
        table.append({"student": line["student"], "score": verdict["points"]})
    monkeypatch.setattr(board, "rows", lambda *given: table)
    page, lines = board.to_page(made, "control", tmp_path / "board.html")
    text = page.read_text(encoding="utf-8")
    assert re.findall(r'value="(\d)"><span>([\d.]+)', text) == [("1", "2.5"), ("1", "2.5"), ("3", "3.25"), ("4", "4")]
    assert "4 solved it" in text and not re.search(
        r"student-\d|script|https?:|src=", text + lines.read_text(encoding="utf-8")
    )
    monkeypatch.setattr(board, "rows", lambda *given: [])
    with pytest.raises(RuntimeError, match="no open task with a score"):
        board.to_page(made, "control", tmp_path / "board.html")


def test_a_score_counts_where_the_laws_hold():
    """What is judged by laws has a score beyond its points; a pendulum that never comes up takes all of its ten seconds."""
    fewer = lambda p, at, value: None if value < 3 else "Too many."
    question = Question("steps", judged="laws", laws=(fewer,), score=("steps, doubled", lambda p, at, value: 2 * value))
    good, bad = (judge_answer(question, 5.0, None, None, as_data(number)) for number in (2.0, 4.0))
    assert (good.points, good.score, good.sentences) == (5.0, 4.0, ("Your score: 4 steps, doubled; less is better.",))
    assert (bad.points, bad.score, bad.sentences[0]) == (0.0, None, "Too many.")
    p = parameters_of("control", "ada")
    _, periods = assignment_module("control").QUESTIONS["swing-up"].score
    rest = periods(p, (0.0,), np.zeros(2000))
    assert rest * 2 * np.pi / np.sqrt(p.mass * 9.81 * p.length / 2 / (p.mass * p.length**2 / 3)) == pytest.approx(10)
