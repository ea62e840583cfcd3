"""Which executed notebooks are still good: those whose cells, and all that these reach by imports, are as they were.

Jupyter's cache of outputs knows the text of the cells alone. Beside it stands what each notebook was executed from: a hash of the
modules of this repository that its cells import, as far as the imports lead, of files that they name, of the pins and of Python.
So a change in one package executes the notebooks again that use it, and no other.
"""

import hashlib
import json
import re
import sys
from pathlib import Path

from bookbuild import PUBLISHED, ROOT
from bookbuild.run_notebooks import cached
from eqproof.import_graph import named, reached, taken_by

OWN = ("robotdyn", *PUBLISHED)
MAGIC = re.compile(r"^\s*[%!].*$", re.M)  # lines of IPython, which import nothing


def code_of(notebook: Path) -> str:
    """Return the code cells of a notebook as one program."""
    cells = json.loads(notebook.read_text("utf8"))["cells"]
    return MAGIC.sub("", "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"))


def sources(notebook: Path) -> list[Path]:
    """Return the files of this repository that the cells of a notebook reach, without the notebook."""
    code = code_of(notebook)
    modules, _ = taken_by("", False, code, OWN)
    beside = [path for path in map(notebook.with_name, named(code)) if path.is_file()]
    files, _ = reached(modules, OWN, beside)
    return files


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
