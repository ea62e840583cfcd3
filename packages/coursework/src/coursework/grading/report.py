"""What a class got wrong: per question how many had it, which named mistakes, whether it separates; no student is named."""

from __future__ import annotations

import statistics
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coursework.check.diagnosis import Kind
from coursework.check.session import assignment_module
from coursework.grading import judge
from coursework.grading.credit import rules
from coursework.grading.export import rows
from coursework.grading.late import DAY
from coursework.grading.tables import write_page

if TYPE_CHECKING:
    from coursework.grading.aliases import Judged, Line, Row
    from coursework.grading.course import Course
    from coursework.grading.key import Key

FEWEST = 9  # students, three in a third: of fewer, how a question separates says nothing
# where: say what a class page may show of a student's words
# what stands in place of those; from how many students on it says a share: `FEWEST` above
INSTEAD = {  # of words that quote what a student wrote: a page for all shows none of it
    Kind.STOPPED: "The function stopped with an error.",
    Kind.STALE: "The cell that should make the answer stopped with an error.",
    Kind.SYMBOL: "It uses a symbol that is not one of the question, or where numbers are asked for.",
    Kind.NO_DATA: "It is not of the kind that is asked for.",
    Kind.UNREAD: "The answer cannot be read.",
    Kind.LINE: "One change of a line of the student's would put it right.",
}


def facts(course: Course, assignment: str) -> dict[str, Any]:
    """Return what the class made of an assignment, a dict: its students, points, questions, and what to say in class.

    What is neither graded nor entered by `merge` is counted as `waiting`, and nowhere else.
    """
    key = course.key(assignment)
    table = rows(course, assignment)
    chosen = course.chosen(assignment)
    taken = [row for row in table if row["score"] != ""]
    if not taken:
        raise RuntimeError(f"no submission of {assignment} is in the gradebook: `merge` first")
    verdicts = [(course.result(chosen[row["student"]]) or {})["verdicts"] for row in taken]
    tried = {row["student"]: _tried(course, key, chosen[row["student"]]) for row in taken}
    sections = tomllib.loads((Path(__file__).parent / "sections.toml").read_text(encoding="utf8")).get(assignment, {})
    asked = {**key.points, **key.people}
    specs = assignment_module(assignment).QUESTIONS
    questions = []
    credit = rules(course.folder, assignment)
    for name in (name for name in specs if name in asked):
        one = {"name": name, "title": specs[name].title, "most": asked[name], "section": sections.get(name, "")}
        one |= {"whole": None, "by": ""}  # of what no machine judges
        one |= _scored(name, asked[name], taken)
        if name in key.points and one["judged"]:
            one |= {"whole": one["right"] / one["judged"], "by": credit[name].by}
        one |= _wrong([one_student.get(name) for one_student in verdicts], specs[name].mistakes)
        questions.append(one | _records([found[name] for found in tried.values() if name in found]))
    return {"assignment": assignment, "students": len(taken), "waiting": len(table) - len(taken), "few": len(taken) < FEWEST,
            "recorded": sum(map(bool, tried.values())), "mean": statistics.mean(row["score"] for row in taken),
            "most": sum(asked.values()), "questions": questions, "say": _to_say(questions), "late": _late(taken)}  # fmt: skip


