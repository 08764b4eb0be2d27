"""Prepare and end the process of a command: its environment, its resource limits, its group."""

import os
import signal
import subprocess
import sys
from contextlib import suppress

from .import_guard import find_bash, outside_only

INHERITED = ("HOME", "USER", "LOGNAME", "TMPDIR", "TZ")
MAX_FILE_KIB = 2**20  # 1 GiB: the size that one file of a command may have
MAX_MEMORY_KIB = 2**22  # 4 GiB: far more than tests and builds of a small project need


def command_environment(as_user: bool = False) -> dict[str, str]:
    """Return the environment variables of a command: no keys, and this Python first on PATH.

    With `as_user`, the user's own PATH comes first, unchanged.
    """
    kept = {name: os.environ[name] for name in INHERITED if name in os.environ}
    libraries = outside_only(os.environ.get("LD_LIBRARY_PATH", ""))
    if libraries:
        kept["LD_LIBRARY_PATH"] = libraries
    programs = outside_only(os.environ.get("PATH", os.defpath))
    python = os.path.dirname(os.path.abspath(sys.executable)) if sys.executable else ""
    path = [os.environ.get("PATH", os.defpath), python] if as_user else [python, programs]
    return kept | {
        "PATH": os.pathsep.join(filter(None, path)),
        # One language and no colours, so that a command prints the same on every machine.
        "LC_ALL": "C.UTF-8" if sys.platform == "linux" else "en_US.UTF-8",
        "TERM": "dumb",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def limited(arguments: list[str], alive: int) -> list[str]:
    """Return the arguments of a process that sets its resource limits, then runs `arguments`.

    The limits of one process are: no core dump, its memory, and the size of a file. `alive` is the
    reading end of a pipe, and only this Python has the other end. If Python ends, even by a signal,
    the pipe ends, and then a process of the group kills the group. That process is not a child of
    the command, because a command may wait until all of its children have ended.
    """
    # -d limits data, not address space (-v): Node.js and Java reserve far more than they use.
    limits = f"ulimit -c 0; ulimit -d {MAX_MEMORY_KIB}; ulimit -f {MAX_FILE_KIB}"
    watch = f"( {{ read -r <&{alive}; kill -9 0; }} >/dev/null 2>&1 & ); exec {alive}<&-"
    begin = f'{{ {limits}; }} 2>/dev/null; {watch}; exec "$@"'
    return [find_bash(), "-c", begin, "bash", *arguments]


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill `process` and its process group, and wait until it has ended.

    In the sandbox this ends every process of the command: bubblewrap is in the group, and its
    PID namespace ends with it. Without the sandbox, a process that has called setsid is missed.
    """
    with suppress(ProcessLookupError, PermissionError):  # all of them have ended
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
