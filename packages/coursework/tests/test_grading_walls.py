"""What a class can do to its grader: nothing is seen, nothing runs without end, no time or name is taken on trust."""

import asyncio
import html
import io
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
import zipfile
from datetime import datetime
from types import SimpleNamespace

import grading_kit
import nbformat
import numpy as np
import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")
pytest.importorskip("distributed", reason="distributed is not installed: pip install './packages/coursework[grade]'")

from coursework.__main__ import main
from coursework.check.agreement import agree
from coursework.grading import execute, judge, kernel, run, sandbox, seccomp, task, watch
from coursework.grading.compare import judge as judged
from coursework.grading.course import Course
from coursework.grading.graft import graft
from coursework.grading.identity import student_of
from coursework.grading.intake import intake
from coursework.grading.key import make_key
from coursework.grading.limits import Limits
from coursework.grading.reading import MOST_RAW, NoNotebook, cells_of
from coursework.grading.release import reason_of, release
from coursework.grading.sanitize import harmless, is_deep
from coursework.grading.upload_times import upload_time

SOURCE = nbformat.read(grading_kit.SOURCE, as_version=4)


def bindings(argv):
    """What bubblewrap shows, {place: source}."""
    return {argv[i + 2]: argv[i + 1] for i, word in enumerate(argv) if word in ("--ro-bind", "--bind", "--dev-bind")}


def test_only_what_is_needed_is_bound(tmp_path):
    """No exchange, no home, no solution; and nothing of the machine that can be written to."""
    argv = sandbox.command(Limits(), tmp_path / "c.json")
    shown = bindings(argv)
    assert "--bind" not in argv and "--dev-bind" not in argv
    assert not {"/usr", "/usr/local", "/usr/share", "/usr/local/share", "/", "/home", "/etc"} & set(shown)
    assert not [
        source for source in shown.values() if source.endswith((".ipynb", "planted.py", "/exercises", "/grading"))
    ]


def test_a_course_beside_the_interpreter_is_not_bound(monkeypatch, tmp_path):
    """A virtual environment that was made in the course's folder: of it only programs and packages are shown."""
    for part in ("bin", "lib", "keys", "raw"):
        (tmp_path / part).mkdir()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    found = sandbox.interpreter()
    assert str(tmp_path / "lib") in found and not [
        path for path in found if path in (str(tmp_path), str(tmp_path / "keys"))
    ]


def test_what_lies_in_a_visible_folder_is_covered(tmp_path):
    """Whatever a link calls it; what is not visible needs no cover."""
    (tmp_path / "lib" / "course").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "lib" / "course")
    found = sandbox.paths_to_cover([tmp_path / "link", "/nowhere", tmp_path], [str(tmp_path / "lib")])
    assert found == [str((tmp_path / "lib" / "course").resolve())]


PROOF = """
import sys
from pathlib import Path
from coursework.grading import sandbox
sandbox.prove(sys.argv[1:])
print("PROVEN")
whole = sandbox.library
sandbox.library = lambda: {**whole(), "by-mistake": Path(sys.argv[1]).parent}
try:
    sandbox.prove(sys.argv[1:])
except sandbox.NoSandbox as error:
    print("REFUSED", error)
print(sorted(path.name for path in Path(sys.argv[1]).iterdir()))
"""


def test_what_judges_an_answer_is_not_in_the_sandbox(monkeypatch, tmp_path):
    """Of an assignment its given.py alone; what else an installed package holds of it, among the packages, is covered."""
    shown = [place for place in sandbox.library() if "exercises" in place]
    assert len(shown) >= 6 and all(place.endswith("/given.py") for place in shown)
    packages = tmp_path / "lib"
    folder = packages / "coursework" / "exercises"
    folder.mkdir(parents=True)
    monkeypatch.setattr(sandbox, "interpreter", lambda: [str(packages)])
    monkeypatch.setattr(sandbox, "assignment_folders", lambda: [folder])
    argv = sandbox.walls(1 << 20)
    assert argv.index(str(folder)) > argv.index(str(packages)) and argv[argv.index(str(folder)) - 1] == "--tmpfs"


@pytest.mark.slow
def test_a_run_proves_from_inside_what_is_not_seen():
    """A folder that would be shown, by whatever mistake, is found by a file of a name that nobody knows."""
    reason = grading_kit.sandbox_trouble()
    if reason:
        pytest.skip(reason)
    folder = grading_kit.owned_folder()
    try:
        (folder / "a" / "course").mkdir(parents=True)
        (folder / "a" / "course" / "course.json").write_text("{}", encoding="utf-8")
        grading_kit.hand_over(folder)
        done = grading_kit.run_as_user([sys.executable, "-c", PROOF, folder / "a" / "course"], folder, 200, check=True)
        assert "PROVEN\nREFUSED Grading is refused: a notebook could see" in done.stdout
        assert done.stdout.splitlines()[-1] == "['course.json']"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


IN_A_KERNEL = """
import asyncio, json, sys
from coursework.grading.kernel import Kernel
from coursework.grading.limits import Limits

async def main():
    async with Kernel(Limits(grace=1.0), imports=sys.argv[1]) as kernel:
        for code in sys.argv[2:]:
            if code == "ANOTHER":
                print(json.dumps([code, str(await kernel.renew())]), flush=True)
                continue
            how, outputs = await kernel.run(code, 8)
            print(json.dumps([how, "".join(output.get("text", "") for output in outputs)]), flush=True)

asyncio.run(main())
print('["left", ""]')
"""


def in_a_kernel(*cells, imports="import sympy, robotdyn"):
    """How each cell ends in one sandboxed kernel, with what it prints, and that the kernel was left; ANOTHER: have another."""
    reason = grading_kit.sandbox_trouble()
    if reason:
        pytest.skip(reason)
    folder = grading_kit.owned_folder()
    try:
        done = grading_kit.run_as_user([sys.executable, "-c", IN_A_KERNEL, imports, *cells], folder, 100, check=True)
        return [tuple(json.loads(line)) for line in done.stdout.splitlines()]
    finally:
        shutil.rmtree(folder, ignore_errors=True)


OUTERMOST = """
import os, stat, subprocess
child = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
child.stdin.write(b"begun\\n")
child.stdin.flush()
child.stdout.readline()
for process in filter(str.isdigit, os.listdir("/proc")):
    for line in open(f"/proc/{process}/limits"):
        name, soft, hard = line[:26].strip(), *line[26:].split()[:2]
        if name in ("Max file size", "Max address space", "Max processes", "Max cpu time") and "unlimited" in (soft, hard):
            print(process, name)
    try:
        numbers = os.listdir(f"/proc/{process}/fd")
    except PermissionError:
        print(process, "is closed")
        continue
    for number in numbers:
        try:
            if stat.S_ISREG(os.stat(f"/proc/{process}/fd/{number}").st_mode):
                print(process, "holds", os.readlink(f"/proc/{process}/fd/{number}"))
        except FileNotFoundError:
            pass
child.kill()
"""


