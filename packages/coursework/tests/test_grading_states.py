"""Every way a submission can end is named: a fault of the grader is no zero and is tried again, a wall limit is said."""

import shlex
import subprocess
import sys
import time

import grading_kit
import pytest

from coursework.grading.limits import Limits
from coursework.grading.watch import descendants, memory

RUN = """
import sys
from coursework.grading.course import Course
from coursework.grading.limits import Limits
from coursework.grading.run import run
if __name__ == "__main__":
    print(run(Course(sys.argv[1]), "two-link", workers=1, limits=Limits(**{sys.argv[2]: int(float(sys.argv[3]))})))
"""


@pytest.fixture(scope="module")
def course():
    """Ada answers right; Eve's cells are slow, one after another."""
    course = grading_kit.class_or_skip()
    (course.folder / "limited.py").write_text(RUN, encoding="utf-8")
    yield course
    course.remove()


def limited(course, name, value):
    argv = [sys.executable, course.folder / "limited.py", course.folder / "course", name, str(value)]
    return grading_kit.run_as_user(argv, course.folder, timeout=200, check=True).stdout


@pytest.mark.slow
def test_a_fault_of_the_grader_is_no_zero(course):
    """A kernel that does not start is nobody's mistake: the state says so, there is no score, a rerun grades."""
    course.take({"ada/x.ipynb": grading_kit.solved()})
    assert "'infrastructure fault': 1" in limited(course, "memory", 2e7)
    (result,) = course.results().values()
    assert "verdicts" not in result and "did not start" in result["notes"][0]
    assert "infrastructure fault" in course("status", "two-link").stdout
    course("run", "two-link")
    assert grading_kit.lost(course.by_student()["ada"]) == "" and course.by_student()["ada"]["state"] == "graded"


@pytest.mark.slow
def test_the_time_of_a_submission_has_an_end(course):
    """What was answered until then has its points, and the state says that not everything was run.

    A question whose own cells take it all has it once more when it is judged alone: that has an end, too.
    """
    right = "".join(grading_kit.cell_of(grading_kit.solved(), "velocity-terms")["source"])
    slow = grading_kit.with_answer("velocity-terms", f"import time\ntime.sleep(12)\n{right}")
    course.take({"eve/x.ipynb": slow})
    assert "'wall limit': 1" in limited(course, "submission", 6)
    result = course.by_student()["eve"]
    assert grading_kit.lost(result) == "velocity-terms find-the-error forward-dynamics holding-torque"
    assert "before velocity-terms: the time of a cell was over" in result["notes"]
    assert "its time was over" in " ".join(result["notes"])
    path = course.folder / "course" / "results" / "two-link" / f"{result['upload']}.json"
    before = path.stat().st_mtime_ns
    course("run", "two-link", "--submission", "6")
    assert path.stat().st_mtime_ns == before  # no more time, so nothing to do
    course("run", "two-link")  # more time is given: it runs to its end
    assert grading_kit.lost(course.by_student()["eve"]) == "" and course.by_student()["eve"]["state"] == "graded"


@pytest.mark.slow
def test_two_runs_at_a_time_are_refused(course):
    """The second says so, and harms nothing."""
    course.take({f"f{i}/x.ipynb": grading_kit.solved() for i in range(4)})
    first = grading_kit.start_as_user(course.argv("run", "two-link", "--workers", "1"), course.folder)
    time.sleep(3)
    second = course("run", "two-link", check=False)
    said, _ = first.communicate(timeout=120)
    assert first.returncode == 0, said
    assert second.returncode == 1 and "another command is at work" in second.stderr


def test_a_sandbox_is_measured_whole():
    """Memory and processes of all that a process has started, also of grandchildren."""
    code = "import subprocess, sys, time; b = bytearray(50 << 20); subprocess.Popen(['sleep', '20']); print('x', flush=True); time.sleep(20)"
    parent = subprocess.Popen(
        ["sh", "-c", f'{shlex.quote(sys.executable)} -c "{code}"; true'], stdout=subprocess.PIPE, text=True
    )
    try:
        parent.stdout.readline()
        below = descendants(parent.pid)
        assert len(below) == 2 and memory(below) > 50 << 20
    finally:
        for process in [*descendants(parent.pid), parent.pid]:
            subprocess.run(["kill", "-9", str(process)], check=False)
        parent.communicate()


def test_limits_are_the_same_everywhere():
    """They travel as data to workers."""
    assert Limits(**Limits(cell=3).as_dict()) == Limits(cell=3)


@pytest.mark.parametrize(
    ("outputs", "over"),
    [
        ([{"output_type": "error", "ename": "MemoryError", "evalue": "", "traceback": []}], True),
        ([{"output_type": "stream", "text": "Unexpected exception formatting exception.\nTraceback (most recent call last):\n"},
          {"output_type": "stream", "name": "stderr", "text": "  File ...\nMemoryError\n\nDuring handling of the above exception, ..."}], True),
        ([{"output_type": "stream", "name": "stderr", "text": "no MemoryError here\n"}], False),
        ([{"output_type": "stream", "name": "stdout", "text": "MemoryError\n"}], False),  # a student may print the word
        ([{"output_type": "error", "ename": "ValueError", "evalue": "MemoryError", "traceback": []}], False),
        ([], False),
    ],
)  # fmt: skip
def test_a_want_of_memory_is_seen_though_the_error_could_not_be_formatted(outputs, over):
    """Then plain Python prints it; the kernel is as full as ever, and a new one answers the other questions."""
    from coursework.grading.execute import out_of_memory

    assert out_of_memory(outputs) is over


def test_the_time_that_is_left_follows_the_pace_of_the_later_half(capsys):
    """Workers that start slowly, and a machine half of which is taken away from them, do not mislead it by a third."""
    from coursework.grading import run

    assert run.seconds_left([9.0 + i for i in range(7)], 40) is None
    steady = [12.0 + i for i in range(1, 11)]
    assert run.seconds_left(steady, 90) == pytest.approx(90)
    in_pairs = [12.0 + 2 * (i // 2) + 0.1 * (i % 2) for i in range(8)]
    assert run.seconds_left(in_pairs, 20) == pytest.approx(20, rel=1 / 3)
    half = steady + [22.0 + 2 * i for i in range(1, 11)]
    assert run.seconds_left(half, 40) == pytest.approx(80, rel=1 / 3)
    bar = run.Bar()
    for done, seconds in enumerate(steady, 1):
        bar(done, 20, {"graded": done}, seconds)
    said = capsys.readouterr().err.splitlines()
    assert said[0].endswith("2 of 20, 14 s: 2 graded")
    assert said[-1].endswith("10 of 20, 22 s, about 10 s left: 10 graded")
