"""What completion offers of a module:  its public names, and nothing that it imports for itself."""

from __future__ import annotations

import sys


def offer_public_names(module: str) -> None:
    """Let `dir` of the module of this name list what its `__all__` does; called at its top, offer_public_names(__name__)."""
    owner = sys.modules.get(module)
    if owner is None:  # its text is run by itself, under a name of its own
        return
    setattr(owner, "__dir__", lambda: sorted(owner.__all__))  # noqa: B010  what a type checker knows of no module
