"""Names that robots and people give to columns:  header -> quantity, number of the joint as the file counts, unit, convention."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from robotdyn.identification.csv_units import unit_of

WORDS = {
    "q": ("q", "position", "pos", "angle", "joint_position", "joint_angle"),
    "qd": ("qd", "dq", "qdot", "q_dot", "velocity", "vel", "joint_velocity"),
    "qdd": ("qdd", "ddq", "qddot", "q_ddot", "acceleration", "joint_acceleration"),
    "tau": ("tau", "torque", "effort", "joint_torque", "joint_effort", "tau_j"),
    "current": ("current", "motor_current", "joint_current"),
}
QUANTITY_OF_WORD = {word: quantity for quantity, words in WORDS.items() for word in words}
RTDE = {"actual_q": "q", "actual_qd": "qd", "target_moment": "tau", "actual_current": "current"}
ROS = {"position": "q", "velocity": "qd", "effort": "tau"}  # of sensor_msgs/JointState
FRANKA = {"q": "q", "dq": "qd", "tau_j": "tau"}  # of franka::RobotState
CLOCKS = ("t", "time", "timestamp", "time_stamp")
OWN_PATTERN = re.compile(r"(t|q|qd|qdd|tau)\s*(\d*)\s*\[([^\]]*)\]")
UNIT_PATTERN = re.compile(r"(.*?)\s*[\[(]([^\[\]()]*)[\])]")
NUMBER = r"(0|[1-9]\d{0,2})"
NUMBERED = re.compile(rf"(.*[/.])?([a-z_]+?)(?:_?{NUMBER}|\[{NUMBER}\]|\({NUMBER}\)|\.{NUMBER})")
JOINT_FIRST = re.compile(rf"(?:joint|axis|j)_?{NUMBER}[_. ]([a-z_]+)")
NAMED_JOINT = re.compile(r"((?:.*/)?)([^/]+)/(position|velocity|effort)")
JOINT_NAME = re.compile(rf"(.*?){NUMBER}", re.DOTALL)
ROS_PREFIX = re.compile(r"\.|(?:.*[/.])?(?:field|joint_states?|msg|data)[/.]")
STAMP = re.compile(r"(.*?)header[./_]stamp(?:[./_](secs?|nsecs?|nanosecs?))?")
MAX_NAME = 200  # characters


@dataclass(frozen=True)
class Column:
    """What a header says.

    place: of the column, from 0; header: as it stands in the file; quantity: t, q, qd, qdd or tau; index: of the joint as the
    file counts, None for the time and where a name has none; unit: as written, None for none; kind: own, plain, named, ros,
    rtde or libfranka, of a time also %time, __time, stamp, stamp ns, seconds, nanoseconds; word: the name without number and unit;
    current: whether it is one by its name; joint: from 1 on, when it is known.
    """

    place: int
    header: str
    quantity: str
    index: int | None = None
    unit: str | None = None
    kind: str = "plain"
    word: str = ""
    current: bool = False
    joint: int = 0

    @property
    def name(self) -> str:
        """What the project calls it, as q1."""
        return f"{self.quantity}{self.joint or ''}"


def column_of(place: int, header: str) -> Column | None:
    """Return what a header says, None for a name that is not known."""
    if len(header) > MAX_NAME:
        return None
    own = OWN_PATTERN.fullmatch(header)
    if own and (own[2] or not own[3].isdigit()):  # q[0] has a number, no unit
        return _own(place, own)
    with_unit = UNIT_PATTERN.fullmatch(header)
    unit = with_unit[2] if with_unit and not with_unit[2].strip().isdigit() else None
    name = with_unit[1] if with_unit and unit is not None else header
    if found := _known(name):
        return replace(found, place=place, header=header, unit=unit)
    if unit is None:  # velocity_1_rad/s
        for cut in (k for k, letter in enumerate(name) if letter == "_"):
            found = _known(name[:cut])
            if found and unit_of(name[cut + 1 :], found.quantity):
                return replace(found, place=place, header=header, unit=name[cut + 1 :])
    return None


def written_unit(header: str, quantity: str) -> str | None:
    """Return the unit in brackets behind a name that need not be known, None where there is none of this quantity."""
    found = UNIT_PATTERN.fullmatch(header)
    return found[2] if found and unit_of(found[2], quantity) else None


def _own(place: int, found: re.Match[str]) -> Column | None:
    """Return what a header of the project's own form says; None where the number of a joint cannot be."""
    number = found[2]
    if (found[1] == "t") != (not number):
        return None
    if number and not re.fullmatch(NUMBER, number):
        return None
    return Column(place, found[0], found[1], int(number) if number else None, found[3], "own", found[1])


def _known(name: str) -> Column | None:
    """Return what a name without a unit says."""
    word = name.strip().lower()
    if clock := _clock(word, name.strip()):
        return Column(0, name, "t", kind=clock, word=word)
    if found := JOINT_FIRST.fullmatch(word):
        return _joint(QUANTITY_OF_WORD.get(found[2]), found[2], int(found[1]), "plain")
    if found := NUMBERED.fullmatch(word):
        index = int(next(number for number in found.groups()[2:] if number))
        prefix = found[1] or ""
        word = found[2]
        if not prefix and word in RTDE:
            return _joint(RTDE[word], word, index, "rtde")
        if not prefix:
            return _joint(QUANTITY_OF_WORD.get(word), word, index, "plain")
        if prefix == "state.":
            return _joint(FRANKA.get(word), prefix + word, index, "libfranka")
        if ROS_PREFIX.fullmatch(prefix):
            return _joint(ROS.get(word), prefix + word, index, "ros")
        return None
    if found := NAMED_JOINT.fullmatch(word):
        number = JOINT_NAME.fullmatch(found[2])
        topic_and_name = found[1] + (number[1] if number else found[2])
        return _joint(ROS[found[3]], f"{topic_and_name}/{found[3]}", int(number[2]) if number else None, "named")
    return None


def _joint(quantity: str | None, word: str, index: int | None, kind: str) -> Column | None:
    if quantity is None:
        return None
    current = quantity == "current"
    return Column(0, word, "tau" if current else quantity, index, None, kind, word, current)


def _clock(word: str, name: str) -> str | None:
    """Return the kind of a name of times; T alone may be a temperature or a torque."""
    if word in CLOCKS:
        return "plain" if name != "T" else None
    if word in ("%time", "__time"):
        return word
    stamp = STAMP.fullmatch(word)
    if not stamp:
        return None
    if stamp[2]:
        return "seconds" if stamp[2].startswith("s") else "nanoseconds"
    return "stamp ns" if stamp[1] == "field." else "stamp"
