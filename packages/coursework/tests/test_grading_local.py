"""What another user of the machine has laid in the way of a teacher is neither run, nor followed, nor filled with grades."""

import json
import os
import subprocess
import sys

import grading_kit
import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")
pytest.importorskip("distributed", reason="distributed is not installed: pip install './packages/coursework[grade]'")

from coursework.grading.course import Course
from coursework.grading.tables import write_table

MODULES = ("argparse", "json", "numpy", "nbformat", "sympy", "dask", "zmq", "multiprocessing", "pickle", "matplotlib",
           "nbgrader_config", "jupyter_config", "snappy", "brotli", "evil")  # fmt: skip
TEMPLATE = "{{ cycler.__init__.__globals__.os.system('touch ran-template') }}"


def in_a_folder_of_traps(folder, *argv):
    """Run Python in a folder full of modules, settings and templates that leave a mark; return how it ended."""
    folder.mkdir(exist_ok=True)
    for name in MODULES:
        (folder / f"{name}.py").write_text(f"open('ran-{name}', 'w').close()\n", encoding="utf-8")
    (folder / "matplotlibrc").write_text("backend: module://evil\n", encoding="utf-8")
    for name in ("lab", "base", "classic"):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "index.html.j2").write_text(TEMPLATE, encoding="utf-8")
        (folder / name / "conf.json").write_text("{}", encoding="utf-8")
    environment = grading_kit.environment(folder)
    done = subprocess.run(
        [sys.executable, *map(str, argv)], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done, sorted(path.name for path in folder.glob("ran-*"))


def test_a_command_runs_nothing_that_lies_in_the_current_folder(tmp_path):
    """Nor do the processes that it begins: to read uploads, Matplotlib's fonts, workers."""
    uploads = tmp_path / "uploads"
    uploads.mkdir()
    (uploads / "ada_two-link.ipynb").write_text(json.dumps(grading_kit.solved()), encoding="utf-8")
    for words in (("release", grading_kit.SOURCE), ("intake", "two-link", uploads), ("status", "two-link")):
        argv = ("-m", "coursework", words[0], "--course", tmp_path / "course", *words[1:])
        done, ran = in_a_folder_of_traps(tmp_path / "cwd", *argv)
        assert (done.returncode, ran) == (0, []), done.stdout + done.stderr
    assert "1 waiting" in done.stdout


@pytest.mark.parametrize(
    "code",
    [
        "from coursework.grading.judge import Judge\nassert 0 < Judge().seconds_to_show('$x$') < 10",
        "from coursework.grading.task import font_list\nassert font_list().is_file()",
    ],
)
def test_what_a_worker_begins_runs_nothing_of_its_folder(code, tmp_path):
    """A template of a page is a program, too."""
    done, ran = in_a_folder_of_traps(tmp_path / "cwd", "-P", "-c", code)
    assert (done.returncode, ran) == (0, []), done.stdout + done.stderr


def test_a_new_course_lets_nobody_else_in(tmp_path):
    """Also in a folder that was there before, open to all: gradebook and ledger would have been."""
    tmp_path.chmod(0o755)
    Course(tmp_path, new=True)
    assert tmp_path.stat().st_mode & 0o077 == 0
    tmp_path.chmod(0o750)  # whoever opens it afterwards means it
    Course(tmp_path, new=True)
    assert tmp_path.stat().st_mode & 0o077 == 0o050


def test_a_course_does_not_begin_in_a_folder_of_another_user(tmp_path, monkeypatch):
    """Who has made it beforehand knows its secrets, and can change its keys."""
    (tmp_path / "course.json").write_text(json.dumps({"seed": "0" * 32, "db": None}), encoding="utf-8")
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    with pytest.raises(PermissionError, match="a folder of your own"):
        Course(tmp_path, new=True)


def test_a_table_follows_no_link_and_is_nobody_elses(tmp_path):
    """It was written into whatever file lay there, for others to read."""
    (tmp_path / "mine").write_text("kept", encoding="utf-8")
    (tmp_path / "grades.csv").symlink_to("mine")
    write_table(tmp_path / "grades.csv", [{"student": "ada", "score": 3}])
    assert (tmp_path / "mine").read_text(encoding="utf-8") == "kept"
    assert (tmp_path / "grades.csv").read_bytes() == b"student,score\r\nada,3\r\n"
    assert (tmp_path / "grades.csv").stat().st_mode & 0o777 == 0o600
