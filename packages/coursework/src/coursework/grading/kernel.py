"""One sandbox and the kernel in it: its start, what it sends within bounds, one cell at a time, the next kernel, its end."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import socket
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from queue import Empty
from typing import TYPE_CHECKING, Any

import zmq
import zmq.asyncio
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager

from coursework.check.session import MIME
from coursework.grading import sandbox, seccomp, watch
from coursework.grading.folders import PREFIX, remove, scratch
from coursework.grading.messages import answers, is_idle, show, size_of

if TYPE_CHECKING:
    from coursework.grading.limits import Limits

RECEIVED = 5  # floods that may wait, in parts or unpacked, in the memory of this process
SILENCE = 4.0  # seconds after which a cell that has replied will say no more
RENEWAL_SECONDS = 20.0  # seconds until a sandbox that is there has another kernel
DEAF = 2.0  # seconds to hand a message to a kernel's socket, or to see an ended kernel gone
SAID = 300  # bytes kept of what a sandbox prints beside its messages
NO_END = "the time of a cell was over, and it could not be interrupted"
NO_WAY = "the kernel takes no more messages"
MUTE = "the kernel hears or says nothing any more"
BEGUN = b"b"  # the word of kernel_launch for a kernel that has begun; any other says that it has ended
LONGEST = 80  # characters of a path of a socket, less than the system's 108


class SandboxedKernelManager(AsyncKernelManager):
    """A kernel manager whose kernelspec is the sandbox, over sockets in a folder of its own."""

    @property
    def kernel_spec(self) -> Any:
        """The kernelspec; Jupyter asks for it by name otherwise."""
        return self._kernel_spec


class Kernel:
    """A kernel in a sandbox.  `async with Kernel(limits) as kernel:  outcome, outputs = await kernel.run(source)`.

    hidden: paths that the sandbox covers; beside: {name: bytes} of files that a notebook finds beside it; imports:
    statements of the given cells, which its first process runs.  From its start to its end it is watched, whatever its
    cells do; `grown` says by how many bytes the last cell made it grow.  `renew` ends the kernel and all that it left,
    and begins another in the same sandbox.
    """

    def __init__(
        self,
        limits: Limits,
        fonts: Path | None = None,
        sandboxed: bool = True,
        hidden: Sequence[str] = (),
        beside: Mapping[str, bytes] | None = None,
        imports: str = "",
    ) -> None:
        self.limits, self.fonts, self.sandboxed, self.hidden = limits, fonts, sandboxed, hidden
        self.beside, self.imports = beside or {}, imports
        self.bytes_kept, self.stray, self.cpu, self.granted = 0, 0, 0.0, 0.0
        self.before, self.over, self.spent = watch.memory([os.getpid()]), False, 0.0
        self.folders: tuple[str, ...] = ()
        self.reason: str | None = None
        self.held, self.grown, self.said = 0, 0, b""

    async def __aenter__(self) -> Kernel:
        self.folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=scratch()))
        self.lock = os.open(self.folder.parent / (self.folder.name + ".lock"), os.O_CREAT | os.O_RDWR, 0o600)
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        try:
            await self._start()
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def _start(self) -> None:
        context = zmq.asyncio.Context()
        context.setsockopt(zmq.SNDTIMEO, int(1000 * DEAF))  # for ever, to a kernel that breaks its socket
        if self.sandboxed:
            context.setsockopt(zmq.RECONNECT_IVL, -1)  # its path may have become a link to elsewhere
        file = self.folder / "c.json"
        place = sandbox.SOCKETS if self.sandboxed else self.folder
        if len(str(place)) > LONGEST:
            words = f"the temporary folder has too long a path for a socket, {place}: set TMPDIR to a shorter one"
            raise RuntimeError(words)
        self.manager = SandboxedKernelManager(
            transport="ipc", ip=f"{place}/k", connection_file=str(file), context=context
        )
        self.manager._kernel_spec = KernelSpec(
            argv=self._argv(file), display_name="sandboxed", language="python", interrupt_mode="message"
        )
        begins = "/" if self.sandboxed or not self.beside else self.folder / "beside"
        here, self.line = socket.socketpair()  # ends when this process ends, in whatever way: see kernel_launch
        self.line.setblocking(False)
        env = {name: os.environ[name] for name in ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS") if name in os.environ}
        self.heard, voice = os.pipe()  # no file of this machine, which could grow without end
        os.set_blocking(self.heard, False)
        with open(voice, "wb") as said, here:
            await self.manager.start_kernel(
                stdin=here,
                stdout=said,
                stderr=said,
                cwd=str(begins),
                env={**env, "PATH": os.environ.get("PATH", os.defpath)},
            )
        self.started = time.monotonic()
        self.guard = asyncio.create_task(self._watch())
        await self._begin(self.limits.start)
        self.granted = min(max(watch.waited(self.pid).values(), default=0.0), time.monotonic() - self.started)

    async def renew(self) -> bool:
        """Begin another kernel where the last one has left nothing; return whether this sandbox can."""
        if not self.sandboxed or self.reason is not None:
            return False
        self.client.stop_channels()
        self.spent = watch.cpu_seconds(self.pid)
        self.started = time.monotonic()
        try:
            await self._begin(RENEWAL_SECONDS)
        except RuntimeError:
            return False
        return self.reason is None

    async def _begin(self, seconds: float) -> None:
        """Have a kernel begun within so many seconds, and connect to it.  Raises RuntimeError where none answers."""
        end = self.started + seconds
        self.stray = 0
        if self.sandboxed:
            with contextlib.suppress(BrokenPipeError):  # what is gone is told below
                self.line.send(b"k")
            root = await self._root(end)
            self.folders = tuple(f"{root}{folder}" for folder in sandbox.WRITABLE)
            self.manager.ip = f"{root}{sandbox.SOCKETS}/k"
        self.client = self.manager.client(context=self.manager.context)
        self.client.start_channels(hb=False)
        if not await self._answers(end):
            raise RuntimeError(f"no kernel answers within {seconds:g} s")
        self.held = watch.memory(watch.descendants(self.pid))

    async def _answers(self, end: float) -> bool:
        """Return whether a kernel says what it is, and is heard, until some time."""
        while time.monotonic() < end and await self._why_dead(True) is None:
            with contextlib.suppress(zmq.Again, Empty):
                asked = self.client.session.msg("kernel_info_request")
                self.client.shell_channel.send(asked)
                if await self._reply(asked["header"]["msg_id"], 1.0):
                    await self._message(self.client.iopub_channel, 0.2)
                    return True
        return False

    def _argv(self, file: Path) -> list[str]:
        files = {name: self.folder / "beside" / name for name in self.beside}
        for name, path in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.beside[name])
        if not self.sandboxed:
            return [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        filter_file = self.folder / "filter"
        filter_file.write_bytes(seccomp.program() or b"")
        argv = sandbox.with_filter(
            sandbox.command(self.limits, file, self.fonts, self.hidden, files, self.imports), filter_file
        )
        return sandbox.with_limits(argv, self.limits)

    async def _root(self, end: float) -> str:
        """Return the sandbox's root folder as this process sees it, as soon as a new kernel listens there."""
        self.over = True  # until the sandbox says that the last one is gone, and another there
        while time.monotonic() < end and await self.manager.is_alive():
            self._hear()
            for process in [] if self.over else watch.descendants(self.pid):
                root = f"/proc/{process}/root"
                if os.path.exists(f"{root}{sandbox.SOCKETS}/k-{self.manager.hb_port}"):
                    return root
            await asyncio.sleep(0.01)
        self._hear()
        raise RuntimeError(f"no kernel answers: {self.said.decode(errors='replace').strip() or 'it says nothing'}")

    async def _watch(self) -> None:
        """Look five times a second, from the start of the kernel to its end; end a sandbox that exceeds a limit, and keep the reason."""
        while self.reason is None:
            await asyncio.sleep(0.2)
            self._look()

    def _hear(self) -> None:
        """Keep the end of what the sandbox prints beside its messages, and whether its first process has a kernel."""
        with contextlib.suppress(BlockingIOError):
            self.said = (self.said + os.read(self.heard, 1 << 16))[-SAID:]
        try:
            words = self.line.recv(64)
        except BlockingIOError:
            return
        except ConnectionResetError:
            words = b""
        self.over = words[-1:] != BEGUN if words or self.sandboxed else self.over

    def _look(self) -> str | None:
        """Return what the sandbox does that it may not, in words, or None; also what it sends to this process."""
        self._hear()
        if self.reason is None and watch.memory([os.getpid()]) - self.before > RECEIVED * self.limits.flood:
            self.reason = "a flood of output"
        if self.reason is None and self.sandboxed:
            seconds = time.monotonic() - self.started
            self.reason = watch.exceeded_limit(self.pid, self.folders, self.limits, seconds, self.spent)
        if self.reason is not None and self.pid:
            watch.kill(self.pid)
        return self.reason

    async def __aexit__(self, *error: object) -> None:
        if hasattr(self, "guard"):
            self.guard.cancel()
        if hasattr(self, "client"):
            self.client.stop_channels()
        manager = getattr(self, "manager", None)
        if manager is not None:
            pid = self.pid
            if pid:
                self.cpu = watch.cpu_seconds(pid)
                watch.kill(pid)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(manager.provisioner.wait(), DEAF)
            with contextlib.suppress(zmq.Again):
                await manager.shutdown_kernel(now=True)
            manager.context.destroy(linger=0)
        if hasattr(self, "heard"):
            self.line.close()
            os.close(self.heard)
        remove(self.folder)
        (self.folder.parent / (self.folder.name + ".lock")).unlink(missing_ok=True)
        os.close(self.lock)

    @property
    def pid(self) -> int | None:
        """The process id of the sandbox, or None."""
        return getattr(self.manager.provisioner, "pid", None) if self.manager.provisioner else None

    async def run(self, source: str, seconds: float) -> tuple[str, list[Any]]:
        """Run one cell.  Return how it ended (done, interrupted, dead and why) and its outputs.

        seconds: that it may take; while it waits for a processor that others have, its time stands still, for
        PATIENCE times as long at most.  The seconds of waiting, also those of a cell that was through in time, are added
        to `granted`.
        """
        granted, before, begun = self.granted, watch.waited(self.pid), time.monotonic()
        how, outputs = await self._run(source, seconds)
        waited = min(watch.starved(self.pid, before), watch.PATIENCE * seconds, time.monotonic() - begun)
        self.granted = max(self.granted, granted + waited)
        if not how.startswith("dead"):
            held = watch.memory(watch.descendants(self.pid))
            self.held, self.grown = held, held - self.held
            if self._look():  # cells may be over before the next look
                how = f"dead: {self.reason}"
        return how, outputs

    async def _run(self, source: str, seconds: float) -> tuple[str, list[Any]]:
        """Run one cell; see `run`."""
        before = watch.waited(self.pid)
        message = self._ask(source)
        if message is None:
            return f"dead: {NO_WAY}", []
        outputs: list[dict[str, Any]] = []
        seen, heard, replied, last = 0, False, False, time.monotonic()
        end, granted, look = last + seconds, 0.0, last + 0.2
        while True:
            now = time.monotonic()
            looks = now >= look
            if why := await self._why_dead(looks):
                return f"dead: {why}", outputs
            look = now + 0.2 if looks else look
            if now >= end:
                more = min(watch.starved(self.pid, before), watch.PATIENCE * seconds) - granted
                end, granted, self.granted = end + more, granted + more, self.granted + more
                if now >= end - 0.1:
                    return await self._interrupt(message), outputs
            try:
                got = await self._message(self.client.iopub_channel, min(0.2, end - now))
            except Empty:
                replied = replied or await self._reply(message)
                if replied and time.monotonic() - last > SILENCE:  # its last message was too large to be taken,
                    return _done(heard), outputs  # or it can send none since an earlier cell
                continue
            last = time.monotonic()
            await asyncio.sleep(0)  # a flood leaves time to the watch
            size, is_own = size_of(got.get("content")), answers(got, message)
            if is_own:
                heard, seen = True, seen + size
            else:
                self.stray += size  # of an earlier cell, or of nobody: it is not this cell's fault, within reason
            if self._is_flood(seen):
                return "dead: a flood of output", outputs
            if is_idle(got, message):  # without a reply it hears no cell after this one
                return _done(replied or await self._reply(message, SILENCE)), outputs
            if is_own:
                with contextlib.suppress(Exception):  # whatever a forged message holds is the notebook's own matter
                    self._keep(got["msg_type"], got["content"], outputs)

    def _ask(self, source: str) -> str | None:
        """Ask the kernel to run a cell; return the id of the request, None where none can be sent."""
        content = {"code": source, "silent": False, "store_history": False, "user_expressions": {},
                   "allow_stdin": False, "stop_on_error": False}  # fmt: skip
        try:
            asked = self.client.session.msg("execute_request", content)
            self.client.shell_channel.send(asked)
            return asked["header"]["msg_id"]
        except zmq.Again:
            return None

    def _is_flood(self, seen: int) -> bool:
        """Return whether more came than is taken: of this cell, seen bytes, or of others."""
        return seen > self.limits.flood or self.stray > RECEIVED * self.limits.flood

    async def _why_dead(self, look: bool) -> str | None:
        """Return why the kernel is of no more use, or None; look: whether the system is asked, too."""
        if self.reason:
            return self.reason
        return "the kernel ended" if look and (self.over or not await self.manager.is_alive()) else None

    async def _message(self, channel: Any, seconds: float) -> dict[str, Any]:
        """Return the next message of a channel, {} for one that is forged, cut or of too many parts.

        Raises Empty where none comes within so many seconds.
        """
        if not await channel.socket.poll(int(seconds * 1000)):
            raise Empty
        try:
            parts = await channel.socket.recv_multipart(zmq.NOBLOCK)
        except zmq.Again:  # what had begun to come was broken off
            raise Empty from None
        size = sum(map(len, parts))
        try:
            if size > 2 * self.limits.message:
                raise ValueError("too large to be unpacked")
            return self.client.session.deserialize(self.client.session.feed_identities(parts)[1])
        except Exception:
            return {"content": size * " "} if size > self.limits.message else {}

    def _keep(self, kind: str, content: dict[str, Any], outputs: list[Any]) -> None:
        """Append what a message shows, as long as there is room."""
        if kind not in ("stream", "display_data", "execute_result", "error"):
            return
        size = size_of(content)
        if MIME in content.get("data", ()):  # an answer has room of its own: nothing that was shown takes it away
            if size > self.limits.message:
                return
        elif self.bytes_kept + size > self.limits.output:
            return
        else:
            self.bytes_kept += size
        show(kind, content, outputs)

    async def _reply(self, message: str, seconds: float = 0.0) -> bool:
        """Return whether the kernel has replied to a message, or does so within some seconds."""
        end = time.monotonic() + seconds
        with contextlib.suppress(Empty):
            while True:
                got = await self._message(self.client.shell_channel, max(0.0, end - time.monotonic()))
                parent = got.get("parent_header")
                if isinstance(parent, dict) and parent.get("msg_id") == message:
                    return True
                if time.monotonic() >= end:
                    break
        return False

    async def _interrupt(self, message: str) -> str:
        """Ask the kernel to stop the cell; a kernel that does not is lost."""
        with contextlib.suppress(zmq.Again):
            self.client.control_channel.send(self.client.session.msg("interrupt_request", {}))
        end = time.monotonic() + self.limits.grace
        while time.monotonic() < end:
            if why := await self._why_dead(True):
                return f"dead: {why}"
            try:
                got = await self._message(self.client.iopub_channel, 0.2)
            except Empty:
                continue
            await asyncio.sleep(0)
            content, parent = got.get("content"), got.get("parent_header")
            if not isinstance(content, dict) or not isinstance(parent, dict) or got.get("msg_type") != "status":
                continue
            if content.get("execution_state") == "idle" and parent.get("msg_id") == message:
                return "interrupted: the time of a cell was over"
        return f"dead: {NO_END}"


def _done(heard: bool) -> str:
    """Return how a cell ended, by whether the kernel was heard."""
    return "done" if heard else f"dead: {MUTE}"
