"""Students' notebooks check themselves in the Python of a browser, which has no NumPy: the same words as everywhere."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from browsing import served

from bookbuild import lite
from coursework.check.session import assignment_module
from coursework.lazy_numpy import MISSING

pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")

from coursework.grading.graft import role_of

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
RUN = Path(__file__).with_name("kernel_run.py")
PYODIDE = ROOT / ".venv" / "browser"
NAMES = sorted(path.parent.name for path in (ROOT / "exercises").glob("*/planted.py"))
# Questions without a function to call that need NumPy all the same: arrays and plots.
OF_ARRAYS = {
    ("control", "hand-springs"),
    ("control", "plot-wrong"),
    ("control", "what-stays"),
    ("unknown", "excite"),
    ("unknown", "identify"),
    ("hands", "plot-mass"),
    ("hands", "gentle-pose"),
    ("ilqr", "best-inputs"),
    ("reaching", "first-step"),
    ("robot-file", "durations"),
    ("robot-file", "heaviest"),
    ("robot-file", "mounting"),
    ("robot-file", "seen"),
    ("robot-file", "zeros"),
    ("rp", "plot-holding"),
    ("simulation", "identify"),
    ("simulation", "plot-fall"),
    ("space", "plot-reported"),
}
OF_TOOLS = ("tools", "excite-limits", "identify-recording")  # cells of no question that need NumPy
TOOK = re.compile(r"  This took \d+ s: .*\n")
AFTER = ["check.progress()", "check.hint(QUESTION)", "import robotdyn as rd; rd.robots.two_link()"]

# What a kernel in a browser is: a worker without a page, with Python and files that it was given.
WORKER = """
import { loadPyodide } from "./package/pyodide.mjs";
self.onmessage = async ({ data: notebooks }) => {
  try {
    const python = await loadPyodide({ indexURL: "./package/" });
    const files = await (await fetch("library.zip")).arrayBuffer();
    python.unpackArchive(files, "zip", { extractDir: "/library" });
    python.globals.set("notebooks", notebooks);
    python.runPython("import sys; sys.path.insert(0, '/library'); import kernel_run");
    self.postMessage({ told: python.runPython("kernel_run.run_all(notebooks)") });
  } catch (error) {
    self.postMessage({ error: String(error) });
  }
};
"""
PAGE = """<!doctype html><title>Kernel</title><link rel="icon" href="data:,"><script>
const kernel = new Worker("worker.mjs", { type: "module" });
window.run = (notebooks) => new Promise((done) => {
  kernel.onmessage = ({ data }) => done(data);
  kernel.onerror = (error) => done({ error: error.message });
  kernel.postMessage(notebooks);
});
</script>"""


def needs_numpy(name, question):
    spec = assignment_module(name).QUESTIONS[question]
    return spec.inputs is not None or (name, question) in OF_ARRAYS


def planted(name):
    spec = importlib.util.spec_from_file_location(f"wrong_{name}", ROOT / "exercises" / name / "planted.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.WRONG


@pytest.fixture(scope="module")
def notebooks(tmp_path_factory):
    """Released notebooks, as `make exercises` makes them: right answers, then each planted wrong one, some with ada's numbers."""
    folder = tmp_path_factory.mktemp("course")
    sources = sorted(map(str, ROOT.glob("exercises/*/*.ipynb")))
    command = [sys.executable, "-m", "coursework", "release", "--course", str(folder), *sources]
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
    found = {}
    for name in NAMES:
        source = nbformat.read(ROOT / "exercises" / name / f"{name}.ipynb", as_version=4)
        solved = {
            question: cell.source for cell in source.cells for role, question in [role_of(cell)] if role == "work"
        }
        released = nbformat.read(folder / "nbgrader" / "release" / name / f"{name}.ipynb", as_version=4)
        cells, asked = [], {}
        for cell in released.cells:
            role, question = role_of(cell)
            if cell.cell_type == "code":
                code = solved[question] if role == "work" else cell.source
                cells.append([cell["id"], code.replace('student=""', 'student="bob"')])
                asked.update({question: cell.source} if role == "answer" else {})
        for question, answers in planted(name).items():
            for number, (code, _) in enumerate(answers):
                cells += [[f"{question} wrong {number} work", code], [f"{question} wrong {number}", asked[question]]]
        cells += [[code, code.replace("QUESTION", repr(next(iter(asked))))] for code in AFTER]
        found[name] = cells
    return json.dumps(found)


