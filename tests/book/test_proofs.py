"""Every displayed equation of the book is proven, a definition or a refused misprint; and what is planted is seen."""

import inspect
import itertools
import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import robotdyn as rd
from eqproof import dependency_notes, import_graph, kept_verdicts, whole_files
from eqproof.bindings import key_of
from eqproof.kept_verdicts import judge_or_take_kept, sources
from eqproof.ledger import judge, orphans
from eqproof.ledger_files import file_of_proofs, proofs_of
from eqproof.meaning import same_meaning
from eqproof.mutants import mutants, survey_page
from eqproof.pages import displays
from eqproof.project import project
from eqproof.tree import Symbol
from eqproof.unit_tables import Units, exponents

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.early
PAGES = project(ROOT).pages


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_is_proven(page):
    """Each displayed equation has a label and its own proof, and each proof its equation; what the build has judged is kept."""
    report = judge_or_take_kept(page, ROOT / "_build" / ".proofs")
    assert report.wrong == ()
    assert sorted(display.label for display in displays(page)) == sorted(result.label for result in report.results)
    for result in report.results:
        kinds = ("proven", "checked", "computed", "sampled", "compared", "postulate", "definition")
        kinds = ("refused",) if result.label.startswith("eq-misprint-") else kinds
        assert result.kind in kinds, result.label
    assert all(result.by and result.how for result in report.results)


IMPORTING = """
import sys
from eqproof.kept_verdicts import START
__import__(START)
from eqproof.ledger import judge
judge(sys.argv[1])
print(*(file for x in list(sys.modules.values()) if (file := getattr(x, "__file__", None))), sep=chr(10))
"""


