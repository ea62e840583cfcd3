"""A kept verdict is what judging anew would say; it is taken while nothing changes on which it rests, and harms no run."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from eqproof import cache, checked_steps
from eqproof.__main__ import main
from eqproof.cache import MOST_BESIDE, Cache, folder_of_caches
from eqproof.checked_steps import steps_in
from eqproof.outcome import TOO_DEEP, Judged
from eqproof.sources import sources_in
from eqproof.whole_files import checksum

PAPER = r"""% eqproof: m positive
\newcommand{\sq}[1]{#1^2}
FAR
For $x < 0$ we have \[ \sqrt{x^2} = -x \] and
\begin{align} (a+b)^2 &= \sq{a} + 2 a b + \sq{b} \\ &= a^2 + a b + b^2 \end{align}
\[ \sqrt{m^2} = m, \qquad x^12 = x \]
""".replace("FAR", "Words. " * 70)
CHANGES = {  # what is changed: (in the paper, instead, how many of its three displays are judged anew: those below may follow)
    "nothing": ("", "", 0),
    "text far away": ("% eqproof", "\n\n\n% eqproof", 0),
    "a display": ("2 a b", "3 a b", 2),
    "a command that it uses": ("#1^2", "#1^3", 2),
    "a condition next to it": ("$x < 0$", "$x > 0$", 3),  # what stands below may name these words
    "a declaration above": ("m positive", "m real", 3),
}


@pytest.fixture
def judged(monkeypatch):
    """The displays that are judged from now on."""
    found = []
    steps_of = checked_steps.steps_of

    def noted(display, declared, above):
        found.append(display.text)
        return steps_of(display, declared, above)

    monkeypatch.setattr(checked_steps, "steps_of", noted)
    return found


def told(text, folder):
    """The steps of a text of LaTeX, with a folder of kept verdicts."""
    return list(steps_in(sources_in(text, "-", "tex"), cache=Cache(folder)))


@pytest.mark.parametrize("what", CHANGES)
def test_a_display_is_judged_anew_if_something_changes_on_which_it_rests(tmp_path, judged, what):
    """And what is told then is what judging without a cache tells, at the places of the new text."""
    before, after, number = CHANGES[what]
    told(PAPER, tmp_path)
    assert len(judged) == 3
    judged.clear()
    text = PAPER.replace(before, after) if before else PAPER
    found = told(text, tmp_path)
    assert len(judged) == number
    assert found == told(text, None) and len(found) >= 4


@pytest.mark.parametrize("library", [*cache.LIBRARIES, "eqproof", "python"])
def test_another_version_judges_all_anew(tmp_path, judged, monkeypatch, library):
    """Of Python, of what computes, and another text of this package itself."""
    told(PAPER, tmp_path)
    judged.clear()
    if library == "python":
        monkeypatch.setattr(sys, "version", "another")
    elif library == "eqproof":
        read = Path.read_bytes
        monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + b" " * (path.name == "judging.py"))
    else:
        version_of = cache.version_of
        monkeypatch.setattr(cache, "version_of", lambda x: "another" if x == library else version_of(x))
    cache.program.cache_clear()
    told(PAPER, tmp_path)
    cache.program.cache_clear()
    assert len(judged) == 3


DAMAGES = {
    "empty": lambda text: "",
    "cut": lambda text: text[: len(text) // 2],
    "a letter is another": lambda text: text[:-9] + "X" + text[-8:],
    "another program's": lambda text: "{}",
    "of another kind": lambda text: of_sum(json.dumps([1, 2])),
    "rows of another kind": lambda text: of_sum(json.dumps([json.loads(text.partition("\n")[2])[0], [[1]]])),
    "a verdict that is none": lambda text: of_sum(re.sub('"(proven|false|unread)"', '"seen"', text.partition("\n")[2])),
    "places that are no numbers": lambda text: of_sum(
        json.dumps([json.loads(text.partition("\n")[2])[0], [["1", 2, *"abcde", "f", []]]])
    ),
    "rows without end": lambda text: of_sum("[" * 100_000),
    "no text": lambda text: "\x00\ud800",
    "another display's": lambda text: of_sum(json.dumps(["0" * 64, json.loads(text.partition("\n")[2])[1]])),
}


def of_sum(body):
    """An entry of which the sum is right."""
    return f"{checksum(body)}\n{body}"


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_damaged_counts_as_not_kept(tmp_path, judged, damage):
    """Whatever stands there, the verdicts are those without a cache, and are kept anew."""
    right = told(PAPER, tmp_path)
    for file in entries(tmp_path):
        text = DAMAGES[damage](file.read_text(encoding="utf-8"))
        file.write_text(text, encoding="utf-8", errors="surrogatepass")
    judged.clear()
    assert told(PAPER, tmp_path) == right and len(judged) == 3
    assert told(PAPER, tmp_path) == right and len(judged) == 3


def entries(folder):
    """The files below a folder."""
    return [file for file in folder.rglob("*") if file.is_file()]


def test_a_folder_where_a_file_is_expected_is_no_harm(tmp_path, judged):
    """Nor a file where a folder is expected."""
    right = told(PAPER, tmp_path / "kept")
    for file in entries(tmp_path):
        file.unlink()
        file.mkdir()
    assert told(PAPER, tmp_path / "kept") == right
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert told(PAPER, tmp_path / "file") == right


def test_a_verdict_of_a_full_machine_is_not_kept(tmp_path):
    """What another day may tell otherwise: no memory was left, or the text was too deep for this thread."""
    for why in ("MemoryError: ", f"this {TOO_DEEP}"):
        Cache(tmp_path).keep("0" * 64, [Judged(0, 1, "a", "=", "b", "undecided", why)])
    assert not entries(tmp_path)


def test_a_cache_does_not_grow_without_end(tmp_path):
    """The oldest entries of a folder go first."""
    keys = [f"ab{k:062}" for k in range(MOST_BESIDE + 5)]
    row = [Judged(0, 1, "a", "=", "b", "undecided", "no")]
    for k, key in enumerate(keys):
        Cache(tmp_path).keep(key, row)
        os.utime(cache.file_of(tmp_path, key), (k, k))
    found = [Cache(tmp_path).find(key) for key in keys]
    assert found == [None] * 5 + [row] * MOST_BESIDE


# ---- the command -------------------------------------------------------------------------------------------------------


def test_the_command_keeps_its_verdicts(tmp_path, judged, capsys):
    """A second run judges nothing, and prints the same; --no-cache judges all."""
    (tmp_path / "a.tex").write_text(PAPER, encoding="utf-8")
    printed = []
    for words, number in (([], 3), ([], 3), (["--no-cache"], 6), (["--json"], 6)):
        main(["check", *words, str(tmp_path / "a.tex")])
        printed.append(capsys.readouterr().out)
        assert len(judged) == number
    assert printed[0] == printed[1] == printed[2]


def test_a_command_that_has_no_end_is_told_each_time(tmp_path, judged):
    """As it is where the same display was judged without this command."""
    text = "\\[ \\sq = \\sq \\]"
    for defined in ("", "\\newcommand{\\sq}{\\sq \\sq}\n"):
        found = told(defined + "Words. " * 80 + text, tmp_path)
        assert [x.why for x in found] == [x.why for x in told(defined + "Words. " * 80 + text, None)]


def test_a_declaration_in_a_file_is_what_verdicts_rest_on(tmp_path, judged):
    """As one in a comment is."""
    (tmp_path / "a.tex").write_text(r"\[ \sqrt{a^2} = a \]", encoding="utf-8")
    for k, (said, number) in enumerate((("a positive", 1), ("a real", 2), ("a positive", 2))):
        (tmp_path / "said.txt").write_text(said, encoding="utf-8")
        assert main(["check", "--declare", str(tmp_path / "said.txt"), str(tmp_path / "a.tex")]) == k % 2
        assert len(judged) == number


PLACES = [  # (platform, variables, where caches are)
    ("linux", {"XDG_CACHE_HOME": "/x/y", "HOME": "/home/a"}, "/x/y/eqproof"),
    ("linux", {"XDG_CACHE_HOME": "relative", "HOME": "/home/a"}, "/home/a/.cache/eqproof"),
    ("linux", {"HOME": "/home/a"}, "/home/a/.cache/eqproof"),
    ("darwin", {"HOME": "/home/a"}, "/home/a/Library/Caches/eqproof"),
    ("win32", {"HOME": "/home/a", "LOCALAPPDATA": "/l"}, "/l/eqproof/Cache"),
    ("win32", {"HOME": "/home/a"}, "None"),
]


@pytest.mark.parametrize(("platform", "variables", "folder"), PLACES)
def test_caches_are_where_the_platform_has_them(monkeypatch, platform, variables, folder):
    """The variable of the XDG specification counts where it is absolute."""
    monkeypatch.setattr(sys, "platform", platform)
    for name in ("XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert str(folder_of_caches()) == folder


def test_nobodys_home_is_no_harm(tmp_path, monkeypatch, capsys):
    """Without a home, nothing is kept."""
    monkeypatch.delenv("XDG_CACHE_HOME")

    def home():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", home)
    assert folder_of_caches() is None
    (tmp_path / "a.tex").write_text(PAPER, encoding="utf-8")
    assert main(["check", str(tmp_path / "a.tex")]) == 1


def test_a_home_that_cannot_be_written_is_no_harm(tmp_path, monkeypatch, judged):
    """Nothing is kept, and no file is left behind."""

    def refused(*_, **options):
        raise PermissionError(13, "Permission denied")

    right = told(PAPER, None)
    monkeypatch.setattr(os, "replace", refused)
    assert told(PAPER, tmp_path) == right and not entries(tmp_path)
    monkeypatch.setattr(Path, "mkdir", refused)
    assert told(PAPER, tmp_path / "new") == right and not (tmp_path / "new").exists()


def test_two_processes_at_once_tell_what_one_tells(tmp_path):
    """They write the same entries and other ones at the same time; a third one takes all of them."""
    files = []
    for k in range(6):
        files.append(tmp_path / f"{k}.tex")
        files[-1].write_text(rf"\[ (a + {k})^2 = a^2 + {2 * k} a + {k * k + k % 2} \]", encoding="utf-8")
    command = [sys.executable, "-m", "eqproof", "check"]
    around = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "caches")}
    runs = [files, files[::-1]]
    started = [
        subprocess.Popen([*command, *map(str, one)], env=around, stdout=subprocess.PIPE, text=True) for one in runs
    ]
    found = [sorted(one.communicate(timeout=300)[0].splitlines()) for one in started]
    done = subprocess.run([*command, "--no-cache", *map(str, files)], env=around, stdout=subprocess.PIPE, text=True)
    right = sorted(done.stdout.splitlines())
    assert [one.returncode for one in started] == [done.returncode] * 2 == [1, 1]
    assert found == [right, right] and sum("false" in line for line in right) >= 3
    kept = [path for path in (tmp_path / "caches").rglob("*") if path.is_file()]
    again = subprocess.run([*command, *map(str, files)], env=around, stdout=subprocess.PIPE, text=True)
    assert len(kept) == 6 and sorted(again.stdout.splitlines()) == right


# ---- the pages of a book -----------------------------------------------------------------------------------------------

PROOFS = """import sympy as sp
from eqproof import Chapter
chapter = Chapter(__file__)
b = sp.Symbol("b")
chapter.bind({"a": 2 * b, "b": b})
chapter.prove("eq-one", by="algebra")
"""


def test_pages_with_proofs_are_judged_once(tmp_path, monkeypatch, capsys):
    """A second run tells the same of them; a change of the page, or --no-cache, judges it anew; a slip is told each time."""
    from eqproof import __main__, kept_verdicts

    (tmp_path / "proofs").mkdir()
    (tmp_path / "eqproof.toml").write_text("pages = ['*.md']", encoding="utf-8")
    (tmp_path / "page.md").write_text("$$ a = 2 b $$ (eq-one)\n", encoding="utf-8")
    (tmp_path / "proofs" / "page.py").write_text(PROOFS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    pages, judge = [], kept_verdicts.judge

    def noted(page, only=None):
        pages.append(page.name)
        return judge(page, only)

    monkeypatch.setattr(kept_verdicts, "judge", noted)
    monkeypatch.setattr(__main__, "judge", noted)
    for words, number in (([], 1), ([], 1), (["page.md"], 1), (["--no-cache"], 2), (["--only", "eq-one"], 3), ([], 3)):
        assert main(words) == 0 and len(pages) == number
        assert "page.md: 1 proven" in capsys.readouterr().out
    (tmp_path / "page.md").write_text("$$ a = 3 b $$ (eq-one)\n", encoding="utf-8")
    for _ in range(2):
        assert main([]) == 1 and len(pages) == 4
        assert "eq-one" in capsys.readouterr().err
