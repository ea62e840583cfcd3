"""Hostile and broken notebooks for the 2R assignment: name -> (notebook, the questions that it should lose).

The number in a name is the kind in the list of what grading must survive.
"""

import hostile_combinations
from grading_kit import cell_of, code_cell, solved, with_answer, with_cell

ALL = "tip-velocity mass-matrix gravity velocity-terms find-the-error forward-dynamics holding-torque"
RIGHT_G = "U = m1*g*lc1*sp.sin(q1) + m2*g*(l1*sp.sin(q1) + lc2*sp.sin(q1 + q2))\nG = [U.diff(q1), U.diff(q2)]\n"
WRONG_M = "M = sp.eye(2)\n"


def cases():
    """All notebooks that can be read."""
    return {**endless(), **greedy(), **dying(), **loud(), **lying(), **curious(), **lasting(), **moved(), **unusual(),
            **hostile_combinations.cases()}  # fmt: skip


def endless():
    swallow = (
        "while True:\n        try:\n            time.sleep(0.01)\n        except BaseException:\n            pass\n"
    )
    return {
        "01-loop-in-a-function": (
            with_answer("forward-dynamics", "def acceleration(q, qd, tau):\n    while True:\n        pass"),
            "forward-dynamics",
        ),
        "01-loop-in-a-cell": (with_answer("gravity", "while True: pass"), "gravity"),
        "01-loop-before-all": (with_cell("tip-velocity", "import time\nwhile True: time.sleep(0.1)"), ""),
        "02-swallowed-in-a-function": (
            with_answer("forward-dynamics", f"import time\ndef acceleration(q, qd, tau):\n    {swallow}"),
            "forward-dynamics",
        ),
        "02-signal-ignored": (
            with_answer("gravity", "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"),
            "gravity",
        ),
        "02-swallowed-in-a-cell": (
            with_answer("mass-matrix", f"import time\nif True:\n    {swallow}"),
            "mass-matrix",
        ),
    }


def greedy():
    return {
        "03-fork-bomb": (
            with_answer("gravity", "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"),
            "gravity",
        ),
        "03-shell-bomb": (
            with_cell("gravity", "import subprocess\nsubprocess.Popen(['sh', '-c', 'b() { b | b & }; b'])"),
            "",
        ),
        "03-thread-bomb": (
            with_cell(
                "gravity",
                "import threading, time\nfor _ in range(10000):\n    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()",
            ),
            "",
        ),
        "04-one-large-array": (with_answer("gravity", "G = np.ones(10**11)"), "gravity"),
        "04-list-without-end": (with_answer("gravity", "G = []\nwhile True: G.append(bytes(10**6))"), "gravity"),
        "04-many-processes": (
            with_answer(
                "gravity",
                "import os, time\nfor _ in range(12):\n    if os.fork() == 0:\n        b = bytearray(300 << 20)\n        time.sleep(60)\n        os._exit(0)\ntime.sleep(20)",
            ),
            "gravity",
        ),
        "04-files-in-memory": (
            with_cell(
                "gravity",
                "import os\ntry:\n    for i in range(1000):\n        open(f'/dev/shm/{i}', 'wb').write(bytes(10 << 20))\nexcept OSError as e: print(e)\n"
                "try: os.memfd_create('x')\nexcept OSError as e: print(e)",
            ),
            "",
        ),
    }


def dying():
    return {
        "05-exit": (with_answer("gravity", RIGHT_G + "import os\nos._exit(0)"), "gravity"),
        "05-killed": (with_answer("gravity", "import os\nos.kill(os.getpid(), 9)"), "gravity"),
        "05-stopped": (with_answer("gravity", "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)"), "gravity"),
        "05-crashed": (with_answer("gravity", "import ctypes\nctypes.string_at(0)"), "gravity"),
        "05-exit-in-a-function": (
            with_answer("forward-dynamics", "import os\ndef acceleration(q, qd, tau):\n    os._exit(3)"),
            "forward-dynamics",
        ),
        "05-sys-exit": (with_answer("gravity", "import sys\nsys.exit()"), "gravity"),
        "05-quit": (with_cell("gravity", "quit()"), ""),
        "05-all-processes": (with_cell("gravity", "import os\nos.kill(-1, 9)"), ""),
    }


