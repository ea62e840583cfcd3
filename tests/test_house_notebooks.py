"""Every notebook of the project is executed as a test, has its place in the book, and is stored without outputs."""

import json
import re
from pathlib import Path

import build_book
import lint
import pytest

ROOT = Path(__file__).resolve().parent.parent

NAMES = [path.relative_to(ROOT).as_posix() for path in lint.project_files("*.ipynb")]
LONGEST_CELL, LONGEST_FOLDED = 45, 75  # a screen; what the page folds may be longer
WIDEST_LINE = 78  # what the column of a page shows at 1280 pixels
FOLDED = {"hide-input", "hide-cell", "check", "remove-input", "remove-cell"}
MAGIC = re.compile(r"#\s*(NBVAL_SKIP|PYTEST_VALIDATE_IGNORE_OUTPUT)|nbval-skip")


def read(name):
    return json.loads((ROOT / name).read_text(encoding="utf-8"))


def code_cells(name):
    """The code cells as pairs (number, text)."""
    cells = enumerate(read(name)["cells"], 1)
    return [(number, "".join(cell["source"])) for number, cell in cells if cell["cell_type"] == "code"]


def test_make_test_executes_the_folders_of_notebooks():
    """`make test` hands exactly the folders to nbval that hold notebooks: a notebook elsewhere is collected by nobody."""
    command = re.search(r"-m pytest (.*)", (ROOT / "Makefile").read_text())[1].split()
    assert "--nbval-lax" in command
    assert "--dist" in command and command[command.index("--dist") + 1] in ("loadscope", "loadfile")
    folders = {word for word in command if (ROOT / word).is_dir()}
    nowhere = [name for name in NAMES if name.split("/")[0] not in folders - {"tests"}]
    assert not nowhere, f"collected by nobody: {nowhere}; notebooks belong in book/ or exercises/"


def test_book_and_table_of_contents_agree():
    """Each page of the table of contents exists once, and each notebook or text of book/ is in the table of contents."""
    found = {f"book/{path.stem}" for path in (ROOT / "book").glob("*.*") if path.suffix in (".ipynb", ".md")}
    missing, unlisted = set(build_book.pages()) - found, found - set(build_book.pages())
    assert not missing, f"listed in _toc.yml, but there is no such file: {sorted(missing)}"
    assert not unlisted, f"not in _toc.yml, so no reader finds them: {sorted(unlisted)}"
    assert len(build_book.pages()) == len(set(build_book.pages()))


@pytest.mark.parametrize("name", NAMES)
def test_stored_without_outputs(name):
    """Outputs come from execution alone."""
    cells = [cell for cell in read(name)["cells"] if cell["cell_type"] == "code"]
    stored = [cell["id"] for cell in cells if cell["outputs"] or cell["execution_count"] is not None]
    assert not stored, f"cells {stored} hold outputs or counts: `make format` takes them out"


@pytest.mark.parametrize("name", NAMES)
def test_runs_in_any_python_kernel(name):
    """The kernel is named python3, as everywhere, and is not one of the author's own."""
    assert read(name)["metadata"]["kernelspec"]["name"] == "python3"


@pytest.mark.parametrize("name", NAMES)
def test_no_cell_escapes_execution(name):
    """No cell asks nbval to skip it."""
    assert not [number for number, text in code_cells(name) if MAGIC.search(text)]
    tags = {tag for cell in read(name)["cells"] for tag in cell["metadata"].get("tags", [])}
    assert not tags & {"nbval-skip", "skip-execution"}


@pytest.mark.parametrize("name", NAMES)
def test_cells_fit_on_a_screen(name):
    """What stands in the page is at most a screen long; more than that is library code, or two cells."""
    long = {}
    for number, cell in enumerate(read(name)["cells"], 1):
        allowed = LONGEST_FOLDED if FOLDED & set(cell["metadata"].get("tags", [])) else LONGEST_CELL
        lines = "".join(cell["source"]).count("\n") + 1
        if cell["cell_type"] == "code" and lines > allowed:
            long[number] = lines
    assert not long, f"lines by cell number: {long}"


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("book/")])
def test_lines_of_code_are_seen_whole(name):
    """A line of a chapter's code is no wider than its column."""
    wide = {number: line for number, text in code_cells(name) for line in text.splitlines() if len(line) > WIDEST_LINE}
    assert not wide, f"lines by cell number: {wide}"


@pytest.mark.parametrize("name", NAMES)
def test_pictures_have_words(name):
    """A picture that a text cell shows says what to see: ![words](file), or :alt: words."""
    for cell in read(name)["cells"]:
        if cell["cell_type"] == "markdown":
            text = "".join(cell["source"])
            assert not re.search(r"!\[\s*\]\(", text)
            for block in re.findall(r"^[`:]{3,}\{(?:figure|image)\}.*?^[`:]{3,}\s*$", text, re.M | re.S):
                assert re.search(r"^:alt: \S|^alt: \S", block, re.M), block
