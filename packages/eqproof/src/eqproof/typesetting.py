r"""What changes only how a formula is set, and plain synonyms of TeX: \mathrel{=}, \mathstrut, x\sp 2, \mathop{\rm tr}, {-}x.

Each is replaced by what is read, in as many characters: all behind it keeps its place. Nothing is dropped that could hide or
move what is seen: negative spaces, \llap and \raisebox are left to the reader, who refuses them.
"""

import re
from collections.abc import Callable
from functools import partial

from eqproof.boxes import COLOR, COLORS, with_boxes_open
from eqproof.input_limits import LARGEST_DISPLAY
from eqproof.lines_in_tables import with_lines
from eqproof.own_commands import closing_brace

Replacement = str | Callable[[re.Match[str]], str]
END = r"(?![a-zA-Z])"
FUNCTIONS = "arcsin|arccos|arctan|sinh|cosh|tanh|sin|cos|tan|cot|sec|csc|exp|ln|log|det|max|min"
LENGTH = r"[\d.]+\s*(?:pt|em|ex|mm|cm|in|bp|pc|dd|cc|sp|mu)"
LITTLE = r"(?:0?\.(?:1\d?|0\d*|20?)\s*em|[12]\s*pt|[1-3]\s*mu)"  # as \! goes back, which hides no sign
SIGN = r"[-+=<>/]|\\(?:cdot|times|pm|mp|leq?|geq?|neq?|approx|equiv)(?![a-zA-Z])\s*"
NOTHING_SEEN = (  # at its place
    r"mathstrut|strut|hfill?|relax|null|nobreak|leavevmode|protect|textstyle|scriptstyle|scriptscriptstyle|displaylimits"
    r"|thinspace|medspace|thickspace|enskip|enspace|qedhere|begingroup|endgroup|nobreakspace|hline|hphantom\s*\{\s*\}"
    r"|IEEEeqnarraynumspace|IEEEnonumber|IEEEyesnumber|IEEEyessubnumber|nonumber|notag|normalfont|goodbreak|small|large"
)
WRAPPERS = "ensuremath|mathrel|mathbin|mathord|mathinner|mathopen|mathclose|mathpunct|vcenter|smash"
WRAPPER = re.compile(rf"(?<!\\)\\(?:{WRAPPERS}){END}(?:\s*\[[tb]\])?\s*(?=\{{)")
PHANTOM = re.compile(rf"(?<!\\)\\[hv]?phantom{END}\s*(?=\{{)")
BRACED_SIGN = re.compile(
    rf"\{{\s*({SIGN}|\\(?:{FUNCTIONS})(?![a-zA-Z])(?:\s*\^\s*(?:\d|\{{\s*(?:\d|-\s*1)\s*\}}))?)\s*\}}"
)
TAKES_BRACES = re.compile(r"(?:[\^_]|\\[a-zA-Z]+\*?)\s*\Z")
GREEK_NAMES = (
    "alpha|beta|gamma|delta|epsilon|varepsilon|zeta|eta|theta|vartheta|iota|kappa|lambda|mu|nu|xi|pi|varpi|rho|varrho|sigma"
    "|tau|upsilon|phi|varphi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Upsilon|Phi|Psi|Omega"
)
GREEK = re.compile(  # commands that take no braces
    r"\\(?:alpha|beta|gamma|delta|(?:var)?epsilon|zeta|eta|(?:var)?theta|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|(?:var)?phi|chi"
    r"|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Phi|Psi|Omega|ell|infty|quad|qquad|right|left)\s*\Z"
)
SYNONYMS: tuple[tuple[str, Replacement], ...] = (  # (a pattern, what is read instead: never longer)
    (rf"\\sp{END}", "^"),
    (rf"\\sb{END}", "_"),
    (rf"\\bgroup{END}", "{"),
    (rf"\\egroup{END}", "}"),
    (rf"\\lparen{END}", "("),
    (rf"\\rparen{END}", ")"),
    (rf"\\lbrack{END}", "["),
    (rf"\\rbrack{END}", "]"),
    (rf"\\lbrace{END}", r"\{"),
    (rf"\\rbrace{END}", r"\}"),
    (rf"\\m(left|right){END}", r"\\\1"),
    (rf"\\up({GREEK_NAMES}){END}", r"\\\1"),
    (rf"\\Up({GREEK_NAMES}){END}", lambda match: "\\" + match[1].capitalize()),
    (rf"\\degree{END}", r"^\\circ"),
    (rf"(?<=\d)\s*\\textdegree{END}", r"^\\circ"),
    (r"\^\s*\{\s*\^\s*(\{[^{}]*\}|\w|\\[a-zA-Z]+)\s*\}", r"^{\1}"),
    (r"\\tag\*?\s*\{[^{}$]*\$[^{}$=<>]*\$[^{}$]*\}", ""),
    (r"\\(?:tag|label)\*?\s*\{[^{}$\\]*\}(?=\s*(?:\\\\|\\end|\Z))", ""),
    (r"\\(?:cline|cmidrule)\s*(?:\([lr]*\))?\s*\{[^{}]*\}", ""),
    (rf"\\(?:color|textcolor)\s*\{{\s*{COLOR}\s*\}}", ""),
    (rf"\\definecolor{END}(?:\s*\{{[^{{}}]*\}}){{3}}", ""),
    (r"\\raisebox\s*\{\s*-?\s*(?:0\s*[a-z]+|[12](?:\.\d+)?\s*pt|0?\.[1-3]\d*\s*(?:ex|em)|0?\.[45]\d*\s*ex)\s*\}\s*\{\s*\$([^{}$]*)\$\s*\}", r"\1"),
    (r"\\mathop\s*\{\s*(?:\\rm|\\mathrm)(?:\s+|\s*\{\s*)([a-zA-Z]+)\s*\}(?:\s*\})?(?=\s*(?:\\left\s*)?\(|\s*[a-zA-Z]\s*[-+=,.&)])", r"\\operatorname{\1}"),
    (rf"\\mathop\s*\{{\s*(?:\\rm|\\mathrm)(?:\s+|\s*\{{\s*)({FUNCTIONS})\s*\}}(?:\s*\}})?", r"\\\1"),
    (r"\\mathop\s*\{\s*(?:\\rm|\\mathrm)(?:\s+|\s*\{\s*)(tr|det|rank|diag|sign)\s*\}(?:\s*\})?", r"\\mathrm{\1}"),
    (rf"\\mathop\s*\{{\s*(\\(?:sum|prod|o?int|{FUNCTIONS}|lim))\s*\}}", r"\1"),
    (rf"\{{\s*\\rm\s+({FUNCTIONS})\s*\}}", r"\\\1"),
    (rf"(\\(?:{FUNCTIONS}))\s*\\nolimits{END}", r"\1"),
    (r"\{\s*\\(?:rm|it|mit)\s+([a-zA-Z])\s*\}", r"{\1}"),
    (r"\{\s*\\bf\s+([a-zA-Z])\s*\}", r"\\bm \1"),
    (r"\\(?:mathrm|mathit|mathnormal|textrm|text|mbox)\s*\{\s*(\d+)\s*\}", r"{\1}"),
    (r"\\mathnormal\s*\{\s*(\\?[a-zA-Z]+)\s*\}", r"{\1}"),
    (r"\\operatorname\s*\{\s*d\s*\}", r"\\mathrm d "),
    (rf"\\(?:pmb|symbf){END}", r"\\bm"),
    (rf"\\color\s*\{{\s*(?:{COLORS}|black)\s*\}}", ""),
    (rf"\\(?:{NOTHING_SEEN}){END}", ""),
    (rf"\\(?:kern|mkern|hskip|mskip){END}\s*-\s*{LITTLE}(?![a-zA-Z])(?!\s*(?:plus|minus|\\!|\\hspace|\\m?kern|\\mspace|\\[hm]skip|\\negthinspace))", ""),
    (rf"\\(?:kern|mkern|hskip|mskip){END}\s*{LENGTH}(?![a-zA-Z])(?!\s*(?:plus|minus))", ""),
    (rf"\\mspace\s*\{{\s*{LENGTH}\s*\}}", ""),
    (rf"\\neg(?:thin|med)space{END}", r"\\!"),
    (rf"\\eqq?colon{END}|(?<!\{{)=\s*:(?![=a-zA-Z])", "="),
    (r"(?<=\d)\s*\{\s*\}(?=\s*\^\s*\{?\s*\\circ)", ""),
    (r"\\(?:begin|end)\s*\{(?:equation|displaymath)\*?\}", ""),
    (r"\\(begin|end)\s*\{(?:gather|multline)\*?\}", r"\\\1{split}"),
    (rf"\\hspace\*?\s*\{{\s*-\s*{LITTLE}\s*\}}(?!\s*\\(?:!|hspace|m?kern|mspace|[hm]skip|negthinspace))", ""),
    (r"\\mathop\s*\{\s*\}", ""),
    (rf"(?:\\q?quad{END}\s*)+(?==|\\(?:leq?|geq?|approx){END}|<|>)", ""),
    (r"\\(?:text|textrm|mbox)\s*\{\s*([,.;])\s*\}", r"\1"),
    (r"\\text\s*\{\s*,\s*and\s*\}", r",\\text{and}"),
    (r"\\(?:text|textrm|mbox|hbox)\s*\{\s*\$\s*(\\[a-zA-Z]+|\w)\s*\$\s*\}", r"{\1}"),
    (r"\^\s*(?:\{\s*\\ast\s*\}|\\ast(?![a-zA-Z]))", "^*"),
    (r"\\begin\s*\{array\}\s*\[[tcb]\]", r"\\begin{array}"),
    (r"\\(?:hbox|mbox|text|textrm|mathrm)\s*\{[\s~]*\}", ""),
    (r"\\mathchoice\s*\{([^{}]*)\}\s*\{\1\}\s*\{\1\}\s*\{\1\}", r"\1"),
    (r"\\genfrac\s*\{\s*\}\s*\{\s*\}\s*\{\s*\}\s*(?:\{\s*[0-3]?\s*\}|[0-3])", r"\\frac"),
    (r"\\genfrac\s*(?:\{\s*\(\s*\}\s*\{\s*\)\s*\}|\(\))\s*\{\s*0(?:pt|em|mm)\s*\}\s*(?:\{\s*[0-3]?\s*\}|[0-3])", r"\\binom"),
    (rf"\\(?:nicefrac|sfrac|flatfrac){END}", r"\\frac"),
    (r"\\(?:leftroot|uproot)\s*(?:\{\s*-?\d+\s*\}|-?\d+)", ""),
    (rf"\\root\s*\{{?\s*(\d+)\s*\}}?\s*\\of{END}", r"\\sqrt[\1]"),
    (rf"\\(?:cdotp|centerdot){END}", lambda match: r"\cdot"),
    (rf"\\div{END}", "/"),
    (r"\\not\s*=", r"\\ne "),
    (rf"\\leqq{END}", r"\\le"),
    (rf"\\geqq{END}", r"\\ge"),
    (r"\\(?:coloneqq?|vcentcolon\s*=|colon\s*=)(?![a-zA-Z])", ":="),
    (rf"\^\s*\\prime{END}", "'"),
    (r"\^\s*\{((?:\s*\\prime(?![a-zA-Z]))+)\s*\}", lambda match: "'" * match[1].count("prime")),
    (r"([_^]\s*\{)(?:\\[,;:!]|\s)+", r"\1"),
    (r"\\begin\s*\{(aligned|gathered|split)\}\s*\[[tcb]\]", r"\\begin{\1}"),
    (r"\\begin\s*\{alignedat\}\s*\{\s*\d+\s*\}", r"\\begin{aligned}"),
    (r"\\begin\s*\{multlined\}(?:\s*\[[tcb]?\])?", r"\\begin{aligned}"),
    (r"\\end\s*\{(?:alignedat|multlined)\}", r"\\end{aligned}"),
    (r"\\(begin|end)\s*\{dcases\*?\}", r"\\\1{cases}"),
    (r"\\begin\s*\{([bpvB]?matrix)\*\}(?:\s*\[[lcr]\])?", r"\\begin{\1}"),
    (r"\\end\s*\{([bpvB]?matrix)\*\}", r"\\end{\1}"),
    (r"\\(begin|end)\s*\{([bpvB])smallmatrix\}", r"\\\1{\2matrix}"),
    (r"\\begin\s*\{array\}\s*\{(?=[^{}]*[@|!>*])(?:[lcr|\s]|[@!>]\s*\{[^{}]*\}|\*\s*\{?\d\}?\s*\{[lcr|\s]*\})*\}", lambda match: columns(match.group())),
    (rf"\\(?:cr|tabularnewline){END}", r"\\\\"),
    (r"\\\\\*", r"\\\\"),
)  # fmt: skip
PATTERNS = [(re.compile(rf"(?<!\\){pattern}"), to) for pattern, to in SYNONYMS]


