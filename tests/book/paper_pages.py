"""The PDF and the EPUB of each edition that `make pdf epub` made, looked at by machine: `make test-paper`."""

import functools
import html
import io
import json
import re
import subprocess
import xml.etree.ElementTree as ET
import zipfile

import pytest
from fontTools.ttLib import TTFont
from PIL import Image

from bookbuild import edition, solution_leaks
from bookbuild.build_book import BUILD, ROOT, pages
from bookbuild.build_pdf import EPUBCHECK, output_path
from bookbuild.typst_writer import SCREEN_ONLY_PAGES

MADE = [name for name in edition.EDITIONS if output_path("pdf", name).exists() and output_path("epub", name).exists()]
EDITIONS = [name for name in edition.EDITIONS if name == "reader" or name in MADE]
DC = "{http://purl.org/dc/elements/1.1/}"
NCX = "{http://www.daisy.org/z3986/2005/ncx/}"
XHTML = "{http://www.w3.org/1999/xhtml}"
NUMBERED = re.compile(r'<span class="eqno">\((\d+\.\d+)\)')
STYLED = re.compile(r'mathvariant="(?!normal")[^"]*"')


@pytest.fixture(scope="session", params=EDITIONS)
def name(request):
    """The edition."""
    if request.param not in MADE:
        word = "" if request.param == "reader" else f" EDITION={request.param}"
        pytest.fail(f"PDF and EPUB are not made: `make pdf epub{word}` makes them")
    return request.param


@functools.cache
def paper_of(name):
    """What stands on the pages of the PDF of an edition."""
    command = [
        ROOT / ".venv" / "paper" / "bin" / "python",
        ROOT / "tests" / "book" / "paper_glyphs.py",
        output_path("pdf", name),
    ]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.fixture
def paper(name):
    """What stands on the pages of the PDF."""
    return paper_of(name)


@functools.cache
def files_of(name):
    """The files of the EPUB of an edition."""
    with zipfile.ZipFile(output_path("epub", name)) as book:
        return {x: book.read(x) for x in book.namelist()}


@pytest.fixture
def book(name):
    """The files of the EPUB, by their names."""
    return files_of(name)


PRINTED = [x for x in pages() if x not in SCREEN_ONLY_PAGES]  # of the web; the teacher's edition has the exams, too


def web(page):
    """Return the page of the built book, as readers have it."""
    return (BUILD / "html" / f"{page}.html").read_text(encoding="utf8")


def numbers(page, name):
    """Return the numbers of the equations of a page; a student's edition has none of those in solutions."""
    text = web(page)
    if name == "student":
        text = re.sub(r'<div class="solution.*?(?=<div class="exercise|<section|</section>)', "", text, flags=re.S)
    return NUMBERED.findall(text)


def test_no_glyph_stands_outside_of_its_column(paper):
    assert not paper["outside"], paper["outside"][:10]


def test_no_title_stands_at_the_foot_of_a_page_alone(paper):
    lines = [text.split() and text.strip().splitlines() for text in paper["texts"]]
    assert sum(page.count("What to see") for page in lines) > 80
    assert [k + 1 for k, page in enumerate(lines) if page and page[-1] == "What to see"] == []


def test_every_page_of_the_web_that_is_printed_is_a_bookmark(paper, name):
    titles = [html.unescape(re.search(r"<title>(.*?) &#8212;", web(page))[1]) for page in PRINTED]
    words = [re.sub(r"^([\d.]+)\. ", r"\1 ", title) for title in titles]  # "2.8. From ..." is "2.8 From ..." on paper
    missing = [title for title in words if title not in paper["bookmarks"]]
    assert not missing and len(titles) > 45


def test_every_numbered_equation_of_the_web_is_printed_once_with_its_mark(paper, name):
    wanted = [number for page in PRINTED for number in numbers(page, name)]
    found = re.findall(r"\((\d+\.\d+)\)\s+[✓≈∗≔✗]", "\n".join(paper["texts"]))
    assert sorted(found) == sorted(wanted) and len(wanted) > 400


