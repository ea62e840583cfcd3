"""A Sphinx extension: a page asks for its fonts at once, those of its text and those of the formulas that stand on it.

A browser else asks for a font when it draws the first letter of it: the text would be drawn twice, and a formula that is far below
would be printed without its letters, because a browser leaves undrawn what is far away and does not wait when it prints. So each
page fetches its fonts before its style, and takes them up when it has that. A page that is a file fetches without the attribute
`crossorigin`, which a font needs everywhere else and which a browser refuses there.
"""

import json
import re
from pathlib import Path
from posixpath import join
from typing import Any

from sphinx.application import Sphinx

FACE = re.compile(r"@font-face\s*(?:/\*.*?\*/\s*)?\{([^{}]*)\}")
SHEET = re.compile(r'<link rel="stylesheet" href="(?P<folder>[^"]*_static/)(?P<name>style-\w+\.css)">')
ALWAYS = re.compile("")
NEEDED_BY = {  # (family, style): what stands on a page that needs it
    ("Book Serif", "normal"): ALWAYS,
    ("Book Display", "normal"): ALWAYS,
    ("Book Sans", "normal"): ALWAYS,
    ("Book Serif", "italic"): re.compile(r"<(?:em|i|cite)\b"),
    ("Book Mono", "normal"): re.compile(r"<(?:code|pre)\b"),
    ("MJXTEX", "normal"): re.compile("<mjx-c "),
}
PRELOAD = """<script>{{ const faces = {faces};
for (const [href, , type] of faces) document.head.append(Object.assign(document.createElement("link"),
  {{ rel: "preload", as: "font", type, href }}, location.protocol === "file:" ? {{}} : {{ crossOrigin: "" }}));
addEventListener("DOMContentLoaded", () => faces.forEach(([, face]) => document.fonts.load(face))); }}</script>
"""
EARLIER = re.compile(r"<script>\{ const faces = .*?</script>\n", re.S)  # of a build that left the page as it was


def font_faces(style: str) -> dict[tuple[str, str], str]:
    """Return {(family, style): address} of the fonts that a style sheet asks for; one that it holds itself is there."""
    faces = {}
    for body in FACE.findall(style):
        rules = dict(re.findall(r"([\w-]+):\s*([^;]+)", body))
        address = re.search(r"""url\(["']?([^"')]+)""", rules["src"])
        if address and not address[1].startswith("data:"):
            faces[rules["font-family"].strip(" \"'"), rules.get("font-style", "normal").strip()] = address[1]
    return faces


def is_needed(face: tuple[str, str], page: str) -> bool:
    """Return whether a page shows something in a face."""
    family = face[0]
    of_formulas = (
        re.compile(rf"\bTEX-{family.removeprefix('MJXTEX-')}(?![\w-])") if family.startswith("MJXTEX-") else None
    )
    pattern = NEEDED_BY.get(face, of_formulas)
    return pattern is not None and pattern.search(page) is not None


def preload(page: str, sheets: dict[str, dict[tuple[str, str], str]]) -> str:
    """Return a page that asks for the fonts it needs before its style sheet; sheets: the faces of each by its name."""
    page = EARLIER.sub("", page)
    link = SHEET.search(page)
    if link is None:
        return page
    wanted = [
        (join(link["folder"], address), f"{style} 1em '{family}'", f"font/{address.rpartition('.')[2]}")
        for (family, style), address in sheets[link["name"]].items()
        if is_needed((family, style), page)
    ]
    return page[: link.start()] + PRELOAD.format(faces=json.dumps(wanted)) + page[link.start() :]


def preload_pages(app: Sphinx, exception: Exception | None) -> None:
    """Let every page ask for its fonts."""
    if exception is not None or app.builder.name != "html":
        return
    out = Path(app.outdir)
    sheets = {path.name: font_faces(path.read_text(encoding="utf8")) for path in (out / "_static").glob("style-*.css")}
    for path in out.rglob("*.html"):
        page = path.read_text(encoding="utf8")
        if (ready := preload(page, sheets)) != page:
            path.write_text(ready, encoding="utf8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("build-finished", preload_pages, priority=950)  # when there is one style sheet (bundle_css)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
