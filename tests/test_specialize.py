"""A specialized function is its text, faster: every target agrees with it, at one state and many, and fails in words."""

import ast
import functools
import json
import keyword
import pickle
import re
import tracemalloc

import numpy as np
import pytest
from arms import MIXES, arm_and_state
from javascript import evaluated

import robotdyn as rd
from robotdyn.codegen.machine import engine
from robotdyn.codegen.machine.ir import MAX_ANGLE
from robotdyn.codegen.targets import TARGETS, Kernels, Target, register
from robotdyn.dynamics import planar
from robotdyn.dynamics.recursive import solved_forward_dynamics
from robotdyn.maths.namespace import alternatives_of, with_alternatives

ALGORITHMS = {rd.forward_dynamics: 3, rd.inverse_dynamics: 3, rd.mass_matrix: 1, rd.link_poses: 1, rd.kinetic_energy: 2}


def fast(algorithm, arm, target, **options):
    """A specialized function; the test skips where llvmlite is missing."""
    if target == "llvm":
        pytest.importorskip("llvmlite", reason="llvmlite is missing: pip install robotdyn[fast]")
    return rd.specialize(algorithm, arm, target, **options)


def off(found, expected):
    """The largest difference beside the largest number of the same state."""
    found, expected = (parts if isinstance(parts, tuple) else (parts,) for parts in (found, expected))
    worst = 0.0
    for one, other in zip(found, expected, strict=True):
        assert np.shape(one) == np.shape(other)
        one, other = (np.reshape(x, (len(x) if np.ndim(x) else 1, -1)) for x in (one, other))
        worst = max(worst, (abs(one - other).max(axis=1) / np.maximum(1e-3, abs(other).max(axis=1))).max())
    return worst


def states(n, count, B, seed=3):
    return np.random.default_rng(seed).normal(size=(count, B, n))


