"""A moving figure steps by the table of integrators that `simulate` reads."""

import json

import numpy as np
import pytest
from figures import MODULES
from javascript import evaluated

import robotdyn as rd
from robotdyn.simulation import INTEGRATORS, Integrator

HEUN = Integrator(order=2, a=((), (1,)), b=(1 / 2, 1 / 2))
METHODS = [*INTEGRATORS, "heun"]
DT = 0.02


@pytest.fixture(autouse=True)
def heun(monkeypatch):
    """Heun's method joins the table, which is all that it takes."""
    monkeypatch.setitem(INTEGRATORS, "heun", HEUN)


@pytest.mark.parametrize("method", METHODS)
def test_a_page_takes_the_same_steps(method):
    """The moving figure's JavaScript reads the table from the figure's data: fifty steps are those of `simulate`."""
    arm, n, steps = rd.robots.uniform_two_link(), 2, 50
    figure = rd.show.explore(arm, q=[0.3, -0.4], qd=[1.0, 0.5], runs=[rd.show.Run(method=method)], dt=DT)
    given = {"spec": figure.spec, "parameters": figure.values, "dt": DT}
    given |= {"tau": [0.0] * n, "friction": [0.0] * n, "springs": []}
    script = f"const PROGRAMS = {{{figure.programs_text()}}};"
    script += f"\nconst run = new Run({json.dumps(given)}, {json.dumps(figure.spec['runs'][0])}, PROGRAMS);"
    script += f"\nfor (let k = 0; k < {steps}; k++) run.step({DT});"
    q, qd = np.array(evaluated(script, "[run.q, run.qd]", [MODULES / "motion.js"]))
    motion = rd.simulate(arm, [0.3, -0.4], [1.0, 0.5], t=DT * np.arange(steps + 1), method=method)
    assert np.allclose(q, motion.q[-1], atol=1e-9) and np.allclose(qd, motion.qd[-1], atol=1e-9)


def test_no_script_has_a_list_of_its_own():
    """The page's script names no method."""
    text = (MODULES / "motion.js").read_text(encoding="utf8")
    assert not any(method in text for method in METHODS)
