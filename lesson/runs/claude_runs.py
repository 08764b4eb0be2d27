"""Read the runs of a Claude model with this project's loop, tools, list and nag.

The model's version is not known, and its requests were relayed to it: `docs/sources.md` says how
the runs were made and what they do not show. There are three kinds:

- the seat, played to its end: four conditions, four runs each. They begin in round 8 of the
  practice model's run, with three of the ten steps done, and the plan no longer in the window;
- the same with a second job, `auth`: two conditions, three runs each, of which only the verdicts
  are kept;
- two whole runs of the ten steps, which the prompt names.
"""

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ..samples.jobs import load_job

STORED = Path(__file__).with_suffix(".json.gz")
# What the model got besides the conversation, and what it is called in a table.
CONDITIONS = {
    "listed": "the reminder shows the list",
    "plantext": "the plan once, as text, and no todo tool",
    "reminder": "“Update your todos.”",
    "nolist": "nothing, and no todo tool",
    "whole_list": "the whole job, with the list",
    "whole_nolist": "the whole job, without it",
}
SEAT = ("listed", "plantext", "reminder", "nolist")  # the sixteen runs from the seat


@dataclass(frozen=True)
class ClaudeRun:
    """One run.

    It is drawn from the same `letters` and `steps` as a Record. The first `rounds_before` of them
    are those of the practice model. `tokens` is the input of all its requests together, in
    characters divided by four, without prompt caching. `last_words` is the text of the last reply.
    `done` says for each step of the job whether the final files showed it, and `files` has their
    texts by name; of the job `auth` there are none.

    Of the runs from the seat, the model's own tests were run by us: `tests_passed` is how many of
    them pytest found and passed, and none failed; `unittest_ran` is how many `python -m unittest`
    found. `passed_without_hints` is the first number again after the type hints were taken out of
    pricing.py, and None if it had none.
    """

    name: str
    job: str
    condition: str
    rounds_before: int
    letters: str
    steps: str
    tokens: int
    calls: int
    last_words: str
    done: tuple[bool, ...]
    files: Mapping[str, str] = field(repr=False)
    tests_passed: int = 0
    unittest_ran: int = 0
    passed_without_hints: int | None = None

    @property
    def plan(self) -> tuple[str, ...]:
        """Return the steps of the job, which the practice model's list has in round 1."""
        return tuple(step.text for step in load_job(self.job).steps)

    @property
    def rounds(self) -> int:
        """Return how many requests the model was sent."""
        return len(self.letters) - self.rounds_before

    @property
    def all_done(self) -> list[bool]:
        """Return what `Record.all_done` does: such a run stops only once, in its last round."""
        return [all(self.done)] * len(self.letters)

    @property
    def steps_done(self) -> int:
        return sum(self.done)

    @property
    def says_all_done(self) -> bool:
        """Return whether the last reply reports ten finished steps. All of them were read.

        They are the steps of the plan that the model had then, which can be another one than the
        plan of the job. `steps_done` counts the job's.
        """
        return "ten steps" in self.last_words.casefold()


def claude_runs(job: str = "ten_steps", condition: str | None = None) -> tuple[ClaudeRun, ...]:
    """Return the runs of a job: all, those of one of CONDITIONS, or the sixteen of "seat"."""
    names = {None: tuple(CONDITIONS), "seat": SEAT}.get(condition, (condition,))
    return tuple(run for run in read_all() if run.job == job and run.condition in names)


@cache
def read_all() -> tuple[ClaudeRun, ...]:
    """Return all runs, in the order of CONDITIONS."""
    data = json.loads(gzip.decompress(STORED.read_bytes()))
    return tuple(read_run(data["texts"], **run) for run in data["runs"])


def read_run(
    texts: list[str],
    files: Mapping[str, int],
    done: str,
    start_letters: str,
    start_steps: str,
    letters: str,
    steps: str,
    **rest: Any,
) -> ClaudeRun:
    """Return a run of the data file, which has each text of a file once."""
    return ClaudeRun(
        rounds_before=len(start_letters),
        letters=start_letters + letters,
        steps=start_steps + steps,
        done=tuple(mark == "x" for mark in done),
        files={name: texts[number] for name, number in files.items()},
        **rest,
    )
