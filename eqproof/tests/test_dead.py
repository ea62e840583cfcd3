"""What may change in an equation without harm is found: a slip there would not be seen."""

import mpmath
import pytest
import sympy as sp

from eqproof import Bindings, Chapter, ProofError, check, field
from eqproof.dead import below, dead_tokens
from eqproof.decide import places
from eqproof.evaluate import Evaluation, Numbers
from eqproof.parser import parse
from eqproof.points import DIGITS, Point
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
    ("d = |u + 5| - |u + 5| + d", None),
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
    found = dead_tokens(parse(text), [(TABLE, at) for at in places(each)])
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
    assert [*below(parse("V(u) y = y V(u)"), evaluation)]
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


@pytest.mark.parametrize("error", [KeyError(2), IndexError("end"), ZeroDivisionError(), ProofError("none")])
@pytest.mark.parametrize("line", ["h_1 + y = w", r"|h_1| + y = w"])
def test_what_has_no_value_any_more_is_seen(error, line):
    """An index behind the end of a list, a zero below: such a slip would stop the proof."""
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
    """Where the equation itself has none, another point tells whether a change is seen."""
    table = Bindings({"x": x, "y": y, "z": 0, "w": sp.log(x * y - sp.Rational(1, 2))})
    line = r"w + z = \ln(x y - 0.5)"
    assert ("z", "may have the other sign") in [
        (change.printed(line), change.what) for change in dead_tokens(parse(line), [(table, {})])
    ]


def run(folder, text, symmetric=(), **options):
    """The Result of one equation on a page."""
    (folder / "proofs").mkdir(exist_ok=True)
    (folder / "page.md").write_text(f"$$ {text} $$ (eq-x)")
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
    assert run(tmp_path, r"x \le x + y", table=some).kind == "checked"
    assert (
        run(tmp_path, r"x y \le \frac{1}{2} (x^2 + y^2)", table={a: sp.Symbol(a, real=True) for a in "xy"}).kind
        == "checked"
    )


def test_the_letters_of_symmetric_matrices_are_declared(tmp_path):
    """On the page or for the project; with any index, and for the rates as well."""
    text = r"\boldsymbol S_1 \dot{\boldsymbol S} = \begin{bmatrix} x & y \\ 2 y & 3 \end{bmatrix}"
    table = {
        r"\boldsymbol S_*": lambda i: sp.diag(i, i + 1),
        r"\dot{\boldsymbol S}": sp.Matrix([[x, y], [y, sp.Rational(3, 2)]]),
    }
    assert r"\boldsymbol S_1 may be transposed" in run(tmp_path, text, table=table).how
    assert run(tmp_path, text, [r"\boldsymbol S_*"], table=table).kind == "proven"
    (tmp_path / "eqproof.toml").write_text(r"symmetric = ['\boldsymbol S_*']")
    assert run(tmp_path, text, table=table).kind == "proven"


def test_sizes_and_indices_are_all_tried(tmp_path):
    """A letter is told as soon as one size, or one value of an index, tells it."""
    table = lambda n: {"d_*": lambda k: x if n == 1 else (2 * k - 1) * x, "u": n - 1}
    result = run(tmp_path, "d_k = x + u (k - 1) x", table=table, n=[1, 3], each="k")
    assert result.kind == "proven", result.how
