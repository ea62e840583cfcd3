"""The checker reads an equation as a careful reader does: each true line below holds, and its slip beside it is refused."""

import doctest

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import eqproof as proof
from eqproof import Bindings, abbreviation, abbreviations, check, field, letters, measure, parse, skew
from eqproof.pages import displays, displays_in

a, b, c, m = sp.symbols("a b c m", positive=True)
t = sp.Symbol("t", real=True)
q, v, w = (sp.Matrix(sp.symbols(f"{x}_1:4", real=True)) for x in "qvw")
A = sp.Matrix([[a + 3, b, 1], [b, a + b + 3, c], [1, c, b + c + 3]])
s = sp.Matrix(sp.symbols("s_1:4", real=True))

TABLE = (
    Bindings()
    .motion(q, v, w, t)
    .bind(
        {
            "a": a,
            "b": b,
            "c": c,
            "m": m,
            "t": t,
            "n": 3,
            "F": a * sp.sin(b * t),
            "f": lambda x: 2 * x,
            "T": (v.T * A * v)[0] / 2,
            "l_*": [a, b, c],
            "q": q[0],
            r"\boldsymbol q": q,
            r"\boldsymbol v": v,
            r"\boldsymbol w": w,
            r"\boldsymbol A": A,
            r"\boldsymbol B": field(A * q[1], q),
            "U": field(a * q[0] + b * q[1], q[0], q[1]),
            r"\boldsymbol u": [b, c],
            r"\boldsymbol p_*": lambda i: sp.Matrix([i * a, i * b]),
            "P_{k|k-1}": a + b,
            "p^-": a,
            "p^+": b,
            r"T_\mathrm{kin}": 2 * a * b,
            r"l_{c1}": a * b,
            r"{}^0 g": a + c,
            r"Q^{nc}": b + c,
            r"\delta q": a * c,
            "x": sp.Symbol("x", real=True),
            "C": abbreviation(sp.cos, q),
            r"[\cdot]": skew,
            "dm": measure([(a, {r"\boldsymbol s": [1, 0, 2]}), (b, {r"\boldsymbol s": [0, 3, 1]})]),
            r"\boldsymbol 1": lambda i: 1 if i >= 0 else 0,
            r"\mathbf 1": sp.eye(3),
        }
        | {r"c_*": [1, 2, 3]}
    )
)
ANGLES = Bindings().motion(q, v, w).bind(abbreviations(q) | {r"\boldsymbol q": q})

