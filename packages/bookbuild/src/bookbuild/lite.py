"""Builds the site beside the book in which its notebooks and assignments run in the reader's browser: JupyterLite and Pyodide.

`bookbuild/lite/pyodide-lock.json` names each file that Python in the browser needs, with its hash: compiled packages are those of
Pyodide's own lock file of the same version. A file is taken from wherever it is to be had, and only if its hash is that one.
To the wheels are then added, by that Python itself, compiled files of what a first cell imports: it starts sooner.
Afterwards each page of the built book that has a notebook gets a link to it, and its cells run in the page itself.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import nbformat

from bookbuild.build_book import BUILD, ROOT, is_up_to_date
from bookbuild.edition import edition, html_folder
from bookbuild.solution_leaks import find_leaks
from bookbuild.typeset import MATHJAX, node_path

# where: take a newer Python for the browser, or add a package to it
# the version and the hashes of its core, the same version in `packages/bookbuild/setup.sh`; entries of
# `bookbuild/lite/pyodide-lock.json`: those of compiled packages as Pyodide's own lock file has them, others with the
# hash of their wheel on the Python package index
PYODIDE = "314.0.3"
CARRIER = "open-webui==0.12.4"  # a package that carries Pyodide's files, as they are
RELEASE = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE}/full/"
CORE = {
    "pyodide.mjs": "5cfc46f5dcbaf2a16f26e2363f441873eb424762609cc03db00d6a2ace4d00e5",
    "pyodide.asm.mjs": "1a9775427ef6e8abaa7db88ece0515422d1886915ae5c9093776410c865dfd8d",
    "pyodide.asm.wasm": "e7f8fac36f8bf11085309cbc5c829b3ec3057c18bf1d73b05a6741612d63cdbf",
    "python_stdlib.zip": "444c770dfd75a32097fc0a7d5c1413fd3140601f49c3a1f2e9af0376fcd124b4",
}
# Wheels made here: where from, what a cell that needs them imports, what they need. Who imports robotdyn gets what rd.show and
# rd.check load by name, too: a wheel may not need one that needs it, so the last of the three answers to all their names.
PROJECT_WHEELS: dict[str, tuple[str, list[str], list[str]]] = {
    "robotdyn": (".", [], ["numpy", "scipy", "sympy", "matplotlib", "lazy-loader", "tqdm"]),
    "movingfigures": ("packages/movingfigures", [], ["robotdyn"]),
    "coursework": ("packages/coursework", ["robotdyn", "movingfigures", "coursework"], ["movingfigures"]),
    "eqproof": ("packages/eqproof", ["eqproof"], ["numpy", "sympy", "lark", "lazy-loader"]),
}
KERNEL_WHEELS = {
    "piplite": [],
    "ipykernel": [],
    "pyodide-kernel": ["ipython", "comm"],
}  # wheels that come with JupyterLite's kernel
LITE = ROOT / ".venv" / "lite"
TOOLS = Path(__file__).parent / "lite"
HTML = html_folder(BUILD)
SITE = HTML / "lite"
LINK_PARAGRAPH = re.compile(r'<p class="run-chapter".*?</p>', re.S)
LINK = """<p class="run-chapter" data-notebook="{page}" hidden>{buttons}
In your browser, nothing is installed: the first visit loads Python with its packages, {size} MB, and keeps them.
<script>if (location.protocol !== "file:") {{ document.currentScript.parentElement.hidden = false; {cells} }}</script></p>"""
BUTTON = """<a href="../lite/notebooks/index.html?path={path}" \
style="display: inline-block; margin: 0 0.5rem 0.25rem 0; padding: 0.2rem 0.75rem; border: 1px solid; border-radius: 0.25rem">{words}</a>"""
# JupyterLite takes a worker whose version is not noted for an old one and dismisses it, also on a second visit without a network.
VERSION_SCRIPT = """<script>localStorage[new URL("../service-worker.js?enableCache=false", location.href) + "-version"] ??= "{version}";</script>"""
NOTE = """*This notebook runs in your browser. Python and its packages load first: until the sign beside \
the kernel's name is an empty circle, a cell waits, marked `[*]`. What you change is kept in this browser alone; **File, Download** saves it.*"""


