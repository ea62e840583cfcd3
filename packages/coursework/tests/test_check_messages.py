"""What the checks say stands in one table, and a course may say it in other words: by name, with the same names in braces."""

import ast
import contextlib
import re
from pathlib import Path

import pytest
from reworded import is_sentence

from coursework import check
from coursework.check import laws, messages, mistakes
from coursework.check.data import as_data
from coursework.check.parameters import Parameters
from coursework.check.question import Question, find

CHECK = Path(check.__file__).parent
# what no answer is judged by: what a student's cell is told by the session itself, and why data cannot be read
OTHERS = (
    "session.py",
    "record.py",
    "data.py",
    "reading.py",
    "agreement.py",
    "parameters.py",
    "messages.py",
    "rerun.py",
)
ENGINE = sorted(path for path in CHECK.glob("*.py") if path.name not in OTHERS)


@pytest.fixture(autouse=True)
def _own_words_end():
    """The words of a course are those of the process."""
    yield
    messages.use({})


def test_each_generic_mistake_has_words_and_an_id_of_its_own_at_its_scope():
    """No sentence is missing; a factor or a change is there where an answer is changed back by the record alone."""
    known = messages.sentences()
    assert len(mistakes.CATALOG) > 100
    for (scope, name), one in mistakes.CATALOG.items():
        assert (one.scope, one.id) == (scope, name) and one.key in known
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", one.id)
    assert all(one.factor for one in (*mistakes.KNOWN_FACTORS, *mistakes.OF_TWO))
    changed = (
        mistakes.OF_ONE,
        mistakes.OF_LIST,
        mistakes.OF_PLOT,
        mistakes.CHANGED,
        mistakes.ANGLES,
        mistakes.OF_ARGUMENTS,
    )
    assert all(one.changes for table in changed for one in table)
    factors = [one.factor for one in mistakes.KNOWN_FACTORS]
    assert len(set(factors)) == len(factors)


