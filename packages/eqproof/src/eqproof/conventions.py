r"""What letters usually mean where nobody says it: f(x) and E[X], the e of e^x, i and j, transposes, vectors in bold.

A step is compared under these readings one after the other. That it holds under one that can be meant is told with the reading;
that it fails is told only where no usual reading could save it.
"""

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import sympy

from eqproof import algebra, tree
from eqproof.bindings import Bindings
from eqproof.calculus import KNOWN, NAMES, SPECIAL
from eqproof.errors import ProofError
from eqproof.evaluate import Evaluation
from eqproof.exact import FinerAngleNeeded, Inexact

N = TypeVar("N", bound=tree.Node)
map_children = tree.map_children
EXPECTATION = "E"  # takes its argument in any bracket
FUNCTIONS = ("f", r"\Gamma", r"\zeta")  # of whatever stands in round brackets behind them
OPERATORS = ("d", r"\Delta", r"\delta", "D")  # acts on what follows, perhaps
NO_LETTERS = {  # why a step with it is not compared; \infty but in limits
    r"\nabla": "an operator: what it acts on cannot be declared, write its entries",
    r"\partial": "an operator: what it acts on cannot be declared, write a fraction",
    r"\infty": "no number: what goes to it, a sum or an integral, is not computed",
}
WHOLE_PARTS = {"floor": sympy.floor, "ceil": sympy.ceiling, "gcd": sympy.gcd, "lcm": sympy.lcm}  # of numbers alone
OF_MATRICES = ("det", "tr", "trace", "rank", "diag")
IDENTITY = ", I the identity"  # behind the words of a reading
ONE = tree.Symbol("1", "bold")  # the identity of any size
IDENTITIES = tuple(tree.Symbol(base, style) for base, style in (("I", "bold"), ("1", "bold"), ("I", ""), ("E", "bold")))
COMPLEX_POINTS = 4
COUNTING = ("n", "m", "k", "l", "p", "q", "r", "s", "N", "M", "K", r"\ell", r"\nu", "i", "j")  # whole numbers, usually
FAILURES = (
    ProofError,
    ArithmeticError,
    TypeError,
    ValueError,
    AttributeError,
    NotImplementedError,
    Inexact,
    FinerAngleNeeded,
)


def undecorated(node: tree.Node) -> tree.Node:
    """Return what powers and marks stand on."""
    while isinstance(node, tree.Power | tree.Mark):
        node = node.base if isinstance(node, tree.Power) else node.body
    return node


def with_body(node: tree.Node, body: tree.Node) -> tree.Node:
    """Return a node of powers and marks on another body."""
    if isinstance(node, tree.Power):
        return replace(node, base=with_body(node.base, body))
    if isinstance(node, tree.Mark):
        return replace(node, body=with_body(node.body, body))
    return body


def is_applied_to_bracket(head: tree.Node, bracket: tree.Node, known: frozenset[tree.Node]) -> bool:
    """Tell whether a letter in front of a bracket is read as a function of what stands in it; known: letters that are one."""
    if not isinstance(head, tree.Symbol) or not isinstance(bracket, tree.Group):
        return False
    acts = head.style in ("mathbb", "cal") or (len(head.base) > 1 and head.base.isalpha())
    if bracket.bracket == "{":
        return acts or is_capital(head)
    if head in known or head.base == EXPECTATION or acts:
        return head in known or bracket.bracket in "(["
    return bracket.bracket == "(" and (head.base in FUNCTIONS or are_arguments(bracket.items))


def are_arguments(items: tuple[tree.Node, ...]) -> bool:
    """Tell whether what stands in round brackets is no factor: several things, or one that needs no brackets as a factor."""
    several = len(items) > 1 or isinstance(items[0], tree.Chain)
    return several or isinstance(items[0], tree.Symbol | tree.Number) or is_point_of_a_transform(items[0])


def is_point_of_a_transform(item: tree.Node) -> bool:
    r"""Tell whether what stands in brackets is e^{j\omega} or z^{-1} alone, at which a transform is taken."""
    inverse = isinstance(item, tree.Mark) and item.kind == "inv" and item.body == tree.Symbol("z")
    return inverse or (isinstance(item, tree.Power) and item.base in (tree.Symbol("e"), tree.Symbol("z")))


