"""Sentences of the page "Pushing on a wall": cones, right angles, gains that ring, clocks, and a pen on tables of other heights."""

import numpy as np
import pytest

import robotdyn as rd

XY = np.eye(2, 3)
PEN, POSE = rd.robots.planar([0.4, 0.3, 0.15]), [0.75, -1.25, -1.07]
CART = rd.Arm([rd.Link(1.0, joint="prismatic", axis=(1, 0, 0))], gravity=(0, 0, 0))
ACROSS = [[1, 0, 0]]
RNG = np.random.default_rng(5)


def loop_roots(m, b, k, k_i):
    """The roots of the loop around a force."""
    return np.roots([m, b, k, k * k_i])


def sampled_step(m, b, k, period):
    """From look to look: the state of a mass under a spring and a damper that are held, by small steps of its motion."""
    half = period / 1000
    columns = []
    for x, v in np.eye(2):
        force, place, speed = -k * x - b * v, x, v
        for _ in range(1000):  # the force is constant, so these steps are exact
            place, speed = place + half * speed + half**2 * force / (2 * m), speed + half * force / m
        columns.append((place, speed))
    return np.array(columns).T


@pytest.mark.parametrize("seed", range(4))
def test_where_the_pen_slips(seed):
    """It sticks until s = mu k_n d / k_t; springs that are twice as stiff double both forces and change no place."""
    rng = np.random.default_rng(seed)
    k_n, k_t, friction, depth = rng.uniform([100, 100, 0.1, 0.02], [450, 450, 1.0, 0.08])
    way = np.linspace(0, 0.3, 3001)
    places = [[0.45, 0.0], *np.column_stack([0.45 + way, 0 * way - 0.13 - depth])]
    tips, force = rd.show.press(PEN, POSE, -0.13, k_n, k_t, friction).forces(places)
    slip = friction * k_n / k_t * depth
    moved = tips[1:, 0] > 0.45 + 1e-9
    assert moved.any() == (slip < 0.3) and (not moved.any() or way[np.argmax(moved)] == pytest.approx(slip, abs=2e-4))
    again, double = rd.show.press(PEN, POSE, -0.13, 2 * k_n, 2 * k_t, friction).forces(places)
    assert np.allclose(again, tips) and np.allclose(double, 2 * force)


def test_a_pen_that_is_lifted_aside_slips_before_it_comes_off():
    """The force along stays while the cone shrinks."""
    depths = np.linspace(0.05, -0.01, 601)
    places = [[0.45, 0.0], [0.45, -0.18], *np.column_stack([0 * depths + 0.46, -0.13 - depths])]
    tips, force = rd.show.press(PEN, POSE, -0.13, friction=0.4).forces(places)
    tips, force = tips[2:], force[2:]
    slips, off = np.argmax(tips[:, 0] > 0.45 + 1e-6), np.argmax(force[:, 1] <= 0)
    assert 0 < slips < off and force[:slips, 0] == pytest.approx(-3.0)


def test_freedoms_and_forces_of_a_contact_are_six():
    """In the page's tasks the wrenches that are reciprocal to all that is allowed have as many numbers as six less these."""
    pitch = 2e-3 / (2 * np.pi)
    twists = {
        "pen": np.delete(np.eye(6), 5, axis=0),  # moments first, then forces: all but v_z
        "peg": np.eye(6)[[2, 5]],
        "door": np.eye(6)[[2]],
        "book": np.eye(6)[[2, 3, 4]],
        "screw": np.array([[0, 0, 1, 0, 0, pitch]]),
    }
    forces = {"pen": 1, "peg": 4, "door": 5, "book": 3, "screw": 5}
    for name, allowed in twists.items():
        borne = np.linalg.svd(allowed)[2][len(allowed) :]  # the wrenches without power on all of these
        assert np.allclose(borne @ allowed.T, 0) and len(borne) == forces[name]
    assert np.array([0, 0, -pitch * 100, 0, 0, 100]) @ twists["screw"][0] == pytest.approx(0)


