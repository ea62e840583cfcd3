"""`eqproof check` proves nothing that is false as it is meant, and calls nothing false that is true as it is meant."""

import pytest
from traps import MEANT_FALSE, MEANT_TRUE, NEXT_TO_IT

from eqproof.checked_steps import steps_in
from eqproof.sources import sources_in


def told(display, around=""):
    """Return the steps of a display in a text of LaTeX, without conditions."""
    return [
        x for x in steps_in(sources_in(around.replace("HERE", display) or display, "-", "tex")) if x.relation != r"\in"
    ]


def assert_first(line, verdict, why):
    """The first step of a display has this verdict, and its reason says why."""
    first = told(rf"\[ {line} \]")[0]
    assert (first.verdict, why in first.why) == (verdict, True), first.why


def both_ways(line):
    """Return the verdicts on a line alone, and as the later step of a chain and of an align."""
    left, _, right = line.partition(" = ")
    alone = told(rf"\[ {line} \]")
    chained = told(rf"\[ {left} = {left} = {right} \]")
    aligned = told(rf"\begin{{align}} {left} &= {left} \\ &= {right} \end{{align}}")
    assert all(step.why for step in alone + chained + aligned)
    return [[step.verdict for step in x] for x in (alone, chained, aligned)]


@pytest.mark.parametrize("line", MEANT_FALSE)
def test_what_is_false_as_it_is_meant_is_not_proven(line):
    """Some step is not proven, alone, in a chain and in an align alike."""
    for verdicts in both_ways(line):
        assert {*verdicts} & {"undecided", "false", "unread"}


@pytest.mark.parametrize("line", MEANT_TRUE)
def test_what_is_true_as_it_is_meant_is_not_false(line):
    """No step is false, alone, in a chain and in an align alike."""
    for verdicts in both_ways(line):
        assert verdicts and "false" not in verdicts


@pytest.mark.parametrize(
    ("line", "verdict", "why"),
    [
        (r"d (x y) = x\,dy", "undecided", "d may act on what stands behind it"),
        (r"m g d = d m g", "proven", "equal as fractions"),
        (r"\mathcal E I = I \mathcal E", "proven", "equal as fractions"),
        (r"\hat x (\hat p \hat x) = (\hat x \hat p) \hat x", "proven", "equal as fractions"),
        (r"\hat x \hat p = \hat p \hat x", "undecided", "may be operators or matrices, whose order matters"),
        (r"\hat\beta \hat\alpha = \hat\alpha \hat\beta", "proven", "equal as fractions"),
        (r"2 \exp[x] = \exp(x) + \exp x", "proven", ""),
        (r"[A] [B] + [A] = [A] ([B] + 1)", "proven", "equal as fractions"),
        (r"2 \{ (a + b) + c \} = 2 a + 2 b + 2 c", "proven", "equal as fractions"),
        (r"O(h) - O(h) = 0", "undecided", "is an order of magnitude"),
        (r"\delta_{ij}\delta_{ij} = \delta_{ij}^2", "undecided", "may be summed over an index"),
        (r"\mathrm{Tr} \mathbf a = \mathbf a", "undecided", "may act on what stands behind it"),
        (r"\log 100 = 2", "undecided", "to the base 10"),
        (r"\log 100 = 3", "false", "is not 3.0"),
        (r"\sqrt 2 = 1.414", "proven", "equal to the last printed digit"),
        (r"\sqrt 2 = 1.415", "undecided", "equal to the printed digits"),
        (r"1.41 \cdot 1.41 = 2", "undecided", ""),
        (r"\sqrt 2 = 1.424", "false", "is not 1.424"),
        (r"0.1 + 0.2 = 0.4", "false", "is not 0.4"),
        (r"10 \cdot 0.8^4 \cdot 0.2^2 = 10 \times 0.0164", "undecided", "equal to the printed digits"),
        (r"10 \cdot 0.8^4 \cdot 0.2^2 = 10 \times 0.0174", "false", "is not"),
        (r"10^3 = 1,000", "proven", ""),
        (r"10^3 = 1,001", "false", "is not 1001.0"),
        (r"|x| = -x \quad (x < 0)", "proven", "signs of its letters"),
        (r"|x| = -x \quad (x > 0)", "false", "where x = 1"),
        (r"(a + b)^2 = a^2 + b^2 \text{ for } a > 1", "false", "where a = 2, b = 1"),
        (r"(a + b)^2 = a^2 + b^2, \quad a \in \mathbb R", "false", "is not"),
        (r"(z + 1)^2 = z^2 + 2 z + 1, \quad z \in \mathbb C", "proven", "equal as fractions"),
        (r"|z|^2 = z^2, \quad z \in \mathbb C", "undecided", "z is said to be complex"),
        (r"\sin (x + \pi n) y = \sin(x) y", "undecided", "no identity of free letters"),
        (r"3\,\mathrm{m} + 2\,\mathrm{m} = 5\,\mathrm{m}", "proven", "equal as fractions"),
        (r"1\,\mathrm{km} + m - m = 1000\,\mathrm{m}", "undecided", ""),
        (r"\log (a b) = \log a \log b", "false", "is not"),
        (r"(A + B)^\top (A + B) = A^\top A + A^\top B + B^\top A + B^\top B", "proven", "capitals are square matrices"),
    ],
)
def test_a_step_that_another_reading_spares_says_which(line, verdict, why):
    """And the same notation with a slip in it is false, without a second reading proven."""
    assert_first(line, verdict, why)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("For $x < 0$ we have \\[ HERE \\] as is known.", "proven"),
        ("We have \\[ HERE \\] for $x<0$.", "proven"),
        ("For $x > 0$ we have \\[ HERE \\]", "false"),
        ("For $y < 0$ we have \\[ HERE \\]", "false"),
        ("For $x < 0$ see \\[ x = x \\] and \\[ HERE \\]", "false"),
    ],
)
def test_a_condition_may_stand_in_the_text_close_to_the_display(text, verdict):
    """In an inline formula in front of it or behind it; none beyond another display."""
    assert told(r"\sqrt{x^2} = - x", text)[-1].verdict == verdict


