"""Arms of the world:  their numbers against other prints of them, their torques against what their sources computed."""

import numpy as np
import pytest
from arms import NAMED, named_arm_and_state
from peer_models import carried

import robotdyn as rd


def same_dynamics(one, other, tolerance, qs=3):
    """M, bias and gravity of two arms agree at random states, relative to their size."""
    rng = np.random.default_rng(7)
    for q, qd in rng.normal(size=(qs, 2, one.n)):
        for mine, theirs in (
            (rd.mass_matrix(one, q), rd.mass_matrix(other, q)),
            (rd.bias_torque(one, q, qd), rd.bias_torque(other, q, qd)),
            (rd.point_position(one, q), rd.point_position(other, q)),
        ):
            assert abs(mine - theirs).max() < tolerance * (1 + abs(theirs).max())


def same_body(one, other, tolerance):
    """Mass, center of mass and inertia of two links agree, those of a first link too that no motion shows."""
    for name in ("mass", "com", "inertia"):
        assert np.max(abs(getattr(one, name) - getattr(other, name))) < tolerance, name


def test_panda_against_the_coefficients_of_its_identification():
    """M and g of the Panda, near those that its authors' published functions give from the coefficients they measured.

    The bodies were fitted to these coefficients, so they agree as far as the fit: M to 0.022 kg m^2, g to 0.09 N m.
    With the inertias taken about the origins of the frames instead, M would be off by 0.08 kg m^2.
    Gaz and others, RA-L 2019, get_MassMatrix and get_GravityVector of their software, evaluated at this q.
    """
    q = [0.1, 0.2, 0.3, -1.4, 0.5, 1.6, 0.7]
    M = [
        [1.502225, -0.308632, 1.229447, -0.066364, 0.015522, -0.060593, -0.004132],
        [-0.308632, 2.523286, -0.375716, -1.128922, -0.040950, -0.062876, 0.001333],
        [1.229447, -0.375716, 1.042170, 0.008902, 0.018778, -0.049518, -0.003430],
        [-0.066364, -1.128922, 0.008902, 0.792951, 0.031306, 0.076203, -0.000876],
        [0.015522, -0.040950, 0.018778, 0.031306, 0.009120, -0.001007, 0.001779],
        [-0.060593, -0.062876, -0.049518, 0.076203, -0.001007, 0.026382, 0.000676],
        [-0.004132, 0.001333, -0.003430, -0.000876, 0.001779, 0.000676, 0.001272],
    ]
    g = [0, -29.892810, 1.632435, 18.605848, 0.884198, 1.422871, -0.026559]
    arm = rd.robots.panda(gravity=9.80665)
    assert abs(rd.mass_matrix(arm, q) - M).max() < 0.022
    assert abs(rd.gravity_torque(arm, q) - g).max() < 0.09


def test_panda_against_its_urdf():
    """Links 1 to 6 and the flange of the Panda are those of the manufacturer's URDF, whose link 7 carries a hand too.

    example-robot-data, panda_description: the hand and its fingers, which stand with the same numbers in franka_ros,
    are put on our arm as bodies on the flange, turned by -45 degrees.
    """
    urdf = rd.Arm.from_urdf(carried("example-robot-data", "panda.urdf"), tip="panda_link8")
    arm = rd.robots.panda()
    turn = rd.rotations.exp([0, 0, -np.pi / 4])
    hand = rd.Body(0.73, (-0.01, 0, 0.03), np.diag([0.001, 0.0025, 0.0017]))
    finger = rd.Body(0.015, (0, 0, 0.0584), np.diag([2.375e-6, 2.375e-6, 7.5e-7]))
    *others, last = arm.links
    body = rd.Body(last.mass, last.com, last.inertia) + (hand + finger + finger).at((0, 0, 0.107), turn)
    carrying = rd.Arm([*others, rd.Link(*body, position=last.position, rotation=last.rotation)], arm.gravity, arm.tip)
    same_dynamics(carrying, urdf, 1e-10)
    same_body(arm.links[0], urdf.links[0], 1e-15)