def test_a_right_angle_depends_on_the_unit_and_a_power_does_not():
    """The nearest motion of the lever changes with the length that is called one; reciprocal stays reciprocal, in each unit and at each origin."""
    wish, r = RNG.normal(size=2), 0.5
    rates = [(one**2 * wish[0] + r * wish[1]) / (one**2 + r**2) for one in (1.0, 0.1, 0.01)]
    assert min(np.diff(rates) ** 2) > 1e-8
    for scale in (1.0, 100.0):  # centimeters: v and r in other numbers, moments too
        m, f, w, v, at = RNG.normal(size=(5, 3))
        m = m - w * (m @ w + f @ v) / (w @ w)  # reciprocal
        m, v, at = scale * m, scale * v, scale * at
        assert m @ w + f @ v == pytest.approx(0, abs=1e-9 * scale)
        assert (m - np.cross(at, f)) @ w + f @ (v + np.cross(w, at)) == pytest.approx(0, abs=1e-9 * scale)


def test_the_gain_of_the_integral_has_a_limit_without_the_wall():
    """In continuous time, on the wall: for 0 < k_i < b / m all roots have negative real parts, and for no other gain, whatever k is; at the limit it rings at sqrt(k / m)."""
    for _ in range(300):
        m, b, k = 10.0 ** RNG.uniform([-1, 0, 1], [1, 3, 7])
        for share in (-0.5, -0.01, 0.01, 0.5, 0.99, 1.01, 2.0):
            roots = loop_roots(m, b, k, share * b / m)
            scale = abs(roots).max()
            assert (roots.real.max() < 0) == (0 < share < 1) or abs(roots.real.max()) < 1e-9 * scale
        pair = sorted(loop_roots(m, b, k, b / m), key=lambda x: -x.real)[:2]
        assert abs(pair[0].imag) == pytest.approx((k / m) ** 0.5, rel=1e-5)


def test_the_rule_to_tune_by():
    """On stiff walls the roots tend to -k_i and -(b/m - k_i)/2 +- i sqrt(k/m); equal real parts at k_i = b / (3 m), which is the best gain."""
    for _ in range(30):
        m, b = RNG.uniform([0.5, 10], [5, 200])
        k = 1e4 * b**2 / m
        k_i = RNG.uniform(0.1, 0.9) * b / m
        roots = loop_roots(m, b, k, k_i)
        known = np.array([-k_i, *(-(b / m - k_i) / 2 + np.array([1j, -1j]) * (k / m) ** 0.5)])
        assert all(min(abs(root - known)) < 0.01 * b / m + 1e-4 * abs(root) for root in roots)
        shares = [*np.linspace(0.05, 0.95, 91), 1 / 3]
        slowest = [loop_roots(m, b, k, share * b / m).real.max() for share in shares]
        assert min(slowest) > 1.01 * slowest[-1]


def pushed(k, m, b, k_i, wanted, duration):
    """The times and the force on a wall of stiffness k that a hand touches at rest."""
    hand = rd.Arm([rd.Link(m, joint="prismatic", axis=(1, 0, 0))], gravity=(0, 0, 0))
    wall = rd.forces.plane_contact(hand, (0, 0, 0), (-1, 0, 0), k)
    still = lambda t: (np.zeros(1),) * 3
    law = rd.control.hybrid_force_motion(hand, still, [wanted], wall.force, [True], 0, b / m, k_i, ACROSS)
    run = rd.control.run(hand, law, [1e-9], [0], duration, load=wall, substeps=2)
    return run.t, np.array([-wall.force(0, *x)[0] for x in zip(run.q, run.qd)])


def test_the_time_to_settle_does_not_depend_on_a_wall_that_is_stiff():
    """Stiff walls settle together; a soft one, k < b^2 / m, takes longer."""
    last = {}
    for k in (1e3, 1e4, 3e4, 1e5, 3e5):
        t, f = pushed(k, 1.0, 40.0, 40 / 3, 10.0, 0.5)
        last[k] = t[abs(f - 10) > 1].max()
    stiff = [last[k] for k in (1e4, 3e4, 1e5, 3e5)]
    assert max(stiff) - min(stiff) < 0.02 and last[1e3] > 1.5 * max(stiff)


@pytest.mark.parametrize("k", [1e4, 1e5, 1e6])
def test_the_hand_that_was_tuned_settles_on_stiff_walls(k):
    """1.5 kg, 20 1/s and 90 N s/m: after 0.15 s the force is within 5 % of 8 N."""
    t, f = pushed(k, 1.5, 90.0, 20.0, 8.0, 0.3)
    assert abs(f[t > 0.15] - 8).max() < 0.4


