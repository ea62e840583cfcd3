"""Machine code is called safely: whatever is given goes to the program or to the careful way, and nothing leaks.

What it computes is tested with the other targets, in test_specialize.py and test_compiled_motion.py.
"""

import contextlib
import ctypes
import gc
import itertools
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from fractions import Fraction
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest
from arms import arm_and_state

import robotdyn as rd

pytest.importorskip("llvmlite", reason="llvmlite is not installed: `make peers` adds it")

from robotdyn.codegen.machine import call, engine, ir, loops, matrices, threads
from robotdyn.codegen.machine.ir import MAX_ANGLE
from robotdyn.codegen.specialized import Specialized
from robotdyn.codegen.targets import llvm

ARM = rd.robots.two_link()
FAST = rd.specialize(rd.forward_dynamics, ARM, "llvm")
STATE = np.random.default_rng(0).normal(size=(3, 2))


def several(q, qd):
    """Three results of different shapes."""
    return np.outer(q, qd), q + qd, np.sin(q)


class Mine(np.ndarray):
    """An array of a class of one's own."""


def odd_arguments():
    """Return things that are no vector of two floats in order, or only nearly."""
    good = np.array([0.3, -0.2])
    backward = np.array([1.0, 2.0, 3.0, 4.0])[::-2]
    shifted = np.frombuffer(b"\0" * 3 + good.tobytes(), dtype="u1")[3:].view(float)
    frozen = good.copy()
    frozen.flags.writeable = False
    return [
        good, backward, shifted, frozen, good.view(Mine), good.astype(">f8"), good.astype("f4"), good.astype(int),
        np.asfortranarray(np.tile(good, (3, 1))), np.zeros((0, 2)), np.zeros(2, complex), np.zeros(2, object), np.zeros(3),
        np.zeros(()), np.zeros((1, 1, 2)), np.ma.array(good, mask=[0, 1]), [0.3, -0.2], (0.3, -0.2), [0.3], [], 0.3, 1, None,
        "ab", b"ab", {}, object(), np.float64(0.3), np.array(["a", "b"]), True, np.array([np.nan, np.inf]), float("nan"),
        memoryview(good), range(2), lambda: 0, np.zeros((2, 2)), np.datetime64("2020"), ctypes.c_double(0.3),
    ]  # fmt: skip


def test_odd_arguments_never_crash():
    """Whatever stands in each place: the answer of the text itself, or a TypeError or ValueError in words."""
    odd = odd_arguments()
    taken = 0
    for place, thing in itertools.product(range(3), odd):
        given = [*STATE]
        given[place] = thing
        try:
            found = FAST(*given)
        except (TypeError, ValueError) as error:
            assert str(error)
            continue
        floats = [np.asarray(x, dtype=float) for x in given]
        if np.isfinite(floats[place]).all():
            assert np.allclose(found, rd.forward_dynamics(ARM, *floats), rtol=1e-10)
        else:
            assert not np.isfinite(found).any()
        taken += 1
    assert taken >= 3 * 12
    for count in (0, 1, 2, 4, 5):
        with pytest.raises(TypeError):
            FAST(*[STATE[0]] * count)
    for given in itertools.product(odd, repeat=2):
        for more in ([*given], [*given, STATE[2], np.empty(2)], [STATE[0], *given, np.empty(2)], [*STATE, given[0]]):
            with contextlib.suppress(TypeError, ValueError, AttributeError):
                assert FAST.kernel(*more) in (True, False)
            with contextlib.suppress(TypeError, ValueError, AttributeError):
                assert FAST._many(*more) in (True, False)


def test_the_kernel_writes_nowhere_but_into_its_result():
    """Not into an array that nobody may write, nor one of another shape or type: it returns False."""
    frozen = np.zeros(2)
    frozen.flags.writeable = False
    for out in (frozen, np.zeros(3), np.zeros(1), np.zeros((2, 1)), np.zeros(4)[::2], np.zeros(2, ">f8"), [0.0, 0.0]):
        before = repr(out)
        assert FAST.kernel(*STATE, out) is False and repr(out) == before
    around = np.full(6, 7.0)
    assert FAST.kernel(*STATE, around[2:4]) is True and (around[[0, 1, 4, 5]] == 7.0).all()
    assert np.allclose(around[2:4], rd.forward_dynamics(ARM, *STATE), rtol=1e-12)
    rows = np.full((9, 2), 7.0)
    many = np.random.default_rng(1).normal(size=(3, 7, 2))
    assert FAST._many(*many, rows[1:8]) and (rows[[0, 8]] == 7.0).all()
    assert np.allclose(rows[1:8], rd.forward_dynamics(ARM, *many), rtol=1e-10)


