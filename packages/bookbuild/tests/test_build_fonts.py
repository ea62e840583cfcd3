"""The fonts of a page: which it asks for, what they hold, and that the imports at its beginning are folded."""

import io
import json
import re
import subprocess
from types import SimpleNamespace

import nbformat
import pytest
from docutils import nodes
from docutils.utils import new_document
from fontTools.ttLib import TTFont, woff2

from bookbuild import build_book, fold_imports, preload_fonts, text_fonts, typeset

STYLE = """
@font-face { font-family: "Book Serif"; src: url("fonts/serif.woff2") format("woff2"); font-weight: 400 600; }
@font-face { font-family: "Book Serif"; src: url("fonts/serif-italic.woff2") format("woff2"); font-style: italic; }
@font-face { font-family: "Book Mono"; src: url("fonts/mono.woff2") format("woff2"); }
@font-face /* 1 */ {font-family: MJXTEX; src: url("mathjax/MathJax_Main-Regular.woff") format("woff");}
@font-face /* 2 */ {font-family: MJXTEX-B; src: url("mathjax/MathJax_Main-Bold.woff") format("woff");}
@font-face /* 5 */ {font-family: MJXTEX-BI; src: url("mathjax/MathJax_Math-BoldItalic.woff") format("woff");}
@font-face /* 9 */ {font-family: MJXTEX-S4; src: url("data:font/woff;base64,AAAA") format("woff");}
"""
HEAD = '<head><title>Rod</title>\n<link rel="stylesheet" href="../_static/style-0a.css"></head>'


ELSEWHERE = set("\n\u2713\u2217\u2254\u03c0\u03c3")  # the marks of the ledger, pi and sigma: in a font of the system
UNPACK = "process.stdout.write(require('zlib').brotliDecompressSync(require('fs').readFileSync(0)))"


def unpack(packed):
    """Brotli by Node: fontTools takes it from a package that is no pin."""
    return subprocess.run([typeset.node_path(), "-e", UNPACK], input=packed, capture_output=True, check=True).stdout


@pytest.fixture
def text_font(monkeypatch):
    """Open a font of the text by its name."""
    monkeypatch.setattr(woff2, "haveBrotli", True)
    monkeypatch.setattr(woff2, "brotli", SimpleNamespace(decompress=unpack), raising=False)
    return lambda name: TTFont(text_fonts.FOLDER / f"{name}.woff2")


def asked_for(body):
    """The files that a page with this body asks for, in its head, before its style."""
    sheets = {"style-0a.css": preload_fonts.font_faces(STYLE)}
    page = preload_fonts.preload(HEAD + body, sheets)
    assert preload_fonts.preload(page, sheets) == page
    script, _, rest = page.partition('<link rel="stylesheet"')
    assert rest.endswith(body)
    return [re.sub(r".*/", "", href) for href, _, _ in json.loads(re.search(r"faces = (.*);", script)[1])]


def test_a_page_asks_for_the_fonts_that_it_shows():
    """Those of the text; italics, code and formulas where they stand; bold italics are no bold; what the style holds is there."""
    assert asked_for("<p>A rod</p>") == ["serif.woff2"]
    assert asked_for("<p><em>A</em> <code>rod</code></p>") == ["serif.woff2", "serif-italic.woff2", "mono.woff2"]
    formula = '<mjx-c class="mjx-c1D435 TEX-BI"></mjx-c><mjx-c class="mjx-c28 TEX-S4"></mjx-c>'
    assert asked_for(formula) == ["serif.woff2", "MathJax_Main-Regular.woff", "MathJax_Math-BoldItalic.woff"]
    assert preload_fonts.preload("<p>no style</p>", {}) == "<p>no style</p>"


