"""Every change of one part of a piece of Python that a student may have needed: signs, functions, numbers, products, order, names."""

import ast
import copy
import types

MOST_ATOMS = 24  # names, entries and calls of a cell that are tried for each other
WAVES = {"sin": "cos", "cos": "sin", "sinh": "cosh", "cosh": "sinh"}
OTHERS = {"min": "max", "max": "min", "argmin": "argmax", "argmax": "argmin", "triu": "tril", "tril": "triu"}
SIGNS = {ast.Add: ast.Sub, ast.Sub: ast.Add}
ORDERS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
NO_TERMS = {
    "range",
    "zip",
    "enumerate",
    "len",
    "linspace",
    "arange",
    "symbols",
    "reshape",
    "plot",
    "round",
    "zeros",
    "eye",
}  # of their arguments
SIGN, ATOM = "a sign is wrong", "{0} should be something else"
FACTORS = {ast.Mult: "a factor is missing", ast.Div: "a divisor is missing"}


class Words(str):
    """What is wrong with a part of a cell; once: the same without how many times it stands there."""

    once: str

    def __new__(cls, once, count=1):
        made = super().__new__(cls, once if count == 1 else f"{once}, {count} times")
        made.once = once
        return made


def changed(tree, names, answer):
    """Change one part of a tree after the other, and put it back: pairs of `Words` and line."""
    for words, line, puts in _changes(tree, names, answer):
        old = [(owner, key, _get(owner, key)) for owner, key, _ in puts]
        for owner, key, new in puts:
            _set(owner, key, new)
        yield words if isinstance(words, Words) else Words(words), line
        for owner, key, new in reversed(old):
            _set(owner, key, new)


def _get(owner, key):
    return owner[key] if isinstance(owner, list) else getattr(owner, key)


def _set(owner, key, new):
    if isinstance(owner, list):
        owner[key] = new
    else:
        setattr(owner, key, new)


def _changes(tree, names, answer):
    """All changes of the tree, those that students need most often first: words, line, [(owner, key, new)]."""
    slots = [*_slots(tree)]
    kin: dict[tuple, list] = {}
    place = {id(node): (ast.dump(node), _dump(owner), role) for owner, _, node, role in slots}
    for owner, key, node, _ in slots:  # the same part of the same expression may be wrong wherever it stands
        kin.setdefault(place[id(node)], []).append((owner, key, node))

    def put(owner, key, node, words, new):
        yield words, node.lineno, [(owner, key, _placed(new, node))]
        alike = kin[place[id(node)]]
        if len(alike) > 1 and alike[0][2] is node:
            yield Words(words, len(alike)), node.lineno, [(a, b, _placed(new, c)) for a, b, c in alike]

    for kind in (_of_signs, _of_functions, _of_numbers, _of_products, _of_order):
        for owner, key, node, role in slots:
            for words, new in kind(node, role):
                yield from put(owner, key, node, words, new)
    yield from _of_statements(tree, answer)
    atoms = _atoms(slots, names)
    for owner, key, node, role in slots:
        here = place[id(node)][0]
        for name, new in atoms.items() if here in atoms and role != "count" else ():
            if name != here:
                yield from put(owner, key, node, ATOM.format(ast.unparse(node)), new)
    for owner, key, node, role in slots:
        for new in atoms.values() if role == "term" and not isinstance(node, ast.Constant) else ():
            for operator, words in FACTORS.items():
                yield from put(owner, key, node, words, ast.BinOp(node, operator(), new))
    for owner, key, node, role in slots:
        for new in atoms.values() if role == "term" and not isinstance(node, ast.Constant) else ():
            for operator in SIGNS:
                yield from put(owner, key, node, "a term is missing", ast.BinOp(node, operator(), new))
    for here, one in atoms.items():  # one that is wrong wherever it stands
        places = [slot for slot in slots if place[id(slot[2])][0] == here]
        for name, new in atoms.items() if len(places) > 1 else ():
            if name != here:
                words = Words(ATOM.format(ast.unparse(one)), len(places))
                yield words, places[0][2].lineno, [(a, b, _placed(new, c)) for a, b, c, _ in places]


def _dump(owner):
    """What an owner of a part says, as text; nothing of a list of entries."""
    return "" if isinstance(owner, list) else ast.dump(owner)


