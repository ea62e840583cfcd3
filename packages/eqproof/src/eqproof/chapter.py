"""A chapter's proofs: what its letters stand for, and for each label a proof, a reason why it defines, or a refusal."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from traceback import walk_stack
from typing import Any

import mpmath
import sympy

from eqproof.binding_layers import Given, Layers, Let, Size
from eqproof.bindings import Bindings, Row
from eqproof.dead_tokens import dead_tokens
from eqproof.decide import decide
from eqproof.errors import Misfit, NoNumber, ProofError, Unbound
from eqproof.evaluate import Evaluation, Numbers
from eqproof.fixed_counts import fixed_letters
from eqproof.loose_relations import refuse_never_equal
from eqproof.pages import displays
from eqproof.parser import parse
from eqproof.points import DIGITS, Point
from eqproof.project import ENDINGS, project
from eqproof.rates import refuse_still_rates
from eqproof.statement import Each, Ground, index_values, indices_in_words
from eqproof.tolerances import refuse_hidden_changes
from eqproof.tree import Chain, Node, Product, Symbol, walk
from eqproof.unit_tables import Units
from eqproof.units import without_unit
from eqproof.verdict import GRADES, Verdict

VERBS = {  # and their methods
    "prove": "judge_proof",
    "postulate": "judge_postulate",
    "define": "judge_definition",
    "refuse": "judge_refusal",
    "print": "judge_output",
}
MEASURED = "; units agree"
Outcome = tuple[str, str]  # the kind of a Result (a grade is one), and how or why


@dataclass(frozen=True)
class Result:
    """What became of an equation, and how or why.

    kind: a Grade of check (proven, checked, computed, ..), postulate, definition, refused (a misprint) or failed;

    line: where its proof begins in the file of proofs.
    """

    label: str
    kind: str
    by: str
    how: str
    seconds: float
    line: int = 1

    @property
    def measured(self) -> bool:
        """Whether it is checked for dimensions as well."""
        return MEASURED in self.how


@dataclass(frozen=True)
class Entry:
    """What a chapter says of one label, with all that it needs to run."""

    label: str
    verb: str
    by: str
    layers: Layers
    each: Each = None
    sizes: tuple[Size, ...] = (None,)
    tolerance: float | None = None
    points: int = 2
    readings: tuple[Given, ...] = ()
    dead: tuple[tuple[str, str], ...] = ()
    symmetric: tuple[str, ...] = ()
    units: tuple[tuple[str, Any], ...] = ()
    trivial: bool = False
    line: int = 1

    def run(self, text: str) -> Result:
        """Return the Result for the text that the page prints under this label."""
        start = time.perf_counter()
        try:
            kind, how = getattr(self, VERBS[self.verb])(text)
        except ProofError as error:
            kind, how = "failed", str(error.at(text, label=self.label))
        except Exception as error:  # whatever stops a proof, the equation is not proven
            kind, how = "failed", f"{self.label}: is not decided: {type(error).__name__}: {error}"
        how = how if kind != "failed" or how.startswith(self.label) else f"{self.label}: {how}"
        return Result(self.label, kind, self.by, how, time.perf_counter() - start, self.line)

    def verdict(self, text: str) -> Verdict:
        """Return the Verdict for all sizes: the first that is false, or else that of the weakest grade."""
        verdicts, every = [], []
        refuse_still_rates(parse(text, self.label), self.grounds())
        for n in self.sizes:
            values = index_values(self.each, n)
            verdict = decide(text, self.layers.table(n), values, self.points, self.tolerance, self.label, self.trivial)
            if not verdict:
                return replace(verdict, tried=f", n = {n}" if n is not None else "")
            verdicts.append(verdict)
            every += [({} if n is None else {"n": n}) | indices for indices in values]
        weakest = max(reversed(verdicts), key=lambda verdict: GRADES.index(verdict.grade))
        return replace(weakest, tried=indices_in_words(every))

    def grounds(self) -> list[Ground]:
        """Return the pairs (table, indices) of all sizes and all values of the free indices."""
        return [(self.layers.table(n), at) for n in self.sizes for at in index_values(self.each, n)]

    def judge_proof(self, text: str) -> Outcome:
        """Return (the grade, how or why not)."""
        if not (verdict := self.verdict(text)):
            return "failed", verdict.how + self.unit_misfit(text)
        return verdict.grade, verdict.how if self.trivial else self.refuse_dead_tokens(text, verdict.how)

    def unit_misfit(self, text: str) -> str:
        """Return in words which units do not agree in an equation that is false: often that shows the slip."""
        try:
            self.check_units(text)
        except ProofError as error:
            return f"; {error.at(text).sentence}"
        return ""

    def judge_output(self, text: str) -> Outcome:
        """Return (the grade, how or why not) of what a program printed: each of its tokens was computed."""
        verdict = self.verdict(text)
        return (verdict.grade, verdict.how + self.check_units(text)) if verdict else ("failed", verdict.how)

    def refuse_dead_tokens(self, text: str, how: str) -> str:
        """Return how it is known, with the author's reasons; raise ProofError at a token that may change unnoticed."""
        grounds = self.grounds()
        reasons, used = dict(self.dead), set()
        claims = parse(text, self.label)
        refuse_never_equal(claims, grounds)
        refuse_hidden_changes(text, self.tolerance, self.verdict)
        for change in [*dead_tokens(claims, grounds, self.symmetric), *fixed_letters(claims, grounds)]:
            token = change.printed(text)
            if token not in reasons:
                rest = f"and nothing changes: {change.cure}, or tell the reason, dead={{..}}"
                raise ProofError(f"{change.what}, {rest}", of=change.token)
            used.add(token)
        for token in reasons.keys() - used:
            raise ProofError(f"{token} matters: delete the reason why it would not")
        excuses = "".join(f"; {token} is not told: {why}" for token, why in self.dead)
        return how + excuses + self.check_units(text)

    def check_units(self, text: str, names: bool = False) -> str:
        """Return in words whether the units agree; raise ProofError where they do not; names: what is left is new."""
        if not self.units:
            return ""
        table, at = self.layers.table(self.sizes[-1]), index_values(self.each, self.sizes[-1])[-1]
        compared: list[Node] = []
        missing = without_unit(parse(text, self.label), table, at, Units(dict(self.units)), names, compared)
        if missing is None and not compared:
            return "; units not compared: beside a zero or a number there is none"
        return MEASURED if missing is None else f"; units open: {text[slice(*missing.span)].strip()} has none"

    def judge_refusal(self, text: str) -> Outcome:
        """Return ("refused", in which way) if it is false under each reading; what cannot be read is an error."""
        ways = []
        for reading in self.readings or (None,):
            entry = self if reading is None else replace(self, layers=self.layers.add(reading))
            try:
                verdict = entry.verdict(text)
            except Misfit as error:  # a column times a column
                ways.append(error.sentence)
                continue
            if verdict:
                return "failed", "this was to be refused, and it holds"
            ways.append(verdict.how)
        return "refused", "; or: ".join(dict.fromkeys(ways))

    def judge_postulate(self, text: str) -> Outcome:
        """Return ("postulate", how): what cannot be derived, but agrees with what the letters are bound to."""
        if not (verdict := self.verdict(text)):
            return "failed", verdict.how + self.unit_misfit(text)
        return "postulate", self.refuse_dead_tokens(text, verdict.how)

    def judge_definition(self, text: str) -> Outcome:
        """Return ("definition", how) if it names something that has no meaning yet by something that has one."""
        for chain in parse(text, self.label).chains:
            if chain.relations != ("=",):
                raise ProofError("a definition must be of the form name = value", place=chain.span[0])
            for n in self.sizes:
                for at in index_values(self.each, n):
                    with mpmath.workdps(DIGITS):
                        evaluation = Evaluation(self.layers.table(n), Numbers(Point()), at)
                        evaluation(chain.sides[1])
                        if has_value(evaluation, chain.sides[0]):
                            raise ProofError("is bound already: prove it, this defines nothing", of=chain.sides[0])
        return "definition", "the name is new, and all on the right has a meaning" + self.check_units(text, names=True)


