"""The moving figures of the built book, page by page, without a network: light, alive, and obedient."""

import figures
import numpy as np
import pytest
from browsing import address, opened
from figures import chapter_figure, figure_cells

import robotdyn as rd
from robotdyn.model.picture import bars

pytestmark = pytest.mark.slow

PAGES = sorted({f"book/{name.split('/')[0]}" for name in figure_cells()})
HEAVIEST = 3e6  # bytes of a page with all that it loads


def of_page(name):
    """The figures of a page, in order, as Python has them."""
    return [chapter_figure(key) for key in figure_cells() if f"book/{key.split('/')[0]}" == name]


def asker(box):
    """A function that returns the value of an expression in which f is the figure in this box."""
    return lambda expression: box.evaluate(f"el => {{ const f = el.rdFigure; return {expression}; }}")


@pytest.mark.parametrize(("name", "scheme"), [*((name, "file") for name in PAGES), (PAGES[0], "http")])
def test_every_figure_of_a_page_lives(browser, site, scheme, name):
    """Each is drawn, moves when it is played, holds when it is paused, and its sliders change what Python says they change.

    A page opened from the disk may do less than one that a server sends, so all are opened so.
    """
    page, trouble = opened(browser, site, address(site, scheme, name))
    figures = of_page(name)
    assert page.locator(".rd-figure").count() == len(figures)
    for k, figure in enumerate(figures):
        box = page.locator(".rd-figure").nth(k)
        box.scroll_into_view_if_needed()  # it is built when the reader comes near
        page.wait_for_function("k => document.querySelectorAll('.rd-figure')[k].rdFigure", arg=k)
        ask = asker(box)
        if not ask("f.playing"):
            box.get_by_role("button", name="Play").click()
        states = "f.runs.map(run => [...run.state, run.t])"
        start = ask(states)
        page.wait_for_function("k => document.querySelectorAll('.rd-figure')[k].rdFigure.runs[0].t > 0.2", arg=k)
        box.get_by_role("button", name="Pause").click()
        held = ask(states)
        if (
            not figure.spec["playing"] and "ellipse" not in figure.spec["marks"]
        ):  # those two start at rest, without weight
            assert not np.allclose(start, held)
        page.wait_for_timeout(150)
        assert ask(states) == held
        assert figure.spec["sliders"] == ask("f.spec.sliders")
        stay = {
            name: value for name, value in figure.values.items() if not name.startswith(("q_", "qd_"))
        }  # they follow
        assert stay.items() <= ask("f.values").items() and ask("f.values").keys() == figure.values.keys()
        judged = SCENES.get(figure.spec.get("scene"), obeys)
        judged = reads if figure.spec.get("covariance") else judged
        judged = learns if "learned" in figure.spec else judged
        (solves if "task" in figure.spec else replays if "solutions" in figure.spec else judged)(box, ask, figure)
        assert "NaN" not in box.inner_text()
    page.context.close()
    assert trouble == []


def obeys(box, ask, figure):
    """The rates of the last arm, after each slider has been moved to its other end, are those of Python."""
    rng = np.random.default_rng(7)
    n = figure.spec["n"]
    q = rng.uniform(0.3, 1.2, size=n)
    qd = rng.normal(size=n)
    for slider in figure.spec["sliders"]:
        box.locator(f"input[data-name={slider['name']}]").press("End" if slider["value"] < slider["high"] else "Home")
    values = ask("f.values")
    run = figure.spec["runs"][-1]
    assert all(values[name] != value for name, value in figure.values.items())
    settings = figure.spec["fixed"] | values
    tau = np.array([settings.get(f"tau_{i + 1}", 0.0) for i in range(n)])
    friction = np.array([settings.get(f"b_{i + 1}", settings.get("b", 0.0)) for i in range(n)])

    arm = figure.part.subs(values)
    springs = [settings[name] for name in "kw" if figure.spec.get("goal")]
    nobody = np.zeros(len(bars(arm.links, arm.parents, arm.tip)))  # holds a bar
    total, power, *_ = figure.functions[run["applied_torque"]](
        arm, q, qd, tau, friction, nobody, 1.0, np.zeros(2), *springs
    )
    expected = [*qd, *figure.functions[run["dynamics"]](arm, q, qd, total), power]
    found = ask(f"(f.runs.at(-1).setState({q.tolist()}, {qd.tolist()}), f.runs.at(-1).rates(f.runs.at(-1).state))")
    assert np.allclose(found, expected, rtol=1e-9, atol=1e-9)


