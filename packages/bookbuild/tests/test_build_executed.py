"""A notebook is executed again when something that its cells reach has changed, and when nothing has, it is not."""

import json

import nbformat
import pytest
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn

from bookbuild import build_book, executed


def write(path, *cells):
    """Write a notebook of code cells."""
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(cell, id=f"c{k}") for k, cell in enumerate(cells)]
    )
    nbformat.write(notebook, path)
    return path


def names(path):
    """The files that a notebook reaches, by their names below the repository."""
    return {x.relative_to(executed.ROOT).as_posix() for x in executed.sources(path)}


def test_a_notebook_reaches_what_its_cells_take(tmp_path):
    """The energy of an arm needs no control, no figures and no checks; a figure needs figures; magic lines import nothing."""
    energy = names(write(tmp_path / "a.ipynb", "%matplotlib inline", "import robotdyn as rd\nrd.kinetic_energy"))
    assert "robotdyn/dynamics/energy.py" in energy and "robotdyn/model/arm.py" in energy
    assert not [name for name in energy if name.startswith(("packages/", "robotdyn/control/", "robotdyn/show/"))]
    figure = names(write(tmp_path / "b.ipynb", "import robotdyn as rd", "rd.show.explore(rd.robots.two_link())"))
    assert {"explore.py", "engine.js", "figure.css"} <= {name.rpartition("/")[2] for name in figure}
    assert not [name for name in figure if "/coursework/" in name or "/eqproof/" in name]
    checked = names(write(tmp_path / "c.ipynb", "from robotdyn import check", "check.begin('two-link')"))
    assert [name for name in checked if "/coursework/check/" in name]
    assert not [name for name in checked if "/coursework/grading/" in name]


@pytest.mark.parametrize(
    "cell",
    [
        "%time import robotdyn.dynamics.energy",
        "%%time\nimport robotdyn.dynamics.energy",
        "%timeit -n 10 -r2 import robotdyn.dynamics.energy",
        "%%capture out\nimport robotdyn.dynamics.energy",
        "files = !ls\nimport robotdyn.dynamics.energy",
        "import robotdyn.dynamics.energy\nrobotdyn?",
        "!pip list\nimport robotdyn.dynamics.energy",
        "for k in range(3):\n    %time import robotdyn.dynamics.energy",
        "%run helper.py 7",
        "%run -i 'helper.py'",
        "%run -m robotdyn.dynamics.energy",
        "text = '''\n% a comment of TeX\n'''\nimport robotdyn.dynamics.energy",
    ],
)
def test_a_magic_hides_no_import(cell, tmp_path):
    """What a command of IPython runs is read as Python, and a file that it runs; what stands in the shell is not."""
    (tmp_path / "helper.py").write_text("import robotdyn.dynamics.energy\n", encoding="utf-8")
    found = executed.sources(write(tmp_path / "a.ipynb", cell))
    assert executed.ROOT / "robotdyn/dynamics/energy.py" in found
    assert executed.ROOT / "robotdyn/control/runner.py" not in found
    assert (tmp_path / "helper.py" in found) == ("helper" in cell)


@pytest.mark.parametrize("cell", ["x = = 1", "%time import import", "%%time\nx =", "%load_ext a b"])
def test_a_cell_that_cannot_be_read_depends_on_all(cell, tmp_path):
    """A change anywhere executes it again."""
    found = names(write(tmp_path / "a.ipynb", cell))
    assert {"robotdyn/control/runner.py", "robotdyn/__init__.pyi", "exercises/two-link/questions.py"} <= found
    assert "packages/coursework/src/coursework/grading/run.py" in found


def test_an_exercise_that_a_notebook_begins_is_among_its_sources(tmp_path):
    """By its name, whatever calls it; of one whose name is computed, all; what begins none depends on none."""
    load = "import robotdyn as rd\nfrom robotdyn import check\n"
    one = names(write(tmp_path / "a.ipynb", load + "check.begin('two-link')"))
    assert {x for x in one if x.startswith("exercises/")} == {
        "exercises/two-link/given.py",
        "exercises/two-link/questions.py",
    }
    computed = names(write(tmp_path / "b.ipynb", load + "name = 'n-link'", "p = check.begin(assignment=name)"))
    assert {"exercises/n-link/given.py", "exercises/two-link/given.py"} <= computed
    assert not [x for x in names(write(tmp_path / "c.ipynb", load + "check")) if x.startswith("exercises/")]
    assert not [x for x in names(write(tmp_path / "d.ipynb", "name = 'two-link'")) if x.startswith("exercises/")]


def test_no_chapter_reaches_the_grader():
    """What a teacher's side needs executes no page of the book again."""
    reached = {path.stem: names(path) for path in build_book.notebooks()}
    assert len(reached) > 40 and all(found for found in reached.values())
    assert not [name for name, found in reached.items() if any("/coursework/grading/" in file for file in found)]
    assert not all("robotdyn/control/runner.py" in found for found in reached.values())


def test_a_change_is_seen_where_it_counts(tmp_path, monkeypatch):
    """In a file that the cells name or reach, in the pins; not in another file beside."""
    (tmp_path / "requirements.txt").write_text("numpy==2\n", encoding="utf-8")
    (tmp_path / "run.csv").write_text("1\n", encoding="utf-8")
    (tmp_path / "other.csv").write_text("1\n", encoding="utf-8")
    path = write(tmp_path / "a.ipynb", "text = open('run.csv').read()")
    hashes = [executed.source_hash(path, tmp_path)]
    for name in ("other.csv", "run.csv", "requirements.txt"):
        (tmp_path / name).write_text("2\n", encoding="utf-8")
        hashes.append(executed.source_hash(path, tmp_path))
    assert hashes[0] == hashes[1] and len(set(hashes)) == 3


@pytest.fixture
def kept(tmp_path):
    """Two notebooks whose outputs are in a cache, and what they were executed from."""
    folder = tmp_path / "_build" / ".jupyter_cache"
    folder.parent.mkdir()
    cache = get_cache(folder)
    paths = [write(tmp_path / f"{name}.ipynb", f"{k}") for k, name in enumerate("ab")]
    for path in paths:
        bundle = CacheBundleIn(nb=nbformat.read(path, 4), uri=str(path))
        cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
    notebooks = executed.ExecutedNotebooks(folder)
    notebooks.record(paths)
    return notebooks, paths


def test_what_is_not_good_any_more_is_forgotten(kept, monkeypatch):
    """Of two notebooks the one is forgotten whose modules have changed; recorded anew, both are good."""
    notebooks, (a, b) = kept
    assert notebooks.good([a, b]) == {a, b} and notebooks.forget_others([a, b]) == set()
    monkeypatch.setattr(
        executed,
        "source_hash",
        lambda path: "another" if path == a else json.loads(notebooks.file.read_text("utf8"))["b"],
    )
    assert notebooks.good([a, b]) == {b}
    assert notebooks.forget_others([a, b]) == {a}
    assert not executed.cached(notebooks.cache, a) and executed.cached(notebooks.cache, b)


@pytest.mark.parametrize("text", ["", "[1]", "{"])
def test_a_record_that_cannot_be_read_keeps_nothing(kept, text):
    """An interrupted build, an edited file."""
    notebooks, paths = kept
    notebooks.file.write_text(text, encoding="utf-8")
    assert notebooks.good(paths) == set() and notebooks.forget_others(paths) == set(paths)


def test_a_changed_cell_is_executed_again(kept):
    """Jupyter's cache sees it."""
    notebooks, (a, b) = kept
    write(a, "2")
    assert notebooks.good([a, b]) == {b}
