"""Make every slip of the pen in the text of an algorithm, one at a time, and see that the laws of physics catch it.

A slip is a sign, a lost term or factor, a lost transposition, or a bound that is off by one. The laws are not blind.
"""

import ast
import copy
import importlib.util
import inspect
import subprocess
import sys
from dataclasses import replace
from functools import partial

import arms
import mutation
import numpy as np
import pytest

import robotdyn as rd
from robotdyn import laws
from robotdyn.dynamics import derivatives, energy, kinematics, planar, recursive

MODULES = {
    "derivatives": derivatives,
    "energy": energy,
    "kinematics": kinematics,
    "planar": planar,
    "recursive": recursive,
}
MIXES = ("rr", "rpr", "prrp", "rsr")


# ---- the laws ---------------------------------------------------------------------------------------------------------


def violations(energy=energy, kinematics=kinematics, planar=planar, recursive=recursive):
    """Yield the violation of each law by the algorithms of four modules, over a few arms."""
    yield from in_plane(planar)
    for mix in MIXES:
        arm, *state = arms.arm_and_state(mix)
        geared = replace(arm, links=[replace(link, motor_inertia=0.2 + 0.1 * k) for k, link in enumerate(arm.links)])
        yield from in_space(geared, *state, energy, kinematics, recursive)


def in_space(arm, q, qd, qdd, w, energy, kinematics, recursive):
    """Yield the violation of each law by one arm in space."""
    pushed = lambda arm, q, qd, tau: recursive.forward_dynamics(arm, q, qd, tau, w)
    place = laws.slope(lambda s: kinematics.point_position(arm, q + qd * s), 0.0)
    heights = laws.slope(lambda s: energy.potential_energy(arm, q + qd * s), 0.0)
    turned, R = laws.slope(lambda s: rd.link_poses(arm, q + qd * s)[0][-1], 0.0), rd.link_poses(arm, q)[0][-1]
    felt = np.concatenate([R.T @ place, rd.rotations.rate_in_body(R, turned)])
    pairs = [
        (felt, kinematics.tip_jacobian(arm, q, "link") @ qd),
        (place, (rd.tip_jacobian(arm, q) @ qd)[:3]),
        (heights, rd.gravity_torque(arm, q) @ qd),
        (energy.kinetic_energy(arm, q, qd), qd @ rd.mass_matrix(arm, q) @ qd / 2),
    ]
    yield from (np.max(abs(a - b)) / np.max(abs(b)) for a, b in pairs)
    yield laws.inverse_of_forward(pushed, lambda *state: rd.inverse_dynamics(*state, w), arm, q, qd, qdd)
    yield from arms.violations(arm, q, qd, qdd, w, recursive, kinematics)


def along_line(function, arm, state, moved, w, s):
    """What a function of an arm gives so far along a line of states."""
    return function(arm, *(state + s * moved), w)


def not_slopes(derivatives=derivatives):
    """Yield by how much the closed-form derivatives differ from slopes along one direction, over a few arms."""
    for mix in MIXES:
        arm, *state, w = arms.arm_and_state(mix)
        along = np.random.default_rng(3).normal(size=(3, arm.n))
        for closed_forms, function in (
            (derivatives.inverse_dynamics_derivatives, rd.inverse_dynamics),
            (derivatives.forward_dynamics_derivatives, rd.forward_dynamics),
        ):
            parts = closed_forms(arm, *state, w)
            moved = along * np.array([[k < len(parts)] for k in range(3)])  # accelerations are held in the first
            slope = laws.slope(partial(along_line, function, arm, state, moved, w), 0.0)
            yield np.max(abs(sum(part @ dx for part, dx in zip(parts, moved)) - slope)) / np.max(abs(slope))


def in_plane(planar):
    """Yield the violation of each law by an arm of three links in a plane, its joints and masses anywhere, gravity aslant."""
    rng = np.random.default_rng(7)
    flat = lambda: (*rng.normal(size=2), 0.0)
    links = [rd.Link(rng.uniform(0.5, 2), flat(), rng.uniform(0.1, 1) * np.eye(3), position=flat()) for _ in range(3)]
    arm = rd.Arm(links, gravity=(*rng.normal(size=2), 0.0))
    q, qd, qdd = rng.normal(size=(3, 3))

    def absolute(arm, q, qd, qdd):  # the torques, by the equations in absolute angles
        return planar.joint_torques(planar.inverse_dynamics(arm, *map(planar.to_absolute, (q, qd, qdd))))

    def relative(arm, q, qd, qdd):
        M, C, g = planar.relative(arm, q)
        return M @ qdd + C @ planar.to_absolute(qd) ** 2 + g

    def rates(arm, q, qd, tau):
        absolute = planar.forward_dynamics(arm, *map(planar.to_absolute, (q, qd)), planar.generalized_forces(tau))
        return planar.to_relative(absolute)

    def at_rest(torque, arm, q):
        return torque(arm, q, 0 * q, 0 * q)

    mass = lambda arm, q: planar.relative(arm, q)[0]
    part = lambda k, s: planar.absolute(arm, q + qd * s)[k]
    slopes = [laws.slope(partial(part, k), 0.0) for k in range(3)]
    yield from (np.max(abs(d @ qd - slope)) for d, slope in zip(planar.derivatives(arm, q), slopes))
    yield laws.energy_of_motion(mass, arm, q, qd)
    yield laws.symmetry(mass, arm, q)
    yield laws.inverse_of_forward(rates, rd.inverse_dynamics, arm, q, qd, qdd)
    for torque in (absolute, relative):
        yield laws.inverse_of_forward(rd.forward_dynamics, torque, arm, q, qd, qdd)
        yield laws.power_balance(torque, arm, q, qd, qdd)
        yield laws.gravity_is_gradient(partial(at_rest, torque), arm, q)


