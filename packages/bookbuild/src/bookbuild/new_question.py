"""Begins a graded question, and says what it still lacks:  make new-question ASSIGNMENT=rp NAME=slug TITLE="...".

What is written stands behind the last question: three cells of the notebook, the record of the check, an empty list of wrong
answers, its line for the report. Each place to fill stands in double angle brackets, <<like this>>.
Called again for a question that is there, it changes nothing and says what is missing.
"""

import argparse
import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

from bookbuild import ROOT
from bookbuild.new_chapter import BLANK, SLUG

SECTIONS = Path("packages/coursework/src/coursework/grading/sections.toml")
TEXT = """## {number}. {title}

*Objective: <<what one can do afterwards>>. 2 points, about 10 minutes, easy.*

<<The task.>> Write the answer as `{variable}`, a number."""
WORK = """{variable} = ...  # <<unit>>
### BEGIN SOLUTION
{variable} = 1.0
### END SOLUTION"""
CHECK = """from robotdyn import check

check.answer("{name}", {variable})"""
RECORD = """    "{name}": Question(
        "<<what it is, such as: work of the motor in J>>",
        judged="laws",
        laws=(lambda p, at, value: laws.differs("<<It is not what the law asks for.>>", at, value, 1.0, 1e-3),),
        hints=("<<a first hint>>", "<<a second>>", "<<a third, that nearly tells>>"),
    ),
"""
PLANTED = """    "{name}": [
        # ("answer = ...", "words that the check finds"), three at least
    ],
"""


def begin_question(assignment: str, name: str, title: str, root: Path = ROOT) -> list[Path]:
    """Write the question behind the last one of its assignment; return the files.

    Raises ValueError, and writes nothing, where the assignment is none, or the name is none or taken.
    """
    folder = root / "exercises" / assignment
    if not (folder / "questions.py").exists():
        known = ", ".join(sorted(path.parent.name for path in (root / "exercises").glob("*/questions.py")))
        raise ValueError(f"ASSIGNMENT must be one of {known}, got {assignment!r}")
    if not SLUG.fullmatch(name):
        raise ValueError(f"NAME must be small letters, digits and hyphens, such as pull-in, got {name!r}")
    notebook = folder / f"{assignment}.ipynb"
    content = json.loads(notebook.read_text(encoding="utf-8"))
    if any(cell["id"] == name for cell in content["cells"]):
        raise ValueError(f"{notebook.relative_to(root)} has a question {name!r} already: take another NAME")
    number = 1 + sum(
        "".join(cell["source"]).startswith("from robotdyn import check\n\ncheck.answer(") for cell in content["cells"]
    )
    content["cells"] += _cells(name, title, number)
    written = {
        notebook: json.dumps(content, indent=1, ensure_ascii=False) + "\n",
        folder / "questions.py": _at_end(folder / "questions.py", "QUESTIONS = {", RECORD.format(name=name)),
        folder / "planted.py": _at_end(folder / "planted.py", "WRONG = {", PLANTED.format(name=name)),
        root / SECTIONS: _in_table(root / SECTIONS, assignment, f'{name} = "<<Page › Section>>"\n'),
    }
    for path, text in written.items():
        path.write_text(text, encoding="utf-8")
    return list(written)


def _cells(name: str, title: str, number: int) -> list[dict]:
    """Return the three cells: the task, the student's cell, the one that hands in."""
    words = {"name": name, "title": title, "number": number, "variable": name.replace("-", "_")}
    graded = {"schema_version": 3, "task": False}
    work = {**graded, "grade": False, "solution": True, "locked": False, "grade_id": f"{name}-work"}
    check = {**graded, "grade": True, "solution": False, "locked": True, "points": 2, "grade_id": name}
    code: dict[str, Any] = {"cell_type": "code", "execution_count": None, "outputs": []}
    lines = lambda text: text.format(**words).splitlines(keepends=True)
    return [
        {"cell_type": "markdown", "id": f"{name}-text", "metadata": {}, "source": lines(TEXT)},
        {**code, "id": f"{name}-work", "metadata": {"nbgrader": work}, "source": lines(WORK)},
        {**code, "id": name, "metadata": {"nbgrader": check}, "source": lines(CHECK)},
    ]


