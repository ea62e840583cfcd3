"""An estimate as a table:  base parameter, estimate, standard error, and that in percent; for a terminal and for a page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from robotdyn.identification.estimate import Estimate

COLUMN_TITLES = ("base parameter", "estimate", "standard error", "%")
UNSURE_PERCENT = 30  # percent from which on a value is marked


def as_text(estimate: Estimate) -> str:
    """Return the table in lines of text."""
    rows = [COLUMN_TITLES, *table_rows(estimate)]
    width = [max(len(row[k]) for row in rows) for k in range(4)]
    lines = [
        "  ".join([row[0].ljust(width[0]), *(cell.rjust(size) for cell, size in zip(row[1:], width[1:]))])
        for row in rows
    ]
    return "\n".join([*_title(estimate), *lines])


def as_html(estimate: Estimate) -> str:
    """Return the table for a notebook."""
    cells = lambda kind, row: "".join(f"<{kind}>{escape(cell)}</{kind}>" for cell in row)
    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in table_rows(estimate))
    return f"<table><caption>{escape('; '.join(_title(estimate)))}</caption><tr>{cells('th', COLUMN_TITLES)}</tr>{body}</table>"


def table_rows(estimate: Estimate) -> list[tuple[str, str, str, str]]:
    """Return the cells of each line; a value that is hardly known has a question mark at its percent."""
    rows = []
    for group, value, error in zip(estimate.base.groups, estimate.values, estimate.errors):
        percent = 100 * error / abs(value) if value else np.inf
        digits = max(0, 1 - int(np.floor(np.log10(error)))) if 0 < error < np.inf else 6
        rows.append((group, f"{value:.{min(digits, 9)}f}", f"{error:.2g}", _percent(percent)))
    return rows


def _percent(x: float) -> str:
    return f"{x:.2g}" if x < UNSURE_PERCENT else f"{x:.0f} ?" if x < 1000 else "> 1000 ?"


def _title(estimate: Estimate) -> list[str]:
    noise = ", ".join(f"{x:.2g}" for x in estimate.noise)
    return [
        f"{len(estimate)} base parameters, {estimate.method} estimate from {estimate.samples} samples",
        f"left of the torques of each joint, rms: {noise}",
    ]
