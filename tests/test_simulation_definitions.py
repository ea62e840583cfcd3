"""Simulation by its definitions: moments of events, steps of tableaus, cubics between samples, turns of bodies, bars that count."""

from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import robotdyn as rd
from robotdyn import forces
from robotdyn.simulation import INTEGRATORS, Integrator, rollout, simulate, stick_slip

ARM = rd.robots.two_link()
FREE = rd.robots.planar((1.0,), (1.0,), gravity=0)  # turns as it is pushed: q = q0 + qd t
CART = rd.Arm([rd.Link(2.0, joint="prismatic", axis=(1, 0, 0))], gravity=(0, 0, 0))
IDLE = lambda t, q, qd: 0 * q
RNG = np.random.default_rng(8)


def refused(kind, words, call, *given, **named):
    """Tell whether a call ends in an error of this kind that holds these words."""
    with pytest.raises(kind) as error:
        call(*given, **named)
    return words in str(error.value)


def turning(events, t, q=0.0, rate=2.0, **more):
    """The motion of a free link from the angle q at a steady rate."""
    return rd.simulate(FREE, [q], [rate], t=t, events=events, **more)


# ---- events ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", [-3e6, -8.0, 2.0**22])
def test_moments_have_no_origin(start):
    """A motion that begins at another time meets its events as much later, to what the times themselves are rounded to."""
    event = {"passed": lambda t, q, qd: q[0] - 1.3}
    first, then = (turning(event, np.linspace(0, 1, 11) + begin) for begin in (0.0, start))
    assert first.events["passed"] == pytest.approx([0.65])
    assert then.events["passed"] - start == pytest.approx(first.events["passed"], abs=2e-12 * max(1, abs(start)))


def test_a_moment_is_found_to_a_trillionth():
    """Of a second, or of the time where that is longer; from both sides of zero."""
    angles = np.linspace(0.1, 7.9, 40)
    beyond = lambda sign, angle, t, q, qd: sign * (q[0] - angle)
    events = {f"{k}": partial(beyond, (-1) ** k, angle) for k, angle in enumerate(angles)}
    moments = turning(events, np.linspace(0, 4, 13)).events
    off = abs(np.array([moments[name][0] for name in events]) - angles / 2)
    assert (off <= 1e-12 * np.maximum(1, angles / 2) + 1e-14).all()
    late = turning({"late": lambda t, q, qd: t - 1e6 - 1 / 3}, 1e6 + np.linspace(0, 1, 5)).events["late"]
    assert np.allclose(late, 1e6 + 1 / 3, rtol=0, atol=1e-6)


def test_signs_make_an_event_and_zeros_count_where_they_begin():
    """Zero at a sample counts there, not where it stays; a motion that begins at zero has not gone through it."""
    t = np.arange(6.0)
    signs = lambda values: turning({"e": lambda t, q, qd: np.interp(t, range(6), values)}, t).events["e"]
    assert np.allclose(signs([1, 0, 0, 0, -1, -1]), [1])
    assert np.allclose(signs([-1, 0, 1, 1, 0, -1]), [1, 4])
    assert np.allclose(signs([0, 0, 0, 1, 1, 1]), [])
    assert np.allclose(signs([1, 1, -1, -1, 1, 1]), [1.5, 3.5])
    assert np.allclose(signs([2, 1, 1, 1, 1, 0]), [5])


