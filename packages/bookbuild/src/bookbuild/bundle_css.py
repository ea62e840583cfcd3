"""A Sphinx extension: the twelve style sheets of theme and book become one, without the rules that no page can use.

A page waits for its style sheets before it shows anything; most rules of the theme are for icons and parts that this book
does not have. A selector stays if each class and id in it occurs somewhere in a page or in a script, and the fonts of icons
keep the icons that are left, as parts of the style: they are too small to be asked for.
"""

import base64
import hashlib
import io
import logging
import re
from collections.abc import Container, Iterator
from pathlib import Path
from posixpath import normpath
from typing import Any

from fontTools import subset  # comes with Matplotlib
from sphinx.application import Sphinx

LINK = re.compile(
    r'\s*<link (?=[^>]*rel="stylesheet")[^>]*href="(?P<up>(?:\.\./)*)(?P<file>_static/[^"?#]*\.css)[^"]*"[^>]*>'
)
IMPORT = re.compile(r"""@import\s+(?:url\()?["']?([^"')]+\.css)["']?\)?[^;]*;""")
COMMENT = re.compile(r"/\*.*?\*/", re.S)
BRACE = re.compile(r"""[{}]|"[^"]*"|'[^']*'""")  # a brace in quotation marks is a glyph
NAME = re.compile(r"[.#]((?:\\.|[\w-])+)")
FONT = re.compile(
    r'url\((?P<path>[^()]*/fa-[\w-]+)\.woff2\) format\("woff2"\),url\((?P=path)\.ttf\) format\("truetype"\)'
)
WORD = re.compile(r"[\w-]+")

logging.getLogger("fontTools").setLevel(logging.WARNING)  # it tells of each table of each font


def css_rules(style: str) -> Iterator[tuple[str, str | None]]:
    """Yield (head, body) of each rule of a style without comments, body None for a statement such as @import."""
    place = 0
    while place < len(style):
        stop = re.compile(r"[{;]").search(style, place)
        if not stop:
            return
        head = style[place : stop.start()].strip()
        if stop[0] == ";":
            yield head, None
            place = stop.end()
            continue
        depth = 1
        end = stop.end()
        while depth:
            brace = BRACE.search(style, end)
            if brace is None:
                raise ValueError(f"a brace is not closed: {head}")
            depth += {"{": 1, "}": -1}.get(brace[0], 0)
            end = brace.end()
        yield head, style[stop.end() : end - 1]
        place = end


def selectors(head: str) -> list[str]:
    """Return the selectors of a rule, parted at commas outside of parentheses."""
    return [part.strip() for part in re.split(r",(?![^(]*\))", head)]


def may_match(selector: str, words: Container[str]) -> bool:
    """Return whether something on a page could be meant."""
    plain = re.sub(r":(?:not|is|where|has)\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\]", "", selector)
    return all(name.replace("\\", "") in words for name in NAME.findall(plain))


def prune_css(style: str, words: Container[str]) -> str:
    """Return a style without rules that no page can use; words: all that occurs in pages and scripts."""
    parts = []
    for head, body in css_rules(style):
        if body is None:
            parts.append(f"{head};")
        elif head.startswith(("@media", "@supports", "@container")):
            inner = prune_css(body, words)
            parts += [f"{head}{{{inner}}}"] if inner else []
        elif head.startswith("@"):
            parts.append(f"{head}{{{body.strip()}}}")
        else:
            names = [selector for selector in selectors(head) if may_match(selector, words)]
            parts += [f"{','.join(names)}{{{' '.join(body.split())}}}"] if names else []
    return "\n".join(parts)


def rebase_urls(style: str, folder: str) -> str:
    """Return a style of _static/folder as it must stand in _static."""
    place = lambda m: (
        m[0] if m[2].startswith(("data:", "#", "http", "/")) else f"url({m[1]}{normpath(f'{folder}/{m[2]}')}{m[1]})"
    )
    return re.sub(r"""url\((["']?)([^)"']+)\1\)""", place, style)


def inline_imports(path: Path, static: Path) -> str:
    """Return a style sheet with those that it imports, as it must stand in the folder static."""
    style = COMMENT.sub("", path.read_text(encoding="utf8"))
    style = re.sub(r"@charset [^;]*;", "", style)
    folder = path.parent.relative_to(static).as_posix()
    parts = IMPORT.split(style)  # text, name, text, ...
    rebased = [
        rebase_urls(part, folder) if k % 2 == 0 else inline_imports(path.parent / part, static)
        for k, part in enumerate(parts)
    ]
    return "".join(rebased)


def subset_icon_fonts(style: str, static: Path) -> str:
    """Return a style that holds its fonts of icons itself, each with only the icons that the style names; static: where they are whole."""
    named = [int(code, 16) for code in re.findall(r"""["']\\([0-9a-f]{4})["']""", style)]
    named += [ord(sign) for sign in style if 0xE000 <= ord(sign) <= 0xF8FF]  # of private use: an icon as it stands
    options = subset.Options(flavor="woff")

    def subset_font(found: re.Match[str]) -> str:
        font = subset.load_font(static / f"{found['path']}.ttf", options)
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=named)
        subsetter.subset(font)
        packed = io.BytesIO()
        subset.save_font(font, packed, options)
        return f'url("data:font/woff;base64,{base64.b64encode(packed.getvalue()).decode()}") format("woff")'

    return FONT.sub(subset_font, style)


def bundle_pages(app: Sphinx, exception: Exception | None) -> None:
    """Put one style sheet into each page, in the place of all."""
    if exception is not None or app.builder.name != "html":
        return
    out = Path(app.outdir)
    made = {}
    pages = {path: path.read_text(encoding="utf8") for path in out.rglob("*.html")}
    words = {word for page in pages.values() for word in WORD.findall(page)}
    for script in (out / "_static").rglob("*.js"):
        if script.name != "fontawesome.js":
            words |= set(WORD.findall(script.read_text(encoding="utf8", errors="replace")))
    for path, page in pages.items():
        links = list(LINK.finditer(page))
        names = tuple(link["file"] for link in links)
        if not names:
            continue
        if names not in made:
            static = out / "_static"
            style = subset_icon_fonts(
                prune_css("\n".join(inline_imports(out / name, static) for name in names), words), static
            )
            name = f"_static/style-{hashlib.sha256(style.encode()).hexdigest()[:10]}.css"
            (out / name).write_text(f"/* All styles of a page. */\n{style}", encoding="utf8")
            made[names] = name
        link = f'\n<link rel="stylesheet" href="{links[0]["up"]}{made[names]}">'
        first = page[: links[0].start()]
        rest = page[links[0].start() :]
        path.write_text(first + link + LINK.sub("", rest), encoding="utf8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("build-finished", bundle_pages, priority=900)  # when the pages are what they will be
    return {"parallel_read_safe": True, "parallel_write_safe": True}
