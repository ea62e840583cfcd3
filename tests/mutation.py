"""Plants mutants in a subpackage, one at a time, and counts those that the tests see: `make mutants`.

    python tests/mutation.py                          every subject, every mutant (hours)
    python tests/mutation.py optimal control          two subjects
    python tests/mutation.py decide --sample 100      100 mutants, drawn by --seed (0 if not given)

A mutant is the source of one file with one place changed: an operator, a comparison, a number, a lost term, factor,
transposition, statement or entry of a table. A process that has loaded the third parties, and nothing of ours, forks a child
for each; there the changed file is imported in place of the file on disk, and the tests that run the changed line decide,
the quickest first. A test that fails, an error and a loop without an end all kill. What survives stands in mutants.toml,
with the reason why no test can see it (`equal`: the meaning is the same), or is named there as `open`.
"""

import argparse
import ast
import contextlib
import copy
import dataclasses
import hashlib
import importlib.abc
import importlib.util
import inspect
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import TextIO

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "_build" / "mutants"  # which test runs which line, and how long it takes
VERDICTS = Path(__file__).with_name("mutants.toml")
COURSEWORK = "packages/coursework/src/coursework"
EQPROOF = "packages/eqproof/src/eqproof"
DECIDE = [
    "decide",
    "in_digits",
    "in_fractions",
    "inequalities",
    "loose_relations",
    "rates",
    "relations",
    "sampling",
    "statement",
    "vacuity",
]
# folders in which tests find what they import
IMPORTED = (".", "tests", "tests/book", "packages/movingfigures/tests", "packages/coursework/tests")
LIMIT = 90  # CPU s of tests for one mutant: the quickest tests that fit into it; a child has twice that and 20 s

# whatever package a test lies in, it is named from the root, and set up as `make test` does
SETUP = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT)]
OPTIONS = [
    *SETUP,
    "-x",
    "-q",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:unraisableexception",
    "-W",
    "ignore::pytest.PytestAssertRewriteWarning",
]


@dataclass(frozen=True)
class Subject:
    """What is changed, and the tests that should see it: patterns of paths from the root."""

    files: tuple[str, ...]
    tests: tuple[str, ...]


# where: plant mutants in another package, or another kind of slip
# what is tried; slips in `of_expression` and `of_statement`; what no test can see, with the reason, in
# `tests/mutants.toml`
SUBJECTS = {
    "optimal": Subject(
        ("robotdyn/optimal/*.py",),
        tuple(
            f"tests/test_{name}.py"
            for name in (
                "ilqr",
                "optimal*",
                "constrained",
                "linearization",
                "shooting",
                "compiled_motion",
                "trajectories",
                "underactuated",
                "bad_input",
            )
        ),
    ),
    "inverse": Subject(
        tuple(
            f"robotdyn/dynamics/{name}.py"
            for name in ("differential_kinematics", "inverse_kinematics", "closed_form_kinematics")
        ),
        tuple(
            f"tests/test_{name}.py"
            for name in ("differential_kinematics", "inverse_kinematics", "coupled_joints", "link_frames", "bad_input")
        ),
    ),
    "control": Subject(("robotdyn/control/*.py",), ("tests/test_control*.py", "tests/test_bad_input.py")),
    "identification": Subject(
        ("robotdyn/identification/*.py",),
        tuple(
            f"tests/test_{name}.py"
            for name in ("identification*", "base_parameters", "regressor", "recordings", "bad_input")
        ),
    ),
    "events": Subject(
        ("robotdyn/simulation/*.py",),
        tuple(
            f"tests/test_{name}.py"
            for name in (
                "simulation*",
                "integrators",
                "trajectory",
                "rigid_body",
                "forces",
                "compiled_motion",
                "bad_input",
            )
        ),
    ),
    **{
        f"check-{name}": Subject(
            tuple(f"{COURSEWORK}/check/{file}.py" for file in files.split()),
            tuple(f"packages/coursework/tests/test_check_{test}.py" for test in tests.split()),
        )
        for name, files, tests in (
            ("laws", "laws plots bodies vectors", "laws"),
            (
                "slips",
                "slips search changed_back answer_changes input_changes formula_changes formula_slips argument_slips mistakes",
                "changes slips search",
            ),
            ("repair", "repair rerun rewrites", "rewrites repair rerun"),
            ("formulas", "agreement reading plain data", "agreement reading"),
            ("question", "question form parameters session record source", "question session"),
        )
    },
    "compare": Subject(
        (f"{COURSEWORK}/grading/compare.py",),
        ("packages/coursework/tests/test_grading_compare.py", "packages/coursework/tests/test_check_forged.py"),
    ),
    "decide": Subject(
        tuple(f"{EQPROOF}/{name}.py" for name in DECIDE),
        ("packages/eqproof/tests/test_*.py",),
    ),
    "units": Subject((f"{EQPROOF}/unit_tables.py", f"{EQPROOF}/units.py"), ("packages/eqproof/tests/test_*.py",)),
    "numbers": Subject((f"{EQPROOF}/numbers.py",), ("packages/eqproof/tests/test_*.py",)),
    "dead": Subject((f"{EQPROOF}/changes.py", f"{EQPROOF}/dead_tokens.py"), ("packages/eqproof/tests/test_*.py",)),
}


