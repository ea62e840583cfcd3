r"""What is printed and is no free number, whatever stands beside it: O(x^2), \delta_{ij}\delta_{ij}, \{x\}, 5\,\mathrm{m}.

Each raises a sentence that says what must be declared; brackets that may be a function become letters of their own.
"""

import re
from collections import Counter
from collections.abc import Container
from dataclasses import replace

from eqproof import tree
from eqproof.conventions import map_children, symbols, undecorated
from eqproof.errors import Unreadable

BRACKET = "bracket"  # the style of a letter that stands for [x] or \{x\}
ORDERS = ("O", "o")
OF_SEVERAL = (
    "f",
    "g",
    "u",
    r"\phi",
    r"\varphi",
    r"\psi",
)  # functions of x, y and t, whose derivatives have these as indices
OF_INDICES = (r"\delta", r"\epsilon", r"\varepsilon")
UNIT_NAMES = [
    "m",
    "s",
    "g",
    "h",
    "K",
    "N",
    "J",
    "W",
    "V",
    "A",
    "C",
    "F",
    "H",
    "T",
    "L",
    "t",
    "k",
    "min",
    "km",
    "cm",
    "mm",
    "nm",
    "dm",
    "kg",
    "mg",
    "ms",
    "ns",
    "Hz",
    "kHz",
    "MHz",
    "GHz",
    "Pa",
    "kPa",
    "MPa",
    "kN",
    "kJ",
    "MJ",
    "kW",
    "MW",
    "mol",
    "rad",
    "sr",
    "eV",
    "keV",
    "MeV",
    "GeV",
    "lm",
    "lx",
    "Wb",
    "cd",
    "bar",
    "atm",
    "cal",
    "kcal",
    "deg",
    "rpm",
]
WORD = r"\\(?:mathrm|textrm|text|rm|unit|operatorname|mathsf)"
UNIT = re.compile(
    rf"(?:\d|\}}|(?<![a-zA-Z])\))(?:\s|\\[,;:! ]|~|\\cdot(?![a-zA-Z])|\\times(?![a-zA-Z]))*{WORD}\s*\{{?\s*(?!d\s*\}}\s*[a-zA-Z\\])[a-zA-Z]"
    rf"|{WORD}\s*\{{\s*(?:{'|'.join(x for x in UNIT_NAMES if x not in 'dei')})\s*\}}"
)
THOUSANDS = re.compile(r"(?<![\d.,}])\d{1,3}(?:(?:\{,\}|,|\\,|~)\d{3})+(?![\d])(?!\{,\}\d)")
DECIMALS = re.compile(r"(?<![\d.,}])(\d+)\{,\}(\d+)(?!\d|\{,\}\d)")  # 1{,}5 and 0{,}125, of no thousands
POINTS = re.compile(r"(?<![\d.,}])(\d+)\{\.\}(\d+)(?!\d)")
COMMA = re.compile(r"\d,\d")
COMMA_SAYS = "a comma between digits can be that of a decimal and that of a list: write a point, or a space behind it"


def with_thousands(text: str) -> str:
    r"""Return a formula with 1000 for 1,000, 1{,}000 and 1\,000 outside brackets, each character behind it at its place."""
    text = POINTS.sub(lambda match: f"{match[1]}.{match[2]}".ljust(len(match.group())), text)
    if decimals := [x for x in DECIMALS.finditer(text) if len(x[2]) != 3 or x[1] == "0"]:
        if len(decimals) < len(DECIMALS.findall(text)):
            return text  # 1{,}5 and 2{,}500 in one formula: the second one may be 2.5
        return DECIMALS.sub(lambda match: f"{match[1]}.{match[2]}".ljust(len(match.group())), text)
    made = []
    last = 0
    depth = 0
    for match in re.finditer(rf"{THOUSANDS.pattern}|[()\[\]]|\\[{{}}]", text):
        found = match.group()
        if found[-1] in "()[]{}":
            depth += 1 if found[-1] in "([{" else -1
        elif depth <= 0 or r"{,}" in found:
            digits = re.sub(r"\D", "", found)
            made += [text[last : match.start()], digits.ljust(len(found))]
            last = match.end()
    return "".join([*made, text[last:]])