def function_heads(*sides: tree.Node) -> frozenset[tree.Node]:
    """Return the letters that stand in front of a bracket as functions do."""
    products = [x for side in sides for x in tree.walk(side) if isinstance(x, tree.Product)]
    pairs = [pair for x in products for pair in itertools.pairwise(x.factors)]
    return frozenset(head for head, behind in pairs if is_applied_to_bracket(head, undecorated(behind), frozenset()))


def with_atoms(node: N, known: frozenset[tree.Node]) -> N:
    """Return a node in which a function with its arguments is one letter, the same for the same arguments."""

    def change(child: tree.Node) -> tree.Node:
        return with_atoms(child, known)

    if isinstance(node, tree.Call) and (known_value := value_of_call(node)) is not None:
        return known_value  # type: ignore[return-value]
    if not isinstance(node, tree.Product):
        return map_children(node, change)
    rest = list(node.factors)
    factors = list[tree.Node]()
    while rest:
        head = rest.pop(0)
        behind = undecorated(rest[0]) if rest else None
        function = undecorated(head) in known or undecorated(head) in [tree.Symbol(x) for x in FUNCTIONS]
        raised = function and isinstance(behind, tree.Group)  # f^{-1}(x), f^2(x)
        if behind is not None and (raised or is_applied_to_bracket(head, behind, known)):
            atom = tree.Symbol(f"{head!r} of {behind!r}", span=(head.span[0], behind.span[1]))
            factors.append(with_body(rest.pop(0), atom))
        else:
            factors.append(change(head))
    return factors[0] if len(factors) == 1 else replace(node, factors=tuple(factors))  # type: ignore[return-value]


def value_of_call(node: tree.Call) -> tree.Node | None:
    """Return what a call is as one node: a whole part of numbers, a diagonal matrix, or a letter; None of a function that is known."""
    if node.name in WHOLE_PARTS and not symbols(node):
        return whole_part(node)
    if node.name == "diag" and len(node.arguments) > 1:
        zero = tree.Number("0", span=node.span)
        rows = [[x if i == j else zero for j in range(len(node.arguments))] for i, x in enumerate(node.arguments)]
        return tree.Matrix(tuple(map(tuple, rows)), span=node.span)
    if not is_known(node.name):
        return tree.Symbol(f"{node.name} of {node.arguments!r}", span=node.span)
    return None


def whole_part(node: tree.Call) -> tree.Node:
    """Return the whole number that a floor or a ceiling of a number is."""
    evaluate = Evaluation(Bindings())
    values = [sympy.nsimplify(algebra.scalar(evaluate(x)), rational=True) for x in node.arguments]
    whole = int(WHOLE_PARTS[node.name](*values))
    number = tree.Number(str(abs(whole)), span=node.span)
    sign = tree.Sign("-" if whole < 0 else "+", span=node.span)
    return tree.Group("(", (tree.Add((sign,), (number,), span=node.span),), span=node.span)


def with_identities(node: N, table: dict[tree.Symbol, Any]) -> N:
    """Return a node in which the letters that a table says to be the identity are printed as it."""
    if isinstance(node, tree.Symbol):
        return replace(ONE, span=node.span) if table.get(node) is ONE else node
    return map_children(node, lambda child: with_identities(child, table))


def is_known(name: str) -> bool:
    """Tell whether a function is one of those that are computed."""
    return NAMES.get(name, name) in KNOWN or name in SPECIAL or name in ("max", "min", "binomial")


def is_vector(symbol: tree.Symbol) -> bool:
    """Tell whether a letter is printed as a vector or a matrix."""
    return symbol.style == "bold" or not {"vec", "underline"}.isdisjoint(symbol.accents)


def symbols(*sides: tree.Node) -> list[tree.Symbol]:
    """Return the letters of sides in their order, each once."""
    return list(dict.fromkeys(x for side in sides for x in tree.walk(side) if isinstance(x, tree.Symbol)))


def speaks_of_matrices(*sides: tree.Node) -> bool:
    """Tell whether vectors or matrices stand in sides: in bold, under an arrow, transposed, in a determinant, in a cross product."""
    nodes = [x for side in sides for x in tree.walk(side)]
    return any(
        (isinstance(x, tree.Symbol) and is_vector(x))
        or (isinstance(x, tree.Mark) and x.kind in ("T", "-T") and bool(symbols(x.body)) and not lists_numbers(x.body))
        or is_of_matrices(x)
        or (isinstance(x, tree.Binary) and x.operator == "times" and bool(symbols(x.left)) and bool(symbols(x.right)))
        for x in nodes
    )


