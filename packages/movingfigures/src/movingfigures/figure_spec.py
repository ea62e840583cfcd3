"""What a figure says to its script: one record, which JSON carries, and its version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

# Goes up, here and in `js/src/spec.js`, with every change after which an older script would show something wrong.
SPEC_VERSION: int = 1


@dataclass(frozen=True, kw_only=True)
class FigureSpec:
    """The record that a script reads beside its programs; what is None is not in it.

    title: the name of the figure; n: how many joints; joints: what `explore.joint_specs` says of each; start: {"q", "qd"},
    (n,) each, rad and rad/s (m, m/s); dt: s, the fixed step; fixed: {name: number} of what has no slider and is no
    parameter of the programs; playing: whether the page starts it, or "touch"; sliders: as `Slider.spec` has them.
    runs: label, integrator, names of the programs of its dynamics and its torques, own start and dt of each arm.
    panels, marks: words; terms: of the equation, equation: whether they can be touched.
    digit, covariance, pose, predict, goal (n,) rad (m), target (2,) m: as `explore` reads them.
    parents, bars: of a tree.  solutions, choice: stored motions, and what their list is called.
    task: the problem of a reach.  learned: what an arm learns.  scene: the word of a motion and a picture of their own; of
    these alone are sides m, rates, place m, side m, side_time s and height m.
    """

    title: str
    n: int
    joints: Sequence[Mapping[str, Any]]
    start: Mapping[str, Sequence[float]]
    dt: float
    runs: Sequence[Mapping[str, Any]]
    sliders: Sequence[Mapping[str, Any]] = ()
    fixed: Mapping[str, float] = field(default_factory=dict)
    playing: bool | str = False
    panels: Sequence[str] = ()
    marks: Sequence[str] = ()
    terms: Sequence[str] = ()
    equation: bool = False
    digit: int | None = None
    covariance: Mapping[str, Any] | None = None
    pose: str | None = None
    predict: Mapping[str, Any] | None = None
    goal: Sequence[float] | None = None
    target: Sequence[float] | None = None
    parents: Sequence[int] | None = None
    bars: Sequence[int] | None = None
    solutions: Sequence[Mapping[str, Any]] | None = None
    choice: str | None = None
    task: Mapping[str, Any] | None = None
    learned: Mapping[str, Any] | None = None
    scene: str | None = None
    sides: Sequence[float] | None = None
    rates: Mapping[str, Sequence[float]] | None = None
    place: Sequence[float] | None = None
    side: float | None = None
    side_time: float | None = None
    height: float | None = None
    version: int = SPEC_VERSION

    def record(self) -> dict[str, Any]:
        """Return {name: value} as JSON has it, sequences as lists."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        given = {name: value for name, value in values.items() if value is not None}
        return {name: [*value] if isinstance(value, tuple) else value for name, value in given.items()}
