r"""What strangers print between and inside formulas: \text{net force} as a letter, \sim between what is not compared, F^*_r."""

import pytest

from eqproof.__main__ import main
from eqproof.checked_steps import steps_in
from eqproof.errors import ProofError
from eqproof.parser import parse
from eqproof.sources import sources_in

SAME = {  # as it is printed: the verdicts on its steps
    r"\text{net force} = m a": ["undecided"],
    r"2 \text{net force} + a = a + \text{net force} + \text{net force}": ["proven"],
    r"\frac{\text{rise}}{\text{run}} = \text{rise} / \text{run}": ["proven"],
    r"\text{first} + \text{second} = \text{second} + \text{second}": ["undecided"],
    r"\text{point estimate}\ \pm\ 2 = \text{point estimate} \pm 1 \pm 1": ["proven"],
    r"\textrm{coth}(x) + 1 = 1 + \textrm{coth}(x)": ["proven"],
    r"{n \choose 2} = {n (n - 1) \over 2}": ["proven"],
    r"P(\text{$1^{st}$ of 2}) + 1 = 1 + P(\text{$1^{st}$ of 2})": ["proven"],
    r"P(\text{1 of 2}) + 1 = 1 + P(\text{2 of 2})": ["undecided"],
    r"[\text{number of ways}] \times 2 = 2 \times [\text{number of ways}]": ["proven"],
    r"\text{F} d = d \text{F}": ["proven"],
    r"1 + 1 = 2\text{.}": ["proven"],
    r"a + a = 2 a, \text{ by definition}": ["proven"],
    r"\begin{aligned} a + a &= 2 a && \text{(a sum)} \\ &= 3 a & \text{by mistake}\end{aligned}": ["proven", "false"],
    r"\sqrt{x^2} = x, \quad \text{for } x > 0": ["proven", "undecided"],
    r"\begin{align} a + a &= 2 a \\ \intertext{so that} b + b &= 2 b \end{align}": ["proven", "proven"],
    r"{\bf E} \cdot {\bf B} = {\bf B} \cdot {\bf E}": ["proven"],
    r"\mathbf{j_e} + \mathbf b = \mathbf b + \mathbf{j}_e": ["proven"],
    r"Z_{_{\text{A}}} + 1 = 1 + Z_{\text{A}}": ["proven"],
    r"\widehat{rate} + 1 = 1 + \widehat{rate}": ["proven"],
    r"\overline{z w} = z w": ["undecided"],
    r"a + a = \left\lbrace (a) + a \right\rbrace": ["proven"],
    r"(A B)^\mathrm{T} = B^\mathsf{T} A^\text{T}": ["proven"],
    r"\label{eq:XT} (A B)^\mathrm{T} = B^T A^T": ["proven"],
    r"\sum^3_{i=1} i = 6": ["proven"],
    r"\int^1_0 2 x\,dx = 1": ["proven"],
    r"x^2_1 + 1 = 1 + x_1^2": ["proven"],
    r"F^*_r + a = a + F_r^*": ["undecided"],
    r"x \sim N(0, 1)": ["undecided"],
    r"y \sim z, \quad a + a = 2 a": ["undecided", "proven"],
    r"f \colon A \to B": ["undecided"],
    r"f : A \rightarrow B": ["undecided"],
    r"a + a = 2 a \iff b + b = 3 b": ["proven", "false"],
    r"a + a = 2 a \quad\Longleftrightarrow\quad b + b = 3 b": ["proven", "false"],
    r"a + a = 2 a \impliedby b + b = 3 b": ["proven", "false"],
    r"\therefore a + a = 2 a": ["proven"],
    r"p(x; y) + 1 = 1 + p(x, y)": ["proven"],
    r"\mathrm{KL}[P||Q] + 1 = 1 + \mathrm{KL}[P||Q]": ["proven"],
    r"\lim_{h \to 0} h = 0": ["proven"],
    r"x = \begin{bmatrix} a \\ \vdots \\ b \end{bmatrix}": ["undecided"],
    r"\frac{x - \mu}{\sigma} = \frac{x - \mu}{\sigma} = \frac{x - 70}{3.3}": ["proven", "undecided"],
    r"\frac{2}{5 s + 1} + 0 = \frac{2}{5 s + 1} = \frac{K}{\tau s + 1}": ["proven", "undecided"],
    r"For $\mu = 1$ we have \[ \sqrt{s^2 \mu^2} = s \mu": ["undecided"],
}


def told(text):
    """The verdicts on the steps of a text of LaTeX."""
    return [step.verdict for step in steps_in(sources_in(text, "-", "tex"))]


@pytest.mark.parametrize("line", SAME)
def test_what_is_printed_is_read(line):
    """As a letter, a function, two formulas, or the same in the usual order; nothing is left unread."""
    display = line if line.startswith(r"\begin{align}") else rf"{line} \]" if r"\[" in line else rf"\[ {line} \]"
    assert told(display) == SAME[line]


