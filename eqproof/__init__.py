r"""Proofs of printed equations: LaTeX is read as the reader sees it, and checked against what its letters stand for.

>>> from sympy import symbols
>>> m, l = symbols("m l", positive=True)
>>> check(r"\frac{1}{2} m (2 l)^2 = 2 m l^2", {"m": m, "l": l}).proven
True

`check` decides one text; `Chapter` keeps the proofs of a page; `python -m eqproof PAGE.ipynb` runs them.
`quoted` compares the numbers of running text with what is computed; `checked` prints the line of a check that holds.
"""

from eqproof.algebra import skew
from eqproof.bindings import Bindings
from eqproof.chapter import Chapter
from eqproof.check import check
from eqproof.checked import checked
from eqproof.errors import ProofError
from eqproof.parser import parse
from eqproof.quantities import abbreviation, abbreviations, family, field, letters, measure
from eqproof.quoted import quoted

__all__ = [
    "Bindings",
    "Chapter",
    "ProofError",
    "abbreviation",
    "abbreviations",
    "check",
    "checked",
    "family",
    "field",
    "letters",
    "measure",
    "parse",
    "quoted",
    "skew",
]
