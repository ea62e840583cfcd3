"""C for firmware:  what `specialize(.., "c")` writes, beside what CasADi 3 generates from the same program.

Forward dynamics and its Jacobian by q.  *ns* a call, compiled by gcc -O2 for this machine and called from C, 1,000 states in turn; *code* and
*stack*: bytes for a Cortex-M7, by clang -Os as the package ziglang has it.  CasADi gets the
shortest program that `specialize` finds, run on its SX symbols, and has its own sharing of common parts (`cse`) and its own derivatives.  Both agree to 1e-9 before a clock starts.
Needs: pip install casadi ziglang, and gcc.

Run:  python benchmarks/firmware.py [--quick]      prints the table and writes benchmarks/results/firmware.md
"""

import peers  # before NumPy, whose linear algebra reads the number of threads once, when it is loaded

# isort: split

import ctypes
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from peers.arms import ARMS, states
from peers.clock import agreed, machine, report, told, turns
from peers.models import missing

import robotdyn as rd

STATES = 1000
LOOP = """
{declaration}
void loop(const double *q, const double *qd, const double *tau, double *out, int size)
{{
    for (int k = 0; k < {states}; ++k) {{
        const double *a = q + {n} * k, *b = qd + {n} * k, *c = tau + {n} * k;
        double *d = out + size * k;
        {call}
    }}
}}
"""


def ours(program, folder):
    """Write our C, and the loop around it; return the source of the function alone, and of the loop."""
    source, *_ = rd.specialize(program, target="c").write(folder)
    n = program.state[0].size
    call = f"{program.name}(a, b, c, d);"
    loop = LOOP.format(declaration=f'#include "{program.name}.h"', states=STATES, n=n, call=call)
    path = folder / "ours_loop.c"
    path.write_text(loop, encoding="utf-8")
    return source, path, program.operations


def casadis(forward, jacobian, folder):
    """Write CasADi's C, and the loop around it."""
    import casadi

    n = forward.state[0].size
    q, qd, tau = (casadi.SX.sym(name, n) for name in ("q", "qd", "tau"))
    entries = [np.array([x[i] for i in range(n)], dtype=object) for x in (q, qd, tau)]
    qdd = casadi.vertcat(*forward(*entries))
    result = casadi.densify(casadi.jacobian(qdd, q).T if jacobian else qdd)  # by columns there
    function = casadi.Function("casadi_f", [q, qd, tau], [casadi.cse(result)])
    generator = casadi.CodeGenerator("casadi_f.c", {"with_header": False})
    generator.add(function)
    generator.generate(f"{folder}/")
    work = function.sz_w() + 1
    call = f"const double *arg[3] = {{a, b, c}}; double *res[1] = {{d}}; double w[{work}]; casadi_f(arg, res, 0, w, 0);"
    declaration = "int casadi_f(const double **arg, double **res, long long *iw, double *w, int mem);"
    path = folder / "casadi_loop.c"
    path.write_text(LOOP.format(declaration=declaration, states=STATES, n=n, call=call), encoding="utf-8")
    return folder / "casadi_f.c", path, function.n_instructions()


def called(paths, folder, given, shape):
    """Return call(), which fills and returns the results of all states."""
    library = folder / f"{paths[0].stem}.so"
    command = ["gcc", "-O2", "-march=native", "-w", "-shared", "-fPIC", *map(str, paths), "-o", str(library), "-lm"]
    subprocess.run(command, check=True)
    out = np.empty((STATES, *shape))
    arguments = [ctypes.c_void_p(x.ctypes.data) for x in (*given, out)]
    loop = ctypes.CDLL(str(library)).loop

    def call():
        loop(*arguments, int(np.prod(shape)))
        return out

    return call


def on_a_small_processor(source, folder):
    """Return the bytes of code and constants, and of stack, of a source for a Cortex-M7."""
    made = folder / "small"
    (folder / "math.h").write_text("double sin(double); double cos(double); double sqrt(double);\n", encoding="utf-8")
    for kind in ("-c", "-S"):
        flags = ["-target", "thumb-freestanding-eabihf", "-mcpu=cortex_m7", "-Os", "-w", "-I", str(folder), kind]
        command = [sys.executable, "-m", "ziglang", "cc", *flags, str(source), "-o", f"{made}{kind}"]
        subprocess.run(command, check=True, cwd=folder)
    sizes = subprocess.run(["size", "-A", f"{made}-c"], capture_output=True, text=True, check=True).stdout
    code = sum(int(size) for _, size in re.findall(r"^(\.text\S*|\.rodata\S*)\s+(\d+)", sizes, re.M))
    text = Path(f"{made}-S").read_text(encoding="utf-8")
    stack = sum(int(size) for size in re.findall(r"\n\tsub(?:w|\.w)?\tsp, (?:sp, )?#(\d+)", text))
    for word, bytes_ in (("push", 4), ("vpush", 8)):
        for registers in re.findall(rf"\n\t{word}(?:\.w)?\t\{{(.*?)\}}", text):
            stack += bytes_ * len(registers.split(","))
    return code, stack


def main():
    quick = "--quick" in sys.argv[1:]
    if absent := missing("casadi", "ziglang"):
        raise SystemExit(f"firmware.py needs {', '.join(absent)}: pip install casadi ziglang")
    head = ["ns", "CasADi, ns", "ratio", "operations", "CasADi's", "code", "CasADi's", "stack", "CasADi's"]
    lines = [f"| | {' | '.join(head)} |", "|---" * (len(head) + 1) + "|"]
    for title, build in ARMS.items():
        if quick and title not in ("planar 2", "Panda 7"):
            continue
        arm = build()
        given = [np.ascontiguousarray(x) for x in states(arm, STATES)]
        forward = rd.specialize(rd.forward_dynamics, arm, target="python").program
        for name, program in (("qdd", forward), ("d qdd / d q", forward.jacobian("q"))):
            with tempfile.TemporaryDirectory() as place:
                folder = Path(place)
                rows = {"ours": ours(program, folder), "CasADi": casadis(forward, program is not forward, folder)}
                shape = program.results[0].shape
                calls = {who: called(paths[:2], folder, given, shape) for who, paths in rows.items()}
                agreed(calls["CasADi"]().reshape(STATES, -1), calls["ours"]().reshape(STATES, -1), f"{title}, {name}")
                times = turns(calls, 5 if quick else 15, 0.05)
                small = {who: on_a_small_processor(paths[0], folder) for who, paths in rows.items()}
            ratio = statistics.median(times["CasADi"]) / statistics.median(times["ours"])
            cells = [*(told(times[who], 1e-9 * STATES, 0) for who in rows), f"{ratio:.2f}"]
            cells += [f"{rows[who][2]:,}" for who in rows]
            cells += [f"{small[who][k]:,}" for k in range(2) for who in rows]
            lines.append(f"| {title}, {name} | {' | '.join(cells)} |")
            print(lines[-1], flush=True)
    report("firmware", __doc__, [*lines, "", machine()], not quick)


if __name__ == "__main__":
    assert peers
    main()
