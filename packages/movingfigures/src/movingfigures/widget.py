"""The live face of a moving figure: an anywidget whose values and state travel between page and kernel."""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets


def figure_widget(module: str, style: str, spec: dict[str, Any], values: dict[str, Any], motion: dict[str, Any]) -> Any:
    """Return the widget: `values` {slider: number} and `motion` {t, q, qd, playing} are the same on both sides."""
    kind = type(
        "FigureWidget",
        (anywidget.AnyWidget,),
        {
            "_esm": module,
            "_css": style,
            "spec": traitlets.Dict().tag(sync=True),
            "values": traitlets.Dict().tag(sync=True),
            "motion": traitlets.Dict().tag(sync=True),
        },
    )
    return kind(spec=spec, values=values, motion=motion)
