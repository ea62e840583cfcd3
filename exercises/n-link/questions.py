"""The assignment "n-link": point masses on a chain of links, in absolute angles, for any number of links."""

from __future__ import annotations

import cmath
import itertools
import math
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import robotdyn as rd
from coursework.check import bodies, laws
from coursework.check.diagnosis import Said
from coursework.check.question import ALL_OR_NOTHING, Question, with_parts_replaced
from coursework.check.session import assignment_module
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array, At, Value
    from coursework.check.parameters import Parameters

CALLED = assignment_module("n-link", "given").CALLED


def _row(p: Parameters, at: At) -> tuple[int, ...]:
    return (len(at[-1]),)


def _square(p: Parameters, at: At) -> tuple[int, ...]:
    return 2 * _row(p, at)


def _judged(
    sentence: str, at: At, value: Value, expected: Array, slip: str = "", slipped_to: Array | None = None
) -> str | None:
    """Whether the value is the expected one, in words; it says for how many links the answer is not.

    slip: words for a value that is slipped_to: what is a mistake in one question is the answer to another; not where
    that is zero everywhere, as other mistakes are.
    """
    words = laws.differs(sentence, at, value, expected)
    if words and slip and np.any(slipped_to) and laws.differs("another", at, value, slipped_to) is None:
        words = Said(sentence, slip)
    here = f"Here with {len(at[-1])} {'links' if len(at[-1]) > 1 else 'link'}."
    return words and Said(words.law, words.slip, f"{words.where} {words.close} {here}", mistakes=words.mistakes)


def _sums(p: Parameters, at: At, value: Value) -> str | None:
    sentence = "L q should be the running sums of q: the last entry is the sum of all."
    return laws.differs(sentence, at, value, [[float(k <= z) for k in range(at[0])] for z in range(at[0])])


def _motions(lengths: Any, q: Array) -> tuple[Array, ...]:
    """Return how each mass moves where each link turns alone, (2, n, n): x or y, mass, link; and its derivative by that angle."""
    cos = np.cos(q)
    sin = np.sin(q)
    carried = np.tri(len(q)) * lengths
    return carried * [[-sin], [cos]], carried * [[-cos], [-sin]]


def _has_the_energy(p: Parameters, at: At, value: Value) -> str | None:
    lengths, masses, q = at
    moves, turns = _motions(lengths, q)
    mass, velocity = (np.einsum("dik,i,dij->kj", moves, masses, other) for other in (moves, turns))
    sentence = "1/2 qd . M qd is not the kinetic energy."
    slip = "This looks like a typical mistake: sine for cosine."
    return _judged(sentence, at, value, mass, slip, velocity)


def _lifts(p: Parameters, at: At, value: Value) -> str | None:
    lengths, masses, q = at
    return _judged("It is not dU/dq in absolute angles.", at, value, 9.81 * masses @ _motions(lengths, q)[0][1])


def _is_let_go(p: Parameters, at: At, value: Value) -> str | None:
    """d'Alembert: along no turn of a link do weights and forces of inertia do work; at rest these are M qdd alone."""
    reach = lambda k, q: (sum(l * cmath.cos(a) for l, a in zip(p.lengths[: k + 1], q)), sum(l * cmath.sin(a) for l, a in zip(p.lengths[: k + 1], q)), 0.0)  # fmt: skip
    chain = [(m, 0.0, partial(reach, k)) for k, m in enumerate(p.masses)]
    q = 3 * [p.tilt]
    weight = bodies.weight(chain, q, 9.81)
    miss = max(abs(a + b) for a, b in zip(bodies.momentum(chain, q, value), weight)) / max(map(abs, weight))
    if miss <= 1e-3:
        return None
    close = "It is close: round later; if nothing was rounded, something small is wrong." * (miss < laws.MISSED)
    return Said("M qdd + g is not zero: with these accelerations something else must push.", close=close)


def _has_the_power(p: Parameters, at: At, value: Value) -> str | None:
    return _judged("The power u . (L qd) is not tau . qd.", at, value, rd.planar.joint_torques(at[0]))


def _drives(p: Parameters, at: At, value: Value) -> str | None:
    """Where a joint turns all links after it, its torque does the work of mass times acceleration, and against the weight."""
    q, qd, qdd = at
    moves, turns = _motions(p.lengths, q)
    forces = p.masses * (moves @ qdd + turns @ qd**2 + [[0.0], [9.81]])  # on each mass, along x and along y
    expected = np.einsum("di,dik,kj->j", forces, moves, np.tri(3))
    return laws.differs("It is not the torque that the motion of your arm needs.", at, value, expected)