def test_no_process_inside_is_without_bounds_or_holds_a_file_of_the_machine():
    """The first process of a sandbox, which forks the kernels, shows a notebook neither its memory nor its descriptors."""
    assert in_a_kernel(OUTERMOST) == [("done", "1 is closed\n"), ("left", "")]


def test_a_file_that_a_cell_wrote_is_imported_and_stands_in_for_no_library():
    """As in the student's own notebook; but a file called as a module of Python's does no harm."""
    written = "%%writefile helper.py\nx = 3", "%%writefile colorsys.py\nx = 3"
    read = "import colorsys, helper\nprint(helper.x, hasattr(colorsys, 'x'))"
    assert in_a_kernel(*written, read)[2] == ("done", "3 False\n")


LEFT = """
import os, sympy, threading, time
os.makedirs("a/b"); open("a/b/c", "w").close(); os.chmod("a/b", 0); open("/tmp/x", "w").close(); os.chmod("/tmp", 0)
sympy.sin, os.environ["X"], kept = None, "1", threading.Thread(target=time.sleep, args=(99,), daemon=True).start()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: time.sleep(99)
    os._exit(0)
"""
SEEN = """
import os, sympy
print(os.listdir("."), os.listdir("/tmp"), sympy.sin, "X" in os.environ, "kept" in globals(), len([p for p in os.listdir("/proc") if p.isdigit()]))
"""


def test_another_kernel_finds_nothing_of_the_one_before():
    """Neither names, libraries, files nor processes: it is a fork of what the first was a fork of."""
    first, *found = in_a_kernel(SEEN, LEFT, "ANOTHER", SEEN)
    assert found == [("done", ""), ("ANOTHER", "True"), first, ("left", "")]
    assert first[0] == "done" and first[1].endswith("sin False False 2\n")


BEGINS = (
    "import sympy\n__import__('threading').Thread(target=__import__('time').sleep, args=(99,), daemon=True).start()"
)


@pytest.mark.slow
def test_a_first_process_with_a_thread_begins_without_the_imports():
    """A fork of it would have locks that nobody opens; the given cells import then what they need."""
    ask = "import os, sys\nprint(len(os.listdir('/proc/1/task')), 'sympy' in sys.modules)"
    assert in_a_kernel(ask, "ANOTHER", ask, imports=BEGINS)[:3] == [
        ("done", "1 False\n"), ("ANOTHER", "True"), ("done", "1 False\n")]  # fmt: skip


SIGNALS = """
import os, signal, time
for number in signal.valid_signals(): os.kill(1, number)
time.sleep(0.5)
"""


def test_no_signal_from_inside_ends_the_first_process():
    """The system keeps those from it for which it has no handler, and of those that libraries set it has none."""
    assert in_a_kernel(SIGNALS, "import sympy; print(sympy.Integer(3))", "ANOTHER")[:3] == [
        ("done", ""), ("done", "3\n"), ("ANOTHER", "True")]  # fmt: skip


CHANGED = {
    "a limit": "import resource; resource.prlimit(1, resource.RLIMIT_STACK, (65536, 65536))",
    "its rank": "import os; os.setpriority(os.PRIO_PROCESS, 1, 19)",
    "a folder that was there": "import os; os.rename('.ipython', '.other')",
    "folders that are too many": "import os\nfor _ in range(99): os.mkdir('x'); os.chdir('x')",
}


@pytest.mark.slow
@pytest.mark.parametrize("what", CHANGED)
def test_a_sandbox_in_which_something_stays_changed_makes_no_kernel_more(what):
    """The grader makes another then."""
    assert in_a_kernel(CHANGED[what], "ANOTHER")[:2] == [("done", ""), ("ANOTHER", "False")]


LINKED = """
import asyncio, json, os, socket, sys
from coursework.grading.kernel import Kernel
from coursework.grading.limits import Limits

CELL = (
    "import os\\nfor name in os.listdir('/run/kernel'):\\n    os.unlink(f'/run/kernel/{name}')\\n"
    "    os.symlink(HOST, f'/run/kernel/{name}')\\nos._exit(0)"
)

async def main():
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(os.path.abspath("host"))
    listener.listen()
    listener.settimeout(0)
    async with Kernel(Limits()) as kernel:
        print(await kernel.run(CELL.replace("HOST", repr(os.path.abspath("host"))), 8))
        await asyncio.sleep(2)
    try:
        listener.accept()
        print("CONNECTED")
    except BlockingIOError:
        print("nobody came")

asyncio.run(main())
"""


