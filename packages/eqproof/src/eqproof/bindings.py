r"""What the symbols of an equation stand for: a table from LaTeX to quantities, and how a written symbol is found in it.

A key is LaTeX, in any spelling: r"\boldsymbol{M}" and r"\boldsymbol M" are one. A value is an expression or matrix of
SymPy, a number, or one of

- r"l_*": [l1, l2] or a function of the index, from 1 on; r"\tilde M_{**}": a function of two: a family, for m_i and
  \tilde M_{zk}; family(n, function) answers from 1 to n only, family(n, function, first=0) from 0 on;
- r"\boldsymbol 1": a function (of what stands in brackets behind it);
- field(M, *q): a quantity that may be printed with its arguments, M(q): without this, brackets mean a product;
- abbreviation(sympy.sin, q), as r"s": s_2, s_{12} and s_{z-k} are the sine of q_2, q_1 + q_2 and q_z - q_k;
- measure([...]), as r"dm": the particles over which an integral without bounds runs.

Entries need no binding: M_{kj} is looked for in \boldsymbol M, q_i in \boldsymbol q, \tau_{f,i} in \boldsymbol\tau_f.
Rates need none either: \dot X is d/dt of X by the chain rule, after motion(q, qd, qdd) said what the state is.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import sympy

from eqproof.errors import ProofError, Unreadable
from eqproof.parser import parse_expression
from eqproof.quantities import Abbreviation, Family, Field, Members, Quantity, call_of_author, slope, value_of
from eqproof.subscripts import IndexOf, Indices, fill_indices, index_numbers, signed_indices
from eqproof.tree import Node, Power, Product, Symbol


def key_of(text: str) -> Node:
    """Return the node that a key of a table names; Q^{nc} is a name, too."""
    node = parse_expression(text)
    named = label_of(node)
    if isinstance(node, Product) and node.factors[0] == Symbol("d") and len(node.factors) == 2:
        _, letter = node.factors
        if isinstance(letter, Symbol):
            return Symbol("d" + letter.base)  # dm, the measure of an integral
    return named if named is not None else node


def label_of(node: Node) -> Symbol | None:
    """Return the symbol whose name includes its superscript letters, None if a node is nothing of that kind."""
    if not (isinstance(node, Power) and isinstance(node.base, Symbol)):
        return None
    letters = node.exponent.factors if isinstance(node.exponent, Product) else (node.exponent,)
    bases = [x.base for x in letters if isinstance(x, Symbol) and not x.sub]
    return replace(node.base, sup="".join(bases), span=node.span) if len(bases) == len(letters) else None


Row = Iterable[sympy.Expr]  # a symbol or an expression for each coordinate


class Bindings:
    """A table of what symbols stand for, and the rates of the state."""

    def __init__(self, table: "dict[Any, Any] | None" = None) -> None:
        self.values: dict[Node, Quantity] = {}
        self.families: dict[Symbol, Abbreviation | Family] = {}
        self.spelled: dict[Node, str | None] = {}
        self.given: dict[Node, Any] = {}
        self.rates: dict[sympy.Basic, sympy.Expr] = {}
        self.time: sympy.Symbol | None = None
        self.state: set[sympy.Basic] | None = None  # what varies in a motion; None: no motion tells it
        self.bind(table or {})

    def copy(self) -> "Bindings":
        """Return a table that can be added to without changing this one."""
        return Bindings().merge(self)

    def bind(self, table: dict[Any, Any]) -> "Bindings":
        """Add bindings; a later one for the same symbol replaces the earlier."""
        for text, value in table.items():
            key = text if isinstance(text, Node) else key_of(text)
            self.spelled[key], self.given[key] = text if isinstance(text, str) else None, value
            if getattr(key, "dots", 0) and isinstance(value, sympy.Expr):
                has_both_signs(text, value)
            if isinstance(key, Symbol) and "*" in key.sub:
                self._add_family(key, value)
            elif isinstance(key, Symbol) and isinstance(value, Abbreviation | Family):
                self._take_family(key, value)
            else:
                self.values[key] = value_of(value)
        return self

    def merge(self, other: "Bindings") -> "Bindings":
        """Add all that another table holds."""
        self.values.update(other.values)
        for key, family in other.families.items():
            self._take_family(key, family)
        self.spelled.update(other.spelled)
        self.given.update(other.given)
        self.rates.update(other.rates)
        self.time = other.time if other.time is not None else self.time
        self.state = self.state if other.state is None else (self.state or set()) | other.state
        return self

    def _add_family(self, key: Symbol, value: Any) -> None:
        """Add a family; its key has a star for each index, at the end."""
        names = tuple(piece for piece in key.sub if piece not in ("*", ","))
        rank = key.sub.count("*")
        if key.sub[: len(names)] != names:
            raise Unreadable("the stars of a family must come last in its key")
        if not callable(value):
            items = value_of(value)
            value = lambda *at: items[tuple(i - 1 for i in at)] if rank > 1 else items[at[0] - 1, 0]
            value = in_range(value, items.shape)
        elif not isinstance(value, Members):
            value = Members(value, sys.maxsize, 1)
        self._take_family(replace(key, sub=names), Family(rank, value))

    def _take_family(self, key: Symbol, family: Abbreviation | Family) -> None:
        """Add a family or an abbreviation; one does not take the place of the other: what would c_{12} be?"""
        if isinstance(family, Abbreviation) != isinstance(self.families.get(key, family), Abbreviation):
            raise ProofError(f"{key.base} is bound as an abbreviation and as a family: begin with an empty table")
        self.families[key] = family

    def motion(
        self, q: Row, qd: Row | None = None, qdd: Row | None = None, t: sympy.Symbol | None = None
    ) -> "Bindings":
        """Declare the state: dq/dt = qd and dqd/dt = qdd, each a list of symbols (the last may hold expressions)."""
        rows = [list(row) for row in (q, qd, qdd) if row is not None]
        for rate in (x for row in rows[1:] for x in row if isinstance(x, sympy.Symbol)):
            has_both_signs(rate, rate)
        for low, high in pairwise(rows):
            self.rates.update(zip(low, high))
        self.time = t if t is not None else self.time
        self.state = (self.state or set()).union(*rows, [] if t is None else [t])
        return self

    def rate(self, x: sympy.Expr) -> sympy.Expr:
        """Return dx/dt of a SymPy expression."""
        total = slope(x, self.time) if self.time is not None else sympy.S.Zero
        for symbol in sorted(x.free_symbols, key=str):
            if symbol in self.rates:
                total += slope(x, symbol) * self.rates[symbol]
            elif symbol in self.rates.values():
                total += slope(x, symbol) * sympy.Symbol(f"d/dt {symbol}", real=True)
        return total

    def integer(self, piece: str, indices: Indices) -> int | None:
        """Return the number that a letter of a subscript stands for, None if it is no index."""
        if piece in indices:
            return indices[piece]
        value = self.values.get(Symbol(piece))
        return int(value) if isinstance(value, sympy.Integer) else None

    def find(self, symbol: Symbol, indices: Indices) -> Quantity | None:
        """Return what a symbol is bound to, given the indices {letter: number}; None if it is not bound."""
        number = lambda piece: self.integer(piece, indices)
        if symbol in self.values:
            return self.values[symbol]
        if symbol.sub:
            literal = replace(symbol, sub=fill_indices(symbol.sub, number))
            if literal in self.values:
                return self.values[literal]
            return self._indexed(symbol, indices, number)
        return None

    def _indexed(self, symbol: Symbol, indices: Indices, number: IndexOf) -> Quantity | None:
        """Return the member of a family, the abbreviation or the entry that a symbol with a subscript is, or None."""
        found = []
        errors = []
        for k in range(len(symbol.sub) - 1, -1, -1):
            prefix = self._without_comma(symbol.sub[:k])
            suffix = symbol.sub[k:]
            family = replace(symbol, sub=fill_indices(prefix, number))
            bold = replace(symbol, sub=prefix, style="bold")
            readings = [partial(self._member, family, suffix, number)]
            if not symbol.style:
                readings.append(partial(self._entry, bold, suffix, indices, number))
            for reading in readings:
                try:
                    found.append(reading())
                except ProofError as error:
                    errors.append(error)
        found = [value for value in found if value is not None]
        if not found and errors:
            raise errors[0]
        if any(not same(found[0], value) for value in found[1:]):
            raise ProofError("can be read in two ways, as an entry and as a family: bind it by itself", of=symbol)
        return found[0] if found else None

    @staticmethod
    def _without_comma(prefix: tuple[str, ...]) -> tuple[str, ...]:
        """Return the pieces of a name that a comma parts from the index."""
        return prefix[:-1] if prefix[-1:] == (",",) else prefix

    def _member(self, key: Symbol, suffix: tuple[str, ...], number: IndexOf) -> Quantity | None:
        """Return a member of a family, or None."""
        family = self.families.get(key)
        if isinstance(family, Abbreviation):
            rows = signed_indices(suffix, number)
            if not rows:
                return None
            inside = [pair for row in rows for pair in row]
            if all(piece.isdigit() for piece in suffix) and 9 < int("".join(suffix)) <= len(family.angles):
                raise ProofError(f"its subscript can be read as {', '.join(suffix)} and as {''.join(suffix)}")
            if any(not 0 < index <= len(family.angles) for _, index in inside):
                return None
            if all(piece.isdigit() for piece in suffix) and list(suffix) != sorted({*suffix}):
                raise ProofError(f"the numbers of its angles must rise, got {', '.join(suffix)}")
            return family.function(sum(sign * family.angles[index - 1] for sign, index in inside))
        if isinstance(family, Family):
            numbers = index_numbers(suffix, number, family.rank)
            return None if numbers is None else value_of(call_of_author(family.member, *numbers))
        return None

    def _entry(self, bold: Symbol, suffix: tuple[str, ...], indices: Indices, number: IndexOf) -> Quantity | None:
        """Return the entry of the vector or matrix that is bound in bold, or None."""
        numbers = index_numbers(suffix, number)
        if not numbers:
            return None
        whole = self.find(bold, indices)
        if isinstance(whole, Field):
            part = self._part(whole.value, numbers)
            return None if part is None else Field(part, whole.arguments)
        return self._part(whole, numbers)

    @staticmethod
    def _part(whole: Quantity, numbers: Sequence[int]) -> Quantity | None:
        """Return the entry of a vector or matrix, None if it is neither."""
        if not isinstance(whole, np.ndarray):
            return None
        place = (numbers[0], 1) if len(numbers) == 1 and whole.shape[1] == 1 else tuple(numbers)
        if len(place) != 2 or not all(0 < i <= size for i, size in zip(place, whole.shape)):
            raise ProofError(f"{numbers} is no place in a matrix of {whole.shape[0]} x {whole.shape[1]}")
        return whole[place[0] - 1, place[1] - 1]

    def like(self, symbol: Symbol) -> list[str]:
        """Return the keys, as they were written, of symbols with the same letter."""
        return sorted(text for key, text in self.spelled.items() if text and getattr(key, "base", None) == symbol.base)


def has_both_signs(rate: object, value: sympy.Expr) -> None:
    """Raise ProofError where a rate is bound to what is never negative: |v| in the place of v would not be seen."""
    if value.is_nonnegative and not value.is_number:
        raise ProofError(
            f"{rate} is a rate, which has both signs, and is bound to what is never negative: say real=True"
        )


def same(a: Quantity, b: Quantity) -> bool:
    """Tell whether two bound values are equal."""
    a, b = (x.value if isinstance(x, Field) else x for x in (a, b))
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.array_equal(a, b)
    return a is b or bool(a == b)


def in_range(member: Callable[..., Any], shape: tuple[int, ...]) -> Callable[..., Any]:
    """Return a member function that names an index which the list has not."""

    def checked(*at: int) -> Any:
        if not all(0 < i <= size for i, size in zip(at, shape)):
            raise ProofError(f"the index {', '.join(map(str, at))} is outside of the list that is bound, of {shape[0]}")
        return member(*at)

    return checked