def test_a_motion_stops_at_the_first_of_several_zeros():
    """It ends there, with what happens at that time and nothing later; its last sample is the state at the moment."""
    side = lambda t, q, qd: np.cos(q[0])
    events = {"later": lambda t, q, qd: q[0] - 2, "side": side, "same": side, "before": lambda t, q, qd: q[0] - 1}
    for piece in (2, 5, 1000):
        parts = list(rd.stream(FREE, [0], [2.0], t=np.linspace(0, 4, 37), events=events, stop="side", piece=piece))
        whole = parts[0]
        for part in parts[1:]:
            whole = whole.joined(part)
        for name, moments in (("side", [np.pi / 4]), ("same", [np.pi / 4]), ("before", [0.5]), ("later", [])):
            assert np.allclose(whole.events[name], moments, atol=1e-9)
        assert (
            np.isclose(whole.t[-1], np.pi / 4)
            and np.isclose(whole.q[-1, 0], np.pi / 2)
            and whole.qd.shape == whole.q.shape
        )
        assert (np.diff(whole.t) > 0).all() and len(whole.tau) == len(whole.t) and np.isclose(whole.t[-2], 7 * 4 / 36)
    at_sample = turning({"one": lambda t, q, qd: q[0] - 1.0}, np.arange(0, 2, 0.25), stop="one", method="euler")
    assert np.allclose(at_sample.t, [0, 0.25, 0.5])
    assert refused(ValueError, "one of (none), got 'x'", turning, None, [0, 1], stop="x")


def after(end, t, q, qd):
    """How long after a moment it is."""
    return t - end


@pytest.mark.parametrize("piece", [1, 2, 3, 4, 8, 100])
def test_a_stream_ends_with_the_event_that_stops_it(piece):
    """Also where a sample is its moment, and the last one of a piece: nothing comes after it."""
    t = np.arange(17) / 16  # exact, as the zeros are
    for end in (4 / 16, 11 / 16, 1.0):
        events = {"end": partial(after, end), "half": partial(after, 1 / 2)}
        parts = list(rd.stream(FREE, [0], [2.0], t=t, events=events, stop="end", piece=piece))
        near = partial(np.testing.assert_allclose, rtol=0, atol=1e-12)  # a zero is found to rounding
        near(np.concatenate([part.events["end"] for part in parts]), [end])
        near(np.concatenate([part.events["half"] for part in parts]), [0.5] * (end >= 0.5))
        near([parts[-1].t[-1], max(part.t[-1] for part in parts)], end)


# ---- steps ----------------------------------------------------------------------------------------------------------


def test_a_tableau_is_checked():
    """Weights add up to 1 to 1e-12, rows grow by one; a method has as many slopes as weights."""
    for off in (1e-11, -1e-11, 0.5):
        assert refused(ValueError, "b must add up to 1", Integrator, 1, ((), (1,)), (0.5, 0.5 + off))
    assert Integrator(1, ((), (1,)), (0.5, 0.5 + 1e-13)).stages == 2 and Integrator(1).stages == 1
    for a in ((), ((),), ((), ()), ((1,), ()), ((), (1,), (1, 1))):
        assert refused(ValueError, "a must hold rows of 0, 1, 2, .. weights", Integrator, 1, a, (0.5, 0.5))
    assert {name: method.order for name, method in INTEGRATORS.items()} == {"euler": 1, "semi-implicit": 1, "rk4": 4}
    for wrong in ("rk5", None, ["rk4"]):
        assert refused(
            ValueError,
            "method must be one of euler, semi-implicit, rk4, solve_ivp, got",
            turning,
            None,
            [0, 1],
            method=wrong,
        )


@pytest.mark.parametrize("compile", [None, False])
@pytest.mark.parametrize("chunk", [1, 7, 10_000])
def test_long_motions_go_in_chunks(monkeypatch, chunk, compile):
    """Whatever their length, and whether as a program or step by step, the motion is that of each step."""
    monkeypatch.setattr(simulate, "CHUNK_STEPS", chunk)
    t = np.cumsum(RNG.uniform(0.001, 0.01, 23))
    expected = rd.simulate(ARM, [0.3, -0.2], [0.5, 0], lambda t, q, qd: [0.5, -0.2], t)
    for steps in (0, 11, 10**6):  # from which on a step becomes a program
        monkeypatch.setattr(simulate, "TRACED_STEPS", steps)
        motion = rd.simulate(ARM, [0.3, -0.2], [0.5, 0], [0.5, -0.2], t, compile=compile)
        assert np.allclose(motion.q, expected.q, atol=1e-12) and np.allclose(motion.qd, expected.qd, atol=1e-12)
        assert np.array_equal(motion.t, t) and np.allclose(motion.tau, [0.5, -0.2])
    monkeypatch.setattr(simulate, "TRACED_JOINTS", 1)
    assert np.allclose(rd.simulate(ARM, [0.3, -0.2], [0.5, 0], [0.5, -0.2], t).q, expected.q, atol=1e-12)