@pytest.mark.slow
def test_a_link_in_place_of_a_socket_leads_the_grader_nowhere():
    """It connects once, before a student's cell runs: a path that became a link to a socket of the machine is not asked."""
    reason = grading_kit.sandbox_trouble()
    if reason:
        pytest.skip(reason)
    folder = grading_kit.owned_folder()
    try:
        done = grading_kit.run_as_user([sys.executable, "-c", LINKED], folder, 60, check=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    assert done.stdout == "('dead: the kernel ended', [])\nnobody came\n"


@pytest.mark.slow
def test_a_kernel_that_says_nothing_any_more_is_lost():
    """It runs cells and their answers go nowhere: those after it run in another one."""
    assert in_a_kernel("get_ipython().kernel.iopub_socket.close()", "print(3)")[1:2] == [(f"dead: {kernel.MUTE}", "")]


@pytest.mark.slow
def test_a_kernel_that_hears_nothing_any_more_is_lost():
    """It was the cell that closed its ears, not the next one, which could not be interrupted."""
    assert in_a_kernel("get_ipython().kernel.shell_stream.close()")[0][0] == f"dead: {kernel.MUTE}"


HIDES = """
import ctypes, os, time
ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
for i in range(30_000):
    open(f"/tmp/{i}", "w").close()
time.sleep(2)
"""


def test_a_kernel_that_closes_itself_hides_no_files():
    """They are counted below the root of that process, which the owner of the sandbox sees though it is not to be dumped."""
    told = [("dead: too many files", ""), ("ANOTHER", "False"), ("left", "")]
    assert in_a_kernel(HIDES, "ANOTHER") == told


SHARED = """
import ctypes
libc, place = ctypes.CDLL(None), ctypes.c_long(0)
calls = {
    "watches of files": lambda: libc.syscall(%d, 0),
    "watches of filesystems": lambda: libc.syscall(%d, 0x200, 0),
    "queues of messages": lambda: libc.syscall(%d, b"q", 0o102, 0o600, None),
    "asynchronous reads": lambda: libc.syscall(%d, 1, ctypes.byref(ctypes.c_long(0))),
    "buffers of TCP": lambda: libc.socket(2, 1, 0),
    "buffers of UDP": lambda: libc.socket(10, 2, 0),
}
print(*[name for name, call in calls.items() if call() >= 0])
timers = next((n for n in range(1000) if libc.timer_create(0, None, ctypes.byref(place)) < 0), 1000)
print("all timers" if timers == 1000 else "few timers")
"""


def test_what_the_system_counts_for_a_user_or_for_all_cannot_be_taken():
    """One notebook took all asynchronous reads of the machine, half of its buffers of TCP, and all timers of the teacher's."""
    numbers = {"x86_64": (294, 300, 240, 206), "aarch64": (26, 262, 180, 0)}
    if platform.machine() not in numbers:
        pytest.skip("there is no filter for this machine")
    assert in_a_kernel(SHARED % numbers[platform.machine()]) == [("done", "\nfew timers\n"), ("left", "")]


@pytest.mark.slow
def test_a_kernel_is_interrupted_killed_and_heard():
    """What it prints beside its messages stops nothing."""
    talk = "open('/proc/self/fd/1', 'w').write('x' * 300_000)"
    found = in_a_kernel("import time; time.sleep(30)", talk, "print(1)", "import ctypes; ctypes.string_at(0)")
    assert [how.partition(":")[0] for how, _ in found] == ["interrupted", "done", "done", "dead", "left"]
    assert found[2][1].replace("x", "") == "1\n"  # on a busy machine the talk may come with the next cell
    assert found[3][0] == "dead: the kernel ended"


GARBAGE = """
import os
for number in range(3, 200):
    try: os.write(number, b'{"verdicts": {"gravity": {"points": 3, "most": 3}}}')
    except OSError: pass
"""


@pytest.mark.slow
def test_garbage_in_every_open_file_ends_its_kernel_and_no_more():
    """Nobody waits for its answers, nor to send it a message, without a clock."""
    found = in_a_kernel("x = 1", GARBAGE, "x")
    assert [how.partition(":")[0] for how, _ in found] == ["done", "dead", "dead", "left"]


def test_a_scope_of_systemd_is_the_bound_where_there_is_one(monkeypatch, tmp_path):
    """All processes of a sandbox together; `status` says which bound there is."""
    monkeypatch.setattr(sandbox, "has_scopes", lambda: True)
    argv = sandbox.with_filter(sandbox.command(Limits(memory=1 << 30), tmp_path / "c.json"), tmp_path / "filter")
    words = argv[: argv.index("bwrap") + 1]
    assert "systemd-run" in words and f"-pMemoryMax={1 << 30}" in words and "-pMemorySwapMax=0" in words
    assert argv[argv.index("bwrap") + 1 :][:2] == ["--seccomp", "9"]


def obeys(program, number, first):
    """What a filter does with a call: the machine that BPF is, as far as the filter uses it."""
    import struct

    lines = [struct.unpack("HBBI", program[i : i + 8]) for i in range(0, len(program), 8)]
    memory, held, place = {0: number, 4: seccomp.MACHINES["x86_64"][1], 16: first}, 0, 0
    while True:
        code, yes, no, value = lines[place]
        if code == 0x06:
            return value
        if code == 0x20:
            held = memory[value]
        else:
            place += yes if (held == value if code == 0x15 else held >= value) else no
        place += 1


@pytest.mark.parametrize(
    ("family", "open_"), [(1, True), (2, False), (10, False), (16, True), (40, False), (17, False), (38, False)]
)
def test_a_filter_knows_families_of_sockets(family, open_):
    """AF_VSOCK leads to the host of a virtual machine, past every network namespace."""
    program = seccomp.program("x86_64")
    assert obeys(program, 41, family) == (seccomp.ALLOW if open_ else seccomp.EPERM)
    assert obeys(program, 0, family) == seccomp.ALLOW and obeys(program, 101, 0) == seccomp.EPERM


UNKNOWN = """
import asyncio, logging, sys
from coursework.grading.run import _client
logging.disable(logging.CRITICAL)

async def knock(address, security=None):
    from distributed.comm import connect
    try:
        comm = await asyncio.wait_for(connect(address, timeout=5, **(security or {})), 10)
        await comm.write({"op": "identity", "reply": True})
        return f"ANSWERED {await asyncio.wait_for(comm.read(), 5)}"
    except Exception as error:
        return f"CLOSED {type(error).__name__}"

if __name__ == "__main__":
    from distributed.security import Security
    with _client(1, None, None) as client:
        address, worker = client.scheduler.address, next(iter(client.scheduler_info()["workers"]))
        stranger = Security.temporary().get_connection_args("client")
        for place in (address, worker):
            assert place.startswith("tls://"), place
            print(asyncio.run(knock(place.replace("tls://", "tcp://"))), asyncio.run(knock(place, stranger)))
        print(client.submit(sum, [1, 2]).result(timeout=60))
"""


@pytest.mark.slow
def test_a_local_run_listens_to_itself_alone(tmp_path):
    """Another user of the machine, with a certificate or without, gets no word out of scheduler and workers."""
    (tmp_path / "knock.py").write_text(UNKNOWN, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": grading_kit.PYTHONPATH, "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, tmp_path / "knock.py"], capture_output=True, text=True, env=env, timeout=300)
    lines = done.stdout.splitlines()
    assert len(lines) == 3 and "ANSWERED" not in done.stdout and lines[2] == "3", done.stdout + done.stderr


SECOND = """
import socket, warnings
from coursework.grading.run import _client
if __name__ == "__main__":
    first = socket.socket()
    try:
        first.bind(("127.0.0.1", 8787))
        first.listen()
    except OSError:
        pass  # another program has it already
    warnings.simplefilter("error")
    with _client(1, None, None) as client:
        print(client.submit(sum, [1, 2]).result(timeout=60))
    first.close()
"""


@pytest.mark.slow
def test_two_runs_on_one_machine_do_not_warn_of_each_other(tmp_path):
    """Each listens at ports that are free."""
    (tmp_path / "second.py").write_text(SECOND, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": grading_kit.PYTHONPATH, "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, tmp_path / "second.py"], capture_output=True, text=True, env=env, timeout=120
    )
    assert (done.stdout, "is already in use" in done.stderr) == ("3\n", False), done.stderr


@pytest.mark.parametrize("address", ["tcp://10.0.0.1:8786", "10.0.0.1:8786"])
def test_a_scheduler_that_anybody_may_use_is_refused(address, tmp_path):
    """With what to do."""
    with pytest.raises(ValueError, match="tls://"):
        run.security(address, tmp_path)
    with pytest.raises(ValueError, match=r"cert\.pem is not there"):
        run.security("tls://10.0.0.1:8786", tmp_path)


# ---- an end to everything ----


