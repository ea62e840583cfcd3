"""Moving figures in space, in a browser: a box to throw, the sweeps of Newton and Euler, the effective mass of a hand."""

import functools
import json

import numpy as np
import pytest
from figure_pages import FIGURE, ask, press, until, wait
from figures import kinds

import robotdyn as rd

pytestmark = pytest.mark.slow
KINDS = kinds()


def pinned(view, place, selector=".rd-stage canvas", camera="f.stages[0].camera"):
    """Where a place in space is on the screen."""
    x, y = ask(view, f"{camera}.pixels({json.dumps(list(place))})")
    box = view.locator(selector).bounding_box()
    return box["x"] + x, box["y"] + y


def goes_around(view, x, y, unchanged):
    """Drag from a place of the stage where nothing is: the camera goes around the scene, and what is named stays as it is."""
    before, azimuth = ask(view, f"[{unchanged}, f.stages[0].camera.azimuth]")
    box = view.locator(".rd-stage canvas").bounding_box()
    view.mouse.move(box["x"] + x, box["y"] + y)
    view.mouse.down()
    view.mouse.move(box["x"] + x + 60, box["y"] + y, steps=3)
    view.mouse.up()
    assert ask(view, unchanged) == before and ask(view, "f.stages[0].camera.azimuth") < azimuth - 0.3


def test_a_box_in_the_page_turns_as_in_python(shown):
    """After seconds of play its rotation and its rates are those of `rd.tumble`; its momentum stands still in space."""
    figure = KINDS["toss"]
    view = shown(figure)
    press(view, "Play")
    until(view, "f.runs[0].t > 2.6")
    press(view, "Pause")
    t, q, qd, now, first = ask(
        view, "[f.runs[0].t, f.runs[0].q, f.runs[0].qd, f.runs[0].inertialView(), f.runs[0].initial]"
    )
    start = rd.rotations.exp(figure.q)
    known = rd.tumble(figure.body, figure.qd, [0, t], start)
    assert known.omega[1][1] < 4, "by now it has begun to turn over"
    assert np.allclose(rd.rotations.exp(q), known.rotation[1], atol=1e-8) and np.allclose(qd, known.omega[1], atol=1e-8)
    assert np.allclose(now["L"], first["L"], rtol=0, atol=1e-11) and np.allclose(now["L"][:2], 0, atol=1e-11)


def test_a_box_is_thrown_by_the_hand(shown):
    """A flick to the right spins it about the upward direction of the picture; putting it down keeps its spin; beside it the camera moves."""
    view = shown(KINDS["toss"])
    flick = """() => { // 8 px every 10 ms, 60 ms after the hand took the box
      const f = FIGURE, stage = f.stages[0], at = k => ({ timeStamp: 1000 + 10 * k });
      stage.grasp([0, 0]);
      for (let k = 1; k <= 8; k++) stage.move([8 * k, 0], [8 * (k - 1), 0], at(k));
      stage.release([64, 0], at(8));
      f.play(false);
      return [8 / 0.01 / (stage.camera.scale * Math.hypot(...stage.half)), f.started];
    }"""
    rate, begun = view.evaluate(flick.replace("FIGURE", FIGURE))
    assert begun and np.isclose(np.linalg.norm(ask(view, "f.runs[0].qd")), min(rate, 15))
    x, y = pinned(view, [0, 0, 0])
    omega, up = ask(view, "[f.runs[0].initial.omega, f.stages[0].camera.up]")
    assert np.dot(omega, up) > 0.99 * np.linalg.norm(omega) > 1
    qd = ask(view, "f.runs[0].qd")
    view.mouse.move(x, y)
    view.mouse.down()
    view.mouse.move(x, y + 30, steps=3)
    wait(view, 150)
    pose = ask(view, "f.runs[0].q")
    view.mouse.up()
    assert np.allclose(ask(view, "f.runs[0].history.qd[0]"), qd) and np.linalg.norm(pose) > 0
    press(view, "Pause")
    goes_around(view, 20, 40, "f.runs[0].state")


