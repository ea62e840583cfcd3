"""Inertias that no body has: refused by name, taken where printed digits explain them, or replaced by the nearest on request."""

import warnings

import numpy as np
import pytest

import robotdyn as rd
from robotdyn.maths.spatial import rotation
from robotdyn.model.possible_inertia import inertia_within, nearest_inertia


def possible(inertia):
    """Whether a body has such an inertia about its center of mass: second moments without a negative one."""
    return np.linalg.eigvalsh(np.trace(inertia) / 2 * np.eye(3) - inertia).min() >= -1e-12 * abs(inertia).max()


def test_the_nearest_is_a_body_and_nothing_is_nearer():
    """Random matrices: no body that is tried is nearer, by the norm of the second moments; a body stays as it is."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        A = rng.normal(size=(3, 3))
        I = A + A.T
        found = nearest_inertia(I)
        assert possible(found)
        sigma = lambda x: np.trace(x) / 2 * np.eye(3) - x
        distance = np.linalg.norm(sigma(found) - sigma(I))
        for _ in range(30):
            B = rng.normal(size=(3, 3)) * rng.uniform(0, 1)
            other = sigma(found) + rng.uniform(-0.1, 0.1) * (B @ B.T)
            if np.linalg.eigvalsh(other).min() >= 0:
                assert np.linalg.norm(other - sigma(I)) >= distance - 1e-12
        assert np.allclose(nearest_inertia(found), found, atol=1e-12)


def file(tmp_path, mass="2", rpy="0 0 0", **moments):
    """A hinge with a link of these moments, as they are printed."""
    said = {"ixx": "0.01", "iyy": "0.02", "izz": "0.03", "ixy": "0", "ixz": "0", "iyz": "0"} | moments
    text = " ".join(f'{name}="{value}"' for name, value in said.items())
    path = tmp_path / "arm.urdf"
    path.write_text(
        f"<robot name='arm'><link name='base'/><link name='rod'><inertial><origin xyz='0.1 0 0' rpy='{rpy}'/>"
        f"<mass value='{mass}'/><inertia {text}/></inertial></link>"
        "<joint name='hinge' type='continuous'><parent link='base'/><child link='rod'/></joint></robot>",
        encoding="utf-8",
    )
    return path


def read(path, **options):
    """The inertia that is read, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        inertia = rd.Arm.from_urdf(path, **options).links[0].inertia
    return inertia, [str(x.message) for x in caught]


@pytest.mark.parametrize("rpy", ["0 0 0", "0.3 -0.2 0.9"])
def test_digits_that_are_printed_explain_a_miss(tmp_path, rpy):
    """0.0100 + 0.0200 < 0.0301 by one unit of the last digit: the nearest body prints the same digits, so it is taken."""
    inertia, said = read(file(tmp_path, rpy=rpy, ixx="0.0100", iyy="0.0200", izz="0.0301"))
    roll, pitch, yaw = map(float, rpy.split())
    X, Y, Z = np.eye(3)
    R = rotation(Z, yaw) @ rotation(Y, pitch) @ rotation(X, roll)
    own = R.T @ inertia @ R
    assert possible(inertia) and (abs(own - np.diag([0.01, 0.02, 0.0301])) <= 0.5001e-4).all()
    assert len(said) == 1 and "the inertias of 1 link are those of no body" in said[0]
    assert "rod (rounding of its digits 0.01, 0.02, 0.0301 -> " in said[0]


def thin_body(rng):
    """Mass and inertia of a thin rod or plate by chance, in axes by chance."""
    size = 10 ** rng.uniform(-2, 0) * rng.uniform(0.3, 1, 3)
    size[rng.integers(1, 3) :] *= 10 ** rng.uniform(-4, -1)
    axes = np.linalg.qr(rng.normal(size=(3, 3)))[0] if rng.uniform() < 0.7 else np.eye(3)
    mass = 10 ** rng.uniform(-1, 1)
    Sigma = mass / 12 * axes @ np.diag(size**2) @ axes.T
    return mass, np.trace(Sigma) * np.eye(3) - Sigma


PLACES = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}


