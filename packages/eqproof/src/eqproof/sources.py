r"""The displays of a text that nobody prepared: .tex, .md, .qmd, .rst, .ipynb, each with its place in the file.

Comments, code and what is verbatim claim nothing and keep their places; commands that the text defines, by \newcommand, \def
or \DeclareMathOperator, are replaced by what they stand for.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import Path

from eqproof.pages import COMMENT, DISPLAY, displays_in
from eqproof.project import expand

KINDS = {".tex": "tex", ".md": "md", ".qmd": "md", ".rst": "rst", ".ipynb": "ipynb"}
CODE = re.compile(  # also the cells of Quarto; a directive such as math or warning is none
    r"^[ \t]*(`{3,}|~{3,})([ \t]*\w*[ \t]*$|[ \t]*\{(?:code|python|r|julia|ojs|mermaid|dot)\b).*?^[ \t]*\1[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
VERBATIM = re.compile(r"\\begin\{(verbatim|lstlisting|minted|comment)\}.*?\\end\{\1\}", re.DOTALL)
DIRECTIVE = re.compile(
    r"^(?P<indent>[ \t]*)\.\. math::(?P<first>[^\n]*)\n(?P<body>(?:[ \t]*\n|(?P=indent)[ \t]+[^\n]*(?:\n|\Z))*)",
    re.MULTILINE,
)
OPTION = re.compile(r"^[ \t]*:[\w-]+:[^\n]*$", re.MULTILINE)
PARAGRAPH = re.compile(r"[^\n]*\S[^\n]*(?:\n[^\n]*\S[^\n]*)*")
DEFINITION = re.compile(
    r"\\(?:(?:re|provide)?newcommand\*?\s*(?:\{\s*(\\[a-zA-Z]+)\s*\}|(\\[a-zA-Z]+))\s*(?:\[(\d)\])?"
    r"|def\s*(\\[a-zA-Z]+)((?:#\d)*)|(DeclareMathOperator)\*?\s*\{\s*(\\[a-zA-Z]+)\s*\})\s*(?=\{)"
)
TRANSPOSE = re.compile(
    r"(?<=[a-zA-Z)\]}])\s*\^\s*(?:T|\{\s*(-?)\s*(?:T|\\(?:mathrm|text|mathsf)\s*\{?\s*T\s*\}?)\s*\})"
)
BOUND = re.compile(
    r"(\\(o?int|sum|prod)(\\limits)?\s*(_\s*(\{[^{}]*\}|\\?\w+))?|\]\s*_\s*(\{[^{}]*\}|\w)|(?<![a-zA-Z])e)\s*\^\s*\{?\s*T"
)
COMMON = {  # of packages that many load; what the text defines itself comes first
    r"\abs": r"\lvert #1\rvert",
    r"\norm": r"\lVert #1\rVert",
    r"\dv": r"\frac{d #1}{d #2}",
    r"\pdv": r"\frac{\partial #1}{\partial #2}",
    r"\vb": r"\mathbf{#1}",
    r"\dd": r"d #1",
}


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

    def line_and_column(self, place: int) -> tuple[int, int]:
        """Return where a character stands in the text, from 1."""
        return self.text.count("\n", 0, place) + 1, place - self.text.rfind("\n", 0, place)

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
    """A displayed formula: its LaTeX as it is read, what was found for it in its source, and where that begins."""

    text: str
    source: Source
    found: str
    start: int

    @cached_property
    def blocks(self) -> list[tuple[int, int, int]]:
        """The pieces (place in what was found, place in the text, length) that both share."""
        return [(*x,) for x in SequenceMatcher(None, self.found, self.text, autojunk=False).get_matching_blocks()]

    def place(self, at: int) -> int:
        """Return where a character of the text stands in the source."""
        a, b, _ = next(x for x in self.blocks if at < x[1] + x[2] or x[2] == 0)
        return self.start + a + max(0, at - b)


def sources(path: str | Path) -> list[Source]:
    """Return the texts of a file; raise OSError or ValueError where it cannot be read."""
    path = Path(path)
    if path.suffix not in KINDS:
        raise ValueError(
            f"eqproof check reads {', '.join(KINDS)}, and - as LaTeX; its name ends in {path.suffix or 'none'}"
        )
    return sources_in(path.read_text(encoding="utf-8"), str(path), KINDS[path.suffix])


def sources_in(raw: str, file: str, kind: str) -> list[Source]:
    """Return the texts in the contents of a file of a kind: tex, md, rst or ipynb."""
    if kind != "ipynb":
        return [Source(file, raw, kind)]
    cells = json.loads(raw).get("cells")
    if not isinstance(cells, list):
        raise ValueError("it is no notebook: it has no cells")
    found, at = [], 0
    for i, cell in enumerate(cells):
        lines = cell["source"].splitlines(keepends=True) if isinstance(cell["source"], str) else cell["source"]
        if cell["cell_type"] == "markdown":
            stored, at = stored_lines(raw, lines, at)
            found.append(Source(file, "".join(lines), "md", i, stored))
    return found


def stored_lines(raw: str, lines: list[str], at: int) -> tuple[tuple[tuple[int, int], ...], int]:
    """Return (where lines of a cell stand in the text of a notebook as (line, column), from 1; where the last one ends)."""
    places = []
    for line in lines:
        written = [json.dumps(line, ensure_ascii=ascii)[1:-1] for ascii in (False, True)]
        starts = [x for x in (raw.find(text, at) for text in written) if x >= 0]
        start = min(starts, default=at)
        places.append((raw.count("\n", 0, start) + 1, start - raw.rfind("\n", 0, start)))
        at = start + len(written[0]) if starts else at
    return tuple(places), at


def blank(match: re.Match[str]) -> str:
    """Return as many spaces as what was found has characters, its lines kept."""
    return re.sub(r"[^\n]", " ", match.group())


def displays(source: Source) -> Iterator[Display]:
    """Yield the displays of a source, what is commented out or code left out, the text's own commands replaced."""
    text = source.text
    if source.kind == "tex":
        text = VERBATIM.sub(blank, COMMENT.sub(blank, text))
    elif source.kind == "md":
        text = CODE.sub(blank, text)
    text, macros = without_definitions(text)
    for found, start, body in in_rst(text) if source.kind == "rst" else in_markdown(text, source.file):
        body = with_transposes(expand(body, macros))
        if body.strip():
            yield Display(body, source, found, start)


