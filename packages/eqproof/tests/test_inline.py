"""Relations in running text are told apart: what holds, data, conditions, what is open; and sums are computed."""

import pytest

from eqproof.__main__ import main
from eqproof.inline import slips
from eqproof.ledger import inline, judge

PAGE = r"""# Page

A square of a sum is more than $a^2 + b^2$, for $(a + b)^2 = a^2 + 2 a b + b^2$ always, see

$$ w = (a + b)^2 $$ (eq-one)

Let $a = 3$ and $b > 0$. Where $a = 2 b$, it is $w = 9 b^2$, and $c = a$ for another letter; `$a = 4$` is code,
and \$5 is no formula, nor is $x \in \mathbb R$. Numbers: {numbers}

```python
a = 3
```
"""
PROOFS = """
import sympy as sp
from eqproof import Chapter
a, b = sp.symbols("a b", positive=True)
chapter = Chapter(__file__)
chapter.bind({"a": a, "b": b})
chapter.prove("eq-one", {"w": a**2 + 2 * a * b + b**2}, by="it")
"""


@pytest.fixture
def page(tmp_path):
    """A page with its proofs."""
    (tmp_path / "eqproof.toml").write_text('pages = ["page.md"]', encoding="utf-8")
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "page.py").write_text(PROOFS, encoding="utf-8")
    (tmp_path / "page.md").write_text(PAGE.replace("{numbers}", "$9600 / 25 = 384$."), encoding="utf-8")
    return tmp_path / "page.md"


def test_relations_are_told_apart(page, monkeypatch, capsys):
    """With the letters of the displayed equation beside them."""
    assert [(x.text, x.kind) for x in inline(page)] == [
        ("(a + b)^2 = a^2 + 2 a b + b^2", "holds"),
        ("a = 3", "data"),
        ("b > 0", "data"),
        ("a = 2 b", "condition"),
        ("w = 9 b^2", "condition"),
        ("c = a", "open"),
        ("9600 / 25 = 384", "holds"),
    ]
    monkeypatch.chdir(page.parent)
    assert main(["--inline", "page"]) == 0
    assert "| page | 2 | 2 | 2 | 1 | 0 |" in capsys.readouterr().out


def test_what_is_not_checked_needs_a_reason(page, monkeypatch, capsys):
    """The command writes it down; then a slip in a relation that holds is told, and a reason for what is no more."""
    counted = {"holds": 2, "data": 2, "condition": 2, "open": 1, "untried": 0}
    assert judge(page).wrong == () and judge(page).inline == counted
    page.with_name("second.md").write_text("# Nothing\n", encoding="utf-8")
    (page.parent / "eqproof.toml").write_text('pages = ["page.md", "second.md"]', encoding="utf-8")
    monkeypatch.chdir(page.parent)
    main(["--inline"])
    kept = page.parent / "proofs" / "relations.toml"
    assert '"c = a" = "c is not bound' in kept.read_text(encoding="utf-8") and judge(page).wrong == ()
    main(["--inline", "second", "second"])  # of some pages it tells, and leaves what is kept of the others
    assert '"c = a" = "c is not bound' in kept.read_text(encoding="utf-8")
    page.write_text(page.read_text(encoding="utf-8").replace("+ 2 a b", "+ 3 a b"), encoding="utf-8")
    (slip,) = judge(page).wrong
    assert slip.startswith("$(a + b)^2 = a^2 + 3 a b + b^2$ in running text neither holds nor has a reason")
    kept.write_text(
        kept.read_text(encoding="utf-8") + '"(a + b)^2 = a^2 + 3 a b + b^2" = "a wrong one, to see"\n"b = a" = ""\n',
        encoding="utf-8",
    )
    assert [x.partition(",")[0] for x in judge(page).wrong] == ["relations.toml has a reason for $b = a$"]
    page.write_text("$$ w = (a + b)^2 $$ (eq-one)\n", encoding="utf-8")
    main(["--inline"])
    assert judge(page).wrong == ()
    page.write_text(page.read_text(encoding="utf-8") + "\nHere $c = a$.\n", encoding="utf-8")
    assert len(judge(page).wrong) == 1, "where nothing is left to note, a new relation is told all the same"


