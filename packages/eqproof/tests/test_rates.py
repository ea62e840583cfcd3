"""A rate of what nothing moves is refused: it is zero by default, and no law."""

import pytest
import sympy as sp

from eqproof import Bindings, Chapter, ProofError, check, family, field
from eqproof.checked_steps import steps_in
from eqproof.sources import sources_in

q, qd, qdd, t, m, x, y = sp.symbols("q qd qdd t m x y", real=True)
TABLE = {
    "q": q,
    "v": qd,
    "m": m,
    "x": x,
    r"\boldsymbol u": [x, y],
    r"\boldsymbol p": [q, x],
    "s": sp.sin(t),
    "c": sp.cos(t),
    "f": field(q**2, q),
    "a_*": [x, q],
}
STILL = {
    r"\dot{\boldsymbol u} = \boldsymbol 0": "x, y",
    r"\ddot x = 0": "x",
    r"\dot x = \dot m": "x",
    r"\frac{d}{dt} (m x) = 0": "m, x",
    r"\dot{(m x)} = 0": "m, x",
    r"\frac{d}{dt} (m q) = \dot m q + m \dot q": "m",
    r"\dot q = \dot a_1 + v": "x",
    r"v = v + \sum_{i=1}^{1} \dot a_i": "x",
}
MOVING = [
    r"\dot q = v",
    r"\frac{d}{dt} (m q) = m \dot q",
    r"\dot s = c",
    r"\dot f(q) = 2 q v",
    r"\sum_{i=1}^{2} \dot a_i = v",
    r"\dot{\boldsymbol p} = \begin{bmatrix} v \\ 0 \end{bmatrix}",
]


def moving():
    """The table with the motion of q, and with explicit time."""
    return Bindings(TABLE).motion([q], [qd], [qdd], t=t)


@pytest.mark.parametrize("line", STILL)
def test_a_rate_of_what_stands_still_is_refused(line):
    """Also where both sides are zero, and the sentence tells which letters need a motion."""
    with pytest.raises(ProofError, match="is zero, for nothing says that") as caught:
        check(line, moving())
    assert f"that {STILL[line]} varies" in caught.value.sentence


@pytest.mark.parametrize("line", MOVING)
def test_a_rate_of_what_moves_is_read(line):
    """By the chain rule, and in sums where one of the terms moves."""
    assert check(line, moving())


def test_without_a_motion_no_rate_has_a_value():
    """Neither true nor false: nobody said how x moves."""
    with pytest.raises(ProofError, match="nothing says that t varies"):
        check(r"\dot s = c", TABLE)
    assert check(r"\dot x = 0", TABLE | {r"\dot x": 0}), "a rate that is bound needs no motion"


@pytest.mark.parametrize("line", [r"\dot a_1 = 0", r"\dot a_i = w_i"])
def test_of_a_family_one_that_moves_is_enough(line):
    """A law for all members is no law of the members that stand still."""
    table = moving().bind({"a_*": family(2, lambda i: [x, q][i - 1]), "w_*": [0, qd]})
    if "1" in line:
        with pytest.raises(ProofError, match="nothing says that x varies"):
            check(line, table)
    else:
        assert check(line, table, each={"i": 2})


def test_a_page_learns_which_letters_need_a_motion(tmp_path):
    """The guard holds for proofs of displayed equations as for lines, at all sizes together."""
    (tmp_path / "proofs").mkdir()
    (tmp_path / "page.md").write_text(r"$$ \dot{\boldsymbol u} = \boldsymbol 0 $$ (eq-rest)", encoding="utf-8")
    (tmp_path / "proofs" / "page.py").touch()
    chapter = Chapter(tmp_path / "proofs" / "page.py")
    chapter.bind(TABLE)
    chapter.prove("eq-rest", by="nothing")
    (result,) = chapter.run()
    assert result.kind == "failed" and "nothing says that x, y varies: give it to motion" in result.how


