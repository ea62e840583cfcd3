"""Holds for all tests: kernels that start, hypothesis repeats itself, what was not run is told, with ROBOTDYN_NO_SKIP=1 a skip fails."""

import collections
import contextlib
import itertools
import os
import re
import tempfile
from pathlib import Path

import nbval.kernel
import pytest
from hypothesis import settings

settings.register_profile("suite", deadline=None, derandomize=True)
settings.register_profile("hunt", deadline=None, max_examples=2000)  # pytest --hypothesis-profile=hunt
settings.load_profile("suite")

NO_SKIP = os.environ.get("ROBOTDYN_NO_SKIP") == "1"
LONG_TESTS = Path(__file__).parent / "tests" / "long_tests.txt"
MAY_SKIP = {  # node id: why it may skip even there
    "packages/coursework/tests/test_grading_container.py::test_a_run_in_a_container_is_the_same_run": "a machine that is a container itself may start none",
    "tests/book/paper_pages.py::test_the_students_books_tell_no_solution": "the student's edition on paper is made each night",
}


def pytest_addoption(parser):
    """Give the option that measures which tests are long."""
    parser.addoption("--write-long-tests", action="store_true", help="measure, and write tests/long_tests.txt anew")


def pytest_configure(config):
    """Speak to a notebook's kernel through files: a TCP port that is free when it is chosen may be taken when it is bound."""
    os.environ.setdefault("ROBOTDYN_PROGRESS", "0")  # as make has it: hundreds of bars would fill a kernel's messages
    folder = tempfile.TemporaryDirectory(prefix="robotdyn-")
    config.add_cleanup(folder.cleanup)
    numbers = itertools.count()
    manager = nbval.kernel.KernelManager
    nbval.kernel.KernelManager = lambda **named: manager(transport="ipc", ip=f"{folder.name}/{next(numbers)}", **named)
    with contextlib.suppress(
        ImportError
    ):  # an environment without the book's tool chain: its kernels begin from nothing
        from bookbuild.forked_kernels import use_forked_kernels

        use_forked_kernels()
    config.stash[LEFT_OUT] = collections.Counter()
    if config.option.write_long_tests:
        from long_tests import LongTests

        config.pluginmanager.register(LongTests(config, LONG_TESTS))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark the tests of the list, and begin with what is long, so that no worker waits for another in the end.

    What begins are notebooks and modules with slow tests, or marked as early.
    A notebook of the book whose cells the build has executed, with nothing changed since that they depend on, is taken as
    run; with NOTEBOOKS=all it is run.
    """
    listed = set() if config.option.write_long_tests else set(LONG_TESTS.read_text(encoding="utf-8").splitlines())
    for item in items:
        if item.nodeid in listed:
            item.add_marker("long")
    some = any(item.path.suffix == ".ipynb" for item in items) and os.environ.get("NOTEBOOKS") != "all"
    executed = _executed_by_the_build() if some else set()
    config.hook.pytest_deselected(items=[item for item in items if item.path in executed])
    items[:] = [item for item in items if item.path not in executed]
    marked = lambda item: item.get_closest_marker("slow") or item.get_closest_marker("early")
    first = {item.path for item in items if item.path.suffix == ".ipynb" or marked(item)}
    items.sort(key=lambda item: item.path not in first)


def _executed_by_the_build():
    """Return the paths of the notebooks whose outputs `make book` keeps and would take again."""
    if not (Path(__file__).parent / "_build" / "executed-from.json").exists():
        return set()
    try:
        from bookbuild import build_book
    except ImportError:  # an environment without the book's tool chain
        return set()
    return build_book.cached_notebooks()


# ---- what was not run -------------------------------------------------------------------------------------------------

LEFT_OUT = pytest.StashKey[collections.Counter]()


def pytest_deselected(items):
    """Count what the choice of tests leaves out."""
    for item in items:
        left = [
            name for name in ("slow", "long") if item.get_closest_marker(name) and name in item.config.option.markexpr
        ]
        kind = left[0] if left else "executed" if item.path.suffix == ".ipynb" else "other"
        item.config.stash[LEFT_OUT][kind] += 1


def pytest_sessionfinish(session):
    """Send the count from a worker to the process that prints."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = dict(session.config.stash[LEFT_OUT])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error):
    """Take the count of a worker: all of them choose alike."""
    node.config.stash[LEFT_OUT].update(
        {
            kind: n
            for kind, n in node.workeroutput.get("left_out", {}).items()
            if kind not in node.config.stash[LEFT_OUT]
        }
        if hasattr(node, "workeroutput")
        else {}
    )


def pytest_terminal_summary(terminalreporter, config):
    """End with what was not run, and the command that would run it."""
    left_out = config.stash[LEFT_OUT]
    said = [f"{left_out[kind]} {kind} tests (make test-all)" for kind in ("slow", "long") if left_out[kind]]
    if left_out["executed"]:
        said.append(
            f"{left_out['executed']} cells of notebooks that make book has executed as they are (make test NOTEBOOKS=all)"
        )
    reasons = [str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", []) if report.longrepr]
    commands = collections.Counter(" ".join(re.findall(r"make [a-z-]+", reason)[:1]) for reason in reasons)
    said += [f"{n} skipped ({command or 'reasons above'})" for command, n in commands.most_common()]
    if said:
        terminalreporter.write_line(f"Not run, and the command that runs it: {'; '.join(said)}.")


# ---- no skip where all is installed -----------------------------------------------------------------------------------


def _fail_instead(report):
    if NO_SKIP and report.skipped and not hasattr(report, "wasxfail") and report.nodeid not in MAY_SKIP:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid} may not skip where ROBOTDYN_NO_SKIP=1. {reason}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """A skipped test."""
    return _fail_instead((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """A module that skips as a whole, as pytest.importorskip does."""
    return _fail_instead((yield))
