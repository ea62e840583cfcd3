"""The grade says what was done: proven in exact fractions with a bound, checked in digits, compared within a tolerance."""

import re

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from eqproof import Bindings, Chapter, ProofError, check
from eqproof.exact import SIZE, Exact, ExactPoint, chance
from eqproof.quantities import slope

x, y = sp.symbols("x y", positive=True)
u, v = sp.symbols("u v", real=True)
TABLE = {"x": x, "y": y, "u": u, "v": v, "p": 3, r"\boldsymbol a": [x, y], r"\boldsymbol A": [[x, u], [y, 1]]}
SIN = sp.sin(u) * sp.cos(x) + sp.cos(u) * sp.sin(x)
GRADES = [
    (
        r"(x + y)^2 = x^2 + 2 x y + y^2",
        "proven",
        "equal as fractions at 2 random points of 2 letters; a false one of degree 2 ",
    ),
    (r"\sin(u + x) = S", "proven", "a chance below 1e-2"),
    (r"\cos 3 u = 4 \cos^3 u - 3 \cos u", "proven", "degree 6 "),
    (r"2 \cos^2 \frac{u}{2} = 1 + \cos u", "proven", "degree 4 "),
    (r"\|\boldsymbol a\|^2 = x^2 + y^2", "proven", "degree 2 "),
    (r"\boldsymbol A^{-1} \boldsymbol A = \boldsymbol 1", "proven", "degree "),
    (r"\sqrt{x} + \sqrt{y} = \sqrt{y} + \sqrt{x}", "proven", "degree "),
    (r"\sqrt[3]{x} + y = y + \sqrt[3]{x}", "proven", "degree "),
    (r"p = 2 + 1", "computed", "no letter is left free"),
    (r"\sqrt{x^2} = x", "checked", "30 digits agree at 12 random points"),
    (r"\ln(x y) = \ln x + \ln y", "checked", "30 digits agree at 2 random points"),
    (r"|u| \le u^2 + 1", "sampled", "holds with a margin at 41 random points, of sizes from 1e-06 to 1e+06"),
    (
        r"\cos u \ne 2",
        "sampled",
        "the sides differ at 41 random points, of sizes from 1e-06 to 1e+06, and where letters are 0 or 1",
    ),
    (r"u^2 \ne -1", "proven", "proven by the signs of its letters"),
    (r"u^2 + 1 \ge 2 u", "proven", "proven by the roots of a polynomial"),
    (r"2 u^2 + 3 v^2 + 1 \ge 4 u v + v", "proven", "proven as a sum of squares"),
    (r"1 / u \ne 0", "sampled", "the sides differ at 41 random points"),  # it changes its sign by a jump
    (r"\boldsymbol A \ne \boldsymbol 1", "sampled", "the sides differ at 41 random points"),  # in some of the entries
    (r"|x| = x", "checked", "30 digits agree at 17 random points, of sizes from 0.01 to 100"),
    (r"\sqrt 2 \approx 1.414", "compared", "agrees to the last printed digit where no letter is left free"),
    (r"1.414 \approx \sqrt 2", "compared", "agrees to the last printed digit where no letter is left free"),
    (r"0.333 \approx 0.3", "compared", "agrees to the last printed digit"),
    (r"0.3 \approx 0.333", "compared", "agrees to the last printed digit"),
    (r"u \in \mathbb R", "computed", "of the size that is claimed"),
    (r"\boldsymbol A \in \mathbb R^{2 \times 2}", "computed", "of the size that is claimed"),
]


@pytest.mark.parametrize(("line", "grade", "words"), GRADES, ids=[line for line, *_ in GRADES])
def test_a_claim_gets_the_grade_of_what_was_done(line, grade, words):
    """And the sentence says it."""
    verdict = check(line.replace(r"\sqrt 2", r"\sqrt{2}"), TABLE | {"S": SIN})
    assert (verdict.grade, verdict.holds) == (grade, True)
    assert words in verdict.how


