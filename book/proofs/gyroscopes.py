"""Proofs of "Gyroscopes and filters": up in axes that turn, and sums of errors of which a filter forgets the older."""

import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter

chapter = Chapter(__file__)
chapter.units(
    {
        **dict.fromkeys((r"\theta_a", r"\hat\theta", "e", "e_a", "A", "A_a", r"\sigma"), "rad"),
        r"\boldsymbol u": "1",
        "b": "rad/s",
        "T_c": "s",
        "S_a": "m^2/s^3",
        r"S_\omega": "rad^2/s",
    }
)

# ---- up, in axes that turn -----------------------------------------------------------------------------------------------

angles, spins = (sp.Matrix(sp.symbols(f"{x}_1:4", real=True)) for x in ("q", "w"))
R = sp.rot_ccw_axis3(angles[0]) * sp.rot_ccw_axis2(angles[1]) * sp.rot_ccw_axis1(angles[2])
R_dot = sum((R.diff(x) * v for x, v in zip(angles, spins)), sp.zeros(3))
turning = {r"\boldsymbol\omega": rd.rotations.rate_in_body(R, R_dot), r"\boldsymbol u": R.T * sp.Matrix([0, 0, 1])}
by = "the derivative of up in the axes of a body that turns in any way"
chapter.prove("eq-gyro-turning", Bindings(turning).motion(angles, spins), by=by)

# ---- the filter ----------------------------------------------------------------------------------------------------------

theta, speed, b = sp.symbols("theta speed b", real=True)
g, T_c, A_a, Omega, s, S_a, S_w = sp.symbols("g T_c A_a Omega s S_a S_w", positive=True)
e, e_a = sp.symbols("e e_a", real=True)
rate_of_filter = lambda omega_s, theta_a, estimate: omega_s + (theta_a - estimate) / T_c
fusing = {"T_c": T_c, "b": b, "e_a": e_a, r"\omega_s": speed + b, r"\theta_a": theta + e_a, r"\hat\theta": theta + e}
error_rate = sp.expand(rate_of_filter(speed + b, theta + e_a, theta + e) - speed)
fused = Bindings(fusing | {"e": e, r"\theta": theta}).motion([theta, e], [speed, error_rate])
high, low, omega_s, theta_a = sp.symbols("high low omega_s theta_a", real=True)
both = {"T_c": T_c, r"\omega_s": omega_s, r"\theta_a": theta_a, r"\hat\theta": high + low}
both = Bindings(both).motion([high, low], [omega_s - high / T_c, (theta_a - low) / T_c])
by = "the sum of a high-pass of the integral of the gyroscope and a low-pass of the tilt"
chapter.prove("eq-gyro-filter", both, by=by)
chapter.prove("eq-gyro-error", fused, by="the equation of the filter for readings with errors, less the true rate")

kick = sp.exp(-s / T_c)  # what is left, a time s later, of a unit by which the estimate was once off
ever = (s, 0, sp.oo)
passed = sp.integrate(kick / T_c * sp.exp(-sp.I * Omega * s), ever)
forgotten = {
    "b": b,
    "T_c": T_c,
    "g": g,
    "e": sp.integrate(b * kick, ever),
    r"\Omega": Omega,
    "A_a": A_a,
    "A": A_a * sp.sqrt(sp.re(passed) ** 2 + sp.im(passed) ** 2),
    r"S_\omega": S_w,
    "S_a": S_a,
    r"\sigma": sp.sqrt(sp.integrate(S_w * kick**2 + S_a * (kick / (g * T_c)) ** 2, ever)),
}
by = "the sum of what is left of all earlier errors"
for name in ("steady", "gain", "noise"):
    chapter.prove(f"eq-gyro-{name}", forgotten, by=by)
variance = forgotten[r"\sigma"] ** 2
best = {"g": g, "S_a": S_a, r"S_\omega": S_w, "T_c": sp.solve(variance.diff(T_c), T_c)[0]}
chapter.prove("eq-gyro-best", best, by="the zero of the derivative of the variance")
