"""What a check finds, as records: of which kind, which mistake, where, whether it quotes the student; the words stand beside them.

Whoever decides anything of an answer, as who grades it, what is searched for next, or what a page for a whole class may
show, asks these fields. Nothing reads the words: a teacher may put others in their place, or another language.
"""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a diagnosis is about."""

    MISSING = "missing"  # there is no answer
    UNWRITTEN = "unwritten"  # a function as it was handed out
    UNREAD = "unread"  # no machine can read it
    STOPPED = "stopped"  # a function ends with an error
    STALE = "stale"  # the cell that should make the answer ends with an error
    NO_DATA = "no data"  # of a type that is not handed in, or a dict where none is asked for
    SYMBOL = "symbol"  # a letter that is none of the question's, or where numbers are asked for
    FORM = "form"  # another shape, too few calls
    INFINITE = "infinite"  # not a finite real number
    LAW = "law"  # a law does not hold
    MISTAKE = "mistake"  # it is what a typical mistake of the question gives
    SLIP = "slip"  # it is what a generic mistake gives
    LINE = "line"  # what one change of the student's own cell puts right
    PERSON = "person"  # a person decides
    SCORE = "score"  # a design that holds, and how good it is


QUOTING = {
    Kind.UNREAD,
    Kind.STOPPED,
    Kind.STALE,
    Kind.NO_DATA,
    Kind.SYMBOL,
    Kind.LINE,
}  # they repeat what a student wrote


class Mistake(StrEnum):
    """Of which sort a generic mistake is, as far as anything is decided by it."""

    SIGN = "sign"
    FACTOR = "factor"
    UNIT = "unit"
    DEGREES = "degrees"
    ORDER = "order"
    PLACE = "place"
    EXCHANGED = "exchanged"
    TRANSPOSED = "transposed"
    IDENTITY = "identity"
    ONE = "one"
    OTHER = "other"


class Said(str):
    """Words, and beside them what they say: of a law, `law`, the mistake that it names, `slip`, and `where`; or a sort of mistake.

    law: what does not hold, the same for all answers that break it alike; slip: a mistake that is named; where: a place;
    close: that it is almost right.  entry: the number of the entry that is a place, where nothing more is said of it.
    done: whether that leaves nothing to search for.  mistake: its sort; clause: whether the words are a clause that follows
    "It is what comes out ..".
    """

    law: str
    slip: str
    where: str
    close: str
    entry: int | None
    done: bool
    mistake: Mistake
    clause: bool

    def __new__(
        cls,
        law: str = "",
        slip: str = "",
        where: str = "",
        close: str = "",
        entry: int | None = None,
        done: bool = False,
        mistake: Mistake = Mistake.OTHER,
        clause: bool = False,
    ) -> Said:
        parts = [part.strip() for part in (law, slip, where, close)]
        made = super().__new__(cls, " ".join(filter(None, parts)))
        made.law, made.slip, made.where, made.close = parts
        made.entry, made.done, made.mistake, made.clause = entry, done, mistake, clause
        return made

    def about(self, subject: str) -> Said:
        """Return the same mistake of something: the words with that in place of their {}."""
        return Said(self.replace("{}", subject, 1), done=self.done, mistake=self.mistake, clause=self.clause)


def said(words: str) -> Said:
    """Return words as a law says them: those that are a plain sentence name the law, and nothing else."""
    return words if isinstance(words, Said) else Said(words)


def sort_of(words: str) -> Mistake:
    """Return of which sort the mistake is that words name."""
    return getattr(words, "mistake", Mistake.OTHER)


_WORDLESS = contextvars.ContextVar("whether a law need not say why", default=False)
is_wordless = _WORDLESS.get


@contextlib.contextmanager
def wordless() -> Iterator[None]:
    """Laws tell only whether they hold: for searches that try thousands of answers, and show no words."""
    token = _WORDLESS.set(True)
    try:
        yield
    finally:
        _WORDLESS.reset(token)


@dataclass(frozen=True)
class Diagnosis:
    """What is found of an answer.  text: words for the student; mistakes: which are named; where: words for the state.

    Several mistakes are named where they give the same; one of a question has the number of its place there.
    error: what a function or a cell stopped with, as Python says it.
    """

    kind: Kind
    text: str
    mistakes: tuple[str, ...] = ()
    where: str = ""
    done: bool = False
    error: str = ""

    @property
    def quotes_student(self) -> bool:
        """Whether the words repeat what a student wrote: then no page for others shows them."""
        return self.kind in QUOTING

    @property
    def sentence(self) -> str:
        """The words, with those for the state."""
        return f"{self.text} {self.where}".strip()

    def as_dict(self) -> dict[str, object]:
        """Return the fields as JSON can hold them, the words for the state beside the others."""
        fields: dict[str, object] = {"kind": str(self.kind), "mistakes": list(self.mistakes), "where": self.where}
        fields |= {"error": self.error} if self.error else {}
        return {**fields, "quotes_student": self.quotes_student, "text": self.text}


def sentences(found: Iterable[Diagnosis]) -> list[str]:
    """Return the sentences of diagnoses."""
    return [one.sentence for one in found]
