"""The text of URDF files: elements, numbers, frames, and what sentences call them."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.parsers import expat

import numpy as np

from robotdyn.maths.spatial import rotation
from robotdyn.maths.validate import Floats

BLANK = "\ufeff \t\r\n"  # what may stand before the first < of a text: its byte order mark, too
MAX_SHOWN = 80  # characters of what was given that a sentence shows
MAX_POWER = 300.0  # of ten, of a unit: 0e999 is a number, too
MAX_NUMBER = 1e50  # products of such numbers are numbers, too; what is larger in a file is a slip
NOT_XML = {
    b"version https://git-lfs": "a file that Git LFS has not fetched, git lfs pull does it",
    b"PK": "a packed file, unpack it first",
    b"\x1f\x8b": "a packed file, unpack it first",
}
OTHER_FORMATS = {
    "mujoco": ": rd.from_mjcf reads MuJoCo's files",
    "sdf": ": Gazebo's own format; give the URDF file that it was made from, or convert it to MJCF (sdf2mjcf of Gazebo's "
    "sdformat-mjcf) for rd.from_mjcf",
}


def parse_robot(path: Any) -> Any:
    """Return the root element; prefixes of names mean nothing, as many files use some that they never declare."""
    content = _content(path)
    builder = ElementTree.TreeBuilder()
    parser = expat.ParserCreate("utf-8" if isinstance(content, str) else None)  # a text's declaration means its file
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, LookupError, ValueError) as error:  # the last two: encodings that nobody knows
        raise ValueError(
            f"{title_of(path)} must be a URDF file, got text that is no XML: {error}{_hint(content, error)}"
        ) from None
    robot = builder.close()
    if robot.tag != "robot":
        raise ValueError(
            f"{title_of(path)} must be a URDF file, with <robot> around all, got <{shortened(str(robot.tag))}>"
            f"{OTHER_FORMATS.get(robot.tag, '')}"
        )
    return robot


def _hint(content: str | bytes, error: Exception) -> str:
    """Return what a content that is no XML may be, where that can be seen."""
    raw = content.encode(errors="replace") if isinstance(content, str) else content
    if not raw.strip():
        return ": it is empty"
    for begin, hint in NOT_XML.items():
        if raw.startswith(begin):
            return f": {hint}"
    place = raw.splitlines()[max(getattr(error, "lineno", 1) - 1, 0) :][:1]
    if isinstance(content, bytes) and not raw[:200].startswith(b"<?xml") and place and not place[0].isascii():
        return ': a file that is not UTF-8 says so in its first line, <?xml version="1.0" encoding="latin-1"?>'
    return ""


def _content(path: Any) -> str | bytes:
    """Return what a file holds, given its path, its text or the file, open."""
    if hasattr(path, "read"):
        try:
            content = path.read()
        except UnicodeDecodeError as error:
            raise ValueError(
                f'{title_of(path)} must hold text in the encoding that it is opened with, got an error: {error}; open it with "rb"'
            ) from None
        except ValueError as error:  # closed, or open for writing
            raise ValueError(
                f"{title_of(path)} must be a file that is open for reading, got an error: {error}"
            ) from None
        if not isinstance(content, (str, bytes)):
            raise TypeError(
                f"{title_of(path)} must be an open file whose read() gives text or bytes, got {type(content).__name__}"
            )
        return content
    if not isinstance(path, (str, PathLike)):
        raise TypeError(f"path must be the path of a URDF file, its text, or an open file, got {type(path).__name__}")
    if isinstance(path, str) and is_text(path):
        return path.lstrip(BLANK)
    try:
        with open(path, "rb") as file:
            return file.read().lstrip(BLANK[1:].encode())
    except (OSError, ValueError) as error:  # the last one: a zero byte in a path
        reason = error.strerror if isinstance(error, OSError) else error
        sentence = (
            "path must be the path of a URDF file, its text, which begins with <, or an open file, "
            f"got {shortened(str(path))!r}: {reason}"
        )
        raise (type(error) if isinstance(error, OSError) else ValueError)(sentence) from None


def frame_of(element: Any, where: str) -> Any:
    """Return R, p of an <origin>: fixed-axis roll, pitch, yaw, so R = Rz(yaw) Ry(pitch) Rx(roll)."""
    origin = element.find("origin")
    roll, pitch, yaw = triple_of(origin, "rpy", f"origin of {where}", "0 0 0")
    x, y, z = np.eye(3)
    turn = rotation(z, yaw) @ rotation(y, pitch) @ rotation(x, roll)
    return turn, triple_of(origin, "xyz", f"origin of {where}", "0 0 0")


def required_child(element: Any, name: str, where: str) -> Any:
    """Return the first child of this name, or say that it is missing."""
    part = element.find(name)
    if part is None:
        raise ValueError(f"{where} must have a <{name}> in its <{element.tag}>, got none")
    return part


def number_of(element: Any, key: str, where: str, default: str | None = None) -> float:
    """Return the number of an attribute; where: what a sentence calls the element's owner."""
    text = element.get(key, default)
    return _parse_floats(text, 1, f"{key} of <{element.tag}> of {where}")[0]


