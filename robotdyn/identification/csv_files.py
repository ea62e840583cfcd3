"""Recordings from files:  the header names each column and its unit,  t [s], q1 [deg], q2 [deg], tau1 [N m], tau2 [mA]."""

from __future__ import annotations

import csv
import os
import re
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.identification.recording import Recording
from robotdyn.maths.validate import Floats, as_numbers

DEGREE = np.pi / 180
TURN = 2 * np.pi
SI_FACTORS = {
    "t": {"s": 1, "ms": 1e-3, "us": 1e-6},
    "q": {"rad": 1, "deg": DEGREE, "m": 1, "mm": 1e-3},
    "qd": {"rad/s": 1, "deg/s": DEGREE, "rpm": TURN / 60, "m/s": 1, "mm/s": 1e-3},
    "qdd": {"rad/s^2": 1, "deg/s^2": DEGREE, "m/s^2": 1, "mm/s^2": 1e-3},
    "tau": {"N m": 1, "Nm": 1, "mN m": 1e-3, "kN m": 1e3, "N": 1, "kN": 1e3, "A": 1, "mA": 1e-3},
}
CURRENTS = ("A", "mA")
HEADER_PATTERN = re.compile(r"\s*(t|q|qd|qdd|tau)\s*(\d*)\s*\[([^\]]*)\]\s*")
MAX_SHOWN = 40  # characters of a cell that an error repeats


def read_csv(path: str | Path | TextIO, torque_constants: ArrayLike | None = None) -> Recording:
    """Return the Recording of a CSV file whose first line names columns and units:  t [s], q1 [deg], .., tau1 [N m], ..

    path: of the file, or what has the text and can be read, as io.StringIO(text).
    Columns in any order, separated by comma, semicolon or tab: t, q1 .. qn, tau1 .. taun, and if they were measured
    qd1 .. qdn, qdd1 .. qddn.  Units: s, ms, us; rad, deg, m, mm; rad/s, deg/s, rpm, m/s, mm/s; the squares rad/s^2 and
    so on; N m, mN m, kN m, N, kN, or A, mA for currents of the motors.  torque_constants: N m/A (N/A), at the joint, with
    the gear in it; a number or (n,); asked for where currents stand.
    Raises ValueError with line and column for what is wrong, TypeError for no path, and whatever opening the file raises.
    """
    lines = _lines(*_text(path))
    columns = _columns(lines[0][1])
    table = _numbers(lines[1:], lines[0][1])
    parts: dict[str, Any] = {}
    n = max(joint for _, joint, _ in columns)
    for quantity in SI_FACTORS:
        values = _quantity_columns(quantity, columns, table, n)
        if values is not None:
            parts[quantity] = values
    currents = [joint - 1 for name, joint, unit in columns if name == "tau" and unit in CURRENTS]
    if currents:
        parts["tau"][:, currents] *= _torque_constants(torque_constants, n)[currents]
    return Recording(parts["t"][:, 0], parts["q"], parts["tau"], parts.get("qd"), parts.get("qdd"))


def _quantity_columns(quantity: str, columns: list[tuple[str, int, str]], table: Floats, n: int) -> Floats | None:
    """Return the columns of a quantity (T, n), of the time (T, 1), in SI units; None for rates that were not measured."""
    by_joint = {joint: k for k, (name, joint, _) in enumerate(columns) if name == quantity}
    required = range(1, n + 1) if quantity != "t" else (0,)
    if missing := [joint for joint in required if joint not in by_joint]:
        if quantity in ("qd", "qdd") and len(missing) == n:
            return None
        names = ", ".join(f"{quantity}{joint or ''}" for joint in missing[:5]) + ", .." * (len(missing) > 5)
        raise ValueError(f"the header must name {names}, too: {n} joints have columns here")
    return np.stack(
        [table[:, by_joint[joint]] * SI_FACTORS[quantity][columns[by_joint[joint]][2]] for joint in required], 1
    )


def _text(path: str | Path | TextIO) -> tuple[str, str]:
    """Return the name of a file, for errors, and what it holds."""
    if hasattr(path, "read") and isinstance(text := path.read(), str):
        return "the text", text
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path must be the path of a file, or a text file to read, got a {type(path).__name__}")
    try:
        return Path(path).name, Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{Path(path).name} must be text in UTF-8, byte {error.start} is none: save it as CSV again"
        ) from None


def _lines(name: str, text: str) -> list[tuple[int, list[str]]]:
    """Return the lines that hold something, each with its number, in cells."""
    if "\0" in text:
        raise ValueError(f"{name} must be text, but holds zero bytes: is it a spreadsheet? Export it as CSV")
    head = text.split("\n", 1)[0]
    separator = max(",;\t", key=head.count)
    try:
        rows = list(csv.reader(text.splitlines(), delimiter=separator))
    except csv.Error as error:
        raise ValueError(f"{name} is no CSV file: {error}") from None
    found = [(number, row) for number, row in enumerate(rows, start=1) if any(cell.strip() for cell in row)]
    if len(found) < 3:
        raise ValueError(f"{name} must hold a header and at least two samples, got {len(found)} lines")
    return found


def _columns(header: list[str]) -> list[tuple[str, int, str]]:
    """Return (name, joint, unit) of each column, joint 0 for the time."""
    columns: list[tuple[str, int, str]] = []
    for cell in header:
        found = HEADER_PATTERN.fullmatch(cell)
        if not found or (found[1] == "t") != (found[2] == "") or found[2].startswith("0") or len(found[2]) > 3:
            raise ValueError(
                f"the header must hold names with units as in t [s], q1 [deg], tau1 [N m], got {_shortened(cell)}"
            )
        name = found[1]
        joint = int(found[2] or 0)
        unit = " ".join(found[3].split())
        if unit not in SI_FACTORS[name]:
            raise ValueError(
                f"the unit of {name}{joint or ''} must be one of {', '.join(SI_FACTORS[name])}, got {_shortened(unit)}"
            )
        if any((name, joint) == other[:2] for other in columns):
            raise ValueError(f"the header must name {name}{joint or ''} once, got it twice")
        columns.append((name, joint, unit))
    if not any(joint for _, joint, _ in columns):
        raise ValueError("the header must name q1 and tau1 at least, got t alone")
    return columns


def _numbers(lines: list[tuple[int, list[str]]], header: list[str]) -> Floats:
    rows = []
    for number, cells in lines:
        if len(cells) != len(header):
            raise ValueError(
                f"line {number} must have {len(header)} cells, as the header has, got {len(cells)}: "
                "is the file cut off, or are there decimal commas?"
            )
        try:
            rows.append([float(cell) for cell in cells])
        except ValueError:
            place = next(k for k, cell in enumerate(cells) if not _is_number(cell))
            raise ValueError(
                f"line {number} must hold numbers, got {_shortened(cells[place])} below {header[place].strip()}"
            ) from None
    return np.array(rows)


def _torque_constants(given: Any, n: int) -> Floats:
    if given is None:
        raise ValueError("torque_constants must be given, N m/A at the joint: the file holds currents of the motors")
    return np.broadcast_to(as_numbers(given, "torque_constants", (n,) if np.ndim(given) else ()), n)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _shortened(cell: str) -> str:
    return repr(cell if len(cell) <= MAX_SHOWN else cell[:MAX_SHOWN] + "...")
