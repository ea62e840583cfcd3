"""The extension in a plain Sphinx project: marks, a ledger, and a warning for each formula that is drawn without a verdict."""

import re
import subprocess
import sys

import pytest

pytest.importorskip("myst_parser", reason="MyST is not installed: pip install sphinx myst-parser")

from docutils import nodes

from eqproof.sphinx import text

pytestmark = pytest.mark.slow
PAGE = r"""# Swing

$$ \speed = l \dot\theta $$ (eq-speed)

:::{note}
{more}
:::
"""
PROOFS = r"""
import sympy as sp
from eqproof import Chapter
l, rate = sp.Symbol("l", positive=True), sp.Symbol("rate", real=True)
chapter = Chapter(__file__)
chapter.bind({"l": l, r"\dot\theta": rate})
chapter.prove("eq-speed", {"v": l * rate}, by="the velocity along the tangent")
"""


def built(folder, more="Nothing more.", proofs=PROOFS):
    """Build a project of one page and the ledger; return the warnings, the page and the ledger as HTML."""
    (folder / "proofs").mkdir()
    (folder / "conf.py").write_text(
        'extensions = ["myst_parser", "sphinx.ext.mathjax", "eqproof.sphinx"]\n'
        'myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence"]\nmath_numfig = False\n',
        encoding="utf-8",
    )
    (folder / "eqproof.toml").write_text('pages = ["swing.md"]\n[macros]\n"\\\\speed" = "v"', encoding="utf-8")
    (folder / "index.md").write_text("# Book\n\n```{toctree}\nswing\nproof-ledger\n```\n", encoding="utf-8")
    (folder / "proof-ledger.md").write_text("# Ledger\n\n```{proof-ledger}\n```\n", encoding="utf-8")
    (folder / "swing.md").write_text(PAGE.replace("{more}", more), encoding="utf-8")
    (folder / "proofs" / "swing.py").write_text(proofs, encoding="utf-8")
    out = folder / "_build" / "html"
    argv = [sys.executable, "-m", "sphinx", "-q", "--no-color", "-b", "html", str(folder), str(out)]
    said = subprocess.run(argv, capture_output=True, text=True, check=True).stderr  # Sphinx keeps state in its process
    return (
        said,
        (out / "swing.html").read_text(encoding="utf-8"),
        (out / "proof-ledger.html").read_text(encoding="utf-8"),
    )


def test_a_page_is_marked_and_the_ledger_written(tmp_path):
    """The mark leads to the row, the row back to the equation and on to the lines of the proof."""
    said, page, ledger = built(tmp_path)
    assert said == ""
    assert re.search(r'<a class="proof-mark proof-\w+" href="proof-ledger.html#proof-eq-speed"', page)
    assert 'id="proof-eq-speed"' in ledger and "swing.html#equation-eq-speed" in ledger
    assert "Displayed formulas on all built pages: 1 with a verdict." in ledger
    assert (tmp_path / "_build" / "html" / "proofs" / "swing.html").exists()


def test_the_letters_that_a_verdict_names_are_formulas():
    """LaTeX in what the checker says is drawn, not printed."""
    said = r"so; [\boldsymbol c]_\times is not told: it commutes; l_z is not told: zero; units open: \boldsymbol Y has none"
    cell = text(said)
    assert [x.astext() for x in cell.findall(nodes.math)] == [r"[\boldsymbol c]_\times", "l_z", r"\boldsymbol Y"]
    assert cell.astext() == said


UNCOVERED = {
    "without a label": ("$$ a = b $$", "no label stands behind 'a = b'"),
    "a directive": ("```{math}\n:label: eq-more\na = b\n```", "eq-more is neither proven nor a definition"),
    "one line": ("- one\n\n  $$a = b$$ (eq-more)", "eq-more is neither proven nor a definition"),
    "alignat": (r"\begin{alignat}{2} a &= b \end{alignat}", "neither proven nor declared"),
    "included": ("```{include} other.txt\n```", "'a = b' is neither proven nor declared"),
}


@pytest.mark.parametrize("what", UNCOVERED)
def test_a_formula_that_is_drawn_has_a_verdict(what, tmp_path):
    """However it came into the document: the nodes are counted, not what an expression finds in the text."""
    more, words = UNCOVERED[what]
    (tmp_path / "other.txt").write_text("$$ a = b $$\n", encoding="utf-8")
    said, _, ledger = built(tmp_path, more)
    assert words in said
    assert "1 with a verdict." in ledger


def test_what_is_false_is_a_warning(tmp_path):
    """Which fails a strict build."""
    said, page, _ = built(tmp_path, proofs=PROOFS.replace("l * rate", "2 * l * rate"))
    assert "eq-speed: the sides differ" in said
    assert "proof-failed" in page
