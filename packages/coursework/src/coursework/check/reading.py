"""Reads a formula as text and evaluates it at many points, without eval: tokens -> flat program -> numbers.

The grammar is arithmetic, named symbols and a list of functions; nothing else can be said in it, so nothing else can
happen.  No recursion: a formula may be as long and as deep as it likes, within MOST_TOKENS.
"""

import operator
import re

TOKEN = re.compile(
    r"\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([^\W\d]\w*)|(\*\*|[-+*/^(),]))", re.ASCII
)
FUNCTIONS = dict.fromkeys(
    [
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "sinh",
        "cosh",
        "tanh",
        "asinh",
        "acosh",
        "atanh",
        "exp",
        "log",
        "sqrt",
        "Abs",
        "sign",
        "sec",
        "csc",
        "cot",
    ],
    1,
) | {"atan2": 2}
CONSTANTS = {"pi", "E", "I"}
ORDER = {"+": 1, "-": 1, "*": 2, "/": 2, "neg": 3, "**": 4}
ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "**": operator.pow}
MOST_TOKENS = 500_000
MOST_BITS = 100  # of an exponent, where numbers have as many digits as they need


class Unreadable(ValueError):
    """A text that is no formula in the grammar; the sentence says where."""


def plain_name(name):
    """Return the name without underscores and with d for dot: q_1 and q1, qdot_1 and qd1 are the same symbol."""
    return name.replace("_", "").replace("ddot", "dd").replace("dot", "d")


def read(text):
    """Return the program of a formula, in reverse Polish order: ("number", x), ("symbol", name), (operation, count)."""
    if not isinstance(text, str):
        raise Unreadable(f"a formula must be text, got a {type(text).__name__}")
    program, waiting, counts = [], [], []
    operand_next, place, tokens = True, 0, 0
    text = text.rstrip()
    while place < len(text):
        match = TOKEN.match(text, place)
        tokens += 1
        if match is None or tokens > MOST_TOKENS:
            what = (
                f"more than {MOST_TOKENS} parts" if match else f"{text[place : place + 20]!r} is no part of a formula"
            )
            raise Unreadable(what)
        start, place = place, match.end()
        number, name, sign = match.groups()
        if number or name:
            if not operand_next:
                raise Unreadable(f"an operator is missing before {text[start : start + 20]!r}")
            called = name is not None and text[place : place + 1] == "("
            if called and name not in FUNCTIONS:
                raise Unreadable(f"the function {name!r} is not known here")
            if called:
                waiting.append(("call", name))
            else:
                program.append(("number", float(number)) if number else _named(name))
                operand_next = False
        elif sign == "(":
            if not operand_next:
                raise Unreadable(f"an operator is missing before {text[start : start + 20]!r}")
            waiting.append(("(", None))
            counts.append(1)
        elif sign in "),":
            if operand_next:
                raise Unreadable(f"something is missing before {text[start : start + 20]!r}")
            _unwind(program, waiting, 0)
            if not waiting:
                closed = "a parenthesis is closed that was never opened"
                raise Unreadable(
                    closed if sign == ")" else "a comma stands outside of a function: decimals need a point"
                )
            if sign == ",":
                counts[-1] += 1
                operand_next = True
                continue
            waiting.pop()
            arguments = counts.pop()
            function = waiting.pop()[1] if waiting and waiting[-1][0] == "call" else None
            if arguments != (FUNCTIONS[function] if function else 1):
                raise Unreadable(f"{function or 'a parenthesis'} with {arguments} arguments")
            if function:
                program.append((function, arguments))
        elif operand_next:
            if sign not in "+-":
                raise Unreadable(f"something is missing before {text[start : start + 20]!r}")
            if sign == "-":
                waiting.append(("neg", ORDER["neg"]))
        else:
            operation = "**" if sign == "^" else sign
            _unwind(program, waiting, ORDER[operation] + (operation == "**"))
            waiting.append((operation, ORDER[operation]))
            operand_next = True
    if operand_next:
        raise Unreadable("the formula ends too early" if program else "the formula is empty")
    _unwind(program, waiting, 0)
    if waiting:
        raise Unreadable("a parenthesis is not closed")
    return program


def symbols(program):
    """Return the names of the symbols in a program."""
    return {value for operation, value in program if operation == "symbol"}


def evaluate(program, point, xp):
    """Return the value of a program: point maps names to numbers; xp gives the functions, `check.plain` or mpmath."""
    exact = hasattr(xp, "mag")  # as many digits as it takes: sizes are bounded before anything grows
    constants = {"pi": xp.pi, "E": xp.e, "I": xp.j}
    stack = []
    for operation, value in program:
        if operation == "number":
            stack.append(xp.mpf(value))
        elif operation == "symbol":
            stack.append(point[value])
        elif operation == "constant":
            stack.append(constants[value])
        elif operation == "neg":
            stack.append(-stack.pop())
        elif operation in ARITHMETIC:
            b, a = stack.pop(), stack.pop()
            if operation == "**" and exact and a != 0 and xp.mag(b) + xp.mag(abs(xp.mag(a)) + 1) > MOST_BITS:
                raise Unreadable("a power is too large")
            stack.append(ARITHMETIC[operation](a, b))
        elif operation == "atan2":
            x, y = stack.pop(), stack.pop()
            stack.append(xp.atan2(y.real, x.real))
        elif operation in ("sec", "csc", "cot"):
            stack.append(1 / getattr(xp, {"sec": "cos", "csc": "sin", "cot": "tan"}[operation])(stack.pop()))
        elif operation == "Abs":
            stack.append(abs(stack.pop()))
        else:
            if exact and xp.mag(stack[-1]) > MOST_BITS:
                raise Unreadable("an argument is too large")
            stack.append(getattr(xp, operation)(stack.pop()))
    return stack.pop()


def _named(name):
    return ("constant", name) if name in CONSTANTS else ("symbol", plain_name(name))


def _unwind(program, waiting, order):
    """Move what binds at least as tightly as `order` from the waiting operators to the program."""
    while waiting and waiting[-1][0] not in ("(", "call") and waiting[-1][1] >= max(order, 1):
        operation, _ = waiting.pop()
        program.append((operation, 1 if operation == "neg" else 2))
