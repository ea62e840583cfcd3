"""Pictures say what the library computes: bars end where the links end, curves are its energies, labels carry units."""

import dataclasses
import subprocess
import sys

import matplotlib
import numpy as np
import pytest
from arms import MIXES, arm_and_state
from matplotlib.figure import Figure

import robotdyn as rd
from robotdyn.show.style import COLORS, DARK, INK, LINKS, PAPER, TERMS

matplotlib.use("Agg")
AXES = {"xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}


@pytest.fixture
def ax():
    return Figure().subplots()


@pytest.fixture
def two_link():
    return rd.robots.two_link((1.0, 0.8))


@pytest.fixture
def fall(two_link):
    return rd.simulate(two_link, [0.3, -0.2], [0.0, 1.0], t=np.arange(0, 0.5, 0.01))


def lines(ax, label):
    """The points (k, 2) of every line with this label."""
    return [line.get_xydata() for line in ax.get_lines() if line.get_label() == f"_{label}"]


@pytest.mark.parametrize("plane", AXES)
@pytest.mark.parametrize("mix", [mix for mix in MIXES if len(mix) < 6])
def test_bars_end_at_the_link_poses(ax, mix, plane):
    """Link i is a bar from its origin to where the next joint is carried; the last one ends at the tip."""
    arm, q, *_ = arm_and_state(mix)
    rd.show.draw_arm(arm, q, ax, plane=plane)
    R, p = rd.link_poses(arm, q)
    for i in range(arm.n):
        end = p[i] + R[i] @ arm.links[i + 1].position if i + 1 < arm.n else rd.point_position(arm, q)
        (bar,) = lines(ax, f"link {i + 1}")
        np.testing.assert_allclose(bar, np.array([p[i], end])[:, AXES[plane]], atol=1e-12)
    assert (ax.get_xlabel(), ax.get_ylabel()) == tuple(f"${name}$ (m)" for name in plane)


def test_a_view_is_an_orthographic_projection(ax):
    """Right and up are at right angles to the line of sight and to each other, up has no part to the side of z."""
    arm, q, *_ = arm_and_state("rpr")
    rd.show.draw_arm(arm, q, ax, view=(-50, 20), frames=True)
    a, e = np.radians((-50, 20))
    right, up = (
        np.array([-np.sin(a), np.cos(a), 0]),
        np.array([-np.sin(e) * np.cos(a), -np.sin(e) * np.sin(a), np.cos(e)]),
    )
    seen = lambda x: np.array([right @ x, up @ x])
    R, p = rd.link_poses(arm, q)
    np.testing.assert_allclose(lines(ax, "tip")[0][0], seen(rd.point_position(arm, q)), atol=1e-12)
    drawn = np.reshape(lines(ax, "axis")[3:], (3, 3, 2, 2))  # link, axis, from and to
    for i in range(3):
        for k in range(3):
            step = drawn[i, k, 1] - drawn[i, k, 0]
            np.testing.assert_allclose(drawn[i, k, 0], seen(p[i]), atol=1e-12)
            assert np.cross([*step, 0], [*seen(R[i][:, k]), 0])[2] == pytest.approx(0, abs=1e-12)
            assert step @ seen(R[i][:, k]) > 0
    with pytest.raises(ValueError, match=r"view must have shape \(2,\), got \(3,\)"):
        rd.show.draw_arm(arm, q, ax, view=(1, 2, 3))


def test_joints_of_a_planar_chain_are_circles_at_its_corners(ax, two_link):
    rd.show.draw_arm(two_link, [0.5, 0.7], ax)
    corners = np.cumsum([[0, 0], [np.cos(0.5), np.sin(0.5)]], axis=0)
    for i, corner in enumerate(corners, start=1):
        np.testing.assert_allclose(lines(ax, f"joint {i}")[0], [corner], atol=1e-12)
    tip = corners[1] + 0.8 * np.array([np.cos(1.2), np.sin(1.2)])
    np.testing.assert_allclose(lines(ax, "tip")[0], [tip], atol=1e-12)


def test_an_axis_seen_from_aside_is_a_tube_along_it(ax):
    rd.show.draw_arm(rd.robots.puma560(), np.zeros(6), ax, plane="xz")
    (tube,) = lines(ax, "joint 1")
    (width, height) = tube[1] - tube[0]
    assert width == pytest.approx(0, abs=1e-12) and height > 0.01
    assert len(lines(ax, "joint 2")[0]) == 1


def test_prismatic_joint_is_a_sleeve_with_a_rod(ax):
    """The rod ends where the sliding frame is; the sleeve follows the joint's axis, twice as long as the com is far."""
    arm, q = rd.robots.rp(com1=(0.4, 0.1)), np.array([0.6, 1.5])
    rd.show.draw_arm(arm, q, ax)
    along = np.array([np.cos(0.6), np.sin(0.6)])
    np.testing.assert_allclose(lines(ax, "rod 2")[0], [[0, 0], 1.5 * along], atol=1e-12)
    np.testing.assert_allclose(lines(ax, "sleeve 2")[0], [[0, 0], 0.8 * along], atol=1e-12)
    assert len(lines(ax, "joint 1")) == 1 and lines(ax, "joint 2") == []


def test_screw_is_a_sleeve_with_a_thread(ax):
    """The rod ends where the screw has come; a turn brings the thread back, half a turn moves it by half a stroke."""
    arm = rd.Arm([rd.Link(1, joint="screw", axis=(1, 0, 0), pitch=0.1)], tip=(0.5, 0, 0))
    for turns in (1, 1.5, 2):
        rd.show.draw_arm(arm, [2 * np.pi * turns], ax)
    np.testing.assert_allclose(lines(ax, "rod 1")[0], [[0, 0], [0.2 * np.pi, 0]], atol=1e-12)
    once, half, twice = lines(ax, "thread 1")
    np.testing.assert_allclose(once[0], twice[0], atol=1e-12)
    assert once[0] == pytest.approx([0, 0]) and len(once) > 2 and not once[:, 1].any()
    gap = np.diff(half[:, 0])[0]
    assert half[0] == pytest.approx([gap / 2, 0])


def test_screw_seen_from_its_end_is_a_slot_that_turns(ax):
    arm = rd.Arm([rd.Link(1, (0.5, 0, 0), joint="screw", pitch=0.1)])
    rd.show.draw_arm(arm, [0.3], ax)
    (slot,) = [line for line in ax.get_lines() if line.get_label() == "_thread 1"]
    ends = slot.get_marker().vertices
    assert ends[0] == pytest.approx([np.cos(0.3), np.sin(0.3)]) and ends[0] == pytest.approx(-ends[1])
    assert len(lines(ax, "joint 1")) == 1


def test_cart_slides_on_a_sleeve_of_the_ground(ax):
    cart = rd.Arm([rd.Link(1, joint="prismatic", axis=(1, 0, 0)), rd.Link(1, (0.7, 0, 0))])
    rd.show.draw_arm(cart, [0.9, -1.0], ax, labels=True)
    np.testing.assert_allclose(lines(ax, "rod 1")[0], [[0, 0], [0.9, 0]], atol=1e-12)
    np.testing.assert_allclose(lines(ax, "link 2")[0][1], [0.9 + 0.7 * np.cos(1), -0.7 * np.sin(1)])  # to the com


def test_whole_arm_is_in_view(ax, two_link):
    """With room around it for marks that are measured in points: a tenth of the arm, which is 1.8 m long."""
    for q in ([0, 0], [np.pi / 2, 0], [2.0, -3.0]):
        rd.show.draw_arm(two_link, q, ax)
    ax.apply_aspect()
    for line in ax.get_lines():
        x, y = line.get_xydata().T
        low, high = np.transpose([ax.get_xlim(), ax.get_ylim()])
        assert (low < [x.min() - 0.2, y.min() - 0.2]).all() and ([x.max() + 0.2, y.max() + 0.2] < high).all()
    assert ax.get_aspect() == 1


def test_centers_of_mass_are_marked_where_they_are(ax):
    arm, q, *_ = arm_and_state("rprprp")
    rd.show.draw_arm(arm, q, ax, coms=True, plane="yz")
    for i, link in enumerate(arm.links):
        place = rd.point_position(arm, q, i, link.com)[[1, 2]]
        np.testing.assert_allclose(lines(ax, f"center of mass {i + 1}")[0], [place], atol=1e-12)


@pytest.mark.parametrize("q", [(0.6, 0.9), (-0.4, 2.5), (2.0, -1.1)])
def test_arc_turns_by_the_joint_angle(ax, two_link, q):
    """The arc of q_2 begins on the line of link 1, ends on link 2, and turns by q_2 with its sign."""
    rd.show.draw_arm(two_link, q, ax, labels=("$a$", "$b$"))
    (arc,) = lines(ax, "coordinate $b$")
    x, y = (arc - lines(ax, "joint 2")[0]).T
    angles = np.unwrap(np.arctan2(y, x))
    assert angles[-1] - angles[0] == pytest.approx(q[1])
    assert np.sin(angles[-1] - q[0] - q[1]) == pytest.approx(0, abs=1e-12)
    assert {text.get_text() for text in ax.texts} >= {"$a$", "$b$"}


def test_arrow_of_a_prismatic_joint_is_as_long_as_its_coordinate(ax):
    rd.show.draw_arm(rd.robots.rp(), [0.6, 1.5], ax, labels=True)
    (arrow,) = lines(ax, "coordinate $q_{2}$")
    assert np.linalg.norm(arrow[1] - arrow[0]) == pytest.approx(1.5)


def test_motion_shows_its_first_and_last_pose_and_the_path_of_the_tip(ax, two_link, fall):
    rd.show.draw_motion(two_link, fall, ax, frames=5)
    bars = lines(ax, "link 2")
    assert len(bars) == 5
    for bar, q in zip((bars[0], bars[-1]), (fall.q[0], fall.q[-1])):
        np.testing.assert_allclose(bar[1], rd.point_position(two_link, q)[:2], atol=1e-12)
    np.testing.assert_allclose(lines(ax, "tip path")[0], rd.point_position(two_link, fall.q)[:, :2], atol=1e-12)


def test_later_poses_are_darker_and_in_front(ax, two_link, fall):
    rd.show.draw_motion(two_link, fall, ax, frames=4)
    bars = [line for line in ax.get_lines() if line.get_label() == "_link 1"]
    light = [sum(matplotlib.colors.to_rgb(bar.get_color())) for bar in bars]
    assert light == sorted(light, reverse=True) and len(set(light)) == 4
    assert [bar.get_zorder() for bar in bars] == sorted(bar.get_zorder() for bar in bars)
    assert matplotlib.colors.same_color(bars[-1].get_color(), LINKS[0])


def test_energy_curves_are_the_energies(ax, two_link, fall):
    rd.show.plot_energy(two_link, fall, ax)
    T = np.array([rd.kinetic_energy(two_link, q, qd) for q, qd in zip(fall.q, fall.qd)])
    U = np.array([rd.potential_energy(two_link, q) for q in fall.q])
    curves = {line.get_label().split()[0]: line.get_xydata() for line in ax.get_lines()}
    for name, values in (("kinetic", T), ("potential", U), ("total", T + U)):
        np.testing.assert_allclose(curves[name], np.transpose([fall.t, values]), rtol=1e-12, atol=1e-12)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("time (s)", "energy (J)")
    assert ax.get_legend() is not None


def test_phase_plot_has_the_rate_over_the_coordinate(ax, fall):
    rd.show.plot_phase(fall, 1, ax)
    np.testing.assert_array_equal(ax.get_lines()[0].get_xydata(), np.transpose([fall.q[:, 1], fall.qd[:, 1]]))
    np.testing.assert_array_equal(ax.get_lines()[1].get_xydata(), [[fall.q[0, 1], fall.qd[0, 1]]])
    assert ax.get_xlabel() == "$q_{2}$ (rad)" and ax.get_ylabel() == r"$\dot{q}_{2}$ (rad/s)"


@pytest.mark.parametrize(
    ("quantity", "units", "ylabel"),
    [
        ("q", ("rad", "m"), "joint coordinate (rad, m)"),
        ("qd", ("rad/s", "m/s"), "joint rate (rad/s, m/s)"),
        ("tau", ("N m", "N"), "joint torque (N m, N)"),
    ],
)
def test_prismatic_joints_are_in_meters(quantity, units, ylabel):
    arm = rd.robots.rp()
    motion = rd.simulate(arm, [0.3, 1.0], [0, 0], [1.0, 2.0], t=np.arange(0, 0.1, 0.01))
    ax = rd.show.plot_joints(motion, Figure().subplots(), arm, quantity)
    assert ax.get_ylabel() == ylabel and ax.get_xlabel() == "time (s)"
    for i, (line, unit) in enumerate(zip(ax.get_lines(), units)):
        assert line.get_label().endswith(f"({unit})")
        np.testing.assert_array_equal(line.get_ydata(), getattr(motion, quantity)[:, i])
    ax = rd.show.plot_phase(motion, -1, Figure().subplots(), arm)
    assert ax.get_xlabel() == "$q_{2}$ (m)" and ax.get_ylabel().endswith("(m/s)")


def test_screws_are_in_radians(fall):
    arm = rd.Arm([rd.Link(1, joint=joint, axis=(1, 0, 0)) for joint in ("screw", "prismatic")])
    ax = rd.show.plot_joints(fall, Figure().subplots(), arm, "tau")
    assert ax.get_ylabel() == "joint torque (N m, N)"


def every_picture(arm, motion, ax=None):
    yield rd.show.draw_arm(arm, motion.q[0], ax, coms=True, labels=True)
    yield rd.show.draw_motion(arm, motion, ax)
    yield rd.show.plot_energy(arm, motion, ax)
    yield rd.show.plot_phase(motion, 0, ax)
    yield rd.show.plot_joints(motion, ax)


def test_axes_come_back_and_nothing_else_is_touched(ax, two_link, fall):
    """With ax given, no figure of pyplot appears; without it, exactly one for each picture."""
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.close("all")
    assert all(result is ax for result in every_picture(two_link, fall, ax))
    assert plt.get_fignums() == []
    assert len({result.figure.number for result in every_picture(two_link, fall)}) == 5 == len(plt.get_fignums())
    plt.close("all")


def test_pictures_change_nothing_they_are_given(ax, two_link, fall):
    before = [values.copy() for values in (fall.t, fall.q, fall.qd, fall.tau)]
    list(every_picture(two_link, fall, ax))
    for old, new in zip(before, (fall.t, fall.q, fall.qd, fall.tau)):
        np.testing.assert_array_equal(old, new)


def test_book_style_is_legible():
    """Text of 10 pt or more on white; every color has a contrast of 4.5 or more with it (WCAG 2.2)."""
    with matplotlib.rc_context():
        rd.show.use_book_style()
        sizes = (
            "font.size",
            "axes.labelsize",
            "axes.titlesize",
            "xtick.labelsize",
            "ytick.labelsize",
            "legend.fontsize",
        )
        assert min(matplotlib.rcParams[name] for name in sizes) >= 10
        assert {matplotlib.rcParams[name] for name in ("figure.facecolor", "savefig.facecolor")} == {"#ffffff"}


def contrast(color, ground):
    """Return the contrast of two colors (WCAG 2.2)."""
    rgb = np.array([matplotlib.colors.to_rgb(x) for x in (color, ground)])
    light = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]
    return (light.max() + 0.05) / (light.min() + 0.05)


