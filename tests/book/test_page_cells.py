"""What runs the cells of a page in the browser does as a notebook does: last values, order, pictures, errors; here, without a browser."""

import importlib.util
import sys

import matplotlib as mpl
import pytest

from bookbuild.build_book import ROOT


@pytest.fixture
def run(monkeypatch):
    """A fresh one; run(code) returns whether the cell ended, and what it told."""
    spec = importlib.util.spec_from_file_location(
        "run_cell", ROOT / "packages/bookbuild/src/bookbuild/lite/run_cell.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr("builtins.display", None, raising=False)
    module.begin()

    def cell(code, shown=True):
        told = []
        ended = module.run(code, "cell 3", shown, lambda *kind: told.append(kind))
        return ended, told

    cell.begin = module.begin
    return cell


def test_the_last_value_is_shown_and_names_stay(run):
    assert run("a = 2") == (True, [])
    assert run("print('so', end='')\na + 1") == (True, [("text", "so"), ("text", "3\n")])
    assert run("a;") == (True, [])
    assert run("") == (True, [])
    assert run("print(a)\na", shown=False) == (True, [])
    run.begin()
    ended, [(kind, text)] = run("a")
    assert not ended and kind == "error" and "NameError" in text


def test_a_value_is_shown_in_its_best_form(run):
    run("class Rich:\n    _repr_html_ = lambda self: '<b>1</b>'\n    _repr_latex_ = lambda self: '$1$'")
    assert run("display(Rich(), 2)") == (True, [("html", "<b>1</b>"), ("text", "2\n")])
    assert run("Rich")[1][0][0] == "text"
    assert run("import sympy\nsympy.Symbol('x') ** 2") == (True, [("latex", r"$\displaystyle x^{2}$")])


def test_an_error_names_the_line_of_the_reader_alone(run):
    ended, [(_, before), (kind, text)] = run("def f(x):\n    return 1 / x\nprint('before')\nf(0)")
    assert not ended and before == "before\n" and kind == "error"
    assert 'File "cell 3", line 4' in text and "return 1 / x" in text and text.endswith("division by zero\n")
    assert "run_cell" not in text
    ended, [(_, text)] = run("1 +")
    assert not ended and 'File "cell 3", line 1' in text and "SyntaxError" in text and "ast.py" not in text
    assert run("raise SystemExit(2)")[0] is False


def test_pictures_are_drawn_once(run):
    mpl.use("agg")
    ended, told = run("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\nplt.figure()\nplt.plot([2, 1]);")
    assert ended and [kind for kind, _ in told] == ["svg", "svg"] and all("</svg>" in svg for _, svg in told)
    assert run("1") == (True, [("text", "1\n")])
    assert sys.modules["matplotlib.pyplot"].get_fignums() == []


def test_endless_text_is_cut(run):
    ended, told = run("for n in range(30_000):\n    print(n)")
    text = "".join(content for _, content in told)
    assert ended and len(text) < 101_000 and text.startswith("0\n1\n") and text.endswith("the page leaves out\n")
