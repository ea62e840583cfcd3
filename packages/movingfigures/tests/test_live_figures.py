"""In JupyterLab a figure is a widget: what is set in the page reaches Python, and what Python sets reaches the page."""

import json
import os
import re
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[3]
PYTHONPATH = os.pathsep.join([str(ROOT), str(ROOT / "packages" / "movingfigures" / "src")])
LAB = ROOT / ".venv" / "lab" / "bin" / "jupyter"
CELLS = [
    "import robotdyn as rd\n"
    "f = rd.show.explore(rd.robots.uniform_two_link(symbolic=True), parameters={'g': (0, 20, 9.81), 'm_2': (0.2, 5, 1)})\n"
    "f",
    "print('told:', f.values['m_2'], f.arm.links[1].mass, f.t > 0.2, f.q.round(6).tolist(), 'end')",
    "f.set(g=3.0, q=[1.0, 0.5], qd=[0, 0], playing=False)",
]


@pytest.fixture
def lab(tmp_path):
    """A JupyterLab of its own, with one notebook; its address."""
    if not LAB.exists():
        pytest.skip("JupyterLab is not installed: make lab")
    cells = [
        {"cell_type": "code", "execution_count": None, "id": str(k), "metadata": {}, "outputs": [], "source": source}
        for k, source in enumerate(CELLS)
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "live.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    own = {
        name: str(tmp_path / name)
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    }
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    flags = [
        "--no-browser",
        f"--port={port}",
        "--IdentityProvider.token=",
        "--allow-root",
        f"--notebook-dir={tmp_path}",
    ]
    env = {**os.environ, **own, "HOME": str(tmp_path), "PYTHONPATH": PYTHONPATH}
    with open(tmp_path / "server.log", "w", encoding="utf-8") as log:
        server = subprocess.Popen([LAB, "lab", *flags], env=env, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(120):
            try:
                urllib.request.urlopen(f"{address}/api", timeout=2).close()
                break
            except OSError:
                assert server.poll() is None, (tmp_path / "server.log").read_text(encoding="utf-8")[-2000:]
                time.sleep(0.5)
        yield address
    finally:
        server.terminate()
        server.wait(30)


def test_values_travel_both_ways(browser, lab):
    """A slider and the motion reach Python; values, pose and pause come back."""
    errors = []
    page = browser.new_page(viewport={"width": 1300, "height": 1000})
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{lab}/lab/tree/live.ipynb?reset", wait_until="domcontentloaded")
    cells = page.locator(".jp-CodeCell")
    cells.first.wait_for(timeout=60_000)
    page.get_by_text("| Idle").wait_for(timeout=60_000)
    cells.nth(0).click()
    page.keyboard.press("Shift+Enter")
    figure = page.locator(".rd-alive")
    figure.wait_for(timeout=60_000)
    figure.locator("input[data-name=m_2]").press("End")
    figure.get_by_role("button", name="Play").click()
    page.wait_for_function("() => document.querySelector('.rd-alive').rdFigure.runs[0].t > 0.4")
    figure.get_by_role("button", name="Pause").click()
    q = figure.evaluate("el => el.rdFigure.runs[0].q")
    page.wait_for_timeout(1000)
    cells.nth(1).click()
    page.keyboard.press("Shift+Enter")
    output = cells.nth(1).locator(".jp-OutputArea-output")
    output.wait_for(timeout=30_000)
    told = re.search(r"told: (\S+) (\S+) (\S+) (\[.*?\]) end", output.inner_text())
    assert told and [float(told[1]), float(told[2]), told[3]] == [5.0, 5.0, "True"]
    assert json.loads(told[4]) == pytest.approx(q, abs=1e-5)
    page.keyboard.press("Shift+Enter")
    page.wait_for_function("() => document.querySelector('.rd-alive').rdFigure.values.g === 3", timeout=30_000)
    page.wait_for_timeout(300)
    assert figure.evaluate("el => el.rdFigure.runs[0].q") == [1.0, 0.5]
    assert not figure.evaluate("el => el.rdFigure.playing")
    assert errors == []
