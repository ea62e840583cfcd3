"""Proof of the assignment "joints": the friction that is printed is the library's."""

import sympy as sp

import robotdyn as rd
from eqproof import Chapter

chapter = Chapter(__file__)
chapter.units(
    {r"\tau_f": "N m", r"\tau_s": "N m", "d": "N m", r"\omega_s": "rad/s", "b": "N m s/rad", r"\dot q": "rad/s"}
)


def curve(n):
    """Return the bindings of two frictions at a positive rate."""
    d, most, fall, b, rate = [(1.5, 4.0, 0.75, 0.5, 0.625), (0.875, 3.25, 1.125, 0.25, 1.375)][n - 1]
    rubbing = rd.forces.total(rd.forces.viscous(b), rd.forces.stribeck(d, most, rate=fall))
    table = {"e": sp.E, "d": d, r"\tau_s": most, r"\omega_s": fall, "b": b, r"\dot q": rate}
    return table | {r"\tau_f": float(rubbing(0, [0.0], [rate])[0])}


by = "the library's friction at rates where its tanh is 1"
chapter.prove("eq-exercise-stribeck", curve, n=[1, 2], tolerance=1e-12, by=by)
