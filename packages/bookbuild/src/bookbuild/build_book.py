"""Builds the book strictly: executes every notebook, takes warnings for errors, names the page to open.

A notebook is executed again when its cells have changed or anything that they reach by imports (bookbuild.executed). What Sphinx
has read is thrown away whenever anything else that pages are made of has changed: the library, the settings, the pins, the Python
version. With nothing there, every notebook is executed, several at a time.
"""

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path

from bookbuild import PACKAGES, PYTHONPATH, ROOT
from bookbuild.edition import edition, edition_toc
from bookbuild.executed import ExecutedNotebooks
from bookbuild.project_urls import read_project_urls
from bookbuild.run_notebooks import Progress, execute
from bookbuild.solution_leaks import find_leaks

BUILD = ROOT / "_build"
CACHE = BUILD / ".jupyter_cache"
PAGE = BUILD / "html" / "index.html"


def wrong_version(version: str | None) -> str | None:
    """Return the sentence that says why this Jupyter Book cannot build the book, or None if it can."""
    if version is None:
        return "Jupyter Book is not installed here. Run `make clean book`: it installs version 1 into .venv and builds."
    if version.split(".")[0] == "1":
        return None
    return (
        f"This book is written for Jupyter Book 1 (Sphinx, _config.yml, _toc.yml); the version installed is {version}. "
        "Jupyter Book 2 is another program (MyST, myst.yml) and does not read these files. "
        "Run `make clean book`: it installs version 1 into .venv and leaves everything else on this machine alone."
    )


