"""The moving figures that the tests look at: one of each kind, and those of the chapters, made by the chapters' own cells."""

import ast
import functools
import json
from pathlib import Path

import numpy as np
import sympy as sp

import movingfigures
import robotdyn as rd
from movingfigures import Run, explore, replay

BOOK = Path(__file__).resolve().parents[3] / "book"
MODULES = Path(__file__).resolve().parents[1] / "js" / "src"  # of the script of all figures
TAG = "moving-figure"


def screws(*pitches):
    """A planar chain of a hinge, a screw along the link, and a screw toward the reader; pitches (2,) m/rad."""
    h_2, h_3 = pitches or sp.symbols("h_2 h_3", real=True)
    rod = np.diag([0.01, 0.1, 0.1])
    links = [
        rd.Link(1, (0.5, 0, 0), rod),
        rd.Link(1, (0.3, 0, 0), rod, "screw", (1, 0, 0), pitch=h_2),
        rd.Link(1, (0.2, 0.1, 0), rod, "screw", position=(0.6, 0, 0), pitch=h_3),
    ]
    return rd.Arm(links, gravity=(0, -9.81, 0), tip=(0.4, 0, 0))


def two_arms():
    """A planar tree: a trunk that turns about its middle and carries an arm of two links at each end."""
    point = np.zeros((3, 3))
    trunk = rd.Link(0, (0, 0, 0), sp.Symbol("I_1", positive=True) * sp.diag(1, 1, 2) / 2)
    limbs = [
        link
        for side in (1, -1)
        for link in (
            rd.Link(1.5, (0.4, 0, 0), point, position=(0.3 * side, 0, 0)),
            rd.Link(1, (0.35, 0, 0), point, position=(0.4, 0, 0)),
        )
    ]
    return rd.Arm([trunk, *limbs], gravity=(0, 0, 0), tip=(0.35, 0, 0), parents=[-1, 0, 1, 0, 3])


@functools.cache
def kinds():
    """One small figure of each kind, by name."""
    return chains() | pairs_of_rods() | other_arms() | scenes()


def chains():
    """Chains of planar links, and one that two integrators move."""
    rods = rd.robots.uniform_two_link(symbolic=True)
    return {
        **{
            f"chain of {n}": explore(rd.robots.planar(n, symbolic=True), [0.3] * n, parameters=chain(n)) for n in (1, 3)
        },
        "chain of 6": explore(
            rd.robots.planar(6, symbolic=True), [0.3] * 6, parameters=chain(6), panels=["energy", "phase"]
        ),
        "integrators": explore(
            rods, parameters={"dt": (0.001, 0.03, 0.005)}, runs=[Run("rk4"), Run("euler", method="euler")]
        ),
    }


def pairs_of_rods():
    """Two rods, with each panel, mark, law and equation that they can have."""
    rods = rd.robots.uniform_two_link(symbolic=True)
    heavy = {"m_1": (0.2, 5, 1), "m_2": (0, 5, 1), "g": (0, 20, 9.81), "b": (0, 2, 0)}
    return {
        "velocity terms": explore(
            rods, [0, 1], [2, 0], heavy, runs=[Run("all"), Run("none", velocity_terms=False)], panels=["joints"]
        ),
        "compensated": explore(rods, [0, 1], parameters=heavy, runs=[Run("off"), Run("on", torques="compensated")]),
        "held": explore(
            rods, [-1.5, 0], parameters={"k": (10, 200, 60), "w": (0, 2, 0.5), "b": (0, 20, 5)}, goal=[0.2, 0.8]
        ),
        "absolute": explore(
            rods,
            [0, 1],
            parameters={"tau_1": (-3, 3, 0), "tau_2": (-3, 3, 1)},
            runs=[Run("joint"), Run("absolute", torques="absolute")],
        ),
        "ellipse": explore(rods, [0.5, 1.2], parameters=heavy, panels=[], marks=["ellipse"]),
        "equation": explore(
            rods,
            [0.5, 1.2],
            parameters={"qd_1": (-6, 6, 2), "qd_2": (-6, 6, 1), "b": (0, 2, 0.5)},
            marks=["torques"],
            equation=["inertia", "centrifugal", "coriolis", "gravity", "motors", "friction", "hand"],
        ),
        "parting": explore(
            rods,
            [2.2, 0.3],
            parameters=heavy,
            runs=[Run("one"), Run("other")],
            panels=["sensitivity"],
            digit=3,
            dt=0.001,
        ),
        "covariance": explore(
            rd.robots.two_link((0.4, 0.35), (3.0, 1.5)),
            [-1.2, 0.9],
            parameters={"b": (0, 2, 0.5), "tau_1": (-5, 5, 3), "tau_2": (-2, 2, -1)},
            runs=Run(torques="compensated"),
            panels=[],
            playing="touch",
            pairs=[("m_2 c_2x", "I_2zz"), ("m_1 c_1x", "m_2")],
        ),
        "map": explore(rods, [0.5, 1.2], parameters=heavy, panels=["map"]),
        "terms": explore(rods, [0.5, 1.2], parameters=heavy | {"tau_1": (-9, 9, 0)}, panels=["terms"]),
    }