def lists_numbers(node: tree.Node) -> bool:
    """Tell whether a node is a matrix that is printed with its entries, of small letters alone, which are no blocks."""
    while isinstance(node, tree.Group) and len(node.items) == 1:
        node = node.items[0]
    return isinstance(node, tree.Matrix) and not any(is_vector(x) or is_capital(x) for x in symbols(node))


def is_of_matrices(node: tree.Node) -> bool:
    """Tell whether a node is a determinant, a trace or the like of what is not printed with its entries."""
    return isinstance(node, tree.Call) and node.name in OF_MATRICES and not lists_entries(node)


def lists_entries(call: tree.Call) -> bool:
    """Tell whether a determinant or the like is one of a matrix that is printed with its entries."""
    return isinstance(call.arguments[0], tree.Matrix) or len(call.arguments) > 1


def inverts_capitals(*sides: tree.Node) -> bool:
    """Tell whether the inverse of a capital letter stands in sides with another one: (AB)^{-1} may be one of matrices."""
    marks = [x for side in sides for x in tree.walk(side) if isinstance(x, tree.Mark) and x.kind == "inv"]
    capitals = [x for x in symbols(*sides) if is_capital(x)]
    return len(capitals) > 1 and any(is_capital(x) for mark in marks for x in symbols(mark))


def is_capital(symbol: tree.Symbol) -> bool:
    r"""Tell whether a letter is a capital, as \Phi and A are."""
    return symbol.base.lstrip("\\")[:1].isupper()


def tables_of_matrices(*sides: tree.Node) -> Iterator[tuple[str, list[dict[tree.Symbol, Any]]]]:
    """Yield (the reading in words, its tables for sizes 3 and 2, 3 alone with a cross product) for usual readings of letters."""
    nodes = [x for side in sides for x in tree.walk(side)]
    crossed = any(isinstance(x, tree.Binary) and x.operator == "times" for x in nodes)
    sizes = (3,) if crossed else (3, 2)
    letters = [x for x in symbols(*sides) if x.base != r"\pi"]
    ones = [x for x in IDENTITIES if x in letters]
    for identity in (ones[:0], ones) if ones else (ones,):
        for words, numbers, columns in readings(letters, nodes, crossed):
            reading = words + IDENTITY if identity else words
            yield reading, [table_of(letters, numbers, columns, identity, size) for size in sizes]


def readings(
    letters: list[tree.Symbol], nodes: list[tree.Node], crossed: bool
) -> list[tuple[str, set[tree.Symbol], set[tree.Symbol]]]:
    """Return the usual readings of letters: (in words, those that are numbers, those that are vectors); the rest are matrices."""
    everything = set(letters)
    bold = {x for x in letters if is_vector(x)}
    scalars = everything - bold if bold else set()
    small = everything - scalars - {x for x in letters if is_capital(x) and "vec" not in x.accents}
    vectors = ("these are vectors", scalars, everything - scalars)
    found = [
        ("capitals are square matrices, small letters vectors", scalars, small),
        ("these are square matrices", scalars, set()),
    ]
    if crossed or any(isinstance(x, tree.Binary) and x.operator == "cdot" for x in nodes):
        found.insert(0, vectors)
    if not bold and not crossed:
        marked = set(symbols(*(x for x in nodes if isinstance(x, tree.Mark) or is_of_matrices(x))))
        plain = "capitals are square matrices, small letters numbers, or vectors where they are transposed"
        found.append((plain, small - marked, small & marked))
    return found


def table_of(
    letters: list[tree.Symbol], numbers: set[tree.Symbol], columns: set[tree.Symbol], ones: list[tree.Symbol], size: int
) -> dict[tree.Symbol, Any]:
    """Return {letter: a number, a vector (size, 1), a matrix (size, size), or the identity}, each entry free."""
    table: dict[tree.Symbol, Any] = {}
    for i, letter in enumerate(letters):
        if letter in ones:
            table[letter] = ONE
        elif letter in numbers:
            table[letter] = sympy.Symbol(f"letter {i}", real=True)
        else:
            width = 1 if letter in columns else size
            entries = [[sympy.Symbol(f"letter {i} {j} {k}", real=True) for k in range(width)] for j in range(size)]
            table[letter] = np.array(entries, dtype=object)
    return table