def test_every_body_may_be_printed_in_a_few_digits(tmp_path):
    """Thin true bodies, moments printed in 3 to 6 digits: each is read, and as a body that prints the same."""
    rng = np.random.default_rng(2)
    rounded = 0
    for k in range(300):
        mass, inertia = thin_body(rng)
        printed = {name: f"{inertia[place]:#.{3 + k % 4}g}" for name, place in PLACES.items()}
        found, said = read(file(tmp_path, mass=repr(mass), **printed))
        unit = {
            name: 10.0 ** (np.floor(np.log10(abs(float(x)))) - 2 - k % 4) if float(x) else 1
            for name, x in printed.items()
        }
        assert possible(found)
        for name, place in PLACES.items():
            assert abs(found[place] - float(printed[name])) <= 0.5001 * unit[name]
        rounded += bool(said)
    assert rounded > 60  # a third of them are no bodies as they are printed


def test_what_is_in_reach_is_a_body_or_none_is():
    """Where projections find none, random bodies find none either; where they find one, it is in reach."""
    rng = np.random.default_rng(3)
    outcomes = []
    for _ in range(150):
        A = rng.normal(size=(3, 3))
        I = A + A.T + rng.uniform(0, 4) * np.eye(3)
        reach = 10 ** rng.uniform(-1.5, 0.5) * rng.uniform(0.3, 1, (3, 3))
        reach = (reach + reach.T) / 2
        found = inertia_within(I, reach)
        outcomes.append(found is None)
        if found is None:
            upper = np.triu(rng.uniform(-1, 1, (4000, 3, 3)))
            tried = I + reach * (upper + np.swapaxes(np.triu(upper, 1), 1, 2))
            Sigma = np.trace(tried, axis1=1, axis2=2)[:, None, None] / 2 * np.eye(3) - tried
            assert np.linalg.eigvalsh(Sigma)[:, 0].max() < 0
        else:
            assert possible(found) and (abs(found - I) <= reach).all()
    assert 20 < sum(outcomes) < 130


def test_a_zero_says_nothing_of_how_many_digits_are_printed(tmp_path):
    """Products that are printed as 0 beside moments in six digits may not be made up to a half."""
    with pytest.raises(ValueError, match="no body prints these digits"):
        read(file(tmp_path, ixx="0.0100000", iyy="0.0200000", izz="0.0300400", ixy="0", ixz="0", iyz="0.001000"))


def test_more_than_rounding_is_refused_by_name_with_the_way_on(tmp_path):
    """Which link, by how much, what to do; and then the nearest is taken, with what changed."""
    path = file(tmp_path, ixx="0.0100", iyy="0.0200", izz="0.0400")
    with pytest.raises(
        ValueError,
        match=r"link rod of .*triangle inequality.*0\.01, 0\.02, 0\.04.* % away: inertias=\"nearest\" takes it",
    ):
        read(path)
    inertia, said = read(path, inertias="nearest")
    assert np.allclose(inertia, nearest_inertia(np.diag([0.01, 0.02, 0.04]))) and possible(inertia)
    assert "rod (moments 0.01, 0.02, 0.04 -> " in said[0]
    assert np.allclose(inertia, np.diag([0.015, 0.025, 0.04]))  # by hand: Sigma = (0.025, 0.015, -0.005) loses its last
    with pytest.raises(ValueError, match="inertias"):  # so coarse a print is a guess
        read(file(tmp_path, ixx="1", iyy="1", izz="3"))


def test_a_body_is_left_alone(tmp_path):
    """Nothing changes and nothing is said, however it is asked for; a negative mass is no matter of inertias."""
    for options in ({}, {"inertias": "nearest"}):
        inertia, said = read(file(tmp_path), **options)
        assert said == [] and np.allclose(inertia, np.diag([0.01, 0.02, 0.03]), rtol=1e-14, atol=0)
    with pytest.raises(ValueError, match=r"link rod of .*mass must be >= 0 kg, got -1\.0$"):
        read(file(tmp_path, mass="-1"), inertias="nearest")
    with pytest.raises(ValueError, match='inertias must be "given" or "nearest", got \'near\''):
        read(file(tmp_path), inertias="near")


def test_a_table_says_which_row_it_is():
    """Of a DH table and of screws."""
    bad = [np.diag([1, 1, 1]), np.diag([1, 1, 3])]
    with pytest.raises(ValueError, match="row 2: inertia must obey the triangle inequality"):
        rd.Arm.from_dh([(1, 0, 0, 0)] * 2, masses=[1, 1], inertias=bad)
    screws = [rd.motions.screw((0, 0, 1)), rd.motions.screw((0, 0, 1), (1, 0, 0))]
    with pytest.raises(ValueError, match="screw 2: inertia must obey"):
        rd.Arm.from_screws(screws, np.eye(4), masses=[1, 1], inertias=bad)
