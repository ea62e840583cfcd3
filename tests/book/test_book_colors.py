"""Pages and moving figures have the colors of the pictures."""

import re
from pathlib import Path

from robotdyn.show.style import DARK, TERMS

ROOT = Path(__file__).resolve().parents[2]
FIGURES = ROOT / "packages" / "movingfigures" / "src" / "movingfigures" / "figure.css"


def test_the_page_has_the_colors_of_the_pictures():
    """figure.css and book.css name the colors that style.py names, in light and in dark."""
    for path in (FIGURES, ROOT / "book" / "_static" / "book.css"):
        light, dark, *paper = (
            dict(re.findall(r"--rd-([\w-]+): (#\w+)", b)) for b in rd_colors(path.read_text(encoding="utf-8"))
        )
        assert all(printed == light for printed in paper), path.name
        for name, color in TERMS.items():
            assert light[name] == color and dark[name] == DARK[color], (path.name, name)


def rd_colors(style):
    """Return the blocks of a style sheet that give colors names: of light pages, of dark ones, and of paper if it has any."""
    return [block for block in re.findall(r"\{([^{}]*)\}", style) if "--rd-inertia:" in block]
