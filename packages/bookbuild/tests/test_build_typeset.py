"""What the build makes of pages: formulas without a script, pictures for dark pages, one style sheet."""

import base64
import io
import re
import shutil
from pathlib import Path

import pytest
import sphinx_book_theme
from docutils import nodes
from docutils.utils import new_document
from fontTools.pens.recordingPen import RecordingPen
from fontTools.ttLib import TTFont

from bookbuild import bundle_css, dark_images, keep_together, page_weight, typeset
from robotdyn.show.style import DARK, PAPER, TERMS

LINE = '<span class="math notranslate nohighlight">\\({}\\)</span>'
DISPLAY = '<div class="math notranslate nohighlight" id="equation-eq">\n<span class="eqno">(1)</span>\\[{}\\]</div>'


def test_formulas_are_found_and_nothing_else():
    """Inline and displayed ones, in order, unescaped; not what code or words look like."""
    page = f"<p>{LINE.format('a &lt; b')}</p>{DISPLAY.format('c')}<code>\\(x\\)</code><span>\\[y\\]</span>"
    assert typeset.formulas(page) == [("a < b", False), ("c", True)]


def test_space_between_rows_is_no_new_formula():
    """Two backslashes and [1ex], the end of a row and more space below it, do not begin a formula."""
    rows = r"\begin{aligned} x &= 1 \\[1ex] y &= 2 \end{aligned}"
    assert typeset.formulas(DISPLAY.format(rows.replace("&", "&amp;"))) == [(rows, True)]


def test_a_formula_is_typeset_once_and_kept(tmp_path, monkeypatch):
    """The page needs no script; MathML stands beside the drawing; what was made is kept for the next build."""
    page = LINE.format(r"\textcolor{blue}{\boldsymbol M}") + DISPLAY.format(
        r"\begin{aligned} x &= 1 \\ y &= 2 \end{aligned}"
    )
    kept = typeset.FormulaCache(tmp_path / "kept.json")
    kept.add(typeset.formulas(page))
    made = kept.typeset_page(page)
    assert made.count("<mjx-container") == made.count("<math") == 2
    assert 'class="rd-blue"' in made and "\\(" not in made and "\\[" not in made and "(1)</span>" in made
    monkeypatch.setattr(typeset, "run_mathjax", lambda todo: pytest.fail(f"typeset anew: {todo}"))
    again = typeset.FormulaCache(tmp_path / "kept.json")
    again.add(typeset.formulas(page))
    assert again.typeset_page(page) == made
    assert any("mjx-container" in rule for rule in again.rules)


def test_a_rule_of_style_is_whole(tmp_path):
    """Also where a glyph is a brace, as before the cases of a definition by cases: braces pair outside of strings."""
    kept = typeset.FormulaCache(tmp_path / "kept.json")
    kept.add([(r"u = \begin{cases} 1 & z < N \\ 0 & z = N \end{cases} \in \{0, 1\}", True)])
    assert any('content: "{"' in rule for rule in kept.rules)
    for rule in kept.rules:
        head, _, body = rule.partition("{")
        assert head.strip() and "content" not in head and body.endswith("}"), rule
    glyph = 'a::before { content: "{"; } b { color: red; }'
    assert [head for head, _ in bundle_css.css_rules(glyph)] == ["a::before", "b"]


def test_a_formula_that_is_no_tex_is_told(tmp_path):
    """The error stands in the page, where the build finds it and fails."""
    kept = typeset.FormulaCache(tmp_path / "kept.json")
    kept.add([(r"\frac{1}{", False)])
    assert "mjx-merror" in kept.typeset_page(LINE.format(r"\frac{1}{"))


def test_what_belongs_together_stays_on_one_line():
    """A number and its unit, a formula with its bracket, comma or unit; words and code break as before."""
    kept = "\N{NO-BREAK SPACE}"
    assert (
        keep_together.bind_units("2.1 rad/s and 3 N m s/rad in kg m²")
        == f"2.1{kept}rad/s and 3{kept}N{kept}m{kept}s/rad in kg{kept}m²"
    )
    assert keep_together.bind_units("2 more, 3 masses, 4 kilns") == "2 more, 3 masses, 4 kilns"
    document = new_document("page")
    line = nodes.paragraph("", "", nodes.Text("a table ("), nodes.math("", "g = 0"), nodes.Text("), at "))
    line += [nodes.math("", "m = 2"), nodes.Text(" kg, and 3 m"), nodes.literal("", "3 m")]
    document += line
    keep_together.KeepTogether(document).run()
    assert [part.astext() for part in line if "bound" in getattr(part, "attributes", {}).get("classes", ())] == [
        "(g = 0),",
        f"m = 2{kept}kg,",
    ]
    assert line.astext() == f"a table (g = 0), at m = 2{kept}kg, and 3{kept}m3 m"


def test_a_cell_of_a_labeled_table_carries_the_heading_of_its_column():
    """All but the first cell and empty ones, so that a phone can put the cells below one another."""
    rows = [("law", "gain"), ("spring", "stiff"), ("none", "")]
    document = new_document("page")
    table = labeled(rows)
    document += table
    keep_together.KeepTogether(document).run()
    assert [cell.astext() for cell in table.findall(nodes.entry)] == [
        "law",
        "gain",
        "spring",
        "gain: stiff",
        "none",
        "",
    ]


