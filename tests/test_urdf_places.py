"""Where URDF files come from: a package of ROS, a xacro file, the package robot_descriptions; and the sentence where one is missing."""

import importlib
import sys
import types

import pytest

import robotdyn as rd

BODY = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
MESH = "<visual><geometry><mesh filename='package://nowhere/none.dae'/></geometry></visual>"
TEXT = (
    f"<robot name='r'><link name='a'/><link name='b'>{BODY}{MESH}</link>"
    "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint></robot>"
)


@pytest.fixture
def share(tmp_path):
    """A folder that holds the package my_robot, with a URDF file and a xacro file."""
    folder = tmp_path / "share" / "my_robot" / "urdf"
    folder.mkdir(parents=True)
    (folder / "my.urdf").write_text(TEXT, encoding="utf-8")
    xacro = TEXT.replace("<robot", "<robot xmlns:xacro='http://www.ros.org/wiki/xacro'").replace(
        'value="1"', 'value="${m}"'
    )
    xacro = xacro.replace("<link name='a'/>", "<xacro:property name='m' value='${1 + 2}'/><link name='a'/>")
    (folder / "my.urdf.xacro").write_text(xacro, encoding="utf-8")
    return tmp_path / "share"


def test_a_package(share, monkeypatch):
    """By its folder, or by a folder of packages in ROS_PACKAGE_PATH; its meshes are nowhere."""
    packages = {"my_robot": share / "my_robot"}
    assert rd.Arm.from_urdf("package://my_robot/urdf/my.urdf", packages=packages) == rd.Arm.from_urdf(TEXT)
    with pytest.raises(
        FileNotFoundError,
        match=r"path must be a file of a package, got none at package://my_robot/urdf/my.urdf: give its",
    ):
        rd.Arm.from_urdf("package://my_robot/urdf/my.urdf")
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"/nowhere:{share}")
    assert rd.Arm.from_urdf("package://my_robot/urdf/my.urdf").joint_names == ("j",)
    with pytest.raises(FileNotFoundError, match=r"none\.dae"):
        rd.show.shapes_of_urdf("package://my_robot/urdf/my.urdf")


def test_addresses(share):
    """Of a file, of Gazebo's models, and with %20 for a blank; of another machine nothing is fetched."""
    packages = {"my robot": share / "my robot"}
    (share / "my_robot").rename(share / "my robot")
    for address in ("package://my robot/urdf/my.urdf", "model://my robot/urdf/my.urdf"):
        assert rd.Arm.from_urdf(address, packages=packages) == rd.Arm.from_urdf(TEXT)
    path = share / "my robot" / "urdf" / "my.urdf"
    assert rd.Arm.from_urdf(path.as_uri()) == rd.Arm.from_urdf(f"file://{path}") == rd.Arm.from_urdf(TEXT)
    path.rename(path.with_name("my arm.urdf"))
    assert rd.Arm.from_urdf("package://my robot/urdf/my%20arm.urdf", packages=packages) == rd.Arm.from_urdf(TEXT)
    with pytest.raises(
        ValueError, match=r"path must be a file of this machine, got the address https://x.org/a.urdf: dow"
    ):
        rd.Arm.from_urdf("https://x.org/a.urdf")
    with pytest.raises(TypeError, match=r"packages must be a mapping, {name: folder}, got '/share'"):
        rd.Arm.from_urdf("package://my robot/urdf/my.urdf", packages="/share")


def test_the_home_of_a_user(share, monkeypatch):
    """A tilde before a path, as a shell reads it; its meshes lie beside it."""
    monkeypatch.setenv("HOME", str(share))
    monkeypatch.setenv("USERPROFILE", str(share))
    assert rd.Arm.from_urdf("~/my_robot/urdf/my.urdf") == rd.Arm.from_urdf(TEXT)
    (share / "my_robot" / "urdf" / "ball.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", encoding="utf-8")
    beside = TEXT.replace("package://nowhere/none.dae", "ball.obj")
    (share / "my_robot" / "urdf" / "my.urdf").write_text(beside, encoding="utf-8")
    assert len(rd.show.shapes_of_urdf("~/my_robot/urdf/my.urdf")[1].faces) == 1