@pytest.mark.parametrize("traced", [0, 10**6])
def test_a_motion_that_runs_away_is_told(monkeypatch, traced):
    """From 1e12 on, with its time; up to there it is a motion; by a program, and step by step."""
    monkeypatch.setattr(simulate, "TRACED_STEPS", traced)
    move = lambda rate: rd.simulate(CART, [0], [rate], t=[0, 0.25, 0.5, 0.75], method="euler")
    assert np.isclose(move(0.9e12).qd[-1, 0], 0.9e12)
    for rate in (1.1e12, -1.1e12):
        assert refused(ValueError, "the motion must stay finite, got 1.1e+12 at t = ", move, rate)
    push = lambda: rd.simulate(
        CART, [0], [0.8e12], [0.64e12], [0, 0.25, 0.5, 0.75], "euler"
    )  # 0.88e12, 0.96e12, 1.04e12
    assert refused(ValueError, "at t = 0.75 s: take smaller steps, or a better method", push)


def test_a_compiler_pays_for_long_motions_alone():
    """Where the steps in Python take longer than the compiler: more operations and more steps, but never none."""
    program = rollout.step_program(ARM, INTEGRATORS["rk4"])
    seconds = lambda steps: steps * program.operations * rollout.PYTHON_OPERATION
    price = rollout.COMPILER_START + rollout.COMPILED_OPERATION * program.operations
    few, many = int(0.99 * price / seconds(1)), int(1.01 * price / seconds(1)) + 1
    assert not rollout.compiling_pays(program, few)
    assert rollout.compiling_pays(program, many) is (not rollout.TARGETS["llvm"].missing())


@contextmanager
def counted(seen, total, shown):
    """A bar that keeps what it is told."""
    seen.append(total)
    yield lambda steps, message: seen.append((steps, message))


@pytest.mark.parametrize("chunk", [4, 5])
@pytest.mark.parametrize("traced", [0, 10**6])
def test_a_bar_counts_every_step(monkeypatch, traced, chunk):
    """To the number of steps, and tells the time it is at, in one piece and in many; it is not moved by nothing."""
    monkeypatch.setattr(simulate, "TRACED_STEPS", traced)
    monkeypatch.setattr(simulate, "CHUNK_STEPS", chunk)
    for piece in (3, 1000):
        seen = []
        monkeypatch.setattr(simulate, "progress_bar", partial(counted, seen))
        list(rd.stream(CART, [0], [1], [0.5], np.arange(11) / 4, piece=piece))
        total, *told = seen
        assert total == 10 == sum(steps for steps, _ in told) and told[-1][1] == "t = 2.5 s"
        assert all(steps > 0 for steps, _ in told)


def test_tolerances_are_for_the_adaptive_method():
    """1e-9, 1e-10 and DOP853 unless told; told for another method they are refused, each of them."""
    plain, told = (
        turning(None, [0, 1.0], method="solve_ivp", **more)
        for more in ({}, {"rtol": 1e-9, "atol": 1e-10, "solver": "DOP853"})
    )
    assert np.array_equal(plain.q, told.q)
    for more in ({"rtol": 1e-8}, {"atol": 1e-8}, {"solver": "RK45"}):
        assert refused(TypeError, 'rtol, atol and solver are for "solve_ivp"', turning, None, [0, 1.0], **more)
    swing = lambda **more: rd.simulate(ARM, [0, 0.5], [0, 0], t=[0, 1.0, 2.0], method="solve_ivp", **more).q[-1]
    exact = swing(rtol=1e-13, atol=1e-14)
    errors = [abs(swing(rtol=size, atol=size) - exact).max() for size in (1e-4, 1e-7, 1e-10)]
    assert errors[0] > 10 * errors[1] > 100 * errors[2]
    assert abs(swing() - exact).max() < 1e-7 and abs(swing(atol=1e-3) - exact).max() > 10 * abs(swing() - exact).max()
    coarse, fine = (abs(swing(rtol=size, atol=1e-14) - exact).max() for size in (1e-3, 1e-8))
    assert coarse > 100 * fine


