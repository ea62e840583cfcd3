"""Every notebook has its place in the book, cells that fit a screen, words for its pictures; what it compares, it prints."""

import contextlib
import json
import re
from pathlib import Path

import pytest

from bookbuild import build_book, lint
from eqproof.numbers import in_code

ROOT = Path(__file__).resolve().parents[2]

NAMES = [path.relative_to(ROOT).as_posix() for path in lint.project_files("*.ipynb")]
LONGEST_CELL = 45
LONGEST_FOLDED = 75  # a screen; what the page folds may be longer
WIDEST_LINE = 78  # what the column of a page shows at 1280 pixels
FOLDED = {"hide-input", "hide-cell", "check", "remove-input", "remove-cell"}


def read(name):
    return json.loads((ROOT / name).read_text(encoding="utf-8"))


def code_cells(name):
    """The code cells as pairs (number, text)."""
    cells = enumerate(read(name)["cells"], 1)
    return [(number, "".join(cell["source"])) for number, cell in cells if cell["cell_type"] == "code"]


def test_book_and_table_of_contents_agree():
    """Each page of the table of contents exists once, and each notebook or text of book/ is in the table of contents."""
    found = {f"book/{path.stem}" for path in (ROOT / "book").glob("*.*") if path.suffix in (".ipynb", ".md")}
    missing = set(build_book.pages()) - found
    unlisted = found - set(build_book.pages())
    assert not missing, f"listed in _toc.yml, but there is no such file: {sorted(missing)}"
    assert not unlisted, f"not in _toc.yml, so no reader finds them: {sorted(unlisted)}"
    assert len(build_book.pages()) == len(set(build_book.pages()))


BESIDE = re.compile(
    r"\[(?:the )?(?P<link>next|last|previous) (?:page|chapter)\]\((?P<page>[\w-]+)\.(?:ipynb|md)[^)]*\)"
    r"|\{(?:eq|ref)\}`(?P<label>[\w-]+)`,? (?:of|from|on|in) the (?P<role>next|last|previous) (?:page|chapter)",
    re.IGNORECASE,
)


def test_the_next_and_the_last_page_are_those_beside():
    """Who reads "the last page" turns back one: what stands farther away is called by its name."""
    pages = build_book.pages()
    texts = {f"book/{path.stem}": path.read_text(encoding="utf-8") for path in (ROOT / "book").glob("*.ipynb")}
    wrong, seen = [], 0
    for place, page in enumerate(pages):
        for found in BESIDE.finditer(texts.get(page, "")):
            way = (found["link"] or found["role"]).lower()
            other = pages[place + 1] if way == "next" else pages[place - 1]
            label = rf"\({found['label']}\)|label: {found['label']}\b|\({found['label']}\)="
            there = (
                found["page"] == other.partition("/")[2] if found["page"] else re.search(label, texts.get(other, ""))
            )
            seen += 1
            if not there:
                wrong.append((page, found[0], other))
    assert not wrong
    assert seen > 30  # the search finds them


@pytest.mark.parametrize("name", NAMES)
def test_runs_in_any_python_kernel(name):
    """The kernel is named python3, as everywhere, and is not one of the author's own."""
    assert read(name)["metadata"]["kernelspec"]["name"] == "python3"


@pytest.mark.parametrize("name", NAMES)
def test_no_cell_escapes_execution(name):
    """No cell asks Jupyter Book to leave it out, or to go on after its error."""
    tags = {tag for cell in read(name)["cells"] for tag in cell["metadata"].get("tags", [])}
    assert not tags & {"skip-execution", "raises-exception"}


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


def printed(number):
    """How a text prints a number: 3.1e-7 as 3.1 \\cdot 10^{-7}, without its sign."""
    digits, _, power = number.removeprefix("-").partition("e")
    return rf"{digits} \cdot 10^{{{int(power)}}}" if power else digits


@pytest.mark.parametrize("name", NAMES)
def test_a_number_that_is_compared_is_printed(name):
    """What a cell compares with the text stands there, so that neither changes without the other."""
    text = "".join("".join(cell["source"]) for cell in read(name)["cells"] if cell["cell_type"] == "markdown")
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", re.sub(r"10\^(\d)", r"10^{\1}", text))  # 98,098,000; 10^7
    lost = [
        x
        for _, code in code_cells(name)
        for x in in_code(re.sub(r"^%.*$", "", code, flags=re.M))[0]
        if not re.search(rf"(?<![\d.]){re.escape(printed(x))}(?!\.?\d)", text)
    ]
    assert not lost, f"compared, but not in the text: {lost}"


@pytest.mark.parametrize(
    ("number", "lost"),
    [("3.1", False), ("3.2", True), ("3", True), ("-3.1", False), ("2e-7", False), ("98000", False), ("5e7", False)],
)
def test_a_number_that_is_not_printed_is_seen(number, lost, monkeypatch):
    """Another number, and a part of one."""
    cells = [
        ("markdown", r"It takes 3.1 s, $2 \cdot 10^{-7}$ of it alone, 98,000 times, not $5 \cdot 10^7$."),
        ("code", f"quoted({{'{number}': x}})"),
    ]
    page = {"cells": [{"cell_type": kind, "source": [source]} for kind, source in cells]}
    monkeypatch.setitem(globals(), "read", lambda name: page)
    with pytest.raises(AssertionError, match="compared, but not") if lost else contextlib.nullcontext():
        test_a_number_that_is_compared_is_printed("")