def _at_end(path: Path, opening: str, entry: str) -> str:
    """Return the text of a file with an entry more at the end of its table."""
    text = path.read_text(encoding="utf-8")
    table = re.compile(rf"^{re.escape(opening)}\n.*?(?=^\}})", re.M | re.S)
    if len(table.findall(text)) != 1:
        raise ValueError(f"{path.name} must hold one table {opening} ... }}")
    return table.sub(lambda found: found[0] + entry, text)


def _in_table(path: Path, name: str, line: str) -> str:
    """Return a text of TOML with a line more in one table."""
    before, head, rest = path.read_text(encoding="utf-8").partition(f"[{name}]\n")
    own, gap, after = rest.partition("\n\n")
    return before + head + own.rstrip("\n") + "\n" + line + (gap[1:] + after if gap else "")


def missing_of_question(assignment: str, name: str, root: Path = ROOT) -> list[str]:
    """Return a line for each thing that the question lacks, of those that its files show."""
    folder = root / "exercises" / assignment
    cells = json.loads((folder / f"{assignment}.ipynb").read_text(encoding="utf-8"))["cells"]
    text = {
        cell["id"]: "".join(cell["source"]) for cell in cells if cell["id"] in (name, f"{name}-work", f"{name}-text")
    }
    record = _entry(folder / "questions.py", name)
    planted = _entry(folder / "planted.py", name)
    sections = tomllib.loads((root / SECTIONS).read_text(encoding="utf-8")).get(assignment, {})
    blanks = BLANK.findall("\n".join([*text.values(), record, sections.get(name, "")]))
    wanted = {
        f"{len(blanks)} places to fill, the first: {blanks[0] if blanks else ''}": not blanks,
        f"its three cells in the notebook: {name}-text, {name}-work, {name}": len(text) == 3,
        "a solution between ### BEGIN SOLUTION and ### END SOLUTION": "### BEGIN SOLUTION"
        in text.get(f"{name}-work", ""),
        f'its record "{name}": Question(...) in questions.py': record,
        "laws of its own, in place of the number that the beginning holds": "at, value, 1.0, 1e-3" not in record,
        "three wrong answers in planted.py": len(re.findall(r"^\s{8}\(", planted, re.M)) >= 3,
        f"the section that explains it: {name} under [{assignment}] in {SECTIONS}": name in sections,
    }
    return [line for line, there in wanted.items() if not there]


def _entry(path: Path, name: str) -> str:
    """Return the entry of a table in a file of Python, or nothing."""
    found = re.search(rf'^    "{re.escape(name)}": .*?^    [)\]],$', path.read_text(encoding="utf-8"), re.M | re.S)
    return found[0] if found else ""


def main(arguments: list[str]) -> int:
    """Begin the question if it is not there; say what it lacks, and how to go on."""
    parser = argparse.ArgumentParser(prog="make new-question", description=__doc__)
    parser.add_argument("assignment")
    parser.add_argument("name")
    parser.add_argument("--title", default="")
    options = parser.parse_args(arguments)
    notebook = ROOT / "exercises" / options.assignment / f"{options.assignment}.ipynb"
    there = notebook.exists() and f'"id": "{options.name}"' in notebook.read_text(encoding="utf-8")
    if not there:
        try:
            if not options.title:
                raise ValueError(
                    'a new question needs a title: make new-question ASSIGNMENT=rp NAME=slug TITLE="Pulled in"'
                )
            for path in begin_question(options.assignment, options.name, options.title):
                print(f"wrote {path.relative_to(ROOT)}")
        except ValueError as error:
            print(f"make new-question: {error}", file=sys.stderr)
            return 1
    missing = missing_of_question(options.assignment, options.name)
    print(
        "\n".join(["missing:", *(f"- {line}" for line in missing)])
        if missing
        else "nothing is missing that can be seen here"
    )
    print(
        f"then: .venv/bin/python packages/coursework/tests/right_answers.py 3000 {options.assignment}, and the list in CONTRIBUTING.md"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