def triple_of(element: Any, key: str, where: str, default: str) -> Floats:
    """Return the three numbers of an attribute, those of `default` where the element or the attribute is missing."""
    text = default if element is None else element.get(key, default)
    return _parse_floats(text, 3, f"{key} of {where}")


def title_of(path: Any) -> Any:
    """Return what sentences call a file: its path, or that it is a text or an open file."""
    if isinstance(path, str) and is_text(path):
        return "the text"
    if hasattr(path, "read"):
        name = getattr(path, "name", None)
        return name if isinstance(name, str) else "the open file"
    return path


def folder_of(path: Any) -> Path:
    """Return the folder that a file lies in; of a text, or a file without a name, the one where Python runs."""
    place = getattr(path, "name", None) if hasattr(path, "read") else path
    if isinstance(place, PathLike) or (isinstance(place, str) and not is_text(place)):
        return Path(place).absolute().parent
    return Path.cwd()


def shortened(text: str) -> str:
    """Return the beginning of a text that is too long for a sentence."""
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 2] + ".."


def is_text(path: str) -> bool:
    """Return whether a string is the text of a file rather than its path."""
    return path.lstrip(BLANK).startswith("<")


def listed(names: list[str], most: int = 12) -> str:
    """Return names with commas between them; of many the first ones, and how many there are."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])}, .. ({len(names)} in all)"


def half_unit(text: str) -> float:
    """Return half a unit of the last digit of a number as it is printed: 0.00005 of 0.0012."""
    mantissa, _, exponent = text.strip().lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    power = float(exponent or 0) - decimals  # an exponent may have any number of digits
    return 0.5 * 10.0 ** max(min(power, MAX_POWER), -MAX_POWER)


def _parse_floats(text_or_none: str | None, count: int, what: str) -> Floats:
    text = text_or_none or ""
    try:
        values = np.array([float(word) for word in text.split()])
    except ValueError:
        values = np.zeros(0)
    is_ascii = text.isascii() and "_" not in text  # Python takes 1_000 and the digits of every script for numbers
    if not is_ascii or len(values) != count or not (abs(values) < MAX_NUMBER).all():
        shown = "none" if text_or_none is None else repr(shortened(text_or_none))
        raise ValueError(
            f"{what} must be {count} finite number{'s' * (count > 1)}, got {shown}{_number_hint(text_or_none)}"
        )
    return values


def _number_hint(text: str | None) -> str:
    """Return what to write in place of a text that is no number, where that can be seen."""
    if text is None:
        return ": it stands in an attribute, not inside of an element"
    if "${" in text or "$(" in text:
        return ": expand a xacro file first"
    if "," in text:
        return ": blanks separate numbers, and a point their decimals"
    return f": below {MAX_NUMBER:g}" if "e" in text.lower() else ""
