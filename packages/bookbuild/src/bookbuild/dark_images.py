"""A Sphinx extension: each picture of Matplotlib gets a twin in the colors of dark pages, which the page shows in its place there.

It runs after the pages are written. Both stand in the page; book/_static/book.css shows one of the two.
"""

import colorsys
import re
from collections.abc import Mapping
from pathlib import Path

from sphinx.application import Sphinx

from robotdyn.show.style import DARK, PAPER

COLOR = re.compile(r"#[0-9a-f]{6}\b|#[0-9a-f]{3}\b|(?<=fill: )(?:white|black)|(?<=stroke: )(?:white|black)")
DRAWN_IMAGE = re.compile(
    r'<img (?=[^>]*src="(?P<folder>[^"]*_images/)(?P<name>[^"/]*)\.svg")(?P<before>[^>]*?)(?P<class> class="[^"]*")?(?P<after>[^>]*)>'
)
SVG_SIZE = re.compile(r'<svg [^>]*?width="([\d.]+)pt" height="([\d.]+)pt"')


# where: change the colors of dark pages
# those of pictures; those of the page stand in `book/_static/book.css`, those of moving figures in
# `movingfigures/figure.css`
def dark_color(color: str) -> str:
    """Return the color that a color of a light page becomes in a dark one: its twin, or the same hue as bright as that was dark."""
    color = {"white": "#ffffff", "black": "#000000"}.get(color, color)
    color = color if len(color) == 7 else "#" + "".join(2 * digit for digit in color[1:])
    if color in DARK:
        return DARK[color]
    hue, light, strength = colorsys.rgb_to_hls(*(int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)))
    ground = colorsys.rgb_to_hls(*(int(DARK[PAPER][i : i + 2], 16) / 255 for i in (1, 3, 5)))[1]
    rgb = colorsys.hls_to_rgb(hue, ground + (1 - light) * (0.91 - ground), strength)
    return "#" + "".join(f"{round(255 * x):02x}" for x in rgb)


def light_and_dark(picture: str) -> tuple[str, str]:
    """Return the SVG of a picture without its white ground, and its twin for dark pages."""
    picture = re.sub(r'(<g id="patch_1">\s*<path [^>]*?)fill: #ffffff', r"\1fill: none", picture)
    head, body = picture.split("<g id=", 1)
    return picture, head + "<g id=" + COLOR.sub(lambda m: dark_color(m[0]), body)


def with_dark_images(page: str, sizes: Mapping[str, tuple[float, float]]) -> str:
    """Return a page in which the twin of each picture stands beside it; the style sheet shows one of the two.

    sizes: {name: (width, height)} in px, so that the page keeps room for pictures that come when the reader comes near.
    """

    def light_and_dark_tags(match: re.Match[str]) -> str:
        if match["name"] not in sizes or "rd-dark" in match[0] or "rd-light" in match[0]:
            return match[0]
        width, height = sizes[match["name"]]
        size = f'width="{width:.0f}" height="{height:.0f}"'
        rest = (match["before"] + match["after"]).rstrip("/ ")
        light = f'<img class="rd-light" loading="lazy" {size} {rest.strip()}>'
        dark = light.replace("rd-light", "rd-dark dark-light")
        dark = dark.replace(f"{match['name']}.svg", f"{match['name']}-dark.svg")
        return light + dark

    return DRAWN_IMAGE.sub(light_and_dark_tags, page)


def write_dark_images(app: Sphinx, exception: Exception | None) -> None:
    """Write the twin of every picture of Matplotlib, and put both into the pages."""
    if exception is not None or app.builder.name != "html":
        return
    sizes: dict[str, tuple[float, float]] = {}
    for path in Path(app.outdir).glob("_images/*.svg"):
        picture = path.read_text(encoding="utf8")
        if path.stem.endswith("-dark") or 'id="figure_1"' not in picture:
            continue
        light, dark = light_and_dark(picture)
        path.write_text(light, encoding="utf8")
        path.with_name(f"{path.stem}-dark.svg").write_text(dark, encoding="utf8")
        width, height = SVG_SIZE.findall(light)[0]
        sizes[path.stem] = (float(width) * 4 / 3, float(height) * 4 / 3)
    for path in Path(app.outdir).rglob("*.html"):
        page = path.read_text(encoding="utf8")
        path.write_text(with_dark_images(page, sizes), encoding="utf8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("build-finished", write_dark_images)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
