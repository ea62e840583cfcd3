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
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import TypeVar

from eqproof import conditions, conventions, input_limits, notations, operators, tree, wordings
from eqproof.alternative_readings import is_struck, is_system, judge_as_printed, struck_texts, without_asterisks
from eqproof.cache import NO_CACHE, Cache, folder_of_caches, key_of
from eqproof.comparison import printed_side
from eqproof.declarations import (
    declarations_of_source,
    read_declarations,
    refuse_faulty_declarations,
    take_declaration,
)
from eqproof.declared_letters import Declared
from eqproof.errors import ProofError
from eqproof.evaluation_brackets import with_evaluations
from eqproof.findings import Step, Used, as_document, as_lines, as_sarif
from eqproof.lines_above import Line, LinesAbove, follow
from eqproof.neutral_words import content_of_display
from eqproof.outcome import TOO_DEEP, Context, Judged, Outcome, join_signs, join_struck
from eqproof.parser import parse
from eqproof.sources import (
    KINDS,
    TRANSPOSE,
    Display,
    Source,
    definitions_in,
    displays,
    not_utf8,
    sources,
    sources_in,
)
from eqproof.units_in_text import judge_units, units_said
from eqproof.words_in_formulas import RELATION_APART, prepare_formula

T = TypeVar("T")
BOTH = re.compile(r"\\(pm|mp)(?![a-zA-Z])")


def steps(path: str | Path) -> list[Step]:
    """Return the steps of all displays of a file; raise OSError or ValueError where it cannot be read."""
    return list(steps_in(sources(path)))


def steps_in(
    texts: Iterable[Source],
    declared: Declared | None = None,
    cache: Cache = NO_CACHE,
    commands: dict[str, str] | None = None,
) -> Iterator[Step]:
    """Yield the steps of all displays in texts; raise ValueError at a declaration that is none.

    declared: what is said of letters before; to it comes what comments of the texts say, from their places on.
    cache: what became of displays before; commands: what an author's commands stand for, besides those of the texts.
    """
    known = Declared() if declared is None else declared.copy()
    texts = list(texts)
    above = LinesAbove(units=units_said(source.text for source in texts))
    refuse_faulty_declarations(known, texts, commands or {})
    for source in texts:
        own = (commands or {}) | definitions_in(source.text)
        said = list(declarations_of_source(source))
        for display in displays(source, commands):
            while said and said[0][0] < display.start + len(display.found):  # also what stands in it
                take_declaration(known, said.pop(0)[1], source.file, own)
            above.reach(source, display.start)
            judged = kept_or_judged(display, known, cache, above)
            above.add(display, judged)
            for judged_step in judged:
                yield step_at(display, judged_step)
        above.reach(source, len(source.text))
        for _, text in said:
            take_declaration(known, text, source.file, own)


def kept_or_judged(display: Display, declared: Declared, cache: Cache, above: LinesAbove) -> list[Judged]:
    """Return what became of the steps of a display, from the cache where it is kept there."""
    if cache.folder is None:
        return list(steps_of(display, declared, above))
    key = key_of(display, declared, above.key(display))
    found = cache.find(key)
    if found is None:
        found = list(steps_of(display, declared, above))
        cache.keep(key, found)
    return found


def steps_of(display: Display, declared: Declared, above: LinesAbove) -> Iterator[Judged]:
    r"""Yield the steps of one display; where \pm stands in it, both signs are tried, the upper ones first."""
    if display.broken:
        yield unread_outcome(0, display.broken)
        return
    if declared.look(tree.Symbol("T")) is not None and re.search(TRANSPOSE, display.found):
        yield unread_outcome(
            0, "T is declared, and ^T may be a power or a transpose: write \\top, or take another letter"
        )
        return
    signs = [{"pm": "+  ", "mp": "-  "}, {"pm": "-  ", "mp": "+  "}] if BOTH.search(display.text) else [{}]
    texts = [y for of in signs for y in struck_texts(with_signs(prepare_formula(display.text), of))]
    try:
        input_limits.refuse_what_is_too_large(display.text)
        claims = [parse(text) for text in texts]
    except ProofError as error:
        yield unread_outcome(error.place or 0, error.sentence)
    except RecursionError:
        yield unread_outcome(0, f"this {TOO_DEEP}")
    except Exception as error:  # whatever it is: the other displays are still told
        yield unread_outcome(0, f"the reader fails at this, {type(error).__name__}: write it in other words")
    else:
        yield from judged_steps(display, texts, claims, declared, above)


def unread_outcome(place: int, why: str) -> Judged:
    """Return what became of a display that is not read, at the place where reading stops."""
    return Judged(place, place + 1, "", "", "", "unread", why)


