"""Odd uploads: each gets one line in the ledger and one state; what can be read is graded, what cannot says why."""

import gzip
import io
import json
import os
import zipfile
from pathlib import Path

import grading_kit
import nbformat
import pytest

from coursework.__main__ import main, printable
from coursework.grading.reading import MOST_BYTES, MOST_RAW, NoNotebook, cells_of, raw_bytes
from coursework.grading.upload_times import upload_time


def text(notebook=None):
    return json.dumps(notebook or grading_kit.solved())


def zipped(files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def old_format():
    cells = [
        {"cell_type": cell["cell_type"], "input": "".join(cell["source"]), "metadata": {}}
        for cell in grading_kit.solved()["cells"]
    ]
    return {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]}


def blank():
    """The notebook as it was handed out."""
    notebook = grading_kit.solved()
    for cell in notebook["cells"]:
        if cell["id"].endswith("-work"):
            cell["source"] = "# YOUR CODE HERE\nraise NotImplementedError()"
    return notebook


def locked(archive):
    """The zip, marked as locked with a password."""
    raw = bytearray(archive)
    for sign, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        raw[raw.index(sign) + place] |= 1
    return bytes(raw)


def new_format():
    return grading_kit.solved() | {"nbformat": 5, "nbformat_minor": 99, "news": {}}


def as_text(cell_of, head):
    """The notebook in a format of text."""
    cells = [(cell["cell_type"] == "code", "".join(cell["source"])) for cell in grading_kit.solved()["cells"]]
    return head + "\n".join(cell_of(code, source) for code, source in cells)


def percent(code, source):
    return (
        f"# %%\n{source}\n"
        if code
        else "# %% [markdown]\n" + "\n".join(f"# {line}" for line in source.split("\n")) + "\n"
    )


def exported(code, source):
    return f"# In[ ]:\n\n\n{source}\n" if code else "\n".join(f"# {line}" for line in source.split("\n")) + "\n"


def myst(code, source):
    return f"```{{code-cell}} ipython3\n{source}\n```\n" if code else f"{source}\n\n+++\n"


def with_outputs():
    """A notebook whose outputs alone are larger than what is read."""
    notebook = grading_kit.solved()
    notebook["cells"][1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * MOST_BYTES}]
    return text(notebook)


