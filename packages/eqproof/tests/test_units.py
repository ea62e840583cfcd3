"""Terms and sides are measured in one unit, entry by entry; a mistake names the term and both units."""

import re

import mpmath
import pytest
import sympy as sp

from eqproof import Bindings, Chapter, ProofError, abbreviations, field, measure, unit_tables
from eqproof.bindings import key_of
from eqproof.parser import parse
from eqproof.points import DIGITS
from eqproof.unit_tables import BASE, DERIVED, Units, at_place, exponents, factor, unit_in_words
from eqproof.units import without_unit

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
    r"\boldsymbol q \in \mathbb R^2",
    r"r = \max(0, l)",
    r"r = \max(0, l) + \min(0, -l)",
    r"r = \max(0, l) + \min(0, l)",
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
    r"r = \max(0, l) + \min(0, m)": "m is measured in kg, what stands before it in m",
    r"m = \min(0, l)": "l is measured in m, what stands before it in kg",
    r"m = m + \max(0, -l)": "-l is measured in m, what stands before it in kg",
    r"m = \max(0, \min(0, l))": "l is measured in m, what stands before it in kg",
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
    with pytest.raises(ProofError, match=r"is measured in kg m, its name in kg"):
        without_unit(parse("b = -m l"), TABLE, {}, units, names=True)
    with pytest.raises(ProofError, match=r"is measured in kg, its name in kg m$"):
        without_unit(parse("a = m"), TABLE, {}, units, names=True)
    with pytest.raises(
        ProofError, match=r"of 2 entries, and none is at the place \(\)"
    ):  # what it names has no entries
        without_unit(parse("b = m l"), TABLE, {}, Units({"m": "kg", "l": "m", "b": ["kg m", "kg"]}), names=True)


def test_what_has_no_size_has_no_unit_to_name():
    """Nothing is claimed of a name for \\boldsymbol 0."""
    (right,) = parse(r"\boldsymbol K = \boldsymbol 0").chains[0].sides[1:]
    units = Units({r"\boldsymbol K": "kg"})
    assert without_unit(parse(r"\boldsymbol K = \boldsymbol 0"), TABLE, {}, units, names=True) == right


MASS = r"l \boldsymbol M \begin{bmatrix} 1 & \frac{1}{l} \\ l & 1 \end{bmatrix}"  # kg m^3, kg m^2; kg m^2, kg m


@pytest.mark.parametrize(
    ("line", "unit", "wrong"),
    [
        (rf"\boldsymbol K = {MASS}", [["kg m^3", "kg m^2"], ["kg m^2", "kg m"]], None),
        (rf"\boldsymbol K = -{MASS}", [["kg m^2", "kg m^2"], ["kg m^2", "kg m"]], "kg m^3, its name in kg m^2"),
        (rf"\boldsymbol K = {MASS}", [["kg m^3", "kg m"], ["kg m^2", "kg m"]], "kg m^2, its name in kg m"),
        (rf"\boldsymbol K = {MASS}", [["kg m^3", "kg m^2"], ["kg m", "kg m"]], "kg m^2, its name in kg m"),
        (rf"\boldsymbol K = {MASS}", [["kg m^3", "kg m^2"], ["kg m^2", "kg"]], "kg m, its name in kg"),
        (r"\boldsymbol K(\boldsymbol q) = \boldsymbol\tau", ["N m", "N"], None),
        (r"\boldsymbol K = \boldsymbol\tau - \boldsymbol\tau", ["kg", "s"], None),
    ],
)
def test_each_entry_of_a_new_name_has_its_unit(line, unit, wrong):
    """And what vanishes has any; a function is named by its head."""
    units = Units(
        {
            **DECLARED_UNITS,
            r"\boldsymbol M": [["kg m^2", "kg m"], ["kg m", "kg"]],
            r"\boldsymbol\tau": ["N m", "N"],
            r"\boldsymbol K": unit,
        }
    )
    if wrong is None:
        assert without_unit(parse(line), TABLE, {}, units, names=True) is None
        return
    with pytest.raises(ProofError, match=re.escape(wrong)):
        without_unit(parse(line), TABLE, {}, units, names=True)