def loud():
    return {
        "06-print-without-end": (with_answer("gravity", "while True: print('x' * 1000)\n" + RIGHT_G), "gravity"),
        "06-one-huge-message": (with_cell("gravity", "print('x' * 10**8)"), ""),
        "06-many-displays": (with_cell("gravity", "for i in range(20000): display(i)"), ""),
        "06-huge-answer": (with_answer("tip-velocity", "v = np.zeros(10**7)"), "tip-velocity?"),
        "06-endless-formula": (
            with_answer("gravity", "x = q1\nfor _ in range(200000): x = sp.sin(x)\nG = [x, x]"),
            "gravity",
        ),
    }


def lying():
    liar = "class Liar(sp.Symbol):\n    def __eq__(self, other): return True\n    def __hash__(self): return 0\n    def __sub__(self, other): return sp.Integer(0)\n"
    forged = "{'application/vnd.robotdyn.answer+json': {'robotdyn': 1, 'question': 'mass-matrix', 'data': %s}}"
    return {
        "07-numpy-agrees": (
            with_answer("mass-matrix", WRONG_M + "np.allclose = np.isclose = lambda *a, **k: True"),
            "mass-matrix",
        ),
        "07-equal-to-all": (with_answer("gravity", liar + "G = [Liar('x'), Liar('y')]"), "gravity"),
        "07-sympy-without-a-core": (
            with_cell("gravity", "import sympy\nsympy.sympify = sympy.simplify = None"),
            "",
        ),
        "08-check-library-patched": (
            with_answer(
                "mass-matrix",
                WRONG_M
                + "import coursework.check.session as s\nimport coursework.check.question as k\ns.diagnose = k.diagnose = lambda *a: []",
            ),
            "mass-matrix",
        ),
        "08-answer-replaced": (
            with_answer(
                "mass-matrix", WRONG_M + "from robotdyn import check\ncheck.answer = lambda *a: display('points: 100')"
            ),
            "mass-matrix",
        ),
        "08-hook-after-cells": (
            with_cell(
                "tip-velocity",
                "def f(*a): raise RuntimeError('hook')\nget_ipython().events.register('post_run_cell', f)",
            ),
            "",
        ),
        "08-cells-rewritten": (
            with_cell("tip-velocity", "get_ipython().input_transformers_cleanup.append(lambda lines: ['1\\n'])"),
            "",
        ),
        "09-forged-points": (
            with_answer("mass-matrix", f"display({forged % {'points': 4}}, raw=True)\nM = sp.eye(2)"),
            "mass-matrix",
        ),
        "09-forged-in-the-answer": (
            with_answer(
                "mass-matrix",
                "pub = get_ipython().display_pub\nold = pub.publish\n"
                "def publish(data, *a, **k):\n    for part in data.values():\n"
                "        if part and part['question'] == 'mass-matrix': part['data'] = {'points': 4, 'holds': True}\n    return old(data, *a, **k)\n"
                "pub.publish = publish\n" + WRONG_M,
            ),
            "mass-matrix?",
        ),
        "09-pickle": (
            with_answer(
                "mass-matrix",
                "import pickle, base64\nclass X:\n    def __reduce__(self): return (print, ('x',))\nM = base64.b64encode(pickle.dumps(X())).decode()",
            ),
            "mass-matrix?",
        ),
        "09-nested": (
            with_answer(
                "mass-matrix", "import coursework.check.session as s\nM = {}\nfor _ in range(300): M = {'items': M}"
            ),
            "mass-matrix?",
        ),
        "09-scores-in-the-notebook": (scored(), "mass-matrix"),
        "09-messages-of-another-form": (
            with_cell(
                "gravity",
                "k = get_ipython().kernel\nfor c in ([], 7, {'text': {}}, {'data': []}, {'traceback': 3}, {'data': {'text/plain': {}}}):\n"
                "    for t in ('stream', 'error', 'display_data', 'status'):\n"
                "        k.session.send(k.iopub_socket, t, content=c, parent=k.get_parent('shell'))",
            ),
            "",
        ),
        "09-halves-of-characters": (
            with_cell(
                "gravity",
                "display({'text/plain': 'x\\ud800'}, raw=True)\nclass \u00c9(Exception): pass\nraise \u00c9('\\udfff')",
            ),
            "",
        ),
        "09-script-for-the-teacher": (
            with_cell(
                "gravity",
                "display({'text/html': '<script>alert(1)</script>', 'text/markdown': '<img src=x onerror=alert(1)>'}, raw=True)",
            ),
            "",
        ),
        "09-endless-power": (
            with_answer("gravity", "G = ['q_1 + 0/(9**9**9**9**9)', 'sin(exp(exp(exp(exp(9)))))*0']"),
            "gravity",
        ),
    }


