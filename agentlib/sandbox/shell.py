"""Runs one bash command, and leaves nothing of it behind.

A command gets no input, no keys, a time limit, and limits on what it may print, write, and use of
the machine. When its shell ends, or time is up, or a person stops it, whatever it started ends
too. Where bubblewrap works, it also runs in a sandbox.
"""

import atexit
import codecs
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from .bubblewrap import STARTS as SANDBOX_STARTS
from .bubblewrap import arguments as sandbox_arguments
from .bubblewrap import has_lost_a_socket
from .bubblewrap import works as sandbox_works
from .import_guard import find_bash, outside_only, search_path
from .processes import Allowance, ProcessTag, descendants, leave_session_keyring

NOT_FOUND = 127  # a shell's exit code where there is no such command
MAX_OUTPUT_CHARS = 50_000  # characters of output that are kept
INHERITED = ("HOME", "USER", "LOGNAME", "TMPDIR", "TZ", "LD_LIBRARY_PATH")
MAX_ARGUMENT_BYTES = 2**17 - 1  # bytes that Linux lets one argument have
POLL_SECONDS = 0.05  # between two looks at the clock
LOOK_SECONDS = 1  # between two looks at what a command uses of the machine

running: set["Command"] = set()


def run_command(
    command: str,
    folder: Path,
    *,
    timeout: float = 120,
    network: bool = False,
    sandbox: bool = True,
    read_only: Sequence[Path] = (),
) -> tuple[str, int]:
    """Run `command` in `folder`; return what it printed and its exit code.

    A signal's exit code is 128 + its number, as a shell reports it, and where there is no shell it
    is 127, a shell's own for what it has not found, with a sentence that says so. Raises
    TimeoutError after `timeout` seconds, ExcessError for too many processes or too much memory or
    disk, ValueError or OSError for what cannot be run; each is a sentence.
    `network` lets a sandboxed command reach the network; `sandbox` False does without.
    `read_only` are places in `folder` that a sandboxed command cannot change.
    """
    require_runnable(command)
    if not folder.is_dir():
        raise FileNotFoundError("The workspace's folder is gone: start again with a new one.")
    try:
        bash = find_bash()
    except FileNotFoundError as problem:  # on Windows, in a browser: no reason to stop a notebook
        return str(problem), NOT_FOUND
    plain = [bash, "-c", command, "bash"]  # the last is its $0
    if not (sandbox and sandbox_works()):
        return Command(plain, folder, timeout).result()
    for _ in range(SANDBOX_STARTS):
        box = sandbox_arguments(folder, network, read_only)
        output, code = Command([*box, "bash", "-c", command], folder, timeout).result()
        if not (code and has_lost_a_socket(box, output)):
            break
    return output, code


def require_runnable(command: object) -> None:
    """Raise ValueError, a sentence, for what bash cannot be given."""
    if not isinstance(command, str):
        raise ValueError(f"command must be a string, not {type(command).__name__}.")
    if "\0" in command or any("\ud800" <= character <= "\udfff" for character in command):
        raise ValueError("The command holds a character that bash cannot read: NUL or a surrogate.")
    if len(command.encode()) > MAX_ARGUMENT_BYTES:
        raise ValueError("The command is too long: put it in a file with write_file, and run that.")


def environment() -> dict[str, str]:
    """The few variables that a command gets: none of them a key, and this Python comes first."""
    kept = {name: os.environ[name] for name in INHERITED if name in os.environ}
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


class ExcessError(OSError):
    """A command used more of the machine than it may, and was ended."""


class Command:
    """A command in a process of its own, watched by a thread of its own.

    The thread is there because Python delivers Ctrl-C, and Jupyter's stop button, to the main
    thread at any instant: between the start of a process and the note that it was started, too.
    The watching thread is never interrupted, so it always gets to clean up.
    """

    def __init__(self, arguments: list[str], folder: Path, timeout: float):
        self.arguments, self.folder, self.timeout = arguments, folder, timeout
        self.output = Output(MAX_OUTPUT_CHARS)
        self.code = 0
        self.problem: BaseException | None = None
        self.stop, self.done = threading.Event(), threading.Event()
        self.tag, self.allowance = ProcessTag(), Allowance(folder)

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
                problem = self.wait_for_end(process)
            finally:
                self.tag.kill_all(process)
            give_up = time.monotonic() + 0.2  # what escaped, if it can, holds the pipe open
            while self.output.read(process.stdout, POLL_SECONDS) and time.monotonic() < give_up:
                pass
        if problem:
            raise type(problem)(
                f"{problem}, so it was ended, and all that it had started. "
                f"Output so far:\n{self.output.text() or '(none)'}"
            )
        return process.returncode if process.returncode >= 0 else 128 - process.returncode

    def start(self) -> subprocess.Popen[bytes]:
        """Start the process: no input, one pipe for all output, a session of its own."""
        leave_session_keyring()
        try:
            return subprocess.Popen(
                self.tag.wrap(self.arguments),
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

    def wait_for_end(self, process: subprocess.Popen[bytes]) -> OSError | None:
        """Collect output until the shell ends, or until it must be ended; then return why."""
        begun = time.monotonic()
        next_look = begun + LOOK_SECONDS
        more = True
        # The shell's end counts, not the pipe's: a background process may hold that open forever.
        while process.poll() is None:
            left = begun + self.timeout - time.monotonic()
            if left <= 0 or self.stop.is_set():
                return TimeoutError(f"Timeout ({self.timeout:g}s): the command was still running")
            if time.monotonic() >= next_look:
                pids = descendants(process.pid) | set(self.tag.pids())
                excess = self.allowance.excess(pids)
                if excess:
                    return ExcessError(f"The command took too much: {excess}")
                next_look = time.monotonic() + LOOK_SECONDS
            pause = min(left, POLL_SECONDS)
            if more:
                more = self.output.read(process.stdout, pause)
            else:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(pause)
        return None


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

    def read(self, pipe: IO[bytes] | None, seconds: float) -> bool:
        """Wait up to `seconds` for something to read; return whether more may come."""
        assert pipe is not None  # start() has asked for one
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
