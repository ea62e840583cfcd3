"""What a moving figure computes in the page is what the library computes: 200 states and parameters for every program."""

import json
from dataclasses import replace

import figures
import numpy as np
import pytest
from arms import derivative
from figures import MODULES, chapter_figure, chapter_figures, figure_cells, kinds
from javascript import evaluated

import robotdyn as rd
from movingfigures.inverse_kinematics_figure import elbow_branches
from movingfigures.optimal_reach_figure import final_cost
from robotdyn.codegen.targets.python import compile_python

NUMBERS = 200
BY_ALGORITHM = 40  # of them are also compared with the algorithm itself, run on an arm of numbers


def drawn(figure, program, rng):
    """Random arguments of a program, a row for each of the NUMBERS states."""
    n = figure.spec["n"]
    arguments = {}
    for given in program.inputs:
        if given.free:
            continue
        spread = {"qd": 4.0, "tau": 20.0, "qdd": 20.0}.get(given.name, 2.0)
        arguments[given.name] = rng.normal(size=(NUMBERS, *given.shape)) * spread
    if "q" in arguments and figure.spec["joints"][-1]["drawing"] == "sleeve":
        arguments["q"][:, -1] = rng.uniform(0.2, 1.6, NUMBERS)
    if "hold" in arguments:
        places = arguments["hold"].shape[-1]
        arguments["hold"] = np.eye(places)[rng.integers(places, size=NUMBERS)]
        arguments["along"] = rng.uniform(0.05, 1, NUMBERS)
    for name in {"effort", "position", "velocity"} & set(arguments):  # prices
        arguments[name] = rng.uniform(0.1, 3, NUMBERS)
    if "V" in arguments:  # what is to come costs something in all directions
        arguments["V"] = arguments["V"] @ arguments["V"].mT + np.eye(2 * n)
    if "friction" in arguments:
        arguments["friction"] = rng.uniform(0, 2, size=(NUMBERS, n))
    return arguments


def slid(figure, rng):
    """Random values of the sliders, within their ranges, as many of each; a mass of zero has its own test."""
    rows = [(row["name"], row["low"], row["high"]) for row in figure.spec["sliders"]]
    return {name: rng.uniform(max(low, 0.02 * high), high, NUMBERS) for name, low, high in rows}


def flat(result):
    """The numbers of a result, one after the other, in a list."""
    if isinstance(result, (tuple, list)):
        return [number for part in result for number in flat(part)]
    return np.ravel(result).tolist() if isinstance(result, np.ndarray) else [result]


def worst(found, expected):
    """The largest difference of two rows, or tables of rows, of numbers beside the largest number of its row, or 1."""
    found = np.array(found, dtype=float)
    expected = np.array(expected, dtype=float)
    return (abs(found - expected).max(axis=-1) / np.maximum(1, abs(expected).max(axis=-1))).max()


def parsed(value):
    """JavaScript for a large value: text that is parsed as data is read in half the time of a program's."""
    return f"JSON.parse({json.dumps(json.dumps(value))})"


def in_python(program, inputs):
    """The results of a program, compiled for Python, a row for each of NUMBERS draws of its inputs."""
    function = compile_python(program)[1]
    lists = [np.reshape(inputs[i.name], (NUMBERS, -1)).tolist() for i in program.inputs]
    results = zip(*(function(*row) for row in zip(*lists)))
    return np.hstack([np.array(result) for result in results])


def by_algorithms(figure, key, settings, arguments):
    """Yield the results of the algorithm that a program was traced from, for the first draws."""
    for k, values in enumerate(settings[:BY_ALGORITHM]):
        arm = [figure.part.subs(values)] if figure.part else []
        yield flat(figure.functions[key](*arm, **{i: drawn[k] for i, drawn in arguments.items()}))