def test_errors_are_told_for_each_coordinate_and_rate():
    """|x - x of half the steps| / (1 - 2^-order); of an adaptive method, beside tolerances 1e-4 as large."""
    t = np.linspace(0, 1, 11)
    for method, order in (("euler", 1), ("rk4", 4)):
        coarse = rd.simulate(ARM, [0.3, -0.2], [0.5, 0], t=t, method=method, error=True)
        fine = rd.simulate(ARM, [0.3, -0.2], [0.5, 0], t=np.linspace(0, 1, 21), method=method)
        off = np.stack([coarse.q - fine.q[::2], coarse.qd - fine.qd[::2]], axis=1)
        assert np.allclose(coarse.error, abs(off) / (1 - 0.5**order), rtol=1e-6, atol=1e-15)
    coarse = rd.simulate(ARM, [0.3, -0.2], [0.5, 0], t=t, method="solve_ivp", rtol=1e-4, atol=1e-5, error=True)
    fine = rd.simulate(ARM, [0.3, -0.2], [0.5, 0], t=t, method="solve_ivp", rtol=1e-8, atol=1e-9)
    assert np.allclose(coarse.error[:, 0], abs(coarse.q - fine.q), rtol=1e-6, atol=1e-12)
    motion = rd.simulate(ARM, [0.3, -0.2], [0.5, 0], t=t, error=True, events={"e": lambda t, q, qd: t - 0.55})
    assert np.allclose(motion.events["e"], [0.55]) and motion.error.shape == (11, 2, 2)


@pytest.mark.parametrize("call", [rd.simulate, lambda *given, **named: list(rd.stream(*given, **named))])
def test_what_cannot_be_simulated(call):
    """Symbols, shapes, times that do not grow, pieces of nothing."""
    assert refused(
        TypeError,
        "simulate needs numbers, got an arm with symbols",
        call,
        rd.robots.two_link(symbolic=True),
        [0, 0],
        [0, 0],
        t=[0, 1],
    )
    for q, qd, tau in (
        ([0], [0, 0], None),
        ([0, 0], [0], None),
        ([0, 0], [0, 0], [1]),
        ([0, 0], [0, 0], lambda t, q, qd: [1]),
    ):
        assert refused(
            ValueError, "must have shape (2,) for an arm of 2 joints, got (1,)", call, ARM, q, qd, tau, [0, 1]
        )
    for t in ([0], [0, 0], [1, 0], [[0, 1]]):
        assert refused(
            ValueError, "t must be an increasing array of at least two finite times", call, ARM, [0, 0], [0, 0], None, t
        )
    assert refused(TypeError, "t must be given", call, ARM, [0, 0], [0, 0])
    for compile, tau, method in ((True, IDLE, "rk4"), (True, None, "solve_ivp")):
        assert refused(
            ValueError, "compile must be None or False", call, ARM, [0, 0], [0, 0], tau, [0, 1], method, compile=compile
        )
    assert refused(
        ValueError, "every joint must move some mass or inertia", call, rd.Arm([rd.Link(0)]), [0], [0], t=[0, 1]
    )


def test_pieces_of_a_stream():
    """A whole number of steps, a thousand if nothing is said; the last piece is what is left."""
    first_piece = lambda piece: next(rd.stream(CART, [0], [0], t=[0, 1], piece=piece))
    for piece in (0, 1.5, -1):
        assert refused(
            ValueError,
            "piece must be a whole number of steps >= 1",
            partial(first_piece, piece),
        )
    lengths = lambda **more: [len(part) for part in rd.stream(CART, [0], [1], t=np.arange(2402) / 100, **more)]
    assert lengths() == [1001, 1001, 402] and lengths(piece=2401) == [2402] and lengths(piece=2400) == [2401, 2]


