"""A process that runs a saved notebook's cells: without keys, with limits, in its own folder."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from agentlib.safety import bubblewrap
from agentlib.safety.processes import kill_group

NOTEBOOK_SECONDS = 300.0
PASSED_ON = ("PATH", "PATHEXT", "SYSTEMROOT", "WINDIR", "COMSPEC", "LD_LIBRARY_PATH")
OWN = ("HOME", "LANG", "LC_ALL", "PYTHONPATH", "TMPDIR", "USER")  # only for the grader
SCRUBBED = "PLANNING_AGENT_SCRUBBED"  # says that there are no keys any more
PACKAGES = str(Path(__file__).parents[3])
# The worker is imported, so that the learner's cells have the module `__main__` for themselves.
WORKER = "from lesson.exercises.grading import worker as _worker; _worker.answer()"
ANSWER_CHARACTERS = 1_000_000  # at most


def run_worker(
    request: dict[str, Any], hide: Iterable[Path] = (), seconds: float = NOTEBOOK_SECONDS
) -> tuple[list[Any], str]:
    """Run the worker on a request. Return its answers, and what is said of all others.

    In a sandbox, it does not see the folders in `hide`. Raise ValueError if an answer is no JSON.
    """
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        tempfile.TemporaryFile("w+", encoding="utf-8") as asked,
        tempfile.TemporaryFile("w+", encoding="utf-8") as answers,
    ):
        json.dump(request, asked)
        asked.seek(0)
        home = Path(folder).resolve()
        wrapper: list[str] = []
        if bubblewrap.works():  # then it can write only to memory, and has no network
            ours = [Path(PACKAGES, name) for name in ("agentlib", "lesson", "notebooks")]
            wrapper = bubblewrap.arguments(
                home, False, read_only=ours, hide=[*filter(Path.is_dir, hide), home]
            )
        process = subprocess.Popen(
            [*wrapper, sys.executable, "-c", WORKER],
            stdin=asked,
            stdout=answers,
            cwd=home,
            env=scrub(str(home)),
            start_new_session=True,
        )
        try:
            ended = f"The process ended (exit code {process.wait(seconds)})"
        except subprocess.TimeoutExpired:
            ended = f"The notebook took longer than {seconds:g} seconds"
        finally:
            stop(process)
        answers.seek(0)
        lines = answers.read(ANSWER_CHARACTERS).splitlines()
    said = f"{ended}, and this was not checked. Is an endless loop or an exit() in a cell?"
    return [json.loads(line) for line in lines], said


def stop(process: subprocess.Popen[bytes]) -> None:
    """End the process and, where the system has process groups, all that it started."""
    if hasattr(os, "killpg"):
        kill_group(process)
    process.kill()  # does nothing if it has ended
    process.wait()


def hide_keys() -> None:
    """Start this program again, once, without the keys in its environment.

    Every process of this user can read in /proc the environment with which a program was started,
    so without a sandbox a notebook could read the grader's.
    """
    if os.name == "posix" and SCRUBBED not in os.environ:
        kept = {name: os.environ[name] for name in (*PASSED_ON, *OWN) if name in os.environ}
        program = [sys.executable, *sys.orig_argv[1:]]
        os.execve(sys.executable, program, kept | {SCRUBBED: "1"})


def scrub(home: str) -> dict[str, str]:
    """Return an environment without keys, whose home is an empty folder."""
    env = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    paths = [PACKAGES, *filter(None, [os.environ.get("PYTHONPATH")])]
    homes = dict.fromkeys(("HOME", "USERPROFILE", "TMP", "TEMP", "TMPDIR", "IPYTHONDIR"), home)
    return env | homes | {"PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1"}
