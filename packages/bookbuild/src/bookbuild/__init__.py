"""Builds the book: Sphinx extensions, one a file, and the commands behind `make`."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]  # the repository: the tools work on a clone
PUBLISHED = ("movingfigures", "coursework", "eqproof")  # what notebooks import beside the library
PACKAGES = (*PUBLISHED, "bookbuild")
SOURCES = (ROOT, *(ROOT / "packages" / name / "src" for name in PACKAGES))  # folders that imports are found in
PYTHONPATH = os.pathsep.join(map(str, SOURCES))
