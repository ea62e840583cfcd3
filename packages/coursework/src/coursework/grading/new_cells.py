"""Finds whose a student's new cells are: those between the cell of a question, still without an answer, and its hand-in."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from coursework.check.source import defines

if TYPE_CHECKING:
    from coursework.grading.graft import Part, Place, Run


def name_asked(part: Part) -> str | None:
    """Return the name that a hand-in asks for."""
    found = re.search(r"check\.answer\([^,]+,\s*([A-Za-z_]\w*)", part.cell.source)
    return found[1] if found else None


def with_questions(parts: list[Part], runs: list[Run]) -> list[Run]:
    """Return the runs of a notebook, new cells with the question that they answer, so that they are judged with it alone.

    A question whose own cell defines the name that is asked for takes no other: a later cell that plays with its answer
    would spoil it.  The new cells of a question end at its hand-in, or where another question begins.
    """
    released = {part.question: part.cell.source.strip() for part in parts if part.role == "work"}
    answers = [part for part in parts if part.role == "answer"]
    found = list(runs)
    for answer in answers:
        question = answer.question
        own = [run for run in runs if run[2] == question]
        if not own or not _asks_further(answer, own, released[question]):
            continue
        first = own[0][0]
        end = _end_after(first, question, answers, runs)
        found = [
            (place, source, question if whose is None and first < place < end else whose)
            for place, source, whose in found
        ]
    return found


def _asks_further(answer: Part, own: list[Run], released: str) -> bool:
    """Return whether a hand-in asks for a name that its question's own cell, where it is not as released, does not define."""
    name = name_asked(answer)
    return name is not None and not any(run[1].strip() != released and defines(run[1], name) for run in own)


def _end_after(first: Place, question: str | None, answers: list[Part], runs: list[Run]) -> Place:
    """Return the place of the first hand-in, or cell of another question, after a place."""
    others = [run[0] for run in runs if run[2] not in (None, question)]
    others += [answer.place for answer in answers if answer.place]
    return min((place for place in others if place > first), default=(math.inf, 0.0))