# ---- mutants ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant:
    """One changed place of a file; `key` names it by function and text, so that it lasts when lines move."""

    file: str
    line: int
    end: int
    function: range  # the lines of the outermost function around it; empty where there is none
    key: str
    number: int  # among the mutants of the file, in the order of the text


SWAPPED: dict[type, type] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
REVERSED: dict[type, type] = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any", "minimum": "maximum", "maximum": "minimum"}
CALLED |= {"sin": "cos", "cos": "sin", "zeros": "ones", "ones": "zeros", "argmin": "argmax", "argmax": "argmin"}
DROPPED = {"abs", "sqrt", "sorted", "reversed", "norm", "real", "transpose"}  # a call of one argument, which is left


def of_expression(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what a slip may write in place of an expression."""
    match node:
        case ast.BinOp(left, op, right):
            if isinstance(op, ast.MatMult | ast.Pow):
                yield left
                yield right
            else:
                if type(op) in SWAPPED:
                    yield ast.BinOp(left, SWAPPED[type(op)](), right)
                yield left
        case ast.UnaryOp(ast.USub() | ast.Not() | ast.Invert(), operand):
            yield operand
        case ast.Attribute(value, "T"):
            yield value
        case ast.Compare(left, [op], rest):
            for table in (SWAPPED, REVERSED):
                if type(op) in table:
                    yield ast.Compare(left, [table[type(op)]()], rest)
        case ast.BoolOp(op, values):
            yield ast.BoolOp(SWAPPED[type(op)](), values)
            for k in range(len(values)):
                rest = [*values[:k], *values[k + 1 :]]
                yield rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
        case ast.IfExp(_, then, otherwise):
            yield then
            yield otherwise
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() as value):
            yield ast.Constant(value + 1)
        case ast.Constant(float() as value):
            yield ast.Constant(30 * value if value else 1.0)
        case ast.Call(ast.Name(name) | ast.Attribute(_, name), [argument]) if name in DROPPED:
            yield argument
        case ast.Call(ast.Name(name), arguments, named) if name in CALLED:
            yield ast.Call(ast.Name(CALLED[name], ast.Load()), arguments, named)
        case ast.Call(ast.Attribute(value, name), arguments, named) if name in CALLED:
            yield ast.Call(ast.Attribute(value, CALLED[name], ast.Load()), arguments, named)
        case ast.Set(entries) if len(entries) > 1:
            yield from (ast.Set([*entries[:k], *entries[k + 1 :]]) for k in range(len(entries)))


def of_statement(node: ast.stmt) -> Iterator[ast.stmt]:
    """Yield what a slip may write in place of a statement: a condition reversed, a line lost."""
    match node:
        case ast.If(test, body, otherwise) | ast.While(test, body, otherwise):
            yield type(node)(ast.UnaryOp(ast.Not(), test), body, otherwise)
        case ast.AugAssign(target, op, value):
            if type(op) in SWAPPED:
                yield ast.AugAssign(target, SWAPPED[type(op)](), value)
            yield ast.Pass()
        case ast.Expr(ast.Call()) | ast.Raise() | ast.Assert() | ast.Continue() | ast.Break():
            yield ast.Pass()


class Planter(ast.NodeTransformer):
    """Plants the mutant of a number, in the order of the text; with number None it lists all."""

    def __init__(self, file: str, number: int | None) -> None:
        self.file = file
        self.number = number
        self.count = 0
        self.where: list[str] = []
        self.functions: list[range] = []
        self.statement: ast.stmt | None = None
        self.found: list[Mutant] = []

    def visit(self, node: ast.AST) -> ast.AST:
        """Docstrings, annotations and the sentences of errors are let be."""
        if isinstance(node, ast.JoinedStr | ast.Import | ast.ImportFrom):
            return node
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return node
        named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        before = self.statement
        if isinstance(node, ast.stmt):
            self.statement = node
        if named:
            self.where.append(node.name)  # type: ignore[attr-defined]
        if function:
            self.functions.append(range(node.lineno, node.end_lineno + 1))  # type: ignore[attr-defined]
        planted = self.plant(node)
        if planted is None:
            self.generic_visit(node)
        if named:
            self.where.pop()
        if function:
            self.functions.pop()
        self.statement = before
        return planted or node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Annotations say nothing that runs."""
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns"):
                continue
            if isinstance(value, ast.AST):
                setattr(node, name, self.visit(value))
            elif isinstance(value, list):
                setattr(node, name, [self.visit(x) if isinstance(x, ast.AST) else x for x in value])
        return node

    def plant(self, node: ast.AST) -> ast.AST | None:
        """Return the mutant of this node whose number is up, or None."""
        if isinstance(node, ast.expr):
            made = list(of_expression(node))
        else:
            made = list(of_statement(node)) if isinstance(node, ast.stmt) else []
        for changed in made:
            if self.number is None:
                before, after = (
                    " ".join(ast.unparse(ast.fix_missing_locations(x)).split()) for x in (node, copy.deepcopy(changed))
                )
                key = f"{Path(self.file).stem}.{'.'.join(self.where) or '(module)'}: {before[:90]} -> {after[:90]}"
                at = self.statement
                end = (
                    at.body[0].lineno - 1 if isinstance(at, ast.If | ast.While | ast.For | ast.With) else at.end_lineno
                )
                function = self.functions[0] if self.functions else range(0)
                self.found.append(Mutant(self.file, at.lineno, max(end, node.lineno), function, key, self.count))
            self.count += 1
            if self.count - 1 == self.number:
                return ast.copy_location(copy.deepcopy(changed), node)
        return None


def mutants(file: str) -> list[Mutant]:
    """Return the mutants of a file, in the order of the text; keys that come twice are numbered."""
    planter = Planter(file, None)
    planter.visit(ast.parse((ROOT / file).read_text("utf8")))
    seen: dict[str, int] = {}
    numbered = []
    for mutant in planter.found:
        seen[mutant.key] = seen.get(mutant.key, 0) + 1
        again = f" ({seen[mutant.key]})" if seen[mutant.key] > 1 else ""
        numbered.append(dataclasses.replace(mutant, key=mutant.key + again))
    return numbered


def planted(mutant: Mutant) -> CodeType:
    """Return the compiled file with the mutant in it."""
    tree = Planter(mutant.file, mutant.number).visit(ast.parse((ROOT / mutant.file).read_text("utf8")))
    return compile(ast.fix_missing_locations(tree), str(ROOT / mutant.file), "exec")


# ---- which test runs which line ---------------------------------------------------------------------------------------


def paths(patterns: tuple[str, ...]) -> list[str]:
    """Return the files of patterns, from the root."""
    return [path.relative_to(ROOT).as_posix() for pattern in patterns for path in sorted(ROOT.glob(pattern))]


def survey(subject: Subject) -> dict:
    """Return {"seconds": {test: s}, "passed": [tests], "lines": {file: {line: [tests]}}} of the tests of a subject."""
    whole: dict = {"seconds": {}, "passed": [], "lines": {}}
    for test in paths(subject.tests):
        found = survey_of(test)
        whole["seconds"] |= found["seconds"]
        whole["passed"] += found["passed"]
        for file, lines in found["lines"].items():
            known = whole["lines"].setdefault(file, {})
            for line, names in lines.items():
                known[line] = [*known.get(line, ()), *names]
    return whole


def survey_of(test: str) -> dict:
    """Return what `survey` returns, of one file of tests; kept by content.

    One survey serves every subject that has these tests, and a test that is added costs the survey of its own file alone.
    """
    files = sorted({file for one in SUBJECTS.values() if test in paths(one.tests) for file in paths(one.files)})
    digest = hashlib.sha256(inspect.getsource(survey_here).encode())
    for name in [*files, test]:
        digest.update(name.encode() + (ROOT / name).read_bytes())
    kept = KEPT / f"{digest.hexdigest()[:16]}.json"
    if not kept.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, __file__, "--survey", str(kept), "--files", *files, "--tests", test]
        subprocess.run(command, cwd=ROOT, check=True, stdout=sys.stderr)
    return json.loads(kept.read_text("utf8"))


