"""Makes the pages of the book lighter: what they carry twice, or without need, is taken out after the build.

The icons of the theme come as a font, and again as a script of 1.5 MB that draws the same icons: the font stays.
The search and its index come with each page: only the page of results needs them. No script holds up what is shown,
nor is one fetched before the style that is waited for.
The theme colors a page anew when its last script has run, and lays it out once for each thing that may scroll: a page has
its colors before it is drawn, and what scrolls is book/_static/scrolling.js's to say.
Moving figures bring their style and their engine along, each of them: the first copy on a page stays.
Pictures are drawn with a line for each point and a comment for each word: one line without comments shows the same.
And each picture of Matplotlib gets a twin in the colors of dark pages, which the page shows in its place there; the
folds of the sidebar get a name, and works of the bibliography a role, for those who hear the page.
"""

import colorsys
import re
from pathlib import Path

from robotdyn.show.style import DARK, PAPER

ICONS = re.compile(r"<script[^>]*fontawesome\.js[^>]*></script>\n?")
SEARCH = re.compile(r'<script src="[^"]*(?:searchtools|language_data|searchindex)\.js[^"]*"></script>\n?')
EARLY = re.compile(r'<link rel="preload" as="script"[^>]*/?>\n?')
OPTIONS = re.compile(r'<script src="[^"]*documentation_options\.js[^"]*"></script>')
SCRIPT = re.compile(r'<script((?: [\w-]+="[^"]*")*? src="[^"]*")(?=>)')
COLORED = 'document.documentElement.dataset.theme = localStorage.getItem("theme") || "auto";'
COLORED_AT_ONCE = """{ const { mode } = document.documentElement.dataset, dark = matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = mode !== "auto" ? mode : dark ? "dark" : "light"; }"""
FOLD = '<summary><span class="toctree-toggle"'
STOPS = re.compile(r'"complete"===document\.readyState\?(\w)\(\):window\.addEventListener\("load",\1\)')
COMMENTS = re.compile(r"<!--.*?-->|<metadata>.*?</metadata>", re.S)
SHARED = re.compile(r"<(script|style)>/\* (?:The engine of moving figures|Moving figures).*?</\1>\n?", re.S)
COLOR = re.compile(r"#[0-9a-f]{6}\b|#[0-9a-f]{3}\b|(?<=fill: )(?:white|black)|(?<=stroke: )(?:white|black)")
DRAWN = re.compile(
    r'<img (?=[^>]*src="(?P<folder>[^"]*_images/)(?P<name>[^"/]*)\.svg")(?P<before>[^>]*?)(?P<class> class="[^"]*")?(?P<after>[^>]*)>'
)


def lighter(page, options):
    """Return the text of a page without scripts that it does not need and without repeated parts of figures.

    options: the short script of Sphinx that others on the page rely on at once; it stands in the page itself.
    """
    seen = set()

    def once(found):
        repeated = found[0] in seen
        seen.add(found[0])
        return "" if repeated else found[0]

    page = SHARED.sub(once, ICONS.sub("", page)).replace(COLORED, COLORED_AT_ONCE)
    page = page.replace(FOLD, FOLD.replace("<summary", '<summary aria-label="Pages of this chapter"'))
    page = page.replace('role="doc-biblioentry"', 'role="listitem"')  # the old role is no longer allowed in a list
    if 'id="search-results"' in page:
        return page  # its scripts wait for each other in their own way
    page = OPTIONS.sub(lambda _: f"<script>{options.strip()}</script>", EARLY.sub("", page))
    return SCRIPT.sub(r"<script defer\1", SEARCH.sub("", page))


def lighter_theme(script):
    """Return the script of the theme without its search for what scrolls."""
    return STOPS.sub(lambda found: "0".ljust(len(found[0])), script)  # as long as before, for its source map


def lighter_picture(picture):
    """Return the text of an SVG picture, whose words are drawn, without comments and line breaks."""
    return re.sub(r"\s+", " ", COMMENTS.sub("", picture)).replace("> <", "><")


def darker(color):
    """Return the color that a color of a light page becomes in a dark one: its twin, or the same hue as bright as that was dark."""
    color = {"white": "#ffffff", "black": "#000000"}.get(color, color)
    color = color if len(color) == 7 else "#" + "".join(2 * digit for digit in color[1:])
    if color in DARK:
        return DARK[color]
    hue, light, strength = colorsys.rgb_to_hls(*(int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)))
    ground = colorsys.rgb_to_hls(*(int(DARK[PAPER][i : i + 2], 16) / 255 for i in (1, 3, 5)))[1]
    rgb = colorsys.hls_to_rgb(hue, ground + (1 - light) * (0.91 - ground), strength)
    return "#" + "".join(f"{round(255 * x):02x}" for x in rgb)


def twins(picture):
    """Return the SVG of a picture without its white ground, and its twin for dark pages."""
    picture = re.sub(r'(<g id="patch_1">\s*<path [^>]*?)fill: #ffffff', r"\1fill: none", picture)
    head, body = picture.split("<g id=", 1)
    return picture, head + "<g id=" + COLOR.sub(lambda m: darker(m[0]), body)


def paired(page, drawn):
    """Return a page in which the twin of each picture stands beside it; the style sheet shows one of the two.

    drawn: {name: (width, height)} in px, so that the page keeps room for pictures that come when the reader comes near.
    """

    def both(found):
        if found["name"] not in drawn or "rd-dark" in found[0] or "rd-light" in found[0]:
            return found[0]
        size = 'width="{:.0f}" height="{:.0f}"'.format(*drawn[found["name"]])
        rest = (found["before"] + found["after"]).rstrip("/ ")
        light = f'<img class="rd-light" loading="lazy" {size} {rest.strip()}>'
        dark = light.replace("rd-light", "rd-dark dark-light").replace(
            f"{found['name']}.svg", f"{found['name']}-dark.svg"
        )
        return light + dark

    return DRAWN.sub(both, page)


def finish(app, exception):
    """Rewrite every page and every picture that has something to lose."""
    if exception is None and app.builder.name == "html":
        drawn = {}
        for path in Path(app.outdir).glob("_images/*.svg"):
            picture = path.read_text(encoding="utf8")
            if path.stem.endswith("-dark") or 'id="figure_1"' not in picture:
                continue
            light, dark = twins(picture)
            path.write_text(light, encoding="utf8")
            path.with_name(f"{path.stem}-dark.svg").write_text(dark, encoding="utf8")
            drawn[path.stem] = [
                float(x) * 4 / 3 for x in re.findall(r'<svg [^>]*?width="([\d.]+)pt" height="([\d.]+)pt"', light)[0]
            ]
        for path in Path(app.outdir).rglob("*.html"):
            page = path.read_text(encoding="utf8")
            path.write_text(paired(page, drawn), encoding="utf8")
        options = (Path(app.outdir) / "_static" / "documentation_options.js").read_text(encoding="utf8")
        for kind, make in (
            ("*.html", lambda page: lighter(page, options)),
            ("_images/*.svg", lighter_picture),
            ("_static/scripts/pydata-sphinx-theme.js", lighter_theme),
        ):
            for path in Path(app.outdir).rglob(kind):
                text = path.read_text(encoding="utf8")
                if (short := make(text)) != text:
                    path.write_text(short, encoding="utf8")


def setup(app):
    """Called by Sphinx."""
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
