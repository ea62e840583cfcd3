r"""Letters that may act on what stands behind them, and letters whose order may matter: d, \mathbb E, \mathcal L, \hat p, [A, B].

A step that holds for numbers is proven only if it also holds where each such operator with what stands behind it is a letter of
its own, and where letters that may not commute are matrices.
"""

import itertools
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import sympy

from eqproof import conventions, tree
from eqproof.conventions import N, map_children, symbols, undecorated

ACTING = ("d", r"\Delta", r"\delta", "D")
RANDOM_VARIABLES = ("X", "Y", "Z")
ESTIMATES = (r"\beta", r"\theta", r"\mu", r"\alpha", r"\lambda", r"\tau", r"\epsilon", r"\varepsilon", r"\eta", "y")
WAVES = (r"\psi", r"\Psi")
OF_A_WAVE = ("i", "j", "E", "m", "k", "n", "c", "e", r"\hbar", r"\omega", r"\alpha", r"\beta", r"\lambda", r"\pi")
TRIPLES = {r"\sigma": "xyz123", r"\tau": "xyz", "L": "xyz", "S": "xyz", "J": "xyz", r"\gamma": "0123"}
EXPONENTS = ({"A", "B"}, {"X", "Y"}, {"H", "V"})  # of e, where they may be matrices
INDICES = (r"\mu", r"\nu", r"\rho")
ABOVE = (*map(tree.Symbol, "xyz"), *map(tree.Number, "01"))  # on \sigma and \gamma: no power is printed like this
QUATERNIONS = {tree.Symbol(x) for x in "ijk"}


@dataclass(frozen=True)
class Order:
    """What a whole display tells of the order of its letters: those in a commutator, and whether matrices stand in it."""

    letters: frozenset[tree.Symbol] = field(default_factory=frozenset)
    matrices: bool = False


def order_in(claims: tree.Claims) -> Order:
    r"""Return what a display tells of the order of its letters: [A, B] and \{A, B\} are of operators, a transpose of a matrix."""
    found = rotation_matrices(symbols(*claims.chains)) | in_commutators(claims)
    sides = [side for chain in claims.chains for side in chain.sides]
    transposed = any(isinstance(x, tree.Mark) and x.kind in ("T", "-T") and symbols(x.body) for x in tree.walk(claims))
    shifted = any(is_shifted_identity(x) for x in tree.walk(claims))
    return Order(frozenset(found), bool(transposed) or shifted or any(x.style == "bold" for x in symbols(*sides)))


def in_commutators(claims: tree.Claims) -> set[tree.Symbol]:
    r"""Return the letters in [A, B] and \{A, B\} that are no sets."""
    found: set[tree.Symbol] = set()
    sets = [x for chain in claims.chains for x, kind in zip(chain.sides[1:], chain.relations) if kind == r"\in"]
    for node in tree.walk(claims):
        if isinstance(node, tree.Group) and node.bracket in "[{" and len(node.items) == 2 and node not in sets:
            found |= {*symbols(node)}
    return found


def is_shifted_identity(node: tree.Node) -> bool:
    r"""Tell whether a node is \lambda I or the like, as in A - \lambda I."""
    if not isinstance(node, tree.Product) or len(node.factors) != 2 or node.factors[1] != tree.Symbol("I"):
        return False
    return isinstance(node.factors[0], tree.Symbol) and node.factors[0].base in (r"\lambda", r"\mu", "s", "z")


def rotation_matrices(letters: list[tree.Symbol]) -> set[tree.Symbol]:
    r"""Return the letters of matrices that turn about axes, R_x and R_z, where there are two, and the \mathrm{ad} of a Lie algebra."""
    turns = {x for x in letters if x.base in ("R", r"\mathrm{Rot}", "Rot") and len(x.sub) == 1 and x.sub[0] in "xyz"}
    adjoint = any(x.base in ("ad", "Ad") for x in letters)
    return {*letters} if adjoint else turns if len(turns) > 1 else set()


def may_act(head: tree.Node, behind: tree.Node) -> bool:
    r"""Tell whether a factor may be an operator on the one behind it: d x, \mathbb E X, \mathcal L f, \mathrm{Var} X."""
    letter = undecorated(head)
    if not isinstance(letter, tree.Symbol) or letter.accents or letter.dots:
        return False
    if letter.base in ACTING and not letter.prefix and (not letter.sub or letter.base == "D"):
        return True
    if letter.style in ("mathbb", "cal"):
        return True
    if letter.base == conventions.EXPECTATION:
        return any(x.base in RANDOM_VARIABLES for x in symbols(behind))
    return len(letter.base) > 1 and letter.base.isalpha()


