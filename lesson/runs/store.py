"""Runs that need not be played: those in the repository, and those that this process has played.

A run of the practice model has no randomness: the same setting always gives the same run. So every
run of the ten steps and every cell of the arena is kept in FILE, which `make runs` writes.
"""

import gzip
import json
from collections.abc import Callable, Hashable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar, TypeVarTuple

from .trial import Trial

FILE = Path(__file__).with_name("kept_runs.json.gz")
Key = TypeVarTuple("Key")
Played = TypeVar("Played", bound=Trial)
Run = TypeVar("Run")


@cache
def read_file() -> dict[str, Any]:
    """Return what `lesson.runs.play_all` has written."""
    return json.loads(gzip.decompress(FILE.read_bytes()))


class Store(Generic[*Key, Played, Run]):
    """The runs of one kind. Call it with what a run depends on, and it returns the run.

    `set_up` returns a Trial, which is played unless the run is known, and `describe` what is kept
    of it. `read` returns the runs in FILE.
    """

    def __init__(
        self,
        set_up: Callable[[*Key], Played],
        describe: Callable[[*Key, Played], Run],
        read: Callable[[], dict[Hashable, Run]],
    ) -> None:
        self._set_up, self._describe, self._read = set_up, describe, read
        self._runs: dict[Hashable, Run] | None = None

    def known(self, *key: *Key) -> Run | None:
        """Return the run if it is in FILE or was played in this process, or None."""
        if self._runs is None:
            self._runs = self._read()
        return self._runs.get(key)

    def play(self, *key: *Key) -> Iterator[None]:
        """Play the run unless it is known. Yield after each round."""
        if self.known(*key) is None:
            trial = self._set_up(*key)
            for _ in trial:
                yield
            assert self._runs is not None
            self._runs[key] = self._describe(*key, trial)

    def __call__(self, *key: *Key) -> Run:
        for _round in self.play(*key):
            pass
        run = self.known(*key)
        assert run is not None
        return run
