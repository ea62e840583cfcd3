"""The scripts of moving figures: whether the one that the wheel carries is made from its sources, and what TypeScript and ESLint find.

The modules stand in packages/movingfigures/js/src. esbuild bundles them into `movingfigures/engine.js`, which is kept in the repository,
so that a machine without npm builds the book, runs the tests and installs the package. Two sums at its head are compared everywhere: of
what it is made from, and of itself. Called as a command, after `make javascript` has fetched esbuild, this makes it anew.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from bookbuild import ROOT

JS = ROOT / "packages" / "movingfigures" / "js"
ENGINE = ROOT / "packages" / "movingfigures" / "src" / "movingfigures" / "engine.js"
INSTALLED = "node_modules/installed"  # setup.sh writes it last: the lock file of what is there
LONGEST_LINE = 120
SUM_LINES = r"^// sha256 of the {}: (\w{{64}})\n"


def sha256(text: bytes) -> str:
    """Return the sha256 of bytes, in hexadecimal."""
    return hashlib.sha256(text).hexdigest()


def sources_sum(folder: Path = JS) -> str:
    """Return the sum of all that the script is made from, as build.js writes it: modules, build.js, the version of esbuild."""
    names = [f"src/{path.name}" for path in sorted((folder / "src").glob("*.js"))]
    sums = "".join(f"{sha256((folder / name).read_bytes())}  {name}\n" for name in (*names, "build.js"))
    packages = json.loads((folder / "package.json").read_text("utf8"))["devDependencies"]
    return sha256(f"{sums}esbuild {packages['esbuild']}\n".encode())


def stale_engine(folder: Path = JS, engine: Path = ENGINE) -> list[str]:
    """Return a sentence where the script that the wheel carries is not that of the sources, or was changed by hand."""
    name = engine.name
    text = engine.read_text("utf8") if engine.is_file() else ""
    sums = {what: re.search(SUM_LINES.format(what), text, re.M) for what in ("sources", "script")}
    if not all(sums.values()):
        return [f"{name}: its head has no sums, so it is not what build.js wrote: make javascript"]
    sources = sums["sources"]
    script = sums["script"]
    assert sources is not None and script is not None
    if sources[1] != sources_sum(folder):
        return [f"{name}: it is older than the modules in {folder.name}/src: make javascript"]
    if script[1] != sha256(text[script.end() :].encode()):
        return [f"{name}: it was changed by hand; change the modules in {folder.name}/src, then: make javascript"]
    return []


def long_lines(paths: Iterable[Path]) -> list[str]:
    """Return a sentence for each line of a script that is longer than 120 characters."""
    return [
        f"{path.relative_to(ROOT)}:{number}: {len(line)} characters, at most {LONGEST_LINE}"
        for path in paths
        for number, line in enumerate(path.read_text("utf8").splitlines(), 1)
        if len(line) > LONGEST_LINE
    ]


def installed(folder: Path = JS) -> bool:
    """Return whether the packages of the lock file are there."""
    record = folder / INSTALLED
    return record.is_file() and record.read_bytes() == (folder / "package-lock.json").read_bytes()


def node() -> str | None:
    """Return the path of Node, of this machine or of its wheel; None where there is none."""
    try:
        from bookbuild.typeset import node_path

        return node_path()
    except RuntimeError:
        return shutil.which("node")


def checkers(fix: bool) -> dict[str, list[str | Path]]:
    """Return {name: command} of the programs that look at the scripts; fix: ESLint puts right what it can."""
    program: list[str | Path] = [node() or "node"]
    return {
        "bundle": [*program, JS / "build.js", "--check"],
        "tsc": [*program, JS / "node_modules" / "typescript" / "bin" / "tsc", "--project", JS],
        "eslint": [*program, JS / "node_modules" / "eslint" / "bin" / "eslint.js", *(["--fix"] if fix else []), "."],
    }


def failed_checkers(fix: bool = False) -> list[str]:
    """Run what npm has for the scripts; return the names of those that found something.

    Where it is not installed, one line says so; with ROBOTDYN_NO_SKIP=1, as in CI, that is a failure.
    """
    if node() is None or not installed():
        print("== tsc, eslint")
        print("Not run, for want of Node's packages: make javascript")
        return ["tsc, eslint"] if os.environ.get("ROBOTDYN_NO_SKIP") == "1" else []
    failed = []
    for name, command in checkers(fix).items():
        print(f"== {name}", flush=True)
        if subprocess.run(command, cwd=JS, check=False).returncode:
            failed.append(name)
    return failed


def main() -> int:
    """Make the script anew; return the exit code."""
    program = node()
    if program is None or not installed():
        print("esbuild is not installed: make javascript, which fetches it first", file=sys.stderr)
        return 1
    code = subprocess.run([program, JS / "build.js"], cwd=JS, check=False).returncode
    if not code:
        print(
            f"{ENGINE.relative_to(ROOT)} is made from {JS.relative_to(ROOT)}/src, {ENGINE.stat().st_size / 1000:.0f} kB"
        )
    return code


if __name__ == "__main__":
    sys.exit(main())
