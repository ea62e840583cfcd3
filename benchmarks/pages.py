"""How soon a page of the book is there on a phone, beside the same notebook as Jupyter Book builds it by itself.

By Lighthouse's mobile profile: a slow line, a processor at a quarter of its speed.  A task takes the time that the processor
worked on it, not the time it waited for one.  Both ways take turns.  Needs `make book` and `make browser`.

Run:  python benchmarks/pages.py [--quick]      prints the table and writes benchmarks/results/pages.md
"""

import contextlib
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from peers.clock import machine, report

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / folder) for folder in ("tests/book", "packages/movingfigures/tests")]

import lighthouse  # noqa: E402
from browsing import HTML, served  # noqa: E402

PAGES = ["lagrange", "two-link", "sources"]
TRACE = "defaultPass.trace.json"
MEASURES = {"largest paint s": "largest-contentful-paint", "blocked s": "total-blocking-time"}


def in_processor_time(events):
    """Change the events of a trace, so that a task takes the time that the processor worked on it, not the time it waited for one.

    The same page measures the same on a busy machine. Inside of a task, each event begins when its thread had worked so long.
    """
    threads = defaultdict(list)
    for event in events:
        threads[event["pid"], event["tid"]].append(event)
    for thread in threads.values():
        task = None
        end = 0
        for event in sorted(thread, key=lambda event: (event["ts"], -event.get("dur", 0))):
            if event["ts"] < end and "tts" in event:
                event["ts"] = task["ts"] + max(0, event["tts"] - task["tts"])
            elif event["ph"] == "X" and "tdur" in event and event["name"].endswith("RunTask"):
                task = event
                end = event["ts"] + event["dur"]
            if event["ph"] == "X" and "tdur" in event:
                event["dur"] = event["tdur"]


def visited(where):
    """Return what one visit measures, {name: number}: the score of performance (0 to 100), seconds, kB on the line."""
    with tempfile.TemporaryDirectory() as folder:
        gathered = Path(folder) / "gathered"
        lighthouse.run(where, Path(folder), f"-G={gathered}")
        trace = json.loads((gathered / TRACE).read_text(encoding="utf-8"))
        in_processor_time(trace["traceEvents"])
        (gathered / TRACE).write_text(json.dumps(trace), encoding="utf-8")
        found = lighthouse.report(where, Path(folder), f"-A={gathered}")
    audits = found["audits"]
    seconds = {name: audits[key]["numericValue"] / 1000 for name, key in MEASURES.items()}
    weight = audits["total-byte-weight"]["numericValue"] / 1000
    return {"score": 100 * found["categories"]["performance"]["score"], **seconds, "kB": weight}


def built_by_jupyter_book(folder):
    """Build the notebooks, executed as they are in the book, by `jupyter-book build` with its defaults; return its pages."""
    for name in PAGES:
        shutil.copy(ROOT / "_build" / "jupyter_execute" / "book" / f"{name}.ipynb", folder)
    (folder / "_config.yml").write_text("title: plain\nexecute:\n  execute_notebooks: 'off'\n", encoding="utf-8")
    chapters = "".join(f"- file: {name}\n" for name in PAGES[1:])
    (folder / "_toc.yml").write_text(f"format: jb-book\nroot: {PAGES[0]}\nchapters:\n{chapters}", encoding="utf-8")
    build = "from jupyter_book.cli.main import main; main()"
    subprocess.run([sys.executable, "-c", build, "build", str(folder), "-q"], check=True, capture_output=True)
    return folder / "_build" / "html"


def main():
    """Print the table."""
    quick = "--quick" in sys.argv[1:]
    lines = ["| page | built by | score | largest paint s | blocked s | kB |", "|---" * 6 + "|"]
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ours = stack.enter_context(served(HTML, compressed=True))
        peer = stack.enter_context(served(built_by_jupyter_book(folder), compressed=True))
        for name in PAGES[: 1 if quick else None]:
            ways = {"this book": f"{ours}/book/{name}.html", "Jupyter Book alone": f"{peer}/{name}.html"}
            rounds = defaultdict(list)
            for _ in range(1 if quick else 5):
                for way, where in ways.items():
                    rounds[way].append(visited(where))
            for way, visits in rounds.items():
                cells = [
                    f"{statistics.median(column):.1f} ({min(column):.1f} to {max(column):.1f})"
                    for column in zip(*(visit.values() for visit in visits))
                ]
                lines.append(f"| {name} | {way} | {' | '.join(cells)} |")
    report("pages", __doc__, [*lines, "", machine()], not quick)


if __name__ == "__main__":
    main()
