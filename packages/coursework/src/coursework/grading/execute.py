"""Executes a grafted notebook in the sandbox: a cell that ends its kernel costs its own question, not the notebook.

When a kernel is lost, repeat runs in fresh kernels tell whose fault it was.  A cell that ends a kernel of its own
question alone is at fault; if it does not, it runs once more after all others; if it is lost again, one of the others is
at fault, and is found by leaving them out in turn, first those that took most memory.  A cell that cannot be interrupted is
at fault itself, unless one before it could not either.

An answer that is not right after all cells above it is handed in once more after what is given and its question's own
cells alone, in a fresh kernel: in a process that has seen no other question's code.  What is right in either way counts.
"""

from __future__ import annotations

import ast
import asyncio
import re
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbgrader.preprocessors import Execute

from coursework.check.session import MIME
from coursework.grading import watch
from coursework.grading.kernel import NO_END, Kernel
from coursework.grading.limits import Limits
from coursework.grading.sanitize import LINK, TAG, is_deep

if TYPE_CHECKING:
    from nbformat import NotebookNode

    from coursework.check.aliases import Data
    from coursework.grading.aliases import Report

MOST_TRIALS = 8  # of cells that are left out to find the one at fault
ALONE = 0.5  # of the time of a whole notebook, for all questions that are judged by their own cells alone
NO_MEMORY = re.compile(r"^MemoryError\b", re.MULTILINE)
MOST_COLORS = 2000  # changes of color in one output
COLOR = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z]?)?")


class InfrastructureFault(RuntimeError):
    """The grader could not do its work: to be tried again, never a zero."""


