r"""What an author says of letters in comments or in a file of its own, for `eqproof check`: what is proven, false and undecided then."""

import json

import pytest

from eqproof import cache, checked_steps, sources
from eqproof.__main__ import main

SAID = r"""
m, l positive; a, b real; w nonzero; \theta function of t; n integer 1..6
v = l \dot\theta; T = \frac12 m v^2
A 3x3 symmetric; S 3x3 skew; D 3x3 diagonal; P 2x2 positive definite; R 3x3 rotation; I 3x3 identity; B, C 3x3; O 3x3 zero
x, y 3-vector; p 3-vector function of t
L = \frac12 \dot p^\top \dot p
"""


def verdict(tmp_path, display, said=SAID):
    """The steps of a display behind declarations."""
    lines = "\n".join(f"% eqproof: {line}" for line in said.strip().splitlines())
    path = tmp_path / "paper.tex"
    path.write_text(f"{lines}\n\\[ {display} \\]\n", encoding="utf-8")
    return checked_steps.steps(path)


@pytest.mark.parametrize(
    "display",
    [
        r"T = \frac12 m l^2 \dot\theta^2",
        r"\dot v = l \ddot\theta",
        r"\dot T = m l^2 \dot\theta \ddot\theta",
        r"\frac{d}{dt} (m l^2 \dot\theta) = m l^2 \ddot\theta",
        r"\frac{d}{dt} \sin\theta = \dot\theta \cos\theta",
        r"\theta(t)^2 - \theta^2 = 0",
        r"\frac{\partial T}{\partial \dot\theta} = m l^2 \dot\theta",
        r"\frac{d}{dt} \frac{\partial T}{\partial \dot\theta} = m l^2 \ddot\theta",
        r"\int_0^1 m s \, ds = \frac m2",
        r"\sqrt{m^2} = m",
        r"\sqrt{m^2 l^2} = m l",
        r"\ln (m l) = \ln m + \ln l",
        r"w / w = 1",
        r"\sum_{k=1}^{n} k = \frac{n (n+1)}{2}",
        r"(-1)^{2n} = 1",
        r"x^\top A y = y^\top A x",
        r"x^\top S x = 0",
        r"\operatorname{tr}(B C) = \operatorname{tr}(C B)",
        r"(B C)^\top = C^\top B^\top",
        r"(B C)^{-1} = C^{-1} B^{-1}",
        r"R^\top R = I",
        r"\det R = 1",
        r"B + O = B",
        r"R (x \times y) = (R x) \times (R y)",
        r"\frac{d}{dt} (p^\top p) = 2 p^\top \dot p",
        r"\dot L = \ddot p^\top \dot p",
        r"\frac{d}{dt} (p \times \dot p) = p \times \ddot p",
        r"P^\top = P",
        r"\sqrt{\det P} \sqrt{\det P} = \det P",
    ],
)
def test_what_follows_from_declarations_is_proven(tmp_path, display):
    (step,) = verdict(tmp_path, display)
    assert step.verdict == "proven", step.why
    assert step.why.endswith("as declared")


@pytest.mark.parametrize(
    "display",
    [
        r"T = \frac12 m l \dot\theta^2",
        r"T = m l^2 \dot\theta^2",
        r"\dot v = l \dot\theta + (l - 1) \ddot\theta - l \dot\theta + 2 \ddot\theta",
        r"\sqrt{a^2} = a",
        r"\sqrt{m^2} = -m",
        r"\sum_{k=1}^{n} k = \frac{n (n-1)}{2}",
        r"(-1)^{n} = 1",
        r"x^\top B y = y^\top B x",
        r"\det S = 1 + \det S",
        r"\dot L = \dot p^\top \dot p - \dot p^\top \dot p + 2 \ddot p^\top \dot p",
        r"\frac{d}{dt} (p^\top p) = p^\top \dot p",
        r"x \times y = y \times x",
    ],
)
def test_what_contradicts_declarations_is_false(tmp_path, display):
    (step,) = verdict(tmp_path, display)
    assert step.verdict == "false", step.why


