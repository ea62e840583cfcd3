"""Writes a page in the Markdown that every program shows: directives, roles, labels and marks of MyST become text, HTML and links.

It knows the few kinds of MyST that the book uses, and refuses any other. What a label is called, and where it leads, it asks
the `page` that it is given: page.reference(role, label, words), page.link(words, to), page.equation(label),
page.named(kind, label), page.heading(words), page.term_anchor(term).
"""

import re
from typing import Protocol

from docutils.nodes import make_id

from bookbuild.slide_choices import strip_marks

FENCE = re.compile(r"(?P<marks>:{3,}|`{3,})(?:\{(?P<name>[\w-]+)\})? *(?P<title>.*)$")
OPTION = re.compile(r":([\w-]+): *(.*)$")
TARGET = re.compile(r"\(([\w-]+)\)=$")
EQUATION = re.compile(r"\$\$(?: *\(([\w-]+)\))?([.,;]?)$")
HEADING = re.compile(r"(#+) +(.*)$")
TOKEN = re.compile(
    r"\{(?P<role>[\w:]+)\}`(?P<target>[^`]+)`"
    r"|(?P<kept>(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)|\$(?:\\.|[^$\\])+\$|\\.)"
    r"|(?<!!)\[(?P<words>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<to>[^()\s]*)\)",
    re.S,
)


class Page(Protocol):
    """What the writer asks of the page: numbers, words and links of its labels."""

    def heading(self, words: str) -> str: ...
    def equation(self, label: str) -> str: ...
    def named(self, kind: str, label: str) -> str: ...
    def term_anchor(self, term: str) -> str: ...
    def reference(self, role: str, label: str, words: str) -> str: ...
    def link(self, words: str, to: str) -> str: ...


def to_commonmark(text: str, page: Page, solutions: bool = True) -> str:
    """Return a text of MyST as plain Markdown, without marks for slides; without solutions, nothing of them is left."""
    return "\n".join(CommonMarkWriter(page, solutions).convert_lines(strip_marks(text).splitlines())).strip("\n")


