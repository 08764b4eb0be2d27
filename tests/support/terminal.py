"""Run a program in a pseudo-terminal: read its screen, press keys."""

import multiprocessing
import os
import runpy
import select
import sys
import time
from multiprocessing.connection import Connection

import pytest

from .processes import PATIENCE_SECONDS

pytest.importorskip("pty", reason="Windows has no pseudo-terminals")
PROMPT = b"> "
# Each program is forked from a process that has imported these modules, which takes seconds.
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["lesson.terminal.agent"])


class Screen:
    """A Python program in a terminal. `seen` is its output so far.

    The arguments are those of `python`: "-c" and the code, or "-m", a module and its arguments.
    """

    def __init__(self, *arguments, cwd=None, **env):
        self.screen, terminal = os.openpty()
        env = os.environ | env
        with Connection(terminal) as ours:
            self.process = FORKS.Process(target=run, args=(ours, arguments, cwd, env), daemon=True)
            self.process.start()
        self.seen = b""

    def wait_for(self, words):
        """Wait until the screen shows `words`. Raise OSError if the program ends before.

        Raise TimeoutError after PATIENCE_SECONDS.
        """
        give_up = time.monotonic() + PATIENCE_SECONDS
        while words not in self.seen:
            if not select.select([self.screen], [], [], max(0, give_up - time.monotonic()))[0]:
                raise TimeoutError(f"waited for {words!r}; the screen shows {self.seen[-2000:]!r}")
            self.seen += os.read(self.screen, 1024)

    def type(self, keys):
        """Press keys."""
        os.write(self.screen, keys)

    def signal(self, number):
        """Send a signal to the program."""
        os.kill(self.process.pid, number)

    def end(self):
        """Wait for the end of the program. Return its exit status, None if it does not end."""
        self.process.join(PATIENCE_SECONDS)
        os.close(self.screen)
        return self.process.exitcode


def run(terminal, arguments, cwd, env):
    """Run a program in this process, with the terminal as its input and output."""
    os.setsid()
    for descriptor in (0, 1, 2):
        os.dup2(terminal.fileno(), descriptor)
    terminal.close()
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd or os.getcwd())
    option, program, *others = arguments
    sys.argv = [option, *others]
    if option == "-c":
        exec(program, {"__name__": "__main__"})
    else:
        runpy.run_module(program, run_name="__main__", alter_sys=True)
