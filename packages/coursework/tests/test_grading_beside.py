"""What belongs to a notebook is there when it is graded; nothing of it stands for what judges, and nothing is lost in silence."""

import io
import json
import zipfile
from pathlib import Path

import grading_kit
import nbformat
import pytest

from coursework.__main__ import main
from coursework.grading import beside, sandbox
from coursework.grading.course import Course, write
from coursework.grading.intake import intake
from coursework.grading.key import Key, make_key, references
from coursework.grading.limits import Limits
from coursework.grading.reading import cells_of, files_beside
from coursework.grading.release import files_of
from coursework.grading.task import _waiting, failures, modules_wanted

HELPERS = "import sympy as sp\n\n\ndef solve(U, *q):\n    return [sp.diff(U, one) for one in q]\n"
USES = "from helpers import solve\n\nU = m1 * g * lc1 * sp.sin(q1) + m2 * g * (l1 * sp.sin(q1) + lc2 * sp.sin(q1 + q2))\nG = solve(U, q1, q2)"
HELD = [{"output_type": "stream", "name": "stdout", "text": ["gravity: every check", " holds.\n"]}]


def uses_helpers():
    return grading_kit.with_answer("gravity", USES)


def zipped(files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


@pytest.fixture
def course(tmp_path):
    """A course with the key of the assignment; nothing is graded."""
    source = nbformat.read(grading_kit.SOURCE, as_version=4)
    made = Course(tmp_path / "course", new=True)
    key = make_key("two-link", source, source, made.seed)
    write(made.folder / "keys" / "two-link.json", key.to_json().encode())
    return made


def take(course, files, capsys, *more):
    """Take in files {name: content}; return what was said and the ledger by student."""
    folder = course.folder.parent / "uploads"
    for name, content in files.items():
        raw = json.dumps(content) if isinstance(content, dict) else content
        write(folder / name, raw if isinstance(raw, bytes) else raw.encode())
    assert main(["intake", "two-link", str(folder), "--course", str(course.folder), *more]) == 0
    return capsys.readouterr().out, {line["student"]: line for line in course.ledger()}


@pytest.mark.parametrize(
    "layout",
    [
        {"{0}/two-link.ipynb": 0, "{0}/helpers.py": 1},
        {"{0}/hw/two-link.ipynb": 0, "{0}/hw/helpers.py": 1},
        {"{0}_two-link.ipynb": 0, "{0}_helpers.py": 1},
        {"two-link_{0}_attempt_2026-11-18-10-00-00_x.ipynb": 0, "two-link_{0}_attempt_2026-11-18-10-00-00_helpers.py": 1},
        {"{0}_8800{1}_990001_two-link-1.ipynb": 0, "{0}_8800{1}_990002_helpers-1.py": 1},
        {"{0} L_1{1}_assignsubmission_file_/two-link.ipynb": 0, "{0} L_1{1}_assignsubmission_file_/helpers.py": 1},
        {"{0} L_1{1}_assignsubmission_file_two-link.ipynb": 0, "{0} L_1{1}_assignsubmission_file_helpers.py": 1},
        {"submission_30{1}/two-link.ipynb": 0, "submission_30{1}/helpers.py": 1},
        {"12{1}-6 - {0} L - Nov 30, 2026 1159 PM/x.ipynb": 0, "12{1}-6 - {0} L - Nov 30, 2026 1159 PM/helpers.py": 1},
    ],
)  # fmt: skip
def test_a_module_beside_a_notebook_is_known_with_it(course, capsys, layout):
    """In the paths of each platform: one upload a student, the module by its own name; another's module is another's."""
    contents = [uses_helpers(), HELPERS]
    files = {
        path.format(name, n): contents[which] for path, which in layout.items() for n, name in enumerate(("ada", "bob"))
    }
    files = {
        name: content + f"# of {name}\n" if isinstance(content, str) else content for name, content in files.items()
    }
    said, lines = take(course, files, capsys)
    assert len(lines) == 2 and all(line["readable"] for line in lines.values()) and "helpers.py (2)" in said
    assert [[one["name"] for one in line["files"]] for line in lines.values()] == [["helpers.py"]] * 2
    kept = [course.raw_path(sha).read_bytes() for line in lines.values() for _, sha in beside.used(line)]
    assert len({*kept}) == 2 and all(raw.startswith(HELPERS.encode()) for raw in kept)


def test_a_module_that_comes_later_belongs_to_the_upload_that_waits_for_it(course, capsys):
    """The upload keeps its number; what was graded without the file has no result any more; one that is gone stays known."""
    _, before = take(course, {"ada/two-link.ipynb": uses_helpers()}, capsys)
    result = {name: before["ada"][name] for name in ("upload", "assignment", "student", "sha")} | {"state": "graded"}
    course.enter_result(before["ada"], result)
    assert course.result(before["ada"])
    said, after = take(course, {"ada/helpers.py": HELPERS, "ada/answer.pdf": b"%PDF-1.7"}, capsys)
    assert after["ada"]["upload"] == before["ada"]["upload"] and course.result(after["ada"]) is None
    assert "answer.pdf, 8 bytes: no program reads it: look at it yourself" in said
    assert "0 new uploads" in said and "1 earlier ones corrected, 1 of them can be read" in said
    assert (beside.used(after["ada"])[0][0], beside.unread(after["ada"])) == ("helpers.py", ["answer.pdf"])
    assert "0 new uploads" in take(course, {}, capsys)[0]
    Path(course.folder.parent, "uploads/ada/helpers.py").unlink()
    assert "0 new uploads" in take(course, {}, capsys)[0]


def test_a_class_that_was_given_other_ids_than_its_platform_writes_is_told(course, capsys):
    """Canvas has numbers of its own; the class would be graded with the numbers of nobody.  With a roster of its ids it is right."""
    text = json.dumps(grading_kit.solved())
    begun = {name: text.replace('student=\\"\\"', f'student=\\"{name}\\"') for name in ("ada", "bob", "cy")}
    files = {f"{name}x_8800{n}_99000{n}_two-link.ipynb": one for n, (name, one) in enumerate(begun.items())}
    said, _ = take(course, files, capsys)
    assert "3 of 3 notebooks were begun for another id than they are graded with, as that of 88000 for ada" in said
    roster = course.folder.parent / "students.csv"
    write(roster, b"id,name\nada,88000\nbob,88001\ncy,88002\n")
    said, lines = take(course, {}, capsys, "--roster", str(roster))
    assert "begun for another" not in said and {*begun} <= {*lines}


def test_what_blackboard_writes_of_an_attempt_is_no_upload(course, capsys):
    """It is told where the student wrote something into the form; without a notebook it is one that cannot be read, and says so."""
    form = "Name: X ({0})\r\nAssignment: two-link\r\nDate Submitted: Monday, 30 November 2026 10:00:00 o'clock CET\r\nCurrent Grade: Needs Grading\r\n\r\nSubmission Field:\r\n{1}\r\n\r\nComments:\r\n{2}\r\n\r\nFiles:\r\n"
    nothing = (
        "There is no student submission text data for this assignment.",
        "There are no student comments for this assignment.",
    )
    files = {f"two-link_{name}_attempt_2026-11-18-10-00-00_x.ipynb": uses_helpers() for name in ("ada", "bob")}
    words = {
        "ada": nothing,
        "bob": (nothing[0], "Please look at part 3."),
        "cy": ("I could not upload it.", nothing[1]),
    }
    files |= {
        f"two-link_{name}_attempt_2026-11-18-10-00-00.txt": form.format(name, *said) for name, said in words.items()
    }
    said, lines = take(course, files, capsys)
    assert (
        said.count("own .txt of the attempt") == 1
        and "bob_attempt_2026-11-18-10-00-00_x.ipynb: beside it lies Blackboard's own" in said
    )
    assert "holds words of the student: read it" in said and "3 new uploads of 3 students, 2 can be read" in said
    assert "files" not in lines["ada"] or lines["ada"]["files"] == []
    assert lines["cy"]["why"] == "it is Blackboard's description of an attempt, and no notebook came with it"


def test_a_zip_holds_what_lies_beside_its_notebook(course, capsys):
    """Also in folders, and in a zip in it; what a student packed above the notebook keeps its path."""
    raw = zipped(
        {
            "hw/two-link.ipynb": json.dumps(uses_helpers()),
            "hw/helpers.py": HELPERS,
            "hw/data/x.csv": "1,2",
            "read.me": "no",
        }
    )
    assert sorted(files_beside(raw)) == ["data/x.csv", "helpers.py", "read.me"]
    assert sorted(files_beside(zipped({"all.zip": raw, "y.csv": "3"}))) == ["data/x.csv", "helpers.py", "read.me"]
    said, lines = take(course, {"ada/x.zip": raw}, capsys)
    assert [name for name, _ in beside.used(lines["ada"])] == ["data/x.csv", "helpers.py"] and "read.me" in said


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("json.py", "installed"), ("numpy.py", "installed"), ("numpy/linalg.py", "installed"), ("robotdyn/__init__.py", "installed"),
        ("coursework/check/laws.py", "installed"), ("sitecustomize.py", "installed"), ("IPython.py", "installed"),
        ("../helpers.py", "its name"), ("/etc/x.py", "its name"), (".ipython/startup.py", "its name"), ("a\nb.py", "its name"),
        ("a/b/c/d/e/f.py", "its name"), ("answer.pdf", "look at it"), ("x.so", "look at it"), ("helpers.py", ""), ("my data/x 1.csv", ""), ("json/data.csv", ""), ("größe.py", ""),
    ],
)  # fmt: skip
def test_what_may_lie_beside_a_notebook_when_it_is_graded(name, why):
    """No name of an installed module, none that leaves its folder, none that is hidden; the reason is a sentence."""
    (one,) = beside.described({name: (3, "sha")})
    assert why in one["why"] and bool(one["why"]) == bool(why)


