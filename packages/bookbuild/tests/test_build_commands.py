"""Every command that the texts name is run: by `.ci/run`, by a workflow, or by a test that is named here; what it is called with is right."""

import ast
import os
import re
import shlex
import subprocess

import pytest

from bookbuild.build_book import ROOT
from bookbuild.edition import EDITIONS

TEXTS = (
    "README.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "book/preface.md",
    "book/students.md",
    "book/teachers.md",
    "book/grading.md",
    "exercises/README.md",
    "packages/eqproof/README.md",
    "benchmarks/README.md",
)
CI = ".ci/run"
NIGHTLY = ".github/workflows/processors.yml"
ELSEWHERE = {  # what .ci/run does not call under this name: where it is run
    "make test": (CI, "make test-all"),  # all that it runs, and what is slow
    "make setup": ("Makefile", "book: setup"),  # every command begins with it
    "make book-sphinx": (".github/workflows/ci.yml", "make book book-sphinx"),  # weekly, with the newest of everything
    "make prove": (NIGHTLY, "make prove"),
    "make prove-mutants": (NIGHTLY, "make prove-mutants SAMPLE=1"),
    "make test-slides": (NIGHTLY, "make test-slides"),
    "make test-processors": (NIGHTLY, "make test-processors"),
    "make long-tests": (
        "packages/bookbuild/tests/test_build_long_tests.py",
        "test_a_listed_test_is_left_out_and_the_end_says_so_and_the_list_is_measured_anew",
    ),
    "make mutants": (NIGHTLY, "make mutants SAMPLE=30"),
    "make new-chapter": ("packages/bookbuild/tests/test_new_pages.py", "test_a_page_begins_proven_behind_its_neighbor"),
    "make new-question": ("packages/bookbuild/tests/test_new_pages.py", "test_a_question_begins_behind_the_last"),
    "make bench": (NIGHTLY, "make bench QUICK=1"),
    "make pdf": (NIGHTLY, "make pdf epub EDITION=student"),  # .ci/run: the reader's edition
    "make epub": (NIGHTLY, "make pdf epub EDITION=teacher"),
    "make lite": (NIGHTLY, "make lite EDITION=student"),
    "python -m pytest": ("Makefile", "-m pytest"),
    "python -m eqproof": ("tests/book/test_proofs.py", "test_the_command"),
    "python -m coursework": (
        "packages/bookbuild/tests/test_build_commands.py",
        "test_a_command_of_grading_is_called_as_it_can_be",
    ),
    "python benchmarks": ("Makefile", "benchmarks/*.py"),
    "python packages/coursework/tests/right_answers.py": (
        "packages/coursework/tests/test_check_truths.py",
        "test_right_answers_hold_for_hundreds_of_students",
    ),
}
GRADING = {  # each command of grading: the test that calls it
    "release": ("packages/coursework/tests/grading_kit.py", "Class"),
    "intake": ("packages/coursework/tests/grading_kit.py", "Class"),
    "run": ("packages/coursework/tests/test_grading_course.py", "course"),
    "merge": ("packages/coursework/tests/test_grading_course.py", "course"),
    "feedback": ("packages/coursework/tests/test_grading_course.py", "test_feedback_pages_say_what_the_judge_found"),
    "export": ("packages/coursework/tests/test_grading_course.py", "table"),
    "status": ("packages/coursework/tests/test_grading_course.py", "test_status_names_what_is_not_graded"),
    "report": ("packages/coursework/tests/test_grading_report.py", "test_the_commands_write_the_same_pages"),
    "board": ("packages/coursework/tests/test_grading_report.py", "test_the_commands_write_the_same_pages"),
    "extend": (
        "packages/coursework/tests/test_grading_teacher.py",
        "test_more_time_for_one_student_and_another_look_at_one_question",
    ),
    "regrade": (
        "packages/coursework/tests/test_grading_teacher.py",
        "test_more_time_for_one_student_and_another_look_at_one_question",
    ),
    "share": (
        "packages/coursework/tests/test_grading_teacher.py",
        "test_two_graders_read_without_names",
    ),
    "marks": (
        "packages/coursework/tests/test_grading_teacher.py",
        "test_two_graders_who_agree_give_points_and_two_who_do_not_are_named",
    ),
    "send": ("packages/coursework/tests/test_grading_lti.py", "send"),
}
FENCED = re.compile(r"^```[^\n]*\n(.*?)^```", re.M | re.S)
PYTHON = re.compile(r"(?:\S*/)?python (?:-m (?P<module>\w+)|(?P<file>[\w/]+\.py))")


def commands(text):
    """Return the commands of a text, a line each: those in blocks of code, and those between backticks."""
    blocks = "".join(FENCED.findall(text)).replace("\\\n", " ").splitlines()
    lines = [*blocks, *re.findall(r"`([^`\n]+)`", FENCED.sub("", text))]
    return [line.split("#")[0].strip() for line in lines]


def made(line):
    """Return {(target, edition)} of a line that calls make; nothing for another line."""
    words = line.split()
    if "make" not in words[:1]:
        return set()
    edition = "".join(x.removeprefix("EDITION=") for x in words if x.startswith("EDITION="))
    return {(word, edition) for word in words[1:] if re.fullmatch(r"[a-z-]+", word)}


def all_commands():
    """Return [(text, line)] of all texts."""
    return [(name, line) for name in TEXTS for line in commands((ROOT / name).read_text("utf8"))]


