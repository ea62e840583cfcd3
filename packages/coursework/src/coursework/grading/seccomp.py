"""The list of system calls that a sandbox refuses, as a BPF program for bubblewrap.

Refused is what would give memory that no limit counts (memfd_create, shmget), another namespace or mount, a look into
other processes, sockets of other families than a notebook needs, a part of the kernel that no notebook needs, or what
the system counts for a user or for the whole machine (watches of files, queues of messages, asynchronous reads, buffers
of TCP): one notebook could take all of it from the teacher.
"""

from __future__ import annotations

import platform
import struct

# where: refuse a system call to graded notebooks
# its numbers: x86-64, aarch64
CALLS = {
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "mount": (165, 40),
    "umount2": (166, 39), "pivot_root": (155, 41), "unshare": (272, 97), "setns": (308, 268), "clone3": (435, 435),
    "fsopen": (430, 430), "fsmount": (432, 432), "open_tree": (428, 428), "move_mount": (429, 429),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "bpf": (321, 280),
    "userfaultfd": (323, 282), "perf_event_open": (298, 241), "keyctl": (250, 219), "add_key": (248, 217),
    "request_key": (249, 218), "io_uring_setup": (425, 425), "msgget": (68, 186), "semget": (64, 190),
    "kexec_load": (246, 104), "open_by_handle_at": (304, 265),
    "inotify_init": (253, 26), "inotify_init1": (294, 26), "fanotify_init": (300, 262), "mq_open": (240, 180),
    "io_setup": (206, 0),
}  # fmt: skip
# the call; local and netlink: no way to the host of a virtual machine, and no IPv4 or IPv6, even to itself
SOCKET = (41, 198)
FAMILIES = (1, 16)
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
ALLOW = 0x7FFF0000
KILL = 0x80000000
EPERM = 0x00050001
ENOSYS = 0x00050026


def program(machine: str | None = None) -> bytes | None:
    """Return the BPF program for a machine, or None for one that is not known."""
    if (machine or platform.machine()) not in MACHINES:
        return None
    column, architecture = MACHINES[machine or platform.machine()]
    load = 0x20
    equal = 0x15
    above = 0x35
    end = 0x06
    refused = [(numbers[column], ENOSYS if name == "clone3" else EPERM) for name, numbers in CALLS.items()]
    lines = [(load, 0, 0, 4), (equal, 1, 0, architecture), (end, 0, 0, KILL), (load, 0, 0, 0)]
    lines += [(above, 0, 1, 0x40000000), (end, 0, 0, EPERM)]  # the x32 names of the same calls
    for number, action in refused:
        lines += [(equal, 0, 1, number), (end, 0, 0, action)]
    lines += [(equal, 0, len(FAMILIES) + 3, SOCKET[column]), (load, 0, 0, 16)]  # its first argument
    lines += [(equal, len(FAMILIES) - i, 0, family) for i, family in enumerate(FAMILIES)]
    lines += [(end, 0, 0, EPERM), (end, 0, 0, ALLOW), (end, 0, 0, ALLOW)]
    return b"".join(struct.pack("HBBI", *line) for line in lines)
