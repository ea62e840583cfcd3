"""Runs JavaScript for the tests: in Node where there is one, else in Chromium; without either the test skips."""

import json
import os
import shutil
import subprocess

import pytest

NODE = shutil.which("node")
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def evaluated(source, expression):
    """Return the value of an expression after a script has run, as Python data."""
    if NODE:
        script = f"{source}\nconsole.log(JSON.stringify({expression}));"
        done = subprocess.run([NODE, "-"], input=script, capture_output=True, text=True, check=True, timeout=60)
        return json.loads(done.stdout)
    if BROWSER is None:
        pytest.skip("neither Node nor Chromium is installed: one of them must run the JavaScript")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"], env=dict(os.environ))
        text = browser.new_page().evaluate(f"() => {{ {source}\n return JSON.stringify({expression}); }}")
        browser.close()
    return json.loads(text)
