"""A conversation with the agent in a terminal: one history, one todo list, one folder."""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import count
from pathlib import Path
from textwrap import shorten
from typing import Any

import anthropic

from agentlib import approval, escape
from agentlib.loop import Round, rounds
from agentlib.nag import Nag
from agentlib.prompts import carry_on, first_message, system_prompt
from agentlib.todo import TodoManager
from agentlib.workspace import Workspace

from ..model_choice import connect
from ..practice.policy import tasks
from ..real_model.error_messages import explain, is_too_long
from ..real_model.limits import LimitReachedError
from ..runs.bill import make_bill
from ..runs.trace import Trace
from ..samples import sample
from .arguments import CannotStartError
from .display import Display
from .screen import DIM, say

NAG_AFTER = 3  # rounds
KEPT_RUNS = 20  # in the user's state folder
COMPACTED = (
    "The conversation is longer than the model's context window. A new one begins with the task, "
    "the todo list and your last prompt; the files are unchanged."
)


class Agent:
    """One conversation. `messages`, `todo` and `trace` are its state."""

    def __init__(self, args: argparse.Namespace) -> None:
        """Connect and open the workspace of `args`. Raise ConnectError or CannotStartError."""
        self.args = args
        self.trace = open_trace(args.resume) if args.resume else Trace()
        self.messages = self.trace.messages
        self.display = Display(self.messages, args.allow)
        if args.nag is not None or not args.resume:
            self.trace.after = (NAG_AFTER if args.nag is None else args.nag) or None
        self.file = real_path(args.save) if args.save else None
        self.todo = TodoManager()
        self.nag = Nag(self.todo, self.trace.after) if self.trace.after else None
        if self.trace.steps:
            last = self.trace.steps[-1]
            self.todo.items = list(last.items)
            if self.nag:
                self.nag.rounds = last.waited
        self.workspace: Workspace | None = None
        self.connection = connect(
            args.model, max_tokens=args.max_tokens, ask=self.display.ask, say=self.display.note
        )

    @property
    def is_unfinished(self) -> bool:
        """Return whether the model speaks next, as in a run that was saved in the middle."""
        return bool(self.messages) and self.messages[-1]["role"] == "user"

    def work(self, prompt: str | None) -> bool:
        """Work on `prompt`, or continue if it is None, and show each round.

        Return whether the model could be asked. The history is also kept after an interrupt.
        """
        played: list[Round] = []
        if self.workspace is None:
            folder = self.args.workspace
            self.workspace = open_workspace(folder, prompt or "", self.connection.real)
            self.file = self.file or self.new_file()
        if prompt is not None:
            self.add_prompt(escape.for_api(prompt))
        try:
            while True:
                self.keep()
                try:
                    self.play(played)
                    return True
                except (LimitReachedError, anthropic.APIError, ValueError) as problem:
                    if not self.recover(problem):
                        return False
        finally:
            self.keep()
            if played:
                say(str(make_bill(played)), DIM, sys.stderr)

    def add_prompt(self, prompt: str) -> None:
        """Append the user's prompt to the history."""
        if self.messages:
            self.messages.append({"role": "user", "content": prompt})
        else:
            self.messages.append(first_message(prompt))
            self.trace.title = shorten(prompt, 60, placeholder=" …")

    def play(self, played: list[Round]) -> None:
        """Run the loop to its end, show each Round and add it to `played`."""
        for step in self.play_rounds():
            played.append(step)
            self.display.show(step)
            self.save()

    def recover(self, problem: Exception) -> bool:
        """Extend the limit or compact the history, so that the loop can run again after an error.

        Return False if neither is possible or wanted.
        """
        if isinstance(problem, LimitReachedError):
            say(str(problem), file=sys.stderr)
            if not approval.confirm("Allow as much again? [y/n] "):
                return False
            self.connection.limits.extend()
        elif len(self.messages) > 1 and is_too_long(problem):  # one message cannot be shortened
            self.compact()
        else:
            model = self.connection.settings["model"]
            host = self.connection.host or "The practice model"
            say(explain(problem, model, host), file=sys.stderr)
            return False
        return True

    def play_rounds(self) -> Iterator[Round]:
        """Yield the Rounds of the loop on this conversation; the trace records them."""
        assert self.workspace is not None  # work() opens it
        self.display.begin_round()
        settings = self.connection.settings | {"system": system_prompt(self.workspace.name)}
        tools = self.connection.guard(map(self.display.watched, self.workspace.tools()))
        new = rounds(
            self.connection.client,
            self.messages,
            [*tools, self.todo.tool()],
            remind=self.nag,
            **settings,
        )
        numbered = (replace(step, number=len(self.trace.steps)) for step in new)
        return self.trace.follow(numbered, self.messages, self.todo, self.nag)

    def compact(self) -> None:
        """Begin a new conversation with the task, the todo list and the last prompt.

        The run so far stays in its file; the new one is saved in the same folder.
        """
        self.keep()
        last = self.messages[-1]["content"]
        prompt = {"prompt": last} if isinstance(last, str) else {}
        self.messages[:] = [carry_on(find_task(self.messages), self.todo.render(), **prompt)]
        self.trace = Trace(self.trace.title, self.trace.after)
        self.display.note(COMPACTED)
        if self.file and self.file.exists():
            self.file = find_free(self.file)
            self.display.note(f"It is saved in {self.file}.")

    def keep(self) -> None:
        """Record messages outside of a whole round, and save the run."""
        self.trace.catch_up(self.messages, self.todo, self.nag)
        self.save()

    def save(self) -> None:
        """Save the run. If that fails, only show a message."""
        if self.file:
            try:
                if self.file.parent.resolve() != self.file.parent:
                    raise OSError("its folder was replaced by a symlink")
                self.trace.save(self.file)
            except OSError as problem:
                self.display.note(f"The run could not be saved in {self.file}: {problem}.")

    def new_file(self) -> Path | None:
        """Return a new file in the user's state folder for a run without --save.

        Delete all but the newest runs there. Return None if the folder cannot be made.
        """
        state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        folder = Path(state, "planning-agent")
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for old in sorted(folder.glob("*.json"))[: 1 - KEPT_RUNS]:
                old.unlink()
        except OSError:
            return None
        file = folder.resolve() / f"{datetime.now():%Y-%m-%d-%H%M%S}-{os.getpid()}.json"
        self.display.note(f"The run is kept in {file}.")
        return file


