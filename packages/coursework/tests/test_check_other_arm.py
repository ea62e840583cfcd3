"""What "other-arm" rests on: the arm that a law meets is the one of the book, the verdicts keep a distance, and cheats are told."""

import math

import numpy as np
import pytest

import robotdyn as rd
from coursework.check.data import as_data, calls_as_data, on_copies
from coursework.check.parameters import Draw
from coursework.check.question import diagnose
from coursework.check.session import assignment_module, parameters_of

NAME = "other-arm"
GIVEN, ASKED = assignment_module(NAME, "given"), assignment_module(NAME)
QUESTIONS = ASKED.QUESTIONS


def accelerations_by_hand(p, row, q, qd, tau):
    """Lagrange's equations of two uniform rods with a point mass at the end and friction, written out."""
    (l1, l2), (m1, m2), load = p.lengths, p.masses, row[0]
    a = m1 * l1**2 / 3 + (m2 + load) * l1**2
    b = (m2 / 2 + load) * l1 * l2
    d = (m2 / 3 + load) * l2**2
    c, s, both = math.cos(q[1]), math.sin(q[1]), q[0] + q[1]
    M = np.array([[a + d + 2 * b * c, d + b * c], [d + b * c, d]])
    velocity = np.array([-b * s * qd[1] * (2 * qd[0] + qd[1]), b * s * qd[0] ** 2])
    outer = 9.81 * (m2 / 2 + load) * l2 * math.cos(both)
    weight = np.array([9.81 * (m1 / 2 + m2 + load) * l1 * math.cos(q[0]) + outer, outer])
    friction = row[1:3] * qd + row[3:5] * np.tanh(qd / 0.1)
    return np.linalg.solve(M, tau - velocity - weight - friction)


def test_the_other_arm_obeys_equations_written_out():
    """M qdd + C qd + g + friction = tau, with the load in each of them; a torque within the limits, one period late."""
    p = parameters_of(NAME, "ada")
    (early,), (late,) = QUESTIONS["track"].inputs(p, Draw("x"))
    for (row,), delay in ((early, 0), (late, 1)):
        plant = GIVEN.Plant(p, row)
        q, qd, torques = np.array(p.start), np.zeros(2), [rd.gravity_torque(p.arm, p.start)] * delay
        for k in range(40):
            tau = np.array([300.0 if k > 30 else 3.0, -2.0 * math.sin(k)])
            plant.move(tau)
            torques.append(np.clip(tau, -np.array(p.limits), p.limits))
            for _ in range(5):
                qd = qd + 0.002 * accelerations_by_hand(p, row, q, qd, torques[k])
                q = q + 0.002 * qd
        np.testing.assert_allclose(plant.q, q, rtol=1e-8)  # rounding, over 200 steps


def test_the_reference_of_the_hand_is_straight_and_consistent():
    """Rates are the derivatives of places, accelerations those of rates, and the hand is where the joints are at both ends."""
    p, h = parameters_of(NAME, "ada"), 1e-5
    for reference in (GIVEN.reference, GIVEN.hand_reference):
        for t in (0.1, 0.5, 1.1, 1.7):
            before, now, after = (reference(p, t + k * h) for k in (-1, 0, 1))
            for order in (0, 1):
                slope = (after[order] - before[order]) / (2 * h)
                np.testing.assert_allclose(slope, now[order + 1], atol=1e-7)
    for t, q in ((0.0, p.start), (2.0, p.end)):
        place = rd.point_position(p.arm, q)[:2]
        np.testing.assert_allclose(GIVEN.hand_reference(p, t)[0], place, atol=1e-12)
        np.testing.assert_allclose(GIVEN.reference(p, t)[0], q, atol=1e-12)


def judged(question, p, law, seed="x"):
    """What the checks say of a law, on arms drawn from that seed."""
    spec = QUESTIONS[question]
    inputs = spec.inputs(p, Draw(seed))
    return diagnose(spec, p, calls_as_data(spec.wrap(p, on_copies(law)), inputs), inputs)


def followed(p, w, damping=1.0):
    """Computed torque."""
    torque = rd.specialize(rd.inverse_dynamics, p.arm)
    return lambda q, qd, q_r, qd_r, qdd_r: torque(q, qd, qdd_r - 2 * damping * w * (qd - qd_r) - w**2 * (q - q_r))


