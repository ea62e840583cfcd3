"""A moving figure says what it cannot be, gives each reader the face that works, and keeps its values straight."""

import re
import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
import sympy as sp
from figures import MODULES, kinds

import robotdyn as rd
from movingfigures import Run, explore, replay
from movingfigures.sliders import round_step

RODS = rd.robots.uniform_two_link(symbolic=True)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"parameters": {"m_3": 1}}, "parameters must name what the figure can change .*m_1.*tau_1.*qd_2.*got 'm_3'"),
        ({"parameters": {"tau_3": 1}}, "got 'tau_3'"),
        ({"parameters": {"g": "much"}}, "g must be a number, or .low, high, start. for a slider, got 'much'"),
        ({"parameters": {"g": (0, 5)}}, "g must be a number, or .low, high, start. for a slider"),
        ({"parameters": {"g": (0, 5, 9)}}, "g must have low <= start <= high"),
        ({"parameters": {"g": (0, float("nan"), 1)}}, "g must be a finite number"),
        ({"parameters": {"m_1": (-1, 5, 1)}}, "m_1 must be >= 0, got a slider from -1"),
        ({"parameters": {"k": 5}}, "parameters must name what the figure can change .*got 'k'"),
        ({"goal": [0, 0], "parameters": {"w": (-1, 2, 1)}}, "w must be >= 0, got a slider from -1"),
        ({"goal": [0, 0, 0]}, r"goal must have shape \(2,\)"),
        ({"goal": [0, 0], "runs": rd.show.Run(torques="absolute")}, 'torques must be "joint" where goal is given'),
        ({"panels": ["energie"]}, "panels must hold words of energy, .*got 'energie'"),
        ({"marks": "tail"}, "marks must hold words of trail, .*got 'tail'"),
        ({"runs": []}, "runs must be one or two"),
        ({"runs": [Run(), Run()]}, "each of two runs must have a label"),
        ({"runs": [Run(method="rk5")]}, "method must be one of euler, semi-implicit, rk4, got 'rk5'"),
        ({"runs": [Run(torques="none")]}, "torques must be one of joint, compensated, absolute, got 'none'"),
        ({"limits": {5: (0, 1)}}, "limits must name joints from 0 to 1, got 5"),
        ({"limits": {1: (1, 0)}}, "limits must be pairs .low, high. with low < high"),
        ({"q": [1, 2, 3]}, r"q must have shape \(2,\)"),
        ({"q": [np.nan, 0]}, "q must"),
        ({"dt": 0}, "dt must be > 0 s"),
        ({"equation": ["inertia", "weight"]}, "equation must hold words of inertia, .*hand, got 'weight'"),
        ({"equation": ["inertia", "gravity"]}, "equation must name terms of its left side, then of its right side"),
        ({"equation": ["torque", "inertia"]}, "then of its right side, each once"),
        ({"equation": ["inertia", "friction"], "limits": {0: (0, 1)}}, 'must hold "torque" where joints have limits'),
        ({"panels": ["sensitivity"]}, '"sensitivity" only with digit'),
        ({"panels": ["parting"]}, '"sensitivity" only with digit'),  # the old name of the same panel
        ({"pairs": [("m_1", "m_2")]}, r"pairs must hold two names each of m_1 c_1x, .*I_2zz, got \('m_1', 'm_2'\)"),
        (
            {"pairs": [("m_2", "I_2zz")], "runs": [Run("a"), Run("b")]},
            "pairs must be at most 3, of one run, got 1 and 2",
        ),
        ({"digit": 3}, "digit needs two runs without starts of their own"),
        ({"digit": 0, "runs": [Run("a"), Run("b")]}, "digit must be a whole number from 1 to 12, got 0"),
        ({"pose": "my pose"}, "pose must be a name as Python has it, such as q, got 'my pose'"),
        ({"digit": 3, "runs": [Run("a"), Run("b", q=[1, 1])]}, "digit needs two runs without starts"),
    ],
)
def test_what_cannot_be_is_told(options, sentence):
    """In one sentence, with the rule and what was given."""
    with pytest.raises(ValueError, match=sentence):
        explore(RODS, **options)


