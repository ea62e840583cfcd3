"""What a student's text may show in a teacher's browser: no tag, no script, no picture from elsewhere, no formula that ends the tab."""

import re
from collections.abc import Container
from urllib.parse import unquote

TAG = re.compile(r"<(?=[A-Za-z/!?])")
WRITTEN_OUT = re.compile(  # a letter, a colon, or what a formula is made of, in disguise
    r"&(?=(?:amp;?)*(?:#|(?:colon|Tab|NewLine|bsol|dollar|percnt|[lr]cub|[lr]brace|[lr]sqb|[lr]brack);))", re.I
)
GAP = r"[\s\\\x00-\x20]{0,9}"
LINK = re.compile(  # a link that runs a script, and a formula that links, styles, loads or gives commands another sense
    "(" + "|".join(GAP.join(word) + GAP for word in ("javascript", "vbscript", "data")) + r"):"
    r"|\\(href|url|style|class|cssId|require|html\w*|includegraphics|bbox|enclose|mmlToken|verb(?![a-z])"
    r"|[gex]?def(?![a-z])|let(?![a-z])|(?:re)?new(?:command|environment)|DeclareMathOperator|newextarrow)", re.I,
)  # fmt: skip
NESTS = re.compile(  # an opening, an end, a size or style that lasts as long as what it stands in
    r"(\{|\\(?:left|begin)(?![A-Za-z]))|((?<!\\)\}|\\(?:right|end)(?![A-Za-z]))"
    r"|(\\(?:(?:display|text|script|scriptscript)style|[tT]iny|scriptsize|small|normalsize|[lL]arge|LARGE|[hH]uge)"
    r"(?![A-Za-z]))"
)
# of a formula
COMMENT = re.compile(r"%[^$\n]*")
END = re.compile(r"\}|\\(?:right|end)")
IMAGE = re.compile(r"!\[(?:[^\]\n]{0,200}\]\(attachment:([^)\s]{1,200})\))?")
MOST_NESTED, MOST_STYLES = 24, 100  # of a formula: what is nested more deeply ends the tab of a browser


def harmless(text: str, attachments: Container[str] = ()) -> str:
    """Return Markdown in which nothing is a tag, no link runs a script and no picture is loaded from elsewhere.

    It is shown in the teacher's browser.  attachments: names of pictures that the cell holds itself.
    """
    text = TAG.sub("&lt;", WRITTEN_OUT.sub("& ", text))
    text = LINK.sub(lambda found: f"{found[1]} \u2236" if found[1] else f"\\ {found[2]}", text)
    return IMAGE.sub(
        lambda found: found[0] if found[1] and unquote(found[1]) in attachments else f"! {found[0][1:]}", text
    )


def is_deep(text: str) -> bool:
    """Return whether a text may hold a formula that is nested more deeply than a browser can show."""
    depth = styles = 0
    text = COMMENT.sub(lambda found: END.sub("", found[0]), text)  # nothing ends in what may be a comment
    for opening, end, style in NESTS.findall(text):
        depth = max(0, depth + bool(opening) - bool(end))
        styles += bool(style)
        if depth > MOST_NESTED or styles > MOST_STYLES:
            return True
    return False
