r"""Which steps follow from equations above them in the same text: T = \frac12 m v^2 = \frac12 m l^2 \dot\theta^2 after v = l \dot\theta.

A line above is used in one of two ways: as what a letter is, where the letter stands alone at its left side, or solved for a
letter in which it is linear, on the condition that what it is divided by is not zero. Both put one expression in for one
letter, so all that is used can hold at once, and a step that becomes an identity follows from the lines that are named.
The latest line on a letter counts. A line is a premise only if the words in front of it and between it and the step are neutral
(`eqproof.neutral_words`). Not used are the step itself, lines that are false, and letters that are one of the numbers -2 to 2:
with these, slips hold as well.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import sympy

from eqproof import conditions, conventions, notations, tree
from eqproof.algebra import scalar
from eqproof.bindings import Bindings
from eqproof.comparison import compare_sides, free_letters, unbound_letters
from eqproof.divisors import divisors, said_to_be_zero
from eqproof.errors import ProofError
from eqproof.evaluate import Evaluation
from eqproof.judging import ASSIGNED, on_condition, proven_for_numbers
from eqproof.neutral_words import content_in, content_of_display, last_sentence, without_markup
from eqproof.outcome import Context, Judged, Outcome
from eqproof.parser import parse
from eqproof.sources import Display, Source
from eqproof.where_letters_stand import bound_letters
from eqproof.words_in_formulas import prepare_formula

FOLLOWS = "follows by lines above"
INLINE = re.compile(r"\b(?:where|let|define|denote)\s+\$(?!\$)([^$\n]{3,120}?)\$(?!\$)", re.IGNORECASE)
NUMBER = re.compile(r"(?<![$\\])\$(?!\$)\s*(\\?[A-Za-z][^$\n=<>]{0,30}?=\s*-?\d[\d.]*)\s*\$(?!\$)")
WHERE = re.compile(r"[\s,;.]*where\s+\$[^$\n]*=", re.IGNORECASE)  # right behind a line: what its letter is
OVERWRITTEN = re.compile(r"\\(?:leftarrow|gets)(?![a-zA-Z])")
MOST_LINES = 40  # above a step that are looked at
MOST_TRIALS = 12  # of lines that are solved for a letter
DEEPEST = 8  # letters that are put in, one in the other
SMALL = (-2, -1, 0, 1, 2)
NO_NAMES = ("e", "i", "j", "d", r"\pi", r"\infty", r"\delta", r"\Delta")
UNKNOWN = "no identity of free letters"


@dataclass(frozen=True)
class Line:
    """An equation above, and its place: the cell of a notebook, the row from 1; block: where its display begins."""

    left: tree.Node
    right: tree.Node
    cell: int | None
    row: int
    block: int


@dataclass
class LinesAbove:
    """The equations of a text up to a place; digest: of all that they rest on; row: of the last one;
    lead: words with content that lead to what comes next; barred: the place in front of which no line is a premise, for these
    words; units: in which the whole text says that letters are measured; waiting: what is not parsed yet, in its order."""

    lines: list[Line] = field(default_factory=list)
    file: str = ""
    digest: str = ""
    end: tuple[int | None, int] = (None, 0)
    row: int = 0
    lead: str = ""
    words: str = ""
    barred: tuple[int, int] = (-1, -1)
    units: dict[tree.Symbol, str] = field(default_factory=dict)
    waiting: list[tuple[Source, int, str, Display | None, frozenset[tuple[str, str]]]] = field(default_factory=list)

    def reach(self, source: Source, place: int) -> None:
        """Go on to a place in a text: note what its sentences define, and what parts the lines above from those below."""
        if source.file != self.file:
            self.lines = []
            self.waiting = []
            self.digest = ""
            self.lead = ""
            self.barred = (-1, -1)
            self.file = source.file
            self.end = (source.cell, 0)
        start = self.end[1] if self.end[0] == source.cell else 0
        gap = source.text[start:place]
        found = [*INLINE.finditer(source.text, start, place), *NUMBER.finditer(source.text, start, place)]
        if found and not (len(found) == 1 and WHERE.match(gap)):
            self.bar(source, start, " ".join(gap.split())[:60])
        for match in sorted({x.span(1): x for x in found}.values(), key=lambda x: x.start(1)):
            self.pass_words(source, start, source.text.rindex("$", 0, match.start(1)))
            if not self.lead:
                self.wait(source, match.start(1), match[1], None, [])
            start = source.text.index("$", match.end(1)) + 1
        self.pass_words(source, start, place)
        self.end = source.cell, place

    def pass_words(self, source: Source, start: int, place: int) -> None:
        """Note the words between two places: whether they are neutral, and what leads to the second one."""
        text = without_markup(source.text[start:place], source)
        if not text.strip():
            return
        if words := content_in(text):
            self.bar(source, place, words)
        self.lead = content_in(last_sentence(text))

    def bar(self, source: Source, place: int, words: str) -> None:
        """Note words behind which no line above them is a premise."""
        self.barred = (-1 if source.cell is None else source.cell, place)
        self.words = words
        if self.digest:
            self.digest = hashlib.sha256(f"{self.digest} behind {words}".encode(errors="backslashreplace")).hexdigest()

    def are_premises(self, lines: Sequence[Line]) -> list[Line]:
        """Return those lines between which and here all words are neutral."""
        return [x for x in lines if (-1 if x.cell is None else x.cell, x.block) >= self.barred]

    def add(self, display: Display, judged: Sequence[Judged]) -> None:
        """Note the equations of a display."""
        if not display.broken:
            self.wait(display.source, display.start, display.text, display, judged)
        self.end = display.source.cell, display.start + len(display.found)
        assigned = OVERWRITTEN.search(display.text)
        if words := self.lead or content_of_display(display.found) or (assigned and assigned.group()):
            self.bar(display.source, self.end[1], words)
        self.lead = ""

    def wait(self, source: Source, place: int, text: str, display: Display | None, judged: Sequence[Judged]) -> None:
        """Note a text whose equations are read where they are needed."""
        false = frozenset((x.left, x.right) for x in judged if x.verdict == "false")
        row = source.line_and_column(place)[0]
        self.digest = hashlib.sha256(
            f"{self.digest} {source.cell} {self.gap(source, row)} {sorted(false)} {text}".encode(
                errors="backslashreplace"
            )
        ).hexdigest()
        self.row = row
        self.waiting.append((source, place, text, display, false))

    def gap(self, source: Source, row: int) -> int:
        """Return how far a row is behind the last line, in a notebook the row itself: a text that moves as a whole stays the same."""
        return row if source.cell is not None else row - self.row if self.digest else 0

    def key(self, display: Display) -> str:
        """Return what verdicts on a display rest on besides it: the lines above, and how far away they are."""
        row = display.source.line_and_column(display.start)[0]
        near = f"{self.digest} {self.gap(display.source, row)}" if self.digest else ""
        return near + (f" {sorted(map(repr, self.units.items()))}" if self.units else "")

    def read(self) -> list[Line]:
        """Return the equations, the latest first, at most MOST_LINES."""
        for source, place, text, display, false in self.waiting:
            self.lines += lines_of(source, place, text, display, false)
        self.waiting = []
        self.lines = self.lines[-MOST_LINES:]
        return self.lines[::-1]


def lines_of(
    source: Source, place: int, text: str, display: Display | None, false: frozenset[tuple[str, str]]
) -> Iterator[Line]:
    """Yield the equations of a display or a formula in the text, each once; none of what is not read, or is a condition."""
    try:
        prepared = prepare_formula(text)
        claims = parse(prepared)
    except (ProofError, RecursionError):
        return
    said = conditions.stated_conditions(claims, prepared, notations.with_thousands(text))
    if said.chains or conditions.says_when(text):  # it holds under these alone
        return
    for chain in claims.chains:
        if r"\pm" in text or r"\mp" in text:
            continue
        for i, relation in enumerate(chain.relations):
            left, right = chain.sides[i : i + 2]
            at = place if display is None else display.place(right.span[0])
            printed = tuple(" ".join(prepared[slice(*x.span)].split()) for x in (left, right))
            if relation == "=" and printed not in false:
                yield Line(left, right, source.cell, source.line_and_column(at)[0], place)


def follow(
    left: tree.Node, right: tree.Node, above: Sequence[Line], context: Context
) -> tuple[Outcome, list[Line]] | None:
    """Return that a step follows by lines above, the latest first, and by which; None where it is not seen to."""
    known = conventions.function_heads(left, right, *both_sides(above))
    if context.words.another or ASSIGNED.search(context.text[left.span[1] : right.span[0]]):
        return None
    notations.refuse_what_is_no_number(left, right)
    left, right = (notations.with_brackets_as_letters(conventions.with_atoms(x, known)) for x in (left, right))
    spoken = context.declared.speaks_of(left, right, *both_sides(above))
    if spoken or conventions.speaks_of_matrices(left, right) or list(bound_letters(left, right)):
        return None
    lines = [x for x in usable_lines(above, known) if {x.left, x.right} != {left, right}]  # said twice is not derived
    return follow_lines(left, right, lines, context)


def follow_lines(
    left: tree.Node, right: tree.Node, lines: Sequence[Line], context: Context
) -> tuple[Outcome, list[Line]] | None:
    """Return that a step follows by lines that may be used, and by which; None where it is not seen to."""
    defined = definitions(lines, left, right)
    trial = Trial(left, right, context, lines)
    one, other = (unbound_letters(x, frozenset()) for x in (left, right))
    for letters in (one ^ other, one | other):
        if found := trial.with_definitions({x: defined[x] for x in reached(letters, defined)}):
            return found
    for letter, line in list(letters_to_solve_for(lines, left, right))[:MOST_TRIALS]:
        others = definitions([x for x in lines if x is not line], left, right)
        others.pop(letter, None)
        needed = reached({*one, *other, *conventions.symbols(line.left, line.right)}, others)
        if found := trial.with_solution(letter, line, {x: others[x] for x in needed}):
            return found
    return None


def letters_to_solve_for(
    lines: Sequence[Line], left: tree.Node, right: tree.Node
) -> Iterator[tuple[tree.Symbol, Line]]:
    """Yield the letters that one side of a step alone has, each with a line that may be solved for it, a side itself first."""
    one, other = (unbound_letters(x, frozenset()) for x in (left, right))
    defined = definitions(lines, left, right)
    for line in lines:
        for letter in sorted(conventions.symbols(line.left, line.right), key=lambda x: x not in (left, right)):
            if letter in one ^ other and is_name(letter) and defined.get(letter) is not line:
                yield letter, line


def both_sides(lines: Iterable[Line]) -> list[tree.Node]:
    """Return the sides of lines."""
    return [x for line in lines for x in (line.left, line.right)]


def usable_lines(above: Sequence[Line], known: frozenset[tree.Node]) -> list[Line]:
    """Return the lines that may be used, the latest first: none on a letter that a later display says something else of."""
    lines: list[Line] = []
    latest: dict[tree.Node, tuple[int | None, int]] = {}
    for line in (as_read(x, known) for x in above):
        if line is None or conventions.speaks_of_matrices(line.left, line.right):
            continue
        if is_name(line.left) and latest.setdefault(line.left, (line.cell, line.block)) != (line.cell, line.block):
            continue
        lines.append(line)
    return lines


def as_read(line: Line, known: frozenset[tree.Node]) -> Line | None:
    """Return a line with functions and their arguments as letters; None where a sum, a limit or an integral stands in it."""
    left, right = (conventions.with_atoms(x, known) for x in (line.left, line.right))
    return None if any(True for _ in bound_letters(left, right)) else replace(line, left=left, right=right)


def is_name(node: tree.Node) -> bool:
    """Tell whether a node is a letter that may be given a value."""
    return isinstance(node, tree.Symbol) and node.base not in NO_NAMES and node.base not in conventions.NO_LETTERS


def definitions(lines: Sequence[Line], left: tree.Node, right: tree.Node) -> dict[tree.Node, Line]:
    """Return {a letter: the latest line on which it stands alone, left}, without numbers with which slips hold."""
    found: dict[tree.Node, Line] = {}
    for line in lines:
        name = line.left
        if not is_name(name) or name in found or name in conventions.symbols(line.right):
            continue
        if not conventions.symbols(line.right):
            both = all(name in conventions.symbols(x) for x in (left, right))
            if both or small_number(line.right):
                continue
        found[name] = line
    return found


def small_number(node: tree.Node) -> bool:
    """Tell whether a node without letters is a number with which a slip may hold, or is none."""
    try:
        value = Evaluation(Bindings())(node)
        return bool(value in SMALL)
    except conventions.FAILURES:
        return True


def reached(letters: set[tree.Symbol], defined: dict[tree.Node, Line]) -> list[tree.Node]:
    """Return the letters that are defined, of some and of those that stand in their definitions, each behind what it rests on."""
    order: list[tree.Node] = []

    def visit(letter: tree.Node, path: tuple[tree.Node, ...]) -> None:
        if letter in order or letter in path or letter not in defined or len(path) > DEEPEST:
            return
        for inner in conventions.symbols(defined[letter].right):
            visit(inner, (*path, letter))
        order.append(letter)

    for letter in sorted(letters, key=repr):
        visit(letter, ())
    return order


@dataclass(frozen=True)
class Trial:
    """A step, tried with letters that stand for expressions."""

    left: tree.Node
    right: tree.Node
    context: Context
    above: Sequence[Line]

    def with_definitions(self, defined: dict[tree.Node, Line]) -> tuple[Outcome, list[Line]] | None:
        """Return that the step follows with definitions, and from which: without any one of these it does not."""
        if not defined or not self.holds(defined):
            return None
        for letter in list(defined):
            fewer = {x: y for x, y in defined.items() if x != letter}
            if fewer and self.holds(fewer):
                defined = fewer
        return self.outcome(defined, {})

    def with_solution(
        self, letter: tree.Symbol, line: Line, defined: dict[tree.Node, Line]
    ) -> tuple[Outcome, list[Line]] | None:
        """Return that the step follows with a line solved for a letter, and definitions, and from which."""
        for given in ({}, defined) if defined else ({},):
            if self.holds(given, letter, line):
                return self.outcome(given, {letter: line})
        return None

    def table(
        self, defined: dict[tree.Node, Line], letter: tree.Symbol | None = None, line: Line | None = None
    ) -> tuple[dict[tree.Symbol, Any], Any] | None:
        """Return what letters stand for, and what a solved line is divided by; None where that has no value."""
        sides = [self.left, self.right, *(x.right for x in defined.values())]
        sides += [] if line is None else [line.left, line.right]
        letters = free_letters(*sides) | conventions.constants(*sides)[0]
        divisor: Any = sympy.Integer(1)
        for name, known in defined.items():
            assert isinstance(name, tree.Symbol)
            letters[name] = scalar(Evaluation(Bindings(letters))(known.right))
        if letter is None or line is None:
            return letters, divisor
        one, other = (scalar(Evaluation(Bindings(letters))(x)) for x in (line.left, line.right))
        if not (isinstance(one, sympy.Expr) and isinstance(other, sympy.Expr)):  # a matrix
            return None
        gap = sympy.together(one - other)
        above = sympy.expand(sympy.fraction(gap)[0])
        unknown = letters[letter]
        if (
            not isinstance(unknown, sympy.Symbol)
            or not above.is_polynomial(unknown)
            or sympy.degree(above, unknown) != 1
        ):
            return None
        divisor = above.coeff(unknown, 1)
        value = -above.coeff(unknown, 0) / divisor
        if value.is_number and value in SMALL:
            return None
        letters = {x: y.subs(unknown, value) if isinstance(y, sympy.Expr) else y for x, y in letters.items()}
        return letters, divisor

    def holds(
        self, defined: dict[tree.Node, Line], letter: tree.Symbol | None = None, line: Line | None = None
    ) -> bool:
        """Tell whether the step is an identity with letters that stand for expressions."""
        try:
            made = self.table(defined, letter, line)
            return made is not None and bool(compare_sides(self.left, self.right, made[0], self.context.text))
        except conventions.FAILURES:
            return False

    def outcome(
        self, defined: dict[tree.Node, Line], solved: dict[tree.Symbol, Line]
    ) -> tuple[Outcome, list[Line]] | None:
        """Return the outcome of a step that holds, and the lines it rests on; None where another reading speaks against it."""
        ((letter, line),) = solved.items() or ((None, None),)
        made = self.table(defined, letter, line)
        assert made is not None
        letters, divisor = made
        if said_to_be_zero(divisor, letters, [(x.left, x.right) for x in self.above]):
            return None
        verdict = compare_sides(self.left, self.right, letters, self.context.text)
        lines = [*defined.values(), *solved.values()]
        for one, other in [(self.left, self.right), *((x.left, x.right) for x in lines)]:
            found = proven_for_numbers(one, other, letters, verdict.how, self.context)
            if found.verdict != "proven":
                return None
        free = [x for x, value in letters.items() if isinstance(value, sympy.Symbol)]
        found = on_condition(
            Outcome("proven", verdict.how), self.left, self.right, Bindings(letters), free, self.context
        )
        needed = [found.condition] if found.condition else []
        needed += [f"{x} is not 0" for x in divisors(divisor, letters)]
        return Outcome(FOLLOWS, verdict.how, condition=" and ".join(needed)), sorted(
            lines, key=lambda x: (x.cell or 0, x.row)
        )
