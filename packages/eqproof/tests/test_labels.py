"""A label belongs to what it names: two that change places are noticed, though both equations hold."""

import pytest

from eqproof.__main__ import main
from eqproof.labels import moved_labels
from eqproof.ledger import judge

PAGE = "$$ a = 2 b $$ (eq-one)\n\n$$ c' = b a $$ (eq-two)\n"
PROOFS = """
import sympy as sp
from eqproof import Chapter
b = sp.Symbol("b")
chapter = Chapter(__file__)
chapter.bind({"a": 2 * b, "b": b, "c'": 2 * b**2})
chapter.prove("eq-one", by="it")
chapter.prove("eq-two", by="it")
"""


def test_swapped_labels_are_noticed(tmp_path, monkeypatch):
    """Until the author notes that they were meant; a right side may change."""
    (tmp_path / "eqproof.toml").write_text('pages = ["page.md"]', encoding="utf-8")
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "page.py").write_text(PROOFS, encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert judge(page).wrong == ()
    with pytest.raises(SystemExit):
        main(["--labels", "page"])  # the others would be forgotten
    main(["--labels"])
    assert judge(page).wrong == ()
    page.write_text(PAGE.replace("2 b", "b + b"), encoding="utf-8")
    assert judge(page).wrong == ()
    page.write_text(PAGE.replace("one", "?").replace("two", "one").replace("?", "two"), encoding="utf-8")
    (one, two) = judge(page).wrong
    assert one.startswith(
        "eq-two was about c' | a b c, and stands now where eq-one stood: have two labels changed places?"
    )
    assert two.startswith("eq-one was about a | a b, and stands now where eq-two stood")
    page.write_text(PAGE.replace("a =", "a + 0 ="), encoding="utf-8")  # what is rewritten has not changed its place
    assert "changed places" not in " ".join(judge(page).wrong)
    page.write_text(PAGE.replace("one", "?").replace("two", "one").replace("?", "two"), encoding="utf-8")
    main(["--labels"])
    assert judge(page).wrong == ()


def test_labels_of_the_same_letters_are_told_apart(tmp_path, monkeypatch):
    """Of two equations with one left side and the same letters, the file keeps all."""
    (tmp_path / "eqproof.toml").write_text('pages = ["page.md"]', encoding="utf-8")
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "page.py").write_text(PROOFS, encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text(PAGE.replace("c' = b a", "a = b + b"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    main(["--labels"])
    assert judge(page).wrong == ()
    page.write_text(
        page.read_text(encoding="utf-8").replace("one", "?").replace("two", "one").replace("?", "two"), encoding="utf-8"
    )
    assert [x.count("changed places") for x in judge(page).wrong] == [1, 1]


def test_any_label_can_be_noted(tmp_path, monkeypatch):
    """Also one with a colon, as authors of LaTeX write them, on a page of any name."""
    (tmp_path / "eqproof.toml").write_text('pages = ["*.md"]', encoding="utf-8")
    (tmp_path / "proofs").mkdir()
    page = tmp_path / "page 1.0.md"
    page.write_text("$$ a = 2 b $$ (eq:one)\n\n$$ c' = b a $$ (eq:\U0001d703)\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    main(["--labels"])
    assert moved_labels(page) == []
    page.write_text("$$ c' = b a $$ (eq:one)\n", encoding="utf-8")
    assert ["changed places" in x for x in moved_labels(page)] == [True]


def test_an_equation_that_became_another_is_noticed(tmp_path, monkeypatch):
    """Another left side and other letters: the label names what it was; either of them may change alone."""
    (tmp_path / "eqproof.toml").write_text('pages = ["page.md"]', encoding="utf-8")
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "page.py").write_text(
        PROOFS.replace('"b": b,', '"b": b, "d": b, "e": 2 * b,'), encoding="utf-8"
    )
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    main(["--labels"])
    page.write_text(PAGE.replace("a = 2 b", "e = 2 d"), encoding="utf-8")
    (one,) = judge(page).wrong
    assert one.startswith("eq-one was about a | a b, and is now about e | d e: is it the equation that others name?")
    for rewritten in ("a = 2 d", "2 b = a"):
        page.write_text(PAGE.replace("a = 2 b", rewritten), encoding="utf-8")
        assert judge(page).wrong == ()