FALSE = [
    r"1.415 \approx \sqrt{2}",
    r"\boldsymbol A \in \mathbb R^2",
    r"(x + y)^2 = x^2 + x y + y^2",
    r"\cos 3 u = 4 \cos^3 u - 2 \cos u",
    r"\sqrt{u^2} = u",
    r"\sqrt[3]{x} = \sqrt{x}",
    r"\sqrt[3]{x} = \sqrt[4]{x}",
    r"|u| < 3",
    r"x < 20",
    r"u < 100000",
    r"x^2 + y^2 > 10^{-10}",
    r"x \le x^2 + 0.24",
    r"|u + 90| = u + 90",
    r"\arctan(\tan u) = u",
    r"x - y < x - y + 0",
    r"x > 1 x",
    r"u \ge -5",
    r"x \ne x + 0 y",
    r"x \ne y",
    r"u \ne 5",
    r"\cos u \ne 0",
    r"\boldsymbol a \ne x \boldsymbol a",
    r"\sqrt{x^2 + 2 x y + y^2} \ne x + y",
    r"x + y \le y + x",
    r"x / x \approx 1",
    r"\boldsymbol A \ge \boldsymbol 1 \boldsymbol A",
    r"\boldsymbol a \boldsymbol a^\top \succeq (\boldsymbol a^\top)^\top \boldsymbol a^\top",
    r"x + 10^{-35} y = x",
    r"10^{-40} \sqrt{x^2} = 2 \cdot 10^{-40} x",
]


@pytest.mark.parametrize("line", FALSE)
def test_what_is_false_is_refused(line):
    """Also where both sides agree at the sizes near one, or in thirty digits."""
    assert not check(line, TABLE)


@pytest.mark.parametrize("inside", [r"-x < u < x", r"-x < u \le x", r"-x \le u \le 2 x"])
def test_cases_leave_no_gap_and_no_overlap_where_they_meet(inside):
    """Where u is x or -x, which no random point is, one of the cases holds, and one alone."""
    printed = r"B = \begin{cases} u - x & u > x \\ 0 & %s \\ u + x & u < -x \end{cases}"
    box = TABLE | {"B": sp.sign(u) * sp.Max(sp.Abs(u) - x, 0)}
    assert check(printed % r"-x \le u \le x", box, points=12)
    with pytest.raises(ProofError, match="of these cases holds"):
        check(printed % inside, box, points=12)


CHAINS = {
    "a = b = c": ("x + y = y + x = 2 x", "side 3 does not follow from side 2: the sides differ: "),
    "aligned": (
        r"\begin{aligned} (x + y)^2 &= x^2 + 2 x y + y^2 \\ &= x (x + 2 y) + y^2 \\ &= x (x + y) + y^2 \end{aligned}",
        "line 3 does not follow from line 2: the sides differ: ",
    ),
}


@pytest.mark.parametrize("kind", CHAINS)
def test_a_false_step_of_a_derivation_is_named(kind):
    """With the numbers of both sides."""
    text, words = CHAINS[kind]
    verdict = check(text, TABLE)
    assert not verdict
    assert verdict.how.startswith(words)
    assert re.search(r"\d on the left, -?\d+\.\d+ on the right", verdict.how)


@pytest.mark.parametrize("relation", "<>")
def test_within_a_tolerance_nothing_is_larger(relation):
    """Rounding is no reason for an inequality."""
    assert check("1.000001 x = x", TABLE, tolerance=1e-5)
    assert not check(f"1.000001 x {relation} x", TABLE, tolerance=1e-5)


@pytest.mark.parametrize("relation", [r"\le", r"\ge", r"\approx"])
def test_what_differs_by_rounding_is_equal(relation):
    r"""Floats that are bound round; a \le and an \approx are weaker than what they show."""
    table = TABLE | {"r": 0.1 + 0.2}
    assert check("r x = 0.3 x", table, tolerance=1e-12)
    assert "write =" in check(f"r x {relation} 0.3 x", table, tolerance=1e-12).how
    assert check(r"x \le 1.1 x", TABLE, tolerance=1e-5)
    assert check(r"1.000001 x \approx x", TABLE, tolerance=1e-5)
    floats = {"r": 0.1 + 0.2, "s": 0.3, "u": 0.300001}
    assert "write =" in check(f"r {relation} s", floats, tolerance=1e-12).how, "where no letter is left free, too"
    assert check(r"r \approx u", floats, tolerance=1e-5)


