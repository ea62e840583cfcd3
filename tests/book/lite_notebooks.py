"""Every notebook and assignment of the site that `make lite` builds runs in Chromium, with no other host; what a reader does with
a page, a moving figure, a notebook and an assignment, with and without a network, in Firefox, too: `make test-lite`."""

import json
import time
from types import SimpleNamespace

import browsing
import firefox
import grading_kit
import nbformat
import numpy as np
import pytest
from jupyter_cache import get_cache

from bookbuild.build_book import BUILD, CACHE, ROOT, notebooks
from coursework.check.session import assignment_module
from coursework.grading.graft import role_of

SITE = BUILD / "html" / "lite"
CHAPTERS = [path.stem for path in notebooks()]
ASSIGNMENTS = sorted(path.parent.name for path in (ROOT / "exercises").glob("*/planted.py"))
CELLS = "window.jupyterapp.shell.currentWidget.content.widgets.filter(cell => cell.model.type === 'code')"
READY = "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"
SOLVE = f"""(solved => {CELLS}.filter(cell => solved[cell.model.id])
  .forEach(cell => cell.model.sharedModel.setSource(solved[cell.model.id])))"""
RUN = """void window.jupyterapp.commands.execute('notebook:run-all-cells').then(
  () => { window.ran = 'all'; }, error => { window.ran = String(error); })"""
OUTPUTS = f"{CELLS}.map(cell => [cell.model.id, cell.model.outputs.toJSON()])"
KEPT = """(async wanted => {
  const kept = (await (await caches.open('robotdyn')).keys()).map(request => request.url);
  return wanted.every(name => kept.includes(new URL('../' + name, location.href).href));
})"""
WORKER = "async () => Boolean((await navigator.serviceWorker.getRegistration())?.active)"
SAVE = "void window.jupyterapp.commands.execute('docmanager:download')"
ALIVE = "document.querySelectorAll('.rd-alive').length"
ARM = """((link, along) => { // where the base and a point of the arm of the first moving figure are on the screen
  const { runs: [run], stages: [stage], el } = document.querySelector('.rd-alive').rdFigure;
  const { x, y } = el.querySelector('.rd-stage canvas').getBoundingClientRect(), { origins, ends } = run.points();
  link ??= run.hold.indexOf(1);
  along ??= run.along;
  const point = origins[link].map((from, k) => from + along * (ends[link][k] - from));
  return [[0, 0], point].map(stage.pixels, stage).map(place => [x + place[0], y + place[1]]);
})"""
FOREIGN = ("data:", "blob:", "resource:", "moz-extension:", "chrome:", "about:")
HOUR = 3_600_000  # ms: no notebook takes as long, and a busy machine fails none


def window(browser):
    """A window of Chromium: how a page of it opens, and what it has asked for."""
    asked = []
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(HOUR)
    context.on("request", lambda request: asked.append(request.url))
    return SimpleNamespace(new_page=context.new_page, asked=asked)


@pytest.fixture(scope="module")
def site():
    """The folder of the built site."""
    if not SITE.exists():
        pytest.skip("the site is not built: make lite")
    return SITE


@pytest.fixture(scope="module")
def lite(browser, site):
    """A window that opens one notebook after another, and the site at an address of this machine."""
    lite = window(browser)
    with browsing.served(site.parent) as lite.address:
        yield lite


@pytest.fixture(params=["Chromium", "Firefox"])
def reader(request, site, tmp_path):
    """A window of each browser, which has seen nothing yet."""
    if request.param == "Chromium":
        yield window(request.getfixturevalue("browser"))
    elif firefox.BROWSER is None:
        pytest.skip("no Firefox here (Debian: apt install firefox-esr)")
    else:
        with firefox.firefox(tmp_path) as page:
            yield SimpleNamespace(new_page=lambda: page, asked=page.asked)


def run(lite, path, solved=None):
    """Open a notebook and run all cells; return the page, and the outputs of each code cell by its id."""
    page = lite.new_page()
    begin = time.monotonic()
    took = lambda: f"{time.monotonic() - begin:.0f} s"
    address = f"{lite.address}/lite/notebooks/index.html?path={path}"
    page.goto(address)
    if isinstance(page, firefox.Window):
        wait_for_kernel(page, address)
    else:
        page.wait_for_function(READY)
    told = f"kernel {took()}"
    page.evaluate(f"{SOLVE}({json.dumps(solved or {})})")
    page.evaluate(RUN)
    page.wait_for_function(f"{CELLS}.some(cell => cell.model.executionCount) || window.ran")
    told += f", first cell {took()}"
    page.wait_for_function("window.ran")
    print(f"\n{path}: {told}, all cells {took()}")
    assert page.evaluate("window.ran") == "all"
    assert [url for url in lite.asked if not url.startswith((lite.address, *FOREIGN))] == []
    return page, dict(page.evaluate(OUTPUTS))


