"""A program is its text, run once: it gives the same, has no line to spare, and its derivatives are exact."""

import functools
import re

import numpy as np
import pytest
import sympy as sp
from arms import MIXES, arm_and_state

import robotdyn as rd
from robotdyn.codegen.tracer import FUNCTIONS
from robotdyn.dynamics import planar
from robotdyn.dynamics.recursive import solve, solved_forward_dynamics
from robotdyn.laws import slope

ALGORITHMS = {
    rd.mass_matrix: "q",
    rd.gravity_torque: "q",
    rd.potential_energy: "q",
    rd.tip_jacobian: "q",
    rd.link_poses: "q",
    rd.kinetic_energy: "q qd",
    rd.bias_torque: "q qd",
    rd.coriolis_matrix: "q qd",
    rd.inverse_dynamics: "q qd qdd",
    rd.forward_dynamics: "q qd tau",
    solved_forward_dynamics: "q qd tau",
}
NAMES = {algorithm: algorithm.__name__ for algorithm in ALGORITHMS}


def flat(result):
    """All numbers of a result in one array."""
    parts = result if isinstance(result, tuple) else (result,)
    return np.concatenate([np.asarray(part, dtype=float).ravel() for part in parts])


def off(found, expected):
    """The largest difference beside the largest number; below 1e-3 a result counts as zero."""
    found, expected = flat(found), flat(expected)
    assert found.shape == expected.shape
    return abs(found - expected).max() / max(1e-3, abs(expected).max())


def state(mix, algorithm):
    arm, q, qd, third, _ = arm_and_state(mix)
    return arm, dict(zip(ALGORITHMS[algorithm].split(), (q, qd, third)))


@pytest.mark.parametrize("mix", MIXES)
@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=NAMES.get)
def test_a_program_computes_what_its_text_computes(algorithm, mix):
    """The same numbers, to the rounding of another order of operations."""
    arm, given = state(mix, algorithm)
    program = rd.trace(algorithm, arm)
    assert [i.name for i in program.inputs] == list(given)
    assert off(program(*given.values()), algorithm(arm, *given.values())) < 1e-12


@pytest.mark.parametrize("mix", MIXES)
def test_forward_dynamics_by_factors_is_that_of_articulated_bodies(mix):
    """M qdd = tau - bias, solved by M = L^T D L, gives the accelerations of the other algorithm."""
    arm, q, qd, tau, w = arm_and_state(mix)
    assert off(solved_forward_dynamics(arm, q, qd, tau, w), rd.forward_dynamics(arm, q, qd, tau, w)) < 1e-10
    M = rd.mass_matrix(arm, q)
    assert np.allclose(M @ solve(M, tau), tau, rtol=0, atol=1e-11 * abs(tau).max())


def test_a_program_is_a_list_of_operations_on_earlier_lines():
    """One joint, written out: m g l cos q, and nothing that this arm multiplies by zero or one."""
    program = rd.trace(rd.gravity_torque, rd.robots.planar((1.0,), (2.0,), gravity=10.0))
    assert program.nodes == (("input", "q", 0), ("cos", 0), ("number", 20.0), ("*", 2, 1))
    assert program.operations == 2 and program.counts == {"*": 1, "cos": 1}


def test_no_line_is_written_twice_or_for_nothing():
    """Lines differ, each is used, numbers are folded, no operation has a zero or a one."""
    program = rd.trace(rd.forward_dynamics, arm_and_state("rprp")[0])
    assert len(set(program.nodes)) == len(program.nodes)
    used = {k for node in program.nodes if node[0] not in ("input", "number") for k in node[1:]}
    assert used | set(program.results[0].flat) == set(range(len(program.nodes)))
    numbers = [node[1] for node in program.nodes if node[0] == "number"]
    assert 0.0 not in numbers
    for kind, *places in program.nodes:
        if kind not in ("input", "number"):
            assert not all(program.nodes[k][0] == "number" for k in places)
            assert kind != "*" or all(program.nodes[k] != ("number", 1.0) for k in places)


