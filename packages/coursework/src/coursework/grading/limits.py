"""What one submission may use: one place for every number of the sandbox and of its executor."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

MB = 1 << 20


# where: change the memory, the time or the size that a graded notebook may use
# seconds also by the options `--cell` and `--submission` of the command `run`
@dataclass(frozen=True)
class Limits:
    """Bounds of one submission; seconds are wall time.

    cell, submission: seconds; start: seconds until a kernel answers; grace: seconds to obey an interrupt;
    restarts: kernels after the first; memory: bytes that all its processes may hold; space: bytes of the files of each
    folder that it may write to; files: how many it may make;
    cores, burst: a submission may use so many seconds of processors a second of wall time, and `burst` s more;
    processes: with threads; output: bytes kept; flood: bytes after which a cell is stopped; message: bytes of one.
    """

    cell: float = 30.0
    submission: float = 240.0
    start: float = 60.0
    grace: float = 3.0
    restarts: int = 24
    cores: float = 2.0
    burst: float = 20.0
    memory: int = 1500 * MB
    space: int = 64 * MB
    files: int = 10_000
    processes: int = 48
    output: int = 2 * MB
    flood: int = 96 * MB
    message: int = 4 * MB

    def as_dict(self) -> dict[str, Any]:
        """Return the limits as a dict, for the command line and for other processes."""
        return asdict(self)
