"""What goes wrong before anything runs is told in one sentence: another Jupyter Book, another Python, a mute file."""

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from bookbuild import build_book, encoding_lint, lint, lite

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("version", ["1.0.0", "1.0.4.post1", "1.99"])
def test_jupyter_book_1_builds_the_book(version):
    """Any version 1 is accepted."""
    assert build_book.wrong_version(version) is None


@pytest.mark.parametrize("version", ["2.0.0", "2.1.7", "2.0.0a1", "3.1", "0.15.1"])
def test_another_jupyter_book_is_named_with_the_way_out(version):
    """The sentence names both versions and the command that helps."""
    sentence = build_book.wrong_version(version)
    assert "written for Jupyter Book 1" in sentence and version in sentence and "make clean book" in sentence


def test_a_missing_jupyter_book_is_named():
    """Without Jupyter Book, too, the way out is named."""
    assert "make clean book" in build_book.wrong_version(None)


def test_the_build_stops_before_it_starts(monkeypatch, capsys):
    """The check comes first, and the exit code is not zero."""
    monkeypatch.setattr(build_book, "installed_version", lambda: "2.1.7")
    assert build_book.main() == 1
    assert "2.1.7" in capsys.readouterr().err


def test_the_build_takes_no_arguments(capsys):
    """Nobody waits for a whole book who asked for one page."""
    assert build_book.main(["book/rp.ipynb"]) == 2
    assert "takes no arguments, got book/rp.ipynb: it builds the whole book" in capsys.readouterr().err


@pytest.mark.parametrize("changed", [False, True])
def test_a_book_that_is_built_is_not_built_again(changed, monkeypatch, capsys):
    """Nothing has changed since: it only says where the book is; else it is built, and an error is that of the build."""
    monkeypatch.setenv("EDITION", "reader")
    for name in ("ROBOTDYN_LIVE", "ROBOTDYN_PROGRESS", "PYTHONPATH"):
        monkeypatch.setenv(name, "")
    monkeypatch.chdir(build_book.ROOT)
    monkeypatch.setattr(build_book, "is_up_to_date", lambda: not changed)
    monkeypatch.setattr(build_book, "build_reader", lambda: 3)
    assert build_book.main() == (3 if changed else 0)
    assert (build_book.PAGE.as_uri() in capsys.readouterr().out) == (not changed)


def test_jupyter_book_2_is_stopped_in_words():
    """Started by hand, Jupyter Book 2 reads myst.yml, which loads a plugin that says the same and stops."""
    plugin = ROOT / "packages/bookbuild/src/bookbuild/jupyter-book-2.mjs"
    assert f"- {plugin.relative_to(ROOT).as_posix()}" in (ROOT / "myst.yml").read_text(encoding="utf-8")
    text = plugin.read_text(encoding="utf-8")
    assert "written for Jupyter Book 1" in text and "make book" in text and "process.exit(1)" in text


