"""What acts on joints: friction only takes energy, a stop only pushes, a wrench does the work of its point; sticking is rest."""

from dataclasses import replace

import numpy as np
import pytest
from arms import arm_and_state, violations

import robotdyn as rd
from robotdyn import forces

ARM = rd.robots.two_link()
BLOCK = rd.Arm([rd.Link(1.0, joint="prismatic", axis=(1, 0, 0))], gravity=(0, 0, 0))
RNG = np.random.default_rng(7)


def with_motors(arm, rotors):
    """The arm with a rotor at each joint."""
    return replace(arm, links=[replace(link, motor_inertia=rotor) for link, rotor in zip(arm.links, rotors)])


def test_friction_takes_energy_at_every_rate():
    """tau . qd < 0 for each joint that moves, whatever its rate, under each law of friction and their sum."""
    laws = [forces.viscous(0.3), forces.coulomb(0.2), forces.stribeck(0.2, [0.5, 0.3], rate=0.05)]
    for law in [*laws, forces.total(*laws)]:
        for qd in RNG.normal(size=(200, 2)) * np.logspace(-6, 2, 200)[:, None]:
            assert (law(0.0, np.zeros(2), qd) * qd < 0).all()


def test_stribeck_between_its_ends():
    """Near rest the friction is the stiction, far from it the sliding friction; at `rate`, 1/e of the fall is left."""
    law = forces.stribeck(1.0, 3.0, rate=0.1, width=1e-5)
    at = lambda rate: -law(0.0, np.zeros(1), np.array([rate]))[0]
    assert at(1e-3) == pytest.approx(3.0, rel=1e-3) and at(5.0) == pytest.approx(1.0)
    assert at(0.1) == pytest.approx(1 + 2 / np.e) and at(-0.1) == pytest.approx(-at(0.1), rel=1e-14) and at(0.0) == 0
    same = forces.stribeck(1.0, 1.0, rate=0.1, width=0.3)
    assert np.allclose(same(0, 0, [0.2, -1.0]), forces.coulomb(1.0, width=0.3)(0, 0, [0.2, -1.0]))


def test_a_stop_pushes_and_never_pulls():
    """Inside the limits nothing acts; beyond, the effort points back inside, also while the joint leaves fast."""
    law = forces.stops([-1.0, -np.inf], [0.5, 2.0], k=100.0, b=10.0)
    for q, qd in RNG.normal(size=(300, 2, 2)) * [[2], [20]]:
        tau = law(0.0, q, qd)
        low, high = q < [-1.0, -np.inf], q > [0.5, 2.0]
        assert (tau[~low & ~high] == 0).all() and (tau[low] >= 0).all() and (tau[high] <= 0).all()
    assert law(0.0, np.array([0.6, 0.0]), np.zeros(2)) == pytest.approx([-10.0, 0.0])


def test_a_ball_that_bounces():
    """A stop without damper is a spring: half a period pi sqrt(m/k) inside, out at the same rate; a damper takes energy."""
    t, k = np.linspace(0, 0.2, 2001), 4e4
    motion = rd.simulate(BLOCK, [-0.1], [1.0], forces.stops(-np.inf, 0.0, k), t)
    assert motion.qd[-1, 0] == pytest.approx(-1.0, abs=1e-5)  # a kink where it enters
    inside = t[motion.q[:, 0] > 0]
    assert np.ptp(inside) == pytest.approx(np.pi / np.sqrt(k), abs=2e-4)
    assert motion.q.max() == pytest.approx(1 / np.sqrt(k), rel=1e-3)
    damped = rd.simulate(BLOCK, [-0.1], [1.0], forces.stops(-np.inf, 0.0, k, 50.0), t)
    total = damped.qd[:, 0] ** 2 / 2 + k * np.maximum(damped.q[:, 0], 0) ** 2 / 2
    assert np.diff(total).max() < 1e-5 and total[-1] < 0.9 * total[0]


def test_a_wrench_at_any_point_does_the_work_of_its_point():
    """tau . qd = f . v + n . omega at the point of the link; at the tip it is `tip_wrench`, and a function of time may give it."""
    arm, q, qd, _, w = arm_and_state("rrpr")
    place = np.array([0.2, -0.1, 0.3])
    velocity = rd.point_jacobian(arm, q, 2, place) @ qd
    assert forces.point_wrench(arm, w, 2, place)(0.0, q, qd) @ qd == pytest.approx(w @ velocity)
    later = forces.point_wrench(arm, lambda t: t * w, 1)
    assert later(2.0, q, qd) @ qd == pytest.approx(2 * w @ rd.point_jacobian(arm, q, 1) @ qd)
    assert np.allclose(forces.point_wrench(arm, w)(0, q, qd), forces.tip_wrench(arm, w)(0, q, qd))
    assert np.allclose(rd.inverse_dynamics(arm, q, qd, qd, w) + forces.point_wrench(arm, w)(0, q, qd),
                       rd.inverse_dynamics(arm, q, qd, qd))  # fmt: skip


def test_a_payload_is_a_link_glued_on():
    """The arm that carries a body has the energies of one with the body as a further link whose joint is locked."""
    arm, q, qd, _, _ = arm_and_state("rpr")
    body, place = rd.bodies.box(2.0, (0.1, 0.2, 0.3)), (0.3, 0.1, -0.2)
    turn = rd.rotations.exp((0.3, -0.5, 0.8))
    longer = rd.Arm([*arm.links, rd.Link(*body, position=place, rotation=turn)], arm.gravity)
    loaded = arm.carrying(body.at(place, turn))
    for energy, states in ((rd.kinetic_energy, (q, qd)), (rd.potential_energy, (q,))):
        assert energy(loaded, *states) == pytest.approx(energy(longer, *([*state, 0.0] for state in states)))
    assert (loaded.tip == arm.tip).all() and loaded.links[:-1] == arm.links[:-1]


