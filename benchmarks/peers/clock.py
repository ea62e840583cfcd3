"""Fair times:  all methods take turns, each round times each method once, and a table tells median and spread."""

import os
import platform
import statistics
import time
from pathlib import Path

RESULTS = Path(__file__).parents[1] / "results"


def turns(methods, rounds=15, seconds=0.02):
    """Return {name: times of one call in s, one a round} of functions without arguments, which take turns."""
    repeats = {}
    for name, call in methods.items():
        call()
        start = time.perf_counter()
        call()
        once = time.perf_counter() - start
        repeats[name] = max(1, int(seconds / max(once, 1e-7)))
    times = {name: [] for name in methods}
    for _ in range(rounds):
        for name, call in methods.items():
            count = range(repeats[name])
            start = time.perf_counter()
            for _ in count:
                call()
            times[name].append((time.perf_counter() - start) / repeats[name])
    return times


def told(times, unit, digits=2):
    """Return "median (least to most)" of times in s, in a unit of so many s."""
    middle, least, most = (f"{x / unit:.{digits}f}" for x in (statistics.median(times), min(times), max(times)))
    return f"{middle} ({least} to {most})"


def agreed(found, expected, what, tolerance=1e-9):
    """Raise AssertionError unless two results agree, beside the largest entry of each state."""
    size = abs(expected).max(axis=-1, keepdims=True)
    worst = (abs(found - expected) / size).max()
    assert worst < tolerance, f"{what} is off by {worst:.1e}"


def machine():
    """Return one line on the machine."""
    name = platform.processor() or platform.machine()
    cpu = Path("/proc/cpuinfo")
    if cpu.exists():
        rows = dict(line.split(":", 1) for line in cpu.read_text(encoding="utf-8").splitlines() if ":" in line)
        rows = {key.strip(): value.strip() for key, value in rows.items()}
        vectors = "AVX-512" if "avx512f" in rows.get("flags", "") else "AVX2" if "avx2" in rows.get("flags", "") else ""
        name = f"{rows.get('model name', name)} {vectors}".strip()
    load = (
        f"; load of the machine at the end {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores"
        if hasattr(os, "getloadavg")
        else ""
    )
    return f"{name}, one core, Python {platform.python_version()}{load}."


def report(name, script, lines, write=True):
    """Print a report, headed by the docstring of a script, and write it to benchmarks/results."""
    head = script.split("\n\nRun:")[0].splitlines()
    text = "\n".join([f"# {head[0]}", *head[1:], "", *lines, "", "How to read it: `benchmarks/README.md`.", ""])
    print(text)
    if write:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"{name}.md").write_text(text, encoding="utf8")
