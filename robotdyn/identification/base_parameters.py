"""Base parameters, the combinations that the torques determine:  Y phi = Y_base (grouping phi), with independent columns.

Two columns of Y that are equal for all motions leave the sum of their parameters alone to be known.  For numbers all
such relations come from random motions (Gautier 1991); for symbols from what can pass through each joint: a change of
one link's mass distribution shows in no torque if it can be undone on the link before (Wensing, Niemeyer and Slotine
2024).  One way checks the other; chapter "what-torques-are-linear-in".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from robotdyn.identification.base_parameter_format import format_group, format_table, parameter_names
from robotdyn.identification.inertia_transfer import frame_symbols, null_vectors, without_masses
from robotdyn.identification.parameters import parameters
from robotdyn.identification.regressor import joint_terms, regressor
from robotdyn.maths.validate import Array, Entries, Result, as_array, joint_count
from robotdyn.model.arm import Arm


@dataclass(frozen=True, eq=False)
class BaseParameters:
    """The combinations of an arm's parameters that its torques depend on; `rd.base_parameters` makes it, print shows it.

    names: (m,) of all parameters, in the order of `rd.parameters`; columns: (r,) the places of those that lead a
    combination, in that order; grouping: (r, m) with base = grouping @ phi, where its columns `columns` are the unit
    matrix; absent: the places of those that are known to be 0; joints: words as in `rd.regressor`; arm: whose they are.
    """

    arm: Arm
    joints: tuple[str, ...]
    columns: tuple[int, ...]
    grouping: Array
    absent: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.columns)

    def __str__(self) -> str:
        return format_table(self)

    def __repr__(self) -> str:
        return f"<{len(self)} base parameters of {len(self.names)}: {', '.join(self.groups)}>"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all parameters: m_1, m_1 c_1x, .., I_1zz, m_2, .."""
        return parameter_names(len(self.arm.links), self.joints)

    @property
    def groups(self) -> tuple[str, ...]:
        """Each base parameter as a sum of parameters, in words: "m_1 c_1x + l_1 m_2"."""
        return tuple(format_group(self, row) for row in range(len(self)))

    @property
    def lost(self) -> tuple[int, ...]:
        """The places of parameters that lead no combination: alone, none of them can be known."""
        return tuple(k for k in range(len(self.names)) if k not in (*self.columns, *self.absent))

    @property
    def null_space(self) -> Array:
        """Changes of phi that change no torque, one a column (m, m - r): one of `lost` grows by 1, others make up for it."""
        basis = np.zeros((len(self.names), len(self.lost)), dtype=self.grouping.dtype)
        for k, place in enumerate(self.lost):
            basis[place, k] = 1
            basis[list(self.columns), k] = -self.grouping[:, place]
        return basis

    def values(self, phi: Entries = None) -> Result:
        """Return the base parameters (r,) of the parameters phi (m,), default those of the arm."""
        phi = self._as_phi(parameters(self.arm, self.joints) if phi is None else phi)
        return self.grouping @ phi

    def completed(self, values: Entries, phi: Entries = None) -> Result:
        """Return parameters (m,) with these base parameters (r,), all that cannot be known as in phi, default the arm's."""
        phi = self._as_phi(parameters(self.arm, self.joints) if phi is None else phi).copy()
        lead = list(self.columns)
        phi[lead] += as_array(values, "values", (len(self),)) - self.grouping @ phi
        return phi

    def regressor(self, arm: Arm, q: Entries, qd: Entries, qdd: Entries, width: float = 1e-3) -> Result:
        """Return Y_base (n, r), the columns of `rd.regressor` that lead: Y_base @ base = tau; batches as there.

        arm: this one, or one with the same joints and frames; so `rd.specialize(base.regressor, arm)` makes a program.
        """
        return regressor(arm, q, qd, qdd, self.joints, width)[..., list(self.columns)]

    def _as_phi(self, phi: Entries) -> Array:
        return as_array(phi, "phi", (len(self.names),))


