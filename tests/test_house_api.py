"""The API page shows every public name of the library, and every public name has a docstring to show."""

import importlib
import inspect
import re
from pathlib import Path
from types import ModuleType

import build_book
import pytest

import robotdyn

ROOT = Path(__file__).resolve().parent.parent

PARTS = [name for name in robotdyn.__all__ if isinstance(getattr(robotdyn, name), ModuleType)]


def public(module):
    """The public names of a module that are not modules: its __all__, or what is defined there without an underscore."""
    names = getattr(module, "__all__", None)
    if names is None:
        members = vars(module).items()
        names = [n for n, v in members if not n.startswith("_") and getattr(v, "__module__", None) == module.__name__]
    return [name for name in names if not isinstance(getattr(module, name), ModuleType)]


def documented():
    """The names that the API page should show, written as robotdyn.x or robotdyn.part.x."""
    names = [f"robotdyn.{name}" for name in public(robotdyn)]
    for part in PARTS:
        names += [f"robotdyn.{part}.{name}" for name in public(importlib.import_module(f"robotdyn.{part}"))]
    return names


def resolve(name):
    value = robotdyn
    for word in name.split(".")[1:]:
        value = getattr(value, word)
    return value


@pytest.mark.parametrize("name", documented())
def test_a_public_name_has_a_docstring(name):
    """Functions and classes say what they are; a constant is told in the docstring of its module or where it stands."""
    value = resolve(name)
    if inspect.isclass(value) or callable(value):
        assert (inspect.getdoc(value) or "").strip(), f"{name} has no docstring"


def test_the_page_has_a_section_for_each_part():
    """book/api.md names robotdyn and each module in robotdyn.__all__: a new part needs four lines there."""
    shown = re.findall(r"^\.\. automodule:: (\S+)\n +:members:", (ROOT / "book" / "api.md").read_text(), re.M)
    wanted = ["robotdyn", *(f"robotdyn.{part}" for part in PARTS)]
    assert sorted(shown) == sorted(wanted), "add or remove an automodule block in book/api.md"


def test_the_built_page_shows_every_name():
    """Each public function and class has an entry, in the first section or in that of its part."""
    if not build_book.current():
        pytest.skip("the book is not built, or older than its sources: `make book` builds it")
    ids = set(re.findall(r'id="(robotdyn[\w.]*)"', (ROOT / "_build" / "html" / "book" / "api.html").read_text()))
    values = {name: resolve(name) for name in documented()}
    wanted = {name: value for name, value in values.items() if inspect.isclass(value) or inspect.isroutine(value)}
    first = {name.split(".")[-1]: value for name, value in wanted.items() if name.count(".") == 1}
    missing = [n for n, v in wanted.items() if n not in ids and first.get(n.split(".")[-1]) is not v]
    assert not missing, f"not on the API page: {missing}"