def ringing_step(m, b, k, period, k_i=0.0):
    """From look to look: a mass on a real spring, its damper held for a period and the integral of the force, by small steps."""
    h = period / 2000
    columns = []
    for x, v, z in np.eye(3):
        push, place, speed = k_i * z - b * v, x, v
        for _ in range(2000):
            speed += h / 2 * (push - k * place) / m
            place += h * speed
            speed += h / 2 * (push - k * place) / m
        columns.append((place, speed, z - period * k * x))
    return np.array(columns).T


def test_a_sampled_damper_feeds_a_ringing_that_it_sees_less_than_twice():
    """Held for a period, it has the determinant 1 - b / sqrt(k m) sin(sqrt(k / m) dt), above 1 for pi < sqrt(k / m) dt < 2 pi and not beyond; on 10^6 N/m, 1 kg is calm at 1 ms and rings more and more at 5 ms."""
    for _ in range(12):
        m, b, period = RNG.uniform([0.5, 10, 1e-3], [4, 80, 5e-3])
        for turn in (0.3, 2.0, 2.8, 3.5, 5.0, 6.0, 7.0, 8.5):
            k = m * (turn / period) ** 2
            step = ringing_step(m, b, k, period)[:2, :2]
            assert np.linalg.det(step) == pytest.approx(1 - b / (k * m) ** 0.5 * np.sin(turn), abs=1e-4)
            assert (abs(np.linalg.eigvals(step)).max() > 1) == (np.pi < turn < 2 * np.pi)
    for period, calm in ((1e-3, True), (5e-3, False)):
        assert (abs(np.linalg.eigvals(ringing_step(1, 40, 1e6, period, 40 / 3))).max() < 1) == calm


def largest_eigenvalue(m, b, k, period, k_i):
    """How much the loop grows from look to look at most, by the motion of a mass on a real spring in closed form."""
    w = (k / m) ** 0.5
    c, s = np.cos(w * period), np.sin(w * period)
    held = np.array([(1 - c) / k, s / (m * w)])
    step = np.zeros((3, 3))
    step[:2, :2] = [[c, s / w], [-w * s, c]]
    step[:2, 1] -= b * held
    step[:2, 2] = k_i * held
    step[2] = -period * k, 0, 1
    step = step if k_i > 0 else step[:2, :2]
    return abs(np.linalg.eigvals(step)).max()


def test_a_strong_damper_must_be_looked_at_more_often():
    """Below pi the ringing dies out if b < sqrt(k m) cot(sqrt(k / m) dt / 2), 2 m / dt on a soft wall and nothing at two looks.

    The integral moves this hardly if k_i = b / (3 m); a damper of m / dt needs 2.7 looks in a period.
    """
    for _ in range(200):
        m, period, turn = RNG.uniform([0.3, 1e-3, 0.01], [5, 1e-2, 3.1])
        k = m * (turn / period) ** 2
        limit = (k * m) ** 0.5 / np.tan(turn / 2)
        assert (
            largest_eigenvalue(m, 0.999 * limit, k, period, 0.0)
            < 1
            < largest_eigenvalue(m, 1.001 * limit, k, period, 0.0)
        )
        assert largest_eigenvalue(m, 0.97 * limit, k, period, 0.97 * limit / (3 * m)) < 1
        assert largest_eigenvalue(m, 1.03 * limit, k, period, 1.03 * limit / (3 * m)) > 1
        assert limit < 2 * m / period
    at = 2 * np.pi / 2.7  # rad
    assert 0.95 < at / np.tan(at / 2) < 1.05
    assert np.isclose(1e-3 / np.tan(1e-3 / 2), 2) and np.pi / np.tan(np.pi / 2) < 1e-9