def test_the_zeros_of_a_robot_vanish():
    """Newton-Euler for an arm with right angles takes less than for any arm: 150 n - 48 products, 131 n - 48 sums.

    Those are the counts of Luh, Walker and Paul (1980), as in Hollerbach (1980), "A recursive Lagrangian formulation of
    manipulator dynamics and a comparative study of dynamics formulation complexity", table 1.
    """
    counts = rd.trace(rd.inverse_dynamics, panda()).counts
    assert counts["*"] < 0.6 * (150 * 7 - 48)
    assert counts["+"] + counts["-"] + counts.get("neg", 0) < 0.6 * (131 * 7 - 48)


def panda():
    """A 7-joint arm with the Denavit-Hartenberg table of the Franka Panda, as its manual prints it, and any bodies."""
    quarter = np.pi / 2
    rows = [(0, 0, 0.333, 0), (0, -quarter, 0, 0), (0, quarter, 0.316, 0), (0.0825, quarter, 0, 0)]
    rows += [(-0.0825, -quarter, 0.384, 0), (0, quarter, 0, 0), (0.088, quarter, 0, 0)]
    bodies = rd.robots.random_arm(np.random.default_rng(0), 7).links
    parts = ([link.mass for link in bodies], [link.com for link in bodies], [link.inertia for link in bodies])
    return rd.Arm.from_dh(rows, "modified", *parts)


def test_operations_grow_linearly_with_the_number_of_joints():
    """Recursions are O(n): each further joint of a planar arm costs the same, from the fourth on."""
    for algorithm in (rd.inverse_dynamics, rd.forward_dynamics):
        counts = [rd.trace(algorithm, rd.robots.planar(n)).operations for n in range(5, 12)]
        assert len(set(np.diff(counts))) == 1


def test_a_program_runs_on_symbols_and_on_recorded_values():
    """A program is a text, too: with symbols it gives formulas, and it can be traced as part of another."""
    arm, q = rd.robots.two_link(), sp.symbols("q1 q2")
    program = rd.trace(rd.potential_energy, arm)
    assert abs(float(program(q).subs(dict(zip(q, (0.3, 0.4))))) - rd.potential_energy(arm, [0.3, 0.4])) < 1e-12
    again = rd.trace(lambda q: 2 * program(q), inputs={"q": 2})
    assert abs(again([0.3, 0.4]) - 2 * rd.potential_energy(arm, [0.3, 0.4])) < 1e-12


def test_whole_numbers_give_numbers():
    """SymPy keeps sin(1) as it is; a state of whole numbers is one of numbers."""
    arm = rd.robots.two_link()
    for q in ([0, 1], np.array([0, 1])):
        found = rd.trace(rd.mass_matrix, arm)(q)
        assert all(type(x) is float for x in found.flat) and off(found, rd.mass_matrix(arm, q)) < 1e-14


def test_symbols_name_what_stays_free():
    """A symbol, or its name."""
    arm, (l, g) = rd.robots.planar(1, symbolic=True), sp.symbols("l_1 g")
    program = rd.trace(rd.gravity_torque, arm, (l, "m_1", g))
    assert [i.name for i in program.inputs] == ["q", "l_1", "m_1", "g"]
    assert rd.trace(rd.mass_matrix, rd.robots.two_link(), None).inputs[1:] == ()


# ---- free parameters ------------------------------------------------------------------------------------------------


