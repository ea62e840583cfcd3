"""Runs the cells of a page in the browser's Python, as a notebook does, and tells the page what to show: text, pictures, errors."""

import ast
import builtins
import io
import linecache
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

MOST = 100_000  # characters of text that a cell may show
FORMS = {"html": "text/html", "svg": "image/svg+xml", "latex": "text/latex"}  # the first that a value has is shown
names: dict[str, Any] = {}


class PageStream(io.TextIOBase):
    """A stream whose lines go to the page, up to a length."""

    def __init__(self, tell: Callable[[str, str], None]) -> None:
        self.send = tell
        self.line = ""
        self.left = MOST

    def write(self, text: str) -> int:
        """Take text; whole lines are told."""
        self.line += text
        if "\n" in self.line or len(self.line) > MOST:
            self.flush()
        return len(text)

    def flush(self) -> None:
        """Tell what has come."""
        if self.line and self.left > 0:
            cut = "" if len(self.line) <= self.left else "\n... and more, which the page leaves out\n"
            self.send("text", self.line[: self.left] + cut)
        self.left = self.left - len(self.line)
        self.line = ""


def begin() -> None:
    """Forget every name: the next cell is the first."""
    names.clear()
    names.update(__name__="__main__", __builtins__=builtins)
    warnings.filterwarnings("ignore", "FigureCanvasAgg is non-interactive")  # plt.show: the page shows what a cell drew


def form(value: object) -> tuple[str, str]:
    """Return the kind in which a page shows a value best, and its content."""
    if not isinstance(value, type):
        bundle: dict[str, Any] = getattr(value, "_repr_mimebundle_", dict)()
        for kind, mime in FORMS.items():
            content = bundle.get(mime) or getattr(value, f"_repr_{kind}_", str)()
            if content:
                return kind, content
    return "text", f"{value!r}\n"


def pictures() -> Iterator[str]:
    """Yield the open figures of Matplotlib as SVG, and close them."""
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    for number in pyplot.get_fignums() if pyplot else ():
        data = io.StringIO()
        pyplot.figure(number).savefig(data, format="svg", bbox_inches="tight", transparent=True)
        yield data.getvalue()
    if pyplot:
        pyplot.close("all")


def run(code: str, name: str, shown: bool, tell: Callable[[str, str], None]) -> bool:
    """Run a cell; return whether it ran to its end. name: what a traceback calls it; shown: whether results are told, as tell(kind, content)."""
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    stream = PageStream(tell if shown else lambda *_: None)

    def display(*values: object) -> None:
        stream.flush()
        for value in values if shown else ():
            tell(*form(value))

    builtins.display = display  # type: ignore[attr-defined]
    with redirect_stdout(stream), redirect_stderr(stream):
        try:
            tree = ast.parse(code, name)
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            expression = last.value if isinstance(last, ast.Expr) else None
            exec(compile(tree, name, "exec"), names)
            value = eval(compile(ast.Expression(expression), name, "eval"), names) if expression else None
            if value is not None and not code.rstrip().endswith(";"):
                display(value)
            stream.flush()
            for picture in pictures():
                stream.send("svg", picture)
        except BaseException as error:
            stream.flush()
            list(pictures())
            frames = error.__traceback__
            while frames and frames.tb_frame.f_code.co_filename != name:  # the reader's code comes first
                frames = frames.tb_next
            tell("error", "".join(traceback.format_exception(type(error), error, frames)))
            return False
    return True
