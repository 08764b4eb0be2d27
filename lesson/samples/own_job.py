"""Make a job of the learner's own: a few steps, each of which writes one file.

The prompt contains everything that is to be done, so the practice model reads the job from the
request, as a real model does, and nothing needs to be registered.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import PurePosixPath, PureWindowsPath
from posixpath import normpath
from typing import Any

from agentlib.defaults import MAX_ITEMS

from .jobs import Action, Job, Step
from .project_files import ProjectFiles

Steps = Iterable[Sequence[str] | Mapping[str, str]]
NAME = "own"  # of every such job; no sample has this name
OPENING = "Do these steps, one after the other."
CLOSING = "All the steps are done."
PRIORITIES = ("high", "medium", "low")
LINE = re.compile(
    r'\d+\. (?P<text>.+): write (?P<content>".*") into (?P<path>".+?")'
    r"(?: \((?P<priority>high|medium|low) priority\))?"
)
NUMBERED = re.compile(r"\d+\. ")
BEFORE_A_NUMBER = re.compile(r"\s+(?=\d+\. )")
FIELDS = ("text", "path", "content", "priority")
EXAMPLE = '[("Write the greeting", "hello.txt", "Hello!\\n", "high"), …]'
SHARED = "Steps {} write the same file, {}: at the end, it has what the last of them writes."
HOW = (
    f"A job of your own is a list of steps. Each is a text, a path, a content and, if you like, a "
    f"priority: {EXAMPLE}, or a dict with these fields: {', '.join(FIELDS)}"
)


def has_content(path: str, content: str, files: ProjectFiles) -> bool:
    """Return whether the file at `path` has this content, whatever its line ends are."""
    text = files.texts.get(str(PurePosixPath(path)))
    return text is not None and lines_of(text) == lines_of(content)


def lines_of(text: str) -> list[str]:
    """Return the lines of a text, without the line break at its end, if it has one."""
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def make_job(steps: Steps) -> Job:
    """Return the job with these `steps`: each is a text, a path, and what the file then contains.

    A fourth element may be its priority: "high", "medium" or "low", in any case. A dict has the
    same in FIELDS. Raise ValueError, which names the step, if there is none or one of them is
    something else, if there are more than a list can have, and if two have the same text, because
    a list has each task once.
    """
    if isinstance(steps, Mapping) or not isinstance(steps, Iterable):
        raise ValueError(f"{HOW}. This is none: {steps!r:.60}")
    rows = [read_fields(step) for step in steps]
    if not 0 < len(rows) <= MAX_ITEMS:
        raise ValueError(f"A job has 1 to {MAX_ITEMS} steps, not {len(rows)}: {EXAMPLE}")
    lines = [describe_step(number, row) for number, row in enumerate(rows, 1)]
    require_different_texts([row[0] for row in rows])
    job = read_own_job("\n".join([OPENING, "", *lines]))
    assert job is not None  # this module has just written the prompt
    return job


def describe_prompt() -> str:
    """Return an example of such a prompt, in one line."""
    return " ".join(
        make_job([("Greet", "hello.txt", "Hello!"), ("Sign it", "by.txt", "Ada")]).prompt.split()
    )


def require_different_texts(texts: Iterable[str]) -> None:
    """Raise ValueError if two steps have the same text. Case and space do not matter."""
    numbers: dict[str, int] = {}
    for number, text in enumerate(texts, 1):
        first = numbers.setdefault(" ".join(text.casefold().split()), number)
        if first != number:
            raise ValueError(
                f"Steps {first} and {number} must have different texts, not both {text!r:.60}"
            )


def read_fields(step: Any) -> Any:
    """Return the fields of a step that is a dict in their order, or any other step as it is."""
    is_step = isinstance(step, Mapping) and {*FIELDS[:3]} <= step.keys() <= {*FIELDS}
    return [step[name] for name in FIELDS if name in step] if is_step else step


def describe_step(number: int, step: Any) -> str:
    """Return the line of a prompt for one step. Raise ValueError if it is not a step."""
    is_step = isinstance(step, Sequence) and not isinstance(step, str) and len(step) in (3, 4)
    if not is_step:
        raise ValueError(f"{HOW}. Step {number} is none: {step!r:.60}")
    for name, value in zip(FIELDS, step, strict=False):
        if not isinstance(value, str):
            rule = f'The {name} of step {number} must be text, such as "{value!s:.40}"'
            raise ValueError(f"{rule}, not {value!r:.40}")
    text, path, content, *more = step
    priority = more[0].strip().lower() if more else ""
    if more and priority not in PRIORITIES:
        raise ValueError(
            f"The priority of step {number} is one of {', '.join(PRIORITIES)}, not {more[0]!r:.60}"
        )
    if not text.strip() or len(text.splitlines()) > 1:
        raise ValueError(f"The text of step {number} must be one line, not {text!r:.60}")
    if not path.strip():
        raise ValueError(f"Step {number} needs the path of a file")
    if PureWindowsPath(path).anchor or normpath(path).startswith(".."):
        raise ValueError(f"The path of step {number} is outside of the job's folder: {path!r:.60}")
    if any(part.startswith(".") and part != ".." for part in PurePosixPath(path).parts):
        raise ValueError(
            f"The path of step {number} is hidden, and no judge reads it: {path!r:.60}"
        )
    line = f"{number}. {text.strip()}: write {json.dumps(content)} into {json.dumps(path)}"
    return f"{line} ({priority} priority)" if more else line


def describe_shared(job: Job) -> str:
    """Return which steps of a job of the learner's own write the same file, or ""."""
    steps: dict[str, list[str]] = {}
    for number, step in enumerate(job.steps if job.name == NAME else (), 1):
        for path in step.patterns:
            steps.setdefault(normpath(path), []).append(str(number))
    shared = [(path, numbers) for path, numbers in steps.items() if len(numbers) > 1]
    return " ".join(SHARED.format(" and ".join(numbers), path) for path, numbers in shared)


@lru_cache(maxsize=64)  # so two jobs with one prompt are equal
def read_own_job(prompt: str) -> Job | None:
    """Return the job that a prompt contains, or None if it is not written as `make_job` writes it.

    No step is left out: one that cannot be read would never be done, and nobody would say so.
    """
    if not prompt.startswith(OPENING):
        return None
    body = prompt.removeprefix(OPENING).strip()
    # A prompt that is typed at a terminal has one line.
    lines = body.splitlines() if "\n" in body else BEFORE_A_NUMBER.split(body)
    numbered = [line.strip() for line in lines if NUMBERED.match(line.strip())]
    try:
        steps = tuple(
            read_step(line, f"Step {n} of {len(numbered)}") for n, line in enumerate(numbered, 1)
        )
    except ValueError:
        return None
    if not steps:
        return None
    return Job(NAME, prompt, words=(), work=frozenset(), closing=CLOSING, steps=steps)


def read_step(line: str, active: str) -> Step:
    """Return the step of a line. Raise ValueError if it is not written as a step."""
    match = LINE.fullmatch(line)
    if match is None:
        raise ValueError(f"This is not a step: {line}")
    path, content = json.loads(match["path"]), json.loads(match["content"])
    return Step(
        match["text"],
        activeForm=active,
        priority=match["priority"] or "medium",
        patterns={path: re.escape(content.strip())},
        actions=(Action("write_file", {"path": path, "content": content}),),
        done=partial(has_content, path, content),
    )
