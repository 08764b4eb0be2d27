"""Runs one bash command, and leaves nothing of it behind; says what protects the machine.

A command gets no input, no keys, a time limit, and a limit on what it may print and write. When
its shell ends, or time is up, or a person stops it, whatever it started ends too. Where
bubblewrap works, it runs in a sandbox besides: see protection().
"""

import atexit
import codecs
import os
import secrets
import select
import signal
import site
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from .lookup import find_program, home_folders, outside_only, search_path

try:
    import resource
except ImportError:  # there is none on Windows, and no bash either
    resource = None  # type: ignore[assignment]

PRINTED = 50_000  # characters of output that are kept
FILE_SIZE = 2**20  # KiB that a command may write into one file: 1 GiB
PASSED_ON = ("HOME", "USER", "LOGNAME", "TMPDIR", "TZ", "LD_LIBRARY_PATH")
LONGEST = 2**17 - 1  # bytes that Linux lets one argument have
TICK = 0.05  # seconds between two looks at the clock

running: set["Command"] = set()


def run(
    command: str,
    folder: Path,
    *,
    timeout: float = 120,
    network: bool = False,
    sandbox: bool = True,
    read_only: Sequence[Path] = (),
) -> tuple[str, int]:
    """Run `command` in `folder`; return what it printed and its exit code.

    A signal's exit code is 128 + its number, as a shell reports it. Raises TimeoutError after
    `timeout` seconds, ValueError or OSError for what cannot be run; each is a sentence.
    `network` lets a sandboxed command reach the network; `sandbox` False does without.
    `read_only` are places in `folder` that a sandboxed command cannot change.
    """
    if not isinstance(command, str):
        raise ValueError(f"command must be a string, not {type(command).__name__}.")
    if "\0" in command or any("\ud800" <= character <= "\udfff" for character in command):
        raise ValueError("The command holds a character that bash cannot read: NUL or a surrogate.")
    if len(command.encode()) > LONGEST:
        raise ValueError("The command is too long: put it in a file with write_file, and run that.")
    if not folder.is_dir():
        raise FileNotFoundError("The workspace's folder is gone: start again with a new one.")
    arguments = [bash(), "-c", command, "bash"]  # the last is its $0
    if sandbox and sandbox_works():
        arguments = [*sandbox_arguments(folder, network, read_only), "bash", "-c", command]
    return Command(arguments, folder, timeout).result()


def protection(*, network: bool = False, sandbox: bool = True) -> str:
    """Say in one plain sentence what keeps commands from the rest of the machine."""
    if sandbox and sandbox_works():
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


def bash() -> str:
    """Return where bash is. Raises FileNotFoundError where there is none to use."""
    found = find_program("bash")
    if os.name == "nt" or not found:
        where = "Windows has none: start the notebook in WSL" if os.name == "nt" else "install it"
        raise FileNotFoundError(f"The bash tool needs bash on Linux or macOS. {where}.")
    return found


