"""What keeps the files of the site with notebooks, in Chromium: a lost connection gets a second chance, and no network is needed later."""

import http.server
import json
import shutil
import threading
from functools import partial

import browsing
import pytest

from bookbuild.lite import TOOLS

PAGE = '<script>navigator.serviceWorker.register("service-worker.js")</script>'
CONTROLLED = "navigator.serviceWorker.controller !== null"
READ = """async name => { try { return await (await fetch(name)).text(); } catch (error) { return String(error); } }"""
KEPT = """async name => Boolean(await caches.match(new URL(name, location.href).href))"""


class Lossy(http.server.SimpleHTTPRequestHandler):
    """Closes the connection without an answer where a name is asked for whose losses are not used up."""

    losses: dict[str, int] = {}

    def do_GET(self):
        name = self.path.rsplit("/", 1)[-1]
        if self.losses.get(name, 0) > 0:
            self.losses[name] -= 1
            self.close_connection = True
            return
        super().do_GET()

    def log_message(self, *args):
        pass


@pytest.fixture
def visit(tmp_path, browser):
    """A page that the worker controls, and the server, which loses what Lossy.losses says."""
    shutil.copy(TOOLS / "service-worker.js", tmp_path)
    (tmp_path / "index.html").write_text(PAGE, encoding="utf-8")
    claim = 'self.addEventListener("activate", event => event.waitUntil(self.clients.claim()));'
    (tmp_path / "jupyterlite-worker.js").write_text(claim, encoding="utf-8")
    for name in ("sure.txt", "lossy.txt", "lost.txt", "later.txt"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    (tmp_path / "kept.json").write_text(json.dumps(["sure.txt", "later.txt"]), encoding="utf-8")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Lossy, directory=tmp_path))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{server.server_port}/index.html")
    page.wait_for_function(CONTROLLED)
    yield page, server
    context.close()
    server.shutdown()
    server.server_close()


@pytest.mark.slow
def test_a_lost_connection_gets_a_second_chance_and_later_no_network_is_needed(visit, monkeypatch):
    """A browser asks again by itself where a connection that it had kept is lost; so many losses that it does not help."""
    page, server = visit
    monkeypatch.setattr(Lossy, "losses", {"lossy.txt": 1, "lost.txt": 100})
    assert page.evaluate(READ, "sure.txt") == "sure.txt"
    assert page.evaluate(READ, "lossy.txt") == "lossy.txt"
    assert "Failed to fetch" in page.evaluate(READ, "lost.txt")  # and it ends
    assert Lossy.losses["lossy.txt"] == 0
    browsing.eventually(page, f"({KEPT})('later.txt')", seconds=30)  # nobody asked for it
    server.shutdown()
    server.server_close()
    assert page.evaluate(READ, "later.txt") == "later.txt"
    assert page.evaluate(READ, "lossy.txt") == "lossy.txt"
    assert "Failed to fetch" in page.evaluate(READ, "lost.txt")
