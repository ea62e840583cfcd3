"""Ten seconds of motion, Runge-Kutta steps of 1 ms, no torque:  `rd.simulate` beside MuJoCo's rollout.

Planar arms of rods that fall from rest.  Both keep the energy: the error is the largest change of T + U along the
motion, computed for both by this library, beside the largest kinetic energy.

Run:  python benchmarks/simulation.py [--quick]      prints the table and writes benchmarks/results/simulation.md
"""

import peers  # before NumPy, whose linear algebra reads the number of threads once, when it is loaded

# isort: split
import sys
from functools import partial

import numpy as np
from peers.arms import planar
from peers.clock import machine, report, told, turns
from peers.models import missing

import robotdyn as rd
from robotdyn import laws as relations

T = np.linspace(0, 10, 10_001)


def by_mujoco(arm, q0):
    """Return the function that runs MuJoCo's rollout and gives the states (T, 2n)."""
    import mujoco
    from mujoco import rollout
    from peer_models import mujoco_text

    model = mujoco.MjModel.from_xml_string(mujoco_text(arm))
    model.opt.timestep = T[1]
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    data = mujoco.MjData(model)
    start = np.concatenate([[0.0], q0, np.zeros(arm.n)])[None]

    def run():
        state, _ = rollout.rollout(model, data, start, nstep=len(T) - 1)
        return np.concatenate([start, state[0]])[:, 1:]

    return run


def main():
    """Print and write the table."""
    quick = "--quick" in sys.argv
    lines = ["| joints | method | ms, median (least to most) | MuJoCo takes | energy error |", "|---|---|---|---|---|"]
    for n in (2, 6):
        arm = planar(n)
        q0 = np.full(n, 0.3)
        ours = partial(rd.simulate, arm, q0, np.zeros(n), t=T, method="rk4")
        methods = {"robotdyn": partial(ours, compile=True), "robotdyn, NumPy alone": partial(ours, compile=False)}
        if not missing("mujoco"):
            methods["MuJoCo"] = by_mujoco(arm, q0)
        times = turns(methods, 3 if quick else 11, 0.01)
        for name, run in methods.items():
            result = run()
            if name == "MuJoCo":
                result = rd.Trajectory(T, result[:, :n], result[:, n:], np.zeros((len(T), n)))
            ratio = np.median(times.get("MuJoCo", [np.nan])) / np.median(times[name])
            error = relations.energy_is_kept(result, arm)
            lines.append(f"| {n} | {name} | {told(times[name], 1e-3)} | {ratio:.1f} times as long | {error:.0e} |")
    if missing("mujoco"):
        lines += ["", "MuJoCo is missing: `make peers` installs it."]
    report("simulation", __doc__, [*lines, "", machine()], write=not quick)


if __name__ == "__main__":
    assert peers
    main()