def environment() -> dict[str, str]:
    """The few variables that a command gets: none of them a key, and this Python comes first."""
    kept = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    libraries = outside_only(kept.pop("LD_LIBRARY_PATH", ""))
    if libraries:
        kept["LD_LIBRARY_PATH"] = libraries
    python = os.path.dirname(os.path.abspath(sys.executable)) if sys.executable else ""
    return kept | {
        "PATH": os.pathsep.join(filter(None, [python, search_path()])),
        # One language and no colours, so that a command prints the same on every machine.
        "LC_ALL": "C.UTF-8" if sys.platform == "linux" else "en_US.UTF-8",
        "TERM": "dumb",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


# The sandbox


def sandbox_arguments(folder: Path, network: bool, read_only: Sequence[Path] = ()) -> list[str]:
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
    arguments = [bwrap, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL"]
    arguments += ["--share-net"] if network else []
    arguments += ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    arguments += ["--ro-bind", "/proc/sys", "/proc/sys"]  # the kernel's settings are open to root
    for place in hidden:
        arguments += ["--tmpfs", str(place)]
    for place in sorted(seen):
        if any(hide in place.parents for hide in hidden):
            arguments += ["--ro-bind-try", str(place), str(place)]
    arguments += ["--unsetenv", "TMPDIR", "--bind", str(folder), str(folder)]
    arguments += locked(folder, read_only)
    return [*arguments, "--chdir", str(folder), "--"]


def locked(folder: Path, places: Sequence[Path]) -> list[str]:
    """bwrap's arguments that make `places` in `folder` read-only.

    Each folder on the way is mounted on itself, because a mount cannot be renamed: otherwise a
    command could move the folder around a place, and put another in its stead.
    """
    on_the_way = {step for place in places for step in place.parents if folder in step.parents}
    arguments: list[str] = []
    for step in sorted(on_the_way):
        arguments += ["--bind-try", str(step), str(step)]
    for place in places:
        arguments += ["--ro-bind-try", str(place), str(place)]
    return arguments


@cache
def sandbox_works() -> bool:
    """Whether bubblewrap is there and may be used; on some systems it is there and may not."""
    try:
        trial = [*sandbox_arguments(Path(tempfile.gettempdir()).resolve(), False), "true"]
        return subprocess.run(trial, capture_output=True, timeout=10).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


# One command


class Command:
    """A command in a process of its own, watched by a thread of its own.

    The thread is there because Python delivers Ctrl-C, and Jupyter's stop button, to the main
    thread at any instant: between the start of a process and the note that it was started, too.
    The watching thread is never interrupted, so it always gets to clean up.
    """

    def __init__(self, arguments: list[str], folder: Path, timeout: float):
        self.arguments, self.folder, self.timeout = arguments, folder, timeout
        self.output = Output(PRINTED)
        self.code: int | None = None
        self.problem: BaseException | None = None
        self.stop, self.done = threading.Event(), threading.Event()
        self.mark = Mark()

    def result(self) -> tuple[str, int]:
        """Run, wait, and return the output and exit code. An interrupt ends the command."""
        watcher = threading.Thread(target=self.watch, daemon=True)
        try:
            watcher.start()
            while not self.done.wait(0.2):
                pass
        except BaseException:
            self.stop.set()
            if watcher.ident:
                self.done.wait(5)
            raise
        if self.problem:
            raise self.problem
        return self.output.text(), self.code

    def watch(self) -> None:
        """Start the process and see it to its end; leave the outcome in the attributes."""
        running.add(self)
        try:
            if not self.stop.is_set():
                self.code = self.follow()
        except BaseException as problem:
            self.problem = problem
        finally:
            running.discard(self)
            self.done.set()

    def follow(self) -> int:
        """Read what the process prints until its shell ends; then end what it left running."""
        with self.start() as process:
            try:
                in_time = self.ends_in_time(process)
            finally:
                self.mark.end_all(process)
            give_up = time.monotonic() + 0.2  # what escaped, if it can, holds the pipe open
            while self.output.read(process.stdout, TICK) and time.monotonic() < give_up:
                pass
        if not in_time:
            raise TimeoutError(
                f"Timeout ({self.timeout:g}s): the command was still running, so it was ended, "
                f"and all that it had started. Output so far:\n{self.output.text() or '(none)'}"
            )
        return process.returncode if process.returncode >= 0 else 128 - process.returncode

    def start(self) -> subprocess.Popen:
        """Start the process: no input, one pipe for all output, a session of its own."""
        try:
            return subprocess.Popen(
                self.mark.put_on(self.arguments),
                cwd=self.folder,
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as problem:
            raise OSError(f"The command could not be started: {problem.strerror}.") from None

    def ends_in_time(self, process: subprocess.Popen) -> bool:
        """Collect output until the shell ends, or until it must be ended (False)."""
        deadline = time.monotonic() + self.timeout
        more = True
        # The shell's end counts, not the pipe's: a background process may hold that open for ever.
        while process.poll() is None:
            left = deadline - time.monotonic()
            if left <= 0 or self.stop.is_set():
                return False
            if more:
                more = self.output.read(process.stdout, min(left, TICK))
            else:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(min(left, TICK))
        return True


@atexit.register
def end_running() -> None:
    """When Python ends while a thread still waits for a command, the command ends, too."""
    for command in list(running):
        command.stop.set()
        command.done.wait(5)


class Output:
    """What a command prints: the beginning and the end of it, at most `limit` characters."""

    def __init__(self, limit: int):
        self.half = limit // 2 - 50  # leaves room for the line between the two
        self.head, self.tail, self.printed = "", "", 0
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def read(self, pipe, seconds: float) -> bool:
        """Wait so long for something to read; return whether more may come."""
        poll = select.poll()
        poll.register(pipe, select.POLLIN)
        if not poll.poll(seconds * 1000):
            return True
        data = os.read(pipe.fileno(), 2**16)
        self.add(self.decoder.decode(data, final=not data))
        return bool(data)

    def add(self, text: str) -> None:
        """Keep `text` as far as there is room; of what came between head and tail, the length."""
        self.printed += len(text)
        room = self.half - len(self.head)
        self.head += text[:room]
        self.tail = (self.tail + text[room:])[-self.half :]

    def text(self) -> str:
        """All of it, without line breaks at its end, or head and tail and what is left out."""
        left_out = self.printed - len(self.head) - len(self.tail)
        between = f"\n... ({left_out} characters left out) ...\n" if left_out else ""
        return (self.head + between + self.tail).rstrip("\n")


class Mark:
    """How the processes of one command are known, wherever they went.

    A daemon leaves its group, its session and its parent, and may wash its environment. But it
    keeps its limits. A command gets a limit on the size of its files anyway, so each gets one of
    its own, and on Linux /proc tells who has it. (To adopt daemons as a "child subreaper" is no
    choice: it would adopt those of everything else that runs in this Python.) Who sets out to
    escape can, by another limit; out of the sandbox's process namespace it cannot.
    """

    def __init__(self):
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        top = FILE_SIZE if hard == resource.RLIM_INFINITY else min(FILE_SIZE, hard // 1024)
        self.hard = top - 1 - secrets.randbelow(max(1, top // 4))  # in KiB, as ulimit counts
        self.soft = self.hard - secrets.randbelow(max(1, self.hard // 4))

    def put_on(self, arguments: list[str]) -> list[str]:
        """The arguments of a process that limits itself, then becomes the one that is wanted."""
        limit = f"{{ ulimit -c 0; ulimit -f {self.hard}; ulimit -Sf {self.soft}; }} 2>/dev/null"
        return [bash(), "-c", f'{limit}; exec "$@"', "bash", *arguments]

    def end_all(self, process: subprocess.Popen) -> None:
        """Kill the process, its group, and all that have the mark; return when they are gone."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        give_up = time.monotonic() + 5
        while (found := self.found()) and time.monotonic() < give_up:
            for pid in found:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.002)
        process.wait()

    def found(self) -> list[int]:
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
