"""Run commands in the sandbox of bubblewrap: they see little, and can write in one folder."""

import os
import re
import site
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from .import_guard import find_program, home_folders
from .processes import command_environment

MAX_FOLDER_BYTES = 2**28  # 256 MiB of memory, for each temporary folder: /tmp, home, ...
PROBE_SECONDS = 60  # far more than bubblewrap takes on the busiest machine
# Errors of bubblewrap if the system forbids it, or if this version does not know an option. Inside
# a sandbox that does not allow a second one, the error is "nesting depth … exceeded".
REFUSALS = (
    "no permission|not permitted|permission denied|read-only|not supported|unknown option"
    "|nesting depth"
)
BOXED = (
    "Commands run in a sandbox: they can write only in their folder, have no network, do not see "
    "your home folder, and cannot install into this Python."
)
FREE = "Commands run without a sandbox{}: they can do whatever you can do."
FAILED = "The sandbox failed, so nothing was run ({}): try again."
# Errors of bubblewrap if a place that it shall hide has vanished since the places were listed, such
# as another program's temporary folder. The next list does not have this place.
VANISHED = "can't (mkdir|create file)"
# This file contains 1 if AppArmor forbids what bubblewrap needs, which is Ubuntu's default since
# 24.04. Since 25.04, Ubuntu has a profile that allows it: docs/install.md.
APPARMOR = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
ATTEMPTS = 5  # a place vanishes rarely: after so many in a row, something else is wrong


class RefusedError(Exception):
    """Raised if bubblewrap may not be used on this system, or not with these options."""


class VanishedError(OSError):
    """Raised if bubblewrap has failed because a place that it shall hide has vanished."""


