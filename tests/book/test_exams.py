"""The exams: every number of their solutions is computed, points add up, and no page of the book holds a solution."""

import re

import pytest

from bookbuild import build_book, lint

FOLDER = lint.ROOT / "exercises" / "exams"
EXAMS = {"midterm": 75, "final": 100}
QUESTION = re.compile(r"^## .*?\((\d+) points.*?\)\n(.*?)(?=^## |\Z)", re.M | re.S)
PART = re.compile(r"^\d\. \((\d+)\)", re.M)


def text(name):
    return (FOLDER / f"{name}.md").read_text(encoding="utf8")


@pytest.mark.parametrize("name", EXAMS)
def test_the_numbers_of_an_exam_are_computed(name):
    """The code of the solutions runs from top to bottom, one piece a question, and each compares what is printed."""
    pieces = re.findall(r"^```python\n(.*?)^```$", text(f"{name}_solutions"), re.M | re.S)
    assert len(pieces) == len(QUESTION.findall(text(name)))
    known = {}
    for piece in pieces:
        assert "assert" in piece
        exec(compile(piece, name, "exec"), known)


@pytest.mark.parametrize("name", EXAMS)
def test_the_points_of_an_exam_add_up(name):
    """Those of the parts to those of a question, those of the questions to the whole; the solutions give the same."""
    of_parts = lambda body: [int(points) for points in PART.findall(body)]
    asked = [(int(points), of_parts(body)) for points, body in QUESTION.findall(text(name))]
    assert all(points == sum(parts) for points, parts in asked)
    assert sum(points for points, _ in asked) == EXAMS[name]
    assert f"{EXAMS[name]} points in" in text(name)
    assert [(int(points), of_parts(body)) for points, body in QUESTION.findall(text(f"{name}_solutions"))] == asked


def test_no_page_of_the_book_is_an_exam():
    """The built book is what students read."""
    assert FOLDER.exists() and not any("exams" in page for page in build_book.pages())
    assert "exercises/**" in (lint.ROOT / "_config.yml").read_text(encoding="utf8")
