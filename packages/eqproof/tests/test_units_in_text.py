r"""Units that a text says, m = 2\,\mathrm{kg}, and declares, v in m/s: a mismatch is told with its place, agreement beside the verdict."""

import json

import pytest

from eqproof import tree
from eqproof.__main__ import main
from eqproof.checked_steps import steps_in
from eqproof.sources import sources_in
from eqproof.units_in_text import dimension, dimension_of_printed, units_said

DECLARED = "% eqproof: F in N; m, M in kg; a, g in m/s^2; v, c in m/s; x, y, L in m; t in s; E, W in J; w in rad/s\n"
AGREE = [
    r"F = m a",
    r"E = \frac{1}{2} m v^2 + F x",
    r"F = m \ddot x",
    r"E = m g L (1 - \cos(w t))",
    r"v = \sqrt{2 g x}",
    r"x = v t + \frac12 a t^2",
]
DIFFER = {  # a line: the term at which it is told
    r"F = m v": "m v",
    r"E = \frac12 m v": r"\frac12 m v",
    r"E = \frac{1}{2} m v^2 + m a": "m a",
    r"F = m \dot x": r"m \dot x",
    r"x = v t + a t": "a t",
    r"v = \sqrt{2 g}": r"\sqrt{2 g}",
    r"E = m g L \cos(t)": "t",
    r"E = m v^t": "^t",
}


def last_step(text, kind="tex"):
    """The last step of a text."""
    return list(steps_in(sources_in(text, "-", kind)))[-1]


@pytest.mark.parametrize("latex", AGREE)
def test_units_that_agree_are_told(latex):
    """They prove nothing: the verdict stays."""
    step = last_step(rf"{DECLARED}\[ {latex} \]")
    assert step.verdict == "undecided" and step.why.endswith("; units agree")


@pytest.mark.parametrize("latex", DIFFER)
def test_declared_units_that_differ_are_false_at_their_place(latex):
    """The term is told with both units, and the caret stands below it."""
    text = rf"{DECLARED}\[ {latex} \]"
    step = last_step(text)
    assert step.verdict == "false" and step.why.startswith("units: "), step
    assert step.excerpt[step.column - 1 :].startswith(DIFFER[latex])


@pytest.mark.parametrize(
    "latex",
    [
        "x + t = t + x",
        "(x + t)^2 = x^2 + 2 x t + t^2",
        r"\sin^2 x + \cos^2 x = 1",
        r"\max(x, t) = \max(t, x)",
        "e^{t} e^{t} = e^{2 t}",
    ],
)
def test_declared_units_that_differ_in_what_holds_of_numbers_are_false(latex):
    """Both sides and all terms must agree; what the text alone says of a letter leaves what is proven."""
    assert last_step(rf"{DECLARED}\[ {latex} \]").verdict == "false"
    said = r"with $x = 2\,\mathrm{m}$ and $t = 3\,\mathrm{s}$"
    assert last_step(rf"{said} \[ {latex} \]").verdict == "proven"


def test_numbers_may_have_units():
    """x = 3 t, where 3 may be in m/s: told, and not false."""
    step = last_step(rf"{DECLARED}\[ x = 3 t \]")
    assert step.verdict == "undecided" and step.why.startswith("units, if its numbers have none: ")


@pytest.mark.parametrize(
    "said",
    [
        r"with $M = 3\,\mathrm{kg}$, $L = 2\,\mathrm{km}$, $g = 9.81\,\mathrm{m}/\mathrm{s}^2$, $[P] = \mathrm{N\,m}$",
        r"\[ M = 2.5~\text{g} \] \[ L = 4 \times 10^{-3}\,\mathrm{m} \] \[ g = 10\,\mathrm{m/s^2} \] \[ [P] = \mathrm{J} \]",
    ],
)
def test_units_that_a_text_says_are_told(said):
    """Of what the text alone says, a mismatch is no falsehood: a letter may mean two things."""
    step = last_step(rf"{said} \[ P = M g L \]")
    assert step.why.endswith("; units agree")
    step = last_step(rf"{said} \[ P = M g \]")
    assert step.verdict == "undecided" and "its letters are measured as the text says: M g is measured in" in step.why
    assert step.excerpt[step.column - 1 :].startswith("M g")


def test_a_letter_of_two_dimensions_has_none():
    """m is a mass here and a length there."""
    assert units_said([r"$m = 2\,\mathrm{kg}$", r"$m = 3\,\mathrm{m}$", r"$x = 3\,\mathrm{cm}$"]) == {
        tree.Symbol("x"): "m^1"
    }
    assert units_said([r"$m = 2\,\mathrm{kg}$", r"$m = 3\,\mathrm{g}$"]) == {tree.Symbol("m"): "kg^1"}


@pytest.mark.parametrize(
    ("latex", "unit"),
    [
        (r"\mathrm{km}", "m^1"),
        (r"\mathrm{m}/\mathrm{s}^2", "m^1 s^-2"),
        (r"\text{kN}\,\mathrm{m}", "kg^1 m^2 s^-2"),
        (r"\mathrm{rad}", "1"),
        (r"\mathrm{apples}", None),
        (r"\mathrm{max}", None),
    ],
)
def test_a_unit_is_read_as_its_dimension(latex, unit):
    """A prefix changes none; words that are no unit are none."""
    assert dimension_of_printed(latex) == unit


def test_a_unit_that_is_none_is_refused():
    """With the way on."""
    assert dimension("furlong") is None
    with pytest.raises(ValueError, match="'furlong' is no unit: say kg, m, s"):
        last_step("% eqproof: x in furlong\n\\[ x = y \\]")


def test_another_unit_makes_another_verdict(tmp_path, monkeypatch, capsys):
    """The cache rests on declared units and on those that the text says."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    file = tmp_path / "a.tex"
    told = []
    for said in (
        "% eqproof: F in N; k in kg",
        "% eqproof: F in N; k in N",
        r"$F = 1\,\mathrm{N}$, $k = 1\,\mathrm{N}$",
        "",
    ):
        file.write_text(f"{said}\n\\[ F = k \\]\n", encoding="utf-8")
        main(["check", "--json", str(file)])
        step = json.loads(capsys.readouterr().out)["steps"][-1]
        told.append((step["verdict"], "units" in step["why"]))
    assert told == [("false", True), ("undecided", True), ("undecided", True), ("undecided", False)]
