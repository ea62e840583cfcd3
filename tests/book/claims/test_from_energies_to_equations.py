"""Sentences of the page "From energies to equations", tried on hoops of any size and speed."""

import numpy as np
import pytest
import sympy as sp

import robotdyn as rd


def height(x, speed):
    """Return the effective energy over m g a, at the angle x from the bottom; speed: a Omega^2 / g."""
    return -np.cos(x) - speed * np.sin(x) ** 2 / 2


@pytest.mark.parametrize("speed", [0.0, 0.3, 0.9, 0.999, 1.0, 1.001, 1.1, 3.0, 50.0])
def test_the_bottom_of_the_hoop(speed):
    """The bottom is a valley while Omega^2 < g / a, and still at Omega^2 = g / a; on a faster hoop it is none."""
    x = np.geomspace(0.02, 0.5, 40) * (0.05 if 1 < speed < 1.01 else 1)
    rises = height(x, speed) > height(0.0, speed)
    assert rises.all() if speed <= 1 else not rises[0]


def test_with_the_fourth_power():
    """At Omega^2 = g / a the effective energy rises from the bottom with the fourth power of the distance."""
    x = np.array([0.01, 0.02, 0.05, 0.1])
    assert np.allclose((height(x, 1.0) - height(0.0, 1.0)) / x**4, 1 / 8, rtol=0.02)


def test_a_bead_that_stays():
    """At Omega^2 = g / a a bead that is pushed from the bottom swings about it; on a faster hoop it leaves."""
    farthest = {}
    for speed in (0.9, 1.0, 1.5):
        x, v, h, far = 0.0, 0.02, 2e-3, 0.0
        for _ in range(100_000):  # 200 times the root of a / g
            v += h * (-np.sin(x) + speed * np.sin(x) * np.cos(x))
            x += h * v
            far = max(far, abs(x))
        farthest[speed] = far
    assert farthest[1.0] == pytest.approx((4 * 0.02**2) ** 0.25, rel=0.02)  # v^2 / 2 = x^4 / 8
    assert farthest[0.9] < farthest[1.0] < 0.3 < farthest[1.5]


def sides(speed, x, v):
    """Return the least and the greatest angle from the bottom of a bead that begins at x with the rate v, in 60 times the root of a / g."""
    h, seen = 1e-3, [x]
    for _ in range(60_000):
        v += h * (-np.sin(x) + speed * np.sin(x) * np.cos(x))
        x += h * v
        seen.append(x)
    return min(seen), max(seen)


@pytest.mark.parametrize("speed", [1.3, 2.0, 6.0])
def test_let_go_beside_the_bottom_or_pushed_from_it(speed):
    """A bead that is let go beside the bottom of a fast hoop, however close, swings about the valley on its side; one that is
    pushed from the bottom, however gently, visits both."""
    valley = np.arccos(1 / speed)
    for small in (0.03, 0.003):
        low, high = sides(speed, small, 0.0)
        assert low > 0.5 * small  # it does not reach the bottom
        assert high > valley
        low, high = sides(speed, 0.0, small)
        assert low < -valley
        assert valley < high


def test_the_mixed_term_about_another_point():
    """About another point of the body than the center of mass a mixed term appears; it vanishes if that point is at rest, but
    not in general, nor only then."""
    rng = np.random.default_rng(35)
    m, c = 1.7, rng.normal(size=3)
    mixed = lambda v, omega: m * v @ np.cross(omega, c)
    for _ in range(20):
        v, omega = rng.normal(size=(2, 3))
        r, masses = c + rng.normal(size=(6, 3)), rng.uniform(0.1, 1, 6)
        r += c - masses @ r / masses.sum()
        masses *= m / masses.sum()
        energy = (masses * ((v + np.cross(omega, r)) ** 2).sum(axis=1)).sum() / 2
        about = (masses * (np.cross(omega, r) ** 2).sum(axis=1)).sum() / 2
        assert energy == pytest.approx(m * v @ v / 2 + mixed(v, omega) + about, rel=1e-10)
        assert mixed(v, omega) != pytest.approx(0, abs=1e-6)
        assert mixed(0 * v, omega) == pytest.approx(0, abs=1e-12)
        assert mixed(v, 0 * omega) == pytest.approx(0, abs=1e-12)  # translation alone


def test_forces_that_do_no_work_change_momenta():
    """Where no other force acts, the momentum of a coordinate that the Lagrangian does not contain is conserved; a force that acts
    and does no work, such as that of a magnetic field, keeps the energy and not this momentum."""
    v = np.array([1.0, 0.4])
    for field in (0.0, 0.8):
        now, energies, momenta = v.copy(), [], []
        turn = np.array([[0, field], [-field, 0]])
        for _ in range(2000):  # the midpoint rule, which keeps the energy
            now = np.linalg.solve(np.eye(2) - 5e-4 * turn, (np.eye(2) + 5e-4 * turn) @ now)
            energies.append(now @ now / 2)
            momenta.append(now[0])
        assert np.ptp(energies) < 1e-12
        assert (np.ptp(momenta) > 0.1) == (field > 0)


def swing(x, v, eps, swings):
    """Return the greatest angle in each full swing that is pumped; x, v: angle and rate (rad, rad/s) at first, length 1 m."""
    omega, step, seen = np.sqrt(9.81), 1e-3, []

    def rates(t, s):
        long, growth = 1 + eps * np.cos(2 * omega * t), -2 * omega * eps * np.sin(2 * omega * t)
        return np.array([s[1], -(2 * growth * s[1] + 9.81 * np.sin(s[0])) / long])

    s = np.array([x, v])
    for t in np.arange(0, swings * 2 * np.pi / omega, step):
        seen.append(abs(s[0]))
        s = s + step * rates(t + step / 2, s + step / 2 * rates(t, s))
    return np.array([part.max() for part in np.array_split(seen, swings)])


def test_a_pumped_swing_grows_in_the_end():
    """The amplitude of almost every pumped swing in the end grows like exp(3 eps omega t / 4); one that begins in the wrong phase
    shrinks at first, and one at rest stays at rest."""
    omega, factor = np.sqrt(9.81), np.exp(3 * np.pi * 0.05 / 2)
    for v in (0.0, -omega, 0.3 * omega, omega):
        size = swing(1e-4, 1e-4 * v, 0.05, 24)
        assert (size[-1] / size[-5]) ** (1 / 4) == pytest.approx(factor, rel=0.03)
        assert (size[2] < size[0]) == (v == omega)
    assert swing(0.0, 0.0, 0.05, 3).max() < 1e-15


def test_independent_coordinates_do_not_show_the_force():
    """In independent coordinates Lagrange's method never shows a constraint force; in more coordinates, with a multiplier, it does."""
    t, m, l, g = sp.Symbol("t"), *sp.symbols("m l g", positive=True)
    q, r, pull = (sp.Function(name)(t) for name in ("q", "r", "pull"))
    flat = m * (r.diff(t) ** 2 + (r * q.diff(t)) ** 2) / 2 - m * g * r * sp.sin(q) + pull * (r - l)
    along = sp.diff(sp.diff(flat, r.diff(t)), t) - sp.diff(flat, r)
    force = sp.solve(along.subs(r, l).doit(), pull)[0]  # outward
    assert sp.simplify(force - (m * g * sp.sin(q) - m * l * q.diff(t) ** 2)) == 0
    alone = rd.lagrange.euler_lagrange(m * l**2 * q.diff(t) ** 2 / 2, m * g * l * sp.sin(q), [q]).tau[0]
    assert not alone.has(pull)