def test_free_parameters_of_all_links():
    """Masses, centers, inertias, positions, pitches, gravity and tip may vary after the trace."""
    arm, q, qd, qdd, w = arm_and_state("rpsr")
    other = arm_and_state("prsr")[0]
    free = ("mass", "com", "inertia", "position", "pitch", "motor_inertia", "gravity", "tip")
    program = rd.trace(rd.inverse_dynamics, arm, free, inputs=("q", "qd", "qdd", "tip_wrench"))
    assert off(program(q, qd, qdd, w), rd.inverse_dynamics(arm, q, qd, qdd, w)) < 1e-12
    links = [
        rd.Link(new.mass, new.com, new.inertia, old.joint, old.axis, new.position, old.rotation, new.pitch, rotor)
        for new, old, rotor in zip(other.links, arm.links, (0.3, 0.1, 0.0, 0.2))
    ]
    changed = rd.Arm(links, other.gravity, other.tip)
    values = {name: np.stack([getattr(link, name) for link in links]) for name in free[:6]}
    values |= {"gravity": other.gravity, "tip": other.tip}
    assert off(program(q, qd, qdd, w, **values), rd.inverse_dynamics(changed, q, qd, qdd, w)) < 1e-12


def test_symbols_of_the_arm_may_stay_free():
    """A symbolic arm is a program with a parameter for each symbol, wherever the symbol stands."""
    sym = rd.robots.two_link(symbolic=True)
    names = ("l_1", "l_2", "m_1", "m_2", "l_c1", "l_c2", "I_1", "I_2", "g")
    values = np.random.default_rng(2).uniform(0.5, 1.5, 9)
    l1, l2, m1, m2, c1, c2, I1, I2, g = values
    arm, x = rd.robots.two_link((l1, l2), (m1, m2), (c1, c2), (I1, I2), g), [0.3, 0.8]
    program = rd.trace(rd.inverse_dynamics, sym, names)
    assert off(program(x, x, x, **dict(zip(names, values))), rd.inverse_dynamics(arm, x, x, x)) < 1e-12
    turned = rd.Arm([rd.Link(1, (1, 0, 0), axis=(sp.cos(sp.Symbol("b")), 0, sp.sin(sp.Symbol("b"))))])
    plain = rd.Arm([rd.Link(1, (1, 0, 0), axis=(np.cos(0.4), 0, np.sin(0.4)))])
    assert off(rd.trace(rd.mass_matrix, turned, "b")([0.2], b=0.4), rd.mass_matrix(plain, [0.2])) < 1e-12


# ---- derivatives ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mix", ["rp", "rrr", "prrp"])
def test_jacobian_of_forward_dynamics(mix):
    """d qdd / d(q, qd, tau) by the five-point rule, in each direction of each input."""
    arm, q, qd, tau, _ = arm_and_state(mix)
    program, given = rd.trace(rd.forward_dynamics, arm), {"q": q, "qd": qd, "tau": tau}
    for name, point in given.items():
        found = program.jacobian(name)(q, qd, tau)
        for k, e in enumerate(np.eye(arm.n)):
            expected = slope(
                lambda s: rd.forward_dynamics(arm, *(given | {name: point + e * s}).values()),  # noqa: B023
                0.0,
            )
            assert off(found[:, k], expected) < 1e-7
    M = rd.mass_matrix(arm, q)
    assert off(np.asarray(program.jacobian("tau")(q, qd, tau), float) @ M, np.eye(arm.n)) < 1e-9


def test_derivatives_by_complex_steps():
    """Im f(x + i h) / h is the derivative to the last digit: a program takes complex numbers."""
    arm, q, qd, qdd, _ = arm_and_state("rpr")
    program = rd.trace(rd.inverse_dynamics, arm)
    found = program.jacobian("qd")(q, qd, qdd)
    for k, e in enumerate(np.eye(3)):
        step = program(q, [sp.Float(x) + sp.I * sp.Float(1e-30) * int(y) for x, y in zip(qd, e)], qdd)
        assert off(found[:, k], [float(sp.im(x) / sp.Float(1e-30)) for x in step]) < 1e-12


