r"""`eqproof check paper.tex`: the steps of derivations, compared as identities of free letters, with no declaration.

In a = b = c and in the lines of an align, each side is compared with the one before it, every letter a real number of its
own: a dot, an accent or an index makes another letter. A step holds as an identity, or it is false, with the smallest whole
numbers at which its sides differ, or it is undecided: what a letter means must be said first, as in E = \frac{1}{2} m v^2,
and the sentence tells of which. What letters usually mean is in `eqproof.conventions`, the files that are read in
`eqproof.sources`, what is printed in `eqproof.findings`.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import sympy

from eqproof import conventions, tree
from eqproof.bindings import Bindings
from eqproof.comparison import (
    compared,
    counterexample,
    free_letters,
    name_of,
    parting,
    printed,
    refuse_what_is_no_letter,
    unbound,
)
from eqproof.conventions import FAILURES
from eqproof.errors import ProofError, Unreadable
from eqproof.findings import Step, as_document, as_sarif, in_lines
from eqproof.in_fractions import in_fractions
from eqproof.parser import parse, parse_expression
from eqproof.sources import KINDS, Display, Source, displays, sources, sources_in
from eqproof.statement import Statement
from eqproof.verdict import Verdict

BOTH = re.compile(r"\\(pm|mp)(?![a-zA-Z])")


@dataclass(frozen=True)
class Outcome:
    """What became of a step: the verdict, why, and the node where its sides part, None where it is not known."""

    verdict: str
    why: str
    parts: tree.Node | None = None


def steps(path: str | Path) -> list[Step]:
    """Return the steps of all displays of a file; raise OSError or ValueError where it cannot be read."""
    return list(steps_in(sources(path)))


def steps_in(texts: Iterable[Source]) -> Iterator[Step]:
    """Yield the steps of all displays in texts."""
    for source in texts:
        for display in displays(source):
            yield from steps_of(display)


def steps_of(display: Display) -> Iterator[Step]:
    r"""Yield the steps of one display; where \pm stands in it, both signs are tried, the upper ones first."""
    signs = [{"pm": "+  ", "mp": "-  "}, {"pm": "-  ", "mp": "+  "}] if BOTH.search(display.text) else [{}]
    texts = [with_signs(display.text, of) for of in signs]
    try:
        claims = [parse(text) for text in texts]
    except ProofError as error:
        place = display.place(error.place or 0)
        yield step_at(display, place, place + 1, ("", "", ""), Outcome("unread", error.sentence))
        return
    for chains in zip(*(x.chains for x in claims)):
        variants = [with_evaluations(chain, text) for chain, text in zip(chains, texts)]
        for i, relation in enumerate(chains[0].relations):
            outcomes = [
                judged(chain.sides[i], chain.sides[i + 1], relation, text, first=i == 0)
                for chain, text in zip(variants, texts)
            ]
            outcome = both(*outcomes) if len(outcomes) > 1 else outcomes[0]
            left, right = chains[0].sides[i : i + 2]
            start, end = (outcome.parts or right).span
            sides = printed(left, display.text), relation, printed(right, display.text)
            yield step_at(display, display.place(start), display.place(max(start, end - 1)) + 1, sides, outcome)


def with_signs(text: str, signs: dict[str, str]) -> str:
    r"""Return a text with + and - for \pm and \mp, each in as many characters."""
    return BOTH.sub(lambda match: signs[match[1]], text)


def step_at(display: Display, start: int, end: int, sides: tuple[str, str, str], outcome: Outcome) -> Step:
    """Return the record of what stands between two places of the source."""
    source = display.source
    line, column = source.line_and_column(start)
    last_line, last_column = source.line_and_column(end)
    excerpt = source.line_around(start)
    behind = max(column + 1, last_column if last_line == line else len(excerpt) + 1)
    left, relation, right = sides
    return Step(
        source.file,
        source.cell,
        line,
        column,
        behind,
        *source.in_file(start),
        left,
        relation,
        right,
        outcome.verdict,
        outcome.why,
        excerpt,
    )


def both(upper: Outcome, lower: Outcome) -> Outcome:
    r"""Return what becomes of a step with \pm: it must hold for the upper signs and for the lower ones."""
    verdicts = {upper.verdict, lower.verdict}
    if len(verdicts) == 1:
        return replace(upper, why=f"for both signs: {upper.why}") if upper.verdict == "proven" else upper
    wrong = upper if upper.verdict == "false" else lower
    if verdicts == {"false", "proven"}:
        return replace(wrong, why=f"for the {'upper' if wrong is upper else 'lower'} signs; {wrong.why}")
    return upper if upper.verdict == "undecided" else lower


def with_evaluations(chain: tree.Chain, text: str) -> tree.Chain:
    r"""Return a chain in which [F]_a^b is F at b less F at a, where an integral of the chain tells by which variable."""
    variables = {x.variable for x in tree.walk(chain) if isinstance(x, tree.Integral)}
    if len(variables) != 1:
        return chain
    (variable,) = variables

    def change(node: tree.Node) -> tree.Node:
        if isinstance(node, tree.Power) and isinstance(node.base, tree.Indexed):
            body, sub = node.base.body, node.base.sub
            if isinstance(body, tree.Group) and body.bracket == "[" and len(body.items) == 1:
                with suppress(ProofError):
                    low = parse_expression(" ".join(sub))
                    ends = [tree.Evaluated(body, ((variable, x),), span=node.span) for x in (node.exponent, low)]
                    signs = (tree.Sign("+"), tree.Sign("-"))
                    return tree.Group("(", (tree.Add(signs, tuple(ends), span=node.span),), span=node.span)
        return conventions.rebuilt(node, change)

    return conventions.rebuilt(chain, change)


def judged(left: tree.Node, right: tree.Node, relation: str, text: str, first: bool) -> Outcome:
    """Return what becomes of one step; whatever fails inside leaves it undecided."""
    if relation != "=":
        return Outcome("undecided", f"only = is compared without declarations, here stands {relation}")
    known = conventions.heads(left, right)
    left, right = (conventions.with_atoms(side, known) for side in (left, right))
    try:
        if conventions.speaks_of_matrices(left, right):
            return as_matrices(left, right, text)
        return as_numbers(left, right, text, first)
    except ProofError as error:
        return Outcome("undecided", error.at(text).sentence)
    except FAILURES as error:
        return Outcome("undecided", f"{type(error).__name__}: {error}")


def as_matrices(left: tree.Node, right: tree.Node, text: str) -> Outcome:
    """Return what becomes of a step of vectors and matrices: proven under a usual reading, else undecided."""
    letters = conventions.symbols(left, right)
    refuse_what_is_no_letter(left, right)
    for words, tables in conventions.tables_of_matrices(left, right):
        if holds_as_matrices(left, right, tables, text):
            sizes = "sizes 2 and 3" if len(tables) > 1 else "size 3"
            return Outcome("proven", f"equal as fractions in {sizes}, where {words}")
    marked = [x for x in letters if conventions.is_vector(x)] or [x for x in letters if conventions.is_capital(x)]
    raise Unreadable("needs a declaration of its size", of=(marked or letters)[0])


def holds_as_matrices(
    left: tree.Node, right: tree.Node, tables: list[dict[tree.Symbol, Any]], text: str
) -> bool | None:
    """Tell whether a step holds under tables of letters, in each size; None where sizes do not fit."""
    try:
        for table in tables:
            sides = tuple(conventions.with_identities(side, table) for side in (left, right))
            claims = tree.Claims((tree.Chain(sides, ("=",)),))
            bound = {x: value for x, value in table.items() if value is not conventions.ONE}
            if not in_fractions(Statement(text, claims, Bindings(bound))):
                return False
    except FAILURES:
        return None
    return True


def as_numbers(left: tree.Node, right: tree.Node, text: str, first: bool) -> Outcome:
    """Return what becomes of a step whose letters are numbers."""
    letters = free_letters(left, right)
    usual, *others = conventions.constants(left, right)
    verdict = compared(left, right, letters | usual, text)
    if verdict:
        return proven_for_numbers(left, right, verdict, text)
    if imaginary := [x for x in others if conventions.complex_agree(left, right, letters | x, text)]:
        unit = next(x.base for x, value in imaginary[0].items() if value == sympy.I)
        return Outcome(
            "proven", f"30 digits agree at {conventions.COMPLEX_POINTS} random points, {unit} the root of -1"
        )
    one, other = (frozenset(unbound(side, frozenset(usual))) for side in (left, right))
    if missing := unexplained(one, other, first or not one or not other):
        lone = missing & {left, right}
        names = ", ".join(sorted({name_of(x, text) for x in lone or missing if isinstance(x, tree.Symbol)}))
        return Outcome("undecided", f"this is no identity of free letters: declare what {names} stands for")
    if operator := conventions.acts(left, right):
        raise Unreadable("may act on what stands behind it: declare what it is", of=operator)
    return not_everywhere(left, right, letters | usual, verdict, text)


def not_everywhere(
    left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], verdict: Verdict, text: str
) -> Outcome:
    """Return that a step is false as an identity, or that it holds where all letters are positive, which nobody says."""
    numbers = counterexample(left, right, letters, text) or verdict.how
    free = {x: value for x, value in letters.items() if isinstance(value, sympy.Symbol) and not x.dots}
    positive = {x: sympy.Symbol(value.name, positive=True) for x, value in free.items()}
    if compared(left, right, letters | positive, text):
        return Outcome("undecided", f"holds where all letters are positive; but {numbers}: declare their signs")
    return Outcome("false", f"as an identity; {numbers}", parting(left, right, letters))


def proven_for_numbers(left: tree.Node, right: tree.Node, verdict: Verdict, text: str) -> Outcome:
    """Return that a step holds for numbers, or that nobody knows where capitals that are inverted may be matrices."""
    if conventions.inverts_capitals(left, right):
        fits = [holds_as_matrices(left, right, x, text) for _, x in conventions.tables_of_matrices(left, right)]
        if False in fits and True not in fits:
            return Outcome("undecided", "holds for numbers, and not for matrices: declare what its capitals are")
    return Outcome("proven", verdict.how)


def unexplained(one: frozenset[tree.Node], other: frozenset[tree.Node], alone: bool) -> frozenset[tree.Node]:
    """Return the letters that must mean something else if a step that is no identity is true.

    alone: it is the first one, or one side has no letter: a law or a definition, unless both sides have the same letters.
    A rate that one side alone has is what an equation of motion tells.
    """
    if one == other:
        return frozenset()
    rates = any(isinstance(x, tree.Symbol) and x.dots for x in one ^ other)
    if not alone and not rates and (one <= other or other <= one):
        return frozenset()
    return one ^ other


def main(words: Iterable[str]) -> int:
    """Print what became of each step of each file; return 0, 1 if a step is false, 2 if the call or a file cannot be read."""
    parser = argparse.ArgumentParser(prog="eqproof check", description="Compare the steps of derivations, undeclared.")
    endings = ", ".join(KINDS)
    parser.add_argument("files", nargs="+", metavar="FILE", help=f"one of {endings}; - is the standard input")
    parser.add_argument("--stdin", choices=sorted({*KINDS.values()}), default="tex", help="what - holds; default: tex")
    parser.add_argument("-q", "--quiet", action="store_true", help="lines of what is false or not read alone")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="one document of records, see check-1.schema.json")
    output.add_argument(
        "--sarif", action="store_true", help="a log of SARIF 2.1.0 of what is false and what is not read"
    )
    arguments = parser.parse_args(list(words))
    found: list[Step] = []
    read: list[str] = []
    for file in arguments.files:
        try:
            texts = sources_in(sys.stdin.read(), "-", arguments.stdin) if file == "-" else sources(file)
            found += steps_in(texts)
            read.append(file)
        except (OSError, ValueError, KeyError, TypeError) as error:
            print(f"{file} cannot be read: {error}", file=sys.stderr)
    if arguments.json or arguments.sarif:
        print(json.dumps(as_sarif(found) if arguments.sarif else as_document(found, read), indent=1))
    else:
        print(in_lines(found, arguments.quiet))
    if len(read) < len(arguments.files):
        return 2
    return int(any(step.verdict == "false" for step in found))
