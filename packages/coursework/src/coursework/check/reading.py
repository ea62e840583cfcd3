"""Reads a formula as text and evaluates it at many points, without eval: tokens -> flat program -> numbers.

The grammar is arithmetic, named symbols and a list of functions; nothing else can be said in it, so nothing else can
happen.  No recursion: a formula may be as long and as deep as it likes, within MOST_TOKENS.
"""

from __future__ import annotations

import operator
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coursework.check.aliases import Program

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
PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "neg": 3, "**": 4}
ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "**": operator.pow}
MOST_TOKENS = 500_000
MOST_BITS = 100  # of an exponent, where numbers have as many digits as they need


class Unreadable(ValueError):
    """A text that is no formula in the grammar; the sentence says where."""


def plain_name(name: str) -> str:
    """Return the name without underscores and with d for dot: q_1 and q1, qdot_1 and qd1 are the same symbol."""
    return name.replace("_", "").replace("ddot", "dd").replace("dot", "d")


def read(text: str) -> Program:
    """Return the program of a formula, in reverse Polish order: ("number", x), ("symbol", name), (operation, count)."""
    if not isinstance(text, str):
        raise Unreadable(f"a formula must be text, got a {type(text).__name__}")
    return _Reader(text.rstrip()).read()


class _Reader:
    """Reads one formula from left to right: what is read goes into the program, what waits for its operands does not yet."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.program: Program = []
        self.waiting: Program = []  # operators, functions and parentheses that are open
        self.counts: list[int] = []  # of the arguments in each open parenthesis
        self.operand_next = True

    def read(self) -> Program:
        """Return the program.  Raises Unreadable."""
        place, tokens = 0, 0
        while place < len(self.text):
            match = TOKEN.match(self.text, place)
            tokens += 1
            if match is None or tokens > MOST_TOKENS:
                what = f"{self.text[place : place + 20]!r} is no part of a formula"
                raise Unreadable(f"more than {MOST_TOKENS} parts" if match else what)
            number, name, sign = match.groups()
            self._token(number, name, sign, place, match.end())
            place = match.end()
        if self.operand_next:
            raise Unreadable("the formula ends too early" if self.program else "the formula is empty")
        self._unwind(0)
        if self.waiting:
            raise Unreadable("a parenthesis is not closed")
        return self.program

    def _token(self, number: str | None, name: str | None, sign: str | None, start: int, end: int) -> None:
        """Take a token from start to end of the text: a number, a name, or a sign."""
        if sign is None:
            self._need(not self.operand_next, "an operator", start)
            self._operand(number, name, end)
        elif sign == "(":
            self._need(not self.operand_next, "an operator", start)
            self.waiting.append(("(", None))
            self.counts.append(1)
        elif sign in "),":
            self._need(self.operand_next, "something", start)
            self._argument_ends(sign)
        elif self.operand_next:
            self._need(sign not in "+-", "something", start)
            if sign == "-":
                self.waiting.append(("neg", PRECEDENCE["neg"]))
        else:
            operation = "**" if sign == "^" else sign
            self._unwind(PRECEDENCE[operation] + (operation == "**"))
            self.waiting.append((operation, PRECEDENCE[operation]))
            self.operand_next = True

    def _need(self, is_missing: bool, what: str, start: int) -> None:
        if is_missing:
            raise Unreadable(f"{what} is missing before {self.text[start : start + 20]!r}")

    def _operand(self, number: str | None, name: str | None, end: int) -> None:
        """Take a number, a constant or a symbol; or a function, if a parenthesis follows its name."""
        if name is not None and self.text[end : end + 1] == "(":
            if name not in FUNCTIONS:
                raise Unreadable(f"the function {name!r} is not known here")
            self.waiting.append(("call", name))
            return
        self.program.append(_named(name) if name is not None else ("number", float(number or "")))
        self.operand_next = False

    def _argument_ends(self, sign: str) -> None:
        """Take a comma, or close a parenthesis, and with it perhaps a function."""
        self._unwind(0)
        if not self.waiting:
            closed = "a parenthesis is closed that was never opened"
            raise Unreadable(closed if sign == ")" else "a comma stands outside of a function: decimals need a point")
        if sign == ",":
            self.counts[-1] += 1
            self.operand_next = True
            return
        self.waiting.pop()
        arguments = self.counts.pop()
        function = self.waiting.pop()[1] if self.waiting and self.waiting[-1][0] == "call" else None
        if arguments != (FUNCTIONS[function] if function else 1):
            raise Unreadable(f"{function or 'a parenthesis'} with {arguments} arguments")
        if function:
            self.program.append((function, arguments))

    def _unwind(self, order: int) -> None:
        """Move what binds at least as tightly as `order` from the waiting operators to the program."""
        while self.waiting and self.waiting[-1][0] not in ("(", "call") and self.waiting[-1][1] >= max(order, 1):
            operation, _ = self.waiting.pop()
            self.program.append((operation, 1 if operation == "neg" else 2))


def symbols(program: Program) -> set[str]:
    """Return the names of the symbols in a program."""
    return {value for operation, value in program if operation == "symbol"}


def evaluate(program: Program, point: Any, xp: Any) -> Any:
    """Return the value of a program: point maps names to numbers; xp gives the functions, `check.plain` or mpmath."""
    exact = hasattr(xp, "mag")  # as many digits as it takes: sizes are bounded before anything grows
    constants = {"pi": xp.pi, "E": xp.e, "I": xp.j}
    stack: list[Any] = []
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
            b = stack.pop()
            a = stack.pop()
            if operation == "**" and exact and a != 0 and xp.mag(b) + xp.mag(abs(xp.mag(a)) + 1) > MOST_BITS:
                raise Unreadable("a power is too large")
            stack.append(ARITHMETIC[operation](a, b))
        elif operation == "atan2":
            x = stack.pop()
            y = stack.pop()
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


def _named(name: str) -> tuple[str, str]:
    return ("constant", name) if name in CONSTANTS else ("symbol", plain_name(name))
