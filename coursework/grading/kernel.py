"""One sandboxed kernel: its private folder, what it sends within bounds, one cell at a time, its end."""

import asyncio
import contextlib
import fcntl
import os
import tempfile
import time
from pathlib import Path
from queue import Empty

from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager

from coursework.check.session import MIME
from coursework.grading import sandbox, seccomp, watch
from coursework.grading.folders import PREFIX, remove, scratch

RECEIVED = 16  # floods that may wait, in parts or unpacked, in the memory of this process
CONTAINER = 64  # bytes of an empty list
SILENCE = 4.0  # seconds after which a cell that has replied will say no more


class SandboxedKernelManager(AsyncKernelManager):
    """A kernel manager whose kernelspec is the sandbox, over sockets in a folder of its own."""

    @property
    def kernel_spec(self):
        """The kernelspec; Jupyter asks for it by name otherwise."""
        return self._kernel_spec


class Kernel:
    """A kernel in a sandbox.  `async with Kernel(limits) as kernel:  outcome, outputs = await kernel.run(source)`."""

    def __init__(self, limits, fonts=None, sandboxed=True):
        self.limits, self.fonts, self.sandboxed = limits, fonts, sandboxed
        self.bytes_kept, self.stray, self.cpu, self.before = 0, 0, 0.0, watch.memory([os.getpid()])

    async def __aenter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=scratch()))
        self.lock = os.open(self.folder.parent / (self.folder.name + ".lock"), os.O_CREAT | os.O_RDWR, 0o600)
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        try:
            await self._start()
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def _start(self):
        sockets = self.folder / "s"
        sockets.mkdir(mode=0o700)
        self.manager = SandboxedKernelManager(
            transport="ipc", ip=str(sockets / "k"), connection_file=str(sockets / "c.json")
        )
        self.manager._kernel_spec = KernelSpec(
            argv=self._argv(sockets), display_name="sandboxed", language="python", interrupt_mode="message"
        )
        here, self.line = os.pipe()  # ends when this process ends, in whatever way: see kernel_launch
        with open(self.folder / "log", "wb") as log, open(here, "rb") as line:
            await self.manager.start_kernel(
                stdin=line, stdout=log, stderr=log, cwd="/", env={"PATH": os.environ.get("PATH", os.defpath)}
            )
        self.started = time.monotonic()
        self.client = self.manager.client()
        self.client.start_channels()
        await self.client.wait_for_ready(timeout=self.limits.start)

    def _argv(self, sockets):
        if not self.sandboxed:
            import sys

            return [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        filter_file = self.folder / "filter"
        filter_file.write_bytes(seccomp.program() or b"")
        return sandbox.with_filter(sandbox.command(sockets, self.limits, self.fonts), filter_file)

    async def __aexit__(self, *error):
        if hasattr(self, "client"):
            self.client.stop_channels()
        manager = getattr(self, "manager", None)
        if manager is not None:
            pid = self.pid
            if pid:
                self.cpu = watch.cpu_seconds(pid)
                watch.kill(pid)
            await manager.shutdown_kernel(now=True)
        if hasattr(self, "line"):
            os.close(self.line)
        remove(self.folder)
        (self.folder.parent / (self.folder.name + ".lock")).unlink(missing_ok=True)
        os.close(self.lock)

    @property
    def pid(self):
        """The process id of the sandbox, or None."""
        return getattr(self.manager.provisioner, "pid", None) if self.manager.provisioner else None

    async def run(self, source, seconds):
        """Run one cell.  Return how it ended (done, interrupted, dead and why) and its outputs."""
        message = self.client.execute(source, store_history=False, allow_stdin=False, stop_on_error=False)
        outputs, seen, replied, last = [], 0, None, time.monotonic()
        end, look = last + seconds, last + 0.2
        while True:
            now = time.monotonic()
            if now >= look:
                look = now + 0.2
                reason = self._trespass()
                if reason:
                    return f"dead: {reason}", outputs
                if not await self.manager.is_alive():
                    return "dead: the kernel ended", outputs
            if now >= end:
                return await self._interrupt(message), outputs
            try:
                got = await self.client.iopub_channel.get_msg(timeout=min(0.2, end - now))
            except Empty:
                replied = replied or await self._reply(message)
                if replied and time.monotonic() - last > SILENCE:
                    return "done", outputs  # the kernel is through; its last message was too large to be taken
                continue
            except Exception:  # a message that is none: forged, or cut
                continue
            last = time.monotonic()
            content, parent = got.get("content"), got.get("parent_header")
            size = size_of(content)
            if not isinstance(content, dict) or not isinstance(parent, dict) or parent.get("msg_id") != message:
                self.stray += size  # of an earlier cell, or of nobody: it is not this cell's fault, within reason
                if self.stray > 16 * self.limits.flood:
                    return "dead: a flood of output", outputs
                continue
            seen += size
            if seen > self.limits.flood:
                return "dead: a flood of output", outputs
            if got["msg_type"] == "status" and content.get("execution_state") == "idle":
                return "done", outputs
            with contextlib.suppress(TypeError, AttributeError, ValueError):  # what a forged message may hold
                self._keep(got["msg_type"], content, outputs)

    def _trespass(self):
        """Return what the sandbox does that it may not, in words, or None: also what it sends to this process."""
        if watch.memory([os.getpid()]) - self.before > RECEIVED * self.limits.flood:
            return "a flood of output"
        seconds = time.monotonic() - self.started
        return self.sandboxed and watch.trespass(self.pid, self.folder / "s", self.limits, seconds)

    def _keep(self, kind, content, outputs):
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
            text = str(content.get("text", ""))
            if outputs and outputs[-1].get("name") == content.get("name"):
                outputs[-1]["text"] += text
            else:
                name = "stderr" if content.get("name") == "stderr" else "stdout"
                outputs.append({"output_type": "stream", "name": name, "text": text})
        elif kind == "error":
            trace = [str(line)[:10_000] for line in list(content.get("traceback", []))[:60]]
            outputs.append({"output_type": "error", "ename": str(content.get("ename")),
                            "evalue": str(content.get("evalue"))[:2000], "traceback": trace})  # fmt: skip
        elif isinstance(content.get("data"), dict):
            data = {kind: part for kind, part in content["data"].items() if kind == MIME or isinstance(part, str)}
            outputs.append({"output_type": "display_data", "data": data, "metadata": {}})

    async def _reply(self, message):
        try:
            reply = await self.client.shell_channel.get_msg(timeout=0)
        except Exception:
            return None
        parent = reply.get("parent_header")
        return reply if isinstance(parent, dict) and parent.get("msg_id") == message else None

    async def _interrupt(self, message):
        """Ask the kernel to stop the cell; a kernel that does not is lost."""
        await self.manager.interrupt_kernel()
        end = time.monotonic() + self.limits.grace
        while time.monotonic() < end and await self.manager.is_alive():
            reason = self._trespass()
            if reason:
                return f"dead: {reason}"
            try:
                got = await self.client.iopub_channel.get_msg(timeout=0.2)
            except Exception:
                continue
            content, parent = got.get("content"), got.get("parent_header")
            if not isinstance(content, dict) or not isinstance(parent, dict) or got["msg_type"] != "status":
                continue
            if content.get("execution_state") == "idle" and parent.get("msg_id") == message:
                return "interrupted: the time of a cell was over"
        return "dead: the time of a cell was over, and it could not be interrupted"


def size_of(content):
    """Return about how many bytes a message holds, without writing it out."""
    total, todo = 0, [content]
    while todo:
        part = todo.pop()
        if isinstance(part, str):
            total += len(part)
        elif isinstance(part, dict):
            todo += [*part.keys(), *part.values()]
            total += CONTAINER
        elif isinstance(part, (list, tuple)):
            todo += part
            total += CONTAINER
        else:
            total += 8
    return total


def execute(coroutine):
    """Run a coroutine in an event loop of its own, whatever the thread."""
    return asyncio.run(coroutine)
