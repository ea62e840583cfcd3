"""Runs inside the sandbox, as its first process: it runs no student's code, and forks a kernel when the grader asks for one.

It has imported what a kernel and the given cells need, so that a kernel costs little; each begins as the first did.  Before it
forks, all other processes inside are ended and what they wrote is gone.  The system protects it from its children: a
signal from inside does not reach a first process that has no handler for it, and what is not dumpable shows them neither
memory nor descriptors.  What they can change is compared with what it was; where it differs, the process ends, with it
the sandbox, and the grader makes another.
"""

from __future__ import annotations

import ast
import contextlib
import ctypes
import gc
import importlib
import os
import resource
import select
import signal
import socket
import stat
import sys
from collections.abc import Iterable
from typing import Any

# words to the grader; each of its own, whatever it is, asks for a kernel
BEGUN = b"b"
ENDED = b"e"
DUMPABLE = 4  # of prctl
ACTION = 256  # bytes, more than the system's record of what a signal does
LIMITS = [getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")]
USED = ("ipykernel.debugger", "ipykernel.kernelapp", "IPython.core.completerlib", "IPython.extensions.storemagic",
        "tornado.platform.asyncio")  # fmt: skip
BACKEND = "module://matplotlib_inline.backend_inline"
DEEPEST = 40  # folders in folders that are removed one by one


def main() -> None:
    """Take limits, folders and imports from the command line, then serve; a fork of this becomes ipykernel."""
    dumpable(False)
    gc.disable()  # imports leave next to nothing to collect, and a search for it takes an eighth of their time
    line = socket.socket(fileno=os.dup(0))  # to the grader: its end means that nobody listens any more
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    limits = [int(word) for word in sys.argv[1:5]]
    kinds = (resource.RLIMIT_NPROC, resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_CPU)
    for kind, limit in zip(kinds, limits):
        resource.setrlimit(kind, (limit, limit))
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_SIGPENDING, (256, 256))  # signals that wait, and timers: the teacher's, too
    folders = sys.argv[5].split(":")
    imports = sys.argv[6]
    sys.argv[1:7] = []
    warm(imports)
    if len(os.listdir("/proc/self/task")) > 1 and imports:  # a fork would have locks that nobody opens
        os.dup2(line.fileno(), 0)
        words = sys.orig_argv
        os.execv(sys.executable, [word if word != imports else "" for word in words])
    sys.path.append("")  # a file that a cell wrote can be imported, but stands in for no library
    become_kernel(line, folders)


def dumpable(whether: bool) -> None:
    """Let the other processes of this user look into this one, or not."""
    ctypes.CDLL(None).prctl(DUMPABLE, int(whether), 0, 0, 0)


def without_handlers() -> dict[int, Any]:
    """Let no signal call anything here; return what they did, {signal: the system's record}: libraries set some, too."""
    found: dict[int, Any] = {}
    none = ctypes.create_string_buffer(ACTION)
    for number in signal.valid_signals():
        was = ctypes.create_string_buffer(ACTION)
        ctypes.CDLL(None).sigaction(number, None, was)
        if was.raw[: ctypes.sizeof(ctypes.c_void_p)].rstrip(b"\0") not in (b"", b"\1"):  # neither default nor ignored
            found[number] = was
            ctypes.CDLL(None).sigaction(number, none, None)
    return found


def warm(imports: str) -> None:
    """Import what kernels need, and what the given cells do: statements from the teacher's notebook.

    No folder of the student's is searched.
    """
    os.environ["MPLBACKEND"] = BACKEND  # as ipykernel would, too late for an import here
    sys.modules["debugpy"] = None  # type: ignore[assignment]  # ipykernel looks for a debugger: a tenth of all time
    for name in USED:
        importlib.import_module(name)
    del sys.modules["debugpy"]
    for statement in ast.parse(imports).body:
        with contextlib.suppress(Exception):  # the cell says it, where the student reads it
            exec(compile(ast.Module([statement], []), "given", "exec"), {"__name__": "given"})


