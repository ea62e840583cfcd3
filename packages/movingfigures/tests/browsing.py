"""Opens pages in Chromium for the tests: the built book, folders served at an address of this machine, and what went wrong."""

import contextlib
import functools
import gzip
import http.server
import os
import shutil
import threading
import time
from pathlib import Path

import pytest

HTML = Path(__file__).resolve().parents[3] / "_build" / "html"
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync"]
FLAGS += ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"]  # no other host is found


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


class _Compressed(_Quiet):
    """Text is sent compressed, as hosts of pages do."""

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        if path.suffix not in {".html", ".css", ".js", ".svg"} or not path.exists():
            return super().do_GET()
        body = gzip.compress(path.read_bytes(), 6)
        self.send_response(200)
        for name, value in (("Type", self.guess_type(path)), ("Encoding", "gzip"), ("Length", len(body))):
            self.send_header(f"Content-{name}", str(value))
        self.end_headers()
        self.wfile.write(body)


class _Server(http.server.ThreadingHTTPServer):
    request_queue_size = (
        128  # a browser opens connections faster than a busy machine takes them; beyond 5 some get lost
    )


@contextlib.contextmanager
def served(folder, compressed=False):
    """Serve a folder over http while the block runs; the value is its address."""
    handler = functools.partial(_Compressed if compressed else _Quiet, directory=folder)
    server = _Server(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def eventually(page, expression, seconds):
    """Wait until what an expression promises is true: Playwright's own wait takes the promise itself for true."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"not true within {seconds} s: {expression}"
        time.sleep(0.2)


@contextlib.contextmanager
def chromium(home):
    """Run a Chromium, whose files go to a folder, while the block runs."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS, env={**os.environ, "HOME": str(home)})
        yield browser
        browser.close()


def address(site, scheme, page):
    """Return where a page of the built book is, over http or as a file."""
    return f"{site}/{page}.html" if scheme == "http" else (HTML / f"{page}.html").as_uri()


def opened(browser, site, where, **options):
    """Return a page after its scripts have run, and all that went wrong; a request to another host is told, and fails."""
    trouble = []
    context = browser.new_context(**options)

    def note(request):  # only watched: a route for all would pass each file of a page through this process
        if not request.url.startswith((site, "file://", "data:", "blob:")):
            trouble.append(f"asks another host: {request.url}")

    context.on("request", note)
    page = context.new_page()
    page.on("console", lambda said: said.type == "error" and trouble.append(f"console: {said.text}"))
    page.on("pageerror", lambda error: trouble.append(f"script error: {error}"))
    page.on("requestfailed", lambda request: trouble.append(f"not loaded: {request.url} ({request.failure})"))
    page.on(
        "response", lambda response: response.status >= 400 and trouble.append(f"{response.status}: {response.url}")
    )
    page.goto(where, wait_until="load")
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    return page, trouble


FAR = "[...document.querySelectorAll('.bd-article section section')]"


FRAMES = """() => new Promise(done => {
  let left = 4;
  const next = () => left-- ? requestAnimationFrame(next) : done();
  next();
})"""


def settled(page):
    """Draw the sections that are far away now, not when the page has time, and wait until observers of sizes have been told."""
    page.evaluate(f"{FAR}.forEach(section => {{ section.style.contentVisibility = 'visible'; }})")
    page.evaluate(FRAMES)  # observers are told within a frame, and what they change is drawn in the next


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A Chromium."""
    if BROWSER is None:
        pytest.skip("Chromium is not installed")
    with chromium(tmp_path_factory.mktemp("home")) as found:
        yield found