def with_plain_typesetting(latex: str) -> str:
    """Return a formula without what changes only its look, each character that is read at its place."""
    if len(latex) > LARGEST_DISPLAY or not re.search(r"[\\{:]", latex):
        return latex  # what is too large is refused
    for pattern, to in PATTERNS:
        latex = pattern.sub(partial(in_as_many, to), latex)
    latex = with_lines(with_boxes_open(latex))
    latex = without_groups(PHANTOM, latex, seen=False)
    latex = without_groups(WRAPPER, latex, seen=True)
    latex = re.sub(rf"\\(?:{WRAPPERS}){END}(?=\s*(?:[-+=()\[\]|]|\\[{{}}]))", in_spaces, latex)
    return BRACED_SIGN.sub(without_braces, latex)


def in_as_many(to: Replacement, match: re.Match[str]) -> str:
    """Return what is read instead of what was found, with spaces up to its length; what was found where that is too long."""
    found = match.group()
    instead = match.expand(to) if isinstance(to, str) else to(match)
    return instead.ljust(len(found)) if len(instead) <= len(found) else found


def in_spaces(match: re.Match[str]) -> str:
    """Return as many spaces as what was found has characters."""
    return " " * len(match.group())


def without_groups(opening: re.Pattern[str], latex: str, seen: bool) -> str:
    r"""Return a formula without commands that take one group in braces; seen: its contents stay, as those of \mathrel{=} do.

    The braces stay where the group is raised or lowered, x^\ensuremath{12}.
    """
    at = 0
    while match := opening.search(latex, at):
        start = match.end()
        end = closing_brace(latex, match.end())
        at = match.end()
        if not end:
            continue
        inside = (
            latex[start:end] if re.search(r"[\^_]\s*\Z", latex[: match.start()]) else f" {latex[start + 1 : end - 1]} "
        )
        inside = inside if seen else " " * (end - start)
        latex = latex[: match.start()] + " " * (start - match.start()) + inside + latex[end:]
    return latex


