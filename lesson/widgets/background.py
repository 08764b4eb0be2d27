"""Work in the background: one job at a time, and only the newest counts."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any


class Latest:
    """Runs jobs in threads. A job is a generator, and can be dropped at each yield.

    A job is not resumed once there is a newer one, so its outdated results are never shown.
    `failed` is called with the exception of a job that fails. A browser's Python has no threads:
    there, a job goes on whenever Python has nothing else to do.
    """

    def __init__(self, failed: Callable[[Exception], None]) -> None:
        self._failed = failed
        self._job: Iterator[Any] | None = None
        self._thread: threading.Thread | None = None
        self._turn = threading.Lock()

    def start(self, job: Iterator[Any]) -> None:
        """Start `job`, and drop any job that is running or waiting."""
        self._job = job
        self._thread = threading.Thread(target=self._work, args=[job], daemon=True)
        try:
            self._thread.start()
        except RuntimeError:
            self._thread = None
            asyncio.ensure_future(self._work_in_pauses(job))

    def _work(self, job: Iterator[Any]) -> None:
        with self._turn:
            while self._advance(job):
                pass

    async def _work_in_pauses(self, job: Iterator[Any]) -> None:
        while self._advance(job):
            await asyncio.sleep(0)  # lets what the reader does come in

    def _advance(self, job: Iterator[Any]) -> bool:
        """Do the next part of a job. Return whether it goes on; an outdated one does not."""
        if self._job is not job:
            return False
        try:
            next(job)
            return True
        except StopIteration:
            pass
        except Exception as problem:
            if self._job is job:
                self._failed(problem)
        return False

    def wait(self) -> None:
        """Return when the newest job has ended."""
        if self._thread:
            self._thread.join()
        elif self._job:
            self._work(self._job)
