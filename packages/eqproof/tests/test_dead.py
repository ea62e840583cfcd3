"""What may change in an equation without harm is found: a slip there would not be seen."""

import mpmath
import pytest
import sympy as sp

from eqproof import Bindings, Chapter, ProofError, check, field, measure
from eqproof.bindings import key_of
from eqproof.changes import changes_below
from eqproof.dead_tokens import SEEDS, Trial, dead_tokens, differences, is_declared_symmetric, same_number
from eqproof.evaluate import Evaluation, Numbers
from eqproof.exact import Exact
from eqproof.parser import parse
from eqproof.points import DIGITS, Point
from eqproof.sampling import KINKED
from eqproof.statement import index_values
from eqproof.tree import Symbol

x, y, h = sp.symbols("x y h", positive=True)
q, v = sp.Matrix(sp.symbols("q_1:3", real=True)), sp.Matrix(sp.symbols("v_1:3", real=True))
state = {k: sp.Matrix(sp.symbols(f"X_{k}_1:3", real=True)) for k in (1, 2, 3)}
TABLE = (
    Bindings()
    .motion(q, v, sp.symbols("w_1:3", real=True))
    .bind(
        {
            "x": x,
            "y": y,
            "z": 0,
            "e": 1,
            "w": x + y,
            r"\boldsymbol a": [x, y],
            r"\boldsymbol q": q,
            r"\boldsymbol A": [[x, 1], [2, y]],
            r"\boldsymbol B": [[3, y], [x, 1]],
            r"\ddot q_1": sp.Symbol("w_1", real=True),
            "b_*": lambda k: k * x,
            "c_*": lambda k: x,
            "x_*": lambda k: state[k][0],
            "T": field(x * v[0] ** 2 / 2, q, v),
            "g": lambda a, b: 3 * a,
            "n": 3,
            "m": sp.Max(x - 1, 0),
            r"\boldsymbol x": [x],
            r"\boldsymbol v": [v[0], y],
            r"\boldsymbol S": [[x, y], [y, 3]],
            r"\boldsymbol D": [[x, 0], [0, y]],
            r"\boldsymbol E": [[y, 0], [0, 3]],
            "u": v[0],
            "d": sp.Abs(v[0]),
            "V": field(sp.cos(v[0]), v[0]),
            "[s]": x,
            "x^c": y,
            "p_*": [x, y],
            r"\rho": y,
            "dm": measure([(x, {r"\rho": y})]),
        }
    )
)

ALIVE = [
    ("w = x + y", None),
    (r"w^2 = x^2 + 2 x y + y^2", None),
    (r"\frac{d}{dt} \frac{\partial T}{\partial \dot q_1} = x \ddot q_1", None),
    (r"\boldsymbol a = \boldsymbol A^{-1} (\boldsymbol A + \boldsymbol B) \boldsymbol a - \boldsymbol A^{-1} \boldsymbol B \boldsymbol a", None),
    (r"\sum_{i=1}^{n} b_i = 6 x", None),
    (r"b_k^2 = k^2 x^2", {"k": 3}),
    (r"m = \begin{cases} x - 1 & x > 1 \\ 0 & \text{otherwise} \end{cases}", None),
    ("d = |u| = \\sqrt{u^2} = u \\operatorname{sign}(u) = \\max(u, -u)", None),
    (r"|u|^2 + \lVert\boldsymbol v\rVert^2 = u^2 + \boldsymbol v \cdot \boldsymbol v", None),
    ("2 d = |u + 5| - |u + 5| + d + d", None),
    (r"\boldsymbol A^\top \boldsymbol B^\top = (\boldsymbol B \boldsymbol A)^\top", None),
    (r"3 \boldsymbol A = \boldsymbol A \boldsymbol A \boldsymbol A^{-1} + 2 \boldsymbol A", None),
    (r"\boldsymbol v^\top \boldsymbol S \boldsymbol v = x u^2 + 2 y u y + 3 y^2", None),
    (r"\det \boldsymbol S = 3 x - y^2", None),
]  # fmt: skip
DEAD = [
    # the equation, its indices, what is bound too kindly, what may be done with it
    ("w = x + y - z", None, "z", "may have the other sign"),
    ("w + 2 z = x + y", None, "2", "may be another number"),
    ("w = x e + y", None, "e", "may be left out"),
    (r"6 x = \sum_{k=0}^{3} k x", None, "0", "may be one more"),
    (r"6 x = \sum_{k=1}^{3} k x + z \sum_{k=1}^{3} k x", None, "3", "may be one less"),
    ("b_k = k x", {"k": range(2, 3)}, "b_k", "may have 2 for k"),
    ("c_k = x", {"k": 3}, "c_k", "may have 3 for k"),
    ("c_1 = x", None, "c_1", "may have 2 for 1"),
    ("3 x = g(x, y)", None, "y", "may have another value"),
    (r"T(\boldsymbol q, \boldsymbol a) = \frac{1}{2} x^3", None, r"\boldsymbol q", "may have another value"),
    (r"w = x + \frac{\partial (y^2 + x)}{\partial y} - y", None, "x", "may have another value"),
    (r"2 \boldsymbol x + y = x + w", None, r"\boldsymbol x", "is 1 x 1 wherever it is tried, a scalar"),
    ("w = |x| + y", None, "|x|", "may lose its bars"),
    ("w = x + y = |x| + y", None, "|x|", "may lose its bars"),
    (r"w = \lVert \boldsymbol x \rVert + y", None, r"\lVert \boldsymbol x \rVert", "may lose its bars"),
    (r"w = \sqrt{x^2} + y", None, r"\sqrt{x^2}", "may be what is squared"),
    (r"w = \max(0, x) + y", None, r"\max(0, x)", "may be one of these alone"),
    (r"\frac{d}{u} = \frac{u}{d} \operatorname{sign}(x)", None, r"\operatorname{sign}(x)", "may be a number"),
    (
        r"w = y + \begin{cases} x & x > 0 \\ 0 & \text{otherwise} \end{cases}",
        None,
        r"\begin{cases} x & x > 0 \\ 0 & \text{otherwise} \end{cases}",
        "may lose a case",
    ),
]


