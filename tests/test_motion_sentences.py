"""What inverse kinematics, rates, timed paths and laws of a hand say of calls that cannot be: rule, what was given, the way on."""

import numpy as np
import pytest

import robotdyn as rd

TWO, SIX = rd.robots.planar([1, 1]), rd.robots.ur5e()
Q = np.array([0.3, -1, 1, 0.4, 0.5, 0.6])
R, P = rd.tip_pose(SIX, Q)
J = rd.tip_jacobian(SIX, Q)
CURVE = rd.trajectories.through([0, 0.5, 1], [[0, 0], [0.5, 1], [1, 0]], "natural")
ik, solve = rd.inverse_kinematics, rd.inverse_kinematics.solve
fastest, priority = rd.trajectories.fastest_along, rd.differential_kinematics.by_priority

SENTENCES = [
    (lambda: solve(SIX, [0, 0, 0, 1, 0, 0, 0], Q), ValueError,
     "pose must have shape (4, 4), or (3,) for the place of the tip alone, or be (R, p), got (7,): rd.rotations.from_quaternion"),
    (lambda: solve(SIX, (P, R), Q), ValueError, "pose must be (R, p) of shapes (3, 3) and (3,), got (3,) and (3, 3)"),
    (lambda: solve(SIX, ([1, 0, 0, 0], P), Q), ValueError, "got (4,) and (3,): rd.rotations.from_quaternion makes R of a quaternion"),
    (lambda: solve(TWO, [9, 0, 0], [0, 0], rng=3), TypeError, "rng must be a generator of random numbers, np.random.default_rng(1), got 3"),
    (lambda: solve(SIX, P, Q, {0: (0.3, 0.3)}), ValueError, "limits[0] must rise, got (0.3, 0.3): arm.locked holds a joint"),
    (lambda: solve(SIX, P, Q, {0: (None, 1)}), ValueError, "limits[0] must be a number or have shape (n,), without NaN, got [nan, 1.0]: infinite where there is none"),
    (lambda: solve(SIX, P, Q, {"elbow": (0, 1)}), ValueError, "limits must be of joints from 0 to 5, got 'elbow'"),
    (lambda: ik.pose_error((R, P), np.eye(4)), TypeError, "goal must be a pair (R, p), as rd.tip_pose returns one, got array("),
    (lambda: ik.pose_error((R, P), (R, [np.nan, 0, 0])), ValueError, "p of goal must be finite, got nan"),
    (lambda: ik.pose_error("a", (R, P)), TypeError, "pose must be a pair (R, p), as rd.tip_pose returns one, got 'a'"),
    (lambda: rd.resolved_rates(SIX, Q, np.ones(6)), ValueError,
     "twist must have shape (3,), the velocity of the point, got (6,): directions=np.eye(6) takes the turning of the link, too"),
    (lambda: rd.resolved_rates(SIX, Q, [1, 0, 0], weights=np.ones((6, 6))), ValueError,
     "weights must have shape (6,), what each joint costs, got (6, 6): the diagonal of W"),
    (lambda: priority([J]), TypeError, "tasks must be a list of pairs, [(J, v), ..], got array("),
    (lambda: priority((J, np.ones(6))), TypeError, "tasks must be a list of pairs, [(J, v), ..], got array("),
    (lambda: priority(None), TypeError, "tasks must be a list of pairs, [(J, v), ..], got None"),
    (lambda: fastest(TWO, lambda s: s, [100, 100]), TypeError, "path must take (s, order of the derivative), as through makes one, got: "),
    (lambda: fastest(TWO, CURVE, [100, 100], rate_limits=0.1, start_rate=5), ValueError,
     "start_rate and end_rate must keep to rate_limits, 0.03333 and 0.03333 1/s at most, got 5 and 0: begin and end slower"),
    (lambda: fastest(TWO, CURVE, [np.inf, np.inf]), ValueError, "torque_limits must be finite for a joint, or rate_limits given, got neither"),
    (lambda: fastest(TWO, CURVE, [np.nan, 1.0]), ValueError, "torque_limits must be finite, got nan"),
    (lambda: fastest(TWO, CURVE, ([-1, -2], [1, 2])), ValueError, "or lowest and highest (2, 2), a row a joint, got [[-1, -2], [1, 2]]"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "sentence"), SENTENCES, ids=range(len(SENTENCES)))