MYST = as_text(
    myst,
    "---\njupytext:\n  text_representation:\n    extension: .md\n    format_name: myst\nkernelspec:\n  name: python3\n---\n\n",
)
READABLE = {
    "percent": as_text(
        percent, "# ---\n# jupyter:\n#   jupytext:\n#     text_representation:\n#       format_name: percent\n# ---\n\n"
    ),
    "exported-script": as_text(exported, "#!/usr/bin/env python\n# coding: utf-8\n\n"),
    "myst": MYST,
    "zip-of-text": zipped({"hw/two-link.md": MYST, "hw/helpers.py": "x = 1"}),
    "large-outputs": with_outputs(),
    "bytes-mark": b"\xef\xbb\xbf" + text().encode(),
    "utf16": text().encode("utf-16"),
    "utf16-without-mark": text().encode("utf-16-le"),
    "utf32": text().encode("utf-32"),
    "zip": zipped({"home/ada/two-link (1).ipynb": text()}),
    "zip-of-a-mac": zipped(
        {"__MACOSX/._two-link.ipynb": b"\0", "two-link.ipynb": text(), ".ipynb_checkpoints/two-link.ipynb": "{}"}
    ),
    "zip-in-a-zip": zipped({"all.zip": zipped({"two-link.ipynb": text()})}),
    "zip-with-two": zipped({"other.ipynb": json.dumps({"cells": [], "nbformat": 4}), "mine.ipynb": text()}),
    "zip-with-a-blank": zipped({"as-handed-out.ipynb": text(blank()), "two-link.ipynb": text()}),
    "zip-of-a-parent-folder": zipped({"../../two-link.ipynb": text()}),
    "old-format": text(old_format()),
    "new-format": text(new_format()),
    "renamed": text(),
}
UNREADABLE = {
    "empty": (b"", "empty"),
    "blank": (b" \n ", "empty"),
    "cut-short": (text()[:3000], "JSON"),
    "words": ("I could not do it", "it is a text, not a notebook"),
    "cp1252": (
        text(grading_kit.with_answer("gravity", "# schön")).replace("\\u00f6", "ö").encode("cp1252"),
        "not in UTF-8",
    ),
    "pointer": ("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "a pointer of Git LFS"),
    "attempt": (
        "Name: Ada Lovelace (ada)\r\nAssignment: two-link\r\nDate Submitted: Monday\r\n",
        "Blackboard's description",
    ),
    "unfinished": (text()[:5000], "an unfinished download"),
    "large-text": (text(grading_kit.with_answer("gravity", "x" * (MOST_BYTES + 10))), "without its outputs"),
    "text-of-no-assignment": ("# %%\nprint(1)\n", "it is a text, not a notebook"),
    "pdf": (b"%PDF-1.7\n\xff\xfe\x00", "a PDF"),
    "picture": (b"\x89PNG\r\n\x1a\n\0", "it is a picture"),
    "photo": (b"\xff\xd8\xff\xe0JFIF", "it is a picture"),
    "shortcut": ("[InternetShortcut]\r\nURL=https://x.edu\r\n", "it is a link"),
    "webloc": (b"bplist00\xd1\1\2", "it is a link"),
    "page": ("<html></html>", "an HTML page"),
    "a-list": ("[1, 2]", "no notebook"),
    "no-cells": ('{"nbformat": 4}', "no cells"),
    "deep": ("[" * 200_000 + "]" * 200_000, "nested"),
    "merge-marks": (text().replace('"cells"', '\n<<<<<<< HEAD\n"cells"', 1), "merge conflict"),
    "merge-marks-first": ("<<<<<<< HEAD\n" + text(), "merge conflict"),
    "broken-zip": (zipped({"a.ipynb": text()})[:-200], "zip is broken"),
    "empty-zip": (zipped({}), "the zip holds no notebook"),
    "zip-without": (zipped({"a.txt": "x"}), "no notebook"),
    "zip-bomb": (zipped({"a.ipynb": b" " * (MOST_RAW + 10)}), "more than"),
    "locked-zip": (locked(zipped({"a.ipynb": text()})), "password"),
    "many-cells": (json.dumps({"cells": [{}] * 3000}), "cells"),
    "gzip": (gzip.compress(text().encode()), "a packed file"),
    "cells-of-nothing": ('{"cells": 7}', "no cells"),
    "sheets-of-nothing": ('{"worksheets": [{"cells": 7}]}', "no cells"),
}


@pytest.mark.parametrize("name", READABLE)
def test_an_odd_upload_is_read(name):
    """Another encoding, a zip, an old or a newer format: the answers are found."""
    raw = READABLE[name] if isinstance(READABLE[name], bytes) else READABLE[name].encode()
    cells = cells_of(raw, ("gravity", "mass-matrix"))
    assert any("G = [U.diff(q1)" in cell["source"] for cell in cells)


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_broken_upload_says_why(name):
    """No error but the sentence."""
    raw, words = UNREADABLE[name]
    with pytest.raises(NoNotebook, match=words):
        cells_of(raw if isinstance(raw, bytes) else raw.encode())


@pytest.mark.parametrize("kind", ["pandoc", "quarto", "marimo", "sphinx", "light", "nonsense"])
@pytest.mark.parametrize("head", ["---", " ---", "---  ", "# ---", "\n---"])
def test_no_text_chooses_what_reads_it(kind, head, monkeypatch):
    """A text that names a format which another program converts is read as what it looks like, and no program runs."""
    import subprocess

    pytest.importorskip("jupytext")  # which asks Pandoc for its version as it is imported, and never again

    def refuse(*given, **named):
        raise AssertionError("a program was started")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    mark = "# " if head.startswith("#") else ""
    lines = [
        "jupyter:",
        "  jupytext:",
        "    text_representation:",
        f"      extension: {'.py' if mark else '.md'}",
        f"      format_name: {kind}",
    ]
    for body in (as_text(percent, ""), as_text(myst, "")):
        text_of = "\n".join([head, *(mark + line for line in lines), head.strip(), "", body])
        assert any("check.begin(" in cell["source"] for cell in cells_of(text_of.encode()))


def test_only_plain_files_are_opened(tmp_path):
    """A link is not followed, a pipe not waited for, a large file not read."""
    (tmp_path / "link").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "pipe")
    with open(tmp_path / "large", "wb") as file:
        file.truncate(MOST_RAW + 1)
    for name, words in (
        ("link", "a link"),
        ("pipe", "no regular file"),
        ("large", "MB"),
        ("missing", "cannot be opened"),
    ):
        with pytest.raises(NoNotebook, match=words):
            raw_bytes(tmp_path / name)


