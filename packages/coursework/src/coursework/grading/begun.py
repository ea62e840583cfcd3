"""For whom a notebook was begun: the ids with which its cells call check.begin, read as Python reads them; nothing runs."""

import ast
import unicodedata
import warnings
from collections.abc import Iterable, Iterator

MOST_NESTED = 5  # commands of IPython in commands, as %time %prun


def ids_begun(sources: Iterable[str]) -> list[str]:
    """Return the ids in lower case, in order; one that takes more than reading to know is none."""
    names: dict[str, ast.expr] = {}
    found = set()
    for source in sources:
        nodes = [*_nodes(source, MOST_NESTED)]
        for node in nodes:
            if isinstance(node, ast.Assign):
                names |= {target.id: node.value for target in node.targets if isinstance(target, ast.Name)}
        found |= {
            _id_of(node, names) for node in nodes if isinstance(node, ast.Call) and _function_name(node) == "begin"
        }
    return sorted(found - {""})


def _nodes(source: str, depth: int) -> Iterator[ast.AST]:
    """Yield the nodes of a cell, and of the programs that its commands of IPython run."""
    for node in ast.walk(_program(source)):
        yield node
        if (
            depth
            and isinstance(node, ast.Call)
            and _function_name(node) in ("run_line_magic", "run_cell_magic")
            and node.args
        ):
            *_, body = node.args
            if isinstance(body, ast.Constant) and isinstance(body.value, str):
                yield from _nodes(body.value, depth - 1)


def _program(source: str) -> ast.AST:
    """Return a cell as a tree, an empty one where it is no Python and never runs."""
    from IPython.core.inputtransformer2 import TransformerManager

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for read in (TransformerManager().transform_cell, str):
            try:
                return ast.parse(read(source))
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
    return ast.Module([], [])


def _function_name(call: ast.Call) -> str:
    """Return the last name of what is called."""
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def _id_of(call: ast.Call, names: dict[str, ast.expr]) -> str:
    """Return the id that a call of begin has, "" for none."""
    given = {word.arg: word.value for word in call.keywords} | dict(zip(("assignment", "student"), call.args))
    try:
        return unicodedata.normalize("NFC", str(_constant(given["student"], names))).strip().lower()
    except (KeyError, ValueError, RecursionError):
        return ""


def _constant(node: ast.expr, names: dict[str, ast.expr]) -> str | int:
    """Return the text or number that an expression is.  Raises ValueError where it takes more than reading to know."""
    match node:
        case ast.Constant(value=str() | int() as value):
            return value
        case ast.Name(id=name) if name in names:
            return _constant(names[name], {one: value for one, value in names.items() if one != name})
        case ast.JoinedStr(values=parts):
            return "".join(str(_constant(part, names)) for part in parts)
        case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
            return _constant(value, names)
        case ast.Call(func=ast.Name(id="str"), args=[value], keywords=[]):
            return _constant(value, names)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            joined = _constant(left, names), _constant(right, names)
            if all(isinstance(one, str) for one in joined):
                return "".join(map(str, joined))
    raise ValueError("an expression that is computed")


def same_id(typed: str | None, student: str) -> bool:
    """Return whether an id is that of a student, written in capitals, with blanks, or in other code points."""
    one, other = (unicodedata.normalize("NFC", text or "").strip().lower() for text in (typed, student))
    return one == other


def describe_other_id(typed: str | None, student: str) -> str:
    """Return the sentence that says by which id a notebook was begun, and with whose numbers it is graded.

    typed: "" where none is written; None where the call does not say it.
    """
    if typed is None:
        said = "the id with which the notebook was begun is not written in its call, or is too long"
    elif typed.strip():
        said = f"the notebook was begun as {typed[:40]!r}"
    else:
        said = "the notebook was begun without an id"
    return f"{said}; it is graded with the numbers of {student!r}"
