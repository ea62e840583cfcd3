"""Times of samples:  t in s, of numbers in a unit, of nanoseconds since 1970 or of dates as 2026-05-01T12:00:00.125Z."""

from __future__ import annotations

import re
from decimal import Decimal

import numpy as np

from robotdyn.identification.csv_units import SI_FACTORS
from robotdyn.maths.validate import Floats

ISO = "ISO 8601"  # the unit of dates
ISO_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,18}))?\s*(Z|[+-]\d\d(?::?\d\d)?)?", re.ASCII
)
EPOCH = (9.4e8, 5e9)  # s since 1970 from the year 2000 to 2128


def unit_of_clock(cell: str, default: str | None) -> str | None:
    """Return the unit that the first time itself tells, or the default: a date, or nanoseconds since 1970."""
    if ISO_TIME.fullmatch(cell.strip()):
        return ISO
    try:
        nanoseconds = EPOCH[0] <= float(cell) * SI_FACTORS["t"]["ns"] < EPOCH[1]
    except ValueError:
        return default
    return "ns" if nanoseconds else default


def seconds_of_numbers(cells: list[str], values: Floats, unit: str, kept: bool) -> Floats:
    """Return the times in s; those since 1970 from the first one on.

    cells: as written; values: the numbers in them; kept: whether times since 1970 are kept, too.
    """
    factor = SI_FACTORS["t"][unit]
    first = values[0] * factor
    if kept or not np.isfinite(values).all() or not EPOCH[0] <= first < EPOCH[1] or abs(values).max() > 1e25:
        return values * factor
    numbers = [Decimal(cell.strip()) for cell in cells]
    return np.array([float(number - numbers[0]) for number in numbers]) * factor


def seconds_of_dates(cells: list[str]) -> tuple[Floats, int]:
    """Return the times in s from the first one on, and the place of the first cell that is no such date, or -1.

    All have a time zone, or none has.
    """
    whole = []
    parts = []
    zoned = None
    for k, cell in enumerate(cells):
        found = ISO_TIME.fullmatch(cell.strip())
        if not found or (zoned is not None and zoned != bool(found[4])):
            return np.zeros(0), k
        zoned = bool(found[4])
        try:
            date = int(np.datetime64(f"{found[1]}T{found[2]}", "s").astype(np.int64))
        except ValueError:  # the 31st of February
            return np.zeros(0), k
        whole.append(date - _offset(found[4] or "Z"))
        parts.append(float(f"0.{found[3] or 0}"))
    return np.array([date - whole[0] for date in whole]) + (np.array(parts) - parts[0]), -1


def _offset(zone: str) -> int:
    """Return the seconds by which the clocks of a zone are ahead of UTC."""
    if zone == "Z":
        return 0
    digits = zone[1:].replace(":", "").ljust(4, "0")
    return (60 * int(digits[:2]) + int(digits[2:])) * (-60 if zone[0] == "-" else 60)