def test_a_page_without_proofs_is_counted(page):
    """As not tried where letters stand, not as held or with a reason."""
    (page.parent / "proofs" / "page.py").unlink()
    assert judge(page).inline == {"holds": 1, "data": 2, "condition": 0, "open": 0, "untried": 4}


def test_data_are_what_the_page_sets(page):
    """A number that its code does not hold is none, nor is one for a letter that is bound to what is computed."""
    code = "```python\na, p, s = 3, -np.pi / 2, 1 / 3\nquoted({'0.25': a})\n```"
    lines = "$a = 3$, $a = 5$, $p = -\\pi / 2$, $p = \\pi / 2$, $s = \\frac13$, $s = -\\frac13$, $p = 0.25$, $p = -0.25$, $w = 3$, $w < 0$"
    page.write_text(PAGE.replace("{numbers}", lines + "\n\n" + code), encoding="utf-8")
    kinds = [x.kind for x in inline(page)][-10:]
    assert kinds == ["data", "condition", "data", "open", "data", "open", "data", "open", "condition", "condition"]


def test_a_slip_in_data_is_none(page):
    """Another relation, a bound that is a number, and what merely differs."""
    lines = [r"a \approx 3", "a < 3", r"w \ne 3", "k = 3", "b > 0"]
    kinds = ["condition", "condition", "condition", "data", "data"]
    text = " ".join(f"${line}$" for line in lines) + " with $k$ turns"
    page.write_text(PAGE.replace("{numbers}", text), encoding="utf-8")
    assert [x.kind for x in inline(page)[-len(lines) :]] == kinds


def test_data_are_kept(page, monkeypatch):
    """Another number of the code, or another letter, is told; and so are data that the code no longer holds."""
    monkeypatch.chdir(page.parent)
    page.write_text(page.read_text(encoding="utf-8").replace("a = 3\n", "a, b = 3, 5\n"), encoding="utf-8")
    main(["--inline"])
    before = page.read_text(encoding="utf-8")
    assert (
        '"a = 3" = "data"' in (page.parent / "proofs" / "relations.toml").read_text(encoding="utf-8")
        and judge(page).wrong == ()
    )
    page.write_text(before.replace("$a = 3$", "$a = 5$"), encoding="utf-8")
    assert [x.partition(" in")[0] for x in judge(page).wrong] == [
        "$a = 5$",
        "relations.toml has a reason for $a = 3$, which page.md has not, or which holds",
    ]
    page.write_text(before.replace("a, b = 3, 5\n", "a, b = 4, 5\n"), encoding="utf-8")
    assert [x.partition(" neither")[0] for x in judge(page).wrong] == ["$a = 3$ in running text"]


@pytest.mark.parametrize("line", [r"a \ge \dot b", r"a \ge 2 \dot b", r"\dot a = 3 \dot b"])
def test_a_rate_of_what_never_varies_does_not_hold(page, line):
    """It is zero by these letters alone, and any letter is more than that."""
    page.write_text(PAGE.replace("{numbers}", f"${line}$"), encoding="utf-8")
    found = inline(page)[-1]
    assert (found.text, found.kind) == (line, "open") and "is zero, for nothing says that" in found.why


def test_a_relation_of_wrong_units_does_not_hold(page):
    """Even where the numbers agree."""
    proofs = page.parent / "proofs" / "page.py"
    proofs.write_text(
        proofs.read_text(encoding="utf-8").replace(
            "chapter.prove", 'chapter.units({"a": "m", "b": "1", "w": "m"})\nchapter.prove'
        ),
        encoding="utf-8",
    )
    (first, *_) = inline(page)
    assert first.kind == "open" and "is measured in" in first.why


