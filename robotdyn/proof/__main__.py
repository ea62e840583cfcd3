"""python -m robotdyn.proof [PAGE.ipynb ...] [--only LABEL ...] [--mutants [--sample N]]: prove pages, or try to break proofs."""

import argparse
import random
import sys
import time
from pathlib import Path

from robotdyn.proof.ledger import judge, orphans, proofs_of
from robotdyn.proof.mutants import survey
from robotdyn.proof.pages import book_pages


def main(words=None):
    """Run the command; return 0 if all equations of all pages are proven or definitions, else 1."""
    parser = argparse.ArgumentParser(prog="python -m robotdyn.proof", description=__doc__)
    parser.add_argument("pages", nargs="*", type=Path, help="default: all pages of _toc.yml in this folder")
    parser.add_argument("--only", nargs="+", metavar="LABEL", help="these labels alone")
    parser.add_argument("--mutants", action="store_true", help="change one token of each proven equation, in every way")
    parser.add_argument("--sample", type=int, metavar="N", help="with --mutants: N mutants of each equation, by chance")
    arguments = parser.parse_args(words)
    try:
        pages = arguments.pages or book_pages(".")
    except FileNotFoundError:
        parser.error("there is no _toc.yml in this folder: name the pages")
    missing = [str(page) for page in pages if not page.exists()]
    if missing:
        parser.error(f"there is no {', '.join(missing)}")
    if arguments.mutants:
        return break_proofs(pages, arguments.only, arguments.sample)
    return prove(pages, arguments.only, whole=not arguments.pages)


def prove(pages, only, whole):
    """Print a table of each page and what is wrong; return the exit code."""
    start, everything = time.perf_counter(), []
    for page in pages:
        results, wrong = judge(page, only)
        everything += wrong
        if not results and not wrong:
            continue
        print(f"{page.name}: " + ", ".join(f"{n} {kind}" for kind, n in kinds(results).items()))
        if not whole:
            width = max((len(result.label) for result in results), default=0)
            for result in results:
                print(f"  {result.label:{width}}  {result.kind:10}  {result.seconds:5.2f} s  {result.by}")
    everything += orphans(pages[0].parent) if whole else []
    for sentence in everything:
        print(f"wrong: {sentence}", file=sys.stderr)
    print(f"{len(everything)} wrong, {time.perf_counter() - start:.0f} s")
    return 1 if everything else 0


def kinds(results):
    """Return how many results there are of each kind."""
    return {kind: sum(r.kind == kind for r in results) for kind in dict.fromkeys(r.kind for r in results)}


def break_proofs(pages, only, sample):
    """Print how the mutants of each page fare, and each survivor; return 1 if more than one in a hundred survives."""
    start, rng = time.perf_counter(), random.Random(0)
    total = [0, 0, 0, 0]
    for page in pages:
        chapter = proofs_of(page)
        entries = [e for e in chapter.entries.values() if e.verb == "prove"] if chapter else []
        counts = []
        for entry in entries:
            if (only and entry.label not in only) or entry.label not in chapter.texts:
                continue
            text = chapter.texts[entry.label]
            counts.append(survey(entry, text, sample, rng))
            for mutant in counts[-1].survivors:
                near = text[max(0, mutant.place - 30) : mutant.place + 30].replace("\n", " ")
                print(f"  {entry.label} survives: {mutant.kind}, {mutant.before!r} -> {mutant.after!r} in {near!r}")
        row = [sum(x) for x in zip(*((c.false, c.senseless, c.same, len(c.survivors)) for c in counts))] or [0] * 4
        total = [a + b for a, b in zip(total, row)]
        if counts:
            print("{}: {} refused as false, {} as senseless, {} say the same, {} survive".format(page.name, *row))
    false, senseless, same, survive = total
    changed = false + senseless + survive
    part = 100 * (changed - survive) / changed if changed else 100
    print(
        f"{changed} mutants change the meaning, {part:.2f} % of them are refused; {time.perf_counter() - start:.0f} s"
    )
    return 0 if part >= 99 else 1


if __name__ == "__main__":
    sys.exit(main())