def changes(text, each):
    """What may change in an equation: the tokens, and what may be done with them."""
    assert check(text, TABLE, each)
    found = dead_tokens(parse(text), [(TABLE, at) for at in index_values(each)])
    return [(change.printed(text), change.what) for change in found]


@pytest.mark.parametrize(("text", "each"), ALIVE, ids=[line for line, _ in ALIVE])
def test_nothing_may_change_where_everything_matters(text, each):
    """Each token of these equations is told by its bindings."""
    assert changes(text, each) == []


@pytest.mark.parametrize(("text", "each", "token", "what"), DEAD, ids=[line for line, *_ in DEAD])
def test_a_dead_token_is_found(text, each, token, what):
    """And it is said what may be done with it."""
    assert (token, what) in changes(text, each)


def test_what_is_asked_of_a_token_is_not_rounded():
    """Values are kept: the noise of a rounded one would look like a change."""
    evaluation = Evaluation(TABLE, Numbers(Point()))
    assert [*changes_below(parse("V(u) y = y V(u)"), evaluation)]
    with mpmath.workdps(DIGITS):
        assert evaluation(Symbol("V")) == Evaluation(TABLE, Numbers(Point()))(Symbol("V"))


class Slip:
    """What raises an error when it is asked for its value, unless the index is one."""

    def __init__(self, error):
        self.error = error

    def __call__(self, k):
        if k == 1:
            return x
        raise self.error


@pytest.mark.parametrize("kind", [NameError, AssertionError, NotImplementedError, ImportError, AttributeError])
@pytest.mark.parametrize("line", ["h_1 + y = w", r"|h_1| + y = w"])
def test_a_programming_error_is_no_verdict(kind, line):
    """Whoever writes a wrong name in a binding learns of it: it is not taken for a change that was seen, in fractions nor in digits."""
    table = TABLE.copy().bind({"h_*": Slip(kind("a slip"))})
    with pytest.raises(kind, match="a slip"):
        dead_tokens(parse(line), [(table, {})])


@pytest.mark.parametrize(
    "error",
    [KeyError(2), IndexError("end"), ValueError("no"), TypeError("no"), ZeroDivisionError(), ProofError("none")],
)
@pytest.mark.parametrize("line", ["h_1 + y = w", r"|h_1| + y = w"])
def test_what_has_no_value_any_more_is_seen(error, line):
    """An index behind the end of a list, what a function does not take, a zero below: such a slip would stop the proof."""
    table = TABLE.copy().bind({"h_*": Slip(error)})
    found = dead_tokens(parse(line), [(table, {})])
    assert "may have 2 for 1" not in [change.what for change in found]


def test_what_fractions_cannot_do_is_seen_in_digits():
    """An angle of pi over three has no fraction as its cosine: whether that changes anything, digits tell."""
    table = TABLE.copy().bind({"p": sp.pi, "f_*": lambda k: sp.cos(sp.pi / k) ** 2 + sp.sin(sp.pi / k) ** 2})
    assert [change.what for change in dead_tokens(parse("f_1 + w = x + y + 1"), [(table, {})])] == ["may have 2 for 1"]
    turned = TABLE.copy().bind({"e_*": lambda k: sp.sqrt(1 - sp.cos(sp.pi / (k + 1)) ** 2)})
    assert dead_tokens(parse("e_1 + w = x + y + 1"), [(turned, {})]) == []


def test_a_point_without_a_value_tells_nothing():
    """Where the equation itself has none, another point tells whether a change is seen: also where fractions tell nothing."""
    logarithm = sp.log(x * y - 1)
    table = Bindings({"x": x, "y": y, "z": 0, "w": logarithm, "a": sp.Abs(logarithm)})
    for line in (r"w + z = \ln(x y - 1)", r"a + z = \max(w, -w)"):
        assert ("z", "may have the other sign") in [
            (change.printed(line), change.what) for change in dead_tokens(parse(line), [(table, {})])
        ]


def run(folder, text, symmetric=(), **options):
    """The Result of one equation on a page."""
    (folder / "proofs").mkdir(exist_ok=True)
    (folder / "page.md").write_text(f"$$ {text} $$ (eq-x)", encoding="utf-8")
    (folder / "proofs" / "page.py").touch()
    chapter = Chapter(folder / "proofs" / "page.py")
    chapter.bind(TABLE)
    chapter.symmetric(*symmetric)
    chapter.prove("eq-x", by="algebra", **options)
    (result,) = chapter.run()
    return result


def test_a_dead_token_needs_a_reason(tmp_path):
    """With the reason, which the ledger tells, the proof holds; a reason that is not needed is refused."""
    failed = run(tmp_path, "w - z = x + y")
    assert failed.kind == "failed" and "z may have the other sign, and nothing changes" in failed.how
    result = run(tmp_path, "w - z = x + y", dead={"z": "zero here"})
    assert result.kind == "proven" and result.how.endswith("; z is not told: zero here")
    needless = run(tmp_path, "w - z = x + y", dead={"x": "a parameter", "z": "zero here"})
    assert needless.kind == "failed" and "x matters: delete the reason why it would not" in needless.how


