r"""What the words next to a display tell of it: "for matrices $A$ and $B$", "modulo 5", "to first order", "the Legendre symbol".

WordHints that name operators or matrices make the order of letters matter; words that tell of another equality, or of another
arithmetic, leave undecided what is no identity of numbers. The paragraph in front of a display counts with its last two
sentences, the text behind it as far as it goes on with the same sentence.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from eqproof import conventions, tree
from eqproof.conditions import text_beside
from eqproof.errors import ProofError
from eqproof.parser import parse

OF_MATRICES = re.compile(
    r"\b(?:matri(?:x|ces)|linear (?:maps?|transformations?)|endomorphisms?|rotations?|hamiltonians?)\b", re.IGNORECASE
)
OF_OPERATORS = re.compile(
    r"\b(?:operators?|(?:non-?|anti)commut\w+|quaternions?|permutations?|fermion\w*|grassmann|clifford)\b",
    re.IGNORECASE,
)
OF_COMPLEX = re.compile(r"\bcomplex\b", re.IGNORECASE)
OF_SYMBOLS = re.compile(r"\b(?:Legendre|Jacobi|Kronecker)\b")
OF_ANOTHER_EQUALITY = re.compile(
    r"\bmod(?:ulo)?\b|\bcongruent (?:to|mod)|\bcongruences?\b|\b(?:in|of) characteristic\b|\bfinite fields?\b"
    r"|\b(?:binary|hexadecimal|octal|boolean|ordinals?|cardinals?|tropical|assignments?|natural units|idempotent|nilpotent"
    r"|projectors?|grassmann|dual numbers?)\b"
    r"|\bapproximat\w+|\bneglect\w*|\blineari[sz]\w+|\b(?:first|second|third|leading|lowest|linear)[- ]order\b"
    r"|\b(?:for|if|when|as|of|with) (?:very |sufficiently )?(?:small|large)\b|\bsmall[- ]angles?\b|\bup to (?:a|an|the) \w*\s?constant\b",
    re.IGNORECASE,
)
FIELDS = re.compile(r"\\mathbb\s*\{?\s*F(?![a-zA-Z])|\\mathbb\s*\{?\s*Z\s*\}?\s*[_/]|\bGF\s*\(")
DERIVATION = re.compile(  # what an operator is said to be: d/dx, \partial_x
    r"=.*(?:\\[dt]?frac\s*\{\s*(?:d|\\partial)\s*\}\s*\{\s*(?:d|\\partial)\s*(?P<by>\\?\w+)\s*\}"
    r"|(?<![a-zA-Z])d\s*/\s*d\s*(?P<by_slash>\\?\w+)|\\partial\s*_\s*(?P<by_sign>\\?\w+))\s*\Z"
)
INLINE = re.compile(r"(?<![$\\])\$(?!\$)([^$\n]{1,80})\$(?!\$)")
SENTENCE = re.compile(r"(?<=[.;!?])\s+(?=[A-Z\\$])")
ENDS = re.compile(r"[.;!?](?:\s|\Z)|\n[ \t]*\n")


@dataclass(frozen=True)
class WordHints:
    """What words next to a display tell: letters of which the order may matter, and whether all or all capitals are such.

    another: the word that tells of another equality than that of numbers, "" without one; symbols: a fraction in brackets may
    be the symbol of Legendre; complex: letters that are said to be complex.
    """

    named: frozenset[tree.Symbol] = field(default_factory=frozenset)
    capitals: bool = False
    all: bool = False
    another: str = ""
    symbols: bool = False
    complex: frozenset[tree.Symbol] = field(default_factory=frozenset)

    def without_order(self, letters: Sequence[tree.Symbol]) -> frozenset[tree.Symbol]:
        """Return those of some letters of which the order may matter."""
        return frozenset(
            x for x in letters if self.all or x in self.named or (self.capitals and conventions.is_capital(x))
        )


def words_around(text: str, start: int, end: int) -> WordHints:
    """Return what the words next to the display between two places of a text tell of it."""
    sentences = sentences_around(text, start, end)
    read = [hints_of_sentence(x) for x in sentences]
    told = [OF_ANOTHER_EQUALITY.search(x) or FIELDS.search(x) for x in (*sentences, text[start:end])]
    return WordHints(
        frozenset().union(*(x.named for x in read)),
        any(x.capitals for x in read),
        any(x.all for x in read),
        next((x.group() for x in told if x), ""),
        any(OF_SYMBOLS.search(x) for x in sentences),
        frozenset(x for sentence in sentences if OF_COMPLEX.search(sentence) for x in defined_in(sentence)),
    )


def hints_of_sentence(sentence: str) -> WordHints:
    """Return of which letters a sentence says that their order may matter."""
    derived = {x for match in INLINE.finditer(sentence) for x in derivation_in(match[1])}
    named = named_in(sentence)
    if OF_OPERATORS.search(sentence):
        return WordHints(frozenset(named | derived), all=not named)
    if OF_MATRICES.search(sentence):
        named = {x for x in named if conventions.is_capital(x)}
        return WordHints(frozenset(named | derived), capitals=not named)
    return WordHints(frozenset(derived))


def derivation_in(formula: str) -> set[tree.Symbol]:
    """Return the letters of an operator that is said to be a derivative, and of what it derives by; none of others."""
    match = DERIVATION.search(formula)
    parts = (formula.partition("=")[0], match["by"] or match["by_slash"] or match["by_sign"]) if match else ()
    return {x for part in parts for x in letters_in(part)}


def letters_in(formula: str) -> set[tree.Symbol]:
    """Return the letters of a formula, none of one that is not read."""
    try:
        return {*conventions.symbols(*parse(formula).chains)}
    except (ProofError, RecursionError):
        return set()


def sentences_around(text: str, start: int, end: int) -> list[str]:
    """Return the last two sentences in front of a display, and the end of its own behind it."""
    before, behind = text_beside(text, start, end)
    paragraph = re.split(r"\n[ \t]*\n", before.rstrip())[-1]
    behind = behind.lstrip()
    own = ENDS.split(behind)[0] if behind[:1].islower() or behind[:1] in (",", "(") else ""
    return [*SENTENCE.split(paragraph.strip())[-2:], own]


def named_in(sentence: str) -> set[tree.Symbol]:
    """Return the letters in the inline formulas of a sentence."""
    return {x for match in INLINE.finditer(sentence) for x in letters_in(match[1])}


def defined_in(sentence: str) -> set[tree.Symbol]:
    """Return the letters in the inline formulas of a sentence, of an equation those on its left side alone."""
    return {x for match in INLINE.finditer(sentence) for x in letters_in(match[1].partition("=")[0])}


def may_be_symbol(*sides: tree.Node) -> bool:
    """Tell whether a fraction alone in round brackets stands in sides, as the symbol of Legendre is printed."""
    return any(
        isinstance(x, tree.Group) and len(x.items) == 1 and isinstance(x.items[0], tree.Fraction)
        for side in sides
        for x in tree.walk(side)
    )
