r"""What holds near one and not far away is false: points are drawn on both sides of each kink, and on single points, wherever they are."""

import random

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from eqproof import Chapter, ProofError, check
from eqproof.bindings import Bindings
from eqproof.branches import Gate, bounds, gates
from eqproof.crossings import Program
from eqproof.evaluate import Evaluation
from eqproof.kinks import beyond_kinks
from eqproof.parser import parse
from eqproof.points import Point

x, y = sp.symbols("x y", real=True)
p, r = sp.symbols("p r", positive=True)
TABLE = {
    "x": x,
    "y": y,
    "p": p,
    "r": r,
    "F": x + y,
    "B": sp.Piecewise((1, sp.Eq(x, 7)), (0, True)),
    "C": sp.Piecewise((x, x < 900), (y, True)),
    "z": sp.Symbol("z"),
}
FALSE = {
    "roots": [
        r"\sqrt{(x-2)^2} = 2-x",
        r"\sqrt{x^2 - 40 x + 400} = 20 - x",
        r"\sqrt{(z-300)^2} = 300 - z",
        r"\sqrt[4]{(x-4000)^4} = 4000 - x",
        r"((x y + 700)^2)^{1/2} = 700 + x y",
        r"\sqrt{(p - 0.0001)^2} = p - 0.0001",
        r"((x - 1000)^2)^{1.5} = (1000 - x)^3",
        r"((x - 40)^2)^{-0.5} = \frac{1}{40 - x}",
        r"((x - 40)^2)^{0.5 + 1} = (40 - x)^3",
        r"\sqrt{1 - \cos^2 \frac{p}{50}} = \sin \frac{p}{50}",
        r"\sqrt{(x-600)^2 y^4} = (600-x) y^2",
        r"\sqrt{(x^2+y^2-800)^2} = 800-x^2-y^2",
    ],
    "kinks": [
        r"\min(x,y,500) = \min(x,y)",
        r"\max(x,y,-40000) = \max(x,y)",
        r"|\ln p-20| = 20-\ln p",
        r"|\ln p - 200| = 200 - \ln p",
        r"\max(0,1-(x-50)^2-(y-50)^2) = 0",
        r"\max(0,1-(x-5000)^2) = 0",
        r"\max(0, \min(x-20000, y-20000)) = 0",
        r"\max(0, x-300) \max(0, y-400) = 0",
        r"\left|\left|x\right|-90\right| = 90-\left|x\right|",
        r"\operatorname{sign}(p - 0.00001) = 1",
    ],
    "arcs": [
        r"\operatorname{atan2}(0,100-x) = 0",
        r"\operatorname{atan2}(0,(x-300)^2+(y-40)^2-2) = 0",
        r"\operatorname{atan2}(\sin\frac{x}{90},\cos\frac{x}{90}) = \frac{x}{90}",
        r"\arcsin(\sin\frac{x}{1000}) = \frac{x}{1000}",
        r"\arccos(\cos\frac{p}{1000}) = \frac{p}{1000}",
        r"\arctan(\tan\frac{x}{1000}) = \frac{x}{1000}",
        r"\arctan(x-80) + \arctan\frac{1}{x-80} = -\frac{\pi}{2}",
        r"\operatorname{arcosh}(\cosh(x-50)) = 50-x",
    ],
    "cases": [
        r"\begin{cases} x & x < 1000 \\ 2000 - x & \text{otherwise} \end{cases} = x",
        r"\begin{cases} x & x + y < 1000 \\ y & x + y \ge 1000 \end{cases} = x",
        r"\begin{bmatrix} 1 \\ 2 \end{bmatrix} \begin{cases} x & x y < 700 \\ 2 x & x y \ge 700 \end{cases} = \begin{bmatrix} x \\ 2 x \end{bmatrix}",
        "C = x",
    ],
    "windows": [
        r"\begin{cases} 1 & 500 < x < 501 \\ 0 & \text{otherwise} \end{cases} = 0",
        r"|x-500| + |501-x| = |2 x - 1001|",
        r"\max(0,1-(x-500)^2) \max(0,1-(y+0.001)^2) = 0",
        r"\max(0,x-500) \max(0,y+500) \max(0,x+y) = 0",
        r"\det \begin{bmatrix} |x-500| & 0 \\ 1 & y \end{bmatrix} = 500 y - x y",
        r"\max(p, 10^{-30}) = p",
    ],
    "single points": [
        r"\begin{cases} x & x=7 \\ x^2 & \text{otherwise} \end{cases} = x^2",
        r"\begin{cases} 1 & x=7 \\ 0 & x \ne 7 \end{cases} = 0",
        r"\begin{cases} 1 & x+y=7 \\ 0 & x+y \ne 7 \end{cases} = 0",
        r"\begin{cases} 1 & F=-7 \\ 0 & \text{otherwise} \end{cases} = 0",
        r"\begin{cases} 1 & x^2=7 \\ 0 & \text{otherwise} \end{cases} = 0",
        r"\begin{cases} 1 & (x-3)^2=0 \\ 0 & \text{otherwise} \end{cases} = 0",
        r"\begin{cases} 1 & p + \ln p = 9 \\ 0 & \text{otherwise} \end{cases} = 0",
        "B = 0",
    ],
}
TRUE = [
    r"\sqrt{(x-2)^2} = |x-2|",
    r"\sqrt{p^2 + 2 p r + r^2} = p + r",
    r"\min(x,y,500) = \min(\min(x,500),y)",
    r"|\ln p-20|^2 = (\ln p-20)^2",
    r"\max(0,1-(x-50)^2-(y-50)^2) = \frac{|1-(x-50)^2-(y-50)^2| + 1-(x-50)^2-(y-50)^2}{2}",
    r"\operatorname{atan2}(0,100-x) = \frac{\pi}{2} (1 - \operatorname{sign}(100-x))",
    r"\sin(\arcsin(\sin\frac{x}{1000})) = \sin\frac{x}{1000}",
    r"\arctan p + \arctan\frac{1}{p} = \frac{\pi}{2}",
    r"\begin{cases} x & x < 1000 \\ 2000 - x & \text{otherwise} \end{cases} = 1000 - |1000 - x|",
    r"\begin{cases} 7 x & x=7 \\ x^2 & \text{otherwise} \end{cases} = x^2",
    r"\begin{cases} 7 & x+y=7 \\ x+y & x+y \ne 7 \end{cases} = F",
    r"\sqrt{x^2+y^2+1} = (1+x^2+y^2)^{1/2}",
    r"\max(0, -(x^2+y^2)) = 0",
]


