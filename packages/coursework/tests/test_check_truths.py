"""What a check says is true: no right answer is refused, check and grade agree, each sentence names what was done."""

import cmath
import functools
import math
import re
import sys
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
import robot_file_truths
import sympy as sp
from grading_kit import PYTHONPATH, ROOT
from right_answers import ASSIGNMENTS, SLOW, refused
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq, least_squares, linprog, root
from scipy.special import lambertw

import robotdyn as rd
from coursework import check
from coursework.check import session, slips
from coursework.check.data import as_data, calls_as_data
from coursework.check.question import diagnose
from coursework.check.session import assignment_module, parameters_of


def left_of(p):
    """The inertia of the drilled block: block less cylinder, from the library's bodies and their parallel axes."""
    radius, *place = p.hole
    block, hole = rd.bodies.box(p.density * np.prod(p.block), p.block), rd.bodies.cylinder(1.0, radius, p.block[2])
    missing = p.density * np.pi * radius**2 * p.block[2]
    left, shift = block.mass - missing, np.array([*place, 0.0])
    moved = rd.Body(1.0, shift, hole.inertia).about((0, 0, 0)) * missing
    com = -missing * shift / left
    return block.inertia - moved - left * (com @ com * np.eye(3) - np.outer(com, com))


def pitch_of(p):
    """The pitch of a displacement, from the eigenvalues of its rotation."""
    R, shift = map(np.array, p.pose)
    values, vectors = np.linalg.eig(R)
    axis = vectors[:, abs(values - 1).argmin()].real
    way = np.sign(axis @ np.cross([1, 0, 0], R[:, 0]))  # from where the x axis goes
    return axis @ shift / (way * np.angle(values).max())


def revolutions_of(p):
    """From the eigenvalues of Euler's equation, linearized about the middle axis at unit spin."""
    first, middle, last = np.sort(np.diag(rd.bodies.box(1.0, p.brick).inertia))
    rate = np.linalg.eigvals([[0, (middle - last) / first], [(first - middle) / last, 0]]).real.max()
    return math.log(100) / rate / math.tau


def turn_of(p):
    """The turn of the floating body: Lagrange's identity gives inertias about the common center of mass from distances."""
    (mass, radius), ((m1, l1), (m2, l2)) = p.body, p.links

    def share(elbow):
        ends = [(mass, 0.0), (m1, l1 / 2), (m2, l1 + elbow * l2 / 2)]
        pairs = sum(a * b * (x - y) ** 2 for a, x in ends for b, y in ends) / 2 / (mass + m1 + m2)
        arm = pairs + (m1 * l1**2 + m2 * l2**2) / 12
        return arm / (mass * radius**2 / 2 + arm)

    return p.swing * (share(-1) - share(1))


def first_reading(p):
    """The tilt at the release: the specific force has no part across the rod at the center of oscillation."""
    (mass, length), bob = p.rod, p.bob
    center = length * (mass / 3 + bob) / (mass / 2 + bob)
    return math.atan((1 - p.sensor / center) * math.tan(p.held))


def loss_of_speed(p):
    """How much of the speed of the hand along x a blow of 1 N s takes, in 1/kg: by J and M of a chain of two bodies."""
    (a, b), (c, d), (first, second) = p.lengths, p.coms, np.cumsum(p.q)
    across = lambda x: np.array([-np.sin(x), np.cos(x)])
    centers = np.array([[c * across(first), 0 * across(first)], [a * across(first), d * across(second)]])
    mass = np.einsum("i,ijx,ikx->jk", p.masses, centers, centers) + np.diag(p.inertias)  # in absolute angles
    along = np.array([a * across(first), b * across(second)])[:, 0]
    return along @ np.linalg.solve(mass, along)


def least_friction(p):
    """Where the friction of a Stribeck curve is least: 2 (stiction - sliding) u exp(-u^2) = b w, by Lambert's function."""
    c = p.viscous * p.width / (2 * (p.stiction - p.sliding))
    return p.width * math.sqrt(-lambertw(-2 * c**2, -1).real / 2)


def on_the_table(p):
    """The force on a hand that rests on a table, from the linear system of its accelerations, in absolute angles."""
    (a, b), (light, heavy), turns = p.lengths, p.masses, np.cumsum(p.q)
    coupled = heavy * a * b / 2 * math.cos(turns[0] - turns[1])
    mass = np.array([[light * a**2 / 3 + heavy * a**2, coupled], [coupled, heavy * b**2 / 3]])
    weight = 9.81 * np.cos(turns) * [light * a / 2 + heavy * a, heavy * b / 2]
    lifted = np.cos(turns) * [a, b]
    system = np.block([[mass, -lifted[:, None]], [lifted, np.zeros(1)]])
    return np.linalg.solve(system, [*-weight, 0])[2]