def test_units_are_read_and_written():
    """Names such as N are made of the base units."""
    assert exponents("N m s/rad") == exponents("kg m^2 / s") and exponents("rad") == exponents("1") == {}
    assert unit_in_words(factor("W")) == "kg m^2/s^3" and unit_in_words(factor("1 / kg m^2")) == "1/(kg m^2)"
    with mpmath.workdps(DIGITS):
        assert unit_in_words(factor("kg") ** 0.5) == "kg^1/2"
    assert unit_in_words(factor("kg") + 11) == "no single unit"
    many = "kg^3 m^6/u_1^6"  # as of the determinant of a mass matrix: its square is too long to tell
    assert unit_in_words(factor(many)) == many
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


# The SI brochure, 9th edition, tables 2 and 4: powers of kg, m, s, A, K.
SI = {
    "kg": (1, 0, 0, 0, 0),
    "m": (0, 1, 0, 0, 0),
    "s": (0, 0, 1, 0, 0),
    "A": (0, 0, 0, 1, 0),
    "K": (0, 0, 0, 0, 1),
    "1": (0, 0, 0, 0, 0),
    "rad": (0, 0, 0, 0, 0),
    "Hz": (0, 0, -1, 0, 0),
    "N": (1, 1, -2, 0, 0),
    "Pa": (1, -1, -2, 0, 0),
    "J": (1, 2, -2, 0, 0),
    "W": (1, 2, -3, 0, 0),
    "C": (0, 0, 1, 1, 0),
    "V": (1, 2, -3, -1, 0),
    "T": (1, 0, -2, -1, 0),
}  # fmt: skip


def powers(unit):
    """The powers of kg, m, s, A and K in a unit."""
    found = exponents(unit)
    assert found.keys() <= {"kg", "m", "s", "A", "K"}
    return tuple(found.get(name, 0) for name in ("kg", "m", "s", "A", "K"))


@pytest.mark.parametrize("word", SI)
def test_a_unit_is_what_the_si_says(word):
    """Alone, as a power, below a slash, and told back in base units."""
    assert powers(word) == SI[word]
    assert powers(f"{word}^3") == tuple(3 * x for x in SI[word])
    assert powers(f"K^2 {word}/{word}^3 s") == tuple(a - 2 * b for a, b in zip((0, 0, -1, 0, 2), SI[word]))
    assert powers(f"1/{word}^-2") == tuple(2 * x for x in SI[word])
    assert powers(unit_in_words(factor(f"{word} K^2").real).replace("(", "").replace(")", "")) == tuple(
        a + b for a, b in zip((0, 0, 0, 0, 2), SI[word])
    )


def test_each_unit_has_its_definition():
    """One that is added needs a line of the brochure here."""
    assert SI.keys() == BASE.keys() | DERIVED.keys()


@pytest.mark.parametrize("wrong", ["lb", "m^x", "m^1.5", "2", "m2", "kgm", "-m", "m_", "u_i", "m ^2"])
def test_what_is_no_unit_is_told(wrong):
    """The word is quoted."""
    with pytest.raises(ProofError, match=r"^'.+' is no unit; there are kg, m, s"):
        exponents(f"kg {wrong}")


def test_units_that_mean_nothing_but_themselves():
    """However many there are, each is another one, and none is a base unit."""
    names = [f"w_{k}" for k in range(40)]
    for name in names:
        assert exponents(f"{name}^2") == {name: 2} and unit_in_words(factor(name)) == name
    assert len({int(factor(name)) for name in [*names, *BASE]}) == len(names) + len(BASE)


@pytest.mark.parametrize(
    ("unit", "told"),
    [
        ("kg m s A K", "kg m s A K"),
        ("m^2 s/kg", "m^2 s/kg"),
        ("1/s", "1/s"),
        ("1/s^2 m", "1/(m s^2)"),
        ("1", "1"),
        ("1/m^42", "no single unit"),  # too small to be told: not one that is near it
    ],
)
def test_a_factor_is_told_as_its_unit_or_as_none(unit, told, monkeypatch):
    """Never as another unit."""
    monkeypatch.setattr(unit_tables, "FREE", {})
    assert unit_in_words(factor(unit)) == told


