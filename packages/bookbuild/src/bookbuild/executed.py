"""Which executed notebooks are still good: those whose cells, and all that these reach by imports, are as they were.

Jupyter's cache of outputs knows the text of the cells alone. Beside it stands what each notebook was executed from: a hash of the
modules of this repository that its cells import, as far as the imports lead, of files that they name, of exercises that they begin, of
the pins and of Python.  So a change in one package executes the notebooks again that use it, and no other; a notebook with a cell that
cannot be read depends on all.
"""

import ast
import hashlib
import json
import re
import sys
import warnings
from pathlib import Path

from bookbuild import PUBLISHED, ROOT
from bookbuild.run_notebooks import cached
from eqproof.import_graph import imports_of, named_files, reached_files

OWN = ("robotdyn", *PUBLISHED)
EXERCISES = ROOT / "exercises"
SESSION = Path("coursework", "check", "session.py")  # which loads an exercise by its name
LOADED_FILES = ("given.py", "questions.py")  # of an exercise
RUNS_CODE = ("time", "timeit", "prun", "capture")  # magics whose words, or cells, are Python
OPTIONS = re.compile(r"(?:\s*-\w(?:\s+\d+|\d+)?(?=\s))*")  # of a magic, before its code


class Unreadable(ValueError):
    """A cell that is no Python, even without its magics: what it takes is not known."""


def code_of(notebook: Path) -> str:
    """Return the code cells of a notebook as one program, with what its magics run.  Raises Unreadable for what is no Python."""
    cells = json.loads(notebook.read_text("utf8"))["cells"]
    return "\n".join(python_of("".join(cell["source"])) for cell in cells if cell["cell_type"] == "code")


def python_of(cell: str) -> str:
    """Return a cell as Python: a magic becomes a call, after which its own code stands, or the file that it runs."""
    from IPython.core.inputtransformer2 import TransformerManager

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            text = TransformerManager().transform_cell(cell)
            calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
        except (SyntaxError, ValueError, RecursionError) as error:
            raise Unreadable(f"no Python: {cell[:80]}") from error
    names = ("run_line_magic", "run_cell_magic")
    magics = [call for call in calls if getattr(call.func, "attr", "") in names]
    words = [[one.value for one in call.args if isinstance(one, ast.Constant)] for call in magics]
    return "\n".join([text, *(source_run_by_magic(*map(str, given)) for given in words)])


def source_run_by_magic(magic: str, line: str, body: str = "") -> str:
    """Return the program that a magic runs: its code, the import of a module, or the name of a file."""
    if magic == "run":
        words = line.split()
        if "-m" in words[:-1]:
            return f"import {words[words.index('-m') + 1]}"
        return "\n".join(repr(word.strip("'\"")) for word in words)  # one is the file, the others are its options
    if magic in ("load_ext", "reload_ext"):
        return f"import {line}"
    if magic not in RUNS_CODE:
        return ""
    return python_of(body if magic == "capture" else f"{OPTIONS.sub('', line, count=1).strip()}\n{body}")


def sources(notebook: Path) -> list[Path]:
    """Return the files of this repository that the cells of a notebook reach, without the notebook."""
    try:
        code = code_of(notebook)
        modules, _ = imports_of("", False, code, OWN)
    except (Unreadable, SyntaxError):
        return possible_sources()
    beside = [path for path in map(notebook.with_name, named_files(code)) if path.is_file()]
    programs = [("", path) for path in beside if path.suffix == ".py"]
    files, _ = reached_files([*modules, *programs], OWN, [path for path in beside if path.suffix != ".py"])
    if any(path.parts[-3:] == SESSION.parts for path in files):
        loaded, _ = reached_files([("", path) for path in exercises(code)], OWN)
        files = sorted({*files, *loaded})
    return files


def exercises(code: str) -> list[Path]:
    """Return the files of the exercises that a program names; of all, where it begins one whose name it computes."""
    nodes = [*ast.walk(ast.parse(code))]
    known = {path.parent.name for path in EXERCISES.glob(f"*/{LOADED_FILES[0]}")}
    named_here = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    names = sorted(known if any(map(_begins_computed, nodes)) else known & named_here)
    return [path for name in names for part in LOADED_FILES if (path := EXERCISES / name / part).is_file()]


def _begins_computed(node: ast.AST) -> bool:
    """Return whether a node calls `begin` for an exercise whose name is not written out."""
    if not isinstance(node, ast.Call) or getattr(node.func, "attr", getattr(node.func, "id", "")) != "begin":
        return False
    given = [*node.args[:1], *(word.value for word in node.keywords if word.arg == "assignment")]
    return not all(isinstance(one, ast.Constant) for one in given)


def possible_sources() -> list[Path]:
    """Return all files of which a notebook could be made: those of the packages and of the exercises."""
    folders = (ROOT / "robotdyn", *(ROOT / "packages" / name / "src" for name in PUBLISHED))
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    return sorted([*files, *(path for part in LOADED_FILES for path in EXERCISES.glob(f"*/{part}"))])


def source_hash(notebook: Path, root: Path = ROOT) -> str:
    """Return a hash of all that the outputs of a notebook depend on, but for the text of its cells."""
    digest = hashlib.sha256(sys.version.encode() + (root / "requirements.txt").read_bytes())
    for path in sources(notebook):
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)} ".encode() + content)
    return digest.hexdigest()


class ExecutedNotebooks:
    """The notebooks that a cache of Jupyter holds, with what each was executed from, in a file beside the cache."""

    def __init__(self, cache_folder: Path) -> None:
        from jupyter_cache import get_cache

        self.file = cache_folder.with_name("executed-from.json")
        self.cache = get_cache(cache_folder)

    def _recorded(self) -> dict[str, str]:
        """Return {name of a notebook: its hash}; what cannot be read counts as nothing."""
        try:
            return dict(json.loads(self.file.read_text("utf8")))
        except (OSError, ValueError, TypeError):
            return {}

    def good(self, notebooks: list[Path]) -> set[Path]:
        """Return those whose outputs the cache holds, made from all else as it is now."""
        recorded = self._recorded()
        return {x for x in notebooks if recorded.get(x.stem) == source_hash(x) and cached(self.cache, x)}

    def forget_others(self, notebooks: list[Path]) -> set[Path]:
        """Take those out of the cache that are not good any more, though their cells are; return them."""
        stale = {path for path in set(notebooks) - self.good(notebooks) if cached(self.cache, path)}
        for path in stale:
            self.cache.remove_cache(self.cache.match_cache_file(str(path)).pk)
        return stale

    def record(self, notebooks: list[Path]) -> None:
        """Note what the notebooks that the cache now holds were executed from."""
        found = {path.stem: source_hash(path) for path in notebooks if cached(self.cache, path)}
        self.file.write_text(json.dumps(found, indent=1), encoding="utf-8")
