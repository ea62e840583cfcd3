"""Grades all that is not graded yet: one Dask task a submission, atomic results, to be stopped and run again at will."""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coursework.grading import sandbox
from coursework.grading.beside import used
from coursework.grading.course import FAULT, FINAL
from coursework.grading.folders import scratch
from coursework.grading.limits import Limits
from coursework.grading.task import grade

if TYPE_CHECKING:
    from coursework.grading.aliases import Line, Progress, Result
    from coursework.grading.course import Course

TRIES = 2  # more tries of a submission after a fault of the grader
FEWEST, SHORTEST = 8, 5.0  # results, from which the time of the rest is told; seconds, of which it is not


def run(
    course: Course,
    assignment: str,
    workers: int | None = None,
    scheduler: str | None = None,
    limits: Limits | None = None,
    words: str = "",
    report: Progress | None = None,
    again: bool = False,
    tls: Path | None = None,
) -> dict[str, int]:
    """Grade what lacks a final result; return {state: count} of the whole assignment.

    workers: processes on this machine; scheduler: the address of a Dask scheduler in their place; tls: a folder with the
    cert.pem and key.pem that it has.
    again: also what has a result made with another key, or for want of a module.  What ended by the wall limit runs again if limits give it
    more time.  Raises sandbox.NoSandbox rather than grade unsafely.
    """
    sandbox.check(words)
    report = report or Bar()
    limits = limits or Limits()
    with course.locked():
        todo = prepare(course, assignment, again, limits)
        if todo and words != sandbox.IN_WORDS and not scheduler:
            sandbox.prove(course.hidden)
        if todo:
            with _client(workers or min(os.cpu_count() or 1, len(todo)), scheduler, tls) as client:
                _all(client, course, assignment, todo, limits, words, report, bool(scheduler))
    return states(course, assignment)


def prepare(course: Course, assignment: str, again: bool = False, limits: Limits | None = None) -> list[Line]:
    """Settle what needs no kernel (unreadable, superseded); return the lines that do, without a final result."""
    key = course.key(assignment)
    chosen = {line["upload"]: student for student, line in course.chosen(assignment).items()}
    winners = course.chosen(assignment)
    todo = []
    for line in course.ledger(assignment):
        old = course.result(line)
        if line["upload"] not in chosen:
            by = winners[line["student"]]["upload"]
            new = {"state": "superseded", "notes": [f"the newer upload {by} counts"]}
            if not line["readable"]:
                new = {"state": "unreadable", "notes": [f"{line['why']}; upload {by} counts"]}
        elif not line["readable"]:
            new = {"state": "unreadable", "notes": [line["why"]]}
        else:
            if old is None or _runs_again(old, key.fingerprint, again, limits or Limits()):
                todo.append(line)
            continue
        new |= _line_fields(line)
        if new != old:
            course.enter_result(line, new)
    return todo


def _line_fields(line: Line) -> Result:
    """Return what a result holds of its line."""
    kept = {name: line[name] for name in ("upload", "assignment", "student", "sha")}
    return kept | ({"files": files} if (files := used(line)) else {})


def _runs_again(old: Result, fingerprint: str, again: bool, limits: Limits) -> bool:
    """Return whether what has a result runs again: it is not final, or another key, a module or more time is there now."""
    if old["state"] not in FINAL or old["state"] == "superseded":
        return True
    other = old.get("key") != fingerprint or "wanted" in old
    return (again and other) or _more_time(old, limits)


def _more_time(old: Result, limits: Limits) -> bool:
    """Return whether a submission whose time was over would now have more."""
    return old["state"] == "wall limit" and limits.submission > old.get("allowed", Limits().submission)


def states(course: Course, assignment: str) -> dict[str, int]:
    """Return {state: count} over all uploads of an assignment; what has no result yet is "waiting"."""
    count: dict[str, int] = {}
    for line in course.ledger(assignment):
        state = (course.result(line) or {"state": "waiting"})["state"]
        count[state] = count.get(state, 0) + 1
    return count


