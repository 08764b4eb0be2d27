"""192 runs of models with names, judged by withheld tests and a build, and twelve of them told.

The file has figures, and the lesson's own words: its head says where the runs are from and what
each field means.
"""

import json
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

    `build` and `check_item` are None unless the list was read closely.
    """

    run: str
    model: str
    status: str
    list: bool
    items: int | None = None
    ticked: int | None = None
    build: str | None = None
    check_item: bool | None = None

    @property
    def job(self) -> str:
        """Return the name of the job, which is a part of the run's folder."""
        return self.run.split("/")[2].removeprefix("agent-")

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
    """Return the runs whose ticked lists were read closely."""
    return [run for run in judged_runs() if run.model in CLOSE and run.is_ticked]


def runs_without_list() -> list[JudgedRun]:
    """Return the runs of the same two models that wrote no list."""
    return [run for run in judged_runs() if run.model in CLOSE and not run.list]


@dataclass(frozen=True)
class Case:
    """One run that is told in the lesson's own words: see the head of the file."""

    number: int
    name: str
    job: str
    wishes: list[str]
    items: list[str]
    on: list[list[int]]
    fate: dict[str, str]
    said: str
    why: str
    fair: tuple[str, str]
    tests: tuple[int, int]
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
        """Return the numbers, from 1, of the wishes that are in no task."""
        return [number for number, items in enumerate(self.on, 1) if not items]


@cache
def read_cases() -> dict[int, Case]:
    """Return the twelve told runs, by number."""
    return {case["number"]: Case(**case) for case in read_file()["cases"]}
