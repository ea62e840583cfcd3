"""Beside every equation of the built book stands a mark that leads to its row in the ledger and on to its proof."""

import ast
import logging
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import pytest
from browsing import HTML
from docutils.nodes import make_id

from eqproof import sphinx as proof_ledger
from eqproof.pages import displays
from eqproof.project import project

ROOT = Path(__file__).resolve().parents[2]
PAGES = [page for page in project(ROOT).pages if page.parent.name == "book" and displays(page)]


class Page(HTMLParser):
    """The ids of a page, and the attributes of its links."""

    def __init__(self, path):
        super().__init__()
        self.ids = set()
        self.links = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids.add(attributes.get("id"))
        if tag == "a":
            self.links.append(attributes)


@pytest.fixture(scope="module")
def ledger(book):
    """The built page of the ledger."""
    return Page(book / "book" / "proof-ledger.html")


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_equation_has_its_mark(ledger, page):
    """One mark an equation, with a name of its own for those who do not see it, to a row that exists and leads back."""
    marks = [a for a in Page(HTML / "book" / f"{page.stem}.html").links if "proof-mark" in a.get("class", "")]
    rows = [f"proof-{display.label}" for display in displays(page)]
    assert [a["href"] for a in marks] == [f"proof-ledger.html#{row}" for row in rows]
    assert set(rows) <= ledger.ids
    assert len({a["aria-label"] for a in marks}) == len(marks)
    words = "|".join(proof_ledger.MARKS[kind][1].capitalize() for kind in proof_ledger.COUNTED)
    assert all(re.fullmatch(rf"({words}) of equation [\d.]+", a["aria-label"]) for a in marks)
    back = {a["href"] for a in ledger.links if a.get("href", "").startswith(f"{page.stem}.html#equation-")}
    assert back == {f"{page.stem}.html#{make_id(f'equation-{display.label}')}" for display in displays(page)}


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_row_opens_its_proof(ledger, page):
    """The last column leads to a line that exists, and the line has to do with a proof."""
    shown = Page(HTML / "book" / "proofs" / f"{page.stem}.html")
    lines = (page.parent / "proofs" / f"{page.stem}.py").read_text(encoding="utf-8").splitlines()
    targets = [
        a["href"].split("#")[1] for a in ledger.links if a.get("href", "").startswith(f"proofs/{page.stem}.html")
    ]
    assert len(targets) == len(displays(page))
    assert set(targets) <= shown.ids
    assert all(lines[int(target.removeprefix("line-")) - 1].strip() for target in targets)


@pytest.mark.slow
def test_a_misprint_shows_what_the_checker_says(ledger):
    """In the errata the values of both sides stand below each refused equation, or why it is no equation."""
    text = (HTML / "book" / "sources.html").read_text(encoding="utf-8")
    said = re.findall(r'<p class="proof-said">At a random point: (.*?)</p>', text)
    assert len(said) == text.count("proof-refused") > 30
    assert all(re.search(r"differ.*: \S+ on the left, \S+ on the right|sizes|cannot multiply", words) for words in said)


def test_the_example_on_the_page_is_right():
    """The page's own lines run, and end as their comments say."""
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "book" / "proof-ledger.md").read_text(encoding="utf-8"), re.S)
    *start, right, wrong = ast.parse(code).body
    names = {}
    lines = code.splitlines()
    exec(compile(ast.Module(start, []), "<page>", "exec"), names)
    assert lines[right.end_lineno - 1].endswith("# proven") and eval(ast.unparse(right), names).proven
    assert lines[wrong.end_lineno - 1].endswith("# not proven") and not eval(ast.unparse(wrong), names).proven


def a_book(folder, equation):
    """A book of one page with one equation, which is proven if it says a = 2 b; as Sphinx's application sees it."""
    (folder / "book" / "proofs").mkdir(parents=True)
    (folder / "eqproof.toml").write_text('toc = "_toc.yml"', encoding="utf-8")
    (folder / "_toc.yml").write_text("root: book/page\n", encoding="utf-8")
    (folder / "book" / "page.md").write_text(f"# A page\n\n$$ {equation} $$ (eq-one)\n", encoding="utf-8")
    (folder / "book" / "proofs" / "page.py").write_text(
        "from eqproof import Chapter\nimport sympy as sp\nb = sp.Symbol('b')\nchapter = Chapter(__file__)\n"
        "chapter.prove('eq-one', {'a': 2 * b, 'b': b}, by='it')\n",
        encoding="utf-8",
    )
    config = SimpleNamespace(eqproof_depends=["eqproof"], eqproof_ledger="book/ledger")
    builder = SimpleNamespace(name="html", get_relative_uri=lambda page, other: "ledger.html")
    return SimpleNamespace(srcdir=folder, outdir=folder / "_build" / "html", config=config, builder=builder)


@pytest.mark.parametrize(("equation", "said"), [("a = 2 b", []), ("a = 3 b", ["eq-one: the sides differ"])])
def test_the_build_warns_of_what_is_not_proven(equation, said, tmp_path, caplog):
    """And a warning fails the strict build; the second build, which reads kept verdicts, warns again."""
    app = a_book(tmp_path, equation)
    for _ in range(2):
        caplog.clear()
        with caplog.at_level(logging.WARNING):
            proof_ledger.prove(app)
        found = [record.getMessage().removeprefix("WARNING: ") for record in caplog.records]  # of Sphinx, once it ran
        assert [message[: len(said[0])] for message in found] == said


def test_a_page_without_a_place_for_its_mark_is_told(tmp_path, caplog):
    """An equation that Sphinx shows without a number would have no mark."""
    app = a_book(tmp_path, "a = 2 b")
    proof_ledger.prove(app)
    shutil.rmtree(tmp_path / "_build")
    with caplog.at_level(logging.WARNING):
        proof_ledger.mark_equations(app, "book/page", "page.html", {"body": "<p>nothing</p>"}, None)
    assert "book/page: no place for the mark of eq-one" in caplog.text
