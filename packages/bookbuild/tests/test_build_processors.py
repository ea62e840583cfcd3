"""Other processors, surroundings and places: a setting has its effect or is told, and what pytest says is read right."""

import pytest

from bookbuild import outcomes, places, processors

HERE = {"machine": "x86_64", "glibc": True, "OpenBLAS": ["haswell"], "threads": [2], "bits of libm": "1"}


def log(tmp_path, said):
    """Return a file in which that stands."""
    path = tmp_path / "said.log"
    path.write_text(said, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "last", ["1 failed, 70 passed, 2 skipped in 12.34s", "=== 1 failed, 70 passed, 2 skipped in 92.34s (0:01:32) ==="]
)
def test_counts_and_names_are_read(tmp_path, last):
    """With pytest's frame and without it; a name with a blank in its parameters, and a reason behind it."""
    said = f"..F.s\nFAILED tests/test_laws.py::test_power[a b] - assert 1 == 2\nSKIPPED [2] x.py:1: why\n{last}\nmake: ***\n"
    found = outcomes.parse_pytest_log("zen", log(tmp_path, said), 1, 13.0)
    assert (found.passed, found.failed, found.skipped) == (70, ("tests/test_laws.py::test_power[a b]",), 2)
    assert not found.good
    assert found.line() == "zen: 70 passed, 1 failed, 2 skipped in 13 s"


@pytest.mark.parametrize(
    ("said", "code", "problem"),
    [
        ("", 0, "no test ran (exit code 0): nothing was said"),
        ("Illegal instruction\n\n", 132, "no test ran (exit code 132): Illegal instruction"),
        ("5 passed in 1.00s\nError: the report is full\n", 1, "exit code 1: Error: the report is full"),
        ("5 deselected in 1.00s\n", 5, "exit code 5: 5 deselected in 1.00s"),
        ("3 skipped in 1.00s\n", 0, "no test passed: 3 skipped"),
    ],
)
def test_a_run_without_tests_is_no_pass(tmp_path, said, code, problem):
    """Whatever the exit code: nothing run, nothing passed, or an error beside the tests."""
    found = outcomes.parse_pytest_log("zen", log(tmp_path, said), code, 1.0)
    assert found.problem == problem
    assert not found.good


def test_a_failure_that_is_not_named_counts(tmp_path):
    """Where pytest was told to list no names."""
    assert not outcomes.parse_pytest_log("zen", log(tmp_path, "2 failed, 5 passed in 1.00s\n"), 1, 1.0).good


def test_a_setting_without_effect_is_told():
    """A kernel that OpenBLAS does not take, and a library whose results stay as they are."""
    zen = processors.openblas_setting("Zen", "", "avx2", "x86_64")
    assert processors.missing_effect(zen, HERE, HERE) == (
        "it has no effect on this machine: OpenBLAS should be ['zen'], got ['haswell']"
    )
    assert processors.missing_effect(zen, HERE, {**HERE, "OpenBLAS": ["zen"]}) == ""
    fused = processors.Setting("libm", "arithmetic", "", changes=("bits of libm",))
    assert "bits of libm are the same as without it" in processors.missing_effect(fused, HERE, HERE)
    assert processors.missing_effect(fused, HERE, {**HERE, "bits of libm": "2"}) == ""


def test_what_the_machine_cannot_have_is_missing_requirement_with_the_reason(monkeypatch):
    """A flag of the processor, another processor, another BLAS."""
    monkeypatch.setattr(processors.machine, "processor_flags", lambda: {"avx2"})
    needs = processors.openblas_setting("SkylakeX", "", "avx512vl", "x86_64").needs
    assert needs(HERE) == "the processor does not have avx512vl, and would meet an illegal instruction"
    assert needs({**HERE, "machine": "aarch64"}) == "it is a setting of x86_64, this machine is aarch64"
    assert needs({**HERE, "OpenBLAS": []}) == "NumPy does not compute with OpenBLAS here"
    assert processors.openblas_setting("Haswell", "", "avx2", "x86_64").needs(HERE) == ""


def test_each_setting_is_there_once_and_can_be_chosen_alone():
    """By its name, and with its like by their kind; a wrong name is told with the right ones."""
    table = [*processors.settings(seed=1), *places.PLACES]
    names = [one.name for one in table]
    assert len(set(names)) == len(names)
    assert [one.name for one in processors.select(table, ["ascii", "prescott"])] == ["prescott", "ascii"]
    assert [one.name for one in processors.select(table, ["places"])] == [place.name for place in places.PLACES]
    assert processors.select(table, []) == table
    with pytest.raises(ValueError, match=r'^ONLY="pentium" is no setting. There are arithmetic, armv8, ascii, '):
        processors.select(table, ["pentium"])


def test_a_setting_inherits_none_of_the_others(monkeypatch):
    """What this machine has set by itself for one of them is taken away; what no setting sets is kept."""
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Zen")
    monkeypatch.setenv("KEPT", "1")
    table = processors.settings(seed=5)
    around = {one.name: processors.environment(one, table) for one in table}
    assert "OPENBLAS_CORETYPE" not in around["unset"] and around["unset"]["KEPT"] == "1"
    assert around["prescott"]["OPENBLAS_CORETYPE"] == "Prescott"
    assert around["hash-seed"]["PYTHONHASHSEED"] == "5" and "PYTHONHASHSEED" not in around["ascii"]


def test_a_place_is_a_clone_of_its_own(tmp_path, monkeypatch):
    """Its command sees the clone, an empty home and no terminal; sources can be read alone, the top folder be written."""
    monkeypatch.setattr(
        places, "project_files", lambda: [places.ROOT / "LICENSE", places.ROOT / "packages/bookbuild/setup.sh"]
    )
    place = places.Place("here", "", folder="a ü", read_only=True, home="missing", terminal=False)
    looked = (
        "import os, sys, subprocess; print(os.path.basename(os.getcwd()) == 'a \\xfc', os.path.exists(os.environ['HOME']), "
        "sys.stdin, oct(os.stat('LICENSE').st_mode & 0o222), os.access('.', os.W_OK), "
        "subprocess.check_output(['git', 'status', '--short']))"
    )
    done = places.run_in_place(
        place, [[processors.sys.executable, "-c", looked], ["echo", "4 passed in 1.00s"]], tmp_path / "log"
    )
    said = (tmp_path / "log").read_text(encoding="utf-8").splitlines()
    assert said[0] == "True False None 0o0 True b''"
    assert done.good and done.passed == 4


def test_a_command_that_fails_ends_the_place(tmp_path, monkeypatch):
    """Its last line is the problem, and the tests are not begun."""
    monkeypatch.setattr(places, "project_files", lambda: [places.ROOT / "LICENSE"])
    begun = tmp_path / "begun"
    commands = [["sh", "-c", "echo no disk; exit 3"], ["touch", str(begun)]]
    done = places.run_in_place(places.Place("here", ""), commands, tmp_path / "log")
    assert done.problem == "sh -c echo no disk; exit 3 ends with code 3: no disk"
    assert not begun.exists()
