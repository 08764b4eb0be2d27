"""What the practice model can do: a few tasks, each a list of steps on a sample project.

A task is data: `lesson/samples/NAME/task.toml`, beside the project that it is about. The practice
model knows all of it by heart; whether it keeps to the plan is up to `mind`.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).parents[2] / "samples"
# Words that ask for work. A prompt with one that is not in a task's own prompt asks for something
# else, or for more.
WORK = frozenset(
    """add bug bugs comment comments convert count create debug delete describe doc docs error
    errors explain feature find fix format function implement logging merge move optimise optimize
    performance poem port remove rename replace review rewrite speed split summarise summarize
    test tests translate type update write""".split()
)
REFUSAL = re.compile(
    r"\b(?:do not|don't|never)\s+(?:refactor|create|review|fix|analy[sz]e|add|update)\b"
)


@dataclass(frozen=True)
class Action:
    """One tool call of a step: the tool's name, its input, and what the model says with it."""

    tool: str
    input: dict[str, Any]
    say: str = ""


@dataclass(frozen=True)
class Step:
    """One item of a plan. `done` maps a file to a pattern that shows that the step is done."""

    text: str
    activeForm: str
    priority: str
    done: dict[str, str]
    actions: tuple[Action, ...]

    def is_done(self, root: Path) -> bool:
        """Whether the files below `root` show that this step has been done there."""
        names = [name for name in self.done if (root / name).is_file()]
        return self.is_shown({name: (root / name).read_text(encoding="utf-8") for name in names})

    def is_shown(self, texts: Mapping[str, str | None]) -> bool:
        """Whether these texts of files, by name, show that this step has been done."""
        known = {name: text for name, text in texts.items() if text is not None}
        return all(
            name in known and re.search(pattern, known[name], re.MULTILINE)
            for name, pattern in self.done.items()
        )


@dataclass(frozen=True)
class Task:
    """A prompt, the `words` by which it is recognised, the steps, and the closing sentence."""

    name: str
    prompt: str
    words: tuple[str, ...]
    closing: str
    steps: tuple[Step, ...]

    def step(self, text: str) -> Step | None:
        """The step that a todo item with this `text` stands for, or None."""
        return next((s for s in self.steps if s.text.casefold() == text.casefold()), None)


@cache
def load(name: str) -> Task:
    """The task of the sample project `name`. Raises FileNotFoundError if there is none."""
    data = tomllib.loads((SAMPLES / name / "task.toml").read_text(encoding="utf-8"))
    for step in data["steps"]:
        step["actions"] = tuple(action(**fields) for fields in step["actions"])
    data["steps"] = tuple(Step(**step) for step in data["steps"])
    data["words"] = tuple(data["words"])
    return Task(name, **data)


def action(tool: str, say: str = "", **input: Any) -> Action:
    """An Action from a [[steps.actions]] table: all keys except these two are the tool's input."""
    return Action(tool, input, say)


@cache
def names() -> tuple[str, ...]:
    """The names of all tasks, sorted."""
    return tuple(sorted(path.parent.name for path in SAMPLES.glob("*/task.toml")))


def find(prompt: str) -> Task | None:
    """The task that a `prompt` asks for, or None.

    The prompt has all of the task's `words`, and asks for no work that is not in the task's own
    prompt: "add tests to hello.py" is a different job from the task about hello.py.
    """
    folded = prompt.casefold()
    if REFUSAL.search(folded):
        return None
    work = WORK & set(re.findall(r"\w+", folded))
    for task in map(load, names()):
        own_work = WORK & set(re.findall(r"\w+", task.prompt.casefold()))
        if all(word.casefold() in folded for word in task.words) and work <= own_work:
            return task
    return None