@pytest.mark.parametrize("limits", ["x", 5, [1, 2]])
def test_limits_that_are_no_pairs_are_told(limits):
    """In a sentence; pairs of joint and limits are what a dict of them is."""
    with pytest.raises(TypeError, match=r"limits must be \{joint: \(low, high\)\}, got "):
        explore(RODS, limits=limits)
    with pytest.raises(ValueError, match=r"limits must be pairs \(low, high\) with low < high, got 3"):
        explore(RODS, limits={0: 3})
    named, paired = (explore(RODS, limits=one).spec["joints"] for one in ({0: (-1, 1)}, [(0, (-1, 1))]))
    assert named == paired


def test_a_panel_that_is_no_word_is_told():
    """In the sentence of an unknown word."""
    with pytest.raises(ValueError, match=r"panels must hold words of energy, .*, got \['energy'\]"):
        explore(RODS, panels=[["energy"]])


def test_what_is_no_arm_or_no_motion_is_told():
    """An arm is asked for, a map needs two joints, stored motions need samples."""
    with pytest.raises(TypeError, match="arm"):
        explore("arm")
    with pytest.raises(ValueError, match="2 joints only, got 3 joints"):
        explore(rd.robots.planar(3), panels=["map"])
    with pytest.raises(ValueError, match="at least one motion"):
        replay(rd.robots.planar(2), {}, 0.01)
    with pytest.raises(ValueError, match="a motion must hold q"):
        replay(rd.robots.planar(2), {"a": (np.zeros((5, 2)), np.zeros((3, 2)))}, 0.01)
    with pytest.raises(ValueError, match=r"target must have shape \(2,\)"):
        rd.show.reach(rd.robots.planar(2), [0, 0], [1.0])
    with pytest.raises(ValueError, match="effort must be > 0"):
        rd.show.reach(rd.robots.planar(2), [0, 0], [1.0, 0.5], effort=0)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"sides": (1, 1)}, r"sides must have shape \(3,\)"),
        ({"sides": (1, 0, 1)}, "sides must be > 0 m, got .*no box"),
        ({"mass": 0}, "mass must be > 0 kg"),
        ({"omega": (0, 0, 0)}, "omega must not be 0 and hold at most 15 rad/s about each axis"),
        ({"omega": (0, 99, 0)}, r"at most 15 rad/s about each axis, got \[0.0, 99.0, 0.0\]"),
    ],
)
def test_a_box_that_cannot_be_tossed_is_told(given, sentence):
    """In one sentence; and a box is no arm."""
    with pytest.raises(ValueError, match=sentence):
        rd.show.toss(**given)
    with pytest.raises(AttributeError, match=r"figure\.body"):
        _ = rd.show.toss().arm


def test_sweeps_that_cannot_be_are_told():
    """An arm of numbers is asked for, and as many entries as it has joints; sliders set its pose from Python, too."""
    puma = rd.robots.puma560()
    with pytest.raises(TypeError, match="arm"):
        rd.show.sweeps("arm", [0])
    with pytest.raises(ValueError, match=r"q must have shape \(6,\)"):
        rd.show.sweeps(puma, [0, 1])
    with pytest.raises(ValueError, match=r"qdd must have shape \(6,\)"):
        rd.show.sweeps(puma, np.zeros(6), qdd=[1])
    with pytest.raises((TypeError, ValueError), match=r"symbol|number"):
        rd.show.sweeps(RODS, [0, 1])
    figure = rd.show.sweeps(puma, np.zeros(6))
    known = plt.get_fignums()
    figure.html()
    assert plt.get_fignums() == known  # a picture that pyplot knows would stand on the page as well
    figure.set(q_2=0.7)
    assert figure.q[1] == 0.7 and figure.values["q_2"] == 0.7
    with pytest.raises(ValueError, match="speed must be a number from -2 to 2"):
        figure.set(speed=3)


