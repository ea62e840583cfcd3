"""A chapter's proofs: what its letters stand for, and for each label a proof or a reason why it is a definition."""

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import mpmath

from robotdyn.proof.bindings import Bindings, Family
from robotdyn.proof.check import check
from robotdyn.proof.errors import ProofError
from robotdyn.proof.evaluate import Evaluation, Numbers
from robotdyn.proof.pages import displays
from robotdyn.proof.parser import parse
from robotdyn.proof.points import DIGITS, Point
from robotdyn.proof.tree import Symbol

BOOK = Path(__file__).resolve().parents[2] / "book"


@dataclass(frozen=True)
class Result:
    """What became of an entry: kind "proven", "definition" or "refused", how or why, and the seconds it took."""

    label: str
    kind: str
    by: str
    how: str
    seconds: float


@dataclass(frozen=True)
class Entry:
    """A proof (or the reason of a definition) for one label, with all that it needs to run."""

    label: str
    by: str
    layers: tuple
    definition: bool = False
    each: Any = None
    sizes: tuple = (None,)
    tolerance: float | None = None
    points: int = 2

    def run(self, text):
        """Return the Result for the text that the page prints under this label."""
        start = time.perf_counter()
        try:
            proven, how = self.judge(text)
        except ProofError as error:
            proven, how = False, str(error.at(text, label=self.label))
        kind = ("definition" if self.definition else "proven") if proven else "refused"
        return Result(self.label, kind, self.by, how, time.perf_counter() - start)

    def judge(self, text):
        """Return (whether it holds, how or why not)."""
        if self.definition:
            self.well_formed(text)
            return True, "a definition"
        for n in self.sizes:
            verdict = check(text, layered(self.layers, n), self.indices(n), self.points, self.tolerance, self.label)
            if not verdict:
                return False, verdict.how + (f", n = {n}" if n is not None else "")
        sizes = f" for n = {', '.join(map(str, self.sizes))}" if self.sizes != (None,) else ""
        return True, verdict.how + sizes

    def indices(self, n):
        """Return {letter: numbers} of the free indices: "z k" is 1..n, {"k": 3} is 1..3, {"k": range(2, 4)} as it is."""
        each = dict.fromkeys(self.each.split(), n) if isinstance(self.each, str) else dict(self.each or {})
        found = {}
        for letter, numbers in each.items():
            numbers = numbers(n) if callable(numbers) else numbers
            if numbers is None:
                raise ProofError(f"each = {self.each!r} needs the sizes n, or numbers", label=self.label)
            found[letter] = range(1, numbers + 1) if isinstance(numbers, int) else tuple(numbers)
        return found

    def well_formed(self, text):
        """Raise ProofError if a definition does not parse or if its last side holds anything unbound."""
        for chain in parse(text, self.label).chains:
            if chain.relations != ("=",):
                raise ProofError("a definition must be of the form name = value", place=chain.span[0])
            for n in self.sizes:
                bindings = layered(self.layers, n)
                at = {letter: numbers[0] for letter, numbers in self.indices(n).items()}
                with mpmath.workdps(DIGITS):
                    Evaluation(bindings, Numbers(Point()), at)(chain.sides[1])


@dataclass(frozen=True)
class Let:
    """Binds the left side of a definition to its right side; free indices make it a family."""

    text: str
    letters: tuple

    def extend(self, bindings):
        """Add the name to a table."""
        for chain in parse(self.text).chains:
            name, value = chain.sides[0], chain.sides[1]
            if not isinstance(name, Symbol):
                raise ProofError("only a symbol can be bound by a definition", self.text, name.span[0])
            before = bindings.copy()
            stars = [piece for piece in name.sub if piece in self.letters]
            if not stars:
                bindings.bind({name: Evaluation(before)(value)})
                continue
            member = lambda *at, value=value, stars=stars: Evaluation(before, at=dict(zip(stars, at)))(value)
            names = tuple(piece for piece in name.sub if piece not in stars)
            bindings.families[replace(name, sub=names)] = Family(len(stars), member)


_TABLES = {}


def layered(layers, n):
    """Return the table that layers of bindings make for a size n."""
    key = (tuple(map(id, layers)), n)
    if key not in _TABLES:
        bindings = Bindings()
        for layer in layers:
            if isinstance(layer, Let):
                layer.extend(bindings)
                continue
            table = layer(n) if callable(layer) else layer
            bindings.merge(table) if isinstance(table, Bindings) else bindings.bind(table)
        _TABLES[key] = (bindings, layers)  # the layers are kept, so that no other object takes their id
    return _TABLES[key][0]


class Chapter:
    """The proofs of one page of the book; a proof names its label only, the LaTeX is read from the page."""

    def __init__(self, slug, book=BOOK):
        paths = [Path(book) / f"{slug}{suffix}" for suffix in (".ipynb", ".md")]
        self.slug, self.path = slug, next((path for path in paths if path.exists()), None)
        if self.path is None:
            raise FileNotFoundError(f"there is no page {slug} in {Path(book).name}/")
        self.displays = displays(self.path)
        self.texts = {display.label: display.text for display in self.displays}
        self.layers, self.entries, self.wrong = (), {}, []

    def bind(self, table):
        """Add bindings for all proofs that follow: a dictionary, Bindings, or a function n -> one of these."""
        self.layers = (*self.layers, table)

    def motion(self, q, qd=None, qdd=None, t=None):
        """Declare the state of all proofs that follow: dq/dt = qd, dqd/dt = qdd; t: the symbol of explicit time."""
        self.bind(Bindings().motion(q, qd, qdd, t))

    def prove(self, label, table=None, *, by, each=None, n=None, tolerance=None, points=2):
        """Claim that the equation with this label holds; by: in words, what it is compared with.

        table: bindings of this equation alone; each: free indices, "z k" for 1..n, {"k": 3} for 1..3;
        n: sizes for which it is checked, when the bindings are functions of n; tolerance: relative, if not exact.
        """
        sizes = (None,) if n is None else tuple(n)
        self.add(Entry(label, by, self.with_table(table), False, each, sizes, tolerance, points))

    def define(self, label, reason, table=None, *, each=None, n=None, let=False):
        """Say that an equation only gives a name to something; all on its right must be bound.

        let=True binds the name to the right side for all proofs that follow (indices in `each` make it a family).
        """
        sizes = (None,) if n is None else tuple(n)
        self.add(Entry(label, reason, self.with_table(table), True, each, sizes))
        if let and label in self.texts:
            letters = tuple(each.split() if isinstance(each, str) else each or ())
            self.bind(Let(self.texts[label], letters))

    def with_table(self, table):
        """Return the layers with one more on top."""
        return self.layers if table is None else (*self.layers, table)

    def add(self, entry):
        """Keep an entry; one label has one entry."""
        if entry.label in self.entries:
            self.wrong.append(f"{entry.label} is proven twice")
        elif entry.label not in self.texts:
            self.wrong.append(f"{entry.label} is no label of {self.path.name} any more: its proof proves nothing")
        self.entries[entry.label] = entry

    def run(self):
        """Return the Result of each entry whose label stands on the page."""
        return [entry.run(self.texts[label]) for label, entry in self.entries.items() if label in self.texts]
