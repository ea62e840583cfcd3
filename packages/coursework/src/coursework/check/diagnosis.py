"""What a check finds, as records: of which kind, which mistake, where, whether it quotes the student; the words stand beside them.

Whoever decides anything of an answer, as who grades it, what is searched for next, or what a page for a whole class may
show, asks these fields. Nothing reads the words: a teacher may put others in their place, or another language.
"""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from coursework.check import messages


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


class Sort(StrEnum):
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


class Scope(StrEnum):
    """What a generic mistake is made at; the table in `messages.toml` that has its words."""

    VALUE = "value"  # an answer, an entry, a row, a column, an item
    SEVERAL = "several"  # two entries, rows or columns
    PLOT = "plot"  # the line of a plot, or what stands at its axes
    INPUT = "input"  # a symbol of a formula, an argument of a function, a number of the student's
    FORMULA = "formula"  # one part of a formula
    TERM = "term"  # what goes with an argument of a function
    CODE = "code"  # one part of the student's cell


class Chance(StrEnum):
    """How often a wrong answer that nobody made so comes out as a mistake would have it."""

    SELDOM = "seldom"  # a law that lets a number be far off tells it still
    SOMETIMES = "sometimes"
    OFTEN = "often"  # where numbers have a decimal or two


BY_CHANCE = {
    Sort.ONE: Chance.OFTEN,
    **dict.fromkeys((Sort.SIGN, Sort.ORDER, Sort.PLACE, Sort.EXCHANGED, Sort.DEGREES, Sort.UNIT), Chance.SELDOM),
}


@dataclass(frozen=True)
class Mistake:
    """A generic mistake.  id: the same at each scope, to be counted; words: the name of its sentence, where that is another.

    factor: what it makes of the right number; changes: of a value, what puts it right, of an input, what stands there
    wrongly; of a list of entries, what makes the right one; in formulas and code it is taken back by whoever names it.
    """

    id: str
    scope: Scope
    sort: Sort = Sort.OTHER
    factor: float | None = None
    changes: tuple[Callable[[Any], Any], ...] = ()
    words: str = ""

    @property
    def key(self) -> str:
        """Where its sentence stands in `messages.toml`."""
        return f"{self.scope}.{self.words or self.id}"

    @property
    def chance(self) -> Chance:
        """How often an answer comes out so by chance."""
        return BY_CHANCE.get(self.sort, Chance.SOMETIMES)


class Phrase(NamedTuple):
    """A mistake, and what stands in its sentence beside a name."""

    mistake: Mistake
    given: tuple[tuple[str, str], ...] = ()

    @property
    def kind(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        """What all phrases of the same words have in common."""
        return self.mistake.key, self.given

    def text(self, name: str = "") -> str:
        """Return the sentence, or a part of one; name: what stands there for {name}."""
        return messages.text(self.mistake.key, **{"name": name, **dict(self.given)})

    def said(self, name: str = "") -> Said:
        """Return the sentence, which names the mistake."""
        return Said(self.text(name), mistakes=(self.mistake,))


class Said(str):
    """Words, and beside them what they say: of a law, `law`, the mistake that it names, `slip`, and `where`.

    law: what does not hold, the same for all answers that break it alike; slip: a mistake that is named; where: a place;
    close: that it is almost right.  entry: the number of the entry that is a place, where nothing more is said of it.
    done: whether that leaves nothing to search for.  mistakes: the generic ones that are named.
    """

    law: str
    slip: str
    where: str
    close: str
    entry: int | None
    done: bool
    mistakes: tuple[Mistake, ...]

    def __new__(
        cls,
        law: str = "",
        slip: str = "",
        where: str = "",
        close: str = "",
        entry: int | None = None,
        done: bool = False,
        mistakes: tuple[Mistake, ...] = (),
    ) -> Said:
        parts = [part.strip() for part in (law, slip, where, close)]
        made = super().__new__(cls, " ".join(filter(None, parts)))
        made.law, made.slip, made.where, made.close = parts
        made.entry = entry
        made.done = done
        made.mistakes = mistakes
        return made


def said(words: str) -> Said:
    """Return words as a law says them: those that are a plain sentence name the law, and nothing else."""
    return words if isinstance(words, Said) else Said(words)


def ids_of(words: str) -> tuple[str, ...]:
    """Return the ids of the generic mistakes that words name, each once."""
    return tuple(dict.fromkeys(one.id for one in said(words).mistakes))


_WORDLESS = contextvars.ContextVar("wordless", default=False)
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

    Several mistakes are named where they give the same; a generic one has its id, one of a question (Kind.MISTAKE) the
    number of its place there.
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