def test_there_are_sixteen_and_more():
    """Of uploads that are no plain notebook."""
    assert len(READABLE) + len(UNREADABLE) >= 16


@pytest.fixture(scope="module")
def graded():
    """A class that hands in all of them, also twice and late."""
    course = grading_kit.class_or_skip()
    course("release", grading_kit.SOURCE, "--due", "2020-01-02 00:00 UTC")
    names = {"renamed": "my homework FINAL(2).ipynb.txt"}
    course.take({f"{name}/{names.get(name, 'two-link.ipynb')}": raw for name, raw in READABLE.items()})
    course.take({f"{name}/two-link.ipynb": raw for name, (raw, _) in UNREADABLE.items()})
    place = course.folder / "uploads"
    again = {"twice/a.ipynb": text(), "twice/b.ipynb": "broken", "better/a.ipynb": "{}", "better/b.ipynb": text(),
             "a\u2028b\x85/x\u2029.ipynb": text(), "closed/x.ipynb": text(), "late/x.ipynb": text(), "../uploads/Ünal Ö/x.ipynb": text(), "a$b;rm -rf/x.ipynb": text()}  # fmt: skip
    course.take(again)
    for name, when in (("twice/a", 1), ("twice/b", 2), ("better/a", 1), ("better/b", 2)):
        os.utime(place / f"{name}.ipynb", (1e9 + when, 1e9 + when))
    (place / "late" / "timestamp.txt").write_text("2020-01-02 01:00:00 UTC\n", encoding="utf-8")
    (place / "linked").symlink_to("/etc")
    (place / "closed").chmod(0)
    (place / "gus_x.ipynb").symlink_to(place / "late" / "x.ipynb")
    (course.folder / "course" / "ledger.jsonl").unlink()  # enter them anew, with these times
    course("intake", "two-link", place)
    with open(course.folder / "course" / "ledger.jsonl", "a", encoding="utf-8", errors="surrogateescape") as file:
        file.write('{"upload": "cut short by a cra\udcc3')  # in the middle of a letter
    course("intake", "two-link", place)
    course("run", "two-link", "--workers", "2")
    yield course
    (place / "closed").chmod(0o700)
    course.remove()


@pytest.mark.slow
def test_every_upload_has_one_line_and_one_state(graded):
    """A second intake adds nothing, a torn line harms nothing."""
    lines = [
        json.loads(line)
        for line in (graded.folder / "course" / "ledger.jsonl").read_bytes().split(b"\n")
        if line.endswith(b"}")
    ]
    assert len({line["upload"] for line in lines}) == len(lines) == len({line["name"] for line in lines})
    assert {line["upload"] for line in lines} == set(graded.results())
    files = [path for path in (graded.folder / "uploads").rglob("*") if path.is_symlink() or path.is_file()]
    files = [path for path in files if path.name != "timestamp.txt" and path.parent.name != "closed"]
    assert len(lines) == len(files) + 1  # a folder that is closed has one line for all that is in it


