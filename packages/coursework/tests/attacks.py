"""Attacks and odd honest notebooks of the second round: name -> (notebook, the questions that it should lose)."""

import base64
import re
import zlib

from grading_kit import cell_of, code_cell, solved, with_answer, with_cell

RIGHT = {cell["id"].removesuffix("-work"): cell["source"] for cell in solved()["cells"] if cell["id"].endswith("-work")}
STUB = "# YOUR CODE HERE\nraise NotImplementedError()"


def png():
    """A picture of one pixel, as base64."""

    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    head = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", b"\0\0\0\1\0\0\0\1\x08\0\0\0\0")
    return base64.b64encode(head + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")).decode()


def cases():
    """All of them."""
    return {**greedy(), **loud(), **curious(), **dying(), **honest()}


def greedy():
    """Cells too short to be looked at while they run, files that no folder shows, files without a byte."""
    creep = solved()
    place = creep["cells"].index(cell_of(creep, "gravity"))
    child = (
        "import os, time\nready, go = os.pipe()\nif os.fork() == 0:\n    held = bytearray(os.urandom(1) * (150 << 20))\n"
        "    os.write(go, b'x')\n    time.sleep(90)\nos.read(ready, 1)"
    )
    creep["cells"][place:place] = [code_cell(child) for _ in range(11)]
    deleted = (
        "import os\nkept = []\ntry:\n    for place in ('/run/kernel', '/tmp', '/dev/shm', os.path.expanduser('~')):\n"
        "        for i in range(40):\n            kept.append(os.open(place, os.O_TMPFILE | os.O_RDWR))\n"
        "            os.write(kept[-1], bytes(20 << 20))\nexcept OSError as error: print('FULL', error)"
    )
    empty = "import os, time\nfor i in range(400_000): open(f'/tmp/{i}', 'w').close()\ntime.sleep(2)"
    return {
        "memory-by-short-cells": (creep, ""),
        "deleted-files": (with_cell("gravity", deleted), ""),
        "empty-files": (with_cell("gravity", empty), ""),
    }


def loud():
    """Messages that become large where they are read, or have no form; a verdict of one's own."""
    huge = (
        "import time\nk = get_ipython().kernel\ns = k.session\n"
        "head = s.msg('stream')['header']\n"
        "parts = [s.pack(head), s.pack(k.get_parent('shell')['header']), b'{}', b'{\"x\": [' + b'[],' * 30_000_000 + b'[]]}']\n"
        "k.iopub_socket.send_multipart([b'stream', b'<IDS|MSG>', s.sign(parts), *parts])\ntime.sleep(1)"
    )
    nameless = (
        "k = get_ipython().kernel\nfor kind, c in (('error', {}), ('stream', {'text': 'x'}), ('stream', {'name': 3, 'text': 7}),\n"
        "                ('display_data', {'data': {'text/plain': 'x'}}), ('stream', {})):\n"
        "    k.session.send(k.iopub_socket, kind, content=c, parent=k.get_parent('shell'))"
    )
    false = "print('3 / 3')\ndisplay({'text/html': '<b>Grader:</b> 3 / 3'}, raw=True)\nG = [1, 1]"
    return {
        "one-message-of-lists": (with_cell("gravity", huge), ""),
        "a-stream-without-a-name": (with_cell("gravity", nameless), ""),
        "a-false-verdict": (with_answer("gravity", false), "gravity"),
    }


def curious():
    """Where others' work may lie, and other ways out."""
    look = """
import os, socket, sys
for folder in ("/usr/local/share", "/usr/share", "/srv", "/home", "/opt", "/var"):
    for place, folders, files in os.walk(folder):
        for name in files:
            if "inbound" in place or "exchange" in place or name in ("course.json", "ledger.jsonl", "gradebook.db"):
                print("SEEN", place, name)
try:
    socket.socket(40, socket.SOCK_STREAM)
    print("VSOCK")
except OSError:
    print("closed")
print("MODULES", sorted(name for name in sys.modules if "grading" in name or "planted" in name))
"""
    return {"looks-for-the-exchange": (with_cell("gravity", look), ""), "asks-the-checks": asking()}


def asking():
    """What judges at home, called here: a number that a law lets through, a formula fitted to what it expects, its functions."""
    notebook = solved()
    whole = "import gc, sys\nimport numpy as np\nfrom coursework.check.session import assignment_module\n"
    whole += "print('QUESTIONS', sorted(name for name in sys.modules if name.startswith('coursework.questions')))\n"
    laws = whole + "law = assignment_module('two-link').QUESTIONS['{0}'].laws[0]\n"
    scan = "largest = next(x for x in np.arange(1.0, 300.0, 0.02) if law(p, (), float(x)) is None)"
    fit = """
told = [one for one in gc.get_objects() if type(one).__name__ == "function" and "questions" in str(one.__module__)]
names = "q1 q2 qd1 qd2 l1 l2 m1 m2 lc1 lc2 I1 I2 g".split()
terms = [a * b * c for a in (l1**2, l1 * lc2, lc2**2) for b in (qd1**2, qd1 * qd2, qd2**2) for c in (1, sp.cos(q2))]
rows = sp.lambdify((q1, q2, qd1, qd2, l1, lc2), terms)
for one in told:
    try:
        draws = [dict(zip(names, map(float, np.random.uniform(0.3, 1.5, 13)))) for _ in range(60)]
        found = np.array([float(one(p, at)) for at in draws])
        left = np.array([rows(*(at[name] for name in ("q1", "q2", "qd1", "qd2", "l1", "lc2"))) for at in draws])
        factors, rest, *_ = np.linalg.lstsq(left, found, rcond=None)
        if rest.size and rest[0] < 1e-9:
            right = sum(round(a) * b for a, b in zip(factors, terms))
    except Exception:
        pass
"""
    call = """
def acceleration(q, qd, tau):
    for one in gc.get_objects():
        if getattr(one, "__module__", "") == "coursework.questions.two_link" and "accel" in getattr(one, "__name__", ""):
            return one(p, (q, qd, tau))
    raise LookupError("no law is here")
"""
    cell_of(notebook, "holding-torque")["source"] = laws.format("holding-torque") + scan
    cell_of(notebook, "find-the-error")["source"] = laws.format("find-the-error") + fit
    cell_of(notebook, "forward-dynamics")["source"] = whole + call
    return notebook, "find-the-error forward-dynamics holding-torque"


def dying():
    """Kernels that end for another's fault."""
    each = solved()
    for name in ("tip-velocity", "mass-matrix", "gravity", "velocity-terms", "find-the-error"):
        place = each["cells"].index(cell_of(each, name))
        each["cells"].insert(place, code_cell("import os\nos._exit(1)"))
    late = "import os, threading, time\ndef end():\n    time.sleep(0.4)\n    os._exit(1)\nthreading.Thread(target=end).start()"
    slow = with_cell("mass-matrix", "import time\nkept = 3")
    place = slow["cells"].index(cell_of(slow, "gravity"))
    slow["cells"].insert(place, code_cell(late))
    waits = "import time\ntime.sleep(1)\n" + "".join(cell_of(slow, "gravity")["source"])
    cell_of(slow, "gravity")["source"] = waits
    return {"an-end-before-each-of-five": (each, ""), "an-end-that-comes-during-another": (slow, "")}


def honest():
    """Untidy, and right."""
    found, nb = {}, solved()
    below, after = [], []
    for cell in nb["cells"]:
        name = cell["id"].removesuffix("-work")
        if cell["id"].endswith("-work"):
            first = "".join(cell["source"]).split("\n")[0]
            below += [{**cell, "source": f"{first}\n    {STUB}" if "def " in first else f"{first}\n{STUB}"}]
            below += [code_cell(RIGHT[name], id=f"mine-{name}")]
            after.append({**cell, "source": STUB})
        else:
            below.append(cell)
            after += [cell, code_cell(RIGHT[name], id=f"mine-{name}")] if name in RIGHT else [cell]
    found["one-cell-below-the-given"] = ({**nb, "cells": below}, "")
    found["one-cell-below-the-hand-in"] = ({**nb, "cells": after}, "")
    text = {"cell_type": "markdown", "metadata": {}, "source": "Turned as a whole, the arm is the same arm."}
    cells = [cell for cell in nb["cells"] if cell["id"] != "explain"]
    found["explained-in-a-new-cell"] = ({**nb, "cells": [*cells, text]}, "")
    nb = solved()
    picture = next(cell for cell in nb["cells"] if cell["id"] == "explain")
    picture["source"] = (
        "My notes: ![photo](attachment:photo.png) ![away](http://192.0.2.1/x.png) ![gone](attachment:gone.png)"
    )
    drawing = base64.b64encode(b"<svg onload='x()'/>").decode()
    picture["attachments"] = {"photo.png": {"image/png": png()}, "bad.svg": {"image/svg+xml": drawing}}
    found["a-photo"] = (nb, "")
    nb, cells = solved(), []
    for cell in nb["cells"]:  # each answer bears its name only until it is handed in
        cells += (
            [cell, code_cell("v = M = G = h = right = acceleration = largest = None")]
            if cell["id"] in RIGHT
            else [cell]
        )
    renamed = solved()
    for cell in renamed["cells"]:
        if cell["id"] in ("gravity", "gravity-work"):
            cell["source"] = re.sub(r"\bG\b", "torques", "".join(cell["source"]))
    found["hands-in-another-name"] = (renamed, "")
    functions = solved()
    for cell in functions["cells"]:  # coordinates as functions of time, in place of the symbols that are given
        if cell["id"] == "names":
            cell["source"] = "".join(cell["source"]) + (
                "\nt = sp.Symbol('t')\nq1, q2 = sp.Function('q_1')(t), sp.Function('q_2')(t)\nqd1, qd2 = q1.diff(t), q2.diff(t)"
            )
    tip = "x, y = l1*sp.cos(q1) + l2*sp.cos(q1 + q2), l1*sp.sin(q1) + l2*sp.sin(q1 + q2)\nv = [x.diff(t), y.diff(t)]"
    cell_of(functions, "tip-velocity")["source"] = tip
    found["functions-of-time"] = (functions, "")
    noted = with_cell("velocity-terms", '# check.answer("gravity", G)\nG = 3')
    found["a-hand-in-that-is-a-comment"] = (noted, "")
    pasted = solved()
    given = [{**cell, "id": f"again-{cell['id']}"} for cell in pasted["cells"] if cell["id"] in ("begin", "names")]
    place = pasted["cells"].index(cell_of(pasted, "gravity"))
    pasted["cells"][place:place] = [code_cell("q1, m1, l1, g = 0.3, 2.0, 1.0, 9.81\ndel p, sp, check"), *given]
    found["given-cells-pasted-again"] = (pasted, "")
    deleted = solved()
    for cell in deleted["cells"]:
        if cell["id"] == "mass-matrix-work":
            cell["source"] = "".join(cell["source"]) + "\nmass = M\ndel M"
        if cell["id"] == "mass-matrix":
            cell["source"] = "".join(cell["source"]).replace(", M)", ", mass)")
    found["hands-in-what-it-renamed"] = (deleted, "")
    found["names-used-again"] = ({**nb, "cells": cells}, "")
    return found
