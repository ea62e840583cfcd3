"""Sentences of the page "What dynamics costs" on machine code, for other numbers than its own and other processors."""

import re

import numpy as np
import pytest

import robotdyn as rd
from robotdyn.codegen.machine import engine, ir

pytest.importorskip("llvmlite", reason="llvmlite is not installed: `make peers` adds it")


def instructions(arm, triple="aarch64-linux-gnu"):
    """Return the instructions of the mass matrix after the cosine."""
    program = rd.specialize(rd.mass_matrix, arm, target="python").program
    text = engine.assembly(ir.module(ir.function_of_one(program)), triple=triple)
    (last,) = [block for block in text.split("\n.LBB0_") if block.endswith("\tret")]
    return last.split("\n")


def test_one_product_and_four_sums_become_two_instructions():
    """Two that multiply and add at once, and no other arithmetic, also for other lengths and masses."""
    rng = np.random.default_rng(0)
    arms = [rd.robots.uniform_two_link(length=0.5, masses=(3.0, 2.0))]
    arms += [
        rd.robots.uniform_two_link(length=x, masses=tuple(m))
        for x, m in zip(rng.uniform(0.2, 2, 5), rng.uniform(1, 5, (5, 2)))
    ]
    program = rd.specialize(rd.mass_matrix, arms[0], target="python").program
    assert program.counts == {"+": 4, "*": 1, "cos": 1}
    for arm in arms:
        arithmetic = [line.split()[0] for line in instructions(arm) if re.match(r"\tf(n?m|add|sub|div)", line)]
        assert set(arithmetic) - {"fmov"} == {"fmadd"} and arithmetic.count("fmadd") == 2


def test_numbers_stand_there_as_their_bits():
    """A quarter is 0x3FD0000000000000, and no line may pass over an infinity or a NaN."""
    arm = rd.robots.uniform_two_link(length=0.5, masses=(3.0, 2.0))
    text = ir.function_of_one(rd.specialize(rd.mass_matrix, arm, target="python").program)
    assert np.array(0.25).view("u8") == 0x3FD0000000000000 and "0x3FD0000000000000" in text[text.index("rest:") :]
    assert not re.search(r"\b(nnan|ninf|fast|afn)\b", text)


def test_the_cosine_takes_several_dozen_instructions():
    """Of all that a call executes where the angle is not very large, most is the cosine."""
    arm = rd.robots.uniform_two_link(length=0.5, masses=(3.0, 2.0))
    program = rd.specialize(rd.mass_matrix, arm, target="python").program
    text = engine.assembly(ir.module(ir.function_of_one(program)), triple="aarch64-linux-gnu")
    count = len(re.findall(r"^\t[a-z]", text, re.M))
    assert 36 < count - len(instructions(arm)) < 120
