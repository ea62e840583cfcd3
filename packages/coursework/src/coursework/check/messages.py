"""What the checks say: sentences by key, from `messages.toml` beside this file, or in the words of a course.

Nothing else in the checks holds a sentence, and nothing reads one: a course may say all of it otherwise, or in another language.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, reduce
from pathlib import Path

FILE = "messages.toml"  # of the checks, beside this file; of a course, in its folder and beside a released notebook
LETTERS = ("", "lower", "upper")  # how what is put in may begin

_own: dict[str, str] = {}  # the words of the course at hand, in place of those of the file


class _Part(str):
    """What is put into a sentence; its format says whether it begins with a small or a large letter."""

    def __format__(self, letter: str) -> str:
        change = {"lower": str.lower, "upper": str.upper}.get(letter, str)
        return change(self[:1]) + self[1:]


def text(key: str, **given: object) -> str:
    """Return the sentence of a key, `table.name`, with what is given put into its braces; after a question mark no full stop."""
    words = (_own.get(key) or sentences()[key]).format(**{name: _Part(part) for name, part in given.items()})
    return words[:-1] if words.endswith("?.") else words


def joined(key: str, parts: Iterable[str]) -> str:
    """Return several parts as one, two after two by the words of a key, which has {one} and {other}."""
    return reduce(lambda one, other: text(key, one=one, other=other), parts)


@cache
def sentences() -> Mapping[str, str]:
    """Return {key: sentence} of the checks themselves."""
    return _flat(tomllib.loads((Path(__file__).parent / FILE).read_text(encoding="utf-8")))


def use(own: Mapping[str, str]) -> None:
    """Say from now on what a course has in other words, as `read` returns it: {key: sentence}, {} for nothing."""
    _own.clear()
    _own.update(own)


def use_beside(folder: Path) -> None:
    """Use what a course has in other words, from the file in a folder; one that cannot be read is told, and costs nothing else."""
    own: dict[str, str] = {}
    try:
        own = read(folder / FILE)
    except ValueError as error:
        print(f"{error}. Until it is put right the checks speak in their own words.")
    use(own)


def read(file: Path) -> dict[str, str]:
    """Return {key: sentence} that a course has in other words, {} where it has no such file.

    Raises ValueError, in a sentence, for a file that is no table, a key that is unknown, other names in braces.
    """
    if not file.exists() and not file.is_symlink():
        return {}
    try:
        found = _flat(tomllib.loads(file.read_text(encoding="utf-8-sig")))
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{file.name} must be a table as TOML writes it: {error}") from None
    for key, words in found.items():
        _check(key, words)
    return found


def _flat(tables: Mapping[str, object]) -> dict[str, str]:
    """Return {table.name: sentence} of tables of sentences.  Raises ValueError for anything else."""
    found = {}
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise ValueError(f"{name} = {table!r} stands in no table")
        for key, words in table.items():
            if not isinstance(words, str):
                raise ValueError(f"{name}.{key} is no text")
            found[f"{name}.{key}"] = words
    return found


def _check(key: str, words: str) -> None:
    """Raise ValueError, in a sentence, for words of a course that no sentence of the checks can be put in place of."""
    if key not in sentences():
        table = key.partition(".")[0]
        known = ", ".join(one for one in sentences() if one.startswith(f"{table}.")) or ", ".join(
            dict.fromkeys(one.partition(".")[0] for one in sentences())
        )
        raise ValueError(f"{FILE} must name sentences of the checks, got {key}: there are {known}")
    asked = _braces(sentences()[key])
    try:
        found = _braces(words)
    except ValueError as error:
        raise ValueError(
            f"{FILE}: {key} must have each brace closed, or written twice, got {words!r}: {error}"
        ) from None
    if found != asked:
        names = " ".join(f"{{{name}}}" for name in sorted(asked)) or "no names"
        raise ValueError(f"{FILE}: {key} must have {names} in braces, got {words!r}: write each where it belongs")


def _braces(words: str) -> set[str]:
    """Return what stands in braces in a sentence.  Raises ValueError for what `text` cannot put in."""
    names = set()
    for _, name, letter, conversion in string.Formatter().parse(words):
        if name is not None:
            if letter not in LETTERS or conversion:
                raise ValueError(f"after a name stands :lower, :upper or nothing, not {letter or conversion}")
            names.add(name)
    return names
