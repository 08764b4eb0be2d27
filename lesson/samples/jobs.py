"""The jobs that the practice model can do: each is a list of steps in a sample project.

A job is data in `lesson/samples/NAME/job.toml`, next to its project. It contains every action of
every step; `PracticePolicy` decides when the practice model does which.

Whether a step is done has three answers: what the files show (`Step.is_done`), what the calls in
the model's window show (`steps.is_seen_done`), and what a list or reminder says (`Mention.claim`).
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).parent
# Words that ask for work. If a prompt contains one that a job's own prompt does not, it asks for
# another job, or for more than that job.
WORK = frozenset(
    """add bug bugs comment comments convert count create debug delete describe doc docs error
    errors explain feature find fix format function implement logging merge move optimise optimize
    performance poem port remove rename replace review rewrite speed split summarise summarize
    test tests translate type update write""".split()
)


@dataclass(frozen=True)
class Action:
    """One tool call of a step: the tool's name, its input, and the text before the call."""

    tool: str
    input: dict[str, Any]
    say: str = ""


@dataclass(frozen=True)
class Step:
    """One entry of a job. `done` maps each changed file to a pattern that it then matches."""

    text: str
    activeForm: str
    priority: str
    done: dict[str, str]
    actions: tuple[Action, ...]

    def is_done(self, root: Path) -> bool:
        """Return True if the files in `root` show that this step is done."""
        files = {name: root / name for name in self.done}
        return self.is_shown(
            {
                name: file.read_text("utf-8", "replace")
                for name, file in files.items()
                if file.is_file()
            }
        )

    def is_shown(self, texts: Mapping[str, str | None]) -> bool:
        """Return True if the contents of files, by name, show that this step is done."""
        return all(
            (text := texts.get(name)) is not None and re.search(pattern, text, re.MULTILINE)
            for name, pattern in self.done.items()
        )


@dataclass(frozen=True)
class Job:
    """A prompt, the `words` that identify it, its words for `work`, the steps, the last reply."""

    name: str
    prompt: str
    words: tuple[str, ...]
    work: frozenset[str]
    closing: str
    steps: tuple[Step, ...]

    def step(self, text: str) -> Step | None:
        """Return the step with this `text`, or None. Case does not matter."""
        return next((s for s in self.steps if s.text.casefold() == text.casefold()), None)


def list_missing(steps: Iterable[Step], root: Path) -> list[str]:
    """Return the text of each of these steps that the files in `root` do not show."""
    return [step.text for step in steps if not step.is_done(root)]


@cache
def load_job(name: str) -> Job:
    """Return the job of the sample project `name`.

    Raise FileNotFoundError, with all names, if there is no sample of this name.
    """
    if name not in list_jobs():
        raise FileNotFoundError(f"There is no sample {name!r}, only {', '.join(list_jobs())}.")
    data = tomllib.loads((SAMPLES / name / "job.toml").read_text(encoding="utf-8"))
    for step in data["steps"]:
        step["actions"] = tuple(action(**fields) for fields in step["actions"])
    data["steps"] = tuple(Step(**step) for step in data["steps"])
    data["words"] = tuple(word.casefold() for word in data["words"])
    return Job(name, work=find_work(data["prompt"]), **data)


def action(tool: str, say: str = "", **input: Any) -> Action:
    """Return an Action from a [[steps.actions]] table. Its other keys are the tool's input."""
    return Action(tool, input, say)


@cache
def list_jobs() -> tuple[str, ...]:
    """Return the names of all jobs, sorted: each is the name of a sample project."""
    return tuple(sorted(path.parent.name for path in SAMPLES.glob("*/job.toml")))


def find_job(prompt: str) -> Job | None:
    """Return the job that a `prompt` asks for, or None.

    The prompt must contain all of the job's `words`, and ask for no work that is not in the
    job's own prompt: "add tests to hello.py" is not the job about hello.py.
    """
    folded, work = prompt.casefold(), find_work(prompt)
    for job in map(load_job, list_jobs()):
        if all(word in folded for word in job.words) and work <= job.work:
            return job
    return None


def find_work(prompt: str) -> frozenset[str]:
    return WORK.intersection(re.findall(r"\w+", prompt.casefold()))
