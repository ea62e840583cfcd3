"""A page and a question begin as files that prove, execute and judge; what they lack is said, and a wrong word writes nothing."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from bookbuild import PYTHONPATH, ROOT
from bookbuild.new_chapter import begin_chapter, missing_of_chapter
from bookbuild.new_question import SECTIONS, begin_question, missing_of_question


@pytest.fixture
def book(tmp_path):
    """A book of no pages, with the contents and the settings of this one."""
    (tmp_path / "book/proofs").mkdir(parents=True)
    for name in (
        "_toc.yml",
        "pyproject.toml",
        "book/subject-index.toml",
        "book/the-way.toml",
        "book/proofs/units.toml",
    ):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.fixture
def course(tmp_path):
    """One assignment, and the sections of the report."""
    (tmp_path / SECTIONS).parent.mkdir(parents=True)
    shutil.copy(ROOT / SECTIONS, tmp_path / SECTIONS)
    compiled = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "exercises/rp", tmp_path / "exercises/rp", ignore=compiled)
    return tmp_path


def contents(folder):
    """Return the texts of all files below a folder."""
    return {path: path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file()}


def test_a_page_begins_proven_behind_its_neighbor(book):
    """Its equation is proven, its code runs; its line stands behind that of the page that is named."""
    begin_chapter("bouncing", "Balls", "control-with-the-model", book)
    toc = (book / "_toc.yml").read_text(encoding="utf-8")
    assert (
        toc.index("book/control-with-the-model")
        < toc.index("      - file: book/bouncing")
        < toc.index("book/soft-hands")
    )
    (book / "_toc.yml").write_text("format: jb-book\nroot: book/bouncing\n", encoding="utf-8")  # the only page there is
    command = [sys.executable, "-m", "eqproof", "book/bouncing.ipynb"]
    environment = {**os.environ, "PYTHONPATH": PYTHONPATH}
    done = subprocess.run(command, cwd=book, env=environment, capture_output=True, text=True, check=False)
    assert "1 proven, units of 1 of 1" in done.stdout and done.returncode == 0, done.stdout + done.stderr
    cells = json.loads((book / "book/bouncing.ipynb").read_text(encoding="utf-8"))["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    exec(code, {})  # a cell that fails would raise here
    missing = missing_of_chapter("bouncing", book)
    assert missing[0].startswith("12 places to fill") and any("moving-figure" in line for line in missing)


def test_a_page_of_the_book_lacks_nothing_of_that():
    """Of a page that is finished nothing is said; of one whose figures stand still, that."""
    assert missing_of_chapter("lagrange") == missing_of_chapter("control-that-learns") == []
    assert missing_of_chapter("two-link") == ["a figure that moves: a cell tagged moving-figure"]


@pytest.mark.parametrize(
    ("slug", "after", "words"),
    [
        ("Soft_Hands", "rp", "small letters"),
        ("7-links", "rp", "small letters"),
        ("bouncing", "nowhere", "AFTER must name a page"),
        ("bouncing", "", "AFTER must name a page"),
        ("taken", "rp", "is there already"),
    ],
)
def test_a_wrong_word_writes_no_page(book, slug, after, words):
    """The sentence names the rule, and all files are as they were."""
    (book / "book/taken.ipynb").write_text("{}", encoding="utf-8")
    before = contents(book)
    with pytest.raises(ValueError, match=words):
        begin_chapter(slug, "Title", after, book)
    assert contents(book) == before


def test_a_question_begins_behind_the_last(course):
    """Notebook, record, wrong answers and section: each has its entry, the files still run, and what they lack is said."""
    begin_question("rp", "spin-up", "Spin up", course)
    folder = course / "exercises/rp"
    cells = json.loads((folder / "rp.ipynb").read_text(encoding="utf-8"))["cells"]
    assert [cell["id"] for cell in cells[-3:]] == ["spin-up-text", "spin-up-work", "spin-up"]
    assert "".join(cells[-3]["source"]).startswith("## 9. Spin up")  # rp has eight
    tables = {}
    for name in ("questions.py", "planted.py"):
        exec(compile((folder / name).read_text(encoding="utf-8"), name, "exec"), tables)
    assert list(tables["QUESTIONS"])[-1] == "spin-up" and len(tables["QUESTIONS"]["spin-up"].hints) == 3
    assert tables["WRONG"]["spin-up"] == []
    missing = missing_of_question("rp", "spin-up", course)
    assert missing[0].startswith("9 places to fill") and "three wrong answers in planted.py" in missing
    assert missing_of_question("rp", "mass-matrix", course) == []  # one that is finished
    with pytest.raises(ValueError, match="has a question 'spin-up' already"):
        begin_question("rp", "spin-up", "Spin up", course)


@pytest.mark.parametrize(
    ("assignment", "name", "words"), [("rb", "x", "ASSIGNMENT must be one of rp"), ("rp", "X y", "small")]
)
def test_a_wrong_word_writes_no_question(course, assignment, name, words):
    """The sentence names the rule, and all files are as they were."""
    before = contents(course)
    with pytest.raises(ValueError, match=words):
        begin_question(assignment, name, "Title", course)
    assert contents(course) == before
