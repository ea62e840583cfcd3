"""Moving figures in a browser: they move, obey their sliders and the hand, tell what they show, and survive bad input."""

import functools
import json

import numpy as np
import pytest
from figures import kinds, page, problem

import robotdyn as rd
from movingfigures import explore

pytestmark = pytest.mark.slow
KINDS = kinds()
IN_SPACE = [name for name in KINDS if "scene" in KINDS[name].spec]
DRIVEN = [name for name in KINDS if name not in ("stored", "reach", "learner", *IN_SPACE)]
FIGURE = "document.querySelector('.rd-figure').rdFigure"


@pytest.fixture
def shown(browser, tmp_path):
    """A function that opens a page with one figure from disk; whatever went wrong in it fails the test at its end.

    With `clock`, once the figure stands the page's clock is the test's: it goes on in `wait` and `until` alone, so that a motion is
    the same on a busy machine.
    """
    trouble = []
    contexts = []

    def opened(figure, clock=True, **options):
        path = tmp_path / "page.html"
        path.write_text(page(figure), encoding="utf8")
        context = browser.new_context(**{"viewport": {"width": 900, "height": 800}, **options})
        contexts.append(context)
        view = context.new_page()
        view.on("console", lambda said: said.type in ("error", "warning") and trouble.append(said.text))
        view.on("pageerror", lambda error: trouble.append(str(error)))
        scripted = options.get("java_script_enabled", True)
        if scripted and clock:
            view.clock.install(time=0)
        view.goto(path.as_uri())
        if scripted:
            view.wait_for_function(f"() => {FIGURE} && {FIGURE}.cost.frames > 0")
        if scripted and clock:
            view.clock.pause_at(60_000)
        return view

    yield opened
    for context in contexts:
        context.close()
    assert trouble == []


def ask(view, expression):
    """The value of an expression in which f is the figure."""
    return view.evaluate(f"() => {{ const f = {FIGURE}; return {expression}; }}")


def wait(view, milliseconds):
    """Let the page's clock go on."""
    view.clock.run_for(milliseconds)


def until(view, condition, seconds=20):
    """Let the page's clock go on until a condition on the page holds; f is the figure."""
    for _ in range(50 * seconds):
        if ask(view, condition):
            return
        wait(view, 20)
    raise AssertionError(f"not within {seconds} s: {condition}")


def press(view, name):
    view.get_by_role("button", name=name, exact=True).click()


def on_screen(view, point, stage=0):
    """Where a place of the arm, m, is on the screen."""
    x, y = ask(view, f"f.stages[{stage}].pixels({json.dumps(list(point))})")
    box = view.locator(".rd-stage canvas").nth(stage).bounding_box()
    return box["x"] + x, box["y"] + y


def tip(view, stage=0):
    return ask(view, f"f.runs[{stage}].points().ends.at(-1)")


PAINTED = """canvas => {
  const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  return data.some((v, k) => k % 4 === 3 && v > 0);
}"""


