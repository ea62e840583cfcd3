"""Every notebook and assignment of the site that `make lite` builds runs in Chromium, with no other host, and a page of the book
runs in itself, in Firefox, too: `make test-lite`."""

import json
import time
from types import SimpleNamespace

import browsing
import firefox
import nbformat
import pytest
from build_book import BUILD, CACHE, ROOT, notebooks
from jupyter_cache import get_cache

from coursework.check.session import assignment_module
from coursework.grading.graft import role_of

SITE = BUILD / "html" / "lite"
CHAPTERS = [path.stem for path in notebooks()]
ASSIGNMENTS = sorted(path.parent.name for path in (ROOT / "exercises").glob("*/planted.py"))
CELLS = "window.jupyterapp.shell.currentWidget.content.widgets.filter(cell => cell.model.type === 'code')"
READY = "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"
SOLVE = f"""solved => {CELLS}.filter(cell => solved[cell.model.id])
  .forEach(cell => cell.model.sharedModel.setSource(solved[cell.model.id]))"""
RUN = """() => { window.jupyterapp.commands.execute('notebook:run-all-cells').then(
  () => { window.ran = 'all'; }, error => { window.ran = String(error); }) }"""
OUTPUTS = f"{CELLS}.map(cell => [cell.model.id, cell.model.outputs.toJSON()])"
KEPT = """async () => {
  const kept = (await (await caches.open('robotdyn')).keys()).map(request => request.url);
  const wanted = await (await fetch('../kept.json')).json();
  return wanted.every(name => kept.includes(new URL('../' + name, location.href).href));
}"""
ALIVE = "document.querySelectorAll('.rd-alive').length"
HOUR = 3_600_000  # ms: no notebook takes as long, and a busy machine fails none


def window(browser, address):
    """A window of the browser, where it looks for the site, and what it asks for."""
    asked, context = [], browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(HOUR)
    context.on("request", lambda request: asked.append(request.url))
    return SimpleNamespace(context=context, address=address, asked=asked)


@pytest.fixture(scope="module")
def site():
    """The folder of the built site."""
    if not SITE.exists():
        pytest.skip("the site is not built: make lite")
    return SITE


@pytest.fixture(scope="module")
def lite(browser, site):
    """A window that opens one notebook after another, and the site at an address of this machine."""
    with browsing.served(site.parent) as address:
        yield window(browser, address)


def run(lite, path, solved=None):
    """Open a notebook and run all cells; return the page, and the outputs of each code cell by its id."""
    page = lite.context.new_page()
    begin = time.monotonic()
    took = lambda: f"{time.monotonic() - begin:.0f} s"
    page.goto(f"{lite.address}/lite/notebooks/index.html?path={path}")
    page.wait_for_function(READY)
    told = f"kernel {took()}"
    page.evaluate(SOLVE, solved or {})
    page.evaluate(RUN)
    page.wait_for_function(f"{CELLS}.some(cell => cell.model.executionCount) || window.ran")
    told += f", first cell {took()}"
    page.wait_for_function("window.ran")
    print(f"\n{path}: {told}, all cells {took()}")
    assert page.evaluate("window.ran") == "all"
    assert [url for url in lite.asked if not url.startswith((lite.address, "data:", "blob:"))] == []
    return page, dict(page.evaluate(OUTPUTS))


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


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_right_answers_to_an_assignment_hold(lite, name):
    """The solutions, typed into the notebook that is handed out: every question's check says so."""
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
            assert said == f"{question}: {locked if predicted else 'every check holds.'}\n"
    page.close(run_before_unload=False)


def test_a_second_visit_needs_no_network(browser, site):
    """After one visit, with nothing more to be had from anywhere, a notebook that was not opened yet runs."""
    with browsing.served(site.parent) as address:
        lite = window(browser, address)
        page = lite.context.new_page()
        page.goto(f"{address}/lite/notebooks/index.html?path=lqr.ipynb")
        page.wait_for_function(READY)
        page.wait_for_function(KEPT, polling=1000)
        page.close(run_before_unload=False)
    _, outputs = run(lite, "start.ipynb")  # nobody serves it any more
    assert errors(outputs) == [] and pictures(outputs.values())


# The third cell of the page of the RP arm stands in the middle: one to import, one folded, then a formula, then checks.
ROW = "document.querySelectorAll('.rd-run')"
RAN = f"({ROW}[{{0}}].querySelector('button').textContent === 'Run' && {ROW}[{{0}}].querySelector('[role=status]').textContent)"
SHOWN = f"({ROW}[{{0}}].closest('.cell').querySelector('.rd-result').textContent)"
TYPE = """(area => { area.value = CODE; area.dispatchEvent(new Event('input'));
  area.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', shiftKey: true, cancelable: true})); })(document.querySelector('.rd-edit'))"""
FOREIGN = ("data:", "blob:", "resource:", "moz-extension:", "chrome:", "about:")


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


def test_a_page_runs_in_itself(browser, site):
    """A cell in the middle of a page: its result, that of an edit, an error, a picture, and Stop."""
    with browsing.served(site.parent) as address:
        lite = window(browser, address)
        run_page(lite.context.new_page(), lite.asked, address)


def test_a_page_runs_in_itself_in_firefox(site, tmp_path):
    """The same in the other browser."""
    if firefox.BROWSER is None:
        pytest.skip("no Firefox here (Debian: apt install firefox-esr)")
    with browsing.served(site.parent) as address, firefox.firefox(tmp_path) as page:
        run_page(page, page.asked, address)
