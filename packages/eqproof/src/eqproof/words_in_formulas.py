r"""Words in formulas of strangers: \text{net force} is a letter of its own where a letter could stand, \textrm{coth}(x) a function.

And signs between formulas that claim nothing that could be compared: X \sim N(0, 1), f \colon A \to B, \therefore, \iff.
"""

import re

from eqproof import conditions, notations
from eqproof.unit_values import value_of_unit
from eqproof.usual_spellings import with_usual_spellings

TEXT = re.compile(r"\\(?:text|textrm|textit|textnormal|mbox)\s*\{\s*([A-Za-z][A-Za-z \-./]*?)\s*\}")
OLD_STYLE = re.compile(r"\{\s*\\(bf|rm|it|sf|cal)\s+([A-Za-z]|\\[A-Za-z]+)\s*\}")
SPELLED = re.compile(
    r"\\(?:text|textrm|mbox|mathrm)\s*\{\s*((?:arc)?(?:sin|cos|tan)|(?:sin|cos|tan)h|cot|coth|sech|csch|exp|ln|log|max|min|det)\s*\}(?=\s*(?:\\[a-zA-Z]|[a-zA-Z]|\^\s*\{?\s*\d))"
)
OLD_IN_BRACES = re.compile(
    r"\{\s*\\(bf|rm|it|sf|cal)(?:\s+|(?=[{\\]))(\{\s*(?:[A-Za-z]|\\[A-Za-z]+)\s*\}|(?:[A-Za-z]|\\[A-Za-z]+)\s*_\s*(?:\{[^{}]*\}|\w))\s*\}"
)
ABOVE_SIGN = re.compile(
    r"\\(?:overset|stackrel)\s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}\s*\{\s*(\\(?:sim|propto|to|rightarrow)|\\approx)\s*\}"
)
BY_EQUATION = re.compile(r"\\(?:overset|stackrel)\s*\{\s*\(?\s*\\(?:eqref|ref)\s*\{[^{}]*\}\s*\)?\s*\}\s*\{\s*=\s*\}")
SAID_ABOVE = re.compile(
    r"\\(?:overset|stackrel)\s*\{(?P<said>(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}\s*\{\s*=\s*\}"
    r"|\\underset\s*\{(?P<below>(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}\s*\{\s*=\s*\}"
    r"|\\xlongequal\s*(?:\[[^\[\]]*\])?\s*\{(?P<long>[^{}=<>]*)\}"
)
KNOWN_ABOVE = re.compile(r"\s*(?:\\(?:text|textrm|mathrm)\s*\{)?\s*(?:[dD]ef\.?|\(\d+[a-z]?\)|\\triangle)\s*\}?\s*")
DENIED = re.compile(
    r"\b(?:not|no|never|almost|approx|mod)\b|\\(?:not|ne|neq|sim|approx|to|infty|rightarrow|bmod|pmod)(?![a-zA-Z])|/"
)
RAISED_IN_BRACKETS = re.compile(  # e^{(2)} is a power
    r"((?<![A-Za-z\\])[a-df-zA-Z]|\\(?:alpha|beta|gamma|delta|epsilon|varepsilon|zeta|eta|theta|lambda|mu|nu|xi|rho|sigma|tau|phi"
    r"|varphi|chi|psi|omega)(?![A-Za-z])|\\(?:mathbf|bm|boldsymbol|mathrm|hat|tilde|bar|vec|dot)\s*\{\s*\\?[A-Za-z]+\s*\})"
    r"(\s*_\s*(?:\{[\w,\s]*\}|\w))?\s*\^\s*\{\s*\(\s*(\d+|[a-z])\s*\)\s*\}(\s*_\s*(?:\{[\w,\s]*\}|\w))?"
)
BUILT = re.compile(  # {\buildrel {\rm def} \over =}
    r"\{?\s*\\buildrel\s*\{?\s*(?:\\rm|\\text|\\mathrm)?\s*\{?\s*(def|!|\?|\(\d+\))\s*\}*\s*\\over\s*\{?\s*=\s*\}?(?:\s*\})?"
)
PARTIAL = re.compile(
    r"\\partial\s*_\s*(?:\{\s*)?([txyz])(?:\s*\})?(?=\s*(?:\\left|\\[bB]igg?l?)?\s*[(\[])"
)  # \partial_x (x^2 y)
EVENTS = re.compile(r"\\(?:text|textrm|mbox)\s*\{\s*(or|and|OR|AND)\s*\}|\\(cap|cup|setminus)(?![a-zA-Z])")
ANGLES = {
    r"\left\langle": r"\operatorname{angle}\left(",
    r"\right\rangle": r"\right)",
    r"\langle": r"\operatorname{angle}(",
    r"\rangle": ")",
}
ANGLE = re.compile(r"(\\left\s*\\langle|\\right\s*\\rangle|\\langle|\\rangle)(?![a-zA-Z])")
OPERATION_BEFORE = re.compile(
    r"(?:[-=+*/(\[<>]|\\(?:times|cdot|left\s*[(\[]|leq?|geq?|approx|neq?|pm|mp))(?:\s|\\[ ,;:!]|~|&)*\Z"
)
OPERATION_BEHIND = re.compile(
    r"(?:\s|\\[ ,;:!]|~|&)*(?:[-=+*/)\]<>^]|\\(?:times|cdot|right\s*[)\]]|leq?|geq?|approx|neq?|pm|mp)(?![a-zA-Z]))"
)
END_BEFORE = re.compile(r"(?:\A|\d|\{|&|\\\\|\\q?quad|\\,|\}|\\begin\{[a-z]+\*?\})\s*\Z")
END_BEHIND = re.compile(r"\s*(?:\Z|&|\\\\|\\q?quad|\\end\{|[.,;]|\}|_|\\[,;])")
REMARK = re.compile(
    r"[\s~]*\\(?:text|textrm|textit|mbox)\s*\{[^{}$\\]*\}[\s~]*[.,;]?(?=\s*(?:\\\\|\\end\{|\\q?quad|\Z))"
)
PARTED = re.compile(r"(?:,|&|\\q?quad|\\,|\\;)[\s~]*\Z")
MEASURED = re.compile(r"\d(?:\s|\\[,;: ]|~)*\Z")  # a number, whose unit may stand behind it
INTERTEXT = re.compile(r"\\(?:short)?intertext\s*\{[^{}]*\}")
ARGUMENT = re.compile(r"(?:\\[dt]?frac\s*\{|\}\s*\{|\\sqrt\s*\{)\s*\Z")
POINT = re.compile(r"\\(?:text|textrm|mathrm|mbox)\s*\{\s*([.,;:])\s*\}")
ONE = re.compile(r"\\(?:text|textrm|textnormal|mbox)\s*\{\s*([A-Za-z])\s*\}")
ABOVE_WORDS = re.compile(r"\\(vec|widehat|hat|overline|bar|widetilde|tilde)\s*\{\s*([A-Za-z][A-Za-z~ ]*[A-Za-z])\s*\}")
SCRIPT = r"(\{[^{}]*\}|\\[A-Za-z]+|[A-Za-z0-9*+-])"
LIMITS = re.compile(rf"(\\(?:sum|prod|o?int)(?:\s*\\limits)?)\s*\^\s*{SCRIPT}\s*_\s*{SCRIPT}")
STAR = re.compile(rf"\^\s*(\*|\{{\s*\*\s*\}}|\\ast(?![a-zA-Z]))\s*_\s*{SCRIPT}")
SQUARE = re.compile(rf"((?<![A-Za-z])[a-z]|\\[a-z]+)\s*\^\s*(\d|\{{\d+\}})\s*_\s*{SCRIPT}")
INDEX_IN_STYLE = re.compile(
    r"\\(mathbf|boldsymbol|bm|mathcal|mathrm)\s*\{\s*([A-Za-z]|\\[A-Za-z]+)\s*((?:[_^]\s*(?:\{[^{}]*\}|\\[A-Za-z]+|\w)\s*)+)\}"
)
LOW_INDEX = re.compile(r"_\s*\{\s*_\s*(\{(?:[^{}]|\{[^{}]*\})*\})\s*\}")
BETWEEN = re.compile(r"(?<=[\[(])([^\[\]()|]*)\|\|([^\[\]()|]*)(?=[\])])")  # KL[P || Q]
NAMED_BRACKETS = {r"\lbrace": r"\{", r"\rbrace": r"\}", r"\lbrack": "[", r"\rbrack": "]"}
OLD_FRACTION = re.compile(r"\{([^{}]*)\\(choose|over)(?![a-zA-Z])([^{}]*)\}")
EVENT = re.compile(
    r"(?<=[A-Za-z}])\(\s*\\(?:text|textrm|mbox)\s*\{((?:[^{}]|\{[^{}]*\})*)\}\s*\)"
)  # P(\text{2 of 3 are red})
DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
CLOSED = re.compile(r"\s*\}")
CALLED = re.compile(r"\s*(?:\\left\s*)?[(\[]")
NO_NAMES = [
    "all",
    "and",
    "are",
    "as",
    "assuming",
    "at",
    "because",
    "but",
    "by",
    "else",
    "for",
    "from",
    "given",
    "hence",
    "holds",
    "i",
    "iff",
    "if",
    "in",
    "is",
    "let",
    "not",
    "of",
    "on",
    "only",
    "or",
    "otherwise",
    "provided",
    "since",
    "so",
    "such",
    "that",
    "then",
    "therefore",
    "thus",
    "to",
    "unless",
    "valid",
    "when",
    "whenever",
    "where",
    "which",
    "while",
    "with",
]
CONDITIONS = [
    "for",
    "if",
    "when",
    "where",
    "with",
    "as",
    "since",
    "provided",
    "whenever",
    "given",
    "at",
    "valid",
    "holds",
    "only",
    "assuming",
    "unless",
]
RELATION_APART = re.compile(
    r"\\(?:sim|simeq|cong|propto|to|rightarrow|longrightarrow|leftrightarrow|mapsto|longmapsto|ll|gg|perp|parallel|subset|subseteq"
    r"|supset|supseteq)(?![a-zA-Z])"
)
RATIO = re.compile(  # 2 : 3, a : b; no H : x = 1
    r"(?<=[\d)])(?:(?<=\d)|(?<=\)))\s*:\s*(?=[\d(])|(?<![a-zA-Z\\_^{])(?<=[a-z] ):(?=\s*[a-z]\s*(?:=|\Z))"
)
APART = re.compile(
    rf"{RELATION_APART.pattern}|\\(?:colon|iff|Leftrightarrow|Longleftrightarrow|impliedby|therefore|because)(?![a-zA-Z])|:(?!\s*=)"
)
BEGIN_OF_ROW = re.compile(r"(?:\A|\\\\|&|\\q?quad|\\begin\s*\{[a-z]+\*?\})\s*\Z")
BRACKETS = re.compile(rf"(?P<apart>{APART.pattern})|(?P<list>;)|\\\\|\\begin|\\end|\\?[(){{}}\[\]]")