def least_error(p):
    """The spacing of a second difference with the least mean square error: where its slope changes sign."""
    step, rate = math.tau / 2**p.bits, math.tau * p.frequency
    noise, curve = (1 + 4 + 1) * step**2 / 12, p.swing * rate**4 / 12
    return brentq(lambda h: -4 * noise / h**5 + 4 * curve**2 / 2 * h**3, 1e-5, 1 / p.frequency, xtol=1e-14)


def settled(p):
    """Where spring and load pull alike."""
    return brentq(lambda q: p.stiffness * (p.goal - q) - p.load * 9.81 * p.reach * math.cos(q), -4, 4)


def edge_of_rest(p):
    """The period at which the larger eigenvalue of a step has the size 1."""

    def grows(h):
        a, b = p.kp * h / p.inertia, p.kd * h / p.inertia
        mean, product = (2 - a * h / 2 - b) / 2, (1 - a * h / 2) * (1 - b) + a * h * (1 - b / 2)
        root = cmath.sqrt(mean**2 - product)
        return max(abs(mean + root), abs(mean - root)) - 1

    return brentq(grows, 1e-3 * p.inertia / p.kd, 4 * p.inertia / p.kd, xtol=1e-14)


def worst_swing(p):
    """The largest error under a bounded push: the push times the integral of the size of the error's answer to a blow."""
    slow, rate = p.kd / 2, math.sqrt(p.kp - p.kd**2 / 4)
    blow = lambda t: abs(math.exp(-slow * t) * math.sin(rate * t) / rate)
    half = math.pi / rate
    return p.most * sum(quad(blow, k * half, (k + 1) * half)[0] for k in range(100))


def work_of_the_pull(p):
    """The work of the slider's motor against the centrifugal force, step by step inward."""
    arm = turning_slider(p)
    M = lambda r: rd.mass_matrix(arm, [0.0, r])[0, 0]
    momentum = M(p.reach) * p.spin
    places, weights = np.polynomial.legendre.leggauss(9)
    places = p.near + (p.reach - p.near) * (places + 1) / 2
    return (p.reach - p.near) / 2 * sum(w * p.masses[1] * r * (momentum / M(r)) ** 2 for r, w in zip(places, weights))


# Answers that are numbers, derived once more: {(assignment, question): the answer}.
NUMBERS = {
    ("unknown", "spacing"): least_error,
    ("control", "rest"): settled,
    ("control", "longest"): edge_of_rest,
    ("other-arm", "bound"): worst_swing,
    ("joints", "fade"): lambda p: (-1 - lambertw(-1 / (math.e * p.less), -1).real) / p.seconds,
    ("joints", "gear"): lambda p: max(np.roots([p.motor * p.rotor, -2 * p.load * p.rotor, -p.motor * p.link])),
    ("joints", "slowest"): least_friction,
    ("joints", "table"): on_the_table,
    ("hands", "blow"): lambda p: (1 + p.bounce) * p.speed / (loss_of_speed(p) + 1 / p.head),
    ("simulation", "unstable-pole"): lambda p: math.sqrt(9.81 / p.length),
    ("lagrange", "frequency"): lambda p: math.sqrt(9.81 * (1 + p.bob / p.cart) / p.length),
    ("n-link", "find-the-error"): lambda p: sum(p.bodies[p.entry[1] - 1 :]),
    ("rp", "pull-in-work-done"): work_of_the_pull,
    ("simulation", "growth-of-swing"): lambda p: (
        100 * (abs(np.linalg.eigvals([[1, p.step], [-p.step * 9.81 / p.length, 1]])[0]) ** 1000 - 1)
    ),
    ("rp", "floating-slider"): lambda p: math.sqrt(9.81 * math.sin(p.angle) / p.reach),
    ("two-link", "holding-torque"): lambda p: (
        9.81 * (p.masses[0] * p.coms[0] + p.masses[1] * (p.lengths[0] + p.coms[1]))
    ),
    ("bodies", "one-turn"): lambda p: 2 * math.acos(math.cos(p.turns[0] / 2) * math.cos(p.turns[1] / 2)),
    ("bodies", "pitch"): pitch_of,
    ("bodies", "drilled-block"): left_of,
    ("bodies", "revolutions"): revolutions_of,
    ("space", "first-reading"): first_reading,
    ("space", "floating-turn"): turn_of,
}


