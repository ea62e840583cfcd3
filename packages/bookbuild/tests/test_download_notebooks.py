"""The notebooks that leave the book: plain Markdown, the numbers of the page, the same code; and where the project is to be had."""

import functools
import html
import json
import re
import types
import zipfile

import pytest

from bookbuild import build_book, download_notebooks, myst_to_commonmark, project_urls, release

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

    def term_anchor(self, term):
        return f"term-{term.replace(' ', '-')}"

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


def test_a_glossary_becomes_plain_markdown():
    """Each term stands in bold, with the anchor that links ask for."""
    text = "```{glossary}\nend effector\n  The *hand* of [an arm](start.ipynb#tip).\n  *Elsewhere:* S 2.\n\ngap\n  A {term}`gap`.\n```"
    plain = """<a id="term-end-effector"></a>

**end effector**

The *hand* of <an arm: start.ipynb#tip>.
*Elsewhere:* S 2.

<a id="term-gap"></a>

**gap**

A <term gap>."""
    assert blocks(myst_to_commonmark.to_commonmark(text, Page())) == plain


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
        monkeypatch.setattr(download_notebooks, "read_project_urls", functools.partial(lambda urls: urls, here))
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
    wheels = {name.split("/")[1].split("-")[0] for name in names if name.endswith(".whl")}
    assert wheels == {"robotdyn", "movingfigures", "coursework", "eqproof"}  # what the first cells install


HIDDEN = "::::{solution} ex-b\nThe crank turns thirty times before the flywheel shatters.\n\n$$\na\n$$ (eq-s)\n::::"


def test_a_notebook_for_students_checks_no_solution():
    """The check of a solution's numbers goes with it; in a teacher's both stay."""
    text = f"## Exercises\n\nHow often does the crank turn?\n\n{HIDDEN}\n"
    cells = [
        download_notebooks.markdown_cell("a", text),
        download_notebooks.code_cell("b", "quoted({'30': 30})", {"tags": ["check"]}),
    ]
    notebook = {"cells": cells, "metadata": dict.fromkeys(("kernelspec", "language_info"))}
    of_student = json.dumps(download_notebooks.to_plain_notebook(notebook, Page(), solutions=False))
    assert "crank turn" in of_student and "flywheel" not in of_student and "quoted" not in of_student
    assert (
        "flywheel" in (whole := json.dumps(download_notebooks.to_plain_notebook(notebook, Page())))
        and "quoted" in whole
    )