def odd_memory(x):
    """Return arrays of the same floats that lie oddly in memory, or whose type is another object than NumPy's own."""
    packed = np.zeros(len(x), dtype=[("skip", "u1"), ("x", "f8", x.shape[1:])])
    packed["x"] = x
    parts = [
        packed["x"],
        pickle.loads(pickle.dumps(x)),
        pickle.loads(pickle.dumps(x)) * 1,
        x.astype(x.dtype.newbyteorder()),
    ]
    parts += [x.astype(np.dtype(float, metadata={"unit": "rad"})), x.view(Mine), np.ma.array(x), np.asfortranarray(x)]
    return parts + [np.require(x, requirements="A")[::1], np.repeat(x, 2, axis=0)[::2], x.view(np.recarray)]


@pytest.mark.parametrize("target", ["llvm", "numpy", "python"])
def test_the_floats_count_not_how_they_lie(target):
    """Arrays from a pickle, of another process, packed in records, of subclasses, swapped: one state, many, and as results."""
    fast = rd.specialize(rd.gravity_torque, ARM, target)
    x = np.random.default_rng(6).normal(size=(9, 2))
    expected = rd.gravity_torque(ARM, x)
    for odd in odd_memory(x):
        assert np.allclose(fast(odd), expected, rtol=1e-12)
        assert np.allclose(fast(odd[4]), expected[4], rtol=1e-12)
    for out in (
        pickle.loads(pickle.dumps(0 * x)),
        (0 * x).view(Mine),
        np.ma.array(0 * x),
        (0 * x).astype(np.dtype(float, metadata={"a": 1})),
    ):
        assert fast(x, out=out) is out and np.allclose(np.asarray(out), expected, rtol=1e-12)
        assert np.allclose(fast(x[4], out=out[4]), expected[4], rtol=1e-12)
    packed = np.zeros(9, dtype=[("skip", "u1"), ("x", "f8", 2)])["x"]
    frozen = 0 * x
    frozen.flags.writeable = False
    for out, lacks in ((packed, "not contiguous, not aligned"), (frozen, "read-only"), ((0 * x).astype(">f8"), ">f8")):
        with pytest.raises(ValueError, match=lacks):
            fast(x, out=out)


def test_what_is_no_number_is_passed_on():
    """One state and many agree: x - (x - y) of NaN is NaN, and what does not overflow as it is written does not overflow."""
    cases = [
        (lambda x: np.array([x[0] - (x[0] - x[1])]), [np.nan, np.inf, 1.0]),
        (lambda x: np.array([(x[0] * 1e200) * (x[1] * 1e200) * (x[1] * 1e-200)]), [0.0, 1.0, 2.0]),
        (lambda x: np.array([x[0] / x[0] - x[1]]), [1e-300, 0.0, 3.0]),
    ]
    for function, values in cases:
        fast = rd.specialize(function, target="llvm", inputs={"x": 2})
        x = np.array([*itertools.product(values, repeat=2)])
        with np.errstate(all="ignore"):
            expected = np.array([function(row) for row in x])
        for found in (fast(x), np.array([fast(row) for row in x])):
            assert np.allclose(found, expected, rtol=1e-12, equal_nan=True)
    scara = rd.robots.scara()
    fast = rd.specialize(rd.forward_dynamics, scara, "llvm")
    state = np.random.default_rng(7).normal(size=(3, 9, 4))
    state[0, :, 3] = np.nan
    assert np.array_equal(np.isnan(fast(*state)[0]), np.isnan(fast(*state[:, 0])))