@pytest.mark.parametrize(
    "ids", [range(300), pytest.param(range(300, 1000), marks=pytest.mark.slow)], ids=["300", "1000"]
)
@pytest.mark.parametrize(("assignment", "question"), NUMBERS)
def test_no_id_draws_numbers_for_which_a_mistake_is_right(assignment, question, ids):
    """For a thousand ids the right number holds, and each typical mistake is 1 % away or more."""
    spec, right = assignment_module(assignment).QUESTIONS[question], NUMBERS[assignment, question]
    for number in ids:
        p = parameters_of(assignment, f"s{number:04d}")
        answer = right(p)
        assert diagnose(spec, p, as_data(answer)) == [], number
        gaps = [np.max(np.abs(np.subtract(mistake(p), answer))) for mistake in spec.mistakes.values()]
        assert all(gap >= 0.01 * np.max(np.abs(answer)) for gap in gaps), number


def quick(name):
    """The questions that a machine judges at once."""
    return [q for q, spec in assignment_module(name).QUESTIONS.items() if spec.judged != "person" and q not in SLOW]


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_right_answers_hold_for_many_students(name):
    """By the laws that the students read, and beside the solution."""
    pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")
    assert refused(name, [f"x{number:04d}" for number in range(20)], quick(name)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["control", "hands", "other-arm", "rp", "simulation", "space", "unknown"])
def test_right_plots_and_controllers_hold_for_many_students(name):
    """They take longer; `python tests/right_answers.py` tries more."""
    pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")
    slow = [question for question in assignment_module(name).QUESTIONS if question in SLOW]
    assert refused(name, [f"s{number:04d}" for number in range(30)], slow) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_right_answers_hold_for_hundreds_of_students(name):
    """The same; `python tests/right_answers.py` tries three thousand of each assignment."""
    pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")
    assert refused(name, [f"s{number:04d}" for number in range(500)], quick(name)) == []


def turning_slider(p):
    """The arm of the assignment "rp"."""
    return rd.robots.rp(p.masses, (p.com, 0.0), (0.0, 0.0), p.inertias)


@pytest.fixture
def rp(capsys):
    """Ada begins the assignment "rp"."""
    numbers = check.begin("rp", student="ada")
    capsys.readouterr()
    return numbers


def test_a_function_that_changes_its_input_is_judged_by_what_it_gives(rp, capsys):
    """It is called with copies, here and where it is graded, and told what it does."""
    p = rp

    def torque(q, qd, qdd):
        tau = rd.inverse_dynamics(turning_slider(p), q, qd, qdd)
        q[0] += 1.0
        return tau

    check.answer("inverse-dynamics", torque)
    said = capsys.readouterr().out
    assert "every check holds" in said and "changes what it is given" in said
    inputs = [(np.ones(2), np.ones(2), np.ones(2))]
    data = calls_as_data(torque, inputs)
    assert (inputs[0][0] == 1.0).all() and data["changed"]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "None: what it was set to gave nothing back, as print, append and sort do. For a hint"),
        (np.linalg.lstsq(np.eye(3)[:, :2], np.ones(3), rcond=None), "4 parts of different shapes"),
        (sp.Symbol("q_1") * 2, "the symbol q1 is left in the answer"),
        ("l_2*9.81", "the symbol l2 is left in the answer"),
    ],
)
def test_a_number_that_is_none_is_told_what_it_is(rp, capsys, value, words):
    """In a sentence with one mark at its end, without arguments of no function."""
    check.answer("floating-slider", value)
    said = capsys.readouterr().out.replace("\n  ", " ")
    assert words in said and "?." not in said and "(at " not in said


HOLDS_ITSELF = []
HOLDS_ITSELF.append(HOLDS_ITSELF)


