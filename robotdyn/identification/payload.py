"""What an arm holds:  a load fixed to the last link adds its ten parameters to that link's, so its torques are Y_n phi."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from robotdyn.identification.base_parameters import base_parameters
from robotdyn.identification.estimate import Estimate, base_regressor, identify
from robotdyn.identification.parameters import with_parameters
from robotdyn.identification.recording import Recording, Samples

GENERIC_BODY = (1, 0.3, 0.2, 0.1, 1, -0.06, -0.03, 1, -0.02, 1)  # a body with no zero among its ten parameters


def payload(estimate: Estimate, recording: Recording) -> Estimate:
    """Return the Estimate of a load that the arm of an estimate holds, in the axes of its last link.

    recording: a motion with the load; what the empty arm's estimate leaves of its torques is the load's.  Names as of the
    last link: "m_7", "m_7 c_7x", ..; those that no torque shows are left out.  The standard errors count those of the
    empty arm in.  Khalil, Gautier and Lemoine (2007), "Identification of the payload inertial parameters of industrial
    manipulators".
    """
    arm = estimate.base.arm
    phi = np.zeros((len(arm.links), 10))
    phi[-1] = GENERIC_BODY
    base = base_parameters(with_parameters(arm, phi.ravel()), nonzero=True)
    samples = Samples(recording, arm.n)
    tau = samples.tau
    alone = identify(arm, replace(recording, tau=tau - samples.rows(estimate.torques)), base=base)
    W = samples.rows(base_regressor(base, arm, estimate.width, len(tau)))
    Y = samples.rows(partial(estimate.base.regressor, arm, width=estimate.width))
    weighted = W / np.maximum(alone.noise, 1e-8 * abs(tau).max())[:, None] ** 2
    gain = np.linalg.solve(np.tensordot(weighted, W, ([0, 1], [0, 1])), np.tensordot(weighted, Y, ([0, 1], [0, 1])))
    return replace(
        alone, covariance=alone.covariance + gain @ estimate.covariance @ gain.T, method="payload", width=estimate.width
    )