def test_a_proportional_part_is_one_more_spring():
    """It raises the pitch, leaves the sum of the roots -b/m, and without an integral what was forgotten leaves an error, divided by one plus its gain."""
    for part in (0.5, 2.0):
        plain, stiff = (np.roots([1, 20, 1e4 * (1 + p)]) for p in (0, part))
        assert stiff.imag.max() > plain.imag.max() and stiff.sum() == pytest.approx(plain.sum()) == pytest.approx(-20)
        rest = np.linalg.solve(
            [[1, -1e4], [part + 1, 0]], [0, 10 + part * 10 - 3]
        )  # f = k x; f_r + p (f_r - f) - 3 = f
        assert 10 - rest[0] == pytest.approx(3 / (1 + part))


def test_a_sampled_spring_needs_a_damper_between_two_limits():
    """The motion dies out for k dt / 2 < b < 2 m / dt and for no other damper; beyond k dt^2 = 4 m for none."""
    for _ in range(40):
        m, period = RNG.uniform([0.3, 1e-3], [5, 2e-2])
        share = RNG.uniform(0.01, 1.3)
        k = share * 4 * m / period**2
        for b in RNG.uniform(0, 1.2 * max(2 * m / period, k * period / 2), 20):
            if min(abs(b / (k * period / 2) - 1), abs(b / (2 * m / period) - 1)) < 1e-3:
                continue
            calm = abs(np.linalg.eigvals(sampled_step(m, b, k, period))).max() < 1
            assert calm == (k * period / 2 < b < 2 * m / period)
            assert not (calm and share >= 1)


@pytest.mark.parametrize("k", [1e3, 1e5])
def test_admittance_settles_on_a_wall_beyond_the_same_bound(k):
    """A hand that follows velocities (f_r - f) / D, held for a period, settles for D > k dt / 2."""
    period, wanted = 2e-3, 10.0
    for share, settles in ((0.45, False), (0.55, True), (1.0, True), (3.0, True)):
        D, x = share * k * period, 0.0
        gaps = []
        for _ in range(200):
            x += period * (wanted - k * x) / D
            gaps.append(abs(k * x - wanted))
        assert (gaps[-1] < 1e-3) == settles


def test_a_force_that_comes_late():
    """Of y_j+1 = y_j - kappa y_j-d the largest stable kappa is 2 sin(pi / (2 (2 d + 1))), and for small ones all roots are inside."""
    for d in range(12):
        limit = 2 * np.sin(np.pi / 2 / (2 * d + 1))
        for share in (0.01, 0.3, 0.7, 0.999, 1.001, 1.5):
            polynomial = np.zeros(d + 2)
            polynomial[:2] = 1, -1
            polynomial[-1] += share * limit
            assert (abs(np.roots(polynomial)).max() < 1) == (share < 1)
    assert 2 * np.sin(np.pi / 2 / 201) == pytest.approx(np.pi / 2 / 100, rel=0.01)  # 2 / pi times k times the delay


def test_behind_a_soft_finger_walls_much_stiffer_than_it_look_alike():
    """Springs in series: less than the softer one, and within 1 % of it for walls a hundred times as stiff."""
    for k in (1e2, 1e4, 5e5, 1e7):
        both = 5e3 * k / (5e3 + k)
        assert both < min(5e3, k) and (k < 5e5 or both > 0.99 * 5e3)


def test_the_lever_after_a_blow_of_its_hinge():
    """The projection with the radius of gyration is what the blow leaves: the allowed motion that loses least energy."""
    for _ in range(20):
        m, I, r, omega, v = RNG.uniform(0.1, 2, 5)
        rates = np.linspace(-4, 4, 80001)
        lost = I * (omega - rates) ** 2 + m * (v - r * rates) ** 2
        assert (I / m * omega + r * v) / (I / m + r**2) == pytest.approx(rates[np.argmin(lost)], abs=1e-4)