# A true line, and a slip in it.
LINES = [
    # numbers, products, fractions, powers
    (r"2 a b = a \cdot 2 b", r"2 a b = a \cdot 3 b"),
    (r"\frac12 a = \frac{a}{2} = \tfrac{1}{2} a = a/2", r"\frac12 a = \frac{a}{2} = \tfrac{1}{3} a = a/2"),
    (r"a (b + c) = a b + a c", r"a (b + c) = a b - a c"),
    (r"-a^2 + b = b - (a)^2", r"-a^2 = (-a)^2"),
    (r"a^{b + c} = a^b a^c", r"a^{b + c} = a^b a^b"),
    # what others write
    (r"\frac a2 + \frac a2 = a, \quad \frac1a = \frac{1}{2 a} + \frac1{2 a}", r"\frac a2 + \frac a3 = a"),
    (r"\sqrt a \sqrt a = a", r"\sqrt a \sqrt b = a"),
    (r"\begin{aligned} 2 a &= a \\ &\quad + a \end{aligned}", r"\begin{aligned} 2 a &= a \\ &\quad - a \end{aligned}"),
    (r"\begin{aligned} 2 a = a \\ + a \end{aligned}", r"\begin{aligned} 2 a = a \\ + b \end{aligned}"),
    (
        r"2 \boldsymbol v^T \boldsymbol v = \boldsymbol v^{\mathsf T} \boldsymbol v + \boldsymbol v^\top \boldsymbol v",
        r"\boldsymbol v^T \boldsymbol v = 2 \boldsymbol v^\top \boldsymbol v",
    ),
    (r"\boldsymbol A^{-T} \boldsymbol A^T = \boldsymbol 1", r"\boldsymbol A^{-T} \boldsymbol A^T = 2 \boldsymbol 1"),
    (r"P_{k|k-1} = a + b, \quad P_{k \mid k-1} = b + a", r"P_{k|k-1} = a - b"),
    (r"p^- + p^{+} = a + b", r"p^- + p^- = a + b"),
    (
        r"\begin{vmatrix} a & b \\ b & a \end{vmatrix} = a^2 - b^2",
        r"\begin{vmatrix} a & b \\ b & a \end{vmatrix} = a^2 + b^2",
    ),
    (r"a + b = \underbrace{b + a}_{\text{both}} + 2 a - a - a", r"a + b = \underbrace{b - a}_{\text{both}}"),
    (
        r"a + b = \underbrace{b}_{\text{one}} + \underbrace{a}_{\mathrm{other}}",
        r"a + b = \underbrace{b}_{\text{one}} + b",
    ),
    (r"a + b \overset{\text{def}}{=} b + a \stackrel{(1)}{=} a + b \tag{2}", r"a \overset{\text{def}}{=} b \tag{2}"),
    (r"\cfrac{1}{a + \cfrac{1}{b}} = \frac{b}{a b + 1}", r"\cfrac{1}{a + \cfrac{1}{b}} = \frac{b}{a b - 1}"),
    (
        r"{a \over b} c = \frac{a c}{b}, \quad 2 a \big/ (b c) = \frac{a}{b c} + \frac{a}{b c}",
        r"{a \over b} c = \frac{a}{b c}",
    ),
    (
        r"2 \mathrm{tr}(\boldsymbol A) = \operatorname{tr}(2 \boldsymbol A)",
        r"\mathrm{tr}(\boldsymbol A) = \det \boldsymbol A",
    ),
    (r"\sum^{n}_{i=1} l_i = a + b + c = \sum^n_{j=1} l_j", r"\sum^{2}_{i=1} l_i = a + b + c"),
    (r"\sum\nolimits_{1 \le i \le n} l_i = a + b + c", r"\sum\nolimits_{1 \le i \le 2} l_i = a + b + c"),
    (r"\sum_{i,j=1}^{n} l_i l_j = (a + b + c)^2", r"\sum_{i,j=1}^{n} l_i l_j = a^2 + b^2 + c^2"),
    (
        r"\begin{cases} a & \text{for } a > 0 \\ b & \text{else} \end{cases} = a",
        r"\begin{cases} a & \text{when } a > 0 \\ b & \text{else} \end{cases} = b",
    ),
    (r"1 + \dots + n = \frac{n (n + 1)}{2}", r"1 + \dots + n = \frac{n (n + 2)}{2}"),
    (r"1 + 3 + \dots + 9 = 5^2", r"1 + 3 + \dots + 9 = 5^3"),
    (r"l_1 + \dots + l_3 = a + b + c", r"l_1 + \dots + l_3 = a + b"),
    (r"a \leqslant a + b, \quad a + b \geqslant b, \quad 2 a \triangleq a + a", r"a \geqslant a + b"),
    (r"T_\mathrm{kin} = a b + a b", r"T_\mathrm{kin} = a b"),
    (r"\boldsymbol u = [b, c]^\top + \boldsymbol u - \boldsymbol u", r"\boldsymbol u = [c, b]^\top"),
    (r"\sqrt{a^2} = a, \quad \sqrt[3]{a^3} = a", r"\sqrt{a^2} = a, \quad \sqrt[3]{a^3} = b"),
    (r"a - b - c = a - (b + c)", r"a - b - c = a - (b - c)"),
    (r"0.25 a = a / 4", r"0.26 a = a / 4"),
    # how far a function, a sum and a derivative reach
    (r"\cos 2 a = 1 - 2 \sin^2 a", r"\cos 2 a = 1 - 2 \sin a"),
    (r"\sin a t = \sin(t a)", r"\sin a t = t \sin a"),
    (r"(b) \sin a + b = b + b \sin a", r"(b) \sin a = \sin (a b)"),
    (r"\sum_{i=1}^{n} l_i a = a (a + b + c)", r"\sum_{i=1}^{n} l_i a = a + b + c"),
    (r"(\sum_{i=1}^{n} l_i) + a = 2 a + b + c", r"a + \sum_{i=1}^{n} l_i = 4 a + b + c"),
    (r"a + \sum_{i=1}^{n} l_i = 2 a + b + c", r"a + \sum_{i=1}^{n} l_i = 4 a + b + c"),
    (
        r"\sum_{i=1}^{n} i l_i + \sum_{i=1}^{n} l_i = 2 a + 3 b + 4 c",
        r"\sum_{i=1}^{n} i l_i - \sum_{i=1}^{n} l_i = 2 a",
    ),
    (r"\sum_{i=1}^{2} l_i + q_2 = a + b + q_2", r"\sum_{i=1}^{2} l_i + q_2 = a + b - q_2"),
    # signs that are paired, and what TeX takes, without doubt
    (r"|x| + |q| = |q| + |x|, \quad |x| |q| = |x q|", r"|x| |q| = x q"),
    (r"\lvert x \rvert c \lvert q \rvert = c |x q|", r"\lvert x \rvert c \lvert q \rvert = c x q"),
    (r"\left|x - c \left|q\right|\right| = \lvert c |q| - x \rvert", r"\left|x - c \left|q\right|\right| = x - c |q|"),
    (r"|x| c = c |x|, \quad |x| - |q| c = |x| - c |q|", r"|x| c = c x"),
    (r"\sqrt a b = b \sqrt{a}, \quad \frac12a = 0.5 a", r"\sqrt a b = \sqrt{a b}"),
    (r"\ln(a^2) = 2 \ln a, \quad \sin^2 a = 1 - \cos^2 a", r"\ln(a^2) = \ln^2 a"),
    (r"\prod_{i=1}^{n} i l_i = 6 a b c, \quad a \prod_{i=1}^{2} l_i = a a b", r"\prod_{i=1}^{n} i l_i = 6 a b"),
    (r"\sum_{i=2}^{n} \sum_{j=1}^{i-1} l_j = 2 a + b", r"\sum_{i=2}^{n} \sum_{j=1}^{i} l_j = 2 a + b"),
    (r"\prod_{i=1}^{3} l_i = a b c", r"\prod_{i=1}^{2} l_i = a b c"),
    (r"\frac{d}{dt} (a q) = a \dot q", r"\frac{d}{dt} (a q) = a q"),
    (r"\operatorname{sign}(-a) = -1", r"\operatorname{sign}(a) = -1"),
    (r"\max(a, b) + \min(a, b) = a + b", r"\max(a, b) + \max(a, b) = a + b"),
    (r"\exp(a) \exp(b) = \exp(a + b), \quad \ln(\exp a) = a", r"\exp(a) \exp(b) = \exp(a b), \quad \ln(\exp a) = a"),
    # names, indices and what they wear
    (r"l_{c1} = l_1 l_2", r"l_{c1} = l_1 l_3"),
    (r"A_{12} = b, \quad q_2 = q_{1+1}", r"A_{12} = b, \quad q_2 = q_{1}"),
    (r"\dot q_1 + \ddot q_2 = v_1 + w_2", r"\dot q_1 + \dot q_2 = v_1 + w_2"),
    (
        r"\dot{\boldsymbol q} = \boldsymbol v, \quad \ddot{\boldsymbol q} = \boldsymbol w",
        r"\ddot{\boldsymbol q} = \boldsymbol v",
    ),
    (r"{}^0 g = a + c", r"{}^0 g = a"),
    (r"Q^{nc} = b + c", r"Q^{nc} = b"),
    (r"\delta q = a c", r"\delta q = q"),
    (r"\boldsymbol p_2 = 2 \boldsymbol p_1", r"\boldsymbol p_2 = 3 \boldsymbol p_1"),
    (r"C_{12} = \cos(q_1 + q_2), \quad C_{1-2} = \cos(q_2 - q_1)", r"C_{12} = \cos(q_1 - q_2)"),
    (r"f(a) = 2 a, \quad a(a + 1) = a^2 + a", r"f(a) = f(b), \quad a(a + 1) = a^2 + a"),
    (r"\boldsymbol B(\boldsymbol q) = q_2 \boldsymbol A", r"\boldsymbol B(\boldsymbol v) = q_2 \boldsymbol A"),
    (r"\boldsymbol B(2 \boldsymbol q) = 2 \boldsymbol B", r"\boldsymbol B(2 \boldsymbol q) = \boldsymbol B"),
    (r"U(q_2, q_1) = a q_2 + b q_1", r"U(q_2, q_1) = a q_1 + b q_1"),
    (r"U(q_1 + q_2, q_1) = a (q_1 + q_2) + b q_1", r"U(q_1 + q_2, q_1) = a (q_1 + q_2) + b (q_1 + q_2)"),
    # vectors and matrices
    (r"\boldsymbol A^\top = \boldsymbol A", r"\boldsymbol A^{-1} = \boldsymbol A"),
    (r"\boldsymbol A^{-1} \boldsymbol A = \boldsymbol 1", r"\boldsymbol A^{-1} \boldsymbol A = 2 \boldsymbol 1"),
    (r"\boldsymbol A^{-\top} = (\boldsymbol A^{-1})^\top", r"\boldsymbol A^{-\top} = \boldsymbol A^\top"),
    (r"\boldsymbol A^2 = \boldsymbol A \boldsymbol A", r"\boldsymbol A^3 = \boldsymbol A \boldsymbol A"),
    (r"\boldsymbol A - \boldsymbol A = \boldsymbol 0", r"\boldsymbol A - 2 \boldsymbol A = \boldsymbol 0"),
    (r"\boldsymbol u = \begin{bmatrix} b \\ c \end{bmatrix}", r"\boldsymbol u = \begin{bmatrix} c \\ b \end{bmatrix}"),
    (
        r"\begin{bmatrix} \boldsymbol A & \boldsymbol v \end{bmatrix} \in \mathbb R^{3 \times 4}",
        r"\boldsymbol A \in \mathbb R^{3 \times 2}",
    ),
    (
        r"(\boldsymbol A \boldsymbol v)_2 = \sum_{j=1}^3 A_{2j} v_j",
        r"(\boldsymbol A \boldsymbol v)_1 = \sum_{j=1}^3 A_{2j} v_j",
    ),
    (
        r"\boldsymbol q \cdot \boldsymbol v = \boldsymbol q^\top \boldsymbol v",
        r"\boldsymbol q \cdot \boldsymbol v = \boldsymbol q^\top \boldsymbol w",
    ),
    (
        r"\boldsymbol q \times \boldsymbol v = [\boldsymbol q]_\times \boldsymbol v = [\boldsymbol q] \boldsymbol v",
        r"\boldsymbol q \times \boldsymbol v = \boldsymbol v \times \boldsymbol q",
    ),
    (r"[\boldsymbol q]_\times^\vee = \boldsymbol q", r"[\boldsymbol q]_\times^\vee = \boldsymbol v"),
    (
        r"\lVert \boldsymbol u \rVert = \sqrt{b^2 + c^2}, \quad |-a| = a",
        r"\lVert \boldsymbol u \rVert = b + c, \quad |-a| = a",
    ),
    (
        r"\det \begin{bmatrix} a & b \\ c & m \end{bmatrix} = a m - b c",
        r"\det \begin{bmatrix} a & b \\ c & m \end{bmatrix} = a m + b c",
    ),
    (  # a zero on the diagonal: rows are exchanged
        r"\det \begin{bmatrix} 0 & a \\ b & c \end{bmatrix} = -a b",
        r"\det \begin{bmatrix} 0 & a \\ b & c \end{bmatrix} = a b",
    ),
    (
        r"\begin{bmatrix} 0 & a \\ b & 0 \end{bmatrix}^{-1} = \begin{bmatrix} 0 & 1/b \\ 1/a & 0 \end{bmatrix}",
        r"\begin{bmatrix} 0 & a \\ b & 0 \end{bmatrix}^{-1} = \begin{bmatrix} 1/a & 0 \\ 0 & 1/b \end{bmatrix}",
    ),
    (  # in digits, of the largest
        r"\det \begin{bmatrix} |a| & |b| \\ 9 |a| & c \end{bmatrix} = a c - 9 a b",
        r"\det \begin{bmatrix} |a| & |b| \\ 9 |a| & c \end{bmatrix} = 9 a b - a c",
    ),
    (
        r"\operatorname{tr}(\boldsymbol A) = A_{11} + A_{22} + A_{33}",
        r"\operatorname{tr}(\boldsymbol A) = A_{11} + A_{22}",
    ),
    (
        r"\operatorname{diag}(\boldsymbol u) \boldsymbol u = \begin{bmatrix} b^2 \\ c^2 \end{bmatrix}",
        r"\operatorname{diag}(\boldsymbol u) \boldsymbol u = \boldsymbol u",
    ),
    (
        r"\operatorname{rank}(\boldsymbol v \boldsymbol q^\top) = 1",
        r"\operatorname{rank}(\boldsymbol v \boldsymbol q^\top) = 2",
    ),
    (r"\boldsymbol A \boldsymbol A \succ 0", r"-\boldsymbol A \boldsymbol A \succ 0"),
    (r"\boldsymbol q \boldsymbol q^\top \succeq 0", r"\boldsymbol q \boldsymbol q^\top \succ 0"),
    # derivatives and integrals
    (
        r"\frac{\partial T}{\partial \dot{\boldsymbol q}} = \boldsymbol A \dot{\boldsymbol q}",
        r"\frac{\partial T}{\partial \boldsymbol q} = \boldsymbol A \dot{\boldsymbol q}",
    ),
    (
        r"\frac{\partial^2 T}{\partial \dot q_1 \partial \dot q_2} = A_{12}",
        r"\frac{\partial^2 T}{\partial \dot q_1 \partial \dot q_2} = A_{13}",
    ),
    (
        r"\frac{d}{dt} \frac{\partial T}{\partial \dot q_1} = (\boldsymbol A \ddot{\boldsymbol q})_1",
        r"\frac{\partial T}{\partial \dot q_1} = (\boldsymbol A \ddot{\boldsymbol q})_1",
    ),
    (r"\dot F = a b \cos b t, \quad \frac{\partial F}{\partial t} = \dot F", r"\dot F = a b \sin b t"),
    (r"\int_0^a x \, dx = \frac{a^2}{2}", r"\int_0^b x \, dx = \frac{a^2}{2}"),
    (
        r"\int \boldsymbol s \, dm = \begin{bmatrix} a \\ 3 b \\ 2 a + b \end{bmatrix}",
        r"\int \boldsymbol s \, dm = \begin{bmatrix} a \\ 3 b \\ a + b \end{bmatrix}",
    ),
    # relations, chains, rows, cases
    (r"a < a + b \le 2 a + b", r"a + b < a \le 2 a + b"),
    (r"a + b \ne a", r"a \ne b"),
    (r"\frac{1}{3} \approx 0.333", r"\frac{1}{3} \approx 0.334"),
    (
        r"\begin{aligned} a + b &= b + a \\ &= a (1 + b / a) \end{aligned}",
        r"\begin{aligned} a + b &= b + a \\ &= a (1 + b) \end{aligned}",
    ),
    (
        r"\begin{aligned} a &= 2 a - a \\ b &= 3 b - 2 b \end{aligned}",
        r"\begin{aligned} a &= 2 a - a \\ b &= 3 b - b \end{aligned}",
    ),
    (
        r"a = \begin{cases} b & n < 3 \\ a & \text{otherwise} \end{cases}",
        r"a = \begin{cases} b & n \le 3 \\ a & \text{otherwise} \end{cases}",
    ),
    (r"a = a \begin{cases} 1 & \text{if } n = 3 \\ 0 & \text{otherwise} \end{cases}.", None),
    # two equations in a row, rows that begin anew, words between equations
    (
        r"\begin{aligned} a &= 2 a - a & b &= 3 b - 2 b \end{aligned}",
        r"\begin{aligned} a &= 2 a - a & b &= 3 b - b \end{aligned}",
    ),
    (r"\begin{aligned} a & = a b - & b a & + a \end{aligned}", r"\begin{aligned} a & = a b & + & b a \end{aligned}"),
    (
        r"\begin{aligned} & a = 2 a - a, && -b = b - 2 b, \\ & c = 2 c - c. \end{aligned}",
        r"\begin{aligned} & a = 2 a - a, && -b = b - 2 b, \\ & c = 2 c. \end{aligned}",
    ),
    (r"a = 2 a - a \text{ and } b = 3 b - 2 b", r"a = 2 a - a \text{ and } b = 3 b - b"),
    (r"a = 2 a - a. \implies b = 3 b - 2 b", r"a = 2 a - a. \implies b = 3 b - b"),
    # what other books write
    (r"(n + 1)! = 4 \cdot 3!", r"(n + 1)! = 3 \cdot 3!"),
    (r"\int_1^a \frac{d x}{x} = \ln a", r"\int_1^a \frac{2 d x}{x} = \ln a"),
    (r"\int_a^b d x = b - a", r"\int_a^b d x = a - b"),
    (r"\operatorname{arsinh} a = \ln(a + \sqrt{a^2 + 1})", r"\operatorname{arcosh} a = \ln(a + \sqrt{a^2 + 1})"),
    (r"\left\{ a + b \right\} c = a c + b c", r"\left\{ a + b \right\} c = a c + b"),
]


