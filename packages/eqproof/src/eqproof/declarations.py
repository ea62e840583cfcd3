r"""The language in which an author says for `eqproof check` what letters are: `x, y real`, `A 3x3 symmetric`, `q function of t`.

A declaration stands in a comment, which no reader sees, and holds from there to the end of its file:

    % eqproof: m positive; q function of t; E = \frac12 m \dot q^2      (LaTeX, MyST)
    <!-- eqproof: A 3x3 symmetric; v 3-vector -->                       (Markdown, notebooks, Quarto)
    .. eqproof: n integer 1..5                                          (reStructuredText)

or in a file of its own, `--declare FILE`, a line each, # before what is a comment there; it holds for all files. Several
declarations are parted by ; or stand on lines of their own. A later one for the same letter replaces the earlier; `forget x`
and `forget all` take back what was said of it, for a letter that means another thing from there on.
"""

import re
from collections.abc import Iterable, Iterator

import sympy

from eqproof import conventions, forgetting, tree
from eqproof.bindings import key_of
from eqproof.declared_letters import KNOWN, TIME, Declared
from eqproof.errors import ProofError
from eqproof.laws_of_motion import obey
from eqproof.own_commands import COMMON, expand_commands
from eqproof.parser import parse_expression
from eqproof.sources import Source, definitions_in, with_comments, with_transposes
from eqproof.structures import LINEAR, WORDS
from eqproof.units_in_text import dimension

PERCENT = r"(?<!\\)%[%\s]*eqproof\b[ \t]*:*(?P<said>[^\n]*)"
COMMENTS = {
    "tex": re.compile(PERCENT, re.IGNORECASE),
    "md": re.compile(rf"<!--\s*eqproof\b\s*:*(?P<hidden>.*?)-->|^{PERCENT}", re.DOTALL | re.IGNORECASE | re.MULTILINE),
    "rst": re.compile(
        r"^(?P<indent>[ \t]*)\.\.[ \t]+eqproof\b[ \t]*:*(?P<said>[^\n]*(?:\n(?P=indent)[ \t]+\S[^\n]*)*)",
        re.IGNORECASE | re.MULTILINE,
    ),
}
SCALARS: dict[str, dict[str, bool]] = {
    "real": {"real": True},
    "positive": {"positive": True},
    "negative": {"negative": True},
    "nonnegative": {"nonnegative": True},
    "nonzero": {"real": True, "nonzero": True},
}
WORD = re.compile("|".join(x.replace(" ", r"\s+") for x in WORDS))
MOST_NUMBERS = 100  # that an integer may be
KIND = re.compile(
    rf"""(?P<names>.+?)\s*(?:\bis\b|\bare\b|:)?\s*
    (?: (?P<scalar>{"|".join(SCALARS)})
      | integer \s+ (?P<low>-?\d+) \s*\.\.\s* (?P<high>-?\d+)
      | (?P<rows>\d+) \s*x\s* (?P<columns>\d+) (?P<shape>(?:\s+(?:{WORD.pattern}))*) (?:\s+matri(?:x|ces))?
      | (?P<entries>\d+)-vectors?
      | (?=function) )
    (?P<moves> \s* functions? \s+ of \s+ t)?""",
    re.VERBOSE,
)
IN_UNIT = re.compile(r"(?P<names>.+?)\s+in\s+(?P<unit>[^=<>]+)")
CONSTANT = re.compile(r"(?P<said>.+?)(?:\s+(?:is|are))?\s+constant")
FORGET = re.compile(r"forget\s+(?P<names>.+)")
NUMBER = r"-?\d+(?:\.\d+|/\d+)?"
BETWEEN = re.compile(rf"(?P<low>{NUMBER})\s*<\s*(?P<names>[^<>=]+?)\s*<\s*(?P<high>{NUMBER})")
DEFINITION = re.compile(r"(?P<name>[^=<>]+?)\s*:?=\s*(?P<value>[^=].*)", re.DOTALL)
SPELLED = (  # as it is also written -> as it is read
    (r"\\times(?![a-zA-Z])|\N{MULTIPLICATION SIGN}", "x"),
    (r"\s*\\in\s*\\mathbb\s*\{?\s*R\s*\}?$", " real"),
    (r"\s*(?:>=|\\geq?(?![a-zA-Z]))\s*0$", " nonnegative"),
    (r"\s*(?:\\neq?(?![a-zA-Z])|!=)\s*0$", " nonzero"),
    (r"\s*>\s*0$", " positive"),
    (r"\s*<\s*0$", " negative"),
)
WAY_ON = (
    "say one of: x, y real (positive, negative, nonnegative, nonzero); 0 < x < 1; n integer 1..5; A 3x3 "
    "(symmetric, skew, diagonal, positive definite, rotation, invertible, identity, zero); v 3-vector; q function of t; "
    "E = \\frac12 m v^2; G(s) = \\frac{1}{s + a}; v in m/s; forget x"
)


