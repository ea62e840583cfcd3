"""The notebooks that leave the book: plain Markdown, the numbers of the page, the same code; and where the project is to be had."""

import functools
import html
import json
import re
import types
import zipfile

import build_book
import build_pdf
import docutils.utils
import download_notebooks
import edition
import lite
import myst_to_commonmark
import project_urls
import publish
import pytest
import release
import slides
import solution_leaks
import yaml
from docutils import nodes
from sphinx_exercise.nodes import solution_node

from eqproof.sphinx import table, text

RAW = re.compile(
    r"\{[\w:]+\}`|^\s*:{3,}|^\s*`{3,}\{|^\([\w-]+\)=|^:[\w-]+:|\$\$ *\([\w-]+\)$|<!--", re.M
)  # what only MyST reads
NOTEBOOKS = build_book.notebooks()
SOURCE = """(ch-x)=
# A *title*

As {eq}`eq-a` of [another page](other.ipynb#sec) says in {ref}`these words <ex-b>`, $\\{eq\\}$ and `{eq}` stay; {cite:t}`who2000`. <!-- slide -->

:::{admonition} Note of $x$
:class: tip
See

$$
a = b
$$ (eq-a)
:::

:::{exercise} How *far*?
:label: ex-b

Go.
:::

:::{solution} ex-b
:class: dropdown

Secret, as {eq}`eq-a` says.

```python
x = 1  # :::{not} a directive
```
:::

::::{grid} 1 1
:gutter: 3

:::{grid-item-card} Read
:link: start

Here.
:::
::::

> Printed:
> $$
> c
> $$ (eq-C)
"""
PLAIN = """<a id="ch-x"></a>

# 3. A *title*

As <eq eq-a> of <another page: other.ipynb#sec> says in <ref ex-b: these words>, $\\{eq\\}$ and `{eq}` stay; <cite:t who2000>.

> **Note of $x$**
>
> See
>
> <a id="equation-eq-a"></a>
>
> $$ a = b \\tag{no eq-a} $$

<a id="ex-b"></a>

**exercise ex-b** · How *far*?

Go.

<details><summary><b>Solution</b></summary>

Secret, as <eq eq-a> says.

```python
x = 1  # :::{not} a directive
```

</details>

**Read**

Here.

> Printed:
> <a id="equation-eq-c"></a>
>
> $$ c \\tag{no eq-C} $$"""


class Page:
    """Answers like a page of the book, without a build."""

    def reference(self, role, label, words):
        return f"<{role} {label}{': ' * bool(words)}{words}>"

    def link(self, words, to):
        return f"<{words}: {to}>"

    def equation(self, label):
        return f"no {label}"

    def named(self, kind, label):
        return f"{kind} {label}"

    def heading(self, words):
        return f"3. {words}"

    def cited_works(self):
        return []


def blocks(text):
    """A text without the number of its empty lines."""
    return re.sub(r"\n{3,}", "\n\n", text)


def cells_of(path):
    return json.loads(path.read_text("utf8"))["cells"]


def joined(cells, kind):
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == kind]


def test_each_kind_of_myst_becomes_plain_markdown():
    """Labels, references, admonitions, exercises, folded solutions, cards, quotes with a formula."""
    assert blocks(myst_to_commonmark.to_commonmark(SOURCE, Page())) == PLAIN
    assert len(RAW.findall(SOURCE)) > 15


def test_students_get_no_solution():
    """Nothing of one stays; the exercise does."""
    text = myst_to_commonmark.to_commonmark(SOURCE, Page(), solutions=False)
    assert "Go." in text and not re.search("Secret|Solution|details|x = 1", text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (":::{figure} x\n:::", "no plain Markdown stands for the directive figure"),
        (":::{admonition} x\nend", "a fence does not end"),
        ("$$ a = b $$", "a displayed equation stands between two lines of its own"),
    ],
)
def test_what_is_not_known_is_refused(text, words):
    """In a sentence, rather than left in the notebook."""
    with pytest.raises(ValueError, match=words):
        myst_to_commonmark.to_commonmark(text, Page())