@pytest.mark.parametrize(("line", "slip"), LINES, ids=[line for line, _ in LINES])
def test_a_line_is_read_and_its_slip_refused(line, slip):
    """A true line is proven; one wrong token is refused with a reason."""
    assert check(line, TABLE), check(line, TABLE).how
    if slip is not None:
        refused = check(slip, TABLE)
        assert not refused and refused.how


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (r"\boldsymbol{M} = a", r"\mathbf M = a"),
        (r"\left( a + b \right) = c", r"\bigl(a+b\bigr) = c"),
        (r"\frac12 = a", r"\dfrac{1}{2} = a"),
        (r"\dot{\boldsymbol q}^\top = a", r"\dot {\boldsymbol{q}} ^ {\top} = a"),
        (r"a \, b \; c = d", r"a b c = d"),
        (r"\lVert a \rVert = b", r"\| a \| = b"),
        (r"q_{k}' = a", r"q'_k = a"),
        (r"\begin{bmatrix} a \\ b \end{bmatrix} = c", r"\begin{pmatrix} a \\[2pt] b \\ \end{pmatrix} = c"),
        (r"a = b.", r"a = b"),
        (r"\begin{aligned} a = b, \\ c = 1.5 .~ \end{aligned}", r"\begin{aligned} a = b \\ c = 1.5 \end{aligned}"),
        (r"a = b. \quad c = d", r"a = b \quad c = d"),
        (r"a = \phantom{-{}} b, \enspace c = d", r"a = b, \quad c = d"),
        (r"\cos\Delta a = c", r"\cos(\Delta a) = c"),
    ],
)
def test_two_spellings_are_one_text(text, same):
    """What LaTeX shows alike is read alike."""
    assert parse(text) == parse(same)