def sandbox_arguments(folder: Path, network: bool, read_only: Sequence[Path] = ()) -> list[str]:
    """Return what to put before a command so that it runs in bubblewrap and can write to `folder`.

    The disk is read-only. The hidden folders are empty folders in memory, except for Python and
    `folder`. What only root can read is hidden as well. The command has its own PID namespace,
    which ends with it, no capabilities (so root cannot undo this), and no network unless `network`
    is True. `read_only` are paths in `folder`. Raise FileNotFoundError if bubblewrap is not
    installed.
    """
    bwrap = find_program("bwrap")
    if bwrap is None:
        raise FileNotFoundError("bubblewrap is not installed.")
    private = [place for place in private_places() if place.exists()]
    hidden = [*hidden_folders(), *filter(Path.is_dir, private)]
    options = [bwrap, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL"]
    if network:
        options += ["--share-net"]
    if accepts(bwrap, "--unshare-user", "--disable-userns"):
        options += ["--unshare-user", "--disable-userns"]  # no root in a nested user namespace
    options += ["--ro-bind", "/", "/", "--dev", "/dev"]
    options += [*empty_folder(bwrap, "/dev/shm"), "--remount-ro", "/dev"]
    options += ["--proc", "/proc"]
    options += ["--ro-bind", "/proc/sys", "/proc/sys"]  # root could change the kernel's settings
    for place in hidden:
        options += empty_folder(bwrap, str(place))
    for place in filter(Path.is_file, private):
        options += ["--ro-bind", os.devnull, str(place)]
    for place in needed_places(network):
        if any(parent in hidden for parent in place.parents):
            options += ["--ro-bind-try", str(place), str(place)]
    options += ["--unsetenv", "TMPDIR"]
    options += ["--bind", str(folder), str(folder)]
    for place in read_only:
        options += ["--ro-bind-try", str(place), str(place)]
    return [*options, "--chdir", str(folder), "--"]


def hidden_folders() -> list[Path]:
    """Return the folders that are empty in the sandbox: they contain private files and sockets.

    Other disks are mounted in /media and /mnt, such as the home folder of Windows under WSL.
    """
    names = ("/media", "/mnt", "/tmp", "/run", "/var/run", *home_folders())
    places = {Path(name).resolve() for name in names}
    return [place for place in sorted(places) if place.is_dir() and place != Path("/")]


def private_places() -> list[Path]:
    """Return the files and folders in /etc and /var that only root can read, if this is root.

    They contain the machine's passwords and keys. Any other user cannot read them anyway. The
    search is repeated for each command, because a file may be new. It takes some 30 milliseconds.
    """
    find = find_program("find")
    if os.geteuid() != 0 or not find:
        return []
    # Three folders deep, on one disk, without symlinks, and not inside a folder that matches.
    tests = ["-xdev", "-maxdepth", "3", "!", "-type", "l", "!", "-perm", "-004"]
    command = [find, "/etc", "/var", *tests, "-print0", "-prune"]
    output = subprocess.run(command, env=command_environment(), capture_output=True).stdout
    return [Path(os.fsdecode(name)) for name in output.split(b"\0") if name]


def needed_places(network: bool) -> list[Path]:
    """Return the files and folders that a command needs, even if they are in a hidden folder."""
    places = {Path("/run/current-system")}  # the programs of NixOS
    if network:
        places.add(Path("/etc/resolv.conf").resolve())  # usually a file in /run
    for name in (sys.prefix, sys.base_prefix, site.getusersitepackages()):
        # The prefix of a Python that was started as ../.venv/bin/python contains the dots.
        places |= {Path(os.path.abspath(name)), Path(name).resolve()}
    return sorted(places)


def empty_folder(bwrap: str, place: str) -> list[str]:
    """Return the options for an empty folder in memory, with a size limit if bwrap has one."""
    if accepts(bwrap, "--size", "4096", "--tmpfs", "/tmp"):
        return ["--size", str(MAX_FOLDER_BYTES), "--tmpfs", place]
    return ["--tmpfs", place]


@cache
def accepts(bwrap: str, *options: str) -> bool:
    """Return whether this version of bubblewrap knows `options` and may use them here."""
    with suppress(RefusedError):
        try_sandbox([bwrap, *options, "--ro-bind", "/", "/", "--", "true"])
        return True
    return False


def sandbox_works() -> bool:
    """Return whether bubblewrap is installed and may be used; some systems forbid it.

    Raise OSError if it fails in any other way. The next call then tries again.
    """
    with suppress(RefusedError):
        return start_once(find_program("bwrap"))
    return False


def explain_missing() -> str:
    """Return why the sandbox does not work here. Call it only if `sandbox_works` returned False."""
    if sys.platform != "linux":
        return "it is available only on Linux"
    if not find_program("bwrap"):
        return "bubblewrap is not installed"
    with suppress(OSError):
        if APPARMOR.read_text() == "1\n":
            return (
                "AppArmor does not allow bubblewrap here, as on Ubuntu 24.04: docs/install.md says "
                "how to load the profile that does"
            )
    return "bubblewrap may not be used on this system"


@cache  # without the exceptions: a failure that has passed must not switch the sandbox off
def start_once(bwrap: str | None) -> bool:
    """Start a sandbox if there is a `bwrap`. Raise as `try_sandbox` does."""
    if not bwrap:
        return False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for _ in range(ATTEMPTS - 1):
            with suppress(VanishedError):
                try_sandbox([*sandbox_arguments(folder, network=False), "true"])
                return True
        try_sandbox([*sandbox_arguments(folder, network=False), "true"])
    return True


def try_sandbox(command: list[str]) -> None:
    """Run `command`, which starts bubblewrap. Raise RefusedError if the system does not allow that.

    Raise VanishedError if a place has vanished, and OSError for every other failure, such as too
    many open files, too many processes, or a signal.
    """
    try:
        done = subprocess.run(
            command,
            env=command_environment(),  # no keys, and no PATH that leads into a workspace
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PROBE_SECONDS,
            encoding="utf-8",
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        raise TimeoutError(
            f"The sandbox did not start within {PROBE_SECONDS} seconds, so nothing was run: "
            "try again when this machine is less busy."
        ) from None
    except OSError as problem:
        raise OSError(FAILED.format(problem.strerror)) from None
    if done.returncode == 0:
        return
    error = done.stderr.strip() or f"exit code {done.returncode}"
    # First, because such an error may end with "Read-only file system", as a refusal does.
    if re.search(VANISHED, error, re.IGNORECASE):
        raise VanishedError(FAILED.format(error))
    if re.search(REFUSALS, error, re.IGNORECASE):
        raise RefusedError(error)
    raise OSError(FAILED.format(error))
