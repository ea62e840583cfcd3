r"""`eqproof check paper.tex`: the steps of derivations, compared as identities of free letters, with no declaration.

In a = b = c and in the lines of an align, each side is compared with the one before it, every letter a real number of its
own: a dot, an accent or an index makes another letter. A step holds as an identity, or it is false, with the smallest whole
numbers at which its sides differ, or it is undecided: what a letter means must be said first, as in E = \frac{1}{2} m v^2,
and the sentence tells of which. A file stands for its displays: .tex, .md and .ipynb.
"""

import argparse
import itertools
import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from pathlib import Path

import mpmath
import sympy

from eqproof import tree
from eqproof.bindings import Bindings
from eqproof.decide import exactly, in_digits
from eqproof.errors import ProofError, Unreadable
from eqproof.evaluate import Evaluation, Numbers
from eqproof.pages import COMMENT, DISPLAY, displays_in
from eqproof.parser import parse
from eqproof.points import DIGITS, Point
from eqproof.verdict import Verdict

WHOLE = (0, 1, -1, 2, -2, 3, -3)  # in the order in which a counterexample is looked for
TRIALS = 2000
CODE = re.compile(r"^[ \t]*(`{3,}|~{3,})([ \t]*\w*[ \t]*$|\{code).*?^[ \t]*\1[ \t]*$", re.DOTALL | re.MULTILINE)
WORDS = ("proven", "false", "undecided", "unread")


@dataclass(frozen=True)
class Step:
    """One step of a derivation: where it stands, its two sides as they are printed, what became of it and why.

    verdict: proven, false, undecided or unread; why: how it is known, the numbers at which it is false, or the declaration
    that would decide it.
    """

    file: str
    line: int
    column: int
    left: str
    right: str
    verdict: str
    why: str

    def __str__(self) -> str:
        """Return the step as compilers tell of one."""
        sides = f"{self.left} = {self.right}: " if self.right else ""
        return f"{self.file}:{self.line}:{self.column}: {self.verdict}: {sides}{self.why}"


def steps(path: str | Path) -> list[Step]:
    """Return the steps of all displays of a file; raise OSError where it cannot be read."""
    path = Path(path)
    raw = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(raw)["cells"]
        sources = [(f"{path}#{i}", "".join(c["source"])) for i, c in enumerate(cells) if c["cell_type"] == "markdown"]
    else:
        sources = [(str(path), raw)]
    return [step for name, source in sources for step in steps_in(source, name, path.suffix == ".tex")]


def steps_in(source: str, file: str, is_tex: bool = False) -> Iterator[Step]:
    """Yield the steps of all displays in a text of LaTeX or markdown."""
    if is_tex:  # what is commented out keeps its place
        source = COMMENT.sub(blank, source)
        source = re.sub(r"\\begin\{(verbatim|lstlisting)\}.*?\\end\{\1\}", blank, source, flags=re.DOTALL)
    else:
        source = CODE.sub(blank, source)
    for match in DISPLAY.finditer(source):
        for display in displays_in(match.group(), file):
            yield from steps_of(display.text, file, source, match)


def blank(match: re.Match[str]) -> str:
    """Return as many spaces as what was found has characters, its lines kept."""
    return re.sub(r"[^\n]", " ", match.group())


def steps_of(text: str, file: str, source: str, match: re.Match[str]) -> Iterator[Step]:
    """Yield the steps of one display, of which the text is what was read of a match in its source."""
    same = SequenceMatcher(None, match.group(), text, autojunk=False).get_matching_blocks()

    def at(place: int) -> tuple[int, int]:
        block = next(x for x in same if place < x.b + x.size or x.size == 0)
        start = match.start() + block.a + max(0, place - block.b)
        return source.count("\n", 0, start) + 1, start - source.rfind("\n", 0, start)

    try:
        chains = parse(text).chains
    except ProofError as error:
        yield Step(file, *at(error.place or 0), "", "", "unread", error.sentence)
        return
    for chain in chains:
        for i, relation in enumerate(chain.relations):
            left, right = chain.sides[i : i + 2]
            verdict, why = judged(left, right, relation, text, first=i == 0)
            yield Step(file, *at(right.span[0]), printed(left, text), printed(right, text), verdict, why)


def printed(node: tree.Node, text: str) -> str:
    """Return a side as it is printed, on one line."""
    return " ".join(text[slice(*node.span)].replace("&", " ").replace(r"\\", " ").split())


def judged(left: tree.Node, right: tree.Node, relation: str, text: str, first: bool) -> tuple[str, str]:
    """Return (the verdict on one step, why)."""
    if relation != "=":
        return "undecided", f"only = is compared without declarations, here stands {relation}"
    try:
        letters = free_letters(left, right)
        verdict = compared(left, right, letters, text)
    except ProofError as error:
        return "undecided", error.at(text).sentence
    except (ArithmeticError, TypeError, ValueError, AttributeError, NotImplementedError) as error:
        return "undecided", f"{type(error).__name__}: {error}"
    if verdict:
        return "proven", verdict.how
    one, other = (frozenset(free_letters(side)) for side in (left, right))
    if missing := unexplained(one, other, first or not one or not other):
        lone = {side for side in (left, right) if side in missing}
        names = ", ".join(sorted({printed(x, text) for x in letters if x in (lone or missing)}))
        return "undecided", f"this is no identity of free letters: declare what {names} stands for"
    return "false", f"as an identity; {counterexample(left, right, letters, text) or verdict.how}"


