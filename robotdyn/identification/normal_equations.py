"""The normal equations of  tau = Y beta  over many samples:  Z^T Y, Y^T Y, Y^T tau and tau^T tau for each joint.

They are made block by block, so that memory does not grow with the samples, and in columns that a QR decomposition of
some rows has made nearly orthonormal: then normal equations lose no digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from robotdyn.identification.base_parameters import BaseParameters
from robotdyn.identification.recording import Samples
from robotdyn.maths.validate import Floats

BLOCK_SAMPLES = 1000  # samples; more where a filter makes rows of more at once
MAX_CACHED_ENTRIES = 2**25  # numbers of Y that are kept for a second pass, 256 MB
QR_SAMPLES = 3000  # samples of which the QR decomposition is made
EXCITATION_TOLERANCE = 1e-7  # a combination whose torques are so small beside those of others is not excited


@dataclass(frozen=True, eq=False)
class NormalEquations:
    """Per joint j, in columns made orthonormal: A (n, r, r) = Z^T Y, b (n, r) = Z^T tau, c (n,) = tau^T tau, of samples.

    ZZ, YY (n, r, r), Yt (n, r): the same products of one matrix alone; Z is Y but for instruments.
    """

    A: Floats
    b: Floats
    c: Floats
    ZZ: Floats
    YY: Floats
    Yt: Floats

    def solve(self, weights: Floats) -> Floats:
        """Return x (r,) with  sum_j w_j (A_j x - b_j) = 0."""
        return np.asarray(np.linalg.solve(np.tensordot(weights, self.A, 1), weights @ self.b), dtype=np.float64)

    def squared_residuals(self, x: Floats) -> Floats:
        """Return the sum of squared residuals of each joint (n,)."""
        residual = self.c - 2 * self.Yt @ x + np.einsum("r,jrs,s->j", x, self.YY, x)
        return np.maximum(
            residual, 1e-16 * np.maximum(self.c, 1e-16 * (self.c.max() or 1.0))
        )  # what rounding leaves of exact data

    def covariance(self, weights: Floats, variance: Floats) -> Floats:
        """Return the covariance (r, r) of the solution, where the torques of joint j have this variance (n,)."""
        inverse = np.linalg.inv(np.tensordot(weights, self.A, 1))
        return inverse @ np.tensordot(weights**2 * variance, self.ZZ, 1) @ inverse.T


class SampledModel:
    """Y_base and tau of all samples: `blocks` yields them, `normal_equations` adds up their products, `residuals` says what is left."""

    base: BaseParameters
    model: Callable[..., Floats]
    samples: Samples
    tau: Floats
    whitener: Floats
    cached_blocks: list[Floats]
    caches_blocks: bool
    block: int

    def __init__(self, base: BaseParameters, model: Callable[..., Floats], samples: Samples) -> None:
        self.base = base
        self.model = model
        self.samples = samples
        self.tau = tau = samples.tau
        subset = np.arange(0, len(tau), max(1, len(tau) // QR_SAMPLES))
        self.block = max(BLOCK_SAMPLES, samples.block)
        parts = np.split(subset, np.flatnonzero(np.diff(subset // self.block)) + 1)
        W = np.concatenate([samples.rows(model, part) for part in parts]).reshape(-1, len(base))
        check_excitation(base, W)
        self.whitener = np.linalg.inv(np.linalg.qr(W, "r")) * np.sqrt(len(W))
        self.cached_blocks = []
        self.caches_blocks = W.shape[1] * tau.size <= MAX_CACHED_ENTRIES

    def blocks(self) -> Iterator[tuple[slice, Floats]]:
        """Yield places of samples and their Y (B, n, r), in orthonormal columns."""
        for k, begin in enumerate(range(0, len(self.tau), self.block)):
            part = slice(begin, begin + self.block)
            if k < len(self.cached_blocks):
                yield part, self.cached_blocks[k]
                continue
            Y = self.samples.rows(self.model, part) @ self.whitener
            if self.caches_blocks:
                self.cached_blocks.append(Y)
            yield part, Y

    def normal_equations(self, weights: Floats | None = None, instruments: Any = None) -> NormalEquations:
        """Return the normal equations, with weights (T, n) of the samples; instruments: states whose Y stands for Z."""
        n = self.tau.shape[1]
        r = len(self.base)
        size = 2 * r if instruments is not None else r
        products = np.zeros((n, size + 1, size + 1))
        for part, Y in self.blocks():
            columns = [Y, self.tau[part, :, None]]
            if instruments is not None:
                columns.insert(0, self.model(*(x[part] for x in instruments)) @ self.whitener)
            rows = np.concatenate(columns, axis=2).transpose(1, 0, 2)
            weighted_rows = rows if weights is None else rows * weights[part].T[:, :, None]
            products += weighted_rows.transpose(0, 2, 1) @ rows
        z = slice(0, r)
        y = slice(size - r, size)
        P = products
        return NormalEquations(P[:, z, y], P[:, z, -1], P[:, -1, -1], P[:, z, z], P[:, y, y], P[:, y, -1])

    def residuals(self, x: Floats) -> Floats:
        """Return tau - Y x (T, n)."""
        return self.tau - np.concatenate([Y @ x for _, Y in self.blocks()])


def check_excitation(base: BaseParameters, W: Floats) -> None:
    """Refuse rows (N, r) in which some combination of base parameters makes no torque."""
    size = np.linalg.norm(W, axis=0)
    scale = np.where(size > EXCITATION_TOLERANCE * size.max(), size, np.inf)
    _, values, directions = np.linalg.svd(np.linalg.qr(W / scale, "r"), full_matrices=False)
    unexcited = values <= EXCITATION_TOLERANCE * values[0]
    if len(W) < W.shape[1] or unexcited.any():
        mixed = abs(directions[unexcited]).max(axis=0) if unexcited.any() else np.ones(W.shape[1])
        names = [base.names[place] for place, x in zip(base.columns, mixed) if x > 0.1]
        shown = ", ".join(names[:6]) + (", .." if len(names) > 6 else "")
        raise ValueError(
            f"the motion excites {(~unexcited).sum()} of {len(base)} base parameters: its torques do not tell {shown} "
            "(and what is grouped with them) apart; record one that rd.identification.excite plans, or move more joints"
        )
