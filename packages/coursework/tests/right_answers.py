"""Tries the right answers of all questions for many students: python packages/coursework/tests/right_answers.py [how many] [assignments].

Each is judged as where it is graded: the laws, the solution, secret states and points of each student's own.
"""

import contextlib
import io
import sys
import time

import nbformat
from grading_kit import ROOT

from coursework.check import session
from coursework.check.question import diagnose
from coursework.check.session import assignment_module

ASSIGNMENTS = sorted(path.parent.name for path in (ROOT / "exercises").glob("*/questions.py"))
SLOW = (
    "plot-fall",
    "plot-holding",
    "plot-reported",
    "controller",
    "filter",
    "plot-mass",
    "hand-torque",
    "gentle-pose",
    "write-the-test",
    "excite",
    "identify",
    "cannot-rise",
    "swing-up",
    "plot-wrong",
    "error-equation",
    "track",
    "settle",
    "hand",
)  # milliseconds and more


def refused(name, students, asked=None):
    """Right answers that are not right, [(student, question, words)]; asked: questions, all that a machine judges if none."""
    from coursework.grading.compare import judge
    from coursework.grading.graft import role_of, with_identity
    from coursework.grading.key import make_key

    source = nbformat.read(ROOT / "exercises" / name / f"{name}.ipynb", as_version=4)
    key = make_key(name, source, source, "the secret of the tests")
    named = lambda code: (
        with_identity(code, "STUDENT", "SEED").replace("'STUDENT'", "student").replace("'SEED'", "seed")
    )
    cells = [
        (*role_of(cell), compile(named(cell.source), "<cell>", "exec"))
        for cell in source.cells
        if cell.cell_type == "code"
    ]
    questions, space, wrong = assignment_module(name).QUESTIONS, {"__name__": "student"}, []
    asked = list(key.points) if asked is None else asked
    for number, student in enumerate(students):
        found, seed = {}, key.seed_of(student)
        space.update(student=student, seed=seed)
        session.catch(found.__setitem__)
        try:
            for role, question, code in cells:
                own = question in asked and not questions[question].names
                # a formula is the same for all; a cell of no question may make something of a student's numbers
                if number == 0 or role == "begin" or own or not question:
                    with contextlib.redirect_stdout(io.StringIO()):
                        exec(code, space)
        finally:
            session.catch(None)
            if "matplotlib.pyplot" in sys.modules:
                sys.modules["matplotlib.pyplot"].close("all")
        if number == 0:
            formulas = {question: data for question, data in found.items() if questions[question].names}
        assert session._now.student == student  # whose numbers these are
        found, p = {**formulas, **found}, session._now.p
        for question in asked:
            spec, points = questions[question], f"{key.points_seed_of(student)}|{question}"
            inputs = spec.states(p, f"{seed}|{question}")
            verdict = judge(spec, 1.0, p, found[question], found[question], inputs, points)
            if verdict.points != 1.0:
                wrong.append((student, question, verdict.sentences or diagnose(spec, p, found[question], inputs)))
    return wrong


def main(many=3000, *names):
    """Say for each assignment what was refused, and how long it took; return whether something was."""
    bad = False
    for name in names or ASSIGNMENTS:
        started = time.process_time()
        wrong = refused(name, [f"s{number:04d}" for number in range(int(many))])
        bad = bad or bool(wrong)
        print(f"{name}: {many} students, {len(wrong)} refused, {time.process_time() - started:.0f} CPU s", flush=True)
        for one in wrong:
            print("  ", *one, flush=True)
    return bad


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