def operator_letters(*sides: tree.Node) -> frozenset[tree.Symbol]:
    """Return the letters that may be operators: in front of something wherever they stand, unless in blackboard bold."""
    heads: set[tree.Symbol] = set()
    lone: set[tree.Symbol] = set()

    def visit(node: tree.Node) -> None:
        if isinstance(node, tree.Symbol):
            lone.add(node)
            return
        factors = node.factors if isinstance(node, tree.Product) else ()
        for head, behind in itertools.pairwise(factors):
            letter = undecorated(head)
            if isinstance(letter, tree.Symbol) and may_act(head, behind):
                heads.add(letter)
            else:
                visit(head)
        for child in factors[-1:] or tree.children(node):
            visit(child)

    for side in sides:
        visit(side)
    return frozenset(x for x in heads if x not in lone or x.style == "mathbb")


def as_letters(node: N, heads: frozenset[tree.Symbol], far: bool = False) -> N:
    r"""Return a node in which each operator with the factor behind it, and what stands between norm bars, is one letter.

    far: operators such as \mathbb E take all that stands behind them.
    """

    def change(child: tree.Node) -> tree.Node:
        return as_letters(child, heads, far)

    if isinstance(node, tree.Bars) and node.kind == "norm":
        return tree.Symbol(f"norm of {node.body!r}", span=node.span)  # type: ignore[return-value]
    if not isinstance(node, tree.Product):
        return map_children(node, change)
    rest = list(node.factors)
    factors = list[tree.Node]()
    while rest:
        head = rest.pop(0)
        if rest and undecorated(head) in heads:
            reaches = far and undecorated(head) not in {tree.Symbol(x) for x in ACTING}
            behind, rest = (tuple(rest), []) if reaches else (tuple(rest[:1]), rest[1:])
            factors.append(tree.Symbol(f"{head!r} of {behind!r}", span=(head.span[0], behind[-1].span[1])))
        else:
            factors.append(change(head))
    return factors[0] if len(factors) == 1 else replace(node, factors=tuple(factors))  # type: ignore[return-value]


def norms(*sides: tree.Node) -> list[tree.Node]:
    """Return what stands between norm bars, but for columns that are printed with numbers as entries."""
    nodes = [x for side in sides for x in tree.walk(side) if isinstance(x, tree.Bars) and x.kind == "norm"]
    return [x for x in nodes if not conventions.lists_numbers(x.body)]


def without_order(left: tree.Node, right: tree.Node, order: Order) -> list[tree.Symbol]:
    """Return the letters of a step that may be operators or matrices, of which the order matters, in their order."""
    letters = symbols(left, right)
    divided = {*symbols(*denominators(left), *denominators(right))}
    found = may_be_operators(letters) | letters_told_not_to_commute(letters, order)
    if found and any(x.base in WAVES for x in letters):
        found |= {x for x in letters if x.base not in OF_A_WAVE}
    if order.matrices or has_adjoints(left, right):
        found |= {x for x in letters if conventions.is_capital(x) and x.base != "T"}
    found |= frame_matrices(letters) | capitals_with_and_without_prime(letters) | in_exponents(left, right)
    return [x for x in letters if x in found - divided]


def has_adjoints(*sides: tree.Node) -> bool:
    """Tell whether the adjoint or the pseudoinverse of a capital stands in sides."""
    return any(is_adjoint(x) for side in sides for x in tree.walk(side))


def is_adjoint(node: tree.Node) -> bool:
    """Tell whether a node is A^H, A^* or A^+ of a capital: an adjoint or a pseudoinverse, unless a power or a conjugate."""
    if isinstance(node, tree.Symbol):
        return node.sup == "+" and conventions.is_capital(node)
    body = node.base if isinstance(node, tree.Power) else node.body if isinstance(node, tree.Mark) else None
    if not isinstance(body, tree.Symbol) or not conventions.is_capital(body):
        return False
    return node.exponent == tree.Symbol("H") if isinstance(node, tree.Power) else getattr(node, "kind", "") == "star"


def in_exponents(left: tree.Node, right: tree.Node) -> set[tree.Symbol]:
    """Return the letters of a step that have the names of capitals which stand in an exponent of e together."""
    bases = set[str]().union(*paired_capitals(left, right))
    return {x for x in symbols(left, right) if x.base in bases}


