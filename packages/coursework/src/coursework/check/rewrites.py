"""Every change of one part of a piece of Python that a student may have needed: signs, functions, numbers, products, order, names."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from coursework.check import mistakes
from coursework.check.array_rewrites import called, is_whole_or_empty, moves, rewrites_of_arrays
from coursework.check.atoms import WAVES, Names, atoms_of
from coursework.check.diagnosis import Mistake, Phrase
from coursework.check.messages import text

OTHERS = {"min": "max", "max": "min", "argmin": "argmax", "argmax": "argmin", "triu": "tril", "tril": "triu"}
OTHER_WAVES = {"tan": ("sin", "cos"), "sin": ("tan",), "cos": ("tan",)}
OTHER_WAVES |= {f"{arc}{one}": tuple(f"{arc}{two}" for two in OTHER_WAVES if two != one) for arc in ("arc", "a") for one in OTHER_WAVES}  # fmt: skip
SIGNS: dict[type[ast.operator], type[ast.operator]] = {ast.Add: ast.Sub, ast.Sub: ast.Add}
ORDERS: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
# nothing stands for one of their arguments
NO_TERMS = {"range", "zip", "enumerate", "len", "linspace", "arange", "symbols", "reshape", "plot", "zeros", "eye"}
ROUNDING = {"round", "around"}  # what they lose is put right without them alone, not with more digits
DIGITS = ("decimals", "ndigits")  # keywords of theirs
# nothing in them changes
WHOLE = (ast.JoinedStr, ast.FormattedValue, ast.arguments, ast.Import, ast.ImportFrom, ast.alias)
FIXED = ("decorator_list", "annotation", "returns", "targets", "target", "ctx", "op", "ops")  # fields that stay
FACTORS: dict[type[ast.operator], Mistake] = {ast.Mult: mistakes.CODE_FACTOR_MISSING, ast.Div: mistakes.DIVISOR_MISSING}
RANGES = {"range", "arange", "linspace"}  # of what stands in them an end may be wrong
NUMBERS = {"index", "power", "range"}  # roles that name a number
TERMS = dict.fromkeys(SIGNS, mistakes.CODE_TERM_MISSING)
COUNTING = ("range", "count", "digits")  # roles of what no other quantity is put in the place of

Put: TypeAlias = tuple[Any, Any, Any]  # owner, key, what stands there then
Rewrite: TypeAlias = "tuple[Words, int, list[Put]]"  # which mistake, line, what is put
New: TypeAlias = tuple[Phrase, ast.expr]  # which mistake, what stands there without it


class Slot(NamedTuple):
    """Where an expression stands: in a field or a list, its owner; role: "term", "index", "power", "range", "count", "digits", "offset" in an index, "function" or "other"."""

    owner: Any
    key: Any
    node: ast.expr
    role: str

    def put(self, new: ast.expr) -> Put:
        """Return what puts a new expression there."""
        return self.owner, self.key, _placed(new, self.node)


class Words(NamedTuple):
    """What is wrong with a part of a cell, and how many times it stands there."""

    phrase: Phrase
    times: int = 1

    def once(self) -> Words:
        """Return the same of one place."""
        return Words(self.phrase)

    def text(self) -> str:
        """Return it in words."""
        words = self.phrase.text()
        return words if self.times == 1 else text("code.times", words=words, count=self.times)


def changed(tree: ast.Module, names: Names, answer: str) -> Iterator[tuple[Words, int]]:
    """Change one part of a tree after the other, and put it back: yield pairs of `Words` and line."""
    for words, line, puts in _changes(tree, names, answer):
        old = [(owner, key, _get(owner, key)) for owner, key, _ in puts]
        for owner, key, new in puts:
            _set(owner, key, new)
        yield words, line
        for owner, key, new in reversed(old):
            _set(owner, key, new)


def _get(owner: Any, key: Any) -> Any:
    return owner[key] if isinstance(owner, list) else getattr(owner, key)


def _set(owner: Any, key: Any, new: Any) -> None:
    if isinstance(owner, list):
        owner[key] = new
    else:
        setattr(owner, key, new)


def _changes(tree: ast.Module, names: Names, answer: str) -> Iterator[Rewrite]:
    """Yield all changes of the tree, those that students need most often first."""
    parts = _Parts([*_slots(tree)])
    of_parts = (_rewrites_of_conditions, _rewrites_of_signs, _rewrites_of_functions, _rewrites_of_products)
    for kind in (*of_parts, _rewrites_of_numbers, _rewrites_of_order, rewrites_of_arrays):
        for slot in parts.slots:
            for phrase, new in kind(slot.node, slot.role):
                yield from parts.put(slot, phrase, new)
    yield from _rewrites_of_statements(tree, answer)
    yield from ((Words(phrase), line, puts) for phrase, line, puts in moves(tree))
    atoms = atoms_of(((slot.node, slot.role) for slot in parts.slots), names)
    yield from _rewrites_of_other_atoms(parts, atoms)
    yield from _rewrites_of_missing(parts, atoms, FACTORS)
    yield from _rewrites_of_missing_matrices(parts, atoms)
    yield from _rewrites_of_missing(parts, atoms, TERMS)
    yield from _rewrites_of_atoms_everywhere(parts, atoms)


class _Parts:
    """The expressions of a tree, and which of them are the same part of the same expression: it may be wrong wherever it stands."""

    def __init__(self, slots: list[Slot]) -> None:
        self.slots = slots
        self._place = {id(slot.node): (ast.dump(slot.node), _dump(slot.owner), slot.role) for slot in slots}
        self._kin: dict[tuple[str, str, str], list[Slot]] = {}
        for slot in slots:
            self._kin.setdefault(self._place[id(slot.node)], []).append(slot)

    def text(self, slot: Slot) -> str:
        """Return what an expression says, as a dump."""
        return self._place[id(slot.node)][0]

    def put(self, slot: Slot, phrase: Phrase, new: ast.expr) -> Iterator[Rewrite]:
        """Yield the change of one expression, and of all that are the same."""
        yield Words(phrase), slot.node.lineno, [slot.put(new)]
        alike = self._kin[self._place[id(slot.node)]]
        if len(alike) > 1 and alike[0].node is slot.node:
            yield Words(phrase, len(alike)), slot.node.lineno, [other.put(new) for other in alike]


def _rewrites_of_other_atoms(parts: _Parts, atoms: dict[str, ast.expr]) -> Iterator[Rewrite]:
    """Yield one atom in the place of another."""
    for slot in parts.slots:
        here = parts.text(slot)
        for name, new in atoms.items() if here in atoms and slot.role not in COUNTING else ():
            if name != here:
                yield from parts.put(slot, named(mistakes.OTHER_NAME, ast.unparse(slot.node)), new)


def _rewrites_of_missing(
    parts: _Parts, atoms: dict[str, ast.expr], operators: Mapping[type[ast.operator], Mistake]
) -> Iterator[Rewrite]:
    """Yield a factor, a divisor or a term that is missing beside an expression; operators: {operator: mistake}."""
    for slot in parts.slots:
        may_lack = slot.role == "term" and not isinstance(slot.node, ast.Constant) and not is_whole_or_empty(slot.node)
        for new in atoms.values() if may_lack else ():
            for operator, mistake in operators.items():
                yield from parts.put(slot, Phrase(mistake), ast.BinOp(slot.node, operator(), new))


def _rewrites_of_missing_matrices(parts: _Parts, atoms: dict[str, ast.expr]) -> Iterator[Rewrite]:
    """Yield a factor that is missing at either side in a product of matrices."""
    for slot in parts.slots:
        product = any(isinstance(getattr(one, "op", None), ast.MatMult) for one in (slot.owner, slot.node))
        for new in atoms.values() if product else ():
            for left, right in ((slot.node, new), (new, slot.node)):
                found = ast.BinOp(left, ast.MatMult(), right)
                yield from parts.put(slot, Phrase(mistakes.CODE_FACTOR_MISSING), found)


def _rewrites_of_atoms_everywhere(parts: _Parts, atoms: dict[str, ast.expr]) -> Iterator[Rewrite]:
    """Yield one atom in the place of another that is wrong wherever it stands."""
    for here, one in atoms.items():
        places = [slot for slot in parts.slots if parts.text(slot) == here]
        for name, new in atoms.items() if len(places) > 1 else ():
            if name != here:
                words = Words(named(mistakes.OTHER_NAME, ast.unparse(one)), len(places))
                yield words, places[0].node.lineno, [slot.put(new) for slot in places]


def named(mistake: Mistake, name: str) -> Phrase:
    """Return the phrase of a mistake at something that has a name."""
    return Phrase(mistake, (("name", name),))


def _dump(owner: Any) -> str:
    """Return what an owner of a part says, as text; nothing of a list of entries."""
    return "" if isinstance(owner, list) else ast.dump(owner)


def _placed(new: ast.expr, node: ast.expr) -> ast.expr:
    """Return a copy of a new expression, where the old one stands."""
    return ast.fix_missing_locations(ast.copy_location(copy.deepcopy(new), node))


def _slots(tree: ast.Module) -> Iterator[Slot]:
    """Yield where the expressions of a tree stand that may be changed."""
    inside = _numbers_in_indices(tree)
    for parent in ast.walk(tree):
        if isinstance(parent, WHOLE):
            continue
        for field, value in ast.iter_fields(parent):
            if field in FIXED or _is_name_of_parts(parent, field, value):
                continue
            role = _role(parent, field)
            several = isinstance(value, list)
            places = [(value, k, one) for k, one in enumerate(value)] if several else [(parent, field, value)]
            for owner, key, node in places:
                if isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
                    yield Slot(owner, key, node, inside.get(id(node), role) if role == "term" else role)


def _numbers_in_indices(tree: ast.Module) -> dict[int, str]:
    """Return {id of a number in a product or a sum that is an index: its role}."""
    indices = [node.slice for node in ast.walk(tree) if isinstance(node, ast.Subscript)]
    return {id(one): "offset" for node in indices for one in ast.walk(node) if isinstance(one, ast.Constant)}


def _is_name_of_parts(parent: ast.AST, field: str, value: Any) -> bool:
    """Return whether an expression is the name of what an attribute or an entry belongs to."""
    if field != "value":
        return False
    if isinstance(parent, ast.Attribute):
        return not isinstance(value, (ast.BinOp, ast.Call))
    return isinstance(parent, ast.Subscript)


def _role(parent: ast.AST, field: str) -> str:
    """Return what an expression in a field of its parent is there for."""
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Pow) and field == "right":
        return "power"
    if isinstance(parent, ast.Call) and field == "args" and called(parent) in ROUNDING:
        return "digits"
    if isinstance(parent, ast.keyword) and parent.arg in DIGITS:
        return "digits"
    if isinstance(parent, ast.Call) and field == "args" and called(parent) in NO_TERMS:
        return "range" if called(parent) in RANGES else "count"
    if isinstance(parent, (ast.Compare, ast.keyword, ast.For, ast.comprehension, ast.If)):
        return "other"
    if field == "func":
        return "function"
    return "index" if isinstance(parent, (ast.Slice, ast.Subscript)) else "term"


def _rewrites_of_conditions(node: ast.expr, role: str) -> Iterator[New]:
    """Yield one of several conditions that is too many."""
    if not isinstance(node, ast.BoolOp):
        return
    for k in range(len(node.values)):
        rest = node.values[:k] + node.values[k + 1 :]
        yield Phrase(mistakes.CONDITION_TOO_MANY), rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def _rewrites_of_signs(node: ast.expr, role: str) -> Iterator[New]:
    """Yield a sign that is wrong."""
    if role != "term" or isinstance(node, (ast.Tuple, ast.List, ast.Lambda, ast.ListComp, ast.GeneratorExp)):
        return
    if isinstance(node, ast.BinOp) and type(node.op) in SIGNS:
        yield Phrase(mistakes.CODE_SIGN), ast.BinOp(node.left, SIGNS[type(node.op)](), node.right)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield Phrase(mistakes.CODE_SIGN), node.operand
    elif not (isinstance(node, ast.Constant) and not isinstance(node.value, (int, float))):
        yield Phrase(mistakes.CODE_SIGN), ast.UnaryOp(ast.USub(), node)


def _rewrites_of_functions(node: ast.expr, role: str) -> Iterator[New]:
    """Yield a function that is another, too many, or missing."""
    if role == "function":
        name = getattr(node, "attr", getattr(node, "id", ""))
        others = [table[name] for table in (WAVES, OTHERS) if name in table]
        for other in (*others, *OTHER_WAVES.get(name, ())):
            new = copy.copy(node)
            setattr(new, "attr" if hasattr(node, "attr") else "id", other)
            yield named(mistakes.OTHER_FUNCTION, name), new
    elif isinstance(node, ast.Call):
        yield from _rewrites_of_call(node)
    elif role == "term" and isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Attribute) and node.attr == "T":
            yield Phrase(mistakes.CODE_TRANSPOSED), node.value
        else:
            yield Phrase(mistakes.NOT_TRANSPOSED), ast.Attribute(node, "T", ast.Load())


def _rewrites_of_call(node: ast.Call) -> Iterator[New]:
    """Yield what a function is called with in its place, and two of its arguments exchanged."""
    name = called(node)
    if name in ROUNDING:  # a function, or a method
        for new in node.args[:1] + ([node.func.value] if isinstance(node.func, ast.Attribute) else []):
            yield named(mistakes.ROUNDED, name), new
        return
    plain = [one for one in node.args if not isinstance(one, (ast.Starred, ast.GeneratorExp, ast.ListComp))]
    if len(plain) == 1 and name not in ("array", "Matrix", "range", "len", "list", "tuple", "float", "enumerate"):
        yield named(mistakes.CALL_TOO_MANY, name), plain[0]
    for k in range(len(plain) - 1):
        if len(plain) == len(node.args) or k == 0:
            exchanged = [*plain[:k], plain[k + 1], plain[k], *node.args[k + 2 :]]
            yield named(mistakes.ARGUMENTS_EXCHANGED, name), ast.Call(node.func, exchanged, node.keywords)


def _rewrites_of_numbers(node: ast.expr, role: str) -> Iterator[New]:
    """Yield a number, an index or a power that is another; a factor 2; a square."""
    value = node.value if isinstance(node, ast.Constant) else None
    if role == "digits":
        return
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from _rewrites_of_constant(node, value, role)
        return
    if role in ("index", "range", "count") and isinstance(node, (ast.Name, ast.BinOp)):
        for sign in (ast.Add(), ast.Sub()):
            mistake = mistakes.SIZE_OFF_BY_ONE if role == "count" else mistakes.OFF_BY_ONE
            yield Phrase(mistake), ast.BinOp(node, sign, ast.Constant(1))
    plain = not isinstance(node, (ast.Tuple, ast.List, ast.Lambda, ast.UnaryOp)) and not is_whole_or_empty(node)
    if role == "term" and plain:
        for number in (2.0, 0.5):
            yield Phrase(mistakes.CODE_FACTOR), ast.BinOp(ast.Constant(number), ast.Mult(), node)
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
            yield Phrase(mistakes.CODE_SQUARE), ast.BinOp(node, ast.Pow(), ast.Constant(2))


def _rewrites_of_constant(node: ast.expr, value: float, role: str) -> Iterator[New]:
    """Yield other numbers in the place of one."""
    what = "index" if role == "offset" else role if role in NUMBERS else "number"
    for new in dict.fromkeys((value + 1, value - 1, 0, 1, 2, 3, 4, 6, 12, 0.5, 2 * value, value / 2, 9.81)):
        whole = what != "index" or new == int(new)
        if new != value and whole and (new or role != "offset"):  # no index is the same for all
            mistake = mistakes.NUMBER_OR_TERM if new == 0 and what == "number" else mistakes.CODE_NUMBER
            given = (("what", text(f"name.{what}")), ("value", ast.unparse(node)))
            yield Phrase(mistake, given), ast.Constant(new)


def _rewrites_of_products(node: ast.expr, role: str) -> Iterator[New]:
    """Yield a factor or a term too many, another kind or order of a product."""
    if not isinstance(node, ast.BinOp):
        return
    left, operator, right = node.left, node.op, node.right
    if isinstance(operator, (ast.Mult, ast.Div, ast.MatMult)):
        yield Phrase(mistakes.CODE_FACTOR_TOO_MANY), left
        yield Phrase(mistakes.CODE_FACTOR_TOO_MANY), right
        for other in (ast.Mult, ast.Div, ast.MatMult):
            if not isinstance(operator, other):
                yield Phrase(mistakes.OTHER_PRODUCT), ast.BinOp(left, other(), right)
        if not isinstance(operator, ast.Mult):
            yield Phrase(mistakes.PRODUCT_ORDER), ast.BinOp(right, operator, left)
    elif isinstance(operator, (ast.Add, ast.Sub)):
        if role in ("index", "range", "count") and isinstance(right, ast.Constant):
            return  # it is off by so much, which is told as that
        yield Phrase(mistakes.CODE_TERM_TOO_MANY), left
        yield Phrase(mistakes.CODE_TERM_TOO_MANY), right
        yield Phrase(mistakes.CODE_SUM), ast.BinOp(left, ast.Mult(), right)
    elif isinstance(operator, ast.Pow):
        yield Phrase(mistakes.POWER_TOO_MANY), left


def _rewrites_of_order(node: ast.expr, role: str) -> Iterator[New]:
    """Yield entries that are exchanged, and a comparison that is another."""
    if isinstance(node, (ast.Tuple, ast.List)) and 2 <= len(node.elts) <= 4:
        for i in range(len(node.elts)):
            for j in range(i):
                swapped = list(node.elts)
                swapped[i], swapped[j] = swapped[j], swapped[i]
                yield Phrase(mistakes.ENTRIES_EXCHANGED), type(node)(swapped, ast.Load())
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in ORDERS:
        yield Phrase(mistakes.OTHER_COMPARISON), ast.Compare(node.left, [ORDERS[type(node.ops[0])]()], node.comparators)


def _rewrites_of_statements(tree: ast.Module, answer: str) -> Iterator[Rewrite]:
    """Yield lines that stand in the wrong order, or are too many, and a sign of what is added; the answer itself has its line."""
    for parent in ast.walk(tree):
        body = getattr(parent, "body", [])
        for k, one in enumerate(body) if isinstance(body, list) else ():
            if isinstance(one, ast.AugAssign) and type(one.op) in SIGNS:
                yield Words(Phrase(mistakes.CODE_SIGN)), one.lineno, [(one, "op", SIGNS[type(one.op)]())]
            if not isinstance(one, (ast.Assign, ast.AugAssign)):
                continue
            if isinstance(one, ast.Assign) and parent is tree and answer in map(_base_name, one.targets):
                continue
            yield Words(Phrase(mistakes.LINE_TOO_MANY)), one.lineno, [(body, k, ast.copy_location(ast.Pass(), one))]
            if k + 1 < len(body) and isinstance(body[k + 1], (ast.Assign, ast.AugAssign, ast.Expr)):
                words = Words(Phrase(mistakes.LINES_EXCHANGED))
                yield words, one.lineno, [(body, k, body[k + 1]), (body, k + 1, one)]


def _base_name(target: ast.expr) -> str:
    """Return the name that an assignment gives a value, or a part of: M of M, M[0] and M.T, "" where there is none."""
    while hasattr(target, "value"):
        target = target.value
    return getattr(target, "id", "")