def told_by(notebooks, folder, *words):
    """What a CPython says."""
    path = folder / "notebooks.json"
    path.write_text(notebooks, encoding="utf-8")
    done = subprocess.run([sys.executable, str(RUN), str(path), *words], capture_output=True, text=True, check=True,
                          cwd=ROOT, env={**os.environ, "MPLBACKEND": "agg", "PYTHONPATH": str(ROOT)})  # fmt: skip
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def truth(notebooks, tmp_path_factory):
    """What the notebooks say where NumPy is."""
    return told_by(notebooks, tmp_path_factory.mktemp("truth"))["told"]


def compare(told, truth):
    """Assert that all that needs no NumPy says the same, and all else that it needs NumPy; return the two counts.

    How long an answer took is another matter: a browser is slow, and slower where others work, too.
    """
    alike, without = set(), set()
    for name in NAMES:
        assert [cell[0] for cell in told[name]] == [cell[0] for cell in truth[name]]
        for (cell, said, error), (_, expected, fault) in zip(told[name], truth[name]):
            question, said = cell.split(" wrong ")[0].removesuffix("-work"), TOOK.sub("", said)
            if cell == "progress":
                assert all(f"{q}: needs NumPy" in said or f"{q}: not answered" in said for n, q in without if n == name)
            elif question not in assignment_module(name).QUESTIONS:
                figure = cell.endswith("-show") and MISSING in said  # `check.show` says so, and goes on
                if not figure and cell not in (*OF_TOOLS, "check.progress()", AFTER[-1]):
                    assert (said, error) == (expected, fault), cell
            elif not needs_numpy(name, question):
                assert (said, error) == (expected, fault), (name, cell)
                alike.add((name, question))
            else:
                without.add((name, question))
                assert "every check holds" not in said
                if assignment_module(name).QUESTIONS[question].inputs and "work" not in cell:
                    assert said == f"{question}: {MISSING}.\n" and error is None, (name, cell, said, error)
        *_, (_, _, error) = told[name]
        assert error == f"ModuleNotFoundError: {MISSING}"
    return len(alike), len(without)


def test_right_answers_hold_and_wrong_ones_do_not(truth):
    """The words that the other kernels are compared with are those of a check that works."""
    for name in NAMES:
        said = {cell: text for cell, text, _ in truth[name]}
        for question in planted(name):
            locked = f'your prediction is locked; check.show("{question}") shows what happens.'
            spec = assignment_module(name).QUESTIONS[question]
            first, *more = said[question].splitlines()
            assert first == f"{question}: {locked if spec.prediction else 'every check holds.'}"
            assert [line.split(":")[0] for line in more] == ["  Your score"] * bool(spec.score)
            for number in range(len(planted(name)[question])):
                assert "holds." not in said[f"{question} wrong {number}"]


def test_without_numpy_a_formula_and_a_number_are_checked(notebooks, truth, tmp_path):
    """In a kernel without NumPy each of their answers gets the same words, and the other questions say what is missing."""
    found = told_by(notebooks, tmp_path, "blocked")
    needing = [needs_numpy(name, question) for name in NAMES for question in planted(name)]
    assert needing.count(False) >= 19
    assert compare(found["told"], truth) == (needing.count(False), needing.count(True))
    assert not set(found["loaded"]) & {"numpy", "scipy", "matplotlib"}


