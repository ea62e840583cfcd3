"""Watches a sandbox from outside: memory of all its processes, their number, the one folder that it may write to.

Limits inside hold for each process alone; this bound is for all of them.  A few reads of /proc, five times a second.
"""

import os
import signal
import stat

PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
SOCKETS = 16  # files that a kernel's folder may hold
SMALL = 1 << 16  # bytes that its connection file may have


def descendants(pid):
    """Return the ids of all processes below a process, in the order of their birth."""
    found, todo = [], [pid]
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


def memory(pids):
    """Return the bytes that the processes hold together; what they share by forking is counted once at most twice."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/statm", encoding="ascii") as file:
                _, resident, shared, *_ = map(int, file.read().split())
            total += (resident - shared) * PAGE
        except (OSError, ValueError):
            continue
    return total


def cpu_seconds(pid):
    """Return the CPU seconds that a sandbox has used so far: its processes, and those that they saw end."""
    total = 0
    for process in [pid, *descendants(pid)]:
        try:
            with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
                total += sum(map(int, file.read().rpartition(")")[2].split()[11:15]))
        except (OSError, ValueError):
            continue
    return total / os.sysconf("SC_CLK_TCK")


def trespass(pid, folder, limits):
    """Return what a sandbox does that it may not, in words, or None."""
    below = descendants(pid)
    if len(below) > limits.processes:
        return "too many processes"
    if memory(below) > limits.memory:
        return "too much memory"
    try:
        with os.scandir(folder) as entries:
            for count, entry in enumerate(entries, start=1):
                status = entry.stat(follow_symlinks=False)
                plain = stat.S_ISREG(status.st_mode) and status.st_size <= SMALL
                if count > SOCKETS or not (plain or stat.S_ISSOCK(status.st_mode)):
                    return "files where none belong"
    except OSError:
        return "the folder of the connection is gone"
    return None


def kill(pid):
    """End a sandbox and all that runs in it: with its first process the kernel of the system ends the others."""
    for process in [*reversed(descendants(pid)), pid]:
        try:
            os.kill(process, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue
