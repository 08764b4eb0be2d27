"""A conversation with the agent in a terminal: one history, one list, one folder."""

import argparse
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from textwrap import shorten
from typing import Any

from agentlib.client import approval
from agentlib.client.errors import explain, is_too_long
from agentlib.client.limits import LimitReachedError
from agentlib.client.streaming import aloud
from agentlib.loop import Round, never_remind, rounds
from agentlib.nag import Nag
from agentlib.prompts import carry_on, first_message, system_prompt
from agentlib.todo import TodoManager
from agentlib.tools import make_sendable
from agentlib.workspace import Workspace

from ..model_choice import connect
from ..practice.policy import tasks
from ..runs.bill import dollars, make_bill
from ..runs.trace import Trace
from ..samples import sample
from .display import Display
from .screen import DIM, say

NAG_AFTER = 3  # rounds
FULL = (
    "The conversation has grown longer than the model can read. Nothing is lost: the list and the "
    "files stay as they are{kept}."
)
NEXT = (
    "What you say next begins a new conversation about the same task, with the list as it stands."
)


class CannotStartError(Exception):
    """What the command line asks for cannot be had; the message says why, and what to do."""


class Agent:
    """One conversation. `messages`, `todo` and `trace` are its state so far."""

    def __init__(self, args: argparse.Namespace) -> None:
        """`args` is the command line. Raises ConnectError or CannotStartError."""
        self.args = args
        self.trace = open_trace(args.resume) if args.resume else Trace()
        self.messages = self.trace.messages
        self.is_full = args.afresh  # whether the model can read no more of this conversation
        self.display = Display(self.messages, args.allow)
        if args.nag is not None or not args.resume:
            self.trace.after = (NAG_AFTER if args.nag is None else args.nag) or None
        self.file = real_place(args.save) if args.save else None
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
        """Whether the model is next to speak, as in a run that was saved in the middle."""
        return bool(self.messages) and not self.is_full and self.messages[-1]["role"] == "user"

    def work(self, prompt: str | None) -> bool:
        """Work on `prompt`, or go on where that is None, and show each round.

        Returns whether the model could be asked. What was said is kept after a stop, too.
        """
        import anthropic

        played: list[Round] = []
        if self.workspace is None:
            self.workspace = open_workspace(self.args, prompt or "", self.connection.real)
        if prompt is not None:
            self.add_prompt(prompt)
        try:
            self.keep()
            while not self.play(played):
                self.connection.limits.extend()
        except (anthropic.APIError, ValueError) as problem:
            self.is_full = is_too_long(problem)
            say(self.explain(problem), file=sys.stderr)
            return False
        except LimitReachedError:
            return False
        finally:
            self.keep()
            if played:
                if self.display.foot.is_redrawn:
                    self.display.show_plan()
                say(str(make_bill(played, self.args.price or "")), DIM, sys.stderr)
        return True

    def add_prompt(self, prompt: str) -> None:
        """Append the person's words to the history."""
        prompt = make_sendable(prompt)
        if self.is_full:
            self.begin_afresh(prompt)
        elif self.messages:
            self.messages.append({"role": "user", "content": prompt})
        else:
            self.messages.append(first_message(prompt))
            self.trace.title = shorten(prompt, 60, placeholder=" …")

    def begin_afresh(self, prompt: str) -> None:
        """Begin a new conversation about the same task, and a new run; the old one is kept."""
        self.messages[:] = [carry_on(find_task(self.messages), self.todo.render(), prompt)]
        self.trace = Trace(self.trace.title, self.trace.after)
        self.is_full = False
        if self.file and self.file.exists():
            self.file = find_free(self.file)
            self.display.note(f"The new conversation is kept in {self.file.name}.")

    def explain(self, problem: Exception) -> str:
        """What went wrong with the model, and how to go on."""
        if not self.is_full:
            return explain(problem, self.connection.settings["model"], self.connection.host)
        full = FULL.format(kept=f", and so does the run, in {self.args.save}" if self.file else "")
        if approval.someone_can_answer():
            return f"{full} {NEXT}"
        return f"{full} To go on: --resume {self.args.save or 'FILE'} --afresh."

    def play(self, played: list[Round]) -> bool:
        """Go on to the end, or to the limit of what may be spent: False where a person raises it.

        Each Round is added to `played`. Raises LimitReachedError where nobody raises the limit.
        """
        model = self.connection.settings["model"]
        try:
            with self.display.foot.shown(f"waiting for {model}"):
                for step in self.play_rounds():
                    played.append(step)
                    self.display.foot.spent = spent(played, self.args.price or "")
                    self.display.show(step)
                    self.save()
                    self.is_full = step.stop_reason == "model_context_window_exceeded"
        except LimitReachedError as problem:
            say(str(problem), file=sys.stderr)
            if approval.confirm("Allow as much again? [y/n] "):
                return False
            raise
        return True

    def play_rounds(self) -> Iterator[Round]:
        """The loop, on this conversation; the trace keeps each Round."""
        assert self.workspace is not None  # work() opens it
        self.display.begin_round()
        settings = self.connection.settings | {"system": system_prompt(self.workspace.name)}
        tools = self.connection.guard(map(self.display.watched, self.workspace.tools()))
        new = rounds(
            self.connection.client,
            self.messages,
            [*tools, self.todo.tool()],
            remind=self.nag or never_remind,
            **settings,
        )
        heard = aloud(new, self.display.hear)
        numbered = (replace(step, number=len(self.trace.steps)) for step in heard)
        return self.trace.follow(numbered, self.messages, self.todo, self.nag)

    # What is kept

    def keep(self) -> None:
        """Put what was said outside of a whole round into the trace, and save it."""
        self.trace.catch_up(self.messages, self.todo, self.nag)
        self.save()

    def save(self) -> None:
        """Write the run to the file of --save, where there is one. A fault is only said."""
        if self.file:
            try:
                if self.file.parent.resolve() != self.file.parent:
                    raise OSError("a link has taken the place of its folder")
                self.trace.save(self.file)
            except OSError as problem:
                self.display.note(f"The run could not be saved in {self.args.save}: {problem}.")


