"""Grades one submission: a function of data alone, run anywhere; its result is data, and it leaves nothing behind."""

from __future__ import annotations

import functools
import html
import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coursework.check.diagnosis import Diagnosis, Kind
from coursework.check.question import Credit
from coursework.grading import judge
from coursework.grading.beside import merged_files, unread, used
from coursework.grading.compare import Verdict
from coursework.grading.credit import describe_parts, points_of
from coursework.grading.folders import scratch, sweep
from coursework.grading.key import Key
from coursework.grading.limits import Limits
from coursework.grading.sandbox import IN_WORDS, check, prove
from coursework.grading.sanitize import IMAGE, is_deep

if TYPE_CHECKING:
    from nbformat import NotebookNode

    from coursework.grading.aliases import Judged, Report, Result
    from coursework.grading.judge import Judge

MOST_SHOWN, MOST_WIDE, MOST_PAGE = 50_000, 2000, 1_000_000  # characters of a cell, a line of code, a feedback page
MOST_PICTURES = 40 << 20  # characters of the pictures of a page, each as often as it is shown
MOST_SECONDS = 3.0  # of CPU, for all texts of a page
NOT_THERE = ("ModuleNotFoundError", "ImportError", "NameError", "FileNotFoundError")
MISSING = re.compile(r"No module named '(\w{1,60})")
MOST_TOLD = 120  # characters of an error
WIDTH = 200  # characters of a line of a text that is shown as it was written
ANOTHER_ID = "the notebook was begun with another id, or none; it is graded with the numbers of whoever handed it in"
FRAME = "border: 3px double #0b6; border-radius: 6px; padding: 0.4em 0.8em; white-space: pre-wrap"


def grade(task: dict[str, Any]) -> Result:
    """Return the result of a submission.  task: {line, raw, files, key (JSON), limits, sandboxed, hidden, elsewhere}.

    Raises an exception only for faults of the grader itself: those are tried again, and are never a zero.
    """
    check("" if task["sandboxed"] else IN_WORDS)  # a worker elsewhere may be root, or lack bubblewrap
    if task["sandboxed"] and task["elsewhere"]:
        _proven(tuple(task["hidden"]))
    started = (time.monotonic(), cpu())
    line = task["line"]
    sweep()
    key = _key(task["key"])
    limits = Limits(**task["limits"])
    student = line["student"]
    judging = judge.here()
    judging.cpu = 0.0
    judging.open(task["key"], student)
    try:
        nb, report = _executed(task, key, limits, judging)
        verdicts = {
            name: better([judging.verdict(name, data) for data in report["answers"].get(name, [None])])
            for name in key.points
        }
        lost = failures(nb)
        verdicts = {name: _waiting(name, verdict, lost, task, judging) for name, verdict in verdicts.items()}
    except judge.NoEnd as error:  # the notebook's fault, whatever it is: a person looks
        lost = {}
        nb = key.notebook()
        report = {"notes": [f"the notebook cannot be read: {error}"], "over": False, "cpu": 0.0}
        verdicts = {
            name: Verdict(None, most, (Diagnosis(Kind.PERSON, "A person looks at this notebook."),)).as_dict()
            for name, most in key.points.items()
        }
    unclear = any(verdict["points"] is None for verdict in verdicts.values())
    state = "wall limit" if report["over"] else "needs a person" if unclear else "graded"
    _for_a_page(nb, key, student, verdicts, judging)
    import nbformat

    result = {
        **{name: line[name] for name in ("upload", "assignment", "student", "sha")},
        **({"files": files} if (files := used(line)) else {}),
        **({"wanted": wanted} if (wanted := modules_wanted(lost, verdicts)) else {}),
        "state": state,
        "key": key.fingerprint,
        "verdicts": verdicts,
        "notes": report["notes"],
        "allowed": limits.submission,
        "notebook": nbformat.writes(nb).replace(key.seed_of(student), ""),
        "seconds": round(time.monotonic() - started[0], 3),
        "cpu": round(cpu() - started[1] + judging.cpu, 3),
        "cpu_sandbox": round(report["cpu"], 3),
    }
    return json.loads(json.dumps(result, ensure_ascii=False).encode("utf8", "replace"))  # halves of characters


