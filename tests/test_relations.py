"""The judges themselves: formulas compared at random points, slopes, and verdicts on what is plainly wrong."""

import numpy as np
import pytest
import sympy as sp

import robotdyn as rd
from robotdyn import relations

a, b = sp.symbols("a b", real=True)


def test_equal_formulas_in_other_forms():
    """A half-angle form is the same formula; no simplifier is needed to see it."""
    pair = (sp.cos(2 * a), (1 - sp.tan(a) ** 2) / (1 + sp.tan(a) ** 2))
    matrices = (sp.Matrix([[a + b, 0], [0, a * b]]), sp.Matrix([[b + a, 0], [0, b * a]]))
    assert relations.largest_difference(pair, matrices) < 1e-12


def test_unequal_formulas():
    """One wrong entry in one pair shows."""
    assert relations.largest_difference((a, a), ([a, sp.sin(b)], [a, sp.cos(b)])) > 0.01
    assert relations.largest_difference(([1.0, 2.0], np.array([1.0, 2.5]))) == 0.5


def test_shapes_must_agree():
    """Sides of different size are refused with a sentence."""
    with pytest.raises(ValueError, match=r"both sides must have one shape, got \(2,\) and \(3,\)"):
        relations.largest_difference(([1, 2], [1, 2, 3]))


def test_slope_is_exact_for_polynomials_of_degree_four():
    """The five-point rule has no error on s^4."""
    assert abs(relations.slope(lambda s: s**4, 0.7) - 4 * 0.7**3) < 1e-10


def test_a_result_of_the_wrong_shape_breaks_the_law():
    """A judge answers infinity, not an error, for a torque of the wrong shape."""
    arm = rd.robots.two_link()
    assert relations.gravity_is_gradient(lambda arm, q: np.zeros(3), arm, np.ones(2)) == np.inf
