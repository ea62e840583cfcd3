"""Base parameters as formulas and sentences:  "m_1 c_1x + l_1 m_2", and what can never be known in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from robotdyn.maths.namespace import snap_roundoff

if TYPE_CHECKING:
    from robotdyn.identification.base_parameters import BaseParameters

LINK_PARAMETER_NAMES = (
    "m_{}",
    "m_{0} c_{0}x",
    "m_{0} c_{0}y",
    "m_{0} c_{0}z",
    "I_{}xx",
    "I_{}xy",
    "I_{}xz",
    "I_{}yy",
    "I_{}yz",
    "I_{}zz",
)
JOINT_PARAMETER_NAMES = {"motor_inertia": "J_{}", "viscous": "b_{}", "coulomb": "d_{}", "offset": "o_{}"}


def parameter_names(n: int, joints: Sequence[str]) -> tuple[str, ...]:
    """Return the names of all parameters in their order; I_1xx is about the origin of the frame of link 1."""
    links = [name.format(i) for i in range(1, n + 1) for name in LINK_PARAMETER_NAMES]
    return (*links, *(JOINT_PARAMETER_NAMES[term].format(i) for term in joints for i in range(1, n + 1)))


def format_group(base: BaseParameters, row: int) -> str:
    """Return one base parameter as a sum, its leading parameter first."""
    coefficients = base.grouping[row]
    lead = base.columns[row]
    by_coefficient: dict[str, list[str]] = {}
    for k in np.flatnonzero(coefficients != 0):
        if k != lead:
            by_coefficient.setdefault(_format_coefficient(coefficients[k]), []).append(base.names[k])
    return base.names[lead] + "".join(_format_term(text, names) for text, names in by_coefficient.items())


def format_table(base: BaseParameters) -> str:
    """Return the base parameters, one a line with its value, and after them what can never be known."""
    has_values = not set(base.joints) - {"motor_inertia"}
    values = (
        [f" = {_format_value(value)}" for value in snap_roundoff(base.values())] if has_values else [""] * len(base)
    )
    lines = [f"{len(base)} of {len(base.names)} parameters, or sums of them, show in the torques:"]
    lines += [f"  {group}{value}" for group, value in zip(base.groups, values)]
    return "\n".join([*lines, "never known:", *(f"  {sentence}" for sentence in describe_unidentifiable(base))])


def describe_unidentifiable(base: BaseParameters) -> list[str]:
    """Return a sentence for the parameters that show in no torque, and one for each that shows only within sums."""
    names = base.names
    leads = [base.names[k] for k in base.columns]
    within = {place: [lead for lead, x in zip(leads, base.grouping[:, place]) if x != 0] for place in base.lost}
    unseen = [names[place] for place in base.lost if not within[place]]
    found = [f"{', '.join(unseen)}: no motion of this arm makes a joint feel it"] if unseen else []
    for place, partners in within.items():
        if partners:
            found.append(f"{names[place]}: shows only together with {', '.join(partners)}")
    return found


def _format_term(coefficient: str, names: Sequence[str]) -> str:
    """Return " + 2 l_1 (m_2 + m_3)": one coefficient of several parameters, with its sign before it."""
    negative = coefficient.startswith("-") and not _is_sum(coefficient[1:])
    sign, size = (" - ", coefficient[1:]) if negative else (" + ", coefficient)
    if size == "1":
        return "".join(sign + name for name in names)
    size = f"({size})" if _is_sum(size) else size
    return f"{sign}{size} {names[0]}" if len(names) == 1 else f"{sign}{size} ({' + '.join(names)})"


def _format_coefficient(x: Any) -> str:
    """Return a number in four digits, or an expression without stars."""
    if isinstance(x, (int, float)):
        return f"{x:.4g}"
    return str(x).replace("**", "^").replace("*", " ")


def _is_sum(text: str) -> bool:
    return " + " in text or " - " in text


def _format_value(x: Any) -> str:
    return _format_coefficient(x.expand() if hasattr(x, "expand") else x)
