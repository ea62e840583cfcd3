"""Makes the book for paper or for a reading device: `build_pdf.py pdf` or `build_pdf.py epub`, after the book itself.

The pages that `make book` has read are written once more, by another builder: bookbuild.typst_builder, whose pages Typst sets, or
bookbuild.epub_builder. EDITION=student and EDITION=teacher make a file of their own, from the pages of their edition.
"""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path

import yaml

from bookbuild import PYTHONPATH, build_book, edition, epub_builder
from bookbuild.solution_leaks import find_leaks

BUILDERS = {"pdf": "typst", "epub": "epub"}  # of Sphinx, for each kind of book
TYPST_ENVIRONMENT = build_book.ROOT / ".venv" / "paper"
EPUBCHECK = Path("/usr/share/java/epubcheck.jar")  # of the Debian package epubcheck
COMPILE_PDF = "import sys, typst; typst.compile(sys.argv[1], output=sys.argv[2], ignore_system_fonts=True, pdf_standards=['ua-1'])"
RENDER_PNG = (
    "import sys, typst; typst.compile(sys.argv[1], output=sys.argv[2], ignore_system_fonts=True, format='png', ppi=200)"
)
RIGHTS = "Text and figures: Creative Commons Attribution 4.0 (CC BY 4.0). Code: MIT license."


def output_path(kind: str, name: str) -> Path:
    """Return where the book of a kind and an edition lies."""
    return build_book.BUILD / f"robotdyn{'' if name == 'reader' else f'-{name}'}.{kind}"


def run_typst(program: str, source: Path, target: Path) -> int:
    """Let Typst make a document, the PDF or a picture; return its exit code."""
    return subprocess.run([TYPST_ENVIRONMENT / "bin" / "python", "-c", program, source, target], check=False).returncode


def book_metadata(name: str) -> dict[str, str]:
    """Return what the book says of itself in an edition."""
    settings = yaml.safe_load((build_book.ROOT / "_config.yml").read_text("utf8"))
    return {
        "title": settings["title"],
        "author": settings["author"],
        "year": settings["copyright"],
        "edition": edition.TITLES[name],
        "version": metadata.version("robotdyn"),
        "description": settings["sphinx"]["config"]["epub_description"],
        "rights": RIGHTS,
    }


def draw_cover(folder: Path, metadata_of_book: Mapping[str, str]) -> bytes:
    """Return the cover of the book for reading devices, as PNG, drawn in a folder."""
    for path in (Path(__file__).with_name("paper.typ"), build_book.ROOT / "book" / "_static" / "cover.svg"):
        (folder / path.name).write_bytes(path.read_bytes())
    words = ", ".join(json.dumps(metadata_of_book[x]) for x in ("title", "author", "edition", "version", "year"))
    (folder / "cover.typ").write_text(f'#import "paper.typ": cover\n#cover({words})\n', "utf8")
    if run_typst(RENDER_PNG, folder / "cover.typ", folder / "cover.png"):
        raise ValueError("The cover was not drawn: see the errors above.")
    return (folder / "cover.png").read_bytes()


def run_epubcheck(target: Path) -> int:
    """Let epubcheck read an EPUB; return its exit code."""
    if not EPUBCHECK.exists():
        print("make: epubcheck is missing, so nobody has checked the EPUB (Debian, Ubuntu: apt install epubcheck).")
        return 0
    return subprocess.run(["java", "-jar", EPUBCHECK, "--quiet", target], check=False).returncode


def build_folder(name: str) -> contextlib.AbstractContextManager[tuple[Path, Path]]:
    """Return a context: (table of contents, output path) of a build for an edition."""
    if name != "reader":
        return build_book.edition_folder(name)
    return contextlib.nullcontext((build_book.ROOT / "_toc.yml", build_book.ROOT))


def main(arguments: Sequence[str]) -> int:
    """Make one of the two; return the exit code."""
    if len(arguments) != 1 or arguments[0] not in BUILDERS:
        print(f"build_pdf.py makes pdf or epub, got {' '.join(arguments) or 'nothing'}", file=sys.stderr)
        return 2
    (kind,) = arguments
    try:
        name = edition.edition()
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    os.environ["EDITION"] = "reader"  # whose outputs and proofs every edition has
    if not build_book.is_up_to_date() and (code := build_book.main()):
        return code
    os.environ |= {"ROBOTDYN_LIVE": "0", "PYTHONPATH": PYTHONPATH, "EDITION": name}
    target = output_path(kind, name)
    with build_folder(name) as (toc, output):
        code = build_book.build(toc, output, "--builder", "custom", "--custom-builder", BUILDERS[kind])
        written = output / "_build" / BUILDERS[kind]
        if code == 0 and name == "student" and (found := find_leaks(written, build_book.ROOT)):
            code = 1
            print("The student's edition gives away:", *found, sep="\n  ", file=sys.stderr)
        if code == 0 and kind == "pdf":
            code = run_typst(COMPILE_PDF, written / "book.typ", target)
        elif code == 0:
            about = book_metadata(name)
            font = next(TYPST_ENVIRONMENT.glob("lib/python*/site-packages/ziamath/fonts/STIXTwoMath-Regular.ttf"))
            epub_builder.pack_epub(written, target, about, draw_cover(written, about), font)
            code = run_epubcheck(target)
    if code == 0:
        print(f"\n{target.name} is made, {target.stat().st_size / 1e6:.1f} MB: {target}")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