@pytest.mark.parametrize(
    ("question", "value", "words"),
    [
        ("plot-holding", np.zeros(181), "it should be a plot of the holding torque"),
        ("coriolis-matrix", {"C": 1}, "it should be 2 by 2 formulas"),
        ("inverse-dynamics", lambda q, qd, qdd: {"tau": q}, "it should be a list of 2 numbers"),
        ("inverse-dynamics", lambda q, qd, qdd: "[1, 2]", "'[1, 2]' is no part of a formula"),
        ("floating-slider", "2.5", "At that rate the acceleration"),
        ("floating-slider", "2,5", "decimals need a point"),
        ("floating-slider", 2 + 1j, "The answer is complex, where real numbers are asked for."),
        ("floating-slider", 10**400, "a number that is larger than a machine computes with"),
        ("floating-slider", sp.oo, "It is not a finite number."),
        ("floating-slider", [..., ...], "entries of type ellipsis, where numbers"),
        ("inverse-dynamics", lambda q, qd, qdd: [1.0, np.nan], "It is not a finite number. Look at entry (2)."),
        ("coriolis-matrix", HOLDS_ITSELF, "a list that is nested too deeply, or holds itself"),
    ],
)
def test_an_answer_of_another_kind_is_told_what_is_asked_for(rp, capsys, question, value, words):
    """Never a number where a plot is asked for; a number as text is a number."""
    check.answer(question, value)
    assert words in capsys.readouterr().out.replace("\n ", "")


@pytest.mark.parametrize(
    ("factor", "words"), [(1.002, "round later, an error of 0.01 % is allowed"), ((9.8 / 9.81) ** 0.5, "g is 9.81")]
)
def test_a_near_miss_is_told_to_be_one(rp, capsys, factor, words):
    """Rounding and another g have their own words."""
    check.answer("floating-slider", factor * NUMBERS["rp", "floating-slider"](rp))
    assert words in capsys.readouterr().out.replace("\n ", "")


def test_a_near_miss_of_a_torque_is_told_to_be_one(capsys):
    """Where a law compares numbers, it says how exactly."""
    p = check.begin("two-link", student="ada")
    right = NUMBERS["two-link", "holding-torque"](p)
    check.answer("holding-torque", right * 1.004)
    check.answer("holding-torque", right * 9.8 / 9.81 * 0.99997)
    said = capsys.readouterr().out.replace("\n ", "")
    assert "It is close: round later, an error of 0.01 % is allowed" in said
    assert "It is close: g = 9.8 gives it, and g is 9.81 m/s^2 here" in said


def best_inputs(p):
    """The inputs of the cart that cost least: normal equations of the end that each input alone leads to."""
    ends = [(p.dt**2 * (p.steps - 2 - k), p.dt) for k in range(p.steps - 1)]
    S = np.array(ends).T
    return np.linalg.solve(p.weight * S.T @ S + p.effort * np.eye(p.steps - 1), p.weight * S.T @ [p.goal, 0.0])


def fitted(p):
    """The parameters that fit the measurements best: normal equations."""
    q, qd, qdd, tau = p.measured
    rows = np.array([qdd, qd, np.cos(q)])
    return np.linalg.solve(rows @ rows.T, rows @ tau)


def rung(p):
    """The gain at which the largest real part of the roots of the loop is zero, and the rate of these roots."""
    m, b, k, share = p.press
    roots = lambda gain: np.roots([m, b, k * (1 + share), k * gain])
    gain = brentq(lambda gain: roots(gain).real.max(), 1.0, 1000.0, xtol=1e-12)
    return np.array([gain, roots(gain).imag.max()])


def least_absolute_deviations(rows, tau):
    """The parameters with the least sum of sizes of the residuals: a linear program."""
    n, m = rows.shape
    cost, equal = np.r_[np.zeros(m), np.ones(2 * n)], np.c_[rows, np.eye(n), -np.eye(n)]
    bounds = [(None, None)] * m + [(0, None)] * (2 * n)
    return linprog(cost, A_eq=equal, b_eq=tau, bounds=bounds).x[:m]


def robust(loss):
    """An estimate that lets large residuals count less."""
    return lambda rows, tau: least_squares(lambda x: (rows @ x - tau) / 0.05, np.zeros(3), loss=loss).x


OTHER_METHODS = {
    "least absolute deviations": least_absolute_deviations,
    "Huber": robust("huber"),
    "Cauchy": robust("cauchy"),
}


@pytest.mark.parametrize("students", [range(20), pytest.param(range(300), marks=pytest.mark.slow)], ids=["20", "300"])
@pytest.mark.parametrize("method", OTHER_METHODS)
def test_an_estimate_by_another_method_holds(method, students):
    """What the noise allows is right; one percent more of all, no friction and sine for cosine are not."""
    spec = assignment_module("simulation").QUESTIONS["identify"]
    for number in students:
        p = parameters_of("simulation", f"x{number:04d}")
        q, qd, qdd, tau = p.measured
        rows = np.column_stack([qdd, qd, np.cos(q)])
        found = OTHER_METHODS[method](rows, tau)
        assert diagnose(spec, p, as_data(found)) == [], number
        turned = OTHER_METHODS[method](np.column_stack([qdd, qd, np.sin(q)]), tau)
        for wrong in (1.015 * found, found * [1, 0, 1], turned):
            assert diagnose(spec, p, as_data(wrong)) != [], number


