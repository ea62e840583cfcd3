"""Watches a sandbox from outside: memory of all its processes, their number, processor time, how many files it makes.

Limits inside hold for each process alone; this bound is for all of them.  A few reads of /proc, five times a second.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coursework.grading.limits import Limits

HELD = (b"RssAnon:", b"RssShmem:")  # lines of /proc/PID/status: pages of files that can be read again do not count
PATIENCE = 2.0  # times its own time that what is watched may wait for processors that others have
SHARES = (b"Pss_Anon:", b"Pss_Shmem:")


def descendants(pid: int | None) -> list[int]:
    """Return the ids of all processes below a process, in the order of their birth."""
    found: list[int] = []
    todo = [pid]
    while todo and len(found) < 5000:
        parent = todo.pop()
        try:
            threads = os.listdir(f"/proc/{parent}/task")
            for thread in threads:
                with open(f"/proc/{parent}/task/{thread}/children", encoding="ascii") as file:
                    children = [int(word) for word in file.read().split()]
                found += children
                todo += children
        except (OSError, ValueError):
            continue
    return found


def memory(pids: Iterable[int]) -> int:
    """Return the bytes that each process holds, summed: its own pages, and those that it maps to share with others."""
    return sum(_held(pid, "status", HELD) or 0 for pid in pids)


def shared_once(pids: Iterable[int]) -> int:
    """Return the same with what several share counted once: exact, and slow where much is held."""
    exact = {pid: _held(pid, "smaps_rollup", SHARES) for pid in pids}
    return sum(memory([pid]) if held is None else held for pid, held in exact.items())


def _held(pid: int | None, name: str, starts: tuple[bytes, ...]) -> int | None:
    """Return the sum, in bytes, of the lines of a file of /proc that begin so; None where it cannot be read."""
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:
            return sum(int(line.split()[1]) << 10 for line in file if line.startswith(starts))
    except (OSError, ValueError):
        return None


def cpu_seconds(pid: int | None) -> float:
    """Return the CPU seconds that a sandbox has used so far: its processes, and those that they saw end."""
    total = 0
    for process in [pid, *descendants(pid)]:
        try:
            with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
                total += sum(map(int, file.read().rpartition(")")[2].split()[11:15]))
        except (OSError, ValueError):
            continue
    return total / os.sysconf("SC_CLK_TCK")


def waited(pid: int | None) -> dict[tuple[int | None, str], float]:
    """Return how long each thread of a sandbox has waited for a processor, {(process, thread): seconds}."""
    found = {}
    for process in [pid, *descendants(pid)]:
        try:
            for thread in os.listdir(f"/proc/{process}/task"):
                with open(f"/proc/{process}/task/{thread}/schedstat", encoding="ascii") as file:
                    found[process, thread] = int(file.read().split()[1]) / 1e9
        except (OSError, ValueError, IndexError):  # gone, or a system that does not count this
            continue
    return found


def starved(pid: int | None, before: Mapping[tuple[int | None, str], float]) -> float:
    """Return the seconds for which others had the processor since waited(pid) was `before`: of its most patient thread.

    It is 0 once the sandbox has processes that it had not: these compete with each other, as a fork bomb does.  Threads of
    one process compete, too, and are not told apart from others: patience with them has an end.
    """
    now = waited(pid)
    if {process for process, _ in now} - {process for process, _ in before}:
        return 0.0
    return max((seconds - before.get(thread, 0.0) for thread, seconds in now.items()), default=0.0)


def exceeded_limit(
    pid: int | None, folders: Iterable[str], limits: Limits, seconds: float, spent: float = 0.0
) -> str | None:
    """Return what a sandbox does whose kernel has run for so many seconds, and that it may not, in words, or None.

    folders: those that it may write to, each a filesystem of its own; spent: CPU seconds of the kernels before.
    """
    below = descendants(pid)
    if len(below) > limits.processes:
        return "too many processes"
    if memory(below) > limits.memory and shared_once(below) > limits.memory:
        return "too much memory"
    if cpu_seconds(pid) - spent > limits.burst + limits.cores * seconds:
        return "too much processor time"  # others run on the same machine, against the clock
    if files(folders) > limits.files:
        return "too many files"
    return None


def files(folders: Iterable[str]) -> int:
    """Return how many files, deleted but open ones too, the filesystems of some folders hold."""
    count = 0
    for folder in folders:
        try:
            found = os.statvfs(folder)
        except OSError:
            continue
        count += found.f_files - found.f_ffree
    return count


def kill(pid: int) -> None:
    """End a sandbox and all that runs in it: with its first process the kernel of the system ends the others."""
    for process in [*reversed(descendants(pid)), pid]:
        try:
            os.kill(process, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue
