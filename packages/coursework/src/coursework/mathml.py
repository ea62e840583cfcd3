"""Formulas as MathML, which browsers draw without a script: TeX is turned by latex2mathml, letters of a style by Unicode.

Browsers ignore `mathvariant`, so a bold letter is a letter of its own (U+1D400 and after).
"""

import html
import re
import unicodedata
from xml.etree import ElementTree

NAMESPACE = "http://www.w3.org/1998/Math/MathML"
MATH_VARIANTS = {
    "bold": "BOLD",
    "italic": "ITALIC",
    "bold-italic": "BOLD ITALIC",
    "double-struck": "DOUBLE-STRUCK",
    "script": "SCRIPT",
    "bold-script": "BOLD SCRIPT",
    "fraktur": "FRAKTUR",
    "bold-fraktur": "BOLD FRAKTUR",
    "sans-serif": "SANS-SERIF",
    "bold-sans-serif": "SANS-SERIF BOLD",
    "monospace": "MONOSPACE",
}
STYLED_TOKEN = re.compile(r'<(m[ino])((?: [\w-]+="[^"]*")*?) mathvariant="([\w-]+)"((?: [\w-]+="[^"]*")*)>([^<]*)</\1>')
MOST_TEX = 5000  # characters of a formula that is turned; a longer one takes seconds
DELIMITED = re.compile(r"\s*(\$\$?)(.*?)\1\s*", re.S)
ELEMENTS = frozenset(
    [
        "math",
        "mrow",
        "mi",
        "mn",
        "mo",
        "mtext",
        "mspace",
        "ms",
        "msub",
        "msup",
        "msubsup",
        "munder",
        "mover",
        "munderover",
        "mmultiscripts",
        "mprescripts",
        "none",
        "mfrac",
        "msqrt",
        "mroot",
        "mtable",
        "mtr",
        "mtd",
        "mstyle",
        "mpadded",
        "mphantom",
        "menclose",
    ]
)
ROWS = ("math", "mrow", "mtd", "mstyle", "msqrt", "mpadded")  # elements whose children stand side by side
ATTRIBUTES = frozenset(
    [
        "display",
        "displaystyle",
        "scriptlevel",
        "mathvariant",
        "mathsize",
        "mathcolor",
        "stretchy",
        "fence",
        "form",
        "separator",
        "symmetric",
        "accent",
        "accentunder",
        "movablelimits",
        "minsize",
        "maxsize",
        "lspace",
        "rspace",
        "width",
        "height",
        "depth",
        "voffset",
        "linethickness",
        "columnalign",
        "rowspacing",
        "columnspacing",
        "columnlines",
        "rowlines",
        "notation",
    ]
)  # nothing that links, names, styles or runs


def from_tex(tex: str, block: bool = False) -> str | None:
    """Return TeX as MathML; None where latex2mathml cannot read it, or where what it makes is more than a formula.

    block: whether the formula stands in a line of its own. Nothing of the result can link or run, whatever the TeX holds.
    Its names have no prefix, whatever other libraries of the process registered: a browser's parser knows none.
    """
    from latex2mathml.converter import convert

    if len(tex) > MOST_TEX:
        return None
    try:
        made = convert(tex, display="block" if block else "inline")
        root = ElementTree.fromstring(made)
    except Exception:  # each of its errors has a class of its own; and nothing of a student's text may stop a page
        return None
    for element in [*root.iter()]:
        namespace, _, name = element.tag.rpartition("}")
        if namespace != f"{{{NAMESPACE}" or name not in ELEMENTS:
            return None
        for attribute in [one for one in element.attrib if one not in ATTRIBUTES]:
            del element.attrib[attribute]
        element.tag = name
        _set_names_apart(element)
    root.attrib = {"xmlns": NAMESPACE, **root.attrib}
    return with_math_alphanumerics(ElementTree.tostring(root, encoding="unicode"))


def _set_names_apart(parent: ElementTree.Element) -> None:
    """Put thin spaces around the names of functions in a row, also with an exponent or index: l sin q, not lsinq; but sin(q)."""
    if _name(parent) not in ROWS:
        return
    for place in range(len(parent) - 1, -1, -1):
        if not _is_function(parent[place]):
            continue
        if place + 1 < len(parent) and _name(parent[place + 1]) not in ("mrow", "mo", "mspace"):
            parent.insert(place + 1, _thin_space())
        if place and _name(parent[place - 1]) not in ("mo", "mspace"):
            parent.insert(place, _thin_space())


def _thin_space() -> ElementTree.Element:
    return ElementTree.Element("mspace", {"width": "0.17em"})


def _is_function(element: ElementTree.Element) -> bool:
    """Return whether an element is a name of several letters, or one with an exponent or an index."""
    if _name(element) in ("msup", "msub", "msubsup") and len(element):
        element = element[0]
    return _name(element) == "mi" and len(element.text or "") > 1


def _name(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def from_output(latex: str) -> str:
    """Return what a cell shows as LaTeX, $..$ or $$..$$ or an environment, as MathML, or escaped where that cannot be."""
    found = DELIMITED.fullmatch(latex)
    tex, block = (found[2], found[1] == "$$" or r"\displaystyle" in found[2]) if found else (latex, True)
    return from_tex(tex, block) or html.escape(latex, quote=False)


def math_alphanumeric(letter: str, style: str) -> str:
    """Return the letter of Unicode that is a letter in a style of MathML, U+1D40C for M in "bold"; where there is none, the letter.

    What has no bold italic, a digit, is bold.
    """
    if (letter, style) == ("h", "italic"):
        return "ℎ"  # Planck's constant, older than its alphabet
    name = unicodedata.name(letter, "")
    kind = MATH_VARIANTS[style]
    known = re.match(r"(?:LATIN|GREEK) (CAPITAL|SMALL) LETTER (.+)$", name)
    symbol = re.match(r"GREEK (?:LUNATE )?(EPSILON|THETA|KAPPA|PHI|RHO|PI) SYMBOL$", name)
    rest = f"{known[1]} {known[2]}" if known else f"{symbol[1]} SYMBOL" if symbol else name
    old = kind.replace("FRAKTUR", "BLACK-LETTER")  # the first few have names of their own
    for whole in (f"MATHEMATICAL {kind} {rest}", f"{old} {rest}"):
        try:
            return unicodedata.lookup(whole)
        except KeyError:
            continue
    return math_alphanumeric(letter, "bold") if style == "bold-italic" else letter


def with_math_alphanumerics(mathml: str) -> str:
    """Return MathML in which each letter that a style sets apart is a letter of its own, and no style is left but "normal"."""

    def one(found: re.Match[str]) -> str:
        tag, before, style, after, inner = found.groups()
        if style == "normal" or style not in MATH_VARIANTS:
            return found[0]
        made = "".join(math_alphanumeric(letter, style) for letter in html.unescape(inner))
        return f"<{tag}{before}{after}>{html.escape(made, quote=False)}</{tag}>"

    return STYLED_TOKEN.sub(one, mathml)