@pytest.mark.parametrize("name", kinds())
def test_a_picture_for_print_is_shown_once(name):
    """It is a part of the figure's output alone: Matplotlib is left with nothing that a notebook would show below it."""
    before = plt.get_fignums()
    figure = kinds()[name]
    assert figure._png()[:4] == b"\x89PNG" and plt.get_fignums() == before
    ax = plt.figure().subplots()
    assert figure.picture(ax) is ax and (ax.lines or ax.patches)
    plt.close("all")


def test_values_are_checked_and_reach_the_arm():
    """set() refuses what the sliders would refuse; arm, q and the next picture follow."""
    figure = explore(RODS, parameters={"m_2": (0.2, 5, 1), "g": 3.0})
    figure.set(m_2=4, q=[0.1, 0.2])
    assert figure.values == {"m_2": 4.0} and figure.arm.links[1].mass == 4 and figure.arm.gravity[1] == -3
    assert figure.q.tolist() == [0.1, 0.2] and figure.qd.tolist() == [0, 0] and figure.t == 0
    assert '"q": [0.1, 0.2]' in figure.html()
    for wrong in ({"m_2": 9}, {"m_2": float("nan")}, {"m_2": "x"}, {"m_1": 1}, {"q": [1]}):
        with pytest.raises(ValueError, match=r"must|sliders"):
            figure.set(**wrong)
    assert figure.values == {"m_2": 4.0}


def test_sliders_are_told_in_the_units_of_their_joint():
    """A torque at a hinge and at a screw, a force at a slide; a pitch; friction of every joint in the units of all."""
    kinds = {"revolute": 0, "prismatic": 0, "screw": sp.Symbol("h_3")}
    links = [rd.Link(1, inertia=np.eye(3), joint=joint, pitch=pitch) for joint, pitch in kinds.items()]
    sliders = {
        **{f"{letter}_{i}": (0, 1, 0) for letter in ("tau", "b") for i in (1, 2, 3)},
        "b": (0, 1, 0),
        "h_3": (0, 1, 0),
    }
    told = {s["name"]: (s["words"], s["unit"]) for s in explore(rd.Arm(links), parameters=sliders).spec["sliders"]}
    assert told["tau_1"] == ("torque of joint 1", "N m") and told["b_1"] == ("friction of joint 1", "N m s/rad")
    assert told["tau_2"] == ("force of joint 2", "N") and told["b_2"] == ("friction of joint 2", "N s/m")
    assert told["tau_3"] == ("torque of joint 3", "N m") and told["h_3"] == ("pitch of joint 3", "m/rad")
    assert told["b"] == ("friction of every joint", "N m s/rad, N s/m")


def test_a_slider_has_a_hundred_stops_or_two():
    """From one end to the other exactly, in 80 to 200 steps of the fewest digits that do it."""
    ranges = {(0, 1): 0.01, (-6, 6): 0.1, (0.2, 5): 0.05, (0.001, 0.05): 0.0005, (0, 9.81): 0.09, (0, 60): 0.5}
    for (low, high), step in ranges.items():
        assert round_step(low, high) == step
    for figure in kinds().values():
        for slider in figure.spec["sliders"]:
            stops = (slider["high"] - slider["low"]) / slider["step"]
            assert 79.99 < stops < 200.01 and abs(stops - round(stops)) < 1e-6, slider["name"]


def test_a_rate_that_is_set_is_where_the_motion_starts():
    """In the page, in Python after set(), and in the picture for print."""
    figure = explore(RODS, [0.3, 1.0], parameters={"qd_1": (-6, 6, 2.0), "qd_2": -1.0})
    assert figure.spec["start"]["qd"] == [2.0, -1.0] and figure.fall([0, 0.1]).qd[0].tolist() == [2.0, -1.0]
    figure.set(qd_1=3)
    assert figure.qd.tolist() == [3.0, -1.0] and '"qd": [3.0, -1.0]' in figure.html()


