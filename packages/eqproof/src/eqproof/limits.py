"""What is too large to be read or computed: time grows with the size of a display, and trees that are deep end the interpreter."""

import re

import mpmath

from eqproof import algebra
from eqproof.algebra import Value
from eqproof.errors import NotDecided, Unreadable, WrongShape
from eqproof.exact import Exact
from eqproof.tree import Node

LARGEST_DISPLAY = 10_000  # characters
DEEPEST = 40  # brackets in brackets
MOST_ADDED = 600  # signs and relations
LONGEST_NUMBER = 300  # digits
LARGEST_POWER = 10_000  # and the terms that dots stand for
BRACKET = re.compile(r"\\\\|\\[{}]|\\(?:left|right)(?![a-zA-Z])|\\(?:begin|end)\s*\{|[()\[\]{}]")
SIGN = re.compile(r"[-+=^/]|\\(?:frac|cdot|times)(?![a-zA-Z])")


def refuse_what_is_too_large(text: str) -> None:
    """Raise Unreadable at a formula with too many characters, signs, digits in a row or brackets in brackets."""
    if len(text) > LARGEST_DISPLAY:
        raise Unreadable(f"is too large: {len(text)} characters, at most {LARGEST_DISPLAY} are read: write it in parts")
    if len(signs := SIGN.findall(text)) > MOST_ADDED:
        raise Unreadable(f"is too large: {len(signs)} signs, at most {MOST_ADDED} are read: write it in parts")
    if number := re.search(rf"\d{{{LONGEST_NUMBER + 1},}}", text):
        digits = len(number.group())
        raise Unreadable(
            f"is too large: a number of {digits} digits, at most {LONGEST_NUMBER} are read", place=number.start()
        )
    depth = 0
    for match in BRACKET.finditer(text):
        found = match.group()
        if (found[-1] in "([{" and found[0] != "\\") or found in (r"\{",):
            depth += 1
        elif found[-1] in ")]}" and found != r"\\":
            depth -= 1
        if depth > DEEPEST:
            raise Unreadable(
                f"is nested too deeply: more than {DEEPEST} brackets in brackets: name a part by a letter",
                place=match.start(),
            )


def refuse_huge(base: Value, exponent: Value) -> None:
    """Raise ProofError at 0^0, and at a power that no one can compute: a matrix, a fraction or a symbol to the power 10^21."""
    power, value = (x.value if isinstance(x, Exact) else x for x in (exponent, base))
    if drawn(exponent):
        return
    if not drawn(base) and not algebra.is_matrix(value) and value == 0 and power == 0:
        raise WrongShape("0^0 has no value that all agree on")
    if isinstance(value, mpmath.mpf) or not getattr(power, "is_number", True) or abs(power) <= LARGEST_POWER:
        return
    if algebra.is_matrix(value) or value not in (0, 1, -1):
        raise NotDecided(f"is not decided: a power of more than {LARGEST_POWER} is not computed")


def drawn(x: Value) -> bool:
    """Tell whether something random is in an exact number."""
    return bool(getattr(x, "above", 0) or getattr(x, "below", 0))


def refuse_long(length: int, dots: Node) -> None:
    """Raise NotDecided where dots stand for more than can be spelled out."""
    if length > LARGEST_POWER:
        raise NotDecided(f"is not decided: dots for more than {LARGEST_POWER} terms are not spelled out", of=dots)