def add(declared: Declared, text: str) -> None:
    """Take one declaration; raise ProofError, with the way on, where it is none."""
    text = re.split(r"(?<!\\)%", text)[0].strip(" \t.,")
    if steady := CONSTANT.fullmatch(text):
        declare_constant(declared, steady["said"])
        return
    if taken_back := FORGET.fullmatch(text):
        forget(declared, taken_back["names"])
    elif limits := BETWEEN.fullmatch(text):
        declare_between(declared, limits)
    elif kind := KIND.fullmatch(spell_out(text)):
        for name in names_in(kind["names"]):
            declare(declared, name, kind)
    elif measured := IN_UNIT.fullmatch(text):
        unit = dimension(measured["unit"])
        if unit is None:
            raise ProofError(
                f"'{measured['unit']}' is no unit: say kg, m, s, A, K, N, J, W, Hz, Pa, C, V, T, rad, or m/s^2"
            )
        declared.units |= {letter_of(name): unit for name in names_in(measured["names"])}
    elif definition := DEFINITION.fullmatch(text):
        value = parse_expression(definition["value"])
        try:
            define(declared, definition["name"], value)
        except ProofError as error:
            raise error.at(definition["value"]) from None
    else:
        raise ProofError(f"'{text}' is no declaration: {WAY_ON}")


def declare_constant(declared: Declared, text: str) -> None:
    """Take a declaration of what does not vary with the time: u constant, a number, or u 2-vector constant."""
    kind = KIND.fullmatch(spell_out(text))
    if kind and kind["moves"]:
        raise ProofError("a function of t varies, and is not constant: say one of both")
    add(declared, text if kind else f"{text} real")
    names = kind["names"] if kind else text
    declared.constants |= declared.letters_of(*(letter_of(x) for x in names_in(names)))


def define(declared: Declared, name: str, value: tree.Node) -> None:
    """Let a letter be an expression, or its rate: a law of motion."""
    if rate := rate_of(declared, name):
        obey(declared, rate, value)
        return
    key = new_letter(declared, name)
    if is_at_time(name):
        declared.know_time()
    declared.define(key, value)


def rate_of(declared: Declared, name: str) -> tree.Symbol | None:
    """Return the rate of a function of t that a name is, None of other names."""
    try:
        key = key_of(without_time(name))
    except ProofError:
        return None
    return key if isinstance(key, tree.Symbol) and key.dots and declared.varies(key) else None


def forget(declared: Declared, names: str) -> None:
    """Take back what was said of letters, and what is defined by them, or all that was said."""
    if names.strip() == "all":
        forgetting.forget_all(declared)
    else:
        forgetting.forget(declared, [free_letter(declared, x) for x in names_in(names)])


def declare_between(declared: Declared, limits: re.Match[str]) -> None:
    """Let letters be numbers between two numbers: a quotient of one positive letter reaches all of these."""
    low = sympy.Rational(limits["low"])
    high = sympy.Rational(limits["high"])
    if low >= high:
        raise ProofError(f"no number is above {low} and below {high}")
    for name in names_in(limits["names"]):
        part = declared.letter(f"a part of {name}", positive=True)
        declared.bindings.bind({new_letter(declared, name): low + (high - low) * part / (1 + part)})


def spell_out(text: str) -> str:
    """Return a declaration as it is read, where it is also written in signs."""
    for pattern, word in SPELLED:
        text = re.sub(pattern, word, text)
    return text


def declare(declared: Declared, name: str, kind: re.Match[str]) -> None:
    """Take a declaration for one letter."""
    key = new_letter(declared, name)
    words = frozenset(" ".join(x.split()) for x in WORD.findall(kind["shape"] or ""))
    rows = int(kind["rows"] or kind["entries"] or 0)
    columns = int(kind["columns"] or 1)
    if kind["moves"]:
        if kind["scalar"] not in (None, "real") or kind["low"] or not words <= LINEAR:
            raise ProofError(
                f"a function of t is real, a vector or a matrix, perhaps {', '.join(sorted(LINEAR))}; got {kind.group()}"
            )
        if key == TIME:
            raise ProofError("t is the time itself, and no function of it")
        declared.move(key, name, rows, columns, words)
    elif kind["low"]:
        low = int(kind["low"])
        high = int(kind["high"])
        if key != tree.Symbol(key.base):
            raise ProofError(f"a letter that counts has no index and no accent, got {name}")
        if low > high or high >= low + MOST_NUMBERS:
            raise ProofError(
                f"integers rise from the first to the last, at most {MOST_NUMBERS} of them, got {low}..{high}"
            )
        declared.count(key, low, high)
    elif kind["scalar"]:
        declared.be_scalar(key, name, SCALARS[kind["scalar"]])
    else:
        declared.be_matrix(key, name, rows, columns, words)


