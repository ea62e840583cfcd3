"""What completion offers of a module:  its public names, and nothing that it imports for itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def offering(names: Sequence[str]) -> Callable[[], list[str]]:
    """Return the `__dir__` of a module with these public names: `__dir__ = offering(__all__)`."""
    return lambda: sorted(names)
