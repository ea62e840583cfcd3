"""What a student at home installs: the checks of every assignment, and nothing of a solution."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
NAMES = sorted(path.parent.name for path in (ROOT / "exercises").glob("*/questions.py"))
AT_HOME = """
import sys
from robotdyn import check
import coursework.check
assert check is coursework.check and sys.argv[1] in check.__file__
for name in sys.argv[2:]:
    check.begin(name, student="ada")
p = check.begin("two-link", student="ada")
check.answer("gravity", ["0", "0"])
check.hint("gravity")
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel that `pip install .` makes, by the build backend itself."""
    pytest.importorskip("hatchling", reason="hatchling is not installed: pip install hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    build = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-c", build, folder], cwd=ROOT, capture_output=True, text=True, check=True)
    return folder / done.stdout.split()[-1]


def test_a_wheel_holds_the_questions_and_no_solution(wheel):
    """Of each folder of exercises given.py and questions.py; no notebook, no planted answer, no key."""
    names = zipfile.ZipFile(wheel).namelist()
    assert sorted(name for name in names if "exercises" in name) == [
        f"coursework/exercises/{name}/{part}.py" for name in NAMES for part in ("given", "questions")
    ]
    assert not [name for name in names if name.endswith(".ipynb") or "planted" in name]
    assert {name.split("/")[0] for name in names} <= {
        "robotdyn",
        "movingfigures",
        "coursework",
        wheel.name.rsplit("-", 3)[0] + ".dist-info",
    }


def test_an_installed_package_checks_every_assignment(wheel, tmp_path):
    """Far from the clone: begin, a law, a hint."""
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    env = {"PYTHONPATH": str(tmp_path / "site"), "HOME": str(tmp_path)}
    argv = [sys.executable, "-c", AT_HOME, str(tmp_path / "site"), *NAMES]
    done = subprocess.run(argv, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "gravity: At rest the torque should equal dU/dq." in done.stdout and "hint 1 of 3" in done.stdout