def refuse_what_is_no_number(*sides: tree.Node) -> None:
    r"""Raise Unreadable at O(x^2), and at \delta_{ij} \delta_{ij}, where an index may be summed over."""
    for node in (x for side in sides for x in tree.walk(side)):
        if isinstance(node, tree.Product):
            for head, behind in zip(node.factors, node.factors[1:]):
                refuse_orders(head, behind)
    refuse_summed_indices(*sides)


def refuse_orders(head: tree.Node, behind: tree.Node) -> None:
    """Raise Unreadable at O(..) and o(..): all that is so small."""
    letter = isinstance(head, tree.Symbol) and head.base in ORDERS and head.style in ("", "cal") and not head.sub
    if letter and isinstance(undecorated(behind), tree.Group):
        raise Unreadable("is an order of magnitude: it stands for no one value", of=head)


def refuse_what_varies_unseen(*sides: tree.Node, shown: Container[tree.Node] = ()) -> None:
    r"""Raise Unreadable where a limit, a sum or a bar tells a letter of what is read as one letter: \lim_{n \to \infty} a_n.

    So do \int_0^1 s G(s) ds and a derivative; shown: functions with their arguments whose expression is known.
    """
    for node in (x for side in sides for x in tree.walk(side)):
        for variable in letters_given_values(node):
            if any(depends_unseen(x, variable) for x in symbols(node)):
                raise Unreadable("needs a declaration of what depends on the letter below it", of=node)
        for variable in letters_of_calculus(node):
            depends = depends_unseen if isinstance(node, tree.Integral) else is_value_at  # \dot q varies with t
            varying = (x for x in symbols(node) if depends(x, variable) or may_be_derivative(x, variable))
            if found := next((x for x in varying if x not in shown), None):
                raise Unreadable("varies in a derivative or an integral: declare its expression", of=found)


def letters_given_values(node: tree.Node) -> tuple[tree.Node, ...]:
    """Return the letters that a limit, a sum, a product or a bar with places gives values to."""
    if isinstance(node, tree.Limit):
        return (node.variable,)
    if isinstance(node, tree.Evaluated):
        return tuple(letter for letter, _ in node.places)
    return (tree.Symbol(node.index),) if isinstance(node, tree.Big) else ()


def letters_of_calculus(node: tree.Node) -> tuple[tree.Node, ...]:
    """Return the letters by which a node is a derivative or an integral."""
    if isinstance(node, tree.Integral):
        return (node.variable,)
    return tuple(letter for letter, _ in node.variables) if isinstance(node, tree.Derivative) else ()


def may_be_derivative(symbol: tree.Symbol, variable: tree.Node) -> bool:
    """Tell whether a letter may be the derivative of a function, y' or f_y, and so a function of the variable itself."""
    if symbol == variable:
        return False
    partial = symbol.base in OF_SEVERAL and len(symbol.sub) == 1 and symbol.sub[0] in ("x", "y", "z", "t")
    return symbol.primes > 0 or partial


def is_value_at(symbol: tree.Symbol, variable: tree.Node) -> bool:
    """Tell whether a letter is a function with its arguments, G(s), or a bracket, [s], and another one stands in it."""
    within = symbol.base if symbol.style == BRACKET else symbol.base.partition(" of ")[2]
    return repr(variable) in within


def depends_unseen(symbol: tree.Symbol, variable: tree.Node) -> bool:
    """Tell whether a letter depends on another one unseen: a function of it, a rate by the time, for limits an index.

    The index of a sum is put into indices, not into functions.
    """
    if not isinstance(variable, tree.Symbol) or symbol == variable:
        return False
    return is_value_at(symbol, variable) or (variable.base == "t" and symbol.dots > 0)


