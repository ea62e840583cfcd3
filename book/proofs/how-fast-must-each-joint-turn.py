"""Proofs of "How fast must each joint turn?": what each letter stands for, and what each displayed equation is compared with."""

import sympy as sp

import robotdyn as rd
from eqproof import Chapter

m = sp.Symbol("m", positive=True)
v = sp.Symbol("v", real=True)
slider = rd.Arm([rd.Link(m, joint="prismatic", axis=(1, 0, 0))])

chapter = Chapter(__file__)
chapter.bind({"m": m, "v": v})
chapter.units({"m": "kg", "v": "m/s"})
energy = rd.kinetic_energy(slider, [0], [v])
chapter.prove("eq-how-fast-must-each-joint-turn-energy", {"T": energy}, by="the kinetic energy of a body on a slide")
