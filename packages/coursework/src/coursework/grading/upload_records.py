"""What a platform notes beside the uploads of a class, in files of its own: when one came and whose it is, where no student can write."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from coursework.grading.reading import NoNotebook, raw_bytes
from coursework.grading.tables import read_table

NOTES = {
    "Gradescope": "submission_metadata.yml",
    "Sakai": "timestamp.txt",
}  # in which a platform says when each upload came
ENTRY = re.compile(r"(submission_\d+):\s*$")
FIELD = re.compile(r"  :(\w+):\s*(.*)$")  # of a submission; deeper are its history and what programs have written of it
PERSON = re.compile(r"(?:  |    )(?:- |  ):(sid|email|name):\s*(.*)$")
MOST_BYTES = 1000
WORKSHEET = "grading worksheet"  # of Moodle, where the teacher lays it beside the download


@dataclass(frozen=True)
class UploadRecord:
    """What a platform writes of one upload: its time, as it stands there, the file that says so, the names and ids of its people."""

    time: str
    source: str
    people: tuple[str, ...] = ()


def records_of(platform: str, entries: Iterable[Path], pattern: re.Pattern[str]) -> dict[str, UploadRecord]:
    """Return {name of an entry: what a platform notes of it}.  entries: files or folders, all in one folder; pattern: of their names."""
    found: dict[str, UploadRecord] = {}
    folders = sorted(set(entries))
    if platform == "Sakai":
        for folder in folders:
            text = _text(folder / NOTES["Sakai"])[:MOST_BYTES].strip()
            if text:
                found[unicodedata.normalize("NFC", folder.name)] = UploadRecord(text, NOTES["Sakai"])
    if platform == "Gradescope" and folders:
        found = _gradescopes(_text(folders[0].parent / NOTES["Gradescope"]))
    if platform == "Moodle" and folders:
        times = _of_worksheets(folders[0].parent)
        for name in (unicodedata.normalize("NFC", folder.name) for folder in folders):
            match = pattern.match(name)
            if match and match["person"] in times:
                found[name] = UploadRecord(times[match["person"]], WORKSHEET)
    return found


def _of_worksheets(folder: Path) -> dict[str, str]:
    """Return {number of a participant: when the work was handed in}, as Moodle's grading worksheets beside a download have it."""
    found = {}
    for path in sorted(folder.glob("Grades-*.csv")):
        try:
            _, rows = read_table(path)
        except (ValueError, OSError):
            continue
        for _, row in rows:
            time = (row.get("Last modified (submission)") or "").strip()
            if time not in ("", "-"):
                found[(row.get("Identifier") or "").rpartition(" ")[2]] = time
    return found


def _text(path: Path) -> str:
    """Return what a file of a platform says, "" where there is none that can be read."""
    try:
        return raw_bytes(path).decode("utf-8-sig", "replace")
    except NoNotebook:
        return ""


def _gradescopes(text: str) -> dict[str, UploadRecord]:
    """Return what Gradescope notes of each submission: YAML with the symbols of Ruby, of which a few lines are looked for."""
    found: dict[str, UploadRecord] = {}
    entry = ""
    field = ""
    for line in text.splitlines():
        if match := ENTRY.match(line):
            entry = match[1]
            field = ""
            found[entry] = UploadRecord("", NOTES["Gradescope"])
        elif not entry:
            continue
        elif field == "submitters" and (match := PERSON.match(line)):
            if value := _unquoted(match[2]):
                record = found[entry]
                found[entry] = UploadRecord(record.time, record.source, (*record.people, value))
        elif match := FIELD.match(line):
            field = match[1]
            if field == "created_at":
                found[entry] = UploadRecord(_unquoted(match[2]), NOTES["Gradescope"], found[entry].people)
    return found


def _unquoted(value: str) -> str:
    """Return a text without the quotes of YAML around it."""
    value = value.strip()
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
    return value[1:-1].replace("''", "'") if quoted else value
