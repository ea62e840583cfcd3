"""What a notebook says of its slides, read without a build: marks in its text, labels in the metadata of its cells.

A mark ends the line of the sentence it is about, is seen in no program, and goes where the sentence goes: `<!-- slide -->`
shows the sentence, `<!-- no slide -->` leaves it off. `"slides": {"leave": ["eq-label", "fig-label"]}` in a cell's metadata
leaves off what the same cell labels; the tag `no-slide` leaves off a cell of code with what it shows.
"""

import re
from collections.abc import Iterator
from typing import Any

SHOW = "slide"
LEAVE = "no slide"
MARK = re.compile(r"<!--\s*(.*?)\s*-->")
MARK_WITH_SPACE = re.compile(rf" ?<!--\s*(?:{SHOW}|{LEAVE})\s*-->")
LABEL = re.compile(r"^\$\$ *\(([\w-]+)\)|^:(?:name|label): *([\w-]+)|^\(([\w-]+)\)=", re.M)
FENCE = re.compile(r"(:{3,}|`{3,})")
HEADING = re.compile(r"#+ +(.*)$")
SEPARATE_SECTIONS = ("Exercises", "Further reading")  # sections that a lecture shows otherwise, or not
HOW_TO_MARK = f"end the line of a sentence with <!-- {SHOW} --> or <!-- {LEAVE} -->"


def strip_marks(text: str) -> str:
    """Return a text without its marks."""
    return MARK_WITH_SPACE.sub("", text)


def omitted_labels(notebook: dict[str, Any]) -> list[str]:
    """Return the labels that the cells of a notebook leave off its slides."""
    return [label for cell in notebook["cells"] for label in cell["metadata"].get("slides", {}).get("leave", ())]


def defined_labels(cell: dict[str, Any]) -> set[str]:
    """Return the labels that a cell gives: to equations, boxes and figures."""
    figure = cell["metadata"].get("mystnb", {}).get("figure", {}).get("name")
    found = ["".join(groups) for groups in LABEL.findall("".join(cell["source"]))]
    return {*found, figure} - {None}


def problems(notebook: dict[str, Any], page: str) -> list[str]:
    """Return a sentence for each choice of a notebook that has no effect: page, cell, what it says, the way on."""
    found = []
    apart = False
    for cell in notebook["cells"]:
        where = f'{page}, cell "{cell["id"]}"'
        found += [f"{where}: {problem}" for problem in _metadata_problems(cell)]
        if cell["cell_type"] == "markdown":
            problem, apart = _text_problems("".join(cell["source"]).splitlines(), apart)
            found += [f"{where}: {sentence}" for sentence in problem]
    return found


def _metadata_problems(cell: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the metadata of a cell."""
    chosen = cell["metadata"].get("slides", {})
    if not isinstance(chosen, dict):
        yield f'"slides" is {{"leave": [labels]}}, got {chosen!r}'
        return
    for key in sorted(set(chosen) - {"leave"}):
        yield f'"slides" has the key "leave" alone, got "{key}"; to choose sentences, {HOW_TO_MARK}'
    known = defined_labels(cell)
    for label in chosen.get("leave", ()):
        if label not in known:
            have = f"which are {', '.join(sorted(known))}" if known else "which gives none"
            yield f'"leave" names labels of its own cell, {have}, got "{label}"; correct it or take it out'


def _text_problems(lines: list[str], apart: bool) -> tuple[list[str], bool]:
    """Return (what is wrong with the marks in the lines of a cell, whether it ends in a section that stands apart)."""
    found = []
    fences: list[str] = []
    for line in lines:
        if fence := FENCE.match(line):
            if fences and line.strip() == fences[-1]:
                fences.pop()
            elif not fences or fences[-1][0] == ":":
                fences.append(fence[1])
        elif (heading := HEADING.match(line)) and not fences:
            apart = heading[1] in SEPARATE_SECTIONS
        found += [f"{problem}, got {line[-90:]!r}" for problem in _line_problems(line, bool(fences), apart)]
    return found, apart


def _line_problems(line: str, folded: bool, apart: bool) -> Iterator[str]:
    """Yield what is wrong with the marks of one line."""
    marks = MARK.findall(line)
    if unknown := [mark for mark in marks if mark not in (SHOW, LEAVE)]:
        yield f"a mark is <!-- {SHOW} --> or <!-- {LEAVE} -->, not {unknown[0]!r}"
    elif len(marks) > 1 or (marks and not line.endswith("-->")):
        yield "a mark ends the line of its sentence, one a line"
    elif marks and (folded or apart or not re.match(r"(?!<!--|[-*] |\d+\. )[^#|>\s]", line)):
        yield "a mark is for a sentence of a paragraph: lists, boxes, folds and exercises have rules of their own"
