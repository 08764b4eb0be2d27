"""Work in the background: one job at a time, and only the newest counts."""

import threading
from collections.abc import Callable, Iterator
from typing import Any


class Latest:
    """Runs jobs in threads. A job is a generator, and can be dropped at each yield.

    A job is not resumed once there is a newer one, so its outdated results are never shown.
    `failed` is called with the exception of a job that fails.
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
        self._thread.start()

    def _work(self, job: Iterator[Any]) -> None:
        with self._turn:
            try:
                while self._job is job:
                    next(job)
            except StopIteration:
                pass
            except Exception as problem:
                if self._job is job:
                    self._failed(problem)

    def wait(self) -> None:
        """Return when the newest job has ended."""
        if self._thread:
            self._thread.join()
