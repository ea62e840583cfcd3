"""A kept verdict is what judging anew would say: it is taken while nothing changes on which it depends, and no longer."""

import os
import sys

import pytest

from eqproof import import_graph, kept_verdicts
from eqproof.import_graph import imported_modules
from eqproof.kept_verdicts import file_of_verdict, judge_or_take_kept, key_of, read_report, reports, write_report
from eqproof.ledger import Report

PROOFS = """import sympy as sp
from eqproof import Chapter
from shop import twice
b = sp.Symbol("b")
chapter = Chapter(__file__)
chapter.bind({"a": twice(b), "b": b})
chapter.prove("eq-one", by="a program")
"""
FILES = {
    "eqproof.toml": "pages = ['page.md']\n[units]\nb = 'kg'\na = 'kg'\n",
    "page.md": "# A page\n\n$$ a = 2 b $$ (eq-one)\n",
    "proofs/page.py": PROOFS,
    "shop/__init__.py": "import lazy_loader\n__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)\n",
    "shop/__init__.pyi": "from .goods import twice as twice\nfrom .unused import nothing as nothing\n",
    "shop/goods.py": "def twice(x):\n    from shop.prices import factor\n    return factor * x\n",
    "shop/prices.py": "factor = 2\n",
    "shop/unused.py": "nothing = 0\n",
}


@pytest.fixture
def page(tmp_path, monkeypatch):
    """A page whose proofs take a name of a package that loads it when it is used, from where one more module is imported."""
    for name, text in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # a file that changes twice a second is read anew
    forget()
    yield tmp_path / "page.md"
    forget()


def forget():
    """Let the package of the page be found and loaded anew."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "shop"]:
        del sys.modules[name]
    for function in (
        import_graph.folder_of,
        import_graph.file_of,
        import_graph.files_of,
        import_graph.imported_modules,
        import_graph.home_modules,
        import_graph.module_level_names,
    ):
        function.cache_clear()


def change(page, name, printed="", instead=""):
    """Write something else into a file of the page's project, or more of it."""
    file = page.parent / name
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    assert printed in text
    file.write_text(text.replace(printed, instead) if printed else text + instead, encoding="utf-8")
    forget()


def judgments(monkeypatch):
    """The pages that are judged from now on, by name."""
    pages = []
    judge = kept_verdicts.judge

    def noted(page):
        pages.append(page.name)
        return judge(page)

    monkeypatch.setattr(kept_verdicts, "judge", noted)
    return pages


