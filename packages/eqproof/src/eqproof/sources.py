r"""The displays of a text that nobody prepared: .tex, .md, .qmd, .rst, .ipynb, each with its place in the file.

Comments, code and what is verbatim claim nothing and keep their places; commands that the text defines, by \newcommand, \def
or \DeclareMathOperator, are replaced by what they stand for.
"""

import json
import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import Path

from eqproof.blanks import CODE, VERBATIM, blank_environments, blank_match
from eqproof.errors import ProofError
from eqproof.notebooks import cells_of_markdown
from eqproof.openings import pieces
from eqproof.own_commands import COMMON, expand_commands, without_definitions
from eqproof.package_commands import with_package_commands
from eqproof.pages import COMMENT, INLINE_CODE, displays_in
from eqproof.words_in_formulas import with_words_as_names

KINDS = {".tex": "tex", ".md": "md", ".qmd": "md", ".rst": "rst", ".ipynb": "ipynb"}
MOST_COMPARED = 4_000_000  # pairs of characters in which a display is looked for in its source
VERB = re.compile(r"\\verb\*?([^a-zA-Z\s*])[^\n]*?\1")
DIRECTIVE = re.compile(
    r"^(?P<indent>[ \t]*)\.\. math::(?P<first>[^\n]*)\n(?P<body>(?:[ \t]*\n|(?P=indent)[ \t]+[^\n]*(?:\n|\Z))*)",
    re.MULTILINE,
)
NEVER_TYPESET = re.compile(r"\\iffalse(?![a-zA-Z]).*?\\(?:fi|else)(?![a-zA-Z])|\\end\{document\}.*", re.DOTALL)
OPTION = re.compile(r"^[ \t]*:[\w-]+:[^\n]*$", re.MULTILINE)
PARAGRAPH = re.compile(r"[^\n]*\S[^\n]*(?:\n[^\n]*\S[^\n]*)*")
NAMES = re.compile(r"\\(?:label|tag|ref|eqref|cite)\*?\s*\{[^{}]*\}")  # of equations, not of letters
TRANSPOSE = re.compile(
    r"(?<=[a-zA-Z)\]}])\s*\^\s*(?:T|\\(?:mathrm|text|mathsf|mathit|mathtt)\s*\{\s*T\s*\}|\{\s*(-?)\s*(?:T|\\(?:mathrm|text|mathsf)\s*\{?\s*T\s*\}?)\s*\})"
)
BOUND = re.compile(
    r"(\\(o?int|sum|prod)(\\limits)?\s*(_\s*(\{[^{}]*\}|\\?\w+))?|\]\s*_\s*(\{[^{}]*\}|\w)|(?<![a-zA-Z])e)\s*\^\s*\{?\s*T"
)


@dataclass(frozen=True)
class Source:
    """A text that holds displays: a file, or a cell of markdown in a notebook.

    kind: tex, md or rst; cell: its number, from 0, None for a file; stored: of each line (line, column) of its first character
    in the file as it is stored, empty where that is the text itself.
    """

    file: str
    text: str
    kind: str
    cell: int | None = None
    stored: tuple[tuple[int, int], ...] = ()

    @cached_property
    def breaks(self) -> list[int]:
        """Where lines end."""
        return [match.start() for match in re.finditer(r"\n", self.text)]

    def line_and_column(self, place: int) -> tuple[int, int]:
        """Return where a character stands in the text, from 1."""
        row = bisect_left(self.breaks, place)
        return row + 1, place - (self.breaks[row - 1] if row else -1)

    def line_around(self, place: int) -> str:
        """Return the line in which a character stands."""
        start = self.text.rfind("\n", 0, place) + 1
        end = self.text.find("\n", place)
        return self.text[start:] if end < 0 else self.text[start:end]

    def in_file(self, place: int) -> tuple[int, int]:
        """Return where a character stands in the file as it is stored: line and column, from 1."""
        line, column = self.line_and_column(place)
        if not self.stored:
            return line, column
        row, start = self.stored[min(line, len(self.stored)) - 1]
        before = self.line_around(place)[: column - 1]
        return row, start + len(json.dumps(before, ensure_ascii=False)) - 2


@dataclass(frozen=True)
class Display:
    """A displayed formula: its LaTeX as it is read, what was found for it in its source, and where that begins.

    broken: why it is not read, "" where it may be.
    """

    text: str
    source: Source
    found: str
    start: int
    broken: str = ""

    @cached_property
    def blocks(self) -> list[tuple[int, int, int]]:
        """The pieces (place in what was found, place in the text, length) that both share."""
        whole = self.found.find(self.text)
        if whole >= 0:
            return [(whole, 0, len(self.text)), (whole + len(self.text), len(self.text), 0)]
        if len(self.found) * len(self.text) > MOST_COMPARED:
            return [(0, 0, 0)]
        return [(*x,) for x in SequenceMatcher(None, self.found, self.text, autojunk=False).get_matching_blocks()]

    def place(self, at: int) -> int:
        """Return where a character of the text stands in the source; its begin where that would take too long to find."""
        a, b, size = next(x for x in self.blocks if at < x[1] + x[2] or x[2] == 0)
        return self.start + (a + max(0, at - b) if size or len(self.blocks) > 1 else 0)


