"""Terms and sides are measured in one unit, entry by entry; a mistake names the term and both units."""

import mpmath
import pytest
import sympy as sp

from eqproof import Bindings, Chapter, ProofError, abbreviations, field
from eqproof.parser import parse
from eqproof.points import DIGITS
from eqproof.units import Units, exponents, factor, named, without_unit

m, l, g = sp.symbols("m l g", positive=True)
q, v, a = (sp.Matrix(sp.symbols(f"{x}_1:3", real=True)) for x in "qva")
M = sp.Matrix([[m * l**2 + m * q[1] ** 2, m * l], [m * l, m]])  # the first joint turns, the second slides
TABLE = (
    Bindings()
    .motion(q, v, a)
    .bind(
        {
            "m": m,
            "l": l,
            "g": g,
            "r": q[1],
            r"\theta": q[0],
            r"\boldsymbol q": q,
            r"\boldsymbol M": field(M, q),
            "T": (v.T * M * v)[0] / 2,
            r"\tau_*": lambda i: (M * a)[i - 1],
            r"\boldsymbol\tau": M * a,
            "f": lambda x: x**2,
            r"\delta": m * l**2,
            "w": m,
        }
        | abbreviations(q[:1])
    )
)
UNITS = Units(
    {
        "m": "kg",
        "l": "m",
        "g": "m/s^2",
        "r": "m",
        r"\theta": "rad",
        "T": "J",
        r"\boldsymbol q": ["rad", "m"],
        r"\boldsymbol M": [["kg m^2", "kg m"], ["kg m", "kg"]],
        r"\boldsymbol\tau": ["N m", "N"],
        "f": "N",
        r"\delta": "kg m^2",
    }
)

AGREE = [
    r"T = \frac{1}{2} m l^2 \dot q_1^2 + 0",
    r"T = \frac{1}{2} \dot{\boldsymbol q}^\top \boldsymbol M(\boldsymbol q) \dot{\boldsymbol q}",
    r"\frac{d}{dt} \frac{\partial T}{\partial \dot q_2} = \tau_2 + \frac{\partial T}{\partial r}",
    r"\frac{\partial T}{\partial \dot{\boldsymbol q}} = \boldsymbol M \dot{\boldsymbol q}",
    r"\boldsymbol M^{-1} \boldsymbol\tau = \ddot{\boldsymbol q}",
    r"\boldsymbol M^{-1} \boldsymbol M = \boldsymbol 1",
    r"\det \boldsymbol M = m^2 l^2",
    r"\sqrt{l^2 + r^2} = |r|",
    r"\sum_{i=1}^{2} \tau_i \dot q_i = T / \sqrt{l / g}",
    r"T = m g l s_1 + m l g \sin \frac{r}{l}",
    r"\delta \dot q_1^2 = \max(T, m g l)",
    r"l = 0.5",
    r"\int_0^l r dr = l^2",
    r"f(r) = \begin{cases} m g & r > l \\ 0 & \text{otherwise} \end{cases}",
]
DISAGREE = {
    r"T = m g s_1": "m g s_1 is measured in kg m/s^2, what stands before it in kg m^2/s^2",
    r"l = r + \dot r": r"\dot r is measured in m/s, what stands before it in m",
    r"\frac{d}{dt} \frac{\partial T}{\partial \dot q_2} = \tau_1": r"\tau_1 is measured in kg m^2/s^2, what stands before",
    r"\boldsymbol M = \begin{bmatrix} m l^2 & m l \\ m & m \end{bmatrix}": "kg, what stands before it in kg m, in entry (2, 1)",
    r"T = m g l \sin r": "r is the argument of sin, and measured in m",
    r"\int_0^m r dr = l^2": "m is a bound of m, and measured in kg",
    r"T = m g l^r": "r is an exponent, and measured in m",
    r"T = \max(T, l)": "l is measured in m, what stands before it in kg m^2/s^2",
    r"f(r) = \begin{cases} m g & r > \theta \\ 0 & \text{otherwise} \end{cases}": r"\theta is measured in 1, what stands before",
}


@pytest.mark.parametrize("line", AGREE)
def test_units_that_agree(line):
    """Whether the equation holds is another question."""
    assert without_unit(parse(line), TABLE, {}, UNITS) is None


@pytest.mark.parametrize("line", DISAGREE)
def test_a_mistake_names_the_term_and_both_units(line):
    """In an entry of a matrix, that entry."""
    with pytest.raises(ProofError) as caught:
        without_unit(parse(line), TABLE, {}, UNITS)
    assert DISAGREE[line] in str(caught.value.at(line))


@pytest.mark.parametrize("line", ["m = w", r"T = \int_0^1 m dx", r"\boldsymbol M = w \boldsymbol M"])
def test_a_letter_without_a_unit_leaves_it_open(line):
    """Nothing is claimed then."""
    assert without_unit(parse(line), TABLE, {}, UNITS) is not None


