"""Runs that need not be played: those in the repository, and those that this process has played.

A run of the practice model has no randomness: the same setting always gives the same run. So every
run of the ten steps and every cell of the arena is kept in FILE, which `make runs` writes.
"""

import gzip
import json
from collections.abc import Callable, Generator, Hashable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar, TypeVarTuple

FILE = Path(__file__).with_name("kept_runs.json.gz")
Key = TypeVarTuple("Key")
Run = TypeVar("Run")


@cache
def read_file() -> dict[str, Any]:
    """Return what `lesson.runs.play_all` has written."""
    return json.loads(gzip.decompress(FILE.read_bytes()))


class Store(Generic[*Key, Run]):
    """The runs of one kind. Call it with what a run depends on, and it returns the run.

    `play` plays a run, yields after each round, and returns the run; it is not called for a run
    that is known. `read` returns the runs in FILE.
    """

    def __init__(
        self,
        play: Callable[[*Key], Generator[None, None, Run]],
        read: Callable[[], dict[Hashable, Run]],
    ) -> None:
        self._play, self._read = play, read
        self._runs: dict[Hashable, Run] | None = None

    def known(self, *key: *Key) -> Run | None:
        """Return the run if it is in FILE or was played in this process, or None."""
        if self._runs is None:
            self._runs = self._read()
        return self._runs.get(key)

    def play(self, *key: *Key) -> Iterator[None]:
        """Play the run unless it is known. Yield after each round."""
        if self.known(*key) is None:
            run = yield from self._play(*key)
            assert self._runs is not None
            self._runs[key] = run

    def __call__(self, *key: *Key) -> Run:
        for _round in self.play(*key):
            pass
        run = self.known(*key)
        assert run is not None
        return run
