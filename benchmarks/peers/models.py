"""Each peer as its users write it:  functions that take an arm and return a call for one state, or for many."""

from functools import partial

import numpy as np
from peer_models import mujoco_text, pinocchio_model


def missing(*modules):
    """Return the names of those modules that are not installed."""
    import importlib.util

    return [name for name in modules if importlib.util.find_spec(name) is None]


def pinocchio(arm):
    """Pinocchio's algorithms from Python: {algorithm: call(q, qd, tau)}."""
    import pinocchio as pin

    model = pinocchio_model(pin, arm)
    data = model.createData()

    def mass_matrix(q):
        M = pin.crba(model, data, q)
        return np.triu(M) + np.triu(M, 1).T

    def derivatives(q, qd, tau):
        by_q, by_qd, inverse = pin.computeABADerivatives(model, data, q, qd, tau)
        return by_q.copy(), by_qd.copy(), np.triu(inverse) + np.triu(inverse, 1).T

    ten = np.array([0, 1, 2, 3, 4, 5, 7, 6, 8, 9])  # there: m, mc, xx, xy, yy, xz, yz, zz
    order = np.concatenate([10 * i + ten for i in range(arm.n)])

    return {
        "regressor": lambda q, qd, qdd: [pin.computeJointTorqueRegressor(model, data, q, qd, qdd)[:, order]],
        "regressor, as it comes": lambda q, qd, qdd: pin.computeJointTorqueRegressor(model, data, q, qd, qdd),
        "derivatives of forward dynamics": derivatives,
        "derivatives of forward dynamics, as it comes": lambda *state: pin.computeABADerivatives(model, data, *state),
        "forward dynamics": partial(pin.aba, model, data),
        "inverse dynamics": partial(pin.rnea, model, data),
        "mass matrix": partial(pin.crba, model, data),  # the upper triangle
        "whole mass matrix": mass_matrix,
    }


def pinocchio_tip(arm):
    """The pose of the tip by Pinocchio: call(q), T (4, 4)."""
    import pinocchio as pin

    model = pinocchio_model(pin, arm)
    data = model.createData()
    tip = model.getFrameId("tip")

    def pose(q):
        pin.framesForwardKinematics(model, data, np.asarray(q, dtype=float))
        return data.oMf[tip].homogeneous.copy()

    return pose