def computed() -> float:
    """Return the CPU seconds that this process and the children it has waited for have taken: another load is not in them."""
    return sum(os.times()[:4])


def survey_here(kept: Path, files: list[str], tests: list[str]) -> None:
    """Run the tests under coverage.py, a context a test, and write what `survey` returns."""
    import coverage
    import pytest

    data = kept.with_suffix(".coverage")
    cover = coverage.Coverage(data_file=str(data), include=[str(ROOT / name) for name in files])
    seconds: dict[str, float] = {}

    class Contexts:
        @pytest.hookimpl(wrapper=True, tryfirst=True)
        def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
            cover.switch_context(item.nodeid)
            begun = computed()
            yield
            seconds[item.nodeid] = computed() - begun
            cover.switch_context("")

        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            if not report.passed:
                failed.append(report.nodeid)

    failed: list[str] = []
    cover.start()
    pytest.main([*SETUP, "-q", "-p", "no:cacheprovider", "-m", "not slow", *tests], plugins=[Contexts()])
    cover.stop()
    cover.save()
    lines: dict[str, dict[int, list[str]]] = {}
    for name in files:
        contexts = cover.get_data().contexts_by_lineno(str(ROOT / name))
        lines[name] = {line: sorted(set(found) - set(failed)) for line, found in contexts.items()}
    data.unlink(missing_ok=True)
    passed = [name for name in seconds if name not in failed]
    kept.write_text(json.dumps({"seconds": seconds, "passed": passed, "lines": lines}), "utf8")