def test_results_of_every_kind():
    """One array, a tuple of several, a number; one state, few, as many as fill a register, and one more."""
    rng = np.random.default_rng(2)
    tuple_of = rd.specialize(several, target="llvm", inputs={"q": 3, "qd": 3})
    found = tuple_of(*rng.normal(size=(2, 3)))
    assert type(found) is tuple and [x.shape for x in found] == [(3, 3), (3,), (3,)]
    energy = rd.specialize(rd.kinetic_energy, ARM, "llvm")
    width = engine.width()
    for count in (1, 2, width - 1, width, width + 1, 3 * width - 1):
        q, qd = rng.normal(size=(2, count, 3))
        for found, rows in zip(tuple_of(q, qd), zip(*(several(*state) for state in zip(q, qd)))):
            assert np.allclose(found, rows, rtol=1e-13)
        assert np.allclose(energy(q[:, :2], qd[:, :2]), rd.kinetic_energy(ARM, q[:, :2], qd[:, :2]), rtol=1e-12)
    assert isinstance(energy(*STATE[:2]), float)
    line = rd.specialize(lambda t, q: t * q, target="llvm", inputs={"t": (), "q": 2})
    assert np.allclose(line(2.0, STATE[0]), 2 * STATE[0]) and np.allclose(line(2, STATE[0]), 2 * STATE[0])


def test_an_angle_far_away_takes_none_with_it():
    """In a register of states one of them, and one of its joints, may be beyond the polynomials, or no number."""
    arm, *_ = arm_and_state("rrr")
    fast = rd.specialize(rd.link_poses, arm, "llvm")
    q = np.random.default_rng(3).normal(size=(4 * engine.width() + 3, 3))
    q[::5, 1] = 3e7 + np.arange(len(q[::5]))
    q[::3, 0] = np.nan
    whole = np.isfinite(q).all(axis=1)
    for found, expected in zip(fast(q), rd.link_poses(arm, q[whole])):
        assert np.allclose(found[whole], expected, rtol=0, atol=1e-8) and np.isnan(found[~whole]).any()
    alone = rd.specialize(lambda x: np.array([np.sin(x[0]), np.sin(x[1])]), target="llvm", inputs={"x": 2})
    x = np.array([[np.nan, 2.5 * MAX_ANGLE], [np.inf, 1e300], [0.3, -1e17]])
    for found in (alone(np.tile(x, (5, 1)))[6:9], np.array([alone(row) for row in x])):
        assert np.allclose(found[:, 1], np.sin(x[:, 1]), rtol=1e-14) and np.isnan(found[:2, 0]).all()


def test_no_rounding_takes_quarter_turns_from_an_angle():
    """Where a product is rounded before it is subtracted, too: a number of quarters times a part of pi / 2 has 53 bits.

    The parts add up to pi / 2, but for less than a unit in the last place of what is left beside the nearest multiple.
    """
    most = int(MAX_ANGLE * ir.QUARTERS_PER_RADIAN) + 1
    rng = np.random.default_rng(0)
    for n in (most, most - 1, *rng.integers(1, most, 1000).tolist()):
        for part in ir.QUARTER[:-1]:
            assert Fraction(float(n) * part) == n * Fraction(part)
    with mpmath.workdps(60):
        assert abs(mpmath.fsum(map(mpmath.mpf, ir.QUARTER)) - mpmath.pi / 2) * most < mpmath.mpf(2) ** -80


def test_sines_of_small_and_large_angles():
    """Within 2.5 units in the last place of what mpmath has, also beside multiples of a right angle, one at a time and many."""
    waves = rd.specialize(lambda x: np.array([np.sin(x[0]), np.cos(x[0])]), target="llvm", inputs={"x": 1})
    rng = np.random.default_rng(1)
    with mpmath.workdps(60):
        x = 10.0 ** rng.uniform(-3, 12, 300)
        x[::2] = [float(round(float(angle / (np.pi / 2))) * mpmath.pi / 2) for angle in x[::2]]
        x *= rng.choice([-1, 1], 300)
        exact = [[f(mpmath.mpf(angle)) for f in (mpmath.sin, mpmath.cos)] for angle in x]
        for found in (waves(x[:, None]), [waves(row) for row in x[:, None]]):
            for row, true in zip(found, exact):
                for wave, value in zip(row, true):
                    assert abs(mpmath.mpf(float(wave)) - value) <= 2.5 * np.spacing(abs(float(value)))


