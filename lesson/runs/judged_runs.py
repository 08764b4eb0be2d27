"""192 runs of models with names, judged by hidden tests and a build, and twelve of them told.

The file has figures, and the lesson's own words: its head says where the runs are from and what
each field means.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_suffix(".json")
REPOSITORY = "vercel/next-evals-oss"
# The two models whose ticked lists were read closely: their build and their items are known.
CLOSE = {
    "claude-sonnet-4-5-20250929": "Claude Sonnet 4.5",
    "claude-opus-4-5-20251101": "Claude Opus 4.5",
}


@dataclass(frozen=True)
class JudgedRun:
    """One run. `items` and `ticked` are None if no list was written, or if the last was not seen.

    `build`, `check_item` and the tests are unknown unless the list was read closely.
    """

    run: str
    model: str
    status: str
    list: bool
    items: int | None = None
    ticked: int | None = None
    build: str | None = None
    check_item: bool | None = None
    tests: Sequence[int] = (0, 0)  # passed, all
    failed_tests: Sequence[str] = ()

    @property
    def series(self) -> str:
        """Return the part of the folder that is the same for all attempts of a series."""
        return self.run.rpartition("/")[0]

    @property
    def job(self) -> str:
        """Return the name of the job, which is a part of the run's folder."""
        return self.series.split("/")[2].removeprefix("agent-")

    @property
    def date(self) -> str:
        return self.series.split("/")[1][:10]

    @property
    def attempt(self) -> int:
        """Return which attempt of its series the run is, from 1."""
        return int(self.run.rpartition("-")[2])

    @property
    def is_ticked(self) -> bool:
        """Return whether every item of the last list is completed."""
        return self.items is not None and self.ticked == self.items

    @property
    def verdict(self) -> str:
        """Return "passed", "failed", or "no build" if it is known that it did not build."""
        return "no build" if self.build == "failed" else self.status


@cache
def read_file() -> dict[str, Any]:
    return json.loads(FILE.read_text(encoding="utf-8"))


@cache
def judged_runs() -> tuple[JudgedRun, ...]:
    """Return the 192 runs in the order of the file."""
    return tuple(JudgedRun(**run) for run in read_file()["runs"])


def close_lists() -> list[JudgedRun]:
    """Return the runs whose ticked lists were read closely, by model, series and attempt."""
    runs = [run for run in judged_runs() if run.model in CLOSE and run.is_ticked]
    return sorted(runs, key=lambda run: ([*CLOSE].index(run.model), run.date, run.run))


@dataclass(frozen=True)
class Case:
    """One run that is told in the lesson's own words: see the head of the file."""

    number: int
    name: str
    job: str
    points: list[str]
    items: list[str]
    on: list[list[int]]
    fate: dict[str, str]
    said: str
    why: str
    fair: tuple[str, str]
    lesson: str
    tests_say: str
    who: list[str]
    ran_build: bool
    run: str
    commit: str

    @property
    def judged(self) -> JudgedRun:
        """Return the run's verdict and figures."""
        return next(run for run in judged_runs() if run.run == self.run)

    @property
    def link(self) -> str:
        """Return the address of the original."""
        return f"https://github.com/{REPOSITORY}/tree/{self.commit}/results/{self.run}"

    @property
    def gaps(self) -> list[int]:
        """Return the numbers, from 1, of the points that are in no task."""
        return [number for number, items in enumerate(self.on, 1) if not items]


@cache
def read_cases() -> dict[int, Case]:
    """Return the twelve told runs by number, in the order in which they are shown."""
    return {case["number"]: Case(**case) for case in read_file()["cases"]}
