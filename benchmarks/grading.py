"""Grading in a sandbox beside plain `nbgrader autograde`: CPU seconds a submission; a class, and ten classes, end to end.

Thirty honest submissions of the 2R assignment, the same files for both, in one run.  Plain nbgrader executes them in
this user's own environment, without a sandbox and without judging; here each runs in bubblewrap and is judged.
CPU seconds are those of all processes: what the system counts for a command and its children, and, as the system does
not see the processes of an ended sandbox, what each sandbox had used at its end.  Not as root: root changes to an
ordinary user, as in the tests.
"""

import argparse
import json
import os
import resource
import sys
import threading
import time
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "packages" / "coursework" / "tests"))

import grading_kit as kit  # noqa: E402

RESULT = ROOT / "benchmarks" / "results" / "grading.md"


def measured(command):
    """Run a function; return what it gives, its wall seconds and the CPU seconds of all children that ended in it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    value = command()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return value, time.monotonic() - started, sum(after[:2]) - sum(before[:2])


class Memory(threading.Thread):
    """Notes the largest memory of each Dask worker of a course while it runs, MB, and of each sandbox."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.folder = str(folder)
        self.most = {}
        self.over = threading.Event()

    def run(self):
        while not self.over.wait(0.5):
            for entry in Path("/proc").iterdir():
                if not entry.name.isdigit():
                    continue
                try:
                    words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                    home = (entry / "environ").read_bytes().decode(errors="replace")
                    resident = (
                        int((entry / "statm").read_text(encoding="utf-8").split()[1])
                        * os.sysconf("SC_PAGE_SIZE")
                        / 2**20
                    )
                except (OSError, ValueError, IndexError):
                    continue
                kind = "kernel" if "/opt/robotdyn/launch.py" in words and "bwrap" not in words else None
                if f"HOME={self.folder}" in home and "spawn_main" in words:
                    kind = "worker"
                if kind:
                    self.most[kind] = max(self.most.get(kind, 0), resident)


def submissions(count):
    """Notebooks of students who have everything right."""
    return {f"s{i:03d}/two-link.ipynb": kit.solved() for i in range(count)}


def plain(course, count):
    """The same submissions through nbgrader's own autograde."""
    home = course.folder / "course" / "nbgrader"
    for i in range(count):
        place = home / "submitted" / f"s{i:03d}" / "two-link"
        place.mkdir(parents=True, exist_ok=True)
        (place / "two-link.ipynb").write_text(json.dumps(kit.solved()), encoding="utf-8")
    kit.hand_over(home / "submitted")
    argv = [Path(sys.executable).parent / "nbgrader", "autograde", "two-link", "--course-dir", home]
    _, wall, cpu = measured(lambda: kit.run_as_user(argv, home, timeout=900, check=True))
    return wall, cpu


def ours(course, workers):
    """The command `run`; also the memory of its processes."""
    memory = Memory(course.folder)
    memory.start()
    _, wall, cpu = measured(lambda: course("run", "two-link", "--workers", str(workers), timeout=1800))
    memory.over.set()
    results = course.results().values()
    assert all(result["state"] == "graded" and kit.lost(result) == "" for result in results)
    return wall, cpu + sum(result["cpu_sandbox"] for result in results), memory.most


def forget(course):
    """Remove the results, so that the next run does all again."""
    for path in (course.folder / "course" / "results" / "two-link").iterdir():
        path.unlink()


def main():
    """Measure, print a table, and write it if everything was measured."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="six submissions, no class of 300; writes nothing")
    quick = options.parse_args().quick
    trouble = kit.sandbox_trouble()
    if trouble:
        print(f"not measured: {trouble}")
        return
    count = 6 if quick else 30
    course = kit.Class()
    other = kit.Class()
    try:
        course.take(submissions(count))
        wall_a, cpu_a = plain(other, count)
        wall_b, cpu_b, _ = ours(course, 1)
        lines = [
            "| | plain `nbgrader autograde` | this, in a sandbox, judged |",
            "|---|---|---|",
            f"| {count} submissions, one worker, wall s | {wall_a:.1f} | {wall_b:.1f} |",
            f"| CPU s a submission | {cpu_a / count:.2f} | {cpu_b / count:.2f} |",
            f"| ratio | 1 | {cpu_b / cpu_a:.2f} |",
        ]
        if not quick:
            forget(course)
            wall, _, most = ours(course, 2)
            lines += ["", f"A class of thirty, two workers, `run` from start to end: {wall:.0f} s."]
            forget(course)
            _, intake, _ = measured(lambda: course.take(submissions(300)))
            wall, cpu, most = ours(course, 2)
            lines += ["", f"Three hundred in one run, two workers: {wall:.0f} s, {cpu / 300:.2f} CPU s a submission."]
            words = {"merge": [], "feedback": [], "export": [course.folder / "table.csv"]}
            after = {step: measured(partial(course, step, "two-link", *words[step]))[1] for step in words}
            told = ", ".join(f"{step} {seconds:.0f} s" for step, seconds in {"intake": intake, **after}.items())
            lines += [f"Before and after it: {told}.", ""]
            lines += [
                f"Most memory: {most.get('worker', 0):.0f} MB a worker, {most.get('kernel', 0):.0f} MB a sandboxed kernel."
            ]
        text = "\n".join(lines)
        print(text)
        if not quick:
            RESULT.write_text(f"<!-- Written by benchmarks/grading.py. -->\n# Grading\n\n{text}\n", encoding="utf-8")
    finally:
        course.remove()
        other.remove()


if __name__ == "__main__":
    main()
