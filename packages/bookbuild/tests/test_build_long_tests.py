"""The list of long tests: what stands in it is there, and what it keeps in `make test`."""

import ast
import os
import shutil
import subprocess
import sys

from long_tests import FIRST_LINE, LONG, QUICKEST, long_ones

from bookbuild import ROOT

HEAD, *LISTED = (ROOT / "tests" / "long_tests.txt").read_text(encoding="utf-8").splitlines()

THREE = """
import time


def test_listed():
    pass


def test_short():
    pass


def test_busy():
    end = time.process_time() + 0.8
    while time.process_time() < end:
        pass
"""


def test_each_long_test_is_a_test_that_there_is():
    assert HEAD == FIRST_LINE and sorted(set(LISTED)) == LISTED and len(LISTED) > 100
    functions = {}
    for test in LISTED:
        file, *_, name = test.partition("[")[0].split("::")
        if file not in functions:
            tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
            functions[file] = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert name in functions[file], f"{test} is not there any more: make long-tests, or take its line out"


def test_the_quickest_case_of_a_test_with_several_is_not_left_out_unless_it_is_very_long():
    times = {
        "a.py::short": LONG / 2,
        "a.py::alone": 1.1 * LONG,
        "a.py::cases[1]": 3 * LONG,
        "a.py::cases[2]": 2 * LONG,
        "a.py::cases[3 [4]": LONG / 3,
        "b.py::cases[1]": 2 * LONG,
        "b.py::cases[2]": 3 * LONG,
        "b.py::cases[3]": 3 * LONG,
        "b.py::very[1]": QUICKEST + 1,
        "b.py::very[2]": QUICKEST + 2,
    }
    left_out = ["a.py::alone", "a.py::cases[1]", "a.py::cases[2]", "b.py::cases[2]", "b.py::cases[3]"]
    assert long_ones(times) == [*left_out, "b.py::very[1]", "b.py::very[2]"]


def test_a_listed_test_is_left_out_and_the_end_says_so_and_the_list_is_measured_anew(tmp_path):
    """The same conftest.py, in a folder of three tests of which one is listed."""
    (tmp_path / "tests").mkdir()
    for file in ("conftest.py", "tests/long_tests.py"):
        shutil.copy(ROOT / file, tmp_path / file)
    listed = tmp_path / "tests" / "long_tests.txt"
    listed.write_text(f"{FIRST_LINE}\ntest_three.py::test_listed\n", encoding="utf-8")
    markers = "".join(f"    {name}: {name}\n" for name in ("slow", "long", "early"))
    (tmp_path / "pytest.ini").write_text(f"[pytest]\npythonpath = tests\nmarkers =\n{markers}", encoding="utf-8")
    (tmp_path / "test_three.py").write_text(THREE, encoding="utf-8")
    environment = os.environ | {"ROBOTDYN_NO_SKIP": "0", "PYTEST_ADDOPTS": ""}

    def run(*options):
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout

    said = run("-m", "not slow and not long")
    assert "2 passed, 1 deselected" in said
    assert "Not run, and the command that runs it: 1 long tests (make test-all)." in said
    assert "3 passed" in run("--write-long-tests")
    assert listed.read_text(encoding="utf-8").splitlines() == [FIRST_LINE, "test_three.py::test_busy"]