def settled(p, k2, k1, k0):
    """Computed torque with an integral."""
    torque = rd.specialize(rd.inverse_dynamics, p.arm)
    return lambda q, qd, z, q_r, qd_r, qdd_r: torque(q, qd, qdd_r - k2 * (qd - qd_r) - k1 * (q - q_r) - k0 * z)


def passive(p, w):
    """The passivity-based law, in which nothing is canceled: M a + C v + g - K s."""
    M, C, g = (rd.specialize(f, p.arm) for f in (rd.mass_matrix, rd.coriolis_matrix, rd.gravity_torque))

    def law(q, qd, q_r, qd_r, qdd_r):
        v, a = qd_r - w * (q - q_r), qdd_r - w * (qd - qd_r)
        return M(q) @ a + C(q, qd) @ v + g(q) - w * M(q) @ (qd - v)

    return law


def springs(p, w):
    """Springs and dampers in the joints, as stiff as the arm is heavy at the start, with the weight of the model."""
    M, g = rd.mass_matrix(p.arm, p.start), rd.specialize(rd.gravity_torque, p.arm)
    return lambda q, qd, q_r, qd_r, qdd_r: g(q) - M @ (2 * w * (qd - qd_r) + w**2 * (q - q_r))


def scheme_of_the_hand(p, w):
    """Springs at the hand by the transpose of the Jacobian, scaled by the mass that the hand seems to have."""
    M, B = rd.specialize(rd.mass_matrix, p.arm), rd.specialize(rd.bias_torque, p.arm)

    def law(q, qd, x_r, v_r, a_r):
        J = rd.tip_jacobian(p.arm, q)[:2]
        seems = np.linalg.inv(J @ np.linalg.solve(M(q), J.T))
        turning = rd.point_acceleration(p.arm, q, qd, np.zeros(2))[:2]
        x = rd.point_position(p.arm, q)[:2]
        force = seems @ (a_r - 2 * w * (J @ qd - v_r) - w**2 * (x - x_r) - turning)
        return J.T @ force + B(q, qd)

    return law


RIGHT = {
    "computed torque, w 28": ("track", lambda p: followed(p, 28)),
    "computed torque, w 38": ("track", lambda p: followed(p, 38)),
    "little damping": ("track", lambda p: followed(p, 32, 0.7)),
    "passive": ("track", lambda p: passive(p, 30)),
    "springs": ("track", lambda p: springs(p, 32)),
    "a column": ("track", lambda p: lambda *at: np.reshape(followed(p, 32)(*at), (2, 1))),
    "a list of text-free numbers": ("track", lambda p: lambda *at: [np.float32(x) for x in followed(p, 32)(*at)]),
    "equal roots at 13": ("settle", lambda p: settled(p, 39, 507, 2197)),
    "equal roots at 20": ("settle", lambda p: settled(p, 60, 1200, 8000)),
    "a slow root": ("settle", lambda p: settled(p, 50, 700, 4000)),
    "by the mass of the hand": ("hand", lambda p: scheme_of_the_hand(p, 30)),
}


def in_place(p):
    """A right law that works in its arguments."""
    torque = rd.specialize(rd.inverse_dynamics, p.arm)

    def law(q, qd, q_r, qd_r, qdd_r):
        q_r -= q
        qd_r -= qd
        qdd_r += 1024 * q_r + 64 * qd_r
        return torque(q, qd, qdd_r)

    return law


RIGHT["in its arguments"] = ("track", in_place)


@pytest.mark.parametrize("students", [range(1), pytest.param(range(1, 40), marks=pytest.mark.slow)], ids=["1", "40"])
@pytest.mark.parametrize("name", RIGHT)
def test_other_laws_are_right_as_well(name, students):
    """No law is compared with the solution."""
    question, make = RIGHT[name]
    for number in students:
        p = parameters_of(NAME, f"t{number}")
        assert judged(question, p, make(p), f"y{number}") == [], number


