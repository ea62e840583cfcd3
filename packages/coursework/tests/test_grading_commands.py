"""The commands of grading say in a sentence what they cannot take: rule, got, hint; and change nothing then."""

import csv
import errno
import json
import os
import re
import sys
import tomllib
from pathlib import Path

import grading_kit
import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")
pytest.importorskip("distributed", reason="distributed is not installed: pip install './packages/coursework[grade]'")

from sqlalchemy.exc import OperationalError

from coursework.__main__ import main, parser
from coursework.grading import sandbox, tables, task
from coursework.grading.course import Course
from coursework.grading.site import own

COMMANDS = ("release", "intake", "run", "merge", "feedback", "export", "report", "status")


def said(capsys, *words):
    """What a command says that fails."""
    assert main(list(map(str, words))) == 1
    return capsys.readouterr().err.strip()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "No space left on device\nWhat is done is kept"),
        (OSError(errno.ENOSPC, "No space left on device", "/x"), "/x: No space left on device\nWhat is done is kept"),
        (OSError(errno.EACCES, "Permission denied", "/x"), "/x: Permission denied"),
        (OperationalError("SELECT 1", {}, Exception("is the server running?\nyes")), "is the server running?\nWhat is"),
    ],
)
def test_what_is_full_or_gone_is_said_with_what_to_do(error, words, capsys, monkeypatch):
    """A disk, a database that was restarted: nothing is lost, and no traceback tells it."""

    def course(*_):
        raise error

    monkeypatch.setattr("coursework.grading.course.Course", course)
    told = said(capsys, "status", "two-link")
    assert words in told and ("the same command goes on." in told) is ("kept" in told)


@pytest.mark.parametrize("missing", ["nbgrader", "distributed", "pylti1p3"])
def test_what_is_not_installed_is_named_with_the_command_that_brings_it(missing, capsys, monkeypatch):
    """The folder and the extra of the command are there."""

    def course(*_):
        raise ModuleNotFoundError(f"No module named {missing!r}", name=missing)

    monkeypatch.setattr("coursework.grading.course.Course", course)
    words = said(capsys, "status", "two-link")
    (folder, extra) = re.fullmatch(
        rf"Grading needs {missing}: pip install '\./(\S+)\[(\w+)\]' in a clone of robotdyn", words
    ).groups()
    declared = tomllib.loads((Path(__file__).parents[3] / folder / "pyproject.toml").read_text(encoding="utf-8"))
    assert any(one.lower().startswith(missing) for one in declared["project"]["optional-dependencies"][extra])


@pytest.mark.parametrize("command", COMMANDS)
def test_help_tells_each_argument(command, capsys):
    """Whatever can be given has words."""
    with pytest.raises(SystemExit):
        parser().parse_args([command, "--help"])
    (one,) = [action for action in parser()._actions if action.dest == "command"]
    assert all(action.help for action in one.choices[command]._actions), capsys.readouterr().out


@pytest.mark.parametrize("words", [("--workers", "0"), ("--workers", "-3"), ("--cell", "-1"), ("--submission", "nan")])
def test_a_number_that_cannot_be_is_refused(words, capsys):
    """At least one process, more than no time."""
    with pytest.raises(SystemExit):
        parser().parse_args(["run", "two-link", *words])
    assert f"must be a {'whole ' * (words[0] == '--workers')}number" in capsys.readouterr().err


