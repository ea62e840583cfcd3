"""The file of proofs of a page, and the chapter that it makes."""

import runpy
from pathlib import Path

from eqproof.chapter import Chapter
from eqproof.errors import ProofError
from eqproof.project import project


def file_of_proofs(page: str | Path) -> Path:
    """Return the path of a page's file of proofs, whether it exists or not."""
    page = Path(page)
    return page.parent / project(page.parent).proofs / f"{page.stem}.py"


def proofs_of(page: str | Path) -> Chapter | None:
    """Return the Chapter whose proofs stand in proofs/<name>.py beside a page, None if there is no such file."""
    file = file_of_proofs(page)
    if not file.exists():
        return None
    chapter = runpy.run_path(str(file)).get("chapter")
    if not isinstance(chapter, Chapter):
        raise ProofError(f"{file.name} must define chapter = Chapter(__file__)")
    return chapter