def reads(box, ask, figure):
    """It obeys; ten readings a second say what NumPy makes of them; a new pose keeps them, Restart forgets them."""
    obeys(box, ask, figure)
    box.get_by_role("button", name="Restart").click()
    assert ask("f.covariance.readings") == 0
    A = np.array(ask("(() => { while (f.runs[0].t < 1.05) f.runs[0].step(f.dt); return f.covariance.A; })()"))
    ask("(f.runs[0].setState([0, 1], [0, 0]), f.requestFrame())")
    box.get_by_text("readings: 10").wait_for()
    told = box.locator(".rd-readout").inner_text()
    names = figure.spec["covariance"]["names"]
    for name, error in zip(names, np.sqrt(np.linalg.inv(A).diagonal())):
        name = name.replace("_1", "₁").replace("_2", "₂")
        told_error = told.partition(f"{name} ")[2].split()[:2]
        assert told_error[0] == "unknown" if error > 100 else np.isclose(float(told_error[1]), error, rtol=0.06), name
    box.get_by_role("button", name="Reset").click()
    assert ask("f.covariance.readings") == 0


def learns(box, ask, figure):
    """With each slider at its other end, the rates of arm, account and estimates are those of Python."""
    for slider in figure.spec["sliders"]:
        box.locator(f"input[data-name={slider['name']}]").press("End" if slider["value"] < slider["high"] else "Home")
    values = ask("f.values")
    q = np.array([0.4])
    qd = np.array([-1.1])
    *_, h, inertia, clock = ask(f"(f.runs[0].setState({q.tolist()}, {qd.tolist()}), f.runs[0].state)")
    chosen = [values[name] for name in ("damping", "gain", "fast", "slow")]
    arm = figure.part.subs(values)
    idle = (np.zeros(1), 1.0, np.zeros(2))
    total, power, *_, zd, _, _, _, _ = figure.functions["adaptive_torque"](
        arm, q, qd, [h, inertia], clock, *idle, *chosen
    )
    expected = [*qd, *rd.forward_dynamics(arm, q, qd, total), power, *zd, 1]
    assert np.allclose(ask("f.runs[0].rates(f.runs[0].state)"), expected, rtol=1e-9, atol=1e-9)


def tosses(box, ask, figure):
    """Tossed about its third axis, nearly, it has as much momentum as before, and the energy that Python says."""
    box.locator(".rd-stage canvas").press("3")
    ask("f.play(false)")
    omega = np.array(ask("f.runs[0].history.qd[0]"))
    first = figure.spec["start"]["qd"]
    momentum = lambda omega: np.linalg.norm(figure.body.inertia @ omega)
    assert np.argmax(abs(omega)) == 2 and np.isclose(momentum(omega), momentum(first))
    assert np.isclose(ask("f.runs[0].initial.T"), rd.rigid_body.kinetic_energy(figure.body, omega))


def sweeps(box, ask, figure):
    """The torques that it ends with are those of inverse dynamics, for the pose and the rates of its sliders."""
    for slider in figure.spec["sliders"]:
        box.locator(f"input[data-name={slider['name']}]").press("End" if slider["value"] < slider["high"] else "Home")
    values = ask("f.values")
    rates = figure.spec["rates"]
    qd = values["speed"] * np.array(rates["qd"])
    qdd = values["push"] * np.array(rates["qdd"])
    known = rd.inverse_dynamics(figure.arm, np.array(ask("f.runs[0].q")), qd, qdd)
    assert np.allclose(ask("f.runs[0].forcesAndMoments().tau"), known, rtol=1e-9, atol=1e-9)


def pushes(box, ask, figure):
    """In the pose of its sliders the hand has the mobility that Python computes."""
    for slider in figure.spec["sliders"]:
        box.locator(f"input[data-name={slider['name']}]").press("End" if slider["value"] < slider["high"] else "Home")
    mobility = rd.task_space.mobility(figure.arm, np.array(ask("f.runs[0].q")))
    assert np.allclose(ask("f.runs[0].tipMobility().mobility"), mobility, rtol=1e-9, atol=1e-9)