def test_no_mark_of_myst_leaves_the_book():
    """In no Markdown cell of any page; its code cells are the same, in the same order."""
    for path in NOTEBOOKS:
        source = json.loads(path.read_text("utf8"))
        made = download_notebooks.to_plain_notebook(source, Page())["cells"]
        assert not {path.name: RAW.findall("\n\n".join(joined(made, "markdown")))}[path.name]
        assert joined(made, "code") == joined(source["cells"], "code")
        assert len({cell["id"] for cell in made}) == len(made)


@pytest.mark.parametrize(
    ("urls", "takes"),
    [
        ({}, "robotdyn-1-py3.whl"),
        ({"Site": "https://a.org/b/"}, "https://a.org/b/notebooks/robotdyn-1-py3.whl"),
        ({"Site": "https://a.org/b", "Package": "https://pypi.org/project/robotdyn/"}, "robotdyn"),
    ],
)
def test_notebooks_take_the_library_from_where_it_is(tmp_path, urls, takes):
    """From the package index; else from the site; else from the file beside them."""
    lines = [f"{key} = {json.dumps(url)}" for key, url in urls.items()]
    (tmp_path / "pyproject.toml").write_text("\n".join(["[project]", "[project.urls]", *lines]), encoding="utf-8")
    here = project_urls.read_project_urls(tmp_path)
    said = joined(download_notebooks.first_cells("A book", here, ["robotdyn-1-py3.whl"]), "markdown")
    install = here.pip_requirements(["robotdyn-1-py3.whl"])
    assert install == [takes] and ("beside" in said[0]) == (not urls) and ("a.org/b" in said[0]) == bool(urls)


def test_buttons_and_addresses_of_pages_follow(monkeypatch):
    """Off until there is an address: no page then names a host."""
    there = project_urls.ProjectUrls("https://github.com/ada/robotdyn", "https://ada.github.io/robotdyn")
    urls = [link["url"] for link in download_notebooks.download_links("rp.ipynb", "../notebooks", there)]
    assert urls[:2] == ["../notebooks/rp.ipynb", "../notebooks/notebooks.zip"] and len(urls) == 4
    assert all("/ada/robotdyn/" in url and url.endswith("notebooks/rp.ipynb") for url in urls[2:])
    assert len(download_notebooks.download_links("rp.ipynb", "../notebooks", project_urls.ProjectUrls())) == 2
    assert [link["url"] for link in download_notebooks.download_links("", "notebooks", there)] == [
        "notebooks/notebooks.zip"
    ]
    for here, known in ((there, True), (project_urls.ProjectUrls(), False)):
        config = types.SimpleNamespace(html_baseurl=None, html_theme_options={})
        monkeypatch.setattr(download_notebooks, "read_project_urls", lambda here=here: here)
        download_notebooks.set_urls(None, config)
        assert bool(config.html_baseurl) == ("repository_url" in config.html_theme_options) == known
    text = release.citation_with_urls("version: 1\n", there)
    assert "repository-code: https://github.com/ada/robotdyn\nurl: https://ada" in text and "artifact" not in text