def with_words_as_names(latex: str) -> str:
    r"""Return a formula with \mathrm{netforce} for \text{net force} where a letter could stand, and {\bf E} as \mathbf{E}."""
    latex = with_usual_spellings(latex)
    latex = BUILT.sub(
        lambda match: rf"\stackrel{{{match[1].strip() if match[1].strip() == 'def' else '(0)'}}}{{=}}", latex
    )
    latex = PARTIAL.sub(r"\\frac{\\partial}{\\partial \1}", latex)
    latex = RAISED_IN_BRACKETS.sub(index_in_brackets, latex)
    latex = SPELLED.sub(lambda match: rf"\{match[1]} ", OLD_IN_BRACES.sub(in_new_style, latex))
    latex = SAID_ABOVE.sub(with_mark_above, BY_EQUATION.sub("=", ABOVE_SIGN.sub(r"\1 ", latex)))
    latex = ANGLE.sub(lambda match: ANGLES["".join(match[1].split())], with_events(latex))
    latex = OLD_STYLE.sub(lambda match: rf"\math{match[1]}{{{match[2]}}}", latex)
    latex = re.sub(r"\\[lr]brac[ek](?![a-zA-Z])", lambda match: NAMED_BRACKETS[match.group()], latex)
    latex = INDEX_IN_STYLE.sub(r"\\\1{\2}\3", LOW_INDEX.sub(r"_\1", BETWEEN.sub(r"\1, \2", latex)))
    latex = OLD_FRACTION.sub(fraction_for, EVENT.sub(event_for, latex))
    latex = ONE.sub(r"\\mathrm{\1}", POINT.sub(r"\1 ", latex))
    latex = ABOVE_WORDS.sub(named_below_bar, latex)
    latex = INTERTEXT.sub("", TEXT.sub(name_for, with_indices_first(latex)))
    return latex if r"\begin{cases}" in latex else REMARK.sub(without_remark, latex)


