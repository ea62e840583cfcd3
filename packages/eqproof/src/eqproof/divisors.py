"""What a line above is divided by where it is solved for a letter: as it is printed, and whether another line says that it is zero."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import sympy

from eqproof import conventions, tree
from eqproof.algebra import scalar
from eqproof.bindings import Bindings
from eqproof.evaluate import Evaluation


def said_to_be_zero(
    divisor: Any, letters: dict[tree.Symbol, Any], lines: Iterable[tuple[tree.Node, tree.Node]]
) -> bool:
    """Tell whether a line says that a factor of what is divided by is zero, as k = 0 does of k x = k y.

    letters: what letters stand for; lines: their sides, of which those with other letters say nothing.
    """
    factors = [base for base, _ in sympy.factor_list(divisor)[1]]
    for line in lines if factors else ():
        with suppress(*conventions.FAILURES):  # what is no number says nothing
            if {*conventions.symbols(*line)} <= letters.keys() and {*factors} & {*factors_of_gap(line, letters)}:
                return True
    return False


def factors_of_gap(line: tuple[tree.Node, tree.Node], letters: dict[tree.Symbol, Any]) -> list[sympy.Expr]:
    """Return the factors of the difference of two sides, which are zero where the line holds."""
    one, other = (scalar(Evaluation(Bindings(letters))(x)) for x in line)
    return [base for base, _ in sympy.factor_list(sympy.fraction(sympy.together(one - other))[0])[1]]


def divisors(divisor: Any, letters: dict[tree.Symbol, Any]) -> list[str]:
    """Return the factors of what a line is divided by, as they are printed; letters: what letters stand for."""
    names = {value: sympy.Symbol(printed_letter(x)) for x, value in letters.items() if isinstance(value, sympy.Symbol)}
    found = [base for base, _ in sympy.factor_list(divisor)[1]]
    functions = {value for x, value in letters.items() if " of " in x.base}
    if any(base.free_symbols & functions for base in found):  # a function with its arguments has no short name
        return ["what the line is divided by"]
    return [str(sympy.latex(base.subs(names))) for base in found]


def printed_letter(letter: tree.Symbol) -> str:
    """Return a letter as it is printed, nearly."""
    dots = ("", r"\dot ", r"\ddot ", r"\dddot ")[min(letter.dots, 3)]
    accents = "".join(rf"\{x} " for x in letter.accents)
    return f"{dots}{accents}{letter.base}" + (f"_{{{''.join(letter.sub)}}}" if letter.sub else "")
