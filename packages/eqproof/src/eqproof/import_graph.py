"""Which files a program depends on: the modules it imports, as far as the imports lead, and the files that these name.

Where a package loads its names when they are first used (lazy_loader), `rd.mass_matrix` leads to the one file that the stub says
it lives in. A package that is imported by name, `importlib.import_module("name")`, is followed where no stub tells more.
"""

import ast
import importlib.metadata
import importlib.util
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path


def reached_files(
    begin: Iterable[tuple[str, Path]],
    packages: tuple[str, ...],
    also: Iterable[Path] = (),
    more: Callable[[Path], list[Path]] = lambda path: [],
) -> tuple[list[Path], list[tuple[str, str]]]:
    """Return the files that modules reach, and the versions of the third parties that these import.

    begin: (name, file) of modules, "" for what is none; packages: their modules count wherever they are installed;
    also: files that count in any case; more: further files that a module reads.
    """
    found = {str(path) for path in also}
    others: dict[str, str] = {}
    todo = [*begin]
    while todo:
        name, path = todo.pop()
        if str(path) in found:
            continue
        found.add(str(path))
        text = path.read_text("utf8")
        found |= {str(x) for x in more(path)}
        found |= {str(stub) for stub in [path.with_suffix(".pyi")] if stub.is_file()}  # from which names may be loaded
        for beside in map(path.with_name, named_files(text)):
            if beside.suffix == ".py" and beside.is_file():
                todo.append(("", beside))
            elif beside.is_file():
                found.add(str(beside))
        modules, third_parties = imports_of(name, path.name == "__init__.py", text, packages)
        todo += modules
        others |= third_parties
    return sorted(map(Path, found)), sorted(others.items())


def imports_of(
    name: str, is_package: bool, text: str, packages: tuple[str, ...]
) -> tuple[list[tuple[str, Path]], dict[str, str]]:
    """Return the modules that a text imports, as (name, file), and {third party: version}."""
    modules: list[tuple[str, Path]] = []
    others: dict[str, str] = {}
    for module in imported_modules(name, is_package, text, packages):
        own = files_of(module, packages)
        modules += own
        top = module.partition(".")[0]
        if not own and top not in sys.stdlib_module_names:
            others[top] = version(top)
    return modules, others


@cache
def named_files(text: str) -> list[str]:
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
def imported_modules(name: str, is_package: bool, text: str, packages: tuple[str, ...]) -> frozenset[str]:
    """Return the modules that a module of this name and text imports, or may import when one of its functions runs."""
    package = name if is_package else name.rpartition(".")[0]
    reader = Reader(package, packages)
    tree = ast.parse(text)
    reader.read_imports(tree)
    reader.visit(tree)
    file = file_of(name, packages) if is_package else None
    if file is None or not home_modules(name, file):  # which tells what each name loads
        reader.found |= {taken for home in loaded_by_name(tree, package) for taken in reader.taken(home, [])}
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
        stub = home_modules(module, file)
        if chain and file_of(f"{module}.{chain[0]}", self.packages) is not None:
            return found | self.taken(f"{module}.{chain[0]}", chain[1:])
        if chain and chain[0] in stub:
            return found | self.taken(stub[chain[0]], [chain[0], *chain[1:]])
        if chain and chain[0] in module_level_names(file):
            return found
        if stub:
            homes = loaded_by_name(ast.parse(file.read_text("utf8")), module)  # only a package has one
            found = found.union(*(self.taken(home, []) for home in homes))
        return found.union(*(self.taken(home, [name]) for name, home in stub.items()))


@cache
def module_level_names(file: Path) -> frozenset[str]:
    """Return the names that a module itself defines, assigns or imports when it is loaded."""
    names: set[str] = set()
    for node in ast.parse(file.read_text("utf8")).body:
        match node:
            case ast.Import() | ast.ImportFrom():
                names |= {alias.asname or alias.name for alias in node.names}
            case ast.FunctionDef() | ast.ClassDef():
                names.add(node.name)
            case ast.Assign() | ast.AnnAssign():
                names |= {x.id for x in ast.walk(node) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
    return frozenset(names)


def loaded_by_name(tree: ast.AST, package: str) -> frozenset[str]:
    """Return the modules that a program in a package loads by a name that it writes out, `importlib.import_module("name")`."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    loads = [one for one in calls if getattr(one.func, "attr", getattr(one.func, "id", "")) == "import_module"]
    return frozenset(name for call in loads if (name := _loaded(call, package)) is not None)


def _loaded(call: ast.Call, package: str) -> str | None:
    """Return the module that a call of import_module loads; a name with dots counts from its second argument; None where it is computed."""
    given = {word.arg: word.value for word in call.keywords} | dict(zip(("name", "package"), call.args))
    name = given.get("name")
    anchor = given.get("package")
    if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
        return None
    base = anchor.value if isinstance(anchor, ast.Constant) else package if _is_own_package(anchor) else None
    try:
        full = importlib.util.resolve_name(name.value, base if isinstance(base, str) else None)
    except ImportError:  # beyond the outermost package, or from one that is not known
        return None
    return full if all(part.isidentifier() for part in full.split(".")) else None


def _is_own_package(node: ast.AST | None) -> bool:
    """Return whether an expression is `__package__`, `__spec__.parent`, or a package's `__name__`."""
    return node is not None and ast.unparse(node) in ("__package__", "__spec__.parent", "__name__")


def without_types(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes below one, but for those that a type checker alone reads."""
    for node in running_statements(tree) if isinstance(tree, ast.If) else ast.iter_child_nodes(tree):
        yield node
        yield from without_types(node)


def running_statements(node: ast.If) -> list[ast.stmt]:
    """Return the statements of an `if` that may run: of `if TYPE_CHECKING` those after its `else`."""
    match node.test:
        case ast.UnaryOp(op=ast.Not(), operand=test) if _is_checking(test):
            return node.body
        case ast.BoolOp(op=ast.And(), values=tests) if any(map(_is_checking, tests)):
            return node.orelse
        case test if _is_checking(test):
            return node.orelse
    return [*node.body, *node.orelse]


def for_types(node: ast.If) -> list[ast.stmt]:
    """Return the statements of an `if` that a type checker alone reads."""
    runs = running_statements(node)
    return [one for one in (*node.body, *node.orelse) if one not in runs]


def _is_checking(test: ast.AST) -> bool:
    """Return whether a test is TYPE_CHECKING, by itself or of typing."""
    return "TYPE_CHECKING" in (getattr(test, "id", ""), getattr(test, "attr", ""))


@cache
def home_modules(package: str, file: Path) -> dict[str, str]:
    """Return {public name: the module it lives in} of a package that loads its names when they are used, {} of any other.

    file: its `__init__.py`; they stand in the stub beside it, or where it has none among the imports for type checkers.
    """
    stub = file.with_suffix(".pyi")
    if file.name != "__init__.py":
        return {}
    if stub.exists():
        nodes = [*ast.walk(ast.parse(stub.read_text("utf8")))]
    else:
        tests = [node for node in ast.walk(ast.parse(file.read_text("utf8"))) if isinstance(node, ast.If)]
        nodes = [x for test in tests for one in for_types(test) for x in ast.walk(one)]
    return {
        alias.name: ".".join(filter(None, (package if node.level else "", node.module)))
        for node in nodes
        if isinstance(node, ast.ImportFrom) and (node.level or node.module != "typing")
        for alias in node.names
    }
