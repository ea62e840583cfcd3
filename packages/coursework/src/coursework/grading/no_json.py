"""What an upload is that is no JSON: a notebook that another format holds, read by jupytext, or something else, named in a sentence."""

import re
from typing import Any

from coursework.grading.beside import BEGINS

OTHERS = {"a PDF": b"%PDF", "a packed file (gzip)": b"\x1f\x8b", "a packed file (bzip2)": b"BZh",
          "a packed file (xz)": b"\xfd7zXZ", "a packed file (7z)": b"7z\xbc\xaf", "a packed file (rar)": b"Rar!",
          "a packed file (tar)": b"ustar", "a picture (PNG)": b"\x89PNG", "a picture (JPEG)": b"\xff\xd8\xff",
          "a link (Windows)": b"[InternetShortcut]", "a link (macOS)": b"bplist00", "what macOS notes of a file, ._name": b"\0\5\x16\7"}  # fmt: skip
MERGE = re.compile(rb"^<{7} ", re.M)
POINTER = b"version https://git-lfs.github.com/spec/"
ATTEMPT = re.compile(rb"(?:\xef\xbb\xbf)?Name: [^\n]*\n(?:[^\n]*\n){0,5}Date Submitted: ")
MYST = re.compile(r"^`{3,}\{code-cell\}", re.M)
FENCED = re.compile(r"^`{3,}(?:python|\{python)", re.M)
HEAD = re.compile(r"\A\s*(# )?---\r?\n.*?^(# )?---\r?\n", re.M | re.S)  # what an editor notes of kernel and format
EXPORTED = re.compile(r"^# In ?\[[\d ]*\]:", re.M)  # a cell of a script that a notebook was exported to


def text_notebook(raw: bytes) -> dict[str, Any] | None:
    """Return the notebook that a text is, a dict: percent format, a script, MyST or R Markdown; None where it begins no assignment.

    Raises ValueError, in words, where it cannot be read.
    """
    if not BEGINS.search(raw) or MERGE.search(raw) or b'"cells"' in raw or raw.lstrip()[:1] == b"{":
        return None
    text = raw.decode("utf-8-sig")
    kind = (".md", "myst") if MYST.search(text) else (".md", "markdown") if FENCED.search(text) else (".py", "percent")
    try:
        from jupytext.jupytext import TextNotebookConverter
    except ModuleNotFoundError:
        raise ValueError("it is a notebook as text, and jupytext, which reads those, is not installed") from None
    try:
        # not jupytext.reads: a text could name a format there that another program converts
        reader = TextNotebookConverter(dict(zip(("extension", "format_name"), kind)), None)
        return reader.reads(EXPORTED.sub("# %%", HEAD.sub("", text)))
    except Exception as error:  # of as many kinds as there are parsers in it
        raise ValueError(f"it is a notebook as text that jupytext cannot read: {error}"[:200]) from None


def named(raw: bytes, error: ValueError) -> str:
    """Return a sentence that says what an upload is that is no notebook; error: of the JSON."""
    for name, starts in OTHERS.items():
        if raw.startswith(starts) or raw[257:].startswith(starts):
            return f"it is {name}, not a notebook{' or a zip' if 'packed' in name else ''}"
    if raw.startswith(POINTER):
        return "it is a pointer of Git LFS, not the notebook that it stands for: ask for the file itself"
    if ATTEMPT.match(raw):
        return "it is Blackboard's description of an attempt, and no notebook came with it"
    if MERGE.search(raw):
        return "it is no notebook (JSON): it has the marks of a merge conflict, lines that begin with <<<<<<<"
    begins = raw.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if begins == b"<":
        return "it is an HTML page, not a notebook"
    if begins == b"{" and not raw.rstrip().endswith(b"}") and b"\0" not in raw:
        return "it is no notebook (JSON): its end is missing, as that of an unfinished download is"
    if isinstance(error, UnicodeDecodeError) and begins == b"{":
        return "it is no notebook (JSON): it is not in UTF-8, but as old programs of Windows write: save it anew as a notebook"
    if begins not in b'{["' and is_text(raw):
        return "it is a text, not a notebook"
    return f"it is no notebook (JSON): {error}"[:200]


def is_text(raw: bytes) -> bool:
    """Return whether an upload is text in UTF-8."""
    try:
        return b"\0" not in raw and bool(raw.decode("utf-8"))
    except UnicodeDecodeError:
        return False
