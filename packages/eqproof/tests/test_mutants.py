"""Wrong versions of equations are refused; one of a definition breaks a proof that uses its name."""

import pytest

from eqproof.__main__ import main
from eqproof.mutants import survey_page

PROOFS = """
import sympy as sp
from eqproof import Chapter
a, b = sp.symbols("a b", positive=True)
chapter = Chapter(__file__)
chapter.bind({"a": a, "b": b, "c": (3 * a - b) ** 2})
chapter.define("eq-name", "a short name", let=True)
chapter.prove("eq-use", by="it", dead={dead})
"""
USED = {"c = s^2": {}, "s b = b s": {"s": "only to see", "b": "only to see"}}


@pytest.mark.parametrize("use", USED)
def test_a_wrong_definition_is_noticed_where_its_name_is_used(tmp_path, use):
    """And where the proof that uses it holds for any value, each of them is listed."""
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "page.py").write_text(PROOFS.replace("{dead}", repr(USED[use])), encoding="utf-8")
    (tmp_path / "page.md").write_text(f"$$ s = 3 a - b $$ (eq-name)\n\n$$ {use} $$ (eq-use)\n", encoding="utf-8")
    name, _ = survey_page(tmp_path / "page.md")
    assert name.label == "eq-name" and name.false + name.senseless + len(name.survivors) > 6
    survivors = sorted(mutant.after for mutant, _ in name.survivors)
    assert survivors == [] if use == "c = s^2" else len(survivors) > 4


def test_no_equation_has_no_mutants(tmp_path, capsys):
    """A label that is none is no error of arithmetic."""
    (tmp_path / "page.md").write_text("Nothing.\n", encoding="utf-8")
    assert main([str(tmp_path / "page.md"), "--mutants"]) == 0
    assert "| all | 0 | 0 | 0 | 0 | 0 |" in capsys.readouterr().out
