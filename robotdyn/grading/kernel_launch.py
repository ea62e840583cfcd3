"""Runs inside the sandbox, before any student's code: sets hard limits that cannot be raised again, starts the kernel."""

import resource
import runpy
import sys


def main():
    """Take processes, memory, file size and CPU seconds from the command line, then become ipykernel."""
    limits = [int(word) for word in sys.argv[1:5]]
    kinds = (resource.RLIMIT_NPROC, resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_CPU)
    for kind, limit in zip(kinds, limits):
        resource.setrlimit(kind, (limit, limit))
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.argv[1:5] = []
    sys.path[:] = [entry for entry in sys.path if not entry.endswith("robotdyn/grading")]
    from ipykernel.zmqshell import ZMQInteractiveShell

    ZMQInteractiveShell.keepkernel_on_exit = True  # quit() ends a cell, not the cells of other questions
    runpy.run_module("ipykernel_launcher", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