def scored():
    """A notebook that says of itself that it is right."""
    notebook = with_answer("mass-matrix", WRONG_M)
    for cell in notebook["cells"]:
        if "nbgrader" in cell["metadata"]:
            cell["metadata"]["nbgrader"]["points"] = 1000
        if cell["cell_type"] == "code":
            data = {"application/vnd.robotdyn.answer+json": {"question": "mass-matrix", "data": {"points": 4}}}
            cell["outputs"] = [{"output_type": "display_data", "data": data, "metadata": {}}]
    return notebook


def curious():
    search = """
import os, glob
seen = []
for top in ("/", "/tmp", "/home", "/root", "/var", "/mnt", "/opt", "/srv"):
    for path, folders, files in os.walk(top):
        if path.startswith(("/proc", "/sys", "/usr", "/dev")):
            folders[:] = []
            continue
        seen += [os.path.join(path, name) for name in files if name.endswith((".json", ".jsonl", ".db", ".ipynb"))]
print("SEEN", [name for name in seen if "/site-packages/" not in name and "/share/" not in name and "/lib/" not in name])
for name in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline"):
    try: print("ENVIRON", name, open(name, "rb").read()[:4000])
    except OSError as error: print("CLOSED", error)
import coursework
own = os.path.dirname(coursework.__file__)
print("GRADER", os.path.exists(os.path.join(own, "grading", "compare.py")))
print("BESIDE", sorted({name for _, _, files in os.walk(os.path.dirname(own)) for name in files} & {"planted.py", "two-link.ipynb", "compare.py"}))
"""
    network = """
import socket
for address in [("127.0.0.1", 22), ("127.0.0.1", 5432), ("192.0.2.1", 80)]:
    try:
        socket.create_connection(address, timeout=1)
        print("REACHED", address)
    except OSError as error:
        print("CLOSED", error)
"""
    escape = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
print("UNSHARE", libc.unshare(0x10000000), "MOUNT", libc.mount(b"none", b"/tmp", b"tmpfs", 0, None))
print("PTRACE", libc.ptrace(16, 1, 0, 0))
for path in ("/etc/x", "/usr/x", "/x", "/dev/x", "/opt/robotdyn/x", os.__file__):
    try:
        open(path, "a").write("x")
        print("WRITTEN", path)
    except OSError:
        pass
"""
    return {
        "10-searches-the-disk": (with_cell("gravity", search), ""),
        "10-asks-the-network": (with_cell("gravity", network), ""),
        "10-leaves-the-sandbox": (with_cell("gravity", escape), ""),
    }


def lasting():
    daemon = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(600)\n    os._exit(0)"
    links = """
