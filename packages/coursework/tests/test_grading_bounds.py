"""What a notebook makes the grader do has an end: its searches, its pages, its memory, the folders that it removes."""

import html
import json
import os
import re
import shutil
import subprocess
import sys
import time

import grading_kit
import nbformat
import pytest

from coursework.grading.execute import MOST_COLORS, showable_output
from coursework.grading.folders import remove
from coursework.grading.graft import graft, with_identity
from coursework.grading.limits import Limits
from coursework.grading.messages import size_of
from coursework.grading.reading import cells_of
from coursework.grading.sanitize import harmless
from coursework.grading.task import MOST_SHOWN, MOST_WIDE, _readable
from coursework.grading.watch import cpu_seconds, exceeded_limit, memory, shared_once

SHARED = """
import mmap, os, sys, time
held = mmap.mmap(-1, 60 << 20)
for place in range(0, 60 << 20, 4096):
    held[place] = 1
print("x", flush=True)
time.sleep(20)
"""


ABANDONED = """
import asyncio, os
from coursework.grading import kernel, sandbox
from coursework.grading.limits import Limits
whole = sandbox.command
sandbox.command = lambda *given: [word for word in whole(*given) if word != "--die-with-parent"]

async def main():
    async with kernel.Kernel(Limits()) as one:
        await one.run("x = 1", 20)
        print(one.pid, flush=True)
        os.kill(os.getpid(), 9)

asyncio.run(main())
"""


@pytest.mark.parametrize("text", ["check.begin('x',", "check.begin('x',\"(", "M, ", "M (", "check.begin('x',('"])
def test_a_search_for_calls_and_names_has_an_end(text):
    """A search that takes the square of the length would take days; another process, so that it can be ended."""
    code = (
        "import sys, json, nbformat\nfrom coursework.grading.graft import graft\n"
        "released = nbformat.read(sys.argv[1], as_version=4)\n"
        "cells = [{'cell_type': 'code', 'source': sys.argv[2] * (2_000_000 // len(sys.argv[2])), 'id': '', 'metadata': {}}]\n"
        "graft(released, cells, 'ada', 'seed')"
    )
    environment = {**os.environ, "PYTHONPATH": grading_kit.PYTHONPATH}
    subprocess.run([sys.executable, "-c", code, grading_kit.SOURCE, text], env=environment, timeout=200, check=True)


@pytest.mark.parametrize("student", ['str("Ada (2)")', '"Ada (2)"', '""', "input()", "'it (is) me'", '"a", seed=None'])
def test_the_first_cell_begins_with_the_id_of_the_upload(student):
    """Whatever stands between the parentheses of the call, the rest of the cell stays as it was."""
    source = f'x = 1\np = check.begin("two-link", student={student})  # (mine)\ny = f(p)\n'
    expected = "x = 1\np = check.begin(\"two-link\", student='ada', seed='s')  # (mine)\ny = f(p)\n"
    assert with_identity(source, "ada", "s") == expected


def test_memory_that_is_mapped_to_be_shared_counts():
    """A notebook could hold any amount of it otherwise."""
    process = subprocess.Popen([sys.executable, "-c", SHARED], stdout=subprocess.PIPE, text=True)
    try:
        process.stdout.readline()
        assert memory([process.pid]) > 60 << 20 and shared_once([process.pid]) > 60 << 20
    finally:
        process.kill()
        process.communicate()


def test_processors_are_shared():
    """Who burns more than a few of them for long takes the time of others' cells."""
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        while cpu_seconds(process.pid) < 0.3:
            time.sleep(0.05)
        assert exceeded_limit(process.pid, [], Limits(), 1.0) is None
        assert exceeded_limit(process.pid, [], Limits(burst=0.1, cores=0.1), 1.0) == "too much processor time"
    finally:
        process.kill()
        process.wait()


def test_the_size_of_a_message_counts_what_it_becomes():
    """An empty list is two characters, and sixty bytes."""
    assert size_of([[]] * 2_000_000) > Limits().flood


