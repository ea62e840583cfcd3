"""`eqproof check FILE` compares the steps of derivations with no declaration, and says where and why it cannot."""

import json

import pytest
from textbook_displays import DISPLAYS, FOUND

from eqproof.__main__ import main
from eqproof.checked_steps import steps, steps_in
from eqproof.sources import sources_in

PAPER = r"""\documentclass{article}
\begin{document}
% $$ (a+b)^2 = a^2 + b^2 $$ is no claim
The square
\begin{align}
  (a+b)^2 &= a^2 + 2ab + b^2 \\
          &= a (a + 2 b) + b^2 \label{eq:square} \\
          &= a^2 + a b + b^2
\end{align}
and
\[ E = \frac{1}{2} m v^2 = \frac{m v^2}{2} = \frac{k x^2}{2} \]
\begin{equation} (x-y)^2 = x^2 - y^2 \end{equation}
\begin{verbatim}
$$ 1 = 2 $$
\end{verbatim}
$$ \ln x^2 = y $$
\end{document}
"""
VERDICTS = {  # one step as a display of its own: what becomes of it, and a part of why
    r"\sin 2 x = 2 \sin x \cos x": ("proven", "equal as fractions"),
    r"\sum_{i=1}^4 i x = 10 x": ("proven", "equal as fractions"),
    r"\sqrt{x^2} = |x|": ("proven", "30 digits agree"),
    r"\dot x_1 (a - b) = a \dot x_1 - b \dot x_1": ("proven", "equal as fractions"),
    r"\sqrt{x^2} = x": ("undecided", "holds where all letters are positive; but 1.0 is not -1.0, where x = -1"),
    r"\sqrt{x^2} = -x": ("false", "as an identity; 1.0 is not -1.0, where x = 1"),
    r"(x-y)^2 = x^2 - y^2": ("false", "as an identity; 1.0 is not -1.0, where x = 0, y = 1"),
    r"(a + b + c)^2 = a^2 + b^2 + c^2 + 2 a b + 2 a c": ("false", "is not "),
    r"\frac{1}{a} + \frac{1}{b} = \frac{2}{a + b}": ("false", "2.0 is not 1.0, where a = 1, b = 1"),
    r"E = \frac{1}{2} m v^2": ("undecided", "declare what E stands for"),
    r"m \ddot x = -k x": ("undecided", r"declare what \ddot x, k, m, x stands for"),
    r"x^2 + y^2 = 1": ("undecided", "declare what x, y stands for"),
    r"\boldsymbol A \boldsymbol x = \boldsymbol b": ("undecided", r"\boldsymbol A needs a declaration of its size"),
    r"\sum_{i=1}^n i = \frac{n(n+1)}{2}": ("proven", "tried for n = 1, 2, 3, "),
    r"\sum_{i=1}^3 a_i = b": ("undecided", "declare what b stands for"),
    r"\sum_{i=1}^3 a_i = a_1 + a_2 + a_3": ("proven", "equal as fractions"),
    r"\sum_{i=1}^3 (a_{i+1} - a_i) = a_4 - a_1": ("proven", "equal as fractions"),
    r"\frac{d}{dx} (x^2) = 2 x": ("proven", "equal as fractions"),
    r"\frac{d}{dx} (x^2) = 3 x": ("false", "where x = 1"),
    r"\frac{d}{dx} (a x^2) = 2 a x": ("undecided", r"write \partial for d"),
    r"\frac{d}{dt} (x^2) = 2 x": ("undecided", "needs a declaration of what varies"),
    r"\frac{\partial}{\partial x} (a x^2) = 2 a x": ("proven", "equal as fractions"),
    r"f(x) = x^2": ("undecided", "declare what f(x) stands for"),
    r"f(2 x) = 2 f(x)": ("undecided", "declare what f(2 x)"),
    r"E[X Y] = E[X] Y": ("undecided", "declare what E[X Y]"),
    r"\operatorname{Var}(a X) = a \operatorname{Var}(X)": ("undecided", "declare what"),
    r"P(A \mid B) P(B) = P(B \mid A) P(A)": ("undecided", r"declare what P(A \mid B), P(A), P(B \mid A), P(B) stands"),
    r"P(A | B) P(B) = P(B) P(A | B)": ("proven", "equal as fractions"),
    r"\nabla (f g) = f \nabla g": ("undecided", r"\nabla is an operator"),
    r"d(x y) = x\,dy + y\,dx": ("undecided", "d may act on what stands behind it"),
    r"(AB)^\top = B^\top A^\top": ("proven", "in sizes 2 and 3, where capitals are square matrices"),
    r"(AB)^\top = A^\top B^\top": ("undecided", "A needs a declaration of its size"),
    r"(AB)^{-1} = B^{-1} A^{-1}": ("proven", "equal as fractions"),
    r"(AB)^{-1} = A^{-1} B^{-1}": ("undecided", "holds for numbers, and not for matrices"),
    r"(X^TX)^T = X^TX": ("proven", "in sizes 2 and 3"),
    r"\int_0^T a t\,dt = \frac{a T^2}{2}": ("proven", "equal as fractions"),
    r"\int_0^T a t\,dt = a T^2": ("false", "0.5 is not 1.0, where T = 1, a = 1"),
    r"\int_0^1 a s\, G(s)\, ds = \frac{a}{2} G(s)": ("undecided", "declare its expression"),
    r"\frac{\partial}{\partial x} (x V(x)) = V(x)": ("undecided", "declare its expression"),
    r"\int_0^1 t\, \dot q\, dt = \frac{\dot q}{2}": ("undecided", "declare its expression"),
    r"\int_0^1 x [x] dx = \frac{[x]}{2}": ("undecided", "declare its expression"),  # the whole part of x, perhaps
    r"\frac{\partial}{\partial x} (x \{x\}) = \{x\}": ("undecided", "declare its expression"),
    r"\sum_{x=1}^3 [x] = 3 [x]": ("undecided", "what depends on the letter below it"),
    r"\lim_{x \to 0} (x + \{x\}) = \{x\}": ("undecided", "what depends on the letter below it"),
    r"\left. x [x] \right|_{x=2} = 2 [x]": ("undecided", "what depends on the letter below it"),
    r"\int_0^1 x [y] dx = \frac{[y]}{2}": ("proven", "equal as fractions"),
    r"\int_0^T v\,dt = v T": ("undecided", "needs a declaration of what varies with t"),
    r"|1 + j w|^2 = 1 + w^2": ("proven", "root of -1"),
    r"|1 + j w|^2 = 1 + w": ("undecided", "nor is it seen to hold with j the root of -1"),
    r"\det(2 A) = 8 \det(A)": ("undecided", "A needs a declaration of its size"),
    r"\mathbf a \times (\mathbf b \times \mathbf c) = \mathbf b (\mathbf a \cdot \mathbf c) - \mathbf c (\mathbf a \cdot \mathbf b)": (
        "proven",
        "in size 3",
    ),
    r"\mathbf a \times \mathbf b = \mathbf b \times \mathbf a": ("undecided", "needs a declaration of its size"),
    r"e^{i \theta} = \cos \theta + i \sin \theta": ("proven", "i the root of -1"),
    r"e^{i \theta} = \cos \theta - i \sin \theta": ("false", "as an identity"),
    r"(a \pm b)^2 = a^2 \pm 2 a b + b^2": ("proven", "for both signs"),
    r"(a \pm b)^2 = a^2 \mp 2 a b + b^2": ("false", "where a = 1, b = 1"),
    r"\log \frac{p}{1-p} = \log p - \log (1-p)": ("proven", "they are not real everywhere"),
    r"\log \frac{p}{1-p} = \log p + \log (1-p)": ("false", "is not"),
    r"\lim_{h \to 0} \frac{(x+h)^2 - x^2}{h} = 2 x": ("proven", "equal as fractions"),
    r"\lim_{h \to 0} \frac{(x+h)^2 - x^2}{h} = x": ("false", "2.0 is not 1.0, where x = 1"),
    r"\lim_{x \to \infty} \frac{2 x + 1}{x} = 2": ("proven", "equal as fractions"),
    r"\lim_{x \to 0} \frac{1}{x} = 0": ("undecided", ""),
    r"\lim_{x \to 0} \frac{\sin x}{x} = 1": ("undecided", "limits of fractions alone are computed"),
    r"\left. \frac{\partial}{\partial x} (a x^2) \right|_{x = b} = 2 a b": ("proven", "equal as fractions"),
    r"\left. (a x^2) \right|_{x = b} = 2 a b^2": ("false", "1.0 is not 2.0, where a = 1, b = 1"),
    r"\frac{x}{2} \Big|_{x = 4} = 2": ("proven", "this one problem is computed"),
    r"x y \Big|_{x = 4} = 4 y": ("unread", r"write \left. in front of it"),
    r"\int_0^a 2 x\,dx = \left[ x^2 \right]_0^a": ("proven", "equal as fractions"),
    r"\binom{n}{2} = \frac{n (n-1)}{2}": ("proven", "equal as fractions"),
    r"\binom{n}{k} = \binom{n-1}{k-1} + \binom{n-1}{k}": ("proven", "30 digits agree"),
    r"\binom{n}{k} = \binom{n-1}{k-1} + \binom{n}{k-1}": ("false", "is not"),
    r"A \otimes B = C": ("unread", r"\otimes is not computed"),
    r"\foo x = y": ("unread", r"\foo is not known: define it by \newcommand"),
    r"a \propto b": ("undecided", r"only = is compared, here stands \propto"),
    r"x \le y": ("undecided", r"only = is compared, here stands \le"),
    r"x^12 = x": ("unread", "a number behind an index or a power can belong to it"),
}


