"""No name of a letter has luck: points come from the whole text, and each kink is tried on both of its sides."""

import string

import pytest
import sympy as sp

from eqproof import check
from eqproof.exact import ExactPoint
from eqproof.points import Point
from eqproof.sampling import salt_of

ONE_SIDED = {  # what a letter is bound to, and what it is on one side of its kink alone
    "bars": (sp.Abs, "x"),
    "sign": (sp.sign, "1"),
    "maximum": (lambda s: sp.Max(s, 0), "x"),
    "minimum": (lambda s: sp.Min(s, 0), "0"),
    "a far kink": (lambda s: sp.Abs(s + 1000) - 1000, "x"),
    "a case": (lambda s: sp.Piecewise((s, s > -5000), (0, True)), "x"),
    "a root": (lambda s: sp.sqrt(s**2), "x"),
    "a root of a sum": (lambda s: sp.sqrt(s**2 + 400 * s + 40000) - 200, "x"),
}


@pytest.mark.parametrize("kind", ONE_SIDED)
@pytest.mark.parametrize("name", string.ascii_lowercase)
def test_a_kink_is_seen_whatever_the_letter_is_called(kind, name):
    """Where both random points were positive for seven names of twenty-six."""
    function, printed = ONE_SIDED[kind]
    letter = sp.Symbol(name, real=True)
    assert not check(f"F = {printed}", {"F": function(letter), "x": letter})


@pytest.mark.parametrize("name", string.ascii_lowercase)
@pytest.mark.parametrize("text", [r"(x^2)^{1/2} = x", r"(x^2)^{\frac{1}{2}} = x", r"\sqrt{x^2} = x", r"|x| = x"])
def test_a_power_of_a_half_is_a_root(text, name):
    """It is tried as a root is."""
    assert not check(text, {"x": sp.Symbol(name, real=True)})


def test_two_texts_have_points_of_their_own():
    """And one text has the same ones in every run, however its spaces stand."""
    x = sp.Symbol("x", real=True)
    first, second, third = (salt_of(text) for text in ("x = y", "x  =y", "x = y + 0"))
    assert first == second != third
    for kind in (Point, ExactPoint):
        values = [kind(0, salt=salt).number(x) for salt in (first, second, third)]
        assert values[0] == values[1] and values[0] != values[2]
