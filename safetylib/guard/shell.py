"""Run one bash command and kill every process that it started.

A command gets no input and no keys. Its time, its output and its resources are limited. If
bubblewrap works, it runs in a sandbox.
"""

import atexit
import codecs
import os
import select
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from .bubblewrap import ATTEMPTS, FAILED, sandbox_arguments, sandbox_works
from .import_guard import find_bash
from .processes import command_environment, kill_group, limited

TIMEOUT_SECONDS = 120  # how long a command may run by default: time for the tests of a project
NOT_FOUND = 127  # the exit code of a shell for a command that does not exist
MAX_OUTPUT_CHARS = 50_000  # about 12,000 tokens; the middle of a longer output is left out
POLL_SECONDS = 0.05  # how often the watching thread checks the clock and the stop event
DRAIN_SECONDS = 0.2  # how long to read on if a process that escaped keeps the pipe open
STOP_SECONDS = 5  # how long an interrupt waits for the watching thread to clean up
# The first command in the sandbox writes to a pipe, closes it, and becomes the model's command. So
# an error of bubblewrap itself is never taken for the output of the model's command.
BEGIN = 'pipe=$1; echo >&"$pipe" && exec {pipe}>&- && exec bash -c "$2" bash'

running: set["Command"] = set()


def run_command(
    command: str,
    folder: Path,
    *,
    timeout: float = TIMEOUT_SECONDS,
    network: bool = False,
    read_only: Sequence[Path] = (),
    sandbox: bool = True,
) -> tuple[str, int]:
    """Run `command` in `folder`, in a sandbox if there is one; return its output and exit code.

    The exit code is 128 + N if a signal N ended the command, as in a shell, and 127 with a message
    if there is no bash. `network` gives a sandboxed command access to the network, and
    `read_only` are paths in `folder` that it cannot change there. Without `sandbox`, it runs as the
    user does, with all programs of the user. Raise TimeoutError after `timeout` seconds, and
    ValueError or OSError if the command cannot be run.
    """
    if not folder.is_dir():
        raise FileNotFoundError("The workspace's folder is gone: start again with a new one.")
    try:
        bash = find_bash()
    except FileNotFoundError as problem:  # Windows, or a browser: a notebook can go on
        return str(problem), NOT_FOUND
    if sandbox and sandbox_works():
        return run_in_sandbox(command, folder, timeout, network, read_only)
    process = Command([bash, "-c", command, "bash"], folder, timeout)  # the last argument is $0
    process.as_user = not sandbox
    return process.run()


def run_in_sandbox(
    command: str, folder: Path, timeout: float, network: bool, read_only: Sequence[Path]
) -> tuple[str, int]:
    """Run `command` as `run_command` does. Raise OSError if no sandbox could be started."""
    for _ in range(ATTEMPTS):
        arguments = sandbox_arguments(folder, network, read_only)
        process = SandboxedCommand(arguments, command, folder, timeout)
        output, code = process.run()
        if process.has_begun:
            return output, code
        # A place to hide may have vanished since the places were listed: list them again.
    raise OSError(FAILED.format(output or f"exit code {code}"))


