"""Reads and judges what a student made, in a process of its own: an end to its time and its memory, whatever was made.

No code of a student runs here.  The process lives as long as its worker and is made anew after it had to be ended.
"""

import base64
import contextlib
import functools
import hashlib
import json
import math
import os
import pickle
import resource
import select
import struct
import subprocess
import sys
import time
from typing import Any

from coursework.check.diagnosis import Diagnosis, Kind
from coursework.grading import watch
from coursework.grading.compare import Verdict, judge

MEMORY = 3 << 30  # bytes
MOST_TRIES = 1000  # of a question, that are believed
# seconds for an upload, an answer, a text on a page; for a solution
READ = 60.0
JUDGED = 30.0
SHOWN = 10.0
OWN = 300.0
MOST_ENDLESS, HURRIED = (
    2,
    10.0,
)  # answers of a notebook that have all their time; seconds for one that comes after these


class NoEnd(RuntimeError):
    """What a student made cannot be read or judged within its time or memory; the sentence says which."""


class Judge:
    """The process that reads and judges; each question to it has its own time."""

    def __init__(self) -> None:
        self.process: Any = None
        self.opened: Any = None
        self.given: dict[tuple[str, str], dict[str, Any]] = {}
        self.cpu = 0.0
        self.endless = 0

    def graft(self, key: str, raw: bytes, student: str) -> str:
        """Return the notebook to execute, as text."""
        return self._ask(READ, "graft", key, raw, student)

    def open(self, key: str, student: str) -> bool:
        """Make ready for the answers of a student: the solution is run for them.  Raises RuntimeError if it cannot."""
        self.opened = (key, student)
        self.given = {}
        self.endless = 0
        return self._open_again()

    def _open_again(self) -> bool:
        try:
            return self._ask(OWN, "references_of", *self.opened)
        except NoEnd as error:
            raise RuntimeError(f"the solution of the key cannot be run: {error}") from error

    def verdict(self, question: str, data: Any) -> dict[str, Any]:
        """Return the verdict of an answer to a question, a dict; a person decides what has no end.

        One that was judged before, as of a question's own cells alone, has the same.
        """
        try:
            known = question, json.dumps(data, sort_keys=True)
        except (RecursionError, TypeError, ValueError):
            return self._verdict(question, data)
        if known not in self.given:
            self.given[known] = self._verdict(question, data)
        return self.given[known]

    def _verdict(self, question: str, data: Any) -> dict[str, Any]:
        key, student = self.opened
        try:
            if self.process is None:
                self._open_again()
            seconds = JUDGED if self.endless < MOST_ENDLESS else HURRIED
            return self._ask(seconds, "judged", key, student, question, data)
        except NoEnd as error:
            self.endless += self.process is None
            most = json.loads(key)["points"][question]
            return Verdict(None, most, (Diagnosis(Kind.PERSON, f"A person looks at this answer: {error}."),)).as_dict()

    def seconds_to_show(self, text: str) -> float:
        """Return the CPU seconds in which a page shows a text, in Markdown; infinity where it cannot."""
        try:
            return self._ask(SHOWN, "shown", text)
        except NoEnd:
            return math.inf

    def trouble(self, key: str, raw: bytes) -> str | None:
        """Return why an upload holds no notebook of an assignment that can be read, or None."""
        try:
            return self._ask(READ, "trouble", key, raw)
        except NoEnd as error:
            return f"it cannot be read: {error}"

    def tried(self, key: str, raw: bytes) -> dict[str, list[int]]:
        """Return {question: (tries, hints)} that the notebook in an upload has counted; {} where it cannot be read."""
        try:
            return self._ask(READ, "tried", key, raw)
        except NoEnd:
            return {}

    def begun(self, key: str, raw: bytes) -> list[str]:
        """Return the ids for which the notebook in an upload calls check.begin, in lower case; [] where it cannot be read."""
        try:
            return self._ask(READ, "begun", key, raw)
        except NoEnd:
            return []

    def beside(self, key: str, raw: bytes) -> dict[str, tuple[int, str, bytes | None]]:
        """Return {name: (bytes, hash, content)} of the files beside the notebook in a zip; {} where it cannot be read.

        The content is None where the file is none that a program is given.
        """
        try:
            found = self._ask(READ, "beside", key, raw)
        except NoEnd:
            return {}
        return {
            name: (size, sha, None if text is None else base64.b64decode(text))
            for name, (size, sha, text) in found.items()
        }

    def held(self, key: str, raw: bytes) -> list[str]:
        """Return the questions whose answer held, by what the notebook in an upload has printed; [] where it cannot be read."""
        try:
            return self._ask(READ, "held", key, raw)
        except NoEnd:
            return []

    def _ask(self, seconds: float, name: str, *given: Any) -> Any:
        if self.process is None:
            argv = [sys.executable, "-P", "-m", "coursework.grading.judge"]
            self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self._send(("ready",))
            self._receive(OWN)
        try:
            self._send((name, *given))
            answer = self._receive(seconds)
        except RecursionError:
            raise NoEnd("it is nested too deeply") from None
        except TimeoutError:
            self.end()
            raise NoEnd(f"it takes more than {seconds:g} s") from None
        except (OSError, EOFError):
            self.end()
            raise NoEnd("it takes more memory than there is") from None
        self.cpu += answer["cpu"]
        if "error" in answer:
            raise NoEnd(answer["error"])
        return answer["value"]

    def _send(self, words: tuple[Any, ...]) -> None:
        raw = pickle.dumps(words)
        self.process.stdin.write(struct.pack("Q", len(raw)) + raw)
        self.process.stdin.flush()

    def _receive(self, seconds: float) -> Any:
        """Return what the process answers.  Raises TimeoutError; the time stands still as that of a cell does."""
        before = watch.waited(self.process.pid)
        granted = 0.0
        end = time.monotonic() + seconds
        raw = b""
        while len(raw) < 8 or len(raw) < 8 + struct.unpack("Q", raw[:8])[0]:
            if not select.select([self.process.stdout], [], [], max(0.0, end - time.monotonic()))[0]:
                more = min(watch.starved(self.process.pid, before), watch.PATIENCE * seconds) - granted
                if more < 0.1:
                    raise TimeoutError
                end = end + more
                granted = granted + more
                continue
            part = os.read(self.process.stdout.fileno(), 1 << 20)
            if not part:
                raise EOFError
            raw += part
        return json.loads(raw[8:])

    def end(self) -> None:
        """End the process; the next question makes another."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


@functools.cache
def here() -> Judge:
    """Return the Judge of this process."""
    return Judge()


def ready() -> bool:
    """Say that the process has begun."""
    return True


def graft(key: str, raw: bytes, student: str) -> str:
    """Return the grafted notebook of an upload, as text."""
    import nbformat

    from coursework.check.session import with_drawn_states
    from coursework.grading import graft as grafting
    from coursework.grading.reading import cells_of

    made = key_of(key)
    seed = with_drawn_states(made.assignment, student, made.seed_of(student))
    nb = grafting.graft(made.notebook(), cells_of(raw, tuple(made.points)), student, seed)
    return nbformat.writes(nb)


def trouble(key: str, raw: bytes) -> str | None:
    """Return why an upload holds no notebook of this assignment, or None."""
    from coursework.grading import graft as grafting
    from coursework.grading.reading import NoNotebook, cells_of

    made = key_of(key)
    try:
        cells = cells_of(raw, tuple(made.points))
    except NoNotebook as error:
        return str(error)
    return _why_whole_class(raw, tuple(made.points)) or grafting.why_not_this_assignment(
        made.notebook(), cells, [*made.points, *made.people]
    )


def _why_whole_class(raw: bytes, known: tuple[str, ...]) -> str | None:
    """Return why a zip may be that of a whole class, as a platform packs it, None where it is one student's or none."""
    from coursework.grading.begun import ids_begun
    from coursework.grading.layouts import Download
    from coursework.grading.reading import NoNotebook, cells_of, notebooks_in

    notebooks = notebooks_in(raw)
    if len(notebooks) < 2:
        return None
    begun: list[set[str]] = []  # of each: for whom
    for _, content in notebooks:
        begun.append(set())
        with contextlib.suppress(NoNotebook):
            cells = cells_of(content, known) if b"begin" in content or content[:2] == b"PK" else []
            begun[-1] |= {*ids_begun([cell["source"] for cell in cells if cell["cell_type"] == "code"])}
    people = set().union(*begun)
    way = "if it is the zip of a class, unpack it, and name the folder that comes out"
    if len(people) > 1:
        return f"it is a zip with notebooks that were begun for {', '.join(sorted(people)[:5])}: {way}; a student's holds one student's work"
    found = Download([path for path, _ in notebooks])
    entries = {path.split("/")[found.depth] for path, _ in notebooks} if found.layout is not None else ()
    if (
        found.layout is not None and len(entries) > 1 and not all(begun)
    ):  # attempts of one, each begun by that one, are one's
        return f"it is a zip with {len(entries)} uploads, named as {found.layout.platform} names them: {way}"
    return None


