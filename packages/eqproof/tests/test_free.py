"""`eqproof check FILE` compares the steps of derivations with no declaration, and says where and why it cannot."""

import json

import pytest

from eqproof.__main__ import main
from eqproof.free import steps

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
    r"\sqrt{x^2} = x": ("false", "as an identity; 1.0 is not -1.0, where x = -1"),
    r"(x-y)^2 = x^2 - y^2": ("false", "as an identity; 1.0 is not -1.0, where x = 0, y = 1"),
    r"(a + b + c)^2 = a^2 + b^2 + c^2 + 2 a b + 2 a c": ("false", "is not "),
    r"\frac{1}{a} + \frac{1}{b} = \frac{2}{a + b}": ("false", "2.0 is not 1.0, where a = 1, b = 1"),
    r"E = \frac{1}{2} m v^2": ("undecided", "declare what E stands for"),
    r"m \ddot x = -k x": ("undecided", r"declare what \ddot x, k, m, x stands for"),
    r"x^2 + y^2 = 1": ("undecided", "declare what x, y stands for"),
    r"\boldsymbol A \boldsymbol x = \boldsymbol b": ("undecided", r"\boldsymbol A needs a declaration of its size"),
    r"\sum_{i=1}^n i = \frac{n(n+1)}{2}": ("undecided", "needs a declaration of the number to which it counts"),
    r"\sum_{i=1}^3 a_i = b": ("undecided", "a_i needs a declaration of its entries"),
    r"\frac{d}{dx} (x^2) = 2 x": ("undecided", "needs a declaration of what varies"),
    r"f(x) = x^2": ("undecided", "bind it as a field, or drop them"),
    r"x \le y": ("undecided", r"only = is compared without declarations, here stands \le"),
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
    places = [line.removeprefix(f"{paper}:").split(": ")[:2] for line in lines[:-1]]
    assert places == [
        ["6:14", "proven"],
        ["7:14", "proven"],
        ["8:14", "false"],
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
        ("\\begin{align}\nx &= x + 1 \\label{eq:x} \\\\\n&= x + 1 \\label{eq:y}\n\\end{align}", [(2, 6), (3, 4)]),
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
    records = json.loads(capsys.readouterr().out)
    assert [(x["line"], x["column"], x["verdict"]) for x in records] == [(5, 10, "proven"), (2, 10, "false")]
    assert records[1]["file"] == f"{bad}#1" and records[1]["left"] == "2 a" and records[1]["right"] == "3 a"
    assert main(["check", str(tmp_path / "missing.tex")]) == 2
    assert "missing.tex cannot be read" in capsys.readouterr().err
