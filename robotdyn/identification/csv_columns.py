"""Which column of a file is which quantity of which joint, in which unit; what may be two things is refused, never guessed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from robotdyn.identification.csv_cells import Table
from robotdyn.identification.csv_clock import unit_of_clock
from robotdyn.identification.csv_names import FRANKA, ROS, RTDE, Column, column_of, written_unit
from robotdyn.identification.csv_units import CURRENTS, SI_FACTORS, unit_of, without_brackets

OWN_NAME = re.compile(r"t|(?:q|qd|qdd|tau)[1-9]\d{0,2}")
SI = {"t": "s", "q": "rad", "qd": "rad/s", "qdd": "rad/s^2", "tau": "N m"}
READINGS = {
    "t": ("s", "ms"),
    "q": ("rad", "deg"),
    "qd": ("rad/s", "deg/s"),
    "qdd": ("rad/s^2", "deg/s^2"),
    "tau": ("N m", "mN m"),
    "current": CURRENTS,
}
FIXED_CLOCKS = {"%time": "ns", "stamp ns": "ns", "__time": "s", "seconds": "s"}
JOINT_CELL = re.compile(r"(?:.*[/.])?name_?\[?(\d{1,3})\]?")  # the header of a name in a message of ROS
RECEIVED = ("%time", "__time")  # when a program got a message: the stamp in the message is nearer to the measurement
PAIRS = ([str, str], [str, type(None)])
RULE = "the header must hold names with units as in t [s], q1 [deg], tau1 [N m]"
MAX_SHOWN = 40  # characters of a cell that an error repeats
MAX_LISTED = 5  # names that an error or a warning lists


@dataclass(frozen=True)
class Choice:
    """The columns that a recording is made of, each with its joint and its unit, or None for a time whose numbers tell it.

    n: number of joints; nanoseconds: the column that belongs to one of whole seconds; skipped: headers that are not read.
    """

    columns: list[Column]
    n: int
    nanoseconds: Column | None
    skipped: list[str]


def choose_columns(table: Table, given: Any, currents: bool) -> Choice:
    """Return the columns to read.

    given: the columns that the caller names; currents: whether torques are made from currents where a file has both.
    """
    return _Chooser(table, currents).choose({} if given is None else given)


class _Chooser:
    """The header of one file."""

    def __init__(self, table: Table, currents: bool) -> None:
        self.header = table.header
        self.line = table.line
        self.first = table.rows[0][1] + [""] * len(table.header)  # a line may be cut off
        self.currents = currents
        self.parsed = [column_of(place, cell) for place, cell in enumerate(self.header)]
        self.units = [without_brackets(cell) for cell in table.units or []]
        words = {column.word for column in self.parsed if column is not None}
        self.franka = "tau_j" in words
        self.ros = bool(words & {"effort", "joint_effort"})

    def choose(self, given: Any) -> Choice:
        named = self._named(given)
        columns = named + self._once(self._numbered(self._free(named)))
        columns.sort(key=lambda column: column.place)
        n = _joint_count(named) or _joint_count(columns)
        columns = [self._with_written_unit(column) for column in columns if column.joint <= n]
        partner = self._partner(next((c for c in columns if c.quantity == "t"), None))
        used = {column.place for column in (*columns, partner) if column is not None}
        skipped = [cell for place, cell in enumerate(self.header) if place not in used and cell]
        self._check_complete(columns, n, skipped)
        self._check_order(columns, named)
        return Choice([self._with_unit(column, columns) for column in columns], n, partner, skipped)

    def _free(self, named: list[Column]) -> list[Column]:
        """Return the known columns of quantities that the caller does not name."""
        quantities = {column.quantity for column in named}
        taken = {column.place for column in named}
        known = [column for column in self.parsed if column is not None and column.kind != "nanoseconds"]
        return [column for column in known if column.quantity not in quantities and column.place not in taken]

    def _place(self, column: Column) -> str:
        return f"line {self.line}, column {column.place + 1}"

    def _named(self, given: Any) -> list[Column]:
        """Return the columns that the caller names, with their joints."""
        if not isinstance(given, Mapping):
            raise TypeError(f'columns must be a dictionary as {{"q1": "angle"}}, got a {type(given).__name__}')
        found = []
        for name, value in given.items():
            if not isinstance(name, str) or not OWN_NAME.fullmatch(name):
                raise ValueError(f"columns must name t, q1, .., qd1, .., qdd1, .., tau1, .., got {shortened(name)}")
            pair = (value, None) if isinstance(value, str) else value
            if not isinstance(pair, (tuple, list)) or [type(word) for word in pair] not in PAIRS:
                raise TypeError(f"columns[{name!r}] must be a header of the file, or (header, unit), got {value!r}")
            found.append(self._named_column(name, pair[0].strip(), pair[1]))
        if len({column.place for column in found}) < len(found):
            raise ValueError("columns must name each header of the file once, got one for two names")
        return found

    def _named_column(self, name: str, header: str, unit: str | None) -> Column:
        """Return the column that the caller names, in a unit of theirs, or that of the file for None."""
        times = self.header.count(header)
        if times != 1:
            near = listed(difflib.get_close_matches(header, self.header, MAX_LISTED, 0.3) or self.header)
            raise ValueError(
                f"columns[{name!r}] must be a header that line {self.line} has once, got {shortened(header)}, which it has "
                + (f"{times} times" if times else f"not: it has {near}")
            )
        place = self.header.index(header)
        quantity = name.rstrip("0123456789")
        column = self.parsed[place] or Column(place, header, quantity, unit=written_unit(header, quantity))
        if column.quantity != quantity:
            column = replace(column, quantity=quantity, kind="plain", word="", current=False)
        column = replace(column, joint=int(name[len(quantity) :] or 0))
        if unit is None:
            return column
        if unit_of(unit, quantity) is None:
            raise ValueError(_unit_rule(name, quantity, unit))
        return replace(column, unit=unit, current=False)

    def _numbered(self, columns: list[Column]) -> list[Column]:
        """Return the columns with joints from 1 on: some files count from 0."""
        numbered = [column for column in columns if column.index is not None]
        plain = self._start([column for column in numbered if column.kind in ("own", "plain")])
        starts = {"own": plain, "plain": plain, "named": self._start([c for c in numbered if c.kind == "named"])}
        found = []
        for column in columns:
            if column.index is None and column.quantity != "t":
                raise ValueError(
                    f"each joint must have a number, got {shortened(column.header)} ({self._place(column)}), which may be any joint of "
                    f'the arm: columns={{"{column.quantity}1": {shortened(column.header)}, ..}} says in which order they are'
                )
            found.append(
                replace(column, joint=column.index - starts.get(column.kind, 0) + 1 if column.index is not None else 0)
            )
        return found

    def _start(self, group: list[Column]) -> int:
        """Return the number of the first joint, 0 or 1, in columns whose convention allows both."""
        zeros = {(c.quantity, c.current): c for c in group if c.index == 0}
        for column in group:
            if zeros and (column.quantity, column.current) not in zeros:
                zero = next(iter(zeros.values()))
                one = next((c for c in group if c.quantity == zero.quantity and c.index == 1), None)
                other = f"{shortened(one.header)}" if one else "the next"
                name = f"{zero.quantity}1"
                raise ValueError(
                    f"the header must count all joints from 0 or all from 1, got {shortened(zero.header)} ({self._place(zero)}) and "
                    f"{shortened(column.header)} ({self._place(column)}) with none of number 0: {shortened(zero.header)} may be "
                    f'joint 1, or {other}; columns={{"{name}": {shortened(zero.header)}, ..}} or {{"{name}": {other}, ..}} says which'
                )
        return 0 if zeros else 1

    def _once(self, columns: list[Column]) -> list[Column]:
        """Return one column for each quantity of each joint."""
        kept: dict[tuple[str, int], Column] = {}
        for column in columns:
            key = (column.quantity, column.joint)
            kept[key] = self._better(kept[key], column) if key in kept else column
        first: dict[str, Column] = {}
        for column in kept.values():
            other = first.setdefault(column.quantity, column)
            if other.word != column.word:
                raise ValueError(
                    f"{column.quantity} of all joints must have one name, got {shortened(other.header)} ({self._place(other)}) and "
                    f"{shortened(column.header)} ({self._place(column)}), which may be another thing: "
                    f'columns={{"{other.name}": {shortened(other.header)}, "{column.name}": {shortened(column.header)}, ..}} says that '
                    "both are meant, or which are"
                )
        return list(kept.values())

    def _better(self, one: Column, other: Column) -> Column:
        """Return the one of two columns for the same thing that a rule prefers, or refuse both."""
        if one.kind == other.kind == "own":
            raise ValueError(
                f"the header must name {one.name} once, got it twice: line {self.line}, columns {one.place + 1} and {other.place + 1}"
            )
        if one.quantity == "t" and (one.kind in RECEIVED) != (other.kind in RECEIVED):
            return other if one.kind in RECEIVED else one
        if self.currents and one.current != other.current:
            return one if one.current else other
        both = f"{shortened(one.header)} ({self._place(one)}) or {shortened(other.header)} ({self._place(other)})"
        help_ = f'columns={{"{one.name}": {shortened(one.header)}, ..}} or {{"{one.name}": {shortened(other.header)}, ..}} says which'
        more = ", and torque_constants= takes the currents" if one.current != other.current else ""
        raise ValueError(f"the header must name {one.name} once, but {one.name} may be {both}: {help_}{more}")

    def _partner(self, clock: Column | None) -> Column | None:
        """Return the column of nanoseconds beside one of whole seconds."""
        if clock is None or clock.kind != "seconds":
            return None
        prefix = re.split(r"stamp", clock.header, maxsplit=1, flags=re.IGNORECASE)[0]
        known = [column for column in self.parsed if column is not None and column.kind == "nanoseconds"]
        found = [column for column in known if column.header.startswith(prefix)]
        if len(found) != 1:
            raise ValueError(
                f"the header must have one column of nanoseconds beside {shortened(clock.header)} ({self._place(clock)}), "
                f'got {len(found)}: columns={{"t": ..}} names another time'
            )
        return found[0]

    def _check_complete(self, columns: list[Column], n: int, skipped: list[str]) -> None:
        """Say what a recording needs that the header does not name."""
        own = not skipped and all(column.kind == "own" and column.index != 0 for column in columns)
        if own and not n:
            raise ValueError(f"the header must name q1 and tau1 at least, got t alone: line {self.line}")
        missing = _missing({column.name for column in columns}, n)
        if not missing:
            return
        names = ", ".join(missing[:MAX_LISTED]) + ", .." * (len(missing) > MAX_LISTED)
        if own:
            raise ValueError(f"the header must name {names}, too: {n} joints have columns here, line {self.line}")
        got = ""
        example = "'its header'"
        if skipped:
            example = shortened(skipped[0])
            got = f"{example} (line {self.line}, column {self.header.index(skipped[0]) + 1}) and "
        quantity = missing[0].rstrip("0123456789")
        has_unit = skipped and written_unit(skipped[0], quantity)
        value = example if has_unit else f'({example}, "{SI[quantity]}")'
        raise ValueError(
            f'{RULE}, got {got}no {names}: columns={{"{missing[0]}": {value}, ..}} names columns that have other names'
        )

    def _with_written_unit(self, column: Column) -> Column:
        """Return the column with the unit of SI_FACTORS that the header or the line of units has; None for none."""
        texts = [column.unit] if column.unit is not None else []
        below = self.units[column.place] if column.place < len(self.units) else ""
        if below and below != "-":
            texts.append(below)
        found = [unit_of(text, column.quantity) for text in texts]
        for text, unit in zip(texts, found):
            allowed = CURRENTS if column.current else SI_FACTORS[column.quantity]
            if unit not in allowed:
                raise ValueError(
                    f"{_unit_rule(column.name, column.quantity, text, column.current)}: {self._place(column)}"
                )
        if len(set(found)) > 1:
            raise ValueError(
                f"{column.name} must have one unit, got {texts[0]} in line {self.line} and {texts[1]} in the line of units, column "
                f'{column.place + 1}: columns={{"{column.name}": ({shortened(column.header)}, "{found[0]}")}} settles it'
            )
        return replace(column, unit=found[0] if found else None)

    def _with_unit(self, column: Column, columns: list[Column]) -> Column:
        """Return the column with a unit: its own, or that of a convention."""
        if column.unit is not None:
            return column
        unit = self._clock_unit(column, columns) if column.quantity == "t" else self._convention(column)
        if unit is None:
            raise ValueError(f"{RULE}, got {self._readings(column)}")
        return replace(column, unit=unit)

    def _readings(self, column: Column) -> str:
        """Return the words that tell what a column without a unit may be in."""
        one, other = READINGS["current" if column.current else column.quantity]
        pairs = (f'{{"{column.name}": ({shortened(column.header)}, "{unit}"), ..}}' for unit in (one, other))
        return (
            f"{shortened(column.header)} ({self._place(column)}), which may be in {one} or in {other}: "
            f"columns={' or '.join(pairs)} says which"
        )

    def _convention(self, column: Column) -> str | None:
        """Return the unit that a convention has for its names; None where a name belongs to none."""
        if column.kind in ("ros", "named", "libfranka", "rtde"):
            return "A" if column.word in RTDE and column.current else SI[column.quantity]
        if self.franka and column.word in FRANKA:
            return SI[column.quantity]
        if self.ros and column.word.removeprefix("joint_") in ("position", "velocity", "effort"):
            return SI[column.quantity]
        return None

    def _clock_unit(self, column: Column, columns: list[Column]) -> str | None:
        """Return the unit of a time without one, as its first number or a convention tells it; None where neither does."""
        if column.kind in FIXED_CLOCKS:
            return FIXED_CLOCKS[column.kind]
        kinds = {c.kind for c in columns if c.quantity in ("q", "tau")}
        words = {c.word.removeprefix("joint_") for c in columns if c.quantity in ("q", "tau")}
        of_messages = self.ros and kinds == {"plain"} and words <= set(ROS)
        default = None
        if kinds == {"libfranka"}:
            default = "ms"  # as franka::logToCSV writes it
        elif column.kind == "stamp" or kinds == {"rtde"} or kinds <= {"ros", "named"} or of_messages:
            default = "s"
        return unit_of_clock(self.first[column.place], default)

    def _check_order(self, columns: list[Column], named: list[Column]) -> None:
        """Refuse messages of ROS whose joints have names in another order than that of numbers: it is no order of an arm."""
        arrays = [column for column in columns if column.kind == "ros" and column.quantity == "q"]
        if any(column.quantity == "q" for column in named):
            return
        matches = [(JOINT_CELL.fullmatch(head), cell.strip()) for head, cell in zip(self.header, self.first)]
        found = sorted((int(match[1]), cell) for match, cell in matches if match)
        names = [name for _, name in found[: len(arrays)]]
        if not _in_order(names):
            raise ValueError(
                f"the joints must stand in the order of the arm, got {listed(names)}, whose names do not tell it: "
                f'columns={{"q1": {shortened(arrays[0].header)}, ..}} says that it is this one, or which it is'
            )


def _in_order(names: list[str]) -> bool:
    """Tell whether names of joints are one word with the numbers 1, 2, .. or 0, 1, .."""
    numbers = [name[len(name.rstrip("0123456789")) :] for name in names]
    words = {name.rstrip("0123456789") for name in names}
    counted = [[str(k + start) for k in range(len(names))] for start in (0, 1)]
    return len(words) <= 1 and numbers in counted


def _joint_count(columns: list[Column]) -> int:
    return max((column.joint for column in columns), default=0)


def _missing(present: set[str], n: int) -> list[str]:
    """Return the names of a quantity, the first one that lacks some, that a recording of n joints needs beside those that are there."""
    for quantity in SI_FACTORS:
        names = [f"{quantity}{joint}" for joint in range(1, max(n, 1) + 1)] if quantity != "t" else ["t"]
        missing = [name for name in names if name not in present]
        if missing and not (quantity in ("qd", "qdd") and len(missing) == len(names)):
            return missing
    return []


def _unit_rule(name: str, quantity: str, text: str, current: bool = False) -> str:
    units = CURRENTS if current else SI_FACTORS[quantity]
    return f"the unit of {name} must be one of {', '.join(units)}, got {shortened(' '.join(text.split()))}"


def listed(names: list[str]) -> str:
    more = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    return ", ".join(shortened(name) for name in names[:MAX_LISTED]) + more


def shortened(cell: Any) -> str:
    text = cell if isinstance(cell, str) else str(cell)
    return repr(text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "...")
