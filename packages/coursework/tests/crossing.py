"""Notebooks in which one question's cells reach for another's: name -> (notebook, the questions that it should lose).

All answers are right, but for those named: what the cell before the first question, or one's own, leaves behind is meant
to spoil every later question, or to have one count that is wrong.
"""

from grading_kit import cell_of, code_cell, solved, with_cell

FIRST, WRONG = "tip-velocity", "M = sp.eye(2)\n"
RIGHT_M = "".join(cell_of(solved(), "mass-matrix")["source"])


def cases():
    """All of them."""
    spoiled = {name: (after_the_first(code), "") for name, code in SPOILING.items()}
    counted = {name: (counting(code), "mass-matrix") for name, code in COUNTING.items()}
    return {**spoiled, **counted, **honest()}


def after_the_first(code):
    """A right notebook with one more cell, between the first hand-in and the second question's cells."""
    return with_cell("mass-matrix", code)


def counting(code):
    """A wrong mass matrix, and code in the cell of the first question that means to have it count."""
    notebook = solved()
    cell_of(notebook, FIRST)["source"] = "".join(cell_of(notebook, FIRST)["source"]) + "\n" + code
    cell_of(notebook, "mass-matrix")["source"] = WRONG
    return notebook


NAMES = '"M G h right acceleration largest".split()'
SPOILING = {
    "numpy": "import numpy\nfor name in ('array', 'asarray', 'zeros', 'linalg', 'isfinite', 'ndarray'): setattr(numpy, name, None)",
    "sympy": "import sympy\nsp.Symbol.diff = sp.Expr.subs = sp.Matrix.__init__ = lambda *a, **k: 1 / 0\nsp.sin = sp.cos = sp.Float",
    "printers": "from sympy.printing.str import StrPrinter\nStrPrinter._print = lambda *a, **k: 'q_1'\nsp.Basic.__str__ = lambda s: 'q_2'",
    "modules": "import sys\nfor name in list(sys.modules):\n    if name.startswith(('robotdyn', 'coursework', 'numpy', 'sympy')): sys.modules[name] = None",
    "builtins": "import builtins\nfor name in ('len', 'range', 'isinstance', '__build_class__', 'sum', 'float'): setattr(builtins, name, None)",
    "small-numbers": "import ctypes\nctypes.c_long.from_address(id(7) + 24).value = 8\nsp.Integer(2).p = 3",
    "recursion": "import sys\nfor depth in range(400, 30, -1):\n    try: sys.setrecursionlimit(depth)\n    except RecursionError: break",
    "threads": f"""
import threading, time
def always():
    while True:
        for name in {NAMES}: get_ipython().user_ns[name] = 0
        time.sleep(0.0005)
for _ in range(8): threading.Thread(target=always, daemon=True).start()
""",
    "atexit": "import atexit, os\natexit.register(os.kill, -1, 9)\nos.register_at_fork(before=lambda: 1 / 0, after_in_child=lambda: os._exit(1))",
    "timers": """
import faulthandler, signal
signal.signal(signal.SIGALRM, lambda *a: 1 / 0)
signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
faulthandler.dump_traceback_later(2, exit=True)
""",
    "signals": "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\nsignal.signal(signal.SIGINT, signal.SIG_IGN)",
    "tasks": f"""
import asyncio
async def for_ever():
    while True:
        try: await asyncio.sleep(0)
        except BaseException: pass
        for name in {NAMES}: get_ipython().user_ns[name] = 0
kept = [asyncio.create_task(for_ever()) for _ in range(20)]
asyncio.Task.cancel = lambda *a, **k: False
""",
    "loop": "import asyncio\nloop = asyncio.get_running_loop()\nloop.call_later(0.3, loop.stop)\nloop.time = lambda: 0.0",
    "files-that-shadow": """
import os
for name in ("numpy", "sympy", "robotdyn", "coursework", "sitecustomize", "usercustomize", "IPython", "ipykernel", "site"):
    open(f"{name}.py", "w").write("raise SystemExit(name)\\n")
home = os.path.expanduser("~")
for place in (".ipython/profile_default/startup", ".config/matplotlib", ".local/lib/python3.11/site-packages", ".matplotlib"):
    os.makedirs(f"{home}/{place}", exist_ok=True)
open(f"{home}/.ipython/profile_default/startup/00.py", "w").write("import sys\\nsys.exit = q1 = M = None\\nraise KeyboardInterrupt")
open(f"{home}/.ipython/profile_default/ipython_config.py", "w").write("1 / 0")
open(f"{home}/.ipython/profile_default/ipython_kernel_config.py", "w").write("import os; os._exit(1)")
open(f"{home}/.matplotlib/matplotlibrc", "w").write("backend: nothing\\n")
open(f"{home}/.local/lib/python3.11/site-packages/x.pth", "w").write("import os; os._exit(1)")
import sys
sys.modules["sympy"] = None
""",
    "kills-all-others": """
import os, signal, time
if os.fork() == 0:
    os.setsid()
    while True:
        try: os.kill(-1, signal.SIGKILL)
        except OSError: pass
time.sleep(1)
""",
    "kills-the-first": """
import os, signal
for number in signal.valid_signals():
    for process in (1, os.getppid()):
        try: os.kill(process, number)
        except OSError: pass
sp = q1 = check = None
""",
    "looks-into-the-first": """
import ctypes, os
libc = ctypes.CDLL(None)
for path in ("mem", "environ", "fd", "maps", "root", "cwd", "oom_score_adj"):
    try: print("OPEN", path, os.listdir(f"/proc/1/{path}") if path in ("fd", "root", "cwd") else open(f"/proc/1/{path}", "r+b").read(10))
    except OSError: pass
print("CALLS", [libc.syscall(number, *words) >= 0 for number, words in (
    (101, (16, 1, 0, 0)), (310, (1, 0, 0, 0, 0, 0)), (311, (1, 0, 0, 0, 0, 0)), (438, (libc.syscall(434, 1, 0), 3, 0)))])
np = sp = None
""",
    "limits-of-the-first": """
import os, resource
for kind, most in ((resource.RLIMIT_NOFILE, 6), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_STACK, 65536), (resource.RLIMIT_NPROC, 1),
                   (resource.RLIMIT_AS, 1 << 26)):
    resource.prlimit(1, kind, (most, most))
sp = None
""",
    "processor-time-of-the-first": "import resource\nresource.prlimit(1, resource.RLIMIT_CPU, (1, 1))\nsp = check = None",
    "rank-of-the-first": """
import os
os.setpriority(os.PRIO_PROCESS, 1, 19)
os.sched_setaffinity(1, {min(os.sched_getaffinity(0))})
os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0))
sp = None
""",
    "memory": """
import os, time
for _ in range(3):
    if os.fork() == 0:
        held = bytearray(os.urandom(1) * (400 << 20))
        time.sleep(300)
sp = None
""",
    "folders-closed": """
import os
sp = None
for place in (os.path.expanduser("~"), "/run/kernel", "/tmp", "/dev/shm"):
    os.makedirs(f"{place}/a/b", exist_ok=True)
    for path in (f"{place}/a/b", f"{place}/a", place): os.chmod(path, 0)
""",
    "folders-in-folders": "import os\nsp = None\nfor _ in range(3000):\n    os.mkdir('x')\n    os.chdir('x')",
    "folders-renamed": """
import os
sp, home = None, os.path.expanduser("~")
for name in os.listdir(home): os.rename(f"{home}/{name}", f"{home}/{name}-old")
try: os.setxattr(home, "user.mine", b"x")
except OSError: pass
""",
    "sockets-replaced": """
import os, socket
for number in range(1, 30):
    path = f"/run/kernel/k-{number}"
    if os.path.exists(path): os.unlink(path)
    if number % 2: os.makedirs(path + "/x")
    else: os.symlink("/run/kernel.json", path)
kept = socket.socket(socket.AF_UNIX)
kept.bind("\\0k-1")
""",
    "full-folders": """
sp = None
for place in ("/tmp", "/dev/shm", ".", "/run/kernel"):
    try:
        for number in range(2000): open(f"{place}/{number}", "wb").write(bytes(40_000))
    except OSError: pass
""",
    "daemons": """
import os
for _ in range(6):
    if os.fork() == 0:
        os.setsid()
        if os.fork(): os._exit(0)
        while True: sum(range(10000))
sp = None
""",
    "descriptors": """
import os
kept = []
try:
    while True: kept.append(open("/dev/null"))
except OSError: pass
sp = None
""",
    "surroundings": """
import os, shutil
os.mkdir("gone"); os.chdir("gone"); os.rmdir("../gone")
os.environ.clear(); os.umask(0o777); os.nice(19)
os.environ.update(PYTHONPATH="/tmp", OMP_NUM_THREADS="x", HOME="/nowhere", MPLBACKEND="x")
sp = None
""",
    "own-limits": "import resource\nfor kind, most in ((resource.RLIMIT_CPU, 4), (resource.RLIMIT_NOFILE, 40), (resource.RLIMIT_FSIZE, 0)): resource.setrlimit(kind, (most, most))\nsp = None",
    "hooks-of-python": """
import gc, sys, threading
gc.callbacks.append(lambda *a: 1 / 0); gc.set_threshold(1)
sys.setswitchinterval(100.0)
sys.addaudithook(lambda event, given: 1 / 0 if event == "import" else None)
sys.settrace(lambda *a: 1 / 0); threading.settrace(lambda *a: 1 / 0)
""",
    "shell": """
shell = get_ipython()
shell.input_transformers_cleanup.append(lambda lines: ["pass\\n"])
shell.events.register("pre_run_cell", lambda *a: 1 / 0)
shell.set_custom_exc((Exception,), lambda *a, **k: None)
shell.display_pub.publish = lambda *a, **k: None
""",
    "each-cell-sleeps": """
import time
shell = get_ipython()
run = type(shell).run_cell_async
async def slow(self, *given, **named):
    time.sleep(50)
    return await run(self, *given, **named)
type(shell).run_cell_async = slow
""",
    "ignored-interrupts": """
import signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
get_ipython().events.register("pre_run_cell", lambda *a: time.sleep(300))
""",
    "session": """
kernel = get_ipython().kernel
kernel.session.key = b"another"
kernel.session.send = lambda *a, **k: None
""",
    "numbers": """
import ctypes, decimal, mpmath, warnings
np.seterr(all="raise"); mpmath.mp.dps = 2; decimal.getcontext().prec = 1; warnings.simplefilter("error")
ctypes.CDLL("libm.so.6").fesetround(0x400)
sp.core.parameters.global_parameters.evaluate = False
""",
    "copies": "import copy, json\ncopy.deepcopy = copy.copy = lambda x, *a: None\njson.dumps = lambda *a, **k: 'null'\ncopy._deepcopy_dispatch.clear()",
    "crowd": """
import threading, time
try:
    for _ in range(100): threading.Thread(target=time.sleep, args=(200,), daemon=True).start()
except RuntimeError: pass
sp = None
""",
    "talk": "import os, fcntl\nfor number in (1, 2):\n    fcntl.fcntl(number, fcntl.F_SETFL, os.O_NONBLOCK)\n    try:\n        for _ in range(2000): os.write(number, b'b' * 4096)\n    except OSError: pass\nsp = None",
}  # fmt: skip

