"""What is too large to be read: each display costs time that grows with its size, and trees that are deep end the interpreter."""

import re

from eqproof.errors import Unreadable

LARGEST_DISPLAY = 10_000  # characters
DEEPEST = 40  # brackets in brackets
MOST_ADDED = 600  # signs and relations
LONGEST_NUMBER = 300  # digits
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