def test_gen3_against_published_closed_forms():
    """M, C qd and g of the Gen3 are those of pyKinovaGen3, formulas that were derived from the numbers of the guide."""
    path = "pip install robotdyn[peers]"
    gravity = pytest.importorskip("kinova_gen3.dynamics.gravity", reason=path).gravity
    mass_matrix = pytest.importorskip("kinova_gen3.dynamics.mass_matrix", reason=path).mass_matrix
    velocity_torque = pytest.importorskip("kinova_gen3.dynamics.coriolis", reason=path).coriolis
    place = pytest.importorskip("kinova_gen3.kinematics.forward_kinematics", reason=path).forward_kinematics
    arm = rd.robots.gen3(gravity=9.80665)
    unseen = [(0.00457, 1e-6, 2e-6), (1e-6, 0.004831, 4.48e-4), (2e-6, 4.48e-4, 0.001409)]  # of link 1, from ros_kortex
    same_body(arm.links[0], rd.Link(1.3773, (-2.3e-5, -0.010364, -0.07336), unseen), 1e-15)
    for q, qd in np.random.default_rng(3).normal(size=(5, 2, 7)):
        assert abs(rd.mass_matrix(arm, q) - mass_matrix(q)).max() < 1e-13
        assert abs(rd.gravity_torque(arm, q) - gravity(q)).max() < 1e-13
        ours = rd.bias_torque(arm, q, qd) - rd.gravity_torque(arm, q)
        assert abs(ours - velocity_torque(q, qd)).max() < 1e-13
        assert abs(rd.point_position(arm, q) - place(q)[0]).max() < 4e-5  # there with quarter turns of 1.5708 rad


def test_iiwa14_against_another_description():
    """The iiwa 14 is the one of MuJoCo Menagerie (kuka_iiwa_14), whose frames are written as quaternions (w x y z).

    There Ixx and Iyy of link 1 are exchanged, which no motion shows: joint 1 stands upright on a fixed base.
    """
    frames = [
        ((0, 0, 0.1575), (1, 0, 0, 0)),
        ((0, 0, 0.2025), (0, 0, 1, 1)),
        ((0, 0.2045, 0), (0, 0, 1, 1)),
        ((0, 0, 0.2155), (1, 1, 0, 0)),
        ((0, 0.1845, 0), (0, 0, 1, 1)),
        ((0, 0, 0.2155), (1, 1, 0, 0)),
        ((0, 0.081, 0), (0, 0, 1, 1)),
    ]
    bodies = [
        (5.76, (0, -0.03, 0.12), (0.0333, 0.033, 0.0123)),
        (6.35, (0.0003, 0.059, 0.042), (0.0305, 0.0304, 0.011)),
        (3.5, (0, 0.03, 0.13), (0.025, 0.0238, 0.0076)),
        (3.5, (0, 0.067, 0.034), (0.017, 0.0164, 0.006)),
        (3.5, (0.0001, 0.021, 0.076), (0.01, 0.0087, 0.00449)),
        (1.8, (0, 0.0006, 0.0004), (0.0049, 0.0047, 0.0036)),
        (1.2, (0, 0, 0.02), (0.001, 0.001, 0.001)),
    ]
    links = []
    for (mass, com, moments), (position, (w, x, y, z)) in zip(bodies, frames):
        s = 2 / (w * w + x * x + y * y + z * z)
        rotation = [
            (1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)),
            (s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)),
            (s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)),
        ]
        links.append(rd.Link(mass, com, np.diag(moments), position=position, rotation=rotation))
    arm = rd.robots.iiwa14()
    same_dynamics(arm, rd.Arm(links, tip=(0, 0, 0.045)), 1e-14)
    exchanged = np.array(links[0].inertia)[np.ix_([1, 0, 2], [1, 0, 2])]
    same_body(arm.links[0], rd.Link(links[0].mass, links[0].com, exchanged), 1e-15)


def test_ur5e_against_its_urdf():
    """Frames and inertias of the UR5e are those of its URDF in airo-models, masses and places those of the ROS 2 one.

    The URDF rounds a quarter turn to 1.570796327 and its inertias to 11 digits: the tolerance is what that makes.
    Centers of mass in URDF frames: Universal_Robots_ROS2_Description, config/ur5e/physical_parameters.yaml.
    """
    urdf = rd.Arm.from_urdf(carried("airo-models", "ur5e.urdf"), tip="tool0")
    bodies = [
        (3.761, (0, -0.00193, -0.02561)),
        (8.058, (-0.2125, 0, 0.11336)),
        (2.846, (-0.2422, 0, 0.0265)),
        (1.37, (0, -0.01634, -0.0018)),
        (1.3, (0, 0.01634, -0.0018)),
        (0.365, (0, 0, -0.001159)),
    ]
    links = [
        rd.Link(mass, com, link.inertia, position=link.position, rotation=link.rotation)
        for link, (mass, com) in zip(urdf.links, bodies)
    ]
    half = np.diag([-1, -1, 1])  # base_link of ROS is turned half around the vertical against the maker's base
    links[0] = rd.Link(*bodies[0], links[0].inertia, position=links[0].position, rotation=half @ links[0].rotation)
    arm = rd.robots.ur5e()
    same_dynamics(arm, rd.Arm(links, tip=urdf.tip), 1e-7)
    same_body(arm.links[0], links[0], 1e-7)
    q = np.random.default_rng(9).normal(size=6)
    (R, p), (R_ros, p_ros) = rd.tip_pose(arm, q), rd.tip_pose(urdf, q)
    assert np.allclose(R, half @ R_ros, atol=1e-7) and np.allclose(p, half @ p_ros, atol=1e-7)


