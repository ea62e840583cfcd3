"""The balance of a motion: energy, power and work; events; error estimates; long motions in pieces; the bar."""

import io
import itertools
import sys

import numpy as np
import pytest

import robotdyn as rd
from robotdyn import laws as relations
from robotdyn.dynamics import forces
from robotdyn.simulation.progress import progress_bar

ARM = rd.robots.two_link()
FREE = rd.robots.planar((1.0,), (1.0,), gravity=0)
PENDULUM = rd.robots.planar((1.0,), (1.0,))
T = np.linspace(0, 1, 201)


def test_energy_follows_work():
    """T + U grows by the work of motors and friction; a factor or a sign in it would be seen."""
    law = forces.total(forces.viscous(0.3), lambda t, q, qd: [2 * np.sin(5 * t), 1.0])
    motion = rd.simulate(ARM, [0.3, 0.2], [1.0, -1.0], law, T)
    assert relations.energy_follows_work(motion, ARM) < 1e-4
    kinetic, potential = motion.energy(ARM)
    assert np.allclose(kinetic, rd.kinetic_energy(ARM, motion.q, motion.qd))
    assert np.allclose(potential, rd.potential_energy(ARM, motion.q))
    assert np.allclose(motion.power(), motion.tau[:, 0] * motion.qd[:, 0] + motion.tau[:, 1] * motion.qd[:, 1])
    wrong = rd.Trajectory(motion.t, motion.q, motion.qd, 2 * motion.tau)
    assert relations.energy_follows_work(wrong, ARM) > 0.05
    assert len(motion) == 201 and motion.work()[0] == 0


def test_euler_errs_in_energy():
    """The pendulum of RCFS, explicit Euler with steps of 10 ms: the balance misses 6.886 J after 10 s."""
    motion = rd.simulate(PENDULUM, [0], [0], t=np.linspace(0, 10, 1001), method="euler")
    assert abs(motion.energy_error(PENDULUM)[-1] - 6.886) < 1e-3


@pytest.mark.parametrize("method", ["euler", "semi-implicit", "rk4", "solve_ivp"])
def test_error_estimate(method):
    """The estimate is the true error, within a factor of two, where that is not rounding."""
    options = {"rtol": 1e-5, "atol": 1e-7} if method == "solve_ivp" else {}
    motion = rd.simulate(ARM, [0, 0.5], [0, 0], t=T[::4], method=method, error=True, **options)
    exact = rd.simulate(ARM, [0, 0.5], [0, 0], t=T[::4], method="solve_ivp", rtol=1e-12, atol=1e-13)
    true = abs(np.stack([motion.q - exact.q, motion.qd - exact.qd], axis=1)).max(axis=(1, 2))
    found = motion.error.max(axis=(1, 2))
    assert motion.error.shape == (51, 2, 2) and true.max() > 1e-8
    assert np.isclose(found[-1], true[-1], rtol=0.5) and np.isclose(found.max(), true.max(), rtol=0.5)
    assert rd.simulate(ARM, [0, 0], [0, 0], t=T[:3], method="rk4").error is None


@pytest.mark.parametrize("method", ["rk4", "solve_ivp"])
def test_event_times(method):
    """A free link that turns at 2 rad/s passes 1 rad at 0.5 s, and half turns at multiples of pi / 2 s."""
    events = {"one": lambda t, q, qd: q[0] - 1.0, "side": lambda t, q, qd: np.cos(q[0]), "never": lambda t, q, qd: 1.0}
    motion = rd.simulate(FREE, [0], [2.0], t=np.linspace(0, 4, 37), method=method, events=events)
    assert np.allclose(motion.events["one"], [0.5], atol=1e-9)
    assert np.allclose(motion.events["side"], np.pi / 4 + np.pi / 2 * np.arange(3), atol=1e-9)
    assert motion.events["never"].shape == (0,)


def test_event_at_a_sample_counts_once():
    """An event that falls on a sample is found once, and one that the motion starts on does not count."""
    motion = rd.simulate(
        FREE, [0], [1.0], t=np.arange(9) / 4, events={"one": lambda t, q, qd: q[0] - 1.0, "zero": lambda t, q, qd: q[0]}
    )
    assert np.allclose(motion.events["one"], [1.0], atol=1e-12) and len(motion.events["one"]) == 1
    assert len(motion.events["zero"]) == 0


def test_a_stop_ends_the_motion():
    """The motion ends at the event; later events do not count; the last sample is the state there."""
    events = {"one": lambda t, q, qd: q[0] - 1.0, "two": lambda t, q, qd: q[0] - 2.0}
    for piece in (3, 1000):
        pieces = list(rd.stream(FREE, [0], [2.0], t=np.linspace(0, 4, 37), events=events, stop="one", piece=piece))
        end = pieces[-1]
        assert np.isclose(end.t[-1], 0.5, atol=1e-9) and np.isclose(end.q[-1, 0], 1.0, atol=1e-9)
        assert len(end.events["one"]) == 1 and len(end.events["two"]) == 0
    with pytest.raises(ValueError, match=r"stop must be the name of an event, one of one, two, got 'three'"):
        rd.simulate(FREE, [0], [2.0], t=T, events=events, stop="three")


