"""Tells how this process computes and where it lives, as JSON: kernels of OpenBLAS, loops of NumPy, libm, encoding, clock, terminal.

`bookbuild.processors` runs it under each of its settings, for a setting that has no effect tries nothing. The digests are
of results in all their bits: where two of them differ, the arithmetic does.
"""

import hashlib
import json
import locale
import math
import os
import platform
import random
import struct
import sys
import time
from pathlib import Path

import numpy as np
import scipy.linalg
import threadpoolctl
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

JANUARY = 1767225600  # 2026-01-01, in seconds


def processor_flags() -> set[str]:
    """Return what the processor can do, by the names of Linux; nothing where there is no /proc/cpuinfo."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return set()
    return {flag for line in text.splitlines() if line.startswith(("flags", "Features")) for flag in line.split()[2:]}


def facts() -> dict[str, object]:
    """Return the facts by name: lists, numbers and words alone, so that they survive JSON."""
    digests = {"bits of BLAS": _blas(), "bits of NumPy": _loops(), "bits of libm": _libm()}
    pools = [pool for pool in threadpoolctl.threadpool_info() if pool["internal_api"] == "openblas"]
    return {
        "machine": platform.machine(),
        "glibc": platform.libc_ver()[0] == "glibc",
        "OpenBLAS": sorted({pool["architecture"].lower() for pool in pools}),
        "threads": sorted({pool["num_threads"] for pool in pools}),
        "SIMD of NumPy": [name for name in __cpu_dispatch__ if __cpu_features__[name]],
        **digests,
        "hash seed": os.environ.get("PYTHONHASHSEED", "random"),
        "encoding": locale.getencoding().lower(),
        "UTF-8 mode": sys.flags.utf8_mode,
        "hours from Greenwich": time.localtime(JANUARY).tm_gmtoff / 3600,
        "terminal": _terminal(),
        "stdin": sys.stdin is not None,
        "TERM": os.environ.get("TERM", ""),
    }


def _digest(numbers: "np.typing.NDArray[np.float64]") -> str:
    return hashlib.sha256(np.ascontiguousarray(numbers, dtype=np.float64).tobytes()).hexdigest()[:8]


def _blas() -> str:
    """Products, solutions and eigenvalues of matrices of the sizes of an arm and larger."""
    rng = np.random.default_rng(1)
    results = []
    for n in (2, 3, 6, 7, 12, 40):
        A = rng.normal(size=(n, n))
        b = rng.normal(size=n)
        S = A @ A.T + n * np.eye(n)
        results += [A @ b, S.ravel(), np.linalg.solve(S, b), np.linalg.eigvalsh(S), scipy.linalg.expm(A / n).ravel()]
    return _digest(np.concatenate(results))


def _loops() -> str:
    """Sums and functions of arrays, which NumPy computes by loops of its own."""
    x = np.random.default_rng(2).normal(size=10001)
    return _digest(np.concatenate([np.sin(x), np.exp(x), np.arctan(x), np.abs(x) ** 1.7, [x.sum(), x.std(), x @ x]]))


def _libm() -> str:
    """Functions of single floats, which the C library computes."""
    draw = random.Random(3)
    x = [draw.uniform(-10, 10) for _ in range(10000)]
    y = [f(abs(value)) for f in (math.sin, math.cos, math.tan, math.exp, math.log, math.atan) for value in x]
    return hashlib.sha256(struct.pack(f"{len(y)}d", *y)).hexdigest()[:8]


def _terminal() -> bool:
    """Whether this process has a terminal: it could ask a question there and wait."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR))
    except OSError:
        return False
    return True


if __name__ == "__main__":
    print(json.dumps(facts()))