def test_abbreviations_are_of_relative_or_absolute_angles():
    """c_{12} is the cosine of a sum, s_{1-2} the sine of a difference; c_3 that of one angle; rates follow."""
    assert check(r"c_{12} = c_1 c_2 - s_1 s_2, \quad s_{1-2} = -s_{2-1}, \quad \dot s_3 = \dot q_3 c_3", ANGLES)


def test_free_indices_take_every_value():
    """An equation with free indices must hold for each of their values, and the one that fails is named."""
    table = {r"\boldsymbol A": A}
    assert check("A_{ij} = A_{ji}", table, each={"i": 3, "j": 3})
    refused = check("A_{ij} = A_{1j}", table, each={"i": 3, "j": 3})
    assert not refused and refused.how.endswith(", i = 2, j = 1")


def test_symbols_stand_under_their_own_names():
    """letters() binds l_c1 as l_{c1}, of expressions, matrices and arms."""
    l_c1, theta = sp.symbols("l_c1 theta")
    assert check(r"2 l_{c1} \sin\theta = e", letters(l_c1, theta) | {"e": 2 * l_c1 * sp.sin(theta)})


numbers = st.integers(1, 9).map(sp.Integer) | st.sampled_from([a, b, c])
expressions = st.recursive(
    numbers,
    lambda inner: st.one_of(
        st.builds(lambda x, y: x + y, inner, inner),
        st.builds(lambda x, y: x - y, inner, inner),
        st.builds(lambda x, y: x * y, inner, inner),
        st.builds(lambda x, y: x / (y**2 + 1), inner, inner),
        st.builds(lambda x, n: x**n, inner, st.integers(2, 3)),
        st.builds(lambda x: sp.sin(x), inner),
    ),
    max_leaves=6,
)


