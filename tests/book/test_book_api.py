"""The API page shows every public name of the library, and every public name has a docstring to show."""

import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest

import robotdyn as rd

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "book" / "api.md"
SECTION = re.compile(r"^\.\. automodule:: (robotdyn\S*)\n +:members:", re.M)

# rd.robots, rd.laws and the others, by the names of their files; two names of one file are one part.
PARTS = {
    part.__name__: part
    for part in (getattr(rd, name) for name in [*rd.__all__, *rd._ALIASES])
    if isinstance(part, ModuleType)
}


def public(module):
    """The public names of a module that are not modules: its __all__, or what is defined there without an underscore."""
    names = getattr(module, "__all__", None)
    if names is None:
        members = vars(module).items()
        names = [n for n, v in members if not n.startswith("_") and getattr(v, "__module__", None) == module.__name__]
    return [name for name in names if not isinstance(getattr(module, name), ModuleType)]


def documented():
    """What the API page should show: {the name with that of its file: the value}."""
    return {
        f"{name}.{word}": getattr(part, word)
        for name, part in {"robotdyn": rd, **PARTS}.items()
        for word in public(part)
    }


@pytest.mark.parametrize("name", [name for name, value in documented().items() if callable(value)])
def test_a_public_name_has_a_docstring(name):
    """Functions and classes say what they are; a constant is told in the docstring of its module or where it stands."""
    assert (inspect.getdoc(documented()[name]) or "").strip(), f"{name} has no docstring"


def test_the_page_has_a_section_for_each_part():
    """book/api.md names robotdyn and each of its parts: a new part needs four lines there."""
    shown = SECTION.findall(PAGE.read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(["robotdyn", *PARTS]), "add or remove an automodule block in book/api.md"


@pytest.mark.slow
def test_the_built_page_shows_every_name(book):
    """Each public function and class has an entry, in the first section or in that of its part."""
    ids = set(re.findall(r'id="(robotdyn[\w.]*)"', (book / "book" / "api.html").read_text(encoding="utf-8")))
    wanted = {name: value for name, value in documented().items() if inspect.isclass(value) or inspect.isroutine(value)}
    first = [value for name, value in wanted.items() if name.count(".") == 1]
    missing = [
        name for name, value in wanted.items() if name not in ids and not (name.count(".") > 1 and value in first)
    ]
    assert not missing, f"not on the API page: {missing}"


def test_the_margin_of_the_source_breaks_no_line_of_the_page(monkeypatch):
    """A sentence that the source wraps is one line of the page; entries keep lines of their own."""
    from bookbuild.autodoc_format import format_docstring

    words = "q: (n,) rad, the angles, each against the link before it and counterclockwise where it is positive,"
    lines = ["Return a value.", "", words, "as everywhere;", "qd: (n,) rad/s.", "Raises ValueError."]
    format_docstring(None, "function", "f", None, None, lines)
    shown = [line for line in lines if line.startswith("|")]
    assert [line.replace("\\", "") for line in shown] == [
        f"| {words} as everywhere;",
        "| qd: (n,) rad/s.",
        "| Raises ValueError.",
    ]