def through_the_elbow(p):
    """The force at two sliders in the elbow that do not move, in axes of the base, and the torque of the elbow."""
    (a, _), (light, heavy), (c, d), (I, J) = p.lengths, p.masses, p.coms, p.inertias
    turning = lambda inertia: inertia * np.diag([0.5, 0.5, 1])
    links = [
        rd.Link(light, com=(c, 0, 0), inertia=turning(I)),
        rd.Link(0, joint="prismatic", axis=(1, 0, 0), position=(a, 0, 0)),
        rd.Link(0, joint="prismatic", axis=(0, 1, 0)),
        rd.Link(heavy, com=(d, 0, 0), inertia=turning(J)),
    ]
    motion = [np.array([x, 0, 0, y]) for x, y in (p.q, p.qd, p.qdd)]
    _, x, y, moment = rd.inverse_dynamics(rd.Arm(links, gravity=(0, -9.81, 0)), *motion)
    turn, other = np.cos(p.q[0]), np.sin(p.q[0])
    return np.array([turn * x - other * y, other * x + turn * y, moment])


def left_free(p):
    """Freedoms by Gruebler's count: those of the bodies, less what each joint takes."""
    tray = 3 * (sum(p.hands) - 1) - 2 * sum(p.hands)
    door = 6 * (p.handle + 1) - 5 * (p.handle + 2)
    return np.array([3 * p.chain - 2 * (p.chain + 1), tray, door, 6 * (1 + 2 * p.legs) - p.legs * (4 + 5 + 4)])


def rounds(p):
    """Wait and slip, from the motion of the shaft after a slip began: its winding is at the motor's rate when it ends."""
    omega, fall = math.sqrt(p.spring / p.inertia), (p.stiction - p.sliding) / p.spring
    faster = lambda t: p.speed * (math.cos(omega * t) - 1) - fall * omega * math.sin(omega * t)
    slip = brentq(faster, math.pi / omega, (math.tau - 1e-6) / omega)
    wound = p.sliding / p.spring + fall * math.cos(omega * slip) + p.speed / omega * math.sin(omega * slip)
    return np.array([(p.stiction / p.spring - wound) / p.speed, slip])


def ringing(p):
    """Two inertias, whose reciprocals solve two linear equations."""
    squares = (math.tau * np.array([p.dip, p.peak])) ** 2 / p.stiff
    return 1 / np.linalg.solve([[1, 0], [1, 1]], squares)


def twin_of(p):
    """The other arm, from what the library's mass matrix and weight say of the first."""
    arm, (light, heavy) = rd.robots.two_link(p.lengths, p.masses, p.coms, p.inertias), p.others
    M, weight = rd.mass_matrix(arm, np.array([0.0, math.pi / 2])), rd.gravity_torque(arm, np.zeros(2)) / 9.81
    second = weight[1] / heavy
    first = (weight[0] - weight[1] - heavy * p.lengths[0]) / light
    inner = M[0, 0] - M[1, 1] - heavy * p.lengths[0] ** 2 - light * first**2
    return np.array([first, inner, second, M[1, 1] - heavy * second**2])


def told_by(p):
    """The ranks of the rows of experiments, from the library's regressor at random states."""
    words = {text: name for name, text in assignment_module("unknown", "given").EXPERIMENTS.items()}
    return np.array([_rank(words[experiment]) for experiment in p.experiments])


@functools.cache
def _rank(name):
    rng, arm = np.random.default_rng(3), rd.robots.two_link((0.7, 0.5), gravity=0.0 if "level" in name else 9.81)
    q, qd, qdd = rng.uniform(-2, 2, (3, 40, 2))
    if "held" in name:
        qd = qdd = 0 * q
    if "steady" in name:
        qdd = 0 * q
    locked = {"bent": (1, math.pi / 3), "straight": (1, 0.0), "forearm": (0, 0.4)}.get(name)
    if locked:
        q[:, locked[0]], qd[:, locked[0]], qdd[:, locked[0]] = locked[1], 0.0, 0.0
    base = rd.base_parameters(rd.robots.two_link((0.7, 0.5)), nonzero=True)
    rows = rd.regressor(arm, q, qd, qdd)[..., list(base.columns)]
    read = {"elbow": [1], "forearm": [1], "shoulder": [0], "bent": [0], "straight": [0]}.get(
        name.split(", ")[-1], [0, 1]
    )
    return np.linalg.matrix_rank(rows[:, read].reshape(-1, len(base)), tol=1e-8)