def test_roots_of_units_are_told():
    """The unit of a square root, and of one below a slash."""
    with mpmath.workdps(DIGITS):
        assert unit_in_words(mpmath.sqrt(factor("m/s^2"))) == "m^1/2/s"
        assert unit_in_words(mpmath.sqrt(factor("kg^3/s"))) == "kg^3/2/s^1/2"
        assert unit_in_words(factor("kg") ** (mpmath.mpf(1) / 3)) == "no single unit"


def test_the_unit_of_a_place():
    """Of a list, of a list of lists, of a function, of a rule with indices; a place that there is not is told."""
    lists = (("kg", "m"), ["s", "A"])
    assert [at_place(lists, i, j) for i in (1, 2) for j in (1, 2)] == ["kg", "m", "s", "A"]
    assert at_place("kg") == at_place("kg", 7) == "kg"
    assert at_place(lambda i, j: f"u_{i} m^{j}", 3, 2) == "u_3 m^2"
    assert at_place([lambda *rest: "kg m", "s"], 1) == "kg m"
    assert at_place("J/u_i u_j u_k u_l", 5, 6, 7, 8) == "J/u_5 u_6 u_7 u_8"
    for place in ((), (0,), (3,), (1,), (1, 0), (1, 3)):
        with pytest.raises(ProofError, match=r"are of 2 entries, and none is at the place \("):
            at_place(lists, *place)
    with pytest.raises(ProofError, match="the unit J/u_j needs the index 'j', which the letter has not"):
        at_place("J/u_j", 1)


DECLARED = Units(
    {
        "m_*": "kg",
        "l_{c*}": ["m", "s"],
        "I_{C,*}": "kg m^2",
        "a": "A",
        "a_1": "A s",
        r"\boldsymbol q": ["rad", "m"],
        r"\boldsymbol b_C": ["K", "K^2"],
        r"\boldsymbol R_*": "1",
        "r_*": "m",
        r"\boldsymbol r": ["kg", "kg^2"],
        r"\dot w": "A",
        "F_{*}": "N u_i",
        r"(\cdot)": "Pa",
        r"\tilde z": "K",
    }
)
OF = {
    "m_1": "kg",
    "m_i": "kg",
    "m": None,
    "m_{C}": "kg",
    "m_{C,2}": "kg",
    "l_{c1}": "m",
    "l_{ci}": "s",  # i = 2
    "l_{d1}": None,
    "I_{C,2}": "kg m^2",
    "I_2": None,
    "I_C": None,
    "q_C": None,
    r"\hat{\tilde z}": "K",
    r"\hat z": None,
    "z": None,
    "a": "A",
    "a_1": "A s",
    "a_2": None,
    "q_1": "rad",
    "q_2": "m",
    "q_i": "m",
    r"\dot q_2": "m / s",
    r"\ddot q_2": "m / s / s",
    r"\tilde q_2": "m",
    r"\dot{\hat q}_2": "m / s",
    r"\delta q_2": "m",
    r"\boldsymbol q_2": None,
    "b_{C,2}": "K^2",
    "b_{C2}": "K^2",
    "b_2": None,
    r"\boldsymbol R_1": "1",
    "r_1": "kg",
    r"\dot w": "A",
    r"\ddot w": "A / s",
    "w": None,
    "F_3": "N u_3",
}


@pytest.mark.parametrize("letter", OF)
def test_a_letter_finds_its_unit(letter):
    """Its own, of its family, as an entry of what is bold; of x for \\tilde x and \\delta x, by s for \\dot x."""
    symbol = key_of(letter)
    by = DECLARED.of(symbol, {"i": 2}.get)
    assert (by and by(*((1,) if symbol.style else ()))) == OF[letter]


def test_a_family_that_is_bound_is_no_entry():
    """r_1 is the first radius where radii are bound, and an entry of the vector r where they are not."""
    letter, family = key_of("r_1"), key_of("r")
    assert DECLARED.of(letter, {}.get, {family: None})() == "m"
    assert DECLARED.of(letter, {}.get, {key_of("s"): None})() == "kg"
    assert DECLARED.of(key_of("q_1"), {}.get, {key_of("q"): None})() == "rad", "a family of which no unit is declared"
    assert DECLARED.of(parse("(w)").chains[0].sides[0], {}.get) is None, "a bracket has its own, or none"
    assert DECLARED.of(parse(r"(\cdot)").chains[0].sides[0], {}.get)() == "Pa"


