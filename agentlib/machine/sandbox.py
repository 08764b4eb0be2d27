"""bubblewrap: what a command sees of the machine, and what it may change."""

import site
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from .lookup import find_program, home_folders


def arguments(folder: Path, network: bool, read_only: Sequence[Path] = ()) -> list[str]:
    """What to put before a command so that bubblewrap runs it, with `folder` as its own.

    The disk is there to read, `folder` to write. Instead of the home folder, /tmp and /run
    (whose sockets lead out) there are empty ones, but for Python and `folder` where they lie
    there. Without capabilities, root cannot undo it. `read_only` are places in `folder`.
    Raises FileNotFoundError where there is no bubblewrap.
    """
    bwrap = find_program("bwrap")
    if bwrap is None:
        raise FileNotFoundError("bubblewrap is not installed.")
    hidden = {Path(place).resolve() for place in ("/tmp", "/run", *home_folders())}
    hidden = [place for place in sorted(hidden) if place.is_dir() and place != Path("/")]
    seen = {Path("/run/current-system")}  # where NixOS has its programs
    if network:
        seen.add(Path("/run/systemd/resolve"))  # what /etc/resolv.conf leads to
    for place in (sys.prefix, sys.base_prefix, site.getusersitepackages()):
        seen |= {Path(place), Path(place).resolve()}
    options = [bwrap, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL"]
    options += ["--share-net"] if network else []
    options += ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    options += ["--ro-bind", "/proc/sys", "/proc/sys"]  # the kernel's settings are open to root
    for place in hidden:
        options += ["--tmpfs", str(place)]
    for place in sorted(seen):
        if any(hide in place.parents for hide in hidden):
            options += ["--ro-bind-try", str(place), str(place)]
    options += ["--unsetenv", "TMPDIR", "--bind", str(folder), str(folder)]
    options += locked(folder, read_only)
    return [*options, "--chdir", str(folder), "--"]


def locked(folder: Path, places: Sequence[Path]) -> list[str]:
    """bwrap's arguments that make `places` in `folder` read-only.

    Each folder on the way is mounted on itself, because a mount cannot be renamed: otherwise a
    command could move the folder around a place, and put another in its stead.
    """
    on_the_way = {step for place in places for step in place.parents if folder in step.parents}
    options: list[str] = []
    for step in sorted(on_the_way):
        options += ["--bind-try", str(step), str(step)]
    for place in places:
        options += ["--ro-bind-try", str(place), str(place)]
    return options


@cache
def works() -> bool:
    """Whether bubblewrap is there and may be used; on some systems it is there and may not."""
    try:
        trial = [*arguments(Path(tempfile.gettempdir()).resolve(), False), "true"]
        return subprocess.run(trial, capture_output=True, timeout=10).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


def protection(*, network: bool = False, sandbox: bool = True) -> str:
    """Say in one plain sentence what keeps commands from the rest of the machine."""
    if sandbox and works():
        reach = "may use the network" if network else "have no network"
        return (
            "Commands run in a sandbox (bubblewrap): they can write only in the workspace, "
            f"{reach}, and see of your home folder only the workspace and Python."
        )
    if not sandbox:
        why = "it is switched off"
    elif sys.platform != "linux":
        why = "there is one for Linux only"
    elif not find_program("bwrap"):
        why = "bubblewrap is not installed"
    else:
        why = "bubblewrap may not be used on this system"
    return f"Commands run without a sandbox ({why}): they can do here whatever you can."
