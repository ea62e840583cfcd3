"""Makes the pages of the book lighter: what they carry twice, or without need, is taken out after the build.

The icons of the theme come as a font, and again as a script of 1.5 MB that draws the same icons: the font stays.
Moving figures bring their style and their engine along, each of them: the first copy on a page stays.
Pictures are drawn with a line for each point and a comment for each word: one line without comments shows the same.
MathJax comes in parts: its menu, a third of it, stays away. It would also make each formula a stop of the Tab key.
"""

import re
from pathlib import Path

ICONS = re.compile(r"<script[^>]*fontawesome\.js[^>]*></script>\n?")
COMMENTS = re.compile(r"<!--.*?-->|<metadata>.*?</metadata>", re.S)
SHARED = re.compile(r"<(script|style)>/\* (?:The engine of moving figures|Moving figures).*?</\1>\n?", re.S)
MATHJAX = {"loader": {"load": ["input/tex", "output/chtml", "a11y/assistive-mml"]}}


def lighter(page):
    """Return the text of a page without its icon script and without repeated parts of figures."""
    seen = set()

    def once(found):
        repeated = found[0] in seen
        seen.add(found[0])
        return "" if repeated else found[0]

    return SHARED.sub(once, ICONS.sub("", page))


def lighter_picture(picture):
    """Return the text of an SVG picture, whose words are drawn, without comments and line breaks."""
    return re.sub(r"\s+", " ", COMMENTS.sub("", picture)).replace("> <", "><")


def finish(app, exception):
    """Rewrite every page and every picture that has something to lose."""
    if exception is None and app.builder.format == "html":
        for kind, make in (("*.html", lighter), ("_images/*.svg", lighter_picture)):
            for path in Path(app.outdir).rglob(kind):
                text = path.read_text(encoding="utf8")
                if (short := make(text)) != text:
                    path.write_text(short, encoding="utf8")


def setup(app):
    """Called by Sphinx."""
    app.config.mathjax_path = "mathjax/startup.js"  # of sphinx-mathjax-offline, which names all of MathJax
    app.config.mathjax3_config = MATHJAX
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
