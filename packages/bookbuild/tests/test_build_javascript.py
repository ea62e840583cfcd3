"""The script that movingfigures carries is that of its modules, and a change of either is told without Node."""

import shutil

import pytest

from bookbuild import javascript
from bookbuild.javascript import ENGINE, JS, long_lines, stale_engine


def test_the_script_that_is_kept_is_that_of_the_modules():
    """By the sums at its head."""
    assert stale_engine() == []


@pytest.fixture
def copied(tmp_path):
    """A copy of what the script is made from, and of the script."""
    shutil.copytree(JS, tmp_path / "js", ignore=shutil.ignore_patterns("node_modules"))
    shutil.copy(ENGINE, tmp_path)
    return tmp_path / "js", tmp_path / ENGINE.name


@pytest.mark.parametrize("name", ["src/motion.js", "build.js"])
def test_a_changed_source_is_told(copied, name):
    """Of the modules, and of the way in which they are bundled."""
    folder, engine = copied
    assert stale_engine(folder, engine) == []
    with (folder / name).open("a", encoding="utf8") as file:
        file.write("// another line\n")
    assert stale_engine(folder, engine) == ["engine.js: it is older than the modules in js/src: make javascript"]


def test_a_new_module_and_a_new_esbuild_are_told(copied):
    """A file that was not there; another version in package.json."""
    folder, engine = copied
    (folder / "src" / "new.js").write_text("", "utf8")
    assert "older than the modules" in stale_engine(folder, engine)[0]
    (folder / "src" / "new.js").unlink()
    assert stale_engine(folder, engine) == []
    packages = (folder / "package.json").read_text("utf8")
    (folder / "package.json").write_text(packages.replace('"esbuild": "', '"esbuild": "1'), "utf8")
    assert "older than the modules" in stale_engine(folder, engine)[0]


def test_a_script_that_was_changed_by_hand_is_told(copied):
    """In its code, or without its head."""
    folder, engine = copied
    text = engine.read_text("utf8")
    engine.write_text(text.replace("class extends", "class  extends", 1), "utf8")
    assert stale_engine(folder, engine) == [
        "engine.js: it was changed by hand; change the modules in js/src, then: make javascript"
    ]
    engine.write_text(text.partition("var ")[2], "utf8")
    assert "its head has no sums" in stale_engine(folder, engine)[0]


def test_a_long_line_is_told(tmp_path, monkeypatch):
    """Of more than 120 characters, counted as a reader counts them."""
    monkeypatch.setattr(javascript, "ROOT", tmp_path)
    path = tmp_path / "a.js"
    path.write_text("ü" * 120 + "\n" + "x" * 121 + "\n", "utf8")
    assert long_lines([path]) == ["a.js:2: 121 characters, at most 120"]


@pytest.mark.parametrize(("no_skip", "failed"), [("0", []), ("1", ["tsc, eslint"])])
def test_what_is_not_installed_is_left_out_aloud(monkeypatch, capsys, no_skip, failed):
    """In one line, with the command; in CI, where nothing may be left out, it is a failure."""
    monkeypatch.setattr(javascript, "installed", lambda: False)
    monkeypatch.setenv("ROBOTDYN_NO_SKIP", no_skip)
    assert javascript.failed_checkers() == failed
    assert capsys.readouterr().out.splitlines()[1:] == ["Not run, for want of Node's packages: make javascript"]