# ---- samples --------------------------------------------------------------------------------------------------------


def test_cubics_between_samples_are_exact_for_cubics():
    """q(t) = a + b t + c t^2 + d t^3 and its rate, at any time, also of an array of times, both ends included (Hermite)."""
    t, c = np.array([0.0, 0.3, 1.0, 1.4]), RNG.normal(size=(4, 2))
    q = lambda s: np.power.outer(s, range(4)) @ c
    qd = lambda s: np.stack([0 * s, 1 + 0 * s, 2 * s, 3 * s**2], axis=-1) @ c
    motion = rd.Trajectory(t, q(t), qd(t), 0 * q(t))
    for at in (
        np.linspace(0, 1.4, 15),
        np.array([[0.1, 0.5], [1.3, 1.4]]),
        np.array(0.0),
        np.array(1.4),
        np.array(0.3),
    ):
        found = motion.at(at)
        assert np.allclose(found[0], q(at)) and np.allclose(found[1], qd(at)) and found[0].shape == (*at.shape, 2)
    for at in (-1e-9, 1.4 + 1e-9, [0.5, 2.0], np.nan):
        assert refused(ValueError, "t must lie between 0 and 1.4 s", motion.at, at)


def test_work_is_the_integral_of_power():
    """By trapezoids from the first sample, exact for power that grows linearly; what energy does beside it is the error."""
    t = np.array([0.0, 0.5, 0.7, 2.0])
    motion = rd.Trajectory(t, np.zeros((4, 2)), np.stack([t, 1 + 0 * t], 1), np.stack([3 + 0 * t, -t], 1))
    assert np.allclose(motion.power(), 2 * t) and np.allclose(motion.work(), t**2)
    kinetic, potential = motion.energy(ARM)
    total = kinetic + potential
    assert np.allclose(motion.energy_error(ARM), total - total[0] - t**2) and len(motion) == 4


def test_joined_motions_keep_their_events():
    """One sample for both where they meet; moments of each name one after the other; no error, which was of one part."""
    t, x = np.arange(3.0), np.arange(3.0)[:, None]
    one = rd.Trajectory(t, x, x, x, {"a": np.array([0.5]), "b": np.array([1.5])}, np.zeros((3, 2, 1)))
    other = rd.Trajectory(t + 2, x + 2, x + 2, x + 2, {"a": np.array([2.5]), "c": np.array([3.0])})
    both = one.joined(other)
    assert (
        both.t.tolist() == both.q[:, 0].tolist() == both.qd[:, 0].tolist() == both.tau[:, 0].tolist() == [0, 1, 2, 3, 4]
    )
    assert {name: list(moments) for name, moments in both.events.items()} == {"a": [0.5, 2.5], "b": [1.5], "c": [3.0]}
    assert both.error is None


# ---- sticking -------------------------------------------------------------------------------------------------------


def test_a_joint_yields_first_where_most_is_missing():
    """Two joints beyond their stiction: the one that exceeds it most begins, and the other may then hold; who yields, moves as pushed."""
    tau = np.array([0.0, 2.0])
    free = replace(ARM, gravity=(0, 0, 0))
    motion = rd.stick_slip(free, [0, 0.5], [0, 0], [0, 0.01], [0.5, 0.5], [50.0, 0.6], tau)
    M = rd.mass_matrix(free, [0, 0.5])
    assert abs(motion.q[:, 0]).max() < 1e-15 and np.isclose(motion.qd[-1, 1], 0.01 * (2 - 0.5) / M[1, 1], rtol=1e-3)
    both = rd.stick_slip(free, [0, 0.5], [0, 0], [0, 0.01], [0.1, 0.5], [0.2, 0.6], tau)
    signs = np.sign(both.qd[-1])
    assert np.allclose(both.qd[-1], 0.01 * np.linalg.solve(M, tau - signs * [0.1, 0.5]), rtol=1e-2) and signs[1] == 1
    assert np.allclose(motion.tau[0, 0], (M @ [0, (2 - 0.5) / M[1, 1]])[0])  # what holds the first joint