def names_in(text: str) -> list[str]:
    """Return the names in a list with commas, which may also stand in braces and brackets, or with "and"."""
    return [x for x in (part.strip() for part in re.split(r",(?![^{]*\}|[^(]*\)|[^\[]*\])|\band\b", text)) if x]


def without_time(name: str) -> str:
    """Return the name of a function of t without its argument: y of y(t)."""
    return re.sub(r"\(\s*t\s*\)$", "", name.strip().strip("$"))


def is_at_time(name: str) -> bool:
    """Tell whether a name is that of a function at the time t, as y(t) is."""
    return bool(re.fullmatch(r".+\(\s*t\s*\)", name.strip().strip("$")))


def new_letter(declared: Declared, name: str) -> tree.Symbol:
    """Return the letter that a name is, nothing said of it; raise ProofError where an expression before it holds it as a number."""
    key = free_letter(declared, name)
    if key in declared.implied:
        raise ProofError(
            f"{name} stands in an expression before it, as a real number: declare it before that, or say forget {name}"
        )
    declared.defined.pop(key, None)
    if key == tree.Symbol(key.base):
        declared.numbers.pop(key.base, None)
    return key


def free_letter(declared: Declared, name: str) -> tree.Symbol:
    """Return the letter that a name is; raise ProofError where it is the time, by which rates are taken already."""
    key = application_of(declared, name) or letter_of(name)
    if key == TIME and declared.bindings.time is not None:
        raise ProofError("t is the time of what is declared before it: declare t before that, or say forget all")
    return key


def application_of(declared: Declared, name: str) -> tree.Symbol | None:
    r"""Return the letter that a function with its arguments is, as G(s) or \operatorname{Var}(X); None of other names."""
    if is_at_time(name) or not re.search(r"[\])}]\s*\$?\s*$", name):
        return None
    try:
        node = parse_expression(name.strip().strip("$"))
    except ProofError:
        return None
    heads = frozenset({tree.Symbol(node.name)}) if isinstance(node, tree.Call) else conventions.function_heads(node)
    letter = conventions.with_atoms(node, heads)
    if not isinstance(letter, tree.Symbol) or len(heads) != 1:
        return None
    declared.functions |= heads
    return letter


def letter_of(name: str) -> tree.Symbol:
    """Return the letter that a name in LaTeX is; raise ProofError where it is none."""
    try:
        key = key_of(without_time(name))
    except ProofError:
        key = None
    if not isinstance(key, tree.Symbol):
        raise ProofError(
            f"{name} is no letter: one with its indices and accents is declared, and ; stands between declarations"
        )
    if key.dots:
        raise ProofError(f"{name} is a rate: declare what it is the rate of as a function of t")
    if key in KNOWN:
        raise ProofError(f"{name} is known: it cannot be declared")
    return key


def declarations_in(text: str) -> list[str]:
    """Return the declarations in the words of a comment or a file."""
    return [x for x in (part.strip() for part in re.split(r"[;\n]", text)) if x]


def declarations_of_source(source: Source) -> Iterator[tuple[int, str]]:
    """Yield (place, declaration) for the comments of a source."""
    for match in COMMENTS[source.kind].finditer(with_comments(source)):
        for text in declarations_in("\n".join(x for name, x in match.groupdict().items() if x and name != "indent")):
            yield match.start(), text


def read_declarations(text: str) -> Declared:
    """Return what a file of declarations says; raise ValueError with the line of what is none."""
    found = Declared()
    for number, line in enumerate(text.splitlines(), 1):
        for said in declarations_in(line.partition("#")[0]):
            take_declaration(found, said, f"line {number}")
    return found


def take_declaration(declared: Declared, text: str, where: str, commands: dict[str, str] | None = None) -> None:
    """Add a declaration; raise ValueError that tells where it stands. commands: what an author's commands stand for."""
    try:
        latex = expand_commands(text, COMMON | (commands or {}))
        declared.said.append(latex)
        add(declared, latex if declared.look(tree.Symbol("T")) is not None else with_transposes(latex))
    except ProofError as error:
        raise ValueError(f"{where}: in '{text}', {error.sentence}") from None
    except (*conventions.FAILURES, RecursionError) as error:  # a value that SymPy does not compute
        raise ValueError(f"{where}: '{text}' is not understood, {type(error).__name__}: {error}") from None


def refuse_faulty_declarations(declared: Declared, texts: Iterable[Source], commands: dict[str, str]) -> None:
    """Raise ValueError with a sentence for each declaration in texts that is none: an author mends all of them at once."""
    declared = declared.copy()
    faults = list[str]()
    for source in texts:
        own = commands | definitions_in(source.text)
        for place, text in declarations_of_source(source):
            try:
                take_declaration(declared, text, f"line {source.in_file(place)[0]}", own)
            except ValueError as error:
                faults.append(str(error))
    if faults:
        raise ValueError("\n".join(faults))
