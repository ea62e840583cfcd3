"""Subscripts: their pieces, what remains a name and what counts: l_{c1}, M_{kj}, q_{i+1}, mu_{max(z, k)}, s_{z-k}."""

import re
from collections.abc import Callable, Sequence

from eqproof.errors import Unreadable

Indices = dict[str, int]  # the values of free indices
IndexOf = Callable[
    [str], int | None
]  # gives the number that a piece of a subscript stands for, None of what is no index

PIECE = re.compile(r"\s*(\\(?:mathrm|text|mathbf|boldsymbol)\s*\{([^{}]*)\}|\\[a-zA-Z]+|[0-9a-zA-Z*,|+\-()/]|[_{}\s])")


def pieces(text: str, start: int = 0) -> tuple[str, ...]:
    """Return the pieces of a subscript as written, _{c1} -> ("c", "1"); braces and deeper subscripts are laid flat."""
    found: list[str] = []
    position = 1
    while position < len(text):
        match = PIECE.match(text, position)
        if not match:
            raise Unreadable(f"{text[position]!r} is not read in a subscript", place=start + position)
        word = match.group(2) if match.group(2) is not None else match.group(1)
        word = "|" if word == r"\mid" else word
        if found and found[-1] in ("+", "-") and word in ("+", "-", "("):
            raise Unreadable("a sign in an index must stand in front of a letter or a number", place=start + position)
        if word.strip() and word not in ("_", "{", "}"):
            found.append(word.strip())
        position = match.end()
    for sign, behind in zip(found[1:], [*found[2:], ")"]):  # x_+ is a name
        if sign in ("+", "-") and behind in (")", ","):
            raise Unreadable("a sign in an index must stand in front of a letter or a number", place=start)
    return tuple(found)


def signed_indices(found: Sequence[str], value_of: IndexOf) -> list[list[tuple[int, int]]] | None:
    """Return the indices in pieces of a subscript as lists of (sign, index), None if a piece is no index.

    Neighbors are indices of their own, ("k", "j"); a sign joins one with the one before, ("i", "+", "1").
    """
    rows: list[list[tuple[int, int]]] = []
    sign, i = 1, 0
    join = False
    while i < len(found):
        piece = found[i]
        if piece in (r"\max", r"\min") and found[i + 1 : i + 2] == ("(",) and ")" in found[i:]:
            end = found.index(")", i)
            inner = index_numbers(found[i + 2 : end], value_of)
            if not inner:
                return None
            index = (max if piece == r"\max" else min)(inner)
            i = end
        elif piece in ("+", "-"):
            sign = 1 if piece == "+" else -1
            join = True
            i = i + 1
            continue
        elif piece in ("(", ")", ",", "|"):
            i += 1
            continue
        else:
            known = int(piece) if piece.isdigit() else value_of(piece)
            if known is None:
                return None
            index = known
        if join and rows:
            rows[-1].append((sign, index))
        else:
            rows.append([(sign, index)])
        sign = 1
        join = False
        i = i + 1
    return rows


def index_numbers(found: Sequence[str], value_of: IndexOf, rank: int | None = None) -> list[int] | None:
    """Return the indices in pieces of a subscript as integers, None if a piece is no index or their number is not rank."""
    rows = signed_indices(found, value_of)
    if rows is None:
        return None
    numbers = [sum(sign * index for sign, index in row) for row in rows]
    if rank == 1 and len(numbers) > 1 and all(piece.isdigit() for piece in found):
        numbers = [int("".join(found))]
    return numbers if rank is None or len(numbers) == rank else None


def fill_indices(found: Sequence[str], value_of: IndexOf) -> tuple[str, ...]:
    """Return the pieces with each index letter replaced by its number: ("c", "i") -> ("c", "2")."""
    filled_in: list[str] = []
    for piece in found:
        index = None if piece.isdigit() else value_of(piece)
        filled_in += [piece] if index is None else list(str(index))
    return tuple(filled_in)