@pytest.mark.parametrize("relation", [r"\le", r"\ge"])
def test_large_terms_that_cancel_are_equal_to_zero(relation):
    """Their rest is rounding, and no reason to call a true inequality false."""
    assert "write =" in check(rf"x^6 - (x^3 - y^3) (x^3 + y^3) - y^6 {relation} 0", TABLE).how


@pytest.mark.parametrize(
    "line",
    [
        "-p x^2 < 0",
        "x^2 + y^2 > 0",
        r"x y < \frac{1}{2} (x^2 + y^2)",
        r"p + s > 2 \sqrt{p s}",
        r"\dot f^2 > 0",
        r"\frac{x^2}{y^2 (y - 1)^2} > 0",
    ],
)
def test_less_is_less_everywhere(line):
    r"""Who writes < for a \le says that nothing is at rest, and no two are equal: no random point shows that."""
    (p, s), (v, w, t) = sp.symbols("p s", positive=True), sp.symbols("x y t", real=True)
    real = Bindings({"p": p, "s": s, "x": v, "y": w, "f": sp.Function("f", real=True)(t)}).motion([], t=t)
    assert re.search(r"is false, where .+ = [01]", check(line, real).how)
    assert check(line.replace("<", r"\le").replace(">", r"\ge"), real).grade in ("sampled", "proven")
    assert check(r"\frac{1}{x^2} > 0", real).grade in ("sampled", "proven")
    assert not check(r"\frac{x^2 + \sin^2 y + \cos^2 y - 1}{y^2} > 0", real), "what is rounding at x = 0 is zero"
    assert check(r"\frac{1}{x^2 + \sin^2 y + \cos^2 y - 1} > 0", real), "and over it nothing has a value"


def test_what_was_tried_is_said():
    """Each value of each index, not "every"."""
    table = {"a_*": lambda i: i * x, "x": x}
    assert check("a_k = k x", table, each={"k": 3}).how.endswith("; for k = 1, 2, 3")
    assert check("a_i + a_k = (i + k) x", table, each=[{"i": 1, "k": 2}]).how.endswith("; for i = 1, k = 2")
    assert "1e-05" in check("1.000001 x = x", TABLE, tolerance=1e-5).how


@settings(deadline=None)
@given(st.integers(-20, 20), st.integers(-20, 20), st.integers(1, 9), st.integers(0, 5))
def test_exact_numbers_are_fractions(a, b, c, k):
    """Sums, products, quotients and powers are those of the fractions."""
    one, other = Exact.of(sp.Rational(a, c).p) / sp.Rational(a, c).q, Exact.of(b)
    q = sp.Rational(a, c)
    for made, right in ((one + other, q + b), (one * other - one, q * b - q), (one**k, q**k), (2 - one / c, 2 - q / c)):
        assert sp.Rational(int(made.value.numerator), int(made.value.denominator)) == right


@pytest.mark.parametrize(
    ("polynomial", "degree"), [(x * y + x, 2), ((x + y) ** 5, 5), (sp.cos(u) * x, 3), (sp.sin(3 * u), 6), (x / y, 1)]
)
def test_degrees_are_not_too_small(polynomial, degree):
    """The bound on the chance rests on them."""
    assert ExactPoint(0).number(polynomial).above >= degree


def test_the_chance_is_that_of_schwartz_and_zippel():
    """Degree over the size of the set of points, for each point."""
    assert chance(10, 2) == pytest.approx((10 / SIZE) ** 2)
    (exponent,) = re.findall(r"below 1e-(\d+)", check("x y = y x + 0", TABLE).how)
    assert 10 ** -int(exponent) >= (2 / SIZE) ** 2


def chapter_of(folder, texts, proofs):
    (folder / "proofs").mkdir(parents=True)
    (folder / "page.md").write_text(
        "\n\n".join(f"$$ {text} $$ ({label})" for label, text in texts.items()), encoding="utf-8"
    )
    (folder / "proofs" / "page.py").touch()
    chapter = Chapter(folder / "proofs" / "page.py")
    proofs(chapter)
    return chapter