def with_mark_above(match: re.Match[str]) -> str:
    r"""Return an equals sign with the mark (0) above it, for what is said there, ! or words; \overset{\text{not}}{=} stays."""
    said = next(x for x in match.groups() if x is not None)
    if KNOWN_ABOVE.fullmatch(said) or DENIED.search(said):
        return match.group()
    return r"\stackrel{(0)}{=}"


def named_below_bar(match: re.Match[str]) -> str:
    r"""Return a word below a bar as one letter; as it is where one of its letters counts in a sum, \sum_{i=1}^n \overline{ia}."""
    word = re.sub("[^A-Za-z]", "", match[2])
    if any(re.search(rf"_\s*\{{[^{{}}]*(?<![A-Za-z\\]){x}(?![A-Za-z])\s*(?:=|<|\\le)", match.string) for x in word):
        return match.group()
    return rf"\{match[1]}{{\mathrm{{{word}}}}}"


def index_in_brackets(match: re.Match[str]) -> str:
    r"""Return x_j^{(k)} with its upper index behind the lower one, x_{j/(k)}: a name of its own, whose index may count."""
    base, before, index, behind = match.groups()
    if before and behind:
        return match.group()
    below = re.sub(r"[\s{}_]", "", before or behind or "")
    return f"{base}_{{{below}/({index})}}"


