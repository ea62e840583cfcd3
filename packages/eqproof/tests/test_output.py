"""What is said reaches an output that is not UTF-8: signs that it does not hold are written out, and nothing fails by them."""

import io
import subprocess
import sys

from eqproof import checked
from eqproof.__main__ import main


def ascii_output(monkeypatch):
    """Let standard output hold ASCII alone, as under LC_ALL=C without UTF-8 mode; return what is written to it."""
    output = io.TextIOWrapper(io.BytesIO(), encoding="ascii", write_through=True)
    monkeypatch.setattr(sys, "stdout", output)
    return output.buffer


def test_a_check_that_holds_does_not_fail_by_its_mark(monkeypatch):
    """With a bound and without one."""
    output = ascii_output(monkeypatch)
    checked("α is small", 1e-14, below=1e-12)
    checked("one is one", True)
    assert output.getvalue().splitlines() == [
        rb"\u2713 checked: \u03b1 is small (below 1e-12)",
        rb"\u2713 checked: one is one",
    ]


def test_a_page_whose_label_is_not_ascii_is_proven(tmp_path, monkeypatch):
    """Its line stands there as any other."""
    (tmp_path / "eqproof.toml").write_text('pages = ["*.md"]', encoding="utf-8")
    (tmp_path / "page.md").write_text("$$ a = 2 b $$ (eq:θ)\n", encoding="utf-8")
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "page.py").write_text(
        "import sympy as sp\nfrom eqproof import Chapter\nchapter = Chapter(__file__)\nb = sp.Symbol('b')\n"
        "chapter.bind({'a': 2 * b, 'b': b})\nchapter.prove('eq:θ', by='hand')\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    output = ascii_output(monkeypatch)
    assert main(["page.md"]) == 0
    assert rb"eq:\u03b8" in output.getvalue()


def test_a_reader_that_goes_away_ends_the_command_in_silence(tmp_path):
    """As head does: no traceback, and an exit code that is not that of a verdict."""
    (tmp_path / "a.md").write_text("$$ a + a = 2 a $$\n" * 3, encoding="utf-8")
    code = "import sys, time; time.sleep(1); from eqproof.__main__ import main; sys.exit(main(['check', 'a.md']))"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdout and run.stderr
        run.stdout.close()
        assert run.stderr.read() == b""
    assert run.returncode == 2