@pytest.mark.parametrize("name", [*kinds(), *(pytest.param(name, marks=pytest.mark.slow) for name in figure_cells())])
def test_the_page_computes_what_python_computes(name):
    """Each program of each figure, JavaScript against Python, to 1e-9 beside the largest number of a result."""
    figure = kinds().get(name) or chapter_figure(name)
    rng = np.random.default_rng(3)
    sliders = slid(figure, rng)
    settings = [{name: values[k] for name, values in sliders.items()} for k in range(NUMBERS)]
    source = [f"const settings = {parsed(settings)};"]
    calls = []
    expected = {}
    for key, script in figure.programs.items():
        program = script.program
        arguments = drawn(figure, program, rng)
        expected[key] = in_python(program, sliders | arguments)
        for k, by_algorithm in enumerate(by_algorithms(figure, key, settings, arguments)):
            assert worst(expected[key][k], by_algorithm) <= 1e-9, f"{key}: trace and algorithm differ"
        source.append(f"const {key} = {script.source[script.source.index('function') :]};")
        shaped = [arguments[i.name].tolist() for i in program.inputs if not i.free]
        rows = [[*row] for row in zip(*shaped)] or [[]] * NUMBERS
        calls.append(f"{parsed(rows)}.map((row, k) => [{key}(...row, settings[k])].flat(Infinity))")
    found = evaluated("\n".join(source), f"[{', '.join(calls)}]")
    for key, values in zip(figure.programs, found):
        apart = worst(values, expected[key])
        assert len(values) == NUMBERS and apart < 1e-9, f"{key}: {apart:.1e}"


def test_the_chapters_have_figures_of_many_kinds():
    """At least ten, in at least five chapters, and among them each thing that a figure can show."""
    figures = chapter_figures()
    assert len(figures) >= 10 and len({name.split("/")[0] for name in figures}) >= 5
    shown = {word for figure in figures.values() for word in (*figure.spec["panels"], *figure.spec["marks"])}
    assert shown >= {"energy", "phase", "joints", "terms", "map", "sensitivity", "ellipse", "trail", "coms", "torques"}
    assert {word for figure in figures.values() for word in figure.spec.get("terms", ())} >= {"coriolis", "hand"}
    acting = {run["applied_torque"] for figure in figures.values() for run in figure.spec["runs"]}
    assert acting >= {"joint", "compensated", "absolute"}