@pytest.mark.slow
def test_what_can_be_read_has_all_points(graded):
    """Whatever it was wrapped in."""
    found = graded.by_student()
    for name in READABLE:
        assert found[name]["state"] == "graded" and grading_kit.lost(found[name]) == "", name


@pytest.mark.slow
def test_what_cannot_be_read_is_no_zero(graded):
    """It is unreadable, with a sentence, and has no score in any table."""
    found = graded.by_student()
    for name, (_, words) in UNREADABLE.items():
        assert found[name]["state"] == "unreadable" and words in found[name]["notes"][0]
    assert found["gus"]["state"] == found["linked"]["state"] == found["closed"]["state"] == "unreadable"


@pytest.mark.slow
def test_the_last_that_can_be_read_counts(graded):
    """A broken second upload does not destroy the first; a right second one replaces the first."""
    states = {(r["student"], r["upload"][-8:]): r["state"] for r in graded.results().values()}
    assert sorted(s for (student, _), s in states.items() if student == "twice") == ["graded", "unreadable"]
    assert sorted(s for (student, _), s in states.items() if student == "better") == ["graded", "superseded"] or sorted(
        s for (student, _), s in states.items() if student == "better"
    ) == ["graded", "unreadable"]


@pytest.mark.slow
def test_raw_bytes_are_kept(graded):
    """By their hash, as they came."""
    import hashlib

    kept = graded.folder / "course" / "raw"
    for path in kept.rglob("*"):
        if path.is_file():
            assert hashlib.sha256(path.read_bytes()).hexdigest() == path.name


class Clock:
    """A file whose clock was wrong."""

    parent = Path("/nowhere")

    def __init__(self, seconds):
        self.lstat = lambda: os.stat_result((0,) * 7 + (seconds,) * 3)


@pytest.mark.parametrize("seconds", [2**40, -(2**40), 2**62])
def test_a_wrong_clock_stops_nobody(seconds):
    """A time that no calendar has counts as the oldest."""
    assert upload_time(Clock(seconds))[0] == "1970-01-01T00:00:00+00:00"


def test_names_are_printed_as_they_are():
    """What moves a cursor is written out."""
    assert printable("Ünal\x1b[2J\n\u2028") == "Ünal\\x1b[2J\\n\\u2028"


def test_no_command_prints_a_name_that_moves_the_cursor(tmp_path, capsys):
    """Intake and status write it out; so does the sentence of an error."""
    from coursework.grading.course import Course, write
    from coursework.grading.key import make_key

    source = nbformat.read(grading_kit.SOURCE, as_version=4)
    course, uploads = Course(tmp_path / "course", new=True), tmp_path / "uploads\x1b[2J"
    write(
        course.folder / "keys" / "two-link.json", make_key("two-link", source, source, course.seed).to_json().encode()
    )
    (uploads / "ada").mkdir(parents=True)
    (uploads / "ada" / "a\x1b[2J\r\x9bK.ipynb").write_text("no notebook", encoding="utf-8")
    said = []
    for words in (["intake", "two-link", uploads], ["status", "two-link"], ["intake", "two-link", uploads / "none"]):
        main([*map(str, words), "--course", str(course.folder)])
        said.append("".join(capsys.readouterr()))
        assert all(sign.isprintable() or sign == "\n" for sign in said[-1]), words
    assert r"a\x1b[2J\r\x9bK.ipynb" in said[0] and r"a\x1b[2J\r\x9bK.ipynb" in said[1] and r"uploads\x1b[2J" in said[2]


@pytest.mark.slow
def test_odd_names_are_safe(graded):
    """No name of a student is a path, and two names never become one."""
    names = (
        [line["student"] for line in graded.ledger_lines()]
        if hasattr(graded, "ledger_lines")
        else list(graded.by_student())
    )
    assert all("/" not in name and not name.startswith(".") and "$" not in name for name in names)
    assert any(name.startswith("a-b-rm") for name in names)
