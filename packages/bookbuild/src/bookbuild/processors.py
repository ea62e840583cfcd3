"""Runs the numeric tests and the notebooks as on other processors, and in other surroundings: `make test-processors`.

OpenBLAS chooses its kernels by the processor, NumPy its loops, the C library its functions: so the last bits of a result
differ from machine to machine, and no test may depend on them. Variables of the environment force each choice. Others
change the order of sets, the encoding, the clock or the terminal, on which nothing may depend either.
Each setting is first looked at by `bookbuild.machine`: one that has no effect on this machine is an error, or is left out
with the reason where the machine cannot have it.
"""

import argparse
import importlib.util
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bookbuild import ROOT, machine, places
from bookbuild.outcomes import Outcome, last_line, parse_pytest_log

OUT = ROOT / "_build" / "processors"
OTHER_ARITHMETIC = ROOT / "tests" / "other_arithmetic.py"

TESTS = ("tests", "packages")
NOTEBOOKS = ("book", "exercises")

Facts = Mapping[str, object]


@dataclass(frozen=True)
class Setting:
    """One way to run the tests.

    environment: variables and their values. expects: facts of `machine.py`, each with the values that it then may have.
    changes: facts that differ from those without the setting. needs: returns why this machine cannot have the setting, or "" where it can.
    paths: what is run; all but the slow tests of it. terminal: whether the tests have one, and a standard input.
    """

    name: str
    kind: str
    why: str
    environment: Mapping[str, str] = field(default_factory=dict)
    expects: Mapping[str, tuple[object, ...]] = field(default_factory=dict)
    changes: tuple[str, ...] = ()
    needs: Callable[[Facts], str] = lambda here: ""
    paths: tuple[str, ...] = TESTS + NOTEBOOKS
    terminal: bool = True


def requires(*machines: str, flag: str = "", library: str = "") -> Callable[[Facts], str]:
    """Return what tells why a setting of these machines, flag of the processor or library cannot be had here."""

    def needs(here: Facts) -> str:
        if here["machine"] not in machines:
            return f"it is a setting of {' and '.join(machines)}, this machine is {here['machine']}"
        if library == "OpenBLAS" and not here["OpenBLAS"]:
            return "NumPy does not compute with OpenBLAS here"
        if library == "glibc" and not here["glibc"]:
            return "the C library here is not glibc"
        if flag and flag not in machine.processor_flags():
            return f"the processor does not have {flag}, and would meet an illegal instruction"
        return ""

    return needs


def openblas_setting(name: str, why: str, flag: str, *machines: str, alias: str = "") -> Setting:
    """Return the setting that lets OpenBLAS take the kernels of that processor.

    alias: how OpenBLAS names the kernels instead where it was built with one set for both.
    """
    return Setting(
        name.lower(),
        "arithmetic",
        why,
        {"OPENBLAS_CORETYPE": name},
        expects={"OpenBLAS": ([name.lower()], [alias.lower()])},
        needs=requires(*machines, flag=flag, library="OpenBLAS"),
    )


def threads(count: int) -> Setting:
    """Return the setting in which OpenBLAS, and whatever else asks OpenMP, computes in so many threads."""
    return Setting(
        f"threads-{count}",
        "arithmetic",
        "a sum that is cut in pieces has other last bits",
        {"OPENBLAS_NUM_THREADS": str(count), "OMP_NUM_THREADS": str(count)},
        expects={"threads": ([count],)},
        needs=lambda here: "" if here["OpenBLAS"] else "NumPy does not compute with OpenBLAS here",
    )


def settings(seed: int) -> list[Setting]:
    """Return the table; seed: what PYTHONHASHSEED takes."""
    return [*arithmetic_settings(), *surroundings_settings(seed)]


