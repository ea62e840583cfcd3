"""Another processor, for tests: sums in another order, functions a few ulp away; what is exact stays exact.

`python tests/other_arithmetic.py 3` builds it, says what to set, and what then comes out otherwise.
"""

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).with_suffix(".c")
FOLDER = SOURCE.parent.parent / "_build"
if set(" :") & set(str(FOLDER)):  # LD_PRELOAD takes both for what separates two files
    FOLDER = Path(tempfile.gettempdir()) / f"robotdyn-{os.getuid()}"
BUILT = FOLDER / "other_arithmetic.so"
COMPILE = [
    "-O2",
    "-ffp-contract=off",
    "-fno-builtin",
    "-fPIC",
    "-shared",
]  # no sum or product is fused unless we say so


def environment(seed: int) -> dict[str, str]:
    """Return the variables under which a Python that is started computes as processor number `seed`.

    Built where it is not yet; odd seeds do without NumPy's vector loops, too, the others without those of AVX-512 alone.
    Raises RuntimeError where there is no C compiler, or the system knows no LD_PRELOAD.
    """
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if platform.system() != "Linux":
        raise RuntimeError(f"another arithmetic is loaded by Linux's LD_PRELOAD alone, got {platform.system()}")
    if compiler is None:
        raise RuntimeError("another arithmetic needs a C compiler named cc, got none; apt-get install gcc brings one")
    if not BUILT.exists() or BUILT.stat().st_mtime < SOURCE.stat().st_mtime:
        BUILT.parent.mkdir(exist_ok=True)
        part = BUILT.with_suffix(f".{os.getpid()}")  # two that build at once do not read each other's half
        subprocess.run([compiler, *COMPILE, "-o", part, SOURCE, "-lm", "-ldl"], check=True)
        part.replace(BUILT)
    return {
        "LD_PRELOAD": str(BUILT),
        "OTHER_ARITHMETIC": str(seed),
        "NPY_DISABLE_CPU_FEATURES": " ".join(vector_loops(without_all=seed % 2 == 1)),
    }


def vector_loops(without_all: bool) -> list[str]:
    """Return NumPy's names of the vector loops that it would take here: all, or those whose functions bypass libm."""
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    here = [name for name in __cpu_dispatch__ if __cpu_features__.get(name)]
    return here if without_all else [name for name in here if name == "X86_V4" or name.startswith("AVX512")]


TRIED = """
import json, math
import numpy as np, scipy.linalg
rng = np.random.default_rng(1)
x, A = rng.normal(size=300), rng.normal(size=(7, 7))
functions = "sin cos tan exp log1p arctan sinh cbrt".split()
found = {f"np.{name}": getattr(np, name)(abs(x)) for name in functions}
found |= {f"math.{name}": [getattr(math, name)(value) for value in x.tolist()] for name in ("sin", "exp", "atan")}
found |= {"np.hypot": np.hypot(x, 1.1), "np.arctan2": np.arctan2(x, 1.1), "power": abs(x) ** 1.5}
found |= {"dot": [np.dot(row, x[:7]) for row in A], "A @ x": A @ x[:7], "A @ A": A @ A, "A @ A.T": A @ A.T}
found |= {"solve": np.linalg.solve(A, x[:7]), "inv": np.linalg.inv(A), "cholesky": np.linalg.cholesky(A @ A.T)}
found |= {"eigh": np.linalg.eigvalsh(A + A.T), "svd": np.linalg.svd(A)[1], "qr": np.linalg.qr(A)[1]}
found |= {"lstsq": np.linalg.lstsq(A[:, :3], x[:7])[0], "eigvals": sorted(abs(np.linalg.eigvals(A)))}
found |= {"scipy solve": scipy.linalg.solve(A, x[:7]), "scipy expm": scipy.linalg.expm(A)}
print(json.dumps({name: np.ravel(values).tolist() for name, values in found.items()}))
"""


def outcome(variables: dict[str, str]) -> dict[str, list[float]]:
    """Return what a few functions, products and solutions give in a Python that is started under these variables."""
    run = [sys.executable, "-c", TRIED]
    return json.loads(
        subprocess.run(run, env=os.environ | variables, check=True, capture_output=True, text=True).stdout
    )


def main(seed: int = 0) -> None:
    """Print the variables to set, and how many of a few values are then others."""
    variables = environment(seed)
    print(*(f"{name}={value!r}" for name, value in variables.items()))
    here, there = outcome({}), outcome(variables)
    for name, values in here.items():
        differ = [abs(a - b) / max(abs(a), abs(b)) for a, b in zip(values, there[name]) if a != b]
        print(f"{name:14} {len(differ):3} of {len(values):3} differ, by {max(differ, default=0):.1e} at most")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