def keys_in(path):
    """Keys that a module asks words for: patterns of names, those that are put together with what may stand there."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    parts = {id(one) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for one in node.values}
    for node in (node for node in ast.walk(tree) if id(node) not in parts):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and re.fullmatch(r"[a-z]+\.[a-z0-9-]+", node.value)
        ):
            yield re.escape(node.value)
        elif isinstance(node, ast.JoinedStr):
            yield "".join(
                re.escape(one.value) if isinstance(one, ast.Constant) else "[a-z0-9-]+" for one in node.values
            )


def test_no_sentence_is_dead():
    """Each stands for a mistake of the catalog, or is asked for by its key."""
    asked = [key for path in CHECK.glob("*.py") for key in keys_in(path) if re.match(r"[a-z]+\\\.", key)]
    told = {one.key for one in mistakes.CATALOG.values()}
    dead = [key for key in messages.sentences() if key not in told and not any(re.fullmatch(one, key) for one in asked)]
    assert dead == []
    tables = {key.partition(".")[0] for key in messages.sentences()}
    plain = [re.sub(r"\\(.)", r"\1", key) for key in asked if "[" not in key]
    missing = [key for key in plain if key.partition(".")[0] in tables and key not in messages.sentences()]
    assert len(plain) > 100 and missing == []


def literals(tree):
    """Texts of a module that are no documentation, and in no exception: those are for whoever writes a question."""
    skipped = {id(part) for node in ast.walk(tree) if isinstance(node, ast.Raise) for part in ast.walk(node)}
    skipped |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.value


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: path.name)
def test_no_sentence_stands_in_the_engine(path):
    """Who rewords a sentence touches no code."""
    assert [text for text in literals(ast.parse(path.read_text(encoding="utf-8"))) if is_sentence(text)] == []


def told(answer, right=3.7):
    """What is found of a number."""
    law = lambda p, at, value: laws.differs("Another one is right.", at, value, right)
    return find(Question("", laws=(law,)), Parameters(), as_data(answer))


def of_course(folder, text):
    """The file of a course with a text."""
    file = folder / "messages.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_course_says_it_in_other_words(tmp_path):
    """Only what it changes; kinds and mistakes are the same."""
    before = told(-3.7)
    messages.use(
        messages.read(of_course(tmp_path, '[name]\nwhole = "Es"\n[value]\nsign = "{what} hat das falsche Vorzeichen."'))
    )
    after = told(-3.7)
    assert before[0].text == "Another one is right. It has the opposite sign."
    assert after[0].text == "Another one is right. Es hat das falsche Vorzeichen."
    assert [one.mistakes for one in before] == [one.mistakes for one in after] == [("sign",)]
    assert told(7.4)[0].text == "Another one is right. Es is twice as large."
    assert messages.read(tmp_path / "none.toml") == {}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[values]\nsign = "x"', "messages.toml must name sentences of the checks, got values.sign: there are name, value,"),
        ('[several]\nsigns = "x"', "got several.signs: there are several.sign, several.twice, several.half, several.exchanged"),
        ('[value]\nsign = "Falsches Vorzeichen."', r"value.sign must have \{what\} in braces, got 'Falsches Vorzeichen.': write each where it belongs"),
        ('[value]\nsign = "{what} {name}"', r"value.sign must have \{what\} in braces"),
        ('[value]\nsign = "{what.__class__}"', r"value.sign must have \{what\} in braces"),
        ('[value]\nother-order = "{what} umgekehrt."', "value.other-order must have no names in braces"),
        ('[value]\nsign = "{what"', "value.sign must have each brace closed, or written twice, got '{what'"),
        ('[value]\nsign = "{what!r}"', "after a name stands :lower, :upper or nothing, not r"),
        ('[value]\nsign = "{what:>9}"', "after a name stands :lower, :upper or nothing, not >9"),
        ('sign = "x"', "messages.toml must be a table as TOML writes it: sign = 'x' stands in no table"),
        ("[value]\nsign = 3", "messages.toml must be a table as TOML writes it: value.sign is no text"),
        ("[value", "messages.toml must be a table as TOML writes it"),
    ],
)  # fmt: skip
def test_what_cannot_be_said_is_refused_in_a_sentence(tmp_path, text, sentence):
    """The rule, what was given, the way on; nothing of it is ever used."""
    with pytest.raises(ValueError, match=sentence):
        messages.read(of_course(tmp_path, text))


def test_a_part_begins_as_its_place_wants_it():
    """With a small or a large letter; after a question mark stands no full stop; braces in what is put in are left."""
    messages.use({"law.look": "{place:upper}: {place:lower}.", "law.look-sign": "{place}."})
    assert messages.text("law.look", place="Entry") == "Entry: entry."
    assert messages.text("law.look-sign", place="{x}?") == "{x}?"


def test_a_notebook_takes_the_words_that_lie_beside_it(tmp_path, monkeypatch, capsys):
    """Those of the course, from `begin` on; a file that cannot be read is told, and the checks speak as ever."""
    monkeypatch.chdir(tmp_path)
    for text, words in (
        ('[question]\ntypical = "Ein typischer Fehler: {names}."', "Ein typischer Fehler: "),
        ("[question]\ntypical = 3", "This looks like a typical mistake: "),
        (None, "This looks like a typical mistake: "),
    ):
        of_course(tmp_path, text) if text else (tmp_path / "messages.toml").unlink()
        with contextlib.suppress(FileNotFoundError):
            check.begin("two-link", student="ada")
        broken = (
            "question.typical is no text. Until it is put right the checks speak in their own words."
            in capsys.readouterr().out
        )
        assert broken == (text == "[question]\ntypical = 3")
        check.answer("gravity", ["(m1*lc1+m2*l1)*g*cos(q1)+m2*lc2*g*cos(q1+q2)", "0"])
        typical = messages.text("question.typical", names="x")
        assert typical == f"{words}x." and "gravity" in capsys.readouterr().out
