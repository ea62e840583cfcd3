"""`eqproof check` ends in one sentence for each odd file, in time, and the other files are still checked."""

import json
import time
from itertools import pairwise

import pytest

from eqproof.__main__ import main
from eqproof.checked_steps import steps_in
from eqproof.openings import pieces
from eqproof.sources import displays, sources_in

GOOD = "$$ a + a = 2 a $$\n"


def cells(*made):
    """Return the text of a notebook of these cells."""
    return json.dumps({"cells": made})


def markdown(source):
    """Return a cell of markdown."""
    return {"cell_type": "markdown", "source": source}


NOT_READ = {  # name: (contents, a part of the sentence on standard error)
    "list.ipynb": ("[1,2]", "its JSON is a list"),
    "three.ipynb": ("3", "its JSON is a number"),
    "null.ipynb": ("null", "its JSON is null"),
    "text.ipynb": ('"a"', "its JSON is a text"),
    "cut.ipynb": ('{"cells": [', "goes wrong at line 1, column 12"),
    "empty.ipynb": ("", "goes wrong at line 1, column 1"),
    "deep.ipynb": ("[" * 100_000, "nested too deeply"),
    "long.ipynb": ('{"n": ' + "9" * 5000 + "}", "a number in its JSON is too long"),
    "none.ipynb": ("{}", "it has no cells"),
    "table.ipynb": ('{"cells": {"a": 1}}', "it has no cells"),
    "cell.ipynb": (cells(3), "cell 0 has no cell_type"),
    "kind.ipynb": (cells({"source": "a"}), "cell 0 has no cell_type"),
    "number.ipynb": (cells(markdown("a"), markdown(3)), "the source of its cell 1 is neither"),
    "nothing.ipynb": (cells({"cell_type": "markdown"}), "the source of its cell 0 is neither"),
    "lines.ipynb": (cells(markdown(["a", None])), "the source of its cell 0 is neither"),
    "latin.tex": ("na\xefve".encode("latin-1"), "line 1 holds the byte 0xef; save it as UTF-8"),
    "wide.tex": ("$$ x = x $$".encode("utf-16"), "no text in UTF-8"),
    "two\nlines.tex": ("$$ x = x $$", "a name must be one line"),
    "note.txt": ("x", "its name ends in .txt"),
}
UNREAD = {  # contents of a file of LaTeX, and a part of why it is not read
    "$$ " + "(" * 5000 + "x" + ")" * 4000 + " = x $$": "is nested too deeply",
    "$$ " + r"\frac{1}{" * 500 + "x" + "}" * 500 + " = x $$": "is nested too deeply",
    "$$ x" + "^{x" * 300 + "}" * 300 + " = x $$": "is nested too deeply",
    "$$ " + "(" * 100_000 + " = x $$": "is too large: 100004 characters",
    "$$ x = " + "7" * 50_000 + " $$": "is too large: 50004 characters",
    "$$ x = " + "7" * 5000 + " $$": "a number of 5000 digits",
    "$$ " + "+".join(["x"] * 20_000) + " = 20000 x $$": "is too large",
    "$$ " + "+".join(["x"] * 2_000) + " = 2000 x $$": "is too large: 2000 signs",
    r"\def\a{\b\b}\def\b{\a\a} $$ \a = x $$": "is too large, or has no end",
    "".join(rf"\def\{chr(97 + i)}x{{\{chr(98 + i)}x\{chr(98 + i)}x}}" for i in range(24))
    + r"$$ \ax = x $$": "or has no end",
}


@pytest.mark.parametrize("name", NOT_READ)
def test_a_file_that_cannot_be_read_gets_one_sentence(tmp_path, capsys, name):
    """No words of Python; the file behind it is checked; the exit code is 2."""
    contents, sentence = NOT_READ[name]
    (tmp_path / "good.md").write_text(GOOD, encoding="utf-8")
    (tmp_path / name).write_bytes(contents if isinstance(contents, bytes) else contents.encode())
    assert main(["check", str(tmp_path / name), str(tmp_path / "good.md")]) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1 and sentence in said.err and "Error" not in said.err
    assert said.out.splitlines()[-1] == "1 proven, 0 false, 0 undecided, 0 unread"