class CommonMarkWriter:
    """Writes lines of MyST as lines of CommonMark, block by block."""

    def __init__(self, page: Page, solutions: bool) -> None:
        self.page = page
        self.solutions = solutions

    def convert_lines(self, lines: list[str], quoted: bool = False) -> list[str]:
        """Return the lines of plain Markdown that some lines of MyST make; in a quote, a formula stands on one line."""
        made = []
        words: list[str] = []
        k = 0

        def flush() -> None:
            made.extend(self.inline("\n".join(words)).split("\n") if words else [])
            words.clear()

        while k < len(lines):
            line = lines[k]
            if fence := FENCE.match(line):
                end = _end_of_fence(lines, k, fence["marks"])
                flush()
                if fence["name"]:
                    made += self.directive(fence["name"], fence["title"], lines[k + 1 : end])
                else:
                    made += lines[k : end + 1]
                k = end
            elif line.startswith("$$"):
                flush()
                end, label = _end_of_equation(lines, k)
                made += self.equation(lines[k + 1 : end], label, quoted)
                k = end
            elif line.startswith(">"):
                flush()
                end = _end_of_quote(lines, k)
                made += _block_quote(self.convert_lines([x[1:].removeprefix(" ") for x in lines[k:end]], quoted=True))
                k = end - 1
            elif target := TARGET.match(line):
                flush()
                made += _anchor(target[1])
            elif heading := HEADING.match(line):
                flush()
                made.append(f"{heading[1]} {self.page.heading(self.inline(heading[2]))}")
            elif not line:
                flush()
                made.append("")
            else:
                words.append(line)
            k += 1
        flush()
        return made

    def equation(self, formula: list[str], label: str | None, quoted: bool) -> list[str]:
        """Return a displayed equation with its number."""
        number = [f"\\tag{{{self.page.equation(label)}}}"] if label else []
        whole = ["$$", *formula, *number, "$$"]
        return [*(_anchor(f"equation-{label}") if label else []), *([" ".join(whole)] if quoted else whole)]

    # where: teach the notebooks that leave the book another directive
    # writes plain Markdown; `bookbuild.download_notebooks` puts the notebooks, wheels and zip beside the pages
    def directive(self, name: str, title: str, body: list[str]) -> list[str]:
        """Return what stands for a directive."""
        options = {}
        while body and (option := OPTION.match(body[0])):
            options[option[1]] = option[2]
            body = body[1:]
        if name == "solution":
            return self.fold("Solution", body) if self.solutions else []
        if name == "dropdown":
            return self.fold(title, body)
        if name == "exercise":
            label = options["label"]
            title = f" · {self.inline(title)}" if title else ""
            return [
                *_anchor(label),
                f"**{self.page.named('exercise', label)}**{title}",
                "",
                *_trimmed(self.convert_lines(body)),
            ]
        if name in ("admonition", "warning"):
            words = self.inline(title) if name == "admonition" else name.capitalize()
            return _block_quote([f"**{words}**", "", *_trimmed(self.convert_lines(body, quoted=True))])
        if name in ("table", "container", "grid"):
            return _trimmed(self.convert_lines(body))
        if name == "grid-item-card":
            return [f"**{self.inline(title)}**", "", *_trimmed(self.convert_lines(body)), ""]
        if name == "glossary":
            return self.glossary(body)
        raise ValueError(
            f"no plain Markdown stands for the directive {name}; bookbuild.myst_to_commonmark can be taught it"
        )

    def glossary(self, lines: list[str]) -> list[str]:
        """Return the entries of a glossary, each term in bold above what it means, with the anchor that links to it ask for."""
        made: list[str] = []
        for line in lines:
            if line and not line.startswith(" "):
                made += [f'<a id="{self.page.term_anchor(line)}"></a>', "", f"**{self.inline(line)}**", ""]
            else:
                made += [self.inline(line.strip())]
        return _trimmed(made)

    def fold(self, title: str, body: list[str]) -> list[str]:
        """Return what unfolds at a click, in every program: HTML around Markdown, with empty lines between them."""
        return [
            f"<details><summary><b>{title}</b></summary>",
            "",
            *_trimmed(self.convert_lines(body)),
            "",
            "</details>",
        ]

    def inline(self, text: str) -> str:
        """Return a paragraph with its roles and links resolved; code and formulas stay."""

        def one(found: re.Match[str]) -> str:
            if found["kept"]:
                return found["kept"]
            if found["role"]:
                words, _, label = found["target"].rpartition("<")
                label = label.removesuffix(">")
                return self.page.reference(found["role"], label, self.inline(words.strip()))
            return self.page.link(self.inline(found["words"]), found["to"])

        return TOKEN.sub(one, text)


def _end_of_fence(lines: list[str], start: int, marks: str) -> int:
    """Return the number of the line that ends a fence."""
    for k in range(start + 1, len(lines)):
        if lines[k].rstrip() == marks:
            return k
    raise ValueError(f"a fence does not end: {lines[start]!r}")


def _end_of_equation(lines: list[str], start: int) -> tuple[int, str | None]:
    """Return the number of the line that ends a displayed equation, and its label if it has one."""
    for k in range(start + 1, len(lines)):
        if lines[start] == "$$" and (match := EQUATION.match(lines[k])):
            return k, match[1]
    raise ValueError(f"a displayed equation stands between two lines of its own, got {lines[start]!r}")


def _end_of_quote(lines: list[str], start: int) -> int:
    """Return the number of the first line after a quote."""
    return next((k for k in range(start, len(lines)) if not lines[k].startswith(">")), len(lines))


def _anchor(name: str) -> list[str]:
    return [f'<a id="{make_id(name)}"></a>', ""]


def _block_quote(lines: list[str]) -> list[str]:
    return [f"> {line}".rstrip() for line in lines]


def _trimmed(lines: list[str]) -> list[str]:
    """Return lines without the empty ones at both ends."""
    return "\n".join(lines).strip("\n").split("\n")