@pytest.mark.parametrize(
    ("display", "asked"),
    [
        (r"F = m \ddot\theta", "F"),  # a law
        (r"\ddot\theta = -a \sin\theta", r"\ddot\theta"),  # an equation of motion
        (r"\dot T = 0", r"\dot T"),  # true along motions without a force
        (r"a^2 = b + 1", "a"),  # to be solved
        (r"T = E_0", "E_0"),
        (r"\dot m = 0", "a rate"),  # nobody said that it varies
        (r"\dot x = 0", "a rate"),
        (r"\sum_{k=1}^{3} m c_k = 3 m c_k", "c_k"),  # as many letters as k counts
        (r"m c_n = c_n m", "c_n"),
        (r"\frac{d}{dz} (m f) = 0", "does not show its letter"),
        (r"\int_0^1 m f \, dz = m f", "does not show its letter"),
        (r"\frac{\partial T}{\partial z} = 0", "does not show its letter"),
        (r"\nabla m = 0", "nabla"),
        (r"\dot u = a", r"\dot u"),
        (r"A D = D A", "may be said of its matrices"),
        (r"B C = C B", "may be said of its matrices"),
        (r"B^2 = B", "may be said of its matrices"),
        (r"R R = I", "R"),  # half a turn
        (r"Q x = x", "Q"),  # a number, or a matrix?
        (r"R^\top R = 1", "another size"),
        (r"\boldsymbol z = x", "its size"),
        (r"\ln (a b) = \ln a + \ln b + \ln c - \ln c + 1", "c"),
    ],
)
def test_what_declarations_do_not_decide_says_what_is_missing(tmp_path, display, asked):
    (step,) = verdict(tmp_path, display)
    assert step.verdict == "undecided" and asked in step.why, step.why


OTHERWISE = [  # (declarations, display): not what is declared, and nothing that may be called proven
    (r"q function of t", r"q(t - \tau) = q(t)"),
    (r"q function of t", r"q(2t) = q(t)"),
    (r"q function of t", r"q(0) = q"),
    (r"q function of t", r"\frac{q(t+h) - q(t)}{h} = 0"),
    (r"q function of t", r"\frac{d}{dt} q(t^2) = \dot q"),
    (r"q function of t", r"\sum_{k=0}^{3} q(t - k) = 4 q"),
    (r"x 2-vector function of t", r"x(t+1) = x(t)"),
    (r"q function of t", r"\lim_{t \to 0} q = q"),
    (r"q function of t", r"\left. q \right|_{t=0} = q"),
    (r"q function of t", r"\sum_{t=1}^3 q = 3 q"),
    (r"q function of t; E = q^2", r"\lim_{t \to 0} E = E"),
    (r"x positive", r"\int_{-1}^1 |x| \, dx = 0"),
    (r"x positive", r"\lim_{x \to -1} |x| = -1"),
    (r"x negative", r"\int_0^1 \sqrt{x^2} \, dx = -\frac12"),
    (r"a_k = k^2", r"\sum_{k=1}^3 a_k = 3 k^2"),
    (r"c = k", r"\sum_{k=1}^3 c = 3 k"),
    (r"a positive", r"a x^\top y = a y x^\top"),
    (r"a positive", r"a \det(A B) = a A B"),
    (r"\sigma positive", r"\sigma^2 (X^\top X)^{-1} = \sigma^2 X^{-1} X^{-\top}"),
    (r"x 3-vector", r"c^\top x = x c^\top"),
    (r"x, y 3-vector", r"x' y = y x'"),
    (r"a positive", r"y'y a = y y' a"),
    (r"x 3-vector; A 3x3", r"\hat c A = A \hat c"),
    (r"x, y real", r"d(xy) = x y d"),
    (r"V = \frac12 k x^2", r"dV = k x \, dx"),
    (r"x real; V = \frac12 k x^2", r"V(x+a) = V x + V a"),
    (r"V = k x", r"\mathbb E V = V"),
    (r"n integer 1..4", r"\int_0^1 n \, dn = \frac12"),
]


