"""Runs the cells of a page in the browser's Python, as a notebook does, and tells the page what to show: text, pictures, errors."""

import ast
import builtins
import io
import linecache
import sys
import traceback
from contextlib import redirect_stderr, redirect_stdout

MOST = 100_000  # characters of text that a cell may show
FORMS = (
    ("html", "_repr_html_"),
    ("svg", "_repr_svg_"),
    ("png", "_repr_png_"),
    ("latex", "_repr_latex_"),
)  # the first that an object has is shown
names = {}


class Told(io.TextIOBase):
    """A stream whose lines go to the page, up to a length."""

    def __init__(self, tell):
        self.tell, self.line, self.left = tell, "", MOST

    def write(self, text):
        """Take text; whole lines are told."""
        self.line += text
        if "\n" in self.line or len(self.line) > MOST:
            self.flush()
        return len(text)

    def flush(self):
        """Tell what has come."""
        if self.line and self.left > 0:
            cut = "" if len(self.line) <= self.left else "\n... and more, which the page leaves out\n"
            self.tell("text", self.line[: self.left] + cut)
        self.left, self.line = self.left - len(self.line), ""


def begin():
    """Forget every name: the next cell is the first."""
    names.clear()
    names.update(__name__="__main__", __builtins__=builtins)


def forms(value):
    """Return the kind in which a page shows a value best, and its content."""
    if hasattr(value, "_repr_mimebundle_"):
        bundle = value._repr_mimebundle_()
        if "text/html" in bundle:
            return "html", bundle["text/html"]
    for kind, method in FORMS:
        content = getattr(value, method, lambda: None)() if not isinstance(value, type) else None
        if content is not None:
            return kind, content
    return "text", f"{value!r}\n"


def pictures():
    """Yield the open figures of Matplotlib as SVG, and close them."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    for number in pyplot.get_fignums() if pyplot else ():
        data = io.StringIO()
        pyplot.figure(number).savefig(data, format="svg", bbox_inches="tight", transparent=True)
        yield data.getvalue()
    if pyplot:
        pyplot.close("all")


def run(code, name, shown, tell):
    """Run a cell; return whether it ran to its end. name: what a traceback calls it; shown: whether results are told, as tell(kind, content)."""
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    told = Told(tell if shown else lambda *_: None)
    builtins.display = lambda *values: [(told.flush(), told.tell(*forms(value))) for value in values] and None
    with redirect_stdout(told), redirect_stderr(told):
        try:
            tree = ast.parse(code, name)
            last = tree.body[-1:] if tree.body and isinstance(tree.body[-1], ast.Expr) else []
            quiet = code.rstrip().endswith(";")
            exec(compile(ast.Module(tree.body[: -len(last) or None], []), name, "exec"), names)
            for expression in last:
                value = eval(compile(ast.Expression(expression.value), name, "eval"), names)
                if value is not None and not quiet and shown:
                    display(value)  # noqa: F821
            told.flush()
            for picture in pictures():
                told.tell("svg", picture)
        except BaseException as error:
            told.flush()
            list(pictures())
            own = error.__traceback__
            while own and own.tb_frame.f_code.co_filename == __file__:
                own = own.tb_next
            lines = traceback.format_exception(type(error), error.with_traceback(own), own)
            tell("error", "".join(lines))
            return False
    return True