def mujoco(arm):
    """MuJoCo's mj_forward: call(q, qd, tau)."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(mujoco_text(arm))
    data = mujoco.MjData(model)

    def forward(q, qd, tau):
        data.qpos[:] = q
        data.qvel[:] = qd
        data.qfrc_applied[:] = tau
        mujoco.mj_forward(model, data)
        return data.qacc

    return forward


def mujoco_rollout(arm, q, qd, tau, dt=1e-4):
    """MuJoCo's rollout of one short Euler step from each state; the accelerations are (qd' - qd) / dt: call()."""
    import mujoco
    from mujoco import rollout

    model = mujoco.MjModel.from_xml_string(mujoco_text(arm))
    model.opt.timestep = dt
    data = mujoco.MjData(model)
    start = np.concatenate([np.zeros((len(q), 1)), q, qd], axis=1)
    control = np.ascontiguousarray(tau[:, None, :])
    what = int(mujoco.mjtState.mjSTATE_QFRC_APPLIED)

    def call():
        state, _ = rollout.rollout(model, data, start, control, control_spec=what, nstep=1)
        return (state[:, 0, 1 + arm.n :] - qd) / dt

    return call


def drake(arm):
    """Drake's continuous MultibodyPlant: call(q, qd, tau)."""
    from pydrake.math import RigidTransform, RotationMatrix
    from pydrake.multibody.plant import MultibodyPlant
    from pydrake.multibody.tree import (
        FixedOffsetFrame,
        PrismaticJoint,
        RevoluteJoint,
        RotationalInertia,
        SpatialInertia,
    )

    plant = MultibodyPlant(0.0)
    parent = plant.world_frame()
    for k, link in enumerate(arm.links):
        I = np.asarray(link.inertia)
        about_com = RotationalInertia(I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
        inertia = SpatialInertia.MakeFromCentralInertia(link.mass, link.com, about_com)
        body = plant.AddRigidBody(f"link{k}", inertia)
        place = RigidTransform(RotationMatrix(np.asarray(link.rotation)), link.position)
        frame = plant.AddFrame(FixedOffsetFrame(f"joint frame {k}", parent, place))
        kind = {"revolute": RevoluteJoint, "prismatic": PrismaticJoint}[link.joint]
        plant.AddJoint(kind(f"joint{k}", frame, body.body_frame(), np.asarray(link.axis)))
        parent = body.body_frame()
    plant.mutable_gravity_field().set_gravity_vector(arm.gravity)
    plant.Finalize()
    context = plant.CreateDefaultContext()
    port = plant.get_applied_generalized_force_input_port()

    def forward(q, qd, tau):
        plant.SetPositions(context, q)
        plant.SetVelocities(context, qd)
        port.FixValue(context, tau)
        return plant.EvalTimeDerivatives(context).get_generalized_velocity().CopyToVector()

    return forward


def jax(arm):
    """The articulated-body algorithm in JAX, scan over joints, vmap over states, jit: call(q, qd, tau)."""
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")
    n = arm.n
    links = arm.links
    axis, position, rotation = (
        jnp.array([getattr(x, name) for x in links]) for name in ("axis", "position", "rotation")
    )
    turns = jnp.array([{"revolute": True, "prismatic": False}[x.joint] for x in links])
    from robotdyn.maths.spatial import inertia

    I = jnp.array([inertia(x.mass, x.com, x.inertia) for x in links])
    S = jnp.where(turns[:, None], jnp.concatenate([axis, 0 * axis], 1), jnp.concatenate([0 * axis, axis], 1))

    def skew(a):
        return jnp.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])

    def cross(v):
        return jnp.block([[skew(v[:3]), jnp.zeros((3, 3))], [skew(v[3:]), skew(v[:3])]])

    def transform(k, q):
        angle = jnp.where(turns[k], q, 0.0)
        a = axis[k]
        along = jnp.outer(a, a)
        R = rotation[k] @ (along + jnp.cos(angle) * (jnp.eye(3) - along) + jnp.sin(angle) * skew(a))
        p = position[k] + rotation[k] @ a * jnp.where(turns[k], 0.0, q)
        return jnp.block([[R.T, jnp.zeros((3, 3))], [-R.T @ skew(p), R.T]])

    def forward(q, qd, tau):
        X = jax.vmap(transform)(jnp.arange(n), q)

        def outward(v, x):
            X, S, I, qd = x
            v = X @ v + S * qd
            return v, (cross(v) @ S * qd, -cross(v).T @ I @ v)

        _, (c, p) = jax.lax.scan(outward, jnp.zeros(6), (X, S, I, qd))

        def inward(carry, x):
            I_add, p_add = carry
            X, S, I, c, p, tau = x
            I = I + I_add
            p = p + p_add
            U = I @ S
            D = S @ U
            u = tau - S @ p
            I_a = I - jnp.outer(U, U) / D
            p_a = p + I_a @ c + U * (u / D)
            return (X.T @ I_a @ X, X.T @ p_a), (U, D, u)

        start = (jnp.zeros((6, 6)), jnp.zeros(6))
        _, (U, D, u) = jax.lax.scan(inward, start, (X, S, I, c, p, tau), reverse=True)

        def again(a, x):
            X, S, c, U, D, u = x
            a = X @ a + c
            qdd = (u - U @ a) / D
            return a + S * qdd, qdd

        g = jnp.concatenate([jnp.zeros(3), -jnp.array(arm.gravity)])
        return jax.lax.scan(again, g, (X, S, c, U, D, u))[1]

    compiled = jax.jit(jax.vmap(forward))
    return lambda q, qd, tau: np.asarray(compiled(q, qd, tau))