class SandboxedExecute(Execute):
    """nbgrader's Execute, with the sandbox, a bound on everything, and new kernels for lost ones.

    Cells carry their role in metadata.robotdyn: begin, given, work, answer.  released: the sources of the cells that were
    handed out: a question whose cells are these alone has not been worked on.
    """

    limits = Limits()
    fonts: Path | None = None
    sandboxed = True
    hidden: Sequence[str] = ()
    beside: dict[str, bytes] = {}
    released: Collection[str] = ()
    right: Callable[[str, Any], bool] = staticmethod(lambda question, data: True)  # the judge's word on an answer

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, km: object = None
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Execute in place; resources["robotdyn"] gets answers by question, and notes in words.

        Three answers at most to a question: the last that a cell of the student's hands in, that of the released hand-in,
        and that of its own cells alone.
        """
        resources = {} if resources is None else resources
        cells = [cell for cell in nb.cells if cell.cell_type == "code" and cell.source.strip()]
        resources["robotdyn"] = asyncio.run(Execution(self, cells).run_all())
        return nb, resources


class Execution:
    """One notebook on its way: the cells that ran well, the kernel in which they did, answers and notes."""

    def __init__(self, settings: SandboxedExecute, cells: list[NotebookNode]) -> None:
        self.settings = settings
        self.limits = settings.limits
        self.cells = cells
        self.begun, self.allowed, self.granted = time.monotonic(), float(self.limits.submission), 0.0
        self.kernel: Any = None
        self.kernels, self.bytes_kept = 0, 0
        self.good: list[NotebookNode] = []
        self.bad: list[NotebookNode] = []
        self.grown: dict[str, int] = {}
        self.endless = False
        self.usable = False
        self.answers: dict[str, dict[str, Data]] = {
            cell.metadata["robotdyn"]["question"]: {} for cell in cells if role(cell) == "answer"
        }
        self.notes: list[str] = []
        self.cpu, self.places = 0.0, places(cells)
        self.imports = imports(cell.source for cell in cells if role(cell) in ("begin", "given"))

    @property
    def deadline(self) -> float:
        """When its time is over: while it waits for processors that others have, its time stands still, within reason."""
        return self.begun + self.allowed + min(self.granted, watch.PATIENCE * self.allowed)

    async def run_all(self) -> Report:
        """Run all cells; return what came of it."""
        done = 0
        try:
            for cell in self.cells:
                if self.is_over():
                    break
                await self.judge(cell)
                done += 1
            over = time.monotonic() >= self.deadline
            await self.judge_alone()
        finally:
            await self.end_sandbox()
        if done < len(self.cells):
            what = "its time was over" if over else "too many kernels were lost"
            self.notes.append(f"{len(self.cells) - done} cells were not run: {what}")
        answers = {question: list(handed.values()) for question, handed in self.answers.items() if handed}
        return {"answers": answers, "notes": self.notes, "over": over and done < len(self.cells), "cpu": self.cpu}

    def is_over(self) -> bool:
        """Return whether there is no time or no kernel left."""
        return time.monotonic() >= self.deadline or self.kernels > self.limits.restarts

    async def judge(self, cell: NotebookNode) -> None:
        """Run one cell after those that ran well; if the kernel is lost, find out whose fault it is."""
        how, outputs = await self.run_after(self.good, cell)
        if not lost(how):
            return self.keep(cell, how, outputs)
        self.note_ending(cell, how)
        own = self.own_cells(cell)
        endless = how.endswith(NO_END)
        before = self.endless
        self.endless = before or endless
        itself = endless and not before  # the first that has no end is at fault
        if itself or self.is_over():
            return self.show(cell, how, outputs)
        if lost((await self.run_after(own, cell, fresh=True))[0]):
            return self.give_up(cell, how, outputs)
        again, seen = (how, outputs) if endless else await self.run_after(self.good, cell, fresh=True)
        if lost(again):
            again, seen = await self.without_guilty(cell, own, again, seen)
        if lost(again):  # of its own cells alone it was not lost: those are what it is judged by
            self.good = own
            again, seen = await self.run_after(own, cell, fresh=True)
        return self.give_up(cell, how, outputs) if lost(again) else self.keep(cell, again, seen)

    def give_up(self, cell: NotebookNode, how: str, outputs: list[Any]) -> None:
        """Run a cell no more: it ends a kernel in which only its own question's cells are."""
        self.bad.append(cell)
        self.show(cell, how, outputs)

    async def without_guilty(
        self, cell: NotebookNode, own: list[NotebookNode], again: str, seen: list[Any]
    ) -> tuple[str, list[Any]]:
        """Run a cell without one after the other of those that others wrote, and leave out the one that ended its kernel.

        own: the cells that are its question's; again, seen: how it ended with all, and its outputs; return those without.
        """
        others = [part for part in reversed(self.good) if role(part) == "work" and not any(part is one for one in own)]
        others.sort(key=self.growth, reverse=True)
        for guilty in others[:MOST_TRIALS]:
            if not lost(again) or self.is_over():
                break
            whole = self.good
            self.good = [part for part in self.good if part is not guilty]
            again, seen = await self.run_after(self.good, cell, fresh=True)
            if lost(again):
                self.good = whole
            else:
                self.notes.append(
                    f"{self.places.get(guilty.get('id', ''), 'a cell')}: it ended the kernel in which others ran"
                )
        return again, seen

    def own_cells(self, cell: NotebookNode) -> list[NotebookNode]:
        """Return what the question of a cell is judged by alone: what is given, and its own cells, of those that ran well."""
        return self.own_cells_among(cell, self.good)

    def own_cells_among(self, cell: NotebookNode, cells: Iterable[NotebookNode]) -> list[NotebookNode]:
        """Return those of some cells that are given, and then those that are the question's of a cell."""
        question = cell.metadata["robotdyn"]["question"]
        found = list(cells)
        given = [part for part in found if role(part) in ("begin", "given")]
        mine = [part for part in found if role(part) == "work" and part.metadata["robotdyn"]["question"] == question]
        return given + mine if question is not None else given

    async def judge_alone(self) -> None:
        """Hand in what is not right once more, by its question's own cells: what others left behind costs it nothing.

        The time for this is its own, a share of that of the whole: what others took of that is their matter.
        """
        alone: list[str] = []
        self.begun = time.monotonic()
        self.allowed = ALONE * self.allowed
        self.granted = 0.0
        self.kernels = 0
        for place, cell in enumerate(self.cells):
            if role(cell) == "answer" and not self.is_bad(cell) and not self.is_right(cell):
                own = self.own_cells_among(cell, (part for part in self.cells if not self.is_bad(part)))
                if self.may_gain(self.cells[:place], own):
                    alone += await self.run_alone(own, cell)
        if alone:
            self.notes.append(f"{', '.join(alone)}: judged by its own cells alone, for what another cell left behind")

    def is_bad(self, cell: NotebookNode) -> bool:
        """Return whether a cell is run no more."""
        return any(cell is one for one in self.bad)

    def may_gain(self, before: list[NotebookNode], own: list[NotebookNode]) -> bool:
        """Return whether an answer may be another by its own cells: there are some, changed, and others' before its hand-in."""
        mine = [part for part in own if role(part) == "work"]
        others = [part for part in before if role(part) == "work" and not any(part is one for one in mine)]
        return bool(others) and any(part.source.strip() not in self.settings.released for part in mine)

    def is_right(self, cell: NotebookNode) -> bool:
        """Return whether an answer is right that was handed in for the question of a cell."""
        question = cell.metadata["robotdyn"]["question"]
        return any(self.settings.right(question, data) for data in self.answers[question].values())

    async def run_alone(self, own: list[NotebookNode], cell: NotebookNode) -> list[str]:
        """Hand in after a question's own cells, in a fresh kernel, and keep the answer; return [question] if it is right."""
        if self.is_over():
            return []
        question = cell.metadata["robotdyn"]["question"]
        _, outputs = await self.run_after(own, cell, fresh=True)
        for found, data in answers_in(outputs):
            if found == question:
                self.answers[question]["alone"] = data
        handed = self.answers[question]
        return [question] if "alone" in handed and self.settings.right(question, handed["alone"]) else []

    def growth(self, cell: NotebookNode) -> int:
        """Return by how many whole 64 MB a cell made its kernel grow: less says nothing."""
        return self.grown.get(cell.get("id", ""), 0) >> 26

    async def run_after(
        self, before: list[NotebookNode], cell: NotebookNode, fresh: bool = False
    ) -> tuple[str, list[Any]]:
        """Run a cell where those before it have run; return how it ended, and its outputs."""
        if fresh or not self.usable:
            await self.renew_kernel()
            for part in before:
                how, _ = await self.run_cell(part)
                if lost(how):
                    return how, []
        return await self.run_cell(cell)

    async def renew_kernel(self) -> None:
        """Have another kernel: in the sandbox that is there, unless that is of no more use.  Raises InfrastructureFault."""
        self.kernels += 1
        if self.kernel is None or not await self.kernel.renew():
            await self.end_sandbox()
            own = self.settings
            new = Kernel(self.limits, own.fonts, own.sandboxed, own.hidden, own.beside, self.imports)
            try:
                self.kernel = await new.__aenter__()
            except RuntimeError as error:
                raise InfrastructureFault(f"the kernel did not start: {error}") from error
            self.granted += self.kernel.granted
        self.kernel.bytes_kept = self.bytes_kept
        self.usable = True

    async def run_cell(self, cell: NotebookNode) -> tuple[str, list[Any]]:
        """Run one cell in the kernel that is there, which is used no more where it is lost."""
        before = self.kernel.granted
        left = self.deadline - time.monotonic()
        how, outputs = await self.kernel.run(cell.source, min(self.limits.cell, max(0.1, left)))
        self.granted += self.kernel.granted - before
        if how == "done" and out_of_memory(outputs):
            how = "dead: there was no memory left"  # what fills it is still there, and would cost the other questions
        self.grown[cell.get("id", "")] = self.kernel.grown
        self.usable = not lost(how)
        return how, outputs

    async def end_sandbox(self) -> None:
        """End the sandbox, if there is one."""
        self.usable = False
        if self.kernel is not None:
            kernel = self.kernel
            self.kernel = None
            await kernel.__aexit__()
            self.cpu += kernel.cpu

    def keep(self, cell: NotebookNode, how: str, outputs: list[Any]) -> None:
        """Keep what came of a cell that ran: its outputs, its answer; later cells run after it."""
        info = cell.metadata["robotdyn"]
        if how != "done":
            self.note_ending(cell, how)
        if self.kernel is not None:
            self.bytes_kept = self.kernel.bytes_kept
        self.show(cell, how, outputs)
        for question, data in answers_in(outputs):
            if info["role"] == "answer" and info["question"] != question:
                continue  # a released cell hands in one answer: this one is not its own
            if question in self.answers:
                self.answers[question][info["role"]] = data
        if info["role"] != "answer":
            self.good.append(cell)

    def show(self, cell: NotebookNode, how: str, outputs: list[Any]) -> None:
        """Put the outputs of a cell where a page shows them."""
        cell.outputs = [showable_output(output) for output in outputs if MIME not in output.get("data", {})]
        if how != "done":
            cell.outputs.append(
                showable_output({"output_type": "stream", "name": "stderr", "text": f"[grader] {how}\n"})
            )

    def note_ending(self, cell: NotebookNode, how: str) -> None:
        """Say in words where a cell did not end well."""
        self.notes.append(f"{self.places.get(cell.get('id', ''), 'a cell')}: {how.partition(': ')[2]}")


