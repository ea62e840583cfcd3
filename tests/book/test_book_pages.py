"""Every page of the built book, opened without a network: complete, typeset, not cut off, readable by everyone, no errors."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from browsing import FAR, address, opened, settled

from bookbuild import build_book

pytestmark = pytest.mark.slow
PAGES = build_book.pages()


ICONS = {f'"Font Awesome 6 {family}" normal' for family in ("Free", "Brands")} | {"FontAwesome normal"}


UNFOLD = """() => {
  document.querySelectorAll("details").forEach(box => { box.open = true; });
  document.querySelectorAll(".admonition.toggle-hidden > .admonition-title").forEach(title => title.click());  // solutions
  return document.querySelectorAll(".toggle-hidden").length;
}"""


@pytest.fixture(scope="module", params=PAGES)
def leaf(browser, site, request):
    """A page as a file, opened as on a phone, all of it drawn with every fold open: the tests of one page share it."""
    options = {"viewport": {"width": 390, "height": 800}, "color_scheme": "light", "bypass_csp": True}
    page, trouble = opened(browser, site, address(site, "file", request.param), **options)
    page.fonts_at_first = loaded_fonts(page)
    page.add_style_tag(content="* { transition: none !important; }")  # colors are there when the scheme is
    assert page.evaluate(UNFOLD) == 0
    settled(page)
    page.trouble = trouble
    yield page
    page.context.close()


def loaded_fonts(page):
    """The families of the fonts that a page has, each with its style."""
    return set(
        page.evaluate("[...document.fonts].filter(x => x.status === 'loaded').map(x => `${x.family} ${x.style}`)")
    )


def sized(page, width):
    """The page, so many pixels wide, drawn."""
    if page.viewport_size["width"] != width:
        page.set_viewport_size({"width": width, "height": 800})
        settled(page)
    return page


@pytest.fixture
def wide(leaf):
    """The page 1280 pixels wide."""
    return sized(leaf, 1280)


@pytest.fixture
def phone(leaf):
    """The page 390 pixels wide."""
    return sized(leaf, 390)


def test_a_page_is_complete_without_a_network(phone):
    """No other host, no error, nothing missing, mathematics typeset, no failed cell, words for each picture."""
    page = phone
    trouble = list(phone.trouble)
    source = Path(unquote(urlsplit(page.url).path)).read_text(encoding="utf-8")
    formulas = len(re.findall(r'class="math notranslate', source))
    typeset = page.locator("mjx-container").count()
    assert typeset >= formulas, f"{formulas} formulas, {typeset} typeset"
    for error in page.locator("mjx-merror, [data-mjx-error]").all():
        trouble.append(f"formula: {error.get_attribute('data-mjx-error') or error.inner_text()}")
    assert page.locator("main").get_by_text(re.compile(r"Traceback \(most recent call last\)")).count() == 0
    assert page.locator("main .output.traceback").count() == 0
    for image in page.locator("main img").all():
        alt = image.get_attribute("alt") or ""
        src = image.get_attribute("src")
        if not alt.strip() or "_images/" in alt:
            trouble.append(f"picture without words for those who cannot see it: {src}")
        if not image.evaluate("image => image.naturalWidth > 0 || image.loading === 'lazy'"):
            trouble.append(f"picture not shown: {src}")
    assert trouble == []


def test_a_page_that_asks_another_host_is_told(browser, tmp_path):
    """By name or by number, for a picture, a script or a conversation; and none of them is reached."""
    asks = """<img src="https://example.com/x"><script src="http://192.0.2.1/x"></script><script>
      fetch("http://example.org/x").catch(() => 0); new WebSocket("ws://192.0.2.2/x");</script>"""
    (tmp_path / "page.html").write_text(asks, encoding="utf-8")
    page, trouble = opened(browser, "http://127.0.0.1", (tmp_path / "page.html").as_uri())
    named = [f"{host}/x" for host in ("https://example.com", "http://192.0.2.1", "http://example.org")]
    wanted = {words + each for each in named for words in ("asks another host: ", "not loaded: ")} | {
        "ws://192.0.2.2/x"
    }
    for _ in range(200):
        missing = [words for words in wanted if not any(words in told for told in trouble)]
        if not missing:
            break
        page.wait_for_timeout(20)
    page.context.close()
    assert missing == []


def test_a_page_has_its_fonts_before_they_are_drawn(phone):
    """All text and all formulas, also those in folds and far below, are in fonts that the page had when it was loaded.

    So it is printed with all its letters, right away; and the fonts are those of the book, not of the system.
    """
    assert loaded_fonts(phone) - ICONS == phone.fonts_at_first - ICONS
    first = {name.replace('"', "") for name in phone.fonts_at_first}  # browsers differ in whether they quote a name
    assert {"Book Serif normal", "Book Sans normal"} <= first
    family = phone.evaluate("getComputedStyle(document.querySelector('.bd-article p')).fontFamily")
    assert family.replace('"', "").startswith("Book Serif")


UNREACHABLE = """() => {
  const wider = (e, by) => e.scrollWidth > e.clientWidth + by;
  const told = e => `${e.tagName} ${e.textContent.trim().slice(0, 40)}`;
  const reached = e => e.tabIndex >= 0 || e.querySelector("a[href], [tabindex='0']");
  const all = [...document.querySelectorAll("article.bd-article :not(:is(mjx-math, mjx-assistive-mml, svg) *)")];
  const scroll = all.filter(e => /auto|scroll/.test(getComputedStyle(e).overflowX) && e.clientWidth);
  const formulas = all.filter(e => e.matches("mjx-container") && e.tabIndex >= 0 && e.clientWidth);
  const idle = formulas.filter(e => !scroll.includes(e) || !wider(e, 0));
  return [scroll.filter(e => wider(e, 2) && !reached(e)).map(told), idle.map(told)];
}"""


CUT_OFF = """(scrolling) => {
  const told = e => `${e.tagName}.${e.className} ${e.textContent.trim().slice(0, 50)}: ${e.scrollWidth} in ${e.clientWidth}`;
  const shown = e => e.getClientRects().length && e.checkVisibility();
  const kinds = "div.highlight pre, div.cell_output pre, table, mjx-container[display='true'], .cell_output img, figure img, canvas";
  const within = [...document.querySelectorAll(`article.bd-article :is(${kinds})`)].filter(shown);
  const hidden = e => /hidden|clip/.test(getComputedStyle(e).overflowX) || scrolling;
  const cut = within.filter(e => e.scrollWidth > e.clientWidth + 2 && e.clientWidth && hidden(e)).map(told);
  const right = document.querySelector("article.bd-article").getBoundingClientRect().right;
  const scrolls = e => e.closest("div.highlight, table, mjx-container, .pst-scrollable-table-container, div.cell_output pre");
  const out = within.filter(e => !scrolls(e) && e.getBoundingClientRect().right > right + 2).map(told);
  const lines = [...document.querySelectorAll("article.bd-article span.math")].filter(e => shown(e) && /auto|hidden/.test(getComputedStyle(e).overflowY));
  const room = e => e.querySelector("mjx-math").getBoundingClientRect().top - e.getBoundingClientRect().top;
  const tops = lines.filter(e => e.clientHeight && room(e) < 1).map(e => `the top of ${told(e)}`);
  return [...cut, ...out, ...tops];
}"""


# Marks of proofs that lie on a formula or beyond its line, or are too small for a finger: less than 24 pixels high.
MET = """() => [...document.querySelectorAll("a.proof-mark")].filter(mark => {
  const box = mark.closest("div.math"), a = mark.getBoundingClientRect(), edge = box.getBoundingClientRect();
  const b = box.querySelector("mjx-container").getBoundingClientRect();
  const apart = a.left >= b.right - 1 || a.right <= b.left + 1 || a.top >= b.bottom - 1 || a.bottom <= b.top + 1;
  return !apart || a.right > edge.right + 1 || a.height < 23.5;
}).map(mark => mark.getAttribute("aria-label"))"""
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def check_nothing_is_cut_off(page, scrolling):
    """No page scrolls sideways; wide equations, tables and code do by themselves, also by keyboard; no mark meets a formula."""
    assert page.evaluate(CUT_OFF, scrolling) == [] and page.evaluate(SIDEWAYS) <= 1 and page.evaluate(MET) == []
    assert page.evaluate(UNREACHABLE) == [[], []]
    assert page.trouble == []


def test_nothing_is_cut_off_on_a_phone(phone):
    """At 390 pixels code may scroll, pictures may not."""
    check_nothing_is_cut_off(phone, False)


def test_nothing_is_cut_off(wide):
    """At 1280 pixels code, tables, formulas and pictures are seen whole."""
    check_nothing_is_cut_off(wide, True)


# Marks of the source that a page must have turned into something: formulas, roles, directives, emphasis, links, references.
UNTURNED = """() => {
  const marks = /\\$\\$|\\\\(?:frac|boldsymbol|begin|dot|mathrm)|\\{(?:ref|eq|numref|doc|cite:\\w+|prf:ref)\\}|:::|\\?\\?|\\*\\*|\\]\\(#|\\bundefined\\b/;
  const walk = document.createTreeWalker(document.querySelector("article.bd-article"), NodeFilter.SHOW_TEXT), found = [];
  while (walk.nextNode()) {
    const { data, parentElement: within } = walk.currentNode;
    if (marks.test(data) && !within.closest("code, pre, dl.py, table.proof-ledger, script, style, mjx-container")) found.push(data.trim().slice(0, 80));
  }
  return found;
}"""


def test_no_mark_of_the_source_is_seen(wide):
    """Neither raw LaTeX nor raw roles, nor a reference that leads nowhere; docstrings and the ledger quote LaTeX."""
    assert wide.evaluate(UNTURNED) == []


def test_a_link_into_a_fold_opens_it(browser, site):
    """An entry of the errata is seen, at the top of the window, by whichever way its link is followed."""
    entry = "errata-s2-e12"
    page, trouble = opened(browser, site, f"{address(site, 'file', 'book/sources')}#{entry}")
    seen = f"""() => {{
      const e = document.getElementById("{entry}"), top = e.getBoundingClientRect().top;
      return getComputedStyle(e).visibility === "visible" && top >= 0 && top < innerHeight / 2;
    }}"""
    page.wait_for_function(seen)
    page.goto(address(site, "file", "book/sources"))
    page.locator(f"a[href='#{entry}']").first.click()
    page.wait_for_function(seen)
    page.context.close()
    assert trouble == []


CONTRAST = """() => {
  const rgb = text => (text.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
  const light = ([r, g, b]) => {
    const f = v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
    return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b);
  };
  const over = (a, b) => a.slice(0, 3).map((v, i) => v * (a[3] ?? 1) + b[i] * (1 - (a[3] ?? 1)));
  const grounds = new Map([[null, [255, 255, 255]]]);
  const ground = e => {
    if (!grounds.has(e)) grounds.set(e, over(rgb(getComputedStyle(e).backgroundColor), ground(e.parentElement)));
    return grounds.get(e);
  };
  const faint = [];
  for (const element of document.querySelectorAll("article.bd-article *")) {
    const own = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (!(own || element.matches("mjx-container")) || element.closest("mjx-assistive-mml, svg, script, style")) continue;
    if (!element.getClientRects().length || getComputedStyle(element).visibility === "hidden") continue;
    const below = ground(element), ink = over(rgb(getComputedStyle(element).color), below);
    const [a, b] = [light(ink), light(below)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) faint.push(`${ratio.toFixed(2)} ${element.tagName} ${element.textContent.trim().slice(0, 40)}`);
  }
  return faint;
}"""


SLABS = """() => [...document.querySelectorAll("article.bd-article :is(div, pre, table, p, img)")].filter(e => {
  const [r, g, b, a = 1] = (getComputedStyle(e).backgroundColor.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
  return a > 0.5 && Math.min(r, g, b) > 150 && e.clientWidth > 100 && e.clientHeight > 20;
}).map(e => `${e.tagName}.${e.className} ${e.textContent.trim().slice(0, 40)}`)"""


# Links among words that nothing but their color tells from these; the row of steps is links alone.
BY_COLOR_ALONE = """() => [...document.querySelectorAll("article.bd-article :is(p, li, dd, td, figcaption) a")].filter(
  e => e.textContent.trim() && e.checkVisibility() && !e.matches(".headerlink, .proof-mark, nav.way a") &&
    !getComputedStyle(e).textDecorationLine.includes("underline")).map(e => e.textContent.trim().slice(0, 40))"""


def test_words_can_be_read_in_light_and_dark(wide):
    """Text, links and formulas stand out from their ground by 4.5 to 1 (WCAG AA) in both modes; links are underlined."""
    for scheme in ("dark", "light"):
        wide.emulate_media(color_scheme=scheme)
        wide.wait_for_function(f"document.documentElement.dataset.theme === '{scheme}'")
        assert wide.evaluate(CONTRAST) == [] and wide.evaluate(BY_COLOR_ALONE) == [], scheme
        assert scheme == "light" or wide.evaluate(SLABS) == []  # in dark mode nothing is a bright card
    assert wide.trouble == []


# What the theme and its parts bring, and why it stays.
OF_THE_THEME = {
    "label-content-name-mismatch": "the search and color buttons of the theme are named by more than they show",
    "region": "the theme's announcement and skip link stand outside of its landmarks",
    "landmark-unique": "the theme has two navigations and names one of them",
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
            if violation["id"] in OF_THE_THEME and not inside:
                continue
            own.setdefault(violation["id"], []).append(f"{node['target'][-1]}: {node['failureSummary'][:200]}")
    return own


OF_COLORS = ("color-contrast", "link-in-text-block")
WITHOUT_GLYPHS = (
    "document.querySelectorAll('mjx-math, mjx-assistive-mml math').forEach(all => all.replaceChildren('x'))"
)


def test_axe_finds_nothing(wide, axe):
    """Neither in the text and the figures of a page, nor around it, but for what is listed above with its reason.

    A letter stands for the hundreds of glyphs of each formula, and for its MathML, of which axe has no rules.
    What depends on colors is measured above, quicker, and by axe on some pages below.
    """
    wide.evaluate(WITHOUT_GLYPHS)
    assert found(wide, axe, rules={name: {"enabled": False} for name in OF_COLORS}) == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["book/index", "book/lagrange", "book/students"])
def test_axe_reads_each_color(browser, site, axe, name, scheme):
    """Around the text, too (contrast and links within the text of every page are measured above)."""
    page, _ = opened(browser, site, address(site, "file", name), color_scheme=scheme, bypass_csp=True)
    settled(page)
    page.evaluate(WITHOUT_GLYPHS)
    assert found(page, axe, runOnly={"type": "rule", "values": OF_COLORS}) == {}
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("chosen", [None, "light", "dark"])
def test_a_page_has_its_colors_before_it_is_drawn(browser, site, scheme, chosen):
    """Those that the reader chose, else those of the system: without waiting for the scripts of the theme."""
    context = browser.new_context(color_scheme=scheme)
    context.route("**/*.js*", lambda route: route.abort())
    page = context.new_page()
    page.goto(address(site, "http", "book/preface"))
    if chosen:
        page.evaluate(f"localStorage.setItem('mode', '{chosen}')")
        page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == (chosen or scheme)
    context.close()


def test_a_section_keeps_its_place_when_it_is_drawn(browser, site):
    """A page draws all its sections in time, and is as high with each of them left to the browser; no icon is missing."""
    page, trouble = opened(browser, site, address(site, "http", "book/lqr"), viewport={"width": 1280, "height": 900})
    page.wait_for_function(
        f"() => {FAR}.every(section => section.style.contentVisibility === 'visible')", timeout=120_000
    )
    gaps = """() => [...document.querySelectorAll(".bd-article section section")].map(
      section => section.getBoundingClientRect().top - section.previousElementSibling.getBoundingClientRect().bottom)"""
    drawn = page.evaluate(gaps)
    page.add_style_tag(content=".bd-article section section { content-visibility: auto !important }")
    assert page.evaluate(gaps) == pytest.approx(drawn, abs=1)
    page.context.close()
    assert trouble == []


def test_the_first_page_leads_into_the_book(browser, site):
    """index.html, which `make book` names, opens the first page of the table of contents."""
    page = browser.new_page()
    page.goto(address(site, "file", "index"))
    page.wait_for_url(f"**/{PAGES[0]}.html")
    page.close()