def real_place(file: str) -> Path:
    """Where `file` lies once the links to its folder are followed: an agent may lay others."""
    return Path(file).parent.resolve() / Path(file).name


def spent(played: Sequence[Round], price: str) -> str:
    """What some rounds came to, for the foot of the screen; in money where `price` is known."""
    bill = make_bill(played, price).rounds
    money = f" · {dollars(bill.usd)}" if bill.usd else ""
    return f"{bill.usage.total:,} tokens{money}"


def find_task(messages: Sequence[dict[str, Any]]) -> str:
    """What a conversation is about: the person's first words, behind the hint of ours."""
    content = messages[0]["content"] if messages else ""
    if isinstance(content, str):
        return make_sendable(content)
    texts = [block["text"] for block in content if block["type"] == "text"]
    return make_sendable("".join(texts[1:2] or texts))


def find_free(file: Path) -> Path:
    """A file beside this one that is not there yet: run.json, run-2.json, run-3.json, …"""
    names = (file.with_stem(f"{file.stem}-{number}") for number in count(2))
    return next(name for name in names if not name.exists())


def open_trace(path: str) -> Trace:
    """The saved run of --resume. Raises CannotStartError if it is not one."""
    try:
        return Trace.open(path)
    except OSError as problem:
        raise CannotStartError(f"--resume {path}: {problem.strerror}.") from None
    except ValueError as problem:
        raise CannotStartError(f"--resume {path}: {problem}") from None


def open_workspace(args: argparse.Namespace, prompt: str, is_real: bool) -> Workspace:
    """The folder to work in: your own, or a copy of a sample project, and then say so.

    Raises CannotStartError where there is none, as for a real model (`is_real`) whose `prompt`
    is about no sample.
    """
    if args.workspace and not args.task:
        return own_workspace(args.workspace)
    task = args.task or getattr(tasks.find(prompt), "name", None)
    if is_real and not task:
        raise CannotStartError(
            "Where should it work? Name a folder with --workspace DIR, or a sample "
            "project with --task NAME."
        )
    workspace = sample(task or "hello")
    if not args.workspace:
        say(
            f"It works on a copy of the sample project '{workspace.name}', which is deleted at the "
            f"end. To keep it: --task {workspace.name} --workspace DIR.",
            DIM,
            sys.stderr,
        )
        return workspace
    try:
        shutil.copytree(workspace.root, args.workspace)
    except OSError as problem:
        raise CannotStartError(
            f"--workspace {args.workspace!r} cannot be made: {problem}."
        ) from None
    return own_workspace(args.workspace)


def own_workspace(folder: str) -> Workspace:
    """A folder of the person's own. Raises CannotStartError where no agent may work there."""
    try:
        return Workspace(folder)
    except (ValueError, OSError) as problem:
        raise CannotStartError(str(problem)) from None
