"""The words of a course reach the student's notebook and the grade alike: by a file beside the one, by the key in the other."""

from dataclasses import replace

import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")

import grading_kit

from coursework.check import messages
from coursework.check.data import as_data
from coursework.grading import judge
from coursework.grading.course import Course
from coursework.grading.key import Key
from coursework.grading.release import hash_of_checks, release


@pytest.fixture(autouse=True)
def _own_words_end():
    """The words of a course are those of the process."""
    yield
    messages.use({})


def test_the_words_of_a_course_reach_the_notebook_and_the_grade(tmp_path):
    """What a release took along is said of an answer; without the file nothing of it is left; a bad one is refused."""
    course = Course(tmp_path / "course", new=True)
    file = course.folder / "messages.toml"
    file.write_text('[form]\nshape = "Gefragt: {wanted}; gegeben: {shape}."', encoding="utf-8")
    made = release(course, grading_kit.SOURCE)
    assert course.key("two-link").checks == hash_of_checks("two-link", grading_kit.SOURCE.parent)
    beside = made[0].parent / "messages.toml"
    assert beside in made and beside.read_bytes() == file.read_bytes()
    key = course.key("two-link")
    assert key.messages == {"form.shape": "Gefragt: {wanted}; gegeben: {shape}."}
    said = lambda: judge.judged(course.key("two-link").to_json(), "ada", "gravity", as_data(["0", "0", "0"]))[
        "sentences"
    ]
    assert said() == ["Gefragt: a list of 2 formulas; gegeben: (3,)."]
    file.write_text('[form]\nshape = "Gefragt: {wanted}."', encoding="utf-8")
    with pytest.raises(ValueError, match=r"form.shape must have \{shape\} \{wanted\} in braces"):
        release(course, grading_kit.SOURCE)
    file.unlink()
    assert beside not in release(course, grading_kit.SOURCE) and not beside.exists()
    assert said() == ["The answer should be a list of 2 formulas; it has the shape (3,)."]


def test_a_key_without_words_is_written_as_ever():
    """So what was graded with it needs no other run."""
    key = Key("two-link", (), {}, {}, "{}", "seed")
    assert "messages" not in key.to_json() and Key.from_json(key.to_json()) == key
    other = Key("two-link", (), {}, {}, "{}", "seed", messages={"name.whole": "Es"})
    assert Key.from_json(other.to_json()) == other and other.fingerprint != key.fingerprint


def test_a_tolerance_that_is_put_right_grades_again(tmp_path, monkeypatch):
    """It stands in questions.py, not in the notebook: a key holds a hash of what judges, and a file that judges nothing is refused."""
    folder = tmp_path / "exercises/two-link"
    folder.mkdir(parents=True)
    for part in ("given", "questions"):
        (folder / f"{part}.py").write_bytes((grading_kit.SOURCE.parent / f"{part}.py").read_bytes())
    before = hash_of_checks("two-link", folder)
    text = (folder / "questions.py").read_text(encoding="utf-8")
    (folder / "questions.py").write_text(text + "\nTOLERANCE = 1e-2\n", encoding="utf-8")
    with pytest.raises(
        ValueError, match=r"must be those that grade, and .*questions.py is another file than .*: change that one"
    ):
        hash_of_checks("two-link", folder)
    monkeypatch.setattr("coursework.grading.release.assignment_files", lambda part: {"two-link": folder / f"{part}.py"})
    after = hash_of_checks("two-link", folder)
    keys = [replace(Key("two-link", (), {}, {}, "{}", "seed"), checks=checks) for checks in ("", before, after)]
    assert len({key.fingerprint for key in keys}) == 3 and "checks" not in keys[0].to_json()
    assert Key.from_json(keys[2].to_json()) == keys[2]
