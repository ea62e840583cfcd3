"""An inequality with a narrow exception is false, one with a proof is proven, and the rest is called sampled."""

import pytest
import sympy as sp

from eqproof import check
from eqproof.inequalities import expandable, most_terms, way_to_prove

x, y, z = sp.symbols("x y z", real=True)
m, k = sp.symbols("m k", positive=True)
TABLE = {"x": x, "y": y, "z": z, "m": m, "k": k, r"\boldsymbol v": [x, y]}

NARROW = [
    r"x^2 + 4 \ge 4.001 x",
    r"4.001 x \le x^2 + 4",
    r"\sin^2 x \le 0.999999",
    r"x^2 + y^2 + 4 > 2.83 (x + y)",
    r"\sin x \cos y < 0.9999",
    r"x^4 - x^2 + 0.2499 \ge 0",
    r"(x - 7.77)^2 > 0.00001",
    r"m^2 + 9 > 6 m",
    r"m + \frac{1}{m} \ge 2.0001",
    r"x^2 + 4 > 4 x",
    r"x^2 y^2 + 1 \ge 2.002 x y",
    r"(x - y)^2 + (y - 3)^2 > 10^{-6}",
    r"\begin{bmatrix} m \\ x^2 + 9 \end{bmatrix} > \begin{bmatrix} 0 \\ 6.001 x \end{bmatrix}",
]
PROVEN = {
    r"x^2 + 1 \ge 2 x": "by the roots of a polynomial",
    r"x^4 - x^2 + \frac{1}{4} \ge 0": "by the roots of a polynomial",
    r"m^2 + 1.9 m + 1 > 0": "by the signs of its letters",
    r"m^2 - 1.9 m + 1 > 0": "by the roots of a polynomial",
    r"x^2 + y^2 \ge 2 x y": "as a sum of squares",
    r"2 x y \le x^2 + y^2": "as a sum of squares",
    r"x^2 + y^2 + z^2 + 1 > x y + y z": "as a sum of squares",
    r"m + k > m": "by the signs of its letters",
    r"(x + 1)^{5000} \ge 0": "by the signs of its letters",
    r"x^2 + 1 \ne 0": "by the signs of its letters",
    r"0 < m < m + k": "by the signs of its letters",
}
SAMPLED = [
    r"\sin x \le x^2 + 1",
    r"\cosh x \ge 1 + \frac{1}{2} x^2",
    r"m + \frac{1}{m} \ge 2",
    r"|x + y| \le |x| + |y|",
]


@pytest.mark.parametrize("line", NARROW)
def test_a_narrow_exception_is_found(line):
    """It is told where."""
    verdict = check(line, TABLE)
    assert not verdict and "is false" in verdict.how


@pytest.mark.parametrize("line", PROVEN)
def test_a_proof_is_told(line):
    """What was proven and how."""
    verdict = check(line, TABLE)
    assert verdict.proven and verdict.proof == PROVEN[line] and PROVEN[line] in verdict.how


@pytest.mark.parametrize("line", SAMPLED)
def test_what_is_true_and_not_proven_is_sampled(line):
    """The words say that a search is no proof."""
    verdict = check(line, TABLE)
    assert verdict.holds and verdict.grade == "sampled" and "which is no proof" in verdict.how


FALSE = [
    (x**2 - 1, False),
    (x**2, True),
    (x**3, False),
    (m**2 - 2 * m + 1, True),
    (m - 1, False),
    (x**2 + y**2 - 3 * x * y, False),
    (x * y, False),
    (x**2 - 2 * x + 1, True),
    (-(x**2) - 1, False),
    ((x - 1) ** 3, False),
    (sp.Symbol("w") ** 2, False),
]


@pytest.mark.parametrize(("gap", "strict"), FALSE)
def test_no_proof_is_given_of_what_is_false(gap, strict):
    """Nor of what has a zero, where it is to be positive."""
    assert way_to_prove(sp.expand(gap), strict) == ""


TRUE = [(x**2, False), (m**3, True), ((m - 1) ** 2, False), (m * (m - 1) ** 2, False), (m**2 + m, True)]


@pytest.mark.parametrize(("gap", "strict"), TRUE)
def test_a_proof_is_found_of_what_is_true(gap, strict):
    """Also where a root lies at the end of what the letter may be."""
    assert way_to_prove(sp.expand(gap), strict)


def test_what_has_millions_of_terms_is_not_multiplied_out():
    """Products of sums grow as fast as powers do; the number of terms is that of SymPy's own expansion where no two meet."""
    a, b, c, *many = sp.symbols("a b c x_1:41")
    for x in ((a + b) * (a + c + 1), a * (b + c) ** 3 + 1, (a + b) ** 2 * (c + 1), sp.sin(a + b)):
        assert most_terms(x) >= len(sp.Add.make_args(sp.expand(x)))
    assert most_terms((a + b) * (c + 1)) == 4 and expandable((a + b) * (c + 1))
    product = sp.Mul(*(many[k] + many[k + 1] + 1 for k in range(0, 40, 2)), evaluate=False)
    assert most_terms(product) == 3**20 and not expandable(product)
    assert way_to_prove(product, strict=False) == ""