def test_bars_that_change_nothing_need_both_signs_or_a_reason(tmp_path):
    """Whoever reads |x| takes it that x may be negative; with both signs, the equation is true or false."""
    failed = run(tmp_path, "w = |x| + y")
    assert failed.kind == "failed" and "|x| may lose its bars, and nothing changes: at no point" in failed.how
    assert run(tmp_path, "w = |x| + y", dead={"|x|": "a length"}).kind == "checked"
    either = {"x": sp.Symbol("x_", real=True)}
    assert "the sides differ" in run(tmp_path, "w = |x| + y", table=either | {"w": either["x"] + y}).how
    assert run(tmp_path, "w = |x| + y", table=either | {"w": abs(either["x"]) + y}).kind == "checked"


def test_a_count_is_tried_at_several_sizes(tmp_path):
    """Else a false equation passes with its number, or with another letter that is as much or twice as much, in its place."""
    table = lambda n: {"N": n, "k": n + 1, "S": n * x}
    text = r"S = \sum_{i=1}^{N} x"
    failed = run(tmp_path, text, table=table, n=[4])
    assert "N may be the number 4, and nothing changes: try another number" in failed.how
    failed = run(tmp_path, text, table=table, n=[3, 4])
    assert "N may be k-1, and nothing changes: try sizes at which they are apart" in failed.how
    failed = run(tmp_path, text, table=lambda n: table(n) | {"k": 2 * n}, n=[3, 4])
    assert "N may be 1/2 k, and nothing changes: try sizes at which they are apart" in failed.how
    apart = lambda n: table(n) | {"k": 5 - n}
    assert run(tmp_path, text, table=apart, n=[3, 4]).kind == "proven"
    failed = run(tmp_path, "u = x_N", table={"N": 2, "u": state[2][0]})
    assert "x_N may have for N the number 2" in failed.how


def test_what_is_never_equal_is_less(tmp_path):
    """Whoever reads x <= y takes it that both may be equal."""
    failed = run(tmp_path, r"x \le x + y")
    assert "x + y is nowhere equal to the side before it: write <, or try it where it is" in failed.how
    some = {"y": sp.Max(0, sp.Symbol("y_", real=True))}
    assert run(tmp_path, r"x \le x + y", table=some).kind == "proven"
    both = {a: sp.Symbol(a, real=True) for a in "xy"}
    assert run(tmp_path, r"x y \le \frac{1}{2} (x^2 + y^2)", table=both).kind == "proven"


def test_the_letters_of_symmetric_matrices_are_declared(tmp_path):
    """On the page or for the project; with any index, and for the rates as well."""
    text = r"\boldsymbol S_1 \dot{\boldsymbol S} = \begin{bmatrix} x & y \\ 2 y & 3 \end{bmatrix}"
    table = {
        r"\boldsymbol S_*": lambda i: sp.diag(i, i + 1),
        r"\dot{\boldsymbol S}": sp.Matrix([[x, y], [y, sp.Rational(3, 2)]]),
    }
    assert r"\boldsymbol S_1 may be transposed" in run(tmp_path, text, table=table).how
    assert run(tmp_path, text, [r"\boldsymbol S_*"], table=table).kind == "proven"
    (tmp_path / "eqproof.toml").write_text(r"symmetric = ['\boldsymbol S_*']", encoding="utf-8")
    assert run(tmp_path, text, table=table).kind == "proven"


def test_only_a_letter_is_declared_symmetric(tmp_path):
    """Which matrices a product stands for, nobody could tell."""
    result = run(tmp_path, "w = x + y", [r"\boldsymbol A \boldsymbol B"])
    assert result.kind == "failed" and "only a letter is declared symmetric" in result.how
    assert r"got '\\boldsymbol A \\boldsymbol B': name the matrix by a letter" in result.how


def test_sizes_and_indices_are_all_tried(tmp_path):
    """A letter is told as soon as one size, or one value of an index, tells it."""
    table = lambda n: {"d_*": lambda k: x if n == 1 else (2 * k - 1) * x, "u": n - 1}
    result = run(tmp_path, "d_k = x + u (k - 1) x", table=table, n=[1, 3], each="k")
    assert result.kind == "proven", result.how


# ---- which changes are looked for -------------------------------------------------------------------------------------

VALUE, SIGN, OUT, NUMBER = (
    "may have another value",
    "may have the other sign",
    "may be left out",
    "may be another number",
)
MORE, LESS, TURNED, ONE = (
    "may be one more",
    "may be one less",
    "may be transposed",
    "is 1 x 1 wherever it is tried, a scalar",
)
LOSE = "may lose its transpose"
PLACES = "may change places with the factor behind it"