def zipped(files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def test_zips_in_a_zip_share_one_room():
    """Bytes, entries and depth are those of all levels together."""
    blank = zipped({"a.ipynb": b" " * (MOST_RAW // 2)})
    with pytest.raises(NoNotebook, match="unpacks to more than"):
        cells_of(zipped({f"{i}.zip": blank for i in range(5)}))
    small = json.dumps(grading_kit.solved())
    assert cells_of(zipped({"a.zip": zipped({"x.ipynb": small})}))
    with pytest.raises(NoNotebook, match="nested too deeply"):
        cells_of(zipped({"a.zip": zipped({"b.zip": zipped({"x.ipynb": small})})}))


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz", ""])
def test_a_tar_is_told_by_its_name(kind):
    """In words, however it is packed."""
    import tarfile

    stream, content = io.BytesIO(), json.dumps(grading_kit.solved()).encode()
    with tarfile.open(fileobj=stream, mode=f"w:{kind}") as archive:
        entry = tarfile.TarInfo("two-link.ipynb")
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    with pytest.raises(NoNotebook, match=r"it is a packed file \(\w+\), not a notebook or a zip"):
        cells_of(stream.getvalue())


def test_entries_that_are_not_read_are_told():
    """How many there are, and how many are read."""
    with pytest.raises(NoNotebook, match="1501 entries, and among the first 1000 is no notebook"):
        cells_of(zipped({f"{i}.txt": b"" for i in range(1500)} | {"x.ipynb": json.dumps(grading_kit.solved())}))


class Slow(judge.Judge):
    """A Judge with little patience."""

    def _receive(self, seconds):
        return super()._receive(seconds if seconds == judge.OWN else 1.0)


ENDLESS = "sin(" * 100_000 + "q_1" + ")" * 100_000


def test_judging_has_an_end_and_a_person_decides_then():
    """The next answer is judged as ever, by a new process."""
    text = make_key("two-link", SOURCE, SOURCE, "seed").to_json()
    judging = Slow()
    try:
        judging.open(text, "ada")
        found = judging.verdict("gravity", {"shape": [2], "text": [ENDLESS, ENDLESS]})
        assert found["points"] is None and "more than" in found["sentences"][0]
        assert judging.verdict("gravity", {"shape": [2], "numbers": [1.0, 1.0]})["points"] == 0.0
        assert judging.verdict("gravity", None)["points"] == 0.0
        nested = {"items": {}}
        for _ in range(3000):
            nested = {"items": {"a": nested}}
        assert "nested too deeply" in judging.verdict("gravity", nested)["sentences"][0]
    finally:
        judging.end()


def test_answers_without_end_have_an_end_together(monkeypatch):
    """Each was judged for half a minute, and all of them anew after the next: one notebook kept a worker for a quarter of an hour."""
    monkeypatch.setattr(judge, "JUDGED", 1.0)
    monkeypatch.setattr(judge, "HURRIED", 0.5)
    judging = judge.Judge()
    seen = []
    ask = judging._ask
    judging._ask = lambda seconds, name, *given: seen.append((name, seconds)) or ask(seconds, name, *given)
    endless = "sin(" * 160_000 + "q_1" + ")" * 160_000  # some seconds; twice as many parts are not read at all
    answers = [{"shape": [2], "text": [endless, str(number)]} for number in range(4)]
    try:
        judging.open(make_key("two-link", SOURCE, SOURCE, "seed").to_json(), "ada")
        for _ in range(2):
            assert all(judging.verdict("gravity", answer)["points"] is None for answer in answers)
        assert judging.verdict("gravity", {"shape": [2], "numbers": [1.0, 1.0]})["points"] == 0.0
    finally:
        judging.end()
    assert [seconds for name, seconds in seen if name == "judged"] == [1.0, 1.0, 0.5, 0.5, 0.5]


def test_a_plot_of_1500_lines_is_not_read():
    """Here and at home."""
    from coursework.check.session import assignment_module, parameters_of

    line = {axis: {"shape": [2000], "numbers": [0.0] * 2000} for axis in "xy"}
    spec, p = assignment_module("rp").QUESTIONS["plot-holding"], parameters_of("rp", "ada")
    data = {"curves": [line] * 1500, "xlabel": "x", "ylabel": "y"}
    found = judged(spec, 3.0, p, None, data)
    assert found.points is None and "more than 50 lines" in found.sentences[0]


@pytest.mark.parametrize("text", [" " * 4_000_000, "M" + " " * 4_000_000 + "x", "check.answer(" + " " * 4_000_000])
def test_blanks_are_read_in_no_time(text):
    """A search that tries each of them anew would take a minute."""
    cells = [{"cell_type": "code", "source": text, "id": "mass-matrix-work", "metadata": {}}]
    code = "import sys, pickle, resource; resource.setrlimit(resource.RLIMIT_CPU, (20, 20)); from coursework.grading.graft import graft; graft(*pickle.load(sys.stdin.buffer))"
    import pickle

    given = pickle.dumps((SOURCE, cells, "ada", "seed"))
    env = {**os.environ, "PYTHONPATH": grading_kit.PYTHONPATH}
    subprocess.run([sys.executable, "-c", code], input=given, env=env, check=True, timeout=200)


def test_a_page_is_bounded_as_a_whole():
    """Two thousand cells of fifty thousand characters would be a page of minutes."""
    key = make_key("two-link", SOURCE, SOURCE, "seed")
    nb = key.notebook()
    nb.cells += [nbformat.v4.new_code_cell("x" * 40 + "\n" * 1000) for _ in range(2000)]
    verdicts = {name: {"points": 0.0, "most": 1.0, "sentences": []} for name in key.points}
    task._for_a_page(nb, key, "ada", verdicts, None)
    assert sum(len(cell.source) for cell in nb.cells) < 1.2 * task.MOST_PAGE


@pytest.mark.parametrize(("times", "kept"), [(1, True), (400, False)])
def test_a_photo_is_shown_in_a_long_text_and_not_without_end(times, kept):
    """It is left out where the time of a text is taken; shown hundreds of times it makes a page of gigabytes."""
    key = make_key("two-link", SOURCE, SOURCE, "seed")
    nb, text = key.notebook(), "words " * 400 + "![a](attachment:a.png) " * times
    nb.cells.append(nbformat.v4.new_markdown_cell(text, attachments={"a.png": {"image/png": "A" * 200_000}}))
    asked = SimpleNamespace(seconds_to_show=lambda text: np.inf if "attachment" in text else 0.0)
    task._for_a_page(nb, key, "ada", dict.fromkeys(key.points), asked)
    assert (nb.cells[-1].source == text) == kept


def test_texts_on_which_a_page_works_for_long_are_shown_as_written():
    """Markdown has texts whose reading takes the square of their length, or worse; all texts of a page have one bound."""
    asked, slow = [], "[[" * 25_000

    def seconds_to_show(text):
        asked.append(text)
        return np.inf if text == slow else task.MOST_SECONDS / 50

    key = make_key("two-link", SOURCE, SOURCE, "seed")
    for texts, shown in ((["words " * 400, slow, "words " * 400], 1), (["short " * 100] * 160, 70)):
        nb, given = key.notebook(), len(SOURCE.cells)
        nb.cells += map(nbformat.v4.new_markdown_cell, texts)
        task._for_a_page(nb, key, "ada", dict.fromkeys(key.points), SimpleNamespace(seconds_to_show=seconds_to_show))
        sources = [cell.source for cell in nb.cells[given:]]
        assert sources[:shown] == texts[:shown] and sources[-1].startswith("    ")
        for source, text in zip(sources, texts):  # in short lines, and no letter is lost
            assert source == text or "".join(line[4:] for line in source.split("\n")) == text
            assert source == text or max(map(len, source.split("\n"))) <= 4 + task.WIDTH
    assert asked[:2] == ["words " * 400, slow] and len(asked) < 2 + 60


def test_a_text_is_tried_on_the_page_that_a_teacher_opens(monkeypatch):
    """Which looks for links in it once more, after Markdown is through: the square of the length of a line of brackets."""
    from nbconvert.exporters.templateexporter import default_filters

    searched = []
    monkeypatch.setitem(default_filters, "strip_files_prefix", lambda text: searched.append(text) or text)
    judge.exporter_of_pages.cache_clear()
    assert judge.shown("[[ words") > 0
    judge.exporter_of_pages.cache_clear()
    assert "[[ words" in "".join(searched)


SQRT = "\\sqrt{"  # as a browser reads it; a hundred of them end its tab


@pytest.mark.parametrize(
    "text",
    [
        f"${SQRT * 100}1{'}' * 100}$",
        f"${(SQRT + '%}' + chr(10)) * 100}1{'}' * 100}$",
        rf"$\%{SQRT * 100}1{'}' * 100}$",
        f"${(SQRT + chr(92) + '}') * 100}1{'}' * 100}$",
        "$" + r"\left(" * 100 + r"\right)" * 100 + "$",
        "$" + r"\displaystyle " * 120 + "x$",
    ],
)
def test_a_formula_that_ends_the_tab_of_a_browser_is_shown_as_written(text):
    """As a text, which no script typesets; as an output it is not shown."""
    key = make_key("two-link", SOURCE, SOURCE, "seed")
    nb = key.notebook()
    nb.cells.append(nbformat.v4.new_markdown_cell(text))
    task._for_a_page(nb, key, "ada", dict.fromkeys(key.points), None)
    assert nb.cells[-1].source.startswith("    ") and not any(cell.source.startswith("    ") for cell in nb.cells[:-1])
    output = {"output_type": "display_data", "metadata": {}, "data": {"text/latex": text, "text/plain": "x"}}
    assert execute.showable_output(output)["data"] == {"text/plain": "x"}
    assert not is_deep(r"$\frac{a_{1}}{\sqrt{b^{2}}}$ and $\left\{x\right\}$, 5 % of $x^{2}$. " * 20)


@pytest.mark.parametrize(
    "text",
    [
        r"$\bbox[border: 3px double]{3 / 3}$", r"$\mmlToken{mi}[href='http://x.y']{a}$", r"$\enclose{box}[style='a']{b}$",
        r"$\renewcommand{\sin}{\cos}$", r"$\def\sin{\cos}$", r"$\let\sin\cos$", "&dollar;&bsol;href {a}{b}&dollar;",
    ],
)  # fmt: skip
def test_a_formula_draws_no_frame_links_nowhere_and_changes_no_command(text):
    """Which would hold for all formulas of the page; a grader's frame is typeset by nobody."""
    from nbconvert.filters import markdown2html, strip_files_prefix

    page = html.unescape(strip_files_prefix(markdown2html(harmless(text))))
    assert not re.search(r"\\(bbox|mmlToken|enclose|renewcommand|def|let|href)", page)
    assert harmless(r"$\left(\leq\right)\delta\frac{a}{b}$") == r"$\left(\leq\right)\delta\frac{a}{b}$"
    assert 'class="tex2jax_ignore"' in task.grader_box("$x$").data["text/html"]


# ---- secrets ----


def test_the_points_of_comparison_never_enter_the_sandbox():
    """A formula that was fitted to all that a notebook can know is wrong."""
    key = make_key("two-link", SOURCE, SOURCE, "seed")
    nb = graft(SOURCE, [], "ada", key.seed_of("ada"))
    whole = nbformat.writes(nb)
    assert key.seed_of("ada") in whole and key.points_seed_of("ada") not in whole
    assert key.points_seed_of("ada") != key.points_seed_of("bob") and key.seed_of("ada") not in key.points_seed_of(
        "ada"
    )


@pytest.mark.parametrize("text", ["10**400/10**400", "(10**400)*(10**-400)", "exp(800)/exp(800)"])
def test_what_overflows_is_not_wrong(text):
    """It waits for a person, or is right; what has no value is wrong."""
    for reference in ({"shape": [], "numbers": [1.0]}, {"shape": [], "text": ["q_1/q_1"]}):
        assert agree(reference, {"shape": [], "text": [text]}).holds is not False
        assert agree(reference, {"shape": [], "text": ["1/(2-2)"]}).holds is False


# ---- names and times ----


@pytest.mark.parametrize("name", ["_x.ipynb", "..._x.ipynb", ".ipynb", " _x.ipynb"])
def test_a_name_without_an_id_names_nobody(name):
    """Two such uploads are never taken for one student's."""
    assert student_of(name) is None


def test_a_notebook_that_clears_all_names_first_begins_afterwards():
    """`%reset -f` at the top took the numbers away that the first cell, which runs before all others, had made."""
    cleared = {"cell_type": "code", "source": "%reset -f", "metadata": {}}
    nb = graft(SOURCE, [cleared, *SOURCE.cells], "ada", "seed")
    sources = [cell.source for cell in nb.cells]
    begun = [number for number, source in enumerate(sources) if "check.begin" in source]
    assert len(begun) == 2 and begun[0] < sources.index("%reset -f") < begun[1]
    assert all("student='ada', seed='seed'" in sources[number] for number in begun)


def test_two_uploads_without_an_id_are_two(tmp_path):
    """Each waits for a word of the teacher."""
    course = Course(tmp_path / "course", new=True)
    (course.folder / "keys" / "two-link.json").write_text(
        make_key("two-link", SOURCE, SOURCE, "s").to_json(), encoding="utf-8"
    )
    (tmp_path / "up").mkdir()
    for name in ("_x.ipynb", "..._x.ipynb"):
        (tmp_path / "up" / name).write_text(json.dumps(grading_kit.solved()), encoding="utf-8")
    lines = intake(course, "two-link", tmp_path / "up")
    assert len({line["student"] for line in lines}) == 2 and not any(line["readable"] for line in lines)
    assert all("does not say whose" in line["why"] for line in lines)


def test_a_notebook_of_another_assignment_replaces_nothing(tmp_path):
    """Nor does an empty one, though newer and with questions of the same names; a lost id or a slip in a paste is no such."""
    course = Course(tmp_path / "course", new=True)
    (course.folder / "keys" / "two-link.json").write_text(
        make_key("two-link", SOURCE, SOURCE, "s").to_json(), encoding="utf-8"
    )
    other = grading_kit.SOURCE.parent.parent / "n-link" / "n-link.ipynb"
    bare = grading_kit.solved()
    for cell in bare["cells"]:
        cell["metadata"] = {}
        cell.pop("id")
    slip = json.loads(json.dumps(grading_kit.solved()).replace('begin(\\"two-link', 'begin(\\"n-link'))
    assert slip != grading_kit.solved()
    (tmp_path / "up").mkdir()
    uploads = [json.dumps(bare), json.dumps(slip), other.read_text(encoding="utf-8"), '{"cells": []}']
    for number, content in enumerate(uploads):
        (tmp_path / "up" / f"ada_{number}.ipynb").write_text(content, encoding="utf-8")
        os.utime(tmp_path / "up" / f"ada_{number}.ipynb", (1.5e9 + number, 1.5e9 + number))
    lines = intake(course, "two-link", tmp_path / "up")
    assert [line["readable"] for line in lines] == [True, True, False, False]
    assert lines[2]["why"] == "it is a notebook of 'n-link', not of 'two-link'"
    assert course.chosen("two-link")["ada"] == lines[1]


def test_a_time_is_taken_from_nbgraders_layout_alone(tmp_path):
    """A student may pack a timestamp.txt, too; the ledger says where a time comes from."""
    upload = tmp_path / "x.ipynb"
    upload.write_text("{}", encoding="utf-8")
    (tmp_path / "timestamp.txt").write_text("2001-01-01 00:00:00 UTC", encoding="utf-8")
    os.utime(upload, (1.5e9, 1.5e9))
    assert upload_time(upload) == ("2017-07-14T02:40:00+00:00", "the file; its timestamp.txt may be the student's own")
    assert upload_time(upload, nbgraders=True) == ("2001-01-01T00:00:00+00:00", "nbgrader's timestamp.txt")
    for zoned in ("2001-01-01 00:00:00 -05:00", "2001-01-01T10:30:00+05:30", "2001-01-01 05:00:00Z"):
        (tmp_path / "timestamp.txt").write_text(zoned, encoding="utf-8")
        assert upload_time(upload, nbgraders=True) == ("2001-01-01T05:00:00+00:00", "nbgrader's timestamp.txt"), zoned
    (tmp_path / "timestamp.txt").write_text("in time", encoding="utf-8")
    when, source = upload_time(upload, nbgraders=True)
    assert when == "2017-07-14T02:40:00+00:00"
    assert source.startswith("the file; nbgrader's timestamp.txt cannot be read: 'in time': it needs a year")
    (tmp_path / "timestamp.txt").write_text("2001-01-01 00:00:00 XYZ", encoding="utf-8")
    assert upload_time(upload, nbgraders=True)[1].startswith("nbgrader's timestamp.txt, XYZ taken as UTC: ")


def test_a_file_from_the_future_is_of_the_time_of_intake(tmp_path):
    """Else nothing that its student hands in later would count."""
    upload, later = tmp_path / "x.ipynb", time.time() + 1e8
    upload.write_text("{}", encoding="utf-8")
    os.utime(upload, (later, later))
    when, source = upload_time(upload)
    assert datetime.fromisoformat(when).timestamp() <= time.time()
    assert source == "intake: the file is of a time to come"


def test_a_time_that_a_student_packed_is_not_believed(tmp_path):
    """Also where a platform unpacks a zip into folders as nbgrader has them: only its own folder is nbgrader's."""
    course = Course(tmp_path / "course", new=True)
    (course.folder / "keys" / "two-link.json").write_text(
        make_key("two-link", SOURCE, SOURCE, "s").to_json(), encoding="utf-8"
    )
    found = {}
    for folder in (tmp_path / "up", course.nbgrader / "submitted"):
        place = folder / "ada" / "two-link"
        place.mkdir(parents=True)
        (place / "two-link.ipynb").write_text(json.dumps(grading_kit.solved()), encoding="utf-8")
        (place / "timestamp.txt").write_text("2001-01-01 00:00:00 UTC", encoding="utf-8")
        os.utime(place / "two-link.ipynb", (1.5e9, 1.5e9))
        (line,) = intake(course, "two-link", folder)
        found[folder.name] = line["time"][:4], line["time_from"]
        (course.folder / "ledger.jsonl").unlink()
    assert found == {
        "up": ("2017", "the file; its timestamp.txt may be the student's own"),
        "submitted": ("2001", "nbgrader's timestamp.txt"),
    }


# ---- what a teacher reads ----


def test_pictures_are_those_of_the_cell_alone():
    """No address outside is asked from the teacher's browser; formulas neither style nor load."""
    shown = harmless("![a](attachment:p.png) ![b](http://x/y.png) ![c][d] ![e](attachment:q.png)", {"p.png": {}})
    assert shown == "![a](attachment:p.png) ! [b](http://x/y.png) ! [c][d] ! [e](attachment:q.png)"
    assert "\\style" not in harmless(r"$\style{background:url(http://x/y)}{x}$")


@pytest.mark.parametrize("part", ["script", "onload='x()'", "href='http://x'", "style"])
def test_a_drawing_that_could_do_something_is_no_picture(part):
    """Of a pasted SVG only what is drawn is kept."""
    import base64

    made = {"plain": "<svg><path d='M0 0L1 1'/></svg>", "odd": f"<svg {part}><{part}>x</{part}></svg>"}
    held = {f"{name}.svg": {"image/svg+xml": base64.b64encode(text.encode()).decode()} for name, text in made.items()}
    nb = {"cells": [{"cell_type": "markdown", "source": "x", "metadata": {}, "attachments": held}]}
    assert list(cells_of(json.dumps(nb).encode())[0]["attachments"]) == ["plain.svg"]


PHOTOS = {"png": b"\x89PNG\r\n\x1a\n", "jpeg": b"\xff\xd8\xff\xe0", "gif": b"GIF89a", "webp": b"RIFF\0\0\0\0WEBPVP8 "}


@pytest.mark.parametrize("kind", PHOTOS)
@pytest.mark.parametrize(
    "text",
    ["![photo.x](data:image/{}) end", "![a](data:image/{} 'title') end", '<img width="9" src="data:image/{}"/> end'],
)
def test_a_photo_is_kept_that_is_written_into_the_text(kind, text):
    """As some programs paste it, whatever its size: a text of that length would be cut, and a link to data is none."""
    import base64

    photo = base64.b64encode(PHOTOS[kind] + bytes(300_000)).decode()
    nb = grading_kit.solved()
    next(cell for cell in nb["cells"] if cell["id"] == "explain")["source"] = text.format(f"{kind};base64,{photo}")
    made = graft(SOURCE, cells_of(json.dumps(nb).encode()), "ada", "seed")
    (cell,) = [cell for cell in made.cells if cell.metadata["robotdyn"]["role"] == "person"]
    ((name, held),) = cell.attachments.items()
    assert cell.source == f"![picture](attachment:{name}) end" and held == {f"image/{kind}": photo}


def test_a_photo_beside_an_answered_text_costs_nothing():
    """It stays where it is, and the notebook can be read: a cell with an attachment is a cell."""
    import base64

    nb, photo = grading_kit.solved(), {"image/png": base64.b64encode(PHOTOS["png"]).decode()}
    text = {"cell_type": "markdown", "source": "![x](attachment:x)", "metadata": {}, "attachments": {"x": photo}}
    next(cell for cell in nb["cells"] if cell["id"] == "explain")["source"] = "All of it turns."
    nb["cells"].insert(3, text)
    made = graft(SOURCE, cells_of(json.dumps(nb).encode()), "ada", "seed")
    (cell,) = [cell for cell in made.cells if "attachments" in cell]
    ((name, held),) = cell.attachments.items()
    assert cell.metadata["robotdyn"]["role"] == "text" and held == photo and f"attachment:{name}" in cell.source


def test_a_photo_takes_no_other_ones_name():
    """Nor does one that was attached vanish behind one that is written into the text."""
    import base64

    one, other = (base64.b64encode(PHOTOS["png"] + mark).decode() for mark in (b"one", b"other"))
    text = {"cell_type": "markdown", "metadata": {}, "attachments": {"picture-2": {"image/png": one}}}
    text["source"] = f"![a](attachment:picture-2) ![b](data:image/png;base64,{other})"
    (cell,) = cells_of(json.dumps({"cells": [text]}).encode())
    assert sorted(next(iter(kept.values())) for kept in cell["attachments"].values()) == sorted([one, other])
    shown = [cell["attachments"][name]["image/png"] for name in re.findall(r"attachment:([\w-]+)\)", cell["source"])]
    assert shown == [one, other]


NAMED = ["a.png", "\u00dcbung 3.png", "Photo (1).png", "IMG%202.png", "../../x"]


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize(
    "text", ["![a](<attachment:{}>)", "![a](attachment:{quoted} 'title')", '<img src="attachment:{}" width="400"/>']
)
def test_a_photo_is_shown_under_any_name(name, text):
    """Names with blanks, brackets or accents, escaped or not, and a tag that changes its size: each made a page fail or was a text."""
    import base64
    from urllib.parse import quote

    photo = {"image/png": base64.b64encode(PHOTOS["png"]).decode()}
    cell = {"cell_type": "markdown", "metadata": {}, "attachments": {name: photo}}
    nb = grading_kit.solved()
    nb["cells"].append(cell | {"source": text.format(name, quoted=quote(name))})
    made = graft(SOURCE, cells_of(json.dumps(nb).encode()), "ada", "seed")
    (cell,) = [cell for cell in made.cells if "attachments" in cell]
    assert (
        'src="data:image/png;base64,'
        in judge.exporter_of_pages().from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))[0]
    )


SPOKEN = "because the energy depends on q2 alone"


@pytest.mark.parametrize(
    "code", ["print('{}')", "answer = '{}'", "from IPython.display import Markdown\ndisplay(Markdown('{}'))"]
)
def test_words_that_a_cell_of_code_says_are_an_answer(code):
    """A question in words that was left open, and its answer printed or named in a new cell of code."""
    nb = grading_kit.solved()
    nb["cells"] = [cell for cell in nb["cells"] if cell.get("id") != "explain"]
    nb["cells"].append(grading_kit.code_cell(code.format(SPOKEN)))
    made = graft(SOURCE, cells_of(json.dumps(nb).encode()), "ada", "seed")
    (cell,) = [cell for cell in made.cells if cell.metadata["robotdyn"]["role"] == "person"]
    assert SPOKEN in cell.source


@pytest.mark.parametrize(
    "part",
    ["![a](data:image/png;base64,", "<img src='data:image/png;base64,", "![" * 100, "![](attachment:", "<img src="],
)
def test_a_search_for_photos_has_an_end(part):
    """None of them is one; a search that read on from each of 10,000 to the end would take minutes."""
    source = part + "A" * 500_000 + part * (300_000 // len(part))
    cells_of(json.dumps({"cells": [{"cell_type": "markdown", "source": source}]}).encode())


def test_a_long_temporary_folder_is_no_trouble(tmp_path):
    """Sockets lie in the sandbox, where paths are short; only without one the path must be."""
    assert len(f"/proc/{2**22}/root{sandbox.SOCKETS}/k-5") < 108 and len(sandbox.SOCKETS) < kernel.LONGEST


def test_a_stopped_command_says_that_it_goes_on(monkeypatch, capsys):
    """No traceback."""
    from coursework.grading import course

    def stopped(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr(course, "Course", stopped)
    assert main(["status", "two-link"]) == 130
    assert "the same command goes on" in capsys.readouterr().err


def test_an_unknown_reason_is_not_silence():
    """nbgrader puts what went wrong in one of two places."""
    assert reason_of({"success": False, "error": "Traceback\nKeyError: 'x'", "log": ""}).endswith("KeyError: 'x'")
    assert reason_of({"success": False}) == "it does not say why"


def test_a_release_that_fails_says_why_in_nbgraders_words(tmp_path):
    """Its error only points at the traceback above, which is in its log."""
    course = Course(tmp_path / "course", new=True)
    source = nbformat.read(grading_kit.SOURCE, as_version=4)
    broken = next(cell for cell in source.cells if "### END SOLUTION" in cell.source)
    broken.source = broken.source.replace("### END SOLUTION", "")
    nbformat.write(source, tmp_path / "two-link.ipynb")
    with pytest.raises(RuntimeError, match="no end solution statement found"):
        release(course, tmp_path / "two-link.ipynb")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can change to another user")
def test_a_python_that_the_user_cannot_read_is_told(tmp_path):
    """Not a traceback about a module that is missing."""
    tmp_path.chmod(0o700)
    (tmp_path / "python").touch()
    code = "import sys\nfrom coursework.__main__ import drop\ntry: drop('nobody', sys.argv[1:])\nexcept RuntimeError as error: print(error)"
    argv = [sys.executable, "-c", code, tmp_path / "python"]
    done = subprocess.run(argv, capture_output=True, text=True, check=True, cwd=grading_kit.ROOT)
    assert done.stdout.startswith(
        f"--user must name a user who can read Python and this package: nobody cannot read {tmp_path}"
    )
    assert "in no closed folder, such as /root" in done.stdout


@pytest.mark.parametrize(("share", "after"), [(0.0, 30), (0.5, 60), (0.9, 90)])
def test_the_time_of_a_cell_stands_still_while_others_have_the_processors(monkeypatch, share, after):
    """A starved machine is no fault of the notebook, which gets as much more time; three times its own is the end."""
    clock, ended = [0.0], []

    class Starved(kernel.Kernel):
        pid, reason = 1, None

        async def _message(self, channel, seconds):
            clock[0] += seconds
            raise kernel.Empty

        async def _reply(self, message):
            return None

        async def _interrupt(self, message):
            ended.append(clock[0])
            return "interrupted"

    async def alive():
        return True

    one = Starved(Limits())
    session = SimpleNamespace(msg=lambda *given, **more: {"header": {"msg_id": "a message"}})
    shell = SimpleNamespace(send=lambda message: None)
    one.client = SimpleNamespace(session=session, shell_channel=shell, iopub_channel=None)
    one.manager = SimpleNamespace(is_alive=alive)
    monkeypatch.setattr(kernel, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(kernel.watch, "waited", lambda pid: {(1, "1"): share * clock[0], (1, "2"): 0.0})
    asyncio.run(one._run("x", 30))
    assert ended == [pytest.approx(after, abs=1.0)]
    assert one.granted == pytest.approx(after - 30, abs=1.0)


def test_a_cell_that_waits_costs_the_others_no_time(monkeypatch):
    """The time of the whole stands still with that of a cell: those after it are run."""
    clock, cells = [0.0], [work_cell(str(number)) for number in range(4)]

    class Starved:
        """A kernel on a machine that gives it a third of the time."""

        granted, grown, cpu, bytes_kept = 0.0, 0, 0.0, 0

        def __init__(self, *given):
            pass

        async def __aenter__(self):
            return self

        async def __aexit__(self, *error):
            pass

        async def run(self, source, seconds):
            clock[0] += 3 * seconds
            self.granted += 2 * seconds
            return "interrupted: the time of a cell was over", []

    monkeypatch.setattr(execute, "Kernel", Starved)
    monkeypatch.setattr(execute, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    settings = settings_with(Limits(cell=30, submission=100))
    whole = asyncio.run(execute.Execution(settings, cells).run_all())
    assert [note for note in whole["notes"] if "not run" in note] == []
    assert clock[0] == pytest.approx(3 * 100)  # the last cell has the ten seconds that are left of its own hundred


@pytest.mark.parametrize(("waits", "run"), [(6.0, 30), (14.0, 18)])
def test_cells_that_wait_and_are_through_in_time_cost_no_time(monkeypatch, waits, run):
    """On a busy machine each cell is slow, none too slow: their waits are not the notebook's; three times its own is the end.

    A cell works for 3 s and waits for some more; thirty of them may take 100 s.  The 18th ends after 300 s.
    """
    clock, cells = [0.0], [work_cell(str(number)) for number in range(30)]

    class Busy(kernel.Kernel):
        pid, reason, granted = 1, None, 0.0

        async def __aenter__(self):
            return self

        async def __aexit__(self, *error):
            pass

        async def _run(self, source, seconds):
            clock[0] += 3.0 + waits
            return "done", []

        def _look(self):
            return None

    monkeypatch.setattr(execute, "Kernel", Busy)
    for module in (kernel, execute):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(kernel.watch, "waited", lambda pid: {(1, "1"): clock[0] * waits / (3.0 + waits)})
    settings = settings_with(Limits(cell=30, submission=100))
    asyncio.run(execute.Execution(settings, cells).run_all())
    assert clock[0] == pytest.approx(run * (3.0 + waits))


@pytest.mark.parametrize(("share", "after"), [(0.0, 30), (0.5, 60), (0.9, 90)])
def test_the_time_of_the_judge_stands_still_too(monkeypatch, share, after):
    """What it has to read and to judge is no longer on a busy machine."""
    clock, (silent, _) = [0.0], os.pipe()

    def passes(read, write, error, seconds):
        clock[0] += seconds
        return [], [], []

    one = judge.Judge()
    one.process = SimpleNamespace(pid=1, stdout=os.fdopen(silent, "rb"))
    monkeypatch.setattr(judge, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(judge, "select", SimpleNamespace(select=passes))
    monkeypatch.setattr(judge.watch, "waited", lambda pid: {(1, "1"): share * clock[0]})
    with pytest.raises(TimeoutError):
        one._receive(30)
    assert clock[0] == pytest.approx(after, abs=1.0)


def settings_with(limits, **changed):
    """What an execution is told."""
    return SimpleNamespace(**{
        "limits": limits, "fonts": None, "sandboxed": True, "hidden": (), "beside": {}, "released": (),
        "right": lambda question, data: True, **changed,
    })  # fmt: skip


def work_cell(name, question=None, role="work"):
    """A cell of a student's own, in front of a question or for one; of another role, the hand-in of a question."""
    cell = nbformat.v4.new_code_cell("1" if question is None else f"{role} {question}", id=name)
    cell.metadata["robotdyn"] = {"role": role, "question": question}
    return cell


def test_the_own_cells_of_a_question_are_not_left_out_to_save_it(monkeypatch):
    """A cell plants what ends the kernel where another question's function is called: without this function nothing is lost."""
    cells = [work_cell(f"{role}-{one}", one, role) for one in ("planted", "mine") for role in ("work", "answer")]

    class Mined:
        """A kernel that ends so."""

        granted, grown, cpu, bytes_kept = 0.0, 0, 0.0, 0

        def __init__(self, *given):
            self.ran = []

        async def renew(self):
            self.ran = []
            return True

        async def __aenter__(self):
            return self

        async def __aexit__(self, *error):
            pass

        async def run(self, source, seconds):
            self.ran.append(source)
            if {"work planted", "work mine", "answer mine"} <= {*self.ran}:
                return "dead: the kernel ended", []
            question = source.split()[1]
            handed = {"question": question, "data": {"numbers": [len(self.ran)]}}
            told = source.startswith("answer") and f"work {question}" in self.ran
            return "done", [{"output_type": "display_data", "data": {execute.MIME: handed}}] if told else []

    monkeypatch.setattr(execute, "Kernel", Mined)
    assert sorted(asyncio.run(execute.Execution(settings_with(Limits()), cells).run_all())["answers"]) == [
        "mine",
        "planted",
    ]


def test_the_wait_of_each_thread_is_counted():
    """By the system, where it counts it: seconds that were not this thread's."""
    with open(f"/proc/{os.getpid()}/task/{os.getpid()}/schedstat", encoding="ascii") as file:
        before = int(file.read().split()[1]) / 1e9
    assert before <= watch.waited(os.getpid())[os.getpid(), str(os.getpid())] <= 1e6


def test_processes_of_its_own_are_no_others():
    """A fork bomb waits for itself: its time runs on."""
    before = watch.waited(os.getpid())
    mine = os.getpid(), str(os.getpid())
    assert watch.starved(os.getpid(), {**before, mine: before[mine] - 5}) >= 5
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert watch.starved(os.getpid(), {**before, mine: before[mine] - 5}) == 0
        child.communicate(b"\n")


def test_podman_without_newuidmap_says_what_to_install(monkeypatch, tmp_path, capsys):
    """Its own words name a file that nobody knows."""
    (tmp_path / "course.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "newuidmap" else f"/usr/bin/{name}")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    assert main(["run", "two-link", "--course", str(tmp_path), "--container", "x"]) == 1
    assert "apt install uidmap" in capsys.readouterr().err
