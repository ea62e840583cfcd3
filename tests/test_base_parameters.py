"""Which parameters the torques can tell: published counts, two independent ways, and laws of what cannot be told."""

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
from arms import arm_and_state, exact_arm

import robotdyn as rd

G = sp.Symbol("g", positive=True)
WORDS = ("motor_inertia", "viscous", "offset")


@pytest.mark.parametrize(
    ("arm", "count"),
    [
        (rd.robots.puma560(), 36),  # Gautier and Khalil (1990); Mayeda, Yoshida and Osuka (1988): 7 n - 6 with one
        (rd.robots.ur5e(), 36),  # vertical axis at the base, all axes hinges, no other parallel to it
        (rd.robots.panda(), 43),  # Gaz and others (2019)
        (rd.robots.stanford(), 33),  # as the first, with 4 in place of 7 for the slide: Gautier and Khalil (1990)
        (rd.robots.scara(), 8),  # by hand: 1 for the first hinge, 3 for the others of the plane, 1 mass that is lifted
        (rd.robots.planar(4), 12),  # Mayeda, Yoshida and Osuka (1988): 3 n where all axes are parallel and level
        (rd.robots.rp(), 6),
        (rd.Arm([rd.Link(1, (1, 0, 0))]), 1),  # one vertical hinge: its inertia
    ],
)
def test_published_counts(arm, count):
    """As many combinations as the literature counts show in the torques."""
    assert len(rd.base_parameters(arm)) == count


def test_a_motor_without_inertia_is_known_to_have_none():
    """With nonzero=True a rotor's inertia is what the arm's links say of it: nothing, where they say nothing."""
    links = rd.robots.two_link().links
    without = rd.base_parameters(rd.Arm(links), ["motor_inertia", "viscous"], nonzero=True)
    both = rd.Arm([replace(link, motor_inertia=0.1) for link in links])
    having = rd.base_parameters(both, ["motor_inertia", "viscous"], nonzero=True)
    assert not any("J_" in group for group in without.groups)
    assert "J_2" in having.groups
    assert len(having) == len(without) + 1


@pytest.mark.parametrize("scale", [1e-3, 1e3])
def test_the_count_does_not_depend_on_the_unit_of_length(scale):
    """An arm in other units of length has as many combinations, though the columns of its regressor are of other sizes."""
    arm = rd.robots.ur5e()
    longer = rd.Arm([replace(x, position=np.asarray(x.position) * scale) for x in arm.links])
    assert len(rd.base_parameters(longer)) == 36


def test_examples_as_a_reader_writes_them():
    """2R with centers of mass on the links, four; RP with the slider's at its origin, three: by hand from the torques."""
    two_link = rd.base_parameters(rd.robots.two_link(symbolic=True), nonzero=True)
    assert two_link.groups == ("m_1 c_1x + l_1 m_2", "I_1zz + l_1^2 m_2", "m_2 c_2x", "I_2zz")
    l = sp.Symbol("l", positive=True)
    rp = rd.base_parameters(rd.robots.rp(com1=(l, 0), com2=(0, 0), symbolic=True), nonzero=True)
    assert rp.groups == ("m_1 c_1x", "I_1zz + I_2zz", "m_2")
    assert "I_2zz: shows only together with I_1zz" in str(rp)
    m1, I1, I2 = sp.symbols("m_1 I_1 I_2", positive=True)
    assert [sp.expand(x) for x in rp.values()] == [m1 * l, I1 + I2 + m1 * l**2, sp.Symbol("m_2", positive=True)]
    wrist = rd.base_parameters(puma_of_symbols())
    assert wrist.groups[-4:] == ("I_6xy", "I_6xz", "I_6yz", "I_6zz")
    assert wrist.groups[1] == "m_2 c_2x + a_2 (m_3 + m_4 + m_5 + m_6)"
    assert len(wrist) == 36


def puma_of_symbols():
    """The PUMA 560 with the lengths of its modified Denavit-Hartenberg table as symbols."""
    a2, a3, d3, d4 = sp.symbols("a_2 a_3 d_3 d_4", positive=True)
    h = np.pi / 2
    rows = [(0, 0, 0, 0), (0, -h, 0, 0), (a2, 0, d3, 0), (a3, -h, d4, 0), (0, h, 0, 0), (0, -h, 0, 0)]
    return rd.Arm.from_dh(rows, "modified", gravity=(0, 0, -G))


