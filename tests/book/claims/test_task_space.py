"""Sentences of the page "The task space and impact", tried on arms, walls and velocities that the page does not show."""

import numpy as np
import pytest
from arms import MIXES, arm_and_state

import robotdyn as rd

SPATIAL = [mix for mix in MIXES if len(mix) >= 3]


def unit(x):
    """Return x with the length 1."""
    return x / np.linalg.norm(x)


def bounced(arm, q, v, normal):
    """Return the velocity of the hand (3,) with which it leaves a wall, e = 1, after it came in with v."""
    J = rd.tip_jacobian(arm, q)[:3]
    return J @ rd.task_space.impact(arm, q, np.linalg.lstsq(J, v)[0], normal, restitution=1).qd


@pytest.mark.parametrize("mix", SPATIAL)
def test_the_way_back(mix):
    """A hand with e = 1 goes back the way it came only if it comes in along Lambda^-1 n."""
    arm, q, *_ = arm_and_state(mix)
    rng = np.random.default_rng(35)
    for _ in range(6):
        normal = unit(rng.normal(size=3))
        pushed = unit(np.linalg.solve(rd.effective_inertia(arm, q), normal))
        assert np.allclose(
            bounced(arm, q, -pushed, normal), pushed, rtol=0, atol=1e-8
        )  # rounding, by the pose's condition
        v = unit(rng.normal(size=3))
        v *= -np.sign(v @ normal)  # toward the wall
        aside = np.linalg.norm(v - (v @ pushed) * pushed)
        assert np.linalg.norm(bounced(arm, q, v, normal) + v) >= 2 * aside * (1 - 1e-8)


@pytest.mark.parametrize("mix", SPATIAL)
def test_the_way_back_along_the_normal(mix):
    """A hand that comes in along the normal goes back along it only where the normal is a principal direction."""
    arm, q, *_ = arm_and_state(mix)
    inertia = rd.effective_inertia(arm, q)
    for principal in np.linalg.eigh(inertia)[1].T:
        assert np.allclose(bounced(arm, q, -principal, principal), principal, rtol=0, atol=1e-8)
    rng = np.random.default_rng(36)
    for _ in range(6):
        normal = unit(rng.normal(size=3))
        turned = np.linalg.norm(np.cross(unit(inertia @ normal), normal))  # 0 for a principal direction
        leaves = bounced(arm, q, -normal, normal)
        assert leaves @ normal == pytest.approx(1, abs=1e-8)
        assert (np.linalg.norm(leaves - normal) > 1e-6) == (turned > 1e-6)


@pytest.mark.parametrize("mix", [mix for mix in MIXES if len(mix) >= 4])
def test_only_one_inverse_is_consistent(mix):
    """At rest the hand feels nothing of (1 - J^T G^T) tau_0 for G = Jbar; of other right inverses, the pseudo-inverse too, it does."""
    arm, q, *_ = arm_and_state(mix)
    rng = np.random.default_rng(2)
    J, M = rd.tip_jacobian(arm, q)[:3], rd.mass_matrix(arm, q)
    consistent = np.linalg.solve(M, J.T) @ rd.effective_inertia(arm, q)
    felt = lambda G: np.linalg.norm(J @ np.linalg.solve(M, np.eye(arm.n) - J.T @ G.T), 2)
    scale = np.linalg.norm(J @ np.linalg.inv(M), 2)
    assert felt(consistent) < 1e-9 * scale
    pseudo = np.linalg.pinv(J)
    for _ in range(3):
        G = pseudo + (np.eye(arm.n) - pseudo @ J) @ rng.normal(size=(arm.n, 3))
        assert abs(J @ G - np.eye(3)).max() < 1e-8
        assert felt(G) > 1e-4 * scale
    assert felt(pseudo) > 1e-4 * scale


@pytest.mark.parametrize("mix", [mix for mix in MIXES if len(mix) >= 4])
def test_the_torques_of_a_force_at_the_hand_are_the_least(mix):
    """Of all torques with a given force Jbar^T tau at the hand, J^T F has the least tau^T M^-1 tau."""
    arm, q, *_ = arm_and_state(mix)
    rng = np.random.default_rng(3)
    J, M = rd.tip_jacobian(arm, q)[:3], rd.mass_matrix(arm, q)
    through = np.linalg.solve(M, J.T) @ rd.effective_inertia(arm, q)
    size = lambda tau: tau @ np.linalg.solve(M, tau)
    force = rng.normal(size=3)
    for _ in range(5):
        wish = rng.normal(size=arm.n)
        tau = J.T @ force + wish - J.T @ (through.T @ wish)
        assert np.allclose(through.T @ tau, force, rtol=0, atol=1e-8)
        assert size(J.T @ force) < size(tau)
