"""What a page would carry twice is left out, and a picture stays the picture."""

import io
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
from figures import kinds

from bookbuild import page_weight


def test_repeated_parts_of_a_page_are_left_out():
    """The first copy of style and engine stays; all figures stay; the script of icons goes."""
    page = '<script defer src="_static/scripts/fontawesome.js?digest=1"></script>\n' + "".join(
        kinds()[name].html() for name in ("map", "terms", "map")
    )
    short = page_weight.lighten_page(page, "")
    assert "fontawesome" not in short and short.count("new Figure(") == 1 and short.count("<style>") == 1
    assert short.count("data-rd=") == page.count("data-rd=")
    assert page_weight.lighten_page(short, "") == short


def test_a_picture_without_line_breaks_is_the_same_picture():
    """Every element, attribute and number is kept; what is left out is smaller than what stays."""
    figure, ax = plt.subplots()
    ax.plot(np.linspace(0, 1, 50), label="a < b")
    ax.legend()
    text = io.StringIO()
    figure.savefig(text, format="svg")
    plt.close(figure)

    def told(picture):
        elements = [e for e in ElementTree.fromstring(picture).iter() if "svg" in e.tag]
        return [
            (e.tag, {name: value.split() for name, value in e.items()}, (e.text or "").split())
            for e in elements
            if "metadata" not in e.tag
        ]

    short = page_weight.minify_svg(text.getvalue())
    assert told(short) == told(text.getvalue()) and 0.7 < len(short) / len(text.getvalue()) < 0.95
