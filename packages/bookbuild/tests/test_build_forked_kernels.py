"""A forked kernel is what a kernel of its own would be, but for the time that its imports take."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest
from jupyter_client.manager import KernelManager
from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner

from bookbuild import forked_kernels, run_notebooks

pytestmark = pytest.mark.skipif(not forked_kernels.can_follow_processes(), reason="this system forks no kernels")
SAYS = (
    "import json, os, sys, threading\n"
    "loaded = sorted({'sympy', 'robotdyn', 'matplotlib', 'pytest'} & set(sys.modules))\n"
    "print(json.dumps([os.getpid(), os.getcwd(), sys.path, os.environ.get('TOLD'), loaded, 'seen' in globals()]))\n"
    "seen = True"
)


@pytest.fixture
def forked(monkeypatch):
    """Kernels of this process are forked."""
    monkeypatch.setattr(KernelProvisionerFactory.instance(), "default_provisioner_name", forked_kernels.NAME)


def printed_by_kernel(folder):
    """Run a notebook in a folder; return what its cell printed."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(SAYS)])
    result = run_notebooks.run(notebook, folder)
    assert result.err is None, result.exc_string
    return json.loads(notebook.cells[0].outputs[0].text)


def test_a_fork_is_a_kernel_of_its_own(forked, tmp_path, monkeypatch):
    """It has the folder, the variables and the module path that it would have alone, and nothing of the kernel before."""
    monkeypatch.setenv("TOLD", "first")
    first = printed_by_kernel(tmp_path)
    monkeypatch.setenv("TOLD", "second")
    second = printed_by_kernel(Path.cwd())
    monkeypatch.setattr(KernelProvisionerFactory.instance(), "default_provisioner_name", "local-provisioner")
    alone = printed_by_kernel(tmp_path)
    assert first[0] != second[0]
    assert first[1:4] == [str(tmp_path), alone[2], "first"] and second[3] == "second"
    assert second[5] is False, "a name of the first kernel is there in the second"
    assert {"sympy", "robotdyn", "matplotlib"} <= set(first[4]) and "pytest" not in first[4]
    assert "robotdyn" not in alone[4]


def drawn_by_kernel(folder):
    """Run a notebook that draws twice in a folder; return what its cells show."""
    cells = ["import matplotlib.pyplot as plt\nplt.plot([1, 2]);", "plt.plot([2, 1])\nplt.show()"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    result = run_notebooks.run(notebook, folder)
    assert result.err is None, result.exc_string
    return [[output.data for output in cell.outputs] for cell in notebook.cells]


def test_a_fork_shows_the_pictures_that_a_kernel_of_its_own_shows(forked, tmp_path, monkeypatch):
    """The process that forks imports no module that looks for the kernel when it is imported."""
    monkeypatch.delenv("MPLBACKEND", raising=False)  # other tests may have asked for one without a screen
    fork = drawn_by_kernel(tmp_path)
    monkeypatch.setattr(KernelProvisionerFactory.instance(), "default_provisioner_name", "local-provisioner")
    assert fork == drawn_by_kernel(tmp_path)
    assert [["image/png" in data for data in shown] for shown in fork] == [[True], [True]]


def test_a_fork_that_is_killed_has_ended(forked, tmp_path):
    """The manager sees a kernel live, be interrupted, and die; it can be restarted."""
    manager = KernelManager(kernel_name="python3", transport="ipc", ip=str(tmp_path / "k"))
    manager.start_kernel(cwd=str(tmp_path), stderr=subprocess.DEVNULL)
    client = manager.client()
    client.start_channels()
    try:
        assert isinstance(manager.provisioner, forked_kernels.ForkedProvisioner)
        client.wait_for_ready(timeout=60)
        asked = client.execute("import time\ntime.sleep(60)")
        time.sleep(0.3)
        manager.interrupt_kernel()
        reply = next(
            x for x in iter(lambda: client.get_shell_msg(timeout=30), None) if x["parent_header"]["msg_id"] == asked
        )
        assert reply["content"]["ename"] == "KeyboardInterrupt"
        before = manager.provisioner.pid
        os.kill(before, 9)
        end = time.monotonic() + 10
        while manager.is_alive() and time.monotonic() < end:
            time.sleep(0.05)
        assert not manager.is_alive()
        manager.restart_kernel(now=True)
        client.wait_for_ready(timeout=60)
        assert manager.is_alive() and manager.provisioner.pid != before
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_forks_end_with_who_asked_for_them(tmp_path):
    """Where the process that runs notebooks is killed, no kernel stays."""
    program = (
        "import os, sys\nfrom jupyter_client.manager import KernelManager\nfrom bookbuild.forked_kernels import use_forked_kernels\n"
        f"use_forked_kernels()\nmanager = KernelManager(kernel_name='python3', transport='ipc', ip={str(tmp_path / 'k')!r})\n"
        "manager.start_kernel()\nprint(manager.provisioner.pid, flush=True)\nsys.stdin.read()"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    pid = int(process.stdout.readline())
    assert Path(f"/proc/{pid}").exists()
    process.kill()
    process.wait()
    process.stdin.close()
    process.stdout.close()
    end = time.monotonic() + 20
    while Path(f"/proc/{pid}").exists() and time.monotonic() < end:
        time.sleep(0.1)
    assert not Path(f"/proc/{pid}").exists()


def test_another_interpreter_is_started_as_ever(forked, monkeypatch):
    """A command that is not this interpreter's kernel goes to Jupyter's own way."""
    seen = []

    async def launch(self, cmd, **kwargs):
        seen.append(cmd)
        return {}

    monkeypatch.setattr(LocalProvisioner, "launch_kernel", launch)
    from jupyter_core.utils import run_sync

    provisioner = forked_kernels.ForkedProvisioner()
    for command in (
        ["/another/python", "-m", "ipykernel_launcher", "-f", "x"],
        [sys.executable, "other.py", "-f", "x"],
    ):
        run_sync(provisioner.launch_kernel)(command, env={})
        assert seen[-1] == command


def test_where_processes_cannot_be_followed_kernels_start_as_ever(monkeypatch):
    """A container that forbids the call, or another system, costs time alone."""

    def forbidden(pid):
        raise PermissionError

    factory = KernelProvisionerFactory.instance()
    monkeypatch.setattr(factory, "default_provisioner_name", "local-provisioner")
    with monkeypatch.context() as forbid:
        forbid.setattr(os, "pidfd_open", forbidden)
        forked_kernels.use_forked_kernels()
    assert factory.default_provisioner_name == "local-provisioner"
    forked_kernels.use_forked_kernels()
    assert factory.default_provisioner_name == forked_kernels.NAME