@pytest.mark.parametrize("line", VERDICTS)
def test_a_step_is_judged_without_declarations(tmp_path, line):
    """Proven, false with small numbers, or undecided with the declaration that would decide it."""
    (tmp_path / "page.md").write_text(f"$$ {line} $$\n", encoding="utf-8")
    (step,) = steps(tmp_path / "page.md")
    verdict, why = VERDICTS[line]
    assert step.verdict == verdict and why in step.why


def test_steps_of_a_paper_have_their_places(tmp_path, capsys):
    """File, line and column of the side that does not follow; comments and what is verbatim claim nothing."""
    paper = tmp_path / "paper.tex"
    paper.write_text(PAPER, encoding="utf-8")
    assert main(["check", str(paper)]) == 1
    lines = capsys.readouterr().out.splitlines()
    lines = [line for line in lines if not line.startswith("    ")]
    places = [line.removeprefix(f"{paper}:").split(": ")[:2] for line in lines[:-1]]
    assert places == [
        ["6:14", "proven"],
        ["7:14", "proven"],
        ["8:20", "false"],
        ["11:8", "undecided"],
        ["11:28", "proven"],
        ["11:46", "undecided"],
        ["12:28", "false"],
        ["16:8", "unread"],
    ]
    assert "a (a + 2 b) + b^2 = a^2 + a b + b^2: as an identity; 4.0 is not 3.0, where a = 1, b = 1" in lines[2]
    assert lines[-1] == "3 proven, 2 false, 2 undecided, 1 unread"


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (r"a + a = 2 a = 2 a + b", ["proven", "false"]),
        (r"a + b = b + a = a", ["proven", "false"]),
        (r"(a + b) c = a c + b c = a c = b", ["proven", "false", "undecided"]),
        (r"a + b = b + a = b + c", ["proven", "undecided"]),
        (r"2 a = a + a = 3 = a", ["proven", "undecided", "undecided"]),
        (r"a = a + b", ["undecided"]),
        (r"a + b = a", ["undecided"]),
    ],
)
def test_a_later_step_that_has_no_letter_of_its_own_is_no_law(tmp_path, text, verdicts):
    """Whether letters come or go, in the midst of a derivation it is false; the first step, or new letters for others, may be a law."""
    (tmp_path / "page.md").write_text(f"$$ {text} $$\n", encoding="utf-8")
    assert [step.verdict for step in steps(tmp_path / "page.md")] == verdicts


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("\\begin{align}\n(a+b)^2 &= a^2+2ab+b^2\\\\\n&= a^2+2ab+b^3\\\\\n\\end{align}\n", [(2, 12), (3, 4)]),
        ("\\[ \\sqrt{x^2} = x \\]\n", [(1, 17)]),
        ("x = x\n$$\nx\n= x % = x\n= x + x\n$$\n", [(4, 3), (5, 3)]),
        ("\\begin{align}\nx &= x + 1 \\label{eq:x} \\\\\n&= x + 1 \\label{eq:y}\n\\end{align}", [(2, 10), (3, 4)]),
        ("\\[ (a+b)^2 = a^2 + 3 a b + b^2 \\]\n", [(1, 20)]),
    ],
)
def test_the_place_is_that_of_the_side_that_does_not_follow(tmp_path, text, places):
    """Also where the same letters stand before it, in a side, in a label, in a comment."""
    (tmp_path / "paper.tex").write_text(text, encoding="utf-8")
    assert [(step.line, step.column) for step in steps(tmp_path / "paper.tex")] == places


