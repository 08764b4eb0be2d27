"""A kernel that runs a saved notebook's cells: without keys, with limits, in its own folder."""

import os
import re
import signal
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from math import ceil
from pathlib import Path
from subprocess import DEVNULL
from time import monotonic
from typing import Any

from agentlib.sandbox import bubblewrap

START_SECONDS = 60.0
PASSED_ON = ("PATH", "PATHEXT", "SYSTEMROOT", "WINDIR", "COMSPEC", "LD_LIBRARY_PATH")
PACKAGES = str(Path(__file__).parents[3])
SET_UP = "from lesson.exercises.grading import worker as _worker; _worker.set_up()"
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
MAX_OUTPUTS = 20  # of one cell, the rest is dropped
OUTPUT_CHARACTERS = 1_000_000  # of one output, a larger one is dropped
MESSAGE_BYTES = 20_000_000  # a kernel that sends a larger message is cut off
MAX_MESSAGES = 20  # that wait to be read


class CellStoppedError(Exception):
    """The kernel ended, or was killed, before a cell was done. The message says why."""


class Session:
    """One kernel for one notebook. If it ends, a new one runs the same cells again."""

    def __init__(self, setup: Sequence[str], seconds: float) -> None:
        """Take the sources of the cells to run first, and the time for everything."""
        self.done = [(source, START_SECONDS) for source in setup]
        self.deadline = monotonic() + seconds
        self.client: Any = None

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *problem: object) -> None:
        self.stop()

    def run_cell(self, source: str, seconds: float) -> str:
        """Run a learner's cell. Return a sentence if it raised. May raise CellStoppedError."""
        outputs = self.execute(source, seconds)
        self.done.append((source, seconds))
        errors = [one for one in outputs if one["output_type"] == "error"]
        return describe_error(errors[0]) if errors else ""

    def ask(self, name: str, seconds: float) -> dict[str, Any]:
        """Return the worker's result for the exercise of this name."""
        for output in self.execute(f"_worker.publish({name!r})", seconds):
            answer = output.get("data", {}).get("application/json")
            if isinstance(answer, dict):
                return answer
        raise CellStoppedError(
            "The check returned no result. Does the cell redefine a name that the check uses?"
        )

    def execute(self, source: str, seconds: float) -> list[Any]:
        """Run a cell, in a new kernel if there is none. Return its outputs."""
        from nbclient.exceptions import CellTimeoutError, DeadKernelError
        from nbformat.v4 import new_code_cell

        left = self.deadline - monotonic()
        if left <= 0:
            self.stop()
            raise CellStoppedError("It was not run: the time for this notebook is over.")
        if self.client is None:
            self.start()
        cell = new_code_cell(source)
        self.client.nb.cells.append(cell)
        seconds = min(seconds, left)
        self.client.timeout = ceil(seconds)  # nbclient takes whole seconds
        try:
            self.client.execute_cell(cell, len(self.client.nb.cells) - 1)
        except CellTimeoutError:
            words = f"It was still running after {seconds:g} seconds, so it was stopped. "
            problem = CellStoppedError(words + "Does it contain an endless loop?")
        except DeadKernelError:
            problem = CellStoppedError(describe_end(self.process.wait()))
        else:
            return cell.outputs
        self.stop()
        raise problem

    def start(self) -> None:
        """Start a kernel, and run the earlier cells again."""
        import zmq
        from nbclient import NotebookClient
        from nbformat.v4 import new_notebook

        class BoundedClient(NotebookClient):
            """Keep a bounded number of outputs: a cell may display in an endless loop."""

            def output(self, outs: Any, msg: Any, display_id: Any, cell_index: int) -> Any:
                content, room = msg["content"], MAX_OUTPUTS
                if msg["msg_type"] == "error":
                    room += 1  # it says why the next cells fail
                    if len(str(content)) >= OUTPUT_CHARACTERS:
                        content |= {"evalue": str(content["evalue"])[:400], "traceback": []}
                if len(outs) < room and len(str(content)) < OUTPUT_CHARACTERS:
                    return super().output(outs, msg, display_id, cell_index)
                return None

            def handle_comm_msg(self, outs: Any, msg: Any, cell_index: int) -> None:
                """Keep no widgets: their state has no limit."""

        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        client = BoundedClient(
            new_notebook(), kernel_name="python3", allow_errors=True, startup_timeout=START_SECONDS
        )
        manager: Any = client.create_kernel_manager()
        manager.context.setsockopt(zmq.MAXMSGSIZE, MESSAGE_BYTES)
        manager.context.setsockopt(zmq.RCVHWM, MAX_MESSAGES)
        if bubblewrap.works():
            sandbox(manager, Path(self.folder.name).resolve())
        client.start_new_kernel(
            cwd=self.folder.name, env=scrub(self.folder.name), stdout=DEVNULL, stderr=DEVNULL
        )
        client.start_new_kernel_client()
        self.client = client
        self.process = self.client.km.provisioner.process
        for source, seconds in [(SET_UP, START_SECONDS), *self.done]:
            self.execute(source, seconds)

    def stop(self) -> None:
        """End the kernel and every process that it started."""
        from jupyter_core.utils import run_sync

        if self.client is None:
            return
        client, self.client = self.client, None
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()
        self.process.wait()
        client.kc.stop_channels()
        run_sync(client.km.cleanup_resources)()
        self.folder.cleanup()


def sandbox(manager: Any, folder: Path) -> None:
    """Make a kernel start in bubblewrap: it can write only to `folder` and has no network."""
    manager.transport, manager.ip = "ipc", str(folder / "kernel")
    manager.connection_file = str(folder / "connection.json")
    wrapper = bubblewrap.arguments(folder, network=False, read_only=[Path(PACKAGES)])
    # In its own PID namespace, the kernel would not find its parent, and would end.
    command = ["env", "--unset=JPY_PARENT_PID", sys.executable, *manager.kernel_spec.argv[1:]]
    manager.kernel_spec.argv = [*wrapper, *command]


def scrub(home: str) -> dict[str, str]:
    """Return an environment without keys, whose home is an empty folder."""
    env = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    paths = [PACKAGES, *filter(None, [os.environ.get("PYTHONPATH")])]
    homes = dict.fromkeys(("HOME", "USERPROFILE", "TMP", "TEMP", "TMPDIR", "IPYTHONDIR"), home)
    return env | homes | {"PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1"}


def describe_end(code: int) -> str:
    """Return why a kernel ended, from its exit code."""
    if code < 0 or code > 128:  # bubblewrap returns 128 + signal
        signal_number = -code if code < 0 else code - 128
        return f"It was killed by signal {signal_number}: did it use too much memory?"
    return f"It ended (exit code {code}) before the check was over. Is there an exit() in it?"


def describe_error(error: dict[str, Any]) -> str:
    """Return what a cell raised, as a sentence with the learner's line."""
    traceback = COLOURS.sub("", "\n".join(map(str, error.get("traceback", []))))
    arrows = re.findall(r"(?m)^-+> *(\d+) (.*)", traceback)
    lines = arrows or re.findall(r"line (\d+)\n +(.*)", traceback)
    value = re.sub(r" \(\d+\.py, line \d+\)$", "", error["evalue"])  # of a SyntaxError
    words = f"{error['ename']}: {value}".removesuffix(": ")[:400]
    said = f"The cell stopped with {words}."
    if lines:
        number, code = lines[0]
        said = f"The cell stopped with {words} in line {number}: {code.strip()}."
    if error["ename"] == "NameError":
        said += " Only the cells of the exercises are run here."
    return said
