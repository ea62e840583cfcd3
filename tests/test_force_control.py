"""Hands in contact: the plane pushes, rubs and takes energy; hybrid control and admittance do what their equations say; MuJoCo agrees."""

from functools import partial

import numpy as np
import pytest
from arms import arm_and_state, derivative
from peer_models import mujoco_text

import robotdyn as rd
from robotdyn import control, forces

XY = np.eye(2, 3)
TWO = rd.robots.two_link((0.4, 0.4), (3.0, 2.0))
CART = rd.Arm([rd.Link(1.0, joint="prismatic", axis=(1, 0, 0))], gravity=(0, 0, 0))
ACROSS = [[1, 0, 0]]


def elbow_up(x, y):
    """The joints of TWO that have its hand at (x, y)."""
    bend = -np.arccos((x**2 + y**2 - 0.32) / 0.32)
    return np.array([np.arctan2(y, x) - np.arctan2(0.4 * np.sin(bend), 0.4 + 0.4 * np.cos(bend)), bend])


def held(*place):
    """A motion of a hand that stays."""
    return lambda t: (np.array(place, dtype=float), np.zeros(len(place)), np.zeros(len(place)))


@pytest.mark.parametrize("mix", ["rrpr", "rrrrrrr"])
def test_a_plane_pushes_within_its_cone_and_never_pulls(mix):
    """At random states on both sides: no force off it, inside it one out of the plane, in the cone, against the slip."""
    arm, *_ = arm_and_state(mix)
    rng = np.random.default_rng(3)
    touched = 0
    for _ in range(40):
        q, qd = rng.normal(size=(2, arm.n))
        normal, friction, depth = rng.normal(size=3), rng.uniform(0, 1), rng.uniform(-0.02, 0.02)
        n = normal / np.linalg.norm(normal)
        plane = forces.plane_contact(arm, rd.point_position(arm, q) + depth * n, normal, 1e3, 10, friction)
        f = plane.force(0, q, qd)
        v = rd.tip_jacobian(arm, q)[:3] @ qd
        slip, along = v - (v @ n) * n, f - (f @ n) * n
        assert np.allclose(plane(0, q, qd), rd.tip_jacobian(arm, q)[:3].T @ f)
        if depth <= 0:
            assert (f == 0).all()
        else:
            assert f @ n == pytest.approx(max(0, 1e3 * depth - 10 * v @ n))
            assert np.linalg.norm(along) <= friction * (f @ n) * (1 + 1e-12) and along @ slip <= 1e-12
            touched += f @ n > 0
    assert touched > 5


def test_an_undamped_plane_gives_back_what_a_hand_brings():
    """Without a damper a hand leaves as fast as it came; with one it leaves slower, and never is held back."""
    for b in (0, 20):
        wall = forces.plane_contact(CART, (0.1, 0, 0), (-2, 0, 0), 1e3, b)
        run = rd.simulate(CART, [0.09], [1.0], wall, np.arange(0, 0.2, 2e-4))
        left = run.qd[-1, 0]
        assert run.q[-1, 0] < 0.1 and (left == pytest.approx(-1, abs=1e-4) if b == 0 else -0.9 < left < 0)


@pytest.mark.parametrize("seed", range(4))
def test_hybrid_control_is_the_equation_of_the_hand(seed):
    """Lambda (a - a_wanted) = f_c - f in a turned task frame of a spatial arm, from forward dynamics and a touch."""
    rng = np.random.default_rng(seed)
    arm = rd.robots.puma560()
    q, qd = rng.uniform(-1, 1, (2, 6)) + [0.3, -0.6, 0.4, 0.2, 0.9, 0.1]
    D = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    floor = forces.plane_contact(arm, rd.point_position(arm, q) + 1e-3 * D[2], D[2], 1e4, 0, 0.3)
    x_ref, v_ref, a_ref, z = rng.normal(size=(4, 3))
    wanted, selected = np.array([0, 0, -7.0]), np.array([False, False, True])
    posture = control.pd(arm, 5, 2, np.zeros(6))
    law = control.hybrid_force_motion(
        arm, lambda t: (x_ref, v_ref, a_ref), wanted, floor.force, selected, 9, 6, 2, D, posture
    )
    tau, zd = law.step(0.0, q, qd, z)
    done = D @ rd.point_acceleration(arm, q, qd, rd.forward_dynamics(arm, q, qd, tau + floor(0, q, qd)))[:3]
    v, f = D @ rd.tip_jacobian(arm, q)[:3] @ qd, -D @ floor.force(0, q, qd)
    servo = a_ref + 6 * (v_ref - v) + 9 * (x_ref - D @ rd.point_position(arm, q))
    a, f_c = np.where(selected, -6 * v, servo), np.where(selected, wanted + 2 * z, 0)
    inertia = rd.effective_inertia(arm, q, directions=D)
    assert np.allclose(inertia @ (done - a), f_c - f, atol=1e-8)
    assert np.allclose(zd, [0, 0, wanted[2] - f[2]])


