"""The glossary and the pages lead to each other: each entry to the section of the subject index, and a page to each entry."""

import json
import re

from sphinx.application import Sphinx

from bookbuild import lint, subject_index

TEXT = (lint.ROOT / "book" / "glossary.md").read_text(encoding="utf8")
BODY = re.search(r"^```\{glossary\}\n(.*?)^```$", TEXT, re.M | re.S)[1]
ENTRIES = {words.split("\n", 1)[0]: words.split("\n", 1)[1] for words in BODY.strip().split("\n\n")}
PAGES = sorted((lint.ROOT / "book").glob("*.ipynb"))
INDEX = {term: (page, section) for page, found in subject_index.terms().items() for term, section in found.items()}


def markdown(path):
    """The text of a page without its code."""
    cells = json.loads(path.read_text(encoding="utf8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def terms_of(text):
    """The terms of the glossary to which a text leads."""
    found = re.findall(r"\{term\}`([^`]+)`", text)
    return {words.partition("<")[2].removesuffix(">") or words for words in found}


def test_entries_lead_to_the_sections_of_the_index():
    """One source says where a term is explained."""
    places = {term: "]({}.ipynb#{})".format(*INDEX.get(term, ("no page", "no section"))) for term in ENTRIES}
    assert {term for term, place in places.items() if place not in ENTRIES[term]} == set()


def test_entries_are_sentences_and_places():
    """What a term means, where it stands in this book, and chapters of other books by the letters that the page explains."""
    chapters = r"(?:[SMFL] (?:\d+|[A-E])(?: and \d+)?|T \*[^*]+\*)"
    entry = rf"  [A-Z“].*[.]\n  \*In this book:\* .+[.](?:\n  \*Elsewhere:\* {chapters}(?:, {chapters})*[.])?"
    assert {term for term, words in ENTRIES.items() if not re.fullmatch(entry, words)} == set()


def test_entries_stand_in_the_order_of_the_alphabet():
    """As a reader looks for them."""
    order = [term.casefold().replace("ö", "o").replace("é", "e").replace("ü", "u") for term in ENTRIES]
    assert order == sorted(order)


def test_pages_lead_to_every_entry_and_to_no_other():
    """An entry without a page that uses the term would be a list for its own sake."""
    used = {term for path in PAGES for term in terms_of(markdown(path))}
    assert used == set(ENTRIES)


def test_a_link_to_a_term_says_what_it_means(tmp_path):
    """In its title, and nothing of where."""
    (tmp_path / "page.md").write_text("# Page\n\nA {term}`gap` here, {term}`gaps <gap>` there.\n", "utf8")
    glossary = "# Words\n\n```{glossary}\ngap\n  A *jump*\n  of the state.\n  *In this book:* [Page](page.md).\n```\n"
    (tmp_path / "words.md").write_text(glossary, "utf8")
    (tmp_path / "index.md").write_text("# Index\n\n```{toctree}\npage\nwords\n```\n", "utf8")
    # the default of source_suffix is one dict for all of a process, to which other tests have added
    own = {"extensions": ["myst_parser", "bookbuild.term_definitions"], "source_suffix": {".md": "markdown"}}
    Sphinx(tmp_path, None, tmp_path / "html", tmp_path / "trees", "html", own, status=None, warning=None).build()
    page = (tmp_path / "html" / "page.html").read_text("utf8")
    links = re.findall(r'<a class="reference internal" href="words.html#term-gap" title="([^"]*)"', page)
    assert links == ["A jump of the state."] * 2
