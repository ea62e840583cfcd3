"""Kept verdicts: a page is judged once, and anew as soon as anything changes on which its verdicts depend.

That is the page, its file of proofs with the files beside it whose names stand in it, what the project notes of the page and
sets for all pages, the versions of Python and of third parties, and the modules, of eqproof and of others that are no
third party's, which the proofs or the checker import: as far as the imports lead, and no whole folder. Where a package loads
its names when they are first used (lazy_loader), `rd.mass_matrix` leads to the one file that the stub says it lives in.
"""

import ast
import dataclasses
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from eqproof.chapter import Result
from eqproof.ledger import Report, judge, side_by_side
from eqproof.notes import LABEL_NOTES, NUMBER_NOTES, RELATION_NOTES
from eqproof.project import ENDINGS, project
from eqproof.project import read as table_in

NEWEST = 8  # verdicts of a page that are kept: of so many states, such as branches
START = "eqproof.ledger"  # the module that judges


# ---- reports ----------------------------------------------------------------------------------------------------------


def reports(root: Path, kept: Path, packages: Iterable[str] = ()) -> list[Report]:
    """Return the Report of each page of the project; kept: the folder of earlier verdicts."""
    pages = project(root).pages
    files = {page: file_of_verdict(page, kept, packages) for page in pages}
    found = {page: read(page, file) for page, file in files.items()}
    todo = [(page,) for page in pages if found[page] is None]
    for report in side_by_side(judge, todo, jobs_wanted()):
        write(report, files[report.page])
        found[report.page] = report
    return [report for report in found.values() if report is not None]


def judged(page: Path, kept: Path, packages: Iterable[str] = ()) -> Report:
    """Return the Report of a page, the kept one if there is one."""
    file = file_of_verdict(page, kept, packages)
    report = read(page, file)
    if report is None:
        report = judge(page)
        write(report, file)
    return report


def file_of_verdict(page: Path, kept: Path, packages: Iterable[str] = ()) -> Path:
    """Return the path of the file that holds the verdicts on a page as it is now, whether it exists or not."""
    return kept / f"{page.stem}-{key_of(page, packages)[:16]}.json"


def read(page: Path, file: Path) -> Report | None:
    """Return a kept Report, None where there is none, or none that can be read."""
    with suppress(FileNotFoundError, ValueError, TypeError):
        results, wrong, inline, numbers = json.loads(file.read_text("utf8"))
        return Report(page, tuple(Result(**x) for x in results), tuple(wrong), inline, numbers)
    return None


def write(report: Report, file: Path) -> None:
    """Keep a Report, all of it or nothing, and forget the oldest of the page."""
    file.parent.mkdir(parents=True, exist_ok=True)
    results = [dataclasses.asdict(x) for x in report.results]
    with tempfile.NamedTemporaryFile("w", encoding="utf8", dir=file.parent, delete=False) as made:
        made.write(json.dumps([results, report.wrong, report.inline, report.numbers]))
    os.replace(made.name, file)
    earlier = [x for x in file.parent.glob("*.json") if x.stem[:-17] == report.page.stem]
    for old in sorted(earlier, key=os.path.getmtime)[:-NEWEST]:
        old.unlink(missing_ok=True)


def jobs_wanted() -> int | None:
    """Return the number of processes that make was given, None if it was given none."""
    jobs = os.environ.get("JOBS", "")
    return int(jobs) if jobs.isdigit() else None


# ---- what verdicts depend on ------------------------------------------------------------------------------------------


def key_of(page: Path, packages: Iterable[str] = ()) -> str:
    """Return a hash of all that the verdicts on a page depend on; packages: their modules count wherever they are installed."""
    here = project(page.parent)
    proofs = page.parent / here.proofs / f"{page.stem}.py"
    notes = [proofs.with_name(name) for name in (LABEL_NOTES, RELATION_NOTES, NUMBER_NOTES)]
    noted = [table_in(file).get(page.stem, {}) if file.exists() else None for file in notes]
    files, versions = sources(page, proofs, ("eqproof", *packages))
    known = (sys.version, versions, noted, here.units, here.macros, here.numbers, here.symmetric)
    digest = hashlib.sha256(repr(known).encode())
    for path in files:
        text = path.read_bytes()
        digest.update(f"{path.name} {len(text)} ".encode() + text)
    return digest.hexdigest()


def sources(page: Path, proofs: Path, packages: tuple[str, ...]) -> tuple[list[Path], list[tuple[str, str]]]:
    """Return the files on which the verdicts on a page depend, and the versions of the third parties that these import."""
    found = {str(page)}
    others: dict[str, str] = {}
    todo = [("", proofs)] if proofs.exists() else []
    todo += files_of(START, packages)
    while todo:
        name, path = todo.pop()
        if str(path) in found:
            continue
        found.add(str(path))
        text = path.read_text("utf8")
        if path.parent == proofs.parent:  # the proofs of another page read that page, too
            found |= {str(x) for end in ENDINGS if (x := page.with_name(f"{path.stem}{end}")).exists()}
        for beside in map(path.with_name, named(text)):
            if beside.suffix == ".py" and beside.is_file():
                todo.append(("", beside))
            elif beside.is_file():
                found.add(str(beside))
        for module in imported(name, path.name == "__init__.py", text, packages):
            own = files_of(module, packages)
            todo += own
            top = module.partition(".")[0]
            if not own and top not in sys.stdlib_module_names:
                others[top] = version(top)
    return sorted(map(Path, found)), sorted(others.items())


