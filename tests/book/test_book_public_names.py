"""The public names of the library: it is imported quickly, and every name that the book prints works in a fresh kernel."""

import json
import re
import subprocess
import sys

import pytest

import robotdyn as rd
from bookbuild import lint

PRINTED = re.compile(r"(?<![\w.\"'/-])(?:rd|robotdyn|eqproof|coursework)(?:\.[A-Za-z_]\w*)+(?![\w/*-])")
PAGES = lint.project_files(
    "book/*.ipynb", "book/*.md", "exercises/*.ipynb", "*README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"
)
FILES = re.compile(r"\.(py|pyi|md|ipynb|toml|js)$")

# Opens each name in a copy of a process that has loaded NumPy, SciPy, SymPy and Matplotlib, and nothing of ours.
TRY = """
import json, os, pkgutil, sys
import matplotlib.pyplot, numpy, scipy.linalg, sympy
def fault(name):
    try:
        if name.startswith("rd."):
            import robotdyn as value
            for word in name.split(".")[1:]:
                value = getattr(value, word)
        else:
            pkgutil.resolve_name(name)
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
found = {}
for name in sys.argv[1:]:
    read, write = os.pipe()
    if not os.fork():
        os.write(write, (fault(name) or "").encode()[:4000])
        os._exit(0)
    os.close(write)
    with open(read) as said:
        found[name] = said.read()
    os.wait()
print(json.dumps({name: words for name, words in found.items() if words}))
"""


def faults(names):
    """What goes wrong where a name is the first that is used: {name: the error}."""
    done = subprocess.run(
        [sys.executable, "-c", TRY, *names], capture_output=True, text=True, check=True, cwd=lint.ROOT
    )
    return json.loads(done.stdout)


def printed(path):
    """The names of ours that a page prints, in code and in words."""
    text = path.read_text(encoding="utf8")
    if path.suffix == ".ipynb":
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    return {name for name in PRINTED.findall(text) if not FILES.search(name)}


@pytest.mark.slow
def test_every_name_that_a_page_prints_works_in_a_fresh_kernel():
    """Each in a process of its own, where nothing else of ours has been loaded; likewise each public name."""
    where = {f"rd.{name}": "__init__.pyi" for name in [*rd.__all__, *rd._ALIASES, "check"]}
    where |= {name: path.name for path in PAGES for name in printed(path)}
    assert len(where) > 60 and "rd.spatial.skew" in where
    wrong = {f"{name} in {where[name]}": words for name, words in faults(sorted(where)).items()}
    assert wrong == {}


def test_a_name_that_does_not_work_is_seen():
    """Also where an earlier name has loaded another package."""
    assert list(faults(["rd.robots.rp", "rd.robot", "rd.simulation", "eqproof.nothing"])) == [
        "rd.robot",
        "rd.simulation",
        "eqproof.nothing",
    ]


@pytest.mark.parametrize("package", ["robotdyn", "coursework"])
def test_import_is_light(package):
    """It pulls in neither NumPy, SymPy, SciPy, Matplotlib nor llvmlite; each comes when it is first needed."""
    heavy = "{'numpy', 'sympy', 'scipy', 'matplotlib', 'llvmlite', 'jax'}"
    code = f"import sys, {package}; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=lint.ROOT)
    assert done.stdout.strip() == "[]"


def test_what_moves_is_loaded_when_it_is_asked_for():
    """A picture does not load it; `rd.show` has its names all the same, and tells what it has not."""
    code = """
import sys
import robotdyn as rd
rd.show.draw_arm
assert "movingfigures" not in sys.modules
import movingfigures
assert all(getattr(rd.show, name) is getattr(movingfigures, name) for name in movingfigures.__all__)
assert set(movingfigures.__all__) < set(rd.show.__all__)
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=lint.ROOT)
    with pytest.raises(AttributeError, match=r"robotdyn.show has no 'exlpore'; it has .*explore"):
        rd.show.exlpore  # noqa: B018


def test_an_unknown_name_is_told_what_there_is():
    """In a sentence that lists the names."""
    with pytest.raises(AttributeError, match=r"robotdyn has no 'masss_matrix'; it has .*mass_matrix"):
        rd.masss_matrix  # noqa: B018
