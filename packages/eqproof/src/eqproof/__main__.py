"""python -m eqproof [PAGE ...] [--only LABEL ...] [--mutants [--sample N]]: prove pages, or try to break proofs.

python -m eqproof check FILE ... compares the steps of derivations with no declaration, see `eqproof.checked_steps`.
"""

import argparse
import hashlib
import io
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from eqproof import checked_steps, labels, printed, quotations
from eqproof.cache import folder_of_caches
from eqproof.errors import ProofError
from eqproof.inline import KINDS
from eqproof.inline import write as keep_reasons
from eqproof.kept_verdicts import reports_of
from eqproof.ledger import Report, inline, judge, of_each_kind, orphans, side_by_side
from eqproof.ledger_files import file_of_proofs
from eqproof.mutants import survey_page
from eqproof.pages import displays
from eqproof.project import project


def main(words: Sequence[str] | None = None) -> int:
    """Run the command; return 0 if all equations of all pages are proven or definitions, else 1."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # not UTF-8: what it cannot hold is written out
        sys.stdout.reconfigure(errors="backslashreplace")
    words = sys.argv[1:] if words is None else list(words)
    if words[:1] == ["check"]:
        return check(words[1:])
    parser = parser_of_arguments()
    arguments = parser.parse_args(words)
    try:
        pages = pages_named(arguments.pages)
    except (FileNotFoundError, ProofError) as error:
        parser.error(str(error))
    if not pages:
        parser.error('name a page, or the pages of the project in pyproject.toml: [tool.eqproof] pages = ["*.md"]')
    if unknown := labels_of_none(pages, arguments.only or []):
        parser.error(
            f"{', '.join(unknown)} is the label of no equation of {', '.join(page.name for page in pages[:4])}"
        )
    if arguments.labels or arguments.numbers:
        if arguments.pages:
            parser.error("--labels and --numbers note all pages of the project at once: name none")
        return keep_notes(pages, arguments.labels, arguments.numbers)
    if arguments.inline:
        return list_inline(pages, arguments.jobs, whole=not arguments.pages)
    if arguments.mutants:
        return break_proofs(pages, arguments.only, arguments.sample, arguments.jobs)
    kept = None if arguments.no_cache or arguments.only else folder_of_caches()
    return prove(pages, arguments.only, arguments.jobs, whole=not arguments.pages, kept=kept)


def keep_notes(pages: list[Path], of_labels: bool, of_numbers: bool) -> int:
    """Note what labels are about and what is quoted, or the numbers in running text, with what is new in these; return 0."""
    if of_labels:
        labels.write(pages)
        quotations.write(pages)
    if of_numbers:
        news = [sentence for page in pages for sentence in printed.news(page)]
        printed.write(pages)
        print("\n".join([*news, "these are kept now: look at them once more"] if news else ["nothing is new"]))
    return 0


def check(words: Sequence[str]) -> int:
    """Run `eqproof check`; return its exit code, 2 where nobody reads what it prints, as in a pipe to head."""
    try:
        code = checked_steps.main(words)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_RDWR), sys.stdout.fileno())  # Python flushes it once more at its end
        return 2
    return code


def parser_of_arguments() -> argparse.ArgumentParser:
    """Return what reads the command line."""
    parser = argparse.ArgumentParser(prog="python -m eqproof", description=__doc__)
    parser.add_argument(
        "pages", nargs="*", metavar="PAGE", help="a file, or the name of a page of the project; default: all"
    )
    parser.add_argument("--only", nargs="+", metavar="LABEL", help="these labels alone")
    parser.add_argument("--mutants", action="store_true", help="change one token of each equation, in every way")
    parser.add_argument("--sample", type=int, metavar="N", help="with --mutants: N mutants of each equation, by chance")
    parser.add_argument("--labels", action="store_true", help="note what each label is about, see eqproof.labels")
    parser.add_argument("--numbers", action="store_true", help="keep the numbers in running text, see eqproof.printed")
    parser.add_argument(
        "--inline", action="store_true", help="what the relations in running text are, see eqproof.inline"
    )
    parser.add_argument("--no-cache", action="store_true", help="judge each page anew, and keep no verdicts")
    parser.add_argument("--jobs", type=number_of_jobs, metavar="N", help="so many pages at a time; auto: one a core")
    return parser


def pages_named(names: list[str]) -> list[Path]:
    """Return the pages of these names, all of the project without one."""
    here = project()
    return list(dict.fromkeys(here.page(name) for name in names)) or list(here.pages)


def labels_of_none(pages: list[Path], only: list[str]) -> list[str]:
    """Return the labels that no equation of these pages has."""
    known = {display.label for page in pages for display in displays(page)} if only else set()
    return [label for label in only if label not in known]


def number_of_jobs(text: str) -> int | None:
    """Return the number of processes, None for auto."""
    return None if text == "auto" else int(text)


def judged_or_kept(pages: list[Path], only: list[str] | None, jobs: int | None, kept: Path | None) -> list[Report]:
    """Return the Report of each page, in their order; kept: the folder of caches, None judges each page anew."""
    if kept is None:
        return side_by_side(judge, [(page, only) for page in pages], jobs)
    root = hashlib.sha256(str(project().root).encode(errors="backslashreplace")).hexdigest()
    found = {report.page: report for report in reports_of(pages, kept / "pages" / root[:16], jobs=jobs)}
    return [found[page] for page in pages]


def prove(pages: list[Path], only: list[str] | None, jobs: int | None, whole: bool, kept: Path | None) -> int:
    """Print what became of each page, what is wrong, and each equation unless it is the whole book; return the exit code."""
    start = time.perf_counter()
    wrong = orphans(pages) if whole else []
    for report in judged_or_kept(pages, only, jobs, kept):
        wrong += report.wrong
        if report.results:
            counts = ", ".join(f"{number} {kind}" for kind, number in report.counts().items())
            counts += ", units of {} of {}".format(*report.measured())
            print(f"{report.page.name}: {counts}, {sum(result.seconds for result in report.results):.1f} s")
        width = max((len(result.label) for result in report.results), default=0)
        for result in report.results if not whole else ():
            print(f"  {result.label:{width}}  {result.kind:10}  {result.seconds:5.2f} s  {result.by}")
    for sentence in wrong:
        print(f"wrong: {sentence}", file=sys.stderr)
    print(f"{len(wrong)} wrong, {time.perf_counter() - start:.0f} s")
    return 1 if wrong else 0


def list_inline(pages: list[Path], jobs: int | None, whole: bool) -> int:
    """Print how many relations in the text of each page hold, give data or a condition, stay open or are not tried, and those of one page.

    For all pages, also keep the reasons of those that are not checked, where the page has proofs.
    """
    print(f"| page | {' | '.join(KINDS)} |\n{'|---' * (len(KINDS) + 1)}|")
    total = dict.fromkeys(KINDS, 0)
    every = dict(zip(pages, side_by_side(inline, [(page,) for page in pages], jobs)))
    for page, found in every.items():
        counts = of_each_kind(found)
        total = {kind: total[kind] + counts[kind] for kind in KINDS}
        if found:
            print(f"| {page.stem} | {' | '.join(map(str, counts.values()))} |")
        for relation in found if len(pages) == 1 else ():
            print(
                f"  {relation.kind:9}  {relation.text}"
                + f"  ({relation.label or relation.why})" * bool(relation.label or relation.why)
            )
    print(f"| all | {' | '.join(map(str, total.values()))} |")
    if whole:
        keep_reasons({page: found for page, found in every.items() if file_of_proofs(page).exists()})
    return 0


def break_proofs(pages: list[Path], only: list[str] | None, sample: int | None, jobs: int | None) -> int:
    """Print how the mutants of each page fare, and each survivor; return 1 if more than one in two hundred survives without a reason."""
    start = time.perf_counter()
    survivors: list[str] = []
    rows: dict[Path, list[int]] = {}
    heads = ["refused: false", "refused: senseless", "the same in other words", "true for a reason", "survive"]
    print(f"| page | {' | '.join(heads)} |\n{'|---' * 6}|")
    kinds: dict[str, list[int]] = {}
    for page, counts in zip(pages, side_by_side(survey_page, [(page, only, sample) for page in pages], jobs)):
        passed = [(c.label, *pair) for c in counts for pair in c.survivors]
        explained = sum(bool(why) for *_, why in passed)
        refused = [sum(getattr(count, kind) for count in counts) for kind in ("false", "senseless", "same")]
        rows[page] = [*refused, explained, len(passed) - explained]
        if counts:
            print(f"| {page.stem} | {' | '.join(map(str, rows[page]))} |")
        for label, mutant, why in passed:
            kinds.setdefault(mutant.kind, [0, 0])[not why] += 1
            survivors.append(f"{label} survives: {mutant}" + f"; {why}" * bool(why))
    total = [sum(column) for column in zip(*rows.values())]
    print(f"| all | {' | '.join(map(str, total))} |\n")
    print("\n".join(survivors))
    print(
        "; ".join(
            f"{kind}: {explained} with a reason, {bare} without" for kind, (explained, bare) in sorted(kinds.items())
        )
    )
    false, senseless, _, explained, bare = total
    changed = false + senseless + explained + bare
    part = 100 * (1 - bare / changed) if changed else 100
    print(
        f"{changed} mutants change the meaning: {part:.2f} % are refused or true for a reason, {100 * (1 - (explained + bare) / (changed or 1)):.2f} % refused"
    )
    print(f"{time.perf_counter() - start:.0f} s")
    return 0 if part >= 99.5 else 1


if __name__ == "__main__":
    sys.exit(main())
