r"""What public texts print in other words, in the words of the grammar: \log p(x), P(A \vert B), y^\mathrm{T}, .., \text{\small A}."""

import re

from eqproof.typesetting import with_plain_typesetting
from eqproof.unicode_signs import with_commands

LOGARITHM = re.compile(
    r"\\(log|ln)(?![a-zA-Z_^])\s*"
    r"(?P<head>[pqfPEBL]|\\Gamma|\\(?:mathrm|operatorname|mathbb|mathcal)\s*\{[A-Za-z]+\})(?P<sub>_(?:\{[^{}]*\}|\w))?\s*"
    r"(?P<open>\\left\s*)?(?P<inside>\((?:[^()]|\([^()]*\))*?\)|\[(?:[^\[\]]|\[[^\[\]]*\])*?\])"
    r"(?=\s*(?:\\,\s*\\mathrm\s*\{\s*d\s*\}|\\;|\\quad|[-+=,.&)\]}]|\\right|\\\\|\\end|\Z))"
)
GIVEN = re.compile(r"(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))")
UPRIGHT_T = re.compile(r"(?<=[\w)\]}])\s*\^\s*(?:\{\s*)?\\(?:mathrm|text|mathsf|textrm)\s*\{\s*T\s*\}(?:\s*\})?")
THREE_DOTS = re.compile(r"(?<!\.)\.\.\.(?!\.)")
NESTED = re.compile(r"\\(text|textrm|textit|mbox)\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")


def with_usual_spellings(latex: str) -> str:
    """Return a formula as it is read, where it is printed in another usual way."""
    latex = with_plain_typesetting(with_commands(latex))
    latex = NESTED.sub(flat_words, THREE_DOTS.sub(r"\\dots ", latex))
    latex = GIVEN.sub(with_one_bar, latex)
    latex = UPRIGHT_T.sub(balanced_transpose, latex)
    return LOGARITHM.sub(with_brackets, latex)


def with_brackets(match: re.Match[str]) -> str:
    r"""Return \log p(x) as \log(p(x)), where nothing stands behind it to which the logarithm could reach."""
    whole = match.group()
    if match["open"] and not match["inside"].rstrip(")]").rstrip().endswith(r"\right"):
        return whole
    behind = whole[len(match[1]) + 1 :].strip()
    return rf"\{match[1]}({behind})"


def with_one_bar(match: re.Match[str]) -> str:
    r"""Return a bracket with one bar as what is given, P(A \vert B)."""
    text = match.group()
    bars = re.findall(r"\\vert(?![a-zA-Z])", text)
    return re.sub(r"\\vert(?![a-zA-Z])", r"\\mid ", text) if len(bars) == 1 and "|" not in text else text


def balanced_transpose(match: re.Match[str]) -> str:
    r"""Return ^\top for an upright T, whose braces close."""
    text = match.group()
    return r"^\top " if text.count("{") == text.count("}") else text


def flat_words(match: re.Match[str]) -> str:
    r"""Return words without commands in them, \text{\small A} as \text{A}; with a formula in them as they are."""
    inside = match[2]
    if "$" in inside or not re.search(r"[{\\]", inside) or r"\#" in inside:
        return match.group()
    words = re.sub(r"\\[a-zA-Z]+|[{}]|\\", " ", inside).split()
    return rf"\{match[1]}{{{' '.join(words)}}}"