def test_stiction_is_the_friction_where_nothing_else_is_said():
    """A push of exactly the stiction holds, one beyond it moves; a rail of 2 kg."""
    for push, moves in ((0.999, False), (1.001, True), (-1.001, True)):
        motion = rd.stick_slip(CART, [0], [0], [0, 1.0], 1.0, tau=[push])
        assert bool(motion.q[-1, 0]) is moves
        if moves:
            assert np.isclose(motion.q[-1, 0], np.sign(push) * 0.001 / 2 / 2)
    stronger = rd.stick_slip(CART, [0], [0], [0, 1.0], 1.0, 1.5, [1.4])
    assert not stronger.q.any() and np.allclose(stronger.tau, 0)  # of the push and the friction that holds it
    slides = rd.stick_slip(CART, [0], [1.0], [0, 0.5], 1.0, 1.5, [1.4])
    assert np.isclose(slides.qd[-1, 0], 1 + 0.5 * 0.4 / 2)


def test_while_all_joints_slide_friction_is_a_constant_torque():
    """The motion is that of simulate with -c sign(qd) beside the other torques, which see time, place and rates; tau is their sum."""
    t, q, qd, c = np.linspace(0, 0.05, 21), [0.3, 0.7], [2.0, -3.0], np.array([0.4, 0.3])
    law = lambda t, q, qd: np.array([np.sin(9 * t), 0.2 * q[0]]) - 0.8 * qd
    slides = rd.stick_slip(ARM, q, qd, t, c, 2 * c, law)
    rubbed = rd.simulate(ARM, q, qd, lambda t, q, qd: law(t, q, qd) - c * np.array([1, -1]), t)
    assert (slides.qd * [1, -1] > 0).all() and len(slides.t) == 21
    for found, expected in ((slides.q, rubbed.q), (slides.qd, rubbed.qd), (slides.tau, rubbed.tau)):
        assert np.allclose(found, expected, rtol=0, atol=1e-10)


def test_one_joint_sticks_while_the_other_slides():
    """What sticks does not move, and feels what inverse dynamics asks for; the other one moves by what is left of its own torque."""
    t, q = np.linspace(0, 0.2, 21), np.array([0.3, 0.7])
    motion = rd.stick_slip(ARM, q, [0, -3.0], t, [1.0, 0.3], [500.0, 0.3], [0.5, 1.5])
    assert np.allclose(motion.q[:, 0], 0.3, rtol=0, atol=1e-14) and abs(motion.qd[:, 0]).max() < 1e-14
    held = np.stack(
        [0 * motion.t, (motion.tau[:, 1] - rd.inverse_dynamics(ARM, motion.q, motion.qd, 0 * motion.q)[:, 1])], axis=1
    )
    M = np.array([rd.mass_matrix(ARM, at) for at in motion.q])
    qdd = held / M[:, 1:, 1]
    assert np.allclose(motion.tau[:, 1], 1.5 + 0.3) and (motion.qd[:, 1] < 0).all()
    assert np.allclose(motion.tau, rd.inverse_dynamics(ARM, motion.q, motion.qd, qdd), rtol=0, atol=1e-9)
    assert np.allclose(np.gradient(motion.qd[:, 1], motion.t)[1:-1], qdd[1:-1, 1], rtol=2e-3)


