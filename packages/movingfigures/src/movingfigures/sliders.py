"""The sliders of a moving figure: a name, a range, a unit, and words that say what the name means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from numbers import Real
from typing import Any

import numpy as np

from robotdyn.model.arm import Arm
from robotdyn.model.joints import JOINTS

# What a letter means, and its unit; {} is the number of a link or joint.
MEANINGS: dict[str, tuple[str, str]] = {
    "m": ("mass of link {}", "kg"),
    "l": ("length of link {}", "m"),
    "l_c": ("distance of the center of mass of link {}", "m"),
    "I": ("moment of inertia of link {}", "kg m²"),
    "g": ("gravity", "m/s²"),
    "h": ("pitch of joint {}", "m/rad"),
    "dt": ("time step", "s"),
    "c_x": ("place of the center of mass of link {} along it", "m"),
    "c_y": ("place of the center of mass of link {} across it", "m"),
    "k": ("stiffness of the springs", "N m/rad"),
    "w": ("share of the weight that is known", ""),
}
JOINT_MEANINGS: dict[str, str] = {  # in the joint's own units
    "tau": "{effort} of joint {}",
    "b": "friction of joint {}",
    "qd": "rate of joint {}",
}
STATE_NAME: re.Pattern[str] = re.compile(r"(?:tau|qd|b)_(\d+)|b|dt")
# What a symbol is worth that nobody gave a value; others 1.
DEFAULT_VALUES: dict[str, float] = {"g": 9.81, "l_c": 0.5, "I": 1 / 12, "c": 0.0, "h": 0.05}
LETTERS: dict[str, str] = {"tau": "τ", "qd": "q̇", "dt": "Δt"}


@dataclass(frozen=True)
class Slider:
    """One slider: name, low, high and start value, what it means, its unit; symbol: it is one of the arm."""

    name: str
    low: float
    high: float
    value: float
    words: str
    unit: str
    symbol: bool

    def spec(self) -> dict[str, Any]:
        """Return what the page needs to know."""
        letter, index = _letter_and_index(self.name)
        letter, _, below = letter.partition("_")
        step = round_step(self.low, self.high)
        return asdict(self) | {"letter": LETTERS.get(letter, letter), "index": below + index, "step": step}


def round_step(low: float, high: float) -> float:
    """Return the step that leads from low to high in 80 to 200: of the roundest, 1, 2 or 5 times a power of ten, the longest."""
    for digits in ((1, 2, 5), (3, 4, 6, 7, 8, 9)):
        for step in sorted((digit * 10.0**power for digit in digits for power in range(-12, 7)), reverse=True):
            steps = (high - low) / step
            if 79.99 < steps < 200.01 and abs(steps - round(steps)) < 1e-6:
                return float(f"{step:.0e}")
    return (high - low) / 100


def read_parameters(
    arm: Arm, parameters: Mapping[str, Any], dt: float, more: Mapping[str, float]
) -> tuple[list[Slider], dict[str, float]]:
    """Return the sliders, and {name: number} of what stays fixed; every symbol of the arm is in one of them.

    more: further names that may be given, with their usual values.
    """
    symbols = sorted(map(str, arm.free_symbols))
    fixed = {name: DEFAULT_VALUES.get(_letter_and_index(name)[0], 1.0) for name in symbols if name not in parameters}
    fixed |= {name: value for name, value in more.items() if name not in parameters}
    sliders = []
    for name, given in parameters.items():
        if name not in symbols and name not in more and not _is_state_name(name, arm.n):
            state = [f"tau_{i + 1}, b_{i + 1}, qd_{i + 1}" for i in range(arm.n)]
            known = ", ".join([*symbols, *more, *state, "b, dt"])
            raise ValueError(f"parameters must name what the figure can change ({known}), got {name!r}")
        if isinstance(given, (Real, np.number)):
            fixed[name] = _finite(name, given)
        else:
            low, high, value = _slider_range(name, given, name in more or name.startswith(("b", "dt", "m_", "I_")))
            sliders.append(Slider(name, low, high, value, *_meaning(name, arm), name in symbols))
    return sliders, fixed


def _slider_range(name: str, given: Any, nonnegative: bool) -> tuple[float, float, float]:
    """Return low, high and start of a slider; raise ValueError for what is none, or reaches below zero and must not."""
    if isinstance(given, str) or not hasattr(given, "__len__") or len(given) != 3:
        raise ValueError(f"{name} must be a number, or (low, high, start) for a slider, got {given!r}")
    low, high, value = (_finite(name, x) for x in given)
    if not low <= value <= high or low == high:
        raise ValueError(f"{name} must have low <= start <= high and low < high, got {given!r}")
    if low < 0 and nonnegative:
        raise ValueError(f"{name} must be >= 0, got a slider from {low:g}")
    return low, high, value


def _is_state_name(name: str, n: int) -> bool:
    found = STATE_NAME.fullmatch(name)
    number = found and found[1]
    return bool(found) and (number is None or 1 <= int(number) <= n)


def _finite(name: str, x: Any) -> float:
    if not isinstance(x, (Real, np.number)) or not np.isfinite(float(x)):
        raise ValueError(f"{name} must be a finite number, or (low, high, start) for a slider, got {x!r}")
    return float(x)


def _meaning(name: str, arm: Arm) -> tuple[str, str]:
    letter, index = _letter_and_index(name)
    across = re.fullmatch(r"(\d+)([xy])", index)
    if letter == "c" and across:
        letter = f"c_{across[2]}"
        index = across[1]
    if letter in JOINT_MEANINGS:
        kinds = [JOINTS[link.joint] for link in arm.links]
        if not index:
            return "friction of every joint", ", ".join(dict.fromkeys(kind.units[letter] for kind in kinds))
        kind = kinds[int(index) - 1]
        return JOINT_MEANINGS[letter].format(index, effort=kind.effort), kind.units[letter]
    words, unit = MEANINGS.get(letter, ("", ""))
    return words.format(index) if index else words.replace(" of link {}", ""), unit


def _letter_and_index(name: str) -> tuple[str, str]:
    """Return letter and index: m_1 -> m, 1; l_c1 -> l_c, 1; g -> g and nothing."""
    if found := re.fullmatch(r"(l_c)(\d+)", name):
        return found[1], found[2]
    letter, _, index = name.partition("_")
    return letter, index
