"""Moving figures in a browser: they move, obey their sliders and the hand, and tell what they show."""

import functools
import json

import numpy as np
import pytest
from figure_pages import FIGURE, ask, on_screen, press, tip, until, wait
from figures import kinds

import robotdyn as rd
from movingfigures import explore

pytestmark = pytest.mark.slow
KINDS = kinds()
IN_SPACE = [name for name in KINDS if "scene" in KINDS[name].spec]
DRIVEN = [name for name in KINDS if name not in ("stored", "reach", "learner", *IN_SPACE)]


PAINTED = """canvas => {
  const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  return data.some((v, k) => k % 4 === 3 && v > 0);
}"""


@pytest.mark.parametrize("name", KINDS)
def test_it_is_seen_and_moves_and_stops(shown, name):
    """Every canvas is painted; Play moves the arm, Pause holds it, Restart brings it back, Step moves it a little."""
    view = shown(KINDS[name])
    canvases = view.locator(".rd-figure canvas")
    stages = 1 if KINDS[name].spec.get("digit") else len(KINDS[name].spec["runs"])  # two arms that part share one
    assert canvases.count() == stages + len(KINDS[name].spec["panels"])
    for canvas in canvases.all():
        assert canvas.is_visible() and canvas.evaluate(PAINTED)
        assert canvas.get_attribute("aria-label")
    assert not ask(view, "f.playing"), "a figure waits until the reader has thought"
    states = "f.runs.map(run => [...run.state, run.t])"
    start, pose = ask(view, f"[{states}, f.runs.map(run => run.q)]")
    press(view, "Play")
    until(view, "f.runs.every(run => run.t > 0.3)")
    press(view, "Pause")
    held = ask(view, states)
    assert not np.allclose(start, held)
    wait(view, 250)
    assert ask(view, states) == held
    assert "NaN" not in view.locator(".rd-figure").inner_text()
    press(view, "Restart")
    assert np.allclose(ask(view, "f.runs.map(run => run.q)"), pose)
    stages = KINDS[name].spec.get("scene") == "newton_euler"
    press(view, "Next" if stages else "Step")
    assert 0 < ask(view, "f.runs[0].t") < (1.1 if stages else 0.11) and not ask(view, "f.playing")


@pytest.mark.parametrize("name", DRIVEN)
def test_sliders_change_the_physics(shown, name):
    """Each slider, moved by the keyboard, changes the accelerations of the page, which are those of Python with that value."""
    figure = KINDS[name]
    view = shown(figure)
    rng = np.random.default_rng(5)
    q, qd = rng.normal(size=(2, figure.spec["n"]))
    if name == "slider":
        q[1] = 0.8
    run = figure.spec["runs"][-1]
    total = figure.functions[run["applied_torque"]]

    def page_accelerations():
        put = f"f.runs.at(-1).setState({q.tolist()}, {qd.tolist()})"
        return ask(view, f"({put}, f.runs.at(-1).rates(f.runs.at(-1).state))")

    for slider in figure.spec["sliders"]:
        before = page_accelerations()
        view.locator(f"input[data-name={slider['name']}]").press("End" if slider["value"] < slider["high"] else "Home")
        values = ask(view, "f.values")
        assert values[slider["name"]] == (slider["high"] if slider["value"] < slider["high"] else slider["low"])
        after = page_accelerations()
        arm = figure.part.subs(values)
        n = figure.spec["n"]
        settings = figure.spec["fixed"] | values
        tau = np.array([settings.get(f"tau_{i + 1}", 0.0) for i in range(n)])
        friction = np.array([settings.get(f"b_{i + 1}", settings.get("b", 0.0)) for i in range(n)])
        springs = [settings[name] for name in "kw" if figure.spec.get("goal")]
        hold = np.zeros(len(figure.spec.get("bars", q)))
        acting, power, *_ = total(arm, q, qd, tau, friction, hold, 1.0, np.zeros(2), *springs)
        expected = [*qd, *figure.functions[run["dynamics"]](arm, q, qd, acting), power]
        assert np.allclose(after, expected, rtol=1e-9, atol=1e-9)
        if slider["name"] == "dt":
            assert ask(view, "f.runs[0].dt") == values["dt"]
        elif slider["name"].startswith("qd_"):  # a rate is no parameter: it is the state
            view.locator(f"input[data-name={slider['name']}]").press("Home")
            assert ask(view, "f.runs[0].qd")[int(slider["name"][3:]) - 1] == slider["low"]
        else:
            assert not np.allclose(before, after), f"{slider['name']} changes nothing"