CURVES_LATE = """canvas => { // pixels of curves, in color or in ink, in the last quarter between legend and axis
  const { width, height } = canvas, left = Math.round(0.75 * width), top = Math.round(0.15 * height);
  const { data } = canvas.getContext("2d").getImageData(left, top, width - left, Math.round(0.75 * height));
  let count = 0;
  for (let k = 0; k < data.length; k += 4) {
    const rgb = [...data.slice(k, k + 3)], high = Math.max(...rgb);
    if (data[k + 3] > 200 && (high - Math.min(...rgb) > 60 || high < 60)) count += 1;
  }
  return count;
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
        acting, power, *_ = total(arm, q, qd, tau, friction, np.zeros(n), 1.0, np.zeros(2), *springs)
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


def test_the_map_and_the_arm_show_one_pose(shown):
    """A click on the map poses the arm; the list changes what the map shows."""
    view = shown(KINDS["map"])
    box = view.locator(".rd-map canvas").bounding_box()
    left, top, right, bottom = ask(view, "f.plots[0].canvas.axes.box")
    view.mouse.click(box["x"] + left + 0.75 * (right - left), box["y"] + top + 0.25 * (bottom - top))
    assert np.allclose(ask(view, "f.runs[0].q"), [np.pi / 2, np.pi / 2], atol=0.05)
    chart = ask(view, "[f.mapQuantityImage().low, f.mapQuantityImage().high]")
    view.get_by_label("the map shows").select_option("1")
    until(view, "f.mapImage")
    assert chart != ask(view, "[f.mapQuantityImage().low, f.mapQuantityImage().high]")
    q = np.stack(np.meshgrid(*[np.linspace(-np.pi, np.pi, 193)[1::2]] * 2), axis=-1)
    g = rd.gravity_torque(rd.robots.uniform_two_link(), q)[..., 0]
    assert np.allclose(
        ask(view, "[f.mapQuantityImage().low, f.mapQuantityImage().high]"), [g.min(), g.max()], rtol=1e-6
    )


def test_the_map_of_a_sliding_joint_is_in_meters(shown):
    """Its range is that of the stops of the joint, and it does not begin anew after 2 pi."""
    view = shown(explore(rd.robots.rp(), [0.3, 0.5], panels=["map"], limits={1: (0.3, 1.4)}))
    box = view.locator(".rd-map canvas").bounding_box()
    left, top, right, bottom = ask(view, "f.plots[0].canvas.axes.box")
    view.mouse.click(box["x"] + left + 0.75 * (right - left), box["y"] + top + 0.25 * (bottom - top))
    assert np.allclose(ask(view, "f.runs[0].q"), [np.pi / 2, 0.3 + 0.75 * 1.1], atol=0.05)
    q = np.stack(np.meshgrid(np.linspace(-np.pi, np.pi, 193)[1::2], np.linspace(0.3, 1.4, 193)[1::2]), axis=-1)
    M = np.linalg.det(rd.mass_matrix(rd.robots.rp(), q))
    assert np.allclose(
        ask(view, "[f.mapQuantityImage().low, f.mapQuantityImage().high]"), [M.min(), M.max()], rtol=1e-6
    )


def test_a_screw_is_seen_to_turn(shown):
    """Its thread moves on with q where nothing else moves, and is back after a turn."""
    view = shown(
        explore(
            rd.Arm([rd.Link(1, inertia=np.eye(3), joint="screw", axis=(1, 0, 0))], tip=(1, 0, 0)), panels=[], marks=[]
        )
    )
    pictures = []
    for turns in (0, 0.5, 1):
        ask(view, f"f.runs[0].setState([{2 * np.pi * turns}], [0]) || f.draw()")
        pictures.append(view.locator(".rd-stage canvas").evaluate("canvas => canvas.toDataURL()"))
    assert pictures[0] == pictures[2] != pictures[1]


def test_stored_motions_are_scrubbed(shown):
    """The slider of time shows the pose of that time; the list takes another motion."""
    figure = KINDS["stored"]
    view = shown(figure)
    for plot in ("torques", "joints"):  # a curve is there as a whole before its time is reached
        assert view.locator(f".rd-{plot} canvas").evaluate(CURVES_LATE) > 20
    clock = view.locator(".rd-slider input[type=range]")
    clock.evaluate("input => { input.value = 0.5; input.dispatchEvent(new Event('input')); }")
    motions = figure.spec["solutions"]
    assert np.allclose(ask(view, "f.runs[0].q"), motions[0]["q"][25], atol=1e-9)
    view.get_by_label("weight").select_option("1")
    assert np.allclose(ask(view, "f.runs[0].q"), motions[1]["q"][25], atol=1e-9)


def test_a_reach_is_solved_for_the_goal_that_is_dragged(shown):
    """By hand or by arrow keys: the motion that is shown has the cost that Python computes, and iLQR cannot better it."""
    figure = KINDS["reach"]
    view = shown(figure)
    x, y = on_screen(view, figure.spec["task"]["goal"])
    view.mouse.move(x, y)
    view.mouse.down()
    view.mouse.move(x - 60, y - 40, steps=6)
    until(view, "f.runs[0].converged")
    by_hand = ask(view, "f.runs[0].goal")
    assert np.allclose(on_screen(view, by_hand), (x - 60, y - 40), atol=1)
    least(view, figure, by_hand)
    view.mouse.up()
    view.locator(".rd-stage canvas").press("ArrowDown")
    until(view, "f.runs[0].converged")
    by_key = ask(view, "f.runs[0].goal")
    assert by_key[1] < by_hand[1] and np.isclose(by_key[0], by_hand[0])
    view.locator("input[data-name=effort]").press("End")  # a price of effort so high that the arm stays where it hangs
    until(view, "f.runs[0].converged")
    least(view, figure, by_key)


def least(view, figure, goal):
    """Compare the motion in the page with what Python says of it."""
    found = ask(view, "[f.runs[0].best.u, f.runs[0].best.c]")
    values = ask(view, "f.values")
    dynamics, cost, x0, _ = problem(figure, goal, values["effort"], values["velocity"])
    u = np.array(found[0])
    assert np.isclose(cost.value(dynamics.rollout(x0, u)[0], u), found[1], rtol=1e-9)
    assert rd.ilqr(dynamics, cost, x0, u, progress=False).cost > found[1] * (1 - 1e-6)


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


COLORED = """(canvas, color) => { // pixels of one color
  const { width, height } = canvas, copy = Object.assign(document.createElement("canvas"), { width, height });
  const ctx = copy.getContext("2d", { willReadFrequently: true });
  ctx.fillStyle = color;
  ctx.fillRect(0, 0, 1, 1);
  const [r, g, b] = ctx.getImageData(0, 0, 1, 1).data;
  ctx.clearRect(0, 0, 1, 1);
  ctx.drawImage(canvas, 0, 0);
  const { data } = ctx.getImageData(0, 0, width, height);
  let count = 0;
  for (let k = 0; k < data.length; k += 4) count += data[k] === r && data[k + 1] === g && data[k + 2] === b && data[k + 3] === 255;
  return count;
}"""


def test_a_term_that_is_touched_is_seen_alone_and_told(shown):
    """By mouse, key and finger: its arcs alone are drawn, its values in N m are those of Python, on the button and in words."""
    figure = KINDS["equation"]
    view = shown(figure, has_touch=True)
    canvas = view.locator(".rd-stage canvas")
    q = np.array(figure.spec["start"]["q"])
    qd = np.array(figure.spec["start"]["qd"])
    total, *_ = figure.functions["joint"](
        figure.arm, q, qd, np.zeros(2), 0.5 * np.ones(2), np.zeros(2), 1.0, np.zeros(2)
    )
    known = figure.functions["terms"](figure.arm, q, qd, rd.forward_dynamics(figure.arm, q, qd, total))
    known = dict(zip(figure.spec["terms"], known))

    def seen(term, color):
        wait(view, 100)
        drawn = {
            name: canvas.evaluate(COLORED, ask(view, f"f.theme.{name}")) for name in ("inertia", "velocity", "gravity")
        }
        assert ask(view, "f.highlightedTerm") == term
        assert drawn[color] > 30 and all(count < 5 for name, count in drawn.items() if name != color)
        values = [f"{value:.{2 if abs(value) < 10 else 1}f}".replace("-", "−") for value in known[term]]
        assert view.locator(f"[data-term={term}] .rd-value").all_inner_texts() == values
        told = ask(view, "f.equation.describe()")
        assert f"{values[0]} N m at joint 1, {values[1]} N m at joint 2" in told
        return told

    assert "?" in view.locator("[data-term=gravity]").inner_text()  # no values before the reader has done anything
    view.locator("[data-term=gravity]").hover()
    assert "gravity torque" in seen("gravity", "gravity")
    assert "carries the weight" in view.locator(".rd-description").inner_text()
    view.mouse.move(5, 5)
    wait(view, 50)
    assert ask(view, "f.highlightedTerm") is None
    view.keyboard.press("Tab")
    view.keyboard.press("Tab")
    wait(view, 1100)
    assert seen("centrifugal", "velocity") == view.locator(".rd-voice").inner_text()
    view.keyboard.press("Enter")
    view.keyboard.press("Tab")
    view.keyboard.press("Tab")
    assert ask(view, "f.highlightedTerm") == "gravity", "where the keyboard is comes before what was touched"
    view.locator("[data-term=inertia]").tap()
    seen("inertia", "inertia")
    assert view.locator("[data-term=inertia]").get_attribute("aria-pressed") == "true"
    view.locator("[data-term=inertia]").tap()
    wait(view, 50)
    assert ask(view, "f.pinned") is None


def test_the_rates_that_are_set_stay_while_an_arm_is_posed(shown):
    """So the velocity torque is seen at any pose; while the arm moves, the sliders follow its rates."""
    view = shown(KINDS["equation"])
    view.mouse.move(*on_screen(view, tip(view)))
    view.mouse.down()
    view.mouse.move(*on_screen(view, [-0.5, 1.2]), steps=4)
    view.mouse.up()
    assert ask(view, "f.runs[0].qd") == [2, 1]
    press(view, "Play")
    until(view, "f.runs[0].t > 0.2")
    press(view, "Pause")
    wait(view, 50)
    shown_rate = float(view.get_by_label("q̇1, exact value").input_value())
    assert abs(shown_rate - ask(view, "f.runs[0].qd[0]")) < 1e-3 and shown_rate != 2


def test_the_reader_chooses_the_digit_in_which_two_starts_differ(shown):
    """By arrow keys, from the first to the twelfth; both arms are at one time; their distance is that of the library."""
    figure = KINDS["parting"]
    view = shown(figure)
    digits = view.locator(".rd-digits input")
    assert digits.count() == 12 and digits.nth(2).is_checked()
    digits.nth(2).press("ArrowRight")
    assert digits.nth(3).is_checked()
    press(view, "Play")
    until(view, "f.runs[0].t > 2.2")
    press(view, "Pause")
    assert ask(view, "f.runs[0].t") == ask(view, "f.runs[1].t")
    times, gaps = (np.array(ask(view, f"f.sensitivity.{name}")) for name in ("times", "gaps"))
    fine = np.arange(0, times[-1] + 0.001, 0.001)
    one, other = (rd.simulate(figure.arm, [2.2 + shift, 0.3], [0, 0], None, fine).q for shift in (0, 1e-4))
    known = np.interp(times, fine, np.linalg.norm(other - one, axis=1))
    assert np.allclose(gaps, known, rtol=1e-3)
    wait(view, 50)
    told = view.locator(".rd-readout").inner_text()
    found = ask(view, "f.sensitivity.growthFit")
    assert f"grows at {found['rate']:.2f} ± {found['spread']:.2f} per second".replace("-", "−") in told
    for digit in (1, 12):
        digits.nth(digit - 1).check(force=True)
        starts = np.array(ask(view, "f.runs.map(run => run.q)"))
        assert np.isclose(starts[1, 0] - starts[0, 0], 10.0**-digit, rtol=1e-3) and ask(view, "f.runs[0].t") == 0
    press(view, "Reset")
    assert digits.nth(2).is_checked() and ask(view, "f.runs[1].q[0]") == 2.2 + 1e-3


def test_a_hand_poses_both_arms_that_part(shown):
    """It would part them: so it stops the motion, and the second arm starts a digit beside wherever the first one is put."""
    view = shown(KINDS["parting"])
    press(view, "Play")
    until(view, "f.runs[0].t > 0.1")
    for _ in range(4):
        ask(view, "f.stages[0].hold(1, 1, [1.2, -0.8]) || f.stages[0].releaseHand()")
    first, second = np.array(ask(view, "f.runs.map(run => run.q)"))
    assert (
        np.allclose(second - first, [1e-3, 0])
        and not ask(view, "f.playing")
        and ask(view, "f.sensitivity.gaps.length") == 1
    )
    assert np.allclose(tip(view), [1.2, -0.8], atol=0.1)


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


# ---- bad input ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["chain of 1", "chain of 6", "terms"])
def test_a_mass_of_zero_is_survived(shown, name):
    """The figure stops at its last good state, says why, and goes on when the mass is given back."""
    figure = KINDS[name]
    mass = next(slider for slider in figure.spec["sliders"] if slider["name"].startswith("m_"))
    view = shown(figure)
    slider = view.locator(f"input[data-name={mass['name']}]")
    press(view, "Play")
    slider.press("Home")
    wait(view, 300)
    if ask(view, "f.playing"):  # the rest of the arm still has mass behind every joint
        press(view, "Pause")
    else:
        assert "stopped being finite" in view.locator(".rd-voice").inner_text()
        assert view.locator(".rd-voice").bounding_box()["width"] > 100
    assert "NaN" not in view.locator(".rd-figure").inner_text()
    assert np.isfinite(ask(view, "f.runs[0].state")).all()
    press(view, "Reset")
    press(view, "Play")
    t = ask(view, "f.runs[0].t")
    until(view, f"f.runs[0].t > {t} + 0.2")


def test_an_hour_of_sleep_is_not_made_up_for(shown):
    """After a gap between two frames the motion goes on where it was, and says so."""
    view = shown(KINDS["chain of 6"])
    press(view, "Play")
    wait(view, 100)
    gap = ask(view, "(() => { const t = f.runs[0].t; f.frame(performance.now() + 3.6e6); return f.runs[0].t - t; })()")
    assert gap == 0
    wait(view, 1200)
    assert "rested for 3600 s" in ask(view, "f.lastAnnouncement[0]")


def test_a_value_out_of_range_is_brought_back_and_told(shown):
    """Whoever sends it: the slider stays in its range, the page says which."""
    view = shown(KINDS["terms"])
    for value in (1e9, -5, None, "x"):
        ask(view, f"f.receiveValues({{g: {json.dumps(value)}}})")
        assert 0 <= ask(view, "f.values.g") <= 20
    wait(view, 1100)
    assert "stays between 0 and 20" in view.locator(".rd-voice").inner_text()


def test_a_wild_step_is_survived(shown):
    """Friction too stiff for the step, thrown rates: the figure recovers, frame after frame."""
    view = shown(KINDS["chain of 6"])
    ask(view, "(f.friction.fill(1e6), f.runs[0].setState(Array(6).fill(1), Array(6).fill(900)))")
    press(view, "Play")
    wait(view, 400)
    assert np.isfinite(ask(view, "f.runs[0].state")).all() and not ask(view, "f.playing")
    assert "NaN" not in view.locator(".rd-figure").inner_text()
    press(view, "Reset")
    press(view, "Play")
    wait(view, 100)


# ---- work (the time it takes is measured in benchmarks/figures.py) --------------------------------------------------


def test_a_frame_takes_the_steps_that_fit_it(shown):
    """The motion asks for its rates four times a step of Runge-Kutta, and as often as whole steps fit the time."""
    view = shown(KINDS["chain of 6"])
    dt = KINDS["chain of 6"].spec["dt"]
    for steps in (1, 3):
        asked = ask(
            view,
            f"""(() => {{
          const run = f.runs[0], {{ rates }} = run, now = performance.now;
          let count = 0;
          run.rates = x => {{ count += 1; return rates.call(run, x); }};
          performance.now = () => 0; // a busy machine may leave steps out, this one is not busy
          run.timeOwed = 0;
          run.advance({(steps + 0.5) * dt});
          delete run.rates; performance.now = now;
          return count;
        }})()""",
        )
        assert asked == 4 * steps


def test_many_moves_of_the_hand_make_one_picture(shown):
    """Sixty between two frames: the figure is drawn once a frame, however fast the hand."""
    view = shown(KINDS["chain of 6"], clock=False)
    view.mouse.move(*on_screen(view, tip(view)))
    view.mouse.down()
    x, y = on_screen(view, [3, 3])
    frames, drawn = view.evaluate(f"""async () => {{
      const f = {FIGURE}, canvas = document.querySelector(".rd-stage canvas"), before = f.cost.frames;
      for (let frame = 0; frame < 5; frame++) {{
        for (let k = 0; k < 60; k++) canvas.dispatchEvent(new PointerEvent("pointermove", {{ clientX: {x} + k, clientY: {y} }}));
        await new Promise(requestAnimationFrame);
      }}
      return [5, f.cost.frames - before];
    }}""")
    assert 1 <= drawn <= frames + 1


# ---- in space -------------------------------------------------------------------------------------------------------


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
