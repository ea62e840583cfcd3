"""The program of the page "The way, on one page": it runs, and each step does what its line says."""

import re

import numpy as np

import robotdyn as rd
from bookbuild import lint

PAGE = (lint.ROOT / "book" / "the-way.md").read_text(encoding="utf8")


def test_one_arm_goes_all_the_way(capsys):
    """Both poses reach their places, the rates move the hand as asked, motors stay within their limits, the motion ends at its place."""
    names = {}
    exec(re.search(r"```python\n(.*?)```", PAGE, re.S)[1], names)
    assert len(capsys.readouterr().out.splitlines()) == 2
    arm, poses = names["arm"], names["poses"]
    for q, place in zip(poses, (names["start"], names["end"])):
        assert abs(rd.point_position(arm, q) - place).max() < 1e-12
    assert abs(rd.tip_jacobian(arm, poses[0])[:2] @ names["rates"] - [0, -0.1]).max() < 1e-12
    fast, run = names["fast"], names["run"]
    tau = rd.inverse_dynamics(arm, *fast(np.linspace(0, fast.duration, 501)))
    assert (abs(tau) < 1.01 * np.array([15, 6])).all()
    assert abs(rd.point_position(arm, run.q[-1]) - names["end"]).max() < 1e-3
    assert abs(run.q[0] - poses[0]).max() > 0.01


def test_the_program_names_the_steps_of_the_page():
    """Each number behind a line is that of a section."""
    sections = {int(n) for n in re.findall(r"^## (\d+)\. ", PAGE, re.M)}
    program = re.search(r"```python\n(.*?)```", PAGE, re.S)[1]
    comments = " ".join(re.findall(r"# (.*?):", program))
    named = {int(n) for n in re.findall(r"(\d+), ", comments)}
    others = {int(n) for n in re.findall(r"\d+", re.search(r"^Steps (.*?) ask other", PAGE, re.M)[1])}
    assert named | others == sections
    assert not named & others