def other_arms():
    """Arms with a sliding joint, with branches and with screws."""
    return {
        "slider": explore(
            rd.robots.rp(symbolic=True),
            [0.3, 0.8],
            parameters={"c_2y": (-0.4, 0.4, 0.2), "m_2": (0.2, 5, 1), "tau_2": (-9, 9, 0), "I_1": 0.1, "I_2": 0.05},
            limits={1: (0.3, 1.4)},
            panels=["phase"],
            marks=["coms", "trail"],
        ),
        "tree": explore(
            two_arms(),
            [0, 0.5, 0.9, 2.6, -0.9],
            parameters={"I_1": (0.1, 50, 0.5), "b": (0, 2, 0.2)},
            panels=["joints"],
            marks=["trail", "coms", "torques"],
            equation=["inertia", "velocity", "friction", "hand"],
        ),
        "screw": explore(
            screws(),
            [0.4, 2.0, 0.5],
            parameters={"h_2": (-0.1, 0.1, 0.05), "tau_2": (-9, 9, 0)},
            panels=["joints"],
        ),
    }


def scenes():
    """Figures with a function of their own, and recorded motions."""
    times = np.linspace(0, 1, 51)
    falls = {
        f"g = {g}": rd.simulate(rd.robots.two_link(gravity=g), [0, 0], [0, 0], [3.0, 1.0], times) for g in (1.0, 4.0)
    }
    return {
        "learner": rd.show.learn(
            rd.robots.planar([0.5], [2.0], coms=[0.25], inertias=[0.04]), (1, 9), ("h (kg m)", "I (kg m²)"), [-1.5]
        ),
        "reach": rd.show.reach(rd.robots.planar([1.0, 0.8]), [-1.5, 0.5], (1.2, 0.6), T=21, dt=0.04),
        "toss": rd.show.toss(),
        "sweeps": rd.show.sweeps(rd.robots.puma560(), [0.5, 0.9, -2.5, 0.4, 0.9, 0.2], [0.5, -0.8, 1, 2, 1, 1]),
        "pushes": rd.show.pushes(rd.robots.panda(), [0, -0.5, 0.1, -2, 0, 1.6, 0.7]),
        "branches": rd.show.branches(rd.robots.planar([0.5, 0.4, 0.15]), (0.55, 0.35), 0.4, 2.5),
        "follow": rd.show.follow(rd.robots.planar([0.5, 0.4, 0.3]), [0.4, 0.9, 0.7]),
        "press": rd.show.press(rd.robots.planar([0.4, 0.35, 0.2]), [0.5, -0.6, -1.47], -0.2),
        "stored": replay(rd.robots.two_link(), falls, 0.02, target=(0, 1), label="weight"),
    }


def chain(n):
    """Sliders of a chain: gravity, friction, mass and length of the last link, torque of the first joint."""
    return {"g": (0, 20, 9.81), "b": (0, 2, 0), f"m_{n}": (0, 5, 1), f"l_{n}": (0.2, 2, 1), "tau_1": (-9, 9, 0)}


@functools.cache
def figure_cells():
    """The cells of the chapters that make a moving figure: {"chapter/cell id": [source, of the cells before it]}."""
    found = {}
    for path in sorted(BOOK.glob("*.ipynb")):
        before = []
        for cell in json.loads(path.read_text(encoding="utf8"))["cells"]:
            source = "".join(cell["source"])
            if TAG in cell["metadata"].get("tags", []):
                found[f"{path.stem}/{cell['id']}"] = [source, *reversed(before)]
            else:
                made = [name for name in movingfigures.__all__ if name.islower() and f"rd.show.{name}(" in source]
                assert not made, f"{path}: tag it {TAG}"
                before += [source] if cell["cell_type"] == "code" else []
    return found


@functools.cache
def chapter_figure(name):
    """The figure of a chapter of this name: its cell runs with no more of its chapter than it needs, and ends in its figure."""
    return made_by(*figure_cells()[name])


def chapter_figures():
    """The figures of the chapters by name."""
    return {name: chapter_figure(name) for name in figure_cells()}


def made_by(source, *before):
    """The value of the last line of a cell, and before it those cells alone that make a name which is missing."""
    tree, scope = ast.parse(source), {"rd": rd, "np": np}
    last = ast.Expression(tree.body.pop().value)

    def run(code, mode="exec"):
        while True:
            try:
                return {"exec": exec, "eval": eval}[mode](compile(code, "<cell>", mode), scope)
            except NameError as missing:
                run(next(cell for cell in map(ast.parse, before) if missing.name in made_in(cell)))

    run(tree)
    return run(last, "eval")


def made_in(tree):
    """The names that a cell makes, and those that it imports."""
    made = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    named = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    imported = [name for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom)) for name in node.names]
    return made | {node.name for node in named} | {name.asname or name.name for name in imported}


def page(figure, theme="light"):
    """A page of HTML that holds one figure and nothing else."""
    return (
        f'<!doctype html><html lang="en" data-theme="{theme}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>A figure</title></head>'
        f'<body style="max-width: 860px; margin: auto"><main><h1>A figure</h1>{figure.html()}</main></body></html>'
    )


def problem(figure, goal, effort, velocity):
    """The problem that a figure of a reach solves for a goal and the powers of ten of its prices: dynamics, cost, x0, u0."""
    arm, task = figure.arm, figure.spec["task"]
    cost = rd.costs.effort(10**effort) + rd.costs.joint_velocity(10**velocity)
    x0 = [*figure.spec["start"]["q"], *figure.spec["start"]["qd"]]
    dynamics = rd.arm_dynamics(arm, figure.spec["dt"], method="semi-implicit")
    return dynamics, cost + rd.costs.tip_position(arm, goal, task["position"]), np.array(x0), np.array(task["u"])
