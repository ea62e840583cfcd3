"""Where compiled programs are kept between sessions: one file of source each, beside it what Numba made of it.

A file has the hash of its source and of the versions that compile it in its name: another version, another file.  It
appears whole or not at all, whoever writes at the same time.  The folder can be deleted whenever nobody computes.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
import threading
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def cache_folder() -> Path:
    """Return the folder of the cache: ROBOTDYN_CACHE_DIR, or the place that the operating system has for caches."""
    if named := os.environ.get("ROBOTDYN_CACHE_DIR"):
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", "~")).expanduser() / "robotdyn" / "cache"
    if sys.platform == "darwin":
        return Path("~/Library/Caches/robotdyn").expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "robotdyn"


def load(source: str, name: str, versions: Sequence[str]) -> Any:
    """Return the module of a source, compiled now or read from the cache; versions: of what compiles it.

    Compiling takes seconds, so it says so: one line on stderr, unless ROBOTDYN_PROGRESS=0.
    """
    digest = hashlib.sha256("\n".join([source, *versions]).encode()).hexdigest()[:24]
    with _LOCK, contextlib.suppress(OSError, RuntimeError):  # a folder nobody may write, no home, a full disk
        path = _write_atomically(source, cache_folder() / f"{name}_{digest}.py")
        if f"robotdyn_{path.stem}" not in sys.modules and not any(
            (path.parent / "__pycache__").glob(f"{path.stem}.*.nbc")
        ):
            _announce(f"{name} once", f" (kept for later sessions in {path.parent})")
        try:
            return _execute(f"robotdyn_{path.stem}", str(path), source)
        except Exception:  # a file in the cache is damaged: once more, from the source
            for damaged in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
                damaged.unlink(missing_ok=True)
            return _execute(f"robotdyn_{path.stem}", str(path), source)
    with _LOCK:  # compile for this session alone
        if f"robotdyn_{name}_{digest}" not in sys.modules:
            _announce(f"{name} for this session", "")
        return _execute(f"robotdyn_{name}_{digest}", "<robotdyn>", source.replace("cache=True", "cache=False"))


_LOCK = threading.Lock()


def _announce(program: str, kept: str) -> None:
    if os.environ.get("ROBOTDYN_PROGRESS") != "0":
        line = f"robotdyn: compiling {program}, which takes seconds; it then runs many times as fast{kept}"
        print(line, file=sys.stderr, flush=True)


def _write_atomically(source: str, path: Path) -> Path:
    """Write the file unless it is there, whole: under another name first, which then becomes its own."""
    if path.is_file() and path.read_bytes() == source.encode():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, partial = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf8", newline="\n") as file:
            file.write(source)
        os.utime(partial, (1e9, 1e9))  # the same source, the same time: whoever asks for it sees the same file
        os.replace(partial, path)
    except BaseException:  # Ctrl-C, too
        Path(partial).unlink(missing_ok=True)
        raise
    return path


def _execute(name: str, filename: str, source: str) -> Any:
    """Return the module of a source, which stands in sys.modules while and after it runs: Numba looks there."""
    if name in sys.modules:
        return sys.modules[name]
    module = sys.modules[name] = types.ModuleType(name)
    module.__file__ = filename
    try:
        exec(compile(source, filename, "exec"), module.__dict__)
    except BaseException:
        del sys.modules[name]
        raise
    return module
