"""Executes the notebooks of the book into the cache that the build reads, several at a time, and says how far it is.

Kernels are spoken to through sockets in a folder of their own, not through TCP ports: a port that is free when it is chosen
may be taken when the kernel binds it.
"""

import functools
import os
import shutil
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import TYPE_CHECKING

from bookbuild.forked_kernels import use_forked_kernels

if TYPE_CHECKING:
    from jupyter_cache.cache.main import JupyterCacheBase
    from jupyter_cache.executors.utils import ExecutionResult
    from jupyter_client.manager import AsyncKernelManager

TIMEOUT = 120  # s for a cell, as in _config.yml


def jobs() -> int:
    """Return how many notebooks run at a time: JOBS of make, or the cores there are."""
    asked = os.environ.get("JOBS", "")
    return int(asked) if asked.isdigit() and int(asked) else os.cpu_count() or 1


@functools.cache
def kernel_manager_class() -> "type[AsyncKernelManager]":
    """Return a class of kernel managers whose sockets are files in a temporary folder; no other process can take their place."""
    from jupyter_client.manager import AsyncKernelManager
    from traitlets import default

    folder = tempfile.TemporaryDirectory(prefix="robotdyn-")

    class SocketKernelManager(AsyncKernelManager):
        sockets = folder  # removed with the class, at the end of the process

        @default("transport")
        def _transport(self) -> str:
            return "ipc"

        @default("ip")
        def _ip(self) -> str:
            return f"{folder.name}/{uuid.uuid4().hex[:12]}"

    return SocketKernelManager


def cached(cache: "JupyterCacheBase", path: Path) -> bool:
    """Return whether the cache holds the outputs of these very cells."""
    try:
        cache.match_cache_file(str(path))
    except KeyError:
        return False
    return True


def execute(paths: list[Path], cache_folder: Path, say: Callable[[str, bool], None]) -> None:
    """Run the notebooks that the cache lacks, the longest first; the build itself tells of those that fail."""
    from jupyter_cache import get_cache
    from jupyter_cache.executors.utils import create_cache_bundle

    cache = get_cache(cache_folder)
    todo = [path for path in paths if not cached(cache, path)]
    todo.sort(key=lambda path: path.stat().st_size, reverse=True)
    if len(todo) < 2:
        return
    records = {path: cache.get_project_notebook(cache.add_nb_to_project(str(path)).pk) for path in todo}
    use_forked_kernels()
    begun = time.monotonic()
    with ThreadPoolExecutor(jobs()) as pool:
        running = {pool.submit(run, record.nb, path.parent): path for path, record in records.items()}
        for count, done in enumerate(as_completed(running), 1):
            path = running[done]
            result = done.result()
            if result.err is None:
                bundle = create_cache_bundle(records[path], result.cwd, None, result.time, result.exc_string)
                cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
            say(f"{count} of {len(todo)} notebooks have run, {path.stem} in {result.time:.0f} s", False)
    say(f"all {len(todo)} notebooks have run, in {time.monotonic() - begun:.0f} s", True)


def run(notebook: object, folder: Path) -> "ExecutionResult":
    """Run one notebook in place, by a kernel of its own that works in a folder."""
    from jupyter_cache.executors.utils import single_nb_execution

    return single_nb_execution(notebook, str(folder), TIMEOUT, False, kernel_manager_class=kernel_manager_class())


class Progress:
    """Lines of progress: each over the one before on a terminal; in a log one now and then, so that it stays short."""

    SECONDS = 20.0  # between two lines of a log

    def __init__(self) -> None:
        self.printed = 0.0

    def __call__(self, sentence: str, last: bool = False) -> None:
        """Print what is done now; the last line of a step stays."""
        if sys.stdout.isatty():
            width = shutil.get_terminal_size().columns - 3
            print(f"\r\033[K  {sentence[:width]}", end="\n" if last else "", flush=True)
        elif last or time.monotonic() - self.printed > self.SECONDS:
            self.printed = time.monotonic()
            print(f"  {sentence}", flush=True)
