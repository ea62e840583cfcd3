"""The PDF and the EPUB that `make pdf epub` made, looked at by machine: `make test-paper`."""

import html
import json
import re
import subprocess
import zipfile

import pytest
from build_book import BUILD, ROOT, pages
from paper import ON_SCREEN
from print_book import CHECKER

PDF, EPUB = BUILD / "robotdyn.pdf", BUILD / "robotdyn.epub"
PRINTED = [name for name in pages() if name not in ON_SCREEN]
NUMBERED = re.compile(r'<span class="eqno">\((\d+\.\d+)\)')


@pytest.fixture(scope="module")
def paper():
    """What stands on the pages of the PDF."""
    command = [ROOT / ".venv" / "paper" / "bin" / "python", ROOT / "tests" / "paper_glyphs.py", PDF]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def web(name):
    """Return the page of the built book."""
    return (BUILD / "html" / f"{name}.html").read_text(encoding="utf8")


def test_no_glyph_stands_outside_of_its_column(paper):
    assert not paper["outside"], paper["outside"][:10]


def test_no_title_stands_at_the_foot_of_a_page_alone(paper):
    lines = [text.split() and text.strip().splitlines() for text in paper["texts"]]
    assert sum(page.count("What to see") for page in lines) > 80
    assert [k + 1 for k, page in enumerate(lines) if page and page[-1] == "What to see"] == []


def test_every_page_of_the_web_that_is_printed_is_a_bookmark(paper):
    titles = [html.unescape(re.search(r"<title>(.*?) &#8212;", web(name))[1]) for name in PRINTED]
    printed = [re.sub(r"^([\d.]+)\. ", r"\1 ", title) for title in titles]  # "2.8. From ..." is "2.8 From ..." on paper
    missing = [title for title in printed if title not in paper["bookmarks"]]
    assert not missing and len(titles) > 45


def test_every_numbered_equation_of_the_web_is_printed_once_with_its_mark(paper):
    wanted = [number for name in PRINTED for number in NUMBERED.findall(web(name))]
    printed = re.findall(r"\((\d+\.\d+)\)\s+[✓≈∗≔✗]", "\n".join(paper["texts"]))
    assert sorted(printed) == sorted(wanted) and len(wanted) > 400


def test_every_exercise_says_how_hard_it_is(paper):
    titles = re.findall(
        r"^Exercise \d+\.\d+ · [^()]*(?:\([^()]*\)?)?", "\n".join(paper["texts"]).replace("\r", ""), re.M
    )
    assert len(titles) > 200 and [title for title in titles if "(" in title and not title.rstrip().endswith(")")] == []


def test_no_reference_is_left_open(paper):
    text = "\n".join(paper["texts"])
    assert "??" not in text and "{cite" not in text and "{eq}" not in text and "{numref}" not in text


def test_the_pdf_is_tagged_and_small():
    data = PDF.read_bytes()
    assert data.startswith(b"%PDF-") and b"/StructTreeRoot" in data and b"/Lang" in data
    assert len(data) < 20e6 and EPUB.stat().st_size < 20e6


def test_the_epub_holds_every_chapter_and_formulas_as_mathml():
    with zipfile.ZipFile(EPUB) as book:
        chapters = {name: book.read(f"{name}.xhtml").decode() for name in PRINTED}
    assert sum(text.count("<math") for text in chapters.values()) > 3000
    assert not [
        name
        for name, text in chapters.items()
        if r"\(" in re.sub(r"<pre.*?</pre>|<code.*?</code>|<annotation.*?</annotation>", "", text, flags=re.S)
    ]


def test_every_equation_of_the_epub_has_its_mark():
    with zipfile.ZipFile(EPUB) as book:
        text = "".join(book.read(f"{name}.xhtml").decode() for name in PRINTED)
    assert text.count('class="proof-mark ') == sum(len(NUMBERED.findall(web(name))) for name in PRINTED) > 400


def test_epubcheck_finds_no_error():
    assert CHECKER.exists(), "epubcheck is missing (Debian, Ubuntu: apt install epubcheck)"
    done = subprocess.run(["java", "-jar", CHECKER, EPUB], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
