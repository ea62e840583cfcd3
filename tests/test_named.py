"""Arms of the world:  their numbers against other prints of them, their torques against what their sources computed."""

import robotdyn as rd


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
