r"""What follows from lines above it: each derivation beside slips of it, of which none may follow.

That a line is used is told in a field, with its place; a step that follows holds at numbers that fit the lines above.
"""

import json

import pytest

from eqproof.__main__ import main
from eqproof.checked_steps import steps_in
from eqproof.findings import Used
from eqproof.sources import sources_in

FOLLOWS = "follows by lines above"


def last_step(*lines, kind="tex"):
    """The last step of a text with these lines."""
    return list(steps_in(sources_in("\n".join(lines), "-", kind)))[-1]


DERIVATIONS = {  # the last display follows; with the last line changed to any of these, it does not
    (r"\[ v = l \dot\theta \]", r"\[ \frac12 m v^2 = \frac12 m l^2 \dot\theta^2 \]"): (
        r"\[ \frac12 m v^2 = m l^2 \dot\theta^2 \]",
        r"\[ \frac12 m v^2 = \frac12 m l \dot\theta^2 \]",
        r"\[ \frac12 m v^2 = -\frac12 m l^2 \dot\theta^2 \]",
        r"\[ \frac12 m v^2 = \frac12 m l^2 \ddot\theta^2 \]",
    ),
    (r"\[ F = m a \]", r"\[ a = \frac{F}{m} \]"): (
        r"\[ a = \frac{m}{F} \]",
        r"\[ a = F m \]",
        r"\[ a = -\frac{F}{m} \]",
    ),
    (r"\[ m x + k y = F \]", r"\[ x = \frac{F - k y}{m} \]"): (
        r"\[ x = \frac{F + k y}{m} \]",
        r"\[ x = \frac{F - k}{m} \]",
        r"\[ x = F - k y \]",
    ),
    (r"\[ v = r w \]", r"\[ w = 2 \pi f \]", r"\[ m v^2 = 4 \pi^2 m r^2 f^2 \]"): (
        r"\[ m v^2 = 4 \pi m r^2 f^2 \]",
        r"\[ m v^2 = 2 \pi^2 m r^2 f^2 \]",
        r"\[ m v^2 = 4 \pi^2 m r f^2 \]",
    ),
    (r"where $k = \frac{2 \pi}{L}$ holds", r"\[ k^2 A = \frac{4 \pi^2 A}{L^2} \]"): (
        r"\[ k^2 A = \frac{2 \pi^2 A}{L^2} \]",
        r"\[ k^2 A = \frac{4 \pi^2 A}{L} \]",
    ),
    (r"\[ \mu = 1100 \]", r"\[ \sigma = 200 \]", r"\[ \frac{x - \mu}{\sigma} = \frac{x - 1100}{200} \]"): (
        r"\[ \frac{x - \mu}{\sigma} = \frac{x - 1100}{220} \]",
        r"\[ \frac{x - \mu}{\sigma} = \frac{x + 1100}{200} \]",
    ),
}
PAIRS = [(lines, slip) for lines, slips in DERIVATIONS.items() for slip in slips]


@pytest.mark.parametrize("lines", DERIVATIONS, ids=lambda lines: lines[-1])
def test_a_step_follows_by_the_lines_above_it(lines):
    """Each of them is named: without any one it stays undecided."""
    step = last_step(*lines)
    assert step.verdict == FOLLOWS, step
    assert step.rests_on == tuple(Used(None, i) for i in range(1, len(lines)))
    for i in range(len(lines) - 1):
        assert last_step(*lines[:i], "", *lines[i + 1 :]).verdict == "undecided"


@pytest.mark.parametrize(("lines", "slip"), PAIRS, ids=[slip for _, slip in PAIRS])
def test_a_slip_does_not_follow(lines, slip):
    """Nor is it proven."""
    assert last_step(*lines[:-1], slip).verdict in ("undecided", "false")


@pytest.mark.parametrize(("lines", "slip"), PAIRS[:8], ids=[slip for _, slip in PAIRS[:8]])
def test_what_stands_below_does_not_help(lines, slip):
    """A later line that says the same as a slip comes too late."""
    text = "\n".join([*lines[:-1], slip, lines[-1]])
    assert next(iter([*steps_in(sources_in(text, "-", "tex"))][-2:])).verdict != FOLLOWS