def test_there_is_an_end_to_what_is_taken_along():
    """Of files and of bytes."""
    many = beside.described({f"x{n}.csv": (1, "sha") for n in range(60)})
    large = beside.described({"a.csv": (8 << 20, "sha"), "b.csv": (1, "sha")})
    assert [sum(not one["why"] for one in found) for found in (many, large)] == [50, 1]


def test_no_name_is_a_file_and_a_folder():
    """Neither in one zip nor between what a student hands in and what the assignment gives, which wins."""
    assert [
        one["name"]
        for one in beside.described({"a.csv": (1, "x"), "a.csv/b.csv": (1, "y"), "c.csv": (1, "z")})
        if not one["why"]
    ] == ["c.csv"]
    assert beside.merged_files({"a.csv/b.csv": b"1", "d.csv": b"2", "e.csv": b"3"}, {"a.csv": b"4", "e.csv": b"5"}) == {
        "a.csv": b"4", "d.csv": b"2", "e.csv": b"5"}  # fmt: skip
    assert (
        beside.relative("hw/gro\u0308\u00dfe.py", "hw/x.ipynb") == "gr\u00f6\u00dfe.py"
    )  # as a Mac packs it, and Python looks for it


def test_the_sandbox_shows_the_files_and_lets_nobody_write_them():
    """They are bound for reading alone, in the folder in which the notebook runs, after everything that hides."""
    argv = sandbox.command(Limits(), "/tmp/c.json", beside={"data/x.csv": "/tmp/y"})
    place = argv.index(f"{sandbox.HOME}/data/x.csv")
    assert argv[place - 2 : place] == ["--ro-bind", "/tmp/y"] and place < argv.index("--chdir")


