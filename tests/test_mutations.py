"""Plant a bug in the text of an algorithm, and see that the laws of physics catch it: the laws are not blind."""

import importlib.util
import inspect
import sys

import arms
import numpy as np
import pytest
from arms import arm_and_state

import robotdyn as rd
from robotdyn import laws as relations
from robotdyn.dynamics import kinematics, planar, recursive

# (module, what is written, what a slip of the pen would write)
BUGS = [
    (recursive, "cross_motion(v) @ S[i] * qd[i]\n        f.append", "0 * S[i]\n        f.append"),
    (recursive, "f.append(I[i] @ a + cross_force(v) @ (I[i] @ v))", "f.append(I[i] @ a - cross_force(v) @ (I[i] @ v))"),
    (recursive, "f.append(I[i] @ a + cross_force(v) @ (I[i] @ v))", "f.append(I[i] @ a + cross_motion(v) @ (I[i] @ v))"),
    (recursive, "f.append(I[i] @ a + cross_force(v) @ (I[i] @ v))", "f.append(I[i] @ a)"),
    (recursive, "-xp.array(arm.gravity)]), []", "xp.array(arm.gravity)]), []"),
    (recursive, "f[i - 1] = f[i - 1] + X[i].T @ f[i]", "f[i - 1] = f[i - 1] + X[i] @ f[i]"),
    (recursive, "f[i - 1] = f[i - 1] + X[i].T @ f[i]", "f[i - 1] = f[i - 1] - X[i].T @ f[i]"),
    (recursive, "f[-1] = f[-1] - _force_at_tip", "f[-1] = f[-1] + _force_at_tip"),
    (recursive, "f = X[k + 1].T @ f\n", "f = X[k].T @ f\n"),
    (recursive, "M[i][k] = M[k][i] = S[k] @ f", "M[i][k] = M[k][i] = S[i] @ f"),
    (recursive, "I[i - 1] = I[i - 1] + I[i].carried_back(X[i])\n    return xp.stack([xp.stack(row) for row in M])",
     "I[i - 1] = I[i - 1] + I[i]\n    return xp.stack([xp.stack(row) for row in M])"),
    (recursive, "symmetric(X[i].T @ I_a @ X[i])", "symmetric(X[i].T @ I_a)"),
    (recursive, "I_a = I[i] - U[i][:, None] * U[i][None, :] / D[i]", "I_a = I[i]"),
    (recursive, "p_a = p[i] + I_a @ c[i] +", "p_a = p[i] +"),
    (recursive, "U[i] * (u[i] / D[i])", "U[i] * u[i]"),
    (recursive, "u[i] = tau[i] - S[i] @ p[i]", "u[i] = tau[i] + S[i] @ p[i]"),
    (recursive, "a = X[i] @ a + c[i]", "a = X[i] @ a"),
    (recursive, "B.append((cross_force(v) @ I[i] + _cross_bar(I[i] @ v) - I[i] @ cross_motion(v)) / 2)",
     "B.append(cross_force(v) @ I[i] - I[i] @ cross_motion(v) / 2)"),
    (recursive, "C[i][k] = S_dot[k] @ f + S[k] @ f_back", "C[i][k] = S[k] @ f_back"),
    (recursive, "C[i][k] = S_dot[k] @ f + S[k] @ f_back", "C[i][k] = S[k] @ f_dot"),
    (recursive, "moment + skew(xp.array(arm.tip)) @ force", "moment"),
    (recursive, "R[-1].T @ tip_wrench[:3]", "R[-1] @ tip_wrench[:3]"),
    (kinematics, "[v + cross(omega, p - o[k]), omega]", "[v + cross(p - o[k], omega), omega]"),
    (kinematics, "[v + cross(omega, p - o[k]), omega]", "[cross(omega, p - o[k]), omega]"),
    (kinematics, "if k > link:", "if k >= link:"),
    (planar, "M = A * cos + B * sin + spin", "M = A * cos - B * sin + spin"),
    (planar, "C = A * sin - B * cos", "C = A * cos - B * sin"),
    (planar, "turn = q[:, None] - q[None, :]", "turn = q[:, None] + q[None, :]"),
    (planar, "d[k] if k < j", "d[k] if k <= j and k < n - 1"),
    (planar, "gx * (weight[0] * s + weight[1] * c) - gy * (weight[0] * c - weight[1] * s)",
     "gx * (weight[0] * s + weight[1] * c) - gy * (weight[0] * c + weight[1] * s)"),
]  # fmt: skip


def violation(recursive, kinematics, planar):
    """Return the largest violation of any law by the algorithms of three modules, over a few arms."""
    worst = max(arms.violation(*arm_and_state(mix), recursive, kinematics) for mix in ("rr", "rpr", "prrp", "rsr"))
    rng = np.random.default_rng(7)
    arm = rd.robots.planar(*rng.uniform(0.5, 1.5, size=(2, 3)), rng.normal(size=(3, 2)), rng.uniform(0.1, 1, 3))
    q, qd, qdd = rng.normal(size=(3, 3))

    def torque(arm, q, qd, qdd):  # the torques of the planar equations, in relative angles
        absolute = [planar.L(3) @ x for x in (q, qd, qdd)]
        return planar.L(3).T @ planar.inverse_dynamics(arm, *absolute)

    mass = planar.relative(arm, q)[0]
    return max(
        worst,
        relations.power_balance(torque, arm, q, qd, qdd),
        relations.energy_of_motion(lambda arm, q: mass, arm, q, qd),
        relations.gravity_is_gradient(lambda arm, q: torque(arm, q, 0 * q, 0 * q), arm, q),
        relations.symmetry(lambda arm, q: mass, arm, q),
    )


def with_bug(module, written, slip):
    """Return a copy of a module with one piece of its text replaced."""
    source = inspect.getsource(module)
    assert source.count(written) >= 1, f"{module.__name__} does not hold {written!r}: renew the list of bugs"
    spec = importlib.util.spec_from_loader(f"bugged_{module.__name__.split('.')[-1]}", loader=None)
    copy = importlib.util.module_from_spec(spec)
    copy.__file__ = module.__file__
    sys.modules[spec.name] = copy
    exec(compile(source.replace(written, slip), module.__file__, "exec"), copy.__dict__)
    return copy


def test_the_library_as_written_breaks_no_law():
    """With no bug planted all laws hold, so that what the next test sees is the bug."""
    assert violation(recursive, kinematics, planar) < relations.LOOSE


@pytest.mark.parametrize(("module", "written", "slip"), BUGS, ids=range(len(BUGS)))
def test_planted_bug_is_caught(module, written, slip):
    """At least one law is broken by far more than rounding."""
    modules = {"recursive": recursive, "kinematics": kinematics, "planar": planar}
    modules[module.__name__.split(".")[-1]] = with_bug(module, written, slip)
    try:
        caught = violation(**modules)
    except (ValueError, IndexError):  # the bug makes the arm impossible: seen as well
        caught = np.inf
    assert not caught < 1e-3
