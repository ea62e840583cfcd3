"""Makes the book for paper or for a reading device: `print_book.py pdf` or `print_book.py epub`, after the book itself.

The pages that `make book` has read are written once more, by another builder (tools/paper.py); Typst sets the PDF.
"""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import build_book

TOOLS = build_book.ROOT / ".venv" / "paper" / "bin" / "python"
CHECKER = Path("/usr/share/java/epubcheck.jar")  # of the Debian package epubcheck
SET = "import sys, typst; typst.compile(sys.argv[1], output=sys.argv[2], ignore_system_fonts=True, pdf_standards=['ua-1'])"


def write(builder):
    """Let Jupyter Book write the pages with a builder, below _build; return its exit code."""
    build = "from jupyter_book.cli.main import main; main()"
    options = ["--builder", "custom", "--custom-builder", builder, "--toc", str(build_book.ROOT / "_toc.yml")]
    options += ["--path-output", str(build_book.ROOT), "-q", "-W", "--keep-going", "-n"]
    return subprocess.run([sys.executable, "-c", build, "build", ".", *options], check=False).returncode


def set_pages(source, made):
    """Let Typst make the PDF; return its exit code."""
    return subprocess.run([TOOLS, "-c", SET, source, made], check=False).returncode


MENDS = [  # what Sphinx and its extensions write for browsers, and EPUB does not allow
    (r"\.svg$", r"<!DOCTYPE.*?>", ""),
    (r"\.svg$", r' id="image\w+"', ""),
    (r"\.svg$", r"<path(?![^>]*\bd=)", '<path d="M0 0"'),
    (r"\.xhtml$", r"<(math|svg)(?![^>]*xmlns=)", lambda x: f'<{x[1]} xmlns="{SPACES[x[1]]}"'),
    (r"\.xhtml$", r'<link [^>]*href="[^"]*(?:_static|css)/(?!epub|pygments)[^"]*\.css[^"]*"[^>]*/?>', ""),
    (r"\.xhtml$", r' id="(?:solution|exercise)-content"', ""),
    (r"\.xhtml$", r'(href="(?:\.\./)*(?:proofs/)?[\w-]+)\.html(?=[#"])', r"\1.xhtml"),
    (r"\.opf$", r"<meta[^>]*></meta>|<meta property[^>]*/>|<dc:description>\s*</dc:description>", ""),
    (r"\.opf$", r'<item [^>]*href="_static/(?!epub|pygments)[^"]*\.(?:css|js)"[^>]*/>', ""),
]
SPACES = {"math": "http://www.w3.org/1998/Math/MathML", "svg": "http://www.w3.org/2000/svg"}


def mended(source, made):
    """Write an EPUB anew, as its rules ask."""
    with zipfile.ZipFile(source) as book:
        files = {name: book.read(name) for name in book.namelist()}
    files = {x: y for x, y in files.items() if not re.search(r"_static/(?!epub|pygments).*\.(?:css|js)$", x)}
    for name, data in files.items():
        for end, wrong, right in MENDS:
            if re.search(end, name):
                data = re.sub(wrong, right, data.decode("utf8"), flags=re.S).encode("utf8")
        files[name] = data
    what = {name: [x for x in SPACES if f"<{x}".encode() in data] for name, data in files.items()}
    told = lambda x: f'{x[0]} properties="{" ".join(what[x[1]]).replace("math", "mathml")}"' if what.get(x[1]) else x[0]
    package = files["content.opf"].decode("utf8")
    package = re.sub(r'<item (?![^>]*properties)[^>]*?href="([^"]*\.xhtml)"', told, package)
    files["content.opf"] = package.encode("utf8")
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as book:
        for name, data in files.items():
            book.writestr(name, data, zipfile.ZIP_STORED if name == "mimetype" else None)


def check(made):
    """Let epubcheck read an EPUB; return its exit code."""
    if not CHECKER.exists():
        print("make: epubcheck is missing, so nobody has checked the EPUB (Debian, Ubuntu: apt install epubcheck).")
        return 0
    return subprocess.run(["java", "-jar", CHECKER, "--quiet", made], check=False).returncode


def main(arguments):
    """Make one of the two; return the exit code."""
    if arguments not in (["pdf"], ["epub"]):
        print(f"print_book.py makes pdf or epub, got {' '.join(arguments) or 'nothing'}", file=sys.stderr)
        return 2
    code = 0 if build_book.current() else build_book.main()
    if code:
        return code
    os.environ |= {"ROBOTDYN_LIVE": "0", "PYTHONPATH": str(build_book.ROOT)}
    made = build_book.BUILD / f"robotdyn.{arguments[0]}"
    if arguments == ["pdf"]:
        code = write("typst") or set_pages(build_book.BUILD / "typst" / "book.typ", made)
    else:
        code = write("epub")
        if not code:
            mended(build_book.BUILD / "epub" / made.name, made)
            code = check(made)
    if code == 0:
        print(f"\n{made.name} is made, {Path(made).stat().st_size / 1e6:.1f} MB: {made}")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