c, p, w = sp.symbols("c p w", positive=True)
EACH = TABLE.copy().bind(
    {
        "h": c,
        "p": 3,
        "e": sp.Symbol("e", positive=True),
        "U": field(m * q[1] * q[0], q),
        r"\delta": p,
        r"\boldsymbol v": [p, w],
        r"\boldsymbol O": sp.ones(2),
        r"\boldsymbol D": sp.diag(p, w),
        "[s]": c,
        "P_*": [c, w],
        r"\boldsymbol a": [w, c],
        r"\boldsymbol b": [c, w],
        r"\boldsymbol A": [[p, w], [c, m]],
        r"\tilde l": w,
        r"\delta l": w,
        "z": 0,
        r"\boldsymbol p": field(sp.Matrix([l * q[0] * q[1], m * q[1] * q[0]]), q),
        r"\rho": p,
        "dm": measure([(m, {r"\rho": p})]),
        r"l^a": w,
        r"\boldsymbol R^{AB}": w,
        "b": sp.Symbol("b", real=True),
    }
)
RULES = {
    r"\delta": "kg m",
    r"\boldsymbol v": ["m", "m"],
    r"\boldsymbol a": ["s", "1"],
    r"\boldsymbol b": ["1", "s"],
    r"\boldsymbol A": [["kg", "kg s"], ["kg s", "kg s^2"]],
    r"\rho": "m",
    "dm": "kg",
    "h": "K^5",
    "p": "1",
    "e": "1",
    "U": "J",
    "b": "m",
    "l^a": "kg",
    "z": "m",
    r"\boldsymbol p": ["m^2", "kg m"],
    r"\boldsymbol O": [["kg", "1"], ["1", "1"]],
    r"\boldsymbol D": [["kg", "m"], ["s", "kg"]],
    "[s]": "kg",
    "P_*": "m",
}
# What stands there, and its unit: powers of kg, m, s, A, K.
MEASURED = {
    "m": "kg",
    r"\pi l": "m",
    "2 l": "m",
    r"\dot r": "m/s",
    r"\ddot r": "m/s^2",
    r"\tilde l": "m",
    r"\delta r": "kg m^2",
    r"\delta l": "m",
    r"m \cos z": "kg",  # what is zero has any unit
    r"\dot{m r}": "kg m/s",
    r"\ddot{m r}": "kg m/s^2",
    r"(\frac{\partial \boldsymbol p}{\partial \boldsymbol q})_{11}": "m^2",
    r"(\frac{\partial \boldsymbol p}{\partial \boldsymbol q})_{12}": "m",
    r"(\frac{\partial \boldsymbol p}{\partial \boldsymbol q})_{21}": "kg m",
    r"(\frac{\partial \boldsymbol p}{\partial \boldsymbol q})_{22}": "kg",
    r"(\frac{\partial U}{\partial \boldsymbol q})_1": "kg m^2/s^2",
    r"(\frac{\partial U}{\partial \boldsymbol q})_2": "kg m/s^2",
    r"(\frac{\partial \boldsymbol p}{\partial r})_2": "kg",
    r"(\frac{d \boldsymbol p}{dt})_1": "m^2/s",
    r"U(q_1, \dots, q_2)": "kg m^2/s^2",
    "l^2": "m^2",
    "l^{-1}": "1/m",
    "l^p": "m^3",
    "(m l)^2": "kg^2 m^2",
    r"\sqrt{l}": "m^1/2",
    r"\frac{m}{l}": "kg/m",
    "m / l": "kg/m",
    "(l + r) m": "kg m",
    "f(r)": "kg m/s^2",
    "2 f(r) l": "kg m^2/s^2",
    "l^a": "kg",
    r"\frac{d r}{dt}": "m/s",
    r"\frac{d^2 r}{dt^2}": "m/s^2",
    r"\frac{\partial T}{\partial r}": "kg m/s^2",
    r"\frac{\partial T}{\partial \dot q_2}": "kg m/s",
    r"\frac{\partial^2 T}{\partial \dot q_2^2}": "kg",
    r"\frac{\partial^2 T}{\partial r \partial \dot q_1}": "kg m/s",
    r"\int_0^l m r dr": "kg m^2",
    r"\int_0^l m r^2 dr": "kg m^3",
    r"\int \rho^2 dm": "kg m^2",
    r"\int dm": "kg",
    r"\begin{cases} m & r > l \\ 2 m & \text{otherwise} \end{cases}": "kg",
    r"\begin{cases} m & r < l \\ 2 m & \text{otherwise} \end{cases}": "kg",
    r"\begin{cases} m & r > l \\ 2 m & r \le l \end{cases}": "kg",
    r"\max(l, r)": "m",
    r"\max(0, l)": "m",  # a zero has any unit, wherever it stands
    r"\max(z, l)": "m",
    r"\max(l, z)": "m",
    r"\min(0, -m)": "kg",
    "(U + U)(q_1, q_2)": "kg m^2/s^2",
    "[s]": "kg",
    r"\int_0^l \frac{\partial |r|}{\partial r} dr": "m",
    r"(\int_0^l \boldsymbol p dr)_1": "m^3",
    r"(\int_0^l \boldsymbol p dr)_2": "kg m^2",
    r"\min(m, 2 m)": "kg",
    r"|b|": "m",
    r"\operatorname{atan2}(l, r)": "1",
    r"\sin \theta": "1",
    r"m \sin \frac{l}{r}": "kg",
    r"\operatorname{sign}(b)": "1",
    "s_1": "1",
    r"\sum_{i=1}^{2} i l": "m",
    r"\sum_{i=1}^{2} q_i^2 \dot q_i^{-2}": "s^2",
    r"\det \boldsymbol A": "kg^2 s^2",
    r"\operatorname{rank} \boldsymbol A": "1",
    r"\operatorname{rank} \boldsymbol O": "1",  # a rank is counted, whatever the entries are measured in
    r"\boldsymbol v^\top \boldsymbol v": "m^2",
    r"\lVert \boldsymbol v \rVert": "m",
    r"(\boldsymbol A)_{22}": "kg s^2",
    r"(\boldsymbol A \boldsymbol a)_2": "kg s^2",
    r"(\boldsymbol A^{-1} \boldsymbol b)_2": "1/(kg s)",
    r"\operatorname{tr}(\boldsymbol v \boldsymbol v^\top)": "m^2",
}


