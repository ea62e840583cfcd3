"""The EPUB by its parts: letters of Unicode for the styles of MathML, contents, package."""

import json
import re
import unicodedata
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from matplotlib import get_data_path

from bookbuild import epub_builder
from coursework import mathml

CONTENTS = [
    ["", "", [["Preface", "book/preface.xhtml", []]]],
    ["Rods & <beads>", "", [["1. A rod", "book/rod.xhtml", [["1.1. It turns", "book/rod.xhtml#it-turns", []]]]]],
]
ABOUT = {
    "title": "Rods",
    "author": "Ada & Bob",
    "year": "2026",
    "edition": "Edition for students",
    "version": "1.2",
    "description": "On rods.",
    "rights": "CC BY 4.0",
}
DC = "{http://purl.org/dc/elements/1.1/}"
OPF = "{http://www.idpf.org/2007/opf}"
FONT = Path(get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"


@pytest.mark.parametrize("style", sorted(mathml.MATH_VARIANTS))
def test_a_styled_letter_is_the_same_letter_in_its_style(style):
    """Unicode says of each which letter it stands for; its name says the style; no letter of two alphabets is missed."""
    for letter in map(chr, [*range(65, 91), *range(97, 123), *range(0x3B1, 0x3CA), *range(0x391, 0x3A2)]):
        made = mathml.math_alphanumeric(letter, style)
        if not unicodedata.name(letter, ""):
            continue
        assert unicodedata.normalize("NFKD", made) == letter
        if letter.isascii():  # all styles have the letters of Latin; of Greek some have
            assert made != letter and (
                mathml.MATH_VARIANTS[style] in unicodedata.name(made)
                or made == "ℎ"
                or "BLACK-LETTER" in unicodedata.name(made)
            )


@pytest.mark.parametrize(
    ("letter", "style", "code"),
    [
        ("M", "bold", 0x1D40C),
        ("q", "bold-italic", 0x1D492),
        ("τ", "bold-italic", 0x1D749),
        ("ϕ", "bold-italic", 0x1D753),
        ("φ", "bold-italic", 0x1D74B),
        ("ϵ", "bold-italic", 0x1D750),
        ("ε", "bold-italic", 0x1D73A),
        ("Σ", "bold", 0x1D6BA),
        ("1", "bold", 0x1D7CF),
        ("0", "bold-italic", 0x1D7CE),  # no digit is slanted
        ("ℓ", "bold-italic", 0x1D4F5),
        ("∇", "bold", 0x1D6C1),
        ("R", "double-struck", 0x211D),
        ("L", "script", 0x2112),
        ("C", "fraktur", 0x212D),
        ("=", "bold", 0x3D),
    ],
)
def test_a_letter_is_that_of_the_table_of_unicode(letter, style, code):
    """Mathematical Alphanumeric Symbols, U+1D400 to U+1D7FF, and Letterlike Symbols."""
    assert ord(mathml.math_alphanumeric(letter, style)) == code


def test_no_style_is_left_that_a_browser_does_not_know():
    """MathML Core has "normal" alone; colors, entities and other attributes stay."""
    told = '<math><mi mathvariant="bold">M</mi><mi mathvariant="normal" class="x">d</mi><mn mathvariant="bold">10</mn></math>'
    assert (
        mathml.with_math_alphanumerics(told)
        == '<math><mi>𝐌</mi><mi mathvariant="normal" class="x">d</mi><mn>𝟏𝟎</mn></math>'
    )
    entities = (
        '<mi class="rd-blue" mathvariant="bold-italic" style="color: red">&#x3C4;</mi><mo mathvariant="bold">&lt;</mo>'
    )
    assert mathml.with_math_alphanumerics(entities) == '<mi class="rd-blue" style="color: red">𝝉</mi><mo>&lt;</mo>'


@pytest.fixture
def book(tmp_path):
    """A book of two pages and a proof, packed; its files by name, and the path."""
    source = tmp_path / "epub"
    for folder in ("book/proofs", "_images", "_static"):
        (source / folder).mkdir(parents=True)
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><math><mi>Ω</mi></math></body></html>'
    for name in ("preface", "rod", "proofs/rod"):
        (source / "book" / f"{name}.xhtml").write_text(page, "utf8")
    (source / "book" / "left-over.xhtml").write_text(page, "utf8")
    (source / "_static" / "pygments.css").write_text("pre {}", encoding="utf-8")
    (source / "_images" / "rod.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg"><path/></svg>', encoding="utf-8"
    )
    (source / "contents.json").write_text(json.dumps(CONTENTS), encoding="utf-8")
    made = tmp_path / "rods.epub"
    epub_builder.pack_epub(source, made, ABOUT, b"PNG", FONT)
    with zipfile.ZipFile(made) as book:
        return {name: book.read(name) for name in book.namelist()}, made


def test_the_package_tells_what_the_book_is(book):
    """Title with its edition, author, language, rights, date, identifier, cover; the same book has the same identifier."""
    about = ET.fromstring(book[0]["content.opf"])[0]
    told = {x.tag.removeprefix(DC): x.text for x in about if x.tag.startswith(DC)}
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", told.pop("identifier")) and told.pop("subject")
    assert told == {
        "title": "Rods (Edition for students)",
        "language": "en",
        "creator": "Ada & Bob",
        "publisher": "Ada & Bob",
        "date": "2026",
        "description": "On rods.",
        "rights": "CC BY 4.0",
    }
    cover = [x.get("href") for x in ET.fromstring(book[0]["content.opf"])[1] if x.get("properties") == "cover-image"]
    assert cover == ["cover.png"] and book[0]["cover.png"] == b"PNG"


def test_the_manifest_holds_each_file_once_and_the_spine_each_page(book):
    """In the order of the contents, proofs last; what no page of the book is stays out."""
    files, made = book
    package = ET.fromstring(files["content.opf"])
    items = {x.get("href"): x for x in package[1]}
    assert set(items) == set(files) - {"mimetype", "META-INF/container.xml", "content.opf"} and len(package[1]) == len(
        items
    )
    names = {x.get("id"): x.get("href") for x in package[1]}
    spine = [names[x.get("idref")] for x in package[2]]
    assert spine == ["title.xhtml", "nav.xhtml", "book/preface.xhtml", "book/rod.xhtml", "book/proofs/rod.xhtml"]
    assert items["book/rod.xhtml"].get("properties") == "mathml" and names[package[2].get("toc")] == "toc.ncx"
    with zipfile.ZipFile(made) as packed:
        first = packed.infolist()[0]
    assert (first.filename, first.compress_type, files["mimetype"]) == (
        "mimetype",
        zipfile.ZIP_STORED,
        b"application/epub+zip",
    )


def test_the_contents_have_parts_chapters_and_sections(book):
    """For new readers and for old ones; a part is a title over its chapters."""
    page = ET.fromstring(book[0]["nav.xhtml"].split(b"<!DOCTYPE html>")[1])
    links = [(x.tag.rpartition("}")[2], x.get("href"), x.text) for x in page.iter() if x.tag.endswith(("}a", "}span"))]
    assert links[:5] == [
        ("a", "title.xhtml", "Title page"),
        ("a", "book/preface.xhtml", "Preface"),
        ("span", None, "Rods & <beads>"),
        ("a", "book/rod.xhtml", "1. A rod"),
        ("a", "book/rod.xhtml#it-turns", "1.1. It turns"),
    ]
    points = ET.fromstring(book[0]["toc.ncx"]).iter("{http://www.daisy.org/z3986/2005/ncx/}navPoint")
    told = [(x.get("id"), x[0][0].text, x[1].get("src")) for x in points]
    assert [x[1:] for x in told] == [(words, to or "book/rod.xhtml") for _, to, words in links[:5]]
    assert [x[0] for x in told] == [f"point-{k}" for k in range(1, 6)]


def test_the_font_has_what_the_formulas_need_and_no_more(book, tmp_path):
    """A letter alone is slanted by the reader: its slanted letter is there, if the font has one."""
    (tmp_path / "math.otf").write_bytes(book[0]["_static/math.otf"])
    have = set(TTFont(tmp_path / "math.otf").getBestCmap())
    whole = set(TTFont(FONT).getBestCmap())
    assert have == {ord("Ω"), ord(mathml.math_alphanumeric("Ω", "italic"))} & whole and len(whole) > 5000


def test_two_editions_are_two_books(book, tmp_path):
    """A library keeps them apart by their identifiers."""
    epub_builder.pack_epub(tmp_path / "epub", tmp_path / "other.epub", ABOUT | {"edition": ""}, b"PNG", FONT)
    with zipfile.ZipFile(tmp_path / "other.epub") as other:
        said = other.read("content.opf").decode()
    one = book[0]["content.opf"].decode()
    assert re.search("urn:uuid:[^<]*", said)[0] != re.search("urn:uuid:[^<]*", one)[0]
    assert "<dc:title>Rods</dc:title>" in said
    assert b"students" in book[0]["title.xhtml"]
