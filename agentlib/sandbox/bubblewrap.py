"""bubblewrap: what a command sees of the machine, and what it may change there."""

import os
import re
import site
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from .import_guard import find_program, home_folders, outside_only, search_path

MAX_FOLDER_BYTES = 2**28  # in each folder that the sandbox has for itself: /tmp, the home, ...
PROBE_SECONDS = 60  # far more than bubblewrap takes on the busiest machine
STARTS = 5  # tries: what is to be covered may go at any time, and each try looks for it again


def arguments(folder: Path, network: bool, read_only: Sequence[Path] = ()) -> list[str]:
    """What to put before a command so that bubblewrap runs it, with `folder` as its own.

    The disk is there to read, `folder` to write. The home folder, /tmp and /run are empty ones,
    except for Python and `folder` where they lie there. No socket of a service is within reach.
    Without capabilities, root cannot undo it. `read_only` are places in `folder`.
    Raises FileNotFoundError where there is no bubblewrap.
    """
    bwrap = find_program("bwrap")
    if bwrap is None:
        raise FileNotFoundError("bubblewrap is not installed.")
    hidden = hidden_folders()
    shown = [place for place in shown_folders(network) if is_below(place, hidden)]
    options = [bwrap, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL"]
    if network:
        options += ["--share-net"]
    if accepts(bwrap, "--unshare-user", "--disable-userns"):
        options += ["--unshare-user", "--disable-userns"]  # nobody is root in one of their own
    options += ["--ro-bind", "/", "/", "--dev", "/dev"]
    options += [*empty_folder(bwrap, "/dev/shm"), "--remount-ro", "/dev"]
    options += ["--proc", "/proc"]
    options += ["--ro-bind", "/proc/sys", "/proc/sys"]  # the kernel's settings are open to root
    for place in hidden:
        options += empty_folder(bwrap, str(place))
    for place in shown:
        options += ["--ro-bind-try", str(place), str(place)]
    options += ["--unsetenv", "TMPDIR", "--bind", str(folder), str(folder)]
    options += lock(folder, read_only)
    for socket in find_sockets():
        if is_below(socket, [folder, *shown]) or not is_below(socket, hidden):
            options += ["--ro-bind-try", "/dev/null", str(socket)]
    return [*options, "--chdir", str(folder), "--"]


def hidden_folders() -> list[Path]:
    """The folders that a sandboxed command sees empty: private files and sockets lie there."""
    places = {Path(place).resolve() for place in ("/tmp", "/run", *home_folders())}
    return [place for place in sorted(places) if place.is_dir() and place != Path("/")]


def shown_folders(network: bool) -> list[Path]:
    """The folders that a command needs, though they may lie in a hidden one."""
    places = {Path("/run/current-system")}  # where NixOS has its programs
    if network:
        places.add(Path("/run/systemd/resolve"))  # what /etc/resolv.conf leads to
    for name in (sys.prefix, sys.base_prefix, site.getusersitepackages()):
        # A Python that was started as ../.venv/bin/python has the dots in its prefix.
        places |= {Path(os.path.abspath(name)), Path(name).resolve()}
    return sorted(places)


def is_below(path: Path, folders: Iterable[Path]) -> bool:
    """Whether `path` lies in one of `folders`."""
    return any(folder in path.parents for folder in folders)


def empty_folder(bwrap: str, place: str) -> list[str]:
    """The options for an empty folder in memory at `place`, of limited size where that works."""
    if accepts(bwrap, "--size", "4096", "--tmpfs", "/tmp"):
        return ["--size", str(MAX_FOLDER_BYTES), "--tmpfs", place]
    return ["--tmpfs", place]


def lock(folder: Path, places: Sequence[Path]) -> list[str]:
    """The options that make `places` in `folder` read-only.

    Each folder on the way is mounted on itself, because a mount cannot be renamed: otherwise a
    command could move the folder around a place, and put another in its place.
    """
    on_the_way = {step for place in places for step in place.parents if folder in step.parents}
    options: list[str] = []
    for step in sorted(on_the_way):
        options += ["--bind-try", str(step), str(step)]
    for place in places:
        options += ["--ro-bind-try", str(place), str(place)]
    return options


def find_sockets() -> list[Path]:
    """The sockets on the disk that somebody listens on, as far as the kernel lists them.

    Through such a socket a command could reach a database, or a service that runs as root, with
    no network at all: that a disk is read-only does not keep anybody from connecting.
    """
    try:
        lines = Path("/proc/net/unix").read_bytes().splitlines()[1:]
    except OSError:
        return []
    columns = [os.fsdecode(line).split(maxsplit=7) for line in lines]
    paths = {
        Path(os.path.realpath(row[7])) for row in columns if len(row) == 8 and row[7][0] == "/"
    }
    return [path for path in sorted(paths) if is_socket(path)]


def has_lost_a_socket(options: Sequence[str], output: str) -> bool:
    """Whether bubblewrap ended before anything ran, since a socket that it should cover is gone.

    A command cannot take one away, so it cannot pretend that it never ran.
    """
    words = r"bwrap: Can't (?:create file at|mkdir parents for) (.+): [\w -]+"
    found = re.fullmatch(words, output.strip())
    return found is not None and found[1] in options and not os.path.lexists(found[1])


def is_socket(path: Path) -> bool:
    """Whether there is a socket at `path` that a sandboxed command could reach."""
    try:
        is_there = stat.S_ISSOCK(path.lstat().st_mode)
        return is_there and all(is_open_to_us(folder.stat()) for folder in path.parents)
    except OSError:
        return False


def is_open_to_us(folder: os.stat_result) -> bool:
    """Whether this user may enter a folder without the rights of root, which the sandbox drops.

    What root cannot enter there, bubblewrap cannot cover there.
    """
    if folder.st_uid == os.geteuid():
        return bool(folder.st_mode & stat.S_IXUSR)
    if folder.st_gid in (os.getegid(), *os.getgroups()):
        return bool(folder.st_mode & stat.S_IXGRP)
    return bool(folder.st_mode & stat.S_IXOTH)


@cache
def accepts(bwrap: str, *options: str) -> bool:
    """Whether this bubblewrap knows these options, and may use them here."""
    return runs([bwrap, *options, "--ro-bind", "/", "/", "--", "true"])


@cache
def works() -> bool:
    """Whether bubblewrap is there and may be used; on some systems it is there and may not.

    Raises TimeoutError where that cannot be told. This is not remembered: the next call asks again.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        try:
            return any(runs([*arguments(folder, network=False), "true"]) for _ in range(STARTS))
        except FileNotFoundError:
            return False


def runs(command: list[str]) -> bool:
    """Whether this command can be started and succeeds. Raises TimeoutError, a sentence.

    Bubblewrap looks for programs, too. One that an agent has planted could say that there is no
    sandbox here; and it would have the network, so it gets no keys.
    """
    env = {
        "PATH": search_path(),
        "LD_LIBRARY_PATH": outside_only(os.environ.get("LD_LIBRARY_PATH", "")),
    }
    try:
        done = subprocess.run(
            command,
            env={name: value for name, value in env.items() if value},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PROBE_SECONDS,
        )
        return done.returncode == 0
    except subprocess.TimeoutExpired:
        raise TimeoutError(
            f"The sandbox did not start within {PROBE_SECONDS} seconds, so nothing was run: "
            "try again when this machine is less busy."
        ) from None
    except OSError:
        return False


def protection() -> str:
    """Say in one plain sentence what keeps commands from the rest of the machine."""
    if works():
        return (
            "Commands run in a sandbox (bubblewrap): they can write only in the workspace, have no "
            "network, and see of your home folder only the workspace and Python."
        )
    if sys.platform != "linux":
        why = "there is one for Linux only"
    elif not find_program("bwrap"):
        why = "bubblewrap is not installed"
    else:
        why = "bubblewrap may not be used on this system"
    return f"Commands run without a sandbox ({why}): they can do here whatever you can."