def base_parameters(arm: Arm, joints: Iterable[str] = (), nonzero: bool = False) -> BaseParameters:
    """Return which combinations of parameters the torques of an arm depend on, as BaseParameters.

    joints: words as in `rd.regressor`.  nonzero=True: parameters that are 0 in this arm are known to be 0, as the
    center of mass of a symmetric link, and take no part.
    Of parameters that cannot be told apart the first leads, so that a link hands on to the link before.
    Numbers: the columns of Y at random states, seeded, by QR.  Gautier (1991), "Numerical calculation of the base
    inertial parameters of robots".  Symbols: exact, from what passes through each joint (`inertia_transfer`).
    Where joints are coupled, the parameters are those of all links, the torques those of the independent joints.
    Raises ValueError where a symbolic arm holds sines or roots of symbols in its frames, or symbols there and coupled joints.
    """
    terms = joint_terms(joints)
    joint_count(arm)
    symbols = frame_symbols(arm)
    if symbols and arm.coupling is not None:
        raise ValueError(
            f"base parameters of coupled joints need numbers in the frames and the gravity, got {', '.join(map(str, symbols))}: put "
            "numbers in, masses may stay symbols"
        )
    count = len(arm.links) * (10 + len(terms))
    absent = np.array([], dtype=int)
    if nonzero:
        values = dict.fromkeys(terms, 1) | ({"motor_inertia": None} if "motor_inertia" in terms else {})
        absent = np.flatnonzero(np.asarray(parameters(arm, values)).ravel() == 0)
    places = [k for k in range(count) if k not in absent]
    if not places:
        raise ValueError("nonzero=True leaves no parameter of an arm without any mass: give it some, or leave it out")
    if symbols:
        columns, grouping = _from_null_vectors(null_vectors(arm, terms), places, count)
    else:
        columns, grouping = _from_random_states(_numeric_frames(arm), terms, places, count)
    return BaseParameters(arm, terms, tuple(columns), grouping, tuple(map(int, absent)))


def _numeric_frames(arm: Arm) -> Arm:
    """Return the frames and the gravity of an arm whose masses may be symbols, as an arm of floats."""
    frames = without_masses(arm, float)
    return replace(frames, links=[replace(link) for link in frames.links])


def _from_random_states(arm: Arm, terms: Sequence[str], places: list[int], count: int) -> tuple[list[int], Array]:
    """Return the leading columns and the grouping matrix, from a QR decomposition without pivots: the first lead."""
    rng = np.random.default_rng(1991)
    q, qd, qdd = rng.uniform(-np.pi, np.pi, (3, 20 + 4 * count // arm.n, arm.n))
    W = regressor(arm, q, qd, qdd, terms, width=1.0).reshape(-1, count)[:, places]
    size = np.linalg.norm(W, axis=0)
    W = W / np.where(size > 1e-9 * size.max(), size, np.inf)  # a column that rounding has filled is zero
    lead = np.flatnonzero(abs(np.diag(np.linalg.qr(W, "r"))) > 1e-9)
    coefficients = np.linalg.lstsq(W[:, lead], W, rcond=None)[0] * size / size[lead][:, None]
    grouping = np.zeros((len(lead), count))
    grouping[:, places] = np.where(abs(coefficients) > 1e-9, coefficients.round(12), 0)
    grouping[:, [places[k] for k in lead]] = np.eye(len(lead))
    return [places[k] for k in lead], grouping


def _from_null_vectors(vectors: Callable[..., Any], places: list[int], count: int) -> tuple[list[int], Array]:
    """Return the same from exact changes that show in no torque: what takes no part stays, the last others give way."""
    order = [k for k in range(count) if k not in places] + places[::-1]
    absent = count - len(places)
    rows, pivots = vectors(order)
    grouping = np.zeros((count, count), dtype=object)
    for row, pivot in zip(rows, pivots):
        if pivot >= absent:  # row: 1 at the pivot, and what makes up for it at places that lead
            for k in range(pivot + 1, count):
                grouping[order[k], order[pivot]] = -row[k]
    lost = {order[pivot] for pivot in pivots if pivot >= absent}
    lead = [k for k in places if k not in lost]
    for k in lead:
        grouping[k, k] = 1
    return lead, grouping[lead]
