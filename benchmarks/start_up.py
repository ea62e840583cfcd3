"""What it costs to begin:  tracing, printing, compiling, loading from the cache, and the memory of a large batch.

Times of a first use, each in a process of its own, robotdyn and what it needs imported before; *LLVM, many* is what the first call
with many states compiles besides.  Memory: what the process takes more while 10,000 states of the Panda are computed, beside
inputs and results (2,240 kB); the specialized functions against one call of the generic text.

Run:  python benchmarks/start_up.py [--quick]      prints the tables and writes benchmarks/results/start_up.md
"""

import peers  # before NumPy, whose linear algebra reads the number of threads once, when it is loaded

# isort: split

import json
import os
import subprocess
import sys

from peers.clock import machine, report, told

ONE = """
import json, resource, sys, time
import peers, numpy as np
from peers.arms import ARMS, states
import robotdyn as rd
import robotdyn.codegen.targets  # all that a first call loads
if {target!r} == "llvm":
    import llvmlite.binding
arm = ARMS[{title!r}]()
start = time.perf_counter()
program = rd.trace({algorithm}, arm)
traced = time.perf_counter()
fast = rd.specialize({algorithm}, arm, {target!r}) if {target!r} != "generic" else lambda *given: {algorithm}(arm, *given)
made = time.perf_counter()
given = states(arm, 10_000)
out = np.zeros((10_000, arm.n))
begun = time.perf_counter()
fast(*given[:, :64])
first = time.perf_counter() - begun
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
out[:] = fast(*given)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([traced - start, made - traced, after - before, getattr(fast, "operations", 0), first]))
"""


def measured(title, algorithm, target):
    """Return times of tracing and of all that specialize does, in s, memory in kB, operations, and time of a first batch, s."""
    text = ONE.format(title=title, algorithm=algorithm, target=target)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True, env=environment)
    return json.loads(done.stdout)


def main():
    quick = "--quick" in sys.argv[1:]
    repeats = 1 if quick else 7
    lines = [
        "| | algorithm | operations | trace ms | Python ms | NumPy ms | LLVM ms | LLVM, many, ms |",
        "|---" * 8 + "|",
    ]
    for title in ("planar 2", "Panda 7") if quick else ("planar 2", "planar 6", "PUMA 6", "Panda 7"):
        for name in ("inverse_dynamics", "forward_dynamics"):
            runs = {"python": [], "numpy": [], "llvm": []}
            for _ in range(repeats):
                for target, rows in runs.items():
                    rows.append(measured(title, f"rd.{name}", target))
            made = {kind: [run[1] for run in rows] for kind, rows in runs.items()}
            trace = told([run[0] for rows in runs.values() for run in rows], 1e-3, 1)
            cells = [trace, told(made["python"], 1e-3, 1), told(made["numpy"], 1e-3, 1)]
            cells += [told(made["llvm"], 1e-3, 1), told([run[4] for run in runs["llvm"]], 1e-3, 1)]
            lines.append(f"| {title} | {name.replace('_', ' ')} | {runs['python'][0][3]:,} | {' | '.join(cells)} |")
            print(lines[-1], flush=True)
    lines += ["", "The columns of the targets hold all that `specialize` does, tracing included.", ""]
    lines += ["| memory of 10,000 states, Panda 7, forward dynamics | kB more |", "|---|---|"]
    for target in ("llvm", "numpy", "python", "generic"):
        lines.append(f"| {target} | {measured('Panda 7', 'rd.forward_dynamics', target)[2]:,} |")
    report("start_up", __doc__, [*lines, "", machine()], not quick)


if __name__ == "__main__":
    assert peers
    main()
