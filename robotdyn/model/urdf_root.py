"""Where a robot of a URDF file begins:  the whole of it or what a link carries, fixed or floating; six joints are one that floats."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element, SubElement

from robotdyn.model.joints import FREE_MOTION
from robotdyn.model.urdf_text import listed, shortened


def set_root(robot: Any, path: Any, root: str | None, floating: bool) -> None:
    """Change the elements of a file as `Arm.from_urdf` was asked to: what stands in it then is read as in any file."""
    if not isinstance(floating, bool):
        raise TypeError(f"floating must be True or False, got {shortened(repr(floating))}")
    if root is not None:
        _keep_what_it_carries(robot, path, root)
    if floating:
        _let_root_float(robot, path)
    for joint in robot.findall("joint"):
        if joint.get("type") == "floating" and None not in _ends(joint):
            _make_six(robot, joint)


def _ends(joint: Any) -> list[str | None]:
    """Return the links before and behind a joint, None for one that is missing."""
    return [None if end is None else end.get("link") for end in (joint.find("parent"), joint.find("child"))]


def _keep_what_it_carries(robot: Any, path: Any, root: str) -> None:
    names = [link.get("name") for link in robot.findall("link")]
    if root not in names:
        raise ValueError(f"root must be a link of {path}, got {shortened(repr(root))}; there are {listed(names)}")
    carried: dict[str | None, list[str | None]] = {}
    for parent, child in map(_ends, robot.findall("joint")):
        carried.setdefault(parent, []).append(child)
    kept: dict[str | None, None] = {root: None}
    waiting: list[str | None] = [root]
    while waiting:
        found = [child for child in carried.get(waiting.pop(), ()) if child not in kept]
        kept |= dict.fromkeys(found)
        waiting += found
    for link in robot.findall("link"):
        if link.get("name") not in kept:
            robot.remove(link)
    for joint in robot.findall("joint"):
        parent, child = _ends(joint)
        if parent not in kept or child == root:
            robot.remove(joint)


def _let_root_float(robot: Any, path: Any) -> None:
    """Put a floating joint before the root; a file with several roots, or none, is told as that later.

    Raises ValueError where a root without mass carries a floating joint: twelve coordinates would move one body.
    """
    carried = {_ends(joint)[1] for joint in robot.findall("joint")}
    names = [link.get("name") for link in robot.findall("link")]
    roots = [name for name in names if name not in carried]
    if len(roots) == 1 and roots[0] is not None:
        _refuse_second_float(robot, path, roots[0])
        world = next(word for word in ("world", *(f"world_{i}" for i in range(len(names)))) if word not in names)
        SubElement(robot, "link", name=world)
        joint = SubElement(robot, "joint", name=roots[0], type="floating")
        SubElement(joint, "parent", link=world)
        SubElement(joint, "child", link=roots[0])


def _refuse_second_float(robot: Any, path: Any, root: str) -> None:
    massless = all(link.find("inertial") is None for link in robot.findall("link") if link.get("name") == root)
    for joint in robot.findall("joint"):
        if massless and joint.get("type") == "floating" and _ends(joint)[0] == root:
            raise ValueError(
                f"floating=True is for a root that stands still, got {path}, whose joint {joint.get('name')} lets it float: "
                f"leave floating=True out, or say root={_ends(joint)[1]!r}"
            )


def _free_name(robot: Any, name: str) -> str:
    """Return a name that no link and no joint of a file has."""
    taken = {element.get("name") for kind in ("link", "joint") for element in robot.findall(kind)}
    while name in taken:
        name += "_"
    return name


def _make_six(robot: Any, joint: Any) -> None:
    """Put slides and hinges, with links without mass between them, in the place of a floating joint; it keeps its origin."""
    carrier, child = _ends(joint)
    place = list(robot).index(joint)
    robot.remove(joint)
    words = list(FREE_MOTION)
    for number, word in enumerate(words):
        kind, axis = FREE_MOTION[word]
        name = _free_name(robot, f"{joint.get('name') or child}_{word}")
        link = name if word != words[-1] else child
        one = Element("joint", name=name, type="prismatic" if kind == "prismatic" else "continuous")
        if number == 0:
            one.extend(joint.findall("origin"))
        for end, of in (("parent", carrier), ("child", link)):
            SubElement(one, end, {} if of is None else {"link": of})
        SubElement(one, "axis", xyz=" ".join(map(str, axis)))
        robot.insert(place + number, one)  # where branches keep their order
        if link == name:
            SubElement(robot, "link", name=name)
        carrier = link
