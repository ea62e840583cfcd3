"""The sandbox as a command: bubblewrap around a kernel, without network, on a read-only system of its own.

Visible inside: the system's programs and libraries, the interpreter and its packages, the library, the checks with what
is given to a student; no laws of a question, which are asked elsewhere.  It may write to four folders, each of limited
size, all in memory and its own: this machine shares no folder with it, and reaches its sockets through /proc.  Not
visible: home folders, the course, keys, the gradebook, nbgrader's exchange, other processes.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coursework.check.session import assignment_files, assignment_folders
from coursework.grading import seccomp

if TYPE_CHECKING:
    from coursework.grading.limits import Limits

HOME = "/home/student"
LIBRARY = "/opt/robotdyn"
SOCKETS = "/run/kernel"
WRITABLE = ("/tmp", HOME, "/dev/shm", SOCKETS)
SYSTEM = ("/bin", "/sbin", "/lib", "/lib64", "/lib32", "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib64", "/usr/lib32",
          "/usr/share/fonts", "/usr/share/zoneinfo", "/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts")  # fmt: skip
PARTS = (
    "bin",
    "lib",
    "lib32",
    "lib64",
    "pyvenv.cfg",
)  # of the folder of an interpreter: what else lies there may be a course
IN_WORDS = "students' code may do all that I may do"


class NoSandbox(RuntimeError):
    """Grading is refused; the sentence says why, and how to go on."""


def refuse_root() -> None:
    """Raise NoSandbox for root: on the teacher's machine, and on every worker."""
    if os.name == "posix" and os.geteuid() == 0:
        raise NoSandbox(
            "Grading as root is refused: limits on processes do not hold for root. "
            "Run the same command as an ordinary user, or let it change to one: --user NAME."
        )


def user_entry(user: str) -> Any:
    """Return what the system knows of a user by name; raise ValueError if it knows none."""
    import pwd

    try:
        return pwd.getpwnam(user)
    except KeyError:
        raise ValueError(f"--user must name a user of this machine, got {user}") from None


def check(words: str = "") -> None:
    """Raise NoSandbox for root, and where bubblewrap is missing or does not work, unless told so in words."""
    refuse_root()
    if words == IN_WORDS:
        return
    if words:
        raise NoSandbox(f'Grading without a sandbox needs these words: --without-sandbox "{IN_WORDS}".')
    reason = trouble()
    if reason:
        raise NoSandbox(
            f"Grading needs the sandbox bubblewrap, and {reason}. On Debian or Ubuntu: apt install bubblewrap. "
            "On macOS or Windows grade in a Linux container, --container IMAGE, or virtual machine (see the teachers' guide). "
            f'To grade code that you trust without a sandbox: --without-sandbox "{IN_WORDS}".'
        )


def trouble() -> str | None:
    """Return why bubblewrap cannot be used here, or None."""
    if shutil.which("bwrap") is None:
        return "the command bwrap is not installed"
    probe = ["bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--proc", "/proc", "true"]
    done = subprocess.run(probe, capture_output=True, text=True, timeout=20, check=False)
    return None if done.returncode == 0 else f"bwrap does not work here: {done.stderr.strip()[:200]}"


