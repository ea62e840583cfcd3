"""Where bubblewrap is missing the run goes into a container, without network and with the sandbox inside: equal results."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import grading_kit
import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")

from coursework.__main__ import main
from coursework.grading import container


@pytest.mark.parametrize("engine", container.ENGINES)
def test_a_container_is_closed(engine, tmp_path):
    """No network, nothing to write but the course, no capability, an ordinary user, as many processes as it needs."""
    words = " ".join(container.command(engine, tmp_path, "an-image", ["two-link", "--again"], (1234, 5)))
    for part in ("--network none", "--read-only", "--cap-drop all", "--pids-limit", "--user 1234:5"):
        assert part in words
    assert words.count("--volume") == 1 and f"--volume {tmp_path}:/course" in words and "privileged" not in words
    assert words.endswith("an-image python3 -m coursework run --course /course two-link --again")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--container", ""], "must name an image"),
        (["--container", "x", "--scheduler", "tcp://a:1"], "must stand without --scheduler"),
        (["--container", "x"], "there is no course"),
    ],
)
def test_a_container_that_cannot_be_says_why(words, reason, tmp_path, capsys, monkeypatch):
    """In a sentence, before anything starts."""
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert main(["run", "two-link", "--course", str(tmp_path / "none"), *words]) == 1
    assert reason in capsys.readouterr().err


def test_no_engine_is_named(tmp_path, capsys, monkeypatch):
    """With what to install."""
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert main(["run", "two-link", "--course", str(tmp_path), "--container", "x"]) == 1
    assert "install podman" in capsys.readouterr().err


def test_a_course_with_a_colon_in_its_path_is_refused(tmp_path, capsys, monkeypatch):
    """An engine would take what follows for another place in the container."""
    (tmp_path / "a:b").mkdir()
    (tmp_path / "a:b" / "course.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(subprocess, "run", lambda *given, **more: subprocess.CompletedProcess(given, 0))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    assert main(["run", "two-link", "--course", str(tmp_path / "a:b"), "--container", "x"]) == 1
    assert "must have no colon" in capsys.readouterr().err


def test_root_names_who_grades(tmp_path, capsys, monkeypatch):
    """Root may start the container, as Docker often wants it, but not grade in it."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert main(["run", "two-link", "--course", str(tmp_path), "--container", "x"]) == 1
    assert "--user NAME" in capsys.readouterr().err


@pytest.mark.parametrize(("me", "user", "needed"), [(0, "nobody", False), (1000, None, True)])
def test_a_rootless_container_needs_newuidmap(me, user, needed, tmp_path, monkeypatch):
    """Who starts it as root does not, whoever grades in it; an ordinary user is told its name."""
    (tmp_path / "course.json").touch()
    for name in ("getuid", "geteuid"):
        monkeypatch.setattr(os, name, lambda: me)
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/podman" if name == "podman" else None)
    monkeypatch.setattr(subprocess, "run", lambda argv, check: subprocess.CompletedProcess(argv, 0))
    if needed:
        with pytest.raises(ValueError, match="newuidmap"):
            container.run(tmp_path, "an-image", ["two-link"], user)
    else:
        assert container.run(tmp_path, "an-image", ["two-link"], user) == 0


def test_an_image_holds_the_library_and_no_course():
    """The guide copies what the installation needs; the whole clone may hold keys, uploads and grades."""
    guide = (grading_kit.ROOT / "book" / "grading.md").read_text(encoding="utf8")
    copied = {word for line in re.findall(r"^COPY (.*) \S+$", guide, re.M) for word in line.split()}
    installed = set(re.findall(r"/src/(packages/\w+)", re.search(r"^RUN pip (.*)$", guide, re.M)[1]))
    project = tomllib.loads((grading_kit.ROOT / "pyproject.toml").read_text(encoding="utf8"))
    shipped = {place.strip("/") for place in project["tool"]["hatch"]["build"]["targets"]["wheel"]["include"]}
    described = {project["project"]["readme"], *project["project"]["license-files"]}
    assert installed == {"packages/movingfigures", "packages/coursework"}
    assert copied == {"pyproject.toml", "exercises", *described, *shipped, *installed}


@pytest.fixture
def image():
    """This machine's system and interpreter as a container, by mounts: no registry is asked for an image."""
    if shutil.which("podman") is None:
        pytest.skip("podman is not installed: apt install podman")
    trouble = grading_kit.sandbox_trouble()
    if trouble:
        pytest.skip(trouble)
    folder = grading_kit.owned_folder()
    root = folder / "root"
    for name in ("usr", "etc", "proc", "sys", "dev", "tmp", "course"):
        (root / name).mkdir(parents=True)
    (root / "tmp").chmod(0o1777)
    for name in ("bin", "sbin", "lib", "lib64"):
        (root / name).symlink_to(f"usr/{name}")
    for name in ("passwd", "group", "ld.so.cache"):
        shutil.copy(f"/etc/{name}", root / "etc" / name)
    shown = {Path("/usr"), Path(sys.prefix), Path(sys.base_prefix), grading_kit.ROOT}
    mounts = [f"--volume {path}:{path}:ro" for path in sorted(shown) if path == Path("/usr") or path.parts[1] != "usr"]
    path = f"--env PATH={Path(sys.executable).parent}:/usr/bin --env PYTHONPATH={grading_kit.PYTHONPATH}"
    words = " ".join([*mounts, path, "--ulimit nofile=1024:1024 --ulimit nproc=4096:4096 --rootfs", str(root)])
    probe = ["podman", *container.RUN_OPTIONS, *shlex.split(words), "true"]
    done = subprocess.run(probe, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        shutil.rmtree(folder, ignore_errors=True)
        pytest.skip(f"podman starts no container here: {done.stderr.strip()[-200:]}")
    yield words
    shutil.rmtree(folder, ignore_errors=True)


ASKS = """
import socket, os
found = []
try:
    socket.create_connection(("192.0.2.1", 80), 2)
    found.append("network")
except OSError:
    pass
for place in ("/course", "/usr/new", "/etc/passwd"):
    if place == "/course" and os.path.exists(place):
        found.append(place)
    try:
        open(place, "ab").close()
        found.append(place)
    except OSError:
        pass
print("found:", found)
"""


@pytest.mark.slow
def test_a_run_in_a_container_is_the_same_run(image):
    """The same verdicts as here; a notebook finds no network, no course and nothing that it can write to."""
    course = grading_kit.Class()
    try:
        asks = grading_kit.with_cell("gravity", ASKS)
        course.take({"ada/x.ipynb": asks, "bob/x.ipynb": grading_kit.with_answer("gravity", "G = [g, g]")})
        course("run", "two-link", "--workers", "1")
        here = {name: (one["state"], one["verdicts"]) for name, one in course.by_student().items()}
        shutil.rmtree(course.folder / "course/results/two-link")
        user = ["--user", os.environ.get("ROBOTDYN_TEST_USER", "nobody")] if os.geteuid() == 0 else []
        argv = course.argv("run", "two-link", "--workers", "1", "--container", image, *user)
        done = subprocess.run(list(map(str, argv)), capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0 and "2 graded" in done.stdout, done.stdout + done.stderr
        assert {name: (one["state"], one["verdicts"]) for name, one in course.by_student().items()} == here
        cells = json.loads(course.by_student()["ada"]["notebook"])["cells"]
        assert "found: []" in json.dumps([cell.get("outputs") for cell in cells])
    finally:
        course.remove()
