r"""What letters stand for where an author says so for `eqproof check`, and what a step with such letters may not hold.

A step with a declared letter is compared for what is declared; letters of which nothing is said are real numbers that do not
vary. What would be read as something else than it is printed is refused: q(t - \tau) of a function of t, a rate of what does
not vary, an index that counts, a bound variable that is declared as positive.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import sympy

from eqproof import conventions, notations, tree
from eqproof.bindings import Bindings
from eqproof.conventions import N
from eqproof.errors import NotDecided, ProofError, Unreadable
from eqproof.evaluate import Branches, Evaluation
from eqproof.inputs_of_laws import refuse_rates_of_inputs
from eqproof.opaque_values import refuse_opaque_values
from eqproof.rates import refuse_still_rates
from eqproof.statement import index_values
from eqproof.structures import matrix_of
from eqproof.where_letters_stand import bound_letters, heads_in, is_one_number, marked_letters, refuse_no_letters

TIME = tree.Symbol("t")
KNOWN = (tree.Symbol(r"\pi"), tree.Symbol(r"\infty"), tree.Symbol("0", "bold"), tree.Symbol("1", "bold"))
ROOTS = (tree.Symbol("i"), tree.Symbol("j"))  # of -1, perhaps
MOST_CASES = 1000  # numbers of letters that count, in one step


@dataclass
class Declared:
    """What is said of letters up to a place.

    bindings: what they stand for; numbers: of those that count, which they may be; moving: letters of SymPy that are a state
    or its rates; ruled: those of them whose rate a law of motion gives; defined: letters that stand for an expression, with the
    letters in it; implied: letters of which a definition holds, and nothing is said; functions: heads of what is declared with
    its arguments, as G of G(s); names: how often one of SymPy has a name; said: the declarations in their own words and order;
    units: in which letters are measured, base units; inputs: letters of SymPy in laws that may vary; constants: not.
    """

    bindings: Bindings = field(default_factory=Bindings)
    numbers: dict[str, range] = field(default_factory=dict)
    moving: set[sympy.Symbol] = field(default_factory=set)
    ruled: set[sympy.Symbol] = field(default_factory=set)
    defined: dict[tree.Node, frozenset[tree.Symbol]] = field(default_factory=dict)
    implied: set[tree.Node] = field(default_factory=set)
    functions: set[tree.Node] = field(default_factory=set)
    names: dict[str, int] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    units: dict[tree.Symbol, str] = field(default_factory=dict)
    inputs: set[sympy.Symbol] = field(default_factory=set)
    constants: set[sympy.Symbol] = field(default_factory=set)

    def copy(self) -> "Declared":
        """Return what can be added to without changing this one."""
        sets = {*self.moving}, {*self.ruled}, dict(self.defined), {*self.implied}, {*self.functions}
        return Declared(
            self.bindings.copy(),
            dict(self.numbers),
            *sets,
            dict(self.names),
            [*self.said],
            dict(self.units),
            {*self.inputs},
            {*self.constants},
        )

    def speaks_of(self, *sides: tree.Node) -> bool:
        """Tell whether something is said of a letter of sides, or of one whose rate stands in them."""
        if self.functions and not self.functions.isdisjoint(heads_in(*sides)):
            return True
        return any(x not in KNOWN and self.look(x) is not None for x in conventions.symbols(*sides))

    def counts_or_is_known(self, letter: tree.Node) -> bool:
        """Tell whether something is said of a letter, such as the numbers that it may be."""
        return letter in KNOWN or self.look(letter) is not None

    def look(self, letter: tree.Node) -> Any:
        """Return what a letter stands for, None where nothing is said of it."""
        if not isinstance(letter, tree.Symbol):
            return None
        try:
            return Evaluation(self.bindings, indices={x: numbers[0] for x, numbers in self.numbers.items()}).look(
                letter
            )
        except ProofError:
            return None

    def letter(self, name: str, **assumptions: bool) -> sympy.Symbol:
        """Return a new letter of SymPy, called as it is printed."""
        self.names[name] = self.names.get(name, 0) + 1
        return sympy.Symbol(name if self.names[name] == 1 else f"{name} ({self.names[name]})", **assumptions)

    def be_scalar(self, key: tree.Symbol, name: str, assumptions: dict[str, bool]) -> None:
        """Let a letter be a number with a sign."""
        self.bindings.bind({key: self.letter(name, **assumptions)})

    def be_matrix(self, key: tree.Symbol, name: str, rows: int, columns: int, words: frozenset[str]) -> None:
        """Let a letter be a matrix of letters with a structure."""
        self.bindings.bind({key: self.matrix(name, rows, columns, words)})

    def matrix(self, name: str, rows: int, columns: int, words: frozenset[str] = frozenset()) -> sympy.Matrix:
        """Return a matrix of new letters."""

        def draw(positive: bool) -> sympy.Symbol:
            entry = f"an entry of {name}"
            return self.letter(entry, positive=True) if positive else self.letter(entry, real=True)

        return matrix_of(rows, columns, words, draw)

    def count(self, key: tree.Symbol, low: int, high: int) -> None:
        """Let a letter be each of some whole numbers."""
        self.bindings.values.pop(key, None)
        self.numbers[key.base] = range(low, high + 1)

    def move(self, key: tree.Symbol, name: str, rows: int, columns: int, words: frozenset[str] = frozenset()) -> None:
        """Let a letter be a function of the time, with rates; rows: 0 for a number."""
        time = self.know_time()
        rates = (name, f"the rate of {name}", f"the second rate of {name}")
        orders = [
            self.matrix(x, rows, columns, words) if rows else sympy.Matrix([self.letter(x, real=True)]) for x in rates
        ]
        self.moving |= set().union(*(x.free_symbols for x in orders))
        self.bindings.bind({key: orders[0] if rows else orders[0][0]})
        q, qd, qdd = (list(x) for x in orders)
        self.bindings.motion(q, qd, qdd, t=time)

    def know_time(self) -> sympy.Symbol:
        """Let t be the time, by which rates are taken, and return it."""
        time = self.look(TIME)
        if not isinstance(time, sympy.Symbol):
            time = self.letter("t", real=True)
            self.bindings.bind({TIME: time})
        self.bindings.motion([], t=time)
        return time

    def define(self, key: tree.Symbol, value: tree.Node) -> None:
        """Let a letter stand for an expression; letters in it of which nothing is said are real numbers that do not vary."""
        self.bindings.bind({key: self.value_of(value, key)})
        self.defined[key] = self.names_of(value)

    def names_of(self, value: tree.Node) -> frozenset[tree.Symbol]:
        """Return the letters in an expression, those of which rates stand in it as well."""
        return frozenset(replace(x, dots=0) for side in self.as_read(value) for x in conventions.symbols(side))

    def value_of(self, value: tree.Node, key: tree.Symbol) -> Any:
        """Return the value of what a letter stands for; raise ProofError where it is none, or holds the letter."""
        (value,) = self.as_read(value)
        if key in conventions.symbols(value):
            raise Unreadable("stands on both sides of its definition", of=key)
        if counted := [x.base for x in conventions.symbols(value) if x.base in self.numbers]:
            raise ProofError(f"a definition holds no letter that counts, such as {counted[0]}")
        self.let_be_numbers(value)
        statement = tree.Claims((tree.Chain((value,), ()),))
        self.refuse_rates_of_constants(statement, [{}])
        return Evaluation(self.bindings)(value)

    def as_read(self, *sides: tree.Node) -> tuple[tree.Node, ...]:
        r"""Return sides with \theta for \theta(t), and a letter for each other function with its arguments.

        Raise Unreadable at what is not read as it is printed.
        """
        sides = tuple(self.without_times(side) for side in sides)
        heads = conventions.function_heads(*sides) | self.functions
        known = frozenset(x for x in heads if x in self.functions or not self.speaks_of(x))
        sides = tuple(conventions.with_atoms(side, known) for side in sides)
        notations.refuse_indices_in_limits(*sides)
        sides = tuple(notations.with_brackets_as_letters(side) for side in sides)
        notations.refuse_what_varies_unseen(*sides, shown=self.defined)
        self.refuse_bound_letters(*sides)
        return sides

    def without_times(self, node: N) -> N:
        r"""Return a node in which functions of t stand without it; raise Unreadable at another time, as in q(t - \tau)."""

        def change(child: tree.Node) -> tree.Node:
            return self.without_times(child)

        node = conventions.map_children(node, change)
        if not isinstance(node, tree.Product):
            return node
        factors: list[tree.Node] = [node.factors[0]]
        for before, factor in itertools.pairwise(node.factors):
            head = conventions.undecorated(factors[-1])
            bracket = conventions.undecorated(factor)
            self.refuse_head_in_brackets(head, bracket)
            is_function = isinstance(head, tree.Symbol) and self.varies(head)
            if isinstance(conventions.undecorated(before), tree.Group):  # x(t)(t) is x t
                is_function = False
            if not (isinstance(bracket, tree.Group) and is_function):
                factors.append(factor)
            elif bracket.items == (TIME,):
                factors[-1] = conventions.with_body(factor, factors[-1])  # what stands above the brackets stays
            elif TIME in conventions.symbols(bracket) or is_one_number(bracket):
                raise Unreadable("is a function at another time than t, of which nothing can be declared", of=head)
            else:
                factors.append(factor)
        return factors[0] if len(factors) == 1 else replace(node, factors=tuple(factors))  # type: ignore[return-value]

    def refuse_head_in_brackets(self, head: tree.Node, behind: tree.Node) -> None:
        """Raise Unreadable at (q)(t) of a function of t: its value there, or a product."""
        if not (isinstance(head, tree.Group) and isinstance(behind, tree.Group) and len(head.items) == 1):
            return
        (letter,) = head.items
        if isinstance(letter, tree.Symbol) and self.varies(letter) and TIME in conventions.symbols(behind):
            raise Unreadable("is a function of t, or a factor: write it without brackets, or with \\cdot", of=head)

    def varies(self, *letters: tree.Node) -> bool:
        """Tell whether letters, or what they are rates of, depend on a state, or are an expression of the time."""
        plain = [replace(x, dots=0) if isinstance(x, tree.Symbol) else x for x in letters]
        timed = (x for x in conventions.symbols(*plain) if x != TIME)
        return bool(self.letters_of(*plain) & self.moving) or self.bindings.time in self.letters_of(*timed)

    def refuse_bound_letters(self, *sides: tree.Node) -> None:
        """Raise Unreadable where a sum, a limit, a bar or an integral gives values to a letter that is not free for that."""
        for node, variable in bound_letters(*sides):
            if variable == TIME and self.varies(node):
                raise Unreadable("gives t values, on which depends what is a function of t: that is not seen", of=node)
            value = self.look(variable)
            plain = isinstance(value, sympy.Symbol) and not (
                value.is_positive or value.is_negative or value.is_zero is False
            )
            if value is not None and (variable in self.defined or not plain or value.is_nonnegative):
                raise Unreadable(
                    "binds a letter that is declared as something else: take another letter there, or forget it before",
                    of=node,
                )
            if isinstance(node, tree.Big):
                self.refuse_counted(node, variable)

    def refuse_counted(self, node: tree.Big, index: tree.Node) -> None:
        """Raise Unreadable where a declared letter has the index of a sum, or is defined by it."""
        value = self.look(index)
        for letter in conventions.symbols(node.body):
            if letter == index or self.look(letter) is None:
                continue
            if node.index in letter.sub or (value is not None and value in self.letters_of(letter)):
                raise Unreadable("may be another one for each number of the sum: that cannot be declared", of=letter)

    def has_matrices(self, *sides: tree.Node) -> bool:
        """Tell whether a letter of sides is a vector or a matrix."""
        return any(isinstance(self.look(x), np.ndarray) for x in conventions.symbols(*sides))

    def cases(self, *letters: tree.Symbol) -> list[dict[str, int]]:
        """Return each {letter: number} of those letters that count; raise Unreadable where these are too many."""
        counting = [x for x in letters if x.base in self.numbers]
        total = np.prod([float(len(self.numbers[x.base])) for x in counting])
        if total > MOST_CASES:
            raise Unreadable(
                f"and others that count make {total:.0f} cases, at most {MOST_CASES} are tried", of=counting[0]
            )
        return index_values({x.base: self.numbers[x.base] for x in counting})

    def let_be_numbers(self, *sides: tree.Node) -> dict[tree.Symbol, Any]:
        """Let the letters of sides of which nothing is said be real numbers, and return these."""
        counted = {x.index for side in sides for x in tree.walk(side) if isinstance(x, tree.Big)}
        usual = {x: value for x, value in conventions.constants(*sides)[0].items() if not self.speaks_of(x)}
        known = {*usual, *KNOWN, *map(tree.Symbol, counted)}
        new = [x for x in conventions.symbols(*sides) if x not in known and self.look(x) is None]
        self.refuse_undeclared(new, {*counted, *self.numbers}, *sides)
        refuse_no_letters(*sides)
        self.refuse_hidden_variables(*sides)
        free = {x: self.letter(x.base, real=True) for x in new}
        self.bindings.bind({**free, **usual})
        self.implied |= {*free}
        refuse_opaque_values(self, *sides)
        return free

    def refuse_marked_numbers(self, *sides: tree.Node) -> None:
        """Raise Unreadable where a letter of which a definition says that it is a number is transposed or the like."""
        marked = marked_letters(*sides)
        if letter := next((x for x in conventions.symbols(*sides) if x in marked and x in self.implied), None):
            raise Unreadable(
                "is a number in a definition, here a vector or a matrix: declare it before that, or forget it",
                of=letter,
            )

    def refuse_undeclared(self, letters: list[tree.Symbol], counts: set[str], *sides: tree.Node) -> None:
        """Raise Unreadable at letters that may be more than one number; counts: letters that are indices."""
        matrices = self.has_matrices(*sides)
        marked = marked_letters(*sides)
        for letter in letters:
            if letter in self.functions:
                raise Unreadable("is declared with its arguments: declare it without them, too", of=letter)
            if counts & {*letter.sub}:
                raise Unreadable("has an index that counts: so many letters cannot be declared", of=letter)
            if letter.dots:
                raise Unreadable("is a rate: declare what it is the rate of as a function of t", of=letter)
            if conventions.is_vector(letter) or letter in marked:
                raise Unreadable("stands where vectors and matrices do: declare its size", of=letter)
            if matrices and (conventions.is_capital(letter) or letter.accents):
                raise Unreadable("may be a matrix, as others are beside it: declare what it is", of=letter)
            if letter.primes:
                raise Unreadable("may be a transpose, a rate or another letter: declare what it is", of=letter)
            if letter.style in ("mathbb", "cal"):
                raise Unreadable("may act on what stands behind it: declare what it is", of=letter)
        self.refuse_heads(letters, *sides)

    def refuse_heads(self, letters: list[tree.Symbol], *sides: tree.Node) -> None:
        r"""Raise Unreadable at dx, d(xy) and \Delta(xy) of letters of which nothing is said, and at V(x + a) where V is defined."""
        for product in (x for side in sides for x in tree.walk(side) if isinstance(x, tree.Product)):
            for head, behind in itertools.pairwise(product.factors):
                letter = conventions.undecorated(head)
                bracket = conventions.undecorated(behind)
                if (
                    letter in letters
                    and isinstance(letter, tree.Symbol)
                    and letter.base in ("d", "D", r"\Delta", r"\delta")
                ):
                    raise Unreadable("may be a differential of what stands behind it: declare what it is", of=letter)
                function = letter in self.defined and bool(self.letters_of(letter))  # no number is one
                if function and isinstance(bracket, tree.Group) and bracket.bracket == "(":
                    raise Unreadable(
                        "may be a function of what stands in brackets: write a product with \\cdot", of=letter
                    )

    def refuse_hidden_variables(self, *sides: tree.Node) -> None:
        """Raise Unreadable where a derivative or an integral acts on what its letter stands neither in nor behind."""
        for node in (x for side in sides for x in tree.walk(side)):
            if not isinstance(node, tree.Derivative | tree.Integral):
                continue
            variables = [node.variable] if isinstance(node, tree.Integral) else [x for x, _ in node.variables]
            for variable in variables:
                if variable == TIME and isinstance(node, tree.Derivative) and node.kind == "d":
                    continue
                behind = self.letters_of(variable) & self.letters_of(node.body)
                if variable not in conventions.symbols(node.body) and not behind:
                    raise Unreadable("acts on what does not show its letter: declare what that stands for", of=node)

    def refuse_rates_of_constants(self, claims: tree.Claims, cases: list[dict[str, int]]) -> None:
        """Raise Unreadable at a rate of what nobody said to vary, which would be zero, or of an input of a law of motion."""
        refuse_rates_of_inputs(claims, cases, self.bindings, self.inputs - self.constants)
        seen = self.bindings.copy()  # a letter in the expression of a law does not vary for that
        seen.rates = {x: rate if isinstance(rate, sympy.Symbol) else sympy.Dummy() for x, rate in seen.rates.items()}
        try:
            refuse_still_rates(claims, [(seen, case) for case in cases])
        except NotDecided:
            raise
        except ProofError as error:
            sentence = "is a rate: declare as functions of t the letters that vary"
            raise Unreadable(sentence, of=next(x for x in tree.walk(claims) if x.span == error.span)) from None

    def size(self, side: tree.Node, indices: dict[str, int]) -> tuple[int, ...]:
        """Return the size of a side, () of a number, and of what fits any size."""
        value = Evaluation(self.bindings, Branches(), indices=indices)(side)  # whichever case it is
        return value.shape if isinstance(value, np.ndarray) and value.size > 1 else ()

    def letters_of(self, *sides: tree.Node) -> frozenset[sympy.Symbol]:
        """Return the letters of SymPy on which what stands in sides depends."""
        found: set[sympy.Symbol] = set()
        for letter in conventions.symbols(*sides):
            value = self.look(letter)
            found |= (
                sympy.Matrix(np.atleast_2d(value)).free_symbols
                if isinstance(value, np.ndarray | sympy.Basic)
                else set()
            )
        return frozenset(found)

    def depends_on(self, side: tree.Node, indices: dict[str, int]) -> frozenset[sympy.Symbol]:
        """Return the letters of SymPy that the value of a side holds, of its letters where it has none in symbols."""
        try:
            value = Evaluation(self.bindings, indices=indices)(side)
            return frozenset(sympy.Matrix(np.atleast_2d(value)).free_symbols)
        except conventions.FAILURES:
            return self.letters_of(side)

    def unexplained_letters(
        self, left: tree.Node, right: tree.Node, indices: dict[str, int], first: bool
    ) -> list[tree.Symbol]:
        """Return the letters that one side alone depends on, where a step that does not hold may be a law or to be solved.

        As where nothing is declared: the first step of a chain, or one with rates on one side alone. What is defined by an
        expression claims to be equal to that, unless a rate or a state is what the sides do not share.
        """
        one = self.depends_on(left, indices)
        other = self.depends_on(right, indices)
        alone = one ^ other
        if not alone:
            return []
        letters = conventions.symbols(left, right)
        if values := self.implied_values(letters, alone):
            return values
        claims = not alone & self.moving and bool(one) and bool(other) and (one <= other or other <= one)
        if claims and (not first or any(x in self.defined for x in letters)):
            return []
        return [x for x in letters if self.letters_of(x) & alone] or letters

    def implied_values(self, letters: Sequence[tree.Symbol], alone: frozenset[sympy.Symbol]) -> list[tree.Symbol]:
        """Return the values of functions, as f(-x) beside f(x) = x^2, that hold one of alone."""
        return [x for x in letters if x in self.implied and " of " in x.base and self.letters_of(x) & alone]

    def may_be_complex(self, *sides: tree.Node) -> tree.Symbol | None:
        """Return the i or j on which sides depend, of which nothing is said: it may be the root of -1. None without one."""
        held = self.letters_of(*sides)
        return next((x for x in ROOTS if x in self.implied and self.look(x) in held), None)
