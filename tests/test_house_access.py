"""The book can be read by everyone: axe-core finds nothing on any page, nor in the colors of some, that is the book's own."""

import build_book
import pytest
from browsing import address, opened, settled

pytestmark = pytest.mark.slow

# What the theme and its parts bring, and why it stays.
OF_THE_THEME = {
    "label-content-name-mismatch": "the search and color buttons of the theme are named by more than they show",
    "region": "the theme's announcement and skip link stand outside of its landmarks",
    "landmark-unique": "the theme has two navigations and names one of them",
}

# What docutils makes of a bibliography: roles of digital publishing that the newest rules no longer allow on a div.
OF_DOCUTILS = {
    "aria-allowed-role",
    "aria-deprecated-role",
    "aria-required-children",
    "aria-required-parent",
    "list",
    "listitem",
}


@pytest.fixture(scope="module")
def axe():
    """axe-core, as a package brings it."""
    pytest.importorskip("axe_playwright_python", reason="pip install axe-playwright-python")
    from axe_playwright_python.sync_playwright import Axe

    return Axe()


def found(page, axe, **options):
    """What axe finds that is the book's own: {rule: [element: what is wrong]}."""
    own = {}
    for violation in axe.run(page, options={"resultTypes": ["violations"], **options}).response["violations"]:
        for node in violation["nodes"]:
            where = page.locator(node["target"][-1]).first
            inside = where.evaluate("e => !!e.closest('article.bd-article')")
            entry = where.evaluate("e => !!e.closest('.citation-list')")
            if (violation["id"] in OF_DOCUTILS and entry) or (violation["id"] in OF_THE_THEME and not inside):
                continue
            own.setdefault(violation["id"], []).append(f"{node['target'][-1]}: {node['failureSummary'][:200]}")
    return own


WITHOUT_GLYPHS = "document.querySelectorAll('mjx-math').forEach(glyphs => glyphs.replaceChildren('x'))"


@pytest.mark.parametrize("name", build_book.pages())
def test_axe_finds_nothing(browser, site, axe, name):
    """Neither in the text and the figures of a page, nor around it, but for what is listed above with its reason.

    A letter stands for the hundreds of glyphs of each formula, which are hidden from readers' software; its MathML stays.
    """
    page, _ = opened(browser, site, address(site, "file", name), color_scheme="light", bypass_csp=True)
    settled(page)
    page.evaluate(WITHOUT_GLYPHS)
    assert found(page, axe, rules={"color-contrast": {"enabled": False}}) == {}
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["book/index", "book/lagrange", "book/students"])
def test_axe_reads_each_color(browser, site, axe, name, scheme):
    """Around the text, too; test_house_pages measures the contrast within the text of every page."""
    page, _ = opened(browser, site, address(site, "file", name), color_scheme=scheme, bypass_csp=True)
    settled(page)
    page.evaluate(WITHOUT_GLYPHS)
    assert found(page, axe, runOnly={"type": "rule", "values": ["color-contrast"]}) == {}
    page.context.close()