@pytest.mark.slow
def test_ten_million_calls_leak_nothing():
    """Neither memory nor references, by the quick way, the careful one, and with several results."""
    import resource

    tuple_of = rd.specialize(several, target="llvm", inputs={"q": 2, "qd": 2})
    ways = [
        lambda: FAST(*STATE),
        lambda: tuple_of(*STATE[:2]),
        lambda: FAST.kernel(*STATE, STATE[0]),
        lambda: FAST.kernel(1),
    ]
    careful = [lambda: FAST(*STATE.tolist())]
    for way, count in [*((way, 3_000_000) for way in ways), *((way, 200_000) for way in careful)]:
        for _ in range(1000):
            way()
        gc.collect()
        counts = [sys.getrefcount(x) for x in (None, True, False, np.ndarray, *STATE)]
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(count):
            way()
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4000  # kB
        after = [sys.getrefcount(x) for x in (None, True, False, np.ndarray, *STATE)]
        assert max(abs(a - b) for a, b in zip(after, counts)) < 50


def test_references_are_given_back():
    """A call leaves counts as they were, and its result belongs to the caller alone; a function goes with its last name."""
    counts = lambda: [sys.getrefcount(x) for x in (None, True, np.ndarray, *STATE)]
    FAST(*STATE)
    before = counts()
    for _ in range(1000):
        FAST(*STATE)
        FAST.kernel(*STATE, STATE[0].copy())
        with contextlib.suppress(ValueError):
            FAST(STATE[0], STATE[1], np.zeros(5))
    assert max(abs(a - b) for a, b in zip(counts(), before)) < 50
    found = FAST(*STATE)
    count = sys.getrefcount(found)
    assert count == 2 and found.flags.owndata  # this name, and the argument of the count
    program = rd.trace(rd.mass_matrix, rd.robots.planar(2))
    function = llvm._Functions(program, None).call(lambda *given: "careful")
    assert function([0.0, 0.0]) == "careful" and function(STATE[0]).shape == (2, 2)
    del program
    gc.collect()
    assert function(STATE[0]).shape == (2, 2)


def test_the_floats_count_not_how_they_lie_by_the_other_way_too(monkeypatch):
    """Where the layout of CPython's arrays is not known, and pointers alone reach the machine code."""
    monkeypatch.setattr(call, "available", lambda: False)
    program = rd.trace(rd.gravity_torque, ARM)
    fast = Specialized("llvm", program, llvm.kernels(program))
    x = np.random.default_rng(6).normal(size=(9, 2))
    expected = rd.gravity_torque(ARM, x)
    odd = [*odd_memory(x), x[::-1][::-1], np.ascontiguousarray(x[:, ::-1])[:, ::-1], np.hstack([x, x])[:, 1:3][:, ::-1]]
    for array in odd:
        assert np.allclose(fast(array), expected, rtol=1e-12)
        assert np.allclose(fast(array[4]), expected[4], rtol=1e-12)
    wide = np.full(4, 7.0)
    assert fast.kernel(x[0], wide[::2]) is False and fast.kernel(np.repeat(x[0], 2)[::2], wide[:2]) is False
    assert (wide == 7.0).all()


def test_without_the_layout_of_cpython_it_takes_the_other_way(monkeypatch):
    """As in another interpreter: the same numbers, by ctypes."""
    monkeypatch.setattr(call, "available", lambda: False)
    program = rd.trace(rd.forward_dynamics, ARM, free="mass")
    slow = llvm.kernels(program)
    out = np.empty(2)
    assert slow.call is None and slow.one(*STATE, np.array([x.mass for x in ARM.links]), out)
    assert np.allclose(out, rd.forward_dynamics(ARM, *STATE), rtol=1e-12)
    assert not slow.one(*STATE, np.ones(3), out) and not slow.one(*STATE, out)


