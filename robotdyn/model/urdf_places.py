"""Where URDF files come from besides a path:  a package of ROS, a xacro file, the package robot_descriptions."""

from __future__ import annotations

import importlib
import io
import os
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from robotdyn.maths.validate import in_short
from robotdyn.model.urdf_text import is_text

Packages = Mapping[str, str | PathLike[str]] | None


def located(path: Any, packages: Packages = None) -> Any:
    """Return a path, or an open file, of what `Arm.from_urdf` takes as its path."""
    if not isinstance(path, (str, PathLike)) or is_text(str(path)):
        return path
    if packages is not None and not isinstance(packages, Mapping):
        raise TypeError(f"packages must be a mapping, {{name: folder}}, got {in_short(packages)}")
    name = str(path)
    if name.startswith("file://"):
        name = path = unquote(name.removeprefix("file://"))
    if name.startswith(("http://", "https://")):
        raise ValueError(f"path must be a file of this machine, got the address {name}: download it first")
    if name.startswith("~"):
        name = path = os.path.expanduser(name)
    if name.startswith(("package://", "model://")):
        path = _in_package(name, packages or {})
    elif name.endswith("_description") and name.isidentifier() and not Path(name).exists():
        path = _described(name)
    return _expanded(str(path)) if str(path).endswith(".xacro") else path


def _in_package(address: str, packages: Mapping[str, str | PathLike[str]]) -> Path:
    name, _, inside = address.partition("://")[2].partition("/")
    around = [folder for folder in os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep) if folder]
    places = [Path(packages[name])] if name in packages else [Path(folder) / name for folder in around]
    for place in places:
        for file in (place / inside, place / unquote(inside)):
            if file.is_file():
                return file
    raise FileNotFoundError(
        f"path must be a file of a package, got none at {address}: give its folder, packages={{{name!r}: folder}}, "
        "or one that holds it in ROS_PACKAGE_PATH"
    )


def _described(name: str) -> Path:
    try:
        importlib.import_module("robot_descriptions")
    except ImportError:
        raise ImportError(
            f"{name} is no file; robots by name need robot_descriptions: pip install robot_descriptions"
        ) from None
    try:
        module = importlib.import_module(f"robot_descriptions.{name}")
    except Exception as error:  # it fetches a robot when it is asked first, which fails in many ways
        raise ValueError(
            f"{name} must be a file, or a robot that robot_descriptions has, got its error: {error}"
        ) from None
    for key in ("URDF_PATH", "XACRO_PATH"):
        if hasattr(module, key):
            return Path(getattr(module, key))
    raise ValueError(f"{name} must be a robot that has a URDF file, got one without: rd.from_mjcf reads its MJCF_PATH")


def _expanded(path: str) -> io.StringIO:
    """Return what a xacro file says, as a file that has its name."""
    try:
        import xacro
    except ImportError:
        raise ImportError(f"{path} must be expanded by xacro, which is not installed: pip install xacro") from None
    try:
        text = xacro.process_file(path).toxml()
    except Exception as error:  # its own errors have no common class
        reason = " ".join(str(error).split())
        hint = ": write the folder of the package in place of $(find ..)" if "ament_index" in reason else ""
        raise ValueError(f"{path} must be a file that xacro expands, got its error: {reason}{hint}") from None
    file = io.StringIO(text)
    file.name = path
    return file