@pytest.mark.parametrize("seed", range(4))
def test_admittance_moves_as_its_mass_damper_and_spring(seed):
    """The hand has the pretended acceleration, whatever force it measures, if it is where it pretends to be."""
    rng = np.random.default_rng(seed)
    q, qd = rng.uniform(0.4, 1.2, 2), rng.normal(size=2)
    push, goal = np.append(rng.normal(size=2), 0), rng.normal(size=2)
    M, D, K = (A @ A.T + np.eye(2) for A in rng.normal(size=(3, 2, 2)))
    law = control.admittance(TWO, goal, lambda t, q, qd: push, M, D, K, 9, 6, q, XY)
    x, v = rd.point_position(TWO, q)[:2], rd.tip_jacobian(TWO, q)[:2] @ qd
    assert np.allclose(law.start, [*x, 0, 0])
    tau, zd = law.step(0.0, q, qd, np.concatenate([x, v]))
    tau = tau + rd.tip_jacobian(TWO, q)[:3].T @ push
    done = rd.point_acceleration(TWO, q, qd, rd.forward_dynamics(TWO, q, qd, tau))[:2]
    assert np.allclose(M @ done + D @ v + K @ (x - goal), push[:2], atol=1e-9)
    assert np.allclose(zd, [*v, *done])


def test_impedance_and_admittance_rest_alike_on_an_elastic_table():
    """Springs in series, Siciliano et al. (2009), 9.2 and 9.3: K k / (K + k) times the depth of the goal, for both laws."""
    k, K, depth, start = 1e4, 1e3, 0.01, elbow_up(0.5, -0.2)
    table = forces.plane_contact(TWO, (0, -0.2, 0), (0, 1, 0), k, 50)
    yielding = control.admittance(TWO, [0.5, -0.2 - depth], table.force, 1, 80, K, 1e4, 200, start, XY)
    springs = control.impedance(TWO, [0.5, -0.2 - depth, 0], K, 80)
    for law in (yielding, springs):
        run = control.run(TWO, law, start, [0, 0], 1.0, 2e-3, load=table, substeps=3)
        assert table.force(0, run.q[-1], 0 * run.q[-1])[1] == pytest.approx(K * k / (K + k) * depth, rel=2e-3)


def test_a_force_settles_where_friction_was_forgotten():
    """The integral: a constant force that the model does not have leaves no error; without the integral it stays, whole."""
    wall = forces.plane_contact(CART, (0, 0, 0), (-1, 0, 0), 1e4)
    load = forces.total(wall, lambda t, q, qd: np.array([-3.0]))
    for gain, left in ((15.0, 0.0), (0.0, -3.0)):
        law = control.hybrid_force_motion(CART, held(0), [10], wall.force, [True], 0, 45, gain, ACROSS)
        run = control.run(CART, law, [1e-9], [0], 0.8, load=load)
        assert -wall.force(0, run.q[-1], run.qd[-1])[0] - 10 == pytest.approx(left, abs=0.02)


