"""Runs inside the sandbox, before any student's code: sets hard limits that cannot be raised again, starts the kernel."""

from __future__ import annotations

import builtins
import os
import resource
import runpy
import sys
import threading
from types import ModuleType
from typing import Any

from coursework.grading import between_questions


def main() -> None:
    """Take processes, memory, file size and CPU seconds from the command line, then become ipykernel."""
    end_with_the_grader()
    limits = [int(word) for word in sys.argv[1:5]]
    kinds = (resource.RLIMIT_NPROC, resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_CPU)
    for kind, limit in zip(kinds, limits):
        resource.setrlimit(kind, (limit, limit))
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_SIGPENDING, (256, 256))  # signals that wait, and timers: the teacher's, too
    sys.argv[1:5] = []
    sys.path.append("")  # a file that a cell wrote can be imported, but stands in for no library
    from ipykernel.ipkernel import IPythonKernel
    from ipykernel.zmqshell import ZMQInteractiveShell

    # quit() would end the kernel a moment later, in some other cell
    ZMQInteractiveShell.ask_exit = lambda shell: None  # type: ignore[method-assign]
    keep_checks(ZMQInteractiveShell)
    between_questions.watch(IPythonKernel)
    for name in [name for name in sys.modules if name.startswith("coursework")]:
        del sys.modules[name]  # a notebook finds what it would find at home
    runpy.run_module("ipykernel_launcher", run_name="__main__", alter_sys=True)


def end_with_the_grader() -> None:
    """Take standard input for a line to the grader, which writes nothing: its end means that nobody listens any more.

    Bubblewrap dies with its parent, too, but not if the parent was killed while it started.
    """
    line = os.dup(0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)

    def wait() -> None:
        while os.read(line, 1):
            pass
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def keep_checks(shell: Any) -> None:
    """Before each cell put coursework.check back as it was after the first: a cell that changes it costs its question only.

    So it is with what turns a cell's text into a program, with import, and with a depth of calls that nothing fits in.
    This is a courtesy, no lock: the judge trusts nothing that comes from here.
    """
    made = shell.init_events
    state: dict[str, Any] = {}
    kept: dict[str, tuple[ModuleType, dict[str, Any]]] = {}
    reading: dict[str, Any] = {}

    def mend() -> None:
        now = getattr(sys.modules.get("coursework.check.session"), "_now", None)
        if not kept and now is not None and now.assignment is not None:
            names = [name for name in sys.modules if name == "robotdyn" or name.split(".")[0] == "coursework"]
            kept.update({name: (sys.modules[name], dict(vars(sys.modules[name]))) for name in names})
            state.update({name: part for name, part in vars(now).items() if name not in ("holds", "hints")})
        for name, (module, content) in kept.items():
            sys.modules[name] = module
            module.__dict__.update(content)
        if kept:
            vars(kept["coursework.check.session"][1]["_now"]).update(state)

    def unhook(self: Any) -> Any:
        texts = (self.input_transformers_cleanup, self.input_transformers_post, self.ast_transformers)
        if not reading:
            reading.update(
                texts=[list(text) for text in texts], found=builtins.__import__, depth=sys.getrecursionlimit()
            )
        for text, first in zip(texts, reading["texts"]):
            text[:] = first
        builtins.__import__ = reading["found"]
        sys.setrecursionlimit(max(reading["depth"], sys.getrecursionlimit()))

    def init_events(self: Any) -> None:
        made(self)
        self.events.register("pre_execute", mend)
        for moment in ("pre_execute", "post_execute"):  # a cell's text is read before the first of them
            self.events.register(moment, lambda: unhook(self))

    shell.init_events = init_events


if __name__ == "__main__":
    main()
