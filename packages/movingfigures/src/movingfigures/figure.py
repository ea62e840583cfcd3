"""The two faces of a moving figure: HTML that needs no kernel, and a widget whose values reach Python."""

from __future__ import annotations

import base64
import functools
import hashlib
import html
import io
import itertools
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike

from movingfigures import figure_programs
from robotdyn.control import gravity_compensation
from robotdyn.maths.validate import Floats, as_numbers
from robotdyn.model.arm import Arm
from robotdyn.show.arms import draw_arm, draw_motion
from robotdyn.simulation.simulate import simulate
from robotdyn.simulation.trajectory import Trajectory

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Picture

HERE: Path = Path(__file__).parent
ENGINE_COMMENT: str = "/* The engine of moving figures. */"  # bookbuild.page_weight knows it by this
ENGINE: str = "engine.js"  # what esbuild makes of packages/movingfigures/js/src: `movingfigures` with its two functions


class Figure:
    """A moving figure, as `explore` and `replay` return it; the last line of a cell shows it.

    values: {name: number} of the sliders; q, qd (n,) and t: the state that the page last told, at most five times a
    second, rad, rad/s and s (m, m/s); arm: the arm with the values of now.  functions: {name: function} of what the page
    computes for `part`, the arm whose sliders are symbols; programs: the same as JavaScript; spec: all else it needs.
    """

    def __init__(
        self,
        arm: Arm | None,
        part: Arm | None,
        spec: dict[str, Any],
        algorithms: Mapping[str, figure_programs.AlgorithmWithShapes],
        free: tuple[str, ...],
        fixed: dict[str, float],
    ) -> None:
        self.spec: dict[str, Any] = spec
        self.part: Arm | None = part
        self.algorithms: Mapping[str, figure_programs.AlgorithmWithShapes] = algorithms
        self.functions: dict[str, figure_programs.Algorithm] = {
            name: function for name, (function, _) in algorithms.items()
        }
        self.programs: dict[str, Any] = figure_programs.compile_programs(part, free, algorithms)
        self._arm = arm
        self._fixed = fixed
        self._widget: Any = None
        self._values = {slider["name"]: slider["value"] for slider in spec["sliders"]}
        self._motion = {"t": 0.0, **spec["start"], "playing": spec["playing"]}

    @property
    def values(self) -> dict[str, float]:
        """The values of the sliders, {name: number}."""
        return dict(self._widget.values if self._widget is not None else self._values)

    @property
    def motion(self) -> dict[str, Any]:
        """The state of the first arm: {"t", "q", "qd", "playing"}."""
        return dict(self._widget.motion if self._widget is not None else self._motion)

    @property
    def q(self) -> Floats:
        """The joint coordinates (n,) of now, rad (m)."""
        return np.array(self.motion["q"], dtype=float)

    @property
    def qd(self) -> Floats:
        """The rates (n,) of now, rad/s (m/s)."""
        return np.array(self.motion["qd"], dtype=float)

    @property
    def t(self) -> float:
        """The time of now, s."""
        return float(self.motion["t"])

    @property
    def arm(self) -> Arm:
        """The arm with numbers in it, those of the sliders: `rd.mass_matrix(figure.arm, figure.q)`."""
        if self._arm is None:
            raise AttributeError("this figure shows no arm: what it shows is figure.body")
        return self._arm.subs(self._fixed | self.values)

    def set(
        self, q: ArrayLike | None = None, qd: ArrayLike | None = None, playing: bool | None = None, **values: float
    ) -> None:
        """Move sliders, the arm, or both: figure.set(m_1=2.0, q=[0, 1]); playing: True or False.

        Raises ValueError for an unknown name, a value out of its range, or a wrong shape.
        """
        ranges = {slider["name"]: slider for slider in self.spec["sliders"]}
        for name, value in values.items():
            _check_slider_value(name, value, ranges)
        motion = self.motion
        for name, value in values.items():
            letter, _, joint = name.partition("_")
            if letter in ("q", "qd"):  # a slider of the state, not of a parameter
                motion[letter] = list(motion[letter])
                motion[letter][int(joint) - 1] = float(value)
        for name, x in (("q", q), ("qd", qd)):
            if x is not None:
                motion[name] = as_numbers(x, name, (self.spec["n"],)).tolist()
        if playing is not None:
            motion["playing"] = bool(playing)
        self._values = self.values | {name: float(value) for name, value in values.items()}
        self._motion = motion | {"from": "python"}
        if self._widget is not None:
            self._widget.values = self._values
            if q is not None or qd is not None or playing is not None:
                self._widget.motion = self._motion

    def html(self) -> str:
        """Return the HTML that stands alone: style, engine, the figure, and a picture for where scripts are off.

        Several figures of a page carry the same style and engine; copies after the first one do nothing.
        """
        spec = json.dumps(self._current_spec(), ensure_ascii=False)
        name = "rd-" + hashlib.sha256((spec + self.programs_text()).encode()).hexdigest()[:12]
        picture = base64.b64encode(self._png(small=True)).decode()
        alt = html.escape(f"{self.spec['title']}: a picture of its motion. Where scripts run, it can be dragged.")
        engine = "robotdyn_" + hashlib.sha256(engine_source().encode()).hexdigest()[:12]
        start = (
            f"const programs = () => ({{\n{self.programs_text()}\n}});\nconst spec = {spec};\n"
            f'for (const el of document.querySelectorAll("[data-rd={name}]")) {engine}(el, spec, programs);'
        )
        return "\n".join(
            [
                f"<style>{read_asset('figure.css')}</style>",
                f"<script>{ENGINE_COMMENT}\nwindow.{engine} ??= (() => {{\n{_escape_end_tag(engine_source())}\nreturn movingfigures.standAlone;\n}})();\n</script>",
                f'<div class="rd-figure" data-rd="{name}"><noscript>',
                f'<img alt="{alt}" src="data:image/png;base64,{picture}"></noscript></div>',
                f"<script>\n(() => {{\n{_escape_end_tag(start)}\n}})();\n</script>",
            ]
        )

    def picture(self, ax: Axes | None = None) -> Axes:
        """Draw what the figure shows first, in Matplotlib axes: for print; return ax."""
        from matplotlib.figure import Figure as Picture

        ax = Picture(figsize=(6.4, 4.0), layout="constrained").subplots() if ax is None else ax
        arm = self.arm
        q = self.spec["start"]["q"]
        if "solutions" in self.spec:
            path = np.array(self.spec["solutions"][0]["q"])
            t = self.spec["dt"] * np.arange(len(path))
            return draw_motion(arm, Trajectory(t, path, 0 * path, 0 * path), ax, frames=6)
        try:
            return draw_motion(arm, self.fall(np.linspace(0, 0.6, 121)), ax, frames=6)
        except ValueError:  # no motion follows from these values: the pose alone
            return draw_arm(arm, q, ax)

    def fall(self, t: ArrayLike) -> Trajectory:
        """Return the Trajectory of the first arm from its start, left alone, at the times t (T,) s."""
        values = self._fixed | self.values
        n = self.spec["n"]
        tau = np.array([values.get(f"tau_{i + 1}", 0.0) for i in range(n)])
        friction = np.array([values.get(f"b_{i + 1}", values.get("b", 0.0)) for i in range(n)])
        q, qd = (self.spec["start"][name] for name in ("q", "qd"))
        law = lambda t, q, qd: tau - friction * qd
        if (goal := self.spec.get("goal")) is not None:
            weight = gravity_compensation(self.arm)
            free = law
            law = lambda t, q, qd: free(t, q, qd) + values["k"] * (goal - q) + values["w"] * weight(t, q, qd)
        return simulate(self.arm, q, qd, law, t)

    def _picture_file(self, form: str, **options: Any) -> bytes:
        """Return the picture as the bytes of a file, "svg" or "png"."""
        data = io.BytesIO()
        page = cast("Picture", self.picture().figure)
        page.savefig(data, format=form, **options)
        return data.getvalue()

    def _png(self, small: bool = False) -> bytes:
        """Return the picture as the bytes of a PNG file; small: of a few colors, for a page."""
        data = io.BytesIO(self._picture_file("png", dpi=80 if small else 150, metadata={"Software": None}))
        if small:
            from PIL import Image  # comes with Matplotlib

            few = Image.open(data).convert("RGB").quantize(48)
            data = io.BytesIO()
            few.save(data, "png", optimize=True)
        return data.getvalue()

    def __repr__(self) -> str:
        sliders = ", ".join(f"{name}={value:g}" for name, value in self.values.items())
        return f"<{self.spec['title']}{': ' * bool(sliders)}{sliders}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        drawing = self._picture_file(
            "svg", metadata={"Date": None}
        ).decode()  # for paper; a PNG for those who read no SVG
        bundle = {
            "text/plain": repr(self),
            "text/html": self.html(),
            "image/svg+xml": drawing,
            "image/png": self._png(),
        }
        return bundle | self._widget_bundle()

    def _current_spec(self) -> dict[str, Any]:
        """Return the spec with the values of now as the start."""
        sliders = [slider | {"value": self.values[slider["name"]]} for slider in self.spec["sliders"]]
        return self.spec | {"sliders": sliders, "start": {name: self.motion[name] for name in ("q", "qd")}}

    def programs_text(self) -> str:
        """Return the entries of an object of JavaScript that holds the programs."""
        return ",\n".join(f"{name}: {_function_source(text)}" for name, text in self.programs.items())

    def _module(self) -> str:
        """Return the ES module of the widget."""
        programs = f"const PROGRAMS = {{\n{self.programs_text()}\n}};"
        entry = "export default { render: ({ model, el }) => movingfigures.render(el, model, PROGRAMS) };"
        return f"{programs}\n{engine_source()}\n{entry}"

    def _widget_bundle(self) -> dict[str, Any]:
        """Return the part of the bundle that a notebook with a kernel shows instead; empty without anywidget.

        ROBOTDYN_LIVE=0 leaves it out where no kernel will ever listen, as in a book: it would double the page.
        """
        if os.environ.get("ROBOTDYN_LIVE") == "0":
            return {}
        try:
            from movingfigures.widget import figure_widget
        except ImportError:
            return {}
        if self._widget is None:
            self._widget = figure_widget(
                self._module(), read_asset("figure.css"), self._current_spec(), self.values, self.motion
            )
        data = self._widget._repr_mimebundle_()
        data = data[0] if isinstance(data, tuple) else data
        return {key: value for key, value in (data or {}).items() if key.startswith("application/")}