def test_what_a_source_names_is_released_with_it(tmp_path):
    """Data and modules that a cell names; never the files of the checks, a solution, or what no cell names."""
    cells = [nbformat.v4.new_code_cell('import tools\nx = np.loadtxt("data/x.csv")\nimport questions, given')]
    for name in ("two-link.ipynb", "tools.py", "data/x.csv", "other.csv", "questions.py", "given.py", "proofs/page.py"):
        write(tmp_path / name, b"1")
    assert [*files_of(tmp_path / "two-link.ipynb", nbformat.v4.new_notebook(cells=cells))] == ["data/x.csv", "tools.py"]


def test_a_solution_reads_what_lies_beside_it():
    """The judge runs it among the files of the key; a module of one assignment is not another's."""
    code = 'import tools\nfrom coursework import check\np = check.begin("two-link", student="")\nwith open("x.csv") as file:\n    check.export("gravity", tools.twice(float(file.read())))'
    found = []
    for factor in (2, 3):
        files = {"x.csv": b"21", "tools.py": f"def twice(x):\n    return {factor} * x\n".encode()}
        source = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
        key = make_key("two-link", source, source, "seed", files)
        assert Key.from_json(key.to_json()) == key
        found.append(references(key, "ada")["gravity"]["numbers"])
    assert found == [[42.0], [63.0]]
    assert "files" not in json.loads(make_key("two-link", source, source, "seed").to_json())  # as before there were any