def test_events_of_friction_are_told_once():
    """A block slides to rest, is pushed again, and slides the other way: stick, slip and their times, in closed form."""
    push = lambda t, q, qd: np.where(t < 4, 0.0, np.minimum(0.0, -(t - 4)) + 0 * q)
    motion = rd.stick_slip(CART, [0], [1.0], np.linspace(0, 6, 13), 1.0, 1.2, push)
    assert np.allclose(motion.events["stick"], [2.0]) and np.allclose(motion.events["slip"], [5.2], atol=1e-9)
    late = 0.8  # from 5.2 s on: 2 qdd = 1 - (t - 4)
    assert np.isclose(motion.qd[-1, 0], -(0.2 * late + late**2 / 2) / 2) and np.isclose(motion.t[-1], 6)
    resting = (motion.t >= 2) & (motion.t <= 5.2)
    assert np.allclose(motion.q[resting], 1.0) and np.allclose(motion.qd[resting], 0, atol=1e-9)


def test_a_joint_that_stays_as_it_is_makes_no_event():
    """Two sliders on one rail each: one rests throughout, the other one stops, or begins to slide; then the other way round."""
    rails = rd.Arm([rd.Link(1.0, joint="prismatic", axis=axis) for axis in np.eye(3)[:2]], gravity=(0, 0, 0))
    push = lambda order, t, q, qd: np.array([0.0, 4 + 2 * t])[order]
    for order in (slice(None), slice(None, None, -1)):
        slide = rd.stick_slip(rails, [0, 0], np.array([0.0, 1.0])[order], [0, 1.0, 2.0], [5.0, 5.0])
        assert len(slide.events["slip"]) == 0 and len(slide.events["stick"]) == 1
        begin = rd.stick_slip(rails, [0, 0], [0, 0], [0, 1.0, 2.0], [5.0, 5.0], tau=partial(push, order))
        assert np.allclose(begin.events["slip"], [0.5]) and len(begin.events["stick"]) == 0


def test_changes_without_an_end_are_told(monkeypatch):
    """A block that is shaken changes more often than anybody waits for."""
    monkeypatch.setattr(stick_slip, "MAX_SWITCHES", 5)
    shaken = lambda t, q, qd: 3 * np.sin(40 * t) + 0 * q
    words = "the joints must not change between sticking and sliding more than 5 times"
    assert refused(ValueError, words, rd.stick_slip, CART, [0], [0], np.linspace(0, 3, 301), 1.0, 1.5, shaken)
    assert refused(
        TypeError,
        "stick_slip needs numbers",
        rd.stick_slip,
        rd.robots.two_link(symbolic=True),
        [0, 0],
        [0, 0],
        [0, 1],
        1,
    )


# ---- turning --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pace", [1e-3, 9e-3, 1.1e-2, 0.3, 0.99, 1.01, 7.0])
def test_a_turn_of_any_size_is_exact(pace):
    """A symmetric body precesses as R = exp(t L / I1) R_0 exp(t (1 - I3 / I1) omega_3 e_3), to rounding, in one interval or more."""
    I1, I3, R_0 = 0.7, 1.2, rd.rotations.exp([0.4, 0.1, -0.9])
    omega = np.array([0.4, -0.3, 0.8]) * pace / np.sqrt(0.89)
    motion = rd.tumble(rd.Body(1, (0, 0, 0), np.diag([I1, I1, I3])), omega, [0.0, 1.0, 1.5], R_0)
    L = R_0 @ (np.array([I1, I1, I3]) * omega)
    for t, R in zip(motion.t, motion.rotation):
        exact = rd.rotations.exp(t * L / I1) @ R_0 @ rd.rotations.exp([0, 0, t * (1 - I3 / I1) * omega[2]])
        assert np.allclose(R, exact, rtol=0, atol=2e-13 * max(1.0, pace))
    assert np.allclose(motion.momentum(), L, rtol=0, atol=2e-15 * max(1.0, pace) * 10)


