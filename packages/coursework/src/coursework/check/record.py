"""What a student's notebook counts for the report on the class: tries and hints of each question, in a file beside it.

A kernel that starts anew would forget them.  Nothing else is kept of an answer than a hash, to tell a new one from the
old, but of a prediction the first one; what is handed in carries the two counts, and nobody grades them.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coursework.check.aliases import Data

TRIES = "-tries.json"  # how the name of the file ends
NEW = {"tries": 0, "hints": 0, "last": "", "holds": False, "first": None}
SAID = (
    "Beside this notebook, {file} counts how often you try and which hints you read. The counts are handed in with your\n"
    "answers, for a report on the whole class without names, not for your grade. To count nothing: check.begin(..., count=False)."
)


class Record:
    """The counts of one student and assignment.  Where no file can be written they last as long as the kernel."""

    def __init__(self, assignment: str, student: str) -> None:
        self.path, self.student, self.all = Path(f"{assignment}{TRIES}"), str(student), {}
        with suppress(OSError, ValueError):
            found = json.loads(self.path.read_text(encoding="utf8"))
            self.all = found if isinstance(found, dict) else {}
        mine = self.all.get(self.student)
        self.mine = self.all[self.student] = mine if isinstance(mine, dict) else {}

    def said(self) -> str:
        """Return the sentence that tells a student of it."""
        return SAID.format(file=self.path)

    def _of(self, question: str) -> dict[str, Any]:
        one = self.mine.get(question)
        if isinstance(one, dict) and {*one, "first"} == set(NEW) and type(one["tries"]) is type(one["hints"]) is int:
            return NEW | one
        return NEW

    def tried(self, question: str, data: Data) -> dict[str, Any]:
        """Count an answer that is another than the last, until one holds; return what is handed in of it."""
        one = self._of(question)
        said = json.dumps(data, sort_keys=True)
        last = hashlib.sha256(said.encode()).hexdigest()[:8]
        if not one["holds"] and one["last"] != last and "NotImplementedError" not in said:  # that was not written yet
            self._keep(question, one | {"tries": one["tries"] + 1, "last": last})
        return {name: self._of(question)[name] for name in ("tries", "hints")}

    def held(self, question: str) -> None:
        """An answer holds: what is tried after it is not counted."""
        self._keep(question, self._of(question) | {"holds": True})

    def predicted(self, question: str, data: Data) -> None:
        """A prediction is locked, also for the next kernel."""
        self._keep(question, self._of(question) | {"first": data})

    def predictions(self) -> dict[str, Data]:
        """Return the locked predictions, {question: DATA}."""
        found = {question: self._of(question)["first"] for question in self.mine}
        return {question: data for question, data in found.items() if isinstance(data, dict)}

    def hinted(self, question: str, level: int) -> None:
        """A hint was read, until an answer holds."""
        one = self._of(question)
        if not one["holds"]:
            self._keep(question, one | {"hints": max(one["hints"], level)})

    def _keep(self, question: str, one: dict[str, Any]) -> None:
        self.mine[question] = one
        with suppress(OSError):
            self.path.write_text(json.dumps(self.all), encoding="utf8")