def test_sentence(call, error, sentence):
    """In one line, without an error of NumPy behind it."""
    with pytest.raises(error) as caught:
        call()
    assert sentence in str(caught.value)


def test_a_pose_may_be_a_list_and_a_joint_have_a_name():
    """[R, p] is (R, p); limits by name are those by index, and a wrong name is told beside the right ones."""
    assert solve(SIX, [R, P], Q).solved and solve(SIX, (R.tolist(), P.tolist()), Q).solved
    links = [
        rd.Link(1, (0.5, 0, 0), joint_name=name, position=(k, 0, 0)) for k, name in enumerate(("shoulder", "elbow"))
    ]
    arm = rd.Arm(links, tip=(1, 0, 0))
    by_name, by_index = (solve(arm, [1, 1, 0], [0.1, 1], {key: (0.5, 3)}) for key in ("elbow", 1))
    assert by_name.solved and (by_name.q == by_index.q).all() and by_name.q[1] >= 0.5
    with pytest.raises(ValueError, match=r"limits must be of joints from 0 to 1, or of a name in arm.joint_names: shoulder, elbow, got 'wrist'"):  # fmt: skip
        solve(arm, [1, 1, 0], [0.1, 1], {"wrist": (0, 1)})


@pytest.mark.parametrize("seed", range(12))
def test_the_nearest_pose_within_limits_is_the_nearest(seed):
    """Far from a goal the slopes alone promise too much: steps that bring little are shortened, and the iteration arrives.

    Held against SciPy's bounded minimization from several starts.
    """
    from scipy.optimize import minimize

    goal = np.append(np.random.default_rng(seed).uniform(-2.5, 2.5, 2), 0)
    limits = {0: (-0.5, 0.5), 1: (-1, 1)}

    def square(q):
        return ((rd.tip_pose(TWO, q)[1] - goal) ** 2).sum()

    starts = [[0, 0], [0.3, 0.8], [-0.3, -0.8], [0.3, -0.8], [-0.3, 0.8]]
    least = min(minimize(square, start, bounds=list(limits.values()), tol=1e-14).fun for start in starts) ** 0.5
    found = solve(TWO, goal, [0, 0], limits, restarts=5)
    assert found.distance < least + 1e-6 and found.stopped != "iterations"


def test_the_nearest_of_a_closed_form_says_which_limit_holds_it():
    """The elbow is free, the shoulder held at 3 rad: the distance from the goal to the circle of the forearm."""
    nearest = ik.all_solutions(TWO, [1, 1, 0], {0: (3, 3.1)}).nearest
    assert nearest.stopped == "limit" and nearest.at_limit == (0,)
    assert nearest.distance == pytest.approx(np.hypot(1 - np.cos(3), 1 - np.sin(3)) - 1, abs=1e-7)


def test_a_joint_without_a_torque_limit():
    """Infinite ones bound nothing: as a limit that is never reached, and as the efforts of a file that says none."""
    known = fastest(TWO, CURVE, [100, 1e6])
    free = fastest(TWO, CURVE, [100, np.inf])
    assert free.duration == pytest.approx(known.duration, rel=1e-9)
    assert fastest(TWO, CURVE, [[-100, 100], [-np.inf, np.inf]]).duration == free.duration
    paced = fastest(TWO, CURVE, [np.inf, np.inf], rate_limits=1)
    assert (
        abs(paced(np.linspace(0, paced.duration, 400))[1]).max() < 1.002
    )  # between points of the grid, by the square of its width


def test_a_law_with_a_state_is_run():
    """Whoever calls it as a law is told who keeps its state."""
    law = rd.control.adaptive(TWO, lambda t: (np.zeros(2),) * 3, 1, 1, 1)
    sentence = "a law with a state must be run by rd.control.run or rd.control.continuous, which keep its state"
    for call in (lambda: rd.simulate(TWO, [0, 0], [0, 0], law, t=[0, 0.1]), lambda: law(0, [0, 0], [0, 0])):
        with pytest.raises(TypeError, match=sentence):
            call()