@pytest.mark.parametrize("line", ['Homepage = "https://a.org"', 'Site = "a.org"'])
def test_an_address_that_nothing_follows_is_told(tmp_path, line):
    """A key that nobody reads, a thing that is no address."""
    (tmp_path / "pyproject.toml").write_text(f"[project]\n[project.urls]\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"\[project.urls\]"):
        project_urls.read_project_urls(tmp_path)


@pytest.mark.slow
def test_numbers_are_those_of_the_page(book):
    """Of equations, exercises, figures and sections; each page's button leads to its notebook, and the zip holds all."""
    for path in NOTEBOOKS:
        page = (book / "book" / f"{path.stem}.html").read_text("utf8")
        text = "\n".join(joined(cells_of(book / "notebooks" / path.name), "markdown"))
        shown = re.findall(r'<span class="eqno">\(([\d.]+)\)<a class="headerlink" href="#(equation-[^"]+)"', page)
        tagged = re.findall(r'<a id="(equation-[^"]+)"></a>[^$]*\$\$.*?\\tag\{([\d.]+)\} ?\s*(?:> )?\$\$', text, re.S)
        assert [(label, number) for number, label in shown] == tagged
        for kind, named in (("Exercise", r"Exercise [\d.]+"), ("Fig.", r"Fig\. [\d.]+")):
            captions = re.findall(rf'<span class="caption-number">({named}) ?</span>', page)
            assert re.findall(rf"^\*\*({named})\*\*", text, re.M) == captions, kind
        sections = re.findall(r'<h\d><span class="section-number">([\d.]+) ?</span>', page)
        assert re.findall(r"^#+ ([\d.]+\.) ", text, re.M) == sections
        assert f'href="../notebooks/{path.name}"' in html.unescape(page) and "_sources/" not in page
        assert not RAW.findall(text)
    names = zipfile.ZipFile(book / "notebooks" / "notebooks.zip").namelist()
    assert {f"notebooks/{path.name}" for path in NOTEBOOKS} < set(names)
    assert len([name for name in names if name.endswith(".whl")]) == 2


HIDDEN = "::::{solution} ex-b\nThe crank turns thirty times before the flywheel shatters.\n\n$$\na\n$$ (eq-s)\n::::"


@pytest.fixture
def source(tmp_path):
    """A book of one page with one solution, and pages for teachers."""
    root = tmp_path / "source"
    for name in (*edition.TEACHER_PAGES, *edition.EXAM_PAGES):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / f"{name}.md").write_text("Let them vote before the heavy rod begins to fall.", encoding="utf-8")
    told = download_notebooks.markdown_cell("a", f"## Exercises\n\nHow often does the crank turn?\n\n{HIDDEN}\n")
    check = download_notebooks.code_cell("b", "quoted({'30': 30})", {"tags": ["check"]})
    (root / "book" / "page.ipynb").write_text(json.dumps({"cells": [told, check], "metadata": {}}), encoding="utf-8")
    asked = download_notebooks.markdown_cell(
        "c", "Let them vote before the heavy rod begins to fall, then count the turns of it."
    )
    model = download_notebooks.markdown_cell("d", "The rod lands before the ball does.") | {
        "metadata": {"nbgrader": {}}
    }
    (root / "exercises" / "rod").mkdir()
    (root / "exercises" / "rod" / "rod.ipynb").write_text(
        json.dumps({"cells": [asked, model], "metadata": {}}), encoding="utf-8"
    )
    return root


def test_a_student_edition_that_tells_is_stopped(source, tmp_path):
    """A sentence in a page, a word in the index, the mark of an equation, a teacher's page, the answer to an assignment, whose
    question says what the teacher's page does, too; and a clean one passes."""
    shipped = tmp_path / "html"
    (shipped / "book").mkdir(parents=True)
    page = shipped / "book" / "page.html"
    index = shipped / "searchindex.js"
    index.write_text('Search.setIndex({"terms": {"crank": 0}})', encoding="utf-8")
    page.write_text(
        "<p>How often does the crank turn?</p><p>Let them vote before the heavy rod begins to fall.</p>",
        encoding="utf-8",
    )
    assert solution_leaks.find_leaks(shipped, source) == []
    index.write_text('Search.setIndex({"terms": {"crank": 0, "flywheel": 0}})', encoding="utf-8")
    assert solution_leaks.find_leaks(shipped, source) == ["the search finds the word flywheel"]
    page.write_text(
        '<p>The crank turns <b>thirty</b> times before the flywheel shatters.</p> <div id="equation-eq-s">',
        encoding="utf-8",
    )
    (shipped / "book" / "teachers.html").write_text("", encoding="utf-8")
    (shipped / "page.md").write_text("The rod lands before the ball does.", encoding="utf-8")
    told = [x.split(" ")[0] for x in solution_leaks.find_leaks(shipped, source)]
    assert told == [*4 * ["page.html"], *2 * ["page.md"], "teachers.html"]


