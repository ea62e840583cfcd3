"""robotdyn: robot manipulator dynamics as one readable program for each algorithm, for symbols, numbers and batches."""

from __future__ import annotations

import importlib
from typing import Any

import lazy_loader

__version__ = "0.1.0"

# The public names stand in __init__.pyi, once, for Python, editors and type checkers; each part loads when first used,
# so that `import robotdyn` stays quick, also where there is no NumPy.
_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
# Names that notebooks already hold for what is called otherwise now.
_ALIASES = {"relations": "laws", "stacking": "optimal.rollout_matrix"}


def __getattr__(name: str) -> Any:
    try:
        if name == "check":  # what students' notebooks import
            return importlib.import_module("coursework.check")
        if name in _ALIASES:
            return importlib.import_module(f"robotdyn.{_ALIASES[name]}")
        return _load(name)
    except ModuleNotFoundError as error:
        if error.name == "numpy":
            sentence = "this needs NumPy, which this kernel does not have; run `%pip install numpy` in a cell, then the notebook again"
        elif error.name == "coursework":
            sentence = "rd.check needs the package coursework, which is not installed here; run `pip install robotdyn[course]`, or give pip the wheel coursework-*.whl that lies beside the book's notebooks"
        else:
            raise
        raise ModuleNotFoundError(sentence, name=error.name) from None
    except AttributeError:
        if name in __all__:
            raise
        raise AttributeError(f"robotdyn has no {name!r}; it has {', '.join(sorted(__all__))}") from None
