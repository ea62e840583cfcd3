"""Lines, JSON and SARIF of `eqproof check` come from the same records; every kind of file is read at its places."""

import io
import json
import re
import shlex
import sys
from pathlib import Path

import jsonschema
import pytest

from eqproof.__main__ import main
from eqproof.checked_steps import steps, steps_in
from eqproof.findings import as_document, as_lines, as_sarif, schema
from eqproof.sources import KINDS, sources_in

PACKAGE = Path(__file__).parents[1]

FOLLOWS = "follows by lines above"
FALSE = r"(a+b)^2 = a^2 + a b + b^2"
FILES = {  # name: (text, line and column of the term a b)
    "paper.tex": (f"% $$ {FALSE} $$\n\\[ {FALSE} \\]\n", (2, 20)),
    "page.md": (f"```python\n$$ {FALSE} $$\n```\n\n$$ {FALSE} $$ (eq-a)\n", (5, 20)),
    "page.qmd": (f"```{{python}}\n#| label: a\n'$$ {FALSE} $$'\n```\n\n$$\n{FALSE}\n$$ {{#eq-a}}\n", (7, 17)),
    "page.rst": (f"Title\n=====\n\n.. math::\n   :label: a\n\n   {FALSE}\n\nText, and $$ is nothing.\n", (7, 20)),
    "first.rst": (f".. math:: {FALSE}\n", (1, 27)),
    "nested.rst": (f"* item\n\n  .. math::\n\n     x &= x \\\\\n\n     {FALSE}\n", (7, 22)),
    "directive.md": (f"```{{math}}\n:label: a\n\n{FALSE}\n```\n", (4, 17)),
    "macro.tex": (
        "\\newcommand{\\sq}[1]{#1^2}\\def\\both{a + b}\n\\[ (\\both)^2 = \\sq{a} + a b + \\sq{b} \\]\n",
        (2, 25),
    ),
}


def notebook(*cells, **options):
    """Return the text of a notebook of cells of markdown, each a list of lines."""
    made = [{"cell_type": "markdown", "metadata": {}, "source": cell} for cell in cells]
    return json.dumps({"cells": [{"cell_type": "code", "source": ["1"]}, *made], "nbformat": 4}, **options)


@pytest.mark.parametrize("name", FILES)
def test_each_kind_of_file_is_read_at_its_places(tmp_path, name):
    """Comments, code and cells of code claim nothing; labels and directives are no part of a formula."""
    text, place = FILES[name]
    (tmp_path / name).write_text(text, encoding="utf-8")
    found = [x for x in steps(tmp_path / name) if x.verdict != "proven"]
    assert [(x.line, x.column, x.verdict) for x in found] == [(*place, "false")]
    assert (found[0].file_line, found[0].file_column) == place


@pytest.mark.parametrize("ascii", [True, False])
@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("split", [True, False])
def test_a_notebook_has_a_place_in_its_cell_and_one_in_its_file(ascii, indent, split):
    """The place in the file as it is stored is that of the sign, whatever is escaped in front of it."""
    lines = ['über \\alpha "x"\n', f"$$ {FALSE.replace('a b', 'a b ')} $$\n"]
    raw = notebook(["text"], lines if split else "".join(lines), ensure_ascii=ascii, indent=indent)
    (step,) = steps_in(sources_in(raw, "a.ipynb", "ipynb"))
    assert (step.cell, step.line, step.column) == (2, 2, 20)
    stored = raw.split("\n")[step.file_line - 1]
    if split:
        assert stored[step.file_column - 1 :].startswith("a b  + b^2")
    assert str(step).startswith("a.ipynb#2:2:20: false: ")


def test_a_caret_stands_under_the_term_where_both_sides_part():
    """Under a sign that is another one, a factor that is another one; under the side where no single term is."""
    lines = {
        r"(a+b)^2 = a^2 + a b + b^2": "a b + b^2",
        r"(a-b)^2 = a^2 - 2 a b - b^2": "b^2",
        r"\sin(x+y) = \sin x \cos y - \cos x \sin y": r"\cos x \sin y",
        r"(a+b)(a-b) = a^2 + b^2": "b^2",
        r"(a+b)^3 = a^3 + b^3": "a^3 + b^3",
    }
    for line, term in lines.items():
        (step,) = steps_in(sources_in(f"\\[ {line} \\]\n", "-", "tex"))
        sentence, excerpt, caret, _ = as_lines([step]).split("\n")
        assert sentence == str(step) and excerpt[4:] == step.excerpt
        assert excerpt[caret.index("^") :].startswith(term), line
        assert excerpt[caret.index("^")] == step.excerpt[step.column - 1]


def test_the_document_has_its_schema_and_the_schema_is_strict(tmp_path, capsys):
    """All verdicts stand in it; a key more, a key less, another verdict and another version are refused."""
    (tmp_path / "a.md").write_text(f"$$ {FALSE} = x $$\n$$ x = y $$\n$$ x^12 $$\n$$ a + a = 2 a $$\n", encoding="utf-8")
    (tmp_path / "b.ipynb").write_text(notebook([f"$$ {FALSE} $$"]), encoding="utf-8")
    assert main(["check", "--json", str(tmp_path / "a.md"), str(tmp_path / "b.ipynb")]) == 1
    document = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator.check_schema(schema())
    check = jsonschema.Draft202012Validator(schema())
    check.validate(document)
    assert document["counts"] == {"proven": 1, FOLLOWS: 0, "false": 2, "undecided": 2, "unread": 1}
    step = document["steps"][0]
    for wrong in (
        document | {"version": 1},
        document | {"more": 1},
        {key: value for key, value in document.items() if key != "counts"},
        document | {"steps": [step | {"verdict": "wrong"}]},
        document | {"steps": [step | {"line": 0}]},
        document | {"steps": [step | {"more": 1}]},
        document | {"steps": [{key: value for key, value in step.items() if key != "cell"}]},
        document | {"steps": [step | {"verdict": "unread"}]},
        document | {"steps": [step | {"right": ""}]},
    ):
        assert not check.is_valid(wrong)
    check.validate(as_document([], []))