def test_a_font_of_formulas_keeps_what_is_drawn(tmp_path):
    """Of each kind of letter its own, also a sign that is written as a code before a digit; small fonts are part of the style."""
    face = '@font-face /* 1 */ {{ font-family: {}; src: url("mathjax/MathJax_{}.woff") format("woff"); }}\n'
    style = 'mjx-c.mjx-c34::before { content: "4"; }\nmjx-c.mjx-c1D440.TEX-BI::before { content: "M"; }\n'
    style += 'mjx-stretchy-v.mjx-c5B mjx-beg mjx-c::before { content: "\\23A1"; }\n'
    style += face.format("MJXTEX", "Main-Regular") + face.format("MJXTEX-S4", "Size4-Regular")
    characters = typeset.code_points_by_family(style)
    assert characters["MJXTEX"] == {0x23A1, ord("4")} and characters["MJXTEX-S4"] == {0x23A1}
    assert characters["MJXTEX-BI"] == {ord("M")} and characters["MJXTEX-C"] == set()
    font = typeset.subset_font(typeset.MATHJAX / "output/chtml/fonts/woff-v2/MathJax_Main-Regular.woff", {ord("4")})
    assert set(TTFont(io.BytesIO(font)).getBestCmap()) == {ord("4")}
    made = typeset.with_subset_fonts(style, tmp_path)
    assert made.count("data:font/woff;base64,") == 2 and [*(tmp_path / "mathjax").iterdir()] == []
    letters = "".join(
        f'mjx-c::before {{ content: "{chr(code)}"; }}\n' for code in (*range(0x41, 0x5B), *range(0x61, 0x7B))
    )
    assert typeset.with_subset_fonts(letters + style, tmp_path).count("data:font/woff;base64,") == 1
    assert [path.name for path in (tmp_path / "mathjax").iterdir()] == ["MathJax_Main-Regular.woff"]


@pytest.mark.parametrize("face", text_fonts.FACES, ids=lambda face: face.file)
def test_a_font_of_the_text_holds_its_letters(text_font, face):
    """All that text_fonts asks for and its package has; under a name of its own, with copyright and license beside it."""
    font = text_font(face.file)
    missing = {chr(code) for code in face.characters} - {chr(code) for code in font.getBestCmap()}
    assert missing == set()
    assert font["name"].getDebugName(1) == face.family
    terms = (text_fonts.FOLDER / f"OFL-{face.package.split('-')[2]}.txt").read_text(encoding="utf-8")
    assert font["name"].getDebugName(0) in terms and "SIL OPEN FONT LICENSE Version 1.1" in terms


def test_the_words_of_the_book_have_their_letters(text_font):
    """Every sign of the text that is neither code nor formula stands in the face of the text, but for marks and Greek letters."""
    known = set(text_font("serif").getBestCmap())
    strange = {}
    for path in build_book.notebooks():
        for cell in nbformat.read(path, 4).cells:
            text = re.sub(r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$", "", cell.source, flags=re.S)
            if cell.cell_type == "markdown" and (signs := {x for x in text if ord(x) not in known} - ELSEWHERE):
                strange[path.stem] = signs
    assert strange == {}


def test_the_imports_of_a_page_are_folded():
    """Where a cell sets up and does nothing else; an arm, a matrix or a value that is shown stays to be seen."""
    setup = "import numpy as np\nimport robotdyn as rd\n\nrd.show.use_book_style()\nident = rd.identification\n"
    assert fold_imports.sets_up(setup + "rng = np.random.default_rng(5)")
    for more in ("arm = rd.robots.rp()", "A = np.eye(2)", "def f(x):\n    return x", "rd", "%matplotlib inline"):
        assert not fold_imports.sets_up(setup + more), more
    assert not fold_imports.sets_up("rd.show.use_book_style()")


def test_the_first_cell_alone_is_folded():
    """A later cell that imports is part of the argument; one that is folded already keeps its words."""

    document = new_document("page")
    document.settings.env = SimpleNamespace(app=SimpleNamespace(builder=SimpleNamespace(name="html")))
    for code in ("import numpy as np", "import scipy"):
        source = nodes.container("", nodes.literal_block(code, code), nb_element="cell_code_source")
        document += nodes.container("", source, nb_element="cell_code")
    fold_imports.FoldImports(document).run()
    assert [cell.get("hide_mode") for cell in document.children] == ["input", None]
