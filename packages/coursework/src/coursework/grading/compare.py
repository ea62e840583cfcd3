"""Judges an answer, which is data, in a process where no code of a student has ever run.

A formula is read by a grammar that knows arithmetic only and evaluated at random points; numbers have a tolerance.
What cannot be read goes to a person, never silently to zero.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from coursework.check.agreement import agree
from coursework.check.diagnosis import Diagnosis, Kind
from coursework.check.question import find, scored, told_score
from coursework.grading import credit

if TYPE_CHECKING:
    from coursework.check.aliases import Data
    from coursework.check.parameters import Parameters
    from coursework.check.question import Inputs, Question
    from coursework.grading.aliases import Judged

NEAR = 100  # times the tolerance: a number that the checks accept and that is farther off waits for a person
MARGIN = 10  # times the tolerance: what was near enough where the check looked is so where the grade looks
MOST_WORDS = 600  # characters of a sentence


@dataclass(frozen=True)
class Verdict:
    """Points for the whole of a question (None: a person decides), how many there are, what was found.

    Perhaps a score, and of an answer that is wrong as a whole what its parts are, see credit.py.
    """

    points: float | None
    most: float
    found: tuple[Diagnosis, ...] = ()
    score: float | None = None
    parts: dict[str, Any] | None = None

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was found, in words for the student."""
        return tuple(one.sentence for one in self.found)

    def as_dict(self) -> Judged:
        """Return the verdict as JSON can hold it: sentences for the student, and what was found as fields."""
        findings = [one.as_dict() for one in self.found]
        found = [
            {**one, **{name: _printable(str(one[name])) for name in ("text", "where", "error") if name in one}}
            for one in findings
        ]
        words = [_printable(sentence) for sentence in self.sentences]
        verdict = {"points": self.points, "most": self.most, "score": self.score, "sentences": words, "found": found}
        return {**verdict, "parts": self.parts} if self.parts else verdict


def judge(
    question: Question,
    most: float,
    p: Parameters,
    reference: Data,
    answer: Any,
    inputs: Inputs = None,
    seed: object = 7,
) -> Verdict:
    """Return the Verdict of an answer: DATA from the student's process, or None if there was none.

    question: a Question; most: its points; p: the student's numbers; reference: DATA of the solution;
    inputs: where a function was called; seed: of the points at which formulas are compared.
    The laws are those that the student's check asks, at other points, so a function has a MARGIN of rounding; a number
    has no points, and what the check says of it is its grade where it is NEAR the solution.  Where laws and solution
    say different things, the solution is right if it agrees, and else a person decides: no right answer is refused.
    """
    if answer is None:
        return Verdict(0.0, most, (Diagnosis(Kind.MISSING, "There is no answer."),))
    if not isinstance(answer, dict) or not answer:
        return _for_a_person(most, "The answer cannot be read by machine; a person looks at it.")
    found = find(question, p, answer, inputs, seed)
    if question.judged == "laws":
        return _by_laws(question, most, p, answer, inputs, seed, found)
    return _by_solution(question, most, reference, answer, inputs, seed, found)


def _by_laws(
    question: Question, most: float, p: Parameters, answer: Data, inputs: Inputs, seed: object, found: list[Diagnosis]
) -> Verdict:
    """Return the Verdict of a design: whatever obeys the laws is right; found: what the checks found."""
    if found and found[0].kind is Kind.UNREAD and not _complete(answer, inputs):
        return Verdict(None, most, tuple(found))
    score = None if found else scored(question, p, answer, inputs, seed)
    if score is not None:
        return Verdict(most, most, (Diagnosis(Kind.SCORE, told_score(question, score)),), score)
    return Verdict(0.0 if found else most, most, tuple(found))


def _by_solution(
    question: Question, most: float, reference: Data, answer: Data, inputs: Inputs, seed: object, found: list[Diagnosis]
) -> Verdict:
    """Return the Verdict of an answer that should be the solution's; found: what the checks found."""
    result = agree(reference, answer, question.tolerance * (MARGIN if inputs else 1), seed)
    if result.holds or (not found and "numbers" in reference and _is_near(reference, answer, question, seed)):
        return Verdict(most, most)
    if result.holds is None:
        return _for_a_person(most, f"A person looks at this answer: {result.sentence}.")
    if not found:
        where = f" at {result.where}" if result.where else ""
        words = f"A person looks at this answer: the checks hold, and it differs from the solution{where}."
        return _for_a_person(most, words)
    parts = credit.marks(reference, answer, question.tolerance * (MARGIN if inputs else 1), seed)
    return Verdict(0.0, most, tuple(found), parts=parts)


def _for_a_person(most: float, words: str) -> Verdict:
    """Return the Verdict that leaves an answer to a person."""
    return Verdict(None, most, (Diagnosis(Kind.PERSON, words),))


def _is_near(reference: Data, answer: Data, question: Question, seed: object) -> bool:
    """Return whether a number is so near the solution that the checks alone can decide."""
    return bool(agree(reference, answer, NEAR * question.tolerance, seed).holds)


def _printable(sentence: str) -> str:
    """Return a sentence, which may quote a student, without what moves a cursor, and no longer than a few lines."""
    return re.sub(r"[^\S ]|[\x00-\x1f\x7f-\x9f]", " ", sentence[:MOST_WORDS])


def _complete(answer: Data, inputs: Inputs) -> bool:
    return inputs is not None and isinstance(answer.get("calls"), list)