def unit_told(text):
    """The unit in which a text is measured, as the sentence tells it that refuses it beside another unit."""
    with pytest.raises(ProofError) as caught:
        without_unit(parse(f"h = {text}"), EACH, {}, Units({**DECLARED_UNITS, **RULES}))
    (unit,) = re.findall(r"is measured in (.+), what stands before it in K\^5$", caught.value.sentence)
    return unit


DECLARED_UNITS = {
    "m": "kg",
    "l": "m",
    "g": "m/s^2",
    "r": "m",
    r"\theta": "rad",
    "T": "J",
    r"\boldsymbol q": ["rad", "m"],
    "f": "N",
}


@pytest.mark.parametrize("text", MEASURED)
def test_the_unit_of_each_kind_of_node(text):
    """What stands there grows as its unit does: the sentence tells the unit that mechanics gives it."""
    assert unit_told(text) == MEASURED[text]


# What does not fit inside of a term, whatever unit the term is of.
INSIDE = {
    "f(r + m)": "m is measured in kg, what stands before it in m",
    "2 (l + m)": "m is measured in kg, what stands before it in m",
    "m^{l + m}": "m is measured in kg, what stands before it in m",
    "2^l": "l is an exponent, and measured in m",
    r"\max(l, 2 m)": "2 m is measured in kg, what stands before it in m",
    r"\operatorname{atan2}(l, m)": "m is measured in kg, what stands before it in m",
    r"\cos l": "l is the argument of cos, and measured in m",
    r"\exp(\frac{1}{l})": r"\frac{1}{l} is the argument of exp, and measured in 1/m",
    r"\begin{cases} m & r > l \\ l & \text{otherwise} \end{cases}": "l is measured in m, what stands before it in kg",
    r"\begin{cases} m & r > m \\ m & \text{otherwise} \end{cases}": "m is measured in kg, what stands before it in m",
    r"\int_0^m m r dr": "m is a bound of m, and measured in kg",
    r"\int_m^1 m r dr": "m is a bound of m, and measured in kg",
    r"\int_\theta^l r dr": r"\theta is a bound of m, and measured in 1",
    r"\int_0^l r dm": "l is a bound of kg, and measured in m",  # with bounds, m is a letter as any other
    "[s] + l": "l is measured in m, what stands before it in kg",
    "(m + l)": "l is measured in m, what stands before it in kg",
    r"\boldsymbol D + m \boldsymbol O": r"m \boldsymbol O is measured in kg^2, what stands before it in kg, in entry (1, 1)",
    r"\int_0^l (m + r) dr": "r is measured in m, what stands before it in kg",
    r"\frac{d}{dt} (r + \dot r)": r"\dot r is measured in m/s, what stands before it in m",
    r"\begin{bmatrix} l + m \\ m \end{bmatrix}": "m is measured in kg, what stands before it in m",
    r"(\sum_{i=1}^{2} (q_i + l))": "l is measured in m, what stands before it in 1",
}