@pytest.mark.parametrize("students", [range(1), pytest.param(range(1, 40), marks=pytest.mark.slow)], ids=["1", "40"])
def test_no_verdict_on_a_solution_is_near(students):
    """On any student's arms, the error is half of its bound at most, jumps and limits as well; of the effort a fifth is left."""
    for number in students:
        p = parameters_of(NAME, f"t{number}")
        runs = {
            "track": (followed(p, 32), ASKED.ERROR),
            "settle": (settled(p, 45, 675, 3375), ASKED.OFF),
            "hand": (scheme_of_the_hand(p, 28), ASKED.HAND),
        }
        for question, (law, error) in runs.items():
            spec = QUESTIONS[question]
            for at in spec.inputs(p, Draw(f"y{number}")):
                run = ASKED._run(p, at, spec.wrap(p, law)(*at), question == "hand")
                size = np.linalg.norm(run.e, axis=1) if question == "hand" else abs(run.e)
                assert size.max() < 0.7 * error
                assert (abs(run.tau) / p.limits).max() < 0.8
                assert (abs(np.diff(run.tau, axis=0)) / p.limits).mean() < 0.5 * ASKED.JUMPS
                if question == "settle":
                    assert abs(run.e[-ASKED.LAST :]).max() < 0.5 * ASKED.END
                if question != "hand":
                    assert (run.tau**2).sum() < 1.05 * ASKED._effort(p, at, len(run.tau))


def remembering():
    """A law that learns from one call to the next."""
    seen = []

    def law(p, *at):
        seen.append(at)
        return followed(p, 32)(*at) + 0.01 * len(seen)

    return law


CHEATS = {
    "memory": (remembering(), "no memory"),
    "nan": (lambda p, *at: np.array([np.nan, 1.0]), "no finite number"),
    "infinite": (lambda p, *at: [math.inf, 1.0], "no finite number"),
    "nothing": (lambda p, *at: None, "is a `return` missing?"),
    "text": (lambda p, *at: ["a", "b"], "a law returns two torques"),
    "three": (lambda p, *at: [1.0, 2.0, 3.0], "this one returned 3 numbers"),
    "huge": (lambda p, *at: [1e300, -1e300], "does not give the weight of your arm"),
    "nothing done": (lambda p, *at: [0.0, 0.0], "what holds the weight"),
}


@pytest.mark.parametrize("name", CHEATS)
def test_what_is_no_law_is_told(name):
    """In a sentence, and it earns nothing."""
    p = parameters_of(NAME, "ada")
    law, words = CHEATS[name]
    said = judged("track", p, lambda *at: law(p, *at))
    assert words in " ".join(said), said


def test_a_law_cannot_move_the_arm_by_its_arguments():
    """What it is given are copies: a law that writes the reference into them is told what its own torques do."""
    p = parameters_of(NAME, "ada")

    def law(q, qd, q_r, qd_r, qdd_r):
        q[:], qd[:] = q_r, qd_r
        return rd.inverse_dynamics(p.arm, q, qd, qdd_r)

    assert "The error comes to" in " ".join(judged("track", p, law))


def test_no_sentence_shows_the_other_arm():
    """Neither does one name its load, nor the rows in which it is drawn; the numbers of a student do not hold it."""
    p = parameters_of(NAME, "ada")
    said = " ".join(judged("track", p, followed(p, 5)) + judged("track", p, lambda *at: 1 / 0))
    for (row,) in QUESTIONS["track"].inputs(p, Draw("x")):
        for number in row.ravel():
            assert f"{number:.3f}" not in said
            assert repr(float(number)) not in repr(p)
    assert "(at" not in said


def test_the_bound_holds_for_pushes_of_any_kind_and_one_reaches_it():
    """|e| stays below it, whether the push is constant, a sine or jumps at random; jumps at the turning points come within 1 %."""
    p = parameters_of(NAME, "ada")
    rate = math.sqrt(p.kp - p.kd**2 / 4)
    kept = math.exp(-p.kd / 2 * math.pi / rate)
    bound = p.most / p.kp * (1 + kept) / (1 - kept)
    assert diagnose(QUESTIONS["bound"], p, as_data(bound)) == []
    h = 1e-4
    # the exact step of e'' + kd e' + kp e = d for a constant d
    A = np.array([[0.0, 1.0], [-p.kp, -p.kd]])
    values, vectors = np.linalg.eig(A)
    step = (vectors @ np.diag(np.exp(values * h)) @ np.linalg.inv(vectors)).real
    rng, t = np.random.default_rng(1), h * np.arange(60_000)
    random = rng.choice([-1, 1], 601).repeat(100)[: len(t)]
    pushes = [np.ones_like(t), np.sin(rate * t), random, np.sign(np.sin(rate * t))]
    largest = []
    for push in pushes:
        x, size = np.zeros(2), 0.0
        for d in p.most * push:
            still = np.array([d / p.kp, 0.0])
            x = still + step @ (x - still)
            size = max(size, abs(x[0]))
        largest.append(size)
    assert max(largest) < 1.001 * bound
    assert max(largest) > 0.99 * bound
    assert max(largest[:3]) < 0.97 * bound