def constants(*sides: tree.Node) -> list[dict[tree.Symbol, Any]]:
    r"""Return what letters may be besides numbers of their own: e the base of e^x, i or j the root of -1; the usual one first."""
    letters = symbols(*sides)
    euler = {tree.Symbol("e"): sympy.E} if has_base_of_exponential(*sides) else {}
    roots = [{x: sympy.I} for x in (tree.Symbol("j"), tree.Symbol("i")) if x in letters]
    return [euler, *(euler | root for root in roots)]


def has_base_of_exponential(*sides: tree.Node) -> bool:
    r"""Tell whether e is the base of the exponential function: in e^x, in \ln e, as the bound of an integral."""
    letter = tree.Symbol("e")

    def tells(node: tree.Node) -> bool:
        if isinstance(node, tree.Power):
            return node.base == letter and not isinstance(node.exponent, tree.Number)
        if isinstance(node, tree.Call):
            return node.name == "ln" and node.arguments == (letter,)
        return isinstance(node, tree.Integral) and letter in (node.low, node.high)

    return any(tells(x) for side in sides for x in tree.walk(side))


def antiderivative_variable(chain: tree.Chain) -> tree.Symbol | None:
    """Return the variable of the first integral without bounds in a chain, which leaves a constant open; None without one."""
    return next((x.variable for x in tree.walk(chain) if isinstance(x, tree.Integral) and x.low is None), None)


def is_whole(node: tree.Node) -> bool:
    """Tell whether a node is made of whole numbers, and of letters that usually count, by sums and products alone."""
    if isinstance(node, tree.Number):
        return "." not in node.text
    if isinstance(node, tree.Symbol):
        return node.base in COUNTING and not node.style
    kinds = tree.Add | tree.Product | tree.Group | tree.Sign
    return isinstance(node, kinds) and all(
        map(is_whole, (x for x in tree.children(node) if not isinstance(x, tree.Sign)))
    )


def multivalued_bodies(*sides: tree.Node) -> list[tree.Node]:
    r"""Return what stands in sides where several values could be taken: under roots, in logarithms, under broken powers."""
    found: list[tree.Node] = []
    for x in (x for side in sides for x in tree.walk(side)):
        if isinstance(x, tree.Root):
            found.append(x.body)
        elif isinstance(x, tree.Call) and x.name in ("ln", "log", "lg"):
            found += x.arguments
        elif isinstance(x, tree.Power) and x.base != tree.Symbol("e") and not is_whole(x.exponent):
            found.append(x.base)
    return found


def complex_agree(left: tree.Node, right: tree.Node, table: dict[tree.Symbol, Any], text: str, spread: int = 3) -> bool:
    """Tell whether two sides agree in 30 digits at random real letters, up to spread, where one letter is the imaginary unit."""
    rng = random.Random(text)
    at = Evaluation(Bindings(table))
    try:
        a, b = (sympy.sympify(algebra.scalar(at(with_bars(side)))) for side in (left, right))
        letters = sorted(a.free_symbols | b.free_symbols, key=str)
        for _ in range(COMPLEX_POINTS):
            point = {x: sympy.Rational(rng.randint(-spread * 10**9, spread * 10**9), 10**9 - 7) for x in letters}
            one, other = (sympy.N(x.subs(point), 50) for x in (a, b))
            if not abs(one - other) < sympy.Float("1e-30") * max(1, abs(one)):
                return False
    except FAILURES:
        return False
    return True


def with_bars(node: N) -> N:
    """Return a node in which |z|^2 is |z| |z|: of real numbers it is computed as z^2, which of complex ones it is not."""
    if isinstance(node, tree.Power) and isinstance(node.base, tree.Bars):
        body = with_bars(node.base)
        return replace(node, base=tree.Group("(", (body,), span=body.span))
    return map_children(node, with_bars)


def first_operator(*sides: tree.Node) -> tree.Symbol | None:
    r"""Return the first letter that may be an operator on what stands behind it: the d of d(xy), the \Delta of \Delta(xy)."""
    for node in (x for side in sides for x in tree.walk(side)):
        if isinstance(node, tree.Symbol) and node.prefix:
            return node
        for head, _ in itertools.pairwise(node.factors) if isinstance(node, tree.Product) else ():
            if isinstance(head, tree.Symbol) and head.base in OPERATORS and not head.sub:
                return head
    return None