def _placed(new, node):
    """A copy of a new part, where the old one stands."""
    return ast.fix_missing_locations(ast.copy_location(copy.deepcopy(new), node))


def _slots(tree):
    """Where an expression stands: (owner, key, expression, role), the role "term", "index", "count" or another."""
    for parent in ast.walk(tree):
        if isinstance(
            parent, (ast.JoinedStr, ast.FormattedValue, ast.arguments, ast.Import, ast.ImportFrom, ast.alias)
        ):
            continue
        for field, value in ast.iter_fields(parent):
            if field in ("decorator_list", "annotation", "returns", "targets", "target", "ctx", "op", "ops"):
                continue
            if isinstance(parent, ast.Attribute) and field == "value" and not isinstance(value, (ast.BinOp, ast.Call)):
                continue
            if isinstance(parent, ast.Subscript) and field == "value":
                continue
            role = (
                "function" if field == "func" else "index" if isinstance(parent, (ast.Slice, ast.Subscript)) else "term"
            )
            if isinstance(parent, (ast.Compare, ast.keyword, ast.For, ast.comprehension, ast.If)):
                role = "other"
            if isinstance(parent, ast.Call) and field == "args" and called(parent) in NO_TERMS:
                role = "count"
            if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Pow) and field == "right":
                role = "power"
            for owner, key, node in (
                [(value, k, one) for k, one in enumerate(value)]
                if isinstance(value, list)
                else [(parent, field, value)]
            ):
                if isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
                    yield owner, key, node, role


def called(call):
    """The name of what is called."""
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def _of_signs(node, role):
    """A sign that is wrong."""
    if role != "term" or isinstance(node, (ast.Tuple, ast.List, ast.Lambda, ast.ListComp, ast.GeneratorExp)):
        return
    if isinstance(node, ast.BinOp) and type(node.op) in SIGNS:
        yield SIGN, ast.BinOp(node.left, SIGNS[type(node.op)](), node.right)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield SIGN, node.operand
    elif not (isinstance(node, ast.Constant) and not isinstance(node.value, (int, float))):
        yield SIGN, ast.UnaryOp(ast.USub(), node)


def _of_functions(node, role):
    """A function that is another, too many, or missing."""
    if role == "function":
        name = getattr(node, "attr", getattr(node, "id", ""))
        for table in (WAVES, OTHERS):
            if name in table:
                new = copy.copy(node)
                setattr(new, "attr" if hasattr(node, "attr") else "id", table[name])
                yield f"{name} should be another function", new
    elif isinstance(node, ast.Call):
        name = called(node)
        plain = [one for one in node.args if not isinstance(one, (ast.Starred, ast.GeneratorExp, ast.ListComp))]
        if len(plain) == 1 and name not in ("array", "Matrix", "range", "len", "list", "tuple", "float", "enumerate"):
            yield f"{name} should not be there", plain[0]
        if len(plain) > 1:
            yield (
                f"two arguments of {name} are exchanged",
                ast.Call(node.func, [plain[1], plain[0], *node.args[2:]], node.keywords),
            )
    elif role == "term" and isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Attribute) and node.attr == "T":
            yield "something is transposed that should not be", node.value
        else:
            yield "something should be transposed", ast.Attribute(node, "T", ast.Load())


def _of_numbers(node, role):
    """A number, an index or a power that is another; a factor 2; a square."""
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        words = {"index": "an index", "power": "a power", "count": "a number, as an end of a range,"}.get(
            role, "a number"
        )
        for new in dict.fromkeys((value + 1, value - 1, 0, 1, 2, 3, 4, 6, 12, 0.5, 2 * value, value / 2, 9.81)):
            if new != value and not (role == "index" and new != int(new)):
                less = ", or what stands with it is too many" if new == 0 and words == "a number" else ""
                yield f"{words} is wrong{less}: {ast.unparse(node)}", ast.Constant(new)
        return
    if role in ("index", "count") and isinstance(node, (ast.Name, ast.BinOp)):
        for sign in (ast.Add(), ast.Sub()):
            yield "an index, or an end of a range, is off by one", ast.BinOp(node, sign, ast.Constant(1))
    if role == "term" and not isinstance(node, (ast.Tuple, ast.List, ast.Lambda, ast.UnaryOp)):
        for number in (2.0, 0.5):
            yield "a factor 2 is missing or too many", ast.BinOp(ast.Constant(number), ast.Mult(), node)
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
            yield "something should be squared", ast.BinOp(node, ast.Pow(), ast.Constant(2))


