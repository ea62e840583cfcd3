"""The map in ARCHITECTURE.md is made from comments beside the code, and is that of the code as it stands."""

import re

import pytest

from bookbuild import ROOT, where
from bookbuild.lint import project_files


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("def rows(course):", "rows"),
        ("    def directive(self):", "directive"),
        ("class Page:", "Page"),
        ("LEFT_TERMS: dict[", "LEFT_TERMS"),
        ("GRADES = (1, 2)", "GRADES"),
        ("const PLOTS = {", "PLOTS"),
        ("numpy==2.4.6", "numpy"),
        ("[project.urls]", "project.urls"),
        ("wanted() {", "wanted"),
        ("", ""),
    ],
)
def test_the_line_below_names_the_place(line, name):
    """A function, a class, a table, a section of settings; an empty line stands for the file."""
    text = f"x = 1\n# where: turn it\n# to the left,\n# slowly\n{line}\n"
    assert list(where.answers_of(text, "a.py")) == [where.Answer("turn it", "to the left, slowly", "a.py", name)]


def test_two_questions_at_one_place_and_one_question_at_two():
    """Decorators stand between a comment and its function; a question has one row."""
    text = "# where: b\n# first\n# where: a\n@cache\ndef f():\n    pass\n\n\n# where: b\n\ny = 1\n"
    assert where.table(where.answers_of(text, "packages/p/src/p/m.py")).splitlines()[2:] == [
        "| a | `f` in `p/m.py` |",
        "| b | `f` in `p/m.py`: first; `p/m.py` |",
    ]


def test_the_map_is_that_of_the_code(tmp_path, monkeypatch):
    """Every comment has its row; a changed comment is told, and written by make format."""
    paths = project_files(*where.SOURCES)
    assert len(where.answers(paths)) >= 40
    assert where.stale_rows(paths) == []
    page = (ROOT / where.PAGE).read_text(encoding="utf-8")
    (tmp_path / where.PAGE).write_text(page.replace("add an integrator", "add an integral"), encoding="utf-8")
    monkeypatch.setattr(where, "ROOT", tmp_path)
    (tmp_path / "a.py").write_text("# where: add a\nA = 1\n", encoding="utf-8")
    assert "make format" in where.stale_rows([tmp_path / "a.py"])[0]
    assert where.stale_rows([tmp_path / "a.py"], fix=True) == []
    assert "| add a | `A` in `a.py` |" in (tmp_path / where.PAGE).read_text(encoding="utf-8")
    (tmp_path / where.PAGE).write_text("no rows", encoding="utf-8")
    assert "once each" in where.stale_rows([tmp_path / "a.py"])[0]


def test_what_the_advice_names_is_there():
    """Each file of the rows exists, from the root or from the sources of its package."""
    missing = []
    for answer in where.answers(project_files(*where.SOURCES)):
        for name in re.findall(r"`([\w/.-]+/[\w.-]+\.\w+)`", answer.text()):
            package, _, rest = name.partition("/")
            if not (ROOT / name).exists() and not (ROOT / "packages" / package / "src" / package / rest).exists():
                missing.append(name)
    assert missing == []
