"""Sentences of the page "From least squares to Riccati": on the work, by counting products, and on the program that three pages share."""

import re
from functools import partial

import nbformat
import numpy as np
import pytest

from bookbuild import lint


def test_how_much_work():
    """For seven joints and ten seconds at a hundred steps a second this is the difference between 8 10^11 multiplications
    and 10^7."""
    for joints in (1, 3, 7, 20):
        d, D, T = joints, 2 * joints, 1000
        solved, formed = (d * T) ** 3 / 3, D * T * (d * T) ** 2
        assert round(formed / solved) == 6  # six times as many
        shapes = [(D, D, d), (d, D, d), (d, D, D), (d, d, D), (D, d, D), (D, D, D), (D, D, D)]  # products of a step
        recursion = T * (sum(a * b * c for a, b, c in shapes) + d**3 / 3)
        if joints == 7:
            assert f"{solved + formed:.0e}" == "8e+11"
            assert f"{recursion:.0e}" == "1e+07"


def programs(page):
    """Return the functions gain and backward that a page shows: their text, and what it does."""
    cells = nbformat.read(lint.ROOT / "book" / f"{page}.ipynb", as_version=4).cells
    texts = {}
    for cell in cells:
        if cell.cell_type == "code" and re.search("^def (gain|backward)\\(", cell.source, re.M):
            for part in re.findall(r"^def (?:gain|backward)\(.*?(?=^\S|\Z)", cell.source, re.M | re.S):
                texts[part.split("(")[0].removeprefix("def ")] = part.strip()
    names = {"np": np}
    for text in texts.values():
        exec(text, names)
    return texts, names


def cost_to_go(drift, B, R, P, u):
    """Return what an input u costs, and the state drift + B u to which it leads."""
    following = drift + B @ u
    return u @ R @ u + following @ P @ following


def test_one_backward_pass():
    """The page, the regulator and iLQR show one backward pass: the same program on two of them, and on the third one whose first
    four arguments and first two results are the same, with k = 0 where there are no slopes."""
    (here, lqr), (there, _), (_, ilqr) = (programs(page) for page in ("lqr", "regulator", "ilqr"))
    assert here == there
    assert set(here) == {"gain", "backward"}
    rng = np.random.default_rng(35)
    T, D, d = 9, 4, 2
    A, B = rng.normal(size=(T, D, D)), rng.normal(size=(T, D, d))
    root = rng.normal(size=(T + 1, D, D))
    Q, R = root @ np.swapaxes(root, 1, 2), np.tile(np.diag([0.3, 2.0]), (T, 1, 1))
    K, P = lqr["backward"](A, B, Q, R)
    zeros = np.zeros((T + 1, D)), np.zeros((T, d)), np.zeros((T, d, D))
    same, V, k = ilqr["backward"](A, B, Q, R, *zeros)
    assert same == pytest.approx(K, rel=1e-8)
    assert pytest.approx(P, rel=1e-8) == V
    assert not k.any()
    for t in range(T):  # Bellman's equation, of which the programs know nothing
        x = rng.normal(size=D)
        pay = partial(cost_to_go, A[t] @ x, B[t], R[t], P[t + 1])
        best = pay(K[t] @ x)
        assert best + x @ Q[t] @ x == pytest.approx(x @ P[t] @ x, rel=1e-8)
        assert all(pay(K[t] @ x + 1e-2 * rng.normal(size=d)) > best for _ in range(5))


def test_a_single_step():
    """One step is least squares with one torque; for steps of explicit Euler that torque does not depend on the angle: it brakes, or,
    where the rate costs nothing, does nothing."""
    _, names = programs("lqr")
    A, B = np.array([[1, 0.02], [0, 1]]), np.array([[0], [0.04]])
    for of_rate in (0.0, 3.0):
        Q, R = np.array([np.zeros((2, 2)), np.diag([5.0, of_rate])]), np.eye(1)[None]
        K, P = names["backward"](A[None], B[None], Q, R)
        by_hand = -np.linalg.solve(R[0] + B.T @ Q[1] @ B, B.T @ Q[1] @ A)
        assert K[0] == pytest.approx(by_hand)
        assert K[0, 0, 0] == 0
        assert (K[0, 0, 1] < 0) == (of_rate > 0)
        assert np.linalg.eigvalsh(P[0]).min() > -1e-12