def command(
    limits: Limits,
    connection: Path,
    fonts: Path | None = None,
    hidden: Sequence[str] = (),
    beside: Mapping[str, Path] | None = None,
    imports: str = "",
) -> list[str]:
    """Return the argv of a sandbox that makes kernels, see kernel_launch.

    connection: Jupyter's connection file; fonts: Matplotlib's font list; hidden: files and folders that are covered
    where they lie in something visible; beside: {name: path} of files that a notebook finds beside it, and cannot change;
    imports: statements of the given cells, of no student.
    """
    launch = [sys.executable, "-s", "-P", f"{LIBRARY}/launch.py"]
    launch += map(str, (limits.processes, limits.memory, limits.space // 2, int(limits.submission)))
    launch += [":".join(WRITABLE), imports]
    launch += ["-f", f"{SOCKETS}.json", "--HistoryManager.enabled=False", "--IPKernelApp.log_level=ERROR"]
    shown = ["--ro-bind", str(connection), f"{SOCKETS}.json"]
    if fonts:
        shown += ["--ro-bind", str(fonts), f"{HOME}/.matplotlib/{Path(fonts).name}"]
    for name, path in (beside or {}).items():
        shown += ["--ro-bind", str(path), f"{HOME}/{name}"]
    return [*bound(limits), *walls(limits.space, hidden, shown), *launch]


# where: see what a graded notebook can read, write or reach
# nothing of the network; system calls: `coursework/grading/seccomp.py`; tried by `test_grading_walls.py` and
# `test_grading_attacks.py` in `packages/coursework/tests`
def walls(space: int, hidden: Sequence[str] = (), shown: Sequence[str] = ()) -> list[str]:
    """Return bubblewrap's words: what a sandbox sees and may write to."""
    argv = ["bwrap", "--die-with-parent", "--unshare-all", "--unshare-user", "--disable-userns", "--new-session"]
    argv += ["--as-pid-1"]  # without it bubblewrap's own process inside, to which no limits hold, could be taken over
    argv += ["--hostname", "sandbox", "--cap-drop", "ALL", "--clearenv"]
    system, own = ([path for path in paths if os.path.exists(path)] for paths in (SYSTEM, interpreter()))
    for path in system:
        argv += ["--symlink", os.readlink(path), path] if os.path.islink(path) else ["--ro-bind", path, path]
    argv += ["--proc", "/proc", "--dev", "/dev"]
    for path in WRITABLE:
        argv += ["--size", str(space), "--tmpfs", path]
    for path in own:  # it may lie in a temporary folder
        argv += ["--symlink", os.readlink(path), path] if os.path.islink(path) else ["--ro-bind", path, path]
    for place, file in library().items():
        argv += ["--ro-bind", str(file), f"{LIBRARY}/{place}"]
    closed: list[str | Path] = [*hidden, *assignment_folders()]  # an installed package has these among its own
    for path in paths_to_cover(closed, [*system, *own]):
        argv += ["--tmpfs", path, "--remount-ro", path] if os.path.isdir(path) else ["--ro-bind", os.devnull, path]
    argv += [*shown, "--chdir", HOME, "--remount-ro", "/dev", "--remount-ro", "/"]
    for name, value in environment().items():
        argv += ["--setenv", name, value]
    return argv


def paths_to_cover(hidden: Iterable[str | Path], sources: Iterable[str]) -> list[str]:
    """Return what of the hidden paths, as they really are, lies in a visible source."""
    seen = [os.path.realpath(source) for source in sources]
    real = sorted({os.path.realpath(path) for path in hidden if os.path.exists(path)})
    return [path for path in real if any(path.startswith(source + "/") for source in seen)]


@functools.cache
def has_scopes() -> bool:
    """Return whether systemd bounds the memory of a group of processes for an ordinary user: the true bound."""
    if shutil.which("systemd-run") is None:
        return False
    probe = ["systemd-run", "--user", "--scope", "--quiet", "-p", "MemoryMax=64M", "true"]
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        return subprocess.run(probe, capture_output=True, timeout=20, check=False).returncode == 0
    return False


def bound(limits: Limits) -> list[str]:
    """Return the words before a sandbox that bound the memory of all its processes together; none where there is no such."""
    if not has_scopes():
        return []
    words = {"MemoryMax": limits.memory, "MemorySwapMax": 0, "TasksMax": 2 * limits.processes}
    return ["systemd-run", "--user", "--scope", "--quiet", *(f"-p{name}={value}" for name, value in words.items())]


LOOK = """
import os, sys
mark, *paths = sys.argv[1:]
seen = [path for path in paths if (os.listdir(path) if os.path.isdir(path) else os.path.isfile(path) and os.path.getsize(path))]
todo = ["/" + top for top in os.listdir("/") if top not in ("proc", "sys", "dev")]
while todo:  # os.walk takes four times as long
    place = todo.pop()
    try:
        inside = os.scandir(place)
    except OSError:
        continue
    with inside:
        for entry in inside:
            if entry.name == mark:
                seen.append(place)
            elif entry.is_dir(follow_symlinks=False):
                todo.append(entry.path)
print(*seen, sep=chr(10))
"""


def prove(hidden: Sequence[str]) -> None:
    """Raise NoSandbox unless a look from inside a sandbox shows nothing of the hidden folders.

    Each gets a file of a name that nobody knows, where I may write; inside, that name is looked for everywhere.
    """
    mark = f".mark-{secrets.token_hex(8)}"
    made = []
    try:
        for folder in filter(os.path.isdir, hidden):
            with contextlib.suppress(OSError):
                Path(folder, mark).touch()
                made.append(Path(folder, mark))
        argv = [*walls(1 << 20, hidden), sys.executable, "-s", "-P", "-c", LOOK, mark]
        argv += map(str, [*hidden, *assignment_folders()])
        done = subprocess.run(argv, capture_output=True, text=True, timeout=300, check=False)
    finally:
        for path in made:
            path.unlink(missing_ok=True)
    if done.returncode:
        raise NoSandbox(f"no sandbox can be made here: {done.stderr.strip()[-300:]}")
    if done.stdout.strip():
        raise NoSandbox(
            f"Grading is refused: a notebook could see {done.stdout.split()[0]}. Move it to a folder of its own."
        )


def library() -> dict[str, Path]:
    """Return {place below LIBRARY: path here}: what a notebook imports, without solutions, laws and the grader."""
    own = Path(__file__).resolve().parent.parent
    found = {f"coursework/{name}": own / name for name in ("__init__.py", "lazy_numpy.py", "check")}
    found |= {
        f"coursework/exercises/{path.parent.name}/{path.name}": path for path in assignment_files("given").values()
    }
    for name in ("robotdyn", "movingfigures"):
        spec = importlib.util.find_spec(name)
        assert spec is not None and spec.origin is not None  # they are installed together
        found[name] = Path(spec.origin).parent
    return found | {"launch.py": own / "grading" / "kernel_launch.py"}


def environment() -> dict[str, str]:
    """Return the whole environment of a sandboxed kernel."""
    one = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR")}
    return {
        "PATH": f"{sys.prefix}/bin:/usr/bin:/bin",
        "HOME": HOME,
        "LANG": "C.UTF-8",
        "PYTHONPATH": LIBRARY,
        "PYTHONDONTWRITEBYTECODE": "1",
        "IPYTHONDIR": f"{HOME}/.ipython",
        "JUPYTER_RUNTIME_DIR": f"{HOME}/.runtime",
        "MPLCONFIGDIR": f"{HOME}/.matplotlib",
        "MALLOC_ARENA_MAX": "2",
        **one,
    }


def with_limits(argv: list[str], limits: Limits) -> list[str]:
    """Return the command with bounds on each file, on memory and on traces that hold from its first process on.

    kernel_launch sets the same and more for the kernel: no process inside is older than its bounds.
    """
    bounds = f"ulimit -c 0 && ulimit -f {limits.space // 2 // 512} && ulimit -v {limits.memory // 1024}"
    return ["/bin/sh", "-c", f'{bounds} && exec "$@"', "sh", *argv]


def with_filter(argv: list[str], path: str | Path) -> list[str]:
    """Return the command with the seccomp filter in the file at path as an open descriptor of bubblewrap."""
    if seccomp.program() is None:
        return argv
    place = argv.index("bwrap") + 1
    return ["/bin/sh", "-c", 'f=$0; exec "$@" 9<"$f"', str(path), *argv[:place], "--seccomp", "9", *argv[place:]]


def interpreter() -> list[str]:
    """Return the files and folders, outside the system's, that the interpreter and its packages lie in."""
    found: list[str] = []
    for prefix in (sys.base_prefix, sys.prefix, Path(sys.executable).resolve().parent.parent):
        for path in (str(place / part) for place in (Path(prefix).resolve(), Path(prefix)) for part in PARTS):
            inside = any(path == seen or path.startswith(seen + "/") for seen in (*SYSTEM, *found))
            if os.path.exists(path) and not inside:
                found.append(path)
    return found