def judged_steps(
    display: Display, texts: list[str], claims: list[tree.Claims], declared: Declared, above: LinesAbove
) -> Iterator[Judged]:
    """Yield the steps of the claims that a display makes, one for each choice of its signs."""
    context = context_of(display, texts, claims, declared)
    said = context.said
    behind = [*claims[0].chains[1:], None]
    own: list[Line] = []
    worded = content_of_display(display.found)
    for chains, next_one in zip(zip(*(x.chains for x in claims)), behind):
        variants = [with_evaluations(chain, text) for chain, text in zip(chains, texts)]
        context = replace(context, variable=conventions.antiderivative_variable(chains[0]))
        for i, relation in enumerate(chains[0].relations):
            outcome = with_each_sign(
                variants, texts, i, replace(context, struck=is_struck(display.text), system=is_system(display))
            )
            if i + 1 == len(chains[0].relations) and notations.COMMA.match(texts[0], chains[0].span[1] - 1):
                outcome = Outcome("undecided", notations.COMMA_SAYS)
            left, right = chains[0].sides[i : i + 2]
            used: list[Line] = []
            if relation == "=":
                if len(texts) == 1:
                    plain = without_asterisks(left), without_asterisks(right)
                    outcome, used = with_the_text(outcome, *plain, own, above, replace(context, text=texts[0]))
                if outcome.verdict != "false" and chains[0] not in said.chains and not worded:
                    own.append(line_at(display, left, right))
            start, end = (outcome.parts or right).span
            sides = printed_side(left, texts[0]), relation, printed_side(right, texts[0])
            places = tuple(distance(x, display) for x in used)
            yield Judged(start, end, *sides, outcome.verdict, outcome.why, outcome.condition, places)
        if next_one is not None:
            yield from sign_between(display, chains[0], next_one)


def with_each_sign(variants: list[tree.Chain], texts: list[str], i: int, context: Context) -> Outcome:
    """Return what becomes of the step behind side i, of all choices of its signs together."""
    outcomes = [
        judge_as_printed(
            chain.sides[i], chain.sides[i + 1], chain.relations[i], replace(context, text=text, first=i == 0)
        )
        for chain, text in zip(variants, texts)
    ]
    return reduce(join_struck if context.struck else join_signs, outcomes)


def context_of(display: Display, texts: list[str], claims: list[tree.Claims], declared: Declared) -> Context:
    """Return what is known of the steps of a display besides their sides."""
    around = conditions.conditions_around(display.source.text, display.start, display.start + len(display.found))
    said = conditions.stated_conditions(claims[0], texts[0], notations.with_thousands(display.text), around)
    words = wordings.words_around(display.source.text, display.start, display.start + len(display.found))
    said = replace(said, text_equations=(*said.text_equations, *filter(conditions.is_zero, claims[0].chains)))
    order = operators.order_in(claims[0])
    letters = conventions.symbols(*claims[0].chains)
    order = replace(order, letters=order.letters | words.without_order(letters))
    said = replace(said, complex=said.complex | words.complex)
    return Context("", True, said, order, words, declared=declared)


def sign_between(display: Display, chain: tree.Chain, behind: tree.Chain) -> Iterator[Judged]:
    """Yield what becomes of two chains with a sign between them that is not compared; nothing without one."""
    if sign := RELATION_APART.search(display.text, chain.span[1], behind.span[0]):
        left, right = (printed_side(x.sides[k], display.text) for x, k in ((chain, -1), (behind, 0)))
        why = f"only = is compared, here stands {sign.group()}"
        yield Judged(*behind.sides[0].span, left, sign.group(), right, "undecided", why)


def with_the_text(
    outcome: Outcome, left: tree.Node, right: tree.Node, own: list[Line], above: LinesAbove, context: Context
) -> tuple[Outcome, list[Line]]:
    """Return what becomes of a step with what stands above it, and the lines it follows by; own: those of its display."""
    used: list[Line] = []
    if outcome.verdict == "undecided":
        lines = [*own[::-1], *above.read()]
        premises = above.are_premises(lines)
        outcome, used = followed(outcome, left, right, premises, context)
        if not used and len(premises) < len(lines) and (found := followed(outcome, left, right, lines, context)[1]):
            outcome = replace(outcome, why=parted(found, above.words))
    return judge_units(left, right, context.declared.units, above.units, outcome, context), used


def followed(
    outcome: Outcome, left: tree.Node, right: tree.Node, above: list[Line], context: Context
) -> tuple[Outcome, list[Line]]:
    """Return what becomes of an undecided step that may follow by lines above, and these; whatever fails inside changes nothing."""
    with suppress(*conventions.FAILURES, RecursionError):
        return follow(left, right, above, context) or (outcome, [])
    return outcome, []