def test_every_exercise_says_how_hard_it_is(paper):
    titles = re.findall(
        r"^Exercise \d+\.\d+ · [^()]*(?:\([^()]*\)?)?", "\n".join(paper["texts"]).replace("\r", ""), re.M
    )
    assert len(titles) > 200 and [title for title in titles if "(" in title and not title.rstrip().endswith(")")] == []


def test_no_reference_is_left_open(paper):
    text = "\n".join(paper["texts"])
    assert "??" not in text and "{cite" not in text and "{eq}" not in text and "{numref}" not in text


def test_the_pdf_is_tagged_and_small(name):
    data = output_path("pdf", name).read_bytes()
    assert data.startswith(b"%PDF-") and b"/StructTreeRoot" in data and b"/Lang" in data
    assert len(data) < 20e6 and output_path("epub", name).stat().st_size < 20e6


def test_a_pdf_says_on_its_first_page_which_edition_it_is(paper, name, book):
    """And so does the EPUB."""
    others = {title for title in edition.TITLES.values() if title} - {edition.TITLES[name]}
    for words in (" ".join(paper["texts"][0].split()), book["title.xhtml"].decode()):
        assert "Robot Manipulator Dynamics" in words and edition.TITLES[name] in words
        assert not [title for title in others if title in words]


def test_solutions_and_exams_stand_where_they_belong(paper, name):
    """The reader's and the teacher's print solutions; the student's has no chapter of them and promises none; exams are the teacher's."""
    text = " ".join("\n".join(paper["texts"]).split())
    chapter = "Solutions to the exercises"
    assert (chapter in paper["bookmarks"]) == (chapter in text) == (name != "student")
    promised = ("solutions of the exercises stand at the back", "with a full solution", "a solution to unfold")
    assert [words for words in promised if words in text and name == "student"] == []
    assert sum(words in text for words in promised) == (0 if name == "student" else 3)
    exams = [x for x in paper["bookmarks"] if re.match(r"(?:Midterm|Final)", x)]
    assert (len(exams) >= 4) == (name == "teacher") and bool(exams) == (name == "teacher")


def test_the_students_books_tell_no_solution():
    """No six words in a row that only a solution has, on paper or on a device."""
    if "student" not in EDITIONS:
        pytest.skip("the student's edition is not made: `make pdf epub EDITION=student` makes it")
    seen, hidden = solution_leaks.visible_and_hidden_texts(ROOT)
    secret = set().union(*map(solution_leaks.ngrams, hidden)).difference(*map(solution_leaks.ngrams, seen))
    told = [*paper_of("student")["texts"], *(text_of(x) for x in chapters(files_of("student")))]
    assert len(secret) > 10_000 and set().union(*map(solution_leaks.ngrams, told)) & secret == set()
    assert set().union(*map(solution_leaks.ngrams, paper_of("reader")["texts"])) & secret


def text_of(page):
    """Return the words of a page of an EPUB."""
    return solution_leaks.TAGS.sub(lambda tag: "|" if tag[1] else "", html.unescape(page))


def chapters(book):
    """Return the pages of an EPUB that are of the book."""
    return [data.decode() for name, data in book.items() if name.startswith("book/") and name.endswith(".xhtml")]


def test_the_epub_holds_every_chapter_and_formulas_as_mathml(book, name):
    texts = {page: book[f"{page}.xhtml"].decode() for page in PRINTED}
    assert sum(text.count("<math") for text in texts.values()) > 3000
    assert not [
        page
        for page, text in texts.items()
        if r"\(" in re.sub(r"<pre.*?</pre>|<code.*?</code>|<annotation.*?</annotation>", "", text, flags=re.S)
    ]


def test_every_equation_of_the_epub_has_its_mark(book, name):
    text = "".join(book[f"{page}.xhtml"].decode() for page in PRINTED)
    assert text.count('class="proof-mark ') == sum(len(numbers(page, name)) for page in PRINTED) > 400


def test_bold_letters_are_letters_of_unicode(book):
    """MathML Core knows no bold: vectors and matrices would be thin. The mass matrix stands all over the book."""
    text = "".join(chapters(book))
    formulas = re.findall(r"<math.*?</math>", text, re.S)
    assert [x for x in formulas if STYLED.search(x)] == []
    assert sum(x.count("<mi>𝑴</mi>") for x in formulas) > 300 and sum(x.count("𝒒") for x in formulas) > 300


