"""Moving figures in a browser survive bad input, and do no more work than a frame has time for."""

import json

import numpy as np
import pytest
from figure_pages import FIGURE, ask, on_screen, press, tip, until, wait
from figures import kinds, page

pytestmark = pytest.mark.slow
KINDS = kinds()


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


def test_a_record_of_another_version_is_refused_in_words(browser, tmp_path):
    """Where data and script are of two versions, the reader is told so in the place of the figure, with the way on."""
    text = page(KINDS["map"])
    assert text.count('"version": 1}') == 1
    path = tmp_path / "page.html"
    path.write_text(text.replace('"version": 1}', '"version": 2}'), encoding="utf8")
    with browser.new_page() as view:
        view.goto(path.as_uri())
        view.wait_for_selector(".rd-trouble")
        said = view.locator(".rd-trouble").inner_text()
        assert said.startswith("This figure could not start: its record must have version 1, got version 2:")
        assert said.endswith("run its cell again") and view.locator("canvas").count() == 0