def answers_in(outputs: list[Any]) -> list[tuple[str, Any]]:
    """Return the answers [(question, data)] that a cell handed in."""
    parts = [output.get("data", {}).get(MIME) for output in outputs]
    return [(part["question"], part.get("data")) for part in parts
            if isinstance(part, dict) and isinstance(part.get("question"), str)]  # fmt: skip


def lost(how: str) -> bool:
    """Return whether a kernel is of no more use."""
    return how.startswith("dead")


def role(cell: NotebookNode) -> str:
    """Return the role of a cell."""
    return cell.metadata["robotdyn"]["role"]


def out_of_memory(outputs: list[Any]) -> bool:
    """Return whether a cell stopped for want of memory; with too little left to format the error, standard error tells."""
    texts = ("".join(output.get("text", "")) for output in outputs if output.get("name") == "stderr")
    return any(output.get("ename") == "MemoryError" for output in outputs) or any(map(NO_MEMORY.search, texts))


def imports(sources: Iterable[str]) -> str:
    """Return the statements of cells that import something, those of the given cells: no line of them is a student's."""
    found: list[ast.stmt] = []
    for source in sources:
        try:
            found += [part for part in ast.parse(source).body if isinstance(part, (ast.Import, ast.ImportFrom))]
        except SyntaxError:  # it has a magic line
            continue
    return "\n".join(map(ast.unparse, found))