def tests_of(mutant: Mutant, surveyed: dict) -> list[str]:
    """Return the tests that run the lines of a mutant, the quickest first, as many as fit into the limit.

    What runs as a trace function, coverage.py does not see: there, the tests that run the function around it.
    """
    lines = surveyed["lines"].get(mutant.file, {})
    seconds = surveyed["seconds"]
    names: set[str] = set()
    for place in (range(mutant.line, mutant.end + 1), mutant.function):
        names = names or {name for line in place for name in lines.get(str(line), [])}
    if "" in names:  # run at import: any test may see it
        names = set(surveyed["passed"])  # also one that runs no further line, as of a frozen dataclass
    chosen = []
    total = 0.0
    for name in sorted(names - {""}, key=lambda name: (seconds.get(name, 0), name)):
        total += seconds.get(name, 0)
        if total > LIMIT:
            break
        chosen.append(name)
    return chosen


# ---- one mutant, in a child -------------------------------------------------------------------------------------------


def module_parts(file: str) -> tuple[str, ...]:
    """Return the names that lead to a module, of the packages around it first: where its file lies says nothing else."""
    parts = Path(file).with_suffix("").parts
    return parts[parts.index("src") + 1 :] if "src" in parts else parts


class Finder(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports the file that a mutant changes from its changed code."""

    def __init__(self, mutant: Mutant) -> None:
        self.code = planted(mutant)
        parts = module_parts(mutant.file)
        self.package = parts[-1] == "__init__"
        self.name = ".".join(parts[:-1] if self.package else parts)
        self.path = str(ROOT / mutant.file)

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Answer for the changed file alone."""
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(fullname, self.path, loader=self, submodule_search_locations=None)

    def get_source(self, fullname: str) -> str:
        """Return the source as it is on disk: what prints a function prints that."""
        return Path(self.path).read_text("utf8")

    def get_code(self, fullname: str) -> CodeType:
        """Return the changed code."""
        return self.code


def killed(mutant: Mutant | None, tests: list[str]) -> bool:
    """Return whether a test fails, stops or does not end with the mutant in place (with None: in the code as it is)."""
    allowed = 2 * LIMIT + 20
    pid = os.fork()
    if pid == 0:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (allowed, allowed + 5))  # a loop without an end
        signal.alarm(5 * allowed)  # a wait without an end, on a machine with other work
        code = 1
        try:
            with contextlib.ExitStack() as stack:
                output: TextIO = sys.stderr  # what fails in the code as it is, one wants to see
                if mutant:
                    sys.meta_path.insert(0, Finder(mutant))
                    output = stack.enter_context(open(os.devnull, "w", encoding="utf-8"))
                    stack.enter_context(contextlib.redirect_stderr(output))
                stack.enter_context(contextlib.redirect_stdout(output))
                import pytest

                code = int(pytest.main([*OPTIONS, *tests]) != 0)
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)  # what the child began
    return status != 0


