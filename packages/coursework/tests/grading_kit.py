"""What the tests of grading share: commands run by an ordinary user, notebooks of students, a course of their own."""

import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[3]
PYTHONPATH = os.pathsep.join(
    str(ROOT / x) for x in (".", *(f"packages/{name}/src" for name in ("movingfigures", "coursework")))
)
SOURCE = ROOT / "exercises" / "two-link" / "two-link.ipynb"


def sandbox_trouble():
    """Why notebooks cannot be graded here, in words, or None."""
    try:
        import distributed  # noqa: F401
        import nbgrader  # noqa: F401
    except ImportError as error:
        return f"{error.name} is not installed: pip install './packages/coursework[grade]'"
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed: apt install bubblewrap"
    done = run_as_user(["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "true"])
    return None if done.returncode == 0 else f"bubblewrap does not work here: {done.stderr.strip()}"


@functools.cache
def as_user():
    """The words before a command that make root an ordinary user, one who can reach the interpreter and the library."""
    if os.geteuid() != 0:
        return []
    import pwd

    name = os.environ.get("ROBOTDYN_TEST_USER", "nobody")
    entry = pwd.getpwnam(name)
    needed = {Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve().parent.parent, ROOT}
    hidden = {}
    for path in map(str, needed):
        closed = [up for up in [*reversed(Path(path).parents), Path(path)] if not up.stat().st_mode & 0o001]
        if closed:
            hidden.setdefault(str(closed[0]), []).append(path)
    view = ["bwrap", "--dev-bind", "/", "/"]
    for closed, paths in hidden.items():
        view += ["--tmpfs", closed]
        for path in sorted(set(paths)):
            between = [up for up in reversed(Path(path).parents) if up.is_relative_to(closed) and str(up) != closed]
            for up in between:
                view += ["--perms", "0755", "--dir", str(up)]
            view += ["--ro-bind", path, path]
    drop = ["setpriv", f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups"]
    return [*(view if hidden else []), *drop]


def environment(folder):
    """The environment of an ordinary user: nothing of the machine's settings."""
    path = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
    home = {"HOME": str(folder), "TMPDIR": str(folder), "LANG": "C.UTF-8"}
    return {"PATH": path, "PYTHONPATH": PYTHONPATH, "PYTHONDONTWRITEBYTECODE": "1", **home}


def run_as_user(argv, folder="/tmp", timeout=60, check=False):
    """Run a command as an ordinary user; return what subprocess.run returns."""
    done = subprocess.run([*as_user(), *map(str, argv)], cwd=folder, env=environment(folder), capture_output=True,
                          text=True, timeout=timeout, check=False)  # fmt: skip
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done


def start_as_user(argv, folder):
    """Start a command as an ordinary user, in a process group of its own."""
    return subprocess.Popen([*as_user(), *map(str, argv)], cwd=folder, env=environment(folder), start_new_session=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # fmt: skip


def owned_folder():
    """A short temporary folder that belongs to the ordinary user."""
    folder = Path(tempfile.mkdtemp(prefix="rdt", dir="/tmp"))
    hand_over(folder)
    return folder


def hand_over(folder):
    """Give a folder and what is in it to the ordinary user."""
    if os.geteuid() == 0:
        import pwd

        entry = pwd.getpwnam(os.environ.get("ROBOTDYN_TEST_USER", "nobody"))
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, entry.pw_uid, entry.pw_gid, follow_symlinks=False)


class Class:
    """A course in a temporary folder, run by its commands as an ordinary user."""

    def __init__(self, sources=(SOURCE,)):
        self.folder = owned_folder()
        self("release", *sources)

    def __call__(self, command, *words, timeout=1500, check=True):
        argv = [sys.executable, "-m", "coursework", command, "--course", self.folder / "course", *words]
        return run_as_user(argv, self.folder, timeout, check)

    def argv(self, command, *words):
        """The words of a command of this course."""
        return [sys.executable, "-m", "coursework", command, "--course", self.folder / "course", *words]

    def take(self, uploads, assignment="two-link"):
        """Enter uploads, {name: notebook, bytes or text}."""
        place = self.folder / "uploads"
        for name, content in uploads.items():
            path = place / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, dict):
                content = json.dumps(content)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        hand_over(place)
        return self("intake", assignment, place)

    def ledger(self):
        return [
            json.loads(line)
            for line in (self.folder / "course" / "ledger.jsonl").read_bytes().split(b"\n")
            if line.endswith(b"}")
        ]

    def results(self, assignment="two-link"):
        """The results by upload."""
        folder = self.folder / "course" / "results" / assignment
        return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}

    def by_student(self, assignment="two-link"):
        """The results that count, by student."""
        found = [result for result in self.results(assignment).values() if result["state"] != "superseded"]
        return {result["student"]: result for result in found}

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


@functools.cache
def source_text():
    """The source of the assignment as every notebook is written."""
    return nbformat.writes(nbformat.read(SOURCE, as_version=4))


def solved():
    """The notebook of a student who has everything right, a plain dict."""
    return json.loads(source_text())


def cell_of(notebook, question):
    """The cell in which a question is answered."""
    return next(cell for cell in notebook["cells"] if cell["id"] == f"{question}-work")


def with_answer(question, code):
    """A right notebook with other code for one question."""
    notebook = solved()
    cell_of(notebook, question)["source"] = code
    return notebook


def with_cell(before, code, **changed):
    """A right notebook with one more cell before that of a question."""
    notebook = solved()
    place = notebook["cells"].index(cell_of(notebook, before))
    notebook["cells"].insert(place, code_cell(code, **changed))
    return notebook


def code_cell(code, **changed):
    return {
        "cell_type": "code",
        "id": "x",
        "metadata": {},
        "source": code,
        "outputs": [],
        "execution_count": None,
    } | changed


def lost(result):
    """The questions that did not earn all points; a question that waits for a person with a question mark."""
    words = []
    for name, verdict in result["verdicts"].items():
        if verdict["points"] is None:
            words.append(name + "?")
        elif verdict["points"] < verdict["most"]:
            words.append(name)
    return " ".join(words)


def shown(result):
    """All text that the cells of an executed notebook show."""
    outputs = [output for cell in json.loads(result["notebook"])["cells"] for output in cell.get("outputs", [])]
    return "\n".join("".join(output.get("text", "")) for output in outputs)


def class_or_skip():
    """A new Class; the test skips where no sandbox can be made, and says why."""
    reason = sandbox_trouble()
    if reason:
        pytest.skip(reason)
    return Class()
