"""Numbers in running text have a source, and one that has none is told; what is compared is told apart from data."""

import json

import pytest

from eqproof.ledger import judge
from eqproof.numbers import in_code, numbers, numbers_in, sourceless

CELLS = [
    (
        "markdown",
        "# A fall\n\nA stone falls from 0.45 m in 0.303 s, at last with 2.97 m/s, for $1.5 + 1.5 = 3.0$.\n{more}",
    ),
    ("code", "%matplotlib inline\nheight, g = 0.45, 9.81\n"),
    ("code", 'quoted({"0.303": (2 * height / g) ** 0.5, f"{2.97}": 1.0})\n'),
]


@pytest.fixture
def page(tmp_path):
    """A function that writes the page with more text and returns it; its project asks for sources."""
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "page.py").write_text(
        "from eqproof import Chapter\nchapter = Chapter(__file__)\n", encoding="utf-8"
    )
    (tmp_path / "eqproof.toml").write_text('pages = ["page.ipynb"]\nnumbers = true\n', encoding="utf-8")

    def write(more=""):
        cells = [{"cell_type": kind, "source": source.replace("{more}", more)} for kind, source in CELLS]
        (tmp_path / "page.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
        return tmp_path / "page.ipynb"

    return write


def test_each_number_has_its_source(page):
    """A cell compares it, a relation holds, the code has it, or a file says what it is; a format is no comparison."""
    report = judge(page())
    assert report.numbers == {"compared": 1, "related": 3, "given": 2, "told": 0} and report.wrong == ()
    page().with_name("proofs").joinpath("numbers.toml").write_text('[page]\n"3.11" = "a version"\n', encoding="utf-8")
    report = judge(page("It runs with Python 3.11."))
    assert report.numbers["told"] == 1 and report.wrong == ()


def test_a_part_of_a_format_takes_no_comparison_away():
    """A compared number counts also where a format of the same cell holds the same digits."""
    assert in_code('quoted({"0.303": time})\nprint(f"{time} is about 0.303")') == ({"0.303"}, set())
    assert in_code('quoted({"0.303": time})\nprint(f"{time}0.303")') == ({"0.303"}, set())
    assert in_code('quoted({f"{time}0.303": time})') == (set(), set())


def test_a_number_without_a_source_is_told(page):
    """Until a cell compares it or a file says what it is; a reason for none is told as well."""
    file = page("It bounces 0.17 m high.")
    (told,) = judge(file).wrong
    assert told.startswith('0.17 in running text has no source: compare it in a cell, quoted({"..": value}), or say')
    notes = file.parent / "proofs" / "numbers.toml"
    notes.write_text('[page]\n"0.17" = ""\n', encoding="utf-8")
    assert judge(file).wrong == (told,)
    notes.write_text('[page]\n"0.17" = "as seen"\n', encoding="utf-8")
    assert judge(file).wrong == ()
    (left,) = judge(page()).wrong
    assert left.startswith("numbers.toml says what 0.17 is, which page.ipynb does not print")
    (file.parent / "eqproof.toml").write_text('pages = ["page.ipynb"]\n', encoding="utf-8")
    assert judge(page("It bounces 0.17 m high.")).wrong == (), "without the setting no source is asked for"


def test_a_compared_number_has_its_digits(page):
    """0.303 is not 0.3030, and a relation of a letter with a number is data: it has no source by itself."""
    assert [x.text for x in numbers(page("More exactly 0.3030, $t = 0.31$ s.")) if not x.source] == [
        "1.5",
        "1.5",
        "3.0",
        "0.3030",
        "0.31",
    ]
    file = page("More exactly 0.3030, $t = 0.31$ s.")
    file.parent.joinpath("proofs", "relations.toml").write_text(
        '[page]\n"t = 0.31" = "how long it takes"\n', encoding="utf-8"
    )
    assert [x.partition(" ")[0] for x in judge(file).wrong] == ["0.3030", "0.31"], "its reason is no source, either"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("12 of 34 in 5 rows", []),
        ("1,053 and 785 of 0.5, 2.50.", ["1053", "785", "0.5", "2.50"]),
        (r"$3.1 \cdot 10^{-7}$ and 4 · 10^5, $-1.5$", ["3.1e-7", "4e5", "1.5"]),
        ("S2-E123, I_{331}, no. 002, v1.2.3, x0.5, 90%", []),
    ],
)
def test_what_is_looked_for(text, found):
    """A decimal point, a power of ten or three digits; neither names nor indices."""
    assert [digits for _, digits in numbers_in(text)] == found


def test_displays_addresses_and_options_are_no_text(tmp_path):
    """Nor is the front matter; but what a displayed equation holds is a source."""
    page = tmp_path / "page.md"
    page.write_text(
        "---\nwidth: 12.5\n---\n<!-- 1.25 -->\n# A page\n\n$$ a = 7.25 b $$ (eq-one)\n\n:::{figure} x.svg\n:width: 62.5\n:::\n"
        "[see](https://a.b/1.75) `0.25`, 7.25 times <span data-x='3.75'>so</span>\n\n```python\nx = 0.125\n```\n\nand 0.125.",
        encoding="utf-8",
    )
    assert [(x.text, x.source) for x in numbers(page)] == [("7.25", "given"), ("0.125", "given")]
    assert sourceless(page, numbers(page)) == []


def test_a_compared_number_that_the_text_no_longer_prints_is_told(page):
    """Its comparison holds nothing any more; what the cell only computes with is no such number."""
    file = page()
    cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
    keys = '{"-0.45": a, "1.29": b, "2.97e-3": c}'
    cells[-1]["source"] += f'print("7.77")\nquoted({keys})\n'
    file.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    wrong = judge(file).wrong
    assert wrong == tuple(f"quoted {x} stands nowhere in the text of this page" for x in ("1.29", "2.97e-3"))