def better(verdicts: Sequence[Judged]) -> Judged:
    """Return the verdict with most points, since a student may hand in in two ways; a person decides where none was judged."""
    judged = [verdict for verdict in verdicts if verdict["points"] is not None]
    return max(judged or verdicts, key=lambda verdict: (verdict["points"] or 0, points_of(verdict, Credit()) or 0))


def failures(nb: NotebookNode) -> dict[str, list[str]]:
    """Return {question: what a cell of it stopped with} where something that the cell needs was not there."""
    found: dict[Any, list[str]] = {}
    for cell in nb.cells:
        about = cell.metadata.get("robotdyn", {})
        for output in cell.get("outputs", ()) if cell.cell_type == "code" else ():
            if output.get("ename") in NOT_THERE:
                found.setdefault(about.get("question"), []).append(f"{output['ename']}: {output['evalue'][:MOST_TOLD]}")
    return found


def _waiting(
    question: str, verdict: Judged, lost: Mapping[str, list[str]], task: dict[str, Any], judging: Judge
) -> Judged:
    """Return a verdict; a person decides where an answer that held at home lacks a module, a file or a name that comes later."""
    if verdict["points"] is None or verdict["points"] >= verdict["most"]:
        return verdict
    cell = next(iter(lost.get(question, ())), "")
    function = next((error for error in _errors(verdict) if error.split(":")[0].strip() in NOT_THERE), "")
    if not (cell or function) or question not in judging.held(task["key"], task["raw"]):
        return verdict
    why = f"its cell stopped with {cell}" if cell else f"its function stopped with {function}"
    words = (
        f"A person looks at this answer: {why.rstrip('.')}, and the notebook's own record says that the answer held."
    )
    return Verdict(None, verdict["most"], (Diagnosis(Kind.PERSON, words),)).as_dict()


def _errors(verdict: Judged) -> list[str]:
    """Return what the functions or cells of an answer stopped with, as Python says it."""
    return [one["error"] for one in verdict.get("found", ()) if one.get("error")]


def modules_wanted(lost: Mapping[str, list[str]], verdicts: Mapping[str, Judged]) -> list[str]:
    """Return the modules that a notebook imports and that were not there, by the first part of their names."""
    texts = [text for said in lost.values() for text in said] + [s for one in verdicts.values() for s in _errors(one)]
    return sorted({found[1] for text in texts for found in MISSING.finditer(text)})


def _executed(task: dict[str, Any], key: Key, limits: Limits, judging: Judge) -> tuple[NotebookNode, Report]:
    """Return the executed notebook, and the report of its answers."""
    import nbformat

    from coursework.grading.execute import SandboxedExecute

    nb = nbformat.reads(judging.graft(task["key"], task["raw"], task["line"]["student"]), as_version=4)
    execute = SandboxedExecute()
    execute.limits = limits
    execute.sandboxed = task["sandboxed"]
    execute.hidden = task["hidden"]
    execute.beside = merged_files(task.get("files", {}), key.beside())
    execute.right = lambda question, data: judging.verdict(question, data)["points"] == key.points[question]
    execute.released = {cell.source.strip() for cell in key.notebook().cells}
    execute.fonts = font_list() if "matplotlib" in task["key"] else None
    notes = nb.metadata.pop("robotdyn")["notes"]
    nb, resources = execute.preprocess(nb, {})
    report = resources["robotdyn"]
    others = (
        [f"handed in beside it, for a person to look at: {', '.join(names)}"] if (names := unread(task["line"])) else []
    )
    report["notes"] = [*notes, *others, *report["notes"]]
    begin = next(cell for cell in nb.cells if cell.metadata["robotdyn"]["role"] == "begin")
    own = f"numbers of {task['line']['student']!r}"  # who grades in Formgrader sees no ids
    begin.outputs += [grader_box(ANOTHER_ID if note.endswith(own) else note) for note in notes]
    return nb, report