@pytest.mark.parametrize("line", [line for lines in FALSE.values() for line in lines])
def test_a_kink_far_away_is_met(line):
    """Also where a letter, a product or a logarithm must be large or small, or two letters at a time."""
    assert check(line, TABLE).grade == "false"


@pytest.mark.slow
def test_a_kink_below_an_integral_is_met():
    """By quadrature across the kink, which takes seconds."""
    assert check(r"\int_0^p |r - 70| dr = 70 p - \frac{p^2}{2}", TABLE).grade == "false"


@pytest.mark.parametrize("line", TRUE)
def test_what_holds_on_both_sides_holds(line):
    """The same kinks, and an equation that is true on both sides of each."""
    verdict = check(line, TABLE)
    assert verdict.grade in ("checked", "proven") and not verdict.missed


@pytest.mark.parametrize(
    "inside", [r"x < 500 \\ x & x > 600", r"x + y < 7 \\ x & x + y > 7", r"x y \le 700 \\ x & x y \ge 700"]
)
def test_cases_leave_no_gap_and_no_overlap_far_away(inside):
    """Between 500 and 600, on a line, and on a hyperbola."""
    with pytest.raises(ProofError, match="of these cases holds"):
        check(rf"\begin{{cases}} x & {inside} \end{{cases}} = x", TABLE)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (r"\max(0,1-(x-50)^2-(y-x^2)^2) = 0", "one side alone was met of whether "),
        (
            r"\begin{cases} 1 & (x-3)^2 + (y-0.4)^2 = 0 \\ 0 & \text{otherwise} \end{cases} = 0",
            "one side alone was met of where ",
        ),
    ],
)
def test_a_side_that_was_not_met_is_told(line, words):
    """The grade is a weaker one, in a chapter as well, and the sentence says of which kink."""
    verdict = check(line, TABLE)
    assert verdict.grade == "sampled" and verdict.missed and words in verdict.how


def test_a_sign_that_is_known_needs_no_second_side():
    """x^2 + y^2 + 1 is positive, and 1 - x is not."""
    assert Gate(x**2 + y**2 + 1).settled() and Gate(-(p**2)).settled() and not Gate(1 - x).settled()
    half, other = sp.atan(x) / 2, sp.atan(y) / 2
    assert Gate(sp.cos(half)).settled() and not Gate(sp.cos(3 * half)).settled() and not Gate(sp.sin(half)).settled()
    assert Gate(sp.cos(half) * sp.cos(other) - sp.sin(half) * sp.sin(other)).settled()
    assert Gate(sp.sin(x) - 1).settled() and not Gate(2 * sp.sin(x) - 1).settled() and Gate(p * sp.cos(half)).settled()


