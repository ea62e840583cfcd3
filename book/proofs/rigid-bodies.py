"""Proofs of "Rigid bodies": each equation against four particles, moved by a rotation and a position, one by one.

The particles know Newton's law alone; the inertia of the body that they form is the library's.
"""

import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter, measure

chapter = Chapter(__file__)
by_particles = "four particles that move with a rotation and a position, one by one"


def symbols(names):
    """Return a column of real symbols."""
    return sp.Matrix(sp.symbols(names, real=True))


# ---- a body of four particles that moves in any way -------------------------------------------------------------------

q, qd, qdd = (symbols(f"{x}_1:7") for x in ("q", "v", "a"))  # three angles and a position
place, place_rate = symbols("b_1:4"), symbols("u_1:4")  # a vector that the rider sees move
masses = sp.symbols("m_1:5", positive=True)
spots = [symbols(f"s_{k}x s_{k}y s_{k}z") for k in range(1, 5)]
body = rd.bodies.points(masses, [list(spot) for spot in spots])
R = sp.rot_ccw_axis3(q[0]) * sp.rot_ccw_axis2(q[1]) * sp.rot_ccw_axis1(q[2])
position = sp.Matrix(q[3:])


def rate(x):
    """Return the derivative by time."""
    return x.jacobian(q) * qd + x.jacobian(qd) * qdd


def turn_rate(S):
    """Return the derivative by time of a matrix that depends on q alone."""
    return sum((S.diff(x) * v for x, v in zip(q, qd)), sp.zeros(*S.shape))


omega = rd.rotations.rate_in_body(R, turn_rate(R))
v_O, a_O = (R.T * x for x in (rate(position), rate(rate(position))))
speeds = [R.T * rate(position + R * spot) for spot in spots]
pulls = [mass * R.T * rate(rate(position + R * spot)) for mass, spot in zip(masses, spots)]
total = lambda terms: sum(terms, sp.zeros(3, 1))
P = total(mass * v for mass, v in zip(masses, speeds))
L_O = total(mass * spot.cross(v) for mass, spot, v in zip(masses, spots, speeds))
flying = Bindings(
    {
        "t": sp.Symbol("t"),
        "m": body.mass,
        r"\boldsymbol c": body.com,
        r"\boldsymbol I_O": body.about(),
        r"\boldsymbol R": R,
        r"\boldsymbol b": place,
        r"\boldsymbol\omega": omega,
        r"\boldsymbol v_O": v_O,
        r"\boldsymbol a_O": a_O,
        r"\boldsymbol P": P,
        r"\boldsymbol L_O": L_O,
        r"\boldsymbol f": total(pulls),
        r"\boldsymbol n_O": total(spot.cross(pull) for spot, pull in zip(spots, pulls)),
    }
).motion([*q, *place], [*qd, *place_rate], [*qdd, 0, 0, 0])
point = flying.copy().bind({r"\boldsymbol s": spots[0], r"\boldsymbol v": speeds[0]})
linear = lambda i: i <= 3
chapter.units(
    {
        r"\boldsymbol s": "m",
        r"\boldsymbol b": "m",
        r"\boldsymbol d": "m",
        r"\boldsymbol P": "kg m/s",
        r"\boldsymbol L_O": "kg m^2/s",
        r"\boldsymbol L": "kg m^2/s",
        r"\boldsymbol a_O": "m/s^2",
        r"\boldsymbol n": "N m",
        "n": "N m",
        r"\boldsymbol n_O": "N m",
        r"\alpha": "rad",
        **dict.fromkeys(
            (r"\boldsymbol M_O", r"\boldsymbol M_P"),
            lambda i, j: ("kg", "kg m", "kg m^2")[(not linear(i)) + (not linear(j))],
        ),
        r"\boldsymbol D": lambda i, j: ("1/m", "1", "m")[1 + linear(j) - linear(i)],
    }
)
chapter.prove("eq-rigid-point", point, by="the derivative of the place of a particle")
chapter.prove("eq-rigid-transport", flying, by="the derivative of the rotated vector, component by component")
chapter.prove("eq-rigid-momentum", flying, by=by_particles)
chapter.prove("eq-rigid-angular-momentum", flying, by=by_particles)
chapter.prove("eq-rigid-mass-matrix", flying, by=by_particles)
chapter.prove("eq-rigid-newton", flying, by=by_particles)
chapter.prove("eq-rigid-euler-about", flying, by=by_particles)

