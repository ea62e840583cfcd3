"""python -m eqproof [PAGE ...] [--only LABEL ...] [--mutants [--sample N]]: prove pages, or try to break proofs."""

import argparse
import sys
import time

from eqproof import labels
from eqproof.errors import ProofError
from eqproof.ledger import judge, orphans, side_by_side
from eqproof.mutants import survey_page
from eqproof.project import project


def main(words=None):
    """Run the command; return 0 if all equations of all pages are proven or definitions, else 1."""
    parser = argparse.ArgumentParser(prog="python -m eqproof", description=__doc__)
    parser.add_argument(
        "pages", nargs="*", metavar="PAGE", help="a file, or the name of a page of the project; default: all"
    )
    parser.add_argument("--only", nargs="+", metavar="LABEL", help="these labels alone")
    parser.add_argument("--mutants", action="store_true", help="change one token of each proven equation, in every way")
    parser.add_argument("--sample", type=int, metavar="N", help="with --mutants: N mutants of each equation, by chance")
    parser.add_argument("--labels", action="store_true", help="note what each label is about, see eqproof/labels.py")
    parser.add_argument("--jobs", type=number_of_jobs, metavar="N", help="so many pages at a time; auto: one a core")
    arguments = parser.parse_args(words)
    try:
        here = project()
        pages = [here.page(name) for name in arguments.pages] or list(here.pages)
    except (FileNotFoundError, ProofError) as error:
        parser.error(str(error))
    if not pages:
        parser.error('name a page, or the pages of the project in pyproject.toml: [tool.eqproof] pages = ["*.md"]')
    if arguments.labels:
        return labels.write(pages)
    if arguments.mutants:
        return break_proofs(pages, arguments.only, arguments.sample, arguments.jobs)
    return prove(pages, arguments.only, arguments.jobs, whole=not arguments.pages)


def number_of_jobs(text):
    """Return the number of processes, None for auto."""
    return None if text == "auto" else int(text)


def prove(pages, only, jobs, whole):
    """Print what became of each page, what is wrong, and each equation unless it is the whole book; return the exit code."""
    start, wrong = time.perf_counter(), orphans(pages) if whole else []
    for report in side_by_side(judge, [(page, only) for page in pages], jobs):
        wrong += report.wrong
        if report.results:
            counts = ", ".join(f"{number} {kind}" for kind, number in report.counts().items())
            print(f"{report.page.name}: {counts}, {sum(result.seconds for result in report.results):.1f} s")
        width = max((len(result.label) for result in report.results), default=0)
        for result in report.results if not whole else ():
            print(f"  {result.label:{width}}  {result.kind:10}  {result.seconds:5.2f} s  {result.by}")
    for sentence in wrong:
        print(f"wrong: {sentence}", file=sys.stderr)
    print(f"{len(wrong)} wrong, {time.perf_counter() - start:.0f} s")
    return 1 if wrong else 0


def break_proofs(pages, only, sample, jobs):
    """Print how the mutants of each page fare, and each survivor; return 1 if more than one in a hundred survives."""
    start, total = time.perf_counter(), [0, 0, 0, 0]
    print("| page | refused: false | refused: senseless | the same in other words | survive |\n|---|---|---|---|---|")
    survivors = []
    for page, counts in zip(pages, side_by_side(survey_page, [(page, only, sample) for page in pages], jobs)):
        if not counts:
            continue
        row = [sum(x) for x in zip(*((c.false, c.senseless, c.same, len(c.survivors)) for c in counts))]
        total = [a + b for a, b in zip(total, row)]
        print(f"| {page.stem} | {' | '.join(map(str, row))} |")
        survivors += [f"{c.label} survives: {mutant}" for c in counts for mutant in c.survivors]
    print(f"| all | {' | '.join(map(str, total))} |\n")
    print("\n".join(survivors))
    changed = total[0] + total[1] + total[3]
    part = 100 * (changed - total[3]) / changed if changed else 100
    print(f"{changed} mutants change the meaning, {part:.2f} % are refused; {time.perf_counter() - start:.0f} s")
    return 0 if part >= 99 else 1


if __name__ == "__main__":
    sys.exit(main())
