"""What stands in a URDF file may come as a path, a text or an open file; what is none of them, or no number, is told in a sentence."""

import io
import warnings

import numpy as np
import pytest

import robotdyn as rd


def robot(ixx="0.01", mass="1", axis="0 0 1", more=""):
    """A hinge with one link, as a text."""
    return (
        '<robot name="arm"><link name="base"/><link name="rod"><inertial>'
        f'<mass value="{mass}"/><inertia ixx="{ixx}" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        '<joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/>'
        f'<axis xyz="{axis}"/></joint>{more}</robot>'
    )


PLAIN = rd.Arm.from_urdf(robot())


class Given:
    """A file whose read() gives what it was given."""

    def __init__(self, content):
        self.content = content

    def read(self):
        return self.content


def test_a_path_a_text_and_a_file_are_one_arm(tmp_path):
    """With a byte order mark or without, with blank lines before it, in characters or in bytes, whatever encoding it declares."""
    path = tmp_path / "arm.urdf"
    path.write_text(robot(), encoding="utf-8-sig")
    declared = f'\n  <?xml version="1.0" encoding="iso-8859-1"?>{robot()}'
    named = robot().replace('"rod"', '"Glied ä"')
    with open(path, "rb") as file:
        arms = [path, str(path), "\ufeff" + robot(), declared, named, file, io.StringIO("\ufeff" + robot())]
        arms += [io.BytesIO(robot().encode("utf-8-sig")), io.BytesIO(named.replace("arm", "ä").encode())]
        for given in arms:
            assert rd.Arm.from_urdf(given) == PLAIN
    assert rd.Arm.from_urdf(declared.replace('"rod"', '"Glied ä"'), "Glied ä") == PLAIN


@pytest.mark.parametrize(
    "number", ["0e999", "0e-999999999", "0e99999999999999999999", "0e" + "9" * 5000, "0E+5", "1e-400"]
)
def test_any_zero_is_a_number(number):
    """However large its exponent is."""
    assert rd.Arm.from_urdf(robot(mass="0", ixx="0.01").replace('ixy="0"', f'ixy="{number}"')) == rd.Arm.from_urdf(
        robot(mass="0")
    )


@pytest.mark.parametrize("axis", ["1e-300 0 0", "1e-170 1e-170 0", "3e40 4e40 0", "5e-324 0 0"])
def test_an_axis_of_any_length_is_a_direction(axis):
    """Also one whose square is no number."""
    x = np.array(axis.split(), float) / max(map(float, axis.split()))
    assert np.allclose(rd.Arm.from_urdf(robot(axis=axis)).links[0].axis, x / np.linalg.norm(x))


class Unreadable(io.StringIO):
    """A file that was opened for writing."""

    def read(self, *_):
        raise io.UnsupportedOperation("not readable")


def closed():
    """A file that was closed."""
    file = io.StringIO(robot())
    file.close()
    return file


