"""What a cell reaches from other cells is never read on or written by a search for its mistake: whatever is not known to hold still."""

import bz2
import codecs
import collections
import csv
import fileinput
import fractions
import functools
import gzip
import io
import itertools
import logging
import math
import mmap
import pickle
import queue
import random
import socket
import sqlite3
import subprocess
import sys
import tempfile
import types
import zipfile

import numpy as np
import pytest
import sympy as sp

import robotdyn as rd
from coursework.check.rerun import hold_still
from coursework.check.session import parameters_of


def in_a_notebook(source, **names):
    """Return the names of a notebook in which a cell was run."""
    there = {"np": np, "sp": sp, "math": math, "__name__": "__main__", **names}
    exec(source, there)
    return there


@pytest.fixture
def text(tmp_path):
    """A file of three lines."""
    path = tmp_path / "f.txt"
    path.write_text("1\n2\n3\n", encoding="utf8")
    return path


def opened(text):
    """Return what reads on from one use to the next, or writes, by name."""
    with zipfile.ZipFile(text.with_suffix(".zip"), "w") as packed:
        packed.writestr("a", "1\n2\n")
    with gzip.open(text.with_suffix(".gz"), "wb") as packed:
        packed.write(b"1\n2\n")
    with bz2.open(text.with_suffix(".bz2"), "wb") as packed:
        packed.write(b"1\n2\n")
    file = text.open(encoding="utf8")
    base = sqlite3.connect(":memory:")
    rows = queue.Queue()
    pair = socket.socketpair()
    rng = np.random.default_rng(1)
    log = logging.getLogger("of a student")
    return {
        "a file": file,
        "a path": text,
        "a file in a list": [1, file],
        "a file in a dict": {"f": file},
        "a file in a tuple of a list": [(1, file)],
        "a file of an object": types.SimpleNamespace(f=file),
        "a method of a file": file.readline,
        "lines as numbers": map(float, file),
        "a generator": (float(x) for x in file),
        "a text": io.StringIO("1\n2\n"),
        "bytes": io.BytesIO(b"1\n2\n"),
        "rows": csv.reader(["1,2"]),
        "records": csv.DictReader(["a", "1"]),
        "a writer": csv.writer(io.StringIO()),
        "a zipped file": zipfile.ZipFile(text.with_suffix(".zip")).open("a"),
        "a zip": zipfile.ZipFile(text.with_suffix(".zip")),
        "a gzipped file": gzip.open(text.with_suffix(".gz")),
        "a bzipped file": bz2.open(text.with_suffix(".bz2")),
        "a coded file": codecs.open(str(text), encoding="utf8"),
        "an input": fileinput.input([text], encoding="utf8"),
        "memory of a file": mmap.mmap(-1, 8),
        "a spool": tempfile.SpooledTemporaryFile(),
        "a database": base,
        "a cursor": base.execute("select 1"),
        "a method of a socket": pair[0].recv,
        "a socket": pair[1],
        "a queue": rows,
        "a method of a queue": rows.get,
        "a method of a deque": collections.deque([1, 2]).popleft,
        "a deque": collections.deque([1, 2]),
        "a method of a list": [1, 2].pop,
        "a process": subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE),
        "a reader of pickles": pickle.Unpickler(io.BytesIO()),
        "an iterator": iter([1, 2]),
        "an iterator of a dict": iter({1: 2}),
        "pairs": zip([1], [2]),
        "numbered": enumerate([1]),
        "backward": reversed([1]),
        "counted": itertools.count(),
        "entries": np.arange(3).flat,
        "an iterator of arrays": np.nditer(np.arange(3)),
        "an array in a file": np.memmap(text.with_suffix(".map"), mode="w+", shape=3),
        "symbols": sp.numbered_symbols(),
        "random numbers": random.Random(1),
        "random arrays": rng,
        "a method of random arrays": rng.normal,
        "a log": log.info,
        "a part of a function that opens": functools.partial(open, text),
        "a class that opens": io.FileIO,
        "a module": logging,
    }


@pytest.mark.filterwarnings("ignore")
def test_what_reads_on_or_writes_does_not_hold_still(text):
    """Each of them, alone; a module that is not known, too."""
    found = opened(text)
    passed = [name for name, value in found.items() if hold_still([value])]
    found["a process"].wait()
    found["a process"].stdout.close()
    for value in reversed(found.values()):
        if hasattr(value, "close") and not isinstance(value, (type, types.ModuleType)):
            value.close()
    assert passed == []