@settings(deadline=None)
@given(expressions)
def test_what_another_program_prints_is_read_back(expression):
    """SymPy's own LaTeX of an expression has the value of the expression, and not one more."""
    table = {"a": a, "b": b, "c": c, "E": expression}
    assert check(f"E = {sp.latex(expression)} + 0", table)
    assert not check(f"E = {sp.latex(expression)} + 1", table)


def test_displays_are_found_in_every_form():
    """$$, labels, \\[ \\], align, the math directive, quotations and boxes; not in code."""
    page = r"""
$$ a = 1 $$ (eq-one)
> $$ a = 2 $$ (eq-two)

\[ a = 3 \]
\begin{align} a &= 4 \label{eq-four} \end{align}
```{math}
:label: eq-five
a = 5
```
```{warning}
$$ a = 6 $$
```
```python
"$$ a = 7 $$ (eq-seven)"
```
`$$ a = 8 $$`
"""
    found = [(d.label, d.text.split("=")[-1].strip()[0]) for d in displays_in(page, "page")]
    assert found == [("eq-one", "1"), ("eq-two", "2"), (None, "3"), ("eq-four", "4"), ("eq-five", "5"), (None, "6")]


def test_a_comment_names_a_display():
    """A label that no reader sees, where a label behind the equation would be shown as text; comments are not read."""
    (found,) = displays_in("$$\n% eq-hidden\na = b % as before\n$$", "page")
    assert (found.label, found.text) == ("eq-hidden", "a = b")