def setup(folder, **environment):
    """Run packages/bookbuild/setup.sh in a folder that has a copy of it; return the exit code and what it said."""
    (folder / "packages/bookbuild").mkdir(parents=True, exist_ok=True)
    for name in ("packages/bookbuild/setup.sh", "requirements.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    done = subprocess.run(
        [shutil.which("sh"), "packages/bookbuild/setup.sh"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


def commands(folder, **scripts):
    """A folder of commands: the few that setup.sh needs, and the scripts given."""
    folder.mkdir()
    for name in ("sh", "cat", "cmp", "dirname", "head", "rm", "mv", "mkdir"):
        os.symlink(shutil.which(name), folder / name)
    for name, text in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return str(folder)


def test_no_python(tmp_path):
    """On a machine without Python."""
    code, said = setup(tmp_path, PATH=commands(tmp_path / "bin"))
    assert code == 1
    assert said == "make: Python 3.11, 3.12 or 3.13 is missing: there is no python3 on this machine.\n"


def test_an_old_python(tmp_path):
    """On a machine with another Python alone."""
    old = 'case "$1" in --version) echo Python 3.8.1;; *) exit 1;; esac'
    code, said = setup(tmp_path, PATH=commands(tmp_path / "bin", python3=old))
    assert code == 1
    assert said.startswith("make: Python 3.11, 3.12 or 3.13 is missing: python3 here is Python 3.8.1;")
    assert said.count("\n") == 1


def test_a_python_that_is_named_but_wrong(tmp_path):
    """PYTHON=... that does not exist."""
    code, said = setup(tmp_path, PATH=commands(tmp_path / "bin"), PYTHON="python9")
    assert (code, said) == (1, "make: PYTHON=python9 is not a command on this machine.\n")


def test_no_venv_module(tmp_path):
    """A Python without venv, as Debian installs it."""
    bare = f'case "$2" in *ensurepip*) exit 1;; esac\nexec {shlex.quote(sys.executable)} "$@"'
    code, said = setup(tmp_path, PATH=commands(tmp_path / "bin", python3=bare))
    assert code == 1
    assert said.startswith("make: Python's venv module is missing for python3: install it")
    assert said.count("\n") == 1


def test_every_file_says_why_it_exists():
    """The first line of each source file tells its purpose."""
    assert lint.files_without_purpose(lint.project_files()) == []


def test_a_mute_file_is_named(tmp_path, monkeypatch):
    """The check itself sees a file without purpose, and one that hides it behind #!."""
    monkeypatch.setattr(lint, "ROOT", tmp_path)
    for name, text in {
        "a.py": "import os\n",
        "b.sh": "#!/bin/sh\nls\n",
        "c.py": '"""Why."""\n',
        "Makefile": "all:\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert [line.split(":")[0] for line in lint.files_without_purpose(sorted(tmp_path.iterdir()))] == [
        "Makefile",
        "a.py",
        "b.sh",
    ]


def test_no_encoding_is_left_to_the_machine():
    """Text that is read or written is UTF-8, wherever the project runs."""
    assert encoding_lint.files_without_encoding(lint.project_files("*.py"), lint.ROOT) == []


@pytest.mark.parametrize(
    "call",
    ["path.read_text()", "path.write_text(words)", "open(name)", 'open(name, "w")', 'open(name, mode="a", newline="")'],
)
def test_a_guessed_encoding_is_seen(call):
    """The check itself sees each way to leave the encoding to the machine."""
    source = f"x = 'ü', {call}\n"
    assert [ast.unparse(found) for found in encoding_lint.calls_without_encoding(source)] == [
        ast.unparse(ast.parse(call))
    ]
    assert 'encoding="utf-8")' in encoding_lint.name_encoding(source)
    assert list(encoding_lint.calls_without_encoding(encoding_lint.name_encoding(source))) == []


@pytest.mark.parametrize(
    "call",
    [
        'path.read_text("utf8")',
        'path.write_text(words, encoding="utf-8")',
        'open(name, "rb")',
        'open(name, encoding="utf-8")',
        "open(name, **how)",
        "zipped.open(name)",
    ],
)
def test_a_named_encoding_is_let_through(call):
    """What names its encoding, or reads bytes, is no problem."""
    assert list(encoding_lint.calls_without_encoding(call)) == []


def test_python_for_the_browser_is_taken_by_its_hash_alone(tmp_path, monkeypatch):
    """A file of the right name and other content is left where it is; one of the right content is taken."""
    monkeypatch.setattr(lite, "SOURCES", {"a folder": lite.from_folder})
    monkeypatch.setenv("ROBOTDYN_PYODIDE", str(tmp_path / "given"))
    (tmp_path / "given").mkdir()
    for name in ("right.whl", "wrong.whl"):
        (tmp_path / "given" / name).write_bytes(name.encode())
    hashes = {"right.whl": lite.sha256(b"right.whl"), "wrong.whl": lite.sha256(b"another"), "none.whl": "0"}
    assert lite.fetch(tmp_path / "taken", hashes) == ["wrong.whl", "none.whl"]
    assert [path.name for path in (tmp_path / "taken").iterdir()] == ["right.whl"]


def test_what_python_for_the_browser_lacks_is_named(tmp_path, monkeypatch, capsys):
    """The file, its hash, where it was looked for and the way out; without a book, the book is named."""
    monkeypatch.setattr(lite, "is_up_to_date", lambda: False)
    assert lite.main() == 1
    assert "`make book` first" in capsys.readouterr().err
    monkeypatch.setattr(lite, "is_up_to_date", lambda: True)
    monkeypatch.setattr(lite, "HTML", tmp_path)
    monkeypatch.setattr(lite, "fetch", lambda folder, hashes: ["pyodide.mjs"])
    assert lite.main() == 1
    told = capsys.readouterr().err
    assert all(word in told for word in ("pyodide.mjs", lite.CORE["pyodide.mjs"], *lite.SOURCES, "ROBOTDYN_PYODIDE="))


def test_every_environment_is_pinned():
    """What setup.sh installs by name is a group of pyproject.toml; each but plain Sphinx, which takes the newest, holds exact versions."""
    with open(ROOT / "pyproject.toml", "rb") as file:
        groups = tomllib.load(file)["dependency-groups"]
    text = (ROOT / "packages/bookbuild/setup.sh").read_text(encoding="utf-8")
    assert set(groups) == {"peers", "lab", "lite", "paper", "sphinx", "crocoddyl"}
    assert set(groups) == set(re.findall(r"^    (\w+)\) name=", text, re.M)) - {"bench"} | {"peers", "crocoddyl"}
    loose = {
        name: [line for line in lines if not re.fullmatch(r"[\w-]+==[\d.]+", line)] for name, lines in groups.items()
    }
    assert {name for name, lines in loose.items() if lines} == {"sphinx"}


@pytest.mark.parametrize(
    ("name", "whole", "complete"),
    [("proofs/printed.toml", False, True), ("page.md", False, True), ("proofs/labels.toml", True, True)],
)
def test_what_makes_sphinx_read_all_pages_anew(name, whole, complete, tmp_path, monkeypatch):
    """Not the text of a page, nor its numbers that are kept; but a build is complete only with what they say now."""
    (tmp_path / "book" / "proofs").mkdir(parents=True)
    for file in ("_config.yml", "_toc.yml", "requirements.txt", "book/page.md", "book/proofs/printed.toml"):
        (tmp_path / file).write_text("", encoding="utf-8")
    monkeypatch.setattr(build_book, "ROOT", tmp_path)
    monkeypatch.setattr(build_book, "read_project_urls", lambda: "")
    before = build_book.fingerprint(), build_book.fingerprint(pages=True)
    (tmp_path / "book" / name).write_text("2", encoding="utf-8")
    assert (build_book.fingerprint() != before[0], build_book.fingerprint(pages=True) != before[1]) == (whole, complete)
