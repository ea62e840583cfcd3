"""No decision is made by wording: with every sentence in other words all grades, points, kinds and mistakes are the same."""

import contextlib
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")

from test_check_assignments import KEYS, NAMES, SOURCES, planted

from coursework.check import session
from coursework.grading.graft import role_of, with_identity

STUDENT = "bob"
SCRIPT = Path(__file__).with_name("reworded.py")
OTHERS = [  # what no function, no number and no formula is
    {"unreadable": "complex, where real numbers are asked for"},
    {"shape": [], "text": ["§ Eve was here"]},
    {"shape": [], "text": ["eve*2"]},
    {"shape": [7], "numbers": [1.0] * 7},
    {"shape": [], "numbers": ["inf"]},
    {"items": {"a": {"shape": [], "numbers": [1.0]}}},
    {"error": "ZeroDivisionError: Eve was here"},
    None,
]


def handed_in(name, most):
    """Wrong answers of an assignment, [(name, question, student, DATA of the solution, DATA, seed)], `most` of each question."""
    found, space, wrong = {}, {"__name__": "student"}, planted(name)
    seed, answers, right = KEYS[name].seed_of(STUDENT), [], {}
    session.catch(found.__setitem__)
    cells = [(*role_of(cell), cell.source) for cell in SOURCES[name].cells if cell.cell_type == "code"]
    asked = {question: source for role, question, source in cells if role == "answer"}
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            for role, question, source in cells:
                before = dict(space)
                exec(with_identity(source, STUDENT, seed), space)
                if role == "answer":
                    right[question] = found[question]
                for code, _ in wrong.get(question, ())[:most] if role == "work" else ():
                    with contextlib.suppress(Exception):
                        exec(with_identity(code, STUDENT, seed), before)
                        exec(asked[question], before)
                        answers.append((question, found[question]))
    finally:
        session.catch(None)
        if "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].close("all")
    answers += [
        (question, data) for question in right for data in (OTHERS if most > 1 else OTHERS[len(question) % 8 :][:1])
    ]
    return [(name, question, STUDENT, right[question], data, seed) for question, data in answers]


def decided(answers, way):
    """What is decided of answers by the checks in other words."""
    done = subprocess.run(
        [sys.executable, SCRIPT, way], input=json.dumps(answers), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("name", "most"),
    [("rp", 1), ("unknown", 1), *(pytest.param(name, 99, marks=pytest.mark.slow) for name in NAMES)],
)
def test_other_words_decide_nothing(name, most):
    """Neither in capitals, where all words are the same but for that, nor with each letter another."""
    answers = handed_in(name, most)
    plain, capitals, rotated = (decided(answers, way) for way in ("plain", "capitals", "rotated"))
    changed = 0
    for answer, *others in zip(answers, plain, capitals, rotated):
        said, large, other = (one.pop("words") for one in others)
        assert others[0] == others[1] == others[2], (answer[1], said)
        assert [words.upper() for words in said] == [words.upper() for words in large], answer[1]
        changed += said != other
    assert changed > 0.9 * sum(bool(one["found"]) for one in plain) > 0
