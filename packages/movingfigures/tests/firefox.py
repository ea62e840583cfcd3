"""Opens pages in Firefox for the tests, by WebDriver BiDi, the standard that it speaks itself: no driver is installed."""

import contextlib
import itertools
import json
import os
import re
import shutil
import subprocess
import time

BROWSER = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)


class Window:
    """A window: opens addresses, and runs JavaScript in what is open."""

    def __init__(self, address):
        import websocket

        self.numbers, self.asked, self.said = itertools.count(1), [], []
        self.line = websocket.create_connection(f"{address}/session", timeout=3600, suppress_origin=True)
        self._send("session.new", capabilities={})
        self._send("session.subscribe", events=["network.beforeRequestSent", "network.fetchError", "log.entryAdded"])
        self.tab = self._send("browsingContext.getTree")["contexts"][0]["context"]

    def _send(self, method, **params):
        number = next(self.numbers)
        self.line.send(json.dumps({"id": number, "method": method, "params": params}))
        while (answer := json.loads(self.line.recv())).get("id") != number:
            match answer.get("method"):
                case "network.beforeRequestSent":
                    self.asked.append(answer["params"]["request"]["url"])
                case "network.fetchError":
                    self.said.append(f"failed: {answer['params']['request']['url']}: {answer['params']['errorText']}")
                case "log.entryAdded":
                    self.said.append(f"{answer['params']['level']}: {answer['params']['text']}")
        assert answer["type"] == "success", answer
        return answer["result"]

    def goto(self, address):
        """Open an address."""
        self._send("browsingContext.navigate", context=self.tab, url=address, wait="complete")

    def evaluate(self, expression):
        """Return the value of an expression of JavaScript."""
        told = f"(async () => JSON.stringify((await ({expression})) ?? null))()"
        answer = self._send("script.evaluate", expression=told, target={"context": self.tab}, awaitPromise=True)
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return json.loads(answer["result"]["value"])

    def wait_for_function(self, expression, seconds=600):
        """Wait until an expression is true; not for ever."""
        end = time.monotonic() + seconds
        while not self.evaluate(f"Boolean(await ({expression}))"):
            assert time.monotonic() < end, "\n".join(
                [f"not true within {seconds} s: {expression}", *self.said[-20:], "asked last:", *self.asked[-20:]]
            )
            time.sleep(0.2)

    def drag(self, start, end):
        """Press at a place of the window, x and y in pixels, and move to another one, without letting go."""
        move = lambda place: {"type": "pointerMove", "x": round(place[0]), "y": round(place[1]), "duration": 100}
        actions = [move(start), {"type": "pointerDown", "button": 0}, move(end)]
        self._send(
            "input.performActions", context=self.tab, actions=[{"type": "pointer", "id": "mouse", "actions": actions}]
        )

    def release(self):
        """Let go."""
        self._send("input.releaseActions", context=self.tab)


@contextlib.contextmanager
def firefox(home):
    """Run a Firefox, whose files go to a folder, while the block runs."""
    command = [BROWSER, "--headless", "--no-remote", "--profile", str(home), "--remote-debugging-port", "0"]
    set_to = {
        "network.proxy.type": 0,
        "browser.download.folderList": 2,
        "browser.download.dir": str(home / "downloads"),
    }
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in set_to.items()]
    (home / "user.js").write_text("".join(lines), encoding="utf-8")
    with (home / "said").open("w") as said:
        process = subprocess.Popen(command, stderr=said, stdout=said, env={**os.environ, "HOME": str(home)})
    try:
        while not (
            found := re.search(r"WebDriver BiDi listening on (ws://\S+)", (home / "said").read_text(encoding="utf-8"))
        ):
            assert process.poll() is None, (home / "said").read_text(encoding="utf-8")
            time.sleep(0.2)
        yield Window(found[1])
    finally:
        process.terminate()
        process.wait()
