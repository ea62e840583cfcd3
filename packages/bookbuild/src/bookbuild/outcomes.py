"""What came of a run of tests in another setting or place, read from what pytest said."""

import re
from dataclasses import dataclass
from pathlib import Path

# pytest's last line, with or without the frame of "=": 3 failed, 70 passed, 2 skipped in 12.34s (0:00:12)
SUMMARY = re.compile(r"^=* ?((?:\d+ [a-z]+(?:, )?)+) in [\d.]+s(?: \([\d:]+\))? ?=*$", re.M)
FAILED_TEST = re.compile(r"^(?:FAILED|ERROR) (\S+?::.*?|\S+)(?: - .*)?$", re.M)


@dataclass(frozen=True)
class Outcome:
    """Counts of tests, ids of those that failed, seconds; why it was not run, or what hindered it."""

    name: str
    passed: int = 0
    failed: tuple[str, ...] = ()
    skipped: int = 0
    seconds: float = 0.0
    missing_requirement: str = ""
    problem: str = ""

    @property
    def good(self) -> bool:
        """Whether nothing failed: what the machine cannot have is no failure."""
        return not self.failed and not self.problem

    def line(self) -> str:
        """The counts in a line."""
        if self.missing_requirement:
            return f"{self.name}: not run: {self.missing_requirement}"
        if self.problem:
            return f"{self.name}: ERROR: {self.problem}"
        counts = f"{self.passed} passed, {len(self.failed)} failed, {self.skipped} skipped"
        return f"{self.name}: {counts} in {self.seconds:.0f} s"


def last_line(log: Path) -> str:
    """Return the last line of a file that is not empty."""
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n") if log.exists() else []
    return next((line for line in reversed(lines) if line.strip()), "nothing was said")


def parse_pytest_log(name: str, log: Path, code: int, seconds: float) -> Outcome:
    """Return what pytest said in the file; code: the exit code of the command that ran it."""
    log_text = log.read_text(encoding="utf-8", errors="replace")
    found = SUMMARY.findall(log_text)
    if not found:
        return Outcome(name, problem=f"no test ran (exit code {code}): {last_line(log)}")
    counts = {word: int(number) for number, word in re.findall(r"(\d+) ([a-z]+)", found[-1])}
    failed = tuple(dict.fromkeys(FAILED_TEST.findall(log_text)))
    passed = counts.get("passed", 0)
    wrong = counts.get("failed", 0) + counts.get("error", 0) + counts.get("errors", 0)
    if wrong and not failed:
        failed = (f"{wrong} tests that pytest does not name",)
    if code and not failed:
        return Outcome(name, problem=f"exit code {code}: {last_line(log)}")
    if not passed:
        return Outcome(name, problem=f"no test passed: {found[-1]}")
    return Outcome(name, passed, failed, counts.get("skipped", 0), seconds)
