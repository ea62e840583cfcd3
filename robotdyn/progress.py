"""A bar for what takes long: nothing in the first second, nothing where nobody looks, gone when done."""

import os
import sys
import time


class Progress:
    """Shows how far a loop has come, in a terminal or a notebook; use it in a `with` block.

    shown: True, False, or None: only where a person can see it, and only after the first second.  Where notebooks run
    with nobody in front of them, as in the build of the book, ROBOTDYN_PROGRESS=0 says so.
    """

    def __init__(self, total, shown=None):
        if shown is None and os.environ.get("ROBOTDYN_PROGRESS") == "0":
            shown = False
        self.total, self.delay = max(1, total), 0.0 if shown else 1.0
        self.screen = None if shown is False else _notebook() or _terminal(shown)
        self.started = self.drawn = time.monotonic()
        self.visible = False

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.visible:
            self.screen(None, "")

    def update(self, done, message=""):
        """Tell that `done` of `total` is done; draws at most ten times a second."""
        now = time.monotonic()
        if self.screen is None or now - self.started < self.delay or (self.visible and now - self.drawn < 0.1):
            return
        self.drawn, self.visible = now, True
        self.screen(min(1.0, done / self.total), message)


def _terminal(shown):
    """Return a function that draws on a line of its own; None where the errors go to no terminal."""
    stream = sys.stderr
    if not shown and not stream.isatty():
        return None

    def draw(part, message):
        bar = "" if part is None else f"[{'#' * round(30 * part):<30}] {part:4.0%}  {message}"
        stream.write("\r" + bar[:100].ljust(100) + ("\r" if part is None else ""))
        stream.flush()

    return draw


def _notebook():
    """Return a function that draws below the cell; None outside a notebook."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from html import escape

    from IPython.display import HTML, display

    handle = []

    def draw(part, message):
        bar = f'<progress value="{part or 0:.3f}" max="1"></progress> {escape(message)}'
        picture = HTML("" if part is None else bar)
        if handle:
            handle[0].update(picture)
        else:
            handle.append(display(picture, display_id=True))

    return draw
