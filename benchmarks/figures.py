"""What a moving figure costs in the page:  milliseconds a frame for motion and for drawing while a hand drags the tip.

In Chromium, from disk: planar arms by their number of joints, and scenes in space, where the hand goes around while
they play.  *first picture*: from the request of the page until it is drawn.

Run:  python benchmarks/figures.py [--quick]      prints the table and writes benchmarks/results/figures.md
"""

import math
import statistics
import sys
import tempfile
from pathlib import Path

from peers.clock import machine, report

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "packages" / "movingfigures" / "tests"))
import browsing
import figures

import robotdyn as rd

FIGURE = "document.querySelector('.rd-figure').rdFigure"


def measured(browser, address, in_space):
    """Return ms until the first picture, frames a second, ms of motion and ms of drawing a frame."""
    page = browser.new_page(viewport={"width": 900, "height": 800})
    page.goto(address)
    page.wait_for_function(f"() => {FIGURE} && {FIGURE}.cost.frames > 0")
    first = page.evaluate(f"{FIGURE}.cost.first")
    page.get_by_role("button", name="Play", exact=True).click()
    box = page.locator(".rd-stage canvas").bounding_box()

    def point(x, y):
        a, b = page.evaluate(f"{FIGURE}.stages[0].pixels([{x}, {y}])")
        return box["x"] + a, box["y"] + b

    tip = None if in_space else page.evaluate(f"{FIGURE}.runs[0].points().ends.at(-1).slice(0, 2)")
    page.mouse.move(*(point(*tip) if tip else (box["x"] + 5, box["y"] + 5)))
    page.mouse.down()
    page.evaluate(f"Object.assign({FIGURE}.cost, {{ frames: 0, physics: 0, drawing: 0 }})")
    began = page.evaluate("performance.now()")
    for k in range(60):
        page.mouse.move(*(point(math.cos(k / 9), math.sin(k / 9)) if tip else (box["x"] + 5 + 2 * k, box["y"] + 5)))
        page.evaluate("new Promise(requestAnimationFrame)")
    cost, now = page.evaluate(f"[{FIGURE}.cost, performance.now()]")
    page.close()
    frames = cost["frames"]
    return first, 1000 * frames / (now - began), cost["physics"] / frames, cost["drawing"] / frames


def shown(quick):
    """Return the figures that are measured, {name: figure}."""
    chains = {
        str(n): rd.show.explore(rd.robots.planar(n, symbolic=True), [0.3] * n)
        for n in ((2,) if quick else (1, 2, 3, 6))
    }
    panda = rd.robots.panda()
    pose = [0, -0.5, 0.1, -2, 0, 1.6, 0.7]
    return chains | {
        "a box in the air": rd.show.toss(),
        "7 in space, forces": rd.show.sweeps(panda, pose),
        "7 in space, ellipsoid": rd.show.pushes(panda, pose),
    }


def main():
    """Print the table."""
    quick = "--quick" in sys.argv[1:]
    lines = [
        "| joints, or scene | first picture ms | frames/s | motion ms a frame | drawing ms a frame |",
        "|---" * 5 + "|",
    ]
    with tempfile.TemporaryDirectory() as folder, browsing.chromium(folder) as browser:
        for name, figure in shown(quick).items():
            page = Path(folder) / "page.html"
            page.write_text(figures.page(figure), encoding="utf-8")
            rounds = [measured(browser, page.as_uri(), "scene" in figure.spec) for _ in range(1 if quick else 7)]
            cells = (
                f"{statistics.median(column):.2f} ({min(column):.2f} to {max(column):.2f})" for column in zip(*rounds)
            )
            lines.append(f"| {name} | {' | '.join(cells)} |")
    report("figures", __doc__, [*lines, "", machine()], not quick)


if __name__ == "__main__":
    main()
