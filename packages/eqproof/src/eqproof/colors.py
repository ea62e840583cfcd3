r"""Colors that mean something: what is printed in a color has the letters for which the project keeps this color.

    [tool.eqproof.colors]
    blue = '\\ddot'                 # inertia: a regular expression that what is blue matches
    green = '^(?!.*\\dot).*g'       # gravity, without a rate

An equation is as true with two colors exchanged, and says something else. Where a project declares colors, each part of a
displayed equation that is printed in one of them must match its expression, each term of a sum by itself, so that no term
of another kind hides among them; a color that is not declared is not looked at.
"""

import re
from pathlib import Path

from eqproof.pages import displays
from eqproof.project import INSIDE, project

COLORED = re.compile(rf"\\textcolor\s*\{{(\w+)\}}\s*\{{({INSIDE})\}}", re.DOTALL)
TOKEN = re.compile(r"\\(?:begin|end)(?![a-zA-Z])|\\[a-zA-Z]+|\\.|.", re.DOTALL)
OPENING = ("{", "(", "[", r"\{", r"\begin")
CLOSING = ("}", ")", "]", r"\}", r"\end")


def miscolored(page: Path) -> list[str]:
    """Return sentences on parts of the displayed equations of a page that are printed in the color of something else."""
    colors = project(page.parent).colors
    return [
        f"{display.label or display.text[:40]!r}: {part.strip()} is printed in {color}, which means what matches {colors[color]}"
        for display in displays(page)
        for color, whole in COLORED.findall(display.text)
        for part in terms(whole)
        if color in colors and not re.search(colors[color], part, re.DOTALL)
    ]


def terms(text: str) -> list[str]:
    """Return the terms of a sum, without their signs; what stands in brackets, braces or an environment is not parted."""
    depth = 0
    parts = [""]
    for token in TOKEN.findall(text):
        depth += (token in OPENING) - (token in CLOSING)
        if depth == 0 and token in "+-" and parts[-1].strip():
            parts.append("")
        else:
            parts[-1] += token
    return parts