def test_the_layout_is_looked_at():
    """A NumPy that keeps the shape elsewhere is noticed; here nothing is."""
    assert call.available()
    for name in ("TYPE", "DATA", "AXES", "SHAPE", "DTYPE", "FLAGS"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(call, name, 16 if name != "DATA" else 32)
            if name == "SHAPE":
                patch.setattr(call, name, 40)  # the strides
            assert not call.available.__wrapped__()


def test_threads_compute_the_same(monkeypatch):
    """Bit for bit, however many; a batch of a thread is what its work is worth."""
    monkeypatch.setattr(threads, "WORTH_A_THREAD", 1000)
    monkeypatch.setattr(threads, "available", lambda: 64)
    many = np.random.default_rng(4).normal(size=(3, 10_007, 2))
    program = rd.trace(rd.forward_dynamics, ARM)
    expected = None
    for count in (1, 2, 3, 5):
        out = np.empty((10_007, 2))
        assert llvm.kernels(program, count).many(*many, out)
        expected = out if expected is None else expected
        assert np.array_equal(out, expected)
    shares = []
    threads.run(lambda first, last: shares.append((first, last)), 103, 1e6, 4, 4)
    assert sorted(shares) == [(0, 28), (28, 56), (56, 84), (84, 103)]
    for count in range(4, 300):  # however the rows are shared out, each part fills a register at least
        for limit in (2, 3, 8, 32):
            shares.clear()
            threads.run(lambda first, last: shares.append((first, last)), count, 1e9, 4, limit)
            ends = [0, *(last for _, last in sorted(shares))]
            assert sorted(shares) == [*itertools.pairwise(ends)] and ends[-1] == count and min(np.diff(ends)) >= 4
    for work, limit in ((999, 8), (1e9, 1)):
        shares.clear()
        threads.run(lambda first, last: shares.append((first, last)), 103, work, 4, limit)
        assert shares == [(0, 103)]
    monkeypatch.undo()
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert threads.available() == 3
    for odd in ("", "x", "0", "-2"):
        monkeypatch.setenv("OMP_NUM_THREADS", odd)
        assert threads.available() >= 1


def test_an_error_in_a_thread_comes_out_when_all_have_ended(monkeypatch):
    """No thread goes on writing behind the caller's back."""
    monkeypatch.setattr(threads, "available", lambda: 64)
    ended = []

    def part(first, last):
        if first == 0:
            raise RuntimeError("the first part fails")
        ended.append(first)

    with pytest.raises(RuntimeError, match="the first part fails"):
        threads.run(part, 64, 1e9, 4, 4)
    assert sorted(ended) == [16, 32, 48]


def test_nobody_interrupts_a_thread_that_writes(monkeypatch):
    """Ctrl-C comes out when the last part has ended; at the end of a process, where no thread begins, the caller computes all."""
    monkeypatch.setattr(threads, "available", lambda: 64)
    ended = []

    def slow(first, last):
        if first:
            time.sleep(0.3)
        else:
            signal.raise_signal(signal.SIGINT)
        ended.append(first)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may ignore it
    try:
        with pytest.raises(KeyboardInterrupt):
            threads.run(slow, 64, 1e9, 4, 4)
    finally:
        signal.signal(signal.SIGINT, before)
    assert {16, 32, 48} <= set(ended)
    ended.clear()
    monkeypatch.setattr(threads, "_POOL", [SimpleNamespace(submit=refuse)])
    threads.run(lambda first, last: ended.append(first), 64, 1e9, 4, 4)
    assert sorted(ended) == [0, 16, 32, 48]


def refuse(*_):
    """As a pool does when the process ends."""
    raise RuntimeError("cannot schedule new futures after interpreter shutdown")


def test_many_threads_may_call_one_function():
    """And compile at the same time."""
    arm = rd.robots.planar((0.7, 0.4))
    made, wrong = [], []
    begin = threading.Barrier(6)
    one = llvm._Functions(rd.trace(rd.inverse_dynamics, arm), 1)

    def work(seed):
        begin.wait()
        fast = rd.specialize(rd.inverse_dynamics, arm, "llvm")
        given = np.random.default_rng(seed).normal(size=(4, 300, 2))
        one.many(*given)  # one function, whose first batch they all ask for
        given = np.random.default_rng(seed).normal(size=(3, 300, 2))
        made.append(fast)
        for k in range(300):
            if not np.allclose(fast(*given[:, k]), rd.inverse_dynamics(arm, *given[:, k]), rtol=1e-10):
                wrong.append(k)
        fast(*given)

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(made) == 6 and not wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_goes_on():
    """With what was compiled before, threads included, and with what it compiles itself."""
    many = np.random.default_rng(5).normal(size=(3, 50_000, 2))
    fast = rd.specialize(rd.forward_dynamics, ARM, "llvm", threads=2)
    expected = fast(*many)
    ours, theirs = multiprocessing.get_context("fork").Pipe()

    def child():
        new = rd.specialize(rd.mass_matrix, rd.robots.planar((0.31, 0.2)), "llvm")
        theirs.send((np.array_equal(fast(*many), expected), new(STATE[0]).shape))

    process = multiprocessing.get_context("fork").Process(target=child)
    with pytest.warns(DeprecationWarning) if sys.version_info >= (3, 12) else contextlib.nullcontext():
        process.start()
    assert ours.poll(60) and ours.recv() == (True, (2, 2))
    process.join(60)
    assert process.exitcode == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_process_forked_while_a_thread_compiles_can_compile():
    """The lock of the compiler is free in it."""
    stop = threading.Event()

    def compile_again():
        while not stop.is_set():
            engine.Compiled(ir.module(ir.function_of_one(rd.trace(rd.mass_matrix, ARM))))

    other = threading.Thread(target=compile_again)
    other.start()
    try:
        for _ in range(3):
            ours, theirs = multiprocessing.get_context("fork").Pipe()

            def child(theirs=theirs):
                theirs.send(rd.specialize(rd.mass_matrix, rd.robots.planar((0.33, 0.2)), "llvm")(STATE[0]).shape)

            process = multiprocessing.get_context("fork").Process(target=child)
            with pytest.warns(DeprecationWarning) if sys.version_info >= (3, 12) else contextlib.nullcontext():
                process.start()
            answered = ours.poll(60) and ours.recv() == (2, 2)
            process.kill()
            process.join()
            assert answered
    finally:
        stop.set()
        other.join()


def test_loops_refuse_what_they_would_read_beyond_its_end():
    """In words."""
    from robotdyn.optimal.riccati import backward_step
    from robotdyn.simulation import INTEGRATORS
    from robotdyn.simulation.rollout import step_program

    roll = loops.rollout(step_program(ARM, INTEGRATORS["euler"]))
    x, u = np.zeros((5, 4)), np.zeros((4, 2))
    nothing = np.empty((0, 2)), np.empty((0, 2, 4)), np.empty((0, 4)), np.zeros(2), np.zeros(2)
    roll(x, u, np.zeros(2), np.full(4, 0.1), *nothing)
    for given in ((x[:4], u), (x, u[:, :1]), (x.T.copy().T, u), (x, u.astype("f4")), (x, [0.0])):
        with pytest.raises(ValueError, match="a loop needs contiguous, aligned arrays of float64"):
            roll(*given, np.zeros(2), np.full(4, 0.1), *nothing)
    back = loops.backward(backward_step, 2, 1)
    with pytest.raises(ValueError, match=r"here of shape \(3, 2, 2\), got float64 \(2, 2, 2\)"):
        back(np.zeros((2, 2, 2)), *[np.zeros((3, 2))] * 6, 0.0, np.zeros((3, 1)), np.zeros((3, 1, 2)))


def test_matrices_that_write_code_refuse_what_does_not_fit():
    """Sizes that differ, a matrix before a star."""
    w = matrices.MatrixWriter(4)
    A, B = w.new(2, 3), w.new(2, 2)
    for wrong in (lambda: A + B, lambda: A @ B, lambda: B - A, lambda: A @ A.T):
        with pytest.raises(ValueError, match="needs"):
            wrong()
    with pytest.raises(TypeError, match="write @ for a product of matrices"):
        A * B


def test_the_text_can_be_read_and_is_that_of_this_processor():
    """`source` is a text that LLVM takes, and its instructions can be seen."""
    assert "define void @one(" in FAST.source and "define void @many(" in FAST.source
    assert "ret" in engine.assembly(FAST.source)
    assert engine.width() in (2, 4, 8)
    program = rd.trace(rd.mass_matrix, ARM)
    for width in (2, 4, 8, 16):  # of another processor, which this one's registers make up
        code = engine.Compiled(ir.module(ir.function_of_many(program, width)))
        run = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)(code.address("many"))
        q = np.random.default_rng(width).normal(size=(37, 2))
        out = np.empty((37, 2, 2))
        run(37, q.ctypes.data, out.ctypes.data)
        assert np.allclose(out, rd.mass_matrix(ARM, q), rtol=1e-12)