# An equation, the values of its indices, and for each token what is done to it.
CHANGES = [
    ("w = x + y", {}, {"w": [VALUE], "x": [SIGN, VALUE], "y": [SIGN, VALUE]}),
    ("w = -x", {}, {"w": [VALUE], "x": [SIGN, VALUE]}),
    ("w = 2 x y", {}, {"w": [VALUE], "2": [NUMBER], "x": [OUT, VALUE], "y": [OUT, VALUE]}),
    ("2.5 x = y", {}, {"2.5": [NUMBER], "x": [OUT, VALUE], "y": [VALUE]}),
    ("x^2 = y", {}, {"x": [VALUE], "2": [NUMBER], "y": [VALUE]}),
    (r"\frac{x}{y} = e", {}, {"x": [VALUE], "y": [VALUE], "e": [VALUE]}),
    ("b_1 = x", {}, {"b_1": ["may have 2 for 1", VALUE], "x": [VALUE]}),
    ("b_2 = x", {}, {"b_2": ["may have 1 for 2", VALUE], "x": [VALUE]}),
    ("b_k = x", {"k": 3}, {"b_k": ["may have 3 for k", VALUE], "x": [VALUE]}),
    ("b_k = x", {"k": 3, "i": 1}, {"b_k": ["may have 3 for k", "may have i for k", VALUE], "x": [VALUE]}),
    ("A_{12} = x", {}, {"A_{12}": ["may have 1 for 2", "may have 2 for 1", VALUE], "x": [VALUE]}),
    ("k x = y", {"k": 3}, {"k": [OUT, VALUE], "x": [OUT, VALUE], "y": [VALUE]}),
    (
        r"y = \sum_{k=1}^{n} k x",
        {},
        {"y": [VALUE], "1": [LESS, MORE], "n": [LESS, MORE], "k": [OUT, VALUE], "x": [OUT, VALUE]},
    ),
    (r"y = \sum_{k=1}^{2} b_k", {}, {"y": [VALUE], "1": [LESS, MORE], "2": [LESS, MORE], "b_k": ["may have 1 for k", VALUE]}),
    ("y = g(x, w)", {}, {"y": [VALUE], "x": [VALUE], "w": [VALUE]}),
    ("y = 2 g(x, w)", {}, {"y": [VALUE], "2": [NUMBER], "x": [VALUE], "w": [VALUE]}),
    ("y = x (w + e)", {}, {"y": [VALUE], "x": [OUT, VALUE], "(w + e)": [OUT], "w": [SIGN, VALUE], "e": [SIGN, VALUE]}),
    (r"\sin x = y", {}, {"x": [VALUE], "y": [VALUE]}),
    (r"\ddot q_1 = y", {}, {r"\ddot q_1": ["may have 2 for 1", VALUE], "y": [VALUE]}),
    (r"\frac{\partial T}{\partial \dot q_1} = y", {}, {"T": [VALUE], r"\dot q_1": ["may have 2 for 1"], "y": [VALUE]}),
    (r"\frac{d}{dt} (x u) = y", {}, {"x": [OUT, VALUE], "u": [OUT, VALUE], "y": [VALUE]}),
    (r"\int_0^x y dy = w", {}, {"0": [NUMBER], "x": [VALUE], "y": [VALUE], "w": [VALUE]}),
    ("|u| = d", {}, {"|u|": ["may lose its bars"], "u": [VALUE], "d": [VALUE]}),
    (r"\sqrt{x^2} = y", {}, {r"\sqrt{x^2}": ["may be what is squared"], "x": [VALUE], "2": [NUMBER], "y": [VALUE]}),
    (r"\sqrt{x^3} = y", {}, {"x": [VALUE], "3": [NUMBER], "y": [VALUE]}),
    (r"\sqrt{x} = y", {}, {"x": [VALUE], "y": [VALUE]}),
    (
        r"\min(x, y) = e",
        {},
        {r"\min(x, y)": ["may be one of these alone"] * 2, "x": [VALUE], "y": [VALUE], "e": [VALUE]},
    ),
    (r"\operatorname{sign}(u) = e", {}, {r"\operatorname{sign}(u)": ["may be a number"] * 2, "u": [VALUE], "e": [VALUE]}),
    (r"\boldsymbol a = \boldsymbol v", {}, {r"\boldsymbol a": [ONE, VALUE], r"\boldsymbol v": [ONE, VALUE]}),
    (
        r"\boldsymbol A = \boldsymbol B",
        {},
        {r"\boldsymbol A": [ONE, TURNED, VALUE], r"\boldsymbol B": [ONE, TURNED, VALUE]},
    ),
    (
        r"\boldsymbol A \boldsymbol B = \boldsymbol S",
        {},
        {
            r"\boldsymbol A": [ONE, OUT, PLACES, TURNED, VALUE],
            r"\boldsymbol B": [ONE, OUT, TURNED, VALUE],
            r"\boldsymbol S": [ONE, TURNED, VALUE],
        },
    ),
    (
        r"\boldsymbol a^\top = \boldsymbol v^\top",
        {},
        {
            r"\boldsymbol a^\top": ["may lose its transpose"],
            r"\boldsymbol v^\top": ["may lose its transpose"],
            r"\boldsymbol a": [ONE, VALUE],
            r"\boldsymbol v": [ONE, VALUE],
        },
    ),
    (
        r"\boldsymbol A^\top = \boldsymbol B",
        {},
        {r"\boldsymbol A": [ONE, TURNED, VALUE], r"\boldsymbol B": [ONE, TURNED, VALUE]},
    ),
    (
        r"\boldsymbol A \boldsymbol A^{-1} = \boldsymbol S",
        {},
        {
            r"\boldsymbol A": [ONE, ONE, OUT, TURNED, TURNED, VALUE, VALUE],
            r"\boldsymbol A^{-1}": [OUT],
            r"\boldsymbol S": [ONE, TURNED, VALUE],
        },
    ),
    (r"\boldsymbol a \in \mathbb R^2", {}, {r"\boldsymbol a": [ONE, VALUE]}),
    ("x = y = w", {}, {"x": [VALUE], "y": [VALUE], "w": [VALUE]}),
    (
        r"m = \begin{cases} x & x > 1 \\ y & \text{otherwise} \end{cases}",
        {},
        {
            "m": [VALUE],
            r"\begin{cases} x & x > 1 \\ y & \text{otherwise} \end{cases}": ["may lose a case"] * 2,
            "x": [VALUE, VALUE],
            "1": [NUMBER],
            "y": [VALUE],
        },
    ),
    # what is bound as a whole has no parts; what is not bound so has
    ("[s] = y", {}, {"[s]": [VALUE], "y": [VALUE]}),
    ("x^c = w", {}, {"x^c": [VALUE], "w": [VALUE]}),
    ("x^n = y", {}, {"x": [VALUE], "n": [VALUE], "y": [VALUE]}),
    # a function is one in front of its brackets alone
    ("T x = y", {}, {"T": [OUT, VALUE], "x": [OUT, VALUE], "y": [VALUE]}),
    (
        r"x T(\boldsymbol q, \boldsymbol a) T = y",
        {},
        {"x": [OUT, VALUE], r"\boldsymbol q": [ONE, VALUE], r"\boldsymbol a": [ONE, VALUE], "T": [OUT, VALUE], "y": [VALUE]},
    ),
    (r"T(q_1, \dots, q_2) = y", {}, {"q_1": ["may have 2 for 1", VALUE], "q_2": ["may have 1 for 2", VALUE], "y": [VALUE]}),
    # where a case that does not hold has no value, p_3 may be a function of x + y, and a sum begins with one
    (
        r"y = \begin{cases} x & x > 0 \\ p_3 (x + y) & \text{otherwise} \end{cases}",
        {},
        {
            "y": [SIGN, VALUE, VALUE],
            r"\begin{cases} x & x > 0 \\ p_3 (x + y) & \text{otherwise} \end{cases}": ["may lose a case"] * 2,
            "x": [SIGN, VALUE, VALUE, VALUE],
            "0": [NUMBER],
            "p_3": ["may have 1 for 3"],
        },
    ),
    (
        r"y = \begin{cases} x & x > 0 \\ \sum_{i=x}^{3} b_i & \text{otherwise} \end{cases}",
        {},
        {
            "y": [VALUE],
            r"\begin{cases} x & x > 0 \\ \sum_{i=x}^{3} b_i & \text{otherwise} \end{cases}": ["may lose a case"] * 2,
            "x": [LESS, MORE, VALUE, VALUE],
            "0": [NUMBER],
            "3": [LESS, MORE],
            "b_i": ["may have 1 for i", VALUE],
        },
    ),
    (r"\int \rho dm = w", {}, {"w": [VALUE]}),
    (r"(\boldsymbol A)_{12} = x", {}, {r"(\boldsymbol A)_{12}": ["may have 1 for 2", "may have 2 for 1"], r"\boldsymbol A": [ONE, TURNED, VALUE], "x": [VALUE]}),
    (r"\sqrt[3]{x^3} = y", {}, {r"\sqrt[3]{x^3}": ["may be what is squared"], "x": [VALUE], "3": [NUMBER], "y": [VALUE]}),
    (r"\sqrt[3]{x^2} = y", {}, {"x": [VALUE], "2": [NUMBER], "y": [VALUE]}),
    # transposes and places: of square matrices that are no powers of one another
    (
        r"(\boldsymbol A \boldsymbol B)^\top = x",
        {},
        {
            r"(\boldsymbol A \boldsymbol B)^\top": [LOSE],
            r"\boldsymbol A": [ONE, OUT, PLACES, TURNED, VALUE],
            r"\boldsymbol B": [ONE, OUT, TURNED, VALUE],
            "x": [VALUE],
        },
    ),
    (
        r"(\boldsymbol A \boldsymbol B)^{-1} = x",
        {},
        {r"\boldsymbol A": [ONE, OUT, PLACES, TURNED, VALUE], r"\boldsymbol B": [ONE, OUT, TURNED, VALUE], "x": [VALUE]},
    ),
    (
        r"\boldsymbol a^\top \boldsymbol A \boldsymbol v = y",
        {},
        {
            r"\boldsymbol a^\top": [LOSE, OUT],
            r"\boldsymbol a": [ONE, VALUE],
            r"\boldsymbol A": [ONE, OUT, TURNED, VALUE],
            r"\boldsymbol v": [ONE, OUT, VALUE],
            "y": [VALUE],
        },
    ),
    (r"x \boldsymbol A u = y", {}, {"x": [OUT, VALUE], r"\boldsymbol A": [ONE, OUT, TURNED, VALUE], "u": [OUT, VALUE], "y": [VALUE]}),
    (
        r"\boldsymbol A^\top \boldsymbol A = y",
        {},
        {r"\boldsymbol A^\top": [OUT, PLACES], r"\boldsymbol A": [ONE, ONE, OUT, TURNED, TURNED, VALUE, VALUE], "y": [VALUE]},
    ),
    (
        r"\boldsymbol A^2 \boldsymbol A = y",
        {},
        {r"\boldsymbol A^2": [OUT], "2": [NUMBER], r"\boldsymbol A": [ONE, ONE, OUT, TURNED, TURNED, VALUE, VALUE], "y": [VALUE]},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "at", "found"), CHANGES, ids=[line for line, *_ in CHANGES])
