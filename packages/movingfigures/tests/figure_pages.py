"""A page with one moving figure, opened in Chromium for the tests: what to ask it, how to let its clock go on, where the arm is."""

import json

from figures import page

FIGURE = "document.querySelector('.rd-figure').rdFigure"


def figure_opener(browser, tmp_path):
    """Yield a function that opens a page with one figure from disk; whatever went wrong in it fails the test at its end.

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