OTHERWISE += [  # what was said of a letter stayed where it was declared once more; values of a function at other places
    (r"n integer 1..3; 0 < n < 1", r"n (n - 1)(n - 2)(n - 3) = 0 n"),
    (r"n integer 1..3; n = a^2", r"n^3 - 6 n^2 + 11 n - 6 = 0 a"),
    (r"q function of t", r"q(t)(t) = q"),
    (r"f(x) = x^2", r"f(x) + f(-x) = 2 x^2"),
    (r"f(x) = x^2", r"f(x) f(2) = 4 x^2"),
    (r"G(s) = \frac1s; H = G(s); forget G", r"H = \frac 1s"),
    (r"p = a^2; s = p + 1; forget p", r"s = a^2 + 1"),
    (r"x function of t; V = \dot x^2; forget x; x function of t", r"V = \dot x^2"),
    (r"x function of t; a real; \dot x = a x; forget a", r"\dot x = a x"),
    (r"x, y function of t; \dot y = x; forget x", r"\dot y = x"),
]
OTHERWISE += [  # nothing says how V(x) varies with x: it is no constant of a derivative, an integral or a rate
    ("x, V(x) real", r"\frac{\partial}{\partial x} (x V(x)) = V(x)"),
    ("G(s) real", r"\int_0^1 s G(s) ds = \frac{G(s)}{2}"),
    ("a real", r"\int_0^1 a s\, G(s)\, ds = \frac{a}{2} G(s)"),
    (r"x function of t; \dot x = -x; V(x) real", r"\frac{d}{dt} (x V(x)) = -x V(x)"),
    (r"x function of t; \dot x = -x", r"\frac{d}{dt} (x e^{V(x)}) = -x e^{V(x)}"),
    (r"x function of t; V(\dot x) real", r"\frac{d}{dt} (x V(\dot x)) = \dot x V(\dot x)"),
    (r"x function of t; V(x) real; E = x V(x)", r"\dot E = \dot x V(x)"),
    (r"x function of t; V(x) real; E = x V(x)", r"\frac{\partial E}{\partial x} = V(x)"),
    (r"x function of t; V(x) real; \dot x = 2 V(x)", r"\ddot x = 0 x"),
    (r"q function of t; L = \frac12 m \dot q^2 - V(q)", r"\dot L = m \dot q \ddot q"),
    (r"q function of t; L = \frac12 m \dot q^2 - q V(q)", r"\frac{\partial L}{\partial q} = -V(q)"),
    (
        r"x function of t; \operatorname{E}[x] real",
        r"\frac{d}{dt} (x \operatorname{E}[x]) = \dot x \operatorname{E}[x]",
    ),
]


@pytest.mark.parametrize(("said", "display"), OTHERWISE)
def test_other_times_and_bound_letters_are_not_what_is_declared(tmp_path, said, display):
    """An outsider found these: a function at another time was the function itself, a bound letter kept its sign."""
    (step,) = verdict(tmp_path, display, said)
    assert step.verdict == "undecided", step.why


ROOTS = [  # true where i or j is the root of -1, and so not false
    (r"a real", r"e^{ia} = \cos a + i \sin a"),
    (r"a, b real", r"(a + ib)^2 = a^2 + 2iab - b^2"),
    (r"z = a + i b", r"z^2 = a^2 - b^2 + 2iab"),
    (r"G = \frac{1}{1 + j\omega}", r"G = \frac{1 - j\omega}{1 + \omega^2}"),
]


@pytest.mark.parametrize(("said", "display"), ROOTS)
def test_what_holds_for_the_root_of_minus_one_is_not_false(tmp_path, said, display):
    (step,) = verdict(tmp_path, display, said)
    assert step.verdict == "undecided" and "root of -1" in step.why, step.why


WRITTEN = [  # as authors also write
    r"%  EQPROOF : x > 0",
    r"% eqproof x \in \mathbb R; x positive.",
    r"Text. % eqproof: x positive % a length",
    r"% % eqproof: x and y positive",
    "%% eqproof: x is positive,",
]


@pytest.mark.parametrize("comment", WRITTEN)
def test_a_comment_that_begins_with_eqproof_is_never_passed_over(tmp_path, comment):
    path = tmp_path / "paper.tex"
    path.write_text(f"{comment}\n\\[ \\sqrt{{x^2}} = x \\]\n", encoding="utf-8")
    assert [step.verdict for step in checked_steps.steps(path)] == ["proven"]


