"""Runs `make book` and `make test` where strangers keep their clones: other paths, users and homes, sources that are read-only.

A place holds a clone of this folder as it is now, with its own .venv; nothing outside of it is written but temporary files.
"""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bookbuild import ROOT
from bookbuild.lint import project_files
from bookbuild.outcomes import Outcome, last_line, parse_pytest_log

UNPRIVILEGED_USERS = ("robotdyn-tests", "nobody")  # users to run as, where the first exists; `.ci/run` makes it
PIP_SETTINGS = Path("~/.config/pip/pip.conf")  # pip's own settings, which the empty home hides


@dataclass(frozen=True)
class Place:
    """Where a clone lies and who works there.

    folder: its name. ordinary: as a user without rights. read_only: only the clone's top folder may be written, in which make
    puts .venv and _build; no file or folder that Git knows.
    home: "empty", "missing" (the variable names no folder) or "unset". terminal: whether there is one, and an input.
    """

    name: str
    why: str
    folder: str = "clone"
    ordinary: bool = False
    read_only: bool = False
    home: str = "empty"
    terminal: bool = True


PLACES = (
    Place("path", "a path with a space and letters outside ASCII", folder="Röbot Arm (ü), a copy"),
    Place(
        "user",
        "an ordinary user who may not write the sources, whose home does not exist, without a terminal",
        ordinary=True,
        read_only=True,
        home="missing",
        terminal=False,
    ),
    Place("no-home", "a service that has no variable HOME", home="unset", terminal=False),
)


def unprivileged_user() -> pwd.struct_passwd | None:
    """Return the user without rights as whom root can run the tests, or None."""
    for name in UNPRIVILEGED_USERS:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    return None


def missing_requirement(place: Place) -> str:
    """Return why this machine cannot have the place, or ""."""
    if not place.ordinary or os.geteuid():
        return ""
    if unprivileged_user() is None:
        return f"there is no user {' or '.join(UNPRIVILEGED_USERS)} on this machine"
    return (
        "" if shutil.which("setpriv") else "setpriv (of util-linux), which runs a command as another user, is missing"
    )


def clone(folder: Path) -> None:
    """Put the files of this folder as they are now there, in a repository of Git, as a clone would have them."""
    for path in project_files():
        copy = folder / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    name = ["-c", "user.name=robotdyn", "-c", "user.email=robotdyn@localhost"]
    for command in (["init", "-q"], ["add", "--all"], [*name, "commit", "-q", "-m", "A clone"]):
        subprocess.run(["git", *command], cwd=folder, check=True)


def prepare(place: Place, folder: Path) -> tuple[list[str], dict[str, str]]:
    """Make the place; return what runs a command as its user, and its environment."""
    clone(folder)
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER_", "IPYTHON", "MPLCONFIG"))
    }
    for name in (
        "MAKEFLAGS",
        "MAKELEVEL",
        "MFLAGS",
        "PYTHONPATH",
        "VIRTUAL_ENV",
        "XDG_CACHE_HOME",
    ):
        environment.pop(name, None)
    home = folder.parent / "home"
    if place.home == "empty":
        home.mkdir()
    environment |= {"HOME": str(home), "TMPDIR": str(folder.parent / "temporary")}
    if place.home == "unset":
        del environment["HOME"]
    (folder.parent / "temporary").mkdir()
    if PIP_SETTINGS.expanduser().is_file() and "PIP_CONFIG_FILE" not in environment:
        shutil.copy(PIP_SETTINGS.expanduser(), folder.parent / "pip.conf")
        environment["PIP_CONFIG_FILE"] = str(folder.parent / "pip.conf")
    if place.read_only:
        subprocess.run(["chmod", "-R", "a-w,a+rX", *folder.iterdir()], check=True)
    other = unprivileged_user() if place.ordinary and not os.geteuid() else None
    if other is None:
        return [], environment
    folder.parent.chmod(0o755)
    for own in (folder, folder.parent / "temporary"):
        os.chown(own, other.pw_uid, other.pw_gid)
    environment |= {"USER": other.pw_name, "LOGNAME": other.pw_name}
    rights = [f"--reuid={other.pw_uid}", f"--regid={other.pw_gid}", "--clear-groups"]
    return ["setpriv", *rights, "--"], environment


def run_in_place(place: Place, commands: list[list[str]], output: Path) -> Outcome:
    """Run the commands there, the last of which runs pytest; what they say goes to the file. The place is removed."""
    if reason := missing_requirement(place):
        return Outcome(place.name, missing_requirement=reason)
    with tempfile.TemporaryDirectory(prefix="robotdyn-") as above:
        folder = Path(above) / place.folder
        folder.mkdir()
        start = time.monotonic()
        try:
            return _run(place, folder, commands, output, start)
        finally:
            subprocess.run(["chmod", "-R", "u+w", above], check=True)


def _run(place: Place, folder: Path, commands: list[list[str]], output: Path, start: float) -> Outcome:
    as_user, environment = prepare(place, folder)
    code = 0
    for number, command in enumerate(commands):
        code = _run_logged(place, [*as_user, *command], folder, environment, output, "wb" if number == 0 else "ab")
        if code and number < len(commands) - 1:
            return Outcome(place.name, problem=f"{' '.join(command)} ends with code {code}: {last_line(output)}")
    return parse_pytest_log(place.name, output, code, time.monotonic() - start)


def _run_logged(
    place: Place, command: list[str], folder: Path, environment: Mapping[str, str], output: Path, mode: str
) -> int:
    if not place.terminal:
        command = ["sh", "-c", 'exec "$@" <&-', "sh", *command]
    with output.open(mode) as file:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=not place.terminal,
            check=False,
        )
    return done.returncode
