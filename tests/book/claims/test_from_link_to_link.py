"""Sentences of the page "From link to link", tried where a link is balanced, a joint slides or an arm stands upright."""

import numpy as np
import pytest

import robotdyn as rd


def depends(arm, q):
    """Return which accelerations (n, n) change with which torques."""
    return abs(rd.linearize(arm, q, np.zeros(arm.n), np.zeros(arm.n), 1e-3)[1][arm.n :]) > 1e-12


def test_each_acceleration_depends_in_general_on_all_torques():
    """In general each acceleration depends on all torques; of an RP arm with its mass on the line and of a quiet elbow it does not."""
    rng = np.random.default_rng(35)
    for n in (2, 3, 5):
        assert depends(rd.robots.random_arm(rng, n, ["revolute"] * n), rng.normal(size=n)).all()
    assert (depends(rd.robots.rp(), [0.3, 0.8]) == np.eye(2)).all()
    quiet = rd.robots.uniform_two_link(), [0.3, np.arccos(-2 / 3)]
    assert (depends(*quiet) == np.eye(2)).all()


@pytest.mark.parametrize(("angle", "error"), [(0.0, 3.2e-3), (np.pi / 3, 6.4e-3), (np.pi / 2, np.inf)])
def test_an_arm_at_rest_would_do_as_well_if_it_is_level(angle, error):
    """Stretched out level at rest the arm weighs its payload as well as in the swing, with about 4 g; upright it does not weigh it."""
    arm = rd.robots.uniform_two_link(length=0.5, masses=(3.0, 2.0))
    J = rd.tip_jacobian(arm, [angle, 0])[:3]
    y = np.tile(J.T @ [0, 9.81, 0], 201)
    with np.errstate(divide="ignore"):
        found = 0.5 / np.linalg.norm(np.round(y, 12))
    assert found == pytest.approx(error, rel=0.02)


def test_two_numbers_of_the_first_link_matter_because_of_gravity():
    """Of the first link of a planar arm three numbers are felt, on a table one: its inertia about the joint."""
    for gravity, felt in ((9.81, 3), (0.0, 1)):
        states = np.random.default_rng(36).normal(size=(3, 40, 2))
        columns = []
        for m, x, y, I in (
            (1, 0, 0, 0),
            (0, 1, 0, 0),
            (0, 0, 1, 0),
            (0, 0, 0, 1),
        ):  # mass, first moment, inertia about O
            mass, com = 3.0 + m, np.array([0.75 + x, y]) / (3.0 + m)
            about = 0.1 + 3.0 * 0.25**2 + I + 10  # far from an inertia that no body has
            one = rd.robots.planar([0.5, 0.5], [mass, 2.0], [com, [0.25, 0]], [about - mass * com @ com, 0.1], gravity)
            base = rd.robots.planar([0.5, 0.5], [3.0, 2.0], [0.25, 0.25], [about - I - 3.0 * 0.25**2, 0.1], gravity)
            columns.append((rd.inverse_dynamics(one, *states) - rd.inverse_dynamics(base, *states)).ravel())
        assert np.linalg.matrix_rank(np.array(columns), tol=1e-9) == felt
        assert abs(columns[0]).max() < 1e-10  # the mass drops out


@pytest.mark.parametrize(("duration", "error"), [(0.5, 1.2e-3), (1.0, 4e-3), (2.0, 4.9e-3)])
def test_a_faster_swing_weighs_better_than_a_slower_one(duration, error):
    """A swing of half a second weighs the payload with 1.2 g, one of a second with 4 g, one of two seconds with 4.9 g; a level arm
    at rest with 3.2 g."""
    arm = rd.robots.uniform_two_link(length=0.5, masses=(3.0, 2.0))
    s, h = np.linspace(0, 1, 201)[:, None], np.array([1.8, 0.8])
    q = [-np.pi / 2, 0] + h * (3 * s**2 - 2 * s**3)
    qd, qdd = h * (6 * s - 6 * s**2) / duration, h * (6 - 12 * s) / duration**2
    loaded = rd.Arm([*arm.links, rd.Link(1.0, position=arm.tip)], arm.gravity)
    state = (np.pad(x, ((0, 0), (0, 1))) for x in (q, qd, qdd))
    y = rd.inverse_dynamics(loaded, *state)[:, :2] - rd.inverse_dynamics(arm, q, qd, qdd)
    assert 0.5 / np.linalg.norm(y) == pytest.approx(error, rel=0.05)