@pytest.mark.parametrize(
    "lines",
    [
        (r"If \[ x = y \] then", r"\[ x s = y s \]"),
        (r"Suppose that \[ x = y \]", r"\[ x s = y s \]"),
        (r"At the wall, \[ x = y \]", r"\[ x s = y s \]"),
        (r"\[ f = 0 \quad \text{at } x = L \]", r"\[ x s = L s \]"),
        (r"\[ x = y \]", r"\section{Another}", r"\[ x s = y s \]"),
        (r"\[ x = y \]", r"\begin{example}", r"\[ x s = y s \]"),
        (r"\[ x s = y s t \]", r"\begin{proof}", r"\[ x = y t \]"),
        (r"\[ x s = y s t \]", "", r"**Proof:** So", r"\[ x = y t \]"),
        (r"\[ F = m a \]", r"\[ F = m a \]"),
        (r"\[ F = m a \]", r"\[ m a = F \]"),
        (r"\[ x = z \]", r"\[ x = y \]", r"\[ x s = z t + x s - y t \]"),
        (r"\[ v = 0 \]", r"\[ E + m v^2 = E \]"),
        (r"\[ n = 2 \]", r"\[ x^n = n x + x^2 - 2 x \]"),
        (r"\[ x = x + y \]", r"\[ s y + x = x \]"),
        (r"\[ x := x + y \]", r"\[ y = 3 z \]"),
        (r"\[ a_i = 2 i \]", r"\[ \sum_{i=1}^n a_i = n^2 \]"),
        (r"\[ A = y^2 \]", r"\[ \int_0^1 A\,dy = A \]"),
        (r"\[ \mathbf a = \mathbf b \]", r"\[ \mathbf a \cdot \mathbf c = \mathbf c \cdot \mathbf b \]"),
        (r"\[ x \pm y = z \]", r"\[ x + y = z \]"),
        (r"\[ D = x y \]", r"\[ D f = y x f \text{ modulo } 3 \]"),
    ],
    ids=lambda lines: lines[-1],
)
def test_what_is_supposed_redefined_or_degenerate_is_not_used(lines):
    """A condition, another section, an older meaning, zeros, indices, letters that are bound, both signs."""
    assert last_step(*lines).verdict != FOLLOWS


SLIP = r"\[ x s = y s \]"  # what holds only where the line above does
UNDER_A_CONDITION = [
    (r"In the steady state, \[ x = y \]", SLIP),
    (r"Neglecting friction, \[ x = y \]", SLIP),
    (r"Before the impact \[ x = y \]", SLIP),
    (r"As long as the contact holds, \[ x = y \]", SLIP),
    (r"Students often write \[ x = y \]", SLIP),
    (r"It would be convenient to have \[ x = y \]", SLIP),
    (r"We want to show that \[ x = y \]", SLIP),
    (r"\[ x = y \] which holds only without slip.", SLIP),
    (r"\[ x = y \] if the ground is flat.", SLIP),
    (r"\[ x = y \]", "", "This holds only in vacuum.", SLIP),
    (r"\[ x = y \]", "This is wrong by a factor of two.", SLIP),
    (r"\[ x = y \quad (t < 1) \]", SLIP),
    (r"\[ x = y \quad \text{only for a circle} \]", SLIP),
    (r"\[ x = y \]", r"From here on, $x$ stands for the acceleration.", SLIP),
    (r"\[ x = y \]", r"In what follows, $x$ denotes the probability of success.", SLIP),
    (r"\[ x = y \]", r"Let $x$ now be the number of samples.", SLIP),
    (r"\[ x = y \]", "", r"Now to optics. Here $x$ is the index of refraction.", SLIP),
    (r"\[ x = y \]", r"We denote by $x$ the temperature.", SLIP),
    (r"\[ x = y \]", r"\[ x \leftarrow x + 1 \]", SLIP),
    (r"\[ k x = k y \]", r"\[ k = 0 \]", r"\[ x = y \]"),
    (r"\[ (a - b) x = (a - b) y \]", r"\[ a = b \]", r"\[ x = y \]"),
]


@pytest.mark.parametrize("lines", UNDER_A_CONDITION, ids=lambda lines: " ".join(lines[:-1]))
def test_what_holds_under_a_condition_or_of_another_letter_is_not_used(lines):
    """Words around a line, a bracket in it, a letter that means something else since, division by what is zero."""
    assert last_step(*lines).verdict != FOLLOWS


@pytest.mark.parametrize(
    "said",
    [
        r"where $x$ is the speed of the mass and $y$ that of the load. So",
        "The energy is",
        r"for all $s$. After dividing by the mass we have",
        r"Here $x$ is the mass. Substituting,",
        r"and hence, from \eqref{eq:a},",
        "% a comment on the case\nwhich gives",
    ],
)
def test_neutral_words_leave_a_line(said):
    """Connectives, names of quantities, references, and what a letter is called right behind its equation."""
    assert last_step(r"\[ x = y \]", said, SLIP).verdict == FOLLOWS