def test_a_declaration_in_a_display_holds_for_it_and_one_that_is_printed_for_nothing(tmp_path):
    path = tmp_path / "paper.tex"
    root = "\\[\n% eqproof: x positive\n\\sqrt{x^2} = x \\]\n"
    path.write_text(root, encoding="utf-8")
    assert [step.verdict for step in checked_steps.steps(path)] == ["proven"]
    printed = "\\begin{verbatim}\n% eqproof: x positive\n\\end{verbatim}\n\\iffalse\n% eqproof: x positive\n\\fi\n"
    path.write_text(printed + "\\[ \\sqrt{x^2} = x \\]\n\\end{document}\n% eqproof: no declaration\n", encoding="utf-8")
    assert [step.verdict for step in checked_steps.steps(path)] == ["undecided"]


def test_what_is_ordinary_print_is_read(tmp_path):
    said = r"\theta, x function of t; M 2x2 symmetric function of t; q 2-vector function of t; m, l, g, c real; \mathbf r 3-vector function of t"
    shown = [
        r"\dot\theta (l \ddot\theta + g \sin\theta) = l \dot\theta \ddot\theta + g \dot\theta \sin\theta",
        r"\dot x (-c \dot x) = -c \dot x^2",
        r"\frac{d}{dt} (\dot q^\top M \dot q) = 2 \dot q^\top M \ddot q + \dot q^\top \dot M \dot q",
        r"q q^\top - (q q^\top)^\top = 0",
    ]
    for display in shown:
        (step,) = verdict(tmp_path, display, said)
        assert step.verdict == "proven", step.why
    said += r"; \mathbf L = m \mathbf r \times \dot{\mathbf r}"
    (step,) = verdict(tmp_path, r"\dot{\mathbf L} = m \mathbf r \times \ddot{\mathbf r}", said)
    assert step.verdict == "proven", step.why


def test_a_declared_T_is_not_taken_for_a_transpose(tmp_path):
    (step,) = verdict(tmp_path, "m^T = m", "T, m positive")
    assert step.verdict == "unread" and "may be a power or a transpose" in step.why


def test_too_many_cases_are_not_tried(tmp_path):
    (step,) = verdict(tmp_path, "n + m = m + n", "n, m integer 1..100")
    assert step.verdict == "undecided" and "10000 cases, at most 1000" in step.why


def test_a_declaration_holds_from_its_place_on_and_a_later_one_replaces_it(tmp_path):
    path = tmp_path / "paper.md"
    roots = "$$ \\sqrt{a^2} = a $$\n\n"
    path.write_text(
        f"{roots}<!-- eqproof: a positive -->\n\n{roots}<!-- eqproof:\na real\n-->\n\n{roots}", encoding="utf-8"
    )
    assert [step.verdict for step in checked_steps.steps(path)] == ["undecided", "proven", "false"]


