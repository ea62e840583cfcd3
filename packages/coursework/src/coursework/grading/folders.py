"""The folders in which kernels live: where they are, how one is removed, how those of killed workers are."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

PREFIX = "robotdyn-kernel-"


def scratch() -> Path:
    """Return the private folder of this user in which kernels live; ipc sockets need a short path."""
    folder = Path(tempfile.gettempdir()) / f"rdg-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to someone else: set TMPDIR to a folder of your own")
    return folder


def remove(folder: Path) -> None:
    """Remove a folder, whatever a notebook made of it: closed folders, or thousands one in another; follow no links."""
    with contextlib.suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if os.path.lexists(folder):
        for words in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
            subprocess.run([*words, "--", folder], capture_output=True, check=False)


def sweep(age: float = 60.0) -> int:
    """Remove folders older than `age` s whose owner is gone (a killed worker leaves them); follow no links."""
    gone = 0
    for lock in scratch().glob(f"{PREFIX}*.lock"):
        try:
            if time.time() - lock.stat().st_mtime < age:
                continue
            handle = os.open(lock, os.O_RDWR)
        except OSError:
            continue
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue
        else:
            remove(lock.with_suffix(""))
            lock.unlink(missing_ok=True)
            gone += 1
        finally:
            os.close(handle)
    return gone
