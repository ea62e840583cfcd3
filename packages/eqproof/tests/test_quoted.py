"""A number of running text is the rounded value of what is computed, to half a unit of its last digit."""

import numpy as np
import pytest

from eqproof import quoted


def test_a_quoted_number_is_the_rounded_value():
    """Of either sign, with a power of ten, without a point, from NumPy."""
    quoted({"3.1": 3.14159, "-14.715": -14.7150001, "1.0e-7": 1.04e-7, "50": 50.4, "2": np.array(2.3)})


def test_a_value_between_two_numbers_may_be_printed_as_either():
    """2.5 and its neighbors by a few bits, as other processors compute it; what is farther off has one number alone."""
    for value in (2.5, np.nextafter(2.5, 0), 2.5 * (1 + 1e-12), 2.5 * (1 - 1e-12)):
        quoted({"2": value, "3": value})
    for number, value in (("2", 2.5 + 1e-8), ("3", 2.5 - 1e-8), ("1.000000000000", 1 + 6e-13)):
        with pytest.raises(ValueError, match=f"the text says {number}"):
            quoted({number: value})


@pytest.mark.parametrize(
    ("number", "value", "computed"),
    [("3.2", 3.14159, "3.1"), ("1.0e-7", 1.06e-7, "1.1E-7"), ("1", float("nan"), "NaN")],
)
def test_another_number_is_told(number, value, computed):
    """With what it should be."""
    with pytest.raises(ValueError, match=f"^the text says {number}, computed is {computed}$"):
        quoted({number: value})