def installed_version(name: str = "jupyter-book") -> str | None:
    """Return the version of an installed package, or None."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


WHEELS_HOLD = (  # beside their folders src
    "pyproject.toml",
    "LICENSE",
    "README.md",
    "packages/*/pyproject.toml",
    "packages/*/LICENSE",
    "packages/*/README.md",
    "exercises/*/*.py",
)


def fingerprint(pages: bool = False) -> str:
    """Return a hash of what the built book depends on; pages: with the text of its pages, and with what only lies beside them."""
    text = {".ipynb", ".md", ".bib"}
    kept = "printed.toml"  # the numbers of the text: each build compares them, whatever Sphinx reads
    digest = hashlib.sha256(f"{sys.version} {read_project_urls()}".encode())
    for path in _files_of_book(pages):
        name = path.relative_to(ROOT).as_posix()
        if re.search(r"(^|/)(__pycache__|\.)", name):  # what Python, Jupyter and Ruff leave there
            continue
        if name.startswith("book/") and (path.suffix in text or path.name == kept) and not pages:
            continue
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _files_of_book(pages: bool) -> list[Path]:
    """Return the files that the book is built from; pages: with those that the wheels beside the pages hold."""
    packages = [name for name in PACKAGES if pages or name != "coursework"]  # no page but that of names is made from it
    folders = ("robotdyn", *(f"packages/{name}/src" for name in packages), "book")
    files = [ROOT / name for name in ("_config.yml", "_toc.yml", "requirements.txt")]
    files += [path for folder in folders for path in sorted((ROOT / folder).rglob("*")) if path.is_file()]
    return files + (sorted(path for pattern in WHEELS_HOLD for path in ROOT.glob(pattern)) if pages else [])


def is_up_to_date() -> bool:
    """Return whether _build holds a complete, strict build of the files as they are now."""
    mark = BUILD / "complete"
    return PAGE.exists() and mark.exists() and mark.read_text(encoding="utf-8") == fingerprint(pages=True)


def pages() -> list[str]:
    """Return the names of the pages, book/index and so on, in the order of _toc.yml, through all its parts."""
    return re.findall(r"^[\s-]*(?:file|root):\s*(\S+)", (ROOT / "_toc.yml").read_text(encoding="utf-8"), re.M)


def notebooks() -> list[Path]:
    """Return the paths of those pages that are notebooks."""
    return [path for path in (ROOT / f"{name}.ipynb" for name in pages()) if path.exists()]


def cached_notebooks() -> set[Path]:
    """Return the paths of the notebooks whose outputs the cache holds, made from all else as it is now."""
    return ExecutedNotebooks(CACHE).good(notebooks()) if CACHE.exists() else set()


def main(arguments: Sequence[str] = ()) -> int:
    """Build; return the exit code."""
    if arguments:
        hint = "it builds the whole book; `make clean` before it builds from nothing"
        print(f"build_book.py takes no arguments, got {' '.join(arguments)}: {hint}", file=sys.stderr)
        return 2
    sentence = wrong_version(installed_version())
    if sentence:
        print(sentence, file=sys.stderr)
        return 1
    try:
        name = edition()
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    os.chdir(ROOT)
    os.environ["ROBOTDYN_LIVE"] = "0"  # the figures of a page have no kernel
    os.environ["ROBOTDYN_PROGRESS"] = "0"  # a slow machine shows no bar, which a page would keep
    os.environ["PYTHONPATH"] = PYTHONPATH  # the book is that of this folder, whatever else is installed
    os.environ["EDITION"] = "reader"
    code = 0 if is_up_to_date() else build_reader()
    if code:
        return code
    if name == "reader":
        print(f"\nThe book is built, from all files as they are now. Open {PAGE.as_uri()}")
        return 0
    os.environ["EDITION"] = name
    return build_edition(name)


def build_reader() -> int:
    """Build the whole book; return the exit code."""
    key = BUILD / "made-from"
    mark = fingerprint()
    if not key.exists() or key.read_text(encoding="utf-8") != mark:
        clear_build(BUILD)
        key.write_text(mark, encoding="utf-8")
    complete = BUILD / "complete"
    complete.unlink(missing_ok=True)
    say = Progress()
    executed = ExecutedNotebooks(CACHE)
    if executed.forget_others(notebooks()):  # their pages are the same text: Sphinx would not read them again
        shutil.rmtree(BUILD / ".doctrees", ignore_errors=True)
    execute(notebooks(), CACHE, say)
    executed.record(notebooks())
    prove(say)
    say("now the pages: formulas, figures, links (a minute or two)", last=True)
    whole = fingerprint(pages=True)
    code = build(ROOT / "_toc.yml", ROOT)
    if code:
        # what Sphinx has read once it reads no more, and its warnings with it: the next build must see them again
        shutil.rmtree(BUILD / ".doctrees", ignore_errors=True)
        return code
    executed.record(notebooks())  # where one alone has changed, the build has executed it
    complete.write_text(whole, encoding="utf-8")
    return 0


def prove(say: Progress) -> None:
    """Judge the equations of the pages that have no kept verdict, several pages at a time; the build tells what is wrong."""
    from eqproof.kept_verdicts import reports

    begun = time.monotonic()

    def tell(page: Path, count: int, total: int) -> None:
        if count < total:
            say(f"the equations of {count} of {total} pages are checked, {page.stem} last")
        else:
            say(f"the equations of all {total} pages are checked, in {time.monotonic() - begun:.0f} s", last=True)

    reports(ROOT, BUILD / ".proofs", say=tell)


def clear_build(folder: Path) -> None:
    """Empty a folder of all but what is kept by content: outputs of notebooks, verdicts on equations, what tests see of mutants."""
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        if path.name in (CACHE.name, "executed-from.json", ".proofs", "mutants"):
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def build(toc: Path, output: Path, *more: str) -> int:
    """Let Jupyter Book build the pages of a table of contents below a folder; return its exit code."""
    build = "from jupyter_book.cli.main import main; main()"
    options = [*more, "--toc", str(toc), "--path-output", str(output), "-q", "-W", "--keep-going", "-n"]
    code = subprocess.run([sys.executable, "-c", build, "build", ".", *options], check=False).returncode
    if code:
        print("The book was not built: see the errors and warnings above.", file=sys.stderr)
    return code


@contextlib.contextmanager
def edition_folder(name: str) -> Iterator[tuple[Path, Path]]:
    """A folder in which an edition is built from nothing, with the outputs and proofs of the reader's; the value is (its contents, it)."""
    with tempfile.TemporaryDirectory(dir=BUILD, prefix=f".{name}-") as place:
        folder = Path(place)
        (folder / "_build").mkdir()
        for name_kept in (".jupyter_cache", ".formulas.json", ".proofs"):
            (folder / "_build" / name_kept).symlink_to(BUILD / name_kept)
        toc = folder / "_toc.yml"
        toc.write_text(edition_toc((ROOT / "_toc.yml").read_text("utf8"), name), "utf8")
        yield toc, folder


def build_edition(name: str) -> int:
    """Build the edition of a student or a teacher, whole or not at all; return the exit code."""
    target = BUILD / name / "html"
    shutil.rmtree(target.parent, ignore_errors=True)
    with edition_folder(name) as (toc, folder):
        made = folder / "_build" / "html"
        code = build(toc, folder)
        if code == 0 and name == "student" and (found := find_leaks(made, ROOT)):
            code = 1
            print("The student's edition gives away:", *found, sep="\n  ", file=sys.stderr)
        if code == 0:
            target.parent.mkdir()
            shutil.move(made, target)
            print(f"\nThe {name}'s edition is built. Open {(target / 'index.html').as_uri()}")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