def test_the_font_of_the_epub_has_each_letter_of_its_formulas(book):
    """A device without a font of formulas shows no empty boxes."""
    font = TTFont(io.BytesIO(book["_static/math.otf"]))
    formulas = re.findall(r"<math.*?</math>", "".join(chapters(book)), re.S)
    used = set(html.unescape(re.sub(r"<[^>]*>|\s", "", "".join(formulas)))) - set(
        "\u2061\u2062\u2063\u200b\u00a0\u2009"
    )
    assert len(used) > 150 and sorted(used - set(map(chr, font.getBestCmap()))) == []
    assert "MATH" in font and b'url("math.otf")' in book["_static/epub.css"]


def test_the_contents_of_the_epub_are_those_of_the_web(book, name):
    """Parts, chapters with their numbers, sections: for new readers and for old ones, and each leads to its place."""
    nav = ET.fromstring(book["nav.xhtml"].decode().split("<!DOCTYPE html>")[1])
    first = next(nav.iter(f"{XHTML}nav"))
    parts = [x.text for x in first.iter(f"{XHTML}span")]
    links = [(x.text, x.get("href")) for x in first.iter(f"{XHTML}a")]
    captions = re.findall(r"- caption: (.+)", edition.edition_toc((ROOT / "_toc.yml").read_text("utf8"), name))
    assert parts == captions and len(links) > 300
    titles = {to.removesuffix(".xhtml"): words for words, to in links if "#" not in to}
    for page in pages():
        if name != "student" or page not in edition.TEACHER_PAGES:
            assert (
                titles[page] == html.unescape(re.search(r"<title>(.*?) &#8212;", web(page))[1]) or page == "book/index"
            )
    assert all(
        any(to.startswith(f"{page}.xhtml#") for _, to in links)
        for page in PRINTED
        if page not in ("book/preface", "book/glossary", "book/bibliography")  # without sections
    )
    for _, to in links:
        page, _, anchor = to.partition("#")
        assert page in book and (not anchor or f'id="{anchor}"' in book[page].decode()), to
    points = [(x[0][0].text, x[1].get("src")) for x in ET.fromstring(book["toc.ncx"]).iter(f"{NCX}navPoint")]
    assert [x for x in points if x[0] not in parts] == links and len(points) == len(links) + len(parts)


def test_the_epub_says_what_it_is(book, name):
    """Title, author, language, publisher, rights, description, date, identifier; a cover that is a picture."""
    package = ET.fromstring(book["content.opf"])
    told = {x.tag.removeprefix(DC): x.text for x in package[0] if x.tag.startswith(DC)}
    assert set(told) == {
        "identifier",
        "language",
        "title",
        "creator",
        "publisher",
        "date",
        "description",
        "rights",
        "subject",
    }
    assert told["creator"] == "The robotdyn authors" and told["language"] == "en" and "CC BY 4.0" in told["rights"]
    assert told["title"].startswith("Robot Manipulator Dynamics") and edition.TITLES[name] in told["title"]
    assert re.fullmatch(r"\d{4}", told["date"]) and len(told["description"]) > 100
    assert told["identifier"] == f"urn:uuid:{told['identifier'].split(':')[-1]}"
    (cover,) = [x.get("href") for x in package[1] if x.get("properties") == "cover-image"]
    with Image.open(io.BytesIO(book[cover])) as picture:
        assert picture.size[1] > 1500 and len(picture.convert("RGB").getcolors(1 << 24)) > 20


def test_two_editions_are_two_books():
    """No library takes one for the other."""
    found = [re.search(rb"urn:uuid:[^<]*", files_of(name)["content.opf"])[0] for name in EDITIONS]
    assert len(set(found)) == len(EDITIONS)


def test_epubcheck_finds_no_error(name):
    assert EPUBCHECK.exists(), "epubcheck is missing (Debian, Ubuntu: apt install epubcheck)"
    command = ["java", "-jar", EPUBCHECK, output_path("epub", name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "WARNING" not in done.stderr, done.stderr[-3000:]