@pytest.mark.parametrize(("text", "line", "verdict"), NEXT_TO_IT)
def test_the_words_next_to_a_display_tell_of_other_letters_and_other_equalities(text, line, verdict):
    """Of matrices, operators, remainders, small numbers, equations; the same formula beside other words is judged as it was."""
    (step,) = told(rf"\[ {line} \]", text)
    assert step.verdict == verdict, step.why


@pytest.mark.parametrize(
    ("line", "verdict", "why"),
    [
        (r"(X^\top X)^{-1} X^\top X = I", "proven", ""),
        (r"X (X^\top X)^{-1} X^\top X = X", "proven", ""),
        (r"\operatorname{rank}(AB) = \operatorname{rank}(BA)", "undecided", "not of full rank"),
        (r"\boldsymbol\sigma\cdot\mathbf a = \mathbf a\cdot\boldsymbol\sigma", "undecided", "the spin matrices"),
        (r"\lim_{n\to\infty} a_n = a_n", "undecided", "what depends on the letter below it"),
        (r"X (X^\top X)^{-1} X^\top = I", "undecided", "more rows than columns"),
        (r"\mathbf x^\top A \mathbf y = \mathbf y^\top A^\top \mathbf x", "proven", ""),
        (r"R_x(\alpha) R_x(\beta) = R_x(\beta) R_x(\alpha)", "proven", ""),
        (r"\log (x y) = \log x + \log y \quad (x, y > 0)", "proven", ""),
        (r"\ln \frac{p}{1-p} = \ln p - \ln(1-p) \quad (0 < p < 1)", "proven", ""),
        (r"\ln (z^2) = 2 \ln z \quad (z < 0)", "undecided", "no such numbers were found"),
        (r"\lim_{n\to\infty} \frac{a n}{n + b} = a", "proven", ""),
        (r"\sum_{k=1}^2 a_k = a_1 + a_2", "proven", ""),
        (r"Q (\mathbf v\times\mathbf B) = Q \mathbf v\times\mathbf B", "proven", ""),
        (r"(e^{i\theta})^n = e^{i n\theta}", "proven", ""),
        (r"\sqrt{1 + x^2}\,e^{i x} = e^{i x} \sqrt{x^2 + 1}", "proven", ""),
    ],
)
def test_what_is_asked_of_shapes_and_branches_spares_what_holds(line, verdict, why):
    """A step that holds for tall matrices, where both sides are real, or on each branch, stays proven."""
    assert_first(line, verdict, why)


@pytest.mark.parametrize(
    "line",
    [
        r"R I = R I = 5 I + 1",
        r"(a + b)^2 = (a + b)^2 = a^2 + 3",
        r"p - p^2 = p - p^2 = 2 p q",
        r"P^2 = P^2 = 2 P",
        r"\gamma^2 - 1 = \gamma^2 - 1 = \gamma^2 \beta",
        r"\frac{x^2 + y^2}{r^3} = \frac{x^2 + y^2}{r^3} = \frac{1}{r^2}",
    ],
)
def test_what_a_usual_meaning_does_not_save_is_false(line):
    """No value of the letter that is gone, and no usual meaning of one, makes the last step hold."""
    assert told(rf"\[ {line} \]")[-1].verdict == "false"


def test_a_slip_behind_an_integral_without_bounds_is_false():
    """The sides must differ by a constant."""
    verdicts = [x.verdict for x in told(r"\[ \int 2\sin x\cos x\,dx = \sin^2 x = \cos^2 x \]")]
    assert verdicts == ["undecided", "false"]


def test_what_latex_does_not_typeset_is_not_read():
    r"""Behind \iffalse and behind \end{document}."""
    text = r"\[ a + a = 2 a \] \iffalse \[ 1 = 2 \] \fi \[ b = b \] \end{document} \[ 1 = 3 \]"
    assert [x.left for x in told(text)] == ["a + a", "b"]


@pytest.mark.parametrize("latex", [r"(x^2)^{a/2} = x^a", r"((x^2)^a)^{1/2} = x^a"])
def test_a_power_that_is_real_at_whole_exponents_is_tried_there(latex):
    """(-1)^1 is real, and no (-1)^a at random."""
    (step,) = steps_in(sources_in(rf"\[ {latex} \]", "-", "tex"))
    assert step.verdict == "undecided" and "x = -1, a = 1" in step.why
    (step,) = steps_in(sources_in(r"\[ (x^4)^a = x^{4 a} \]", "-", "tex"))
    assert step.verdict == "proven"
