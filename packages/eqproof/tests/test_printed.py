"""Numbers in running text stay as they are kept, in their order; what is changed, exchanged, new or gone is told."""

import pytest

from eqproof.__main__ import main
from eqproof.kept_verdicts import key_of
from eqproof.ledger import judge
from eqproof.printed import printed

TEXT = """# A fall

It falls for 12 steps of 0.5 s with 3 joints at -40 degrees, $13 N - 19$ products and $2T/|L|$ in all.
It needs $k > w$ and $m g \\sin q$, but not $k < w$, for each $\\boldsymbol q$; here is $k > w$.

## What to see

The step is 0.5, and never $h = 0.25$.

$$ a = 7 b $$ (eq-one)

1. One of 25.
2. Two.

```python
h, other = 0.5, 0.8
```
"""
PROOFS = """import sympy as sp
from eqproof import Chapter
b = sp.Symbol("b")
chapter = Chapter(__file__)
chapter.bind({"a": 7 * b, "b": b})
chapter.prove("eq-one", by="it")
"""
RELATIONS = "[page]\n'h = 0.25' = 'of the exercise'\n'k > w' = 'a condition'\n'k < w' = 'a condition'\n"
NOTES = {"numbers.toml": "[page]\n'0.25' = 'data'\n", "relations.toml": RELATIONS}


@pytest.fixture
def page(tmp_path, monkeypatch):
    """A page in a project that asks for sources, whose numbers are kept."""
    (tmp_path / "proofs").mkdir()
    for name, text in {"page.py": PROOFS, **NOTES}.items():
        (tmp_path / "proofs" / name).write_text(text, encoding="utf-8")
    (tmp_path / "eqproof.toml").write_text('pages = ["page.md"]\nnumbers = true\n', encoding="utf-8")
    (tmp_path / "page.md").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["--numbers"]) == 0
    return tmp_path / "page.md"


def test_what_is_kept(page):
    """Numbers with their signs, formulas of more than one sign as a whole; no code, display, letter or number of a list."""
    claims = ["$k > w$", r"$m g \sin q$", "$k < w$", "$k > w$"]
    first = ["12", "0.5", "3", "-40", "$13 N - 19$", "$2T/|L|$", *claims]
    assert printed(page) == {"A fall": first, "What to see": ["0.5", "$h = 0.25$", "25"]}
    file = page.parent / "proofs" / "printed.toml"
    kept = '[page]\n"A fall" = "12  0.5  3  -40  $13 N - 19$  $2T/|L|$  $k > w$  $m g \\\\sin q$  $k < w$  $k > w$"\n'
    assert kept in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("12 steps", "13 steps", '13 in running text below "A fall" stands where 12 is kept'),
        ("3 joints", "4 joints", '4 in running text below "A fall" stands where 3 is kept'),
        ("-40", "40", '40 in running text below "A fall" stands where -40 is kept'),
        ("0.5 s", "0.8 s", '0.8 in running text below "A fall" stands where 0.5 is kept'),
        ("is 0.5,", "is 0.8,", '0.8 in running text below "What to see" stands where 0.5 is kept'),
        ("13 N - 19", "19 N - 13", '$19 N - 13$ in running text below "A fall" stands where $13 N - 19$ is'),
        ("2T/|L|", "3T/|L|", '$3T/|L|$ in running text below "A fall" stands where $2T/|L|$ is kept'),
        ("needs $k > w$", "needs $k < w$", '$k < w$ in running text below "A fall" stands where $k > w$ is kept'),
        (r"\sin q", r"\cos q", r'$m g \cos q$ in running text below "A fall" stands where $m g \sin q$ is kept'),
        ("of 25", "of 25 and 26", '26 in running text below "What to see" is not kept'),
        (" of 25", "", '25 in running text below "What to see" is kept and stands there no more'),
    ],
)
def test_a_change_is_told(page, old, new, said):
    """Of a digit, a sign, an expression, to a number of the page's code; a new one, one that is gone. Kept anew, it is right."""
    assert judge(page).wrong == ()
    page.write_text(TEXT.replace(old, new), encoding="utf-8")
    (told,) = [x for x in judge(page).wrong if "numbers.toml" not in x]
    assert told.startswith(f"page.md: {said}") and told.endswith(
        "python -m eqproof --numbers keeps the numbers of all pages"
    )
    main(["--numbers"])
    assert judge(page).wrong == ()


@pytest.mark.parametrize("pair", [("12", "0.5 s"), ("3 joints", "12"), ("$13 N - 19$", "$2T/|L|$")])
def test_an_exchange_is_told(page, pair):
    """Of two numbers that the page prints all the same."""
    a, b = (x.removesuffix(" s").removesuffix(" joints") for x in pair)
    page.write_text(
        TEXT.replace(pair[0], pair[0].replace(a, "?"), 1).replace(b, a, 1).replace("?", b, 1), encoding="utf-8"
    )
    assert any("kept" in x for x in judge(page).wrong)


def test_what_says_the_same_is_not_told(page):
    """Other words, spaces in a formula, another number of a list, another heading, and code."""
    same = {
        "It falls": "A stone drops",
        "13 N - 19": "13  N - 19",
        "2. Two": "3. Two",
        "0.8": "0.9",
        "to see": "we see",
    }
    text = TEXT
    for old, new in same.items():
        assert old in text
        text = text.replace(old, new)
    page.write_text(text, encoding="utf-8")
    assert judge(page).wrong == ()


def test_without_the_file_the_command_is_named(page):
    """As long as the settings ask for sources."""
    (page.parent / "proofs" / "printed.toml").unlink()
    (told,) = judge(page).wrong
    assert told == (
        "page.md: the numbers in its text are not kept in printed.toml: "
        "if the page is right, python -m eqproof --numbers keeps the numbers of all pages"
    )
    (page.parent / "eqproof.toml").write_text('pages = ["page.md"]\n', encoding="utf-8")
    assert judge(page).wrong == ()


def test_the_command_says_what_it_keeps(page, capsys):
    """Each change, so that none is kept unseen; and that nothing is new."""
    capsys.readouterr()
    main(["--numbers"])
    assert capsys.readouterr().out == "nothing is new\n"
    page.write_text(TEXT.replace("12 steps", "13 steps"), encoding="utf-8")
    main(["--numbers"])
    first, last = capsys.readouterr().out.splitlines()
    assert first == 'page.md: 13 in running text below "A fall" stands where 12 is kept'
    assert last == "these are kept now: look at them once more"


def test_one_heading_twice(page):
    """Has two rows."""
    page.write_text("# A\n\n1\n\n# B\n\n## A\n\n2\n\n## A\n\n3", encoding="utf-8")
    assert printed(page) == {"A": ["1"], "A (2)": ["2"], "A (3)": ["3"]}


def test_a_kept_verdict_depends_on_what_is_kept(page):
    """A page whose numbers are kept anew is judged anew."""
    before = key_of(page)
    file = page.parent / "proofs" / "printed.toml"
    file.write_text(file.read_text(encoding="utf-8").replace("12", "13"), encoding="utf-8")
    assert key_of(page) != before
