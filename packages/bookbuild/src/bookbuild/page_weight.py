"""A Sphinx extension: takes out of the built pages what they carry twice, or without need.

The icons of the theme come as a font, and again as a script of 1.5 MB that draws the same icons: the font stays.
The search and its index come with each page: only the page of results needs them. No script holds up what is shown,
nor is one fetched before the style that is waited for.
The theme colors a page anew when its last script has run, and lays it out once for each thing that may scroll: a page has
its colors before it is drawn, and what scrolls is book/_static/scrolling.js's to say.
Moving figures bring their style and their engine along, each of them: the first copy on a page stays.
Pictures are drawn with a line for each point and a comment for each word: one line without comments shows the same.
Works of the bibliography get a role, for those who hear the page.
"""

import re
from collections.abc import Callable
from pathlib import Path

from sphinx.application import Sphinx

ICONS = re.compile(r"<script[^>]*fontawesome\.js[^>]*></script>\n?")
SEARCH = re.compile(r'<script src="[^"]*(?:searchtools|language_data|searchindex)\.js[^"]*"></script>\n?')
SCRIPT_PRELOAD = re.compile(r'<link rel="preload" as="script"[^>]*/?>\n?')
OPTIONS = re.compile(r'<script src="[^"]*documentation_options\.js[^"]*"></script>')
SCRIPT = re.compile(r'<script((?: [\w-]+="[^"]*")*? src="[^"]*")(?=>)')
THEME_AT_END = 'document.documentElement.dataset.theme = localStorage.getItem("theme") || "auto";'
THEME_AT_ONCE = """{ const { mode } = document.documentElement.dataset, dark = matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = mode !== "auto" ? mode : dark ? "dark" : "light"; }"""
SCROLL_SEARCH = re.compile(r'"complete"===document\.readyState\?(\w)\(\):window\.addEventListener\("load",\1\)')
COMMENTS = re.compile(r"<!--.*?-->|<metadata>.*?</metadata>", re.S)
SHARED = re.compile(r"<(script|style)>/\* (?:The engine of moving figures|Moving figures).*?</\1>\n?", re.S)


def lighten_page(page: str, options: str) -> str:
    """Return the text of a page without scripts that it does not need and without repeated parts of figures.

    options: the short script of Sphinx that others on the page rely on at once; it stands in the page itself.
    """
    seen: set[str] = set()

    def first_copy(match: re.Match[str]) -> str:
        repeated = match[0] in seen
        seen.add(match[0])
        return "" if repeated else match[0]

    page = SHARED.sub(first_copy, ICONS.sub("", page)).replace(THEME_AT_END, THEME_AT_ONCE)
    page = page.replace('role="doc-biblioentry"', 'role="listitem"')  # the old role is no longer allowed in a list
    if 'id="search-results"' in page:
        return page  # its scripts wait for each other in their own way
    page = OPTIONS.sub(lambda _: f"<script>{options.strip()}</script>", SCRIPT_PRELOAD.sub("", page))
    return SCRIPT.sub(r"<script defer\1", SEARCH.sub("", page))


def drop_search_for_scrollers(script: str) -> str:
    """Return the script of the theme without its search for what scrolls."""
    return SCROLL_SEARCH.sub(lambda match: "0".ljust(len(match[0])), script)  # as long as before, for its source map


def minify_svg(picture: str) -> str:
    """Return the text of an SVG picture, whose words are drawn, without comments and line breaks."""
    return re.sub(r"\s+", " ", COMMENTS.sub("", picture)).replace("> <", "><")


def lighten_output(app: Sphinx, exception: Exception | None) -> None:
    """Rewrite every page, every picture and the script of the theme that has something to lose."""
    if exception is not None or app.builder.name != "html":
        return
    out = Path(app.outdir)
    options = (out / "_static" / "documentation_options.js").read_text(encoding="utf8")
    rewrites: dict[str, Callable[[str], str]] = {
        "*.html": lambda page: lighten_page(page, options),
        "_images/*.svg": minify_svg,
        "_static/scripts/pydata-sphinx-theme.js": drop_search_for_scrollers,
    }
    for pattern, rewrite in rewrites.items():
        for path in out.rglob(pattern):
            text = path.read_text(encoding="utf8")
            if (short := rewrite(text)) != text:
                path.write_text(short, encoding="utf8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("build-finished", lighten_output, priority=510)  # when each picture has its twin (dark_images)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
