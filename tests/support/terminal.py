"""Run a program in a pseudo-terminal: read its screen, press keys."""

import os
import select
import subprocess
import sys

LIMIT_SECONDS = 90
PROMPT = b"\x1b[0m>"  # as prompt_toolkit draws it; it moves the cursor instead of drawing a space


class Screen:
    """A program in a terminal. `seen` is its output so far."""

    def __init__(self, *arguments, cwd=None, **env):
        self.screen, terminal = os.openpty()
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
            env=os.environ | {"PROMPT_TOOLKIT_NO_CPR": "1"} | env,  # no one answers its requests
            cwd=cwd,
        )
        os.close(terminal)
        self.seen = b""

    def wait_for(self, words):
        """Wait until the screen shows `words`. Raise OSError if the program ends before.

        After LIMIT_SECONDS without output, kill the program and raise TimeoutError.
        """
        while words not in self.seen:
            if not select.select([self.screen], [], [], LIMIT_SECONDS)[0]:
                self.process.kill()
                raise TimeoutError(f"waited for {words!r}; the screen shows {self.seen[-2000:]!r}")
            self.seen += os.read(self.screen, 1024)

    def type(self, keys):
        """Press keys."""
        os.write(self.screen, keys)

    def end(self):
        """Wait for the end of the program. Return its exit status."""
        status = self.process.wait()
        os.close(self.screen)
        return status