def _check_slider_value(name: str, value: Any, ranges: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise ValueError unless the figure has this slider, and the value lies in its range."""
    if name not in ranges:
        raise ValueError(f"this figure has the sliders {', '.join(ranges) or 'none'}, got {name!r}")
    low, high, unit = (ranges[name][key] for key in ("low", "high", "unit"))
    if not isinstance(value, (int, float, np.number)) or not low <= value <= high:
        raise ValueError(f"{name} must be a number from {low:g} to {high:g} {unit}, got {value!r}")


@functools.cache
def read_asset(name: str) -> str:
    """Return the content of a script or style of this package."""
    return (HERE / name).read_text(encoding="utf8")


@functools.cache
def engine_source() -> str:
    """Return the script of all figures without the comment at its head: a page stays the same where comments alone change."""
    lines = read_asset(ENGINE).splitlines(keepends=True)
    return "".join(itertools.dropwhile(lambda line: line.startswith("//"), lines))


def _escape_end_tag(script: str) -> str:
    """Return a script that cannot end its own element."""
    return script.replace("</", r"<\/")


def _function_source(script: Any) -> str:
    """Return the source of a JavaScript function without the comment above it and the line end below it."""
    return "\n".join(line for line in script.source.splitlines() if not line.startswith("//"))