@pytest.mark.parametrize("slug", ["rp", pytest.param("which-matrix-is-c", marks=pytest.mark.slow)])
def test_no_file_that_a_page_imports_is_overlooked(slug):
    """A kept verdict depends on all of the project that a process has imported when it has judged the page and nothing else."""
    page = project(ROOT).page(slug)
    command = [sys.executable, "-c", IMPORTING, str(page)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {path for path in map(Path, done.stdout.split("\n")) if path.is_relative_to(ROOT)}
    finding = (kept_verdicts, import_graph, dependency_notes, whole_files)  # they find verdicts and make none
    keeping = {Path(module.__file__) for module in finding}
    loaded = {path for path in loaded if not path.is_relative_to(ROOT / ".venv")} - keeping
    known, _ = sources(page, file_of_proofs(page), ("eqproof",))
    assert len(loaded) > 40 and loaded <= set(known)


NOTATION = (ROOT / "book" / "notation.md").read_text(encoding="utf-8")
SHARED = project(ROOT).units


def printed(cell):
    """The units in a cell of a table, those of sliding joints in brackets among them; nothing is a number."""
    words = re.sub(r"linear rows|angular rows|`[^`]*`", "", cell)
    return {
        frozenset(exponents(x.strip()).items()) for x in re.split(r"[(),;]| or ", words) if x.strip() not in ("", "0")
    } or {frozenset()}


def declared(symbols):
    """The units by which equations measure these letters; u_1 and u_2, of any joint, may be rad or m."""
    found = set()
    for text in symbols:
        symbol = key_of(re.sub(r" = .*|\(\\boldsymbol q\)|, \\dot.*", "", text))
        unit = isinstance(symbol, Symbol) and Units(SHARED | SHARED["joints"]).of(symbol, {"i": 1, "j": 2, "k": 1}.get)
        for place in [(1, 1), (1, 2), (2, 1), (4, 1)] if unit else []:
            place = place if symbol.style == "bold" else ()
            for kinds in itertools.product(("rad", "m"), repeat=2):
                words = re.sub(r"u_[02468]", kinds[0], re.sub(r"u_[13579]", kinds[1], unit(*place)))
                found.add(frozenset(exponents(words).items()))
    return found


ROWS = [
    (re.findall(r"\$([^$]*)\$", symbols), re.findall(r"`(\w+)`", names), units)
    for symbols, names, units in re.findall(r"^\| (\$[^|]*) \| ([^|]*) \|[^|]*\| ([^|]*) \|$", NOTATION, re.M)
]
MEASURED = [row for row in ROWS if declared(row[0])]


def test_the_notation_prints_the_declared_units():
    """A letter has one unit: the one by which equations are measured is the one that the reader looks up."""
    assert len(MEASURED) > 25
    for symbols, _, cell in MEASURED:
        assert printed(cell) <= declared(symbols), symbols
        assert declared(symbols) <= printed(cell) or "(0)" in cell, symbols  # an entry that is 0 has any unit


def test_arguments_have_the_units_of_their_letters():
    """What the table of letters calls `tau` in code is measured in the table of arguments as there."""
    arguments = re.findall(r"^\| (`[^|]*) \|[^|]*\| ([^|]*) \|$", NOTATION, re.M)
    units = {name: cell for names, cell in arguments for name in re.findall(r"`(\w+)`", names)}
    both = [(name, symbols) for symbols, names, _ in MEASURED for name in names if name in units]
    assert len(both) > 10
    for name, symbols in both:
        assert printed(units[name]) <= declared(symbols), name


UNIT = r"(?:N m s/rad|N m|N|(?:rad|m)(?:/s(?:\^2)?)?)(?![\w/^])"
STATED = re.compile(
    rf"((?:\w+, )*\w+):? \((?:\.\.\., )?n,\) ({UNIT}(?:(?:, | and | or ){UNIT})*)(?: \(({UNIT}(?:, {UNIT}| and {UNIT})*))?"
)


def stated(docstring):
    """The units that a docstring states, as pairs (name of an argument, unit); those of sliding joints in brackets among them."""
    for names, units, sliding in STATED.findall(docstring):
        names = names.split(", ")
        for row in filter(None, (units, sliding)):
            row = re.split(", | and ", row)
            yield from (
                (name, x) for name, unit in zip(names, row) for x in unit.split(" or ") if len(row) == len(names)
            )


def misstated(docstring):
    """What a docstring states otherwise than the equations are measured."""
    letters = {name: declared(symbols) for symbols, names, _ in MEASURED for name in names}
    return [
        (name, x)
        for name, x in stated(docstring)
        if frozenset(exponents(x).items()) not in letters.get(name, [frozenset(exponents(x).items())])
    ]


def test_docstrings_have_the_units_of_their_letters():
    """What the API page says of `qd` is what the equations of the book are measured by."""
    things = [getattr(rd, name) for name in dir(rd)]
    things += [getattr(part, name) for part in things for name in getattr(part, "__all__", ())]
    docs = {inspect.getdoc(x) or "" for x in things}
    assert sum(len([*stated(doc)]) for doc in docs) > 30
    assert [slip for doc in docs for slip in misstated(doc)] == []
    assert misstated("q, qd: (n,) rad and rad (m and m/s); tau (n,) N m (N)") == [("qd", "rad")]
    assert misstated("tau: (n,) N m s/rad") == [("tau", "N m s/rad")]


def test_no_file_of_proofs_is_left_over():
    """A file of proofs belongs to a page."""
    assert orphans(PAGES) == []


def test_two_labels_that_change_places_are_noticed(tmp_path):
    """Both equations hold, so no proof fails; but what each label is about was noted."""
    first, second = "(eq-rp-det)", "(eq-rp-dm)"
    page = copy(tmp_path, lambda text: text.replace(first, "(?)").replace(second, first).replace("(?)", second))
    assert any(sentence.startswith("eq-rp-det was about ") for sentence in judge(page).wrong)


def copy(folder, change=lambda text: text, more=""):
    """A copy of a page on the RP arm and its proofs in a folder, the text of all its cells changed; return the page."""
    page = json.loads((ROOT / "book" / "what-each-term-does.ipynb").read_text(encoding="utf-8"))
    text = change("\n\n".join("".join(c["source"]) for c in page["cells"] if c["cell_type"] == "markdown"))
    page["cells"] = [{"cell_type": "markdown", "source": text}]
    (folder / "eqproof.toml").write_text(r"symmetric = ['\boldsymbol M_*']", encoding="utf-8")  # as in the book
    (folder / "proofs").mkdir()
    (folder / "proofs" / "labels.toml").write_text(
        (ROOT / "book" / "proofs" / "labels.toml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    proofs = (ROOT / "book" / "proofs" / "what-each-term-does.py").read_text(encoding="utf-8")
    (folder / "proofs" / "what-each-term-does.py").write_text(proofs + more, encoding="utf-8")
    (folder / "what-each-term-does.ipynb").write_text(json.dumps(page), encoding="utf-8")
    return folder / "what-each-term-does.ipynb"


def test_the_copy_is_proven(tmp_path):
    """Without a change nothing is wrong with it: what the next tests see is what they plant."""
    assert judge(copy(tmp_path)).wrong == ()


# A slip in the chapter: what is printed, what is printed instead, and what is said of it.
PLANTED = {
    "a sign": (r"I_O & -m_2 c_{2y}", r"I_O & m_2 c_{2y}", "eq-rp-mass: the sides differ in entry (1, 2)"),
    "an index": (r"C_{kj} = \sum", r"C_{jk} = \sum", "eq-rp-coriolis-sum: the sides differ"),
    "a factor": (r"M_{11}}{\partial r} = 2 m_2", r"M_{11}}{\partial r} = m_2", "eq-rp-dm: the sides differ"),
    "a dot": (
        r"C_{kj} = \sum_{i=1}^{2} \Gamma_{kij} \dot q_i",
        r"C_{kj} = \sum_{i=1}^{2} \Gamma_{kij} q_i",
        "eq-rp-coriolis-sum: the",
    ),
    "a bound": (r"\sum_{i=1}^{2} \Gamma", r"\sum_{i=2}^{2} \Gamma", "eq-rp-coriolis-sum: the sides differ"),
    "bad LaTeX": (r"\frac{1}{2} m_2 \dot r^2 = T", r"\frac{1}{2} m_2 \dot r^2 = T)", "eq-rp-flight, line 1, column "),
    "a letter without a meaning": (r"= T \left( 1 -", r"= H \left( 1 -", "H is not bound; bound are \\bar H"),
    "a lost label": ("(eq-rp-det)", "", "no label stands behind "),
    "a new name": ("(eq-rp-det)", "(eq-rp-determinant)", "eq-rp-determinant is neither proven nor a definition"),
    "a proof of nothing": ("(eq-rp-det)", "(eq-rp-determinant)", "eq-rp-det is no label of what-each-term-does.ipynb"),
    "a label twice": (
        "(eq-rp-dm)",
        "(eq-rp-det)",
        "eq-rp-det labels more than one equation of what-each-term-does.ipynb",
    ),
    "a new equation": (
        "So three of the eight",
        "$$ a = b $$\n\nSo three of the eight",
        "no label stands behind 'a = b'",
    ),
    "one in brackets": (
        "So three of the eight",
        "\\[ a = b \\]\n\nSo three of the eight",
        "no label stands behind 'a = b'",
    ),
}


@pytest.mark.parametrize("what", PLANTED)
def test_a_planted_slip_is_seen(what, tmp_path):
    """The page is wrong, and the sentence names the label."""
    printed, instead, words = PLANTED[what]

    def plant(text):
        assert text.count(printed) == 1
        return text.replace(printed, instead)

    wrong = judge(copy(tmp_path, plant)).wrong
    assert any(words in sentence for sentence in wrong), wrong


# What a chapter's letters say of inequalities: the page, the label, what its line becomes, and what is said of it.
BOUNDED = {
    "nothing moves": ("lagrange", "eq-lagrange-kinetic", "T > 0", "0.0 > 0.0 is false, where "),
    "at rest it is zero": ("lagrange", "eq-lagrange-kinetic", r"{} \ge 0", "holds with a margin"),
    "dampers take": ("control-with-the-model", "eq-control-pd-loss", r"{} \le 0", "holds with a margin"),
    "dampers at rest": ("control-with-the-model", "eq-control-pd-loss", "{} < 0", "0.0 < 0.0 is false"),
    "springs store": ("control-with-the-model", "eq-control-pd-energy", r"{} \ge 0", "holds with a margin"),
    "a hand loses": ("soft-hands", "eq-hands-hand-loss", r"{} \le 0", "holds with a margin"),
    "learning loses": ("control-that-learns", "eq-learns-loss", r"{} \le 0", "holds with a margin"),
    "beliefs cost": ("control-that-learns", "eq-learns-storage", r"{} \ge 0", "holds with a margin"),
    "nothing is wrong": ("control-that-learns", "eq-learns-storage", r"V \ne 0", "the sides agree: 0.0, where "),
    "a millionth": ("chains-that-fall-and-swing", "eq-n-link-bernoulli", r"{} (1 + 10^{{-6}})", "the sides differ"),
}


@cache
def chapter_of(slug):
    """The proofs of a page of the book, read once: an entry that runs changes nothing in them."""
    return proofs_of(project(ROOT).page(slug))


@pytest.mark.parametrize("what", BOUNDED)
def test_letters_stand_for_what_the_text_says(what):
    """Gains are positive definite and all may rest, so that what is true passes, and what is false is told in true words."""
    slug, label, line, words = BOUNDED[what]
    chapter = chapter_of(slug)
    assert words in chapter.entries[label].run(line.format(chapter.texts[label].strip())).how


# A slip in the proofs: what is added to them, and what is said of it.
UNSOUND = {
    "eq-rp-mass stands twice in what-each-term-does.py": 'chapter.prove("eq-rp-mass", by="again")',
    "eq-rp-nowhere is no label of what-each-term-does.ipynb": 'chapter.prove("eq-rp-nowhere", by="nothing")',
    "the proofs of what-each-term-does.ipynb stop: ZeroDivisionError": "1 / 0",
    "must define chapter = Chapter(__file__)": "chapter = None",
    "is to be refused instead of eq-rp-christoffel, which is not proven above": (
        'chapter.refuse("eq-rp-dm", by="it", instead="eq-rp-christoffel")'
    ),
    "eq-rp-dm: this was to be refused, and it holds": (
        'del chapter.entries["eq-rp-dm"]; chapter.refuse("eq-rp-dm", by="it", instead="eq-rp-mass")'
    ),
    "eq-rp-dm: is not decided: ValueError: no size": (
        'del chapter.entries["eq-rp-dm"]\ndef no(n): raise ValueError("no size")\n'
        'chapter.prove("eq-rp-dm", no, by="it")'
    ),
}


@pytest.mark.parametrize("words", UNSOUND)
def test_an_unsound_proof_is_seen(words, tmp_path):
    """A file of proofs cannot say what is not so."""
    wrong = judge(copy(tmp_path, more=f"\n{UNSOUND[words]}\n")).wrong
    assert any(words in sentence for sentence in wrong), wrong


def test_a_page_without_proofs_is_not_proven(tmp_path):
    """Every equation is missing then; and proofs without a page are left over."""
    page = copy(tmp_path)
    (tmp_path / "proofs" / "what-each-term-does.py").rename(tmp_path / "proofs" / "pr.py")
    assert len(judge(page).wrong) == len(displays(page))
    assert orphans([page]) == ["proofs/pr.py proves a page that does not stand beside it"]


def test_a_misprint_is_refused_under_every_reading(tmp_path):
    """One reading that makes it true is enough to say so; with none, the checker tells what differs under each."""
    (tmp_path / "proofs").mkdir()
    (tmp_path / "page.md").write_text("$$ a = 2 b $$ (eq-right)\n\n$$ a = k b $$ (eq-wrong)\n", encoding="utf-8")
    start = (
        "import sympy as sp\nfrom eqproof import Chapter\nb = sp.Symbol('b', positive=True)\n"
        "chapter = Chapter(__file__)\nchapter.bind({'a': 2 * b, 'b': b})\nchapter.prove('eq-right', by='it')\n"
    )
    for readings, kind in (("[{'k': 1}, {'k': 3}]", "refused"), ("[{'k': 1}, {'k': 2}]", "failed")):
        refuse = f"chapter.refuse('eq-wrong', by='k read as', instead='eq-right', readings={readings})\n"
        (tmp_path / "proofs" / "page.py").write_text(start + refuse, encoding="utf-8")
        result = judge(tmp_path / "page.md").results[1]
        assert result.kind == kind
        assert kind == "failed" or result.how.count("the sides differ") == 2


def test_an_empty_table_holds_nothing(tmp_path):
    """After fresh() neither letters nor rates from above are known."""
    (tmp_path / "proofs").mkdir()
    (tmp_path / "page.md").write_text("$$ a = b $$ (eq-one)\n\n$$ a = b + 0 $$ (eq-two)\n", encoding="utf-8")
    (tmp_path / "proofs" / "page.py").write_text(
        "import sympy as sp\nfrom eqproof import Chapter\nchapter = Chapter(__file__)\nb = sp.Symbol('b')\n"
        "chapter.bind({'a': b, 'b': b})\n"
        "chapter.prove('eq-one', by='it')\nchapter.fresh()\nchapter.prove('eq-two', by='it')\n",
        encoding="utf-8",
    )
    (sentence,) = judge(tmp_path / "page.md").wrong
    assert sentence.startswith("eq-two, line 1, column 1: a is not bound")


def test_slips_of_one_token_are_refused():
    """Of the mutants of two equations none survives: the checker is no rubber stamp (make prove-mutants does all)."""
    counts = survey_page(ROOT / "book" / "what-each-term-does.ipynb", ["eq-rp-flight", "eq-rp-coriolis-sum"])
    assert sum(count.false for count in counts) > 50
    assert [mutant for count in counts for mutant in count.survivors] == []


def test_the_same_in_other_words_is_no_slip():
    """cos(-theta) is cos(theta), whatever theta is; a term that is zero in the bindings alone is missed."""
    chapter = proofs_of(ROOT / "book" / "rp.ipynb")
    entry = chapter.entries["eq-rp-rotation"]
    text = chapter.texts["eq-rp-rotation"]
    assert same_meaning(entry, text, text.replace(r"\cos\theta", r"\cos(-\theta)"))
    assert not same_meaning(entry, text, text.replace(r"\cos\theta", r"\cos(2\theta)"))
    zero = chapter.entries["eq-rp-dtdtheta"]
    assert not same_meaning(zero, r"\frac{\partial T}{\partial \theta} = 0", r"\frac{\partial g}{\partial \theta} = 0")


def test_mutants_are_of_every_kind():
    """Signs, functions, dots, powers, factors, terms, bounds, indices, transposes, products, numbers."""
    text = r"\boldsymbol a^\top \cdot b = \sum_{i=1}^{n} \dot q_i^2 \sin q_1 - 2 \cos(q_1 + q_2) \boldsymbol v"
    kinds = {mutant.kind for mutant in mutants(text)}
    wanted = "sign function dot power transpose number product index factor term bound"
    assert set(wanted.split()) <= kinds
    assert all(mutant.text != text for mutant in mutants(text))


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["rp", "--only", "eq-rp-h"], 0, "eq-rp-h  proven"),
        (["book/rp.ipynb", "--only", "eq-rp-h"], 0, "rp.ipynb: 1 proven"),
        (
            ["rp", "--mutants", "--only", "eq-rp-h", "--sample", "3"],
            0,
            "3 mutants change the meaning: 100.00 % are refused or true for a reason, 100.00 % refused",
        ),
        (["nowhere"], 2, "nowhere is neither a file .ipynb, .md, .tex nor the name of a page of this project"),
    ],
)
def test_the_command(words, code, said):
    """python -m eqproof takes a page by its name or its file, and says what it found."""
    command = [sys.executable, "-m", "eqproof", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=dict(os.environ))
    assert done.returncode == code, done.stderr
    assert said in done.stdout + done.stderr


def test_the_command_fails_when_an_equation_does(tmp_path):
    """A planted slip ends in exit code 1 and its sentence."""
    page = copy(tmp_path, lambda text: text.replace(r"= 2 m_2 (r + c_{2x})", r"= 3 m_2 (r + c_{2x})"))
    command = [sys.executable, "-m", "eqproof", str(page)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert re.search(r"wrong: eq-rp-dm: the sides differ: \S+ on the left, \S+ on the right", done.stderr)
