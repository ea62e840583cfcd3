"""Runs every check that reads and runs nothing: style, spelling, imports, types, notebooks, sizes, the map, first lines that say why.

`--fix` lets Ruff and nbstripout put things right first; `--own` runs those checks alone that are written in this folder.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from bookbuild import PYTHONPATH, ROOT, javascript
from bookbuild.encoding_lint import files_without_encoding
from bookbuild.function_limits import too_large
from bookbuild.where import SOURCES, stale_rows

# how the line that says why a file exists may begin, by ending or name; what is not listed needs none (prose, data)
FIRST_LINE = {
    ".py": r'r?"""\S|#[^!]*\w',
    ".sh": r"#[^!]*\w",
    ".toml": r"#.*\w",
    ".yml": r"#.*\w",
    ".yaml": r"#.*\w",
    ".txt": r"#.*\w",
    ".cff": r"#.*\w",
    ".cfg": r"#.*\w",
    ".c": r"/\*.*\w",
    ".css": r"/\*.*\w",
    ".mplstyle": r"#.*\w",
    ".mjs": r"//.*\w",
    ".js": r"//.*\w|/\*.*\w",
    ".svg": r"<!--.*\w",
    ".urdf": r"<!--.*\w",
    ".bib": r"%.*\w",
    "Makefile": r"#.*\w",
    "run": r"#[^!]*\w",
    ".gitignore": r"#.*\w",
}


def project_files(*patterns: str) -> list[Path]:
    """Return the files of the project, tracked or new, without those that Git ignores."""
    command = [
        "git",
        "-c",
        "safe.directory=*",
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
        "--",
        *patterns,
    ]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout
    return [ROOT / name for name in sorted(set(names.split("\0"))) if name and (ROOT / name).exists()]


def files_without_purpose(paths: Iterable[Path]) -> list[str]:
    """Return a sentence for each file whose first line (after #! or <?xml) does not say why it exists."""
    problems = []
    for path in paths:
        rule = FIRST_LINE.get(path.suffix) or FIRST_LINE.get(path.name)
        if rule is None or not path.is_file() or path.name.startswith("OFL"):  # a license stands as it was given
            continue
        lines = path.read_text(encoding="utf-8").splitlines()[:2]
        lines = [line for line in lines if not line.startswith(("#!", "<?xml"))]
        if not lines or not re.match(rule, lines[0]):
            problems.append(f"{path.relative_to(ROOT)}: the first line does not say why the file exists")
    return problems


def checkers(fix: bool) -> dict[str, list[str | Path]]:
    """Return {name: command} of the programs that check; fix: Ruff and nbstripout put things right."""
    programs = Path(sys.executable).parent
    python: list[str | Path] = [sys.executable, "-m"]
    files = [str(path.relative_to(ROOT)) for path in project_files()]
    notebooks = [name for name in files if name.endswith(".ipynb")]
    commands: dict[str, list[str | Path]] = {
        "ruff check": [*python, "ruff", "check", *(["--fix"] if fix else []), "."],
        "ruff format": [*python, "ruff", "format", *([] if fix else ["--check"]), "."],
        "nbstripout": [*python, "nbstripout", "--keep-id", *([] if fix else ["--verify"]), *notebooks],
        "codespell": [programs / "codespell", *files],
        "lint-imports": [programs / "lint-imports", "--no-cache"],
        "mypy": [*python, "mypy"],
    }
    for questions in project_files("exercises/*/questions.py"):  # one at a time: all have the same names
        folder = questions.parent
        commands[f"mypy exercises/{folder.name}"] = [*python, "mypy", folder / "given.py", questions]
    for package in ("robotdyn", "movingfigures"):  # every public name has a complete type
        commands[f"basedpyright {package}"] = [programs / "basedpyright", "--ignoreexternal", "--verifytypes", package]
    return commands


def failed_checkers(fix: bool) -> list[str]:
    """Run all programs, even after one fails; return the names of those that found something."""
    environment = {**os.environ, "PYTHONPATH": PYTHONPATH}  # basedpyright finds the packages in no other way
    failed = []
    for name, command in checkers(fix).items():
        print(f"== {name}", flush=True)
        long = name.startswith("basedpyright")  # it lists all modules: that is of interest where it complains
        output = subprocess.PIPE if long else None
        done = subprocess.run(command, check=False, env=environment, stdout=output, text=True)
        if done.returncode:
            print(done.stdout or "", end="")
            failed.append(name)
    return failed


def report(name: str, problems: list[str], praise: str) -> list[str]:
    """Print the problems that a check of this file found, or that there are none; return [name] if there are some."""
    print(f"== {name}")
    print("\n".join(problems) or praise)
    return [name] if problems else []


def main(fix: bool = False, own: bool = False) -> int:
    """Run all checks, even after one fails; return the exit code. own: those alone that are written in this folder."""
    os.chdir(ROOT)
    encodings = files_without_encoding(project_files("*.py"), ROOT, fix)
    failed = report("encodings", encodings, "No text is read or written in an encoding that the machine chooses.")
    failed += [] if own else failed_checkers(fix)
    if fix and javascript.installed():
        javascript.main()
    engine = javascript.stale_engine()
    failed += report("scripts", engine, "The script that movingfigures carries is that of its modules.")
    lines = javascript.long_lines(project_files("*.js", "*.mjs", f":!{javascript.ENGINE.relative_to(ROOT).as_posix()}"))
    failed += report("lines of scripts", lines, f"No line has more than {javascript.LONGEST_LINE} characters.")
    failed += [] if own else javascript.failed_checkers(fix)
    failed += report("sizes", too_large(ROOT), "No function and no file is larger than function_limits.py allows.")
    rows = stale_rows(project_files(*SOURCES), fix)
    failed += report("where do I", rows, "The rows of ARCHITECTURE.md are those of the comments beside the code.")
    failed += report("first lines", files_without_purpose(project_files()), "All files say why they exist.")
    if failed:
        print(f"\nTo fix: {', '.join(failed)}. `make format` fixes style by itself.", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(fix="--fix" in sys.argv[1:], own="--own" in sys.argv[1:]))
