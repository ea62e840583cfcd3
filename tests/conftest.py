"""Holds for all tests: hypothesis repeats itself, and with ROBOTDYN_NO_SKIP=1 a test that skips has failed."""

import os

import pytest
from hypothesis import settings

settings.register_profile("suite", deadline=None, derandomize=True)
settings.register_profile("hunt", deadline=None, max_examples=2000)  # pytest --hypothesis-profile=hunt
settings.load_profile("suite")

NO_SKIP = os.environ.get("ROBOTDYN_NO_SKIP") == "1"
MAY_SKIP = {  # node id: why it may skip even there
    "tests/test_grading_container.py::test_a_run_in_a_container_is_the_same_run": "a machine that is a container itself may start none",
}


# The modules that take longest, most of all where they wait, begin first: else all wait for the last of them.
LONGEST = ("grading_hostile", "grading_commands", "house_access", "grading_kills", "house_pages", "grading_states", "specialize",
           "proofs", "grading_course", "house_figures", "moving_figures", "house_ledger", "check_assignments",
           "grading_uploads", "figure_programs", "grading_identity", "grading_postgres", "grading_container",
           "browser_kernel")  # fmt: skip


def pytest_collection_modifyitems(items):
    """The longest modules first; the rest in its order."""
    rank = {f"test_{name}.py": place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: rank.get(item.path.name, len(rank)))


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
