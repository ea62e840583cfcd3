"""The sentences of a paragraph of the built book, with their marks, and what a slide makes of each."""

import re
from typing import Any, NamedTuple

from bs4 import BeautifulSoup, Comment, NavigableString, Tag

from bookbuild import slide_choices

KEYBOARD_SIGNS: dict[str, str | int | None] = {"’": "'", "‘": "'", "“": '"', "”": '"', "…": "...", "–": "-"}
QUESTION_SENTENCES = 3  # sentences of a question, at most
LEAD_LENGTH = 240  # letters of a sentence that leads to an equation, at most
GOAL_OPENINGS = ("After this page", "After this chapter")


class Sentence(NamedTuple):
    """A sentence of a page, a line of the source: as HTML, as text without formulas, and what its mark says, or ""."""

    html: str
    text: str
    mark: str


def is_question(kept: list[Sentence]) -> bool:
    """Return whether sentences are a question to show as one: of a reader before a figure, or a short one."""
    if not kept:
        return False
    return kept[0].text.startswith("Before you") or (kept[-1].text.endswith("?") and len(kept) <= QUESTION_SENTENCES)


def sentence_class(sentence: Sentence, leads: bool, continues: bool, complete: bool) -> str:
    """Return the class of a sentence on a slide, "" for one that no slide shows."""
    chosen = sentence.mark == slide_choices.SHOW
    if leads and (chosen or len(sentence.text) <= LEAD_LENGTH):
        return "lead"
    if sentence.text.startswith(GOAL_OPENINGS):
        return "goals lead"
    if sentence.text.endswith("?"):
        return "ask"
    if continues:
        return "on"
    return "key" if chosen or complete or "<strong>" in sentence.html else ""


def is_mark(node: object) -> bool:
    """Return whether a node is a mark of a sentence."""
    return isinstance(node, Comment) and node.strip() in (slide_choices.SHOW, slide_choices.LEAVE)


def sentences(paragraph: Tag) -> list[Sentence]:
    """Return the sentences of a paragraph."""
    lines: list[list[Any]] = [[]]
    for child in list(paragraph.children):
        if type(child) is NavigableString:
            first, *others = str(child).split("\n")
            lines[-1].append(escape_text(first))
            lines += [[escape_text(other)] for other in others]
        else:
            lines[-1].append(child)
    made = []
    for parts in lines:
        html = "".join(str(x) for x in parts if not isinstance(x, Comment)).strip()
        mark = "".join(x.strip() for x in parts if isinstance(x, Comment))
        made += [Sentence(html, strip_markup(html), mark)] if html else []
    return made


def escape_text(words: object) -> str:
    """Return text as HTML."""
    return str(words).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def strip_markup(sentence: str) -> str:
    """Return the text of a sentence without formulas and numbers of equations, with the quotation marks of a keyboard."""
    soup = BeautifulSoup(sentence, "html.parser")
    for thing in soup.select('span.math, a[href*="#equation-"]'):
        thing.decompose()
    text = re.sub(r"\s+", " ", soup.get_text()).strip()
    return text.translate(str.maketrans(KEYBOARD_SIGNS))
