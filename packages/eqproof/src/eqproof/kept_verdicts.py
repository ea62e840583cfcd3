"""Kept verdicts: a page is judged once, and anew as soon as anything changes on which its verdicts depend.

That is the page, its file of proofs with the files beside it whose names stand in it, what the project notes of the page and
sets for all pages, the versions of Python and of third parties, and the modules, of eqproof and of others that are no
third party's, which the proofs or the checker import: as far as the imports lead (eqproof.import_graph), and no whole folder.
"""

import dataclasses
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path

from eqproof.chapter import Result
from eqproof.dependency_notes import known_or_found
from eqproof.import_graph import files_of, reached_files
from eqproof.ledger import Report, judge, side_by_side
from eqproof.ledger_files import file_of_proofs
from eqproof.notes import LABEL_NOTES, NUMBER_NOTES, PRINTED_NOTES, QUOTATION_NOTES, RELATION_NOTES
from eqproof.project import ENDINGS, project
from eqproof.project import read as table_in
from eqproof.whole_files import checksum, write_whole

NEWEST = 8  # verdicts of a page that are kept: of so many states, such as branches
START = "eqproof.ledger"  # the module that judges


# ---- reports ----------------------------------------------------------------------------------------------------------


Told = Callable[[Path, int, int], None]  # a page, how many are there, of how many


def reports(
    root: Path, kept: Path, packages: Iterable[str] = (), say: Told = lambda page, count, total: None
) -> list[Report]:
    """Return the Report of each page of the project; kept: the folder of earlier verdicts; say: see `reports_of`."""
    return reports_of(project(root).pages, kept, packages, jobs_wanted(), say)


def reports_of(
    pages: Iterable[Path],
    kept: Path,
    packages: Iterable[str] = (),
    jobs: int | None = None,
    say: Told = lambda page, count, total: None,
) -> list[Report]:
    """Return the Report of each of some pages; kept: the folder of earlier verdicts; jobs: how many pages at a time.

    Pages with the most proofs are begun first, so that no process waits for one that was begun last; each Report is kept
    as soon as it is there. say: called then with its page, with how many are there, and of how many.
    """
    read_once = cache(Path.read_bytes)  # pages share most of what they depend on
    files = {page: file_of_verdict(page, kept, packages, read_once) for page in pages}
    found = {page: read_report(page, file) for page, file in files.items()}
    todo = sorted((page for page in files if found[page] is None), key=_size_of_proofs, reverse=True)

    def keep(report: Report) -> None:
        write_report(report, files[report.page])
        found[report.page] = report
        say(report.page, len(todo) - sum(found[page] is None for page in todo), len(todo))

    side_by_side(judge, [(page,) for page in todo], jobs, keep)
    return [report for report in found.values() if report is not None]


def _size_of_proofs(page: Path) -> int:
    proofs = file_of_proofs(page)
    return proofs.stat().st_size if proofs.exists() else 0


def judge_or_take_kept(page: Path, kept: Path, packages: Iterable[str] = ()) -> Report:
    """Return the Report of a page, the kept one if there is one."""
    file = file_of_verdict(page, kept, packages)
    report = read_report(page, file)
    if report is None:
        report = judge(page)
        write_report(report, file)
    return report


def file_of_verdict(
    page: Path, kept: Path, packages: Iterable[str] = (), read_bytes: Callable[[Path], bytes] = Path.read_bytes
) -> Path:
    """Return the path of the file that holds the verdicts on a page as it is now, whether it exists or not."""
    return kept / f"{page.stem}-{key_of(page, packages, kept, read_bytes)[:16]}.json"


def read_report(page: Path, file: Path) -> Report | None:
    """Return a kept Report, None where there is none, or what is there is damaged or cannot be read."""
    with suppress(OSError, ValueError, TypeError, AttributeError):
        total, body = json.loads(file.read_text("utf8"))
        if total != checksum(body):
            return None
        results, wrong, inline, numbers = json.loads(body)
        return Report(page, tuple(Result(**x) for x in results), tuple(wrong), inline, numbers)
    return None


def write_report(report: Report, file: Path) -> None:
    """Keep a Report, all of it or nothing, where the folder can be written, and forget the oldest of the page."""
    results = [dataclasses.asdict(x) for x in report.results]
    body = json.dumps([results, report.wrong, report.inline, report.numbers])
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, json.dumps([checksum(body), body]))
        earlier = [x for x in file.parent.glob("*.json") if x.stem[:-17] == report.page.stem]
        for old in sorted(earlier, key=os.path.getmtime)[:-NEWEST]:
            old.unlink(missing_ok=True)


def jobs_wanted() -> int | None:
    """Return the number of processes that make was given, None if it was given none."""
    jobs = os.environ.get("JOBS", "")
    return int(jobs) if jobs.isdigit() else None


# ---- what verdicts depend on ------------------------------------------------------------------------------------------


def key_of(
    page: Path,
    packages: Iterable[str] = (),
    kept: Path | None = None,
    read_bytes: Callable[[Path], bytes] = Path.read_bytes,
) -> str:
    """Return a hash of all that the verdicts on a page depend on; packages: their modules count wherever they are installed.

    kept: the folder where it is noted to which files imports lead, None follows them; read_bytes: reads a file.
    """
    page = page.absolute()  # by whichever name it is called
    here = project(page.parent)
    proofs = page.parent / here.proofs / f"{page.stem}.py"
    names_of_notes = (LABEL_NOTES, RELATION_NOTES, NUMBER_NOTES, QUOTATION_NOTES, PRINTED_NOTES)
    notes = [proofs.with_name(name) for name in names_of_notes]
    noted = [table_in(file).get(page.stem, {}) if file.exists() else None for file in notes]
    names = ("eqproof", *packages)
    if kept is None:
        files, versions = sources(page, proofs, names)
    else:
        which = hashlib.sha256(repr((str(page), names)).encode(errors="backslashreplace")).hexdigest()
        note = kept / f"{page.stem}-{which[:16]}.files"
        files, versions = known_or_found(note, partial(sources, page, proofs, names), read_bytes)
    known = (sys.version, versions, noted, here.units, here.macros, here.numbers, here.symmetric, here.colors)
    digest = hashlib.sha256(repr(known).encode())
    for path in files:
        text = read_bytes(path)
        digest.update(f"{path.name} {len(text)} ".encode() + text)
    return digest.hexdigest()


def sources(page: Path, proofs: Path, packages: tuple[str, ...]) -> tuple[list[Path], list[tuple[str, str]]]:
    """Return the files on which the verdicts on a page depend, and the versions of the third parties that these import."""

    def pages_beside(path: Path) -> list[Path]:
        """Return the page of a file of proofs: the proofs of another page read that page, too."""
        if path.parent != proofs.parent:
            return []
        return [x for end in ENDINGS if (x := page.with_name(f"{path.stem}{end}")).exists()]

    begin = [("", proofs)] if proofs.exists() else []
    return reached_files([*begin, *files_of(START, packages)], packages, {page}, pages_beside)