def test_stanford_against_another_print():
    """Our reading of the Stanford arm is that of mdl_stanford (Robotics Toolbox for MATLAB), with its numbers made sense of.

    Columns: alpha, a, theta, d; mass; center of mass; moments.  The centers of mass of links 2 to 6 are divided by ten,
    the moments are about the origins, and the hand's frame stays in the wrist.
    """
    h = np.pi / 2
    rows = [
        (-h, 0, 0, 0.412, 9.29, 0, 0.175, -1.105, 0.276, 0.255, 0.071),  # ten times the print, as the others
        (h, 0, 0, 0.154, 5.01, 0, -1.054, 0, 0.108, 0.018, 0.100),
        (0, 0, -h, 0, 4.25, 0, 0, -6.447, 2.51, 2.51, 0.006),
        (-h, 0, 0, 0, 1.08, 0, 0.092, -0.054, 0.002, 0.001, 0.001),
        (h, 0, 0, 0, 0.63, 0, 0, 0.566, 0.003, 0.003, 0.0004),
        (0, 0, 0, 0, 0.51, 0, 0, 1.554, 0.013, 0.013, 0.0003),
    ]
    alpha, a, theta, d, masses, *columns = np.transpose(rows)
    coms, moments = np.transpose(columns[:3]) / 10, np.transpose(columns[3:])
    inertias = [np.diag(J) - m * (c @ c * np.eye(3) - np.outer(c, c)) for m, c, J in zip(masses, coms, moments)]
    joints = ["revolute", "revolute", "prismatic", *["revolute"] * 3]
    table = np.transpose([a, alpha, d, theta])
    printed = rd.Arm.from_dh(table, "standard", masses, coms, inertias, joints, tip=(0, 0, 0.263))
    arm = rd.robots.stanford()
    same_dynamics(arm, printed, 1e-13)
    for one, other in zip(arm.links, printed.links):
        same_body(one, other, 1e-14)


def test_stanford_by_hand():
    """What a finger can compute for the Stanford arm: the force along its boom, and the torque of the shoulder.

    Boom, wrist and hand weigh 4.25 + 1.08 + 0.63 + 0.51 = 6.47 kg.  With the wrist straight, four centers of mass lie
    at 0.5 - 0.6447, 0.5 - 0.0092, 0.5 + 0.0566 and 0.5 + 0.1554 m along a boom that is out by 0.5 m.
    """
    arm = rd.robots.stanford()
    moment = 4.25 * -0.1447 + 1.08 * 0.4908 + 0.63 * 0.5566 + 0.51 * 0.6554
    for lean in (0.0, 0.4, np.pi / 2, 2.0):
        q = np.array([0.3, lean, 0.5, np.pi / 2, 0, 0.2])  # the offset of link 4 to its side is parallel to the axle
        assert rd.mass_matrix(arm, q)[2, 2] == pytest.approx(6.47, rel=1e-14)
        force, torque = rd.gravity_torque(arm, q)[[2, 1]]
        assert force == pytest.approx(6.47 * 9.81 * np.cos(lean), abs=1e-12)
        assert torque == pytest.approx(-moment * 9.81 * np.sin(lean), abs=0.0054 * 1.08 * 9.81 + 1e-12)
    assert rd.point_position(arm, [0, np.pi / 2, 0.5, 0, 0, 0]) == pytest.approx([0.763, 0.154, 0.412], abs=1e-12)
    for link in arm.links:  # radii of gyration within the size of the links
        assert np.sqrt(np.linalg.eigvalsh(link.inertia)[-1] / link.mass) < 0.45