def may_be_operators(letters: list[tree.Symbol]) -> set[tree.Symbol]:
    """Return the letters that look like operators or matrices by themselves: hats, quaternions, spins, capitals without serifs."""
    if (others := {*letters} - {tree.Symbol(r"\pi")}) <= QUATERNIONS:
        return others
    hats = {x for x in letters if {"hat", "check"} & {*x.accents} and x.base not in ESTIMATES}
    return hats | in_triples(letters) | {x for x in letters if x.style == "sans" and conventions.is_capital(x)}


def letters_told_not_to_commute(letters: list[tree.Symbol], order: Order) -> set[tree.Symbol]:
    """Return those of some letters of which a display tells that their order matters, and their values as functions."""
    return {x for x in letters if x in order.letters or is_value_of(x, order.letters)}


def is_value_of(letter: tree.Symbol, heads: frozenset[tree.Symbol]) -> bool:
    """Tell whether a letter stands for a function with its arguments, the function one of those given: R_x(a) for R_x."""
    return any(letter.base.startswith(f"{head!r} of ") for head in heads)


def frame_matrices(letters: list[tree.Symbol]) -> set[tree.Symbol]:
    """Return the capitals that may be matrices between frames, ^0 T_1 and T_{AB}, if there are several of them."""
    capitals = [x for x in letters if conventions.is_capital(x)]
    raised = {x for x in capitals if x.pre}
    pairs = {x for x in capitals if len(x.sub) == 2 and all(i.isalpha() and i.isupper() for i in x.sub)}
    return {x for found in (raised, pairs) if len(found) > 1 for x in found}


def capitals_with_and_without_prime(letters: list[tree.Symbol]) -> set[tree.Symbol]:
    """Return the capitals of a step in which some stand with a prime and some without: X' may be the transpose of X."""
    capitals = {x for x in letters if conventions.is_capital(x)}
    return capitals if {x.primes for x in capitals} >= {0, 1} else set()


def in_triples(letters: list[tree.Symbol]) -> set[tree.Symbol]:
    r"""Return the letters that may be spin matrices or angular momenta, \sigma_x \sigma_y, where two of a name stand in a step."""
    found = [x for x in letters if x.base in TRIPLES and len(x.sub) == 1 and x.sub[0] in TRIPLES[x.base]]
    names = [x.base for x in found]
    return {x for x in found if names.count(x.base) > 1}


def paired_capitals(*sides: tree.Node) -> list[set[str]]:
    """Return the pairs of capitals that stand in an exponent of e together, where they may be matrices."""
    found = []
    for node in (x for side in sides for x in tree.walk(side)):
        argument = node.exponent if isinstance(node, tree.Power) and node.base == tree.Symbol("e") else None
        argument = node if isinstance(node, tree.Call) and node.name == "exp" else argument
        bases = {x.base for x in symbols(argument)} if argument is not None else set()
        found += [pair for pair in EXPONENTS if pair <= bases]
    return found


def denominators(node: tree.Node) -> list[tree.Node]:
    """Return what a node divides by: no operator."""
    found: list[tree.Node] = []
    for x in tree.walk(node):
        if isinstance(x, tree.Fraction):
            found.append(x.below)
        elif isinstance(x, tree.Binary) and x.operator == "slash":
            found.append(x.right)
    return found


def has_indices_above(*sides: tree.Node) -> tree.Node | None:
    r"""Return the first power that may be an index, as \gamma^\mu, \gamma^0 and \sigma^x are; None without one."""
    for node in (x for side in sides for x in tree.walk(side) if isinstance(x, tree.Power)):
        matrix = isinstance(node.base, tree.Symbol) and node.base.base in (r"\sigma", r"\gamma")
        if node.exponent in [tree.Symbol(x) for x in INDICES] or (matrix and node.exponent in ABOVE):
            return node
    return None


def table_of_order(letters: list[tree.Symbol], ordered: list[tree.Symbol], size: int) -> dict[tree.Symbol, Any]:
    """Return {letter: a square matrix of free entries for those of which the order may matter, else a number}."""
    table: dict[tree.Symbol, Any] = {}
    for i, letter in enumerate(x for x in letters if x.base != r"\pi"):
        entries = [[sympy.Symbol(f"letter {i} {j} {k}", real=True) for k in range(size)] for j in range(size)]
        number = sympy.Symbol(f"letter {i}", real=True)
        table[letter] = np.array(entries, dtype=object) if letter in ordered else number
    return table
