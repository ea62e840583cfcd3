"""The sandbox as a command: bubblewrap around a kernel, without network, on a read-only system of its own.

Visible inside: the interpreter and its packages, the library, the checks with what they know of the questions, an empty
home of limited size, and the folder of the kernel's five sockets.  Not visible: home folders, the course, keys, the gradebook, other processes.
"""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

from coursework.check.session import question_files
from coursework.grading import seccomp

HOME = "/home/student"
LIBRARY = "/opt/robotdyn"
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts")
IN_WORDS = "students' code may do all that I may do"


class NoSandbox(RuntimeError):
    """Grading is refused; the sentence says why, and how to go on."""


def refuse_root():
    """Raise NoSandbox for root: on the teacher's machine, and on every worker."""
    if os.name == "posix" and os.geteuid() == 0:
        raise NoSandbox(
            "Grading as root is refused: limits on processes do not hold for root. "
            "Run the same command as an ordinary user, or let it change to one: --user NAME."
        )


def user_entry(user):
    """Return what the system knows of a user by name; raise ValueError if it knows none."""
    import pwd

    try:
        return pwd.getpwnam(user)
    except KeyError:
        raise ValueError(f"--user must name a user of this machine, got {user}") from None


def check(words=""):
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


def trouble():
    """Return why bubblewrap cannot be used here, or None."""
    import subprocess

    if shutil.which("bwrap") is None:
        return "the command bwrap is not installed"
    probe = ["bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--proc", "/proc", "true"]
    done = subprocess.run(probe, capture_output=True, text=True, timeout=20, check=False)
    return None if done.returncode == 0 else f"bwrap does not work here: {done.stderr.strip()[:200]}"


def command(folder, limits, fonts=None):
    """Return the argv of a kernel in a sandbox; {connection_file} is filled in by Jupyter.

    folder: the private folder of the connection, the only place that both sides see; fonts: Matplotlib's font list.
    """
    argv = ["bwrap", "--die-with-parent", "--unshare-all", "--unshare-user", "--disable-userns", "--new-session"]
    argv += ["--hostname", "sandbox", "--cap-drop", "ALL", "--clearenv"]
    for path in SYSTEM:
        argv += _bind(path)
    argv += ["--proc", "/proc", "--dev", "/dev", "--size", str(limits.space), "--tmpfs", "/dev/shm"]
    argv += ["--size", str(limits.space), "--tmpfs", "/tmp", "--size", str(limits.space), "--tmpfs", HOME]
    for path in interpreter():
        argv += ["--ro-bind", path, path]
    for place, path in library().items():
        argv += ["--ro-bind", str(path), f"{LIBRARY}/{place}"]
    if fonts:
        argv += ["--ro-bind", str(fonts), f"{HOME}/.matplotlib/{Path(fonts).name}"]
    argv += ["--bind", str(folder), str(folder), "--chdir", HOME]
    argv += ["--remount-ro", "/dev", "--remount-ro", "/"]
    for name, value in environment().items():
        argv += ["--setenv", name, value]
    hard = (limits.processes, limits.memory, limits.space // 2, int(limits.submission))
    argv += [sys.executable, "-s", "-P", f"{LIBRARY}/launch.py", *map(str, hard), "-f", "{connection_file}"]
    argv += ["--HistoryManager.enabled=False", "--IPKernelApp.log_level=ERROR"]
    return argv


def library():
    """Return {place below LIBRARY: path here}: what a notebook imports, without solutions and without the grader."""
    own = Path(__file__).resolve().parent.parent
    found = {f"coursework/{name}": own / name for name in ("__init__.py", "lazy_numpy.py", "check")}
    found |= {f"coursework/exercises/{path.parent.name}/{path.name}": path for path in question_files().values()}
    found["robotdyn"] = Path(importlib.util.find_spec("robotdyn").origin).parent
    return found | {"launch.py": own / "grading" / "kernel_launch.py"}


def environment():
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


def with_filter(argv, path):
    """Return the command with the seccomp filter in the file at path as an open descriptor of bubblewrap."""
    if seccomp.program() is None:
        return argv
    return ["/bin/sh", "-c", 'f=$0; exec bwrap --seccomp 9 "$@" 9<"$f"', str(path), *argv[1:]]


def interpreter():
    """Return the folders outside the system that the interpreter and its packages lie in."""
    found = []
    for path in (sys.base_prefix, sys.prefix, Path(sys.executable).resolve().parent.parent):
        path = str(Path(path).resolve())
        if not any(path == seen or path.startswith(seen + "/") for seen in (*SYSTEM, *found)) and path != "/":
            found.append(path)
    if Path(sys.prefix).resolve() != Path(sys.prefix):
        found.append(str(Path(sys.prefix)))
    return found


def _bind(path):
    """Return the arguments that show a path of the system as it is here: a link stays a link."""
    if os.path.islink(path):
        return ["--symlink", os.readlink(path), path]
    return ["--ro-bind", path, path] if os.path.exists(path) else []
