"""The rows of "Where do I ..." in ARCHITECTURE.md, from comments beside the code: part of `make lint`, and `make format` writes them.

A comment line that begins with `where:`, such as `# where: add an integrator`, asks a question; the lines of comment below it are
the advice, and the line of code below names the place: a function, a class, a table; an empty line there, the file. Several comments
with one question make one row, in the order of their files.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bookbuild import ROOT

PAGE = "ARCHITECTURE.md"
BEGIN = "<!-- from comments beside the code: `make format` writes these rows -->"
END = "<!-- end of the rows -->"
COMMENT = re.compile(r"\s*(?:#|//|/\*|%)+\s?(.*?)\s*(?:\*/)?$")
QUESTION = re.compile(r"where: (\S.*)")
NAMES = (  # what a line of code names, by the ways that languages have
    re.compile(r"\s*(?:async )?(?:def|class|function|const|let) (\w+)"),
    re.compile(r"\s*\[+([\w.-]+)\]+"),
    re.compile(r"\s*([\w-]+)\s*(?::\s|(?::[^=]*)?=|\(\)\s*\{)"),
)
SOURCES = ("*.py", "*.js", "*.mjs", "*.css", "*.toml", "*.sh", "*.lark", "*.typ", "requirements.txt")


@dataclass(frozen=True)
class Answer:
    """One comment: its question, its advice in one line, the file from the root, and what the line below names ("": the file)."""

    question: str
    advice: str
    file: str
    name: str

    def text(self) -> str:
        """Return the place and the advice, as Markdown."""
        place = f"`{self.name}` in `{self.file}`" if self.name else f"`{self.file}`"
        return place + (f": {self.advice}" if self.advice else "")


def named(line: str) -> str:
    """Return what a line of code names, or nothing."""
    return next((found[1] for pattern in NAMES if (found := pattern.match(line))), "")


def answers_of(text: str, file: str) -> Iterator[Answer]:
    """Yield the answers that stand in the text of a file."""
    lines = text.splitlines()
    for i, line in enumerate(lines):
        comment = COMMENT.match(line)
        asked = QUESTION.fullmatch(comment[1]) if comment else None
        if not asked:
            continue
        advice = []
        below = i + 1
        while below < len(lines) and (more := COMMENT.match(lines[below])) and not QUESTION.fullmatch(more[1]):
            advice.append(more[1])
            below += 1
        while below < len(lines) and ((more := COMMENT.match(lines[below])) or lines[below].lstrip().startswith("@")):
            below += 1  # further questions, and decorators
        yield Answer(asked[1], " ".join(advice), file, named(lines[below]) if below < len(lines) else "")


def answers(paths: Iterable[Path]) -> list[Answer]:
    """Return the answers that stand in the files."""
    return [
        answer
        for path in sorted(paths)
        if path.is_file()
        for answer in answers_of(path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix())
    ]


def table(found: Iterable[Answer]) -> str:
    """Return the table, a row a question, in the order of the alphabet; a place is named as ARCHITECTURE.md names files."""
    rows: dict[str, list[str]] = {}
    for answer in found:
        rows.setdefault(answer.question, []).append(answer.text())
    lines = ["| question | place |", "|---|---|"]
    lines += [f"| {question} | {'; '.join(rows[question])} |" for question in sorted(rows, key=str.lower)]
    return re.sub(r"packages/(\w+)/src/\1/", r"\1/", "\n".join(lines))


def stale_rows(paths: Iterable[Path], fix: bool = False) -> list[str]:
    """Return a sentence if ARCHITECTURE.md has other rows than the comments say; fix: write them."""
    page = ROOT / PAGE
    text = page.read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        return [f"{PAGE}: the lines {BEGIN} and {END} must stand in it once each"]
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    new = f"{before}{BEGIN}\n\n{table(answers(paths))}\n\n{END}{after}"
    if new != text and fix:
        page.write_text(new, encoding="utf-8")
    elif new != text:
        return [f"{PAGE}: the rows of 'Where do I ...' are not those of the comments beside the code: make format"]
    return []