NAMED_BETWEEN = [  # in front of a line, and between it and the step: another frame, case, mode, approximation, caption, item
    ("In the rest frame", "In the lab"),
    ("Classically", "Relativistically"),
    ("With no damping", "With damping"),
    ("Mode one", "Mode two"),
    ("On the boundary", "and inside, the flux is"),
    ("To leading order", "Exactly"),
    ("Figure 2: block on ice, with", "Figure 3: block on sand."),
    ("- uniform load:", "- triangular load:"),
    ("1. The force is", "2. The force is"),
    ("In SI units", "In Gaussian units"),
    ("Hooke's law reads", "Coulomb's law reads"),
    ("With $n = 1$ we have", "With $n = 2$ we have"),
    ("The momentum is", "For $v > c$ the momentum is"),
    ("The force is", r"\section*{Then}"),
    ("The speed is", "The wheel begins to slip. The power is"),
    ("The speed is", "The power is measured in the lab. Hence"),
    ("The speed is", "This is the moment of inertia about the end. The energy is"),
    ("The speed is", r"\footnote{in air} so"),
    ("The speed is", "without using more than its definition. Therefore"),
    ("From the left the current is", "From the right the current is"),
    ("In the field the force is", "so the force is"),
    ("Given the force", "we have"),
    ("It may be that", "so"),
    ("The speed is", "| so | then |"),
    ("The speed is", "where $x$ is the speed in the lab. So"),
    ("The speed is", r"\(x < 0\) gives"),
    ("The speed is", "where $x$ is the radius. With $n = 2$ it follows that"),
    ("The speed is", "\nHere $x$ is the index of refraction. Hence"),
    ("The speed is", "so\n\nIn the lab"),
    ("In the lab", "so"),
    ("The following is seen in the lab.", "so"),
]


@pytest.mark.parametrize(("before", "between"), NAMED_BETWEEN, ids=[" / ".join(x) for x in NAMED_BETWEEN])
def test_words_with_content_part_a_line_from_the_step(before, between):
    """The step is undecided, and the sentence names the line, the words and the way on."""
    for kind in ("tex", "md"):
        step = last_step(before, r"$$ x = y $$", between, "$$ x s = y s $$", kind=kind)
        assert step.verdict == "undecided", step
        assert "follows with line 2 only if these words leave" in step.why and "in one display" in step.why


@pytest.mark.parametrize(
    "display",
    [
        r"\[ x = y \tag{in the inertial frame} \]",
        r"\[ x = y \quad \text{noise free} \]",
        r"\[ x = y \quad \text{(isothermal)} \]",
    ],
)
def test_words_in_a_display_are_read_as_those_beside_it(display):
    """A number, the name of a quantity and an index are none."""
    assert last_step(display, "so", SLIP).verdict == "undecided"
    for plain in (r"\[ x = y \tag{3} \]", r"\[ x = y \quad \text{(energy)} \]"):
        assert last_step(plain, "so", SLIP).verdict == FOLLOWS
    index = r"\[ x_{\text{box}} = y \]", "so", r"\[ x_{\text{box}} s = y s \]"
    assert last_step(*index).verdict == FOLLOWS


def test_words_in_a_display_part_its_own_lines():
    """Two cases in rows of one display."""
    rows = r"\begin{align} x &= y & &\text{WORDS} \\ x s &= y s \end{align}"
    assert last_step(rows.replace("WORDS", "energy")).verdict == FOLLOWS
    assert last_step(rows.replace("WORDS", "in the lab")).verdict == "undecided"


def test_a_comment_in_markdown_hides_its_own_line_alone():
    """Words behind it still part."""
    lines = "$$ x = y $$", "% a remark", "In the lab", "$$ x s = y s $$"
    assert last_step(*lines, kind="md").verdict == "undecided"
    assert last_step(*lines[:2], "so", lines[3], kind="md").verdict == FOLLOWS


def test_what_a_letter_of_a_line_is_right_behind_it_is_used():
    """Where it says so."""
    step = last_step(r"\[ v = r w \]", r"where $w = 2 \pi f$. Then", r"\[ m v = 2 \pi f m r \]")
    assert step.verdict == FOLLOWS and len(step.rests_on) == 2


def test_words_at_the_end_of_a_cell_count():
    """What a cell of a notebook says behind its last display, or before a cell that begins with one, stands between."""
    for middle in ("In the lab", "so"):
        cells = ["$$ x = y $$", middle, "$$ x s = y s $$"]
        notebook = {"cells": [{"cell_type": "markdown", "source": [x], "metadata": {}} for x in cells]}
        step = last_step(json.dumps(notebook | {"nbformat": 4, "nbformat_minor": 5, "metadata": {}}), kind="ipynb")
        assert (step.verdict == FOLLOWS) == (middle == "so")


