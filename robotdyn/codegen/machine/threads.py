"""Many states on every core:  the rows of a batch are shared out over threads, which run machine code side by side.

The lock of Python is let go of meanwhile.  The threads begin with the first batch that is long enough, and none outlives a fork.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import pairwise

# operations (one of W numbers each) that a thread must have to do before another one is worth waking: some 100 us of work
WORTH_A_THREAD = 500_000
MAX_THREADS = 256
_POOL: list[ThreadPoolExecutor] = []  # one, from the first long batch on; it begins no more threads than run at once


def available() -> int:
    """Return the number of cores that this process may use: OMP_NUM_THREADS, if set, or those the system gives it."""
    named = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    if named.isdigit() and int(named) > 0:
        return int(named)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run(part: Callable[[int, int], None], count: int, work: float, grain: int, threads: int | None = None) -> None:
    """Call part(first, last) for the rows 0 to count, in as many threads as there are cores and the work is worth.

    work: operations in all; grain: a part has so many rows at least; threads: at most so many, None: as many as `available`.
    Returns, or raises, when no thread computes any more.
    """
    share = int(work // WORTH_A_THREAD)
    if share > 1:
        share = min(share, available(), MAX_THREADS, threads or MAX_THREADS)
    if share < 2:
        part(0, count)
        return
    rows = -(-count // (share * grain)) * grain
    bounds = [*range(0, count - grain + 1, rows), count]
    others: list[Future[None]] = []
    try:
        for first, last in pairwise(bounds[1:]):
            try:
                others.append(_pool().submit(part, first, last))
            except RuntimeError:  # at the end of the process no thread begins
                part(first, last)
        part(0, bounds[1])
    finally:  # nobody may free an array that a thread still writes
        _wait(others)
    for other in others:
        other.result()


def _wait(others: Sequence[Future[None]]) -> None:
    """Wait for all, through Ctrl-C, which is raised afterward."""
    interrupted = None
    while not all(other.done() for other in others):
        try:
            wait(others)
        except KeyboardInterrupt as error:
            interrupted = error
    if interrupted is not None:
        raise interrupted


def _pool() -> ThreadPoolExecutor:
    if not _POOL:
        _POOL.append(ThreadPoolExecutor(MAX_THREADS, thread_name_prefix="robotdyn"))
    return _POOL[0]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_POOL.clear)
