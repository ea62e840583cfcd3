"""What became of a step of a derivation, and what is known of a step besides its sides, as records."""

from dataclasses import dataclass, field, replace

from eqproof import tree
from eqproof.conditions import StatedConditions
from eqproof.declared_letters import Declared
from eqproof.operators import Order
from eqproof.wordings import WordHints

TOO_DEEP = "is nested too deeply: name a part of it by a letter of its own"


@dataclass(frozen=True)
class Outcome:
    """What became of a step: the verdict, why, and the node where its sides part, None where it is not known.

    condition: of what is proven, what nobody said and has to hold, such as "A, B are numbers"; "" where nothing has to.
    """

    verdict: str
    why: str
    parts: tree.Node | None = None
    condition: str = ""


@dataclass(frozen=True)
class Judged:
    """What became of one step, at its place in the text of its display: where the right side or what parts begins and ends.

    rests_on: of what follows by lines above, their places: the cell of a notebook and the line, else None and how many
    lines it is from the begin of the display.
    """

    start: int
    end: int
    left: str
    relation: str
    right: str
    verdict: str
    why: str
    condition: str = ""
    rests_on: tuple[tuple[int | None, int], ...] = ()


@dataclass(frozen=True)
class Context:
    """What is known of a step besides its sides: the text of its display, what is said of letters, and the order of letters.

    first: it is the first step of its chain; words: what the words next to the display tell; variable: that of an integral
    without bounds in the chain, None without one; declared: what the author says of letters; unwritten: the sides of the step
    before its sums to a letter were written out, () without such sums; struck: some of its terms are struck out; system:
    it stands behind a brace with others, as equations to be solved do.
    """

    text: str
    first: bool = True
    said: StatedConditions = field(default_factory=StatedConditions)
    order: Order = field(default_factory=Order)
    words: WordHints = field(default_factory=WordHints)
    variable: tree.Symbol | None = None
    declared: Declared = field(default_factory=Declared)
    unwritten: tuple[tree.Node, ...] = ()
    struck: bool = False
    system: bool = False


def join_signs(upper: Outcome, lower: Outcome) -> Outcome:
    r"""Return what becomes of a step with \pm: it must hold for the upper signs and for the lower ones."""
    verdicts = {upper.verdict, lower.verdict}
    if len(verdicts) == 1:
        needed = upper.condition or lower.condition
        return (
            replace(upper, why=f"for both signs: {upper.why}", condition=needed) if upper.verdict == "proven" else upper
        )
    wrong = upper if upper.verdict == "false" else lower
    if verdicts == {"false", "proven"}:
        return replace(wrong, why=f"for the {'upper' if wrong is upper else 'lower'} signs; {wrong.why}")
    return upper if upper.verdict == "undecided" else lower


def join_struck(kept: Outcome, gone: Outcome) -> Outcome:
    """Return what becomes of a step with struck terms: it must hold with them and without them, and be false in both ways."""
    if kept.verdict == gone.verdict:
        return kept
    where = "as they stand" if kept.verdict == "proven" else "without them" if gone.verdict == "proven" else ""
    return Outcome(
        "undecided", f"terms are struck out, and it holds {where or 'neither with them nor without them'} alone"
    )
