"""A Sphinx extension: shows docstrings of robotdyn in the API page as they are written, which is not reStructuredText.

The first paragraph becomes a sentence of the page; what follows (shapes, units, ways to fail, where it comes from) keeps
its lines, but for those that the margin of the source broke: the page has a margin of its own.  `names` between backticks
are set as code, everything else but examples (`>>>`) literally.
"""

import re
from typing import Any

from sphinx.application import Sphinx

import robotdyn


def escape_rst(text: str) -> str:
    """Return reStructuredText that shows one line of plain text as it stands, except that `name` becomes code."""
    parts = re.split(r"`+([^`]+)`+", text)
    return "".join(f"``{part}``" if i % 2 else re.sub(r"([\\*|_<>`:])", r"\\\1", part) for i, part in enumerate(parts))


def rejoin_lines(text: str) -> list[str]:
    """Return the lines of a text; one that fills the margin and does not end there takes the next one on."""
    lines: list[str] = []
    full = False
    for line in text.splitlines():
        if full and line.strip():
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line)
        full = len(line) >= 90 and not line.endswith((".", ";", ":"))
    return lines


def format_docstring(app: Sphinx, what: str, name: str, obj: object, options: Any, lines: list[str]) -> None:
    """Replace the lines of one docstring, in place, by reStructuredText that shows them."""
    text = "\n".join(lines).strip()
    if not text:
        return
    head, _, rest = text.partition("\n\n")
    lines[:] = [escape_rst(" ".join(head.split())), ""]
    for paragraph in rest.split("\n\n"):
        if paragraph.startswith(">>> "):  # an example, which is code
            lines += [*paragraph.splitlines(), ""]
            continue
        for line in rejoin_lines(paragraph):
            indent = len(line) - len(line.lstrip())
            lines.append(f"| {' ' * indent}{escape_rst(line.lstrip())}".rstrip())
        lines.append("")


def skip_reexported(app: Sphinx, what: str, name: str, obj: object, skip: bool, options: Any) -> bool | None:
    """Leave out of a part of the library what `robotdyn` itself offers: it stands in the first section."""
    part = app.env.temp_data.get("autodoc:module")
    return True if part != "robotdyn" and name in vars(robotdyn)["__all__"] and getattr(robotdyn, name) is obj else None


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("autodoc-skip-member", skip_reexported)
    app.connect("autodoc-process-docstring", format_docstring)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