def test_declarations_in_cells_of_a_notebook_and_in_restructured_text_hold(tmp_path):
    cells = [
        {"cell_type": "markdown", "source": x, "metadata": {}}
        for x in ("<!-- eqproof: a positive -->", r"$$ \sqrt{a^2} = a $$")
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "a.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    (tmp_path / "a.rst").write_text(".. eqproof: a positive\n\n.. math::\n\n   \\sqrt{a^2} = a\n", encoding="utf-8")
    for name in ("a.ipynb", "a.rst"):
        assert [step.verdict for step in checked_steps.steps(tmp_path / name)] == ["proven"]


def test_a_file_of_declarations_holds_for_all_files(tmp_path, capsys):
    (tmp_path / "said.txt").write_text("# of all pages\na positive  # a length\n", encoding="utf-8")
    for name in ("a.tex", "b.tex"):
        (tmp_path / name).write_text("\\[ \\sqrt{a^2} = a \\]\n", encoding="utf-8")
    files = [str(tmp_path / name) for name in ("a.tex", "b.tex")]
    assert main(["check", "--declare", str(tmp_path / "said.txt"), *files]) == 0
    assert capsys.readouterr().out.endswith("2 proven, 0 false, 0 undecided, 0 unread\n")


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("a posit", "no declaration: say one of"),
        ("A 3x2 symmetric", "square, got 3x2"),
        ("A 3x3 identity symmetric", "a matrix is one of"),
        ("A 9x9", "1 to 6 rows and columns, got 9x9"),
        ("R 4x4 rotation", "2x2 or 3x3"),
        ("n integer 5..1", "got 5..1"),
        ("n integer 1..1000", "at most 100"),
        (r"\dot a real", "is a rate"),
        (r"\pi real", "is known"),
        (r"A 3x3 rotation function of t", "a function of t is"),
        (r"q function of t; r = q(t - \tau)", "another time than t"),
        (r"E = \frac{p^2}{2m}; p = m v", "declare it before that"),
        ("A 3x3 symmetric, x 3-vector", "; stands between declarations"),
        ("a + b real", "is no letter"),
        ("a = a + 1", "both sides"),
        (r"E = \frac12 m \dot x^2", "is a rate: declare what it is the rate of"),
        ("1 < a < 0", "no number is above 1 and below 0"),
        (r"y 3-vector function of t; \dot y = 1", "a law gives each entry its rate, got a number for 3x1"),
        (r"y 3-vector function of t; \dot y = y^\top", "a law gives each entry its rate, got 1x3 for 3x1"),
        (r"A 2x2; P 2x2 symmetric function of t; \dot P = A P", "symmetric, and its law is not"),
        (r"q function of t; \dot q = q; \dot q = 2 q", "declare the letter once more before another"),
        (r"q function of t; \ddot q = q; \dot q = 2", "declare the letter once more before another"),
        (r"q function of t; V = \dot q^2; \dot q = q", "declare the law first"),
        (r"p, q function of t; \dot p = \dot q; \dot q = \dot p", "declare the law first"),
        ("q function of t; t positive", "declare t before that, or say forget all"),
        ("q function of t; 0 < t < 1", "declare t before that"),
        ("q function of t; t = 2", "declare t before that"),
        ("y(t) = a; forget t", "declare t before that"),
        (r"q function of t; r = q^2; \dot r = q", "is the rate of an expression"),
        (r"q function of t; \dot q = a \dot q", "both sides"),
        (r"E = \frac{1", "is not understood|unclosed|no end|brace|reads"),
    ],
)
def test_a_declaration_that_is_none_ends_in_a_sentence_with_its_line(tmp_path, capsys, said, sentence):
    path = tmp_path / "paper.tex"
    path.write_text(f"text\n% eqproof: {said}\n\\[ a = a + 1 \\]\n", encoding="utf-8")
    assert main(["check", str(path)]) == 2
    told = capsys.readouterr().err
    assert f"{path} cannot be read: line 2: " in told
    assert any(x in told for x in sentence.split("|")), told
    (tmp_path / "said.txt").write_text(f"\n{said}\n", encoding="utf-8")
    assert main(["check", "--declare", str(tmp_path / "said.txt"), str(path)]) == 2
    assert "line 2: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("said", "display", "sentence"),
    [
        ("x 3-vector", r"\frac{(x - a)^2}{s^2} = 0", "declared with a size: x; forget what is another letter here"),
        ("x 3-vector; a real", r"\frac{a}{x} = a", "declared with a size: x; forget what is another letter here"),
        (r"\omega 3-vector", r"\sin(\omega t) = t", r"declared with a size: \omega; forget"),
        (r"\zeta real", r"y = \sqrt{-1 - \zeta^2}", "declare signs, x positive, or bounds, 0 < x < 1"),
        (r"\lambda positive", r"\int_0^\infty e^{-\lambda t}\,dt = \frac{1}{\lambda}", "is not computed"),
        ("a real", r"\nabla a = 0", "write its entries"),
        ("x positive", r"\int_0^1 x\,dx = \frac12", "take another letter there, or forget it before"),
        (
            r"G(s) = \frac{1}{s}",
            r"G(s) + G = \frac 2s",
            "G is declared with its arguments: declare it without them, too",
        ),
        (r"E = a q", r"a \times b = b", "declare it before that, or forget it"),
        ("a real", r"\sum_{k=0}^n b_k a_{n-k} = \sum_{k=0}^n b_{n-k} a_{n-k}", "with n = 1 put in, the step is false"),
    ],
)
def test_an_undecided_step_says_what_can_be_done_about_it(tmp_path, said, display, sentence):
    (step,) = verdict(tmp_path, display, said)
    assert step.verdict == "undecided"
    assert sentence in step.why