OF_STUDENTS = {  # cells of a student that make f, which writes, remembers or draws
    "opens": "def f(x):\n    open('f')",
    "opens deeper": "def g(x):\n    return open(x)\ndef f(x):\n    return g(x)",
    "calls by name": "def g(x):\n    return open(x)\ndef h(x):\n    return g(x)\ndef f(x):\n    return h(x)",
    "a lambda": "f = lambda x: open(x)",
    "a function within": "def f(x):\n    def g():\n        return open(x)\n    return g()",
    "a default": "def f(x, g=open):\n    return g(x)",
    "a closure": "def make(g):\n    return lambda x: g(x)\nf = make(open)",
    "a partial": "import functools\ndef g(x):\n    return open(x)\nf = functools.partial(g, 1)",
    "a cache": "import functools\n@functools.lru_cache\ndef f(x):\n    return open(x)",
    "vectorized": "def g(x):\n    return open(x)\nf = np.vectorize(g)",
    "a method": "class A:\n    def go(self, x):\n        return open(x)\nf = A().go",
    "a call of an object": "class A:\n    def __call__(self, x):\n        return open(x)\nf = A()",
    "an iterator": "class A:\n    def __next__(self):\n        return 1\nf = A()",
    "a module within": "import os\ndef f(x):\n    os.mkdir('f')",
    "an import within": "def f(x):\n    import os\n    os.mkdir('f')",
    "a pile": "pile = []\ndef f(x):\n    pile.append(x)",
    "a table": "table = {}\ndef f(x):\n    table[x] = 1",
    "an array": "kept = np.zeros(3)\ndef f(x):\n    kept[0] = x",
    "a closed pile": "def make():\n    pile = []\n    def f(x):\n        pile.append(x)\n    return f\nf = make()",
    "a default pile": "def f(x, pile=[]):\n    pile.append(x)",
    "a global": "n = 0\ndef f(x):\n    global n\n    n += 1",
    "an attribute": "def f(x):\n    f.n = x",
    "a generator": "rows = (k for k in [1, 2])\ndef f(x):\n    return next(rows)",
    "random numbers": "rng = np.random.default_rng(1)\ndef f(x):\n    return rng.normal()",
    "a name made at run time": "def f(x):\n    getattr(np, 'sa' + 'vetxt')('f', x)",
}


@pytest.mark.parametrize("source", OF_STUDENTS.values(), ids=OF_STUDENTS)
def test_a_function_of_a_student_that_remembers_does_not_hold_still(source):
    """Whatever it does so by, and however deep."""
    assert not hold_still([in_a_notebook(source)["f"]])


HELPERS = {  # what students write to compute with
    "a formula": "def f(x):\n    return math.sin(x) ** 2",
    "of a formula": "def g(x):\n    return math.sin(x)\ndef f(x):\n    return g(x) + g(2 * x)",
    "a recursion": "def f(n):\n    return 1 if n == 0 else n * f(n - 1)",
    "a list of its own": "def f(x):\n    rows = []\n    for k in range(3):\n        rows.append(k * x)\n    return np.array(rows)",
    "a matrix of its own": "def f(x):\n    M = np.zeros((2, 2))\n    M[0, 1] = x\n    return M",
    "data": "table = {'a': [1.0, 2.0]}\ndef f(x):\n    return table['a'][0] * x",
    "an array": "A = np.eye(2)\ndef f(x):\n    return A @ x",
    "a lambda": "f = lambda q: np.array([np.cos(q), np.sin(q)])",
    "a closure": "def make(k):\n    return lambda x: k * x\nf = make(2.0)",
    "a part": "import functools\ndef g(a, x):\n    return a * x\nf = functools.partial(g, 2.0)",
    "symbols": "q = sp.symbols('q1:3')\ndef f(x):\n    return sp.diff(x, q[0])",
    "lambdified": "f = sp.lambdify(sp.Symbol('x'), sp.sin(sp.Symbol('x')), 'math')",
    "vectorized": "f = np.vectorize(lambda x: x ** 2)",
}


@pytest.mark.parametrize("source", HELPERS.values(), ids=HELPERS)
def test_a_function_that_computes_alone_holds_still(source):
    """A cell that uses one can be helped."""
    assert hold_still([in_a_notebook(source)["f"]])


@pytest.mark.parametrize(
    "value",
    [
        1,
        2.0,
        True,
        None,
        "a",
        1j,
        [1.0, [2.0]],
        {"a": (1, 2)},
        {1, 2},
        range(3),
        np.eye(2),
        np.float64(1),
        sp.Symbol("x"),
        sp.eye(2),
        sp.sin,
        np.sin,
        np.linalg.solve,
        math.sin,
        math,
        np,
        sp,
        rd,
        len,
        sum,
        float,
        "a".upper,
        fractions.Fraction(1, 2),
        rd.robots.two_link(),
        rd.mass_matrix,
        parameters_of("rp", "ada"),
        types.SimpleNamespace(a=1.0),
        collections.namedtuple("P", "x y")(1, 2),
    ],
)
def test_what_students_compute_with_holds_still(value):
    """Numbers, texts, arrays, formulas, arms, parameters, functions of the libraries."""
    assert hold_still([value])


def test_what_holds_itself_is_judged():
    """A list in itself ends."""
    pile = [1.0]
    pile.append(pile)
    assert hold_still([pile])
    pile.append(io.StringIO())
    assert not hold_still([pile])