def test_a_xacro_file(share):
    """Expanded by xacro; what it cannot expand is told with its error."""
    pytest.importorskip("xacro", reason="xacro is missing: make peers")
    path = share / "my_robot" / "urdf" / "my.urdf.xacro"
    arm = rd.Arm.from_urdf(path)
    assert arm.links[0].mass == 3 and arm == rd.Arm.from_urdf(TEXT.replace('value="1"', 'value="3"'))
    path.write_text(path.read_text(encoding="utf-8").replace("${1 + 2}", "${1 +}"), encoding="utf-8")
    with pytest.raises(ValueError, match=r"my.urdf.xacro must be a file that xacro expands, got its error: "):
        rd.Arm.from_urdf(path)


def test_what_xacro_says_is_read(share, monkeypatch):
    """A stand-in for xacro: its text is that of the file, whose name sentences have."""
    path = share / "my_robot" / "urdf" / "my.urdf.xacro"
    document = types.SimpleNamespace(toxml=lambda: TEXT.replace("continuous", "planar"))
    monkeypatch.setitem(sys.modules, "xacro", types.SimpleNamespace(process_file=lambda given: document))
    with pytest.raises(
        ValueError, match="joint j must be fixed, floating, revolute, continuous or prismatic to lie on the chain to b"
    ):
        rd.Arm.from_urdf(path)
    document.toxml = lambda: "<model/>"
    with pytest.raises(ValueError, match=r"my.urdf.xacro must be a URDF file, with <robot> around all, got <model>"):
        rd.Arm.from_urdf(path)
    lost = types.SimpleNamespace(process_file=lambda given: importlib.import_module("ament_index_python"))
    monkeypatch.setitem(sys.modules, "ament_index_python", None)
    monkeypatch.setitem(sys.modules, "xacro", lost)
    with pytest.raises(
        ValueError, match=r"ament_index_python.*: write the folder of the package in place of \$\(find ..\)"
    ):
        rd.Arm.from_urdf(path)
    monkeypatch.setitem(sys.modules, "xacro", None)
    with pytest.raises(
        ImportError, match=r"my.urdf.xacro must be expanded by xacro, which is not installed: pip install xacro"
    ):
        rd.Arm.from_urdf(path)


def test_a_robot_by_its_name(share, monkeypatch):
    """A stand-in for robot_descriptions, whose modules tell where a robot's file is."""
    folder = share / "my_robot" / "urdf"
    monkeypatch.setitem(sys.modules, "robot_descriptions", None)
    with pytest.raises(
        ImportError, match="my_description is no file; robots by name need robot_descriptions: pip install"
    ):
        rd.Arm.from_urdf("my_description")
    package = types.ModuleType("robot_descriptions")
    package.__path__ = []
    monkeypatch.setitem(sys.modules, "robot_descriptions", package)
    with pytest.raises(
        ValueError, match="my_description must be a file, or a robot that robot_descriptions has, got its error"
    ):
        rd.Arm.from_urdf("my_description")
    module = types.SimpleNamespace(URDF_PATH=str(folder / "my.urdf"))
    monkeypatch.setitem(sys.modules, "robot_descriptions.my_description", module)
    assert rd.Arm.from_urdf("my_description") == rd.Arm.from_urdf(TEXT)
    monkeypatch.setitem(sys.modules, "robot_descriptions.my_description", types.SimpleNamespace(MJCF_PATH="my.xml"))
    with pytest.raises(
        ValueError, match=r"my_description must be a robot that has a URDF file, got one without: rd.from_mjcf"
    ):
        rd.Arm.from_urdf("my_description")


def test_a_file_may_be_called_like_a_robot(share, monkeypatch):
    """What is there is read."""
    (share / "my_description").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(share)
    assert rd.Arm.from_urdf("my_description") == rd.Arm.from_urdf(TEXT)
