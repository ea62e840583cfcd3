"""The search leads to the explanation: each term of the subject index has its section, and these terms have an entry."""

import json
import re

import pytest
from sphinx.application import Sphinx

from bookbuild import lint, subject_index

ASKED = ["Coriolis", "inverse dynamics", "LQR", "Jacobian", "kinetic energy of a link", "mass matrix"]
ASKED += ["Christoffel symbols", "regressor"]


def headings(page):
    """The headings of a page as parts of an address."""
    cells = json.loads((lint.ROOT / "book" / f"{page}.ipynb").read_text(encoding="utf8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return {re.sub(r"[^a-z0-9]+", "-", x.lower()).strip("-") for x in re.findall(r"^#+ (.+)$", text, re.M)}


@pytest.mark.parametrize("page", subject_index.terms())
def test_each_term_has_its_section(page):
    """A heading that was renamed takes its terms along."""
    missing = {x: section for x, section in subject_index.terms()[page].items() if section not in headings(page)}
    assert missing == {}


def test_what_readers_ask_for_has_an_entry():
    """In one place each."""
    terms = [term for found in subject_index.terms().values() for term in found]
    assert len(terms) == len(set(terms)) and set(ASKED) <= set(terms)


def test_a_page_that_is_not_written_again_keeps_its_terms(tmp_path, monkeypatch):
    """Sphinx alone forgets them when another page changes."""
    monkeypatch.setattr(subject_index, "terms", lambda: {"first": {"Coriolis": "first"}})
    (tmp_path / "first.rst").write_text("First\n=====\n\nWords.\n", "utf8")
    for words in ("Words.", "Others."):
        (tmp_path / "index.rst").write_text(f"Index\n=====\n\n{words}\n\n.. toctree::\n\n   first\n", "utf8")
        html, own = tmp_path / "html", {"extensions": ["bookbuild.subject_index"]}
        Sphinx(tmp_path, None, html, tmp_path / "trees", "html", own, status=None, warning=None).build()
        index = json.loads((html / "searchindex.js").read_text("utf8")[len("Search.setIndex(") : -1])
        assert index["indexentries"] == {"coriolis": [[index["docnames"].index("first"), "first", True]]}


@pytest.mark.slow
@pytest.mark.parametrize("term", ASKED)
def test_the_section_that_explains_a_term_comes_first(browser, site, term):
    """In the page of results of the built book, with a sentence for an excerpt."""
    page = browser.new_page()
    page.goto(f"{site}/search.html?q={term.replace(' ', '+')}")
    first = page.locator("#search-results li").first
    first.locator("p.context").wait_for()
    page.wait_for_function("() => /finished|matching/.test(document.querySelector('.search-summary').textContent)")
    where, said = first.locator("a").first.get_attribute("href"), first.locator("p.context").inner_text()
    page.close()
    chapter, section = next((p, found[term]) for p, found in subject_index.terms().items() if term in found)
    assert f"book/{chapter}.html" in where and where.endswith(f"#{section}")
    assert re.match(r"[A-Z“\"(]", said) and re.search(r"[.?!:…]$", said) and "\\" not in said