def bounds_of(p):
    """The masses of a forearm with which the second moments of both links are positive."""
    length, (_, inertia, moment, outer) = p.sums
    pseudo = lambda m: np.linalg.det([[outer, moment], [moment, m]])
    return np.array([brentq(pseudo, 1e-3, 99), brentq(lambda m: inertia - m * length**2, 1e-3, 99)])


def learned(p):
    """The nearest estimates that explain the reading, where a fast one counts as near: by a multiplier."""
    row, slow = np.array([math.cos(p.held), math.sin(p.held), 1.0]), np.diag(1 / np.array(p.speeds))
    system = np.block([[slow, row[:, None]], [row, np.zeros(1)]])
    return np.linalg.solve(system, [*(slow @ np.array(p.first)), p.reading])[:3]


def soft_joints(p):
    """The stiffness of the joints, from the library's Jacobian and springs in two directions."""
    J = rd.tip_jacobian(rd.robots.two_link(p.lengths, (1, 1)), np.array(p.pose))[:2]
    way = np.radians([p.along, p.along + 90])
    rows = J.T @ np.array([np.cos(way), np.sin(way)])
    return p.soft * np.outer(rows[:, 0], rows[:, 0]) + p.stiff * np.outer(rows[:, 1], rows[:, 1])


def damped_by_modes(p):
    """The damped step from the singular values of the library's Jacobian."""
    arm, q = rd.robots.planar(p.lengths), np.array([p.first, p.bend])
    U, sigma, Vt = np.linalg.svd(rd.tip_jacobian(arm, q)[:2])
    hand = rd.point_position(arm, q)[:2]
    e = -p.back * hand / np.linalg.norm(hand)
    return Vt.T @ (sigma / (sigma**2 + p.mu**2) * (U.T @ e))


def fallen_behind(p):
    """The errors along the line, mm, by integration of place and goal."""

    def error(gain):
        slope = lambda t, e: 1000 * p.speed - p.share * (1000 * p.speed + gain * e)
        return solve_ivp(slope, (0, p.time), [p.off], rtol=1e-11, atol=1e-11).y[0, -1]

    return np.array([error(0.0), error(p.gain)])


def pushed(p):
    """The torques of the largest push, by the library's Jacobian and a linear program for its size."""
    J = rd.tip_jacobian(rd.robots.planar(p.three), np.array(p.pose))[:2]
    turn = math.radians(p.along)
    one = J.T @ [math.cos(turn), math.sin(turn)]
    rows = np.concatenate([one, -one])[:, None]
    return one * linprog([-1.0], A_ub=rows, b_ub=[*p.motors, *p.motors]).x[0]


def at_rest_with_a_load(p):
    """Where springs and load have the least energy together, by the library's place of the hand."""
    arm, K, goal = rd.robots.two_link(p.lengths, (1, 1)), np.array(p.stiffness), np.array(p.goal)
    force = np.array([0.0, p.load * 9.81])
    slope = lambda q: K * (q - goal) + rd.tip_jacobian(arm, q)[:2].T @ force
    return root(slope, goal, tol=1e-13).x


LISTS = {
    ("n-link", "let-go-rates"): lambda p: np.array([-9.81 * math.cos(p.tilt) / p.lengths[0], 0, 0]),
    ("unknown", "alike"): twin_of,
    ("unknown", "seen"): told_by,
    ("unknown", "range"): bounds_of,
    ("control", "what-stays"): learned,
    ("control", "hand-springs"): soft_joints,
    ("reaching", "first-step"): damped_by_modes,
    ("reaching", "drift"): fallen_behind,
    ("reaching", "push"): pushed,
    ("other-arm", "rest"): at_rest_with_a_load,
    ("robot-file", "seen"): robot_file_truths.seen,
    ("robot-file", "heaviest"): robot_file_truths.heaviest,
    ("robot-file", "mounting"): robot_file_truths.mounting,
    ("robot-file", "durations"): robot_file_truths.durations,
    ("robot-file", "zeros"): robot_file_truths.zeros,
    ("joints", "freedoms"): left_free,
    ("joints", "stick-slip"): rounds,
    ("joints", "soft-joint"): ringing,
    ("hands", "elbow"): through_the_elbow,
    ("ilqr", "best-inputs"): best_inputs,
    ("simulation", "identify"): fitted,
    ("simulation", "press"): rung,
}
COUNTED = {"two": 2, "three": 3, "four": 4, "five": 5}