def test_records_and_exit_codes(tmp_path, capsys):
    """0 where nothing is false, 1 where a step is, 2 where a file cannot be read; --json prints records."""
    good, bad = tmp_path / "good.md", tmp_path / "bad.ipynb"
    good.write_text("```python\nx = '$$ 1 = 2 $$'\n```\n\n$$ 2 a = a + a $$\n", encoding="utf-8")
    cell = {"cell_type": "markdown", "source": ["text\n", "$$ 2 a = 3 a $$"]}
    bad.write_text(json.dumps({"cells": [{"cell_type": "code", "source": []}, cell]}), encoding="utf-8")
    assert main(["check", str(good)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 proven, 0 false, 0 undecided, 0 unread"
    assert main(["check", "--json", str(good), str(bad)]) == 1
    document = json.loads(capsys.readouterr().out)
    records = document["steps"]
    assert document["files"] == [str(good), str(bad)] and document["counts"]["false"] == 1
    assert [(x["line"], x["column"], x["verdict"]) for x in records] == [(5, 10, "proven"), (2, 10, "false")]
    assert records[1]["file"] == str(bad) and records[1]["cell"] == 1
    assert records[1]["left"] == "2 a" and records[1]["right"] == "3 a"
    assert main(["check", str(tmp_path / "missing.tex")]) == 2
    assert "missing.tex cannot be read" in capsys.readouterr().err


# ---- strangers' notation -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "true", "false"), DISPLAYS, ids=[name for name, *_ in DISPLAYS])
def test_a_display_of_a_textbook_is_read_and_its_false_twin_not_proven(name, true, false):
    """No true one is called false, each is read; of a false one some step is not proven, and it is read as well."""
    told = [[step.verdict for step in steps_in(sources_in(as_tex(text), "-", "tex"))] for text in (true, false)]
    assert told[0] and not {"false", "unread"} & {*told[0]}
    assert {"false", "undecided"} & {*told[1]} and "unread" not in told[1]
    assert (name in FOUND) == ("false" in told[1])


def as_tex(text):
    """Return a display as it stands in a file of LaTeX."""
    return text if text.startswith((r"\begin{align", r"\begin{eqn", r"\begin{mul", r"\new")) else rf"\[ {text} \]"


def test_lines_that_go_on_and_brackets_over_two_lines_are_one_side(tmp_path):
    r"""\\ &\quad + c goes on; \left. and \right. print nothing, so that a bracket may close in the next line."""
    text = r"""\begin{align}
x &= \left[ a + b \right. \\
  &\quad \left. {} + c \right] \\
  &= a + b \\
  &\quad + c \tag{3}
\end{align}"""
    (tmp_path / "a.tex").write_text(text, encoding="utf-8")
    assert [(x.line, x.verdict) for x in steps(tmp_path / "a.tex")] == [(2, "undecided"), (4, "proven")]


@pytest.mark.parametrize(
    ("display", "condition"),
    [
        (
            r"\sum_{i=1}^n (x_i - \bar x)^2 = \sum_{i=1}^n x_i^2 - n \bar x^2",
            r"\bar x is the mean of x_1, .., x_n",
        ),
        (r"\sum_{i=2}^n x_i = (n - 1) \bar x", r"\bar x is the mean of x_2, .., x_n"),
        (r"\sum_{k=1}^{n-1} x_k = (n - 1) \bar x", r"\bar x is the mean of x_1, .., x_{n-1}"),
        (r"\sum_{i=1}^n \sum_{j=1}^m x_{ij} = n m \bar x", r"\bar x is the mean of x_{11}, .., x_{nm}"),
        (
            r"\sum_{i=1}^n (x_i - \bar x)(y_i - \bar y) = \sum_{i=1}^n x_i y_i - n \bar x \bar y",
            r"\bar x is the mean of x_1, .., x_n and \bar y is the mean of y_1, .., y_n",
        ),
        (
            r"(A_1 - \bar A)(B_1 - \bar B) + (A_2 - \bar A)(B_2 - \bar B) = B_1 A_1 + B_2 A_2 - 2 \bar A \bar B",
            r"\bar A is the mean of A_1, A_2 and \bar B is the mean of B_1, B_2 and A_1, A_2, B_1, B_2 are numbers",
        ),
        (r"x_1 + x_2 = 2 \overline{x}", r"\overline{x} is the mean of x_1, x_2"),
        (r"x_2 + x_3 = 3 \bar x - \bar x", r"\bar x is the mean of x_2, x_3"),
        (r"\sum_{i=1}^3 (x_i - \bar x) = \bar y - \bar y", r"\bar x is the mean of x_1, x_2, x_3"),
        (r"\sum_{i=1}^{20} x_i = 20 \bar x", r"\bar x is the mean of x_1, x_2, .., x_{20}, 20 in all"),
    ],
)
def test_a_bar_may_be_a_mean_and_the_condition_names_of_which_letters(tmp_path, display, condition):
    (tmp_path / "paper.tex").write_text(rf"\[ {display} \]", encoding="utf-8")
    (step,) = steps(tmp_path / "paper.tex")
    assert (step.verdict, step.condition) == ("proven", condition), step.why


@pytest.mark.parametrize(
    "display",
    [
        r"\bar x = x_1",
        r"x_1 + \bar x = 2 x_1",
        r"5 \bar x = x_5 + 4 \bar x",
        r"\dot x_1 + \dot x_2 = 2 \dot{\bar x}",
        r"\sum_{i=1}^n x_i + x_n = (n + 1) \bar x",
        r"\sum_{i=1}^n x_i + \sum_{i=2}^n x_i = n \bar x + \sum_{i=2}^n x_i",
        r"\sum_{i=1}^n (x_i - \bar x)(y_i - \bar y) = \sum_{i=1}^n x_i y_i - n \bar x",
        r"\sum_{i=1}^n w_i x_i = \bar x",
    ],
)
def test_a_bar_is_no_mean_where_it_is_not_clear_of_what(tmp_path, display):
    (tmp_path / "paper.tex").write_text(rf"\[ {display} \]", encoding="utf-8")
    (step,) = steps(tmp_path / "paper.tex")
    assert (step.verdict, step.condition) == ("undecided", "")


def test_what_holds_for_no_mean_is_false(tmp_path):
    display = r"\[ x_1 x_2 + \bar x = \bar x + 2 x_1 x_2 \]"
    (tmp_path / "paper.tex").write_text(display, encoding="utf-8")
    (step,) = steps(tmp_path / "paper.tex")
    assert step.verdict == "false"
