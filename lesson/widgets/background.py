"""Work in the background: one job at a time, and only the newest counts."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any


class Latest:
    """Runs jobs whenever Python has nothing else to do, in a kernel and in a browser's Python.

    A job is a generator. It is not resumed once there is a newer one, so its outdated results are
    never shown. `failed` is called with the exception of a job that fails.
    """

    def __init__(self, failed: Callable[[Exception], None]) -> None:
        self._failed = failed
        self._job: Iterator[Any] = iter(())
        self._task: asyncio.Task[None] | None = None  # the event loop does not keep it

    def start(self, job: Iterator[Any]) -> None:
        """Start `job`, and drop any other. In a script, which has no pauses, do all of it now."""
        self._job = job
        try:
            self._task = asyncio.get_running_loop().create_task(self._work(job))
        except RuntimeError:
            self.wait()

    async def _work(self, job: Iterator[Any]) -> None:
        while self._job is job and self._advance():
            await asyncio.sleep(0)  # lets what the reader does come in

    def _advance(self) -> bool:
        """Do the next part of the job. Return whether it goes on."""
        try:
            next(self._job)
            return True
        except StopIteration:
            return False
        except Exception as problem:
            self._failed(problem)
            return False

    def wait(self) -> None:
        """Return when the newest job has ended."""
        while self._advance():
            pass
