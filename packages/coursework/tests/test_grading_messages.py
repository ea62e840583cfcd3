"""The words of a course reach the student's notebook and the grade alike: by a file beside the one, by the key in the other."""

import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")

import grading_kit

from coursework.check import messages
from coursework.check.data import as_data
from coursework.grading import judge
from coursework.grading.course import Course
from coursework.grading.key import Key
from coursework.grading.release import release


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