def wait_for_kernel(page, address):
    """Wait for Python in Firefox; where none has come in five minutes, tell what Firefox said and open the page anew, as a reader does."""
    try:
        page.wait_for_function(READY, seconds=300)
    except AssertionError as nothing:
        print(f"\nno kernel: {nothing}\nopened again")
        page.goto(address)
        page.wait_for_function(READY)


def errors(outputs):
    """What went wrong, and in which cell."""
    return [
        (cell, output["ename"], output["evalue"])
        for cell, shown in outputs.items()
        for output in shown
        if output["output_type"] == "error"
    ]


def pictures(outputs):
    """The code cells that show a picture, counted from the first."""
    return [
        place
        for place, shown in enumerate(outputs)
        if any(kind.startswith("image/") for output in shown for kind in output.get("data", {}))
    ]


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_runs_as_in_the_book(lite, name):
    """No cell fails, every picture of the book is there, and every moving figure is alive."""
    page, outputs = run(lite, f"{name}.ipynb")
    assert errors(outputs) == []
    cache = get_cache(CACHE)
    book = cache.get_cache_bundle(cache.match_cache_file(str(ROOT / "book" / f"{name}.ipynb")).pk).nb
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert pictures(outputs.values()) == pictures(cell.outputs for cell in code)
    moving = [cell for cell in code if "moving-figure" in cell.metadata.get("tags", ())]
    page.wait_for_function(f"{ALIVE} >= {len(moving)}")
    page.close(run_before_unload=False)


def answer(lite, name):
    """Open an assignment, type in its solutions and run all: every question's check holds; return the page."""
    source = nbformat.read(ROOT / "exercises" / name / f"{name}.ipynb", as_version=4)
    work = {question: cell.source for cell in source.cells for role, question in [role_of(cell)] if role == "work"}
    released = nbformat.read(SITE / "files" / "assignments" / f"{name}.ipynb", as_version=4)
    roles = {cell.id: role_of(cell) for cell in released.cells if cell.cell_type == "code"}
    solved = {cell: work[question] for cell, (role, question) in roles.items() if role == "work"}
    page, outputs = run(lite, f"assignments/{name}.ipynb", solved)
    assert errors(outputs) == []
    for cell, (role, question) in roles.items():
        if role == "answer":
            said = "".join(output.get("text", "") for output in outputs[cell])
            locked = f'your prediction is locked; check.show("{question}") shows what happens.'
            predicted = assignment_module(name).QUESTIONS[question].prediction
            assert (
                said.split("\n")[0] == f"{question}: {locked if predicted else 'every check holds.'}"
            )  # then perhaps a score
    return page


def pull(page):
    """Take the arm of two links of the page's first moving figure near its end by the mouse: the point comes along."""
    page.evaluate("document.querySelector('.rd-figure').scrollIntoView({block: 'center', behavior: 'instant'})")
    page.wait_for_function("document.querySelector('.rd-alive')?.rdFigure.cost.frames > 0")
    page.evaluate(
        "(figure => { figure.play(true); figure.play(false); })(document.querySelector('.rd-alive').rdFigure)"
    )
    assert any(pulled(page) for _ in range(5))  # what stands above may still grow, so that the hand misses the arm


def pulled(page):
    """Whether the point of the arm comes along within ten seconds; let go of it if not."""
    base, end = page.evaluate(f"{ARM}(1, 1)")
    turned = np.array([[0.7, -0.4], [0.4, 0.7]])  # shorter, and by half a radian
    place = base + turned @ np.subtract(end, base)
    if isinstance(page, firefox.Window):
        page.drag(end, place)
    else:
        page.mouse.move(*end)
        page.mouse.down()
        page.mouse.move(*place)
    for _ in range(50):
        if page.evaluate(f"Math.hypot(...{ARM}()[1].map((x, k) => x - {place.tolist()}[k])) < 3"):
            return True
        time.sleep(0.2)
    page.release() if isinstance(page, firefox.Window) else page.mouse.up()
    return False


def downloaded(page, folder):
    """Save what the open notebook is now by its menu; return the bytes."""
    if not isinstance(page, firefox.Window):
        with page.expect_download() as saved:
            page.evaluate(SAVE)
        return saved.value.path().read_bytes()
    page.evaluate(SAVE)
    while not (files := list((folder / "downloads").glob("*.ipynb"))) or list((folder / "downloads").glob("*.part")):
        time.sleep(0.2)
    return files[0].read_bytes()


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_right_answers_to_an_assignment_hold(lite, name):
    """The solutions, typed into the notebook that is handed out: every question's check says so."""
    answer(lite, name).close(run_before_unload=False)