@pytest.mark.parametrize(
    "arm",
    [
        *(replace(exact_arm(mix), gravity=(G, -2 * G, -9 * G)) for mix in ("r", "p", "sr", "rps")),
        *(replace(exact_arm(mix), gravity=(0, 0, -G)) for mix in ("rr", "prs")),
        rd.robots.planar(3, symbolic=True),
        rd.robots.rp(symbolic=True),
        puma_of_symbols(),
    ],
)
def test_transfers_and_random_states_agree(arm):
    """What passes through joints is what QR finds in the columns of random motions, with rotors, friction and offsets."""
    exact = rd.base_parameters(arm, WORDS)
    values = {symbol: 0.4 + 0.1 * k for k, symbol in enumerate(sorted(arm.free_symbols, key=str))}
    numeric = rd.base_parameters(arm.subs(values), WORDS)
    assert numeric.columns == exact.columns
    grouping = np.array(sp.Matrix(exact.grouping).subs(values), dtype=float)
    assert abs(numeric.grouping - grouping).max() < 1e-9 * (1 + abs(grouping).max())


@pytest.mark.parametrize("mix", ["r", "pr", "rsp", "rrpr", "rrrrrr"])
def test_what_shows_and_what_does_not(mix):
    """The base parameters give the torque, none of them can be spared, and the null space leaves it as it is."""
    arm, q, qd, qdd, _ = arm_and_state(mix)
    base, rng = rd.base_parameters(arm, ["motor_inertia"]), np.random.default_rng(4)
    tau, phi = rd.inverse_dynamics(arm, q, qd, qdd), rd.parameters(arm, ["motor_inertia"])
    size = 1 + abs(tau).max()
    assert abs(base.regressor(arm, q, qd, qdd) @ base.values() - tau).max() < 1e-8 * size
    states = rng.normal(size=(3, 40, arm.n))
    W = base.regressor(arm, *states).reshape(-1, len(base))
    values = np.linalg.svd(W / np.linalg.norm(W, axis=0), compute_uv=False)
    assert values[-1] > 1e-6 * values[0]
    assert base.null_space.shape == (len(base.names), len(base.names) - len(base))
    for other in (
        phi + base.null_space @ rng.normal(size=len(base.lost)),
        base.completed(base.values(), rng.normal(size=len(phi))),
    ):
        Y = rd.regressor(arm, q, qd, qdd, ["motor_inertia"])
        assert abs(other - phi).max() > 0.1
        assert abs(Y @ other - tau).max() < 1e-8 * size * (1 + abs(other).max())


def test_mass_can_move_between_links_and_nobody_feels_it():
    """Two arms of other bodies move alike: a ring around the axis of joint 2 belongs to either link."""
    arm = rd.robots.planar((0.7, 0.5), (2.0, 1.0), (0.3, 0.2), (0.02, 0.01))
    ring = rd.Body(0.4, (0, 0, 0), np.diag([0.003, 0.003, 0.0]))  # that it turns with the joint would show
    first, second = arm.links
    heavier = rd.Body(first.mass, first.com, first.inertia) + rd.Body(ring.mass, (0.7, 0, 0), ring.inertia)
    phi = rd.parameters(arm)
    moved = phi + np.concatenate([rd.parameters(one_body(heavier))[:10] - phi[:10], -rd.parameters(one_body(ring))])
    states = np.random.default_rng(2).normal(size=(3, 6, 2))
    Y = rd.regressor(arm, *states)
    assert np.allclose(Y @ moved, Y @ phi, atol=1e-12)
    assert not np.allclose(moved, phi, atol=0.1)
    base = rd.base_parameters(arm)
    assert np.allclose(base.values(moved), base.values(), atol=1e-12)


def one_body(body):
    return rd.Arm([rd.Link(body.mass, body.com, body.inertia)])


def test_formulas_multiply_out():
    """With symbols, Y_base times the base parameters is the formula of the torque."""
    arm = rd.robots.two_link(symbolic=True)
    base = rd.base_parameters(arm, nonzero=True)
    state = [sp.symbols(f"{name}1:3", real=True) for name in ("q", "v", "a")]
    found = base.regressor(arm, *map(np.array, state)) @ base.values()
    tau = rd.inverse_dynamics(arm, *map(np.array, state))
    assert [sp.simplify(sp.expand(x, trig=True)) for x in found - tau] == [0, 0]


def test_the_base_regressor_becomes_a_program():
    """`specialize` makes a function of it, for one state and for many."""
    arm = rd.robots.two_link()
    base, states = rd.base_parameters(arm, ["viscous"]), np.random.default_rng(3).normal(size=(3, 4, 2))
    fast = rd.specialize(base.regressor, arm)
    assert np.allclose(fast(*states), base.regressor(arm, *states), atol=1e-13)
