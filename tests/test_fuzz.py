"""Descriptions of arms that went through many hands:  each is refused by a sentence, or read as it is written.

Files: random trees as URDF, read as Pinocchio reads them, then damaged.  Tables: Denavit-Hartenberg rows of anything.
"""

import re
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from peer_models import agree_on_urdf

import robotdyn as rd

TYPES = ("revolute", "continuous", "prismatic", "fixed")
BROKEN = (
    "",
    "nan",
    "inf",
    "-inf",
    "1e400",
    "1e308",
    "1e-320",
    "-1",
    "0",
    "x",
    "1,2",
    "0x10",
    "1_0",
    "١",
    "${pi}",
    "1 2",
)


def tree(rng, bodies):
    """Return the lines of a URDF whose links hang at random from one another, and a link that a moving joint carries."""

    def row(values):
        return " ".join(f"{x:.17g}" for x in values)

    lines, moving = ['<robot name="r">'], []
    for k in range(bodies):
        points = rng.normal(size=(4, 3)) * 0.3
        I = np.trace(points.T @ points) * np.eye(3) - points.T @ points
        names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
        moments = " ".join(f'{name}="{x:.17g}"' for name, x in zip(names, I[np.triu_indices(3)]))
        lines += [f'<link name="l{k}">']
        if rng.random() < 0.8:
            lines += [
                "<inertial>",
                f'<origin xyz="{row(rng.normal(size=3))}" rpy="{row(rng.normal(size=3))}"/>',
                f'<mass value="{rng.uniform(0.1, 5):.17g}"/>',
                f"<inertia {moments}/>",
                "</inertial>",
            ]
        lines += ["</link>"]
    for k in range(1, bodies):
        kind = TYPES[rng.integers(4)] if k > 1 else "revolute"
        moving += [f"l{k}"] if kind != "fixed" else []
        lines += [
            f'<joint name="j{k}" type="{kind}">',
            f'<parent link="l{rng.integers(max(0, k - 2), k)}"/>',
            f'<child link="l{k}"/>',
            f'<origin xyz="{row(rng.normal(size=3))}" rpy="{row(rng.normal(size=3))}"/>',
            f'<axis xyz="{row(rng.normal(size=3))}"/>',
            '<limit lower="-1" upper="1" effort="1" velocity="1"/>',
            "</joint>",
        ]
    return [*lines, "</robot>"], moving[rng.integers(len(moving))]