@pytest.mark.parametrize(
    ("students", "told"), [(range(20), 2), pytest.param(range(100), 10, marks=pytest.mark.slow)], ids=["20", "100"]
)
@pytest.mark.parametrize(("assignment", "question"), [*NUMBERS, *LISTS])
def test_a_question_says_how_exact_a_number_must_be(assignment, question, students, told, monkeypatch):
    """What is allowed holds, and what is more is refused, with a word on rounding."""
    source = nbformat.read(ROOT / "exercises" / assignment / f"{assignment}.ipynb", as_version=4)
    (text,) = [cell.source for cell in source.cells if cell["id"] == f"{question}-text"]
    spec, right = assignment_module(assignment).QUESTIONS[question], {**NUMBERS, **LISTS}[assignment, question]
    percent, decimals = (
        re.search(words, text) for words in (r"error of ([\d.]+) % is allowed", r"(\w+) decimals or more")
    )
    for number in students:
        if number == told:  # by then no slip that is told beside it has taken the place of this word
            monkeypatch.setattr(slips, "find_mistake", lambda *anything: None)
        p = parameters_of(assignment, f"t{number}")
        answer = right(p)
        if percent:
            error = float(percent[1]) / 100
            good, bad = ([answer * (1 + sign * size * error) for sign in (1, -1)] for size in (0.97, 1.03))
        elif decimals:
            few = {"best-inputs": 2, "identify": 0}.get(question, 1)  # noise may allow an estimate with one decimal
            good, bad = [answer.round(COUNTED[decimals[1]])], [answer.round(few)]
        else:
            assert "with all its decimals" in text or "whole numbers" in text
            good, bad = [np.round(answer, 2)], [answer + 0.001]
        assert [diagnose(spec, p, as_data(value)) for value in good] == [[]] * len(good), number
        for value in bad:
            said = " ".join(diagnose(spec, p, as_data(value)))
            assert re.search(r"round|decimals|far larger than the noise", said), (number, said)


def test_each_number_has_its_tolerance():
    """None of the questions for numbers is left out above."""
    asked = {
        (name, question)
        for name in ASSIGNMENTS
        for question, spec in assignment_module(name).QUESTIONS.items()
        if spec.inputs is None
        and not spec.names
        and spec.judged != "person"
        and not spec.prediction
        and not question.startswith("plot")
    } - {
        ("hands", "gentle-pose"),
        ("hands", "shoulder-at-rest"),
        ("unknown", "excite"),
        ("unknown", "identify"),
        ("lagrange", "order"),
    }  # designs: their texts say what is kept; numbers of lines
    assert asked == {*NUMBERS, *LISTS}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda K: K, "every check holds"),
        (lambda K: K.ravel(), "should be 2 by 3 numbers; it has the shape (6,). "),
        (lambda K: K.T, "should be 2 by 3 numbers; it has the shape (3, 2). Is it transposed?"),
    ],
)
def test_a_shape_is_told_and_not_an_entry(capsys, change, words):
    """A flat or a transposed gain; test_check_grade.py tries that the grade is as strict."""
    check.begin("ilqr", student="ada")

    def gain(A, B, Q, R, V):
        return change(np.linalg.solve(R + B.T @ V @ B, B.T @ V @ A))

    capsys.readouterr()
    check.answer("gain", gain)
    assert words in capsys.readouterr().out.replace("\n ", "")