@given(st.integers(0, 10**6), st.floats(-1e3, 1e3), st.floats(0.001, 1e3))
def test_the_bounds_of_an_expression_hold_its_values(seed, at_x, at_p):
    """Random sums, products and functions of a real and a positive letter."""
    rng = random.Random(seed)
    parts = [x, p, sp.Rational(rng.randint(-9, 9), 7), sp.pi]
    for _ in range(6):
        a, b = rng.choice(parts), rng.choice(parts)
        parts.append(rng.choice([a + b, a * b, sp.sin(a), sp.cos(a), sp.atan(a), -a, a**2]))
    low, high = bounds(parts[-1])
    value = float(parts[-1].subs({x: at_x, p: at_p}))
    assert low - 1e-9 * (1 + abs(value)) <= value <= high + 1e-9 * (1 + abs(value))


def test_each_kind_of_kink_has_its_gate():
    """Gates are found in what is printed, in what letters are bound to, and at the bounds of integrals."""
    table = Bindings(TABLE | {"G": sp.Abs(x - 3) + sp.sqrt((y - 4) ** 2), "H": sp.asin(sp.sin(x))})
    found, whole = gates(parse(r"G + H = \max(x, y, 2) + \int_0^x |r - 1| dr"), Evaluation(table))
    printed = {str(gate.expression) for gate in found}
    assert whole and {"x - 3", "y - 4", "cos(x)", "x - Max(2, y)", "x - 1"} <= printed
    assert all(gate.kink for gate in found)


def test_points_lie_on_both_sides():
    """A letter that is positive stays so."""
    at = Evaluation(Bindings({"F": sp.Abs(x - 3000 * p), "x": x, "p": p}))
    places, missed = beyond_kinks(*gates(parse("F = x"), at), [Point(seed) for seed in range(3)])
    signs = {int(sp.sign(place.number(x - 3000 * p))) for place in places}
    assert not missed and signs | {int(sp.sign(Point(0).number(x - 3000 * p)))} == {-1, 1}
    assert all(place.number(p) > 0 for place in places)


def test_a_program_computes_what_sympy_computes():
    """Each function that it knows, at a point where it has a value."""
    inside = sp.Rational(1, 3) * x
    parts = [
        f(inside)
        for f in (sp.sin, sp.cos, sp.tan, sp.exp, sp.Abs, sp.sign, sp.asin, sp.acos, sp.atan, sp.asinh, sp.atanh)
    ]
    parts += [f(p) for f in (sp.log, sp.sinh, sp.cosh, sp.tanh, sp.acosh)] + [
        sp.atan2(x, y),
        sp.Max(x, y, 1),
        sp.Min(x, p),
    ]
    parts += [sp.Piecewise((x, (x < p) & (y > 0)), (y, sp.Or(x > 2, y < 9)), (p, True)), x**3 / y - sp.pi]
    at = {x: 0.7, y: -1.3, p: 1.9}
    values = Program(parts, [x, y, p])(at)[:, 0]
    assert values == pytest.approx([float(part.subs(at)) for part in parts], rel=1e-12)
    with pytest.raises(NotImplementedError):
        Program([sp.gamma(x)], [x])


def test_sizes_below_the_bound_of_a_maximum_are_drawn(tmp_path):
    r"""As for a minimum: a \max(n, 3) with n never below 3 says nothing of the smaller sizes."""
    lines = {
        r"\prod_{i=1}^{\max(n,3)} x = x^n": False,
        r"\sum_{i=\min(n,1)}^{n} x = n x": False,
        r"\sum_{i=1}^{\min(n, 9)} x = n x": False,
        r"x^{\max(n,3)} = x^n": False,
        r"\sum_{i=1}^{\min(n, 5)} x = \min(n, 5) x": True,
        r"\sum_{i=1}^{\max(n, 5)} x = \max(n, 5) x": True,
        r"\prod_{i=1}^{n} x = x^n": True,
    }
    (tmp_path / "proofs").mkdir()
    text = "\n\n".join(f"$$ {line} $$ (eq-{i})" for i, line in enumerate(lines))
    (tmp_path / "page.md").write_text(text, encoding="utf-8")
    (tmp_path / "proofs" / "page.py").touch()
    chapter = Chapter(tmp_path / "proofs" / "page.py")
    chapter.bind(lambda n: {"n": n, "x": x})
    for i in range(len(lines)):
        chapter.prove(f"eq-{i}", by="counting", n=range(3, 9))
    results = chapter.run()
    assert [result.kind == "proven" for result in results] == list(lines.values())
    assert "may be one of these alone" in results[0].how