def test_displays_are_found_in_further_forms():
    """alignat and flalign, a directive that is indented or has one line."""
    page = r"""
\begin{alignat}{2} a &= 1 \label{eq-one} \end{alignat}
\begin{flalign*} a &= 2 \end{flalign*}
- a list

  ```{math}
  :label: eq-three
  a = 3
  ```
:::{math} a = 4
:::
"""
    found = [(d.label, d.text.split("=")[-1].strip()[0]) for d in displays_in(page, "page")]
    assert found == [("eq-one", "1"), (None, "2"), ("eq-three", "3"), (None, "4")]


def test_a_latex_file_is_read(tmp_path):
    """Its body, without comments and what is verbatim."""
    (tmp_path / "paper.tex").write_text(
        r"""\newcommand{\x}{$$ a = 0 $$}
\begin{document}
\begin{equation} a = 1 \label{eq-one} \end{equation}  % \[ a = 2 \]
\begin{verbatim} \[ a = 3 \] \end{verbatim}
\[
  % eq-four
  a = 4 % four
\]
%\[
%a=5
%\]
\end{document}
""",
        encoding="utf-8",
    )
    assert [(d.label, d.text) for d in displays(tmp_path / "paper.tex")] == [
        ("eq-one", r"\begin{aligned} a = 1  \end{aligned}"),
        ("eq-four", "a = 4"),
    ]