def in_new_style(match: re.Match[str]) -> str:
    r"""Return {\bf{n}} and {\bf E_e} as they are written today."""
    letter = match[2].strip()
    return rf"\math{match[1]}{letter if letter.startswith('{') else '{' + letter + '}'}"


def with_events(latex: str) -> str:
    r"""Return a formula in which A \text{ or } B and A \cap B, in round brackets, are a list: one letter with its function."""
    made = list[str]()
    last = 0
    depth = 0
    for match in re.finditer(rf"\\?[(){{}}\[\]]|{EVENTS.pattern}", latex):
        found = match.group()
        if len(found) > 2 and depth > 0:
            made += [latex[last : match.start()], rf", \mathrm{{{match[1] or match[2]}}}, "]
            last = match.end()
        elif found in "()":
            depth += 1 if found == "(" else -1
    return "".join([*made, latex[last:]])


def without_remark(match: re.Match[str]) -> str:
    """Return nothing for words at the end of a row that are no condition, as they are printed else."""
    words = re.findall("[A-Za-z]+", match.group().partition("{")[2])
    if len(words) == 1 and value_of_unit(words[0]) is not None and MEASURED.search(match.string[: match.start()]):
        return match.group().replace(r"\text", r"\mathrm")
    if not words or words[0].lower() in CONDITIONS or not PARTED.search(match.string[: match.start()]):
        return match.group()
    return " "


def with_indices_first(latex: str) -> str:
    r"""Return a formula with F_r^* for F^*_r, x_1^2 for x^2_1, and \sum_{i=1}^n for \sum^n_{i=1}: TeX prints them alike.

    A^2_{12} of a capital stays as it is printed.
    """

    def turned(match: re.Match[str]) -> str:
        *base, above, below = (x.strip() for x in match.groups())
        above, below = (x[1:-1] if x.startswith("{") else x for x in (above, below))
        return f"{''.join(base)}_{{{below}}}^{{{above}}}"

    for pattern in (LIMITS, STAR, SQUARE):
        latex = pattern.sub(turned, latex)
    return latex


def fraction_for(match: re.Match[str]) -> str:
    r"""Return {n \choose k} and {a \over b} as they are written today."""
    return rf"\{'binom' if match[2] == 'choose' else 'frac'}{{{match[1]}}}{{{match[3]}}}"


def event_for(match: re.Match[str]) -> str:
    """Return an event that is told in words, as the argument of P, as one letter; digits in it are spelled."""
    words = "".join(DIGITS[int(x)] if x.isdigit() else x for x in re.findall(r"[A-Za-z0-9]", match[1]))
    return rf"(\mathrm{{{words}}})" if words else match.group()


def name_for(match: re.Match[str]) -> str:
    """Return the letter that words are, or these as they are printed."""
    before = match.string[: match.start()]
    behind = match.string[match.end() :]
    words = re.findall("[A-Za-z]+", match[1])
    if not words or words[0].lower() in NO_NAMES or words[-1].lower() in NO_NAMES:
        return match.group()
    if len(words) == 1 and CALLED.match(behind):
        return rf"\operatorname{{{words[0]}}}"
    operations = OPERATION_BEFORE.search(before), OPERATION_BEHIND.match(behind)
    fits_before = operations[0] or END_BEFORE.search(before)
    fits_behind = operations[1] or END_BEHIND.match(behind)
    whole = ARGUMENT.search(before) and CLOSED.match(behind)
    if whole or (any(operations) and fits_before and fits_behind):
        return rf"\mathrm{{{''.join(words)}}}"
    return match.group()


def with_signs_apart(text: str) -> str:
    r"""Return a formula in which \sim and the like part what stands beside them, and ; in brackets is a comma, all at their places."""
    made = list[str]()
    last = 0
    depth = 0
    for match in BRACKETS.finditer(text):
        found = match.group()
        if match["apart"] or match["list"]:
            instead = found
            if match["list"] and depth > 0:
                instead = ","
            elif match["apart"] and depth <= 0:
                begins = BEGIN_OF_ROW.search(text[: match.start()])
                instead = (" " if begins else ";").ljust(len(found))
            made += [text[last : match.start()], instead]
            last = match.end()
        elif found[-1] in "([{":
            depth += 1
        elif found[-1] in ")]}":
            depth -= 1
    return "".join([*made, text[last:]])


def prepare_formula(text: str) -> str:
    """Return a formula as it is parsed: thousands without commas, conditions set apart, each character at its place."""
    text = text if RELATION_APART.search(text) else RATIO.sub(lambda match: "/".center(len(match.group())), text)
    return with_signs_apart(conditions.set_apart(notations.with_thousands(text)))