@pytest.mark.parametrize("name", ["chain of 1", "chain of 6", "slider", "compensated"])
def test_a_paused_arm_is_posed_by_the_mouse(shown, name):
    """The point that is held follows the pointer; the arm is at rest there; beyond reach it points that way."""
    view = shown(KINDS[name])
    view.mouse.move(*on_screen(view, tip(view)))
    view.mouse.down()
    size = ask(view, "f.stages[0].size")
    goal = [0.3 * size, -0.35 * size]
    if name == "chain of 1":
        goal = [0.6, -0.8]
    if name == "slider":
        goal = [0.5, -0.9]
    view.mouse.move(*on_screen(view, goal), steps=6)
    wait(view, 50)
    assert np.linalg.norm(np.subtract(tip(view), goal)) < 0.05 * size
    assert ask(view, "f.runs[0].qd.every(v => v === 0) && !f.playing")
    view.mouse.move(*on_screen(view, [0.97 * size, 0.6 * size]), steps=5)
    wait(view, 50)
    assert np.isfinite(ask(view, "f.runs[0].state")).all()
    view.mouse.up()
    assert not ask(view, "f.runs[0].isHeld")


FRESH = f"""() => {{ // whether every picture is that of the state of now: drawn again, no pixel changes
  const pictures = () => [...document.querySelectorAll(".rd-figure canvas")].map(canvas => canvas.toDataURL());
  const seen = pictures(), said = {FIGURE}.readout.innerText;
  {FIGURE}.draw();
  return seen.join() === pictures().join() && said === {FIGURE}.readout.innerText;
}}"""


def test_where_the_arm_stands_is_a_line_to_copy(shown):
    """It follows the hand, and Python reads from it the pose that the figure shows; where the clipboard is closed, it is marked."""
    view = shown(explore(rd.robots.planar(2), [0.3, -0.3], pose="q"))
    line = view.locator(".rd-pose code")
    assert line.inner_text() == "q = [0.300, -0.300]"
    view.mouse.move(*on_screen(view, tip(view)))
    view.mouse.down()
    view.mouse.move(*on_screen(view, [0.6, -1.0]), steps=6)
    view.mouse.up()
    wait(view, 100)
    read = json.loads(line.inner_text().removeprefix("q = "))
    assert np.abs(np.subtract(read, ask(view, "f.runs[0].q"))).max() <= 5e-4
    assert np.abs(np.subtract(read, [0.3, -0.3])).max() > 0.05
    press(view, "Copy")
    assert view.evaluate("() => getSelection().toString()").strip() == line.inner_text()


@pytest.mark.parametrize("name", ["chain of 3", "slider", "ellipse", "map"])
def test_the_picture_follows_the_hand(shown, name):
    """A paused arm is seen where mouse or arrow keys have put it, while it is held and after; its words say so, too."""
    view = shown(KINDS[name])

    def looks(act):
        before = view.locator(".rd-stage canvas").evaluate("canvas => canvas.toDataURL()")
        act()
        wait(view, 100)
        assert view.evaluate(FRESH), "the picture is an older one"
        assert view.locator(".rd-stage canvas").evaluate("canvas => canvas.toDataURL()") != before

    x, y = on_screen(view, tip(view))
    view.mouse.move(x, y)
    looks(view.mouse.down)
    looks(lambda: view.mouse.move(x - 60, y + 40, steps=4))
    looks(view.mouse.up)
    looks(lambda: view.keyboard.down("ArrowUp"))
    looks(lambda: view.keyboard.up("ArrowUp"))