def _all(
    client: Any,
    course: Course,
    assignment: str,
    todo: Sequence[Line],
    limits: Limits,
    words: str,
    report: Progress,
    elsewhere: bool,
) -> None:
    """Send the tasks, a few a worker at a time, and write each result as it comes."""
    from distributed import as_completed

    text = course.key(assignment).to_json()
    waiting = list(reversed(todo))
    tries: dict[str, int] = {}
    count: dict[str, int] = {}
    lines = {}
    done = 0
    started = time.monotonic()

    def send() -> Any:
        line = waiting.pop()
        task = {"line": line, "raw": course.raw_path(line["sha"]).read_bytes(), "key": text,
                "limits": limits.as_dict(), "sandboxed": words != sandbox.IN_WORDS, "hidden": course.hidden,
                "files": {file: course.raw_path(sha).read_bytes() for file, sha in used(line)}, "elsewhere": elsewhere}  # fmt: skip
        name = f"grade-{line['upload']}-{tries.get(line['upload'], 0)}-{os.getpid()}"
        future = client.submit(grade, task, key=name, pure=False, retries=0)
        lines[future.key] = line
        return future

    workers = len(client.scheduler_info(n_workers=-1)["workers"])
    if not workers:
        print("The scheduler has no workers yet: start some with its address, this waits for them.", file=sys.stderr)
    flight = max(4, 3 * workers)
    queue = as_completed([send() for _ in range(min(flight, len(waiting)))])
    for future in queue:
        line = lines.pop(future.key)
        try:
            result = future.result(timeout=60)
        except Exception as error:
            if _lost(client, future):
                raise ConnectionError("the Dask scheduler is gone; all results so far are kept: run again") from error
            tries[line["upload"]] = tries.get(line["upload"], 0) + 1
            if tries[line["upload"]] <= TRIES:
                waiting.append(line)
                queue.add(send())
                continue
            result = _line_fields(line)
            result |= {"state": FAULT, "notes": [f"{type(error).__name__}: {error}"[:500]]}
        future.release()
        course.enter_result(line, result)
        done += 1
        count[result["state"]] = count.get(result["state"], 0) + 1
        report(done, len(todo), count, time.monotonic() - started)
        if waiting:
            queue.add(send())


def _lost(client: Any, future: Any) -> bool:
    return client.status not in ("running",) or future.status in ("cancelled", "lost")


def _client(workers: int, scheduler: str | None, tls: Path | None) -> Any:
    """Return a Dask client: of a cluster on this machine, or of a scheduler elsewhere; both speak TLS alone.

    Whoever could speak to a scheduler could run code as its owner: on this machine the key is made for the run.
    """
    import dask
    from distributed import Client, LocalCluster
    from distributed.security import Security

    dask.config.set({"distributed.scheduler.allowed-failures": 3, "distributed.admin.system-monitor.gil.enabled": False,
                     "distributed.comm.timeouts.connect": "10s", "distributed.admin.large-graph-warning-threshold": "1GB", "temporary-directory": str(scratch() / "dask"),
                     "distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []})  # fmt: skip
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    if scheduler:
        return Client(scheduler, timeout=20, security=security(scheduler, tls))
    cluster = LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1",
        memory_limit=0, silence_logs=logging.CRITICAL, local_directory=str(scratch() / "dask"),
        protocol="tls://", security=Security.temporary(), scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
    )  # fmt: skip
    return _Both(cluster)


def security(scheduler: str, tls: Path | None) -> Any:
    """Return what a client needs to speak TLS with a scheduler; raise ValueError where anybody could speak to it."""
    from distributed.security import Security

    if not scheduler.startswith("tls://") or tls is None:
        raise ValueError(
            f"--scheduler must have an address tls://... and --tls a folder with cert.pem and key.pem, got {scheduler}: "
            "whoever reaches a scheduler without TLS runs code as you. The teachers' guide makes the two files."
        )
    cert, key = (Path(tls, name).resolve() for name in ("cert.pem", "key.pem"))
    for path in (cert, key):
        if not path.is_file():
            raise ValueError(f"--tls must name a folder with cert.pem and key.pem, and {path} is not there")
    return Security(tls_ca_file=str(cert), tls_client_cert=str(cert), tls_client_key=str(key), require_encryption=True)


class _Both:
    """A client and its own cluster, opened and closed together."""

    def __init__(self, cluster: Any) -> None:
        self.cluster = cluster

    def __enter__(self) -> Any:
        from distributed import Client

        self.client = Client(self.cluster, security=self.cluster.security)
        return self.client

    def __exit__(self, *error: object) -> None:
        self.client.close()
        self.cluster.close()


class Bar:
    """Prints how far a run is, and how long the rest may take: a bar on a terminal, a line now and then elsewhere."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def __call__(self, done: int, whole: int, count: Mapping[str, int], seconds: float) -> None:
        """Print it after one more result."""
        self.times.append(seconds)
        bar = "#" * (30 * done // whole)
        words = ", ".join(f"{number} {state}" for state, number in sorted(count.items()))
        rest = seconds_left(self.times, whole - done)
        left = f", about {rest:.0f} s left" if rest and rest > SHORTEST else ""
        text = f"[{bar:<30}] {done} of {whole}, {seconds:.0f} s{left}: {words}"
        if sys.stderr.isatty():
            print(f"\r{text:<100}", end="\n" if done == whole else "", file=sys.stderr, flush=True)
        elif done == whole or done % max(1, whole // 10) == 0:
            print(text, file=sys.stderr, flush=True)


def seconds_left(times: Sequence[float], more: int) -> float | None:
    """Return how long so many more results may take, None while too few are there to say it.

    times: when each came, in seconds.  The pace is that of the later half: workers start slowly, a machine gets busy.
    It is that of FEWEST at least: of two workers two results come at a time.
    """
    if len(times) < FEWEST:
        return None
    first = max(0, min(len(times) // 2 - 1, len(times) - FEWEST))
    return more * (times[-1] - times[first]) / (len(times) - 1 - first)
