"""Odd uploads: each gets one line in the ledger and one state; what can be read is graded, what cannot says why."""

import gzip
import io
import json
import os
import zipfile

import grading_kit
import pytest

from robotdyn.grading.reading import MOST_BYTES, NoNotebook, cells_of, raw_bytes


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


def new_format():
    return grading_kit.solved() | {"nbformat": 5, "nbformat_minor": 99, "news": {}}


READABLE = {
    "bytes-mark": b"\xef\xbb\xbf" + text().encode(),
    "utf16": text().encode("utf-16"),
    "zip": zipped({"home/ada/two-link (1).ipynb": text()}),
    "zip-of-a-mac": zipped(
        {"__MACOSX/._two-link.ipynb": b"\0", "two-link.ipynb": text(), ".ipynb_checkpoints/two-link.ipynb": "{}"}
    ),
    "zip-in-a-zip": zipped({"all.zip": zipped({"two-link.ipynb": text()})}),
    "zip-with-two": zipped({"other.ipynb": json.dumps({"cells": [], "nbformat": 4}), "mine.ipynb": text()}),
    "old-format": text(old_format()),
    "new-format": text(new_format()),
    "renamed": text(),
}
UNREADABLE = {
    "empty": (b"", "empty"),
    "blank": (b" \n ", "empty"),
    "cut-short": (text()[:3000], "JSON"),
    "words": ("I could not do it", "JSON"),
    "pdf": (b"%PDF-1.7\n\xff\xfe\x00", "a PDF"),
    "page": ("<html></html>", "an HTML page"),
    "a-list": ("[1, 2]", "no notebook"),
    "no-cells": ('{"nbformat": 4}', "no cells"),
    "deep": ("[" * 200_000 + "]" * 200_000, "nested"),
    "merge-marks": (text().replace('"cells"', '<<<<<<< HEAD\n"cells"', 1), "JSON"),
    "broken-zip": (zipped({"a.ipynb": text()})[:-200], "zip is broken"),
    "empty-zip": (zipped({}), "JSON"),
    "zip-without": (zipped({"a.txt": "x"}), "no notebook"),
    "zip-bomb": (zipped({"a.ipynb": b" " * (MOST_BYTES + 10)}), "more than"),
    "many-cells": (json.dumps({"cells": [{}] * 3000}), "cells"),
    "gzip": (gzip.compress(text().encode()), "JSON"),
    "cells-of-nothing": ('{"cells": 7}', "no cells"),
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


def test_only_plain_files_are_opened(tmp_path):
    """A link is not followed, a pipe not waited for, a large file not read."""
    (tmp_path / "link").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "pipe")
    with open(tmp_path / "large", "wb") as file:
        file.truncate(MOST_BYTES + 1)
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
    trouble = grading_kit.sandbox_trouble()
    if trouble:
        pytest.skip(trouble)
    course = grading_kit.Class()
    course("release", grading_kit.SOURCE, "--due", "2020-01-02 00:00 UTC")
    names = {"renamed": "my homework FINAL(2).ipynb.txt"}
    course.take({f"{name}/{names.get(name, 'two-link.ipynb')}": raw for name, raw in READABLE.items()})
    course.take({f"{name}/two-link.ipynb": raw for name, (raw, _) in UNREADABLE.items()})
    place = course.folder / "uploads"
    again = {"twice/a.ipynb": text(), "twice/b.ipynb": "broken", "better/a.ipynb": "{}", "better/b.ipynb": text(),
             "late/x.ipynb": text(), "../uploads/Ünal Ö/x.ipynb": text(), "a$b;rm -rf/x.ipynb": text()}  # fmt: skip
    course.take(again)
    for name, when in (("twice/a", 1), ("twice/b", 2), ("better/a", 1), ("better/b", 2)):
        os.utime(place / f"{name}.ipynb", (1e9 + when, 1e9 + when))
    (place / "late" / "timestamp.txt").write_text("2020-01-02 01:00:00 UTC\n")
    (place / "linked").symlink_to("/etc")
    (place / "gus_x.ipynb").symlink_to(place / "late" / "x.ipynb")
    (course.folder / "course" / "ledger.jsonl").unlink()  # enter them anew, with these times
    course("intake", "two-link", place)
    with open(course.folder / "course" / "ledger.jsonl", "a") as file:
        file.write('{"upload": "cut short by a cra')
    course("intake", "two-link", place)
    course("run", "two-link", "--workers", "2")
    yield course
    course.remove()


def test_every_upload_has_one_line_and_one_state(graded):
    """A second intake adds nothing, a torn line harms nothing."""
    lines = [
        json.loads(line)
        for line in (graded.folder / "course" / "ledger.jsonl").read_text().splitlines()
        if line.endswith("}")
    ]
    assert len({line["upload"] for line in lines}) == len(lines) == len({line["name"] for line in lines})
    assert {line["upload"] for line in lines} == set(graded.results())
    files = [path for path in (graded.folder / "uploads").rglob("*") if path.is_symlink() or path.is_file()]
    assert len(lines) == len([path for path in files if path.name != "timestamp.txt"])


def test_what_can_be_read_has_all_points(graded):
    """Whatever it was wrapped in."""
    found = graded.by_student()
    for name in READABLE:
        assert found[name]["state"] == "graded" and grading_kit.lost(found[name]) == "", name


def test_what_cannot_be_read_is_no_zero(graded):
    """It is unreadable, with a sentence, and has no score in any table."""
    found = graded.by_student()
    for name, (_, words) in UNREADABLE.items():
        assert found[name]["state"] == "unreadable" and words in found[name]["notes"][0]
    assert found["gus"]["state"] == found["linked"]["state"] == "unreadable"


def test_the_last_that_can_be_read_counts(graded):
    """A broken second upload does not destroy the first; a right second one replaces the first."""
    states = {(r["student"], r["upload"][-8:]): r["state"] for r in graded.results().values()}
    assert sorted(s for (student, _), s in states.items() if student == "twice") == ["graded", "unreadable"]
    assert sorted(s for (student, _), s in states.items() if student == "better") == ["graded", "superseded"] or sorted(
        s for (student, _), s in states.items() if student == "better"
    ) == ["graded", "unreadable"]


def test_raw_bytes_are_kept(graded):
    """By their hash, as they came."""
    import hashlib

    kept = graded.folder / "course" / "raw"
    for path in kept.rglob("*"):
        if path.is_file():
            assert hashlib.sha256(path.read_bytes()).hexdigest() == path.name


def test_odd_names_are_safe(graded):
    """No name of a student is a path, and two names never become one."""
    names = (
        [line["student"] for line in graded.ledger_lines()]
        if hasattr(graded, "ledger_lines")
        else list(graded.by_student())
    )
    assert all("/" not in name and not name.startswith(".") and "$" not in name for name in names)
    assert any(name.startswith("a-b-rm") for name in names)