class Held:
    """A judge that has read which answers held."""

    def held(self, key, raw):
        return ["gravity"]


@pytest.mark.parametrize(
    ("question", "error", "of_function", "waits"),
    [
        ("gravity", "ModuleNotFoundError: No module named 'helpers'", "", True),
        ("gravity", "NameError: name 'U' is not defined", "", True),
        ("gravity", "ZeroDivisionError: division by zero", "", False),
        ("mass-matrix", "ModuleNotFoundError: No module named 'helpers'", "", False),
        ("gravity", None, "ModuleNotFoundError: No module named 'helpers'", True),
        ("gravity", None, "ZeroDivisionError: a NameError is meant", False),
        ("gravity", None, "", False),
    ],
)
def test_an_answer_that_held_waits_for_a_person_where_what_it_needs_is_not_there(question, error, of_function, waits):
    """In a notebook whose own record says that it held; the sentence says what was missing.  Else it has no points, as before."""
    cell = nbformat.v4.new_code_cell("x")
    cell.metadata["robotdyn"] = {"role": "answer", "question": question}
    if error:
        kind, _, words = error.partition(": ")
        cell.outputs = [nbformat.v4.new_output("error", ename=kind, evalue=words, traceback=[])]
    lost = failures(nbformat.v4.new_notebook(cells=[cell]))
    found = [{"kind": "stopped", "error": of_function}] if of_function else [{"kind": "law"}]
    verdict = {"points": 0.0, "most": 3.0, "sentences": ["whatever it says"], "found": found}
    found = _waiting(question, verdict, lost, {"key": "", "raw": b""}, Held())
    assert (found["points"] is None) == waits
    if waits:
        assert (error or of_function) in found["sentences"][0] and found["found"][0]["kind"] == "person"
    wanted = ["helpers"] if "helpers" in f"{error} {of_function}" else []
    assert modules_wanted(lost, {"x": verdict}) == wanted


def test_what_a_notebook_has_printed_is_its_record():
    """Of answers and predictions that held, in any number of parts; a text that a student wrote elsewhere is none."""
    notebook = uses_helpers()
    next(cell for cell in notebook["cells"] if cell["id"] == "gravity")["outputs"] = HELD
    notebook["cells"].append({"cell_type": "markdown", "source": "mass-matrix: every check holds.", "metadata": {}})
    cells = cells_of(json.dumps(notebook).encode())
    assert [name for cell in cells for name in cell["held"]] == ["gravity"]


@pytest.fixture(scope="module")
def graded():
    """Students with a module beside their notebook, without it, with modules that would stand for the judge's."""
    made = grading_kit.class_or_skip()
    missing, order = uses_helpers(), grading_kit.with_answer("gravity", "G = [U.diff(q1), U.diff(q2)]")
    order["cells"].append(grading_kit.code_cell(USES.split("\n")[2]))
    for notebook in (missing, order):
        next(cell for cell in notebook["cells"] if cell["id"] == "gravity")["outputs"] = HELD
    writes = grading_kit.with_answer(
        "gravity", "try:\n    open('helpers.py', 'w')\nexcept OSError as error:\n    print(error)\n" + USES
    )
    evil = "raise SystemExit('taken over')\n"
    names = (
        "json.py",
        "numpy.py",
        "sympy.py",
        "sitecustomize.py",
        "robotdyn/__init__.py",
        "coursework/__init__.py",
        "ipykernel.py",
    )
    made.take({
        "ada/two-link.ipynb": uses_helpers(), "ada/helpers.py": HELPERS,
        "zip/x.zip": zipped({"hw/two-link.ipynb": json.dumps(uses_helpers()), "hw/helpers.py": HELPERS}),
        "missing/x.ipynb": missing, "order/x.ipynb": order, "unheld/x.ipynb": uses_helpers(),
        "writes/x.ipynb": writes, "writes/helpers.py": HELPERS,
        "evil/x.ipynb": grading_kit.solved(), **{f"evil/{name}": evil for name in names},
    })  # fmt: skip
    made.said = made("run", "two-link", "--workers", "2").stdout
    yield made
    made.remove()