@pytest.mark.parametrize("text", INSIDE)
def test_what_does_not_fit_inside_is_told(text):
    """Also where the equation as a whole has one unit, or is bound to what has none."""
    line = f"{text} = {text} + 0"
    with pytest.raises(ProofError) as caught:
        without_unit(parse(line), EACH, {}, Units({**DECLARED_UNITS, **RULES}))
    assert INSIDE[text] in str(caught.value.at(line))


def test_brackets_that_stand_for_a_function_leave_it_open():
    """What [..] gives has no unit that is declared, though what stands in it has one."""
    line = parse("h = [l]")
    units = Units({**DECLARED_UNITS, **RULES})
    with pytest.raises(ProofError, match="is measured in m, what stands before it in K"):
        without_unit(line, EACH, {}, units)
    shell = EACH.copy().bind({r"[\cdot]": lambda x: x**2})
    assert without_unit(line, shell, {}, units) == line.chains[0].sides[1]


def test_a_row_without_a_value_has_no_unit():
    """Behind the last joint there is none, and where the row of another case holds, none is asked for."""
    units = Units({**DECLARED_UNITS, **RULES})
    row = r"r = \begin{cases} P_{k+1} & k < 2 \\ %s & \text{otherwise} \end{cases}"
    for k in (1, 2):
        assert without_unit(parse(row % "l"), EACH, {"k": k}, units) is None
        with pytest.raises(ProofError, match=r"is measured in kg, what stands before it in m$"):
            without_unit(parse(row % "m"), EACH, {"k": k}, units)


def test_what_is_zero_has_any_unit_unless_it_is_a_letter():
    """An entry that vanishes, a product of a variation: also where the unit of the letter is declared for other places."""
    units = Units({**DECLARED_UNITS, **RULES})
    for line in (
        r"\boldsymbol D + m \boldsymbol 1 = \boldsymbol D",
        r"\begin{bmatrix} m & l^2 \\ 0 & m \end{bmatrix} + \boldsymbol D = \boldsymbol D",
        r"m l^2 = m l^2 + \delta z",
    ):
        assert without_unit(parse(line), EACH, {}, units) is None, line
    with pytest.raises(ProofError, match="is measured in m, what stands before it in kg"):
        without_unit(parse("m = m + z"), EACH, {}, units)


def test_a_variation_that_is_not_bound_is_told_whole():
    """Where neither \\Delta r nor \\Delta is bound, the letter with all that it wears is named."""
    with pytest.raises(ProofError) as caught:
        without_unit(parse(r"r = \Delta r"), TABLE, {}, UNITS)
    assert str(caught.value.at(r"r = \Delta r")).splitlines()[0].endswith(r"\Delta r is not bound; bound are r")


def test_a_zero_has_no_unit():
    """Where one side is zero and the other a term alone, no unit was compared, and none agrees."""
    compared: list = []
    for line, some in (
        (r"m v = 0", False),
        (r"m v + m v = 0", True),
        (r"m v = m v + m v - m v", True),
        ("m = 2", False),
    ):
        compared.clear()
        bound = {"m": sp.Symbol("m"), "v": sp.Symbol("v")}
        assert without_unit(parse(line), Bindings(bound), {}, Units({"m": "kg", "v": "m/s"}), compared=compared) is None
        assert bool(compared) is some, line