def sha256(content: bytes) -> str:
    """Return the sha256 of bytes, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def download_wheels(*requirements: str, python: str = "3.14") -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) of the wheels that pip downloads for a version of Python, that of the browser unless told."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "-q",
            "--no-deps",
            "--only-binary=:all:",
            "--disable-pip-version-check",
        ]
        command += ["--platform", "any", "--python-version", python, "-d", folder, *requirements]
        subprocess.run(command, check=False, capture_output=True)
        for path in Path(folder).iterdir():
            yield path.name, path.read_bytes()


def from_folder(missing: list[str]) -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) from the folder that the reader of this names."""
    folder = os.environ.get("ROBOTDYN_PYODIDE")
    for name in missing if folder else ():
        if (Path(folder) / name).exists():
            yield name, (Path(folder) / name).read_bytes()


def wheels_from_index(missing: list[str]) -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) of packages that are on the Python package index themselves."""
    pure = [name.split("-")[:2] for name in missing if name.endswith("-none-any.whl")]
    yield from download_wheels(*("==".join(requirement) for requirement in pure))


def from_carrier(missing: list[str]) -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) of what the carrier holds."""
    for _, content in download_wheels(CARRIER, python="3.12"):
        with tempfile.TemporaryFile() as file:
            file.write(content)
            with zipfile.ZipFile(file) as wheel:
                for path in wheel.namelist():
                    if path.rsplit("/", 1)[-1] in missing:
                        yield path.rsplit("/", 1)[-1], wheel.read(path)


def from_release(missing: list[str]) -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) from Pyodide's own release."""
    for name in missing:
        try:
            with urllib.request.urlopen(RELEASE + name, timeout=60) as answer:
                yield name, answer.read()
        except OSError:
            continue


SOURCES = {
    "the folder that ROBOTDYN_PYODIDE names": from_folder,
    f"the Python package {CARRIER}": from_carrier,
    "the Python package index": wheels_from_index,
    f"Pyodide's release {PYODIDE}": from_release,
}


def fetch(folder: Path, hashes: Mapping[str, str]) -> list[str]:
    """Fill a folder with the files of these names and hashes; return the names of those that no source has."""
    folder.mkdir(parents=True, exist_ok=True)

    def have(name: str) -> bool:
        return (folder / name).exists() and sha256((folder / name).read_bytes()) == hashes[name]

    missing = [name for name in hashes if not have(name)]
    for source, give in SOURCES.items():
        if not missing:
            break
        print(f"Looking for {len(missing)} files in {source} ...", flush=True)
        for name, content in give(missing):
            if sha256(content) == hashes.get(name):
                (folder / name).write_bytes(content)
        missing = [name for name in missing if not have(name)]
    return missing


def build_wheels(folder: Path) -> dict[str, dict[str, Any]]:
    """Make the wheels of this repository and add those of the kernel; return their entries of the lock file."""
    kernel = next(LITE.glob("share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension/static/pypi"))
    entries = {}
    with tempfile.TemporaryDirectory() as made:
        command = [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "-q",
            "--no-deps",
            "--no-build-isolation",
            "--disable-pip-version-check",
        ]
        subprocess.run(
            [*command, "-w", made, *(str(ROOT / source) for source, *_ in PROJECT_WHEELS.values())], check=True
        )
        for name in (*PROJECT_WHEELS, *KERNEL_WHEELS):
            home = Path(made) if name in PROJECT_WHEELS else kernel
            content = next(home.glob(f"{name.replace('-', '_')}-*.whl")).read_bytes()
            package, version, *tags = next(home.glob(f"{name.replace('-', '_')}-*.whl")).name.split("-")
            if name in PROJECT_WHEELS:  # its content is in its name, so that no browser takes an older one for it
                tags.insert(0, f"0{sha256(content)[:10]}")
            file = "-".join([package, version, *tags])
            (folder / file).write_bytes(content)
            _, imports, depends = (
                PROJECT_WHEELS[name] if name in PROJECT_WHEELS else ("", [package], KERNEL_WHEELS[name])
            )
            entries[name] = {
                "name": name,
                "version": version,
                "file_name": file,
                "sha256": sha256(content),
                "imports": imports,
                "depends": depends,
                "install_dir": "site",
                "package_type": "package",
                "unvendored_tests": False,
            }
    return entries


