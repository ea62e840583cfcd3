"""Proofs of "Tops and tumbling wrenches": angular momenta that are carried around, and the library's free body."""

import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter

chapter = Chapter(__file__)
chapter.units({"n": "N m", r"\boldsymbol L": "kg m^2/s", "L_*": "kg m^2/s", r"\lambda": "1/s"})
chapter.units({r"\varphi": "rad", r"\boldsymbol\varphi": "rad"})
m, l, g = sp.symbols("m l g", positive=True)
theta, Omega, spin = sp.symbols("theta Omega omega", real=True)
moments = sp.symbols("I_1:4", positive=True)

# ---- the top ----------------------------------------------------------------------------------------------------------

t = sp.Symbol("t")
upright = sp.rot_ccw_axis3(Omega * t) * sp.rot_ccw_axis2(theta)
L = upright * sp.Matrix([-moments[0] * Omega * sp.sin(theta), 0, moments[2] * spin])
effort = L.diff(t).subs(t, 0)[1]
gyroscope = {
    "l": l,
    "g": g,
    "I_1": moments[0],
    "I_3": moments[2],
    r"\Omega": Omega,
    r"\theta": theta,
    r"\omega_3": spin,
    "n": effort,
    "m": effort / (g * l * sp.sin(theta)),
}
by = "the derivative of the angular momentum, carried around the vertical"
chapter.prove("eq-rigid-steady", gyroscope, by=by)
by = "the mass whose weight has the moment that the steady motion takes"
chapter.prove("eq-rigid-precession", gyroscope, by=by)

# ---- the tumbling body ------------------------------------------------------------------------------------------------

w = sp.Matrix(sp.symbols("omega_1:4", real=True))
free = rd.Body(m, (0, 0, 0), sp.diag(*moments))
w_dot = rd.rigid_body.acceleration(free, w, (0, 0, 0), (0, 0, 0))[3:, :]
tumbling = Bindings(
    {
        "t": t,
        "I_*": moments,
        r"\boldsymbol L": rd.rigid_body.momentum(free, w)[3:, :],
        "T": rd.rigid_body.kinetic_energy(free, w),
    }
).motion(w, w_dot)
chapter.prove("eq-rigid-sphere", tumbling, by="the library's acceleration of a free body")
chapter.prove("eq-rigid-ellipsoid", tumbling, by="the library's kinetic energy")


def growing(axis):
    """Return the bindings of a spin about axis 2; axis: that of the largest moment, 3 or 1."""
    ordered = [moments[0], sum(moments[:2]), sum(moments)][:: axis - 2]
    about = w_dot.jacobian(w).subs({w[0]: 0, w[1]: spin, w[2]: 0})
    slopes = about.subs(dict(zip(moments, ordered)), simultaneous=True)
    return {"I_*": ordered, r"\omega": spin, r"\lambda": sp.sqrt(slopes[0, 2] * slopes[2, 0])}


by = "the library's acceleration of a free body, linearized about the middle axis"
chapter.prove("eq-rigid-growth", growing, n=[3, 1], by=by)

angle, a, b = sp.symbols("varphi a b", real=True)
axis = sp.Matrix([2 * a, 2 * b, 1 - a**2 - b**2]) / (1 + a**2 + b**2)
half = [sp.cos(angle / 2), *(sp.sin(angle / 2) * axis)]
turn = {
    r"\varphi": angle,
    r"\boldsymbol\varphi": angle * axis,
    r"\boldsymbol R": rd.rotations.from_quaternion(sp.Matrix(half)),
}
chapter.prove("eq-rigid-rodrigues", turn, by="the rotation of the quaternion of half the angle")
