"""What a check found, as a record: the grade, and what it rests on. One function, `describe`, puts it in words."""

import math
from dataclasses import dataclass
from enum import StrEnum


# where: add a grade of proofs
# from the strongest to the weakest; its sign and word in `MARKS` of `eqproof/sphinx.py`
class Grade(StrEnum):
    """How well a claim is known; the weakest of several verdicts is the last one here."""

    PROVEN = "proven"  # equal as fractions at random points, or an inequality with a proof
    CHECKED = "checked"  # equal in many digits at random points
    COMPUTED = "computed"  # no letter is free: one problem, computed
    SAMPLED = "sampled"  # searched for an exception and not proven, or a kink that was met from one side alone
    COMPARED = "compared"  # within a tolerance
    TRIVIAL = "trivial"  # true by its form alone, as was asked for
    FALSE = "false"


GRADES = tuple(Grade)[:-1]  # from the strongest to the weakest


@dataclass(frozen=True)
class Verdict:
    """What a check found: whether the claim holds, in which grade, and how; or the sentence that tells why it does not.

    failure: why the claim is false; exact: both sides are equal as fractions; points: at which it was tried; letters: how
    many were drawn; degree, chance: of a false equation in these letters, and the most that its chance to pass can be;
    relation: the kind of its relations ("equal", "ordered", "different", "rounded", "member"); log10_range: of the sizes of letters,
    special: letters were 0 or 1, too; tolerance: of the larger side; proof: of an inequality, in words;
    missed: kinks of which one side alone was met, in words;
    tried: in words the values of free indices and sizes, of which the chance says nothing.
    """

    grade: Grade
    failure: str = ""
    exact: bool = False
    points: int = 0
    letters: int = 0
    degree: int = 0
    chance: float = 1.0
    relation: str = "equal"
    log10_range: int = 0
    special: bool = False
    tolerance: float | None = None
    digits: int = 0
    proof: str = ""
    missed: str = ""
    tried: str = ""

    def __bool__(self) -> bool:
        return self.holds

    @property
    def holds(self) -> bool:
        """Whether the claim holds."""
        return self.grade is not Grade.FALSE

    @property
    def proven(self) -> bool:
        """Whether it is proven in exact numbers, not only checked in digits."""
        return self.grade is Grade.PROVEN

    @property
    def how(self) -> str:
        """How it is known, or why it is false, in words."""
        return describe(self)


def false_verdict(sentence: str) -> Verdict:
    """Return the Verdict on a claim that is false."""
    return Verdict(Grade.FALSE, sentence)


def describe(verdict: Verdict) -> str:
    """Return in words how a claim is known, or why it is false."""
    if not verdict:
        return verdict.failure + verdict.tried
    if verdict.grade is Grade.TRIVIAL:
        return "true by its form alone, whatever its letters are" + verdict.tried
    if verdict.exact:
        return exact_words(verdict) + verdict.tried
    return digital_words(verdict) + verdict.tried


def exact_words(verdict: Verdict) -> str:
    """Return in words what a comparison of fractions was, and of what its chance speaks."""
    if verdict.relation == "member":
        return "of the size that is claimed; of numbers nothing is claimed, and nothing proven"
    if not verdict.letters:
        return "equal as fractions; no letter is left free: this one problem is computed"
    letters = f"{verdict.letters} letter{'s' * (verdict.letters > 1)}"
    risk = f"a false one of degree {verdict.degree} in these passes with a chance below {power_of_ten_above(verdict.chance)}"
    return f"equal as fractions at {verdict.points} random points of {letters}; {risk}"


def digital_words(verdict: Verdict) -> str:
    """Return in words what a comparison of digits was."""
    where = f"at {verdict.points} random points" if verdict.letters else "where no letter is left free"
    if verdict.proof:
        return f"proven {verdict.proof}, and holds with a margin {where}"
    if verdict.tolerance is not None:
        agrees = "agrees within" if verdict.relation in ("equal", "rounded") else "holds with a margin of"
        return f"{agrees} {verdict.tolerance:g} of the larger side {where}"
    if verdict.relation == "rounded":
        return f"agrees to the last printed digit {where}"
    if verdict.letters and verdict.log10_range:
        where += f", of sizes from {10.0**-verdict.log10_range:g} to {10**verdict.log10_range:g}"
    if verdict.letters and verdict.special:
        where += ", and where letters are 0 or 1"
    if verdict.letters and verdict.grade is Grade.SAMPLED and verdict.relation != "equal":
        where += "; a search for an exception finds none, which is no proof"
    if verdict.missed:
        where += f"; one side alone was met of {verdict.missed}"
    if verdict.relation == "equal":
        return f"{verdict.digits} digits agree {where}"
    return f"the sides differ {where}" if verdict.relation == "different" else f"holds with a margin {where}"


def power_of_ten_above(number: float) -> str:
    """Return a power of ten that is larger than a small number."""
    return f"1e{math.floor(math.log10(number)) + 1}" if number else "1e-30"
