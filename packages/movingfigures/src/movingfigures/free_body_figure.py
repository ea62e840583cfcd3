"""A box to throw:  Euler's equations  I omegadot = n - omega x I omega  and  Rdot = R [omega],  by functions of the library.

The page shows two spaces: the one in which the box turns about a momentum that stands still, and that of the body, in
which the momentum runs along the curve where a sphere and an ellipsoid intersect.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from movingfigures.figure import Figure
from movingfigures.figure_programs import AlgorithmWithShapes
from movingfigures.figure_spec import FigureSpec
from movingfigures.sliders import Slider
from robotdyn.dynamics import rigid_body
from robotdyn.maths import rotations
from robotdyn.maths.namespace import namespace
from robotdyn.maths.validate import Entries, Result, as_numbers, as_positive
from robotdyn.model import bodies
from robotdyn.model.body import Body
from robotdyn.simulation.free_body import tumble
from robotdyn.simulation.integrators import integrator_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_RATE: float = 15.0  # rad/s, of a slider


class FreeBodyFigure(Figure):
    """A box that turns freely, as `toss` returns it.

    body: the box; q: (3,) rad, its rotation vector, `rd.rotations.exp(figure.q)` is R; qd: (3,) rad/s, its angular
    velocity in body axes.  All else as in a `Figure`; there is no arm.
    """

    def __init__(self, body: Body, spec: dict[str, Any], programs: dict[str, AlgorithmWithShapes]) -> None:
        self.body: Body = body
        super().__init__(None, None, spec, programs, (), {})

    def picture(self, ax: Axes | None = None) -> Axes:
        """Draw the box at six times in Matplotlib axes, seen from the side; return ax."""
        from matplotlib.figure import Figure as Picture

        ax = Picture(figsize=(6.4, 4.0), layout="constrained").subplots() if ax is None else ax
        sides = np.array(self.spec["sides"])
        run = tumble(self.body, self.qd, np.linspace(0, 3, 6), rotations.exp(self.q))
        screen = np.array([[-0.64, 0.77, 0], [-0.26, -0.22, 0.94]])  # to the right, and up
        toward = np.cross(*screen)
        far = 1.2 * float(np.linalg.norm(sides))
        for k, R in enumerate(run.rotation):
            for i, s in [(i, s) for i in range(3) for s in (-1, 1)]:
                if s * toward @ R[:, i] <= 0:
                    continue
                corners = np.array([(s, 1, 1), (s, -1, 1), (s, -1, -1), (s, 1, -1)])[:, np.roll(range(3), i)]
                face = screen @ R @ (corners * sides / 2).T + [[far * (k % 3)], [-far * (k // 3)]]
                gray = 0.6 if i < 2 else 0.95 if s > 0 else 0.3
                ax.fill(*face, color=str(gray), ec="black", lw=0.8)
            ax.text(far * (k % 3), -far * (k // 3 + 0.55), f"{run.t[k]:.1f} s", ha="center", va="center")
        ax.set_aspect("equal")
        ax.set_axis_off()
        return ax


# where: add a moving scene in space
# a Python file and a module of its own, as this and `packages/movingfigures/js/src/free_body_figure.js`, its line in
# `SCENES` of `scenes.js` beside it; drawn by `scene.js`
def toss(
    sides: ArrayLike = (0.20, 0.14, 0.06),
    mass: float = 1.0,
    omega: ArrayLike = (0.06, 6.0, 0.06),
    title: str | None = None,
) -> Figure:
    """Return a Figure of a box that turns freely; it can be thrown, also about an axis that is touched on a sphere.

    sides: (3,) m, along its axes 1, 2, 3; mass: kg; omega: (3,) rad/s in body axes, the first toss; title: its name.
    Raises ValueError or TypeError in words for what cannot be.
    """
    size = as_numbers(sides, "sides", (3,))
    spin = as_numbers(omega, "omega", (3,))
    if not all(size > 0):
        raise ValueError(f"sides must be > 0 m, got {size.tolist()}: a plate without thickness is no box")
    if not 0 < max(abs(spin)) <= MAX_RATE:
        raise ValueError(
            f"omega must not be 0 and hold at most {MAX_RATE:g} rad/s about each axis, got {spin.tolist()}"
        )
    body = bodies.box(as_positive(mass, "mass", "kg"), size)
    programs: dict[str, AlgorithmWithShapes] = {
        name: (algorithm, inputs) for name, algorithm, inputs in _body_programs(body)
    }
    names = ("longest", "middle", "shortest")
    order = np.argsort(np.argsort(-size))
    about = ["first", "second", "third"] if len(set(size.tolist())) < 3 else [names[k] for k in order]
    sliders = [
        Slider(f"qd_{i + 1}", -MAX_RATE, MAX_RATE, float(spin[i]), f"about the {about[i]} side", "rad/s", False).spec()
        for i in range(3)
    ]
    joint = {"units": {"q": "rad", "qd": "rad/s", "tau": "N m"}, "periodic": False, "drawing": "", "sleeve": 0.0}
    run = {"label": "", "integrator": asdict(integrator_of("rk4")), "dynamics": "", "applied_torque": "", "start": None}
    spec = FigureSpec(
        title=title or "A box in the air",
        scene="free_body",
        n=3,
        sides=size.tolist(),
        joints=[joint] * 3,
        start={"q": _rotation_to_upright(body.inertia @ spin).tolist(), "qd": spin.tolist()},
        dt=0.001,
        sliders=[slider | {"letter": "ω"} for slider in sliders],
        runs=[run | {"dt": None}],
        panels=["momentum", "omega"],
    ).record()
    return FreeBodyFigure(body, spec, programs)


def _body_programs(body: Body) -> list[tuple[str, Any, dict[str, Any]]]:
    """Return name, algorithm and inputs of what the page computes for a body."""

    def state_rate(quaternion: Entries, omega: Entries) -> tuple[Result, Result]:
        """Return the rates of the quaternion, 1/s, and of the angular velocity, rad/s^2, without a moment."""
        none = 0 * omega
        return rotations.quaternion_rate(quaternion, omega), rigid_body.acceleration(body, omega, none, none)[3:]

    def inertial_view(quaternion: Entries, omega: Entries) -> tuple[Result, Result, Result, Any]:
        """Return R, and in axes that stand still L in kg m^2/s and omega; and the energy in J."""
        R = rotations.from_quaternion(quaternion)
        return R, R @ rigid_body.momentum(body, omega)[3:], R @ omega, rigid_body.kinetic_energy(body, omega)

    def momentum_surfaces(omega: Entries) -> tuple[Result, Any, Result]:
        """Return L in body axes, its length, and the semi-axes of the ellipsoid of equal energy, in the same units."""
        xp = namespace(omega)
        L = rigid_body.momentum(body, omega)[3:]
        T = rigid_body.kinetic_energy(body, omega)
        return L, (L @ L) ** 0.5, xp.stack([(2 * T * moment) ** 0.5 for moment in np.diag(body.inertia)])

    def rate_of_momentum(L: Entries) -> Result:
        """Return the angular velocity in rad/s with an angular momentum (3,) kg m^2/s, both in body axes."""
        return rigid_body.acceleration(body, 0 * L, 0 * L, L)[3:]

    state = {"quaternion": 4, "omega": 3}
    return [
        ("state_rate", state_rate, state),
        ("inertial_view", inertial_view, state),
        ("momentum_surfaces", momentum_surfaces, {"omega": 3}),
        ("rate_of_momentum", rate_of_momentum, {"L": 3}),
    ]


def _rotation_to_upright(L: Any) -> Any:
    """Return the rotation vector (3,) of the shortest turn that brings a direction upright."""
    u = L / np.linalg.norm(L)
    about = np.array([u[1], -u[0], 0.0])
    length = np.linalg.norm(about)
    return np.arccos(np.clip(u[2], -1, 1)) * (about / length if length > 1e-9 else np.array([1.0, 0, 0]))
