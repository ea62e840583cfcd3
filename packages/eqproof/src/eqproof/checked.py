"""A check in a notebook: one sentence that holds, printed as the line that stands for the whole cell in the book."""

import sys
from typing import Any

import numpy as np

from eqproof.errors import ProofError

MARK = "✓ checked: "


def checked(sentence: str, error: Any, below: float | None = None) -> None:
    """Assert what a sentence says, and print "✓ checked: the sentence (below 1e-12)".

    What is printed is the bound, not the error: the last bits of an error are another on another processor.

    error: a number or an array, whose largest absolute value must be less than `below`; without `below` a condition, or
    an array of conditions.
    Raises ProofError (a ValueError) with the sentence where it does not hold, TypeError for numbers without a bound.
    """
    if below is not None:
        worst = float(np.max(np.abs(np.asarray(error, dtype=float)), initial=0.0))
        if not worst < below:
            raise ProofError(f"does not hold: {sentence}; the error is {worst:.3g}, allowed is less than {below:g}")
        _say(f"{MARK}{sentence} (below {below:g})")
        return
    conditions = np.asarray(error)
    if conditions.dtype.kind in "iufc":
        raise TypeError(f'a number needs a bound: checked("{sentence}", error, below=1e-12)')
    if not all(x == True for x in conditions.flat):  # noqa: E712  SymPy's true is another object
        raise ProofError(f"does not hold: {sentence}")
    _say(f"{MARK}{sentence}")


def _say(line: str) -> None:
    """Print a line; signs that the terminal or file cannot hold, which is not UTF-8, are written out: what holds may not fail."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(line.encode(encoding, "backslashreplace").decode(encoding))