def test_scara_against_the_closed_form():
    """M of the SCARA: Siciliano and others (2009), without motors; gravity pulls on the spindle alone."""
    arm, q2 = rd.robots.scara(), 0.7
    a, l, m1, m2, m3, I1, I2, I4, c = 0.5, 0.25, 25, 25, 10, 5, 5, 1, np.cos(q2)
    b11 = I1 + m1 * l**2 + I2 + m2 * (a**2 + l**2 + 2 * a * l * c) + m3 * (2 * a**2 + 2 * a**2 * c) + I4
    b12 = I2 + m2 * (l**2 + a * l * c) + m3 * (a**2 + a**2 * c) + I4
    b22 = I2 + m2 * l**2 + m3 * a**2 + I4
    M = [[b11, b12, 0, -I4], [b12, b22, 0, -I4], [0, 0, m3, 0], [-I4, -I4, 0, I4]]
    q = [0.4, q2, 0.2, -0.9]
    assert abs(rd.mass_matrix(arm, q) - M).max() < 1e-13
    assert abs(rd.gravity_torque(arm, q) - [0, 0, -98.1, 0]).max() < 1e-12
    h = m2 * a * l * np.sin(q2) + m3 * a**2 * np.sin(q2)
    assert abs(rd.bias_torque(arm, q, [1, 2, 0, 0]) - [-h * (2 * 2 + 2 * 2), h, -98.1, 0]).max() < 1e-12
    assert abs(rd.point_position(arm, [0, np.pi / 2, 0.2, 0]) - [0.5, 0.5, 0.8]).max() < 1e-15


def test_double_pendulum_against_its_equations():
    """M and g of the double pendulum, with the inertias about the joints, as its authors write them.

    Documentation of the platform, equations of motion of the simple pendulum: angles from hanging.
    """
    arm, (q1, q2) = rd.robots.double_pendulum(), (0.4, -1.1)
    l1, m1, m2, r1, r2, I1, I2 = 0.2, 0.523460, 0.625568, 0.2, 0.255693, 0.0318872, 0.0508698
    mixed = m2 * l1 * r2 * np.cos(q2)
    M = [[I1 + I2 + m2 * l1**2 + 2 * mixed, I2 + mixed], [I2 + mixed, I2]]
    lower = m2 * r2 * np.sin(q1 + q2)
    g = 9.81 * np.array([(m1 * r1 + m2 * l1) * np.sin(q1) + lower, lower])
    assert abs(rd.mass_matrix(arm, [q1, q2]) - M).max() < 1e-6
    assert abs(rd.gravity_torque(arm, [q1, q2]) - g).max() < 1e-5
    assert abs(rd.point_position(arm, [0, 0]) - [0, -0.5, 0]).max() < 1e-15


@pytest.mark.parametrize("name", NAMED)
def test_three_routes_to_the_torques(name):
    """Newton and Euler's recursion, Lagrange's equation and the sum over link Jacobians give one tau, to 1e-10.

    Lagrange: tau = d/dt dT/dqd - dT/dq + dV/dq, with exact derivatives of the energies.  Jacobians: D'Alembert's
    principle, tau = sum of Jv^T m (a - g) + Jw^T (I alpha + omega x I omega) over the links, where the accelerations
    are J qdd + Jd qd; and M = sum of m Jv^T Jv + Jw^T I Jw.
    """
    arm, q, qd, qdd, _ = named_arm_and_state(name)
    tau = rd.inverse_dynamics(arm, q, qd, qdd)
    T, V = rd.trace(rd.kinetic_energy, arm), rd.trace(rd.potential_energy, arm)
    p = T.gradient("qd")
    change = p.along("q", "v")(q, qd, qd) + p.along("qd", "v")(q, qd, qdd)
    lagrange = change - T.gradient("q")(q, qd) + V.gradient("q")(q)
    assert off(np.asarray(lagrange, float), tau) < 1e-10

    jacobians = rd.trace(lambda arm, q: tuple(rd.com_jacobian(arm, q, link) for link in range(arm.n)), arm)
    each, slopes = np.array(jacobians(q), float), np.array(jacobians.along("q", "v")(q, qd), float)
    R, _ = rd.link_poses(arm, q)
    bodies, M = np.zeros(arm.n), np.zeros((arm.n, arm.n))
    for link, J, Jd, turn in zip(arm.links, each, slopes, R):
        I, omega = turn @ link.inertia @ turn.T, J[3:] @ qd
        force = link.mass * (J[:3] @ qdd + Jd[:3] @ qd - arm.gravity)
        moment = I @ (J[3:] @ qdd + Jd[3:] @ qd) + np.cross(omega, I @ omega)
        bodies += J.T @ np.concatenate([force, moment])
        M += link.mass * J[:3].T @ J[:3] + J[3:].T @ I @ J[3:]
    assert off(M, rd.mass_matrix(arm, q)) < 1e-10
    assert off(bodies, tau) < 1e-10


def off(found, expected):
    """The largest difference, relative to what is expected."""
    return np.max(abs(found - expected)) / (1 + np.max(abs(expected)))