def test_a_stream_is_the_motion_in_pieces():
    """Pieces of any length join to the motion in one piece; each begins where the one before ends."""
    law = forces.viscous(0.2)
    events = {"up": lambda t, q, qd: qd[0]}
    whole = rd.simulate(ARM, [0.3, 0.2], [0, 0], law, T, events=events)
    for piece in (1, 7, 200, 1000):
        parts = list(rd.stream(ARM, [0.3, 0.2], [0, 0], law, T, events=events, piece=piece))
        joined = parts[0]
        for before, after in itertools.pairwise(parts):
            assert before.t[-1] == after.t[0] and (before.q[-1] == after.q[0]).all()
            joined = joined.joined(after)
        assert max(len(part) for part in parts) <= piece + 1
        for name in ("t", "q", "qd", "tau"):
            assert np.allclose(getattr(joined, name), getattr(whole, name), atol=1e-12)
        assert np.allclose(joined.events["up"], whole.events["up"], atol=1e-9)
    with pytest.raises(ValueError, match="piece must be a whole number of steps >= 1, got 0"):
        next(rd.stream(ARM, [0, 0], [0, 0], None, T, piece=0))


def test_between_samples():
    """`at` gives the samples themselves at their times, and the motion between them, with error of fourth order."""
    fine = rd.simulate(PENDULUM, [0], [0], t=np.linspace(0, 1, 1001))
    errors = []
    for skip in (100, 50):
        coarse = rd.Trajectory(fine.t[::skip], fine.q[::skip], fine.qd[::skip], fine.tau[::skip])
        q, qd = coarse.at(coarse.t)
        assert np.allclose(q, coarse.q) and np.allclose(qd, coarse.qd)
        errors.append(abs(coarse.at(fine.t)[0] - fine.q).max())
    assert 10 < errors[0] / errors[1] < 25
    assert coarse.at(0.33)[0].shape == (1,)
    with pytest.raises(ValueError, match=r"t must lie between 0 and 1 s, got 1.5"):
        fine.at(1.5)


class Terminal(io.StringIO):
    """A screen on which somebody looks."""

    def isatty(self):
        return True


def bar_of(monkeypatch, screen, shown=None, seconds=1.0):
    """Draw a bar of 100 steps that take so many seconds each, on a screen; return what was ever written there."""
    clock = [0.0]
    monkeypatch.setattr("tqdm.std.time", lambda: clock[0])
    monkeypatch.setattr(sys, "stderr", screen)
    with progress_bar(100, shown) as advance:
        for k in range(100):
            clock[0] += seconds
            advance(1, f"step {k}")
    return screen.getvalue()


def test_progress_in_a_terminal(monkeypatch):
    """In a terminal a bar appears after the first second, grows, says how far it is, and is gone at the end."""
    monkeypatch.delenv("ROBOTDYN_PROGRESS", raising=False)
    drawn = bar_of(monkeypatch, Terminal())
    assert " 50%|" in drawn and "step 49" in drawn and drawn.endswith("\r")
    assert drawn.split("\r")[-2].strip() == ""
    assert "%" not in bar_of(monkeypatch, Terminal(), seconds=0.009), "what takes less than a second needs no bar"


def test_no_progress_where_nobody_looks(monkeypatch):
    """Into a file nothing is drawn, unless it is asked for; False hides the bar everywhere, and 0 in the environment too."""
    monkeypatch.setenv("ROBOTDYN_PROGRESS", "0")
    assert bar_of(monkeypatch, Terminal()) == "" and "%" in bar_of(monkeypatch, Terminal(), True)
    monkeypatch.delenv("ROBOTDYN_PROGRESS")
    assert bar_of(monkeypatch, io.StringIO()) == bar_of(monkeypatch, Terminal(), False) == ""
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    rd.simulate(ARM, [0, 0], [0, 0], t=T[:20], progress=True)
    assert "%" in stream.getvalue()


NOTEBOOK = """
import warnings
warnings.simplefilter("error")
{without}
from robotdyn.simulation.progress import progress_bar
with progress_bar(4) as advance:
    advance(1, "cost < 3")
import tqdm.auto
print(tqdm.auto.tqdm.__mro__[1].__module__)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("without", "kind"),
    [("", "tqdm.notebook"), ("import sys; sys.modules['ipywidgets'] = None", "tqdm.std")],
)
def test_progress_in_a_notebook(without, kind):
    """In a notebook the bar is a widget of its own; without ipywidgets there is none, and no warning."""
    from nbclient import NotebookClient
    from nbformat.v4 import new_code_cell, new_notebook

    notebook = new_notebook(cells=[new_code_cell("import os; os.environ.pop('ROBOTDYN_PROGRESS', None)"),
                                   new_code_cell(NOTEBOOK.format(without=without))])  # fmt: skip
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = notebook.cells[1].outputs
    text = "".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stdout")
    assert text.strip() == kind
    assert not [output for output in outputs if output.output_type == "stream" and output.name == "stderr"]