@pytest.mark.parametrize("more", [[], ["--container", "an-image"]])
def test_a_user_that_is_none_is_named(more, tmp_path, capsys, monkeypatch):
    """No traceback, and nobody grades as somebody else."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    words = ["run", "two-link", "--course", tmp_path, "--user", "no such user", *more]
    assert said(capsys, *words) == "--user must name a user of this machine, got no such user"


@pytest.mark.parametrize("command", COMMANDS[1:])
def test_only_a_release_makes_a_course(command, tmp_path, capsys, monkeypatch):
    """A folder whose name was mistyped does not become an empty course."""
    monkeypatch.setattr(sandbox, "check", lambda words: None)
    more = {"intake": [tmp_path], "export": [tmp_path / "x.csv"], "report": [tmp_path / "x.html"]}.get(command, [])
    assert "there is no course in" in said(capsys, command, "two-link", *more, "--course", tmp_path / "coarse")
    assert not (tmp_path / "coarse").exists()


def test_a_course_is_its_teachers_alone(tmp_path):
    """Keys, uploads and grades lie where no other user can look."""
    assert Course(tmp_path / "course", new=True).folder.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("closed", [".", "course", "course/course.json"])
def test_a_course_of_another_user_is_said(closed, tmp_path, capsys, monkeypatch):
    """Released as root and graded by an ordinary user: a bare "Permission denied" would not tell what to do."""
    Course(tmp_path / "course", new=True)
    monkeypatch.setattr(os, "access", lambda path, use: str(path) != str(tmp_path / closed))
    words = said(capsys, "status", "two-link", "--course", tmp_path / "course")
    assert f"{tmp_path / closed} is closed to" in words
    assert "Give all commands, `release` too, as one user" in words


@pytest.mark.parametrize(
    ("url", "reason"),
    [("nonsense", "got nonsense"), ("postgresql+psycopg://x@127.0.0.1:1/x", "it answers"), ("no+such://x/y", "got no")],
)
def test_a_gradebook_that_cannot_be_opened_is_not_remembered(tmp_path, url, reason):
    """Else each later command would fail."""
    old = Course(tmp_path / "course", new=True)
    with pytest.raises(ValueError, match=f"--db must be the URL of a database .*{reason}"):
        Course(tmp_path / "course", url)
    assert Course(tmp_path / "course").db == old.db


def test_a_worker_that_cannot_grade_says_so(monkeypatch):
    """Before it starts any kernel: a worker elsewhere may be root or lack bubblewrap."""
    monkeypatch.setattr(sandbox, "trouble", lambda: "the command bwrap is not installed")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(sandbox.NoSandbox, match="needs the sandbox bubblewrap"):
        task.grade({"sandboxed": True, "line": {}})


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_no_cell_of_the_table_is_a_formula(start):
    """What a spreadsheet would reckon is text."""
    assert tables.plain(f"{start}1+1") == f"'{start}1+1"
    assert tables.plain(f"as 'x; {start}1+1;'") == f"as 'x; '{start}1+1;'"  # where a semicolon ends a cell
    assert tables.plain("ada; bob") == "ada; bob" and tables.plain("") == "" and tables.plain(-1.5) == -1.5


def test_own_settings_that_cannot_be_read_are_named(tmp_path):
    """With their file."""
    course = Course(tmp_path / "course", new=True)
    assert own(course) == {}
    (course.nbgrader / "own_config.py").write_text("1 / 0\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"own_config\.py cannot be read: ZeroDivisionError"):
        own(course)


POINTS = """
import sys
from nbgrader.api import Gradebook
book = Gradebook(sys.argv[1])
grade = [g for g in book.find_submission("two-link", "ada").notebooks[0].grades if g.name == "explain"][0]
grade.manual_score = 2.0
grade.needs_manual_grade = False
book.db.commit()
"""


@pytest.fixture(scope="module")
def late():
    """Ada hands in late, through nbgrader's exchange; Bob's upload cannot be read."""
    course = grading_kit.class_or_skip()
    course("release", grading_kit.SOURCE, "--due", "2020-01-01 00:00 UTC")
    stamp, secret = "2020-01-01 01:00:00 UTC\n", "a secret of the exchange"
    place = course.folder / "course/nbgrader/submitted/ada/two-link"
    place.mkdir(parents=True)
    for name, text in (("timestamp.txt", stamp), ("submission_secret.txt", secret)):
        (place / name).write_text(text, encoding="utf-8")
    (place / "two-link.ipynb").write_text(json.dumps(grading_kit.solved()), encoding="utf-8")
    broken = course.folder / "course/nbgrader/submitted/bob/two-link/two-link.ipynb"
    broken.parent.mkdir(parents=True)
    broken.write_text("{}", encoding="utf-8")
    grading_kit.hand_over(course.folder / "course/nbgrader")
    course("intake", "two-link", course.folder / "course/nbgrader/submitted")
    course("run", "two-link", "--workers", "1")
    course("merge", "two-link")
    yield course
    course.remove()


def row(course, student="ada"):
    course("export", "two-link", course.folder / "grades.csv")
    with open(course.folder / "grades.csv", newline="", encoding="utf8") as file:
        return next(row for row in csv.DictReader(file) if row["student"] == student)


@pytest.mark.slow
def test_a_late_penalty_is_nbgraders_own(late):
    """The teacher's settings hold, also for points that a person gives later, and can be taken back."""
    settings = late.folder / "course/nbgrader/own_config.py"
    assert (row(late)["score"], row(late)["penalty"], row(late)["late"]) == ("18.0", "0.0", "3600")
    settings.write_text('c = get_config()\nc.LateSubmissionPlugin.penalty_method = "zero"\n', encoding="utf-8")
    late("merge", "two-link")
    assert (row(late)["score"], row(late)["penalty"]) == ("0.0", "18.0")
    url = f"sqlite:///{late.folder}/course/nbgrader/gradebook.db"
    grading_kit.run_as_user([sys.executable, "-c", POINTS, url], late.folder, check=True)
    late("merge", "two-link")
    assert (row(late)["score"], row(late)["penalty"], row(late)["explain"]) == ("0.0", "20.0", "2.0")
    settings.unlink()
    late("merge", "two-link")
    assert (row(late)["score"], row(late)["penalty"]) == ("20.0", "0.0")