def test_sarif_tells_what_is_false_and_what_is_not_read(tmp_path, capsys):
    """False is an error, unread a note, at the place in the file; what is proven or undecided is no finding."""
    text = f"$$ {FALSE} $$\n\n$$ x = y $$\n\n$$ a + a = 2 a $$\n\n$$ x^12 = x $$\n"
    (tmp_path / "a page.md").write_text(text, encoding="utf-8")
    assert main(["check", "--sarif", str(tmp_path / "a page.md")]) == 1
    log = json.loads(capsys.readouterr().out)
    (run,) = log["runs"]
    assert log["version"] == "2.1.0" and run["columnKind"] == "unicodeCodePoints"
    rules = run["tool"]["driver"]["rules"]
    told = [(x["ruleId"], x["level"], rules[x["ruleIndex"]]["id"]) for x in run["results"]]
    assert told == [("eqproof/false", "error", "eqproof/false"), ("eqproof/unread", "note", "eqproof/unread")]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": 1, "startColumn": 20, "endColumn": 23}
    assert place["artifactLocation"]["uri"] == (tmp_path / "a page.md").as_uri()
    found = steps(tmp_path / "a page.md")
    assert [x["message"]["text"] for x in run["results"]] == [found[0].sentence, found[3].sentence]


def test_a_finding_keeps_its_fingerprint_where_lines_move():
    """A platform tells old findings from new ones by it; another slip has another one."""

    def fingerprints(text):
        log = as_sarif(steps_in(sources_in(text, "a.tex", "tex")))
        return [x["partialFingerprints"]["eqproofStep/v1"] for x in log["runs"][0]["results"]]

    display = f"\\[ {FALSE} \\]\n"
    assert fingerprints(display) == fingerprints(f"text\n\n{display}")
    assert fingerprints(display) != fingerprints(display.replace("+ a b", "- a b"))


def test_exit_codes_are_those_of_linters(tmp_path, capsys, monkeypatch):
    """0 nothing false, 1 something false, 2 a wrong call or a file that cannot be read; the other files are still told."""
    good, bad = tmp_path / "good.tex", tmp_path / "bad.tex"
    good.write_text("$$ a + a = 2 a, \\quad x = y, $$ $$ x^12 $$", encoding="utf-8")
    bad.write_text(f"$$ {FALSE} $$", encoding="utf-8")
    (tmp_path / "a.py").write_text("x = 1", encoding="utf-8")
    (tmp_path / "a.ipynb").write_text("{}", encoding="utf-8")
    assert main(["check", str(good)]) == 0
    assert main(["check", str(good), str(bad)]) == 1
    for name in ("missing.tex", "a.py", "a.ipynb"):
        capsys.readouterr()
        assert main(["check", str(tmp_path / name), str(bad)]) == 2
        said = capsys.readouterr()
        assert name in said.err and "false" in said.out
    for words in ([], ["--json", "--sarif", str(good)], ["--stdin", "doc", "-"]):
        with pytest.raises(SystemExit) as exit:
            main(["check", *words])
        assert exit.value.code == 2
    for kind, text in (
        ("tex", f"% $$ 1 = 2 $$\n$$ {FALSE} $$"),
        ("md", f"$$ {FALSE} $$"),
        ("rst", f".. math:: {FALSE}\n"),
    ):
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        capsys.readouterr()
        assert main(["check", "--stdin", kind, "-"]) == 1
        assert capsys.readouterr().out.startswith("-:")


def test_the_hook_for_pre_commit_runs_on_what_is_read(tmp_path, capsys):
    """Its entry is a command of the package, its pattern that of the files that are read; the reference has the same."""
    yaml = pytest.importorskip("yaml")
    (hook,) = yaml.safe_load((PACKAGE / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert {ending for ending in (*KINDS, ".py", ".bib") if re.search(hook["files"], f"a/b{ending}")} == {*KINDS}
    (tmp_path / "a.md").write_text(f"$$ {FALSE} $$\n$$ a + a = 2 a $$\n", encoding="utf-8")
    command, *words = shlex.split(hook["entry"])
    assert command == "eqproof" and main([*words, str(tmp_path / "a.md")]) == 1
    first, *_, last = capsys.readouterr().out.splitlines()
    assert ":1:20: false: " in first and last == "1 proven, 1 false, 0 undecided, 0 unread"
    blocks = re.findall(
        r"```yaml\n(.*?)```", (PACKAGE / "docs" / "reference.md").read_text(encoding="utf-8"), re.DOTALL
    )
    (local,) = yaml.safe_load(next(x for x in blocks if "eqproof-check" in x))["repos"][0]["hooks"]
    assert {key: local[key] for key in ("id", "entry", "files", "language")} == {
        key: hook[key] for key in ("id", "entry", "files", "language")
    }
