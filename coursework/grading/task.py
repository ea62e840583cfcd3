"""Grades one submission: a function of data alone, run anywhere; its result is data, and it leaves nothing behind."""

import functools
import json
import os
import resource
import subprocess
import sys
import time

from coursework.check.session import assignment_module, parameters_of
from coursework.grading.compare import judge
from coursework.grading.folders import scratch, sweep
from coursework.grading.graft import graft
from coursework.grading.key import Key, references
from coursework.grading.limits import Limits
from coursework.grading.reading import cells_of
from coursework.grading.sandbox import IN_WORDS, check

MOST_SHOWN, MOST_WIDE = 50_000, 2000  # characters of a cell and of a line of code in a feedback page


def grade(task):
    """Return the result of a submission.  task: {line, raw, key (JSON), limits, sandboxed}.

    Raises an exception only for faults of the grader itself: those are tried again, and are never a zero.
    """
    from coursework.grading.execute import SandboxedExecute

    check("" if task["sandboxed"] else IN_WORDS)  # a worker elsewhere may be root, or lack bubblewrap
    started, line = (time.monotonic(), cpu()), task["line"]
    sweep()
    key, limits = _key(task["key"]), Limits(**task["limits"])
    student = line["student"]
    released, cells = key.notebook(), cells_of(task["raw"], tuple(key.points))
    nb = graft(released, cells, student, key.seed_of(student))
    execute = SandboxedExecute()
    execute.limits, execute.sandboxed = limits, task["sandboxed"]
    execute.fonts = font_list() if "matplotlib" in task["key"] else None
    nb, resources = execute.preprocess(nb, {})
    report = resources["robotdyn"]
    verdicts = judge_all(key, student, report["answers"])
    unclear = any(verdict.points is None for verdict in verdicts.values())
    state = "wall limit" if report["over"] else "needs a person" if unclear else "graded"
    for cell in nb.cells:  # the answers and the hidden seed stay here; each verdict is shown where the answer stands
        role = cell.metadata["robotdyn"]
        if role["role"] == "begin":
            cell.source = next(part.source for part in released.cells if "check.begin" in part.source)
        cell.source = _readable(cell.source.replace(key.seed_of(student), ""), cell.cell_type)
        if role["role"] == "answer":
            cell.outputs.append(_shown(verdicts[role["question"]]))
    import nbformat

    result = {
        **{name: line[name] for name in ("upload", "assignment", "student", "sha")},
        "state": state,
        "key": key.fingerprint,
        "verdicts": {name: verdict.as_dict() for name, verdict in verdicts.items()},
        "notes": report["notes"],
        "allowed": limits.submission,
        "notebook": nbformat.writes(nb).replace(key.seed_of(student), ""),
        "seconds": round(time.monotonic() - started[0], 3),
        "cpu": round(cpu() - started[1], 3),
        "cpu_sandbox": round(report["cpu"], 3),
    }
    return json.loads(json.dumps(result, ensure_ascii=False).encode("utf8", "replace"))  # halves of characters


def judge_all(key, student, answers):
    """Return {question: Verdict} of all questions that a machine judges."""
    p = parameters_of(key.assignment, student)
    questions = assignment_module(key.assignment).QUESTIONS
    expected = references(key, student)
    verdicts = {}
    for name, most in key.points.items():
        spec = questions[name]
        seed = f"{key.seed_of(student)}|{name}"
        verdicts[name] = judge(spec, most, p, expected[name], answers.get(name), spec.states(p, seed), seed)
    return verdicts


def font_list():
    """Return Matplotlib's list of fonts, made once a machine: each kernel would search for fonts anew."""
    folder = scratch() / "matplotlib"
    found = sorted(folder.glob("fontlist-*.json"))
    if not found:
        folder.mkdir(exist_ok=True)
        code = "import matplotlib.font_manager"
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "MPLCONFIGDIR": str(folder)}, check=False, timeout=120
        )
        found = sorted(folder.glob("fontlist-*.json"))
    return found[-1] if found else None


def cpu():
    """Return CPU seconds of this process; a sandbox counts its own."""
    return sum(resource.getrusage(resource.RUSAGE_SELF)[:2])


@functools.lru_cache(maxsize=8)
def _key(text):
    return Key.from_json(text)


def _readable(source, kind="code"):
    """Return what a page shows of a cell: to color the words of a very long line of code would take hours."""
    shown = source[:MOST_SHOWN]
    if kind == "code":
        lines = [line if len(line) <= MOST_WIDE else f"{line[:MOST_WIDE]} ..." for line in shown.split("\n")]
        shown = "\n".join(lines)
    return shown + ("\n\n# The rest is not shown." if len(source) > MOST_SHOWN else "")


def _shown(verdict):
    from nbformat.v4 import new_output

    points = "a person decides" if verdict.points is None else f"{verdict.points:g}"
    text = "\n".join([f"{points} / {verdict.most:g}", *verdict.sentences]) + "\n"
    return new_output("stream", name="stdout", text=text)