def test_a_cached_verdict_is_of_the_meaning_of_its_letters(tmp_path, monkeypatch, capsys):
    """A sentence that gives a letter another meaning changes what is kept of the displays below it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    file = tmp_path / "a.tex"
    told = []
    for said in ("", "From here on, $x$ stands for the acceleration.", ""):
        file.write_text(f"\\[ x = y \\]\n{said}\n{SLIP}\n", encoding="utf-8")
        main(["check", "--json", str(file)])
        told.append(json.loads(capsys.readouterr().out)["steps"][-1]["verdict"])
    assert told == [FOLLOWS, "undecided", FOLLOWS]


def test_a_false_line_is_not_used():
    """A line that is false as an identity proves nothing."""
    step = last_step(r"\[ (a + b)^2 = a^2 + b^2 \]", r"\[ \frac{(a + b)^2 - a^2 - b^2}{a} + c = c \]")
    assert step.verdict != FOLLOWS


def test_a_line_that_is_solved_has_a_condition():
    """It is divided by what may be zero."""
    step = last_step(r"\[ x y = z \]", r"\[ x = \frac{z}{y} \]")
    assert (step.verdict, step.condition) == (FOLLOWS, "y is not 0")
    assert ", if y is not 0: " in str(step) and "with line 1" in str(step)
    step = last_step(r"\[ a x + b x = z \]", r"\[ x = \frac{z}{a + b} \]")
    assert step.condition == "a + b is not 0"
    step = last_step(r"\[ x p(y) = z \]", r"\[ x = \frac{z}{p(y)} \]")
    assert step.condition == "what the line is divided by is not 0"


def test_a_chain_uses_its_own_first_lines():
    """E = A, E = B: then A = B follows, in one display and in two."""
    lines = r"\begin{align} E &= p c \\ E &= h f \end{align}", r"\[ p c = h f \]"
    assert last_step(*lines).verdict == FOLLOWS
    assert last_step(r"\[ F = m a, \qquad a = \frac{v}{t}, \qquad F = \frac{m v}{t} \]").verdict == FOLLOWS


def test_the_latest_line_on_a_letter_counts():
    """x = z, then x = y: what held for the first x alone does not follow."""
    lines = r"\[ x = z^2 \]", r"\[ x = y^2 \]"
    assert last_step(*lines, r"\[ x s = s y^2 \]").rests_on == (Used(None, 2),)
    assert last_step(r"\[ x = 3 y \]", r"\[ x = 4 y \]", r"\[ x + s = 3 y + s \]").verdict != FOLLOWS


def test_cells_of_a_notebook_are_one_text():
    """The place of a line above tells its cell."""
    cells = [r"$$ v = l w $$", r"$$ m v^2 = m l^2 w^2 $$"]
    notebook = {
        "cells": [{"cell_type": "markdown", "source": [x], "metadata": {}} for x in cells],
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {},
    }
    step = last_step(json.dumps(notebook), kind="ipynb")
    assert step.verdict == FOLLOWS and step.rests_on == (Used(0, 1),) and "line 1 of cell 0" in str(step)


def test_a_kept_verdict_is_of_the_lines_above_it(tmp_path, monkeypatch, capsys):
    """With another line above, the same display is judged anew; without a change, it is kept with its places."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    file = tmp_path / "a.tex"
    told = []
    for line in (r"\[ v = l w \]", r"\[ v = l w \]", r"\[ v = 3 l w \]"):
        file.write_text(f"{line}\n\\[ m v^2 = m l^2 w^2 \\]\n", encoding="utf-8")
        assert main(["check", "--json", str(file)]) == 0
        step = json.loads(capsys.readouterr().out)["steps"][-1]
        told.append((step["verdict"], step["rests_on"]))
    assert told == [(FOLLOWS, [{"cell": None, "line": 1}])] * 2 + [("undecided", [])]


def test_numbers_in_sentences_are_used_unless_they_are_supposed():
    """A mean of 1100 and a deviation of 200, in the sentence; not behind if, for or at."""
    step = r"\[ \frac{x - \mu}{\sigma} = \frac{x - 1100}{200} \]"
    assert last_step(r"with $\mu = 1100$ and $\sigma = 200$ we have", step).verdict == FOLLOWS
    assert last_step(r"if $\mu = 1100$ and $\sigma = 200$, then", step).verdict != FOLLOWS
    assert last_step(r"with $\mu = 1110$ and $\sigma = 200$ we have", step).verdict != FOLLOWS


@pytest.mark.parametrize(
    ("right", "told"),
    [
        (r"\frac{1190 - 1100}{200}", r"holds with numbers put in, x = 1190, \mu = 1100, \sigma = 200: declare them"),
        (r"\frac{1190 + 1100}{200}", "declare what"),
        (r"\sqrt{\frac{1190 - 1100}{200}}", "declare what"),
    ],
)
def test_numbers_that_are_put_in_are_told(right, told):
    """What one line of declaration decides; another form is not told so."""
    step = last_step(rf"\[ Z = \frac{{x - \mu}}{{\sigma}} = {right} \]")
    assert step.verdict == "undecided" and told in step.why
    step = last_step(r"\[ \frac{x - y}{x} = \frac{3 - 2}{4} \]")
    assert "put in, " not in step.why
