"""300 recorded runs of a real model with a name: when it wrote its list, and how the list ended.

The file has figures only: its head says where they are from and what each letter means.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_suffix(".json")


@dataclass(frozen=True)
class WrittenList:
    """One list in a run: the round that wrote it (from 1), and its tasks by status."""

    round: int
    completed: int
    in_progress: int
    pending: int

    @property
    def is_ticked(self) -> bool:
        """Return whether every task is completed."""
        return self.in_progress == self.pending == 0


@dataclass(frozen=True)
class RealRun:
    """One run: the task of SWE-bench Lite, a letter for each reply, and the lists that it wrote."""

    task: str
    replies: str
    lists: tuple[WrittenList, ...]

    @property
    def longest_gap(self) -> int:
        """Return the most rounds between two lists, or between the last list and the end."""
        written = [one.round for one in self.lists]
        following = [*written[1:], len(self.replies)]
        return max(after - before for before, after in zip(written, following, strict=True))


@cache
def real_runs() -> tuple[RealRun, ...]:
    """Return the 300 runs in the order of the file."""
    runs = json.loads(FILE.read_text(encoding="utf-8"))["runs"]
    return tuple(
        RealRun(run["task"], run["replies"], tuple(WrittenList(*one) for one in run["lists"]))
        for run in runs
    )
