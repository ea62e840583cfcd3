"""Executes a grafted notebook in the sandbox: a cell that kills or hangs its kernel costs that cell, not the notebook."""

import re
import time

from nbgrader.preprocessors import Execute

from coursework.check.session import MIME
from coursework.grading.graft import LINK, TAG
from coursework.grading.kernel import Kernel, execute
from coursework.grading.limits import Limits

NO_MEMORY = re.compile(r"^MemoryError\b", re.MULTILINE)
MOST_COLORS = 2000  # changes of color in one output
COLOR = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z]?)?")


class InfrastructureFault(RuntimeError):
    """The grader could not do its work: to be tried again, never a zero."""


class Suspicion:
    """After two losses in a row the cause may be a cell that ended well before them: it is left out, once, to see."""

    def __init__(self):
        self.first, self.cell, self.after, self.tried = None, None, 0, False

    def place_after_loss(self, good, well, place):
        """Return where to go on.  good: cells that ended well; well: how many ever did; place: after the lost cell."""
        if self.cell is not None:
            cell, self.cell = self.cell, None
            if place - 1 != self.first[1]:
                return place
            good.append(cell)  # the same cell is lost without it: it was innocent
            return self.after
        if self.first and self.first[0] == well and good and not self.tried:
            self.tried, self.cell, self.after = True, good.pop(), place
            return self.first[1]  # what was lost for it runs once more
        self.first = well, place - 1
        return place


class SandboxedExecute(Execute):
    """nbgrader's Execute, with the sandbox, a bound on everything, and new kernels for lost ones.

    Cells carry their role in metadata.robotdyn: begin, work, answer.  After a kernel is lost, a new one runs the cells
    that ended well so far, without the one that was its end, and goes on.
    """

    limits = Limits()
    fonts = None
    sandboxed = True

    def preprocess(self, nb, resources=None, km=None):
        """Execute in place; resources["robotdyn"] gets answers by question, and notes in words."""
        resources = {} if resources is None else resources
        resources["robotdyn"] = execute(self._all(nb))
        return nb, resources

    async def _all(self, nb):
        cells = [cell for cell in nb.cells if cell.cell_type == "code" and cell.source.strip()]
        end = time.monotonic() + self.limits.submission
        report = {"answers": {}, "notes": [], "over": False, "cpu": 0.0, "well": 0, "places": places(cells)}
        good, place, kept, suspicion = [], 0, 0, Suspicion()
        for attempt in range(self.limits.restarts + 1):
            if place >= len(cells):
                break
            try:
                async with Kernel(self.limits, self.fonts, self.sandboxed) as kernel:
                    kernel.bytes_kept, known = kept, len(good)
                    place = await self._some(kernel, cells, place, good, end, report)
                    kept = kernel.bytes_kept
                report["cpu"] += kernel.cpu
            except RuntimeError as error:
                raise InfrastructureFault(f"the kernel did not start: {error}") from error
            if report["over"]:
                break
            if len(good) >= known:  # else a cell was lost when it ran again: it is out
                place = suspicion.place_after_loss(good, report["well"], place)
        if place < len(cells):
            what = "its time was over" if report["over"] else "too many kernels were lost"
            report["notes"].append(f"{len(cells) - place} cells were not run: {what}")
        return report

    async def _some(self, kernel, cells, place, good, end, report):
        """Run cells until the kernel is lost or all is done; return the place to go on from."""
        for cell in list(good):
            if time.monotonic() >= end:
                report["over"] = True
                return place
            if not await self._one(kernel, cell, end, report, again=True):
                good.remove(cell)
                return place
        while place < len(cells):
            if time.monotonic() >= end:
                report["over"] = True
                return place
            cell, place = cells[place], place + 1
            alive = await self._one(kernel, cell, end, report)
            if not alive:
                return place
            report["well"] += 1
            if cell.metadata["robotdyn"]["role"] != "answer":
                good.append(cell)
        return place

    async def _one(self, kernel, cell, end, report, again=False):
        """Run one cell; return whether the kernel lives."""
        seconds = max(0.1, min(self.limits.cell, end - time.monotonic()))
        how, outputs = await kernel.run(cell.source, seconds)
        role = cell.metadata["robotdyn"]
        if not again:
            cell.outputs = [from_dict(output) for output in outputs if MIME not in output.get("data", {})]
            if role["role"] == "answer":
                found = [output["data"][MIME] for output in outputs if MIME in output.get("data", {})]
                found = [part for part in found if isinstance(part, dict) and part.get("question") == role["question"]]
                if found:
                    report["answers"][role["question"]] = found[-1].get("data")
        if how == "done" and out_of_memory(outputs):
            how = "dead: there was no memory left"  # what fills it is still there, and would cost the other questions
        if how == "done":
            return True
        report["notes"].append(f"{report['places'].get(cell.get('id'), 'a cell')}: {how.partition(': ')[2]}")
        if not again:
            cell.outputs.append(from_dict({"output_type": "stream", "name": "stderr", "text": f"[grader] {how}\n"}))
        return not how.startswith("dead")


def out_of_memory(outputs):
    """Return whether a cell stopped for want of memory; with too little left to format the error, standard error tells."""
    texts = ("".join(output.get("text", "")) for output in outputs if output.get("name") == "stderr")
    return any(output.get("ename") == "MemoryError" for output in outputs) or any(map(NO_MEMORY.search, texts))


def places(cells):
    """Return {id of a cell: where it stands, in words}: a teacher knows cells by the questions near them."""
    words, found = "after the last question", {}
    for cell in reversed(cells):
        role = cell.metadata["robotdyn"]
        if role["role"] == "answer":
            words = f"before {role['question']}"
        found[cell.get("id")] = role["question"] if role["role"] == "answer" else words
    return found


def from_dict(output):
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


def _few_colors(text):
    """Return the text; without colors if there are so many that a page takes minutes to show them."""
    return text if text.count("\x1b") <= MOST_COLORS else COLOR.sub("", text)


def _showable(kind, part):
    """Return whether a page may show it: text, or a picture; nothing that a browser could take for a script."""
    if not isinstance(part, str):
        return False
    if kind in ("image/png", "image/jpeg"):
        return re.fullmatch(r"[A-Za-z0-9+/=\s]*", part) is not None
    return kind == "text/plain" or (kind == "text/latex" and not TAG.search(part) and not LINK.search(part))
