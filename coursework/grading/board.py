"""The board of a class: the scores of open tasks, best first and without names; students know their own by its number."""

from coursework.check.session import assignment_module
from coursework.grading.course import write
from coursework.grading.export import rows, write_table


def tasks(course, assignment):
    """Return [(name, title, words of the score, scores, least first)] of the open tasks that have any in the gradebook."""
    specs, chosen = assignment_module(assignment).QUESTIONS, course.chosen(assignment)
    taken = [row["student"] for row in rows(course, assignment) if row["score"] != ""]
    verdicts = [course.result(chosen[student])["verdicts"] for student in taken]
    found = []
    for name, spec in specs.items():
        scores = sorted(score for one in verdicts if (score := one.get(name, {}).get("score")) is not None)
        if spec.score and scores:
            found.append((name, spec.title, spec.score[0], scores))
    if not found:
        raise RuntimeError(f"{assignment} has no open task with a score in the gradebook")
    return found


def to_page(course, assignment, path):
    """Write the page, and beside it the table (.csv); return both paths."""
    from jinja2 import Environment, PackageLoader, select_autoescape

    if path.suffix.lower() not in (".html", ".htm"):
        raise ValueError(f"board must have a page to write, such as board.html, got {path}")
    found = tasks(course, assignment)
    pages = Environment(loader=PackageLoader("coursework.grading", "."), autoescape=select_autoescape())
    write(path, pages.get_template("board.html").render(assignment=assignment, tasks=found).encode())
    lines = [{"question": name, "place": 1 + scores.index(score), "score": f"{score:.4g}"}
             for name, _, _, scores in found for score in scores]  # fmt: skip
    write_table(path.with_suffix(".csv"), lines)
    return path, path.with_suffix(".csv")