def without_braces(match: re.Match[str]) -> str:
    """Return a sign without its braces, where no command and no index takes these: a {-} b."""
    before = match.string[: match.start()]
    opened = opening_of(before) if before.rstrip().endswith("}") else before
    colored = re.search(r"\\textcolor\s*\Z", opened)
    takes = TAKES_BRACES.search(opened) and not GREEK.search(opened)
    if opened is not before:  # behind a group: the second one of a command, unless that group is an index or a color
        takes = not (
            colored
            or re.search(r"[\^_]\s*\Z|\\(?:sqrt|math[a-z]+|bm|text|end|d*dot|bar|tilde|hat|vec|overline)\s*\Z", opened)
            or not takes
        )
    return match.group() if takes else f" {match[1]} ".center(len(match.group()))


def opening_of(before: str) -> str:
    """Return the text in front of the group with which a text ends."""
    depth = 0
    for i in range(len(before) - 1, -1, -1):
        depth += {"}": 1, "{": -1}.get(before[i], 0) if before[i - 1 : i] != "\\" else 0
        if depth == 0 and before[i] == "{":
            return before[:i]
    return before


def columns(opening: str) -> str:
    r"""Return the begin of an array without what stands between its columns, \begin{array}{@{}c@{\;}c@{}} as {cc}."""
    written = re.sub(r"\*\s*\{?(\d)\}?\s*\{([lcr|\s]*)\}", lambda match: match[2][:1], opening)
    return re.sub(r"[@!>]\s*\{[^{}]*\}|[|\s]", "", written)