def damaged(rng, lines):
    """Return the text with one to three accidents: a line lost, doubled or moved, a value spoilt, a letter changed."""
    lines = list(lines)
    for _ in range(rng.integers(1, 4)):
        k, accident = rng.integers(len(lines)), rng.integers(6)
        words = lines[k].split('"')
        if accident == 0:
            del lines[k]
        elif accident == 1:
            lines.insert(k, lines[k])
        elif accident == 2:
            lines.insert(rng.integers(len(lines)), lines.pop(k))
        elif accident == 3 and lines[k]:
            at = rng.integers(len(lines[k]))
            lines[k] = (
                lines[k][:at] + chr(rng.choice([0, 34, 38, 45, 46, 60, 62, 101, 233, 0x2028])) + lines[k][at + 1 :]
            )
        elif len(words) > 1:
            at = 1 + 2 * rng.integers(len(words) // 2)
            numbers = words[at].split() or [""]
            numbers[rng.integers(len(numbers))] = str(rng.choice([*BROKEN, "l0", "l1", "l2", "screw", "floating"]))
            words[at] = " ".join(numbers)
            lines[k] = '"'.join(words)
        lines = lines or [""]
    return "\n".join(lines)


def read(path, tip):
    """Return the arm of a file, perhaps with a warning of its slips, or None where a sentence refuses it."""
    arm = None
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            arm = rd.Arm.from_urdf(path, tip)
        except ValueError as error:
            assert " must " in str(error), f"this is no sentence: {error}"
    for slip in told:
        assert re.search(
            "is not read|the first counts|is negative and not kept|neither is kept|degrees", str(slip.message)
        )
    return arm


def obeys_the_laws(arm, rng):
    """Whether power balances at one random state, with finite numbers all along."""
    q, qd, qdd = rng.normal(size=(3, arm.n))
    M = rd.mass_matrix(arm, q)
    tau = rd.inverse_dynamics(arm, q, qd, qdd)
    split = M @ qdd + rd.coriolis_matrix(arm, q, qd) @ qd + rd.gravity_torque(arm, q)
    assert np.isfinite(tau).all() and np.linalg.eigvalsh(M)[0] >= -1e-9 * abs(M).max()
    assert abs(tau - split).max() <= 1e-9 * max(1, abs(tau).max(), abs(M).max())


@pytest.mark.parametrize("seed", range(6))
def test_damaged_urdf(seed, tmp_path):
    """Fifty random trees with accidents in the text: a sentence, or an arm that obeys the laws; some of each."""
    rng, path = np.random.default_rng(seed), tmp_path / "arm.urdf"
    arms = []
    for _ in range(50):
        lines, tip = tree(rng, rng.integers(2, 7))
        path.write_text(damaged(rng, lines), encoding="utf8")
        arms.append(read(path, tip))
        if arms[-1] is not None:
            obeys_the_laws(arms[-1], rng)
    assert 5 < sum(arm is None for arm in arms) < 45


def test_trees_as_pinocchio_reads_them(tmp_path):
    """A hundred random trees with branches, fixed joints and bare links: the mass matrix and the torques of the chain."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is missing: pip install robotdyn[peers]")
    rng, path = np.random.default_rng(1), tmp_path / "arm.urdf"
    for _ in range(100):
        lines, tip = tree(rng, rng.integers(2, 9))
        path.write_text("\n".join(lines), encoding="utf8")
        agree_on_urdf(pin, path, tip)


def homogeneous(row, kind, q, standard):
    """The transform of one row of the table, 4 x 4, as the book of the convention writes it out."""
    a, alpha, d, theta = row
    d, theta = (d + q, theta) if kind == "prismatic" else (d, theta + q)
    c, s, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    if standard:
        return np.array([[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]])
    return np.array([[c, -s, 0, a], [s * ca, c * ca, -sa, -sa * d], [s * sa, c * sa, ca, ca * d], [0, 0, 0, 1]])


SCALARS = st.one_of(
    st.floats(-3, 3), st.integers(-2, 2), st.sampled_from([None, "1", "x", np.nan, np.inf, 1e300, True, 1j, [], {}])
)
TABLES = st.lists(st.lists(SCALARS, min_size=3, max_size=5), max_size=4) | st.lists(
    st.tuples(*[st.floats(-3, 3)] * 4), min_size=1, max_size=5
)
WORDS = st.lists(st.sampled_from(["revolute", "prismatic", "screw", "fixed", "", 1, None]), max_size=5) | st.none()


@given(
    TABLES | SCALARS,
    st.sampled_from(["standard", "modified", "Craig", None, 1]),
    WORDS,
    st.randoms(use_true_random=False),
)
def test_any_table(rows, convention, joints, random):
    """A table of anything: a sentence, or an arm whose tip is where the product of the transforms has it."""
    try:
        arm = rd.Arm.from_dh(rows, convention, joints=joints, tip=(0.1, 0.2, 0.3))
    except (ValueError, TypeError) as error:
        assert " must " in str(error), f"this is no sentence: {error}"
        return
    q, T = [random.uniform(-2, 2) for _ in range(arm.n)], np.eye(4)
    for row, link, q_i in zip(np.array(rows, float).reshape(arm.n, 4), arm.links, q):
        T = T @ homogeneous(row, link.joint, q_i, convention == "standard")
    expected = T @ [0.1, 0.2, 0.3, 1]
    assert abs(rd.point_position(arm, q) - expected[:3]).max() < 1e-13 * (1 + abs(expected).max())