def reaches(box, ask, figure):
    """With each slider at its other end the solutions within the limits are those that Python finds."""
    for slider in figure.spec["sliders"]:
        box.locator(f"input[data-name={slider['name']}]").press("End" if slider["value"] < slider["high"] else "Home")
    figure.set(**ask("f.values"))
    place = ask("f.runs[0].place")
    found = ask("f.runs[0].found")
    inside = [solution["q"] for solution in found["solutions"] if solution["within"]]
    known = figure.solutions(place)
    assert len(inside) == len(known) and (not inside or np.allclose(inside, known, atol=1e-9))


def follows(box, ask, figure):
    """With each slider at its other end but the limit, which would not hold the start, a round ends where Python says."""
    for slider in figure.spec["sliders"][:3]:
        box.locator(f"input[data-name={slider['name']}]").press("End" if slider["value"] < slider["high"] else "Home")
    figure.set(**ask("f.values"))
    steps = round(4 * figure.spec["side_time"] / figure.spec["dt"])
    found = ask(
        f"(() => {{ f.restart(); for (let i = 0; i < {steps}; i++) f.runs[0].step(f.dt); return f.runs[0].q; }})()"
    )
    assert np.allclose(found, figure.rounds(1)[1], atol=1e-6)


def touches(box, ask, figure):
    """With each slider at its other end, the pen goes once around its square as Python says, with the same forces."""
    for slider in figure.spec["sliders"]:
        box.locator(f"input[data-name={slider['name']}]").press("End" if slider["value"] < slider["high"] else "Home")
    figure.set(**ask("f.values"))
    steps = round(4 * figure.spec["side_time"] / figure.spec["dt"])
    rows = ask(
        f"(() => {{ f.restart(); const rows = []; for (let i = 0; i < {steps}; i++) "
        "{ f.runs[0].step(f.dt); rows.push([...f.runs[0].place, ...f.runs[0].tip, ...f.runs[0].force]); } return rows; })()"
    )
    places, tips, forces = np.split(np.array(rows), 3, axis=1)
    known_tips, known_forces = figure.forces(places)
    assert np.allclose(tips, known_tips, atol=1e-9) and np.allclose(forces, known_forces, atol=1e-6)


def replays(box, ask, figure):
    """Each stored motion, once chosen, shows at the time of a sample the pose of that sample, as Python computed it."""
    for k, motion in enumerate(figure.spec["solutions"]):
        box.get_by_label(figure.spec["choice"], exact=True).select_option(label=motion["label"])
        sample = len(motion["q"]) // (k + 2)
        clock = box.locator(".rd-slider input[type=range]")
        clock.evaluate(
            "(input, t) => { input.value = t; input.dispatchEvent(new Event('input')); }", sample * figure.spec["dt"]
        )
        assert np.allclose(ask("f.runs[0].q"), motion["q"][sample], atol=1e-6)


def solves(box, ask, figure):
    """For another goal it settles on a motion whose cost is that which Python computes."""
    goal = [0.5, 1.0]
    ask(f"f.runs[0].aim({goal})")
    while ask("f.runs[0].iterate(1000)"):
        pass
    values = ask("f.values")
    dynamics, cost, x0, _ = figures.problem(figure, goal, values["effort"], values["velocity"])
    u = np.array(ask("f.runs[0].best.u"))
    assert np.isclose(cost.value(dynamics.rollout(x0, u)[0], u), ask("f.runs[0].best.c"), rtol=1e-9)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_light(browser, site, name):
    """All that a page loads, its figures, pictures, formulas and fonts."""
    context = browser.new_context()
    page = context.new_page()
    bodies = {}
    page.on("requestfinished", lambda request: bodies.update({request.url: request.sizes()["responseBodySize"]}))
    page.goto(address(site, "http", name), wait_until="networkidle")
    total = sum(bodies.values())
    context.close()
    print(f"{name}: {total / 1e6:.2f} MB in {len(bodies)} files")
    assert 2e5 < total < HEAVIEST, f"{total / 1e6:.2f} MB"


SCENES = {
    "resolved_rates": follows,
    "contact": touches,
    "inverse_kinematics": reaches,
    "free_body": tosses,
    "newton_euler": sweeps,
    "effective_mass": pushes,
}
