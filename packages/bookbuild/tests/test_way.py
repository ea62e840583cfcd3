"""A page says at which step of the way it stands: once, for every chapter, with links to the page that explains the steps."""

import re
import tomllib

import pytest
from sphinx.application import Sphinx

from bookbuild import ROOT, way

CHAPTERS = {
    path.stem for path in (ROOT / "book").glob("*.ipynb") if path.stem not in ("index", "start", "sources")
}  # the doors, and what leads past the way


def test_every_chapter_stands_at_one_step():
    """A page that begins gets its step, and none stands at two."""
    pages = [page for step in way.steps() for page in step["pages"]]
    assert len(pages) == len(set(pages)) and set(pages) == CHAPTERS


def test_each_step_is_explained_in_this_order():
    """The page has a section for each step, with its number and name."""
    text = way.TABLE.with_suffix(".md").read_text(encoding="utf-8")
    found = re.findall(r"^\((way-[a-z]+)\)=\n## (\d+)\. (.+?): ", text, re.M)
    assert found == [(step["anchor"], str(k), step["name"]) for k, step in enumerate(way.steps(), 1)]


def test_the_way_leads_to_every_page_of_a_step():
    """Who has read this page alone can open any of them."""
    text = way.TABLE.with_suffix(".md").read_text(encoding="utf-8")
    pages = {page for step in way.steps() for page in step["pages"]}
    assert pages - set(re.findall(r"\]\(([\w-]+)\.ipynb\)", text)) == set()


def test_the_row_marks_the_step_of_its_page():
    """Every step is a link, and one of them is here."""
    shown = way.row("rp", "the-way.html")
    links = re.findall(r'<a href="the-way.html#([\w-]+)"( aria-current="step")?>([^<]+)</a>', shown)
    assert [(anchor, name) for anchor, _, name in links] == [(step["anchor"], step["name"]) for step in way.steps()]
    assert [name for _, here, name in links if here] == ["Torque"]


@pytest.mark.parametrize("wrong", ["twice", "nowhere"])
def test_a_wrong_table_is_a_warning(tmp_path, monkeypatch, wrong):
    """A page at two steps, and one that the book does not have."""
    steps = tomllib.loads(way.TABLE.read_text(encoding="utf-8"))["step"][:2]
    steps[0]["pages"], steps[1]["pages"] = ["first"], ["first"] if wrong == "twice" else ["lost"]
    monkeypatch.setattr(way, "steps", lambda: steps)
    (tmp_path / "book").mkdir()
    (tmp_path / "index.rst").write_text("Index\n=====\n\n.. toctree::\n\n   book/first\n   book/the-way\n", "utf-8")
    (tmp_path / "book/first.rst").write_text("First\n=====\n\nWords.\n", "utf-8")
    (tmp_path / "book/the-way.rst").write_text("The way\n=======\n\nWords.\n", "utf-8")
    said = (tmp_path / "warnings").open("w+", encoding="utf-8")
    with said:
        Sphinx(tmp_path, None, tmp_path / "html", tmp_path / "trees", "html", {"extensions": ["bookbuild.way"]},
               status=None, warning=said).build()  # fmt: skip
        said.seek(0)
        assert f"got {'first' if wrong == 'twice' else 'lost'}" in said.read()
    page = (tmp_path / "html/book/first.html").read_text("utf-8")
    assert page.count('<nav class="way"') == 1 and f'href="the-way.html#{steps[0]["anchor"]}" aria-current' in page