def tried(key: str, raw: bytes) -> dict[str, list[int]]:
    """Return {question: (tries, hints)} of an upload: what its notebook's own record says, whole numbers of sense."""
    from coursework.grading.reading import cells_of

    known = {*key_of(key).points}
    found = {}
    for cell in cells_of(raw, tuple(known)):
        for question, counts in cell["tried"]:
            if question in known and all(type(n) is int and 0 <= n <= MOST_TRIES for n in counts):
                found[question] = counts
    return found


def beside(key: str, raw: bytes) -> dict[str, tuple[int, str, str | None]]:
    """Return {name: (bytes, hash, base64)} of the files beside the notebook in a zip, of those that no program is given None."""
    from coursework.grading.beside import described
    from coursework.grading.reading import files_beside

    found = files_beside(raw, tuple(key_of(key).points))
    known = {name: (len(content), hashlib.sha256(content).hexdigest()) for name, content in found.items()}
    there = {one["name"] for one in described(known) if not one["why"]}
    return {
        name: (*known[name], base64.b64encode(content).decode() if name in there else None)
        for name, content in found.items()
    }


def held(key: str, raw: bytes) -> list[str]:
    """Return the questions whose checks held where the student ran the notebook of an upload, as that says."""
    from coursework.grading.reading import cells_of

    cells = cells_of(raw, tuple(key_of(key).points))
    return sorted({name for cell in cells for name in cell["held"]} & {*key_of(key).points})