def labeled(rows):
    """A table of the class labeled; the first row is its head."""
    head, *body = [
        nodes.row("", *(nodes.entry("", nodes.paragraph("", "", nodes.Text(x))) for x in row)) for row in rows
    ]
    return nodes.table("", nodes.tgroup("", nodes.thead("", head), nodes.tbody("", *body)), classes=["labeled"])


def test_a_dark_twin_has_the_dark_colors():
    """Terms keep their hue, paper becomes the dark ground, black becomes bright; the ground of a picture is left out."""
    head = (
        '<svg width="10pt" height="10pt"><g id="figure_1"><g id="patch_1"><path d="M 0 0" style="fill: #ffffff"/></g>'
    )
    light, dark = dark_images.light_and_dark(
        head + f'<path style="fill: {TERMS["inertia"]}; stroke: #000000"/></g></svg>'
    )
    assert "#ffffff" not in light and DARK[TERMS["inertia"]] in dark and "#000000" not in dark
    assert dark_images.dark_color(PAPER) == DARK[PAPER]
    assert int(dark_images.dark_color("#000000")[1:3], 16) > 200 > 60 > int(dark_images.dark_color("#f0f0f0")[1:3], 16)


def test_a_picture_stands_beside_its_twin_once():
    """With its size, its words, and lazily; a second run changes nothing; pictures from elsewhere stay."""
    page = '<img alt="An arm" src="../_images/abc.svg" /><img alt="Photo" src="../_images/x.png" />'
    made = dark_images.with_dark_images(page, {"abc": (640, 380)})
    assert made.count('alt="An arm"') == 2 and made.count('width="640" height="380"') == 2 and made.count("lazy") == 2
    assert 'src="../_images/abc-dark.svg"' in made and 'alt="Photo" src="../_images/x.png" />' in made
    assert dark_images.with_dark_images(made, {"abc": (640, 380)}) == made


@pytest.mark.parametrize(
    ("style", "short"),
    [
        (".a{color:red}.b{color:blue}", ".a{color:red}"),
        (".a .b,.a>p{x:y}", ".a>p{x:y}"),
        ("@media print{.b{x:y}}@media screen{.a{x:y}}", "@media screen{.a{x:y}}"),
        ("p:not(.b){x:y}", "p:not(.b){x:y}"),
        (":is(.a, .b) p{x:y}", ":is(.a, .b) p{x:y}"),
        ("@font-face{font-family:F}@keyframes k{from{x:y}}", "@font-face{font-family:F}\n@keyframes k{from{x:y}}"),
    ],
)
def test_rules_that_no_page_can_use_are_left_out(style, short):
    """By the classes and ids that occur; what stands in :not() or :is() decides nothing."""
    assert bundle_css.prune_css(style, {"a", "p"}) == short


def test_scripts_wait_and_styles_do_not():
    """No script is fetched first or held on to, what the others rely on at once stands in the page, in its place."""
    page = """<link rel="preload" as="script" href="a.js" />
    <script src="../_static/documentation_options.js?v=1"></script><script>OPTIONS.page = 1;</script><script src="a.js"></script>"""
    made = page_weight.lighten_page(page, "const OPTIONS = {};")
    assert "preload" not in made and '<script defer src="a.js">' in made
    assert made.index("<script>const OPTIONS = {};</script>") < made.index("<script>OPTIONS.page")


def test_a_font_of_icons_holds_those_of_the_style(tmp_path):
    """Named by number or as they stand, and no others: the drawing is that of the whole font."""
    static = next(Path(sphinx_book_theme.__file__).parent.parent.glob("pydata_sphinx_theme/theme/*/static"))
    font = "vendor/fontawesome/webfonts/fa-solid-900"
    (tmp_path / font).parent.mkdir(parents=True)
    shutil.copy(static / f"{font}.ttf", tmp_path / f"{font}.ttf")
    source = f'src:url({font}.woff2) format("woff2"),url({font}.ttf) format("truetype")'
    style = bundle_css.subset_icon_fonts(
        f'@font-face{{{source}}}.fa-moon{{--fa:"\\f186"}}.note{{--icon:"\uf05a"}}', tmp_path
    )
    inside = re.search(r'url\("data:font/woff;base64,([^"]*)"\) format\("woff"\)', style)
    assert inside is not None and "woff2" not in style
    whole = TTFont(tmp_path / f"{font}.ttf")
    few = TTFont(io.BytesIO(base64.b64decode(inside[1])))
    assert set(few.getBestCmap()) == {0xF186, 0xF05A}
    drawings = []
    for font in (whole, few):
        pen = RecordingPen()
        font.getGlyphSet()[font.getBestCmap()[0xF186]].draw(pen)
        drawings.append(pen.value)
    assert drawings[0] == drawings[1] != []


def test_the_search_for_what_scrolls_is_cut_from_the_theme():
    """The theme that is installed has it, once; the rest of its script stays in its place, for the source map."""
    script = next(
        Path(sphinx_book_theme.__file__).parent.parent.glob("pydata_sphinx_theme/theme/*/static/scripts/pydata*.js")
    ).read_text(encoding="utf8")
    made = page_weight.drop_search_for_scrollers(script)
    loads = 'addEventListener("load",'
    assert script.count(loads) - made.count(loads) == 1 and len(made) == len(script)


def test_files_of_a_style_are_found_from_its_new_place():
    """A font beside a style sheet in a folder is named from the folder above."""
    style = "@font-face{src:url('../webfonts/x.woff2'),url(data:font;x)}"
    assert (
        bundle_css.rebase_urls(style, "vendor/css") == "@font-face{src:url('vendor/webfonts/x.woff2'),url(data:font;x)}"
    )
