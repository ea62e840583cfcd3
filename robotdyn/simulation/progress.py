"""A bar for what takes long: nothing in the first second, nothing where nobody looks, gone when done."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(total: int, shown: bool | None = None) -> Iterator[Callable[[int, str], None]]:
    """Give a `with` block the function (steps, message) that moves a bar of `total` steps onward.

    shown: True, False, or None: only where a person can see it, and only after the first second.  Where notebooks run
    with nobody in front of them, as in the build of the book, ROBOTDYN_PROGRESS=0 says so.
    """
    if shown is False or (shown is None and os.environ.get("ROBOTDYN_PROGRESS") == "0"):
        yield lambda steps, message: None
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # without ipywidgets there is no bar in a notebook, and no advice either
        from tqdm.auto import tqdm
    in_notebook = any(base.__module__ == "tqdm.notebook" for base in tqdm.__mro__)

    class Bar(tqdm):
        monitor_interval = 0  # no thread beside the computation

    disable = False if shown or in_notebook else None  # None: unless the errors go to a terminal
    with Bar(total=total, disable=disable, delay=0 if shown else 1, miniters=1, leave=False) as bar:

        def advance(steps: int, message: str) -> None:
            bar.set_postfix_str(message, refresh=False)
            bar.update(steps)

        yield advance