@pytest.mark.slow
def test_the_exchange_can_hand_feedback_back(late):
    """nbgrader asks for the secret of the submission, which is no upload."""
    assert len(late.ledger()) == 2
    late("feedback", "two-link")
    feedback = late.folder / "course/nbgrader/feedback/ada/two-link"
    assert (feedback / "submission_secret.txt").read_text(encoding="utf-8") == "a secret of the exchange"


@pytest.mark.slow
def test_what_is_not_graded_is_no_zero_in_gradescope(late):
    """Gradescope adds up the tests of a file without a score; so there is no file."""
    said = late("export", "two-link", late.folder / "gradescope", "--format", "gradescope").stdout
    assert said.startswith("1 ") and not (late.folder / "gradescope" / "bob").exists()
    found = json.loads((late.folder / "gradescope/ada/results.json").read_text(encoding="utf-8"))
    assert set(found) == {"score", "output", "tests"} and isinstance(found["score"], float) and found["output"]
    for test in found["tests"]:
        assert set(test) == {"name", "score", "max_score", "output"} and 0 <= test["score"] <= test["max_score"]


@pytest.mark.slow
def test_a_new_key_is_named_until_it_is_used(late):
    """After a changed question `status` and `run` tell which command grades again."""
    changed = late.folder / "changed" / "two-link.ipynb"
    changed.parent.mkdir()
    notebook = json.loads(grading_kit.SOURCE.read_text(encoding="utf-8"))
    gravity = next(
        cell for cell in notebook["cells"] if cell["metadata"].get("nbgrader", {}).get("grade_id") == "gravity"
    )
    gravity["metadata"]["nbgrader"]["points"] = 5
    changed.write_text(json.dumps(notebook), encoding="utf-8")
    grading_kit.hand_over(changed.parent)
    late("release", changed)
    assert "1 were graded with another key: run two-link --again" in late("status", "two-link").stdout
    late("run", "two-link", "--again", "--workers", "1")
    assert "another key" not in late("status", "two-link").stdout
    late("merge", "two-link")
    assert row(late)["gravity"] == "5.0"


@pytest.mark.slow
def test_a_gradebook_of_another_place_wants_a_release(late):
    """It does not know the assignment: no traceback, and the way on."""
    url = f"sqlite:///{late.folder}/course/nbgrader/other.db"
    late("release", late.folder / "changed/two-link.ipynb", "--db", url)
    (late.folder / "course/nbgrader/other.db").unlink()
    done = late("merge", "two-link", check=False)
    assert done.returncode == 1 and done.stderr.startswith("the gradebook does not know 'two-link': run `release`")
