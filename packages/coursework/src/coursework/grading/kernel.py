"""One sandboxed kernel: its start, what it sends within bounds, one cell at a time, its end."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import sys
import tempfile
import time
from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from queue import Empty
from typing import TYPE_CHECKING, Any, TypeVar

import zmq
import zmq.asyncio
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager

from coursework.check.session import MIME
from coursework.grading import sandbox, seccomp, watch
from coursework.grading.folders import PREFIX, remove, scratch
from coursework.grading.messages import answers, is_idle, size_of

if TYPE_CHECKING:
    from coursework.grading.limits import Limits

RECEIVED = 5  # floods that may wait, in parts or unpacked, in the memory of this process
SILENCE = 4.0  # seconds after which a cell that has replied will say no more
DEAF = 2.0  # seconds to hand a message to a kernel's socket, or to see an ended kernel gone
SAID = 300  # bytes kept of what a sandbox prints beside its messages
NO_END = "the time of a cell was over, and it could not be interrupted"
NO_WAY = "the kernel takes no more messages"
MUTE = "the kernel hears or says nothing any more"
T = TypeVar("T")
LONGEST = 80  # characters of a path of a socket, less than the system's 108


class SandboxedKernelManager(AsyncKernelManager):
    """A kernel manager whose kernelspec is the sandbox, over sockets in a folder of its own."""

    @property
    def kernel_spec(self) -> Any:
        """The kernelspec; Jupyter asks for it by name otherwise."""
        return self._kernel_spec


class Kernel:
    """A kernel in a sandbox.  `async with Kernel(limits) as kernel:  outcome, outputs = await kernel.run(source)`.

    hidden: paths that the sandbox covers; beside: {name: bytes} of files that a notebook finds beside it.  From its start to its end it is watched, whatever its cells do; `grown` says
    by how many bytes the last cell made it grow, `left` whether it left a thread or a process behind, or, where it
    hands in, whether the kernel is another than it was: see between_questions, also for `ended`.
    """

    def __init__(
        self,
        limits: Limits,
        fonts: Path | None = None,
        sandboxed: bool = True,
        hidden: Sequence[str] = (),
        beside: Mapping[str, bytes] | None = None,
    ) -> None:
        self.limits, self.fonts, self.sandboxed, self.hidden = limits, fonts, sandboxed, hidden
        self.beside = beside or {}
        self.bytes_kept, self.stray, self.cpu, self.granted, self.left = 0, 0, 0.0, 0.0, False
        self.before, self.changed, self.ended = watch.memory([os.getpid()]), False, False
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
        file = self.folder / "c.json"
        place = sandbox.SOCKETS if self.sandboxed else self.folder
        if len(str(place)) > LONGEST:
            raise RuntimeError(
                f"the temporary folder has too long a path for a socket, {place}: set TMPDIR to a shorter one"
            )
        self.manager = SandboxedKernelManager(
            transport="ipc", ip=f"{place}/k", connection_file=str(file), context=context
        )
        self.manager._kernel_spec = KernelSpec(
            argv=self._argv(file), display_name="sandboxed", language="python", interrupt_mode="message"
        )
        begins = "/" if self.sandboxed or not self.beside else self.folder / "beside"
        here, self.line = os.pipe()  # ends when this process ends, in whatever way: see kernel_launch
        env = {name: os.environ[name] for name in ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS") if name in os.environ}
        self.heard, voice = os.pipe()  # no file of this machine, which could grow without end
        os.set_blocking(self.heard, False)
        with open(voice, "wb") as said, open(here, "rb") as line:
            await self.manager.start_kernel(
                stdin=line,
                stdout=said,
                stderr=said,
                cwd=str(begins),
                env={**env, "PATH": os.environ.get("PATH", os.defpath)},
            )
        self.started = time.monotonic()
        self.guard = asyncio.create_task(self._watch())
        if self.sandboxed:
            root = await self._root()
            self.folders = tuple(f"{root}{folder}" for folder in sandbox.WRITABLE)
            self.manager.ip = f"{root}{sandbox.SOCKETS}/k"
        self.client = self.manager.client(context=context)
        self.client.start_channels(hb=False)
        try:
            await asyncio.wait_for(self.client.wait_for_ready(timeout=self.limits.start), self.limits.start + DEAF)
        except (TimeoutError, zmq.Again) as error:
            raise RuntimeError(f"no kernel answers within {self.limits.start:g} s") from error
        self.held = watch.memory(watch.descendants(self.pid))
        self.granted = min(max(watch.waited(self.pid).values(), default=0.0), time.monotonic() - self.started)

    def _argv(self, file: Path) -> list[str]:
        files = {name: self.folder / "beside" / name for name in self.beside}
        for name, path in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.beside[name])
        if not self.sandboxed:
            return [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        filter_file = self.folder / "filter"
        filter_file.write_bytes(seccomp.program() or b"")
        argv = sandbox.with_filter(sandbox.command(self.limits, file, self.fonts, self.hidden, files), filter_file)
        return sandbox.with_limits(argv, self.limits)

    async def _root(self) -> str:
        """Return the sandbox's root folder as this process sees it, as soon as a kernel listens there."""
        end = self.started + self.limits.start
        while time.monotonic() < end and await self.manager.is_alive():
            for process in watch.descendants(self.pid):
                root = f"/proc/{process}/root"
                if os.path.exists(f"{root}{sandbox.SOCKETS}/k-{self.manager.hb_port}"):
                    return root
            await asyncio.sleep(0.02)
        self._hear()
        said = self.said.decode(errors="replace").strip()
        raise RuntimeError(f"no kernel answers: {said or 'it says nothing'}")

    async def _watch(self) -> None:
        """Look five times a second, from the start of the kernel to its end; end what trespasses, and keep the reason."""
        while self.reason is None:
            await asyncio.sleep(0.2)
            self._look()

    def _hear(self) -> None:
        """Keep the end of what the sandbox prints beside its messages."""
        with contextlib.suppress(BlockingIOError):
            self.said = (self.said + os.read(self.heard, 1 << 16))[-SAID:]

    def _look(self) -> str | None:
        """Return what the sandbox does that it may not, in words, or None; also what it sends to this process."""
        self._hear()
        if self.reason is None and watch.memory([os.getpid()]) - self.before > RECEIVED * self.limits.flood:
            self.reason = "a flood of output"
        if self.reason is None and self.sandboxed:
            seconds = time.monotonic() - self.started
            self.reason = watch.trespass(self.pid, self.folders, self.limits, seconds)
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
        for end in ("line", "heard"):
            if hasattr(self, end):
                os.close(getattr(self, end))
        remove(self.folder)
        (self.folder.parent / (self.folder.name + ".lock")).unlink(missing_ok=True)
        os.close(self.lock)

    @property
    def pid(self) -> int | None:
        """The process id of the sandbox, or None."""
        return getattr(self.manager.provisioner, "pid", None) if self.manager.provisioner else None

    async def run(self, source: str, seconds: float, **about: Any) -> tuple[str, list[Any]]:
        """Run one cell.  Return how it ended (done, interrupted, dead and why) and its outputs.

        seconds: that it may take; while it waits for a processor that others have, its time stands still, for
        PATIENCE times as long at most.  The seconds of waiting, also those of a cell that was through in time, are added
        to `granted`.  about: its `role`, as in execute.py, and whether the `whole` of all modules is watched.
        """
        granted, before, begun = self.granted, watch.waited(self.pid), time.monotonic()
        self.changed = self.sandboxed and about.get("role") == "answer"  # until the reply to a hand-in says otherwise
        how, outputs = await self._run(source, seconds, about)
        waited = min(watch.starved(self.pid, before), watch.PATIENCE * seconds, time.monotonic() - begun)
        self.granted = max(self.granted, granted + waited)
        if not how.startswith("dead"):
            held = watch.memory(watch.descendants(self.pid))
            self.held, self.grown = held, held - self.held
            self.left = self.changed or not watch.waited(self.pid).keys() <= before.keys()
            if self._look():  # cells may be over before the next look
                how = f"dead: {self.reason}"
        return how, outputs

    async def _run(self, source: str, seconds: float, about: Mapping[str, Any]) -> tuple[str, list[Any]]:
        """Run one cell; see `run`."""
        before = watch.waited(self.pid)
        message = self._ask(source, about)
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

    def _ask(self, source: str, about: Mapping[str, Any]) -> str | None:
        """Ask the kernel to run a cell; return the id of the request, None where none can be sent."""
        content = {"code": source, "silent": False, "store_history": False, "user_expressions": {},
                   "allow_stdin": False, "stop_on_error": False}  # fmt: skip
        try:
            asked = self.client.session.msg("execute_request", content, metadata=about)
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
        return "the kernel ended" if look and not await self.manager.is_alive() else None

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
        if kind == "stream":
            text, name = str(content.get("text", "")), "stderr" if content.get("name") == "stderr" else "stdout"
            if outputs and outputs[-1].get("name") == name:
                outputs[-1]["text"] += text
            else:
                outputs.append({"output_type": "stream", "name": name, "text": text})
        elif kind == "error":
            trace = [str(line)[:10_000] for line in list(content.get("traceback", []))[:60]]
            outputs.append({"output_type": "error", "ename": str(content.get("ename")),
                            "evalue": str(content.get("evalue"))[:2000], "traceback": trace})  # fmt: skip
        elif isinstance(content.get("data"), dict):
            data = {kind: part for kind, part in content["data"].items() if kind == MIME or isinstance(part, str)}
            outputs.append({"output_type": "display_data", "data": data, "metadata": {}})

    async def _reply(self, message: str, seconds: float = 0.0) -> bool:
        """Return whether the kernel has replied to a message, or does so within some seconds."""
        end = time.monotonic() + seconds
        with contextlib.suppress(Empty):
            while True:
                got = await self._message(self.client.shell_channel, max(0.0, end - time.monotonic()))
                parent = got.get("parent_header")
                if isinstance(parent, dict) and parent.get("msg_id") == message:
                    content = got.get("content")
                    if isinstance(content, dict):
                        self.changed = content.get("changed", self.changed) is True
                        self.ended = self.ended or content.get("ended") is True
                    return True
                if time.monotonic() >= end:
                    break
        return False

    async def _interrupt(self, message: str) -> str:
        """Ask the kernel to stop the cell; a kernel that does not is lost."""
        with contextlib.suppress(zmq.Again):
            self.client.control_channel.send(self.client.session.msg("interrupt_request", {}))
        end = time.monotonic() + self.limits.grace
        while time.monotonic() < end and await self.manager.is_alive():
            if self.reason:
                return f"dead: {self.reason}"
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


def execute(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in an event loop of its own, whatever the thread."""
    return asyncio.run(coroutine)