@pytest.mark.parametrize("gantry", [False, True])
@pytest.mark.parametrize("friction", [0.0, 0.3, 0.6])
def test_friction_moves_the_limit_of_the_gain(friction, gantry):
    """Without friction it is k_d; with it, lower in one direction of sliding and higher in the other, where Lambda lets the force along push across."""
    arm, k, k_d, omega = rd.robots.two_link((0.4, 0.4), (3.0, 2.0)), 1e5, 60.0, 100.0
    q = rd.inverse_kinematics.solve(arm, (0.5, -0.2, 0), [0.5, -1.9]).q
    if gantry:  # two slides along the axes of the table: there it lets nothing through
        arm = rd.Arm([rd.Link(m, joint="prismatic", axis=a) for m, a in ((3.0, (1, 0, 0)), (2.0, (0, 1, 0)))])
    A = np.linalg.inv(rd.effective_inertia(arm, q, directions=XY))
    limits = []
    for slides in (1, -1):
        on_world = np.array([slides * friction, -1.0]) * k  # the force on the table for a unit of depth
        limit = k_d * (1 - slides * friction * A[1, 0] / A[1, 1])
        for share in (0.97, 1.03):
            loop = np.zeros((5, 5))  # x, v_x, depth, its rate, z; a slide that goes on
            loop[0, 1] = loop[2, 3] = 1
            loop[4, 2] = k  # f_r - f along y
            push = share * limit * A @ [0, 1]
            loop[1] = [-(omega**2), -2 * omega, -(A @ on_world)[0], 0, push[0]]
            loop[3] = [0, 0, (A @ on_world)[1], -k_d, -push[1]]
            assert (np.linalg.eigvals(loop).real.max() < 0) == (share < 1)
        limits.append(limit)
    moved = friction > 0 and not gantry  # by k_d mu A_yx / A_yy
    assert min(limits) < k_d < max(limits) if moved else limits == pytest.approx([k_d, k_d])


@pytest.mark.slow
def test_the_springs_are_off_by_the_inertia_of_the_arm():
    """Drawn in 1 s, the force is less at first and more later, by up to 1.2 N; drawn in 4 s, by less than a tenth of that."""
    arm = rd.robots.two_link((0.4, 0.4), (3.0, 2.0))
    table = rd.forces.plane_contact(arm, (0, -0.2, 0), (0, 1, 0), 1e5, b=50, friction=0.3)
    q = rd.inverse_kinematics.solve(arm, (0.4, -0.2, 0), [0.5, -1.9]).q
    for duration, least, most in ((1.0, 0.5, 1.2), (4.0, 0.0, 0.1)):
        path = rd.control.minimum_jerk([0.4, -0.21, 0], [0.6, -0.21, 0], duration)
        law = rd.control.impedance(arm, path, [1e4, 1e3, 0], [200, 80, 0])
        run = rd.control.run(arm, law, q, [0, 0], duration, load=table, substeps=2)
        off = np.array([table.force(0, *x)[1] for x in zip(run.q, run.qd)]) - 10 / 1.01  # table and spring in series
        off = off[int(400 * duration) : int(980 * duration)]
        assert least < abs(off).max() < most
        assert duration > 1 or (off[0] < 0 < off[400])


@pytest.mark.slow
def test_what_moves_the_limit_of_admittance():
    """The damper of the table helps by just that much, a larger M_d lets smaller D_d settle; a slower loop inside changes next to nothing, wrong masses do."""
    arm = rd.robots.two_link((0.4, 0.4), (3.0, 2.0))
    heavier = rd.robots.two_link((0.4, 0.4), (4.0, 3.0))
    above = rd.inverse_kinematics.solve(arm, (0.5, -0.199, 0), [0.5, -1.9]).q

    def settles(D, b=5.0, mass=0.1, omega=100.0, model=arm):
        table = rd.forces.plane_contact(arm, (0, -0.2, 0), (0, 1, 0), 1e5, b=b)
        law = rd.control.admittance(model, [0.5, -0.21], table.force, mass, D, 1000, omega**2, 2 * omega, above, XY)
        run = rd.control.run(arm, law, above, [0, 0], 1.0, load=table, substeps=2)
        f = [table.force(0, *x)[1] for x in zip(run.q[-100:], run.qd[-100:])]
        return max(f) - min(f) < 2

    for b in (0.0, 5.0, 20.0):  # the bound is 50
        assert settles(50 + 3 - b, b) and not settles(50 - 4 - b, b)
    assert not settles(42) and settles(42, mass=0.4)
    for omega in (30.0, 100.0):
        assert settles(47, omega=omega) and not settles(41, omega=omega)
    assert settles(50) and not settles(50, model=heavier)