def test_an_array_without_numpy_is_told_what_is_missing(tmp_path):
    """Where no function is called, too: the answer is a list, and the laws need NumPy."""
    cells = [["begin", "from robotdyn import check; p = check.begin('ilqr', 'ada')"], ["ask", "check.answer('best-inputs', [1.0] * 8)"],
             ["progress", "check.progress()"], ["measured", "check.begin('simulation', 'ada').measured"]]  # fmt: skip
    told = told_by(json.dumps({"ilqr": cells}), tmp_path, "blocked")["told"]["ilqr"]
    assert told[1][1] == f"best-inputs: {MISSING}.\n"
    assert "best-inputs: needs NumPy" in told[2][1] and "gain: not answered yet" in told[2][1]
    assert told[3][2] == f"ModuleNotFoundError: {MISSING}"


@pytest.fixture
def kernel(tmp_path):
    """Pyodide, this library, SymPy and mpmath, at an address of this machine."""
    if not (PYODIDE / "installed").exists():
        pytest.skip("Pyodide is not here: `make browser` fetches it")
    (tmp_path / "package").symlink_to(PYODIDE / "package")
    (tmp_path / "index.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "worker.mjs").write_text(WORKER, encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "library.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.write(RUN, RUN.name)
        for part in (
            "robotdyn",
            "movingfigures",
            "coursework",
            "lazy_loader",
            "sympy",
            "mpmath",
        ):  # what a wheel and pip would bring
            folder = Path(importlib.util.find_spec(part).origin).parent
            for path in sorted(folder.rglob("*")):
                if path.suffix in (".py", ".pyi", ".toml") and "tests" not in path.relative_to(folder).parts:
                    archive.write(path, Path(part) / path.relative_to(folder))
        for name in NAMES:
            for part in ("given", "questions"):
                archive.write(ROOT / "exercises" / name / f"{part}.py", f"coursework/exercises/{name}/{part}.py")
    with served(tmp_path) as address:
        yield address


def test_a_browser_checks_as_any_kernel_does(browser, kernel, notebooks, truth):
    """In Chromium, without a network: every word is that of CPython, but for questions that need NumPy, which say so."""
    trouble = []

    def decide(route):
        if route.request.url.startswith((kernel, "data:", "blob:")):
            return route.continue_()
        trouble.append(f"asks another host: {route.request.url}")
        return route.abort()

    page = browser.new_page()
    page.context.route("**/*", decide)
    page.on("console", lambda said: said.type == "error" and trouble.append(said.text))
    page.goto(f"{kernel}/index.html")
    answer = page.evaluate("notebooks => run(notebooks)", notebooks)
    page.close()
    assert "told" in answer, answer
    found = json.loads(answer["told"])
    assert found["platform"] == "emscripten" and found["loaded"] == []
    needing = [needs_numpy(name, question) for name in NAMES for question in planted(name)]
    assert needing.count(False) >= 19
    assert compare(found["told"], truth) == (needing.count(False), needing.count(True))
    assert trouble == []


def test_the_site_in_the_browser_holds_pyodide_as_it_was_released():
    """Each compiled package of its lock file is that of Pyodide's own, dependencies and all, and so is the core."""
    if not (PYODIDE / "installed").exists():
        pytest.skip("Pyodide is not here: `make browser` fetches it")
    released = json.loads((PYODIDE / "package" / "pyodide-lock.json").read_text(encoding="utf-8"))
    ours = json.loads((ROOT / "packages/bookbuild/src/bookbuild/lite/pyodide-lock.json").read_text(encoding="utf-8"))
    assert ours["info"] == released["info"]
    compiled = {name: entry for name, entry in ours["packages"].items() if "wasm32" in entry["file_name"]}
    assert {"numpy", "scipy", "matplotlib"} <= set(compiled)
    assert compiled == {name: released["packages"][name] for name in compiled}
    assert {name: lite.sha256((PYODIDE / "package" / name).read_bytes()) for name in lite.CORE} == lite.CORE
