"""A misprint that a page quotes is refused as it stands in its source, and as no other false text."""

from eqproof.__main__ import main
from eqproof.ledger import judge

PAGE = "$$ a = 2 b $$ (eq-right)\n\n$$ a = 3 b $$ (eq-misprint)\n"
PROOFS = """
import sympy as sp
from eqproof import Chapter
b = sp.Symbol("b")
chapter = Chapter(__file__)
chapter.bind({"a": 2 * b, "b": b})
chapter.prove("eq-right", by="it")
chapter.refuse("eq-misprint", by="it", instead="eq-right")
"""


def test_a_quotation_stays_as_it_is(tmp_path, monkeypatch):
    """Another false text is told, and so is a quotation that is new or gone; spaces and colors may change."""
    (tmp_path / "eqproof.toml").write_text('pages = ["page.md"]', encoding="utf-8")
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "page.py").write_text(PROOFS, encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text(PAGE.replace("3 b", "4 b"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert judge(page).wrong == (), "without a file nothing is compared"
    page.write_text(PAGE, encoding="utf-8")
    main(["--labels"])
    assert (tmp_path / "proofs" / "quotations.toml").read_text(encoding="utf-8").endswith('eq-misprint = "a=3b"\n')
    assert judge(page).wrong == ()
    page.write_text(PAGE.replace("3 b", r"3 \textcolor{red}{b}"), encoding="utf-8")
    assert judge(page).wrong == ()
    page.write_text(PAGE.replace("3 b", "4 b"), encoding="utf-8")
    assert [x for x in judge(page).wrong if x.startswith("eq-misprint is not the quotation that is kept, a=3b")]
    kept = tmp_path / "proofs" / "quotations.toml"
    kept.write_text(kept.read_text(encoding="utf-8").replace("eq-misprint", "eq-other"), encoding="utf-8")
    assert [x.partition(":")[0] for x in judge(page).wrong] == [
        "eq-misprint is a quotation that is not kept",
        "quotations.toml keeps eq-other, which page.md does not refuse",
    ]
