"""The script of all figures: its modules, the file that is made from them, and the record that Python and script agree on."""

import re
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest
from figures import MODULES, kinds
from javascript import NODE

from movingfigures.figure import HERE, engine_source
from movingfigures.figure_spec import SPEC_VERSION, FigureSpec

JS = MODULES.parent


def node(*arguments):
    """Run Node in the folder of the modules; return its exit code and what it said."""
    done = subprocess.run([NODE, *arguments], cwd=JS, capture_output=True, text=True, check=False, timeout=120)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.skipif(NODE is None, reason="Node is missing, which runs the unit tests of the modules: make setup")
def test_node_runs_the_unit_tests_of_the_modules():
    """`node --test`: what needs no page."""
    code, said = node("--test", *(str(path) for path in sorted((JS / "test").glob("*.test.js"))))
    assert code == 0, said
    assert int(re.search(r"^\S+ pass (\d+)$", said, re.M)[1]) > 30 and re.search(r"^\S+ fail 0$", said, re.M), said


@pytest.mark.skipif(NODE is None or not (JS / "node_modules" / "esbuild").is_dir(), reason="esbuild: make javascript")
def test_esbuild_makes_what_is_kept():
    """Byte by byte; `make lint` compares the sums at its head where esbuild is missing."""
    code, said = node("build.js", "--check")
    assert code == 0, said


def test_the_modules_are_reached_from_the_one_where_the_script_begins():
    """Imports name files that are there, form no cycle, and lead to every module."""
    texts = {path.name: path.read_text("utf8") for path in MODULES.glob("*.js")}
    found = {name: set(re.findall(r'^import [^;]*? from "\./([\w.]+)";', text, re.M)) for name, text in texts.items()}
    reached = set()
    todo = ["mount.js"]
    while todo:
        name = todo.pop()
        if name not in reached:
            reached.add(name)
            todo += found[name]
    assert reached == set(found), "a module that nothing imports"
    left = dict(found)
    while leaves := [name for name, taken in left.items() if not taken & set(left)]:
        for name in leaves:
            del left[name]
    assert not left, f"modules that import each other: {sorted(left)}"


def test_what_is_generated_says_so():
    """At its first line, and to those who look at changes."""
    first = (HERE / "engine.js").read_text("utf8").partition("\n")[0]
    assert first.startswith("// Generated") and "packages/movingfigures/js/src" in first
    attributes = Path(__file__).resolve().parents[3] / ".gitattributes"
    assert "packages/movingfigures/src/movingfigures/engine.js linguist-generated" in attributes.read_text("utf8")


def test_a_page_carries_no_comment_of_the_sums():
    """So it stays the same where only a comment of a module changes."""
    assert "sha256" not in engine_source() and not engine_source().startswith("//")


def test_python_and_the_script_have_one_version():
    """SPEC_VERSION of both."""
    told = re.search(r"^export const SPEC_VERSION = (\d+);$", (MODULES / "spec.js").read_text("utf8"), re.M)
    assert int(told[1]) == SPEC_VERSION


def test_python_and_the_script_have_one_record():
    """Each field of FigureSpec is a property of Spec, and the other way around; what may be missing is in brackets there."""
    text = (MODULES / "spec.js").read_text("utf8")
    text = text[text.index("@typedef {object} Spec\n") :].partition("*/")[0]
    told = {name: bool(mark) for mark, name in re.findall(r"@property \{.*\} (\[?)(\w+)\]?$", text, re.M)}
    assert told == {field.name: field.default is None for field in fields(FigureSpec)}


@pytest.mark.parametrize("name", kinds())
def test_a_figure_writes_the_record(name):
    """Nothing that is no field, nothing that is None, and it is read back as it was written."""
    spec = kinds()[name].spec
    assert set(spec) <= {field.name for field in fields(FigureSpec)} and spec["version"] == SPEC_VERSION
    assert None not in spec.values() and FigureSpec(**spec).record() == spec


@pytest.mark.slow
def test_a_notebook_gets_a_module_that_renders(browser):
    """The widget's module exports `render`, which builds the figure, tells Python of a motion, and returns what ends it."""
    figure = kinds()["map"]
    with browser.new_page() as view:
        view.set_content("<!doctype html><title>A notebook</title><div id=cell></div>")
        told = view.evaluate(
            """async ([text, spec]) => {
                const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
                const { default: widget } = await import(url);
                const el = document.querySelector("#cell");
                const told = [];
                const model = { get: name => ({ spec })[name], set: name => told.push(name), save_changes() {}, on() {} };
                const stop = widget.render({ model, el });
                const count = el.querySelectorAll("canvas").length;
                el.rdFigure.step();
                stop();
                return [count, told, el.rdFigure.hidden];
            }""",
            [figure._module(), figure._current_spec()],
        )
    assert told == [2, ["motion"], True]
