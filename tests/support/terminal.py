"""A program that runs in a terminal, read and typed to by a test."""

import os
import select
import subprocess
import sys

LIMIT_SECONDS = 90


class Screen:
    """A program in a terminal: what it shows, and what is typed."""

    def __init__(self, *arguments, cwd=None, **env):
        self.screen, terminal = os.openpty()
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
            env=os.environ | env,
            cwd=cwd,
        )
        os.close(terminal)
        self.seen = b""

    def wait_for(self, words):
        """Return when the screen shows `words`; raises OSError if the program ends before.

        After LIMIT_SECONDS without a word the program is ended, and what it has shown is told.
        """
        while words not in self.seen:
            if not select.select([self.screen], [], [], LIMIT_SECONDS)[0]:
                self.process.kill()
                raise TimeoutError(f"waited for {words!r}; the screen shows {self.seen[-2000:]!r}")
            self.seen += os.read(self.screen, 1024)

    def type(self, keys):
        """Press these keys."""
        os.write(self.screen, keys)

    def end(self):
        """Wait for the program's end; its exit status."""
        status = self.process.wait()
        os.close(self.screen)
        return status
