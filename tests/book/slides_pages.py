"""The lecture slides that `make slides` made, looked at in Chromium, with no other host: `make test-slides`."""

import re

import browsing
import pytest
from bs4 import BeautifulSoup

from bookbuild import slides
from bookbuild.build_book import BUILD

DECKS = BUILD / "slides"
CHAPTERS = [slug for _, slugs in slides.chapters() for slug in slugs]
NUMBERED = re.compile(r'<span class="eqno">\(([\d.]+)\)')
OUTSIDE = """() => [...document.querySelectorAll("section.present *")].flatMap(part => {
  if (part.closest("mjx-assistive-mml, .rd-voice, svg, option")) return [];
  const { left, top, right, bottom, width, height } = part.getBoundingClientRect();
  const out = width && height && (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1);
  const cut = part.matches("pre, table, figcaption, p, li") && part.scrollWidth > part.clientWidth + 1 && part.clientWidth;
  return out || cut ? [`${part.tagName}.${part.className} ${[left, top, right, bottom].map(Math.round)}`] : [];
})"""


@pytest.fixture(scope="module", autouse=True)
def made():
    """There is a deck to look at."""
    if not (DECKS / "index.html").exists():
        pytest.exit("The slides are not made: run `make slides`, then this command again.", returncode=1)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A browser and the address of the decks."""
    if browsing.BROWSER is None:
        pytest.skip("Chromium is not installed")
    with browsing.served(DECKS) as address, browsing.chromium(tmp_path_factory.mktemp("home")) as browser:
        yield browser, address


def deck(site, name, width=1280, height=720):
    """Return the window of a deck that is laid out, and what goes wrong in it."""
    page, trouble = browsing.opened(
        site[0], f"{site[1]}/", f"{site[1]}/{name}.html", viewport={"width": width, "height": height}
    )
    page.wait_for_selector("body.ready", timeout=600_000)
    return page, trouble


@pytest.mark.parametrize("name", CHAPTERS)
def test_no_slide_overflows_and_nothing_is_asked_of_another_host(site, name):
    page, trouble = deck(site, name)
    count = page.evaluate("Reveal.getTotalSlides()")
    outside = {}
    for k in range(count):
        page.evaluate(f"Reveal.slide({k})")
        if page.query_selector("section.present .rd-figure"):
            page.wait_for_selector("section.present .rd-alive")
            page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        if found := page.evaluate(OUTSIDE):
            outside[k + 1] = found[:3]
    page.context.close()
    assert not outside and not trouble and count >= 8


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_deck_has_the_goals_the_equations_and_the_moving_figures_of_its_page_and_no_solution(name):
    made = (DECKS / f"{name}.html").read_text("utf8")
    page = slides.Page(BUILD / "html", name)
    assert NUMBERED.findall(made) == NUMBERED.findall("".join(map(str, shown(page))))
    assert made.count('<div class="rd-figure"') == len(page.article.select(".rd-figure"))
    assert made.count("you can</strong>") == 1 and 'class="solution' not in made
    assert all(
        len(code.get_text().rstrip().splitlines()) <= slides.CODE_LINES
        for code in BeautifulSoup(made, "html.parser").select("pre")
    )


def shown(page):
    """Return the displayed equations of a page that stand in no exercise, solution or fold."""
    return [
        x
        for x in page.article.select("div.math")
        if not x.find_parent(["details"])
        and not x.find_parent(class_="exercise")
        and not x.find_parent(class_="solution")
    ]


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080), (1024, 768)])
def test_a_figure_in_a_slide_moves_and_follows_the_hand_at_every_size_of_the_screen(site, width, height):
    page, trouble = deck(site, "rp", width, height)
    page.evaluate(
        "Reveal.slide([...document.querySelectorAll('.slides > section')].findIndex(slide => slide.querySelector('.moves')))"
    )
    page.wait_for_selector("section.present .rd-alive")
    figure = "document.querySelector('section.present .rd-figure').rdFigure"
    hand = page.evaluate(f"""() => {{
      const stage = {figure}.stages[0], box = stage.canvas.getBoundingClientRect(), scale = box.width / stage.canvas.clientWidth;
      const [x, y] = stage.pixels({figure}.runs[0].points().ends[1]);
      return [box.left + x * scale, box.top + y * scale];
    }}""")
    before = page.evaluate(f"{figure}.runs[0].q")
    page.mouse.move(*hand)
    page.mouse.down()
    page.mouse.move(hand[0], hand[1] - 60, steps=6)
    page.mouse.up()
    after = page.evaluate(f"{figure}.runs[0].q")
    assert after != before
    held = page.evaluate(f"""() => {{
      const stage = {figure}.stages[0], box = stage.canvas.getBoundingClientRect(), scale = box.width / stage.canvas.clientWidth;
      const [x, y] = stage.pixels({figure}.runs[0].points().ends[1]);
      return [box.left + x * scale, box.top + y * scale];
    }}""")
    page.click("section.present .rd-buttons button")
    page.wait_for_function(f"{figure}.runs[0].t > 0.1")
    page.context.close()
    assert not trouble
    assert abs(held[0] - hand[0]) < 40 and abs(held[1] - (hand[1] - 60)) < 40