def refuse_indices_in_limits(*sides: tree.Node) -> None:
    r"""Raise Unreadable at \lim_{n \to \infty} a_n, and at \left. a_n \right|_{n = 1}."""
    for node in (x for side in sides for x in tree.walk(side) if isinstance(x, tree.Limit | tree.Evaluated)):
        names = {x.base for x in letters_given_values(node) if isinstance(x, tree.Symbol)}
        if any(names & {*x.sub} for x in symbols(node)):
            raise Unreadable("needs a declaration of what depends on the letter below it", of=node)


def refuse_summed_indices(*sides: tree.Node) -> None:
    r"""Raise Unreadable where an index of \delta_{ij} or \epsilon_{ijk} stands twice in a product, or under a power."""
    nodes = [x for side in sides for x in tree.walk(side)]
    counted = {x.index for x in nodes if isinstance(x, tree.Big)}
    for node in nodes:
        if not isinstance(node, tree.Product | tree.Power | tree.Binary):
            continue
        letters = symbols(node)
        special = [x for x in letters if is_of_indices(x)]
        power = isinstance(node, tree.Power) and (special or repeats_index(node.base, counted))
        if power or indices_twice(node, counted) & {i for x in special for i in x.sub}:
            raise Unreadable("may be summed over an index that stands there twice: write the sum", of=node)


def indices_twice(node: tree.Node, counted: set[str]) -> set[str]:
    """Return the letters that are indices in a node more than once, and no sum counts them."""
    indices = [i for x in tree.walk(node) if isinstance(x, tree.Symbol) for i in x.sub if i.isalpha()]
    return {i for i, times in Counter(indices).items() if times > 1 and i not in counted}


def repeats_index(base: tree.Node, counted: set[str]) -> bool:
    """Tell whether what is raised is a product of letters with the same index, as (a_i b_i)^2 is."""
    body = base.items[0] if isinstance(base, tree.Group) and len(base.items) == 1 else base
    if not isinstance(body, tree.Product):
        return False
    subs = [x.sub[0] for x in symbols(body) if len(x.sub) == 1 and x.sub[0] in ("i", "j", "k", r"\mu", r"\nu")]
    return any(subs.count(i) > 1 and i not in counted for i in subs)


def is_of_indices(symbol: tree.Symbol) -> bool:
    r"""Tell whether a letter may be a Kronecker delta or a Levi-Civita symbol: \delta_{ij}, \epsilon_{123}."""
    names = [x for x in symbol.sub if x != ","]
    return symbol.base in OF_INDICES and len(names) > 1 and not symbol.prefix


def with_brackets_as_letters(node: tree.Node) -> tree.Node:
    r"""Return a node in which [x] of one letter or number, and \{..\} with no bracket in it, is a letter of its own."""
    if isinstance(node, tree.Indexed):
        return node
    if isinstance(node, tree.Group) and len(node.items) == 1 and may_be_function(node):
        return tree.Symbol(f"{node!r}", BRACKET, span=node.span)
    if isinstance(node, tree.Call):  # \exp[x]: the brackets of its argument
        arguments = (replace(x, bracket="(") if isinstance(x, tree.Group) else x for x in node.arguments)
        node = replace(node, arguments=tuple(arguments))
    return map_children(node, with_brackets_as_letters)


def may_be_function(group: tree.Group) -> bool:
    r"""Tell whether a bracket may be more than one: [x] the whole part, \{x\} a fractional part or a set."""
    (item,) = group.items
    if group.bracket == "[":
        return isinstance(item, tree.Symbol | tree.Number)
    return group.bracket == "{" and not any(isinstance(x, tree.Group | tree.Bars) for x in tree.walk(item))


def with_round_brackets(node: tree.Group) -> tree.Group:
    """Return a group in round brackets, which are never read as a function of their own."""
    return replace(node, bracket="(")


def has_units(text: str) -> bool:
    r"""Tell whether units stand in a text: 5\,\mathrm{m}, \mathrm{kg}."""
    return UNIT.search(text) is not None
