"""Sentences of the page "Frames": the calibration of a camera, over many trials and orientations."""

import numpy as np

import robotdyn as rd


def trial(rng: np.random.Generator) -> tuple[float, float]:
    """Return by how many degrees the rotation that fits best is off, and the largest gap of R^T R of nine free entries."""
    true = rd.rotations.exp(rng.normal(size=3))
    u = rng.normal(size=(10, 3))
    u = u / np.linalg.norm(u, axis=1, keepdims=True)
    w = u @ true + np.radians(0.5) * rng.normal(size=(10, 3))
    w = w / np.linalg.norm(w, axis=1, keepdims=True)
    U, _, Vt = np.linalg.svd(u.T @ w)
    best = U @ np.diag([1, 1, np.linalg.det(U @ Vt)]) @ Vt
    free = np.linalg.lstsq(w, u, rcond=None)[0].T
    off = np.degrees(np.linalg.norm(rd.rotations.log(true.T @ best)))
    return off, abs(free.T @ free - np.eye(3)).max()


def test_the_calibration_is_off_by_0_32_degrees_in_the_mean():
    """In the mean of many trials the result is off by 0.32 degrees; in one trial of twenty it is off by more than 0.6 degrees."""
    rng = np.random.default_rng(2023)
    count = 4000
    off, gap = np.array([trial(rng) for _ in range(count)]).T
    half_width = 3 * off.std() / np.sqrt(count)
    assert half_width < 0.01
    assert abs(off.mean() - 0.32) < half_width + 0.005  # and half a unit of the last digit
    assert abs(np.mean(off > 0.6) - 0.05) < 0.03
    assert abs(gap.mean() - 0.01) < 0.005
    assert np.mean(off > 0.5) < 0.15  # so a trial that is off by 0.53 degrees is the luck of one seed


def test_the_integral_of_the_angular_velocity_is_an_orientation_only_about_one_direction():
    """The integral of omega over time is in general not an orientation; where omega keeps its direction, it is the rotation vector."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        way, other = rng.normal(size=(2, 3))
        t = np.linspace(0, 1, 2001)[:-1] + 0.5 / 2000
        for turns, one in (
            (np.outer(1 + t, way), True),
            (np.outer(1 + t, way) + np.outer(np.sin(5 * t), other), False),
        ):
            R = np.eye(3)
            for omega in turns:
                R = rd.rotations.exp(omega / 2000) @ R
            gap = abs(R - rd.rotations.exp(turns.mean(axis=0))).max()
            assert (gap < 1e-5) == one


def test_no_rotation_fits_better_than_that_of_the_singular_values():
    """The trace is largest if R is U V^T; if that is a reflection, the best rotation changes the sign of the last column of U."""
    rng = np.random.default_rng(4)
    reflections = 0
    for _ in range(40):
        B = rng.normal(size=(3, 3))
        U, _, Vt = np.linalg.svd(B)
        sign = np.linalg.det(U @ Vt)
        reflections += sign < 0
        best = U @ np.diag([1, 1, sign]) @ Vt
        turns = rd.rotations.exp(np.concatenate([rng.normal(size=(300, 3)) * 2, rng.normal(size=(300, 3)) * 0.05]))
        assert np.einsum("kij,jl,il->k", turns, best, B).max() <= np.trace(best @ B.T) + 1e-12
    assert 5 < reflections < 35


def test_from_any_start_the_integral_is_the_rotation_vector_of_the_turn_since_then():
    """Where omega keeps its direction, its integral is the rotation vector of the turn since the start, and not that of the orientation."""
    rng = np.random.default_rng(6)
    for start, way in (*rng.normal(size=(10, 2, 3)), (np.zeros(3), [0, 0, 1.0]), ([np.pi, 0, 0], [1.0, 0, 0])):
        R = rd.rotations.exp(start)
        for speed in np.linspace(0, 2, 200):
            R = rd.rotations.exp(np.asarray(way) * speed / 200) @ R
        turned = rd.rotations.exp(np.asarray(way) * np.linspace(0, 2, 200).mean())
        assert abs(R - turned @ rd.rotations.exp(start)).max() < 1e-12
        assert (abs(R - turned).max() < 1e-12) == (not np.any(start))
