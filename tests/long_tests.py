"""Measures the tests and lists the long ones, which `make test` leaves to `make test-all`: `make long-tests`."""

import collections
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

FIRST_LINE = "# Tests that `make test` leaves to `make test-all` for their length: written by `make long-tests`"
LONG = 0.5  # CPU s
# CPU s: below that the quickest case of a test with several stays in `make test`, so that each kind of test does
QUICKEST = 2.0


def cpu_time() -> float:
    """Return the CPU seconds of this process and of those that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def long_ones(times: dict[str, float]) -> list[str]:
    """Return the tests, by node id, that are long.

    times: CPU seconds of each test.
    """
    cases = collections.defaultdict(list)
    for test in sorted(times, key=times.__getitem__):
        cases[test.partition("[")[0]].append(test)
    quickest = {tests[0] for tests in cases.values() if len(tests) > 1 and times[tests[0]] < QUICKEST}
    return sorted(test for test, seconds in times.items() if seconds > LONG and test not in quickest)


class LongTests:
    """A plugin of pytest: measures each test with its fixtures, in each worker, and writes the list in the end."""

    def __init__(self, config: pytest.Config, path: Path) -> None:
        self.config = config
        self.path = path
        self.times: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Measure a test."""
        began = cpu_time()
        yield
        self.times[item.nodeid] = cpu_time() - began
        return True

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Send what a worker has measured."""
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["cpu_times"] = self.times

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object, error: object) -> None:
        """Take what a worker has measured."""
        self.times |= getattr(node, "workeroutput", {}).get("cpu_times", {})

    def pytest_unconfigure(self) -> None:
        """Write the list."""
        if not hasattr(self.config, "workeroutput"):
            self.path.write_text("\n".join([FIRST_LINE, *long_ones(self.times), ""]), encoding="utf-8")