ANY = Units(
    {r"\boldsymbol q": "u_i", "T": "J", r"\boldsymbol M": "J s^2/u_i u_j", r"\boldsymbol\tau": "J/u_i", "m": "kg"}
)
ANY_JOINT = {
    r"T = \frac{1}{2} \dot{\boldsymbol q}^\top \boldsymbol M \dot{\boldsymbol q}": "",
    r"\boldsymbol M \ddot{\boldsymbol q} = \boldsymbol\tau": "",
    r"\frac{\partial T}{\partial \dot q_2} = \sum_{j=1}^{2} M_{2j} \dot q_j": "",
    r"\boldsymbol M \dot{\boldsymbol q} = \boldsymbol\tau": "s^2",
    r"\tau_1 = \tau_2": "is measured in kg m^2/(s^2 u_2), what stands before it in kg m^2/(s^2 u_1)",
    r"\sum_{i=1}^{2} q_i = \sum_{i=1}^{2} \tau_i": "is measured otherwise than what stands before it",
    r"T = \tau_1 \dot q_1 + \tau_2 q_2": r"\tau_2 q_2 is measured in kg m^2/s^2, what stands before it in kg m^2/s^3",
    r"m = \boldsymbol q^\top \boldsymbol q": "what stands before it in kg",
}


@pytest.mark.parametrize("line", ANY_JOINT)
def test_a_joint_that_may_turn_or_slide_has_a_unit_of_its_own(line):
    """So that nothing can be added that belongs to two joints."""
    if not ANY_JOINT[line]:
        assert without_unit(parse(line), TABLE, {}, ANY) is None
        return
    with pytest.raises(ProofError) as caught:
        without_unit(parse(line), TABLE, {}, ANY)
    assert ANY_JOINT[line] in str(caught.value.at(line))


def test_a_letter_that_is_zero_has_its_unit():
    """Only a zero that is printed, or an entry that vanishes, has any: \\dot m is kg/s though m never varies."""
    for line in ("m = 0", r"\dot m = 0", r"m \ge \dot m l - \dot m l"):
        assert without_unit(parse(line), TABLE, {}, UNITS) is None
    with pytest.raises(ProofError, match="is measured in kg/s, what stands before it in kg"):
        without_unit(parse(r"m \ge \dot m"), TABLE, {}, UNITS)


def test_a_new_name_has_the_unit_of_what_it_names():
    """Of a definition the left side has no value yet."""
    units = Units({"m": "kg", "l": "m", "a": "kg m", "b": "kg"})
    assert without_unit(parse("a = m l"), TABLE, {}, units, names=True) is None
    with pytest.raises(ProofError, match=r"is measured in kg m, its name in kg"):
        without_unit(parse("b = m l"), TABLE, {}, units, names=True)


def test_units_are_read_and_written():
    """Names such as N are made of the base units."""
    assert exponents("N m s/rad") == exponents("kg m^2 / s") and exponents("rad") == exponents("1") == {}
    assert named(factor("W")) == "kg m^2/s^3" and named(factor("1 / kg m^2")) == "1/(kg m^2)"
    with mpmath.workdps(DIGITS):
        assert named(factor("kg") ** 0.5) == "kg^1/2"
    assert named(factor("kg") + 11) == "no single unit"
    many = "kg^3 m^6/u_1^6"  # as of the determinant of a mass matrix: its square is too long to tell
    assert named(factor(many)) == many
    with pytest.raises(ProofError, match="'lb' is no unit; there are kg, m, s, A, K, 1, rad"):
        exponents("lb m")


def test_a_page_declares_units_once(tmp_path):
    """The project's hold on all its pages, the chapter's beside them; the ledger says that they agree."""
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "page.py").touch()
    (tmp_path / "eqproof.toml").write_text("[units]\n'm_*' = 'kg'\n'l' = 'm'\n", encoding="utf-8")
    (tmp_path / "page.md").write_text("$$ a = m_1 l $$ (eq-one)\n\n$$ b = m_1 + l $$ (eq-two)\n", encoding="utf-8")
    chapter = Chapter(tmp_path / "proofs" / "page.py")
    chapter.bind({"m_*": [m], "l": l})
    chapter.units({"a": "kg m", "b": "kg"})
    chapter.prove("eq-one", {"a": m * l}, by="algebra")
    chapter.prove("eq-two", {"b": m + l}, by="algebra")
    good, bad = chapter.run()
    assert good.kind == "proven" and good.how.endswith("; units agree")
    assert bad.kind == "failed" and "l is measured in m, what stands before it in kg" in bad.how
    for name in ("joints", "l"):
        with pytest.raises(ProofError, match=rf"name of one of this project: \[\], got '{name}'"):
            chapter.units(name)


def test_a_place_without_a_unit_is_told():
    """A letter in front of the indices that its list of units asks for, and one with an index behind its end."""
    units = Units({"m": ["kg", "1"], r"\boldsymbol q": ["rad"]})
    for line in ("m = m + 1", "q_2 = q_2 + 1"):
        with pytest.raises(ProofError, match="and none is at the place"):
            without_unit(parse(line), TABLE, {}, units)


def test_a_false_equation_tells_its_units_too(tmp_path):
    """Where the sides differ, the two units often show the slip."""
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "page.py").touch()
    (tmp_path / "page.md").write_text("$$ w^2 = g / l $$ (eq-a)\n\n$$ w^2 = 2 g l $$ (eq-b)", encoding="utf-8")
    chapter = Chapter(tmp_path / "proofs" / "page.py")
    chapter.bind({"w": sp.sqrt(g * l), "g": g, "l": l})
    chapter.units({"w": "m/s", "g": "m/s^2", "l": "m"})
    for label in ("eq-a", "eq-b"):
        chapter.prove(label, by="free fall")
    units, number = (result.how for result in chapter.run())
    assert "differ" in units and "is measured in 1/s^2, what stands before it in m^2/s^2" in units
    assert "differ" in number and "measured" not in number