def test_a_folder_a_missing_file_and_an_empty_name_get_one_sentence(tmp_path, capsys):
    """Each its own; the last file is checked all the same."""
    (tmp_path / "folder.tex").mkdir()
    (tmp_path / "good.md").write_text(GOOD, encoding="utf-8")
    names = ["", str(tmp_path), str(tmp_path / "folder.tex"), str(tmp_path / "none.tex"), str(tmp_path / "good.md")]
    assert main(["check", *names]) == 2
    said = capsys.readouterr()
    sentences = [line.rsplit("cannot be read: ", 1)[-1] for line in said.err.splitlines()]
    assert sentences[0].startswith("a name must be") and sentences[3] == "there is no such file"
    assert sentences[1] == sentences[2] == "it is a folder: name its files" and "1 proven" in said.out


@pytest.mark.parametrize("text", UNREAD, ids=lambda text: text[:20].replace("\\", ""))
def test_a_display_that_is_too_large_is_not_read_and_the_next_one_is(text):
    """What it costs is bounded; what stands behind it is still told."""
    first, last = steps_in(sources_in(text + "\n\n" + GOOD, "-", "tex"))
    assert first.verdict == "unread" and UNREAD[text] in first.why and last.verdict == "proven"


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        ("a\n\\begin{align} x = x\n", "tex", 2),
        ("a\n\n\\[ x = x", "tex", 3),
        ("text\n$$ x = x\n", "md", 2),
        ("```{math}\nx = x\n", "md", 1),
        ("\n\\begin{align} a &= b\n\n\\begin{align} c &= c \\end{align}", "tex", 2),
        ("\n$$ a = b\n\ntext\n$$ c = c $$", "tex", 2),
        ("\n\\[ a = b \n\\[ c = c \\]", "tex", 2),
    ],
)
def test_a_display_that_is_never_closed_is_a_finding_at_its_line(text, kind, line):
    """What stands behind it and is closed is read."""
    first, *rest = steps_in(sources_in(text, "-", kind))
    assert (first.verdict, first.line) == ("unread", line) and "is not closed" in first.why
    assert [x.verdict for x in rest] == ["proven"] * (" c " in text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("\\verb|$$| and $a$$b$ and $$ x = x $$", "tex"),
        ("use `$$` here\n\n$$ x = x $$\n", "md"),
        ("\ufeff$$ x = x $$", "tex"),
    ],
)
def test_dollars_that_open_nothing_are_no_finding(text, kind):
    """In \\verb, in code, between two inline formulas."""
    assert [x.verdict for x in steps_in(sources_in(text, "-", kind))] == ["proven"]


@pytest.mark.parametrize(
    "text",
    ["\\[ ", "\\begin{align}\n", "\\begin{verbatim}\n", "```python\n", "\\def\\a{", "$$ a\n", "lorem $x$ \\ {\n"],
)
def test_junk_costs_time_that_grows_with_its_length(text):
    """Four times as much takes less than twelve times as long: where it grows with the square, sixteen times."""

    def seconds(times):
        (source,) = sources_in(text * times, "-", "md" if "`" in text else "tex")
        spent = []
        for _ in range(2):
            start = time.process_time()
            found = list(displays(source))
            spent.append(time.process_time() - start)
        assert all(x.broken for x in found) or "$$" in text
        return min(spent)

    assert seconds(8000) < 12 * max(seconds(2000), 0.02)


def test_pieces_of_a_text_are_in_order_and_apart():
    """Each begins where the one before it has ended, or behind."""
    text = "$$ a $$ \\[ b \\] \\begin{align*} c \\end{align*} $$ d"
    found = list(pieces(text, text, paragraphs=True))
    assert [bool(x.broken) for x in found] == [False, False, False, True]
    assert all(a.end <= b.start for a, b in pairwise(found))