CALL = "check.answer('mass-matrix', " + "RIGHT)"
COUNTING = {
    # handed in where the first question's hand-in runs: a released cell hands in one answer
    "hands-in-inside-another-hand-in": f"""
right_m = (lambda: 0)
class Sly(list):
    def __iter__(self):
        space = dict(get_ipython().user_ns)
        exec({RIGHT_M!r}, space)
        check.answer("mass-matrix", space["M"])
        return super().__iter__()
v = Sly(v)
""",
    "shows-another-answer": """
display({"application/vnd.robotdyn.answer+json": {"robotdyn": 1, "question": "mass-matrix", "points": 4, "data": {"points": 4}}}, raw=True)
""",
    "judge-called-here": "import coursework.check.session as s\ns.diagnose = lambda *a, **k: []\ns._now.holds['mass-matrix'] = True",
    "a-child-that-hands-in": """
import os, time
if os.fork() == 0:
    for _ in range(40):
        time.sleep(0.05)
        try: check.answer("mass-matrix", [[1, 0], [0, 1]])
        except BaseException: pass
    os._exit(0)
""",
}


def honest():
    """Odd, and right."""
    return {
        "honest-own-file": (kept_in("mass-matrix", "open('mine.txt', 'w').write('1')", "assert open('mine.txt').read() == '1'"), ""),
        "honest-file-of-another": (kept_in(FIRST, "open('shared.txt', 'w').write('1')", "assert open('shared.txt').read() == '1'", "gravity"), ""),
        "honest-module-of-another": (
            kept_in(FIRST, "open('my_helper.py', 'w').write('one = 1')", "import my_helper\nassert my_helper.one == 1", "gravity"), ""),
        "honest-task-of-another": (
            kept_in(FIRST, "import asyncio\nasync def half():\n    await asyncio.sleep(0.5)\n    return 0.5\ntask = asyncio.create_task(half())",
                    "assert await task == 0.5", "velocity-terms"), ""),
        "honest-thread-of-another": (
            kept_in(FIRST, "import threading, time\nfound = []\nworker = threading.Thread(target=lambda: (time.sleep(0.5), found.append(1)))\nworker.start()",
                    "worker.join()\nassert found == [1]", "forward-dynamics"), ""),
        "honest-helper-of-another": (kept_in(FIRST, "def helper(x): return x", "assert helper(1) == 1", "forward-dynamics"), ""),
        "honest-processes": (
            kept_in(FIRST, "import subprocess, concurrent.futures as c\nassert subprocess.run(['echo', 'x'], capture_output=True).stdout == b'x\\n'\n"
                    "with c.ProcessPoolExecutor(2) as pool: assert list(pool.map(abs, [-1])) == [1]", "import sys\nassert sys.argv", "gravity"), ""),
        "honest-pictures": (
            with_cell("gravity", "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nsp.init_printing()\nnp.set_printoptions(precision=1)\nq1"), ""),
        "honest-stars": (with_cell("gravity", "from math import *\nsum = list = len = range = 3"), ""),
        "honest-begins-again": (with_cell("velocity-terms", "%reset -f\n%pwd"), ""),
        "honest-other-folder": (with_cell("gravity", "import os\nos.makedirs('work/deep')\nos.chdir('work')\nimport sys\nsys.setrecursionlimit(20000)"), ""),
        "honest-not-evaluated": (with_cell("gravity", "sp.core.parameters.global_parameters.evaluate = False"), ""),
        "honest-two-wrong": (two_wrong(), "mass-matrix gravity"),
        "honest-loop": (loop(), "gravity"),
    }  # fmt: skip


def kept_in(question, before, after, later=None):
    """A right notebook: one cell of a question, then a line in a later cell of it, or at the top of another question's."""
    notebook = solved()
    if later is None:
        place = notebook["cells"].index(cell_of(notebook, question))
        notebook["cells"].insert(place, {**code_cell(before), "id": f"{question}-work"})
    else:
        cell_of(notebook, question)["source"] = "".join(cell_of(notebook, question)["source"]) + "\n" + before
    cells = [cell for cell in notebook["cells"] if cell["id"] == f"{later or question}-work"]
    cells[-1]["source"] = after + "\n" + "".join(cells[-1]["source"])
    return notebook


def two_wrong():
    """An honest notebook with two wrong answers."""
    notebook = solved()
    cell_of(notebook, "mass-matrix")["source"] = WRONG
    cell_of(notebook, "gravity")["source"] = "G = [q1, q2]"
    return notebook


def loop():
    """A loop without an end in one question."""
    notebook = solved()
    cell_of(notebook, "gravity")["source"] = "G = [0, 0]\nwhile True: pass"
    return notebook