def _counts(p: Parameters, at: At, value: Value) -> str | None:
    """The number is that entry of the mass matrix of a straight chain with links of 1 m: by its kinetic energy."""
    chain = [(mass, 0.0, _end(k + 1)) for k, mass in enumerate(p.bodies)]
    first, second = (bodies.axes(5)[k - 1] for k in p.entry)
    both, *each = (
        bodies.kinetic_energy(chain, [0.0] * 5, qd) for qd in ([a + b for a, b in zip(first, second)], first, second)
    )
    counted = both - sum(each)
    some = {} if laws.is_wordless() else {(a, b): sum(p.bodies[a:b]) for b in range(1, 6) for a in range(b)}
    wrong = {"It is rounded: masses need not be whole.": round(counted), "Masses count, in kg, and not how many there are.": float(len(p.bodies[max(p.entry) - 1 :]))} | {f"That counts bodies {a + 1} to {b}: are those the ones that both links move?": m for (a, b), m in some.items()}  # fmt: skip
    return laws.differs("It is not what that entry of the mass matrix counts.", at, value, counted, wrong=wrong)


@lru_cache(maxsize=1)
def _library(p: Parameters) -> Any:
    """The student's arm, as the library of the book knows it."""
    return rd.robots.planar(p.lengths, p.masses)


def _end(k: int) -> Callable[..., Any]:
    """The place of the end of link k, by the absolute angles."""
    return lambda q: (sum(map(cmath.cos, q[:k])), sum(map(cmath.sin, q[:k])), 0.0)


def _mass(
    tail: Callable[..., Any],
    head: Callable[..., Any] = lambda n, z, k: n,
    wave: Callable[..., Any] = lambda a, b: np.cos(a - b),
    sizes: Callable[..., Any] = lambda a, b: a * b,
) -> Callable[..., Any]:
    """A mass matrix with a planted mistake, as in the sum of masses over j from tail(z, k) on."""

    def of(p: Parameters) -> Callable[..., Any]:
        def mass(lengths: Array, masses: Array, q: Array) -> Array:
            n = len(q)
            loads = [[sum(masses[tail(z, k) : head(n, z, k)]) for k in range(n)] for z in range(n)]
            return np.array(loads) * sizes(lengths[:, None], lengths[None, :]) * wave(q[:, None], q[None, :])

        return mass

    return of


def _gravity(slip: str, value: Any) -> Callable[..., Any]:
    """A gravity function with one planted mistake: a part of it that has another value."""
    part = with_parts_replaced(
        {
            "sign": 1.0,
            "wave": "cos",
            "own": False,
            "angles": lambda q: q,
            "summed": False,
            "loads": None,
        },
        slip,
        value,
    )

    def of(p: Parameters) -> Callable[..., Any]:
        def gravity(lengths: Array, masses: Array, q: Array) -> Array:
            loads = part["loads"](masses) if part["loads"] else np.cumsum(masses[::-1])[::-1]
            loads = masses if part["own"] else loads
            u = part["sign"] * 9.81 * loads * lengths * getattr(np, part["wave"])(part["angles"](q))
            return np.cumsum(u[::-1])[::-1] if part["summed"] else u

        return gravity

    return of


def _let_go(of: Callable[..., Any]) -> Callable[..., Any]:
    """Accelerations with a planted mistake: of(g cos q, lengths, masses)."""
    return lambda p: of(9.81 * math.cos(p.tilt), p.lengths, p.masses)


def _let_go_with(p: Parameters, loads: Sequence[float]) -> list[float]:
    """Accelerations of the chain that is let go, where link k carries loads[k] in g.

    A row of M qdd = -g less the one below it is m_z times the acceleration of body z across the links, equal to the
    difference of their loads times -9.81 cos(tilt).
    """
    differences = [a - b for a, b in zip(loads, [*loads[1:], 0.0])]
    bodies_fall = [-9.81 * math.cos(p.tilt) * one / mass for one, mass in zip(differences, p.masses)]
    return [(a - b) / length for a, b, length in zip(bodies_fall, [0.0, *bodies_fall], p.lengths)]


def _first(masses: tuple[float, ...], lengths: tuple[float, ...]) -> float:
    """The first moment of the straight chain about joint 1."""
    return sum(m * sum(lengths[: k + 1]) for k, m in enumerate(masses))


def _second(masses: tuple[float, ...], lengths: tuple[float, ...]) -> float:
    """The moment of inertia of the straight chain about joint 1."""
    return sum(m * sum(lengths[: k + 1]) ** 2 for k, m in enumerate(masses))


def _of_own_masses(p: Parameters, q: Array, qd: Array, qdd: Array) -> Array:
    """Torques of links each of which feels the force on its own body alone."""
    moves, turns = _motions(p.lengths, q)
    x, y = p.masses * (moves @ qdd + turns @ qd**2 + [[0.0], [9.81]])
    u = p.lengths * (y * np.cos(q) - x * np.sin(q))
    return np.cumsum(u[::-1])[::-1]