def preload() -> None:
    """Load the third parties, which all children share, and nothing of ours."""
    for name in (
        "numpy",
        "scipy.optimize",
        "scipy.linalg",
        "scipy.integrate",
        "sympy",
        "matplotlib.pyplot",
        "lark",
        "pytest",
    ):
        importlib.import_module(name)
    sys.path[:0] = [str(ROOT / folder) for folder in IMPORTED]
    os.chdir(ROOT)
    sys.dont_write_bytecode = False  # pytest keeps the tests that it has rewritten
    for name in (
        "hypothesis.extra.numpy",
        "nbval.kernel",
        "anyio.pytest_plugin",
        "xdist.plugin",
        "browsing",
        "bookbuild.build_book",
        "llvmlite.binding",
        "nbgrader",
        "IPython",
    ):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


# ---- the table --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Count:
    """What became of the mutants of a subject; `survived` are those that nobody has judged."""

    made: int
    tried: int
    killed: int
    equal: int
    open: int
    survived: tuple[str, ...]

    @property
    def share(self) -> float:
        """The share killed of those that are not equal."""
        return self.killed / max(1, self.tried - self.equal)


def judged() -> dict[str, dict[str, dict[str, str]]]:
    """Return {subject: {"equal" or "open": {key of a mutant: reason}}}."""
    return tomllib.loads(VERDICTS.read_text("utf8")) if VERDICTS.exists() else {}


def try_subject(name: str, sample: int | None = None, seed: int = 0, show: TextIO | None = None) -> Count:
    """Try the mutants of a subject, or a sample of them drawn by a seed."""
    subject = SUBJECTS[name]
    every = [mutant for file in paths(subject.files) for mutant in mutants(file)]
    chosen = every if sample is None else random.Random(seed).sample(every, min(sample, len(every)))
    verdicts = judged().get(name, {})
    equal = verdicts.get("equal", {})
    known = verdicts.get("open", {})
    surveyed = survey(subject)
    if killed(None, [test for test in surveyed["passed"] if surveyed["seconds"][test] < LIMIT / 30]):
        raise RuntimeError(
            f"the tests of {name} fail in a child without any mutant: what they say of mutants says nothing"
        )
    counts = {"killed": 0, "equal": 0, "open": 0}
    survived = []
    for k, mutant in enumerate(chosen):
        if mutant.key in equal:
            counts["equal"] += 1
        elif (tests := tests_of(mutant, surveyed)) and killed(mutant, tests):
            counts["killed"] += 1
        elif mutant.key in known:
            counts["open"] += 1
        else:
            survived.append(f"{mutant.file}:{mutant.line} {mutant.key}{'' if tests else '  [no test runs it]'}")
            if show:
                print(f"survived: {survived[-1]}", file=show, flush=True)
        if show and k % 50 == 49:
            print(f"{name}: {k + 1} of {len(chosen)}, {counts}, {len(survived)} survived", file=show, flush=True)
    return Count(len(every), len(chosen), counts["killed"], counts["equal"], counts["open"], tuple(survived))


def main() -> int:
    """Print a line for each subject; exit 1 if a mutant survives that nobody has judged."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help=", ".join(SUBJECTS))
    parser.add_argument("--sample", type=int, help="how many mutants of each subject (all, if not given)")
    parser.add_argument("--seed", type=int, default=0, help="which sample")
    parser.add_argument("--survey", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--files", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("--tests", nargs="*", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.survey:
        survey_here(given.survey, given.files, given.tests)
        return 0
    if unknown := set(given.subjects) - set(SUBJECTS):
        parser.error(f"there is no subject {', '.join(sorted(unknown))}; there are {', '.join(SUBJECTS)}")
    preload()
    code = 0
    print("| subject | mutants | tried | killed | equal | open | survive | share |\n|---|---|---|---|---|---|---|---|")
    for name in given.subjects or SUBJECTS:
        count = try_subject(name, given.sample, given.seed, sys.stderr)
        row = (name, count.made, count.tried, count.killed, count.equal, count.open, len(count.survived))
        print("|", " | ".join(map(str, row)), f"| {count.share:.1%} |", flush=True)
        code |= bool(count.survived)
    return code


if __name__ == "__main__":
    sys.exit(main())
