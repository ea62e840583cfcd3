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
def wheels(tmp_path_factory):
    """The wheels that pip makes of the library and the two packages, by the build backend itself, coursework's the last."""
    pytest.importorskip("hatchling", reason="hatchling is not installed: pip install hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    build = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    made = []
    for place in (ROOT, ROOT / "packages" / "movingfigures", ROOT / "packages" / "coursework"):
        done = subprocess.run(
            [sys.executable, "-c", build, folder], cwd=place, capture_output=True, text=True, check=True
        )
        made.append(folder / done.stdout.split()[-1])
    return made


def test_a_wheel_holds_the_questions_and_no_solution(wheels):
    """Of each folder of exercises given.py and questions.py; no notebook, no planted answer, no key."""
    names = zipfile.ZipFile(wheels[-1]).namelist()
    assert sorted(name for name in names if "exercises" in name) == [
        f"coursework/exercises/{name}/{part}.py" for name in NAMES for part in ("given", "questions")
    ]
    assert not [name for name in names if name.endswith(".ipynb") or "planted" in name]
    for wheel in wheels:  # one package each
        name, version = wheel.name.split("-")[:2]
        assert {place.split("/")[0] for place in zipfile.ZipFile(wheel).namelist()} == {
            name,
            f"{name}-{version}.dist-info",
        }


def test_an_installed_package_checks_every_assignment(wheels, tmp_path):
    """Far from the clone: begin, a law, a hint."""
    for wheel in wheels:
        zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    env = {"PYTHONPATH": str(tmp_path / "site"), "HOME": str(tmp_path)}
    argv = [sys.executable, "-c", AT_HOME, str(tmp_path / "site"), *NAMES]
    done = subprocess.run(argv, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "gravity: At rest the torque should equal dU/dq." in done.stdout and "hint 1 of 3" in done.stdout


ALONE = """
import sys
class Missing:  # as where they are not installed
    def find_spec(name, path=None, target=None):
        if name.split(".")[0] in ("coursework", "movingfigures"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name.split(".")[0])
sys.meta_path.insert(0, Missing)
import robotdyn as rd
for ask in (lambda: rd.check, lambda: rd.show.explore, lambda: rd.show.Run):
    try:
        ask()
    except ModuleNotFoundError as error:
        print(error.name, error)
print(rd.show.draw_arm.__name__, rd.inverse_dynamics(rd.robots.two_link(), [0, 0], [0, 0], [0, 0]).shape)
"""


def test_the_library_alone_says_what_to_install():
    """`rd.check` and the moving figures are other packages; all else works without them."""
    done = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=True)
    check, explore, run, rest = done.stdout.splitlines()
    assert check.startswith("coursework rd.check needs the package coursework, ") and "robotdyn[course]" in check
    assert explore.startswith("movingfigures rd.show.explore needs the package movingfigures, ")
    assert run.startswith("movingfigures rd.show.Run ") and "robotdyn[figures]" in run
    assert rest == "draw_arm (2,)"
