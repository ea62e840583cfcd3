"""What `eqproof check` found: a record for each step, and the three outputs that are made of records alone.

Lines with a caret for people; a document of JSON, of which `check-3.schema.json` beside this file is the schema; and SARIF
2.1.0, the format that annotations of a pull request are made of.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

WORDS = ("proven", "follows by lines above", "false", "undecided", "unread")
ALWAYS_TOLD = ("proven", "false", "undecided", "unread")
SCHEMA = Path(__file__).with_name("check-3.schema.json")
WIDTH = 100  # of an excerpt
RULES = {  # what SARIF tells: the verdict, its level, what it is, what to do
    "false": (
        "error",
        "A step of a derivation is no identity of its letters.",
        "Compare both sides at the whole numbers that the message gives, or say what the letters mean.",
    ),
    "unread": (
        "note",
        "A displayed formula is not read, or can be read in two ways.",
        "Write it as the message says, or define the command by newcommand in the same file.",
    ),
}


@dataclass(frozen=True)
class Used:
    """A line above that a step rests on: the cell of a notebook, else None, and the line in it, from 1."""

    cell: int | None
    line: int

    def __str__(self) -> str:
        """Return the place in words."""
        return f"line {self.line}" if self.cell is None else f"line {self.line} of cell {self.cell}"


@dataclass(frozen=True)
class Step:
    """One step of a derivation: where it stands, its two sides as they are printed, what became of it and why.

    cell: of a notebook, from 0, else None; line, column: of the term where both sides part, of the right side where it is not
    known, from 1, in the cell of a notebook; end_column: behind it; file_line, file_column: the same place in the file as it is
    stored, which is another one in a notebook; excerpt: that line of the text.
    verdict: proven, follows by lines above, false, undecided or unread; why: how it is known, the numbers at which it is false, or the declaration
    that would decide it; condition: what nobody said and has to hold for what is proven or follows, as "A, B are numbers", else "";
    rests_on: the lines above by which a step follows.
    """

    file: str
    cell: int | None
    line: int
    column: int
    end_column: int
    file_line: int
    file_column: int
    left: str
    relation: str
    right: str
    verdict: str
    why: str
    condition: str
    rests_on: tuple[Used, ...]
    excerpt: str

    @property
    def place(self) -> str:
        """The place as compilers tell it; a cell of a notebook stands behind a #."""
        cell = "" if self.cell is None else f"#{self.cell}"
        return f"{self.file}{cell}:{self.line}:{self.column}"

    @property
    def sentence(self) -> str:
        """The verdict with both sides and the reason."""
        sides = f"{self.left} {self.relation} {self.right}: " if self.right else ""
        where = f", if {self.condition}" if self.condition else ""
        by = f"with {', '.join(map(str, dict.fromkeys(self.rests_on)))} " if self.rests_on else ""
        return f"{self.verdict}{where}: {sides}{by}{self.why}"

    def __str__(self) -> str:
        """Return the step as compilers tell of one, on one line."""
        return f"{self.place}: {self.sentence}"


def as_lines(steps: Sequence[Step], quiet: bool = False) -> str:
    """Return the steps for people: a line each, with a caret under the place where one is false or not read.

    quiet: those alone that are false or not read.
    """
    lines = []
    for step in steps:
        if not quiet or step.verdict in RULES:
            lines.append(str(step))
        if step.verdict in RULES:
            start = max(0, step.column - 1 - WIDTH * 3 // 5)
            lines.append("    " + step.excerpt[start : start + WIDTH].replace("\t", " "))
            lines.append("    " + " " * (step.column - 1 - start) + "^")
    conditional = sum(bool(step.condition) and step.verdict == "proven" for step in steps)
    wordings = {"proven": f"proven ({conditional} on a condition)"} if conditional else {}
    counts = {word: x for word, x in count_verdicts(steps).items() if x or word in ALWAYS_TOLD}
    lines.append(", ".join(f"{number} {wordings.get(word, word)}" for word, number in counts.items()))
    return "\n".join(lines)


def count_verdicts(steps: Iterable[Step]) -> dict[str, int]:
    """Return {verdict: number of steps}."""
    verdicts = [step.verdict for step in steps]
    return {word: verdicts.count(word) for word in WORDS}


def as_document(steps: Sequence[Step], files: Sequence[str]) -> dict[str, Any]:
    """Return the steps of files as one document, of which check-3.schema.json is the schema."""
    return {
        "schema": "eqproof-check",
        "version": 3,
        "tool": {"name": "eqproof", "version": own_version()},
        "files": list(files),
        "counts": count_verdicts(steps),
        "steps": [asdict(step) for step in steps],
    }


def as_sarif(steps: Iterable[Step]) -> dict[str, Any]:
    """Return what is false and what is not read as a log of SARIF 2.1.0."""
    names = list(RULES)
    rules = [
        {
            "id": f"eqproof/{name}",
            "shortDescription": {"text": what},
            "help": {"text": way_on},
            "defaultConfiguration": {"level": level},
        }
        for name, (level, what, way_on) in RULES.items()
    ]
    results = [
        {
            "ruleId": f"eqproof/{step.verdict}",
            "ruleIndex": names.index(step.verdict),
            "level": RULES[step.verdict][0],
            "message": {"text": step.sentence},
            "locations": [{"physicalLocation": sarif_location(step)}],
            "partialFingerprints": {"eqproofStep/v1": fingerprint(step)},
        }
        for step in steps
        if step.verdict in RULES
    ]
    driver = {"name": "eqproof", "version": own_version(), "rules": rules}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }


def sarif_location(step: Step) -> dict[str, Any]:
    """Return the place of a step in its file as SARIF tells it."""
    path = PurePath(step.file)
    uri = path.as_uri() if path.is_absolute() else quote(path.as_posix())
    region = {"startLine": step.file_line, "startColumn": step.file_column}
    if step.cell is None:  # stored as it is read
        region["endColumn"] = step.end_column
    return {"artifactLocation": {"uri": "stdin" if step.file == "-" else uri}, "region": region}


def fingerprint(step: Step) -> str:
    """Return what names a finding whatever stands above it: its file, its verdict and its sides."""
    said = "\n".join((step.file, step.verdict, step.left, step.relation, step.right or step.excerpt.strip()))
    return hashlib.sha256(said.encode(errors="backslashreplace")).hexdigest()[:32]


def own_version() -> str:
    """Return the version of this package, 0 where it is not installed."""
    try:
        return version("eqproof")
    except PackageNotFoundError:
        return "0"


def schema() -> dict[str, Any]:
    """Return the JSON schema of the document that `eqproof check --json` prints."""
    return dict(json.loads(SCHEMA.read_text(encoding="utf-8")))
