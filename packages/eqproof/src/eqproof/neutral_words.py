r"""Words between two displays that carry no content: "and hence", "dividing by $m$, we find", "so the kinetic energy is".

Whatever else stands there may name another frame, case, mode or approximation, so an equation above it is no premise below it.
A list of what is harmless misses at worst a step that follows; a list of what is harmful always misses a condition.
"""

import re

from eqproof.sources import NAMES, OPTION, Source

NEUTRAL = frozenset(
    """
    a an the this these that which its it and or so hence thus then therefore thereby consequently accordingly
    since because from by of into to we us is are be has have reads read becomes become equals states
    gives give giving holds yields yield yielding implies imply implying means follows follow leads lead leading
    obtain obtains obtained obtaining get gets find finds found see conclude deduce write writes written recall define
    defined definition arrive know can also just directly immediately equivalently namely i.e
    substituting substitute substitution inserting insert insertion plugging dividing divide division multiplying
    multiply subtracting subtract adding add squaring square solving solve rearranging rearrange rearrangement combining
    combine expanding expand simplifying simplify simplification collecting differentiating differentiate using use
    rewriting rewrite rewritten factoring canceling cancelling comparing
    equation equations eq eqs relation relations expression expressions formula formulas identity identities
    factor term terms root reciprocal inverse product quotient sum difference as according
    energy kinetic potential work power momentum angular velocity speed acceleration position displacement force forces
    moment inertia torque mass charge voltage current resistance pressure area volume length radius distance time period
    frequency angle rate flux density temperature heat entropy error residual gain mean variance probability ratio
    tension field feedback rotational translational determinant trace derivative integral action lagrangian hamiltonian
    """.split()  # noqa: SIM905 (a list of words is read more easily so)
)
PHRASES = re.compile(
    r"\b(?:for (?:all|every)(?=\s*[\\$.,])|after(?=\s+[a-z]+ing\b)|with(?=\s*[\\$])|with (?:this|these|that|which)\b"
    r"|(?:with|where|let|define|denote)(?=\s*\Z)|in(?=\s*[\\$(]|\s+(?:this|equations?|eqs?)\b)|as (?:a )?result|it results"
    r"|solv(?:e|ing) for|(?:expressions?|formulas?) for|in terms of|(?:on )?both sides|let us|given by|by definition"
    r"|one (?:has|finds|gets|obtains))",
    re.IGNORECASE,
)
NOUNS = r"(?:(?:the|an?|its|that)\s+(?:(?!new\b|same\b)[a-z]+\s*){1,2}|that\s*)(?:\bof\s+(?:the\s+|an?\s+|its\s+)?[a-z]+\s*)*"
CLAUSE = rf"\$[^$\n=<>]+\$\s*(?:(?:is|are|denotes?)\s+)?{NOUNS}(?=[,.;]|and\b|\Z)"
NAMED = re.compile(
    rf"\A(?!\s*\n[ \t]*\n)[\s,;]*(?:where|with|[Hh]ere,?)\s+{CLAUSE}(?:,?\s*(?:and\s+)?{CLAUSE})*"
)  # letters of the line
COMMENTS = {"tex": re.compile(r"(?<!\\)%.*"), "md": re.compile(r"<!--.*?-->|^[ \t]*%[^\n]*", re.DOTALL | re.MULTILINE)}
PREAMBLE = re.compile(r"\A.*\\begin\{document\}", re.DOTALL)
REFERENCES = re.compile(
    r"\{(?:eq|ref|numref|math:numref)\}`[^`\n]*`|:(?:eq|ref|math):`[^`\n]*`|\[[^\]\n]*\]\(#[^)\n]*\)"
)
LABEL = re.compile(r"\A[ \t]*(?:\([\w.]*[-:\d][\w:.-]*\)|\{#[\w:-]+\})")  # of the display that ends here
LABELED = re.compile(r"^\([\w:.-]+\)=[ \t]*$|^[ \t]*\.\. math::", re.MULTILINE)
FORMULA = re.compile(r"\$([^$\n]*)\$|\\\(([^\n]*?)\\\)")
RELATION = re.compile(
    r"[=<>]|\\(?:leq?|geq?|neq?|l?approx|ll|gg|in|to|sim|equiv|rightarrow|leqslant|geqslant|text\w*)(?![a-zA-Z])"
)
MARK = re.compile(
    r"^[ \t]*(?:[-*+>|#]|\d+[.)][ \t]|:{3}|[=~^]{3,})[^\n]*|\\(?:begin|end|item|caption|(?:sub)*section)\b[^\n]*",
    re.MULTILINE,
)
SPACES = re.compile(r"\\(?:noindent|par|quad|qquad|smallskip|medskip|bigskip|[ ,;!\\])(?![a-zA-Z])|~")
TOKEN = re.compile(r"\\[a-zA-Z]+|i\.e(?=\.)|[^\W\d_]+(?:['’-][^\W\d_]+)*")
IN_DISPLAY = re.compile(
    r"(?<![_^])(?<![_^]\{)\\(?:text|textrm|textit|textnormal|mbox|(?:short)?intertext|tag)\*?\s*\{([^{}]*)\}"
)
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n[ \t]*\n")
SHOWN = 60  # characters of the words that a sentence names


def without_markup(text: str, source: Source) -> str:
    """Return running text without comments, references and labels."""
    if source.kind in COMMENTS:
        text = COMMENTS[source.kind].sub(" ", text)
    text = LABELED.sub(" ", OPTION.sub(" ", LABEL.sub(" ", text))) if source.kind != "tex" else PREAMBLE.sub("", text)
    return REFERENCES.sub(" ", NAMES.sub(" ", text))


def content_in(text: str) -> str:
    """Return the words of a text if any is not neutral, "" where all are; formulas that relate letters count as content."""
    said = NAMED.sub(" ", text)
    marks = MARK.search(said)
    formulas = [x.group() for x in FORMULA.finditer(said) if RELATION.search(x.group())]
    bare = SPACES.sub(" ", FORMULA.sub(" ", PHRASES.sub(" ", said)))
    others = [x for x in TOKEN.findall(bare) if len(x) > 1 and x.lower() not in NEUTRAL]
    if not (marks or formulas or others):
        return ""
    words = " ".join(text.split())
    return words if len(words) <= SHOWN else f"{words[:SHOWN]}..."


def content_of_display(found: str) -> str:
    """Return the words and tags in a display, if any is not neutral."""
    return next((x for x in map(content_in, IN_DISPLAY.findall(found)) if x), "")


def last_sentence(text: str) -> str:
    """Return the sentence that leads to the end of a text, "" where none does."""
    return next((x for x in reversed(SENTENCE.split(text.strip())) if x.strip()), "")
