"""How long a reader waits in a browser for Python: from the click on Run, or from opening a notebook, to the first cell's result.

*Cold*: the browser has never seen the site, which is served from this machine; *warm*: a second visit.  The cell imports
NumPy, SymPy, Matplotlib and robotdyn.  In a page the parts are told, too: s after the click at which each began.  Needs `make lite`.

Run:  python benchmarks/browser.py      prints the table and writes benchmarks/results/browser.md
"""

import contextlib
import sys
import tempfile
import time
from pathlib import Path

from peers.clock import machine, report

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [
    str(ROOT / folder)
    for folder in ("tests", "tests/book", "packages/movingfigures/tests", "packages/coursework/tests")
]

import browsing  # noqa: E402
import firefox  # noqa: E402
import lite_notebooks as lite  # noqa: E402

NAME = "two-link"
WATCH = f"""(row => {{
  window.told = [];
  const from = performance.now(), status = row.querySelector('[role=status]');
  new MutationObserver(() => window.told.push([(performance.now() - from) / 1000, status.textContent])).observe(status, {{ childList: true }});
  row.querySelector('button').click();
}})({lite.ROW}[0])"""


def in_page(page, address):
    """Run the first cell of a page; return the seconds, and when each part began."""
    page.goto(f"{address}/book/{NAME}.html")
    page.wait_for_function(f"{lite.ROW}.length")
    page.evaluate(f"void {WATCH}")
    page.wait_for_function(lite.RAN.format(0))
    told = page.evaluate("window.told")
    return told[-1][0], "; ".join(f"{words[:40]} {when:.1f}" for when, words in told[:-1])


def in_notebook(page, address):
    """Open a notebook and run it; return the seconds to the first result."""
    start = time.monotonic()
    page.goto(f"{address}/lite/notebooks/index.html?path={NAME}.ipynb")
    page.wait_for_function(lite.READY)
    kernel = time.monotonic() - start
    page.evaluate(lite.RUN)
    page.wait_for_function(f"{lite.CELLS}.some(cell => cell.model.executionCount)")
    return time.monotonic() - start, f"kernel ready {kernel:.1f}"


@contextlib.contextmanager
def opened(name):
    """A page of a browser that has seen nothing yet."""
    with tempfile.TemporaryDirectory() as home:
        if name == "Firefox":
            with firefox.firefox(Path(home)) as page:
                yield page
        else:
            with browsing.chromium(home) as browser:
                yield lite.window(browser).new_page()


def main():
    """Print and write the table."""
    lines = ["| browser | where | visit | first result, s | its parts, s |", "|---|---|---|---|---|"]
    with browsing.served(lite.SITE.parent) as address:
        for name in ["Chromium"] + ["Firefox"] * (firefox.BROWSER is not None):
            for where, way in (("page", in_page), ("notebook", in_notebook)):
                with opened(name) as page:
                    for visit in ("cold", "warm"):
                        seconds, parts = way(page, address)
                        lines.append(f"| {name} | {where} | {visit} | {seconds:.1f} | {parts} |")
                        print(lines[-1], flush=True)
    report("browser", __doc__, [*lines, "", machine()], write="--quick" not in sys.argv)


if __name__ == "__main__":
    if lite.SITE.exists():
        main()
    else:
        print("The site is not built: make lite")
