"""No function and no file is larger than what is read at a sitting: the check of `make lint` counts as its text says."""

import ast

import pytest

from bookbuild import function_limits
from bookbuild.function_limits import branches, too_large


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("return a", 0),
        ("if a:\n        return b\n    elif b:\n        return c\n    return d", 2),
        ("return a if b else c", 1),
        ("return a and b or c", 2),
        ("return a and b and c", 2),
        ("return [a for a in b for c in d if a if c]", 4),
        ("for a in b:\n        while a:\n            pass", 2),
        ("try:\n        a()\n    except B:\n        pass\n    except C:\n        pass", 2),
        ("match a:\n        case 1 if b:\n            pass", 2),
        ("match a:\n        case 1:\n            pass\n        case _:\n            pass", 2),
        ("def inner():\n        return a if b else c\n    return lambda: a or b", 2),
    ],
)
def test_a_branch_is_what_may_go_two_ways(body, count):
    """Conditions, loops, comprehensions with their conditions, cases, handlers, `and` and `or`, also of functions within."""
    assert branches(ast.parse(f"def f():\n    {body}").body[0]) == count


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A folder with one package, no exceptions."""
    monkeypatch.setattr(function_limits, "LIMITED_FOLDERS", ("package",))
    monkeypatch.setattr(function_limits, "EXCEPTED", {})
    (tmp_path / "package" / "inner").mkdir(parents=True)
    return tmp_path


def function(lines, ways=0):
    """Return the text of a method of so many lines, with so many branches."""
    tests = " or ".join(f"a{k}" for k in range(ways + 1))
    return "class A:\n    def f(self):\n" + f"        return {tests}\n" + "        pass\n" * (lines - 2)


@pytest.mark.parametrize(("lines", "ways", "told"), [(60, 15, False), (61, 0, True), (3, 16, True)])
def test_a_function_is_told_from_its_limits_on(root, lines, ways, told):
    """Sixty lines and fifteen branches are taken, one more of either is told with the name of the function."""
    (root / "package" / "inner" / "one.py").write_text(function(lines, ways), encoding="utf8")
    said = too_large(root)
    assert len(said) == told
    assert all(s.startswith("package/inner/one.py:2: A.f has ") for s in said)


@pytest.mark.parametrize(("lines", "told"), [(400, False), (401, True)])
def test_a_file_is_told_from_its_limit_on(root, lines, told):
    """Four hundred lines are taken."""
    for ending in ("", "\n"):  # the last line may have no end
        (root / "package" / "one.py").write_text("\n".join(["pass"] * lines) + ending, encoding="utf8")
        assert bool(too_large(root)) == told


def test_a_list_may_be_long(root, monkeypatch):
    """Of a folder of lists the functions alone are held."""
    monkeypatch.setattr(function_limits, "LISTS", ("package",))
    (root / "package" / "one.py").write_text("pass\n" * 401 + function(61), encoding="utf8")
    said = too_large(root)
    assert len(said) == 1 and said[0].startswith("package/one.py:403: A.f has 61 lines")


@pytest.mark.parametrize(("first", "encoding"), [("", "utf-8-sig"), ("# -*- coding: latin-1 -*-", "latin-1")])
def test_a_file_is_read_in_its_own_encoding(root, first, encoding):
    """As Python reads it: by its mark, or by its first line."""
    (root / "package" / "one.py").write_text(f"{first}\nä = 1\n" + function(61), encoding=encoding)
    assert len(too_large(root)) == 1


def test_a_decorator_is_a_part_of_its_function(root):
    """Its lines count."""
    text = function(59).replace("    def f", "    @first\n    @second(\n    )\n    def f")
    (root / "package" / "one.py").write_text(text, encoding="utf8")
    assert too_large(root)[0].endswith("split it, or except package/one.py:A.f with a reason")
    assert "has 62 lines" in too_large(root)[0]


def test_an_exception_that_excepts_nothing_is_told(root, monkeypatch):
    """And one that does is not."""
    (root / "package" / "one.py").write_text(function(61), encoding="utf8")
    monkeypatch.setattr(function_limits, "EXCEPTED", {"package/one.py:A.f": "a table"})
    assert too_large(root) == []
    (root / "package" / "one.py").write_text(function(60), encoding="utf8")
    assert too_large(root) == ["bookbuild/function_limits.py: package/one.py:A.f exceeds nothing: take it out"]


def test_no_more_than_five_are_excepted():
    """What is too large for most is to be split, not excepted; each exception has its reason."""
    assert len(function_limits.EXCEPTED) <= 5
    assert all(reason.strip() for reason in function_limits.EXCEPTED.values())
