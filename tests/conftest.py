"""Holds for all tests: the book and a browser to open it; kernels that start; hypothesis repeats itself; with ROBOTDYN_NO_SKIP=1 a skip fails."""

import os

import browsing
import build_book
import nbval.kernel
import pytest
from hypothesis import settings

settings.register_profile("suite", deadline=None, derandomize=True)
settings.register_profile("hunt", deadline=None, max_examples=2000)  # pytest --hypothesis-profile=hunt
settings.load_profile("suite")

NO_SKIP = os.environ.get("ROBOTDYN_NO_SKIP") == "1"
MAY_SKIP = {  # node id: why it may skip even there
    "tests/test_grading_container.py::test_a_run_in_a_container_is_the_same_run": "a machine that is a container itself may start none",
}


def pytest_configure():
    """Start a notebook's kernel a second time where the first one died at once: another process had taken its port."""
    start = nbval.kernel.start_new_kernel

    def started(*given, **named):
        try:
            return start(*given, **named)
        except RuntimeError:
            return start(*given, **named)

    nbval.kernel.start_new_kernel = started


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A Chromium."""
    if browsing.BROWSER is None:
        pytest.skip("Chromium is not installed")
    with browsing.chromium(tmp_path_factory.mktemp("home")) as chromium:
        yield chromium


@pytest.fixture(scope="module")
def book():
    """The folder of the built book."""
    if not build_book.current():
        pytest.skip("the book is not built, or older than its sources: `make book` builds it")
    return browsing.HTML


@pytest.fixture(scope="module")
def site(book):
    """The built book over http, at an address of this machine."""
    with browsing.served(book) as address:
        yield address


def pytest_collection_modifyitems(items):
    """What is long begins first, so that no worker waits for another in the end: notebooks, modules with slow tests or marked."""
    marked = lambda item: item.get_closest_marker("slow") or item.get_closest_marker("early")
    long = {item.path for item in items if item.path.suffix == ".ipynb" or marked(item)}
    items.sort(key=lambda item: item.path not in long)


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
