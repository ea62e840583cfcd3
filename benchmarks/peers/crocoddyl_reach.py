"""Crocoddyl's DDP on one reaching problem, run by an interpreter that has it: a problem as JSON in, times and torques out.

Crocoddyl comes in an environment of its own: version 3.2.1 belongs to Pinocchio 4.0.0, and gives wrong accelerations
with 4.1.0, which the other benchmarks use.  `make bench` makes that environment.
"""

import json
import sys
import time

import numpy as np


def problem_of(given):
    """Return the shooting problem, written as a user would: Euler steps, effort at each, tip and rest at the end."""
    import crocoddyl
    import pinocchio as pin

    model = pin.Model()
    parent = 0
    n = len(given["masses"])
    model.gravity.linear = np.array([0.0, -given["gravity"], 0.0])
    for k, (length, mass) in enumerate(zip(given["lengths"], given["masses"])):
        place = pin.SE3(np.eye(3), np.array([given["lengths"][k - 1] if k else 0.0, 0.0, 0.0]))
        parent = model.addJoint(parent, pin.JointModelRZ(), place, f"joint{k}")
        point = pin.Inertia(mass, np.array([length, 0.0, 0.0]), np.zeros((3, 3)))
        model.appendBodyToJoint(parent, point, pin.SE3.Identity())
    tip = pin.SE3(np.eye(3), np.array([given["lengths"][-1], 0.0, 0.0]))
    model.addFrame(pin.Frame("tip", parent, 0, tip, pin.FrameType.OP_FRAME))
    state = crocoddyl.StateMultibody(model)
    running = crocoddyl.CostModelSum(state, n)
    terminal = crocoddyl.CostModelSum(state, n)
    effort = crocoddyl.CostModelResidual(state, crocoddyl.ResidualModelControl(state, n))
    running.addCost("effort", effort, 2 * given["effort"] / given["dt"])  # it halves squares, and multiplies by dt
    where = crocoddyl.ResidualModelFrameTranslation(
        state, model.getFrameId("tip"), np.array([*given["target"], 0.0]), n
    )
    terminal.addCost("position", crocoddyl.CostModelResidual(state, where), 2 * given["position_weight"])
    speeds = crocoddyl.ActivationModelWeightedQuad(np.array([0.0] * n + [1.0] * n))
    rest = crocoddyl.CostModelResidual(state, speeds, crocoddyl.ResidualModelState(state, np.zeros(2 * n), n))
    terminal.addCost("velocity", rest, 2 * given["velocity_weight"])
    motors = crocoddyl.ActuationModelFull(state)
    steps = [
        crocoddyl.IntegratedActionModelEuler(crocoddyl.DifferentialActionModelFreeFwdDynamics(state, motors, costs), dt)
        for costs, dt in ((running, given["dt"]), (terminal, 0.0))
    ]
    start = np.array(given["q0"] + [0.0] * n)
    return model, crocoddyl.ShootingProblem(start, [steps[0]] * (given["T"] - 1), steps[1])


def main():
    """Read a problem, solve it several times, write what came out."""
    import crocoddyl
    import pinocchio as pin

    given = json.load(sys.stdin)
    model, problem = problem_of(given)
    solver = crocoddyl.SolverDDP(problem)
    solver.th_stop = given["tolerance"]
    first = [np.array(given["tau0"])] * (given["T"] - 1)
    states = problem.rollout(first)
    times = []
    for _ in range(given["rounds"] + 1):
        start = time.process_time()
        done = solver.solve(states, first, given["max_iterations"], True)
        times.append(time.process_time() - start)
    check = [np.array(x) for x in given["check"]]
    answer = {
        "times": times[1:],  # the first one warms up
        "done": bool(done),
        "iterations": solver.iter,
        "cost": solver.cost,
        "tau": np.array(solver.us).tolist(),
        "acceleration": pin.aba(model, model.createData(), *check).tolist(),
        "versions": f"Crocoddyl {crocoddyl.__version__} with Pinocchio {pin.__version__}",
    }
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
