"""Sentences of the page "Any arm, step by step", on random arms and poses."""

import numpy as np
import pytest

import robotdyn as rd


def parts(arm, q, qd, qdd) -> tuple[np.ndarray, np.ndarray]:
    """Return the inertia torque and the velocity torque."""
    weight = rd.gravity_torque(arm, q)
    return rd.inverse_dynamics(arm, q, 0 * qd, qdd) - weight, rd.bias_torque(arm, q, qd) - weight


def test_the_ratio_of_inertia_and_velocity_torque_does_not_depend_on_the_speed():
    """The ratio of the two does not depend on the speed at which a path is run."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        n = int(rng.integers(2, 8))
        arm = rd.robots.random_arm(rng, n, list(rng.choice(["revolute", "prismatic"], n)))
        q, qd, qdd = rng.normal(size=(3, n))
        slower = rng.uniform(2, 50)
        inertia, velocity = parts(arm, q, qd, qdd)
        slow_inertia, slow_velocity = parts(arm, q, qd / slower, qdd / slower**2)
        size = abs(inertia).max() + abs(velocity).max() + abs(rd.gravity_torque(arm, q)).max()
        assert abs(slow_inertia * slower**2 - inertia).max() < 1e-9 * slower**2 * size
        assert abs(slow_velocity * slower**2 - velocity).max() < 1e-9 * slower**2 * size


def vibration(arm, about, ways, amplitude) -> tuple[float, float]:
    """Return the largest inertia and velocity torques while the joints vibrate at 5 Hz with this amplitude."""
    phase, rate = np.linspace(0, 2 * np.pi, 121)[:, None], 10 * np.pi
    q = about + amplitude * ways * np.sin(phase)
    qd = rate * amplitude * ways * np.cos(phase)
    inertia, velocity = parts(arm, q, qd, -(rate**2) * amplitude * ways * np.sin(phase))
    return abs(inertia).max(), abs(velocity).max()


def test_in_a_vibration_the_velocity_torque_goes_with_the_square_of_the_amplitude():
    """In a vibration the inertia torque is proportional to the amplitude and the velocity torque to its square."""
    rng, panda = np.random.default_rng(2), rd.robots.panda()
    for _ in range(25):
        about, ways = rng.uniform(-np.pi, np.pi, 7), rng.uniform(-1, 1, 7)
        wide, narrow = (vibration(panda, about, ways, a) for a in (0.01, 0.001))
        assert wide[0] / narrow[0] == pytest.approx(10, rel=0.1)
        assert wide[1] / narrow[1] == pytest.approx(100, rel=0.1)
        assert wide[1] < 0.1 * wide[0]  # who neglects the velocity torque of a small vibration may keep the inertia


def turret(rng: np.random.Generator) -> rd.Arm:
    """Return an arm on a turret that carries a planar arm of random links in its own vertical plane: M_1k = 0 for k > 1."""
    links = [rd.Link(0, inertia=np.diag([0.5, 0.5, 1]) * rng.uniform(0.1, 2))]
    for place in ((0, 0, 0), (rng.uniform(0.3, 1), 0, 0), (rng.uniform(0.3, 1), 0, 0)):
        moments = rng.uniform(0.01, 0.1, 3)
        inertia = np.diag(moments.sum() - moments)
        center = (rng.uniform(0.1, 0.8), 0, rng.normal() * 0.1)
        links.append(rd.Link(rng.uniform(0.5, 5), center, inertia, axis=(0, -1, 0), position=place))
    return rd.Arm(links, gravity=(0, 0, -9.81))


@pytest.mark.parametrize("seed", range(10))
def test_the_centrifugal_terms_give_back_half_of_the_power_of_the_coriolis_terms(seed):
    """The centrifugal terms give back half at the other joints, and the other half is the change of M_11 q_1'^2 / 2 with M_11."""
    rng = np.random.default_rng(seed)
    arm = turret(rng)
    q, qd = rng.normal(size=(2, 4))
    assert abs(rd.mass_matrix(arm, q)[0, 1:]).max() < 1e-12
    h = rd.bias_torque(arm, q, qd) - rd.bias_torque(arm, q, [0, *qd[1:]])  # what contains the turret's rate
    step = 1e-5
    rate = (rd.mass_matrix(arm, q + step * qd) - rd.mass_matrix(arm, q - step * qd))[0, 0] / (2 * step)
    power = rate * qd[0] ** 2
    assert h[0] * qd[0] == pytest.approx(power, abs=1e-7)
    assert h[1:] @ qd[1:] == pytest.approx(-power / 2, abs=1e-7)