def test_a_moving_arm_is_pulled(shown):
    """While it plays, the hand pulls with a force, told in newtons; the account of energy counts its work."""
    view = shown(KINDS["chain of 6"])
    press(view, "Play")
    wait(view, 100)
    view.mouse.move(*on_screen(view, tip(view)))
    view.mouse.down()
    assert ask(view, "f.runs[0].isHeld")
    for k in range(30):
        view.mouse.move(*on_screen(view, [3 * np.cos(k / 5), 3 * np.sin(k / 5)]))
        wait(view, 20)
    assert "pull" in view.locator(".rd-readout").inner_text()
    view.mouse.up()
    press(view, "Pause")
    energy = ask(view, "f.runs[0].energy()")
    assert not ask(view, "f.runs[0].isHeld") and abs(ask(view, "f.runs[0].state.at(-1)")) > 1
    assert abs(energy["share"]) < 1e-4


def test_a_finger_drags_and_a_finger_beside_the_arm_scrolls(browser, shown):
    """Touch on the arm drags it, and the page stays; touch on the empty ground is left to the page."""
    view = shown(KINDS["chain of 3"], has_touch=True, is_mobile=True, viewport={"width": 390, "height": 700})
    touch = functools.partial(view.context.new_cdp_session(view).send, "Input.dispatchTouchEvent")
    x, y = on_screen(view, tip(view))
    touch({"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    assert ask(view, "f.stages[0].dragging")
    for k in range(8):
        touch({"type": "touchMove", "touchPoints": [{"x": x - 4 * k, "y": y + 6 * k}]})
    moved = tip(view)
    assert view.evaluate("scrollY") == 0
    touch({"type": "touchEnd", "touchPoints": []})
    goal = np.subtract(on_screen(view, moved), (x - 28, y + 42))
    assert np.abs(goal).max() < 4 and not ask(view, "f.stages[0].dragging")
    box = view.locator(".rd-stage canvas").bounding_box()
    touch({"type": "touchStart", "touchPoints": [{"x": box["x"] + 4, "y": box["y"] + 6}]})
    assert not ask(view, "f.stages[0].dragging")


def test_the_keyboard_does_it_all(shown):
    """Tab reaches the arm; arrows move the tip of a paused arm and pull a moving one; space, S and R work."""
    view = shown(KINDS["chain of 3"])
    view.keyboard.press("Tab")
    assert view.evaluate("document.activeElement.tagName") == "CANVAS"
    before = tip(view)
    for _ in range(5):
        view.keyboard.press("ArrowLeft")
    assert tip(view)[0] < before[0] - 0.05
    view.keyboard.press(" ")
    assert ask(view, "f.playing")
    view.keyboard.down("ArrowUp")
    wait(view, 150)
    assert ask(view, "f.runs[0].isHeld && f.runs[0].target[1] > f.runs[0].points().ends.at(-1)[1]")
    view.keyboard.up("ArrowUp")
    assert not ask(view, "f.runs[0].isHeld")
    view.keyboard.press(" ")
    assert not ask(view, "f.playing")
    view.keyboard.press("r")
    assert ask(view, "f.runs[0].t") == 0
    view.keyboard.press("s")
    assert 0 < ask(view, "f.runs[0].t") < 0.1


def test_a_name_and_a_value_keep_apart(shown):
    """A long name of a slider wraps before it meets the value: "moment of inertia of link" and "0.25 kg m²" are not one text."""
    view = shown(KINDS["slider"], viewport={"width": 624, "height": 800})
    for slider in view.locator(".rd-slider").all():
        name, value = (slider.locator(part).bounding_box() for part in ("label", ".rd-exact"))
        assert name["x"] + name["width"] + 8 <= value["x"]


def test_what_it_says(shown):
    """The voice for those who do not look tells the state, politely and not more than once a second."""
    view = shown(KINDS["terms"])
    voice = view.locator(".rd-voice")
    assert voice.get_attribute("aria-live") == "polite"
    press(view, "Play")
    wait(view, 1200)
    view.evaluate(
        """() => {
        const voice = document.querySelector(".rd-voice"); window.changes = 0;
        new MutationObserver(() => { window.changes += 1; }).observe(voice, {childList: true, characterData: true, subtree: true});
        }"""
    )
    wait(view, 1500)
    assert view.evaluate("window.changes") <= 2
    press(view, "Pause")
    wait(view, 1100)
    text = voice.inner_text()
    assert text.startswith("Paused.") and "rad" in text and "J" in text
    slider = view.locator(".rd-slider input[type=range]").first
    assert slider.get_attribute("aria-valuetext").endswith("kg")
    assert view.locator(".rd-slider label").count() == view.locator(".rd-slider input[type=range]").count()


def test_who_wants_no_motion_gets_none(shown):
    """A figure that plays by itself waits under prefers-reduced-motion."""
    figure = explore(rd.robots.planar(2), [0.3, 0.3], playing=True)
    assert ask(shown(figure), "f.playing")
    assert not ask(shown(figure, reduced_motion="reduce"), "f.playing")


def test_colors_follow_the_page(shown):
    """Dark pages get light ink, at once."""
    view = shown(KINDS["map"])
    light = ask(view, "f.theme.ink")
    view.evaluate("document.documentElement.dataset.theme = 'dark'")
    until(view, f"f.theme && f.theme.ink !== '{light}'")


@pytest.mark.parametrize("name", KINDS)
def test_it_fits_a_phone(shown, name):
    """On 390 pixels nothing sticks out, and what is touched is large enough."""
    view = shown(KINDS[name], viewport={"width": 390, "height": 800})
    assert view.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    for control in view.locator(".rd-figure :is(button, input, select)").all():
        assert control.bounding_box()["height"] >= 24


def test_without_scripts_a_picture_stands_in_its_place(shown):
    """With words for those who cannot see it."""
    view = shown(KINDS["terms"], java_script_enabled=False)
    picture = view.locator(".rd-figure img")
    assert picture.is_visible() and picture.get_attribute("alt").startswith("An arm of 2 joints")
    assert picture.evaluate("image => image.naturalWidth") > 300


def test_keys_move_a_slider_by_its_stops_and_its_field_exactly(shown):
    """An arrow key goes to the next stop; typed values stay as they are, and arrows in the field add a step to them."""
    view = shown(KINDS["integrators"])
    slider = view.locator("input[data-name=dt]")
    field = view.get_by_label("Δt, exact value")
    slider.press("ArrowRight")
    assert np.isclose(ask(view, "f.values.dt"), 0.005 + 0.0002)
    field.fill("0.0123")
    field.press("Tab")
    assert ask(view, "f.values.dt") == 0.0123
    field.press("ArrowDown")
    assert np.isclose(ask(view, "f.values.dt"), 0.0121)
    field.press("ArrowUp")
    assert np.isclose(ask(view, "f.values.dt"), 0.0123)


@pytest.mark.parametrize("name", [name for name in KINDS if len(KINDS[name].spec["runs"]) == 2])
def test_two_arms_are_seen_and_started_in_one_view_of_a_phone(shown, name):
    """Both pictures and Play stand within the 640 px that a phone leaves beside its own bars."""
    view = shown(KINDS[name], viewport={"width": 390, "height": 640})
    boxes = [canvas.bounding_box() for canvas in view.locator(".rd-stage canvas").all()]
    play = view.get_by_role("button", name="Play", exact=True).bounding_box()
    assert play["y"] + play["height"] - min(box["y"] for box in boxes) < 560