def hybrid_run(arm, height, friction, stiffness, q, path, duration=0.5, omega=100.0):
    """The force across a table and how far the hand is behind its path, under hybrid control of 10 N."""
    table = rd.forces.plane_contact(arm, (0, height, 0), (0, 1, 0), stiffness, 50, friction)
    gains = [omega**2, 0], [2 * omega, 60], [0, 20]
    law = rd.control.hybrid_force_motion(arm, path, [0, -10], table.force, [False, True], *gains, XY)
    run = rd.control.run(arm, law, q, [0, 0], duration, load=table, substeps=2)
    f = np.array([table.force(0, *state)[1] for state in zip(run.q, run.qd)])
    x = rd.point_position(arm, run.q)[:, 0]
    return f, np.array([path(t)[0][0] for t in run.t]) - x, run


@pytest.mark.slow
def test_hybrid_control_on_other_tables():
    """10 N on tables 5 mm lower and higher, soft and hard, rough and smooth; the pen lags by friction over omega^2 Lambda_xx."""
    arm = rd.robots.two_link((0.5, 0.35), (2.0, 1.0))
    pose = np.array([0.6, -1.8])
    x, y, _ = rd.point_position(arm, pose)
    path = lambda t: (np.array([x - 0.1 * t, y]), np.array([-0.1, 0.0]), np.zeros(2))
    for higher in (-5e-3, 5e-3):
        for stiffness, friction in ((1e4, 0.0), (1e5, 0.5)):
            q = pose.copy()
            for _ in range(20):  # the hand on the path, or on the table where that is higher
                J = rd.tip_jacobian(arm, q)[:2]
                q = q + np.linalg.solve(J, [x, y + max(higher, 0)] - rd.point_position(arm, q)[:2])
            f, lag, run = hybrid_run(arm, y + higher, friction, stiffness, q, path)
            assert abs(f[-100:] - 10).max() < 0.3
            mass = rd.effective_inertia(arm, run.q[-1], directions=XY)[0, 0]
            assert abs(lag[-1]) == pytest.approx(friction * 10 / mass / 1e4, rel=0.15, abs=2e-6)


def test_without_a_wall_the_integral_drives_the_hand_faster_and_faster():
    """Its speed rises at the rate f_r k_i / b; without the integral it ends at f_r / b; twice the damper nearly halves it."""
    nothing = lambda t, q, qd: np.zeros(3)
    still = lambda t: (np.zeros(1),) * 3
    for k_i, rate in ((10.0, 10 * 10 / 40), (0.0, 0.0)):
        law = rd.control.hybrid_force_motion(CART, still, [10], nothing, [True], 0, 40, k_i, ACROSS)
        run = rd.control.run(CART, law, [0], [0], 1.0)
        assert run.qd[-1, 0] - run.qd[-201, 0] == pytest.approx(0.2 * rate, rel=0.01, abs=1e-6)
        assert k_i or run.qd[-1, 0] == pytest.approx(10 / 40, rel=1e-3)
    speeds = []
    for b in (40, 80):
        law = rd.control.hybrid_force_motion(CART, still, [10], nothing, [True], 0, b, 40 / 3, ACROSS)
        speeds.append(rd.control.run(CART, law, [0], [0], 1.0).qd[-1, 0])
    assert speeds[1] / speeds[0] == pytest.approx(0.5, rel=0.03)


def test_a_derivative_that_was_tuned_on_foam_hammers_on_steel():
    """0.04 s times the derivative calms the loop at 10^3 N/m, and throws the hand off a wall of 10^5 N/m; the velocity calms both."""
    for k in (1e3, 1e5):
        for derivative in (True, False):
            wall = rd.forces.plane_contact(CART, (0, 0, 0), (-1, 0, 0), k)

            def step(t, q, qd, z, wall=wall, derivative=derivative):
                f = -wall.force(t, q, qd)[:1]
                return 10 - (0.04 * (f - z) / 1e-3 if derivative else 40 * qd), (f - z) / 1e-3

            law = rd.control.Learning(step, np.zeros(1))
            run = rd.control.run(CART, law, [1e-9], [0], 0.6, load=wall, substeps=2)
            force = np.array([-wall.force(0, *x)[0] for x in zip(run.q, run.qd)])[-100:]
            assert (abs(force - 10).max() < 0.2) == (not derivative or k == 1e3)
            assert (derivative and k == 1e5) or force.min() > 0