def run_by_ci():
    """Return {(target, edition)} of what .ci/run calls."""
    script = (ROOT / CI).read_text("utf8")
    script = script[script.index("say()") :].replace("$(", "\n").replace("(", "\n").replace(")", "\n")
    script = re.sub(r"cat <<'EOF'.*?^EOF$", "", script, flags=re.M | re.S)
    lines = [re.sub(r"^.*?(?=\bmake )", "", x) for x in script.splitlines() if not x.lstrip().startswith(("say ", "#"))]
    return set().union(*map(made, lines))


def targets():
    """Return the targets of the Makefile."""
    return set(re.findall(r"^([a-z-]+):(?!=)", (ROOT / "Makefile").read_text("utf8"), re.M))


def test_the_texts_are_read():
    """Commands in blocks, in lines, with more than one target, with an edition; words about make are none."""
    lines = commands(
        "Run `make pdf epub EDITION=student`, `.venv/bin/python -m eqproof rp`.\n\n```\nmake book  # builds\n```\n"
    )
    assert lines == ["make book", "make pdf epub EDITION=student", ".venv/bin/python -m eqproof rp"]
    assert made(lines[1]) == {("pdf", "student"), ("epub", "student")} and made("what make runs") == set()
    assert len({x for _, line in all_commands() for x in made(line)}) > 25
    assert sum(bool(PYTHON.match(line)) for _, line in all_commands()) > 30


def test_every_target_of_make_that_the_texts_name_is_run():
    """By .ci/run, in the edition that they name; the few that are not stand above, with where they run."""
    known = targets()
    run = run_by_ci()
    named = {x: name for name, line in all_commands() for x in made(line)}
    assert {target: name for (target, _), name in named.items() if target not in known} == {}
    unrun = {f"make {target}{f' EDITION={edition}' * bool(edition)}" for target, edition in set(named) - run}
    assert {x for x in unrun if x.split(" EDITION")[0] not in ELSEWHERE} == set()


def test_every_target_of_make_is_told_and_run():
    """In CONTRIBUTING or in `make help` it has words; what nobody runs is dead."""
    run = {target for target, _ in run_by_ci()}
    assert {x for x in targets() if x not in run and f"make {x}" not in ELSEWHERE} == set()
    helped = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {x for x in targets() if f"make {x}\t" not in helped} == set()


def test_every_other_command_that_the_texts_name_is_run():
    """Each module and file that Python is given exists, and stands above with where it is run."""
    called = {line: PYTHON.match(line) for _, line in all_commands() if PYTHON.match(line)}
    files = {x["file"] for x in called.values() if x["file"]}
    assert {x for x in files if not (ROOT / x).exists()} == set()
    names = {f"python -m {x['module']}" if x["module"] else f"python {x['file']}" for x in called.values()}
    assert {x for x in names if not x.startswith(tuple(ELSEWHERE))} == set()


@pytest.mark.parametrize("where", [*ELSEWHERE.values(), *GRADING.values()], ids=" ".join)
def test_where_a_command_is_run_is_there(where):
    """The file that is named, and in it the test, or the words."""
    path, name = where
    text = (ROOT / path).read_text("utf8")
    assert name in ({x.name for x in ast.parse(text).body if hasattr(x, "name")} if path.endswith(".py") else text)


@pytest.mark.parametrize("command", GRADING)
def test_a_test_of_grading_calls_its_command(command):
    """Its text holds the word, as it stands on a command line."""
    path, name = GRADING[command]
    (found,) = [x for x in ast.parse((ROOT / path).read_text("utf8")).body if getattr(x, "name", "") == name]
    assert command in {x.value for x in ast.walk(found) if isinstance(x, ast.Constant)}


def grading():
    """Return the words of each command of grading that the texts name, without those that leave something out."""
    lines = [(name, line) for name, line in all_commands() if "-m coursework " in line]
    return {line: shlex.split(line.partition("-m coursework ")[2]) for _, line in lines if ".." not in line}


@pytest.mark.parametrize("line", grading())
def test_a_command_of_grading_is_called_as_it_can_be(line, capsys):
    """The program takes the words that the texts give: no option is misspelled, none is missing."""
    pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")
    from coursework.__main__ import parser

    words = grading()[line]
    if "--help" not in words:
        assert parser().parse_args(words).command == words[0] and words[0] in GRADING
    for word in (x for x in words if x.startswith("exercises/")):
        assert (ROOT / word).exists()


def test_every_command_of_grading_is_tried():
    """And told: the guide names each."""
    pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")
    from coursework.__main__ import parser

    (one,) = [action for action in parser()._actions if action.dest == "command"]
    assert set(one.choices) == set(GRADING)
    guide = (ROOT / "book" / "grading.md").read_text("utf8")
    assert {x for x in GRADING if f"`{x}`" not in guide and f"coursework {x}" not in guide} == set()


@pytest.mark.parametrize("target", sorted(targets() - {"help", "clean", "bench"}))
def test_an_unknown_edition_ends_every_command_in_a_sentence(target):
    """Before anything is installed or built; `help` and `clean` know no edition."""
    outer = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"}  # of the make that runs the tests: below it, make says where it enters
    environment = {name: x for name, x in os.environ.items() if name not in outer} | {"EDITION": "pupil"}
    done = subprocess.run(["make", target], cwd=ROOT, capture_output=True, text=True, check=False, env=environment)
    said = [x for x in done.stderr.splitlines() if not x.startswith("make: ***")]
    assert done.returncode == 2 and said == [
        f"make: EDITION is {', '.join(EDITIONS[:-1])} or {EDITIONS[-1]}, got pupil."
    ]
    assert done.stdout == ""
