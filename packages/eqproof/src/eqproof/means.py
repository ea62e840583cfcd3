r"""A bar above a letter beside the same letter with numbers as indices is usually a mean: \bar x = (x_1 + .. + x_n) / n."""

from typing import Any

import sympy

from eqproof import tree

BARS = (("bar",), ("overline",))


def means_in(letters: dict[tree.Symbol, Any]) -> dict[tree.Symbol, sympy.Expr]:
    r"""Return the mean of x_1, x_2, .. for each \bar x among letters that stands beside these; none beside fewer than one."""
    found: dict[tree.Symbol, sympy.Expr] = {}
    for bar in (x for x in letters if x.accents in BARS and not x.sub):
        members = [
            value
            for x, value in letters.items()
            if (x.base, x.style, x.accents, x.dots) == (bar.base, bar.style, (), bar.dots) and "".join(x.sub).isdigit()
        ]
        if members:
            found[bar] = sympy.Add(*members) / len(members)
    return found
