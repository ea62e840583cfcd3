"""Checks of what must be numbers:  functions that step through time or draw take no symbols."""

from robotdyn.backend import as_array, joints_of


def as_numbers(x, name, shape):
    """Return x as an array of floats of this shape; a leading `...` stands for any number of batch axes.

    Raises TypeError for symbols and for what is no number, ValueError for a wrong shape, NaN or infinity.
    """
    array = as_array(x, name, shape)
    if array.dtype == object:
        raise TypeError(f"{name} must hold numbers, got symbols: put values in with subs")
    return array


def as_positive(x, name, unit):
    """Return one number above zero; unit: the words that the error says after it."""
    number = float(as_numbers(x, name, ()))
    if not number > 0:
        raise ValueError(f"{name} must be > 0 {unit}, got {x}")
    return number


def check_numeric(arm, what):
    """Refuse what is no arm, and an arm of symbols; what: who asks."""
    joints_of(arm)
    if not hasattr(arm, "from_dh"):  # what a trace puts in its place
        raise TypeError(
            f"{what} computes with numbers alone and cannot be traced: trace a text such as rd.forward_dynamics"
        )
    if arm.dtype == object:
        raise TypeError(f"{what} needs numbers, got an arm with symbols: build it with values in their place")