@pytest.mark.slow
def test_a_notebook_is_graded_with_what_lies_beside_it(graded):
    """Its module is imported, and cannot be written; modules named like those that judge change nothing."""
    found = graded.by_student()
    assert {name: grading_kit.lost(found[name]) for name in ("ada", "zip", "writes", "evil")} == dict.fromkeys(
        ("ada", "zip", "writes", "evil"), ""
    )
    assert "Read-only file system" in found["writes"]["notebook"]
    assert "handed in beside it" in " ".join(found["evil"]["notes"])


@pytest.mark.slow
def test_no_point_is_lost_in_silence_for_want_of_a_module(graded):
    """What held at home waits for a person, with the sentence; for the class the module is named once."""
    found = graded.by_student()
    assert [grading_kit.lost(found[name]) for name in ("missing", "order", "unheld")] == [
        "gravity?",
        "gravity?",
        "gravity",
    ]
    assert "No module named 'helpers'" in found["missing"]["verdicts"]["gravity"]["sentences"][0]
    assert "name 'U' is not defined" in found["order"]["verdicts"]["gravity"]["sentences"][0]
    assert graded.said.count("modules that notebooks import and that are not there: helpers (in 2)") == 1
    graded.take({"missing/helpers.py": HELPERS})
    graded("run", "two-link", "--workers", "1")
    assert grading_kit.lost(graded.by_student()["missing"]) == ""


def test_a_notebook_as_text_beside_another_is_told(course, capsys):
    """A program keeps the two alike, until one of them is newer; a module that a notebook imports is none."""
    folder = course.folder.parent / "up" / "ada"
    folder.mkdir(parents=True)
    (folder / "two-link.ipynb").write_text(json.dumps(grading_kit.solved()), encoding="utf-8")
    (folder / "two-link.py").write_text('# %%\np = check.begin("two-link", student="ada")\n', encoding="utf-8")
    (folder / "helpers.py").write_text("x = 1\n", encoding="utf-8")
    told = []
    intake(course, "two-link", folder.parent, say=told.append)
    assert [words for words in told if "as text" in words] == [
        "ada/two-link.ipynb counts, not ada/two-link.py beside it, a notebook as text: if that is newer, move the other away"
    ]


def test_of_two_notebooks_in_a_zip_the_newer_counts_and_the_other_is_told(course, capsys):
    """Not the longer; one that leaves questions open is no draft that counts."""
    old, new = grading_kit.solved(), grading_kit.solved()
    old["cells"].append({"cell_type": "markdown", "metadata": {}, "source": "a long draft" * 99})
    new["cells"].append({"cell_type": "markdown", "metadata": {}, "source": "final"})
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, notebook, day in (("a/final.ipynb", new, 20), ("two-link.ipynb", old, 18)):
            archive.writestr(zipfile.ZipInfo(name, (2026, 11, day, 10, 0, 0)), json.dumps(notebook))
    assert cells_of(packed.getvalue())[-1]["source"] == "final"
    folder = course.folder.parent / "up" / "ada"
    folder.mkdir(parents=True)
    (folder / "x.zip").write_bytes(packed.getvalue())
    told = []
    (line,) = intake(course, "two-link", folder.parent, say=told.append)
    assert line["readable"] and told[0].startswith("ada/x.zip: beside it lies two-link.ipynb, ")
