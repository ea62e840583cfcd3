r"""Words in running text by which an equation holds under a condition alone, or a letter means something else from there on.

What stands behind "if", "in the steady state" or "neglecting friction", or in front of "which holds only without slip", is not
used further down; behind "From here on, $a$ stands for .." no line on a is.
"""

import re
from collections.abc import Iterator

SUPPOSED = re.compile(
    r"\b(?:if|suppose|supposing|assume[sd]?|assuming|when|whenever|unless|cases?|at|for|wrong|false|not|incorrect\w*"
    r"|contradict\w*|instead|only|except|as long as|so long as|once|as soon as|granted|limit|either|provided|neglect\w*|ignor\w*|disregard\w*|initially"
    r"|steady|pretend\w*|imagine[sd]?|imagining|hypothe\w*|would|naive\w*|tempt\w*|mistak\w*|claim\w*|believ\w*|held that|(?:show|prove|check|true)\s+that|contrary|absurd\w*"
    r"|(?:before|after|during|until|till|while)\s+(?:the|an?|its?|it|they|that|take-?off|impact)|without(?!\s+\w+ing\b)"
    r"|(?:students?|people|beginners|authors?|textbooks?|many|some)\s+(?:\w+\s+)?(?:write|say|think|assert))\b"
    r"[^.]*\Z",
    re.IGNORECASE,
)
CONDITION = (
    r"(?:only|if|when|whenever|provided|unless|until|except|as long as|so long as|near|under|at|while|during|without(?!\s+\w+ing\b)"
    r"|neglecting|for(?!\s+(?:all|every|each|any)))"
)
LIMITED = re.compile(
    rf"\A[\s,;]*(?:(?:which|that|and this)\s+)?(?:(?:is|was|holds?|valid|true|applies|correct)\s+)*{CONDITION}\b"
    r"|\A[\s.,;]*(?:(?:which|[Tt]his|[Ii]t|[Tt]hat)\s+)?(?:is|was)\s+(?:an?\s+)?(?:\w+\s+)?(?:mistake|error|false|wrong|incorrect)\b"
    rf"|\A[\s.,;]*(?:This|It|That)\s(?:\w+\s){{0,2}}?(?:(?:is|was|holds?|applies)\s(?:\w+\s){{0,2}}?(?:{CONDITION}|not)"
    rf"|only|fails|breaks)\b"
)
OVERWRITTEN = re.compile(r"(\\?[A-Za-z]+(?:_(?:\{[^{}]*\}|\w))?)\s*&?\s*\\(?:leftarrow|gets)(?![a-zA-Z])")
LETTER = r"(?:\$|\\\()\s*(?P<letter>\\?[A-Za-z]+(?:_(?:\{[^{}$]*\}|\w))?)\s*(?:\$|\\\))"
MEANS = (
    r"(?:is|are|be|denotes?|stands?\s+for|means?|represents?|counts?|becomes?|will\s+(?:be|denote|mean|stand\s+for))"
)
ANEW = (
    r"(?:from\s+(?:here|now)\s+on|in\s+(?:what\s+follows|the\s+following)|henceforth|hereafter|now|again|this\s+time)"
)
RENAMED = re.compile(
    rf"\b{ANEW}\b[^.$\\]{{0,60}}{LETTER}\s+(?:now\s+)?{MEANS}\b"
    rf"|{LETTER.replace('letter', 'other')}\s+(?:{ANEW}\s+{MEANS}|{MEANS}\s+{ANEW})\b"
    rf"|{LETTER.replace('letter', 'reused')}\s+(?:is|gets)\s+(?:reused|redefined|renamed|overloaded)\b"
    rf"|\b(?:denote|call)\s+by\s+{LETTER.replace('letter', 'by')}|\bwrite\s+{LETTER.replace('letter', 'written')}\s+for\b"
    rf"|\bLet\s+{LETTER.replace('letter', 'let')}\s+(?:now\s+)?(?:be|denote|stand\s+for|mean)\b",
    re.IGNORECASE,
)
HERE = re.compile(rf"\bHere,?\s+{LETTER}\s+{MEANS}\b", re.IGNORECASE)  # in a paragraph of its own
PARAGRAPH = re.compile(r"\n[ \t]*\n")


def is_supposed(before: str) -> bool:
    """Tell whether the text in front of an equation, of which the last paragraph counts, puts it under a condition."""
    return bool(SUPPOSED.search(PARAGRAPH.split(before)[-1]))


def is_limited(behind: str) -> bool:
    """Tell whether the text behind an equation says that it holds under a condition alone."""
    return bool(LIMITED.match(behind))


def renamed(text: str, start: int, end: int) -> Iterator[str]:
    """Yield each letter, as it is printed, that a text says to mean something else from there on."""
    for match in RENAMED.finditer(text, start, end):
        yield next(x for x in match.groups() if x)
    first = PARAGRAPH.search(text, start, end)
    for match in HERE.finditer(text, first.end(), end) if first else ():
        yield match["letter"]
