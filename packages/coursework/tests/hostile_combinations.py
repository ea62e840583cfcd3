"""More hostile and odd notebooks for the 2R assignment, several ideas in each: name -> (notebook, questions to lose)."""

from grading_kit import cell_of, solved, with_answer, with_cell

CONNECTION = "import os, time\nd = '/run/kernel'\n"  # the folder of the sockets


def cases():
    """All of them; the number in a name is the kind, as in hostile_submissions.py."""
    return {
        "05-end-that-comes-later": (with_cell("gravity", "import asyncio\nasyncio.get_event_loop().stop()"), ""),
        "05-two-ends-in-a-row": (two_ends(), "gravity"),
        "07-divided-by-zero": (with_answer("mass-matrix", "M = [['I/(I-I)', '(I-I)**-1'], ['0**I', '1']]"), "mass-matrix"),
        "06-many-pictures": (with_cell("gravity", "for _ in range(12): print('x' * 5_000_000)"), ""),
        "08-checks-taken-apart": (with_cell("gravity", TAKEN_APART), ""),
        "08-thread-that-answers-for-others": (haunted(), ""),
        "08-each-question-harms-the-next": (harmful(), ""),
        "08-each-later-cell-hangs": (with_cell("gravity", HANGING), ""),
        "08-kernel-that-does-nothing": (with_cell("gravity", IDLE), ""),
        "08-cells-unread": (with_cell("gravity", UNREAD), ""),
        "08-symbols-renamed": (with_cell("gravity", "q2.name = 'q_9'\nobject.__setattr__(l1, 'name', 'l_7')"), ""),
        "08-below-all-cells": (with_cell("gravity", BELOW), ""),
        "09-message-of-many-parts": (with_cell("gravity", MANY_PARTS), ""),
        "11-closed-folders": (with_cell("gravity", CONNECTION + CLOSED), ""),
        "11-folders-in-folders": (with_cell("gravity", CONNECTION + NESTED), ""),
        "12-searched-without-end": (searched(), ""),
        "15-odd-and-right": (odd(), ""),
        "15-waits-for-another-question": (waiting(), ""),
    }  # fmt: skip


HANGING = """
import abc
abc.ABCMeta.__instancecheck__ = lambda kind, one: True
"""
IDLE = """
async def idle(*cell, **about): return {"status": "ok", "execution_count": 1, "payload": [], "user_expressions": {}}
get_ipython().kernel.do_execute = idle
"""
UNREAD = """
import ast, builtins, sys
class Empty(ast.NodeTransformer):
    def visit_Module(self, node):
        node.body = []
        return node
def refuse(name, *more, found=builtins.__import__, **named):
    if "check" in name or "robotdyn" in name: raise ImportError(name)
    return found(name, *more, **named)
get_ipython().input_transformers_cleanup.append(lambda lines: ["pass"])
get_ipython().ast_transformers.append(Empty())
builtins.__import__ = refuse
sys.setrecursionlimit(90)
"""
BELOW = """
import asyncio, contextvars
import coursework.check.data as d
d.flat.__code__ = (lambda value: ((), [0.0])).__code__
get_ipython().display_pub.register_hook(lambda message: None)
get_ipython().input_transformer_manager.line_transforms.insert(0, lambda lines: ["1/0"])
other, loop = contextvars.Context(), asyncio.get_event_loop()
def tick():
    for name in ("M", "h", "right", "acceleration", "largest"): get_ipython().user_ns[name] = 0
    loop.call_later(0.005, tick, context=other)
tick()
"""


TAKEN_APART = """
import sys
from coursework.check import begin
import coursework.check.data as d, coursework.check.session as s
begin("two-link", "somebody")
p.arm = None
s._now.seed, s._now.questions = "0", {}
d.as_data = s.as_data = s.diagnose = lambda *a: {"string": "x"}
for name in list(sys.modules):
    if name.startswith(("robotdyn", "coursework")):
        sys.modules[name] = None
"""
MANY_PARTS = """
import time
k, parent, part = get_ipython().kernel, get_ipython().kernel.get_parent("shell"), bytes(3 << 20)
for _ in range(3):
    display({"text/plain": [[]] * 1200000}, raw=True)
k.session.send(k.iopub_socket, "stream", {"name": "stdout", "text": "x"}, parent=parent, buffers=[part] * 3000)
time.sleep(5)
"""
CLOSED = """
os.makedirs(d + "/a/b")
open(d + "/a/b/x", "w").close()
for path in (d + "/a/b", d + "/a", d):
    os.chmod(path, 0)
time.sleep(2)
"""
NESTED = """
os.chdir(d)
for _ in range(4000):
    os.mkdir("x")
    os.chdir("x")
time.sleep(2)
"""


