"""The arms that the tests try: random 3-D ones of every mix of joints, and degenerate ones; all seeded."""

import numpy as np

import robotdyn as rd
from robotdyn.model.robots import random_arm

MIXES = ("r", "p", "rr", "rp", "pr", "pp", "rrr", "prp", "rrpr", "pprr", "rrrrr", "rprprp", "rrrrrr", "rrrrrrr")
WORDS = {"r": "revolute", "p": "prismatic"}


def arm_and_state(mix):
    """Return a random arm with the joints of `mix`, and random q, qd, qdd, tip wrench."""
    rng = np.random.default_rng(sum(ord(letter) * 3**k for k, letter in enumerate(mix)))
    arm = random_arm(rng, len(mix), [WORDS[letter] for letter in mix])
    return (arm, *rng.normal(size=(3, len(mix))), rng.normal(size=6))


def nearly_singular_arm():
    """Three parallel axes in one line, links of a gram, a millimeter apart: M has eigenvalues from 1e-10 to 1."""
    light = [rd.Link(1e-3, (1e-3, 0, 0), 1e-9 * np.eye(3), position=(1e-3, 0, 0)) for _ in range(2)]
    return rd.Arm([rd.Link(2.0, (0.5, 0.1, 0), 0.1 * np.eye(3)), *light], gravity=(1, -9.81, 2))