@pytest.mark.parametrize("own", [{}, {"q": [1.0, -0.5]}, {"qd": [0.5, 0.25]}, {"q": [1.0, -0.5], "qd": [0.5, 0.25]}])
def test_a_run_starts_as_it_says_and_else_as_the_others(own):
    """Its own angles, or rates, or both; what it leaves open is the start of the figure."""
    start = {"q": [0.3, 1.0], "qd": [2.0, -1.0]}
    figure = explore(RODS, **start, runs=[Run(label="one"), Run(label="other", **own)])
    one, other = figure.spec["runs"]
    assert one["start"] is None and (start if other["start"] is None else other["start"]) == start | own


def test_the_page_has_every_number_that_has_no_slider():
    """Torques, friction, springs and the share of the weight, as they were given, or as they usually are."""
    names = {"k", "w", "tau_1", "tau_2", "b", "b_1", "b_2"}
    usual = {"k": 50.0, "w": 1.0}
    for given in ({}, {"w": 0.5}, {"k": 60.0, "w": 0.25, "tau_1": 1.5, "b_2": 0.3}, {"k": (1, 9, 3), "b": 0.7}):
        figure = explore(RODS, goal=[0.2, 0.8], parameters=given)
        numbers = {name: value for name, value in (usual | given).items() if not isinstance(value, tuple)}
        fixed = {name: value for name, value in figure.spec["fixed"].items() if name in numbers or value != 0}
        assert fixed == numbers and set(figure.spec["fixed"]) <= names
        sliders = {slider["name"] for slider in figure.spec["sliders"]}
        assert set(usual) <= sliders | set(figure.spec["fixed"]) and not sliders & set(figure.spec["fixed"])


def test_friction_of_one_joint_is_its_own():
    """Beside the friction of all joints, whichever is told first: as the page has it, so fall() and the picture."""
    t = np.linspace(0, 0.5, 11)
    free = rd.forces.viscous([0.1, 0.8])
    for given in (
        {"b": 0.1, "b_2": 0.8},
        {"b_2": 0.8, "b": 0.1},
        {"b_1": 0.1, "b_2": 0.8},
        {"b": (0, 1, 0.1), "b_2": 0.8},
    ):
        figure = explore(RODS, [0.3, 1.0], parameters=given | {"qd_2": 2.0})
        known = rd.simulate(figure.arm, [0.3, 1.0], [0.0, 2.0], free, t)
        assert np.allclose(figure.fall(t).q, known.q, rtol=1e-12, atol=1e-12), given


def test_both_faces_and_a_picture(monkeypatch):
    """A notebook gets a widget, HTML and a picture; where no kernel will listen, or without anywidget, the last two."""
    figure = explore(RODS)
    everything = {"text/plain", "text/html", "image/svg+xml", "image/png", "application/vnd.jupyter.widget-view+json"}
    assert set(figure._repr_mimebundle_()) == everything
    monkeypatch.setenv("ROBOTDYN_LIVE", "0")
    assert set(explore(RODS)._repr_mimebundle_()) == everything - {"application/vnd.jupyter.widget-view+json"}
    monkeypatch.delenv("ROBOTDYN_LIVE")
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "movingfigures.widget", raising=False)
    assert set(explore(RODS)._repr_mimebundle_()) == everything - {"application/vnd.jupyter.widget-view+json"}
    bundle = figure._repr_mimebundle_()
    assert bundle["image/png"].startswith(b"\x89PNG") and bundle["image/svg+xml"].count("<path") > 20


def test_a_page_is_the_same_whenever_it_is_built():
    """The HTML of a figure does not depend on the order in which Python keeps sets and dictionaries."""
    code = (
        "import robotdyn as rd; f = rd.show.explore(rd.robots.planar(3, symbolic=True), parameters={'g': (0, 9, 1)}); "
    )
    code += "import hashlib; print(hashlib.sha256(f.html().encode()).hexdigest())"
    found = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


def test_no_physics_is_written_by_hand():
    """The scripts of the figures hold no weight and no sine of a joint: these come from the library."""
    modules = sorted(MODULES.glob("*.js"))
    assert len(modules) > 20
    for part in modules:
        text = re.sub(r"//.*", "", part.read_text(encoding="utf8"))
        assert not re.search(r"9\.81|Math\.(sin|cos)\((q|run)", text), part
