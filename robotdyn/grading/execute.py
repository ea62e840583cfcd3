"""Executes a grafted notebook in the sandbox: a cell that kills or hangs its kernel costs that cell, not the notebook."""

import re
import time

from nbgrader.preprocessors import Execute

from robotdyn.check.session import MIME
from robotdyn.grading.graft import TAG
from robotdyn.grading.kernel import Kernel, execute
from robotdyn.grading.limits import Limits

NO_MEMORY = re.compile(r"^MemoryError\b", re.MULTILINE)


class InfrastructureFault(RuntimeError):
    """The grader could not do its work: to be tried again, never a zero."""


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
        report = {"answers": {}, "notes": [], "over": False, "cpu": 0.0, "places": places(cells)}
        good, bad, place, kept = [], set(), 0, 0
        for attempt in range(self.limits.restarts + 1):
            if place >= len(cells):
                break
            try:
                async with Kernel(self.limits, self.fonts, self.sandboxed) as kernel:
                    kernel.bytes_kept = kept
                    place = await self._some(kernel, cells, place, good, bad, end, report)
                    kept = kernel.bytes_kept
                report["cpu"] += kernel.cpu
            except RuntimeError as error:
                raise InfrastructureFault(f"the kernel did not start: {error}") from error
            if report["over"]:
                break
        if place < len(cells):
            what = "its time was over" if report["over"] else "too many kernels were lost"
            report["notes"].append(f"{len(cells) - place} cells were not run: {what}")
        return report

    async def _some(self, kernel, cells, place, good, bad, end, report):
        """Run cells until the kernel is lost or all is done; return the place to go on from."""
        for cell in list(good):
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
    """Return whether a cell stopped for want of memory; with too little left to format the error, its text tells."""
    texts = ("".join(output.get("text", "")) for output in outputs)
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

    if "data" in output:
        shown = {kind: part for kind, part in output["data"].items() if _showable(kind, part)}
        output = {**output, "data": shown}
    return node(output)


def _showable(kind, part):
    """Return whether a page may show it: text, or a picture; nothing that a browser could take for a script."""
    if not isinstance(part, str):
        return False
    if kind in ("image/png", "image/jpeg"):
        return re.fullmatch(r"[A-Za-z0-9+/=\s]*", part) is not None
    return kind == "text/plain" or (kind == "text/latex" and not TAG.search(part))