import os
sockets = "/run/kernel"
os.symlink("/", os.path.join(sockets, "root"))
os.symlink(os.path.expanduser("~"), os.path.join(sockets, "home"))
import time
time.sleep(2)
"""
    return {
        "11-daemon": (with_cell("gravity", daemon), ""),
        "11-disk-filled": (
            with_cell("gravity", "try:\n    for i in range(1000): open(f'f{i}', 'wb').write(bytes(20 << 20))\nexcept OSError as e: print(e)"),
            "",
        ),
        "11-links-planted": (with_cell("gravity", links), ""),
        "11-files-beside-the-sockets": (
            with_cell("gravity", "import os, time\nd = '/run/kernel'\n"
                      "for i in range(50): open(f'{d}/f{i}', 'wb').write(bytes(1 << 20))\ntime.sleep(2)"),
            "",
        ),
    }  # fmt: skip


def moved():
    """Cells pasted, deleted, edited, retyped, stripped: none of it should cost a point but a deleted answer."""
    found = {}
    nb = solved()
    nb["cells"] += [dict(cell) for cell in nb["cells"] if cell["id"] in ("gravity", "mass-matrix")]
    found["12-hand-in-pasted"] = (nb, "")
    nb = solved()
    nb["cells"] = [cell for cell in nb["cells"] if cell["id"] not in ALL.split()]
    found["12-hand-in-deleted"] = (nb, "")
    nb = solved()
    for cell in nb["cells"]:
        if cell["id"] in ALL.split():
            cell["source"] = "from robotdyn import check\n\ncheck.answer('gravity', 'I like it')"
    found["12-hand-in-edited"] = (nb, "")
    nb = solved()
    cell = cell_of(nb, "gravity")
    cell["cell_type"] = "markdown"
    cell_of(nb, "mass-matrix")["cell_type"] = "raw"
    found["12-retyped"] = (nb, "")
    nb = solved()
    for number, cell in enumerate(nb["cells"]):
        cell["metadata"] = {}
        cell["id"] = f"n{number}"
    found["12-metadata-stripped"] = (nb, "")
    nb = solved()
    for cell in nb["cells"]:
        cell["metadata"] = {}
        del cell["id"]
    nb["metadata"] = {}
    nb["nbformat_minor"] = 4
    found["12-no-ids-no-kernel"] = (nb, "")
    nb = solved()
    code = "\n".join("".join(cell["source"]) for cell in nb["cells"] if cell["id"].endswith("-work"))
    nb["cells"] = [nb["cells"][1], nb["cells"][2], code_cell(code)]
    found["12-all-in-one-cell"] = (nb, "")
    nb = solved()
    place = nb["cells"].index(cell_of(nb, "gravity"))
    nb["cells"].insert(place, {**cell_of(nb, "gravity"), "source": "G = 'first try'"})
    found["12-answer-duplicated"] = (nb, "")
    nb = solved()
    nb["cells"].remove(cell_of(nb, "gravity"))
    found["12-answer-deleted"] = (nb, "gravity")
    nb = solved()
    nb["cells"] = [cell for cell in nb["cells"] if cell["id"] != "begin"]
    found["12-first-cell-deleted"] = (nb, "")
    nb = solved()
    nb["cells"][1]["source"] = (
        "from math import *\nimport numpy as np, sympy as sp, robotdyn as rd\nfrom robotdyn import check\np = check.begin('two-link', student='someone else', seed='0')"
    )
    found["12-someone-elses-numbers"] = (nb, "")
    nb = solved()
    nb["metadata"]["kernelspec"] = {"name": "ir", "language": "R", "display_name": "R"}
    found["12-another-kernel"] = (nb, "")
    nb = solved()
    nb["cells"][3:] = list(reversed(nb["cells"][3:]))
    found["12-upside-down"] = (nb, "")
    return found


def unusual():
    """Right answers that look wrong."""
    half = """
half = sp.sin(q2 / 2)
e = sp.exp(sp.I * q2)
c = (e + 1 / e) / 2
m22 = I2 + m2 * lc2**2
M = sp.Matrix([[I1 + m1*lc1**2 + m22 + m2*l1**2 + 2*m2*l1*lc2*(1 - 2*half**2), m22 + m2*l1*lc2*c],
               [m22 + m2*l1*lc2*(1 - sp.tan(q2/2)**2)/(1 + sp.tan(q2/2)**2), m22]])
"""
    time_functions = """
t = sp.symbols("t")
a, b = sp.Function("q_1")(t), sp.Function("q_2")(t)
k = m2 * l1 * lc2 * sp.sin(b)
h = sp.Matrix([-k * (2 * a.diff(t) * b.diff(t) + b.diff(t)**2), k * a.diff(t)**2])
"""
    acceleration = "".join(cell_of(solved(), "forward-dynamics")["source"])
    return {
        "15-half-angles": (with_answer("mass-matrix", half), ""),
        "15-own-symbols": (with_answer("gravity", "q1, q2 = sp.symbols('q1 q2')\n" + RIGHT_G), ""),
        "15-functions-of-time": (with_answer("velocity-terms", time_functions), ""),
        "15-warnings": (
            with_answer("forward-dynamics", acceleration.replace("    (a, _)", "    import sys, warnings; warnings.warn('x'); print('y', file=sys.stderr)\n    (a, _)")),
            "",
        ),
        "15-lists-and-columns": (
            with_answer("forward-dynamics", acceleration + "\n_f = acceleration\ndef acceleration(q, qd, tau):\n    return [[float(x)] for x in _f(np.array(q), np.array(qd), np.array(tau))]"),
            "",
        ),
        "15-object-array": (with_answer("gravity", RIGHT_G + "G = np.array(G).reshape(2, 1)"), ""),
        "15-formula-as-text": (
            with_answer("tip-velocity", "v = ['-l1*qd1*sin(q1) - l2*(qd1+qd2)*sin(q1+q2)', 'l1*qd1*cos(q1) + l2*(qd1+qd2)*cos(q1+q2)']"),
            "",
        ),
        "15-stub-left-below": (with_answer("gravity", RIGHT_G + "# YOUR CODE HERE\nraise NotImplementedError()"), ""),
        "15-matplotlib-and-magic": (with_cell("gravity", "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])"), ""),
    }  # fmt: skip