def test_a_second_visit_needs_no_network(reader, site, tmp_path):
    """A notebook runs and its figure obeys the hand; with nothing more to be had from anywhere, an assignment is answered and handed in."""
    with browsing.served(site.parent) as reader.address:
        page, outputs = run(reader, "index.ipynb")
        assert errors(outputs) == []
        pull(page)
        kept = f"{KEPT}({(site / 'kept.json').read_text('utf-8')})"
        browsing.eventually(page, kept, seconds=600)
    page = answer(reader, "two-link")  # nobody serves it any more
    assert page.evaluate(f"({WORKER})()")  # what a third visit needs
    handed = downloaded(page, tmp_path)
    if trouble := grading_kit.sandbox_trouble():
        pytest.skip(f"it came, and nobody takes it in here: {trouble}")
    course = grading_kit.Class()
    course.take({"ada.ipynb": handed})
    (line,) = course.ledger()
    course.remove()
    assert line["student"] == "ada" and line["readable"], line["why"]


@pytest.mark.parametrize("served", [True, False], ids=["served", "from disk"])
def test_a_moving_figure_of_a_page_obeys_the_hand(reader, site, served):
    """Where the cells of the page run, and where they do not."""
    with browsing.served(site.parent) as address:
        page = reader.new_page()
        page.goto(f"{address if served else site.parent.as_uri()}/book/start.html")
        pull(page)


# The third cell of the page of the RP arm stands in the middle: one to import, one folded, then a formula, then checks.
ROW = "document.querySelectorAll('.rd-run')"
RAN = f"({ROW}[{{0}}].querySelector('button').textContent === 'Run' && {ROW}[{{0}}].querySelector('[role=status]').textContent)"
SHOWN = f"({ROW}[{{0}}].closest('.cell').querySelector('.rd-result').textContent)"
TYPE = """(area => { area.value = CODE; area.dispatchEvent(new Event('input'));
  area.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', shiftKey: true, cancelable: true})); })(document.querySelector('.rd-edit'))"""


def run_page(page, asked, address):
    """Run and edit cells of a page, and look at what they show; page: of Playwright, or a Window of Firefox."""
    click = lambda cell, button: page.evaluate(f"void {ROW}[{cell}].querySelectorAll('button')[{button}].click()")

    def ran(cell):
        page.wait_for_function(RAN.format(cell))
        return page.evaluate(f"{ROW}[{cell}].querySelector('[role=status]').textContent")

    def told(code):
        """What the third cell shows with other code, typed into it and run by its keys."""
        page.evaluate(TYPE.replace("CODE", json.dumps(code)))
        ran(2)
        return page.evaluate(SHOWN.format(2))

    page.goto(f"{address}/book/rp.html")
    page.wait_for_function(f"{ROW}.length === 5")
    assert [url.split("/lite/")[1] for url in asked if "/lite/" in url] == ["page.js"]  # no more before the first click
    begin = time.monotonic()
    click(2, 0)
    assert ran(2) == "Cell 3 has run, after those before it."
    print(f"\nrp.html: its third cell {time.monotonic() - begin:.0f} s")
    page.wait_for_function(f"{ROW}[2].closest('.cell').querySelector('.rd-result svg')")  # the formula is drawn
    click(2, 1)
    assert told("print(len(c1), r)") == "2 r\n"  # names of the cells before, the folded one's, too
    assert page.evaluate("document.querySelectorAll('.rd-stale').length") == 2  # the checks are of the code before
    error = told("fine = 1\nfine / 0")
    assert 'File "cell 3", line 2' in error and error.endswith("ZeroDivisionError: division by zero\n")
    told("plt.plot([1, 2])\nplt.show()")
    page.wait_for_function(f"{ROW}[2].closest('.cell').querySelector('.rd-result img').naturalWidth > 100")
    assert told("tau = 0") == ""
    click(4, 0)  # the check between does not hold any more: it says so, and the last cell runs
    ran(4)
    assert "Error" in page.evaluate(SHOWN.format(3))
    page.evaluate(TYPE.replace("CODE", "'while True: pass'"))
    page.wait_for_function(f"{ROW}[2].querySelector('[role=status]').textContent.startsWith('Running')")
    click(2, 0)
    assert ran(2) == "Stopped. Run starts Python anew."
    assert [url for url in asked if not url.startswith((address, *FOREIGN))] == []


def test_a_page_runs_in_itself(reader, site):
    """A cell in the middle of a page: its result, that of an edit, an error, a picture, and Stop."""
    with browsing.served(site.parent) as address:
        run_page(reader.new_page(), reader.asked, address)