def unexplained(one: frozenset[tree.Node], other: frozenset[tree.Node], alone: bool) -> frozenset[tree.Node]:
    """Return the letters that must mean something else if a step that is no identity is true.

    alone: it is the first one, or one side has no letter: a law or a definition, unless both sides have the same letters.
    """
    if one == other:
        return frozenset()
    if not alone and (one <= other or other <= one):
        return frozenset()
    return one ^ other


def free_letters(*sides: tree.Node) -> dict[tree.Symbol, sympy.Symbol]:
    """Return a real letter for each symbol of sides; raise ProofError at what needs a declaration."""
    symbols: dict[tree.Symbol, sympy.Symbol] = {}
    counting = {x.index for side in sides for x in tree.walk(side) if isinstance(x, tree.Big)}
    for node in (x for side in sides for x in tree.walk(side)):
        if isinstance(node, tree.Derivative | tree.Dotted | tree.Integral):
            raise Unreadable("needs a declaration of what varies", of=node)
        if isinstance(node, tree.Big) and any(isinstance(x, tree.Symbol) for x in bounds_of(node)):
            raise Unreadable("needs a declaration of the number to which it counts", of=node)
        if not isinstance(node, tree.Symbol) or (node.base in counting and not node.sub) or node.base == r"\pi":
            continue
        if node.style == "bold":
            raise Unreadable("needs a declaration of its size", of=node)
        if counting & {*node.sub}:
            raise Unreadable("needs a declaration of its entries", of=node)
        symbols.setdefault(node, sympy.Symbol(f"letter {len(symbols)}", real=True))
    return symbols


def bounds_of(node: tree.Big) -> Iterator[tree.Node]:
    """Yield all nodes in the bounds of a sum."""
    for bound in (node.low, node.high):
        if bound is not None:
            yield from tree.walk(bound)


def compared(left: tree.Node, right: tree.Node, letters: dict, text: str) -> Verdict:
    """Return the Verdict on left = right, each letter free."""
    claims = tree.Claims((tree.Chain((left, right), ("=",)),))
    table = Bindings(dict(letters))
    verdict = exactly(claims, text, table, [{}], 2)
    return verdict if verdict else in_digits(claims, text, table, [{}], 2, None)


def counterexample(left: tree.Node, right: tree.Node, letters: dict, text: str) -> str:
    """Return in words the smallest whole numbers at which two sides differ; "" where none was found."""
    names = list(letters)
    tries = sorted(
        itertools.islice(itertools.product(WHOLE, repeat=len(names)), 7**5),
        key=size_of,
    )
    for numbers in tries[:TRIALS]:
        table = Bindings({x: sympy.Integer(k) for x, k in zip(names, numbers)})
        try:
            with mpmath.workdps(DIGITS):
                a, b = (mpmath.mpf(Evaluation(table, Numbers(Point()))(side)) for side in (left, right))
        except (ProofError, ArithmeticError, TypeError, ValueError):
            continue
        if abs(a - b) > mpmath.mpf(10) ** -20 * max(1, abs(a)):
            at = ", ".join(f"{printed(x, text)} = {k}" for x, k in zip(names, numbers))
            return f"{mpmath.nstr(a, 6)} is not {mpmath.nstr(b, 6)}, where {at}" if at else f"{a} is not {b}"
    return ""


def size_of(numbers: tuple[int, ...]) -> tuple[int, int, tuple[bool, ...]]:
    """Return by what counterexamples are ordered: small numbers first, positive ones before negative ones."""
    return max(map(abs, numbers), default=0), sum(map(abs, numbers)), tuple(k < 0 for k in numbers)


def main(words: Iterable[str]) -> int:
    """Print what became of each step of each file; return 0, 1 if a step is false, 2 if a file cannot be read."""
    parser = argparse.ArgumentParser(prog="eqproof check", description="Compare the steps of derivations, undeclared.")
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a .tex, .md or .ipynb; - is the standard input, as TeX"
    )
    parser.add_argument("--json", action="store_true", help="a list of records instead of lines")
    arguments = parser.parse_args(list(words))
    found: list[Step] = []
    for file in arguments.files:
        try:
            found += steps_in(sys.stdin.read(), "-", True) if file == "-" else steps(file)
        except (OSError, ValueError, KeyError) as error:
            print(f"{file} cannot be read: {error}", file=sys.stderr)
            return 2
    if arguments.json:
        print(json.dumps([asdict(step) for step in found], indent=1))
    else:
        for step in found:
            print(step)
        print(", ".join(f"{sum(x.verdict == word for x in found)} {word}" for word in WORDS))
    return int(any(step.verdict == "false" for step in found))