def _for_a_page(nb: NotebookNode, key: Key, student: str, verdicts: Mapping[str, Judged], judging: Judge) -> None:
    """Take secrets and answers out of an executed notebook, bound it, and show each verdict where its answer stands."""
    first = next(part.source for part in key.notebook().cells if "check.begin" in part.source)
    room = MOST_PAGE
    texts = _Texts(judging)
    for cell in nb.cells:
        role = cell.metadata.get("robotdyn", {"role": ""})
        if role["role"] == "begin":
            cell.source = first
        shown = _readable(re.sub(rf"{key.seed_of(student)}(?: {{[^'\n]*}})?", "", cell.source), cell.cell_type)
        if cell.cell_type == "markdown" and not texts.can_show(shown, cell.get("attachments", {})):
            shown = as_written(shown)
        cell.source = shown if len(shown) <= room else "# This is not shown: the page would be too long."
        room -= len(cell.source)
        if role["role"] == "answer":
            verdict = verdicts[role["question"]]
            cell.outputs.append(verdict_box(verdict, verdict["points"]))


class _Texts:
    """The texts of one page, which merged_files may take so long to show, and hold pictures of so many bytes."""

    def __init__(self, judging: Judge) -> None:
        self.judging = judging
        self.written = 0
        self.pictured = 0
        self.seconds = MOST_SECONDS

    def can_show(self, text: str, attachments: Mapping[str, Mapping[str, str]]) -> bool:
        """Return whether one more text can be shown as Markdown; attachments: its pictures."""
        self.written += len(text)
        long = len(text) > MOST_WIDE or self.written > MOST_SHOWN  # many short texts are slow, too
        if long and self.seconds > 0:
            self.seconds -= self.judging.seconds_to_show(IMAGE.sub("", text))
        pictures = [(f"attachment:{name}", kinds.values()) for name, kinds in attachments.items()]
        self.pictured += sum(text.count(name) * len(part) for name, parts in pictures for part in parts)
        too_long = long and self.seconds <= 0
        too_large = bool(pictures) and self.pictured > MOST_PICTURES
        return not (too_long or too_large or is_deep(text))


def as_written(text: str) -> str:
    """Return Markdown that shows a text letter by letter; in short lines, since a page looks for links in each of them."""
    lines = [line[i : i + WIDTH] for line in text.split("\n") for i in range(0, len(line) or 1, WIDTH)]
    return "\n".join(f"    {line}" for line in lines)


def verdict_box(verdict: Judged, points: float | None) -> NotebookNode:
    """Return the output that shows a verdict and its points, None where a person decides."""
    earned = "a person decides" if points is None else f"{points:g}"
    parts = [describe_parts(verdict)] if points and points < verdict["most"] else []
    return grader_box("\n".join([f"{earned} / {verdict['most']:g}", *verdict["sentences"], *parts]))


def grader_box(text: str) -> NotebookNode:
    """Return an output that only the grader can make: no notebook's HTML is ever shown."""
    from nbformat.v4 import new_output

    data = {
        "text/html": f'<div style="{FRAME}" class="tex2jax_ignore"><b>Grader:</b> {html.escape(text)}</div>',
        "text/plain": f"[grader] {text}",
    }
    return new_output("display_data", data=data)


@functools.lru_cache(maxsize=1)
def _proven(hidden: tuple[str, ...]) -> None:
    prove(hidden)


def font_list() -> Path | None:
    """Return Matplotlib's list of fonts, made once a machine: each kernel would search for fonts anew."""
    folder = scratch() / "matplotlib"
    found = sorted(folder.glob("fontlist-*.json"))
    if not found:
        folder.mkdir(exist_ok=True)
        argv = [sys.executable, "-P", "-c", "import matplotlib.font_manager"]
        subprocess.run(argv, env={**os.environ, "MPLCONFIGDIR": str(folder)}, check=False, timeout=120)
        found = sorted(folder.glob("fontlist-*.json"))
    return found[-1] if found else None


def cpu() -> float:
    """Return CPU seconds of this process; a sandbox counts its own."""
    return sum(resource.getrusage(resource.RUSAGE_SELF)[:2])


@functools.lru_cache(maxsize=8)
def _key(text: str) -> Key:
    return Key.from_json(text)


def _readable(source: str, kind: str = "code") -> str:
    """Return what a page shows of a cell: to color the words of a very long line of code would take hours."""
    shown = source[:MOST_SHOWN]
    if kind == "code":
        lines = [line if len(line) <= MOST_WIDE else f"{line[:MOST_WIDE]} ..." for line in shown.split("\n")]
        shown = "\n".join(lines)
    return shown + ("\n\n# The rest is not shown." if len(source) > MOST_SHOWN else "")
