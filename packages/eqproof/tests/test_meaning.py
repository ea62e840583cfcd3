"""Two texts mean the same only if algebra alone says so: neither a law, nor a symmetry, nor a zero in a binding helps."""

import pytest
import sympy as sp

from eqproof import Bindings, Chapter, abbreviations, field
from eqproof.meaning import same_meaning

q, v = sp.Matrix(sp.symbols("q_1:3", real=True)), sp.Matrix(sp.symbols("v_1:3", real=True))
m = sp.Symbol("m", positive=True)
M = sp.Matrix([[m, sp.cos(q[1])], [sp.cos(q[1]), 2]])
TABLE = (
    Bindings()
    .motion(q, v)
    .bind(
        {
            "m": m,
            "n": 2,
            "z": 0,
            r"\boldsymbol q": q,
            r"\boldsymbol M": field(M, q),
            "T": field(m * v[0] ** 2, q, v),
            "f": lambda a, b: a + b,
            r"\delta": m,
        }
        | abbreviations(q)
    )
)

SAME = [
    (r"T = m + n", r"m + n = T"),
    (r"T = \cos(q_1 - q_2)", r"T = \cos(q_2 - q_1)"),
    (r"T = \sum_{i=1}^{n} q_i", r"T = \sum_{k=1}^{2} q_k"),
    (r"\boldsymbol M \boldsymbol q = \boldsymbol q", r"\boldsymbol q = \boldsymbol M \boldsymbol q"),
    (r"T = \frac{1}{2} m \dot q_1^2", r"T = m \dot q_1^2 / 2"),
    (r"\frac{d}{dt} (q_1 + q_2) = 0", r"\frac{d}{dt} (q_2 + q_1) = 0"),
    (r"\boldsymbol q^\top \boldsymbol M \boldsymbol q = m", r"\boldsymbol q^\top \boldsymbol M^\top \boldsymbol q = m"),
    (r"T = s_{12}", r"T = s_1 c_2 + c_1 s_2"),
    (r"\boldsymbol M(\boldsymbol q) \boldsymbol q = \boldsymbol q", r"\boldsymbol M \boldsymbol q = \boldsymbol q"),
    (r"T(\boldsymbol q, \dot{\boldsymbol q}) = m", r"T = m"),
]
OTHER = [
    (r"T = m + z", r"T = m - z"),  # z is zero here
    (r"M_{12} = m", r"M_{21} = m"),  # M is symmetric here
    (r"\frac{\partial T}{\partial q_1} = 0", r"\frac{\partial (2 T)}{\partial q_1} = 0"),  # T does not depend on q_1
    (r"f(m, n) = T", r"f(n, m) = T"),  # f is symmetric here
    (r"T(\boldsymbol q, \dot{\boldsymbol q}) = m", r"T(\boldsymbol q, \boldsymbol q) = m"),
    (r"\frac{d T}{d t} = m", r"\frac{\partial T}{\partial t} = m"),
    (r"\boldsymbol M \boldsymbol q = \boldsymbol q", r"\boldsymbol M^\top \boldsymbol q = \boldsymbol q"),
    (r"T = \sum_{i=1}^{n} q_i", r"T = \sum_{i=1}^{n} q_1"),
    (r"T < m", r"T = m"),
    (r"T < m", r"m < T"),
    (r"\dot q_1 = m", r"q_1 = m"),
]


@pytest.fixture
def entry(tmp_path):
    """An entry of a chapter with the table."""
    (tmp_path / "proofs").mkdir()
    (tmp_path / "page.md").write_text("$$ m = m + 0 $$ (eq-x)", encoding="utf-8")
    (tmp_path / "proofs" / "page.py").touch()
    chapter = Chapter(tmp_path / "proofs" / "page.py")
    chapter.bind(TABLE.bind({"t": sp.Symbol("t", real=True)}).motion([], t=sp.Symbol("t", real=True)))
    chapter.prove("eq-x", by="algebra")
    return chapter.entries["eq-x"]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_in_other_words(entry, one, other):
    """What algebra alone makes equal."""
    assert same_meaning(entry, one, other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_another_meaning_that_the_bindings_hide(entry, one, other):
    """What is equal only because of what the letters stand for here."""
    assert not same_meaning(entry, one, other)
