"""Proofs of the chapter on the RP arm: every displayed equation against the library or an independent derivation."""

import sympy as sp

import robotdyn as rd
from robotdyn.proof import Chapter, letters

chapter = Chapter("rp")
arm = rd.robots.rp(symbolic=True)
eqs = rd.derive(arm, q="theta r")
q, qd, qdd = eqs.q, eqs.qd, eqs.qdd
theta, r = q
point = lambda link: rd.point_position(arm, q, link, arm.links[link].com)[:2, 0]

chapter.motion(q, qd, qdd)
chapter.bind(letters(arm, q) | {r"\boldsymbol q": q, r"\boldsymbol\tau": eqs.tau})
chapter.bind({r"\boldsymbol p_*": lambda i: point(i - 1)})
chapter.prove("eq-rp-p1", {r"\boldsymbol R": sp.Matrix([[sp.cos(theta), -sp.sin(theta)], [sp.sin(theta), sp.cos(theta)]])}, by="forward kinematics of the library")