# ---- the ten numbers ------------------------------------------------------------------------------------------------

w, v, d, c = symbols("omega_1:4"), symbols("v_x v_y v_z"), symbols("d_x d_y d_z"), body.com


def mass_matrix(origin=(0, 0, 0), about=(0, 0, 0)):
    """Return the second derivatives of the energy of the particles, by the velocity of a point and by w."""
    at_origin = v - w.cross(sp.Matrix(about))
    moving = [at_origin + w.cross(spot - sp.Matrix(origin)) for spot in spots]
    return sp.hessian(sum(mass * u.dot(u) / 2 for mass, u in zip(masses, moving)), [*v, *w])


by_energy = "the second derivatives of the energy of four particles, by the velocities"
cloud = {
    "dm": measure([(mass, {r"\boldsymbol s": spot}) for mass, spot in zip(masses, spots)]),
    r"\boldsymbol I_O": mass_matrix()[3:, 3:],
    "I_*": [mass_matrix()[3 + i, 3 + i] for i in range(3)],
}
chapter.prove("eq-rigid-inertia", cloud, by=by_energy)
chapter.prove("eq-rigid-triangle", cloud, by=by_energy)
f, n = symbols("f_1:4"), symbols("n_1:4")
there = sp.Matrix([*f, *(n - d.cross(f))])
shifted = {
    r"\boldsymbol d": d,
    r"\boldsymbol D": there.jacobian([*f, *n]),
    r"\boldsymbol M_O": mass_matrix(),
    r"\boldsymbol M_P": mass_matrix(about=d),
}
chapter.prove("eq-rigid-shift", shifted, by=by_energy)
chapter.prove("eq-rigid-shift-matrix", shifted, by="a force and its moment, about a point at d")

m, x, y, z = sp.symbols("m x y z", positive=True)
edges = sp.symbols("l_1:4", positive=True)
inside = [(s, -edge / 2, edge / 2) for s, edge in zip((x, y, z), edges)]
spot = sp.Matrix([x, y, z])
element = (spot.dot(spot) * sp.eye(3) - spot * spot.T) * m / sp.prod(edges)
brick = {"m": m, "l_*": edges, r"\boldsymbol I_c": element.applyfunc(lambda entry: sp.integrate(entry, *inside))}
chapter.prove("eq-rigid-box", brick, by="the integral over the box")

inner = sp.Matrix(body.inertia)
arrows = [R * (spot - sp.Matrix(c)) for spot in spots]
energy = sum(mass * w.cross(arrow).dot(w.cross(arrow)) / 2 for mass, arrow in zip(masses, arrows))
turned = {r"\boldsymbol R": R, r"\boldsymbol I_c": inner, r"\boldsymbol I_0": sp.hessian(energy, w)}
chapter.prove("eq-rigid-turned", turned, by="the energy of the particles, turned, for a unit of angular velocity")

# ---- Euler's equation -------------------------------------------------------------------------------------------------

moments = sp.symbols("I_1:4", positive=True)
I_c = sp.Matrix(3, 3, lambda i, j: sp.Symbol(f"I_{min(i, j)}{max(i, j)}", real=True))
turning = lambda inertia: {
    "m": m,
    "I_*": moments,
    r"\boldsymbol I_c": inertia,
    r"\boldsymbol\omega": omega,
    r"\boldsymbol n": R.T * rate(R * inertia * omega),
}
by_rate = "the derivative of the angular momentum in base axes"
for name, inertia in (("euler", I_c), ("euler-rows", sp.diag(*moments))):
    chapter.prove(f"eq-rigid-{name}", Bindings(turning(inertia)).motion(q[:3], qd[:3], qdd[:3]), by=by_rate)

l, rho = sp.symbols("l rho", positive=True)
alpha, spin = sp.symbols("alpha omega", real=True)
along = sp.Matrix([sp.sin(alpha), 0, sp.cos(alpha)])
axle = sp.Matrix([0, 0, spin])
pull = along.cross(axle.cross(axle.cross(along))) * rho**2  # of a unit of mass at rho
bearing = -sp.integrate(pull[1], (rho, -l / 2, l / 2)) * m / l
rod = {"m": m, "l": l, r"\alpha": alpha, r"\omega": spin, "n": bearing}
chapter.prove("eq-rigid-rotor", rod, by="the forces on the elements of the rod, which go in circles")