def test_every_token_is_changed_in_each_way(text, at, found):
    """Letters, numbers, signs, factors, indices, bounds; not the name of a function, a variable, a set."""
    listed: dict = {}
    for change in changes_below(parse(text), Evaluation(TABLE, Numbers(Point()), at)):
        listed.setdefault(change.printed(text).lstrip("_^"), []).append(change.what)
        assert change.cure and all(other != parse(text) for other in change.instead) and change.instead
    assert {token: sorted(ways) for token, ways in listed.items()} == {
        token: sorted(ways) for token, ways in found.items()
    }


# What an equation becomes by the change of one token; numbers and signs as the reader would print them.
BECOMES = [
    ("w = x + y", "x", SIGN, ["w = -x + y"]),
    ("w = x - y", "y", SIGN, ["w = x + y"]),
    ("w = 2 x y", "x", OUT, ["w = 2 1 y"]),
    ("w = x^2 + 1.5", "2", NUMBER, ["w = x^3 + 1.5"]),
    ("w = x^2 + 1.5", "1.5", NUMBER, ["w = x^2 + 1.51"]),
    ("b_1 = x", "b_1", "may have 2 for 1", ["b_2 = x"]),
    ("b_2 = x", "b_2", "may have 1 for 2", ["b_1 = x"]),
    ("w = |u| + x", "|u|", "may lose its bars", ["w = u + x"]),
    (r"w = \max(x, y)", r"\max(x, y)", "may be one of these alone", ["w = x", "w = y"]),
    (r"w = \operatorname{sign}(u)", r"\operatorname{sign}(u)", "may be a number", ["w = 1", "w = -1"]),
    (r"y = \sum_{k=1}^{n} x", "n", MORE, [r"y = \sum_{k=1}^{n + 1} x"]),
    (r"y = \sum_{k=1}^{n} x", "n", LESS, [r"y = \sum_{k=1}^{n - 1} x"]),
    (r"y = \sum_{k=1}^{n} x", "1", MORE, [r"y = \sum_{k=1 + 1}^{n} x"]),
    (r"\boldsymbol A \boldsymbol B \boldsymbol S = \boldsymbol S", r"\boldsymbol A", PLACES, [r"\boldsymbol B \boldsymbol A \boldsymbol S = \boldsymbol S"]),
    (r"\boldsymbol A \boldsymbol B \boldsymbol S = \boldsymbol S", r"\boldsymbol B", PLACES, [r"\boldsymbol A \boldsymbol S \boldsymbol B = \boldsymbol S"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "token", "what", "becomes"), BECOMES)
def test_a_change_is_what_it_is_said_to_be(text, token, what, becomes):
    """At a random point the changed equation has the differences of the one that is printed so."""
    evaluation = Evaluation(TABLE, Numbers(Point()))
    found = [
        other
        for change in changes_below(parse(text), evaluation)
        if (change.printed(text), change.what) == (token, what)
        for other in change.instead
    ]
    printed = [parse(line.replace("2 1 y", r"2 \cdot 1 y")) for line in becomes]
    assert len(found) == len(printed)
    for other, line in zip(found, printed):
        here, there = ([*map(str, differences(Evaluation(TABLE, Numbers(Point())), x))] for x in (other, line))
        assert here == there


SYMMETRIC = {
    # a letter, those that are declared, whether it is one of them
    (r"\boldsymbol S", r"\boldsymbol S"): True,
    (r"\dot{\boldsymbol S}", r"\boldsymbol S"): True,
    (r"\ddot{\boldsymbol S}", r"\boldsymbol S"): True,
    (r"\boldsymbol S_1", r"\boldsymbol S"): False,
    (r"\boldsymbol S_1", r"\boldsymbol S_*"): True,
    (r"\boldsymbol S", r"\boldsymbol S_*"): True,
    (r"\boldsymbol S_{12}", r"\boldsymbol S_*"): True,
    (r"\boldsymbol S_{C1}", r"\boldsymbol S_{C*}"): True,
    (r"\boldsymbol S_C", r"\boldsymbol S_{C*}"): True,
    (r"\boldsymbol S_{D1}", r"\boldsymbol S_{C*}"): False,
    (r"\boldsymbol S_1", r"\boldsymbol S_1"): True,
    (r"\boldsymbol S_2", r"\boldsymbol S_1"): False,
    (r"\boldsymbol S", r"\boldsymbol S_1"): False,
    (r"\boldsymbol A", r"\boldsymbol S_*"): False,
    (r"\tilde{\boldsymbol S}", r"\boldsymbol S"): False,
    ("S", r"\boldsymbol S"): False,
    (r"(\boldsymbol S)", r"\boldsymbol S"): False,
}


@pytest.mark.parametrize(("letter", "key"), SYMMETRIC)
def test_what_is_declared_symmetric(letter, key):
    """A letter and its rates; with a star any index, or none."""
    node = parse(letter).chains[0].sides[0]
    assert is_declared_symmetric(node, [key_of(key)]) is SYMMETRIC[letter, key]
    assert is_declared_symmetric(node, [key_of("Q"), key_of(key)]) is SYMMETRIC[letter, key]
    assert is_declared_symmetric(node, []) is False


@pytest.mark.parametrize("size", [1e-3, 1, 1e4])
def test_noise_is_no_change(size):
    """In numbers of fifty digits, the 26th is one; fractions are equal or not."""
    with mpmath.workdps(DIGITS):
        for sign in (-1, 1):
            a = sign * mpmath.mpf(size)
            least = mpmath.mpf(10) ** -25 * max(1, abs(a))
            for up in (-1, 1):
                assert same_number(a, a + up * 0.9 * least) and same_number(a + up * 0.9 * least, a)
                assert not same_number(a, a + up * 1.2 * least) and not same_number(a + up * 1.2 * least, a)
    third = Exact.of(sp.Rational(1, 3).p) / 3
    assert (
        same_number(third, third)
        and not same_number(third, Exact.of(1))
        and not same_number(1, third)
        and same_number(Exact.of(2), 2)
    )
    assert same_number(2, Exact.of(2)) and not same_number(Exact.of(1), Exact.of(1) + Exact.of(1) / 10**40)


def dead(text, table=TABLE, grounds=({},), symmetric=()):
    """What may change in an equation, whether it holds or not."""
    found = dead_tokens(parse(text), [(table, at) for at in grounds], symmetric)
    return {(change.printed(text), change.what) for change in found}


def test_one_value_of_an_index_is_enough_to_see_a_change():
    """The first one tried, or the last one."""
    table = TABLE.copy().bind({"h_*": lambda k: x if k < 3 else y, "j_*": lambda k: y if k < 2 else x})
    for name in "hj":
        for grounds in (({"k": 2}, {"k": 1}), ({"k": 1}, {"k": 2})):
            assert (f"{name}_k", "may have 2 for k") in dead(f"{name}_k = x", table, ({"k": 2},))
            assert (f"{name}_k", "may have 2 for k") not in dead(f"{name}_k = x", table, ({"k": 3}, *grounds))


def test_a_change_is_dead_only_if_all_ways_to_make_it_are():
    """A letter is moved up and down: one that matters in one direction is alive."""
    assert (r"\max(0, x)", "may be one of these alone") in dead(r"w = \max(0, x) + y")
    assert (r"\max(u, -u)", "may be one of these alone") not in dead(r"d = \max(u, -u)")


def test_what_acts_far_away_is_looked_for_there():
    """At the sizes near one the case never holds, at the hundredfold it does."""
    far = TABLE.copy().bind({"c": sp.Max(x, 30)})
    assert (r"\max(x, 30)", "may be one of these alone") not in dead(r"c = \max(x, 30)", far)
    never = TABLE.copy().bind({"c": sp.Max(x, -30)})
    assert (r"\max(x, -30)", "may be one of these alone") in dead(r"c = \max(x, -30)", never)


def test_a_symmetric_matrix_may_be_transposed_if_it_is_declared():
    """What is so by algebra needs no word: (A^T)^T, S by itself, two of the same factors."""
    assert (r"\boldsymbol S", TURNED) in dead(
        r"\boldsymbol S \boldsymbol a = \boldsymbol S \boldsymbol a + 0 \boldsymbol a"
    )
    line = r"\boldsymbol D \boldsymbol E = \begin{bmatrix} x y & 0 \\ 0 & 3 y \end{bmatrix}"
    assert (r"\boldsymbol D", TURNED) in dead(line) and (r"\boldsymbol D", PLACES) in dead(line)
    assert (r"\boldsymbol D", TURNED) not in dead(line, symmetric=[r"\boldsymbol D"])
    assert (r"\boldsymbol E", TURNED) in dead(line, symmetric=[r"\boldsymbol D"])
    assert (r"\boldsymbol D", PLACES) in dead(line, symmetric=[r"\boldsymbol D", r"\boldsymbol E"])
    assert (r"\boldsymbol A", TURNED) not in dead(r"\boldsymbol A = \begin{bmatrix} x & 1 \\ 2 & y \end{bmatrix}")
    assert (r"\boldsymbol a^\top", "may lose its transpose") not in dead(
        r"\boldsymbol a^\top \boldsymbol a = x^2 + y^2"
    )


def test_a_claim_of_sizes_has_no_differences():
    """What stands before and behind the sign of a set is no side of an equation."""
    evaluation = Evaluation(TABLE, Numbers(Point()))
    assert differences(evaluation, parse(r"\boldsymbol a \in \mathbb R^2")) == []
    (entry,) = differences(evaluation, parse(r"w = x"))
    assert abs(entry - Point().number(y)) < 1e-12
    assert len(differences(evaluation, parse(r"\boldsymbol A = \boldsymbol B = \boldsymbol S"))) == 8
    assert len(differences(evaluation, parse(r"x = 1 x \in \mathbb R^1, w = x"))) == 2


@pytest.mark.parametrize("name", ["0", "1"])
def test_zero_and_one_are_what_they_are(name):
    """Also where a chapter binds them to a matrix of a size: nobody takes them for matrices that are not symmetric."""
    bound = TABLE.copy().bind({r"\boldsymbol 0": sp.zeros(2), r"\boldsymbol 1": sp.eye(2)})
    for table in (TABLE, bound):
        line = rf"\boldsymbol {name} = \boldsymbol A"
        found = changes_below(parse(line), Evaluation(table, Numbers(Point())))
        assert [change.what for change in found if change.token == Symbol(name, "bold")] == [VALUE]


@pytest.mark.parametrize(
    ("line", "at", "token", "counts"),
    [
        ("k x = y", {"k": 3}, "k", True),
        ("k x = y", {"i": 3}, "k", False),  # here no index
        ("k_1 x = y", {"k": 3}, "k_1", False),  # another letter
        ("n x = y", {}, "n", True),
        ("x y = w", {}, "x", False),
        ("x u = w", {"k": 3}, "u", False),
    ],
)
def test_what_counts_is_one_more_and_what_is_measured_has_any_value(line, at, token, counts):
    """A bound of a sum has to stay a whole number; a letter is tried with a value above its own, and with one below zero."""
    table = TABLE.copy().bind({"k": 2 * x, "k_1": x, "u": y})
    evaluation = Evaluation(table, Numbers(Point()), at)
    before = parse(line).chains[0].sides[0]
    (change,) = (c for c in changes_below(before, evaluation) if c.what == VALUE and c.token.base == token[0])
    with mpmath.workdps(DIGITS):
        other = [evaluation(side) / evaluation(before) for side in change.instead]
        if counts:
            (share,) = other
            assert abs(share - mpmath.mpf(4) / 3) < 1e-30
        else:
            up, down = other
            assert up > 1 and down < 0


def test_fractions_see_what_digits_do_not():
    """Where an equation holds as fractions, a change is seen however little it changes."""
    table = TABLE.copy().bind({"t": sp.Rational(1, 10**40)})
    assert dead("w + t = x + y + 10^{-40}", table) == set()
    assert ("t", SIGN) in dead("w + t = |x| + y + 10^{-40}", table), "in digits it is as small as rounding"


def test_a_matrix_is_one_though_it_has_no_value_in_digits():
    """A logarithm is a letter where fractions decide."""
    table = TABLE.copy().bind({r"\boldsymbol L": sp.diag(sp.log(x - 30), y)})
    assert (r"\boldsymbol L", TURNED) in dead(r"x \boldsymbol L = \boldsymbol L x", table)


def test_a_matrix_is_what_it_is_at_the_last_size():
    """At the first one it may have a single entry."""
    grounds: list = [(TABLE.copy().bind({r"\boldsymbol S": S}), {}) for S in ([[x]], [[x, y], [y, 3]])]
    line = r"2 \boldsymbol S = \boldsymbol S + \boldsymbol S"
    assert TURNED in [change.what for change in dead_tokens(parse(line), grounds)]


def test_what_is_so_by_algebra_is_so_at_each_value_of_an_index():
    """J_1 J_1 may be turned round by algebra, J_2 J_1 since both are diagonal."""
    table = TABLE.copy().bind({r"\boldsymbol J_*": lambda k: sp.diag(k, x)})
    line = r"\boldsymbol J_k \boldsymbol J_1 = x \boldsymbol J_1"
    for grounds in (({"k": 1}, {"k": 2}), ({"k": 2}, {"k": 1})):
        assert (r"\boldsymbol J_k", PLACES) in dead(line, table, grounds)
    assert (r"\boldsymbol J_k", PLACES) not in dead(line, table, ({"k": 1},))


def test_a_vector_of_another_size_is_another_one():
    """Though all its entries are zero, and so are those of the change."""
    table = TABLE.copy().bind({r"\boldsymbol h_*": lambda k: sp.zeros(k + 1, 1)})
    for line in (r"\boldsymbol h_1 = \boldsymbol 0", r"\boldsymbol h_2 = \boldsymbol 0"):
        assert {what for _, what in dead(line, table)} & {"may have 2 for 1", "may have 1 for 2"} == set()


def test_points_are_near_one_first_and_then_of_all_sizes():
    """Only what acts where a sign changes is looked for at the latter."""
    letters = sp.symbols("a_1:9", positive=True)
    table = Bindings({f"a_{k}": letter for k, letter in enumerate(letters, 1)} | {"c": sp.Max(letters[0], 30)})
    trial = Trial(parse(r"c = \max(a_1, 30)"), table, {})
    with mpmath.workdps(DIGITS):
        values = [[trial.digits(k)(Symbol("a", sub=(str(i),))) for i in range(1, 9)] for k in range(2 * SEEDS)]
    assert all(0.3 < value < 3 for row in values[:SEEDS] for value in row)
    for row in values[SEEDS:]:
        assert not all(0.3 < value < 3 for value in row)
        assert all(0.3 * 10**-KINKED < value < 3 * 10**KINKED for value in row)
    always = parse("c = 30")
    assert trial.sees(always, True) and not trial.sees(always, False)


def test_a_change_is_a_value():
    """Nothing changes it: what is lifted to the node above is another one."""
    (change,) = (
        c for c in changes_below(parse("x = y"), Evaluation(TABLE, Numbers(Point()))) if c.token == Symbol("x")
    )
    with pytest.raises(AttributeError):
        change.what = SIGN


SIZES = {  # the sizes that are tried, and what is said of a false equation that holds at these
    (r"w = \sum_{k=1}^{\min(N, 3)} a_k", (1, 2, 3)): "may be one of these alone",
    (r"w = \sum_{k=1}^{\min(N, 4)} a_k", (2, 3)): "may be one of these alone",
    (r"w = \sum_{k=1}^{N} a_{\min(k, 3)}", (2, 3)): r"may have k for \min(k,3)",
    (r"N^3 = 6 N^2 - 11 N + 6", (1, 2, 3)): "stands in degree 3, and 3 of its numbers are tried",
    (r"N^2 + w = 3 N - 2 + \sum_{k=1}^{N} a_k", (1, 2)): "stands in degree 2, and 2 of its numbers are tried",
}


@pytest.mark.parametrize(("text", "sizes"), SIZES)
def test_what_is_true_at_the_sizes_that_are_tried_alone_is_seen(tmp_path, text, sizes):
    r"""A \min that never acts, and a polynomial that is zero at just these sizes."""
    letters = sp.symbols("a_1:9", real=True)
    table = lambda n: {"N": n, "w": sum(letters[:n]), "a_*": letters[:n]}
    (tmp_path / "proofs").mkdir()
    (tmp_path / "page.md").write_text(f"$$ {text} $$ (eq-size)", encoding="utf-8")
    (tmp_path / "proofs" / "page.py").touch()
    chapter = Chapter(tmp_path / "proofs" / "page.py")
    chapter.bind(lambda n: table(n) if n else {})
    chapter.prove("eq-size", n=sizes, by="sizes")
    (result,) = chapter.run()
    assert result.kind == "failed" and SIZES[text, sizes] in result.how


def test_sums_of_what_counts_need_a_size_more_than_their_degree(tmp_path):
    """Three tell apart polynomials of the second degree, two do not."""
    text = r"\sum_{k=1}^{N} (2 k - 1) = N^2"
    (tmp_path / "proofs").mkdir()
    (tmp_path / "page.md").write_text(f"$$ {text} $$ (eq-size)", encoding="utf-8")
    (tmp_path / "proofs" / "page.py").touch()
    for sizes, kind in (((2, 5), "failed"), ((1, 2, 5), "computed")):
        chapter = Chapter(tmp_path / "proofs" / "page.py")
        chapter.bind(lambda n: {"N": n} if n else {})
        chapter.prove("eq-size", n=sizes, by="sizes")
        (result,) = chapter.run()
        assert result.kind == kind, result.how