def test_a_notebook_for_students_checks_no_solution(source):
    """The check of a solution's numbers goes with it; in a teacher's both stay."""
    notebook = json.loads((source / "book" / "page.ipynb").read_text(encoding="utf-8")) | {
        "metadata": dict.fromkeys(("kernelspec", "language_info"))
    }
    of_student = json.dumps(download_notebooks.to_plain_notebook(notebook, Page(), solutions=False))
    assert "crank turn" in of_student and "flywheel" not in of_student and "quoted" not in of_student
    assert (
        "flywheel" in (whole := json.dumps(download_notebooks.to_plain_notebook(notebook, Page())))
        and "quoted" in whole
    )


def test_a_page_that_is_left_out_has_no_door():
    """Neither a link nor a card, nor a line in the contents, in the student's edition alone; the teacher's has the exams."""
    text = "[For teachers](teachers.md), [rods](rp.ipynb)\n\n:::{grid-item-card} Teach\n:link: teachers\n\nGo.\n:::\n"
    assert edition.edit_text(text, "student").strip() == "For teachers, [rods](rp.ipynb)"
    assert edition.edit_text(text, "reader") == edition.edit_text(text, "teacher") == text
    words = "".join(path.read_text("utf8") for end in ("ipynb", "md") for path in build_book.ROOT.glob(f"book/*.{end}"))
    assert [words.count(said) for said in edition.READER_PHRASES] == len(edition.READER_PHRASES) * [1]
    toc = (build_book.ROOT / "_toc.yml").read_text(encoding="utf-8")
    without = edition.edition_toc(toc, "student")
    more = edition.edition_toc(toc, "teacher")
    assert [x for x in toc.splitlines() if x not in without.splitlines()] == [
        f"      - file: {x}" for x in edition.TEACHER_PAGES
    ]
    course = next(part for part in yaml.safe_load(toc)["parts"] if part.get("caption") == "Course")
    assert course["numbered"] is False  # so the chapters after them keep their numbers
    assert more.startswith(toc) and all(f"- file: {x}\n" in more for x in edition.EXAM_PAGES)


def test_what_was_read_loses_its_solutions():
    """And the checks of exercises, the rows of their equations in the ledger, the links to their proofs; the rest stays."""
    shown = nodes.math_block("", "b", label="eq-b")
    hidden = solution_node("", nodes.math_block("", "a", label="eq-a"))
    checks = [nodes.container("", nodes.Text(word), classes=["tag_check"]) for word in ("kept", "gone")]
    parts = [(("Motion", shown, checks[0])), (("Exercises", hidden, checks[1]))]
    tree = docutils.utils.new_document("page")
    tree += [nodes.section("", nodes.title("", title), *rest) for title, *rest in parts]
    assert edition.remove_solutions(tree) == {"eq-a"}
    assert "kept" in tree.astext() and "gone" not in tree.astext() and list(tree.findall(nodes.math_block)) == [shown]
    links = [nodes.reference("", "line 3", refuri=f"proofs/{slug}.html#line-3") for slug in ("page", "other")]
    rows = [[text(label), nodes.paragraph("", "", link)] for label, link in zip("ab", links)]
    ledger = docutils.utils.new_document("ledger")
    ledger += [table([text("x"), text("y")], [row], [f"proof-eq-{label}"]) for label, row in zip("ab", rows)]
    edition.remove_ledger_rows(ledger, {"proof-eq-a"}, {"page", "other"})
    assert [row["ids"] for row in ledger.findall(nodes.row)] == [[], [], ["proof-eq-b"]]
    assert not list(ledger.findall(nodes.reference)) and ledger.astext().endswith("line 3")


@pytest.mark.parametrize(
    "command",
    [build_book.main, slides.main, lite.main, lambda: build_pdf.main(["pdf"]), lambda: build_pdf.main(["epub"])],
    ids=["book", "slides", "lite", "pdf", "epub"],
)
def test_an_unknown_edition_is_told(command, monkeypatch, capsys):
    """Before anything is built."""
    monkeypatch.setenv("EDITION", "pupil")
    assert command() == 2 and capsys.readouterr().err == "EDITION is reader, student or teacher, got pupil\n"


