"""Starts kernels that have imported already what most notebooks of the book import: forks of one process, on Linux.

A kernel of its own takes 1.1 s of a processor until its first cell has imported NumPy, SymPy, Matplotlib and robotdyn; a fork
of a process that has done so takes 0.35 s.  The process runs no cell, has no thread and no socket but the line to who asks, and
forks a kernel for each line that it reads there: {"argv", "cwd", "env", "path", "quiet"}.  It ends with that line, and its
kernels with it.  Where notebooks ask for another interpreter or another kernel, that one is started as ever.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import importlib
import json
import os
import pathlib
import select
import signal
import socket
import subprocess
import sys
import threading
import traceback
from typing import TYPE_CHECKING, Any

from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner

if TYPE_CHECKING:
    from jupyter_client.connect import KernelConnectionInfo

NAME = "forked"  # of the entry point in pyproject.toml
KERNEL = ["-m", "ipykernel_launcher"]
# where: choose what the kernels of the book's notebooks have imported
# here; a notebook that takes another interpreter or kernel is started as Jupyter starts it

# Matplotlib's backend for notebooks is left out: when it is imported it looks for the kernel that is to show its pictures.
IMPORTED = (
    "ipykernel.kernelapp",
    "ipykernel.zmqshell",
    "matplotlib.pyplot",
    "sympy",
    "robotdyn",
    "movingfigures",
)


def use_forked_kernels() -> None:
    """Have the kernels that this process starts forked, where the system can."""
    if can_follow_processes():
        KernelProvisionerFactory.instance().default_provisioner_name = NAME


def can_follow_processes() -> bool:
    """Return whether this is Linux with descriptors of processes: since 5.3, and not where a container forbids the call."""
    if sys.platform != "linux":
        return False
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:
        return False
    return True


class ForkedProvisioner(LocalProvisioner):
    """Starts a kernel as a fork; other kernels as Jupyter does."""

    process: Any  # a Popen, or a Forked

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Start the kernel of a command; return how it is spoken to."""
        if [cmd[0], *cmd[1:3]] != [sys.executable, *KERNEL]:
            return await super().launch_kernel(cmd, **kwargs)
        self.cwd = pathlib.Path(kwargs.get("cwd") or pathlib.Path.cwd())
        self.process = Forked(warm_process().fork(cmd[3:], self.cwd, kwargs["env"], quiet="stderr" in kwargs))
        self.pid = self.pgid = self.process.pid
        return self.connection_info


class Forked:
    """A kernel that is nobody's child here, with what Jupyter asks of a `Popen`; how it ended is not known, and told as 0."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.end: int | None = None  # a descriptor that can be read once the process has ended
        with contextlib.suppress(ProcessLookupError):
            self.end = os.pidfd_open(pid)

    def poll(self) -> int | None:
        """Return 0 if it has ended, None before."""
        if self.end is None:
            return 0
        if not select.select([self.end], [], [], 0)[0]:
            return None
        return self.wait()

    def wait(self) -> int:
        """Return 0 when it has ended."""
        if self.end is not None:
            select.select([self.end], [], [])
            os.close(self.end)
            self.end = None
        return 0

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it is there."""
        if self.end is not None:
            signal.pidfd_send_signal(self.end, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)


class WarmProcess:
    """The process that forks, as who asks it sees it; one at a time does."""

    def __init__(self) -> None:
        here, there = socket.socketpair()
        with there:
            command = [sys.executable, "-m", "bookbuild.forked_kernels", str(there.fileno())]
            env = os.environ | {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}
            self.process = subprocess.Popen(command, pass_fds=[there.fileno()], stdin=subprocess.DEVNULL, env=env)
        self.line, self.lock = here.makefile("rw", encoding="utf8"), threading.Lock()
        here.close()
        atexit.register(self.end)

    def fork(self, argv: list[str], cwd: pathlib.Path, env: dict[str, str], quiet: bool) -> int:
        """Return the number of a new process, a kernel; quiet: what it prints beside its messages goes nowhere.

        RuntimeError where the process that forks has ended.
        """
        asked = {"argv": argv, "cwd": str(cwd), "env": env, "path": own_path(), "quiet": quiet}
        with self.lock:
            self.line.write(json.dumps(asked) + "\n")
            self.line.flush()
            answer = self.line.readline()
        if not answer:
            raise RuntimeError("the process that forks kernels has ended; what it printed stands above")
        return int(answer)

    def end(self) -> None:
        """End it, and its kernels."""
        self.line.close()
        self.process.wait()


@functools.cache
def warm_process() -> WarmProcess:
    """Return the one process that forks the kernels of this one."""
    return WarmProcess()


@functools.cache
def own_path() -> list[str]:
    """Return where a kernel of its own would find modules: what this process has added for itself is not its business."""
    command = [sys.executable, "-P", "-c", "import json, sys; print(json.dumps(sys.path))"]
    found: list[str] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return found


def serve(line: socket.socket) -> None:
    """Import, then fork a kernel for each line, and answer with its number, until the line ends."""
    for name in IMPORTED:
        importlib.import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # who has ended is gone: nobody here waits for it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # from the keyboard it reaches who asked, who ends this one
    with line.makefile("rw", encoding="utf8") as asked:
        for request in iter(asked.readline, ""):
            pid = os.fork()
            if pid == 0:
                os.close(line.fileno())
                become_kernel(json.loads(request))
            asked.write(f"{pid}\n")
            asked.flush()


def become_kernel(request: dict[str, Any]) -> None:
    """Be what was asked for, to the end of the process."""
    from ipykernel.kernelapp import launch_new_instance

    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if request["quiet"]:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["cwd"])
    sys.path[:] = request["path"]
    sys.argv = ["ipykernel_launcher", *request["argv"], f"--IPKernelApp.parent_handle={os.getppid()}"]
    try:
        launch_new_instance()
    except Exception:
        traceback.print_exc()
    finally:
        os._exit(0)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
