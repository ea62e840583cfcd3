"""Invariants of mechanics:  each takes the function under test and returns by how much it violates the invariant.

A result is relative to the size of the terms that should balance: rounding gives about 1e-15, a mistake 1e-2 and more,
NaN or a wrong shape infinity.  The independent side of an invariant is a definition (an energy, a position), never the
algorithm under test.  Its derivatives are exact, by `rd.trace`; a function that cannot be traced is differentiated by
a difference quotient, good to 1e-8.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.codegen.program import Program
from robotdyn.codegen.trace import trace
from robotdyn.dynamics.energy import kinetic_energy, potential_energy
from robotdyn.dynamics.kinematics import point_position, tip_jacobian
from robotdyn.maths.completion import offer_public_names
from robotdyn.maths.validate import Floats
from robotdyn.model.arm import Arm

__all__ = [
    "acceleration_is_derivative",
    "coriolis_product",
    "definiteness",
    "energy_follows_work",
    "energy_is_kept",
    "energy_of_motion",
    "equation_of_motion",
    "gravity_is_gradient",
    "inverse_of_forward",
    "jacobian_is_derivative",
    "largest_difference",
    "linearization_is_jacobian",
    "power_balance",
    "skew_symmetry",
    "slope",
    "symmetry",
    "velocity_torque",
    "wrench_does_virtual_work",
]
offer_public_names(__name__)

Vector: TypeAlias = Floats  # q, qd, qdd or tau (n,)
Algorithm: TypeAlias = Callable[..., Any]  # under test: called like the function that its argument is named after
TIGHT: float = 1e-10  # for invariants that hold up to rounding
LOOSE: float = 1e-6  # for invariants of a function that must be differentiated by difference quotients


# where: add an invariant that algorithms are tested by
# a function, yielded in `violations` of `tests/arms.py`, which tries it on every mix of joints and every planted bug,
# and in `judged` of `tests/test_relations.py`, so that NaN breaks it


def symmetry(mass_matrix: Algorithm, arm: Arm, q: Vector) -> float:
    """M(q) is symmetric."""
    M = _with_shape(mass_matrix(arm, q), arm.n, arm.n)
    return _relative_error(M, M.T)


def definiteness(mass_matrix: Algorithm, arm: Arm, q: Vector) -> float:
    """M(q) is positive semidefinite: a motion never has negative kinetic energy."""
    M = _with_shape(mass_matrix(arm, q), arm.n, arm.n)
    if not np.isfinite(M).all():
        return float("inf")
    values = np.linalg.eigvalsh((M + M.T) / 2)
    return max(0.0, -values[0] / max(abs(values).max(), 1e-300))


def energy_of_motion(mass_matrix: Algorithm, arm: Arm, q: Vector, qd: Vector) -> float:
    """1/2 qd . M(q) qd is the kinetic energy, summed over the bodies."""
    return _relative_error(qd @ _with_shape(mass_matrix(arm, q), arm.n, arm.n) @ qd / 2, kinetic_energy(arm, q, qd))


def gravity_is_gradient(gravity_torque: Algorithm, arm: Arm, q: Vector) -> float:
    """g(q) is the gradient of the potential energy."""
    return _relative_error(gravity_torque(arm, q), _floats(_definition(potential_energy, arm).gradient("q")(q)))


def power_balance(inverse_dynamics: Algorithm, arm: Arm, q: Vector, qd: Vector, qdd: Vector) -> float:
    """d(T + U)/dt equals tau . qd along any motion."""
    tau = _with_shape(inverse_dynamics(arm, q, qd, qdd), arm.n)
    T = _definition(kinetic_energy, arm)
    U = _definition(potential_energy, arm)
    rate = _floats([T.gradient("q")(q, qd) @ qd, T.gradient("qd")(q, qd) @ qdd, U.gradient("q")(q) @ qd])
    energies = abs(T(q, qd)) + abs(U(q))  # beside these a rate is rounding, where nothing moves yet
    return _relative_error(rate.sum(), tau @ qd, abs(rate).sum() + abs(tau * qd).sum() + energies)


def skew_symmetry(coriolis_matrix: Algorithm, mass_matrix: Algorithm, arm: Arm, q: Vector, qd: Vector) -> float:
    """dM/dt - 2 C is skew, for the Christoffel choice of C."""
    N = _derivative(mass_matrix, arm, q) @ qd - 2 * _with_shape(coriolis_matrix(arm, q, qd), arm.n, arm.n)
    return _relative_error(N, -N.T, mass_matrix(arm, q) * abs(qd).max())


def velocity_torque(bias_torque: Algorithm, mass_matrix: Algorithm, arm: Arm, q: Vector, qd: Vector) -> float:
    """The velocity terms of the torque follow from M alone: sum of (dM_kj/dq_i - 1/2 dM_ij/dq_k) qd_i qd_j."""
    dM = _derivative(mass_matrix, arm, q)  # dM[i, j, k] = dM_ij / dq_k
    expected = np.einsum("kji,i,j->k", dM, qd, qd) - np.einsum("ijk,i,j->k", dM, qd, qd) / 2
    found = bias_torque(arm, q, qd) - bias_torque(arm, q, 0 * qd)
    return _relative_error(found, expected, mass_matrix(arm, q) * abs(qd).max() ** 2)


def coriolis_product(coriolis_matrix: Algorithm, inverse_dynamics: Algorithm, arm: Arm, q: Vector, qd: Vector) -> float:
    """C(q, qd) qd is the part of the torque that grows with the square of the speed."""
    moving = inverse_dynamics(arm, q, qd, 0 * q)
    resting = inverse_dynamics(arm, q, 0 * q, 0 * q)
    return _relative_error(_with_shape(coriolis_matrix(arm, q, qd), arm.n, arm.n) @ qd, moving - resting, moving)


def inverse_of_forward(
    forward_dynamics: Algorithm, inverse_dynamics: Algorithm, arm: Arm, q: Vector, qd: Vector, tau: Vector
) -> float:
    """The torque of the acceleration of a torque is that torque."""
    qdd = _with_shape(forward_dynamics(arm, q, qd, tau), arm.n)
    return _relative_error(inverse_dynamics(arm, q, qd, qdd), tau) if np.isfinite(qdd).all() else float("inf")


def equation_of_motion(
    mass_matrix: Algorithm,
    bias_torque: Algorithm,
    inverse_dynamics: Algorithm,
    arm: Arm,
    q: Vector,
    qd: Vector,
    qdd: Vector,
) -> float:
    """tau = M qdd + C qd + g."""
    M = _with_shape(mass_matrix(arm, q), arm.n, arm.n)
    return _relative_error(M @ qdd + bias_torque(arm, q, qd), inverse_dynamics(arm, q, qd, qdd))


def jacobian_is_derivative(jacobian: Algorithm, arm: Arm, q: Vector, qd: Vector) -> float:
    """The linear rows of J qd are the velocity of the tip."""
    velocity = _floats(_definition(point_position, arm).along("q")(q, qd))
    return _relative_error((_with_shape(jacobian(arm, q), 6, arm.n) @ qd)[:3], velocity)


def acceleration_is_derivative(acceleration: Algorithm, arm: Arm, q: Vector, qd: Vector, qdd: Vector) -> float:
    """The acceleration of the tip and of its turning is the rate of J qd:  J qdd + Jdot qd."""
    J_dot = _floats(_definition(tip_jacobian, arm).along("q")(q, qd))
    return _relative_error(_with_shape(acceleration(arm, q, qd, qdd), 6), tip_jacobian(arm, q) @ qdd + J_dot @ qd)


def wrench_does_virtual_work(
    inverse_dynamics: Algorithm, arm: Arm, q: Vector, qd: Vector, qdd: Vector, wrench: Vector
) -> float:
    """A tip wrench w on the robot takes the load J^T w off the joints."""
    free = inverse_dynamics(arm, q, qd, qdd)
    pushed = inverse_dynamics(arm, q, qd, qdd, wrench)
    return _relative_error(free - pushed, tip_jacobian(arm, q).T @ wrench, free)


def energy_is_kept(trajectory: Any, arm: Arm) -> float:
    """T + U stays the same along a motion with no torque and no friction."""
    total = kinetic_energy(arm, trajectory.q, trajectory.qd) + potential_energy(arm, trajectory.q)
    size = abs(kinetic_energy(arm, trajectory.q, trajectory.qd)).max()
    return float(abs(total - total[0]).max() / (size + 1e-300))


def energy_follows_work(trajectory: Any, arm: Arm) -> float:
    """T + U grows by the work of the torques, along any motion that is finely sampled."""
    size = abs(trajectory.energy(arm)[0]).max() + abs(trajectory.work()).max()
    return float(abs(trajectory.energy_error(arm)).max() / (size + 1e-300))


def linearization_is_jacobian(
    linearize: Algorithm,
    forward_dynamics: Algorithm,
    arm: Arm,
    q: Vector,
    qd: Vector,
    tau: Vector,
    dt: float,
    damping: ArrayLike = 0.0,
) -> float:
    """A and B are the derivatives of one explicit Euler step: q + qd dt, qd + qdd dt, damped by -damping qd."""
    A, B = linearize(arm, q, qd, tau, dt)
    n = arm.n

    def step(arm: Arm, z: Any) -> Any:
        x = z[:n]
        v = z[n : 2 * n]
        u = z[2 * n :]
        return np.concatenate([x + v * dt, v + forward_dynamics(arm, x, v, u - damping * v) * dt])

    expected = _derivative(step, arm, np.concatenate([q, qd, tau]))
    # the identity in A would hide what it stands beside: what is left after it is compared, block by block
    found = np.concatenate([A, B], axis=1) - np.eye(2 * n, 3 * n)
    expected = expected - np.eye(2 * n, 3 * n)
    blocks = [(rows, slice(i * n, (i + 1) * n)) for rows in (slice(n), slice(n, None)) for i in range(3)]
    return max(_relative_error(found[block], expected[block], dt) for block in blocks)


def largest_difference(*pairs: tuple[Any, Any], points: int = 20, seed: int = 1) -> float:
    """Return by how much the two sides of each pair differ at most: formulas at random points, or arrays of numbers.

    A pair holds two expressions, or two vectors or matrices of one shape.  Two formulas are equal if and only if they
    agree at random points: no simplifier is asked.  Every symbol takes values from 0.5 to 2; infinity where a side is
    no real number there.
    """
    import sympy

    worst = 0.0
    rng = np.random.default_rng(seed)
    for first, second in pairs:
        first, second = (np.array(side.tolist() if hasattr(side, "tolist") else side) for side in (first, second))
        if [size for size in first.shape if size > 1] != [size for size in second.shape if size > 1]:
            raise ValueError(f"both sides must have one shape, got {first.shape} and {second.shape}")
        gap = [sympy.sympify(a) - sympy.sympify(b) for a, b in zip(first.ravel(), second.ravel())]
        symbols = sorted(set().union(*(entry.free_symbols for entry in gap)), key=str)
        if any(entry.has(sympy.nan, sympy.zoo, sympy.oo) for entry in gap):
            return float("inf")
        function = sympy.lambdify(symbols, gap)
        for point in rng.uniform(0.5, 2.0, size=(points, len(symbols))):
            with np.errstate(all="ignore"):
                values = np.array(function(*point), dtype=complex)
            real = np.isfinite(values).all() and not values.imag.any()
            worst = max(worst, abs(values.real).max(initial=0)) if real else float("inf")
    return worst


# ---- how far apart, and slopes --------------------------------------------------------------------------------------


def _relative_error(found: Any, expected: Any, *sizes: Any) -> float:
    """Return the largest difference, beside the largest entry in sight."""
    found = np.asarray(found, dtype=float)
    expected = np.asarray(expected, dtype=float)
    if found.shape != expected.shape or not np.isfinite([*found.flat, *expected.flat]).all():
        return float("inf")
    size = max(abs(np.asarray(x)).max() for x in (found, expected, *sizes))
    largest = abs(found - expected).max()
    return float(largest / size) if size > 0 else 0.0 if largest == 0 else float("inf")


def _with_shape(value: Any, *shape: int) -> Floats:
    """Return a result as floats, NaN throughout where its shape is another."""
    value = np.asarray(value, dtype=float)
    return value if value.shape == shape else np.full(shape, np.nan)


def _floats(values: Any) -> Floats:
    return np.asarray(values, dtype=float)


@functools.lru_cache(maxsize=256)
def _definition(function: Callable[..., Any], arm: Arm) -> Program:
    """Return the program of a definition, such as the kinetic energy, for one arm."""
    return trace(function, arm)


def _derivative(function: Algorithm, arm: Arm, x: Vector) -> Floats:
    """Return d function(arm, x) / dx, the last index that of x: exact, or by differences where it takes numbers alone."""
    if program := _slopes(function, arm, len(x), arm.labels):
        return _floats(program(x))

    def along(e: Floats) -> Callable[[float], Floats]:
        return lambda s: _floats(function(arm, x + e * s))

    return np.stack([slope(along(e), 0.0) for e in np.eye(len(x))], axis=-1)


@functools.lru_cache(maxsize=64)
def _slopes(function: Algorithm, arm: Arm, size: int, labels: Any) -> Program | None:
    """Return the program of d function(arm, x) / dx, or None where the function cannot be traced.

    labels: the names of the arm, which tell equal arms apart for a function that asks them.
    """
    try:
        return trace(lambda arm, x: function(arm, x), arm, inputs={"x": size}).jacobian("x")
    except (TypeError, ValueError, AttributeError):  # it branches, or asks NumPy for what only numbers have
        return None


def slope(function: Callable[[float], Any], s: float, h: float = 1e-3) -> Any:
    """Return d function / ds by the five-point rule, error of the order h^4."""
    return (function(s - 2 * h) - 8 * function(s - h) + 8 * function(s + h) - function(s + 2 * h)) / (12 * h)