@cache
def named(text: str) -> list[str]:
    """Return the names of files, with an ending, that stand between quotation marks in a text."""
    return sorted({name for _, name in re.findall(r"""(["'])([\w-]+\.\w+)\1""", text)})


@cache
def version(package: str) -> str:
    """Return the version of a third party, "" for what tells none."""
    with suppress(importlib.metadata.PackageNotFoundError):
        return importlib.metadata.version(package)
    return ""


@cache
def folder_of(package: str, packages: tuple[str, ...]) -> Path | None:
    """Return where a package or a module that is no third party's lies, without its ending; None for all others."""
    if package in sys.stdlib_module_names:
        return None
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    origin = Path(spec.origin) if spec and spec.origin and spec.origin.endswith(".py") else None
    if origin is None or (package not in packages and {"site-packages", "dist-packages"} & set(origin.parts)):
        return None
    return origin.parent if origin.name == "__init__.py" else origin.with_suffix("")


@cache
def file_of(module: str, packages: tuple[str, ...]) -> Path | None:
    """Return the file of a module that is no third party's, None where there is none."""
    top, *rest = module.split(".")
    folder = folder_of(top, packages)
    if folder is None:
        return None
    path = folder.joinpath(*rest)
    files = (path / "__init__.py", path.with_name(f"{path.name}.py"))
    return next((file for file in files if file.exists()), None)


@cache
def files_of(module: str, packages: tuple[str, ...]) -> tuple[tuple[str, Path], ...]:
    """Return (name, file) of a module and of the packages that it lies in, which are imported before it."""
    parts = module.split(".")
    names = [".".join(parts[: k + 1]) for k in range(len(parts))]
    return tuple((name, file) for name in names if (file := file_of(name, packages)) is not None)


# ---- imports ----------------------------------------------------------------------------------------------------------


@cache
def imported(name: str, is_package: bool, text: str, packages: tuple[str, ...]) -> frozenset[str]:
    """Return the modules that a module of this name and text imports, or may import when one of its functions runs."""
    reader = Reader(name if is_package else name.rpartition(".")[0], packages)
    tree = ast.parse(text)
    reader.read_imports(tree)
    reader.visit(tree)
    return frozenset(reader.found)


class Reader(ast.NodeVisitor):
    """Reads the imports of a module, and what it takes from the modules that it has imported as a whole."""

    def __init__(self, package: str, packages: tuple[str, ...]) -> None:
        self.package = package
        self.packages = packages
        self.modules: dict[str, str] = {}  # names that stand for modules
        self.found: set[str] = set()

    def read_imports(self, tree: ast.AST) -> None:
        """Note what is imported, and the names that then stand for modules."""
        for node in without_types(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self.found.add(alias.name)
                    top = alias.name.partition(".")[0]
                    self.modules[alias.asname or top] = alias.name if alias.asname else top
            elif isinstance(node, ast.ImportFrom):
                base = self.package.rsplit(".", node.level - 1)[0] if node.level else ""
                module = ".".join(filter(None, (base, node.module)))
                for alias in node.names:
                    if file_of(f"{module}.{alias.name}", self.packages) is not None:
                        self.modules[alias.asname or alias.name] = f"{module}.{alias.name}"
                    self.found |= self.taken(module, [alias.name])

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """A name of a module with what is taken from it."""
        chain = [node.attr]
        value = node.value
        while isinstance(value, ast.Attribute):
            chain.insert(0, value.attr)
            value = value.value
        if isinstance(value, ast.Name) and value.id in self.modules:
            self.found |= self.taken(self.modules[value.id], chain)
        else:
            self.visit(value)

    def visit_Name(self, node: ast.Name) -> None:
        """A module that is handed on as a whole."""
        if node.id in self.modules:
            self.found |= self.taken(self.modules[node.id], [])

    def taken(self, module: str, chain: list[str]) -> set[str]:
        """Return the modules that are imported when a chain of names is taken from one."""
        found = {module}
        file = file_of(module, self.packages)
        if file is None:
            return found
        stub = lived_in(module, file.with_suffix(".pyi")) if file.name == "__init__.py" else {}
        if chain and file_of(f"{module}.{chain[0]}", self.packages) is not None:
            return found | self.taken(f"{module}.{chain[0]}", chain[1:])
        if chain and chain[0] in stub:
            return found | self.taken(stub[chain[0]], [chain[0], *chain[1:]])
        return found.union(*(self.taken(home, [name]) for name, home in stub.items()))


def without_types(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes below one, but for those that a type checker alone reads."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        yield node
        yield from without_types(node)


def lived_in(package: str, stub: Path) -> dict[str, str]:
    """Return {public name: the module it lives in} of a package that loads its names by a stub, {} of any other."""
    if not stub.exists():
        return {}
    nodes = [node for node in ast.walk(ast.parse(stub.read_text("utf8"))) if isinstance(node, ast.ImportFrom)]
    return {
        alias.name: ".".join(filter(None, (package, node.module)))
        for node in nodes
        for alias in node.names
        if node.level
    }