def parted(lines: Sequence[Line], words: str) -> str:
    """Return that a step follows by lines only if words that part them from it change nothing."""
    rows = ", ".join(str(x.row) for x in lines)
    return (
        f"it follows with line {rows} only if these words leave that as it is: {words!r}; "
        "declare what its letters stand for, or put the lines in one display"
    )


def distance(line: Line, display: Display) -> tuple[int | None, int]:
    """Return the place of a line as it is kept: in a text how far it is from a display, in a notebook its cell and its row."""
    if line.cell is not None:
        return line.cell, line.row
    return None, line.row - display.source.line_and_column(display.start)[0]


def line_at(display: Display, left: tree.Node, right: tree.Node) -> Line:
    """Return an equation of a display with its place."""
    row = display.source.line_and_column(display.place(right.span[0]))[0]
    return Line(left, right, display.source.cell, row, display.start)


def with_signs(text: str, signs: dict[str, str]) -> str:
    r"""Return a text with + and - for \pm and \mp, each in as many characters."""
    return BOTH.sub(lambda match: signs[match[1]], text)


def step_at(display: Display, judged_step: Judged) -> Step:
    """Return the record of a step with its place in the source."""
    source = display.source
    x = judged_step
    start = display.place(x.start)
    end = display.place(max(x.start, x.end - 1)) + 1
    line, column = source.line_and_column(start)
    first = source.line_and_column(display.start)[0]
    last_line, last_column = source.line_and_column(end)
    excerpt = source.line_around(start)
    return Step(
        source.file,
        source.cell,
        line,
        column,
        max(column + 1, last_column if last_line == line else len(excerpt) + 1),
        *source.in_file(start),
        x.left,
        x.relation,
        x.right,
        x.verdict,
        x.why,
        x.condition,
        tuple(Used(cell, row if cell is not None else row + first) for cell, row in x.rests_on),
        excerpt,
    )


def standard_input() -> str:
    """Return the standard input; raise ValueError where it is no text in UTF-8."""
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise ValueError(not_utf8(error)) from None


def said_in_files(files: Iterable[str], read: Callable[[str], T], nothing: T) -> T:
    """Return what files say, of dicts all together; raise ValueError with a sentence where one cannot be read."""
    said = nothing
    for file in files:
        try:
            found = read(Path(file).read_text("utf-8-sig"))
        except (OSError, ValueError) as error:
            raise ValueError(f"{file} cannot be read: {error}") from None
        said = said | found if isinstance(said, dict) and isinstance(found, dict) else found  # type: ignore[assignment]
    return said


def main(words: Iterable[str]) -> int:
    """Print what became of each step of each file; return 0, 1 if a step is false, 2 if the call or a file cannot be read."""
    parser = argparse.ArgumentParser(prog="eqproof check", description="Compare the steps of derivations, undeclared.")
    endings = ", ".join(KINDS)
    parser.add_argument("files", nargs="+", metavar="FILE", help=f"one of {endings}; - is the standard input")
    parser.add_argument("--stdin", choices=sorted({*KINDS.values()}), default="tex", help="what - holds; default: tex")
    parser.add_argument("-q", "--quiet", action="store_true", help="lines of what is false or not read alone")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="one document of records, see check-3.schema.json")
    output.add_argument(
        "--sarif", action="store_true", help="a log of SARIF 2.1.0 of what is false and what is not read"
    )
    parser.add_argument("--declare", metavar="FILE", help="what letters are, a line each, x positive or A 3x3")
    parser.add_argument("--macros", metavar="FILE", action="append", default=[], help="LaTeX that defines commands")
    parser.add_argument("--no-cache", action="store_true", help="judge all anew, and keep no verdicts")
    arguments = parser.parse_args(list(words))
    kept = None if arguments.no_cache else folder_of_caches()
    cache = Cache(kept and kept / "check")
    found: list[Step] = []
    read: list[str] = []
    try:
        nothing: dict[str, str] = {}
        commands = said_in_files(arguments.macros, definitions_in, nothing)
        declared = said_in_files([arguments.declare] if arguments.declare else [], read_declarations, Declared())
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    for file in arguments.files:
        try:
            texts = sources_in(standard_input(), "-", arguments.stdin) if file == "-" else sources(file)
            found += list(steps_in(texts, declared, cache, commands))
            read.append(file)
        except (OSError, ValueError) as error:
            name = file if file and file.isprintable() else repr(file)
            print(f"{name} cannot be read: {error}", file=sys.stderr)
    if arguments.json or arguments.sarif:
        print(json.dumps(as_sarif(found) if arguments.sarif else as_document(found, read), indent=1))
    else:
        print(as_lines(found, arguments.quiet))
    if len(read) < len(arguments.files):
        return 2
    return int(any(step.verdict == "false" for step in found))
