"""The jobs that the practice model can do: each is a list of steps in a sample project.

A job is data in `lesson/samples/NAME/job.toml`, next to its folder `project` and its `done.py`. A
new folder is found by itself. The fields of job.toml:

    prompt    what the user asks for
    words     the first job, in alphabetical order, whose words are all in a prompt is done
    closing   what the practice model says when all steps are done
    program   a file whose output no step may change; optional
    project   the name of the sample whose project the job takes; optional
    steps     in the order in which they are done; each step has
        text, activeForm, priority    a task of the list
        patterns    of each file that the step changes, a pattern that matches what the step has
                    written there: by these the practice model knows its own work
        done        a function of done.py, and what it takes besides the files
        actions     tool calls: `tool`, `say` (the text before the call), and the call's input

Four promises of a step, which tests/samples/test_samples.py plays for each job: after its actions,
its `done` is True, its `patterns` match, and the program prints what it printed before; and the
files of the finished job pass ruff (E, F, W, I, B, lines of 79 characters).

Whether a step is done has three answers: what the files show (`Step.done`), what the calls in
the practice model's window show (`steps.is_seen_done`), and what a list or reminder says
(`Mention.claim`). Only the first one accepts work that the practice model has not done: each step
has a judge, which reads the files and never runs them, such as a function in the `done.py` of its
sample.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from .project_files import NotJudgedError, ProjectFiles, limited_work, read_files

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
    """One entry of a job.

    `patterns` has a pattern for each file that the step changes, which matches what the practice
    model writes into it: by these it knows its own work. `done` says whether the files of a folder
    show that the step is done, whoever has done it.
    """

    text: str
    activeForm: str
    priority: str
    patterns: dict[str, str]
    actions: tuple[Action, ...]
    done: Callable[[ProjectFiles], bool]

    def is_written(self, texts: Mapping[str, str | None]) -> bool:
        """Return True if the contents of files, by name, are as the practice model writes them."""
        for name, pattern in self.patterns.items():
            text = texts.get(name)
            if text is None or not re.search(pattern, text, re.MULTILINE):
                return False
        return True


@dataclass(frozen=True)
class Job:
    """A prompt, the `words` that identify it, its words for `work`, the steps, and the last reply.

    `program` is the file whose output no step may change, or "". `project` is "" if the job has a
    project of its own, or the name of the sample whose project it takes.
    """

    name: str
    prompt: str
    words: tuple[str, ...]
    work: frozenset[str]
    closing: str
    steps: tuple[Step, ...]
    program: str = ""
    project: str = ""

    @property
    def folder(self) -> Path:
        """Return the folder of the project."""
        return SAMPLES / (self.project or self.name) / "project"

    def step(self, text: str) -> Step | None:
        """Return the step with this `text`, or None. Case does not matter."""
        folded = text.casefold()
        return next((step for step in self.steps if step.text.casefold() == folded), None)

    def prompt_for(self, model: Any) -> str:
        """Return the prompt for a `model` that `connect()` has returned.

        A real model gets the steps with it, so that it is asked for what is counted. The practice
        model has them in its script.
        """
        return self.name_steps(self.prompt) if model.real else self.prompt

    def name_steps(self, prompt: str) -> str:
        """Return a `prompt` for this job with its steps, one on each line, if it lacks them."""
        if all(step.text in prompt for step in self.steps):  # such as that of an own job
            return prompt
        steps = [f"{number}. {step.text}" for number, step in enumerate(self.steps, 1)]
        return "\n".join([f"{prompt.strip()}\n\nThe steps are:", *steps])

    def find_done(self, root: Path) -> tuple[bool, ...]:
        """Return the verdict of `judge` on the files in `root`."""
        return self.judge(read_files(root))

    def judge(self, files: ProjectFiles) -> tuple[bool, ...]:
        """Return for each step whether these files show that it is done.

        Raise NotJudgedError if the files are too much for the judges.
        """
        reason = files.find_limit(name for step in self.steps for name in step.patterns)
        if reason:
            raise NotJudgedError(reason)
        verdict = find_verdict(tuple(step.done for step in self.steps), files)
        if isinstance(verdict, str):
            raise NotJudgedError(verdict)
        return verdict

    def list_missing(self, root: Path) -> list[str]:
        """Return the text of each step that the files in `root` do not show.

        Raise NotJudgedError as `find_done` does.
        """
        done = self.find_done(root)
        return [step.text for step, is_done in zip(self.steps, done, strict=True) if not is_done]


@lru_cache(maxsize=256)
def find_verdict(
    judges: tuple[Callable[[ProjectFiles], bool], ...], files: ProjectFiles
) -> tuple[bool, ...] | str:
    """Return whether these files show that each step is done, or why this is not judged.

    Equal files are judged once.
    """
    try:
        with limited_work():
            return tuple(done(files) for done in judges)
    except NotJudgedError as problem:
        return problem.reason
    except (RecursionError, MemoryError):  # a program can be nested too deeply for Python
        return "a program is nested too deeply for Python to read it"


@cache
def load_job(name: str) -> Job:
    """Return the job of the sample project `name`.

    Raise FileNotFoundError, with all names, if there is no sample of this name.
    """
    if name not in list_jobs():
        raise FileNotFoundError(f"There is no sample {name!r}, only {', '.join(list_jobs())}.")
    data = tomllib.loads((SAMPLES / name / "job.toml").read_text(encoding="utf-8"))
    for step in data["steps"]:
        step["done"] = find_judge(name, step["done"])
        step["actions"] = tuple(read_action(**fields) for fields in step["actions"])
    data["steps"] = tuple(Step(**step) for step in data["steps"])
    data["words"] = tuple(word.casefold() for word in data["words"])
    return Job(name, work=find_work_words(data["prompt"]), **data)


def find_judge(name: str, done: str) -> Callable[[ProjectFiles], bool]:
    """Return the judge of a step: the name of a function, and what it takes besides the files."""
    function, *more = done.split()
    judge = getattr(import_module(f".{name}.done", __package__), function)
    return lambda files: judge(files, *more)


def read_action(tool: str, say: str = "", **input: Any) -> Action:
    """Return an Action from a [[steps.actions]] table. Its other keys are the tool's input."""
    return Action(tool, input, say)


@cache
def list_jobs() -> tuple[str, ...]:
    """Return the names of all jobs, sorted: each is the name of a sample project."""
    return tuple(sorted(path.parent.name for path in SAMPLES.glob("*/job.toml")))


def find_work_words(prompt: str) -> frozenset[str]:
    return WORK.intersection(re.findall(r"\w+", prompt.casefold()))
