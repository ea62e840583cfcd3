r"""What an author says of letters for `eqproof check`, in the words of mathematics: `x, y real`, `A 3x3 symmetric`.

A declaration stands in a comment, which no reader sees, and holds from there to the end of its file:

    % eqproof: m positive; q function of t; E = \frac12 m \dot q^2      (LaTeX)
    <!-- eqproof: A 3x3 symmetric; v 3-vector -->                       (Markdown, notebooks, Quarto)
    .. eqproof: n integer 1..5                                          (reStructuredText)

or in a file of its own, `--declare FILE`, a line each, # before what is a comment there; it holds for all files. Several
declarations are parted by ; or stand on lines of their own. A later one for the same letter replaces the earlier.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import sympy

from eqproof import conventions, tree
from eqproof.bindings import Bindings, key_of
from eqproof.conventions import N
from eqproof.errors import NotDecided, ProofError, Unreadable
from eqproof.evaluate import Evaluation
from eqproof.parser import parse_expression
from eqproof.quantities import Field
from eqproof.quantities import field as with_arguments
from eqproof.rates import refuse_still_rates
from eqproof.sources import Source
from eqproof.statement import places
from eqproof.structures import WORDS, matrix_of

COMMENTS = {
    "tex": re.compile(r"^[ \t]*%+[ \t]*eqproof:(.*)$", re.MULTILINE),
    "md": re.compile(r"<!--[ \t]*eqproof:(.*?)-->", re.DOTALL),
    "rst": re.compile(r"^[ \t]*\.\. eqproof:(.*)$", re.MULTILINE),
}
SCALARS: dict[str, dict[str, bool]] = {
    "real": {"real": True},
    "positive": {"positive": True},
    "negative": {"negative": True},
    "nonnegative": {"nonnegative": True},
    "nonzero": {"real": True, "nonzero": True},
}
WORD = re.compile("|".join(x.replace(" ", r"\s+") for x in WORDS))
MOST_NUMBERS = 100  # that an integer may be
TIME = tree.Symbol("t")
KNOWN = (tree.Symbol(r"\pi"), tree.Symbol("0", "bold"), tree.Symbol("1", "bold"))  # without a word
KIND = re.compile(
    rf"""(?P<names>.+?)\s*(?:\bis\b|\bare\b|:)?\s*
    (?: (?P<scalar>{"|".join(SCALARS)})
      | integer \s+ (?P<low>-?\d+) \s*\.\.\s* (?P<high>-?\d+)
      | (?P<rows>\d+) \s*x\s* (?P<columns>\d+) (?P<shape>(?:\s+(?:{WORD.pattern}))*)
      | (?P<entries>\d+)-vector
      | (?=function) )
    (?P<moves> \s* function \s+ of \s+ t)?""",
    re.VERBOSE,
)
DEFINITION = re.compile(r"(?P<name>[^=<>]+?)\s*:?=\s*(?P<value>[^=].*)", re.DOTALL)
WAY_ON = (
    "say one of: x, y real (positive, negative, nonnegative, nonzero); n integer 1..5; A 3x3 "
    "(symmetric, skew, diagonal, positive definite, rotation, invertible, identity, zero); v 3-vector; q function of t; E = \\frac12 m v^2"
)


@dataclass
class Declarations:
    """What is said of letters up to a place.

    bindings: what they stand for; numbers: of those that count, which they may be; moving: letters of the state and their
    rates; defined: those that stand for an expression; drawn: how many letters of SymPy there are.
    """

    bindings: Bindings = field(default_factory=Bindings)
    numbers: dict[str, range] = field(default_factory=dict)
    moving: set[sympy.Symbol] = field(default_factory=set)
    defined: set[tree.Node] = field(default_factory=set)
    drawn: int = 0

    def copy(self) -> "Declarations":
        """Return what can be added to without changing this one."""
        return Declarations(self.bindings.copy(), dict(self.numbers), {*self.moving}, {*self.defined}, self.drawn)

    def add(self, text: str) -> None:
        """Take one declaration; raise ProofError, with the way on, where it is none."""
        if kind := KIND.fullmatch(text):
            for name in names_in(kind["names"]):
                self._declare(name, kind)
        elif definition := DEFINITION.fullmatch(text):
            self._define(definition["name"], definition["value"])
        else:
            raise ProofError(f"{text!r} is no declaration: {WAY_ON}")

    def speaks_of(self, *sides: tree.Node) -> bool:
        """Tell whether something is said of a letter of sides, or of one whose rate or entry stands in them."""
        return any(x not in KNOWN and self.look(x) is not None for x in conventions.symbols(*sides))

    def look(self, letter: tree.Symbol) -> Any:
        """Return what a letter stands for, None where nothing is said of it."""
        try:
            return Evaluation(self.bindings, at={x: numbers[0] for x, numbers in self.numbers.items()}).look(letter)
        except ProofError:
            return None

    def without_times(self, node: N) -> N:
        r"""Return a node in which functions of t are printed without it: \theta for \theta(t)."""

        def change(child: tree.Node) -> tree.Node:
            return self.without_times(child)

        node = conventions.rebuilt(node, change)
        if not isinstance(node, tree.Product):
            return node
        factors: list[tree.Node] = [node.factors[0]]
        for factor in node.factors[1:]:
            head = conventions.inside(factors[-1])
            bracket = conventions.inside(factor)
            timed = isinstance(bracket, tree.Group) and bracket.items == (TIME,)
            if timed and isinstance(head, tree.Symbol) and isinstance(self.look(replace(head, dots=0)), Field):
                factors[-1] = conventions.with_body(factor, factors[-1])  # what stands above the brackets stays
            else:
                factors.append(factor)
        return factors[0] if len(factors) == 1 else replace(node, factors=tuple(factors))  # type: ignore[return-value]

    def has_matrices(self, *sides: tree.Node) -> bool:
        """Tell whether a letter of sides is a vector or a matrix."""
        values = (self.look(x) for x in conventions.symbols(*sides))
        return any(isinstance(x.value if isinstance(x, Field) else x, np.ndarray) for x in values)

    def cases(self, *letters: tree.Symbol) -> list[dict[str, int]]:
        """Return each {letter: number} of those letters that count."""
        return places({x.base: self.numbers[x.base] for x in letters if x.base in self.numbers})

    def let_be_numbers(self, left: tree.Node, right: tree.Node) -> dict[tree.Symbol, Any]:
        """Let the letters of a step of which nothing is said be real numbers, and return these."""
        counted = {x.index for side in (left, right) for x in tree.walk(side) if isinstance(x, tree.Big)}
        usual = {x: value for x, value in conventions.constants(left, right)[0].items() if not self.speaks_of(x)}
        known = {*usual, *KNOWN, tree.Symbol(r"\infty"), *map(tree.Symbol, counted)}
        new = [x for x in conventions.symbols(left, right) if x not in known and not self.speaks_of(x)]
        self.refuse_what_is_no_number(new, {*counted, *self.numbers}, self.has_matrices(left, right))
        self.refuse_what_varies_unseen(left, right)
        free = {x: self.free(x) for x in new}
        self.bindings.bind(usual)
        return free

    @staticmethod
    def refuse_what_is_no_number(letters: list[tree.Symbol], counts: set[str], matrices: bool) -> None:
        """Raise Unreadable at letters that may be more than one number; counts: letters that are indices."""
        for letter in letters:
            if matrices and conventions.is_capital(letter):
                raise Unreadable("may be a matrix, as others are beside it: declare what it is", of=letter)
            if counts & {*letter.sub}:
                raise Unreadable("has an index that counts: so many letters cannot be declared", of=letter)

    def refuse_what_varies_unseen(self, *sides: tree.Node) -> None:
        """Raise Unreadable where a derivative or an integral acts on what its letter stands neither in nor behind."""
        for node in (x for side in sides for x in tree.walk(side)):
            if isinstance(node, tree.Symbol) and node.base in conventions.NO_LETTERS:
                raise Unreadable(f"is {conventions.NO_LETTERS[node.base]}: what it acts on cannot be declared", of=node)
            if isinstance(node, tree.Derivative):
                variables = [x for x, _ in node.variables if x != TIME or node.kind != "d"]
            elif isinstance(node, tree.Integral):
                variables = [node.variable]
            else:
                continue
            for variable in variables:
                if variable not in conventions.symbols(node.body) and not (
                    self.letters_of(variable) & self.letters_of(node.body)
                ):
                    raise Unreadable("acts on what does not show its letter: declare what that stands for", of=node)

    def refuse_rates_of_constants(self, claims: tree.Claims, cases: list[dict[str, int]]) -> None:
        """Raise Unreadable at a rate of what nobody said to vary: it would be zero."""
        try:
            refuse_still_rates(claims, [(self.bindings, case) for case in cases])
        except NotDecided:
            raise
        except ProofError as error:
            sentence = "is a rate: declare as functions of t the letters that vary"
            raise Unreadable(sentence, of=next(x for x in tree.walk(claims) if x.span == error.span)) from None

    def size(self, side: tree.Node, at: dict[str, int]) -> tuple[int, ...]:
        """Return the size of a side, () of a number, and of what fits any size."""
        value = Evaluation(self.bindings, at=at)(side)
        return value.shape if isinstance(value, np.ndarray) and value.size > 1 else ()

    def letters_of(self, *sides: tree.Node) -> frozenset[sympy.Symbol]:
        """Return the letters of SymPy on which what stands in sides depends."""
        found: set[sympy.Symbol] = set()
        for letter in conventions.symbols(*sides):
            value = self.look(letter)
            value = value.value if isinstance(value, Field) else value
            found |= sympy.Matrix(np.atleast_2d(value)).free_symbols if value is not None else set()
        return frozenset(found)

    def depends_on(self, side: tree.Node, at: dict[str, int]) -> frozenset[sympy.Symbol]:
        """Return the letters of SymPy that the value of a side holds, of its letters where it has none in symbols."""
        try:
            value = Evaluation(self.bindings, at=at)(side)
            return frozenset(sympy.Matrix(np.atleast_2d(value)).free_symbols)
        except conventions.FAILURES:
            return self.letters_of(side)

    def unexplained(self, left: tree.Node, right: tree.Node, at: dict[str, int], first: bool) -> list[tree.Symbol]:
        """Return the letters that one side alone depends on, where a step that does not hold may be a law or to be solved.

        As without declarations: the first step of a chain, or one with rates on one side alone. What is defined by an
        expression claims to be equal to that, unless a rate or a state is what the sides do not share.
        """
        one, other = self.depends_on(left, at), self.depends_on(right, at)
        alone = one ^ other
        if not alone:
            return []
        defined = any(x in self.defined for x in conventions.symbols(left, right))
        claims = not alone & self.moving and bool(one) and bool(other) and (one <= other or other <= one)
        if claims and (defined or not first):
            return []
        letters = conventions.symbols(left, right)
        return [x for x in letters if self.letters_of(x) & alone] or letters

    def free(self, letter: tree.Symbol) -> sympy.Symbol:
        """Let a letter of which nothing is said be a real number; raise Unreadable where it is printed as something else."""
        if letter.dots:
            name = replace(letter, dots=0)
            raise Unreadable(f"is a rate: declare that {name.base} is a function of t", of=letter)
        if conventions.is_vector(letter):
            raise Unreadable("is printed as a vector or a matrix: declare its size", of=letter)
        drawn = self._symbol(real=True)
        self.bindings.bind({letter: drawn})
        return drawn

    def _symbol(self, **assumptions: bool) -> sympy.Symbol:
        self.drawn += 1
        return sympy.Symbol(f"declared {self.drawn}", **assumptions)

    def _declare(self, name: str, kind: re.Match[str]) -> None:
        """Take a declaration for one letter."""
        key = letter_of(name)
        self.numbers.pop(key.base, None)
        self.defined.discard(key)
        rows, columns = int(kind["rows"] or kind["entries"] or 0), int(kind["columns"] or 1)
        if kind["moves"]:
            if kind["scalar"] not in (None, "real") or kind["low"] or kind["shape"]:
                raise ProofError(
                    f"a function of t is real, a vector or a matrix, and nothing else is said of it: {name}"
                )
            self._move(key, rows, columns)
        elif kind["low"]:
            self._count(key, int(kind["low"]), int(kind["high"]))
        elif kind["scalar"]:
            self.bindings.bind({key: self._symbol(**SCALARS[kind["scalar"]])})
        else:
            self.bindings.bind({key: self._matrix(rows, columns, kind["shape"] or "")})

    def _count(self, key: tree.Symbol, low: int, high: int) -> None:
        """Let a letter be each of some whole numbers."""
        if key != tree.Symbol(key.base):
            raise ProofError("a letter that counts has no index and no accent")
        if not low <= high < low + MOST_NUMBERS:
            raise ProofError(
                f"got the integers {low}..{high}: the first is not above the last, and at most {MOST_NUMBERS}"
            )
        self.bindings.values.pop(key, None)
        self.numbers[key.base] = range(low, high + 1)

    def _move(self, key: tree.Symbol, rows: int, columns: int) -> None:
        """Let a letter be a function of the time, with rates; rows: 0 for a number."""
        time = self.look(TIME)
        if not isinstance(time, sympy.Symbol):
            time = self._symbol(real=True)
            self.bindings.bind({TIME: time})
        orders = [self._matrix(rows, columns) if rows else sympy.Matrix([self._symbol(real=True)]) for _ in range(3)]
        self.moving |= set().union(*(x.free_symbols for x in orders))
        self.bindings.bind({key: with_arguments(orders[0] if rows else orders[0][0], time)})
        q, qd, qdd = (list(x) for x in orders)
        self.bindings.motion(q, qd, qdd, t=time)

    def _matrix(self, rows: int, columns: int, shape: str = "") -> sympy.Matrix:
        """Return a matrix of letters, with the structure that words name."""

        def draw(positive: bool) -> sympy.Symbol:
            return self._symbol(positive=True) if positive else self._symbol(real=True)

        return matrix_of(rows, columns, frozenset(" ".join(x.split()) for x in WORD.findall(shape)), draw)

    def _define(self, name: str, latex: str) -> None:
        """Let a letter stand for an expression; letters in it of which nothing is said are real numbers."""
        key, value = letter_of(name), parse_expression(latex)
        if key in conventions.symbols(value):
            raise ProofError(f"{name} stands on both sides of its definition")
        for letter in conventions.symbols(value):
            if self.look(letter) is None and letter.base != r"\pi":
                self.free(letter)
        if self.numbers:
            counted = [x.base for x in conventions.symbols(value) if x.base in self.numbers]
            if counted:
                raise ProofError(f"a definition holds no letter that counts, such as {counted[0]}")
        self.bindings.bind({key: Evaluation(self.bindings)(value)})
        self.defined.add(key)


def names_in(text: str) -> list[str]:
    """Return the names in a list with commas, which may also stand in braces."""
    return [x for x in (part.strip() for part in re.split(r",(?![^{]*\})", text)) if x]


def letter_of(name: str) -> tree.Symbol:
    """Return the letter that a name in LaTeX is; raise ProofError where it is none."""
    key = key_of(name.strip().strip("$"))
    if not isinstance(key, tree.Symbol):
        raise ProofError(f"{name} is no letter: one letter, with its indices and accents, is declared at a time")
    if key.dots:
        raise ProofError(f"{name} is a rate: declare what it is the rate of as a function of t")
    return key


def said_in(text: str) -> list[str]:
    """Return the declarations in the words of a comment or a file."""
    return [x for x in (part.strip() for part in re.split(r"[;\n]", text)) if x]


def in_source(source: Source) -> Iterator[tuple[int, str]]:
    """Yield (place, declaration) for the comments of a source."""
    for match in COMMENTS[source.kind].finditer(source.text):
        for text in said_in(match[1]):
            yield match.start(), text


def in_file(text: str) -> Declarations:
    """Return what a file of declarations says; raise ValueError with the line of what is none."""
    found = Declarations()
    for number, line in enumerate(text.splitlines(), 1):
        for said in said_in(line.partition("#")[0]):
            take(found, said, f"line {number}")
    return found


def take(declarations: Declarations, text: str, where: str) -> None:
    """Add a declaration; raise ValueError that tells where it stands."""
    try:
        declarations.add(text)
    except ProofError as error:
        raise ValueError(f"{where}: {error.sentence}") from None
    except Exception as error:  # a value that SymPy does not compute: told like one that is wrong
        raise ValueError(f"{where}: {text!r} is not understood, {type(error).__name__}: {error}") from None