def has_value(evaluation: Evaluation, node: Node) -> bool:
    """Tell whether a node has a meaning before it is defined."""
    try:
        evaluation(node)
    except Unbound:
        return False
    except NoNumber:
        return True
    except ProofError:  # a name with brackets behind it
        return not isinstance(node, Symbol | Product)
    return True


class Chapter:
    """The proofs of one page; a proof names its label only, the LaTeX is read from the page."""

    def __init__(self, file: str | Path) -> None:
        """file: `__file__` of the proofs; those of rp.ipynb (or rp.md) are written in proofs/rp.py beside it."""
        self.file = Path(file).resolve()
        self.slug, folder = self.file.stem, self.file.parent.parent
        pages = [page for end in ENDINGS if (page := folder / f"{self.slug}{end}").exists()]
        if not pages:
            raise FileNotFoundError(f"{self.file.name} must be named after a page in {folder}: there is no {self.slug}")
        self.page = pages[0]
        self.displays = displays(self.page)
        self.texts = {display.label: display.text for display in self.displays}
        self.layers, self.entries = Layers(), dict[str, Entry]()
        self.wrong: list[str] = []
        self.printed: Entry | None = None
        self.shared = project(folder).units
        self.declared = self.units_of_project()
        self.alike = self.symmetric_of_project = project(folder).symmetric

    def bind(self, table: Given | Let) -> None:
        """Add bindings for all that follows: a dictionary, Bindings, or a function n -> one of these."""
        self.layers = self.layers.add(table)

    def fresh(self) -> None:
        """Begin anew with an empty table: no letter, no unit and no motion from above holds for what follows."""
        self.layers, self.declared, self.alike = Layers(), self.units_of_project(), self.symmetric_of_project

    def units_of_project(self) -> dict[str, Any]:
        """Return the units that the project declares for all pages."""
        return {letter: unit for letter, unit in self.shared.items() if not isinstance(unit, dict)}

    def motion(self, q: Row, qd: Row | None = None, qdd: Row | None = None, t: sympy.Symbol | None = None) -> None:
        """Declare the state for all that follows: dq/dt = qd, dqd/dt = qdd; t: the symbol of explicit time."""
        self.bind(Bindings().motion(q, qd, qdd, t))

    def units(self, table: dict[str, Any] | str) -> None:
        """Declare in which units letters are measured, or name a table of the project: see `eqproof.units`."""
        tables = {name: part for name, part in self.shared.items() if isinstance(part, dict)}
        if isinstance(table, str) and table not in tables:
            raise ProofError(f"units must be a table, or the name of one of this project: {[*tables]}, got {table!r}")
        self.declared |= tables[table] if isinstance(table, str) else table

    def symmetric(self, *letters: str) -> None:
        r"""Declare that letters stand for symmetric matrices, which may be transposed: \boldsymbol I_* is I with any index or none."""
        self.alike = (*self.alike, *letters)

    def rate(self, value: Any) -> Any:
        """Return the time derivative of an expression or a matrix of SymPy, by the chain rule of `motion`."""
        rate = self.layers.table().rate
        return value.applyfunc(rate) if isinstance(value, sympy.MatrixBase) else rate(value)

    def prove(
        self,
        label: str,
        table: Given = None,
        *,
        by: str,
        each: Each = None,
        n: Iterable[int] | None = None,
        tolerance: float | None = None,
        points: int = 2,
        dead: dict[str, str] | None = None,
        trivial: bool = False,
    ) -> None:
        """Claim that the equation with this label holds; by: in words, what it is compared with.

        table: bindings of this equation alone; n: the sizes for which it is checked, when bindings are functions of n;
        each: free indices, "z k" for 1..n each, {"k": 3} for 1..3, or a function n -> list of {"z": 1, "k": 2};
        tolerance: relative, if a value is known to few digits only; dead: for each token (its LaTeX) that may change
        without harm, such as an index of which one value can be tried only, the reason; trivial: it is true by its form
        alone, as a = a + 0 is, and stands on the page to be seen.
        """
        reasons = tuple((dead or {}).items())
        entry = Entry(label, "prove", by, self.layers.add(table), each, as_sizes(n), tolerance, points, dead=reasons)
        self._add(replace(entry, trivial=trivial))

    def define(
        self,
        label: str,
        reason: str,
        table: Given = None,
        *,
        each: Each = None,
        n: Iterable[int] | None = None,
        let: bool = False,
    ) -> None:
        """Say that an equation only gives a name to something; all on its right must be bound.

        let=True binds the name to the right side for all that follows (indices in `each` make it a family).
        """
        entry = Entry(label, "define", reason, self.layers.add(table), each, as_sizes(n))
        self._add(entry)
        if let and label in self.texts:
            self.bind(Let(label, self.texts[label], free_indices(each, entry.sizes[-1]), table))

    def postulate(
        self, label: str, table: Given = None, *, by: str, each: Each = None, n: Iterable[int] | None = None
    ) -> None:
        """Say that an equation is a law that is assumed, such as Newton's; by: in words, with what it was seen to agree."""
        self._add(Entry(label, "postulate", by, self.layers.add(table), each, as_sizes(n)))

    def refuse(self, label: str, table: Given = None, *, by: str, instead: str, readings: Iterable[Given] = ()) -> None:
        """Claim that an equation is false, with the same bindings, indices and sizes with which `instead` was proven.

        table: what stands in the false equation alone, under the reading that is kindest to it; readings: several such
        tables, where the text can be read in several ways, all of them refused; by: the reading, or how it is refused.
        """
        right = self.entries.get(instead)
        if right is None or right.verb != "prove":
            self.wrong.append(f"{label} is to be refused instead of {instead}, which is not proven above")
            return
        self._add(
            replace(right, label=label, verb="refuse", by=by, layers=right.layers.add(table), readings=tuple(readings))
        )

    def outputs(self, table: Given = None, *, by: str) -> None:
        """Say what letters stand for in the equations that cells print: these are checked when the page is built."""
        self.printed = Entry("an output", "print", by, self.layers.add(table), line=line_of_call(self.file))

    def _add(self, entry: Entry) -> None:
        """Keep an entry; one label has one entry, and stands on the page once."""
        count = [display.label for display in self.displays].count(entry.label)
        if entry.label in self.entries:
            self.wrong.append(f"{entry.label} stands twice in {self.file.name}")
        elif count != 1:
            text = "is no label of" if count == 0 else "labels more than one equation of"
            self.wrong.append(f"{entry.label} {text} {self.page.name}")
        units = tuple(self.declared.items())
        self.entries[entry.label] = replace(entry, line=line_of_call(self.file), units=units, symmetric=self.alike)

    def run(self, only: Iterable[str] | None = None) -> list[Result]:
        """Return the Result of each entry, or of those labels in `only`, in the order of the page."""
        chosen = [self.entries[x] for x in self.texts if x in self.entries and (not only or x in only)]
        return [entry.run(self.texts[entry.label]) for entry in chosen]

    def left(self) -> list[str]:
        """Return sentences on all that is wrong with the whole: no label, not proven, a proof of nothing."""
        named = [display for display in self.displays if display.label]
        bare = [f"{d.page}, {d.where}: no label stands behind {d.text[:40]!r}" for d in self.displays if not d.label]
        missing = [f"{d.label} is neither proven nor a definition" for d in named if d.label not in self.entries]
        return [*self.wrong, *bare, *missing, *self.unused()]

    def unused(self) -> list[str]:
        """Return sentences on definitions that no later proof uses: a wrong one would not be noticed."""
        rest = "is a definition that no later proof uses: bind it with let=True, and use it"
        return [
            f"{x.label} {rest}"
            for x in self.entries.values()
            if x.verb == "define" and x.label in self.texts and not self.users(x)
        ]

    def users(self, entry: Entry) -> list[Entry]:
        """Return the proofs that use the name that a definition gives."""
        known = [x for x in self.entries.values() if x.label in self.texts]
        names = {base for chain in chains(self.texts.get(entry.label, "")) for base in bases(chain.sides[0])}
        later = [x for x in known if x.verb in ("prove", "postulate") and x.layers.holds(entry.label)]
        return [x for x in later if any(names & bases(chain) for chain in chains(self.texts[x.label]))]


def chains(text: str) -> tuple[Chain, ...]:
    """Return the chains of a text, none of one that cannot be read: its own entry has failed for that."""
    try:
        return parse(text).chains
    except ProofError:
        return ()


def bases(node: Node) -> set[tuple[str, str]]:
    """Return the letters in a node, without what they wear."""
    return {(x.base, x.style) for x in walk(node) if isinstance(x, Symbol)}


def line_of_call(file: Path) -> int:
    """Return the line of the statement, at the top level of a file, that is being run right now; 1 if none is."""
    lines = [line for frame, line in walk_stack(None) if Path(frame.f_code.co_filename).resolve() == file]
    return lines[-1] if lines else 1


def free_indices(each: Each, n: Size) -> tuple[str, ...]:
    """Return the letters of the free indices; n: the size at which a function tells them."""
    if isinstance(each, str):
        return tuple(each.split())
    return tuple(each) if isinstance(each, Mapping) else tuple(index_values(each, n)[0])


def as_sizes(n: Iterable[int] | None) -> tuple[int | None, ...]:
    """Return the sizes as a tuple; (None,) without any."""
    return (None,) if n is None else tuple(n)
