"""Tries wrong answers of all questions for many students: python packages/coursework/tests/accepted_mistakes.py [how many] [assignments].

Each solution is changed in one part after the other by a generic mistake: a sign, a factor 2 or 1/2, a factor, a term or a
power that is missing, sine for cosine, degrees, an index shifted, a relative for an absolute angle, g = 10 for 9.81.  What
gives another answer than the solution for some student is a mistake, and must be refused for every student.  Questions that
are judged by the solution alone: what a design may be otherwise is no mistake.
"""

import ast
import contextlib
import io
import math
import re
import signal
import sys
import time

import nbformat
from grading_kit import ROOT
from right_answers import ASSIGNMENTS

from coursework.check import mistakes, session
from coursework.check.question import _holds
from coursework.check.rewrites import _placed, _rewrites_of_functions, _rewrites_of_products, _rewrites_of_signs, _slots
from coursework.lazy_numpy import quiet

SAME = 1e-9  # relative: what gives this for every student is no mistake
FAR = 0.1  # relative: no law lets a number be off by so much
SEARCH = {"low", "high"}  # names between which a solution looks for a root: where it begins is no mistake
PATIENCE = 0.5  # s of one changed cell
ANSWER = re.compile(r"check\.answer\(\s*[\"']([\w-]+)[\"'],\s*(\w+)")


class _Endless(BaseException):
    """A changed cell takes too long."""


def _stop(number, frame):
    raise _Endless


def changes(source):
    """Pairs of words and code, for a cell with one part of it changed by a generic mistake."""
    tree, found = ast.parse(source), {}
    bounds = {
        id(part)
        for line in tree.body
        if isinstance(line, ast.Assign) and _names(line.targets[0]) == SEARCH
        for part in ast.walk(line)
    }
    for owner, key, node, role in [*_slots(tree)]:
        if id(node) in bounds or (_names(node) and _names(node) <= SEARCH):
            continue
        for words, new in _mistakes(node, role):
            old = _put(owner, key, _placed(new, node))
            found.setdefault(ast.unparse(tree), f"{words} in {ast.unparse(node)[:40]}")
            _put(owner, key, old)
    made = []
    for text, words in found.items():
        with contextlib.suppress(SyntaxError):  # an unpacked list has no sign
            made.append((words, compile(text, "<changed>", "exec")))
    return made


def _names(node):
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _put(owner, key, new):
    if isinstance(owner, list):
        old, owner[key] = owner[key], new
        return old
    old = getattr(owner, key)
    setattr(owner, key, new)
    return old


def _mistakes(node, role):
    """Pairs of words and what stands for an expression after a generic mistake."""
    turned = (mistakes.CODE_TRANSPOSED, mistakes.NOT_TRANSPOSED)
    fewer = (mistakes.CODE_FACTOR_TOO_MANY, mistakes.CODE_TERM_TOO_MANY, mistakes.POWER_TOO_MANY)
    yield from ((one.text(), new) for one, new in _rewrites_of_signs(node, role))
    yield from ((one.text(), new) for one, new in _rewrites_of_functions(node, role) if one.mistake not in turned)
    yield from ((one.text(), new) for one, new in _rewrites_of_products(node, role) if one.mistake in fewer)
    two = ast.Constant(2.0)
    if role == "term" and not isinstance(node, (ast.Tuple, ast.List, ast.Lambda, ast.UnaryOp)):
        yield "twice", ast.BinOp(two, ast.Mult(), node)
        yield "half", ast.BinOp(node, ast.Div(), two)
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
            yield "degrees", ast.BinOp(ast.Constant(180 / math.pi), ast.Mult(), node)
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        if role == "index":
            yield "index", ast.Constant(node.value + 1)
            yield "index", ast.Constant(node.value - 1)
        elif node.value == 9.81:
            yield "g", ast.Constant(10.0)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.slice.value == 1:
        before = ast.Subscript(node.value, ast.Constant(0), ast.Load())
        yield "relative or absolute", ast.BinOp(node, ast.Add(), before)
        yield "relative or absolute", ast.BinOp(node, ast.Sub(), before)


def gap_of(reference, data):
    """How far numbers are from those of the solution, relative to the largest; infinite where they cannot be compared."""
    try:
        if "calls" in reference:
            return max(gap_of(a, b) for a, b in zip(reference["calls"], data["calls"], strict=True))
        expected, found = ([float(x) for x in one["numbers"]] for one in (reference, data))
        if [n for n in reference["shape"] if n != 1] != [n for n in data["shape"] if n != 1]:
            return math.inf
        gap = max(abs(a - b) for a, b in zip(expected, found, strict=True)) / max(*map(abs, expected), 1e-9)
        return gap if math.isfinite(gap) else math.inf
    except (KeyError, TypeError, ValueError):
        return math.inf


