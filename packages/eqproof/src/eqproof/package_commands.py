r"""Commands of packages that take optional arguments, stars or brackets: \dv[2]{f}{x}, \qty(a + b), \SI{2}{\kilo\metre}, \mqty(..).

Those of physics, derivative, siunitx and the like; what a text defines itself is left to its own definition. What takes plain
arguments alone stands in COMMON of `eqproof.own_commands`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from eqproof.own_commands import closing_brace
from eqproof.unit_values import value_of_unit

PREFIX = {
    "quecto": "", "yocto": "y", "zepto": "z", "atto": "a", "femto": "f", "pico": "p", "nano": "n", "micro": "µ", "milli": "m",
    "centi": "c", "deci": "d", "deca": "da", "hecto": "h", "kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P",
}  # fmt: skip
UNITS = {
    "meter": "m", "second": "s", "gram": "g", "kilogram": "kg", "ampere": "A", "kelvin": "K", "mole": "mol",
    "candela": "cd", "newton": "N", "joule": "J", "watt": "W", "pascal": "Pa", "hertz": "Hz", "volt": "V", "coulomb": "C",
    "ohm": "ohm", "farad": "F", "henry": "H", "tesla": "T", "weber": "Wb", "siemens": "S", "radian": "rad", "steradian": "sr",
    "liter": "L", "minute": "min", "hour": "h", "day": "d", "bar": "bar", "electronvolt": "eV", "tonne": "t",
    "lumen": "lm", "lux": "lx", "m": "m", "s": "s", "kg": "kg", "g": "g", "mm": "mm", "cm": "cm", "km": "km", "N": "N",
    "kN": "kN", "J": "J", "kJ": "kJ", "W": "W", "kW": "kW", "Hz": "Hz", "kHz": "kHz", "MHz": "MHz", "Pa": "Pa", "kPa": "kPa",
    "MPa": "MPa", "V": "V", "A": "A", "mA": "mA", "K": "K", "ms": "ms", "mol": "mol", "rad": "rad", "eV": "eV",
    "arcminute": None, "percent": None, "celsius": None, "degreeCelsius": None,
}  # fmt: skip
POWERS_BEHIND = {"squared": "2", "cubed": "3"}
POWERS_IN_FRONT = {"square": "2", "cubic": "3"}
DEGREES = ("degree", "angularDegree")
COMMAND = re.compile(r"(?<!\\)\\([a-zA-Z]+)\*?")
UNIT_GROUP = re.compile(  # 36\,\mathrm{km/h}
    r"(?<=[\d}])((?:\s|\\[,;:! ]|~)*)\\(?:mathrm|text|textrm|textup|mbox)\s*\{((?:[^{}$]|\{\s*-?\d+\s*\}|\$\s*\^\s*\{?-?\d\}?\s*\$)+)\}"
)
BRACKETS = {"(": ")", "[": "]", "|": "|"}
MATRICES = {"(": "pmatrix", "[": "bmatrix", "|": "vmatrix", "{": "matrix"}
Writer = Callable[
    [str, int], tuple[str, int] | None
]  # (a formula, where a command ends) -> (what it prints, where that ends)
Argument = tuple[str, str, int]  # (its opening, "" without one; what stands in it; where it ends)


def argument(latex: str, at: int, openings: str = "{") -> Argument:
    """Return the argument that begins at a place, behind spaces, in one of some brackets; of \\left( .. \\right) too."""
    match = re.compile(r"\s*").match(latex, at)
    start = match.end() if match else at
    opening = latex[start : start + 1]
    if opening == "{" and "{" in openings:
        end = closing_brace(latex, start)
        return ("{", latex[start + 1 : end - 1], end) if end else ("", "", at)
    if not opening or opening not in openings:
        return "", "", at
    depth = 0
    for i in range(start, len(latex)):
        depth += {"{": 1, "}": -1}.get(latex[i], 0) if latex[i - 1] != "\\" else 0
        if depth == 0 and i > start and latex[i] == BRACKETS[opening] and closes(latex, start, i, opening):
            return opening, latex[start + 1 : i], i + 1
    return "", "", at


def closes(latex: str, start: int, end: int, opening: str) -> bool:
    """Tell whether a bracket at a place closes the one at another place."""
    inside = latex[start + 1 : end]
    return opening == "|" or inside.count(opening) == inside.count(BRACKETS[opening])


def derivative(sign: str) -> Writer:
    r"""Return how \dv or \pdv is written out: [n]{f}{x}, {x}, {f}{x}{y}, {f}{x, y}."""

    def written(latex: str, at: int) -> tuple[str, int] | None:
        _, order, at = argument(latex, at, "[")
        groups: list[str] = []
        while len(groups) < (3 if sign != "d" and not order else 2):
            opened, inside, end = argument(latex, at)
            if not opened:
                break
            groups.append(inside)
            at = end
        if not groups:
            return None
        body = groups[0] if len(groups) > 1 else ""
        letters = [x.strip() for group in groups[1:] or groups for x in group.split(",") if x.strip()]
        made = quotient(sign, order, body, letters)
        return (made, at) if made else None

    return written


def quotient(sign: str, order: str, body: str, letters: list[str]) -> str | None:
    r"""Return a derivative as a fraction, \frac{\partial^{2} f}{\partial x \partial y}; None where its order is not told."""
    if not letters or (len(letters) > 1 and order):
        return None
    total = order or (str(len(letters)) if len(letters) > 1 else "")
    above = f"{sign}^{{{total}}}" if total else sign
    below = " ".join(f"{sign} {x}" + (f"^{{{order}}}" if order else "") for x in letters)
    return rf"\frac{{{above} {body}}}{{{below}}}"


def bracketed(latex: str, at: int) -> tuple[str, int] | None:
    r"""Return \qty(..), \qty[..], \qty|..| and \qty{..} with their brackets; \qty{2}{m} is a quantity."""
    opened, inside, end = argument(latex, at, "([|{")
    if opened == "{" and re.fullmatch(r"[-+\d.,\s]*(?:e[-+]?\d+)?", inside.strip()) and argument(latex, end)[0]:
        return quantity(latex, at)
    pairs = {"(": ("(", ")"), "[": ("[", "]"), "|": (r"\lvert ", r"\rvert "), "{": (r"\bigl\{", r"\bigr\}")}
    return (f"{pairs[opened][0]}{inside}{pairs[opened][1]}", end) if opened else None


def number(text: str) -> str | None:
    """Return a number of siunitx, 1.5e3, as it is printed; None where it is none."""
    text = re.sub(r"[\s]", "", text).replace(",", ".")
    match = re.fullmatch(r"([-+]?)(\d*\.?\d*)(?:[eEdD]([-+]?\d+))?", text)
    if not match or not (match[2] or match[3]):
        return None
    digits = match[2] or "1"
    digits = f"0{digits}" if digits.startswith(".") else digits.rstrip(".") if digits.endswith(".") else digits
    power = rf" \cdot 10^{{{int(match[3])}}}" if match[3] else ""
    return f"{match[1] if match[1] == '-' else ''}{digits}{power}"


@dataclass
class PrintedUnits:
    """Units of siunitx while they are read: (name, power, whether it stands below the line), and what the next one gets."""

    found: list[tuple[str, str, bool]] = field(default_factory=list)
    prefix: str = ""
    power: str = ""
    below: bool = False

    def take(self, token: str) -> bool:
        """Take a token; return whether it is read."""
        name = re.sub("(?<=t)re$", "er", token.removeprefix("\\"))
        command = token.startswith("\\")
        if token in ("/", r"\per"):
            self.below = True
        elif token.startswith("^") or name in POWERS_BEHIND:
            return self.raise_last(POWERS_BEHIND.get(name) or re.sub(r"[\^{}\s]", "", token))
        elif command and name in PREFIX:
            self.prefix = PREFIX[name]
        elif command and name in POWERS_IN_FRONT:
            self.power = POWERS_IN_FRONT[name]
        else:
            return self.add(UNITS.get(name) if command else name if name.isalpha() else None)
        return True

    def raise_last(self, power: str) -> bool:
        """Raise the last unit to a power, once."""
        if not self.found or self.found[-1][1]:
            return False
        name, _, below = self.found[-1]
        self.found[-1] = (name, power, below)
        return True

    def add(self, name: str | None) -> bool:
        """Add a unit with what stands in front of it."""
        if name is None:
            return False
        self.found.append((self.prefix + name, self.power, self.below))
        self.prefix, self.power, self.below = "", "", False
        return True

    def row(self, below: bool) -> str:
        """Return the units above or below the line as they are printed."""
        names = [(name, power) for name, power, low in self.found if low == below]
        return r"\,".join(rf"\mathrm{{{name}}}" + (f"^{{{power}}}" if power else "") for name, power in names)


def units(text: str) -> str | None:
    r"""Return the units of siunitx, \kilo\metre\per\second or kg.m/s^2, as they are printed; None of what is not read."""
    tokens = re.findall(r"\\[a-zA-Z,]+|[a-zA-Zµ]+|[./~*]|\^\s*\{?\s*-?\d+\s*\}?|\S", text)
    printed = PrintedUnits()
    if not all(token in (".", "~", "*", r"\cdot", r"\,") or printed.take(token) for token in tokens):
        return None
    above, below = printed.row(below=False), printed.row(below=True)
    return rf"\frac{{{above or '1'}}}{{{below}}}" if below else above or None


def quantity(latex: str, at: int) -> tuple[str, int] | None:
    r"""Return \SI{2}{\metre} as a number with its unit, in brackets where a power stands behind it."""
    _, _, at = argument(latex, at, "[")
    opened, value, end = argument(latex, at)
    also, unit, end = argument(latex, end)
    printed = number(value)
    if not opened or not also or printed is None:
        return None
    if unit.strip().removeprefix("\\") in DEGREES:
        return rf"{printed}^\circ ", end
    named = units(unit)
    if not named:
        return None
    whole = rf"{printed}\,{named}"
    return (rf"\left({whole}\right)" if re.match(r"\s*\^|\s*\\SI", latex[end:]) else whole), end


def unit_group(match: re.Match[str]) -> str:
    r"""Return the units that stand in one group, \mathrm{km/h}, each in its own; the group where one of them is none."""
    inside = re.sub(r"\$|\\[,;: ]|~|\\cdot(?![a-zA-Z])|\s|\\!", " ", match[2]).strip()
    words = re.findall("[a-zA-Zµ]+", inside)
    if (len(words) < 2 and "^" not in inside) or inside.count("/") > 1 or any(value_of_unit(x) is None for x in words):
        return match.group()
    above, _, below = inside.partition("/")
    if len(re.findall("[a-zA-Zµ]+", below)) > 1:  # kg/m s: what the slash divides by can be read in two ways
        return match.group()
    made = units(inside)
    return f"{match[1]}{made}" if made else match.group()


def siunitx_number(latex: str, at: int) -> tuple[str, int] | None:
    r"""Return \num{1.5e3} as it is printed."""
    _, _, at = argument(latex, at, "[")
    opened, value, end = argument(latex, at)
    printed = number(value)
    return (printed, end) if opened and printed is not None else None


def angle(latex: str, at: int) -> tuple[str, int] | None:
    r"""Return \ang{30} as it is printed; minutes of an angle are not read."""
    made = siunitx_number(latex, at)
    return (rf"{made[0]}^\circ ", made[1]) if made else None


def lone_unit(latex: str, at: int) -> tuple[str, int] | None:
    r"""Return \si{\metre} and \unit{m/s} as they are printed."""
    opened, unit, end = argument(latex, at)
    named = units(unit) if opened else None
    return (named, end) if named else None


def matrix(latex: str, at: int) -> tuple[str, int] | None:
    r"""Return \mqty(a & b \\ c & d) as a matrix."""
    opened, inside, end = argument(latex, at, "([|{")
    name = MATRICES.get(opened)
    return (rf"\begin{{{name}}}{inside}\end{{{name}}}", end) if name else None


def named_matrix(name: str) -> Writer:
    r"""Return how \pmqty{..} and its like are written out."""

    def written(latex: str, at: int) -> tuple[str, int] | None:
        opened, inside, end = argument(latex, at)
        return (rf"\begin{{{name}}}{inside}\end{{{name}}}", end) if opened else None

    return written


def between(opening: str, closing: str) -> Writer:
    r"""Return how \abs{x}, \abs(x) and \pqty{x} are written out: with their brackets."""

    def written(latex: str, at: int) -> tuple[str, int] | None:
        opened, inside, end = argument(latex, at, "{(")
        return (f"{opening}{inside}{closing}", end) if opened else None

    return written


def evaluated(latex: str, at: int) -> tuple[str, int] | None:
    r"""Return \eval{x^2}_0^1 as a value between two places."""
    opened, inside, end = argument(latex, at, "{(")
    return (rf"\left.{inside}\right|", end) if opened else None


def differential(latex: str, at: int) -> tuple[str, int] | None:
    r"""Return \dd{x} and \dd x; of \dd[3]{x} several letters may be meant, and it is left."""
    order, _, _ = argument(latex, at, "[")
    opened, inside, end = argument(latex, at, "{(")
    if order:
        return None
    return (rf"\,d {inside.strip()}", end) if opened else (r"\,d ", at)


def crossed(sign: str) -> Writer:
    """Return how a sign without arguments is written out."""
    return lambda latex, at: (f"{sign} ", at)


WRITTEN: dict[str, Writer] = {
    **dict.fromkeys(("dv", "derivative", "odv", "diff"), derivative("d")),
    **dict.fromkeys(("pdv", "pderivative", "partialderivative", "diffp"), derivative(r"\partial")),
    "qty": bracketed,
    "SI": quantity,
    "num": siunitx_number,
    "ang": angle,
    **dict.fromkeys(("si", "unit"), lone_unit),
    **dict.fromkeys(("mqty", "matrixquantity"), matrix),
    "pmqty": named_matrix("pmatrix"),
    "bmqty": named_matrix("bmatrix"),
    **dict.fromkeys(("vmqty", "mdet"), named_matrix("vmatrix")),
    **dict.fromkeys(("abs", "absolutevalue", "vqty"), between(r"\lvert ", r"\rvert ")),
    "norm": between(r"\lVert ", r"\rVert "),
    "pqty": between("(", ")"),
    "bqty": between("[", "]"),
    "Bqty": between(r"\{", r"\}"),
    **dict.fromkeys(("eval", "evaluated"), evaluated),
    **dict.fromkeys(("dd", "differential"), differential),
    **dict.fromkeys(("vdot", "dotproduct"), crossed(r"\cdot")),
    **dict.fromkeys(("cross", "crossproduct", "cp"), crossed(r"\times")),
}


def with_package_commands(latex: str, own: dict[str, str]) -> str:
    """Return a formula with what common packages print for their commands; own: commands that the text defines, which stay."""
    latex = UNIT_GROUP.sub(unit_group, latex)
    at = 0
    while match := COMMAND.search(latex, at):
        at = match.end()
        write = WRITTEN.get(match[1]) if f"\\{match[1]}" not in own else None
        made = write(latex, match.end()) if write else None
        if made:
            latex = latex[: match.start()] + made[0] + latex[made[1] :]
            at = match.start() + 1  # what it holds may be commands of packages, too
    return latex