@pytest.mark.parametrize("mix", ["r", "prp", "rrpr", "psrs"])
def test_the_laws_hold_for_an_arm_with_motors(mix):
    """Rotors are part of M, of the energy, of both dynamics and of the power balance."""
    arm, q, qd, qdd, w = arm_and_state(mix)
    arm = with_motors(arm, RNG.uniform(0.1, 2, arm.n))
    assert max(violations(arm, q, qd, qdd, w)) < 1e-8


def test_a_rotor_turns_faster_than_its_joint():
    """A disk on an axis of its own, held by a gear to turn N times as fast as the joint, adds N^2 J to M and to nothing else."""
    arm, ratio, disk = rd.robots.two_link(), 50, 2e-4
    geared = with_motors(arm, [disk * ratio**2, 0])
    q, qd = np.array([0.3, 0.7]), np.array([1.0, -2.0])
    assert rd.kinetic_energy(geared, q, qd) - rd.kinetic_energy(arm, q, qd) == pytest.approx(
        disk * (ratio * qd[0]) ** 2 / 2
    )
    assert np.allclose(rd.mass_matrix(geared, q) - rd.mass_matrix(arm, q), [[disk * ratio**2, 0], [0, 0]])
    assert np.allclose(rd.bias_torque(geared, q, qd), rd.bias_torque(arm, q, qd))
    symbolic = with_motors(rd.robots.two_link(symbolic=True), [2, 0])
    assert rd.derive(symbolic).M[0, 0] - rd.derive(rd.robots.two_link(symbolic=True)).M[0, 0] == 2


def test_an_arm_with_motors_is_not_that_of_absolute_angles():
    """The closed form in absolute angles knows no rotors, so a linearization takes another route to the same end."""
    arm = with_motors(rd.robots.planar(2), [0.5, 0.2])
    state = np.array([0.3, -0.4]), np.array([0.1, 0.7]), np.array([1.0, 2.0])
    from robotdyn.laws import linearization_is_jacobian

    assert linearization_is_jacobian(rd.linearize, rd.forward_dynamics, arm, *state, 0.01) < 1e-8


# ---- joints that stick ----------------------------------------------------------------------------------------------


def test_stick_slip_of_a_block_on_a_spring():
    """A block drawn by a spring at a steady rate: it waits (stiction - c) / (k v) longer each round; the slip in closed form.

    From y = v t - x, y'' = c / m - w^2 y, y' = v at both ends of a slip: it lasts 2 (pi - atan(w (s - c) / (k v))) / w.
    """
    k, v, c, s = 20.0, 0.1, 1.0, 1.5
    motion = rd.stick_slip(BLOCK, [0], [0], np.linspace(0, 4, 201), c, s, lambda t, q, qd: k * (v * t - q))
    w = np.sqrt(k)
    slip = 2 * (np.pi - np.arctan(w * (s - c) / (k * v))) / w
    wait = 2 * (s - c) / (k * v)
    start = s / (k * v)
    assert np.allclose(motion.events["slip"], start + np.arange(3) * (slip + wait), atol=1e-7)
    assert np.allclose(motion.events["stick"], start + slip + np.arange(2) * (slip + wait), atol=1e-7)
    resting = (motion.t > motion.events["stick"][0]) & (motion.t < motion.events["slip"][1])
    assert resting.sum() > 10 and (motion.qd[resting] == 0).all() and np.ptp(motion.q[resting]) == 0


def test_friction_ends_a_slide_in_finite_time():
    """A block at v0 against dry friction stops after m v0 / c, at m v0^2 / (2 c), and stays."""
    motion = rd.stick_slip(BLOCK, [0], [2.0], np.linspace(0, 3, 31), 1.6)
    assert motion.events["stick"] == pytest.approx([1.25]) and motion.q[-1, 0] == pytest.approx(1.25)
    assert motion.qd[-1, 0] == 0 and len(motion.events["slip"]) == 0


def test_an_arm_comes_to_rest_as_its_smooth_friction_does():
    """Both joints of a falling arm slide and stick; energy never rises; the smooth law, made steep, goes the same way."""
    c, start = [1.0, 0.6], ([0.0, 0.3], [0.0, 0.0])
    motion = rd.stick_slip(ARM, *start, np.linspace(0, 1.5, 151), c)
    kinetic, potential = motion.energy(ARM)
    assert np.diff(kinetic + potential).max() < 1e-9
    smooth = rd.simulate(
        ARM, *start, forces.coulomb(c, 1e-3), [0, 1.5], "solve_ivp", solver="LSODA", rtol=1e-7, atol=1e-8
    )
    assert np.allclose(motion.q[-1], smooth.q[-1], atol=2e-3) and len(motion.events["stick"]) > 0


def test_an_arm_sticks_where_its_friction_holds_the_weight():
    """At rest nothing moves as long as each joint's gravity torque is below its stiction, and all that exceed it slip."""
    q = np.array([0.2, 0.4])
    g = rd.gravity_torque(ARM, q)
    held = rd.stick_slip(ARM, q, [0, 0], [0, 0.1, 0.2], abs(g) * 1.01)
    assert (held.q == q).all() and (held.qd == 0).all() and np.allclose(held.tau, g)
    falls = rd.stick_slip(ARM, q, [0, 0], [0, 0.1, 0.2], 0.5 * abs(g), [0.9 * abs(g)[0], 1.01 * abs(g)[1]])
    assert falls.q[-1, 0] < q[0]