def test_a_page_shows_no_more_than_it_can():
    """Colors and very long lines take a page minutes and hours; the upload itself is kept."""
    loud = {"output_type": "stream", "name": "stdout", "text": "\x1b[31mx" * (MOST_COLORS + 1)}
    assert showable_output(loud).text == "x" * (MOST_COLORS + 1)
    error = {"output_type": "error", "ename": "E", "evalue": "", "traceback": ["\x1b[31mx\x1b[0m"]}
    assert showable_output(error).traceback == ["\x1b[31mx\x1b[0m"]
    shown = _readable("a." * 10**6 + "\n" + "b = 1\n" * 10**5)
    assert len(shown) < MOST_SHOWN + MOST_WIDE and max(map(len, shown.split("\n"))) < MOST_WIDE + 10
    assert _readable("x = 1\n") == "x = 1\n"
    assert _readable("word " * 5000, "markdown") == "word " * 5000  # a text has long lines


def test_any_folder_can_be_removed(tmp_path):
    """Closed ones, and a thousand one in another; what a link leads to stays."""
    (tmp_path / "kept").mkdir()
    folder = tmp_path / "kernel"
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "link").symlink_to(tmp_path / "kept")
    here = os.open(folder, os.O_RDONLY)
    for _ in range(1100):  # deeper than Python's recursion, and than a path may be long
        os.mkdir("x", dir_fd=here)
        below = os.open("x", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    for path in (folder / "a" / "b", folder / "a", folder):
        path.chmod(0)
    remove(folder)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept"]


def test_a_cell_of_the_student_is_executed_whole():
    """What is cut for a page is not cut for the kernel."""
    notebook = grading_kit.with_answer("gravity", "#" * 60_000 + "\nG = 1")
    released = nbformat.read(grading_kit.SOURCE, as_version=4)
    cells = graft(released, cells_of(json.dumps(notebook).encode()), "ada", "seed").cells
    assert any(cell.source.endswith("\nG = 1") for cell in cells)


@pytest.mark.parametrize(
    "text",
    [
        "[a](javascript:alert(1))", "[a](JaVaScript:alert(1))", "[a](java&#115;cript:alert(1))", "[a]: javascript&colon;alert(1)\n\n[a]",
        "[a](< java\tscript:alert(1)>)", "[a](javascript\\:alert(1))", "[a](data:text/html;base64,xx)", "<javascript:alert(1)>",
        "$\\href{javascript:alert(1)}{x}$", "$\\def\\y#1{\\href{java#1:alert(1)}{x}}\\y{script}$", "<a href=javascript:alert(1)>a</a>",
        "[a](vbscript:x)", "[a](java&amp;#115;cript:alert(1))", "[a](java&AMP&amp;#x73;cript:x)", "![a](javascript:x)", "[a](java\nscript:alert(1))", "[a](\x01javascript:alert(1))",
    ],
)  # fmt: skip
def test_no_text_of_a_student_is_a_link_to_a_script(text):
    """Who reads it is the teacher, in a browser that is logged in to the server of the gradebook."""
    from nbconvert.filters import markdown2html

    page = markdown2html(harmless(text)).lower()
    links = re.findall(r"""(?:href|src)\s*=\s*["']?([^"'>]*)""", page)
    assert not [link for link in links if re.match(r"\W*(java|vb)\s*script\s*:|\W*data\s*:", html.unescape(link))], page
    assert "\\href" not in page


def test_a_harmless_text_stays_as_it_is():
    """Formulas, lists, links to pages, colons."""
    text = "*M*: $a < b$ & $\\begin{pmatrix}a & b\\end{pmatrix}$, see [this](https://example.org/a:b)\n\n- data, JavaScript"
    assert harmless(text) == text


@pytest.mark.slow
def test_a_sandbox_ends_with_its_grader():
    """Also where bubblewrap has not heard of its death: a worker may be killed just when a sandbox begins."""
    trouble = grading_kit.sandbox_trouble()
    if trouble:
        pytest.skip(trouble)
    folder = grading_kit.owned_folder()
    try:
        done = grading_kit.run_as_user([sys.executable, "-c", ABANDONED], folder)
        sandbox, end = int(done.stdout), time.monotonic() + 20
        while (alive := os.path.exists(f"/proc/{sandbox}")) and time.monotonic() < end:
            time.sleep(0.1)
        assert not alive
    finally:
        shutil.rmtree(folder, ignore_errors=True)
