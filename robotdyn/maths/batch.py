"""Batches of states: a scalar that holds one number for each state, so that a text for one state computes them all."""

import numpy as np


class Column:
    """One number for each state of a batch; zeros and ones of the arm fold away."""

    __slots__ = ("values",)

    def __init__(self, values):
        self.values = values

    def _binary(self, other, operation):
        if isinstance(other, np.ndarray):
            return NotImplemented  # the array then asks entry by entry
        return Column(operation(self.values, getattr(other, "values", other)))

    def __add__(self, other):
        return self if is_number(other, 0) else self._binary(other, np.add)

    def __sub__(self, other):
        return self if is_number(other, 0) else self._binary(other, np.subtract)

    def __rsub__(self, other):
        return -self if is_number(other, 0) else self._binary(other, lambda a, b: b - a)

    def __mul__(self, other):
        if is_number(other, 0):
            return 0
        return self if is_number(other, 1) else self._binary(other, np.multiply)

    def __truediv__(self, other):
        return self._binary(other, np.true_divide)

    def __rtruediv__(self, other):
        return 0 if is_number(other, 0) else self._binary(other, lambda a, b: b / a)

    def __neg__(self):
        return Column(-self.values)

    def __pow__(self, exponent):
        return Column(self.values**exponent)

    def sin(self):
        return Column(np.sin(self.values))

    def cos(self):
        return Column(np.cos(self.values))

    __radd__, __rmul__ = __add__, __mul__


def is_number(x, value):
    """Tell whether x is a plain number equal to `value`."""
    return isinstance(x, (int, float)) and x == value
