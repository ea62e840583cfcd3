"""The documentation shows what the program does: each example is run, and the page of notations is that of the grammar."""

import re
import shlex
from pathlib import Path

import notation_page
import pytest

from eqproof.__main__ import main
from eqproof.checked_steps import steps_in
from eqproof.findings import WORDS
from eqproof.sources import sources_in

PACKAGE = Path(__file__).parents[1]
PAGES = [PACKAGE / "README.md", *sorted((PACKAGE / "docs").glob("*.md"))]
BLOCK = re.compile(r"^( *)```(\w*)(?: +(\S+))?\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)


def blocks(page):
    """The blocks of code of a page: (language, name of the file that it is, text)."""
    return [(kind, name, text) for _, kind, name, text in BLOCK.findall(page.read_text(encoding="utf-8"))]


def matches(shown, printed):
    """Tell whether a line is as it is shown, where " .." stands for anything at its end."""
    return printed.startswith(shown[:-2]) if shown.endswith("..") else printed == shown


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_shows_is_what_is_printed(page, tmp_path, monkeypatch, capsys):
    """Files are written as they stand there, commands are called, and each line is as it is shown."""
    monkeypatch.chdir(tmp_path)
    for kind, name, text in blocks(page):
        if name:
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text(text, encoding="utf-8")
        command, _, shown = text.partition("\n")
        if kind != "console" or not command.startswith("$ eqproof"):
            continue
        main(shlex.split(command)[2:])
        printed = "".join(capsys.readouterr())
        lines = printed.splitlines()
        assert len(lines) == len(shown.splitlines()), printed
        for line, as_shown in zip(lines, shown.splitlines()):
            assert matches(as_shown, line), (as_shown, line)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_python_of_a_page_runs(page):
    """Blocks of Python that are whole programs; those that are parts of a file of proofs name a chapter."""
    for kind, name, text in blocks(page):
        if kind == "python" and not name and text.startswith("import") and "Chapter" not in text:
            exec(compile(text, str(page), "exec"), {})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_links_of_a_page_lead_somewhere(page):
    """To a file, and to a heading in it."""
    for target, anchor in re.findall(r"\]\((?!http)([^)#]*)(#[^)]*)?\)", page.read_text(encoding="utf-8")):
        file = page.parent / target if target else page
        assert file.exists(), target
        heads = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE) if anchor else []
        slugs = {re.sub(r"[^\w -]", "", x.lower()).replace(" ", "-") for x in heads}
        assert not anchor or anchor[1:] in slugs, anchor


def test_no_page_is_alone():
    """Each page of the documentation has a link in the README."""
    readme = PAGES[0].read_text(encoding="utf-8")
    assert all(f"docs/{page.name})" in readme for page in PAGES[1:]) and len(PAGES) > 5


def test_the_readme_is_short():
    """Two screens at most."""
    assert len(PAGES[0].read_text(encoding="utf-8").splitlines()) < 90


# ---- notation ----------------------------------------------------------------------------------------------------------


def test_the_page_of_notations_is_that_of_the_grammar():
    """Written anew by `python packages/eqproof/tests/notation_page.py`."""
    assert notation_page.PAGE.read_text(encoding="utf-8") == notation_page.text()


@pytest.mark.parametrize(("words", "latex", "verdict"), notation_page.rows(), ids=lambda x: x if " " in x else None)
def test_an_example_of_a_notation_is_read(words, latex, verdict):
    """Each of its steps is read, and the last one has the verdict that the page tells."""
    told = [step.verdict for step in steps_in(sources_in(rf"\[ {latex} \]", "-", "tex"))]
    assert "unread" not in told and {*told} <= {*WORDS}
    assert (told[-1] if told else "undecided") == verdict


def test_each_construct_of_the_grammar_has_an_example():
    """A new rule or a new sign of the grammar needs a row of the page."""
    rules, terminals = notation_page.constructs()
    found = [notation_page.used(latex) for _, latex, _ in notation_page.rows() if r"\pm" not in latex]
    assert not rules - set().union(*(x for x, _ in found))
    assert not terminals - set().union(*(x for _, x in found))