@pytest.mark.parametrize(
    "line",
    [
        r"x^2 = 1 \text{ or } x = 2",
        r"\text{step 1} = 2",
        r"a = \text{is it} + b",
    ],
)
def test_words_that_may_say_something_else_are_not_read_as_letters(line):
    """Two claims, a step of a list, words that begin or end as no name does."""
    assert told(rf"\[ {line} \]") == ["unread"]


@pytest.mark.parametrize("line", [r"x \sim y", r"a \to b", r"F^*_r = F^*_r", r"\text{net force} = F"])
def test_a_book_says_what_it_means(line):
    """Where letters are bound in Python, these stay refused."""
    with pytest.raises(ProofError):
        parse(line)


def test_commands_may_stand_in_another_file(tmp_path, capsys):
    """--macros names it; the text's own come first, and a file that is not there ends in a sentence."""
    (tmp_path / "preamble.tex").write_text(
        "\\newcommand{\\sq}[1]{#1^2} % \\newcommand{\\no}{1}\n\\newcommand{\\x}{y}", encoding="utf-8"
    )
    paper = tmp_path / "paper.tex"
    paper.write_text("\\newcommand{\\x}{z}\n\\[ (\\x + 1)^2 = \\sq{z} + 2 z + 1 \\]", encoding="utf-8")
    assert main(["check", str(paper)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith("1 unread")
    assert main(["check", "--macros", str(tmp_path / "preamble.tex"), str(paper)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("1 proven")
    assert main(["check", "--macros", str(tmp_path / "none.tex"), str(paper)]) == 2
    assert "none.tex cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("latex", "verdict"),
    [
        (r"X_i \overset{\mathrm{i.i.d.}}{\sim} N(0, 1)", "undecided"),
        (r"a + b \overset{\eqref{eq:x}}{=} b + a", "proven"),
        (r"a + b \overset{\eqref{eq:x}}{=} b + 2 a", "false"),
        (r"{\bf E_e} a + {\bf{n}} = {\bf n} + a {\bf E_e}", "proven"),
        (r"P(A \text{ or } B) + 1 = 1 + P(A \text{ or } B)", "proven"),
        (r"P(A \text{ and } B) = P(A) P(B)", "undecided"),
        (r"P(A \cap B) + P(A \cup B) = P(A \cup B) + P(A \cap B)", "proven"),
        (r"P(A \cap B) + P(A \cup B) = 2 P(A \cap B)", "undecided"),
        (r"\left\langle x \right\rangle \langle a, b \rangle = \langle a, b \rangle \langle x \rangle", "proven"),
        (r"\langle 2 x \rangle = 2 \langle x \rangle", "undecided"),
        (r"\frac{\text{cos} \theta}{2} = \frac{1}{2} \cos \theta", "proven"),
        (r"tan^{-1} \frac{a}{b} + b = tan^{-1} \frac{b}{a} + b", "undecided"),
        (r"\log B(\alpha, \beta) + 1 = 1 + \log B(\alpha, \beta)", "proven"),
        (r"\log p(x) + q = q + \log p(y)", "undecided"),
        (r"h(X) = -\int p(x) \log p(x) \, \mathrm{d}x", "undecided"),
        (r"\log p(x) q = q \log p(x)", "unread"),
        (r"p(\theta \vert m) + 0 = p(\theta \vert m)", "proven"),
        (r"p(\theta \vert m) + 0 = p(m \vert \theta)", "undecided"),
        (r"(y^\mathrm{T} A x)^{\mathsf{T}} = x^\top A^{\text{T}} y", "proven"),
        (r"\frac{\text{point estimate} - m}{s} = -\frac{m - \text{point estimate}}{s}", "proven"),
        (r"1 + 2 + ... + n = \frac{n (n+1)}{2}", "proven"),
        (r"1 + 2 + ... + n = \frac{n (n-1)}{2}", "false"),
        (r"P(A = \text{\small{exceed}}) + 1 = 1 + P(A = \text{exceed})", "proven"),
        (r"\begin{aligned} (a + b) c \cdot \\ & d = a c d + b c d \end{aligned}", "proven"),
    ],
)
def test_what_public_texts_print_is_read(latex, verdict):
    """Notes above signs, events, angle brackets, functions in words, rows that end in a sign; no slip passes with them."""
    (*_, step) = steps_in(sources_in(rf"\[ {latex} \]", "-", "tex"))
    assert step.verdict == verdict, step


@pytest.mark.parametrize(
    "latex",
    [
        r"\mathrm{Pr}(b - a \leq X \leq b + a) \\ &= F(b + a) - F(b - a)",
        r"\frac{1}{2} (\mathrm{erf}(a) - \mathrm{erf}(-a)) \\ &= \frac{1}{2} (\mathrm{erf}(a) + \mathrm{erf}(a))",
    ],
)
def test_values_of_functions_are_no_conditions_and_not_free(latex):
    """What stands behind Pr in brackets is its argument; erf(-a) may be -erf(a)."""
    found = list(
        steps_in(sources_in(rf"\begin{{aligned}} p &= {latex} \end{{aligned}}".join((r"\[", r"\]")), "-", "tex"))
    )
    assert len(found) == 2 and {x.verdict for x in found} == {"undecided"}
