"""From the tree back to LaTeX: one spelling of each symbol, for messages, and of each equation, for tests."""

from robotdyn.proof import tree

STYLE = {"bold": r"\boldsymbol", "cal": r"\mathcal", "sans": r"\mathsf", "mathbb": r"\mathbb"}


def latex(node):
    """Return the LaTeX of a node."""
    return PRINTERS[type(node).__name__](node)


def joined(words):
    """Return words side by side; a command keeps a space before a letter."""
    text = ""
    for word in words:
        text += (" " if text and text[-1].isalpha() and word[:1].isalpha() and "\\" in text else "") + word
    return text


def symbol(x):
    """Return a symbol with all that it wears."""
    text = x.base if x.base.startswith("\\") or len(x.base) == 1 else rf"\mathrm{{{x.base}}}"
    if x.style:
        text = STYLE[x.style] + (" " if text[0].isalnum() else "") + text
    for accent in (*reversed(x.accents), *(["d" * x.dots + "ot"] if x.dots else [])):
        accent = {"dot": "dot", "ddot": "ddot", "dddot": "dddot"}.get(accent, accent)
        text = (
            rf"\{accent}{{{text}}}"
            if len(text) > 1 and not (text[0] == "\\" and text[1:].isalpha())
            else (rf"\{accent} {text}" if text[0] != "\\" else rf"\{accent}{text}")
        )
    text = ("{}^" + x.pre if x.pre else "") + text + "'" * x.primes
    if x.sub:
        text += f"_{x.sub[0]}" if len(x.sub) == 1 and len(x.sub[0]) == 1 else f"_{{{joined(x.sub)}}}"
    text += f"^{{{x.sup}}}" if x.sup else ""
    return f"{x.prefix} {text}" if x.prefix else text


def inner(x):
    """Return a node as a factor: a sum gets brackets."""
    return f"({latex(x)})" if isinstance(x, tree.Add | tree.Binary | tree.Derivative | tree.Big) else latex(x)


def add(x):
    """Return a sum; a plus in front of the first term is left out."""
    text = "".join(f" {sign.text} {inner_term(term)}" for sign, term in zip(x.signs, x.terms))
    return text[3:] if text.startswith(" + ") else "-" + text[3:]


def inner_term(x):
    """Return a term of a sum: only another sum needs brackets."""
    return f"({latex(x)})" if isinstance(x, tree.Add) else latex(x)


def body(x):
    """Return what carries a superscript."""
    plain = isinstance(x, tree.Symbol | tree.Number | tree.Group | tree.Matrix | tree.Indexed | tree.Bars)
    return latex(x) if plain else f"({latex(x)})"


def raised(x):
    """Return a power; that of a function stands at its name."""
    if isinstance(x.base, tree.Call) and isinstance(x.exponent, tree.Number):
        return call(x.base, f"^{{{x.exponent.text}}}")
    return f"{body(x.base)}^{{{latex(x.exponent)}}}"


def call(x, power=""):
    """Return a function with its arguments in brackets."""
    name = rf"\{x.name}" if x.name in FUNCTIONS else rf"\operatorname{{{x.name}}}"
    return f"{name}{power}({', '.join(latex(a) for a in x.arguments)})"


def big(x):
    """Return a sum or a product."""
    return rf"\{x.kind}_{{{x.index}={latex(x.low)}}}^{{{latex(x.high)}}} {inner(x.body)}"


def integral(x):
    """Return an integral."""
    bounds = f"_{{{latex(x.low)}}}" if x.low is not None else ""
    bounds += f"^{{{latex(x.high)}}}" if x.high is not None else ""
    return rf"\int{bounds} {inner(x.body)} d{latex(x.variable)}"


def derivative(x):
    """Return a derivative as an operator in front of its bracket."""
    sign = r"\partial " if x.kind == "partial" else "d "
    total = sum(order for _, order in x.variables)
    power = lambda n: f"^{{{n}}}" if n > 1 else ""
    below = " ".join(sign + latex(v) + power(n) for v, n in x.variables)
    return rf"\frac{{{sign.strip()}{power(total)}}}{{{below}}} {body(x.body)}"


def chain(x):
    """Return sides and relations."""
    return latex(x.sides[0]) + "".join(f" {r} {latex(side)}" for r, side in zip(x.relations, x.sides[1:]))


FUNCTIONS = [
    "sin",
    "cos",
    "tan",
    "cot",
    "sec",
    "csc",
    "arcsin",
    "arccos",
    "arctan",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "ln",
    "log",
    "det",
    "max",
    "min",
]
MARKS = {"T": r"\top", "inv": "-1", "-T": r"-\top", "vee": r"\vee", "hat": r"\wedge", "star": "*"}
BARS = {"norm": (r"\lVert ", r" \rVert"), "abs": ("|", "|")}
SIGNS = {"cdot": r"\cdot", "times": r"\times", "slash": "/"}
CLOSING = {"(": ")", "[": "]", "{": "}"}
PRINTERS = {
    "Number": lambda x: x.text,
    "Symbol": symbol,
    "Add": add,
    "Product": lambda x: " ".join(inner(f) for f in x.factors),
    "Binary": lambda x: f"{inner(x.left)} {SIGNS[x.operator]} {inner(x.right)}",
    "Fraction": lambda x: rf"\frac{{{latex(x.above)}}}{{{latex(x.below)}}}",
    "Power": raised,
    "Mark": lambda x: f"{body(x.body)}^{{{MARKS[x.kind]}}}",
    "Root": lambda x: rf"\sqrt{'' if x.degree == 2 else f'[{x.degree}]'}{{{latex(x.body)}}}",
    "Group": lambda x: x.bracket + ", ".join(latex(i) for i in x.items) + CLOSING[x.bracket],
    "Indexed": lambda x: f"{body(x.body)}_{{{joined(x.sub)}}}",
    "Bars": lambda x: latex(x.body).join(BARS[x.kind]),
    "Call": call,
    "Dotted": lambda x: rf"\{'d' * x.dots}ot{{{latex(x.body)}}}",
    "Big": big,
    "Integral": integral,
    "Derivative": derivative,
    "Matrix": lambda x: (
        r"\begin{bmatrix} " + r" \\ ".join(" & ".join(latex(e) for e in row) for row in x.rows) + r" \end{bmatrix}"
    ),
    "Cases": lambda x: (
        r"\begin{cases} "
        + r" \\ ".join(f"{latex(v)} & {latex(c) if c else chr(92) + 'text{otherwise}'}" for v, c in x.rows)
        + r" \end{cases}"
    ),
    "Dots": lambda x: r"\dots",
    "Chain": chain,
    "Claims": lambda x: r", \qquad ".join(latex(c) for c in x.chains),
}