def begun(key: str, raw: bytes) -> list[str]:
    """Return the ids that the cells of an upload begin its assignment for."""
    from coursework.grading.begun import ids_begun
    from coursework.grading.reading import cells_of

    return ids_begun(
        [cell["source"] for cell in cells_of(raw, tuple(key_of(key).points)) if cell["cell_type"] == "code"]
    )


def references_of(key: str, student: str) -> bool:
    """Run the solution for a student."""
    _references(key, student)
    return True


def judged(key: str, student: str, question: str, data: Any) -> dict[str, Any]:
    """Return the verdict of an answer."""
    from coursework.check import messages
    from coursework.check.session import assignment_module, parameters_of

    made = key_of(key)
    messages.use(made.messages)
    p = parameters_of(made.assignment, student)
    spec = assignment_module(made.assignment).QUESTIONS[question]
    inputs = spec.states(p, f"{made.seed_of(student)}|{question}")
    seed = f"{made.points_seed_of(student)}|{question}"
    return judge(spec, made.points[question], p, _references(key, student)[question], data, inputs, seed).as_dict()


def shown(text: str) -> float:
    """Turn a text into a page, as Formgrader and feedback do; return the CPU seconds that it took."""
    from nbformat.v4 import new_markdown_cell, new_notebook

    exporter = exporter_of_pages()
    nb = new_notebook(cells=[new_markdown_cell(text)])
    before = time.process_time()
    exporter.from_notebook_node(nb)
    return time.process_time() - before


@functools.cache
def exporter_of_pages() -> Any:
    """Return what makes pages of notebooks, made ready by a first one."""
    from nbconvert.exporters import HTMLExporter
    from nbformat.v4 import new_notebook

    exporter = HTMLExporter(extra_template_basedirs=[])  # else a template in the current folder, which is a program
    exporter.from_notebook_node(new_notebook())
    return exporter


@functools.lru_cache(maxsize=4)
def key_of(text: str) -> Any:
    """Return the Key that a text holds."""
    from coursework.grading.key import Key

    return Key.from_json(text)


@functools.lru_cache(maxsize=1)
def _references(key: str, student: str) -> Any:
    from coursework.grading.key import references

    return references(key_of(key), student)


def main() -> None:
    """Answer questions from standard input, one after another, until it ends."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    asked = sys.stdin.buffer
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    names = {
        one.__name__: one for one in (ready, graft, trouble, tried, held, begun, beside, references_of, judged, shown)
    }
    while head := asked.read(8):
        name, *given = pickle.loads(asked.read(struct.unpack("Q", head)[0]))
        before = time.process_time()
        try:
            answer = {"value": names[name](*given)}
        except (Exception, RecursionError) as error:
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
        raw = json.dumps(answer | {"cpu": time.process_time() - before}).encode()
        replies.write(struct.pack("Q", len(raw)) + raw)
        replies.flush()


if __name__ == "__main__":
    main()