class Command:
    """A command in a child process that a second thread starts, reads and kills.

    Ctrl-C and Jupyter's stop button raise KeyboardInterrupt in the main thread at any instant,
    even between the start of a process and the assignment of its Popen object. They never
    interrupt the second thread, so it always kills what it has started. The order of calls:

        run() in the caller's thread, which waits for `done`, or sets `stop` if it is interrupted
        watch() in the second thread: follow() -> start(), read_until_end(), kill_group(), drain()
    """

    def __init__(self, arguments: list[str], folder: Path, timeout: float):
        self.arguments, self.folder, self.timeout = arguments, folder, timeout
        self.pipes: tuple[int, ...] = ()  # file descriptors that the process gets
        self.as_user = False  # whether it has the user's PATH
        self.output = Output(MAX_OUTPUT_CHARS)
        self.code = 0
        self.problem: BaseException | None = None  # run() raises it
        self.stop, self.done = threading.Event(), threading.Event()

    def run(self) -> tuple[str, int]:
        """Start the watching thread, wait for it, and return the output and exit code."""
        watcher = threading.Thread(target=self.watch, daemon=True)
        try:
            watcher.start()
            while not self.done.wait(0.2):  # an exception set in this thread is raised here
                pass
        except BaseException:
            self.stop.set()
            if watcher.ident:
                self.done.wait(STOP_SECONDS)
            raise
        if self.problem:
            raise self.problem
        return self.output.text(), self.code

    def watch(self) -> None:
        """Run in the second thread: call follow(), and keep the exit code or the exception."""
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
        """Start the process, read until it ends, kill its group, and return its exit code.

        Raise TimeoutError if it did not end in time.
        """
        alive, own_end = os.pipe()  # see `limited`
        try:
            with self.start(alive) as process:
                try:
                    has_ended = self.read_until_end(process)
                finally:
                    kill_group(process)
                self.drain(process.stdout)
        finally:
            os.close(alive)
            os.close(own_end)
        if not has_ended:
            raise TimeoutError(
                f"Timeout ({self.timeout:g}s): the command was still running, so it was killed, "
                "with everything that it had started. "
                f"Output so far:\n{self.output.text() or '(none)'}"
            )
        return process.returncode if process.returncode >= 0 else 128 - process.returncode

    def start(self, alive: int) -> subprocess.Popen[bytes]:
        """Start the process in a new session, so that it is the leader of a process group.

        In its own session, Ctrl-C does not reach it. A closed terminal does not reach it either, so
        `limited` ends it through the pipe `alive`.
        """
        try:
            return subprocess.Popen(
                limited(self.arguments, alive),
                cwd=self.folder,
                env=command_environment(self.as_user),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                bufsize=0,
                start_new_session=True,
                pass_fds=(*self.pipes, alive),
            )
        except OSError as problem:
            raise OSError(f"The command could not be started: {problem.strerror}.") from None

    def read_until_end(self, process: subprocess.Popen[bytes]) -> bool:
        """Read output until the shell has ended; return False if it must be killed before.

        Wait for the shell, not for the end of the pipe: a background process may keep that open.
        """
        end = time.monotonic() + self.timeout
        is_open = True
        while process.poll() is None:
            left = end - time.monotonic()
            if left <= 0 or self.stop.is_set():
                return False
            if is_open:
                is_open = self.output.read(process.stdout, min(left, POLL_SECONDS))
            else:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(min(left, POLL_SECONDS))
        return True

    def drain(self, pipe: IO[bytes] | None) -> None:
        """Read what is left in the pipe, for DRAIN_SECONDS at most."""
        give_up = time.monotonic() + DRAIN_SECONDS
        while self.output.read(pipe, POLL_SECONDS) and time.monotonic() < give_up:
            pass


class SandboxedCommand(Command):
    """A command in bubblewrap, which `arguments` start. `has_begun` is False if that failed."""

    def __init__(self, arguments: list[str], command: str, folder: Path, timeout: float):
        super().__init__(arguments, folder, timeout)
        self.command = command
        self.has_begun = False

    def follow(self) -> int:
        """Follow the process, and read from a pipe whether the command has begun in it."""
        reader, writer = os.pipe()
        self.pipes = (writer,)
        self.arguments += ["bash", "-c", BEGIN, "bash", str(writer), self.command]
        try:
            return super().follow()
        finally:
            # A process that is being killed may still hold `writer` open.
            os.set_blocking(reader, False)
            with suppress(BlockingIOError):
                self.has_begun = bool(os.read(reader, 1))
            os.close(reader)
            os.close(writer)


@atexit.register
def stop_running() -> None:
    """Kill the commands that other threads still wait for when Python exits."""
    for command in list(running):
        command.stop.set()
        command.done.wait(STOP_SECONDS)


class Output:
    """The output of a command: its beginning and its end, `limit` characters at most."""

    def __init__(self, limit: int):
        self.half = limit // 2 - 50  # leaves room for the line between the two
        self.head, self.tail, self.printed = "", "", 0
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def read(self, pipe: IO[bytes] | None, seconds: float) -> bool:
        """Read once, waiting up to `seconds`; return False at the end of the pipe."""
        assert pipe is not None  # start() opens it
        poll = select.poll()  # select.select() cannot wait for descriptors above 1023
        poll.register(pipe, select.POLLIN)
        if not poll.poll(seconds * 1000):
            return True
        data = os.read(pipe.fileno(), 2**16)
        self.add(self.decoder.decode(data, final=not data))
        return bool(data)

    def add(self, text: str) -> None:
        """Append `text` to the head until that is full, then to the tail, which drops its start."""
        self.printed += len(text)
        room = self.half - len(self.head)
        self.head += text[:room]
        self.tail = (self.tail + text[room:])[-self.half :]

    def text(self) -> str:
        """Return head and tail, with a line that counts the characters left out between them."""
        left_out = self.printed - len(self.head) - len(self.tail)
        between = f"\n... ({left_out} characters left out) ...\n" if left_out else ""
        return (self.head + between + self.tail).rstrip("\n")
