"""The processes of one command, known by a tag wherever they went, and ended together."""

import os
import secrets
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from .lookup import find_bash

try:
    import resource
except ImportError:  # there is none on Windows, and no bash either
    resource = None  # type: ignore[assignment]

MAX_FILE_KIB = 2**20  # KiB that a command may write into one file: 1 GiB


class ProcessTag:
    """How the processes of one command are known, wherever they went.

    A daemon leaves its group, its session and its parent, and may wash its environment. But it
    keeps its limits. A command gets a limit on the size of its files anyway, so each gets one of
    its own, and on Linux /proc tells who has it. (To adopt daemons as a "child subreaper" is no
    choice: it would adopt those of everything else that runs in this Python.) Who sets out to
    escape can, by another limit; out of the sandbox's process namespace it cannot.
    """

    def __init__(self):
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        top = MAX_FILE_KIB if hard == resource.RLIM_INFINITY else min(MAX_FILE_KIB, hard // 1024)
        self.hard = top - 1 - secrets.randbelow(max(1, top // 4))  # in KiB, as ulimit counts
        self.soft = self.hard - secrets.randbelow(max(1, self.hard // 4))

    def wrap(self, arguments: list[str]) -> list[str]:
        """The arguments of a process that limits itself, then becomes the one that is wanted."""
        limit = f"{{ ulimit -c 0; ulimit -f {self.hard}; ulimit -Sf {self.soft}; }} 2>/dev/null"
        return [find_bash(), "-c", f'{limit}; exec "$@"', "bash", *arguments]

    def kill_all(self, process: subprocess.Popen) -> None:
        """Kill the process, its group, and all that have the mark; return when they are gone."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        give_up = time.monotonic() + 5
        while (found := self.pids()) and time.monotonic() < give_up:
            for pid in found:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.002)
        process.wait()

    def pids(self) -> list[int]:
        """The processes that have the mark and are alive; none where there is no /proc."""
        soft, hard = self.soft * 1024, self.hard * 1024
        line = f"{'Max file size':<25} {soft:<20} {hard:<20} bytes".encode()
        pids = []
        for pid in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else ()):
            with suppress(OSError):
                if line in Path("/proc", pid, "limits").read_bytes():
                    state = Path("/proc", pid, "stat").read_bytes().rpartition(b")")[2].split()[0]
                    pids += [int(pid)] if state not in (b"Z", b"X") else []
        return pids