@pytest.mark.parametrize(
    ("pause", "words"),
    [
        (0.0, "every check holds.\n"),
        (0.02, "every check holds.\n  This took 12 s: when it is graded, a cell has 30 s.\n"),
    ],
)
def test_a_controller_that_sleeps_is_told_so(capsys, monkeypatch, pause, words):
    """It may be right and yet too slow: the time that a cell has is said, and it is that of the grader."""
    from coursework.grading.limits import Limits

    clock = [0.0]
    monkeypatch.setattr(session, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    assert Limits().cell == 30
    p = check.begin("simulation", student="ada")
    capsys.readouterr()

    def control(t, q, qd):
        clock[0] += pause
        tau = rd.mass_matrix(p.arm, q) @ (25 * (p.goal - q) - 10 * qd) + rd.bias_torque(p.arm, q, qd)
        return np.clip(tau, -p.limit, p.limit)

    check.answer("controller", control)
    assert capsys.readouterr().out == f"controller: {words}"


@pytest.mark.parametrize(
    ("labels", "lines", "words"),
    [
        (("angle (rad)", "torque (N m)"), 1, "every check holds"),
        (("angle in radians", r"$\tau$ / $\mathrm{N\,m}$"), 3, "every check holds"),
        (("torque (N m)", "angle (rad)"), 1, "do not name its unit, rad"),
        (("angle", "torque"), 1, "do not name its unit, rad"),
        (("angle (rad)", "torque (N m)"), 6, "6 lines run over the whole range"),
    ],
)
def test_a_plot_has_its_axes_and_no_guesses(rp, capsys, labels, lines, words):
    """Swapped words, words without units and six lines for one are not what is asked for."""
    import matplotlib.pyplot as plt

    angle = np.linspace(-np.pi, np.pi, 181)
    figure, ax = plt.subplots()
    for number in range(lines):
        ax.plot(
            angle, (1 + number) * rd.gravity_torque(turning_slider(rp), np.array([0.0, rp.reach]))[0] * np.cos(angle)
        )
    ax.set(xlabel=labels[0], ylabel=labels[1])
    check.answer("plot-holding", ax)
    plt.close(figure)
    assert words in capsys.readouterr().out.replace("\n ", "")


def test_a_few_of_the_measurements_are_not_all(capsys):
    """What noise explains is right; five of sixty give another estimate; four decimals do no harm, and one decimal is told."""
    p = check.begin("simulation", student="ada")
    q, qd, qdd, tau = p.measured
    rows = np.array([qdd, qd, np.cos(q)]).T
    best, few = (np.linalg.lstsq(rows[:n], tau[:n], rcond=None)[0] for n in (60, 5))
    for value, words in (
        (best, "every check holds"),
        (best.round(4), "every check holds"),
        (few, "use all 60"),
        (best.round(1), "round to four"),
    ):
        capsys.readouterr()
        check.answer("identify", value)
        assert words in capsys.readouterr().out.replace("\n ", "")


def test_hints_and_progress_say_what_is(rp, capsys):
    """Nobody has seen what was not shown; after a restart nothing is begun."""
    check.hint("mass-matrix", 4)
    assert capsys.readouterr().out == "mass-matrix: there are 3 hints.\n"
    begun = session._now.assignment
    session._now.assignment = None
    try:
        with pytest.raises(RuntimeError, match=r"run the cell that calls check\.begin first"):
            check.progress()
    finally:
        session._now.assignment = begun


@pytest.mark.slow
def test_a_saved_notebook_holds_an_empty_text_beside_each_answer():
    """Editors that know no such output, as VS Code and Colab, show the text: nothing, and no line on a missing renderer."""
    client = pytest.importorskip(
        "nbclient", reason="nbclient is not installed: pip install './packages/coursework[grade]'"
    )
    code = ("from robotdyn import check\ncheck.begin('two-link', 'ada')", "check.answer('gravity', [1, 1])")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in code])
    client.NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(ROOT)}}).execute()
    saved = nbformat.reads(nbformat.writes(notebook), as_version=4)
    (handed,) = [output.data for output in saved.cells[1].outputs if output.output_type == "display_data"]
    assert handed["text/plain"] == "" and handed[session.MIME]["question"] == "gravity"


CELLS = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
published = []
shell.display_pub.publish = lambda data, **more: published.append(data)
for code in ("from robotdyn import check; p = check.begin('two-link', 'ada')", "G = [1, 1]", "check.answer('gravity', G)",
             "1 / 0\\nG = [2, 2]", "check.answer('gravity', G)", "G = [3, 3]\\n1 / 0", "check.answer('gravity', G)", "1 / 0", "check.answer('gravity', G)"):
    shell.run_cell(code)
print("KEYS", sorted(published[0]), repr(published[0]["text/plain"]))
print("DATA", [next(iter(data.values()))["data"] for data in published])
"""


def test_an_old_answer_is_not_handed_in_for_one_whose_cell_failed(tmp_path):
    """Only where the cell that failed should have made it; the output has an empty text for editors without its kind."""
    import subprocess

    env = {"PYTHONPATH": PYTHONPATH, "HOME": str(tmp_path), "IPYTHONDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", CELLS], capture_output=True, text=True, check=True, env=env, cwd=ROOT)
    assert "KEYS ['application/vnd.robotdyn.answer+json', 'text/plain'] ''" in done.stdout
    assert "stopped with ZeroDivisionError: an older one" in done.stdout.replace("\n ", "")
    data = done.stdout[done.stdout.index("DATA") :]
    assert data.count("ZeroDivisionError") == 1 and data.count("[3.0, 3.0]") == 2 and "[2.0, 2.0]" not in data
