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