def test_a_body_is_turned_by_its_torque():
    """dL/dt = n in base axes, for a torque of time and rotation; energy 1/2 omega . I omega; the point that is held."""
    body = rd.Body(2.0, (0.1, -0.2, 0.3), np.diag([1.0, 2, 2.5]))
    torque = lambda t, R, omega: np.array([np.cos(t), 0.5 * t, -1.0])
    t = np.linspace(0, 2, 5)
    for point in (None, (0.2, 0.1, 0.0)):
        motion = rd.tumble(body, (0.4, 1.0, -0.3), t, torque=torque, point=point)
        gained = np.stack([np.sin(t), t**2 / 4, -t], axis=1)
        assert np.allclose(motion.momentum() - motion.momentum()[0], gained, atol=1e-10)
        I = body.about(body.com if point is None else point)
        assert np.allclose(motion.inertia, I) and np.allclose(motion.energy(), [w @ I @ w / 2 for w in motion.omega])
        assert (
            np.allclose(motion.rotation[0], np.eye(3))
            and np.allclose(motion.omega[0], (0.4, 1.0, -0.3))
            and len(motion) == 5
        )


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_from_rest_a_body_turns_as_far_as_its_torque_takes_it(size):
    """By n t^2 / (2 I), several rounds in one interval, whether the torque is weak or strong."""
    body, turned = rd.Body(1, (0, 0, 0), np.diag([1.0, 2, 2.5])), 20.0
    end = np.sqrt(2 * turned * 2.5 / size)
    motion = rd.tumble(body, (0, 0, 0), [0, end], torque=lambda t, R, omega: (0, 0, size))
    assert np.allclose(motion.rotation[-1], rd.rotations.exp([0, 0, turned]), atol=1e-9)
    assert np.isclose(motion.omega[-1, 2], size * end / 2.5)


def test_a_body_at_rest_stays_at_rest():
    """Without torque, and where the torque comes later: in any piece of the motion."""
    body = rd.Body(1, (0, 0, 0), np.diag([1.0, 2, 2.5]))
    motion = rd.tumble(body, (0, 0, 0), [0, 1.0, 50.0])
    assert np.array_equal(motion.rotation, [np.eye(3)] * 3) and not motion.omega.any()
    later = rd.tumble(body, (0, 0, 0), [0, 1.0, 2.0], torque=lambda t, R, omega: (0, 0, 5.0 * (t > 1)))
    assert np.array_equal(later.rotation[1], np.eye(3)) and np.isclose(later.omega[-1, 2], 2.0, rtol=1e-6)


def test_bodies_that_do_not_turn_are_told():
    """An inertia is singular from a condition of 1e12 on; torques are functions of three numbers; a million radians are the most."""
    thin = lambda size: rd.Body(1, (0, 0, 0), np.diag([size, 1.0, 1.0]))
    rd.tumble(thin(2e-12), (0, 0, 0.1), [0, 0.1])
    for size in (0.5e-12, 1e-13, 0.0):
        assert refused(
            ValueError,
            "a body that turns freely must have inertia about every axis",
            rd.tumble,
            thin(size),
            (0, 0, 0.1),
            [0, 0.1],
        )
    ball = rd.bodies.sphere(1, 1)
    for end in (1.1e6, 1e300):
        assert refused(ValueError, "a body must turn by less than 1e+06 rad", rd.tumble, ball, (0, 0, 1.0), [0, end])
    assert refused(ValueError, "omega must have shape (3,)", rd.tumble, ball, (0, 1), [0, 1])
    assert refused(ValueError, "rotation must be a rotation matrix", rd.tumble, ball, (0, 0, 1), [0, 1], 2 * np.eye(3))


def test_friction_laws_join_a_simulation():
    """A constant torque, a law of it, and a sum of laws are one motion."""
    t = np.linspace(0, 0.3, 13)
    runs = [
        rd.simulate(ARM, [0.3, 0.2], [1.0, -1.0], tau, t)
        for tau in ([1.0, 0.5], lambda t, q, qd: [1.0, 0.5], forces.total([1.0, 0.5]))
    ]
    for run in runs[1:]:
        assert np.allclose(run.q, runs[0].q, atol=1e-13) and np.allclose(run.tau, [1.0, 0.5])