LEAF = "path must be the path of a URDF file, its text, which begins with <, or an open file, got "
SENTENCES = [
    (lambda p: "robot", FileNotFoundError, LEAF + "'robot': No such file"),
    (lambda p: "", FileNotFoundError, LEAF + "'': No such file"),
    (lambda p: "a" * 100_000, OSError, LEAF + f"'{'a' * 78}..': File name too long"),
    (lambda p: "a\0b", ValueError, LEAF + r"'a\x00b': embedded null byte"),
    (lambda p: p, IsADirectoryError, "Is a directory"),
    (lambda p: closed(), ValueError, "the open file must be a file that is open for reading, got an error: I/O operation on closed file"),
    (lambda p: Unreadable(), ValueError, "must be a file that is open for reading, got an error: not readable"),
    (lambda p: io.TextIOWrapper(io.BytesIO(b"<robot name='\xff'/>"), "utf-8"), ValueError,
     "the open file must hold text in the encoding that it is opened with, got an error: 'utf-8' codec"),
    (lambda p: Given(None), TypeError, "the open file must be an open file whose read() gives text or bytes, got NoneType"),
    (lambda p: Given(5), TypeError, "whose read() gives text or bytes, got int"),
    (lambda p: io.StringIO(""), ValueError, "the open file must be a URDF file, got text that is no XML: no element found"),
    (lambda p: None, TypeError, "path must be the path of a URDF file, its text, or an open file, got NoneType"),
    (lambda p: robot().encode(), TypeError, "or an open file, got bytes"),
    (lambda p: f"<{'x' * 500}/>", ValueError, f"the text must be a URDF file, with <robot> around all, got <{'x' * 78}..>"),
    (lambda p: robot(axis="0 0 0"), ValueError, "axis of joint hinge of the text must have a direction, got 0 0 0"),
    (lambda p: robot(axis="a b c"), ValueError, "xyz of axis of joint hinge of the text must be 3 finite numbers, got 'a b c'"),
    (lambda p: robot(mass="9" * 5000), ValueError, f"must be 1 finite number, got '{'9' * 78}..'"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "kind", "sentence"), SENTENCES, ids=range(len(SENTENCES)))
def test_what_is_no_file_is_told(tmp_path, make, kind, sentence):
    """In a sentence, short however long the text is, of all that reads a file."""
    for read in (
        rd.Arm.from_urdf,
        *([] if "axis" in sentence else [rd.show.shapes_of_urdf]),
    ):  # a picture asks for no axis
        with pytest.raises(kind) as caught:
            read(make(tmp_path))
        assert sentence in str(caught.value) and len(str(caught.value)) < 300 + len(str(tmp_path))


@pytest.mark.parametrize("wrong", [np.ones(3), [1, 2], None, 5, "near", np.ones(10_000)])
def test_a_wrong_word_for_inertias_is_told(wrong):
    """An array, too, which is equal to no word."""
    with pytest.raises(ValueError, match=r'inertias must be "given" or "nearest", got') as caught:
        rd.Arm.from_urdf(robot(), inertias=wrong)
    assert len(str(caught.value)) < 200
    with pytest.raises(TypeError, match="tip must be the name of one link, or a list of names, got array"):
        rd.Arm.from_urdf(robot(), np.ones(3))


def test_a_warning_names_the_text_and_does_not_repeat_it():
    """Of inertias that rounding explains, and of branches that would move."""
    branch = '<link name="b"/><joint name="b" type="revolute"><parent link="base"/><child link="b"/><mimic joint="hinge"/></joint>'
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rd.Arm.from_urdf(robot(ixx="0.0201", more=branch), "rod")
    said = [str(x.message) for x in caught]
    assert len(said) == 2 and all(x.startswith("the text: ") and len(x) < 400 for x in said)


def test_meshes_of_a_text_are_looked_for_where_python_runs(tmp_path, monkeypatch):
    """And those of an open file beside it."""
    ball = "".join(
        f"facet normal 0 0 0\nouter loop\nvertex {a}\nvertex {b}\nvertex {c}\nendloop\nendfacet\n"
        for a, b, c in (("0 0 0", "1 0 0", "0 1 0"),)
    )
    (tmp_path / "part.stl").write_text(f"solid part\n{ball}endsolid part\n", encoding="utf-8")
    shown = '<visual><geometry><mesh filename="part.stl"/></geometry></visual></link>'
    text = robot().replace("</inertial></link>", f"</inertial>{shown}")
    path = tmp_path / "arm.urdf"
    path.write_text(text, encoding="utf-8")
    with open(path, encoding="utf-8") as file:
        assert len(rd.show.shapes_of_urdf(file)[1].faces) == len(rd.show.shapes_of_urdf(path)[1].faces) == 1
    with pytest.raises(
        FileNotFoundError, match=r"visual of link rod of the text must be a file, got none at part\.stl"
    ):
        rd.show.shapes_of_urdf(text)
    monkeypatch.chdir(tmp_path)
    assert len(rd.show.shapes_of_urdf(text)[1].faces) == 1