def test_gradient_and_hessian_of_the_energy():
    """Forward and reverse accumulation: dV/dq is g, d2T/dqd2 is M, and a Hessian product is the Hessian times v."""
    arm, q, qd, v, _ = arm_and_state("rprr")
    V, T = rd.trace(rd.potential_energy, arm), rd.trace(rd.kinetic_energy, arm)
    assert off(V.gradient("q")(q), rd.gravity_torque(arm, q)) < 1e-12
    assert off(T.gradient("qd").jacobian("qd")(q, qd), rd.mass_matrix(arm, q)) < 1e-12
    assert off(T.hessian_product("qd")(q, qd, v), rd.mass_matrix(arm, q) @ v) < 1e-12
    assert off(V.hessian_product("q")(q, v), np.asarray(V.gradient("q").jacobian("q")(q), float) @ v) < 1e-12
    assert off(T.along("q")(q, qd, v), np.asarray(T.gradient("q")(q, qd), float) @ v) < 1e-12


def test_a_derivative_by_a_free_parameter():
    """The torque is linear in the masses: tau = d tau / d mass . mass."""
    arm, q, qd, qdd, _ = arm_and_state("rrp")
    arm = rd.Arm([rd.Link(link.mass, link.com) for link in arm.links], arm.gravity)
    program = rd.trace(rd.inverse_dynamics, arm, "mass")
    slopes = np.asarray(program.jacobian("mass")(q, qd, qdd), float)
    assert off(slopes @ [link.mass for link in arm.links], rd.inverse_dynamics(arm, q, qd, qdd)) < 1e-12


@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives_of_functions(name):
    """Every function that can be recorded has the derivative that SymPy knows, by both ways of accumulation."""
    x = sp.Symbol("x")
    expected = getattr(sp, name)(x).diff(x).subs(x, 0.7)
    program = rd.trace(lambda x: getattr(np, name)(np.array([x, x], dtype=object)), inputs={"x": ()})
    assert np.allclose(np.asarray(program.jacobian("x")(0.7), float), float(expected), rtol=1e-13)
    program = rd.trace(lambda x: getattr(np, name)(x)[0] + 0 * x[1], inputs={"x": 2})
    assert np.allclose(np.asarray(program.gradient("x")([0.7, 1.0]), float), [float(expected), 0], rtol=1e-13)
    # 1e-14: functions of NumPy and of C may be off by some units in the last place
    assert np.isclose(float(program([0.7, 1.0])), float(getattr(sp, name)(0.7)), rtol=1e-14, atol=0)


def test_powers_and_quotients():
    """Whole and half powers of either sign, quotients of all kinds, against SymPy, values and slopes."""
    x, y = sp.symbols("x y")
    texts = [
        x**5,
        x**-3,
        x**0.5,
        y**-1.5,
        x / y,
        2 / x,
        x / 3,
        (x - y) / (y - x),
        -(x - y),
        3 - -x,
        -x * -y,
        x - x,
        1 / -x,
    ]
    functions = sp.lambdify((x, y), texts)
    program = rd.trace(lambda z: np.array(functions(*z), dtype=object), inputs={"z": 2})
    point = [0.7, 1.3]
    assert np.allclose(np.asarray(program(point), float), np.array(functions(*point), float), rtol=1e-14)
    slopes = sp.Matrix(texts).jacobian([x, y]).subs(dict(zip((x, y), point)))
    assert np.allclose(np.asarray(program.jacobian("z")(point), float), np.array(slopes, float), rtol=1e-13)


# ---- bad input ------------------------------------------------------------------------------------------------------

ARM = rd.robots.two_link()


def slider(x):
    """A link with its center of mass at x."""
    return rd.Arm([rd.Link(1.0, (x, 0, 0))], gravity=(0, -9.81, 0))


