"""What goes wrong, in sentences: each names the equation, the line and the column, and shows the place with a caret."""

from typing import Self

from eqproof.tree import Node


class ProofError(ValueError):
    """A sentence about an equation; label, text and place are kept apart, so that a caller can add what it knows.

    of: the node of which the sentence speaks; its LaTeX, as printed, opens the sentence.
    """

    def __init__(
        self,
        sentence: str,
        text: str | None = None,
        place: int | None = None,
        label: str | None = None,
        of: Node | None = None,
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.place = place
        self.label = label
        self.text: str | None = None
        self.span = of.span if of is not None else None
        self.at(text, self.span and self.span[0])

    def at(self, text: str | None = None, place: int | None = None, label: str | None = None) -> Self:
        """Return the error with what was not known yet about its place."""
        self.place = self.place if self.place is not None else place
        if self.text is None and text is not None:
            self.text = text
            self.sentence = f"{text[slice(*self.span)].strip()} {self.sentence}" if self.span else self.sentence
            self.args = (self.sentence,)
        self.label = self.label or label
        return self

    def __str__(self) -> str:
        where = [self.label] if self.label else []
        if self.text is None or self.place is None:
            return ": ".join([*where, self.sentence])
        place = min(self.place, len(self.text))
        start = self.text.rfind("\n", 0, place) + 1
        end = self.text.find("\n", place)
        line = self.text[start:] if end < 0 else self.text[start:end]
        where.append(f"line {self.text.count(chr(10), 0, place) + 1}, column {place - start + 1}")
        left = max(0, place - start - 60)
        excerpt = line[left : left + 100]
        return f"{', '.join(where)}: {self.sentence}\n    {excerpt}\n    {' ' * (place - start - left)}^"


# where: see what becomes of a formula that is not read
# it is *unread* for `eqproof check`, which tells the place; on a page of a book the build stops (`eqproof/sphinx.py`)
class Unreadable(ProofError):
    """The text holds something that the parser does not read."""


class Unbound(ProofError):
    """A symbol stands in the text that no binding explains."""


class NoNumber(ProofError):
    """What stands in the text has no real number: it is complex, or of a kind that is not computed."""


class WrongShape(ProofError):
    """Sizes do not fit, or a thing of one kind stands where another is needed."""


class NoCase(WrongShape):
    """At a point none of the cases holds, or more than one."""


class Misfit(WrongShape):
    """Two matrices are added or multiplied that no one can add or multiply."""


class NotDecided(ProofError):
    """Something failed inside: the text is neither true nor false, and the author is told what stopped."""
