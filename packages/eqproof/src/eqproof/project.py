r"""What an author sets once for a project: which pages there are, where their proofs stand, and the macros they use.

`[tool.eqproof]` in pyproject.toml, or an eqproof.toml without that heading:

    pages = ["chapters/*.md", "intro.ipynb"]
    toc = "_toc.yml"                              # of a Jupyter Book: its pages, in its order, before those in pages
    proofs = "proofs"                             # the folder, beside a page, with its file of proofs
    symmetric = ['\boldsymbol I_*']               # letters of symmetric matrices, on all pages; see eqproof.dead_tokens
    numbers = true                                # those in running text need a source, and are kept; see eqproof.numbers, eqproof.printed
    [tool.eqproof.colors]
    blue = '\\ddot'                               # what is printed in blue holds \ddot; see eqproof.colors
    [tool.eqproof.macros]
    "\\R" = "\\mathbb{R}"                         # "\\norm" = "\\|#1\\|" takes an argument in braces
    [tool.eqproof.units]
    "m_*" = "kg"                                  # of letters that mean the same on all pages; see eqproof.units
    [tool.eqproof.units.space]                    # of the pages that ask for it: chapter.units("space")

Instead of its table, `units` may name a file of TOML that holds it.
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from eqproof.errors import ProofError

ENDINGS = (".ipynb", ".md", ".tex")
KEYS = ("pages", "toc", "proofs", "macros", "units", "numbers", "symmetric", "colors")

INSIDE = r"[^{}]*"  # of braces: what may hold braces in turn
for _ in range(5):
    INSIDE = rf"(?:\\.|[^{{}}\\]|\{{{INSIDE}\}})*"


@dataclass(frozen=True)
class Project:
    """The settings of a project; paths are relative to its root."""

    root: Path = Path()
    pages: tuple[Path, ...] = ()
    proofs: str = "proofs"
    macros: dict[str, str] = field(default_factory=dict)
    units: dict[str, Any] = field(default_factory=dict)
    numbers: bool = False
    symmetric: tuple[str, ...] = ()
    colors: dict[str, str] = field(default_factory=dict)

    def page(self, name: str) -> Path:
        """Return the page that a file, its file of proofs or its name in this project means; FileNotFoundError without one."""
        if Path(name).suffix == ".py":
            found = [page for end in ENDINGS if (page := Path(name).parents[1] / f"{Path(name).stem}{end}").exists()]
            if found:
                return found[0]
        if Path(name).suffix in ENDINGS and Path(name).exists():
            return Path(name)
        for page in self.pages:
            if page.stem == name:
                return page
        raise FileNotFoundError(f"{name} is neither a file {', '.join(ENDINGS)} nor the name of a page of this project")


def project(start: str | Path = ".") -> Project:
    """Return the settings that hold in a folder: those of the nearest folder above with [tool.eqproof] or eqproof.toml."""
    for folder in (Path(start).resolve(), *Path(start).resolve().parents):
        table = settings(folder)
        if table is not None:
            unknown = sorted(set(table) - set(KEYS))
            if unknown:
                raise ProofError(f"{', '.join(unknown)} is no setting of eqproof; there are {', '.join(KEYS)}")
            pages = pages_of_toc(folder / table["toc"]) if "toc" in table else []
            pages += [page for page in matching_pages(folder, table.get("pages", ())) if page not in pages]
            units = table.get("units", {})
            units = read(folder / units) if isinstance(units, str) else units
            rest = table.get("proofs", "proofs"), table.get("macros", {}), units, table.get("numbers", False)
            return Project(
                folder, tuple(pages), *rest, symmetric=tuple(table.get("symmetric", ())), colors=table.get("colors", {})
            )
    return Project(Path(start).resolve())


def settings(folder: Path) -> dict[str, Any] | None:
    """Return the table of settings in a folder, None without one."""
    if (folder / "eqproof.toml").exists():
        return read(folder / "eqproof.toml")
    if (folder / "pyproject.toml").exists():
        table: dict[str, Any] | None = read(folder / "pyproject.toml").get("tool", {}).get("eqproof")
        return table
    return None


PARSED = lru_cache(tomllib.loads)  # the settings are asked for many times a page


def read(file: Path) -> dict[str, Any]:
    """Return what a file of TOML says; it is shared, and must not be changed."""
    return PARSED(file.read_text(encoding="utf8"))


def matching_pages(folder: Path, patterns: Iterable[str]) -> list[Path]:
    """Return the pages that the patterns name, each once."""
    found = {page: None for pattern in patterns for page in sorted(folder.glob(pattern)) if page.suffix in ENDINGS}
    return list(found)


def pages_of_toc(toc: Path) -> list[Path]:
    """Return the paths of the pages in the order of a Jupyter Book's table of contents."""
    slugs = re.findall(r"^\s*-?\s*(?:root|file):\s*(\S+)", toc.read_text(encoding="utf8"), re.MULTILINE)
    found = []
    for slug in slugs:
        page = [toc.parent / f"{slug}{end}" for end in ("", *ENDINGS) if (toc.parent / f"{slug}{end}").is_file()]
        if not page:
            raise FileNotFoundError(f"{toc.name} names {slug}, and there is no such page")
        found.append(page[0])
    return found


def expand(text: str, macros: dict[str, str]) -> str:
    r"""Return a text with an author's macros replaced, `\norm{x}` by its definition with x for #1."""
    for _ in range(10):  # macros may use macros
        before = text
        for name, body in macros.items():
            count = max([0, *map(int, re.findall(r"#(\d)", body))])
            pattern = (
                re.escape(name) + (r"(?![a-zA-Z])" if name[-1].isalpha() else "") + rf"\s*\{{({INSIDE})\}}" * count
            )
            text = re.sub(pattern, partial(fill_macro, body), text)
        if text == before:
            break
    return text


def fill_macro(body: str, match: re.Match[str]) -> str:
    """Return the body of a macro with the arguments of a match in the places of #1, #2, .."""
    return re.sub(r"#(\d)", lambda digit: match.group(int(digit.group(1))), body)
