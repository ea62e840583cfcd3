"""A number in running text is data of the chapter's code, or computed by a cell and compared with what is printed.

`eqproof.quoted({"3.1": value})` in a cell compares; what a chapter gives stands in its code as it stands in its text.
"""

import ast
import json
import re
from pathlib import Path

import build_book
import numpy as np
import pytest

from eqproof import quoted

ROOT = Path(__file__).resolve().parent.parent

# Numbers that are no results: a constant that the reader knows, and versions of Python.
GIVEN = {"9.81": "standard gravity, rounded", "3.11": "a version of Python", "3.13": "a version of Python"}
LOOKS = (
    "figsize",
    "height_ratios",
    "width_ratios",
    "linewidth",
    "fontsize",
    "alpha",
)  # numbers of a picture, not of a chapter
UNIT = r"(?:\\,|\\ |~|\s|\\mathrm\{|\$)*(?:N|m|s|ms|mm|J|W|Hz|kg|rad|°|%|percent)(?![a-zA-Z])"
NUMBER = re.compile(
    rf"(?<![\w.^{{_])(\d[\d ]*\.\d+|\d+(?={UNIT}))(?:\s*\\cdot\s*10\^\{{(-?\d+)\}}|\s*\\cdot\s*10\^(\d))?"
)
LETTER = re.compile(
    r"(\\mathrm\{[^}]*\})|(?<![a-zA-Z\\])[a-zA-Z](?![a-zA-Z])"
)  # in a formula: a unit, or a lone letter
OTHERS = [r"[Ss]ections?\*? \d+\.\d+", r"tables? \d[\d., and]*"]  # places in other texts
APART = [
    *OTHERS,
    r"\$\$.*?\$\$",
    r"```\{code.*?^```",
    r"```python.*?^```",
    r"`[^`\n]*`",
    r"\{\w+[:\w-]*\}`[^`]*`",
    r"\]\([^)]*\)",
]


def cells(page, kind):
    """The texts of the cells of a kind."""
    return ["".join(c["source"]) for c in json.loads(page.read_text())["cells"] if c["cell_type"] == kind]


def printed(text):
    """The numbers in a text that are decimal or have a unit, as "1.0e-7" or "50"; equations and code are left out."""
    for pattern in APART:
        text = re.sub(pattern, " ", text, flags=re.S | re.M)
    text = re.sub(r"\$[^$]*\$", lambda formula: LETTER.sub(lambda x: x[1] or "x", formula[0]), text)  # 13 N is no force
    found = NUMBER.findall(text)
    return [
        number.replace(" ", "") + (f"e{power or digit}" if power or digit else "") for number, power, digit in found
    ]


def in_code(text):
    """The numbers that stand in a cell of code, and those that it compares with what is printed."""
    numbers, quoted = set(), set()
    parsed = ast.parse(re.sub(r"^%.*$", "", text, flags=re.M))
    drawn = {
        x for node in ast.walk(parsed) if isinstance(node, ast.keyword) and node.arg in LOOKS for x in ast.walk(node)
    }
    for node in ast.walk(parsed):
        if node in drawn:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            numbers.add(float(node.value))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "quoted":
            formats = {x for text in ast.walk(parsed) if isinstance(text, ast.JoinedStr) for x in ast.walk(text)}
            texts = {x for x in ast.walk(parsed) if isinstance(x, ast.Constant)} - formats
            quoted |= {x.value for x in texts if is_number(x.value)}
    return numbers, quoted


def is_number(value):
    """Tell whether a value is a number in quotation marks."""
    return isinstance(value, str) and re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", value) is not None


def survey(page):
    """The numbers of a page that come from nowhere, and those that are compared and do not stand in the text."""
    numbers, quoted = set(), set()
    for text in cells(page, "code"):
        found = in_code(text)
        numbers, quoted = numbers | found[0], quoted | found[1]
    shown = [number for text in cells(page, "markdown") for number in printed(text)]
    computed = {x.removeprefix("-") for x in quoted}
    data = lambda x: float(x) in numbers or float(x) / 1000 in numbers  # ms and mm, where the code has s and m
    lost = [x for x in shown if x not in computed and x not in GIVEN and not data(x)]
    prose = "".join(cells(page, "markdown"))
    idle = [x for x in computed - set(shown) if not re.search(rf"(?<![\d.]){re.escape(x)}(?!\.?\d)", prose)]
    return lost, sorted(idle)


@pytest.mark.parametrize("page", build_book.notebooks(), ids=lambda page: page.stem)
def test_a_number_in_the_text_is_data_or_computed(page):
    """Whoever changes the code of a chapter learns which numbers of its text change."""
    lost, idle = survey(page)
    assert not lost, f"give these in code, or compute them in eqproof.quoted: {lost}"
    assert not idle, f"compared, but not in the text: {idle}"


def notebook(folder, text, code):
    """A page of one cell of text and one of code."""
    page = folder / "page.ipynb"
    kinds = (("markdown", text), ("code", code))
    page.write_text(json.dumps({"cells": [{"cell_type": kind, "source": source} for kind, source in kinds]}))
    return page


@pytest.mark.parametrize(
    ("text", "code", "lost", "idle"),
    [
        ("It takes 3.1 s.", "x = 3.1", [], []),
        ("It takes 3.1 s.", "x = 3.2", ["3.1"], []),
        ("It takes 3.1 s.", "eqproof.quoted({'3.1': x})", [], []),
        ("It takes $3.1$ s.", "plt.subplots(figsize=(3.1, 2))", ["3.1"], []),
        ("It takes 31 s and $32\\,\\mathrm{ms}$.", "x = 31", ["32"], []),
        ("It takes 5 ms.", "dt = 0.005", [], []),
        (r"A gap of $4.3 \cdot 10^{-9}$ J.", "eqproof.quoted({'4.3e-9': x})", [], []),
        (r"A gap of $4.3 \cdot 10^{-8}$ J.", "eqproof.quoted({'4.3e-9': x})", ["4.3e-8"], ["4.3e-9"]),
        ("See section 7.1, `f(1.5)` and [a link](b-2.5.md).", "", [], []),
        ("$$ a = 1.5 b $$ (eq-proven)", "", [], []),
        ("By factors of 24 and 21.", "eqproof.quoted({'24': x, '21': y, '9': z})", [], ["9"]),
    ],
)
def test_a_number_from_nowhere_is_seen(text, code, lost, idle, tmp_path):
    """Data, results, numbers of a picture only, powers of ten, places in other texts, code and proven equations."""
    assert survey(notebook(tmp_path, text, code)) == (lost, idle)


def test_a_quoted_number_is_the_rounded_value():
    """Half a unit of the last digit; the sentence says what to print."""
    quoted({"3.1": 3.14159, "-14.715": -14.7150001, "1.0e-7": 1.04e-7, "50": 50.4, "2": np.array(2.3)})
    with pytest.raises(ValueError, match=r"^the text says 3\.2, computed is 3\.1$"):
        quoted({"3.2": 3.14159})
    with pytest.raises(ValueError, match=r"^the text says 1\.0e-7, computed is 1\.1E-7$"):
        quoted({"1.0e-7": 1.06e-7})
    with pytest.raises(ValueError, match=r"computed is NaN$"):
        quoted({"1": float("nan")})
