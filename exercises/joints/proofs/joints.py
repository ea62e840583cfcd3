"""Proof of the assignment "joints": the friction that is printed is the library's."""

import sympy as sp

import robotdyn as rd
from eqproof import Chapter

chapter = Chapter(__file__)
chapter.units(
    {r"\tau_f": "N m", r"\tau_s": "N m", "d": "N m", r"\omega_s": "rad/s", "b": "N m s/rad", r"\dot q": "rad/s"}
)

rubbing = rd.forces.total(rd.forces.viscous(0.5), rd.forces.stribeck(1.5, 4.0, rate=0.75))


def curve(n):
    """Return the bindings of the friction at a positive rate."""
    rate = (0.625, 1.375)[n - 1]
    table = {"e": sp.E, "d": 1.5, r"\tau_s": 4.0, r"\omega_s": 0.75, "b": 0.5, r"\dot q": rate}
    return table | {r"\tau_f": float(rubbing(0, [0.0], [rate])[0])}


by = "the library's friction at rates where its tanh is 1"
chapter.prove("eq-exercise-stribeck", curve, n=[1, 2], tolerance=1e-12, by=by)
