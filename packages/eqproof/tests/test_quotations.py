"""A misprint that a page quotes is refused as it stands in its source, and as no other false text."""

import pytest

from eqproof.__main__ import main
from eqproof.ledger import judge
from eqproof.quotations import as_printed

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


@pytest.mark.parametrize(
    ("kept", "other"),
    [
        (r"\frac{1}{2} m", r"\frac{1}{2 m}"),
        (r"c_{h-k}", r"c_h-k"),
        (r"\theta^2 x", r"\theta^{2 x}"),
        (r"\hat{x}_t", r"\hat{x_t}"),
        (r"\mu a", r"\mua"),
        (r"a \\ b", r"a b"),
    ],
)
def test_braces_are_a_part_of_what_is_quoted(kept, other):
    """They tell how far a fraction, an index, a power and an accent reach."""
    assert as_printed(kept) != as_printed(other)


def test_spaces_and_braces_around_one_sign_are_not():
    """They print nothing."""
    assert as_printed(r"\frac{1}{2} \, \dot{q}_{1}^{2}~\textcolor{red}{{b}}") == as_printed(r"\frac12\dot q_1^2b")
