"""Laws of trigonometric polynomials: a ring, a derivation on it, and one dictionary for each function."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robotdyn.symbolic.trigpoly import TrigPoly, TrigRing, diff, exponents_of, row_of, without_noise

RING = TrigRing()
ANGLES = [RING.generator(name) for name in ("a", "b", "c")]
GENERATORS = [RING.generator(name) for name in ("m", "r")]
LABELS = ("a", "b", "c", "m", "r")
# The products of a few terms with coefficients below 5 are at most a few hundred: 1e-10 leaves room for rounding.
TOLERANCE = 1e-10

waves = st.tuples(st.lists(st.integers(-3, 3), min_size=3, max_size=3), st.booleans())
numbers = st.one_of(st.integers(-4, 4), st.fractions(-4, 4, max_denominator=6))
points = st.lists(st.floats(-3, 3), min_size=5, max_size=5)


@st.composite
def polynomials(draw):
    """A sum of a few terms  number * generator * wave; the generator may be a coordinate that also stands in waves."""
    total = 0
    for _ in range(draw(st.integers(0, 3))):
        row, is_sine = draw(waves)
        angle = sum((k * x for k, x in zip(row, ANGLES)), 0)
        wave = (angle.sin() if is_sine else angle.cos()) if angle != 0 else 1
        total = total + draw(numbers) * wave * draw(st.sampled_from([1, *GENERATORS, ANGLES[0]]))
    return total


def at(f, point):
    """The value by the definition: a sum of coefficients times waves, each a number at this point."""
    if not isinstance(f, TrigPoly):
        return float(f)
    values = [dict(zip(LABELS, point))[label] for label in f.ring.generators]
    total = 0.0
    for key, poly in f.terms.items():
        angle = sum(k * value for k, value in zip(row_of(key), values))
        coefficient = sum(c * math.prod(values[i] ** e for i, e in exponents_of(m).items()) for m, c in poly.items())
        total += coefficient * (math.sin(angle) if key & 1 else math.cos(angle))
    return float(total / f.den)


@settings(max_examples=60, deadline=None)
@given(polynomials(), polynomials(), polynomials(), points)
def test_values_follow_the_arithmetic(f, g, h, point):
    """(f + g) h, f - g and f^3 have the values of the sums, differences and products of the values."""
    x, y, z = (at(p, point) for p in (f, g, h))
    for poly, value in (((f + g) * h, (x + y) * z), (f - g, x - y), (f**3, x**3), (-f / 7, -x / 7)):
        assert at(poly, point) == pytest.approx(value, abs=TOLERANCE * 1e3, rel=TOLERANCE)


@settings(max_examples=60, deadline=None)
@given(polynomials(), polynomials(), polynomials())
def test_equal_functions_are_equal_dictionaries(f, g, h):
    """Commutative, associative and distributive laws hold between dictionaries, not only between values."""
    assert f * g == g * f
    assert (f * g) * h == f * (g * h)
    assert f * (g + h) == f * g + f * h
    assert f + g - f == g
    assert f - f == 0


@settings(max_examples=60, deadline=None)
@given(polynomials(), polynomials())
def test_derivative_obeys_product_rule_exactly(f, g):
    for label in LABELS:
        assert diff(f * g, label) == diff(f, label) * g + f * diff(g, label)


@settings(max_examples=40, deadline=None)
@given(polynomials(), points, st.integers(0, 4))
def test_derivative_is_the_limit_of_differences(f, point, place):
    """Central differences of step 1e-5 have an error of about 1e-9 times the third derivative, below 4 * 27 * 3 * 27."""
    step = np.eye(5)[place] * 1e-5
    difference = (at(f, np.array(point) + step) - at(f, np.array(point) - step)) / 2e-5
    assert difference == pytest.approx(at(diff(f, LABELS[place]), point), abs=1e-5)


def test_known_identities_need_no_simplifier():
    a, b, c = ANGLES
    m, r = GENERATORS
    assert a.sin() ** 2 + a.cos() ** 2 == 1
    assert a.cos() * b.cos() - a.sin() * b.sin() == (a + b).cos()
    assert a.sin() * b.cos() - a.cos() * b.sin() == (a - b).sin()
    assert (3 * a).sin() == 3 * a.sin() - 4 * a.sin() ** 3
    assert (-a).cos() == a.cos() and (-a).sin() == -a.sin()
    assert (b - a).cos() == (a - b).cos()
    assert (a - a + c).sin() == c.sin()
    assert (m + r) ** 2 - (m - r) ** 2 == 4 * m * r


def test_exact_zeros_and_ones_fold_to_numbers():
    m = GENERATORS[0]
    assert m * 0 == 0 and isinstance(m * 0, int) and isinstance(m - m, int) and isinstance(m * 0.0, int)
    assert m * 1 is m and m + 0 is m and m * 1.0 is m


def test_numbers_of_every_kind():
    a = ANGLES[0].cos()
    assert a * Fraction(1, 3) == a / 3
    assert a * np.int64(2) == 2 * a and a * np.float64(0.5) == a / 2
    assert np.float64(0.5) * a == a / 2 and np.int64(3) * a == 3 * a
    assert Fraction(1, 2) - a == -(a - Fraction(1, 2))
    assert (a + 0.25) * 4 == 4 * a + 1


def test_object_arrays_take_polynomials_entry_by_entry():
    """The generic texts need products with arrays on both sides, @, .T and broadcasting."""
    a, b = ANGLES[:2]
    m = GENERATORS[0]
    R = np.array([[a.cos(), -a.sin()], [a.sin(), a.cos()]], dtype=object)
    S = np.array([[b.cos(), -b.sin()], [b.sin(), b.cos()]], dtype=object)
    RS = R @ S
    assert RS[0, 0] == (a + b).cos() and RS[1, 0] == (a + b).sin()
    assert np.array_equal(R.T @ R, np.eye(2, dtype=int))
    for numbers_ in (np.array([1.5, 2.0]), np.array([3, 0])):
        for product in (m * numbers_, numbers_ * m, numbers_ + m, m + numbers_, m - numbers_, numbers_ - m):
            assert product.dtype == object and product.shape == (2,)
        assert ((m * numbers_) == (numbers_ * m)).all()
        assert ((m - numbers_) == -(numbers_ - m)).all()
    assert (R * m)[0, 1] == -m * a.sin() and (m * R)[1, 1] == m * a.cos()
    assert (R[:, None, :] * S[None, :, :]).shape == (2, 2, 2)
    assert (R / 2)[0, 0] == a.cos() / 2
    assert (np.array([1, 2]) * ANGLES[0])[1].sin() == (2 * a).sin()


def test_noise_of_canceled_floats_is_dropped_beside_a_size():
    a, b = (x.cos() for x in ANGLES[:2])
    f = (0.1 + 0.2) * a - 0.3 * a + b
    assert f != b and without_noise(f, 1.0) == b
    assert without_noise(1e-20 * a, 1.0) == 0 and without_noise(3 * a, 1e20) == 3 * a


def test_what_cannot_be_says_so():
    a, m = ANGLES[0], GENERATORS[0]
    other = TrigRing()
    for f in (a + 1, a * 0.5, a / 2, a * m, a**2, a + a.cos()):
        with pytest.raises(TypeError, match="sin and cos need an integer combination of coordinates, got another"):
            f.sin()
    with pytest.raises(TypeError):
        1 / m
    with pytest.raises(TypeError):
        m**-1
    with pytest.raises(ZeroDivisionError):
        m / 0
    with pytest.raises(ValueError, match="must come from one TrigRing, got two"):
        m + other.generator("m")
    with pytest.raises(ValueError, match=r"the label must be one of .*, got 'nobody'"):
        diff(m, "nobody")
    with pytest.raises(OverflowError, match="must have degree <= 2047, got up to 4000"):
        (2000 * a).cos() * (2000 * a).cos()


def test_value_of_a_worked_polynomial():
    """m r cos(a - 2 b) at a = 1, b = 0.25, m = 2, r = 3 is 6 cos 0.5."""
    a, b, _ = ANGLES
    m, r = GENERATORS
    f = m * r * (a - 2 * b).cos()
    assert isinstance(f, TrigPoly)
    assert at(f, (1, 0.25, 0, 2, 3)) == pytest.approx(6 * math.cos(0.5), rel=1e-14)