def with_transposes(latex: str) -> str:
    r"""Return a formula with ^\top for ^T, if T is no letter of it otherwise: a base that is no number, and no bound of a sum."""
    if re.search(r"T", TRANSPOSE.sub("", re.sub(r"\\[a-zA-Z]+", "", latex))) or BOUND.search(latex):
        return latex
    return TRANSPOSE.sub(lambda match: rf"^{{{match[1] or ''}\top}}", latex)


def in_markdown(text: str, file: str) -> Iterator[tuple[str, int, str]]:
    """Yield (what was found, where, the LaTeX in it) of the displays in a text of LaTeX or markdown."""
    for match in DISPLAY.finditer(text):
        for display in displays_in(match.group(), file):
            yield match.group(), match.start(), display.text


def in_rst(text: str) -> Iterator[tuple[str, int, str]]:
    """Yield (what was found, where, the LaTeX in it) of the math directives of reStructuredText; a blank line parts formulas."""
    for match in DIRECTIVE.finditer(text):
        body = OPTION.sub(blank, match["first"] + "\n" + match["body"])
        for paragraph in PARAGRAPH.finditer(body):
            latex = paragraph.group()
            start = match.start("first") + paragraph.start()
            inside = next((x.text for x in displays_in(latex, "")), None) if r"\begin{" in latex else None
            rows = r"\\" in latex or re.search(r"(?<!\\)&", latex)
            plain = rf"\begin{{aligned}}{latex}\end{{aligned}}" if rows and r"\begin" not in latex else latex
            yield latex, start, inside or plain.strip()


def without_definitions(text: str) -> tuple[str, dict[str, str]]:
    r"""Return (the text with spaces where it defines commands, {command: what it stands for}), with those of common packages."""
    macros: dict[str, str] = {}
    for match in [*DEFINITION.finditer(text)]:
        end = closing(text, match.end())
        name = match[1] or match[2] or match[4] or match[7]
        body = text[match.end() + 1 : end - 1]
        if name and end:
            macros[name] = rf"\operatorname{{{body}}}" if match[6] else body
            text = text[: match.start()] + re.sub(r"[^\n]", " ", text[match.start() : end]) + text[end:]
    return text, COMMON | macros


def closing(text: str, start: int) -> int:
    """Return where the brace that opens at a place is closed, behind it; 0 where it is not."""
    depth = 0
    for match in re.finditer(r"\\.|[{}]", text[start:], re.DOTALL):
        depth += {"{": 1, "}": -1}.get(match.group(), 0)
        if depth == 0 and match.group() == "}":
            return start + match.end()
    return 0