@pytest.mark.parametrize("many", [{"n": (1, 2, 3)}, {"n": (3, 2, 1)}, {"each": {"n": 3}}])
def test_what_is_tried_more_than_once_has_the_weakest_grade(tmp_path, many):
    """For n = 1 both sides are one, for others digits alone agree: whichever size, or index, comes first."""
    text = r"\ln(x^n) = n \ln x"
    assert [check(text, {"x": x, "n": n}).grade for n in (1, 2, 3)] == ["proven", "checked", "checked"]

    def proofs(chapter):
        chapter.bind(lambda n: {"x": x, "n": n} if n else {"x": x})
        chapter.prove("eq-one", by="algebra", **many)

    assert [result.kind for result in chapter_of(tmp_path, {"eq-one": text}, proofs).run()] == ["checked"]


def test_a_postulate_is_called_one(tmp_path):
    """It must agree with its letters all the same."""

    def proofs(chapter):
        chapter.bind(TABLE)
        chapter.postulate("eq-one", {"F": x * y}, by="a computation")
        chapter.postulate("eq-two", {"F": x * y}, by="a computation")

    results = chapter_of(tmp_path, {"eq-one": "F = x y", "eq-two": "F = 2 x y"}, proofs).run()
    assert [result.kind for result in results] == ["postulate", "failed"]


@pytest.mark.parametrize(
    ("each", "n"), [("k", [2]), ({"k": 2}, None), ([{"k": 1}, {"k": 2}], None), (lambda n: {"k": 2}, [2])]
)
def test_the_free_indices_of_a_definition_make_a_family(each, n, tmp_path):
    """However they are given: as letters, numbers, a list, or a function of the size."""

    def proofs(chapter):
        chapter.bind({"x": x})
        chapter.define("eq-name", "a name", each=each, n=n, let=True)
        chapter.prove("eq-use", by="algebra")

    texts = {"eq-name": "w_k = x + k", "eq-use": "w_1 w_2 = x^2 + 3 x + 2"}
    chapter = chapter_of(tmp_path, texts, proofs)
    assert [result.kind for result in chapter.run()] == ["definition", "proven"]


def test_a_definition_must_be_used(tmp_path):
    """By a later proof, with the right side that is printed: a wrong one breaks the proof."""
    texts = {"eq-name": "w = x + y", "eq-other": "v = x", "eq-use": "w^2 = x^2 + 2 x y + y^2"}

    def proofs(chapter):
        chapter.bind({"x": x, "y": y})
        chapter.define("eq-name", "a name", let=True)
        chapter.define("eq-other", "a name", let=True)
        chapter.prove("eq-use", by="algebra")

    unreadable = chapter_of(tmp_path / "other", texts | {"eq-use": r"w^2 = \cos"}, proofs)
    assert [result.kind for result in unreadable.run()] == ["definition", "definition", "failed"]
    assert len(unreadable.left()) == 2
    chapter = chapter_of(tmp_path, texts, proofs)
    assert [result.kind for result in chapter.run()] == ["definition", "definition", "proven"]
    assert chapter.left() == ["eq-other is a definition that no later proof uses: bind it with let=True, and use it"]


def test_a_slope_is_sympys_own():
    """Every rule of `slope`, and what it leaves to SymPy, beside the derivatives that SymPy takes."""
    x, y = sp.symbols("x y", positive=True)
    kinds = [x * y * sp.sin(x * y) * x ** sp.Rational(-3, 2), (x**2 + y) ** 3 * sp.cos(x + y) / x, sp.exp(x * y), x**x]
    kinds += [sp.Integral(sp.sin(x * y), (y, 0, x)), sp.Function("f")(x) * x, sp.pi * y, sp.Max(x, y) * x]
    for expression in kinds:
        for letter in (x, y):
            rest = slope(expression, letter) - expression.diff(letter)
            assert rest.doit().subs({x: 2, y: 3}).simplify() == 0, expression