@pytest.mark.parametrize("touch", [False, True])
def test_a_touch_of_the_sphere_tosses_the_box_about_that_axis(shown, touch):
    """With the same momentum, upright in space, and it plays; a drag over the sphere goes around it and tosses nothing."""
    view = shown(KINDS["toss"], **({"has_touch": True} if touch else {}))
    direction = np.array([0.5, 0.7, 0.5]) / np.sqrt(0.99)
    length = np.linalg.norm(ask(view, "f.runs[0].initial.L"))
    place = pinned(view, direction, ".rd-momentum canvas", "f.momentum.camera")
    (view.touchscreen.tap if touch else view.mouse.click)(*place)
    until(view, "f.playing")
    press(view, "Pause")
    body, space = ask(view, "[f.runs[0].history.L[0], f.runs[0].initial.L]")
    assert np.allclose(body, length * direction, atol=0.02 * length)
    assert np.allclose(space, [0, 0, length], atol=1e-9)
    if touch:
        return
    state = ask(view, "f.runs[0].state")
    view.mouse.move(*place)
    view.mouse.down()
    view.mouse.move(place[0] + 50, place[1], steps=4)
    view.mouse.up()
    assert ask(view, "f.runs[0].state") == state and ask(view, "!f.playing")


def test_the_keyboard_throws_a_box_and_goes_around_it(shown):
    """Digits toss it about its axes, nearly; arrows move the camera, in both pictures; space, S and R work; it is told."""
    view = shown(KINDS["toss"])
    for selector, camera in ((".rd-stage canvas", "f.stages[0].camera"), (".rd-momentum canvas", "f.momentum.camera")):
        canvas = view.locator(selector)
        before = ask(view, f"[{camera}.azimuth, {camera}.elevation]")
        canvas.press("ArrowLeft")
        canvas.press("ArrowUp")
        after = ask(view, f"[{camera}.azimuth, {camera}.elevation]")
        assert all(abs(np.subtract(after, before)) > 0.05)
        for k in range(3):
            canvas.press(str(k + 1))
            spin = ask(view, "f.runs[0].history.L[0]")
            assert np.argmax(spin) == k and ask(view, "f.playing")
        canvas.press(" ")
        assert ask(view, "!f.playing")
        canvas.press("s")
        assert ask(view, "f.runs[0].t > 0")
        canvas.press("r")
        assert ask(view, "f.runs[0].t") == 0 and np.allclose(ask(view, "f.runs[0].qd"), KINDS["toss"].qd)
    wait(view, 1100)
    said = view.locator(".rd-voice").inner_text()
    assert "rad/s in body axes, most about axis 2" in said and "kg m²/s" in said and "energy" in said


def test_newton_and_eulers_sweeps_are_gone_through_by_buttons(shown):
    """Outward over six links, inward over six joints, and back; what is told of a joint is what Python computes."""
    figure = KINDS["sweeps"]
    view = shown(figure)
    n = 6
    told = lambda: view.locator(".rd-readout").inner_text().replace("\xa0", " ")
    start = figure.spec["start"]["q"], *figure.spec["rates"].values()
    tau = rd.inverse_dynamics(figure.arm, *map(np.array, start))
    for i in range(n):
        press(view, "Next")
        until(view, f"f.readout.innerText.includes('Outward, link {i + 1} of 6')")
        assert "?" in told() or "acceleration of its center" in told()
    for i in reversed(range(n)):
        press(view, "Next")
        until(view, f"f.readout.innerText.includes('Inward, joint {i + 1} of 6')")
        shown_tau = float(told().split("τ = ")[1].split(" N m")[0].replace("−", "-"))
        assert abs(shown_tau - tau[i]) <= 0.051 if abs(tau[i]) > 9.995 else abs(shown_tau - tau[i]) <= 0.0051
    assert "all torques are known" in told()
    press(view, "Next")
    assert ask(view, "f.runs[0].t") == 2 * n, "nothing comes after the first joint"
    press(view, "Back")
    canvas = view.locator(".rd-stage canvas")
    canvas.press("b")
    assert ask(view, "f.runs[0].link") == 2
    canvas.press("s")
    assert ask(view, "f.runs[0].link") == 1
    wait(view, 1100)
    assert "Inward, joint 2 of 6" in view.locator(".rd-voice").inner_text()
    view.locator("input[data-name=speed]").press("Home")
    arm = figure.arm
    q, qd, qdd = map(np.array, start)
    assert np.allclose(
        ask(view, "f.runs[0].forcesAndMoments().tau"), rd.inverse_dynamics(arm, q, -2 * qd, qdd), rtol=1e-9
    )
    assert ask(view, "f.runs[0].stage") == 2 * n - 1, "a slider keeps the stage"


