"""Recordings from files:  the header names each column and its unit,  t [s], q1 [deg], q2 [deg], tau1 [N m], tau2 [mA]."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.identification.csv_cells import Table, read_table
from robotdyn.identification.csv_clock import ISO, seconds_of_dates, seconds_of_numbers
from robotdyn.identification.csv_columns import Choice, choose_columns, listed, shortened
from robotdyn.identification.csv_names import Column
from robotdyn.identification.csv_units import CURRENTS, SI_FACTORS, is_number
from robotdyn.identification.recording import Recording
from robotdyn.maths.validate import Floats, as_numbers

DECIMAL_COMMA = re.compile(r"\s*[+-]?(?:\d+,\d*|,\d+)(?:[eE][+-]?\d+)?\s*")
THOUSANDS = re.compile(r"\s*[+-]?[1-9]\d{0,2},\d{3}\s*")  # 1,500 may be 1.5, or 1500 with a comma between thousands


def read_csv(
    path: str | Path | TextIO,
    torque_constants: ArrayLike | None = None,
    columns: Mapping[str, str | tuple[str, str]] | None = None,
) -> Recording:
    """Return the Recording of a CSV file whose first line names columns and units:  t [s], q1 [deg], .., tau1 [N m], ..

    path: of the file, or what has the text and can be read, as io.StringIO(text).
    Columns in any order: t, q1 .. qn, tau1 .. taun, and if they were measured qd1 .. qdn, qdd1 .. qddn.
    Units: s, ms, us, ns; rad, deg, m, mm; rad/s, deg/s, rpm, m/s, mm/s; the squares rad/s^2 and so on; N m, mN m, kN m, N, kN,
    or A, mA for currents of the motors.  Also q1 (deg), q1_deg, [°], [N·m], Nm, rad/s², 1/s and a line of units below.
    torque_constants: N m/A (N/A), at the joint, with the gear in it; a number or (n,); asked for where currents stand; takes
    the currents where a file has torques, too.
    columns: {name above: header of the file, or (header, unit)}, as {"q1": ("shoulder", "deg"), ..}; a quantity that it names
    is read from there alone, and the joints that it names are those of the arm.

    Known without it, counted from 0 where a number 0 is there, with # for a number as in q1, q_1, q[1], q(1), joint1_q:
        t    t, time, timestamp
        q    q#, position#, pos#, angle#           qd   qd#, dq#, qdot#, velocity#, vel#
        qdd  qdd#, ddq#, qddot#, acceleration#     tau  tau#, tau_J#, torque#, effort#, or current#
    and, in SI units where no unit stands:
        UR, RTDE    timestamp, actual_q_#, actual_qd_#, target_moment_# (of the controller's model) or actual_current_# (A)
        Franka      q[#], dq[#] with tau_J[#]; the log of libfranka: time (ms), state.q[#], state.dq[#], state.tau_J[#]
        ROS         %time (ns), __time, .header.stamp.secs with .nsecs, field.header.stamp (ns); position#, velocity# with
                    effort#; field.position#, /joint_states/position[#], /joint_states/joint1/position
    What may be two things is refused: a column without unit or convention, two columns for one thing, a quantity of two names, joints without order.
    Cells stand apart by commas, semicolons, tabs or blanks; decimal commas where no comma separates; lines that begin with #
    or % are comments.  Dates as 2026-05-01T12:00:00.5Z and times since 1970 begin at 0, but for those in s, ms or us under t.
    Warns once of columns that are not read.
    Raises ValueError with line and column for what is wrong, TypeError for no path, and whatever opening the file raises.
    """
    table = read_table(*_text(path))
    choice = choose_columns(table, columns, torque_constants is not None)
    values = _values(table, choice)
    parts = {quantity: _quantity(quantity, choice, values) for quantity in SI_FACTORS}
    currents = [column.joint - 1 for column in choice.columns if column.unit in CURRENTS]
    if currents:
        parts["tau"][:, currents] *= _torque_constants(torque_constants, choice.n)[currents]
    try:
        recording = Recording(parts["t"][:, 0], parts["q"], parts["tau"], parts["qd"], parts["qdd"])
    except ValueError as error:
        raise ValueError(f"{error}{_place_of_fault(table, choice, values)}") from None
    if choice.skipped:
        warnings.warn(
            f"{table.name}: columns that are not read: {listed(choice.skipped)}; columns= gives them names if they are needed",
            stacklevel=2,
        )
    return recording


def _quantity(quantity: str, choice: Choice, values: dict[int, Floats]) -> Any:
    """Return the columns of a quantity (T, n), of the time (T, 1), in SI units; None for rates that were not measured."""
    columns = sorted((c for c in choice.columns if c.quantity == quantity), key=lambda column: column.joint)
    return np.stack([values[column.place] for column in columns], 1) if columns else None


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


def _values(table: Table, choice: Choice) -> dict[int, Floats]:
    """Return the samples of each column that is read, by place, in SI units and A."""
    width = len(table.header)
    for number, row in table.rows:
        if len(row) != width:
            raise ValueError(
                f"line {number} must have {width} cells, as the header has, got {len(row)}: "
                "is the file cut off, or are there decimal commas?"
            )
    used = [*choice.columns, *([choice.nanoseconds] if choice.nanoseconds else [])]
    cells = {column.place: [row[column.place] for _, row in table.rows] for column in used}
    numeric = [column for column in used if column.unit != ISO]
    _replace_commas(table, cells, numeric)
    try:
        values = {column.place: np.array([float(cell) for cell in cells[column.place]]) for column in numeric}
    except ValueError:
        raise ValueError(_no_number(table, cells, numeric)) from None
    for column in choice.columns:
        if column.quantity == "t":
            values[column.place] = _times(table, choice, column, cells, values)
        else:
            values[column.place] *= SI_FACTORS[column.quantity][str(column.unit)]
    return values


def _times(
    table: Table, choice: Choice, column: Column, cells: dict[int, list[str]], values: dict[int, Floats]
) -> Floats:
    """Return the times in s."""
    written = cells[column.place]
    if column.unit == ISO:
        times, bad = seconds_of_dates(written)
        if bad >= 0:
            raise ValueError(
                f"line {table.rows[bad][0]} must hold a date as {written[0].strip()} has it, got {shortened(written[bad])} "
                f"below {column.header}, column {column.place + 1}"
            )
        return times
    kept = column.kind == "own" and column.unit != "ns"
    times = seconds_of_numbers(written, values[column.place], str(column.unit), kept)
    if choice.nanoseconds is not None:
        fine = values[choice.nanoseconds.place]
        times = times + (fine - fine[0]) * SI_FACTORS["t"]["ns"]
    return times


def _replace_commas(table: Table, cells: dict[int, list[str]], numeric: list[Column]) -> None:
    """Put points for decimal commas; refuse a file that has both, or commas that may stand between thousands."""
    places = [column.place for column in numeric]
    found = [(k, place) for place in places for k, cell in enumerate(cells[place]) if DECIMAL_COMMA.fullmatch(cell)]
    if not found:
        return
    k, place = min(found)
    where = f"line {table.rows[k][0]}, column {place + 1}"
    point = min(((k, place) for place in places for k, cell in enumerate(cells[place]) if "." in cell), default=None)
    if point is not None:
        raise ValueError(
            f"{table.name} must have decimal commas or decimal points, got {shortened(cells[place][k])} in {where} and "
            f"{shortened(cells[point[1]][point[0]])} in line {table.rows[point[0]][0]}, column {point[1] + 1}"
        )
    if all(THOUSANDS.fullmatch(cells[place][k]) for k, place in found):
        shown = cells[place][k].strip()
        raise ValueError(
            f"{table.name} must have decimal commas that can be told from commas between thousands, got {shortened(shown)} in {where}, "
            f"which may be {shown.replace(',', '.')} or {shown.replace(',', '')}: write it with a decimal point, or without a comma"
        )
    for k, place in found:
        cells[place][k] = cells[place][k].replace(",", ".")


def _no_number(table: Table, cells: dict[int, list[str]], numeric: list[Column]) -> str:
    """Return the sentence about the first cell that holds no number."""
    k, place = next(
        (k, c.place) for k in range(len(table.rows)) for c in numeric if not is_number(cells[c.place][k])
    )  # fmt: skip
    return (
        f"line {table.rows[k][0]} must hold numbers, got {shortened(table.rows[k][1][place])} below {table.header[place]}, "
        f"column {place + 1}"
    )


def _place_of_fault(table: Table, choice: Choice, values: dict[int, Floats]) -> str:
    """Return the words for the place in the file of what a Recording refuses: no finite number, or a time that runs back."""
    order = ["t", "q", "tau", "qd", "qdd"]
    bad = []
    for column in choice.columns:
        faults = np.flatnonzero(~np.isfinite(values[column.place]))
        if column.quantity == "t" and not faults.size:
            faults = 1 + np.flatnonzero(np.diff(values[column.place]) <= 0)
        if faults.size:
            bad.append((order.index(column.quantity), int(faults[0]), column.joint, column.place))
    if not bad:
        return ""
    _, k, _, place = min(bad)
    return f": line {table.rows[k][0]}, column {place + 1}"


def _torque_constants(given: Any, n: int) -> Floats:
    if given is None:
        raise ValueError("torque_constants must be given, N m/A at the joint: the file holds currents of the motors")
    return np.broadcast_to(as_numbers(given, "torque_constants", (n,) if np.ndim(given) else ()), n)
