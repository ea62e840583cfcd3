"""Units in the words of an axis, read in any usual spelling, from the table that `eqproof` has, too."""

import math

import pytest

from coursework.check import units
from coursework.check.units import factor_to, named_units, unit


@pytest.mark.parametrize(
    ("words", "wanted", "factor"),
    [
        ("torque [kNm]", "N m", 1000.0),
        ("mN·m", "N m", 1e-3),
        ("t / ms", "s", 1e-3),
        ("time in milliseconds", "s", 1e-3),
        ("Kilonewton metres", "N m", 1000.0),
        ("rate (rad/s), torque (N m)", "N m", 1.0),
        ("rate in rad/s", "rad", None),
        ("N m rad^{-1}", "N m", None),
        ("angle in degrees", "rad", None),
        ("the torque", "N m", None),
        ("frequency in Hz", "rad/s", math.tau),
        ("frequency in kHz", "rad/s", 1000 * math.tau),
        ("frequency in Hz", "s^-1", 1.0),
        ("frequency in s^-1", "rad/s", 1.0),
        ("frequency in hertz", "Hz", 1.0),
        ("", "rad", None),
        ("q1 / rad", "rad", 1.0),
        ("q_1 / rad", "rad", 1.0),
        ("theta1 / rad", "rad", 1.0),
        ("rate 1 / s", "s^-1", 1.0),
    ],
)
def test_words_name_units_and_their_multiples(words, wanted, factor):
    """Of the kind that is asked for, or not."""
    assert factor_to(words, wanted) == (factor if factor is None else pytest.approx(factor))


def test_units_multiply_divide_and_have_powers():
    """As they stand, one behind the other."""
    assert unit("kg m^2/s^2") == unit("J") == unit("N m") == unit("W s")
    assert unit("1/s") == unit("s**-1") == unit("Hz")
    per_both = unit("J kg^-1 K^-1")
    assert per_both == unit("J/kg K") == unit("J/kg·K") == unit("J / kg / K") == unit("J/kg*K") != unit("J K/kg")
    assert unit("1/m s") == unit("m^-1 s^-1") and unit("N m/rad s^2 A") == unit("N m rad^-1 s^-2 A^-1")
    assert named_units("from joint 1 to joint 2") == []
    with pytest.raises(ValueError, match="is no unit"):
        unit("furlong")


def test_the_table_is_that_of_the_checker_of_equations():
    """Each derived unit has the same powers of kg, m, s, A and K there."""
    checked = pytest.importorskip("eqproof.unit_tables", reason="eqproof is not installed")
    assert set(units.DERIVED) == set(checked.DERIVED) - {"1", "rad"}
    for name in units.DERIVED:
        assert dict(unit(name).powers) == checked.exponents(name), name
    for words in ("N m / s", "kg m^2/s^2", "J/kg K", "J/kg·K", "J / kg / K", "1/m s", "V/m s^2 K", "N m·s^-1/kg"):
        assert dict(unit(words).powers) == checked.exponents(words), words
