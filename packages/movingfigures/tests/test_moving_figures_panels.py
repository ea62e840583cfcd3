"""Panels of moving figures in a browser: the map, stored motions, a reach, terms to touch, two arms that part."""

import numpy as np
import pytest
from figure_pages import ask, on_screen, press, tip, until, wait
from figures import kinds, problem

import robotdyn as rd
from movingfigures import explore

pytestmark = pytest.mark.slow
KINDS = kinds()

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
