"""The judges themselves: formulas compared at random points, slopes, and verdicts on what is plainly wrong."""

import numpy as np
import pytest
import sympy as sp
from arms import arm_and_state

import robotdyn as rd
from robotdyn import laws as relations

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


@pytest.mark.parametrize("side", [sp.nan, sp.zoo, sp.sqrt(-a), sp.log(-a), [1.0, np.nan]])
def test_what_is_no_real_number_is_no_agreement(side):
    """A formula that gives NaN, infinity or a complex number differs from every other: infinitely."""
    assert relations.largest_difference(([a, 1] if isinstance(side, list) else a, side)) == np.inf


@pytest.mark.parametrize(
    "side", [a + sp.I * b, a + sp.Rational(1, 10**6) * sp.I, [a, sp.I], np.array([1.0, 1.0 + 1e-6j])]
)
def test_an_imaginary_part_is_no_agreement(side):
    """Two sides are not equal because their real parts are; where it cancels, nothing is imaginary."""
    real = {True: [1.0, 1.0], False: a}[isinstance(side, np.ndarray)]
    assert relations.largest_difference(([a, 0] if isinstance(side, list) else real, side)) == np.inf
    assert relations.largest_difference((side, side), (sp.I * a * sp.I, -a)) < 1e-12


def test_shapes_are_more_than_sizes():
    """A matrix is not its transpose's shape; a column is a vector."""
    with pytest.raises(ValueError, match="both sides must have one shape"):
        relations.largest_difference((np.ones((2, 3)), np.ones((3, 2))))
    assert relations.largest_difference((sp.Matrix([a, b]), [a, b])) == 0


def judged(wrong):
    """Every law, with what is under test replaced by `wrong`."""
    arm, state = rd.robots.two_link(), np.array([[0.3, 0.4], [1.0, -0.5], [0.2, 0.7]])
    q, qd, x = state
    M, rnea, aba = rd.mass_matrix, rd.inverse_dynamics, rd.forward_dynamics
    return {
        "symmetry": relations.symmetry(wrong, arm, q),
        "definiteness": relations.definiteness(wrong, arm, q),
        "energy": relations.energy_of_motion(wrong, arm, q, qd),
        "gravity": relations.gravity_is_gradient(wrong, arm, q),
        "power": relations.power_balance(wrong, arm, q, qd, x),
        "skew": relations.skew_symmetry(wrong, M, arm, q, qd),
        "velocity": relations.velocity_torque(wrong, M, arm, q, qd),
        "product": relations.coriolis_product(wrong, rnea, arm, q, qd),
        "forward": relations.inverse_of_forward(wrong, rnea, arm, q, qd, x),
        "inverse": relations.inverse_of_forward(aba, wrong, arm, q, qd, x),
        "motion": relations.equation_of_motion(wrong, rd.bias_torque, rnea, arm, q, qd, x),
        "jacobian": relations.jacobian_is_derivative(wrong, arm, q, qd),
        "acceleration": relations.acceleration_is_derivative(wrong, arm, q, qd, x),
        "work": relations.wrench_does_virtual_work(wrong, arm, q, qd, x, np.ones(6)),
    }


@pytest.mark.parametrize("shape", [(), (2,), (2, 2), (3,), (3, 3), (2, 1), (6, 2)])
def test_a_result_of_nan_breaks_every_law(shape):
    """NaN, of the right shape or of another, is never within a tolerance."""
    verdicts = judged(lambda *_: np.full(shape, np.nan))
    assert all(verdict == np.inf for verdict in verdicts.values()), verdicts


def test_definiteness_sees_the_whole_matrix():
    """x . M x counts both triangles."""
    arm = rd.robots.two_link()
    assert relations.definiteness(lambda arm, q: np.array([[1.0, 9.0], [0.0, 1.0]]), arm, np.zeros(2)) > 0.1


def test_slope_is_exact_for_polynomials_of_degree_four():
    """The five-point rule has no error on s^4."""
    assert abs(relations.slope(lambda s: s**4, 0.7) - 4 * 0.7**3) < 1e-10


@pytest.mark.parametrize("mix", ["rr", "rpr"])
def test_a_function_of_numbers_alone_is_differentiated_by_differences(mix):
    """A law is as good for a student's NumPy, which cannot be traced, up to the error of a difference quotient."""
    arm, q, qd, *_ = arm_and_state(mix)

    def in_numpy(arm, q):
        return np.array(rd.mass_matrix(arm, q), dtype=float)

    def with_a_branch(arm, q):
        return rd.mass_matrix(arm, q) if q[0] < 10 else 0

    def slipped(arm, q):
        return np.array(rd.mass_matrix(arm, q) * (1 + q[0] / 10), dtype=float)

    assert relations.skew_symmetry(rd.coriolis_matrix, rd.mass_matrix, arm, q, qd) < relations.TIGHT
    for M in (in_numpy, with_a_branch):
        assert relations.skew_symmetry(rd.coriolis_matrix, M, arm, q, qd) < relations.LOOSE
        assert relations.velocity_torque(rd.bias_torque, M, arm, q, qd) < relations.LOOSE
    assert relations.skew_symmetry(rd.coriolis_matrix, slipped, arm, q, qd) > 1e-3


def test_a_result_of_the_wrong_shape_breaks_the_law():
    """A judge answers infinity, not an error, for a torque of the wrong shape."""
    arm = rd.robots.two_link()
    assert relations.gravity_is_gradient(lambda arm, q: np.zeros(3), arm, np.ones(2)) == np.inf
