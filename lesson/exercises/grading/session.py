"""A process that runs a saved notebook's cells: without keys, with limits, in its own folder."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from time import monotonic
from typing import Any

from agentlib.safety import bubblewrap

START_SECONDS = 60.0
END_SECONDS = 5.0  # between the end of the output and the end of the process
PASSED_ON = ("PATH", "PATHEXT", "SYSTEMROOT", "WINDIR", "COMSPEC", "LD_LIBRARY_PATH")
PACKAGES = str(Path(__file__).parents[3])
# The worker is imported, so that the learner's cells have the module `__main__` for themselves.
WORKER = "from lesson.exercises.grading import worker as _worker; _worker.serve()"
ANSWER_CHARACTERS = 1_000_000  # at most


class CellStoppedError(Exception):
    """The process ended, or was killed, before a cell was done. The message says why."""


class Session:
    """One process for one notebook. If it ends, a new one runs the same cells again."""

    def __init__(self, setup: Sequence[str], seconds: float) -> None:
        """Take the sources of the cells to run first, and the time for everything."""
        self.done = [(source, START_SECONDS) for source in setup]
        self.deadline = monotonic() + seconds
        self.process: subprocess.Popen[str] | None = None

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *problem: object) -> None:
        self.stop()

    def run_cell(self, source: str, seconds: float) -> str:
        """Run a learner's cell. Return a sentence if it raised. May raise CellStoppedError."""
        answer = self.request({"cell": source}, seconds)
        self.done.append((source, seconds))
        return str(answer["problem"])

    def check(self, name: str, seconds: float) -> dict[str, Any]:
        """Return the worker's result for the exercise of this name. May raise CellStoppedError."""
        return self.request({"exercise": name}, seconds)

    def request(self, request: dict[str, str], seconds: float) -> dict[str, Any]:
        """Return the worker's answer, from a new process if there is none."""
        left = self.deadline - monotonic()
        if left <= 0:
            self.stop()
            raise CellStoppedError("It was not run: the time for this notebook is over.")
        process = self.process or self.start()
        seconds = min(seconds, left)
        answers: Queue[str] = Queue()
        # In a thread, because a process that neither reads nor answers would block this one.
        Thread(target=talk, args=(process, request, answers), daemon=True).start()
        try:
            answer = answers.get(timeout=seconds)
            if answer:
                return dict(json.loads(answer))
            with suppress(subprocess.TimeoutExpired):
                process.wait(END_SECONDS)
            said = describe_end(process.poll())
        except Empty:
            words = f"It was still running after {seconds:g} seconds, so it was stopped. "
            said = words + "Does it contain an endless loop?"
        except (ValueError, TypeError):
            said = "The check returned no result. Does the cell redefine a name of the check?"
        self.stop()
        raise CellStoppedError(said)

    def start(self) -> subprocess.Popen[str]:
        """Start a process, and run the earlier cells again. Raise OSError if it cannot work."""
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        home = Path(self.folder.name).resolve()
        wrapper: list[str] = []
        if bubblewrap.works():  # then it can write only to its folder, and has no network
            wrapper = bubblewrap.arguments(home, network=False, read_only=[Path(PACKAGES)])
        process = self.process = subprocess.Popen(
            [*wrapper, sys.executable, "-c", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,  # until the worker answers; see serve()
            cwd=home,
            env=scrub(str(home)),
            start_new_session=True,
            encoding="utf-8",
        )
        try:
            self.request({"cell": ""}, START_SECONDS)
        except CellStoppedError:
            # No cell of the learner has run yet, so the cause is this installation.
            assert process.stderr
            said = (
                process.stderr.read().strip().rpartition("\n")[2] or "its process does not answer."
            )
            raise OSError(f"The check could not start: {said}") from None
        for source, seconds in self.done:
            self.request({"cell": source}, seconds)
        return process

    def stop(self) -> None:
        """End the process and every process that it started."""
        if self.process is None:
            return
        process, self.process = self.process, None
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.wait()
        self.folder.cleanup()


def talk(process: subprocess.Popen[str], request: dict[str, str], answers: "Queue[str]") -> None:
    """Send a request, and put the answer into the queue: "" if the process has ended."""
    assert process.stdin and process.stdout
    answer = ""
    with suppress(OSError, ValueError):  # it has ended, or its answer is no text
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        answer = process.stdout.readline(ANSWER_CHARACTERS)
    answers.put(answer)


def scrub(home: str) -> dict[str, str]:
    """Return an environment without keys, whose home is an empty folder."""
    env = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    paths = [PACKAGES, *filter(None, [os.environ.get("PYTHONPATH")])]
    homes = dict.fromkeys(("HOME", "USERPROFILE", "TMP", "TEMP", "TMPDIR", "IPYTHONDIR"), home)
    return env | homes | {"PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1"}


def describe_end(code: int | None) -> str:
    """Return why a process ended, from its exit code."""
    if code is not None and (code < 0 or code > 128):  # bubblewrap returns 128 + signal
        signal_number = -code if code < 0 else code - 128
        return f"It was killed by signal {signal_number}: did it use too much memory?"
    return f"It ended (exit code {code}) before the check was over. Is there an exit() in it?"