@pytest.mark.parametrize(
    ("triple", "cpu", "begins", "machine"),
    [("aarch64-linux-gnu", "", b"\x7fELF\x02", 183), ("thumbv7em-none-eabihf", "cortex-m7", b"\x7fELF\x01", 40),
     ("riscv64-linux-gnu", "", b"\x7fELF\x02", 243), ("x86_64-linux-gnu", "skylake-avx512", b"\x7fELF\x02", 62),
     ("wasm32", "", b"\0asm", None)],
)  # fmt: skip
def test_object_files_of_other_processors(tmp_path, triple, cpu, begins, machine):
    """The file is one of that processor, by the number that ELF has for it, and names the function."""
    path = FAST.write(tmp_path / "one.o", triple=triple, cpu=cpu)
    code = path.read_bytes()
    assert code.startswith(begins) and b"forward_dynamics" in code
    assert machine is None or int.from_bytes(code[18:20], "little") == machine


def test_an_object_file_of_this_processor_runs(tmp_path):
    """Linked by the system's compiler and called from outside, it gives the same numbers."""
    import platform
    import shutil

    compiler = shutil.which("cc")
    if compiler is None or sys.platform != "linux" or platform.machine() != "x86_64":
        pytest.skip("there is no C compiler for x86-64 Linux here")
    made = FAST.write(tmp_path / "one.o", triple="x86_64-linux-gnu")
    subprocess.run([compiler, "-shared", str(made), "-o", str(tmp_path / "one.so"), "-lm"], check=True)
    out = np.empty(2)
    ctypes.CDLL(str(tmp_path / "one.so")).forward_dynamics(*(ctypes.c_void_p(x.ctypes.data) for x in (*STATE, out)))
    assert np.allclose(out, rd.forward_dynamics(ARM, *STATE), rtol=1e-12)


