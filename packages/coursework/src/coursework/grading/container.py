"""Grades in a Linux container where bubblewrap is missing, as on macOS: the same run, with the same sandbox inside it.

The kernel's sockets are files, which no virtual machine shares with its host: so the whole run goes into the container,
not the kernel alone.  It has no network, a read-only system, no capabilities, and of this machine the course alone.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from coursework.grading import sandbox

ENGINES = ("podman", "docker")
PLACE = "/course"
RUN_OPTIONS = ["run", "--rm", "--network", "none", "--read-only", "--cap-drop", "all", "--pids-limit", "4096",
         "--tmpfs", "/tmp:rw,mode=1777", "--env", "HOME=/tmp", "--workdir", "/tmp"]  # fmt: skip
NAMESPACE_OPTIONS = [
    "--security-opt",
    "seccomp=unconfined",
    "--security-opt",
]  # bubblewrap makes namespaces and a /proc of its own


def run(course: Path, options_and_image: str, words: Sequence[str], user: str | None = None) -> int:
    """Run `run` with these words in a container; return its exit code.

    options_and_image: the name of an image; an engine's own options may stand before it.  user: started as root, who grades in the container.
    Raises ValueError where there is nothing to grade in.
    """
    ids = ids_of(user)
    engine = next((name for name in ENGINES if shutil.which(name)), None)
    if engine is None:
        raise ValueError(f"--container needs one of the commands {' and '.join(ENGINES)}, got none: install podman")
    if engine == "podman" and _is_rootless(ids) and shutil.which("newuidmap") is None:
        raise ValueError("podman needs the command newuidmap for an ordinary user: apt install uidmap")
    if not options_and_image.strip():
        raise ValueError("--container must name an image, got none: the teachers' guide tells how to make one")
    if not (course / "course.json").is_file():
        raise FileNotFoundError(f"there is no course in {course}: name it by --course, or `release` first")
    if ":" in str(course.resolve()):
        raise ValueError(f"--course must have no colon in its path with --container, got {course.resolve()}")
    sys.stdout.flush()
    return subprocess.run(command(engine, course.resolve(), options_and_image, words, ids), check=False).returncode


def ids_of(user: str | None) -> tuple[int, int]:
    """Return the ids of user and group who grade: mine, or those of a named user where root starts the container."""
    if not hasattr(os, "getuid"):
        return 1000, 1000
    if user is None:
        sandbox.refuse_root()
        return os.getuid(), os.getgid()
    return sandbox.user_entry(user)[2:4]


def command(engine: str, course: Path, options_and_image: str, words: Sequence[str], ids: tuple[int, int]) -> list[str]:
    """Return the argv of the container."""
    own = {"podman": ["unmask=ALL"], "docker": ["systempaths=unconfined"]}[engine]
    if engine == "podman" and _is_rootless(ids):
        own += ["--userns", "keep-id"]
    argv = [
        engine,
        *RUN_OPTIONS,
        *NAMESPACE_OPTIONS,
        *own,
        "--user",
        f"{ids[0]}:{ids[1]}",
        "--volume",
        f"{course}:{PLACE}",
    ]
    return [*argv, *shlex.split(options_and_image), "python3", "-m", "coursework", "run", "--course", PLACE, *words]


def _is_rootless(ids: tuple[int, int]) -> bool:
    """Return whether the container is rootless: who grades in it is who starts it."""
    return ids[0] == getattr(os, "getuid", lambda: None)()
