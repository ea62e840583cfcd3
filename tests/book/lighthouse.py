"""Visits a page of the built book as a phone does, by Lighthouse's mobile profile."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from browsing import BROWSER, FLAGS

from bookbuild import typeset

HOME = Path(__file__).resolve().parents[2] / ".venv" / "browser"
LIGHTHOUSE = HOME / "node_modules" / "lighthouse" / "cli" / "index.js"


def run(where: str, folder: Path, *options: str) -> None:
    """Run Lighthouse on a page; it keeps its files in the folder."""
    command = [typeset.node_path(), LIGHTHOUSE, where, "--quiet", *options]
    flags = " ".join(["--headless", *FLAGS, f"--user-data-dir={folder / 'profile'}"])
    said = subprocess.run(
        [*command, f"--chrome-flags={flags}", "--max-wait-for-load=120000"],
        env=os.environ | {"CHROME_PATH": str(BROWSER), "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=400,
    )
    assert said.returncode == 0, said.stderr[-2000:]


def report(where: str, folder: Path, *options: str) -> dict[str, Any]:
    """Visit a page; return Lighthouse's report."""
    path = folder / "report.json"
    run(where, folder, "--output=json", f"--output-path={path}", *options)
    return json.loads(path.read_text(encoding="utf-8"))