def _of_products(node, role):
    """A factor or a term too many, another kind or order of a product."""
    if not isinstance(node, ast.BinOp):
        return
    left, operator, right = node.left, node.op, node.right
    if isinstance(operator, (ast.Mult, ast.Div, ast.MatMult)):
        yield "a factor is too many", left
        yield "a factor is too many", right
        for other in (ast.Mult, ast.Div, ast.MatMult):
            if not isinstance(operator, other):
                yield "a product, or a quotient, is of the wrong kind", ast.BinOp(left, other(), right)
        if not isinstance(operator, ast.Mult):
            yield "the order of a product, or of a quotient, is wrong", ast.BinOp(right, operator, left)
    elif isinstance(operator, (ast.Add, ast.Sub)):
        yield "a term is too many", left
        yield "a term is too many", right
        yield "a sum should be a product", ast.BinOp(left, ast.Mult(), right)
    elif isinstance(operator, ast.Pow):
        yield "a power should not be there", left


def _of_order(node, role):
    """Entries that are exchanged, and a comparison that is another."""
    if isinstance(node, (ast.Tuple, ast.List)) and 2 <= len(node.elts) <= 4:
        for i in range(len(node.elts)):
            for j in range(i):
                swapped = list(node.elts)
                swapped[i], swapped[j] = swapped[j], swapped[i]
                yield "two entries are exchanged", type(node)(swapped, ast.Load())
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in ORDERS:
        yield "a comparison is another", ast.Compare(node.left, [ORDERS[type(node.ops[0])]()], node.comparators)


def _of_statements(tree, answer):
    """Lines that stand in the wrong order, or are too many, and a sign of what is added; the answer itself has its line."""
    for parent in ast.walk(tree):
        body = getattr(parent, "body", [])
        for k, one in enumerate(body) if isinstance(body, list) else ():
            if isinstance(one, ast.AugAssign) and type(one.op) in SIGNS:
                yield SIGN, one.lineno, [(one, "op", SIGNS[type(one.op)]())]
            if not isinstance(one, (ast.Assign, ast.AugAssign)):
                continue
            if isinstance(one, ast.Assign) and parent is tree and answer in map(_root, one.targets):
                continue
            yield "the line is too many", one.lineno, [(body, k, ast.copy_location(ast.Pass(), one))]
            if k + 1 < len(body) and isinstance(body[k + 1], (ast.Assign, ast.AugAssign, ast.Expr)):
                words = "the order of this line and the next is wrong"
                yield words, one.lineno, [(body, k, body[k + 1]), (body, k + 1, one)]


def _root(target):
    """The name that is given a value, or of which a part is."""
    while hasattr(target, "value"):
        target = target.value
    return getattr(target, "id", "")


def _atoms(slots, names):
    """{dump: expression} of what a cell computes with: names, entries and waves of them, and further numbers of the student's."""
    found: dict[str, ast.expr] = {}
    for _, _, node, role in slots:
        wave = isinstance(node, ast.Call) and getattr(node.func, "attr", "") in WAVES
        single = isinstance(node, (ast.Name, ast.Subscript, ast.Attribute)) and role != "function"
        if not (wave or single) or (isinstance(node, ast.Name) and _is_tool(names.get(node.id))):
            continue
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and _is_tool(names.get(node.value.id)):
            continue
        if isinstance(node, ast.Subscript) and isinstance(node.slice, (ast.Slice, ast.Tuple)):
            continue
        found.setdefault(ast.dump(node), node)
    for node in [*found.values()]:  # the same of a kin: another entry, another number of the student's
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.slice.value in (0, 1):
            entry = ast.Subscript(node.value, ast.Constant(1 - node.slice.value), ast.Load())
            found.setdefault(ast.dump(entry), entry)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names:
            for name, one in vars(names[node.value.id]).items() if hasattr(names[node.value.id], "__dict__") else ():
                if isinstance(one, (int, float)) and not name.startswith("_"):
                    number = ast.Attribute(node.value, name, ast.Load())
                    found.setdefault(ast.dump(number), number)
    return dict([*found.items()][:MOST_ATOMS])


def _is_tool(value):
    """Whether a name stands for something to compute with, as a module or a function, and not for a quantity."""
    return isinstance(value, (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type))
