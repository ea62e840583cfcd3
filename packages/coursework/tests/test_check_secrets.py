"""What a student installs gives no solution away: whatever of it is called, nothing returns an answer."""

import contextlib
import copy
import functools
import gc
import inspect
import io
import itertools
import sys
import types
from pathlib import Path

import nbformat
import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")

from coursework.check.agreement import agree, named, programs_of, random_points, values_at
from coursework.check.data import as_data, flat
from coursework.check.parameters import Parameters
from coursework.check.session import assignment_module, parameters_of
from coursework.grading.key import make_key, references

FOLDER = Path(__file__).resolve().parents[3] / "exercises"
NAMES = sorted(path.parent.name for path in FOLDER.glob("*/questions.py"))
OWN = ("coursework.check", "coursework.questions", "coursework.given", "coursework.lazy_numpy")  # in a student's kernel
NEAR = 1e-6


def helpers():
    """Every function of the checks and of all assignments that Python holds: of modules, of classes, in closures."""
    for name in NAMES:
        assignment_module(name)
    gc.collect()
    found = [one for one in gc.get_objects() if isinstance(one, types.FunctionType)]
    return [one for one in found if str(one.__module__).startswith(OWN)]


def most(helper):
    """How many arguments a function takes at least and at most."""
    given = inspect.signature(helper).parameters.values()
    placed = [one for one in given if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    needed = sum(one.default is one.empty for one in placed)
    return needed, 9 if any(one.kind == one.VAR_POSITIONAL for one in given) else len(placed)


def ways(p, at):
    """Arguments with which a function may be tried: the numbers of a student, the place, its parts."""
    parts = list(at) if isinstance(at, tuple) else []
    tried = [(), *((*front, *parts) for front in ((), (p,))), (p, at, *parts[:1])]
    for n in (1, 2):
        tried += itertools.product([p, at, *parts[:2]], repeat=n)
    tried += [(p, at, 0.0), (p, at, [0.0, 0.0]), (p, at, [[0.0, 0.0], [0.0, 0.0]]), (p, parts[:1], at, 1.0)]
    return tried


def told(helper, p, at, depth=0):
    """What a function returns for these, and what the functions return that it returns."""
    try:
        needed, taken = most(helper)
    except (TypeError, ValueError):
        return
    for given in ways(p, at):
        if not needed <= len(given) <= taken:
            continue
        try:
            found = helper(*copy.copy(given))
        except Exception:
            continue
        if isinstance(found, types.FunctionType) and depth < 2:
            yield from told(found, p, at, depth + 1)
        yield found
        if isinstance(found, (list, tuple, dict)) and len(found) < 20:
            yield from found.values() if isinstance(found, dict) else found


def places(spec, p, key, question, data):
    """Where a question is asked, and the solution there: a random point, a call, or nowhere in particular."""
    inputs = spec.states(p, f"{key.seed_of('ada')}|{question}")
    if inputs is not None:
        return list(zip(inputs, data["calls"]))[-3:]
    if not spec.names:
        return [((), data)]
    shape, programs = programs_of(data)
    points = random_points(spec.names.split())
    values = values_at(programs, points)
    return [
        (named(points, k), {"shape": list(shape), "numbers": [entry[k].real for entry in values]}) for k in range(3)
    ]


def is_same(found, data):
    """Whether something that was returned is this part of a solution."""
    if "items" in data:
        return isinstance(found, dict) and all(
            key in found and is_same(found[key], part) for key, part in data["items"].items()
        )
    try:
        entries, expected = flat(found)[1], [float(number) for number in data["numbers"]]
        size = max(map(abs, expected))
        return len(entries) == len(expected) and all(abs(a - b) <= NEAR * size for a, b in zip(entries, expected))
    except (TypeError, ValueError, OverflowError, RecursionError):
        return False


def is_formula(found, reference):
    """Whether formulas that were returned are the solution."""
    try:
        texts = all(isinstance(text, str) for text in flat(found)[1])
        return texts and agree(reference, as_data(found)).holds
    except (TypeError, ValueError, RecursionError):
        return False


@functools.cache
def solved(name):
    source = nbformat.read(FOLDER / name / f"{name}.ipynb", as_version=4)
    key = make_key(name, source, source, "seed")
    return key, references(key, "ada")


def given_away(name, found):
    """The functions among some that return an answer, with the question."""
    key, expected = solved(name)
    away = []
    for question, spec in assignment_module(name).QUESTIONS.items():
        if spec.judged == "laws" or question not in expected:
            continue
        p = parameters_of(name, "ada")  # one of the functions called before may have emptied those of another question
        where = places(spec, p, key, question, expected[question])
        for helper in found:
            answers = [any(is_same(one, data) for one in told(helper, p, at)) for at, data in where[-1:]]
            if all(answers) and all(any(is_same(one, data) for one in told(helper, p, at)) for at, data in where):
                away.append(f"{helper.__qualname__} answers {question}")
            if spec.names and any(is_formula(one, expected[question]) for one in told(helper, p, ())):
                away.append(f"{helper.__qualname__} answers {question}")
    return away


def insides(owners):
    """What the modules of the checks hold and a call may change: their dictionaries, lists and sets, and the states of objects."""
    for module in owners:
        for held in [held for name, held in vars(module).items() if not name.startswith("__")]:
            state = getattr(held, "__dict__", None)
            of_object = isinstance(state, dict) and str(type(held).__module__).startswith(OWN)
            if isinstance(held, dict | list | set) or of_object:
                yield state if of_object else held


@pytest.fixture
def untouched(monkeypatch):
    """The checks are as before when all their functions have been called; no error prints all numbers of a student, a thousand times."""
    for name in NAMES:
        assignment_module(name)
    owners = [module for name, module in sys.modules.items() if name.startswith(OWN)]
    names = [(vars(module), dict(vars(module))) for module in owners]
    before = names + [(held, copy.copy(held)) for held in insides(owners)]
    monkeypatch.setattr(Parameters, "__repr__", lambda p: "Parameters(..)")
    with contextlib.redirect_stdout(io.StringIO()):
        yield
    for held, content in before:
        if isinstance(held, list):
            held[:] = content
        else:
            held.clear()
            held.update(content)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_function_of_the_checks_returns_a_solution(name, untouched):
    """Laws compare, they do not tell: no formula, no number, no function, and none that can be fitted to what it says."""
    found = helpers()
    assert len(found) > 300
    assert given_away(name, found) == []
