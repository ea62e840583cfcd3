"""Puts the built book into a folder that a server shows: the newest at its top, each version below /v0.1 and so on, the old ones say so.

`python -m bookbuild.publish FOLDER`, where FOLDER is a checkout of the branch that GitHub Pages shows (.github/workflows/pages.yml).
"""

import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from bookbuild import build_book, release

OLD_VERSION_NOTE = '<p id="old-version" role="note" style="margin:0;padding:.5em 1em;text-align:center;background:#fff3cd;color:#1f2328">'
BODY = re.compile(r"<body[^>]*>")
VERSION = re.compile(r"v\d+\.\d+")


# where: change what stands on the book's site, or how old versions are kept
# called by `.github/workflows/pages.yml` when a version is tagged; Binder and Colab read what it writes
def publish(html: Path, site: Path, version: str) -> None:
    """Replace what a folder shows by a new version; older ones stay, with a line that leads to the newest."""
    name = "v" + ".".join(version.split(".")[:2])
    for path in site.iterdir():
        if path.name == ".git" or (VERSION.fullmatch(path.name) and path.name != name):
            continue
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(html, site, dirs_exist_ok=True)
    shutil.copytree(html, site / name, ignore=shutil.ignore_patterns("lite"))
    (site / ".nojekyll").touch()  # folders that begin with an underscore are shown, too
    wheels = sorted(path.name for path in (html / "notebooks").glob("*.whl"))
    needs = [*(f"./notebooks/{wheel}" for wheel in wheels), "jupyterlab", "ipywidgets", "anywidget"]
    (site / "requirements.txt").write_text("\n".join(needs) + "\n", encoding="utf-8")  # Binder reads it
    for path in site.glob("v*/**/*.html"):
        old_version = path.relative_to(site).parts[0]
        page = path.read_text("utf8")
        if old_version != name and 'id="old-version"' not in page:
            up = "../" * (len(path.relative_to(site).parts) - 1)
            note = f'{OLD_VERSION_NOTE}This is version {old_version[1:]} of the book. <a href="{up}index.html">Read the newest.</a></p>'
            path.write_text(BODY.sub(rf"\g<0>{note}", page, count=1), "utf8")


def main(arguments: Sequence[str]) -> int:
    """Publish the built book; return the exit code."""
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        print(f"publish.py takes one folder that is there, got {' '.join(arguments) or 'nothing'}", file=sys.stderr)
        return 2
    if not build_book.is_up_to_date():
        print("The book is not built, or older than its sources: run `make book` first.", file=sys.stderr)
        return 1
    publish(build_book.BUILD / "html", Path(arguments[0]), release.project_version())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
