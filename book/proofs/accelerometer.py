"""Proofs of "What an accelerometer feels": a proof mass on three springs, and places that move."""

import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter

chapter = Chapter(__file__)
g, m, I_O, l_c = sp.symbols("g m I_O l_c", positive=True)
r = sp.Symbol("r", real=True)


def symbols(names):
    """Return a column of real symbols."""
    return sp.Matrix(sp.symbols(names, real=True))


chapter.units(
    {
        **dict.fromkeys((r"\boldsymbol a_s", r"\ddot{\boldsymbol p}", r"\boldsymbol a_P", r"\boldsymbol a_O"), "m/s^2"),
        **dict.fromkeys(("a_{sx}", "a_{sy}", "a_{sz}"), "m/s^2"),
        **dict.fromkeys((r"\alpha", r"\beta", r"\theta_a"), "rad"),
        r"\boldsymbol u": "1",
        r"\boldsymbol r": "m",
        "r": "m",
        "r_0": "m",
        "l_c": "m",
    }
)

# ---- a proof mass, held in its case by three springs -------------------------------------------------------------------

q, qd, qdd = (symbols(f"{x}_1:3") for x in ("q", "v", "a"))
fall, elbow, place = symbols("g_1:4"), symbols("e_1:4"), symbols("s_1:4")
hinges = [rd.Link(0, axis=(0, 0, 1)), rd.Link(0, axis=(1, 0, 0), position=elbow)]
springs = [rd.Link(0, joint="prismatic", axis=(1, 0, 0), position=place), rd.Link(0, joint="prismatic", axis=(0, 1, 0))]
springs.append(rd.Link(m, joint="prismatic", axis=(0, 0, 1)))
case = rd.Arm(hinges, gravity=fall, tip=place)
with_mass = rd.Arm([*hinges, *springs], gravity=fall)
held = [sp.Matrix([*x, 0, 0, 0]) for x in (q, qd, qdd)]
letters = {
    r"\boldsymbol p": rd.point_position(case, q),
    r"\boldsymbol R": sp.Matrix(rd.link_poses(case, q)[0][1]),
    r"\boldsymbol a_g": fall,
    r"\boldsymbol a_s": sp.Matrix(rd.inverse_dynamics(with_mass, *held))[2:, :] / m,
}
by = "the forces of three springs that hold a proof mass in a case on two links, by inverse dynamics"
chapter.prove("eq-accel-specific", Bindings(letters).motion(q, qd, qdd), by=by)

# ---- tilt, and up in the axes of the sensor ------------------------------------------------------------------------------

angles, spins, pushes = (symbols(f"{x}_1:4") for x in ("roll", "w", "d"))
alpha, beta, gamma = angles
R = sp.rot_ccw_axis3(gamma) * sp.rot_ccw_axis2(beta) * sp.rot_ccw_axis1(alpha)
up = R.T * sp.Matrix([0, 0, 1])


def at_rest(pitch):
    """Return the letters of a sensor that rests at some pitch."""
    resting = up.subs(beta, pitch)
    readings = {f"a_{{s{axis}}}": g * entry for axis, entry in zip("xyz", resting)}
    return readings | {r"\alpha": alpha, r"\beta": pitch, r"\boldsymbol u": resting}


by = "up in the axes of a sensor that is turned by roll, pitch and yaw"
chapter.prove("eq-accel-up", at_rest(beta), by=by)
chapter.prove("eq-accel-roll", at_rest(beta), by=by)
below_upright = sp.atan(sp.Symbol("slope", real=True))  # a pitch between -90 and 90 degrees
chapter.prove("eq-accel-pitch", at_rest(below_upright), by=by)

# ---- lever arms ----------------------------------------------------------------------------------------------------------


def rate(x, q, qd, qdd):
    """Return the derivative by time."""
    return x.jacobian(q) * qd + x.jacobian(qd) * qdd


motion = (sp.Matrix([*angles, *symbols("p_1:4")]), sp.Matrix([*spins, *symbols("u_1:4")]))
motion = (*motion, sp.Matrix([*pushes, *symbols("c_1:4")]))
O, offset = sp.Matrix(motion[0][3:]), symbols("r_1:4")
R_dot = sum((R.diff(x) * v for x, v in zip(angles, spins)), sp.zeros(3))
accelerated = lambda x: R.T * rate(rate(x, *motion), *motion)
turning = Bindings(
    {
        r"\boldsymbol\omega": rd.rotations.rate_in_body(R, R_dot),
        r"\boldsymbol r": offset,
        r"\boldsymbol a_O": accelerated(O),
        r"\boldsymbol a_P": accelerated(O + R * offset),
    }
).motion(*motion)
chapter.prove("eq-accel-lever", turning, by="the second derivatives of two places of a body that moves in any way")

# ---- an arm that swings --------------------------------------------------------------------------------------------------

theta, speed, push = sp.symbols("theta w a", real=True)
pendulum = rd.Arm([rd.Link(m, (l_c, 0, 0), sp.diag(0, 0, I_O - m * l_c**2))], gravity=(0, -g, 0))
free = rd.forward_dynamics(pendulum, [theta - sp.pi / 2], [speed], [0])[0]


def swings(push):
    """Return the letters of a pendulum with the angular acceleration `push`."""
    state = ([x] for x in (theta - sp.pi / 2, speed, push))
    a_x, a_y, _ = rd.sensors.accelerometer(pendulum, *state, 0, (r, 0, 0))
    rhythm = -free.diff(theta).subs(theta, 0)  # the square of the frequency of small swings
    letters = {"a_{sx}": a_x, "a_{sy}": a_y, r"\theta": theta, r"\theta_a": sp.atan2(a_y, -a_x)}
    sizes = {"g": g, "r": r, "m": m, "I_O": I_O, "l_c": l_c, "r_0": g / rhythm}
    return Bindings(letters | sizes).motion([theta], [speed], [push])


by = "the library's accelerometer on a pendulum, whose reading the springs of a proof mass confirm"
chapter.prove("eq-accel-swing", swings(push), by=by)
chapter.prove("eq-accel-naive", swings(push), by="the direction of that reading")
chapter.prove("eq-accel-oscillation", swings(free), by="that reading while no torque acts at the hinge")
chapter.prove(
    "eq-accel-center", swings(free), by="the length of a string on which a point swings in the rhythm of the arm"
)
