"""The first cell of a released notebook: on a student's own computer it installs what the notebook needs, from the course's site."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from nbformat.v4 import new_code_cell, new_markdown_cell

from coursework.grading.settings import SETTINGS, settings

if TYPE_CHECKING:
    from nbformat import NotebookNode

WHEELS = (
    "robotdyn",
    "movingfigures",
    "coursework",
)  # what an assignment imports; each built book has them beside its notebooks
BESIDE = "ipywidgets anywidget"  # for the figures that move


def course_site(folder: Path) -> str:
    """Return the address of the pages of a course, without a slash at its end, "" while course.toml names none.

    Raises ValueError, in words, for what is no address.
    """
    site = settings(folder).get("site", "")
    if not isinstance(site, str) or (site and not _is_address(site)):
        raise ValueError(
            f"site in {SETTINGS} must be the folder in which the pages of the course lie, such as https://arms.example.edu/2026, got {site!r}"
        )
    return site.rstrip("/")


def add_installation(notebook: NotebookNode, site: str) -> None:
    """Put two cells in front of a student's notebook, in place: what they are for, and the installation from a site."""
    wheels = " ".join(f"{site}/notebooks/{name}-{version(name)}-py3-none-any.whl" for name in WHEELS)
    there = " and ".join(f'find_spec("{name}")' for name in WHEELS)
    words = (
        f"The pages of this course are at <{site}>. "
        "On your own computer the next cell installs what this notebook needs, for which it takes a network once; "
        "where all is there, it does nothing."
    )
    code = (
        "# Installs what this notebook needs, where it is missing.\nfrom importlib.util import find_spec\n\n"
        f"if not ({there}):\n    %pip install --quiet {wheels} {BESIDE}"
    )
    notebook.cells[:0] = [new_markdown_cell(words, id="what-it-needs"), new_code_cell(code, id="installation")]


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    plain = all(letter.isprintable() and letter not in " \"'<>`\\$(){}|;&@" for letter in text)  # no password, either
    is_folder = not (parts.query or parts.fragment or parts.path.endswith((".html", ".ipynb", ".whl")))
    return plain and is_folder and parts.scheme in ("http", "https") and bool(parts.netloc)