def _wrong_torques(slip: str, value: Any) -> Callable[..., Any]:
    """The torque function with one planted mistake."""
    part = with_parts_replaced({"squares": True, "rates": 1.0, "transform": None, "gravity": lambda g: g}, slip, value)

    def of(p: Parameters) -> Callable[..., Any]:
        def torque(q: Array, qd: Array, qdd: Array) -> Array:
            M, C, g = rd.planar.absolute(_library(p), q)
            u = M @ qdd + part["rates"] * C @ (qd**2 if part["squares"] else qd) + part["gravity"](g)
            return (part["transform"] or rd.planar.joint_torques)(u)

        return torque

    return of


QUESTIONS = {
    "summing-matrix": Question(
        "the matrix that sums angles up",
        **CALLED["summing-matrix"],
        shape=lambda p, at: (at[0], at[0]),
        laws=(_sums,),
        mistakes={
            "transposed: L has its zeros above the diagonal": lambda p: lambda n: np.triu(np.ones((n, n))),
            "the diagonal is missing: link z points at q_1 + ... + q_z": lambda p: lambda n: np.tril(np.ones((n, n)), -1),
            "that is the inverse: it takes differences": lambda p: lambda n: np.eye(n) - np.eye(n, k=-1),
        },
        hints=("L q = (q_1, q_1 + q_2, ...).", "Row z has z ones.", "The last row is all ones; NumPy has a function for a triangle of ones."),
    ),
    "mass-matrix": Question(
        "mass matrix in absolute angles, any number of links",
        **CALLED["mass-matrix"],
        shape=_square,
        laws=(laws.symmetric, _has_the_energy),
        mistakes={
            "the sum begins too early: body j moves with links z and k only if j >= both": _mass(min),
            "the sum begins too late: body max(z, k) itself moves, too": _mass(lambda z, k: max(z, k) + 1),
            "the masses that move are those at the end of the chain, not those before": _mass(lambda z, k: 0, lambda n, z, k: max(z, k) + 1),
            "all bodies beyond both links move, not the next one alone": _mass(max, lambda n, z, k: max(z, k) + 1),
            "the directions of two links differ by the difference of their angles": _mass(max, wave=lambda a, b: np.cos(a + b)),
            "the product of two directions has a second part, that of the sines": _mass(max, wave=lambda a, b: np.cos(a) * np.cos(b)),
            "each entry has the lengths of both links: one is missing": _mass(max, sizes=lambda a, b: a + 0 * b),
            "each entry has the lengths of both links, not the square of one": _mass(max, sizes=lambda a, b: a**2 + 0 * b),
            "the sum runs over j >= z alone: correct on and below the diagonal only": _mass(lambda z, k: z),
            "the diagonal counts twice, as in a triangle plus its transpose": lambda p: lambda *at: _mass(max)(p)(*at) + np.diag(np.diag(_mass(max)(p)(*at))),
        },
        hints=("The velocity of body j is the sum of l_k qd_k over the links k <= j, each across its link.", "The dot product of two such directions is cos(q_z - q_k).", "Body j counts in entry (z, k) if both links z and k move it; a slice of the masses, and sum, do it."),
    ),
    "gravity": Question(
        "gravity in absolute angles",
        **CALLED["gravity"],
        shape=_row,
        laws=(_lifts,),
        mistakes={
            "the opposite sign": _gravity("sign", -1.0),
            "sine for cosine: angles are measured from the x axis": _gravity("wave", "sin"),
            "link z carries all bodies from z on, not its own alone": _gravity("own", True),
            "a link carries the bodies beyond it, not those before": _gravity("loads", lambda m: np.cumsum(m)),
            "the body at the end of a link is carried by it, too": _gravity("loads", lambda m: np.cumsum(m[::-1])[::-1] - m),
            "relative angles: here each angle is measured from the x axis": _gravity("angles", lambda q: np.cumsum(q)),
            "those are joint torques: generalized forces of absolute angles are asked for": _gravity("summed", True),
        },
        hints=("The height of body j is the sum of l_k sin q_k over k <= j.", "q_z lifts all bodies j >= z by l_z cos q_z.", "Test: with one link it is m g l cos q; with more, the first entry carries all masses."),
    ),
    "let-go": Question(
        "which links begin to turn, as a number from 1 to 3",
        judged="laws",
        laws=(laws.chosen(3),),
        hints=("One link alone falls as a pendulum. What would a second one do, if it were not fastened?", "A link without mass can only push or pull its body along itself.", "Whatever you choose is right here: hand it in, and look."),
        show=lambda p: rd.show.explore(_library(p), [p.tilt, 0.0, 0.0], panels=["joints"], title="Your chain, let go"),
        prediction=True,
    ),
    "let-go-rates": Question(
        "three accelerations",
        shape=(3,),
        tolerance=1e-3,
        laws=(_is_let_go,),
        mistakes={
            "the links need not turn alike: no motor keeps the joints stiff": _let_go(lambda c, l, m: 3 * [-c * _first(m, l) / _second(m, l)]),
            "each link as a pendulum of its own, or g by the diagonal of M: but its joint moves": _let_go(lambda c, l, m: [-c / part for part in l]),
            "sine for cosine: the angle is measured from the x axis": lambda p: [-9.81 * math.sin(p.tilt) / p.lengths[0], 0.0, 0.0],
            "the first link falls as a pendulum of its own length, not of that of the whole chain": _let_go(lambda c, l, m: [-c / sum(l), 0.0, 0.0]),
            "in g each link carries all bodies from it on, not its own alone": lambda p: _let_go_with(p, p.masses),
            "in g a link carries the bodies beyond it, not those before": lambda p: _let_go_with(p, [*itertools.accumulate(p.masses)]),
            "those are relative angles: link 2 keeps its direction, though joint 2 bends": _let_go(lambda c, l, m: [-c / l[0], c / l[0], 0.0]),
        },
        hints=("No motor acts and all rates are zero: what is left of M qdd + C qd^2 + g = u?", "Put your functions of parts 2 and 3 together: M qdd = -g.", "To see why: compare the first column of M with g, at equal angles."),
    ),
    "joint-torques": Question(
        "from generalized forces to joint torques",
        **CALLED["joint-torques"],
        shape=_row,
        laws=(_has_the_power,),
        mistakes={
            "L in place of its transpose": lambda p: lambda u: np.cumsum(u),
            "that is the way back, from torques to generalized forces": lambda p: lambda u: u - np.append(u[1:], 0.0),
            "the sums are right, and run from the other end": lambda p: lambda u: np.cumsum(u[::-1]),
            "a joint carries all links beyond it, not the next one alone": lambda p: lambda u: u + np.append(u[1:], 0.0),
            "a sum is asked for, no mean": lambda p: lambda u: np.cumsum(u[::-1])[::-1] / len(u),
            "a joint carries its own link, too": lambda p: lambda u: np.cumsum(u[::-1])[::-1] - u,
            "each joint carries only what is beyond it, not all": lambda p: lambda u: 0 * u + sum(u),
            "differences from the base: angles transform so, forces do not": lambda p: lambda u: u - np.append(0.0, u[:-1]),
        },
        hints=("Power is the same in both coordinates: u times absolute rates is tau times relative rates.", "Absolute rates are L times relative rates: write both powers with the relative ones.", "The transpose of L sums from the other end."),
    ),
    "find-the-error": Question(
        "the misprint in a printed formula",
        credit=ALL_OR_NOTHING,
        laws=(_counts,),
        mistakes={
            "that is the count of the misprint": lambda p: sum(p.bodies[p.entry[0] - 1 : p.entry[1]]),
            "the outer link does not move the bodies before it": lambda p: sum(p.bodies[p.entry[0] - 1 :]),
            "the body at the end of a link moves with it": lambda p: sum(p.bodies[p.entry[1] :]),
            "all bodies: but the first ones stay where they are when an outer link turns": lambda p: sum(p.bodies),
        },
        hints=("Turn only the outer one of the two links: which bodies move?", "The entry counts the bodies that both links move.", "Test the printed formula with the last body: does link 1 not move it?"),
    ),
    "inverse-dynamics": Question(
        "joint torques of a motion, with your own numbers",
        **CALLED["inverse-dynamics"],
        shape=(3,),
        laws=(_drives,),
        mistakes={
            "C multiplies the squares of the rates, not the rates": _wrong_torques("squares", False),
            "those are generalized forces: joint torques are L^T u": _wrong_torques("transform", lambda u: u),
            "gravity is missing": _wrong_torques("gravity", lambda g: 0 * g),
            "the velocity terms are missing": _wrong_torques("rates", 0.0),
            "gravity has the opposite sign": _wrong_torques("gravity", lambda g: -g),
            "a link moves and carries all bodies from it on, not its own alone": lambda p: lambda *at: _of_own_masses(p, *at),
            "the velocity terms have the opposite sign": _wrong_torques("rates", -1.0),
            "L in place of its transpose": _wrong_torques("transform", lambda u: np.cumsum(u)),
        },
        hints=("Put your functions together, and one more: u = M qdd + C qd^2 + g, with sines of differences in C.", "p.lengths and p.masses are yours; make arrays of them.", "Those are generalized forces of absolute angles: part 6 turns them into joint torques."),
    ),
    "explain": Question(
        "why absolute angles have no Coriolis products",
        judged="person",
        hints=("Which products of rates does 2R have in relative angles?", "How does M depend on q in absolute angles?", "Each entry of M holds the difference of two angles, each belonging to its own row and column."),
    ),
}  # fmt: skip
