"""Makes a release in _build/release: packages, the book and its notebooks as zips, paper editions, citation and news; and tries it.

What is there is what `make release` was given: PDF and EPUB come along where `make pdf` and `make epub` made them. The trial
installs into an empty environment, far from this folder, as a reader would: nothing is released that was not tried.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
import zipfile
from pathlib import Path

from bookbuild import PACKAGES, PUBLISHED, ROOT, build_book
from bookbuild.build_pdf import BUILDERS, output_path
from bookbuild.lite import LINK_PARAGRAPH
from bookbuild.project_urls import ProjectUrls, read_project_urls

RELEASE = ROOT / "_build" / "release"
BUILD = "import sys; from hatchling.build import build_wheel, build_sdist; build_wheel(sys.argv[1]); build_sdist(sys.argv[1])"
LIBRARY = """
import robotdyn as rd
arm = rd.robots.two_link()
assert abs(rd.inverse_dynamics(arm, [0.3, 0.5], [0, 0], [0, 0])[1]) > 0.1
assert rd.derive(rd.robots.two_link(symbolic=True)).M.shape == (2, 2)
try:
    rd.check
except ModuleNotFoundError as error:
    assert "robotdyn[course]" in str(error)
else:
    raise AssertionError("the library's wheel must carry no courseware")
"""
COURSE = """
import robotdyn as rd
from robotdyn import check
check.begin("two-link", student="ada")
assert "data-rd=" in rd.show.explore(rd.robots.two_link(), q=[0.3, 0.5]).html()
"""
EXTRAS = """
import llvmlite, trimesh
import numpy as np
import robotdyn as rd
arm = rd.robots.two_link()
fast = rd.specialize(rd.inverse_dynamics, arm, target="llvm")
state = [0.3, 0.5], [1.0, -1.0], [0.2, 0.1]
assert np.allclose(fast(*map(np.array, state)), rd.inverse_dynamics(arm, *state))
"""
NOTEBOOK = """
import sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], 4)
NotebookClient(notebook, timeout=300, resources={"metadata": {"path": "."}}).execute()
print(sum(cell.cell_type == "code" for cell in notebook.cells), "cells ran")
"""


def project_version(root: Path = ROOT) -> str:
    """Return the version of the project; raises ValueError where two files name different ones, or the news of it are missing."""
    versions = {
        name: tomllib.loads((root / name).read_text("utf8"))["project"]["version"]
        for name in ("pyproject.toml", *(f"packages/{name}/pyproject.toml" for name in PACKAGES))
    }
    versions["CITATION.cff"] = _first_match(r"^version: (\S+)", (root / "CITATION.cff").read_text("utf8"))
    versions["CHANGELOG.md"] = _first_match(r"^## (\S+)", (root / "CHANGELOG.md").read_text("utf8"))
    if len(set(versions.values())) > 1:
        raise ValueError(f"all name one version, got {', '.join(f'{x} in {name}' for name, x in versions.items())}")
    return versions["pyproject.toml"]


def _first_match(pattern: str, text: str) -> str:
    """Return the first group of a pattern in a text that has it; raise ValueError for one that has not."""
    match = re.search(pattern, text, re.M)
    if match is None:
        raise ValueError(f"a line must match {pattern}, and none does")
    return match[1]


def newest_changes(changelog: str) -> str:
    """Return what the newest section of a changelog says."""
    return re.split(r"^## ", changelog, flags=re.M)[1].partition("\n")[2].strip() + "\n"


def citation_with_urls(text: str, urls: ProjectUrls) -> str:
    """Return the text of CITATION.cff with the addresses that the project has."""
    known = {"repository-code": urls.repository, "url": urls.site, "repository-artifact": urls.package}
    return text + "".join(f"{key}: {url}\n" for key, url in known.items() if url)


def pack_folder(folder: Path, target: Path) -> None:
    """Pack a folder, below a folder with the name of the zip; the site that computes in a browser needs a server and stays out, with its buttons."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as zipped:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.relative_to(folder).parts[0] != "lite":
                content = path.read_bytes()
                if path.suffix == ".html":
                    content = LINK_PARAGRAPH.sub("", content.decode()).encode()
                zipped.writestr(f"{target.stem}/{path.relative_to(folder).as_posix()}", content)


def build_release(name: str) -> None:
    """Put everything into _build/release."""
    shutil.rmtree(RELEASE, ignore_errors=True)
    RELEASE.mkdir(parents=True)
    for folder in (ROOT, *(ROOT / "packages" / package for package in PUBLISHED)):
        subprocess.run([sys.executable, "-c", BUILD, RELEASE], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    book = build_book.BUILD / "html"
    pack_folder(book, RELEASE / f"robotdyn-{name}-book.zip")
    shutil.copy(book / "notebooks" / "notebooks.zip", RELEASE / f"robotdyn-{name}-notebooks.zip")
    for paper in (
        output_path(kind, "reader") for kind in BUILDERS
    ):  # an edition for a class or its teacher is not for all
        if paper.exists():
            shutil.copy(paper, RELEASE / f"robotdyn-{name}{paper.suffix}")
    (RELEASE / "CITATION.cff").write_text(
        citation_with_urls((ROOT / "CITATION.cff").read_text("utf8"), read_project_urls()), "utf8"
    )
    (RELEASE / "NEWS.md").write_text(newest_changes((ROOT / "CHANGELOG.md").read_text("utf8")), "utf8")
    sums = [f"{hashlib.sha256(x.read_bytes()).hexdigest()}  {x.name}\n" for x in sorted(RELEASE.iterdir())]
    (RELEASE / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")


def try_release() -> None:
    """Install the release as readers do, and use it: the library alone, with extras, and a notebook out of its zip."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        outside = {"HOME": place, "PATH": os.defpath}
        outside |= {key: value for key, value in os.environ.items() if key.startswith(("PIP_", "SSL_"))}
        venv.create(folder / "env", with_pip=True)
        python = folder / "env" / "bin" / "python"

        def run(*arguments: object) -> None:
            subprocess.run([python, *map(str, arguments)], cwd=folder, env=outside, check=True)

        def install(*names: object) -> None:
            run("-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check", *names)

        wheel = next(RELEASE.glob("robotdyn-*.whl"))
        install(wheel)
        run("-c", LIBRARY)
        print("The library's wheel works alone in an empty environment.")
        figures, course = (next(RELEASE.glob(f"{name}-*.whl")) for name in ("movingfigures", "coursework"))
        install(wheel, figures, course)
        run("-c", COURSE)
        print("It works with the figures and the checks of the assignments.")
        install(f"{wheel}[fast,meshes]")
        run("-c", EXTRAS)
        print("It works with its extras.")
        run("-m", "pip", "uninstall", "--quiet", "--yes", "robotdyn", "movingfigures", "coursework")
        install("ipykernel", "nbclient")
        zipfile.ZipFile(next(RELEASE.glob("*-notebooks.zip"))).extractall(folder)
        run("-c", f"import os; os.chdir('notebooks')\n{NOTEBOOK}", "start.ipynb")
        print("A notebook out of the zip installs what it needs, and runs.")


def main() -> int:
    """Make and try a release; return the exit code."""
    try:
        name = project_version()
    except ValueError as error:
        print(f"No release: {error}", file=sys.stderr)
        return 1
    os.environ["EDITION"] = "reader"
    if not build_book.is_up_to_date() and (code := build_book.main()):
        return code
    build_release(name)
    try_release()
    print(f"\nRelease {name} is in {RELEASE}:")
    for path in sorted(RELEASE.iterdir()):
        print(f"  {path.stat().st_size / 1e6:8.2f} MB  {path.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