class Tried:
    """The mistakes of one assignment, tried for one student after the other.

    passed: {(question, number of the mistake): {student: gap in tolerances}}, of those that the laws accept or, of numbers,
    that are within ten tolerances; refused: {the same: how many times it was neither}.
    """

    def __init__(self, name, kinds, asked):
        from coursework.grading.graft import role_of
        from coursework.grading.key import make_key

        source = nbformat.read(ROOT / "exercises" / name / f"{name}.ipynb", as_version=4)
        self.name, self.key = name, make_key(name, source, source, "the secret of the tests")
        self.cells = [(*role_of(cell), cell.source) for cell in source.cells if cell.cell_type == "code"]
        self.handed = {
            q: match[2] for role, q, text in self.cells if role == "answer" and (match := ANSWER.search(text))
        }
        work = {q: text for role, q, text in self.cells if role == "work"}
        specs = session.assignment_module(name).QUESTIONS
        fit = lambda q, spec: (
            spec.judged == "reference" and not spec.names and q in self.handed and (not asked or q in asked)
        )
        self.specs = {q: spec for q, spec in specs.items() if fit(q, spec) and ("function" if spec.inputs else "number") in kinds}  # fmt: skip
        self.tries = {q: changes(work[q]) for q in self.specs}
        self.passed, self.refused = {}, {}

    def run(self, student):
        """Try all mistakes with the numbers of a student."""
        from coursework.grading.graft import with_identity

        found, space = {}, {"__name__": "student"}
        session.catch(found.__setitem__)
        try:
            for role, question, text in self.cells:
                before = dict(space)
                with contextlib.redirect_stdout(io.StringIO()), quiet():
                    exec(with_identity(text, student, self.key.seed_of(student)), space)
                if role == "answer" and question in self.specs:
                    self._try(student, question, before, found)
        finally:
            session.catch(None)
            if "matplotlib.pyplot" in sys.modules:
                sys.modules["matplotlib.pyplot"].close("all")

    def _try(self, student, question, names, found):
        spec, reference = self.specs[question], found[question]
        p = session.parameters_of(self.name, student)
        inputs = spec.states(p, f"{self.key.seed_of(student)}|{question}")
        near = 0.0 if inputs else 10 * spec.tolerance
        for number, (_, code) in enumerate(self.tries[question]):
            data = _handed(code, question, self.handed[question], names, found)
            gap = gap_of(reference, data) if data else math.inf
            if gap <= SAME:
                continue
            holds = gap < FAR and _holds(spec, p, data, inputs, f"{self.key.points_seed_of(student)}|{question}")
            if holds or gap < near:
                self.passed.setdefault((question, number), {})[student] = gap / spec.tolerance
            else:
                self.refused[question, number] = self.refused.get((question, number), 0) + 1


def accepted(name, students, kinds=("number", "function"), asked=None):
    """Mistakes that pass, [(question, words, {student: gap in tolerances}, how many refused)], and how many were tried."""
    signal.signal(signal.SIGALRM, _stop)
    tried = Tried(name, kinds, asked)
    for student in students:
        tried.run(student)
    wrong = [(q, tried.tries[q][k][0], gaps, tried.refused.get((q, k), 0)) for (q, k), gaps in tried.passed.items()]
    return wrong, sum(map(len, tried.tries.values()))


def _handed(code, question, name, names, found):
    """What a changed cell hands in, DATA; None where it stops."""
    space = dict(names)
    try:
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        try:
            with contextlib.redirect_stdout(io.StringIO()), quiet():
                exec(code, space)
                session.answer(question, space[name])
            return found[question]
        except Exception:
            return None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except _Endless:  # wherever it came
        return None


def main(many=30, *names):
    """Print for each assignment the mistakes that pass; return whether there is one."""
    bad = False
    for name in names or ASSIGNMENTS:
        started = time.process_time()
        wrong, tried = accepted(name, [f"s{number:04d}" for number in range(int(many))])
        taken = [one for one in wrong if min(one[2].values()) <= 1]
        bad = bad or bool(taken)
        print(f"{name}: {many} students, {tried} mistakes, {len(taken)} accepted for some, {len(wrong) - len(taken)} within ten tolerances, {time.process_time() - started:.0f} CPU s", flush=True)  # fmt: skip
        for question, words, gaps, far in sorted(wrong, key=lambda one: (one[0], -len(one[2]))):
            print(f"  {question}: {words}: within 1 for {sum(g <= 1 for g in gaps.values())}, within 10 for {len(gaps)} of {many} (least {min(gaps.values()):.2g}), refused for {far}", flush=True)  # fmt: skip
    return bad


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
