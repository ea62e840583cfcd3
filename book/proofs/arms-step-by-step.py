"""Proofs of "A spatial arm, step by step": a crane of three joints, its two masses placed, moved and differentiated."""

import runpy
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter, abbreviations

first = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("equation-of-motion.py"))))
symbols, spatial, SIZES = first.symbols, first.spatial, first.SIZES

chapter = Chapter(__file__)
chapter.units({r"\rho": "m", r"\zeta": "m", "k": "1"})

# ---- the crane ------------------------------------------------------------------------------------------------------

I, g = sp.symbols("I_1 g", positive=True)
more, (l_3, *m) = sp.Symbol("more", positive=True), sp.symbols("l_3 m_2 m_3", positive=True)
q, qd = symbols("q_1:4"), symbols("qdot_1:4")
turret = sp.rot_ccw_axis3(q[0])
out = lambda length, angle: sp.Matrix([length * sp.cos(angle), 0, length * sp.sin(angle)])
slopes = lambda f, x: sp.Matrix([f.diff(entry) for entry in x])
ELBOWS = [1, 2]  # open, and folded with a boom that is longer: then l_3 + l_2 c_3 is negative


@cache
def crane(elbow):
    """Return the bindings of the crane, its third angle counted from the stretched elbow or from the folded one."""
    l_2, bent = (sp.Symbol("l_2", positive=True), q[2]) if elbow == 1 else (l_3 + more, q[2] + sp.pi)
    boom = out(l_2, q[1])
    hand = boom + out(l_3, q[1] + bent)
    speeds = [(turret * place).jacobian(q) * qd for place in (boom, hand)]
    T = I * qd[0] ** 2 / 2 + sum(mass * v.dot(v) / 2 for mass, v in zip(m, speeds))
    U = g * sum(mass * place[2] for mass, place in zip(m, (boom, hand)))
    table = {
        "I_1": I,
        "g": g,
        "l_*": {2: l_2, 3: l_3}.get,
        "m_*": dict(zip((2, 3), m)).get,
        r"\rho": hand[0],
        r"\zeta": hand[2],
        r"\dot q_*": list(qd),
        r"\boldsymbol M": sp.hessian(T, list(qd)),
        r"\boldsymbol g": slopes(U, q),
        r"\boldsymbol h": slopes(T, qd).jacobian(q) * qd - slopes(T, q),
    }
    return Bindings(abbreviations([*q[:2], bent])).motion(q, qd).bind(table)


chapter.prove("eq-steps-crane-reach", crane, n=ELBOWS, by="the place of the hand in the plane of the boom")
by = "second derivatives of the kinetic energy of the turret and of two points that are moved"
chapter.prove("eq-steps-crane-mass", crane, n=ELBOWS, by=by)
chapter.prove("eq-steps-crane-gravity", crane, n=ELBOWS, by="derivatives of the height of two points")
by = "Lagrange's equation of the turret and of two points that are moved, by differentiation"
chapter.prove("eq-steps-crane-velocity", crane, n=ELBOWS, by=by)

# ---- slower ---------------------------------------------------------------------------------------------------------


def slower(n):
    """Return torques of a motion, and of the same motion k times as slowly, at the same place."""
    s, k = spatial(n), sp.Symbol("k", positive=True)
    return {
        "k": k,
        r"\boldsymbol\tau": s.torque,
        r"\boldsymbol\tau_k": rd.inverse_dynamics(s.arm, s.q, s.qd / k, s.qdd / k**2),
    }


chapter.units("joints")
chapter.units({r"\boldsymbol\tau_k": "J/u_i"})
chapter.bind(first.any_arm)
by = "the recursive Newton-Euler algorithm with rates and accelerations of the slower motion"
chapter.prove("eq-steps-slower", slower, n=[1, 2], by=by)