def sources(path: str | Path) -> list[Source]:
    """Return the texts of a file; raise OSError or ValueError with one sentence where it cannot be read."""
    name = str(path)
    if not name or not name.isprintable():
        raise ValueError("a name must be one line of signs that can be printed")
    path = Path(path)
    kind = KINDS.get(path.suffix.lower())
    if path.is_dir():
        raise ValueError("it is a folder: name its files")
    if kind is None:
        raise ValueError(
            f"eqproof check reads {', '.join(KINDS)}, and - as LaTeX; its name ends in {path.suffix or 'none'}"
        )
    try:
        raw = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(not_utf8(error)) from None
    except FileNotFoundError:
        raise ValueError("there is no such file") from None
    except OSError as error:
        raise ValueError(error.strerror or "the system refuses it") from None
    return sources_in(raw, name, kind)


def not_utf8(error: UnicodeDecodeError) -> str:
    """Return that a text is not in UTF-8, and where."""
    row = error.object.count(b"\n", 0, error.start) + 1
    return f"it is no text in UTF-8: line {row} holds the byte {error.object[error.start]:#04x}; save it as UTF-8"


def sources_in(raw: str, file: str, kind: str) -> list[Source]:
    """Return the texts in the contents of a file of a kind: tex, md, rst or ipynb; raise ValueError at what is no notebook."""
    if kind != "ipynb":
        return [Source(file, raw, kind)]
    return [Source(file, text, "md", i, stored) for i, text, stored in cells_of_markdown(raw)]


def with_comments(source: Source) -> str:
    """Return the text of a source without what is verbatim, code or never typeset, each comment at its place."""
    if source.kind == "tex":
        return NEVER_TYPESET.sub(blank_match, blank_environments(VERBATIM, source.text))
    return INLINE_CODE.sub(blank_match, blank_environments(CODE, source.text)) if source.kind == "md" else source.text


def definitions_in(text: str) -> dict[str, str]:
    """Return what the commands stand for that a text of LaTeX defines."""
    return without_definitions(COMMENT.sub(blank_match, text))[1]


def displays(source: Source, commands: dict[str, str] | None = None) -> Iterator[Display]:
    """Yield the displays of a source, what is commented out or code left out, the author's commands replaced.

    commands: those of other texts; the text's own come first.
    """
    text = source.text
    if source.kind == "tex":
        text = VERB.sub(blank_match, blank_environments(VERBATIM, COMMENT.sub(blank_match, text)))
        text = NEVER_TYPESET.sub(blank_match, text)
    elif source.kind == "md":
        text = INLINE_CODE.sub(blank_match, blank_environments(CODE, text))
    text, own = without_definitions(text)
    author = (commands or {}) | own
    macros = COMMON | author
    for found, start, body, broken in in_rst(text) if source.kind == "rst" else in_markdown(text, source):
        try:
            if not broken:
                body = with_package_commands(expand_commands(body, author), author)
                body = with_transposes(with_words_as_names(expand_commands(body, macros)))
        except ProofError as error:
            broken = error.sentence
        if body.strip() or broken:
            yield Display(body, source, found, start, broken)


def with_transposes(latex: str) -> str:
    r"""Return a formula with ^\top for ^T, if T is no letter of it otherwise: a base that is no number, and no bound of a sum."""
    printed = re.sub(r"\\[a-zA-Z]+", "", NAMES.sub("", latex))
    if re.search(r"T", TRANSPOSE.sub("", printed)) or BOUND.search(latex):
        return latex
    return TRANSPOSE.sub(lambda match: rf"^{{{match[1] or ''}\top}}", latex)


def in_markdown(text: str, source: Source) -> Iterator[tuple[str, int, str, str]]:
    """Yield (what was found, where, the LaTeX in it, why it has no end) of the displays in a text of LaTeX or markdown."""
    for piece in pieces(text, source.text, paragraphs=source.kind == "tex"):
        found = text[piece.start : piece.end]
        if piece.broken:
            yield found, piece.start, "", piece.broken
            continue
        for display in displays_in(found, source.file):
            yield found, piece.start, display.text, ""


def in_rst(text: str) -> Iterator[tuple[str, int, str, str]]:
    """Yield (what was found, where, the LaTeX in it, "") of the math directives of reStructuredText; a blank line parts formulas."""
    for match in DIRECTIVE.finditer(text):
        body = OPTION.sub(blank_match, match["first"] + "\n" + match["body"])
        for paragraph in PARAGRAPH.finditer(body):
            latex = paragraph.group()
            start = match.start("first") + paragraph.start()
            inside = next((x.text for x in displays_in(latex, "")), None) if r"\begin{" in latex else None
            rows = r"\\" in latex or re.search(r"(?<!\\)&", latex)
            plain = rf"\begin{{aligned}}{latex}\end{{aligned}}" if rows and r"\begin" not in latex else latex
            yield latex, start, inside or plain.strip(), ""
