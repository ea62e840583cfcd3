r"""A step that needs that plain capitals commute is proven on the condition that they are numbers, and says so."""

import json

import jsonschema
import pytest

from eqproof.__main__ import main
from eqproof.checked_steps import steps_in
from eqproof.findings import schema
from eqproof.sources import sources_in

CONDITIONS = {  # a step that holds for numbers: what nobody said and it needs
    r"A B = B A": "A, B are numbers",
    r"(A + B)^2 = A^2 + 2 A B + B^2": "A, B are numbers",
    r"(A + B) (A - B) = A^2 - B^2": "A, B are numbers",
    r"R_1 R_2 + x = x + R_2 R_1": "R_1, R_2 are numbers",
    r"A B C = A C B": "A, B, C are numbers",
    r"e^{P + Q} = e^P e^Q": "P, Q are numbers",
    r"\exp(P) \exp(Q) = \exp(Q) \exp(P)": "P, Q are numbers",
    r"\hat x \hat y = \hat y \hat x": r"\hat x, \hat y are numbers",
    r"(A + 1)(B + 1) = A B + B + A + 1 + B A - A B": "A, B are numbers",
    r"\frac{x A B}{2} = x B A / 2": "A, B are numbers",
    r"2 \cdot A \cdot B = 2 B A": "A, B are numbers",
    r"(A \pm B)^2 = A^2 \pm 2 A B + B^2": "A, B are numbers",
    r"A B = B A + 0 C": "A, B are numbers",
    # nothing is needed
    r"(A + B)^2 = A^2 + A B + B A + B^2": "",
    r"A (B + C) = A B + A C": "",
    r"A B - 2 A B = -A B": "",
    r"A (B C) = (A B) C": "",
    r"x A = A x": "",
    r"(A + 1)(B + 1) = A B + A + B + 1": "",
    r"A^2 A^3 = A^5": "",
    r"a e^{P + Q} = e^{Q + P} a": "",
    r"e^{2 P} + A = A + e^{P + P}": "",
    r"\frac{A}{B} = A / B": "",
    r"\frac{P V}{T} = V \frac{P}{T}": "P, V are numbers",
    r"\sqrt{A} B = B \sqrt{A}": "",
    r"\sin A \cos B = \cos B \sin A": "",
    r"\hat\beta \hat\alpha = \hat\alpha \hat\beta": "",
    r"\frac{A + B}{A B} = \frac{1}{A} + \frac{1}{B}": "",
    r"P(A) P(B) = P(B) P(A)": "",
}


def told(text):
    """The steps of a text of LaTeX."""
    return list(steps_in(sources_in(text, "-", "tex")))


@pytest.mark.parametrize("line", CONDITIONS)
def test_the_condition_is_what_the_step_needs(line):
    """The letters in whose order the sides differ, and no others; none where they agree without changing an order."""
    (step,) = told(rf"\[ {line} \]")
    assert (step.verdict, step.condition) == ("proven", CONDITIONS[line]), step.why


@pytest.mark.parametrize(
    ("said", "verdict", "condition"),
    [
        ("A, B real", "proven", ""),
        ("A, B 2x2", "undecided", ""),
        ("x real", "proven", "A, B are numbers"),
        ("A real", "proven", ""),
        ("x = y^2", "proven", "A, B are numbers"),
    ],
)
def test_a_declaration_takes_the_condition_away(said, verdict, condition):
    """Of both letters or of one; one of another letter does not."""
    (step,) = told(f"% eqproof: {said}\n\\[ x A B = x B A \\]")
    assert (step.verdict, step.condition) == (verdict, condition), step.why


@pytest.mark.parametrize(
    ("line", "verdict", "condition"),
    [
        (r"\frac{2}{3} = 0.667", "proven", "0.667 is rounded"),
        (r"\frac{2}{3} = 0.7", "proven", "0.7 is rounded"),
        (r"-\sqrt 2 = -1.41", "proven", "1.41 is rounded"),
        (r"\frac{2}{3} = 0.666", "undecided", ""),
        (r"\frac{2}{3} = 0.67 x", "undecided", ""),
        (r"\frac{2}{3} = 0.65", "false", ""),
        (r"\frac{1}{4} = 0.25", "proven", ""),
        (r"2\,\mathrm{m} / 3 = 0.667", "undecided", ""),
    ],
)
def test_a_number_that_is_rounded_is_proven_on_this_condition(line, verdict, condition):
    """To half of its last digit; what is nearer than a whole one may have been rounded otherwise, and is undecided."""
    (step,) = told(rf"\[ {line} \]")
    assert (step.verdict, step.condition) == (verdict, condition), step.why


def test_a_condition_stands_in_each_output(tmp_path, capsys):
    """In the line of the step, in the last line, and in the document."""
    (tmp_path / "a.tex").write_text("\\[ A B = B A \\]\n\\[ a b = b a \\]\n", encoding="utf-8")
    assert main(["check", str(tmp_path / "a.tex")]) == 0
    first, _, last = capsys.readouterr().out.splitlines()
    assert ": proven, if A, B are numbers: A B = B A: equal" in first
    assert last == "2 proven (1 on a condition), 0 false, 0 undecided, 0 unread"
    assert main(["check", "--json", str(tmp_path / "a.tex")]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(schema()).validate(document)
    assert [x["condition"] for x in document["steps"]] == ["A, B are numbers", ""]


SAID = [  # (declarations, text with the display, a part of why it is not proven)
    ("q function of t", r"\[ (q)(t) = q t \]", "a function of t, or a factor"),
    (r"E = \frac12 m v^2", r"\[ v^\top v = v v^\top \]", "is a number in a definition"),
    (r"E = \frac12 m v^2", r"\[ \det(m v) = m v \]", "is a number in a definition"),
    ("", r"For $x = 0$ we have \[ \frac{x}{x} = 1 \]", "divides by zero"),
    ("", r"For $a = b$ we have \[ \frac{a^2 - b^2}{a - b} = a + b \]", "divides by zero"),
    ("", r"\[ \frac{x}{x} = 1, \quad x = 0 \]", "divides by zero"),
    ("", r"With $x = 0$ and $y = 1$, \[ x y / x = y \]", "divides by zero"),
]


@pytest.mark.parametrize(("said", "text", "why"), SAID)
def test_what_is_said_of_a_letter_is_kept_in_mind(said, text, why):
    """A function of t in brackets, a number that is transposed, a denominator that is zero."""
    step = told(f"% eqproof: {said}\n{text}" if said else text)[0]
    assert step.verdict == "undecided" and why in step.why, step.why


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("q function of t", r"\[ q(t) = q \]"),
        (r"E = \frac12 m v^2", r"\[ m v v = m v^2 \]"),
        ("p = 0.15; n = 400", r"\[ n p (1 - p) = 51 \]"),
        ("", r"For $x = 1$ we have \[ \frac{x}{x} = 1 \]"),
        ("", r"For $y = 0$ we have \[ \frac{x + y}{x} = 1 + \frac{y}{x} \]"),
    ],
)
def test_what_is_said_of_other_letters_stops_no_proof(said, text):
    """The same where nothing speaks against it."""
    (step,) = told(f"% eqproof: {said}\n{text}" if said else text)
    assert step.verdict == "proven", step.why


def test_a_limit_without_a_letter_is_not_read():
    r"""\lim y = y says nothing that can be compared."""
    (step,) = told(r"\[ \lim y = y \]")
    assert step.verdict in ("undecided", "unread")