def test_a_slip_in_one_of_the_routes_stands_out_by_ten_orders_of_magnitude():
    """A wrong sign stands out by ten orders of magnitude or more; without the first transposition the torque is the same."""
    panda, rng = rd.robots.panda(), np.random.default_rng(5)
    slopes = rd.trace(rd.mass_matrix, panda).jacobian("q")
    slips = {
        "right": lambda dM: (dM.transpose(0, 2, 1) + dM - dM.transpose(2, 0, 1)) / 2,
        "another transposition": lambda dM: (dM.transpose(1, 2, 0) + dM - dM.transpose(0, 1, 2)) / 2,
        "a lost one": lambda dM: (dM + dM - dM.transpose(2, 0, 1)) / 2,
        "a sign": lambda dM: (dM.transpose(0, 2, 1) + dM + dM.transpose(2, 0, 1)) / 2,
    }
    off = {name: [] for name in slips}
    for _ in range(5):
        q, qd, qdd = rng.normal(size=(3, 7))
        dM = np.array(slopes(q), dtype=float)
        tau = rd.inverse_dynamics(panda, q, qd, qdd)
        rest = rd.mass_matrix(panda, q) @ qdd + rd.gravity_torque(panda, q)
        for name, slip in slips.items():
            off[name].append(abs(rest + slip(dM) @ qd @ qd - tau).max())
    assert max(off["right"]) < 1e-10
    for name in ("another transposition", "a sign"):
        assert min(off[name]) > 1e10 * max(off["right"])
    assert max(off["a lost one"]) < 1e-10  # the bracket E: M is symmetric, and the rates stand on both sides


def test_the_bracket_fails_in_general_and_not_where_the_mass_matrix_is_constant():
    """s (M' - 2 C) s vanishes for every s with the Christoffel matrix, and in general fails for the bracket E: not for one joint, nor for slides."""
    rng = np.random.default_rng(12)
    slides = rd.Arm([rd.Link(m, joint="prismatic", axis=a) for m, a in zip((1.0, 2.0, 3.0), np.eye(3), strict=True)])
    arms = (rd.robots.random_arm(rng, 1), slides, rd.robots.planar(2), rd.robots.random_arm(rng, 4, ["revolute"] * 4))
    for arm, fails in zip(arms, (False, False, True, True), strict=True):
        q, qd, s = rng.normal(size=(3, arm.n))
        M = rd.trace(rd.mass_matrix, arm).jacobian("q")
        dM = np.array(M(q), dtype=float)
        rate, D = dM @ qd, np.einsum("ijk,i->kj", dM, qd)
        C = (rate + np.einsum("kij,i->kj", dM, qd) - D) / 2
        assert abs(s @ (rate - 2 * C) @ s) < 1e-10
        assert abs(qd @ (rate - 2 * (rate - D / 2)) @ qd) < 1e-9
        assert (abs(s @ (rate - 2 * (rate - D / 2)) @ s) > 1e-6) == fails


def test_raising_a_boom_above_the_level_makes_the_turret_brake_and_below_it_drive():
    """Raising a boom that is above the level while the crane slews brings the masses inward, and the turret motor has to brake."""
    rng = np.random.default_rng(13)
    for m_2, m_3, l_2, l_3 in rng.uniform(0.3, 3, (10, 4)):
        mast = rd.Link(0, inertia=0.5 * np.eye(3))
        boom, jib = (
            rd.Link(m, (length, 0, 0), axis=(0, -1, 0), position=(x, 0, 0))
            for m, length, x in ((m_2, l_2, 0), (m_3, l_3, l_2))
        )
        crane = rd.Arm([mast, boom, jib], (0, 0, -9.81))
        for lift, sign in ((0.6, -1), (0.0, 0), (-0.6, 1), (np.pi / 2, 0)):
            still, slews = (rd.bias_torque(crane, [0.3, lift, 0], [rate, 0.4, 0])[0] for rate in (0.0, 1.2))
            assert np.sign(np.round(slews - still, 10)) == sign
