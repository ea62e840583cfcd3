"""A released notebook installs what it needs from the course's site, and grading takes no notice of that."""

import ast
import json
from pathlib import Path

import grading_kit
import nbformat
import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")

from coursework.grading import first_cell
from coursework.grading.begun import ids_begun
from coursework.grading.course import Course
from coursework.grading.release import release

SITE = "https://arms.example.edu/2026"


def released(folder, setting):
    """The student's notebook of a course with this line in its course.toml."""
    place = folder / "course"
    place.mkdir(parents=True)
    (place / "course.toml").write_text(setting, encoding="utf8")
    course = Course(place, new=True)
    student, *_ = release(course, grading_kit.SOURCE)
    return nbformat.read(student, as_version=4)


def test_the_first_cell_installs_from_the_site(tmp_path):
    """The wheels that a built book holds beside its notebooks, and nothing where all is there; no other cell changes."""
    plain = released(tmp_path / "plain", "")
    sited = released(tmp_path / "sited", f'site = "{SITE}/"')
    words, code = sited.cells[:2]
    assert SITE in words.source and [cell.source for cell in sited.cells[2:]] == [cell.source for cell in plain.cells]
    guard, pip = code.source.splitlines()[-2:]
    for name in ("robotdyn", "movingfigures", "coursework"):
        assert f"{SITE}/notebooks/{name}-" in pip and f'find_spec("{name}")' in guard
    assert f"{SITE}//" not in pip and pip.startswith("    %pip install --quiet ")
    space = {}
    exec(code.source.replace(pip, "    installed = True"), space)
    assert "installed" not in space


def test_an_imported_package_is_in_the_list():
    """Whatever a notebook of an assignment imports of this project, the cell installs."""
    folder = Path(grading_kit.SOURCE).parents[1]
    for path in folder.glob("*/*.ipynb"):
        code = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
        nodes = [node for source in code for node in ast.walk(ast.parse(source))]
        names = {x.name for node in nodes if isinstance(node, ast.Import) for x in node.names}
        names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
        ours = {"robotdyn", "movingfigures", "coursework", "eqproof"} & {name.split(".")[0] for name in names}
        assert ours <= set(first_cell.WHEELS), path


@pytest.mark.parametrize(
    "setting",
    [
        "site = 7",
        'site = "arms.example.edu"',
        'site = "ftp://arms.example.edu"',
        "site = 'https://a.edu/\"; import os'",
        'site = "https://a.edu/{x}"',
        'site = "https://a.edu/x y"',
        'site = "https://"',
        'site = "https://a.edu/index.html"',
        'site = "https://me:secret@a.edu"',
        'site = "https://[a"',
    ],
)
def test_what_is_no_address_is_refused(tmp_path, setting):
    """Before anything is released, with an example."""
    with pytest.raises(
        ValueError, match=r"site in course.toml must be the folder in which the pages of the course lie, such as https"
    ):
        released(tmp_path, setting)
    assert not list(tmp_path.rglob("*.ipynb"))


def test_a_notebook_is_still_known_by_who_began_it(tmp_path):
    """The cell with pip is no Python, and hides no other."""
    notebook = released(tmp_path, f'site = "{SITE}"')
    for cell in notebook.cells:
        cell.source = cell.source.replace('student=""', 'student="ada"')
    assert ids_begun(cell.source for cell in notebook.cells if cell.cell_type == "code") == ["ada"]


@pytest.mark.slow
@pytest.mark.skipif(bool(grading_kit.sandbox_trouble()), reason=str(grading_kit.sandbox_trouble()))
def test_such_a_notebook_has_its_points():
    """All of them, without a note, though the sandbox has no network."""
    course = grading_kit.Class()
    try:
        (course.folder / "course" / "course.toml").write_text(f'site = "{SITE}"', encoding="utf8")
        grading_kit.hand_over(course.folder / "course")
        course("release", grading_kit.SOURCE)
        first = nbformat.v4.new_notebook()
        first_cell.add_installation(first, SITE)
        notebook = grading_kit.solved()
        notebook["cells"][:0] = json.loads(nbformat.writes(first))["cells"]
        for cell in notebook["cells"]:
            cell["source"] = "".join(cell["source"]).replace('student=""', 'student="ada"')
        course.take({"ada_two-link.ipynb": notebook})
        course("run", "two-link")
        result = course.by_student()["ada"]
        assert result["state"] == "graded" and not result["notes"], result
        assert all(verdict["points"] == verdict["most"] for verdict in result["verdicts"].values()), result
    finally:
        course.remove()