def test_each_edition_has_a_place_of_its_own(monkeypatch, tmp_path):
    """Pages, PDF and EPUB of one do not overwrite those of another; its title says which it is."""
    found = []
    for name in edition.EDITIONS:
        monkeypatch.setenv("EDITION", name)
        found += [
            edition.html_folder(tmp_path),
            build_pdf.output_path("pdf", name),
            build_pdf.output_path("epub", name),
        ]
    assert len(set(found)) == 9 and [x.name for x in found[1::3]] == [
        "robotdyn.pdf",
        "robotdyn-student.pdf",
        "robotdyn-teacher.pdf",
    ]
    assert len({build_pdf.book_metadata(name)["edition"] for name in edition.EDITIONS}) == 3


def test_an_edition_is_built_whole_or_not_at_all(monkeypatch, tmp_path, capsys):
    """From its own contents, in a folder of its own; what failed leaves nothing."""
    seen = []

    def builds(code, toc, output):
        seen.append((toc.read_text(encoding="utf-8"), sorted(x.name for x in (output / "_build").iterdir())))
        (output / "_build" / "html").mkdir()
        return code

    monkeypatch.setattr(build_book, "BUILD", tmp_path)
    for kept in (".jupyter_cache", ".proofs"):
        (tmp_path / kept).mkdir()
    for code in (1, 0):
        monkeypatch.setattr(build_book, "build", functools.partial(builds, code))
        assert build_book.build_edition("teacher") == code
        assert sorted(x.name for x in tmp_path.iterdir()) == [".jupyter_cache", ".proofs", *["teacher"] * (code == 0)]
    assert [x.name for x in (tmp_path / "teacher").iterdir()] == [
        "html"
    ] and "teacher/html/index.html" in capsys.readouterr().out
    assert "exercises/exams/midterm" in seen[0][0] and seen[0][1] == [".formulas.json", ".jupyter_cache", ".proofs"]


def test_a_release_has_one_version(tmp_path):
    """The project has; two files that differ are told; the news are those of the newest section."""
    for name in ("pyproject.toml", "eqproof/pyproject.toml", "CITATION.cff", "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text((build_book.ROOT / name).read_text("utf8"), "utf8")
    assert release.project_version(tmp_path) == release.project_version()
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changes\n\n## 0.0.9 (2020-01-01)\n\n- New.\n\n## 0.0.8\n\n- Old.\n", encoding="utf-8"
    )
    with pytest.raises(ValueError, match=r"one version, got .*0\.0\.9 in CHANGELOG\.md"):
        release.project_version(tmp_path)
    assert release.newest_changes((tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")) == "- New.\n"


def test_old_versions_stay_and_say_so(tmp_path):
    """The newest is at the top and in a folder of its own; each old page leads to it, once; what the old top had is gone."""
    site = tmp_path / "site"
    (site / ".git").mkdir(parents=True)
    for version in ("0.1.0", "0.1.1", "0.2.0", "0.3.0"):
        html = tmp_path / version
        (html / "book").mkdir(parents=True)
        (html / "book" / f"only-{version}.html").write_text(
            f"<html><body class=x>{version}</body></html>", encoding="utf-8"
        )
        (html / "lite").mkdir()
        publish.publish(html, site, version)
    shown = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    assert shown == ["book/only-0.3.0.html", *(f"v{x[:3]}/book/only-{x}.html" for x in ("0.1.1", "0.2.0", "0.3.0"))]
    old = (site / "v0.1" / "book" / "only-0.1.1.html").read_text(encoding="utf-8")
    assert old.count("Read the newest") == 1 and 'href="../../index.html"' in old and "This is version 0.1 " in old
    assert "newest" not in (site / shown[0]).read_text(encoding="utf-8") + (site / shown[-1]).read_text(
        encoding="utf-8"
    )
    assert (site / ".git").exists() and (site / "lite").exists() and not (site / "v0.3" / "lite").exists()
