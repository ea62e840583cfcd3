"""Sentences of the page "What dynamics costs" on machine code, for other numbers than its own and other processors."""

import ctypes
import re

import numpy as np
import pytest

import robotdyn as rd
from robotdyn.codegen.machine import engine, ir

pytest.importorskip("llvmlite", reason="llvmlite is not installed: `make peers` adds it")


def instructions(arm, permissions="contract"):
    """Return the instructions of an AArch64 for the mass matrix after the cosine."""
    program = rd.specialize(rd.mass_matrix, arm, target="python").program
    text = ir.module(ir.function_of_one(program)).replace(" contract ", f" {permissions} ")
    blocks = engine.assembly(text, triple="aarch64-linux-gnu").split("\n.LBB0_")
    (last,) = [block for block in blocks if block.endswith("\tret")]
    return last.split("\n")


def arithmetic(lines):
    """Return the names of those that compute with floats."""
    return sorted(line.split()[0] for line in lines if re.match(r"\tf(n?m|add|sub|div)", line) if "fmov" not in line)


def some_arms():
    """Return the arm of the page, and five others."""
    rng = np.random.default_rng(0)
    numbers = zip(rng.uniform(0.2, 2, 5), rng.uniform(1, 5, (5, 2)))
    page = rd.robots.uniform_two_link(length=0.5, masses=(3.0, 2.0))
    return [page, *(rd.robots.uniform_two_link(length=x, masses=tuple(m)) for x, m in numbers)]


def test_one_product_and_four_sums_are_five_instructions():
    """Line by line, also for other lengths and masses; with leave to reorder sums two remain that multiply and add."""
    program = rd.specialize(rd.mass_matrix, some_arms()[0], target="python").program
    assert program.counts == {"+": 4, "*": 1, "cos": 1}
    for arm in some_arms():
        assert arithmetic(instructions(arm)) == ["fadd"] * 4 + ["fmul"]
        assert arithmetic(instructions(arm, "contract reassoc nsz arcp")) == ["fmadd"] * 2


def test_leave_to_reorder_would_hide_what_is_no_number():
    """x - (x - y) of a NaN or an infinity is y then; as it is written it is none."""
    program = rd.trace(lambda x: np.array([x[0] - (x[0] - x[1])]), inputs={"x": 2})
    text = ir.module(ir.function_of_one(program))
    for permissions, hidden in (("contract", False), ("contract reassoc nsz arcp", True)):
        run = engine.Compiled(text.replace(" contract ", f" {permissions} ")).function("one", [ctypes.c_void_p] * 2)
        for bad in (np.nan, np.inf):
            x = np.array([bad, 2.5])
            out = np.empty(1)
            run(x.ctypes.data, out.ctypes.data)
            assert np.isclose(out[0], 2.5, rtol=1e-12) == hidden


def test_numbers_stand_there_as_their_bits():
    """A quarter is 0x3FD0000000000000, and no line may pass over an infinity or a NaN."""
    arm = rd.robots.uniform_two_link(length=0.5, masses=(3.0, 2.0))
    text = ir.function_of_one(rd.specialize(rd.mass_matrix, arm, target="python").program)
    assert np.array(0.25).view("u8") == 0x3FD0000000000000 and "0x3FD0000000000000" in text[text.index("rest:") :]
    assert not re.search(r"\b(nnan|ninf|fast|afn|reassoc)\b", text)


def test_the_cosine_takes_several_dozen_instructions():
    """Of all that a call executes where the angle is not very large, most is the cosine."""
    arm = rd.robots.uniform_two_link(length=0.5, masses=(3.0, 2.0))
    program = rd.specialize(rd.mass_matrix, arm, target="python").program
    text = engine.assembly(ir.module(ir.function_of_one(program)), triple="aarch64-linux-gnu")
    count = len(re.findall(r"^\t[a-z]", text, re.M))
    assert 36 < count - len(instructions(arm)) < 120


@pytest.mark.parametrize("name", ["puma560", "stanford", "ur5e", "panda", "iiwa14", "gen3"])
def test_the_shortest_program_of_an_arm_in_space(name):
    """More than a third of the operations of RNEA is saved, more than two fifths of ABA's, a fifth to two fifths of CRBA's."""
    arm = getattr(rd.robots, name)()
    saved = [
        1 - rd.specialize(algorithm, arm, target="python").program.operations / rd.trace(algorithm, arm).operations
        for algorithm in (rd.inverse_dynamics, rd.forward_dynamics, rd.mass_matrix)
    ]
    assert saved[0] > 1 / 3 and saved[1] > 2 / 5 and 1 / 5 < saved[2] < 2 / 5


def test_the_shortest_program_of_the_scara():
    """For the SCARA, whose axes are all parallel, it saves less than a quarter of each."""
    arm = rd.robots.scara()
    for algorithm in (rd.inverse_dynamics, rd.forward_dynamics, rd.mass_matrix):
        program = rd.specialize(algorithm, arm, target="python").program
        assert program.operations > 0.75 * rd.trace(algorithm, arm).operations


@pytest.mark.parametrize("n", [13, 17, 22])
def test_the_counts_of_longer_chains(n):
    """RNEA 55 N - 59, CRBA 4 N^2 + N - 10, the Coriolis matrix 13 N^2 + 17 N - 51, ABA 131 N - 199 but for a few."""
    rng = np.random.default_rng(n)
    lengths = rng.uniform(0.3, 1.0, n)
    arm = rd.robots.planar(
        lengths, rng.uniform(0.5, 2, n), lengths * rng.uniform(0.3, 0.7, n), rng.uniform(0.01, 0.1, n)
    )
    count = [
        rd.trace(f, arm).operations
        for f in (rd.inverse_dynamics, rd.mass_matrix, rd.coriolis_matrix, rd.forward_dynamics)
    ]
    assert count[:3] == [55 * n - 59, 4 * n**2 + n - 10, 13 * n**2 + 17 * n - 51]
    assert abs(count[3] - (131 * n - 199)) < 10