def places(cells: list[NotebookNode]) -> dict[str, str]:
    """Return {id of a cell: where it stands, in words}: a teacher knows cells by the questions near them."""
    words = "after the last question"
    found: dict[str, str] = {}
    for cell in reversed(cells):
        role = cell.metadata["robotdyn"]
        if role["role"] == "answer":
            words = f"before {role['question']}"
        found[cell.get("id", "")] = role["question"] if role["role"] == "answer" else words
    return found


def showable_output(output: Any) -> NotebookNode:
    """Return an output as a notebook node, without what no page can show."""
    from nbformat import from_dict as node

    if "text" in output:
        output = {**output, "text": _few_colors(output["text"])}
    if "traceback" in output:
        output = {**output, "traceback": [_few_colors(line) for line in output["traceback"]]}
    if "data" in output:
        shown = {kind: part for kind, part in output["data"].items() if _showable(kind, part)}
        output = {**output, "data": shown or {"text/plain": "[not shown]"}}
    return node(output)


def _few_colors(text: str) -> str:
    """Return the text; without colors if there are so many that a page takes minutes to show them."""
    return text if text.count("\x1b") <= MOST_COLORS else COLOR.sub("", text)


def _showable(kind: str, part: object) -> bool:
    """Return whether a page may show it: text, or a picture; nothing that a browser could take for a script."""
    if not isinstance(part, str):
        return False
    if kind in ("image/png", "image/jpeg"):
        return re.fullmatch(r"[A-Za-z0-9+/=\s]*", part) is not None
    return kind == "text/plain" or (
        kind == "text/latex" and not (TAG.search(part) or LINK.search(part) or is_deep(part))
    )
