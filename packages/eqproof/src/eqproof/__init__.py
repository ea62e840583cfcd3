r"""Proofs of printed equations: LaTeX is read as the reader sees it, and checked against what its letters stand for.

>>> from sympy import symbols
>>> m, l = symbols("m l", positive=True)
>>> check(r"\frac{1}{2} m (2 l)^2 = 2 m l^2", {"m": m, "l": l}).proven
True

`check` decides one text; `Chapter` keeps the proofs of a page; `python -m eqproof PAGE.ipynb` runs them.
`quoted` compares the numbers of running text with what is computed; `checked` prints the line of a check that holds.
"""

import lazy_loader

# Both carry the name of their file, and a chapter begins with them: they load at once, and no SymPy with them.
from eqproof.checked import checked as checked
from eqproof.quoted import quoted as quoted

# All names stand in __init__.pyi, for Python, editors and type checkers; the others load when first used.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