@pytest.mark.parametrize("mix", MIXES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("target", ["python", "numpy", "llvm"])
def test_every_target_computes_what_the_text_computes(target, algorithm, mix):
    """At one state, at a few, and at more than fill the blocks and chunks in which they are computed.

    Up to 1e-11: of hundreds of torques some are a hundredth of the terms that they are sums of, and lose two digits more.
    """
    arm, q, qd, third, _ = arm_and_state(mix)
    function, one = fast(algorithm, arm, target), (q, qd, third)[: ALGORITHMS[algorithm]]
    exact = 1e-12 * max(10, np.linalg.cond(rd.mass_matrix(arm, q))) if algorithm is rd.forward_dynamics else 1e-11
    assert off(function(*one), algorithm(arm, *one)) < exact
    for B in (3, 200):
        many = states(arm.n, len(one), B)
        worst = max(np.linalg.cond(M) for M in rd.mass_matrix(arm, many[0]))
        exact = 1e-12 * max(10, worst) if algorithm is rd.forward_dynamics else 1e-11
        assert off(function(*many), algorithm(arm, *many)) < exact


def test_chunks_of_columns_fit_together():
    """More states than a chunk of the NumPy target, and a last chunk that is not full."""
    arm = arm_and_state("rp")[0]
    many = states(2, 3, 60_001)
    found = fast(rd.inverse_dynamics, arm, "numpy")(*many)
    for k in (0, 12_345, 60_000):
        assert np.allclose(found[k], rd.inverse_dynamics(arm, *many[:, k]), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("mix", MIXES)
def test_javascript_computes_what_python_computes(mix):
    """The text for the page, run by a JavaScript engine, on the numbers that JSON carries over exactly."""
    arm, q, qd, tau, _ = arm_and_state(mix)
    algorithms = {rd.forward_dynamics: (q, qd, tau), rd.link_poses: (q,), rd.kinetic_energy: (q, qd)}
    source = "\n".join(rd.specialize(algorithm, arm, "javascript") for algorithm in algorithms)
    calls = [f"{f.__name__}({', '.join(json.dumps(x.tolist()) for x in given)})" for f, given in algorithms.items()]
    found = evaluated(source, f"[{', '.join(calls)}]")
    exact = 1e-12 * np.linalg.cond(rd.mass_matrix(arm, q))
    for (algorithm, given), values in zip(algorithms.items(), found):
        values = tuple(map(np.array, values)) if algorithm is rd.link_poses else np.array(values)
        assert off(values, algorithm(arm, *given)) < max(1e-12, exact)


def test_javascript_parameters_have_the_values_of_the_arm():
    """Free parameters are the last argument, an object; what it leaves out is the arm's."""
    arm = rd.robots.two_link()
    script = rd.specialize(rd.gravity_torque, arm, "javascript", free=("mass", "com"))
    found = evaluated(script, "[gravity_torque([0.3, 0.4]), gravity_torque([0.3, 0.4], {mass: [2, 2]})]")
    assert np.allclose(found[0], rd.gravity_torque(arm, [0.3, 0.4]), rtol=1e-13)
    assert np.allclose(found[1], 2 * np.array(found[0]), rtol=1e-13)
    assert script.source == script and script.operations > 0


@pytest.mark.parametrize("target", ["python", "numpy", "llvm"])
def test_free_parameters(target):
    """Masses and centers by name, one state and many; the arm's own values where nothing is given."""
    arm, q, qd, qdd, _ = arm_and_state("rpr")
    other = rd.Arm([rd.Link(2 * x.mass, x.com + 0.1, x.inertia, x.joint, x.axis, x.position, x.rotation) for x in arm.links],
                   arm.gravity, arm.tip)  # fmt: skip
    function = fast(rd.inverse_dynamics, arm, target, free=("mass", "com", "inertia"))
    changes = {"mass": [x.mass for x in other.links], "com": [x.com for x in other.links]}
    assert off(function(q, qd, qdd), rd.inverse_dynamics(arm, q, qd, qdd)) < 1e-12
    assert off(function(q, qd, qdd, **changes), rd.inverse_dynamics(other, q, qd, qdd)) < 1e-12
    many = states(3, 3, 100)
    assert off(function(*many, **changes), rd.inverse_dynamics(other, *many)) < 1e-12
    sym = rd.robots.planar(1, symbolic=True)
    torque = fast(rd.gravity_torque, sym, target, free=("l_1", "m_1", "g"))
    assert np.allclose(torque([0.0], l_1=2.0, m_1=3.0, g=10.0), 60)


@pytest.mark.parametrize("target", ["python", "numpy", "llvm"])
def test_derivatives_run_on_every_target(target):
    """A program in place of an algorithm: the slope of the accelerations by the torques is the inverse of M."""
    arm, q, qd, tau, _ = arm_and_state("rrp")
    slopes = fast(rd.trace(rd.forward_dynamics, arm).jacobian("tau"), None, target)
    assert np.allclose(slopes(q, qd, tau) @ rd.mass_matrix(arm, q), np.eye(3), rtol=0, atol=1e-9)
    many = states(3, 3, 70)
    assert np.allclose(slopes(*many) @ rd.mass_matrix(arm, many[0]), np.eye(3), rtol=0, atol=1e-8)


@pytest.mark.parametrize("target", ["python", "numpy", "llvm"])
def test_shapes_in_and_out(target):
    """One state for many, any batch axes, lists, integers, given results, no states at all, arrays nobody may write."""
    arm = rd.robots.two_link()
    function, q, many = fast(rd.forward_dynamics, arm, target), [0.1, 0.2], states(2, 3, 40)
    assert off(function(q, many[1], [1, 2]), rd.forward_dynamics(arm, q, many[1], [1, 2])) < 1e-12
    blocks = many.reshape(3, 4, 10, 2)
    assert np.array_equal(function(*blocks), function(*many).reshape(4, 10, 2))
    assert np.allclose(function(*many[:, :5]), function(*many)[:5], rtol=1e-13)  # few states may take another way
    assert function(*np.zeros((3, 0, 2))).shape == (0, 2)
    out = np.empty((40, 2))
    assert function(*many, out=out) is out and np.array_equal(out, function(*many))
    single = np.empty(2)
    assert function(q, q, q, out=single) is single and np.array_equal(single, function(q=q, qd=q, tau=q))
    still = np.array(q)
    still.flags.writeable = False
    assert np.array_equal(function(still, still, still), single)
    thin = many[:, ::2]  # where states lie apart, NumPy may take another loop
    assert np.allclose(function(*thin), function(*np.ascontiguousarray(thin)), rtol=1e-13)
    energy = fast(rd.kinetic_energy, arm, target)
    assert np.ndim(energy(q, q)) == 0 and energy(many[0], many[1]).shape == (40,)
    drift = fast(lambda t, q: t * q, None, target, inputs={"t": (), "q": 2})
    assert np.allclose(drift(2.0, q), [0.2, 0.4]) and np.allclose(drift(np.arange(30.0), q)[7], [0.7, 1.4])


def test_angles_may_be_anything():
    """Differences of angles, sines of sines, and coordinates that are called like words of the printed text."""
    arm, q = rd.robots.planar(4), np.array([0.3, -0.4, 0.9, 2.0])
    deep = lambda x, s: np.array(
        [np.sin(np.sin(x[0]) + s[0]) * np.cos(x[1]), np.tan(s[1]) / x[0], x[1], 2, np.cos(x[1])]
    )
    given = np.array([0.3, 1.2]), np.array([0.7, -0.4])
    for target in ("python", "numpy", "llvm"):
        assert off(fast(planar.absolute, arm, target)(q), planar.absolute(arm, q)) < 1e-12
        function = fast(deep, None, target, inputs={"x": 2, "s": 2})
        assert np.allclose(function(*given), deep(*given), rtol=1e-13)
        assert np.allclose(function(*(np.tile(x, (100, 1)) for x in given))[99], deep(*given), rtol=1e-13)


def _add(x):
    return x + 2 * x * x


def _exp(x):
    return np.exp(x) + x * x


_add.__name__, _exp.__name__ = "add", "exp"
NAMES = {
    "an entry t1 that nothing reads": (lambda t: np.array([np.sin(t[2] * t[1]), np.tan(np.sin(t[2] * t[1]))]), {"t": 3}),
    "s1, a scalar": (lambda q, s1: np.sin(q) * s1, {"q": 1, "s1": ()}),
    "s1, an array": (lambda q, s1: np.sin(q[0]) * s1, {"q": 1, "s1": 2}),
    "t1, an array": (lambda t1, x: t1 * np.cos(x[0] + x[1]) + np.sin(2 * (x[0] + x[1])), {"t1": 2, "x": 2}),
    "s, sine and sine_": (lambda s, sine, sine_: np.sin(s) * sine * sine_, {"s": (), "sine": (), "sine_": ()}),
    "k that nothing reads": (lambda x, k: 2.5 * x, {"x": 1, "k": 2}),
    "r and k": (lambda r, k: np.tan(2.5 * r) * k, {"r": 2, "k": 2}),
    "a function called add": (_add, {"x": 2}),
    "a function called exp": (_exp, {"x": 2}),
}  # fmt: skip


@pytest.mark.parametrize("target", ["python", "numpy", "llvm", "javascript"])
@pytest.mark.parametrize("case", NAMES)
def test_names_of_a_text_are_no_names_of_its_printed_program(case, target):
    """Temporaries, sines, registers and constants get out of the way of what the user calls an input or a function."""
    function, inputs = NAMES[case]
    program = fast(function, None, target, inputs=inputs)
    shapes = [(20, *((shape,) if isinstance(shape, int) else shape)) for shape in inputs.values()]
    given = [np.random.default_rng(4).uniform(0.1, 1.0, shape) for shape in shapes]
    expected = np.stack([function(*(x[k] for x in given)) for k in range(20)])
    if target == "javascript":
        call = f"{program.program.name}({', '.join(json.dumps(x[0].tolist()) for x in given)})"
        assert np.allclose(evaluated(f'"use strict";\n{program}', call), expected[0], rtol=1e-13)
    else:
        assert np.allclose(program(*given), expected, rtol=1e-13)
        assert np.allclose(program(*(x[3] for x in given)), expected[3], rtol=1e-13)


def _everything(x):
    """Every function, and every operation on numbers and entries."""
    waves = np.sin(x) * np.cos(x) / (1 + x * x) - np.tan(x[0])
    return waves + np.sqrt(2 + x) * np.exp(-x) + np.log(2.5 + x) - np.tanh(x)


@pytest.mark.parametrize("target", ["python", "numpy"])
def test_every_name_in_a_printed_program_is_refused_or_gives_way(target):
    """As the name of an input: what the text needs for itself is refused; with all others it computes what it should."""
    text = ast.parse(fast(_everything, None, target, inputs={"x": 2}).source)
    names = {node.id for node in ast.walk(text) if isinstance(node, ast.Name)}
    names |= {node.arg for node in ast.walk(text) if isinstance(node, ast.arg)}
    given = np.random.default_rng(4).uniform(0.1, 1.0, (20, 2))
    expected = np.stack([_everything(x) for x in given])
    for name in sorted(names):
        renamed = eval(f"lambda {name}: f({name})", {"f": _everything})
        try:
            function = fast(renamed, None, target, inputs={name: 2})
        except ValueError as error:
            assert f"got {name!r}: rename it" in str(error)
        else:
            assert np.allclose(function(given), expected, rtol=1e-12), name
            assert np.allclose(function(given[3]), expected[3], rtol=1e-12), name


RESERVED = {"numpy": "out1", "python": "tan", "javascript": "delete"}


@pytest.mark.parametrize("target", RESERVED)
def test_words_of_a_language_are_refused_by_it_alone(target):
    """An input may have any name that its own target leaves free; a function gives way."""
    word = RESERVED[target]
    sentence = f"an input must have a name that is free in target {target!r}, got {word!r}: rename it"
    program = rd.trace(eval(f"lambda {word}: 2 * {word}"), inputs={word: 2})
    with pytest.raises(ValueError, match=re.escape(sentence)):
        fast(program, None, target)
    others = [other for other in ("python", "numpy", "javascript") if other != target and word != "tan"]
    assert all(word in rd.specialize(program, target=other).source for other in others)
    taken = lambda x: x + 1
    taken.__name__ = word
    assert f"{word}_" in fast(taken, None, target, inputs={"x": 2}).program.name


# ECMA-262 (2024), sections 12.7.2 and 13.1.1: reserved words, those of strict mode, and what it lets nobody bind
ECMASCRIPT = """await break case catch class const continue debugger default delete do else enum export extends false
finally for function if import in instanceof new null return super switch this throw true try typeof var void while with
yield let static implements interface package private protected public arguments eval"""


@pytest.mark.parametrize("word", [word for word in ECMASCRIPT.split() if not keyword.iskeyword(word)])
def test_every_word_that_javascript_keeps_is_refused(word):
    """As the name of an input; a word that Python keeps, too, nobody can write there."""
    with pytest.raises(ValueError, match=f"free in target 'javascript', got '{word}': rename it"):
        rd.specialize(eval(f"lambda {word}: 2 * {word}"), target="javascript", inputs={word: 2})


# ---- further targets ------------------------------------------------------------------------------------------------


def postfix(program):
    """Print a program for a calculator with a stack: a line for each result, "q1 cos 20.0 *"."""
    words = []
    for kind, *parts in program.nodes:
        if kind in ("input", "number"):
            words.append(parts[0] + str(parts[1] + 1) if kind == "input" else str(parts[0]))
        else:
            words.append(" ".join([*(words[k] for k in parts), kind]))
    return "\n".join(words[k] for places in program.results for k in places.flat)


def calculated(line, values):
    """Return what the calculator shows after a line."""
    one = {"neg": lambda x: -x, "inverse": lambda x: 1 / x, "sin": np.sin, "cos": np.cos}
    two = {"+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y}
    stack = []
    for word in line.split():
        if word in two:
            y, x = stack.pop(), stack.pop()
            stack.append(two[word](x, y))
        else:
            stack.append(one[word](stack.pop()) if word in one else values[word] if word in values else float(word))
    return stack.pop()


def by_the_program_itself(program):
    """Run a program by what it is: a list of operations on numbers."""

    def one(*arrays):
        *given, result = arrays
        if [array.shape for array in given] != [i.shape for i in program.inputs]:
            return False
        result[...] = program(*given)
        return True

    return Kernels(repr(program), one, lambda *arrays: all(one(*rows) for rows in zip(*arrays)))


@pytest.fixture
def further_targets():
    """Two targets that the library does not know."""
    register(Target("postfix", postfix, reserved=frozenset({"pi"})))
    register(Target("itself", by_the_program_itself))
    yield
    del TARGETS["postfix"], TARGETS["itself"]


@pytest.mark.usefixtures("further_targets")
def test_a_target_is_one_object_that_is_registered():
    """A language of one's own prints every algorithm; the errors name it, and its words are kept free."""
    arm, q, qd, qdd, _ = arm_and_state("rp")
    script = rd.specialize(rd.inverse_dynamics, arm, "postfix")
    values = {f"{name}{k + 1}": x for name, row in zip(("q", "qd", "qdd"), (q, qd, qdd)) for k, x in enumerate(row)}
    found = [calculated(line, values) for line in script.split("\n")]
    assert np.allclose(found, rd.inverse_dynamics(arm, q, qd, qdd), rtol=1e-12)
    with pytest.raises(ValueError, match="c, c-float, postfix, itself, got 'basic'"):
        rd.specialize(rd.mass_matrix, arm, "basic")
    with pytest.raises(ValueError, match="free in target 'postfix', got 'pi'"):
        rd.specialize(lambda pi: pi, target="postfix", inputs={"pi": 2})


@pytest.mark.usefixtures("further_targets")
def test_a_target_that_runs_takes_one_state_and_many():
    """Two functions that fill arrays are enough for lists, batches, `out` and free parameters' checks."""
    arm, many = arm_and_state("rp")[0], states(2, 3, 5)
    function = rd.specialize(rd.inverse_dynamics, arm, "itself")
    assert np.allclose(function(*many), rd.inverse_dynamics(arm, *many), rtol=1e-12)
    assert np.allclose(function(*many[:, 0].tolist()), rd.inverse_dynamics(arm, *many[:, 0]), rtol=1e-12)
    assert np.array_equal(pickle.loads(pickle.dumps(function))(*many[:, 1]), function(*many[:, 1]))


def test_an_algorithm_says_that_another_way_exists():
    """`specialize` takes the shorter of two; what wraps an algorithm is another one."""
    slow = with_alternatives(lambda arm, q: 2 * q)(lambda arm, q: np.sin(q) + 2 * q - np.sin(q))
    assert rd.specialize(slow, ARM, "python").operations == 2
    assert solved_forward_dynamics in alternatives_of(rd.forward_dynamics)
    assert not alternatives_of(functools.wraps(rd.forward_dynamics)(lambda arm, q, qd, tau: tau))


# ---- numbers that are none, and angles far away ---------------------------------------------------------------------


@pytest.mark.parametrize("target", ["python", "numpy", "llvm"])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_state_that_is_no_number_stays_alone(target, bad):
    """NaN or infinity in one state gives no number there, and changes nothing elsewhere.

    Up to rounding: a processor may take several sines at once, and all of them in another way where one has no value.
    """
    arm = arm_and_state("rrr")[0]
    function, many = fast(rd.forward_dynamics, arm, target), states(3, 3, 150)
    expected = function(*many)
    for k, joint, array in ((0, 1, 0), (77, 2, 1), (149, 0, 2)):
        many[array, k, joint] = bad
    found = function(*many)
    mine = [0, 77, 149]
    assert not np.isfinite(found[mine]).all(axis=1).any()
    assert np.allclose(np.delete(found, mine, axis=0), np.delete(expected, mine, axis=0), rtol=1e-9)
    assert not np.isfinite(function(*many[:, 0])).all()


@pytest.mark.parametrize("target", ["python", "numpy", "llvm"])
def test_a_division_by_zero_stays_in_its_state(target):
    """1 / x at x = 0 is no number there, without a word; its neighbors are as ever."""
    function = fast(lambda x: 1 / x, None, target, inputs={"x": 1})
    many = np.linspace(-1, 1, 201)[:, None]
    many[100] = 0
    found = function(many)
    assert not np.isfinite(found[100, 0]) and np.allclose(np.delete(found, 100) * np.delete(many, 100), 1)
    assert not np.isfinite(function([0.0])[0])


def test_sine_and_cosine_are_within_five_halves_of_the_last_digit():
    """The polynomials against 60 digits: at random, at multiples of pi / 4, and next to the zeros, up to the limit."""
    import mpmath

    rng, quarter = np.random.default_rng(0), np.pi / 4
    near = np.rint(rng.uniform(-1, 1, 1500) * MAX_ANGLE / quarter) * quarter
    angles = np.concatenate(
        [rng.uniform(-10, 10, 1500), rng.uniform(-1, 1, 1500) * MAX_ANGLE, near, np.nextafter(near, 0)]
    )
    sincos = fast(lambda x: np.array([np.sin(x), np.cos(x)]), None, "llvm", inputs={"x": ()})
    many = sincos(angles)
    with mpmath.workdps(60):
        for k, x in enumerate(angles.tolist()):
            for one, row, exact in zip(sincos(x), many[k], (mpmath.sin(x), mpmath.cos(x))):
                assert max(abs(one - exact), abs(row - exact)) <= 2.5 * np.spacing(abs(float(exact)))
    assert abs(sincos(0.0) - [0.0, 1.0]).max() < 1e-15 and np.isnan(sincos(np.nan)).all()


@pytest.mark.parametrize("target", ["python", "numpy", "llvm"])
def test_sine_and_cosine_of_every_target(target):
    """Within 1e-15 of the library's, near and far: beyond 1e5 rad the compiled target takes another way.

    NumPy's own may be off by 4 units in the last place, 4e-16, where it takes several at once.
    """
    function = fast(lambda x: np.array([np.sin(x[0]), np.cos(x[0])]), None, target, inputs={"x": 1})
    rng = np.random.default_rng(1)
    angles = np.concatenate([rng.uniform(-7, 7, 500), np.logspace(-300, 15, 700), -np.logspace(0, 9, 333)])
    expected = np.stack([np.sin(angles), np.cos(angles)], axis=1)
    assert abs(function(angles[:, None]) - expected).max() < 1e-15
    assert abs(np.array([function([x]) for x in angles]) - expected).max() < 1e-15


# ---- the cost ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["numpy", "llvm"])
def test_a_batch_stays_small(target):
    """10,000 states of 7 joints take less than 64 MB beside their inputs and results."""
    function, many = fast(rd.forward_dynamics, arm_and_state("rrrrrrr")[0], target), states(7, 3, 10_000)
    out = np.empty((10_000, 7))
    function(*many, out=out)
    tracemalloc.start()
    function(*many, out=out)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64e6


@pytest.mark.parametrize("target", ["python", "numpy", "llvm"])
def test_results_may_take_the_place_of_inputs(target):
    """out may be an input, or overlap one, near and far: every state is read before it is written.

    Up to rounding, for what lies elsewhere in memory may be computed by another loop.
    """
    same = functools.partial(np.allclose, rtol=1e-9, atol=0)
    function, (q, qd, tau) = fast(rd.forward_dynamics, rd.robots.two_link(), target), states(2, 3, 100)
    q[::7] = 1e6
    expected = function(q, qd, tau)
    for k in range(3):
        given = [q.copy(), qd.copy(), tau.copy()]
        assert same(function(*given, out=given[k]), expected)
    shifted = np.concatenate([tau, [[0.0, 0.0]]])
    assert same(function(q, qd, shifted[:-1], out=shifted[1:]), expected)


def test_the_same_arm_is_specialized_once():
    """Equal arms give one function; it can be sent to another process, and it says what it is."""
    one, two = (rd.specialize(rd.mass_matrix, rd.robots.two_link(), "python") for _ in range(2))
    assert one is two
    again = pickle.loads(pickle.dumps(one))
    assert np.array_equal(again([0.1, 0.2]), one([0.1, 0.2]))
    script = rd.specialize(rd.mass_matrix, rd.robots.two_link(), "javascript")
    copied = pickle.loads(pickle.dumps(script))
    assert copied == script and copied.operations == one.operations
    assert repr(one) == f"<mass_matrix(q), python, {one.operations} operations>"
    assert "def mass_matrix(q):" in one.source and "cos(q2)" in one.source


def test_a_compiler_that_is_not_installed_is_told(monkeypatch):
    """With what to install."""
    import importlib.util

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    arm = rd.robots.planar((1.3, 0.4))
    with pytest.raises(
        ImportError, match=re.escape('target "llvm" needs llvmlite, which is not installed: pip install')
    ):
        rd.specialize(rd.mass_matrix, arm, "llvm")


def test_a_compiler_that_cannot_be_used_is_none(monkeypatch):
    """One that is too old, say: the target's name is answered with the reason."""

    def broken():
        raise AttributeError("no create_pass_builder")

    pytest.importorskip("llvmlite", reason="llvmlite is missing: pip install robotdyn[fast]")
    monkeypatch.setattr(engine, "_try_once", broken)
    arm = rd.robots.planar((1.4, 0.4))
    with pytest.raises(
        ImportError, match=re.escape("which cannot be used here (no create_pass_builder): pip install --upgrade")
    ):
        rd.specialize(rd.mass_matrix, arm, "llvm")


def test_the_former_name_of_a_target_stays_for_a_version():
    """With a warning that names the other."""
    pytest.importorskip("llvmlite", reason="llvmlite is missing: pip install robotdyn[fast]")
    with pytest.warns(DeprecationWarning, match='target "numba" is called "llvm" now'):
        assert rd.specialize(rd.mass_matrix, ARM, "numba").target == "llvm"


# ---- bad input ------------------------------------------------------------------------------------------------------

ARM = rd.robots.two_link()
FAST = rd.specialize(rd.forward_dynamics, ARM, "python")
FREE = rd.specialize(rd.mass_matrix, ARM, "python", free="mass")
SYMBOLIC = rd.specialize(rd.gravity_torque, rd.robots.planar(1, symbolic=True), "python", free=("l_1", "m_1", "g"))
X = [0.0, 0.0]
SENTENCES = [
    (lambda: rd.specialize(rd.mass_matrix, ARM, "fortran"), ValueError, "target must be one of python, numpy, llvm, javascript, c, c-float, got 'fortran'"),
    (lambda: rd.specialize(rd.mass_matrix, rd.robots.two_link(symbolic=True)), TypeError, "a program needs numbers, got the symbols"),
    (lambda: rd.specialize(rd.mass_matrix, ARM, free="weight"), ValueError, "free must name parameters of the arm"),
    (lambda: rd.specialize(rd.mass_matrix, [1, 2]), TypeError, "the first argument must be an Arm, got [1, 2]"),
    (lambda: rd.specialize("mass_matrix", ARM), TypeError, "the algorithm must be a function f(arm, q, ...)"),
    (lambda: FAST(X, X), TypeError, "forward_dynamics(q, qd, tau): missing a required argument: 'tau'"),
    (lambda: FAST(X, X, [0.0]), ValueError, "tau must have shape (2,), or (B, 2) for B states, got (1,)"),
    (lambda: FAST(np.zeros((3, 2)), np.zeros((4, 2)), X), ValueError, "all arrays must hold one state, or the same number of states, got q (3, 2), qd (4, 2)"),
    (lambda: FAST(X, X, "ab"), TypeError, "tau must hold real numbers, got 'ab'"),
    (lambda: FAST(X, X, [1j, 0]), TypeError, "tau must hold real numbers, got [1j, 0]"),
    (lambda: FAST(X, X, X, mass=[1, 1]), TypeError, "mass must be one of the parameters that stayed free (none): specialize with free="),
    (lambda: FREE(X, com=1), TypeError, "com must be one of the parameters that stayed free (only mass)"),
    (lambda: FREE(X, mass=[1]), ValueError, "mass must have shape (2,), "),
    (lambda: SYMBOLIC([0.0], l_1=1, m_1=1), TypeError, "g must be given, g=..., for it is a symbol of the arm"),
    (lambda: FAST(X, X, X, out=[0, 0]), ValueError, "out must be a writable, contiguous array of float64 of shape (2,), got list"),
    (lambda: FAST(X, X, X, out=np.zeros(2, int)), ValueError, "out must be a writable, contiguous array of float64 of shape (2,), got int64 (2,)"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "sentence"), SENTENCES, ids=range(len(SENTENCES)))
def test_sentence(call, kind, sentence):
    """Each of these calls is refused with this sentence."""
    with pytest.raises(kind, match=re.escape(sentence)):
        call()
