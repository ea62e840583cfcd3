"""The settings of a project: which pages there are, where their proofs stand, what its macros mean."""

import re
from pathlib import Path

import pytest

from eqproof import ProofError
from eqproof.__main__ import main
from eqproof.ledger import judge
from eqproof.project import expand, project


def test_pages_are_named_by_patterns_or_by_a_table_of_contents(tmp_path):
    """In the order in which they are named; from a folder below, too."""
    for name in ("b.md", "a.md", "c.ipynb"):
        (tmp_path / name).write_text("", encoding="utf-8")
    (tmp_path / "eqproof.toml").write_text('pages = ["c.ipynb", "*.md"]', encoding="utf-8")
    assert [page.name for page in project(tmp_path).pages] == ["c.ipynb", "a.md", "b.md"]
    (tmp_path / "_toc.yml").write_text("root: b\nparts:\n- chapters:\n  - file: c\n  - file: a.md\n", encoding="utf-8")
    (tmp_path / "eqproof.toml").write_text('toc = "_toc.yml"', encoding="utf-8")
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "a.md").write_text("", encoding="utf-8")
    (tmp_path / "eqproof.toml").write_text('toc = "_toc.yml"\npages = ["b.md", "below/*.md"]', encoding="utf-8")
    assert [page.parent.name for page in project(tmp_path).pages] == [*[tmp_path.name] * 3, "below"]
    (tmp_path / "eqproof.toml").write_text('toc = "_toc.yml"', encoding="utf-8")
    assert [page.name for page in project(tmp_path / "below").pages] == ["b.md", "c.ipynb", "a.md"]


def test_a_setting_that_is_none_is_named(tmp_path):
    """A slip of the pen in the settings does not pass in silence."""
    (tmp_path / "pyproject.toml").write_text('[tool.eqproof]\npage = ["*.md"]', encoding="utf-8")
    with pytest.raises(
        ProofError, match="page is no setting of eqproof; there are pages, toc, proofs, macros, units, numbers"
    ):
        project(tmp_path)


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        (r"\norm{a} = \R", r"\|a\| = \mathbb{R}"),
        (r"\Rx", r"\Rx"),
        (r"\half{\R}", r"\half{\mathbb{R}}"),
        (r"\norm{\dot{q}_{\{i\}}}", r"\|\dot{q}_{\{i\}}\|"),
        (r"\boxed{\norm{a} = \frac{1}{b}}", r"\boxed{\|a\| = \frac{1}{b}}"),
    ],
)
def test_macros_are_expanded(text, expanded):
    """A macro ends where its name does; an argument stands in braces."""
    assert expand(text, {r"\norm": r"\|#1\|", r"\R": r"\mathbb{R}"}) == expanded


def test_a_page_is_read_with_the_macros_of_its_project(tmp_path):
    """And its proofs are found where the settings say."""
    (tmp_path / "eqproof.toml").write_text(
        'proofs = "letters"\n[macros]\n"\\\\half" = "\\\\frac{1}{2}"', encoding="utf-8"
    )
    (tmp_path / "letters").mkdir()
    (tmp_path / "page.md").write_text(r"$$ a = \half b $$ (eq-one)", encoding="utf-8")
    (tmp_path / "letters" / "page.py").write_text(
        "import sympy as sp\nfrom eqproof import Chapter\nchapter = Chapter(__file__)\nb = sp.Symbol('b')\n"
        "chapter.bind({'a': b / 2, 'b': b})\n"
        "chapter.prove('eq-one', by='algebra')\n",
        encoding="utf-8",
    )
    report = judge(tmp_path / "page.md")
    assert report.wrong == () and [result.kind for result in report.results] == ["proven"]


HOOKED = {
    "chapters/page.md": True,
    "chapters/page.ipynb": True,
    "chapters/proofs/page.py": True,
    "chapters/conf.py": False,
    "README.md": False,
}


def test_the_hook_of_a_book_names_pages_and_proofs():
    """What pre-commit hands over are files that the command understands."""
    books = Path(__file__).parents[1] / "docs" / "books.md"
    (pattern,) = re.findall(r"^ +files: (\S+)$", books.read_text(encoding="utf-8"), re.M)
    assert {file: bool(re.search(pattern, file)) for file in HOOKED} == HOOKED


def test_a_file_of_proofs_means_its_page(tmp_path, monkeypatch, capsys):
    """As pre-commit hands them over: both files of a page, which is proven once, or one of them."""
    (tmp_path / "chapters" / "proofs").mkdir(parents=True)
    (tmp_path / "chapters" / "page.tex").write_text(
        "\\begin{equation}\\label{eq-one} a = 2 b \\end{equation}", encoding="utf-8"
    )
    proofs = tmp_path / "chapters" / "proofs" / "page.py"
    proofs.write_text(
        "import sympy as sp\nfrom eqproof import Chapter\nchapter = Chapter(__file__)\nb = sp.Symbol('b')\n"
        "chapter.bind({'a': 2 * b, 'b': b})\n"
        "chapter.prove('eq-one', by='algebra')\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    assert main(["chapters/page.tex", "chapters/proofs/page.py"]) == 0
    assert capsys.readouterr().out.count("page.tex: 1 proven") == 1
    proofs.write_text(proofs.read_text(encoding="utf-8").replace("'b': b", "'b': 3 * b"), encoding="utf-8")
    assert main(["chapters/proofs/page.py"]) == 1
    assert "the sides differ" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["chapters/proofs/none.py"])
