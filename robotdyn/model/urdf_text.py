"""The text of URDF files: elements, numbers, frames, and what sentences call them."""

from __future__ import annotations

from decimal import Decimal
from os import PathLike
from typing import Any
from xml.etree import ElementTree
from xml.parsers import expat

import numpy as np

from robotdyn.maths.spatial import rotation
from robotdyn.maths.validate import Floats

MAX_NUMBER = 1e50  # products of such numbers are numbers, too; what is larger in a file is a slip


def parse_robot(path: Any) -> Any:
    """Return the root element; prefixes of names mean nothing, as many files use some that they never declare."""
    is_file = hasattr(path, "read")
    if not is_file and not isinstance(path, (str, PathLike)):
        raise TypeError(f"path must be the path of a URDF file, its text, or an open file, got {type(path).__name__}")
    builder = ElementTree.TreeBuilder()
    parser = expat.ParserCreate()
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    try:
        if is_file:
            content = path.read()
            parser.Parse(content, True)
        elif isinstance(path, str) and is_text(path):
            parser.Parse(path, True)
        else:
            with open(path, "rb") as file:
                parser.ParseFile(file)
    except (expat.ExpatError, LookupError, ValueError) as error:  # the last two: encodings that nobody knows
        raise ValueError(f"{title_of(path)} must be a URDF file, got text that is no XML: {error}") from None
    robot = builder.close()
    if robot.tag != "robot":
        raise ValueError(f"{title_of(path)} must be a URDF file, with <robot> around all, got <{robot.tag}>")
    return robot


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
    return getattr(path, "name", "the open file") if hasattr(path, "read") else path


def is_text(path: str) -> bool:
    """Return whether a string is the text of a file rather than its path."""
    return path.lstrip().startswith("<")


def listed(names: list[str], most: int = 12) -> str:
    """Return names with commas between them; of many the first ones, and how many there are."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])}, .. ({len(names)} in all)"


def half_unit(text: str) -> float:
    """Return half a unit of the last digit of a number as it is printed: 0.00005 of 0.0012."""
    exponent = Decimal(text.strip()).as_tuple().exponent
    return 0.5 * 10.0 ** int(exponent)


def _parse_floats(text_or_none: str | None, count: int, what: str) -> Floats:
    text = text_or_none or ""
    try:
        values = np.array([float(word) for word in text.split()])
    except ValueError:
        values = np.zeros(0)
    is_ascii = text.isascii() and "_" not in text  # Python takes 1_000 and the digits of every script for numbers
    if not is_ascii or len(values) != count or not (abs(values) < MAX_NUMBER).all():
        hint = ": expand a xacro file first" if "${" in text else f": below {MAX_NUMBER:g}" if "e" in text else ""
        raise ValueError(f"{what} must be {count} finite number{'s' * (count > 1)}, got {text_or_none!r}{hint}")
    return values