@pytest.mark.parametrize("touch", [False, True])
def test_an_arm_in_space_is_dragged(shown, touch):
    """The point that is held follows mouse or finger, the sliders follow the joints; a drag beside it goes around it."""
    options = {"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 800}} if touch else {}
    view = shown(KINDS["sweeps"], **options)
    hand = "f.runs[0].points().ends.at(-1)"
    x, y = pinned(view, ask(view, hand))
    if touch:
        send = functools.partial(view.context.new_cdp_session(view).send, "Input.dispatchTouchEvent")
        send({"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for k in range(6):
            send({"type": "touchMove", "touchPoints": [{"x": x - 10 * k, "y": y - 6 * k}]})
        send({"type": "touchEnd", "touchPoints": []})
    else:
        view.mouse.move(x, y)
        view.mouse.down()
        view.mouse.move(x - 50, y - 30, steps=6)
        view.mouse.up()
    wait(view, 50)
    assert np.allclose(pinned(view, ask(view, hand)), (x - 50, y - 30), atol=2)
    sliders = [float(field.input_value()) for field in view.locator(".rd-slider .rd-exact input").all()[:6]]
    assert np.allclose(sliders, ask(view, "f.runs[0].q"), atol=1e-3)
    if touch:
        return
    goes_around(view, 10, 10, "f.runs[0].q")
    view.locator("input[data-name=q_1]").press("Home")
    assert np.isclose(ask(view, "f.runs[0].q[0]"), -np.pi)


def test_the_hand_of_an_arm_says_how_heavy_it_is(shown):
    """In each pose it has the principal masses of Python; it glides toward the stretched arm, where it gets heavy, and back."""
    figure = KINDS["pushes"]
    view = shown(figure)
    arm = figure.arm

    def masses():
        q, found = ask(view, "[f.runs[0].q, f.runs[0].tipMobility()]")
        values, axes = np.linalg.eigh(rd.effective_inertia(arm, np.array(q)))
        assert np.allclose(found["place"], rd.point_position(arm, np.array(q)), atol=1e-9)
        assert np.allclose(found["masses"], values[::-1], rtol=1e-6)
        assert np.allclose(np.abs(np.sum(np.array(found["axes"]) * axes.T[::-1], axis=1)), 1, atol=1e-6)
        return values

    first = masses()
    press(view, "Play")
    until(view, "f.runs[0].t > 2.5")
    press(view, "Pause")
    assert masses()[-1] > 1.5 * first[-1]
    view.locator("input[data-name=q_4]").press("End")
    wait(view, 50)
    last = masses()
    told = view.locator(".rd-readout").inner_text().replace("\xa0", " ")
    heaviest, lightest = (f"{mass:#.3g}".rstrip(".") for mass in (last[-1], last[0]))  # 12.0, as the page prints it
    assert f"heaviest {heaviest} kg" in told and f"lightest {lightest} kg" in told
    wait(view, 1100)
    press(view, "Step")
    wait(view, 1100)
    assert "heaviest" in view.locator(".rd-voice").inner_text()


def test_a_hand_that_cannot_be_pushed_weighs_infinitely_much(shown):
    """A planar arm has no way out of its plane, and a stretched one none along itself."""
    view = shown(rd.show.pushes(rd.robots.planar(2), [0.4, 0.0]))
    values = ask(view, "f.runs[0].tipMobility().values")
    assert np.allclose(values[:2], 0, atol=1e-12 * values[2])
    assert view.locator(".rd-readout").inner_text().count("∞ kg") == 2


def test_every_solution_of_a_hand_that_is_dragged(shown):
    """Both elbows are those of Python, within the limits and beyond; out of reach it says how far; F takes the other elbow."""
    figure = KINDS["branches"]
    view = shown(figure)
    for place in ([0.6, 0.2], [-0.3, 0.4], [0.1, -0.5], [-0.7, 0.1]):
        found = ask(view, f"(f.runs[0].aim({place}), f.runs[0].found)")
        inside = [solution["q"] for solution in found["solutions"] if solution["within"]]
        known = figure.solutions(place)
        assert len(inside) == len(known) and found["gap"] == 0
        assert np.allclose(inside, known, atol=1e-9) if len(known) else not inside
        assert ask(view, f"f.runs[0].count({place})") == len(known)
        ends = ask(view, "f.runs[0].found.solutions.map(s => f.runs[0].points(s.q).ends[2])")
        assert np.allclose(ends, [place, place], atol=1e-12)
    far = [2.0, 0.0]
    gap = ask(view, f"(f.runs[0].aim({far}), f.requestFrame(), f.runs[0].found.gap)")
    w = np.array(far) - 0.15 * np.array([np.cos(0.4), np.sin(0.4)])
    assert np.isclose(gap, np.linalg.norm(w) - 0.9)
    wait(view, 50)
    assert f"out of reach by {gap:.2f} m" in view.locator(".rd-readout").inner_text().replace("\xa0", " ")
    press(view, "Restart")
    q = ask(view, "f.runs[0].q")
    view.locator(".rd-stage canvas").press("f")
    assert not np.allclose(ask(view, "f.runs[0].q"), q) and ask(view, "f.runs[0].elbow") == 1
    box = view.locator(".rd-stage canvas").bounding_box()
    view.mouse.move(box["x"] + box["width"] / 2 + 60, box["y"] + box["height"] / 2 - 70)
    view.mouse.down()
    view.mouse.move(box["x"] + box["width"] / 2 + 80, box["y"] + box["height"] / 2 - 20, steps=4)
    view.mouse.up()
    x, y = ask(view, "f.stages[0].pixels(f.runs[0].place)")
    assert np.allclose((x, y), (box["width"] / 2 + 80, box["height"] / 2 - 20), atol=2)


def test_branches_that_cannot_be_are_told():
    """An arm that is not planar, a direction beyond a half turn."""
    with pytest.raises(ValueError, match=r"branches needs a planar arm of three links along x"):
        rd.show.branches(rd.robots.puma560(), (0.5, 0.3))
    with pytest.raises(ValueError, match=r"direction and limit must be angles of at most pi, got 4 and 3.142"):
        rd.show.branches(rd.robots.planar(3), (0.5, 0.3), 4.0)


def test_a_hand_that_follows(shown):
    """Rounds of the square leave the joints where Python says; a target that is dragged is reached; out of reach it says how far."""
    figure = KINDS["follow"]
    view = shown(figure)
    known = figure.rounds(2)
    steps = round(4 * figure.spec["side_time"] / figure.spec["dt"])
    go = f"(() => {{ for (let i = 0; i < {steps}; i++) f.runs[0].step(f.dt); return f.runs[0].q; }})()"
    assert np.allclose([ask(view, "f.runs[0].q"), ask(view, go), ask(view, go)], known, atol=1e-9)
    assert np.isclose(ask(view, "f.runs[0].gap"), abs(known[2] - known[1]).max())
    press(view, "Restart")
    assert np.allclose(ask(view, "f.runs[0].q"), known[0]) and ask(view, "f.runs[0].count") == 0
    rest = "(() => {{ f.runs[0].aim({}); for (let i = 0; i < 800; i++) f.runs[0].iterate(); f.requestFrame(); return f.runs[0].hand(); }})()"
    assert np.allclose(ask(view, rest.format([0.2, -0.6])), [0.2, -0.6], atol=1e-4)
    far = np.array(ask(view, rest.format([2.0, 0.0])))
    assert np.linalg.norm(far) < 1.2 + 1e-9 and np.linalg.norm(far - [1.2, 0]) < 0.05
    wait(view, 50)
    assert "mm from the target" in view.locator(".rd-readout").inner_text().replace("\xa0", " ")
    ask(view, "(f.set('limit', 1.0), f.set('posture', 1.0), f.requestFrame())")
    ask(view, rest.format([0.2, -0.6]))
    assert max(map(abs, ask(view, "f.runs[0].q"))) <= 1.0


def test_a_pen_that_presses_slides_and_comes_off(shown):
    """Around the square the tip and its force are where Python says; the hand is at the tip; words tell stick, slide and no contact."""
    figure = KINDS["press"]
    view = shown(figure)
    steps = round(4 * figure.spec["side_time"] / figure.spec["dt"])
    rows = ask(
        view,
        f"(() => {{ const rows = []; for (let i = 0; i < {steps}; i++) {{ const run = f.runs[0]; run.step(f.dt); "
        "rows.push([...run.place, ...run.tip, ...run.force, ...run.hand(), run.contact()]); } f.requestFrame(); return rows; })()",
    )
    words = [row.pop() for row in rows]
    places, tips, forces, hands = np.split(np.array(rows), 4, axis=1)
    known_tips, known_forces = figure.forces(places)
    assert np.allclose(tips, known_tips, atol=1e-9) and np.allclose(forces, known_forces, atol=1e-7)
    assert np.abs(hands - tips).max() < 5e-3 and tips[:, 1].min() > figure.spec["height"] - 1e-12
    assert set(words) == {"no contact", "sticks", "slides"}
    assert [word == "no contact" for word in words] == (forces[:, 1] <= 0).tolist()
    press(view, "Restart")
    ask(view, "(f.runs[0].aim([0.5, -0.26]), f.requestFrame())")
    ask(view, "(() => { for (let i = 0; i < 200; i++) f.runs[0].iterate(); f.requestFrame(); })()")
    wait(view, 50)
    assert "table on pen: 18.0 N across" in view.locator(".rd-readout").inner_text().replace("\xa0", " ")


def test_a_pen_that_cannot_press_is_told():
    """An arm that is not planar, a tip below the table, springs and friction beyond their sliders."""
    arm = rd.robots.planar(3)
    for call, sentence in (
        (
            lambda: rd.show.press(rd.robots.puma560(), [0.1] * 6, 0),
            "press needs a planar arm of two or more hinges about z",
        ),
        (lambda: rd.show.press(arm, [0.1] * 3, 5), "q must have its tip above the table at 5 m, got 0.59"),
        (lambda: rd.show.press(arm, [0.1] * 3, 0, k_n=-3), "k_n must be from 50 to 1000, got -3"),
        (lambda: rd.show.press(arm, [0.1] * 3, 0, friction=3), "friction must be from 0 to 1.2, got 3"),
    ):
        with pytest.raises(ValueError, match=sentence):
            call()


def test_a_figure_that_cannot_follow_is_told():
    """An arm that is not planar, a gain that is none, a start beyond the limit."""
    arm = rd.robots.planar(3)
    for call, sentence in (
        (
            lambda: rd.show.follow(rd.robots.puma560(), [0.1] * 6),
            "follow needs a planar arm of two or more hinges about z",
        ),
        (lambda: rd.show.follow(arm, [0.1] * 3, gain=-1), "gain must be from 0 to 10, got -1"),
        (lambda: rd.show.follow(arm, [0.1] * 3, damping=0), "damping must be from 0.001 to 0.3, got 0"),
        (lambda: rd.show.follow(arm, [0.1, 2.0, 0], limit=1.5), "q must lie within the limit of 1.5 rad"),
        (lambda: rd.show.follow(arm, [0.1] * 3, side=0), "side must be > 0 m, got 0"),
        (lambda: rd.show.follow(arm, [0.1] * 2), "q must have shape \\(3,\\)"),
    ):
        with pytest.raises(ValueError, match=sentence):
            call()