@pytest.mark.slow
def test_mujoco_presses_and_rubs_alike():
    """A pen under hybrid control draws the same 5 mm in MuJoCo: pressed with the same force, rubbed with mu times it.

    So slowly, since a slip makes a normal force of its own in MuJoCo's soft contact, which throws the pen off.
    """
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is missing: pip install robotdyn[peers]")
    friction, wanted, start = 0.3, 10.0, elbow_up(0.4, -0.2)
    path = control.minimum_jerk([0.4, -0.2], [0.405, -0.2], 1.0)
    table = forces.plane_contact(TWO, (0, -0.2, 0), (0, 1, 0), 1e5, 50, friction, width=1e-4)
    gains = [1e4, 0], [200, 60], [0, 20]
    law = lambda sensor: control.hybrid_force_motion(TWO, path, [0, -wanted], sensor, [False, True], *gains, XY)
    run = control.run(TWO, law(table.force), start, [0, 0], 0.8, load=table, substeps=20)
    ours = np.array([table.force(0, q, qd)[:2] for q, qd in zip(run.q, run.qd)])[600:800].mean(axis=0)
    q, theirs = mujoco_run(mujoco, law, start, 0.8, friction)
    theirs = theirs[600:800].mean(axis=0)
    print(f"forces {ours.round(3)} and {theirs.round(3)} N")
    assert np.allclose(ours, [-friction * wanted, wanted], rtol=0.02) and np.allclose(theirs, ours, rtol=0.02)
    drawn = [rd.point_position(TWO, x[400:800])[:, 0] for x in (run.q[:-1], q)]
    assert abs(drawn[0] - drawn[1]).max() < 5e-5


@pytest.mark.slow
def test_mujoco_sticks_and_slides_as_the_pen_of_the_moving_figure():
    """Springs press a pen 5 cm deep and pull it 6 cm aside: it sticks with the figure's force until the figure slips.

    Sliding, MuJoCo's pen chatters; its mean over the slide is the figure's force to 4 percent.
    """
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is missing: pip install robotdyn[peers]")
    friction, depth, start = 0.4, 0.05, elbow_up(0.5, -0.2)

    def finger(t):
        """First the pen rests, then its goal is pulled aside at 2 cm/s."""
        return np.array([0.5 + 0.02 * max(0.0, t - 1), -0.2 - depth, 0]), np.zeros(3), np.zeros(3)

    springs = control.impedance(TWO, finger, [300, 300, 0], [40, 40, 0])
    law = lambda sensor: control.Learning(lambda t, q, qd, z: (springs(t, q, qd), z), np.zeros(0))
    _, force = mujoco_run(mujoco, law, start, 4.0, friction)
    figure = rd.show.press(rd.robots.planar([0.4, 0.4]), start, -0.2 - 1e-9, 300, 300, friction)
    times = np.arange(0, 4, 1e-3)
    _, known = figure.forces([[0.5, -0.2], *(finger(t)[0][:2] for t in times)])
    slips = times[np.argmax(abs(known[1:, 0]) > 0.4 * 15 * (1 - 1e-6))]
    sticking, sliding = (times > 0.8) & (times < slips - 0.02), times > slips + 0.2
    gap = abs(force - known[1:])[sticking].max()
    mean = force[sliding].mean(axis=0)
    print(f"sticks until {slips:.3f} s, to {gap:.3f} N; slides with {mean.round(2)} N, known {known[-1].round(2)} N")
    assert slips == pytest.approx(1 + 0.4 * depth / 0.02, abs=2e-3) and gap < 0.05
    assert np.allclose(mean, known[-1], rtol=0.04)
    assert np.allclose(known[-1], [-friction * 300 * depth, 300 * depth])


def mujoco_run(mujoco, law, q, duration, friction, period=1e-3):
    """Return q (T, 2), the forces of a pen on its table (T, 2) N, in MuJoCo, under a law that is asked once in a period.

    law: made from a sensor, the function (t, q, qd) -> force (3,) on the hand.
    """
    model, data = pen_on_a_table(mujoco, friction)
    data.qpos[:] = q
    felt = np.zeros(3)
    made = law(lambda t, q, qd: felt)
    z, places, forces_felt = made.start, [], []
    for t in period * np.arange(round(duration / period)):
        felt[:] = table_force(mujoco, model, data)
        tau, zd = made.step(t, data.qpos.copy(), data.qvel.copy(), z)
        z = z + period * zd
        places.append(data.qpos.copy())
        forces_felt.append(felt[:2].copy())
        data.qfrc_applied[:] = tau
        for _ in range(round(period / model.opt.timestep)):
            mujoco.mj_step(model, data)
    return np.array(places), np.array(forces_felt)