def _to_say(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the three mistakes with a name that most made: [{count, question, words}]."""
    named = [(count, one, words) for one in questions for words, is_named, count in one["mistakes"] if is_named]
    return [{"count": c, "question": q, "words": w} for c, q, w in sorted(named, key=lambda x: -x[0])[:3]]


def _wrong(verdicts: Iterable[Judged | None], known: Iterable[str]) -> dict[str, Any]:
    """Return how many gave no answer, [(words, whether they name a mistake, how many made it)], [(id, how many)] of generic ones.

    The most frequent come first.
    """
    given = [verdict for verdict in verdicts if verdict]
    none = sum([found["kind"] for found in _found(verdict)[:1]] == [Kind.MISSING] for verdict in given)
    mistakes = Counter(pair for verdict in given for pair in set(_mistakes(verdict, known)))
    ordered = sorted(mistakes.items(), key=lambda one: (-one[1], one[0]))
    ids = Counter(name for verdict in given for name in _generic(verdict))
    by_id = sorted(ids.items(), key=lambda one: (-one[1], one[0]))
    return {"none": none, "mistakes": [(*pair, count) for pair, count in ordered], "ids": by_id}


def _generic(verdict: Judged) -> set[str]:
    """Return the ids of the generic mistakes that a wrong answer has, of `coursework.check.mistakes`."""
    if verdict["points"] is None or verdict["points"] >= verdict["most"]:
        return set()
    return {name for one in _found(verdict) if one["kind"] != Kind.MISTAKE for name in one["mistakes"]}


def _records(tried: Sequence[Sequence[int]]) -> dict[str, float | None]:
    """Return the median of tries and the mean of hints, of [(tries, hints)]; None where nobody has recorded any."""
    return {
        "tries": statistics.median(tries for tries, _ in tried) if tried else None,
        "hints": statistics.mean(hints for _, hints in tried) if tried else None,
    }


def _scored(name: str, most: float, taken: list[Row]) -> dict[str, Any]:
    """How many had a question right, the mean share of its points, and how it separates; unread answers do not count.

    separates: the mean share in the best third of the class, by the other questions, minus that in the last third;
    biserial: the correlation of a question with the sum of the others, Pearson's; None where nothing varies.
    """
    judged = [row for row in taken if row[name] != "" and name not in row["waits_for_person"].split()]
    shares = [row[name] / most for row in judged]
    others = [row["score"] + row["penalty"] - row[name] for row in judged]
    found = {"judged": len(judged), "right": sum(share > 1 - 1e-9 for share in shares)}
    found |= {"share": statistics.mean(shares) if shares else None, "separates": None, "biserial": None}
    if len(judged) >= FEWEST:
        equal = defaultdict(list)  # who are equal in the other questions count alike, wherever the thirds part
        for other, share in zip(others, shares):
            equal[round(other, 6)].append(share)
        order = [statistics.mean(equal[other]) for other in sorted(equal) for _ in equal[other]]
        third = len(judged) // 3
        found["separates"] = statistics.mean(order[-third:]) - statistics.mean(order[:third])
        if len(set(shares)) > 1 and len(set(others)) > 1:
            found["biserial"] = statistics.correlation(shares, others)
    return found


def _late(taken: list[Row]) -> list[dict[str, Any]]:
    """Return how many were how late: [{words, students, free days, points lost on average}], [] where nobody was."""
    late = defaultdict(list)
    for row in taken:
        days = row.get("late_days", -(-row.get("late", 0) // DAY))
        late["in time" if not row.get("late") else "within the grace period" if not days else f"{days} d"].append(row)
    order = sorted(late, key=lambda words: (words[0].isdigit(), words[0] == "w", len(words), words))
    found = [{"words": words, "students": len(late[words]), "free": sum(row.get("free_days", 0) for row in late[words]),
              "lost": statistics.mean(row["penalty"] for row in late[words])} for words in order]  # fmt: skip
    return found if {*late} - {"in time"} else []


def _found(verdict: Judged) -> list[dict[str, Any]]:
    """Return what was found of an answer, a list of dicts; of a verdict that was kept without, nothing."""
    return verdict.get("found", [])


def _mistakes(verdict: Judged, known: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield (words, whether they name a mistake) of a wrong answer: its names, else which law; nothing a student wrote."""
    if verdict["points"] is None or verdict["points"] >= verdict["most"]:
        return
    names = list(known)
    found = _found(verdict)
    typical = [int(number) for one in found if one["kind"] == Kind.MISTAKE for number in one["mistakes"]]
    yield from ((names[number], True) for number in typical if number < len(names))
    if found and not typical and found[0]["kind"] != Kind.MISSING:
        quotes = found[0]["quotes_student"]
        yield INSTEAD[Kind(found[0]["kind"])] if quotes else found[0]["text"], False


def _tried(course: Course, key: Key, line: Line) -> Mapping[str, Sequence[int]]:
    """Return {question: (tries, hints)} that the notebook of an upload has counted; {} where it has none."""
    return judge.here().tried(key.to_json(), course.raw_path(line["sha"]).read_bytes())


def to_page(course: Course, assignment: str, path: Path) -> tuple[Path, Path]:
    """Write the page, and beside it the table (.csv); return both paths."""
    found = facts(course, assignment)
    return write_page(path, "report.html", found, list(_lines(found)))


def _lines(found: Mapping[str, Any]) -> Iterator[Row]:
    """Yield one dict a question and mistake, a generic one by its id; a question without mistakes has one."""
    for one in found["questions"]:
        generic = [(name, "generic", count) for name, count in one["ids"]]
        for words, named, count in [*one["mistakes"], *generic] or [("", "", 0)]:
            yield {"assignment": found["assignment"], "question": one["name"], "points": one["most"], "students": found["students"],
                   "judged": one["judged"], "right": one["right"], "no_answer": one["none"], "mean_share": _short(one["share"]), "mean_share_whole": _short(one["whole"]), "parts": one["by"],
                   "upper_minus_lower": _short(one["separates"]), "point_biserial": _short(one["biserial"]),
                   "median_tries": _short(one["tries"]), "mean_hints": _short(one["hints"]),
                   "mistake": words, "named": {True: "yes", False: "no"}.get(named, named), "count": count, "section": one["section"]}  # fmt: skip


def _short(number: float | None) -> float | str:
    return "" if number is None else round(number, 3)
