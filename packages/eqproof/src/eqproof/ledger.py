"""The ledger of a project: what becomes of every displayed equation of its pages, several pages at a time."""

import multiprocessing
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from eqproof.chapter import Result
from eqproof.colors import miscolored
from eqproof.inline import KINDS, Relation, relations, slips, unchecked_relations
from eqproof.labels import moved_labels
from eqproof.ledger_files import file_of_proofs, proofs_of
from eqproof.numbers import SOURCES, PrintedNumber, numbers, numbers_without_source, unprinted_numbers
from eqproof.pages import displays
from eqproof.printed import reprinted
from eqproof.project import ENDINGS
from eqproof.quotations import misquoted

R = TypeVar("R")


@dataclass(frozen=True)
class Report:
    """What a page's proofs gave: a Result for each equation, and sentences on all that is wrong with the page.

    inline: how many relations in its running text are of each kind of `eqproof.inline`; numbers: how many numbers have
    each source of `eqproof.numbers`.
    """

    page: Path
    results: tuple[Result, ...]
    wrong: tuple[str, ...]
    inline: dict[str, int] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)

    def counts(self) -> dict[str, int]:
        """Return how many equations there are of each kind, {"proven": 48, "definition": 4}."""
        kinds = [result.kind for result in self.results]
        return {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}

    def measured(self) -> tuple[int, int]:
        """Return how many equations are checked for dimensions, and how many could be: a misprint has none."""
        known = [result for result in self.results if result.kind != "refused"]
        return sum(result.measured for result in known), len(known)


def orphans(pages: Iterable[Path]) -> list[str]:
    """Return sentences on files of proofs, beside these pages, whose own page is no more."""
    folders = dict.fromkeys(file_of_proofs(page).parent for page in pages)
    lost = [
        file
        for folder in folders
        for file in sorted(folder.glob("*.py"))
        if not any((folder.parent / f"{file.stem}{end}").exists() for end in ENDINGS)
    ]
    return [f"{file.parent.name}/{file.name} proves a page that does not stand beside it" for file in lost]


def judge(page: str | Path, only: list[str] | None = None) -> Report:
    """Return the Report of a page; only: the labels to run."""
    page = Path(page)
    try:
        chapter = proofs_of(page)
    except Exception as error:  # whatever stops a file of proofs, its equations are not proven
        return Report(page, (), (f"the proofs of {page.name} stop: {type(error).__name__}: {error}",))
    if chapter is None:
        file = file_of_proofs(page).relative_to(page.parent)
        rest = f"neither proven nor a definition: {page.name} has no proofs in {file.as_posix()}"
        missing = (f"{d.label or d.text[:40]!r} is {rest}" for d in displays(page))
        found = relations(page, None)
        printed = numbers(page, found)
        wrong = (*missing, *slips(page), *numbers_without_source(page, printed), *unprinted_numbers(page))
        wrong += (*reprinted(page), *miscolored(page))
        return Report(page, (), wrong, of_each_kind(found), sources(printed))
    results = chapter.run(only)
    failed = [result.how for result in results if result.kind == "failed"]
    if only:
        return Report(page, tuple(results), tuple(failed))
    found = relations(page, chapter)
    printed = numbers(page, found)
    wrong = (*failed, *chapter.left(), *moved_labels(page), *slips(page), *unchecked_relations(page, found))
    wrong += (*numbers_without_source(page, printed), *unprinted_numbers(page), *reprinted(page))
    wrong += (*miscolored(page), *misquoted(page, chapter))
    return Report(page, tuple(results), wrong, of_each_kind(found), sources(printed))


def of_each_kind(found: Sequence[Relation]) -> dict[str, int]:
    """Return how many relations are of each kind."""
    return {kind: sum(x.kind == kind for x in found) for kind in KINDS}


def sources(printed: Sequence[PrintedNumber]) -> dict[str, int]:
    """Return how many numbers have each source."""
    return {source: sum(x.source == source for x in printed) for source in SOURCES}


def inline(page: str | Path) -> list[Relation]:
    """Return the relations in the running text of a page."""
    return relations(page, proofs_of(page))


def side_by_side(
    function: Callable[..., R],
    rows: Sequence[tuple[Any, ...]],
    jobs: int | None = None,
    done: Callable[[R], None] = lambda result: None,
) -> list[R]:
    """Return [function(*row) for row in rows], as many at a time as there are jobs (None: cores), each in a process.

    Rows are begun in their order; done: called with each result as soon as it is there.
    """
    if len(rows) < 2 or jobs == 1:
        found = []
        for row in rows:
            found.append(function(*row))
            done(found[-1])
        return found
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        waiting = [pool.submit(function, *row) for row in rows]
        for one in as_completed(waiting):
            done(one.result())
        return [one.result() for one in waiting]
