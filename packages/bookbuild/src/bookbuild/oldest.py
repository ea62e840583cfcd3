"""Prints the oldest versions of what the library needs that pyproject.toml allows, as pip takes them:

    python -m venv oldest
    oldest/bin/pip install $(python packages/bookbuild/src/bookbuild/oldest.py) pytest hypothesis mpmath nbval ipywidgets
    oldest/bin/python -m pytest tests --ignore=tests/book -m "not slow"

It needs no package, so that any Python runs it.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
LOWER_BOUND = re.compile(r"([A-Za-z0-9._-]+)>=([0-9.]+)(,.*)?")


def oldest(requirements: list[str]) -> list[str]:
    """Return each requirement at its lower bound, with the latest fixes of that version; ValueError where there is none."""
    pinned = []
    for requirement in requirements:
        found = LOWER_BOUND.fullmatch(requirement)
        if found is None:
            raise ValueError(
                f"a requirement of the library must have a lower bound, as numpy>=2.0, got {requirement!r}"
            )
        name, version, _ = found.groups()
        pinned.append(f"{name}=={version}.*")
    return pinned


def main() -> int:
    """Print them in one line."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    print(*oldest(project["dependencies"] + project["optional-dependencies"]["fast"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