@pytest.mark.parametrize(
    ("said", "line", "verdict"),
    [
        ("u real", r"\ddot x = A \dot x", "undecided"),
        ("u real", r"\frac{d}{dt} \dot x = A \dot x", "undecided"),
        ("u constant", r"\ddot x = A \dot x", "proven"),
        ("u constant", r"\ddot x = 2 A \dot x", "false"),
        ("u is constant", r"\dot x = A x + B u", "proven"),
        ("u positive constant", r"\ddot x = A \dot x", "proven"),
        ("u function of t", r"\ddot x = A \dot x + B \dot u", "proven"),
        ("u function of t", r"\ddot x = A \dot x", "undecided"),
    ],
)
def test_an_input_varies_unless_it_is_said_to_be_constant(said, line, verdict):
    r"""A law of motion, \dot x = A x + B u, says nothing of \dot u."""
    law = rf"A 2x2; B 2x1; {said}; x 2-vector function of t; \dot x = A x + B u"
    (step,) = steps_in(sources_in(f"% eqproof: {law}\n\\[ {line} \\]", "-", "tex"))
    assert step.verdict == verdict, step.why


def test_a_vector_in_a_law_is_an_input_and_g_is_none():
    """A capital is a matrix of the system."""
    text = "% eqproof: {}; p 2-vector function of t; \\dot p = p + {}\n\\[ \\ddot p = \\dot p \\]"
    for said, law, verdict in (("g 2-vector", "g", "proven"), ("w 2-vector", "w", "undecided")):
        (step,) = steps_in(sources_in(text.format(said, law), "-", "tex"))
        assert step.verdict == verdict, (said, step.why)


@pytest.mark.parametrize(
    ("said", "verdict"),
    [("a positive", "undecided"), ("a positive; r constant", "proven"), ("a positive; r function of t", "undecided")],
)
def test_a_letter_of_a_law_of_which_nothing_is_said_may_vary(said, verdict):
    r"""In \dot x = -a x + r nobody says whether r is an input, whatever it is called; g is none."""
    text = f"% eqproof: {said}; x function of t; \\dot x = -a x + r\n\\[ \\ddot x = a^2 x - a r \\]"
    (step,) = steps_in(sources_in(text, "-", "tex"))
    assert step.verdict == verdict, step.why
    fall = "% eqproof: x function of t; \\ddot x = -g\n\\[ \\dddot x = 0 \\]"
    (step,) = steps_in(sources_in(fall, "-", "tex"))
    assert step.verdict == "proven", step.why


@pytest.mark.parametrize("line", [r"\frac{\partial}{\partial x} (x f_y) = f_y", r"\int_0^1 x y'\,dx = \frac{y'}{2}"])
def test_a_derivative_is_no_constant(line):
    r"""f_y and y' are functions of x, as f and y are."""
    (step,) = steps_in(sources_in(rf"\[ {line} \]", "-", "tex"))
    assert step.verdict == "undecided"


@pytest.mark.parametrize(
    ("true", "other"),
    [
        (r"\int_0^1 (f + g)\,dx = \int_0^1 f\,dx + \int_0^1 g\,dx", r"\int_0^1 (f - g)\,dx = \int_0^1 f\,dx + \int_0^1 g\,dx"),
        (r"\int (2 f + g)\,dx = 2 \int f\,dx + \int g\,dx", r"\int_0^2 (f + g)\,dx = \int_0^1 f\,dx + \int_0^2 g\,dx"),
        (r"\frac{d}{dx} (f + g) = \frac{d}{dx} f + \frac{d}{dx} g", r"\frac{d}{dx} (f + g) = \frac{d}{dx} f + \frac{d}{dt} g"),
    ],
)  # fmt: skip
def test_integrals_and_derivatives_are_linear(true, other):
    """Of functions of which nothing is said; other bounds and another variable are another one."""
    verdicts = [x.verdict for line in (true, other) for x in steps_in(sources_in(rf"\[ {line} \]", "-", "tex"))]
    assert verdicts == ["proven", "undecided"]