CONTROL = r"""
\newcommand{\T}{^{\mathsf T}}
% eqproof: K, \tau positive; G(s) = \frac{K}{s(\tau s + 1)}
\[ \frac{G(s)}{1 + G(s)} = \frac{K}{\tau s^2 + s + K} \]           % proven
\[ \frac{G(s)}{1 + G(s)} = \frac{K}{\tau s^2 + 2 s + K} \]         % false
\[ G(2 s) = \frac{K}{2 s(2 \tau s + 1)} \]                         % undecided
% eqproof: 0 < \zeta < 1; \omega_n positive; \omega_d = \omega_n\sqrt{1-\zeta^2}
% eqproof: y(t) = 1 - e^{-\zeta\omega_n t}(\cos\omega_d t + \frac{\zeta}{\sqrt{1-\zeta^2}}\sin\omega_d t)
\[ \dot y(t) = \frac{\omega_n}{\sqrt{1 - \zeta^2}} e^{-\zeta\omega_n t} \sin\omega_d t \]  % proven
\[ \dot y(t) = \frac{\omega_n}{1 - \zeta^2} e^{-\zeta\omega_n t} \sin\omega_d t \]  % false
\[ y(0) = 0 \]                                                     % undecided
\[ \int_0^1 y(t)\,dt = 0 \]                                        % undecided
\[ \sqrt{(\zeta - 1)^2} = 1 - \zeta \]                            % proven
\[ \sqrt{(\zeta - 1)^2} = \zeta - 1 \]                            % false
% eqproof: A 3x3; B 3x2; S 3x3 symmetric; x 3-vector function of t; u 2-vector; V = x\T S x; \dot x = A x + B u
\[ \dot V = x^\top (A^\top S + S A) x + 2 u^\top B^\top S x \]      % proven
\[ \dot V = x^\top (A S + S A) x + 2 u^\top B^\top S x \]          % false
\[ \dot u = 0 \]                                                  % undecided
\[ \ddot x = A \dot x \]                                           % undecided
% eqproof: \theta function of t; g, l positive; \ddot\theta = -\frac gl \sin\theta
% eqproof: E = \frac12 l^2 \dot\theta^2 - g l \cos\theta
\[ \dot E = 0 \]                                                  % proven
\[ \frac{\partial E}{\partial\dot\theta} = l^2 \dot\theta \]       % proven
\[ \ddot\theta = \frac gl \sin\theta \]                           % false
% eqproof: X, Y real; \operatorname{Cov}(X, Y), \operatorname{E}[X] real
% eqproof: \operatorname{Var}(X + Y) = \operatorname{Var}(X) + \operatorname{Var}(Y) + 2 \operatorname{Cov}(X, Y)
\[ \operatorname{Var}(X + Y) = \operatorname{Var}(X) + \operatorname{Var}(Y) + 2 \operatorname{Cov}(X, Y) \]  % proven
\[ \operatorname{Var}(X + Y) = \operatorname{Var}(X) + \operatorname{Var}(Y) - 2 \operatorname{Cov}(X, Y) \]  % false
"""


def test_laws_of_motion_functions_and_numbers_between_two_are_declared(tmp_path):
    (tmp_path / "paper.tex").write_text(CONTROL, encoding="utf-8")
    asked = [line.rpartition("% ")[2] for line in CONTROL.splitlines() if line.startswith("\\[")]
    assert [step.verdict for step in checked_steps.steps(tmp_path / "paper.tex")] == asked


def test_what_is_forgotten_may_be_another_letter_from_there_on(tmp_path):
    text = r"""
% eqproof: p = a^2 + q; n integer 1..3; \theta function of t
% eqproof: forget a, n; a, b 3-vector
\[ a \times b = - b \times a \]        % proven
\[ 1 + p + n = p + n + 1 \]            % proven
\[ p q = p (q + 1) \]                 % false
% eqproof: forget all
\[ \dot\theta (p + q) = \dot\theta p + q \dot\theta \]  % proven
"""
    (tmp_path / "paper.tex").write_text(text, encoding="utf-8")
    steps = checked_steps.steps(tmp_path / "paper.tex")
    assert [x.verdict for x in steps] == ["proven", "proven", "false", "proven"], [x.why for x in steps]
    assert "as declared" not in steps[-1].why


