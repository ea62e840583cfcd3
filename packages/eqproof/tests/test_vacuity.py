"""What is true by its form alone is trivial: refused, unless a page asks for it, and then called so."""

import pytest
import sympy as sp

from eqproof import Chapter, ProofError, check
from eqproof.parser import parse
from eqproof.vacuity import canonical_form

x, y, u = sp.symbols("x y u", real=True)
TABLE = {"a": x, "b": y, "c": u, r"\boldsymbol A": [[x, y], [u, 1]], r"\boldsymbol v": [x, y]}
TRIVIAL = [
    "a = a + 0",
    "a + 0 = a",
    "a = 1 a",
    r"a = a \cdot 1",
    "a = (a)",
    "a + c - c = a",
    "a - a = 0",
    "0 a = 0",
    r"\frac{a}{1} = a",
    "a^1 = a",
    r"(\boldsymbol A^\top)^\top = \boldsymbol A",
    r"(\boldsymbol A^{-1})^{-1} = \boldsymbol A",
    r"\boldsymbol 1 \boldsymbol v = \boldsymbol v",
    r"\boldsymbol v + \boldsymbol 0 = \boldsymbol v",
    r"\sin(a + 0) = \sin a",
    r"\frac{a + b - b}{c} = \frac{a}{c}",
    "a + b = c + b - c + a, \\quad a = 1 a",
    "-(-a) = a",
    "a - (-b) = a + b",
    "a^0 = 1",
    "a / a = 1",
    r"\frac{a + b}{a + b} = 1",
    "2 a / 2 = a",
    r"\frac{a \cdot 2}{2} = a",
    r"a / b = \frac{a}{b}",
    r"\frac{2 a b}{2} = a b",
    r"\frac{0}{a} = 0",
    r"\sum_{i=1}^1 a = a",
    r"\sum_{i=3}^{3} i a = 3 a",
    "1^a = 1",
    r"a + 0 \le a + 1",
    "b + a < 2 + b + a",
    r"a \ne a + 1",
]
SAYS = [
    "a + b = b + a",
    "2 a = a + a",
    "(a + b)^2 = a^2 + 2 a b + b^2",
    r"\sin^2 a + \cos^2 a = 1",
    r"a - b - c = a - (b + c)",
    r"\boldsymbol A \boldsymbol A^{-1} = \boldsymbol 1",
    r"(\boldsymbol A \boldsymbol v)^\top = \boldsymbol v^\top \boldsymbol A^\top",
    r"\frac{a b}{b} = a",
    r"\frac{2 a}{4} = \frac{a}{2}",
    r"\sum_{i=1}^2 a = 2 a",
    "(-a)^2 = a^2",
    "(a + b) (a - b) = a^2 - a b + a b - b^2 = a^2 - b^2",
    r"\begin{aligned} (a + b)^2 - 2 a b &= a^2 + 2 a b + b^2 - 2 a b \\ &= a^2 + b^2 \end{aligned}",
    r"a^2 + b^2 + 1 \ge 2 a b",
]


@pytest.mark.parametrize("line", TRIVIAL)
def test_what_is_true_by_form_is_refused_and_passes_when_asked_for(line):
    """The verdict is one of its own."""
    with pytest.raises(ProofError, match="this says nothing"):
        check(line, TABLE)
    verdict = check(line, TABLE, trivial=True)
    assert verdict.holds and verdict.grade == "trivial" and not verdict.proven
    assert verdict.how == "true by its form alone, whatever its letters are"


@pytest.mark.parametrize("line", SAYS)
def test_what_needs_a_law_of_algebra_is_not_trivial(line):
    """And must not be asked for as such."""
    assert check(line, TABLE).proven
    with pytest.raises(ProofError, match="this is not true by its form alone"):
        check(line, TABLE, trivial=True)


@pytest.mark.parametrize(
    "line",
    ["a = a + 1", "a + 1 \\le a + 0", "a^0 = 0", "a = 2 a", r"\boldsymbol A^\top = \boldsymbol A", "a + c - b = a"],
)
def test_what_is_false_is_not_trivial(line):
    """Whether it was asked for or not."""
    assert check(line, TABLE).grade == check(line, TABLE, trivial=True).grade == "false"


def test_the_plain_form_keeps_the_value():
    """At every line above, both sides stand for what they stood for."""
    for line in (*TRIVIAL, *SAYS):
        for chain in parse(line).chains:
            for side in chain.sides:
                assert canonical_form(canonical_form(side)) == canonical_form(side)


def test_a_page_asks_for_what_is_trivial(tmp_path):
    """Its row says so; without the word the equation is wrong."""
    (tmp_path / "proofs").mkdir()
    (tmp_path / "page.md").write_text("$$ a = a + 0 $$ (eq-one)\n\n$$ b = 1 b $$ (eq-two)", encoding="utf-8")
    (tmp_path / "proofs" / "page.py").touch()
    chapter = Chapter(tmp_path / "proofs" / "page.py")
    chapter.bind(TABLE)
    chapter.prove("eq-one", by="its form", trivial=True)
    chapter.prove("eq-two", by="its form")
    assert [result.kind for result in chapter.run()] == ["trivial", "failed"]


IDENTITIES = {
    r"\det(2 \boldsymbol 1) = 2": "the determinant of an identity depends on its size",
    r"\operatorname{rank} \boldsymbol 1 = 1": "the rank of an identity depends on its size",
    r"\operatorname{diag}(\boldsymbol 1) = 1": "the diagonal of an identity depends on its size",
    r"\|\boldsymbol 1\| = 1": "the length of an identity depends on its size",
}


@pytest.mark.parametrize("line", IDENTITIES)
def test_an_identity_without_a_size_has_no_number(line):
    """Nothing in the line tells whether 1 is 1 x 1 or 5 x 5."""
    with pytest.raises(ProofError, match=IDENTITIES[line]):
        check(line, {})


def test_an_identity_is_no_number():
    """Unless a letter beside it is 1 x 1 at this size."""
    assert not check(r"2 \boldsymbol 1 = 2", {})
    assert check(r"\boldsymbol B^{-1} \boldsymbol B = \boldsymbol 1", {r"\boldsymbol B": [[x]]})
    assert check(r"(2 \boldsymbol 1)^{-1} = \frac{1}{2} \boldsymbol 1", {})


def test_a_condition_is_no_claim():
    """Beside an equation, x > 0 of a letter of either sign says for which x the equation is meant."""
    with pytest.raises(ProofError, match="a > 0 is a condition on a letter that is free, and no claim"):
        check(r"2 a = a + a, \qquad a > 0", TABLE)
    assert check(r"2 p = p + p, \qquad p > 0", {"p": sp.Symbol("p", positive=True)})
