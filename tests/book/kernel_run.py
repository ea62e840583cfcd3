"""Runs notebooks cell by cell in one process of plain Python and tells what each cell says; the same in every kernel.

In CPython it is started with a path of notebooks, {name: [[id, source], ...]}, as JSON; in a browser `run_all` is called.
The word `blocked` behind the path takes NumPy, SciPy and Matplotlib away first.
"""

import contextlib
import io
import json
import sys


class Blocked:
    """A finder of modules that finds NumPy nowhere, nor what needs it."""

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("numpy", "scipy", "matplotlib"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def run(cells):
    """Return a list of [id, what it printed, the error that stopped it or None], one a cell."""
    space, told = {"__name__": "student"}, []
    for name, source in cells:
        said, error = io.StringIO(), None
        with contextlib.redirect_stdout(said):
            try:
                exec(source, space)
            except Exception as stopped:
                error = f"{type(stopped).__name__}: {stopped}"
        told.append([name, said.getvalue(), error])
    return told


def run_all(notebooks):
    """Return what each notebook of a JSON text says, and what was loaded, as a JSON text."""
    told = {name: run(cells) for name, cells in json.loads(notebooks).items()}
    loaded = sorted({name.split(".")[0] for name in sys.modules} & {"numpy", "scipy", "matplotlib", "IPython"})
    return json.dumps({"told": told, "loaded": loaded, "python": sys.version_info[:2], "platform": sys.platform})


if __name__ == "__main__":
    if sys.argv[2:] == ["blocked"]:
        sys.meta_path.insert(0, Blocked())
    with open(sys.argv[1], encoding="utf8") as file:
        print(run_all(file.read()))
