"""Builds the book without Jupyter Book: `make book-sphinx`, with the newest Sphinx, MyST-NB and theme, kept in .venv/sphinx.

Jupyter Book 1 is a shell around Sphinx: it translates _config.yml into a conf.py, which this writes once more, without what
is Jupyter Book's own. Pages take the outputs of `make book`, so nothing is executed. Then the words of every page are
compared with those of the built book: a page that says anything else is told, and fails.
"""

import difflib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup

from bookbuild import PYTHONPATH, ROOT, SOURCES, build_book

BUILD = build_book.BUILD
OUT = BUILD / "sphinx"
JUPYTER_BOOK_EXTENSIONS = [
    "jupyter_book",
    "sphinx_comments",
    "sphinx_jupyterbook_latex",
]  # extensions that only Jupyter Book needs
WITHOUT_WORDS = "a.headerlink, mjx-container, script, style, noscript, .proof-mark, .run-chapter, dt.sig"  # no words; each Sphinx writes signatures its way


def main(arguments: Sequence[str] = ()) -> int:
    """Build and compare; return the exit code."""
    if arguments:
        print(f"build_without_jupyter_book.py takes no arguments, got {' '.join(arguments)}", file=sys.stderr)
        return 2
    code = 0 if build_book.is_up_to_date() else build_book.main()
    if code:
        return code
    shutil.rmtree(OUT, ignore_errors=True)
    (OUT / "conf").mkdir(parents=True)
    (OUT / "conf" / "conf.py").write_text(configuration(), "utf8")
    for name in (".formulas.json", ".proofs"):
        (OUT / name).symlink_to(BUILD / name)
    os.environ |= {"ROBOTDYN_LIVE": "0", "ROBOTDYN_PROGRESS": "0", "PYTHONPATH": PYTHONPATH, "EDITION": "reader"}
    python = ROOT / ".venv" / "sphinx" / "bin" / "python"
    options: list[str | Path] = [
        "-b",
        "html",
        "-c",
        OUT / "conf",
        "-d",
        OUT / ".doctrees",
        "-q",
        "-W",
        "--keep-going",
        "-n",
    ]
    code = subprocess.run([python, "-m", "sphinx", *options, ROOT, OUT / "html"], check=False).returncode
    if code:
        print("Plain Sphinx did not build the book: see the errors and warnings above.", file=sys.stderr)
        return code
    other = page_differences(BUILD / "html", OUT / "html")
    print(*other, sep="\n")
    print(
        f"\n{len(build_book.pages())} pages are built by plain Sphinx in {OUT / 'html'}; {len(other)} say something else."
    )
    return 1 if other else 0


def configuration() -> str:
    """Return the text of conf.py: what Jupyter Book makes of _config.yml, without what is its own."""
    from jupyter_book.config import get_final_config

    made, _ = get_final_config(
        user_yaml=ROOT / "_config.yml", sourcedir=ROOT, cli_config={"latex_individualpages": False}
    )
    made["extensions"] = [x for x in dict.fromkeys(made["extensions"]) if x not in JUPYTER_BOOK_EXTENSIONS]
    made |= {"nb_execution_cache_path": str(build_book.CACHE), "external_toc_path": str(ROOT / "_toc.yml")}
    for name in ("latex_individualpages", "use_jupyterbook_latex", "comments_config"):
        made.pop(name, None)
    for name in ("html_favicon", "html_logo", "html_search_scorer"):  # conf.py stands in a folder of its own
        made[name] = str(ROOT / made[name])
    for name in ("html_static_path", "bibtex_bibfiles"):
        made[name] = [str(ROOT / x) for x in made[name]]
    paths = f"import sys\n\nsys.path[:0] = {[*map(str, SOURCES)]!r}\n"
    return paths + "".join(f"{name} = {value!r}\n" for name, value in sorted(made.items()))


def page_lines(page: Path) -> list[str]:
    """Return the words of a built page, line by line."""
    article: Any = BeautifulSoup(page.read_text("utf8"), "html.parser").select_one("article.bd-article")
    for thing in article.select(WITHOUT_WORDS):
        thing.decompose()
    text = article.get_text("\n")
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def page_differences(old: Path, new: Path) -> list[str]:
    """Return a sentence for each page of the book that another build tells otherwise, with its first differences."""
    differences = []
    for name in build_book.pages():
        mine, other = (page_lines(folder / f"{name}.html") for folder in (old, new))
        changes = [x for x in list(difflib.unified_diff(mine, other, n=0, lineterm=""))[2:] if not x.startswith("@@")]
        if changes:
            differences.append(f"{name}: {len(changes)} lines, such as {changes[:4]}")
    return differences


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
