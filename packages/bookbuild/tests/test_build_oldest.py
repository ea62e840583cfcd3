"""The oldest versions that the library allows are named for pip."""

import subprocess
import sys

import pytest

from bookbuild import oldest


def test_a_lower_bound_becomes_a_pin():
    """With the latest fixes of that version; a requirement without one is told."""
    assert oldest.oldest(["numpy>=2.0", "lazy-loader>=0.4,<1"]) == ["numpy==2.0.*", "lazy-loader==0.4.*"]
    for wrong in ("numpy", "numpy==2.0", "numpy<3"):
        with pytest.raises(ValueError, match="must have a lower bound"):
            oldest.oldest([wrong])


def test_it_runs_without_any_package():
    """In Python alone, and names all that the wheel needs."""
    done = subprocess.run([sys.executable, "-I", "-S", oldest.__file__], capture_output=True, text=True, check=True)
    names = {word.split("==")[0] for word in done.stdout.split()}
    assert {"numpy", "scipy", "sympy", "matplotlib", "llvmlite"} <= names