def compile_wheels(folder: Path, lock: dict[str, Any]) -> None:
    """Let the Python of the browser add compiled files to the wheels, whose hashes change by that: it starts sooner."""
    subprocess.run([node_path(), TOOLS / "compile.mjs", folder], check=True)
    for entry in lock["packages"].values():
        entry["sha256"] = sha256((folder / entry["file_name"]).read_bytes())
    (folder / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")


def write_notebook(source: Path, target: Path) -> None:
    """Write a notebook for the kernel of the browser: the cells that say what it needs elsewhere give way to what it needs here."""
    notebook = nbformat.read(source, as_version=4)
    notebook.metadata.kernelspec = {"name": "python", "display_name": "Python (in the browser)", "language": "python"}
    if notebook.cells[0].id == "what-it-is":
        notebook.cells[:2] = [nbformat.v4.new_markdown_cell(NOTE, id="what-it-is")]
    nbformat.write(notebook, target)


# where: change the button that runs a chapter in the browser
def add_run_buttons(size: int) -> None:
    """Put a button below the title of each page that has a notebook, and one for each assignment on the page for students."""
    ways = {path.stem: {path.name: "Run this chapter"} for path in (SITE / "files").glob("*.ipynb")}
    assignments = sorted(path.name for path in (SITE / "files" / "assignments").glob("*.ipynb"))
    ways["students"] = {f"assignments/{name}": f"Assignment {Path(name).stem}" for name in assignments}
    for page, targets in ways.items():
        path = HTML / "book" / f"{page}.html"
        html = LINK_PARAGRAPH.sub("", path.read_text(encoding="utf-8"))
        buttons = "".join(BUTTON.format(path=target, words=words) for target, words in targets.items())
        title = re.search(r"<article.*?</h1>", html, re.S).end()
        cells = 'import("../lite/page.js");' if f"{page}.ipynb" in targets else ""
        paragraph = LINK.format(page=page, buttons=buttons, size=size, cells=cells)
        path.write_text(html[:title] + paragraph + html[title:], encoding="utf-8")


def fill_pyodide(lock: dict[str, Any]) -> list[str]:
    """Fetch the files of Pyodide and of the packages of a lock file; return their names, none where some are missing."""
    hashes = CORE | {entry["file_name"]: entry["sha256"] for entry in lock["packages"].values()}
    missing = fetch(LITE / "pyodide", hashes)
    if not missing:
        return list(hashes)
    print(f"Files with these hashes are in none of: {'; '.join(SOURCES)}.", file=sys.stderr)
    for name in missing:
        print(f"  {name} with the sha256 {hashes[name]}", file=sys.stderr)
    print("Put them into a folder and name it: make lite ROBOTDYN_PYODIDE=/path.", file=sys.stderr)
    return []


def prepare_pyodide(static: Path, names: list[str], lock: dict[str, Any]) -> None:
    """Put Pyodide, the packages and the wheels of this repository into the folder from which the browser takes them."""
    static.mkdir(parents=True)
    for name in names:
        shutil.copy(LITE / "pyodide" / name, static)
    lock["packages"] |= build_wheels(static)
    (static / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    compile_wheels(static, lock)


def collect_notebooks(files: Path) -> None:
    """Write the notebooks of the book and of the assignments, and the pages of text, into the folder of the site's files."""
    (files / "assignments").mkdir(parents=True)
    for path in sorted((HTML / "notebooks").glob("*.ipynb")):
        write_notebook(path, files / path.name)
    for path in sorted((HTML / "notebooks").glob("*.md")):
        shutil.copy(path, files)
    for path in sorted((BUILD / "course" / "nbgrader" / "release").glob("*/*.ipynb")):
        write_notebook(path, files / "assignments" / path.name)


def settings(packages: list[str]) -> dict[str, Any]:
    """Return the settings of JupyterLite: where Python is, and which packages it has."""
    kernel = {
        "pyodideUrl": "./static/pyodide/pyodide.mjs",
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"packages": packages},
    }
    data = {
        "appName": "Robot Manipulator Dynamics",
        "appUrl": "./tree",
        "exposeAppInBrowser": True,  # tests run the cells through it
        "litePluginSettings": {"@jupyterlite/pyodide-kernel-extension:kernel": kernel},
    }
    return {"jupyter-lite-schema-version": 0, "jupyter-config-data": data}


def run_jupyterlite(work: Path) -> None:
    """Let JupyterLite build the site from a folder, and add the service worker and what runs cells of a page."""
    command = [LITE / "bin" / "jupyter-lite", "build", "--contents", "files", "--output-dir", SITE, "--no-sourcemaps"]
    command += ["--apps", "notebooks", "--apps", "tree", "--no-unused-shared-packages"]
    subprocess.run(command, cwd=work, check=True, capture_output=True)
    (SITE / "service-worker.js").rename(SITE / "jupyterlite-worker.js")
    for name in ("service-worker.js", "page.js", "worker.mjs", "run_cell.py"):
        shutil.copy(TOOLS / name, SITE)
    version = json.loads((SITE / "jupyter-lite.json").read_text(encoding="utf-8"))["jupyter-config-data"]["appVersion"]
    for app in (SITE / "notebooks" / "index.html", SITE / "tree" / "index.html"):
        page = app.read_text(encoding="utf-8").replace("<head>", f"<head>{VERSION_SCRIPT.format(version=version)}", 1)
        app.write_text(page, encoding="utf-8")
    shutil.copy(MATHJAX / "tex-svg-full.js", SITE / "mathjax.js")  # for formulas that a cell of a page shows


def list_cached_files() -> int:
    """Write the list of the files that a browser keeps after one visit; return the size of all files in MB."""
    files = [path for path in sorted(SITE.rglob("*")) if path.is_file()]
    cached = [path for path in files if not path.name.startswith("service-worker")]
    cached.sort(key=lambda path: path.stat().st_size)  # the large ones have come by themselves until it is their turn
    names = [path.relative_to(SITE).as_posix() for path in cached]
    (SITE / "kept.json").write_text(json.dumps(names), encoding="utf-8")
    return round(sum(path.stat().st_size for path in files) / 1e6)


def main() -> int:
    """Build; return the exit code."""
    try:
        name = edition()
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if not (is_up_to_date() and HTML.exists()):
        print(
            "The book, which links to this site, is not built or older than its sources: `make book` first, for the same EDITION.",
            file=sys.stderr,
        )
        return 1
    lock = json.loads((TOOLS / "pyodide-lock.json").read_text(encoding="utf-8"))
    names = fill_pyodide(lock)
    if not names:
        return 1
    work = BUILD / "lite"
    shutil.rmtree(work, ignore_errors=True)
    shutil.rmtree(SITE, ignore_errors=True)
    prepare_pyodide(work / "static" / "pyodide", names, lock)
    collect_notebooks(work / "files")
    if name == "student" and (found := find_leaks(work / "files", ROOT)):
        print("The notebooks of the student's edition give away:", *found, sep="\n  ", file=sys.stderr)
        return 1
    (work / "jupyter-lite.json").write_text(json.dumps(settings(sorted(lock["packages"]))), encoding="utf-8")
    run_jupyterlite(work)
    size = list_cached_files()
    add_run_buttons(size)
    count = len(list((work / "files").rglob("*.ipynb")))
    print(f"{count} notebooks run in the browser, {size} MB. `make serve` shows them; the pages have links.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
