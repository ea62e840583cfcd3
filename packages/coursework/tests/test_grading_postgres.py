"""The gradebook in PostgreSQL: the same grades as in SQLite, from a server that the test itself starts."""

import csv
import os
import shutil
import signal
import sys
import time
from pathlib import Path

import grading_kit
import pytest

pytestmark = pytest.mark.slow


def server_program(name):
    """The path of a program of the PostgreSQL server, wherever Debian puts it."""
    places = [Path(found) for found in [shutil.which(name)] if found]
    places += sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return places[-1] if places else None


@pytest.fixture(scope="module")
def url():
    """A server of its own on a socket in a temporary folder, without any network."""
    trouble = grading_kit.sandbox_trouble()
    if trouble:
        pytest.skip(trouble)
    pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'psycopg[binary]'")
    if server_program("initdb") is None:
        pytest.skip("the PostgreSQL server is not installed: apt install postgresql")
    folder = grading_kit.owned_folder()
    grading_kit.run_as_user(
        [server_program("initdb"), "-D", folder / "data", "-U", "teacher", "-A", "trust", "-N"], folder, check=True
    )
    options = f"-c listen_addresses= -c unix_socket_directories={folder}"
    server = grading_kit.start_as_user([server_program("postgres"), "-D", folder / "data", *options.split()], folder)
    stop = time.monotonic() + 30
    while not (folder / ".s.PGSQL.5432").exists() and time.monotonic() < stop:
        time.sleep(0.1)
    code = "import psycopg, sys; psycopg.connect(sys.argv[1], autocommit=True).execute('create database grades')"
    for _ in range(20):
        if (
            grading_kit.run_as_user(
                [sys.executable, "-c", code, f"host={folder} user=teacher dbname=postgres"], folder
            ).returncode
            == 0
        ):
            break
        time.sleep(0.3)
    yield f"postgresql+psycopg://teacher@/grades?host={folder}"
    os.killpg(server.pid, signal.SIGINT)
    server.communicate(timeout=30)
    shutil.rmtree(folder, ignore_errors=True)


def test_the_same_grades_in_postgresql(url):
    """Release, run, merge and export with the gradebook on a server; the URL is given once and remembered."""
    course = grading_kit.Class(("--db", url, grading_kit.SOURCE))
    try:
        wrong = grading_kit.with_answer("gravity", "G = [g, g]")
        course.take({"ada/x.ipynb": grading_kit.solved(), "bob/x.ipynb": wrong})
        course("run", "two-link", "--workers", "2")
        assert course("merge", "two-link").stdout.startswith("2 ")
        assert course("merge", "two-link").stdout.startswith("0 ")
        course("export", "two-link", course.folder / "grades.csv")
        with open(course.folder / "grades.csv", newline="", encoding="utf-8") as file:
            assert {row["student"]: float(row["score"]) for row in csv.DictReader(file)} == {"ada": 18.0, "bob": 15.0}
        assert not (course.folder / "course" / "nbgrader" / "gradebook.db").exists()
    finally:
        course.remove()