JUDGES = {"derivatives": not_slopes}  # the other modules: `violations`


# ---- the slips --------------------------------------------------------------------------------------------------------


def slips(node):
    """What a slip of the pen may write in place of an expression."""
    match node:
        case ast.BinOp(a, ast.Add(), b):
            return [ast.BinOp(a, ast.Sub(), b), a]
        case ast.BinOp(a, ast.Sub(), b):
            return [ast.BinOp(a, ast.Add(), b), a]
        case ast.BinOp(a, ast.Mult() | ast.Div(), _):
            return [a]
        case ast.BinOp(_, ast.MatMult(), b):
            return [b]
        case ast.UnaryOp(ast.USub(), a):
            return [a]
        case ast.Attribute(a, "T"):
            return [a]
        case ast.Compare(a, [ast.Gt()], [ast.Name() as b]):
            return [ast.Compare(a, [ast.GtE()], [b])]
        case ast.Compare(a, [ast.Lt()], [ast.Name() as b]):
            return [ast.Compare(a, [ast.LtE()], [b])]
    return []


class Slip(ast.NodeTransformer):
    """Makes the slip of a number, in the order of the text, on lines that the laws have run; `told` says which."""

    def __init__(self, number, lines):
        self.left, self.lines, self.told = number, lines, None

    def visit(self, node):
        """Messages of errors and annotations are let be."""
        if isinstance(node, (ast.Raise, ast.JoinedStr, ast.arguments)) or self.told:
            return node
        for written in slips(node) if getattr(node, "lineno", None) in self.lines else []:
            if self.left == 0:
                self.told = f"line {node.lineno}: {ast.unparse(node)} -> {ast.unparse(written)}"
                return ast.copy_location(copy.deepcopy(written), node)
            self.left -= 1
        return self.generic_visit(node)


def lines_run(judge):
    """The lines of each module that a judgment runs: {path: numbers}."""
    found = {module.__file__: set() for module in MODULES.values()}

    def trace(frame, event, _):
        if frame.f_code.co_filename not in found:
            return None
        found[frame.f_code.co_filename].add(frame.f_lineno)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        list(judge())
    finally:
        sys.settrace(before)
    return found


def with_slip(name, tree):
    """Return a copy of a module, made from a changed text."""
    spec = importlib.util.spec_from_loader(f"slipped_{name}", loader=None)
    module = importlib.util.module_from_spec(spec)
    module.__file__ = MODULES[name].__file__
    sys.modules[spec.name] = module
    exec(compile(ast.fix_missing_locations(tree), module.__file__, "exec"), module.__dict__)
    return module


def survivors(name, judge):
    """Return the slips in a module that no law catches, and how many were made."""
    lines = lines_run(judge)[MODULES[name].__file__]
    lost, number, source = [], 0, inspect.getsource(MODULES[name])
    while True:
        slip = Slip(number, lines)
        tree = slip.visit(ast.parse(source))
        if slip.told is None:
            return lost, number
        try:
            caught = any(not x < 1e-3 for x in judge(**{name: with_slip(name, tree)}))
        except Exception:  # it stops: seen as well
            caught = True
        if not caught:
            lost.append(slip.told)
        number += 1


def test_the_library_as_written_breaks_no_law():
    """Without a slip all laws hold, so that what the next test sees is the slip."""
    assert max(violations()) < laws.TIGHT and max(not_slopes()) < laws.LOOSE


@pytest.mark.slow
@pytest.mark.parametrize("name", MODULES)
def test_every_slip_is_caught(name):
    """By far more than rounding, or it stops the algorithm."""
    lost, count = survivors(name, JUDGES.get(name, violations))
    assert count > 15 and lost == []


# ---- the packages around the algorithms -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["numbers"])
def test_a_sample_of_mutants_is_killed(name):
    """Of mutants drawn by chance each is seen by a test, or stands in mutants.toml with its reason.

    A process of its own tries them, since this one has the code as it is. `make mutants` tries the other subjects, too,
    whose surveys take minutes.
    """
    command = [sys.executable, mutation.__file__, name, "--sample", "12"]
    done = subprocess.run(command, cwd=mutation.ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"| {name} | " in done.stdout


def test_what_is_said_of_mutants_is_of_mutants_that_there_are():
    """A reason in mutants.toml belongs to a mutant of the code as it is, and says something."""
    for name, verdicts in mutation.judged().items():
        files = mutation.paths(mutation.SUBJECTS[name].files)
        keys = {mutant.key for file in files for mutant in mutation.mutants(file)}
        assert set(verdicts) <= {"equal", "open"}
        for told in verdicts.values():
            assert set(told) <= keys, sorted(set(told) - keys)
            assert all(len(reason) > 10 for reason in told.values())


def test_a_planted_mutant_is_the_text_with_one_place_changed():
    """So a mutant's key says what runs, and every mutant of a file compiles to other code than the file."""
    file = "robotdyn/control/references.py"
    source = compile((mutation.ROOT / file).read_text("utf8"), "", "exec")
    found = mutation.mutants(file)
    assert len({mutant.key for mutant in found}) == len(found) > 50
    assert all(mutation.planted(mutant) != source for mutant in found)
