"""NumPy, loaded when first used: a kernel in a browser may have none, and says so then.

from coursework.lazy_numpy import np       # in place of `import numpy as np`, where most of a file works without it
"""

import contextlib
import importlib
import sys
from typing import Any

MISSING = (
    "this needs NumPy, which this kernel does not have; run `%pip install numpy` in a cell, then the notebook again"
)


def quiet() -> contextlib.AbstractContextManager[Any]:
    """Return a context in which NumPy does not warn of overflow and the like; an empty one where it is not loaded."""
    return np.errstate(all="ignore") if "numpy" in sys.modules else contextlib.nullcontext()


def no_invalid() -> contextlib.AbstractContextManager[Any]:
    """Return a context in which NumPy stops where what it computes is no number; an empty one where it is not loaded."""
    return np.errstate(invalid="raise") if "numpy" in sys.modules else contextlib.nullcontext()


class _NumPy:
    """Looks like the module; asked for a name, it fetches it.  Without NumPy: ModuleNotFoundError with the way out, as of rd."""

    def __getattr__(self, name: str) -> Any:
        try:
            found = getattr(importlib.import_module("numpy"), name)
        except ModuleNotFoundError as error:
            if error.name != "numpy":
                raise
            raise ModuleNotFoundError(MISSING, name="numpy") from None
        setattr(self, name, found)  # next time it is there
        return found


np = _NumPy()
