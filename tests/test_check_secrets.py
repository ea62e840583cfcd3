"""What a student installs gives no solution away: no helper of the checks returns one when it is called."""

import inspect
from pathlib import Path

import nbformat
import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install '.[grade]'")

from coursework.check.agreement import agree
from coursework.check.data import as_data, calls_as_data
from coursework.check.session import assignment_module, parameters_of
from coursework.grading.key import make_key, references

FOLDER = Path(__file__).resolve().parent.parent / "exercises"
NAMES = sorted(path.parent.name for path in FOLDER.glob("*/questions.py"))


def given_away(module, p):
    """What helpers of a module return when they are called with nothing, with p, or one after the other."""
    for name, helper in inspect.getmembers(module, inspect.isfunction):
        if helper.__module__ != module.__name__ or name == "parameters":
            continue
        for given in ((), (p,), (p, ())):
            try:
                found = helper(*given)
            except Exception:
                continue
            yield name, found
            if callable(found):
                try:
                    yield name, found(p)
                except Exception:
                    continue


@pytest.mark.parametrize("name", NAMES)
def test_no_helper_returns_a_solution_in_one_call(name):
    """Neither a formula nor a number nor a function that answers a question; laws compare, they do not tell."""
    source = nbformat.read(FOLDER / name / f"{name}.ipynb", as_version=4)
    module, p = assignment_module(name), parameters_of(name, "ada")
    expected = references(make_key(name, source, source, "seed"), "ada")
    told = []
    key = make_key(name, source, source, "seed")
    for helper, found in given_away(module, p):
        for question, spec in module.QUESTIONS.items():
            if question not in expected or spec.judged == "person" or spec.wrap:
                continue
            inputs = spec.states(p, f"{key.seed_of('ada')}|{question}")
            if (inputs is None) == callable(found):
                continue
            data = as_data(found) if inputs is None else calls_as_data(found, inputs)
            if agree(expected[question], data, spec.tolerance).holds:
                told.append(f"{helper} answers {question}")
    assert told == []


@pytest.mark.parametrize("name", ["two-link"])
def test_no_helper_is_the_function_that_is_asked_for(name):
    """Called with the arguments of the question, as a law is; what a law compares with is not the answer."""
    source = nbformat.read(FOLDER / name / f"{name}.ipynb", as_version=4)
    module, p, key = assignment_module(name), parameters_of(name, "ada"), make_key(name, source, source, "seed")
    expected, told, asked = references(key, "ada"), [], 0
    for question, spec in module.QUESTIONS.items():
        inputs = spec.states(p, f"{key.seed_of('ada')}|{question}")
        for helper, found in inspect.getmembers(module, inspect.isfunction) if inputs and not spec.wrap else ():
            for call in (lambda *at, found=found: found(p, at), lambda *at, found=found: found(p, *at)):
                asked += 1
                data = calls_as_data(call, inputs)
                if agree(expected[question], data, spec.tolerance).holds:
                    told.append(f"{helper} answers {question}")
    assert asked and told == []
