"""All proofs of a book: finds the file of proofs beside each page, and says of every displayed equation what it is."""

import runpy
from pathlib import Path

from robotdyn.proof.chapter import Chapter
from robotdyn.proof.errors import ProofError
from robotdyn.proof.pages import displays


def proofs_of(page):
    """Return the Chapter whose proofs stand in proofs/<name>.py beside a page, None if there is no such file."""
    page = Path(page)
    file = page.parent / "proofs" / f"{page.stem}.py"
    if not file.exists():
        return None
    chapter = runpy.run_path(str(file)).get("chapter")
    if not isinstance(chapter, Chapter):
        raise ProofError(f"{file} must define chapter = Chapter(__file__)")
    return chapter


def orphans(folder):
    """Return sentences on files of proofs whose page is no more."""
    files = sorted((Path(folder) / "proofs").glob("*.py"))
    lost = [f for f in files if not any((Path(folder) / f"{f.stem}{end}").exists() for end in (".ipynb", ".md"))]
    return [f"proofs/{file.name} proves a page that does not stand beside it" for file in lost]


def judge(page, only=None):
    """Return (results, sentences on what is wrong) of a page; only: the labels to run."""
    chapter = proofs_of(page)
    if chapter is None:
        return [], [f"{d.label or d.text[:40]!r} is neither proven nor a definition" for d in displays(page)]
    results = chapter.run(only)
    failed = [result.how for result in results if result.kind == "failed"]
    return results, failed + ([] if only else chapter.left())
