r"""Inputs of laws of motion, the u of \dot x = A x + B u: how they vary nobody says, so their rates are not zero."""

from collections.abc import Sequence

import sympy

from eqproof import tree
from eqproof.bindings import Bindings
from eqproof.errors import Unreadable
from eqproof.evaluate import Evaluation
from eqproof.rates import below_dots, letters_of, rates


def refuse_rates_of_inputs(
    claims: tree.Claims, cases: Sequence[dict[str, int]], table: Bindings, inputs: set[sympy.Symbol]
) -> None:
    r"""Raise Unreadable at the rate of what holds an input of a law of motion, \ddot x where \dot x = A x + B u."""
    for case in cases if inputs else ():
        for node, evaluation in rates(claims, Evaluation(table, indices=case)):
            value = below_dots(node, evaluation)
            if value is not None and letters_of(value) & inputs:
                names = ", ".join(sorted({str(x) for x in letters_of(value) & inputs})[:3])
                raise Unreadable(
                    f"holds the rate of an input, {names}: declare it a function of t, or constant", of=node
                )
