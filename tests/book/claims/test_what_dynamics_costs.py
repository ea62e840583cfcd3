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