SYMBOLIC = rd.robots.two_link(symbolic=True)
SENTENCES = [
    (lambda: rd.trace(lambda arm, q: q[0] if q[0] > 0 else -q[0], ARM), TypeError, "must not branch on a traced value"),
    (lambda: rd.trace(lambda arm, q: abs(q[0]), ARM), TypeError, "must not branch on a traced value (if, while, <, ==, abs, max)"),
    (lambda: rd.trace(lambda arm, q: np.linalg.solve(np.eye(2), q.astype(float)), ARM), TypeError, "a traced value is no number yet"),
    (lambda: rd.trace(lambda arm, q: q[0] ** 0.3, ARM), TypeError, "a traced value takes whole and half exponents, got 0.3"),
    (lambda: rd.trace(rd.mass_matrix, SYMBOLIC), TypeError, "a program needs numbers, got the symbols I_1, I_2, g, l_1, l_2, l_c1, l_c2, m_1, m_2 in the arm"),
    (lambda: rd.trace(rd.mass_matrix, ARM, "weight"), ValueError,
     "free must name parameters of the arm (mass, com, inertia, position, pitch, motor_inertia, gravity, tip), got 'weight'"),
    (lambda: rd.trace(rd.mass_matrix, ARM, ("mass", "mass")), ValueError, "free must name each parameter once"),
    (lambda: rd.trace(lambda q: q, free="mass", inputs={"q": 2}), ValueError, "free names parameters of an arm"),
    (lambda: rd.trace(lambda arm, x: x[0], ARM), TypeError, "inputs must tell the shape of 'x'"),
    (lambda: rd.trace(rd.inverse_dynamics, ARM, inputs=("q", "qd")), TypeError, "inputs must name every argument without a default, got none for 'qdd'"),
    (lambda: rd.trace(lambda out: out, inputs={"out": ()}), ValueError, "an input must have a name that is free in Python, got 'out': rename it"),
    (lambda: rd.trace(lambda q: q[0] % 2, inputs={"q": 2}), TypeError, "must not branch on a traced value"),
    (lambda: rd.trace(lambda q: q[0] ** np.inf, inputs={"q": 2}), TypeError, "a traced value takes whole and half exponents, got inf"),
    (lambda: rd.trace(lambda q: round(q[0]), inputs={"q": 2}), TypeError, "must not branch on a traced value"),
    (lambda: rd.trace(lambda q: 2 ** q[0], inputs={"q": 2}), TypeError, "a traced value is no exponent, got 2 to its power: write exp and log"),
    (lambda: rd.trace(lambda q: np.arctan2(q[0], q[1]), inputs={"q": 2}), TypeError, "a traced value has the functions sin, cos, tan, sqrt, exp, log, tanh, got arctan2"),
    (lambda: rd.trace(lambda q: np.arcsin(q), inputs={"q": 2}), TypeError, "got arcsin: write it with these"),
    (lambda: rd.trace(lambda q: np.linalg.solve(np.eye(2), q), inputs={"q": 2}), TypeError, "a traced value is no number yet"),
    (lambda: rd.trace(lambda q: q + np.inf, inputs={"q": 2}), ValueError, "a program is made of finite numbers, got inf"),
    (lambda: rd.trace(lambda q: None, inputs={"q": 2}), ValueError, "a program is made of finite numbers, got None: look for what the algorithm returns"),
    (lambda: rd.trace(lambda q: [], inputs={"q": 2}), ValueError, "an algorithm must return at least one array or scalar"),
    (lambda: rd.trace(lambda q: q / 0, inputs={"q": 2}), ZeroDivisionError, "must not divide by a number that is always 0"),
    (lambda: rd.trace(lambda x: x, inputs={"x": -1}), ValueError, "the shape of an input must hold whole numbers >= 1, got -1 for 'x'"),
    (lambda: rd.trace(lambda x: x, inputs={"x": 2.5}), ValueError, "the shape of an input must hold whole numbers >= 1, got 2.5 for 'x'"),
    (lambda: rd.trace("mass_matrix", ARM), TypeError, "the algorithm must be a function f(arm, q, ...) or f(x, ...), got 'mass_matrix'"),
    (lambda: rd.trace(functools.partial(rd.point_jacobian, link=0)), TypeError, "point_jacobian needs an arm"),
    (lambda: rd.trace(planar.forward_dynamics, ARM, inputs={"q": 2, "qd": 2, "u": 2}), TypeError, "forward_dynamics computes with numbers alone and cannot be traced"),
    (lambda: rd.trace(rd.gravity_torque, slider(abs(sp.Symbol("a"))), "a"), TypeError, "an arm that is traced takes +, -, *, /, whole and half powers"),
    (lambda: rd.trace(rd.gravity_torque, slider(sp.Symbol("a", positive=True) ** sp.Rational(1, 3)), "a"), TypeError, "got a**(1/3): give it a symbol of its own"),
    (lambda: rd.trace(rd.gravity_torque, slider(sp.Symbol("a") + sp.Symbol("a", real=True)), "a"), ValueError, "symbols of one arm must have different names, got two called a"),
    (lambda: rd.trace(rd.mass_matrix, ARM)(np.zeros((5, 2))), ValueError, "q must have shape (2,), got (5, 2): a batch of states is for rd.specialize"),
    (lambda: rd.trace(rd.mass_matrix, ARM)([1, 2, 3]), ValueError, "q must have shape (2,), got (3,)"),
    (lambda: rd.trace(rd.mass_matrix, ARM)(), TypeError, "mass_matrix takes q, got 0 arrays"),
    (lambda: rd.trace(rd.mass_matrix, ARM)([1, 2], mass=3), TypeError, "mass must be one of the parameters that stayed free (none)"),
    (lambda: rd.trace(rd.gravity_torque, slider(sp.Symbol("a")), "a")([1]), TypeError, "a must be given, a=..., for it is a symbol of the arm"),
    (lambda: rd.trace(rd.mass_matrix, ARM).along("q", "lambda"), ValueError, "got 'lambda': rename it"),
    (lambda: rd.trace(rd.mass_matrix, ARM).along("q", "q1"), ValueError, "got q1 twice: rename an input"),
    (lambda: rd.trace(lambda q, q1: q1, inputs={"q": 2, "q1": ()}), ValueError, "got q1 twice: rename an input"),
    (lambda: rd.trace(rd.mass_matrix), TypeError, "mass_matrix needs an arm: give it after the algorithm"),
    (lambda: rd.trace(rd.mass_matrix, [1, 2]), TypeError, "the first argument must be an Arm, got [1, 2]"),
    (lambda: rd.trace(rd.mass_matrix, ARM).gradient("q"), ValueError, "a gradient belongs to one scalar result, got results of shape (2, 2)"),
    (lambda: rd.trace(rd.mass_matrix, ARM).jacobian("qd"), ValueError, "by must name an input (q), got 'qd'"),
    (lambda: rd.trace(rd.mass_matrix, ARM).along("q", "q"), ValueError, "direction must be a new name, got 'q'"),
    (lambda: rd.trace(rd.forward_dynamics, rd.Arm([rd.Link(1.0)])), ValueError, "got none at joint 1: M(q) is singular here"),
    (lambda: rd.trace(solved_forward_dynamics, rd.Arm([rd.Link(1.0)])), ValueError, "got none at joint 1: M(q) is singular here"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "sentence"), SENTENCES, ids=range(len(SENTENCES)))
def test_sentence(call, kind, sentence):
    """Each of these calls is refused with this sentence."""
    with pytest.raises(kind, match=re.escape(sentence)):
        call()


def test_values_of_two_recordings_do_not_mix():
    """A value that escapes from one trace cannot become part of another."""
    kept = []
    rd.trace(lambda q: kept.append(q[0]) or q[0], inputs={"q": 1})
    with pytest.raises(ValueError, match="a traced value must stay in its own graph"):
        rd.trace(lambda q: q[0] * kept[0], inputs={"q": 1})


def test_the_planar_closed_form_is_a_text_like_any_other():
    """Angles may be differences of coordinates."""
    arm, q = rd.robots.planar(3), np.array([0.3, -0.5, 1.1])
    assert off(rd.trace(planar.absolute, arm)(q), planar.absolute(arm, q)) < 1e-13
