"""Many states on every core:  the rows of a batch are shared out over threads, which run machine code side by side.

The lock of Python is let go of meanwhile.  The threads begin with the first batch that is long enough, and none outlives a fork.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait

# operations (one of W numbers each) that a thread must have to do before another one is worth waking: some 50 us of work
WORTH_A_THREAD = 250_000
_POOLS: dict[int, ThreadPoolExecutor] = {}


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

    work: operations in all; grain: rows that stay together; threads: at most so many, None: as many as `available`.
    """
    share = min(available() if threads is None else threads, int(work // WORTH_A_THREAD))
    if share < 2:
        part(0, count)
        return
    rows = -(-count // (share * grain)) * grain
    pool = _pool(share - 1)
    others = [pool.submit(part, first, min(first + rows, count)) for first in range(rows, count, rows)]
    try:
        part(0, rows)
    finally:  # nobody may free an array that a thread still writes
        wait(others)
    for other in others:
        other.result()


def _pool(threads: int) -> ThreadPoolExecutor:
    if threads not in _POOLS:
        _POOLS[threads] = ThreadPoolExecutor(threads, thread_name_prefix="robotdyn")
    return _POOLS[threads]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_POOLS.clear)