def test_the_examples_in_the_docstrings_hold():
    """`check` and `parse` as their modules show them."""
    import eqproof.parser as parser

    results = [doctest.testmod(module) for module in (proof, parser)]
    assert all(result.attempted and not result.failed for result in results)


def test_a_color_changes_no_claim():
    r"""\textcolor{blue}{...} is read as what stands in its braces, and a slip inside is refused."""
    letters = {"a": a, "b": b}
    assert check(r"\textcolor{blue}{(a + b) a} - \textcolor{green}{b} = a^2 + a b - b", letters).proven
    assert not check(r"\textcolor{blue}{(a - b) a} - \textcolor{green}{b} = a^2 + a b - b", letters).proven


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        (r"{a b} c = d", r"a b c = d"),
        (r"\textcolor{blue}{2 a} \textcolor{green}{b c} = d", r"2 a b c = d"),
        (r"b - {a c} = d", r"b - a c = d"),
        (r"{\boldsymbol A}^{-1} = {a}_1", r"\boldsymbol A^{-1} = a_1"),
        (r"\sin{a} = {\sin a}", r"\sin a = \sin a"),
        (r"c {\cos a} = {\frac{a}{b}} c", r"c \cos a = \frac{a}{b} c"),
    ],
)
def test_braces_and_colors_are_not_printed(line, printed):
    r"""{a b} c is a b c; the sum in b {a + b}, of which a reader sees b a + b, is refused: see test_errors.py."""
    assert parse(line) == parse(printed)


SUMS = [
    r"\det {\boldsymbol A + \boldsymbol A} = 8 x",
    r"2 {a + b} = 2 a + 2 b",
    r"\sin{a + b} = \sin(a + b)",
    r"{-a}^2 = a^2",
]


@pytest.mark.parametrize("line", SUMS)
def test_what_is_read_with_the_braces_only_is_refused(line):
    """As printed, each of these is false."""
    with pytest.raises(proof.ProofError):
        check(line, TABLE)
