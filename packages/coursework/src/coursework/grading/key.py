"""The key of an assignment: the solution as code, points, the released notebook; and what it says for each student.

The key holds no numbers: the solution is run, by the judge, with the parameters and states of the student in question.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import io
import json
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat

from coursework.check import session
from coursework.grading.graft import role_of, with_identity

if TYPE_CHECKING:
    from nbformat import NotebookNode

    from coursework.check.aliases import Data


@dataclass(frozen=True)
class Key:
    """An assignment as the judge knows it.

    seed: a secret of the course, from which hidden states are drawn; files: {name: base64} of what the notebook reads;
    messages: {key: sentence} of the checks that the course has in other words; checks: a hash of the files in which its laws and
    tolerances stand, as they were at the release.
    """

    assignment: str
    code: tuple[str, ...]
    points: dict[str, float]
    people: dict[str, float]
    released: str
    seed: str
    files: dict[str, str] = field(default_factory=dict)
    messages: dict[str, str] = field(default_factory=dict)
    checks: str = ""

    def to_json(self) -> str:
        """Return the key as text; where there are no files, messages or checks, as it was written before keys had any."""
        later = ("files", "messages", "checks")
        fields = {name: part for name, part in self.__dict__.items() if name not in later or part}
        return json.dumps({**fields, "code": list(self.code)}, indent=1, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Key:
        """Return the key that was written by to_json."""
        fields = json.loads(text)
        return cls(**{**fields, "code": tuple(fields["code"])})

    @property
    def fingerprint(self) -> str:
        """What a result depends on besides the upload."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:16]

    def seed_of(self, student: str) -> str:
        """Return the hidden seed of one student: nobody can compute it without the course's secret."""
        return hmac.new(self.seed.encode(), f"{self.assignment}|{student}".encode(), "sha256").hexdigest()[:24]

    def points_seed_of(self, student: str) -> str:
        """Return the seed of the points at which one student's formulas are compared: no sandbox ever holds it."""
        return hmac.new(self.seed.encode(), f"points|{self.assignment}|{student}".encode(), "sha256").hexdigest()

    def beside(self) -> dict[str, bytes]:
        """Return {name: bytes} of the files that the notebook reads."""
        return {name: base64.b64decode(text) for name, text in self.files.items()}

    def notebook(self) -> NotebookNode:
        """Return the released notebook."""
        return nbformat.reads(self.released, as_version=4)


def make_key(
    assignment: str,
    source: NotebookNode,
    released: NotebookNode,
    seed: str,
    files: Mapping[str, bytes] | Sequence[tuple[str, bytes]] = (),
    messages: Mapping[str, str] | Sequence[tuple[str, str]] = (),
) -> Key:
    """Return the Key of an assignment from its source (with solutions) and its released notebook (without).

    files: {name: bytes} beside it; messages: {key: sentence} of the checks in the words of the course.
    """
    code: list[str] = []
    points: dict[str, float] = {}
    people: dict[str, float] = {}
    for cell in source.cells:
        role, question = role_of(cell)
        if question is not None and role == "answer":
            points[question] = float(cell.metadata.nbgrader.points)
        if question is not None and role == "person":
            people[question] = float(cell.metadata.nbgrader.points)
        if cell.cell_type == "code":
            code.append(cell.source)
    kept = {name: base64.b64encode(raw).decode() for name, raw in dict(files).items()}
    return Key(assignment, tuple(code), points, people, nbformat.writes(released), seed, kept, dict(messages))


def references(key: Key, student: str) -> dict[str, Data]:
    """Return {question: DATA} of the solution for one student, by running it; trusted code, the teacher's own."""
    found: dict[str, Data] = {}
    space = {"__name__": "solution"}
    os.environ.setdefault("MPLBACKEND", "Agg")
    session.catch(found.__setitem__)
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(), _among(key.beside()):
            warnings.simplefilter("ignore")
            for source in key.code:
                text = with_identity(source, student, key.seed_of(student))
                exec(compile(text, f"<{key.assignment}>", "exec"), space)
    finally:
        session.catch(None)
        if "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].close("all")
    return found


@contextlib.contextmanager
def _among(files: Mapping[str, bytes]) -> Iterator[None]:
    """Work in a folder that holds the files {name: bytes}, whose modules can be imported; forget those at the end."""
    if not files:
        yield
        return
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name, raw in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(raw)
        sys.path.append(folder)
        try:
            yield
        finally:
            sys.path.remove(folder)
            for name, module in list(sys.modules.items()):
                if (getattr(module, "__file__", None) or "").startswith(f"{folder}/"):
                    del sys.modules[name]
