"""Workers, schedulers and whole runs are killed at random moments: after a rerun the results are those of a quiet run."""

import os
import random
import re
import signal
import sys
import time
from pathlib import Path

import grading_kit
import pytest

pytestmark = pytest.mark.slow
STUDENTS = 6
KILLS = 10  # of everything together


@pytest.fixture(scope="module")
def course():
    """Six students, each third with one wrong answer."""
    course = grading_kit.class_or_skip()
    wrong = grading_kit.with_answer("gravity", "G = [g, g]")
    course.take({f"s{i:02d}/x.ipynb": wrong if i % 3 == 0 else grading_kit.solved() for i in range(STUDENTS)})
    yield course
    course.remove()


def content(course):
    """All results without their times."""
    found = course.results()
    return {name: {key: r[key] for key in ("student", "state", "verdicts", "sha", "key")} for name, r in found.items()}


def processes(course, words):
    """The ids of processes whose command line holds the words, and which belong to the course's folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes().decode(errors="replace").replace("\0", " ")
                home = (entry / "environ").read_bytes().decode(errors="replace")
            except OSError:
                continue
            if f"HOME={course.folder}" in home and re.search(words, line):
                found.append(int(entry.name))
    return found


def end(process):
    """Kill a whole run: its process group, at once."""
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=30)


def wait_for(course, count, process, seconds=90):
    """Wait until so many results are there, or the run has ended."""
    stop = time.monotonic() + seconds
    while time.monotonic() < stop and process.poll() is None and len(course.results()) < count:
        time.sleep(0.05)


def test_results_outlive_every_kill(course):
    """Ten kills, in turn of a worker and of the whole run, at random moments; then a rerun."""
    course("run", "two-link", "--workers", "2")
    quiet = content(course)
    assert len(quiet) == STUDENTS
    for path in (course.folder / "course" / "results" / "two-link").iterdir():
        path.unlink()
    rng, kills, runs = random.Random(7), 0, 0
    while kills < KILLS:
        if len(course.results()) >= STUDENTS - 2:  # begin again with some that are there already
            for path in sorted((course.folder / "course/results/two-link").glob("*.json"))[2:]:
                path.unlink()
        runs += 1
        process = grading_kit.start_as_user(course.argv("run", "two-link", "--workers", "2"), course.folder)
        wait_for(course, len(course.results()) + 1, process)
        time.sleep(rng.uniform(0.0, 1.0))
        workers = processes(course, r"spawn_main|forkserver")
        if kills % 3 < 2 and workers:
            os.kill(rng.choice(workers), signal.SIGKILL)
            kills += 1
            time.sleep(rng.uniform(0.2, 1.2))
        end(process)
        kills += 1
        for text in (course.folder / "course/results/two-link").glob("*.json"):
            assert text.read_text(encoding="utf-8").endswith("}"), "a result must be whole or not there"
    course("run", "two-link", "--workers", "2")
    assert content(course) == quiet
    time.sleep(0.5)
    assert processes(course, "bwrap|ipykernel|launch.py") == []


def test_a_worker_that_dies_costs_nothing(course):
    """The run goes on by itself: no rerun is needed."""
    quiet = content(course)
    for path in (course.folder / "course" / "results" / "two-link").iterdir():
        path.unlink()
    process = grading_kit.start_as_user(course.argv("run", "two-link", "--workers", "2"), course.folder)
    wait_for(course, 2, process)
    os.kill(random.Random(3).choice(processes(course, r"spawn_main|forkserver")), signal.SIGKILL)
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 0, said
    assert content(course) == quiet


def test_a_scheduler_elsewhere_may_die(course):
    """The run says so and ends; a rerun with another scheduler finishes, and the results are the same."""
    quiet = content(course)
    for path in (course.folder / "course" / "results" / "two-link").iterdir():
        path.unlink()
    started, tls = [], course.folder / "tls"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=grading",
            "-keyout", tls / "key.pem", "-out", tls / "cert.pem"]  # fmt: skip
    grading_kit.run_as_user(["mkdir", "-m", "700", tls], course.folder, check=True)
    grading_kit.run_as_user(make, course.folder, check=True)
    files = ["--tls-ca-file", tls / "cert.pem", "--tls-cert", tls / "cert.pem", "--tls-key", tls / "key.pem"]
    try:
        for attempt in range(2):
            file = course.folder / f"scheduler{attempt}.json"
            dask = [
                sys.executable,
                "-m",
                "distributed.cli.dask_scheduler",
                "--host",
                "127.0.0.1",
                "--port",
                "0",
                "--no-dashboard",
                "--protocol",
                "tls",
                *files,
            ]
            scheduler = grading_kit.start_as_user([*dask, "--scheduler-file", file], course.folder)
            started.append(scheduler)
            stop = time.monotonic() + 30
            while not file.exists() and time.monotonic() < stop:
                time.sleep(0.1)
            address = re.search(r"tls://[\d.]+:\d+", file.read_text(encoding="utf-8"))[0]
            dask = [
                sys.executable,
                "-m",
                "distributed.cli.dask_worker",
                address,
                "--nthreads",
                "1",
                "--nworkers",
                "2",
                *files,
            ]
            started.append(grading_kit.start_as_user([*dask, "--no-dashboard", "--death-timeout", "10"], course.folder))
            run = grading_kit.start_as_user(
                course.argv("run", "two-link", "--scheduler", address, "--tls", tls), course.folder
            )
            started.append(run)
            if attempt == 0:
                wait_for(course, 3, run)
                os.killpg(scheduler.pid, signal.SIGKILL)
            said, _ = run.communicate(timeout=120)
            if attempt == 0:
                assert run.returncode == 1 and "run again" in said, said
                assert 3 <= len(course.results()) < STUDENTS
        assert run.returncode == 0, said
        assert content(course) == quiet
    finally:
        for process in started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate(timeout=30)
