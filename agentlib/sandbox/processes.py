"""The processes of one command: known by a tag wherever they went, counted, and ended together."""

import ctypes
import os
import platform
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path

from .import_guard import find_bash

try:
    import resource
except ImportError:  # there is none on Windows, and no bash either
    resource = None  # type: ignore[assignment]  # find_bash() has refused before it is used


def machine_memory_bytes() -> int:
    """How much memory this machine has; a great deal, where it does not say."""
    if not hasattr(os, "sysconf"):
        return sys.maxsize
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


MAX_FILE_KIB = 2**20  # that a command may write into one file: 1 GiB
MAX_MEMORY_BYTES = min(2**32, machine_memory_bytes() // 2)  # for one process, and for all
MAX_PROCESSES = 500
MIN_FREE_DISK_BYTES = 2**30  # that a command must leave on the workspace's disk
KILL_SECONDS = 5  # that processes which keep starting others are hunted


class ProcessTag:
    """How the processes of one command are known, wherever they went.

    A daemon may leave its group, session and parent, and clear its environment, but it keeps its
    resource limits. A command gets a limit on the size of its files anyway, so each gets one of
    its own, and on Linux /proc tells who has it. (A "child subreaper", which adopts daemons, would
    adopt those of everything else that runs in this Python.) A process that sets a limit of its own
    escapes; it cannot escape the sandbox's process namespace.
    """

    def __init__(self) -> None:
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        top = MAX_FILE_KIB if hard == resource.RLIM_INFINITY else min(MAX_FILE_KIB, hard // 1024)
        self.hard = top - 1 - secrets.randbelow(max(1, top // 4))  # in KiB, as ulimit counts
        self.soft = self.hard - secrets.randbelow(max(1, self.hard // 4))

    def wrap(self, arguments: list[str]) -> list[str]:
        """The arguments of a process that limits itself, then becomes the one that is wanted."""
        # Data, and not all address space: Node.js and Java reserve far more of that than they use.
        limits = [
            "ulimit -c 0",
            f"ulimit -d {MAX_MEMORY_BYTES // 1024}",
            f"ulimit -f {self.hard}",
            f"ulimit -Sf {self.soft}",
        ]
        script = f'{{ {"; ".join(limits)}; }} 2>/dev/null; exec "$@"'
        return [find_bash(), "-c", script, "bash", *arguments]

    def pids(self) -> list[int]:
        """The processes that have the tag and are alive; none where there is no /proc."""
        soft, hard = self.soft * 1024, self.hard * 1024
        line = f"{'Max file size':<25} {soft:<20} {hard:<20} bytes".encode()
        pids = []
        for pid in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else ()):
            with suppress(OSError):
                if line in Path("/proc", pid, "limits").read_bytes() and not is_dead(pid):
                    pids.append(int(pid))
        return pids

    def kill_all(self, process: subprocess.Popen[bytes]) -> None:
        """Kill the process, its group, and all that have the tag; return when they are gone."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        give_up = time.monotonic() + KILL_SECONDS
        while (pids := self.pids()) and time.monotonic() < give_up:
            for pid in pids:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.002)
        process.wait()


def is_dead(pid: str) -> bool:
    """Whether a process has ended, and only waits for its parent to notice. Raises OSError."""
    state = Path("/proc", pid, "stat").read_bytes().rpartition(b")")[2].split()[0]
    return state in (b"Z", b"X")


def descendants(pid: int) -> set[int]:
    """The processes that `pid` started, directly or not; in a sandbox, that is all there are."""
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        for children in Path("/proc", str(waiting.pop()), "task").glob("*/children"):
            with suppress(OSError):  # it has ended
                new = set(map(int, children.read_text().split())) - found
                found |= new
                waiting += new
    return found


def memory_bytes(pids: Iterable[int]) -> int:
    """The memory that these processes have to themselves."""
    pages = 0
    for pid in pids:
        with suppress(OSError):  # it has ended
            _, resident, shared, *_ = Path("/proc", str(pid), "statm").read_text().split()
            pages += int(resident) - int(shared)
    return pages * os.sysconf("SC_PAGE_SIZE")


def free_disk_bytes(folder: Path) -> int:
    """How much can still be written on the disk of `folder`; no end of it, where that is gone."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return sys.maxsize


class Allowance:
    """What one command may use of the machine: processes, memory, and the disk of its folder.

    It is looked at now and then, so a command can have more for a moment.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # On a disk that is nearly full already, a command may have half of what is left.
        self.least_free = min(MIN_FREE_DISK_BYTES, free_disk_bytes(folder) // 2)

    def excess(self, pids: Collection[int]) -> str | None:
        """What the processes `pids` use too much of, as half a sentence, or None."""
        if len(pids) > MAX_PROCESSES:
            return f"it had more than {MAX_PROCESSES} processes"
        if memory_bytes(pids) > MAX_MEMORY_BYTES:
            return f"it used more than {MAX_MEMORY_BYTES // 2**20:,} MiB of memory"
        if free_disk_bytes(self.folder) < self.least_free:
            return f"it left less than {self.least_free // 2**20:,} MiB free on the disk"
        return None


KEYCTL = {"x86_64": 250, "aarch64": 219}  # the number of this system call
JOIN_SESSION_KEYRING = 1


def leave_session_keyring() -> None:
    """Give this thread, and what it starts, an empty keyring: the other may hold a login's keys.

    It does what it can: where the kernel refuses, the keyring stays.
    """
    number = KEYCTL.get(platform.machine())
    if sys.platform == "linux" and number:
        ctypes.CDLL(None).syscall(number, JOIN_SESSION_KEYRING, None)