def test_each_figure_of_a_chapter_has_a_question_before_and_an_answer_after():
    """The reader is asked before the figure is touched, and is told afterward what there was to see; not at the entrance."""
    for path in sorted(figures.BOOK.glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf8"))["cells"]
        for k, cell in enumerate(cells):
            if figures.TAG in cell["metadata"].get("tags", []) and path.stem != "index":
                before, after = ("".join(cells[i]["source"]) for i in (k - 1, k + 1))
                assert "**Before you" in before and "?" in before.split("**Before you")[1], (path.stem, cell["id"])
                assert after.startswith(":::{dropdown} What to see\n"), (path.stem, cell["id"])


def test_the_terms_that_can_be_touched_balance():
    """Left and right of the equation have one sum, as the arm then moves; squares of rates know no sign, products need two."""
    figure = kinds()["equation"]
    rng = np.random.default_rng(8)
    arm = figure.arm
    words = figure.spec["terms"]
    for _ in range(20):
        q, qd, tau, friction, target = rng.normal(size=(5, 2))
        hold = np.eye(2)[rng.integers(2)]
        total, _, _, *right = figure.functions["joint"](arm, q, qd, tau, friction, hold, 0.7, target)
        qdd = rd.forward_dynamics(arm, q, qd, total)
        left = dict(zip(words, figure.functions["terms"](arm, q, qd, qdd)))
        assert np.allclose(sum(left.values()), sum(right), rtol=1e-11, atol=1e-11)
        for signs in ([-1, 1], [1, -1]):
            mirrored = dict(zip(words, figure.functions["terms"](arm, q, qd * signs, qdd)))
            assert np.allclose(mirrored["centrifugal"], left["centrifugal"], rtol=1e-12, atol=1e-12)
            assert np.allclose(mirrored["coriolis"], -left["coriolis"], rtol=1e-12, atol=1e-12)


def test_the_rate_of_growth_is_that_of_a_line_through_the_logarithm():
    """Exactly of an exponential; of two falls as NumPy fits it; only until the distance is 0.1 rad; its spread second by second."""
    times = np.arange(0, 6, 1 / 60)
    arm = rd.robots.uniform_two_link()
    fine = np.arange(0, 6, 0.004)
    one, other = (rd.simulate(arm, [angle, 0.3], [0, 0], None, fine).q for angle in (2.2, 2.2001))
    gap = np.linalg.norm(other - one, axis=1)
    rows = [[times, 1e-6 * np.exp(1.5 * times)], [times, 1e-3 * np.exp(2 * times)], [fine, gap]]
    calls = ", ".join(f"growth({t.tolist()}, {d.tolist()})" for t, d in rows)
    slow, quick, fall = evaluated("", f"[{calls}]", [MODULES / "growth.js"])
    assert np.allclose([slow["rate"], slow["spread"], slow["until"]], [1.5, 0, times[-1]], atol=1e-9)
    assert np.isclose(quick["rate"], 2) and np.isclose(quick["until"], np.log(100) / 2, atol=1 / 60)
    end = np.argmax(gap >= 0.1) + 1
    assert np.isclose(fall["rate"], np.polyfit(fine[:end], np.log(gap[:end]), 1)[0], rtol=1e-9)
    seconds = [(fine >= k) & (fine <= k + 1) & (np.arange(len(fine)) < end) for k in range(int(fine[end - 1]))]
    rates = [np.polyfit(fine[part], np.log(gap[part]), 1)[0] for part in seconds]
    assert np.isclose(fall["spread"], np.std(rates, ddof=1), rtol=1e-9) and fall["until"] == fine[end - 1]


def test_an_undriven_arm_keeps_its_energy_for_half_a_minute():
    """Six links without friction: within 1e-4 of the start, relative, over 30 s; the same steps as the page takes."""
    figure = kinds()["chain of 6"]
    source = f"const PROGRAMS = {{{figure.programs_text()}}};"
    spec = json.dumps(figure.spec)
    found = evaluated(
        source
        + f"""
        const figure = {{spec: {spec}, parameters: {json.dumps(figure.values)}, springs: []}};
        figure.tau = figure.friction = Array(6).fill(0);
        figure.dt = figure.spec.dt;
        const run = new Run(figure, figure.spec.runs[0], PROGRAMS), start = run.energy().E;
        let worst = 0;
        while (run.t < 30) {{ run.step(figure.dt); worst = Math.max(worst, Math.abs(run.energy().drift / start)); }}
        """,
        "[start, worst, run.t]",
        [MODULES / "motion.js"],
    )
    assert abs(found[0]) > 100 and found[1] < 1e-4 and found[2] >= 30


@pytest.mark.parametrize("joints", [None, ("revolute", "prismatic", "revolute", "screw")])
def test_the_sweeps_find_what_newton_and_euler_ask_for(joints):
    """F and N of each link are the rates of its momenta, by differences along a motion; each joint carries all that follows it."""
    from movingfigures.newton_euler_figure import newton_euler_stages

    rng = np.random.default_rng(4)
    arm = rd.robots.puma560() if joints is None else rd.robots.random_arm(rng, len(joints), joints)
    arm = replace(arm, links=[replace(link, motor_inertia=0.2 * i) for i, link in enumerate(arm.links)])
    q, qd, qdd = rng.normal(size=(3, arm.n))
    omega, alpha, a, F, N, f, m, tau = newton_euler_stages(arm, q, qd, qdd)

    def momenta(t):
        at = q + t * qd + t * t / 2 * qdd
        rate = qd + t * qdd
        R, p = rd.link_poses(arm, at)
        J = [rd.com_jacobian(arm, at, i) @ rate for i in range(arm.n)]
        coms = [p[i] + R[i] @ link.com for i, link in enumerate(arm.links)]
        spins = [R[i] @ link.inertia @ R[i].T @ J[i][3:] for i, link in enumerate(arm.links)]
        return np.array([[x[:3], x[3:], L, c, o] for x, L, c, o in zip(J, spins, coms, p)])

    h = 1e-5
    rates = (momenta(h) - momenta(-h)) / (2 * h)
    now = momenta(0.0)
    mass = np.array([link.mass for link in arm.links])
    near = lambda found, known: np.allclose(found, known, rtol=1e-6, atol=1e-6)
    assert near(omega, now[:, 1]) and near(alpha, rates[:, 1])
    assert (
        near(a, rates[:, 0] - arm.gravity)
        and near(F, mass[:, None] * (rates[:, 0] - arm.gravity))
        and near(N, rates[:, 2])
    )
    for i in range(arm.n):
        arms = now[i:, 3] - now[i, 4]
        assert near(f[i], F[i:].sum(axis=0)) and near(m[i], (N[i:] + np.cross(arms, F[i:])).sum(axis=0))
    assert np.allclose(tau, rd.inverse_dynamics(arm, q, qd, qdd), rtol=1e-10, atol=1e-10)


def test_the_skin_around_sphere_and_ellipsoid_is_the_outer_one_of_the_two():
    """Its corners lie on the one and not within the other; it is cut where both meet, so that it leaves no part of either out."""
    semi = np.array([0.7, 1.05, 1.3])
    shell = f"Momentum.prototype.outerSurface.call(null, 1, {semi.tolist()})"
    parts = evaluated("", shell, [MODULES / "free_body_figure.js"])
    for faces, (own, other) in zip(parts, [(np.ones(3), semi), (semi, np.ones(3))]):
        points = np.array([point for face in faces for point in face])
        on_own, on_other = (np.sum((points / axes) ** 2, axis=1) for axes in (own, other))
        assert len(faces) > 100 and (on_other > 1 - 0.02).all()
        assert np.allclose(on_own, 1, atol=0.02) and np.median(abs(on_own - 1)) < 1e-12
    polygons = [np.array(face) for faces in parts for face in faces]
    area = sum(np.linalg.norm(np.cross(f, np.roll(f, -1, axis=0)).sum(axis=0)) / 2 for f in polygons)
    assert area > 4 * np.pi, "the skin is closed, and lies outside of the sphere"


def test_principal_directions_are_those_of_numpy():
    """Of symmetric matrices, also singular ones and one with equal values: values in order, directions that make a frame."""
    rng = np.random.default_rng(6)
    matrices = [A @ A.T for A in rng.normal(size=(20, 3, 3))] + [np.diag([2.0, 1.0, 1.0]), np.zeros((3, 3))]
    matrices += [np.outer(a, a) for a in rng.normal(size=(3, 3))]
    given = json.dumps([A.tolist() for A in matrices])
    for A, found in zip(matrices, evaluated("", f"{given}.map(principal)", [MODULES / "vectors.js"])):
        values = np.array(found["values"])
        V = np.array(found["axes"]).T
        assert np.allclose(values, np.linalg.eigvalsh(A), atol=1e-12) and np.allclose(V.T @ V, np.eye(3), atol=1e-12)
        assert np.allclose(V * values @ V.T, A, atol=1e-12)


def test_the_page_finds_the_motion_that_the_library_finds():
    """iLQR in the page, from the same first guess, ends with the torques of `rd.ilqr`, to 1e-6 of the largest."""
    figure = kinds()["reach"]
    tries = [((1.0, 0.9), -1.0, 3.0), ((0.3, -1.4), 1.0, 1.0)]
    source = [f"const programs = {{{figure.programs_text()}}};"]
    source.append(
        "const solved = (task, x, u) => { let best = rollout(programs, task, x, u), next, n = 0;"
        " while (n++ < 3000 && (next = ilqrIteration(programs, task, best, 1e-17))) best = next; return [best.u, best.c]; };"
    )
    calls = []
    expected = []
    for goal, effort, velocity in tries:
        dynamics, cost, x0, u0 = figures.problem(figure, goal, effort, velocity)
        expected.append(rd.ilqr(dynamics, cost, x0, u0, tolerance=1e-17, max_iterations=3000, progress=False))
        task = {"goal": goal, "position": figure.spec["task"]["position"]}
        task |= {"effort": 10**effort, "velocity": 10**velocity}
        calls.append(f"solved({json.dumps(task)}, {json.dumps(x0.tolist())}, {json.dumps(u0.tolist())})")
    found = evaluated("\n".join(source), f"[{', '.join(calls)}]", [MODULES / "ilqr.js"])
    for (u, c), known, (goal, *_) in zip(found, expected, tries):
        assert abs(c / known.cost - 1) < 1e-9, goal
        assert abs(np.array(u) - known.u).max() < 1e-6 * abs(known.u).max(), goal


@pytest.mark.parametrize("joints", [1, 2, 3])
def test_the_price_of_the_end_has_the_derivatives_of_the_same_costs(joints):
    """c, c_x and Gauss and Newton's c_xx are those of rd.costs; that of the rates, a square, is the slope of c_x."""
    arm = rd.robots.planar(joints)
    rng = np.random.default_rng(joints)
    x, goal, (position, velocity) = rng.normal(size=2 * joints), rng.normal(size=2), rng.uniform(1, 9, 2)
    c, v, V = final_cost(arm, x, goal, position, velocity)
    cost = rd.costs.tip_position(arm, goal, position) + rd.costs.joint_velocity(velocity)
    l_x, _, l_xx, *_ = cost.expand(x[None], np.zeros((0, joints)))
    assert np.isclose(c, cost.value(x[None], np.zeros((0, joints))))
    assert np.allclose(v, l_x[0], rtol=1e-12) and np.allclose(V, l_xx[0], rtol=1e-12, atol=1e-12)
    slopes = derivative(lambda x: final_cost(arm, x, goal, position, velocity)[1], x)
    assert np.allclose(V[:, joints:], slopes[:, joints:], atol=1e-6)


@pytest.mark.parametrize("lengths", [(0.5, 0.4, 0.15), (0.4, 0.5, 0.15), (0.3, 0.3, 0.2)])
def test_both_elbows_are_those_of_all_solutions(lengths):
    """Whichever link is the longer one; and joint 3 comes as near to joint 1, and as far from it, as is told."""
    arm = rd.robots.planar(lengths)
    turned = rd.link_poses(arm, np.stack([np.zeros(721), np.linspace(-np.pi, np.pi, 721), np.zeros(721)], axis=1))[1]
    reach = np.linalg.norm(turned[:, 2], axis=-1)
    rng = np.random.default_rng(4)
    for q in rng.uniform(-2, 2, (10, 3)):
        R, p = rd.tip_pose(arm, q)
        w, ends, rows = elbow_branches(arm, p[:2], q.sum())
        assert np.allclose(w, rd.link_poses(arm, q)[1][2][:2])
        assert np.allclose(ends, [reach.min(), reach.max()], atol=1e-12)
        both = rd.inverse_kinematics.all_solutions(arm, rd.motions.homogeneous(R, p)).q[:, :2]
        found = np.arctan2(rows[:, 1::2], rows[:, ::2])
        assert sorted(map(tuple, np.round(found, 6) + 0.0)) == sorted(map(tuple, np.round(both, 6) + 0.0))


def test_motors_that_hold_do_what_the_law_of_control_does():
    """Springs, the known share of the weight and friction are those of rd.control; what is stored changes by friction alone."""
    figure = kinds()["held"]
    arm = figure.arm
    k = 60.0
    w = 0.5
    b = np.array([5.0, 5.0])
    q, qd = np.array([[0.4, -1.2], [0.7, -0.3]])
    idle = {"hold": np.zeros(2), "along": 1.0, "target": np.zeros(2)}
    total, power, *_ = figure.functions["joint"](arm, q, qd, np.zeros(2), b, *idle.values(), k, w)
    spring = rd.control.pd(arm, k, b, [0.2, 0.8], gravity=False)(0.0, q, qd)
    assert np.allclose(total, spring + w * rd.gravity_torque(arm, q)) and np.isclose(power, -qd @ (b * qd))
    qdd = rd.forward_dynamics(arm, q, qd, total)
    h = 1e-5
    ahead, back = (sum(figure.functions["energies"](arm, q + s * qd, qd + s * qdd, k, w)) for s in (h, -h))
    assert np.isclose((ahead - back) / (2 * h), power, rtol=1e-6)


def test_the_page_learns_as_the_library_learns():
    """Steps of the page lead the arm and its estimates where rd.control.adaptive leads them; V falls, and the account is even."""
    figure = kinds()["learner"]
    source = f"const PROGRAMS = {{{figure.programs_text()}}};"
    source += f"""
        const spec = {json.dumps(figure.spec)}, figure = {{spec, parameters: {json.dumps(figure.values)}, springs: []}};
        const run = new AdaptiveArm(figure, spec.runs[0], PROGRAMS), V = [run.energy().E];
        while (run.t < 1 - 1e-9) {{ run.step(spec.dt); V.push(run.energy().E); }}
    """
    state, V, drift = evaluated(source, "[run.state, V, run.energy().drift]", [MODULES / "adaptive_control_figure.js"])
    known = figure.fall(np.arange(0, 1 + 1e-9, figure.spec["dt"]))
    assert np.allclose(state[:2], [known.q[-1, 0], known.qd[-1, 0]], rtol=1e-9)
    assert np.allclose(state[3:5], known.state[-1, [1, 9]], rtol=1e-9)
    assert np.diff(V).max() < 1e-12 and V[-1] < 0.999 * V[0] and abs(drift) < 1e-8


@pytest.mark.parametrize("button", ["restart", "reset"])
def test_from_the_start_nothing_is_known(button):
    """Restart and Reset forget readings, time and motion: what is read after them is what a new figure reads."""
    figure = kinds()["covariance"]
    source = f"""
        const PROGRAMS = {{{figure.programs_text()}}}, spec = {json.dumps(figure.spec)}, idle = () => {{}};
        const page = {{play: idle, announceState: idle, sendToKernel: idle, requestFrame: idle, sliders: [], stages: [], parameters: {{}}, springs: []}};
        function alone() {{
          const figure = Object.assign(Object.create(Figure.prototype), page, {{spec, tau: [3, -1], friction: [0.5, 0.5], dt: spec.dt}});
          figure.covariance = new Covariance(figure);
          figure.runs = [new Run(figure, spec.runs[0], PROGRAMS)];
          return figure;
        }}
        function known(figure, until) {{
          while (figure.runs[0].t < until) figure.runs[0].step(spec.dt);
          return [figure.covariance.readings, figure.covariance.A, figure.runs[0].t, figure.runs[0].state];
        }}
        const first = alone(), second = alone(), longer = known(first, 1.53);
        first.{button}();
    """
    told = "[longer, known(first, 0), known(alone(), 0), [known(first, 1.03), known(second, 1.03)]]"
    modules = [MODULES / name for name in ("figure.js", "covariance.js", "motion.js")]
    longer, begun, new, again = evaluated(source, told, modules)
    assert longer[0] == 15 and begun[0] == 0 and begun == new
    assert again[0] == again[1] and again[0][0] == 10


def test_what_readings_tell_is_the_sum_of_all_of_them():
    """Twenty in two seconds, whatever the frames; errors and ellipses are those of the inverse in NumPy; one sum alone is told."""
    figure = kinds()["covariance"]
    source = f"""
        const PROGRAMS = {{{figure.programs_text()}}}, spec = {json.dumps(figure.spec)}, states = [];
        function alone() {{
          const figure = {{spec, parameters: {{}}, springs: [], tau: [3, -1], friction: [0.5, 0.5], dt: spec.dt}};
          figure.covariance = new Covariance(figure);
          return new Run(figure, spec.runs[0], PROGRAMS);
        }}
        const run = alone(), framed = alone(), told = run.figure.covariance;
        while (run.t < 2.04) {{
          run.step(spec.dt);
          if (told.readings > states.length) states.push([run.t, ...run.q, ...run.qd]);
        }}
        while (framed.t < 2.04) framed.advance(0.013);
    """
    shown = "told.A, framed.figure.covariance.A, told.names.map((_, k) => told.error(k)), told.pairs.map(p => told.ellipse(p))"
    states, A, framed, errors, ellipses = evaluated(
        source, f"[states, {shown}]", [MODULES / "covariance.js", MODULES / "motion.js"]
    )
    times, states = np.split(np.array(states), [1], axis=1)
    assert np.allclose(times[:, 0], 0.1 * np.arange(1, 21), atol=1.001 * figure.spec["dt"]) and framed == A
    arm = figure.arm
    tau = np.array([3.0, -1.0])
    b = 0.5
    law = lambda t, q, qd: tau - b * qd + rd.gravity_torque(arm, q)
    known = rd.simulate(arm, *figure.spec["start"].values(), law, np.linspace(0, times[-1, 0], 1001))
    assert np.allclose(known.q[-1], states[-1, :2], atol=1e-6), "the arm floats as in the library"
    q = states[:, :2]
    qd = states[:, 2:]
    qdd = np.array([rd.forward_dynamics(arm, x, v, law(0, x, v)) for x, v in zip(q, qd)])
    phi = rd.parameters(arm)
    places = [1, 9, 10, 11, 19]  # m_1 c_1x, I_1zz, m_2, m_2 c_2x, I_2zz
    W = rd.regressor(arm, q, qd, qdd)[..., places].reshape(-1, 5)
    assert np.allclose(W @ phi[places], rd.inverse_dynamics(arm, q, qd, qdd).ravel()), (
        "five parameters make all torques"
    )
    assert np.allclose(A, W.T @ W + 1e-6 * np.eye(5), rtol=1e-9, atol=1e-9)
    covariance = np.linalg.inv(W.T @ W + 1e-6 * np.eye(5))
    assert np.allclose(errors, np.sqrt(covariance.diagonal()), rtol=1e-3)
    for pair, points in zip(figure.spec["covariance"]["pairs"], np.array(ellipses)):
        block = covariance[np.ix_(pair, pair)]
        assert np.allclose(np.einsum("ki,ij,kj->k", points, np.linalg.inv(block), points), 1, rtol=1e-2)
    long = ellipses[1][np.argmax(np.linalg.norm(ellipses[1], axis=1))]
    assert np.isclose(long[1] / long[0], -1 / 0.4, rtol=1e-3) and min(errors[:3]) > 100 > 1 > max(errors[3:])