def real_path(file: str) -> Path:
    """Return the path of `file` with symlinks to its folder resolved: an agent may make others."""
    return Path(file).parent.resolve() / Path(file).name


def find_task(messages: Sequence[dict[str, Any]]) -> str:
    """Return the user's first prompt, which follows the hint in the first message."""
    content = messages[0]["content"]
    if isinstance(content, str):
        return escape.for_api(content)
    texts = [block.get("text", "") for block in content if block["type"] == "text"]
    return escape.for_api("".join(texts[1:2] or texts))


def find_free(file: Path) -> Path:
    """Return the first of run-2.json, run-3.json, … that does not exist, next to run.json."""
    names = (file.with_stem(f"{file.stem}-{number}") for number in count(2))
    return next(name for name in names if not name.exists())


def open_trace(path: str) -> Trace:
    """Open the saved run of --resume. Raise CannotStartError if it is not one."""
    try:
        return Trace.open(path)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise CannotStartError(f"--resume {path}: {reason}") from None


def open_workspace(folder: str | None, prompt: str, is_real: bool) -> Workspace:
    """Return the workspace: the user's `folder`, or a copy of the sample that `prompt` is about.

    Raise CannotStartError for a folder that is no workspace, and for a real model (`is_real`)
    without a folder and without a sample.
    """
    if folder:
        try:
            return Workspace(folder)
        except (OSError, ValueError) as problem:
            raise CannotStartError(f"--workspace {folder}: {problem}") from None
    task = tasks.find(prompt)
    if is_real and not task:
        raise CannotStartError("Where should it work? Name a folder with --workspace DIR.")
    workspace = sample(task.name if task else "hello")
    note = (
        f"It works on a copy of the sample project '{workspace.name}', which is deleted at the end."
    )
    say(note, DIM, sys.stderr)
    return workspace