# where: try the tests under another setting of a machine
# a `Setting`, here or in `surroundings_settings`; a place in `bookbuild.places`
def arithmetic_settings() -> list[Setting]:
    """Return the settings in which numbers have other last bits: kernels of OpenBLAS, loops of NumPy, libm, threads."""
    simd = " ".join(machine.facts()["SIMD of NumPy"])  # type: ignore[arg-type]
    return [
        Setting("unset", "arithmetic", "what this machine chooses by itself"),
        openblas_setting("Prescott", "a processor of 2004: SSE3", "pni", "x86_64", alias="Katmai"),
        openblas_setting("Nehalem", "a processor of 2008: SSE4.2", "sse4_2", "x86_64"),
        openblas_setting("Sandybridge", "a processor of 2011: AVX without FMA", "avx", "x86_64"),
        openblas_setting("Haswell", "most laptops since 2013: AVX2 and FMA", "avx2", "x86_64"),
        openblas_setting("Zen", "AMD's desktops and servers", "avx2", "x86_64", alias="Haswell"),
        openblas_setting("SkylakeX", "servers and workstations with AVX-512", "avx512vl", "x86_64"),
        openblas_setting("ARMV8", "any ARM processor of 64 bits", "asimd", "aarch64"),
        openblas_setting("NEOVERSEN1", "ARM servers", "asimddp", "aarch64"),
        Setting(
            "numpy-baseline",
            "arithmetic",
            "NumPy on a processor that has none of the features for which it has loops of their own",
            {"NPY_DISABLE_CPU_FEATURES": simd},
            expects={"SIMD of NumPy": ([],)},
            needs=lambda here: "" if simd else "NumPy has no loops of their own for this processor",
        ),
        Setting(
            "libm-without-fma",
            "arithmetic",
            "the C library on a processor without FMA: other last bits of sin, exp and their like",
            {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4"},
            changes=("bits of libm",),
            needs=requires("x86_64", flag="fma", library="glibc"),
        ),
        threads(1),
        threads(2),
        *other_arithmetic(),
    ]


def surroundings_settings(seed: int) -> list[Setting]:
    """Return the settings of what is around a process: hash seed, locale, time zone, terminal."""
    return [
        Setting(
            "hash-seed",
            "surroundings",
            "sets have another order; SEED=... repeats it",
            {"PYTHONHASHSEED": str(seed)},
            expects={"hash seed": (str(seed),)},
        ),
        Setting(
            "locale-c",
            "surroundings",
            "the locale of containers and of cron, as Python 3.7 and later mends it: UTF-8",
            {"LC_ALL": "C"},
            expects={"UTF-8 mode": (1,)},
        ),
        Setting(
            "ascii",
            "surroundings",
            "a locale that is not UTF-8, as on Windows: a file opened without its encoding cannot be read",
            {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
            expects={"encoding": ("ansi_x3.4-1968",), "UTF-8 mode": (0,)},
            needs=requires("x86_64", "aarch64", library="glibc"),
        ),
        Setting(
            "east",
            "surroundings",
            "a time zone 12 hours ahead, 13 in summer, as New Zealand's",
            {"TZ": "NZST-12NZDT,M9.5.0,M4.1.0/3"},
            expects={"hours from Greenwich": (13.0,)},
            paths=TESTS,
        ),
        Setting(
            "west",
            "surroundings",
            "a time zone 12 hours behind",
            {"TZ": "<-12>12"},
            expects={"hours from Greenwich": (-12.0,)},
            paths=TESTS,
        ),
        Setting(
            "no-terminal",
            "surroundings",
            "as under cron or a server: no terminal, standard input closed",
            {"TERM": ""},
            expects={"terminal": (False,), "stdin": (False,), "TERM": ("",)},
            terminal=False,
        ),
    ]


def other_arithmetic() -> list[Setting]:
    """Return two settings with another BLAS and libm, where the module that builds them is there."""
    if not OTHER_ARITHMETIC.is_file():
        return []
    specification = importlib.util.spec_from_file_location("other_arithmetic", OTHER_ARITHMETIC)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    why = "products and functions whose last bits differ from those of this machine, as they may by their definition"
    table = []
    for number in (1, 2):
        name = f"other-arithmetic-{number}"
        try:
            variables = module.environment(number)
        except RuntimeError as error:
            table.append(Setting(name, "arithmetic", why, needs=_because(str(error))))
        else:
            table.append(Setting(name, "arithmetic", why, variables, changes=("bits of BLAS", "bits of libm")))
    return table


def _because(why: str) -> Callable[[Facts], str]:
    return lambda here: why


def environment(setting: Setting, table: Iterable[Setting]) -> dict[str, str]:
    """Return the whole environment: this one's, without what any setting sets, with the setting."""
    forced = {name for other in table for name in other.environment}
    kept = {name: value for name, value in os.environ.items() if name not in forced}
    return {**kept, "NOTEBOOKS": "all", **setting.environment}


def run(setting: Setting, command: list[str], around: Mapping[str, str], output: Path) -> int:
    """Run a command there, without a terminal where the setting has none; what it says goes to the file. Return its exit code."""
    if not setting.terminal:
        command = ["sh", "-c", 'exec "$@" <&-', "sh", *command]
    with output.open("wb") as file:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=around,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=not setting.terminal,
            check=False,
        )
    return done.returncode


def measure_facts(setting: Setting, around: Mapping[str, str]) -> dict[str, object]:
    """Return the facts of `machine.py` there, or raise ValueError with the last line of what it said instead."""
    output = OUT / f"{setting.name}.json"
    run(setting, [sys.executable, str(Path(__file__).with_name("machine.py"))], around, output)
    last = last_line(output)
    try:
        return json.loads(last)
    except ValueError:
        raise ValueError(f"Python did not start with it: {last}") from None


def missing_effect(setting: Setting, here: Facts, there: Facts) -> str:
    """Return what the setting should have changed and did not, or ""; here: the facts without it, there: with it."""
    for name, values in setting.expects.items():
        if there[name] not in values:
            return f"it has no effect on this machine: {name} should be {values[0]}, got {there[name]}"
    for name in setting.changes:
        if there[name] == here[name]:
            return f"it has no effect on this machine: {name} are the same as without it"
    return ""


def describe_effect(here: Facts, there: Facts) -> str:
    """Return what the setting changed, in a line."""
    changed = [f"{name} {there[name]}" for name in there if there[name] != here[name]]
    return "; ".join(changed) or "all as this machine chooses by itself"


def run_setting(
    setting: Setting, table: list[Setting], here: Facts, computed: dict[str, str], options: argparse.Namespace
) -> Outcome:
    """Look whether the setting has its effect, then run the tests there.

    computed: the settings of arithmetic that were run, by their facts; one that computes as another is not run again.
    """
    if missing_requirement := setting.needs(here):
        return Outcome(setting.name, missing_requirement=missing_requirement)
    around = environment(setting, table)
    try:
        there = measure_facts(setting, around)
    except ValueError as error:
        return Outcome(setting.name, problem=str(error))
    if problem := missing_effect(setting, here, there):
        return Outcome(setting.name, problem=problem)
    if setting.kind == "arithmetic":
        as_another = computed.setdefault(json.dumps(there), setting.name)
        if as_another != setting.name:
            return Outcome(setting.name, missing_requirement=f"this machine then computes as under {as_another}")
    words = " ".join(f"{name}={value!r}" for name, value in setting.environment.items())
    print(
        f"\n== {setting.name}: {setting.why}\n   {words or 'no variable'}: {describe_effect(here, there)}",
        flush=True,
    )
    log = OUT / f"{setting.name}.log"
    paths = options.tests or setting.paths
    workers = ["-n", options.jobs, "--dist", "loadscope", "--no-loadscope-reorder"]
    select = ["-m", "not slow", "-q", "--no-header", "--tb=short", *paths]
    start = time.monotonic()
    code = run(setting, [sys.executable, "-m", "pytest", *workers, *select], around, log)
    return parse_pytest_log(setting.name, log, code, time.monotonic() - start)


def run_place(place: places.Place, tests: list[str]) -> Outcome:
    """Run both commands of the README there, or only those tests, and say where."""
    print(f"\n== {place.name}: {place.why}", flush=True)
    command = [".venv/bin/python", "-m", "pytest", "-q", "--no-header", "--tb=short", "-m", "not slow"]
    commands = [["make", "setup"], [*command, *tests]] if tests else [["make", "book"], ["make", "test"]]
    return places.run_in_place(place, commands, OUT / f"{place.name}.log")


def select(table: Iterable[Setting | places.Place], only: list[str]) -> list[Setting | places.Place]:
    """Return the settings and places of these names or kinds, all of them where none is given."""
    kinds = {one.name: one.kind if isinstance(one, Setting) else "places" for one in table}
    known = {*kinds, *kinds.values()}
    for word in only:
        if word not in known:
            raise ValueError(f'ONLY="{word}" is no setting. There are {", ".join(sorted(known))}.')
    return [one for one in table if not only or one.name in only or kinds[one.name] in only]


def main(arguments: list[str]) -> int:
    """Try each setting and place that is asked for; return 0 if all that could be tried passed, 1 if not, 2 for a wrong name."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="names or kinds of settings; all of them if not given")
    parser.add_argument("--tests", type=str.split, default=[], help="files of tests; the setting's own if not given")
    parser.add_argument("--jobs", default="auto", help="how many processes run tests")
    parser.add_argument("--seed", type=int, default=random.randrange(1, 2**32), help="of hashes; drawn if not given")
    options = parser.parse_args(arguments)
    table = settings(options.seed)
    try:
        wanted = select([*table, *places.PLACES], options.only.split())
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    here = measure_facts(table[0], environment(table[0], table))
    print(f"This machine: {', '.join(f'{name} {value}' for name, value in here.items())}.")
    outcomes: list[Outcome] = []
    computed: dict[str, str] = {}
    for one in wanted:
        if isinstance(one, Setting):
            outcomes.append(run_setting(one, table, here, computed, options))
        else:
            outcomes.append(run_place(one, options.tests))
        print(outcomes[-1].line(), *(f"  FAILED {name}" for name in outcomes[-1].failed), sep="\n", flush=True)
    print(f"\n== all settings; what pytest said is in {OUT.relative_to(ROOT)}")
    print(*(each.line() for each in outcomes), sep="\n")
    return 0 if all(each.good for each in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
