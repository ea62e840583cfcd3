"""Runs inside the sandbox: what the cells of a question set going ends with it, and what they changed for others is told.

A courtesy to the other questions, no lock: who deceives it has them judged as they come.
"""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import contextvars
import copy
import gc
import locale
import os
import pickle
import resource
import signal
import sys
import threading
import types
import warnings
import weakref
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any

CELL = contextvars.ContextVar("cell", default=False)  # whether a cell of the notebook asked for what runs
TIMERS = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)
FEW = 64  # descriptors; a kernel has less than 50, and may have 256
OWN = {"builtins": {"_"}, "sys": {"last_exc", "last_type", "last_value", "last_traceback", "ps1", "ps2", "ps3"}}
FIXED = type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType
LIMITS = [getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")]


def watch(kernel: Any) -> None:
    """Make a class of kernels tell, with each reply to a hand-in, whether its process is another than it was: `changed`.

    Also whether something was ended that a cell had set going, and that another cell may wait for: `ended`.
    """
    run = kernel.do_execute
    first: dict[str, Any] = {}

    async def do_execute(
        self: Any, *given: Any, cell_meta: Mapping[str, Any] | None = None, **named: Any
    ) -> dict[str, Any]:
        about = cell_meta or {}
        if not first:
            first.update(traces=Traces(self.shell, bool(about.get("whole"))), work=Work(asyncio.get_running_loop()))
        role, mark, before = about.get("role"), CELL.set(True), dict(self.shell.user_ns)
        try:
            reply = await run(self, *given, cell_meta=cell_meta, **named)
        finally:
            CELL.reset(mark)
            ended = role == "answer" and first["work"].end()
        if role == "answer":
            reply |= {"changed": first["traces"].changed(), "ended": ended}
        elif role in ("begin", "given"):
            with contextlib.suppress(Exception):  # too little is left of the process: the next hand-in tells
                first["traces"].give(before, role == "begin")
        return reply

    kernel.do_execute = do_execute


class Work:
    """What cells ask to be done later: tasks and calls of the event loop, timers, and what signals do."""

    def __init__(self, loop: Any) -> None:
        self.loop = loop
        self.tasks: weakref.WeakSet[asyncio.Task[Any]] = weakref.WeakSet()
        self.signals = {number: signal.getsignal(number) for number in signal.valid_signals()}
        loop.set_task_factory(self.task)

    def task(self, loop: Any, coroutine: Any, **named: Any) -> asyncio.Task[Any]:
        """Make a task, as a loop does, and remember it if it is a cell's; what such a task starts is so, too."""
        made = asyncio.Task(coroutine, loop=loop, **named)
        if CELL.get():
            self.tasks.add(made)
        return made

    def end(self) -> bool:
        """Let nothing of it happen any more: a task that waits is not even told, for it could go on.

        Return whether there was a task, or a call at a later time.
        """
        later = any(handle._context.get(CELL) for handle in self.loop._scheduled if not handle.cancelled())
        ended = later or any(not task.done() for task in self.tasks)
        self._restore_signals()
        for task in list(self.tasks):
            task.cancel()
            task._log_destroy_pending = False  # type: ignore[attr-defined]  # asyncio's own, and nothing public does it
        self._cancel_calls()
        return ended

    def _restore_signals(self) -> None:
        """Stop the timers, and let signals do what they did."""
        for timer in TIMERS:
            signal.setitimer(timer, 0)
        for number, action in self.signals.items():
            if action is not None and signal.getsignal(number) is not action:
                with contextlib.suppress(OSError, ValueError):
                    signal.signal(number, action)

    def _cancel_calls(self) -> None:
        """Let the loop call nothing that a cell asked for: neither when a file can be read or written, nor soon or later."""
        files = [(key.fileobj, key.data) for key in self.loop._selector.get_map().values()]
        for file, handles in files:
            for handle, remove in zip(handles, (self.loop.remove_reader, self.loop.remove_writer)):
                if handle is not None and handle._context.get(CELL):
                    remove(file)
        for handle in [*self.loop._ready, *self.loop._scheduled]:
            if handle._context.get(CELL):
                handle.cancel()


class Traces:
    """What all questions share, as it was: names that are given, settings of the process; if `whole`, modules with classes."""

    def __init__(self, shell: Any, whole: bool) -> None:
        self.whole, self.shell, self.names = whole, shell, dict(shell.user_ns)
        self.modules: dict[str, tuple[ModuleType, list[tuple[Any, dict[str, Any]]]]] = {}
        self.frozen: dict[str, dict[str, Any]] = {}
        self.now = settings(shell)

    def give(self, before: Mapping[str, Any], begins: bool) -> None:
        """Take what a cell did that is not the student's, where `before` were the names, as how things should be."""
        new = {name: one for name, one in self.shell.user_ns.items() if before.get(name, self) is not one}
        self.names.update(new)
        self.frozen.update({name: frozen(one) for name, one in new.items() if is_given(name)})
        if begins:
            self.now = settings(self.shell)
        self.look()

    def look(self) -> None:
        """Remember modules that are new, and their settings."""
        for name, module in list(sys.modules.items()) if self.whole else ():
            if name not in self.modules and name != "__main__" and isinstance(getattr(module, "__dict__", None), dict):
                self.modules[name] = module, parts_of(module)
        self.now = {
            name: now if self.now[name] is None else self.now[name] for name, now in settings(self.shell).items()
        }

    def changed(self) -> bool:
        """Return whether anything is not what it was."""
        try:
            now = settings(self.shell)
            return (
                any(was is not None and now[name] != was for name, was in self.now.items())
                or self.hidden()
                or any(module_differs(name, *kept) for name, kept in self.modules.items())
            )
        except Exception:  # too little is left to tell
            return True
        finally:
            with contextlib.suppress(Exception):
                self.look()

    def hidden(self) -> bool:
        """Return whether a name that is given, or one of Python's own, stands for something else."""
        names = self.shell.user_ns
        return (
            any(is_given(name) and names.get(name) is not value for name, value in self.names.items())
            or any(name not in self.names for name in names.keys() & vars(builtins).keys() if is_given(name))
            or any(frozen(names[name], was) != was for name, was in self.frozen.items())
        )


def is_given(name: str) -> bool:
    """Return whether IPython leaves a name alone: its own are _, __, _i, _oh and the like."""
    return name[0] != "_" or (name[:2] == "__" and name.strip("_") != "")


def frozen(value: object, parts: Iterable[str] | None = None) -> dict[str, Any]:
    """Return what a given object holds, {part: bytes, or which object it is}; of some parts only, where others came later."""
    from coursework.check.parameters import Parameters

    held = vars(value) if isinstance(value, Parameters) else {"": value}
    return {part: as_bytes(held.get(part)) for part in (held if parts is None else parts)}


def as_bytes(value: object) -> bytes | int | None:
    """Return a value as bytes, since its content can be changed; of a function, a class or a module which object it is."""
    with contextlib.suppress(Exception):
        return id(value) if isinstance(value, FIXED) else pickle.dumps(value)
    return None


def parts_of(module: ModuleType) -> list[tuple[Any, dict[str, Any]]]:
    """Return what a module, and each class that is made in it, holds: [(its dict, a copy of that)]."""
    content = vars(module)
    name = content.get("__name__")
    classes = [one for one in list(content.values()) if isinstance(one, type) and one.__module__ == name]
    return [(vars(one), dict(vars(one))) for one in (module, *classes)]


def module_differs(name: str, module: ModuleType, parts: list[tuple[Any, dict[str, Any]]]) -> bool:
    """Return whether a module is not there any more, or holds another thing under a name than it did."""
    if sys.modules.get(name) is not module:
        return True
    own, differing = (
        OWN.get(name, ()),
        [(now, was) for now, was in parts if now != was],
    )  # this is quick, and often enough
    return any(now.get(part) is not value and part not in own for now, was in differing for part, value in was.items())


def of_a_cell(call: object) -> bool:
    """Return whether a function is no library's: Matplotlib, too, asks to be called at the end of each cell."""
    return getattr(call, "__module__", None) in (None, "__main__")


def parts_of_shell(shell: Any) -> tuple[Any, ...]:
    """Return what reads a cell, runs it and shows what comes of it."""
    return (shell, shell.compile, shell.display_pub, shell.displayhook, shell.kernel.session)


def settings(shell: Any) -> dict[str, Any]:
    """Return the settings of the process that libraries do not change by themselves."""
    numpy, mpmath = sys.modules.get("numpy"), sys.modules.get("mpmath")
    decimal, parameters = sys.modules.get("decimal"), sys.modules.get("sympy.core.parameters")
    numbers = sys.modules.get("sympy.core.numbers")
    threads, mask = (threading.gettrace(), threading.getprofile()), os.umask(0)
    os.umask(mask)
    here = os.stat(".")  # to find the path of a folder takes half a minute where it is 9,000 deep
    return {
        "process": (here.st_dev, here.st_ino, mask, dict(os.environ), os.getpriority(os.PRIO_PROCESS, 0), len(os.listdir("/proc/self/fd")) > FEW),
        "limits": [resource.getrlimit(kind) for kind in LIMITS],
        "signals": signal.pthread_sigmask(signal.SIG_BLOCK, []),
        "python": (sys.gettrace(), sys.getprofile(), threads, sys.path[:], sys.get_int_max_str_digits(), locale.setlocale(locale.LC_ALL)),
        "imports": ([*sys.meta_path], [*sys.path_hooks]),
        "memory": (gc.isenabled(), gc.get_threshold(), [*gc.callbacks]),
        "warnings": any(rule[0] == "error" for rule in warnings.filters),
        "hooks": {moment: [call for call in calls if of_a_cell(call)] for moment, calls in shell.events.callbacks.items()},
        "shell": [(part, sorted(name for name in vars(part) if callable(vars(part)[name]))) for part in parts_of_shell(shell)],
        "numpy": None if numpy is None else numpy.geterr(),
        "precision": None if mpmath is None else mpmath.mp.prec,
        "decimal": None if decimal is None else repr(decimal.getcontext()),
        "sympy": None if parameters is None else dict(vars(parameters.global_parameters)),
        "copies": {kind: id(way) for kind, way in vars(copy)["_deepcopy_dispatch"].items()},
        "numbers": None if numbers is None else [numbers.Integer(one).p for one in range(-9, 10)],  # one object for each
    }  # fmt: skip
