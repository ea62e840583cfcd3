"""The lab and the projects: every number of their solutions is computed, points add up, and only teachers read a solution."""

import re

import pytest

from bookbuild import build_book, edition, lint

PAGE = (lint.ROOT / "book" / "projects.md").read_text(encoding="utf8")
FOLDER = lint.ROOT / "exercises" / "projects"
NAMES = [page.rpartition("/")[2] for page in edition.PROJECT_PAGES]
CODE = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)


def test_each_project_has_a_solution():
    """And each solution a project; no other file lies there."""
    assert sorted(path.stem for path in FOLDER.iterdir() if path.is_file()) == sorted(NAMES)
    assert set(re.findall(r"^\(projects-(\w+)\)=$", PAGE, re.M)) == set(NAMES)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_numbers_of_a_solution_are_computed(name):
    """Its code runs from top to bottom, that of the lab behind the page's program, and each piece compares what is printed."""
    pieces = CODE.findall((FOLDER / f"{name}.md").read_text(encoding="utf8"))
    assert pieces and sum("assert" in piece for piece in pieces) >= 3
    known = {}
    for piece in [*(CODE.findall(PAGE) if name == "lab" else ()), *pieces]:
        exec(compile(piece, name, "exec"), known)


def test_the_points_of_a_rubric_add_up():
    """To what stands above its table."""
    for part in re.split(r"^\(projects-\w+\)=$", PAGE, flags=re.M)[1:]:
        (total,) = re.findall(r"Rubric \((\d+) points\):", part)
        rows = re.findall(r"^\|[^|]+\|[^|]+\| (\d+) \|$", part, re.M)
        assert len(rows) >= 5 and sum(map(int, rows)) == int(total)


def test_the_weeks_of_a_project_follow_one_another():
    """Four milestones, a week each."""
    for part in re.split(r"^\(projects-\w+\)=$", PAGE, flags=re.M)[2:]:
        assert re.findall(r"^(\d)\. \*Week (\d), ", part, re.M) == [(str(k), str(k)) for k in range(1, 5)]


def test_no_page_of_the_book_is_a_solution():
    """The built book is what students read; the briefs are there."""
    assert not any("exercises/projects" in page for page in build_book.pages())
    assert "book/projects" in build_book.pages()
