"""eqproof stands by itself: it imports nothing of the book that it grew up with, and works where that is not installed."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import eqproof

PACKAGE = Path(eqproof.__file__).parent
OTHERS = ("robotdyn", "movingfigures", "coursework", "book", "bookbuild", "tests")
ALLOWED = {"eqproof", "lark", "lazy_loader", "mpmath", "numpy", "sympy", *sys.stdlib_module_names}
FILES = [file for file in sorted(PACKAGE.glob("*.py")) if file.name != "sphinx.py"]


def imported(file):
    """The names of the packages that a file imports, at whatever depth."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(str(node.module).split(".")[0])
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_imports_what_the_package_declares(file):
    """The standard library, Lark, the lazy loader, NumPy and SymPy (mpmath comes with it)."""
    assert imported(file) <= ALLOWED


ALONE = """
import sys
for name in OTHERS: sys.modules[name] = None     # an import of these fails
import sympy as sp
from eqproof import check
from eqproof.__main__ import main
m, v = sp.symbols("m v", positive=True)
assert check(r"T = \\frac12 m v^2", {"T": m * v**2 / 2, "m": m, "v": v})
assert not check(r"T = m v^2", {"T": m * v**2 / 2, "m": m, "v": v})
assert main(["page.md"]) == 0
"""


def test_it_works_where_the_book_is_not_installed(tmp_path):
    """One line, and a page with its proofs, in a process in which no package of the book can be imported."""
    (tmp_path / "proofs").mkdir()
    (tmp_path / "page.md").write_text("$$ a = 2 b $$ (eq-one)", encoding="utf-8")
    (tmp_path / "proofs" / "page.py").write_text(
        "import sympy as sp\nfrom eqproof import Chapter\nchapter = Chapter(__file__)\nb = sp.Symbol('b')\n"
        "chapter.bind({'a': 2 * b, 'b': b})\n"
        "chapter.prove('eq-one', by='algebra')\n",
        encoding="utf-8",
    )
    code = ALONE.replace("OTHERS", repr(OTHERS))
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "page.md: 1 proven" in run.stdout


LAZY = """
import sys
from eqproof import checked, quoted
checked("one is one", True)
quoted({"3.1": 3.14})
assert not {"sympy", "lark"} & set(sys.modules)
import eqproof.chapter, eqproof.sphinx
assert not [name for name in eqproof.__all__ if not callable(getattr(eqproof, name))]
"""


def test_what_begins_a_chapter_loads_no_algebra_and_no_name_becomes_its_file():
    """A notebook that checks its numbers starts without SymPy; a name stays what it is when all files are loaded."""
    pytest.importorskip("sphinx")
    run = subprocess.run([sys.executable, "-c", LAZY], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