def pen_on_a_table(mujoco, friction):
    """The two rods in MuJoCo, with a ball of 1 mm at the tip, so that it rests on a plane 1 mm below -0.2 m."""
    tip = " ".join(map(str, TWO.tip))
    ball = f'<geom type="sphere" size="0.001" pos="{tip}" mass="0" contype="1" conaffinity="1" condim="3" friction="{friction} 0 0"/>'
    floor = f'<geom type="plane" size="2 2 1" pos="0 -0.201 0" zaxis="0 1 0" contype="1" conaffinity="1" condim="3" friction="{friction} 0 0"/>'
    text = mujoco_text(TWO).replace('<flag contact="disable"/>', "")
    text = text.replace('<site name="tip"', f'{ball}<site name="tip"', 1).replace(
        "<worldbody>", f"<worldbody>{floor}", 1
    )
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.timestep = 1e-4
    model.opt.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    model.opt.impratio = 100  # so that what sticks does not creep
    return model, mujoco.MjData(model)


def table_force(mujoco, model, data):
    """The force of the plane on the ball, (3,) N, base axes; 0 without a touch."""
    total = np.zeros(3)
    for i in range(data.ncon):
        wrench = np.zeros(6)
        mujoco.mj_contactForce(model, data, i, wrench)
        frame = data.contact[i].frame.reshape(3, 3)
        total += frame.T @ wrench[:3]
    return total if total[1] >= 0 else -total


def rates_in_contact(arm, wall, law, state):
    """The rates of q, qd and the state of a law, in contact with a wall."""
    q, qd, z = np.split(state, [arm.n, 2 * arm.n])
    tau, zd = law.step(0, q, qd, z)
    return np.concatenate([qd, rd.forward_dynamics(arm, q, qd, tau + wall(0, q, qd)), zd])


@pytest.mark.parametrize("joints", ["rrr", "prp", "rrp", "srr"])
@pytest.mark.parametrize("stiffness", [300.0, 1e5])
def test_a_force_settles_below_the_limit_and_not_above(joints, stiffness):
    """On any arm in space without joints to spare, pressing along a selected direction: 0 < k_i < k_d, whatever the stiffness.

    By the roots of the closed loop about its rest, the law's integral included; the other directions are held in place.
    """
    rng = np.random.default_rng(len(joints) + int(stiffness))
    words = {"r": "revolute", "p": "prismatic", "s": "screw"}
    tried = 0
    while tried < 4:
        arm, q = rd.robots.random_arm(rng, 3, [words[x] for x in joints]), rng.normal(size=3)
        if np.linalg.svd(rd.point_jacobian(arm, q)[:3], compute_uv=False)[-1] < 0.2:
            continue  # near a singular pose
        tried += 1
        D, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        depth, place, kd = 0.02, rd.point_position(arm, q), rng.uniform(10, 40)  # no small change leaves the wall
        wall = forces.plane_contact(arm, place + depth * D[2], D[2], stiffness)
        for share, settles in ((0.1, True), (0.95, True), (1.05, False)):
            law = control.hybrid_force_motion(
                arm,
                held(*D @ place),
                [0, 0, -depth * stiffness],
                wall.force,
                [False, False, True],
                100,
                kd,
                share * kd,
                D,
            )
            rest = np.concatenate([q, np.zeros(6)])
            rates = partial(rates_in_contact, arm, wall, law)
            assert abs(rates(rest)).max() < 1e-9 * stiffness
            A = derivative(rates, rest)
            roots = np.linalg.eigvals(A)
            slowest = roots[abs(roots) > 1e-6].real.max()  # the integrals of the other two directions stand still
            assert (slowest < 0) == settles, (joints, share, roots)
