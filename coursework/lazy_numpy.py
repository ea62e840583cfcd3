"""NumPy and the parts of the library, loaded when first used: a kernel in a browser may have no NumPy, and says so then.

from coursework.lazy_numpy import np       # in place of `import numpy as np`, where most of a file works without it
"""

import contextlib
import importlib
import sys

MISSING = (
    "this needs NumPy, which this kernel does not have; run `%pip install numpy` in a cell, then the notebook again"
)


class NoNumPy(ModuleNotFoundError):
    """NumPy is not installed where something needs it; the sentence gives the way out."""


def load(module):
    """Return a module by its name; raises NoNumPy where it needs NumPy and there is none."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise NoNumPy(MISSING, name="numpy") from None


def quiet():
    """Return a context in which NumPy does not warn of overflow and the like; an empty one where it is not loaded."""
    return np.errstate(all="ignore") if "numpy" in sys.modules else contextlib.nullcontext()


class _NumPy:
    """Looks like the module; asked for a name, it is."""

    def __getattr__(self, name):
        return getattr(load("numpy"), name)


np = _NumPy()
