"""The settings of a project: which pages there are, where their proofs stand, what its macros mean."""

import pytest

from eqproof import ProofError
from eqproof.ledger import judge
from eqproof.project import expand, project


def test_pages_are_named_by_patterns_or_by_a_table_of_contents(tmp_path):
    """In the order in which they are named; from a folder below, too."""
    for name in ("b.md", "a.md", "c.ipynb"):
        (tmp_path / name).write_text("")
    (tmp_path / "eqproof.toml").write_text('pages = ["c.ipynb", "*.md"]')
    assert [page.name for page in project(tmp_path).pages] == ["c.ipynb", "a.md", "b.md"]
    (tmp_path / "_toc.yml").write_text("root: b\nparts:\n- chapters:\n  - file: c\n  - file: a.md\n")
    (tmp_path / "eqproof.toml").write_text('toc = "_toc.yml"')
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "a.md").write_text("")
    (tmp_path / "eqproof.toml").write_text('toc = "_toc.yml"\npages = ["b.md", "below/*.md"]')
    assert [page.parent.name for page in project(tmp_path).pages] == [*[tmp_path.name] * 3, "below"]
    (tmp_path / "eqproof.toml").write_text('toc = "_toc.yml"')
    assert [page.name for page in project(tmp_path / "below").pages] == ["b.md", "c.ipynb", "a.md"]


def test_a_setting_that_is_none_is_named(tmp_path):
    """A slip of the pen in the settings does not pass in silence."""
    (tmp_path / "pyproject.toml").write_text('[tool.eqproof]\npage = ["*.md"]')
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
        (r"\boxed{a = \frac{1}{b}}", r"a = \frac{1}{b}"),
    ],
)
def test_macros_are_expanded(text, expanded):
    """A macro ends where its name does; an argument stands in braces."""
    assert expand(text, {r"\norm": r"\|#1\|", r"\R": r"\mathbb{R}"}) == expanded


def test_a_page_is_read_with_the_macros_of_its_project(tmp_path):
    """And its proofs are found where the settings say."""
    (tmp_path / "eqproof.toml").write_text('proofs = "letters"\n[macros]\n"\\\\half" = "\\\\frac{1}{2}"')
    (tmp_path / "letters").mkdir()
    (tmp_path / "page.md").write_text(r"$$ a = \half b $$ (eq-one)")
    (tmp_path / "letters" / "page.py").write_text(
        "from eqproof import Chapter\nchapter = Chapter(__file__)\nchapter.bind({'a': 1, 'b': 2})\n"
        "chapter.prove('eq-one', by='counting')\n"
    )
    report = judge(tmp_path / "page.md")
    assert report.wrong == () and [result.kind for result in report.results] == ["proven"]
