r"""Relations in running text: which of them state a result that holds, and which give data, a condition, or stay open.

A sentence may say $T = \frac{1}{2} m v^2$, and nothing proves it; or that $q_1 = 0$, which is a condition and no claim.
Each inline relation is tried with the letters of the displayed equations nearest to it, before it and behind it:

- holds: it is true with these letters, at random points, as a displayed equation would be;
- data: a letter and the number that it has here;
- condition: all letters are bound, and it is not true for all of their values: it says of which ones the sentence speaks.
  A result with a slip looks the same; so these are listed for the author to read;
- open: a letter is not bound, or it is not read.

`python -m eqproof --inline PAGE` lists them. Where two sides hold numbers alone, $9600 / 25 = 384$, no letter is needed:
these are computed in every run, and one that is not right to its last printed digit is told.
"""

import json
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import mpmath

from eqproof import tree
from eqproof.bindings import Bindings
from eqproof.chapter import Chapter
from eqproof.check import decide, places
from eqproof.errors import ProofError
from eqproof.evaluate import Evaluation, Numbers
from eqproof.pages import INLINE_CODE, displays_in, without_code
from eqproof.parser import parse
from eqproof.points import Point
from eqproof.project import expand, project

KINDS = ("holds", "data", "condition", "open")
INLINE = re.compile(r"(?<![\\$])\$(?!\$)((?:[^$\n]|\\\$)+?)(?<!\\)\$(?!\$)")
NEAREST = 4  # so many displayed equations are asked for their letters


@dataclass(frozen=True)
class Relation:
    """A relation in running text: its LaTeX, its kind, and the label of the equation with whose letters it holds."""

    text: str
    kind: str
    label: str = ""


def markdown_of(page):
    """Return the running text of a page with its displays, without code."""
    raw = Path(page).read_text(encoding="utf8")
    if Path(page).suffix == ".ipynb":
        raw = "\n\n".join("".join(c["source"]) for c in json.loads(raw)["cells"] if c["cell_type"] == "markdown")
    return INLINE_CODE.sub(" ", without_code(raw))


def relations(page: str | Path, chapter: Chapter | None) -> list[Relation]:
    """Return the relations in the running text of a page, in their order; chapter: its proofs."""
    macros, raw = project(Path(page).parent).macros, markdown_of(page)
    spots = [(raw.find(f"({x.label})"), x.label) for x in displays_in(raw, "") if x.label]
    entries = chapter.entries if chapter else {}
    found = []
    for match in INLINE.finditer(re.sub(r"\$\$.*?\$\$", lambda m: " " * len(m.group()), raw, flags=re.DOTALL)):
        text = expand(match[1], macros)
        if claims(text):
            near = sorted((abs(spot - match.start()), label) for spot, label in spots if label in entries)
            found.append(judged(text, [entries[label] for _, label in near[:NEAREST]]))
    return found


def claims(text):
    """Tell whether a text is a relation; one that cannot be read is, where a sign of one stands in it."""
    try:
        return any(chain.relations and r"\in" not in chain.relations for chain in parse(text).chains)
    except ProofError:
        return bool(re.search(r"[=<>]|\\(le|ge|ne|approx)(?![a-z])", text))


def judged(text, entries):
    """Return the Relation that a text is, with the letters of these entries, the nearest first."""
    try:
        chains = parse(text).chains
    except ProofError:
        return Relation(text, "open")
    if all(len(x.sides) == 2 and isinstance(x.sides[0], tree.Symbol) and tree.is_number(x.sides[1]) for x in chains):
        return Relation(text, "data")
    kind = "open"
    for entry in entries:
        try:
            if all(decide(text, entry.layers.table(n), places(entry.each, n)) for n in entry.sizes):
                return Relation(text, "holds", entry.label)
            kind = "condition"
        except Exception:  # a letter that is not bound there, or whatever stops a proof: the next may know it
            continue
    return Relation(text, kind)


def slips(page: str | Path) -> list[str]:
    """Return sentences on sums in the running text of a page that are not right to the last digit that is printed."""
    macros, found = project(Path(page).parent).macros, []
    for match in INLINE.finditer(re.sub(r"\$\$.*?\$\$", "", markdown_of(page), flags=re.DOTALL)):
        text = expand(match[1], macros)
        try:
            pairs = [(*pair, sign) for x in parse(text).chains for pair, sign in zip(pairwise(x.sides), x.relations)]
        except ProofError:
            continue
        for left, right, sign in pairs:
            if sign in ("=", r"\approx") and not letters_in(left) and not letters_in(right):
                try:
                    a, b = (Evaluation(Bindings(), Numbers(Point())).scalar(side, "a side") for side in (left, right))
                except ProofError:  # a point (0.3, 0.4) is no sum
                    continue
                if abs(a - b) > max(rounding(left), rounding(right)):
                    found.append(f"${text}$ in running text: {mpmath.nstr(a, 6)} is not {mpmath.nstr(b, 6)}")
    return found


def letters_in(node):
    """Tell whether anything but numbers stands in a node."""
    kinds = (tree.Symbol, tree.Text, tree.Dots, tree.Call, tree.Matrix, tree.Cases, tree.Chain)
    return any(isinstance(x, kinds) and x != tree.Symbol(r"\pi") for x in tree.walk(node))


def rounding(node):
    """Return half of the unit of the last digit of a printed number, almost nothing for a sum of such."""
    if isinstance(node, tree.Add) and len(node.terms) == 1:
        node = node.terms[0]
    return 0.5 * 10.0 ** -len(node.text.partition(".")[2]) * 1.0001 if isinstance(node, tree.Number) else 1e-9
