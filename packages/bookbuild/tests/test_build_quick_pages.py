"""Pages that several processes write are those that one writes, and a page to which many references lead is read once."""

import pytest
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import docutils_namespace

PAGES = 9


@pytest.fixture
def project(tmp_path):
    """A project of pages, each with a figure and a reference by number to the first of the page before."""
    names = [f"page{k}" for k in range(PAGES)]
    (tmp_path / "conf.py").write_text(
        "numfig = True\nextensions = ['bookbuild.quick_pages']\nhtml_theme = 'basic'\n", "utf8"
    )
    (tmp_path / "index.rst").write_text(
        "Index\n=====\n\n.. toctree::\n   :numbered:\n\n   " + "\n   ".join(names) + "\n", "utf8"
    )
    for k, name in enumerate(names):
        refers = f"See :numref:`figure-{max(k - 1, 0)}` and :numref:`figure-0`, :ref:`figure-{k}`."
        figure = f".. _figure-{k}:\n\n.. figure:: none.png\n\n   A figure of page {k}."
        (tmp_path / f"{name}.rst").write_text(f"Page {k}\n======\n\n{refers}\n\n{figure}\n", "utf8")
    (tmp_path / "none.png").write_bytes(b"")
    return tmp_path


def built(project, name, glob="*.html"):
    """Build it anew into a folder; return (how many processes could write, {name: text} of its pages)."""
    out = project / name
    with docutils_namespace():
        app = Sphinx(project, project, out, out / "trees", "html", status=None, warning=None)
        app.warningiserror = True  # from here on: what another test has left registered is told before
        app.build(force_all=True)
    assert app.statuscode == 0
    return app.parallel, {path.name: path.read_text("utf8") for path in out.glob(glob)}


def test_pages_are_the_same_however_many_write_them(project, monkeypatch):
    """References by number say what they say without the extension, too."""
    monkeypatch.setenv("JOBS", "1")
    jobs, one = built(project, "one")
    assert jobs == 1 and len(one) >= PAGES
    monkeypatch.setenv("JOBS", "3")
    assert built(project, "three") == (3, one)
    conf = project / "conf.py"
    conf.write_text(conf.read_text("utf8").replace("'bookbuild.quick_pages'", ""), "utf8")
    _, plain = built(project, "plain", "page*.html")
    assert plain == {name: text for name, text in one.items() if name in plain}
    assert "Fig. 8" in plain["page8.html"] and "Fig. 1" in plain["page8.html"]


def test_a_page_is_read_once_for_all_references_by_number(project, monkeypatch):
    """Eighteen references by number lead to nine pages: their trees are read nine times more than the pages are written."""
    reads = []
    read = BuildEnvironment.get_doctree
    monkeypatch.setattr(BuildEnvironment, "get_doctree", lambda self, name: reads.append(name) or read(self, name))
    monkeypatch.setenv("JOBS", "1")
    built(project, "with")
    with_it, reads[:] = len(reads), []
    from sphinx.domains.std import StandardDomain

    from bookbuild import quick_pages

    monkeypatch.setattr(quick_pages.QuickStandardDomain, "resolve_xref", StandardDomain.resolve_xref)
    built(project, "without")
    assert len(reads) - with_it >= 2 * PAGES - PAGES