def serve(line: socket.socket, folders: Iterable[str]) -> None:
    """Fork a kernel for each word from the grader, and say when one ends; return in the fork."""
    handlers = without_handlers()
    first = settings()
    kept = {path: seen for folder in folders for path, seen in listed(folder)}
    running = 0
    while True:
        ends = [os.pidfd_open(running)] if running else []
        watched: list[Any] = [line, *ends]
        ready = select.select(watched, [], [], 1.0)[0]
        for end in ends:
            os.close(end)
        if running in reaped():
            running = 0
            line.send(ENDED)
        if line not in ready:
            continue
        if not line.recv(64):
            os._exit(1)
        end_all()
        if settings() != first or not emptied(folders, kept):
            os._exit(3)
        running = os.fork()
        if not running:
            for number, action in handlers.items():
                ctypes.CDLL(None).sigaction(number, action, None)
            line.close()
            return
        line.send(BEGUN)


def settings() -> tuple[Any, ...]:
    """Return what another process of this user can change of this one, and what its children would have of it."""
    scheduler = os.sched_getscheduler(0), os.sched_getparam(0).sched_priority, os.getpriority(os.PRIO_PROCESS, 0)
    return [resource.getrlimit(kind) for kind in LIMITS], scheduler, os.sched_getaffinity(0)


def reaped() -> set[int]:
    """Return the processes that have ended: those that lost their parents are this one's, too."""
    found = set()
    with contextlib.suppress(ChildProcessError):
        while process := os.waitpid(-1, os.WNOHANG)[0]:
            found.add(process)
    return found


def end_all() -> None:
    """End all other processes inside, and see them gone; the system lets none of them fork meanwhile."""
    assert os.getpid() == 1, "else these would be processes of the machine"
    with contextlib.suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


def listed(path: str) -> list[tuple[str, Any]]:
    """Return a file or folder with what lies below: [(path, which it is, whose, its mode and attributes)]."""
    seen = os.lstat(path)
    mode = seen.st_mode
    folder = stat.S_ISDIR(seen.st_mode)
    below = [one for name in sorted(os.listdir(path)) for one in listed(f"{path}/{name}")] if folder else []
    written = None if folder else seen.st_ctime_ns  # nobody sets it back
    return [(path, (seen.st_dev, seen.st_ino, mode, written, os.listxattr(path, follow_symlinks=False))), *below]


def emptied(folders: Iterable[str], kept: dict[str, Any]) -> bool:
    """Remove what kernels wrote; return whether all is as it was."""
    try:
        for folder in folders:
            empty(folder, kept)
        return {path: seen for folder in folders for path, seen in listed(folder)} == kept
    except OSError:
        return False


def empty(folder: str, kept: dict[str, Any], depth: int = 0) -> None:
    """Remove what lies below a folder and is not kept.  Raises OSError where that is more than a few calls."""
    if depth > DEEPEST:
        raise OSError("too deep")
    mode = stat.S_IMODE(kept[folder][2]) if folder in kept else 0o700
    if stat.S_IMODE(os.lstat(folder).st_mode) != mode:
        os.chmod(folder, mode)
    for name in os.listdir(folder):
        path = f"{folder}/{name}"
        if stat.S_ISDIR(os.lstat(path).st_mode):
            empty(path, kept, depth + 1)
            if path not in kept:
                os.rmdir(path)
        elif path not in kept:
            os.unlink(path)


def become_kernel(line: socket.socket, folders: list[str]) -> None:
    """Make ready for a kernel as at home, and be one, in a fork, whose end is its end."""
    from ipykernel.ipkernel import IPythonKernel
    from ipykernel.kernelapp import IPKernelApp
    from ipykernel.zmqshell import ZMQInteractiveShell
    from traitlets import Type

    class Shell(ZMQInteractiveShell):
        """Where quit() would end the kernel a moment later, in some other cell."""

        def ask_exit(self) -> None:
            """Go on."""

    class Kernel(IPythonKernel):
        """One with such a shell."""

        shell_class = Type(Shell)

    class App(IPKernelApp):
        """What makes a kernel; it reads the connection file before it has a socket or a thread."""

        kernel_class = Type(Kernel)

        def init_pdb(self) -> None:
            """Have no debugger."""

        def init_connection_file(self) -> None:
            """Go on in a fork."""
            gc.freeze()
            serve(line, folders)
            gc.enable()
            os.setsid()
            dumpable(True)
            super().init_connection_file()

    App.launch_instance()
    os._exit(0)


if __name__ == "__main__":
    main()