# What is changed in which file, and the sentence on the page that is judged anew; None where it is true still.
CHANGES = {
    "the page": ("page.md", "2 b", "3 b", "eq-one: the sides differ"),
    "its code and its prose": ("page.md", "", "\nMore prose.\n", None),
    "its proofs": ("proofs/page.py", "twice(b)", "b + b + b", "eq-one: the sides differ"),
    "a module that a module imports": ("shop/prices.py", "2", "3", "eq-one: the sides differ"),
    "a module that a stub names": ("shop/goods.py", "factor * x", "factor + x", "eq-one: the sides differ"),
    "the stub": ("shop/__init__.pyi", ".goods", ".prices", "the proofs of page.md stop: "),
    "the table of units": ("eqproof.toml", "a = 'kg'", "a = 'm'", "eq-one, line 1, column 5: 2 b is measured in kg"),
    "the macros": ("eqproof.toml", "[units]", "[macros]\n'a' = 'b'\n[units]", "eq-one: the sides differ"),
    "what its label is about": ("proofs/labels.toml", "", "[page]\neq-one = 'c'\n", None),
    "reasons for its relations": ("proofs/relations.toml", "", "[page]\n'a = b' = 'so'\n", ""),
    "what its numbers are": ("proofs/numbers.toml", "", "[page]\n'3.5' = 'so'\n", None),
    "symmetric letters": ("eqproof.toml", "[units]", "symmetric = ['\\boldsymbol I']\n[units]", None),
    "numbers need sources": ("eqproof.toml", "[units]", "numbers = true\n[units]", None),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_has_changed_is_judged_anew(what, page, monkeypatch):
    """And the verdict is that of the new text; before, and after it, it is judged once."""
    folder = page.parent / "kept"
    name, printed, instead, said = CHANGES[what]
    pages = judgments(monkeypatch)
    assert judge_or_take_kept(page, folder) == judge_or_take_kept(page, folder)
    assert judge_or_take_kept(page, folder).wrong == () and pages == ["page.md"]
    change(page, name, printed, instead)
    wrong = judge_or_take_kept(page, folder).wrong
    assert pages == ["page.md"] * 2
    assert judge_or_take_kept(page, folder).wrong == wrong and pages == ["page.md"] * 2
    if said is None:
        assert wrong == ()
    else:
        assert any(said in sentence for sentence in wrong), wrong


@pytest.mark.parametrize("name", ["shop/unused.py", "eqproof.txt", "proofs/other.py", "proofs/other.toml"])
def test_what_is_not_imported_changes_nothing(name, page):
    """Another file of the package, of the folder of proofs or of the project: no verdict depends on it."""
    before = key_of(page)
    change(page, name, instead="\nmore = 1\n")
    assert key_of(page) == before


def test_the_proofs_of_another_page_bring_their_page(page):
    """A file whose name stands in the proofs counts, the files named there in turn, and the pages of these proofs."""
    change(page, "proofs/page.py", instead='OTHER = "other.py"\n')
    known = [key_of(page)]
    for name, text in (
        ("proofs/other.py", 'FIRST = "first.py"\n'),
        ("other.md", "# Other\n"),
        ("proofs/first.py", "DATA = 'data.csv'\n"),
        ("first.md", "# First\n"),
        ("proofs/data.csv", "1, 2\n"),
        ("proofs/data.csv", "3, 4\n"),
    ):
        change(page, name, instead=text)
        known.append(key_of(page))
    assert len(set(known)) == len(known)


def test_the_checker_itself_counts(page):
    """Whatever of eqproof judges, its grammar among it; not what draws pages or makes mutants. So do versions."""
    files, versions = kept_verdicts.sources(page, page.parent / "proofs" / "page.py", ("eqproof",))
    names = {file.name for file in files if file.parent.name == "eqproof"}
    assert {"decide.py", "exact.py", "units.py", "dead_tokens.py", "numbers.py", "grammar.lark", "parser.py"} <= names
    assert not names & {"sphinx.py", "mutants.py", "kept_verdicts.py", "__main__.py"}
    assert {"sympy", "mpmath", "numpy", "lark"} <= dict(versions).keys()
    assert all(dict(versions)[name] for name in ("sympy", "mpmath", "numpy", "lark"))


def test_a_false_equation_stays_false(page, monkeypatch):
    """What is kept of it is what was said of it: to the build that judged it and to the tests, each way."""
    change(page, "page.md", "2 b", "3 b")
    root, pages = page.parent, judgments(monkeypatch)
    built, tests = root / "built", root / "tests"
    (first,) = reports(root, built)
    again = judge_or_take_kept(page, built)
    mine = judge_or_take_kept(page, tests)
    (theirs,) = reports(root, tests)
    assert pages == ["page.md"] * 2
    for report in (first, again, mine, theirs):
        assert [result.kind for result in report.results] == ["failed"]
        assert report.wrong[0].startswith("eq-one: the sides differ")
    assert again == first and mine == theirs


def test_an_interruption_loses_no_verdict(page, monkeypatch):
    """Each is kept as soon as it is there, pages with the most proofs first; who stops the build goes on from there."""
    root, folder = page.parent, page.parent / "kept"
    change(page, "eqproof.toml", "['page.md']", "['bare.md', 'page.md', 'more.md']")
    change(page, "bare.md", instead="# Nothing to prove\n")
    change(page, "more.md", instead=FILES["page.md"])
    change(page, "proofs/more.py", instead=PROOFS + "# more to read\n")
    monkeypatch.setenv("JOBS", "1")
    pages = judgments(monkeypatch)
    told = []

    def stop(one, count, total):
        told.append((one.name, count, total))
        if count == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reports(root, folder, say=stop)
    assert pages == ["more.md", "page.md"] and told == [("more.md", 1, 3), ("page.md", 2, 3)]
    found = reports(root, folder, say=lambda one, count, total: told.append((one.name, count, total)))
    assert pages == ["more.md", "page.md", "bare.md"] and told[-1] == ("bare.md", 1, 1)
    assert [report.page.name for report in found] == ["bare.md", "page.md", "more.md"]
    assert not any(report.wrong for report in found)


@pytest.mark.parametrize("text", ["", "[[], []", "[[], []]", '[[{"label": "eq-one"}], [], {}, {}]', "null"])
def test_what_cannot_be_read_is_judged_anew(text, page):
    """A file that was half written, or by an earlier program."""
    file = file_of_verdict(page, page.parent / "kept")
    file.parent.mkdir(exist_ok=True)  # where imports lead is noted there
    file.write_text(text, encoding="utf-8")
    assert read_report(page, file) is None
    assert judge_or_take_kept(page, file.parent).results[0].kind == "proven"
    report = read_report(page, file)
    assert report is not None and report.results[0].kind == "proven"


def test_the_oldest_verdicts_are_forgotten(page):
    """Of as many states of a page as are kept; those of a page whose name begins in the same way are let be."""
    folder = page.parent / "kept"
    other = folder / f"page-two-{'0' * 16}.json"
    write_report(Report(other.with_name("page-two.md"), (), ()), other)
    for k in range(kept_verdicts.NEWEST + 3):
        file = folder / f"page-{k:016}.json"
        write_report(Report(page, (), ()), file)
        os.utime(file, (k, k))
    write_report(Report(page, (), ()), folder / f"page-{'f' * 16}.json")
    left = sorted(file.name for file in folder.iterdir())
    assert len(left) == kept_verdicts.NEWEST + 1 and other.name in left
    assert f"page-{0:016}.json" not in left and f"page-{'f' * 16}.json" in left


# What a module of the package shop, or beside it, says, and what of this package it may import.
IMPORTS = {
    "import shop": {"shop"},
    "import shop.goods": {"shop.goods"},
    "import shop.goods as g\ng.twice": {"shop.goods"},
    "import shop as s\ns.twice(1)": {"shop", "shop.goods"},
    "import shop as s\ns.prices.factor": {"shop", "shop.prices"},
    "import shop as s\nprint(s)": {"shop", "shop.goods", "shop.unused"},
    "import shop as s\ns.lost": {"shop", "shop.goods", "shop.unused"},
    "from shop import prices\nprices.factor": {"shop", "shop.prices"},
    "from shop import twice as double": {"shop", "shop.goods"},
    "from shop.prices import factor": {"shop.prices"},
    "from shop import *": {"shop", "shop.goods", "shop.unused"},
    "def f():\n    from shop import nothing": {"shop", "shop.unused"},
    "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import shop": set(),
    "if typing.TYPE_CHECKING:\n    import shop\nelse:\n    import shop.prices": {"shop.prices"},
    "if TYPE_CHECKING:\n    import shop\nelif lost:\n    import shop.prices\nelse:\n    import shop.unused": {
        "shop.prices",
        "shop.unused",
    },
    "if lost:\n    pass\nelif TYPE_CHECKING:\n    import shop\nelse:\n    import shop.prices": {"shop.prices"},
    "if not TYPE_CHECKING:\n    import shop.prices\nelse:\n    import shop": {"shop.prices"},
    "if TYPE_CHECKING or lost:\n    import shop.prices": {"shop.prices"},
    "if lost and TYPE_CHECKING:\n    import shop": set(),
    "import importlib\nimportlib.import_module('.prices', 'shop')": {"shop.prices"},
    "import importlib\nimportlib.import_module(package='shop.deep', name='..prices')": {"shop.prices"},
    "from importlib import import_module\nimport_module('shop.prices')": {"shop.prices"},
    "import importlib\nimportlib.import_module('..prices', 'shop')": set(),
    "import importlib\nimportlib.import_module('.prices')": set(),
    "import importlib\nimportlib.import_module('.prices', where)": set(),
    "import importlib\nimportlib.import_module('')": set(),
    "import importlib\nimportlib.import_module(f'shop.{name}', 'shop')": set(),
    "import importlib\nimportlib.import_module()": set(),
}


@pytest.mark.parametrize("text", IMPORTS)
def test_imports_lead_to_the_files_where_names_live(text, page):
    """What a module takes from a package that loads its names when they are used is looked up in the stub."""
    found = {name for name in imported_modules("", False, text, ()) if name.partition(".")[0] == "shop"}
    assert found == IMPORTS[text]


@pytest.mark.parametrize("text", IMPORTS)
def test_what_is_imported_has_files(text, page):
    """No import, however it is written, ends the search for files."""
    proofs = page.parent / "proofs" / "page.py"
    proofs.write_text(text, encoding="utf-8")
    files, _ = import_graph.reached_files([("", proofs)], ())
    assert proofs in files and {f"{name.rpartition('.')[2]}.py" for name in IMPORTS[text] - {"shop"}} <= {
        x.name for x in files
    }


@pytest.mark.parametrize("anchor", ["'shop'", "__package__", "__name__", "__spec__.parent"])
def test_a_package_loads_its_own_modules_by_name(anchor, page):
    """A name that begins with a dot counts from the package itself, however that is written; the stub beside it is a file, too."""
    (page.parent / "shop" / "__init__.py").write_text(
        f"import importlib\n\n\ndef __getattr__(name):\n    return importlib.import_module('.prices', {anchor})\n",
        encoding="utf-8",
    )
    files, _ = import_graph.reached_files(import_graph.files_of("shop", ()), ())
    assert [file.name for file in files] == ["__init__.py", "__init__.pyi"]
    assert import_graph.Reader("", ()).taken("shop", []) >= {"shop.prices"}
    (page.parent / "shop" / "__init__.pyi").unlink()
    forget()
    files, _ = import_graph.reached_files(import_graph.files_of("shop", ()), ())
    assert [file.name for file in files] == ["__init__.py", "prices.py"]


@pytest.mark.parametrize(("name", "is_package"), [("shop.goods", False), ("shop", True)])
def test_dots_are_counted_from_the_package(name, is_package, page):
    """From a module, and from the __init__.py of its package."""
    assert imported_modules(name, is_package, "from .prices import factor\nfrom . import unused", ()) == {
        "shop",
        "shop.prices",
        "shop.unused",
    }


def test_imports_are_followed_once(page, tmp_path, monkeypatch):
    """Until a file changes that they reach, or another one lies beside it; the key is that without a note."""
    folder, found = tmp_path / "kept", []
    reached = kept_verdicts.reached_files

    def noted(*given):
        found.append(given)
        return reached(*given)

    monkeypatch.setattr(kept_verdicts, "reached_files", noted)
    folder.mkdir()
    changes = [("", "", 1), ("", "", 0), ("shop/prices.py", "factor = 3\n", 1), ("shop/new.py", "", 1), ("", "", 0)]
    for name, text, times in changes:
        if name:
            (tmp_path / name).write_text(text, encoding="utf-8")
            forget()
        found.clear()
        key = key_of(page, kept=folder)
        assert len(found) == times, name
        assert key == key_of(page)
    (note,) = folder.glob("*.files")
    note.write_text("damaged", encoding="utf-8")
    assert key_of(page, kept=folder) == key