@pytest.mark.parametrize(
    ("said", "display"),
    [
        (r"n integer 1..3; n_1 real; forget n_1", r"n (n - 1)(n - 2)(n - 3) = 0 n"),
        (r"p = a^2; r = a^2 + 1; forget p", r"r = a^2 + 1"),
        (r"x function of t; V(x) real; \dot x = 2 V(x)", r"\dot x + x = x + 2 V(x)"),
        (
            r"q function of t; m positive; L = \frac12 m \dot q^2 - V(q)",
            r"\frac{\partial L}{\partial \dot q} = m \dot q",
        ),
        (
            r"q function of t; m positive; L = \frac12 m \dot q^2 - V(q)",
            r"\frac{d}{dt} \frac{\partial L}{\partial \dot q} = m \ddot q",
        ),
        (r"x function of t; f(y) real", r"\frac{d}{dt} (x f(y)) = \dot x f(y)"),
        (r"f(x) = x^2", r"\int_0^1 f(x) dx = \frac13"),
        (r"G(s) = \frac1s; forget G(s)", r"a (1 + G) = a + a G"),
        (r"x 2-vector function of t; \dot x = \mathbf 0", r"\dot x = 0"),
        (r"A 2x2; P 2x2 symmetric function of t; \dot P = A P + P A^\top", r"\dot P = A P + P A^\top"),
    ],
)
def test_what_is_said_of_others_stays(tmp_path, said, display):
    (step,) = verdict(tmp_path, display, said)
    assert step.verdict == "proven", step.why


@pytest.mark.parametrize(
    ("said", "display"),
    [
        (r"x function of t; \dot x = x^2", r"\frac{d}{dt} |x| = x^2"),
        (r"x function of t; \dot x = x^2", r"\frac{d}{dt} \frac{1}{x} = 1"),
        (r"x function of t; \ddot x = -x", r"\frac{d^3}{dt^3} x = \dot x"),
        (r"x, y function of t; \dot x = y", r"x^2 + y^2 + \dot x = x^2 + 2 y^2"),
        (r"x, y function of t; \dot x = y", r"\dot x = -y"),
    ],
)
def test_numbers_that_show_a_false_step_obey_the_law(tmp_path, said, display):
    """Whole numbers for x and for its rate would contradict the law: random ones of what is free are told."""
    (step,) = verdict(tmp_path, display, said)
    assert step.verdict == "false"
    assert "the sides differ" in step.why and "where" not in step.why


def test_all_that_is_wrong_in_declarations_is_told_at_once(tmp_path, capsys):
    path = tmp_path / "paper.tex"
    path.write_text("% eqproof: a foo; b positive\n% eqproof: \\dot x = A x\n\\[ b = b \\]\n", encoding="utf-8")
    assert main(["check", str(path)]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(f"{path} cannot be read: line 1: in 'a foo'")
    assert second.startswith(r"line 2: in '\dot x = A x', \dot x is a rate")


def test_a_command_in_a_declaration_is_a_part_of_what_the_cache_knows(tmp_path):
    path, kept = tmp_path / "paper.tex", cache.Cache(tmp_path / "kept")
    display = "% eqproof: a, b positive; c = \\S\n\\[ c = a + b \\]\n"
    told = []
    for meaning in ("a + b", "a - b"):
        path.write_text(f"\\newcommand{{\\S}}{{{meaning}}}\n{display}", encoding="utf-8")
        told += [x.verdict for x in checked_steps.steps_in(sources.sources(path), cache=kept)]
    assert told == ["proven", "false"]


@pytest.mark.parametrize(
    ("said", "sentence", "expected"),
    [
        (r"a positive; b = \sqrt{1 + a^2}", r"with $b = \sqrt{1 + a^2}$", "false"),
        (r"a positive; b = \sqrt{1 + a^2}", r"with $b = 1 + a$", "undecided"),
        (r"0 < a < 1; b = 1 - a", r"for $0 < a < 1$", "false"),
        (r"a positive; b = 1 - a", r"for $0 < a < 1$", "undecided"),
        (r"a real; b = 1 - a", r"for $a > 0$", "undecided"),
        (r"a positive; b = 1 - a", r"for $a > 0$", "false"),
    ],
)
def test_what_the_text_says_of_letters_is_no_doubt_where_it_is_declared(tmp_path, said, sentence, expected):
    (tmp_path / "a.md").write_text(
        f"<!-- eqproof: {said} -->\n\nWe have {sentence} that\n\n$$ a b = 2 a b + a^2 b $$\n", encoding="utf-8"
    )
    (step,) = checked_steps.steps(tmp_path / "a.md")
    assert step.verdict == expected, step.why
