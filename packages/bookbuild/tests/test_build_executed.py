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
    assert {"explore.py", "figure.js", "figure.css"} <= {name.rpartition("/")[2] for name in figure}
    assert not [name for name in figure if "/coursework/" in name or "/eqproof/" in name]
    checked = names(write(tmp_path / "c.ipynb", "from robotdyn import check", "check.begin('two-link')"))
    assert [name for name in checked if "/coursework/check/" in name]
    assert not [name for name in checked if "/coursework/grading/" in name]


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
