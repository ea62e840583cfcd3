"""Proofs of "From link to link": one body as four particles, and what algorithms find for the arms of `equation-of-motion.py`."""

import runpy
from pathlib import Path
from types import SimpleNamespace

import sympy as sp

import robotdyn as rd
from eqproof import Chapter, measure

first = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("equation-of-motion.py"))))  # an earlier chapter
symbols, spatial, SIZES = first.symbols, first.spatial, first.SIZES

chapter = Chapter(__file__)
chapter.units({r"\boldsymbol s": "m", "J_*": "kg m^2", "N_*": "rad/u_i"})

# ---- one body, as four particles that float: six massless joints, then the particles on joints that are locked -------

chapter.units("joints")
m_k = sp.symbols("m_1:5", positive=True)
s_k = [symbols(f"s_{k}x s_{k}y s_{k}z") for k in range(1, 5)]
omega, v_O, r_P = symbols("omega_x omega_y omega_z"), symbols("v_x v_y v_z"), symbols("r_x r_y r_z")
still = [0] * 10


def floating(origin=(0, 0, 0), gravity=(0, 0, 0)):
    """Return the body as an arm that turns about a point and slides with it; at q = 0 its rates are (omega, v)."""
    joints = [rd.Link(0, joint=joint, axis=axis) for joint in ("revolute", "prismatic") for axis in sp.eye(3).tolist()]
    return rd.Arm([*joints, *(rd.Link(m, list(s - sp.Matrix(origin))) for m, s in zip(m_k, s_k))], gravity)


def about(point):
    """Return the mass matrix of the six joints, when the body turns about a point."""
    return rd.mass_matrix(floating(point), still)[:6, :6]


m = about((0, 0, 0))[3, 3]
hold_y, hold_z = (rd.gravity_torque(floating(gravity=a), still) for a in ((0, -1, 0), (0, 0, -1)))
c = sp.Matrix([hold_y[2], hold_z[0], -hold_y[0]]) / m
J_P = rd.point_jacobian(floating(), still, 5, list(r_P))[:, :6]
part = lambda i: int(i > 3)  # spatial vectors: the angular part first
chapter.units(
    {
        r"\boldsymbol I": lambda i, j: ("kg m^2", "kg m", "kg")[part(i) + part(j)],
        r"\boldsymbol I_{(O)}": lambda i, j: ("kg m^2", "kg m", "kg")[part(i) + part(j)],
        r"\boldsymbol I_{(P)}": lambda i, j: ("kg m^2", "kg m", "kg")[part(i) + part(j)],
        r"\boldsymbol X": lambda i, j: ("1/m", "1", "m")[1 + part(i) - part(j)],
    }
)
body = {
    "m": m,
    r"\boldsymbol c": c,
    "dm": measure([(mass, {r"\boldsymbol s": place}) for mass, place in zip(m_k, s_k)]),
    r"\boldsymbol\omega": omega,
    r"\boldsymbol v_O": v_O,
    r"\boldsymbol r": r_P,
    r"\boldsymbol I_O": about((0, 0, 0))[:3, :3],
    r"\boldsymbol I_c": about(c)[:3, :3],
    r"\boldsymbol I": about((0, 0, 0)),
    r"\boldsymbol I_{(O)}": about((0, 0, 0)),
    r"\boldsymbol I_{(P)}": about(r_P),
    r"\boldsymbol X": sp.Matrix.vstack(J_P[3:, :], J_P[:3, :]),
    "T": rd.kinetic_energy(floating(), still, [*omega, *v_O, 0, 0, 0, 0]),
}
by = "four particles on a ball joint: the torques that hold them in gravity, and the mass that a slider feels"
chapter.prove("eq-eom-first-moment", body, by=by)
by = "the library's mass matrices of four particles on ball joints in O and in the center of mass"
either = {r"[\boldsymbol c]_\times": "a cross matrix commutes with its transpose"}
chapter.prove("eq-eom-inertia-about-point", body, by=by, dead=either)
chapter.prove("eq-eom-moment-energy", body, by="the kinetic energy of four particles, one by one")
by = "the library's mass matrix of four particles on three revolute and three prismatic joints"
chapter.prove("eq-eom-spatial-inertia", body, by=by)
by = "mass matrices of four particles that turn and slide with O and with P; the library's Jacobian of P"
chapter.prove("eq-eom-shift-inertia", body, by=by)

# ---- arms in space --------------------------------------------------------------------------------------------------


def pulled(n):
    """Return the accelerations that the articulated-body algorithm finds for given torques."""
    s, torque = spatial(n), symbols(f"tau_1:{n + 1}")
    return {r"\boldsymbol\tau": torque, r"\ddot{\boldsymbol q}": rd.forward_dynamics(s.arm, s.q, s.qd, torque)}


def geared(n):
    """Return the mass matrix with rotors: from the energy of the links and of rotors that turn N_i times as fast."""
    s, ratio, moment = spatial(n), symbols(f"N_1:{n + 1}"), symbols(f"J_1:{n + 1}", positive=True)
    rotor = lambda J: rd.Arm(rd.Link(0, inertia=((J / 2, 0, 0), (0, J / 2, 0), (0, 0, J))))
    energy = s.T + sum(rd.kinetic_energy(rotor(J), [N * x], [N * v]) for J, N, x, v in zip(moment, ratio, s.q, s.qd))
    return {r"\bar{\boldsymbol M}": sp.hessian(energy, list(s.qd)), "N_*": ratio, "J_*": moment}


chapter.bind(first.any_arm)
chapter.prove("eq-eom-forward", pulled, n=SIZES, by="the articulated-body algorithm")
by = "second derivatives of the kinetic energy of the links and of rotors that turn N_i times as fast"
chapter.prove("eq-eom-motors", geared, each="i", n=SIZES, by=by)