def test_colors_stand_out_in_light_and_dark():
    """4.5 for what letters may have, 3 for links, which are broad; each color of a light page has a dark twin."""
    for color in (*TERMS.values(), *COLORS, INK):
        assert contrast(color, PAPER) >= 4.5 and contrast(DARK[color], DARK[PAPER]) >= 4.5
    for color in LINKS:
        assert contrast(color, PAPER) >= 3 and contrast(DARK[color], DARK[PAPER]) >= 3


def test_a_term_shares_its_color_with_nothing():
    """M qdd, C qd, g and tau are known by their color; what is compared, links and ink have others."""
    colors = [*TERMS.values(), *COLORS, *LINKS]
    assert len(set(colors)) == len(colors) and len(set(DARK.values())) == len(DARK)


def test_matplotlib_waits_until_the_first_picture():
    code = "import sys, robotdyn as rd; rd.show.draw_arm; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


BAD = [
    (lambda arm, motion, ax: rd.show.draw_arm(arm, [0, 0, 0], ax), "q must have shape (2,)"),
    (lambda arm, motion, ax: rd.show.draw_arm(arm, [0, np.nan], ax), "q must be finite"),
    (lambda arm, motion, ax: rd.show.draw_arm([0, 0], arm, ax), "first argument must be an Arm, got [0, 0]; build one"),
    (lambda arm, motion, ax: rd.show.draw_arm(rd.robots.two_link(symbolic=True), [0, 0], ax), "with symbols"),
    (lambda arm, motion, ax: rd.show.draw_arm(arm, [0, 0], ax, plane="zx"), '"xy", "xz" or "yz"'),
    (lambda arm, motion, ax: rd.show.draw_arm(arm, [0, 0], ax, labels=["$a$"]), "2 texts, one a joint"),
    (lambda arm, motion, ax: rd.show.draw_arm(arm, [0, 0], ax, labels="ab"), "2 texts, one a joint"),
    (lambda arm, motion, ax: rd.show.draw_arm(arm, [0, 0], ax, colors="red"), "2 colors, one a link"),
    (lambda arm, motion, ax: rd.show.draw_arm(arm, [0, 0], ax, width=0), "width must be > 0 points"),
    (lambda arm, motion, ax: rd.show.draw_arm(arm, [0, 0], ax, width="wide"), "width must hold real numbers"),
    (lambda arm, motion, ax: rd.show.draw_arm(arm, [0, 0], ax, colors=3), "2 colors, one a link, got 3"),
    (lambda arm, motion, ax: rd.show.draw_arm(arm, [0, 0], ax, plane=[0, 1]), '"xy", "xz" or "yz", got [0, 1]'),
    (lambda arm, motion, ax: rd.show.draw_arm(arm, [[0, 0], [1, 1]], ax), "q must have shape (2,)"),
    (lambda arm, motion, ax: rd.show.plot_joints(motion, ax, arm=[0, 0]), "must be an Arm, got [0, 0]"),
    (
        lambda arm, motion, ax: rd.show.plot_energy(arm, dataclasses.replace(motion, q=motion.q[:-1]), ax),
        "trajectory must hold t (T,) and q, qd, tau (T, n)",
    ),
    (
        lambda arm, motion, ax: rd.show.draw_motion(arm, dataclasses.replace(motion, t=motion.t[:, None]), ax),
        "trajectory must hold t (T,) and q, qd, tau (T, n)",
    ),
    (lambda arm, motion, ax: rd.show.draw_arm(arm, [0, 0], [ax]), "take one of them, such as axes[0]"),
    (lambda arm, motion, ax: rd.show.draw_arm(arm, [0, 0], "left"), "ax must be Matplotlib axes or None, got str"),
    (
        lambda arm, motion, ax: rd.show.draw_arm(arm, [0, 0], Figure().add_subplot(projection="3d")),
        "ax must be 2-D axes, got 3-D ones",
    ),
    (lambda arm, motion, ax: rd.show.draw_motion(arm, motion.q, ax), "as rd.simulate returns it, got ndarray"),
    (lambda arm, motion, ax: rd.show.draw_motion(arm, motion, ax, frames=1), "frames must be a whole number >= 2"),
    (
        lambda arm, motion, ax: rd.show.draw_motion(rd.robots.planar(3), motion, ax),
        "this arm of 3 joints, got one of 2",
    ),
    (lambda arm, motion, ax: rd.show.plot_energy(rd.robots.planar(1), motion, ax), "this arm of 1 joint, got one of 2"),
    (lambda arm, motion, ax: rd.show.plot_phase(motion, 2, ax), "joint must be an index from 0 to 1, got 2"),
    (lambda arm, motion, ax: rd.show.plot_phase(arm, 0, ax), "got Arm without t, q, qd, tau"),
    (lambda arm, motion, ax: rd.show.plot_joints(motion, ax, quantity="qdd"), 'must be "q", "qd" or "tau"'),
]


@pytest.mark.parametrize(("call", "sentence"), BAD, ids=[sentence for _, sentence in BAD])
def test_bad_input_is_told_in_a_sentence(ax, two_link, fall, call, sentence):
    with pytest.raises((TypeError, ValueError)) as error:
        call(two_link, fall, ax)
    assert sentence in str(error.value)
    assert not ax.get_lines()


def test_symbols_in_q_are_refused(ax, two_link):
    sympy = pytest.importorskip("sympy")
    with pytest.raises(TypeError, match="q must hold numbers, got symbols"):
        rd.show.draw_arm(two_link, sympy.symbols("q_1 q_2"), ax)


def test_missing_matplotlib_is_told_with_the_command(monkeypatch, two_link):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        rd.show.draw_arm(two_link, [0, 0])
