"""Run a program in a pseudo-terminal: read its screen, press keys."""

import os
import sys

import pytest

from .processes import PATIENCE_SECONDS

pexpect = pytest.importorskip("pexpect", reason="IPython needs it only where there are terminals")
PROMPT = b"> "


class Screen:
    """A Python program in a terminal. `seen` is its output so far.

    The arguments are those of `python`: "-c" and the code, or "-m", a module and its arguments.
    """

    def __init__(self, *arguments, cwd=None, python=sys.executable, **env):
        env = os.environ | env
        self.process = pexpect.spawn(python, [*arguments], PATIENCE_SECONDS, cwd=cwd, env=env)
        self.process.logfile_read = sys.stdout.buffer  # pytest shows it after a failure
        self.seen = b""

    def wait_for(self, words):
        """Wait until the screen shows `words`. Raise EOF if the program ends before.

        Raise TIMEOUT after PATIENCE_SECONDS without output.
        """
        while words not in self.seen:
            self.seen += self.process.read_nonblocking(1024, PATIENCE_SECONDS)

    def type(self, keys):
        """Press keys."""
        self.process.send(keys)

    def signal(self, number):
        """Send a signal to the program."""
        self.process.kill(number)

    def end(self):
        """Wait for the end of the program, and return its exit status."""
        self.process.expect(pexpect.EOF)
        return self.process.wait()
