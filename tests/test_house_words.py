"""Code and book are spelled the American way, so that a search for a word finds every place where it stands."""

import re

import lint
import pytest

WORDS = "colour|centre|behaviour|neighbour|favour|honour|labell|modell|travell|cancelled|analys(?:ed|ing)|catalogue|artefact"
STEMS = "organ|recogn|minim|maxim|normal|general|linear|special|initial|optim|visual|summar|parametr"
BRITISH = re.compile(rf"(?<![a-z])(?:{WORDS}|(?:{STEMS})is(?:e|ing|ation))\w*", re.I)
OF_OTHERS = {"coursework/grading/run.py": {"cancelled"}}  # a state of Dask's
PROSE = ("*.py", "*.js", "*.css", "*.md", "*.ipynb", "*.sh", "*.toml", "*.yml", "Makefile", ".ci/run")


def british(text):
    """The words of a text that are spelled the British way, in lower case."""
    return {word.lower() for word in BRITISH.findall(text)}


@pytest.mark.parametrize("text", ["the colour", "two_neighbours", "Recognised", "linearisation"])
def test_a_british_word_is_found(text):
    """In prose and within a name."""
    assert british(f"{text} of an arm")


def test_every_word_is_american():
    """In all texts of the project but this one."""
    found = {}
    for path in lint.project_files(*PROSE):
        name = str(path.relative_to(lint.ROOT))
        words = british(path.read_text(encoding="utf8")) - OF_OTHERS.get(name, set())
        if words and name != "tests/test_house_words.py":
            found[name] = words
    assert found == {}
