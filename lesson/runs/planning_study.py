"""The largest public test of a plan: four models on the same 500 tasks, with and without a plan.

The plan is five lines of the prompt, written by people: no model writes a list here. The head of
`planning_study.json` says where the figures are from and what each letter means.
"""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .coins import exact_p

FILE = Path(__file__).with_suffix(".json")
TASKS = range(500)


@dataclass(frozen=True)
class Pair:
    """Two series of one model, task by task: `gained` is the number solved only in the second.

    A task is `missing` if one of the series has no verdict. `worst` is (gained, lost) if every
    missing verdict counts against the second series.
    """

    gained: int
    lost: int
    both: int
    never: int
    missing: int
    worst: tuple[int, int]

    def __str__(self) -> str:
        return f"{self.gained} : {self.lost}"

    @property
    def tasks(self) -> int:
        """Return how many tasks have a verdict in both series."""
        return self.gained + self.lost + self.both + self.never

    @property
    def before(self) -> int:
        """Return how many of these tasks the first series solved."""
        return self.both + self.lost

    @property
    def after(self) -> int:
        return self.both + self.gained

    @property
    def changed(self) -> int:
        """Return how many tasks were gained or lost."""
        return self.gained + self.lost

    @property
    def net(self) -> int:
        return self.gained - self.lost

    @property
    def p(self) -> float:
        return exact_p(self.gained, self.lost)


@cache
def read_study() -> dict[str, Any]:
    return json.loads(FILE.read_text(encoding="utf-8"))


def read_series(model: str, series: str) -> dict[str, Any]:
    """Return the `verdicts` of a series, a letter for each task, and its `steps`."""
    return read_study()["models"][model]["series"][series]


def compare_series(model: str, before: str, after: str, tasks: Iterable[int] = TASKS) -> Pair:
    """Compare two series of a model on these tasks, which are places in the file's order."""
    first, second = (read_series(model, name)["verdicts"] for name in (before, after))
    rows = Counter((first[task], second[task]) for task in tasks)

    def count(befores: str, afters: str) -> int:
        return sum(n for (one, other), n in rows.items() if one in befores and other in afters)

    gained, lost = count("0u", "1"), count("1", "0u")
    missing = count("-", "10u-") + count("10u", "-")
    against = count("-", "0u-") + count("1", "-")
    return Pair(
        gained=gained,
        lost=lost,
        both=count("1", "1"),
        never=count("0u", "0u"),
        missing=missing,
        worst=(gained, lost + against),
    )


def shared_tasks(model: str) -> list[int]:
    """Return the tasks that have a verdict in every series of a model."""
    known = [series["verdicts"] for series in read_study()["models"][model]["series"].values()]
    return [task for task in TASKS if all(verdicts[task] != "-" for verdicts in known)]
