"""Numbers in running text have a source, and one that has none is told; what is compared is told apart from data."""

import json

import pytest

from eqproof.inline import Relation
from eqproof.ledger import judge
from eqproof.numbers import PrintedNumber, in_code, numbers, numbers_in, numbers_without_source, quoted_in
from eqproof.printed import write as keep_numbers

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
    """A function that writes the page with more text and returns it; its project asks for sources, and its numbers are kept."""
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "page.py").write_text(
        "from eqproof import Chapter\nchapter = Chapter(__file__)\n", encoding="utf-8"
    )
    (tmp_path / "eqproof.toml").write_text('pages = ["page.ipynb"]\nnumbers = true\n', encoding="utf-8")

    def write(more=""):
        cells = [{"cell_type": kind, "source": source.replace("{more}", more)} for kind, source in CELLS]
        (tmp_path / "page.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
        keep_numbers([tmp_path / "page.ipynb"])
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


@pytest.mark.parametrize(
    ("code", "compared", "held"),
    [
        ("print('0.303')", set(), set()),  # a name, and another one
        ("show('quoted', '0.303')", set(), set()),
        ("import quoted\n'0.303'", set(), set()),
        ("eqproof.quoted({'0.303': time})", {"0.303"}, set()),
        ("rd.check.quoted({'-0.303': time, '2e-3': time, '1.5e7': time, 'a': 0, '0.5 m': 0})", {"0.303", "2e-3", "1.5e7"}, {0.0}),
        ("x = -1.5 * 2", set(), {1.5, 2.0}),
        ("x = True, False, None, 'a', 2j, 3", set(), {3.0}),
        ("%time 0.25 s", set(), set()),
    ],
)  # fmt: skip
def test_what_a_cell_compares_and_what_it_holds(code, compared, held):
    """Only a name or an attribute that says `quoted` compares; a number that it holds is none of logic, and has no sign."""
    assert in_code(code) == (compared, held)


@pytest.mark.parametrize(
    ("code", "keys"),
    [
        ("quoted({'0.5': a, '-2': b, 3: c, d: e})", ["0.5", "-2"]),
        ("a.quoted({'0.5': a}, {'1.5': b}, c)", ["0.5", "1.5"]),
        ("print({'0.5': a})", []),
        ("quoted = {'0.5': a}", []),
        ("f(quoted)({'0.5': a})", []),
        ("no code", []),
    ],
)
def test_the_keys_that_a_cell_compares(code, keys):
    """Of a table in a call of quoted; a key that is no text is none."""
    assert quoted_in(code) == keys


def test_digits_are_those_of_python():
    """A power of ten in any way to print it, the commas of thousands away, a sign for itself."""
    for text, digits in {
        "1,024": "1024",
        r"2 \times 10^{6}": "2e6",
        "2.5·10^{-12}": "2.5e-12",
        "12,345.5": "12345.5",
        "100": "100",
    }.items():
        assert numbers_in(f"There are {text} of them.") == [(10, digits)]
    assert numbers_in("99 or 7 or 10^5") == []


def test_a_reason_for_a_relation_is_a_source_of_what_is_more_than_data(page):
    """Of t = 0.31 it is none; of a relation that says more, and of one that is not read, it is; so is one that holds."""
    more = r"Then $t = 0.31$, but $s = 0.77 t, u = 0.41$ and $s > \lost 0.59$, $0.23 < u$ or $v = 0.87 u$."
    file = page(more)
    reasons = [r"t = 0.31", r"s = 0.77 t, u = 0.41", r"s > \lost 0.59"]
    rows = "".join(f"'{x}' = 'so'\n" for x in reasons)
    file.parent.joinpath("proofs", "relations.toml").write_text(f"[page]\n{rows}", encoding="utf-8")
    found = (Relation("0.23 < u", "holds"), Relation("v = 0.87 u", "open"))
    sources = {x.text: x.source for x in numbers(file, found)}
    assert [sources[x] for x in ("0.77", "0.41", "0.59", "0.23")] == ["related"] * 4
    assert [sources[x] for x in ("0.31", "0.87")] == ["", ""]


def test_a_number_beside_a_relation_is_not_in_it(page):
    """Right before it, or right behind it."""
    found = (Relation("s = 0.77 + 0.59", "holds"),)
    printed = [(x.text, x.source) for x in numbers(page("Here 0.31$s = 0.77 + 0.59$0.41 there."), found)]
    assert printed[-4:] == [("0.31", ""), ("0.77", "related"), ("0.59", "related"), ("0.41", "")]


def test_a_macro_in_a_relation_is_expanded(page):
    """As it is in the relations that hold."""
    file = page(r"So $s = \half{0.59}$.")
    (file.parent / "eqproof.toml").write_text("[macros]\n'\\half' = '#1 / 2'\n", encoding="utf-8")
    assert [x.source for x in numbers(file, (Relation("s = 0.59 / 2", "holds"),)) if x.text == "0.59"] == ["related"]


def test_a_source_is_the_first_that_there_is(page):
    """Compared before related, related before given, given before told; blanks tell nothing."""
    file = page("With $s = 0.303$, $t = 0.45$ and $u = 0.59$, of 0.45, 0.59 and 0.61.")
    notes = "[page]\n'0.303' = 'a'\n'0.45' = 'b'\n'0.59' = 'c'\n'0.61' = '  '\n"
    file.parent.joinpath("proofs", "numbers.toml").write_text(notes, encoding="utf-8")
    found = tuple(Relation(x, "holds") for x in ("s = 0.303", "t = 0.45", "u = 0.59"))
    printed = [(x.text, x.source) for x in numbers(file, found)][-6:]
    sources = ("compared", "related", "related", "given", "told", "")
    assert printed == list(zip(("0.303", "0.45", "0.59", "0.45", "0.59", "0.61"), sources))
    assert numbers(file) == numbers(str(file)) and PrintedNumber("1", "") in {PrintedNumber("1", "")}
    told = [x.partition(" which")[0] for x in numbers_without_source(file, numbers(file, found))]
    rest = 'has no source: compare it in a cell, quoted({"..": value}), or say in numbers.toml what it is'
    alone = [f"{x} in running text {rest}" for x in ("1.5", "3.0", "0.61")]
    assert told == [*alone, "numbers.toml says what 0.303 is,", "numbers.toml says what 0.45 is,"]


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
        "---\ntitle: a\nwidth: 12.5\n---\n<!-- 1.25\nand 2.25 -->\n(at-1.75)=\n# A page\n\n$$ a = 7.25 b $$ (eq-one)\n\n:::{figure} x.svg\n:width: 62.5\n:::\n"
        "[see](https://a.b/1.75) `0.25`, 7.25 times <span data-x='3.75'>so</span>\n\n```python\nx = 0.125\n```\n\nand 0.125.",
        encoding="utf-8",
    )
    assert [(x.text, x.source) for x in numbers(page)] == [("7.25", "given"), ("0.125", "given")]
    assert numbers_without_source(page, numbers(page)) == []


def test_a_compared_number_that_the_text_no_longer_prints_is_told(page):
    """Its comparison holds nothing any more; what the cell only computes with is no such number."""
    file = page()
    cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
    keys = '{"-0.45": a, "1.29": b, "2.97e-3": c}'
    cells[-1]["source"] += f'print("7.77")\nquoted({keys})\n'
    file.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    wrong = judge(file).wrong
    assert wrong == tuple(f"quoted {x} stands nowhere in the text of this page" for x in ("1.29", "2.97e-3"))
