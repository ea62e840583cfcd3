"""The book can be read by everyone: axe-core finds nothing on any page, in light or dark, that is the book's own."""

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


@pytest.mark.parametrize("name", build_book.pages())
def test_axe_finds_nothing(browser, site, axe, name):
    """Neither in the text and the figures of a page, nor around it, but for what is listed above with its reason.

    In dark mode the page is the same but for its colors.  For colors a letter stands for each formula, whose hundreds of
    glyphs axe would take one by one: test_house_pages measures their contrast, too.
    """
    page, _ = opened(browser, site, address(site, "file", name), color_scheme="light", bypass_csp=True)
    settled(page)
    assert found(page, axe, rules={"color-contrast": {"enabled": False}}) == {}
    page.evaluate("document.querySelectorAll('mjx-container').forEach(formula => formula.replaceChildren('x'))")
    page.add_style_tag(content="* { transition: none !important; }")  # colors are there when the scheme is
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(f"document.documentElement.dataset.theme === '{scheme}'")
        assert found(page, axe, runOnly={"type": "rule", "values": ["color-contrast"]}) == {}, scheme
    page.context.close()