def test_what_names_no_processor_is_told(tmp_path):
    """And a target that has no object files."""
    for triple in ("pdp11", "amdgcn", "bpf", "nvptx64", "xcore", '"x86_64', "x86_64-linux\n", "", 3):
        with pytest.raises(ValueError, match="triple must name a processor, as "):
            FAST.write(tmp_path / "one.o", triple=triple)
    for cpu in ("a b", '"', 3):
        with pytest.raises(ValueError, match="cpu must be a name that LLVM knows"):
            FAST.write(tmp_path / "one.o", triple="wasm32", cpu=cpu)
    for name in ("sin", "größe"):
        function = lambda x: 2 * x
        function.__name__ = name
        with pytest.raises(ValueError, match="an object file needs a name that is free in C"):
            rd.specialize(function, target="llvm", inputs={"x": 1}).write(tmp_path / "one.o", triple="wasm32")
    plain = rd.specialize(rd.mass_matrix, ARM)
    with pytest.raises(ValueError, match="triple is for target \"llvm\", got target 'numpy'"):
        plain.write(tmp_path / "one.o", triple="wasm32")
    assert plain.write(tmp_path / "one.py").read_text(encoding="utf-8") == plain.source


ALONE = """
import sys
import robotdyn as rd, numpy as np
fast = rd.specialize(rd.forward_dynamics, rd.robots.two_link(), "llvm")
out = fast(*np.zeros((3, 2)))
fast(*np.zeros((3, 100_000, 2)))
assert out.shape == (2,) and "numba" not in sys.modules
"""


def test_it_needs_no_home_and_ends_quietly(tmp_path):
    """No folder is written, and a process with idle threads ends."""
    environment = {**os.environ, "HOME": str(tmp_path / "missing"), "OMP_NUM_THREADS": "2"}
    done = subprocess.run(
        [sys.executable, "-c", ALONE], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0 and not done.stderr


@pytest.mark.parametrize(
    ("threads", "target", "sentence"),
    [(2, "numpy", 'threads must be None for target "numpy"'), (0, "llvm", "threads must be a whole number >= 1"),
     (1.5, "llvm", "threads must be a whole number >= 1"), (True, "llvm", "threads must be a whole number >= 1")],
)  # fmt: skip
def test_a_number_of_threads(threads, target, sentence):
    """Is refused in words where it is none."""
    with pytest.raises(ValueError, match=sentence):
        rd.specialize(rd.mass_matrix, ARM, target, threads=threads)