def searched():
    """Texts in which a careless search for names and calls never ends."""
    notebook = with_cell("gravity", "'''" + "check.begin('x'," * 200_000 + "'''")
    cell_of(notebook, "mass-matrix")["source"] = (
        "'''\n"
        + "M, " * 300_000
        + "\n'''\n"
        + "".join(cell_of(notebook, "mass-matrix")["source"]).replace("M =", "M  =")
    )
    return notebook


def two_ends():
    """Two cells that end their kernels, one after another; what was defined before them is still needed."""
    notebook = with_cell("gravity", "import os\nos._exit(1)")
    cell_of(notebook, "gravity")["source"] = "import os\nos._exit(1)"
    cell_of(notebook, "mass-matrix")["source"] = "".join(cell_of(notebook, "mass-matrix")["source"]) + "\nkept = 1"
    cell_of(notebook, "holding-torque")["source"] = "kept\n" + "".join(cell_of(notebook, "holding-torque")["source"])
    return notebook


def odd():
    """Right answers: products that are not carried out, derivatives too, functions of time, a call in the first cell."""
    notebook = solved()
    notebook["cells"][1]["source"] = (
        "import numpy as np, sympy as sp\nfrom robotdyn import check\nHALF = 1/2\n"
        'p = check.begin("two-link", student=str("Ada (2)"))\n'
    )
    for question, more in {
        "mass-matrix": "M = sp.MatMul(2 * HALF * M, sp.eye(2), evaluate=False)",
        "gravity": "G = [sp.Derivative(U, q1), sp.Derivative(U, q2)]",
        "velocity-terms": "from sympy.physics.mechanics import dynamicsymbols as f\n"
        "a, b = f('q1 q2')\nh = sp.Matrix(h).subs({qd1: a.diff(), qd2: b.diff(), q2: b})",
        "forward-dynamics": "_f = acceleration\n\ndef acceleration(q, qd, tau):\n    r = _f(q, qd, tau)\n"
        "    q[:], qd[:], tau[:] = 0, 0, 0\n    print('x' * 5_000_000)\n    return np.matrix(r).T",
    }.items():
        cell_of(notebook, question)["source"] = "".join(cell_of(notebook, question)["source"]) + "\n" + more
    cell_of(notebook, "gravity")["source"] = cell_of(notebook, "gravity")["source"].replace("\n", "\r\n")
    return notebook


def harmful():
    """Right answers; what each cell leaves behind or changes would cost others theirs."""
    notebook = solved()
    for question, more in HARM.items():
        cell_of(notebook, question)["source"] = "".join(cell_of(notebook, question)["source"]) + more
    return notebook


HARM = {
    "tip-velocity": """
import asyncio, time
async def late():
    while True:
        try: await asyncio.sleep(0.01)
        except BaseException: pass
        for name in "M G h right largest".split(): get_ipython().user_ns.pop(name, None)
        time.sleep(1)
def later():
    time.sleep(1)
    asyncio.get_event_loop().call_later(0.01, later)
task = asyncio.create_task(late())
asyncio.get_event_loop().call_soon(later)
""",
    "mass-matrix": """
import signal
def ring(*given):
    if "G" in get_ipython().user_ns: raise RuntimeError("ring")
signal.signal(signal.SIGALRM, ring)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
""",
    "gravity": """
sp.core.parameters.global_parameters.evaluate = False
np.cos = sp.sin = None
kept = []
try:
    while True: kept.append(open("/dev/null"))
except OSError: pass
""",
    "velocity-terms": """
p.lengths = p.masses = (1, 1)
q1 = check = None
""",
}


def waiting():
    """Right answers; two wait for tasks that were begun in the cells of another question."""
    notebook = solved()
    for question, (before, after) in WAITING.items():
        cell = cell_of(notebook, question)
        cell["source"] = before + "".join(cell["source"]) + after
    return notebook


WAITING = {
    "tip-velocity": (
        "",
        """
import asyncio
async def half():
    await asyncio.sleep(0.3)
    return 1 / 2
async def when_asked():
    await asked.wait()
    found.append(1)
asked, found = asyncio.Event(), []
tasks = asyncio.create_task(half()), asyncio.create_task(when_asked())
""",
    ),
    "gravity": ("assert await tasks[0] == 1 / 2\n", ""),
    "forward-dynamics": ("asked.set()\nawait asyncio.sleep(0.1)\nassert found == [1]\n", ""),
}


def haunted():
    """A thread that hands in for others, and takes away what they define, from the first answer on."""
    notebook = solved()
    cell_of(notebook, "tip-velocity")["source"] = "".join(cell_of(notebook, "tip-velocity")["source"]) + HAUNTING
    return notebook


HAUNTING = """
import threading, time
def late():
    while True:
        time.sleep(0.002)
        try:
            for name in "M G h right acceleration".split():
                if name in get_ipython().user_ns: get_ipython().user_ns[name] = sp.eye(2)
            for name in ("gravity", "mass-matrix", "holding-torque"): check.answer(name, [0, 0])
        except BaseException: pass
threading.Thread(target=late, daemon=True).start()
"""