SUMS = {
    "1.24 / 0.40 = 3.1": True,
    "0.5 \\cdot 4.955 = 2.48": True,
    "2 \\pi \\approx 6.28": True,
    "a b = 3 \\cdot 4 = 12": True,
    "p = (0.3, 0.4)": True,
    "\\sqrt{2} = 1.414": True,
    "1.24 / 0.40 = 3.2": False,
    "9600 / 25 = 385": False,
    "a b = 3 \\cdot 4 = 13": False,
    "2 + 2 = 1 + 4": False,
    "16 > 3.9 \\ge 2": True,
    "16 > 3.9 \\ge 4": False,
    "2 / 4 \\ne 0.5": False,
    "1.4 \\cdot 0.16 = 0.224": True,
    "1.4 \\cdot 0.16 \\le 0.224": True,
    "1.4 \\cdot 0.16 \\ne 0.224": False,
    "1.4 \\cdot 0.16 < 0.224": False,
    "\\sqrt{3 + 2 \\sqrt{2}} = 1 + \\sqrt{2}": True,
    "0.5 \\cdot 0.8 = 0 = 0.4": False,
    "2 \\pi = 6": False,
    "2 \\pi \\approx 6": True,
    "2 \\pi \\approx 7": False,
    "2.5 \\approx 3": True,
    "0.5 \\cdot 0.9 = 0.5": True,
    "0.5 \\cdot 0.9 = 0.4": False,
    "-0.5 \\cdot 0.9 = -0.5": True,
    "-0.5 \\cdot 0.9 = -0.4": False,
    "0.30 = 0.3 = 0.30": True,
    "0.3 = 0.34": False,
    "10^{-12} = 2 \\cdot 10^{-12}": False,
}


@pytest.mark.parametrize("line", SUMS)
def test_sums_are_right_to_their_last_digit(page, line):
    """No letter is needed: every run computes them, and says what is wrong."""
    page.write_text(PAGE.replace("{numbers}", f"${line}$"), encoding="utf-8")
    assert (slips(page) == []) == SUMS[line]
    assert judge(page).wrong == tuple(slips(page))


UNREAD = {
    r"5 \cdot 1.2_2 = 0.6": "_{2} needs a matrix in front",
    r"20 \cdot 5_2 / 25 = 99": "_{2} needs a matrix in front",
    r"1 / 0 = 1 / 0": "the denominator is zero",
    r"\sqrt{-1} = \sqrt{-1}": "is no real number",
    r"4 \succ 3": "the relation \\succ",
}


@pytest.mark.parametrize("line", UNREAD)
def test_numbers_that_are_not_computed_do_not_hold(page, line):
    """They are open, with what could not be read, and so need a reason."""
    (page.parent / "proofs" / "relations.toml").write_text("", encoding="utf-8")
    page.write_text(page.read_text(encoding="utf-8").replace("$9600 / 25 = 384$", f"${line}$"), encoding="utf-8")
    found = inline(page)[-1]
    assert (found.text, found.kind) == (line, "open") and found.why.startswith("is not computed: ")
    assert UNREAD[line] in found.why and any(
        x.startswith(f"${line}$ in running text neither") for x in judge(page).wrong
    )


def test_a_refusal_is_told_apart_from_a_slip_in_the_program(page, monkeypatch):
    """What cannot be asked of a letter is open, with the reason; any other error is told, and no reason excuses it."""
    proofs = page.parent / "proofs" / "page.py"
    proofs.write_text(
        proofs.read_text(encoding="utf-8").replace(
            '"b": b}', '"b": b, "f": lambda x: x, r"h_*": lambda i: [a][i - 1]}'
        ),
        encoding="utf-8",
    )
    asks = r"$a = f(a, b)$, $a = h_2$, $a = \dot f$, $a = \sqrt{-a}$"
    page.write_text(PAGE.replace("{numbers}", asks), encoding="utf-8")
    (page.parent / "proofs" / "relations.toml").write_text("", encoding="utf-8")
    shown = {x.text: (x.kind, x.why) for x in inline(page)}
    assert [kind for kind, _ in shown.values()][-4:] == ["open"] * 4
    assert "takes no (a, b): TypeError" in shown["a = f(a, b)"][1]
    assert "takes no (2): IndexError" in shown["a = h_2"][1]
    assert "is not bound" in shown[r"a = \dot f"][1]
    assert r"is complex: only real numbers are checked" in shown[r"a = \sqrt{-a}"][1]
    monkeypatch.setattr("eqproof.inline.decide", lambda *_, **__: 1 / 0)
    main_slip = judge(page).wrong
    assert "$c = a$ in running text stops with the letters of eq-one: ZeroDivisionError: division by zero" in main_slip
