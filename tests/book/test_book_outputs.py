"""What cells print in the book is the same on every processor, no error of rounding; and what they draw is there."""

import json
import re
from html import unescape
from pathlib import Path

import pytest
from sphinx.application import Sphinx

from bookbuild import build_book

PAGES = build_book.pages()
PRINTED = re.compile(r'<div class="output (?:stream|text_plain)[^"]*">(.*?)</pre>', re.S)
SIZE = 1e-12  # of what remains where two routes to one number are compared, in the units of the book
BARE = re.compile(r"&lt;Figure size|&lt;[^&\n]* at 0x[0-9a-f]+")  # an object of which nothing but its name is shown
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.])")


def rests_on_the_processor(page):
    """Return the numbers in the outputs of a page, as HTML, that are tiny and not zero."""
    printed = " ".join(unescape(re.sub("<[^>]*>", "", text)) for text in PRINTED.findall(page))
    return [text for text in NUMBER.findall(printed) if 0 < float(text) < SIZE]


def test_such_numbers_are_found(tmp_path):
    """In what a cell prints and in its result, and nowhere else."""
    said = [
        {"output_type": "stream", "name": "stdout", "text": "gap 3.1e-15 Nm, <-2e-17>, 0.0, 1e-9, 12 of 4e+20\n"},
        {
            "output_type": "execute_result",
            "execution_count": 1,
            "metadata": {},
            "data": {"text/plain": "2.6645352591003757e-15"},
        },
    ]
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": "1e-14", "execution_count": 1, "outputs": said}
    title = {"cell_type": "markdown", "id": "t", "metadata": {}, "source": "# Page of 1e-16"}
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    page = {"cells": [title, cell], "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "index.ipynb").write_text(json.dumps(page), encoding="utf-8")
    settings = {"extensions": ["myst_nb"], "nb_execution_mode": "off"}
    Sphinx(tmp_path, None, tmp_path / "out", tmp_path / "tree", "html", settings, status=None, warning=None).build()
    assert rests_on_the_processor((tmp_path / "out" / "index.html").read_text(encoding="utf-8")) == [
        "3.1e-15",
        "2e-17",
        "2.6645352591003757e-15",
    ]


@pytest.mark.parametrize("name", PAGES)
def test_no_page_prints_an_error_of_rounding(book, name):
    """`{gap:.12f}` says as much: zero to twelve places."""
    assert rests_on_the_processor(Path(book, f"{name}.html").read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("name", PAGES)
def test_every_picture_of_a_page_is_shown(book, name):
    """No output is the name of an object, as where a kernel draws nothing."""
    printed = PRINTED.findall(Path(book, f"{name}.html").read_text(encoding="utf-8"))
    assert [text for text in printed if BARE.search(text)] == []
